/* model/contact/shape/round/rods.c - two round rods, and a rod in a bore: lines that touch crossed or side by side.
 *
 * Crossed axes touch at one point, between the nearest points of the two segments. When the axes become
 * parallel that point runs away; there the rods touch at the two ends of the length that they
 * have in common, each with half of the force:
 *
 *   (L1)  w = 3 x^2 - 2 x^3, x = (sin^2 - 0.03)/0.09 within 0 and 1: share of the crossed point
 *   (L2)  (1 - w)/2: share of each end
 *
 * Of cylinders, with flat ends, (L2) holds while the common length is well above twice the depth, so that
 * sides touch and not ends:
 *
 *   (L3)  times w((length - 2 depth)/(R/5)) with the smaller radius R; the point of least depth has the rest
 *
 * The shares always sum to one, so that a pair is as stiff however it lies; against tilt, side by side, it
 * is as two springs of K/2 at the ends. Angles between which it changes: 10 and 20 degrees.
 */
#include "model/contact/shape/round/rods.h"

enum { CROSSED = 0, LOW = 1, HIGH = 2 };

typedef struct Rods {
    const TmlRod *a, *b;
    DualVec r, axis; /* of the second, in the axes of the first, which lies along z */
    Dual e, along;   /* cosine between the axes; r along the second */
    double reach;
    TmlTouch *touch;
    TmlTouchRate *rate;
    int n;
} Rods;

static Dual clamped(Dual x, double half, bool *end)
{
    *end = fabs(x.x) >= half;
    return *end ? d6(copysign(half, x.x)) : x;
}

Dual tml_dual_smooth(Dual x)
{
    const double y = fmin(fmax(x.x, 0.0), 1.0);
    return d6_function(x, y * y * (3.0 - 2.0 * y), 6.0 * y * (1.0 - y));
}

Dual tml_crossed_share(Dual cosine)
{
    const Dual sin2 = d6_linear(1.0, -1.0, d6_mul(cosine, cosine));
    return tml_dual_smooth(d6_linear(-1.0 / 3.0, 1.0 / 0.09, sin2)); // (L1)
}

/* Adds u^T W v of a rod: round about its axis, and about its end. */
static void add_bend(DualVec n, DualVec axis, bool end, double radius, const DualVec t[2],
                     Dual m[3])
{
    const double k = 1.0 / radius;
    if (end) {
        m[0] = d6_linear(k, 1.0, m[0]);
        m[2] = d6_linear(k, 1.0, m[2]);
        return;
    }
    const DualVec round = d6v_cross(axis, n);
    const Dual x = d6v_dot(round, t[0]), y = d6v_dot(round, t[1]);
    m[0] = d6_add(m[0], d6_scale(k, d6_mul(x, x)));
    m[1] = d6_add(m[1], d6_scale(k, d6_mul(x, y)));
    m[2] = d6_add(m[2], d6_scale(k, d6_mul(y, y)));
}

/* A touch between the points s of the first axis and t of the second. */
static void put(Rods *o, Dual s, bool s_end, Dual t, bool t_end, Dual share, int id)
{
    const DualVec up = d6v(v3(0, 0, 1)), from = d6v_scale(s, up);
    const DualVec v = d6v_sub(d6v_axpy(t, o->axis, o->r), from);
    const Dual distance = d6v_norm(v);
    TmlDualTouch at = {.depth = d6_linear(o->a->radius + o->b->radius, -1.0, distance),
                       .fade = d6_linear(1.0, -1.0, share),
                       .id = (uint64_t)id};
    if (!(at.depth.x >= -o->reach) || !(share.x > 0.0)) {
        return;
    }
    // axes that meet have no normal; any across both will do to part them
    const TmlVec3 across = v3_cross(v3(0, 0, 1), d6v_value(o->axis));
    const TmlVec3 other = v3_norm(across) > 1e-6 ? v3_unit(across) : v3(1, 0, 0);
    at.n = d6v_unit(v, 1e-300, other);
    at.p = d6v_axpy(d6_linear(o->a->radius, -0.5, at.depth), at.n, from);
    DualVec tangent[2];
    Dual m[3] = {d6(0.0), d6(0.0), d6(0.0)};
    tml_dual_tangents(at.n, &tangent[0], &tangent[1]);
    add_bend(at.n, up, s_end, o->a->radius, tangent, m);
    add_bend(at.n, o->axis, t_end, o->b->radius, tangent, m);
    tml_dual_eigen(m[0], m[1], m[2], at.curvature);
    tml_touch_write(&at, o->n++, o->touch, o->rate);
}

/* The nearest points of the two segments: free ones, then each held to its segment in turn. */
static void crossed(Rods *o, Dual share)
{
    bool s_end, t_end;
    const Dual sin2 = d6_linear(1.0, -1.0, d6_mul(o->e, o->e));
    Dual s = d6_div(d6_sub(o->r.z, d6_mul(o->e, o->along)), sin2);
    s = clamped(s, o->a->half, &s_end);
    const Dual t = clamped(d6_sub(d6_mul(o->e, s), o->along), o->b->half, &t_end);
    s = clamped(d6_add(o->r.z, d6_mul(o->e, t)), o->a->half, &s_end);
    put(o, s, s_end, t, t_end, share, CROSSED);
}

/* One end (-1 or 1, along the first axis) of the common length: the end of either rod. */
static void side_by_side(Rods *o, int end, Dual share)
{
    const double turn = copysign(1.0, o->e.x) * end;
    const Dual other = d6_add(o->r.z, d6_scale(turn * o->b->half, o->e));
    bool s_end = true, t_end = true;
    Dual s = d6(end * o->a->half), t = d6(turn * o->b->half);
    if (end * other.x < o->a->half) { // the second rod ends first
        s = clamped(d6_add(o->r.z, d6_mul(o->e, t)), o->a->half, &s_end);
    } else {
        t = clamped(d6_sub(d6_mul(o->e, s), o->along), o->b->half, &t_end);
    }
    put(o, s, s_end, t, t_end, share, end < 0 ? LOW : HIGH);
}

static Rods rods(const TmlRod *a, const TmlRod *b, const TmlPose *pose, double reach,
                 TmlTouch *touch, TmlTouchRate *rate)
{
    const TmlDualPose at = tml_dual_pose(pose);
    Rods o = {.a = a, .b = b, .r = at.r, .axis = at.axis[2], .e = at.axis[2].z};
    o.reach = reach, o.touch = touch, o.rate = rate;
    o.along = d6v_dot(o.r, o.axis);
    return o;
}

int tml_rods_touch(const TmlRod *a, const TmlRod *b, const TmlPose *pose, double reach,
                   TmlTouch *touch, TmlTouchRate *rate)
{
    Rods o = rods(a, b, pose, reach, touch, rate);
    const Dual w = tml_crossed_share(o.e), half = d6_linear(0.5, -0.5, w); // (L2)
    if (w.x > 0.0) {
        crossed(&o, w);
    }
    if (w.x < 1.0) {
        side_by_side(&o, -1, half);
        side_by_side(&o, 1, half);
    }
    return o.n;
}

Dual tml_rods_beside_share(const TmlRod *a, const TmlRod *b, const TmlPose *pose)
{
    const Rods o = rods(a, b, pose, 0.0, NULL, NULL);
    const DualVec up = d6v(v3(0, 0, 1)), turned = d6v_times(copysign(1.0, o.e.x), o.axis);
    // along the direction between the two axes, so that a swap changes nothing
    const DualVec mean = d6v_unit(d6v_add(up, turned), 0.0, v3(0, 0, 1));
    const Dual x = d6v_dot(o.r, mean);
    const Dual first = d6_scale(a->half, mean.z), second = d6_scale(b->half, d6v_dot(turned, mean));
    const Dual low = d6_sub(x, second), high = d6_add(x, second);
    const Dual length =
        d6_sub(high.x < first.x ? high : first, low.x > -first.x ? low : d6_neg(first));
    const Dual distance = d6v_norm(d6v_axpy(d6_neg(x), mean, o.r));
    const Dual depth = d6_linear(a->radius + b->radius, -1.0, distance);
    const Dual spare = d6_sub(length, d6_scale(2.0, depth)); // (L3)
    const Dual w = tml_crossed_share(o.e);
    return d6_mul(d6_linear(1.0, -1.0, w),
                  tml_dual_smooth(d6_scale(5.0 / fmin(a->radius, b->radius), spare)));
}

int tml_rods_beside(const TmlRod *a, const TmlRod *b, const TmlPose *pose, Dual share, double reach,
                    TmlTouch *touch, TmlTouchRate *rate)
{
    Rods o = rods(a, b, pose, reach, touch, rate);
    side_by_side(&o, -1, d6_scale(0.5, share));
    side_by_side(&o, 1, d6_scale(0.5, share));
    return o.n;
}
