/* math/small_lu.c - see small_lu.h.
 *
 *   P A = L U with unit L; diagonals of U are kept as their inverses.
 */
#include "math/small_lu.h"

#include <math.h>
#include <stddef.h>

static void swap(int n, double *a, double *b)
{
    for (int k = 0; k < n; ++k) {
        const double x = a[k];
        a[k] = b[k];
        b[k] = x;
    }
}

/* --- real ------------------------------------------------------------------------------------- */

static int largest_below(int n, const double *A, int k)
{
    int best = k;
    for (int i = k + 1; i < n; ++i) {
        best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
    }
    return best;
}

bool tml_small_factor(int n, double *A, int *pivot)
{
    for (int k = 0; k < n; ++k) {
        double *const restrict row = A + k * n;
        pivot[k] = largest_below(n, A, k);
        if (pivot[k] != k) {
            swap(n, row, A + pivot[k] * n);
        }
        if (!(fabs(row[k]) > 0.0) || !isfinite(row[k])) {
            return false;
        }
        row[k] = 1.0 / row[k];
        for (int i = k + 1; i < n; ++i) {
            double *const restrict to = A + i * n;
            if (to[k] == 0.0) {
                continue;
            }
            const double l = to[k] *= row[k];
            for (int j = k + 1; j < n; ++j) {
                to[j] -= l * row[j];
            }
        }
    }
    return true;
}

void tml_small_solve(int n, const double *A, const int *pivot, double *b)
{
    for (int k = 0; k < n; ++k) {
        const double x = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = x;
    }
    for (int k = 1; k < n; ++k) {
        double sum = b[k];
        for (int j = 0; j < k; ++j) {
            sum -= A[k * n + j] * b[j];
        }
        b[k] = sum;
    }
    for (int k = n - 1; k >= 0; --k) {
        double sum = b[k];
        for (int j = k + 1; j < n; ++j) {
            sum -= A[k * n + j] * b[j];
        }
        b[k] = sum * A[k * n + k];
    }
}

/* --- complex ---------------------------------------------------------------------------------- */

static double square(const double *z)
{
    return z[0] * z[0] + z[1] * z[1];
}

static void invert(double *z)
{
    const double s = 1.0 / square(z);
    z[0] *= s;
    z[1] *= -s;
}

/* to -= a b */
static inline void take(double *to, const double *a, const double *b)
{
    to[0] -= a[0] * b[0] - a[1] * b[1];
    to[1] -= a[0] * b[1] + a[1] * b[0];
}

static inline void scale(double *z, const double *by)
{
    const double re = z[0] * by[0] - z[1] * by[1];
    z[1] = z[0] * by[1] + z[1] * by[0];
    z[0] = re;
}

bool tml_small_factor_complex(int n, double *A, int *pivot)
{
    const ptrdiff_t width = 2 * (ptrdiff_t)n;
    for (int k = 0; k < n; ++k) {
        double *const restrict row = A + k * width;
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = square(A + i * width + 2 * k) > square(A + best * width + 2 * k) ? i : best;
        }
        pivot[k] = best;
        if (best != k) {
            swap(2 * n, row, A + best * width);
        }
        if (!(square(row + 2 * k) > 0.0) || !isfinite(square(row + 2 * k))) {
            return false;
        }
        invert(row + 2 * k);
        for (int i = k + 1; i < n; ++i) {
            double *const restrict to = A + i * width;
            if (square(to + 2 * k) == 0.0) {
                continue;
            }
            scale(to + 2 * k, row + 2 * k);
            for (int j = k + 1; j < n; ++j) {
                take(to + 2 * j, to + 2 * k, row + 2 * j);
            }
        }
    }
    return true;
}

void tml_small_solve_complex(int n, const double *A, const int *pivot, double *b)
{
    const ptrdiff_t width = 2 * (ptrdiff_t)n;
    for (int k = 0; k < n; ++k) {
        if (pivot[k] != k) {
            swap(2, b + 2 * pivot[k], b + 2 * k);
        }
    }
    for (int k = 1; k < n; ++k) {
        for (int j = 0; j < k; ++j) {
            take(b + 2 * k, A + k * width + 2 * j, b + 2 * j);
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) {
            take(b + 2 * k, A + k * width + 2 * j, b + 2 * j);
        }
        scale(b + 2 * k, A + k * width + 2 * k);
    }
}
