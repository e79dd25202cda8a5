/* model/constraint/orientation.c - equal orientation, free displacement.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (E1)  x_i . z_j = 0,  y_i . z_j = 0,  x_i . y_j = 0
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#orientation
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim orientation_prims[] = {
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 1, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 1},
};

static const char *const orientation_rows[] = {
    "rotation about y",
    "rotation about x",
    "rotation about z",
};

TML_PRIM_JOINT(orientation, orientation_prims)

TML_CONSTRAINT_TYPE(orientation) = {
    .info = {.name = "orientation",
             .text = "Both frames keep the same orientation; the origins are free."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(orientation_prims),
    .row_names = orientation_rows,
    .free_rotation = TML_FREE_NONE,
    .free_along = TML_ALONG_ALL,
    .turns_only = true,
    TML_PRIM_TABLE(orientation),
};
