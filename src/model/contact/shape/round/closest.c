/* model/contact/shape/round/closest.c - poses in dual numbers, the writing of a touch, and a sphere at any surface.
 *
 * A sphere of radius R about c touches a surface where the nearest point to c is. With s the distance
 * of c from the surface, negative within, and n the outward normal there:
 *
 *   (N1)  depth = R - s
 *   (N2)  p = c - (s + R) n / 2            midway between the surfaces
 *   (N3)  curvatures of the gap: those of the surface plus 1/R
 *
 * The point moves on without a jump when it leaves a face for an edge, so that it keeps its id. The rates follow from those of c in dual numbers; s and n are what they are by the surface alone.
 */
#include "model/contact/shape/round/closest.h"

TmlDualPose tml_dual_pose(const TmlPose *pose)
{
    TmlDualPose o = {d6v(pose->r), {d6v(pose->A.cx), d6v(pose->A.cy), d6v(pose->A.cz)}};
    o.r.x.g[0] = o.r.y.g[1] = o.r.z.g[2] = 1.0;
    for (int k = 0; k < 3; ++k) {
        DualVec *a = &o.axis[k]; // da = dphi x a
        a->x.g[4] = a->z.x, a->x.g[5] = -a->y.x;
        a->y.g[5] = a->x.x, a->y.g[3] = -a->z.x;
        a->z.g[3] = a->y.x, a->z.g[4] = -a->x.x;
    }
    return o;
}

DualVec tml_dual_into(const TmlDualPose *pose, DualVec point)
{
    return d6v_along(pose->axis, d6v_sub(point, pose->r));
}

DualVec tml_dual_out(const TmlDualPose *pose, DualVec point)
{
    return d6v_add(pose->r, d6v_sum(pose->axis, point));
}

DualVec tml_dual_across(DualVec a)
{
    return (DualVec){d6_neg(d6_mul(a.z, a.x)), d6_neg(d6_mul(a.z, a.y)),
                     d6_add(d6_mul(a.x, a.x), d6_mul(a.y, a.y))};
}

DualVec tml_dual_tilt(const TmlDualPose *pose, DualVec across)
{
    const Dual n = d6v_norm(across);
    return n.x > 1e-12 ? d6v_scale(d6_div(d6(1.0), n), across) : pose->axis[0];
}

void tml_touch_write(const TmlDualTouch *from, int k, TmlTouch *touch, TmlTouchRate *rate)
{
    const Dual *a = &from->curvature[0], *b = &from->curvature[1];
    if (a->x > b->x) {
        const Dual *c = a;
        a = b, b = c;
    }
    touch[k] = (TmlTouch){.p = d6v_value(from->p),
                          .n = d6v_value(from->n),
                          .depth = from->depth.x,
                          .size = from->size.x,
                          .curvature = {a->x, b->x},
                          .id = from->id,
                          .fade = from->fade.x};
    for (int i = 0; i < TML_TOUCH_VARIABLES && rate != NULL; ++i) {
        rate[k].p[i] = d6v_rate(&from->p, i);
        rate[k].n[i] = d6v_rate(&from->n, i);
        rate[k].depth[i] = from->depth.g[i];
        rate[k].size[i] = from->size.g[i];
        rate[k].fade[i] = from->fade.g[i];
        rate[k].curvature[0][i] = isfinite(a->x) ? a->g[i] : 0.0;
        rate[k].curvature[1][i] = isfinite(b->x) ? b->g[i] : 0.0;
    }
}

TmlMeridian tml_meridian(DualVec point)
{
    const DualVec across = {point.x, point.y, d6(0.0)};
    return (TmlMeridian){d6v_norm(across), point.z, d6v_unit(across, 0.0, v3(1, 0, 0))};
}

void tml_dual_eigen(Dual a, Dual b, Dual d, Dual k[2])
{
    const Dual mean = d6_scale(0.5, d6_add(a, d)), half = d6_scale(0.5, d6_sub(a, d));
    const Dual far = d6_sqrt(d6_add(d6_mul(half, half), d6_mul(b, b)));
    k[0] = d6_sub(mean, far);
    k[1] = d6_add(mean, far);
}

void tml_dual_tangents(DualVec n, DualVec *u, DualVec *v)
{
    const double x = fabs(n.x.x), y = fabs(n.y.x), z = fabs(n.z.x);
    const TmlVec3 e = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1);
    *u = d6v_unit(d6v_cross(d6v(e), n), 0.0, e);
    *v = d6v_cross(n, *u);
}

int tml_near_sphere(TmlNearFunction *near, const void *data, const TmlPose *pose, double radius,
                    double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    const DualVec c = tml_dual_pose(pose).r;
    TmlNear at;
    near(data, c, &at);
    TmlDualTouch o = {.n = at.n, .depth = d6_linear(radius, -1.0, at.distance)}; // (N1)
    if (!(o.depth.x >= -reach)) {
        return 0;
    }
    o.p = d6v_axpy(d6_linear(-0.5 * radius, -0.5, at.distance), at.n, c); // (N2)
    for (int k = 0; k < 2; ++k) {
        o.curvature[k] = d6_linear(1.0 / radius, 1.0, at.curvature[k]); // (N3)
    }
    tml_touch_write(&o, 0, touch, rate);
    return 1;
}
