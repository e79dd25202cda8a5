/* tests/contact/test_touch_exact.c - pairs of shapes with known answers, and forces that stay continuous. */
#include "touch_util.h"

static const double pi = 3.14159265358979323846;

/* Rounding of lengths around 1. */
static const double tiny = 1e-13;

static int touch_of(const char *a, const double *da, const char *b, const double *db, TmlPose pose,
                    TmlTouch *touch, TmlTouchRate *rate)
{
    const TmlShape first = {tml_find_shape_type(a), da}, second = {tml_find_shape_type(b), db};
    return tml_touch(&first, &second, &pose, 0.5, touch, rate);
}

static TmlMat33 turn(TmlVec3 axis, double angle)
{
    return q4_matrix(q4_exp(v3_scale(angle, axis)));
}

static const TmlVec3 ex = {1, 0, 0}, ey = {0, 1, 0};

typedef struct Known {
    const char *a, *b;
    double da[3], db[3];
    TmlVec3 r, turn; /* of the second: a rotation vector */
    TmlVec3 p, n;
    double depth, curvature[2];
} Known;

#define QUARTER 1.57079632679489662
static const Known known[] = {
    {"half_space",
     "sphere",
     {0},
     {0.5},
     {1, 2, 0.4},
     {0, 0, 0},
     {1, 2, -0.05},
     {0, 0, 1},
     0.1,
     {2, 2}},
    {"half_space",
     "ellipsoid",
     {0},
     {0.5, 0.4, 0.2},
     {0, 0, 0.45},
     {0, QUARTER, 0},
     {0, 0, -0.025},
     {0, 0, 1},
     0.05,
     {0.5 / 0.16, 0.5 / 0.04}},
    {"half_space",
     "torus",
     {0},
     {0.5, 0.1},
     {1, 2, 0.58},
     {QUARTER, 0, 0},
     {1, 2, -0.01},
     {0, 0, 1},
     0.02,
     {1 / 0.6, 10}},
    {"sphere",
     "sphere",
     {0.5},
     {0.25},
     {0, 0.7, 0},
     {0, 0, 0},
     {0, 0.475, 0},
     {0, 1, 0},
     0.05,
     {6, 6}},
    {"capsule",
     "sphere",
     {0.2, 1},
     {0.1},
     {0.29, 0, 0.3},
     {0, 0, 0},
     {0.195, 0, 0.3},
     {1, 0, 0},
     0.01,
     {10, 15}},
    {"capsule",
     "sphere",
     {0.2, 1},
     {0.1},
     {0, 0, 0.79},
     {0, 0, 0},
     {0, 0, 0.695},
     {0, 0, 1},
     0.01,
     {15, 15}},
    {"cylinder",
     "sphere",
     {0.2, 1},
     {0.1},
     {0.29, 0, 0.3},
     {0, 0, 0},
     {0.195, 0, 0.3},
     {1, 0, 0},
     0.01,
     {10, 15}},
    {"cylinder",
     "sphere",
     {0.2, 1},
     {0.1},
     {0.1, 0, 0.59},
     {0, 0, 0},
     {0.1, 0, 0.495},
     {0, 0, 1},
     0.01,
     {10, 10}},
    // on the rim, 0.03 out and 0.04 up: 3, 4, 5; along it 0.6 / 0.2
    {"cylinder",
     "sphere",
     {0.2, 1},
     {0.06},
     {0.23, 0, 0.54},
     {0, 0, 0},
     {0.197, 0, 0.496},
     {0.6, 0, 0.8},
     0.01,
     {3 + 1 / 0.06, HUGE_VAL}},
    // a cone of 45 degrees: normal (1, 0, 1)/sqrt(2), radius 0.5 at its middle, curvature cos 45 / radius
    {"cone",
     "sphere",
     {1, 0, 1},
     {0.1},
     {0.5 + 0.08 * 0.70710678118654752, 0, 0.08 * 0.70710678118654752},
     {0, 0, 0},
     {0.5 - 0.01 * 0.70710678118654752, 0, -0.01 * 0.70710678118654752},
     {0.70710678118654752, 0, 0.70710678118654752},
     0.02,
     {10, 10 + 1.41421356237309505}},
    {"ellipsoid",
     "sphere",
     {0.5, 0.4, 0.2},
     {0.1},
     {0.59, 0, 0},
     {0, 0, 0},
     {0.495, 0, 0},
     {1, 0, 0},
     0.01,
     {10 + 0.5 / 0.16, 10 + 0.5 / 0.04}},
    // on the inner side of a ring: -1/0.4 along it
    {"torus",
     "sphere",
     {0.5, 0.1},
     {0.2},
     {0.21, 0, 0},
     {0, 0, 0},
     {0.405, 0, 0},
     {-1, 0, 0},
     0.01,
     {5 - 2.5, 15}},
    {"bore",
     "sphere",
     {0.5, 1},
     {0.2},
     {0, 0.31, 0.2},
     {0, 0, 0},
     {0, 0.505, 0.2},
     {0, -1, 0},
     0.01,
     {3, 5}},
    // crossed at right angles; the second lies along y
    {"capsule",
     "capsule",
     {0.2, 1},
     {0.1, 1},
     {0.29, 0.1, 0.2},
     {QUARTER, 0, 0},
     {0.195, 0, 0.2},
     {1, 0, 0},
     0.01,
     {5, 10}},
    {"cylinder",
     "cylinder",
     {0.2, 1},
     {0.1, 1},
     {0.29, 0.1, 0.2},
     {QUARTER, 0, 0},
     {0.195, 0, 0.2},
     {1, 0, 0},
     0.01,
     {5, 10}},
    {"capsule",
     "cylinder",
     {0.2, 1},
     {0.1, 1},
     {0.29, 0.1, 0.2},
     {QUARTER, 0, 0},
     {0.195, 0, 0.2},
     {1, 0, 0},
     0.01,
     {5, 10}},
    // tip to tip
    {"ellipsoid",
     "ellipsoid",
     {0.5, 0.4, 0.2},
     {0.3, 0.25, 0.6},
     {0, 0, 0.79},
     {0, 0, 0},
     {0, 0, 0.195},
     {0, 0, 1},
     0.01,
     {0.2 / 0.25 + 0.6 / 0.09, 0.2 / 0.16 + 0.6 / 0.0625}},
    {"cylinder",
     "ellipsoid",
     {0.5, 1},
     {0.3, 0.25, 0.2},
     {0.1, 0, 0.69},
     {0, 0, 0},
     {0.1, 0, 0.495},
     {0, 0, 1},
     0.01,
     {0.2 / 0.09, 0.2 / 0.0625}},
    {"capsule",
     "ellipsoid",
     {0.2, 1},
     {0.3, 0.25, 0.2},
     {0.49, 0, 0.3},
     {0, 0, 0},
     {0.195, 0, 0.3},
     {1, 0, 0},
     0.01,
     {0.3 / 0.04, 0.3 / 0.0625 + 5}},
    // the tip of a cone on the cap of a cylinder
    {"cylinder",
     "cone",
     {0.5, 1},
     {0.3, 0, 0.8},
     {0.1, 0.1, 0.89},
     {2 * QUARTER, 0, 0},
     {0.1, 0.1, 0.495},
     {0, 0, 1},
     0.01,
     {HUGE_VAL, HUGE_VAL}},
    {"cone",
     "ellipsoid",
     {0.3, 0, 0.8},
     {0.3, 0.25, 0.2},
     {0, 0, 0.59},
     {0, 0, 0},
     {0, 0, 0.395},
     {0, 0, 1},
     0.01,
     {HUGE_VAL, HUGE_VAL}},
    // tip to tip, apart: two tips that overlap part sideways
    {"cone",
     "cone",
     {0.3, 0, 0.8},
     {0.3, 0, 0.8},
     {0, 0, 0.81},
     {2 * QUARTER, 0, 0},
     {0, 0, 0.405},
     {0, 0, 1},
     -0.01,
     {HUGE_VAL, HUGE_VAL}},
    {"capsule",
     "cone",
     {0.2, 1},
     {0.3, 0, 0.8},
     {0, 0, 1.09},
     {2 * QUARTER, 0, 0},
     {0, 0, 0.695},
     {0, 0, 1},
     0.01,
     {HUGE_VAL, HUGE_VAL}},
};

static bool near(double a, double b)
{
    return a == b || fabs(a - b) <= tiny * (1.0 + fabs(b) * 10.0);
}

TEST(known_points)
{
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
        const Known *o = &known[k];
        TmlTouch got[TML_TOUCH_MAX];
        const TmlPose pose = {o->r, q4_matrix(q4_exp(o->turn))};
        char name[80];
        snprintf(name, sizeof name, "%s-%s (line %d)", o->a, o->b, (int)k);
        t->name = name;
        const int n = touch_of(o->a, o->da, o->b, o->db, pose, got, NULL);
        CHECK(t, n >= 1);
        CHECK_NEAR(t, v3_norm(v3_sub(got[0].p, o->p)), 0.0, tiny);
        CHECK_NEAR(t, v3_norm(v3_sub(got[0].n, o->n)), 0.0, tiny);
        CHECK_NEAR(t, got[0].depth, o->depth, tiny);
        CHECK_NEAR(t, got[0].fade, 0.0, 0.0);
        CHECK(t, near(got[0].curvature[0], o->curvature[0]));
        CHECK(t, near(got[0].curvature[1], o->curvature[1]));
    }
    t->name = NULL;
}

TEST(two_ends)
{
    const double rod[2] = {0.2, 1.0}, other[2] = {0.1, 0.6}, bore[2] = {0.21, 0.6};
    const char *const names[2] = {"capsule", "cylinder"};
    TmlTouch got[TML_TOUCH_MAX];
    // on a plane, one end lower by sin 0.1
    const TmlPose tilted = {v3(0, 0, 0.15), turn(ey, 2 * QUARTER / 2 + 0.1)};
    CHECK_INT(t, touch_of("half_space", NULL, "capsule", rod, tilted, got, NULL), 2);
    CHECK_NEAR(t, fmax(got[0].depth, got[1].depth), 0.05 + 0.5 * sin(0.1), tiny);
    CHECK_NEAR(t, fmin(got[0].depth, got[1].depth), 0.05 - 0.5 * sin(0.1), tiny);
    for (int k = 0; k < 2; ++k) {
        // side by side: the second covers z from -0.1 to 0.5
        const TmlPose beside = {v3(0.28, 0, 0.2), m3_identity()};
        CHECK_INT(t, touch_of(names[k], rod, names[k], other, beside, got, NULL), 2);
        CHECK_NEAR(t, got[0].p.z + got[1].p.z, 0.4, tiny);
        CHECK_NEAR(t, fabs(got[0].p.z - got[1].p.z), 0.6, tiny);
        CHECK_NEAR(t, got[0].depth, 0.02, tiny);
        CHECK_NEAR(t, got[1].fade, 0.5, tiny);
        // a pin with 10 mm of play, 12 mm aside
        const TmlPose inside = {v3(0, 0.012, 0), m3_identity()};
        CHECK_INT(t, touch_of("bore", bore, names[k], rod, inside, got, NULL), 2);
        CHECK_NEAR(t, got[0].depth, 0.002, tiny);
        CHECK_NEAR(t, got[0].n.y, -1.0, tiny);
        CHECK_NEAR(t, got[0].p.y, 0.211, tiny);
        CHECK_NEAR(t, got[0].p.z, -0.3, tiny); // the bore ends on the pin
        CHECK_NEAR(t, got[0].fade, 0.5, tiny);
        CHECK_NEAR(t, got[0].curvature[1], 5.0 - 1.0 / 0.21, 1e-12); // rounding
    }
}

/* Force per stiffness, moments about x and y, of all touches; and their derivatives when asked. */
typedef struct Sum {
    double force, mx, my, by[3][TML_TOUCH_VARIABLES];
} Sum;

static Sum sum_of(const char *a, const double *da, const char *b, const double *db, TmlPose pose)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    Sum s = {0};
    const int n = touch_of(a, da, b, db, pose, touch, rate);
    for (int k = 0; k < n; ++k) {
        const TmlTouch *o = &touch[k];
        const double f = o->size > 0.0 ? o->size : fmax(o->depth, 0.0), part = f * (1.0 - o->fade);
        s.force += part;
        s.mx += part * o->p.y;
        s.my += part * o->p.x;
        for (int i = 0; i < TML_TOUCH_VARIABLES; ++i) {
            const double df = o->size > 0.0    ? rate[k].size[i]
                              : o->depth > 0.0 ? rate[k].depth[i]
                                               : 0.0;
            const double d = df * (1.0 - o->fade) - f * rate[k].fade[i];
            s.by[0][i] += d;
            s.by[1][i] += d * o->p.y + part * rate[k].p[i].y;
            s.by[2][i] += d * o->p.x + part * rate[k].p[i].x;
        }
    }
    return s;
}

TEST(overlap_of_a_cylinder_is_exact)
{
    const double can[2] = {0.3, 0.8}, d = 0.02;
    const TmlPose lying = {v3(0, 0, 0.3 - d), turn(ex, QUARTER)},
                  standing = {v3(1, 2, 0.4 - d), m3_identity()};
    const double f = acos(1.0 - d / 0.3);
    const Sum line = sum_of("half_space", NULL, "cylinder", can, lying);
    CHECK_NEAR(t, line.force, 0.8 * 0.09 * (f - sin(f) * cos(f)), 1e-15); // rounding of 0.01
    CHECK_NEAR(t, line.mx, 0.0, 1e-15);
    const Sum face = sum_of("half_space", NULL, "cylinder", can, standing);
    CHECK_NEAR(t, face.force, pi * 0.09 * d, 1e-15);
    CHECK_NEAR(t, face.my, face.force * 1.0, 1e-15);
    CHECK_NEAR(t, face.mx, face.force * 2.0, 1e-15);
    // resists being turned about x as uniform springs do: pi R^4 / 4; the cap swings aside with its load
    const double arm = 0.4 - 0.5 * d, want = -pi * pow(0.3, 4) / 4.0 + face.force * arm;
    CHECK_NEAR(t, face.by[1][3], want, 1e-15);
    CHECK_NEAR(t, face.by[2][4], -want, 1e-15);
}

/* The volume below the plane by adding up cells of the solid. */
static double counted_volume(double low, double high, double length, TmlPose pose)
{
    enum { CELLS = 400 };
    double volume = 0.0;
    for (int i = 0; i < CELLS; ++i) {
        const double x = (i + 0.5) / CELLS, z = (x - 0.5) * length, R = low + (high - low) * x;
        const TmlVec3 c = v3_axpy(z, pose.A.cz, pose.r);
        const double s = hypot(pose.A.cx.z, pose.A.cy.z),
                     h = fmin(fmax((R * s - c.z) / s, 0.0), 2.0 * R);
        const double angle = acos(1.0 - h / R);
        volume += length / CELLS * R * R * (angle - sin(angle) * cos(angle));
    }
    return volume;
}

TEST(overlap_of_tilted_frustums)
{
    for (int k = 0; k < 40; ++k) {
        const double cone[3] = {0.3, 0.2 + 0.1 * (k % 2), 0.8}, angle = 0.1 + 2.9 * k / 39.0;
        TmlPose pose = {v3(0, 0, 0), turn(ex, angle)};
        const double low = 0.3 * sin(angle) + 0.4 * cos(angle),
                     high = cone[1] * sin(angle) - 0.4 * cos(angle);
        pose.r.z = fmax(low, high) - 0.02;
        const Sum s = sum_of("half_space", NULL, "cone", cone, pose);
        // quadrature of slices and the count leave 2e-3; columns know the radius of the cap only, which is
        // an error of some percent of the volume of a cone
        const double want = counted_volume(0.3, cone[1], 0.8, pose), tol = k % 2 == 1 ? 2e-3 : 0.1;
        CHECK_NEAR(t, s.force / want, 1.0, tol);
    }
}

/* Along a path the sums change as their derivatives say: no jump, whatever comes and goes. */
static void check_path(TestCtx *t, const char *a, const double *da, const char *b, const double *db,
                       TmlVec3 r, TmlVec3 axis, double from, double to, double jump)
{
    const int steps = 2000;
    const double h = (to - from) / steps, along[3] = {axis.x, axis.y, axis.z};
    Sum last = {0};
    for (int k = 0; k <= steps; ++k) {
        const TmlPose pose = {r, turn(axis, from + k * h)};
        const Sum s = sum_of(a, da, b, db, pose);
        double rise[3] = {0};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                rise[i] += 0.5 * h * along[j] * (s.by[i][3 + j] + last.by[i][3 + j]);
            }
        }
        if (k > 0) {
            CHECK_NEAR(t, s.force - last.force, rise[0], jump);
            CHECK_NEAR(t, s.mx - last.mx, rise[1], jump);
            CHECK_NEAR(t, s.my - last.my, rise[2], jump);
        }
        last = s;
    }
}

TEST(no_jumps_while_tipping)
{
    const double can[2] = {0.3, 0.8}, cone[3] = {0.3, 0.25, 0.8}, ring[2] = {0.3, 0.05};
    const double rod[2] = {0.1, 1.0}, other[2] = {0.1, 0.6};
    // 1e-3 rad a step: trapezoids leave h^3 f'''/12, and half of h times a kink of f', which points have
    // when they begin to bear, up to 0.1 for rods and 0.6 for a ring; a jump would be some 1e-2
    check_path(t, "half_space", NULL, "cylinder", can, v3(0.1, 0.2, 0.35), v3(0.6, 0.8, 0), -0.3,
               2.0, 2e-6);
    check_path(t, "half_space", NULL, "cone", cone, v3(0.1, 0.2, 0.35), v3(0.6, 0.8, 0), -0.3, 2.0,
               2e-6);
    check_path(t, "half_space", NULL, "torus", ring, v3(0.1, 0.2, 0.02), v3(0.6, 0.8, 0), -0.3, 2.0,
               2e-4);
    check_path(t, "capsule", rod, "capsule", other, v3(0.19, 0.02, 0.1), ex, -0.1, 2.0, 5e-5);
    check_path(t, "cylinder", rod, "cylinder", other, v3(0.19, 0.02, 0.1), ex, -0.1, 1.0, 5e-5);
}

/* An upright axis has no direction of tilt; derivatives of the sums are there all the same. */
TEST(upright_is_not_singular)
{
    const double can[2] = {0.3, 0.8}, ring[2] = {0.3, 0.05};
    const struct {
        const char *name;
        const double *data;
        double height;
    } shapes[2] = {{"cylinder", can, 0.38}, {"torus", ring, 0.04}};
    for (int k = 0; k < 2; ++k) {
        const TmlPose pose = {v3(0.1, 0.2, shapes[k].height), turn(v3(0, 0, 1), 0.7)};
        const Sum exact = sum_of("half_space", NULL, shapes[k].name, shapes[k].data, pose);
        for (int i = 0; i < TML_TOUCH_VARIABLES; ++i) {
            const TmlPose up = pose_moved(&pose, i, 1e-5), down = pose_moved(&pose, i, -1e-5);
            const Sum p = sum_of("half_space", NULL, shapes[k].name, shapes[k].data, up);
            const Sum m = sum_of("half_space", NULL, shapes[k].name, shapes[k].data, down);
            // differences of second order: 1e-10 of third derivatives, rounding 1e-16/1e-5
            CHECK_NEAR(t, exact.by[0][i], (p.force - m.force) / 2e-5, 1e-9);
            CHECK_NEAR(t, exact.by[1][i], (p.mx - m.mx) / 2e-5, 1e-9);
            CHECK_NEAR(t, exact.by[2][i], (p.my - m.my) / 2e-5, 1e-9);
        }
    }
}

TEST_SUITE(touch_exact) = {CASE(known_points),
                           CASE(two_ends),
                           CASE(overlap_of_a_cylinder_is_exact),
                           CASE(overlap_of_tilted_frustums),
                           CASE(no_jumps_while_tipping),
                           CASE(upright_is_not_singular),
                           {0}};
