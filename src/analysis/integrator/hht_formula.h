/* analysis/integrator/hht_formula.h - the formula of HHT in true accelerations, for the step h after
 * a step h1.
 *
 *   (N1)  q = q_n + h v_n + h^2 [(1/2 - beta) A_n + beta A]                           [003] (2a)
 *   (N2)  v = v_n + h [(1 - gamma) A_n + gamma A]                                     [003] (2b)
 *   (N3)  A = (1 + alpha) a - alpha a_n,  A_n = a_n + alpha (h / h1) (a_n - a_{n-1})        own
 *   (N4)  gamma = 1/2 - alpha,  beta = (1 - alpha)^2 / 4                               [003] (6)
 *         hence q = base_q + c_q a,  c_q = (1 + alpha) beta h^2
 *               v = base_v + c_v a,  c_v = (1 + alpha) gamma h
 *   (N5)  X = X_n + h [(1 - gamma) B_n + gamma B], B from X' as A from a                    own
 *   (N6)  local errors: (1/12 + alpha^2/4) h^2 (a - a_n) of q, |1/12 - alpha^2/2| h^3 X''' of X
 *         (own, docs/theory/hht.md)
 *
 * alpha = 0 is the trapezoidal rule, and what a first step without a_{n-1} is taken with.
 */
#pragma once

#include <math.h>

typedef struct TmlHhtFormula {
    double h, alpha, beta, gamma;
    double ratio;          /* h / h1; 0: no step before */
    double cq, cv;         /* (N4) */
    double error, error_x; /* (N6) */
} TmlHhtFormula;

/* h1: 0 when there is no step before. */
static inline TmlHhtFormula hht_formula(double alpha, double h, double h1)
{
    TmlHhtFormula f = {.h = h, .alpha = alpha, .ratio = h1 > 0.0 ? h / h1 : 0.0};
    f.gamma = 0.5 - alpha;
    f.beta = 0.25 * (1.0 - alpha) * (1.0 - alpha);
    f.cq = (1.0 + alpha) * f.beta * h * h;
    f.cv = (1.0 + alpha) * f.gamma * h;
    f.error = 1.0 / 12.0 + 0.25 * alpha * alpha;
    f.error_x = fabs(1.0 / 12.0 - 0.5 * alpha * alpha);
    return f;
}

/* A_n of (N3), B_n of (N5) */
static inline double hht_mean_start(const TmlHhtFormula *f, double a, double before)
{
    return a + f->alpha * f->ratio * (a - before);
}

/* Returns the known part of (N1). */
static inline double hht_base_q(const TmlHhtFormula *f, double q, double v, double a, double before)
{
    const double A = hht_mean_start(f, a, before);
    return q + f->h * v + f->h * f->h * ((0.5 - f->beta) * A - f->beta * f->alpha * a);
}

/* Returns the known part of (N2) and (N5). */
static inline double hht_base_v(const TmlHhtFormula *f, double v, double a, double before)
{
    const double A = hht_mean_start(f, a, before);
    return v + f->h * ((1.0 - f->gamma) * A - f->gamma * f->alpha * a);
}
