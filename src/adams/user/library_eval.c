/* adams/user/library_eval.c - results of user-written routines as functions with derivatives.
 *
 * Forces and states need first derivatives by everything that the routine asks for:
 *
 *   (L1)  df/dx_k = (f(x + h e_k) - f(x - h e_k)) / (2 h),   h = e^(1/3) max(1, |x_k|)
 *
 * whose error is h^2 f'''/6 and e |f| / h, both about 4e-11 of the size of things. The results of
 * one call belong together: value and slopes of all are kept for the others. Rates of algebraic
 * states need second ones as well, by (L2), which a routine with few arguments has.
 *
 * Constraints and motions need three. MOTSUB, CURSUB and UCOSUB give two themselves, COUXX the
 * first and COUXX2 the second of a coupler; each that is missing is
 *
 *   (L2)  df/dx = (8 (f(x + h) - f(x - h)) - (f(x + 2h) - f(x - 2h))) / (12 h)
 *
 * of the one before. With d differences one in another h = e^(1/(4 + d)) max(1, |x|), and the error
 * is e / h^d: 3e-13, 4e-11 and 1e-9.
 *
 * The third of a curve is the slope of the polynomial through r'' at seven places, which need not
 * lie on both sides (math/stencil.h).
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "adams/user/library_internal.h"
#include "math/stencil.h"

enum { CURVE_GIVEN = 2, CURVE_DERIVATIVES = 3 }; // of CURSUB itself, and of results

int tml_adm_routine_inputs(const TmlAdmRoutine *r)
{
    return r->n_own + r->n_requests;
}

int tml_adm_routine_order(const TmlAdmRoutine *r)
{
    switch (r->kind) {
    case TML_ADM_MOTSUB:
    case TML_ADM_CURSUB:
    case TML_ADM_COUSUB:
    case TML_ADM_UCOSUB:
    case TML_ADM_GCOSUB:
        return 3;
    default:
        return tml_adm_routine_inputs(r) < TML_MAX_ARGS ? 2 : 1;
    }
}

/* --- first derivatives ------------------------------------------------------------------------ */

bool tml_adm_routine_prepare(TmlAdmRoutine *r, TmlArena *arena)
{
    const size_t n = (size_t)tml_adm_routine_inputs(r) + 1;
    const size_t m = (size_t)r->n_values * (r->kind == TML_ADM_CURSUB ? CURVE_DERIVATIVES + 1 : 1);
    TmlAdmMemo *x = &r->memo;
    x->in = tml_arena_alloc(arena, n, sizeof *x->in);
    x->out = tml_arena_alloc(arena, m, sizeof *x->out);
    x->J = tml_arena_alloc(arena, n * m, sizeof *x->J);
    return x->in != NULL && x->out != NULL && x->J != NULL;
}

/* Results and their slopes at arg in the memory of the routine; the caller holds the lock. */
static void refresh(TmlAdmRoutine *r, const double *arg, bool slope)
{
    TmlAdmMemo *x = &r->memo;
    const int n = tml_adm_routine_inputs(r) + 1, m = r->n_values;
    double moved[TML_MAX_ARGS_FIRST], above[TML_ADM_MAX_VALUES], below[TML_ADM_MAX_VALUES];
    if (!x->value || memcmp(x->in, arg, (size_t)n * sizeof *arg) != 0) {
        memcpy(x->in, arg, (size_t)n * sizeof *arg);
        tml_adm_routine_call(r, arg, 0, x->out);
        x->value = true;
        x->slope = false;
    }
    if (!slope || x->slope) {
        return;
    }
    memcpy(moved, arg, (size_t)n * sizeof *arg);
    for (int k = 0; k < n; ++k) {
        const double h = cbrt(DBL_EPSILON) * fmax(1.0, fabs(arg[k]));
        moved[k] = arg[k] + h;
        const double up = moved[k];
        tml_adm_routine_call(r, moved, 0, above);
        moved[k] = arg[k] - h;
        tml_adm_routine_call(r, moved, 0, below);
        for (int i = 0; i < m; ++i) {
            x->J[i * n + k] = (above[i] - below[i]) / (up - moved[k]); // (L1)
        }
        moved[k] = arg[k];
    }
    x->slope = true;
}

static void eval_first(const TmlAdmResult *x, const double *arg, int order, TmlJet *out)
{
    TmlAdmRoutine *r = x->routine;
    const int n = tml_adm_routine_inputs(r) + 1;
    pthread_mutex_lock(&r->owner->memory);
    refresh(r, arg, order > 0);
    out->value = x->factor * r->memo.out[x->index];
    for (int k = 0; order > 0 && k < n; ++k) {
        out->g[k] = x->factor * r->memo.J[x->index * n + k];
    }
    pthread_mutex_unlock(&r->owner->memory);
}

/* --- three derivatives ------------------------------------------------------------------------ */

/* One of UCOSUB's own; by[]: m indices of arguments, 0 the time. */
static double constraint_partial(const TmlAdmRoutine *r, const double *in, int m, const int *by)
{
    double scalar, array[30], matrix[900];
    const int times = (m > 0 && by[0] == 0) + (m > 1 && by[1] == 0), others = m - times;
    const int select[3] = {others == 0 ? 1 + times : 0, others == 1 ? 1 + times : 0,
                           others == 2 ? 1 : 0};
    tml_adm_ucosub_call(r, in, select, &scalar, array, matrix);
    return others == 0   ? scalar
           : others == 1 ? array[by[m - 1] - 1]
                         : matrix[(by[1] - 1) * 30 + by[0] - 1];
}

/* Does the routine give a partial derivative itself? by[] increases. */
static bool gives(const TmlAdmRoutine *r, int m, const int *by)
{
    const bool first = m == 1 && r->other != NULL && by[0] > 0 && by[0] <= r->n_own;  // COUXX
    const bool second = m == 2 && r->third != NULL && by[0] > 0 && by[1] <= r->n_own; // COUXX2
    const bool two = r->kind == TML_ADM_MOTSUB || r->kind == TML_ADM_UCOSUB;
    return m == 0 || (two ? m <= 2 : first || second);
}

static double given(const TmlAdmResult *x, const double *in, int m, const int *by)
{
    const TmlAdmRoutine *r = x->routine;
    double value[128];
    if (r->kind == TML_ADM_UCOSUB) {
        return constraint_partial(r, in, m, by);
    }
    tml_adm_routine_call(r, in, m, value);
    return value[r->kind != TML_ADM_COUSUB || m == 0 ? x->index
                 : m == 1                            ? by[0] - 1
                                                     : (by[0] - 1) * r->stride + by[1] - 1];
}

/* The matrix of COUXX2 at a few places is that of differences of COUXX, or it is not what its
 * layout is taken for: rows of as many as there are joints, or of three. */
static bool is_second(TmlAdmRoutine *r, int stride)
{
    static const double places[][4] = {{0.0, 0.31, -0.47, 0.73}, {1.7, -1.2, 0.9, 0.4}};
    for (size_t p = 0; p < sizeof places / sizeof *places; ++p) {
        double in[TML_MAX_ARGS_FIRST] = {0.0}, above[9], below[9], matrix[9];
        memcpy(in, places[p], sizeof places[p]);
        tml_adm_routine_call(r, in, 2, matrix);
        for (int j = 0; j < r->n_own; ++j) {
            const double h = 1e-5, at = in[1 + j];
            in[1 + j] = at + h;
            tml_adm_routine_call(r, in, 1, above);
            in[1 + j] = at - h;
            tml_adm_routine_call(r, in, 1, below);
            in[1 + j] = at;
            for (int i = 0; i < r->n_own; ++i) {
                const double slope = (above[i] - below[i]) / (2.0 * h);
                // h^2 of higher derivatives, rounding / h
                if (!(fabs(matrix[i * stride + j] - slope) <= 1e-5 * (1.0 + fabs(slope)))) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool tml_adm_routine_check_second(TmlAdmRoutine *r)
{
    const bool full = is_second(r, r->n_own), wide = !full && is_second(r, 3);
    r->stride = full ? r->n_own : 3;
    r->third = full || wide ? r->third : NULL;
    return full || wide;
}

/* (L2) with step h times the size of an argument, again and again. */
static double nested(const TmlAdmResult *x, const double *in, int m, const int *by, double h)
{
    static const double places[] = {-2.0, -1.0, 1.0, 2.0};
    const TmlAdmRoutine *r = x->routine;
    double moved[TML_MAX_ARGS], at[4];
    if (gives(r, m, by)) {
        return given(x, in, m, by);
    }
    const double size = fmax(1.0, fabs(in[by[0]]));
    memcpy(moved, in, (size_t)(tml_adm_routine_inputs(r) + 1) * sizeof *in);
    for (int k = 0; k < 4; ++k) {
        moved[by[0]] = in[by[0]] + places[k] * h * size;
        at[k] = nested(x, moved, m - 1, by + 1, h);
    }
    return (8.0 * (at[2] - at[1]) - (at[3] - at[0])) / (12.0 * h * size); // (L2)
}

static double partial(const TmlAdmResult *x, const double *in, int m, const int *by)
{
    int d = 0; // differences
    while (!gives(x->routine, m - d, by + d)) {
        ++d;
    }
    // e^(1/(4 + d))
    static const double step[] = {0.0, 7.40095979741405e-4, 2.460783300575925e-3,
                                  5.8046651919412065e-3};
    return nested(x, in, m, by, step[d]);
}

static void eval_second(const TmlAdmResult *x, const double *in, int n, TmlJet *out)
{
    for (int i = 0; i < n; ++i) {
        for (int j = i; j < n; ++j) {
            const int by[2] = {i, j};
            out->H[i * n + j] = out->H[j * n + i] = x->factor * partial(x, in, 2, by);
        }
    }
}

static void eval_third(const TmlAdmResult *x, const double *in, int n, int order, TmlJet *out)
{
    const double f = x->factor;
    const int none[1] = {0};
    out->value = f * partial(x, in, 0, none);
    for (int i = 0; order > 0 && i < n; ++i) {
        const int by[1] = {i};
        out->g[i] = f * partial(x, in, 1, by);
    }
    if (order > 1) {
        eval_second(x, in, n, out);
    }
    for (int i = 0; order > 2 && i < n; ++i) {
        for (int j = i; j < n; ++j) {
            for (int k = j; k < n; ++k) {
                const int by[3] = {i, j, k};
                const double value = f * partial(x, in, 3, by);
                const int all[6][3] = {{i, j, k}, {i, k, j}, {j, i, k},
                                       {j, k, i}, {k, i, j}, {k, j, i}};
                for (int a = 0; a < 6; ++a) {
                    out->T[(all[a][0] * n + all[a][1]) * n + all[a][2]] = value;
                }
            }
        }
    }
}

/* --- functions -------------------------------------------------------------------------------- */

void tml_adm_result_eval(void *result, const double *arg, int order, TmlJet *out)
{
    const TmlAdmResult *x = result;
    const int n = tml_adm_routine_inputs(x->routine) + 1;
    if (tml_adm_routine_order(x->routine) == 3) {
        eval_third(x, arg, n, order, out);
        return;
    }
    eval_first(x, arg, order, out);
    if (order > 1) {
        eval_second(x, arg, n, out);
    }
}

/* The third derivative at alpha, from inside of the range or around the closing point. */
static void curve_third(const TmlAdmRoutine *r, double alpha, double *out)
{
    enum { PLACES = 7, SIDE = PLACES / 2 };
    const struct sAdamsCurve *c = &r->of.curve;
    const double size = c->MAXPAR - c->MINPAR, h = 4e-3 * size;
    const double inside = fmin(fmax(alpha, c->MINPAR + SIDE * h), c->MAXPAR - SIDE * h);
    const double middle = c->CLOSED ? alpha : inside;
    double t[PLACES], f[3][PLACES], d[PLACES];
    for (int k = 0; k < PLACES; ++k) {
        t[k] = middle + (k - SIDE) * h - alpha;
        const double at = alpha + t[k];
        const double turn = at > c->MAXPAR ? -size : at < c->MINPAR ? size : 0.0;
        const double in[2] = {0.0, at + turn};
        double value[3];
        tml_adm_routine_call(r, in, CURVE_GIVEN, value);
        for (int i = 0; i < 3; ++i) {
            f[i][k] = value[i];
        }
    }
    for (int i = 0; i < 3; ++i) {
        stencil_derivatives(PLACES, t, f[i], d);
        out[i] = d[1];
    }
}

/* All derivatives up to an order at a parameter in the memory of the routine, whose lock is held:
 * the three coordinates are asked for one after another. */
static void refresh_curve(const TmlAdmResult *x, double alpha, int order)
{
    TmlAdmRoutine *r = x->routine;
    TmlAdmMemo *memo = &r->memo;
    if (!memo->value || memo->in[1] != alpha) {
        memo->value = true;
        memo->orders = 0;
        memo->in[1] = alpha;
    }
    for (int m = memo->orders; m <= order && m <= CURVE_GIVEN; ++m) {
        tml_adm_routine_call(r, memo->in, m, memo->out + 3 * (ptrdiff_t)m);
        memo->orders = m + 1;
    }
    if (order > CURVE_GIVEN && memo->orders == CURVE_GIVEN + 1) {
        curve_third(r, alpha, memo->out + 3 * CURVE_DERIVATIVES);
        memo->orders = CURVE_DERIVATIVES + 1;
    }
}

void tml_adm_curve_eval(void *result, const double *arg, int order, TmlJet *out)
{
    const TmlAdmResult *x = result;
    double *const into[4] = {&out->value, out->g, out->H, out->T};
    pthread_mutex_lock(&x->routine->owner->memory);
    refresh_curve(x, arg[0], order);
    for (int m = 0; m <= order; ++m) {
        *into[m] = x->factor * x->routine->memo.out[3 * m + x->index];
    }
    pthread_mutex_unlock(&x->routine->owner->memory);
}
