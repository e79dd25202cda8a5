/* reduce/part_nodes.h - the nodes of a part that are kept: places, shapes, stresses, triangles. */
#pragma once

#include "model/modal/part.h"
#include "reduce/basis/modes.h"

typedef struct TmlPartNodes {
    bool all;      /* else those of the surface, where there is one */
    bool stresses; /* stresses of the modes, of solids */
} TmlPartNodes;

/* u: displacements of all freedoms by each mode, fe->n x m. */
TML_NODISCARD TmlStatus tml_part_nodes(const TmlModes *modes, const TmlPartNodes *how,
                                       const double *u, TmlArena *arena, TmlPart *part,
                                       TmlError *err);
