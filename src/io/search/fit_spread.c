/* io/search/fit_spread.c - how well data determine parameters.
 *
 * With residuals r_i = w_i (y_i - target_i) / sigma_i (w_i: root of the weight) and J = dr/dx over the sizes of parameters,
 *
 *   (E7)  cov x = A^-1 B A^-1,  A = J^T J,  B = J^T W J,  W = diag(w_i^2)
 *
 * which is A^-1 where all weights are 1: a weight changes how much a square counts, not how noisy it is. Intervals are
 *
 *   (E8)  x +- t s,  P(|T| < t) = confidence, T of Student's distribution with points - parameters degrees of freedom
 *
 * whose distribution function has the finite sums A(t|nu) of Abramowitz and Stegun, 26.7.3 and 26.7.4.
 */
#include "io/search/fit.h"

#include "base/fail.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
/* The least eigenvalue: parameters that do the same to 1e-6 are not told apart. */
static const double singular = 1e-12;

/* --- Student's distribution ----------------------------------------------------------------------------------------- */

/* P(|T| < tan(angle) sqrt(nu)). */
static double within(double angle, int nu)
{
    const double s = sin(angle), c2 = cos(angle) * cos(angle);
    const bool odd = nu % 2 != 0;
    double term = odd ? cos(angle) : 1.0, sum = nu > 1 ? term : 0.0;
    for (int k = odd ? 3 : 2; k < nu;
         k += 2) { // each exponent once: c^(k), of which two less stand before
        term *= c2 * (double)(k - 1) / (double)k;
        sum += term;
    }
    return odd ? 2.0 / pi * (angle + s * sum) : s * sum;
}

/* z with P(|Z| < z) = inside, Z normal. */
static double normal_within(double inside)
{
    double low = 0.0, high = 40.0;
    for (int k = 0; k < 70; ++k) {
        const double middle = 0.5 * (low + high);
        if (erf(middle / sqrt(2.0)) < inside) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

double tml_student_quantile(double p, int freedom)
{
    enum {
        EXACT = 2000
    }; // above it what 26.7.5 leaves out is z^7 / 5 nu^3 and less, 3e-9 at z = 2
    const double inside = 2.0 * p - 1.0, nu = freedom < 1 ? 1.0 : (double)freedom;
    if (freedom > EXACT) {
        const double z = normal_within(inside), z3 = z * z * z, z5 = z3 * z * z;
        return z + (z3 + z) / (4.0 * nu) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * nu * nu);
    }
    double low = 0.0, high = 0.5 * pi;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        if (within(middle, (int)nu) < inside) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return tan(0.5 * (low + high)) * sqrt(nu);
}

/* --- the linear problem --------------------------------------------------------------------------------------------- */

double tml_fit_residual(const TmlFit *f, const double *y, const double *sigma, int i)
{
    const double off = y[i] - f->target[i];
    return isfinite(f->target[i]) ? f->weight[i] * off / sigma[i % f->n_outputs] : 0.0;
}

double tml_fit_slope(const TmlFit *f, const double *sigma, int i, int k)
{
    const size_t at = (size_t)i * (size_t)f->s.n + (size_t)k;
    return isfinite(f->target[i]) ? f->weight[i] * f->d[at] * f->scale[k] / sigma[i % f->n_outputs]
                                  : 0.0;
}

static void products(const TmlFit *f, const double *sigma, bool weighted, double *C)
{
    const int n = f->s.n;
    memset(C, 0, (size_t)n * (size_t)n * sizeof *C);
    for (int i = 0; i < f->s.m; ++i) {
        const double w = weighted ? f->weight[i] * f->weight[i] : 1.0;
        for (int a = 0; a < n; ++a) {
            const double slope = w * tml_fit_slope(f, sigma, i, a);
            for (int b = 0; b <= a && slope != 0.0; ++b) {
                C[a * n + b] += slope * tml_fit_slope(f, sigma, i, b);
            }
        }
    }
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < a; ++b) {
            C[b * n + a] = C[a * n + b];
        }
    }
}

TmlStatus tml_fit_normal(const TmlFit *f, const double *sigma, double *C, double *V, double *unit,
                         double *w, double *length, TmlError *err)
{
    const int n = f->s.n;
    products(f, sigma, false, C);
    for (int k = 0; k < n; ++k) {
        length[k] = C[k * n + k] > 0.0 ? sqrt(C[k * n + k]) : 1.0;
    }
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            C[a * n + b] /= length[a] * length[b];
            unit[a * n + b] = a == b;
        }
    }
    memcpy(V, C, (size_t)n * (size_t)n * sizeof *V);
    return tml_eigen_symmetric(n, V, unit, w, NULL, err);
}

/* Names of the parameters that the data do not tell apart, behind the message. */
static TmlStatus not_determined(TmlFit *f, const double *C, const double *V, TmlError *err)
{
    const int n = f->s.n;
    const char *text = f->result.message, *between = "; the data do not determine ";
    for (int k = 0; k < n; ++k) {
        if (fabs(V[k]) > 0.1 || C[k * n + k] == 0.0) {
            text = tml_arena_printf(&f->s.arena, "%s%s%s", text, between, f->s.free[k].name);
            between = ", ";
            if (text == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory");
            }
        }
    }
    f->result.message = text;
    return TML_OK;
}

/* (E7), with A = diag(length) V diag(w) V^T diag(length). X: covariance over sizes. */
static void covariance(const TmlFit *f, const double *V, const double *w, const double *length,
                       double *inverse, double *B, double *X)
{
    const int n = f->s.n;
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += V[k * n + a] * V[k * n + b] / w[k];
            }
            inverse[a * n + b] = sum / (length[a] * length[b]);
        }
    }
    products(f, f->sigma, true, B);
    tml_dense_mul(false, false, n, n, n, 1.0, inverse, B, 0.0, X);
    memcpy(B, X, (size_t)n * (size_t)n * sizeof *B);
    tml_dense_mul(false, false, n, n, n, 1.0, B, inverse, 0.0, X);
}

TmlStatus tml_fit_spread(TmlFit *f, TmlError *err)
{
    const int n = f->s.n;
    const size_t square = (size_t)n * (size_t)n;
    double *C, *V, *unit, *X, *w, *length;
    TML_NEW(&f->s.arena, C, square);
    TML_NEW(&f->s.arena, V, square);
    TML_NEW(&f->s.arena, unit, square);
    TML_NEW(&f->s.arena, X, square);
    TML_NEW(&f->s.arena, w, n);
    TML_NEW(&f->s.arena, length, n);
    TML_TRY(tml_fit_normal(f, f->sigma, C, V, unit, w, length, err));
    for (size_t k = 0; k < square; ++k) {
        f->correlation[k] = (double)NAN;
    }
    for (int k = 0; k < n; ++k) {
        f->deviation[k] = f->low[k] = f->high[k] = (double)NAN;
    }
    if (!(w[0] > singular)) {
        return not_determined(f, C, V, err);
    }
    covariance(f, V, w, length, unit, C, X);
    const double t = tml_student_quantile(0.5 + 0.5 * f->confidence, f->points - n);
    for (int a = 0; a < n; ++a) {
        const double s = sqrt(X[a * n + a]);
        f->deviation[a] = s * f->scale[a];
        f->low[a] = f->x[a] - t * f->deviation[a];
        f->high[a] = f->x[a] + t * f->deviation[a];
        for (int b = 0; b < n; ++b) {
            f->correlation[a * n + b] = X[a * n + b] / (s * sqrt(X[b * n + b]));
        }
    }
    return TML_OK;
}
