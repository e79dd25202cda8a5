/* model/constraint/spherical.c - a ball joint: the origins coincide.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (S1)  d = 0
 *
 * Primitives and derivatives: model/primitive.c. Text: docs/theory/constraints.md#spherical
 */
#include "model/primitive.h"
#include "model/registry.h"

static const TmlPrim spherical_prims[] = {
    {TML_PRIM_COORD, .axis_i = 0},
    {TML_PRIM_COORD, .axis_i = 1},
    {TML_PRIM_COORD, .axis_i = 2},
};

static const char *const spherical_rows[] = {
    "translation along global x",
    "translation along global y",
    "translation along global z",
};

TML_PRIM_JOINT(spherical, spherical_prims)

const TmlConstraintType tml_constraint_spherical = {
    .info = {.name = "spherical", .text = "Three free rotations about a common point."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(spherical_prims),
    .row_names = spherical_rows,
    TML_PRIM_TABLE(spherical),
};
