/* tests/analysis/test_radau.c - order, damping, constraints and accuracy of radau.
 *
 * Orders are slopes of log error over log step. The reference of a slope is the same model at a
 * quarter of the smallest step, whose own error is 1/1024 of what is measured.
 */
#include "mechanisms.h"
#include "study.h"

typedef struct Mechanism {
    const char *name, *text;
    double end, step;
} Mechanism;

/* A rheonomic drive, a user state that acts back, and a variable between them. */
static const char driven[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1], cm: [0.2, 0, 0], angular_velocity: [0, 0, "
    "2.4]}\n"
    "  arm: {mass: 0.5, inertia: [0.01, 0.05, 0.05], position: [0.7, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
    "  drive: {type: motion, joint: pin, coordinate: angle, function: 0.8*sin(3*time)}\n"
    "  hinge: {type: revolute, bodies: [crank, arm], at: [0.4, 0, 0], axis: z}\n"
    "variables: {wanted: -3*slow - 0.2*angular_velocity(hinge)}\n"
    "states: {slow: {rate: 4*(angle(hinge) - slow), initial: 0.1}}\n"
    "forces: {servo: {type: rotational_spring, joint: hinge, expression: wanted}}\n"
    "outputs: {slow: slow}\n";

static const Mechanism mechanisms[] = {
    {"revolute pendulum", pendulum, 1.0, 1.0 / 16},
    {"spinning top", top, 0.5, 1.0 / 128},
    {"four-bar in space", four_bar, 1.0, 1.0 / 64},
    {"double pendulum", double_pendulum, 1.0, 1.0 / 32},
    {"driven, with a state", driven, 1.0, 1.0 / 16},
};

enum { STEPS = 4, N_MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

static const OneOption many = {"iterations", "60"}; // long fixed steps converge slowly

static TmlSimOptions radau(double end, double output_step, double tolerance)
{
    TmlSimOptions o = study_options(end, output_step, NULL);
    o.integrator = "radau";
    o.tolerance = tolerance;
    return o;
}

/* Newton stops at a hundredth of the tolerance, below all errors measured. */
static TmlSimOptions fixed_step(const Mechanism *m, double step, double output_step)
{
    TmlSimOptions o = study_options(m->end, output_step, &many);
    o.integrator = "radau";
    o.step = step;
    o.tolerance = 1e-13;
    return o;
}

/* --- order ---------------------------------------------------------------------------------- */

/* Slopes of q, v, reactions and channels over four steps, rows every output_step. */
static void measure(TestCtx *t, const Mechanism *m, double output_step, double order[KINDS])
{
    TmlModel *model = study_model(t, m->text);
    double h[STEPS], error[KINDS][STEPS];
    Trace exact, run;
    const TmlSimOptions fine = fixed_step(m, m->step / (1 << (STEPS + 1)), output_step);
    study_run(t, model, &fine, &exact);
    for (int i = 0; i < STEPS; ++i) {
        h[i] = m->step / (1 << i);
        const TmlSimOptions o = fixed_step(m, h[i], output_step);
        study_run(t, model, &o, &run);
        for (Kind k = POSITION; k < KINDS; ++k) {
            error[k][i] = trace_error(&run, &exact, k);
        }
        trace_free(&run);
    }
    for (Kind k = POSITION; k < KINDS; ++k) {
        order[k] = study_slope(STEPS, h, error[k]);
        if (study_verbose()) {
            printf("%-24s %d  order %.2f  errors %.1e %.1e %.1e %.1e\n", m->name, (int)k, order[k],
                   error[k][0], error[k][1], error[k][2], error[k][3]);
        }
    }
    trace_free(&exact);
    tml_model_free(model);
}

/* Rows at the ends of steps. */
TEST(order_is_five)
{
    for (int n = 0; n < N_MECHANISMS; ++n) {
        double order[KINDS];
        t->name = mechanisms[n].name;
        measure(t, &mechanisms[n], mechanisms[n].end / 4, order);
        for (Kind k = POSITION; k <= REACTION; ++k) {
            // the next term of the error at the longest steps is up to a tenth of the first
            CHECK_NEAR(t, order[k], 5.0, 0.2);
        }
    }
    // the only channel is the user state
    double order[KINDS];
    t->name = "user state";
    measure(t, &mechanisms[N_MECHANISMS - 1], 0.25, order);
    CHECK_NEAR(t, order[CHANNEL], 5.0, 0.2);
    t->name = NULL;
}

/* Rows at 1/3, 2/3, ... of steps. The channels are positions, rotations and their rates: x of order
 * 6 and w of order 5 inside a step show the order of the steps; reactions have order 4. */
TEST(rows_between_steps_keep_the_order)
{
    double order[KINDS];
    t->name = mechanisms[0].name;
    measure(t, &mechanisms[0], 1.0 / 192, order);
    CHECK(t, order[CHANNEL] > 4.8);
    CHECK(t, order[REACTION] > 3.8);
    t->name = NULL;
}

/* --- stiffness ------------------------------------------------------------------------------ */

/* A mass on a spring, x(0) = 1: one step of the method is x + i v/w -> R(i w h) with the stability
 * function R of Radau IIA, in magnitude and phase, and zero for w h -> infinity. */
TEST(one_step_is_the_stability_function)
{
    static const char spring[] = "trammel: 1\n"
                                 "bodies: {mass: {type: point, mass: 1, position: [1, 0, 0]}}\n"
                                 "forces: {pull: {type: force, body: mass, fx: -DX(mass)}}\n";
    TmlModel *model = study_model(t, spring);
    static const double wh[] = {0.1, 1.0, 10.0, 1e3, 1e5};
    for (int k = 0; k < 5; ++k) {
        // R = (1 + 2z/5 + z^2/20) / (1 - 3z/5 + 3z^2/20 - z^3/60) at z = i y
        const double y = wh[k], nr = 1.0 - 0.05 * y * y, ni = 0.4 * y;
        const double dr = 1.0 - 0.15 * y * y, di = y * y * y / 60.0 - 0.6 * y;
        const double d2 = dr * dr + di * di;
        const double re = (nr * dr + ni * di) / d2, im = (ni * dr - nr * di) / d2;
        const TmlSimOptions o = radau(2.0 * wh[k], 2.0 * wh[k], 1e-9);
        TmlSim *sim = study_sim(t, model, &o);
        TmlAttempt a;
        sim->type->restart(&sim->it);
        study_step(t, sim, wh[k], &a);
        // x'' = -x: x + i v turns the other way round
        CHECK_NEAR(t, sim->it.now.q[tml_dims(sim->sys)->span[1].q0], re, 1e-11); // a share of 1e-9
        CHECK_NEAR(t, sim->it.now.v[tml_dims(sim->sys)->span[1].q0], -im, 1e-11);
        CHECK(t, wh[k] < 100.0 || hypot(re, im) < 4.0 / wh[k]); // L-stable
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

/* x'' = -k (x - cos t) - d (x' + sin t) - cos t, x = cos t: for h^2 k, h d >> 1 the order is that
 * of the stages, 3, or more, and the error falls with the stiffness. */
TEST(stiff_order)
{
    static const char text[] =
        "trammel: 1\n"
        "parameters: {k: 1e8, d: 1e6}\n"
        "bodies: {mass: {type: point, mass: 1, position: [1, 0, 0]}}\n"
        "forces: {pull: {type: force, body: mass,\n"
        "         fx: -k*(DX(mass) - cos(time)) - d*(VX(mass) + sin(time)) - cos(time)}}\n";
    TmlModel *model = study_model(t, text);
    double h[STEPS], error[STEPS];
    for (int i = 0; i < STEPS; ++i) {
        Trace run;
        TmlSimOptions o = radau(2.0, 0.5, 1e-14);
        o.step = h[i] = 0.25 / (1 << i);
        study_run(t, model, &o, &run);
        error[i] = 0.0;
        for (int k = 0; k < run.rows; ++k) {
            const int nq = run.n[POSITION] / run.rows;
            error[i] = fmax(error[i], fabs(run.x[POSITION][k * nq] - cos(0.5 * k)));
        }
        trace_free(&run);
    }
    const double order = study_slope(STEPS, h, error);
    if (study_verbose()) {
        printf("stiff: order %.2f errors %.1e %.1e %.1e %.1e\n", order, error[0], error[1],
               error[2], error[3]);
    }
    CHECK(t, order > 2.8);
    tml_model_free(model);
}

/* The double pendulum of [001], eigenvalue -1e5: steps follow the slow motion. */
TEST(stiff_pendulum_takes_long_steps)
{
    TmlModel *model = study_model(t, "models/double_pendulum.yaml");
    const TmlSimOptions o = radau(2.0, 2.0, 1e-6);
    Trace run;
    study_run(t, model, &o, &run);
    CHECK(t, run.stats.steps < 300); // an explicit method needs 1e5
    trace_free(&run);
    tml_model_free(model);
}

/* --- constraints and accuracy --------------------------------------------------------------- */

TEST(constraints_hold_on_three_levels)
{
    static const char *const text[] = {pendulum, four_bar, top, driven,
                                       "models/cases/iftomm_a04_bricard.yaml"};
    for (int n = 0; n < 5; ++n) {
        TmlModel *model = study_model(t, text[n]);
        // the lagging servo of `driven` spins its arm up; later there is nothing left to measure
        const TmlSimOptions o = radau(text[n] == driven ? 3.0 : 20.0, 0.05, 1e-7);
        Trace run;
        study_run(t, model, &o, &run);
        // rounding of one solve, relative to the size, max(1, |v|) and max(1, |a|)
        CHECK_NEAR(t, run.stats.max_phi, 0.0, 1e-12);
        CHECK_NEAR(t, run.stats.max_phi_dot, 0.0, 1e-12);
        CHECK_NEAR(t, run.stats.max_phi_ddot, 0.0, 1e-12);
        trace_free(&run);
        tml_model_free(model);
    }
}

/* Digits at the end against the reference solutions of the IVP test set. */
static void check_digits(TestCtx *t, const char *path, double end, int n, const double *want)
{
    TmlModel *model = study_model(t, path);
    const TmlSimOptions o = radau(end, end, 1e-9);
    Trace run;
    study_run(t, model, &o, &run);
    const double *got = run.x[CHANNEL] + run.n[CHANNEL] / 2; // the second of two rows
    for (int k = 0; k < n; ++k) {
        CHECK_NEAR(t, got[k], want[k], 1e-8 * fabs(want[k])); // eight digits
    }
    trace_free(&run);
    tml_model_free(model);
}

TEST(references_to_eight_digits)
{
    static const double andrews[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                     -0.5347301163226948, 0.5244099658805303, 0.5347301163226948,
                                     1.048080741042263};
    static const double car_axis[] = {0.4934557842755629e-1, 0.4969894602303324,
                                      0.1041742524885400e+1, 0.3739110272652214};
    check_digits(t, "models/cases/andrews.yaml", 0.03, 7, andrews);
    check_digits(t, "models/cases/car_axis.yaml", 3.0, 4, car_axis);
}

/* The same trajectory as hht; at its tight tolerance that one is off by 2e-7 of the values. */
TEST(agrees_with_hht)
{
    static const char *const text[] = {pendulum, four_bar, double_pendulum, driven};
    for (int n = 0; n < 4; ++n) {
        TmlModel *model = study_model(t, text[n]);
        TmlSimOptions o = radau(1.0, 0.1, 1e-9);
        Trace run, other;
        study_run(t, model, &o, &run);
        o.integrator = "hht";
        o.tolerance = 1e-11;
        study_run(t, model, &o, &other);
        if (study_verbose()) {
            printf("hht %d: channels %.1e reactions %.1e\n", n, trace_error(&other, &run, CHANNEL),
                   trace_error(&other, &run, REACTION));
        }
        CHECK_NEAR(t, trace_error(&other, &run, CHANNEL), 0.0, 1e-6);
        CHECK_NEAR(t, trace_error(&other, &run, REACTION), 0.0, 1e-6);
        trace_free(&run);
        trace_free(&other);
        tml_model_free(model);
    }
}

/* A body that spins steadily has no error, yet angles must not lose turns. */
TEST(turns_are_counted)
{
    static const char rotor[] =
        "trammel: 1\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, 30]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
        "outputs: {angle: angle(pin)}\n";
    TmlModel *model = study_model(t, rotor);
    const TmlSimOptions o = radau(10.0, 10.0, 1e-4);
    Trace run;
    study_run(t, model, &o, &run);
    CHECK_NEAR(t, run.x[CHANNEL][1], 300.0, 1e-9); // rounding
    trace_free(&run);
    tml_model_free(model);
}

/* Axial waves of a cable of steel that falls: 1e-7 m, at 8e3 rad/s and more. At 1e-6 (of its metre) they are damped, and steps follow
 * the fall; resolved they take three times as many in so short a run (fifteen times in 0.1 s). Tighter than 1e-8 they are resolved unless the option says otherwise. */
TEST(waves_below_the_tolerance_do_not_hold_the_steps)
{
    static const char cable[] =
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "flexible: {rope: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 4,\n"
        "                  material: {E: 2e11, density: 7200}, section: {radius: 5e-3},\n"
        "                  start: {pin: ground}}}\n"
        "outputs: {x: DX(rope.end), y: DY(rope.end)}\n";
    const OneOption damped = {"waves", "damped"}, resolved = {"waves", "resolved"};
    TmlModel *model = study_model(t, cable);
    Trace run[4];
    TmlSimOptions o[4] = {study_options(0.03, 0.03, NULL), study_options(0.03, 0.03, &resolved),
                          study_options(0.01, 0.01, NULL), study_options(0.01, 0.01, &damped)};
    for (int k = 0; k < 4; ++k) {
        o[k].integrator = "radau";
        o[k].tolerance = k < 2 ? 1e-6 : 5e-9;
        study_run(t, model, &o[k], &run[k]);
    }
    CHECK(t, run[0].stats.steps < 120); // 84; 246 with all waves
    CHECK(t, run[1].stats.steps > 2 * run[0].stats.steps);
    CHECK(t, 2 * run[2].stats.steps > 3 * run[3].stats.steps); // 162, 94
    for (int c = 0; c < 2; ++c) { // what the waves are, and what a step may leave: 1e-6 m
        CHECK_NEAR(t, trace_value(&run[0], 1, c), trace_value(&run[1], 1, c), 2e-6);
    }
    for (int k = 0; k < 4; ++k) {
        if (study_verbose()) {
            printf("waves: %d steps\n", (int)run[k].stats.steps);
        }
        trace_free(&run[k]);
    }
    tml_model_free(model);
}

TEST(options_are_checked)
{
    TmlModel *model = study_model(t, pendulum);
    const OneOption few = {"iterations", "2"};
    TmlSimOptions o = study_options(1.0, 1.0, &few);
    TmlSim *sim = NULL;
    TmlError err = {0};
    o.integrator = "radau";
    CHECK_INT(t, tml_sim_create(model, &o, &sim, &err), TML_E_ARGUMENT);
    tml_model_free(model);
}

TEST_SUITE(radau) = {CASE(waves_below_the_tolerance_do_not_hold_the_steps),
                     CASE(order_is_five),
                     CASE(rows_between_steps_keep_the_order),
                     CASE(one_step_is_the_stability_function),
                     CASE(stiff_order),
                     CASE(stiff_pendulum_takes_long_steps),
                     CASE(constraints_hold_on_three_levels),
                     CASE(references_to_eight_digits),
                     CASE(agrees_with_hht),
                     CASE(turns_are_counted),
                     CASE(options_are_checked),
                     {0}};
