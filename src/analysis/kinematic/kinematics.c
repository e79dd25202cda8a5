/* analysis/kinematic/kinematics.c - the motion of a model whose drives leave no freedom: the constraints are solved, nothing is
 * integrated.
 *
 * From one position to the next, h later,
 *
 *   (K1)  q~ = q + h q' + h^2 q'' / 2,   v~ = q' + h q''
 *   (K2)  Phi(q, t) = 0 by Newton's method from q~;  Phi_q q' = -Phi_t;  M q'' + Phi_q^T lambda = Q, Phi'' = 0
 *
 * so that each position is exact, whatever came before it. Steps are for the way between them: a mechanism has several
 * positions for the same drives, and the one is meant that the motion leads to. The error that controls steps is by how much
 * the motion bends away from its prediction,
 *
 *   (K3)  max(|q - q~| / (eps L), (eps^(1/3) |v - v~| / (eps L w))^(3/2))
 *
 * both of which shrink with h^3. At a position where branches cross they have one position and different velocities: the second
 * part then holds steps that would take the wrong one. Where a mechanism locks, velocities grow without bound and no step is
 * short enough.                                                                                                     own
 */
#include "analysis/kinematic/kinematics.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

typedef struct Work {
    double *dq, *du; /* nq, nu */
} Work;

static TmlStatus kinematics_setup(TmlIntegrator *it, TmlError *err)
{
    const TmlDims *dim = tml_dims(it->sys);
    Work *w;
    TML_TRY(tml_kinematics_check(it->sys, &it->now, err));
    TML_NEW(it->arena, w, 1);
    TML_NEW(it->arena, w->dq, dim->nq);
    TML_NEW(it->arena, w->du, dim->nu);
    it->work = w;
    return TML_OK;
}

static void kinematics_restart(TmlIntegrator *it)
{
    (void)it; // nothing is remembered
}

/* (K1) */
static void predict(const TmlIntegrator *it, double h, TmlState *to)
{
    const TmlState *s = &it->now;
    tml_state_copy(it->sys, s, to);
    to->t = s->t + h;
    for (int k = 0; k < tml_dims(it->sys)->nq; ++k) {
        to->q[k] += h * (s->v[k] + 0.5 * h * s->a[k]);
        to->v[k] += h * s->a[k];
    }
    tml_system_retract(it->sys, to->q);
    tml_system_retract_velocity(it->sys, to->q, to->v);
}

/* (K3): part of a difference of positions or velocities. */
static double bend(const TmlIntegrator *it, double h, bool velocity)
{
    const Work *w = it->work;
    const TmlState *s = &it->now, *e = &it->next;
    for (int k = 0; k < tml_dims(it->sys)->nq; ++k) {
        const double v = s->v[k] + h * s->a[k];
        w->dq[k] = velocity ? e->v[k] - v : e->q[k] - s->q[k] - h * (s->v[k] + 0.5 * h * s->a[k]);
    }
    tml_system_reduce(it->sys, e->q, w->dq, w->du);
    return velocity ? tml_norm_w(it->sys, &it->norm, w->du, NULL)
                    : tml_norm_u(it->sys, &it->norm, w->du, NULL);
}

static TmlStatus kinematics_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    TmlError own = {0};
    *out = (TmlAttempt){.order = 2, .worst = -1, .iterations = 1};
    predict(it, h, &it->next);
    if (!tml_system_project(it->sys, &it->next)) {
        out->cause = TML_CAUSE_NEWTON;
        return TML_OK;
    }
    const TmlStatus status = tml_system_accelerations(it->sys, &it->next, &own); // (K2)
    if (status == TML_E_NOMEM) {
        return tml_fail(err, status, "%s", own.message);
    }
    out->cause = tml_cause_of(status);
    out->converged = status == TML_OK;
    if (out->converged) {
        const double part = cbrt(it->norm.rotation); // the tolerance
        out->error = fmax(bend(it, h, false), pow(part * bend(it, h, true), 1.5));
        out->converged = isfinite(out->error);
        out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NONFINITE;
    }
    it->iterations++;
    return TML_OK;
}

const TmlIntegratorType tml_kinematics_type = {
    .info = {.name = TML_KINEMATICS,
             .text =
                 "No integration: the constraints determine the motion. For models whose drives "
                 "leave no degree of freedom.",
             .data_size = 1},
    .tolerance = 1e-4,
    .order = 4, // motion between step ends is exact, so that work is integrated there (W2)
    .keeps_rows_fresh = true,
    .matrices = 0.0,
    .setup = kinematics_setup,
    .restart = kinematics_restart,
    .attempt = kinematics_attempt,
};
