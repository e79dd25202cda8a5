/* model/constraint/fixed.c - no relative motion.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (F1)  d = 0
 *   (F2)  x_i . z_j = 0,  y_i . z_j = 0,  x_i . y_j = 0
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#fixed
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim fixed_prims[] = {
    {TML_PRIM_COORD, .axis_i = 0},
    {TML_PRIM_COORD, .axis_i = 1},
    {TML_PRIM_COORD, .axis_i = 2},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 1, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 1},
};

static const char *const fixed_rows[] = {
    "translation along global x", "translation along global y", "translation along global z",
    "rotation about y",           "rotation about x",           "rotation about z",
};

TML_PRIM_JOINT(fixed, fixed_prims)

TML_CONSTRAINT_TYPE(fixed) = {
    .info = {.name = "fixed", .text = "No relative motion: both frames coincide."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(fixed_prims),
    .row_names = fixed_rows,
    .free_rotation = TML_FREE_NONE,
    .turns_only = true,
    TML_PRIM_TABLE(fixed),
};
