/* model/wheel/rail/kalker.c - Kalker's coefficients of linear creep.
 *
 * The forces at small creepage, per contact with half axes a (along rolling) and b:
 *
 *   (K1)  Fx = -C11 G a b xi,  Fy = -C22 G a b eta - C23 G (a b)^(3/2) phi
 *
 * The numbers are those of J. J. Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990),
 * table E3: functions of a/b and of Poisson's ratio nu.
 *
 *   (K2)  between the rows a natural cubic spline over a/b, between nu = 0, 1/4, 1/2 a parabola
 *
 * Left out one at a time, rows are met to 0.5 %. Beyond the table the last row holds.
 */
#include "model/wheel/rail/kalker.h"

#include <math.h>

static const double ratios[KALKER_ROWS] = {
    0.1,       0.2,  0.3,       0.4,       0.5, 0.6, 0.7,       0.8, 0.9, 1,
    1.0 / 0.9, 1.25, 1.0 / 0.7, 1.0 / 0.6, 2,   2.5, 1.0 / 0.3, 5,   10};

/* [nu = 0, 0.25, 0.5][C11, C22, C23][row] */
static const double table[3][KALKER_KINDS][KALKER_ROWS] = {
    {{2.51, 2.59, 2.68, 2.78, 2.88, 2.98, 3.09, 3.19, 3.29, 3.4, 3.51, 3.65, 3.82, 4.06, 4.37, 4.84,
      5.57, 6.96, 10.7},
     {2.51, 2.59, 2.68, 2.78, 2.88, 2.98, 3.09, 3.19, 3.29, 3.4, 3.51, 3.65, 3.82, 4.06, 4.37, 4.84,
      5.57, 6.96, 10.7},
     {0.334, 0.483, 0.607, 0.72, 0.827, 0.93, 1.03, 1.13, 1.23, 1.33, 1.44, 1.58, 1.76, 2.01, 2.35,
      2.88, 3.79, 5.72, 12.2}},
    {{3.31, 3.37, 3.44, 3.53, 3.62, 3.72, 3.81, 3.91, 4.01, 4.12, 4.22, 4.36, 4.54, 4.78, 5.1, 5.57,
      6.34, 7.78, 11.7},
     {2.52, 2.63, 2.75, 2.88, 3.01, 3.14, 3.28, 3.41, 3.54, 3.67, 3.81, 3.99, 4.21, 4.5, 4.9, 5.48,
      6.4, 8.14, 12.8},
     {0.473, 0.603, 0.715, 0.823, 0.929, 1.03, 1.14, 1.25, 1.36, 1.47, 1.59, 1.75, 1.95, 2.23, 2.62,
      3.24, 4.32, 6.63, 14.6}},
    {{4.85, 4.81, 4.8, 4.82, 4.83, 4.91, 4.97, 5.05, 5.12, 5.2, 5.3, 5.42, 5.58, 5.8, 6.11, 6.57,
      7.34, 8.82, 12.9},
     {2.53, 2.66, 2.81, 2.98, 3.14, 3.31, 3.48, 3.65, 3.82, 3.98, 4.16, 4.39, 4.67, 5.04, 5.56,
      6.31, 7.51, 9.79, 16},
     {0.731, 0.809, 0.889, 0.977, 1.07, 1.18, 1.29, 1.4, 1.51, 1.63, 1.77, 1.94, 2.18, 2.5, 2.96,
      3.7, 5.01, 7.89, 18}},
};

/* Second derivatives of the natural spline through y. */
static void natural(const double *y, double *bend)
{
    double upper[KALKER_ROWS] = {0};
    bend[0] = 0.0;
    for (int k = 1; k < KALKER_ROWS - 1; ++k) {
        const double h0 = ratios[k] - ratios[k - 1], h1 = ratios[k + 1] - ratios[k];
        const double right = 6.0 * ((y[k + 1] - y[k]) / h1 - (y[k] - y[k - 1]) / h0);
        const double pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        bend[k] = (right - h0 * bend[k - 1]) / pivot;
    }
    bend[KALKER_ROWS - 1] = 0.0;
    for (int k = KALKER_ROWS - 2; k > 0; --k) {
        bend[k] -= upper[k] * bend[k + 1];
    }
}

void tml_kalker_prepare(double nu, TmlKalker *k)
{
    const double x = fmin(fmax(nu, 0.0), 0.5) / 0.25;
    const double w[3] = {0.5 * (x - 1.0) * (x - 2.0), x * (2.0 - x), 0.5 * x * (x - 1.0)};
    for (int c = 0; c < KALKER_KINDS; ++c) {
        for (int i = 0; i < KALKER_ROWS; ++i) {
            k->value[c][i] =
                w[0] * table[0][c][i] + w[1] * table[1][c][i] + w[2] * table[2][c][i]; // (K2)
        }
        natural(k->value[c], k->bend[c]);
    }
}

TmlKalkerC tml_kalker(const TmlKalker *k, double ratio)
{
    const double x = fmin(fmax(ratio, ratios[0]), ratios[KALKER_ROWS - 1]);
    int i = 0;
    while (i < KALKER_ROWS - 2 && x > ratios[i + 1]) {
        ++i;
    }
    const double h = ratios[i + 1] - ratios[i], u = (x - ratios[i]) / h, v = 1.0 - u;
    TmlKalkerC o;
    for (int c = 0; c < KALKER_KINDS; ++c) {
        const double *y = k->value[c] + i, *b = k->bend[c] + i;
        o.c[c] =
            v * y[0] + u * y[1] + h * h / 6.0 * ((v * v * v - v) * b[0] + (u * u * u - u) * b[1]);
        o.slope[c] =
            (y[1] - y[0]) / h + h / 6.0 * ((1.0 - 3.0 * v * v) * b[0] + (3.0 * u * u - 1.0) * b[1]);
        o.slope[c] *= x == ratio; // constant beyond the table
    }
    return o;
}
