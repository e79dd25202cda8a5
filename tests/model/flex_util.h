/* tests/model/flex_util.h - elements of flexible bodies of every type, formulation, material and
 * section, straight and curved, and states of them.
 *
 * Sizes are of order one and Young's modulus is 1000 Pa, so that forces have the scale
 * `force_unit`.
 */
#pragma once

#include "math/vec3.h"
#include "model/registry.h"
#include "test.h"

#include <stdlib.h>

enum { FN = TML_FLEX_MAX_N, FV = TML_FLEX_MAX_VECTORS };

static const double force_unit = 1000.0;

typedef struct FlexSample {
    const TmlFlexType *type;
    TmlFlexData data;
    double size[2];
    bool curved;
    double rest[FN]; /* stress-free shape */
    double x[FN], v[FN];
    const void *table;
    TmlArena arena;
    char name[128];
} FlexSample;

static inline int flex_n(const FlexSample *s)
{
    return s->type->nodes * s->type->vectors;
}

static inline int flex_size(const FlexSample *s)
{
    return flex_n(s) * s->type->dim;
}

static inline TmlFlexKind flex_kind(const FlexSample *s, int i)
{
    return s->type->kind[i % s->type->vectors];
}

static inline bool flex_has(const TmlFlexType *type, TmlFlexKind kind)
{
    for (int k = 0; k < type->vectors; ++k) {
        if (type->kind[k] == kind) {
            return true;
        }
    }
    return false;
}

static inline TmlVec3 flex_vec(const FlexSample *s, const double *x, int i)
{
    const int dim = s->type->dim;
    return v3(x[i * dim], x[i * dim + 1], dim > 2 ? x[i * dim + 2] : 0.0);
}

static inline void flex_put(const FlexSample *s, double *x, int i, TmlVec3 v)
{
    const int dim = s->type->dim;
    const double c[3] = {v.x, v.y, v.z};
    memcpy(x + i * dim, c, (size_t)dim * sizeof *c);
}

/* Where node k is: fractions of the element along x and y. */
static inline void flex_node_place(const TmlFlexType *type, int k, double u[2])
{
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    u[0] = type->topology == TML_FLEX_PATCH ? corner[k][0] : (double)k / (type->nodes - 1);
    u[1] = type->topology == TML_FLEX_PATCH ? corner[k][1] : 0.0;
}

/* Point X of a straight body bent to the curvature about z (about y for patches), and its
 * gradients.
 */
static inline TmlVec3 flex_bent(double curvature, bool patch, TmlVec3 X, TmlFlexKind kind)
{
    const double angle = curvature * X.x, c = cos(angle), s = sin(angle);
    const double along = curvature != 0.0 ? s / curvature : X.x;
    const double up = curvature != 0.0 ? (1.0 - c) / curvature : 0.0;
    const TmlVec3 ey = patch ? v3(0, 1, 0) : v3(-s, c, 0), ez = patch ? v3(-s, 0, c) : v3(0, 0, 1);
    switch (kind) {
    case TML_FLEX_RX:
        return patch ? v3(c, 0, s) : v3(c, s, 0);
    case TML_FLEX_RY:
        return ey;
    case TML_FLEX_RZ:
        return ez;
    default: {
        const TmlVec3 axis = patch ? v3(along, 0, up) : v3(along, up, 0);
        return v3_axpy(X.z, ez, v3_axpy(X.y, ey, axis));
    }
    }
}

/* x[] of an element bent to the curvature from x = x0 on, then turned by Q and moved. */
static inline void flex_bend(const FlexSample *s, double curvature, double x0, const TmlMat33 *Q,
                             TmlVec3 move, double *x)
{
    for (int i = 0; i < flex_n(s); ++i) {
        double u[2];
        flex_node_place(s->type, i / s->type->vectors, u);
        const TmlVec3 X = v3(x0 + u[0] * s->size[0], u[1] * s->size[1], 0);
        const TmlFlexKind kind = flex_kind(s, i);
        const TmlVec3 r =
            m3_mulv(Q, flex_bent(curvature, s->type->topology == TML_FLEX_PATCH, X, kind));
        flex_put(s, x, i, kind == TML_FLEX_R ? v3_add(r, move) : r);
    }
}

/* A rotation that the element's space allows. */
static inline TmlMat33 flex_rotation(TestCtx *t, const FlexSample *s)
{
    const TmlQuat q = s->type->dim == 2 ? q4_exp(v3(0, 0, test_random(t, -3, 3))) : test_quat(t);
    return q4_matrix(q);
}

static inline TmlVec3 flex_vector(TestCtx *t, const FlexSample *s)
{
    TmlVec3 v = test_vec3(t);
    v.z = s->type->dim == 2 ? 0.0 : v.z;
    return v;
}

/* The k-th of the sections that the tests know; false: there are no more. */
static inline bool flex_section(int k, TmlCrossSection *c)
{
    const double pi = 3.14159265358979323846;
    switch (k) {
    case 0:
    case 1: {
        const double h = 0.2, w = k == 0 ? 0.12 : 0.2;
        *c = (TmlCrossSection){.kind = TML_CROSS_RECTANGLE,
                               .height = h,
                               .width = w,
                               .area = h * w,
                               .Iz = w * h * h * h / 12,
                               .Iy = h * w * w * w / 12,
                               .J = 0.7 * w * h * w * w / 3,
                               .shear_y = 0.83,
                               .shear_z = 0.8};
        return true;
    }
    case 2:
    case 3: {
        const double r = 0.1, i = k == 2 ? 0.0 : 0.07, r4 = pow(r, 4) - pow(i, 4);
        *c = (TmlCrossSection){.kind = TML_CROSS_CIRCLE,
                               .radius = r,
                               .inner = i,
                               .area = pi * (r * r - i * i),
                               .Iz = pi * r4 / 4,
                               .Iy = pi * r4 / 4,
                               .J = pi * r4 / 2,
                               .shear_y = 0.9,
                               .shear_z = 0.9};
        return true;
    }
    case 4:
        *c = (TmlCrossSection){.kind = TML_CROSS_GENERAL,
                               .area = 0.02,
                               .Iy = 3e-5,
                               .Iz = 8e-5,
                               .J = 4e-5,
                               .shear_y = 0.7,
                               .shear_z = 0.6};
        return true;
    case 5:
        *c = (TmlCrossSection){.kind = TML_CROSS_PLATE, .height = 0.1, .area = 0.1};
        return true;
    default:
        return false;
    }
}

/* Calls visit for every combination that the type's check accepts; at least one must be. damping:
 * of the material, s. */
static inline void flex_each(TestCtx *t, double damping, void (*visit)(TestCtx *t, FlexSample *s))
{
    static const char *const forms[] = {"continuum", "elastic_line", "enhanced"};
    for (const TmlFlexType *const *p = tml_flex_types; *p != NULL; ++p) {
        int accepted = 0;
        TmlCrossSection section;
        for (int k = 0; k < 6 * 2 * 3 * 2; ++k) {
            const int form = k % 3, model = k / 3 % 2, curved = k / 6 % 2, kind = k / 12;
            FlexSample s = {.type = *p, .curved = curved == 1, .size = {0.9, 0.7}};
            TmlError err = {0};
            if (!flex_section(kind, &section)) {
                break;
            }
            s.data = (TmlFlexData){.material = {.model = (TmlMaterialModel)model,
                                                .E = force_unit,
                                                .nu = 0.3,
                                                .density = 50,
                                                .damping = damping,
                                                .c10 = 200,
                                                .c01 = 50,
                                                .bulk = 3000},
                                   .section = section,
                                   .formulation = (TmlFormulation)form};
            if ((*p)->check != NULL && (*p)->check(&s.data, &err) != TML_OK) {
                continue;
            }
            accepted++;
            snprintf(s.name, sizeof s.name, "%s, %s, material %d, section %d, %s", (*p)->info.name,
                     forms[form], model, kind, curved == 1 ? "curved" : "straight");
            t->name = s.name;
            const TmlMat33 Q = flex_rotation(t, &s);
            flex_bend(&s, s.curved ? 0.6 : 0.0, 0.0, &Q, flex_vector(t, &s), s.rest);
            const TmlFlexReference ref = {s.rest, {s.size[0], s.size[1]}};
            CHECK_OK(t, (*p)->prepare(&s.data, &ref, &s.arena, NULL, &s.table, &err), &err);
            if (s.table != NULL) {
                visit(t, &s);
            }
            tml_arena_free(&s.arena);
        }
        t->name = (*p)->info.name;
        CHECK(t, accepted > 0);
    }
}

static inline TmlFlexIn flex_in(const FlexSample *s)
{
    return (TmlFlexIn){&s->data, s->table, s->x, s->v, NULL};
}

/* A state bent and stretched by about `amount`, moving. */
static inline void flex_deform(TestCtx *t, FlexSample *s, double amount, double speed)
{
    for (int k = 0; k < flex_size(s); ++k) {
        s->x[k] = s->rest[k] + amount * test_random(t, -1, 1);
        s->v[k] = speed * test_random(t, -1, 1);
    }
}

/* The state after a rigid motion: turned by Q, moved, and with an angular velocity on top. */
static inline FlexSample flex_moved(const FlexSample *s, const TmlMat33 *Q, TmlVec3 move,
                                    TmlVec3 velocity, TmlVec3 omega)
{
    FlexSample m = *s;
    for (int i = 0; i < flex_n(s); ++i) {
        const bool point = flex_kind(s, i) == TML_FLEX_R;
        const TmlVec3 x = m3_mulv(Q, flex_vec(s, s->x, i));
        TmlVec3 v = v3_add(m3_mulv(Q, flex_vec(s, s->v, i)), v3_cross(omega, x));
        v = point ? v3_add(v, velocity) : v;
        flex_put(&m, m.x, i, point ? v3_add(x, move) : x);
        flex_put(&m, m.v, i, v);
    }
    return m;
}

static inline double flex_norm(const double *x, int n)
{
    double largest = 0.0;
    for (int k = 0; k < n; ++k) {
        largest = fmax(largest, fabs(x[k]));
    }
    return largest;
}

/* Sum of S_i x_i or of a derivative. */
static inline TmlVec3 flex_field(const FlexSample *s, const double *x, const double xi[3],
                                 TmlFlexKind what)
{
    double w[FV];
    TmlVec3 r = {0};
    s->type->shape(&s->data, s->table, xi, what, w);
    for (int i = 0; i < flex_n(s); ++i) {
        r = v3_axpy(w[i], flex_vec(s, x, i), r);
    }
    return r;
}

/* Derivative of the field by x, y or z from differences of positions only: fourth order. */
static inline TmlVec3 flex_slope(const FlexSample *s, const double *x, const double xi[3],
                                 TmlFlexKind what)
{
    static const double at[4] = {-2, -1, 1, 2};
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    const int d = what == TML_FLEX_RX ? 0 : what == TML_FLEX_RY ? 1 : 2;
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    const double unit = d == 0 || (d == 1 && patch) ? s->size[d] : 1.0, h = 1e-3;
    TmlVec3 r = {0};
    for (int k = 0; k < 4; ++k) {
        double place[3] = {xi[0], xi[1], xi[2]};
        place[d] += at[k] * h;
        r = v3_axpy(weight[k] / (h * unit), flex_field(s, x, place, TML_FLEX_R), r);
    }
    return r;
}
