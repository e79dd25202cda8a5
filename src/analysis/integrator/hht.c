/* analysis/integrator/hht.c - HHT-I3 on the index-3 equations, in true accelerations.
 *
 * Unknowns of one step h: a = q''_{n+1}, lambda, X', V, F at t_{n+1}. h1 is the step before.
 *
 *   (H1)  q = q_n + h v_n + h^2 [(1/2 - beta) A_n + beta A]                         [003] (2a)
 *   (H2)  v = v_n + h [(1 - gamma) A_n + gamma A]                                   [003] (2b)
 *   (H3)  A = (1 + alpha) a - alpha a_n,  A_n = a_n + alpha (h / h1) (a_n - a_{n-1})      own
 *   (H4)  M(q) a + Phi_q^T lambda - Q = 0 at t_{n+1}                                [003] (10)
 *   (H5)  Phi(q, t) / c_q = 0,  (A q' + b) / c_v = 0                                [003] (13)
 *         c_q = (1 + alpha) beta h^2,  c_v = (1 + alpha) gamma h
 *   (H6)  gamma = 1/2 - alpha,  beta = (1 - alpha)^2 / 4,  -1/3 <= alpha <= 0       [003] (6)
 *   (H7)  X = X_n + h [(1 - gamma) B_n + gamma B], B from X' as A from a            own
 *         or X = X_n + h X'_n + h rho (X' - X'_n)                                   [003] (9a)
 *   (H8)  e = C h^2 (a - a_n),  C = 1/12 + alpha^2/4  local error of q              own
 *         or |beta - 1/(6 (1 + alpha))| h^2 (A - A_n)                               [003] (26)
 *   (H9)  e_X = |1/12 - alpha^2/2| h^3 X''',  or (rho - 1/2) h (X' - X'_n)          own, [003] (34)
 *   (H10) stop when C h^2 / c_q * xi / (1 - xi) * |c_q da| <= c                     [003] (46)
 *   (H11) K [e; mu] = [M e; 0] with the Newton matrix: keeps the part of e along the     own
 *         constraints (the rest is jitter of the multipliers after step changes; positions do
 *         not have it) and takes out modes that are stiffer than the step
 *
 * For constant M and step (H3), (H4) are equation (10) of [003]; written so, the method stays
 * second order when M depends on q and when steps vary. docs/decisions/0002-true-accelerations.md
 *
 * The first step of a run has no a_{n-1}: it is taken with alpha = 0.
 */
#include "analysis/integrator.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum { POINTS = 5 }; /* history for prediction: up to degree 3, and one to judge it */

typedef struct HhtOptions {
    double alpha, rho, newton;
    int degree, max_iterations, error, projection;
    bool filter;
} HhtOptions;

typedef struct HhtWork {
    int points;           /* history in use, 0 after a restart */
    double time[POINTS];  /* newest first; time[0] is now.t */
    double *past[POINTS]; /* each `length`: a, lambda, X, X', V, F as in TmlState */
    int length;
    double judged[4];                 /* running error of predictions by degree */
    int degree_limit;                 /* lowered by rejections */
    double *base_q, *base_v, *base_X; /* (H1), (H2), (H7) without the unknowns */
    double *r, *dq, *du;              /* n; nq; nu */
    double *dx;                       /* nx */
    double rate;                      /* last measured convergence rate xi */
    bool stale;                       /* the factors should be renewed before use */
    double factor_cq;                 /* c_q of the factors */
} HhtWork;

/* Coefficients of one step. */
typedef struct HhtStep {
    double h, alpha, beta, gamma, cq, cv, cx, error;
} HhtStep;

static HhtStep step_coefficients(const HhtOptions *o, const HhtWork *w, double h)
{
    HhtStep c = {.h = h, .alpha = w->points > 1 ? o->alpha : 0.0};
    c.gamma = 0.5 - c.alpha; // (H6)
    c.beta = 0.25 * (1.0 - c.alpha) * (1.0 - c.alpha);
    c.cq = (1.0 + c.alpha) * c.beta * h * h; // (H5)
    c.cv = (1.0 + c.alpha) * c.gamma * h;
    c.cx = o->rho > 0.0 ? o->rho * h : c.cv;
    c.error = o->error == 0 ? 1.0 / 12.0 + 0.25 * c.alpha * c.alpha // (H8)
                            : fabs(c.beta - 1.0 / (6.0 * (1.0 + c.alpha)));
    return c;
}

/* A_n of (H3) for one component. */
static double second_rate_n(const HhtStep *c, const HhtWork *w, double now, double before)
{
    if (w->points < 2) {
        return now;
    }
    const double h1 = w->time[0] - w->time[1];
    return now + c->alpha * (c->h / h1) * (now - before);
}

/* Known parts of (H1), (H2), (H7). */
static void step_base(const TmlIntegrator *it, const HhtStep *c)
{
    const HhtWork *w = it->work;
    const HhtOptions *o = it->opts;
    const TmlSystem *sys = it->sys;
    const TmlState *s = &it->now;
    const double h = c->h;
    const double *before = w->past[1];
    for (int k = 0; k < sys->nq; ++k) {
        const double A = second_rate_n(c, w, s->a[k], before[k]), an = s->a[k];
        w->base_q[k] =
            s->q[k] + h * s->v[k] + h * h * ((0.5 - c->beta) * A - c->beta * c->alpha * an);
        w->base_v[k] = s->v[k] + h * ((1.0 - c->gamma) * A - c->gamma * c->alpha * an);
    }
    const ptrdiff_t xd = s->Xd - s->a;
    for (int k = 0; k < sys->nx; ++k) {
        const double x = s->Xd[k];
        if (o->rho > 0.0) {
            w->base_X[k] = s->X[k] + h * (1.0 - o->rho) * x;
        } else {
            const double B = second_rate_n(c, w, x, before[xd + k]);
            w->base_X[k] = s->X[k] + h * ((1.0 - c->gamma) * B - c->gamma * c->alpha * x);
        }
    }
}

/* q, v, X of it->next from its accelerations; the norms of Euler parameters are restored by the
 * part of a along p. */
static void step_states(const TmlIntegrator *it, const HhtStep *c)
{
    const HhtWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlState *s = &it->next;
    for (int k = 0; k < sys->nq; ++k) {
        s->q[k] = w->dq[k] = w->base_q[k] + c->cq * s->a[k];
    }
    tml_system_retract(sys, s->q);
    for (int k = 0; k < sys->nq; ++k) {
        s->a[k] += (s->q[k] - w->dq[k]) / c->cq;
        s->v[k] = w->base_v[k] + c->cv * s->a[k];
    }
    for (int k = 0; k < sys->nx; ++k) {
        s->X[k] = w->base_X[k] + c->cx * s->Xd[k];
    }
}

/* --- prediction ---------------------------------------------------------------------------- */

/* Weights of the extrapolation of degree d from times[0..d] to t (Lagrange). */
static void extrapolation(const double *time, int d, double t, double *weight)
{
    for (int i = 0; i <= d; ++i) {
        weight[i] = 1.0;
        for (int j = 0; j <= d; ++j) {
            if (j != i) {
                weight[i] *= (t - time[j]) / (time[i] - time[j]);
            }
        }
    }
}

static int choose_degree(const HhtOptions *o, const HhtWork *w)
{
    int top = w->points - 1 < o->degree ? w->points - 1 : o->degree, best = 0;
    top = top < w->degree_limit ? top : w->degree_limit;
    for (int d = 1; d <= top; ++d) {
        best = w->judged[d] < w->judged[best] ? d : best;
    }
    return best;
}

static void predict(TmlIntegrator *it, const HhtStep *c)
{
    const HhtWork *w = it->work;
    TmlState *s = &it->next;
    double weight[POINTS];
    const int d = w->points > 0 ? choose_degree(it->opts, w) : 0;
    s->t = it->now.t + c->h;
    extrapolation(w->time, d, s->t, weight);
    const double *p0 = w->past[0];
    for (int k = 0; k < w->length; ++k) {
        s->a[k] = weight[0] * p0[k];
    }
    for (int i = 1; i <= d; ++i) {
        const double *p = w->past[i];
        for (int k = 0; k < w->length; ++k) {
            s->a[k] += weight[i] * p[k];
        }
    }
    step_states(it, c);
}

/* What each degree would have given for the accelerations just accepted. */
static void judge_predictions(TmlIntegrator *it)
{
    HhtWork *w = it->work;
    double weight[POINTS];
    for (int d = 0; d < 4; ++d) {
        if (d >= w->points) {
            w->judged[d] = HUGE_VAL;
            continue;
        }
        extrapolation(w->time, d, it->next.t, weight);
        double sum = 0.0;
        for (int k = 0; k < it->sys->nq; ++k) {
            double x = it->next.a[k];
            for (int i = 0; i <= d; ++i) {
                x -= weight[i] * w->past[i][k];
            }
            sum += x * x;
        }
        const double old = isfinite(w->judged[d]) ? w->judged[d] : sum;
        w->judged[d] = 0.5 * (old + sum);
    }
}

/* --- correction ---------------------------------------------------------------------------- */

/* (H4), (H5) with scaled rows. False when something is not finite. */
static bool residual(TmlIntegrator *it, const HhtStep *c)
{
    HhtWork *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlModel *m = sys->model;
    tml_system_residual(sys, &it->next, TML_LEVEL_POSITION, w->r);
    for (int k = 0; k < m->constraints.n; ++k) {
        for (int i = 0; i < m->constraints.at[k].type->rows; ++i) {
            const int row = sys->row_unknown[sys->constraint[k].row0 + i];
            if (row >= 0) {
                w->r[sys->nu + row] /= (sys->pfaffian[k] >> i & 1u) != 0 ? c->cv : c->cq;
            }
        }
    }
    double sum = 0.0;
    for (int k = 0; k < sys->n; ++k) {
        sum += fabs(w->r[k]);
    }
    return isfinite(sum);
}

/* Equation that is not finite: expressions come last and name what is wrong best. -1: none. */
static int not_finite(const double *r, int n)
{
    while (n > 0 && isfinite(r[n - 1])) {
        --n;
    }
    return n - 1;
}

static bool renew_factors(TmlIntegrator *it, const HhtStep *c, TmlAttempt *out)
{
    HhtWork *w = it->work;
    const TmlCoeffs co = {.a = 1.0, .v = c->cv, .q = c->cq};
    tml_system_jacobian(it->sys, &it->next, co, c->cx);
    const int column = tml_system_factor(it->sys);
    w->stale = column >= 0;
    w->factor_cq = c->cq;
    w->rate = 0.1;
    if (column >= 0) {
        out->cause = TML_CAUSE_SINGULAR;
        out->worst = column;
    }
    return column < 0;
}

/* A few units in the last place. */
static const double rounding = 16.0 * 2.2e-16;

/* Size of the last correction in units of the tolerance. The allowed error of a state that starts
 * at zero may be below the rounding of what it has become. */
static double correction_size(const TmlIntegrator *it, const HhtStep *c, int *at)
{
    const HhtWork *w = it->work;
    const TmlSystem *sys = it->sys;
    int at_x = -1;
    for (int k = 0; k < sys->nu; ++k) {
        w->du[k] = c->cq * w->r[k];
    }
    for (int k = 0; k < sys->nx; ++k) {
        const double dx = c->cx * w->r[sys->nu + sys->m + k];
        w->dx[k] = fabs(dx) <= rounding * fabs(it->next.X[k]) ? 0.0 : dx;
    }
    const double u = tml_norm_u(sys, &it->norm, w->du, at);
    const double x = tml_norm_x(sys, &it->norm, w->dx, &at_x);
    if (x > u) {
        *at = at_x;
    }
    return x > u ? x : u;
}

/* Corrections below this are rounding: a few units in the last place of the largest position. */
static double rounding_size(const TmlIntegrator *it)
{
    double big = it->sys->length;
    for (int b = 1; b < it->sys->nb; ++b) {
        for (int k = 0; k < 3; ++k) {
            big = fmax(big, fabs(it->next.q[it->sys->q0[b] + k]));
        }
    }
    return rounding * fmax(big / it->norm.translation, 1.0 / it->norm.rotation);
}

/* Corrections that no longer shrink but are this small a part of the tolerance are rounding, larger
 * than usual because the mechanism is close to a singular position. */
static const double noise = 0.3;

/* Newton iteration from the prediction, with new factors when `fresh`. True when converged. */
static bool iterate(TmlIntegrator *it, const HhtStep *c, bool fresh, TmlAttempt *out)
{
    HhtWork *w = it->work;
    const HhtOptions *o = it->opts;
    const double share = c->error * c->h * c->h / c->cq; // (H10)
    const double floor = rounding_size(it);
    double last = 0.0;
    out->cause = TML_CAUSE_NEWTON;
    for (int k = 0; k < o->max_iterations; ++k) {
        if (!residual(it, c)) {
            out->cause = TML_CAUSE_NONFINITE;
            out->worst = not_finite(w->r, it->sys->n);
            return false;
        }
        if (k == 0 && fresh && !renew_factors(it, c, out)) {
            return false;
        }
        tml_system_solve(it->sys, w->r);
        const double size = correction_size(it, c, &out->worst);
        if (!isfinite(size)) {
            return false;
        }
        tml_system_correct(it->sys, &it->next, w->r, w->dq);
        step_states(it, c);
        out->iterations++;
        it->iterations++;
        if (k > 0) {
            w->rate = fmax(0.2 * w->rate, last > 0.0 ? size / last : 0.0);
        }
        // the first correction has no measured rate: be careful with the remembered one
        const double xi = fmin(fmax(w->rate, k > 0 ? 1e-3 : 0.3), 0.999);
        const bool small = share * size * xi / (1.0 - xi) <= o->newton || size <= floor;
        const bool stalled = k > 0 && size > 0.9 * last;
        if (small || (stalled && share * size <= noise)) {
            out->converged = true;
            out->cause = TML_CAUSE_NONE;
            w->stale = w->rate > 0.3 || k > 3;
            return true;
        }
        if (stalled) {
            return false;
        }
        last = size;
    }
    return false;
}

/* (H11) on w->du. */
static void filter_error(const TmlIntegrator *it)
{
    const HhtWork *w = it->work;
    TmlSystem *sys = it->sys;
    memset(w->r + sys->nu, 0, (size_t)(sys->n - sys->nu) * sizeof *w->r);
    tml_system_mass_mul(sys, &it->next, w->du, w->r);
    tml_system_solve(sys, w->r);
    memcpy(w->du, w->r, (size_t)sys->nu * sizeof *w->du);
}

/* A mechanism that is driven altogether has no error along its constraints, yet its reactions must
 * be resolved: the unfiltered estimate counts with this share. */
static const double raw_share = 0.1;

/* (H8), (H9) */
static double local_error(const TmlIntegrator *it, const HhtStep *c, int *at)
{
    const HhtWork *w = it->work;
    const HhtOptions *o = it->opts;
    const TmlSystem *sys = it->sys;
    const TmlState *s0 = &it->now, *s1 = &it->next;
    int at_x = -1;
    for (int k = 0; k < sys->nq; ++k) {
        w->dq[k] = c->error * c->h * c->h * (s1->a[k] - s0->a[k]);
    }
    tml_system_reduce(sys, s1->q, w->dq, w->du);
    double u = tml_norm_u(sys, &it->norm, w->du, at);
    if (o->filter) {
        int at_raw = *at;
        const double raw = raw_share * u;
        filter_error(it);
        u = tml_norm_u(sys, &it->norm, w->du, at);
        *at = raw > u ? at_raw : *at;
        u = fmax(u, raw);
    }
    const ptrdiff_t xd = s0->Xd - s0->a;
    for (int k = 0; k < sys->nx; ++k) {
        const double d1 = (s1->Xd[k] - s0->Xd[k]) / c->h;
        if (o->rho > 0.5) {
            w->dx[k] = (o->rho - 0.5) * c->h * c->h * d1;
        } else if (w->points > 1) {
            const double h1 = w->time[0] - w->time[1];
            const double d0 = (s0->Xd[k] - w->past[1][xd + k]) / h1;
            w->dx[k] = fabs(1.0 / 12.0 - 0.5 * c->alpha * c->alpha) * c->h * c->h * c->h * 2.0 *
                       (d1 - d0) / (c->h + h1);
        } else {
            w->dx[k] = c->h * c->h * d1 / 12.0;
        }
    }
    const double x = tml_norm_x(sys, &it->norm, w->dx, &at_x);
    if (x > u) {
        *at = at_x;
    }
    return x > u ? x : u;
}

static TmlStatus hht_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    HhtWork *w = it->work;
    const HhtStep c = step_coefficients(it->opts, w, h);
    (void)err;
    *out = (TmlAttempt){.order = 2, .worst = -1};
    step_base(it, &c);

    // kept factors first; renewed before the step is given up
    const bool far = w->factor_cq <= 0.0 || c.cq > 4.0 * w->factor_cq || c.cq < 0.25 * w->factor_cq;
    const bool fresh = w->stale || far;
    predict(it, &c);
    if (!iterate(it, &c, fresh, out) && !fresh && out->cause == TML_CAUSE_NEWTON) {
        predict(it, &c);
        iterate(it, &c, true, out);
    }
    if (out->converged) {
        out->error = local_error(it, &c, &out->worst);
    } else {
        w->stale = true;
    }
    return TML_OK;
}

/* --- history ------------------------------------------------------------------------------- */

static void hht_restart(TmlIntegrator *it)
{
    HhtWork *w = it->work;
    w->points = 1;
    w->time[0] = it->now.t;
    memcpy(w->past[0], it->now.a, (size_t)w->length * sizeof(double));
    w->degree_limit = 0;
    w->stale = true;
    w->rate = 0.1;
    for (int d = 0; d < 4; ++d) {
        w->judged[d] = d == 0 ? 1.0 : HUGE_VAL;
    }
}

/* Velocities, and accelerations with them, back onto their constraints. */
static TmlStatus project(TmlIntegrator *it, TmlError *err)
{
    const HhtOptions *o = it->opts;
    if (o->projection >= 1) {
        tml_system_project_velocity(it->sys, &it->next);
    }
    if (o->projection >= 2) {
        return tml_system_accelerations(it->sys, &it->next, err);
    }
    return TML_OK;
}

static TmlStatus hht_accept(TmlIntegrator *it, double h, TmlError *err)
{
    HhtWork *w = it->work;
    (void)h;
    TML_TRY(project(it, err));
    judge_predictions(it);
    double *oldest = w->past[POINTS - 1];
    for (int k = POINTS - 1; k > 0; --k) {
        w->past[k] = w->past[k - 1];
        w->time[k] = w->time[k - 1];
    }
    w->past[0] = oldest;
    w->time[0] = it->next.t;
    memcpy(w->past[0], it->next.a, (size_t)w->length * sizeof(double));
    w->points = w->points < POINTS ? w->points + 1 : POINTS;
    w->degree_limit = w->degree_limit < 3 ? w->degree_limit + 1 : 3;
    return TML_OK;
}

static void hht_reject(TmlIntegrator *it)
{
    HhtWork *w = it->work;
    w->degree_limit = w->degree_limit > 0 ? w->degree_limit - 1 : 0;
}

static TmlStatus hht_setup(TmlIntegrator *it, TmlError *err)
{
    TmlSystem *sys = it->sys;
    HhtWork *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    w->length = sys->size - 2 * sys->nq;
    for (int k = 0; k < POINTS; ++k) {
        TML_NEW(it->arena, w->past[k], w->length);
    }
    TML_NEW(it->arena, w->base_q, sys->nq);
    TML_NEW(it->arena, w->base_v, sys->nq);
    TML_NEW(it->arena, w->base_X, sys->nx);
    TML_NEW(it->arena, w->r, sys->n);
    TML_NEW(it->arena, w->dq, sys->nq);
    TML_NEW(it->arena, w->du, sys->nu);
    TML_NEW(it->arena, w->dx, sys->nx);
    return TML_OK;
}

static TmlStatus hht_check(const void *opts, TmlError *err)
{
    const HhtOptions *o = opts;
    if (!(o->alpha >= -1.0 / 3.0 && o->alpha <= 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'alpha' is %g; it must be from -1/3 to 0",
                        o->alpha);
    }
    if (o->rho != 0.0 && !(o->rho >= 0.5 && o->rho <= 1.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'rho' is %g; it must be 0 or from 0.5 to 1",
                        o->rho);
    }
    if (o->degree < 0 || o->degree > 3) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'degree' is %d; it must be from 0 to 3",
                        o->degree);
    }
    if (o->max_iterations < 2) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'iterations' is %d; it must be at least 2",
                        o->max_iterations);
    }
    return TML_OK;
}

static const TmlParam hht_params[] = {
    {"alpha", TML_PARAM_REAL, TML_ANY, "", offsetof(HhtOptions, alpha), "-0.2",
     "numerical damping, from -1/3 (most) to 0 (none)", NULL},
    {"rho", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(HhtOptions, rho), "0",
     "rule for user states: 0 as for velocities, else the weight of Negrut [003], 0.5 to 1", NULL},
    {"newton", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(HhtOptions, newton), "1e-4",
     "share of the tolerance that the Newton iteration may leave", NULL},
    {"iterations", TML_PARAM_INT, TML_POSITIVE, "", offsetof(HhtOptions, max_iterations), "10",
     "Newton iterations before a step is cut", NULL},
    {"degree", TML_PARAM_INT, TML_NONNEGATIVE, "", offsetof(HhtOptions, degree), "3",
     "highest degree of the predictor, 0 to 3", NULL},
    {"error", TML_PARAM_CHOICE, TML_ANY, "", offsetof(HhtOptions, error), "sharp",
     "constant of the error estimate: sharp, or the larger one of Negrut [003]", "sharp|paper"},
    {"filter", TML_PARAM_BOOL, TML_ANY, "", offsetof(HhtOptions, filter), "true",
     "judge the error along the constraints only, without modes stiffer than the step", NULL},
    {"projection", TML_PARAM_CHOICE, TML_ANY, "", offsetof(HhtOptions, projection), "none",
     "put velocities, or velocities and accelerations, onto the constraints after each step",
     "none|velocity|full"},
    {0},
};

const TmlIntegratorType tml_integrator_hht = {
    .info = {.name = "hht",
             .text = "HHT-I3: implicit, order 2, numerical damping, directly on index 3.",
             .data_size = sizeof(HhtOptions),
             .params = hht_params},
    .tolerance = 1e-9,
    .order = 2,
    .check = hht_check,
    .setup = hht_setup,
    .restart = hht_restart,
    .attempt = hht_attempt,
    .accept = hht_accept,
    .reject = hht_reject,
};
