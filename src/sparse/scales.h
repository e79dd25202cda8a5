/* sparse/scales.h - row and column scales of saddle-point matrices, real or complex. */
#pragma once

#include "sparse/csc.h"

#include <math.h>
#include <stddef.h>

typedef struct TmlScales {
    int n;
    int width;     /* doubles a number: 1 real, 2 complex (real part, imaginary part) */
    int equations; /* first of the unknowns that have an equation each, y_i - f(...) = 0; n: none */
    double *r, *c; /* n: of rows, of columns; powers of two */
} TmlScales;

/* Choose the scales for the matrix with the pattern of A and the values z[width * entries], all
 * finite. */
void tml_scales_set(TmlScales *s, const TmlCsc *A, const double *z);

/* Scaled matrix x and the sum of magnitudes of each of its columns, size[n]. False: one of the
 * numbers is not finite. */
bool tml_scales_apply(const TmlScales *s, const TmlCsc *A, const double *z, double *x,
                      double *size);

/* x[width * n] times the scales of the rows or of the columns. */
void tml_scales_mul(const TmlScales *s, const double *scale, double *x);

/* Magnitude of number k of z: |x + i y| is taken as |x| + |y|, which is at most a factor 1.5 off.
 */
static inline double tml_modulus(const double *z, ptrdiff_t k, int width)
{
    return width == 1 ? fabs(z[k]) : fabs(z[2 * k]) + fabs(z[2 * k + 1]);
}
