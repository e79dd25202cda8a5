/* io/report/shape_triangles.c - the surface of a shape as triangles: its faces, or a net over its support. */
#include "io/report/shape_triangles.h"

#include "math/vec3.h"

#include <math.h>

enum { AROUND = 48, UP = 24 }; // fields of the net: 7.5 degrees each

static TmlStatus make(TmlTriangles *out, int vertices, int triangles, TmlError *err)
{
    out->vertex = tml_mem_zalloc((size_t)vertices * 3 + 1, sizeof *out->vertex);
    out->triangle = tml_mem_zalloc((size_t)triangles * 3 + 1, sizeof *out->triangle);
    if (out->vertex == NULL || out->triangle == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d triangles", triangles);
    }
    return TML_OK;
}

static void add_vertex(TmlTriangles *out, TmlVec3 x)
{
    float *v = out->vertex + 3 * (size_t)out->n_vertices++;
    v[0] = (float)x.x;
    v[1] = (float)x.y;
    v[2] = (float)x.z;
}

static void add_triangle(TmlTriangles *out, int a, int b, int c)
{
    int32_t *t = out->triangle + 3 * (size_t)out->n_triangles++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* Each face as a fan. */
static TmlStatus of_faces(const TmlShape *shape, TmlTriangles *out, TmlError *err)
{
    const int *start, *loop;
    const TmlVec3 *corner;
    const int n = shape->type->faces(shape->data, &start, &loop, &corner);
    int corners = 0;
    for (int k = 0; k < start[n]; ++k) {
        corners = loop[k] >= corners ? loop[k] + 1 : corners;
    }
    TML_TRY(make(out, corners, start[n], err));
    for (int k = 0; k < corners; ++k) {
        add_vertex(out, corner[k]);
    }
    for (int f = 0; f < n; ++f) {
        for (int k = start[f] + 1; k + 1 < start[f + 1]; ++k) {
            add_triangle(out, loop[start[f]], loop[k], loop[k + 1]);
        }
    }
    return TML_OK;
}

static TmlVec3 support_at(const TmlShape *shape, int i, int j)
{
    const double pi = acos(-1.0), up = pi * j / UP, around = 2.0 * pi * i / AROUND;
    int feature;
    return shape->type->support(
        shape->data, v3(sin(up) * cos(around), sin(up) * sin(around), -cos(up)), &feature);
}

/* Points of the support in directions of a net over the sphere. */
static TmlStatus of_support(const TmlShape *shape, TmlTriangles *out, TmlError *err)
{
    TML_TRY(make(out, AROUND * (UP + 1), 2 * AROUND * UP, err));
    for (int j = 0; j <= UP; ++j) {
        for (int i = 0; i < AROUND; ++i) {
            add_vertex(out, support_at(shape, i, j));
        }
    }
    for (int j = 0; j < UP; ++j) {
        for (int i = 0; i < AROUND; ++i) {
            const int a = j * AROUND + i, b = j * AROUND + (i + 1) % AROUND;
            add_triangle(out, a, b, b + AROUND);
            add_triangle(out, a, b + AROUND, a + AROUND);
        }
    }
    return TML_OK;
}

TmlStatus tml_surface_triangles(const TmlShape *shape, TmlTriangles *out, TmlError *err)
{
    *out = (TmlTriangles){0};
    if (shape->type->faces != NULL) {
        return of_faces(shape, out, err);
    }
    return shape->type->support != NULL ? of_support(shape, out, err) : make(out, 0, 0, err);
}
