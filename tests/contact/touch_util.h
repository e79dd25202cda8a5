/* tests/contact/touch_util.h - random shapes and poses for tests of geometry.
 *
 * Data of a shape come from its table: lengths between 0.3 and 1. A shape whose parameters are not all
 * numbers needs a fixture of its own.
 */
#pragma once

#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/contacts.h"
#include "test.h"

enum { SHAPE_BYTES = 256 };

typedef union ShapeData {
    double number[SHAPE_BYTES / sizeof(double)];
    char bytes[SHAPE_BYTES];
} ShapeData;

/* Whether all parameters are numbers or vectors of lengths. */
static inline bool shape_is_plain(const TmlShapeType *type)
{
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
