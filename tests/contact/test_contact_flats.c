/* tests/contact/test_contact_flats.c - what lies flat: lines and caps on faces, edges and caps.
 *
 * The force of a linear law of stiffness one is followed along paths that tip, slide over edges, and spin. A force
 * without jumps changes by a quarter when steps are a quarter as long. Paths over edges end four depths before what is
 * flat has left them: there the least way out turns from up to sideways.
 */
#include "model/contact/shape/half_space.h"
#include "touch_util.h"

typedef struct Wrench {
    TmlVec3 f, m;
    int n;
} Wrench;

static Wrench wrench_of(const TmlShape *a, const TmlShape *b, const TmlPose *pose)
{
    TmlTouch touch[TML_TOUCH_MAX];
    Wrench w = {.n = tml_touch(a, b, pose, 0.0, touch, NULL)};
    for (int k = 0; k < w.n; ++k) {
        const double part = 1.0 - touch[k].fade;
        if (touch[k].depth > 0.0) {
            w.f = v3_axpy(part * touch[k].depth, touch[k].n, w.f);
            w.m = v3_axpy(part * touch[k].depth, v3_cross(touch[k].p, touch[k].n), w.m);
        }
    }
    return w;
}

/* A way of the second shape over the first, s from 0 to 1: from, to, and turned about an axis by angles from and to. */
typedef struct Path {
    const char *name, *first, *second;
    double data[2][4];
    TmlVec3 start; // of the second's axis
    TmlVec3 r[2];  // the second is lowered along z until it is `deep` in the plane z = top
    TmlVec3 axis;
    double angle[2];
    double top;
} Path;

static const double deep = 1e-3;

static TmlPose along(const Path *p, const TmlShape *b, double s)
{
    const TmlVec3 turn = v3_scale((1.0 - s) * p->angle[0] + s * p->angle[1], v3_unit(p->axis));
    const TmlMat33 A = m3_from_z(p->start, v3(0, 1, 0)), T = q4_matrix(q4_exp(turn));
    TmlPose pose = {.A = m3_mul(&T, &A)};
    int feature;
    const TmlVec3 down = m3_tmulv(&pose.A, v3(0, 0, -1));
    const double reach = v3_dot(down, b->type->support(b->data, down, &feature));
    pose.r = v3_axpy(s, v3_sub(p->r[1], p->r[0]), p->r[0]);
    pose.r.z += p->top + reach - deep;
    return pose;
}

static double largest_jump(const Path *p, const TmlShape *a, const TmlShape *b, int steps)
{
    double most = 0.0;
    Wrench last = {0};
    for (int k = 0; k <= steps; ++k) {
        const TmlPose pose = along(p, b, (double)k / steps);
        const Wrench w = wrench_of(a, b, &pose);
        if (k > 0) {
            most = fmax(most, v3_norm(v3_sub(w.f, last.f)) + v3_norm(v3_sub(w.m, last.m)));
        }
        last = w;
    }
    return most;
}

/* Box: size; cylinder, capsule: radius, length; cone: radius, top radius, length. */
// clang-format off
#define TABLE {0, 0.6, 0.4, 0.2}
#define ROD {0.05, 0.3}
#define DISC {0.1, 0.1}
#define CONE {0.1, 0.06, 0.2}
#define X {1, 0, 0}
#define Y {0, 1, 0}
#define Z {0, 0, 1}
#define STILL {{0, 0, 0}, {0, 0, 0}}
#define QUARTER 1.5707963267948966
static const Path paths[] = {
    {"cylinder tips over", "box", "cylinder", {TABLE, DISC}, Z, STILL, X, {0, QUARTER}, 0.1},
    {"cone tips over", "box", "cone", {TABLE, CONE}, Z, STILL, X, {0, 3.0}, 0.1},
    {"cylinder rocks", "box", "cylinder", {TABLE, DISC}, Z, STILL, {1, 2, 0}, {-0.01, 0.01}, 0.1},
    {"lying cylinder rocks", "box", "cylinder", {TABLE, ROD}, X, STILL, {0.1, 1, 0}, {-0.5, 0.5}, 0.1},
    {"capsule rocks", "box", "capsule", {TABLE, ROD}, X, STILL, Y, {-0.5, 0.5}, 0.1},
    {"along over an edge", "box", "cylinder", {TABLE, ROD}, X, {{0.1, 0, 0}, {0.446, 0, 0}}, X, {0}, 0.1},
    {"sideways over an edge", "box", "cylinder", {TABLE, ROD}, X, {{0, 0.15, 0}, {0, 0.25, 0}}, X, {0}, 0.1},
    {"skew over an edge", "box", "cylinder", {TABLE, ROD}, {1, 0.1, 0}, {{0, 0.1, 0}, {0, 0.25, 0}}, X, {0}, 0.1},
    {"askew over an edge", "box", "cylinder", {TABLE, ROD}, {1, 1, 0}, {{0.1, 0.05, 0}, {0.4, 0.25, 0}}, X, {0}, 0.1},
    {"capsule along over an edge", "box", "capsule", {TABLE, ROD}, X, {{0.1, 0, 0}, {0.5, 0, 0}}, X, {0}, 0.1},
    {"capsule sideways over an edge", "box", "capsule", {TABLE, ROD}, X, {{0, 0.15, 0}, {0, 0.25, 0}}, X, {0}, 0.1},
    {"disc over an edge", "box", "cylinder", {TABLE, DISC}, Z, {{0.1, 0, 0}, {0.396, 0, 0}}, X, {0}, 0.1},
    {"disc over a corner", "box", "cylinder", {TABLE, DISC}, Z, {{0.2, 0.1, 0}, {0.36, 0.26, 0}}, X, {0}, 0.1},
    {"disc spins over an edge", "box", "cylinder", {TABLE, DISC}, Z, {{0.28, 0, 0}, {0.32, 0, 0}}, Z, {0, 1}, 0.1},
    {"disc on disc tips", "cylinder", "cylinder", {{0.2, 0.2}, DISC}, Z, {{0.05, 0, 0}, {0.05, 0, 0}}, X, {0, 0.6}, 0.1},
    {"disc slides off a disc", "cylinder", "cylinder", {{0.2, 0.2}, DISC}, Z, {{0, 0, 0}, {0.296, 0, 0}}, X, {0}, 0.1},
    {"disc spins on a disc", "cylinder", "cylinder", {{0.2, 0.2}, DISC}, Z, {{0.15, 0, 0}, {0.15, 0, 0}}, Z, {0, 1}, 0.1},
    {"cone on a disc", "cylinder", "cone", {{0.2, 0.2}, CONE}, Z, {{0.05, 0, 0}, {0.15, 0, 0}}, X, {0, 0.8}, 0.1},
    {"capsule on a cap", "cylinder", "capsule", {{0.2, 0.2}, ROD}, X, {{0, 0, 0}, {0.3, 0.1, 0}}, Z, {0, 0.4}, 0.1},
    {"capsule rocks on a cap", "cylinder", "capsule", {{0.2, 0.2}, ROD}, X, STILL, Y, {-0.01, 0.04}, 0.1},
    {"cylinder lies on a cap", "cylinder", "cylinder", {{0.2, 0.2}, ROD}, X, {{0, 0, 0}, {0.3, 0.1, 0}}, Z, {0, 0.4}, 0.1},
    {"cylinder rocks on a cap", "cylinder", "cylinder", {{0.2, 0.2}, ROD}, X, STILL, Y, {-0.01, 0.04}, 0.1},
    {"cylinder tips over on a plane", "half_space", "cylinder", {{0}, DISC}, Z, STILL, X, {0, QUARTER}, 0},
    {"cone tips over on a plane", "half_space", "cone", {{0}, CONE}, Z, STILL, X, {0, 3.0}, 0},
    {"cylinder slides over a plane", "half_space", "cylinder", {{0}, ROD}, X, {{0, 0, 0}, {30, -20, 0}}, Z, {0, 9}, 0},
};
// clang-format on

static void fill(const char *type, const double *from, ShapeData *data, TmlShape *shape)
{
    *shape = (TmlShape){tml_find_shape_type(type), data};
    *data = (ShapeData){0};
    if (strcmp(type, "half_space") == 0) {
        *(int *)(void *)data = TML_HALF_SPACE_FEET;
    }
    int k = strcmp(type, "box") == 0 ? 1 : 0;
    for (const TmlParam *p = shape->type->info.params; p->name != NULL; ++p) {
        double *at = (double *)(void *)(data->bytes + p->offset);
        for (int i = 0; p->kind != TML_PARAM_CHOICE && i < (p->kind == TML_PARAM_VEC3 ? 3 : 1);
             ++i) {
            at[i] = from[k++];
        }
    }
}

TEST(no_jumps)
{
    for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k) {
        ShapeData da, db;
        TmlShape a, b;
        t->name = paths[k].name;
        fill(paths[k].first, paths[k].data[0], &da, &a);
        fill(paths[k].second, paths[k].data[1], &db, &b);
        const int steps = strcmp(paths[k].first, "cylinder") == 0 ? 100 : 400;
        const double coarse = largest_jump(&paths[k], &a, &b, steps);
        const double fine = largest_jump(&paths[k], &a, &b, 4 * steps);
        // a quarter, and half as much again for steps that meet a steep place in another way
        if (!(fine < 0.4 * coarse + 1e-3 * deep)) {
            test_fail(t, __FILE__, __LINE__, "changes by %g of the force, %g with shorter steps",
                      coarse / deep, fine / deep);
        }
    }
    t->name = NULL;
}

/* --- points that are known ----------------------------------------------------------------------- */

typedef struct Known {
    const char *second;
    double data[3];
    TmlVec3 r, z, p, n; // z: where the axis of the second points
    double depth, curvature[2];
} Known;

#define HALF 0.70710678118654752
#define THIRD 0.57735026918962576
// clang-format off
static const Known known[] = {
    // the lowest point of an ellipsoid; curvatures c / a^2
    {"ellipsoid", {0.05, 0.04, 0.03}, {0.1, 0.05, 0.129}, Z, {0.1, 0.05, 0.0995}, Z, 1e-3, {12.0, 18.75}},
    // a tip
    {"cone", {0.05, 0, 0.2}, {0.1, 0.05, 0.199}, {0, 0, -1}, {0.1, 0.05, 0.0995}, Z, 1e-3, {HUGE_VAL, HUGE_VAL}},
    // sides across the edge along x at 45 degrees; the edge is round in none of its directions
    {"capsule", {0.05, 0.3, 0}, {0.07, 0.2 + 0.049 * HALF, 0.1 + 0.049 * HALF}, {0, 1, -1},
     {0.07, 0.2 - 5e-4 * HALF, 0.1 - 5e-4 * HALF}, {0, HALF, HALF}, 1e-3, {20.0, HUGE_VAL}},
    {"cylinder", {0.05, 0.3, 0}, {0.07, 0.2 + 0.049 * HALF, 0.1 + 0.049 * HALF}, {0, 1, -1},
     {0.07, 0.2 - 5e-4 * HALF, 0.1 - 5e-4 * HALF}, {0, HALF, HALF}, 1e-3, {20.0, HUGE_VAL}},
    // a cap on a corner
    {"cylinder", {0.2, 0.2, 0}, {0.3 + 0.099 * THIRD, 0.2 + 0.099 * THIRD, 0.1 + 0.099 * THIRD}, {1, 1, 1},
     {0.3 - 5e-4 * THIRD, 0.2 - 5e-4 * THIRD, 0.1 - 5e-4 * THIRD}, {THIRD, THIRD, THIRD}, 1e-3, {HUGE_VAL, HUGE_VAL}},
    // a rim on the face, the axis leaning by 45 degrees: along the rim n_rho / R
    {"cylinder", {0.05, 0.1, 0}, {0, 0, 0.1 + 0.1 * HALF - 1e-3}, {0, 1, 1}, {0, 0, 0.0995}, Z, 1e-3, {20.0 * HALF, HUGE_VAL}},
    // apart: a round end beside the side face
    {"capsule", {0.05, 0.3, 0}, {0.3 + 0.15 + 0.051, 0, 0}, X, {0.3 + 5e-4, 0, 0}, X, -1e-3, {20.0, 20.0}},
};
// clang-format on

TEST(points_on_a_box)
{
    const double box[4] = TABLE;
    ShapeData da;
    TmlShape a;
    fill("box", box, &da, &a);
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
        const Known *o = &known[k];
        const TmlShape b = {tml_find_shape_type(o->second), o->data};
        const TmlPose pose = {o->r, m3_from_z(v3_unit(o->z), v3(0, 1, 0.1))};
        TmlTouch touch[TML_TOUCH_MAX];
        t->name = o->second;
        CHECK_INT(t, tml_touch(&a, &b, &pose, 0.01, touch, NULL), 1);
        // rounding of places of 0.3 m
        CHECK_NEAR(t, touch[0].depth, o->depth, 1e-15);
        CHECK_NEAR(t, v3_norm(v3_sub(touch[0].p, o->p)), 0.0, 1e-15);
        CHECK_NEAR(t, v3_norm(v3_sub(touch[0].n, o->n)), 0.0, 1e-14);
        for (int i = 0; i < 2; ++i) {
            CHECK(t, touch[0].curvature[i] == o->curvature[i] ||
                         fabs(touch[0].curvature[i] - o->curvature[i]) < 1e-11 * o->curvature[i]);
        }
    }
    t->name = NULL;
}

/* A disc that stands: four feet at half of the radius times sqrt(2), by (D1) of a polygon of 16 corners. */
TEST(feet_of_a_cap)
{
    const double box[4] = TABLE, disc[2] = DISC;
    ShapeData da, db;
    TmlShape a, b;
    fill("box", box, &da, &a);
    fill("cylinder", disc, &db, &b);
    const TmlPose pose = {{0.05, 0.02, 0.149}, m3_identity()};
    TmlTouch touch[TML_TOUCH_MAX];
    CHECK_INT(t, tml_touch(&a, &b, &pose, 0.01, touch, NULL), 4);
    // second moment over area of a regular polygon of n corners: R^2 (2 + cos(2 pi / n)) / 12
    const double out = sqrt(2.0 * 0.01 * (2.0 + cos(6.283185307179586 / 16.0)) / 12.0);
    for (int k = 0; k < 4; ++k) {
        // rounding of places of 0.1 m
        CHECK_NEAR(t, touch[k].depth, 1e-3, 1e-16);
        CHECK_NEAR(t, touch[k].fade, 0.75, 1e-15);
        CHECK_NEAR(t, hypot(touch[k].p.x - 0.05, touch[k].p.y - 0.02), out, 1e-15);
    }
}

/* The hull of the corners of a box is the box. */
TEST(hull_of_a_box)
{
    TmlArena arena = {0};
    TmlError err = {0};
    double corner[24];
    for (int k = 0; k < 24; ++k) {
        const double size[3] = {0.6, 0.4, 0.2};
        corner[k] = (k / 3 >> k % 3 & 1) != 0 ? 0.5 * size[k % 3] : -0.5 * size[k % 3];
    }
    HullFixture data = {.vertices = {24, corner}, .scale = 1.0};
    const double box[4] = TABLE,
                 of[4][3] = {{0.05, 0.3}, {0.05, 0.3}, {0.1, 0.06, 0.2}, {0.1, 0.07, 0.05}};
    const char *const type[4] = {"capsule", "cylinder", "cone", "ellipsoid"};
    ShapeData da;
    TmlShape a;
    const TmlShape hull = {tml_find_shape_type("hull"), &data};
    fill("box", box, &da, &a);
    CHECK_OK(t, tml_shape_prepare(hull.type, &data, &arena, NULL, &err), &err);
    for (int k = 0; k < 800; ++k) {
        const TmlShape b = {tml_find_shape_type(type[k % 4]), of[k % 4]};
        TmlPose pose = {v3_scale(0.5, test_vec3(t)), q4_matrix(test_quat(t))};
        if (pose_to_depth(&a, &b, &pose, 1e-3, 1.0)) {
            const Wrench x = wrench_of(&a, &b, &pose), y = wrench_of(&hull, &b, &pose);
            CHECK_NEAR(t, v3_norm(v3_sub(x.f, y.f)), 0.0, 1e-14); // rounding of places
            CHECK_NEAR(t, v3_norm(v3_sub(x.m, y.m)), 0.0, 1e-14);
            TmlTouch touch[TML_TOUCH_MAX];
            const int n = tml_touch(&a, &b, &pose, 1.0, touch, NULL);
            double share = 0.0;
            for (int i = 0; i < n; ++i) {
                share += 1.0 - touch[i].fade;
            }
            CHECK_NEAR(t, share, 1.0, 1e-12); // rounding
        }
    }
    tml_arena_free(&arena);
}

/* The rate of the force of unit stiffness along the normals, by one variable. */
static double force_rate(int n, const TmlTouch *x, const TmlTouchRate *dx, int variable)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        if (x[k].depth > 0.0) {
            sum += (1.0 - x[k].fade) * dx[k].depth[variable] - x[k].depth * dx[k].fade[variable];
        }
    }
    return sum;
}

/* A half-space with feet and the top of a large box have the same force and torque, with their derivatives. */
TEST(planes_have_the_feet_of_faces)
{
    const double size[4] = {0, 4, 4, 4}, rod[3] = {0.05, 0.3}, cone[3] = CONE;
    ShapeData da, df, db;
    TmlShape box, plane, b;
    int n_all = 0;
    fill("box", size, &da, &box);
    fill("half_space", size, &df, &plane);
    for (int k = 0; k < 400; ++k) {
        TmlTouch x[TML_TOUCH_MAX], y[TML_TOUCH_MAX];
        TmlTouchRate dx[TML_TOUCH_MAX], dy[TML_TOUCH_MAX];
        const TmlVec3 lean = v3_scale(k % 4 == 0 ? 1.0 : 0.02, test_vec3(t));
        fill(k % 2 == 0 ? "cylinder" : "cone", k % 2 == 0 ? rod : cone, &db, &b);
        TmlPose pose = {v3_scale(0.1, test_vec3(t)),
                        m3_from_z(v3_unit(v3_add(lean, v3(0, 0, k % 3 == 0))), v3(0.3, 1, 0.1))};
        int feature;
        const TmlVec3 down = m3_tmulv(&pose.A, v3(0, 0, -1)), up = v3(0, 0, 2);
        pose.r.z =
            v3_dot(down, b.type->support(b.data, down, &feature)) - test_random(t, -1, 3) * deep;
        const TmlPose above = {v3_add(pose.r, up), pose.A};
        const int n = tml_touch(&plane, &b, &pose, 0.01, x, dx);
        CHECK_INT(t, tml_touch(&box, &b, &above, 0.01, y, dy), n);
        n_all += n;
        const Wrench u = wrench_of(&plane, &b, &pose), v = wrench_of(&box, &b, &above);
        const TmlVec3 m = v3_sub(v.m, v3_cross(up, v.f));
        // rounding of places of 2 m, 4e-16; torques have arms of 2 m
        CHECK_NEAR(t, v3_norm(v3_sub(u.f, v.f)), 0.0, 2e-15);
        CHECK_NEAR(t, v3_norm(v3_sub(u.m, m)), 0.0, 1e-14);
        for (int j = 0; j < TML_TOUCH_VARIABLES; ++j) {
            // places of feet that are about to vanish turn rounding into 1e6 of it
            CHECK_NEAR(t, force_rate(n, x, dx, j), force_rate(n, y, dy, j), 1e-9);
        }
    }
    CHECK(t, n_all > 400);
}

TEST_SUITE(contact_flats) = {CASE(no_jumps),
                             CASE(points_on_a_box),
                             CASE(feet_of_a_cap),
                             CASE(hull_of_a_box),
                             CASE(planes_have_the_feet_of_faces),
                             {0}};
