/* analysis/integrator/dop853/dop853_space.c - the mechanism as the Runge-Kutta formulas see it.
 *
 *   (K4)  y = (q, q', X), f = (q', q'', X') with q'' from M q'' + Phi_q^T lambda = Q, Phi_q q'' = gamma at y as it is,
 *         Euler parameters apart, which are put on their sphere. The constraints are an invariant of this field: a
 *         stage need not be on them, and what a step is off them by is of its own order
 *   (K5)  the end of a step is moved onto the constraints, orthogonally in the sense of M
 */
#include "analysis/integrator/dop853/dop853.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

void tml_dop853_load_y(const TmlSystem *sys, const TmlState *s, double *y)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(y, s->q, nq * sizeof *y);
    memcpy(y + nq, s->v, nq * sizeof *y);
    memcpy(y + 2 * nq, s->X, (size_t)dim->nx * sizeof *y);
}

void tml_dop853_load_f(const TmlSystem *sys, const TmlState *s, double *f)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(f, s->v, nq * sizeof *f);
    memcpy(f + nq, s->a, nq * sizeof *f);
    memcpy(f + 2 * nq, s->Xd, (size_t)dim->nx * sizeof *f);
}

void tml_dop853_store_y(const TmlSystem *sys, const double *y, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(s->q, y, nq * sizeof *y);
    memcpy(s->v, y + nq, nq * sizeof *y);
    memcpy(s->X, y + 2 * nq, (size_t)dim->nx * sizeof *y);
}

/* Puts w->y into s, at t. False: it is not finite. */
static bool place(TmlIntegrator *it, double t, TmlState *s, TmlAttempt *out)
{
    const TmlDop853 *w = it->work;
    double sum = 0.0;
    for (int k = 0; k < w->n; ++k) {
        sum += fabs(w->y[k]);
    }
    if (!isfinite(sum)) {
        out->cause = TML_CAUSE_NONFINITE;
        return false;
    }
    s->t = t;
    tml_dop853_store_y(it->sys, w->y, s);
    tml_system_retract(it->sys, s->q);
    tml_system_retract_velocity(it->sys, s->q, s->v);
    return true;
}

/* Solves for the accelerations of s. */
static bool solve(TmlIntegrator *it, TmlState *s, TmlAttempt *out, TmlStatus *status, TmlError *err)
{
    TmlDop853 *w = it->work;
    TmlError why = {0};
    it->iterations++;
    out->iterations++;
    const TmlStatus got = tml_system_accelerations_kept(it->sys, s, &w->kept, &why);
    out->cause = tml_cause_of(got);
    if (got == TML_E_NOMEM) {
        *status = tml_fail(err, got, "%s", why.message);
    }
    return got == TML_OK;
}

bool tml_dop853_rhs(TmlIntegrator *it, double t, double *f, TmlAttempt *out, TmlStatus *status,
                    TmlError *err)
{
    TmlDop853 *w = it->work;
    if (!place(it, t, &w->stage, out) || !solve(it, &w->stage, out, status, err)) {
        return false;
    }
    tml_dop853_load_f(it->sys, &w->stage, f);
    return true;
}

bool tml_dop853_end(TmlIntegrator *it, double t, TmlAttempt *out, TmlStatus *status, TmlError *err)
{
    TmlDop853 *w = it->work;
    TmlState *s = &it->next;
    tml_state_copy(it->sys, &w->stage, s);
    if (!place(it, t, s, out)) {
        return false;
    }
    tml_dop853_load_y(it->sys, s, w->y);
    if (!tml_system_project(it->sys, s)) { // (K5)
        out->cause = TML_CAUSE_NEWTON;
        return false;
    }
    tml_dop853_load_y(it->sys, s, w->y1);
    for (int k = 0; k < w->n; ++k) {
        w->y[k] = w->y1[k] - w->y[k];
    }
    w->move = tml_dop853_norm(it, w->y, NULL);
    if (!solve(it, s, out, status, err)) {
        return false;
    }
    tml_dop853_load_f(it->sys, s, w->k[DOP853_END]);
    return true;
}

double tml_dop853_norm(const TmlIntegrator *it, const double *dy, int *at)
{
    const TmlDop853 *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    int where[3] = {-1, -1, -1}, worst = 0;
    double part[3];
    tml_system_reduce(sys, it->next.q, dy, w->du);
    part[0] = tml_norm_u(sys, &it->norm, w->du, &where[0]);
    tml_system_reduce(sys, it->next.q, dy + dim->nq, w->du);
    part[1] = tml_norm_w(sys, &it->norm, w->du, &where[1]);
    part[2] = tml_norm_x(sys, &it->norm, dy + 2 * dim->nq, &where[2]);
    for (int k = 1; k < 3; ++k) {
        worst = !(part[k] <= part[worst]) ? k : worst; // NaN counts as worse
    }
    if (at != NULL) {
        *at = where[worst];
    }
    return part[worst];
}

/* Returns the largest angular velocity of s, rad/s. */
static double spin(const TmlIntegrator *it, const TmlState *s)
{
    const TmlDop853 *w = it->work;
    const TmlSystem *sys = it->sys;
    double big = 0.0;
    tml_system_reduce(sys, s->q, s->v, w->du);
    for (int b = 1; b < tml_dims(sys)->nb; ++b) {
        const TmlTriple t = tml_triple(sys, b, true);
        if (t.n == 3) {
            const double *x = w->du + t.first;
            big = fmax(big, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        }
    }
    return big;
}

double tml_dop853_turn(const TmlIntegrator *it, double h)
{
    return h * fmax(spin(it, &it->now), spin(it, &it->next));
}
