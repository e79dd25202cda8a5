/* reduce/mesh/mass_points.h - the mass of a mesh as points, and loads on it.
 *
 * The matrix of solids is a scalar mass between nodes times the unit matrix. Where nodes turn, points
 * stand for the mass, each of which moves by freedoms of nodes: the mass matrix of beams is the sum
 * over these points, so that moments of the points and the matrix agree.
 */
#pragma once

#include "reduce/element/element.h"

/* Whether some nodes of the mesh turn: moments of the mass are then to be taken by points. */
bool tml_fe_turns(const TmlFeMesh *mesh);

/* Points of all elements: their masses, places, and N, 3 n x freedoms, by which they move. */
TML_NODISCARD TmlStatus tml_fe_mass_points(const TmlFeMatrices *a, TmlFeMassRule rule,
                                           TmlArena *arena, int *n, double **mass, TmlVec3 **x,
                                           TmlCsc *N, TmlError *err);

/* load[freedoms] += int rho N^T (B x + c) dV: weight by c, centrifugal forces by B. */
void tml_fe_load(const TmlFeMatrices *a, const TmlMat33 *B, TmlVec3 c, double *load);
