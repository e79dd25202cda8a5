/* sparse/arpack.h - eigenvalues of operators that are known by their products, by ARPACK. */
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

/* K v = w M v of symmetric K, definite where v may be, and symmetric M that may be semi-definite:
 * the k smallest w, by the operator inverse = K^-1 and the product with M. 0 < k < dimension, the
 * dimension being that of the space in which M has mass and which `inverse` leads to. start[n] lies
 * in that space and is destroyed. w[k] ascending, vectors[n * k] with V^T M V = 1. */
TML_NODISCARD TmlStatus tml_arpack_smallest(const TmlOperator *inverse, const TmlOperator *mass,
                                            int dimension, int k, double *start, double *w,
                                            double *vectors, TmlError *err);
