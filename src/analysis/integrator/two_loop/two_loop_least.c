/* analysis/integrator/two_loop/two_loop_least.c - the end of a step by the least move onto the constraints.
 *
 *   (T12) near a singular position a has rounding across weak constraints, of which independent
 *         coordinates take their part: there the formula with a for all coordinates is moved onto
 *         the constraints by the least move in the sense of M. It is near where closing has moved
 *         that state by more than 20 times what it is off its constraints                    own
 *   (T14) so it is elsewhere where that leaves less of the local error: independent coordinates
 *         pass their errors on to the dependent ones (a light body turns about a ball: closing
 *         moves its mass instead of turning it). Not with a preconditioner: the move is one of
 *         forces too, and stiff ones would not be those of the formula any more               own
 *   (T15) where the outer loop fails, which it does close to singular positions, since there
 *         dependent coordinates answer without bound: a <- a_g on all coordinates, the formula
 *         put onto the constraints by the least move, until a stays along them               own
 */
#include "analysis/integrator/two_loop/two_loop.h"

#include "analysis/integrator/chart.h"
#include "analysis/integrator/convergence.h"

#include <math.h>
#include <string.h>

static const double better = 0.5; // (T14): share of the error that is worth a move
static const double noise = 0.3;  // (T15): corrections that stop shrinking below this are rounding

/* Sets q and v of s as the formula gives them with accelerations a, not closed. */
static void put_formula(const TmlTwoLoop *w, const double *a, TmlSystem *sys, TmlState *s)
{
    const TmlLowOrder *f = &w->formula;
    for (int k = 0; k < f->nq; ++k) {
        s->q[k] = f->base_q[k] + f->cq * a[k];
        s->v[k] = f->base_v[k] + f->cv * a[k];
    }
    tml_system_retract(sys, s->q);
    tml_system_retract_velocity(sys, s->q, s->v);
}

/* Returns how far a is from b in positions and velocities, in tolerances. */
static double distance(const TmlIntegrator *it, const TmlTwoLoop *w, const TmlState *a,
                       const TmlState *b)
{
    const TmlSystem *sys = it->sys;
    double part[2];
    for (int rates = 0; rates < 2; ++rates) {
        const double *x = rates ? a->v : a->q, *y = rates ? b->v : b->q;
        for (int k = 0; k < tml_dims(sys)->nq; ++k) {
            w->dq[k] = x[k] - y[k];
        }
        tml_system_reduce(sys, b->q, w->dq, w->du);
        part[rates] = rates ? tml_norm_w(sys, &it->norm, w->du, NULL)
                            : tml_norm_u(sys, &it->norm, w->du, NULL);
    }
    return fmax(part[0], part[1]);
}

/* Tells by (T12) whether the formula with a for all coordinates, at s, is near a singular
 * position. */
static bool is_singular(TmlIntegrator *it, const TmlTwoLoop *w, const TmlState *s)
{
    static const double weak_share = 0.05, least_move = 1e-3;
    const double move = distance(it, w, &it->next, s);
    return move > least_move && weak_share * move > tml_chart_drift(it->sys, &it->norm, s);
}

/* (T14) */
static bool least_is_better(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlSystem *sys = it->sys;
    double *const change[1] = {w->raw};
    if (w->preconditioned || tml_system_is_flexible(sys)) {
        return false;
    }
    tml_two_loop_error(it, w);
    const double closed = tml_norm_u(sys, &it->norm, w->du, NULL);
    return tml_system_tangent(sys, &it->next, false, 1, change) &&
           tml_norm_u(sys, &it->norm, w->raw, NULL) < better * closed;
}

bool tml_two_loop_settle(TmlIntegrator *it, TmlTwoLoop *w, TmlAttempt *out)
{
    TmlSystem *sys = it->sys;
    TmlState *s = &w->trial;
    w->least = false;
    if (!w->coordinates.type->of_bodies || tml_dims(sys)->m == 0) {
        return true;
    }
    const bool better_so = least_is_better(it, w);
    tml_state_copy(sys, &it->next, s);
    s->t = it->next.t;
    put_formula(w, tml_two_loop_accepted(it, w).a, sys, s);
    if (!better_so && !is_singular(it, w, s)) {
        return true;
    }
    w->kept.loose = false;
    if (!tml_system_project(sys, s) || !tml_two_loop_accelerations(it, w, s, &out->cause)) {
        return false;
    }
    tml_state_copy(sys, s, &it->next);
    w->least = true;
    return true;
}

/* Returns the size of c_q (a_new - a) along the constraints at s, in tolerances. It is not finite
 * where the matrix is singular. */
static double change_along(TmlIntegrator *it, TmlTwoLoop *w, const TmlState *s, const double *a)
{
    TmlSystem *sys = it->sys;
    double *const change[1] = {w->du};
    for (int k = 0; k < tml_dims(sys)->nq; ++k) {
        w->dq[k] = w->formula.cq * (s->a[k] - a[k]);
    }
    tml_system_reduce(sys, s->q, w->dq, w->du);
    return tml_system_tangent(sys, s, false, 1, change) ? tml_norm_u(sys, &it->norm, w->du, NULL)
                                                        : (double)NAN;
}

bool tml_two_loop_least(TmlIntegrator *it, TmlTwoLoop *w, TmlAttempt *out)
{
    const TmlLowOrder *f = &w->formula;
    TmlConvergence c = {.share = f->error * f->h * f->h / f->cq, .target = w->newton};
    TmlConvergenceVerdict verdict = TML_GO_ON;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlState *s = &it->next;
    c.noise = noise;
    c.rate = 0.5;
    c.slow_after = TML_NEVER;
    if (!w->coordinates.type->of_bodies || dim->m == 0 || dim->nx > 0 ||
        tml_system_is_flexible(sys)) {
        return false;
    }
    tml_state_copy(sys, &it->now, s);
    s->t = it->now.t + f->h;
    tml_low_order_predict(f, w->rates.a, w->rates.xd);
    w->kept.loose = w->preconditioned = false;
    for (int k = 0; k < w->max_iterations && verdict == TML_GO_ON; ++k) {
        put_formula(w, w->rates.a, sys, s);
        if (!tml_system_project(sys, s) || !tml_two_loop_accelerations(it, w, s, &out->cause)) {
            return false;
        }
        const double size = change_along(it, w, s, w->rates.a);
        if (!isfinite(size)) {
            return false;
        }
        out->iterations++;
        it->iterations++;
        it->loop.corrections++;
        verdict = tml_convergence_judge(&c, size, w->max_iterations - 1 - k);
        if (verdict == TML_GO_ON) {
            memcpy(w->rates.a, s->a, (size_t)dim->nq * sizeof *s->a);
        }
    }
    w->least = out->converged = verdict == TML_CONVERGED;
    return out->converged;
}
