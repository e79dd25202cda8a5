/* model/constraint/perpendicular_axes.c - two axes stay perpendicular.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (B1)  z_i . z_j = 0
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text:
 * docs/theory/constraints.md#perpendicular_axes
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim perpendicular_axes_prims[] = {
    {TML_PRIM_DOT, .axis_i = 2, .axis_j = 2},
};

static const char *const perpendicular_axes_rows[] = {
    "rotation about the normal of both z axes",
};

TML_PRIM_JOINT(perpendicular_axes, perpendicular_axes_prims)

TML_CONSTRAINT_TYPE(perpendicular_axes) = {
    .info = {.name = "perpendicular_axes",
             .text = "The z axes of both frames stay perpendicular; the origins are free."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(perpendicular_axes_prims),
    .row_names = perpendicular_axes_rows,
    .turns_only = true,
    TML_PRIM_TABLE(perpendicular_axes),
};
