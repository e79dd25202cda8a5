/* model/contact/shape/mesh/triangles.h - triangles of a mesh file, with memory of a shape. */
#pragma once

#include "base/fail.h"
#include "model/contact/contacts.h"

typedef struct TmlMeshTriangles {
    int n_corners, n_triangles;
    TmlVec3 *corner;
    int (*triangle)[3];
} TmlMeshTriangles;

/* The file is named as seen from the one that names it. */
TML_NODISCARD TmlStatus tml_mesh_triangles(const char *file, double scale,
                                           const TmlShapeSetup *setup, TmlMeshTriangles *out,
                                           TmlError *err);
