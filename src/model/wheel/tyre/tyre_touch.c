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
 *
 * A plane through four points of the road, as TMeasy has it (Rill, Road Vehicle Dynamics): with z up, e_x along s x z, e_y = z x e_x,
 * e_z = e_x x s, and the point c - R e_z below the centre, the points are Q_1,2 half a footprint's length before and behind it, Q_3,4
 * half a width to both sides, on the road:
 *
 *   (T3)  N along (Q_1 - Q_2) x (Q_3 - Q_4),  Q_0 their mean,  up along (s x N) x s,  l = N . (c - Q_0) / (N . up)
 *
 * It asks for heights and slopes only, so that it is smooth where the road is once differentiable, and has kinks, but no jumps, where the
 * road has edges.
 */
#include "model/wheel/tyre/tyre.h"

enum { SAMPLES = 96, MOST = 4, MOST_EDGES = 64 };

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
    out->friction = r.friction;
    const DualVec normal = {d6_neg(hx), d6_neg(hy), d6(1.0)};
    out->normal = d6v_unit(normal, 0.0, v3(0, 0, 1));
    finish(t, c, out);
}

/* The contact at an edge, where it crosses the plane of the wheel; the normal points to the centre. */
static bool edge_touch(const TmlTyre *t, DualVec c, DualVec s, const TmlRoadEdge *edge,
                       TmlTyreTouch *out)
{
    const Dual along = d6v_dot(s, d6v(edge->along));
    if (fabs(along.x) < 0.1) {
        return false; // the wheel runs along the edge
    }
    const Dual way = d6_div(d6v_dot(s, d6v_sub(c, d6v(edge->at))), along);
    out->point = d6v_axpy(way, d6v(edge->along), d6v(edge->at));
    out->normal = d6v_unit(d6v_sub(c, out->point), 0.0, v3(0, 0, 1));
    if (out->normal.z.x < 0.0) {
        return false;
    }
    TmlRoadPoint road;
    tml_road_at(t->road, out->point.x.x, out->point.y.x, &road);
    out->friction = road.friction;
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
    double friction = 0.0;
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
        friction += w.x * at[k].friction;
    }
    const Dual part = d6_div(d6(1.0), total);
    (void)c;
    out->friction = part.x * friction;
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

/* The trace of the disc on the plane of the road. */
typedef struct Trace {
    TmlVec3 c;
    double tx, ty, reach, step;
} Trace;

/* Minima of the distance between edges, by the row of points d. */
static int smooth_touches(const TmlTyre *t, DualVec c, DualVec s, const Trace *trace,
                          const double *d, TmlTyreTouch out[MOST])
{
    const TmlVec3 C = trace->c, S = d6v_value(s);
    int n = 0;
    for (int k = 1; k < SAMPLES && n < MOST; ++k) {
        if (!(d[k] <= d[k - 1] && d[k] < d[k + 1])) {
            continue;
        }
        const double a = -trace->reach + trace->step * k;
        Place p = {C.x + a * trace->tx, C.y + a * trace->ty};
        const Place from = p;
        if (solve(t, C, S, &p) && hypot(p.x - from.x, p.y - from.y) < 2.0 * trace->step) {
            smooth_touch(t, c, s, p, &out[n]);
            n += out[n].radius.x > 0.0 ? 1 : 0;
        }
    }
    return n;
}

/* Edges that are nearer to the centre than both sides of them. */
static int edge_touches(const TmlTyre *t, DualVec c, DualVec s, const Trace *trace, int n,
                        TmlTyreTouch out[MOST])
{
    const TmlVec3 C = trace->c;
    const double ax = trace->reach * trace->tx, ay = trace->reach * trace->ty;
    const double from[2] = {C.x - ax, C.y - ay}, to[2] = {C.x + ax, C.y + ay};
    const double off = 0.25 * trace->step;
    TmlRoadEdge edge[MOST_EDGES];
    const int n_edges = t->road != NULL && t->road->type->edges != NULL
                            ? t->road->type->edges(t->road->data, from, to, MOST_EDGES, edge)
                            : 0;
    for (int k = 0; k < n_edges && n < MOST; ++k) {
        if (edge_touch(t, c, s, &edge[k], &out[n])) {
            const double r2 = out[n].radius.x * out[n].radius.x;
            const double x = out[n].point.x.x, y = out[n].point.y.x;
            n += r2 <= distance2(t, C, x - off * trace->tx, y - off * trace->ty) &&
                         r2 <= distance2(t, C, x + off * trace->tx, y + off * trace->ty)
                     ? 1
                     : 0;
        }
    }
    return n;
}

/* All places within the disc where the trace is nearest to the centre. */
static int disc_touches(const TmlTyre *t, DualVec c, DualVec s, TmlTyreTouch out[MOST])
{
    const TmlVec3 C = d6v_value(c), S = d6v_value(s);
    const double across = sqrt(S.x * S.x + S.y * S.y), reach = 1.05 * t->radius;
    const Trace trace = {C, S.y / across, -S.x / across, reach, 2.0 * reach / SAMPLES};
    double d[SAMPLES + 1];
    if (!(across > 0.1)) {
        return 0;
    }
    for (int k = 0; k <= SAMPLES; ++k) {
        const double a = -reach + trace.step * k;
        d[k] = distance2(t, C, C.x + a * trace.tx, C.y + a * trace.ty);
    }
    const int n = smooth_touches(t, c, s, &trace, d, out);
    return edge_touches(t, c, s, &trace, n, out);
}

/* A point of the road at a place that moves. */
static DualVec on_road(const TmlTyre *t, Dual x, Dual y, double *friction)
{
    TmlRoadPoint r;
    tml_road_at(t->road, x.x, y.x, &r);
    *friction += 0.25 * r.friction;
    return (DualVec){x, y, d6_function2(x, y, r.h, r.x, r.y)};
}

/* (T3); false: the wheel lies on its side. */
static bool plane_touch(const TmlTyre *t, DualVec c, DualVec s, TmlTyreTouch *out)
{
    const double length = isnan(t->footprint_length) ? 0.2 * t->radius : t->footprint_length;
    const double width = isnan(t->footprint_width) ? 0.3 * t->radius : t->footprint_width;
    const DualVec up = d6v(v3(0, 0, 1)), along = d6v_cross(s, up);
    if (!(d6v_norm(along).x > 0.1)) {
        return false;
    }
    const DualVec ex = d6v_unit(along, 0.0, v3(1, 0, 0)), ey = d6v_cross(up, ex);
    const DualVec below = d6v_sub(c, d6v_times(t->radius, d6v_cross(ex, s)));
    DualVec Q[4];
    out->friction = 0.0;
    for (int k = 0; k < 4; ++k) {
        const double off = (k % 2 == 0 ? 0.5 : -0.5) * (k < 2 ? length : width);
        const DualVec at = d6v_add(below, d6v_times(off, k < 2 ? ex : ey));
        Q[k] = on_road(t, at.x, at.y, &out->friction);
    }
    const DualVec mean = d6v_times(0.25, d6v_add(d6v_add(Q[0], Q[1]), d6v_add(Q[2], Q[3])));
    out->normal = d6v_unit(d6v_cross(d6v_sub(Q[0], Q[1]), d6v_sub(Q[2], Q[3])), 0.0, v3(0, 0, 1));
    const DualVec forward = d6v_unit(d6v_cross(s, out->normal), 0.0, v3(1, 0, 0));
    out->up = d6v_cross(forward, s);
    out->radius = d6_div(d6v_dot(out->normal, d6v_sub(c, mean)), d6v_dot(out->normal, out->up));
    out->point = d6v_sub(c, d6v_scale(out->radius, out->up));
    out->deflection = d6_sub(d6(t->radius), out->radius);
    return true;
}

void tml_tyre_touch(const TmlTyre *t, DualVec c, DualVec s, TmlTyreTouch *out)
{
    const TmlVec3 C = d6v_value(c), S = d6v_value(s);
    TmlTyreTouch at[MOST];
    if (t->contact == TYRE_PLANE && plane_touch(t, c, s, out)) {
        return;
    }
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
