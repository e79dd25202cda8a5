/* tests/contact/touch_util.h - random shapes and poses for tests of geometry.
 *
 * Data of a shape come from its table: lengths between 0.3 and 1. A shape whose parameters are not all
 * numbers needs a fixture.
 */
#pragma once

#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/contacts.h"
#include "model/contact/shape/polyhedron/polyhedron.h"
#include "test.h"

enum { SHAPE_BYTES = 256 };

typedef union ShapeData {
    double number[SHAPE_BYTES / sizeof(double)];
    char bytes[SHAPE_BYTES];
} ShapeData;

/* A hull of five points, a slab of triangles: types whose data are not all numbers. */
typedef struct HullFixture {
    TmlPolyhedronData head;
    TmlReals vertices;
    const char *file;
    double scale;
    const void *solid;
} HullFixture;

typedef struct MeshFixture {
    const char *file;
    double scale;
    const void *solid;
} MeshFixture;

static inline bool shape_has_fixture(const TmlShapeType *type)
{
    return strcmp(type->info.name, "hull") == 0 || strcmp(type->info.name, "mesh") == 0;
}

static inline void shape_fixture(TestCtx *t, const TmlShapeType *type, double scale,
                                 ShapeData *data)
{
    static TmlArena arena;
    static MeshFixture slab[2];
    static char path[4096];
    TmlError err = {0};
    if (strcmp(type->info.name, "mesh") == 0) {
        MeshFixture *m = &slab[scale > 1.0];
        if (m->solid == NULL) {
            snprintf(path, sizeof path, "%s/tests/data/contact/slab.obj", test_source_dir());
            *m = (MeshFixture){.file = path, .scale = 0.05 * scale};
            CHECK_OK(t, tml_shape_prepare(type, m, &arena, NULL, &err), &err);
        }
        memcpy(data, m, sizeof *m);
        return;
    }
    static TmlArena hulls[16]; // the last ones are kept
    static int at;
    TmlArena *own = &hulls[at++ % 16];
    tml_arena_free(own);
    HullFixture h = {.scale = scale};
    double *x = tml_arena_alloc(own, sizeof *x, 15);
    for (int k = 0; k < 15; ++k) {
        x[k] = test_random(t, -0.5, 0.5);
    }
    h.vertices = (TmlReals){.n = 15, .value = x};
    CHECK_OK(t, tml_shape_prepare(type, &h, own, NULL, &err), &err);
    memcpy(data, &h, sizeof h);
}

/* Whether all parameters are numbers or vectors of lengths. */
static inline bool shape_is_plain(const TmlShapeType *type)
{
    if (shape_has_fixture(type)) {
        return true;
    }
    for (const TmlParam *p = type->info.params; p != NULL && p->name != NULL; ++p) {
        if (p->kind != TML_PARAM_REAL && p->kind != TML_PARAM_VEC3 && p->kind != TML_PARAM_CHOICE) {
            return false;
        }
    }
    return type->info.data_size <= SHAPE_BYTES;
}

/* Random data that the type accepts; lengths are `scale` times those of scale 1 with the same seed. */
static inline void shape_random(TestCtx *t, const TmlShapeType *type, double scale, ShapeData *data)
{
    TmlError err;
    *data = (ShapeData){0};
    if (shape_has_fixture(type)) {
        shape_fixture(t, type, scale, data);
        return;
    }
    do {
        *data = (ShapeData){0};
        for (const TmlParam *p = type->info.params; p != NULL && p->name != NULL; ++p) {
            double *at = (double *)(void *)(data->bytes + p->offset);
            if (p->kind == TML_PARAM_CHOICE) {
                continue; // the first one
            }
            const double unit = strcmp(p->unit, "m") == 0 ? scale : 1.0;
            for (int k = 0; k < (p->kind == TML_PARAM_VEC3 ? 3 : 1); ++k) {
                at[k] = unit * test_random(t, 0.3, 1.0);
            }
        }
    } while (type->check != NULL && type->check(data, &err) != TML_OK);
}

static inline TmlPose pose_random(TestCtx *t)
{
    return (TmlPose){v3_scale(2.0, test_vec3(t)), q4_matrix(test_quat(t))};
}

/* The pose with variable k moved by x. */
static inline TmlPose pose_moved(const TmlPose *pose, int k, double x)
{
    TmlPose o = *pose;
    const TmlVec3 d = v3(k % 3 == 0 ? x : 0, k % 3 == 1 ? x : 0, k % 3 == 2 ? x : 0);
    if (k < 3) {
        o.r = v3_add(o.r, d);
    } else {
        const TmlMat33 R = q4_matrix(q4_exp(d));
        o.A = m3_mul(&R, &pose->A);
    }
    return o;
}

static inline TmlPose pose_back(const TmlPose *pose)
{
    return (TmlPose){v3_neg(m3_tmulv(&pose->A, pose->r)), m3_transpose(&pose->A)};
}

static inline int deepest(const TmlTouch *touch, int n)
{
    int best = 0;
    for (int k = 1; k < n; ++k) {
        best = touch[k].depth > touch[best].depth ? k : best;
    }
    return best;
}

/* Moves the second shape until the deepest point has about the given depth. False: it does not. Between two ways
 * out of a solid with edges the walk goes to and fro until both are equally long: a last push decides. */
static inline bool pose_to_depth(const TmlShape *a, const TmlShape *b, TmlPose *pose, double depth,
                                 double reach)
{
    for (int k = 0; k < 30; ++k) {
        TmlTouch touch[TML_TOUCH_MAX];
        const int n = tml_touch(a, b, pose, reach, touch, NULL);
        if (n < 1) {
            return false;
        }
        const TmlTouch *at = &touch[deepest(touch, n)];
        pose->r = v3_axpy(at->depth - depth, at->n, pose->r);
        if (fabs(at->depth - depth) < 0.05 * fabs(depth)) {
            pose->r = v3_axpy(0.01 * depth, v3(0.3, 0.5, -0.7), pose->r);
            return true;
        }
    }
    return false;
}

static inline const TmlTouch *touch_by_id(const TmlTouch *touch, int n, uint64_t id)
{
    for (int k = 0; k < n; ++k) {
        if (touch[k].id == id) {
            return &touch[k];
        }
    }
    return NULL;
}

/* Calls `check` for every pair of the registry that can be made from numbers. */
typedef void PairCheck(TestCtx *t, const TmlShapeType *a, const TmlShapeType *b);

static inline int for_each_pair(TestCtx *t, PairCheck *check)
{
    int count = 0;
    for (const TmlShapeType *const *a = tml_shape_types; *a != NULL; ++a) {
        for (const TmlShapeType *const *b = tml_shape_types; *b != NULL; ++b) {
            if (tml_can_touch(*a, *b) && shape_is_plain(*a) && shape_is_plain(*b)) {
                char name[80];
                snprintf(name, sizeof name, "%s-%s", (*a)->info.name, (*b)->info.name);
                t->name = name;
                check(t, *a, *b);
                ++count;
            }
        }
    }
    t->name = NULL;
    return count;
}
