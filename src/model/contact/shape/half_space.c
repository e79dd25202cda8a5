/* model/contact/shape/half_space.c - all that lies below z = 0 of its axes: floors and walls. */
#include "math/vec3.h"
#include "model/contact/contacts.h"

#include <math.h>

static void half_space_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    (void)data;
    *low = v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    *high = v3(HUGE_VAL, HUGE_VAL, 0.0);
}

TML_SHAPE_TYPE(half_space) = {
    .info = {.name = "half_space",
             .text = "All that lies behind a plane through its position: a floor, a wall.",
             .example = "normal: z"},
    .axis = TML_SHAPE_NORMAL,
    .surface = TML_SURFACE_FLAT,
    .bounds = half_space_bounds,
};
