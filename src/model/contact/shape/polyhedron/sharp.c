/* model/contact/shape/polyhedron/sharp.c - edges and corners against a round solid.
 *
 * A corner leaves the solid along the normal of the surface that is nearest to it. An edge x(s) = a + s e does so
 * where its distance from the solid is stationary,
 *
 *   (S2)  F(s) = e . n_S(x(s)) = 0          s by Newton within a bracket; the distance is convex in s
 *   (S3)  F(s) = e . (x(s) - rim) = 0       an edge that crosses the rim of a cap, n along e x tangent
 *
 * From within, a corner or an edge may leave through the side though a cap is nearer: the side of a frustum is looked at
 * by itself, too. Derivatives: one more step of Newton in dual numbers.
 */
#include "model/contact/shape/polyhedron/sharp.h"

enum { RIM_SAMPLES = 48 };

TmlPosedSolid tml_posed_solid(const TmlSolid *S, const TmlPose *pose)
{
    TmlPosedSolid o = {.S = S, .pose = pose, .at = tml_dual_pose(pose)};
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

static double solid_reach(const TmlPosedSolid *o, TmlVec3 n, TmlPart *part)
{
    return tml_solid_reach(o->S, v3_neg(m3_tmulv(&o->pose->A, n)), part);
}

double tml_reach_against(const TmlPosedSolid *o, TmlVec3 n)
{
    TmlPart part;
    return solid_reach(o, n, &part);
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
    // a rim's normals lie about the one midway between those of its cap and of the side
    const double sa = tml_solid_slope(S), ca = sqrt(1.0 - sa * sa);
    const double out = ca * d6v_dot(c, m.e).x + (sa + sign) * c.z.x;
    const DualVec n = d6v_unit(d6v_times(out < 0.0 ? -1.0 : 1.0, c), 0.0, v3(0, 0, 1));
    *distance = d6v_dot(n, from_rim(S, sign, x));
    return n;
}

bool tml_is_frustum(const TmlSolid *S)
{
    return S->ellipsoid == NULL && S->swell == 0.0;
}

static double sign_of(TmlAgainst what)
{
    return what == TML_HIGH_RIM ? 1.0 : -1.0;
}

/* The surface of the solid that is seen from x, both in its axes. */
static void look_from(const TmlSolid *S, DualVec x, TmlAgainst what, TmlNear *near, TmlPart *part,
                      bool *cap)
{
    if (what != TML_ITS_SIDE) {
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

/* --- edges ---------------------------------------------------------------------------------- */

TmlEdge tml_edge(TmlVec3 from, TmlVec3 to)
{
    const TmlVec3 d = v3_sub(to, from);
    const double length = v3_norm(d);
    return (TmlEdge){from, v3_scale(1.0 / length, d), length};
}

double tml_edge_distance(const TmlEdge *g, TmlVec3 x)
{
    const double s = fmin(fmax(v3_dot(g->e, v3_sub(x, g->a)), 0.0), g->length);
    return v3_norm(v3_sub(x, v3_axpy(s, g->e, g->a)));
}

static DualVec edge_point(const TmlEdge *g, Dual s)
{
    return d6v_axpy(s, d6v(g->e), d6v(g->a));
}

/* F of (S2), or of (S3) at a rim. */
static Dual slope(const TmlPosedSolid *o, const TmlDualPose *at, const TmlEdge *g, Dual s,
                  TmlAgainst what)
{
    const DualVec x = tml_dual_into(at, edge_point(g, s)), e = d6v_along(at->axis, d6v(g->e));
    TmlNear near;
    TmlPart part;
    bool cap;
    if (what >= TML_LOW_RIM) {
        return d6v_dot(e, from_rim(o->S, sign_of(what), x));
    }
    look_from(o->S, x, what, &near, &part, &cap);
    return d6v_dot(e, near.n);
}

static Dual slope_at(const TmlPosedSolid *o, const TmlEdge *g, double s, TmlAgainst what)
{
    const Dual x = {.x = s, .g = {1.0}};
    return slope(o, &o->still, g, x, what);
}

/* A root of F between two places where it has different signs: Newton, which bisection keeps inside. */
static double root_of(const TmlPosedSolid *o, const TmlEdge *g, TmlAgainst what, double low,
                      double high)
{
    const bool rises = slope_at(o, g, low, what).x < 0.0;
    double s = 0.5 * (low + high);
    for (int k = 0; k < 60; ++k) {
        const Dual F = slope_at(o, g, s, what);
        const double step = F.x / F.g[0];
        if (F.x == 0.0 || fabs(step) <= 1e-15 * (g->length + o->radius)) {
            return F.x == 0.0 ? s : s - step;
        }
        *((F.x < 0.0) == rises ? &low : &high) = s;
        s = s - step > low && s - step < high ? s - step : 0.5 * (low + high);
    }
    return s;
}

/* (S2) within the edge; false: the distance is least at one of its ends. */
static bool stationary(const TmlPosedSolid *o, const TmlEdge *g, TmlAgainst what, double *s)
{
    const double low = 0.0, high = g->length;
    if (!(slope_at(o, g, low, what).x < 0.0) || !(slope_at(o, g, high, what).x > 0.0)) {
        return false;
    }
    *s = root_of(o, g, what, low, high);
    return true;
}

/* s with its derivatives by the pose. */
static Dual exact_place(const TmlPosedSolid *o, const TmlEdge *g, double s, TmlAgainst what)
{
    const Dual J = slope_at(o, g, s, what), F = slope(o, &o->at, g, d6(s), what);
    const double by_s = J.g[0];
    Dual out = d6(s);
    for (int k = 0; k < DUAL_VARIABLES && by_s != 0.0; ++k) {
        out.g[k] = -F.g[k] / by_s;
    }
    return out;
}

/* --- ways out -------------------------------------------------------------------------------- */

static void one_way(const TmlPosedSolid *o, TmlVec3 x, TmlAgainst what, double s, TmlWayOut *out,
                    TmlPart *part, bool *cap)
{
    TmlNear near;
    look_from(o->S, tml_dual_into(&o->still, d6v(x)), what, &near, part, cap);
    *out = (TmlWayOut){what, s, v3_neg(m3_mulv(&o->pose->A, d6v_value(near.n))), -near.distance.x};
}

int tml_corner_ways(const TmlPosedSolid *o, TmlVec3 x, TmlWayOut *out)
{
    TmlPart part;
    bool cap;
    one_way(o, x, TML_NEAREST, 0.0, &out[0], &part, &cap);
    if (!tml_is_frustum(o->S) || part == TML_PART_SIDE) {
        return 1;
    }
    // also from beyond a cap: another part of the body may be within
    one_way(o, x, TML_ITS_SIDE, 0.0, &out[1], &part, &cap);
    return out[1].depth > 0.0 ? 2 : 1;
}

static int rim_way(const TmlPosedSolid *o, const TmlEdge *g, TmlAgainst rim, double s,
                   TmlWayOut *out)
{
    Dual distance;
    TmlPart part;
    const DualVec x = tml_dual_into(&o->still, edge_point(g, d6(s)));
    const DualVec n =
        rim_normal(o->S, sign_of(rim), x, d6v_along(o->still.axis, d6v(g->e)), &distance);
    *out = (TmlWayOut){rim, s, v3_neg(m3_mulv(&o->pose->A, d6v_value(n))), -distance.x};
    // the rim has normals between those of its cap and the side only
    const double reach = tml_solid_reach(o->S, d6v_value(n), &part);
    const TmlVec3 on = v3_sub(d6v_value(x), d6v_value(from_rim(o->S, sign_of(rim), x)));
    return v3_dot(d6v_value(n), on) > reach - 1e-11 * o->radius;
}

/* An edge in the axes of the solid, x(s) = a + s e, and one of its rims. */
typedef struct RimLine {
    TmlVec3 a, e;
    double radius, z; // of the rim
} RimLine;

/* F of (S3) and its slope by s, in plain numbers: roots are looked for with these, derivatives come after. */
static double rim_slope(const RimLine *l, double s, double *rate)
{
    const TmlVec3 x = v3_axpy(s, l->e, l->a);
    const double rho = hypot(x.x, x.y), turn = l->e.x * x.x + l->e.y * x.y;
    const double out = rho > 0.0 ? 1.0 - l->radius / rho : 0.0;
    const double across = l->e.x * l->e.x + l->e.y * l->e.y;
    *rate = out * across + l->e.z * l->e.z;
    *rate += rho > 0.0 ? l->radius * turn * turn / (rho * rho * rho) : 0.0;
    return out * turn + l->e.z * (x.z - l->z);
}

/* A root of (S3) between two places where F has different signs, as root_of; `accuracy` is that of s. */
static double rim_root(const RimLine *l, double low, double high, double accuracy)
{
    double rate;
    const bool rises = rim_slope(l, low, &rate) < 0.0;
    double s = 0.5 * (low + high);
    for (int k = 0; k < 60; ++k) {
        const double F = rim_slope(l, s, &rate), step = F / rate;
        if (F == 0.0 || fabs(step) <= accuracy) {
            return F == 0.0 ? s : s - step;
        }
        *((F < 0.0) == rises ? &low : &high) = s;
        s = s - step > low && s - step < high ? s - step : 0.5 * (low + high);
    }
    return s;
}

/* Roots of (S3) between samples: there are four at most, some of which are largest distances; these are ways out of
 * the inside of a circle. */
static int rim_ways(const TmlPosedSolid *o, const TmlEdge *g, TmlAgainst rim, TmlWayOut *out)
{
    // the part within the sphere around the solid is sampled, the rest is one piece on each side
    const double middle = v3_dot(g->e, v3_sub(o->pose->r, g->a));
    const double off = v3_norm(v3_sub(o->pose->r, v3_axpy(middle, g->e, g->a)));
    const double half = sqrt(fmax(o->radius * o->radius - off * off, 0.0));
    const RimLine line = {m3_tmulv(&o->pose->A, v3_sub(g->a, o->pose->r)),
                          m3_tmulv(&o->pose->A, g->e), rim_radius(o->S, sign_of(rim)),
                          sign_of(rim) * o->S->cone.half};
    const double accuracy = 1e-15 * (g->length + o->radius);
    double a = 0.0, rate, last = rim_slope(&line, a, &rate);
    int n = 0;
    for (int k = 0; k <= RIM_SAMPLES + 1 && n < 4; ++k) {
        const double at = middle - half + 2.0 * half * k / RIM_SAMPLES;
        const double b = k > RIM_SAMPLES ? g->length : fmin(fmax(at, 0.0), g->length);
        const double F = b > a ? rim_slope(&line, b, &rate) : last;
        if ((F < 0.0) != (last < 0.0)) {
            n += rim_way(o, g, rim, rim_root(&line, a, b, accuracy), &out[n]);
        }
        last = F;
        a = fmax(a, b);
    }
    return n;
}

/* An edge in the axes of the solid, against its side. */
typedef struct SideLine {
    TmlVec3 a, e;
    double ca, sa; // of the side
} SideLine;

/* F of (S2) for the side, and its slope by s, in plain numbers. */
static double side_slope(const SideLine *l, double s, double *rate)
{
    const TmlVec3 x = v3_axpy(s, l->e, l->a);
    const double rho = hypot(x.x, x.y), e2 = l->e.x * l->e.x + l->e.y * l->e.y;
    const double along = rho > 0.0 ? (l->e.x * x.x + l->e.y * x.y) / rho : 0.0;
    *rate = rho > 0.0 ? l->ca * (e2 - along * along) / rho : 0.0;
    return l->ca * along + l->sa * l->e.z;
}

/* (S2) for the side within the edge: the distance from it is convex in s. */
static bool beside_it(const TmlPosedSolid *o, const TmlEdge *g, double *out)
{
    const double sa = tml_solid_slope(o->S), accuracy = 1e-15 * (g->length + o->radius);
    const SideLine l = {m3_tmulv(&o->pose->A, v3_sub(g->a, o->pose->r)),
                        m3_tmulv(&o->pose->A, g->e), sqrt(1.0 - sa * sa), sa};
    double low = 0.0, high = g->length, rate;
    if (!(side_slope(&l, low, &rate) < 0.0) || !(side_slope(&l, high, &rate) > 0.0)) {
        return false;
    }
    double s = 0.5 * (low + high);
    for (int k = 0; k < 60; ++k) {
        const double F = side_slope(&l, s, &rate), step = F / rate;
        if (F == 0.0 || fabs(step) <= accuracy) {
            *out = F == 0.0 ? s : s - step;
            return true;
        }
        *(F < 0.0 ? &low : &high) = s;
        s = s - step > low && s - step < high ? s - step : 0.5 * (low + high);
    }
    *out = s;
    return true;
}

static TmlVec3 place(const TmlEdge *g, double s)
{
    return v3_axpy(s, g->e, g->a);
}

/* Where the side is what is nearest, that is the one place where the distance is stationary: it is convex. */
int tml_edge_ways(const TmlPosedSolid *o, const TmlEdge *g, TmlWayOut *out)
{
    const bool frustum = tml_is_frustum(o->S);
    TmlPart part;
    bool cap;
    double s;
    int n = 0;
    if (frustum && beside_it(o, g, &s)) {
        TmlWayOut nearest;
        one_way(o, place(g, s), TML_NEAREST, s, &nearest, &part, &cap);
        const bool own = part == TML_PART_SIDE && !cap;
        one_way(o, place(g, s), TML_ITS_SIDE, s, &out[n], &part, &cap);
        out[n] = own ? nearest : out[n];
        n += fabs(v3_dot(out[n].n, g->e)) < 1e-9;
        if (own) {
            return n;
        }
    }
    if (stationary(o, g, TML_NEAREST, &s)) {
        one_way(o, place(g, s), TML_NEAREST, s, &out[n], &part, &cap);
        const bool rim = frustum && part != TML_PART_SIDE && !cap;
        n += fabs(v3_dot(out[n].n, g->e)) < 1e-9 && !rim; // not where the surface changes
    }
    return n;
}

int tml_edge_rim_ways(const TmlPosedSolid *o, const TmlEdge *g, TmlAgainst rim, TmlWayOut *out)
{
    return rim_radius(o->S, sign_of(rim)) > 0.0 ? rim_ways(o, g, rim, out) : 0;
}

double tml_within_rim(const TmlPosedSolid *o, TmlAgainst rim, TmlVec3 x)
{
    const double sa = tml_solid_slope(o->S), ca = sqrt(1.0 - sa * sa);
    const TmlVec3 y = m3_tmulv(&o->pose->A, v3_sub(x, o->pose->r));
    const double across = hypot(y.x, y.y) - 0.5 * (o->S->cone.low + o->S->cone.high);
    return fmin(o->S->cone.half - sign_of(rim) * y.z, -(ca * across + sa * y.z));
}

/* --- touches ---------------------------------------------------------------------------------- */

static DualVec out_of(const TmlDualPose *at, DualVec direction)
{
    return d6v_sum(at->axis, direction);
}

/* Curvatures of the gap at a point x of the solid with the outward normal n. edge: along what, NULL: a face. */
static void curvatures(const TmlPosedSolid *o, TmlPart part, bool cap, DualVec x, DualVec n,
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
void tml_at_point(DualVec x, DualVec n, Dual distance, TmlDualTouch *out)
{
    *out = (TmlDualTouch){.n = n, .depth = d6_neg(distance)};
    out->p = d6v_axpy(d6_scale(0.5, distance), n, x);
    out->curvature[0] = out->curvature[1] = d6(HUGE_VAL);
}

static void sharp_touch(const TmlPosedSolid *o, DualVec x, const TmlVec3 *edge, TmlAgainst what,
                        TmlDualTouch *out)
{
    TmlNear near;
    TmlPart part;
    bool cap;
    look_from(o->S, tml_dual_into(&o->at, x), what, &near, &part, &cap);
    const DualVec n = out_of(&o->at, near.n);
    tml_at_point(x, d6v_times(-1.0, n), near.distance, out);
    if (edge != NULL) {
        const DualVec y = d6v_axpy(d6_neg(near.distance), n, x);
        curvatures(o, part, cap, y, n, edge, out->curvature);
    }
}

void tml_beside_touch(const TmlPosedSolid *o, DualVec x, TmlVec3 e, TmlDualTouch *out)
{
    sharp_touch(o, x, &e, TML_ITS_SIDE, out);
}

void tml_corner_touch(const TmlPosedSolid *o, TmlVec3 x, TmlAgainst what, TmlDualTouch *out)
{
    sharp_touch(o, d6v(x), NULL, what, out);
}

static void rim_touch(const TmlPosedSolid *o, const TmlEdge *g, const TmlWayOut *way,
                      TmlDualTouch *out)
{
    const DualVec x = edge_point(g, exact_place(o, g, way->s, way->what));
    Dual distance;
    const DualVec n = rim_normal(o->S, sign_of(way->what), tml_dual_into(&o->at, x),
                                 d6v_along(o->at.axis, d6v(g->e)), &distance);
    tml_at_point(x, d6v_times(-1.0, out_of(&o->at, n)), distance, out);
}

void tml_edge_touch(const TmlPosedSolid *o, const TmlEdge *g, const TmlWayOut *way,
                    TmlDualTouch *out)
{
    if (way->what >= TML_LOW_RIM) {
        rim_touch(o, g, way, out);
    } else {
        sharp_touch(o, edge_point(g, exact_place(o, g, way->s, way->what)), &g->e, way->what, out);
    }
}

void tml_face_touch(const TmlPosedSolid *o, TmlVec3 n, double offset, TmlDualTouch *out)
{
    TmlPart part;
    solid_reach(o, n, &part);
    const DualVec up = d6v(n), back = d6v(v3_neg(n));
    const DualVec x =
        tml_dual_out(&o->at, tml_solid_point(o->S, part, d6v_along(o->at.axis, back)));
    *out = (TmlDualTouch){.n = up, .depth = d6_linear(offset, -1.0, d6v_dot(up, x))};
    out->p = d6v_axpy(d6_scale(0.5, out->depth), up, x);
    curvatures(o, part, false, x, back, NULL, out->curvature);
}
