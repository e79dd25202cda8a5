/* sparse/arpack.h - the eigenvalues of largest magnitude of an operator, by ARPACK. */
#pragma once

#include "base/fail.h"

typedef struct TmlOperator {
    int n;
    void *user;
    void (*apply)(void *user, const double *x, double *y); /* y = A x */
} TmlOperator;

/* The k eigenvalues re + i im of largest magnitude by Arnoldi's method with implicit restarts, 0 <
 * k < dimension - 1, `dimension` being that of the space that `start` and the operator stay in.
 * Pairs are not torn: *found may be k + 1. start[n]: destroyed. re, im: k + 1; vectors[n * (k + 1)]
 * as tml_eigen_general has them. */
TML_NODISCARD TmlStatus tml_arpack_largest(const TmlOperator *op, int dimension, int k,
                                           double *start, double *re, double *im, double *vectors,
                                           int *found, TmlError *err);
