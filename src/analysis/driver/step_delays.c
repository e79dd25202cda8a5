/* analysis/driver/step_delays.c - runs with delayed values: what is recorded, where steps end, how long they
 * may be.
 *
 *   (L1)  An accepted step leaves a piece of the past: the value at Chebyshev points of the step,
 *         at states of the method's own dense output or of the driver's interpolation. Degree 4, and 8
 *         where the last coefficients are above a tenth of the tolerance.
 *         Where the driver interpolates for a method of higher order, cubics over a step are too
 *         coarse: the quintic with the value and slope of the step's start, its end and the start
 *         of the step before is taken.
 *   (L2)  A kink or jump at t comes back at t + tau, smoother by one derivative each time where it
 *         goes through a differential equation: steps end there. The method starts afresh when the
 *         delayed value jumps.
 *   (L3)  Where the delay is shorter than the step, the value between is open by what one accepted
 *         value more or less in (P3) of model/measure/past.c changes. That counts as an error of the step.
 *
 * docs/decisions/0012-delays.md has the reasons.
 */
#include "analysis/driver/sim_internal.h"

#include "base/fail.h"

#include <math.h>

enum { MOST_PIECES = 1 << 20 }; // of a past, 100 MB
enum { GENERATIONS = 5, DEGREE_FIRST = 4, CUBIC_ORDER = 2 };

static const double share = 0.1;        // of the tolerance that a piece may be wrong by
static const double least_limit = 1e-5; // of the end time: steps are not kept below this by (reach)

/* Returns the allowed error of a delayed value that is y after a step h, or 0 when nothing is known
 * of its size. The floor is a hundredth of what its rate leads to while the bodies move by their
 * size: (X1) of state_scales.c. */
static double allowed(const TmlSim *sim, int k, double y, double h)
{
    const TmlPast *past = tml_system_past(sim->sys, k);
    const double change = past->n_mesh > 0 && h > 0.0 ? fabs(y - past->mesh_y[0]) / h : 0.0;
    return sim->tolerance * fmax(fmax(past->largest, fabs(y)),
                                 0.01 * change / sqrt(tml_sim_scales_acceleration(sim)));
}

static double value_of(const TmlSim *sim, const TmlState *s, int k)
{
    return s->V[sim->model->delays.at[k].value];
}

/* Refuses a delay that is negative by more than rounding. */
static TmlStatus check_times(const TmlSim *sim, const TmlState *s, double h, TmlError *err)
{
    for (int k = 0; k < sim->model->delays.n; ++k) {
        const double tau = tml_system_delay_time(sim->sys, s, k);
        if (!(tau >= -1e-6 * h - 1e-12 * (1.0 + fabs(s->t)))) {
            return tml_fail(err, TML_E_MODEL,
                            "delay '%s' is %.6g s at t = %.9g s; it must not be negative: write "
                            "max(0, ...) where it may fall below zero",
                            sim->model->delays.at[k].name, tau, s->t);
        }
        if (tml_past_is_gone(tml_system_past(sim->sys, k), s->t - tau - h)) {
            return tml_fail(err, TML_E_MODEL,
                            "delay '%s' has become %.6g s at t = %.9g s, more than four times as "
                            "long as before: what was then is not kept any more",
                            sim->model->delays.at[k].name, tau, s->t);
        }
    }
    return TML_OK;
}

TmlStatus tml_sim_delays_setup(TmlSim *sim, TmlError *err)
{
    const int n = sim->model->delays.n;
    if (!tml_system_is_delayed(sim->sys)) {
        return TML_OK;
    }
    sim->delays.landed = -HUGE_VAL;
    TML_NEW(tml_system_arena(sim->sys), sim->delays.follows, n);
    TML_NEW(tml_system_arena(sim->sys), sim->delays.sample, n);
    TML_NEW(tml_system_arena(sim->sys), sim->delays.end, n);
    for (int k = 0; k < n; ++k) {
        sim->delays.follows[k] = tml_system_delay_follows(sim->sys, k);
        tml_past_begin(tml_system_past(sim->sys, k), sim->it.now.t, value_of(sim, &sim->it.now, k));
    }
    return check_times(sim, &sim->it.now, 0.0, err);
}

TmlStatus tml_sim_delays_none(const TmlSim *sim, TmlError *err)
{
    for (int k = 0; k < sim->model->delays.n; ++k) {
        const TmlDelay *d = &sim->model->delays.at[k];
        if (d->time >= 0 || d->fixed > 0.0) {
            return tml_fail(err, TML_E_MODEL,
                            "delay '%s': equations with a past have infinitely many eigenvalues "
                            "and no matrix; set its time to 0, or put a lag in its place: "
                            "systems: {%s: {inputs: ..., numerator: [1, -T/2], denominator: [1, "
                            "T/2]}} with its time T",
                            d->name, d->name);
        }
    }
    return TML_OK;
}

void tml_sim_delays_rest(TmlSim *sim)
{
    for (int k = 0; tml_system_is_delayed(sim->sys) && k < sim->model->delays.n; ++k) {
        tml_past_rest(tml_system_past(sim->sys, k), sim->it.now.t, value_of(sim, &sim->it.now, k));
    }
    sim->delays.n_kinks = 0;
}

int tml_sim_delays_kinks(const TmlSim *sim, const TmlKink **kink, double *landed)
{
    *kink = sim->delays.kink;
    *landed = sim->delays.landed;
    return sim->delays.n_kinks;
}

TmlStatus tml_sim_delays_restore(TmlSim *sim, int n, const TmlKink *kink, double landed,
                                 TmlError *err)
{
    TmlStepDelays *d = &sim->delays;
    if (n > 0 && !tml_mem_grow((void **)&d->kink, &d->kink_cap, n, sizeof *d->kink)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the kinks of delays");
    }
    for (int k = 0; k < n; ++k) {
        d->kink[k] = kink[k];
    }
    d->n_kinks = n;
    d->landed = landed;
    return TML_OK;
}

void tml_sim_delays_free(TmlSim *sim)
{
    tml_mem_free(sim->delays.kink);
}

/* --- kinks ----------------------------------------------------------------------------------- */

/* Times closer than this are one. */
static double slack_at(const TmlSim *sim, double t)
{
    return 50.0 * tml_sim_slack(sim, t);
}

/* Notes a kink of (L2). Kinks are kept in order; those that are there already, or far smaller than
 * steps are, do not count. */
static void add_kink(TmlSim *sim, double t, int generation)
{
    int at = sim->delays.n_kinks;
    if (t >= sim->end) {
        return;
    }
    for (int k = 0; k < sim->delays.n_kinks; ++k) {
        if (fabs(sim->delays.kink[k].t - t) <= slack_at(sim, t)) {
            sim->delays.kink[k].generation = generation < sim->delays.kink[k].generation
                                                 ? generation
                                                 : sim->delays.kink[k].generation;
            return;
        }
    }
    if (!tml_mem_grow((void **)&sim->delays.kink, &sim->delays.kink_cap, sim->delays.n_kinks + 1,
                      sizeof *sim->delays.kink)) {
        sim->delays.kinks_lost = true;
        return;
    }
    for (; at > 0 && sim->delays.kink[at - 1].t > t; --at) {
        sim->delays.kink[at] = sim->delays.kink[at - 1];
    }
    sim->delays.kink[at] = (struct TmlKink){t, generation};
    sim->delays.n_kinks++;
}

static void propagate(TmlSim *sim, double t, int generation)
{
    static const double tiny_share = 1e-3; // of the present step
    for (int k = 0; k < sim->model->delays.n && generation <= GENERATIONS; ++k) {
        const TmlDelay *d = &sim->model->delays.at[k];
        if (d->time < 0 && d->fixed > tiny_share * sim->control.h &&
            d->fixed > 2.0 * sim->control.h_min) {
            add_kink(sim, t + d->fixed, generation);
        }
    }
}

double tml_sim_delays_kink(const TmlSim *sim)
{
    return sim->delays.n_kinks > 0 ? sim->delays.kink[0].t : HUGE_VAL;
}

/* Tells whether a delayed value jumps at t. */
static bool jumps(const TmlSim *sim, double t)
{
    for (int k = 0; k < sim->model->delays.n; ++k) {
        const TmlDelay *d = &sim->model->delays.at[k];
        const TmlPast *past = tml_system_past(sim->sys, k);
        if (d->time < 0 && d->fixed > 0.0 &&
            tml_past_jump(past, t - d->fixed) > 10.0 * allowed(sim, k, 0.0, 0.0)) {
            return true;
        }
    }
    return false;
}

/* The step ends on a kink, which goes on by the delays. */
static void land(TmlSim *sim)
{
    const double t = sim->it.now.t;
    while (sim->delays.n_kinks > 0 && sim->delays.kink[0].t <= t + slack_at(sim, t)) {
        const struct TmlKink kink = sim->delays.kink[0];
        sim->delays.n_kinks--;
        for (int k = 0; k < sim->delays.n_kinks; ++k) {
            sim->delays.kink[k] = sim->delays.kink[k + 1];
        }
        sim->delays.landed = kink.t;
        sim->restart_pending |= sim->type->remembers || jumps(sim, kink.t);
        propagate(sim, kink.t, kink.generation + 1);
        for (int k = 0; k < sim->model->delays.n; ++k) {
            tml_past_part(tml_system_past(sim->sys, k));
        }
    }
}

/* --- before and after a step ----------------------------------------------------------------- */

void tml_sim_delays_ready(TmlSim *sim)
{
    for (int k = 0; k < sim->model->delays.n; ++k) {
        tml_system_past(sim->sys, k)->next = true;
    }
}

void tml_sim_delays_restart(TmlSim *sim)
{
    for (int k = 0; k < sim->model->delays.n; ++k) {
        tml_past_restart(tml_system_past(sim->sys, k), sim->it.now.t,
                         value_of(sim, &sim->it.now, k));
    }
    const double t = sim->it.now.t;
    if (!(fabs(t - sim->delays.landed) <=
          slack_at(sim, t))) { // else it went on when the step ended there
        propagate(sim, t, 1);
    }
}

double tml_sim_delays_fit(TmlSim *sim, double h)
{
    const double reach = sim->type->reach, least = least_limit * sim->end;
    double limit = h;
    sim->it.kink = tml_sim_delays_kink(sim);
    for (int k = 0; k < sim->model->delays.n && !(sim->options.step > 0.0); ++k) {
        const double tau = tml_system_delay_time(sim->sys, &sim->it.now, k);
        if (tau > 0.0 && reach > 0.0) {
            limit = fmin(limit, fmax(tau / reach, least));
        }
        if (tau > 0.0 && tml_system_past(sim->sys, k)->n_mesh < 2) { // (P3) is no more than a line
            limit = fmin(limit, fmax(tau, 0.01 * h));
        }
    }
    return limit;
}

void tml_sim_delays_judge(const TmlSim *sim, double h, TmlAttempt *a)
{
    const TmlState *next = &sim->it.next;
    for (int k = 0; k < sim->model->delays.n; ++k) {
        const TmlPast *past = tml_system_past(sim->sys, k);
        const double y = value_of(sim, next, k), bound = allowed(sim, k, y, h);
        const double s = next->t - tml_system_delay_time(sim->sys, next, k);
        // reactions and the like are no smoother than the method makes them: nothing to hold on to
        const bool open = s > past->now && sim->delays.follows[k];
        const double doubt = open ? tml_past_doubt(past, next->t, y, s) : 0.0;
        const double error = bound > 0.0 ? doubt / bound : 0.0;
        if (error > a->error) { // (L3), of the order of the polynomial
            a->error = error;
            a->order = past->n_mesh - 1;
            a->proposal = a->proposal > 0.0 && error < 1.0
                              ? fmin(a->proposal, h * pow(6.0 * error, -1.0 / past->n_mesh))
                              : 0.0;
        }
    }
}

/* --- recording ------------------------------------------------------------------------------- */

/* Tells whether the value of a delay needs accelerations or reactions. */
static bool any_needs_solution(const TmlSim *sim)
{
    bool any = false;
    for (int k = 0; k < sim->model->delays.n; ++k) {
        any = any || !sim->delays.follows[k];
    }
    return any;
}

/* Evaluates the values at the end of a step. Reactions and accelerations are solved for, as for
 * output rows: those of some methods belong to another time. */
static void values_at_end(TmlSim *sim, const TmlState *s1)
{
    tml_state_copy(sim->sys, s1, &sim->trial);
    if (any_needs_solution(sim) &&
        tml_system_accelerations(sim->sys, &sim->trial, NULL) != TML_OK) {
        tml_state_copy(sim->sys, s1, &sim->trial);
    }
    for (int k = 0; k < sim->model->delays.n; ++k) {
        sim->delays.end[k] = value_of(sim, &sim->trial, k);
    }
}

/* Takes sample j of n of all delays, at the ends of the step from s0 to s1 or inside. */
static void sample(TmlSim *sim, const TmlState *s0, const TmlState *s1, int n, int j)
{
    TmlState *at = &sim->trial;
    const bool inside = j > 0 && j < n;
    const double t = s0->t + 0.5 * (1.0 + tml_piece_node(n, j)) * (s1->t - s0->t);
    if (inside) {
        tml_sim_inside(sim, s0, s1, t,
                       any_needs_solution(sim) ? TML_INSIDE_COMPLETE : TML_INSIDE_MOTION, at);
    } else {
        tml_state_copy(sim->sys, j == 0 ? s1 : s0, at);
    }
    for (int k = 0; k < sim->model->delays.n; ++k) {
        const TmlPast *past = tml_system_past(sim->sys, k);
        sim->delays.sample[k][j] = inside   ? value_of(sim, at, k)
                                   : j == 0 ? sim->delays.end[k]
                                            : past->mesh_y[0];
    }
    tml_system_follow(sim->sys, at);
    for (int k = 0; k < sim->model->delays.n; ++k) {
        if (sim->delays.follows[k]) {
            sim->delays.sample[k][j] = value_of(sim, at, k);
        }
    }
}

/* Takes the samples of (L1) for degree n; those of degree n / 2 are there already and lie in every
 * second place. */
static void sample_all(TmlSim *sim, const TmlState *s0, const TmlState *s1, int n, bool more)
{
    for (int k = 0; more && k < sim->model->delays.n; ++k) {
        for (int j = n / 2; j > 0; --j) {
            sim->delays.sample[k][2 * j] = sim->delays.sample[k][j];
        }
    }
    for (int j = more ? 1 : 0; j <= n; j += more ? 2 : 1) {
        sample(sim, s0, s1, n, j);
    }
}

/* Tells whether the pieces of degree n are accurate enough. */
static bool enough(const TmlSim *sim, int n, double h)
{
    for (int k = 0; k < sim->model->delays.n; ++k) {
        TmlPiece piece;
        const double tail = tml_piece_fit(&piece, n, sim->delays.sample[k]);
        if (tail > share * allowed(sim, k, sim->delays.sample[k][0], h)) {
            return false;
        }
    }
    return true;
}

/* What is older than the delay is not asked for again; rows of this step may still be. How long a
 * delay by an expression can become is not known: all of it is kept while there is room, then four
 * times the longest so far, and a delay that reaches back farther is an error (check_times). */
static TmlStatus forget(TmlSim *sim, int k, const TmlState *s0, const TmlState *s1, TmlError *err)
{
    const TmlDelay *d = &sim->model->delays.at[k];
    TmlPast *past = tml_system_past(sim->sys, k);
    const double h = s1->t - s0->t, tau = tml_system_delay_time(sim->sys, s1, k);
    past->longest = fmax(past->longest, tau);
    if (d->time < 0) {
        tml_past_drop(past, s0->t - d->fixed - h);
    } else if (past->n - past->dropped >= MOST_PIECES) {
        tml_past_drop(past, s0->t - 4.0 * past->longest - h);
    }
    return past->n - past->dropped <= MOST_PIECES
               ? TML_OK
               : tml_fail(
                     err, TML_E_STEP,
                     "delay '%s' reaches over more than %d steps at t = %.9g s, of %.3g s each: "
                     "its past does not fit; try a %s or a shorter delay",
                     d->name, (int)MOST_PIECES, s1->t, h,
                     sim->options.step > 0.0 ? "longer --step"
                                             : "larger --tol, a longer smallest step");
}

TmlStatus tml_sim_delays_record(TmlSim *sim, TmlError *err)
{
    const TmlState *s0 = &sim->it.next, *s1 = &sim->it.now;
    const TmlSystemStats before = tml_system_stats(sim->sys);
    int n = DEGREE_FIRST;
    if (!tml_sim_breaks_here(sim) &&
        fabs(tml_sim_delays_kink(sim) - s1->t) <= slack_at(sim, s1->t)) {
        sim->it.now.t = tml_sim_delays_kink(sim); // without the rounding of the step
    }
    TML_TRY(check_times(sim, s1, s1->t - s0->t, err));
    values_at_end(sim, s1);
    sample_all(sim, s0, s1, n, false);
    if (!enough(sim, n, s1->t - s0->t)) {
        n = TML_PAST_DEGREE;
        sample_all(sim, s0, s1, n, true);
    }
    tml_system_set_stats(sim->sys, before); // this is not work of the method
    for (int k = 0; k < sim->model->delays.n; ++k) {
        const TmlDelay *d = &sim->model->delays.at[k];
        TmlPast *past = tml_system_past(sim->sys, k);
        TmlPiece piece = {.t0 = s0->t, .t1 = s1->t};
        tml_piece_fit(&piece, n, sim->delays.sample[k]);
        if (sim->delays.follows[k] && sim->type->dense == NULL && sim->type->order > CUBIC_ORDER) {
            tml_past_refine(past, &piece);
        }
        if (!tml_past_add(past, &piece)) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for the past of delay '%s'", d->name);
        }
        TML_TRY(forget(sim, k, s0, s1, err));
    }
    land(sim);
    return sim->delays.kinks_lost
               ? tml_fail(err, TML_E_NOMEM, "out of memory for the kinks of delays")
               : TML_OK;
}
