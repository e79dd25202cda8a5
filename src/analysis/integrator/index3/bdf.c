/* analysis/integrator/index3/bdf.c - BDF of order 1 to 5 with variable steps, on index 3 and on stabilised
 * index 2: the baseline that [003] measures against.
 *
 * With k the order, t_0 = t_{n+1}, t_j = t_{n+1-j}, the derivative of the interpolating polynomial:
 *
 *   (F1)  y'_{n+1} = sum_{j=0}^k c_j y_{n+1-j},  applied to q, to v and to X
 *   (F2)  v = base_v + a / c_0,  q = base_q + a / c_0^2
 *         base_v = -sum_{j>0} c_j v_j / c_0,  base_q = -sum_{j>0} c_j q_j / c_0 + base_v / c_0
 *   (F3)  e_k = (1 / c_0) prod_{j=1}^k (t_0 - t_j) y[t_0, ..., t_{k+1}]    local error, y = q, v
 *   (F4)  h_k = h (6 e_k)^(-1/(k+1)); the next order is the one with the longest step, raised at
 *         most every k + 1 steps
 *   (F5)  stabilised index 2: the rows are those of velocities, (J v + Phi_t) / c_v = 0, and
 *         positions are moved onto Phi = 0 by K [dq; mu] = [0; Phi] in every iteration
 *         (Gear, Gupta, Leimkuhler)
 *   (F6)  first step: trapezoidal rule, e = h^2 / 12 (a - a_n); a fixed order above 2 has its
 *         first points by (N1) of lead_in.h
 *   (F7)  near a singular position the iteration and (F3) are judged along the constraints, and
 *         what is left across is projected away: K lacks (J v)_q c_q / c_v, which is as large as
 *         the weak rows of J there                                                           own
 *   (F8)  the divided difference sums y_i / p_i with an error of 2 eps |y| |1 / p_i| each (y_i and
 *         its quotient, half a unit in the last place, its own sum and that of the difference as
 *         much): (F3) below what they make is rounding, and no reason for a shorter step or
 *         another order                                                                       own
 *
 *   (F9)  while shapes touch, an error of positions is one of velocities times the frequency of the contact, and orders above two
 *         may gain energy from it: velocities count, too, in (F3) and, as states do, in (F6). Not with joints, across which
 *         velocities on index 3 have errors of no order
 *
 * bdf-i3 controls the error of positions; bdf-si2 that of velocities too.
 *   (F10) order one makes velocities with errors of h / 2 q'', and positions with far smaller ones, by which steps are chosen. States
 *         that follow a velocity, such as bristles on a driven body, see every change between this order and the next as a jump. With
 *         joints and states the order is not lowered to one
 */
#include "analysis/integrator/index3/implicit.h"
#include "analysis/integrator/index3/lead_in.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum { MAX_ORDER = 5, PAST = MAX_ORDER + 3 };

typedef struct BdfOptions {
    TmlImplicitOptions implicit; /* newton and iterations only */
    int max_order, order;
} BdfOptions;

typedef struct BdfWork {
    TmlImplicit core;
    bool stabilised;         /* (F5) */
    int order, since_change; /* order in use; steps since it or the step changed */
    int points;              /* accepted points */
    double time[PAST], *q[PAST], *v[PAST], *X[PAST]; /* newest first; nq, nq, nx each */
    double *dd;                                      /* nq: a divided difference */
    bool pressed;                                    /* (F9): shapes touch, and no joints */
    bool judged;                                     /* the last attempt got as far as its error */
    bool across;                                     /* (F7): errors across are left out */
    double last_h;                                   /* of the last accepted step */
    double next_h;                                   /* proposal of the last attempt */
    int next_order;
    TmlLeadIn lead; /* of a fixed order above 2 */
} BdfWork;

/* Computes c[0..k] of (F1) for t[0..k], where t[0] is the new time. */
static void derivative_weights(const double *t, int k, double *c)
{
    c[0] = 0.0;
    for (int j = 1; j <= k; ++j) {
        c[0] += 1.0 / (t[0] - t[j]);
    }
    for (int j = 1; j <= k; ++j) {
        // derivative of the j-th Lagrange polynomial at t_0
        double p = 1.0 / (t[j] - t[0]);
        for (int i = 1; i <= k; ++i) {
            if (i != j) {
                p *= (t[0] - t[i]) / (t[j] - t[i]);
            }
        }
        c[j] = p;
    }
}

static void times_at(const BdfWork *w, double t_new, int n, double *t)
{
    t[0] = t_new;
    for (int j = 1; j <= n; ++j) {
        t[j] = w->time[j - 1];
    }
}

/* (F6) */
static void trapezoidal_base(const TmlIntegrator *it, double h)
{
    BdfWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlState *s = &it->now;
    w->core.h = h;
    w->core.cv = w->core.cx = 0.5 * h;
    w->core.cq = 0.25 * h * h;
    w->core.share = 1.0 / 3.0; // (h^2 / 12) / c_q
    for (int k = 0; k < dim->nq; ++k) {
        w->core.base_v[k] = s->v[k] + 0.5 * h * s->a[k];
        w->core.base_q[k] = s->q[k] + h * s->v[k] + 0.25 * h * h * s->a[k];
    }
    for (int k = 0; k < dim->nx; ++k) {
        w->core.base_X[k] = s->X[k] + 0.5 * h * s->Xd[k];
    }
}

/* (F2) */
static void step_base(const TmlIntegrator *it, double h)
{
    BdfWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double t[MAX_ORDER + 1], c[MAX_ORDER + 1];
    times_at(w, it->now.t + h, w->order, t);
    derivative_weights(t, w->order, c);
    const double r = 1.0 / c[0];
    w->core.h = h;
    w->core.cv = w->core.cx = r;
    w->core.cq = r * r;
    w->core.share = 1.0 / (w->order + 1);
    // sum c_j = 0: differences from the newest point, or the rounding of the weights would be drift
    memcpy(w->core.base_q, w->q[0], (size_t)dim->nq * sizeof(double));
    memcpy(w->core.base_v, w->v[0], (size_t)dim->nq * sizeof(double));
    memcpy(w->core.base_X, w->X[0], (size_t)dim->nx * sizeof(double));
    for (int j = 2; j <= w->order; ++j) {
        const double s = -r * c[j];
        for (int k = 0; k < dim->nq; ++k) {
            w->core.base_v[k] += s * (w->v[j - 1][k] - w->v[0][k]);
            w->core.base_q[k] += s * (w->q[j - 1][k] - w->q[0][k]);
        }
        for (int k = 0; k < dim->nx; ++k) {
            w->core.base_X[k] += s * (w->X[j - 1][k] - w->X[0][k]);
        }
    }
    for (int k = 0; k < dim->nq; ++k) {
        w->core.base_q[k] += r * w->core.base_v[k];
    }
}

/* Computes the divided difference of order n of y over the new value and n past ones into w->dd, of
 * `size` numbers. */
static void difference(BdfWork *w, const double *t, int n, const double *y_new, double *const *past,
                       int size)
{
    for (int j = 0; j <= n; ++j) {
        double p = 1.0;
        for (int i = 0; i <= n; ++i) {
            p *= i != j ? t[j] - t[i] : 1.0;
        }
        const double *y = j == 0 ? y_new : past[j - 1];
        for (int k = 0; k < size; ++k) {
            w->dd[k] = (j == 0 ? 0.0 : w->dd[k]) + y[k] / p;
        }
    }
}

/* Returns (1 / c_0) prod (t_0 - t_j) of (F3). */
static double error_factor(const double *t, int order)
{
    double c[MAX_ORDER + 2];
    derivative_weights(t, order, c);
    double factor = 1.0 / c[0];
    for (int j = 1; j <= order; ++j) {
        factor *= t[0] - t[j];
    }
    return factor;
}

/* Returns (F8) for order k, in units of the tolerance. */
static double rounding_of_order(const TmlIntegrator *it, int order)
{
    double t[PAST + 1] = {0.0}, sum = 0.0;
    times_at(it->work, it->next.t, order + 1, t);
    for (int j = 0; j <= order + 1; ++j) {
        double p = 1.0;
        for (int i = 0; i <= order + 1; ++i) {
            p *= i != j ? t[j] - t[i] : 1.0;
        }
        sum += 1.0 / fabs(p);
    }
    return 2.0 * error_factor(t, order) * sum * tml_norm_rounding(it->sys, &it->norm, it->next.q);
}

/* Returns (F3) for order k, in units of the tolerance; k + 1 past points must be there. */
static double error_of_order(TmlIntegrator *it, int order, int *at)
{
    BdfWork *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double t[PAST + 1], *const change[1] = {w->core.du};
    times_at(w, it->next.t, order + 1, t);
    const double factor = error_factor(t, order);
    difference(w, t, order + 1, it->next.q, w->q, dim->nq);
    for (int k = 0; k < dim->nq; ++k) {
        w->core.dq[k] = factor * w->dd[k];
    }
    tml_system_reduce(sys, it->next.q, w->core.dq, w->core.du);
    if (w->across) { // (F7)
        tml_system_tangent(sys, &it->next, true, 1, change);
    }
    double e = tml_norm_u(sys, &it->norm, w->core.du, at);
    if (w->stabilised || w->pressed) {
        difference(w, t, order + 1, it->next.v, w->v, dim->nq);
        for (int k = 0; k < dim->nq; ++k) {
            w->core.dq[k] = factor * w->dd[k];
        }
        tml_system_reduce(sys, it->next.q, w->core.dq, w->core.du);
        if (w->across) {
            tml_system_tangent(sys, &it->next, true, 1, change);
        }
        e = fmax(e, tml_norm_w(sys, &it->norm, w->core.du, at));
    }
    if (dim->nx > 0) {
        difference(w, t, order + 1, it->next.X, w->X, dim->nx);
        for (int k = 0; k < dim->nx; ++k) {
            w->core.dx[k] = factor * w->dd[k];
        }
        e = fmax(e, tml_norm_x(sys, &it->norm, w->core.dx, NULL));
    }
    return e;
}

/* (F6) */
static double first_error(const TmlIntegrator *it, double h, int *at)
{
    BdfWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    for (int k = 0; k < dim->nq; ++k) {
        w->core.dq[k] = h * h / 12.0 * (it->next.a[k] - it->now.a[k]);
    }
    tml_system_reduce(sys, it->next.q, w->core.dq, w->core.du);
    for (int k = 0; k < dim->nx; ++k) {
        w->core.dx[k] = h / 12.0 * (it->next.Xd[k] - it->now.Xd[k]);
    }
    const double e = fmax(tml_norm_u(sys, &it->norm, w->core.du, at),
                          tml_norm_x(sys, &it->norm, w->core.dx, NULL));
    // (F9): h / 12 (a - a_n) as of a state
    return w->pressed ? fmax(e, tml_norm_w(sys, &it->norm, w->core.du, NULL) / h) : e; // (F9)
}

/* Returns (F4) of one order, not shorter than h because of rounding, (F8). */
static double step_for(const TmlIntegrator *it, double h, double e, int order)
{
    const double longest = h * pow(6.0 * fmax(e, 1e-12), -1.0 / (order + 1));
    const bool formula = ((const BdfWork *)it->work)->points > order; // and not (F6)
    return longest < h && formula && e <= rounding_of_order(it, order) ? h : longest;
}

/* (F10) */
static int least_order(const TmlIntegrator *it)
{
    const TmlDims *dim = tml_dims(it->sys);
    return !((const BdfWork *)it->work)->stabilised && dim->m > 0 && dim->nx > 0 ? 2 : 1;
}

/* (F4) */
static void choose_next(TmlIntegrator *it, double h, double e)
{
    BdfWork *w = it->work;
    const BdfOptions *o = it->opts;
    const int k = w->order;
    const bool settled = w->since_change > k; // k + 1 steps of this order and size
    int at;
    w->next_order = k;
    w->next_h = step_for(it, h, e, k);
    if (o->order > 0) {
        w->next_order =
            w->points + 1 < o->order ? w->points + 1 : o->order; // points of the next step
        return;
    }
    if (k > least_order(it) && w->points >= k) {
        const double lower = step_for(it, h, error_of_order(it, k - 1, &at), k - 1);
        if (lower > w->next_h) {
            w->next_order = k - 1;
            w->next_h = lower;
        }
    }
    if (k < o->max_order && w->points >= k + 2 && settled) {
        const double higher = step_for(it, h, error_of_order(it, k + 1, &at), k + 1);
        if (higher > w->next_h) {
            w->next_order = k + 1;
            w->next_h = higher;
        }
    }
    // with steps that grow at every step the formulas of order 3 and more are not stable
    const bool grow = w->next_h > 1.3 * h && (settled || w->points <= k + 1);
    const bool shrink = w->next_h < 0.8 * h;
    w->next_h = grow || shrink ? fmin(w->next_h, 2.0 * h) : h;
}

/* Makes one correction of positions by (F5) with the kept factors, and returns its size. */
static double move_positions(TmlIntegrator *it)
{
    BdfWork *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double *r = w->core.r;
    (void)tml_system_rows(sys, &it->next, TML_LEVEL_POSITION, r);
    tml_system_solve(sys, TML_FACTORS_STEP, r);
    memcpy(w->core.du, r, (size_t)dim->nu * sizeof *r);
    tml_system_expand(sys, it->next.q, r, w->core.dq);
    for (int k = 0; k < dim->nq; ++k) {
        w->core.base_q[k] -= w->core.dq[k];
        it->next.q[k] -= w->core.dq[k];
    }
    return tml_norm_u(sys, &it->norm, w->core.du, NULL);
}

static void solve_stabilised(TmlIntegrator *it, TmlAttempt *out)
{
    enum { ROUNDS = 4 };
    BdfWork *w = it->work;
    w->core.velocity_rows = true;
    tml_implicit_solve(it, &w->core, out);
    for (int k = 0; k < ROUNDS && out->converged && !w->core.weak; ++k) {
        // moved positions change the forces: solve again until they stay
        const double moved = move_positions(it);
        if (w->core.share * moved <= w->core.o.newton || !isfinite(moved)) {
            out->converged = isfinite(moved);
            break;
        }
        out->converged = false;
        tml_implicit_resolve(it, &w->core, out);
    }
    if (w->core.weak && out->converged) { // (F7)
        out->converged = tml_system_project(it->sys, &it->next);
        out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NEWTON;
    }
}

/* Estimates the error by (F3) or (F6), and proposes the next step and order. */
static void judge_step(TmlIntegrator *it, double h, TmlAttempt *out)
{
    static const double share = 0.05, raw_share = 1e-3;
    BdfWork *w = it->work;
    w->across = false;
    w->judged = true;
    w->pressed = tml_dims(it->sys)->m == 0 && tml_system_presses(it->sys);
    if (w->points <= w->order) {
        out->error = first_error(it, h, &out->worst);
    } else {
        out->error = error_of_order(it, w->order, &out->worst);
    }
    if (w->stabilised && w->points > w->order && (out->error > 1.0 || w->core.weak)) { // (F7)
        w->across = true;
        const double along = error_of_order(it, w->order, &out->worst);
        w->across = w->core.weak || along < share * out->error;
        out->error = w->across ? fmax(along, raw_share * out->error) : out->error;
    }
    if (out->error > 1.0 && w->points > w->order) {
        out->rounding = rounding_of_order(it, w->order); // (F8)
    }
    choose_next(it, h, out->error);
    w->next_h = w->across ? fmin(w->next_h, h) : w->next_h;
    out->proposal = w->next_h;
}

static TmlStatus bdf_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    BdfWork *w = it->work;
    const BdfOptions *o = it->opts;
    *out = (TmlAttempt){.order = w->order, .worst = -1};
    w->judged = false;
    if (o->order > 2 && w->points < o->order) {
        w->next_order = w->points + 1 < o->order ? w->points + 1 : o->order;
        return tml_lead_in_attempt(&w->lead, it, h, out, err);
    }
    if (w->points == 1 && w->order > 1) {
        trapezoidal_base(it, h);
    } else {
        step_base(it, h);
    }
    if (w->stabilised) {
        solve_stabilised(it, out);
    } else {
        tml_implicit_solve(it, &w->core, out);
    }
    if (out->converged) {
        judge_step(it, h, out);
    }
    return TML_OK;
}

static void push(BdfWork *w, const TmlSystem *sys, const TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    double *q = w->q[PAST - 1], *v = w->v[PAST - 1], *X = w->X[PAST - 1];
    for (int k = PAST - 1; k > 0; --k) {
        w->q[k] = w->q[k - 1];
        w->v[k] = w->v[k - 1];
        w->X[k] = w->X[k - 1];
        w->time[k] = w->time[k - 1];
    }
    w->q[0] = q;
    w->v[0] = v;
    w->X[0] = X;
    w->time[0] = s->t;
    memcpy(q, s->q, (size_t)dim->nq * sizeof *q);
    memcpy(v, s->v, (size_t)dim->nq * sizeof *v);
    memcpy(X, s->X, (size_t)dim->nx * sizeof *X);
    w->points = w->points < PAST ? w->points + 1 : PAST;
}

static void bdf_restart(TmlIntegrator *it)
{
    BdfWork *w = it->work;
    const BdfOptions *o = it->opts;
    w->points = 0;
    w->order = o->order == 1 || o->max_order == 1 ? 1 : 2;
    w->since_change = 0;
    push(w, it->sys, &it->now);
    tml_implicit_restart(it, &w->core);
}

static TmlStatus bdf_accept(TmlIntegrator *it, double h, TmlError *err)
{
    BdfWork *w = it->work;
    (void)err;
    push(w, it->sys, &it->next);
    tml_implicit_accept(it, &w->core);
    const bool same = w->next_order == w->order && w->next_h == h && h == w->last_h;
    w->since_change = same ? w->since_change + 1 : 0;
    w->last_h = h;
    w->order = w->next_order;
    return TML_OK;
}

static void bdf_reject(TmlIntegrator *it)
{
    BdfWork *w = it->work;
    const BdfOptions *o = it->opts;
    tml_implicit_reject(&w->core);
    // an iteration that failed says nothing against the order
    if (w->judged && o->order == 0 && w->order > 1 && w->points > 1) {
        w->order--;
        w->since_change = 0;
    }
}

static TmlStatus setup(TmlIntegrator *it, bool stabilised, TmlError *err)
{
    const BdfOptions *o = it->opts;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    BdfWork *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    w->stabilised = stabilised;
    for (int k = 0; k < PAST; ++k) {
        TML_NEW(it->arena, w->q[k], dim->nq);
        TML_NEW(it->arena, w->v[k], dim->nq);
        TML_NEW(it->arena, w->X[k], dim->nx);
    }
    TML_NEW(it->arena, w->dd, dim->nq + dim->nx);
    w->core.sharp = true;
    w->core.control_velocity = w->core.along = stabilised;
    TmlImplicitOptions implicit = o->implicit;
    implicit.degree = 3;
    TML_TRY(tml_implicit_setup(it, &w->core, &implicit, err));
    return o->order > 2 ? tml_lead_in_setup(it, o->implicit.max_iterations, &w->lead, err) : TML_OK;
}

static void bdf_teardown(TmlIntegrator *it)
{
    BdfWork *w = it->work;
    if (w != NULL) {
        tml_lead_in_teardown(&w->lead);
    }
}

static TmlStatus bdf_i3_setup(TmlIntegrator *it, TmlError *err)
{
    return setup(it, false, err);
}

static TmlStatus bdf_si2_setup(TmlIntegrator *it, TmlError *err)
{
    return setup(it, true, err);
}

static TmlStatus bdf_check(const void *opts, TmlError *err)
{
    const BdfOptions *o = opts;
    TML_TRY(tml_option_between("max_order", o->max_order, 1, MAX_ORDER, err));
    TML_TRY(tml_option_between("order", o->order, 0, MAX_ORDER, err));
    return tml_option_at_least("iterations", o->implicit.max_iterations, 2, err);
}

static const TmlParam bdf_params[] = {
    {"max_order", TML_PARAM_INT, TML_POSITIVE, "", offsetof(BdfOptions, max_order), "5",
     "highest order, 1 to 5", NULL},
    {"order", TML_PARAM_INT, TML_NONNEGATIVE, "", offsetof(BdfOptions, order), "0",
     "fixed order for convergence studies; 0: chosen", NULL},
    TML_NEWTON_PARAMS(BdfOptions),
    {0},
};

TML_INTEGRATOR_TYPE(bdf_i3) = {
    .info = {.name = "bdf-i3",
             .text = "BDF of order 1 to 5 on index 3, error control of positions.",
             .data_size = sizeof(BdfOptions),
             .params = bdf_params},
    .tolerance = 3e-10,
    .matrices = 1.3,
    .order = MAX_ORDER,
    .check = bdf_check,
    .remembers = true,
    .setup = bdf_i3_setup,
    .other_matrices = tml_implicit_other_matrices,
    .restart = bdf_restart,
    .attempt = bdf_attempt,
    .accept = bdf_accept,
    .reject = bdf_reject,
    .teardown = bdf_teardown,
};

TML_INTEGRATOR_TYPE(bdf_si2) = {
    .info = {.name = "bdf-si2",
             .text = "BDF of order 1 to 5 on stabilised index 2, error control of positions and "
                     "velocities.",
             .data_size = sizeof(BdfOptions),
             .params = bdf_params},
    .tolerance = 1e-9,
    .matrices = 1.3,
    .order = MAX_ORDER,
    .check = bdf_check,
    .remembers = true,
    .setup = bdf_si2_setup,
    .other_matrices = tml_implicit_other_matrices,
    .restart = bdf_restart,
    .attempt = bdf_attempt,
    .accept = bdf_accept,
    .reject = bdf_reject,
    .teardown = bdf_teardown,
};
