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

#include "analysis/integrator/convergence.h"
#include "analysis/integrator/radau/radau_tables.h"
#include "base/fail.h"
#include "math/small_lu.h"

#include <math.h>
#include <string.h>

enum { STAGES = TML_RADAU_STAGES, NODES = TML_RADAU_NODES, LAST = STAGES - 1 };

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
    integrate(w->j.all, w->h, w->j.w_n, w->z, w->w);
    integrate(w->j.n, w->h, w->j.x_n, w->w, w->x);
}

static void predict(TmlRadauJoints *w)
{
    enum { PASSES = 2 };
    double l[3][NODES];
    for (int i = 0; i < STAGES; ++i) {
        if (!(w->h_last > 0.0)) {
            memcpy(w->z[i], w->j.start, (size_t)w->j.size * sizeof(double));
        } else {
            tml_radau_weights(1.0 + radau_c[i] * w->h / w->h_last, l);
            for (int k = 0; k < w->j.size; ++k) {
                w->z[i][k] = l[0][0] * w->node[0][k] + l[0][1] * w->node[1][k] +
                             l[0][2] * w->node[2][k] + l[0][3] * w->node[3][k];
            }
        }
        memcpy(w->r[i], w->z[i], (size_t)w->j.n * sizeof(double));
    }
    stage_values(w);
    // the polynomial is one of accelerations, which do not depend on the charts
    for (int pass = 0; pass < PASSES && w->j.positions > w->j.n; ++pass) {
        for (int i = 0; i < STAGES; ++i) {
            if (tml_charts_hold(w->j.recursion, w->x[i])) {
                tml_charts_second(w->j.recursion, w->x[i], w->w[i], w->r[i], w->z[i]);
            }
        }
        stage_values(w);
    }
}

static bool residual(const TmlIntegrator *it, TmlRadauJoints *w, int i)
{
    return tml_joint_steps_residual(&w->j, it->now.t + radau_c[i] * w->h, w->x[i], w->w[i], w->z[i],
                                    w->r[i]);
}

static bool residuals(const TmlIntegrator *it, TmlRadauJoints *w)
{
    w->spin = 0.0;
    for (int i = 0; i < STAGES; ++i) {
        if (!residual(it, w, i)) {
            return false;
        }
        w->spin = fmax(w->spin, tml_tangent_spin(w->j.tangent));
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
    for (int k = 0; k < w->j.size * w->j.size; ++k) {
        const double K0 = w->j.K[0][k], K1 = w->j.K[1][k], K2 = w->j.K[2][k];
        double *z = w->complex + 2 * (ptrdiff_t)k;
        w->real[k] = K0 + g * (K1 + g * K2);
        z[0] = K0 + re * K1 + re2 * K2;
        z[1] = im * K1 + im2 * K2;
    }
    const bool good = tml_small_factor(w->j.size, w->real, w->pivot) &&
                      tml_small_factor_complex(w->j.size, w->complex, w->pivot_complex);
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
        tml_joint_steps_matrices(&w->j, w->x[LAST - 1], w->w[LAST - 1], w->z[LAST - 1]);
        tml_charts_matrices(w->j.recursion, w->x[LAST - 1], w->w[LAST - 1], w->z[LAST - 1],
                            w->j.size, w->j.K);
        w->assembled = w->present = true;
        w->h_matrix = w->h;
        w->h_factor = 0.0;
    }
    out->cause = TML_CAUSE_SINGULAR;
    return w->h_factor == w->h || factor(w);
}

/* (R4): residuals go in, corrections come out. */
static void solve(TmlRadauJoints *w)
{
    double *const *r = w->r, *z = w->both;
    const double(*T)[3] = radau_T_inverse;
    for (int k = 0; k < w->j.size; ++k) {
        const double a = r[0][k], b = r[1][k], c = r[2][k];
        r[0][k] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
        z[2 * (ptrdiff_t)k] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
        z[2 * (ptrdiff_t)k + 1] = T[2][0] * a + T[2][1] * b + T[2][2] * c;
    }
    tml_small_solve(w->j.size, w->real, w->pivot, r[0]);
    tml_small_solve_complex(w->j.size, w->complex, w->pivot_complex, z);
    T = radau_T;
    for (int k = 0; k < w->j.size; ++k) {
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
    for (int k = 0; k < w->j.all - w->j.n; ++k) {
        dX[k] = tml_norm_state_rounded(&it->norm, k, X[k], dX[k]) ? 0.0 : dX[k];
    }
    return tml_norm_x(it->sys, &it->norm, dX, NULL);
}

/* (R15): bounds changes x of coordinates and v of rates, with states behind them, of stage i. Changes w->dx. */
static double size_of_changes(const TmlIntegrator *it, TmlRadauJoints *w, int i, const double *x,
                              const double *v)
{
    const TmlNorm *norm = &it->norm;
    const double way = tml_tangent_bound(w->j.tangent, x, norm->translation, norm->rotation);
    const double rate = tml_tangent_bound(w->j.tangent, v, norm->translation, norm->rotation);
    double size = fmax(way, rate / norm->rate);
    if (w->j.all > w->j.n) {
        memcpy(w->dx, v + w->j.n, (size_t)(w->j.all - w->j.n) * sizeof(double));
        const double states = size_of_states(it, w, w->w[i] + w->j.n, w->dx);
        size = !(states <= size) ? states : size;
    }
    return size;
}

/* Makes the corrections and returns their size. */
static double correct(const TmlIntegrator *it, TmlRadauJoints *w)
{
    double big = 0.0;
    integrate(w->j.all, w->h, NULL, w->r, w->dw);
    integrate(w->j.n, w->h, NULL, w->dw, w->way);
    for (int i = 0; i < STAGES; ++i) {
        const double size = size_of_changes(it, w, i, w->way[i], w->dw[i]);
        for (int k = 0; k < w->j.size; ++k) {
            w->z[i][k] -= w->r[i][k];
        }
        big = !(size <= big) ? size : big;
    }
    stage_values(w); // sums of corrections would keep the rounding of a wild prediction
    return big;
}

/* The size of the last corrections of the end of the step that its projection would leave. */
static double size_along(const TmlIntegrator *it, TmlRadauJoints *w)
{
    memcpy(w->ex, w->way[LAST], (size_t)w->j.n * sizeof(double));
    memcpy(w->ew, w->dw[LAST], (size_t)w->j.all * sizeof(double));
    return tml_joint_steps_along(&w->j, w->ex) && tml_joint_steps_along(&w->j, w->ew)
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
        w->weak =
            (verdict == TML_STALLED || verdict == TML_SLOW) && w->present && w->j.size > w->j.all;
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
    for (int i = 0; i < w->j.size; ++i) {
        const double *K0 = w->j.K[0] + i * w->j.size, *K2 = w->j.K[2] + i * w->j.size;
        double sum = 0.0;
        for (int k = 0; k < w->j.all; ++k) {
            sum += K0[k] * w->ew[k];
        }
        for (int k = 0; k < w->j.n; ++k) {
            sum -= g * K2[k] * w->ex[k];
        }
        s[i] = sum;
    }
    tml_small_solve(w->j.size, w->real, w->pivot, s);
    for (int k = 0; k < w->j.all; ++k) {
        w->ew[k] = g * s[k];
    }
    for (int k = 0; k < w->j.n; ++k) {
        w->ex[k] = g * (w->ew[k] + w->ex[k]);
    }
}

static double size_of_error(const TmlIntegrator *it, TmlRadauJoints *w, int *at)
{
    return tml_joint_steps_norm(it, &w->j, w->x[LAST], w->ex, w->ew, at);
}

static double local_error(const TmlIntegrator *it, TmlRadauJoints *w, int *at)
{
    const TmlRadauOptions *o = it->opts;
    const double scale = o->error == 0 ? 10.0 * cbrt(it->norm.rotation) : 1.0;
    const double *e = radau_e, *f = radau_f, g = w->h / radau_g;
    for (int k = 0; k < w->j.all; ++k) {
        const double a = w->z[0][k], b = w->z[1][k], c = w->z[2][k];
        if (k < w->j.n) {
            w->ex[k] = w->h * (f[0] * a + f[1] * b + f[2] * c);
        }
        w->ew[k] = w->j.start[k] + e[0] * a + e[1] * b + e[2] * c;
    }
    filter(w);
    double size = scale * size_of_error(it, w, at);
    if (size >= 1.0 && w->weak && tml_joint_steps_along(&w->j, w->ex) &&
        tml_joint_steps_along(&w->j, w->ew)) { // (R9)
        size = scale * size_of_error(it, w, at);
    }
    if (size >= 1.0 && w->rejected) { // once more: a start may have fast transients
        for (int k = 0; k < w->j.all; ++k) {
            w->ew[k] /= g;
        }
        for (int k = 0; k < w->j.n; ++k) {
            w->ex[k] /= g;
        }
        filter(w);
        size = scale * size_of_error(it, w, at);
    }
    return fmax(size, tml_radau_turned(w->spin * w->h));
}

/* --- the end of a step ------------------------------------------------------------------------- */

/* At the motion of the last move. */
static TmlPower power_at(const TmlIntegrator *it, TmlRadauJoints *w, double t)
{
    w->j.s.t = t;
    tml_tangent_powers(w->j.tangent, &w->j.s, w->j.X, w->j.Y, w->j.Y1 + w->j.all);
    return tml_system_power(it->sys);
}

/* Notes the powers of the stages (R16); variables and forces of w->j.s are those of the end then. */
static void note_powers(const TmlIntegrator *it, TmlRadauJoints *w)
{
    const TmlDims *dim = tml_dims(it->sys);
    for (int i = w->accounts ? 0 : LAST; i < STAGES && (w->accounts || dim->nv + dim->nf > 0);
         ++i) {
        tml_joint_steps_move(&w->j, w->x[i], w->w[i], w->z[i]);
        w->power[i + 1] = power_at(it, w, it->now.t + radau_c[i] * w->h);
    }
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Makes the end of the step that was taken the start of the next. */
static void go_on(const TmlIntegrator *it, TmlRadauJoints *w)
{
    if (w->taken) {
        tml_joint_steps_advance(&w->j);
        w->power[0] = w->power[NODES - 1];
        w->taken = false;
    }
    if (tml_joint_steps_choose(it, &w->j)) { // multipliers of other rows have no past
        w->h_last = 0.0;
        w->assembled = w->present = false;
    }
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
    tml_joint_steps_move(&w->j, w->x[LAST], w->w[LAST], w->z[LAST]);
    if (!tml_joint_steps_end(&w->j, it->now.t + h)) {
        out->converged = false;
        out->cause = TML_CAUSE_NEWTON;
        return;
    }
    tml_joint_steps_put(&w->j, it->now.t + h, w->j.end_x, w->j.end_w, w->j.end_a, true,
                        &it->next); // the driver looks at paces and turns
    tml_joint_steps_put_values(it, &w->j, &it->next);
}

void tml_radau_joints_accept(TmlIntegrator *it)
{
    const TmlRadau *all = it->work;
    TmlRadauJoints *w = all->joints;
    const size_t size = (size_t)w->j.size * sizeof(double);
    memcpy(w->node[0], w->j.start, size);
    for (int i = 0; i < STAGES; ++i) {
        tml_joint_steps_move(&w->j, w->x[i], w->w[i], w->z[i]);
        memcpy(w->node[i + 1], w->j.Y1, size);
    }
    memcpy(w->j.start, w->j.end_a, size);
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
    tml_joint_steps_restart(it, &w->j);
    if (w->accounts) {
        tml_joint_steps_move(&w->j, w->j.x_n, w->j.w_n, w->j.start);
        w->power[0] = power_at(it, w, it->now.t);
    }
}

/* --- set-up ----------------------------------------------------------------------------------- */

static TmlStatus take_room(TmlIntegrator *it, TmlRadauJoints *w, TmlError *err)
{
    const int n = w->j.size;
    const size_t square = (size_t)n * (size_t)n;
    (void)err;
    TML_NEW(it->arena, w->ex, n);
    TML_NEW(it->arena, w->ew, n);
    TML_NEW(it->arena, w->dx, n);
    for (int i = 0; i < STAGES; ++i) {
        TML_NEW(it->arena, w->z[i], n);
        TML_NEW(it->arena, w->x[i], n);
        TML_NEW(it->arena, w->w[i], n);
        TML_NEW(it->arena, w->r[i], n);
        TML_NEW(it->arena, w->dw[i], n);
        TML_NEW(it->arena, w->way[i], n);
    }
    for (int i = 0; i < NODES; ++i) {
        TML_NEW(it->arena, w->node[i], n);
    }
    TML_NEW(it->arena, w->real, square);
    TML_NEW(it->arena, w->complex, 2 * square);
    TML_NEW(it->arena, w->both, 2 * (size_t)n);
    TML_NEW(it->arena, w->pivot, n);
    TML_NEW(it->arena, w->pivot_complex, n);
    w->accounts = !tml_system_is_conservative(it->sys);
    return TML_OK;
}

TmlStatus tml_radau_joints_setup(TmlIntegrator *it, TmlError *err)
{
    TmlRadau *all = it->work;
    const TmlRadauOptions *o = it->opts;
    TmlRadauJoints *w;
    TML_NEW(it->arena, w, 1);
    all->joints = w; // which frees what it has
    TML_TRY(tml_joint_steps_setup(it, o->coordinates, NULL, &w->j, err));
    if (w->j.recursion == NULL) {
        all->joints = NULL;
        return TML_OK;
    }
    return take_room(it, w, err);
}

void tml_radau_joints_free(TmlRadauJoints *w)
{
    if (w != NULL) {
        tml_joint_steps_free(&w->j);
    }
}
