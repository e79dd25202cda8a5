/* tests/analysis/test_tolerance.c - what a tolerance buys: global errors of ten varied models.
 *
 * The global error of a method of order 2 under control of its local error goes like
 * tolerance^(2/3). The slope is measured over the tolerances 1e-5 to 1e-9 against a run at 1e-11,
 * whose own error is about 1/20 of the smallest measured one.
 */
#include "study.h"

typedef struct Example {
    const char *name, *text;
    double end; /* s; chaos and impacts are kept short of where errors grow without bound */
} Example;

/* A geared swing: nothing in it is exact for the method, as it is in the model of the gear train.
 */
static const char geared[] =
    "trammel: 1\n"
    "bodies:\n"
    "  wheel1: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  wheel2: {mass: 1, inertia: [0.08, 0.08, 0.08], position: [0.15, 0, 0]}\n"
    "joints:\n"
    "  axle1: {type: revolute, frames: [ground, wheel1]}\n"
    "  axle2: {type: revolute, frames: [{body: ground, position: [0.15, 0, 0]}, wheel2]}\n"
    "  mesh: {type: gear, terms: [{joint: axle1}, {joint: axle2}], teeth: [20, 40]}\n"
    "forces:\n"
    "  twist: {type: rotational_spring, joint: axle2, stiffness: 4, damping: 0.02, free_angle: 1}\n"
    "  beat: {type: torque, body: wheel1, tz: 0.3*sin(9*time)}\n"
    "outputs: {angle1: angle(axle1), angle2: angle(axle2)}\n";

/* A pendulum on a slide that is driven. */
static const char driven[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  slide: {mass: 1, inertia: [0.1, 0.1, 0.1], velocity: [0.6, 0, 0]}\n"
    "  bob: {mass: 1, inertia: [0.05, 0.05, 0.01], position: [0, 0, -0.5], velocity: [0.6, 0, 0]}\n"
    "joints:\n"
    "  guide: {type: translational, bodies: [ground, slide], at: [0, 0, 0], axis: x}\n"
    "  drive: {type: motion, joint: guide, coordinate: displacement,\n"
    "          function: 0.05*sin(12*time)}\n"
    "  pin: {type: revolute, bodies: [slide, bob], at: [0, 0, 0], axis: y}\n"
    "outputs: {angle: angle(pin), force: reaction(drive).fx}\n";

static const Example examples[] = {
    {"pendulum", "models/closed_forms/pendulum.yaml", 2.5},
    {"free body", "models/closed_forms/free_rotation.yaml", 3},
    {"top", "models/cases/heavy_top.yaml", 0.3},
    {"ball chain", "models/closed_forms/chain_spherical.yaml", 0.5},
    {"rolling disc", "models/closed_forms/rolling_disc.yaml", 2},
    {"slider-crank, spring", "models/cases/slider_crank_spring.yaml", 5},
    {"squeezer, three loops", "models/cases/andrews.yaml", 0.02},
    {"car axis, driven", "models/cases/car_axis.yaml", 1},
    {"bushing", "models/elements/bushing.yaml", 0.3},
    {"arm with user states", "models/pid.yaml", 1},
    {"friction", "models/elements/friction.yaml", 0.9},
    {"gears", geared, 2},
    {"motion", driven, 2},
};

enum { TOLERANCES = 5, N_EXAMPLES = sizeof examples / sizeof examples[0] };

static bool measure(TestCtx *t, const Example *e, double *error, int64_t *steps)
{
    TmlModel *model = study_model(t, e->text);
    TmlSimOptions o = study_options(e->end, e->end / 50, NULL);
    Trace reference, run;
    o.tolerance = 1e-11;
    bool ok = study_run(t, model, &o, &reference);
    for (int i = 0; i < TOLERANCES && ok; ++i) {
        o.tolerance = pow(10.0, -5 - i);
        ok = study_run(t, model, &o, &run);
        error[i] = trace_error(&run, &reference, CHANNEL);
        steps[i] = run.stats.steps;
        trace_free(&run);
    }
    trace_free(&reference);
    tml_model_free(model);
    return ok;
}

TEST(global_error_falls_with_the_tolerance)
{
    double tol[TOLERANCES], error[TOLERANCES];
    int64_t steps[TOLERANCES];
    for (int i = 0; i < TOLERANCES; ++i) {
        tol[i] = pow(10.0, -5 - i);
    }
    for (int n = 0; n < N_EXAMPLES; ++n) {
        t->name = examples[n].name;
        if (!measure(t, &examples[n], error, steps)) {
            continue;
        }
        const double slope = study_slope(TOLERANCES, tol, error);
        if (study_verbose()) {
            printf("| %-22s | %.1e %.1e %.1e %.1e %.1e | %6lld | %.2f |\n", t->name, error[0],
                   error[1], error[2], error[3], error[4], (long long)steps[TOLERANCES - 1], slope);
        }
        CHECK(t, slope > 0.4);
    }
    t->name = NULL;
}

/* A planet on a circle about the sun, in m: the tolerance times the size of a point, 1 m, is far
 * below the rounding of its place. Every method starts, goes on, and the note tells what is
 * allowed; the same orbit with its radius as the size, and the one of radius 1, have nothing to
 * tell. */
TEST(far_from_the_origin)
{
    static const struct {
        double radius;
        const char *size;
        bool told;
    } cases[] = {{1.5e11, "", true}, {1.5e11, ", length_scale: 1.5e11", false}, {1.0, "", false}};
    const double angle = 0.002; // of the way round, rad: a day's part
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
            char text[1024];
            TmlError err = {0};
            TmlSimOptions o = tml_sim_options_default();
            const double r = cases[c].radius, gm = 4e-14 * r * r * r, v = sqrt(gm / r),
                         end = angle * r / v;
            snprintf(text, sizeof text,
                     "trammel: 1\n"
                     "parameters: {gm: %.17g}\n"
                     "bodies: {earth: {type: point, mass: 6e24, position: [%.17g, 0, 0],\n"
                     "                 velocity: [0, %.17g, 0]}}\n"
                     "forces: {g: {type: force, body: earth,\n"
                     "             fx: -6e24*gm*DX(earth)/DM(earth)^3,\n"
                     "             fy: -6e24*gm*DY(earth)/DM(earth)^3}}\n"
                     "simulate: {end: %.17g%s}\n",
                     gm, r, v, end, cases[c].size);
            TmlModel *model = study_model(t, text);
            t->name = o.integrator = tml_integrator_name(k);
            o.output_step = end;
            TmlSim *sim = study_sim(t, model, &o);
            if (sim != NULL) {
                bool told = false;
                for (int i = 0; i < tml_sim_note_count(sim); ++i) {
                    told = told || strstr(tml_sim_note(sim, i), "far from the origin") != NULL;
                }
                CHECK(t, told == cases[c].told);
                CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
                const TmlVec3 x = tml_row_body(sim, 1).position;
                // the tolerances allow 3e-7 of the size a step
                CHECK_NEAR(t, x.y / r, sin(angle), 1e-5);
                CHECK_NEAR(t, x.x / r, cos(angle), 1e-5);
            }
            tml_sim_free(sim);
            tml_model_free(model);
        }
    }
    t->name = NULL;
}

typedef struct Times {
    int n;
    double t[8], x[8];
} Times;

static TmlStatus note_time(void *user, const TmlSim *sim, TmlError *err)
{
    Times *times = user;
    (void)err;
    if (times->n < 8) {
        times->t[times->n] = tml_row_time(sim);
        times->x[times->n++] = tml_row_body(sim, 1).position.x;
    }
    return TML_OK;
}

/* Rows of a run that is over in 2e-13 s stand at their times. */
TEST(short_run)
{
    TmlError err = {0};
    Times times = {0};
    TmlSimOptions o = tml_sim_options_default();
    TmlModel *model = study_model(t, "trammel: 1\n"
                                     "bodies: {m: {type: point, mass: 1, velocity: [1e10, 0, 0]}}\n"
                                     "forces: {f: {type: force, body: m, fx: 1e18}}\n");
    o.end_time = 2e-13;
    o.output_step = 0.5e-13;
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, note_time, &times, &err), &err);
        CHECK_INT(t, times.n, 5);
        for (int k = 0; k < times.n; ++k) {
            const double at = 0.5e-13 * k;
            CHECK_NEAR(t, times.t[k], at, 1e-12 * 2e-13); // rounding of sums
            // the tolerance, 1e-9 of the size, which is 1 m, a step
            CHECK_NEAR(t, times.x[k], 1e10 * at + 0.5e18 * at * at, 1e-9);
        }
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A beam and a filter of its motion written in another unit of length, a power of two, so that all
 * numbers are the same but for their exponents: the same steps, by every method. Gradients have no
 * unit, and their rates must not be taken for speeds. */
static int64_t steps_of_size(TestCtx *t, const char *method, double size)
{
    char text[1024];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "parameters: {k: %.17g}\n"
             "gravity: [0, -8*k, 1*k]\n"
             "flexible: {rod: {type: beam, line: [[0, 0, 0], [0.5*k, 0, 0]], elements: 1,\n"
             "                 material: {E: 1e6/k, nu: 0.3, density: 1024/k^3, damping: 2e-3},\n"
             "                 section: {height: k/64, width: k/32}, start: {clamp: ground}}}\n"
             "systems: {x: {inputs: DY(rod.end), numerator: [1], denominator: [0.25, 1]}}\n",
             size);
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.0625, 0.0625, NULL);
    Trace run;
    int64_t steps = -1;
    o.integrator = method;
    o.tolerance = 1e-5;
    if (study_run(t, model, &o, &run)) {
        steps = run.stats.steps;
        trace_free(&run);
    }
    tml_model_free(model);
    return steps;
}

TEST(flexible_bodies_in_another_unit_of_length)
{
    static const char *const explicit_method = "adams"; // the beam is stiff: half a minute
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        const char *method = t->name = tml_integrator_name(k);
        if (strcmp(method, explicit_method) != 0) {
            const double all = (double)steps_of_size(t, method, 1.0);
            // rounding of powers and roots: a step in a hundred may be judged otherwise
            CHECK_NEAR(t, (double)steps_of_size(t, method, 0x1p-10), all, 1.0 + 0.01 * all);
            CHECK_NEAR(t, (double)steps_of_size(t, method, 0x1p10), all, 1.0 + 0.01 * all);
        }
    }
    t->name = NULL;
}

/* A body that is clamped at its centre, at a place that does not meet the other to the last digit: what is left between
 * the two ends of the joint, 6e-17 m, is no size of the mechanism. */
TEST(rounding_is_no_size)
{
    TmlModel *model =
        study_model(t, "trammel: 1\n"
                       "frames: {place: {position: [0.1, 0.2, 0.30000000000000004]}}\n"
                       "bodies: {block: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0.2, 0.3]}}\n"
                       "joints: {hold: {type: fixed, frames: [place, block]}}\n"
                       "simulate: {end: 0.1}\n");
    const TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = study_sim(t, model, &o);
    for (int i = 0; sim != NULL && i < tml_sim_note_count(sim); ++i) {
        CHECK(t, strstr(tml_sim_note(sim, i), "far from the origin") == NULL);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(tolerance) = {CASE(rounding_is_no_size),
                         CASE(global_error_falls_with_the_tolerance),
                         CASE(far_from_the_origin),
                         CASE(short_run),
                         CASE(flexible_bodies_in_another_unit_of_length),
                         {0}};
