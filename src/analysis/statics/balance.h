/* analysis/statics/balance.h - forces in play, and what of them is without balance. */
#pragma once

#include "system/system.h"

/* Largest component of r[nu] in N: torques and forces on gradients over the length of the model. */
double tml_balance_size(const TmlSystem *sys, const double *r);

/* Largest ratio of stiffness to inertia of a coordinate at s, 1/s^2: eps times this is what
 * rounding leaves of the stiffness of any motion. mass: nu, scratch. Overwrites the step matrix. */
double tml_balance_stiffest(TmlSystem *sys, const TmlState *s, double *mass);
