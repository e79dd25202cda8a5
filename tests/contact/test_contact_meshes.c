/* tests/contact/test_contact_meshes.c - shapes on triangle meshes against the same on a box.
 *
 * The slab is a box of many triangles. Each limit is rounding of lengths of 0.1 m, unless a comment says
 * otherwise.
 */
#include "touch_util.h"

#include "model/contact/shape/box.h"
#include "model/contact/shape/profile/profile.h"

typedef struct MeshData {
    const char *file;
    double scale;
    const void *solid;
} MeshData;

typedef struct Slab {
    TmlArena arena;
    MeshData data;
    TmlBoxData box;
    TmlShape mesh, solid;
    char path[4096];
} Slab;

static void make_slab(TestCtx *t, Slab *s)
{
    TmlError err = {0};
    *s = (Slab){.box = {.size = {0.2, 0.16, 0.04}}};
    snprintf(s->path, sizeof s->path, "%s/tests/data/contact/slab.obj", test_source_dir());
    s->data = (MeshData){.file = s->path, .scale = 0.01};
    s->mesh = (TmlShape){tml_find_shape_type("mesh"), &s->data};
    s->solid = (TmlShape){tml_find_shape_type("box"), &s->box};
    CHECK_OK(t, tml_shape_prepare(s->mesh.type, &s->data, &s->arena, NULL, &err), &err);
}

typedef struct Wrench {
    TmlVec3 f, m;
    double deepest;
} Wrench;

/* Of a linear law of stiffness one, or of pressure one per depth for patches. */
static Wrench wrench_of(const TmlShape *a, const TmlShape *b, const TmlPose *pose, double reach)
{
    TmlTouch touch[TML_TOUCH_MAX];
    const int n = tml_touch(a, b, pose, reach, touch, NULL);
    Wrench w = {.deepest = -HUGE_VAL};
    for (int k = 0; k < n; ++k) {
        const double part =
            (1.0 - touch[k].fade) * (touch[k].size > 0.0 ? touch[k].size : touch[k].depth);
        w.deepest = fmax(w.deepest, touch[k].depth);
        if (touch[k].depth > 0.0) {
            w.f = v3_axpy(part, touch[k].n, w.f);
            w.m = v3_axpy(part, v3_cross(touch[k].p, touch[k].n), w.m);
        }
    }
    return w;
}

/* Moves the second along the way out from the first. */
static bool to_depth(const TmlShape *a, const TmlShape *b, TmlPose *pose, double depth)
{
    TmlTouch touch[TML_TOUCH_MAX];
    for (int k = 0; k < 20; ++k) {
        const int n = tml_touch(a, b, pose, 1.0, touch, NULL);
        if (n < 1) {
            return false;
        }
        const TmlTouch *at = &touch[deepest(touch, n)];
        if (fabs(at->depth - depth) < 1e-6) {
            return true;
        }
        pose->r = v3_axpy(at->depth - depth, at->n, pose->r);
    }
    return false;
}

/* How many poses have the same force, moment and gap. */
static void compare_with_box(TestCtx *t, const char *type, const double *data)
{
    Slab slab;
    make_slab(t, &slab);
    const TmlShape round = {tml_find_shape_type(type), data};
    int same = 0, all = 0;
    t->name = type;
    for (int k = 0; k < 1500; ++k) {
        TmlPose pose = {v3_scale(0.2, test_vec3(t)), q4_matrix(test_quat(t))};
        const double depth = test_random(t, -2e-3, 1e-4);
        if (!to_depth(&slab.solid, &round, &pose, depth)) {
            continue;
        }
        const Wrench a = wrench_of(&slab.solid, &round, &pose, 3e-3);
        const Wrench b = wrench_of(&slab.mesh, &round, &pose, 3e-3);
        all++;
        const double off = v3_norm(v3_sub(a.f, b.f)) + 10.0 * v3_norm(v3_sub(a.m, b.m));
        same += off < 1e-12 && fabs(a.deepest - b.deepest) < 1e-12;
    }
    // ways out of one overlap at a corner may be taken in another order: a few in a thousand
    CHECK(t, all > 1400 && same >= 0.99 * all);
    t->name = NULL;
    tml_arena_free(&slab.arena);
}

/* Force, moment about the origin, volume and energy of patches. */
typedef struct Patch {
    TmlVec3 f, m;
    double energy;
    int n;
} Patch;

static Patch patch_of(const TmlShape *a, const TmlShape *b, const TmlPose *pose)
{
    TmlTouch touch[TML_TOUCH_MAX];
    Patch o = {.n = tml_touch(a, b, pose, 0.0, touch, NULL)};
    for (int k = 0; k < o.n; ++k) {
        o.f = v3_axpy(touch[k].size, touch[k].n, o.f);
        o.m = v3_axpy(touch[k].size, v3_cross(touch[k].p, touch[k].n), o.m);
        o.energy += touch[k].size * touch[k].depth;
    }
    return o;
}

/* A box that stands d deep in a face presses with int min(d, distance to its sides) dA, by layers
 * int_0^d (a - 2 h) (b - 2 h) dh. */
TEST(box_on_a_slab)
{
    Slab slab;
    make_slab(t, &slab);
    const TmlBoxData block = {.size = {0.06, 0.05, 0.04}};
    const TmlShape box = {tml_find_shape_type("box"), &block};
    const double d = 1e-3, a = 0.06, b = 0.05,
                 full = a * b * d - (a + b) * d * d + 4.0 / 3.0 * d * d * d;
    TmlPose pose = {.r = {0.013, -0.021, 0.04 - d}, .A = m3_identity()};
    Patch o = patch_of(&slab.mesh, &box, &pose);
    CHECK_INT(t, o.n, 4); // one plane, though many triangles
    CHECK_NEAR(t, o.f.z, full, 1e-16);
    CHECK_NEAR(t, hypot(o.f.x, o.f.y), 0.0, 1e-18);
    CHECK_NEAR(t, o.m.x, full * pose.r.y, 1e-17);
    CHECK_NEAR(t, o.m.y, -full * pose.r.x, 1e-17);
    // half of it beyond the edge: the side faces of the slab are in the box, too, where its end is nearest by far
    pose.r.x = 0.1;
    o = patch_of(&slab.mesh, &box, &pose);
    CHECK_NEAR(t, o.f.z, 0.5 * full,
               2e-2 * full); // strips of one depth at the edge, 1e-3 of 0.03 each
    // a gap, and its touch
    pose.r = v3(0, 0, 0.04 + 1e-4);
    TmlTouch touch[TML_TOUCH_MAX];
    CHECK_INT(t, tml_touch(&slab.mesh, &box, &pose, 1e-3, touch, NULL), 1);
    CHECK_NEAR(t, touch[0].depth, -1e-4, 1e-16);
    CHECK_NEAR(t, touch[0].n.z, 1.0, 1e-15);
    tml_arena_free(&slab.arena);
}

/* Force along a way over the edge, and while it tilts, has no jumps: a quarter of the step, a quarter of the change. */
static double largest_change(const TmlShape *a, const TmlShape *b, int steps, bool tilts)
{
    double most = 0.0;
    Patch last = {0};
    for (int k = 0; k <= steps; ++k) {
        const double s = (double)k / steps;
        const TmlVec3 turn = v3_scale(tilts ? 0.3 * s : 0.0, v3(0.8, 0.6, 0));
        const TmlPose pose = {v3(tilts ? 0.0 : 0.13 * s, 0.01, 0.039), q4_matrix(q4_exp(turn))};
        const Patch o = patch_of(a, b, &pose);
        if (k > 0) {
            most = fmax(most, v3_norm(v3_sub(o.f, last.f)));
        }
        last = o;
    }
    return most;
}

TEST(pressure_has_no_jumps)
{
    Slab slab;
    make_slab(t, &slab);
    const TmlBoxData block = {.size = {0.06, 0.05, 0.04}};
    const TmlShape second[2] = {{tml_find_shape_type("box"), &block}, slab.mesh};
    for (int k = 0; k < 4; ++k) {
        const TmlShape *b = &second[k / 2];
        const double coarse = largest_change(&slab.mesh, b, 60, k % 2 == 1);
        const double fine = largest_change(&slab.mesh, b, 240, k % 2 == 1);
        CHECK(t,
              coarse > 0.0 && fine < 0.4 * coarse); // a quarter, and half as much again for kinks
    }
    tml_arena_free(&slab.arena);
}

TEST(mesh_on_mesh)
{
    Slab slab;
    make_slab(t, &slab);
    const double d = 1e-3;
    // flat on each other, shifted and turned round: the common area times the depth
    TmlPose pose = {.r = {0.05, 0.03, 0.04 - d}, .A = m3_identity()};
    Patch o = patch_of(&slab.mesh, &slab.mesh, &pose);
    const double V = 0.15 * 0.13 * d;
    CHECK_NEAR(t, o.f.z, V, 1e-16);
    CHECK_NEAR(t, o.energy, 0.5 * V * d, 1e-18);
    CHECK_NEAR(t, o.m.x, V * 0.015, 1e-16);
    CHECK_NEAR(t, o.m.y, -V * 0.025, 1e-16);
    pose.A = q4_matrix(q4_exp(v3(0, 0, 1.5707963267948966)));
    pose.r = v3(0, 0, 0.04 - d);
    o = patch_of(&slab.mesh, &slab.mesh, &pose);
    CHECK_NEAR(t, o.f.z, 0.16 * 0.16 * d, 1e-16);
    tml_arena_free(&slab.arena);
}

TEST(round_shapes_on_a_slab)
{
    const double capsule[2] = {0.02, 0.1}, cylinder[2] = {0.03, 0.08};
    const double cone[3] = {0.03, 0.02, 0.08}, ellipsoid[3] = {0.05, 0.03, 0.04};
    compare_with_box(t, "capsule", capsule);
    compare_with_box(t, "cylinder", cylinder);
    compare_with_box(t, "cone", cone);
    compare_with_box(t, "ellipsoid", ellipsoid);
}

/* --- profiles and height fields ------------------------------------------------------------------ */

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

static TmlShape prepared(TestCtx *t, const char *type, void *data, TmlArena *arena)
{
    TmlError err = {0};
    const TmlShape o = {tml_find_shape_type(type), data};
    CHECK_OK(t, tml_shape_prepare(o.type, data, arena, NULL, &err), &err);
    return o;
}

/* A pin beside a straight flank, between two of a slot, and on an arc. */
TEST(pins_along_an_extrusion)
{
    TmlArena arena = {0};
    // a bar from x = -0.05 to 0.05 with a slot of width 0.0199 from above, whose ground is at y = 0
    double points[16] = {-0.05,   -0.05, 0.05,     -0.05, 0.05,     0.05, 0.00995, 0.05,
                         0.00995, 0.0,   -0.00995, 0.0,   -0.00995, 0.05, -0.05,   0.05};
    ExtrusionData bar = {.head.points = {16, points}, .thickness = 0.02};
    const TmlShape first = prepared(t, "extrusion", &bar, &arena);
    const double pin[2] = {0.01, 0.03};
    TmlTouch touch[TML_TOUCH_MAX];
    for (int k = 0; k < 2; ++k) {
        const TmlShape second = {tml_find_shape_type(k == 0 ? "cylinder" : "capsule"), pin};
        TmlPose pose = {.r = {0.0595, -0.02, 0.004}, .A = m3_identity()};
        int n = tml_touch(&first, &second, &pose, 0.0, touch, NULL);
        CHECK_INT(t, n, 2); // at the ends of the common length, from -0.01 to 0.01
        for (int i = 0; i < 2; ++i) {
            CHECK_NEAR(t, touch[i].depth, 5e-4, 1e-16);
            CHECK_NEAR(t, touch[i].n.x, 1.0, 1e-15);
            CHECK_NEAR(t, touch[i].p.x, 0.05 - 2.5e-4, 1e-16);
            CHECK_NEAR(t, fabs(touch[i].p.z), 0.01, 1e-16);
            CHECK_NEAR(t, touch[i].fade, 0.5, 1e-15);
            CHECK_NEAR(t, touch[i].curvature[1], 100.0, 1e-11);
        }
        pose.r = v3(0, 0.03, 0);
        n = tml_touch(&first, &second, &pose, 0.0, touch, NULL);
        CHECK_INT(t, n, 4); // both flanks, both ends
        for (int i = 0; i < 4; ++i) {
            CHECK_NEAR(t, touch[i].depth, 5e-5, 1e-16);
            CHECK_NEAR(t, fabs(touch[i].n.x), 1.0, 1e-15);
        }
    }
    tml_arena_free(&arena);
}

/* A wheel of lines is the cylinder, a plane field the face of a box. */
TEST(triangles_of_other_types)
{
    TmlArena arena = {0};
    double points[8] = {0.0, -0.02, 0.05, -0.02, 0.05, 0.02, 0.0, 0.02};
    TmlProfileData wheel = {.points = {8, points}};
    double square[8] = {-0.1, -0.08, 0.1, -0.08, 0.1, 0.08, -0.1, 0.08};
    ExtrusionData bar = {.head.points = {8, square}, .thickness = 0.04};
    double plane[12] = {0};
    HeightData field = {{12, plane}, 4, 0.1, 0.1, NULL};
    const TmlBoxData slab = {.size = {0.2, 0.16, 0.04}};
    const double cone[3] = {0.03, 0.02, 0.08};
    const TmlShape revolved = prepared(t, "revolution", &wheel, &arena);
    const TmlShape extruded = prepared(t, "extrusion", &bar, &arena);
    const TmlShape ground = prepared(t, "height_field", &field, &arena);
    const TmlShape box = {tml_find_shape_type("box"), &slab},
                   solid = {tml_find_shape_type("cone"), cone};
    const TmlShape floor = {tml_find_shape_type("half_space"), NULL};
    int same = 0, all = 0;
    for (int k = 0; k < 300; ++k) {
        TmlPose pose = {v3_scale(0.2, test_vec3(t)), q4_matrix(test_quat(t))};
        if (!to_depth(&box, &solid, &pose, test_random(t, -2e-3, 1e-4))) {
            continue;
        }
        const Wrench a = wrench_of(&box, &solid, &pose, 3e-3);
        const Wrench b = wrench_of(&extruded, &solid, &pose, 3e-3);
        same += v3_norm(v3_sub(a.f, b.f)) + 10.0 * v3_norm(v3_sub(a.m, b.m)) < 1e-12;
        all++;
    }
    CHECK(t, all > 280 && same >= 0.98 * all); // ways out at corners, as on the slab
    // a cone that stands on the field, and one on the box
    TmlPose pose = {.r = {0.14, 0.09, 0.04 - 1e-4}, .A = m3_identity()};
    const Wrench w = wrench_of(&ground, &solid, &pose, 0.0);
    CHECK_NEAR(t, w.f.z, 1e-4, 1e-17);
    CHECK_NEAR(t, w.m.x, 1e-4 * 0.09, 1e-17);
    CHECK_NEAR(t, w.m.y, -1e-4 * 0.14, 1e-17);
    // the wet part of a polygon of 64 corners, standing
    pose.r = v3(0, 0, 0.019);
    const double area = 32.0 * sin(6.283185307179586 / 64.0) * 0.05 * 0.05;
    CHECK_NEAR(t, patch_of(&floor, &revolved, &pose).f.z, area * 1e-3, 1e-17);
    CHECK_NEAR(t, patch_of(&ground, &revolved, &(TmlPose){v3(0.15, 0.1, 0.019), m3_identity()}).f.z,
               area * 1e-3, 1e-16);
    tml_arena_free(&arena);
}

TEST_SUITE(contact_meshes) = {CASE(round_shapes_on_a_slab),
                              CASE(box_on_a_slab),
                              CASE(pressure_has_no_jumps),
                              CASE(mesh_on_mesh),
                              CASE(pins_along_an_extrusion),
                              CASE(triangles_of_other_types),
                              {0}};
