/* model/contact/shape/mesh/mesh_solid.h - closed triangle meshes: neighbours, flat patches, a tree of bounds. */
#pragma once

#include "model/contact/shape/mesh/triangles.h"

typedef struct TmlMeshNode3 {
    TmlVec3 low, high;
    int first, count; /* of `order`; count 0: the children are `first` and the one behind */
} TmlMeshNode3;

typedef struct TmlMeshSolid {
    TmlMeshTriangles t;
    int (*across)[3]; /* the triangle beyond the side from corner i to the next */
    TmlVec3 *normal;  /* out of the solid */
    int *patch;       /* triangles of one plane that hang together have one number */
    int *order;       /* triangles as the leaves of the tree have them */
    TmlMeshNode3 *node;
    int n_nodes;
    TmlVec3 low, high;
} TmlMeshSolid;

/* Neighbours, checks and tree. Fails with the number of a triangle: no area, a hole beside it, turned
 * against its neighbour, the whole inside out. */
TML_NODISCARD TmlStatus tml_mesh_solid(const TmlMeshTriangles *t, const TmlShapeSetup *setup,
                                       TmlMeshSolid *out, TmlError *err);

/* Calls `visit` for each triangle whose leaf meets the box; it returns false to stop. */
typedef bool TmlMeshVisit(const TmlMeshSolid *m, int triangle, void *user);
void tml_mesh_visit(const TmlMeshSolid *m, TmlVec3 low, TmlVec3 high, TmlMeshVisit *visit,
                    void *user);

/* The nearest point of a triangle, and where it lies: 0 inside; 1 to 3 on the side from corner 0, 1,
 * 2 on; 4 to 6 at corner 0, 1, 2. */
TmlVec3 tml_triangle_nearest(TmlVec3 a, TmlVec3 b, TmlVec3 c, TmlVec3 x, int *where);
