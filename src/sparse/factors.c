/* sparse/factors.c - LU by KLU, with the choices that mechanisms need.
 *
 * The matrices are saddle points, [M J^T; J 0] and relatives. Two things decide the cost: the
 * scales (sparse/scales.c), set by a full factorisation and kept by the fast ones, and the
 * ordering.
 *
 * Ordering. The first factorisation tries several plans, AMD or COLAMD, with and without block
 * triangular form, and keeps the one with least fill. AMD counts on pivots on the diagonal; where
 * many are missing its fill can grow without bound, so such a plan is left out. COLAMD without
 * blocks is safe under any row exchange, hence always tried, and first.
 *
 * Pivots are judged against their column of the scaled matrix, s_k = sum_i |a_ik|:
 *   (P1)  |u_kk| <= NOISE eps s_k / growth       no pivot: rounding is all that is left
 *   (P2)  |u_kk| / s_k < SHRINK (same at the last full factorisation)     choose pivots again
 * (P2) is the watch on the fast path: it reads n numbers, while the growth of U itself would cost
 * as much as the factorisation.
 *
 * KLU takes its memory from SuiteSparse's own process-wide hook, which is the caller's to set.
 */
#include "sparse/factors.h"

#include <float.h>

static const double NOISE = 32.0;        // pivots are sums of a few products
static const double GROWTH_NOISE = 1e-4; // (P1) never calls pivots above 1e-10 noise
static const double GROWTH_LOSS = 0.05;  // less fill is not worth more than a digit
static const double GROWTH_DROP = 1e-2;  // two digits less than at the choice: choose again
static const double SHRINK = 1e-3;       // KLU's own threshold pivoting gives away as much
static const double WEAK_SHARE = 0.02;   // missing diagonals that AMD bears, measured on chains
static const double BTF_WORK = 10.0;     // bound on matching, in passes over the matrix
static const double MORE = 1.5; // entries, as many times as those that a plan was chosen for

/* Finds a column of the matrix as given that is not finite, or returns -1: scales may hide or make
 * one. */
static int bad_column(const TmlCsc *A, const double *z, int width)
{
    for (int j = 0; j < A->cols; ++j) {
        const ptrdiff_t end = (ptrdiff_t)width * A->start[j + 1];
        for (ptrdiff_t k = (ptrdiff_t)width * A->start[j]; k < end; ++k) {
            if (!isfinite(z[k])) {
                return j;
            }
        }
    }
    return -1;
}

/* --- full factorisation ------------------------------------------------------------------- */

/* Counts the pivots on the diagonal of the permuted matrix that are zero and stay so, as nothing
 * that is eliminated before them can fill them. */
static int weak_diagonals(TmlLuFactors *f, const TmlCsc *A, const klu_symbolic *s, double tol)
{
    for (int k = 0; k < f->n; ++k) {
        f->position[s->P[k]] = k;
    }
    int weak = 0;
    for (int k = 0; k < f->n; ++k) {
        const int j = s->Q[k];
        bool serves = false;
        for (int p = A->start[j]; p < A->start[j + 1] && !serves; ++p) {
            serves = f->position[A->row[p]] <= k &&
                     tml_modulus(f->x, p, f->klu->width) > tol * f->size[j];
        }
        weak += !serves;
    }
    return weak;
}

/* Tells whether a plan is worth a try. `best` is the fill of the best plan so far, or negative. */
static bool plan_allowed(TmlLuFactors *f, const TmlCsc *A, const TmlFactorPlan *plan, double best)
{
    enum { SMALL = 1000 }; // even dense factors of this size are cheap
    if (plan->symbolic == NULL) {
        return false;
    }
    if (plan->common.ordering != 0 || best < 0.0) {
        return true;
    }
    if (plan->symbolic->lnz + plan->symbolic->unz > 2.0 * best) {
        return false;
    }
    return f->n <= SMALL ||
           weak_diagonals(f, A, plan->symbolic, plan->common.tol) <= WEAK_SHARE * f->n;
}

/* Returns the ratio |u_kk| / s_k up to which (P1) takes a pivot for rounding. */
static double pivot_noise(double growth)
{
    return NOISE * DBL_EPSILON / fmin(1.0, fmax(growth, GROWTH_NOISE));
}

/* Returns the first column whose pivot is noise by (P1), or -1, and sets rcond. */
static int pivots_check(TmlLuFactors *f, const TmlFactorPlan *plan, const klu_numeric *num,
                        double growth)
{
    const double *u = num->Udiag;
    const double noise = pivot_noise(growth);
    f->info.rcond = 1.0;
    for (int k = 0; k < f->n; ++k) {
        const int j = plan->symbolic->Q[k];
        const double ratio = tml_modulus(u, k, f->klu->width) / f->size[j];
        if (!(ratio > noise)) {
            f->info.rcond = 0.0;
            return j;
        }
        f->info.rcond = fmin(f->info.rcond, ratio);
    }
    return -1;
}

/* Factor with one plan. Returns -1 and *out, or the column without pivot and NULL. */
static int plan_factor(TmlLuFactors *f, const TmlCsc *A, TmlFactorPlan *plan, klu_numeric **out,
                       double *growth)
{
    *out = NULL;
    klu_numeric *num = f->klu->factor(A->start, A->row, f->x, plan->symbolic, &plan->common);
    if (num == NULL) {
        const int column = plan->common.singular_col;
        f->info.out_of_memory |= plan->common.status == KLU_OUT_OF_MEMORY;
        return column >= 0 && column < f->n ? column : 0; // 0: KLU is out of memory
    }
    f->klu->rgrowth(A->start, A->row, f->x, plan->symbolic, num, &plan->common);
    *growth = plan->common.rgrowth;
    const int column = pivots_check(f, plan, num, *growth);
    if (column >= 0) {
        f->klu->free_numeric(&num, &plan->common);
        return column;
    }
    *out = num;
    return -1;
}

static void numeric_drop(TmlLuFactors *f)
{
    if (f->numeric != NULL) {
        f->klu->free_numeric(&f->numeric, &f->plan[f->chosen].common);
    }
}

static double fill_of(const klu_numeric *num)
{
    return (double)num->lnz + (double)num->unz + (double)num->nzoff;
}

/* Analyse one plan; leaves symbolic NULL when it does not suit the pattern. False: out of memory.
 */
static bool plan_analyse(TmlFactorPlan *plan, const TmlCsc *A, int ordering, int btf, double tol)
{
    klu_defaults(&plan->common);
    plan->common.ordering = ordering; // 0: AMD, 1: COLAMD
    plan->common.btf = btf;
    plan->common.tol = tol;
    plan->common.maxwork = BTF_WORK;
    plan->common.scale = -1; // the matrix has our own scales
    plan->symbolic = klu_analyze(A->cols, A->start, A->row, &plan->common);
    // an incomplete matching, be it for lack of work, would make a regular matrix look singular
    if (plan->symbolic != NULL && btf && plan->common.structural_rank < A->cols) {
        klu_free_symbolic(&plan->symbolic, &plan->common);
    }
    return plan->symbolic != NULL || plan->common.status != KLU_OUT_OF_MEMORY;
}

/* Analyses the plans that have not been analysed yet, or one of them. */
static void plans_analyse(TmlLuFactors *f, const TmlCsc *A, int only)
{
    // Saddle points with definite M need no exchanges when M comes first, whatever the pivot's
    // size; the loose tolerance keeps the symmetric order, and the growth is checked.
    static const struct {
        int ordering, btf;
        double tol;
    } kind[TML_FACTOR_PLANS] = {{1, 0, 1e-3}, {0, 0, 1e-6}, {0, 1, 1e-3}, {1, 1, 1e-3}};
    for (int k = 0; k < f->klu->plans; ++k) {
        if (f->plan[k].symbolic == NULL && (only < 0 || k == only)) {
            f->info.analyses++;
            f->info.out_of_memory |=
                !plan_analyse(&f->plan[k], A, kind[k].ordering, kind[k].btf, kind[k].tol);
        }
    }
}

/* The plans that were not chosen are analysed again should they ever be wanted. */
static void plans_drop(TmlLuFactors *f, int but)
{
    for (int k = 0; k < f->klu->plans; ++k) {
        if (k != but && f->plan[k].symbolic != NULL) {
            klu_free_symbolic(&f->plan[k].symbolic, &f->plan[k].common);
        }
    }
}

/* Tries all plans and keeps the one with least fill among those that lose few digits. */
static int plans_try(TmlLuFactors *f, const TmlCsc *A)
{
    int column = -1;
    double fill = -1.0;
    plans_analyse(f, A, -1);
    f->chosen = -1;
    for (int k = 0; k < f->klu->plans; ++k) {
        TmlFactorPlan *plan = &f->plan[k];
        klu_numeric *num;
        double growth = 0.0;
        if (!plan_allowed(f, A, plan, fill)) {
            continue;
        }
        const int bad = plan_factor(f, A, plan, &num, &growth);
        column = bad >= 0 && column < 0 ? bad : column; // the first plan has the safest pivots
        if (num == NULL) {
            continue;
        }
        const bool sparser = fill_of(num) < fill && growth >= GROWTH_LOSS * f->growth;
        if (f->numeric == NULL || sparser || GROWTH_LOSS * growth > f->growth) {
            numeric_drop(f);
            f->chosen = k;
            f->numeric = num;
            f->growth = f->growth_chosen = growth;
            f->entries_chosen = f->nnz;
            fill = fill_of(num);
        } else {
            f->klu->free_numeric(&num, &plan->common);
        }
    }
    plans_drop(f, f->chosen);
    return f->numeric != NULL ? -1 : column >= 0 ? column : 0; // 0: out of memory
}

/* Factors with the plan of a pattern that was nearly the same. It returns false when that does not serve. */
static bool preferred_factor(TmlLuFactors *f, const TmlCsc *A)
{
    const TmlLuPlan p = f->preferred;
    f->preferred = tml_lu_no_plan;
    if (p.ordering < 0 || p.ordering >= f->klu->plans || f->nnz > MORE * p.entries ||
        MORE * f->nnz < p.entries) {
        return false;
    }
    plans_analyse(f, A, p.ordering);
    if (f->plan[p.ordering].symbolic == NULL) {
        return false;
    }
    plan_factor(f, A, &f->plan[p.ordering], &f->numeric, &f->growth);
    if (f->numeric == NULL) {
        return false;
    }
    f->chosen = p.ordering;
    f->growth_chosen = p.growth;
    f->entries_chosen = p.entries;
    if (f->growth < GROWTH_DROP * p.growth) {
        numeric_drop(f);
    }
    return f->numeric != NULL;
}

void tml_lu_factors_predict(TmlLuFactors *f, const TmlCsc *A, double *multiplications,
                            double *entries)
{
    enum { AMD = 1 }; // counts on pivots on the diagonal, and knows the fill without any
    plans_analyse(f, A, AMD);
    const klu_symbolic *s = f->plan[AMD].symbolic;
    *multiplications = s != NULL ? 0.5 * s->est_flops : HUGE_VAL;
    *entries = s != NULL ? s->lnz + s->unz : HUGE_VAL;
}

static void factor_note(TmlLuFactors *f)
{
    const TmlFactorPlan *plan = &f->plan[f->chosen];
    const double *u = f->numeric->Udiag;
    pivots_check(f, plan, f->numeric, f->growth);
    for (int k = 0; k < f->n; ++k) {
        f->ratio[k] = SHRINK * tml_modulus(u, k, f->klu->width) / f->size[plan->symbolic->Q[k]];
    }
    f->info.lnz = f->numeric->lnz;
    f->info.unz = f->numeric->unz;
}

/* Factors with the chosen plan. It returns false when that does not serve any more. */
static bool chosen_factor(TmlLuFactors *f, const TmlCsc *A)
{
    plan_factor(f, A, &f->plan[f->chosen], &f->numeric, &f->growth);
    if (f->numeric != NULL && f->growth < GROWTH_DROP * f->growth_chosen) {
        numeric_drop(f); // the values have moved away from those it was chosen for
    }
    return f->numeric != NULL;
}

static bool factors_allocate(TmlLuFactors *f)
{
    const size_t n = (size_t)f->n, entries = (size_t)f->nnz * (size_t)f->klu->width;
    f->scales.r = tml_mem_zalloc(n, sizeof *f->scales.r);
    f->scales.c = tml_mem_zalloc(n, sizeof *f->scales.c);
    f->x = tml_mem_zalloc(entries, sizeof *f->x);
    f->size = tml_mem_zalloc(n, sizeof *f->size);
    f->ratio = tml_mem_zalloc(n, sizeof *f->ratio);
    f->position = tml_mem_zalloc(n, sizeof *f->position);
    return f->scales.r != NULL && f->scales.c != NULL && f->x != NULL && f->size != NULL &&
           f->ratio != NULL && f->position != NULL;
}

int tml_lu_factors_full(TmlLuFactors *f, const TmlCsc *A, const double *z)
{
    TML_ASSERT(A->rows == f->n && A->cols == f->n && A->start[f->n] == f->nnz);
    f->info.factors++;
    f->info.out_of_memory = false;
    numeric_drop(f);
    if (f->n == 0) {
        return -1;
    }
    if (f->size == NULL && !factors_allocate(f)) {
        f->info.out_of_memory = true;
        f->info.rcond = 0.0;
        tml_lu_factors_clear(f); // all of it, or none
        return 0;
    }
    int column = bad_column(A, z, f->klu->width);
    if (column < 0) {
        tml_scales_set(&f->scales, A, z);
        (void)tml_scales_apply(&f->scales, A, z, f->x, f->size);
        const bool known = f->chosen >= 0 ? chosen_factor(f, A) : preferred_factor(f, A);
        column = known ? -1 : plans_try(f, A);
    }
    if (column >= 0) {
        f->info.rcond = 0.0;
        return column;
    }
    f->info.out_of_memory = false; // for one plan only
    factor_note(f);
    return -1;
}

/* --- fast path ---------------------------------------------------------------------------- */

/* Tells by (P1) and (P2) whether the pivots of the last full factorisation still serve, and sets
 * rcond. */
static inline bool pivots_serve(TmlLuFactors *f, const int width)
{
    const int *Q = f->plan[f->chosen].symbolic->Q;
    const double *u = f->numeric->Udiag;
    const double noise = pivot_noise(f->growth);
    double smallest = 1.0;
    bool serve = true;
    for (int k = 0; k < f->n; ++k) {
        const double size = f->size[Q[k]], pivot = tml_modulus(u, k, width);
        serve = serve && pivot >= f->ratio[k] * size && pivot > noise * size; // not for NaN
        smallest = pivot < smallest * size ? pivot / size : smallest;
    }
    f->info.rcond = smallest;
    return serve;
}

int tml_lu_factors_fast(TmlLuFactors *f, const TmlCsc *A, const double *z)
{
    TML_ASSERT(A->rows == f->n && A->cols == f->n && A->start[f->n] == f->nnz);
    if (f->numeric == NULL) {
        return tml_lu_factors_full(f, A, z);
    }
    TmlFactorPlan *plan = &f->plan[f->chosen];
    if (tml_scales_apply(&f->scales, A, z, f->x, f->size) &&
        f->klu->refactor(A->start, A->row, f->x, plan->symbolic, f->numeric, &plan->common) &&
        plan->common.status == KLU_OK &&
        (f->klu->width == 1 ? pivots_serve(f, 1) : pivots_serve(f, 2))) {
        f->info.refactors++;
        return -1;
    }
    return tml_lu_factors_full(f, A, z);
}

void tml_lu_factors_solve(TmlLuFactors *f, double *x)
{
    f->info.solves++;
    if (f->n == 0) {
        return;
    }
    TML_ASSERT(f->numeric != NULL);
    TmlFactorPlan *plan = &f->plan[f->chosen];
    tml_scales_mul(&f->scales, f->scales.r, x);
    f->klu->solve(plan->symbolic, f->numeric, f->n, 1, x, &plan->common);
    tml_scales_mul(&f->scales, f->scales.c, x);
}

/* --- life --------------------------------------------------------------------------------- */

TmlStatus tml_lu_factors_init(TmlLuFactors *f, const TmlKlu *klu, const TmlCsc *A, TmlError *err)
{
    *f = (TmlLuFactors){.klu = klu, .chosen = -1, .preferred = {-1, 0, 0.0}};
    if (A->rows != A->cols) {
        return tml_fail(err, TML_E_INTERNAL, "LU of a matrix with %d rows and %d columns", A->rows,
                        A->cols);
    }
    f->n = A->cols;
    f->nnz = A->start[A->cols];
    f->scales = (TmlScales){.n = f->n, .width = klu->width, .equations = f->n};
    if (!factors_allocate(f)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a factorisation of %d unknowns", f->n);
    }
    return TML_OK;
}

void tml_lu_factors_clear(TmlLuFactors *f)
{
    numeric_drop(f);
    plans_drop(f, -1);
    f->chosen = -1;
    double **const array[] = {&f->scales.r, &f->scales.c, &f->x, &f->size, &f->ratio};
    for (size_t k = 0; k < sizeof array / sizeof *array; ++k) {
        tml_mem_free(*array[k]);
        *array[k] = NULL;
    }
    tml_mem_free(f->position);
    f->position = NULL;
}
