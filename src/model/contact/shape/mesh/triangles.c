/* model/contact/shape/mesh/triangles.c - triangles of a mesh file, with memory of a shape. */
#include "model/contact/shape/mesh/triangles.h"
#include "base/arena.h"
#include "base/input.h"
#include "math/vec3.h"
#include "model/read/mesh_file.h"

static TmlStatus take_over(const TmlTriangles *t, double scale, const TmlShapeSetup *setup,
                           TmlMeshTriangles *out, TmlError *err)
{
    out->n_corners = t->n_vertices;
    out->n_triangles = t->n_triangles;
    TML_TAKE(setup, out->corner, t->n_vertices);
    TML_TAKE(setup, out->triangle, t->n_triangles);
    for (int k = 0; k < t->n_vertices; ++k) {
        const float *x = t->vertex + 3 * (size_t)k;
        out->corner[k] = v3_scale(scale, v3((double)x[0], (double)x[1], (double)x[2]));
    }
    for (int k = 0; k < t->n_triangles; ++k) {
        for (int i = 0; i < 3; ++i) {
            out->triangle[k][i] = t->triangle[3 * (size_t)k + (size_t)i];
        }
    }
    return TML_OK;
}

TmlStatus tml_mesh_triangles(const char *file, double scale, const TmlShapeSetup *setup,
                             TmlMeshTriangles *out, TmlError *err)
{
    TmlArena arena = {0};
    TmlTriangles t = {0};
    const char *path = setup->from != NULL ? tml_input_beside(&arena, setup->from, file) : file;
    TmlStatus status = path == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory")
                                    : tml_triangles_read(path, 1.0, &t, err);
    if (status == TML_OK) {
        status = take_over(&t, scale, setup, out, err);
    }
    tml_triangles_free(&t);
    tml_arena_free(&arena);
    return status;
}
