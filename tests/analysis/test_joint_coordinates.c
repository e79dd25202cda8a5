/* tests/analysis/test_joint_coordinates.c - whole runs of explicit methods in joint coordinates against those in coordinates of
 * bodies, and of radau: rows with reactions, orders, where runs are cut in two, work, and what is said of the choice.
 */
#include "mechanisms.h"
#include "study.h"

static TmlSimOptions in_joints(const char *method, const OneOption *coordinates, double end,
                               double tolerance)
{
    TmlSimOptions o = study_options(end, end / 10.0, coordinates);
    o.integrator = method;
    o.tolerance = tolerance;
    return o;
}

static const OneOption recursive = {"coordinates", "recursive"};
static const OneOption absolute = {"coordinates", "absolute"};

/* Trees and loops, redundant rows, couplers, motions, rolling, states, delays, time. */
static const struct {
    const char *text;
    double end;
} cases[] = {
    {four_bar, 1},
    {"models/closed_forms/four_bar.yaml", 0.5},
    {"models/closed_forms/free_rotation.yaml", 1},
    {"models/closed_forms/steady_top.yaml", 0.5},
    {"models/closed_forms/rolling_disc.yaml", 0.5},
    {"models/closed_forms/chain_spherical.yaml", 0.3},
    {"models/cases/andrews.yaml", 0.01},
    {"models/cases/slider_crank_spring.yaml", 0.5},
    {"models/cases/iftomm_a04_bricard.yaml", 1},
    {"models/cases/revolute_spherical_1.yaml", 0.5},
    {"models/cases/universal_1.yaml", 0.5},
    {"models/elements/gear.yaml", 0.3},
    {"models/elements/screw.yaml", 0.3},
    {"models/elements/planar.yaml", 0.3},
    {"models/elements/motion.yaml", 0.3},
    {"models/elements/angle_motion.yaml", 0.3},
    {"models/elements/point_on_line.yaml", 0.3},
    {"models/elements/rolling_disc.yaml", 0.3},
    {"models/studies/tumbling_disc.yaml", 0.3},
    {"models/studies/driven_crank.yaml", 0.3},
};

/* Keeps the row itself, accelerations in the place of channels. */
static TmlStatus keep_row(void *user, const TmlSim *sim, TmlError *err)
{
    Trace *trace = user;
    const int nq = tml_dims(sim->sys)->nq;
    (void)err;
    trace_add(trace, POSITION, nq, sim->row.q);
    trace_add(trace, VELOCITY, nq, sim->row.v);
    trace_add(trace, CHANNEL, nq, sim->row.a);
    for (int k = 0; k < sim->model->constraints.n; ++k) {
        const TmlReaction r = tml_row_reaction(sim, k);
        const double x[6] = {r.force.x, r.force.y, r.force.z, r.torque.x, r.torque.y, r.torque.z};
        trace_add(trace, REACTION, 6, x);
    }
    trace->rows++;
    return TML_OK;
}

static bool rows_of(TestCtx *t, const TmlModel *model, const TmlSimOptions *o, Trace *out)
{
    TmlError err = {0};
    TmlSim *sim = study_sim(t, model, o);
    *out = (Trace){0};
    const TmlStatus status = sim != NULL ? tml_sim_run(sim, keep_row, out, &err) : TML_E_MODEL;
    CHECK_OK(t, status, &err);
    out->stats = sim != NULL ? tml_sim_stats(sim) : out->stats;
    tml_sim_free(sim);
    return status == TML_OK;
}

/* With TRAMMEL_TABLES: what two runs of a model differ by, and their steps. */
static void print_both(const char *name, const Trace *joints, const Trace *bodies)
{
    if (study_verbose()) {
        printf("%-45.45s %.1e %.1e %.1e %.1e  steps %lld %lld\n", name,
               trace_error(joints, bodies, POSITION), trace_error(joints, bodies, VELOCITY),
               trace_error(joints, bodies, CHANNEL), trace_error(joints, bodies, REACTION),
               (long long)joints->stats.steps, (long long)bodies->stats.steps);
    }
}

TEST(rows_are_those_of_coordinates_of_bodies)
{
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        TmlModel *model = study_model(t, cases[k].text);
        const TmlSimOptions a = in_joints("dop853", &recursive, cases[k].end, 1e-12);
        const TmlSimOptions b = in_joints("dop853", &absolute, cases[k].end, 1e-12);
        Trace joints, bodies;
        t->name = strncmp(cases[k].text, "models/", 7) == 0 ? cases[k].text : "four-bar in space";
        if (rows_of(t, model, &a, &joints) && rows_of(t, model, &b, &bodies)) {
            CHECK(t, joints.stats.residuals >= joints.stats.iterations); // each stage is one
            // errors of both at this tolerance, which add up over a few dozen steps
            const double off = 1e-9;
            CHECK_NEAR(t, trace_error(&joints, &bodies, POSITION), 0.0, off);
            CHECK_NEAR(t, trace_error(&joints, &bodies, VELOCITY), 0.0, 10.0 * off);
            // accelerations and reactions follow the motion with the slope of forces by positions
            CHECK_NEAR(t, trace_error(&joints, &bodies, CHANNEL), 0.0, 100.0 * off);
            if (model->constraints.n > 0) {
                CHECK_NEAR(t, trace_error(&joints, &bodies, REACTION), 0.0, 100.0 * off);
            }
            print_both(cases[k].text, &joints, &bodies);
        }
        trace_free(&joints);
        trace_free(&bodies);
        tml_model_free(model);
    }
    t->name = NULL;
}

/* dop853 has its order 8 in joint coordinates: errors at fixed steps, of a tree on balls and of a loop, with stages off the loop and on it
 * (X6). */
TEST(the_order_stays)
{
    enum { RUNS = 3 };
    static const struct {
        const char *text;
        double end;
        double tolerance;
        int steps[RUNS];
    } of[] = {{ball_pendulum, 1.0, 1e-14, {16, 24, 32}},
              {four_bar, 0.5, 1e-6, {12, 18, 24}},
              {four_bar, 0.5, 1e-14, {12, 18, 24}}};
    for (int k = 0; k < 3; ++k) {
        TmlModel *model = study_model(t, of[k].text);
        TmlSimOptions o = in_joints("dop853", &recursive, of[k].end, 1e-14);
        Trace exact;
        double h[RUNS], error[RUNS];
        rows_of(t, model, &o, &exact);
        for (int i = 0; i < RUNS; ++i) {
            Trace run;
            o.tolerance = of[k].tolerance;
            o.step = h[i] = of[k].end / of[k].steps[i];
            o.output_step = of[k].end / 2.0;
            rows_of(t, model, &o, &run);
            const int n = run.n[POSITION] / 3;
            error[i] = 0.0;
            for (int j = 0; j < n; ++j) {
                const double want = exact.x[POSITION][10 * n + j];
                error[i] = fmax(error[i], fabs(run.x[POSITION][2 * n + j] - want));
            }
            trace_free(&run);
        }
        const double slope = study_slope(RUNS, h, error);
        if (study_verbose()) {
            printf("slope %.2f, errors %.1e to %.1e\n", slope, error[0], error[RUNS - 1]);
        }
        // 8 or 9, while terms of the next orders are still seen; they are larger than the first with closed stages
        CHECK(t, slope > 7.0 && slope < (k == 2 ? 14.0 : 11.0));
        trace_free(&exact);
        tml_model_free(model);
    }
}

/* A run that goes on from another one, at a time inside of its motion, is as one. */
TEST(a_run_in_two_pieces_is_as_one)
{
    TmlModel *model = study_model(t, four_bar);
    TmlSimOptions o = in_joints("dop853", &recursive, 1.0, 1e-12);
    Trace whole, piece = {0};
    TmlError err = {0};
    rows_of(t, model, &o, &whole);
    o.end_time = 0.4;
    TmlSim *first = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(first, NULL, NULL, &err), &err);
    o.end_time = 1.0;
    o.from = first;
    TmlSim *second = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(second, keep_row, &piece, &err), &err);
    const int n = whole.n[POSITION] / whole.rows;
    for (int k = 0; k < n; ++k) {
        const double want = whole.x[POSITION][(whole.rows - 1) * n + k];
        // errors of some twenty steps at this tolerance
        CHECK_NEAR(t, piece.x[POSITION][(piece.rows - 1) * n + k], want, 1e-9);
    }
    tml_sim_free(first);
    tml_sim_free(second);
    trace_free(&whole);
    trace_free(&piece);
    tml_model_free(model);
}

/* Rows between the ends of loose steps are on the loops: the polynomial of the method alone leaves them by its error. */
TEST(rows_of_loose_steps_are_on_the_loops)
{
    static const char *const methods[] = {"dop853", "adams"};
    TmlModel *model = study_model(t, four_bar);
    for (int k = 0; k < 2; ++k) {
        TmlSimOptions o = in_joints(methods[k], &recursive, 1.0, 1e-4);
        o.output_step = 0.01;
        Trace rows;
        t->name = methods[k];
        if (rows_of(t, model, &o, &rows)) {
            // rounding of positions, and of speeds, of the size of the mechanism: 1e-16 times a few links
            CHECK_NEAR(t, rows.stats.max_row_phi, 0.0, 1e-13);
            CHECK_NEAR(t, rows.stats.max_row_phi_dot, 0.0, 1e-12);
            CHECK(t, rows.stats.steps < 100); // so that most rows lie inside of steps
        }
        trace_free(&rows);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* --- radau -------------------------------------------------------------------------------------- */

/* A slide and pins; springs and dampers about pins from either side, and between bodies; a table. */
static const char *const crane =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  cart: {mass: 3, inertia: [1, 1, 1], position: [0, 0, 0], velocity: [1, 0, 0]}\n"
    "  arm: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0], velocity: [1, 0, 0]}\n"
    "  load: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, -0.5, 0.1], velocity: [1, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: translational, bodies: [ground, cart], at: [0, 0, 0], axis: x}\n"
    "  elbow: {type: revolute, bodies: [arm, cart], at: [0, 0, 0], axis: z}\n"
    "  hook: {type: revolute, bodies: [arm, load], at: [1, 0, 0], axis: [0.2, 0, 1]}\n"
    "forces:\n"
    "  coil: {type: rotational_spring, joint: elbow, stiffness: 200, damping: 0.5, "
    "free_angle: 0.4}\n"
    "  oil: {type: rotational_spring, joint: hook, stiffness: 5, damping: 0.2}\n"
    "  rope: {type: spring, bodies: [ground, load], points: [[0, 1, 0], [1, -0.5, 0.1]], "
    "stiffness: 400, damping: 3}\n"
    "simulate: {end: 1, output_step: 0.1}\n";

/* The same with a drive by expressions: states, variables, a function of time that jumps. */
static const char *const driven =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0]}\n"
    "  load: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, -0.5, 0]}\n"
    "joints:\n"
    "  elbow: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: z}\n"
    "  hook: {type: revolute, bodies: [arm, load], at: [1, 0, 0], axis: z}\n"
    "variables: {wanted: {value: 'if(time < 0.15, 0.1, 0.3)'}, off: {value: wanted - "
    "angle(elbow)}}\n"
    "states: {sum: {rate: off, initial: 0}, lag: {rate: (angle(hook) - lag)*200, initial: 0}}\n"
    "forces: {motor: {type: torque, bodies: [ground, arm], at: [0, 0, 0], tz: '-400*off - 300*sum "
    "- lag + "
    "30*angular_velocity(elbow)'}}\n"
    "simulate: {end: 1, output_step: 0.1}\n";

static const char *const trees[] = {crane,
                                    driven,
                                    "models/double_pendulum.yaml",
                                    "models/closed_forms/chain_revolute.yaml",
                                    "models/elements/rotational_spring.yaml",
                                    "models/elements/translational.yaml",
                                    "models/closed_forms/free_rotation.yaml",
                                    "models/closed_forms/steady_top.yaml",
                                    "models/closed_forms/chain_spherical.yaml",
                                    "models/elements/bushing.yaml",
                                    "models/cases/revolute_spherical_1.yaml",
                                    "models/cases/universal_1.yaml",
                                    four_bar,
                                    "models/closed_forms/four_bar.yaml",
                                    "models/cases/andrews.yaml",
                                    "models/cases/slider_crank_spring.yaml",
                                    "models/cases/iftomm_a04_bricard.yaml",
                                    "models/elements/gear.yaml",
                                    "models/elements/screw.yaml",
                                    "models/elements/motion.yaml",
                                    "models/elements/angle_motion.yaml",
                                    "models/elements/rolling_disc.yaml",
                                    "models/studies/tumbling_disc.yaml",
                                    "models/studies/driven_crank.yaml"};

TEST(radau_has_the_rows_of_coordinates_of_bodies)
{
    for (size_t k = 0; k < sizeof trees / sizeof trees[0]; ++k) {
        TmlModel *model = study_model(t, trees[k]);
        // the squeezer's motion takes 15 ms and has thousands of steps at this tolerance
        const double end = strstr(trees[k], "andrews") != NULL ? 0.003 : 0.3;
        const TmlSimOptions a = in_joints("radau", &recursive, end, 1e-12);
        const TmlSimOptions b = in_joints("radau", &absolute, end, 1e-12);
        Trace joints, bodies;
        t->name = k == 0                 ? "crane"
                  : k == 1               ? "driven"
                  : trees[k] == four_bar ? "four-bar in space"
                                         : trees[k];
        if (rows_of(t, model, &a, &joints) && rows_of(t, model, &b, &bodies)) {
            CHECK(t, joints.stats.residuals >= 3 * joints.stats.iterations); // of three stages
            CHECK(t, joints.stats.jacobians > 0);
            // errors of both at this tolerance over some hundred steps; accelerations by the slopes of stiff forces
            const double off = 1e-9;
            CHECK_NEAR(t, trace_error(&joints, &bodies, POSITION), 0.0, off);
            CHECK_NEAR(t, trace_error(&joints, &bodies, VELOCITY), 0.0, 10.0 * off);
            CHECK_NEAR(t, trace_error(&joints, &bodies, CHANNEL), 0.0, 1000.0 * off);
            if (model->constraints.n > 0) {
                CHECK_NEAR(t, trace_error(&joints, &bodies, REACTION), 0.0, 1000.0 * off);
            }
            print_both(t->name, &joints, &bodies);
        }
        trace_free(&joints);
        trace_free(&bodies);
        tml_model_free(model);
    }
    t->name = NULL;
}

/* Slopes of errors of positions, and of the account of work, over three fixed steps. */
static double order_of(TestCtx *t, const char *text, const char *method, const int steps[3],
                       double *of_work)
{
    enum { RUNS = 3 };
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = in_joints("radau", &recursive, 1.0, 1e-13);
    Trace exact;
    double h[RUNS], error[RUNS], work[RUNS];
    rows_of(t, model, &o, &exact);
    o.integrator = method;
    for (int i = 0; i < RUNS; ++i) {
        Trace run;
        o.step = h[i] = 1.0 / steps[i];
        o.output_step = 0.5;
        rows_of(t, model, &o, &run);
        const int n = run.n[POSITION] / 3;
        error[i] = 0.0;
        for (int j = 0; j < 2 * n; ++j) { // at 0.5 and 1 s
            const double want = exact.x[POSITION][(j < n ? 5 : 9) * n + j];
            error[i] = fmax(error[i], fabs(run.x[POSITION][n + j] - want));
        }
        work[i] = run.stats.max_energy_error;
        trace_free(&run);
    }
    const double slope = study_slope(RUNS, h, error);
    *of_work = study_slope(RUNS, h, work);
    if (study_verbose()) {
        printf("%s: slopes %.2f, %.2f, errors %.1e to %.1e\n", method, slope, *of_work, error[0],
               error[RUNS - 1]);
    }
    trace_free(&exact);
    tml_model_free(model);
    return slope;
}

/* Errors of positions fall with the order 5, of trees with pins and with balls and of a loop, and the account of work closes with it. */
TEST(radau_keeps_its_order)
{
    static const struct {
        const char *text;
        bool works;
        int steps[3];
    } of[] = {{crane, true, {64, 96, 128}},
              {ball_pendulum, false, {32, 48, 64}},
              {four_bar, false, {160, 240, 320}}};
    for (int m = 0; m < 3; ++m) {
        double of_work;
        const double slope = order_of(t, of[m].text, "radau", of[m].steps, &of_work);
        CHECK(t, slope > 4.5 && slope < 6.0);    // 5, while terms of the next order are still seen
        CHECK(t, !of[m].works || of_work > 4.0); // at least as good, in sums of both signs
    }
}

/* The same of the linearly implicit methods, of order 4 and, with matrices that are kept, 2. */
TEST(linearly_implicit_methods_keep_their_orders)
{
    static const char *const text[] = {crane, ball_pendulum, four_bar};
    static const int steps[2][3] = {{256, 384, 512}, {512, 768, 1024}};
    for (int m = 0; m < 3; ++m) {
        double of_work;
        const double fourth = order_of(t, text[m], "rosenbrock", steps[0], &of_work);
        const double second = order_of(t, text[m], "rosenbrock-w", steps[1], &of_work);
        // terms of the next order are still seen
        CHECK_NEAR(t, fourth, 4.0, 0.5);
        CHECK_NEAR(t, second, 2.0, 0.4);
    }
}

/* At a tolerance they end where coordinates of bodies do: errors of the tolerance, which add up over some hundred steps of order 4 and up to
 * some ten thousand of order 2. */
TEST(linearly_implicit_methods_end_where_bodies_do)
{
    static const struct {
        const char *method;
        double tolerance, off;
    } of[] = {{"rosenbrock", 1e-8, 1e-6}, {"rosenbrock-w", 1e-7, 1e-3}};
    for (size_t k = 0; k < sizeof trees / sizeof trees[0]; ++k) {
        TmlModel *model = study_model(t, trees[k]);
        const double end = strstr(trees[k], "andrews") != NULL ? 0.003 : 0.3;
        for (int m = 0; m < 2; ++m) {
            const TmlSimOptions a = in_joints(of[m].method, &recursive, end, of[m].tolerance);
            const TmlSimOptions b = in_joints("radau", &absolute, end, 1e-11);
            Trace joints, bodies;
            t->name = strncmp(trees[k], "models/", 7) == 0 ? trees[k] : NULL;
            if (rows_of(t, model, &a, &joints) && rows_of(t, model, &b, &bodies)) {
                CHECK_NEAR(t, trace_error(&joints, &bodies, POSITION), 0.0, of[m].off);
                print_both(trees[k], &joints, &bodies);
            }
            trace_free(&joints);
            trace_free(&bodies);
        }
        tml_model_free(model);
    }
    t->name = NULL;
}

/* The pendulum of closed_forms and a tree that goes on from another run, turns that are counted, and rows inside of steps. */
TEST(radau_goes_on_and_counts_turns)
{
    static const char *const wheel =
        "trammel: 1\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 40]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
        "forces: {brake: {type: rotational_spring, joint: pin, stiffness: 0.5, damping: 0.25}}\n"
        "outputs: {turned: angle(pin)}\n"
        "simulate: {end: 1, output_step: 0.1}\n";
    TmlModel *model = study_model(t, wheel);
    TmlSimOptions o = in_joints("radau", &recursive, 1.0, 1e-10);
    TmlError err = {0};
    o.end_time = 0.45;
    TmlSim *first = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(first, NULL, NULL, &err), &err);
    o.end_time = 1.0;
    o.from = first;
    TmlSim *second = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(second, NULL, NULL, &err), &err);
    // J a'' + c a' + k a = 0: a = v e^(-c t / 2) sin(w t) / w, some 27 rad at the end
    const double w = sqrt(0.5 - 0.25 * 0.25 / 4.0), want = 40.0 * exp(-0.125) * sin(w) / w;
    // ten digits are asked for, of a turn
    CHECK_NEAR(t, tml_row_channel(second, 0), want, 1e-7);
    CHECK_HAS(t, tml_sim_coordinates(second), "of joints: 1, a tree");
    CHECK(t, tml_row_certificate(second).energy_error < 1e-6); // of 800 J, at 1e-10
    tml_sim_free(first);
    tml_sim_free(second);
    tml_model_free(model);
}

/* A rotor on a stiff spring that is driven slowly: linear, with constant matrices. */
static const char *const stiff_rotor =
    "trammel: 1\n"
    "bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
    "forces:\n"
    "  coil: {type: rotational_spring, joint: pin, stiffness: 4e4, damping: 4}\n"
    "  motor: {type: torque, body: rotor, tz: 'sin(3*time)*4e4'}\n"
    "simulate: {end: 2, output_step: 0.5}\n";

/* The real and the complex factors are those of the matrices: an iteration with exact factors solves linear equations at once, and a
 * second one sees that nothing is left. The step of 0.05 s is ten times 1 / w. */
TEST(linear_equations_take_two_iterations)
{
    TmlModel *model = study_model(t, stiff_rotor);
    TmlSimOptions o = in_joints("radau", &recursive, 2.0, 1e-8);
    Trace run;
    o.step = 0.05;
    if (rows_of(t, model, &o, &run)) {
        CHECK(t, run.stats.steps == 40 && run.stats.rejected == 0);
        CHECK(t, run.stats.iterations <= 2 * run.stats.steps);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* Links pass on what their own equations leave: the moment of a ball is zero by its equations, and stays behind. Passed on, it adds the
 * rounding of each rod to all before it, where the inertia of a thin rod about its axis is small, and iterations fail. */
TEST(thin_rods_on_balls_lose_no_iterations)
{
    TmlModel *model = study_model(t, "models/closed_forms/chain_spherical.yaml");
    const TmlSimOptions o = in_joints("radau", &recursive, 0.2, 1e-5);
    Trace run;
    if (rows_of(t, model, &o, &run)) {
        CHECK(t, run.stats.steps <
                     60); // 26; 379, with 166 more that failed, where moments are passed on
        CHECK(t, run.stats.rejected == 0);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* Both kinds of coordinates have the same error estimate for a rotor about its centre, (R6) with (R7): so they take the same steps, and
 * their rows differ by rounding alone. Other steps would show in rows by the errors at this tolerance, some 1e-9. Of a stiff rotor, and
 * of one whose swings are followed, where both terms of the bracket of (R6) are of one size. */
TEST(errors_are_filtered_alike)
{
    static const char *const swings =
        "trammel: 1\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 5]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
        "forces: {coil: {type: rotational_spring, joint: pin, stiffness: 100, damping: 0.1}}\n"
        "simulate: {end: 2, output_step: 0.5}\n";
    const char *const texts[] = {stiff_rotor, swings};
    for (int k = 0; k < 2; ++k) {
        TmlModel *model = study_model(t, texts[k]);
        const TmlSimOptions a = in_joints("radau", &recursive, 2.0, 1e-7);
        const TmlSimOptions b = in_joints("radau", &absolute, 2.0, 1e-7);
        Trace joints, bodies;
        if (rows_of(t, model, &a, &joints) && rows_of(t, model, &b, &bodies)) {
            print_both(k == 0 ? "stiff rotor" : "swings", &joints, &bodies);
            CHECK_INT(t, joints.stats.steps, bodies.stats.steps);
            // rounding of two thousand steps: measured 6e-15
            CHECK_NEAR(t, trace_error(&joints, &bodies, POSITION), 0.0, 1e-12);
        }
        trace_free(&joints);
        trace_free(&bodies);
        tml_model_free(model);
    }
}

/* A free rotor has no error at all in its joint coordinate, but steps must not lose count of its turns: at 1.5 rad a step, to which an
 * error of one is given, 40 rad/s take more than 26 steps a second. */
TEST(no_step_loses_count_of_turns)
{
    static const char *const free_rotor =
        "trammel: 1\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 40]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
        "simulate: {end: 10, output_step: 10}\n";
    TmlModel *model = study_model(t, free_rotor);
    TmlSimOptions o = in_joints("radau", &recursive, 10.0, 1e-6);
    Trace run;
    o.output_step = 10.0;
    if (rows_of(t, model, &o, &run)) {
        // rounding of the step size
        CHECK(t, run.stats.h_max <= 1.5 / 40.0 * (1.0 + 1e-9) && run.stats.steps >= 266);
    }
    trace_free(&run);
    tml_model_free(model);
}

static void check_said_by(TestCtx *t, const char *method, const char *text, const OneOption *option,
                          double tolerance, const char *said);

TEST(radau_tells_its_choice)
{
    const double usual = (double)NAN;
    check_said_by(t, "radau", crane, NULL, usual, "of joints: 3, a tree");
    check_said_by(t, "radau", crane, &absolute, usual, "of bodies: as asked for");
    check_said_by(t, "radau", four_bar, NULL, usual, "of joints: 3, less 2 rows that close loops");
    check_said_by(t, "radau", ball_pendulum, NULL, usual, "of joints: 3, a tree");
    check_said_by(t, "radau", "models/elements/friction.yaml", NULL, usual, "of bodies: ");
    static const char stop[] =
        "trammel: 1\n"
        "bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {rail: {type: translational, bodies: [ground, cart], at: [0, 0, 0], axis: x}}\n"
        "forces: {f: {type: force, body: cart, fx: '1 - 1e4*max(0, DX(cart))'}}\n"
        "simulate: {end: 1, output_step: 0.1}\n";
    TmlModel *model = study_model(t, stop);
    const TmlSimOptions o = in_joints("radau", &recursive, 1.0, usual);
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_INT(t, tml_sim_create(model, &o, &sim, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "a force is not smooth (friction or a switch); use coordinates=auto");
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- what is said ------------------------------------------------------------------------------- */

static void check_said(TestCtx *t, const char *text, const OneOption *option, double tolerance,
                       const char *said)
{
    check_said_by(t, "dop853", text, option, tolerance, said);
}

static void check_said_by(TestCtx *t, const char *method, const char *text, const OneOption *option,
                          double tolerance, const char *said)
{
    TmlModel *model = study_model(t, text);
    const TmlSimOptions o = in_joints(method, option, 1.0, tolerance);
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        CHECK_HAS(t, tml_sim_coordinates(sim), said);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(the_choice_is_told_with_its_reason)
{
    // tolerances to run with, no limits: below 1e-9, loops are left to coordinates of bodies
    static const double tight = 1e-10, loose = 1e-6;
    check_said(t, "models/closed_forms/chain_revolute.yaml", NULL, (double)NAN,
               "of joints: 10, a tree");
    check_said(t, four_bar, NULL, tight, "of bodies: it has loops");
    check_said(t, four_bar, NULL, loose, "rows that close loops");
    check_said(t, four_bar, &absolute, loose, "of bodies: as asked for");
    check_said(t, "models/elements/friction.yaml", NULL, (double)NAN,
               "of bodies: a force or variable reads accelerations or reactions");
    check_said(t, "models/flexible/cable.yaml", NULL, (double)NAN, "of bodies: bodies deform");
    // asked for where the model does not allow it
    TmlModel *model = study_model(t, "models/elements/friction.yaml");
    const TmlSimOptions o = in_joints("dop853", &recursive, 1.0, (double)NAN);
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_INT(t, tml_sim_create(model, &o, &sim, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "reads accelerations or reactions; use coordinates=auto");
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(joint_coordinates) = {CASE(rows_are_those_of_coordinates_of_bodies),
                                 CASE(the_order_stays),
                                 CASE(a_run_in_two_pieces_is_as_one),
                                 CASE(rows_of_loose_steps_are_on_the_loops),
                                 CASE(the_choice_is_told_with_its_reason),
                                 CASE(radau_has_the_rows_of_coordinates_of_bodies),
                                 CASE(radau_keeps_its_order),
                                 CASE(linearly_implicit_methods_keep_their_orders),
                                 CASE(linearly_implicit_methods_end_where_bodies_do),
                                 CASE(radau_goes_on_and_counts_turns),
                                 CASE(linear_equations_take_two_iterations),
                                 CASE(thin_rods_on_balls_lose_no_iterations),
                                 CASE(errors_are_filtered_alike),
                                 CASE(no_step_loses_count_of_turns),
                                 CASE(radau_tells_its_choice),
                                 {0}};
