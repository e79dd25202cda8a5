/* model/primitive/expression_velocity.h - rows of an expression that is linear in velocities.
 *
 * b: the expression; rate: its derivative by time, tml_binding_rate_create.
 */
#pragma once

#include "model/measure/binding.h"

/* TML_E_MODEL: it is not linear in the velocities at the motions e. */
TML_NODISCARD TmlStatus tml_velocity_check(const TmlBinding *b, const TmlFrameKin *e, int n_ends,
                                           TmlError *err);

size_t tml_velocity_work(const TmlBinding *b, const TmlBinding *rate);
void tml_velocity_jacobian(const TmlBinding *b, const TmlElementIn *in, TmlRow *J);
void tml_velocity_tangent(const TmlBinding *b, const TmlElementIn *in, TmlRow *D);
double tml_velocity_rest(const TmlBinding *b, const TmlElementIn *in); /* b of (X2) */
void tml_velocity_curvature(const TmlBinding *b, const TmlElementIn *in, double lambda, double *K);
void tml_velocity_jacobian_t(const TmlBinding *b, const TmlElementIn *in, TmlRow *Jt);
double tml_velocity_gamma(const TmlBinding *rate, const TmlElementIn *in);
void tml_velocity_gamma_tangent(const TmlBinding *rate, const TmlElementIn *in, TmlRow *Gm,
                                TmlRow *Gv);
double tml_velocity_gamma_t(const TmlBinding *rate, const TmlElementIn *in);
