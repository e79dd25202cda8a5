/* model/contact/shape/cone.c - a cone or its frustum along z of its axes: radius at -length/2, top radius at +length/2. */
#include "model/contact/shape/half_space.h"
#include "model/contact/shape/round/closest.h"
#include "model/contact/shape/round/solid.h"

#include <stddef.h>

typedef struct ConeData {
    double radius, top_radius, length;
} ConeData;

static TmlFrustum frustum(const void *data)
{
    const ConeData *d = data;
    return (TmlFrustum){d->radius, d->top_radius, 0.5 * d->length};
}

TmlSolid tml_cone_solid(const void *data)
{
    return (TmlSolid){NULL, frustum(data), 0.0};
}

static void cone_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const ConeData *d = data;
    const double R = fmax(d->radius, d->top_radius);
    *high = v3(R, R, 0.5 * d->length);
    *low = v3_neg(*high);
}

static TmlVec3 cone_support(const void *data, TmlVec3 direction, int *feature)
{
    const TmlFrustum cone = frustum(data);
    return tml_frustum_support(&cone, direction, feature);
}

void tml_cone_near(const void *data, DualVec point, TmlNear *near)
{
    const TmlFrustum cone = frustum(data);
    tml_frustum_near(&cone, point, near);
}

static const TmlParam cone_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(ConeData, radius), NULL,
     "radius where the axis begins", NULL},
    {"top_radius", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(ConeData, top_radius), "0",
     "radius where the axis ends; 0: a tip", NULL},
    {"length", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(ConeData, length), NULL,
     "length along the axis", NULL},
    {0},
};

TML_SHAPE_TYPE(cone) = {
    .info = {.name = "cone",
             .text = "A cone or a frustum; its position is the middle of its axis.",
             .data_size = sizeof(ConeData),
             .params = cone_params},
    .axis = TML_SHAPE_AXIS_X,
    .surface = TML_SURFACE_STRAIGHT | TML_SURFACE_FLAT | TML_SURFACE_EDGES,
    .bounds = cone_bounds,
    .support = cone_support,
};

TML_PAIR_FUNCTION(half_space, cone)
{
    const TmlFrustum cone = frustum(second);
    if (tml_half_space_feet(first)) {
        const TmlSolid solid = tml_cone_solid(second);
        return tml_solid_on_plane(&solid, pose, reach, touch, rate);
    }
    return tml_frustum_floor(&cone, pose, reach, touch, rate);
}

TML_PAIR_FUNCTION(cone, sphere)
{
    const double R = tml_sphere_radius(second);
    return tml_near_sphere(tml_cone_near, first, pose, R, reach, touch, rate);
}
