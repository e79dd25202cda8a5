/* tests/contact/test_own_shapes.c - shapes that are known by a distance or a support only.
 *
 * A ball by its distance and an ellipsoid by its support must touch as those of the library do, whose pairs have closed
 * forms: all that is compared differs by rounding.
 */
#include "touch_util.h"

#include "trammel/trammel.h"

#include <math.h>
#include <stddef.h>

/* --- two types ---------------------------------------------------------------------------------- */

typedef struct Globe {
    double radius;
} Globe;

static void globe_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const double R = ((const Globe *)data)->radius;
    *low = v3(-R, -R, -R);
    *high = v3(R, R, R);
}

static double globe_distance(const void *data, TmlVec3 x, TmlVec3 *n, TmlMat33 *H)
{
    const double rho = v3_norm(x);
    *n = v3_scale(1.0 / rho, x);
    const TmlMat33 nn = m3_outer(*n, *n), I = m3_identity(), P = m3_axpy(-1.0, &nn, &I);
    *H = m3_scale(1.0 / rho, &P);
    return rho - ((const Globe *)data)->radius;
}

static const TmlParam globe_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(Globe, radius), NULL, "radius", NULL},
    {0},
};

static const TmlShapeType globe = {
    .info = {.name = "globe", .data_size = sizeof(Globe), .params = globe_params},
    .bounds = globe_bounds,
    .distance = globe_distance,
};

typedef struct Egg {
    TmlVec3 a;
} Egg;

static void egg_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    *high = ((const Egg *)data)->a;
    *low = v3_neg(*high);
}

static TmlVec3 egg_support(const void *data, TmlVec3 n, int *feature)
{
    const TmlVec3 a = ((const Egg *)data)->a;
    const TmlVec3 d = v3(a.x * a.x * n.x, a.y * a.y * n.y, a.z * a.z * n.z);
    *feature = 0;
    return v3_scale(1.0 / sqrt(v3_dot(d, n)), d);
}

/* The surface x.B x = 1, B = diag(1 / a^2), has the normal B x / |B x|: W = P B P / |B x|, P across the normal. */
static bool egg_curvature(const void *data, TmlVec3 n, TmlMat33 *W)
{
    int feature;
    const TmlVec3 a = ((const Egg *)data)->a, x = egg_support(data, n, &feature);
    const TmlMat33 B = m3_diag(1 / (a.x * a.x), 1 / (a.y * a.y), 1 / (a.z * a.z));
    const TmlMat33 nn = m3_outer(n, n), I = m3_identity(), P = m3_axpy(-1.0, &nn, &I);
    const TmlMat33 PB = m3_mul(&P, &B), PBP = m3_mul(&PB, &P);
    *W = m3_scale(1.0 / v3_norm(m3_mulv(&B, x)), &PBP);
    return true;
}

static const TmlShapeType egg = {
    .info = {.name = "egg", .data_size = sizeof(Egg)},
    .bounds = egg_bounds,
    .support = egg_support,
    .curvature = egg_curvature,
};

/* --- geometry ----------------------------------------------------------------------------------- */

/* Points, depths, normals and their rates; curvatures without theirs, which are not known. */
static void check_equal(TestCtx *t, const TmlTouch *x, const TmlTouchRate *rx, const TmlTouch *y,
                        const TmlTouchRate *ry)
{
    const double tol = 1e-12; // rounding of lengths of about one, some operations
    CHECK_NEAR(t, x->depth, y->depth, tol);
    CHECK_NEAR(t, v3_norm(v3_sub(x->p, y->p)), 0.0, tol);
    CHECK_NEAR(t, v3_norm(v3_sub(x->n, y->n)), 0.0, tol);
    CHECK_NEAR(t, x->curvature[0], y->curvature[0],
               1e-10 * y->curvature[1]); // the same, of squares
    CHECK_NEAR(t, x->curvature[1], y->curvature[1], 1e-10 * y->curvature[1]); // the same
    for (int k = 0; k < TML_TOUCH_VARIABLES; ++k) {
        const double wide = 1e-10; // rounding over the smallest radius of curvature, 0.05
        CHECK_NEAR(t, rx->depth[k], ry->depth[k], wide);
        CHECK_NEAR(t, v3_norm(v3_sub(rx->p[k], ry->p[k])), 0.0, wide);
        CHECK_NEAR(t, v3_norm(v3_sub(rx->n[k], ry->n[k])), 0.0, wide);
    }
}

static void check_alike(TestCtx *t, const TmlShape own[2], const TmlShape known[2],
                        const TmlPose *pose)
{
    TmlTouch x[TML_TOUCH_MAX], y[TML_TOUCH_MAX];
    TmlTouchRate rx[TML_TOUCH_MAX], ry[TML_TOUCH_MAX];
    const int n = tml_touch(&own[0], &own[1], pose, 10.0, x, rx);
    CHECK_INT(t, n, tml_touch(&known[0], &known[1], pose, 10.0, y, ry));
    if (n == 1) {
        check_equal(t, &x[0], &rx[0], &y[0], &ry[0]);
    }
    CHECK_INT(t, n, 1);
}

TEST(a_ball_by_its_distance_is_a_ball)
{
    for (int n = 0; n < 100; ++n) {
        const Globe big = {test_random(t, 0.3, 1.0)}, small = {test_random(t, 0.3, 1.0)};
        const TmlShapeType *sphere = tml_find_shape_type("sphere");
        const TmlShape a = {&globe, &big}, b = {sphere, &small}, ball = {sphere, &big};
        const TmlPose pose = pose_random(t);
        if (v3_norm(pose.r) < 0.1) {
            continue; // one centre in the other has no normal
        }
        check_alike(t, (TmlShape[2]){a, b}, (TmlShape[2]){ball, b}, &pose);
        check_alike(t, (TmlShape[2]){b, a}, (TmlShape[2]){b, ball}, &pose); // swapped
    }
}

TEST(an_ellipsoid_by_its_support_is_one)
{
    for (int n = 0; n < 100; ++n) {
        const Egg data = {
            {test_random(t, 0.3, 1.0), test_random(t, 0.3, 1.0), test_random(t, 0.3, 1.0)}};
        const TmlShape floor = {tml_find_shape_type("half_space"), NULL};
        const TmlShape own = {&egg, &data}, known = {tml_find_shape_type("ellipsoid"), &data};
        const TmlPose pose = pose_random(t);
        check_alike(t, (TmlShape[2]){floor, own}, (TmlShape[2]){floor, known}, &pose);
        check_alike(t, (TmlShape[2]){own, floor}, (TmlShape[2]){known, floor}, &pose); // swapped
    }
}

/* Each corner of a box is a ball without a radius: depth R - |x|, and rates by differences. */
TEST(corners_touch_a_distance)
{
    const TmlShapeType *type = tml_find_shape_type("box");
    const Globe ball = {0.8};
    ShapeData box;
    shape_random(t, type, 1.0, &box);
    const TmlShape a = {&globe, &ball}, b = {type, &box};
    TmlTouch touch[TML_TOUCH_MAX], low[TML_TOUCH_MAX], high[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const TmlPose pose = pose_random(t);
    const double h = 1e-5;
    const int n = tml_touch(&a, &b, &pose, 10.0, touch, rate);
    CHECK_INT(t, n, 8);
    for (int v = 0; v < TML_TOUCH_VARIABLES; ++v) {
        const TmlPose before = pose_moved(&pose, v, -h), after = pose_moved(&pose, v, h);
        CHECK_INT(t, tml_touch(&a, &b, &before, 10.0, low, NULL), n);
        CHECK_INT(t, tml_touch(&a, &b, &after, 10.0, high, NULL), n);
        for (int k = 0; k < n; ++k) {
            const double tol = 1e-8; // h^2 times third derivatives of about ten
            const TmlVec3 dp = v3_scale(0.5 / h, v3_sub(high[k].p, low[k].p));
            const TmlVec3 dn = v3_scale(0.5 / h, v3_sub(high[k].n, low[k].n));
            CHECK_NEAR(t, rate[k].depth[v], (high[k].depth - low[k].depth) / (2 * h), tol);
            CHECK_NEAR(t, v3_norm(v3_sub(rate[k].p[v], dp)), 0.0, tol);
            CHECK_NEAR(t, v3_norm(v3_sub(rate[k].n[v], dn)), 0.0, tol);
        }
    }
}

/* --- models ------------------------------------------------------------------------------------- */

static const char *const text =
    "gravity: [0, 0, -9.81]\n"
    "ground: {shape: {globe: {radius: 1, position: [0, 0, -1], name: hill}}}\n"
    "bodies: {ball: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.3], shape: {sphere: "
    "{radius: 0.1}}}}\n"
    "contacts: {hill: {between: [ball, ground], law: linear, stiffness: 1e4}}\n"
    "outputs: {z: DZ(ball)}\n";

TEST(a_model_has_a_registered_shape)
{
    TmlError err = {0};
    TmlModel *m = NULL;
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK(t, tml_model_add(m, text, &err) != TML_OK);
    tml_model_free(m);
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK_OK(t, tml_model_register_shape(m, &globe, &err), &err);
    CHECK_INT(t, tml_model_register_shape(m, &globe, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "there is already a type 'globe'");
    const TmlShapeType empty = {.info = {.name = "nothing"}, .bounds = globe_bounds};
    CHECK_INT(t, tml_model_register_shape(m, &empty, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "bounds are required, and support or distance");
    const TmlShapeType taken = {.info = {.name = "link"}, .bounds = globe_bounds};
    CHECK_INT(t, tml_model_register_shape(m, &taken, &err), TML_E_ARGUMENT);
    CHECK_OK(t, tml_model_add(m, text, &err), &err);
    CHECK_OK(t, tml_model_finish(m, &err), &err);
    tml_model_free(m);
}

TEST_SUITE(own_shapes) = {CASE(a_ball_by_its_distance_is_a_ball),
                          CASE(an_ellipsoid_by_its_support_is_one),
                          CASE(corners_touch_a_distance),
                          CASE(a_model_has_a_registered_shape),
                          {0}};
