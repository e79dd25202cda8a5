/* tests/analysis/test_rows.c - rows between steps: their order in every quantity, by every method;
 * the work that is accounted for; reading without a row.
 *
 * References are rows of radau at a tolerance far below those that are compared, and closed forms.
 */
#include "study.h"

/* A crank that is driven smoothly, a link on it that is free, a state and a variable that follow.
 */
static const char smooth_text[] =
    "trammel: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 2, inertia: [0.02, 0.1, 0.1], position: [0.5, 0, 0]}\n"
    "  link: {mass: 1, inertia: [0.02, 0.1, 0.1], position: [1.4, 0, 0]}\n"
    "joints:\n"
    "  axle: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
    "  pin: {type: revolute, bodies: [crank, link], at: [1, 0, 0], axis: z}\n"
    "  drive: {type: motion, joint: axle, function: 0.8*sin(3*time)}\n"
    "forces: {damper: {type: rotational_spring, joint: pin, stiffness: 5, damping: 0.3}}\n"
    "variables: {load: reaction(pin).fx}\n"
    "states: {lag: {initial: 0, rate: '%s - 4*lag'}}\n"
    "outputs:\n"
    "  force: reaction(pin).fm\n"
    "  torque: reaction(drive).tz\n"
    "  acceleration: ACCX(link)\n"
    "  angle: angle(pin)\n"
    "  speed: angular_velocity(pin)\n"
    "  variable: load\n"
    "  state: lag\n"
    "simulate: {end: 2}\n";
enum { SMOOTH_CHANNELS = 7, STATE = 6 };

static TmlModel *smooth_model(TestCtx *t, const char *input)
{
    char text[sizeof smooth_text + 64];
    snprintf(text, sizeof text, smooth_text, input);
    return study_model(t, text);
}

static TmlSim *rows_sim(TestCtx *t, const TmlModel *model, const char *method, double tolerance,
                        double end)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = method;
    o.tolerance = tolerance;
    o.end_time = end;
    return study_sim(t, model, &o);
}

/* Values of all channels at t, which must not lie before the last step. */
static void values_at(TestCtx *t, TmlSim *sim, double at, int n, double *x)
{
    TmlError err = {0};
    while (tml_sim_time(sim) < at) {
        const TmlStatus status = tml_sim_step(sim, &err);
        CHECK_OK(t, status, &err);
        if (status != TML_OK) {
            return;
        }
    }
    CHECK_OK(t, tml_sim_row_at(sim, at, &err), &err);
    for (int k = 0; k < n; ++k) {
        x[k] = tml_row_channel(sim, k);
    }
}

/* Largest errors of the channels, relative to their largest values: at ends of steps and inside. */
typedef struct Errors {
    double end[SMOOTH_CHANNELS], inside[SMOOTH_CHANNELS], forces, energy;
    int steps;
} Errors;

static Errors measure(TestCtx *t, const TmlModel *model, const char *method, double tolerance)
{
    static const double place[] = {0.2, 0.5, 0.8, 1.0};
    enum { PLACES = sizeof place / sizeof place[0] };
    Errors e = {0};
    TmlError err = {0};
    double got[SMOOTH_CHANNELS] = {0}, want[SMOOTH_CHANNELS] = {0}, size[SMOOTH_CHANNELS] = {0};
    TmlSim *sim = rows_sim(t, model, method, tolerance, 0.5);
    TmlSim *reference = rows_sim(t, model, "radau", 1e-12, 0.5);
    while (sim != NULL && reference != NULL && tml_sim_time(sim) < 0.5) {
        const double from = tml_sim_time(sim);
        if (tml_sim_step(sim, &err) != TML_OK) {
            CHECK_OK(t, TML_E_STEP, &err);
            break;
        }
        e.steps++;
        for (int i = 0; i < PLACES; ++i) {
            const double at = from + place[i] * (tml_sim_time(sim) - from);
            values_at(t, sim, at, SMOOTH_CHANNELS, got);
            values_at(t, reference, at, SMOOTH_CHANNELS, want);
            double *to = i < PLACES - 1 ? e.inside : e.end;
            for (int k = 0; k < SMOOTH_CHANNELS; ++k) {
                to[k] = fmax(to[k], fabs(got[k] - want[k]));
                size[k] = fmax(size[k], fabs(want[k]));
            }
            e.forces = fmax(e.forces, tml_row_certificate(sim).forces);
            e.energy = fmax(e.energy, fabs(tml_row_certificate(sim).energy_error));
        }
    }
    for (int k = 0; k < SMOOTH_CHANNELS; ++k) {
        e.end[k] /= size[k];
        e.inside[k] /= size[k];
    }
    tml_sim_free(sim);
    tml_sim_free(reference);
    return e;
}

TEST(rows_have_the_order_of_the_method)
{
    TmlModel *model = smooth_model(t, "VX(link)");
    for (int m = 0; model != NULL && tml_integrator_types[m] != NULL; ++m) {
        const TmlIntegratorType *type = tml_integrator_types[m];
        const double loose = 1e-5, tight = 1e-8;
        t->name = type->info.name;
        const Errors a = measure(t, model, t->name, loose), b = measure(t, model, t->name, tight);
        double worst_end = 0.0, worst_inside = 0.0, loose_inside = 0.0;
        for (int k = 0; k < SMOOTH_CHANNELS; ++k) {
            if (study_verbose()) {
                printf("%-20s %d: %.1e %.1e (%d steps), %.1e %.1e (%d steps)\n", t->name, k,
                       a.end[k], a.inside[k], a.steps, b.end[k], b.inside[k], b.steps);
            }
            worst_end = fmax(worst_end, b.end[k]);
            worst_inside = fmax(worst_inside, b.inside[k]);
            loose_inside = fmax(loose_inside, a.inside[k]);
        }
        // an error per step of h^(p+1) is one of h^p in the end: 1000^(p/(p+1)), at least 100
        // from the order 2 on; half of it is left to step control
        CHECK(t, worst_inside <= loose_inside / 50.0);
        // no larger inside of steps than at their ends, but for the share of interpolation; the
        // floor is what the reference has; the dense output of order 7 of dop853 is coarser than its ends, but below the
        // tolerance of a step
        CHECK(t, worst_inside <= 3.0 * worst_end + (type->order > 6 ? 0.5 * tight : 1e-9));
        CHECK(t, a.forces <= 1e-9 && b.forces <= 1e-9);
        // energies are up to 25 J
        CHECK(t, b.energy <= 50.0 * (fmax(worst_end, worst_inside) + 1e-10));
        t->name = NULL;
    }
    tml_model_free(model);
}

/* Multipliers of index 3 jitter from step to step; a state that reads reactions has them in its
 * rate. */
TEST(states_of_reactions_between_steps)
{
    static const char *const method[] = {"hht", "generalized-alpha", "bdf-si2"};
    TmlModel *model = smooth_model(t, "load");
    for (size_t k = 0; model != NULL && k < sizeof method / sizeof method[0]; ++k) {
        t->name = method[k];
        const Errors e = measure(t, model, method[k], 1e-6);
        CHECK(t, e.inside[STATE] <= 2.0 * e.end[STATE]);
        t->name = NULL;
    }
    tml_model_free(model);
}

/* A motion that is known, with reactions that grow as t^2 and t^4. */
TEST(reactions_between_long_steps)
{
    TmlModel *model = study_model(
        t,
        "trammel: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {b: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {j: {type: translational, bodies: [b, ground], at: [0, 0, 0], axis: [1, 0, 1]}}\n"
        "outputs: {ty: reaction(j).ty, exact: 9.81*time^2/2*9.81/2}\n"
        "simulate: {end: 5, output_step: 0.37}\n");
    for (int m = 0; model != NULL && tml_integrator_types[m] != NULL; ++m) {
        TmlSimOptions o = tml_sim_options_default();
        Trace run;
        o.integrator = t->name = tml_integrator_types[m]->info.name;
        study_run(t, model, &o, &run);
        for (int k = 0; k < run.rows; ++k) {
            // positions are exact but for rounding and the Newton iteration
            CHECK_NEAR(t, fabs(trace_value(&run, k, 0)), trace_value(&run, k, 1), 1e-6);
        }
        trace_free(&run);
        t->name = NULL;
    }
    tml_model_free(model);
}

/* A stiff spring between two masses: 1e8 N/m, whose force the interpolation of positions would make
 * hundreds of newtons wrong. */
TEST(stiff_forces_between_steps)
{
    TmlModel *model = study_model(
        t,
        "trammel: 1\n"
        "bodies:\n"
        "  a: {type: point, mass: 1}\n"
        "  b: {type: point, mass: 1, position: [1, 0, 0]}\n"
        "joints:\n"
        "  ga: {type: point_on_line, bodies: [ground, a], at: [0, 0, 0], axis: x}\n"
        "  gb: {type: point_on_line, bodies: [ground, b], at: [1, 0, 0], axis: x}\n"
        "forces:\n"
        "  s: {type: spring, bodies: [a, b], points: [[0, 0, 0], [1, 0, 0]], stiffness: 1e8,\n"
        "      damping: 1e4, free_length: 1}\n"
        "  f: {type: force, body: b, fx: 10*sin(2*time)}\n"
        "outputs: {spring: '1e8*(DX(b, a) - 1) + 1e4*VX(b, a)', half: 5*sin(2*time), ax: ACCX(a)}\n"
        "simulate: {end: 3, output_step: 0.011}\n");
    for (int m = 0; model != NULL && tml_integrator_types[m] != NULL; ++m) {
        TmlSimOptions o = tml_sim_options_default();
        Trace run;
        o.integrator = t->name = tml_integrator_types[m]->info.name;
        if (strcmp(t->name, "adams") != 0) { // not for stiff models: thousands of steps a second
            study_run(t, model, &o, &run);
            for (int k = run.rows / 2; k < run.rows; ++k) {
                // half of the force each; default tolerances of 1e-9 to 1e-7 times 1e8 N/m would
                // be 0.1 to 10 N in positions, of which the methods damp all but a little
                CHECK_NEAR(t, trace_value(&run, k, 0), trace_value(&run, k, 1), 0.05);
                CHECK_NEAR(t, trace_value(&run, k, 2), trace_value(&run, k, 1), 0.05);
            }
            trace_free(&run);
        }
        t->name = NULL;
    }
    tml_model_free(model);
}

/* Redundant joints share the load by the smallest reactions, and flexible bodies carry some of it:
 * the certificate counts all of it. */
TEST(forces_balance_in_every_row)
{
    static const char *const files[] = {"models/flexible/four_bar.yaml",
                                        "models/closed_forms/n_four_bar.yaml",
                                        "models/cases/slider_crank_spring.yaml", "models/pid.yaml"};
    TmlModel *door = study_model(
        t, "trammel: 1\n"
           "gravity: [0, 0, -9.81]\n"
           "bodies: {door: {mass: 20, inertia: [3, 2, 1.2], position: [0.4, 0, 1],\n"
           "                angular_velocity: [0, 0, 2]}}\n"
           "joints:\n"
           "  low: {type: revolute, bodies: [ground, door], at: [0, 0, 0.2], axis: z}\n"
           "  high: {type: revolute, bodies: [ground, door], at: [0, 0, 1.8], axis: z}\n"
           "simulate: {end: 1}\n");
    for (size_t k = 0; k <= sizeof files / sizeof files[0]; ++k) {
        const bool own = k == sizeof files / sizeof files[0];
        TmlModel *model = own ? door : study_model(t, files[k]);
        TmlSimOptions o = tml_sim_options_default();
        o.end_time = 0.2;
        o.output_step = 0.0037;
        t->name = own ? "door" : files[k];
        TmlSim *sim = study_sim(t, model, &o);
        TmlError err = {0};
        if (sim != NULL) {
            CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
            // rounding of positions times the stiffness of what is flexible
            CHECK(t, tml_sim_stats(sim).max_row_forces <= 1e-5);
            CHECK_INT(t, tml_sim_stats(sim).rows_interpolated, 0);
        }
        t->name = NULL;
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* A shaft that a motion turns steadily, without weight: no force acts, and what rounding leaves of those that cancel is not
 * out of balance. */
TEST(rows_without_forces_are_in_balance)
{
    TmlModel *model =
        study_model(t, "trammel: 1\n"
                       "bodies: {shaft: {mass: 0.4, inertia: [4e-4, 4e-4, 8e-4], rotation: {axis: "
                       "z, angle: 33 deg},\n"
                       "                 angular_velocity: [0, 0, 6.283185307179586]}}\n"
                       "joints:\n"
                       "  pin: {type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: z}\n"
                       "  drive: {type: motion, joint: pin, function: 2*pi*time}\n"
                       "simulate: {end: 1, output_step: 0.013}\n");
    TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        // rounding of w x J w, 1e-16 of the kinetic energy, over 1e-6 of that
        CHECK(t, tml_sim_stats(sim).max_row_forces <= 1e-8);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- the account of work -------------------------------------------------------------------- */

static TmlCertificate last_certificate(TestCtx *t, const TmlModel *model, const char *method)
{
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = method;
    TmlSim *sim = study_sim(t, model, &o);
    TmlCertificate c = {0};
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        c = tml_row_certificate(sim);
    }
    tml_sim_free(sim);
    return c;
}

/* 0.2 N m on 1e-3 kg m^2 for a second: 200 rad/s, 20 J; long steps turn the rotor more than once.
 */
TEST(work_of_a_constant_torque)
{
    TmlModel *model =
        study_model(t, "trammel: 1\nbodies: {rotor: {mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}\n"
                       "joints: {axle: {type: revolute, frames: [ground, rotor]}}\n"
                       "forces: {m: {type: torque, body: rotor, tz: 0.2}}\n"
                       "simulate: {end: 1, output_step: 0.1}\n");
    static const char *const method[] = {"radau", "rosenbrock", "rosenbrock-w", "bdf-si2"};
    for (size_t k = 0; model != NULL && k < sizeof method / sizeof method[0]; ++k) {
        t->name = method[k];
        const TmlCertificate c = last_certificate(t, model, method[k]);
        // power is linear in time: the formulas are exact. bdf-si2 has its own error in the speed.
        CHECK_NEAR(t, c.energy_error, 0.0, k < 3 ? 1e-11 : 2e-6);
        CHECK_NEAR(t, c.work, 20.0, k < 3 ? 1e-10 : 1e-4);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* A mass moved by 0.1 m in a millisecond and stopped again: 11,250 J go in and come out. */
TEST(work_of_a_drive_through_a_step)
{
    TmlModel *model =
        study_model(t, "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                       "joints:\n"
                       "  g: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: x}\n"
                       "  m: {type: motion, joint: g, coordinate: displacement,\n"
                       "      function: 'step(time, 0.05, 0, 0.051, 0.1)'}\n"
                       "simulate: {end: 0.1, output_step: 0.01}\n");
    for (int m = 0; model != NULL && tml_integrator_types[m] != NULL; ++m) {
        t->name = tml_integrator_types[m]->info.name;
        const TmlCertificate c = last_certificate(t, model, t->name);
        // the tolerances (1e-9 to 1e-7) times what goes through, and some steps
        CHECK_NEAR(t, c.work, 0.0, 1e-5);
        t->name = NULL;
    }
    tml_model_free(model);
}

/* A damped pendulum on a spring. Steps of bdf-* are dense: their account asks for powers inside of steps where a run starts
 * only, at three points of each step; that of a step by radau is too long for its ends. */
TEST(work_by_the_ends_of_dense_steps)
{
    TmlModel *model = study_model(
        t, "trammel: 1\ngravity: [0, -9.81, 0]\n"
           "bodies: {rod: {mass: 2, inertia: [0.02, 0.1, 0.1], position: [0.5, 0, 0]}}\n"
           "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}}\n"
           "forces: {damper: {type: rotational_spring, joint: pin, stiffness: 5, damping: 0.3}}\n"
           "simulate: {end: 4, output_step: 0.001}\n");
    static const char *const method[] = {"bdf-i3", "bdf-si2", "radau"};
    for (size_t k = 0; model != NULL && k < sizeof method / sizeof method[0]; ++k) {
        TmlSimOptions o = tml_sim_options_default();
        TmlError err = {0};
        o.integrator = method[k];
        o.tolerance = 1e-9;
        TmlSim *sim = study_sim(t, model, &o);
        CHECK_OK(t, sim != NULL ? tml_sim_run(sim, NULL, NULL, &err) : TML_E_MODEL, &err);
        if (sim != NULL && study_verbose()) {
            printf("%s: %lld powers, %lld steps, balance %g J\n", method[k],
                   (long long)sim->account.asked, (long long)tml_sim_stats(sim).steps,
                   tml_sim_stats(sim).max_energy_error);
        }
        if (sim != NULL) {
            CHECK_INT(t, sim->account.asked < tml_sim_stats(sim).steps / 2, k < 2);
            // 10 J are about; a step may be off by 1e-9 of them, and errors of velocities add up over some hundred steps
            CHECK(t, tml_sim_stats(sim).max_energy_error < 1e-6);
            CHECK(t, tml_row_certificate(sim).dissipated > 4.0);
        }
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

/* A mass on a spring without damping, 10 rad/s. BDF with fixed steps of a fifth of a radian takes its energy away, and the
 * account must say so, wherever its powers come from; with steps of a thousandth it must not. */
TEST(energy_that_bdf_takes_away_is_told)
{
    TmlModel *model = study_model(
        t, "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1.2, 0, 0]}}\n"
           "joints: {g: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: x}}\n"
           "forces: {s: {type: spring, frames: [ground, b], stiffness: 100, free_length: 1}}\n"
           "simulate: {end: 20, output_step: 0.01}\n");
    static const char *const method[] = {"bdf-i3", "bdf-si2"};
    for (int k = 0; model != NULL && k < 4; ++k) {
        TmlSimOptions o = tml_sim_options_default();
        TmlError err = {0};
        o.integrator = method[k / 2];
        o.step = k % 2 == 0 ? 0.02 : 1e-3;
        o.n_options = 1;
        o.option_key = (const char *const[]){"max_order"};
        o.option_value = (const char *const[]){"2"};
        TmlSim *sim = study_sim(t, model, &o);
        CHECK_OK(t, sim != NULL ? tml_sim_run(sim, NULL, NULL, &err) : TML_E_MODEL, &err);
        if (sim != NULL) {
            CHECK_INT(t, tml_sim_stats(sim).unbalanced_rows > 0, k % 2 == 0);
        }
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

/* --- reading -------------------------------------------------------------------------------- */

static void count_warning(void *user, TmlLogLevel level, const char *text)
{
    int *n = user;
    *n += level == TML_LOG_WARNING && strstr(text, "without a row") != NULL;
}

TEST(reading_without_a_row)
{
    TmlError err = {0};
    int warnings = 0;
    TmlSimOptions o = tml_sim_options_default();
    o.hooks = (TmlHooks){.user = &warnings, .log = count_warning};
    TmlModel *model = smooth_model(t, "VX(link)");
    TmlSim *sim = study_sim(t, model, &o);
    if (sim == NULL) {
        tml_model_free(model);
        return;
    }
    CHECK(t, isnan(tml_row_channel(sim, 0)));
    CHECK(t, isnan(tml_row_reaction(sim, 0).force.x));
    CHECK_INT(t, warnings, 1);
    CHECK_INT(t, tml_sim_step(sim, &err), TML_E_ARGUMENT); // said once
    CHECK(t, strstr(err.message, "tml_row_channel was called without a row") != NULL);
    CHECK_OK(t, tml_sim_row_at(sim, 0.0, &err), &err);
    CHECK(t, fabs(tml_row_channel(sim, 0)) > 1.0);
    CHECK_OK(t, tml_sim_step(sim, &err), &err);
    CHECK(t, isnan(tml_row_body(sim, 1).position.x)); // the step has taken the row away
    CHECK_INT(t, tml_sim_row_status(sim, &err), TML_E_ARGUMENT);
    const double end = tml_sim_time(sim);
    CHECK_INT(t, tml_sim_row_at(sim, 1.5 * end, &err), TML_E_ARGUMENT);
    CHECK(t, strstr(err.message, "the last step went from") != NULL);
    CHECK_OK(t, tml_sim_row_at(sim, end, &err), &err);
    CHECK_OK(t, tml_sim_row_status(sim, &err), &err);
    CHECK_NEAR(t, tml_row_time(sim), end, 0.0);
    // a drive that holds to rounding
    CHECK_NEAR(t, tml_row_body(sim, 1).position.x, 0.5 * cos(0.8 * sin(3.0 * end)), 1e-14);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* The square of a length that does not change is a zero with rounding, and so is the rate of a state
 * that reads it. Such a rate does not make rows stiff, whose reactions would be those of a line. */
TEST(states_of_rounding_leave_rows_as_they_are)
{
    TmlModel *m = study_model(
        t, "trammel: 1\ngravity: [0, 0, -9.81]\n"
           "bodies: {bob: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [0.5, 0, 0]}}\n"
           "joints: {pin: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: y}}\n"
           "states: {s: {rate: DX(bob)^2 + DZ(bob)^2 - 0.25 - 0.14*s}}\n"
           "outputs: {f: reaction(pin).fm}\n");
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlSimOptions o = study_options(0.3, 0.0075, NULL);
        Trace run;
        t->name = tml_integrator_name(k);
        o.integrator = t->name;
        o.tolerance = 1e-9;
        if (study_run(t, m, &o, &run)) {
            CHECK_INT(t, run.stats.rows_interpolated, 0);
            trace_free(&run);
        }
    }
    t->name = NULL;
    tml_model_free(m);
}

/* The velocity between two bodies that are welded is rounding of the iteration, larger than that of
 * numbers: a filter of it does not make rows stiff as long as the filter itself does not feel it. */
TEST(filters_of_rounding_leave_rows_as_they_are)
{
    TmlModel *m = study_model(
        t, "trammel: 1\ngravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  a: {mass: 4, inertia: [0.02, 0.01, 0.02], position: [0.5, 0, 0],\n"
           "      velocity: [0, 0.6, 0], angular_velocity: [-1.3, 0.4, 1.2]}\n"
           "  b: {mass: 2, inertia: [0.02, 0.01, 0.01], position: [1, 0.2, 0.1]}\n"
           "joints:\n"
           "  pin: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
           "  weld: {type: fixed, bodies: [a, b], at: [0.7, 0.1, 0]}\n"
           "systems: {s: {inputs: 'VZ(a, b, b, b)', numerator: [1], denominator: [1, 0.15]}}\n");
    TmlSimOptions o = study_options(0.2, 0.005, NULL);
    Trace run;
    o.integrator = "bdf-si2";
    o.tolerance = 1e-7;
    if (study_run(t, m, &o, &run)) {
        CHECK_INT(t, run.stats.rows_interpolated, 0);
        trace_free(&run);
    }
    tml_model_free(m);
}

/* Bodies of next to no mass on dampers lose their speed within 1e-14 s, which positions do not see: the power is rough within
 * the first steps. Of many bodies the account of work stops looking closer, and says so; of one it need not. */
TEST(work_that_is_not_followed_is_counted)
{
    for (int many = 0; many < 2; ++many) {
        char text[512];
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "bodies:\n"
                 "  for i in 1..%d:\n"
                 "    \"b{i}\": {mass: 1e-14, inertia: [1, 1, 1], velocity: [1, 0, 0]}\n"
                 "forces:\n"
                 "  for i in 1..%d:\n"
                 "    \"d{i}\": {type: force, body: \"b{i}\", fx: \"-5*VX(b{i})\"}\n",
                 many ? 400 : 1, many ? 400 : 1);
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(1e-6, 1e-6, NULL);
        TmlError err = {0};
        bool told = false;
        o.integrator = "hht";
        TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
        CHECK_OK(t, sim != NULL ? tml_sim_run(sim, NULL, NULL, &err) : TML_E_MODEL, &err);
        for (int i = 0; sim != NULL && i < tml_sim_note_count(sim); ++i) {
            told = told || strstr(tml_sim_note(sim, i), "energy balance is incomplete") != NULL;
        }
        CHECK_INT(t, told, many);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

TEST_SUITE(rows) = {
    CASE(work_that_is_not_followed_is_counted),
    CASE(rows_have_the_order_of_the_method),
    CASE(states_of_reactions_between_steps),
    CASE(reactions_between_long_steps),
    CASE(stiff_forces_between_steps),
    CASE(forces_balance_in_every_row),
    CASE(rows_without_forces_are_in_balance),
    CASE(work_of_a_constant_torque),
    CASE(work_of_a_drive_through_a_step),
    CASE(work_by_the_ends_of_dense_steps),
    CASE(energy_that_bdf_takes_away_is_told),
    CASE(reading_without_a_row),
    CASE(states_of_rounding_leave_rows_as_they_are),
    CASE(filters_of_rounding_leave_rows_as_they_are),
    {0},
};
