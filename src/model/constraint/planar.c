/* model/constraint/planar.c - the second frame slides and turns in a plane of the first.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (L1)  z_i . d = 0                        j stays in the xy plane of i
 *   (L2)  x_i . z_j = 0,  y_i . z_j = 0      the normals stay parallel
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#planar
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim planar_prims[] = {
    {TML_PRIM_ALONG, .axis_i = 2},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 1, .axis_j = 2},
};

static const char *const planar_rows[] = {
    "translation along z",
    "rotation about y",
    "rotation about x",
};

TML_PRIM_JOINT(planar, planar_prims)

TML_CONSTRAINT_TYPE(planar) = {
    .info = {.name = "planar",
             .text =
                 "The second frame moves in the xy plane of the first and turns about its normal."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(planar_prims),
    .row_names = planar_rows,
    .has_angle = true,
    .free_rotation = TML_FREE_ABOUT_Z,
    .free_along = TML_ALONG_X | TML_ALONG_Y,
    TML_PRIM_TABLE(planar),
};
