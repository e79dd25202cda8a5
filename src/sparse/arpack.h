/* sparse/arpack.h - eigenvalues of operators that are known by their products, by ARPACK. */
#pragma once

#include "base/fail.h"

typedef struct TmlOperator {
    int n;
    void *user;
    void (*apply)(void *user, const double *x, double *y); /* y = A x */
} TmlOperator;

/* Finds the k eigenvalues re + i im of largest magnitude by Arnoldi's method with implicit restarts, 0 < k < dimension - 1. `dimension` is that of
 * the space that contains `start` and that the operator does not leave. Conjugate pairs stay together, so that *found may be
 * k + 1; re and im need room for k + 1 numbers, `vectors` for n * (k + 1), in the form of tml_eigen_general. The n numbers of
 * `start` are destroyed. */
TML_NODISCARD TmlStatus tml_arpack_largest(const TmlOperator *op, int dimension, int k,
                                           double *start, double *re, double *im, double *vectors,
                                           int *found, TmlError *err);

/* Finds the k smallest w of K v = w M v, by the operator inverse = K^-1 and the product with M. K is symmetric, and definite on the space in
 * which vectors may lie; M is symmetric and may be semi-definite. `dimension` is that of the space in which M has mass and to which
 * `inverse` leads, 0 < k < dimension. The n numbers of `start` lie in that space and are destroyed. w gets k numbers in
 * ascending order, `vectors` n * k with V^T M V = 1. */
TML_NODISCARD TmlStatus tml_arpack_smallest(const TmlOperator *inverse, const TmlOperator *mass,
                                            int dimension, int k, double *start, double *w,
                                            double *vectors, TmlError *err);
