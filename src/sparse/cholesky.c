/* sparse/cholesky.c - factors of sparse symmetric definite matrices, by CHOLMOD.
 *
 * Supernodal where that pays, in the order with the least fill of those that CHOLMOD tries (METIS
 * where its library has it, else AMD). SuiteSparse takes its memory from its own process-wide hook,
 * which is the caller's to set.
 */
#include "sparse/cholesky.h"

#include "base/available.h"

#include <cholmod.h>

#include <string.h>

/* A pivot below this part of its diagonal entry is rounding: the motion has no stiffness. A chain of
 * 1000 beams that is held at one end still has 1e-10. */
static const double weak_pivot = 1e-13;

/* Columns of right-hand sides that are solved at once: more take memory and no less time. */
enum { COLUMNS_AT_ONCE = 32 };

struct TmlCholesky {
    cholmod_common cc;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E; /* kept by cholmod_l_solve2 from call to call */
    int n;
    double flops;
};

/* The lower triangle in CHOLMOD's own form. NULL: no memory. */
static cholmod_sparse *copy_lower(const TmlCsc *A, cholmod_common *cc)
{
    const size_t entries = (size_t)A->start[A->cols];
    cholmod_sparse *S = cholmod_l_allocate_sparse((size_t)A->rows, (size_t)A->cols, entries, 1, 1,
                                                  -1, CHOLMOD_REAL, cc);
    if (S == NULL) {
        return NULL;
    }
    SuiteSparse_long *start = S->p, *row = S->i;
    for (int j = 0; j <= A->cols; ++j) {
        start[j] = A->start[j];
    }
    for (size_t p = 0; p < entries; ++p) {
        row[p] = A->row[p];
    }
    memcpy(S->x, A->x, entries * sizeof(double));
    return S;
}

/* The pivots of a factor, in its own order: squares of the diagonal of L. */
static void read_pivots(const cholmod_factor *L, double *pivot)
{
    const double *x = L->x;
    if (!L->is_super) {
        const SuiteSparse_long *start = L->p;
        for (size_t k = 0; k < L->n; ++k) {
            const double d = x[start[k]];
            pivot[k] = L->is_ll ? d * d : d;
        }
        return;
    }
    const SuiteSparse_long *super = L->super, *pi = L->pi, *px = L->px;
    for (size_t s = 0; s < L->nsuper; ++s) {
        const SuiteSparse_long rows = pi[s + 1] - pi[s];
        for (SuiteSparse_long k = super[s]; k < super[s + 1]; ++k) {
            const double d = x[px[s] + (k - super[s]) * (rows + 1)];
            pivot[k] = d * d;
        }
    }
}

/* The unknown with the least pivot over its diagonal entry, when that is rounding; -1: none. */
static int weakest(const TmlCholesky *c, const TmlCsc *A, double *pivot)
{
    const SuiteSparse_long *order = c->L->Perm;
    int worst = -1;
    double least = weak_pivot;
    read_pivots(c->L, pivot);
    for (int k = 0; k < c->n; ++k) {
        const int at = (int)order[k];
        const double ratio = pivot[k] / A->x[A->start[at]]; // the diagonal comes first in a column
        if (!(ratio >= least)) {
            least = ratio;
            worst = at;
        }
    }
    return worst;
}

static TmlStatus no_memory(const TmlCholesky *c, TmlError *err)
{
    const double bytes = 8.0 * c->cc.lnz;
    return tml_fail(err, TML_E_NOMEM,
                    "out of memory for the factors of %d unknowns, which take %s; %s are there",
                    c->n, tml_bytes_text(bytes).text,
                    tml_bytes_text((double)tml_memory_available()).text);
}

static TmlStatus singular(int at, int *weak, TmlError *err)
{
    if (weak != NULL) {
        *weak = at;
    }
    return tml_fail(err, TML_E_SINGULAR, "the matrix is not positive definite at unknown %d", at);
}

/* A matrix whose diagonal is not positive throughout needs no factors to be refused. */
static int first_bad_diagonal(const TmlCsc *A)
{
    for (int j = 0; j < A->cols; ++j) {
        const int p = A->start[j];
        if (p == A->start[j + 1] || A->row[p] != j || !(A->x[p] > 0.0)) {
            return j;
        }
    }
    return -1;
}

static TmlStatus factorise(TmlCholesky *c, const TmlCsc *A, cholmod_sparse *S, int *weak,
                           TmlError *err)
{
    c->L = cholmod_l_analyze(S, &c->cc);
    if (c->L == NULL || 8.0 * c->cc.lnz > (double)tml_memory_available()) {
        return no_memory(c, err);
    }
    c->flops = c->cc.fl;
    cholmod_l_factorize(S, c->L, &c->cc);
    if (c->cc.status == CHOLMOD_NOT_POSDEF) {
        const SuiteSparse_long *order = c->L->Perm;
        return singular((int)order[c->L->minor], weak, err);
    }
    if (c->cc.status < CHOLMOD_OK) {
        return no_memory(c, err);
    }
    double *pivot = tml_mem_zalloc((size_t)c->n + 1, sizeof *pivot);
    if (pivot == NULL) {
        return no_memory(c, err);
    }
    const int worst = weakest(c, A, pivot);
    tml_mem_free(pivot);
    return worst < 0 ? TML_OK : singular(worst, weak, err);
}

TmlStatus tml_cholesky_create(const TmlCsc *A, TmlCholesky **out, int *weak, TmlError *err)
{
    *out = NULL;
    const int bad = first_bad_diagonal(A);
    if (bad >= 0) {
        return singular(bad, weak, err);
    }
    TmlCholesky *c = tml_mem_zalloc(1, sizeof *c);
    if (c == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    c->n = A->cols;
    cholmod_l_start(&c->cc);
    c->cc.print = 0; // the library never prints
    cholmod_sparse *S = copy_lower(A, &c->cc);
    TmlStatus status = S != NULL ? factorise(c, A, S, weak, err) : no_memory(c, err);
    cholmod_l_free_sparse(&S, &c->cc);
    if (status != TML_OK) {
        tml_cholesky_free(c);
        return status;
    }
    *out = c;
    return TML_OK;
}

void tml_cholesky_free(TmlCholesky *c)
{
    if (c == NULL) {
        return;
    }
    cholmod_l_free_dense(&c->X, &c->cc);
    cholmod_l_free_dense(&c->Y, &c->cc);
    cholmod_l_free_dense(&c->E, &c->cc);
    cholmod_l_free_factor(&c->L, &c->cc);
    cholmod_l_finish(&c->cc);
    tml_mem_free(c);
}

TmlStatus tml_cholesky_solve(TmlCholesky *c, int columns, const double *B, double *X, TmlError *err)
{
    const size_t n = (size_t)c->n;
    for (int first = 0; first < columns; first += COLUMNS_AT_ONCE) {
        const int left = columns - first;
        const size_t some = (size_t)(left < COLUMNS_AT_ONCE ? left : COLUMNS_AT_ONCE);
        // a view of the caller's columns, which CHOLMOD only reads
        cholmod_dense view = {.nrow = n,
                              .ncol = some,
                              .nzmax = n * some,
                              .d = n,
                              .xtype = CHOLMOD_REAL,
                              .dtype = CHOLMOD_DOUBLE};
        memcpy(&view.x, &(const void *){B + (size_t)first * n}, sizeof view.x);
        if (!cholmod_l_solve2(CHOLMOD_A, c->L, &view, NULL, &c->X, NULL, &c->Y, &c->E, &c->cc)) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for %zu right-hand sides of %d", some,
                            c->n);
        }
        memcpy(X + (size_t)first * n, c->X->x, n * some * sizeof *X);
    }
    return TML_OK;
}

TmlCholeskyInfo tml_cholesky_info(const TmlCholesky *c)
{
    const double entries = c->L->is_super ? (double)c->L->xsize : (double)c->L->nzmax;
    return (TmlCholeskyInfo){.entries = entries, .flops = c->flops, .bytes = 8.0 * entries};
}
