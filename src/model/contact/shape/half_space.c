/* model/contact/shape/half_space.c - all that lies below z = 0 of its axes: floors and walls. */
#include "model/contact/shape/half_space.h"
#include "math/vec3.h"

#include <math.h>
#include <stddef.h>

typedef struct HalfSpaceData {
    int points; /* TmlHalfSpacePoints */
} HalfSpaceData;

bool tml_half_space_feet(const void *data)
{
    return data != NULL && ((const HalfSpaceData *)data)->points == TML_HALF_SPACE_FEET;
}

static void half_space_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    (void)data;
    *low = v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    *high = v3(HUGE_VAL, HUGE_VAL, 0.0);
}

static const TmlParam half_space_params[] = {
    {"points", TML_PARAM_CHOICE, TML_ANY, "", offsetof(HalfSpaceData, points), "patch",
     "for cylinders and cones on it: patch, pressure over the overlap; feet, points that share the "
     "force, as on faces of boxes",
     "patch|feet"},
    {0},
};

TML_SHAPE_TYPE(half_space) = {
    .info = {.name = "half_space",
             .text = "Everything behind a plane through its position: a floor, a wall.",
             .data_size = sizeof(HalfSpaceData),
             .params = half_space_params,
             .example = "normal: z"},
    .axis = TML_SHAPE_NORMAL,
    .surface = TML_SURFACE_FLAT,
    .bounds = half_space_bounds,
};
