/* model/contact/shape/cylinder.c - a cylinder along z of its axes, about its origin, with flat ends. */
#include "model/contact/shape/half_space.h"
#include "model/contact/shape/round/closest.h"
#include "model/contact/shape/round/rods.h"
#include "model/contact/shape/round/solid.h"

#include <stddef.h>

typedef struct CylinderData {
    double radius, length;
} CylinderData;

static TmlFrustum frustum(const void *data)
{
    const CylinderData *d = data;
    return (TmlFrustum){d->radius, d->radius, 0.5 * d->length};
}

TmlSolid tml_cylinder_solid(const void *data)
{
    return (TmlSolid){NULL, frustum(data), 0.0};
}

TmlRod tml_cylinder_rod(const void *data)
{
    const CylinderData *d = data;
    return (TmlRod){d->radius, 0.5 * d->length};
}

static void cylinder_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const CylinderData *d = data;
    *high = v3(d->radius, d->radius, 0.5 * d->length);
    *low = v3_neg(*high);
}

static TmlVec3 cylinder_support(const void *data, TmlVec3 direction, int *feature)
{
    const TmlFrustum cone = frustum(data);
    return tml_frustum_support(&cone, direction, feature);
}

void tml_cylinder_near(const void *data, DualVec point, TmlNear *near)
{
    const TmlFrustum cone = frustum(data);
    tml_frustum_near(&cone, point, near);
}

static const TmlParam cylinder_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(CylinderData, radius), NULL, "radius",
     NULL},
    {"length", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(CylinderData, length), NULL,
     "length along the axis", NULL},
    {0},
};

TML_SHAPE_TYPE(cylinder) = {
    .info = {.name = "cylinder",
             .text = "A cylinder with flat ends about its position.",
             .data_size = sizeof(CylinderData),
             .params = cylinder_params},
    .axis = TML_SHAPE_AXIS_X,
    .surface = TML_SURFACE_STRAIGHT | TML_SURFACE_FLAT | TML_SURFACE_EDGES,
    .bounds = cylinder_bounds,
    .support = cylinder_support,
};

TML_PAIR_FUNCTION(half_space, cylinder)
{
    const TmlFrustum cone = frustum(second);
    if (tml_half_space_feet(first)) {
        const TmlSolid solid = tml_cylinder_solid(second);
        return tml_solid_on_plane(&solid, pose, reach, touch, rate);
    }
    return tml_frustum_floor(&cone, pose, reach, touch, rate);
}

TML_PAIR_FUNCTION(cylinder, sphere)
{
    const double R = tml_sphere_radius(second);
    return tml_near_sphere(tml_cylinder_near, first, pose, R, reach, touch, rate);
}
