/* model/contact/shape/polyhedron/least_way.c - the point of least depth of a convex polyhedron and a round solid.
 *
 * As of two round solids (solids.c), with the reach h along a direction,
 *
 *   (S1)  depth(n) = h_P(n) + h_S(-n) - n . r,   depth = min over unit n
 *
 * The least is found among directions that the features of the polyhedron have with the nearest surface of the
 * solid: normals of faces and of caps; of a corner, the normal of the solid's surface nearest to it; of an edge
 * x(s), that of the point at which the distance from the solid is stationary,
 *
 *   (S2)  F(s) = e . n_S(x(s)) = 0          s by Newton within a bracket; the distance is convex in s
 *   (S3)  F(s) = e . (x(s) - rim) = 0       an edge that crosses the rim of a cap, n along e x tangent
 *
 * From within, a corner or an edge may leave through the side though a cap is nearer: the side of a frustum is looked at
 * by itself, too. A direction counts when the feature reaches as far along it as the polyhedron does. Derivatives: one more
 * step of Newton in dual numbers.
 */
#include "model/contact/shape/polyhedron/least_way.h"

typedef enum Kind { ON_FACE, ON_CAP, AT_CORNER, AT_EDGE, AT_RIM } Kind;

/* Which surface of the solid an edge or a corner is held against. */
typedef enum Against { NEAREST, ITS_SIDE, LOW_RIM, HIGH_RIM } Against;

typedef struct Way {
    Kind kind;
    int index;    // of the feature
    double s;     // along an edge
    double sign;  // of a cap
    Against what; // of corners and edges
    double depth; // by (S1)
} Way;

TmlSolidPair tml_solid_pair(const TmlPolyhedron *P, const TmlSolid *S, const TmlPose *pose)
{
    TmlSolidPair o = {.P = P, .S = S, .pose = pose, .at = tml_dual_pose(pose)};
    o.still = (TmlDualPose){d6v(pose->r), {d6v(pose->A.cx), d6v(pose->A.cy), d6v(pose->A.cz)}};
    if (S->ellipsoid != NULL) {
        o.radius = fmax(tml_ellipsoid_reach(S->ellipsoid, v3(0, 0, 1)),
                        fmax(tml_ellipsoid_reach(S->ellipsoid, v3(1, 0, 0)),
                             tml_ellipsoid_reach(S->ellipsoid, v3(0, 1, 0))));
    } else {
        o.radius = hypot(fmax(S->cone.low, S->cone.high), S->cone.half) + S->swell;
    }
    return o;
}

static double solid_reach(const TmlSolidPair *o, TmlVec3 n, TmlPart *part)
{
    return tml_solid_reach(o->S, v3_neg(m3_tmulv(&o->pose->A, n)), part);
}

double tml_depth_along(const TmlSolidPair *o, TmlVec3 n)
{
    TmlPart part;
    const TmlVec3 far = o->P->corner[tml_polyhedron_support(o->P, n)];
    return v3_dot(n, v3_sub(far, o->pose->r)) + solid_reach(o, n, &part); // (S1)
}

/* --- points at a rim -------------------------------------------------------------------------- */

static double rim_radius(const TmlSolid *S, double sign)
{
    return sign > 0.0 ? S->cone.high : S->cone.low;
}

/* From the nearest point of a rim to x, both in the solid's axes. */
static DualVec from_rim(const TmlSolid *S, double sign, DualVec x)
{
    const TmlMeridian m = tml_meridian(x);
    DualVec v = d6v_scale(d6_linear(-rim_radius(S, sign), 1.0, m.rho), m.e);
    v.z = d6_linear(-sign * S->cone.half, 1.0, x.z);
    return v;
}

/* The normal of an edge e that crosses a rim, out of the solid; and the distance, negative within. */
static DualVec rim_normal(const TmlSolid *S, double sign, DualVec x, DualVec e, Dual *distance)
{
    const TmlMeridian m = tml_meridian(x);
    const DualVec tangent = d6v_cross(d6v(v3(0, 0, 1)), m.e), c = d6v_cross(e, tangent);
    const double out = d6v_dot(c, m.e).x + sign * c.z.x; // a rim's normals have both parts positive
    const DualVec n = d6v_unit(d6v_times(out < 0.0 ? -1.0 : 1.0, c), 0.0, v3(0, 0, 1));
    *distance = d6v_dot(n, from_rim(S, sign, x));
    return n;
}

static bool is_frustum(const TmlSolid *S)
{
    return S->ellipsoid == NULL && S->swell == 0.0;
}

static double sign_of(Against what)
{
    return what == HIGH_RIM ? 1.0 : -1.0;
}

/* The surface of the solid that is seen from x, both in its axes. */
static void look_from(const TmlSolid *S, DualVec x, Against what, TmlNear *near, TmlPart *part,
                      bool *cap)
{
    if (what != ITS_SIDE) {
        tml_solid_near(S, x, near, part, cap);
        return;
    }
    const double sa = tml_solid_slope(S), ca = sqrt(1.0 - sa * sa);
    const TmlMeridian m = tml_meridian(x);
    const Dual across = d6_linear(-0.5 * (S->cone.low + S->cone.high), 1.0, m.rho);
    near->distance = d6_linear(-S->swell, 1.0, d6_add(d6_scale(ca, across), d6_scale(sa, m.z)));
    near->n = d6v_times(ca, m.e);
    near->n.z = d6(sa);
    *part = TML_PART_SIDE;
    *cap = false;
}

/* --- edges ------------------------------------------------------------------------------------ */

typedef struct Edge {
    TmlVec3 a, e; // start and unit direction
    double length;
} Edge;

static Edge edge_of(const TmlPolyhedron *P, int k)
{
    const TmlVec3 a = P->corner[P->edge[k][0]], d = v3_sub(P->corner[P->edge[k][1]], a);
    const double length = v3_norm(d);
    return (Edge){a, v3_scale(1.0 / length, d), length};
}

static DualVec edge_point(const Edge *g, Dual s)
{
    return d6v_axpy(s, d6v(g->e), d6v(g->a));
}

/* F of (S2), or of (S3) at a rim. */
static Dual slope(const TmlSolidPair *o, const TmlDualPose *at, const Edge *g, Dual s, Against what)
{
    const DualVec x = tml_dual_into(at, edge_point(g, s)), e = d6v_along(at->axis, d6v(g->e));
    TmlNear near;
    TmlPart part;
    bool cap;
    if (what >= LOW_RIM) {
        return d6v_dot(e, from_rim(o->S, sign_of(what), x));
    }
    look_from(o->S, x, what, &near, &part, &cap);
    return d6v_dot(e, near.n);
}

static Dual slope_at(const TmlSolidPair *o, const Edge *g, double s, Against what)
{
    const Dual x = {.x = s, .g = {1.0}};
    return slope(o, &o->still, g, x, what);
}

/* (S2) within the edge; false: the distance is least at one of its ends. */
static bool stationary(const TmlSolidPair *o, const Edge *g, Against what, double *s)
{
    double low = 0.0, high = g->length;
    if (!(slope_at(o, g, low, what).x < 0.0) || !(slope_at(o, g, high, what).x > 0.0)) {
        return false;
    }
    *s = 0.5 * (low + high);
    for (int k = 0; k < 60; ++k) {
        const Dual F = slope_at(o, g, *s, what);
        if (F.x == 0.0) {
            break;
        }
        *(F.x < 0.0 ? &low : &high) = *s;
        const double newton = *s - F.x / F.g[0], last = *s;
        *s = F.g[0] > 0.0 && newton > low && newton < high ? newton : 0.5 * (low + high);
        if (fabs(*s - last) <= 1e-16 * g->length) {
            break;
        }
    }
    return true;
}

/* (S3) from a start; false: it does not settle on the edge. */
static bool crossing(const TmlSolidPair *o, const Edge *g, Against rim, double *s)
{
    double step = HUGE_VAL;
    for (int k = 0; k < 20 && fabs(step) > 1e-16 * g->length; ++k) {
        const Dual F = slope_at(o, g, *s, rim);
        step = F.x / (F.g[0] > 0.0 ? F.g[0] : 1.0);
        *s -= step;
    }
    return fabs(step)<1e-9 * g->length && * s> 0.0 && *s < g->length;
}

/* s with its derivatives by the pose. */
static Dual exact_place(const TmlSolidPair *o, const Edge *g, double s, Against what)
{
    const Dual J = slope_at(o, g, s, what), F = slope(o, &o->at, g, d6(s), what);
    const double by_s = J.g[0];
    Dual out = d6(s);
    for (int k = 0; k < DUAL_VARIABLES && by_s > 0.0; ++k) {
        out.g[k] = -F.g[k] / by_s;
    }
    return out;
}

/* --- touches ---------------------------------------------------------------------------------- */

static DualVec out_of(const TmlDualPose *at, DualVec direction)
{
    return d6v_sum(at->axis, direction);
}

/* Curvatures of the gap at a point x of the solid with the outward normal n. edge: along what, NULL: a face. */
static void curvatures(const TmlSolidPair *o, TmlPart part, bool cap, DualVec x, DualVec n,
                       const TmlVec3 *edge, Dual k[2])
{
    DualVec t[2], s[2];
    TmlBend bend;
    if (edge != NULL) {
        t[0] = d6v(*edge);
        t[1] = d6v_cross(n, t[0]);
    } else {
        tml_dual_tangents(n, &t[0], &t[1]);
    }
    s[0] = d6v_along(o->at.axis, t[0]);
    s[1] = d6v_along(o->at.axis, t[1]);
    tml_solid_bend(o->S, part, cap, tml_dual_into(&o->at, x), d6v_along(o->at.axis, n), s, &bend);
    k[0] = k[1] = d6(HUGE_VAL);
    if (edge != NULL) {
        k[0] = bend.sharp ? d6(HUGE_VAL) : bend.m[0];
    } else if (bend.sharp) {
        k[0] = bend.along;
    } else {
        tml_dual_eigen(bend.m[0], bend.m[1], bend.m[2], k);
    }
}

/* p of a point x of the polyhedron's surface. */
static void at_point(DualVec x, DualVec n, Dual distance, TmlDualTouch *out)
{
    *out = (TmlDualTouch){.n = n, .depth = d6_neg(distance)};
    out->p = d6v_axpy(d6_scale(0.5, distance), n, x);
    out->curvature[0] = out->curvature[1] = d6(HUGE_VAL);
}

static void sharp_touch(const TmlSolidPair *o, DualVec x, const TmlVec3 *edge, Against what,
                        TmlDualTouch *out)
{
    TmlNear near;
    TmlPart part;
    bool cap;
    look_from(o->S, tml_dual_into(&o->at, x), what, &near, &part, &cap);
    const DualVec n = out_of(&o->at, near.n);
    at_point(x, d6v_times(-1.0, n), near.distance, out);
    if (edge != NULL) {
        const DualVec y = d6v_axpy(d6_neg(near.distance), n, x);
        curvatures(o, part, cap, y, n, edge, out->curvature);
    }
}

void tml_edge_touch(const TmlSolidPair *o, DualVec x, const TmlVec3 *edge, TmlDualTouch *out)
{
    sharp_touch(o, x, edge, ITS_SIDE, out);
}

static void face_touch(const TmlSolidPair *o, int face, TmlDualTouch *out)
{
    const DualVec n = d6v(o->P->normal[face]);
    TmlPart part;
    solid_reach(o, o->P->normal[face], &part);
    const DualVec back = d6v_times(-1.0, n);
    const DualVec x =
        tml_dual_out(&o->at, tml_solid_point(o->S, part, d6v_along(o->at.axis, back)));
    *out = (TmlDualTouch){.n = n, .depth = d6_linear(o->P->offset[face], -1.0, d6v_dot(n, x))};
    out->p = d6v_axpy(d6_scale(0.5, out->depth), n, x);
    curvatures(o, part, false, x, back, NULL, out->curvature);
}

static void cap_touch(const TmlSolidPair *o, const Way *w, TmlDualTouch *out)
{
    const DualVec n = d6v_times(-w->sign, o->at.axis[2]), x = d6v(o->P->corner[w->index]);
    const Dual z = d6v_dot(d6v_sub(x, o->at.r), o->at.axis[2]);
    at_point(x, n, d6_linear(-o->S->cone.half, w->sign, z), out);
}

static void rim_touch(const TmlSolidPair *o, const Way *w, TmlDualTouch *out)
{
    const Edge g = edge_of(o->P, w->index);
    const DualVec x = edge_point(&g, exact_place(o, &g, w->s, w->what));
    Dual distance;
    const DualVec n = rim_normal(o->S, sign_of(w->what), tml_dual_into(&o->at, x),
                                 d6v_along(o->at.axis, d6v(g.e)), &distance);
    at_point(x, d6v_times(-1.0, out_of(&o->at, n)), distance, out);
}

static void touch_of(const TmlSolidPair *o, const Way *w, TmlDualTouch *out)
{
    if (w->kind == ON_FACE) {
        face_touch(o, w->index, out);
    } else if (w->kind == ON_CAP) {
        cap_touch(o, w, out);
    } else if (w->kind == AT_CORNER) {
        sharp_touch(o, d6v(o->P->corner[w->index]), NULL, w->what, out);
    } else if (w->kind == AT_EDGE) {
        const Edge g = edge_of(o->P, w->index);
        sharp_touch(o, edge_point(&g, exact_place(o, &g, w->s, w->what)), &g.e, w->what, out);
    } else {
        rim_touch(o, w, out);
    }
}

/* --- the search ------------------------------------------------------------------------------- */

/* Takes the way when its direction is one of the polyhedron's feature and the depth is less. */
static void consider(const TmlSolidPair *o, Way w, TmlVec3 n, double own, Way *best)
{
    w.depth = tml_depth_along(o, n);
    const double rounding = 1e-11 * (o->P->radius + o->radius + v3_norm(o->pose->r));
    if (w.depth < best->depth && own > w.depth - rounding) {
        *best = w;
    }
}

static void look_at_faces(const TmlSolidPair *o, Way *best)
{
    TmlPart part;
    for (int f = 0; f < o->P->n_faces; ++f) {
        const TmlVec3 n = o->P->normal[f];
        const double depth = o->P->offset[f] - v3_dot(n, o->pose->r) + solid_reach(o, n, &part);
        if (depth < best->depth) {
            *best = (Way){.kind = ON_FACE, .index = f, .depth = depth};
        }
    }
}

static void look_at_caps(const TmlSolidPair *o, Way *best)
{
    for (int k = -1; k < 2 && is_frustum(o->S); k += 2) {
        const TmlVec3 n = v3_scale(-k, o->pose->A.cz);
        const int corner = tml_polyhedron_support(o->P, n);
        const Way w = {.kind = ON_CAP, .index = corner, .sign = k};
        consider(o, w, n, HUGE_VAL, best);
    }
}

/* A corner as it sees the solid; returns the distance. */
static double look_at_corner(const TmlSolidPair *o, int k, Against what, Way *best)
{
    TmlNear near;
    TmlPart part;
    bool cap;
    look_from(o->S, tml_dual_into(&o->still, d6v(o->P->corner[k])), what, &near, &part, &cap);
    const TmlVec3 n = v3_neg(m3_mulv(&o->pose->A, d6v_value(near.n)));
    consider(o, (Way){.kind = AT_CORNER, .index = k, .what = what}, n, -near.distance.x, best);
    return near.distance.x;
}

/* Returns the least distance of a corner from the solid, 0 when one is within. */
static double look_at_corners(const TmlSolidPair *o, Way *best)
{
    double least = HUGE_VAL;
    for (int k = 0; k < o->P->n_corners; ++k) {
        if (v3_norm(v3_sub(o->P->corner[k], o->pose->r)) - o->radius > least) {
            continue;
        }
        const double distance = look_at_corner(o, k, NEAREST, best);
        if (distance < 0.0 && is_frustum(o->S)) {
            look_at_corner(o, k, ITS_SIDE, best);
        }
        least = fmin(least, fmax(distance, 0.0));
    }
    return least;
}

static void look_at_rim(const TmlSolidPair *o, const Edge *g, int k, Against rim, double s,
                        Way *best)
{
    s = fmin(fmax(s, 0.0), g->length);
    if (!crossing(o, g, rim, &s)) {
        return;
    }
    Dual distance;
    const DualVec x = tml_dual_into(&o->still, edge_point(g, d6(s)));
    const DualVec n =
        rim_normal(o->S, sign_of(rim), x, d6v_along(o->still.axis, d6v(g->e)), &distance);
    const TmlVec3 out = v3_neg(m3_mulv(&o->pose->A, d6v_value(n)));
    consider(o, (Way){.kind = AT_RIM, .index = k, .s = s, .what = rim}, out, -distance.x, best);
}

/* Starts for (S3): where the edge passes the plane of the cap, and where the cylinder over the rim. */
static void look_at_rims(const TmlSolidPair *o, const Edge *g, int k, Way *best)
{
    const TmlVec3 a = m3_tmulv(&o->pose->A, v3_sub(g->a, o->pose->r));
    const TmlVec3 e = m3_tmulv(&o->pose->A, g->e);
    const double across = e.x * e.x + e.y * e.y, middle = -(a.x * e.x + a.y * e.y) / across;
    for (Against rim = LOW_RIM; rim <= HIGH_RIM; ++rim) {
        const double R = rim_radius(o->S, sign_of(rim)), z = sign_of(rim) * o->S->cone.half;
        const double x = a.x + middle * e.x, y = a.y + middle * e.y, in = R * R - x * x - y * y;
        if (!(R > 0.0)) {
            continue;
        }
        if (e.z != 0.0) {
            look_at_rim(o, g, k, rim, (z - a.z) / e.z, best);
        }
        if (across > 0.0 && in > 0.0) {
            look_at_rim(o, g, k, rim, middle - sqrt(in / across), best);
            look_at_rim(o, g, k, rim, middle + sqrt(in / across), best);
        } else if (across > 0.0) {
            look_at_rim(o, g, k, rim, middle, best);
        }
    }
}

static void look_at_edge(const TmlSolidPair *o, int k, Way *best)
{
    const Edge g = edge_of(o->P, k);
    for (Against what = NEAREST; what <= (is_frustum(o->S) ? ITS_SIDE : NEAREST); ++what) {
        TmlNear near;
        TmlPart part;
        bool cap;
        double s;
        if (!stationary(o, &g, what, &s)) {
            continue;
        }
        look_from(o->S, tml_dual_into(&o->still, edge_point(&g, d6(s))), what, &near, &part, &cap);
        const TmlVec3 n = v3_neg(m3_mulv(&o->pose->A, d6v_value(near.n)));
        const bool rim = is_frustum(o->S) && part != TML_PART_SIDE && !cap;
        if (fabs(v3_dot(n, g.e)) < 1e-9 && !rim) { // not where the nearest surface changes
            consider(o, (Way){.kind = AT_EDGE, .index = k, .s = s, .what = what}, n,
                     -near.distance.x, best);
        }
    }
    if (is_frustum(o->S)) {
        look_at_rims(o, &g, k, best);
    }
}

static double segment_distance(const Edge *g, TmlVec3 x)
{
    const double s = fmin(fmax(v3_dot(g->e, v3_sub(x, g->a)), 0.0), g->length);
    return v3_norm(v3_sub(x, v3_axpy(s, g->e, g->a)));
}

void tml_least_way(const TmlSolidPair *o, TmlDualTouch *out)
{
    Way best = {.depth = HUGE_VAL};
    look_at_faces(o, &best);
    look_at_caps(o, &best);
    const double within = look_at_corners(o, &best) + o->radius;
    for (int k = 0; k < o->P->n_edges; ++k) {
        const Edge g = edge_of(o->P, k);
        if (segment_distance(&g, o->pose->r) <= within) {
            look_at_edge(o, k, &best);
        }
    }
    touch_of(o, &best, out);
}
