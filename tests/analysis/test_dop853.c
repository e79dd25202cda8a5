/* tests/analysis/test_dop853.c - coefficients, orders, dense output, work, stability and turns of `dop853`. */
#include "analysis/integrator/dop853/dop853.h"
#include "analysis/integrator/dop853/dop853_tables.h"
#include "mechanisms.h"
#include "study.h"

/* By the coordinates of bodies, which are projected onto the constraints. */
static TmlSimOptions projected(TmlSimOptions o)
{
    static const char *const key[] = {"coordinates"}, *const value[] = {"absolute"};
    o.n_options = 1;
    o.option_key = key;
    o.option_value = value;
    return o;
}

static TmlSimOptions dop853(double end, double output_step, double tolerance)
{
    TmlSimOptions o = study_options(end, output_step, NULL);
    o.integrator = "dop853";
    o.tolerance = tolerance;
    return o;
}

/* --- coefficients ---------------------------------------------------------------------------- */

/* Coefficients have 30 digits; sums of up to 43 times numbers of size one are rounded to this. */
static const double rounded = 1e-13;

/* x <- A x over the stages */
static void apply(double x[DOP853_STAGES])
{
    double y[DOP853_STAGES] = {0};
    for (int i = 0; i < DOP853_STAGES; ++i) {
        for (int j = 0; j < i; ++j) {
            y[i] += dop853_a[i][j] * x[j];
        }
    }
    memcpy(x, y, sizeof y);
}

static double weighted(const double *b, int l, const double x[DOP853_STAGES])
{
    double sum = 0.0;
    for (int i = 0; i < DOP853_STAGES; ++i) {
        sum += b[i] * pow(dop853_c[i], l) * x[i];
    }
    return sum;
}

/* b.(c^l A^m c^(k-1)) = (k-1)! / (k+m-1)! / (k+m+l): order conditions of all trees of this kind up to `order`. */
static double off_by(const double *b, int order)
{
    double worst = 0.0;
    for (int k = 1; k <= order; ++k) {
        double x[DOP853_STAGES], factor = 1.0;
        for (int i = 0; i < DOP853_STAGES; ++i) {
            x[i] = pow(dop853_c[i], k - 1);
        }
        for (int m = 0; k + m <= order; ++m) {
            for (int l = 0; k + m + l <= order; ++l) {
                worst = fmax(worst, fabs(weighted(b, l, x) - factor / (k + m + l)));
            }
            apply(x);
            factor /= k + m;
        }
    }
    return worst;
}

TEST(coefficients_meet_their_conditions)
{
    double fifth[DOP853_STAGES];
    for (int i = 1; i < DOP853_ALL; ++i) {
        double sum = 0.0;
        for (int j = 0; j < i; ++j) {
            sum += dop853_a[i][j];
        }
        CHECK_NEAR(t, sum, dop853_c[i], rounded);
    }
    for (int i = 0; i < DOP853_STAGES; ++i) {
        fifth[i] = dop853_a[DOP853_END][i] - dop853_e5[i];
    }
    CHECK_NEAR(t, off_by(dop853_a[DOP853_END], 8), 0.0, rounded);
    CHECK_NEAR(t, off_by(fifth, 5), 0.0, rounded);
    CHECK_NEAR(t, off_by(dop853_third, 3), 0.0, rounded);
    // and no more than that, or they would estimate nothing: the next conditions are missed by far more than rounding
    CHECK(t, off_by(dop853_a[DOP853_END], 9) > 1e-6);
    CHECK(t, off_by(fifth, 6) > 1e-6);
    CHECK(t, off_by(dop853_third, 4) > 1e-6);
}

/* y' = p t^(p-1) over a step of length one: the polynomial is t^p up to p = 7, at any place. */
TEST(dense_output_is_exact_on_polynomials)
{
    for (int p = 1; p <= 7; ++p) {
        double r[7], k[DOP853_ALL];
        for (int i = 0; i < DOP853_ALL; ++i) {
            k[i] = p * pow(dop853_c[i], p - 1);
        }
        r[0] = 1.0;
        r[1] = k[0] - r[0];
        r[2] = r[0] - k[DOP853_END] - r[1];
        for (int d = 0; d < DOP853_D; ++d) {
            r[3 + d] = 0.0;
            for (int i = 0; i < DOP853_ALL; ++i) {
                r[3 + d] += dop853_d[d][i] * k[i];
            }
        }
        for (double x = 0.1; x < 1.0; x += 0.2) {
            double y = 0.0;
            for (int i = 6; i >= 0; --i) {
                y = (i % 2 == 0 ? x : 1.0 - x) * (r[i] + y);
            }
            CHECK_NEAR(t, y, pow(x, p), 1e-12); // d is up to 530: thousand roundings
        }
    }
}

/* --- orders ----------------------------------------------------------------------------------- */

enum { RUNS = 4 };

/* The four-bar passes a position near its dead point: it needs shorter steps than the others. */
static const double loop[RUNS] = {1.0 / 64.0, 1.0 / 72.0, 1.0 / 80.0, 1.0 / 96.0};

/* Largest error of rows every `every` s over fixed steps, and its slope. */
static double slope_of(TestCtx *t, const char *text, double end, double every, const double *h)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions tight = study_options(end, every, NULL);
    double error[RUNS] = {0};
    Trace exact = {0};
    tight.integrator = "radau";
    tight.tolerance = 1e-13;
    if (model == NULL || !study_run(t, model, &tight, &exact)) {
        return (double)NAN;
    }
    for (int i = 0; i < RUNS; ++i) {
        Trace run = {0};
        TmlSimOptions o = dop853(end, every, 1e-10);
        o.step = h[i];
        if (study_run(t, model, &o, &run)) {
            error[i] = trace_error(&run, &exact, CHANNEL);
        }
        trace_free(&run);
    }
    trace_free(&exact);
    tml_model_free(model);
    const double slope = study_slope(RUNS, h, error);
    if (study_verbose()) {
        printf("%9.2e %9.2e %9.2e %9.2e  %5.2f\n", error[0], error[1], error[2], error[3], slope);
    }
    return slope;
}

static const char swinging[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0], angular_velocity: [0, 0, 1]}\n"
    "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n"
    "outputs: {x: DX(bar), y: DY(bar), w: WZ(bar)}\n";

/* A top whose mass matrix depends on its position, and a four-bar: a loop, with its constraints restored. */
static const char turning[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  top: {mass: 1, inertia: [0.1, 0.12, 0.03], cm: [0, 0, 0.3], rotation: {axis: x, angle: "
    "0.5},\n"
    "        angular_velocity: [0.3, 0.5, 6]}\n"
    "joints: {tip: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}}\n"
    "outputs: {x: DX(top), y: DY(top), z: DZ(top), w: WX(top)}\n";

static const char looped[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.1, 0.1, 0.08], position: [0, 0.5, 0], velocity: [-1, 0, 0],\n"
    "      angular_velocity: [0, 0, 2]}\n"
    "  b: {mass: 2, inertia: [0.6, 0.6, 0.7], position: [1, 1.25, 0]}\n"
    "  c: {mass: 1, inertia: [0.15, 0.15, 0.2], position: [2, 0.75, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: z}\n"
    "  B: {type: revolute, bodies: [a, b], at: [0, 1, 0], axis: z}\n"
    "  C: {type: point_on_line, bodies: [b, c], at: [2, 1.5, 0], axis: z}\n"
    "  D: {type: revolute, bodies: [ground, c], at: [2, 0, 0], axis: z}\n"
    "outputs: {a: angle(A), x: DX(b), w: WZ(c)}\n";

/* Rows at ends of steps: all are multiples of 1 s. Steps that are too long bend the slope upwards; one order
 * less would show as 7. */
TEST(steps_are_of_order_eight)
{
    static const double h[RUNS] = {1.0 / 5.0, 1.0 / 6.0, 1.0 / 8.0, 1.0 / 10.0};
    static const double shorter[RUNS] = {1.0 / 10.0, 1.0 / 12.0, 1.0 / 16.0, 1.0 / 20.0};
    CHECK(t, slope_of(t, swinging, 2.0, 1.0, h) > 7.6);
    CHECK(t, slope_of(t, turning, 2.0, 1.0, shorter) > 7.6);
    CHECK(t, slope_of(t, looped, 2.0, 1.0, loop) > 7.6);
}

/* Rows inside: the polynomial has an error of h^8, as much as steps add up to; one order less would show as 7. */
TEST(dense_output_is_of_order_seven)
{
    static const double h[RUNS] = {1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0, 1.0 / 8.0};
    static const double shorter[RUNS] = {1.0 / 12.0, 1.0 / 16.0, 1.0 / 20.0, 1.0 / 24.0};
    CHECK(t, slope_of(t, swinging, 2.0, 0.01, h) > 7.4);
    CHECK(t, slope_of(t, turning, 2.0, 0.01, shorter) > 7.4);
    CHECK(t, slope_of(t, looped, 2.0, 0.01, loop) > 7.4);
}

/* --- error of a step ------------------------------------------------------------------------------ */

TEST(estimates_are_combined)
{
    // (K4): 9 / sqrt(9 + 16 / 100) and the like, exact to the last digits
    CHECK_NEAR(t, tml_dop853_combined(3.0, 4.0), 9.0 / sqrt(9.16), 1e-15);
    CHECK_NEAR(t, tml_dop853_combined(1.0, 100.0), 1.0 / sqrt(101.0), 1e-15);
    CHECK_NEAR(t, tml_dop853_combined(2.0, 0.0), 2.0, 1e-15);
    CHECK_NEAR(t, tml_dop853_combined(0.0, 1.0), 0.0, 0.0);
    CHECK_NEAR(t, tml_dop853_combined(0.0, 0.0), 0.0, 0.0);
}

/* Estimates of single steps from one state go with h^8; either formula alone would have h^6 or h^4. Measured: slopes of
 * 7.3 to 8.0. */
TEST(estimates_are_of_order_eight)
{
    static const char *const text[] = {swinging, turning, looped};
    static const double first = 0.1;
    for (int k = 0; k < 3; ++k) {
        TmlModel *model = study_model(t, text[k]);
        const TmlSimOptions o = projected(dop853(1.0, 1.0, 1e-12));
        TmlSim *sim = study_sim(t, model, &o);
        double h[RUNS], error[RUNS] = {0}, move = 0.0;
        for (int i = 0; sim != NULL && i < RUNS; ++i) {
            TmlAttempt a;
            TmlError err = {0};
            h[i] = first * pow(0.8, i);
            sim->type->restart(&sim->it);
            CHECK_OK(t, sim->type->attempt(&sim->it, h[i], &a, &err), &err);
            const TmlDop853 *w = sim->it.work;
            error[i] = a.error;
            CHECK_INT(t, a.order, 7); // what the step law divides by is one more
            CHECK(t, sim->control.smooth);
            move = fmax(move, w->move / a.error);
        }
        const double slope = study_slope(RUNS, h, error);
        if (study_verbose()) {
            printf("estimates: slope %5.2f, %.1e to %.1e, moves %.1e of it\n", slope, error[0],
                   error[RUNS - 1], move);
        }
        CHECK(t, slope > 7.0 && slope < 8.8);
        CHECK(t, move <= 1.0);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* A step of 0.5 s leaves the pendulum farther off its pin than its formulas differ: the move back counts as an error. */
TEST(moves_onto_the_constraints_are_errors)
{
    TmlModel *model = study_model(t, swinging);
    const TmlSimOptions o = projected(dop853(1.0, 1.0, 1e-12));
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        TmlAttempt a;
        TmlError err = {0};
        sim->type->restart(&sim->it);
        CHECK_OK(t, sim->type->attempt(&sim->it, 0.5, &a, &err), &err);
        const TmlDop853 *w = sim->it.work;
        CHECK_NEAR(t, a.error, w->move, 0.0); // one of three numbers
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Ends of steps are on the constraints also where steps are long: rounding of lengths of 2 m. */
TEST(steps_end_on_the_constraints)
{
    TmlModel *model = study_model(t, looped);
    Trace run = {0};
    const TmlSimOptions o = dop853(2.0, 2.0, 1e-4);
    if (model != NULL && study_run(t, model, &o, &run)) {
        CHECK(t, run.stats.max_phi < 1e-11);
        CHECK(t, run.stats.steps < 100);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* --- work -------------------------------------------------------------------------------------- */

/* A driven, damped pendulum: the balance of energy in rows inside of steps, by powers at the stages. Energies are of some 10 J, a
 * step may be off by the tolerance of them; a hundred times that is what ten steps and rows between them have. */
TEST(work_is_accounted_for_to_the_order_of_the_method)
{
    static const char text[] =
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies: {bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n"
        "forces:\n"
        "  spring: {type: rotational_spring, joint: pin, stiffness: 5, damping: 0.7}\n"
        "  motor: {type: torque, body: bar, tz: 3*sin(2*time)}\n";
    TmlModel *model = study_model(t, text);
    static const double tolerance[2] = {1e-5, 1e-8};
    for (int i = 0; i < 2; ++i) {
        Trace run = {0};
        const TmlSimOptions o = dop853(4.0, 0.01, tolerance[i]);
        if (model != NULL && study_run(t, model, &o, &run)) {
            CHECK(t, run.stats.max_energy_error <= 100.0 * tolerance[i]);
            CHECK(t, run.stats.max_kinetic > 1.0); // something has moved
            // no residual of its own: 2 an evaluation, 12 a try, 2 at the start and after it
            CHECK(t, run.stats.residuals <=
                         2 * run.stats.iterations + 4 + run.stats.steps + run.stats.rejected);
        }
        trace_free(&run);
    }
    tml_model_free(model);
}

/* --- stability --------------------------------------------------------------------------------- */

static void hear(void *user, TmlLogLevel level, const char *text)
{
    char *heard = user;
    (void)level;
    const size_t used = strlen(heard);
    snprintf(heard + used, 2048 - used, "%s\n", text);
}

/* asked: the tolerance of the run */
static void told(TestCtx *t, const char *text, double end, double asked, const char *expected)
{
    char heard[2048] = "";
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = dop853(end, end, asked);
    Trace run = {0};
    o.hooks = (TmlHooks){.user = heard, .log = hear};
    if (model != NULL && study_run(t, model, &o, &run)) {
        const char *first = strstr(heard, "limited by stability");
        CHECK(t, (expected != NULL) == (first != NULL));
        CHECK(t, expected == NULL || strstr(heard, expected) != NULL);
        CHECK(t, first == NULL || strstr(first + 1, "limited by stability") == NULL); // once
    }
    trace_free(&run);
    tml_model_free(model);
}

TEST(what_bounds_the_steps_is_told)
{
    static const char damped[] =
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies: {bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n"
        "forces: {damper: {type: rotational_spring, joint: pin, stiffness: 10, damping: 2000}}\n";
    // a mass that follows sin(t) on a spring of 1000 rad/s, which nothing sets ringing
    static const char follower[] =
        "trammel: 1\n"
        "bodies: {p: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
        "forces: {spring: {type: force, body: p, fx: '1e6*(sin(time) - DX(p))'}}\n";
    told(t, damped, 1.0, 1e-6, "the model is stiff");
    told(t, follower, 1.0, 1e-3, "waves or oscillations");
    told(t, swinging, 5.0, 1e-3, NULL);
    told(t, swinging, 5.0, 1e-9, NULL);
    told(t, turning, 5.0, 1e-6, NULL);
    told(t, looped, 2.0, 1e-6, NULL);
}

/* --- turns -------------------------------------------------------------------------------------- */

/* A wheel that spins freely has no error at any step. Its turns are counted from step to step, so that no step may turn
 * it by half a turn: 100 rad/s for 10 s are 1000 rad. */
TEST(long_steps_lose_no_turns)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {wheel: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 100]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}}\n"
        "outputs: {angle: angle(pin)}\n";
    TmlModel *model = study_model(t, text);
    Trace run = {0};
    const TmlSimOptions o = dop853(10.0, 10.0, 1e-2);
    if (model != NULL && study_run(t, model, &o, &run)) {
        // Euler parameters by steps of 1 rad at 1e-2 each: a turn lost is 6.3
        CHECK_NEAR(t, trace_value(&run, 1, 0), 1000.0, 3.0);
        CHECK(t, run.stats.steps >= 500);
    }
    trace_free(&run);
    tml_model_free(model);
}

TEST_SUITE(dop853) = {CASE(coefficients_meet_their_conditions),
                      CASE(dense_output_is_exact_on_polynomials),
                      CASE(steps_are_of_order_eight),
                      CASE(dense_output_is_of_order_seven),
                      CASE(estimates_are_combined),
                      CASE(estimates_are_of_order_eight),
                      CASE(moves_onto_the_constraints_are_errors),
                      CASE(steps_end_on_the_constraints),
                      CASE(work_is_accounted_for_to_the_order_of_the_method),
                      CASE(what_bounds_the_steps_is_told),
                      CASE(long_steps_lose_no_turns),
                      {0}};
