/* sparse/zlu.h - sparse LU of complex matrices with a fixed pattern: analyse once, then factor and
 * refactor. Numbers are pairs (real part, imaginary part).
 */
#pragma once

#include "sparse/lu.h"

typedef struct TmlZlu TmlZlu;

/* For matrices with the pattern of A; the values of A are not used. */
TML_NODISCARD TmlStatus tml_zlu_create(const TmlCsc *A, TmlZlu **out, TmlError *err);
void tml_zlu_free(TmlZlu *lu);

void tml_zlu_set_equations(TmlZlu *lu, int first); /* as tml_lu_set_equations */

/* Factor the matrix with the pattern of A and the values z[2 * entries], with pivoting. Returns -1,
 * or the column for which there is no pivot: zero, only rounding left, or not finite (0 also when
 * out of memory). Solve only after a success. */
int tml_zlu_factor(TmlZlu *lu, const TmlCsc *A, const double *z);

/* With the pivots of the last full factorisation when they still serve, else a full one. Allocates
 * nothing on the fast path. */
int tml_zlu_refactor(TmlZlu *lu, const TmlCsc *A, const double *z);

/* Puts the solution in the place of the right side x[2 * n]. */
void tml_zlu_solve(TmlZlu *lu, double *x);

const TmlLuInfo *tml_zlu_info(const TmlZlu *lu);
