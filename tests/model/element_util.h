/* tests/model/element_util.h - random frames, data of any type, and differences.
 *
 * Differences are central, of sixth order: truncation h^6 f^(7) / 140, rounding about 1e-16 / h.
 */
#pragma once

#include "base/arena.h"
#include "expr/spline.h"
#include "math/vec3.h"
#include "model/measure/binding.h"
#include "model/path/path.h"
#include "test.h"

enum { STENCIL = 6 };

static const double stencil_at[STENCIL] = {-3, -2, -1, 1, 2, 3};
static const double stencil_weight[STENCIL] = {-1.0 / 60, 9.0 / 60,  -45.0 / 60,
                                               45.0 / 60, -9.0 / 60, 1.0 / 60};
// h^6 = 1.6e-20: truncation is below 1e-9 for seventh derivatives up to 1e13, which products of
// forces have near the ends of their range; rounding is 2e-13 of the value
static const double stencil_h = 5e-4;

/* Coordinates of a frame that may be varied: r, theta, v, omega, a, alpha, three each. */
enum { MOVE_MOTION = 0, MOVE_TWIST = 6, MOVE_ACCELERATION = 12, MOVES = 18 };

/* The frame with coordinate m moved by x; rotations turn it from the left. */
static inline TmlFrameKin kin_moved(const TmlFrameKin *e, int m, double x)
{
    TmlFrameKin k = *e;
    const TmlVec3 d = v3(m % 3 == 0 ? x : 0, m % 3 == 1 ? x : 0, m % 3 == 2 ? x : 0);
    TmlVec3 *const vectors[6] = {&k.r, NULL, &k.v, &k.omega, &k.a, &k.alpha};
    if (m / 3 == 1) {
        const TmlMat33 R = q4_matrix(q4_exp(d));
        k.A = m3_mul(&R, &e->A);
    } else {
        *vectors[m / 3] = v3_add(*vectors[m / 3], d);
    }
    return k;
}

/* The frame after time x at constant velocity and angular velocity. */
static inline TmlFrameKin kin_flown(const TmlFrameKin *e, double x)
{
    TmlFrameKin k = *e;
    const TmlMat33 R = q4_matrix(q4_exp(v3_scale(x, e->omega)));
    k.r = v3_axpy(x, e->v, e->r);
    k.A = m3_mul(&R, &e->A);
    return k;
}

/* Random motion; rotations differ from `base` by up to about `angle` sqrt(3) rad. */
static inline TmlFrameKin kin_random(TestCtx *t, const TmlMat33 *base, double angle)
{
    const TmlMat33 R = q4_matrix(q4_exp(v3_scale(angle, test_vec3(t))));
    TmlFrameKin k = {.r = test_vec3(t), .v = test_vec3(t), .omega = test_vec3(t)};
    k.A = m3_mul(&R, base);
    k.a = test_vec3(t);
    k.alpha = test_vec3(t);
    return k;
}

static inline double row_entry(const TmlRow *row, int m)
{
    const double x[6] = {row->r.x, row->r.y, row->r.z, row->theta.x, row->theta.y, row->theta.z};
    return x[m];
}

/* An odd table whose interior interval holds all arguments of the tests: one polynomial there. */
static inline const TmlSpline *table_random(TestCtx *t, TmlArena *arena)
{
    static const double x[] = {-60, -20, 20, 60};
    const double a = test_random(t, 10, 50), b = test_random(t, 50, 900);
    const double y[] = {-b, -a, a, b};
    TmlSpline *s = NULL;
    TmlError err;
    CHECK_OK(t, tml_spline_create(TML_SPLINE_CUBIC, 4, x, y, arena, &s, &err), &err);
    return s;
}

/* An open curve that passes by the places of the tests. */
static inline const TmlPath *path_random(TestCtx *t, TmlArena *arena)
{
    enum { POINTS = 6 };
    TmlVec3 r[POINTS];
    TmlPath *path = NULL;
    TmlError err;
    for (int k = 0; k < POINTS; ++k) {
        r[k] = v3(3.0 * k - 6.0, test_random(t, -1, 1), test_random(t, -0.2, 0.2));
    }
    const TmlPathPoints points = {.n = POINTS, .point = r, .order = TML_PATH_ORDER};
    CHECK_OK(t, tml_path_create(&points, arena, &path, &err), &err);
    return path;
}

static inline void matrix_random(TestCtx *t, double *K)
{
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c <= r; ++c) {
            K[6 * r + c] = K[6 * c + r] = test_random(t, -1, 1) + (r == c ? 3.0 : 0.0);
        }
    }
}

static inline int choice_count(const char *words)
{
    int n = 1;
    for (; *words != '\0'; ++words) {
        n += *words == '|';
    }
    return n;
}

/* One parameter of the table, at random within its range. Expressions get a placeholder: types
 * only ask whether there is one. */
static inline void param_random(TestCtx *t, TmlArena *arena, const TmlParam *p, void *data)
{
    static TmlBinding placeholder;
    char *at = (char *)data + p->offset;
    double *six = NULL;
    switch (p->kind) {
    case TML_PARAM_REAL:
        *(double *)at = test_random(t, p->range == TML_ANY ? -1.0 : 0.1, 1.0);
        break;
    case TML_PARAM_INT:
        *(int *)at = (int)test_random(t, 0, 3);
        break;
    case TML_PARAM_BOOL:
        *(bool *)at = test_random(t, 0, 1) < 0.5;
        break;
    case TML_PARAM_CHOICE:
    case TML_PARAM_COORDINATE:
        *(int *)at = (int)test_random(t, 0, choice_count(p->choices));
        break;
    case TML_PARAM_MAT66:
        matrix_random(t, (double *)at);
        break;
    case TML_PARAM_REALS:
        six = tml_arena_alloc(arena, 6, sizeof *six);
        for (int k = 0; k < 6; ++k) {
            six[k] = test_random(t, -1, 1);
        }
        *(TmlReals *)at = (TmlReals){6, six};
        break;
    case TML_PARAM_SPLINE:
        *(const TmlSpline **)at = table_random(t, arena);
        break;
    case TML_PARAM_EXPR:
        *(TmlBinding **)at = test_random(t, 0, 1) < 0.8 ? &placeholder : NULL;
        break;
    case TML_PARAM_PATH:
        *(const TmlPath **)at = path_random(t, arena);
        break;
    case TML_PARAM_JOINT:
        *(int *)at = 0;
        break;
    default:
        test_fail(t, __FILE__, __LINE__, "parameter '%s': kind not known to the tests", p->name);
    }
}

/* Data of a type with random parameters that its check accepts. */
static inline void *data_random(TestCtx *t, TmlArena *arena, const TmlTypeInfo *info,
                                TmlStatus (*check)(const void *data, TmlError *err))
{
    void *data = tml_arena_alloc(arena, 1, info->data_size);
    TmlError err;
    for (int attempt = 0; attempt < 100; ++attempt) {
        for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
            param_random(t, arena, p, data);
        }
        if (check == NULL || check(data, &err) == TML_OK) {
            return data;
        }
    }
    test_fail(t, __FILE__, __LINE__, "%s: no random data accepted: %s", info->name, err.message);
    return data;
}
