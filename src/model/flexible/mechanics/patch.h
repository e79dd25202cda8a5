/* model/flexible/mechanics/patch.h - four-node patches: shape functions, and places on the middle surface.
 *
 * x from 0 to a, y from 0 to b, xi = x/a, eta = y/b; nodes at (0,0), (1,0), (1,1), (0,1). At a node
 * let p = 1 - xi or xi and q = 1 - eta or eta, each one at the node and zero on the far side:
 *
 *   (P1)  of r:    h(p) q + p h(q) - p q,          h(p) = 3 p^2 - 2 p^3
 *   (P2)  of r_x:  +- a p^2 (1 - p) q,    of r_y:  +- b q^2 (1 - q) p
 *   (P3)  of r_z:  z p q
 *
 * (P1), (P2): all cubics and x^3 y, x y^3. Along an edge r depends on the two nodes of the edge
 * only, by cubic Hermite functions: positions are continuous between elements, and so is (P3). The
 * slope across an edge is continuous at its nodes and not between them.
 */
#pragma once

#include "model/flexible/flexible.h"

enum { TML_PATCH_NODES = 4, TML_PATCH_SLOTS = 5 };

/* w[k][i]: what vector i adds to the local vector (slot) k of an element. Weights
 * of slots that an element does not use are zero. */
typedef struct TmlPatchStation {
    double w[TML_PATCH_SLOTS][TML_FLEX_MAX_VECTORS];
} TmlPatchStation;

typedef double TmlPatchSlots[TML_PATCH_SLOTS][3];
typedef double TmlPatchBlock[3 * TML_PATCH_SLOTS][3 * TML_PATCH_SLOTS];

/* (P1), (P2) or their derivatives dx times by x and dy times by y, zero for r_z; s has `vectors`
 * (three or four) numbers a node. */
void tml_patch_surface(int vectors, const double size[2], const double xi[2], int dx, int dy,
                       double *s);
/* (P3) with z = 1 or its derivative, zero for the other vectors; four vectors a node. */
void tml_patch_director(const double size[2], const double xi[2], int dx, int dy, double *s);

void tml_patch_gather(int n, const TmlPatchStation *s, const double *x, TmlPatchSlots g);
/* f += what forces h on the slots do to the vectors */
void tml_patch_scatter(int n, const TmlPatchStation *s, TmlPatchSlots h, double *f);
/* K += the same for a tangent between slots */
void tml_patch_expand(int n, const TmlPatchStation *s, TmlPatchBlock H, double *K);

/* A[6][6]: strains in the axes R from those along the gradients, order of stress.h. */
void tml_patch_strain_map(const double *T, double A[6][6]);

/* D = weight A^T C A */
void tml_patch_moduli(double C[6][6], double A[6][6], double weight, double D[6][6]);

/* Law between strains in the plane, plane stress across: 11, 22, 12; zero elsewhere. */
void tml_patch_plane_stress(const TmlMaterial *m, double C[6][6]);
