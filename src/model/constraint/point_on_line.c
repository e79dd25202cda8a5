/* model/constraint/point_on_line.c - a point stays on a line.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (O1)  x_i . d = 0,  y_i . d = 0
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#point_on_line
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim point_on_line_prims[] = {
    {TML_PRIM_ALONG, .axis_i = 0},
    {TML_PRIM_ALONG, .axis_i = 1},
};

static const char *const point_on_line_rows[] = {
    "translation along x",
    "translation along y",
};

TML_PRIM_JOINT(point_on_line, point_on_line_prims)

TML_CONSTRAINT_TYPE(point_on_line) = {
    .info = {.name = "point_on_line",
             .text = "The origin of the second frame stays on the z axis of the first."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(point_on_line_prims),
    .row_names = point_on_line_rows,
    .has_displacement = true,
    .free_rotation = TML_FREE_ALL,
    .free_along = TML_ALONG_Z,
    TML_PRIM_TABLE(point_on_line),
};
