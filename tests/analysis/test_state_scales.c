/* tests/analysis/test_state_scales.c - scales of user states: found by the program, in any unit.
 *
 * Each model has states whose size the program must find: a motor's current that starts at zero
 * with a rate of zero, a bristle of micrometres, an integral that nothing depends on.
 */
#include "study.h"

/* A four-bar that is driven by a motor, its current in units of 1/u ampere; `how` is the rest of
 * the state. The voltage begins at `from`. */
static char *motor(char *text, size_t size, double u, double from, const char *how)
{
    snprintf(
        text, size,
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "parameters: {u: %.17g, from: %g}\n"
        "bodies:\n"
        "  crank: {mass: 0.3, inertia: [1e-5, 3e-4, 3e-4], position: [0.025, 0.043, 0],\n"
        "          rotation: {axis: z, angle: 1}}\n"
        "  coupler: {mass: 0.8, inertia: [1e-5, 8e-3, 8e-3], position: [0.19, 0.19, 0],\n"
        "            rotation: {axis: z, angle: 0.6}}\n"
        "  rocker: {mass: 0.7, inertia: [1e-5, 5e-3, 5e-3], position: [0.365, 0.146, 0],\n"
        "           rotation: {axis: z, angle: 1.8}}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
        "  B: {type: revolute, bodies: [crank, coupler], at: [0.05, 0.086, 0], axis: z}\n"
        "  C: {type: point_on_line, bodies: [coupler, rocker], at: [0.33, 0.292, 0], axis: z}\n"
        "  D: {type: revolute, bodies: [ground, rocker], at: [0.4, 0, 0], axis: z}\n"
        "states: {i: {%s}}\n"
        "forces:\n"
        "  motor: {type: torque, bodies: [ground, crank], at: [0, 0, 0], tz: 0.25*i/u}\n"
        "  return: {type: spring, bodies: [ground, rocker], points: [[0.6, 0.1, 0],\n"
        "           [0.365, 0.146, 0]], stiffness: 300, damping: 2, free_length: 0.15}\n"
        "outputs: {i: i/u, angle: angle(A)}\n",
        u, from, how);
    return text;
}

static const char explicit_form[] =
    "rate: '(24*u*step(time, from, 0, from + 0.05, 1) - 1.2*i - 0.25*u*angular_velocity(A))/0.004'";
static const char implicit_form[] =
    "implicit: '0.004*rate(i) - 24*u*step(time, from, 0, from + 0.05, 1) + 1.2*i"
    " + 0.25*u*angular_velocity(A)'";

/* Nothing about the current is known at the start but what it does to the crank. Every method runs
 * at every tolerance, without a failed iteration, and keeps it. */
TEST(a_motor_starts_in_every_method_at_every_tolerance)
{
    char text[2048];
    TmlModel *model = study_model(t, motor(text, sizeof text, 1.0, 0.0, explicit_form));
    TmlSimOptions o = study_options(0.03, 0.03, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-11;
    Trace exact;
    study_run(t, model, &o, &exact);
    const double i = trace_value(&exact, 1, 0), angle = trace_value(&exact, 1, 1);
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        for (double tol = 1e-4; tol > 0.9e-9; tol *= 0.1) {
            char name[64];
            snprintf(name, sizeof name, "%s at %.0e", tml_integrator_name(k), tol);
            t->name = name;
            o.integrator = tml_integrator_name(k);
            o.tolerance = tol;
            Trace run;
            study_run(t, model, &o, &run);
            CHECK_INT(t, run.stats.rejected_newton, 0);
            // a few hundred local errors; the worst of all methods is rosenbrock with 100 at 1e-4
            CHECK_NEAR(t, trace_value(&run, 1, 0), i, 300.0 * tol * fabs(i));
            CHECK_NEAR(t, trace_value(&run, 1, 1), angle, 300.0 * tol);
            trace_free(&run);
        }
    }
    trace_free(&exact);
    tml_model_free(model);
}

/* The same when the voltage comes later, and when a run goes on from where another has come to. */
TEST(a_motor_starts_later)
{
    char text[2048];
    TmlModel *model = study_model(t, motor(text, sizeof text, 1.0, 0.012, explicit_form));
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlError err = {0};
        t->name = tml_integrator_name(k);
        TmlSimOptions o = study_options(0.01, 0.01, NULL);
        o.integrator = t->name;
        o.tolerance = 1e-8;
        TmlSim *sim = study_sim(t, model, &o), *next = NULL;
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        o.from = sim;
        o.end_time = 0.03;
        next = study_sim(t, model, &o);
        CHECK_OK(t, tml_sim_run(next, NULL, NULL, &err), &err);
        CHECK_INT(t, tml_sim_stats(next).rejected_newton, 0);
        tml_sim_free(next);
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

static int64_t steps_of(TestCtx *t, const char *text, const char *method, double *x)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.03, 0.03, NULL);
    o.integrator = method;
    o.tolerance = 1e-6;
    Trace run;
    study_run(t, model, &o, &run);
    *x = trace_value(&run, 1, 0);
    const int64_t steps = run.stats.steps;
    trace_free(&run);
    tml_model_free(model);
    return steps;
}

/* A current in units of 2^-20 A, or 2^20 A, is the same run: powers of two leave all digits, so
 * that the steps are the same, too. The two forms of the state have the same scale. */
TEST(units_of_a_state_do_not_matter)
{
    char text[2048];
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        static const char *const form[] = {explicit_form, implicit_form};
        t->name = tml_integrator_name(k);
        for (int f = 0; f < 2; ++f) {
            double x, small, large;
            const int64_t n = steps_of(t, motor(text, sizeof text, 1.0, 0.0, form[f]), t->name, &x);
            motor(text, sizeof text, 0x1p-20, 0.0, form[f]);
            CHECK_INT(t, steps_of(t, text, t->name, &small), n);
            motor(text, sizeof text, 0x1p20, 0.0, form[f]);
            CHECK_INT(t, steps_of(t, text, t->name, &large), n);
            // accelerations are refined until the largest unknown of all is right, to 1e-13
            CHECK_NEAR(t, small, x, 1e-11 * fabs(x));
            CHECK_NEAR(t, large, x, 1e-11 * fabs(x));
        }
    }
}

/* The angle between a body and itself is zero with rounding in its last digits, and so is what a
 * filter makes of it, and a filter of that: such states take no steps of their own. (X8) */
TEST(states_of_rounding_cost_no_steps)
{
    static const char body[] =
        "trammel: 1\n"
        "bodies:\n"
        "  b: {mass: 1.4, inertia: [0.04, 0.031, 0.015], rotation: {axis: [1, 2, 3], angle: 0.7},\n"
        "      cm: [-0.054, -0.045, 0.03], angular_velocity: [-0.9, -0.2, -1.3]}\n"
        "states:\n"
        "  near: {rate: 0.1*WZ(b) - near}\n%s"
        "outputs: {near: near}\n";
    static const char filters[] = "  x: {rate: 'CYX(b, b) - 0.14*x'}\n  y: {rate: x - y}\n";
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        char text[2][1024];
        double value[2];
        snprintf(text[0], sizeof text[0], body, "");
        snprintf(text[1], sizeof text[1], body, filters);
        t->name = tml_integrator_name(k);
        const int64_t alone = steps_of(t, text[0], t->name, &value[0]);
        const int64_t more = steps_of(t, text[1], t->name, &value[1]);
        // coefficients of dop853, which auto takes, are up to 43: its stages make forty times as much of rounding
        const bool stages = strcmp(t->name, "dop853") == 0 || strcmp(t->name, "auto") == 0;
        CHECK(t, more <= alone + 1 + (stages ? alone / 2 : 0));
        CHECK_NEAR(t, value[1], value[0], 1e-6 * fabs(value[0])); // steps may differ: the tolerance
    }
    t->name = NULL;
}

/* The same where the body starts with its axes along those of the world: products of zeros and ones
 * have no rounding there, but have it as soon as the body has turned. (X8) */
TEST(states_of_rounding_cost_no_steps_from_straight_axes)
{
    static const char body[] =
        "trammel: 1\n"
        "bodies:\n"
        "  b: {mass: 1.4, inertia: [0.04, 0.031, 0.015], angular_velocity: [-0.9, -0.2, -1.3]}\n"
        "states:\n"
        "  near: {rate: 0.1*WZ(b) - near}\n%s"
        "outputs: {near: near}\n";
    static const char filters[] = "  x: {rate: 'CYZ(b, b) - 0.14*x'}\n  y: {rate: x - y}\n"
                                  "  z: {rate: 'CXX(b)^2 + CXY(b)^2 + CXZ(b)^2 - 1 - z/0.1'}\n";
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        char text[2][1024];
        double value[2];
        snprintf(text[0], sizeof text[0], body, "");
        snprintf(text[1], sizeof text[1], body, filters);
        t->name = tml_integrator_name(k);
        const int64_t alone = steps_of(t, text[0], t->name, &value[0]);
        const int64_t more = steps_of(t, text[1], t->name, &value[1]);
        // a rate that jumps by its last digit costs explicit methods 3 steps of 15, 12 of 13 in dop853
        CHECK(t, more <= 2 * alone);
        CHECK_NEAR(t, value[1], value[0], 1e-6 * fabs(value[0])); // steps may differ: the tolerance
    }
    t->name = NULL;
}

/* The length of the run is no part of a scale. */
TEST(the_length_of_a_run_does_not_matter)
{
    char text[2048];
    TmlModel *model = study_model(t, motor(text, sizeof text, 1.0, 0.0, explicit_form));
    int64_t steps[2] = {0};
    double size[2] = {0};
    for (int k = 0; k < 2; ++k) {
        TmlError err = {0};
        TmlSimOptions o = study_options(k == 0 ? 0.03 : 300.0, 0.03, NULL);
        o.tolerance = 1e-6;
        o.first_step = o.min_step = 1e-9; // theirs follow the length
        TmlSim *sim = study_sim(t, model, &o);
        size[k] = tml_sim_scales_size(sim, 0);
        while (tml_sim_time(sim) < 0.02) {
            CHECK_OK(t, tml_sim_step(sim, &err), &err);
            steps[k]++;
        }
        tml_sim_free(sim);
    }
    CHECK_NEAR(t, size[1], size[0], 0.0);
    CHECK_INT(t, steps[1], steps[0]);
    tml_model_free(model);
}

static double size_of(TestCtx *t, TmlSim *sim, const char *name)
{
    for (int k = 0; sim != NULL && k < sim->model->states.n; ++k) {
        if (strcmp(sim->model->states.at[k].name, name) == 0) {
            return tml_sim_scales_size(sim, k);
        }
    }
    CHECK(t, false);
    return (double)NAN;
}

/* (X0) to (X6) on a mass of 2 kg in gravity: A = g / L with L = 1 m as given. */
TEST(scales_follow_the_equations)
{
    static const char text[] =
        "trammel: 1\n"
        "gravity: [0, 0, -10]\n"
        "bodies: {bead: {type: point, mass: 2}}\n"
        "states:\n"
        "  force: {rate: 'abs(time)^3 + VX(bead)', initial: 0}\n" // acts: 1e-3 A m / 50
        "  valve: {rate: '0', initial: 0}\n"                      // acts on `force2`
        "  force2: {rate: '4*valve - 20*force2', initial: 0}\n"   // acts: 1e-3 A m / 1
        "  large: {rate: '-large', initial: 300}\n"               // what it is
        "  given: {rate: '7', initial: 0, scale: 0.25}\n"         // what is said
        "  lag: {rate: '40*(3 - lag)', initial: 0}\n"             // 0.1 of where it goes
        "  after: {rate: '2*(lag - after)', initial: 0}\n"        // led by lag
        "  way: {rate: 'VX(bead)', initial: 0}\n"                 // 1e-3 L, nothing leads more
        "forces: {f: {type: force, body: bead, fx: 50*force + force2, fz: '20'}}\n"
        "simulate: {length_scale: 1}\n";
    TmlModel *model = study_model(t, text);
    const TmlSimOptions o = study_options(1.0, 0.1, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    // each size is a few products of these numbers, up to rounding
    const double A = 10.0, c = 1e-3, rounding = 1e-12;
    // the motion is taken in a direction of components between 0.5 and 1.5
    const double force = size_of(t, sim, "force"), acts = c * A * 2.0 / 50.0;
    CHECK(t, force <= acts * (1.0 + rounding) && force >= fmin(acts, 0.5 * c));
    CHECK_NEAR(t, size_of(t, sim, "force2"), c * A * 2.0, rounding); // nothing leads it
    CHECK_NEAR(t, size_of(t, sim, "valve"), c * A * 2.0 / (4.0 / 20.0), rounding); // (X3), (X6)
    CHECK_NEAR(t, size_of(t, sim, "large"), 300.0, 0.0);
    CHECK_NEAR(t, size_of(t, sim, "given"), 0.25, 0.0);
    CHECK_NEAR(t, size_of(t, sim, "lag"), 0.1 * 3.0, rounding);             // (X4)
    CHECK_NEAR(t, size_of(t, sim, "after"), 0.3 * 2.0 / sqrt(A), rounding); // (X5)
    const double way = size_of(t, sim, "way");
    CHECK(t, way >= 0.5 * c && way <= 1.5 * c);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* States that nothing at all is known of at the start, of sizes that differ by 2^60, come to life
 * in the midst of a run. Each has the error of its own size in every method. */
TEST(states_come_to_life_whatever_their_size)
{
    static const char model_text[] = "trammel: 1\n"
                                     "bodies: {bead: {type: point, mass: 1}}\n"
                                     "parameters: {big: 2^30}\n"
                                     "states:\n"
                                     "  far: {rate: 'big*step(time, 0.1, 0, 0.3, 1)'}\n"
                                     "  near: {rate: 'step(time, 0.1, 0, 0.3, 1)/big'}\n"
                                     "  jump: {rate: 'if(time - 0.25: 0, 1, 1)/big'}\n"
                                     "outputs: {far: far/big, near: near*big, jump: jump*big}\n";
    TmlModel *model = study_model(t, model_text);
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        TmlSimOptions o = study_options(0.5, 0.5, NULL);
        o.integrator = t->name;
        o.tolerance = 1e-6;
        Trace run;
        study_run(t, model, &o, &run);
        // half of the ramp and all that follows; some hundred steps with errors of 1e-6 of 0.3
        CHECK_NEAR(t, trace_value(&run, 1, 0), 0.3, 3e-5);
        CHECK_NEAR(t, trace_value(&run, 1, 1), 0.3, 3e-5);
        CHECK_NEAR(t, trace_value(&run, 1, 2), 0.25, 3e-5);
        CHECK(t, run.stats.steps < 3000);
        trace_free(&run);
    }
    tml_model_free(model);
}

/* Steps of a stiff rod whose tip drives a state by way of `factor`, a function of time. */
static int64_t rod_steps(TestCtx *t, const char *factor)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {bead: {type: point, mass: 0.1, position: [0, 0, 0.5]}}\n"
        "flexible:\n"
        "  rod: {type: beam, line: [[0, 0, 0], [0, 0, 0.5]], elements: 2, start: {pin: ground},\n"
        "        formulation: enhanced, section: {height: 0.02, width: 0.02},\n"
        "        material: {E: 5.5e6, nu: 0.3, density: 1700, damping: 0.001}}\n"
        "joints: {tip: {type: spherical, frames: [rod.end, bead]}}\n"
        "states: {lag: {rate: '%s*VX(bead) - 0.2*lag'}}\n"
        "forces:\n"
        "  pull: {type: spring, bodies: [ground, bead], stiffness: 15, free_length: 0.5,\n"
        "         points: [[-0.1, -0.1, 0.1], [0, 0, 0.5]]}\n"
        "outputs: {lag: lag}\n",
        factor);
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.02, 0.02, NULL);
    o.integrator = "hht";
    o.tolerance = 1e-8;
    Trace run;
    study_run(t, model, &o, &run);
    const int64_t steps = run.stats.steps;
    trace_free(&run);
    tml_model_free(model);
    return steps;
}

/* A coupling that is zero at the start because of a factor of time is seen all the same. Without
 * that the state was asked for digits that the velocities do not have: 4556 steps instead of 555, or
 * steps that fell to nothing. With a coupling from the start there are 308; a state that begins as
 * t^3 is small for long, hence the factor of three. */
TEST(a_factor_of_time_that_starts_at_zero_costs_nothing)
{
    const int64_t with_zero = rod_steps(t, "sin(9*time)"), without = rod_steps(t, "cos(9*time)");
    CHECK(t, with_zero < 3 * without);
}

/* A shell at rest 700 m from the origin, at an angle, and a state that integrates the velocity of its
 * corner: velocities are rounding of positions over the step, and no step is short enough for a
 * state that is asked for more digits than positions have (57 failed iterations of hht, 39 of
 * bdf-i3 and 67 of generalized-alpha for 0.1 s). The state stays at the rounding of positions, some
 * hundred steps of 700 m * 2e-16. */
TEST(states_have_no_more_digits_than_what_drives_them)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {bead: {type: point, mass: 0.05, position: [502.87, 496.77, 1.594]}}\n"
        "flexible:\n"
        "  sheet: {type: shell, elements: [2, 1], section: {thickness: 0.0177},\n"
        "          patch: {origin: [503, 496.5, 1.4], x: [-0.19, 0.21, 0.2], y: [0.06, 0.06, "
        "-0.006]},\n"
        "          material: {E: 3e6, nu: 0.3, density: 1280, damping: 0.001},\n"
        "          edges: {left: {clamp: ground}}}\n"
        "joints: {tip: {type: spherical, frames: [sheet.corner3, bead]}}\n"
        "states: {way: {rate: 'VX(bead) + 0.3*VY(bead) - 0.2*way'}}\n"
        "outputs: {way: way}\n";
    static const char *const methods[] = {"hht", "generalized-alpha", "bdf-i3", "tlismni-hht",
                                          "radau"};
    TmlModel *model = study_model(t, text);
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; ++k) {
        t->name = methods[k];
        TmlSimOptions o = study_options(0.1, 0.1, NULL);
        o.integrator = methods[k];
        o.tolerance = 1e-10;
        Trace run;
        study_run(t, model, &o, &run);
        CHECK_NEAR(t, trace_value(&run, 1, 0), 0.0, 1e-11);
        CHECK(t, run.stats.rejected_newton <= 2);
        trace_free(&run);
    }
    tml_model_free(model);
}

/* `auto` chooses hht for what is not smooth. Where it cannot take its first step another method goes on, and the notes say so. A state
 * whose scale asks for less than rounding leaves was such a case until short steps had rows of velocities; it is started by hht now. */
TEST(auto_has_other_methods_for_the_first_step)
{
    static const char how[] = "rate: '(24*u*step(time, 0, 0, 0.05, 1) - 1.2*i"
                              " - 0.25*u*angular_velocity(A))/0.004 + max(0, i - 1000)',"
                              " scale: 1e-11";
    char text[2048];
    TmlError err = {0};
    TmlModel *model = study_model(t, motor(text, sizeof text, 1.0, 0.0, how));
    TmlSimOptions o = study_options(0.05, 0.05, NULL);
    o.integrator = NULL;
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_STR(t, tml_sim_integrator(sim), "hht");
    CHECK(t, tml_sim_has_successor(sim, TML_E_STEP)); // as after a first step that failed
    CHECK_OK(t, tml_sim_step(sim, &err), &err);
    CHECK_STR(t, tml_sim_integrator(sim), "radau");
    const int notes = tml_sim_note_count(sim);
    CHECK_HAS(t, notes > 0 ? tml_sim_note(sim, notes - 1) : "",
              "'radau' takes over from 'hht' at t = 0 s: it could not go on");
    CHECK_HAS(t, tml_sim_choice(sim), "; from t = 0 s radau");
    tml_sim_free(sim);
    o.integrator = "hht"; // a method that is named stays, and takes the step
    sim = study_sim(t, model, &o);
    CHECK(t, !tml_sim_has_successor(sim, TML_E_STEP));
    CHECK_OK(t, tml_sim_step(sim, &err), &err);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(state_scales) = {CASE(a_motor_starts_in_every_method_at_every_tolerance),
                            CASE(a_motor_starts_later),
                            CASE(units_of_a_state_do_not_matter),
                            CASE(states_of_rounding_cost_no_steps),
                            CASE(states_of_rounding_cost_no_steps_from_straight_axes),
                            CASE(the_length_of_a_run_does_not_matter),
                            CASE(scales_follow_the_equations),
                            CASE(states_come_to_life_whatever_their_size),
                            CASE(a_factor_of_time_that_starts_at_zero_costs_nothing),
                            CASE(states_have_no_more_digits_than_what_drives_them),
                            CASE(auto_has_other_methods_for_the_first_step),
                            {0}};
