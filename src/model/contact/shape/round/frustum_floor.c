/* model/contact/shape/round/frustum_floor.c - a cylinder or a cone on a half-space: lying, on its rim, on its cap.
 *
 * Contact along a line or over a face has no point. The touch is the overlap, as an elastic foundation
 * sees it: the force is stiffness per area times the volume below z = 0, and acts at its centroid. The
 * volume is cut into pieces, so that it resists tilting and spinning, in two ways:
 *
 *   (O1)  slices across the axis a, good when it lies: with s = |z - (z.a) a|, w = (z - (z.a) a)/s, the
 *         slice at t has its lowest point at depth d(t) = rho(t) s - r_z - t a_z, and the
 *         segment of height d/s, of area rho^2 (f - sin f cos f), cos f = 1 - d/(s rho)
 *   (O2)  columns along the axis, good when it stands on a cap: at u = rho cos f from the middle,
 *         towards the lowest point, the cap has depth D = H + s u, and a column the length D/|a_z|
 *   (O3)  volume of all columns     rho^2/|a_z| (H (F - sin F cos F) + 2/3 s rho sin^3 F)
 *   (O4)  first moment of u         rho^3/|a_z| (2/3 H sin^3 F + s rho (F/4 - sin 4F/16))
 *         with cos F = -H/(s rho) where the cap comes out of the plane, F = pi when all of it is below
 *
 *   (O5)  a chord of half length l has 1/4 of its load in its middle and 3/8 at 2/3 l to either side: mean square l^2 / 3 and mean
 *         distance l / 2 are those of an even load, and a whole disc resists spinning with 1.0015 of 2/3 mu N R
 *
 * Both are the same volume; between 30 and 60 degrees the one gives way to the other by a factor that is
 * a smooth function of the angle. Places follow the direction of tilt. It has no limit when the axis is
 * upright, but the sums do: pieces lie symmetrically, and (O3) and (O4) hold exactly. Of an upright axis,
 * places are fixed to the shape.
 */
#include "model/contact/shape/round/closest.h"

static const double pi = 3.14159265358979323846;

enum { SLICES = 5, STRIPS = 5, CHORD = 3, GAP_ID = 32, COLUMN_ID = 8 };

/* Gauss and Legendre on (0, 1). */
static const double gauss_x[5] = {0.046910077030668004, 0.23076534494715845, 0.5,
                                  0.76923465505284155, 0.95308992296933200};
static const double gauss_w[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                  0.23931433524968324, 0.11846344252809454};

static const double chord_place = 2.0 / 3.0, chord_weight[CHORD] = {0.375, 0.25, 0.375}; // (O5)

/* The shape as the plane sees it. */
typedef struct Floor {
    const TmlFrustum *cone;
    DualVec r, axis, w, side;
    Dual az, s;
    Dual share; /* of the pieces: columns' part of the volume */
    double reach;
    TmlTouch *touch;
    TmlTouchRate *rate;
    int n;
} Floor;

static double radius_at(const TmlFrustum *cone, double t)
{
    return 0.5 * ((cone->low + cone->high) + (cone->high - cone->low) * t / cone->half);
}

/* x - sin x without cancellation. */
static double less_sine(double x)
{
    if (x > 0.5) {
        return x - sin(x);
    }
    const double q = x * x;
    double sum = 0.0, term = x * q / 6.0; // the tenth term is 1e-19 of the first
    for (int k = 4; k < 22; k += 2) {
        sum += term;
        term *= -q / (k * (k + 1.0));
    }
    return sum;
}

static Dual smooth_share(Dual az)
{
    const double x = 2.0 * az.x * az.x - 0.5, y = fmin(fmax(x, 0.0), 1.0);
    return d6_function(az, y * y * (3.0 - 2.0 * y), 6.0 * y * (1.0 - y) * 4.0 * az.x);
}

/* A piece whose overlap is `depth` deep; its middle is half as deep. */
static void put(Floor *f, DualVec p, Dual depth, Dual size, Dual curvature, int id)
{
    TmlDualTouch o = {.p = p,
                      .n = d6v(v3(0, 0, 1)),
                      .depth = d6_scale(0.5, depth),
                      .size = size,
                      .curvature = {d6(0.0), curvature},
                      .id = (uint64_t)id};
    o.p.z = d6_neg(o.depth);
    if (size.x > 0.0 && depth.x > 0.0) {
        tml_touch_write(&o, f->n++, f->touch, f->rate);
    }
}

/* (O1) at t: area of the segment and how far from the axis its centroid is. */
static void segment(Dual rho, Dual depth, Dual s, Dual *area, Dual *arm)
{
    const Dual d = d6_sub(rho, d6_div(depth, s)); // from the axis to the chord
    if (d.x <= -rho.x) {
        *area = d6_scale(pi, d6_mul(rho, rho));
        *arm = d6(0.0);
        return;
    }
    const double f = 2.0 * asin(sqrt(0.5 * (depth.x / s.x) / rho.x)), q = rho.x * sin(f);
    *area =
        d6_function2(rho, d, 0.5 * rho.x * rho.x * less_sine(2.0 * f), 2.0 * rho.x * f, -2.0 * q);
    // the first moment is 2/3 q^3 with q^2 = rho^2 - d^2
    const Dual moment =
        d6_function2(rho, d, 2.0 / 3.0 * q * q * q, 2.0 * q * rho.x, -2.0 * q * d.x);
    *arm = d6_div(moment, *area);
}

static void slices(Floor *f)
{
    const double half = f->cone->half, grow = 0.5 * (f->cone->high - f->cone->low) / half;
    const Dual d0 = d6_sub(d6_scale(radius_at(f->cone, 0.0), f->s), f->r.z);
    const Dual d1 = d6_sub(d6_scale(grow, f->s), f->az);
    Dual a = d6(-half), b = d6(half); // the part of the axis above the wet line
    if (d0.x - half * d1.x < 0.0) {
        a = d6_neg(d6_div(d0, d1));
    } else if (d0.x + half * d1.x < 0.0) {
        b = d6_neg(d6_div(d0, d1));
    }
    const Dual length = d6_mul(d6_sub(b, a), d6_linear(1.0, -1.0, f->share));
    const double lean = 1.0 / sqrt(1.0 + grow * grow);
    for (int k = 0; k < SLICES; ++k) {
        const Dual t = d6_add(a, d6_scale(gauss_x[k], d6_sub(b, a)));
        const Dual rho = d6_linear(radius_at(f->cone, 0.0), grow, t);
        const Dual depth = d6_add(d0, d6_mul(d1, t)); // (O1)
        Dual area, arm;
        if (depth.x > 0.0 && rho.x > 0.0) {
            segment(rho, depth, f->s, &area, &arm);
            const DualVec p = d6v_axpy(d6_neg(arm), f->w, d6v_axpy(t, f->axis, f->r));
            // the middle is the centroid: stiffness times size times its depth is the energy
            put(f, p, d6_scale(-2.0, p.z), d6_mul(d6_scale(gauss_w[k], length), area),
                d6_div(d6(lean), rho), k);
        }
    }
}

/* The factor c[0] + c[1] u, for any measure u of their place, of strips that makes their volume and first moment exact. */
static void make_exact(const Dual *size, const Dual *u, Dual volume, Dual moment, Dual c[2])
{
    Dual m0 = d6(0.0), m1 = d6(0.0), m2 = d6(0.0);
    for (int k = 0; k < STRIPS; ++k) {
        const Dual su = d6_mul(size[k], u[k]);
        m0 = d6_add(m0, size[k]);
        m1 = d6_add(m1, su);
        m2 = d6_add(m2, d6_mul(su, u[k]));
    }
    const Dual det = d6_sub(d6_mul(m0, m2), d6_mul(m1, m1));
    c[0] = d6_div(d6_sub(d6_mul(volume, m2), d6_mul(moment, m1)), det);
    c[1] = d6_div(d6_sub(d6_mul(m0, moment), d6_mul(m1, volume)), det);
}

/* (O3), (O4): what strips must sum to, times |a_z|; the moment is that of rho - u, about the rim. */
static void exact_columns(double rho, Dual H, Dual s, Dual F, Dual *volume, Dual *moment)
{
    const double c = cos(F.x), sn = sin(F.x), cube = sn * sn * sn;
    const Dual flat = d6_function(F, F.x - sn * c, 2.0 * sn * sn);
    const Dual sin3 = d6_function(F, 2.0 / 3.0 * cube, 2.0 * sn * sn * c);
    const double s2 = sin(2.0 * F.x);
    const Dual second = d6_function(F, 0.25 * F.x - sin(4.0 * F.x) / 16.0, 0.5 * s2 * s2);
    const Dual sr = d6_scale(rho, s);
    *volume = d6_scale(rho * rho, d6_add(d6_mul(H, flat), d6_mul(sr, sin3)));
    const Dual about = d6_scale(rho * rho * rho, d6_add(d6_mul(H, sin3), d6_mul(sr, second)));
    *moment = d6_sub(d6_scale(rho, *volume), about);
}

/* rho (1 - cos(x F)) without cancellation. */
static Dual from_rim(double rho, Dual F, double x)
{
    const double half = sin(0.5 * x * F.x);
    return d6_function(F, 2.0 * rho * half * half, rho * x * sin(x * F.x));
}

/* The same for small F, where (O3) and (O4) cancel, by Gauss: errors are below 1e-10. */
static void narrow_columns(double rho, Dual H, Dual s, Dual F, Dual *volume, Dual *moment)
{
    *volume = *moment = d6(0.0);
    for (int k = 0; k < 5; ++k) {
        const double at = gauss_x[k] * F.x, sn = sin(at), x = gauss_x[k];
        const Dual u = d6_function(F, rho * cos(at), -x * rho * sn);
        const Dual width = d6_function(F, F.x * sn * sn, sn * sn + 2.0 * F.x * x * sn * cos(at));
        const Dual part =
            d6_mul(width, d6_scale(2.0 * rho * rho * gauss_w[k], d6_add(H, d6_mul(s, u))));
        *volume = d6_add(*volume, part);
        *moment = d6_add(*moment, d6_mul(part, from_rim(rho, F, x)));
    }
}

static void columns(Floor *f)
{
    const bool up = f->az.x > 0.0; // then the lower cap is the one at -half
    const double rho = up ? f->cone->low : f->cone->high, end = up ? -f->cone->half : f->cone->half;
    const DualVec middle = d6v_add(f->r, d6v_times(end, f->axis));
    const Dual H = d6_neg(middle.z), steep = up ? f->az : d6_neg(f->az);
    if (rho <= 0.0 || H.x + rho * f->s.x <= 0.0) {
        return;
    }
    Dual F = d6(pi), size[STRIPS], u[STRIPS], in[STRIPS], depth[STRIPS], v[STRIPS], c[2];
    if (H.x < rho * f->s.x) {
        const Dual cosine = d6_div(d6_neg(H), d6_scale(rho, f->s));
        F = d6_function(cosine, acos(cosine.x), -1.0 / sqrt(1.0 - cosine.x * cosine.x));
    }
    for (int k = 0; k < STRIPS; ++k) {
        // evenly spread: exact for all of a disc (Gauss and Chebyshev)
        const double x = (k + 1.0) / (STRIPS + 1.0), at = x * F.x;
        const Dual cosine = d6_function(F, cos(at), -x * sin(at));
        const Dual sine = d6_function(F, sin(at), x * cos(at));
        u[k] = d6_scale(rho, cosine);
        in[k] = from_rim(rho, F, x);
        v[k] = d6_scale(chord_place * rho, sine); // (O5)
        depth[k] = d6_add(H, d6_mul(f->s, u[k])); // (O2)
        const Dual width =
            d6_scale(2.0 * rho * rho / (STRIPS + 1.0), d6_mul(d6_mul(sine, sine), F));
        size[k] = d6_mul(width, depth[k]);
    }
    Dual volume, moment;
    if (F.x > 0.5) {
        exact_columns(rho, H, f->s, F, &volume, &moment);
    } else {
        narrow_columns(rho, H, f->s, F, &volume, &moment);
    }
    make_exact(size, in, volume, moment, c);
    const DualVec rise = d6v_times(up ? 1.0 : -1.0, f->axis);
    for (int k = 0; k < STRIPS; ++k) {
        const Dual share = d6_mul(d6_add(c[0], d6_mul(c[1], in[k])), d6_div(f->share, steep));
        const Dual area = d6_mul(d6_div(size[k], depth[k]), share);
        for (int i = 0; i < CHORD; ++i) {
            const DualVec chord = d6v_axpy(d6_neg(u[k]), f->w, middle);
            const DualVec foot = d6v_axpy(d6_scale(i - 1.0, v[k]), f->side, chord);
            const Dual deep = d6_neg(foot.z); // that of the chord, but for an upright axis
            const DualVec p = d6v_axpy(d6_scale(0.5, d6_div(deep, steep)), rise, foot);
            const Dual part = d6_scale(chord_weight[i], d6_mul(area, deep));
            put(f, p, deep, part, d6(0.0), COLUMN_ID + CHORD * k + i);
        }
    }
}

/* The lowest point of the two rims, while the shape is above the plane. */
static void above(Floor *f, Dual depth, bool high)
{
    const double R = high ? f->cone->high : f->cone->low, t = high ? f->cone->half : -f->cone->half;
    const DualVec middle = d6v_add(f->r, d6v_times(t, f->axis));
    TmlDualTouch o = {.p = d6v_axpy(d6(-R), f->w, middle),
                      .n = d6v(v3(0, 0, 1)),
                      .depth = depth,
                      .curvature = {R > 0.0 ? d6_scale(1.0 / R, f->s) : d6(HUGE_VAL), d6(HUGE_VAL)},
                      .id = GAP_ID};
    o.p.z = d6_scale(-0.5, depth);
    tml_touch_write(&o, f->n++, f->touch, f->rate);
}

int tml_frustum_floor(const TmlFrustum *cone, const TmlPose *pose, double reach, TmlTouch *touch,
                      TmlTouchRate *rate)
{
    const TmlDualPose at = tml_dual_pose(pose);
    Floor f = {cone,           at.r,           at.axis[2],  .az = at.axis[2].z,
               .reach = reach, .touch = touch, .rate = rate};
    f.w = tml_dual_tilt(&at, tml_dual_across(f.axis));
    f.s = f.w.z;
    f.side = d6v_cross(f.axis, f.w);
    f.share = smooth_share(f.az);
    const Dual low = d6_sub(d6_scale(cone->low, f.s), d6_sub(f.r.z, d6_scale(cone->half, f.az)));
    const Dual high = d6_sub(d6_scale(cone->high, f.s), d6_add(f.r.z, d6_scale(cone->half, f.az)));
    const bool upper = high.x > low.x;
    const Dual depth = upper ? high : low;
    if (!(depth.x >= -reach)) {
        return 0;
    }
    if (depth.x <= 0.0) {
        above(&f, depth, upper);
        return f.n;
    }
    if (f.share.x < 1.0) {
        slices(&f);
    }
    if (f.share.x > 0.0) {
        columns(&f);
    }
    return f.n;
}
