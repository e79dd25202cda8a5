/* reduce/applied_loads.h - load cases that forces of a model scale, (ML1) of model/modal/part.h.
 *
 * A case is the sum of forces on nodes, of wrenches at interfaces, and of an acceleration of the whole mass, as weight is one. Its
 * static shape is among the modes: what the reduced part does under it in statics is what the mesh does.
 */
#pragma once

#include "model/modal/part.h"
#include "reduce/basis/modes.h"

/* A force and a torque on the frame of an interface. */
typedef struct TmlLoadWrench {
    int interface;
    TmlVec3 force, torque;
} TmlLoadWrench;

typedef struct TmlAppliedLoad {
    const char *name;
    TmlVec3 acceleration;
    int n_wrenches, n_nodes;
    const TmlLoadWrench *wrench;
    const int *node;      /* n_nodes, counted from 0; one may be there several times */
    const TmlVec3 *force; /* n_nodes */
} TmlAppliedLoad;

/* The forces of a case on all freedoms of the nodes, f[fe->n], but for those of wrenches, whose shapes interfaces have. */
TML_NODISCARD TmlStatus tml_applied_forces(const TmlFeMatrices *fe, const TmlAppliedLoad *l,
                                           double *f, TmlError *err);

/* Fills n_loads and load of a part that has its frames and moments. u: displacements of all freedoms by each mode, fe->n x m. */
TML_NODISCARD TmlStatus tml_part_loads(const TmlFeMatrices *fe, int n, const TmlAppliedLoad *load,
                                       const double *u, TmlArena *arena, TmlPart *part,
                                       TmlError *err);
