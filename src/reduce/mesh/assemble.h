/* reduce/mesh/assemble.h - stiffness, mass and loads of a mesh. */
#pragma once

#include "reduce/element/element.h"

/* Looks at each element, then K and M. The mesh must outlive the matrices. Free with
 * tml_fe_matrices_free, also after a failure. */
TML_NODISCARD TmlStatus tml_fe_assemble(const TmlFeMesh *mesh, TmlFeMassRule rule,
                                        TmlFeMatrices *out, TmlError *err);
void tml_fe_matrices_free(TmlFeMatrices *a);
void tml_fe_mesh_free(TmlFeMesh *mesh);

/* A mesh whose unit of length is s metres becomes one in SI: places, sections, and materials, which
 * are taken as of N, s and that unit (N/mm^2, t/mm^3). */
void tml_fe_scale(TmlFeMesh *mesh, double s);

/* What tml_fe_assemble looks at: material, density, section, Jacobians. The message names file,
 * line, element and node. */
TML_NODISCARD TmlStatus tml_fe_check(const TmlFeMesh *mesh, TmlError *err);

/* Pieces of the mesh that share no node, each set of `ties` holding its nodes together: more than
 * one is an error that names them. */
TML_NODISCARD TmlStatus tml_fe_check_pieces(const TmlFeMesh *mesh, int n_ties, const TmlFeSet *ties,
                                            TmlError *err);

/* Geometric stiffness of the stresses that the displacements u (n) cause: lower triangle, in the
 * pattern of M. */
TML_NODISCARD TmlStatus tml_fe_geometric(const TmlFeMatrices *a, const double *u, TmlArena *arena,
                                         TmlCsc *out, TmlError *err);
