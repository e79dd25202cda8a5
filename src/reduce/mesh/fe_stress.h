/* reduce/mesh/fe_stress.h - stresses of a mesh, and its outer faces for pictures. */
#pragma once

#include "reduce/element/element.h"

/* Points of stress of all elements, one after the other; first[n_elements + 1] if not NULL. */
int64_t tml_fe_stress_points(const TmlFeMesh *mesh, int64_t *first);

/* out[6 points] from the displacements u[n]. Of beams: forces and moments of the section. */
void tml_fe_stress(const TmlFeMatrices *a, const double *u, double *out);

/* out: the freedoms of one element among the displacements u[n]. */
void tml_fe_own(const TmlFeMatrices *a, const TmlFeElement *e, const double *u, double *out);

/* A face of an element, counted from 0 as its type lists them. */
typedef struct TmlFeFace {
    int element, face;
} TmlFeFace;

/* Faces that belong to one element only, from the arena. */
TML_NODISCARD TmlStatus tml_fe_outer_faces(const TmlFeMesh *mesh, TmlArena *arena, int *n,
                                           TmlFeFace **out, TmlError *err);
/* Nodes around a face, corners first: their number, at most 8. */
int tml_fe_face_nodes(const TmlFeMesh *mesh, TmlFeFace face, int *node);

/* Triangles of faces that belong to one element only, seen from outside; faces of second order give
 * four or six. Beams give lines: triangles whose second and third corner are one node. *corner: 3 *n places in
 * mesh->node, from the arena, so that each tells its element. */
TML_NODISCARD TmlStatus tml_fe_surface(const TmlFeMesh *mesh, TmlArena *arena, int *n,
                                       int32_t **corner, TmlError *err);
