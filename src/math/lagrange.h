/* math/lagrange.h - the polynomial through given points. */
#pragma once

/* weight[d + 1]: value at t of the polynomial of degree d through the points at time[0..d] is the
 * sum of weight[i] times point i (Lagrange). */
static inline void lagrange_weights(const double *time, int d, double t, double *weight)
{
    for (int i = 0; i <= d; ++i) {
        weight[i] = 1.0;
        for (int j = 0; j <= d; ++j) {
            if (j != i) {
                weight[i] *= (t - time[j]) / (time[i] - time[j]);
            }
        }
    }
}
