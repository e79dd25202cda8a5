/* tests/analysis/test_delays.c - runs whose motion depends on its past.
 *
 * References: the method of steps in closed form, solutions that were put in, roots of
 * characteristic equations, and runs without delays.
 */
#include "test.h"

#include "analysis/driver/sim_internal.h"
#include "trammel/analysis.h"
#include "trammel/io.h"

#include <stdio.h>
#include <stdlib.h>

/* x' = -x(t - 1), x = 1 up to the start. */
static const char steps_text[] = "states: {x: {rate: -delay(past), initial: 1, scale: 1}}\n"
                                 "delays: {past: {value: x, time: 1}}\n"
                                 "outputs: {x: x, d: delay(past)}\n";

/* x = sin(t) of a delay that depends on x. */
static const char moving_text[] =
    "states:\n"
    "  x: {rate: \"cos(time) - 0.5*(delay(past) - sin(time - 0.5 - 0.3*x^2))\", scale: 1}\n"
    "delays: {past: {value: x, time: 0.5 + 0.3*x^2, history: sin(time)}}\n"
    "outputs: {x: x, d: delay(past)}\n";

static double by_steps(double t)
{
    double sum = 0.0, factorial = 1.0;
    for (int k = 0; k == 0 || t > k - 1; ++k) {
        factorial *= k > 0 ? k : 1;
        sum += (k % 2 == 0 ? 1.0 : -1.0) * pow(t - (k - 1), k) / factorial;
    }
    return sum;
}

typedef struct Run {
    TmlModel *m;
    TmlSim *sim;
} Run;

static Run make(TestCtx *t, const char *text, const TmlSimOptions *o)
{
    char whole[2048];
    Run r = {0};
    TmlError err = {0};
    snprintf(whole, sizeof whole, "trammel: 1\n%s", text);
    CHECK_OK(t, tml_load_text(whole, "text", 0, NULL, NULL, &r.m, &err), &err);
    if (r.m != NULL) {
        CHECK_OK(t, tml_sim_create(r.m, o, &r.sim, &err), &err);
    }
    return r;
}

static Run run(TestCtx *t, const char *text, const TmlSimOptions *o)
{
    TmlError err = {0};
    const Run r = make(t, text, o);
    if (r.sim != NULL) {
        CHECK_OK(t, tml_sim_run(r.sim, NULL, NULL, &err), &err);
    }
    return r;
}

static void release(Run *r)
{
    tml_sim_free(r->sim);
    tml_model_free(r->m);
    *r = (Run){0};
}

static double channel(const Run *r, const char *name)
{
    const int k = r->sim != NULL ? tml_sim_channel_find(r->sim, name) : -1;
    return k >= 0 ? tml_row_channel(r->sim, k) : (double)NAN;
}

static TmlSimOptions options(const char *integrator, double end, double tolerance)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = integrator;
    o.end_time = end;
    o.output_step = end;
    o.tolerance = tolerance;
    return o;
}

/* --- exact solutions -------------------------------------------------------------------------- */

/* Local errors of 1e-6 a step: the methods of order two take some 200 steps, so that 2e-4 is what
 * they may add up to; the delayed value is that of an earlier time. A tolerance 30 times as small
 * must give less. */
TEST(every_method_follows_the_method_of_steps)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        double error[2];
        t->name = tml_integrator_name(k);
        for (int i = 0; i < 2; ++i) {
            const TmlSimOptions o = options(t->name, 4.7, i == 0 ? 1e-6 : 3e-8);
            Run r = run(t, steps_text, &o);
            error[i] = fabs(channel(&r, "x") - by_steps(4.7));
            CHECK_NEAR(t, channel(&r, "x"), by_steps(4.7), 2e-4);
            CHECK_NEAR(t, channel(&r, "d"), by_steps(3.7), 2e-4);
            release(&r);
        }
        CHECK(t, error[1] < 0.5 * error[0] || error[0] < 1e-9);
    }
}

/* Global errors at half the step, thrice: the order of the method survives the interpolation. */
TEST(orders_are_those_of_the_methods)
{
    static const char *const key = "order", *const value = "3";
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        const TmlIntegratorType *type = tml_integrator_types[k];
        const bool varies = tml_option_known(&type->info, key);
        // dense output, which delayed values are taken from, has order 7 at most
        const int claimed = varies ? 3 : type->order > 7 ? 7 : type->order;
        double error[3];
        t->name = type->info.name;
        for (int i = 0; i < 3; ++i) {
            TmlSimOptions o = options(t->name, 3.0, 1e-12);
            o.step = ldexp(claimed > 6 ? 1.0 : claimed > 4 ? 0.25 : claimed > 3 ? 0.1 : 0.05, -i);
            o.n_options = varies;
            o.option_key = &key;
            o.option_value = &value;
            Run r = run(t, moving_text, &o);
            error[i] = fabs(channel(&r, "x") - sin(3.0));
            release(&r);
        }
        const double order = log2(error[1] / error[2]);
        if (getenv("TRAMMEL_TABLES") != NULL) {
            printf("%-22s %9.2e %9.2e %9.2e  %5.2f\n", t->name, error[0], error[1], error[2],
                   order);
        }
        // half the error of a step more would be a slope off by log2(1.5)
        CHECK(t, order > claimed - 0.4);
    }
}

/* The pantograph equation x' = -x(t/2): the delay t/2 is none at the start. Its series is
 * x = sum (-1)^k 2^(-k (k-1)/2) t^k / k!. */
TEST(vanishing_delay)
{
    static const char text[] = "states: {x: {rate: -delay(past), initial: 1, scale: 1}}\n"
                               "delays: {past: {value: x, time: time/2}}\n"
                               "outputs: {x: x}\n";
    double want = 0.0, term = 1.0;
    for (int k = 0; k < 40; ++k) {
        want += term * pow(0.5, 0.5 * k * (k - 1));
        term *= -4.0 / (k + 1);
    }
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        const TmlSimOptions o = options(t->name, 4.0, 1e-6);
        Run r = run(t, text, &o);
        CHECK_NEAR(t, channel(&r, "x"), want, 2e-4); // 200 steps with errors of 1e-6
        release(&r);
    }
}

/* x = exp(l t) is the solution of x' = l exp(l tau) x(t - tau) that goes on from its own history.
 * Steps may be much longer than the delay, but for the linearly implicit methods. */
TEST(steps_longer_than_the_delay)
{
    static const char text[] =
        "parameters: {tau: 1e-3, l: -1.5}\n"
        "states: {x: {rate: l*exp(l*tau)*delay(past), initial: 1, scale: 1}}\n"
        "delays: {past: {value: x, time: tau, history: exp(l*time)}}\n"
        "outputs: {x: x}\n";
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        const TmlSimOptions o = options(t->name, 4.0, 1e-7);
        Run r = run(t, text, &o);
        CHECK_NEAR(t, channel(&r, "x"), exp(-6.0), 5e-5); // 500 steps, errors of 1e-7
        const bool limited = strncmp(t->name, "rosenbrock", 10) == 0;
        CHECK(t, r.sim != NULL && (tml_sim_stats(r.sim).steps < 1000) == !limited);
        release(&r);
    }
}

/* With a delay of zero the equations are those without one. Fixed steps: the same numbers come out
 * up to the tolerance of the Newton iterations, 1e-12 of values near one in 200 steps. */
TEST(zero_delay_is_no_delay)
{
    static const char *const form[2] = {"x", "delay(same)"};
    for (int k = 1; tml_integrator_name(k) != NULL; ++k) {
        double x[2];
        t->name = tml_integrator_name(k);
        for (int i = 0; i < 2; ++i) {
            char text[512];
            snprintf(text, sizeof text,
                     "states: {x: {rate: -2*%s + sin(time), initial: 1, scale: 1}}\n"
                     "delays: {same: {value: x, time: 0}}\n"
                     "outputs: {x: x}\n",
                     form[i]);
            TmlSimOptions o = options(t->name, 2.0, 1e-10);
            o.step = 0.01;
            Run r = run(t, text, &o);
            x[i] = channel(&r, "x");
            release(&r);
        }
        CHECK_NEAR(t, x[1], x[0], 2e-10);
    }
}

/* A state that is set at 0.5 s: the delayed value jumps half a second later and not before. */
TEST(jumps_arrive_after_the_delay)
{
    static const char text[] = "states: {x: {rate: 0, initial: 1}, area: {rate: delay(late)}}\n"
                               "delays: {late: {value: x, time: 0.5, history: 3}}\n"
                               "events: {up: {when: time, value: 0.5, error: 1e-12, set: {x: 5}}}\n"
                               "outputs: {area: area}\n";
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        const TmlSimOptions o = options(t->name, 2.0, 1e-8);
        Run r = run(t, text, &o);
        // 3 up to 0.5 s, then 1, from 1 s on 5; steps end on the jumps, which leaves rounding and
        // what the event may be late by, times the jump
        CHECK_NEAR(t, channel(&r, "area"), 1.5 + 0.5 + 5.0, 1e-10);
        release(&r);
    }
}

/* --- mechanisms ------------------------------------------------------------------------------- */

/* m x'' + c x' + k x + g x(t - tau) = 0 with a root i w of its characteristic equation. */
static const char oscillator[] =
    "parameters: {w: 2, tau: 0.7, c: 0.3, part: 1, g: part*c*w/sin(w*tau),\n"
    "             k: w^2 - c*w/tan(w*tau)}\n"
    "bodies: {block: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
    "joints: {rail: {type: translational, bodies: [ground, block], at: [0, 0, 0], axis: x}}\n"
    "forces: {pull: {type: force, body: block, fx: -k*DX(block) - c*VX(block) - g*delay(seen)}}\n"
    "delays: {seen: {value: DX(block), time: tau, history: cos(w*time)}}\n"
    "outputs: {x: DX(block), v: VX(block), d: delay(seen), f: force(pull).fx}\n";

/* On the boundary of stability x = cos(w t) for ever, with the history before. */
TEST(oscillator_on_the_boundary_of_stability)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        const TmlSimOptions o = options(t->name, 10.0, 1e-6);
        Run r = run(t, oscillator, &o);
        // up to 3000 steps, whose errors of 1e-6 may add up
        CHECK_NEAR(t, channel(&r, "x"), cos(20.0), 3e-3);
        CHECK_NEAR(t, channel(&r, "d"), cos(18.6), 3e-3);
        release(&r);
    }
}

/* Root of s^2 + c s + k + g exp(-s tau) = 0 near i w, by Newton. */
static double growth(double part)
{
    const double w = 2.0, tau = 0.7, c = 0.3, g = part * c * w / sin(w * tau);
    const double k = w * w - c * w / tan(w * tau);
    double a = 0.0, b = w; // s = a + i b
    for (int i = 0; i < 30; ++i) {
        const double e = g * exp(-a * tau), re = e * cos(b * tau), im = -e * sin(b * tau);
        const double fr = a * a - b * b + c * a + k + re, fi = 2.0 * a * b + c * b + im;
        const double dr = 2.0 * a + c - tau * re, di = 2.0 * b - tau * im, n = dr * dr + di * di;
        a -= (fr * dr + fi * di) / n;
        b -= (fi * dr - fr * di) / n;
    }
    return a;
}

/* A little less feedback, and the oscillation dies out; a little more, and it grows: at the rates
 * of the roots. Other modes have gone after 30 s (the next root is at -2.7), and the envelope is
 * that of x^2 + (v/w)^2 up to the a/w of the exponential. */
TEST(growth_follows_the_characteristic_roots)
{
    static const double parts[2] = {0.9, 1.1};
    for (int i = 0; i < 2; ++i) {
        double size[2];
        for (int k = 0; k < 2; ++k) {
            char text[1024];
            const char *const at = strstr(oscillator, "part: 1");
            snprintf(text, sizeof text, "%.*spart: %g%s", (int)(at - oscillator), oscillator,
                     parts[i], at + 7);
            // whole periods apart, near enough for the envelope
            const TmlSimOptions o = options("radau", k == 0 ? 30.0 : 30.0 + 8.0 * M_PI, 1e-9);
            Run r = run(t, text, &o);
            size[k] = hypot(channel(&r, "x"), channel(&r, "v") / 2.0);
            release(&r);
        }
        const double rate = log(size[1] / size[0]) / (8.0 * M_PI), want = growth(parts[i]);
        CHECK(t, (want > 0.0) == (i == 1));
        // a / w is 7e-3: an error of as much in either size is 2 * 7e-3 / (8 pi) of the rate, 4 %
        // of 0.014
        CHECK_NEAR(t, rate, want, 0.05 * fabs(want));
    }
}

/* A reaction is no function of positions and velocities: the record is by accepted values alone. A
 * motion of sin(t) of one kilogram pulls with -sin(t). */
TEST(delayed_reactions)
{
    static const char text[] =
        "bodies: {block: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  rail: {type: translational, bodies: [ground, block], at: [0, 0, 0], axis: x}\n"
        "  drive: {type: motion, joint: rail, coordinate: displacement, function: sin(time)}\n"
        "delays: {old: {value: reaction(drive).fx, time: 0.3, history: -sin(time)}}\n"
        "outputs: {f: reaction(drive).fx, d: delay(old)}\n";
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        const TmlSimOptions o = options(t->name, 3.1, 1e-6);
        Run r = run(t, text, &o);
        // reactions of the methods of order two come with the square of a step, some 0.01
        CHECK_NEAR(t, channel(&r, "d"), -sin(2.8), 1e-3);
        release(&r);
    }
}

/* --- the record ------------------------------------------------------------------------------- */

/* Rejected steps leave nothing: pieces follow each other without gaps from the first that is kept,
 * which is not older than the delay and a few steps. */
TEST(record_is_that_of_accepted_steps)
{
    static const char text[] =
        "states: {x: {rate: \"y\", initial: 1}, y: {rate: 30*(1 - x^2)*y - delay(past)}}\n"
        "delays: {past: {value: x, time: 0.5}}\n"
        "outputs: {x: x}\n";
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        const TmlSimOptions o = options(t->name, 40.0, 1e-5);
        Run r = run(t, text, &o);
        CHECK(t, r.sim != NULL && tml_sim_stats(r.sim).rejected > 0);
        const TmlPast *past = r.sim != NULL ? tml_system_past(r.sim->sys, 0) : NULL;
        for (int i = past != NULL ? past->dropped + 1 : 0; past != NULL && i < past->n; ++i) {
            CHECK(t, past->piece[i].t0 == past->piece[i - 1].t1 &&
                         past->piece[i].t1 > past->piece[i].t0);
        }
        CHECK(t, past != NULL && past->now == 40.0 && past->piece[past->dropped].t0 > 20.0);
        release(&r);
    }
}

/* Two runs that follow each other are one: the second goes on with the record of the first. What
 * differs are steps of a tolerance of 1e-8. */
TEST(runs_that_follow_each_other)
{
    TmlError err = {0};
    TmlSimOptions o = options("radau", 3.0, 1e-8);
    Run whole = run(t, oscillator, &o);
    o.end_time = 1.3;
    Run first = run(t, oscillator, &o);
    TmlSim *second = NULL;
    o.end_time = 3.0;
    o.from = first.sim;
    CHECK_OK(t, tml_sim_create(first.m, &o, &second, &err), &err);
    tml_sim_free(first.sim);
    first.sim = second;
    if (second != NULL) {
        CHECK_OK(t, tml_sim_run(second, NULL, NULL, &err), &err);
    }
    CHECK_NEAR(t, channel(&first, "x"), cos(6.0), 1e-6);
    CHECK_NEAR(t, channel(&first, "x"), channel(&whole, "x"), 1e-6);
    CHECK_NEAR(t, channel(&first, "d"), cos(2.0 * 2.3), 1e-6);
    release(&first);
    release(&whole);
}

/* At rest nothing is delayed: 2 x + delay(x) = 6 N. A run from there stays, as if it had been at
 * rest for long. */
TEST(statics_and_a_run_from_there)
{
    static const char text[] =
        "bodies: {block: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
        "joints: {rail: {type: translational, bodies: [ground, block], at: [0, 0, 0], axis: x}}\n"
        "forces: {pull: {type: force, body: block, fx: 6 - 2*DX(block) - delay(seen)}}\n"
        "delays: {seen: {value: DX(block), time: 0.4 + 0.1*DX(block)^2}}\n"
        "outputs: {x: DX(block), d: delay(seen)}\n";
    TmlError err = {0};
    TmlStaticsInfo info;
    const TmlSimOptions o = options("hht", 2.0, 1e-6);
    Run r = make(t, text, &o);
    if (r.sim != NULL) {
        CHECK_OK(t, tml_sim_statics(r.sim, NULL, &info, &err), &err);
        CHECK_NEAR(t, channel(&r, "x"), 2.0, 1e-8); // tolerance of statics: 1e-10 of forces
        CHECK_NEAR(t, channel(&r, "d"), 2.0, 1e-8);
        CHECK_OK(t, tml_sim_run(r.sim, NULL, NULL, &err), &err);
        CHECK_NEAR(t, channel(&r, "x"), 2.0, 1e-6); // the tolerance of the run
    }
    release(&r);
}

/* Rows of a run. */
typedef struct Track {
    int n;
    double x[64], d[64];
} Track;

static TmlStatus track(void *user, const TmlSim *sim, TmlError *err)
{
    Track *track = user;
    const int k = track->n < 64 ? track->n++ : 63;
    (void)err;
    track->x[k] = tml_row_channel(sim, tml_sim_channel_find(sim, "x"));
    track->d[k] = tml_row_channel(sim, tml_sim_channel_find(sim, "d"));
    return TML_OK;
}

/* Time goes on after statics, for delays as well: a push sets in, and the block moves as one that has
 * stood at the equilibrium from the beginning. */
TEST(time_goes_on_after_statics)
{
    static const char text[] =
        "bodies: {block: {mass: 1, inertia: [1, 1, 1], position: [%s, 0, 0]}}\n"
        "joints: {rail: {type: translational, bodies: [ground, block], at: [0, 0, 0], axis: x}}\n"
        "forces: {pull: {type: force, body: block,\n"
        "  fx: \"6 + step(time, 0.2, 0, 0.4, 3) - 2*DX(block) - delay(seen)\"}}\n"
        "delays: {seen: {value: DX(block), time: 0.5}}\n"
        "outputs: {x: DX(block), d: delay(seen)}\n";
    Track rows[2] = {0};
    for (int k = 0; k < 2; ++k) {
        char whole[1024];
        TmlError err = {0};
        TmlStaticsInfo info;
        TmlSimOptions o = options("radau", 3.0, 1e-9);
        o.output_step = 0.1;
        snprintf(whole, sizeof whole, text, k == 0 ? "2" : "1.5");
        Run r = make(t, whole, &o);
        if (k == 1) {
            CHECK_OK(t, tml_sim_statics(r.sim, NULL, &info, &err), &err);
        }
        CHECK_OK(t, tml_sim_run(r.sim, track, &rows[k], &err), &err);
        release(&r);
    }
    CHECK(t, rows[0].n == 31 && rows[0].x[30] > 2.2); // it has moved
    CHECK(t, rows[1].n == rows[0].n);
    for (int i = 0; i < rows[0].n; ++i) {
        // equilibria are met to 1e-10 of 6 N over 3 N/m, steps to 1e-9
        CHECK_NEAR(t, rows[1].x[i], rows[0].x[i], 1e-7);
        CHECK_NEAR(t, rows[1].d[i], rows[0].d[i], 1e-7);
    }
}

/* Equations with a past have no matrix; with a delay of zero they have. */
TEST(linearize_refuses_a_past)
{
    TmlError err = {0};
    TmlLinear *lin = NULL;
    const TmlSimOptions o = options("hht", 1.0, 1e-6);
    Run r = make(t, oscillator, &o);
    CHECK(t, tml_sim_linearize(r.sim, NULL, &lin, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "delay 'seen': equations with a past have infinitely many");
    release(&r);
    r = make(t,
             "states: {x: {rate: -3*delay(same), initial: 1}}\n"
             "delays: {same: {value: x, time: 0}}\n",
             &o);
    CHECK_OK(t, tml_sim_linearize(r.sim, NULL, &lin, &err), &err);
    // rounding
    CHECK_NEAR(t, lin != NULL ? tml_linear_mode(lin, 0).real : (double)NAN, -3.0, 1e-12);
    tml_linear_free(lin);
    release(&r);
}

/* --- bad input -------------------------------------------------------------------------------- */

TEST(messages)
{
    static const char *const bad[][2] = {
        {"{value: x, time: -0.1}", "m.yaml:3:30: delay 'd': time is -0.1 s; a delay must not be"},
        {"{value: x}", "m.yaml:3:10: delay 'd': missing key 'time'"},
        {"{time: 1}", "m.yaml:3:10: delay 'd': missing key 'value'"},
        {"{value: x, time: 1, history: x}", "'x' reads states"},
        {"{value: x, time: 1, histroy: 0}", "unknown key 'histroy'; did you mean 'history'?"},
        {"{value: xx, time: 1}", "m.yaml:3:21: delay 'd': unknown name 'xx'"},
        {"{value: x, time: y}", "unknown name 'y'"},
        {"{value: x, time: delay(f)}", "unknown delay 'f'"},
        {"{value: d, time: 1}", "'d' is a delay: its value is delay(d)"},
        {"3", "m.yaml:3:13: delay 'd': expected a map"},
        {"{value: x, time: 1}, x: {value: 1, time: 1}", "there is already a state of this name"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        char text[512];
        TmlModel *m = NULL;
        TmlError err = {0};
        t->name = bad[k][0];
        snprintf(text, sizeof text, "trammel: 1\nstates: {x: {rate: 1}}\ndelays: {d: %s}\n",
                 bad[k][0]);
        CHECK(t, tml_load_text(text, "m.yaml", 0, NULL, NULL, &m, &err) == TML_E_MODEL);
        CHECK_HAS(t, err.message, bad[k][1]);
        tml_model_free(m);
    }
}

/* A delay that becomes negative ends the run where it does; one that is so at the start, before. */
TEST(negative_delays_end_a_run)
{
    TmlError err = {0};
    const TmlSimOptions o = options("radau", 2.0, 1e-6);
    Run r = make(t,
                 "states: {x: {rate: -delay(d), initial: 1}}\n"
                 "delays: {d: {value: x, time: 1 - time}}\n",
                 &o);
    CHECK(t, r.sim != NULL && tml_sim_run(r.sim, NULL, NULL, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "delay 'd' is -");
    CHECK_HAS(t, err.message, "it must not be negative");
    release(&r);
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    CHECK_OK(t,
             tml_load_text("trammel: 1\nstates: {x: {rate: -delay(d), initial: 1}}\n"
                           "delays: {d: {value: x, time: -x}}\n",
                           "text", 0, NULL, NULL, &m, &err),
             &err);
    CHECK(t, tml_sim_create(m, &o, &sim, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "delay 'd' is -1 s at t = 0 s");
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST_SUITE(delays) = {CASE(every_method_follows_the_method_of_steps),
                      CASE(orders_are_those_of_the_methods),
                      CASE(vanishing_delay),
                      CASE(steps_longer_than_the_delay),
                      CASE(zero_delay_is_no_delay),
                      CASE(jumps_arrive_after_the_delay),
                      CASE(oscillator_on_the_boundary_of_stability),
                      CASE(growth_follows_the_characteristic_roots),
                      CASE(delayed_reactions),
                      CASE(record_is_that_of_accepted_steps),
                      CASE(runs_that_follow_each_other),
                      CASE(statics_and_a_run_from_there),
                      CASE(time_goes_on_after_statics),
                      CASE(linearize_refuses_a_past),
                      CASE(messages),
                      CASE(negative_delays_end_a_run),
                      {0}};
