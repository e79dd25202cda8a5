/* model/constraint/parallel_axes.c - two axes stay parallel.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (A1)  x_i . z_j = 0,  y_i . z_j = 0
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#parallel_axes
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim parallel_axes_prims[] = {
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 1, .axis_j = 2},
};

static const char *const parallel_axes_rows[] = {
    "rotation about y",
    "rotation about x",
};

TML_PRIM_JOINT(parallel_axes, parallel_axes_prims)

TML_CONSTRAINT_TYPE(parallel_axes) = {
    .info = {.name = "parallel_axes",
             .text = "The z axes of both frames stay parallel; the origins are free."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(parallel_axes_prims),
    .row_names = parallel_axes_rows,
    .has_angle = true,
    .has_displacement = true,
    .free_rotation = TML_FREE_ABOUT_Z,
    .free_along = TML_ALONG_ALL,
    .turns_only = true,
    TML_PRIM_TABLE(parallel_axes),
};
