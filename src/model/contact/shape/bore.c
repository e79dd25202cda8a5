/* model/contact/shape/bore.c - the wall of a cylindrical hole along z of its axes, about its origin: what holds a pin
 * or guides a ball. Its mouths are edges; there is no face around them.
 *
 *   (B1)  curvatures of the wall: -1/R and 0
 */
#include "model/contact/shape/round/closest.h"
#include "model/contact/shape/round/rods.h"

#include <stddef.h>

typedef struct BoreData {
    double radius, length;
} BoreData;

TmlRod tml_bore_rod(const void *data)
{
    const BoreData *d = data;
    return (TmlRod){d->radius, 0.5 * d->length};
}

/* The wall has no outer side: all that is farther from the axis is material. */
static void bore_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const BoreData *d = data;
    *high = v3(HUGE_VAL, HUGE_VAL, 0.5 * d->length);
    *low = v3_neg(*high);
}

void tml_bore_near(const void *data, DualVec point, TmlNear *near)
{
    const BoreData *d = data;
    const double R = d->radius, half = 0.5 * d->length;
    const TmlMeridian m = tml_meridian(point);
    if (fabs(m.z.x) <= half) {
        *near = (TmlNear){.distance = d6_linear(R, -1.0, m.rho),
                          .n = d6v_times(-1.0, m.e),
                          .curvature = {d6(-1.0 / R), d6(0.0)}}; // (B1)
        return;
    }
    DualVec v = d6v_scale(d6_linear(-R, 1.0, m.rho), m.e);
    v.z = d6_linear(-copysign(half, m.z.x), 1.0, m.z);
    near->distance = d6v_norm(v);
    near->n = d6v_unit(v, 0.0, v3(0, 0, copysign(1.0, m.z.x)));
    near->curvature[0] = d6_scale(1.0 / R, d6v_dot(near->n, m.e));
    near->curvature[1] = d6(HUGE_VAL);
}

static const TmlParam bore_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(BoreData, radius), NULL, "radius", NULL},
    {"length", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(BoreData, length), NULL,
     "length along the axis", NULL},
    {0},
};

TML_SHAPE_TYPE(bore) = {
    .info = {.name = "bore",
             .text =
                 "The wall of a cylindrical hole about its position, for a pin or a ball in it.",
             .data_size = sizeof(BoreData),
             .params = bore_params},
    .axis = TML_SHAPE_AXIS_X,
    .surface = TML_SURFACE_STRAIGHT,
    .bounds = bore_bounds,
};

TML_PAIR_FUNCTION(bore, sphere)
{
    const double R = tml_sphere_radius(second);
    return tml_near_sphere(tml_bore_near, first, pose, R, reach, touch, rate);
}
