/* math/eigen.h - dense eigenvalues and bases, by LAPACK. Matrices are stored by columns. */
#pragma once

#include "base/fail.h"

/* Eigenvalues re + i im and right eigenvectors of A[n * n], which is destroyed. Pairs stand next to
 * each other, the one with positive imaginary part first; vectors[n * n] then holds real and
 * imaginary part of its vector in two columns. */
TML_NODISCARD TmlStatus tml_eigen_general(int n, double *A, double *re, double *im, double *vectors,
                                          TmlError *err);

/* N[n * (n - m)]: an orthonormal basis of what is orthogonal to the m independent columns of
 * A[n * m], which is destroyed. */
TML_NODISCARD TmlStatus tml_null_basis(int n, int m, double *A, double *N, TmlError *err);

/* Replace the basis N[n * k] by one with N^T M N = 1; MN[n * k] = M N is replaced with it. M must
 * be positive definite on the basis (TML_E_SINGULAR). */
TML_NODISCARD TmlStatus tml_basis_orthonormal(int n, int k, double *N, double *MN, TmlError *err);

/* Replace the basis N[n * k] by the one whose rows row[k] are the unit matrix. */
TML_NODISCARD TmlStatus tml_basis_unit_rows(int n, int k, const int *row, double *N, TmlError *err);
