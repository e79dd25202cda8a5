/* model/contact/shape/round/frustum.c - surface of a cylinder or a cone along z: nearest point and support.
 *
 * In the half-plane (rho, z) the shape is a trapezoid: two caps, and a side from (low, -half) to
 * (high, half) with the outward normal (cos a, sin a). The principal curvatures are
 *
 *   (F1)  side: 0 and cos a / rho
 *   (F2)  rim of radius R: n_rho / R along it, infinite across
 */
#include "model/contact/shape/round/closest.h"

enum { SIDE = 0, CAP_LOW = 1, CAP_HIGH = 2, RIM_LOW = 3, RIM_HIGH = 4 };

static void at_side(const TmlMeridian *m, const TmlFrustum *cone, double ca, double sa, Dual ds,
                    TmlNear *near)
{
    const Dual rho = d6_sub(m->rho, d6_scale(ca, ds)); // of the nearest point
    (void)cone;
    near->distance = ds;
    near->n = d6v_times(ca, m->e);
    near->n.z = d6(sa);
    near->curvature[0] = d6(0.0);
    near->curvature[1] = rho.x > 0.0 ? d6_div(d6(ca), rho) : d6(HUGE_VAL); // (F1)
}

static void at_cap(const TmlMeridian *m, const TmlFrustum *cone, bool high, TmlNear *near)
{
    near->distance = d6_linear(-cone->half, high ? 1.0 : -1.0, m->z);
    near->n = d6v(v3(0, 0, high ? 1 : -1));
    near->curvature[0] = near->curvature[1] = d6(0.0);
}

static void at_rim(const TmlMeridian *m, const TmlFrustum *cone, bool high, TmlNear *near)
{
    const double R = high ? cone->high : cone->low, z = high ? cone->half : -cone->half;
    DualVec v = d6v_scale(d6_linear(-R, 1.0, m->rho), m->e);
    v.z = d6_linear(-z, 1.0, m->z);
    near->distance = d6v_norm(v);
    near->n = d6v_unit(v, 0.0, v3(0, 0, high ? 1 : -1));
    near->curvature[0] = R > 0.0 ? d6_scale(1.0 / R, d6v_dot(near->n, m->e)) : d6(HUGE_VAL); // (F2)
    near->curvature[1] = d6(HUGE_VAL);
}

void tml_frustum_near(const TmlFrustum *cone, DualVec point, TmlNear *near)
{
    const TmlMeridian m = tml_meridian(point);
    const double fall = cone->low - cone->high, slant = hypot(fall, 2.0 * cone->half);
    const double ca = 2.0 * cone->half / slant, sa = fall / slant;
    const double rho = m.rho.x, z = m.z.x, half = cone->half;
    const Dual ds = d6_add(d6_linear(-cone->low * ca, ca, m.rho), d6_linear(half * sa, sa, m.z));
    const double along = -(rho - cone->low) * sa + (z + half) * ca;
    if (ds.x >= 0.0 && along >= 0.0 && along <= slant) {
        at_side(&m, cone, ca, sa, ds, near);
    } else if (z >= half && rho <= cone->high) {
        at_cap(&m, cone, true, near);
    } else if (z <= -half && rho <= cone->low) {
        at_cap(&m, cone, false, near);
    } else if (ds.x >= 0.0 || fabs(z) >= half) {
        const double to_high = hypot(rho - cone->high, z - half);
        at_rim(&m, cone, to_high < hypot(rho - cone->low, z + half), near);
    } else if (ds.x >= fabs(z) - half) { // within: the nearest of the three
        at_side(&m, cone, ca, sa, ds, near);
    } else {
        at_cap(&m, cone, z > 0.0, near);
    }
}

TmlVec3 tml_frustum_support(const TmlFrustum *cone, TmlVec3 direction, int *feature)
{
    const double across = hypot(direction.x, direction.y);
    const double high = cone->high * across + cone->half * direction.z;
    const double low = cone->low * across - cone->half * direction.z;
    const double R = (high > low ? cone->high : cone->low) / (across > 0.0 ? across : 1.0);
    *feature = high > low ? RIM_HIGH : RIM_LOW;
    return v3(R * direction.x, R * direction.y, high > low ? cone->half : -cone->half);
}
