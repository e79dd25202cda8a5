/* math/eigen.c - dense eigenvalues and bases, by LAPACK. */
#include "math/eigen.h"

#include "base/arena.h"

#include <string.h>

// LAPACK and BLAS by their Fortran names; lengths of texts come last
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t, size_t);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dormqr_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const double *a, const int *lda, const double *tau, double *c, const int *ldc,
             double *work, const int *lwork, int *info, size_t, size_t);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t, size_t, size_t, size_t);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t);

static TmlStatus no_memory(int n, TmlError *err)
{
    return tml_fail(err, TML_E_NOMEM, "out of memory for a dense matrix of order %d", n);
}

TmlStatus tml_eigen_general(int n, double *A, double *re, double *im, double *vectors,
                            TmlError *err)
{
    const int one = 1, ask = -1;
    int info = 0;
    double best = 0.0, none = 0.0;
    if (n == 0) {
        return TML_OK;
    }
    dgeev_("N", "V", &n, A, &n, re, im, &none, &one, vectors, &n, &best, &ask, &info, 1, 1);
    const int size = (int)best;
    double *work = tml_mem_zalloc((size_t)size, sizeof *work);
    if (work == NULL) {
        return no_memory(n, err);
    }
    dgeev_("N", "V", &n, A, &n, re, im, &none, &one, vectors, &n, work, &size, &info, 1, 1);
    tml_mem_free(work);
    return info == 0 ? TML_OK
                     : tml_fail(err, TML_E_STEP,
                                "the eigenvalues of a matrix of order %d do not converge", n);
}

TmlStatus tml_null_basis(int n, int m, double *A, double *N, TmlError *err)
{
    const int k = n - m, size = 64 * (n + 1);
    int info = 0;
    memset(N, 0, (size_t)n * (size_t)k * sizeof *N);
    for (int j = 0; j < k; ++j) {
        N[(size_t)j * (size_t)n + (size_t)(m + j)] = 1.0;
    }
    if (m == 0 || k == 0) {
        return TML_OK;
    }
    double *work = tml_mem_zalloc((size_t)size + (size_t)m, sizeof *work);
    if (work == NULL) {
        return no_memory(n, err);
    }
    // the last columns of Q are orthogonal to all of A
    double *tau = work + size;
    dgeqrf_(&n, &m, A, &n, tau, work, &size, &info);
    dormqr_("L", "N", &n, &k, &m, A, &n, tau, N, &n, work, &size, &info, 1, 1);
    tml_mem_free(work);
    return TML_OK;
}

TmlStatus tml_basis_orthonormal(int n, int k, double *N, double *MN, TmlError *err)
{
    const double one = 1.0, zero = 0.0;
    int info = 0;
    if (k == 0) {
        return TML_OK;
    }
    double *G = tml_mem_zalloc((size_t)k * (size_t)k, sizeof *G);
    if (G == NULL) {
        return no_memory(k, err);
    }
    // N^T M N = R^T R, then N R^-1
    dgemm_("T", "N", &k, &k, &n, &one, N, &n, MN, &n, &zero, G, &k, 1, 1);
    dpotrf_("U", &k, G, &k, &info, 1);
    if (info == 0) {
        dtrsm_("R", "U", "N", "N", &n, &k, &one, G, &k, N, &n, 1, 1, 1, 1);
        dtrsm_("R", "U", "N", "N", &n, &k, &one, G, &k, MN, &n, 1, 1, 1, 1);
    }
    tml_mem_free(G);
    return info == 0 ? TML_OK
                     : tml_fail(err, TML_E_SINGULAR,
                                "a motion that the constraints allow has no inertia");
}

TmlStatus tml_basis_unit_rows(int n, int k, const int *row, double *N, TmlError *err)
{
    const size_t size = (size_t)k * (size_t)k;
    int info = 0;
    if (k == 0) {
        return TML_OK;
    }
    double *R = tml_mem_zalloc(size + (size_t)k * (size_t)n, sizeof *R);
    int *pivot = tml_mem_zalloc((size_t)k, sizeof *pivot);
    if (R == NULL || pivot == NULL) {
        tml_mem_free(R);
        tml_mem_free(pivot);
        return no_memory(n, err);
    }
    // N R^-1 by R^T X = N^T, R the chosen rows
    double *T = R + size;
    for (int j = 0; j < k; ++j) {
        for (int i = 0; i < k; ++i) {
            R[(size_t)j * (size_t)k + (size_t)i] = N[(size_t)j * (size_t)n + (size_t)row[i]];
        }
        for (int i = 0; i < n; ++i) {
            T[(size_t)i * (size_t)k + (size_t)j] = N[(size_t)j * (size_t)n + (size_t)i];
        }
    }
    dgetrf_(&k, &k, R, &k, pivot, &info);
    if (info == 0) {
        dgetrs_("T", &k, &n, R, &k, pivot, T, &k, &info, 1);
        for (int j = 0; j < k; ++j) {
            for (int i = 0; i < n; ++i) {
                N[(size_t)j * (size_t)n + (size_t)i] = T[(size_t)i * (size_t)k + (size_t)j];
            }
        }
    }
    tml_mem_free(R);
    tml_mem_free(pivot);
    return info == 0 ? TML_OK
                     : tml_fail(err, TML_E_SINGULAR, "the chosen coordinates are not independent");
}
