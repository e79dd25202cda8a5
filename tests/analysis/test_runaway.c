/* tests/analysis/test_runaway.c - motions that grow without end are told, large and fast ones not.
 */
#include "study.h"

#include "analysis/driver/runaway.h"

/* --- the account of growth ----------------------------------------------------------------------
 */

/* Is x(t) at the end of n equal steps to the time 10 said to grow steadily? */
static bool steady(double (*x)(double t), int n)
{
    TmlGrowth g = {0};
    for (int k = 1; k <= n; ++k) {
        const double time = 10.0 * k / n;
        tml_growth_add(&g, x(time), time, 10.0 / n);
    }
    return tml_growth_is_steady(&g);
}

static double exponential(double t)
{
    return 1e-3 * exp(3.0 * t);
}

static double linear(double t)
{
    return 5.0 * t;
}

static double cubic(double t)
{
    return t * t * t;
}

static double oscillating(double t)
{
    return fabs(sin(7.0 * t));
}

static double pole(double t)
{
    return 1.0 / (10.001 - t);
}

/* A spring and a damper of the wrong sign: 6 times as much each half turn. */
static double spiral(double t)
{
    return fabs(exp(1.8 * t) * sin(3.14 * t));
}

TEST(growth_is_steady_or_not)
{
    CHECK(t, steady(exponential, 100000));
    CHECK(t, steady(exponential, 10)); // a step may hold more than one doubling
    CHECK(t, steady(spiral, 100000));
    CHECK(t, !steady(linear, 100000));
    CHECK(t, !steady(cubic, 100000));
    CHECK(t, !steady(oscillating, 100000));
    CHECK(t, !steady(pole, 100000));
    TmlGrowth g = {0};
    for (int k = 0; k <= 20; ++k) {
        tml_growth_add(&g, ldexp(1.0, k), 0.5 * k, ldexp(1.0, -k));
        CHECK(t, tml_growth_costs_steps(&g) == (k >= TML_GROWTH_DOUBLINGS));
    }
    CHECK_NEAR(t, tml_growth_interval(&g), 0.5, 0.0);
}

/* --- runs ---------------------------------------------------------------------------------------
 */

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

static double run_tolerance = 1e-6;

/* want NULL: the run reaches its end. Steps that it may take until it is told. */
static void check_run(TestCtx *t, const char *text, const char *method, double end, int64_t most,
                      const char *want)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(end, 0.1 * end, NULL);
    TmlError err = {0};
    o.integrator = method;
    o.tolerance = run_tolerance;
    t->name = method;
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        const TmlStatus status = tml_sim_run(sim, no_row, NULL, &err);
        if (want == NULL) {
            CHECK_OK(t, status, &err);
        } else {
            CHECK(t, status == TML_E_STEP || status == TML_E_NONFINITE);
            CHECK_INT(t, tml_status_exit(status), 1);
            CHECK_HAS(t, err.message, want);
            CHECK_HAS(t, err.message, "check the signs of forces, torques and dampers");
            CHECK(t, tml_sim_stats(sim).steps < most);
        }
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

#define ROTOR                                                                                      \
    "trammel: 1\n"                                                                                 \
    "bodies: {rotor: {mass: 1, inertia: [0.02, 0.02, 0.02]}}\n"                                    \
    "joints: {axle: {type: revolute, frames: [ground, rotor]}}\n"

#define POINT "trammel: 1\nbodies: {stone: {type: point, mass: 2, position: [0.1, 0, 0]}}\n"

/* A step turns by a radian at most and by a hundredth at least at this tolerance: 2^17 rad of a
 * growth of 20 / s are 2^17 / 20 / 0.01 = 650,000 steps at most. */
TEST(a_torque_of_the_wrong_sign)
{
    static const char *const methods[] = {"auto", "hht", "adams", "radau"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
        check_run(t,
                  ROTOR "forces: {motor: {type: torque, body: rotor, tz: 0.1 + 0.4*WZ(rotor)}}\n",
                  methods[k], 100.0, 1000000, "body 'rotor' runs away: its angular velocity, ");
    }
}

TEST(a_spring_of_the_wrong_sign)
{
    // not all of order two, which take 400,000 steps each
    static const char *const methods[] = {"auto", "hht", "adams", "radau", "rosenbrock"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
        check_run(t, POINT "forces: {f: {type: force, body: stone, fx: 800*DX(stone)}}\n",
                  methods[k], 100.0, 1000000, "body 'stone' runs away: at t = ");
    }
}

/* Estimates by differences of positions are rounding before (W1) holds, which is no reason to
 * shorten steps: 20 / s to 2^52 times the tolerance are 36 e-foldings or less, each of some hundred
 * steps of order 5. A step and order chosen by rounding took 700,000. */
TEST(rounding_does_not_shorten_steps)
{
    static const char *const methods[] = {"bdf-i3", "bdf-si2"};
    const char *text = POINT "forces: {f: {type: force, body: stone, fx: 800*DX(stone)}}\n";
    for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
        check_run(t, text, methods[k], 100.0, 3600, "body 'stone' runs away: at t = ");
        run_tolerance = 1e-9;
        check_run(t, text, methods[k], 100.0, 3600, "body 'stone' runs away: at t = ");
        run_tolerance = 1e-6;
    }
}

/* A damper of the wrong sign: an oscillation that grows. */
TEST(a_damper_of_the_wrong_sign)
{
    static const char *const methods[] = {"auto", "adams", "radau"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
        check_run(t,
                  POINT "forces:\n"
                        "  f: {type: force, body: stone, fx: -800*DX(stone) + 12*VX(stone)}\n",
                  methods[k], 100.0, 1000000, "body 'stone' runs away: at t = ");
    }
}

/* A state alone, which no step is too long for: products end at 1e154. */
TEST(a_state_that_explodes)
{
    check_run(t, POINT "states: {money: {rate: 5*money, initial: 1}}\n", "adams", 100.0, 1000000,
              "state 'money' runs away: at t = 46.");
}

/* A state that turns a force ever faster. */
TEST(a_state_that_costs_steps)
{
    check_run(t,
              POINT "states: {phase: {rate: 20*phase, initial: 0.01}}\n"
                    "forces: {f: {type: force, body: stone, fx: sin(phase)}}\n",
              "adams", 100.0, 1000000, "state 'phase' runs away: its value, ");
}

/* --- no false alarms ----------------------------------------------------------------------------
 */

TEST(what_is_large_or_fast_is_let_alone)
{
    // a year of free flight at 30 km/s: 1e12 m, rounding of 2e-4 m
    check_run(t,
              "trammel: 1\n"
              "bodies: {probe: {mass: 100, inertia: [9, 9, 9], velocity: [3e4, 0, 0]}}\n",
              "auto", 3.15e7, 0, NULL);
    // a rocket: 1 m/s^2 for a day
    check_run(t, POINT "forces: {f: {type: force, body: stone, fx: 2}}\n", "auto", 86400.0, 0,
              NULL);
    // a turbine of 1e6 rad/s
    check_run(t,
              "trammel: 1\n"
              "bodies: {top: {mass: 1, inertia: [2, 2, 3], angular_velocity: [0, 0, 1e6]}}\n",
              "auto", 1e-3, 0, NULL);
    // spun up by a constant torque
    check_run(t, ROTOR "forces: {motor: {type: torque, body: rotor, tz: 20}}\n", "auto", 5.0, 0,
              NULL);
    // a motor that feeds itself up to its speed, from 1e-6 to 1e3 rad/s: 30 doublings
    check_run(t,
              ROTOR "forces:\n"
                    "  motor: {type: torque, body: rotor,\n"
                    "          tz: '0.4e-6 + 0.4*WZ(rotor)*(1 - WZ(rotor)/1000)'}\n",
              "auto", 2.0, 0, NULL);
}

/* It falls from near its upper rest: 33 doublings, up to the speed of a pendulum. */
TEST(an_unstable_rest_is_left)
{
    static const char *const methods[] = {"hht", "adams", "radau"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
        check_run(t,
                  "trammel: 1\n"
                  "gravity: [0, -9.81, 0]\n"
                  "bodies: {bar: {mass: 1, inertia: [0.01, 0.1, 0.1], cm: [0.5, 0, 0],\n"
                  "               rotation: {axis: z, angle: pi/2 - 1e-10}}}\n"
                  "joints: {pin: {type: revolute, frames: [ground, bar]}}\n",
                  methods[k], 12.0, 0, NULL);
    }
}

/* An inverted pendulum whose controller comes too late: oscillations grow at a rate of their own
 * and steps shrink less than in proportion. With a shorter delay it stands. */
TEST(feedback_that_comes_too_late)
{
    static const char text[] =
        "trammel: 1\n"
        "gravity: -y\n"
        "parameters: {tau: %s}\n"
        "bodies: {rod: {mass: 1, inertia: [1/12, 0.001, 1/12],\n"
        "  position: [\"-0.5*sin(0.05)\", \"0.5*cos(0.05)\", 0], rotation: {axis: z, angle: "
        "0.05}}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}}\n"
        "delays: {th: {value: AZ(rod), time: tau}, om: {value: WZ(rod), time: tau}}\n"
        "forces: {ctl: {type: torque, body: rod, tz: -30*delay(th) - 6*delay(om)}}\n";
    static const char *const methods[] = {"auto", "adams", "radau", "rosenbrock"};
    for (int k = 0; k < 4; ++k) {
        for (int late = 0; late < 2; ++late) {
            char whole[1024];
            TmlError err = {0};
            snprintf(whole, sizeof whole, text, late ? "0.12" : "0.03");
            TmlModel *model = study_model(t, whole);
            TmlSimOptions o = study_options(10.0, 10.0, NULL);
            o.integrator = t->name = methods[k];
            o.tolerance = 1e-5;
            TmlSim *sim = study_sim(t, model, &o);
            const TmlStatus status = tml_sim_run(sim, NULL, NULL, &err);
            CHECK_INT(t, status, late ? TML_E_STEP : TML_OK);
            CHECK(t, !late || strstr(err.message, "body 'rod' runs away") != NULL);
            CHECK(t,
                  !late || strstr(err.message, "far beyond the normal") != NULL); // by (W4), soon
            tml_sim_free(sim);
            tml_model_free(model);
        }
    }
    t->name = NULL;
}

TEST_SUITE(runaway) = {CASE(feedback_that_comes_too_late),
                       CASE(growth_is_steady_or_not),
                       CASE(a_torque_of_the_wrong_sign),
                       CASE(a_spring_of_the_wrong_sign),
                       CASE(rounding_does_not_shorten_steps),
                       CASE(a_damper_of_the_wrong_sign),
                       CASE(a_state_that_explodes),
                       CASE(a_state_that_costs_steps),
                       CASE(what_is_large_or_fast_is_let_alone),
                       CASE(an_unstable_rest_is_left),
                       {0}};
