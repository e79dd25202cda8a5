/* sparse/pivots.c - pivot rows by a left-looking LU of a rectangular matrix.
 *
 *   (V1)  P A = L U,  |l_ik| <= 2:  the first m rows of P A are the pivot rows
 *   (V2)  column k of L and U: L y = a_k solved in the order of the pivots; what is left of y on
 *         rows without a pivot yet is the column of L times its pivot         (Gilbert and Peierls)
 *   (V3)  of the rows that (V1) allows, the one whose last column comes first: later columns then
 *         have least to do with it
 *   (V4)  parts of y below `dropped` of the column are rounding and are left out
 *
 * Only the choice is kept, so (V4) costs nothing and stops a loop of joints where its two branches
 * meet: what moves both alike cancels. The rows that never become pivots are what makes the
 * elimination dear: each takes part in all columns that it is connected to. Where the first columns
 * are those of a tree of joints from its tips on, each finds its pivot in the body that it holds,
 * which no later column of the tree touches, and there is no fill at all. The other columns close
 * loops. They are reduced by the tree all together, since (V3) wants to know where their rows end.
 */
#include "sparse/pivots.h"

#include <math.h>

/* A pivot may be smaller than the largest of its column by this factor for the sake of (V3). */
static const double threshold = 0.5;

/* Pivots below this part of the largest are rounding. */
static const double least_pivot = 1e-13;

static const double dropped_part = 1e-13; // (V4)

/* Columns that grow: those of L, or those of the reduced matrix. */
typedef struct Columns {
    int n, cap;   /* entries, and room for them */
    int *row;     /* cap */
    double *x;    /* cap */
    int *start;   /* one more than columns */
    int n_column; /* so far */
} Columns;

typedef struct Work {
    int rows;
    int *step;         /* rows: column of L whose pivot the row is, -1: none */
    int *last;         /* rows: (V3) */
    double *y;         /* rows: the column at hand */
    bool *touched;     /* rows: has an entry in it */
    int *list, n_list; /* rows that are touched */
    int *heap, n_heap; /* rows with pivots, the least step on top */
    double *pivot;     /* cols: size of the pivot of each */
    int n_done;
    Columns L, rest;
} Work;

/* --- memory ---------------------------------------------------------------------------------- */

static bool columns_reserve(Columns *c, int more)
{
    int cap_x = c->cap;
    if (more > INT32_MAX - c->n) {
        return false;
    }
    return tml_mem_grow((void **)&c->row, &c->cap, c->n + more, sizeof *c->row) &&
           (cap_x == c->cap || tml_mem_grow((void **)&c->x, &cap_x, c->n + more, sizeof *c->x));
}

static bool work_create(Work *w, const TmlCsc *A)
{
    const size_t n = (size_t)A->rows + 1, m = (size_t)A->cols + 1;
    w->rows = A->rows;
    w->step = tml_mem_zalloc(n, sizeof *w->step);
    w->last = tml_mem_zalloc(n, sizeof *w->last);
    w->y = tml_mem_zalloc(n, sizeof *w->y);
    w->touched = tml_mem_zalloc(n, sizeof *w->touched);
    w->list = tml_mem_zalloc(n, sizeof *w->list);
    w->heap = tml_mem_zalloc(n, sizeof *w->heap);
    w->pivot = tml_mem_zalloc(m, sizeof *w->pivot);
    w->L.start = tml_mem_zalloc(m, sizeof *w->L.start);
    w->rest.start = tml_mem_zalloc(m, sizeof *w->rest.start);
    return w->step != NULL && w->last != NULL && w->y != NULL && w->touched != NULL &&
           w->list != NULL && w->heap != NULL && w->pivot != NULL && w->L.start != NULL &&
           w->rest.start != NULL;
}

static void work_free(Work *w)
{
    tml_mem_free(w->step);
    tml_mem_free(w->last);
    tml_mem_free(w->y);
    tml_mem_free(w->touched);
    tml_mem_free(w->list);
    tml_mem_free(w->heap);
    tml_mem_free(w->pivot);
    tml_mem_free(w->L.row);
    tml_mem_free(w->L.x);
    tml_mem_free(w->L.start);
    tml_mem_free(w->rest.row);
    tml_mem_free(w->rest.x);
    tml_mem_free(w->rest.start);
}

/* --- rows with pivots, by the order of these ------------------------------------------------- */

static void heap_push(Work *w, int row)
{
    int k = w->n_heap++;
    while (k > 0 && w->step[w->heap[(k - 1) / 2]] > w->step[row]) {
        w->heap[k] = w->heap[(k - 1) / 2];
        k = (k - 1) / 2;
    }
    w->heap[k] = row;
}

static int heap_pop(Work *w)
{
    const int top = w->heap[0], row = w->heap[--w->n_heap];
    int k = 0;
    for (int child = 1; child < w->n_heap; child = 2 * k + 1) {
        const int other = child + 1;
        child += other < w->n_heap && w->step[w->heap[other]] < w->step[w->heap[child]];
        if (w->step[row] <= w->step[w->heap[child]]) {
            break;
        }
        w->heap[k] = w->heap[child];
        k = child;
    }
    w->heap[k] = row;
    return top;
}

/* --- one column ------------------------------------------------------------------------------ */

static void add(Work *w, int row, double x)
{
    if (!w->touched[row]) {
        w->touched[row] = true;
        w->list[w->n_list++] = row;
        if (w->step[row] >= 0) {
            heap_push(w, row);
        }
    }
    w->y[row] += x;
}

/* Computes the part of a column on rows without a pivot by (V2), in y and list. */
static void solve(Work *w, const int *row, const double *x, int n)
{
    double big = 0.0;
    for (int p = 0; p < n; ++p) {
        big = fmax(big, fabs(x[p]));
        add(w, row[p], x[p]);
    }
    const double small = dropped_part * big; // (V4)
    while (w->n_heap > 0) {
        const int top = heap_pop(w), k = w->step[top];
        const double u = w->y[top];
        for (int p = w->L.start[k]; p < w->L.start[k + 1] && fabs(u) > small; ++p) {
            add(w, w->L.row[p], -u * w->L.x[p]);
        }
    }
    int kept = 0;
    for (int i = 0; i < w->n_list; ++i) {
        const int r = w->list[i];
        if (w->step[r] < 0 && fabs(w->y[r]) > small) {
            w->list[kept++] = r;
        } else {
            w->y[r] = 0.0;
            w->touched[r] = false;
        }
    }
    w->n_list = kept;
}

/* Empties y. */
static void clear(Work *w)
{
    for (int i = 0; i < w->n_list; ++i) {
        w->y[w->list[i]] = 0.0;
        w->touched[w->list[i]] = false;
    }
    w->n_list = 0;
}

/* Chooses the row of the pivot of the column at hand. It returns -1 when there is none. */
static int choose(const Work *w)
{
    double big = 0.0;
    int best = -1;
    for (int i = 0; i < w->n_list; ++i) {
        big = fmax(big, fabs(w->y[w->list[i]]));
    }
    for (int i = 0; i < w->n_list; ++i) {
        const int r = w->list[i];
        if (!(fabs(w->y[r]) >= threshold * big)) { // (V1)
            continue;
        }
        const int sooner = best < 0 ? 1 : w->last[best] - w->last[r]; // (V3)
        const double larger = best < 0 ? 1.0 : fabs(w->y[r]) - fabs(w->y[best]);
        const bool equal = sooner == 0 && larger == 0.0;
        if (sooner > 0 || (sooner == 0 && larger > 0.0) || (equal && r < best)) {
            best = r;
        }
    }
    return best;
}

/* Eliminates the column with these entries. False: out of memory. */
static bool eliminate(Work *w, const int *row, const double *x, int n)
{
    Columns *L = &w->L;
    solve(w, row, x, n);
    const int best = choose(w);
    const double pivot = best >= 0 ? w->y[best] : 0.0;
    const bool ok = columns_reserve(L, w->n_list);
    for (int i = 0; i < w->n_list && ok && best >= 0; ++i) {
        if (w->list[i] != best) {
            L->row[L->n] = w->list[i];
            L->x[L->n++] = w->y[w->list[i]] / pivot;
        }
    }
    if (best >= 0) {
        w->step[best] = w->n_done;
    }
    w->pivot[w->n_done++] = fabs(pivot);
    L->start[++L->n_column] = L->n;
    clear(w);
    return ok;
}

/* Keeps what the tree leaves of a column. */
static bool reduce(Work *w, const int *row, const double *x, int n)
{
    Columns *R = &w->rest;
    solve(w, row, x, n);
    const bool ok = columns_reserve(R, w->n_list);
    for (int i = 0; i < w->n_list && ok; ++i) {
        R->row[R->n] = w->list[i];
        R->x[R->n++] = w->y[w->list[i]];
    }
    R->start[++R->n_column] = R->n;
    clear(w);
    return ok;
}

/* --- all ------------------------------------------------------------------------------------- */

/* Finds the last column of each row, for (V3), when columns come in this order. */
static void set_last(Work *w, const int *start, const int *row, int n)
{
    for (int r = 0; r < w->rows; ++r) {
        w->last[r] = -1;
    }
    for (int j = 0; j < n; ++j) {
        for (int p = start[j]; p < start[j + 1]; ++p) {
            w->last[row[p]] = j;
        }
    }
}

static bool factor(Work *w, const TmlCsc *A, int n_first)
{
    bool ok = true;
    for (int r = 0; r < w->rows; ++r) {
        w->step[r] = -1;
    }
    set_last(w, A->start, A->row, n_first);
    for (int j = 0; j < n_first && ok; ++j) {
        const int at = A->start[j];
        ok = eliminate(w, A->row + at, A->x + at, A->start[j + 1] - at);
    }
    for (int j = n_first; j < A->cols && ok; ++j) {
        const int at = A->start[j];
        ok = reduce(w, A->row + at, A->x + at, A->start[j + 1] - at);
    }
    const Columns *R = &w->rest;
    if (ok && R->n_column > 0) {
        set_last(w, R->start, R->row, R->n_column);
    }
    for (int j = 0; j < R->n_column && ok; ++j) {
        const int at = R->start[j];
        ok = eliminate(w, R->row + at, R->x + at, R->start[j + 1] - at);
    }
    return ok;
}

/* Returns a column without a pivot, or -1. */
static int without_pivot(const Work *w)
{
    double big = 0.0;
    for (int k = 0; k < w->n_done; ++k) {
        big = fmax(big, w->pivot[k]);
    }
    for (int k = 0; k < w->n_done; ++k) {
        if (!(w->pivot[k] > least_pivot * big)) {
            return k;
        }
    }
    return -1;
}

TmlStatus tml_pivot_rows(const TmlCsc *A, int n_first, bool *pivot, int *missing, TmlError *err)
{
    Work w = {0};
    const bool done = work_create(&w, A) && factor(&w, A, n_first);
    *missing = done ? without_pivot(&w) : -1;
    for (int k = 0; k < A->rows; ++k) {
        pivot[k] = done && w.step[k] >= 0;
    }
    work_free(&w);
    return done ? TML_OK
                : tml_fail(err, TML_E_NOMEM, "out of memory for the pivots of %d x %d", A->rows,
                           A->cols);
}
