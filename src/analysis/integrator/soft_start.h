/* analysis/integrator/soft_start.h - starting accelerations of flexible bodies without what a step cannot
 * resolve. */
#pragma once

#include "system/system.h"

/* Coefficients of the first step, as tml_system_jacobian takes them. */
typedef struct TmlSoftStep {
    double cq, cv, cx;
} TmlSoftStep;

/* Softens s->a for a first step, where the model has flexible bodies; a solution of the system, and
 * what else belongs to s, is not touched. r[n], du[nu] and dq[nq] are scratch. It returns true when
 * done: the step factors then are those of s. */
bool tml_soft_start(TmlSystem *sys, TmlState *s, TmlSoftStep step, double *r, double *du,
                    double *dq);
