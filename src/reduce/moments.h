/* reduce/moments.h - the moments of mass of a part and its modes, (MO2) of model/modal/part.h.
 *
 * Displacements are sampled at the nodes, or at points of the mass where there are any (beams). With
 * F_i the sampled fields, three columns each, and S the scalar mass of the samples,
 *
 *     G_ij = F_i^T S F_j                                                                      (MM1)
 *
 * The matrix of a mesh of solids is S times the unit matrix of three; of other matrices S is a third
 * of the trace of the blocks of displacements. What the matrix itself says of rigid motion and modes
 * beyond that is the rest, so that inertia is exact where the part is not deformed:
 *
 *     J_r = J - (tr G_00 1 - G_00),  C_rj = C_j - vee G_0j,  M_r,ij = V_i^T M V_j - tr G_ij    (MM2)
 */
#pragma once

#include "model/modal/part.h"
#include "reduce/basis/modes.h"

/* Masses at points that are interpolated from freedoms of the nodes: N is 3 n x fe->n. */
typedef struct TmlMassPoints {
    int n;
    const double *mass; /* n */
    const TmlVec3 *x;   /* n */
    TmlCsc N;
} TmlMassPoints;

/* Fills mass, P, G and the rest of a part whose origin is set and whose axes are those of the mesh.
 * points: NULL where S is that of the nodes. */
TML_NODISCARD TmlStatus tml_part_moments(const TmlModes *modes, const TmlMassPoints *points,
                                         TmlArena *arena, TmlPart *part, TmlError *err);
