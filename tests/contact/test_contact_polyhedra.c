/* tests/contact/test_contact_polyhedra.c - boxes and hulls: patches, corners, gaps, round shapes.
 *
 * Each limit is rounding of places of 0.1 m and of what cancels in them, unless its comment says
 * more.
 */
#include "math/vec3.h"
#include "model/contact/contacts.h"
#include "model/contact/shape/box.h"
#include "model/contact/shape/hull.h"
#include "test.h"

enum { N = TML_TOUCH_VARIABLES };

typedef struct Case {
    TmlShape first, second;
    double reach;
} Case;

/* Force on the second over stiffness, moment about its origin, and energy. */
typedef struct Wrench {
    TmlVec3 f, m;
    double E, depth;
    int n;
} Wrench;

static TmlPose moved(const TmlPose *pose, int k, double h)
{
    const TmlVec3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    TmlPose p = *pose;
    if (k < 3) {
        p.r = v3_axpy(h, e, p.r);
    } else {
        const TmlMat33 T = q4_matrix(q4_exp(v3_scale(h, e)));
        p.A = m3_mul(&T, &pose->A);
    }
    return p;
}

static Wrench wrench(const Case *c, const TmlPose *pose)
{
    TmlTouch t[TML_TOUCH_MAX];
    Wrench w = {.n = tml_touch(&c->first, &c->second, pose, c->reach, t, NULL)};
    w.depth = w.n > 0 ? t[0].depth : 0.0;
    for (int k = 0; k < w.n; ++k) {
        if (t[k].depth > 0.0) {
            w.f = v3_axpy(t[k].size, t[k].n, w.f);
            w.m = v3_axpy(t[k].size, v3_cross(v3_sub(t[k].p, pose->r), t[k].n), w.m);
            w.E += t[k].size * t[k].depth;
        }
    }
    return w;
}

/* Force and moment are minus the gradient of the energy. */
static void check_gradient(TestCtx *t, const Case *c, const TmlPose *pose, double size,
                           int variables)
{
    const Wrench w = wrench(c, pose);
    const double h = 1e-5 * size, scale = v3_norm(w.f) + v3_norm(w.m) / size;
    for (int k = 0; k < variables; ++k) {
        const double step = k < 3 ? h : h / size;
        const TmlPose a = moved(pose, k, step), b = moved(pose, k, -step);
        const double got = -(wrench(c, &a).E - wrench(c, &b).E) / (2.0 * step);
        const double want = k < 3 ? (&w.f.x)[k] : (&w.m.x)[k - 3];
        // differences of E: h times the jump of third derivatives where features change
        CHECK_NEAR(t, got, want, 1e-5 * scale * (k < 3 ? 1.0 : size));
    }
}

TEST(box_on_half_space_is_archimedes)
{
    const TmlBoxData box = {.size = {0.2, 0.1, 0.06}};
    const Case c = {
        {tml_find_shape_type("half_space"), NULL}, {tml_find_shape_type("box"), &box}, 0.01};
    const TmlPose flat = {.r = {0.3, -0.2, 0.02}, .A = m3_identity()};
    Wrench w = wrench(&c, &flat);
    CHECK_NEAR(t, w.f.z, 0.2 * 0.1 * 0.01, 1e-16);
    CHECK_NEAR(t, w.E, 0.5 * 0.2 * 0.1 * 0.01 * 0.01, 1e-18);
    CHECK_NEAR(t, v3_norm(w.m), 0.0, 1e-17);
    CHECK_INT(t, w.n, 6);
    for (int k = 0; k < 60; ++k) {
        TmlPose pose = {.r = {test_random(t, -1, 1), test_random(t, -1, 1), 0.0}};
        const TmlQuat q = test_quat(t);
        pose.A = q4_matrix(q);
        pose.r.z = test_random(t, -0.1, 0.1);
        if (wrench(&c, &pose).E > 0.0) {
            check_gradient(t, &c, &pose, 0.1, N);
        }
    }
}

/* --- derivatives ------------------------------------------------------------------------------ */

static const TmlTouch *same_id(const TmlTouch *t, int n, uint64_t id)
{
    for (int k = 0; k < n; ++k) {
        if (t[k].id == id) {
            return &t[k];
        }
    }
    return NULL;
}

static void check_vector(TestCtx *t, TmlVec3 got, const TmlVec3 *a, const TmlVec3 *b, double step,
                         double tol)
{
    const TmlVec3 want = v3_scale(0.5 / step, v3_sub(*a, *b));
    CHECK_NEAR(t, v3_norm(v3_sub(got, want)), 0.0, tol);
}

/* Derivatives of all touches against differences, where the same features touch on both sides. Returns
 * how many were compared. */
static int check_rates(TestCtx *t, const Case *c, const TmlPose *pose, double size)
{
    TmlTouch x[TML_TOUCH_MAX], a[TML_TOUCH_MAX], b[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const int n = tml_touch(&c->first, &c->second, pose, c->reach, x, rate);
    int compared = 0;
    for (int k = 0; k < N; ++k) {
        const double step = 1e-6 * (k < 3 ? size : 1.0), unit = k < 3 ? 1.0 : size;
        const TmlPose pa = moved(pose, k, step), pb = moved(pose, k, -step);
        const int na = tml_touch(&c->first, &c->second, &pa, c->reach, a, NULL);
        const int nb = tml_touch(&c->first, &c->second, &pb, c->reach, b, NULL);
        for (int j = 0; j < n; ++j) {
            const TmlTouch *ta = same_id(a, na, x[j].id), *tb = same_id(b, nb, x[j].id);
            // small pieces move fast: their centroid is a ratio of small numbers
            if (ta == NULL || tb == NULL ||
                (x[j].size > 0.0 && x[j].size < 1e-5 * size * size * size)) {
                continue;
            }
            // differences: h^2 of third derivatives, which grow where features are small
            check_vector(t, rate[j].p[k], &ta->p, &tb->p, step, 1e-5 * unit);
            check_vector(t, rate[j].n[k], &ta->n, &tb->n, step, 1e-5 * unit / size);
            CHECK_NEAR(t, rate[j].depth[k], (ta->depth - tb->depth) / (2 * step), 1e-5 * unit);
            CHECK_NEAR(t, rate[j].size[k], (ta->size - tb->size) / (2 * step),
                       1e-5 * unit * size * size);
            for (int d = 0; d < 2; ++d) {
                if (isfinite(x[j].curvature[d])) {
                    CHECK_NEAR(t, rate[j].curvature[d][k],
                               (ta->curvature[d] - tb->curvature[d]) / (2 * step),
                               1e-5 * unit / (size * size));
                }
            }
            compared++;
        }
    }
    return compared;
}

static TmlPose random_pose(TestCtx *t, double near, double far)
{
    TmlPose pose;
    const TmlQuat q = test_quat(t);
    pose.A = q4_matrix(q);
    pose.r = v3_scale(test_random(t, near, far), v3_unit(test_vec3(t)));
    return pose;
}

/* Data of the shapes that tests here pair with each other. */
static const TmlBoxData brick = {.size = {0.2, 0.1, 0.06}}, cube = {.size = {0.12, 0.12, 0.12}};
static const TmlBoxData dots = {.head = {TML_POINTS_CORNERS}, .size = {0.15, 0.1, 0.08}};
static const double ball = 0.05;

static TmlShape shape(const char *type, const void *data)
{
    return (TmlShape){tml_find_shape_type(type), data};
}

TEST(rates_are_derivatives)
{
    const Case cases[] = {
        {shape("half_space", NULL), shape("box", &brick), 0.02},
        {shape("half_space", NULL), shape("box", &dots), 0.02},
        {shape("box", &brick), shape("box", &cube), 0.05},
        {shape("box", &brick), shape("box", &dots), 0.05},
        {shape("box", &dots), shape("box", &cube), 0.05},
        {shape("box", &brick), shape("sphere", &ball), 0.05},
        {shape("sphere", &ball), shape("box", &brick), 0.05},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        int compared = 0;
        for (int i = 0; i < 60; ++i) {
            const TmlPose pose = random_pose(t, 0.02, 0.2);
            compared += check_rates(t, &cases[k], &pose, 0.1);
        }
        CHECK(t, compared > 100);
    }
}

TEST(force_between_boxes_is_a_gradient)
{
    const Case c = {shape("box", &brick), shape("box", &cube), 0.0};
    int wet = 0;
    for (int i = 0; i < 120; ++i) {
        const TmlPose pose = random_pose(t, 0.0, 0.16);
        if (wrench(&c, &pose).E > 0.0) {
            check_gradient(t, &c, &pose, 0.1, 3); // of moments see (P8)
            wet++;
        }
    }
    CHECK(t, wet > 60);
}

/* The largest jump of force, in parts of the largest force, on the way from one pose to another. */
static double jump(const Case *c, const TmlPose *start, TmlVec3 shift, TmlVec3 turn, int steps)
{
    double most = 0.0, top = 0.0;
    Wrench last = {0};
    for (int k = 0; k <= steps; ++k) {
        const double s = (double)k / steps;
        const TmlMat33 T = q4_matrix(q4_exp(v3_scale(s, turn)));
        const TmlPose pose = {v3_axpy(s, shift, start->r), m3_mul(&T, &start->A)};
        const Wrench w = wrench(c, &pose);
        const double step = v3_norm(v3_sub(w.f, last.f)) + v3_norm(v3_sub(w.m, last.m)) / 0.1;
        most = k > 0 ? fmax(most, step) : 0.0;
        top = fmax(top, v3_norm(w.f));
        last = w;
    }
    return most / top;
}

/* Forces are continuous: a step half as long makes the largest change half as large. */
static void check_continuous(TestCtx *t, const Case *c, const TmlPose *start, TmlVec3 shift,
                             TmlVec3 turn)
{
    const double coarse = jump(c, start, shift, turn, 2000),
                 fine = jump(c, start, shift, turn, 16000);
    CHECK(t, coarse > 0.0);
    CHECK(t, fine < 0.2 * coarse || fine < 1e-9); // an eighth, were it not for places of kinks
}

TEST(forces_are_continuous)
{
    const double d = 1e-5; // 1e-4 of the size
    const Case pair = {shape("box", &cube), shape("box", &brick), 0.0};
    const Case floor = {shape("half_space", NULL), shape("box", &brick), 0.0};
    const double top = 0.06 + 0.03 - d;
    const TmlMat33 I = m3_identity();
    const TmlPose centred = {v3(0, 0, top), I}, over = {v3(0.1, 0, top), I};
    const TmlMat33 yaw = q4_matrix(q4_exp(v3(0, 0, 0.4)));
    const TmlMat33 edge = q4_matrix(q4_exp(v3(0, 0.25 * acos(-1.0), 0)));
    const TmlPose yawed = {v3(0.0, 0, top), yaw};

    t->name = "slides over an edge";
    check_continuous(t, &pair, &centred, v3(0.2, 0, 0), v3(0, 0, 0));
    check_continuous(t, &pair, &centred, v3(0, 0.15, 0), v3(0, 0, 0));
    check_continuous(t, &pair, &yawed, v3(0.2, 0.03, 0), v3(0, 0, 0));
    t->name = "spins on a face";
    check_continuous(t, &pair, &centred, v3(0, 0, 0), v3(0, 0, 3));
    check_continuous(t, &pair, &over, v3(0, 0, 0), v3(0, 0, 3));
    t->name = "tilts about an edge";
    check_continuous(t, &pair, &over, v3(0, 0, 0), v3(0, 4e-4, 0));
    check_continuous(t, &pair, &over, v3(0, 0, 0), v3(0, -4e-4, 0));
    check_continuous(t, &pair, &centred, v3(0, 0, 0), v3(4e-4, 4e-4, 0));
    check_continuous(t, &pair, &centred, v3(0, 0, 0), v3(0.3, 0.2, 0));
    t->name = "edge over edge, corner over face and edge";
    const double high = 0.06 + (0.1 + 0.03) / sqrt(2.0) - d;
    // the lowest edge of the turned brick lies 0.07 / sqrt(2) beside its middle
    const double beside = 0.07 / sqrt(2.0);
    const TmlPose at_edge = {v3(0.06 - 1e-4 - beside, 0.05, high), edge};
    const TmlPose at_corner = {v3(-beside, 0.11 - 1e-4, high), edge};
    check_continuous(t, &pair, &at_edge, v3(2e-4, 0, 0), v3(0, 0, 0));
    check_continuous(t, &pair, &at_edge, v3(2e-4, 0.02, 0), v3(0, 0, 2e-3));
    check_continuous(t, &pair, &at_corner, v3(1e-3, 2e-4, 0), v3(0, 0, 0));
    t->name = "on the floor";
    const TmlPose low = {v3(0, 0, 0.03 - d), I};
    check_continuous(t, &floor, &low, v3(0, 0, 0), v3(4e-4, 5e-4, 0));
    const TmlPose deep = {v3(0, 0, 0.025), I};
    check_continuous(t, &floor, &deep, v3(0, 0, 0.05), v3(1, 1.2, 0));
}

/* Equal boxes, one on the other: faces of both lie in one plane. */
TEST(aligned_boxes)
{
    const Case c = {shape("box", &cube), shape("box", &cube), 0.0};
    const double L = 0.12, d = 1e-6;
    for (int k = 0; k < 3; ++k) {
        const TmlPose pose = {v3(k * 1e-17, -k * 2e-17, L - d), m3_identity()};
        const Wrench w = wrench(&c, &pose);
        // (P5) with bevels of 45 degrees: each field lacks less than the strips along four edges
        CHECK_NEAR(t, w.f.z, L * L * d, 4 * L * d * d);
        CHECK_NEAR(t, w.f.x, 0.0, 1e-14 * w.f.z);
        CHECK_NEAR(t, v3_norm(w.m), 0.0, 1e-11 * L * w.f.z); // rounding of 0.1 m over the depth
    }
}

/* Where the overlap is rounding there is no force, or one as small as that. */
TEST(overlaps_of_rounding)
{
    const Case c = {shape("box", &cube), shape("box", &cube), 0.0};
    for (int k = 0; k < 400; ++k) {
        const double d = pow(10.0, -18.0 + 0.02 * k), L = 0.12;
        const TmlPose pose = {v3(k % 2 * 0.05, 0, L - d), m3_identity()};
        // rounding of lengths of 0.1 m leaves 1e-14 m of the depth uncertain
        CHECK(t, v3_norm(wrench(&c, &pose).f) <= 1.02 * L * L * (d + 1e-14));
    }
}

TEST(swap_and_scale)
{
    const TmlBoxData big = {.size = {2, 1, 0.6}}, other = {.size = {1.2, 1.2, 1.2}};
    const Case ab = {shape("box", &brick), shape("box", &cube), 0.02};
    const Case ba = {shape("box", &cube), shape("box", &brick), 0.02};
    const Case ten = {shape("box", &big), shape("box", &other), 0.2};
    for (int i = 0; i < 40; ++i) {
        const TmlPose pose = random_pose(t, 0.03, 0.16);
        const TmlPose back = {v3_neg(m3_tmulv(&pose.A, pose.r)), m3_transpose(&pose.A)};
        const TmlPose far = {v3_scale(10, pose.r), pose.A};
        const Wrench a = wrench(&ab, &pose), b = wrench(&ba, &back), c = wrench(&ten, &far);
        const TmlVec3 turned = m3_mulv(&pose.A, b.f);
        CHECK_NEAR(t, v3_norm(v3_add(a.f, turned)), 0.0, 1e-12 * v3_norm(a.f) + 1e-20);
        CHECK_NEAR(t, a.E, b.E, 1e-12 * a.E + 1e-22);
        CHECK_INT(t, c.n, a.n);
        CHECK_NEAR(t, c.depth, 10 * a.depth, 1e-12);
        CHECK_NEAR(t, v3_norm(v3_axpy(-1e3, a.f, c.f)), 0.0, 1e-9 * v3_norm(c.f) + 1e-17);
    }
}

/* Apart, one touch has the gap; where it closes, the patch begins. */
TEST(gap_and_onset_meet)
{
    const Case c = {shape("box", &brick), shape("box", &cube), 1.0};
    for (int i = 0; i < 60; ++i) {
        TmlPose pose = random_pose(t, 0.3, 0.4);
        Wrench w = wrench(&c, &pose);
        CHECK_INT(t, w.n, 1);
        // walk along the normal by the gap: it closes there and not before
        TmlTouch x[TML_TOUCH_MAX];
        CHECK_INT(t, tml_touch(&c.first, &c.second, &pose, c.reach, x, NULL), 1);
        const TmlVec3 r = pose.r;
        pose.r = v3_axpy((1.0 - 1e-9) * x[0].depth, x[0].n, r);
        w = wrench(&c, &pose);
        CHECK_INT(t, w.n, 1);
        CHECK_NEAR(t, w.depth, 1e-9 * x[0].depth, 1e-14);
        pose.r = v3_axpy(x[0].depth - 1e-4, x[0].n, r);
        CHECK(t, wrench(&c, &pose).E > 0.0);
    }
}

/* --- hulls ------------------------------------------------------------------------------------ */

static TmlHullData hull_of(TestCtx *t, TmlArena *arena, const double *x, int n)
{
    TmlError err = {0};
    TmlHullData data = {.vertices = {n, x}, .scale = 1.0};
    CHECK_OK(t, tml_shape_prepare(tml_find_shape_type("hull"), &data, arena, NULL, &err), &err);
    return data;
}

/* The hull of the corners of a box, and of points within it, is the box. */
TEST(hull_of_a_box_is_the_box)
{
    double x[3 * 27];
    for (int k = 0; k < 27; ++k) { // corners, middles of edges and faces, the centre
        x[3 * k] = 0.1 * (k % 3 - 1);
        x[3 * k + 1] = 0.05 * (k / 3 % 3 - 1);
        x[3 * k + 2] = 0.03 * (k / 9 - 1);
    }
    TmlArena arena = {0};
    const TmlHullData hull = hull_of(t, &arena, x, 3 * 27);
    CHECK_INT(t, hull.solid->n_corners, 8);
    CHECK_INT(t, hull.solid->n_faces, 6);
    CHECK_INT(t, hull.solid->n_edges, 12);
    const char *others[] = {"half_space", "box", "hull"};
    const void *data[] = {NULL, &cube, &hull};
    for (int k = 0; k < 3; ++k) {
        const Case a = {shape(others[k], data[k]), shape("box", &brick), 0.05};
        const Case b = {shape(others[k], data[k]), shape("hull", &hull), 0.05};
        for (int i = 0; i < 40; ++i) {
            const TmlPose pose = random_pose(t, 0.0, 0.17);
            const Wrench u = wrench(&a, &pose), v = wrench(&b, &pose);
            CHECK_INT(t, u.n > 0, v.n > 0);
            CHECK_NEAR(t, v3_norm(v3_sub(u.f, v.f)), 0.0, 1e-11 * v3_norm(u.f)); // rounding
            CHECK_NEAR(t, u.E, v.E, 1e-11 * u.E);
        }
    }
    tml_arena_free(&arena);
}

/* A hull of 40 random points on a sphere: derivatives, energy, and the volume of a ball that has gone under. */
TEST(random_hull)
{
    double x[3 * 40];
    for (int k = 0; k < 40; ++k) {
        const TmlVec3 v = v3_scale(0.1, v3_unit(test_vec3(t)));
        x[3 * k] = v.x;
        x[3 * k + 1] = v.y;
        x[3 * k + 2] = v.z;
    }
    TmlArena arena = {0};
    const TmlHullData hull = hull_of(t, &arena, x, 3 * 40);
    const TmlPolyhedron *P = hull.solid;
    CHECK_INT(t, P->n_corners, 40);
    CHECK_INT(t, P->n_corners - P->n_edges + P->n_faces, 2); // Euler
    const Case floor = {shape("half_space", NULL), shape("hull", &hull), 0.05};
    const Case pair = {shape("hull", &hull), shape("box", &brick), 0.05};
    const Case round = {shape("hull", &hull), shape("sphere", &ball), 0.05};
    for (int i = 0; i < 15; ++i) {
        const TmlPose pose = random_pose(t, 0.08, 0.12);
        // more than 32 wet faces of one solid are merged, and the moment is not exact then
        const TmlPose shallow = random_pose(t, 0.12, 0.14);
        check_gradient(t, &floor, &pose, 0.1, N);
        check_gradient(t, &pair, &shallow, 0.1, 3);
        check_rates(t, &floor, &pose, 0.1);
        check_rates(t, &pair, &pose, 0.1);
        const TmlPose apart = random_pose(t, 0.12, 0.2);
        check_rates(t, &round, &apart, 0.1);
    }
    tml_arena_free(&arena);
}

TEST(hulls_that_are_refused)
{
    TmlArena arena = {0};
    TmlError err = {0};
    const double flat[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 3, 2, 0};
    TmlHullData data = {.vertices = {15, flat}, .scale = 1.0};
    const TmlShapeType *type = tml_find_shape_type("hull");
    CHECK(t, tml_shape_prepare(type, &data, &arena, NULL, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "no volume");
    data.vertices.n = 14;
    CHECK(t, tml_shape_prepare(type, &data, &arena, NULL, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "14 numbers");
    data.vertices.n = 0;
    CHECK(t, tml_shape_prepare(type, &data, &arena, NULL, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "either vertices or a file");
    tml_arena_free(&arena);
}

TEST_SUITE(contact_polyhedra) = {CASE(box_on_half_space_is_archimedes),
                                 CASE(rates_are_derivatives),
                                 CASE(force_between_boxes_is_a_gradient),
                                 CASE(forces_are_continuous),
                                 CASE(aligned_boxes),
                                 CASE(overlaps_of_rounding),
                                 CASE(swap_and_scale),
                                 CASE(gap_and_onset_meet),
                                 CASE(hull_of_a_box_is_the_box),
                                 CASE(random_hull),
                                 CASE(hulls_that_are_refused),
                                 {0}};
