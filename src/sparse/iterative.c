/* sparse/iterative.c - see iterative.h.
 *
 *   (B1)  D B^-1 A D^-1 y = D B^-1 b,  x = D^-1 y      B the blocks of A on the diagonal, D = diag(1 / unit)
 *
 * by sparse/krylov.c. Without friction A is symmetric and few vectors back would do; some more are kept for what
 * friction adds.
 */
#include "sparse/iterative.h"

#include "base/arena.h"
#include "base/fail.h"
#include "sparse/krylov.h"

#include <math.h>
#include <string.h>

enum { MOST = 200, DEPTH = 12 }; // products; vectors that a new one is made orthogonal to

struct TmlIterative {
    TmlArena arena;
    TmlCsc A; /* the pattern is the caller's, the values are our own */
    int n_blocks;
    int *block;
    double *inverse; /* of each block, row major, one behind the other */
    double *unit;
    TmlKrylov krylov;
    double *b, *y, *w; /* n */
};

static TmlStatus fill(TmlIterative *it, const TmlCsc *A, int n_blocks, const int *block,
                      const double *unit, TmlError *err)
{
    const size_t n = (size_t)A->cols;
    size_t entries = 0;
    it->A = *A;
    it->n_blocks = n_blocks;
    TML_NEW(&it->arena, it->A.x, A->start[A->cols]);
    TML_NEW(&it->arena, it->block, n_blocks + 1);
    TML_NEW(&it->arena, it->unit, n);
    TML_NEW(&it->arena, it->b, n);
    TML_NEW(&it->arena, it->y, n);
    TML_NEW(&it->arena, it->w, n);
    memcpy(it->block, block, ((size_t)n_blocks + 1) * sizeof *block);
    memcpy(it->unit, unit, n * sizeof *unit);
    for (int k = 0; k < n_blocks; ++k) {
        const size_t size = (size_t)(block[k + 1] - block[k]);
        TML_ASSERT(size <= TML_BLOCK_MAX);
        entries += size * size;
    }
    TML_NEW(&it->arena, it->inverse, entries);
    return tml_krylov_setup(&it->krylov, &it->arena, A->cols, MOST, DEPTH, err);
}

TmlStatus tml_iterative_create(const TmlCsc *A, int n_blocks, const int *block, const double *unit,
                               TmlIterative **out, TmlError *err)
{
    *out = NULL;
    TmlIterative *it = tml_mem_zalloc(1, sizeof *it);
    if (it == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a linear solver");
    }
    const TmlStatus status = fill(it, A, n_blocks, block, unit, err);
    if (status != TML_OK) {
        tml_iterative_free(it);
        return status;
    }
    *out = it;
    return TML_OK;
}

void tml_iterative_free(TmlIterative *it)
{
    if (it != NULL) {
        tml_arena_free(&it->arena);
        tml_mem_free(it);
    }
}

/* --- blocks --------------------------------------------------------------------------------------- */

/* Inverts a[n * n] in place by Gauss and Jordan with pivots of the column. It returns -1, or a column without one. */
static int invert(double *a, int n)
{
    int row_of[TML_BLOCK_MAX];
    for (int k = 0; k < n; ++k) {
        int p = k;
        for (int i = k + 1; i < n; ++i) {
            p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        }
        const double pivot = a[p * n + k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot)) {
            return k;
        }
        row_of[k] = p;
        for (int j = 0; j < n; ++j) {
            const double swap = a[p * n + j];
            a[p * n + j] = a[k * n + j];
            a[k * n + j] = swap / pivot;
        }
        a[k * n + k] = 1.0 / pivot;
        for (int i = 0; i < n; ++i) {
            const double f = a[i * n + k];
            if (i == k || f == 0.0) {
                continue;
            }
            a[i * n + k] = 0.0;
            for (int j = 0; j < n; ++j) {
                a[i * n + j] -= f * a[k * n + j];
            }
        }
    }
    for (int k = n - 1; k >= 0; --k) { // exchanged rows are exchanged columns of the inverse
        for (int i = 0; i < n && row_of[k] != k; ++i) {
            const double swap = a[i * n + k];
            a[i * n + k] = a[i * n + row_of[k]];
            a[i * n + row_of[k]] = swap;
        }
    }
    return -1;
}

int tml_iterative_take(TmlIterative *it, const TmlCsc *A)
{
    const int *start = A->start, *row = A->row;
    double *to = it->inverse;
    memcpy(it->A.x, A->x, (size_t)start[A->cols] * sizeof *A->x);
    for (int k = 0; k < it->n_blocks; ++k) {
        const int first = it->block[k], n = it->block[k + 1] - first;
        memset(to, 0, (size_t)(n * n) * sizeof *to);
        for (int j = 0; j < n; ++j) {
            for (int p = start[first + j]; p < start[first + j + 1]; ++p) {
                const int i = row[p] - first;
                if (i >= 0 && i < n) {
                    to[i * n + j] = A->x[p];
                }
            }
        }
        const int column = invert(to, n);
        if (column >= 0) {
            return first + column;
        }
        to += n * n;
    }
    return -1;
}

/* to = B^-1 x */
static void precondition(const TmlIterative *it, const double *x, double *to)
{
    const double *inverse = it->inverse;
    for (int k = 0; k < it->n_blocks; ++k) {
        const int first = it->block[k], n = it->block[k + 1] - first;
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int j = 0; j < n; ++j) {
                sum += inverse[i * n + j] * x[first + j];
            }
            to[first + i] = sum;
        }
        inverse += n * n;
    }
}

/* --- solution ------------------------------------------------------------------------------------- */

static bool product(void *user, const double *v, double *w)
{
    const TmlIterative *it = user;
    const TmlCsc *A = &it->A;
    memset(it->w, 0, (size_t)A->cols * sizeof *it->w);
    for (int j = 0; j < A->cols; ++j) {
        const double x = v[j] * it->unit[j];
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            it->w[A->row[p]] += A->x[p] * x;
        }
    }
    precondition(it, it->w, w);
    for (int j = 0; j < A->cols; ++j) {
        w[j] /= it->unit[j];
    }
    return true;
}

int tml_iterative_solve(TmlIterative *it, double accuracy, double *x)
{
    const int n = it->A.cols;
    double square = 0.0;
    precondition(it, x, it->b);
    for (int k = 0; k < n; ++k) {
        it->b[k] /= it->unit[k];
        square += it->b[k] * it->b[k];
    }
    if (!isfinite(square)) {
        return -1;
    }
    const TmlKrylovOut out =
        tml_krylov_solve(&it->krylov, product, it, it->b, accuracy * sqrt(square), it->y);
    if (!out.converged) {
        return -1;
    }
    for (int k = 0; k < n; ++k) {
        x[k] = it->unit[k] * it->y[k];
    }
    return out.iterations;
}

TmlCsc tml_iterative_matrix(const TmlIterative *it)
{
    return it->A;
}

double tml_iterative_product_work(const TmlIterative *it)
{
    // entries, blocks, and the vectors that are kept orthogonal: twice, and once for the directions
    return it->A.start[it->A.cols] + (double)it->A.cols * (TML_BLOCK_MAX + 3.0 * DEPTH / 2.0);
}

double tml_iterative_take_work(const TmlIterative *it)
{
    return it->A.start[it->A.cols] + (double)it->A.cols * TML_BLOCK_MAX * TML_BLOCK_MAX;
}
