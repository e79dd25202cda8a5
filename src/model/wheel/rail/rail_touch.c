/* model/wheel/rail/rail_touch.c - where a wheel touches a rail.
 *
 * The wheel is a surface of revolution about its axle e: of its profile (Y, Z) at s, R = radius - Z.
 * The rail is straight along x over the length of a contact. Seen along x the wheel has an outline, the
 * envelope of its circles: with h = sqrt(1 - e_x^2), d = (0, e_z, -e_y) / h, f = (h, -e_x e_y / h, -e_x e_z / h)
 *
 *   (W1)  rho = d cos(theta) + f sin(theta),  sin(theta) = -(Z' / Y') e_x / h
 *   (W2)  q = c + Y e + R rho,  outward normal N = Y' rho + Z' e,  N_x = 0
 *
 * which leaves two plane curves, q(s) and the rail p(sigma) with tangent t and normal n. They are
 * nearest where
 *
 *   (W3)  (q - p) . t = 0,  N . t = 0,   gap g = (q - p) . n
 *
 * N . t has the sign of dg/ds. A scan over points of the wheel finds all minima and the maxima between;
 * (W3) is then solved in brackets and by Newton. Derivatives by the place x follow from the implicit
 * function, dy = -F_y^-1 F_x dx, all in dual numbers. Two minima of depths d_i, d_j with the depth d_s at
 * the maximum between them are one contact as far as they overlap there:
 *
 *   (W4)  w_i = 1 - m (d_j - d_s) / (d_i + d_j - 2 d_s),  m = r^2 (3 - 2 r),  r = d_s / min(d_i, d_j)
 *
 * r is 0 where the surfaces part between them. Where one of them vanishes into the maximum, d_i = d_s, its weight is
 * 0 and that of the other 1: forces neither jump nor count twice.
 */
#include "model/wheel/rail/rail_touch.h"

#include <math.h>

/* The outline ends where a circle of the wheel would touch this far ahead, as a sine. */
static const double farthest = 0.7;
/* Minima of the scan are looked at when their gap is not larger than what a point of the scan can be
 * off, m. */
static const double scan_margin = 1e-5;

/* Wheels without a flange may be lifted by this much, m. */
static const double least_flange = 0.02;
/* A wheel that covers its rail by less than this, m, is off it. */
static const double least_cover = 0.005;

static void sample(const TmlRailProfile *p, double *s, double (*at)[4])
{
    const double length = tml_rail_profile_length(p);
    for (int i = 0; i < RAIL_SAMPLES; ++i) {
        double d[3][2];
        s[i] = length * i / (RAIL_SAMPLES - 1);
        tml_rail_profile_at(p, s[i], d);
        for (int k = 0; k < 4; ++k) {
            at[i][k] = d[k / 2][k % 2];
        }
    }
}

void tml_rail_pair_prepare(const TmlRailProfile *wheel, const TmlRailProfile *rail, double radius,
                           TmlRailPair *pair)
{
    *pair = (TmlRailPair){.wheel = wheel, .rail = rail, .radius = radius};
    sample(wheel, pair->ws, pair->wp);
    sample(rail, pair->rs, pair->rp);
    for (int i = 0; i < RAIL_SAMPLES; ++i) {
        pair->rk[i] = tml_rail_profile_curvature(rail, pair->rs[i]);
    }
    pair->flange = least_flange;
    pair->top = -HUGE_VAL;
    pair->wheel_y[0] = pair->rail_y[0] = HUGE_VAL;
    pair->wheel_y[1] = pair->rail_y[1] = -HUGE_VAL;
    for (int i = 0; i < RAIL_SAMPLES; ++i) {
        pair->flange = fmax(pair->flange, -pair->wp[i][1]);
        pair->top = fmax(pair->top, pair->rp[i][1]);
        pair->wheel_y[0] = fmin(pair->wheel_y[0], pair->wp[i][0]);
        pair->wheel_y[1] = fmax(pair->wheel_y[1], pair->wp[i][0]);
        pair->rail_y[0] = fmin(pair->rail_y[0], pair->rp[i][0]);
        pair->rail_y[1] = fmax(pair->rail_y[1], pair->rp[i][0]);
    }
}

Dual tml_rail_hold(const TmlRailPair *pair, const Dual place[RAIL_PLACE])
{
    const Dual y = place[RAIL_CY];
    const Dual in = d6_linear(pair->wheel_y[1] - pair->rail_y[0] - least_cover, 1.0, y);
    const Dual out = d6_linear(pair->rail_y[1] - pair->wheel_y[0] - least_cover, -1.0, y);
    const Dual up = d6_linear(pair->flange + pair->radius + pair->top, -1.0, place[RAIL_CZ]);
    const Dual side = in.x < out.x ? in : out;
    return side.x < up.x ? side : up;
}

/* --- plain numbers: the search --------------------------------------------------------------- */

typedef struct Outline {
    double c[2], e[3], h, d[2], f[2], radius;
} Outline;

static Outline outline_of(const TmlRailPair *pair, const double x[RAIL_PLACE])
{
    Outline o = {.c = {x[RAIL_CY], x[RAIL_CZ]},
                 .e = {x[RAIL_EX], x[RAIL_EY], x[RAIL_EZ]},
                 .radius = pair->radius};
    o.h = sqrt(o.e[1] * o.e[1] + o.e[2] * o.e[2]);
    o.d[0] = o.e[2] / o.h;
    o.d[1] = -o.e[1] / o.h;
    o.f[0] = -o.e[0] * o.e[1] / o.h;
    o.f[1] = -o.e[0] * o.e[2] / o.h;
    return o;
}

/* q and N of (W2) from a profile's point y, z and slopes. False: no outline there. */
static bool outline_at(const Outline *o, const double w[4], double q[2], double N[2])
{
    const double need = -w[3] * o->e[0];
    if (fabs(need) > farthest * o->h * fabs(w[2])) {
        return false;
    }
    const double sine = need != 0.0 ? need / (w[2] * o->h) : 0.0, cosine = sqrt(1.0 - sine * sine);
    for (int k = 0; k < 2; ++k) {
        const double rho = cosine * o->d[k] + sine * o->f[k];
        q[k] = o->c[k] + w[0] * o->e[1 + k] + (o->radius - w[1]) * rho;
        N[k] = w[2] * rho + w[3] * o->e[1 + k];
    }
    return true;
}

/* The next point of the rail from the sample j; s of it. */
static double foot(const TmlRailPair *pair, const double q[2], double s, double t[2], double *gap)
{
    double d[3][2];
    for (int k = 0; k < 8; ++k) {
        tml_rail_profile_at(pair->rail, s, d);
        const double x = q[0] - d[0][0], y = q[1] - d[0][1];
        const double slope = d[1][0] * d[1][0] + d[1][1] * d[1][1] - x * d[2][0] - y * d[2][1];
        const double step = (x * d[1][0] + y * d[1][1]) / slope;
        s += step;
        if (fabs(step) < 1e-15) {
            break;
        }
    }
    tml_rail_profile_at(pair->rail, s, d);
    const double speed = hypot(d[1][0], d[1][1]);
    t[0] = d[1][0] / speed;
    t[1] = d[1][1] / speed;
    *gap = (q[1] - d[0][1]) * t[0] - (q[0] - d[0][0]) * t[1];
    return s;
}

typedef struct Scan {
    double gap[RAIL_SAMPLES]; /* of each point of the wheel; infinite: none */
    int near[RAIL_SAMPLES];   /* the point of the rail */
} Scan;

static double apart2(const double a[2], const double b[2])
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

/* Gap of a point q at the point j of the rail, to second order. */
static double scan_gap(const TmlRailPair *pair, const double q[2], int j)
{
    const double *r = pair->rp[j], speed = hypot(r[2], r[3]);
    const double x = q[0] - r[0], y = q[1] - r[1];
    const double along = (x * r[2] + y * r[3]) / speed;
    if ((j == 0 && along < 0.0) || (j == RAIL_SAMPLES - 1 && along > 0.0)) {
        return HUGE_VAL; // beyond the edge
    }
    return (y * r[2] - x * r[3]) / speed + 0.5 * pair->rk[j] * along * along;
}

/* The gaps of points from first to last. j: a point of the rail near the first, below 0: it is looked for. */
static void scan_points(const TmlRailPair *pair, const Outline *o, int first, int last, int j,
                        Scan *out)
{
    for (int i = first; i <= last; ++i) {
        double q[2], N[2];
        out->gap[i] = HUGE_VAL;
        out->near[i] = j;
        if (!outline_at(o, pair->wp[i], q, N)) {
            continue;
        }
        if (j < 0) { // the first one is looked for everywhere
            j = 0;
            for (int k = 1; k < RAIL_SAMPLES; ++k) {
                j = apart2(q, pair->rp[k]) < apart2(q, pair->rp[j]) ? k : j;
            }
        }
        while (j + 1 < RAIL_SAMPLES && apart2(q, pair->rp[j + 1]) < apart2(q, pair->rp[j])) {
            ++j;
        }
        while (j > 0 && apart2(q, pair->rp[j - 1]) < apart2(q, pair->rp[j])) {
            --j;
        }
        out->near[i] = j;
        out->gap[i] = scan_gap(pair, q, j);
    }
}

static void scan(const TmlRailPair *pair, const Outline *o, Scan *out)
{
    scan_points(pair, o, 0, RAIL_SAMPLES - 1, -1, out);
}

/* N . t of (W3) at s of the wheel, with the foot on the rail, which starts at *sigma. */
static double slope_at(const TmlRailPair *pair, const Outline *o, double s, double *sigma)
{
    double d[3][2], q[2], N[2], t[2], gap;
    tml_rail_profile_at(pair->wheel, s, d);
    const double w[4] = {d[0][0], d[0][1], d[1][0], d[1][1]};
    if (!outline_at(o, w, q, N)) {
        return (double)NAN;
    }
    *sigma = foot(pair, q, *sigma, t, &gap);
    return N[0] * t[0] + N[1] * t[1];
}

/* The zero of N . t between two points of the scan; `sign` 1 at a minimum, -1 at a maximum. Without a change
 * of sign the point of the scan stays, and false tells so. */
static bool bracket(const TmlRailPair *pair, const Outline *o, const Scan *sc, int i, double sign,
                    double *s, double *sigma)
{
    double a = pair->ws[i > 0 ? i - 1 : 0], b = pair->ws[i < RAIL_SAMPLES - 1 ? i + 1 : i];
    *s = pair->ws[i];
    *sigma = pair->rs[sc->near[i]];
    double sig = *sigma;
    double fa = sign * slope_at(pair, o, a, &sig), fb = sign * slope_at(pair, o, b, &sig);
    if (!(fa <= 0.0 && fb >= 0.0)) {
        slope_at(pair, o, *s, sigma);
        return false;
    }
    double x = a;
    int kept = 0; // the end that has not moved (Illinois)
    for (int k = 0; k < 60 && b - a > 1e-15; ++k) {
        x = fb > fa ? (a * fb - b * fa) / (fb - fa) : 0.5 * (a + b);
        x = x > a && x < b ? x : 0.5 * (a + b);
        const double fx = sign * slope_at(pair, o, x, &sig);
        if (fabs(fx) < 1e-15) {
            break;
        }
        if (fx < 0.0) {
            a = x, fa = fx;
            fb *= kept == 1 ? 0.5 : 1.0;
            kept = 1;
        } else {
            b = x, fb = fx;
            fa *= kept == -1 ? 0.5 : 1.0;
            kept = -1;
        }
    }
    *s = x;
    *sigma = sig;
    return true;
}

/* --- dual numbers: the contact and its derivatives --------------------------------------------- */

static Dual hypot6(Dual a, Dual b)
{
    return d6_sqrt(d6_add(d6_mul(a, a), d6_mul(b, b)));
}

static Dual dot2(const Dual a[2], const Dual b[2])
{
    return d6_add(d6_mul(a[0], b[0]), d6_mul(a[1], b[1]));
}

/* (W1) to (W3); F are the two equations. */
static void evaluate(const TmlRailPair *pair, const Dual x[RAIL_PLACE], Dual s, Dual sigma,
                     TmlRailTouch *o, Dual F[2])
{
    Dual w[2], dw[2], p[2], dp[2], kw, kr, q[2], N[2];
    tml_rail_profile_dual(pair->wheel, s, w, dw, &kw);
    tml_rail_profile_dual(pair->rail, sigma, p, dp, &kr);
    const Dual *e = x + RAIL_EX, h = hypot6(e[1], e[2]);
    const Dual sine = d6_neg(d6_div(d6_mul(dw[1], e[0]), d6_mul(dw[0], h)));
    const Dual cosine = d6_sqrt(d6_linear(1.0, -1.0, d6_mul(sine, sine)));
    const Dual d[2] = {d6_div(e[2], h), d6_neg(d6_div(e[1], h))};
    const Dual R = d6_linear(pair->radius, -1.0, w[1]);
    for (int k = 0; k < 2; ++k) {
        const Dual f = d6_neg(d6_div(d6_mul(e[0], e[1 + k]), h));
        const Dual rho = d6_add(d6_mul(cosine, d[k]), d6_mul(sine, f));
        q[k] = d6_add(x[RAIL_CY + k], d6_add(d6_mul(w[0], e[1 + k]), d6_mul(R, rho)));
        N[k] = d6_add(d6_mul(dw[0], rho), d6_mul(dw[1], e[1 + k]));
    }
    const Dual speed = hypot6(dp[0], dp[1]), t[2] = {d6_div(dp[0], speed), d6_div(dp[1], speed)};
    const Dual n[2] = {d6_neg(t[1]), t[0]}, way[2] = {d6_sub(q[0], p[0]), d6_sub(q[1], p[1])};
    F[0] = dot2(way, t);
    F[1] = dot2(N, t);
    // circles of the wheel are inclined by the angle of its profile: Meusnier
    const Dual tilt = d6_div(dw[0], hypot6(dw[0], dw[1]));
    *o = (TmlRailTouch){.depth = d6_neg(dot2(way, n)),
                        .weight = d6(1.0),
                        .x = d6_add(d6_mul(w[0], e[0]), d6_mul(R, d6_mul(sine, h))),
                        .y = q[0],
                        .z = q[1],
                        .ny = n[0],
                        .nz = n[1],
                        .kx = d6_div(tilt, R),
                        .ky = d6_sub(kr, kw),
                        .wheel = s,
                        .rail = sigma,
                        .radius = R};
}

/* Polish s and sigma by Newton and give everything its derivatives. stays: s is left as it is. */
static void finish(const TmlRailPair *pair, const double place[RAIL_PLACE], double s, double sigma,
                   bool stays, TmlRailTouch *out)
{
    Dual x[RAIL_PLACE], F[2];
    double a = 0, b = 0, c = 0, d = 0, det = 1;
    for (int k = 0; k < RAIL_PLACE; ++k) {
        x[k] = d6(place[k]);
    }
    for (int k = 0; k < 4; ++k) {
        Dual y[2] = {d6(s), d6(sigma)};
        y[0].g[0] = y[1].g[1] = 1.0;
        evaluate(pair, x, y[0], y[1], out, F);
        a = stays ? 0.0 : F[0].g[0], b = F[0].g[1], c = stays ? 1.0 : F[1].g[0],
        d = stays ? 0.0 : F[1].g[1];
        det = a * d - b * c;
        const double r = stays ? 0.0 : F[1].x;
        s -= (d * F[0].x - b * r) / det;
        sigma -= (a * r - c * F[0].x) / det;
    }
    for (int k = 0; k < RAIL_PLACE; ++k) {
        x[k].g[k] = 1.0;
    }
    Dual y[2] = {d6(s), d6(sigma)};
    evaluate(pair, x, y[0], y[1], out, F);
    for (int k = 0; k < RAIL_PLACE; ++k) {
        const double r = stays ? 0.0 : F[1].g[k];
        y[0].g[k] = -(d * F[0].g[k] - b * r) / det;
        y[1].g[k] = -(a * r - c * F[0].g[k]) / det;
    }
    evaluate(pair, x, y[0], y[1], out, F);
}

/* --- several contacts --------------------------------------------------------------------------- */

/* (W4) for two contacts with this depth between them. */
static void share(TmlRailTouch *a, TmlRailTouch *b, Dual between)
{
    if (!(between.x > 0.0 && a->depth.x > 0.0 && b->depth.x > 0.0)) {
        return;
    }
    const Dual r = d6_div(between, a->depth.x < b->depth.x ? a->depth : b->depth);
    const Dual m = r.x < 1.0 ? d6_mul(d6_mul(r, r), d6_linear(3.0, -2.0, r)) : d6(1.0);
    const Dual pa = d6_sub(a->depth, between), pb = d6_sub(b->depth, between);
    const Dual sum =
        d6_add(d6_linear(1e-12, 1.0, pa), pb); // a picometre against two that vanish at once
    a->weight = d6_mul(a->weight, d6_linear(1.0, -1.0, d6_mul(m, d6_div(pb, sum))));
    b->weight = d6_mul(b->weight, d6_linear(1.0, -1.0, d6_mul(m, d6_div(pa, sum))));
}

/* The depth at the maximum of the gap between two points of the scan. */
static Dual depth_between(const TmlRailPair *pair, const Outline *o, const Scan *sc,
                          const double *place, int from, int to)
{
    int top = from;
    for (int i = from; i <= to; ++i) {
        top = sc->gap[i] > sc->gap[top] ? i : top;
    }
    if (sc->gap[top] > scan_margin) {
        return d6(0.0);
    }
    double s, sigma;
    const bool found = bracket(pair, o, sc, top, -1.0, &s, &sigma);
    TmlRailTouch touch;
    finish(pair, place, s, sigma, !found, &touch);
    return touch.depth;
}

static int merge(const TmlRailPair *pair, const Outline *o, const Scan *sc, const double *place,
                 int n, const int *at, TmlRailTouch *out)
{
    for (int i = 0; i < n; ++i) {
        Dual least = d6(HUGE_VAL);
        for (int j = i + 1; j < n; ++j) {
            const Dual between = depth_between(pair, o, sc, place, at[j - 1], at[j]);
            least = between.x < least.x ? between : least;
            share(&out[i], &out[j], least);
        }
    }
    return n;
}

int tml_rail_touches(const TmlRailPair *pair, const double place[RAIL_PLACE], double gap,
                     TmlRailTouch out[RAIL_TOUCHES])
{
    const Outline o = outline_of(pair, place);
    Scan sc;
    int n = 0, at[RAIL_TOUCHES];
    bool above = false;
    scan(pair, &o, &sc);
    for (int i = 1; i < RAIL_SAMPLES - 1; ++i) {
        above = above || isfinite(sc.gap[i]);
        const bool least = sc.gap[i] < sc.gap[i - 1] && sc.gap[i] <= sc.gap[i + 1] &&
                           isfinite(sc.gap[i - 1]) && isfinite(sc.gap[i + 1]);
        if (!least || sc.gap[i] > gap + scan_margin || n == RAIL_TOUCHES) {
            continue;
        }
        double s, sigma;
        const bool found = bracket(pair, &o, &sc, i, 1.0, &s, &sigma);
        finish(pair, place, s, sigma, !found, &out[n]);
        at[n] = i;
        n += out[n].depth.x > -gap;
    }
    return above ? merge(pair, &o, &sc, place, n, at, out) : -1;
}

bool tml_rail_deepest(const TmlRailPair *pair, const double place[RAIL_PLACE], TmlRailTouch *out)
{
    const Outline o = outline_of(pair, place);
    Scan sc;
    scan(pair, &o, &sc);
    double least = HUGE_VAL;
    bool any = false;
    for (int i = 1; i < RAIL_SAMPLES - 1; ++i) {
        if (!(sc.gap[i] < HUGE_VAL) || sc.gap[i] > least + scan_margin ||
            sc.gap[i] > sc.gap[i - 1] || sc.gap[i] > sc.gap[i + 1] || !(sc.gap[i - 1] < HUGE_VAL) ||
            !(sc.gap[i + 1] < HUGE_VAL)) {
            continue;
        }
        double s, sigma;
        TmlRailTouch touch;
        const bool found = bracket(pair, &o, &sc, i, 1.0, &s, &sigma);
        finish(pair, place, s, sigma, !found, &touch);
        if (-touch.depth.x < least) {
            least = -touch.depth.x;
            *out = touch;
            any = true;
        }
    }
    return any;
}

bool tml_rail_near(const TmlRailPair *pair, const double place[RAIL_PLACE], double from,
                   TmlRailTouch *out)
{
    enum { LOOK = 4 }; // points to each side: rounded profiles have small minima of their own
    if (from < 0.0) {
        return tml_rail_deepest(pair, place, out);
    }
    const Outline o = outline_of(pair, place);
    const double length = pair->ws[RAIL_SAMPLES - 1];
    int at = (int)(from / length * (RAIL_SAMPLES - 1) + 0.5), low = RAIL_SAMPLES, high = -1;
    Scan sc;
    at = at < 1 ? 1 : at > RAIL_SAMPLES - 2 ? RAIL_SAMPLES - 2 : at;
    for (int best = -1; best != at;) { // each round goes to a smaller gap, so that it ends
        const int first = at > LOOK ? at - LOOK : 0;
        const int last = at + LOOK < RAIL_SAMPLES ? at + LOOK : RAIL_SAMPLES - 1;
        if (high < 0) {
            scan_points(pair, &o, first, last, -1, &sc);
            low = first, high = last;
        }
        if (first < low) {
            scan_points(pair, &o, first, low - 1, sc.near[low], &sc);
            low = first;
        }
        if (last > high) {
            scan_points(pair, &o, high + 1, last, sc.near[high], &sc);
            high = last;
        }
        best = at;
        for (int i = first; i <= last; ++i) {
            at = sc.gap[i] < sc.gap[at] ? i : at;
        }
    }
    if (!(sc.gap[at] < HUGE_VAL) || at == 0 || at == RAIL_SAMPLES - 1) {
        return false;
    }
    double s, sigma;
    const bool found = bracket(pair, &o, &sc, at, 1.0, &s, &sigma);
    finish(pair, place, s, sigma, !found, out);
    return true;
}
