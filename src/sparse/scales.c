/* sparse/scales.c - scales that make pivots of saddle points independent of units.
 *
 * Scales are powers of two, so that they cost no rounding, and come from magnitudes:
 *   (S1)  c_j = median |a_kk| / median max_i |a_ik|     for the columns of multipliers, else 1
 *   (S2)  r_i = 1 / max_j |a_ij| c_j
 *   (S3)  c_j <- min(c_j, |a_ii| c_i / |a_ij|)                  rows i and columns j of equations
 * (S1) brings J^T to the size of M. Without it a light mechanism has its multipliers as pivots, and
 * AMD's fill on a chain grows quadratically; with it the units do not matter.
 *
 * An equation y_i - f(y_j, ...) = 0 gives its own unknown the diagonal. Where f is steep, a force
 * of 3e13 times a variable, (S2) alone would leave 3e-14 of that diagonal, which (P1) of factors.c
 * takes for rounding. (S3) measures y_j in units that matter to y_i instead, and so on to what y_j
 * reads itself. It sets in where six digits would be lost, so that other models keep their scales.
 *
 * The diagonal of a multiplier is zero or a small negative real number. That of a coordinate is
 * positive when real; at a complex step z it is m + z d + z^2 k, whose real part may be negative
 * too, but then its imaginary part is not zero.
 *
 * Loops over entries take the width as a constant of the call, so that each kind of number has its
 * own loop.
 */
#include "sparse/scales.h"

#include <float.h>
#include <string.h>

enum { EXPONENTS = 2200, EXPONENT_ZERO = 1100 };

/* Holds how many numbers have each exponent. */
typedef struct Exponents {
    int count[EXPONENTS], total;
} Exponents;

static void exponent_add(Exponents *e, double x)
{
    e->count[ilogb(x) + EXPONENT_ZERO]++;
    e->total++;
}

/* Returns the exponent that half of the counted numbers do not exceed. */
static int exponent_median(const Exponents *e)
{
    int seen = 0;
    for (int k = 0; k < EXPONENTS; ++k) {
        seen += e->count[k];
        if (2 * seen >= e->total) {
            return k - EXPONENT_ZERO;
        }
    }
    return 0;
}

/* Tells whether number k of z, which is on the diagonal, is that of a coordinate. */
static bool coordinate_diagonal(const double *z, ptrdiff_t k, int width)
{
    return z[width * k] > 0.0 || (width == 2 && z[2 * k + 1] != 0.0);
}

/* (S1): sets c. */
static void set_columns(TmlScales *s, const TmlCsc *A, const double *z)
{
    Exponents diagonal = {.total = 0}, coupling = {.total = 0};
    for (int j = 0; j < s->n; ++j) {
        double a_jj = 0.0, largest = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const double size = tml_modulus(z, p, s->width);
            a_jj = A->row[p] == j && coordinate_diagonal(z, p, s->width) ? size : a_jj;
            largest = fmax(largest, size);
        }
        s->c[j] = a_jj > 0.0 ? 1.0 : 0.0; // zero marks the multipliers for now
        if (a_jj > 0.0) {
            exponent_add(&diagonal, a_jj);
        } else if (largest > 0.0) {
            exponent_add(&coupling, largest);
        }
    }
    const bool both = diagonal.total > 0 && coupling.total > 0;
    const int e = both ? exponent_median(&diagonal) - exponent_median(&coupling) : 0;
    const double c = ldexp(1.0, e < -500 ? -500 : e > 500 ? 500 : e);
    for (int j = 0; j < s->n; ++j) {
        s->c[j] = s->c[j] > 0.0 ? 1.0 : c;
    }
}

/* One sweep of (S3) with `spare` binary digits to spare; r holds the diagonal. True: scales are
 * lower, or, without `apply`, would be. */
static bool sweep_columns(TmlScales *s, const TmlCsc *A, const double *z, int spare, bool apply)
{
    enum { LEAST = -500 };
    bool changed = false;
    for (int j = s->n - 1; j >= s->equations; --j) { // forces, the last, read the others
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const int i = A->row[p];
            const double a = i >= s->equations && i != j ? tml_modulus(z, p, s->width) : 0.0;
            const double most = a > 0.0 ? ldexp(s->r[i] * s->c[i], spare) : 0.0;
            if (most > 0.0 && a * s->c[j] > most) {
                const int e = ilogb(most) - ilogb(a);
                s->c[j] = apply ? ldexp(1.0, e < LEAST ? LEAST : e) : s->c[j];
                changed = true;
            }
        }
    }
    return changed;
}

/* (S3). A loop of equations with a gain above one never settles: some sweeps are enough, as any
 * scales are right. */
static void lower_columns(TmlScales *s, const TmlCsc *A, const double *z)
{
    enum { SWEEPS = 10, SPARE = 20 };
    for (int j = s->equations; j < s->n; ++j) {
        s->r[j] = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            s->r[j] = A->row[p] == j ? tml_modulus(z, p, s->width) : s->r[j];
        }
    }
    if (sweep_columns(s, A, z, SPARE, false)) {
        for (int k = 0; k < SWEEPS && sweep_columns(s, A, z, 1, true); ++k) {
        }
    }
}

void tml_scales_set(TmlScales *s, const TmlCsc *A, const double *z)
{
    set_columns(s, A, z);
    if (s->equations < s->n) {
        lower_columns(s, A, z);
    }
    memset(s->r, 0, (size_t)s->n * sizeof *s->r);
    for (int j = 0; j < s->n; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const int i = A->row[p];
            s->r[i] = fmax(s->r[i], tml_modulus(z, p, s->width) * s->c[j]);
        }
    }
    for (int i = 0; i < s->n; ++i) { // (S2)
        const bool usable = s->r[i] >= DBL_MIN && s->r[i] <= DBL_MAX;
        s->r[i] = usable ? ldexp(1.0, -ilogb(s->r[i])) : 1.0;
    }
}

static inline bool apply(const TmlScales *s, const TmlCsc *A, const double *z, double *x,
                         double *size, const int width)
{
    bool finite = true;
    for (int j = 0; j < s->n; ++j) {
        const double c = s->c[j];
        double sum = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const double r = s->r[A->row[p]];
            for (ptrdiff_t k = (ptrdiff_t)width * p; k < (ptrdiff_t)width * (p + 1); ++k) {
                x[k] = z[k] * c * r;
                sum += fabs(x[k]);
            }
        }
        size[j] = sum;
        finite = finite && sum <= DBL_MAX; // this is false for NaN, too
    }
    return finite;
}

bool tml_scales_apply(const TmlScales *s, const TmlCsc *A, const double *z, double *x, double *size)
{
    return s->width == 1 ? apply(s, A, z, x, size, 1) : apply(s, A, z, x, size, 2);
}

void tml_scales_mul(const TmlScales *s, const double *scale, double *x)
{
    if (s->width == 1) {
        for (int i = 0; i < s->n; ++i) {
            x[i] *= scale[i];
        }
        return;
    }
    for (int i = 0; i < s->n; ++i) {
        x[2 * (ptrdiff_t)i] *= scale[i];
        x[2 * (ptrdiff_t)i + 1] *= scale[i];
    }
}
