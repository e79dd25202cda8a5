/* analysis/integrator/abm/abm_close.c - states put onto the constraints and evaluated.
 *
 *   (A15) independent coordinates stay, the others are closed on them; but the state is moved least
 *         in the sense of M
 *         - where closing moves it by more than 20 times what it is off the constraints: a singular
 *           position is near, and the move is rounding, M-orthogonal to the motion; errors count
 *           there with what the least move leaves of them
 *         - at the end of a step, when that leaves less of d, the local error (A4), along the
 *           constraints: independent coordinates that lean on them take errors across as their own
 */
#include "analysis/integrator/abm/abm.h"

#include "analysis/integrator/chart.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

/* Returns the larger of the norms of a change of positions and of velocities. */
static double larger(const TmlIntegrator *it, const double *du, const double *dw)
{
    return fmax(tml_norm_u(it->sys, &it->norm, du, NULL), tml_norm_w(it->sys, &it->norm, dw, NULL));
}

bool tml_adams_least_is_better(TmlIntegrator *it)
{
    const AdamsWork *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double *const d[2] = {w->du, w->raw};
    if (dim->m == 0) {
        return false;
    }
    for (int rates = 0; rates < 2; ++rates) {
        tml_system_reduce(sys, it->next.q, w->d + (rates ? dim->nq : 0), d[rates]);
        tml_partition_tangent(w->partition, d[rates]);
    }
    const double closed = larger(it, d[0], d[1]);
    for (int rates = 0; rates < 2; ++rates) {
        tml_system_reduce(sys, it->next.q, w->d + (rates ? dim->nq : 0), d[rates]);
    }
    return tml_system_tangent(sys, &it->next, false, 2, d) && larger(it, d[0], d[1]) < closed;
}

double tml_adams_norm_along(TmlIntegrator *it, const double *dy, int *at)
{
    const AdamsWork *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double *const d[2] = {w->du, w->raw};
    int where[3] = {-1, -1, -1};
    for (int rates = 0; rates < 2; ++rates) {
        tml_system_reduce(sys, it->next.q, dy + (rates ? dim->nq : 0), d[rates]);
    }
    if (!tml_system_tangent(sys, &it->next, false, 2, d)) {
        return (double)NAN;
    }
    const double part[3] = {tml_norm_u(sys, &it->norm, d[0], &where[0]),
                            tml_norm_w(sys, &it->norm, d[1], &where[1]),
                            tml_norm_x(sys, &it->norm, dy + 2 * dim->nq, &where[2])};
    int worst = 0;
    for (int k = 1; k < 3; ++k) {
        worst = !(part[k] <= part[worst]) ? k : worst; // NaN counts as worse
    }
    if (at != NULL) {
        *at = where[worst];
    }
    return w->c.h * part[worst];
}

/* Returns how far s is from q and v in w->before, in tolerances. */
static double moved(const TmlIntegrator *it, const TmlState *s)
{
    const AdamsWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    for (int k = 0; k < dim->nq; ++k) {
        w->change[k] = s->q[k] - w->before[k];
        w->change[dim->nq + k] = s->v[k] - w->before[dim->nq + k];
    }
    tml_system_reduce(sys, s->q, w->change, w->du);
    tml_system_reduce(sys, s->q, w->change + dim->nq, w->raw);
    return larger(it, w->du, w->raw);
}

/* Puts a state onto the constraints by (A15). It returns false when none was found. */
static bool close_state(TmlIntegrator *it, TmlState *s, bool least)
{
    static const double weak_share = 0.05, least_move = 1e-3;
    AdamsWork *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t size = (size_t)dim->nq * sizeof(double);
    w->weak = false;
    if (least) {
        return tml_system_project(sys, s);
    }
    const double off = tml_chart_drift(it->sys, &it->norm, s);
    memcpy(w->before, s->q, size);
    memcpy(w->before + dim->nq, s->v, size);
    if (tml_partition_close_positions(w->partition, s) &&
        tml_partition_close_velocities(w->partition, s)) {
        const double move = moved(it, s);
        w->weak = move > least_move && weak_share * move > off;
        if (!w->weak) {
            return true;
        }
    }
    memcpy(s->q, w->before, size);
    memcpy(s->v, w->before + dim->nq, size);
    return tml_system_project(sys, s);
}

/* Tells whether all of q, v and X are finite. */
static bool finite_state(const TmlSystem *sys, const TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    double sum = 0.0;
    for (int k = 0; k < dim->nq; ++k) {
        sum += fabs(s->q[k]) + fabs(s->v[k]);
    }
    for (int k = 0; k < dim->nx; ++k) {
        sum += fabs(s->X[k]);
    }
    return isfinite(sum);
}

TmlStatus tml_adams_evaluate(TmlIntegrator *it, TmlState *s, bool least, TmlAttempt *out,
                             TmlError *err)
{
    TmlError why = {0};
    it->iterations++;
    out->iterations++;
    out->converged = false;
    out->cause = TML_CAUSE_NONFINITE;
    if (!finite_state(it->sys, s)) {
        return TML_OK;
    }
    tml_system_retract(it->sys, s->q);
    tml_system_retract_velocity(it->sys, s->q, s->v);
    out->cause = TML_CAUSE_NEWTON;
    if (!close_state(it, s, least)) {
        return TML_OK;
    }
    const TmlStatus status = tml_system_accelerations(it->sys, s, &why);
    out->converged = status == TML_OK;
    out->cause = tml_cause_of(status);
    return status == TML_E_NOMEM ? tml_fail(err, status, "%s", why.message) : TML_OK;
}
