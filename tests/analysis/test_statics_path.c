/* tests/analysis/test_statics_path.c - equilibrium paths against closed forms.
 *
 * Corrections end at 1e-10 of the model's size and converge quadratically, so that points lie on
 * the path to 1e-9 of the forces; limit points are found to 1e-7 of the slope, which the load sees
 * squared and the position as it is.
 */
#include "study.h"

#include "trammel/analysis.h"

enum { POINTS = 400, VALUES = 3 };

typedef struct Run {
    TmlModel *model;
    TmlSim *sim;
    TmlPathInfo info;
    TmlStatus status;
    TmlError err;
    int n;
    TmlPathPoint at[POINTS];
    double value[POINTS][VALUES]; /* of the first channels */
} Run;

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    Run *run = user;
    (void)err;
    for (int k = 0; k < VALUES && run->n < POINTS; ++k) {
        run->value[run->n][k] = tml_row_channel(sim, k);
    }
    run->at[run->n < POINTS ? run->n : POINTS - 1] = tml_row_path(sim);
    run->n += run->n < POINTS;
    return TML_OK;
}

/* "models/x.yaml a=1 b=2" below the source folder. */
static TmlStatus load_file(const char *what, const char *follow, TmlModel **out, TmlError *err)
{
    enum { SETS = 4 };
    char text[1024], path[4096];
    const char *name[SETS];
    double value[SETS];
    TmlLoadOptions o = tml_load_options_default();
    snprintf(text, sizeof text, "%s", what);
    snprintf(path, sizeof path, "%s/%s", test_source_dir(), strtok(text, " "));
    for (char *word; o.n < SETS && (word = strtok(NULL, " ")) != NULL; ++o.n) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        name[o.n] = word;
        value[o.n] = strtod(equals + 1, NULL);
    }
    o.names = name;
    o.values = value;
    o.follow = follow;
    return tml_load_with(path, &o, out, err);
}

static TmlStatus load_text(const char *text, const char *follow, TmlModel **out, TmlError *err)
{
    TmlStatus status = tml_model_create(out, err);
    if (status == TML_OK && follow != NULL) {
        status = tml_model_follow(*out, follow, err);
    }
    status = status == TML_OK ? tml_model_add(*out, text, err) : status;
    return status == TML_OK ? tml_model_finish(*out, err) : status;
}

/* A file or a text, with its parameter `follow` followed; NULL: time. */
static void run_make(TestCtx *t, const char *text, const char *follow, TmlPathOptions o, Run *run)
{
    const TmlSimOptions options = study_options(1.0, 0.1, NULL);
    *run = (Run){.status = TML_E_INTERNAL};
    run->status = strncmp(text, "models/", 7) == 0
                      ? load_file(text, follow, &run->model, &run->err)
                      : load_text(text, follow, &run->model, &run->err);
    if (run->status == TML_OK) {
        run->sim = study_sim(t, run->model, &options);
    }
    if (run->sim != NULL) {
        run->status = tml_sim_path(run->sim, &o, on_row, run, &run->info, &run->err);
    }
    if (study_verbose()) {
        printf("%-28s %s, %d points, %d iterations, length %.3g\n", t->test,
               tml_status_name(run->status), run->n, (int)run->info.iterations, run->info.length);
    }
}

static void run_free(Run *run)
{
    tml_sim_free(run->sim);
    tml_model_free(run->model);
}

static TmlPathOptions range(double from, double to)
{
    TmlPathOptions o = tml_path_options_default();
    o.from = from;
    o.to = to;
    return o;
}

/* The k-th point of that kind, -1: none. */
static int find(const Run *run, TmlPathKind kind, int k)
{
    for (int i = 0; i < run->n; ++i) {
        if (run->at[i].kind == (int)kind && k-- == 0) {
            return i;
        }
    }
    return -1;
}

/* --- a truss of two springs ------------------------------------------------------------------ */

#define TRUSS                                                                                      \
    "trammel: 1\n"                                                                                 \
    "bodies: {apex: {type: point, mass: 1, position: [0, 0.3, 0]}}\n"                              \
    "joints: {guide: {type: point_on_line, frames: [{body: ground, rotation: {z: y, x: x}}, "      \
    "apex]}}\n"                                                                                    \
    "forces:\n"                                                                                    \
    "  left: {type: spring, frames: [{body: ground, position: [-1, 0, 0]}, apex],\n"               \
    "         stiffness: 1000}\n"                                                                  \
    "  right: {type: spring, frames: [{body: ground, position: [1, 0, 0]}, apex],\n"               \
    "          stiffness: 1000}\n"

static double truss_load(double y)
{
    return 2000.0 * y * (sqrt(1.09) / sqrt(1.0 + y * y) - 1.0);
}

/* Points of a path are equilibria to a tolerance of 1e-10 of the forces, 1000 N; lengths that are
 * forces over 30 N/m follow from that. At a limit point the load is flat, so that an error of 1e-16
 * in it moves lengths by 1e-8: as much was measured. */
static const double FORCE = 1e-7, LENGTH = 3e-9, AT_LIMIT = 1e-7;

static void check_truss(TestCtx *t, const Run *run)
{
    CHECK_OK(t, run->status, &run->err);
    const double y = sqrt(cbrt(1.09) - 1.0), load = truss_load(y);
    for (int k = 0; k < run->n; ++k) {
        CHECK_NEAR(t, run->at[k].parameter, truss_load(run->value[k][0]), FORCE);
        CHECK(t, k == 0 || run->at[k].length > run->at[k - 1].length);
        // P falls as y falls exactly between the limit points
        const bool falls = fabs(run->value[k][0]) < y;
        CHECK(t, run->at[k].kind != TML_PATH_POINT || run->at[k].unstable == falls);
    }
    CHECK_INT(t, run->info.limits, 2);
    CHECK_INT(t, run->info.branches, 0);
    for (int k = 0; k < 2 && run->info.limits == 2; ++k) {
        const int i = find(run, TML_PATH_LIMIT, k);
        const double sign = k == 0 ? 1.0 : -1.0;
        CHECK_NEAR(t, run->value[i][0], sign * y, 1e-6);
        CHECK_NEAR(t, run->at[i].parameter, sign * load, 1e-9 * load);
    }
    CHECK(t, run->info.reached);
    CHECK_NEAR(t, run->at[run->n - 1].parameter, 100.0, 1e-12);
}

TEST(truss)
{
    Run run;
    run_make(t,
             "parameters: {P: 0}\n" TRUSS "  push: {type: force, frame: apex, fy: -P}\n"
             "outputs: {y: DY(apex), load: P, now: time}\n",
             "P", range(0.0, 100.0), &run);
    check_truss(t, &run);
    for (int k = 0; k < run.n; ++k) {
        // outputs see the parameter, and no time
        CHECK_NEAR(t, run.value[k][1], run.at[k].parameter, 0.0);
        CHECK_NEAR(t, run.value[k][2], 0.0, 0.0);
    }
    if (run.n > 0) {
        CHECK_INT(t, tml_row_channel_count(run.sim), 6);
        CHECK_STR(t, tml_row_channel_name(run.sim, 3), "P");
        CHECK_STR(t, tml_row_channel_name(run.sim, 4), "unstable");
        CHECK_STR(t, tml_row_channel_name(run.sim, 5), "point");
        CHECK_NEAR(t, tml_row_channel(run.sim, 3), 100.0, 1e-12); // rounding
        CHECK_NEAR(t, tml_row_time(run.sim), run.info.length, 0.0);
    }
    run_free(&run);
}

/* The same load by time, by gravity, and by a parameter that follows from another. */
TEST(ways_to_load)
{
    Run run;
    run_make(t,
             TRUSS "  push: {type: force, frame: apex, fy: -time}\n"
                   "outputs: {y: DY(apex)}\n",
             NULL, range(0.0, 100.0), &run);
    check_truss(t, &run);
    run_free(&run);
    run_make(t, "parameters: {g: 0}\ngravity: [0, -g, 0]\n" TRUSS "outputs: {y: DY(apex)}\n", "g",
             range(0.0, 100.0), &run);
    check_truss(t, &run);
    run_free(&run);
    run_make(t,
             "parameters: {P: 0, half: P/2}\n" TRUSS
             "  push: {type: force, frame: apex, fy: -2*half}\noutputs: {y: DY(apex)}\n",
             "P", range(0.0, 100.0), &run);
    check_truss(t, &run);
    run_free(&run);
}

/* From a loaded start downwards; the step and the count of points are kept. */
TEST(backwards)
{
    Run run;
    TmlPathOptions o = range(5.0, -50.0);
    o.step = 0.02;
    o.max_points = 30;
    run_make(t,
             "parameters: {P: 0}\n" TRUSS "  push: {type: force, frame: apex, fy: -P}\n"
             "outputs: {y: DY(apex)}\n",
             "P", o, &run);
    CHECK_OK(t, run.status, &run.err);
    CHECK_INT(t, run.n, 30);
    CHECK(t, !run.info.reached);
    for (int k = 0; k < run.n; ++k) {
        CHECK_NEAR(t, run.at[k].parameter, truss_load(run.value[k][0]), FORCE);
        CHECK(t, k == 0 || run.at[k].length - run.at[k - 1].length <= 0.02 + 1e-12); // rounding
    }
    CHECK_NEAR(t, run.at[0].parameter, 5.0, 0.0);
    CHECK(t, run.at[run.n - 1].parameter < 0.0);
    run_free(&run);
}

/* --- snap-back: the truss pressed through a soft spring, load and displacement turn back ------ */

/* The truss below a plate on a rail, which is at a height at the start; more joints, then more
 * forces and outputs. */
static const char *plated(char out[2048], const char *parameter, double height, const char *joints,
                          const char *forces)
{
    snprintf(out, 2048,
             "trammel: 1\n"
             "parameters: {%s: 0}\n"
             "bodies: {apex: {type: point, mass: 1, position: [0, 0.3, 0]},\n"
             "         plate: {mass: 1, inertia: [1, 1, 1], position: [0, %g, 0]}}\n"
             "joints:\n"
             "  guide: {type: point_on_line, frames: [{body: ground, rotation: {z: y, x: x}},\n"
             "          apex]}\n"
             "  rail: {type: translational, bodies: [ground, plate], at: [0, %g, 0], axis: y}\n"
             "%s"
             "forces:\n"
             "  left: {type: spring, frames: [{body: ground, position: [-1, 0, 0]}, apex],\n"
             "         stiffness: 1000}\n"
             "  right: {type: spring, frames: [{body: ground, position: [1, 0, 0]}, apex],\n"
             "          stiffness: 1000}\n"
             "%s",
             parameter, height, height, joints, forces);
    return out;
}

TEST(snap_back)
{
    char text[2048];
    Run run;
    run_make(t,
             plated(text, "P", 3.3, "",
                    "  soft: {type: spring, frames: [apex, plate], stiffness: 30}\n"
                    "  push: {type: force, body: plate, fy: -P}\n"
                    "outputs: {y: DY(apex), w: DY(plate)}\n"),
             "P", range(0.0, 20.0), &run);
    CHECK_OK(t, run.status, &run.err);
    int turns = 0;
    for (int k = 0; k < run.n; ++k) {
        const double y = run.value[k][0], P = run.at[k].parameter;
        CHECK_NEAR(t, P, truss_load(y), FORCE);
        CHECK_NEAR(t, run.value[k][1], y + 3.0 - P / 30.0, LENGTH);
        turns += k > 1 && (run.value[k][1] - run.value[k - 1][1]) *
                                  (run.value[k - 1][1] - run.value[k - 2][1]) <
                              0.0;
    }
    // the truss softens by up to 88 N/m, more than the 30 N/m of the spring
    CHECK_INT(t, turns, 2);
    CHECK_INT(t, run.info.limits, 2);
    CHECK(t, run.info.reached);
    run_free(&run);
}

/* The same by a motion: the parameter is a displacement, in the rows of constraints, and turns back
 * where dP/dy = 30 N/m. */
TEST(driven)
{
    char text[2048];
    Run run;
    run_make(
        t,
        plated(text, "d", 0.3,
               "  drive: {type: motion, joint: rail, coordinate: displacement, function: -d}\n",
               "  soft: {type: force, frames: [plate, apex], fy: 30*(DY(plate) - DY(apex))}\n"
               "outputs: {y: DY(apex), load: reaction(drive).fy}\n"),
        "d", range(0.0, 1.0), &run);
    CHECK_OK(t, run.status, &run.err);
    CHECK_INT(t, run.info.limits, 2);
    CHECK(t, run.info.reached);
    for (int k = 0; k < run.n; ++k) {
        const double P = truss_load(run.value[k][0]);
        CHECK_NEAR(t, run.value[k][1], -P, FORCE);
        CHECK_NEAR(t, run.at[k].parameter, 0.3 - run.value[k][0] + P / 30.0, LENGTH);
    }
    // d turns where dP/dy = 2000 (sqrt(1.09) / (1 + y^2)^1.5 - 1) = 30
    const double y = sqrt(cbrt(1.09 / ((1.0 + 0.015) * (1.0 + 0.015))) - 1.0);
    for (int k = 0; k < 2 && run.info.limits == 2; ++k) {
        const int i = find(&run, TML_PATH_LIMIT, k);
        CHECK_NEAR(t, run.value[i][0], k == 0 ? y : -y, AT_LIMIT);
    }
    run_free(&run);
}

/* --- bars and joints ------------------------------------------------------------------------- */

/* A closed loop in space, with redundant rows: P = 4 k L (sin a - cos a0 tan a). */
TEST(toggle)
{
    const double c0 = cos(0.5), a = acos(cbrt(c0)), most = 4000.0 * (sin(a) - c0 * tan(a));
    Run run;
    run_make(t, "models/statics/toggle.yaml", "P", range(0.0, 400.0), &run);
    CHECK_OK(t, run.status, &run.err);
    for (int k = 0; k < run.n; ++k) {
        const double x = run.value[k][0];
        CHECK_NEAR(t, run.at[k].parameter, 4000.0 * (sin(x) - c0 * tan(x)), 4 * FORCE);
    }
    CHECK_INT(t, run.info.limits, 2);
    for (int k = 0; k < 2 && run.info.limits == 2; ++k) {
        const int i = find(&run, TML_PATH_LIMIT, k);
        CHECK_NEAR(t, fabs(run.value[i][0]), a, AT_LIMIT);
        CHECK_NEAR(t, fabs(run.at[i].parameter), most, FORCE);
    }
    CHECK_INT(t, run.at[run.n - 1].unstable, 0);
    run_free(&run);
}

#define COLUMN                                                                                     \
    "trammel: 1\n"                                                                                 \
    "parameters: {P: 0}\n"                                                                         \
    "bodies: {bar: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 1, 0]}}\n"                    \
    "joints: {foot: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n"            \
    "outputs: {angle: angle(foot)}\n"

/* A straight column stays straight beyond P = k / L, where bent ones branch off. */
TEST(branch_is_passed)
{
    Run run;
    run_make(t,
             COLUMN "forces: {spring: {type: rotational_spring, joint: foot, stiffness: 300},\n"
                    "         push: {type: force, body: bar, at: [0, 2, 0], fy: -P}}\n",
             "P", range(0.0, 400.0), &run);
    CHECK_OK(t, run.status, &run.err);
    CHECK(t, run.info.reached);
    CHECK_INT(t, run.info.branches, 1);
    CHECK_INT(t, run.info.limits, 0);
    const int i = find(&run, TML_PATH_BRANCH, 0);
    if (i >= 0) {
        CHECK_NEAR(t, run.at[i].parameter, 150.0, 1e-8); // 4e-10 was measured
        CHECK_INT(t, run.at[i - 1].unstable, 0);
        CHECK_INT(t, run.at[i + 1].unstable, 1);
    }
    for (int k = 0; k < run.n; ++k) {
        CHECK_NEAR(t, run.value[k][0], 0.0, 1e-15); // nothing bends it: rounding
    }
    run_free(&run);
    // a little bent from the start: 2 P sin(a) = 300 (a - 0.02)
    run_make(t,
             COLUMN "forces: {spring: {type: rotational_spring, joint: foot, stiffness: 300,\n"
                    "                  free_angle: 0.02},\n"
                    "         push: {type: force, body: bar, at: [0, 2, 0], fy: -P}}\n",
             "P", range(0.0, 400.0), &run);
    CHECK_OK(t, run.status, &run.err);
    CHECK(t, run.info.reached);
    CHECK_INT(t, run.info.branches + run.info.limits, 0);
    for (int k = 0; k < run.n; ++k) {
        const double a = run.value[k][0];
        CHECK_NEAR(t, 2.0 * run.at[k].parameter * sin(a), 300.0 * (a - 0.02), FORCE);
        CHECK_INT(t, run.at[k].unstable, 0);
    }
    run_free(&run);
}

/* --- flexible bodies ------------------------------------------------------------------------- */

/* Limit loads of rods without shear, from tools/validation/elastica.py. */
static void check_lee(TestCtx *t, const Run *run, const double load[2], double allowed)
{
    CHECK_OK(t, run->status, &run->err);
    CHECK(t, run->info.reached);
    CHECK_INT(t, run->info.limits, 2);
    for (int k = 0; k < 2 && run->info.limits == 2; ++k) {
        const int i = find(run, TML_PATH_LIMIT, k);
        CHECK_NEAR(t, run->at[i].parameter, load[k], allowed * load[0]);
    }
}

TEST(lee_frame)
{
    static const double dead[2] = {18556.73, -9414.44}, follower[2] = {35438.00, -13908.43};
    Run run;
    run_make(t, "models/flexible/lee_frame.yaml n=10", "P", range(0.0, 20e3), &run);
    // of the largest load: the error of ten elements a member, of fourth order in their length,
    // is a sixteenth of that of five, 400 in 9414
    check_lee(t, &run, dead, 0.005);
    double lowest = 0.0, last = 0.0;
    for (int k = 0; k < run.n; ++k) {
        lowest = fmin(lowest, run.value[k][1]);
        last = run.value[k][1];
        if (run.at[k].parameter < 0.0 && run.value[k][1] > -52.0) {
            last = 1.0; // on the way back
            break;
        }
    }
    // it goes down to 61 in, comes back to 51 in while the load falls below zero
    CHECK_NEAR(t, lowest, -61.0, 0.2);
    CHECK_NEAR(t, last, 1.0, 0.0);
    run_free(&run);
    run_make(t, "models/flexible/lee_frame.yaml n=10 follows=1", "P", range(0.0, 40e3), &run);
    check_lee(t, &run, follower, 0.005);
    run_free(&run);
}

/* DaDeppo and Schmidt (1975): the arch without extension turns back at 8.97 E I / R^2. */
TEST(arch)
{
    Run run;
    TmlPathOptions o = range(0.0, 950.0);
    o.step = 0.1;
    o.max_points = 60;
    run_make(t, "models/flexible/arch.yaml n=20", "P", o, &run);
    CHECK_OK(t, run.status, &run.err);
    const int i = find(&run, TML_PATH_LIMIT, 0);
    CHECK(t, i >= 0);
    if (i >= 0) {
        // 20 elements a half: half a percent, as of other coarse meshes
        CHECK_NEAR(t, run.at[i].parameter, 897.0, 0.005 * 897.0);
    }
    run_free(&run);
}

/* A corner of beam3, whose joint carries a torque, is followed as fast as a straight beam: its
 * corrections converge quadratically, four a point at the most, so that steps grow to the limit. */
TEST(corner)
{
    static const char *const loads[] = {"axes: second, fy: -P", "fx: -P"};
    for (int k = 0; k < 2; ++k) {
        char text[1024];
        Run run;
        TmlError err = {0};
        TmlStaticsInfo info;
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "parameters: {P: 0}\n"
                 "flexible: {b: {type: beam3, formulation: elastic_line, elements: [1, 1],\n"
                 "           polyline: [[0, 0, 0], [0.24, 0, 0], [0.24, 0, -0.24]],\n"
                 "           y_axis: [0, 0, 1], start: {clamp: ground},\n"
                 "           material: {E: 7e10, density: 2700},\n"
                 "           section: {area: 2e-5, Iy: 1.5e-9, Iz: 1.5e-9}}}\n"
                 "forces: {tip: {type: force, frame: b.end, %s}}\n"
                 "outputs: {x: DX(b.end), z: DZ(b.end)}\n",
                 loads[k]);
        run_make(t, text, "P", range(0.0, 3000.0), &run);
        CHECK_OK(t, run.status, &run.err);
        CHECK(t, run.info.reached);
        CHECK(t, run.n < 80); // the path is 2 long, steps are 0.05 at the most
        CHECK(t, run.info.iterations < 5 * run.info.points);
        const double x = run.value[run.n - 1][0], z = run.value[run.n - 1][1];
        if (run.status == TML_OK) { // the same by plain statics, from there
            CHECK_OK(t, tml_sim_statics(run.sim, NULL, &info, &err), &err);
            // the tolerance of statics, 1e-10 of forces
            CHECK_NEAR(t, info.moved, 0.0, 1e-9);
            CHECK_NEAR(t, hypot(tml_row_channel(run.sim, 0) - x, tml_row_channel(run.sim, 1) - z),
                       0.0, 1e-9);
        }
        run_free(&run);
    }
}

/* A load spread over a beam is followed too: a cantilever bends by q L^4 / (8 E I) at first. */
TEST(spread_load)
{
    Run run;
    run_make(t,
             "trammel: 1\n"
             "parameters: {q: 0}\n"
             "flexible: {beam: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 8,\n"
             "           material: {E: 1e9, density: 1000}, section: {area: 1e-4, Iy: 1e-8,\n"
             "           Iz: 1e-8}, start: {clamp: ground}, load: {force: [0, -q, 0]}}}\n"
             "outputs: {w: DY(beam.end)}\n",
             "q", range(0.0, 0.08), &run);
    CHECK_OK(t, run.status, &run.err);
    CHECK(t, run.info.reached);
    // relative to linear theory the next term is of the order of the square of w / L = 1e-3
    CHECK_NEAR(t, run.value[run.n - 1][0], -1e-3, 1e-8);
    run_free(&run);
}

/* --- what is refused -------------------------------------------------------------------------- */

static void check_refused(TestCtx *t, const char *text, const char *name, const char *message)
{
    Run run;
    run_make(t, text, name, range(0.0, 1.0), &run);
    CHECK(t, run.status != TML_OK);
    CHECK_HAS(t, run.err.message, message);
    run_free(&run);
}

TEST(refused)
{
    check_refused(t, "parameters: {load: 1}\n" TRUSS, "lood",
                  "the model has no parameter 'lood' to follow; did you mean 'load'?");
    check_refused(t, "parameters: {P: 1}\n" TRUSS, "P",
                  "P acts on nothing: no force, load or motion depends on it");
    check_refused(t, TRUSS, NULL, "time acts on nothing");
    check_refused(t,
                  "trammel: 1\nparameters: {m: 1}\n"
                  "bodies: {ball: {type: point, mass: m}}\n",
                  "m", "'m' moves along the path and is no number here");
    check_refused(t,
                  "trammel: 1\nparameters: {P: 0}\n"
                  "bodies: {ball: {type: point, mass: 1}}\n"
                  "forces: {push: {type: force, body: ball, fx: P}}\n",
                  "P", "nothing resists the load of P at 0");
    Run run;
    TmlPathOptions o = range(1.0, 1.0);
    run_make(t, TRUSS, NULL, o, &run);
    CHECK_HAS(t, run.err.message, "give two different numbers");
    run_free(&run);
    o = range(0.0, 1.0);
    o.step = 0.0;
    run_make(t, TRUSS, NULL, o, &run);
    CHECK_HAS(t, run.err.message, "a step above 0");
    run_free(&run);
}

/* --- the derivative by the parameter ---------------------------------------------------------- */

/* All ways that time enters, against differences of the whole residual. The loads are sines: a
 * difference over 1e-4 is off by 1e-8 / 6 of the third derivative, and by rounding over 1e-4. */
TEST(by_time)
{
    const TmlSimOptions o = study_options(1.0, 0.1, NULL);
    TmlModel *model =
        study_model(t, "trammel: 1\n"
                       "bodies: {bar: {mass: 2, inertia: [0.1, 0.2, 0.3]},\n"
                       "         ball: {type: point, mass: 1, position: [1, 0, 0]}}\n"
                       "joints: {turn: {type: revolute, bodies: [ground, bar], axis: z,\n"
                       "                at: [0, 0, 0]},\n"
                       "         drive: {type: motion, joint: turn,\n"
                       "                 function: sin(2*time)}}\n"
                       "variables: {v: cos(3*time)*DX(ball)}\n"
                       "states: {s: {rate: v - s + time^2}}\n"
                       "forces: {push: {type: force, body: ball, fy: v*exp(-time)}}\n"
                       "flexible: {rope: {type: cable, line: [[0, 0, 1], [1, 0, 1]],\n"
                       "           elements: 2, material: {E: 1e6, density: 1000},\n"
                       "           section: {radius: 0.01}, start: {clamp: bar},\n"
                       "           load: {force: [0, \"3*sin(time)\", 1]}}}\n");
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        TmlSystem *sys = sim->sys;
        const TmlDims *dim = tml_dims(sys);
        double *r = calloc(4 * (size_t)dim->n, sizeof *r);
        double *up = r + dim->n, *down = up + dim->n, *other = down + dim->n;
        TmlState *s = &sim->it.now;
        memset(s->v, 0, (size_t)dim->nq * sizeof *s->v);
        s->t = 0.4;
        tml_system_by_time(sys, s, 1e-3, r, other);
        s->t = 0.4 + 1e-4;
        tml_system_residual(sys, s, TML_LEVEL_POSITION, up);
        s->t = 0.4 - 1e-4;
        tml_system_residual(sys, s, TML_LEVEL_POSITION, down);
        int some = 0;
        for (int k = 0; k < dim->n; ++k) {
            const double want = (up[k] - down[k]) / 2e-4;
            // by_time itself takes 1e-3 for the loads, a hundred times the error
            CHECK_NEAR(t, r[k], want, 1e-6);
            some += fabs(want) > 0.1;
        }
        CHECK(t, some >= 5);
        free(r);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(statics_path) = {CASE(truss),
                            CASE(ways_to_load),
                            CASE(backwards),
                            CASE(snap_back),
                            CASE(driven),
                            CASE(toggle),
                            CASE(branch_is_passed),
                            CASE(lee_frame),
                            CASE(arch),
                            CASE(corner),
                            CASE(spread_load),
                            CASE(refused),
                            CASE(by_time),
                            {0}};
