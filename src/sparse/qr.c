/* sparse/qr.c - rank of the rows of A by SuiteSparseQR of A^T.
 *
 * Columns of A^T are taken one after the other; one whose remainder, after the earlier ones are
 * projected out, is shorter than tol is set aside as dependent (Heath's method). SuiteSparse takes
 * its memory from its own process-wide hook, which is the caller's to set.
 */
#include "sparse/qr.h"

#include <SuiteSparseQR_C.h>

/* In the order of the rows the later ones of dependent rows are found, which lie together: those of
 * the joint that closes a loop. In an order with little fill they lie anywhere, far from their
 * loop, and a matrix without them fills up (40 four-bars in a row: 188,000 entries of factors where
 * 12,700 do). Up to the first number of rows the order is kept; up to the second, where rows turn
 * out to be dependent; beyond, little fill of this very factorisation matters more. */
enum { KEEP_ORDER = 500, KEEP_ORDER_DEPENDENT = 20000 };

static void quiet_start(cholmod_common *cc)
{
    cholmod_l_start(cc);
    cc->print = 0; // the library never prints
}

/* Returns the rows of A with keep[i] (NULL: all) as the columns of a matrix, or NULL when memory is
 * out. */
static cholmod_sparse *rows_as_columns(const TmlCsc *A, const bool *keep, cholmod_common *cc)
{
    const size_t rows = (size_t)A->rows;
    SuiteSparse_long *next = tml_mem_zalloc(rows + 1, sizeof *next);
    SuiteSparse_long entries = 0, columns = 0;
    if (next == NULL) {
        return NULL;
    }
    for (int p = 0; p < A->start[A->cols]; ++p) {
        next[A->row[p]]++;
    }
    for (int i = 0; i < A->rows; ++i) { // counts become first places; -1: left out
        const SuiteSparse_long n = next[i];
        const bool kept = keep == NULL || keep[i];
        next[i] = kept ? entries : -1;
        entries += kept ? n : 0;
        columns += kept;
    }
    cholmod_sparse *T = cholmod_l_allocate_sparse((size_t)A->cols, (size_t)columns, (size_t)entries,
                                                  1, 1, 0, CHOLMOD_REAL, cc);
    if (T != NULL) {
        SuiteSparse_long *start = T->p, *row = T->i, k = 0;
        double *x = T->x;
        for (int i = 0; i < A->rows; ++i) {
            if (next[i] >= 0) {
                start[k++] = next[i];
            }
        }
        start[k] = entries;
        for (int j = 0; j < A->cols; ++j) {
            for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
                const int i = A->row[p];
                if (next[i] >= 0) {
                    row[next[i]] = j;
                    x[next[i]++] = A->x[p];
                }
            }
        }
    }
    tml_mem_free(next);
    return T;
}

/* Marks the columns that step down the staircase of R: without exchange (E NULL) the dependent ones
 * stay in their places and reach no new row. */
static void mark_independent(const cholmod_sparse *R, const SuiteSparse_long *E,
                             SuiteSparse_long rank, bool *independent)
{
    const SuiteSparse_long *start = R->p, *row = R->i;
    SuiteSparse_long found = 0;
    for (SuiteSparse_long k = 0; k < (SuiteSparse_long)R->ncol && found < rank; ++k) {
        bool steps = E != NULL; // with exchanges the independent ones come first
        for (SuiteSparse_long p = start[k]; p < start[k + 1] && !steps; ++p) {
            steps = row[p] == found;
        }
        if (steps) {
            independent[E != NULL ? E[k] : k] = true;
            found++;
        }
    }
}

static TmlStatus qr_fail(TmlError *err, const TmlCsc *A)
{
    return tml_fail(err, TML_E_NOMEM, "out of memory for a QR factorisation of %d x %d", A->rows,
                    A->cols);
}

/* Returns the rank in one of the orders of SPQR, or -1 when memory is out, and tells which rows are
 * independent. */
static SuiteSparse_long rank_ordered(cholmod_sparse *T, int ordering, double tol, bool *independent,
                                     cholmod_common *cc)
{
    cholmod_sparse *R = NULL;
    SuiteSparse_long *E = NULL;
    for (size_t i = 0; i < T->ncol; ++i) {
        independent[i] = false;
    }
    const SuiteSparse_long found =
        SuiteSparseQR_C(ordering, tol > 0.0 ? tol : SPQR_DEFAULT_TOL, 0, 0, T, NULL, NULL, NULL,
                        NULL, &R, &E, NULL, NULL, NULL, cc);
    if (found > 0) {
        mark_independent(R, E, found, independent);
    }
    if (E != NULL) {
        cholmod_l_free(T->ncol, sizeof *E, E, cc);
    }
    cholmod_l_free_sparse(&R, cc);
    return found;
}

TmlStatus tml_qr_row_rank(const TmlCsc *A, double tol, bool *independent, int *rank, TmlError *err)
{
    for (int i = 0; i < A->rows; ++i) {
        independent[i] = false;
    }
    *rank = 0;
    if (A->rows == 0 || A->cols == 0) {
        return TML_OK;
    }
    cholmod_common cc;
    quiet_start(&cc);
    cholmod_sparse *T = rows_as_columns(A, NULL, &cc);
    SuiteSparse_long found = -1;
    if (T != NULL) {
        const bool keep = A->rows <= KEEP_ORDER;
        found = rank_ordered(T, keep ? SPQR_ORDERING_FIXED : SPQR_ORDERING_DEFAULT, tol,
                             independent, &cc);
        if (!keep && found >= 0 && found < A->rows && A->rows <= KEEP_ORDER_DEPENDENT) {
            found = rank_ordered(T, SPQR_ORDERING_FIXED, tol, independent, &cc);
        }
    }
    cholmod_l_free_sparse(&T, &cc);
    cholmod_l_finish(&cc);
    *rank = found > 0 ? (int)found : 0;
    return found >= 0 ? TML_OK : qr_fail(err, A);
}

TmlStatus tml_qr_combinations(const TmlCsc *A, const bool *independent, int n, const int *dependent,
                              double *coefficient, TmlError *err)
{
    int n_kept = 0;
    for (int i = 0; i < A->rows; ++i) {
        n_kept += independent[i];
    }
    for (size_t i = 0; i < (size_t)n * (size_t)A->rows; ++i) {
        coefficient[i] = 0.0;
    }
    if (n_kept == 0 || A->cols == 0 || n == 0) {
        return TML_OK;
    }
    cholmod_common cc;
    quiet_start(&cc);
    cholmod_sparse *T = rows_as_columns(A, independent, &cc);
    cholmod_dense *b = cholmod_l_zeros((size_t)A->cols, (size_t)n, CHOLMOD_REAL, &cc), *c = NULL;
    if (T != NULL && b != NULL) {
        double *bx = b->x;
        for (int k = 0; k < n; ++k) {
            for (int j = 0; j < A->cols; ++j) {
                const int p = tml_csc_find(A, dependent[k], j);
                *bx++ = p >= 0 ? A->x[p] : 0.0;
            }
        }
        c = SuiteSparseQR_C_backslash(SPQR_ORDERING_DEFAULT, SPQR_DEFAULT_TOL, T, b, &cc);
    }
    if (c != NULL) {
        const double *cx = c->x;
        for (int k = 0; k < n; ++k, coefficient += A->rows) {
            for (int i = 0; i < A->rows; ++i) {
                coefficient[i] = independent[i] ? *cx++ : 0.0;
            }
        }
    }
    const bool done = c != NULL;
    cholmod_l_free_dense(&c, &cc);
    cholmod_l_free_dense(&b, &cc);
    cholmod_l_free_sparse(&T, &cc);
    cholmod_l_finish(&cc);
    return done ? TML_OK : qr_fail(err, A);
}

TmlStatus tml_qr_combination(const TmlCsc *A, const bool *independent, int dependent,
                             double *coefficient, TmlError *err)
{
    return tml_qr_combinations(A, independent, 1, &dependent, coefficient, err);
}
