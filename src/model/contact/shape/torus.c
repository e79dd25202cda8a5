/* model/contact/shape/torus.c - a ring about z of its axes: all points within `tube_radius` of a circle. A tube of
 * radius 0 is the rim of a thin disc.
 *
 *   (R1)  curvatures at the normal n: 1/tube along the tube's section, n_rho / rho along the ring
 *
 * On a plane it has four points that follow the direction of tilt: the lowest, that opposite to it, and
 * those midway. An upright ring rolls on the first alone; a ring that lies has all four, and is as stiff
 * as four points. At a sphere it has the nearest point only: one that rests in its hole is not held all
 * round.
 */
#include "base/fail.h"
#include "model/contact/shape/round/closest.h"

#include <stddef.h>

typedef struct TorusData {
    double radius, tube;
} TorusData;

static void torus_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const TorusData *d = data;
    *high = v3(d->radius + d->tube, d->radius + d->tube, d->tube);
    *low = v3_neg(*high);
}

/* (R1) with the component of the normal along rho. */
static void curvatures(const TorusData *d, Dual n_rho, Dual k[2])
{
    k[0] = d6_div(n_rho, d6_linear(d->radius, d->tube, n_rho));
    k[1] = d6(d->tube > 0.0 ? 1.0 / d->tube : HUGE_VAL);
}

void tml_torus_near(const void *data, DualVec point, TmlNear *near)
{
    const TorusData *d = data;
    const TmlMeridian m = tml_meridian(point);
    const DualVec v = d6v_sub(point, d6v_times(d->radius, m.e));
    near->distance = d6_linear(-d->tube, 1.0, d6v_norm(v));
    near->n = d6v_unit(v, 0.0, v3(0, 0, 1));
    curvatures(d, d6v_dot(near->n, m.e), near->curvature);
}

static TmlStatus torus_check(const void *data, TmlError *err)
{
    const TorusData *d = data;
    if (d->tube >= d->radius) {
        return tml_fail(err, TML_E_MODEL, "tube_radius: %g m; it must be below the radius, %g m",
                        d->tube, d->radius);
    }
    return TML_OK;
}

static const TmlParam torus_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(TorusData, radius), NULL,
     "radius of the circle in the middle of the tube", NULL},
    {"tube_radius", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(TorusData, tube), "0",
     "radius of the tube; 0: the rim of a thin disc", NULL},
    {0},
};

TML_SHAPE_TYPE(torus) = {
    .info = {.name = "torus",
             .text = "A ring about its axis; with tube_radius 0 the rim of a thin disc.",
             .data_size = sizeof(TorusData),
             .params = torus_params},
    .axis = TML_SHAPE_AXIS_Z,
    .surface = TML_SURFACE_ROUND,
    .check = torus_check,
    .bounds = torus_bounds,
};

TML_PAIR_FUNCTION(half_space, torus)
{
    const TorusData *d = second;
    const TmlDualPose at = tml_dual_pose(pose);
    const DualVec across = d6v_times(-1.0, tml_dual_across(at.axis[2])); // towards the lowest point
    const DualVec e = tml_dual_tilt(&at, across), f = d6v_cross(at.axis[2], e);
    const DualVec way[4] = {e, f, d6v_times(-1.0, e), d6v_times(-1.0, f)};
    int n = 0;
    (void)first;
    for (int k = 0; k < 4; ++k) {
        const DualVec c = d6v_add(at.r, d6v_times(d->radius, way[k]));
        TmlDualTouch o = {.p = c,
                          .n = d6v(v3(0, 0, 1)),
                          .depth = d6_linear(d->tube, -1.0, c.z),
                          .id = (uint64_t)k};
        o.p.z = d6_scale(-0.5, o.depth);
        if (o.depth.x >= -reach) {
            curvatures(d, d6_neg(way[k].z), o.curvature);
            tml_touch_write(&o, n++, touch, rate);
        }
    }
    return n;
}

TML_PAIR_FUNCTION(torus, sphere)
{
    const double R = tml_sphere_radius(second);
    return tml_near_sphere(tml_torus_near, first, pose, R, reach, touch, rate);
}
