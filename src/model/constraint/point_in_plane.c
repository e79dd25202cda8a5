/* model/constraint/point_in_plane.c - a point stays in a plane.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (N1)  z_i . d = 0
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#point_in_plane
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim point_in_plane_prims[] = {
    {TML_PRIM_ALONG, .axis_i = 2},
};

static const char *const point_in_plane_rows[] = {
    "translation along z",
};

TML_PRIM_JOINT(point_in_plane, point_in_plane_prims)

TML_CONSTRAINT_TYPE(point_in_plane) = {
    .info = {.name = "point_in_plane",
             .text = "The origin of the second frame stays in the xy plane of the first."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(point_in_plane_prims),
    .row_names = point_in_plane_rows,
    .free_rotation = TML_FREE_ALL,
    .free_along = TML_ALONG_X | TML_ALONG_Y,
    TML_PRIM_TABLE(point_in_plane),
};
