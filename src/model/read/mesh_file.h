/* model/read/mesh_file.h - triangles from an STL or OBJ file. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"

typedef struct TmlTriangles {
    int n_vertices, n_triangles;
    float *vertex;     /* n_vertices * 3 */
    int32_t *triangle; /* n_triangles * 3 */
} TmlTriangles;

/* Read a file and multiply its lengths by `scale`. Kind by content (STL) and suffix (.obj). Free
 * with tml_triangles_free, also after a failure. */
TML_NODISCARD TmlStatus tml_triangles_read(const char *path, double scale, TmlTriangles *out,
                                           TmlError *err);
void tml_triangles_free(TmlTriangles *t);
