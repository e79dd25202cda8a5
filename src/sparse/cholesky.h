/* sparse/cholesky.h - factors of sparse symmetric definite matrices, by CHOLMOD. */
#pragma once

#include "base/fail.h"
#include "sparse/csc.h"

typedef struct TmlCholesky TmlCholesky;

typedef struct TmlCholeskyInfo {
    double entries; /* of the factor */
    double flops;   /* to make it */
    double bytes;   /* that it holds */
} TmlCholeskyInfo;

/* Factors of A, of which the lower triangle is given. *weak: on TML_E_SINGULAR the unknown whose
 * pivot is not positive, or lost in rounding; weak may be NULL.
 *   TML_E_SINGULAR  A is not definite
 *   TML_E_NOMEM     with what was needed and what there is */
TML_NODISCARD TmlStatus tml_cholesky_create(const TmlCsc *A, TmlCholesky **out, int *weak,
                                            TmlError *err);
void tml_cholesky_free(TmlCholesky *c); /* NULL is fine */

/* X[n * columns] = A^-1 B; X may be B. */
TML_NODISCARD TmlStatus tml_cholesky_solve(TmlCholesky *c, int columns, const double *B, double *X,
                                           TmlError *err);

TmlCholeskyInfo tml_cholesky_info(const TmlCholesky *c);
