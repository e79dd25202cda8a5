/* model/flexible/mesh.h - flexible bodies made from nodes: coordinates, elements, points.
 */
#pragma once

#include "model/flexible/flexible.h"

/* One node: position and gradients r_x, r_y, r_z, and their rates. */
typedef struct TmlMeshNode {
    TmlVec3 x[TML_FLEX_KINDS], v[TML_FLEX_KINDS];
} TmlMeshNode;

/* What a mesh is made of. */
typedef struct TmlMeshPlan {
    const TmlMeshNode *start; /* n_nodes: initial state */
    const TmlMeshNode *rest;  /* n_nodes: stress-free shape */
    const double *size;       /* two numbers an element: along x, and along y of patches, at rest */
    const int *first;         /* lines: first node of each element; NULL for patches */
    const TmlFlexData *data;  /* one an element; NULL: that of the mesh */
} TmlMeshPlan;

/* Make the vectors of a node that have no terms free coordinates that start at `start`. */
TML_NODISCARD TmlStatus tml_mesh_free_node(TmlModel *m, TmlMesh *mesh, int node,
                                           const TmlMeshNode *start, TmlError *err);

/* Complete `mesh` (name, type, data, body, n_x, n_y, n_nodes, vector, xi are set; vectors without
 * terms become free coordinates) and add it to the model with its elements. */
TML_NODISCARD TmlStatus tml_mesh_build(TmlModel *m, TmlMesh *mesh, const TmlMeshPlan *plan,
                                       TmlError *err);

/* A point fixed to a body where x is at the start, or a direction; term from the model's arena. */
TML_NODISCARD TmlStatus tml_mesh_attach(TmlModel *m, int body, TmlVec3 x, bool direction,
                                        TmlVector *out, TmlError *err);

/* The node at u, v from 0 to 1 over the whole mesh (v: patches); -1: none within 1e-9. */
int tml_mesh_node_at(const TmlMesh *mesh, double u, double v);

/* The element and the place in it for u, v from 0 to 1 over the whole mesh (v: patches). */
int tml_mesh_place(const TmlModel *m, int mesh, double u, double v, double xi[3]);

/* An element that has the node, and the place of the node in it. */
int tml_mesh_node_place(const TmlModel *m, int mesh, int node, double xi[3]);

/* The point of the mesh closest to a global place at the initial state: element and xi. */
int tml_mesh_closest(const TmlModel *m, int mesh, TmlVec3 r, double xi[3]);

/* Outputs of its elements. */
int tml_mesh_outputs(const TmlMesh *mesh);

/* Across the plane that a mesh is kept in. */
TmlVec3 tml_mesh_normal(const TmlMesh *mesh);

/* Whether sections have axes of their own, r_y. */
bool tml_mesh_has_section(const TmlFlexType *type);

/* The mesh that a body stands for, or -1. */
int tml_mesh_of_body(const TmlModel *m, int body);
