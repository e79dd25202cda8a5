/* model/contact/shape/round/rod_in_bore.c - a pin in a hole.
 *
 * As rods side by side, a pin of radius r in a bore of radius R touches at the two ends of the length that
 * they have in common: where the pin ends in the bore, and where the bore ends on the pin. With e the distance there
 * of one axis from the other, and u the direction in which the pin is off the middle:
 *
 *   (B2)  depth = e + r - R, n = -u          out of the wall, into the pin
 *   (B3)  curvatures of the gap: 0 and 1/r - 1/R
 *   (B4)  shares: half of the force each, times w(length/r), w = 3 x^2 - 2 x^3, x within 0 and 1
 *
 * Sections are taken as circles: tilt enters the place of the axis, and its square, which makes them
 * ellipses, is left out: r angle^2 / 2 of the depth, which the play of a pin keeps far below the play itself.
 * A pin that is not even roughly along the bore (60 degrees) is not in it, and touches nothing.
 */
#include "model/contact/shape/round/rods.h"

typedef struct Pin {
    const TmlRod *bore, *rod;
    TmlDualPose at;
    Dual share;
    double reach;
    TmlTouch *touch;
    TmlTouchRate *rate;
    int n;
} Pin;

/* v: from the axis of the bore to that of the pin; base: on the axis of the bore. */
static void put(Pin *o, DualVec v, DualVec base, int id)
{
    const double r = o->rod->radius, R = o->bore->radius;
    const DualVec u = d6v_unit(v, 1e-300, v3(1, 0, 0));
    TmlDualTouch at = {.n = d6v_times(-1.0, u),
                       .depth = d6_linear(r - R, 1.0, d6v_norm(v)), // (B2)
                       .curvature = {d6(0.0), d6(1.0 / r - 1.0 / R)},
                       .fade = d6_linear(1.0, -1.0, o->share),
                       .id = (uint64_t)id};
    at.p = d6v_axpy(d6_linear(R, 0.5, at.depth), u, base);
    if (at.depth.x >= -o->reach && o->share.x > 0.0) {
        tml_touch_write(&at, o->n++, o->touch, o->rate);
    }
}

static void end_of_pin(Pin *o, double t, int id)
{
    const DualVec q = d6v_add(o->at.r, d6v_times(t, o->at.axis[2]));
    const DualVec base = {d6(0.0), d6(0.0), q.z};
    put(o, d6v_sub(q, base), base, id);
}

static void end_of_bore(Pin *o, double s, int id)
{
    const DualVec mouth = d6v(v3(0, 0, s)), away = d6v_sub(mouth, o->at.r);
    const Dual t = d6v_dot(away, o->at.axis[2]);
    put(o, d6v_sub(d6v_axpy(t, o->at.axis[2], o->at.r), mouth), mouth, id);
}

int tml_rod_in_bore(const TmlRod *bore, const TmlRod *rod, const TmlPose *pose, double reach,
                    TmlTouch *touch, TmlTouchRate *rate)
{
    Pin o = {.bore = bore, .rod = rod, .at = tml_dual_pose(pose)};
    o.reach = reach, o.touch = touch, o.rate = rate;
    const Dual e = o.at.axis[2].z, z = o.at.r.z;
    if (fabs(e.x) < 0.5) {
        return 0;
    }
    const double turn = copysign(1.0, e.x);
    const Dual reaches = d6_scale(turn * rod->half, e);
    const Dual low = d6_sub(z, reaches), high = d6_add(z, reaches);
    const bool pin_low = low.x > -bore->half, pin_high = high.x < bore->half;
    const Dual length = d6_sub(pin_high ? high : d6(bore->half), pin_low ? low : d6(-bore->half));
    o.share = d6_scale(0.5, tml_dual_smooth(d6_scale(1.0 / rod->radius, length))); // (B4)
    if (pin_low) {
        end_of_pin(&o, -turn * rod->half, 0);
    } else {
        end_of_bore(&o, -bore->half, 0);
    }
    if (pin_high) {
        end_of_pin(&o, turn * rod->half, 1);
    } else {
        end_of_bore(&o, bore->half, 1);
    }
    return o.n;
}
