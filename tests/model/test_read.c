/* tests/model/test_read.c - models read from text: numbers, loops, bodies, joints, forces. */
#include "test.h"

#include "expr/spline.h"
#include "math/vec3.h"
#include "model/body/rigid.h"
#include "model/measure/binding.h"
#include "model/model.h"
#include "trammel/io.h"

#include <stdlib.h>

/* Rounding of a handful of operations on numbers near 1. */
static const double eps = 1e-14;

static const double turn = 6.283185307179586;

static TmlModel *load(TestCtx *t, const char *text)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "model", 0, NULL, NULL, &m, &err), &err);
    return m;
}

static void check_vec(TestCtx *t, TmlVec3 got, double x, double y, double z)
{
    CHECK_NEAR(t, got.x, x, eps);
    CHECK_NEAR(t, got.y, y, eps);
    CHECK_NEAR(t, got.z, z, eps);
}

static double parameter(const TmlModel *m, const char *name)
{
    const int k = tml_model_find_parameter(m, name);
    return k >= 0 ? m->parameters.at[k].value : (double)NAN;
}

TEST(parameters_in_any_order)
{
    TmlModel *m = load(t, "trammel: 1\n"
                          "parameters: {c: a + b, a: 2*b, b: 3, angle: 30 deg, w: 60 rpm,\n"
                          "  length: 5 mm, big: 1.5e3, half: \"1/2\", neg: -0.25, tiny: 1e-30,\n"
                          "  digits: 0.1234567890123456789, pre: +7}\n");
    if (m == NULL) {
        return;
    }
    CHECK_NEAR(t, parameter(m, "c"), 9.0, 0.0);
    CHECK_NEAR(t, parameter(m, "angle"), turn / 12.0, eps);
    CHECK_NEAR(t, parameter(m, "w"), turn, eps);
    CHECK_NEAR(t, parameter(m, "length"), 0.005, 0.0);
    CHECK_NEAR(t, parameter(m, "big"), 1500.0, 0.0);
    CHECK_NEAR(t, parameter(m, "half"), 0.5, 0.0);
    CHECK_NEAR(t, parameter(m, "neg"), -0.25, 0.0);
    CHECK_NEAR(t, parameter(m, "tiny"), 1e-30, 0.0);
    CHECK_NEAR(t, parameter(m, "digits"), 0.1234567890123456789, 0.0);
    CHECK_NEAR(t, parameter(m, "pre"), 7.0, 0.0);
    tml_model_free(m);
}

TEST(long_chains_of_parameters)
{
    enum { COUNT = 3000 };
    static char text[64 * COUNT];
    // each uses the next: the worst order
    size_t fill = (size_t)snprintf(text, sizeof text, "trammel: 1\nparameters:\n");
    for (int k = 0; k < COUNT; ++k) {
        fill += (size_t)snprintf(text + fill, sizeof text - fill, "  p%d: p%d + 1\n", k, k + 1);
    }
    snprintf(text + fill, sizeof text - fill, "  p%d: 0\n", COUNT);
    TmlModel *m = load(t, text);
    if (m != NULL) {
        CHECK_NEAR(t, parameter(m, "p0"), COUNT, 0.0);
    }
    tml_model_free(m);
}

TEST(overrides_replace_parameters)
{
    const char *const text = "trammel: 1\nparameters: {a: 2, b: 3*a, c: 1/(a - 2)}\n";
    const char *const names[] = {"a", "unknown"};
    const double values[] = {5.0, 1.0};
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "model", 1, names, values, &m, &err), &err);
    if (m != NULL) {
        CHECK_NEAR(t, parameter(m, "b"), 15.0, 0.0);
        CHECK_NEAR(t, parameter(m, "c"), 1.0 / 3.0, 0.0);
    }
    tml_model_free(m);
    CHECK_INT(t, tml_load_text(text, "model", 2, names, values, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "the model has no parameter 'unknown' to set");
    CHECK(t, m == NULL);
    const double nan[] = {(double)NAN};
    CHECK_INT(t, tml_load_text(text, "model", 1, names, nan, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "a number must be finite");
}

TEST(body_state_moves_to_the_centre_of_mass)
{
    TmlModel *m =
        load(t, "trammel: 1\n"
                "bodies:\n"
                "  b: {mass: 2, inertia: [1, 2, 2.5], cm: [1, 0, 0], position: [0, 0, 3],\n"
                "      rotation: {axis: z, angle: 90 deg}, velocity: [1, 0, 0],\n"
                "      angular_velocity: [0, 0, 2], locked: [x, omega],\n"
                "      frames: {tip: {position: [3, 0, 0], rotation: {z: x, x: y}}}}\n"
                "  p: {type: point, mass: 1, position: x, locked: true}\n"
                "frames: {base: {position: [1, 2, 3]}, on: {body: b, position: y}}\n");
    if (m == NULL) {
        return;
    }
    const TmlBody *b = &m->bodies.at[1];
    check_vec(t, b->r0, 0, 1, 3);
    check_vec(t, b->v0, 1 - 2, 0, 0); // omega x (A c) = (0,0,2) x (0,1,0)
    check_vec(t, b->omega0, 0, 0, 2);
    CHECK_INT(t, b->locked, TML_LOCK_X | TML_LOCK_OMEGA);
    CHECK_INT(t, m->bodies.at[2].locked, TML_LOCK_POSITION | TML_LOCK_VELOCITY);
    static const struct {
        const char *name;
        double x, y, z;
    } frames[] = {{"b", 0, 0, 3},    {"b.cm", 0, 1, 3}, {"b.tip", 0, 3, 3}, {"ground", 0, 0, 0},
                  {"base", 1, 2, 3}, {"on", -1, 0, 3},  {"p.cm", 1, 0, 0}};
    for (size_t k = 0; k < sizeof frames / sizeof *frames; ++k) {
        t->name = frames[k].name;
        const int i = tml_model_find_frame(m, frames[k].name);
        CHECK(t, i >= 0);
        if (i >= 0) {
            const TmlFrameKin kin = tml_model_initial_kin(m, &m->frames.at[i].end);
            check_vec(t, kin.r, frames[k].x, frames[k].y, frames[k].z);
        }
    }
    t->name = NULL;
    const TmlFrameKin tip =
        tml_model_initial_kin(m, &m->frames.at[tml_model_find_frame(m, "b.tip")].end);
    check_vec(t, tip.A.cz, 0, 1, 0);
    check_vec(t, tip.A.cx, -1, 0, 0);
    check_vec(t, tip.v, 1 - 6, 0, 0);
    tml_model_free(m);
}

TEST(inertia_is_about_the_centre_of_mass_in_body_axes)
{
    TmlModel *m =
        load(t, "trammel: 1\n"
                "bodies:\n"
                "  a: {mass: 3, inertia: [1, 13, 13.5, 0.1, 0.2, 0.3], cm: [2, 0, 0],\n"
                "      inertia_about: origin}\n"
                "  b: {mass: 1, inertia: [1, 2, 2.5], inertia_axes: {axis: z, angle: 90 deg}}\n"
                "  c: {mass: 0, inertia: [0, 0, 0], angular_velocity: x,\n"
                "      angular_velocity_axes: body, rotation: {axis: y, angle: -pi/2}}\n"
                "  rod: {mass: 3, inertia: [0, 1, 1.0000000001]}\n");
    if (m == NULL) {
        return;
    }
    const TmlRigidData *a = m->bodies.at[1].data, *b = m->bodies.at[2].data;
    check_vec(t, a->J.cx, 1, 0.1, 0.2);
    check_vec(t, a->J.cy, 0.1, 1, 0.3);
    check_vec(t, a->J.cz, 0.2, 0.3, 1.5);
    check_vec(t, b->J.cx, 2, 0, 0);
    check_vec(t, b->J.cy, 0, 1, 0);
    check_vec(t, m->bodies.at[3].omega0, 0, 0, 1);
    tml_model_free(m);
}

TEST(rotations_agree)
{
    // all are 90 degrees about z
    static const char *const forms[] = {
        "{axis: [0, 0, 2], angle: pi/2}",
        "{axis: -z, angle: -90 deg}",
        "{euler_parameters: [0.7071068, 0, 0, 0.7071068]}",
        "{euler: \"313\", angles: [30 deg, 0, 60 deg]}",
        "{euler: zyx, angles: [90 deg, 0, 0]}",
        "{euler: xyz, angles: [0, 0, 90 deg], fixed: true}",
        "{x: y, y: [-1, 5, 0]}",
        "{z: z, x: [0, 3, 4]}",
        "{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}",
    };
    for (size_t k = 0; k < sizeof forms / sizeof *forms; ++k) {
        char text[256];
        t->name = forms[k];
        snprintf(text, sizeof text,
                 "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], rotation: %s}}\n",
                 forms[k]);
        TmlModel *m = load(t, text);
        if (m != NULL) {
            const TmlMat33 A = q4_matrix(m->bodies.at[1].p0);
            check_vec(t, A.cx, 0, 1, 0);
            check_vec(t, A.cy, -1, 0, 0);
        }
        tml_model_free(m);
    }
}

TEST(euler_sequences_compose)
{
    // body-fixed 1-2-3 equals space-fixed 3-2-1 with the angles reversed
    TmlModel *m =
        load(t, "trammel: 1\n"
                "bodies:\n"
                "  a: {mass: 1, inertia: [1, 1, 1],\n"
                "      rotation: {euler: xyz, angles: [0.3, 0.5, -0.7]}}\n"
                "  b: {mass: 1, inertia: [1, 1, 1],\n"
                "      rotation: {euler: '321', angles: [-0.7, 0.5, 0.3], fixed: true}}\n");
    if (m == NULL) {
        return;
    }
    const TmlMat33 A = q4_matrix(m->bodies.at[1].p0), B = q4_matrix(m->bodies.at[2].p0);
    check_vec(t, A.cx, B.cx.x, B.cx.y, B.cx.z);
    check_vec(t, A.cy, B.cy.x, B.cy.y, B.cy.z);
    // A = Rx Ry Rz: first column is (cos b cos c, ...)
    CHECK_NEAR(t, A.cx.x, cos(0.5) * cos(0.7), eps);
    tml_model_free(m);
}

static const char *const bodies = "trammel: 1\n"
                                  "bodies:\n"
                                  "  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                                  "  b: {mass: 1, inertia: [1, 1, 1], position: [0, 2, 0],\n"
                                  "      rotation: {axis: x, angle: 1}, cm: [0, 0.5, 0],\n"
                                  "      frames: {tip: {position: [0, 0, 1]}}}\n";

static TmlModel *load_with(TestCtx *t, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", bodies, rest);
    return load(t, text);
}

TEST(ends_are_where_they_were_put)
{
    TmlModel *m = load_with(
        t, "joints:\n"
           "  j1: {type: revolute, bodies: [a, b], at: [1, 2, 3], axis: x, x_axis: [5, 0, 1]}\n"
           "  j2: {type: fixed, frames: [a, {body: b, position: [0, 0, 1]}]}\n"
           "  j3: {type: distance, bodies: [a, b], points: [[1, 0, 0], [0, 0, 7]]}\n"
           "  j4: {type: universal, bodies: [ground, b], at: [0, 0, 0], axes: [y, z]}\n"
           "  drive: {type: motion, joint: j1, function: 2*time}\n"
           "forces:\n"
           "  f1: {type: force, body: b, at: [0, 0, 1], fx: 1, fz: time}\n"
           "  f2: {type: torque, frame: b.tip, tz: 3}\n"
           "  f3: {type: rotational_spring, joint: j1, stiffness: 4, turns: -1}\n"
           "  f4: {type: force, bodies: [a, b], at: [0, 0, 1], fy: 1, axes: second}\n");
    if (m == NULL) {
        return;
    }
    for (int k = 0; k < 2; ++k) {
        const TmlFrameKin kin = tml_model_initial_kin(m, &m->constraints.at[0].end[k]);
        CHECK_INT(t, m->constraints.at[0].end[k].body, k + 1);
        check_vec(t, kin.r, 1, 2, 3);
        check_vec(t, kin.A.cz, 1, 0, 0);
        check_vec(t, kin.A.cx, 0, 0, 1);
        const TmlFrameKin driven = tml_model_initial_kin(m, &m->constraints.at[4].end[k]);
        check_vec(t, driven.r, 1, 2, 3);
        const TmlFrameKin sprung = tml_model_initial_kin(m, &m->forces.at[2].end[k]);
        check_vec(t, sprung.A.cz, 1, 0, 0);
        const TmlFrameKin cross = tml_model_initial_kin(m, &m->constraints.at[3].end[k]);
        check_vec(t, cross.A.cx, 0, 1, 0);
        check_vec(t, cross.A.cy, 0, 0, 1);
    }
    const TmlFrameKin weld = tml_model_initial_kin(m, &m->constraints.at[1].end[1]);
    check_vec(t, weld.r, 0, 2 - sin(1), cos(1));
    check_vec(t, tml_model_initial_kin(m, &m->constraints.at[2].end[1]).r, 0, 0, 7);
    CHECK_INT(t, m->forces.at[0].n_f, 2);
    CHECK_INT(t, m->forces.at[0].end[0].body, TML_GROUND);
    CHECK(t, m->forces.at[0].f != NULL && m->forces.at[0].f[1] != NULL);
    CHECK_INT(t, m->forces.at[2].joint, 0);
    CHECK_INT(t, m->forces.at[3].end[0].body, 1);
    tml_model_free(m);
}

/* Names are shown to people and looked up, never run: whatever can be seen may be in them. */
TEST(names_of_any_characters)
{
    TmlModel *m =
        load(t, "trammel: 1\n"
                "bodies:\n"
                "  '</script><b>\"x\"': {mass: 1, inertia: [1, 1, 1], frames: {'a/b': {position: "
                "[1, 0, 0]}}}\n"
                "  \"it's 100 %\": {mass: 1, inertia: [1, 1, 1]}\n"
                "joints:\n"
                "  '<i>': {type: spherical, frames: ['</script><b>\"x\".a/b', ground]}\n"
                "outputs:\n"
                "  '\xf0\x9f\x98\x80 #1': DX('</script><b>\"x\".a/b') + DY(\"it's 100 %\")\n");
    if (m == NULL) {
        return;
    }
    CHECK_INT(t, tml_model_find_body(m, "</script><b>\"x\""), 1);
    CHECK_INT(t, tml_model_find_body(m, "it's 100 %"), 2);
    CHECK_INT(t, m->constraints.at[0].end[0].body, 1);
    CHECK_STR(t, m->channels.at[0].name, "\xf0\x9f\x98\x80 #1");
    tml_model_free(m);
}

TEST(loops_repeat_entries)
{
    TmlModel *m = load(t, "trammel: 1\n"
                          "parameters: {N: 4, L: 0.5}\n"
                          "bodies:\n"
                          "  for i in 1..N:\n"
                          "    'b{i}': {mass: i, inertia: [1, 1, 1], position: [i*L, 0, 0]}\n"
                          "  for side in [left, right]:\n"
                          "    for k in [2, N]:\n"
                          "      '{side}{k+1}': {mass: k, inertia: [1, 1, 1]}\n"
                          "joints:\n"
                          "  for i in 2..N:\n"
                          "    'j{i}': {type: fixed, bodies: ['b{i-1}', 'b{i}'], at: [0, 0, 0]}\n"
                          "variables:\n"
                          "  for i in 1..2:\n"
                          "    'v{i}': 10*i + DX(b{i}) + step(time, 0, 0, i, 1) + 3 m\n");
    if (m == NULL) {
        return;
    }
    CHECK_INT(t, m->bodies.n, 1 + 4 + 4);
    CHECK_STR(t, m->bodies.at[3].name, "b3");
    CHECK_NEAR(t, m->bodies.at[3].r0.x, 1.5, 0.0);
    CHECK(t, tml_model_find_body(m, "left3") > 0 && tml_model_find_body(m, "right5") > 0);
    CHECK_INT(t, m->constraints.n, 3);
    CHECK_INT(t, m->constraints.at[2].end[0].body, tml_model_find_body(m, "b3"));
    CHECK_STR(t, m->variables.at[1].binding->text, "10*2 + DX(b2) + step(time, 0, 0, 2, 1) + 3 m");
    tml_model_free(m);
}

TEST(signals_and_settings)
{
    TmlModel *m =
        load_with(t, "title: \"Test: a model\"\n"
                     "gravity: -z\n"
                     "parameters: {alpha: -0.3}\n"
                     "splines:\n"
                     "  s: {type: linear, points: [[0, 1], [2, 5]]}\n"
                     "  c: {x: [0, 1, 2, 3], y: [0, 1, 4, 9]}\n"
                     "variables: {v: {value: 'DX(a) + spline(time, s)', initial: 3}}\n"
                     "states:\n"
                     "  x: {rate: v - x, initial: 2}\n"
                     "  y: {implicit: rate(y) + y - x, initial: 1, initial_rate: -1, scale: 0.5}\n"
                     "outputs: {o: x + y, load: {value: 2*v, unit: N}}\n"
                     "simulate: {end: 2, output_step: 10 ms, integrator: hht, tolerance: 1e-5,\n"
                     "  options: {alpha: alpha, jacobian: reuse, n: 3}}\n");
    if (m == NULL) {
        return;
    }
    CHECK_STR(t, tml_model_title(m), "Test: a model");
    check_vec(t, m->gravity, 0, 0, -9.80665);
    CHECK_NEAR(t, m->variables.at[0].initial, 3.0, 0.0);
    CHECK(t, m->variables.at[0].binding != NULL);
    CHECK(t, !m->states.at[0].implicit && m->states.at[1].implicit);
    CHECK_NEAR(t, m->states.at[1].initial_rate, -1.0, 0.0);
    CHECK_NEAR(t, m->states.at[1].scale, 0.5, 0.0);
    CHECK_STR(t, m->channels.at[1].unit, "N");
    double d[1];
    tml_spline_eval(m->splines.at[0].spline, 1.0, 0, d);
    CHECK_NEAR(t, d[0], 3.0, eps);
    CHECK_NEAR(t, m->run.end, 2.0, 0.0);
    CHECK_NEAR(t, m->run.output_step, 0.01, 0.0);
    CHECK(t, isnan(m->run.max_step));
    CHECK_STR(t, m->run.integrator, "hht");
    CHECK_INT(t, m->run.n_options, 3);
    CHECK_STR(t, m->run.option_value[1], "reuse");
    CHECK_STR(t, m->run.option_value[2], "3");
    CHECK_NEAR(t, strtod(m->run.option_value[0], NULL), -0.3, 0.0);
    tml_model_free(m);
}

TEST(tables_beyond_their_ends_and_paths)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {{"splines: {s: {x: [0, 1, 2, 3], y: [0, 1, 4, 9], extrapolate: parabel}}\n",
                  "extrapolate: expected one of tangent|parabola|constant"},
                 {"paths: {p: {points: [[0, 0, 0], [0, 0, 0], [2, 1, 0]]}}\n"
                  "outputs: {o: 'spline(time, p.x)'}\n",
                  "points 1 and 2 of the path are the same"},
                 {"outputs: {o: 'spline(time, q.x)'}\n", "q.x"}};
    TmlModel *m = load_with(t, "splines:\n"
                               "  s: {x: [0, 1, 2, 3], y: [0, 1, 4, 9], extrapolate: parabola}\n"
                               "  c: {x: [0, 1, 2, 3], y: [0, 1, 4, 9], extrapolate: constant}\n"
                               "paths:\n"
                               "  p: {points: [[0, 0, 0], [1, 2, 2], [2, 4, 4], [4, 8, 8]]}\n"
                               "outputs: {o: 'spline(3*time, p.y, 1)'}\n");
    double d[2];
    if (m != NULL) {
        tml_spline_eval(m->splines.at[0].spline, 5.0, 0, d);
        CHECK_NEAR(t, d[0], 25.0, 10 * eps);
        tml_spline_eval(m->splines.at[1].spline, 5.0, 0, d);
        CHECK_NEAR(t, d[0], 9.0, eps);
        tml_spline_eval(m->paths.at[0].part[TML_TRACK_POINT][1], 9.0, 1,
                        d); // a straight line of length 12
        CHECK_NEAR(t, d[0], 6.0, 10 * eps);
        CHECK_NEAR(t, d[1], 2.0 / 3.0, eps);
    }
    tml_model_free(m);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        TmlError err = {0};
        char text[512];
        snprintf(text, sizeof text, "trammel: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n%s",
                 wrong[k].text);
        CHECK_INT(t, tml_load_text(text, "m.yaml", 0, NULL, NULL, &m, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, wrong[k].message);
        tml_model_free(m);
    }
}

/* Matrices and transfer functions become states and variables; what does not fit is told. */
TEST(linear_systems)
{
    static const struct {
        const char *entry, *message;
    } wrong[] = {
        {"{inputs: time, numerator: [1, 2, 3], denominator: [1, 1]}", "more coefficients"},
        {"{inputs: time, numerator: [1], denominator: [1, 0]}", "must not be zero"},
        {"{inputs: [time, 2], numerator: [1], denominator: [1, 1]}", "has one input"},
        {"{inputs: time, numerator: [1]}", "belong together"},
        {"{inputs: time}", "give A, or D"},
        {"{inputs: time, A: [[1, 2], [3, 4]], B: [[1]]}", "B has 1 x 1 numbers, not 2 x 1"},
        {"{inputs: time, A: [[1, 2], [3]]}", "rows of equal length"},
        {"{inputs: time, A: [[1]], initial: [1, 2]}", "initial has 2 numbers, not 1"},
        {"{inputs: time, A: [[1]], numerator: [1], denominator: [1, 1]}", "'A' does not go with"},
        {"{input: time, A: [[1]]}", "did you mean 'inputs'"},
    };
    TmlModel *m = load_with(t, "systems:\n"
                               "  lag: {inputs: time, numerator: [1], denominator: [1, 0.5]}\n"
                               "  s: {inputs: [lag], A: [[0, 1], [-1, 0]], B: [[0], [1]],\n"
                               "      C: [1, 0], initial: [2, 3]}\n"
                               "outputs: {y: s.y1 + lag}\n");
    if (m != NULL) {
        CHECK_INT(t, m->states.n, 3);
        CHECK_STR(t, m->states.at[2].name, "s.x2");
        CHECK_NEAR(t, m->states.at[2].initial, 3.0, 0.0);
        CHECK_INT(t, m->variables.n, 4); // u and y of both
        tml_model_free(m);
    }
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char text[512];
        TmlError err = {0};
        m = NULL;
        snprintf(text, sizeof text, "trammel: 1\nsystems:\n  s: %s\n", wrong[k].entry);
        t->name = wrong[k].entry;
        CHECK_INT(t, tml_load_text(text, "model", 0, NULL, NULL, &m, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, wrong[k].message);
        tml_model_free(m);
    }
}

TEST(shapes_are_resolved)
{
    TmlModel *m = load(t, "trammel: 1\nparameters: {L: 2}\n"
                          "bodies:\n"
                          "  b: {mass: 1, inertia: [1, 1, 1], shape: [{box: {size: [L, L/2, 1]}},\n"
                          "      {link: {from: x, to: [0, 0, L], radius: 5 mm, color: red}}]}\n");
    if (m == NULL) {
        return;
    }
    const TmlBody *body = &m->bodies.at[1];
    const TmlBodyShape *shape = &m->looks.at[body->shape0];
    CHECK_INT(t, body->n_shapes, 2);
    CHECK_STR(t, shape[0].shape.type->info.name, "box");
    CHECK_STR(t, shape[1].shape.type->info.name, "capsule"); // between its ends
    CHECK_STR(t, shape[1].color, "red");
    CHECK_NEAR(t, shape[1].place.r.x, 0.5, 0.0);
    CHECK_NEAR(t, shape[1].place.r.z, 1.0, 0.0);
    CHECK_NEAR(t, shape[1].place.A.cz.z / -shape[1].place.A.cz.x, 2.0, 1e-15); // one rounding
    tml_model_free(m);
}

TEST(pieces_of_text_add_up)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK_OK(t, tml_model_add(m, "parameters: {L: 2}", &err), &err);
    CHECK_OK(t, tml_model_add(m, "bodies: {rod: {mass: L, inertia: [1, 1, 1]}}", &err), &err);
    CHECK_OK(t,
             tml_model_add(m,
                           "{\"joints\": {\"pin\": {\"type\": \"revolute\", \"bodies\": "
                           "[\"ground\", \"rod\"], \"at\": [0, 0, \"L\"]}}}",
                           &err),
             &err);
    CHECK_OK(t, tml_model_add(m, "outputs: {a: angle(pin)}", &err), &err);
    CHECK_OK(t, tml_model_finish(m, &err), &err);
    CHECK_INT(t, tml_model_body_count(m), 2);
    CHECK_STR(t, tml_model_body_name(m, 1), "rod");
    CHECK_STR(t, tml_model_joint_name(m, 0), "pin");
    CHECK(t, tml_model_joint_name(m, 1) == NULL && tml_model_body_name(m, -1) == NULL);
    CHECK_INT(t, tml_model_add(m, "parameters: {k: 2}", &err), TML_E_ARGUMENT);
    CHECK_INT(t, tml_model_finish(m, &err), TML_E_ARGUMENT);
    tml_model_free(m);

    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK_INT(t, tml_model_add(m, "joints: {pin: {type: revolute}}", &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "text:1:10: joint 'pin': missing key 'bodies' or 'frames'");
    CHECK_INT(t, tml_model_finish(m, &err), TML_E_MODEL);
    tml_model_free(m);
    tml_model_free(NULL);
}

static void nothing_residual(const TmlElementIn *in, double *phi)
{
    phi[0] = in->e[1].r.x - *(const double *)in->data;
}

static void nothing_jacobian(const TmlElementIn *in, TmlRow *J)
{
    (void)in;
    J[0] = (TmlRow){.r = {0, 0, 0}};
    J[1] = (TmlRow){.r = {1, 0, 0}};
}

static void nothing_gamma(const TmlElementIn *in, double *gamma)
{
    (void)in;
    gamma[0] = 0.0;
}

TEST(types_of_the_caller)
{
    static const TmlParam params[] = {
        {"limit", TML_PARAM_REAL, TML_POSITIVE, "m", 0, "2", "where it stays", NULL}, {0}};
    static const TmlConstraintType type = {
        .info = {.name = "wall", .text = "x stays.", .data_size = sizeof(double), .params = params},
        .ends = TML_ENDS_FRAMES,
        .rows = 1,
        .residual = nothing_residual,
        .jacobian = nothing_jacobian,
        .gamma = nothing_gamma};
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK_OK(t, tml_model_register_constraint(m, &type, &err), &err);
    CHECK_INT(t, tml_model_register_constraint(m, &type, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "already a type 'wall'");
    CHECK_OK(t,
             tml_model_add(m,
                           "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                           "joints: {w: {type: wall, frames: [ground, b]}}\n",
                           &err),
             &err);
    CHECK_OK(t, tml_model_finish(m, &err), &err);
    CHECK_NEAR(t, *(const double *)m->constraints.at[0].data, 2.0, 0.0);
    tml_model_free(m);
}

TEST(ten_thousand_bodies)
{
    TmlModel *m = load(
        t, "trammel: 1\n"
           "bodies:\n"
           "  for i in 1..10000: {'b{i}': {mass: 1, inertia: [1, 1, 1], position: [i, 0, 0]}}\n"
           "joints:\n"
           "  for i in 2..10000:\n"
           "    'j{i}': {type: spherical, bodies: ['b{i-1}', 'b{i}'], at: [i - 0.5, 0, 0]}\n");
    if (m != NULL) {
        CHECK_INT(t, m->bodies.n, 10001);
        CHECK_INT(t, tml_model_find_constraint(m, "j10000"), 9998);
        CHECK_INT(t, tml_model_find_body(m, "b10001"), -1);
    }
    tml_model_free(m);
}

TEST_SUITE(model_read) = {CASE(parameters_in_any_order),
                          CASE(long_chains_of_parameters),
                          CASE(overrides_replace_parameters),
                          CASE(body_state_moves_to_the_centre_of_mass),
                          CASE(inertia_is_about_the_centre_of_mass_in_body_axes),
                          CASE(rotations_agree),
                          CASE(euler_sequences_compose),
                          CASE(ends_are_where_they_were_put),
                          CASE(names_of_any_characters),
                          CASE(loops_repeat_entries),
                          CASE(signals_and_settings),
                          CASE(tables_beyond_their_ends_and_paths),
                          CASE(linear_systems),
                          CASE(shapes_are_resolved),
                          CASE(pieces_of_text_add_up),
                          CASE(types_of_the_caller),
                          CASE(ten_thousand_bodies),
                          {0}};
