/* model/contact/shape/capsule.c - a cylinder with round ends along z of its axes, about its origin; length is that of
 * the cylinder. All points within `radius` of a segment.
 *
 * On a plane it is its two end spheres, each a point of its own: lying flat it is as stiff as two
 * points, and forces stay smooth while one end lifts.
 */
#include "model/contact/shape/round/closest.h"
#include "model/contact/shape/round/rods.h"
#include "model/contact/shape/round/solid.h"

#include <stddef.h>

typedef struct CapsuleData {
    double radius, length;
} CapsuleData;

TmlSolid tml_capsule_solid(const void *data)
{
    const CapsuleData *d = data;
    return (TmlSolid){NULL, {0.0, 0.0, 0.5 * d->length}, d->radius};
}

TmlRod tml_capsule_rod(const void *data)
{
    const CapsuleData *d = data;
    return (TmlRod){d->radius, 0.5 * d->length};
}

static void capsule_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const CapsuleData *d = data;
    *high = v3(d->radius, d->radius, 0.5 * d->length + d->radius);
    *low = v3_neg(*high);
}

static TmlVec3 capsule_support(const void *data, TmlVec3 direction, int *feature)
{
    const CapsuleData *d = data;
    *feature = direction.z > 0.0 ? 1 : 0;
    const TmlVec3 end = v3(0, 0, direction.z > 0.0 ? 0.5 * d->length : -0.5 * d->length);
    return v3_axpy(d->radius, direction, end);
}

void tml_capsule_near(const void *data, DualVec point, TmlNear *near)
{
    const CapsuleData *d = data;
    const double half = 0.5 * d->length, R = d->radius;
    const bool side = fabs(point.z.x) < half;
    const DualVec from = {d6(0.0), d6(0.0), side ? point.z : d6(copysign(half, point.z.x))};
    const DualVec v = d6v_sub(point, from);
    *near = (TmlNear){.distance = d6_linear(-R, 1.0, d6v_norm(v)),
                      .n = d6v_unit(v, 0.0, v3(1, 0, 0)),
                      .curvature = {d6(side ? 0.0 : 1.0 / R), d6(1.0 / R)}};
}

static const TmlParam capsule_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(CapsuleData, radius), NULL, "radius",
     NULL},
    {"length", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(CapsuleData, length), NULL,
     "length of the cylinder between the round ends", NULL},
    {0},
};

TML_SHAPE_TYPE(capsule) = {
    .info = {.name = "capsule",
             .text =
                 "A cylinder with round ends about its position; length is that of the cylinder.",
             .data_size = sizeof(CapsuleData),
             .params = capsule_params},
    .axis = TML_SHAPE_AXIS_X,
    .surface = TML_SURFACE_ROUND | TML_SURFACE_STRAIGHT,
    .bounds = capsule_bounds,
    .support = capsule_support,
};

TML_PAIR_FUNCTION(half_space, capsule)
{
    const CapsuleData *d = second;
    const TmlDualPose at = tml_dual_pose(pose);
    const Dual k = d6(1.0 / d->radius);
    int n = 0;
    (void)first;
    for (int end = 0; end < 2; ++end) {
        const DualVec c = d6v_add(at.r, d6v_times((end - 0.5) * d->length, at.axis[2]));
        TmlDualTouch o = {.p = c,
                          .n = d6v(v3(0, 0, 1)),
                          .depth = d6_linear(d->radius, -1.0, c.z),
                          .curvature = {k, k},
                          .id = (uint64_t)end};
        o.p.z = d6_scale(-0.5, o.depth);
        if (o.depth.x >= -reach) {
            tml_touch_write(&o, n++, touch, rate);
        }
    }
    return n;
}

TML_PAIR_FUNCTION(capsule, sphere)
{
    const double R = tml_sphere_radius(second);
    return tml_near_sphere(tml_capsule_near, first, pose, R, reach, touch, rate);
}
