/* model/constraint/cylindrical.c - free rotation about and displacement along z.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (C1)  x_i . d = 0,  y_i . d = 0          j stays on the z axis of i
 *   (C2)  x_i . z_j = 0,  y_i . z_j = 0      the z axes stay parallel
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#cylindrical
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim cylindrical_prims[] = {
    {TML_PRIM_ALONG, .axis_i = 0},
    {TML_PRIM_ALONG, .axis_i = 1},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 1, .axis_j = 2},
};

static const char *const cylindrical_rows[] = {
    "translation along x",
    "translation along y",
    "rotation about y",
    "rotation about x",
};

TML_PRIM_JOINT(cylindrical, cylindrical_prims)

TML_CONSTRAINT_TYPE(cylindrical) = {
    .info =
        {.name = "cylindrical",
         .text =
             "Free rotation about and free displacement along the z axis shared by both frames."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(cylindrical_prims),
    .row_names = cylindrical_rows,
    .has_angle = true,
    .has_displacement = true,
    .free_rotation = TML_FREE_ABOUT_Z,
    .free_along = TML_ALONG_Z,
    TML_PRIM_TABLE(cylindrical),
};
