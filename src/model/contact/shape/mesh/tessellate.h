/* model/contact/shape/mesh/tessellate.h - triangles of extrusions, revolutions and height fields. */
#pragma once

#include "model/contact/shape/mesh/mesh_solid.h"
#include "model/contact/shape/profile/profile.h"

/* Arcs are chords of a 64th of a turn at most, and so are revolutions. Fail: the curve crosses itself. */
TML_NODISCARD TmlStatus tml_extruded_mesh(const TmlProfile *profile, double thickness,
                                          const TmlShapeSetup *setup, const TmlMeshSolid **out,
                                          TmlError *err);
TML_NODISCARD TmlStatus tml_revolved_mesh(const TmlProfile *profile, const TmlShapeSetup *setup,
                                          const TmlMeshSolid **out, TmlError *err);
/* Two triangles for each cell of the grid, and a block below as deep as `depth` below the lowest point. */
TML_NODISCARD TmlStatus tml_field_mesh(const double *heights, int columns, int rows, double dx,
                                       double dy, const TmlShapeSetup *setup,
                                       const TmlMeshSolid **out, TmlError *err);
