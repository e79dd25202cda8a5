/* analysis/driver/events.c - steps that end where an expression reaches a value, and what happens there.
 *
 * With d = f - value at both ends of a step, an event lies inside when d changes its sign (equal),
 * or passes -error upwards (above) or error downwards (below). The step is then taken anew,
 * shorter:
 *
 *   (E1)  by (K1) of bracket.h, between a step before and one behind the event
 *
 * until |d| <= error, or as far as it goes:
 *
 *   (E2)  |d| <= 8 eps (|f| + |value|)                    the rounding of what is watched
 *   (E3)  h_1 - h_0 <= max(smallest step, the rounding of time)
 *
 * Where two tries of (E1) have not halved the bracket the next one does, so that (E3) comes after
 * a hundred tries at most, also when f jumps over the value. After (E3) the step ends behind the
 * event. Events that are passed before the one that was looked for come first; those behind it
 * within (E3) are passed by the next step, which ends at once. Every try starts from the last
 * accepted state, so that no interpolation is involved and all methods have events.
 */
#include "analysis/driver/bracket.h"
#include "analysis/driver/sim_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Returns f - value of an event at a state whose kinematics are known. */
static double distance(TmlSim *sim, const TmlState *s, const TmlEvent *e)
{
    const double d = tml_system_probe(sim->sys, s, e->probe) - e->value;
    return e->angle ? remainder(d, 2.0 * M_PI) : d;
}

static bool holds(const TmlEvent *e, double d)
{
    return e->condition == TML_WHEN_EQUAL   ? fabs(d) <= e->error
           : e->condition == TML_WHEN_ABOVE ? d >= -e->error
                                            : d <= e->error;
}

/* Tells whether the value lies inside of the step and not yet at its end. */
static bool passed(const TmlEvent *e, double d0, double d1)
{
    if (e->angle && fabs(d1 - d0) > M_PI) {
        return false; // the jump on the other side of the circle
    }
    switch (e->condition) {
    case TML_WHEN_EQUAL:
        return d0 * d1 < 0.0 && fabs(d0) > e->error && fabs(d1) > e->error;
    case TML_WHEN_ABOVE:
        return d0 < -e->error && d1 > e->error;
    default:
        return d0 > e->error && d1 < -e->error;
    }
}

/* Finds the event that is passed first, by its secant, or returns -1. at tells where, as a part of
 * the step. */
static int first_passed(TmlSim *sim, double *at)
{
    const TmlModel *m = sim->model;
    int first = -1;
    *at = 1.0;
    tml_system_kinematics(sim->sys, &sim->it.next, true);
    for (int k = 0; k < m->events.n; ++k) {
        const double d0 = sim->events.at[k].d, d1 = distance(sim, &sim->it.next, &m->events.at[k]);
        if (!sim->events.at[k].landed && passed(&m->events.at[k], d0, d1) &&
            -d0 / (d1 - d0) < *at) {
            first = k;
            *at = -d0 / (d1 - d0);
        }
    }
    return first;
}

TmlStatus tml_sim_try_again(TmlSim *sim, double h, TmlAttempt *a, bool *good, TmlError *err)
{
    if (sim->type->reject != NULL) {
        sim->type->reject(&sim->it);
    }
    sim->stats.landings++;
    TML_TRY(sim->type->attempt(&sim->it, h, a, err));
    *good = a->converged && (sim->options.step > 0.0 || a->error <= 1.0);
    return TML_OK;
}

/* (E2) */
static double value_rounding(const TmlEvent *e, double d)
{
    return 8.0 * DBL_EPSILON * (fabs(d + e->value) + fabs(e->value));
}

/* Makes the step *h, which ends behind event k, again and again until it ends at the event. */
static TmlStatus land_on(TmlSim *sim, int k, double at, double *h, TmlAttempt *a, bool *good,
                         TmlError *err)
{
    enum { MOST = 200, QUIET = 8 };
    const TmlEvent *e = &sim->model->events.at[k];
    const double d0 = sim->events.at[k].d, t = sim->it.now.t + *h;
    const double limit = fmax(sim->control.h_min, tml_sim_slack(sim, t));
    TmlBracket b = {.d0 = d0, .h1 = *h, .d1 = d0 * (1.0 - 1.0 / at), .of = *h};
    for (int tries = 0; tries < MOST && b.h1 - b.h0 > limit; ++tries) {
        *h = tml_bracket_next(&b);
        TML_TRY(tml_sim_try_again(sim, *h, a, good, err));
        if (!*good) {
            return TML_OK;
        }
        tml_system_kinematics(sim->sys, &sim->it.next, true);
        const double d = distance(sim, &sim->it.next, e), rounding = value_rounding(e, d);
        if (fabs(d) <= fmax(e->error, rounding)) {
            sim->events.at[k].landed = true;
            return TML_OK;
        }
        tml_bracket_narrow(&b, *h, d);
        if (tries > QUIET) {
            TML_TRY(tml_sim_cancelled(sim, err));
        }
    }
    sim->events.at[k].landed = true; // (E3)
    *h = b.h1;
    return tml_sim_try_again(sim, *h, a, good, err);
}

TmlStatus tml_sim_events_land(TmlSim *sim, double *h, TmlAttempt *a, bool *good, TmlError *err)
{
    double at;
    *good = true;
    for (int k = 0; k < sim->model->events.n; ++k) {
        sim->events.at[k].landed = false;
    }
    int k = sim->model->events.n > 0 ? first_passed(sim, &at) : -1;
    for (int tries = 0; k >= 0 && *good && tries < sim->model->events.n; ++tries) {
        for (int i = 0; i < sim->model->events.n; ++i) {
            sim->events.at[i].landed = false; // it lies behind the one that is looked for now
        }
        TML_TRY(land_on(sim, k, at, h, a, good, err));
        k = *good ? first_passed(sim, &at) : -1; // another one may lie before
    }
    return TML_OK;
}

/* All new values are those of the state before any of them is set. */
static TmlStatus set_states(TmlSim *sim, const TmlEvent *e, TmlError *err)
{
    TmlState *s = &sim->it.now;
    for (int k = 0; k < e->n_sets; ++k) {
        sim->events.values[k] = tml_system_probe(sim->sys, s, e->set[k].probe);
        if (!isfinite(sim->events.values[k])) {
            return tml_fail(err, TML_E_NONFINITE,
                            "event '%s' at t = %.9g s: the new value of state '%s' is not finite",
                            e->name, s->t, sim->model->states.at[e->set[k].state].name);
        }
    }
    for (int k = 0; k < e->n_sets; ++k) {
        s->X[e->set[k].state] = sim->events.values[k];
    }
    return TML_OK;
}

static void tell(TmlSim *sim, const TmlEvent *e)
{
    char text[256];
    snprintf(text, sizeof text, "event '%.120s' at t = %.9g s%s", e->name, sim->it.now.t,
             e->stop || e->halt ? ": the run ends" : "");
    tml_notes_add(&sim->notes, "%s", text);
    if (sim->options.hooks.log != NULL) {
        sim->options.hooks.log(sim->options.hooks.user, TML_LOG_INFO, text);
    }
}

static TmlStatus happen(TmlSim *sim, const TmlEvent *e, TmlError *err)
{
    TML_TRY(set_states(sim, e, err));
    sim->restart_pending |= e->restart || e->n_sets > 0 || !isnan(e->step);
    if (!isnan(e->step)) {
        sim->events.step = e->step;
    }
    if (!isnan(e->output_step)) {
        sim->events.output_step = e->output_step;
    }
    sim->events.row |= e->row;
    sim->events.halted |= e->halt;
    if (e->stop || e->halt) {
        sim->end = sim->it.now.t;
    }
    if (!e->silent) {
        tell(sim, e);
    }
    return TML_OK;
}

/* After states were set, an event may have been left; one that came to hold happens later. */
void tml_sim_events_look_again(TmlSim *sim)
{
    if (sim->model->events.n > 0) {
        tml_system_kinematics(sim->sys, &sim->it.now, true);
    }
    for (int k = 0; k < sim->model->events.n; ++k) {
        const TmlEvent *e = &sim->model->events.at[k];
        sim->events.at[k].d = distance(sim, &sim->it.now, e);
        sim->events.at[k].holds &= holds(e, sim->events.at[k].d);
    }
}

TmlStatus tml_sim_events_take(TmlSim *sim, const TmlSim *from, TmlError *err)
{
    const int n = sim->model->events.n;
    TML_NEW(tml_system_arena(sim->sys), sim->events.at, n);
    const bool goes_on = from != NULL && from->model->events.n == n && from->it.now.t == sim->start;
    for (int k = 0; k < n && goes_on; ++k) {
        sim->events.at[k].holds = from->events.at[k].holds;
    }
    return TML_OK;
}

TmlStatus tml_sim_events_setup(TmlSim *sim, TmlError *err)
{
    const TmlModel *m = sim->model;
    int most = 0;
    for (int k = 0; k < m->events.n; ++k) {
        most = m->events.at[k].n_sets > most ? m->events.at[k].n_sets : most;
    }
    TML_NEW(tml_system_arena(sim->sys), sim->events.values, most);
    if (m->events.n > 0) {
        tml_system_kinematics(sim->sys, &sim->it.now, true);
    }
    for (int k = 0; k < m->events.n; ++k) {
        const TmlEvent *e = &m->events.at[k];
        const bool now = holds(e, distance(sim, &sim->it.now, e));
        const bool before = sim->events.at[k].holds;
        if (now && e->at_start && !before) {
            TML_TRY(happen(sim, e, err));
        }
        // one that is above already happens at the first step; one that is at its value, later
        sim->events.at[k].holds = now && (before || e->at_start || e->condition == TML_WHEN_EQUAL);
    }
    tml_sim_events_look_again(sim);
    return TML_OK;
}

TmlStatus tml_sim_events_happen(TmlSim *sim, TmlError *err)
{
    const TmlModel *m = sim->model;
    bool changed = false; // states, and all that follows from them has to be found anew
    if (m->events.n == 0) {
        return TML_OK;
    }
    tml_system_kinematics(sim->sys, &sim->it.now, true);
    for (int k = 0; k < m->events.n; ++k) {
        const TmlEvent *e = &m->events.at[k];
        struct TmlEventState *state = &sim->events.at[k];
        const double d = distance(sim, &sim->it.now, e);
        const bool now = holds(e, d) || state->landed;
        if (now && !state->holds) {
            if (changed && e->n_sets > 0) {
                TML_TRY(tml_system_accelerations(sim->sys, &sim->it.now, err));
                tml_system_kinematics(sim->sys, &sim->it.now, true);
            }
            TML_TRY(happen(sim, e, err));
            changed |= e->n_sets > 0;
        }
        // as far as rounding goes it is there: the next step must not pass it again
        state->d = state->landed && e->condition == TML_WHEN_EQUAL ? 0.0 : d;
        state->holds = now;
        state->landed = false;
    }
    if (changed) {
        tml_sim_events_look_again(sim);
    }
    return TML_OK;
}

bool tml_sim_halted(const TmlSim *sim)
{
    return sim->events.halted;
}

const TmlEventState *tml_sim_events_state(const TmlSim *sim)
{
    return sim->events.at;
}

bool tml_sim_events_take_row(TmlSim *sim)
{
    const bool asked = sim->events.row;
    sim->events.row = false;
    return asked;
}

double tml_sim_events_take_step(TmlSim *sim)
{
    const double step = sim->events.step;
    sim->events.step = 0.0;
    return step;
}

void tml_sim_events_restore(TmlSim *sim, int n, const TmlEventState *state)
{
    for (int k = 0; k < n; ++k) {
        sim->events.at[k] = state[k];
    }
}

void tml_sim_events_rows(TmlSim *sim)
{
    if (sim->events.output_step > 0.0) {
        tml_sim_rows_count_from_here(sim);
        sim->output_step = sim->events.output_step;
        sim->events.output_step = 0.0;
    }
}
