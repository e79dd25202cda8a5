/* analysis/integrator/radau/radau_joints.c - radau in joint coordinates: (R1) to (R8) of radau.c, where
 *
 *   (R14) x are the joint coordinates themselves, of balls those of a chart from the start of the step, w = x' their rates and
 *         x'' = z the unknowns of a stage; (R2) is (N10) of system/recursion, K_0, K_1, K_2 are (N11), (N13) and (N16). User states stand behind the speeds, in w, and their
 *         rates in z. Rows that close loops have multipliers, behind these, and stand at acceleration level (N14); the end of a step is moved onto loops by (N8). Trees have nothing to project
 *   (R15) corrections are judged by a bound of what they move: a coordinate moves what is behind its joint by no more than its
 *         distance. The local error is that of the bodies
 *   (R16) the work of forces is one more component, W' = P: (R8) with the powers at the start and at the stages. Its error, O(h^6),
 *         is about a^2 / b with the error a of the embedded formula, O(h^4), and b = h (P_1 - (P_0 + P_3) / 2), O(h^2)
 *
 * Matrices are dense: joint coordinates are few, or the model is left to coordinates of bodies.
 */
#include "analysis/integrator/radau/radau_joints.h"
#include "analysis/integrator/explicit/explicit_problem.h"

#include "analysis/integrator/convergence.h"
#include "analysis/integrator/radau/radau_tables.h"
#include "base/fail.h"
#include "math/small_lu.h"

#include <math.h>
#include <string.h>

enum { STAGES = TML_RADAU_STAGES, NODES = TML_RADAU_NODES, LAST = STAGES - 1 };
enum { MOST_UNKNOWNS = 80 }; /* beyond, sparse matrices of all bodies are as cheap */

/* Corrections that no longer shrink and are this small a part of the tolerance are rounding. */
static const double noise = 0.3;

/* --- stages ----------------------------------------------------------------------------------- */

/* out_i = base + h sum_j A_ij y_j of n numbers, for all i; base NULL: none. */
static void integrate(int n, double h, const double *base, double *const y[STAGES],
                      double *const out[STAGES])
{
    for (int k = 0; k < n; ++k) {
        const double a = h * y[0][k], b = h * y[1][k], c = h * y[2][k];
        const double from = base != NULL ? base[k] : 0.0;
        for (int i = 0; i < STAGES; ++i) {
            const double *A = radau_A[i];
            out[i][k] = from + (A[0] * a + A[1] * b + A[2] * c);
        }
    }
}

/* (R1) */
static void stage_values(TmlRadauJoints *w)
{
    integrate(w->all, w->h, w->w_n, w->z, w->w);
    integrate(w->n, w->h, w->x_n, w->w, w->x);
}

static void predict(TmlRadauJoints *w)
{
    enum { PASSES = 2 };
    double l[3][NODES];
    for (int i = 0; i < STAGES; ++i) {
        if (!(w->h_last > 0.0)) {
            memcpy(w->z[i], w->start, (size_t)w->size * sizeof(double));
        } else {
            tml_radau_weights(1.0 + radau_c[i] * w->h / w->h_last, l);
            for (int k = 0; k < w->size; ++k) {
                w->z[i][k] = l[0][0] * w->node[0][k] + l[0][1] * w->node[1][k] +
                             l[0][2] * w->node[2][k] + l[0][3] * w->node[3][k];
            }
        }
        memcpy(w->r[i], w->z[i], (size_t)w->n * sizeof(double));
    }
    stage_values(w);
    // the polynomial is one of accelerations, which do not depend on the charts
    for (int pass = 0; pass < PASSES && w->positions > w->n; ++pass) {
        for (int i = 0; i < STAGES; ++i) {
            if (tml_charts_hold(w->recursion, w->x[i])) {
                tml_charts_second(w->recursion, w->x[i], w->w[i], w->r[i], w->z[i]);
            }
        }
        stage_values(w);
    }
}

/* Sets w->X, w->Y and w->Y1 from coordinates of the charts, their rates and second rates with what stands behind them. */
void tml_radau_joints_move(TmlRadauJoints *w, const double *x, const double *v, const double *a)
{
    const size_t more = (size_t)(w->size - w->n) * sizeof *a;
    tml_charts_motion(w->recursion, w->base, x, v, a, w->X, w->Y, w->Y1);
    memcpy(w->Y + w->n, v + w->n, (size_t)(w->all - w->n) * sizeof *v);
    memcpy(w->Y1 + w->n, a + w->n, more);
}

static bool residual(const TmlIntegrator *it, TmlRadauJoints *w, int i)
{
    w->s.t = it->now.t + radau_c[i] * w->h;
    if (!tml_charts_hold(w->recursion, w->x[i])) {
        return false;
    }
    tml_radau_joints_move(w, w->x[i], w->w[i], w->z[i]);
    return tml_tangent_residual(w->tangent, &w->s, w->X, w->Y, w->Y1, w->r[i]);
}

static bool residuals(const TmlIntegrator *it, TmlRadauJoints *w)
{
    w->spin = 0.0;
    for (int i = 0; i < STAGES; ++i) {
        if (!residual(it, w, i)) {
            return false;
        }
        w->spin = fmax(w->spin, tml_tangent_spin(w->tangent));
    }
    return true;
}

/* --- (R3), (R4) ------------------------------------------------------------------------------- */

/* Factors of K(h / g) and K(h / (a + i b)). */
static bool factor(TmlRadauJoints *w)
{
    const double g = w->h / radau_g, square = radau_a * radau_a + radau_b * radau_b;
    const double re = w->h * radau_a / square, im = -w->h * radau_b / square;
    const double re2 = re * re - im * im, im2 = 2.0 * re * im;
    for (int k = 0; k < w->size * w->size; ++k) {
        const double K0 = w->K[0][k], K1 = w->K[1][k], K2 = w->K[2][k];
        double *z = w->complex + 2 * (ptrdiff_t)k;
        w->real[k] = K0 + g * (K1 + g * K2);
        z[0] = K0 + re * K1 + re2 * K2;
        z[1] = im * K1 + im2 * K2;
    }
    const bool good = tml_small_factor(w->size, w->real, w->pivot) &&
                      tml_small_factor_complex(w->size, w->complex, w->pivot_complex);
    w->h_factor = good ? w->h : 0.0;
    return good;
}

static bool ready(const TmlIntegrator *it, TmlRadauJoints *w, bool renew, TmlAttempt *out)
{
    if (renew) {
        out->cause = TML_CAUSE_NONFINITE;
        if (!residual(it, w, LAST - 1)) {
            return false;
        }
        tml_tangent_matrices(w->tangent, &w->s, w->K);
        tml_charts_matrices(w->recursion, w->x[LAST - 1], w->w[LAST - 1], w->z[LAST - 1], w->size,
                            w->K);
        w->assembled = w->present = true;
        w->h_matrix = w->h;
        w->h_factor = 0.0;
        w->split = false;
    }
    out->cause = TML_CAUSE_SINGULAR;
    return w->h_factor == w->h || factor(w);
}

/* (R4): residuals go in, corrections come out. */
static void solve(TmlRadauJoints *w)
{
    double *const *r = w->r, *z = w->both;
    const double(*T)[3] = radau_T_inverse;
    for (int k = 0; k < w->size; ++k) {
        const double a = r[0][k], b = r[1][k], c = r[2][k];
        r[0][k] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
        z[2 * (ptrdiff_t)k] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
        z[2 * (ptrdiff_t)k + 1] = T[2][0] * a + T[2][1] * b + T[2][2] * c;
    }
    tml_small_solve(w->size, w->real, w->pivot, r[0]);
    tml_small_solve_complex(w->size, w->complex, w->pivot_complex, z);
    T = radau_T;
    for (int k = 0; k < w->size; ++k) {
        const double a = r[0][k], b = z[2 * (ptrdiff_t)k], c = z[2 * (ptrdiff_t)k + 1];
        r[0][k] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
        r[1][k] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
        r[2][k] = T[2][0] * a + T[2][1] * b + T[2][2] * c;
    }
}

/* Returns the size of changes of the states, without what is rounding of them: their allowed errors may be below. */
static double size_of_states(const TmlIntegrator *it, TmlRadauJoints *w, const double *X,
                             double *dX)
{
    for (int k = 0; k < w->all - w->n; ++k) {
        dX[k] = tml_norm_state_rounded(&it->norm, k, X[k], dX[k]) ? 0.0 : dX[k];
    }
    return tml_norm_x(it->sys, &it->norm, dX, NULL);
}

/* (R15): bounds changes x of coordinates and v of rates, with states behind them, of stage i. Changes w->dx. */
static double size_of_changes(const TmlIntegrator *it, TmlRadauJoints *w, int i, const double *x,
                              const double *v)
{
    const TmlNorm *norm = &it->norm;
    const double way = tml_tangent_bound(w->tangent, x, norm->translation, norm->rotation);
    const double rate = tml_tangent_bound(w->tangent, v, norm->translation, norm->rotation);
    double size = fmax(way, rate / norm->rate);
    if (w->all > w->n) {
        memcpy(w->dx, v + w->n, (size_t)(w->all - w->n) * sizeof(double));
        const double states = size_of_states(it, w, w->w[i] + w->n, w->dx);
        size = !(states <= size) ? states : size;
    }
    return size;
}

/* Makes the corrections and returns their size. */
static double correct(const TmlIntegrator *it, TmlRadauJoints *w)
{
    double big = 0.0;
    integrate(w->all, w->h, NULL, w->r, w->dw);
    integrate(w->n, w->h, NULL, w->dw, w->way);
    for (int i = 0; i < STAGES; ++i) {
        const double size = size_of_changes(it, w, i, w->way[i], w->dw[i]);
        for (int k = 0; k < w->size; ++k) {
            w->z[i][k] -= w->r[i][k];
        }
        big = !(size <= big) ? size : big;
    }
    stage_values(w); // sums of corrections would keep the rounding of a wild prediction
    return big;
}

/* (R9): takes from d[n] what is across the loops, by K_0 [d; mu] = [K_0 d; 0] where the matrix was made. Behind d stands what
 * does not change. */
static bool leave_along(TmlRadauJoints *w, double *d)
{
    double *b = w->both;
    if (!w->split) {
        memcpy(w->along, w->K[0], (size_t)w->size * (size_t)w->size * sizeof *b);
        w->split = tml_small_factor(w->size, w->along, w->pivot_along);
    }
    memset(b, 0, (size_t)w->size * sizeof *b);
    for (int i = 0; i < w->n; ++i) {
        for (int k = 0; k < w->n; ++k) {
            b[i] += w->K[0][i * w->size + k] * d[k];
        }
    }
    if (w->split) {
        tml_small_solve(w->size, w->along, w->pivot_along, b);
        memcpy(d, b, (size_t)w->n * sizeof *d);
    }
    return w->split;
}

/* The size of the last corrections of the end of the step that its projection would leave. */
static double size_along(const TmlIntegrator *it, TmlRadauJoints *w)
{
    memcpy(w->ex, w->way[LAST], (size_t)w->n * sizeof(double));
    memcpy(w->ew, w->dw[LAST], (size_t)w->all * sizeof(double));
    return leave_along(w, w->ex) && leave_along(w, w->ew)
               ? size_of_changes(it, w, LAST, w->ex, w->ew)
               : (double)NAN;
}

/* Judges a correction: by its whole size, or, where a new matrix does not bring that down, by what it is along the loops as long as its
 * square is small (R9). */
static TmlConvergenceVerdict judge(const TmlIntegrator *it, TmlRadauJoints *w, double size,
                                   int more, TmlConvergence *whole, TmlConvergence *along)
{
    TmlConvergenceVerdict verdict = TML_GO_ON;
    if (!w->weak) {
        verdict = tml_convergence_judge(whole, size, more);
        w->rate = whole->rate;
        w->measured = whole->n > 1;
        w->weak = (verdict == TML_STALLED || verdict == TML_SLOW) && w->present && w->size > w->all;
    }
    if (w->weak) {
        const double part = size_along(it, w);
        const bool small = size * size * it->norm.rotation <= whole->target;
        verdict = small && isfinite(part) ? tml_convergence_judge(along, part, more) : TML_STALLED;
    }
    return verdict;
}

/* (R5) */
static bool iterate(TmlIntegrator *it, TmlRadauJoints *w, TmlAttempt *out)
{
    const TmlRadauOptions *o = it->opts;
    TmlConvergence whole = {.share = 1.0,
                            .target = o->newton,
                            .floor = tml_norm_rounding_floor(it->sys, &it->norm, it->now.q),
                            .noise = noise};
    TmlConvergence along = whole;
    TmlConvergenceVerdict verdict = TML_GO_ON;
    whole.rate = w->rate;
    whole.stall_after = whole.slow_after = 2;
    along.rate = 0.5;
    w->measured = w->weak = false;
    for (int more = o->max_iterations - 1; more >= 0 && verdict == TML_GO_ON; --more) {
        out->cause = TML_CAUSE_NONFINITE;
        if (!residuals(it, w)) {
            return false;
        }
        solve(w);
        const double size = correct(it, w);
        if (!isfinite(size)) {
            return false;
        }
        out->iterations++;
        it->iterations++;
        verdict = judge(it, w, size, more, &whole, &along);
    }
    out->converged = verdict == TML_CONVERGED;
    out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NEWTON;
    return out->converged;
}

/* --- (R6), (R7) ------------------------------------------------------------------------------- */

/* Turns the bracket, c_x in w->ex and c_w in w->ew, into the error. */
static void filter(TmlRadauJoints *w)
{
    const double g = w->h / radau_g;
    double *s = w->r[0];
    for (int i = 0; i < w->size; ++i) {
        const double *K0 = w->K[0] + i * w->size, *K2 = w->K[2] + i * w->size;
        double sum = 0.0;
        for (int k = 0; k < w->all; ++k) {
            sum += K0[k] * w->ew[k];
        }
        for (int k = 0; k < w->n; ++k) {
            sum -= g * K2[k] * w->ex[k];
        }
        s[i] = sum;
    }
    tml_small_solve(w->size, w->real, w->pivot, s);
    for (int k = 0; k < w->all; ++k) {
        w->ew[k] = g * s[k];
    }
    for (int k = 0; k < w->n; ++k) {
        w->ex[k] = g * (w->ew[k] + w->ex[k]);
    }
}

static double size_of_error(const TmlIntegrator *it, TmlRadauJoints *w, int *at)
{
    int where = -1;
    tml_charts_change(w->recursion, w->x[LAST], w->ex, w->dx);
    tml_recursion_spread_speeds(w->recursion, w->dx, w->du);
    const double x = tml_norm_u(it->sys, &it->norm, w->du, at);
    tml_charts_change(w->recursion, w->x[LAST], w->ew, w->dx);
    tml_recursion_spread_speeds(w->recursion, w->dx, w->du);
    const double v = tml_norm_w(it->sys, &it->norm, w->du, &where);
    *at = v > x ? where : *at;
    double size = v > x || isnan(v) ? v : x;
    const double states = tml_norm_x(it->sys, &it->norm, w->ew + w->n, &where);
    *at = states > size ? where : *at;
    return states > size || isnan(states) ? states : size;
}

static double local_error(const TmlIntegrator *it, TmlRadauJoints *w, int *at)
{
    const TmlRadauOptions *o = it->opts;
    const double scale = o->error == 0 ? 10.0 * cbrt(it->norm.rotation) : 1.0;
    const double *e = radau_e, *f = radau_f, g = w->h / radau_g;
    for (int k = 0; k < w->all; ++k) {
        const double a = w->z[0][k], b = w->z[1][k], c = w->z[2][k];
        if (k < w->n) {
            w->ex[k] = w->h * (f[0] * a + f[1] * b + f[2] * c);
        }
        w->ew[k] = w->start[k] + e[0] * a + e[1] * b + e[2] * c;
    }
    filter(w);
    double size = scale * size_of_error(it, w, at);
    if (size >= 1.0 && w->weak && leave_along(w, w->ex) && leave_along(w, w->ew)) { // (R9)
        size = scale * size_of_error(it, w, at);
    }
    if (size >= 1.0 && w->rejected) { // once more: a start may have fast transients
        for (int k = 0; k < w->all; ++k) {
            w->ew[k] /= g;
        }
        for (int k = 0; k < w->n; ++k) {
            w->ex[k] /= g;
        }
        filter(w);
        size = scale * size_of_error(it, w, at);
    }
    return fmax(size, tml_radau_turned(w->spin * w->h));
}

/* --- the end of a step ------------------------------------------------------------------------- */

static TmlPower power_at(const TmlIntegrator *it, TmlRadauJoints *w, double t)
{
    w->s.t = t;
    tml_tangent_powers(w->tangent, &w->s, w->X, w->Y, w->Y1 + w->all);
    return tml_system_power(it->sys);
}

/* Notes the powers of the stages (R16); variables and forces of w->s are those of the end then. */
static void note_powers(const TmlIntegrator *it, TmlRadauJoints *w)
{
    const TmlDims *dim = tml_dims(it->sys);
    for (int i = w->accounts ? 0 : LAST; i < STAGES && (w->accounts || dim->nv + dim->nf > 0);
         ++i) {
        tml_radau_joints_move(w, w->x[i], w->w[i], w->z[i]);
        w->power[i + 1] = power_at(it, w, it->now.t + radau_c[i] * w->h);
    }
}

/* Computes accelerations, rates of states and multipliers at positions X and speeds Y, which are on the loops. */
static bool solve_at(TmlRadauJoints *w, double t, const double *X, const double *Y, double *Y1)
{
    const size_t states = (size_t)(w->all - w->n) * sizeof *Y;
    w->s.t = t;
    memcpy(w->s.X, Y + w->n, states);
    if (!tml_recursion_rates(w->recursion, &w->s, X, Y, HUGE_VAL, w->X1, Y1)) {
        return false;
    }
    memcpy(Y1 + w->n, w->s.Xd, states);
    memcpy(Y1 + w->all, tml_recursion_multipliers(w->recursion),
           (size_t)(w->size - w->all) * sizeof *Y1);
    return true;
}

/* Sets the end of the step from the last stage, on the loops. */
static bool end_step(const TmlIntegrator *it, TmlRadauJoints *w)
{
    tml_radau_joints_move(w, w->x[LAST], w->w[LAST], w->z[LAST]);
    memcpy(w->end_x, w->X, (size_t)w->positions * sizeof(double));
    memcpy(w->end_w, w->Y, (size_t)w->all * sizeof(double));
    memcpy(w->end_a, w->Y1, (size_t)w->size * sizeof(double));
    // without loops that normalises quaternions
    return tml_recursion_close(w->recursion, it->now.t + w->h, w->end_x, w->end_w) &&
           (w->size == w->all || solve_at(w, it->now.t + w->h, w->end_x, w->end_w, w->end_a));
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Sets the start of a step at positions x and speeds v. */
static void start_at(TmlRadauJoints *w, const double *x, const double *v)
{
    memcpy(w->base, x, (size_t)w->positions * sizeof *x);
    memcpy(w->w_n, v, (size_t)w->all * sizeof *v);
    tml_charts_begin(w->recursion, x, w->x_n);
}

/* Makes the end of the step that was taken the start of the next. */
static void go_on(const TmlIntegrator *it, TmlRadauJoints *w)
{
    if (w->taken) {
        start_at(w, w->end_x, w->end_w);
        w->power[0] = w->power[NODES - 1];
        w->taken = false;
    }
    // rows of loops are chosen anew: multipliers of other rows have no past
    if (tml_recursion_worn(w->recursion) &&
        tml_recursion_choose(w->recursion, it->now.t, w->base, w->w_n) &&
        solve_at(w, it->now.t, w->base, w->w_n, w->start)) {
        w->h_last = 0.0;
        w->assembled = w->present = false;
    }
}

void tml_radau_joints_put(const TmlRadauJoints *w, double t, const double *x, const double *v,
                          const double *a, bool place, TmlState *s)
{
    const size_t states = (size_t)(w->all - w->n) * sizeof *x;
    s->t = t;
    memcpy(s->X, v + w->n, states);
    memcpy(s->Xd, a + w->n, states);
    tml_recursion_state(w->recursion, x, v, a, false, place, s);
}

void tml_radau_joints_put_values(const TmlIntegrator *it, const TmlRadauJoints *w, TmlState *s)
{
    const TmlDims *dim = tml_dims(it->sys);
    memcpy(s->V, w->s.V, (size_t)dim->nv * sizeof *s->V);
    memcpy(s->F, w->s.F, (size_t)dim->nf * sizeof *s->F);
}

static bool try_step(TmlIntegrator *it, TmlRadauJoints *w, bool renew, TmlAttempt *out)
{
    predict(w);
    return ready(it, w, renew, out) && iterate(it, w, out);
}

void tml_radau_joints_attempt(TmlIntegrator *it, double h, TmlAttempt *out)
{
    const TmlRadau *all = it->work;
    const TmlRadauOptions *o = it->opts;
    TmlRadauJoints *w = all->joints;
    *out = (TmlAttempt){.order = 3, .worst = -1};
    go_on(it, w);
    w->h = h;
    w->present = w->present && h == w->h_matrix;
    const bool renew = !w->assembled || (!w->present && w->rate > o->reuse);
    if (!try_step(it, w, renew, out) && !w->present) {
        try_step(it, w, true, out);
    }
    if (!out->converged) {
        return;
    }
    out->error = local_error(it, w, &out->worst);
    out->converged = isfinite(out->error);
    out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NONFINITE;
    note_powers(it, w);
    if (!end_step(it, w)) {
        out->converged = false;
        out->cause = TML_CAUSE_NEWTON;
        return;
    }
    tml_radau_joints_put(w, it->now.t + h, w->end_x, w->end_w, w->end_a, true,
                         &it->next); // the driver looks at paces and turns
    tml_radau_joints_put_values(it, w, &it->next);
}

void tml_radau_joints_accept(TmlIntegrator *it)
{
    const TmlRadau *all = it->work;
    TmlRadauJoints *w = all->joints;
    const size_t size = (size_t)w->size * sizeof(double);
    memcpy(w->node[0], w->start, size);
    for (int i = 0; i < STAGES; ++i) {
        tml_radau_joints_move(w, w->x[i], w->w[i], w->z[i]);
        memcpy(w->node[i + 1], w->Y1, size);
    }
    memcpy(w->start, w->end_a, size);
    w->h_last = w->h;
    w->taken = true;
    w->present = w->rejected = false;
}

void tml_radau_joints_reject(TmlIntegrator *it)
{
    const TmlRadau *all = it->work;
    all->joints->rejected = true;
}

void tml_radau_joints_restart(TmlIntegrator *it)
{
    const TmlRadau *all = it->work;
    TmlRadauJoints *w = all->joints;
    w->taken = w->assembled = w->present = false;
    w->rejected = true;
    w->h_last = 0.0;
    w->rate = 1.0;
    tml_state_copy(it->sys, &it->now, &w->s);
    const bool good = tml_recursion_begin(w->recursion, &it->now, w->end_x, w->end_w);
    memcpy(w->end_w + w->n, it->now.X, (size_t)(w->all - w->n) * sizeof(double));
    start_at(w, w->end_x, w->end_w);
    if (!good || !solve_at(w, it->now.t, w->base, w->w_n, w->start)) {
        for (int k = 0; k < w->n; ++k) {
            w->start[k] = (double)NAN; // the first step then says that there is none
        }
    }
    if (w->accounts) {
        tml_radau_joints_move(w, w->x_n, w->w_n, w->start);
        w->power[0] = power_at(it, w, it->now.t);
    }
}

/* --- set-up ----------------------------------------------------------------------------------- */

static TmlStatus take_room(TmlIntegrator *it, TmlRadauJoints *w, TmlError *err)
{
    const int n = w->size > w->positions ? w->size : w->positions;
    const size_t square = (size_t)w->size * (size_t)w->size;
    double **own[] = {&w->x_n, &w->w_n, &w->start, &w->ex,    &w->ew,    &w->dx,    &w->base,
                      &w->X,   &w->Y,   &w->Y1,    &w->end_x, &w->end_w, &w->end_a, &w->X1};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        TML_NEW(it->arena, *own[k], n);
    }
    for (int i = 0; i < STAGES; ++i) {
        TML_NEW(it->arena, w->z[i], n);
        TML_NEW(it->arena, w->x[i], n);
        TML_NEW(it->arena, w->w[i], n);
        TML_NEW(it->arena, w->r[i], n);
        TML_NEW(it->arena, w->dw[i], n);
        TML_NEW(it->arena, w->way[i], n);
        TML_NEW(it->arena, w->K[i], square);
    }
    for (int i = 0; i < NODES; ++i) {
        TML_NEW(it->arena, w->node[i], n);
    }
    TML_NEW(it->arena, w->real, square);
    TML_NEW(it->arena, w->complex, 2 * square);
    TML_NEW(it->arena, w->both, 2 * n);
    TML_NEW(it->arena, w->pivot, n);
    TML_NEW(it->arena, w->pivot_complex, n);
    TML_NEW(it->arena, w->along, square);
    TML_NEW(it->arena, w->pivot_along, n);
    TML_NEW(it->arena, w->du, tml_dims(it->sys)->nu);
    w->accounts = !tml_system_is_conservative(it->sys);
    TML_TRY(tml_state_create_in(it->sys, it->arena, &w->s, err));
    return tml_tangent_create(w->recursion, &w->tangent, err);
}

static int unknowns(const TmlSystem *sys, const TmlRecursion *r)
{
    return tml_recursion_speeds(r) + tml_dims(sys)->nx + tml_recursion_rows(r);
}

/* Why joint coordinates do not suit the model, or NULL. */
static const char *unfit(const TmlSystem *sys, const TmlRecursion *r, bool asked)
{
    const char *why = tml_tangent_refuse(r);
    if (why == NULL && tml_system_is_rough(sys, true)) {
        why = "a force is not smooth (friction or a switch)";
    }
    if (why == NULL && tml_system_is_delayed(sys)) {
        why = "it has delays";
    }
    if (why == NULL && !asked && unknowns(sys, r) > MOST_UNKNOWNS) {
        why = "there are more than 80";
    }
    return why;
}

bool tml_radau_fits_joints(TmlSystem *sys, const TmlState *s)
{
    TmlRecursion *r;
    TmlError refused = {0};
    const char *why;
    const TmlStatus status = tml_recursion_create(sys, s, &r, &why, &refused);
    const bool fits = status == TML_OK && unfit(sys, r, false) == NULL;
    tml_recursion_free(r);
    return fits;
}

/* Makes the recursion; *why: why joint coordinates do not suit the model. */
static TmlStatus try_joints(TmlIntegrator *it, bool asked, const char **why, TmlError *err)
{
    TmlRadau *all = it->work;
    TmlRadauJoints *w;
    TmlRecursion *r;
    TmlError refused = {0};
    const TmlStatus status = tml_recursion_create(it->sys, &it->now, &r, why, &refused);
    if (status != TML_OK && *why == NULL) {
        if (err != NULL) {
            *err = refused;
        }
        return status;
    }
    if (*why != NULL) {
        return TML_OK;
    }
    TML_NEW(it->arena, w, 1);
    w->recursion = r;
    w->positions = tml_recursion_positions(r);
    w->n = tml_recursion_speeds(r);
    w->all = w->n + tml_dims(it->sys)->nx;
    w->size = unknowns(it->sys, r);
    all->joints = w; // which frees r
    *why = unfit(it->sys, r, asked);
    if (*why == NULL) {
        return take_room(it, w, err);
    }
    tml_radau_joints_free(w);
    all->joints = NULL;
    return TML_OK;
}

TmlStatus tml_radau_joints_setup(TmlIntegrator *it, TmlError *err)
{
    const TmlRadau *all = it->work;
    const TmlRadauOptions *o = it->opts;
    const char *why = "as asked for";
    const bool asked = o->coordinates == TML_COORDINATES_RECURSIVE;
    if (o->coordinates != TML_COORDINATES_ABSOLUTE) {
        why = NULL;
        TML_TRY(try_joints(it, asked, &why, err));
    }
    if (why != NULL && asked) {
        return tml_fail(err, TML_E_MODEL,
                        "coordinates=recursive: not with this model, %s; use "
                        "coordinates=auto or absolute",
                        why);
    }
    it->own_rows = why == NULL;
    tml_coordinates_note(it, why, all->joints != NULL ? all->joints->recursion : NULL);
    return TML_OK;
}

void tml_radau_joints_free(TmlRadauJoints *w)
{
    if (w != NULL) {
        tml_recursion_free(w->recursion);
    }
}
