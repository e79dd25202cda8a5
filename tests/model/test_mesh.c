/* tests/model/test_mesh.c - curves, meshes, ties between meshes, shapes without stress, loads. */
#include "analysis/study.h"

#include "io/load/yaml.h"
#include "math/vec3.h"
#include "model/flexible/curve.h"
#include "model/flexible/read/read_mesh.h"
#include "system/system.h"

/* Rounding of sums of some ten terms of size one. */
static const double ROUNDING = 1e-13;

#define STEEL "material: {E: 2e7, nu: 0, density: 1000}, section: {height: 0.05, width: 0.04}"

/* --- curves ---------------------------------------------------------------------------------- */

static void check_vec(TestCtx *t, TmlVec3 a, TmlVec3 b, double tol)
{
    CHECK_NEAR(t, v3_norm(v3_sub(a, b)), 0.0, tol);
}

TEST(arcs)
{
    const TmlCurve c = tml_curve_arc(v3(1, 0, 5), v3(3, 0, 0), v3(0, 0, 2), 1.5);
    CHECK_NEAR(t, c.length, 3.0, ROUNDING);
    for (int k = 0; k <= 6; ++k) {
        const double s = 0.5 * k;
        TmlVec3 r, d;
        tml_curve_at(&c, s, &r, &d);
        check_vec(t, r, v3(1 + 2 * cos(s / 2), 2 * sin(s / 2), 0), ROUNDING);
        check_vec(t, d, v3(-sin(s / 2), cos(s / 2), 0), ROUNDING);
    }
    // a negative angle goes round the other way
    const TmlCurve back = tml_curve_arc(v3(0, 0, 0), v3(1, 0, 0), v3(0, 0, 1), -1.0);
    check_vec(t, back.along, v3(0, -1, 0), ROUNDING);
}

TEST(splines)
{
    TmlArena arena = {0};
    TmlError err = {0};
    TmlCurve c;
    TmlVec3 p[9];
    for (int k = 0; k < 9; ++k) {
        p[k] = v3(cos(0.25 * k), sin(0.25 * k), 0.1 * k);
    }
    CHECK_OK(t, tml_curve_spline(9, p, &arena, &c, &err), &err);
    for (int k = 0; k < 9; ++k) {
        TmlVec3 r, d;
        tml_curve_at(&c, c.arc[k], &r, &d);
        check_vec(t, r, p[k], 1e-12); // Newton on the arc length stops at 1e-15 of it
        CHECK_NEAR(t, v3_norm(d), 1.0, ROUNDING);
    }
    // tangent is the derivative by arc length: differences of second order, h^2 and 1e-15/h
    for (int k = 1; k < 20; ++k) {
        const double s = c.length * k / 20.3, h = 1e-5;
        TmlVec3 a, b, r, d, other;
        tml_curve_at(&c, s - h, &a, &other);
        tml_curve_at(&c, s + h, &b, &other);
        tml_curve_at(&c, s, &r, &d);
        check_vec(t, v3_scale(0.5 / h, v3_sub(b, a)), d, 1e-8);
    }
    tml_arena_free(&arena);
}

TEST(carried_axes)
{
    for (int k = 0; k < 50; ++k) {
        const TmlVec3 a = v3_unit(test_vec3(t)), b = v3_unit(test_vec3(t));
        const TmlVec3 y = v3_unit(v3_cross(a, test_vec3(t))), z = tml_curve_carry(y, a, b);
        CHECK_NEAR(t, v3_dot(z, b), 0.0, ROUNDING);
        CHECK_NEAR(t, v3_norm(z), 1.0, ROUNDING);
        // the axis of the least rotation is across both: components along it stay
        const TmlVec3 n = v3_cross(a, b);
        CHECK_NEAR(t, v3_dot(z, n), v3_dot(y, n), ROUNDING); // the axis is divided by 1 + a.b
    }
}

/* --- energies at the start ------------------------------------------------------------------- */

static double start_energy(TestCtx *t, const char *flexible)
{
    char text[2000];
    snprintf(text, sizeof text,
             "trammel: 1\nflexible:\n  rod: {type: beam2d, " STEEL ",\n        %s}\n", flexible);
    TmlModel *m = study_model(t, text);
    TmlSystem *sys = NULL;
    TmlError err = {0};
    TmlState s;
    double energy = (double)NAN;
    if (m == NULL) {
        return energy;
    }
    CHECK_OK(t, tml_system_create(m, 1, &sys, &err), &err);
    CHECK_OK(t, tml_state_create(sys, &s, &err), &err);
    tml_system_initial(sys, &s);
    energy = tml_system_energy(sys, &s).stored;
    tml_system_free(sys);
    tml_model_free(m);
    return energy;
}

TEST(start_shapes_have_no_stress)
{
    // E A L is 4e4 J: rounding of strains of size one
    CHECK_NEAR(t, start_energy(t, "line: [[1, 2, 0], [2, 3, 0]], elements: 3"), 0.0, 1e-20);
    CHECK_NEAR(t,
               start_energy(t, "arc: {start: [1, 0, 0], centre: [0, 0, 0], angle: 2}, elements: 3"),
               0.0, 1e-20);
    CHECK_NEAR(t,
               start_energy(t, "polyline: [[0, 0, 0], [1, 0, 0], [1.5, 1, 0]], elements: [2, 3]"),
               0.0, 1e-20);
    CHECK_NEAR(t,
               start_energy(t, "polyline: [[0, 0, 0], [1, 0, 0], [1.5, 1, 0]], smooth: true, "
                               "elements: 4"),
               0.0, 1e-20);
}

TEST(prestrain)
{
    // E_xx = (s^2 - 1)/2 everywhere; energy 1/2 E A L E_xx^2, L without stress
    const double s = 1.002, strain = 0.5 * (s * s - 1.0), EA = 2e7 * 0.05 * 0.04;
    const double want = 0.5 * EA * (1.5 / s) * strain * strain;
    // strains of 2e-3 are differences of numbers of size one: rounding 1e-16 / 2e-3 of them, and
    // twice that in the energy; ten times that
    CHECK_NEAR(t, start_energy(t, "line: [[0, 0, 0], [1.5, 0, 0]], elements: 3, stretch: 1.002"),
               want, 1e-12 * want);
    // the same by a shorter line without stress, elsewhere and turned
    char text[200];
    snprintf(
        text, sizeof text,
        "line: [[0, 0, 0], [1.5, 0, 0]], elements: 3, rest: {line: [[5, 1, 0], [5, %.17g, 0]]}",
        1.0 + 1.5 / s);
    CHECK_NEAR(t, start_energy(t, text), want, 1e-12 * want);
    // a polyline stretches piece by piece
    CHECK_NEAR(t,
               start_energy(t, "polyline: [[0, 0, 0], [1, 0, 0], [1, 0.5, 0]], elements: 3, "
                               "stretch: 1.002"),
               want, 1e-12 * want);
}

TEST(rest_curvature)
{
    const char *line = "line: [[0, 0, 0], [1, 0, 0]], elements: 4, ";
    char text[300];
    snprintf(text, sizeof text, "%srest: {curvature: 0.5}", line);
    const double by_number = start_energy(t, text);
    snprintf(text, sizeof text, "%srest: {arc: {start: [0, 0, 0], centre: [0, 2, 0], angle: 0.5}}",
             line);
    // the same shape from two readers: rounding as above
    CHECK_NEAR(t, start_energy(t, text), by_number, 1e-12 * by_number);
    // bending energy E I k^2 L / 2 plus what shear locking of the element adds, less than 1/3
    // for four elements (k l)^2/12 small: at least the exact value of the thin rod
    const double bend = 0.5 * 2e7 * 0.04 * 0.05 * 0.05 * 0.05 / 12.0 * 0.25;
    CHECK(t, by_number > 0.99 * bend);
    snprintf(text, sizeof text,
             "arc: {start: [0, 0, 0], centre: [0, 2, 0], angle: 0.5}, elements: 4, rest: straight");
    // bent the other way round: equal but for strains of second order, (k h/2)^2 and k l
    CHECK_NEAR(t, start_energy(t, text), by_number, 0.1 * by_number);
}

/* --- motion ---------------------------------------------------------------------------------- */

/* Last row of a short run. */
static void last_row(TestCtx *t, const char *model, double *x, int n)
{
    char text[3000];
    Trace run;
    snprintf(text, sizeof text, "trammel: 1\n%s", model);
    TmlModel *m = study_model(t, text);
    TmlSimOptions o = study_options(0.05, 0.05, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-6;
    for (int k = 0; k < n; ++k) {
        x[k] = (double)NAN;
    }
    if (m != NULL && study_run(t, m, &o, &run)) {
        for (int k = 0; k < n; ++k) {
            x[k] = trace_value(&run, run.rows - 1, k);
        }
        trace_free(&run);
    }
    tml_model_free(m);
}

static void same_motion(TestCtx *t, const char *a, const char *b, double tol)
{
    double x[2], y[2];
    last_row(t, a, x, 2);
    last_row(t, b, y, 2);
    for (int k = 0; k < 2; ++k) {
        CHECK_NEAR(t, x[k], y[k], tol);
    }
    CHECK(t, fabs(x[1]) > 1e-4); // it has moved
}

#define WHOLE                                                                                      \
    "gravity: [0, -9.81, 0]\nflexible:\n  a: {type: beam2d, line: [[0, 0, 0], [1, 0, 0]], "        \
    "elements: 4, " STEEL ", start: {clamp: ground}}\noutputs: {x: DX(a.end), y: DY(a.end)}\n"

/* Runs of the same equations in another order of unknowns: steps are the same, rounding differs and
 * is amplified by the stiffness, E A / (rho A l^2 h^2) about 1e3. */
static const double SAME_RUN = 1e-9;

TEST(joined_is_one)
{
    same_motion(t, WHOLE,
                "gravity: [0, -9.81, 0]\nflexible:\n"
                "  b: {type: beam2d, line: [[0.5, 0, 0], [1, 0, 0]], elements: 2, " STEEL
                ", start: {join: a.end}}\n"
                "  a: {type: beam2d, line: [[0, 0, 0], [0.5, 0, 0]], elements: 2, " STEEL
                ", start: {clamp: ground}}\n"
                "outputs: {x: DX(b.end), y: DY(b.end)}\n",
                SAME_RUN);
}

TEST(joined_backwards)
{
    // gradients of the second mesh are minus those of the first
    same_motion(t, WHOLE,
                "gravity: [0, -9.81, 0]\nflexible:\n"
                "  a: {type: beam2d, line: [[0, 0, 0], [0.5, 0, 0]], elements: 2, " STEEL
                ", start: {clamp: ground}}\n"
                "  b: {type: beam2d, line: [[1, 0, 0], [0.5, 0, 0]], elements: 2, " STEEL
                ", end: {join: a.n2}}\n"
                "outputs: {x: DX(b.start), y: DY(b.start)}\n",
                SAME_RUN);
}

TEST(corner_is_join)
{
    same_motion(t,
                "gravity: [0, -9.81, 0]\nflexible:\n"
                "  a: {type: beam2d, polyline: [[0, 0, 0], [0.5, 0, 0], [0.8, 0.4, 0]], "
                "elements: [2, 2], " STEEL ", start: {clamp: ground}}\n"
                "outputs: {x: DX(a.end), y: DY(a.end) - 0.4}\n",
                "gravity: [0, -9.81, 0]\nflexible:\n"
                "  a: {type: beam2d, line: [[0, 0, 0], [0.5, 0, 0]], elements: 2, " STEEL
                ", start: {clamp: ground}}\n"
                "  b: {type: beam2d, line: [[0.5, 0, 0], [0.8, 0.4, 0]], elements: 2, " STEEL
                ", start: {join: {mesh: a, at: 1}}}\n"
                "outputs: {x: DX(b.end), y: DY(b.end) - 0.4}\n",
                SAME_RUN);
}

#define LINK                                                                                       \
    ", y_axis: y, elements: 1, material: {E: 2e7, nu: 0, density: 1000}, section: {height: 0.05, " \
    "width: 0.04}"

/* Beams in space on hinges whose rows are eliminated, the second swung out of the line, and the same on revolute joints. The first hangs
 * on the ground, a rigid body on the last. */
TEST(hinge_is_revolute)
{
    same_motion(
        t,
        "gravity: [1, 0, -9.81]\nbodies:\n  end: {mass: 1, inertia: [0.01, 0.01, 0.01], position: "
        "[0.8, 0.1, -0.1]}\n"
        "flexible:\n"
        "  b: {type: beam, line: [[0.5, 0, 0], [0.8, 0, -0.1]]" LINK
        ", start: {hinge: a.end, axis: y}, end: {hinge: end, axis: y}}\n"
        "  a: {type: beam, line: [[0, 0, 0], [0.5, 0, 0]]" LINK
        ", start: {hinge: ground, axis: y}}\n"
        "outputs: {x: DX(b.end) - 0.8, z: DZ(end) + 0.1}\n",
        "gravity: [1, 0, -9.81]\nbodies:\n  end: {mass: 1, inertia: [0.01, 0.01, 0.01], position: "
        "[0.8, 0.1, -0.1]}\n"
        "flexible:\n"
        "  b: {type: beam, line: [[0.5, 0, 0], [0.8, 0, -0.1]]" LINK "}\n"
        "  a: {type: beam, line: [[0, 0, 0], [0.5, 0, 0]]" LINK "}\n"
        "joints:\n"
        "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: y}\n"
        "  q: {type: revolute, bodies: [a, b], at: [0.5, 0, 0], axis: y}\n"
        "  r: {type: revolute, bodies: [b, end], at: [0.8, 0, -0.1], axis: y}\n"
        "outputs: {x: DX(b.end) - 0.8, z: DZ(end) + 0.1}\n",
        // a revolute joint leaves the length of the section's gradient free, a hinge shares it: strains of the
        // weight, 1e-5, over a swing of 1 cm, and two sets of steps at 1e-6
        2e-5);
}

TEST(load_like_gravity)
{
    // 1000 kg/m^3 of 0.05 x 0.04 m^2 weigh 2 kg/m * 9.81 m/s^2
    same_motion(t, WHOLE,
                "flexible:\n  a: {type: beam2d, line: [[0, 0, 0], [1, 0, 0]], elements: 4, " STEEL
                ", start: {clamp: ground}, load: {force: [0, -2*9.81, 0]}}\n"
                "outputs: {x: DX(a.end), y: DY(a.end)}\n",
                SAME_RUN);
}

TEST(slide_stays_on_line)
{
    double x[2];
    last_row(t,
             "gravity: [0, -9.81, 0]\nflexible:\n"
             "  a: {type: beam2d, line: [[0, 0, 0], [1, 0, 0]], elements: 4, " STEEL
             ", start: {clamp: ground}, end: {slide: ground, axis: [1, 1, 0]}}\n"
             "outputs: {off: DX(a.end) - 1 - DY(a.end), y: DY(a.end)}\n",
             x, 2);
    CHECK_NEAR(t, x[0], 0.0, 1e-12); // a position constraint, kept to rounding of 1 m
    CHECK(t, fabs(x[1]) > 1e-5);
}

static TmlStatus keep_balance(void *user, const TmlSim *sim, TmlError *err)
{
    (void)err;
    *(double *)user = tml_row_certificate(sim).energy_error;
    return TML_OK;
}

/* Energy balance of a frame of joined beams under loads of both kinds. */
TEST(loads_do_work)
{
    TmlModel *m = study_model(t, "models/flexible/frame.yaml");
    TmlSimOptions o = study_options(0.05, 0.05, NULL);
    TmlError err = {0};
    o.integrator = "radau";
    o.tolerance = 1e-7;
    TmlSim *sim = study_sim(t, m, &o);
    if (sim != NULL) {
        double off = (double)NAN;
        CHECK_OK(t, tml_sim_run(sim, keep_balance, &off, &err), &err);
        // work of loads is about 20 N/m * 1 m * 1e-3 m; balance to the tolerance of positions times
        // the stiffness, E A/l * 1e-7 m * 1e-5 m
        CHECK(t, fabs(off) < 1e-5);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

/* --- a bead on a curve ------------------------------------------------------------------------ */

/* On a straight cable whose nodes all stand still: s = g sin(a) t^2/2, through all four elements of
 * 1.25 m. */
static void incline(TestCtx *t, const char *method)
{
    TmlModel *m = study_model(
        t, "trammel: 1\ngravity: [0, -9.81, 0]\n"
           "bodies: {bead: {type: point, mass: 0.05, position: [0, 0, 0]}}\n"
           "flexible:\n  rope: {type: cable, line: [[0, 0, 0], [4, -3, 0]], elements: 4,\n"
           "    material: {E: 1e7, density: 1000}, section: {radius: 0.004},\n"
           "    start: {clamp: ground}, end: {clamp: ground}, attach: [{at: 0.25, clamp: ground},\n"
           "      {at: 0.5, clamp: ground}, {at: 0.75, clamp: ground}]}\n"
           "joints: {slide: {type: point_on_curve, frames: [rope, bead]}}\n"
           "outputs: {off: DX(slide.s) - 0.5*9.81*0.6*time^2, y: DY(bead)}\n");
    TmlSimOptions o = study_options(1.2, 0.1, NULL);
    Trace run;
    o.integrator = method;
    o.tolerance = 1e-8;
    if (m != NULL && study_run(t, m, &o, &run)) {
        for (int k = 0; k < run.rows; ++k) {
            // a parabola: methods of order two and more have rounding left, of some 4 m
            CHECK_NEAR(t, trace_value(&run, k, 0), 0.0, 1e-9);
        }
        CHECK_NEAR(t, trace_value(&run, run.rows - 1, 1), -0.5 * 9.81 * 0.36 * 1.44, 1e-9);
        trace_free(&run);
    }
    tml_model_free(m);
}

TEST(bead_on_incline)
{
    incline(t, "radau");
    incline(t, "adams");
}

TEST(bead_on_hanging_cable)
{
    double x[2][3];
    static const char *const method[2] = {"radau", "rosenbrock"};
    for (int k = 0; k < 2; ++k) {
        TmlModel *m = study_model(t, "models/elements/point_on_curve.yaml");
        TmlSimOptions o = study_options(0.4, 0.4, NULL);
        Trace run;
        o.integrator = method[k];
        o.tolerance = k == 0 ? 1e-7 : 1e-5;
        if (m != NULL && study_run(t, m, &o, &run)) {
            for (int i = 0; i < 3; ++i) {
                x[k][i] = trace_value(&run, run.rows - 1, i);
            }
            trace_free(&run);
        }
        tml_model_free(m);
    }
    CHECK(t, x[0][2] > 0.13); // it has slid
    for (int i = 0; i < 3; ++i) {
        // some thousand steps of a local error of 1e-5 of 1 m, most of it damped
        CHECK_NEAR(t, x[0][i], x[1][i], 1e-5);
    }
}

/* Three-node beams have no gradient along their axis: bent elements meet at a corner, which is
 * rounded (O2). A bead that slides over it is not struck, and all methods keep its energy. */
TEST(bead_passes_the_nodes_of_a_beam)
{
    static const char *const method[] = {"radau", "hht", "tlismni-park"};
    // by tolerance and order: 1.6e-12 J, 2e-8 J and 7.6e-7 J were measured, with corners 2.3e-5 J,
    // 2.3e-5 J and 5.1e-3 J
    static const double limit[] = {1e-10, 3e-7, 3e-6};
    double x[3] = {0};
    for (int k = 0; k < 3; ++k) {
        TmlModel *m =
            study_model(t, "trammel: 1\ngravity: [7.1, 6.6, -6.1]\n"
                           "bodies: {bead: {type: point, mass: 0.05, position: [0.36, 0, 0]}}\n"
                           "flexible:\n"
                           "  l: {type: beam3, line: [[0, 0, 0], [0.72, 0, 0]], elements: 3, "
                           "start: {clamp: ground},\n"
                           "      material: {E: 5.4e6, nu: 0.3, density: 1400, damping: 0.003},\n"
                           "      section: {height: 0.016, width: 0.01}}\n"
                           "joints: {slide: {type: point_on_curve, frames: [l, bead]}}\n"
                           "outputs: {s: DX(slide.s), v: VX(bead)}\n");
        TmlSimOptions o = study_options(0.2, 0.2, NULL);
        Trace run;
        o.integrator = method[k];
        o.tolerance = 1e-8;
        if (m != NULL && study_run(t, m, &o, &run)) {
            x[k] = trace_value(&run, run.rows - 1, 1);
            CHECK(t, trace_value(&run, run.rows - 1, 0) > 0.49); // beyond the node at 0.48 m
            CHECK_NEAR(t, run.stats.max_energy_error, 0.0, limit[k]);
            CHECK_NEAR(t, x[k], x[0], 3e-6); // of order two: 1.9e-7 m/s were measured
            trace_free(&run);
        }
        tml_model_free(m);
    }
}

/* --- inversion ------------------------------------------------------------------------------- */

static TmlStatus count_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)sim, (void)err;
    ++*(int *)user;
    return TML_OK;
}

/* A block that falls on its clamped end under thousandfold gravity folds through itself: its
 * weight, 1000 kg/m^3 * 1e4 m/s^2 * 0.5 m, is above its modulus. */
TEST(inverts_during_the_run)
{
    TmlModel *m = study_model(
        t, "trammel: 1\ngravity: [0, -1e4, 0]\nflexible:\n"
           "  block: {type: beam2d, line: [[0, 0, 0], [0, 0.5, 0]], elements: 4,\n"
           "          material: {E: 1e5, density: 1000}, section: {height: 0.3, width: 0.3},\n"
           "          start: {clamp: ground}}\n");
    TmlSimOptions o = study_options(1.0, 1e-4, NULL);
    TmlError err = {0};
    int rows = 0;
    o.integrator = "radau";
    o.tolerance = 1e-5;
    TmlSim *sim = study_sim(t, m, &o);
    if (sim != NULL) {
        CHECK_INT(t, tml_sim_run(sim, count_row, &rows, &err), TML_E_STEP);
        CHECK_HAS(t, err.message, "of flexible body 'block' has turned inside out at t = 0.0");
        CHECK(t, rows > 1); // everything up to there was written
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

/* --- patches --------------------------------------------------------------------------------- */

static const TmlFlexType plate = {.info = {.name = "plate"},
                                  .topology = TML_FLEX_PATCH,
                                  .dim = 3,
                                  .nodes = 4,
                                  .vectors = 4,
                                  .kind = {TML_FLEX_R, TML_FLEX_RX, TML_FLEX_RY, TML_FLEX_RZ}};

/* A draft of a patch from the text of its entry. */
static bool draft(TestCtx *t, TmlModel *m, const char *text, TmlMeshDraft *d)
{
    TmlReader *r = m->reader;
    TmlValue *value = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_yaml_parse(text, strlen(text), "test", &m->arena, &r->report, &value, &err),
             &err);
    *d = (TmlMeshDraft){
        .x = {.r = r, .kind = "flexible body", .name = "p", .value = value, .key = value},
        .mesh = {.name = "p", .type = &plate}};
    d->ok = tml_read_patch_nodes(d);
    if (d->ok) {
        tml_read_ties(d, d);
        tml_resolve_ties(d);
    }
    return d->ok;
}

TEST(flat_patch)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    TmlMeshDraft d;
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK(t, draft(t, m,
                   "{patch: {origin: [1, 0, 0], x: [2, 0, 0], y: [0, 3, 0]}, elements: [2, 3], "
                   "stretch: [1.25, 1], edges: {left: {clamp: ground}, bottom: {pin: ground}}, "
                   "attach: [{at: [1, 1], pin: ground}]}",
                   &d));
    CHECK_INT(t, d.mesh.n_nodes, 12);
    check_vec(t, d.start[4].x[TML_FLEX_R], v3(2, 1, 0), ROUNDING);
    // start over rest is 1.25 along x: rest length 1.6
    check_vec(t, d.start[4].x[TML_FLEX_RX], v3(1.25, 0, 0), ROUNDING);
    check_vec(t, d.rest[4].x[TML_FLEX_RX], v3(1, 0, 0), ROUNDING);
    check_vec(t, d.start[4].x[TML_FLEX_RZ], v3(0, 0, 1), ROUNDING);
    CHECK_NEAR(t, d.size[0], 0.8, ROUNDING);
    CHECK_NEAR(t, d.size[1], 1.0, ROUNDING);
    // tied vectors of a node: 3 on the left edge (r_x across it stays free), r and r_x on the
    // bottom, all in the corner of both, 1 at the far corner, none inside
    static const int want[12] = {4, 2, 2, 3, 0, 0, 3, 0, 0, 3, 0, 1};
    for (int k = 0; k < 12; ++k) {
        int tied = 0;
        for (int i = 0; i < 4; ++i) {
            tied += d.mesh.vector[4 * k + i].n;
        }
        CHECK_INT(t, tied, want[k]);
    }
    tml_model_free(m);
}

TEST(cylinder_patch)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    TmlMeshDraft d;
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK(t, draft(t, m,
                   "{patch: {origin: [0, 0, 7], start: [2, 0, 0], axis: z, angle: 1.5, length: 3}, "
                   "elements: [3, 1], rest: flat}",
                   &d));
    const double a = 0.5;
    check_vec(t, d.start[5].x[TML_FLEX_R], v3(2 * cos(a), 2 * sin(a), 3), ROUNDING);
    check_vec(t, d.start[5].x[TML_FLEX_RX], v3(-sin(a), cos(a), 0), ROUNDING);
    check_vec(t, d.start[5].x[TML_FLEX_RY], v3(0, 0, 1), ROUNDING);
    check_vec(t, d.rest[5].x[TML_FLEX_R], v3(1, 3, 0), ROUNDING);
    CHECK_NEAR(t, d.size[0], 1.0, ROUNDING);
    CHECK_NEAR(t, d.size[1], 3.0, ROUNDING);
    tml_model_free(m);
}

TEST(folded_patch)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    TmlMeshDraft d;
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    // corners that cross over instead of going round
    CHECK(t, !draft(t, m,
                    "{patch: {corners: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1.1, 0]]}, "
                    "elements: [4, 4]}",
                    &d));
    CHECK_INT(t, tml_report_status(&m->reader->report, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "folded");
    tml_model_free(m);
}

TEST_SUITE(mesh) = {CASE(arcs),
                    CASE(splines),
                    CASE(carried_axes),
                    CASE(start_shapes_have_no_stress),
                    CASE(prestrain),
                    CASE(rest_curvature),
                    CASE(joined_is_one),
                    CASE(joined_backwards),
                    CASE(corner_is_join),
                    CASE(hinge_is_revolute),
                    CASE(load_like_gravity),
                    CASE(slide_stays_on_line),
                    CASE(loads_do_work),
                    CASE(bead_on_incline),
                    CASE(bead_on_hanging_cable),
                    CASE(bead_passes_the_nodes_of_a_beam),
                    CASE(inverts_during_the_run),
                    CASE(flat_patch),
                    CASE(cylinder_patch),
                    CASE(folded_patch),
                    {0}};
