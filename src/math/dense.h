/* math/dense.h - dense products, systems and symmetric eigenvalues, by BLAS and LAPACK. Matrices are
 * stored by columns, without gaps. */
#pragma once

#include "base/fail.h"

/* C[m * n] = alpha op(A) op(B) + beta C, op the transpose where it is asked for; k: the inner size. */
void tml_dense_mul(bool transpose_a, bool transpose_b, int m, int n, int k, double alpha,
                   const double *A, const double *B, double beta, double *C);

/* A v = w B v of symmetric A[n * n] and symmetric, definite B[n * n], both destroyed: eigenvalues
 * w[n] ascending, vectors in A with V^T B V = 1.
 *   TML_E_SINGULAR  B is not definite; *at: the first leading minor that is not (at may be NULL) */
TML_NODISCARD TmlStatus tml_eigen_symmetric(int n, double *A, double *B, double *w, int *at,
                                            TmlError *err);

/* A[n * n] becomes its factors with pivots in pivot[n].
 *   TML_E_SINGULAR */
TML_NODISCARD TmlStatus tml_dense_factor(int n, double *A, int *pivot, TmlError *err);
/* B[n * columns] becomes A^-1 B. */
void tml_dense_solve(int n, const double *A, const int *pivot, int columns, double *B);
