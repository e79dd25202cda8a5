/* analysis/driver/dynamics.c - the driver: owns time, step size, retries and their reasons.
 *
 *   (D2)  first step: |a| h^2 / 2 moves no body by more than the tolerance times ten
 *   (D7)  rounding of a step is at most (eps / tolerance) (1000 r + 10 / sigma^2) allowed errors, r
 *         the largest distance from the origin over the length scale or 1, sigma the hold of the
 *         constraints (system/consistent/project.c)
 *
 * (D7): a position is a number of size r L with an error of eps / 2 of it. A step adds a hundred
 * terms or so, stages and corrections, each with such an error: 1000 has a factor of ten to spare.
 * Constraints are met to a few eps, and what they hold the motion by is sigma: positions take
 * eps / sigma of it across the constraints, accelerations eps / sigma^2. On the N-four-bar errors
 * of up to 2 eps / sigma^2 over the tolerance were measured.
 *
 * Sizes and verdicts are those of analysis/driver/step_control.c.
 *
 * Times at which a driving function has a kink are stepped on, and the method starts afresh there.
 */
#include "analysis/driver/memory.h"

#include "base/block.h"
#include "base/clock.h"
#include "base/fail.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Tries judged anew as a state came to life; rejected ones between two looks for a cancellation;
 * inaccurate ones after which rows are looked at. */
enum { LOOKS = 2, TRIES_BETWEEN = 8, SHORTENED = 4 };

static void record_attempt(TmlSim *sim, double h, const TmlAttempt *a, TmlVerdict verdict)
{
    TmlSimStats *st = &sim->stats;
    const bool accepted = verdict != TML_STEP_REJECTED;
    if (verdict == TML_STEP_ROUNDED) {
        st->rounding++;
        st->rounding_error = fmax(st->rounding_error, a->error);
    }
    if (!accepted) {
        st->rejected++;
        st->rejected_error += a->converged;
        st->rejected_singular += !a->converged && a->cause == TML_CAUSE_SINGULAR;
        st->rejected_newton += !a->converged && a->cause != TML_CAUSE_SINGULAR;
    }
    if (!sim->options.record_solver) {
        return;
    }
    const TmlAttemptRow row = {
        .t = sim->it.now.t,
        .h = h,
        .error = a->converged ? a->error : (double)NAN,
        .accepted = accepted,
        .iterations = a->iterations,
        .order = a->order,
        .cause = (int32_t)(verdict == TML_STEP_ROUNDED ? TML_CAUSE_ROUNDING
                           : accepted                  ? TML_CAUSE_NONE
                           : a->converged              ? TML_CAUSE_ERROR
                                                       : a->cause),
    };
    tml_sim_tries_add(sim, &row);
}

/* The weight of velocities follows the largest speed seen. */
static void update_weights(TmlSim *sim)
{
    const TmlSystem *sys = sim->sys;
    for (int b = 1; b < tml_dims(sys)->nb; ++b) { // at the last evaluation, close enough
        sim->it.norm.rate = fmax(sim->it.norm.rate, tml_body_pace(sys, b).rate);
    }
    tml_sim_scales_accept(sim);
}

/* (D2) */
static double first_step(const TmlSim *sim)
{
    const TmlSystem *sys = sim->sys;
    double *du = tml_system_scratch(sys);
    tml_system_reduce(sys, sim->it.now.q, sim->it.now.a, du);
    const double a = tml_norm_u(sys, &sim->it.norm, du, NULL);
    double h = 1e-3 * sim->end;
    if (a > 0.0) {
        h = fmin(h, sqrt(20.0 / a));
    }
    const double rate = tml_norm_x(sys, &sim->it.norm, sim->it.now.Xd, NULL);
    if (rate > 0.0) {
        h = fmin(h, 1.0 / rate * 1e3);
    }
    return fmax(h, 2.0 * sim->control.h_min);
}

/* Shortens h so that it ends on the next break or the end, and leaves no sliver before it. */
static double fit_step(TmlSim *sim, double h)
{
    const double t = sim->it.now.t;
    if (tml_system_is_delayed(sim->sys)) {
        h = tml_sim_delays_fit(sim, h);
    }
    double target = fmin(tml_sim_breaks_next(sim), fmin(sim->end, sim->limit));
    target = fmin(target, tml_sim_delays_kink(sim));
    const double left = target - t;
    if (h >= left * (1.0 - 1e-9)) {
        return left;
    }
    return sim->options.step > 0.0 || 2.0 * h <= left ? h : 0.5 * left;
}

static bool report_progress(TmlSim *sim)
{
    const TmlHooks *hooks = &sim->options.hooks;
    if (hooks->progress == NULL) {
        return true;
    }
    const TmlProgress p = tml_sim_progress(sim);
    return hooks->progress(hooks->user, &p);
}

TmlStatus tml_sim_cancelled(TmlSim *sim, TmlError *err)
{
    const bool stop = atomic_exchange(&sim->stop, false);
    return report_progress(sim) && !stop
               ? TML_OK
               : tml_fail(err, TML_E_CANCELLED, "cancelled at t = %.9g s", sim->it.now.t);
}

static void tell(TmlSim *sim, const char *text)
{
    tml_notes_add(&sim->notes, "%s", text);
    if (sim->options.hooks.log != NULL) {
        sim->options.hooks.log(sim->options.hooks.user, TML_LOG_WARNING, text);
    }
}

/* Swaps the states after an accepted step, remembers it and accounts for it. */
static TmlStatus accept(TmlSim *sim, double h, TmlError *err)
{
    TmlIntegrator *it = &sim->it;
    TmlSimStats *st = &sim->stats;
    const char *told;
    TML_TRY(tml_flex_check(sim->sys, &it->next, err));
    TML_TRY(tml_modal_check(sim->sys, &it->next, &told, err));
    if (told != NULL) {
        tell(sim, told);
    }
    tml_account_note(sim);
    if (sim->type->accept != NULL) {
        TML_TRY(sim->type->accept(it, h, err));
    }
    const TmlState old = it->now;
    it->now = it->next;
    it->next = old;
    sim->restart_pending |= tml_sim_breaks_reached(sim);
    sim->restart_pending |= tml_sim_drives_reached(sim);
    tml_account_step(sim, &it->next, &it->now);
    tml_system_commit(sim->sys, &it->now);
    sim->restart_pending |= tml_system_free_bristles(sim->sys, &it->now);
    sim->restart_pending |= tml_system_released(sim->sys) && sim->contacts.parting;
    if (tml_system_is_delayed(sim->sys)) {
        TML_TRY(tml_sim_delays_record(sim, err));
    }
    update_weights(sim);
    st->steps++;
    st->h_min = st->steps == 1 ? h : fmin(st->h_min, h);
    st->h_max = fmax(st->h_max, h);
    st->h_first = st->steps == 1 ? h : st->h_first;

    tml_sim_step_ended(sim);
    return tml_sim_runaway(sim, h, err);
}

/* The part of (D7) that the hold of the constraints has. */
double tml_sim_weakness(void *user)
{
    TmlSim *sim = user;
    const double sigma = tml_system_hold(sim->sys, &sim->it.now);
    return DBL_EPSILON / sim->tolerance * 10.0 / (sigma * sigma);
}

/* Returns (D7) for the step control. */
double tml_sim_rounding(void *user)
{
    TmlSim *sim = user;
    const TmlSystem *sys = sim->sys;
    const double sigma = tml_system_hold(sim->sys, &sim->it.now);
    double way = 1.0;
    for (int b = 1; b < tml_dims(sys)->nb; ++b) {
        way = fmax(way, tml_body_pace(sys, b).way);
    }
    const double units = 1000.0 * way + 10.0 / (sigma * sigma);
    return DBL_EPSILON / sim->tolerance * units;
}

/* Forgets what was kept of earlier steps, which may belong to other curves. */
static void restart_method(TmlSim *sim)
{
    sim->type->restart(&sim->it);
    tml_sim_step_restarts(sim);
    tml_account_restart(sim);
}

/* The method starts afresh: after a kink the accelerations jump. */
static TmlStatus restart(TmlSim *sim, TmlError *err)
{
    tml_account_close(sim);
    TML_TRY(tml_sim_drives_cross(sim, err));
    const bool crossed = tml_sim_contacts_cross(sim);
    if (sim->stats.steps > 0 || tml_sim_breaks_here(sim) || crossed) {
        TML_TRY(tml_system_accelerations(sim->sys, &sim->it.now, err));
        tml_sim_scales_start(sim);
        if (!(sim->control.fixed > 0.0)) {
            sim->control.h = fmin(sim->control.h, first_step(sim));
        }
    }
    if (!(sim->control.fixed > 0.0)) {
        sim->control.h = tml_sim_contacts_first(sim, sim->control.h);
    }
    const double asked = tml_sim_events_take_step(sim);
    sim->control.h = asked > 0.0 ? fmax(asked, sim->control.h_min) : sim->control.h;
    if (tml_system_is_delayed(sim->sys)) {
        tml_sim_delays_restart(sim);
    }
    restart_method(sim);
    sim->restart_pending = false;
    return TML_OK;
}

/* Solves for the accelerations anew and starts the method afresh with step h. */
static TmlStatus start_afresh(TmlSim *sim, double h, TmlError *err)
{
    tml_account_close(sim);
    TML_TRY(tml_sim_other_rows(sim, err));
    TML_TRY(tml_system_accelerations(sim->sys, &sim->it.now, err));
    restart_method(sim);
    sim->control.h = h;
    sim->control.since_recovery = 0;
    return TML_OK;
}

static void take_back(TmlSim *sim)
{
    if (sim->type->reject != NULL) {
        sim->type->reject(&sim->it);
    }
}

/* Makes a try, and makes it again with the same size while it shows that a state has come to
 * life. */
static TmlStatus attempt_weighed(TmlSim *sim, double h, TmlAttempt *a, TmlError *err)
{
    TML_TRY(sim->type->attempt(&sim->it, h, a, err));
    if (!a->converged && tml_system_out_of_memory(sim->sys)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the factors of %d unknowns",
                        tml_dims(sim->sys)->n);
    }
    for (int k = 0; k < LOOKS && a->converged && !(sim->control.fixed > 0.0); ++k) {
        if (!tml_sim_scales_judge(sim, a->error)) {
            break;
        }
        record_attempt(sim, h, a, TML_STEP_REJECTED);
        take_back(sim);
        TML_TRY(sim->type->attempt(&sim->it, h, a, err));
    }
    return TML_OK;
}

/* Shortens a step of size *h so that it ends on the first event, onset or release that lies inside. */
static TmlStatus land(TmlSim *sim, double *h, TmlAttempt *a, bool *good, TmlError *err)
{
    enum { MOST = 8 }; // either may lie before what the other one has found
    bool shorter = true;
    *good = true;
    for (int k = 0; k < MOST && shorter && *good; ++k) {
        TML_TRY(tml_sim_events_land(sim, h, a, good, err));
        shorter = false;
        if (*good) {
            TML_TRY(tml_sim_contacts_land(sim, h, a, good, &shorter, err));
        }
    }
    return TML_OK;
}

/* Makes one try of size *h, or a shorter one where an event lies inside. */
static TmlStatus attempt(TmlSim *sim, double *h, TmlAttempt *a, TmlVerdict *verdict, TmlError *err)
{
    TML_TRY(attempt_weighed(sim, *h, a, err));
    if (tml_system_is_delayed(sim->sys) && a->converged && !(sim->control.fixed > 0.0)) {
        tml_sim_delays_judge(sim, *h, a);
    }
    *verdict = tml_step_judge(&sim->control, *h, a);
    if (*verdict != TML_STEP_REJECTED) {
        bool good;
        TML_TRY(land(sim, h, a, &good, err));
        *verdict = good ? *verdict : TML_STEP_REJECTED;
    }
    if (*verdict != TML_STEP_REJECTED && !tml_sim_contacts_bear(sim)) {
        *verdict = TML_STEP_REJECTED;
    }
    sim->contradicted =
        *verdict != TML_STEP_REJECTED && tml_system_watch(sim->sys, &sim->it.next, NULL) != TML_OK;
    *verdict = sim->contradicted ? TML_STEP_REJECTED : *verdict;
    if (*verdict == TML_STEP_ROUNDED) {
        tml_system_kinematics(sim->sys, &sim->it.next, false); // the verdict looked at the start
    }
    record_attempt(sim, *h, a, *verdict);
    if (a->message != NULL && tml_sim_choice(sim) == NULL && sim->options.hooks.log != NULL) {
        sim->options.hooks.log(sim->options.hooks.user, TML_LOG_WARNING, a->message);
    }
    return TML_OK;
}

static TmlStatus take(TmlSim *sim, double h, double wanted, const TmlAttempt *a, TmlVerdict verdict,
                      TmlError *err)
{
    TML_TRY(accept(sim, h, err));
    TML_TRY(tml_sim_events_happen(sim, err));
    tml_step_taken(&sim->control, h, wanted, a, verdict);
    sim->restart_pending |= tml_sim_contacts_landed(sim);
    tml_sim_watch(sim, sim->control.n_failed, a->waves ? NULL : a->message);
    return TML_OK;
}

/* Tells, after a try that failed, broke a row that is left out, or was shortened in vain, whether
 * the rows that are kept are why. The same size is then tried with other rows. */
static TmlStatus goes_on_with_other_rows(TmlSim *sim, double h, const TmlAttempt *a, bool *does,
                                         TmlError *err)
{
    *does = false;
    const bool inaccurate = a->converged && !sim->contradicted;
    if (!tml_system_is_redundant(sim->sys) || (inaccurate && sim->control.tries < SHORTENED)) {
        return TML_OK;
    }
    *does = tml_sim_rows_worn(sim);
    if (*does) {
        return start_afresh(sim, h, err);
    }
    return sim->contradicted ? tml_system_watch(sim->sys, &sim->it.next, err) : TML_OK;
}

static TmlStatus reject(TmlSim *sim, double h, const TmlAttempt *a, TmlError *err)
{
    TmlStepControl *c = &sim->control;
    bool other_rows;
    take_back(sim);
    if (sim->contacts.beyond) { // near pairs are looked for anew before the next try
        c->h = 0.5 * h;
        return TML_OK;
    }
    TML_TRY(goes_on_with_other_rows(sim, h, a, &other_rows, err));
    if (other_rows) {
        return TML_OK;
    }
    if (a->converged) {
        tml_sim_scales_reject(sim, h);
    }
    if (tml_step_rejected(c, h, a)) {
        TML_TRY(start_afresh(sim, c->h, err));
    }
    const bool fixed = c->fixed > 0.0;
    if (c->tries % TRIES_BETWEEN == 0) {
        TML_TRY(tml_sim_cancelled(sim, err));
    }
    return fixed || c->h < c->h_min ? tml_sim_step_failure(sim, fixed ? h : c->h, a, err) : TML_OK;
}

/* Makes tries until one is taken, or none is left. */
static TmlStatus try_until_taken(TmlSim *sim, TmlError *err)
{
    TmlStepControl *c = &sim->control;
    for (;;) {
        TmlAttempt a;
        TmlVerdict verdict;
        const double wanted = fmin(c->h, c->h_max);
        double h = fit_step(sim, wanted);
        TML_TRY(tml_sim_drives_fit(sim, &h, err));
        if (h <= 0.0) {
            TML_TRY(restart(sim, err));
            continue;
        }
        bool anew;
        TML_TRY(tml_sim_contacts_fit(sim, &h, &anew, err));
        if (anew) {
            TML_TRY(start_afresh(sim, c->h, err));
            continue;
        }
        TML_TRY(attempt(sim, &h, &a, &verdict, err));
        if (verdict != TML_STEP_REJECTED) {
            return take(sim, h, wanted, &a, verdict, err);
        }
        TML_TRY(reject(sim, h, &a, err));
    }
}

/* Makes one accepted step by the method in use. */
static TmlStatus advance(TmlSim *sim, TmlError *err)
{
    TmlStepControl *c = &sim->control;
    double h;
    if (sim->stats.steps == 0 && c->h <= 0.0) {
        c->h = first_step(sim);
    }
    if (tml_system_is_delayed(sim->sys)) {
        tml_sim_delays_ready(sim);
    }
    if (sim->restart_pending) {
        TML_TRY(restart(sim, err));
    }
    const double start = tml_clock();
    tml_step_begin(c);
    if (tml_step_collapsed(c, &h)) {
        TML_TRY(start_afresh(sim, h, err));
    } else if (sim->type->keeps_rows_fresh && !sim->it.own_rows && tml_sim_rows_worn(sim)) {
        TML_TRY(start_afresh(sim, c->h, err));
    }
    const TmlStatus status = try_until_taken(sim, err);
    sim->stats.seconds_total += tml_clock() - start;
    return status;
}

/* After a method has failed: those that take over make the step. */
static TmlStatus go_on_by_others(TmlSim *sim, TmlStatus status, TmlError *err)
{
    const TmlError first = err != NULL ? *err : (TmlError){0}; // 16 kB: not for steps that succeed
    while (tml_sim_has_successor(sim, status)) {
        TML_TRY(tml_sim_hand_over(sim, err));
        status = advance(sim, err);
    }
    if (status != TML_OK && sim->stats.steps == 0 && err != NULL) {
        *err = first; // the method that suits the model says best what is wrong
        return first.status;
    }
    return status;
}

/* Makes one accepted step, by the method in use or by one that takes over. */
static TmlStatus step(TmlSim *sim, TmlError *err)
{
    tml_sim_breaks_ready(sim);
    tml_sim_contacts_ready(sim);
    if (sim->it.now.t >= sim->end) {
        return tml_fail(err, TML_E_ARGUMENT, "the run has reached its end time, %g s", sim->end);
    }
    if (tml_sim_is_succeeded(sim)) {
        TML_TRY(tml_sim_hand_over(sim, err));
    }
    const TmlStatus status = advance(sim, err);
    return status == TML_OK ? TML_OK : go_on_by_others(sim, status, err);
}

TmlStatus tml_sim_step(TmlSim *sim, TmlError *err)
{
    TML_TRY(tml_sim_row_misuse(sim, err));
    tml_sim_row_gone(sim); // the kinematics will be others
    const uint64_t former = tml_blocks_enter(sim->owner);
    const TmlStatus status = tml_sim_memory_told(sim, step(sim, err), err);
    tml_blocks_enter(former);
    if (status != TML_OK) {
        tml_sim_row_last(sim);
    }
    return status;
}

static TmlStatus emit(TmlSim *sim, TmlRowFn row, void *user, bool first, TmlError *err)
{
    const uint64_t former = tml_blocks_enter(sim->owner);
    const TmlStatus status =
        tml_sim_memory_told(sim, tml_sim_emit_rows(sim, row, user, first, err), err);
    tml_blocks_enter(former);
    return status;
}

static TmlStatus between_steps(TmlSim *sim, TmlError *err)
{
    const TmlHooks *hooks = &sim->options.hooks;
    return hooks->between != NULL ? hooks->between(hooks->user, sim, err) : TML_OK;
}

static TmlStatus run(TmlSim *sim, TmlRowFn row, void *user, TmlError *err)
{
    if (sim->stats.steps == 0) {
        tml_sim_breaks_start(sim);
        TML_TRY(emit(sim, row, user, true, err));
    }
    while (sim->it.now.t < fmin(sim->end, sim->limit)) {
        TML_TRY(tml_sim_step(sim, err));
        TML_TRY(emit(sim, row, user, false, err));
        tml_sim_events_rows(sim);
        TML_TRY(between_steps(sim, err));
        TML_TRY(tml_sim_cancelled(sim, err));
    }
    return TML_OK;
}

TmlStatus tml_sim_run(TmlSim *sim, TmlRowFn row, void *user, TmlError *err)
{
    TML_TRY(tml_sim_row_misuse(sim, err));
    const TmlStatus status = run(sim, row, user, err);
    if (status != TML_OK && !tml_sim_has_row(sim)) {
        tml_sim_row_last(sim);
    }
    return status;
}

TmlStatus tml_sim_advance(TmlSim *sim, double t, TmlRowFn row, void *user, TmlError *err)
{
    if (!(t >= sim->it.now.t)) {
        return tml_fail(err, TML_E_ARGUMENT, "the run is at t = %.9g s and cannot go to %.9g s",
                        sim->it.now.t, t);
    }
    sim->limit = t;
    const TmlStatus status = tml_sim_run(sim, row, user, err);
    sim->limit = HUGE_VAL;
    return status;
}

void tml_sim_stop(TmlSim *sim)
{
    atomic_store(&sim->stop, true);
}

TmlProgress tml_sim_progress(const TmlSim *sim)
{
    return (TmlProgress){
        .time = sim->it.now.t,
        .end_time = sim->end,
        .step = sim->control.h,
        .steps = sim->stats.steps,
        .rejected = sim->stats.rejected,
    };
}
