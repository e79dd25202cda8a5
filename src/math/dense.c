/* math/dense.c - dense products, systems and symmetric eigenvalues, by BLAS and LAPACK. */
#include "math/dense.h"

#include "base/arena.h"

// LAPACK and BLAS by their Fortran names; lengths of texts come last
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);
void dsygv_(const int *itype, const char *jobz, const char *uplo, const int *n, double *a,
            const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
            int *info, size_t, size_t);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t);

void tml_dense_mul(bool transpose_a, bool transpose_b, int m, int n, int k, double alpha,
                   const double *A, const double *B, double beta, double *C)
{
    const int lda = transpose_a ? k : m, ldb = transpose_b ? n : k;
    if (m > 0 && n > 0) {
        dgemm_(transpose_a ? "T" : "N", transpose_b ? "T" : "N", &m, &n, &k, &alpha, A,
               lda > 0 ? &lda : &m, B, ldb > 0 ? &ldb : &n, &beta, C, &m, 1, 1);
    }
}

TmlStatus tml_eigen_symmetric(int n, double *A, double *B, double *w, int *at, TmlError *err)
{
    const int one = 1, ask = -1;
    int info = 0;
    double best = 0.0;
    if (n == 0) {
        return TML_OK;
    }
    dsygv_(&one, "V", "L", &n, A, &n, B, &n, w, &best, &ask, &info, 1, 1);
    const int size = (int)best;
    double *work = tml_mem_zalloc((size_t)size, sizeof *work);
    if (work == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a dense matrix of order %d", n);
    }
    dsygv_(&one, "V", "L", &n, A, &n, B, &n, w, work, &size, &info, 1, 1);
    tml_mem_free(work);
    if (info > n) {
        if (at != NULL) {
            *at = info - n - 1;
        }
        return tml_fail(err, TML_E_SINGULAR, "a matrix of order %d is not positive definite", n);
    }
    return info == 0 ? TML_OK
                     : tml_fail(err, TML_E_STEP,
                                "the eigenvalues of a matrix of order %d do not converge", n);
}

TmlStatus tml_dense_factor(int n, double *A, int *pivot, TmlError *err)
{
    int info = 0;
    if (n > 0) {
        dgetrf_(&n, &n, A, &n, pivot, &info);
    }
    return info == 0 ? TML_OK
                     : tml_fail(err, TML_E_SINGULAR, "a matrix of order %d is singular", n);
}

void tml_dense_solve(int n, const double *A, const int *pivot, int columns, double *B)
{
    int info = 0;
    if (n > 0 && columns > 0) {
        dgetrs_("N", &n, &columns, A, &n, pivot, B, &n, &info, 1);
    }
}
