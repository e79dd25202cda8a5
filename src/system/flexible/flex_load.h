/* system/flexible/flex_load.h - loads spread over flexible bodies; internal to system/.
 *
 *   (D1)  f_i = integral of S_i q dl       q per length of a line or per area of a patch
 *   (D2)  q = A(r_x, r_y) q_section        a load that follows the section's axes
 *
 * (D1) for a fixed direction is w_i q / (mass per length): w_i of gravity, exact. (D2) is summed
 * over Gauss points, where every element counts with its length or area without stress.
 */
#pragma once

#include "system/system_internal.h"

TML_NODISCARD TmlStatus tml_flex_load_setup(TmlSystem *sys, TmlError *err);

/* Take the loads at time t off the forces of all elements; their power goes to power.other. */
void tml_flex_load_forces(TmlSystem *sys, double t);

/* K[N * N] += c_q times the derivative by x of what the loads add to the forces of element e. */
void tml_flex_load_tangent(const TmlSystem *sys, int e, double c_q, double *K);
