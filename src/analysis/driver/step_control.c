/* analysis/driver/step_control.c - the step law, and the rules for where rounding rules.
 *
 *   (D1)  h_new = h min(2, max(0.2, (6 e)^(-1/(p+1))))     e: weighted local error, p: order
 *         and h_new = h where that is 1 to 1.2: step changes cost accuracy of the multipliers and
 *         the factors that a method keeps. The controller aims at a sixth of the bound, so that
 *         rejections are rare. After a rejection a step does not grow.
 *   (D3)  an iteration that failed: h_new = 0.4 h, and nothing goes back to the failed size
 *
 * Near a singular position other rules hold. Rounding is multiplied there, by as much as the
 * constraints lose their hold, and what matters is where a step lands: steps that only shrink would
 * creep towards the point instead of passing it. They must not hold elsewhere. At a contact the
 * error is not monotonic in h either, a shorter step is right, and an error that does not fall is
 * no rounding. Hence each of them needs the bound B of what rounding can be from here
 * (tml_sim_rounding gives it):
 *
 *   (D4)  e > 1 is taken when a shorter step did not lower it and e <= B. Above ten the error may
 *         depend on where the step lands: sizes on both sides are tried, and the best is taken if
 *         its error is below B, too.
 *   (D5)  where the part of B that weak constraints make is above 0.1, a singular position is near: after a failed iteration sizes on both
 *         sides of the failed one are tried before it is cut for good, and the failed size again
 *         after the next success; and when the steps have collapsed the method starts afresh with
 *         half the size before, for accelerations after short steps are mostly rounding.
 *   (D6)  an accepted step whose error did not fall though it is shorter, and is below B: the next
 *         one is twice as long, for rounding grows as steps shrink.
 *   (D9)  for methods of one step that keep nothing: h_new = h min(2, max(0.2, (2 e)^(-0.7/k) (2 e_n-1)^(0.4/k))), k = p + 1, a
 *         PI controller [HNW, IV.2]. Where stability bounds the steps (D1) lets errors swing from step to step and rejects
 *         one in three; this law settles. It has (D1) with 2 for 6 after a start, where steps may
 *         grow by 5, and after a rejection; after more than one,
 *         with the slope of the last two errors for k: where a force sets in, errors do not fall by the order
 *   (D8)  e > 1 is taken when the method knows that its estimate is no better: differences of
 *         positions far from the origin. Shorter steps and other orders would be chosen by chance.
 *
 * docs/decisions/0008-singular-positions.md has the measurements.
 */
#include "analysis/driver/step_control.h"

#include <math.h>

enum { FAILURES_BEFORE_RESTART = 8, LIMITED = 4, OTHERS = 4, LEAPS = 6, STEPS_BETWEEN = 50 };

static const double bias = 6.0, growth = 2.0, cut = 0.2, newton_cut = 0.4; // (D1), (D3)
static const double smooth_bias = 2.0, first_growth = 5.0, proportional = 0.7,
                    integral = 0.4;        // (D9)
static const double deep_cut = 0.1;        // (D9): the least factor after a second rejection
static const double least_before = 1e-4;   // (D9): errors below this do not hold the next step back
static const double idle_growth = 1.2;     // growth that is not worth a change
static const double shorter_ratio = 0.8;   // a size is told from another below this ratio
static const double unfallen_ratio = 0.7;  // an error that has not fallen
static const double small_rounding = 10.0; // (D4): taken at once
static const double near = 0.1;            // (D5)
static const double collapse_ratio = 0.01; // of the usual size
static const double void_history_ratio = 1e-4; // of the first try: points before a jump only hinder

void tml_step_forget(TmlStepControl *c)
{
    c->h_reference = c->error_reference = c->h_usual = 0.0;
    c->since_recovery = c->leaps = 0;
    c->error_before = 0.0;
    tml_step_begin(c);
}

void tml_step_begin(TmlStepControl *c)
{
    c->bound = c->weak = -1.0;
    c->tries = c->failures = c->n_failed = c->order = c->others = 0;
    c->failed = c->first = c->last = c->error = c->best = c->best_error = c->slope = 0.0;
    c->others_tried = c->repeating = c->restarted = false;
}

/* B */
static double bound(TmlStepControl *c)
{
    if (c->bound < 0.0) {
        c->bound = c->rounding != NULL ? c->rounding(c->user) : 0.0;
    }
    return c->bound;
}

/* (D5): whether the constraints lose their hold. A body far from the origin has as large a bound, and nothing
 * singular about it. */
static bool near_singular(TmlStepControl *c)
{
    if (c->weak < 0.0) {
        c->weak = c->weakness != NULL ? c->weakness(c->user) : bound(c);
    }
    return c->weak > near;
}

bool tml_step_collapsed(TmlStepControl *c, double *h)
{
    c->since_recovery++;
    c->h_usual = fmax(c->h, 0.97 * c->h_usual);
    if (c->fixed > 0.0 || c->h > collapse_ratio * c->h_usual || c->since_recovery < STEPS_BETWEEN) {
        return false;
    }
    c->since_recovery = 0; // also where short steps are needed: the question costs factors
    *h = 0.5 * c->h_usual;
    return near_singular(c);
}

/* Remembers a try that converged and was too inaccurate. It returns true when the try is shorter
 * than the one before and its error no smaller. Errors of two orders say nothing about each
 * other. */
static bool in_vain(TmlStepControl *c, double h, const TmlAttempt *a)
{
    const bool vain = c->last > 0.0 && a->order == c->order && h < shorter_ratio * c->last &&
                      a->error > unfallen_ratio * c->error;
    if (c->last <= 0.0 || a->error < c->best_error) {
        c->best = h;
        c->best_error = a->error;
    }
    c->first = c->last > 0.0 ? c->first : h;
    c->slope = c->last > 0.0 && h < c->last && a->error < c->error
                   ? log(c->error / a->error) / log(c->last / h)
                   : 0.0;
    c->last = h;
    c->order = a->order;
    c->error = a->error;
    return vain;
}

/* (D4) */
static TmlVerdict judge_error(TmlStepControl *c, double h, const TmlAttempt *a)
{
    const bool vain = in_vain(c, h, a);
    if (c->repeating) {
        c->repeating = false;
        return a->error <= bound(c) ? TML_STEP_ROUNDED : TML_STEP_REJECTED;
    }
    if (c->others > 0 || !vain || a->error > bound(c)) {
        return TML_STEP_REJECTED;
    }
    if (a->error > small_rounding) {
        c->others = c->others_tried ? 0 : 1;
        return TML_STEP_REJECTED;
    }
    return TML_STEP_ROUNDED;
}

TmlVerdict tml_step_judge(TmlStepControl *c, double h, const TmlAttempt *a)
{
    if (!a->converged) {
        return TML_STEP_REJECTED;
    }
    if (c->fixed > 0.0 || a->error <= 1.0) {
        return TML_STEP_TAKEN;
    }
    if (a->error <= a->rounding) { // (D8)
        c->first = c->last > 0.0 ? c->first : h;
        return TML_STEP_ROUNDED;
    }
    return judge_error(c, h, a);
}

/* Tells whether steps have become shorter without the error becoming smaller, compared with where
 * the shortening began. */
static bool shrinks_in_vain(TmlStepControl *c, double h, double e)
{
    const bool much_shorter = h <= unfallen_ratio * c->h_reference;
    const bool vain = much_shorter && e > unfallen_ratio * c->error_reference;
    if (much_shorter || h >= c->h_reference) {
        c->h_reference = h;
        c->error_reference = e;
    }
    return vain;
}

/* (D9) */
static double smooth_factor(TmlStepControl *c, double e, int order)
{
    const double k = order + 1, before = c->error_before;
    c->error_before = fmax(e, least_before);
    if (before <= 0.0 || c->tries > 0) {
        return pow(smooth_bias * e, -1.0 / k);
    }
    return pow(smooth_bias * e, -proportional / k) * pow(smooth_bias * before, integral / k);
}

/* (D1), (D6), (D9) */
static double next_size(TmlStepControl *c, double h, const TmlAttempt *a)
{
    const double e = fmax(a->error, 1e-10);
    const double most = c->smooth && c->error_before <= 0.0 ? first_growth : growth;
    double factor = a->proposal > 0.0 ? a->proposal / h
                    : c->smooth       ? smooth_factor(c, e, a->order)
                                      : pow(bias * e, -1.0 / (a->order + 1));
    factor = fmin(most, fmax(cut, factor));
    if (shrinks_in_vain(c, h, e) && factor < 1.0 && e <= bound(c)) {
        return growth * h;
    }
    factor = c->tries > 0 ? fmin(factor, 1.0) : factor;
    return !c->smooth && factor >= 1.0 && factor < idle_growth ? h : factor * h;
}

/* Returns the failed size, which (D5) tries again, or 0: not when that has gone wrong several times
 * in a row. */
static double leap(TmlStepControl *c)
{
    const bool again = c->failed > 0.0 && near_singular(c);
    c->leaps = again ? c->leaps + 1 : c->leaps > 0 ? c->leaps - 1 : 0;
    return again && c->leaps <= LEAPS ? c->failed : 0.0;
}

void tml_step_taken(TmlStepControl *c, double h, double wanted, const TmlAttempt *a, TmlVerdict v)
{
    if (c->fixed > 0.0) {
        c->h = c->fixed;
        return;
    }
    double next = fmax(next_size(c, h, a), leap(c));
    next = v == TML_STEP_ROUNDED ? c->first : h < wanted ? fmax(wanted, next) : next;
    next = a->limit > 0.0 ? fmin(next, a->limit) : next;
    c->h = fmax(next, c->h_min);
    c->error_before =
        h < wanted ? 0.0 : c->error_before; // the error of a shortened step tells of no trend
}

/* Returns the size of the n-th try (n from 1) near a singular position, of a step that began with
 * h. */
static double on_both_sides(double h, int n)
{
    static const double factor[] = {0.7, 1.4, 0.5, 1.75};
    const int known = (int)(sizeof factor / sizeof factor[0]);
    return n <= known ? factor[n - 1] * h : 0.5 * h * pow(newton_cut, n - known);
}

static bool after_failure(TmlStepControl *c, double h, const TmlAttempt *a)
{
    c->n_failed++;
    if (a->limit > 0.0 && c->n_failed <= LIMITED) {
        c->h = a->limit;
        return false;
    }
    c->failed = c->failures == 0 ? h : c->failed;
    c->failures++;
    const bool singular = near_singular(c);
    c->h = singular ? on_both_sides(c->failed, c->failures) : newton_cut * h; // (D5), (D3)
    if (c->failures < FAILURES_BEFORE_RESTART || c->restarted) {
        return false;
    }
    c->h = singular ? c->failed : c->h;
    c->restarted = true;
    c->failures = 0;
    return true;
}

/* Returns the factor after an error above 1: (D1), or (D9). */
static double shortened(const TmlStepControl *c, const TmlAttempt *a)
{
    const double k = a->order + 1;
    if (!c->smooth) {
        return fmax(cut, pow(bias * a->error, -1.0 / k));
    }
    const double slope = c->tries > 1 ? fmin(k, fmax(1.0, c->slope)) : k;
    return fmax(c->tries > 1 ? deep_cut : cut, pow(smooth_bias * a->error, -1.0 / slope));
}

static bool after_error(TmlStepControl *c, double h, const TmlAttempt *a)
{
    if (c->others > OTHERS) {
        c->repeating = c->others_tried = true;
        c->others = 0;
        c->h = c->best;
    } else if (c->others > 0) {
        c->h = on_both_sides(c->first, c->others++);
    } else if (a->proposal > 0.0 && a->proposal < h) {
        c->h = a->proposal;
    } else {
        c->h = h * shortened(c, a);
    }
    if (c->h >= void_history_ratio * c->first || c->restarted) {
        return false;
    }
    c->restarted = true;
    return true;
}

bool tml_step_rejected(TmlStepControl *c, double h, const TmlAttempt *a)
{
    c->tries++;
    return (a->converged ? after_error(c, h, a) : after_failure(c, h, a)) && !(c->fixed > 0.0);
}
