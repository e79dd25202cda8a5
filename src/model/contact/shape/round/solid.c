/* model/contact/shape/round/solid.c - reach, points and curvatures of convex solids, by their normals. */
#include "model/contact/shape/round/solid.h"

double tml_solid_slope(const TmlSolid *solid)
{
    const double fall = solid->cone.low - solid->cone.high;
    return fall / hypot(fall, 2.0 * solid->cone.half);
}

double tml_solid_reach(const TmlSolid *solid, TmlVec3 n, TmlPart *part)
{
    if (solid->ellipsoid != NULL) {
        *part = TML_PART_ROUND;
        return tml_ellipsoid_reach(solid->ellipsoid, n);
    }
    const double across = hypot(n.x, n.y);
    const double high = solid->cone.high * across + solid->cone.half * n.z;
    const double low = solid->cone.low * across - solid->cone.half * n.z;
    *part = high > low ? TML_PART_HIGH : TML_PART_LOW;
    return fmax(high, low) + solid->swell;
}

DualVec tml_solid_point(const TmlSolid *solid, TmlPart part, DualVec n)
{
    if (part == TML_PART_ROUND) {
        return tml_ellipsoid_point(solid->ellipsoid, n);
    }
    const TmlFrustum *c = &solid->cone;
    const double side = part == TML_PART_LOW ? -1.0 : part == TML_PART_HIGH ? 1.0 : 0.0;
    const double radius = 0.5 * ((c->low + c->high) + side * (c->high - c->low));
    DualVec p = d6v_times(radius, tml_meridian(n).e);
    p.z = d6(side * c->half);
    return d6v_add(p, d6v_times(solid->swell, n));
}

DualVec tml_solid_line(const TmlSolid *solid, DualVec n)
{
    const double sa = tml_solid_slope(solid), ca = sqrt(1.0 - sa * sa);
    DualVec line = d6v_times(-sa, tml_meridian(n).e);
    line.z = d6(ca);
    return line;
}

static void bend_side(const TmlSolid *solid, DualVec p, DualVec n, const DualVec tangent[2],
                      TmlBend *bend)
{
    const double sa = tml_solid_slope(solid), ca = sqrt(1.0 - sa * sa);
    const DualVec round = d6v_cross(d6v(v3(0, 0, 1)), tml_meridian(n).e);
    const Dual k = d6_div(d6(ca), tml_meridian(p).rho); // (F1)
    const Dual x = d6v_dot(round, tangent[0]), y = d6v_dot(round, tangent[1]);
    bend->m[0] = d6_mul(k, d6_mul(x, x));
    bend->m[1] = d6_mul(k, d6_mul(x, y));
    bend->m[2] = d6_mul(k, d6_mul(y, y));
}

void tml_solid_bend(const TmlSolid *solid, TmlPart part, bool cap, DualVec p, DualVec n,
                    const DualVec tangent[2], TmlBend *bend)
{
    *bend = (TmlBend){0};
    if (part == TML_PART_ROUND) {
        bend->m[0] = tml_ellipsoid_bend(solid->ellipsoid, n, tangent[0], tangent[0]);
        bend->m[1] = tml_ellipsoid_bend(solid->ellipsoid, n, tangent[0], tangent[1]);
        bend->m[2] = tml_ellipsoid_bend(solid->ellipsoid, n, tangent[1], tangent[1]);
    } else if (part == TML_PART_SIDE) {
        bend_side(solid, p, n, tangent, bend);
    } else if (solid->swell > 0.0) {
        bend->m[0] = bend->m[2] = d6(1.0 / solid->swell);
    } else if (!cap) {
        const double radius = part == TML_PART_LOW ? solid->cone.low : solid->cone.high;
        const TmlMeridian m = tml_meridian(n);
        bend->sharp = true;
        bend->edge = d6v_cross(d6v(v3(0, 0, 1)), m.e);
        bend->along = radius > 0.0 ? d6_scale(1.0 / radius, m.rho) : d6(HUGE_VAL); // (F2)
    }
}

/* A capsule: all within `swell` of a segment. */
static void near_segment(const TmlSolid *solid, DualVec point, TmlNear *near, TmlPart *part)
{
    const double half = solid->cone.half, R = solid->swell;
    const bool side = fabs(point.z.x) < half;
    const DualVec from = {d6(0.0), d6(0.0), side ? point.z : d6(copysign(half, point.z.x))};
    const DualVec v = d6v_sub(point, from);
    *near = (TmlNear){.distance = d6_linear(-R, 1.0, d6v_norm(v)),
                      .n = d6v_unit(v, 0.0, v3(1, 0, 0)),
                      .curvature = {d6(side ? 0.0 : 1.0 / R), d6(1.0 / R)}};
    *part = side ? TML_PART_SIDE : point.z.x > 0.0 ? TML_PART_HIGH : TML_PART_LOW;
}

void tml_solid_near(const TmlSolid *solid, DualVec point, TmlNear *near, TmlPart *part, bool *cap)
{
    *cap = false;
    if (solid->ellipsoid != NULL) {
        tml_ellipsoid_near(solid->ellipsoid, point, near);
        *part = TML_PART_ROUND;
    } else if (solid->swell > 0.0) {
        near_segment(solid, point, near, part);
    } else {
        tml_frustum_near(&solid->cone, point, near);
        *cap = near->curvature[0].x == 0.0 && near->curvature[1].x == 0.0;
        const bool side = near->curvature[0].x == 0.0 && !*cap && isfinite(near->curvature[1].x);
        *part = side ? TML_PART_SIDE : point.z.x > 0.0 ? TML_PART_HIGH : TML_PART_LOW;
    }
}
