/* model/contact/shape/box.c - a box about its origin. */
#include "model/contact/shape/box.h"
#include "math/vec3.h"

static void box_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const TmlVec3 h = v3_scale(0.5, ((const TmlBoxData *)data)->size);
    *low = v3_neg(h);
    *high = h;
}

static TmlVec3 box_support(const void *data, TmlVec3 direction, int *feature)
{
    const TmlVec3 h = v3_scale(0.5, ((const TmlBoxData *)data)->size);
    *feature = (direction.x > 0.0) | (direction.y > 0.0) << 1 | (direction.z > 0.0) << 2;
    return v3(direction.x > 0.0 ? h.x : -h.x, direction.y > 0.0 ? h.y : -h.y,
              direction.z > 0.0 ? h.z : -h.z);
}

static TmlStatus box_check(const void *data, TmlError *err)
{
    const TmlVec3 s = ((const TmlBoxData *)data)->size;
    if (!(s.x > 0.0) || !(s.y > 0.0) || !(s.z > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "size is %g, %g, %g; all three must be positive", s.x,
                        s.y, s.z);
    }
    return TML_OK;
}

static const TmlParam box_params[] = {
    {"size", TML_PARAM_VEC3, TML_ANY, "m", offsetof(TmlBoxData, size), NULL,
     "lengths of the edges along x, y, z", NULL},
    TML_POLYHEDRON_POINTS,
    {0},
};

TML_SHAPE_TYPE(box) = {
    .info = {.name = "box",
             .text = "A box about its position. Pressure acts over the overlap, in proportion to "
                     "depth; or its corners touch as points.",
             .data_size = sizeof(TmlBoxData),
             .params = box_params,
             .example = "size: [0.2, 0.1, 0.05]"},
    .surface = TML_SURFACE_FLAT | TML_SURFACE_EDGES,
    .check = box_check,
    .bounds = box_bounds,
    .support = box_support,
};
