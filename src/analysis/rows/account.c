/* analysis/rows/account.c - the work of forces and drives, up to any time of the run.
 *
 * With P the power, the work of a step h from t_n to t_{n+1} is
 *
 *   (W1)  by the polynomial through P at the last ends of steps: through four of them, error O(h^5), for methods of order 2
 *         and 3; through six, error O(h^7), for those of order 4 and 5 that keep a history (bdf-*). The difference from the polynomial through one end less
 *         is the estimate. It takes no residual at all
 *   (W8)  by the method itself, from the powers at its stages: W' = P is one more equation, solved to the order of the others
 *         and without a residual of its own
 *   (W2)  by Gauss's formula with three points at states between the ends: O(h^7), for methods of
 *         other methods, and where (W1) is not good enough for bdf-*; the estimate compares it with Simpson's formula
 *   (W3)  by Kronrod's formula with seven points, which has those of Gauss among them, and in
 *         halves again where the two differ, when (W1) or (W2) is not good enough: at kinks, and
 *         where a method takes steps that are long for the power
 *
 *   (W4)  where powers have to be solved for, (W1) takes every second, fourth, ... end, up to every
 *         16th, as long as the error would stay below a quarter of what is allowed: steps of a
 *         method of order two are short for the power, and a solution costs as much as a step
 *   (W5)  halvings of (W3) are rationed: two a step, and what earlier steps have left, up to 256.
 *         A kink takes one a level; powers that are rounding, where steps collapse at a dead point,
 *         would take all levels of both halves, 1023 a step, and gain nothing
 *
 *   (W7)  no more of (W3) when powers were asked for so often that it shows: n times that is above 2e4, n unknowns, and
 *         1600 for each residual of the method. Where a start is far out of balance (a force on next to no mass) halvings
 *         gain nothing, and take minutes of a model of some thousand unknowns. A note says so: the balance may be
 *         off because of it. 200 where shapes touch and n is above 100: friction that turns round has a kink in every step of many contacts, and a
 *         residual finds all points anew. Of 100 bricks at rest the account was two thirds of the time. Where powers have to be
 *         solved for, a 25th of the entries of the matrix stands for n if it is larger: modal bodies have dense blocks, whose
 *         factors made the account three quarters of the time of a vehicle with 134 modes
 *
 * Good enough is an error of the tolerance, or of a tenth of one above 1e-5, times the energy that is about, and also
 *
 *   (W6)  the kinetic energy m (e L / T)^2 / 2 of a motion that crosses the tolerance e times the
 *         size L of the model within the run T. The error control does not see such a motion, and
 *         in a model that rests all powers are rounding
 *
 * Powers of drives are those of multipliers that solve the equations of motion at the state
 * (analysis/rows/between.h): those that a method on index 3 iterates on lag behind and jump with
 * the step.
 */
#include "analysis/rows/account.h"

#include "analysis/driver/sim_internal.h"
#include "math/lagrange.h"
#include "model/flexible/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    HIGH_ORDER = 4,
    LOW_ENDS = 4,
    KRONROD = 4,
    MAX_DEPTH = 10
};                                                        // LOW_ENDS: of (W1) below HIGH_ORDER
enum { RATION = 2, MOST_RATIONS = 256, ROW_RATION = 64 }; // (W5)

static const double gauss_node[TML_ACCOUNT_GAUSS] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double gauss_weight[TML_ACCOUNT_GAUSS] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
/* (W3): weights of Gauss's points, points between them and theirs, on [0, 1]. */
static const double kronrod_gauss[TML_ACCOUNT_GAUSS] = {0.1342440449341667, 0.2254582693292371,
                                                        0.1342440449341667};
static const double kronrod_node[KRONROD] = {0.0197543656459899, 0.2828781253265987,
                                             0.7171218746734013, 0.9802456343540101};
static const double kronrod_weight[KRONROD] = {0.0523281130132337, 0.2006987073879811,
                                               0.2006987073879811, 0.0523281130132337};

/* --- powers ---------------------------------------------------------------------------------- */

/* Reads the powers at the last residual. */
static void read_powers(const TmlSystem *sys, double p[TML_ACCOUNTS])
{
    const TmlPower power = tml_system_power(sys);
    p[TML_ACCOUNT_STORED] = power.stored;
    p[TML_ACCOUNT_OTHER] = power.other;
    p[TML_ACCOUNT_PRESS] = power.press;
    p[TML_ACCOUNT_SLIP] = power.slip;
}

/* Evaluates the powers at t between s0 and s1. Stiff springs make large powers of small differences
 * between velocities and the rates of positions; along a path their work is the difference of
 * energies. */
static void power_inside(TmlSim *sim, const TmlState *s0, const TmlState *s1, double t,
                         double p[TML_ACCOUNTS])
{
    TmlSystem *sys = sim->sys;
    TmlState *at = &sim->trial;
    sim->account.asked++;
    tml_sim_inside(sim, s0, s1, t, TML_INSIDE_PATH, at);
    tml_system_residual_settled(sys, at, TML_LEVEL_ACCELERATION, tml_system_scratch(sys));
    p[TML_ACCOUNT_STORED] = tml_system_power(sys).stored;
    if (sim->account.solve) {
        // a method's own row is on the constraints; where steps are long the general one ends elsewhere from time to time
        if (sim->type->row == NULL || !sim->type->row(&sim->it, s1, t, at)) {
            tml_sim_inside(sim, s0, s1, t, TML_INSIDE_COMPLETE, at);
        }
        tml_system_residual_settled(sys, at, TML_LEVEL_ACCELERATION, tml_system_scratch(sys));
    }
    const double stored = p[TML_ACCOUNT_STORED];
    read_powers(sys, p);
    p[TML_ACCOUNT_STORED] = stored;
}

static double magnitude(const double p[TML_ACCOUNTS])
{
    double most = 0.0;
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        most = fmax(most, fabs(p[i]));
    }
    return most;
}

/* --- (W2), (W3) ------------------------------------------------------------------------------ */

/* Returns the error that is allowed in the work of a step. */
static double allowed(const TmlSim *sim, double moved)
{
    const TmlDims *dim = tml_dims(sim->sys);
    static const double finest = 1e-6,
                        share = 0.1; // powers of loose steps are no better themselves
    const double asked = fmin(sim->tolerance, fmax(finest, share * sim->tolerance));
    const double tolerance = sim->options.step > 0.0 ? 1e-9 : asked;
    const double unseen = tolerance * dim->length / (sim->end - sim->start);
    const double at_rest = 0.5 * dim->mass * unseen * unseen; // (W6)
    const double floor = isfinite(at_rest) ? at_rest : 0.0;
    return fmax(tolerance * fmax(sim->account.scale, moved), floor);
}

static void sum_gauss(TmlSim *sim, const TmlState *s0, const TmlState *s1, double from, double to,
                      double p[TML_ACCOUNTS][TML_ACCOUNT_GAUSS], double work[TML_ACCOUNTS])
{
    double now[TML_ACCOUNTS];
    memset(work, 0, TML_ACCOUNTS * sizeof *work);
    for (int k = 0; k < TML_ACCOUNT_GAUSS; ++k) {
        power_inside(sim, s0, s1, from + gauss_node[k] * (to - from), now);
        for (int i = 0; i < TML_ACCOUNTS; ++i) {
            p[i][k] = now[i];
            work[i] += (to - from) * gauss_weight[k] * now[i];
        }
    }
}

/* Returns n of (W7): what asking for powers once costs. */
static double cost_of_powers(const TmlSim *sim)
{
    static const double column = 25.0; // entries of joints and of flexible bodies by nodes, at most
    const int n = tml_dims(sim->sys)->n;
    const TmlCsc *K = tml_system_matrix(sim->sys, TML_MATRIX_STEP);
    return sim->account.solve ? fmax(n, K->start[n] / column) : n;
}

/* Tells whether (W7) leaves (W3) to be done. */
static bool may_halve(const TmlSim *sim)
{
    static const double at_first = 2e4, a_residual = 1600.0, touching = 200.0;
    const double n = (double)tml_dims(sim->sys)->n, many = 100.0;
    const double each = n > many && tml_system_touches(sim->sys) ? touching : a_residual;
    return (double)sim->account.asked * cost_of_powers(sim) <
           at_first + each * (double)sim->account.method_residuals;
}

/* Does (W3) over an interval whose powers at the Gauss points are p and whose work by these is
 * *work, which is added to *total when it is good enough. */
static void divide(TmlSim *sim, const TmlState *s0, const TmlState *s1, double from, double to,
                   double p[TML_ACCOUNTS][TML_ACCOUNT_GAUSS], const double work[TML_ACCOUNTS],
                   int depth, int *ration, double total[TML_ACCOUNTS])
{
    double better[TML_ACCOUNTS], now[TML_ACCOUNTS], off = 0.0, moved = 0.0;
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        better[i] = 0.0;
        for (int k = 0; k < TML_ACCOUNT_GAUSS; ++k) {
            better[i] += (to - from) * kronrod_gauss[k] * p[i][k];
            moved += (to - from) * gauss_weight[k] * fabs(p[i][k]);
        }
    }
    for (int k = 0; k < KRONROD; ++k) {
        power_inside(sim, s0, s1, from + kronrod_node[k] * (to - from), now);
        for (int i = 0; i < TML_ACCOUNTS; ++i) {
            better[i] += (to - from) * kronrod_weight[k] * now[i];
        }
    }
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        off = fmax(off, fabs(better[i] - work[i]));
    }
    const bool rough = depth < MAX_DEPTH && off > allowed(sim, moved) && *ration > 0; // (W5)
    sim->account.cut |= rough && !may_halve(sim);                                     // (W7)
    if (!rough || !may_halve(sim)) {
        for (int i = 0; i < TML_ACCOUNTS; ++i) {
            total[i] += better[i];
        }
        return;
    }
    --*ration;
    const double middle = 0.5 * (from + to);
    for (int half = 0; half < 2; ++half) {
        double q[TML_ACCOUNTS][TML_ACCOUNT_GAUSS], part[TML_ACCOUNTS];
        const double a = half == 0 ? from : middle, b = half == 0 ? middle : to;
        sum_gauss(sim, s0, s1, a, b, q, part);
        divide(sim, s0, s1, a, b, q, part, depth + 1, ration, total);
    }
}

/* Does (W3) from scratch and adds the work to *total. */
static void integrate(TmlSim *sim, const TmlState *s0, const TmlState *s1, double from, double to,
                      int *ration, double total[TML_ACCOUNTS])
{
    double p[TML_ACCOUNTS][TML_ACCOUNT_GAUSS], work[TML_ACCOUNTS];
    if (to > from) {
        sum_gauss(sim, s0, s1, from, to, p, work);
        divide(sim, s0, s1, from, to, p, work, 0, ration, total);
    }
}

/* Does (W2) over the last step, whose end powers are noted. It returns false when that is not good
 * enough. */
static bool by_gauss(TmlSim *sim, const TmlState *s0, const TmlState *s1, double work[TML_ACCOUNTS])
{
    TmlAccount *a = &sim->account;
    const double h = s1->t - s0->t;
    double doubt = 0.0, moved = 0.0;
    sum_gauss(sim, s0, s1, s0->t, s1->t, a->inside, work);
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        const double simpson = h / 6.0 * (a->power[i][0] + 4.0 * a->inside[i][1] + a->power[i][1]);
        doubt = fmax(doubt, fabs(simpson - work[i]));
        moved += h * fabs(a->inside[i][1]);
    }
    // Simpson's error is O(h^5), Gauss's O(h^7)
    const double size = fmax(a->scale, moved);
    return a->ends >= 2 && (doubt == 0.0 || size * pow(doubt / size, 1.4) <= allowed(sim, moved));
}

/* --- (W1) ------------------------------------------------------------------------------------ */

/* Sets weights of n values at t[n], newest first, whose sum is the integral of the polynomial through them from t[1] to `to`.
 * Gauss's formula is exact for it up to n = 6. */
static void interval_weights(int n, const double *t, double to, double weight[TML_ACCOUNT_ENDS])
{
    memset(weight, 0, TML_ACCOUNT_ENDS * sizeof *weight);
    for (int g = 0; g < TML_ACCOUNT_GAUSS; ++g) {
        double at[TML_ACCOUNT_ENDS];
        lagrange_weights(t, n - 1, t[1] + gauss_node[g] * (to - t[1]), at);
        for (int k = 0; k < n; ++k) {
            weight[k] += (to - t[1]) * gauss_weight[g] * at[k];
        }
    }
}

static double weighted_sum(int n, const double *weight, const double *p)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += weight[k] * p[k];
    }
    return sum;
}

/* Returns how many ends (W1) takes: more of them where the order of the method makes powers as smooth. */
static int most_ends(const TmlSim *sim)
{
    return sim->type->order < HIGH_ORDER ? LOW_ENDS : TML_ACCOUNT_ENDS;
}

/* Tells whether (W1) can follow the method: its order is at most that of the polynomial, and its steps are those of a method
 * that keeps a history, or short. */
static bool ends_are_dense(const TmlSim *sim)
{
    return sim->type->order < HIGH_ORDER ||
           (sim->type->remembers && sim->type->order < TML_ACCOUNT_ENDS);
}

/* Does (W1) over the last interval. Returns the estimated error over what is allowed. */
static double by_ends(const TmlSim *sim, double work[TML_ACCOUNTS])
{
    const TmlAccount *a = &sim->account;
    const double h = a->time[0] - a->time[1];
    double doubt = 0.0, moved = 0.0, fine[TML_ACCOUNT_ENDS], rough[TML_ACCOUNT_ENDS];
    if (a->ends < 2) {
        return HUGE_VAL;
    }
    interval_weights(a->ends, a->time, a->time[0], fine);
    interval_weights(a->ends > 2 ? a->ends - 1 : 2, a->time, a->time[0], rough);
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        work[i] = weighted_sum(a->ends, fine, a->power[i]);
        const double rougher =
            a->ends > 2 ? weighted_sum(a->ends - 1, rough, a->power[i]) : h * a->power[i][1];
        doubt = fmax(doubt, fabs(work[i] - rougher));
        moved += 0.5 * h * (fabs(a->power[i][0]) + fabs(a->power[i][1]));
    }
    // the error of the polynomial before is O(h^k), that of this one O(h^(k+1)), k from 2
    const double size = fmax(a->scale, moved), order = a->ends;
    return doubt == 0.0 ? 0.0
                        : size * pow(doubt / size, (order + 1.0) / order) / allowed(sim, moved);
}

/* --- entries --------------------------------------------------------------------------------- */

void tml_account_note(TmlSim *sim)
{
    read_powers(sim->sys, sim->account.noted);
}

/* Notes the powers at a step end with the accelerations and multipliers of its motion. */
static void note_solved(TmlSim *sim, const TmlState *s)
{
    TmlSystem *sys = sim->sys;
    tml_state_copy(sys, s, &sim->trial);
    if (tml_between_settle(sys, &sim->rows.between, &sim->trial, NULL) != TML_OK) {
        tml_state_copy(sys, s, &sim->trial);
    }
    tml_system_residual_settled(sys, &sim->trial, TML_LEVEL_ACCELERATION, tml_system_scratch(sys));
    tml_account_note(sim);
}

/* Makes what was noted the newest end, one of `most`. */
static void push_end(TmlAccount *a, double t, int most)
{
    for (int k = TML_ACCOUNT_ENDS - 1; k > 0; --k) {
        a->time[k] = a->time[k - 1];
        for (int i = 0; i < TML_ACCOUNTS; ++i) {
            a->power[i][k] = a->power[i][k - 1];
        }
    }
    a->time[0] = t;
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        a->power[i][0] = a->noted[i];
    }
    a->ends = a->ends < most ? a->ends + 1 : most;
}

/* Tells whether (W4) leaves this end out. */
static bool skips(const TmlSim *sim)
{
    const TmlAccount *a = &sim->account;
    return a->solve && sim->type->order < HIGH_ORDER && a->ends == LOW_ENDS &&
           a->since < a->stride && !sim->restart_pending && sim->it.now.t < sim->end;
}

/* Applies (W4) after an interval with this error over what is allowed. */
static void choose_stride(TmlAccount *a, double error)
{
    enum { MOST = 16 };
    static const double doubled = 32.0, margin = 4.0; // O(h^5)
    const bool longer = a->since == a->stride && doubled * margin * error <= 1.0;
    a->stride = longer ? 2 * a->stride : margin * error > 1.0 ? a->stride / 2 : a->stride;
    a->stride = a->stride < 1 ? 1 : a->stride > MOST ? MOST : a->stride;
}

/* Says once that (W7) has cut the account short: a balance that is off may be the account's then, not the motion's. */
static void tell_cut(TmlSim *sim, double t)
{
    if (!sim->account.cut || sim->account.cut_told) {
        return;
    }
    char text[320];
    snprintf(text, sizeof text,
             "the energy balance is incomplete from t = %.9g s on: powers change so fast within "
             "steps that integrating their work would take longer than the run; the balance may be "
             "off by the missing part",
             t);
    sim->account.cut_told = true;
    tml_notes_add(&sim->notes, "%s", text);
    if (sim->options.hooks.log != NULL) {
        sim->options.hooks.log(sim->options.hooks.user, TML_LOG_INFO, text);
    }
}

/* Does (W8) over the last step. It returns false where the method does not, or when that is not good enough. */
static bool by_method(TmlSim *sim, const TmlState *s1, double x, double work[TML_ACCOUNTS])
{
    TmlPower p;
    double doubt;
    if (sim->type->work_done == NULL || !sim->type->work_done(&sim->it, s1, x, &p, &doubt)) {
        return false;
    }
    work[TML_ACCOUNT_STORED] = p.stored;
    work[TML_ACCOUNT_OTHER] = p.other;
    work[TML_ACCOUNT_PRESS] = p.press;
    work[TML_ACCOUNT_SLIP] = p.slip;
    return doubt <= allowed(sim, magnitude(work));
}

static void account(TmlSim *sim, const TmlState *s0, const TmlState *s1)
{
    TmlAccount *a = &sim->account;
    double work[TML_ACCOUNTS] = {0};
    bool done = s1->t > s0->t && by_method(sim, s1, 1.0, work);
    if (a->solve && !done) {
        note_solved(sim, s1);
    }
    push_end(a, s1->t, most_ends(sim));
    memcpy(a->earlier, a->work, sizeof a->work);
    if (done) {
        a->way = TML_ACCOUNT_BY_METHOD;
    } else if (ends_are_dense(sim)) {
        const double error = by_ends(sim, work);
        choose_stride(a, error);
        done = error <= 1.0 || a->since > 1; // nothing but ends is left of longer intervals
        a->way = TML_ACCOUNT_BY_ENDS;
    }
    if (!done && sim->type->order >= HIGH_ORDER) {
        done = by_gauss(sim, s0, s1, work);
        a->way = TML_ACCOUNT_BY_GAUSS;
    }
    a->ration = a->ration + RATION < MOST_RATIONS ? a->ration + RATION : MOST_RATIONS;
    a->cut = !done && !may_halve(sim);
    if (!done && (may_halve(sim) || a->ends < 2)) { // two ends at least tell something
        a->way = TML_ACCOUNT_DIVIDED;
        memset(work, 0, sizeof work);
        integrate(sim, s0, s1, s0->t, s1->t, &a->ration, work);
    }
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        a->work[i] += work[i];
    }
    tell_cut(sim, s0->t);
    a->scale += magnitude(work);
    a->since = 0;
}

void tml_account_step(TmlSim *sim, const TmlState *s0, const TmlState *s1)
{
    TmlAccount *a = &sim->account;
    if (a->none) {
        return;
    }
    a->since++;
    if (skips(sim)) {
        a->way = TML_ACCOUNT_BY_ENDS;
        return;
    }
    const TmlSystemStats before = tml_system_stats(sim->sys);
    a->method_residuals = before.residuals;
    sim->rows.between.keep = true; // many states close to each other
    account(sim, s0, s1);
    sim->rows.between.keep = false;
    tml_system_set_stats(sim->sys, before); // this is not work of the method
}

void tml_account_close(TmlSim *sim)
{
    TmlAccount *a = &sim->account;
    if (!a->none && a->since > 0) {
        const TmlState *end = &tml_sim_step_end(sim)->s;
        a->since = a->since > 1 ? a->since : 2; // there is no step to look into any more
        account(sim, end, end);
        memcpy(tml_sim_step_end(sim)->work, a->work, sizeof a->work);
    }
}

void tml_account_work(const TmlSim *sim, double work[TML_ACCOUNTS])
{
    memcpy(work, sim->account.work, sizeof sim->account.work);
}

bool tml_account_reads_end(const TmlSim *sim)
{
    const TmlAccount *a = &sim->account;
    return !a->none && a->way == TML_ACCOUNT_BY_ENDS && a->since > 0;
}

bool tml_account_solves(const TmlSim *sim)
{
    return sim->account.solve && !sim->account.none;
}

double tml_account_scale(const TmlSim *sim)
{
    return sim->account.scale;
}

void tml_account_impact(TmlSim *sim, double energy)
{
    sim->account.work[TML_ACCOUNT_OTHER] += energy;
    tml_account_restart(sim);
}

void tml_account_restart(TmlSim *sim)
{
    sim->account.ends = 0;
    sim->account.since = 0;
    sim->account.stride = 1;
}

/* Returns the power at x in [0, 1] of the last step, by the polynomial through the ends and Gauss
 * points. */
static double power_at(const double end[2], const double inside[TML_ACCOUNT_GAUSS], double x)
{
    const double node[5] = {0.0, gauss_node[0], gauss_node[1], gauss_node[2], 1.0};
    const double value[5] = {end[0], inside[0], inside[1], inside[2], end[1]};
    double sum = 0.0;
    for (int j = 0; j < 5; ++j) {
        double basis = 1.0;
        for (int k = 0; k < 5; ++k) {
            basis *= k != j ? (x - node[k]) / (node[j] - node[k]) : 1.0;
        }
        sum += value[j] * basis;
    }
    return sum;
}

/* Sets the work up to t by powers at step ends; s1 is the last of these, or counts as one for
 * now. */
static void work_by_ends(TmlSim *sim, const TmlState *s1, double t, double work[TML_ACCOUNTS])
{
    const TmlAccount *a = &sim->account;
    TmlSystem *sys = sim->sys;
    double time[TML_ACCOUNT_ENDS], power[TML_ACCOUNT_ENDS], weight[TML_ACCOUNT_ENDS];
    const bool open = a->since > 0;
    const int n = open && a->ends < most_ends(sim) ? a->ends + 1 : a->ends;
    if (open) {
        tml_state_copy(sys, &tml_sim_step_end(sim)->row, &sim->trial);
        tml_system_residual_settled(sys, &sim->trial, TML_LEVEL_ACCELERATION,
                                    tml_system_scratch(sys));
    }
    double now[TML_ACCOUNTS];
    read_powers(sys, now);
    for (int k = 0; k < n; ++k) {
        time[k] = !open ? a->time[k] : k > 0 ? a->time[k - 1] : s1->t;
    }
    interval_weights(n, time, t, weight);
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        for (int k = 0; k < n; ++k) {
            power[k] = !open ? a->power[i][k] : k > 0 ? a->power[i][k - 1] : now[i];
        }
        work[i] = (open ? a->work[i] : a->earlier[i]) + weighted_sum(n, weight, power);
    }
}

/* Sets the part of the work of a step that was divided, up to t: from the row before in the same step on. From the start of the step each row would
 * take as many powers as the whole step does, of which a step of high order at a loose tolerance has many rows. */
static void divided_at(TmlSim *sim, const TmlState *s0, const TmlState *s1, double t,
                       double part[TML_ACCOUNTS])
{
    TmlAccount *a = &sim->account;
    const bool goes_on = a->row_step[0] == s0->t && a->row_step[1] == s1->t && a->row_time <= t &&
                         a->row_time >= s0->t;
    int ration = ROW_RATION; // rows do not change the account of the steps
    if (goes_on) {
        memcpy(part, a->row_part, sizeof a->row_part);
    }
    integrate(sim, s0, s1, goes_on ? a->row_time : s0->t, t, &ration, part);
    a->row_step[0] = s0->t;
    a->row_step[1] = s1->t;
    a->row_time = t;
    memcpy(a->row_part, part, sizeof a->row_part);
}

/* Sets the work up to t, which lies inside the last step from s0 to s1 or at its end. */
static void work_at(TmlSim *sim, const TmlState *s0, const TmlState *s1, double t,
                    double work[TML_ACCOUNTS])
{
    TmlAccount *a = &sim->account;
    const TmlStepEnd *start = tml_sim_step_start(sim);
    const double h = s1->t - s0->t, x = h > 0.0 ? (t - s0->t) / h : 1.0;
    double part[TML_ACCOUNTS] = {0};
    memcpy(work, a->work, sizeof a->work);
    if (!(h > 0.0) || (!(x < 1.0) && a->since == 0)) {
        return;
    }
    if (a->way == TML_ACCOUNT_BY_ENDS) {
        work_by_ends(sim, s1, t, work);
        return;
    }
    if (a->way == TML_ACCOUNT_BY_METHOD) {
        by_method(sim, s1, x, part);
        for (int i = 0; i < TML_ACCOUNTS; ++i) {
            work[i] = start->work[i] + part[i];
        }
        return;
    }
    if (a->way == TML_ACCOUNT_DIVIDED) {
        divided_at(sim, s0, s1, t, part);
    }
    for (int i = 0; i < TML_ACCOUNTS; ++i) {
        const double end[2] = {a->power[i][1], a->power[i][0]};
        double sum = 0.0;
        for (int k = 0; k < TML_ACCOUNT_GAUSS; ++k) {
            sum += gauss_weight[k] * power_at(end, a->inside[i], x * gauss_node[k]);
        }
        work[i] = start->work[i] + (a->way == TML_ACCOUNT_DIVIDED ? part[i] : h * x * sum);
    }
}

TmlWorkDone tml_account_at(TmlSim *sim, const TmlState *s0, const TmlState *s1, double t,
                           double stored)
{
    double work[TML_ACCOUNTS];
    if (sim->account.none) {
        return (TmlWorkDone){0};
    }
    work_at(sim, s0, s1, t, work);
    if (t < s1->t && t > s0->t) { // the integral is that along the path
        tml_sim_inside(sim, s0, s1, t, TML_INSIDE_PATH, &sim->trial);
        stored = tml_system_energy(sim->sys, &sim->trial).stored;
    }
    return (TmlWorkDone){
        .work = work[TML_ACCOUNT_OTHER],
        .dissipated = -(work[TML_ACCOUNT_STORED] + stored - sim->rows.first_stored) -
                      work[TML_ACCOUNT_PRESS] - work[TML_ACCOUNT_SLIP],
        .lost_contact = 0.0 - work[TML_ACCOUNT_PRESS], // no -0
        .lost_friction = 0.0 - work[TML_ACCOUNT_SLIP],
    };
}

void tml_account_begin(TmlSim *sim)
{
    TmlAccount *a = &sim->account;
    TmlSystem *sys = sim->sys;
    const TmlEnergy e = tml_system_energy(sys, &sim->it.now);
    sim->rows.first_stored = e.stored;
    sim->rows.first_energy = e.kinetic + e.gravity + e.stored;
    memset(a->work, 0, sizeof a->work);
    a->scale = e.kinetic;
    a->ration = MOST_RATIONS;
    a->row_step[0] = a->row_step[1] = (double)NAN; // there is no row yet
    tml_account_restart(sim);
    a->way = TML_ACCOUNT_BY_ENDS;
}

TmlStatus tml_account_setup(TmlSim *sim, TmlError *err)
{
    TmlAccount *a = &sim->account;
    (void)err;
    a->none = tml_system_is_conservative(sim->sys);
    a->solve = tml_system_needs_solution(sim->sys) || tml_system_is_driven(sim->sys);
    return TML_OK;
}
