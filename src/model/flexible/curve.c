/* model/flexible/curve.c - lines, arcs and splines by arc length.
 *
 *   (C1)  spline in the chord u:  h_k B_k + 2 (h_k + h_k+1) B_k+1 + h_k+1 B_k+2
 *         = 6 ((p_k+2 - p_k+1)/h_k+1 - (p_k+1 - p_k)/h_k),   B = 0 at both ends
 *   (C2)  u at arc length s: Newton on the integral of |r'(u)|, five Gauss points a knot interval
 *         halved four times
 *   (C3)  y' = y - (b.y) (a + b) / (1 + a.b)      the least rotation from a to b, y across a
 */
#include "model/flexible/curve.h"

#include "math/vec3.h"

#include <math.h>

TmlCurve tml_curve_line(TmlVec3 from, TmlVec3 to)
{
    const TmlVec3 d = v3_sub(to, from);
    const double length = v3_norm(d);
    return (TmlCurve){.kind = TML_CURVE_LINE,
                      .length = length,
                      .start = from,
                      .along = length > 0.0 ? v3_scale(1.0 / length, d) : v3(0, 0, 0)};
}

TmlCurve tml_curve_arc(TmlVec3 centre, TmlVec3 start, TmlVec3 axis, double angle)
{
    const TmlVec3 n = v3_scale(angle < 0.0 ? -1.0 : 1.0, v3_unit(axis));
    const TmlVec3 s = v3_sub(start, centre), radial = v3_axpy(-v3_dot(s, n), n, s);
    const double radius = v3_norm(radial);
    return (TmlCurve){.kind = TML_CURVE_ARC,
                      .length = radius * fabs(angle),
                      .start = start,
                      .along = radius > 0.0 ? v3_cross(n, v3_unit(radial)) : v3(0, 0, 0),
                      .centre = v3_sub(start, radial),
                      .axis = n,
                      .radius = radius};
}

/* First derivative of the spline by the chord in interval k, d from its first knot. */
static TmlVec3 spline_slope(const TmlCurve *c, int k, double d)
{
    const double h = c->knot[k + 1] - c->knot[k], e = h - d;
    TmlVec3 v = v3_scale(1.0 / h, v3_sub(c->point[k + 1], c->point[k]));
    v = v3_axpy(h / 6.0 - e * e / (2.0 * h), c->bend[k], v);
    return v3_axpy(d * d / (2.0 * h) - h / 6.0, c->bend[k + 1], v);
}

static TmlVec3 spline_point(const TmlCurve *c, int k, double d)
{
    const double h = c->knot[k + 1] - c->knot[k], e = h - d;
    TmlVec3 r = v3_axpy(e / h, c->point[k], v3_scale(d / h, c->point[k + 1]));
    r = v3_axpy(e * (e * e / h - h) / 6.0, c->bend[k], r);
    return v3_axpy(d * (d * d / h - h) / 6.0, c->bend[k + 1], r);
}

/* Arc length of interval k from its first knot to d. */
static double spline_arc(const TmlCurve *c, int k, double d)
{
    static const double x[5] = {-0.90617984593866399, -0.53846931010568309, 0.0,
                                0.53846931010568309, 0.90617984593866399};
    static const double w[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                0.47862867049936647, 0.23692688505618909};
    enum { PARTS = 16 };
    double sum = 0.0;
    for (int p = 0; p < PARTS; ++p) {
        for (int i = 0; i < 5; ++i) {
            const double at = d * (p + 0.5 * (1.0 + x[i])) / PARTS;
            sum += 0.5 * w[i] * d / PARTS * v3_norm(spline_slope(c, k, at));
        }
    }
    return sum;
}

/* (C1) by elimination; diagonal: n numbers of scratch. */
static void spline_bends(int n, const TmlVec3 *p, const double *knot, double *diagonal, TmlVec3 *B)
{
    B[0] = B[n - 1] = v3(0, 0, 0);
    for (int k = 1; k + 1 < n; ++k) {
        const double h0 = knot[k] - knot[k - 1], h1 = knot[k + 1] - knot[k];
        const TmlVec3 slopes =
            v3_axpy(-1.0 / h0, v3_sub(p[k], p[k - 1]), v3_scale(1.0 / h1, v3_sub(p[k + 1], p[k])));
        const double f = k > 1 ? h0 / diagonal[k - 1] : 0.0;
        diagonal[k] = 2.0 * (h0 + h1) - f * h0;
        B[k] = v3_axpy(-f, B[k - 1], v3_scale(6.0, slopes));
    }
    for (int k = n - 2; k >= 1; --k) {
        B[k] = v3_scale(1.0 / diagonal[k], v3_axpy(-(knot[k + 1] - knot[k]), B[k + 1], B[k]));
    }
}

TmlStatus tml_curve_spline(int n, const TmlVec3 *point, TmlArena *arena, TmlCurve *out,
                           TmlError *err)
{
    double *knot, *arc, *diagonal;
    TmlVec3 *bend, *copy;
    TML_NEW(arena, knot, n);
    TML_NEW(arena, arc, n);
    TML_NEW(arena, diagonal, n);
    TML_NEW(arena, bend, n);
    TML_NEW(arena, copy, n);
    for (int k = 0; k < n; ++k) {
        copy[k] = point[k];
        knot[k] = k > 0 ? knot[k - 1] + v3_norm(v3_sub(point[k], point[k - 1])) : 0.0;
    }
    spline_bends(n, point, knot, diagonal, bend);
    *out = (TmlCurve){.kind = TML_CURVE_SPLINE,
                      .start = point[0],
                      .n = n,
                      .point = copy,
                      .bend = bend,
                      .knot = knot,
                      .arc = arc};
    for (int k = 0; k + 1 < n; ++k) {
        arc[k + 1] = arc[k] + spline_arc(out, k, knot[k + 1] - knot[k]);
    }
    out->length = arc[n - 1];
    out->along = v3_unit(spline_slope(out, 0, 0.0));
    return TML_OK;
}

/* (C2) */
static void spline_at(const TmlCurve *c, double s, TmlVec3 *r, TmlVec3 *tangent)
{
    int k = 0;
    while (k + 2 < c->n && s > c->arc[k + 1]) {
        ++k;
    }
    const double h = c->knot[k + 1] - c->knot[k], part = c->arc[k + 1] - c->arc[k];
    double d = h * (s - c->arc[k]) / part;
    for (int i = 0; i < 30; ++i) {
        const double miss = spline_arc(c, k, d) - (s - c->arc[k]);
        d -= miss / v3_norm(spline_slope(c, k, d));
        if (fabs(miss) < 1e-15 * c->length) {
            break;
        }
    }
    *r = spline_point(c, k, d);
    *tangent = v3_unit(spline_slope(c, k, d));
}

void tml_curve_at(const TmlCurve *c, double s, TmlVec3 *r, TmlVec3 *tangent)
{
    switch (c->kind) {
    case TML_CURVE_LINE:
        *r = v3_axpy(s, c->along, c->start);
        *tangent = c->along;
        break;
    case TML_CURVE_ARC: {
        const double angle = s / c->radius, cs = cos(angle), sn = sin(angle);
        const TmlVec3 out = v3_scale(1.0 / c->radius, v3_sub(c->start, c->centre));
        *r = v3_axpy(c->radius, v3_axpy(cs, out, v3_scale(sn, c->along)), c->centre);
        *tangent = v3_axpy(-sn, out, v3_scale(cs, c->along));
        break;
    }
    case TML_CURVE_SPLINE:
    default:
        spline_at(c, s, r, tangent);
        break;
    }
}

TmlVec3 tml_curve_carry(TmlVec3 y, TmlVec3 a, TmlVec3 b)
{
    const TmlVec3 z = v3_axpy(-v3_dot(b, y) / (1.0 + v3_dot(a, b)), v3_add(a, b), y); // (C3)
    return v3_unit(v3_axpy(-v3_dot(z, b), b, z));
}
