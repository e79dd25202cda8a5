/* sparse/zlu.c - complex LU by KLU: the choices of sparse/lu.c for stage matrices at complex steps.
 *
 * Scales are powers of two, from magnitudes:
 *   (S1)  c_j = median |a_kk| / median max_i |a_ik|     for the columns of multipliers, else 1
 *   (S2)  r_i = 1 / max_j |a_ij| c_j
 * The diagonal of a multiplier is zero or a negative real number. That of a coordinate is
 * m + z d + z^2 k, whose real part may be negative too, but then its imaginary part is not zero.
 *
 * Pivots are judged against their column of the scaled matrix, s_k = sum_i |a_ik|:
 *   (P1)  |u_kk| <= NOISE eps s_k / growth       no pivot: rounding is all that is left
 *   (P2)  |u_kk| / s_k < SHRINK (same at the last full factorisation)     choose pivots again
 * |x + i y| is taken as |x| + |y|, which is at most a factor 1.5 off.
 */
#include "sparse/zlu.h"

#include <float.h>
#include <klu.h>
#include <math.h>
#include <string.h>

enum { PLANS = 3, EXPONENTS = 2200, EXPONENT_ZERO = 1100 };

static const double NOISE = 32.0;        // as in lu.c
static const double GROWTH_NOISE = 1e-4; // (P1) never calls pivots above 1e-10 noise
static const double GROWTH_LOSS = 0.05;  // digits that fill is not worth
static const double SHRINK = 1e-3;       // as much as threshold pivoting gives away
static const double WEAK_SHARE = 0.02;   // missing diagonals that AMD bears
static const double BTF_WORK = 10.0;     // bound on matching, in passes over the matrix

typedef struct Plan {
    klu_common common;
    klu_symbolic *symbolic; // NULL: not usable for this pattern
} Plan;

struct TmlZlu {
    int n, nnz;
    Plan plan[PLANS];
    int chosen;           // plan in use, -1: none yet
    klu_numeric *numeric; // of the chosen plan, NULL: none
    double growth;        // min over columns of max |a| / max |u|, of the last full factorisation
    double *r, *c;        // n: scales (S1), (S2)
    double *x;            // 2 nnz: the scaled matrix
    double *size;         // n: s_k
    double *ratio;        // n: SHRINK |u_kk| / s_k of the last full factorisation, by pivots
    int *position;        // n: workspace of weak_diagonals
    TmlLuInfo info;
};

static double modulus(const double *z)
{
    return fabs(z[0]) + fabs(z[1]);
}

/* --- scaling ------------------------------------------------------------------------------ */

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
static void scale_columns(TmlZlu *lu, const TmlCsc *A, const double *z)
{
    int diagonal[EXPONENTS] = {0}, coupling[EXPONENTS] = {0}, n_diagonal = 0, n_coupling = 0;
    for (int j = 0; j < lu->n; ++j) {
        double a_jj = 0.0, largest = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const double *a = z + 2 * (ptrdiff_t)p;
            const bool own = A->row[p] == j && (a[0] > 0.0 || a[1] != 0.0);
            a_jj = own ? modulus(a) : a_jj;
            largest = fmax(largest, modulus(a));
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
static void scale_set(TmlZlu *lu, const TmlCsc *A, const double *z)
{
    scale_columns(lu, A, z);
    memset(lu->r, 0, (size_t)lu->n * sizeof *lu->r);
    for (int j = 0; j < lu->n; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const int i = A->row[p];
            lu->r[i] = fmax(lu->r[i], modulus(z + 2 * (ptrdiff_t)p) * lu->c[j]);
        }
    }
    for (int i = 0; i < lu->n; ++i) {
        const bool usable = lu->r[i] >= DBL_MIN && lu->r[i] <= DBL_MAX;
        lu->r[i] = usable ? ldexp(1.0, -ilogb(lu->r[i])) : 1.0;
    }
}

/* Scaled matrix and s_k. Returns the first column that is not finite, or -1. */
static int scale_apply(TmlZlu *lu, const TmlCsc *A, const double *z)
{
    int bad = -1;
    for (int j = 0; j < lu->n; ++j) {
        double sum = 0.0;
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const double scale = lu->c[j] * lu->r[A->row[p]];
            double *x = lu->x + 2 * (ptrdiff_t)p;
            x[0] = z[2 * (ptrdiff_t)p] * scale;
            x[1] = z[2 * (ptrdiff_t)p + 1] * scale;
            sum += modulus(x);
        }
        lu->size[j] = sum;
        bad = bad < 0 && !(sum <= DBL_MAX) ? j : bad; // NaN too
    }
    return bad;
}

/* A column of the matrix as given that is not finite, or -1: scales may hide or make one. */
static int bad_column(const TmlCsc *A, const double *z)
{
    for (int j = 0; j < A->cols; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            if (!isfinite(z[2 * (ptrdiff_t)p]) || !isfinite(z[2 * (ptrdiff_t)p + 1])) {
                return j;
            }
        }
    }
    return -1;
}

/* --- full factorisation ------------------------------------------------------------------- */

/* Pivots on the diagonal of the permuted matrix that are zero and stay so. */
static int weak_diagonals(TmlZlu *lu, const TmlCsc *A, const klu_symbolic *s, double tol)
{
    for (int k = 0; k < lu->n; ++k) {
        lu->position[s->P[k]] = k;
    }
    int weak = 0;
    for (int k = 0; k < lu->n; ++k) {
        const int j = s->Q[k];
        bool serves = false;
        for (int p = A->start[j]; p < A->start[j + 1] && !serves; ++p) {
            serves = lu->position[A->row[p]] <= k &&
                     modulus(lu->x + 2 * (ptrdiff_t)p) > tol * lu->size[j];
        }
        weak += !serves;
    }
    return weak;
}

/* Worth a try? `best` is the fill of the best plan so far, or negative. */
static bool plan_allowed(TmlZlu *lu, const TmlCsc *A, const Plan *plan, double best)
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
static int pivots_check(TmlZlu *lu, const Plan *plan, const klu_numeric *num, double growth)
{
    const double *u = num->Udiag;
    const double noise = NOISE * DBL_EPSILON / fmin(1.0, fmax(growth, GROWTH_NOISE));
    lu->info.rcond = 1.0;
    for (int k = 0; k < lu->n; ++k) {
        const int j = plan->symbolic->Q[k];
        const double ratio = modulus(u + 2 * (ptrdiff_t)k) / lu->size[j];
        if (!(ratio > noise)) {
            lu->info.rcond = 0.0;
            return j;
        }
        lu->info.rcond = fmin(lu->info.rcond, ratio);
    }
    return -1;
}

/* Factor with one plan. Returns -1 and *out, or the column without pivot and NULL. */
static int plan_factor(TmlZlu *lu, const TmlCsc *A, Plan *plan, klu_numeric **out, double *growth)
{
    *out = NULL;
    klu_numeric *num = klu_z_factor(A->start, A->row, lu->x, plan->symbolic, &plan->common);
    if (num == NULL) {
        const int column = plan->common.singular_col;
        return column >= 0 && column < lu->n ? column : 0; // 0: KLU is out of memory
    }
    klu_z_rgrowth(A->start, A->row, lu->x, plan->symbolic, num, &plan->common);
    *growth = plan->common.rgrowth;
    const int column = pivots_check(lu, plan, num, *growth);
    if (column >= 0) {
        klu_z_free_numeric(&num, &plan->common);
        return column;
    }
    *out = num;
    return -1;
}

static void numeric_drop(TmlZlu *lu)
{
    if (lu->numeric != NULL) {
        klu_z_free_numeric(&lu->numeric, &lu->plan[lu->chosen].common);
    }
}

static double fill_of(const klu_numeric *num)
{
    return (double)num->lnz + (double)num->unz + (double)num->nzoff;
}

/* Analyse the plans that are not analysed: COLAMD first, safe under any row exchange. */
static void plans_analyse(TmlZlu *lu, const TmlCsc *A)
{
    static const struct {
        int ordering, btf;
        double tol;
    } kind[PLANS] = {{1, 0, 1e-3}, {0, 0, 1e-6}, {0, 1, 1e-3}};
    for (int k = 0; k < PLANS; ++k) {
        Plan *plan = &lu->plan[k];
        if (plan->symbolic != NULL) {
            continue;
        }
        klu_defaults(&plan->common);
        plan->common.ordering = kind[k].ordering; // 0: AMD, 1: COLAMD
        plan->common.btf = kind[k].btf;
        plan->common.tol = kind[k].tol;
        plan->common.maxwork = BTF_WORK;
        plan->common.scale = -1; // ours
        plan->symbolic = klu_analyze(A->cols, A->start, A->row, &plan->common);
        // an incomplete matching would make a regular matrix look singular
        if (plan->symbolic != NULL && kind[k].btf && plan->common.structural_rank < A->cols) {
            klu_free_symbolic(&plan->symbolic, &plan->common);
        }
    }
}

static void plans_drop(TmlZlu *lu, int but)
{
    for (int k = 0; k < PLANS; ++k) {
        if (k != but && lu->plan[k].symbolic != NULL) {
            klu_free_symbolic(&lu->plan[k].symbolic, &lu->plan[k].common);
        }
    }
}

/* Try all plans and keep the one with least fill among those that lose few digits. */
static int plans_try(TmlZlu *lu, const TmlCsc *A)
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
            lu->growth = growth;
            fill = fill_of(num);
        } else {
            klu_z_free_numeric(&num, &plan->common);
        }
    }
    plans_drop(lu, lu->chosen);
    return lu->numeric != NULL ? -1 : column >= 0 ? column : 0; // 0: out of memory
}

/* Factor with the chosen plan; false when it does not serve any more. */
static bool chosen_factor(TmlZlu *lu, const TmlCsc *A)
{
    double growth = 0.0;
    if (lu->chosen < 0) {
        return false;
    }
    const bool done = plan_factor(lu, A, &lu->plan[lu->chosen], &lu->numeric, &growth) < 0;
    if (done && growth < GROWTH_LOSS * lu->growth) {
        numeric_drop(lu);
        return false;
    }
    lu->growth = done ? growth : lu->growth;
    return done;
}

static void factor_note(TmlZlu *lu)
{
    const Plan *plan = &lu->plan[lu->chosen];
    const double *u = lu->numeric->Udiag;
    for (int k = 0; k < lu->n; ++k) {
        const double pivot = modulus(u + 2 * (ptrdiff_t)k);
        lu->ratio[k] = SHRINK * pivot / lu->size[plan->symbolic->Q[k]];
    }
    lu->info.lnz = lu->numeric->lnz;
    lu->info.unz = lu->numeric->unz;
}

int tml_zlu_factor(TmlZlu *lu, const TmlCsc *A, const double *z)
{
    TML_ASSERT(A->rows == lu->n && A->cols == lu->n && A->start[lu->n] == lu->nnz);
    lu->info.factors++;
    numeric_drop(lu);
    if (lu->n == 0) {
        return -1;
    }
    int column = bad_column(A, z);
    if (column < 0) {
        scale_set(lu, A, z);
        column = scale_apply(lu, A, z);
    }
    if (column < 0 && !chosen_factor(lu, A)) {
        column = plans_try(lu, A);
    }
    if (column >= 0) {
        lu->info.rcond = 0.0;
        return column;
    }
    factor_note(lu);
    return -1;
}

/* --- fast path ----------------------------------------------------------------------------- */

/* (P1), (P2): do the pivots of the last full factorisation still serve? Sets rcond. */
static bool pivots_serve(TmlZlu *lu)
{
    const int *Q = lu->plan[lu->chosen].symbolic->Q;
    const double *u = lu->numeric->Udiag;
    const double noise = NOISE * DBL_EPSILON / fmin(1.0, fmax(lu->growth, GROWTH_NOISE));
    double smallest = 1.0;
    bool serve = true;
    for (int k = 0; k < lu->n; ++k) {
        const double pivot = modulus(u + 2 * (ptrdiff_t)k), size = lu->size[Q[k]];
        serve = serve && pivot >= lu->ratio[k] * size && pivot > noise * size; // not for NaN
        smallest = fmin(smallest, pivot / size);
    }
    lu->info.rcond = smallest;
    return serve;
}

int tml_zlu_refactor(TmlZlu *lu, const TmlCsc *A, const double *z)
{
    TML_ASSERT(A->rows == lu->n && A->cols == lu->n && A->start[lu->n] == lu->nnz);
    if (lu->numeric == NULL) {
        return tml_zlu_factor(lu, A, z);
    }
    Plan *plan = &lu->plan[lu->chosen];
    if (scale_apply(lu, A, z) < 0 &&
        klu_z_refactor(A->start, A->row, lu->x, plan->symbolic, lu->numeric, &plan->common) &&
        plan->common.status == KLU_OK && pivots_serve(lu)) {
        lu->info.refactors++;
        return -1;
    }
    return tml_zlu_factor(lu, A, z);
}

void tml_zlu_solve(TmlZlu *lu, double *x)
{
    lu->info.solves++;
    if (lu->n == 0) {
        return;
    }
    TML_ASSERT(lu->numeric != NULL);
    Plan *plan = &lu->plan[lu->chosen];
    for (int i = 0; i < lu->n; ++i) {
        x[2 * (ptrdiff_t)i] *= lu->r[i];
        x[2 * (ptrdiff_t)i + 1] *= lu->r[i];
    }
    klu_z_solve(plan->symbolic, lu->numeric, lu->n, 1, x, &plan->common);
    for (int j = 0; j < lu->n; ++j) {
        x[2 * (ptrdiff_t)j] *= lu->c[j];
        x[2 * (ptrdiff_t)j + 1] *= lu->c[j];
    }
}

/* --- life --------------------------------------------------------------------------------- */

static bool lu_allocate(TmlZlu *lu)
{
    const size_t n = (size_t)lu->n, nnz = (size_t)lu->nnz;
    lu->r = tml_mem_zalloc(n, sizeof *lu->r);
    lu->c = tml_mem_zalloc(n, sizeof *lu->c);
    lu->x = tml_mem_zalloc(2 * nnz, sizeof *lu->x);
    lu->size = tml_mem_zalloc(n, sizeof *lu->size);
    lu->ratio = tml_mem_zalloc(n, sizeof *lu->ratio);
    lu->position = tml_mem_zalloc(n, sizeof *lu->position);
    return lu->r != NULL && lu->c != NULL && lu->x != NULL && lu->size != NULL &&
           lu->ratio != NULL && lu->position != NULL;
}

TmlStatus tml_zlu_create(const TmlCsc *A, TmlZlu **out, TmlError *err)
{
    *out = NULL;
    if (A->rows != A->cols) {
        return tml_fail(err, TML_E_INTERNAL, "LU of a matrix with %d rows and %d columns", A->rows,
                        A->cols);
    }
    TmlZlu *lu = tml_mem_zalloc(1, sizeof *lu);
    if (lu != NULL) {
        lu->n = A->cols;
        lu->nnz = A->start[A->cols];
        lu->chosen = -1;
    }
    if (lu == NULL || !lu_allocate(lu)) {
        tml_zlu_free(lu);
        return tml_fail(err, TML_E_NOMEM, "out of memory for a factorisation of %d unknowns",
                        A->cols);
    }
    *out = lu;
    return TML_OK;
}

void tml_zlu_free(TmlZlu *lu)
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

const TmlLuInfo *tml_zlu_info(const TmlZlu *lu)
{
    return &lu->info;
}
