/* analysis/statics/balance.h - forces in play, and what of them is without balance. */
#pragma once

#include "system/system.h"

/* Returns the largest component of r[nu] in N: torques and forces on gradients count over the
 * length of the model. */
double tml_balance_size(const TmlSystem *sys, const double *r);

/* Returns the largest ratio of stiffness to inertia of a coordinate at s, in 1/s^2: eps times this
 * is what rounding leaves of the stiffness of any motion. mass[nu] is scratch. It overwrites the
 * step matrix. */
double tml_balance_stiffest(TmlSystem *sys, const TmlState *s, double *mass);
