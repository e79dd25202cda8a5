/* sparse/lu.c - LU by KLU, with the choices that mechanisms need.
 *
 * The matrices are saddle points, [M J^T; J 0] and relatives. Two things decide the cost.
 *
 * Ordering. The first factorisation tries four plans, AMD or COLAMD, with and without block
 * triangular form, and keeps the one with least fill. AMD counts on pivots on the
 * diagonal; where many are missing its fill can grow without bound, so such a plan is left out.
 * COLAMD without blocks is safe under any row exchange, hence always tried, and first.
 *
 * Scaling. Row and column scales are powers of two, so that they cost no rounding:
 *   (S1)  c_j = median a_kk / median max_i |a_ik|     for columns without a positive diagonal
 * (those of multipliers, whose diagonal is zero or a small negative number), else 1 (S2)  r_i = 1 /
 * max_j |a_ij| c_j (S1) brings J^T to the size of M. Without it a light mechanism has its
 * multipliers as pivots, and AMD's fill on a chain grows quadratically; with it the units do not
 * matter. Both are set by a full factorisation and kept by the fast ones.
 *
 * Pivots are judged against their column of the scaled matrix, s_k = sum_i |a_ik|:
 *   (P1)  |u_kk| <= NOISE eps s_k / growth       no pivot: rounding is all that is left
 *   (P2)  |u_kk| / s_k < SHRINK (same at the last full factorisation)     choose pivots again
 * (P2) is the watch on the fast path: it reads n numbers, while the growth of U itself would cost
 * as much as the factorisation.
 *
 * KLU takes its memory from SuiteSparse's own process-wide hook, which is the caller's to set.
 */
#include "sparse/lu.h"

#include <float.h>
#include <klu.h>
#include <math.h>
#include <string.h>

enum { PLANS = 4, EXPONENTS = 2200, EXPONENT_ZERO = 1100 };

static const double NOISE = 32.0;        // pivots are sums of a few products
static const double GROWTH_NOISE = 1e-4; // (P1) never calls pivots above 1e-10 noise
static const double GROWTH_LOSS =
    0.05; // fill is no reason to lose more than a digit to another plan
static const double GROWTH_DROP = 1e-2; // two digits below those of the choice: choose again
static const double SHRINK = 1e-3;      // as much as KLU's own threshold pivoting gives away
static const double WEAK_SHARE = 0.02;  // missing diagonals that AMD bears, measured on chains
static const double BTF_WORK = 10.0;    // bound on matching, in passes over the matrix

typedef struct Plan {
    klu_common common;
    klu_symbolic *symbolic; // NULL: not usable for this pattern
} Plan;

struct TmlLu {
    int n, nnz;
    Plan plan[PLANS];
    int chosen;           // plan in use, -1: none yet
    klu_numeric *numeric; // of the chosen plan, NULL: none
    double growth;        // min over columns of max |a| / max |u|, of the last full factorisation
    double growth_chosen; // when the plan was chosen
    double *r, *c;        // n: scales (S1), (S2)
    double *x;            // nnz: the scaled matrix
    double *size;         // n: s_k
    double *ratio;        // n: |u_kk| / s_k of the last full factorisation, by pivots
    int *position;        // n: workspace of weak_diagonals
    TmlLuInfo info;
};

/* --- scaling ------------------------------------------------------------------------------ */

static double power2(double x)
{
    return ldexp(1.0, ilogb(x));
}

/* Exponent that half of the counted ones do not exceed. */
static int median_exponent(const int *count, int total)
{
    int seen = 0;
    for (int e = 0; e < EXPONENTS; ++e) {
        seen += count[e];
        if (2 * seen >= total) {
            return e - EXPONENT_ZERO;
        }
    }
    return 0;
}

/* (S1): sets c. */
static void scale_columns(TmlLu *lu, const TmlCsc *A)
{
    int diagonal[EXPONENTS] = {0}, coupling[EXPONENTS] = {0}, n_diagonal = 0, n_coupling = 0;
    for (int j = 0; j < lu->n; ++j) {
        double a_jj = 0.0, largest = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            a_jj = A->row[p] == j ? A->x[p] : a_jj;
            largest = fmax(largest, fabs(A->x[p]));
        }
        lu->c[j] = a_jj > 0.0 ? 1.0 : 0.0; // zero marks the multipliers for now
        if (a_jj > 0.0) {
            diagonal[ilogb(a_jj) + EXPONENT_ZERO]++;
            n_diagonal++;
        } else if (largest > 0.0) {
            coupling[ilogb(largest) + EXPONENT_ZERO]++;
            n_coupling++;
        }
    }
    const bool both = n_diagonal > 0 && n_coupling > 0;
    const int e =
        both ? median_exponent(diagonal, n_diagonal) - median_exponent(coupling, n_coupling) : 0;
    const double c = ldexp(1.0, e < -500 ? -500 : e > 500 ? 500 : e);
    for (int j = 0; j < lu->n; ++j) {
        lu->c[j] = lu->c[j] > 0.0 ? 1.0 : c;
    }
}

/* (S1) and (S2). */
static void scale_set(TmlLu *lu, const TmlCsc *A)
{
    scale_columns(lu, A);
    memset(lu->r, 0, (size_t)lu->n * sizeof *lu->r);
    for (int j = 0; j < lu->n; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const int i = A->row[p];
            lu->r[i] = fmax(lu->r[i], fabs(A->x[p]) * lu->c[j]);
        }
    }
    for (int i = 0; i < lu->n; ++i) {
        lu->r[i] = lu->r[i] >= DBL_MIN && lu->r[i] <= DBL_MAX ? 1.0 / power2(lu->r[i]) : 1.0;
    }
}

/* A column that is not finite, or -1. */
static int bad_column(const TmlCsc *A)
{
    for (int j = 0; j < A->cols; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            if (!isfinite(A->x[p])) {
                return j;
            }
        }
    }
    return -1;
}

/* Scaled matrix and s_k. False: not finite. */
static bool scale_apply(TmlLu *lu, const TmlCsc *A)
{
    bool finite = true;
    for (int j = 0; j < lu->n; ++j) {
        const double c = lu->c[j];
        double sum = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            lu->x[p] = A->x[p] * c * lu->r[A->row[p]];
            sum += fabs(lu->x[p]);
        }
        lu->size[j] = sum;
        finite = finite && sum <= DBL_MAX; // false for NaN too
    }
    return finite;
}

/* --- full factorisation ------------------------------------------------------------------- */

/* Pivots on the diagonal of the permuted matrix that are zero and stay so: nothing eliminated
 * before them can fill them. */
static int weak_diagonals(TmlLu *lu, const TmlCsc *A, const klu_symbolic *s, double tol)
{
    for (int k = 0; k < lu->n; ++k) {
        lu->position[s->P[k]] = k;
    }
    int weak = 0;
    for (int k = 0; k < lu->n; ++k) {
        const int j = s->Q[k];
        bool serves = false;
        for (int p = A->start[j]; p < A->start[j + 1] && !serves; ++p) {
            serves = lu->position[A->row[p]] <= k && fabs(lu->x[p]) > tol * lu->size[j];
        }
        weak += !serves;
    }
    return weak;
}

/* Worth a try? `best` is the fill of the best plan so far, or negative. */
static bool plan_allowed(TmlLu *lu, const TmlCsc *A, const Plan *plan, double best)
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
    return lu->n <= SMALL ||
           weak_diagonals(lu, A, plan->symbolic, plan->common.tol) <= WEAK_SHARE * lu->n;
}

/* First column whose pivot is noise (P1), or -1; sets rcond. */
static int pivots_check(TmlLu *lu, const Plan *plan, const klu_numeric *num, double growth)
{
    const double *u = num->Udiag;
    const double noise = NOISE * DBL_EPSILON / fmin(1.0, fmax(growth, GROWTH_NOISE));
    lu->info.rcond = 1.0;
    for (int k = 0; k < lu->n; ++k) {
        const int j = plan->symbolic->Q[k];
        const double ratio = fabs(u[k]) / lu->size[j];
        if (!(ratio > noise)) {
            lu->info.rcond = 0.0;
            return j;
        }
        lu->info.rcond = fmin(lu->info.rcond, ratio);
    }
    return -1;
}

/* Factor with one plan. Returns -1 and *out, or the column without pivot and NULL. */
static int plan_factor(TmlLu *lu, const TmlCsc *A, Plan *plan, klu_numeric **out, double *growth)
{
    *out = NULL;
    klu_numeric *num = klu_factor(A->start, A->row, lu->x, plan->symbolic, &plan->common);
    if (num == NULL) {
        const int column = plan->common.singular_col;
        return column >= 0 && column < lu->n ? column : 0; // 0: KLU is out of memory
    }
    klu_rgrowth(A->start, A->row, lu->x, plan->symbolic, num, &plan->common);
    *growth = plan->common.rgrowth;
    const int column = pivots_check(lu, plan, num, *growth);
    if (column >= 0) {
        klu_free_numeric(&num, &plan->common);
        return column;
    }
    *out = num;
    return -1;
}

static void numeric_drop(TmlLu *lu)
{
    if (lu->numeric != NULL) {
        klu_free_numeric(&lu->numeric, &lu->plan[lu->chosen].common);
    }
}

static double fill_of(const klu_numeric *num)
{
    return (double)num->lnz + (double)num->unz + (double)num->nzoff;
}

/* Analyse one plan; leaves symbolic NULL when it does not suit the pattern or memory is out. */
static void plan_analyse(Plan *plan, const TmlCsc *A, int ordering, int btf, double tol)
{
    klu_defaults(&plan->common);
    plan->common.ordering = ordering; // 0: AMD, 1: COLAMD
    plan->common.btf = btf;
    plan->common.tol = tol;
    plan->common.maxwork = BTF_WORK;
    plan->common.scale = -1; // ours
    plan->symbolic = klu_analyze(A->cols, A->start, A->row, &plan->common);
    // an incomplete matching, be it for lack of work, would make a regular matrix look singular
    if (plan->symbolic != NULL && btf && plan->common.structural_rank < A->cols) {
        klu_free_symbolic(&plan->symbolic, &plan->common);
    }
}

/* Analyse the plans that are not analysed. */
static void plans_analyse(TmlLu *lu, const TmlCsc *A)
{
    // Saddle points with definite M need no exchanges when M comes first, whatever the pivot's
    // size; the loose tolerance keeps the symmetric order, and the growth is checked.
    static const struct {
        int ordering, btf;
        double tol;
    } kind[PLANS] = {{1, 0, 1e-3}, {0, 0, 1e-6}, {0, 1, 1e-3}, {1, 1, 1e-3}};
    for (int k = 0; k < PLANS; ++k) {
        if (lu->plan[k].symbolic == NULL) {
            plan_analyse(&lu->plan[k], A, kind[k].ordering, kind[k].btf, kind[k].tol);
        }
    }
}

/* The plans that were not chosen are analysed again should they ever be wanted. */
static void plans_drop(TmlLu *lu, int but)
{
    for (int k = 0; k < PLANS; ++k) {
        if (k != but && lu->plan[k].symbolic != NULL) {
            klu_free_symbolic(&lu->plan[k].symbolic, &lu->plan[k].common);
        }
    }
}

/* Try all plans and keep the one with least fill among those that lose few digits. */
static int plans_try(TmlLu *lu, const TmlCsc *A)
{
    int column = -1;
    double fill = -1.0;
    plans_analyse(lu, A);
    lu->chosen = -1;
    for (int k = 0; k < PLANS; ++k) {
        Plan *plan = &lu->plan[k];
        klu_numeric *num;
        double growth = 0.0;
        if (!plan_allowed(lu, A, plan, fill)) {
            continue;
        }
        const int bad = plan_factor(lu, A, plan, &num, &growth);
        column = bad >= 0 && column < 0 ? bad : column; // the first plan has the safest pivots
        if (num == NULL) {
            continue;
        }
        const bool sparser = fill_of(num) < fill && growth >= GROWTH_LOSS * lu->growth;
        if (lu->numeric == NULL || sparser || GROWTH_LOSS * growth > lu->growth) {
            numeric_drop(lu);
            lu->chosen = k;
            lu->numeric = num;
            lu->growth = lu->growth_chosen = growth;
            fill = fill_of(num);
        } else {
            klu_free_numeric(&num, &plan->common);
        }
    }
    plans_drop(lu, lu->chosen);
    return lu->numeric != NULL ? -1 : column >= 0 ? column : 0; // 0: out of memory
}

static void factor_note(TmlLu *lu)
{
    const Plan *plan = &lu->plan[lu->chosen];
    const double *u = lu->numeric->Udiag;
    pivots_check(lu, plan, lu->numeric, lu->growth);
    for (int k = 0; k < lu->n; ++k) {
        lu->ratio[k] = SHRINK * fabs(u[k]) / lu->size[plan->symbolic->Q[k]];
    }
    lu->info.lnz = lu->numeric->lnz;
    lu->info.unz = lu->numeric->unz;
}

int tml_lu_factor(TmlLu *lu, const TmlCsc *A)
{
    TML_ASSERT(A->rows == lu->n && A->cols == lu->n && A->start[lu->n] == lu->nnz);
    lu->info.factors++;
    numeric_drop(lu);
    if (lu->n == 0) {
        return -1;
    }
    const int bad = bad_column(A);
    if (bad >= 0) {
        lu->info.rcond = 0.0;
        return bad;
    }
    scale_set(lu, A);
    (void)scale_apply(lu, A);
    if (lu->chosen >= 0) {
        plan_factor(lu, A, &lu->plan[lu->chosen], &lu->numeric, &lu->growth);
        if (lu->numeric != NULL && lu->growth < GROWTH_DROP * lu->growth_chosen) {
            numeric_drop(lu);
        }
    }
    // no plan yet, or the values have moved away from those it was chosen for
    const int column = lu->numeric == NULL ? plans_try(lu, A) : -1;
    if (column < 0) {
        factor_note(lu);
    }
    return column;
}

/* --- fast path ---------------------------------------------------------------------------- */

/* (P2): do the pivots of the last full factorisation still serve? Sets rcond. */
static bool pivots_serve(TmlLu *lu)
{
    const int *Q = lu->plan[lu->chosen].symbolic->Q;
    const double *u = lu->numeric->Udiag;
    const double noise = NOISE * DBL_EPSILON / fmin(1.0, fmax(lu->growth, GROWTH_NOISE));
    double smallest = 1.0;
    bool serve = true;
    for (int k = 0; k < lu->n; ++k) {
        const double size = lu->size[Q[k]], pivot = fabs(u[k]);
        serve = serve && pivot >= lu->ratio[k] * size && pivot > noise * size;
        smallest = pivot < smallest * size ? pivot / size : smallest;
    }
    lu->info.rcond = smallest;
    return serve;
}

int tml_lu_refactor(TmlLu *lu, const TmlCsc *A)
{
    TML_ASSERT(A->rows == lu->n && A->cols == lu->n && A->start[lu->n] == lu->nnz);
    if (lu->numeric == NULL) {
        return tml_lu_factor(lu, A);
    }
    Plan *plan = &lu->plan[lu->chosen];
    if (scale_apply(lu, A) &&
        klu_refactor(A->start, A->row, lu->x, plan->symbolic, lu->numeric, &plan->common) &&
        plan->common.status == KLU_OK && pivots_serve(lu)) {
        lu->info.refactors++;
        return -1;
    }
    return tml_lu_factor(lu, A);
}

void tml_lu_solve(TmlLu *lu, double *x)
{
    lu->info.solves++;
    if (lu->n == 0) {
        return;
    }
    TML_ASSERT(lu->numeric != NULL);
    Plan *plan = &lu->plan[lu->chosen];
    for (int i = 0; i < lu->n; ++i) {
        x[i] *= lu->r[i];
    }
    klu_solve(plan->symbolic, lu->numeric, lu->n, 1, x, &plan->common);
    for (int j = 0; j < lu->n; ++j) {
        x[j] *= lu->c[j];
    }
}

/* --- life --------------------------------------------------------------------------------- */

static bool lu_allocate(TmlLu *lu)
{
    const size_t n = (size_t)lu->n, nnz = (size_t)lu->nnz;
    lu->r = tml_mem_zalloc(n, sizeof *lu->r);
    lu->c = tml_mem_zalloc(n, sizeof *lu->c);
    lu->x = tml_mem_zalloc(nnz, sizeof *lu->x);
    lu->size = tml_mem_zalloc(n, sizeof *lu->size);
    lu->ratio = tml_mem_zalloc(n, sizeof *lu->ratio);
    lu->position = tml_mem_zalloc(n, sizeof *lu->position);
    return lu->r != NULL && lu->c != NULL && lu->x != NULL && lu->size != NULL &&
           lu->ratio != NULL && lu->position != NULL;
}

TmlStatus tml_lu_create(const TmlCsc *A, TmlLu **out, TmlError *err)
{
    *out = NULL;
    if (A->rows != A->cols) {
        return tml_fail(err, TML_E_INTERNAL, "LU of a matrix with %d rows and %d columns", A->rows,
                        A->cols);
    }
    TmlLu *lu = tml_mem_zalloc(1, sizeof *lu);
    if (lu != NULL) {
        lu->n = A->cols;
        lu->nnz = A->start[A->cols];
        lu->chosen = -1;
    }
    if (lu == NULL || !lu_allocate(lu)) {
        tml_lu_free(lu);
        return tml_fail(err, TML_E_NOMEM, "out of memory for a factorisation of %d unknowns",
                        A->cols);
    }
    *out = lu;
    return TML_OK;
}

void tml_lu_free(TmlLu *lu)
{
    if (lu == NULL) {
        return;
    }
    numeric_drop(lu);
    plans_drop(lu, -1);
    tml_mem_free(lu->r);
    tml_mem_free(lu->c);
    tml_mem_free(lu->x);
    tml_mem_free(lu->size);
    tml_mem_free(lu->ratio);
    tml_mem_free(lu->position);
    tml_mem_free(lu);
}

const TmlLuInfo *tml_lu_info(const TmlLu *lu)
{
    return &lu->info;
}
