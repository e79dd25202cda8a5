/* tests/analysis/test_algebraic.c - implicit states without rates, and rates of variables.
 *
 * Every method runs models whose solutions are known. With a tolerance of 1e-8 a step the methods
 * of order 2 take some thousands of steps a second here and the others fewer: 2e-5 bounds what they
 * add up to. What follows from equations alone is exact to rounding, or to 1e-9 of the iterations.
 */
#include "linear_models.h"

#include <stdlib.h>

static const double allowed = 2e-5;

typedef struct Want {
    const char *channel;
    double value, tolerance; // allowed, 1e-9 of the iterations, or rounding: see above
} Want;

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

static void check_run(TestCtx *t, const TmlModel *model, const char *method, double end, int n,
                      const Want *want)
{
    TmlSimOptions o = study_options(end, end, NULL);
    TmlError err = {0};
    o.integrator = method;
    o.tolerance = 1e-8;
    t->name = method;
    TmlSim *sim = study_sim(t, model, &o);
    if (sim == NULL) {
        return;
    }
    CHECK_OK(t, tml_sim_run(sim, no_row, NULL, &err), &err);
    for (int k = 0; k < n; ++k) {
        const int channel = tml_sim_channel_find(sim, want[k].channel);
        CHECK(t, channel >= 0);
        CHECK_NEAR(t, channel >= 0 ? tml_row_channel(sim, channel) : (double)NAN, want[k].value,
                   want[k].tolerance);
    }
    tml_sim_free(sim);
}

static void check_all(TestCtx *t, const char *text, double end, int n, const Want *want)
{
    TmlModel *model = study_model(t, text);
    for (int k = 0; model != NULL && tml_integrator_name(k) != NULL; ++k) {
        check_run(t, model, tml_integrator_name(k), end, n, want);
    }
    tml_model_free(model);
}

/* x^3 + x = 2 + sin 2t, whose rate a state integrates: x' = 2 cos 2t / (3 x^2 + 1). */
TEST(an_equation_of_its_own)
{
    const double c = 2.0 + sin(2.0);
    double x = 1.0;
    for (int k = 0; k < 50; ++k) {
        x -= (x * x * x + x - c) / (3.0 * x * x + 1.0);
    }
    const double rate = 2.0 * cos(2.0) / (3.0 * x * x + 1.0);
    const Want want[] = {{"x", x, 1e-9}, {"rate", rate, 1e-9}, {"sum", x - 1.0, allowed}};
    check_all(t,
              "trammel: 1\n"
              "states:\n"
              "  x: {implicit: x^3 + x - 2 - sin(2*time), initial: 0.2}\n"
              "  sum: {rate: rate(x)}\n"
              "outputs: {x: x, rate: rate(x), sum: sum}\n",
              1.0, 3, want);
}

/* x' + y' = 3 cos t, y = 2 x: x = sin t. The start of y follows from that of x. */
TEST(two_states_of_which_one_is)
{
    const Want want[] = {{"x", sin(1.5), allowed},
                         {"y", 2.0 * sin(1.5), 2.0 * allowed},
                         {"xr", cos(1.5), 1e-9},
                         {"yr", 2.0 * cos(1.5), 1e-9}};
    check_all(t,
              "trammel: 1\n"
              "states:\n"
              "  x: {implicit: rate(x) + rate(y) - 3*cos(time)}\n"
              "  y: {implicit: y - 2*x, initial: 7}\n"
              "outputs: {x: x, y: y, xr: rate(x), yr: rate(y)}\n",
              1.5, 4, want);
}

/* x = sin t and y = x': nothing is integrated. */
TEST(a_signal_is_differentiated)
{
    const Want want[] = {{"x", sin(0.8), 1e-12}, {"y", cos(0.8), 1e-12}};
    check_all(t,
              "trammel: 1\n"
              "states:\n"
              "  x: {implicit: rate(x) - y}\n"
              "  y: {implicit: x - sin(time)}\n"
              "outputs: {x: x, y: y}\n",
              0.8, 2, want);
}

/* 2 kg on a spring and a damper that see the place by way of equations: z = x, and z' from it.
 * x = e^(-s t) (cos w t + s / w sin w t) with s = c / 2m = 0.5, w^2 = k / m - s^2 = 16 - 0.25. */
static const char oscillator[] =
    "trammel: 1\n"
    "bodies: {m: {type: point, mass: 2, position: [1, 0, 0], velocity: [0, 0, 0]}}\n"
    "states:\n"
    "  z: {implicit: 3*half + 3*half^3 - 1.5*z - 3*half^3}\n"
    "  half: {implicit: 2*half - DX(m)}\n"
    "forces: {spring: {type: force, body: m, fx: -32*z - 2*rate(z)}}\n"
    "outputs: {x: DX(m), v: VX(m), z: z, zr: rate(z)}\n";

TEST(places_in_a_force)
{
    const double s = 0.5, w = sqrt(15.75), time = 0.7;
    const double x = exp(-s * time) * (cos(w * time) + s / w * sin(w * time));
    const double v = -exp(-s * time) * (s * s / w + w) * sin(w * time);
    const Want want[] = {
        {"x", x, allowed}, {"z", x, allowed}, {"v", v, 4.0 * allowed}, {"zr", v, 4.0 * allowed}};
    check_all(t, oscillator, time, 4, want);
}

/* The rate of a velocity is an acceleration: (m + 3) x'' = -k x. In axes that turn with the body,
 * whose rate belongs to that of the component. */
TEST(velocities_in_a_force)
{
    const double w = sqrt(20.0 / 5.0), time = 0.6;
    const Want want[] = {{"x", cos(w * time), allowed}, {"v", -w * sin(w * time), 2.0 * allowed}};
    check_all(
        t,
        "trammel: 1\n"
        "bodies:\n"
        "  m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], angular_velocity: [0, 0, 3]}\n"
        "variables: {speed: 'VX(m, ground, m)*cos(AZ(m)) - VY(m, ground, m)*sin(AZ(m))'}\n"
        "states: {u: {implicit: u + tanh(u) - speed - tanh(speed)}}\n"
        "forces: {pull: {type: force, body: m, fx: -20*DX(m) - 3*rate(u)}}\n"
        "outputs: {x: DX(m), v: VX(m)}\n",
        time, 2, want);
}

/* A torque by an angle and its rate: I a'' = -k 2 b - c 2 b' with b = a / 2. */
TEST(angles_in_a_torque)
{
    const double s = 0.25, w = sqrt(9.0 - s * s), time = 0.9;
    const double a = 0.4 * exp(-s * time) * (cos(w * time) + s / w * sin(w * time));
    const Want want[] = {{"a", a, allowed}, {"b", 0.5 * a, allowed}};
    check_all(t,
              "trammel: 1\n"
              "bodies: {bar: {mass: 1, inertia: [1, 1, 2], rotation: {axis: z, angle: 0.4}}}\n"
              "joints: {pin: {type: revolute, frames: [ground, bar]}}\n"
              "states: {b: {implicit: 2*b - angle(pin)}}\n"
              "forces:\n"
              "  t: {type: rotational_spring, joint: pin, expression: -18*2*b - 2*rate(b)}\n"
              "outputs: {a: angle(pin), b: b}\n",
              time, 2, want);
}

/* The same on a joint: (2 + 3) a'' = -20 a, with the rate of an angular velocity. */
TEST(spins_in_a_torque)
{
    const double w = 2.0, time = 0.6;
    const Want want[] = {{"a", 0.3 * cos(w * time), allowed},
                         {"v", -0.3 * w * sin(w * time), 2.0 * allowed}};
    check_all(t,
              "trammel: 1\n"
              "bodies: {bar: {mass: 1, inertia: [1, 1, 2], rotation: {axis: z, angle: 0.3}}}\n"
              "joints: {pin: {type: revolute, frames: [ground, bar]}}\n"
              "states: {u: {implicit: 2*u - WZ(bar)}}\n"
              "forces:\n"
              "  t: {type: torque, body: bar, tz: -20*angle(pin) - 6*rate(u)}\n"
              "outputs: {a: angle(pin), v: WZ(bar)}\n",
              time, 2, want);
}

/* The force that makes an acceleration: it is in its own equation only by way of the motion. */
TEST(what_acts_through_accelerations)
{
    const double time = 1.1;
    const Want want[] = {{"f", 3.0 * cos(2.0 * time), 1e-9},
                         {"x", (1.0 - cos(2.0 * time)) / 4.0, allowed}};
    check_all(t,
              "trammel: 1\n"
              "bodies: {m: {type: point, mass: 3}}\n"
              "states: {f: {implicit: ACCX(m) - cos(2*time)}}\n"
              "forces: {pull: {type: force, body: m, fx: f}}\n"
              "outputs: {f: f, x: DX(m)}\n",
              time, 2, want);
}

/* Variables have rates too: v = x^2 y with x' = 1, y' = -y. */
TEST(rates_of_variables)
{
    const double time = 1.2, rate = (2.0 * time - time * time) * exp(-time);
    const Want want[] = {{"rate", rate, allowed}, {"sum", time * time * exp(-time), allowed}};
    check_all(t,
              "trammel: 1\n"
              "variables: {v: x*w, w: x*y}\n"
              "states: {x: {rate: 1}, y: {rate: -y, initial: 1}, sum: {rate: rate(v)}}\n"
              "outputs: {rate: rate(v), sum: sum}\n",
              time, 2, want);
}

/* --- statics and modes ------------------------------------------------------------------------ */

/* At rest nothing has a rate, what time drives neither: 50 x = -2 g, whatever s is. */
static const char hanging[] =
    "trammel: 1\n"
    "gravity: [-10, 0, 0]\n"
    "bodies: {m: {type: point, mass: 2, position: [0.3, 0, 0]}}\n"
    "states:\n"
    "  z: {implicit: exp(z) + z - 1 - exp(DX(m))*1 + 1 - DX(m), initial: 1}\n"
    "  s: {implicit: s - 3*time}\n"
    "forces: {spring: {type: force, body: m, fx: -50*z - 3*rate(z) + 7*rate(s),\n"
    "                  fy: -8*DY(m) - VY(m), fz: -8*DZ(m) - VZ(m)}}\n"
    "outputs: {x: DX(m), s: rate(s), z: rate(z)}\n";

TEST(at_rest)
{
    TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlModel *model = study_model(t, hanging);
    TmlSim *sim = study_sim(t, model, &o);
    TmlStaticsInfo info;
    TmlError err = {0};
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        // 1e-10 of 20 N over 50 N/m: the tolerance of statics
        CHECK_NEAR(t, tml_row_channel(sim, 0), -20.0 / 50.0, 1e-10);
        CHECK_NEAR(t, tml_row_channel(sim, 1), 0.0, 0.0);
        CHECK_NEAR(t, tml_row_channel(sim, 2), 0.0, 0.0);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Modes along x: 2 r^2 + 3 r + 50 = 0, with z = x. */
TEST(modes)
{
    Case c;
    if (case_make(t, hanging, true, NULL, &c)) {
        CHECK_INT(t, c.info.order, 6); // three motions, no states
        check_mode(t, &c, -0.75, sqrt(25.0 - 0.75 * 0.75), EIGENVALUE);
    }
    case_free(&c);
    if (case_make(t, oscillator, false, NULL, &c)) {
        check_mode(t, &c, -0.5, sqrt(15.75), EIGENVALUE);
    }
    case_free(&c);
}

/* --- messages --------------------------------------------------------------------------------- */

static void check_message(TestCtx *t, const char *states, const char *want)
{
    char text[1024];
    TmlModel *model = NULL;
    TmlError err = {0};
    TmlSim *sim = NULL;
    t->name = states;
    snprintf(text, sizeof text,
             "trammel: 1\nbodies: {m: {type: point, mass: 2, position: [1, 0, 0]}}\n%s", states);
    TmlStatus status = tml_load_text(text, "test", 0, NULL, NULL, &model, &err);
    if (status == TML_OK) {
        const TmlSimOptions o = study_options(1.0, 1.0, NULL);
        status = tml_sim_create(model, &o, &sim, &err);
    }
    CHECK(t, status != TML_OK);
    CHECK_HAS(t, err.message, want);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(messages_name_the_equation)
{
    check_message(t, "states: {x: {implicit: time - 1}}",
                  "test:3:10: state 'x': its equation holds neither it nor its rate, and no other "
                  "equation determines it");
    check_message(t, "states: {x: {implicit: x - time}, y: {implicit: rate(x) - 3*x}}",
                  "state 'y': its equation holds neither it nor its rate");
    check_message(t,
                  "states: {x: {implicit: rate(x) - y}, y: {implicit: rate(y) - z}, "
                  "z: {implicit: x - sin(time)}}",
                  "would have to be differentiated more than once");
    check_message(t,
                  "states: {x: {implicit: rate(x) - y}, y: {implicit: x - sin(time)}, "
                  "z: {rate: rate(y)}}",
                  "second derivative of");
    check_message(t, "states: {f: {implicit: f - ACCX(m)}, s: {rate: rate(f)}}",
                  "variable 'f': state 's' asks for its rate, which is not there: it reads an "
                  "acceleration, whose rate is not known");
    check_message(t,
                  "states: {x: {implicit: x - time}}\n"
                  "events: {e: {when: time, value: 0.5, set: {x: 2}}}",
                  "event 'e': set: 'x' follows from its equation and cannot be set");
    // regular as far as one can see, but not with these numbers
    check_message(t, "states: {x: {implicit: x*x}}",
                  "the implicit equations do not determine variable 'x' at t = 0 s: x*x = 0");
    check_message(t, "states: {x: {implicit: rate(x) + rate(y) - 1}, y: {implicit: x + y - time}}",
                  "the implicit equations do not determine ");
    check_message(t, "outputs: {a: rate(m)}", "unknown state or variable 'm'");
    // a circle that determines nothing, with its places
    check_message(t, "variables:\n  a: b + 1\n  c: 2*a\n  b: c - a\noutputs: {y: a}",
                  "variables depend on each other in a circle, b (test:6) -> ");
}

TEST_SUITE(algebraic) = {CASE(an_equation_of_its_own),
                         CASE(two_states_of_which_one_is),
                         CASE(a_signal_is_differentiated),
                         CASE(places_in_a_force),
                         CASE(velocities_in_a_force),
                         CASE(angles_in_a_torque),
                         CASE(spins_in_a_torque),
                         CASE(what_acts_through_accelerations),
                         CASE(rates_of_variables),
                         CASE(at_rest),
                         CASE(modes),
                         CASE(messages_name_the_equation),
                         {0}};
