/* model/contact/shape/profile/pins.c - round pins along the axis of an extruded profile.
 *
 * A pin whose axis is that of the extrusion touches the profile as a circle touches a curve, at every local minimum of the
 * distance: a pin between two teeth touches both flanks. There are two circles, where the length that both have
 * in common ends, each with half of the share
 *
 *   (P28)  (1 - (L1)) g(5 l / R) g(2 h / R),   g = 3 x^2 - 2 x^3 within 0 and 1
 *
 * of the common length l and the distance h of the pin's axis from the nearest piece: where the pin leans, has just
 * begun to enter, or is deep in the solid, the triangles of the profile have the rest. Sections are circles; the square of the
 * angle is left out.
 */
#include "model/contact/shape/profile/pins.h"
#include "model/contact/shape/profile/point_touch.h"

enum { PIECES = 8 };

void tml_fade_touches(TmlTouch *touch, TmlTouchRate *rate, int n, Dual rest)
{
    for (int k = 0; k < n; ++k) {
        const double kept = 1.0 - touch[k].fade;
        for (int i = 0; i < TML_TOUCH_VARIABLES && rate != NULL; ++i) {
            rate[k].fade[i] = rest.x * rate[k].fade[i] - kept * rest.g[i];
        }
        touch[k].fade = 1.0 - kept * rest.x;
    }
}

/* The two ends of the part of the pin within the thickness; false: there is none. */
static bool common_length(const TmlDualPose *at, const TmlRod *rod, double half, Dual t[2])
{
    const Dual z = at->r.z, e = at->axis[2].z;
    const double turn = e.x > 0.0 ? 1.0 : -1.0;
    for (int k = 0; k < 2; ++k) {
        const double end = k == 0 ? -1.0 : 1.0;
        t[k] = d6(end * rod->half);
        if (turn * end * (z.x + end * rod->half * e.x) > half) {
            t[k] = d6_div(d6_linear(end * turn * half, -1.0, z), e);
        }
    }
    return t[0].x < t[1].x;
}

/* Touches of the circle about q; returns how many. */
static int circle(const TmlProfile *profile, DualVec q, double R, double reach, int foot,
                  TmlTouch *touch, TmlTouchRate *rate, int room)
{
    TmlProfileNear near[PIECES];
    TmlVec3 dq[TML_TOUCH_VARIABLES];
    const double along[2] = {1.0 / R, 0.0};
    const int n = tml_profile_near(profile, (TmlVec2){q.x.x, q.y.x}, R + reach,
                                   room < PIECES ? room : PIECES, near);
    for (int i = 0; i < TML_TOUCH_VARIABLES; ++i) {
        dq[i] = d6v_rate(&q, i);
    }
    for (int k = 0; k < n; ++k) {
        const TmlProfileNear *p = &near[k];
        const TmlVec3 side = v3(p->t.x, p->t.y, 0.0);
        const TmlMat33 tt = m3_outer(side, side);
        const TmlSurfaceNear s = {.height = p->height,
                                  .n = v3(p->n.x, p->n.y, 0.0),
                                  .H = m3_scale(p->bend, &tt),
                                  .curvature = {p->curvature, 0.0},
                                  .id = ((uint64_t)(1 + foot) << 40) | (uint64_t)p->id};
        tml_point_touch(&s, d6v_value(q), dq, R, along, &touch[k], &rate[k]);
    }
    return n;
}

int tml_pin_touch(const TmlProfile *profile, double thickness, const TmlRod *rod,
                  const TmlPose *pose, double reach, TmlTouch *touch, TmlTouchRate *rate,
                  Dual *share)
{
    const TmlDualPose at = tml_dual_pose(pose);
    const Dual along = d6_linear(1.0, -1.0, tml_crossed_share(at.axis[2].z));
    const double R = rod->radius;
    Dual t[2];
    int n = 0;
    *share = d6(0.0);
    if (!(along.x > 0.0) || !common_length(&at, rod, 0.5 * thickness, t)) {
        return 0;
    }
    for (int k = 0; k < 2; ++k) {
        const DualVec q = d6v_axpy(t[k], at.axis[2], at.r);
        n += circle(profile, q, R, reach, k, touch + n, rate + n, TML_PIN_TOUCHES - n);
    }
    *share = d6_mul(along, tml_dual_smooth(d6_scale(5.0 / R, d6_sub(t[1], t[0])))); // (P28)
    int deepest = 0;
    for (int k = 1; k < n; ++k) {
        deepest = touch[k].depth > touch[deepest].depth ? k : deepest;
    }
    if (n > 0) {
        Dual height = d6(R - touch[deepest].depth);
        for (int i = 0; i < TML_TOUCH_VARIABLES; ++i) {
            height.g[i] = -rate[deepest].depth[i];
        }
        *share = d6_mul(*share, tml_dual_smooth(d6_scale(2.0 / R, height)));
    }
    tml_fade_touches(touch, rate, n, d6_scale(0.5, *share));
    return share->x > 0.0 ? n : 0;
}
