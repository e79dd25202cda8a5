/* model/constraint/revolute.c - one free rotation about the common z axis.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (R1)  d = 0                              the origins coincide
 *   (R2)  x_i . z_j = 0,  y_i . z_j = 0      the z axes stay parallel
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#revolute
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim revolute_prims[] = {
    {TML_PRIM_COORD, .axis_i = 0},
    {TML_PRIM_COORD, .axis_i = 1},
    {TML_PRIM_COORD, .axis_i = 2},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 1, .axis_j = 2},
};

static const char *const revolute_rows[] = {
    "translation along global x", "translation along global y", "translation along global z",
    "rotation about y",           "rotation about x",
};

TML_PRIM_JOINT(revolute, revolute_prims)

TML_CONSTRAINT_TYPE(revolute) = {
    .info = {.name = "revolute",
             .text = "One free rotation about the z axis shared by both frames."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(revolute_prims),
    .row_names = revolute_rows,
    .has_angle = true,
    .free_rotation = TML_FREE_ABOUT_Z,
    .turns_only = true,
    TML_PRIM_TABLE(revolute),
};
