/* math/stencil.h - derivatives of a function that is known at a few places.
 *
 * With t_k the places, counted from where the derivatives are wanted, and a_k the divided
 * differences of the values, the polynomial through them is
 *
 *   (N1)  p(t) = a_0 + (t - t_0) (a_1 + (t - t_1) (a_2 + ...
 *
 * Multiplied out from within it is a sum of c_m t^m, and derivative m is m! c_m.
 */
#pragma once

#include <stddef.h>

/* d[0..n-1]: value and derivatives at t = 0; f, the values at t, is overwritten. */
static inline void stencil_derivatives(int n, const double *t, double *f, double *d)
{
    for (int m = 1; m < n; ++m) {
        for (int k = n - 1; k >= m; --k) {
            f[k] = (f[k] - f[k - 1]) / (t[k] - t[k - m]);
        }
    }
    for (int m = 0; m < n; ++m) {
        d[m] = 0.0;
    }
    d[0] = f[n - 1];
    for (int k = n - 2; k >= 0; --k) { // (N1): d becomes d (t - t_k) + a_k
        for (int m = n - 1; m > 0; --m) {
            d[m] = d[m - 1] - t[k] * d[m];
        }
        d[0] = f[k] - t[k] * d[0];
    }
    double factorial = 1.0;
    for (int m = 2; m < n; ++m) {
        factorial *= m;
        d[m] *= factorial;
    }
}
