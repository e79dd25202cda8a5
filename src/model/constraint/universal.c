/* model/constraint/universal.c - a Hooke joint: two crossing axes stay perpendicular.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (U1)  d = 0                  the origins coincide
 *   (U2)  x_i . y_j = 0          the arms of the cross
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#universal
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim universal_prims[] = {
    {TML_PRIM_COORD, .axis_i = 0},
    {TML_PRIM_COORD, .axis_i = 1},
    {TML_PRIM_COORD, .axis_i = 2},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 1},
};

static const char *const universal_rows[] = {
    "translation along global x",
    "translation along global y",
    "translation along global z",
    "rotation about z",
};

TML_PRIM_JOINT(universal, universal_prims)

TML_CONSTRAINT_TYPE(universal) = {
    .info = {.name = "universal",
             .text = "Hooke joint: x of the first frame and y of the second cross at right angles.",
             .example = "bodies: [ground, rod], at: [0, 0, 0], axes: [x, y]"},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(universal_prims),
    .row_names = universal_rows,
    .free_rotation = TML_FREE_CROSS,
    .turns_only = true,
    TML_PRIM_TABLE(universal),
};
