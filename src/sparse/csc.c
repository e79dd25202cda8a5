/* sparse/csc.c - patterns collected entry by entry, then sorted once into columns. */
#include "sparse/csc.h"

#include <string.h>

void tml_pattern_init(TmlPattern *p, int rows, int cols)
{
    *p = (TmlPattern){.rows = rows, .cols = cols};
}

bool tml_pattern_add(TmlPattern *p, int row, int col)
{
    TML_ASSERT(row >= 0 && row < p->rows && col >= 0 && col < p->cols);
    int cap_row = p->cap, cap_col = p->cap;
    // after a failure of the second array the first is merely larger than `cap` says
    if (!tml_mem_grow((void **)&p->row, &cap_row, p->n + 1, sizeof *p->row) ||
        !tml_mem_grow((void **)&p->col, &cap_col, p->n + 1, sizeof *p->col)) {
        return false;
    }
    p->cap = cap_col;
    p->row[p->n] = row;
    p->col[p->n] = col;
    p->n++;
    return true;
}

void tml_pattern_free(TmlPattern *p)
{
    tml_mem_free(p->row);
    tml_mem_free(p->col);
    *p = (TmlPattern){.rows = p->rows, .cols = p->cols};
}

/* Sorts the entries by key into order[n]; entries with equal keys stay in the order of `from`
 * (NULL: 0, 1, ...). count[keys + 1] is workspace. */
static void counting_sort(const int *key, const int *from, int n, int keys, int *count, int *order)
{
    memset(count, 0, ((size_t)keys + 1) * sizeof *count);
    for (int k = 0; k < n; ++k) {
        count[key[k] + 1]++;
    }
    for (int k = 0; k < keys; ++k) {
        count[k + 1] += count[k];
    }
    for (int k = 0; k < n; ++k) {
        const int e = from != NULL ? from[k] : k;
        order[count[key[e]]++] = e;
    }
}

/* Makes columns of the sorted entries, without duplicates, and returns how many entries are left.
 * With row NULL it only counts them. */
static int gather(const TmlPattern *p, const int *order, int *start, int *row)
{
    int n = 0, last_row = -1, last_col = -1;
    for (int k = 0; k < p->n; ++k) {
        const int i = p->row[order[k]], j = p->col[order[k]];
        if (i == last_row && j == last_col) {
            continue;
        }
        if (row != NULL) {
            row[n] = i;
            start[j + 1] = n + 1;
        }
        n++;
        last_row = i;
        last_col = j;
    }
    return n;
}

TmlStatus tml_pattern_csc(const TmlPattern *p, TmlArena *arena, TmlCsc *out, TmlError *err)
{
    const int keys = p->rows > p->cols ? p->rows : p->cols;
    TmlArena scratch = {0};
    int *count = tml_arena_alloc(&scratch, (size_t)keys + 1, sizeof *count);
    int *by_row = tml_arena_alloc(&scratch, (size_t)p->n, sizeof *by_row);
    int *order = tml_arena_alloc(&scratch, (size_t)p->n, sizeof *order);
    TmlCsc A = {.rows = p->rows, .cols = p->cols};
    A.start = tml_arena_alloc(arena, (size_t)p->cols + 1, sizeof *A.start);
    if (count != NULL && by_row != NULL && order != NULL && A.start != NULL) {
        // rows are sorted first, as the second sort keeps their order within a column
        counting_sort(p->row, NULL, p->n, p->rows, count, by_row);
        counting_sort(p->col, by_row, p->n, p->cols, count, order);
        const size_t n = (size_t)gather(p, order, A.start, NULL);
        A.row = tml_arena_alloc(arena, n, sizeof *A.row);
        A.x = tml_arena_alloc(arena, n, sizeof *A.x);
    }
    if (A.row == NULL || A.x == NULL) {
        tml_arena_free(&scratch);
        return tml_fail(err, TML_E_NOMEM, "out of memory for a pattern of %d entries", p->n);
    }
    gather(p, order, A.start, A.row);
    for (int j = 0; j < A.cols; ++j) { // columns without entries
        A.start[j + 1] = A.start[j + 1] > A.start[j] ? A.start[j + 1] : A.start[j];
    }
    tml_arena_free(&scratch);
    *out = A;
    return TML_OK;
}

int tml_csc_find(const TmlCsc *A, int row, int col)
{
    int low = A->start[col], high = A->start[col + 1];
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (A->row[mid] < row) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low < A->start[col + 1] && A->row[low] == row ? low : -1;
}

void tml_csc_mul(const TmlCsc *A, const double *x, double *y)
{
    for (int j = 0; j < A->cols; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            y[A->row[p]] += A->x[p] * x[j];
        }
    }
}

void tml_csc_tmul(const TmlCsc *A, const double *x, double *y)
{
    for (int j = 0; j < A->cols; ++j) {
        double sum = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            sum += A->x[p] * x[A->row[p]];
        }
        y[j] += sum;
    }
}

void tml_csc_lower_mul(const TmlCsc *A, int columns, const double *X, double *Y)
{
    const size_t n = (size_t)A->cols;
    for (int c = 0; c < columns; ++c) {
        const double *x = X + (size_t)c * n;
        double *y = Y + (size_t)c * n;
        for (int j = 0; j < A->cols; ++j) {
            double sum = 0.0;
            for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
                const int i = A->row[p];
                y[i] += A->x[p] * x[j];
                sum += i != j ? A->x[p] * x[i] : 0.0;
            }
            y[j] += sum;
        }
    }
}

TmlStatus tml_csc_triplets(int rows, int cols, int n, const int *row, const int *col,
                           const double *x, TmlArena *arena, TmlCsc *out, TmlError *err)
{
    TmlPattern p = {.rows = rows, .cols = cols, .n = n};
    // the pattern only reads its arrays
    memcpy(&p.row, &row, sizeof p.row);
    memcpy(&p.col, &col, sizeof p.col);
    TML_TRY(tml_pattern_csc(&p, arena, out, err));
    for (int k = 0; k < n; ++k) {
        out->x[tml_csc_find(out, row[k], col[k])] += x[k];
    }
    return TML_OK;
}
