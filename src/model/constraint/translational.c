/* model/constraint/translational.c - one free displacement along the common z axis.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (T1)  x_i . d = 0,  y_i . d = 0                           j stays on the z axis of i
 *   (T2)  x_i . z_j = 0,  y_i . z_j = 0,  x_i . y_j = 0       the frames stay parallel
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#translational
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim translational_prims[] = {
    {TML_PRIM_ALONG, .axis_i = 0},
    {TML_PRIM_ALONG, .axis_i = 1},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 1, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 1},
};

static const char *const translational_rows[] = {
    "translation along x", "translation along y", "rotation about y",
    "rotation about x",    "rotation about z",
};

TML_PRIM_JOINT(translational, translational_prims)

TML_CONSTRAINT_TYPE(translational) = {
    .info = {.name = "translational",
             .text = "One free displacement along the z axis shared by both frames, no rotation."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(translational_prims),
    .row_names = translational_rows,
    .has_displacement = true,
    .free_rotation = TML_FREE_NONE,
    .free_along = TML_ALONG_Z,
    TML_PRIM_TABLE(translational),
};
