/* tests/contact/test_contact_profiles.c - meshes, extrusions and revolutions against shapes that are known.
 *
 * Each limit is rounding of lengths of 0.1 m, unless a comment says otherwise.
 */
#include "math/vec3.h"
#include "model/contact/contacts.h"
#include "model/contact/shape/box.h"
#include "model/contact/shape/mesh/mesh_solid.h"
#include "model/contact/shape/profile/profile.h"
#include "test.h"

enum { N = TML_TOUCH_VARIABLES };

/* Data of shapes as the reader lays them out. */
typedef struct MeshData {
    const char *file;
    double scale;
    const void *solid;
} MeshData;

typedef struct ExtrusionData {
    TmlProfileData head;
    double thickness;
    int touches;
} ExtrusionData;

typedef struct HeightData {
    TmlReals heights;
    int columns;
    double dx, dy;
    const void *triangles;
} HeightData;

static TmlShape shape(const char *type, const void *data)
{
    return (TmlShape){tml_find_shape_type(type), data};
}

static void prepare(TestCtx *t, const char *type, void *data, TmlArena *arena)
{
    TmlError err = {0};
    CHECK_OK(t, tml_shape_prepare(tml_find_shape_type(type), data, arena, NULL, &err), &err);
}

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

static const TmlTouch *same_id(const TmlTouch *t, int n, uint64_t id)
{
    for (int k = 0; k < n; ++k) {
        if (t[k].id == id) {
            return &t[k];
        }
    }
    return NULL;
}

/* Derivatives against differences; returns how many touches were compared. */
static int check_rates(TestCtx *t, const TmlShape *a, const TmlShape *b, const TmlPose *pose,
                       double reach)
{
    TmlTouch x[TML_TOUCH_MAX], up[TML_TOUCH_MAX], down[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const int n = tml_touch(a, b, pose, reach, x, rate);
    const double h = 1e-6;
    int compared = 0;
    for (int k = 0; k < N; ++k) {
        const TmlPose pu = moved(pose, k, k < 3 ? 0.1 * h : h);
        const TmlPose pd = moved(pose, k, k < 3 ? -0.1 * h : -h);
        const int nu = tml_touch(a, b, &pu, reach, up, NULL);
        const int nd = tml_touch(a, b, &pd, reach, down, NULL);
        const double step = 2.0 * (k < 3 ? 0.1 * h : h);
        for (int j = 0; j < n; ++j) {
            const TmlTouch *u = same_id(up, nu, x[j].id), *d = same_id(down, nd, x[j].id);
            // near a feature of no size derivatives of any order are large
            if (u == NULL || d == NULL || (x[j].size > 0.0 && x[j].size < 1e-7)) {
                continue;
            }
            const TmlVec3 dp = v3_scale(1.0 / step, v3_sub(u->p, d->p));
            const TmlVec3 dn = v3_scale(1.0 / step, v3_sub(u->n, d->n));
            // h^2 times third derivatives, and rounding over h
            CHECK_NEAR(t, v3_norm(v3_sub(rate[j].p[k], dp)), 0.0, 1e-6);
            CHECK_NEAR(t, v3_norm(v3_sub(rate[j].n[k], dn)), 0.0, 1e-5);
            CHECK_NEAR(t, rate[j].depth[k], (u->depth - d->depth) / step, 1e-6);
            CHECK_NEAR(t, rate[j].size[k], (u->size - d->size) / step, 1e-8);
            for (int c = 0; c < 2; ++c) {
                if (isfinite(x[j].curvature[c])) {
                    CHECK_NEAR(t, rate[j].curvature[c][k],
                               (u->curvature[c] - d->curvature[c]) / step, 1e-3);
                }
            }
            compared++;
        }
    }
    return compared;
}

/* --- meshes ----------------------------------------------------------------------------------- */

static const double ball = 0.03;

/* A slab whose faces are many triangles is the box. */
TEST(mesh_of_a_box_is_the_box)
{
    TmlArena arena = {0};
    MeshData slab = {.file = "tests/data/contact/slab.obj", .scale = 0.01};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", test_source_dir(), slab.file);
    slab.file = path;
    prepare(t, "mesh", &slab, &arena);
    const TmlBoxData box = {.size = {0.2, 0.16, 0.04}};
    const TmlShape mesh = shape("mesh", &slab), solid = shape("box", &box);
    const TmlShape sphere = shape("sphere", &ball), floor = shape("half_space", NULL);
    int touched = 0;
    for (int k = 0; k < 3000; ++k) {
        TmlPose pose = {.A = m3_identity()};
        pose.r = v3(test_random(t, -0.13, 0.13), test_random(t, -0.11, 0.11),
                    test_random(t, -0.05, 0.05));
        if (k % 3 == 0) { // above lines of the triangles
            pose.r.x = 0.05 * (k / 3 % 5 - 2);
            pose.r.z = 0.045;
        }
        TmlTouch a[TML_TOUCH_MAX], b[TML_TOUCH_MAX];
        const int na = tml_touch(&mesh, &sphere, &pose, 0.005, a, NULL);
        const int nb = tml_touch(&solid, &sphere, &pose, 0.005, b, NULL);
        CHECK_INT(t, na, nb);
        if (na == 1 && nb == 1) {
            CHECK_NEAR(t, a[0].depth, b[0].depth, 1e-15);
            CHECK_NEAR(t, v3_norm(v3_sub(a[0].n, b[0].n)), 0.0, 1e-13);
            CHECK_NEAR(t, v3_norm(v3_sub(a[0].p, b[0].p)), 0.0, 1e-15);
            touched++;
        }
        if (k < 60) {
            check_rates(t, &mesh, &sphere, &pose, 0.005);
        }
    }
    CHECK(t, touched > 1000);
    for (int k = 0; k < 60; ++k) {
        const TmlQuat q = test_quat(t);
        const TmlPose pose = {v3(0.3, 0.1, test_random(t, -0.02, 0.12)), q4_matrix(q)};
        TmlTouch a[TML_TOUCH_MAX], b[TML_TOUCH_MAX];
        const int na = tml_touch(&floor, &mesh, &pose, 0.01, a, NULL);
        const int nb = tml_touch(&floor, &solid, &pose, 0.01, b, NULL);
        double V = 0.0, E = 0.0;
        TmlVec3 m = v3(0, 0, 0);
        for (int i = 0; i < nb; ++i) {
            V += b[i].size;
            E += b[i].size * b[i].depth;
            m = v3_axpy(b[i].size, b[i].p, m);
        }
        CHECK_INT(t, na, nb > 0);
        if (na == 1 && V > 0.0) {
            // rounding of volumes of 1e-3 m^3
            CHECK_NEAR(t, a[0].size, V, 1e-12 * V + 1e-17);
            CHECK_NEAR(t, a[0].size * a[0].depth, E, 1e-12 * E + 1e-18);
            CHECK_NEAR(t, a[0].size * a[0].p.x, m.x, 1e-12 * fabs(m.x) + 1e-17);
        }
        check_rates(t, &floor, &mesh, &pose, 0.01);
    }
    tml_arena_free(&arena);
}

static void *take(void *owner, size_t bytes)
{
    return tml_arena_alloc(owner, bytes, 1);
}

/* A tetrahedron with one thing wrong. */
TEST(broken_meshes_are_named)
{
    TmlArena arena = {0};
    const TmlShapeSetup setup = {take, &arena, NULL};
    TmlVec3 corner[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0}};
    const int whole[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    const struct {
        int triangle, corner[3], count;
        const char *message;
    } cases[] = {
        {-1, {0}, 4, NULL},
        {-1, {0}, 3, "enclose no solid"},
        {3, {0, 2, 3}, 4, "triangle 4 is turned against its neighbour"},
        {1, {0, 1, 4}, 4, "a hole beside triangle"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        int tri[4][3];
        TmlMeshSolid solid;
        TmlError err = {0};
        memcpy(tri, whole, sizeof tri);
        if (cases[k].triangle >= 0) {
            memcpy(tri[cases[k].triangle], cases[k].corner, sizeof tri[0]);
        }
        const TmlMeshTriangles m = {5, cases[k].count, corner, tri};
        const TmlStatus status = tml_mesh_solid(&m, &setup, &solid, &err);
        CHECK(t, (status == TML_OK) == (cases[k].message == NULL));
        if (cases[k].message != NULL) {
            CHECK_HAS(t, err.message, cases[k].message);
        }
    }
    TmlMeshSolid solid;
    TmlError err = {0};
    int inward[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
    const TmlMeshTriangles turned = {5, 4, corner, inward};
    CHECK(t, tml_mesh_solid(&turned, &setup, &solid, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "normals point into the solid");
    corner[3] = v3(0.25, 0.25, 0); // all four are flat, and two without area are not among them
    corner[2] = v3(2, 0, 0);
    int flat[4][3];
    memcpy(flat, whole, sizeof flat);
    const TmlMeshTriangles thin = {5, 4, corner, flat};
    CHECK(t, tml_mesh_solid(&thin, &setup, &solid, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "triangle 1 has no area");
    tml_arena_free(&arena);
}

/* --- profiles --------------------------------------------------------------------------------- */

/* A rectangle extruded is a box, one revolved about its side a cylinder's end and side. */
TEST(extruded_rectangle_is_a_box)
{
    TmlArena arena = {0};
    const double points[8] = {-0.1, -0.08, 0.1, -0.08, 0.1, 0.08, -0.1, 0.08};
    ExtrusionData data = {.head.points = {8, points}, .thickness = 0.04};
    prepare(t, "extrusion", &data, &arena);
    const TmlBoxData box = {.size = {0.2, 0.16, 0.04}};
    const TmlShape a = shape("extrusion", &data), b = shape("box", &box);
    const TmlShape sphere = shape("sphere", &ball);
    int touched = 0;
    for (int k = 0; k < 400; ++k) {
        TmlPose pose = {.A = m3_identity()};
        pose.r = v3(test_random(t, -0.14, 0.14), test_random(t, -0.12, 0.12),
                    test_random(t, -0.06, 0.06));
        TmlTouch x[TML_TOUCH_MAX], y[TML_TOUCH_MAX];
        const int nx = tml_touch(&a, &sphere, &pose, 0.005, x, NULL);
        const int ny = tml_touch(&b, &sphere, &pose, 0.005, y, NULL);
        CHECK_INT(t, nx, ny);
        if (nx == 1 && ny == 1) {
            CHECK_NEAR(t, x[0].depth, y[0].depth, 1e-15);
            // the direction from an edge has the rounding of lengths of 0.1 m over the distance from it
            const double distance = fabs(ball - x[0].depth);
            CHECK_NEAR(t, v3_norm(v3_sub(x[0].n, y[0].n)), 0.0, 1e-15 + 1e-16 / distance);
            CHECK_NEAR(t, v3_norm(v3_sub(x[0].p, y[0].p)), 0.0, 1e-15);
            touched++;
        }
        check_rates(t, &a, &sphere, &pose, 0.005);
    }
    CHECK(t, touched > 100);
    tml_arena_free(&arena);
}

/* A slot with a round bottom: two lines, a hollow arc; and a round outside. */
TEST(rates_on_arcs)
{
    TmlArena arena = {0};
    const double points[12] = {-0.1, 0.0, 0.1, 0.0, 0.1, 0.1, 0.035, 0.1, -0.035, 0.1, -0.1, 0.1};
    const double bulges[6] = {0, 0.4, 0, -1, 0, 0.4};
    ExtrusionData slot = {.head = {.points = {12, points}, .bulges = {6, bulges}},
                          .thickness = 0.04};
    double ring[12];
    for (int k = 0; k < 6; ++k) {
        ring[2 * k] = points[2 * k] + 0.15;
        ring[2 * k + 1] = points[2 * k + 1];
    }
    TmlProfileData pulley = {.points = {12, ring}, .bulges = {6, bulges}};
    prepare(t, "extrusion", &slot, &arena);
    prepare(t, "revolution", &pulley, &arena);
    const TmlShape a = shape("extrusion", &slot), b = shape("revolution", &pulley);
    const TmlShape sphere = shape("sphere", &ball);
    int beside = 0, around = 0;
    for (int k = 0; k < 600; ++k) {
        TmlPose pose = {.A = m3_identity()};
        pose.r = v3(test_random(t, -0.18, 0.18), test_random(t, -0.04, 0.14),
                    test_random(t, -0.05, 0.05));
        beside += check_rates(t, &a, &sphere, &pose, 0.005);
        pose.r = v3(test_random(t, -0.32, 0.32), test_random(t, -0.32, 0.32),
                    test_random(t, -0.04, 0.14));
        around += check_rates(t, &b, &sphere, &pose, 0.005);
    }
    CHECK(t, beside > 500);
    CHECK(t, around > 500);
    // in the middle of the slot's bottom: radius 0.035 against 0.03
    const TmlPose low = {v3(0, 0.094, 0.001), m3_identity()};
    TmlTouch x[TML_TOUCH_MAX];
    CHECK_INT(t, tml_touch(&a, &sphere, &low, 0.0, x, NULL), 1);
    CHECK_NEAR(t, x[0].depth, 0.001, 1e-15);
    CHECK_NEAR(t, x[0].curvature[0], 1.0 / 0.03 - 1.0 / 0.035, 1e-12);
    CHECK_NEAR(t, x[0].curvature[1], 1.0 / 0.03, 1e-12);
    tml_arena_free(&arena);
}

/* Half a ball as a revolution has the curvature of a ball on its axis, beside it, and where rounding decides. */
TEST(a_dome_is_a_ball_at_its_pole)
{
    static const double aside[] = {0.0, 1e-18, 1e-12, 1e-9, 1e-7, 1e-4, 0.02};
    const double points[6] = {0.0, 0.0, 0.1, 0.0, 0.0, 0.1}, bulges[3] = {0, tan(M_PI / 8), 0};
    TmlArena arena = {0};
    TmlProfileData dome = {.points = {6, points}, .bulges = {3, bulges}};
    prepare(t, "revolution", &dome, &arena);
    const TmlShape a = shape("revolution", &dome), sphere = shape("sphere", &ball);
    for (int k = 0; k < 7; ++k) {
        const double x = aside[k];
        const TmlPose at = {v3(x, 0, sqrt(0.129 * 0.129 - x * x)), m3_identity()};
        TmlTouch touch[TML_TOUCH_MAX];
        CHECK_INT(t, tml_touch(&a, &sphere, &at, 0.0, touch, NULL), 1);
        CHECK_NEAR(t, touch[0].depth, 0.001, 1e-14);
        for (int i = 0; i < 2; ++i) {
            // rounding of a place, 1e-17 m, over the distance from the axis: 1e-9 of 43 at 1e-8 m
            CHECK_NEAR(t, touch[0].curvature[i], 1.0 / 0.03 + 1.0 / 0.1, 1e-7);
        }
    }
    tml_arena_free(&arena);
}

TEST(profiles_that_are_refused)
{
    TmlArena arena = {0};
    TmlError err = {0};
    const double clockwise[6] = {0, 0, 0, 1, 1, 0}, twice[6] = {0, 0, 1, 0, 1, 0};
    const double one = 1.0;
    const TmlShapeType *type = tml_find_shape_type("revolution");
    TmlProfileData data = {.points = {6, clockwise}};
    CHECK(t, tml_shape_prepare(type, &data, &arena, NULL, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "clockwise");
    data.points.value = twice;
    CHECK(t, tml_shape_prepare(type, &data, &arena, NULL, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "points 2 and 3 are the same");
    data.bulges = (TmlReals){1, &one};
    CHECK(t, tml_shape_prepare(type, &data, &arena, NULL, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "1 bulges for 3 points");
    tml_arena_free(&arena);
}

/* A plane, and waves, given by heights. */
TEST(height_fields)
{
    enum { NX = 12, NY = 9 };
    double plane[NX * NY], waves[NX * NY];
    for (int k = 0; k < NX * NY; ++k) {
        const int column = k % NX, row = k / NX;
        const double x = 0.05 * column, y = 0.06 * row;
        plane[k] = 0.2 * x - 0.1 * y + 0.01;
        waves[k] = 0.02 * sin(9.0 * x) * cos(7.0 * y);
    }
    const HeightData flat = {{NX * NY, plane}, NX, 0.05, 0.06, NULL};
    const HeightData rough = {{NX * NY, waves}, NX, 0.05, 0.06, NULL};
    const TmlShape a = shape("height_field", &flat), b = shape("height_field", &rough);
    const TmlShape sphere = shape("sphere", &ball);
    const TmlVec3 n = v3_unit(v3(-0.2, 0.1, 1.0));
    int compared = 0;
    for (int k = 0; k < 200; ++k) {
        TmlPose pose = {.A = m3_identity()};
        pose.r = v3(test_random(t, 0.05, 0.5), test_random(t, 0.05, 0.43), 0.0);
        pose.r.z = 0.2 * pose.r.x - 0.1 * pose.r.y + 0.01 + test_random(t, 0.0, 0.03);
        TmlTouch x[TML_TOUCH_MAX];
        CHECK_INT(t, tml_touch(&a, &sphere, &pose, 0.01, x, NULL), 1);
        const double depth = ball - v3_dot(n, v3_sub(pose.r, v3(0, 0, 0.01)));
        CHECK_NEAR(t, x[0].depth, depth, 1e-14);
        CHECK_NEAR(t, v3_norm(v3_sub(x[0].n, n)), 0.0, 1e-13);
        CHECK_NEAR(t, x[0].curvature[0], 1.0 / ball, 1e-11);
        pose.r.z = 0.02 * sin(9.0 * pose.r.x) * cos(7.0 * pose.r.y) + test_random(t, 0.0, 0.03);
        compared += check_rates(t, &b, &sphere, &pose, 0.01);
    }
    CHECK(t, compared > 300);
}

TEST_SUITE(contact_profiles) = {CASE(mesh_of_a_box_is_the_box),
                                CASE(broken_meshes_are_named),
                                CASE(extruded_rectangle_is_a_box),
                                CASE(rates_on_arcs),
                                CASE(a_dome_is_a_ball_at_its_pole),
                                CASE(profiles_that_are_refused),
                                CASE(height_fields),
                                {0}};
