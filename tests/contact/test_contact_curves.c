/* tests/contact/test_contact_curves.c - plane curves that touch in their plane, against what is known by hand.
 *
 * Each limit is rounding of lengths of 0.1 m, unless a comment says otherwise.
 */
#include "touch_util.h"

#include "model/contact/shape/profile/profile.h"

/* Data of an extrusion as the reader lays them out. */
typedef struct Curve {
    TmlProfileData head;
    double thickness;
    int touches;
} Curve;

static TmlShape curve(TestCtx *t, Curve *data, int n, const double *points, const double *bulges,
                      TmlArena *arena)
{
    TmlError err = {0};
    const TmlShape s = {tml_find_shape_type("extrusion"), data};
    *data = (Curve){.head = {.points = {2 * n, points}, .bulges = {bulges != NULL ? n : 0, bulges}},
                    .thickness = 0.1,
                    .touches = 1};
    CHECK_OK(t, s.type->check(data, &err), &err);
    CHECK_OK(t, tml_shape_prepare(s.type, data, arena, NULL, &err), &err);
    return s;
}

static TmlPose in_plane(double x, double y, double angle)
{
    return (TmlPose){v3(x, y, 0.0), q4_matrix(q4_exp(v3(0, 0, angle)))};
}

enum { ARCS = 7 };

/* A circle of arcs of different lengths. */
static void circle(double R, double points[2 * ARCS], double bulges[ARCS])
{
    static const double at[ARCS + 1] = {0.0, 0.6, 1.7, 2.0, 3.3, 4.6, 5.1, 6.283185307179586};
    for (int k = 0; k < ARCS; ++k) {
        points[2 * k] = R * cos(at[k]);
        points[2 * k + 1] = R * sin(at[k]);
        bulges[k] = tan(0.25 * (at[k + 1] - at[k]));
    }
}

/* Wherever the arcs begin and end, two circles and a circle on a plane have the one point of balls. */
TEST(circles_are_balls)
{
    TmlArena arena = {0};
    double points[2][2 * ARCS], bulges[2][ARCS];
    const double R[2] = {0.1, 0.06};
    Curve data[2];
    TmlShape c[2];
    const TmlShape plane = {tml_find_shape_type("half_space"), NULL};
    for (int k = 0; k < 2; ++k) {
        circle(R[k], points[k], bulges[k]);
        c[k] = curve(t, &data[k], ARCS, points[k], bulges[k], &arena);
    }
    for (int k = 0; k < 4000; ++k) {
        TmlTouch x[TML_TOUCH_MAX];
        // a third of them with joints of arcs of both on the line of centres
        const double seam = k % 3 == 0 ? 0.0 : test_random(t, 0, 7),
                     gap = test_random(t, -9e-3, 4e-3);
        const double far = R[0] + R[1] + gap, turn = seam + (k % 3 == 0 ? 3.141592653589793 : 1.0);
        const TmlPose pose = in_plane(far * cos(seam), far * sin(seam), turn);
        const TmlVec3 n = v3(cos(seam), sin(seam), 0.0);
        CHECK_INT(t, tml_touch(&c[0], &c[1], &pose, 0.005, x, NULL), 1);
        CHECK_NEAR(t, x[0].depth, -gap, 1e-15);
        CHECK_NEAR(t, v3_norm(v3_sub(x[0].n, n)), 0.0, 1e-14);
        CHECK_NEAR(t, v3_norm(v3_sub(x[0].p, v3_scale(R[0] + 0.5 * gap, n))), 0.0, 1e-15);
        CHECK_NEAR(t, x[0].curvature[1], 1.0 / R[0] + 1.0 / R[1], 1e-11);
        // upright on the plane: z of the circle along y
        TmlPose upright = {v3(0.3, 0, R[0] + gap),
                           m3_from_z(v3(0, 1, 0), v3(cos(turn), 0, sin(turn)))};
        CHECK_INT(t, tml_touch(&plane, &c[0], &upright, 0.005, x, NULL), 1);
        CHECK_NEAR(t, x[0].depth, -gap, 1e-15);
        CHECK_NEAR(t, v3_norm(v3_sub(x[0].p, v3(0.3, 0, 0.5 * gap))), 0.0, 1e-15);
    }
    tml_arena_free(&arena);
}

/* A square of 0.1 m with a hollow of radius 0.03 m in its upper side, and a disc of 0.02 m in it; a corner of
 * another square on a side. */
TEST(hollows_and_corners)
{
    TmlArena arena = {0};
    static const double bed[] = {-0.05, -0.05, 0.05,  -0.05, 0.05,  0.05,
                                 0.03,  0.05,  -0.03, 0.05,  -0.05, 0.05};
    static const double hollow[] = {0, 0, 0, -1, 0, 0};
    static const double square[] = {-0.02, -0.02, 0.02, -0.02, 0.02, 0.02, -0.02, 0.02};
    double points[2 * ARCS], bulges[ARCS];
    Curve data[3];
    circle(0.02, points, bulges);
    const TmlShape a = curve(t, &data[0], 6, bed, hollow, &arena);
    const TmlShape disc = curve(t, &data[1], ARCS, points, bulges, &arena);
    const TmlShape block = curve(t, &data[2], 4, square, NULL, &arena);
    TmlTouch x[TML_TOUCH_MAX];
    for (int k = 0; k < 200; ++k) {
        // pressed into the hollow along a direction below
        const double angle = test_random(t, 3.4, 6.0), depth = test_random(t, 1e-4, 2e-3);
        const TmlVec3 n = v3(-cos(angle), -sin(angle), 0.0); // out of the bed
        const TmlPose pose = in_plane((0.01 + depth) * cos(angle),
                                      0.05 + (0.01 + depth) * sin(angle), test_random(t, 0, 6));
        CHECK_INT(t, tml_touch(&a, &disc, &pose, 0.0, x, NULL), 1);
        CHECK_NEAR(t, x[0].depth, depth, 1e-15);
        CHECK_NEAR(t, v3_norm(v3_sub(x[0].n, n)), 0.0, 1e-13);
        CHECK_NEAR(t, x[0].curvature[1], 1.0 / 0.02 - 1.0 / 0.03, 1e-10);
    }
    // a corner at 45 degrees in the right side, 1 mm deep
    const TmlPose tip = in_plane(0.05 + 0.02 * sqrt(2.0) - 1e-3, 0.011, 0.25 * 3.141592653589793);
    CHECK_INT(t, tml_touch(&a, &block, &tip, 0.0, x, NULL), 1);
    CHECK_NEAR(t, x[0].depth, 1e-3, 1e-16);
    CHECK_NEAR(t, v3_norm(v3_sub(x[0].n, v3(1, 0, 0))), 0.0, 1e-15);
    CHECK_NEAR(t, v3_norm(v3_sub(x[0].p, v3(0.0495, 0.011, 0))), 0.0, 1e-15);
    // flat on the side: both corners, as deep; swapped it is the same with the other normal
    const TmlPose flat = in_plane(0.069, 0.011, 0.0), back = in_plane(-0.069, -0.011, 0.0);
    CHECK_INT(t, tml_touch(&a, &block, &flat, 0.0, x, NULL), 2);
    CHECK_NEAR(t, x[0].depth + x[1].depth, 2e-3, 1e-16);
    CHECK_INT(t, tml_touch(&block, &a, &back, 0.0, x, NULL), 2);
    CHECK_NEAR(t, x[0].n.x + x[1].n.x, -2.0, 1e-15);
    // beside each other and far away
    const TmlPose apart = in_plane(0.08, 0.0, 0.3);
    CHECK_INT(t, tml_touch(&a, &block, &apart, 1e-4, x, NULL), 0);
    tml_arena_free(&arena);
}

static const TmlTouch *same(const TmlTouch *x, int n, uint64_t id)
{
    for (int k = 0; k < n; ++k) {
        if (x[k].id == id) {
            return &x[k];
        }
    }
    return NULL;
}

/* Derivatives by all six variables against differences, of circles, lines and corners, and on a plane. */
TEST(rates_of_curves)
{
    TmlArena arena = {0};
    static const double square[] = {-0.08, -0.06, 0.08, -0.06, 0.08, 0.06, -0.08, 0.06};
    static const double bulge[] = {0.2, -0.1, 0, 0.3};
    double points[2 * ARCS], bulges[ARCS];
    Curve data[2];
    circle(0.05, points, bulges);
    const TmlShape a = curve(t, &data[0], 4, square, bulge, &arena);
    const TmlShape b = curve(t, &data[1], ARCS, points, bulges, &arena);
    const TmlShape plane = {tml_find_shape_type("half_space"), NULL};
    const TmlShape *const pair[4][2] = {{&a, &b}, {&a, &a}, {&plane, &a}, {&b, &a}};
    int compared = 0;
    const double h = 1e-6;
    for (int k = 0; k < 600; ++k) {
        const TmlShape *const *p = pair[k % 4];
        const double way = test_random(t, 0, 6.3), far = test_random(t, 0.09, 0.17);
        TmlPose pose = in_plane(far * cos(way), far * sin(way), test_random(t, 0, 6));
        if (p[0] == &plane) {
            pose = (TmlPose){v3(0, 0, far - 0.06),
                             m3_from_z(v3(0.1, 1, 0.2), v3(cos(way), 0, sin(way)))};
        }
        TmlTouch x[TML_TOUCH_MAX], up[TML_TOUCH_MAX], down[TML_TOUCH_MAX];
        TmlTouchRate rate[TML_TOUCH_MAX];
        const int n = tml_touch(p[0], p[1], &pose, 0.01, x, rate);
        for (int v = 0; v < TML_TOUCH_VARIABLES; ++v) {
            const TmlPose pu = pose_moved(&pose, v, h), pd = pose_moved(&pose, v, -h);
            const int nu = tml_touch(p[0], p[1], &pu, 0.01, up, NULL);
            const int nd = tml_touch(p[0], p[1], &pd, 0.01, down, NULL);
            for (int i = 0; i < n; ++i) {
                const TmlTouch *u = same(up, nu, x[i].id), *d = same(down, nd, x[i].id);
                if (u != NULL && d != NULL) {
                    const TmlVec3 dp = v3_scale(0.5 / h, v3_sub(u->p, d->p));
                    const TmlVec3 dn = v3_scale(0.5 / h, v3_sub(u->n, d->n));
                    // h^2 times third derivatives, at corners 3 mm apart (300/m)^3, and rounding over h
                    CHECK_NEAR(t, v3_norm(v3_sub(rate[i].p[v], dp)), 0.0, 1e-6);
                    CHECK_NEAR(t, v3_norm(v3_sub(rate[i].n[v], dn)), 0.0, 1e-4);
                    CHECK_NEAR(t, rate[i].depth[v], 0.5 * (u->depth - d->depth) / h, 1e-7);
                    compared++;
                }
            }
        }
    }
    CHECK(t, compared > 1000);
    tml_arena_free(&arena);
}

TEST_SUITE(contact_curves) = {
    CASE(circles_are_balls), CASE(hollows_and_corners), CASE(rates_of_curves), {0}};
