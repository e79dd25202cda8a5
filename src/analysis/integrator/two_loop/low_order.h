/* analysis/integrator/two_loop/low_order.h - implicit formulas of order 2 with variable step, and their history.
 *
 *   (L1)  q = base_q + c_q a,  v = base_v + c_v a,  X = base_X + c_x X'        at t_{n+1}
 *
 * a, X' true rates at t_{n+1}. The history holds all coordinates, so that it does not depend on
 * which of them a method integrates. q may be those of the bodies or joint coordinates.
 */
#pragma once

#include "analysis/integrator/integrator.h"
#include "analysis/integrator/step_history.h"

typedef enum TmlFormula {
    TML_FORMULA_TRAPEZOIDAL,
    TML_FORMULA_BDF2,
    TML_FORMULA_PARK,
    TML_FORMULA_HHT
} TmlFormula;

/* What the formulas act on at one time. */
typedef struct TmlPoint {
    double t;
    double *q, *v, *a; /* nq of the formula */
    double *X, *Xd;    /* nx */
} TmlPoint;

typedef struct TmlLowOrder {
    // settings
    TmlFormula formula;
    double alpha; /* of HHT, -1/3 to 0 */

    // this step
    double h, cq, cv, cx;
    double error, error_x; /* local error: error h^3 q''', error_x h^3 X''' */
    double *base_q, *base_v, *base_X;

    int nq, nx;
    TmlHistory history; /* q, v, a, X, X' of each point */
} TmlLowOrder;

TML_NODISCARD TmlStatus tml_low_order_setup(TmlLowOrder *f, TmlArena *arena, int nq, int nx,
                                            TmlError *err);
void tml_low_order_restart(TmlLowOrder *f, const TmlPoint *now);

/* Sets the coefficients and known parts of (L1) for a step h. */
void tml_low_order_begin(TmlLowOrder *f, double h);

/* Extrapolates a[nq] and X'[nx] to the end of the step. */
void tml_low_order_predict(const TmlLowOrder *f, double *a, double *Xd);

/* Computes the local errors of q and X of the step to s. */
void tml_low_order_error(const TmlLowOrder *f, const TmlPoint *s, double *dq, double *dX);

void tml_low_order_accept(TmlLowOrder *f, const TmlPoint *s);
void tml_low_order_reject(TmlLowOrder *f);

/* Point k of the history, to be written in other coordinates. */
TmlPoint tml_low_order_past(const TmlLowOrder *f, int k);

/* Returns the largest growth of the step that the formula bears. */
double tml_low_order_growth(const TmlLowOrder *f);
