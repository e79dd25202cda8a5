/* analysis/dynamics.c - the driver: owns time, step size, retries and their reasons.
 *
 *   (D1)  h_new = h min(2, max(0.2, (6 e)^(-1/(p+1))))     e: weighted local error, p: order
 *         and h_new = h where that is 1 to 1.2: step changes cost accuracy of the multipliers and
 *         the factors that a method keeps. The controller aims at a sixth of the bound, so that
 *         rejections are rare.
 *   (D2)  first step: |a| h^2 / 2 moves no body by more than the tolerance times ten
 *
 * When an iteration fails, sizes on both sides of the failed one are tried before it is cut for
 * good, and the failed size again after the next success: near a singular position what matters is
 * where a step lands, and steps that only shrink would creep towards the point instead of passing
 * it. Should the steps collapse all the same, the accelerations are solved for anew and the method
 * starts afresh with a step of the size before: after short steps they are mostly rounding.
 *
 * Times at which a driving function has a kink are stepped on, and the method starts afresh there.
 */
#include "analysis/sim_internal.h"

#include "base/clock.h"
#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Failed tries; those that a method may limit; those judged anew as a state came to life. */
enum { FAILURES_BEFORE_RESTART = 8, LIMITED = 4, LOOKS = 2 };

static const double bias = 6.0, growth = 2.0, cut = 0.2, newton_cut = 0.4;

static void record_attempt(TmlSim *sim, double h, const TmlAttempt *a, bool accepted)
{
    TmlSimStats *st = &sim->stats;
    if (!accepted) {
        st->rejected++;
        st->rejected_error += a->converged;
        st->rejected_singular += !a->converged && a->cause == TML_CAUSE_SINGULAR;
        st->rejected_newton += !a->converged && a->cause != TML_CAUSE_SINGULAR;
    }
    if (!sim->options.record_solver) {
        return;
    }
    if (!tml_mem_grow((void **)&sim->attempts, &sim->attempts_cap, (int)sim->n_attempts + 1,
                      sizeof *sim->attempts)) {
        return; // a run does not fail for want of its log
    }
    sim->attempts[sim->n_attempts++] = (TmlAttemptRow){
        .t = sim->it.now.t,
        .h = h,
        .error = a->converged ? a->error : (double)NAN,
        .accepted = accepted,
        .iterations = a->iterations,
        .order = a->order,
        .cause = (int32_t)(accepted       ? TML_CAUSE_NONE
                           : a->converged ? TML_CAUSE_ERROR
                                          : a->cause),
    };
}

/* The weight of velocities follows the largest speed seen. */
static void update_weights(TmlSim *sim)
{
    const TmlSystem *sys = sim->sys;
    double speed = 0.0, spin = 0.0;
    for (int b = 1; b < sys->nb; ++b) {
        const TmlFrameKin *k = &sys->body[b].k; // of the last evaluation, close enough
        speed = fmax(speed, v3_norm(k->v));
        spin = fmax(spin, v3_norm(k->omega));
    }
    sim->it.norm.rate = fmax(sim->it.norm.rate, fmax(speed / sys->length, spin));
    tml_sim_scales_accept(sim);
}

/* (D2) */
static double first_step(const TmlSim *sim)
{
    const TmlSystem *sys = sim->sys;
    double *du = sys->scratch;
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
    return fmax(h, 2.0 * sim->h_min);
}

/* Shorten h so that it ends on the next break or the end, and leaves no sliver before it. */
static double fit_step(TmlSim *sim, double h)
{
    const double t = sim->it.now.t;
    if (sim->sys->past != NULL) {
        h = tml_sim_delays_fit(sim, h);
    }
    while (sim->next_break < sim->n_breaks &&
           sim->breaks[sim->next_break] <= t + 1e-12 * fmax(1.0, fabs(t))) {
        sim->next_break++;
    }
    double target = sim->next_break < sim->n_breaks && sim->breaks[sim->next_break] < sim->end
                        ? sim->breaks[sim->next_break]
                        : sim->end;
    target = sim->n_kinks > 0 ? fmin(target, sim->kink[0].t) : target;
    const double left = target - t;
    if (h >= left * (1.0 - 1e-9)) {
        return left;
    }
    return sim->options.step > 0.0 || 2.0 * h <= left ? h : 0.5 * left;
}

static TmlStatus step_too_small(const TmlSim *sim, double h, const TmlAttempt *a, TmlError *err)
{
    char who[256] = "";
    static const char *const advice[TML_CAUSE_COUNT] = {
        [TML_CAUSE_NONE] = "",
        [TML_CAUSE_ERROR] = "the motion changes abruptly there (impact, switching force, or a "
                            "tolerance below rounding): try a larger --tol or a smoother force",
        [TML_CAUSE_NEWTON] = "a force is too abrupt, or the mechanism meets a position that it "
                             "cannot pass: try a smoother force, a larger --tol, or check the "
                             "joints for a dead point",
        [TML_CAUSE_SINGULAR] = "the mechanism is at a singular position or a body has no inertia: "
                               "check for a dead point, or give the body mass and inertia",
        [TML_CAUSE_NONFINITE] = "an expression divides by zero or leaves its domain: guard it "
                                "with IF or MAX",
    };
    const TmlCause cause = a->converged ? TML_CAUSE_ERROR : a->cause;
    static const char *const text[] = {
#define CAUSE_TEXT(code, words) words,
        TML_CAUSE_LIST(CAUSE_TEXT)
#undef CAUSE_TEXT
    };
    if (a->worst >= 0) {
        tml_system_unknown_name(sim->sys, a->worst, who, sizeof who);
    }
    return tml_fail(
        err, TML_E_STEP,
        "at t = %.9g s the step fell to %.3g s (the smallest allowed is %.3g s): %s%s%s; "
        "%s",
        sim->it.now.t, h, sim->h_min, text[cause], who[0] != '\0' ? ", worst at " : "", who,
        advice[cause]);
}

/* After an accepted step: swap, remember, account. */
static TmlStatus accept(TmlSim *sim, double h, TmlError *err)
{
    TmlIntegrator *it = &sim->it;
    TmlSimStats *st = &sim->stats;
    TML_TRY(tml_flex_check(sim->sys, &it->next, err));
    TML_TRY(tml_system_watch(sim->sys, &it->next, err));
    tml_sim_account(sim, it->next.t);
    if (sim->type->accept != NULL) {
        TML_TRY(sim->type->accept(it, h, err));
    }
    const TmlState old = it->now;
    it->now = it->next;
    it->next = old;
    tml_sim_account_step(sim, &it->next, &it->now);
    tml_system_commit(sim->sys, &it->now);
    if (sim->sys->past != NULL) {
        TML_TRY(tml_sim_delays_record(sim, err));
    }
    update_weights(sim);
    st->steps++;
    st->h_min = st->steps == 1 ? h : fmin(st->h_min, h);
    st->h_max = fmax(st->h_max, h);
    st->h_first = st->steps == 1 ? h : st->h_first;

    // the step's ends for output: the old end becomes the start
    sim->last_end = 1 - sim->last_end;
    TmlStepEnd *end = &sim->ends[sim->last_end];
    end->ready = false;
    tml_state_copy(sim->sys, &it->now, &end->s);
    end->work_stored = sim->work_stored;
    end->work_other = sim->work_other;
    if (sim->next_break < sim->n_breaks && it->now.t >= sim->breaks[sim->next_break] - 1e-15) {
        it->now.t = sim->breaks[sim->next_break];
        sim->restart_pending = true;
    }
    sim->restart_pending |= tml_sim_drives_reached(sim);
    return tml_sim_runaway(sim, h, err);
}

/* True when steps have become shorter without the error becoming smaller: it is rounding, which
 * shorter steps only increase. Compares with where the shortening began. */
static bool shrinks_in_vain(TmlSim *sim, double h, double e)
{
    if (h >= sim->h_reference) {
        sim->h_reference = h;
        sim->error_reference = e;
        return false;
    }
    if (h > 0.7 * sim->h_reference) {
        return false;
    }
    const bool vain = e > 0.7 * sim->error_reference;
    sim->h_reference = h;
    sim->error_reference = e;
    return vain;
}

/* (D1) */
static double next_step(TmlSim *sim, double h, const TmlAttempt *a)
{
    const double e = fmax(a->error, 1e-10);
    double factor = a->proposal > 0.0 ? a->proposal / h : pow(bias * e, -1.0 / (a->order + 1));
    factor = fmin(growth, fmax(cut, factor));
    if (shrinks_in_vain(sim, h, e) && factor < 1.0) {
        return growth * h;
    }
    if (sim->after_rejection) {
        factor = fmin(factor, 1.0);
    }
    return factor >= 1.0 && factor < 1.2 ? h : factor * h;
}

/* Tries of one step that converged but were too inaccurate. */
typedef struct Tried {
    double first, h, error;    /* size of the first; size and error of the last */
    double best_h, best_error; /* the least error so far */
    int order;                 /* of the last */
    int others;                /* sizes tried because shorter steps do not help */
    bool last;                 /* the best size is being repeated, to be taken */
} Tried;

/* Errors up to this are taken at once where they are rounding. */
static const double small_rounding = 10.0;

/* True when a shorter step has not reduced the error: then rounding is all that is left of it (near
 * a singular position, or at a tolerance close to the precision of the numbers). A small one is
 * accepted; a large one may depend on where the step lands, so that other sizes are tried first and
 * the best of all is taken. Remembers the try. */
static bool is_rounding(Tried *tried, double h, const TmlAttempt *a)
{
    if (!a->converged || a->error <= 1.0) {
        return false;
    }
    // errors of two orders say nothing about each other
    const bool vain = tried->h > 0.0 && a->order == tried->order && h < 0.8 * tried->h &&
                      a->error > 0.7 * tried->error;
    if (tried->h <= 0.0 || a->error < tried->best_error) {
        tried->best_h = h;
        tried->best_error = a->error;
    }
    tried->first = tried->h > 0.0 ? tried->first : h;
    tried->h = h;
    tried->order = a->order;
    tried->error = a->error;
    tried->others += vain && tried->others == 0 && a->error > small_rounding;
    return tried->last || (tried->others == 0 && vain);
}

/* Size of the next try after the n-th failed iteration (n from 1) of a step that began with h. */
static double after_failure(double h, int n)
{
    static const double factor[] = {0.7, 1.4, 0.5, 1.75};
    const int known = (int)(sizeof factor / sizeof factor[0]);
    return n <= known ? factor[n - 1] * h : 0.5 * h * pow(newton_cut, n - known);
}

/* Size of the next try after one that was too inaccurate. */
static double after_error(Tried *tried, double h, const TmlAttempt *a)
{
    enum { OTHERS = 4 };
    if (tried->others > OTHERS) {
        tried->last = true;
        return tried->best_h;
    }
    if (tried->others > 0) {
        return after_failure(tried->first, tried->others++);
    }
    if (a->proposal > 0.0 && a->proposal < h) {
        return a->proposal;
    }
    return h * fmax(cut, pow(bias * a->error, -1.0 / (a->order + 1)));
}

/* The failed size is worth another try, unless that has gone wrong several times in a row. */
static double leap(TmlSim *sim, double failed)
{
    sim->leaps = failed > 0.0 ? sim->leaps + 1 : sim->leaps > 0 ? sim->leaps - 1 : 0;
    return sim->leaps <= 6 ? failed : 0.0;
}

/* The method starts afresh: after a kink the accelerations jump. */
static TmlStatus restart(TmlSim *sim, TmlError *err)
{
    TML_TRY(tml_sim_drives_cross(sim, err));
    if (sim->stats.steps > 0) {
        TML_TRY(tml_system_accelerations(sim->sys, &sim->it.now, err));
        tml_sim_scales_start(sim);
        sim->h = fmin(sim->h, first_step(sim));
    }
    if (sim->event_step > 0.0) {
        sim->h = fmax(sim->event_step, sim->h_min);
        sim->event_step = 0.0;
    }
    if (sim->sys->past != NULL) {
        tml_sim_delays_restart(sim);
    }
    sim->type->restart(&sim->it);
    sim->restart_pending = false;
    return TML_OK;
}

/* Solve for the accelerations anew and start the method afresh with step h. */
static TmlStatus start_afresh(TmlSim *sim, double h, TmlError *err)
{
    TML_TRY(tml_system_accelerations(sim->sys, &sim->it.now, err));
    sim->type->restart(&sim->it);
    sim->h = h;
    sim->since_recovery = 0;
    return TML_OK;
}

/* Restart after a collapse of the step size; at most once in a while, for where short steps are
 * really needed this only costs a few attempts. */
static TmlStatus recover(TmlSim *sim, TmlError *err)
{
    enum { STEPS_BETWEEN = 50 };
    sim->since_recovery++;
    sim->h_usual = fmax(sim->h, 0.97 * sim->h_usual);
    if (sim->options.step > 0.0 || sim->h > 0.01 * sim->h_usual ||
        sim->since_recovery < STEPS_BETWEEN) {
        return TML_OK;
    }
    return start_afresh(sim, 0.5 * sim->h_usual, err);
}

/* What a step has shrunk to when the points before a jump only stand in the way of the method. */
static const double history_is_void = 1e-4;

/* One accepted step by the method in use. */
static TmlStatus advance(TmlSim *sim, TmlError *err)
{
    TmlAttempt a;
    if (sim->stats.steps == 0 && sim->h <= 0.0) {
        sim->h = first_step(sim);
    }
    if (sim->sys->past != NULL) {
        tml_sim_delays_ready(sim);
    }
    if (sim->restart_pending) {
        TML_TRY(restart(sim, err));
    }
    const double start = tml_clock();
    TML_TRY(recover(sim, err));
    double failed = 0.0; // size at which an iteration first failed
    int failures = 0, n_failed = 0, looks = 0;
    bool restarted = false;
    Tried tried = {0};
    sim->after_rejection = false;
    for (;;) {
        const double wanted = fmin(sim->h, sim->h_max);
        double h = fit_step(sim, wanted);
        TML_TRY(tml_sim_drives_fit(sim, &h, err));
        if (h <= 0.0) {
            TML_TRY(restart(sim, err));
            continue;
        }
        TML_TRY(sim->type->attempt(&sim->it, h, &a, err));
        const bool fixed = sim->options.step > 0.0;
        if (a.converged && !fixed && looks < LOOKS && tml_sim_scales_judge(sim, a.error)) {
            record_attempt(sim, h, &a, false);
            if (sim->type->reject != NULL) {
                sim->type->reject(&sim->it);
            }
            looks++;
            continue;
        }
        if (sim->sys->past != NULL && a.converged && !fixed) {
            tml_sim_delays_judge(sim, h, &a);
        }
        const bool rounding = is_rounding(&tried, h, &a);
        bool good = a.converged && (fixed || a.error <= 1.0 || rounding);
        if (good) {
            TML_TRY(tml_sim_events_land(sim, &h, &a, &good, err));
        }
        record_attempt(sim, h, &a, good);
        if (a.message != NULL && !sim->automatic && sim->options.hooks.log != NULL) {
            sim->options.hooks.log(sim->options.hooks.user, TML_LOG_WARNING, a.message);
        }
        if (good) {
            // a step cut short by a break says nothing against the size that was wanted
            double proposal = fmax(next_step(sim, h, &a), leap(sim, failed));
            proposal = rounding ? tried.first : h < wanted ? fmax(wanted, proposal) : proposal;
            proposal = a.limit > 0.0 ? fmin(proposal, a.limit) : proposal;
            TmlStatus status = accept(sim, h, err);
            status = status == TML_OK ? tml_sim_events_happen(sim, err) : status;
            sim->h = fixed ? sim->options.step : fmax(proposal, sim->h_min);
            sim->stats.rounding += rounding;
            tml_sim_watch(sim, n_failed, a.message);
            sim->stats.seconds_total += tml_clock() - start;
            return status;
        }
        if (sim->type->reject != NULL) {
            sim->type->reject(&sim->it);
        }
        sim->after_rejection = true;
        if (a.converged) {
            tml_sim_scales_reject(sim, h);
            sim->h = after_error(&tried, h, &a);
            if (sim->h < history_is_void * tried.first && !fixed && !restarted) {
                TML_TRY(start_afresh(sim, sim->h, err));
                restarted = true;
            }
        } else if (a.limit > 0.0 && n_failed < LIMITED) {
            n_failed++;
            sim->h = a.limit;
        } else {
            failed = failures == 0 ? h : failed;
            n_failed++;
            sim->h = after_failure(failed, ++failures);
            if (failures == FAILURES_BEFORE_RESTART && !fixed && !restarted) {
                TML_TRY(start_afresh(sim, failed, err));
                restarted = true;
                failures = 0;
            }
        }
        if (fixed || sim->h < sim->h_min) {
            sim->stats.seconds_total += tml_clock() - start;
            return step_too_small(sim, fixed ? h : sim->h, &a, err);
        }
    }
}

TmlStatus tml_sim_step(TmlSim *sim, TmlError *err)
{
    if (sim->it.now.t >= sim->end) {
        return tml_fail(err, TML_E_ARGUMENT, "the run has reached its end time, %g s", sim->end);
    }
    if (sim->successor != NULL) {
        TML_TRY(tml_sim_hand_over(sim, err));
    }
    TmlStatus status = advance(sim, err);
    const TmlError first = err != NULL ? *err : (TmlError){0};
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

static bool report_progress(TmlSim *sim)
{
    const TmlHooks *hooks = &sim->options.hooks;
    if (hooks->progress == NULL) {
        return true;
    }
    const TmlProgress p = {
        .time = sim->it.now.t,
        .end_time = sim->end,
        .step = sim->h,
        .steps = sim->stats.steps,
        .rejected = sim->stats.rejected,
    };
    return hooks->progress(hooks->user, &p);
}

TmlStatus tml_sim_run(TmlSim *sim, TmlRowFn row, void *user, TmlError *err)
{
    if (sim->stats.steps == 0) {
        TML_TRY(tml_sim_emit_rows(sim, row, user, true, err));
    }
    while (sim->it.now.t < sim->end) {
        TML_TRY(tml_sim_step(sim, err));
        TML_TRY(tml_sim_emit_rows(sim, row, user, false, err));
        tml_sim_events_rows(sim);
        if (!report_progress(sim)) {
            return tml_fail(err, TML_E_CANCELLED, "cancelled at t = %.9g s", sim->it.now.t);
        }
    }
    return TML_OK;
}
