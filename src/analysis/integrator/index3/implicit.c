/* analysis/integrator/index3/implicit.c - prediction and Newton iteration of the methods on index 3.
 *
 *   (I4)  prediction: extrapolation of a, lambda, X', V, F                        step_history.h
 *   (I5)  stop when share * xi / (1 - xi) * |c_q da| <= newton                         [003] (46)
 *         xi: measured convergence rate; |.| in units of the tolerance          convergence.h
 *   (I6)  rounding of Phi / c_q, some 1e-16 / c_q, enters accelerations along the constraints by as
 *         much as J has turned since K was factored. An iteration that stops there would leave the
 *         same error in every step: methods of high order want factors of their own in each   own
 *   (I7)  a step of h takes velocities across the constraints from positions over h: their rounding, eps L / h. Below
 *         the step at which eps L / c_q is a part of the accelerations of the motion, reactions are rounding, and friction
 *         that reads them takes energy in every step. Such steps have the rows of velocities, from which accelerations lose
 *         eps V / h only, and move the positions onto Phi = 0 afterwards by K [dq; mu] = [0; Phi]            own
 */
#include "analysis/integrator/index3/implicit.h"

#include "analysis/integrator/convergence.h"
#include "analysis/integrator/soft_start.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

/* Sets q, v, X of it->next from its accelerations. The norms of Euler parameters are restored by
 * the part of a along p, and by that part only: the rounding of positions across p, divided by c_q,
 * is more than a short step may have in accelerations. */
static void step_states(const TmlIntegrator *it, const TmlImplicit *w)
{
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlState *s = &it->next;
    double *change = tml_system_scratch(sys), *across = change + dim->nq, *du = across + dim->nq;
    for (int k = 0; k < dim->nq; ++k) {
        s->q[k] = w->dq[k] = w->base_q[k] + w->cq * s->a[k];
    }
    tml_system_retract(sys, s->q);
    for (int k = 0; k < dim->nq; ++k) {
        change[k] = s->q[k] - w->dq[k];
    }
    tml_system_reduce(sys, s->q, change, du);
    tml_system_expand(sys, s->q, du, across);
    for (int k = 0; k < dim->nq; ++k) {
        s->a[k] += (change[k] - across[k]) / w->cq;
        s->v[k] = w->base_v[k] + w->cv * s->a[k];
    }
    for (int k = 0; k < dim->nx; ++k) {
        s->X[k] = w->base_X[k] + w->cx * s->Xd[k];
    }
}

static void predict(TmlIntegrator *it, TmlImplicit *w)
{
    TmlState *s = &it->next;
    double weight[TML_HISTORY];
    s->t = it->now.t + w->h;
    const int d = tml_history_predict(&w->history, s->t, weight);
    const double *p0 = w->history.past[0];
    for (int k = 0; k < w->length; ++k) {
        s->a[k] = weight[0] * p0[k];
    }
    for (int i = 1; i <= d; ++i) {
        const double *p = w->history.past[i];
        for (int k = 0; k < w->length; ++k) {
            s->a[k] += weight[i] * p[k];
        }
    }
    step_states(it, w);
}

/* (I7): the part of the accelerations at the start of a step that the rounding of positions may make. Before anything
 * moves there is nothing to compare it with. */
static const double brief_part = 0.1;

static bool is_brief(const TmlIntegrator *it, const TmlImplicit *w)
{
    const TmlState *s = &it->now;
    if (tml_dims(it->sys)->m == 0) {
        return false;
    }
    tml_system_reduce(it->sys, s->q, s->a, w->du);
    const double motion = tml_norm_u(it->sys, &it->norm, w->du, NULL);
    return motion > 0.0 &&
           tml_norm_rounding(it->sys, &it->norm, s->q) > brief_part * w->cq * motion;
}

static bool has_velocity_rows(const TmlImplicit *w)
{
    return w->velocity_rows || w->brief;
}

/* (I7): the drift of one step is of the order of its local error, and one pass takes it away. */
static void close_positions(TmlIntegrator *it, TmlImplicit *w)
{
    TmlSystem *sys = it->sys;
    (void)tml_system_rows(sys, &it->next, TML_LEVEL_POSITION, w->r);
    tml_system_solve(sys, TML_FACTORS_STEP, w->r);
    tml_system_expand(sys, it->next.q, w->r, w->dq);
    for (int k = 0; k < tml_dims(sys)->nq; ++k) {
        it->next.q[k] -= w->dq[k];
    }
    tml_system_retract(sys, it->next.q);
}

/* Evaluates (I2) and (I3) with scaled rows. It returns false when something is not finite. */
static bool residual(TmlIntegrator *it, TmlImplicit *w)
{
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const bool velocity = has_velocity_rows(w);
    tml_system_residual_settled(sys, &it->next, velocity ? TML_LEVEL_VELOCITY : TML_LEVEL_POSITION,
                                w->r);
    tml_system_scale_rows(sys, velocity ? w->cv : w->cq, w->cv, w->r);
    double sum = 0.0;
    for (int k = 0; k < dim->n; ++k) {
        sum += fabs(w->r[k]);
    }
    return isfinite(sum);
}

/* Returns the equation that is not finite, or -1. Expressions come last and name best what is
 * wrong. */
static int not_finite(const double *r, int n)
{
    while (n > 0 && isfinite(r[n - 1])) {
        --n;
    }
    return n - 1;
}

static bool renew_factors(TmlIntegrator *it, TmlImplicit *w, TmlAttempt *out)
{
    const TmlCoeffs co = {.a = 1.0, .v = w->cv, .q = w->cq};
    tml_system_jacobian(it->sys, &it->next, co, w->cx);
    const int column = tml_system_factor(it->sys, TML_FACTORS_STEP);
    w->stale = column >= 0;
    w->rate = 0.1;
    tml_step_factors_renewed(&w->factors, it->sys, w->cq);
    if (column >= 0) {
        out->cause = TML_CAUSE_SINGULAR;
        out->worst = column;
    }
    return column < 0;
}

/* Returns the size of the last correction in units of the tolerance. The allowed error of a state
 * that starts at zero may be below the rounding of what it has become. */
static double correction_size(const TmlIntegrator *it, const TmlImplicit *w, int *at)
{
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    int at_x = -1;
    for (int k = 0; k < dim->nu; ++k) {
        w->du[k] = w->cq * w->r[k];
    }
    for (int k = 0; k < dim->nx; ++k) {
        const double dx = w->cx * w->r[dim->nu + dim->m + k];
        w->dx[k] = tml_norm_state_rounded(&it->norm, k, it->next.X[k], dx) ? 0.0 : dx;
    }
    double u = tml_norm_u(sys, &it->norm, w->du, at);
    if (w->control_velocity) {
        u *= fmax(1.0, w->cv / (w->cq * it->norm.rate)); // dv = (c_v / c_q) dq
    }
    const double x = tml_norm_x(sys, &it->norm, w->dx, &at_x);
    if (x > u) {
        *at = at_x;
    }
    return x > u ? x : u;
}

/* Corrections that no longer shrink but are this small a part of the tolerance are rounding, larger
 * than usual because the mechanism is close to a singular position. With flexible bodies they would
 * be strains: little in metres, much in joules. */
static const double noise = 0.3;

/* Returns the size of what a projection at it->next would leave of the last correction, which is in
 * w->r. It is not finite where the matrix is singular. */
static double size_along(TmlIntegrator *it, TmlImplicit *w, int *at)
{
    correction_size(it, w, at);
    double *const change[1] = {w->du};
    if (!tml_system_tangent(it->sys, &it->next, true, 1, change)) {
        return (double)NAN;
    }
    const double rates = w->control_velocity ? w->cv / (w->cq * it->norm.rate) : 1.0;
    return fmax(tml_norm_u(it->sys, &it->norm, w->du, at) * fmax(1.0, rates),
                tml_norm_x(it->sys, &it->norm, w->dx, NULL));
}

/* Gives the verdict on the last correction along the constraints, which counts as long as the
 * square of the whole is below what may be left. */
static TmlConvergenceVerdict judge_along(TmlIntegrator *it, TmlImplicit *w, TmlConvergence *c,
                                         double whole, int *at)
{
    const double size = size_along(it, w, at);
    const bool small = whole * whole * it->norm.rotation <= 1.0;
    return small && isfinite(size) ? tml_convergence_judge(c, size, 0) : TML_STALLED;
}

/* An iteration that no longer shrinks gets factors of where it is so often. Stiff directions that
 * turn within a step (a stiff beam that swings) need them. */
static const int renewals = 2;

/* Forces of contact and friction bend within a step, so that the tangent of a prediction may leave half of a correction to the next
 * one. Where shapes touch, a fresh iteration that leaves more than this part takes factors of where it is, so often. */
static const double slow_contact = 0.2;
static const int contact_renewals = 4;

/* Where linear systems are solved by iterations, these leave this part of what the rate of convergence says that is left
 * of a correction. Errors are judged by their leading digits. */
static const double part_of_rate = 0.1, filter_accuracy = 1e-3;

/* Solves (I2) and (I3) for one correction and makes it. It returns its size, which is not finite
 * when it cannot be made. *turned: friction was replaced (tml_system_iterate). */
static double correction(TmlIntegrator *it, TmlImplicit *w, bool renew, bool *turned,
                         TmlAttempt *out)
{
    if (!residual(it, w)) {
        out->cause = TML_CAUSE_NONFINITE;
        out->worst = not_finite(w->r, tml_dims(it->sys)->n);
        return (double)NAN;
    }
    *turned = tml_system_slips_turned(it->sys);
    if ((renew || *turned) && !renew_factors(it, w, out)) {
        return (double)NAN;
    }
    tml_system_set_accuracy(it->sys, part_of_rate * tml_convergence_trusted(w->rate));
    tml_step_factors_solve(&w->factors, it->sys, w->r);
    const double size = correction_size(it, w, &out->worst);
    if (isfinite(size)) {
        tml_system_correct(it->sys, &it->next, w->r, w->dq);
        step_states(it, w);
        out->iterations++;
        it->iterations++;
    }
    return size;
}

/* An iteration by Newton's method from the prediction. */
typedef struct Newton {
    TmlIntegrator *it;
    TmlImplicit *w;
    TmlAttempt *out;
    bool fresh, renew;           /* it began with new factors; the next correction needs some */
    int renewals, contacts;      /* that are left, of stalls and of slow contacts */
    TmlConvergence whole, along; /* of corrections, and of what of them is along the constraints */
} Newton;

static Newton newton_begin(TmlIntegrator *it, TmlImplicit *w, bool fresh, TmlAttempt *out)
{
    TmlConvergence whole = {.share = w->share, .target = w->o.newton, .rate = w->rate};
    whole.floor = tml_norm_rounding_floor(it->sys, &it->norm, it->next.q);
    whole.slow_after = fresh ? TML_NEVER : 3; // kept factors are renewed when they are slow
    TmlConvergence along = whole;
    along.measure = TML_ERROR_ITSELF;
    along.noise = noise;
    along.slow_after = TML_NEVER;
    if (!fresh) {
        tml_step_factors_begin(&w->factors, it->sys);
    }
    out->cause = TML_CAUSE_NEWTON;
    return (Newton){.it = it,
                    .w = w,
                    .out = out,
                    .fresh = fresh,
                    .renew = fresh,
                    .renewals = fresh && !w->along ? renewals : 0,
                    .contacts = fresh && tml_system_touches(it->sys) ? contact_renewals : 0,
                    .whole = whole,
                    .along = along};
}

/* Judges a correction. An iteration that stalls or is slow goes on with new factors, as long as some are left. */
static TmlConvergenceVerdict newton_judge(Newton *n, double size, int more)
{
    TmlImplicit *w = n->w;
    const double quiet = !tml_system_is_flexible(n->it->sys) ? noise : 0.0;
    n->whole.noise = n->renewals > 0 ? 0.0 : quiet;
    n->whole.slowest = n->contacts > 0 ? slow_contact : 0.0;
    const TmlConvergenceVerdict verdict = tml_convergence_judge(&n->whole, size, more);
    w->rate = n->whole.rate;
    int *left = verdict == TML_STALLED ? &n->renewals : verdict == TML_SLOW ? &n->contacts : NULL;
    if (left != NULL && *left > 0) {
        (*left)--;
        n->renew = true;
        return TML_GO_ON;
    }
    const bool stalled = verdict == TML_STALLED && w->along && n->fresh;
    w->weak = w->weak || (stalled && tml_dims(n->it->sys)->m > 0);
    return w->weak && verdict != TML_CONVERGED
               ? judge_along(n->it, w, &n->along, size, &n->out->worst)
               : verdict;
}

/* Returns true when it has converged. */
static bool newton(void *arg)
{
    Newton *n = arg;
    TmlImplicit *w = n->w;
    TmlConvergenceVerdict verdict = TML_GO_ON;
    for (int k = 0; k < w->o.max_iterations && verdict == TML_GO_ON; ++k) {
        bool turned = false;
        const double size = correction(n->it, w, n->renew, &turned, n->out);
        if (!isfinite(size)) {
            return false;
        }
        if (n->renew || turned) {
            tml_convergence_again(&n->whole, w->rate);
        }
        n->renew = turned; // the matrix of a tangent is not that of the law
        if (!turned) {
            verdict = newton_judge(n, size, w->o.max_iterations - 1 - k);
            w->stale = verdict == TML_CONVERGED ? w->rate > 0.3 || k > 3 : w->stale;
        }
    }
    n->out->converged = verdict == TML_CONVERGED;
    n->out->cause = n->out->converged ? TML_CAUSE_NONE : n->out->cause;
    return n->out->converged;
}

static bool iterate(TmlIntegrator *it, TmlImplicit *w, bool fresh, TmlAttempt *out)
{
    Newton n = newton_begin(it, w, fresh, out);
    return tml_system_iterate(it->sys, newton, &n);
}

void tml_implicit_soften(TmlIntegrator *it, TmlImplicit *w)
{
    if (w->history.points > 1 || !tml_system_is_flexible(it->sys)) {
        return;
    }
    const size_t size = (size_t)tml_dims(it->sys)->nq * sizeof(double);
    const TmlSoftStep step = {w->cq, w->cv, w->cx};
    memcpy(it->now.a, w->start, size); // an attempt before may have softened them for another step
    if (tml_soft_start(it->sys, &it->now, step, w->r, w->du, w->dq)) {
        w->stale = false;
        tml_step_factors_renewed(&w->factors, it->sys, w->cq);
    }
    memcpy(w->history.past[0], it->now.a, size);
}

void tml_implicit_solve(TmlIntegrator *it, TmlImplicit *w, TmlAttempt *out)
{
    w->weak = false;
    w->brief = !w->velocity_rows && is_brief(it, w);
    predict(it, w);
    const bool at_rounding =
        w->sharp &&
        w->o.newton < w->share * tml_norm_rounding_floor(it->sys, &it->norm, it->next.q); // (I6)
    const bool fresh = w->stale || at_rounding || tml_step_factors_far(&w->factors, w->cq);
    const bool done = iterate(it, w, fresh, out);
    const bool worn = !done && !fresh && out->cause == TML_CAUSE_NEWTON;
    if (!fresh && (done || worn) && out->iterations > 1) {
        tml_step_factors_judge(&w->factors, w->cq, w->rate);
    }
    if (worn) {
        predict(it, w);
        iterate(it, w, true, out);
    }
    w->stale = w->stale || !out->converged;
    if (w->brief && out->converged) {
        close_positions(it, w);
    }
}

void tml_implicit_resolve(TmlIntegrator *it, TmlImplicit *w, TmlAttempt *out)
{
    step_states(it, w);
    iterate(it, w, false, out);
}

void tml_implicit_filter(const TmlIntegrator *it, TmlImplicit *w)
{
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    memset(w->r + dim->nu, 0, (size_t)(dim->n - dim->nu) * sizeof *w->r);
    tml_system_mass_mul(sys, &it->next, w->du, w->r);
    tml_system_set_accuracy(sys, filter_accuracy);
    tml_step_factors_solve(&w->factors, sys, w->r);
    memcpy(w->du, w->r, (size_t)dim->nu * sizeof *w->du);
}

/* A mechanism that is driven altogether has no error along its constraints, yet its reactions must
 * be resolved: the unfiltered estimate counts with this share. */
static const double raw_share = 0.1;

double tml_implicit_error(const TmlIntegrator *it, TmlImplicit *w, int *at)
{
    double u = tml_norm_u(it->sys, &it->norm, w->du, at);
    if (w->o.filter) {
        const int at_raw = *at;
        const double raw = raw_share * u;
        tml_implicit_filter(it, w);
        u = tml_norm_u(it->sys, &it->norm, w->du, at);
        *at = raw > u ? at_raw : *at;
        u = fmax(u, raw);
    }
    return u;
}

/* With less damping than this the multipliers do not settle after a step change; a pendulum runs at
 * 0.02. */
static const double least_damping = 0.02;

TmlStatus tml_implicit_project(TmlIntegrator *it, TmlProjection projection, double damping,
                               TmlError *err)
{
    if (projection == TML_PROJECT_AUTO) {
        projection = damping < least_damping ? TML_PROJECT_FULL : TML_PROJECT_NONE;
    }
    if (projection == TML_PROJECT_NONE || tml_dims(it->sys)->m == 0) {
        return TML_OK;
    }
    tml_system_project_velocity(it->sys, &it->next);
    return projection == TML_PROJECT_FULL ? tml_system_accelerations(it->sys, &it->next, err)
                                          : TML_OK;
}

/* --- history ------------------------------------------------------------------------------- */

void tml_implicit_restart(const TmlIntegrator *it, TmlImplicit *w)
{
    tml_history_restart(&w->history, it->now.t);
    memcpy(w->history.past[0], it->now.a, (size_t)w->length * sizeof(double));
    memcpy(w->start, it->now.a, (size_t)tml_dims(it->sys)->nq * sizeof(double));
    w->stale = true;
    w->rate = 0.1;
}

void tml_implicit_other_matrices(TmlIntegrator *it)
{
    TmlImplicit *w = it->work; // the work of a method begins with it
    w->stale = true;
    w->factors.cq = 0.0;
}

void tml_implicit_accept(const TmlIntegrator *it, TmlImplicit *w)
{
    double *point = tml_history_accept(&w->history, it->next.t, it->next.a);
    memcpy(point, it->next.a, (size_t)w->length * sizeof(double));
}

void tml_implicit_reject(TmlImplicit *w)
{
    tml_history_reject(&w->history);
}

TmlStatus tml_implicit_check(const TmlImplicitOptions *o, TmlError *err)
{
    TML_TRY(tml_option_between("degree", o->degree, 0, 3, err));
    return tml_option_at_least("iterations", o->max_iterations, 2, err);
}

TmlStatus tml_implicit_setup(TmlIntegrator *it, TmlImplicit *w, const TmlImplicitOptions *o,
                             TmlError *err)
{
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    w->o = *o;
    TML_TRY(tml_system_set_solver(sys, (TmlSolver)o->solver, (TmlSolver)o->solver, err));
    w->length = dim->size - 2 * dim->nq;
    TML_TRY(tml_history_setup(&w->history, it->arena, w->length, 0, dim->nq, o->degree, err));
    TML_NEW(it->arena, w->start, dim->nq);
    TML_NEW(it->arena, w->base_q, dim->nq);
    TML_NEW(it->arena, w->base_v, dim->nq);
    TML_NEW(it->arena, w->base_X, dim->nx);
    TML_NEW(it->arena, w->r, dim->n);
    TML_NEW(it->arena, w->dq, dim->nq);
    TML_NEW(it->arena, w->du, dim->nu);
    TML_NEW(it->arena, w->dx, dim->nx);
    return tml_step_factors_setup(&w->factors, sys, it->arena, err);
}
