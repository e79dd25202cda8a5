/* sparse/pivots.c - pivot rows by UMFPACK, which factors rectangular matrices.
 *
 *   (V1)  P A Q = L U,  |l_ik| <= 2:  the first m rows of P A are the pivot rows
 *
 * UMFPACK takes its memory from SuiteSparse's own process-wide hook, which is the caller's to set.
 */
#include "sparse/pivots.h"

#include <math.h>
#include <umfpack.h>

/* A pivot may be smaller than the largest of its column by this factor for the sake of sparsity. */
static const double threshold = 0.5;

/* Pivots below this part of the largest are rounding. */
static const double nothing = 1e-13;

static void controls(double *control)
{
    umfpack_di_defaults(control);
    control[UMFPACK_PRL] = 0.0; // the library never prints
    control[UMFPACK_PIVOT_TOLERANCE] = threshold;
    control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
    control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    control[UMFPACK_SINGLETONS] = 0.0; // they are taken whatever their size
    control[UMFPACK_FIXQ] = 0.0;
}

/* Column without a pivot among the m pivots d in the order q of columns, or -1. */
static int without_pivot(const double *d, const int *q, int m)
{
    double big = 0.0;
    for (int k = 0; k < m; ++k) {
        big = fmax(big, fabs(d[k]));
    }
    for (int k = 0; k < m; ++k) {
        if (!(fabs(d[k]) > nothing * big)) {
            return q[k];
        }
    }
    return -1;
}

static bool factor(const TmlCsc *A, void **numeric)
{
    double control[UMFPACK_CONTROL];
    void *symbolic = NULL;
    controls(control);
    int status =
        umfpack_di_symbolic(A->rows, A->cols, A->start, A->row, A->x, &symbolic, control, NULL);
    if (status == UMFPACK_OK) {
        status = umfpack_di_numeric(A->start, A->row, A->x, symbolic, numeric, control, NULL);
    }
    umfpack_di_free_symbolic(&symbolic);
    return status == UMFPACK_OK || status == UMFPACK_WARNING_singular_matrix;
}

TmlStatus tml_pivot_rows(const TmlCsc *A, bool *pivot, int *missing, TmlError *err)
{
    const int n = A->rows, m = A->cols;
    void *numeric = NULL;
    int no_scale = 0;
    *missing = -1;
    for (int k = 0; k < n; ++k) {
        pivot[k] = false;
    }
    if (m == 0) {
        return TML_OK;
    }
    int *order = tml_mem_zalloc((size_t)n + (size_t)m, sizeof *order);
    double *d = tml_mem_zalloc((size_t)m, sizeof *d);
    bool done = order != NULL && d != NULL && factor(A, &numeric);
    if (done) {
        done = umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, order, order + n, d,
                                      &no_scale, NULL, numeric) == UMFPACK_OK;
    }
    if (done) {
        for (int k = 0; k < m; ++k) {
            pivot[order[k]] = true;
        }
        *missing = without_pivot(d, order + n, m);
    }
    umfpack_di_free_numeric(&numeric);
    tml_mem_free(order);
    tml_mem_free(d);
    return done ? TML_OK
                : tml_fail(err, TML_E_NOMEM, "out of memory for the pivots of %d x %d", n, m);
}
