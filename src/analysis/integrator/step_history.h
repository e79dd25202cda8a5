/* analysis/integrator/step_history.h - accepted points of an implicit method, and extrapolation of them.
 *
 *   (Y1)  prediction: polynomial of degree d through the last d + 1 points in Lagrange's form; d,
 *         0 to 3, is the degree that would have served best of late: the running mean of squared
 *         errors of each degree decides
 *   (Y2)  after a restart, and after rejections, degrees rise again one by one
 */
#pragma once

#include "base/arena.h"

enum { TML_HISTORY = 4 }; /* points for predictions up to degree 3 */

typedef struct TmlHistory {
    // newest first
    int points; /* in use, 1 after a restart */
    double time[TML_HISTORY], *past[TML_HISTORY];

    // own
    int from, n;                /* the part of a point that predictions are judged by */
    int top;                    /* highest degree */
    double judged[TML_HISTORY]; /* running error of predictions by degree */
    int degree_limit;           /* (Y2) */
} TmlHistory;

/* Points of `length` numbers; those from `from` to from + n, accelerations, judge predictions. */
TML_NODISCARD TmlStatus tml_history_setup(TmlHistory *h, TmlArena *arena, int length, int from,
                                          int n, int top, TmlError *err);

/* One point at t; the caller fills past[0]. */
void tml_history_restart(TmlHistory *h, double t);

/* Weights of the points for a prediction at t; the degree, so that degree + 1 of them count. */
int tml_history_predict(const TmlHistory *h, double t, double weight[TML_HISTORY]);

/* A step to t with accelerations x[n] is accepted: predictions are judged, and the place of the new
 * point, which the caller fills, is returned. */
double *tml_history_accept(TmlHistory *h, double t, const double *x);

/* A step was rejected: (Y2). */
void tml_history_reject(TmlHistory *h);
