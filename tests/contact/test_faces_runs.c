/* tests/contact/test_faces_runs.c - runs of flexible bodies that touch each other: at rest, by every method, in other units
 * and axes, in pieces, converted, between steps, in result files.
 */
#include "../analysis/study.h"

#include "trammel/analysis.h"
#include "trammel/io.h"

#include <stdio.h>
#include <unistd.h>

enum { TEXT = 4000, CHANNELS = 5 };

/* --- at rest ------------------------------------------------------------------------------------------- */

/* Something lies on something that is held: its weight is what presses, whoever is named first. */
typedef struct Resting {
    const char *name, *low, *high, *section; /* on which side stations are follows from the types */
    double weight;                           /* N, at 10 m/s^2 and 1000 kg/m^3 */
} Resting;

#define HELD                                                                                       \
    "patch: {origin: [0, 0, 0], x: [0.4, 0, 0], y: [0, 0.3, 0]}, elements: [2, 2], section: "      \
    "{thickness: 0.02}, edges: {left: {clamp: ground}, right: {clamp: ground}}"
#define HELD_BEAM                                                                                  \
    "type: beam, line: [[0, 0.15, 0], [0.4, 0.15, 0]], elements: 3, y_axis: z, section: {height: " \
    "0.02, width: 0.1}, start: {clamp: ground}, end: {clamp: ground}"
#define LAID                                                                                       \
    "patch: {origin: [0.07, 0.05, 0.0149], x: [0.25, 0, 0], y: [0, 0.2, 0]}, elements: [2, 1], "   \
    "section: {thickness: 0.01}"

static const Resting resting[] = {
    {"shell on shell", "type: shell, " HELD, "type: shell, " LAID, "stiffness: 1e7", 5.0},
    {"plate on shell", "type: shell, " HELD, "type: plate, " LAID, "stiffness: 1e7", 5.0},
    {"cable on plate", "type: plate, " HELD,
     "type: cable, line: [[0.1, 0.1, 0.0149], [0.3, 0.2, 0.0149]], elements: 3, section: "
     "{radius: 0.005}",
     "stiffness: 1e5", 0.17562036827601817},
    {"beam3 on shell", "type: shell, " HELD,
     "type: beam3, line: [[0.1, 0.1, 0.0149], [0.3, 0.2, 0.0149]], elements: 2, y_axis: z, "
     "section: {height: 0.01, width: 0.03}",
     "stiffness: 1e5", 0.67082039324993691},
    {"strip on strip", HELD_BEAM,
     "type: beam, line: [[0.1, 0.13, 0.0149], [0.3, 0.17, 0.0149]], elements: 2, y_axis: z, "
     "section: {height: 0.01, width: 0.04}",
     "stiffness: 1e6", 0.8158431221748457},
};

TEST(what_lies_on_something_presses_with_its_weight)
{
    const size_t n = sizeof resting / sizeof *resting;
    for (size_t k = 0; k <= n; ++k) { // the first one again, with its names swapped
        const Resting *r = &resting[k % n];
        char text[TEXT];
        Trace run = {0};
        t->name = r->name;
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "gravity: [0, 0, -10]\n"
                 "flexible:\n"
                 "  low: {%s, material: {E: 1e9, density: 1000, damping: 1e-3, mass_damping: 50}}\n"
                 "  high: {%s,\n"
                 "         material: {E: 1e7, density: 1000, damping: 1e-2, mass_damping: 50}}\n"
                 "contacts: {on: {between: [%s], law: hunt_crossley, exponent: 1, %s,\n"
                 "                damping: 5, friction: {dynamic: 0.3}}}\n"
                 "outputs: {f: contact_force(on), fz: \"contact_fz(high, low)\",\n"
                 "          back: \"contact_fz(low, high)\"}\n",
                 r->low, r->high, k < n ? "low, high" : "high, low", r->section);
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(0.4, 0.4, NULL);
        o.tolerance = 1e-5;
        if (model != NULL && study_run(t, model, &o, &run)) {
            // the error is what is left of the first swing: it dies out by exp(-25 * 0.4) = 5e-5; and normals of the
            // bent one below lean by 1e-3
            CHECK_NEAR(t, trace_value(&run, 1, 0), r->weight, 2e-3 * r->weight);
            CHECK_NEAR(t, trace_value(&run, 1, 1), r->weight, 2e-3 * r->weight);
            // equal and opposite, to rounding
            CHECK_NEAR(t, trace_value(&run, 1, 2), -trace_value(&run, 1, 1), 1e-12 * r->weight);
        }
        trace_free(&run);
        tml_model_free(model);
    }
    t->name = NULL;
}

/* --- a strip and a ball fall onto a sheet ---------------------------------------------------------------- */

/* In units of length of 1/L m, turned about (1, 1, 1) and moved, or as it is. */
typedef struct View {
    bool turned;
    double L;
} View;

/* A place, or a direction, which does not move with the origin. */
static const char *vec(char *to, View v, double x, double y, double z, bool place)
{
    const double s = place && v.turned ? 1.0 : 0.0;
    if (v.turned) {
        snprintf(to, 100, "[%.17g*L, %.17g*L, %.17g*L]", z + 3 * s, x - s, y + 2 * s);
    } else {
        snprintf(to, 100, "[%.17g*L, %.17g*L, %.17g*L]", x, y, z);
    }
    return to;
}

static void say_fall(View v, char *text)
{
    char p[8][100];
    snprintf(text, TEXT,
             "trammel: 1\n"
             "parameters: {L: %.17g}\n"
             "gravity: %s\n"
             "bodies: {ball: {mass: 0.05, inertia: [8e-6*L^2, 8e-6*L^2, 8e-6*L^2], position: %s,\n"
             "                velocity: %s, shape: {sphere: {radius: 0.02*L}}}}\n"
             "flexible:\n"
             "  sheet: {type: shell, patch: {origin: %s, x: %s, y: %s}, elements: [2, 1],\n"
             "          section: {thickness: 0.01*L}, material: {E: 1e7/L, nu: 0.3, density: "
             "1000/L^3, damping: 1e-4},\n"
             "          edges: {left: {clamp: ground}, right: {clamp: ground}}}\n"
             "  strip: {type: beam, line: [%s, %s], elements: 1, y_axis: %s,\n"
             "          section: {height: 0.01*L, width: 0.03*L}, velocity: %s,\n"
             "          material: {E: 1e6/L, nu: 0.3, density: 1000/L^3, damping: 1e-4},\n"
             "          contact: {stations: 3}}\n"
             "contacts:\n"
             "  strip: {between: [sheet, strip], law: hunt_crossley, exponent: 1.5, stiffness: "
             "1e6/L^1.5, damping: 0.5/L,\n"
             "          friction: {dynamic: 0.3, static_velocity: 0.01*L}}\n"
             "  ball: {between: [sheet, ball], flexible: closest, law: hunt_crossley, exponent: "
             "1.5,\n"
             "         stiffness: 1e5/L^0.5, damping: 0.5/L, friction: {dynamic: 0.3, "
             "static_velocity: 0.01*L}}\n"
             "outputs: {z: \"%s\", x: \"%s\", w: W%c(ball), fs: contact_force(strip)/L,\n"
             "          fb: contact_force(ball)/L}\n",
             v.L, vec(p[0], v, 0, 0, -9.81, false), vec(p[1], v, 0.12, 0.06, 0.0251, true),
             vec(p[2], v, 0.4, 0.1, -0.5, false), vec(p[3], v, 0, 0, 0, true),
             vec(p[4], v, 0.2, 0, 0, false), vec(p[5], v, 0, 0.1, 0, false), "%s", "%s", "%s", "%s",
             v.turned ? "DX(ball)/L - 3" : "DZ(ball)/L", v.turned ? "DY(ball)/L + 1" : "DX(ball)/L",
             v.turned ? 'Z' : 'Y');
    char form[TEXT];
    snprintf(form, sizeof form, "%s", text);
    snprintf(text, TEXT, form, vec(p[0], v, 0.02, 0.03, 0.0101, true),
             vec(p[1], v, 0.11, 0.05, 0.0102, true), v.turned ? "x" : "z",
             vec(p[2], v, 0.2, 0.1, -0.3, false));
}

static TmlModel *fall(TestCtx *t, View v)
{
    char text[TEXT];
    say_fall(v, text);
    return study_model(t, text);
}

static const View plain = {false, 1.0};

/* The last row. */
static void run_to(TestCtx *t, const TmlModel *model, const char *method, double tolerance,
                   double end, double out[CHANNELS])
{
    Trace run = {0};
    TmlSimOptions o = study_options(end, end, NULL);
    o.integrator = t->name = method;
    o.tolerance = tolerance;
    for (int k = 0; k < CHANNELS; ++k) {
        out[k] = (double)NAN;
    }
    if (model != NULL && study_run(t, model, &o, &run)) {
        for (int k = 0; k < CHANNELS; ++k) {
            out[k] = trace_value(&run, 1, k);
        }
        // J, of 8e-3: what methods of order two damp at this tolerance
        CHECK_NEAR(t, run.stats.max_energy_error, 0.0, 1e-4);
    }
    trace_free(&run);
    t->name = NULL;
}

TEST(every_method_agrees)
{
    TmlModel *model = fall(t, plain);
    double exact[CHANNELS], x[CHANNELS];
    run_to(t, model, "radau", 1e-9, 4e-3, exact);
    CHECK(t, exact[3] > 0.1 && exact[4] > 1.0); // N: both touch
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        const char *method = tml_integrator_types[i]->info.name;
        run_to(t, model, method, 1e-6, 4e-3, x);
        t->name = method;
        if (study_verbose()) {
            printf("%-20s %.2e %.2e %.2e %.2e\n", method, x[0] - exact[0], x[1] - exact[1],
                   x[3] - exact[3], x[4] - exact[4]);
        }
        CHECK_NEAR(t, x[0], exact[0], 1e-6); // m: the tolerance
        CHECK_NEAR(t, x[1], exact[1], 1e-6);
        // N: stiffness times such an error, 1.5 K sqrt(d) with d = 2e-4 m
        CHECK_NEAR(t, x[4], exact[4], 2e3 * 1e-6 + 1e-3 * exact[4]);
    }
    t->name = NULL;
    tml_model_free(model);
}

TEST(other_units_and_axes_move_alike)
{
    static const View views[] = {{true, 1.0}, {false, 1000.0}, {true, 1e-2}};
    TmlModel *model = fall(t, plain);
    double a[CHANNELS], b[CHANNELS];
    run_to(t, model, "radau", 1e-8, 4e-3, a);
    for (size_t k = 0; k < sizeof views / sizeof *views; ++k) {
        TmlModel *other = fall(t, views[k]);
        TmlSimOptions o = study_options(4e-3, 4e-3, NULL);
        Trace run = {0};
        o.integrator = "radau";
        o.tolerance = 1e-8;
        if (other != NULL && study_run(t, other, &o, &run)) {
            for (int i = 0; i < CHANNELS; ++i) {
                b[i] = trace_value(&run, 1, i);
            }
            // m and rad/s: errors of both, ten times the tolerance; over the radius of the ball
            CHECK_NEAR(t, b[0], a[0], 1e-7);
            CHECK_NEAR(t, b[1], a[1], 1e-7);
            CHECK_NEAR(t, b[2], a[2], 1e-3);
            // N: such an error times stiffnesses, and half of the strip's stations are near their onset
            CHECK_NEAR(t, b[3], a[3], 1e-3 * a[3]);
            CHECK_NEAR(t, b[4], a[4], 1e-3 * a[4]);
        }
        trace_free(&run);
        tml_model_free(other);
    }
    tml_model_free(model);
}

/* The same parameter set from outside, as --set does, is that of the file. */
TEST(a_parameter_set_from_outside_is_that_of_the_file)
{
    static const char *const name = "L";
    const double L = 1000.0;
    char text[TEXT];
    TmlModel *one = NULL, *two = fall(t, (View){false, L});
    TmlError err = {0};
    double a[CHANNELS], b[CHANNELS];
    say_fall(plain, text);
    CHECK_OK(t, tml_load_text(text, "test", 1, &name, &L, &one, &err), &err);
    for (int k = 0; k < 2; ++k) {
        TmlSimOptions o = study_options(1e-3, 1e-3, NULL);
        Trace run = {0};
        o.tolerance = 1e-6;
        if (study_run(t, k == 0 ? one : two, &o, &run)) {
            for (int i = 0; i < CHANNELS; ++i) {
                (k == 0 ? a : b)[i] = trace_value(&run, 1, i);
            }
        }
        trace_free(&run);
    }
    for (int i = 0; i < CHANNELS; ++i) {
        CHECK_NEAR(t, a[i], b[i], 0.0); // the same numbers
    }
    tml_model_free(one);
    tml_model_free(two);
}

/* --- in pieces ------------------------------------------------------------------------------------------- */

TEST(a_run_in_pieces_is_that_of_one)
{
    TmlModel *model = fall(t, plain);
    double whole[CHANNELS];
    run_to(t, model, "radau", 1e-9, 4e-3, whole);
    for (int way = 0; way < 2 && model != NULL; ++way) { // a dump; a run that goes on from another
        char path[128];
        TmlError err = {0};
        TmlModel *again = NULL;
        TmlSim *second = NULL;
        Trace run = {0};
        TmlSimOptions o = study_options(4e-3, 4e-3, NULL);
        o.integrator = "radau";
        o.tolerance = 1e-9;
        TmlSim *first = study_sim(t, model, &o);
        while (first != NULL && err.status == TML_OK && tml_sim_time(first) < 1e-3) {
            CHECK_OK(t, tml_sim_step(first, &err), &err);
        }
        snprintf(path, sizeof path, "/tmp/trammel-faces-%ld.json", (long)getpid());
        if (way == 0) {
            CHECK_OK(t, tml_dump_write(path, first, NULL, "why", &err), &err);
            CHECK_OK(t, tml_dump_open(path, NULL, &again, &second, &err), &err);
        } else {
            o.from = first;
            CHECK_OK(t, tml_sim_create(model, &o, &second, &err), &err);
        }
        if (second != NULL) {
            CHECK(t, tml_sim_time(second) >= 1e-3);
            CHECK_OK(t, tml_sim_run(second, trace_row, &run, &err), &err);
            const int last = run.rows - 1;
            CHECK_NEAR(t, trace_value(&run, last, 0), whole[0], 1e-8); // m: errors of both
            CHECK_NEAR(t, trace_value(&run, last, 3), whole[3],
                       1e-4 * whole[3]); // as above, over 1e-4 m
            CHECK_NEAR(t, trace_value(&run, last, 4), whole[4], 1e-4 * whole[4]); // as above
        }
        trace_free(&run);
        tml_sim_free(second);
        tml_model_free(again);
        tml_sim_free(first);
        unlink(path);
    }
    tml_model_free(model);
}

TEST(a_converted_model_is_the_same)
{
    char text[TEXT], path[128], *back = NULL;
    TmlModel *notes = NULL, *again = NULL, *model = fall(t, plain);
    TmlError err = {0};
    double a[CHANNELS], b[CHANNELS];
    say_fall(plain, text);
    snprintf(path, sizeof path, "/tmp/trammel-faces-%ld.yaml", (long)getpid());
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL);
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
        CHECK_OK(t, tml_convert(path, &notes, &back, &err), &err);
        again = back != NULL ? study_model(t, back) : NULL;
    }
    run_to(t, model, "hht", 1e-6, 2e-3, a);
    run_to(t, again, "hht", 1e-6, 2e-3, b);
    for (int k = 0; k < CHANNELS; ++k) {
        CHECK_NEAR(t, b[k], a[k],
                   1e-9 * (1.0 + fabs(a[k]))); // the same numbers, but for their last digits
    }
    tml_text_free(back);
    tml_model_free(notes);
    tml_model_free(again);
    tml_model_free(model);
    unlink(path);
}

/* Rows do not depend on how many there are. */
TEST(rows_between_steps_are_the_same)
{
    TmlModel *model = fall(t, plain);
    Trace few = {0}, many = {0};
    TmlSimOptions o = study_options(4e-3, 1e-3, NULL);
    o.tolerance = 1e-6;
    const bool ok = study_run(t, model, &o, &few);
    o.output_step = 1e-4;
    if (ok && study_run(t, model, &o, &many)) {
        for (int k = 0; k < few.rows; ++k) {
            for (int c = 0; c < CHANNELS; ++c) {
                const double x = trace_value(&few, k, c);
                CHECK_NEAR(t, trace_value(&many, 10 * k, c), x, 1e-9 * (1.0 + fabs(x))); // rounding
            }
        }
    }
    trace_free(&few);
    trace_free(&many);
    tml_model_free(model);
}

/* --- about an equilibrium -------------------------------------------------------------------------------- */

/* A ball that lies in the hollow of a stiff sheet bounces with sqrt(k / m), and swings to and fro as in a bowl. */
TEST(a_ball_swings_in_a_hollow)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -10]\n"
        "bodies: {ball: {mass: 0.1, inertia: [1.6e-5, 1.6e-5, 1.6e-5], position: [0.002, 0.1, "
        "-0.4751], shape: {sphere: {radius: 0.02}}}}\n"
        "flexible: {bowl: {type: shell, patch: {origin: [0, 0, 0], start: [-0.1, 0, "
        "-0.48989794855663565],\n"
        "           axis: -y, angle: 0.40271584158066154, length: -0.2}, elements: [3, 1], "
        "section: {thickness: 0.01},\n"
        "           material: {E: 1e13, nu: 0.3, density: 1},\n"
        "           edges: {left: {clamp: ground}, right: {clamp: ground}}}}\n"
        "contacts: {on: {between: [ball, bowl], flexible: closest, law: linear, stiffness: 1e4}}\n"
        "outputs: {f: contact_force(on), x: DX(ball)}\n";
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
    TmlError err = {0};
    TmlStaticsInfo info;
    TmlLinear *lin = NULL;
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
    }
    double bounce = HUGE_VAL, swing = HUGE_VAL;
    for (int k = 0; lin != NULL && k < tml_linear_info(lin).modes; ++k) {
        const double w = fabs(tml_linear_mode(lin, k).imag);
        bounce = fabs(w - sqrt(1e5)) < fabs(bounce - sqrt(1e5)) ? w : bounce;
        swing = fabs(w - sqrt(10.0 / 0.475)) < fabs(swing - sqrt(10.0 / 0.475)) ? w : swing;
    }
    // 10 m/s^2 over the radius 0.5 m of the middle surface, less those of the ball and half the thickness
    // cubics of 7.7 degrees for an arc, measured: their curvature in the middle of an element is off by 4e-4
    CHECK_NEAR(t, swing, sqrt(10.0 / 0.4751), 2e-3 * swing);
    // measured 1e-6: the sheet gives by its own stiffness
    CHECK_NEAR(t, bounce, sqrt(1e5), 1e-5 * bounce);
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(contact_faces_runs) = {CASE(what_lies_on_something_presses_with_its_weight),
                                  CASE(every_method_agrees),
                                  CASE(other_units_and_axes_move_alike),
                                  CASE(a_parameter_set_from_outside_is_that_of_the_file),
                                  CASE(a_run_in_pieces_is_that_of_one),
                                  CASE(a_converted_model_is_the_same),
                                  CASE(rows_between_steps_are_the_same),
                                  CASE(a_ball_swings_in_a_hollow),
                                  {0}};
