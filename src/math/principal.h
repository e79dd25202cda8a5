/* math/principal.h - principal axes of an inertia tensor. */
#pragma once

#include "trammel/types.h"

/* A symmetric matrix as V diag(w) V^T: moments w in the order of the axes V, which are right-handed
 * and stay as near to x, y, z as the matrix allows. */
void tml_principal(const TmlMat33 *J, double w[3], TmlMat33 *V);
