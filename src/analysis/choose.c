/* analysis/choose.c - `auto`: which method suits a model, and why.
 *
 * Two rates are compared at the start:
 *
 *   (U1)  fast: the largest of |J2| and sqrt |J1|, the derivatives of the accelerations by
 * velocities and positions along the constraints, by power iteration on differences (U2)  slow: how
 * fast the motion itself goes, max(|v| / L, |w|, sqrt(|a| / L), 10 / t_end)
 *
 * An explicit method needs steps of about 1 / fast whatever the tolerance; an implicit one of about
 * tolerance^(1/p) / slow. Forces that are not smooth (contact, friction, switches) make order above
 * two useless, and in large models the cheapest step wins; HHT-I3 is for both.
 */
#include "analysis/sim_internal.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

enum { LARGE = 300 }; /* bodies */

static const double stiff_ratio = 50.0;

/* An expression of the state with less than two continuous derivatives. */
static bool rough_binding(const TmlBinding *b)
{
    const bool state = b->uses_motion || b->uses_twist || b->n_unknowns > 0;
    return state && tml_expr_smoothness(b->expr) < 2;
}

static bool is_rough(const TmlSystem *sys)
{
    for (int k = 0; k < sys->nx + sys->nv + sys->nf; ++k) {
        if (rough_binding(sys->equation[k].binding)) {
            return true;
        }
    }
    return false;
}

/* y = change of the u-accelerations when velocities (or positions) change by eps y; returns |y|
 * before it is scaled to one, i.e. an estimate of |J2| (or |J1|). y is in rotation and translation
 * / L. */
static double power_step(TmlSim *sim, bool velocity, double eps, double *y, TmlState *work)
{
    const TmlSystem *sys = sim->sys;
    const TmlState *s = &sim->it.now;
    double *du = sim->it.next.q, *dq = sim->it.next.v; // free until the first step
    double norm = 0.0;
    tml_state_copy(sys, s, work);
    for (int k = 0; k < sys->nu; ++k) {
        du[k] = eps * y[k] * sys->unit[k];
    }
    tml_system_expand(sys, s->q, du, dq);
    for (int k = 0; k < sys->nq; ++k) {
        *(velocity ? &work->v[k] : &work->q[k]) += dq[k];
    }
    tml_system_retract(sys, work->q);
    tml_system_retract_velocity(sys, work->q, work->v);
    if (tml_system_accelerations(sim->sys, work, NULL) != TML_OK) {
        return 0.0;
    }
    for (int k = 0; k < sys->nq; ++k) {
        dq[k] = (work->a[k] - s->a[k]) / eps;
    }
    tml_system_reduce(sys, s->q, dq, y);
    for (int k = 0; k < sys->nu; ++k) {
        y[k] /= sys->unit[k];
        norm += y[k] * y[k];
    }
    norm = sqrt(norm);
    for (int k = 0; k < sys->nu && norm > 0.0; ++k) {
        y[k] /= norm;
    }
    return isfinite(norm) ? norm : 0.0;
}

static double largest_rate(TmlSim *sim, bool velocity, double *y, TmlState *work)
{
    enum { ITERATIONS = 8 };
    double rate = 0.0;
    uint64_t seed = 11;
    for (int k = 0; k < sim->sys->nu; ++k) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        y[k] = (double)(int64_t)seed * 0x1.0p-63 / sqrt((double)sim->sys->nu);
    }
    for (int k = 0; k < ITERATIONS; ++k) {
        rate = power_step(sim, velocity, 1e-6, y, work);
        if (rate == 0.0) {
            break;
        }
    }
    return rate;
}

/* (U1) */
static double fast_rate(TmlSim *sim)
{
    TmlArena scratch = {0};
    TmlState work;
    double rate = 0.0;
    double *y = tml_arena_alloc(&scratch, (size_t)sim->sys->nu + 1, sizeof *y);
    if (y != NULL && tml_state_create_in(sim->sys, &scratch, &work, NULL) == TML_OK) {
        const double j2 = largest_rate(sim, true, y, &work);
        const double j1 = largest_rate(sim, false, y, &work);
        rate = fmax(j2, sqrt(j1));
    }
    tml_arena_free(&scratch);
    return rate;
}

/* (U2) */
static double slow_rate(TmlSim *sim)
{
    const TmlSystem *sys = sim->sys;
    double rate = 10.0 / sim->end;
    tml_system_kinematics(sim->sys, &sim->it.now, false);
    for (int b = 1; b < sys->nb; ++b) {
        const TmlFrameKin *k = &sys->body[b].k;
        rate = fmax(rate, fmax(v3_norm(k->v) / sys->length, v3_norm(k->omega)));
        rate = fmax(rate, sqrt(fmax(v3_norm(k->a) / sys->length, v3_norm(k->alpha))));
    }
    return rate;
}

/* The first of the names that is registered. */
static const TmlIntegratorType *first_of(const char *a, const char *b, const char *c)
{
    const TmlIntegratorType *type = tml_find_integrator(a);
    type = type != NULL ? type : tml_find_integrator(b);
    return type != NULL ? type : tml_find_integrator(c);
}

void tml_sim_choose(TmlSim *sim)
{
    const bool large = sim->sys->nb > LARGE;
    const double fast = large ? 0.0 : fast_rate(sim), slow = slow_rate(sim);
    const char *why;
    char ratio[96] = "";
    if (large) {
        sim->type = tml_find_integrator("hht");
        why = "the model is large, and its steps are the cheapest";
    } else if (is_rough(sim->sys)) {
        sim->type = tml_find_integrator("hht");
        why = "a force is not smooth (contact, friction or a switch)";
    } else if (fast > stiff_ratio * slow) {
        sim->type = first_of("radau", "bdf-si2", "hht");
        why = "the model is stiff and smooth";
    } else {
        sim->type = first_of("radau", "adams", "hht");
        why = "the model is smooth";
    }
    if (fast > 0.0) {
        snprintf(ratio, sizeof ratio, " (fastest rate %.3g 1/s, motion %.3g 1/s)", fast, slow);
    }
    tml_notes_add(&sim->notes, "integrator '%s' chosen: %s%s", sim->type->info.name, why, ratio);
    const TmlHooks *hooks = &sim->options.hooks;
    if (hooks->log != NULL && sim->notes.n > 0) {
        hooks->log(hooks->user, TML_LOG_INFO, sim->notes.text[sim->notes.n - 1]);
    }
}
