/* model/wheel/tyre/tyre_touch.c - where a wheel touches the road.
 *
 * Q = (p_x, p_y, h(p)) on the road, N = (-h_x, -h_y, 1) normal to it there, c the centre, s the axle:
 *
 *   (T1)  s . (Q - c) = 0,   (s x N) . (Q - c) = 0
 *
 * Q lies in the plane of the wheel, and the line to the centre is perpendicular to the road's trace in that plane, so that Q is
 * the nearest point of the trace or another with a stationary distance. Newton's method finds it from the point below the
 * centre; its derivatives follow from (T1), with the curvature of the road.
 *
 * A disc touches where the trace is nearest to the centre. The distance is looked at on a row of points and at the edges of the
 * road; each local minimum is refined by (T1), or is an edge. When several are about as deep, the contact is their mean:
 *
 *   (T2)  weight = b(1 + (deflection - largest) / (0.02 radius)),  b(u) = u^2 (3 - 2 u) between 0 and 1
 *
 * so that the force does not jump while the wheel passes from one to the other.
 */
#include "model/wheel/tyre/tyre.h"

enum { SAMPLES = 96, MOST = 4 };

typedef struct Place {
    double x, y;
} Place;

/* The two residuals of (T1) and their Jacobian at p; values only. */
static void equations(const TmlTyre *t, TmlVec3 c, TmlVec3 s, Place p, double F[2], double J[2][2],
                      TmlRoadPoint *road)
{
    tml_road_at(t->road, p.x, p.y, road);
    const TmlVec3 N = v3(-road->x, -road->y, 1.0), q = v3_sub(v3(p.x, p.y, road->h), c);
    const TmlVec3 trace = v3_cross(s, N);
    const TmlVec3 qx = v3(1, 0, road->x), qy = v3(0, 1, road->y);
    const TmlVec3 tx = v3_cross(s, v3(-road->xx, -road->xy, 0));
    const TmlVec3 ty = v3_cross(s, v3(-road->xy, -road->yy, 0));
    F[0] = v3_dot(s, q);
    F[1] = v3_dot(trace, q);
    J[0][0] = v3_dot(s, qx);
    J[0][1] = v3_dot(s, qy);
    J[1][0] = v3_dot(tx, q) + v3_dot(trace, qx);
    J[1][1] = v3_dot(ty, q) + v3_dot(trace, qy);
}

/* (T1) from p on. False: it does not converge. */
static bool solve(const TmlTyre *t, TmlVec3 c, TmlVec3 s, Place *p)
{
    double size = HUGE_VAL;
    for (int k = 0; k < 40; ++k) {
        double F[2], J[2][2];
        TmlRoadPoint road;
        equations(t, c, s, *p, F, J, &road);
        const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
        double dx = (F[0] * J[1][1] - F[1] * J[0][1]) / det;
        double dy = (F[1] * J[0][0] - F[0] * J[1][0]) / det;
        const double step = sqrt(dx * dx + dy * dy), most = 0.5 * t->radius;
        if (!(step < HUGE_VAL)) {
            return false;
        }
        const double part = step > most ? most / step : 1.0;
        p->x -= part * dx;
        p->y -= part * dy;
        // rounding ends the iteration when the steps no longer get smaller
        if (step <= 1e-14 * t->radius || (step < 1e-9 * t->radius && step >= 0.5 * size)) {
            return true;
        }
        size = step;
    }
    return size < 1e-9 * t->radius;
}

static void finish(const TmlTyre *t, DualVec c, TmlTyreTouch *out)
{
    const DualVec arm = d6v_sub(c, out->point);
    const Dual side = d6v_dot(arm, out->normal); // below the road the wheel is pushed up as well
    const Dual length = d6v_norm(arm);
    out->radius = side.x < 0.0 ? d6_neg(length) : length;
    out->up = d6v_scale(d6_div(d6(1.0), out->radius), arm);
    out->deflection = d6_sub(d6(t->radius), out->radius);
}

/* The contact at a place that solves (T1), with its derivatives. */
static void smooth_touch(const TmlTyre *t, DualVec c, DualVec s, Place p, TmlTyreTouch *out)
{
    double F[2], J[2][2];
    TmlRoadPoint r;
    equations(t, d6v_value(c), d6v_value(s), p, F, J, &r);
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    const DualVec q = d6v_sub(d6v(v3(p.x, p.y, r.h)), c), N = d6v(v3(-r.x, -r.y, 1.0));
    const Dual F0 = d6v_dot(s, q), F1 = d6v_dot(d6v_cross(s, N), q);
    Dual x = d6(p.x), y = d6(p.y), h = d6(r.h), hx = d6(r.x), hy = d6(r.y);
    for (int k = 0; k < DUAL_VARIABLES; ++k) {
        x.g[k] = -(F0.g[k] * J[1][1] - F1.g[k] * J[0][1]) / det;
        y.g[k] = -(F1.g[k] * J[0][0] - F0.g[k] * J[1][0]) / det;
        h.g[k] = r.x * x.g[k] + r.y * y.g[k];
        hx.g[k] = r.xx * x.g[k] + r.xy * y.g[k];
        hy.g[k] = r.xy * x.g[k] + r.yy * y.g[k];
    }
    out->point = (DualVec){x, y, h};
    const DualVec normal = {d6_neg(hx), d6_neg(hy), d6(1.0)};
    out->normal = d6v_unit(normal, 0.0, v3(0, 0, 1));
    finish(t, c, out);
}

/* The contact at an edge x = constant: the normal points to the centre. */
static bool edge_touch(const TmlTyre *t, DualVec c, DualVec s, double x, TmlTyreTouch *out)
{
    const TmlVec3 S = d6v_value(s), C = d6v_value(c);
    TmlRoadPoint left, right;
    if (fabs(S.y) < 0.1) {
        return false; // the wheel runs along the edge
    }
    const double y = C.y - S.x * (x - C.x) / S.y, near = 1e-9 * t->radius;
    tml_road_at(t->road, x - near, y, &left);
    tml_road_at(t->road, x + near, y, &right);
    const double h = fmax(left.h, right.h);
    const Dual along = d6_mul(s.x, d6_sub(d6(x), c.x)), up = d6_mul(s.z, d6_sub(d6(h), c.z));
    out->point = (DualVec){d6(x), d6_sub(c.y, d6_div(d6_add(along, up), s.y)), d6(h)};
    out->normal = d6v_unit(d6v_sub(c, out->point), 0.0, v3(0, 0, 1));
    if (out->normal.z.x < 0.0) {
        return false;
    }
    finish(t, c, out);
    return true;
}

static Place below(const TmlTyre *t, TmlVec3 c, TmlVec3 s)
{
    // down in the plane of the wheel
    const TmlVec3 forward = v3_cross(s, v3(0, 0, 1)), up = v3_cross(forward, s);
    const double size = v3_norm(up);
    const double part = size > 1e-3 ? t->radius / size : 0.0;
    return (Place){c.x - part * up.x, c.y - part * up.y};
}

/* (T2) */
static void mean_touch(const TmlTyre *t, DualVec c, const TmlTyreTouch *at, int n,
                       TmlTyreTouch *out)
{
    int first = 0;
    Dual total = d6(0.0), deflection = d6(0.0);
    DualVec point = d6v(v3(0, 0, 0)), normal = point, up = point;
    for (int k = 1; k < n; ++k) {
        first = at[k].deflection.x > at[first].deflection.x ? k : first;
    }
    for (int k = 0; k < n; ++k) {
        const Dual less = d6_sub(at[k].deflection, at[first].deflection);
        const double u = 1.0 + less.x / (0.02 * t->radius);
        if (u <= 0.0) {
            continue;
        }
        const Dual w =
            d6_function(less, u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u) / (0.02 * t->radius));
        total = d6_add(total, w);
        deflection = d6_add(deflection, d6_mul(w, at[k].deflection));
        point = d6v_axpy(w, at[k].point, point);
        normal = d6v_axpy(w, at[k].normal, normal);
        up = d6v_axpy(w, at[k].up, up);
    }
    const Dual part = d6_div(d6(1.0), total);
    (void)c;
    out->deflection = d6_mul(part, deflection);
    out->radius = d6_sub(d6(t->radius), out->deflection);
    out->point = d6v_scale(part, point);
    out->normal = d6v_unit(normal, 0.0, v3(0, 0, 1));
    out->up = d6v_unit(up, 0.0, v3(0, 0, 1));
}

static double distance2(const TmlTyre *t, TmlVec3 c, double x, double y)
{
    TmlRoadPoint r;
    tml_road_at(t->road, x, y, &r);
    return (x - c.x) * (x - c.x) + (y - c.y) * (y - c.y) + (r.h - c.z) * (r.h - c.z);
}

/* All places within the disc where the trace is nearest to the centre. */
static int disc_touches(const TmlTyre *t, DualVec c, DualVec s, TmlTyreTouch out[MOST])
{
    const TmlVec3 C = d6v_value(c), S = d6v_value(s);
    const double across = sqrt(S.x * S.x + S.y * S.y), reach = 1.05 * t->radius;
    const double tx = S.y / across, ty = -S.x / across, step = 2.0 * reach / SAMPLES;
    double d[SAMPLES + 1], edge[2 * MOST];
    int n = 0, n_edges = 0;
    if (!(across > 0.1)) {
        return 0;
    }
    for (int k = 0; k <= SAMPLES; ++k) {
        const double a = -reach + step * k;
        d[k] = distance2(t, C, C.x + a * tx, C.y + a * ty);
    }
    if (t->road != NULL && t->road->type->edges != NULL) {
        n_edges = t->road->type->edges(t->road->data, C.x - reach * fabs(tx),
                                       C.x + reach * fabs(tx), 2 * MOST, edge);
    }
    for (int k = 1; k < SAMPLES && n < MOST; ++k) {
        if (!(d[k] <= d[k - 1] && d[k] < d[k + 1])) {
            continue;
        }
        const double a = -reach + step * k;
        Place p = {C.x + a * tx, C.y + a * ty};
        const Place from = p;
        if (solve(t, C, S, &p) && hypot(p.x - from.x, p.y - from.y) < 2.0 * step) {
            smooth_touch(t, c, s, p, &out[n]);
            n += out[n].radius.x > 0.0 ? 1 : 0;
        }
    }
    for (int k = 0; k < n_edges && n < MOST;
         ++k) { // an edge counts where it is nearer than both sides of it
        const double a = (edge[k] - C.x) / (fabs(tx) > 1e-9 ? tx : 1e-9), y = C.y + a * ty;
        if (edge_touch(t, c, s, edge[k], &out[n])) {
            const double r2 = out[n].radius.x * out[n].radius.x, off = 0.25 * step;
            n += r2 <= distance2(t, C, edge[k] - off, y) && r2 <= distance2(t, C, edge[k] + off, y)
                     ? 1
                     : 0;
        }
    }
    return n;
}

void tml_tyre_touch(const TmlTyre *t, DualVec c, DualVec s, TmlTyreTouch *out)
{
    const TmlVec3 C = d6v_value(c), S = d6v_value(s);
    TmlTyreTouch at[MOST];
    const int n = t->contact == TYRE_DISC ? disc_touches(t, c, s, at) : 0;
    if (n == 1) {
        *out = at[0];
        return;
    }
    if (n > 1) {
        mean_touch(t, c, at, n, out);
        return;
    }
    Place p = below(t, C, S);
    const Place start = p;
    if (!solve(t, C, S, &p)) {
        p = start; // a wheel on its side, or a road that is too rough for a point: the place below it
    }
    smooth_touch(t, c, s, p, out);
}
