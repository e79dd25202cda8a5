/* analysis/integrator/radau/radau_joints.c - radau in joint coordinates of a tree: (R1) to (R8) of radau.c, where
 *
 *   (R14) x are the joint coordinates themselves, w = x' their speeds and x'' = z the unknowns of a stage; (R2) is (N10) of
 *         system/recursion, K_0, K_1, K_2 are (N11) and (N13). User states stand behind the speeds, in w, and their rates in z. There are no multipliers, no chart ends, and nothing is projected
 *   (R15) corrections are judged by a bound of what they move: a coordinate moves what is behind its joint by no more than its
 *         distance. The local error is that of the bodies
 *   (R16) the work of forces is one more component, W' = P: (R8) with the powers at the start and at the stages. Its error, O(h^6),
 *         is about a^2 / b with the error a of the embedded formula, O(h^4), and b = h (P_1 - (P_0 + P_3) / 2), O(h^2)
 *
 * Matrices are dense: joint coordinates are few, or the model is left to coordinates of bodies.
 */
#include "analysis/integrator/explicit/explicit_problem.h"
#include "analysis/integrator/radau/radau.h"

#include "analysis/integrator/convergence.h"
#include "analysis/integrator/radau/radau_tables.h"
#include "base/fail.h"
#include "math/small_lu.h"
#include "system/recursion/recursion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STAGES = TML_RADAU_STAGES, NODES = TML_RADAU_NODES, LAST = STAGES - 1 };
enum { MOST_SPEEDS = 80 }; /* beyond, sparse matrices of all bodies are as cheap */

/* Corrections that no longer shrink and are this small a part of the tolerance are rounding. */
static const double noise = 0.3;

struct TmlRadauJoints {
    TmlRecursion *recursion;
    TmlTangent *tangent;
    int n, all;                                /* coordinates, and speeds; speeds and states */
    double *x_n, *w_n, *start;                 /* start of the step, with its accelerations */
    double *z[STAGES], *x[STAGES], *w[STAGES]; /* (R1) */
    double *r[STAGES];                         /* residuals, then corrections */
    double *dw[STAGES], *way[STAGES];          /* changes of w and x by them */
    double *node[NODES];                       /* accelerations of the last accepted step */
    double *K[3], *real, *complex, *both;      /* matrices; factors; two right sides */
    int *pivot, *pivot_complex;
    double *ex, *ew, *dx; /* (R6); scratch */
    double *du;           /* of bodies */
    TmlState s;           /* time of a stage */
    double h, h_last, h_factor, h_matrix, rate, spin;
    bool assembled, present, rejected, measured, taken;
    bool accounts;
    TmlPower power[NODES]; /* at the start and the stages */
};

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
    double l[3][NODES];
    for (int i = 0; i < STAGES; ++i) {
        if (!(w->h_last > 0.0)) {
            memcpy(w->z[i], w->start, (size_t)w->all * sizeof(double));
            continue;
        }
        tml_radau_weights(1.0 + radau_c[i] * w->h / w->h_last, l);
        for (int k = 0; k < w->all; ++k) {
            w->z[i][k] = l[0][0] * w->node[0][k] + l[0][1] * w->node[1][k] +
                         l[0][2] * w->node[2][k] + l[0][3] * w->node[3][k];
        }
    }
    stage_values(w);
}

static bool residual(const TmlIntegrator *it, TmlRadauJoints *w, int i)
{
    w->s.t = it->now.t + radau_c[i] * w->h;
    return tml_tangent_residual(w->tangent, &w->s, w->x[i], w->w[i], w->z[i], w->r[i]);
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
    for (int k = 0; k < w->all * w->all; ++k) {
        const double K0 = w->K[0][k], K1 = w->K[1][k], K2 = w->K[2][k];
        double *z = w->complex + 2 * (ptrdiff_t)k;
        w->real[k] = K0 + g * (K1 + g * K2);
        z[0] = K0 + re * K1 + re2 * K2;
        z[1] = im * K1 + im2 * K2;
    }
    const bool good = tml_small_factor(w->all, w->real, w->pivot) &&
                      tml_small_factor_complex(w->all, w->complex, w->pivot_complex);
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
    for (int k = 0; k < w->all; ++k) {
        const double a = r[0][k], b = r[1][k], c = r[2][k];
        r[0][k] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
        z[2 * (ptrdiff_t)k] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
        z[2 * (ptrdiff_t)k + 1] = T[2][0] * a + T[2][1] * b + T[2][2] * c;
    }
    tml_small_solve(w->all, w->real, w->pivot, r[0]);
    tml_small_solve_complex(w->all, w->complex, w->pivot_complex, z);
    T = radau_T;
    for (int k = 0; k < w->all; ++k) {
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

/* (R15): makes the corrections and returns the bound. */
static double correct(const TmlIntegrator *it, TmlRadauJoints *w)
{
    const TmlNorm *norm = &it->norm;
    double big = 0.0;
    integrate(w->all, w->h, NULL, w->r, w->dw);
    integrate(w->n, w->h, NULL, w->dw, w->way);
    for (int i = 0; i < STAGES; ++i) {
        const double x =
            tml_tangent_bound(w->tangent, w->way[i], norm->translation, norm->rotation);
        const double v = tml_tangent_bound(w->tangent, w->dw[i], norm->translation, norm->rotation);
        double size = fmax(x, v / norm->rate);
        for (int k = 0; k < w->all; ++k) {
            w->z[i][k] -= w->r[i][k];
        }
        if (w->all > w->n) {
            memcpy(w->dx, w->dw[i] + w->n, (size_t)(w->all - w->n) * sizeof(double));
            const double states = size_of_states(it, w, w->w[i] + w->n, w->dx);
            size = !(states <= size) ? states : size;
        }
        big = !(size <= big) ? size : big;
    }
    stage_values(w); // sums of corrections would keep the rounding of a wild prediction
    return big;
}

/* (R5) */
static bool iterate(TmlIntegrator *it, TmlRadauJoints *w, TmlAttempt *out)
{
    const TmlRadauOptions *o = it->opts;
    TmlConvergence c = {.share = 1.0,
                        .target = o->newton,
                        .floor = tml_norm_rounding_floor(it->sys, &it->norm, it->now.q),
                        .noise = noise,
                        .rate = w->rate,
                        .stall_after = 2,
                        .slow_after = 2};
    TmlConvergenceVerdict verdict = TML_GO_ON;
    w->measured = false;
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
        verdict = tml_convergence_judge(&c, size, more);
        w->rate = c.rate;
        w->measured = c.n > 1;
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
    for (int i = 0; i < w->all; ++i) {
        const double *K0 = w->K[0] + i * w->all, *K2 = w->K[2] + i * w->all;
        double sum = 0.0;
        for (int k = 0; k < w->all; ++k) {
            sum += K0[k] * w->ew[k];
        }
        for (int k = 0; k < w->n; ++k) {
            sum -= g * K2[k] * w->ex[k];
        }
        s[i] = sum;
    }
    tml_small_solve(w->all, w->real, w->pivot, s);
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
    tml_recursion_spread_positions(w->recursion, w->ex, w->du);
    const double x = tml_norm_u(it->sys, &it->norm, w->du, at);
    tml_recursion_spread_speeds(w->recursion, w->ew, w->du);
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

/* --- (R16) ------------------------------------------------------------------------------------ */

enum { POWERS = sizeof(TmlPower) / sizeof(double) };

static TmlPower power_at(const TmlIntegrator *it, TmlRadauJoints *w, double t, const double *x,
                         const double *v)
{
    w->s.t = t;
    tml_tangent_powers(w->tangent, &w->s, x, v);
    return tml_system_power(it->sys);
}

/* Notes the powers of the stages; variables and forces of w->s are those of the end then. */
static void note_powers(const TmlIntegrator *it, TmlRadauJoints *w)
{
    const TmlDims *dim = tml_dims(it->sys);
    for (int i = w->accounts ? 0 : LAST; i < STAGES && (w->accounts || dim->nv + dim->nf > 0);
         ++i) {
        w->power[i + 1] = power_at(it, w, it->now.t + radau_c[i] * w->h, w->x[i], w->w[i]);
    }
}

/* The error of order 6 in h of (R16), from one of order 4 and one of order 2: each is the next one times the square of their ratio. */
static double work_error(double fourth, double second)
{
    const double a = fabs(fourth), b = fabs(second);
    return a < b ? a * (a / b) : a;
}

bool tml_radau_joints_work(TmlIntegrator *it, double x, TmlPower *out, double *doubt)
{
    const TmlRadau *all = it->work;
    const TmlRadauJoints *w = all->joints;
    double l[3][NODES];
    if (!w->accounts || !w->taken) {
        return false;
    }
    tml_radau_weights(x, l);
    *doubt = 0.0;
    for (int k = 0; k < POWERS; ++k) {
        double p[NODES], sum = 0.0, off = 0.0;
        for (int i = 0; i < NODES; ++i) {
            p[i] = ((const double *)&w->power[i])[k];
            sum += w->h * l[1][i] * p[i];
            off += w->h / radau_g * (i > 0 ? radau_e[i - 1] : 1.0) * p[i];
        }
        ((double *)out)[k] = sum;
        *doubt = fmax(*doubt, work_error(off, w->h * (p[1] - 0.5 * (p[0] + p[NODES - 1]))));
    }
    return true;
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Makes the end of the step that was taken the start of the next. */
static void go_on(TmlRadauJoints *w)
{
    if (w->taken) {
        memcpy(w->x_n, w->x[LAST], (size_t)w->n * sizeof(double));
        memcpy(w->w_n, w->w[LAST], (size_t)w->all * sizeof(double));
        w->power[0] = w->power[NODES - 1];
        w->taken = false;
    }
}

/* Sets the motion and the states of s. */
static void put_state(const TmlRadauJoints *w, double t, const double *x, const double *v,
                      const double *a, bool place, TmlState *s)
{
    const size_t states = (size_t)(w->all - w->n) * sizeof *x;
    s->t = t;
    memcpy(s->X, v + w->n, states);
    memcpy(s->Xd, a + w->n, states);
    tml_recursion_state(w->recursion, x, v, a, false, place, s);
}

/* Sets what follows from them, as w->s has it. */
static void put_values(const TmlIntegrator *it, const TmlRadauJoints *w, TmlState *s)
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
    go_on(w);
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
    put_state(w, it->now.t + h, w->x[LAST], w->w[LAST], w->z[LAST], true,
              &it->next); // the driver looks at paces and turns
    put_values(it, w, &it->next);
}

void tml_radau_joints_accept(TmlIntegrator *it)
{
    const TmlRadau *all = it->work;
    TmlRadauJoints *w = all->joints;
    memcpy(w->node[0], w->start, (size_t)w->all * sizeof(double));
    for (int i = 0; i < STAGES; ++i) {
        memcpy(w->node[i + 1], w->z[i], (size_t)w->all * sizeof(double));
    }
    memcpy(w->start, w->z[LAST], (size_t)w->all * sizeof(double));
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
    const size_t states = (size_t)(w->all - w->n) * sizeof(double);
    w->taken = w->assembled = w->present = false;
    w->rejected = true;
    w->h_last = 0.0;
    w->rate = 1.0;
    tml_state_copy(it->sys, &it->now, &w->s);
    if (!tml_recursion_begin(w->recursion, &it->now, w->x_n, w->w_n) ||
        !tml_recursion_rates(w->recursion, &w->s, w->x_n, w->w_n, HUGE_VAL, w->dx, w->start)) {
        for (int k = 0; k < w->n; ++k) {
            w->start[k] = (double)NAN; // the first step then says that there is none
        }
    }
    memcpy(w->w_n + w->n, it->now.X, states);
    memcpy(w->start + w->n, w->s.Xd, states);
    if (w->accounts) {
        w->power[0] = power_at(it, w, it->now.t, w->x_n, w->w_n);
    }
}

/* Sets w->ex, w->ew and w->dx to x, x' and x'' at t of the last step: (R8). */
static void interpolate(TmlRadauJoints *w, double end, double t)
{
    const double h = w->h_last, s = 1.0 - (end - t) / h;
    double l[3][NODES];
    tml_radau_weights(s, l);
    for (int k = 0; k < w->all; ++k) {
        double v = w->w_n[k], a = 0.0;
        for (int j = 0; j < NODES; ++j) {
            a += l[0][j] * w->node[j][k];
            v += h * l[1][j] * w->node[j][k];
        }
        w->ew[k] = v;
        w->dx[k] = a;
    }
    for (int k = 0; k < w->n; ++k) {
        w->ex[k] = w->x_n[k] + h * s * w->w_n[k];
        for (int j = 0; j < NODES; ++j) {
            w->ex[k] += h * h * l[2][j] * w->node[j][k];
        }
    }
}

void tml_radau_joints_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    const TmlRadau *all = it->work;
    TmlRadauJoints *w = all->joints;
    interpolate(w, end->t, t);
    tml_state_copy(it->sys, end, out);
    put_state(w, t, w->ex, w->ew, w->dx, false, out);
}

bool tml_radau_joints_row(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    const TmlRadau *all = it->work;
    TmlRadauJoints *w = all->joints;
    const size_t states = (size_t)(w->all - w->n) * sizeof(double);
    if (!w->taken) {
        return false;
    }
    interpolate(w, end->t, t);
    tml_state_copy(it->sys, end, out);
    w->s.t = out->t = t;
    memcpy(w->s.X, w->ew + w->n, states);
    if (!tml_recursion_row(w->recursion, &w->s, w->ex, w->ew, w->dw[0], w->dx)) {
        return false;
    }
    memcpy(out->X, w->s.X, states);
    memcpy(out->Xd, w->s.Xd, states);
    put_values(it, w, out);
    tml_recursion_state(w->recursion, w->ex, w->ew, w->dx, true, false, out);
    tml_system_kinematics(it->sys, out, true);
    tml_recursion_reactions(w->recursion, out);
    return true;
}

/* --- set-up ----------------------------------------------------------------------------------- */

static const char *unfit(const TmlIntegrator *it, const TmlRadauJoints *w)
{
    const char *why = tml_tangent_refuse(w->recursion);
    if (why == NULL && tml_system_is_rough(it->sys, true)) {
        why = "a force is not smooth (friction or a switch)";
    }
    return why != NULL || !tml_system_is_delayed(it->sys) ? why : "it has delays";
}

static TmlStatus take_room(TmlIntegrator *it, TmlRadauJoints *w, TmlError *err)
{
    const int n = w->all;
    double **own[] = {&w->x_n, &w->w_n, &w->start, &w->ex, &w->ew, &w->dx};
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
        TML_NEW(it->arena, w->K[i], n * n);
    }
    for (int i = 0; i < NODES; ++i) {
        TML_NEW(it->arena, w->node[i], n);
    }
    TML_NEW(it->arena, w->real, n * n);
    TML_NEW(it->arena, w->complex, 2 * n * n);
    TML_NEW(it->arena, w->both, 2 * n);
    TML_NEW(it->arena, w->pivot, n);
    TML_NEW(it->arena, w->pivot_complex, n);
    TML_NEW(it->arena, w->du, tml_dims(it->sys)->nu);
    w->accounts = !tml_system_is_conservative(it->sys);
    TML_TRY(tml_state_create_in(it->sys, it->arena, &w->s, err));
    return tml_tangent_create(w->recursion, &w->tangent, err);
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
    w->n = tml_recursion_speeds(r);
    w->all = w->n + tml_dims(it->sys)->nx;
    all->joints = w; // which frees r
    *why = unfit(it, w);
    if (*why == NULL && !asked && w->all > MOST_SPEEDS) {
        *why = "there are more than 80";
    }
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
    if (why != NULL) {
        snprintf(it->coordinates, sizeof it->coordinates, "of bodies: %s", why);
    } else {
        snprintf(it->coordinates, sizeof it->coordinates, "of joints: %d, a tree", all->joints->n);
    }
    return TML_OK;
}

void tml_radau_joints_free(TmlRadauJoints *w)
{
    if (w != NULL) {
        tml_recursion_free(w->recursion);
    }
}
