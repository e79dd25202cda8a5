/* reduce/stiffening.h - geometric stiffness of modes, from stresses of unit loads.
 *
 * A part that turns with w is loaded by rho (w.w x - w (w.x)), x from the origin of its frame: six
 * load cases with the coefficients w_x^2, w_y^2, w_z^2, w_x w_y, w_y w_z, w_z w_x. Each is solved with
 * the part held as its frame is: at an interface, or against rigid motion by its own inertia. The
 * stresses give a geometric stiffness, which is projected on the modes:
 *
 *     K_c = Phi^T K_g(sigma_c) Phi                                                            (GS1)
 *
 * Named load cases are dead loads of unit size, held at an interface or by inertia. Beside (GS1) they keep the load on the modes,
 *
 *     F_c = Phi^T K u_c                                                                       (GS2)
 *
 * u_c being the static answer: what its stresses do work on, reactions included.
 *
 * A part strains as it spins only as far as its modes can. Of the energy of the static answer u to the load f they have
 *
 *     sum_j (phi_j . f)^2 / w_j^2  of  f . u                                                  (GS3)
 */
#pragma once

#include "model/modal/part.h"
#include "reduce/basis/modes.h"

typedef struct TmlLoadCase {
    const char *name;
    TmlVec3 acceleration; /* of the whole mass */
    int interface;        /* where force and torque act; -1: nowhere */
    TmlVec3 force, torque;
    int held; /* interface that carries it; -1: inertia does */
} TmlLoadCase;

/* Energy of the static answer to a centrifugal load at unit speed, and the part of it that the modes have. */
typedef struct TmlSpinShare {
    double energy, share;
} TmlSpinShare;

/* The forces of case c, from 0, on all freedoms of the nodes, about the origin of the part's frame: f[fe->n] of a mesh. */
void tml_centrifugal_forces(const TmlFeMatrices *fe, TmlVec3 origin, int c, double *f);

/* u: displacements of all freedoms by each mode, fe->n x m. frame: as in tml_modes_create. The
 * matrices come from a mesh. */
TML_NODISCARD TmlStatus tml_part_centrifugal(const TmlModes *modes, int frame, const double *u,
                                             TmlArena *arena, TmlPart *part, TmlSpinShare share[6],
                                             TmlError *err);
TML_NODISCARD TmlStatus tml_part_load_cases(const TmlModes *modes, int n, const TmlLoadCase *load,
                                            const double *u, TmlArena *arena, TmlPart *part,
                                            TmlError *err);
