/* model/contact/shape/polyhedron/least_way.c - the point of least depth of a convex polyhedron and a round solid.
 *
 * As of two round solids (solids.c), with the reach h along a direction,
 *
 *   (S1)  depth(n) = h_P(n) + h_S(-n) - n . r,   depth = min over unit n
 *
 * The least is found among the directions in which features of the polyhedron leave the solid: normals of faces and
 * of caps, and what sharp.c finds for corners and edges. A direction counts when the feature reaches as far
 * along it as the polyhedron does.
 *
 * A point y of the solid that is delta_f below each face f shows that no direction of an edge or a corner has less depth than
 * the least delta of the faces around it: such a direction is n = sum of c_f n_f with c_f >= 0 and sum of c_f >= 1, so that
 *
 *   (S4)  depth(n) >= n . (x - y) = sum of c_f delta_f >= min delta_f       x on the edge or the corner
 *
 * With y the point of the solid that is nearest to the middle of the polyhedron only the edges and corners of the face in
 * which the solid is are left. In the same way a point of the polyhedron shows that the rims of a cylinder are no ways.
 */
#include "model/contact/shape/polyhedron/least_way.h"

typedef enum Kind { ON_FACE, ON_CAP, AT_CORNER, AT_EDGE } Kind;

typedef struct Way {
    Kind kind;
    int index;     // of the feature
    double sign;   // of a cap
    TmlWayOut out; // of corners and edges
    double depth;  // by (S1)
} Way;

double tml_depth_along(const TmlPolyhedron *P, const TmlPosedSolid *o, TmlVec3 n)
{
    const TmlVec3 far = P->corner[tml_polyhedron_support(P, n)];
    return v3_dot(n, v3_sub(far, o->pose->r)) + tml_reach_against(o, n); // (S1)
}

/* Takes the way when its direction is one of the polyhedron's feature and the depth is less. */
static void consider(const TmlPolyhedron *P, const TmlPosedSolid *o, Way w, TmlVec3 n, double own,
                     Way *best)
{
    w.depth = tml_depth_along(P, o, n);
    const double rounding = 1e-11 * (P->radius + o->radius + v3_norm(o->pose->r));
    if (w.depth < best->depth && own > w.depth - rounding) {
        *best = w;
    }
}

static void look_at_faces(const TmlPolyhedron *P, const TmlPosedSolid *o, Way *best)
{
    for (int f = 0; f < P->n_faces; ++f) {
        const TmlVec3 n = P->normal[f];
        const double depth = P->offset[f] - v3_dot(n, o->pose->r) + tml_reach_against(o, n);
        if (depth < best->depth) {
            *best = (Way){.kind = ON_FACE, .index = f, .depth = depth};
        }
    }
}

static void look_at_caps(const TmlPolyhedron *P, const TmlPosedSolid *o, Way *best)
{
    for (int k = -1; k < 2 && tml_is_frustum(o->S); k += 2) {
        const TmlVec3 n = v3_scale(-k, o->pose->A.cz);
        const int corner = tml_polyhedron_support(P, n);
        consider(P, o, (Way){.kind = ON_CAP, .index = corner, .sign = k}, n, HUGE_VAL, best);
    }
}

/* Whether no direction has less depth than the best face: the point of the solid that is deepest below it shows it. Where that
 * point is inside, a ball of the depth around it is inside, too; where it is outside, the polyhedron is as far away as the face. */
static bool face_is_least(const TmlPolyhedron *P, const TmlPosedSolid *o, const Way *best)
{
    const TmlVec3 n = P->normal[best->index];
    const DualVec towards = d6v(v3_neg(m3_tmulv(&o->pose->A, n)));
    TmlPart part;
    tml_solid_reach(o->S, d6v_value(towards), &part);
    const TmlVec3 own = d6v_value(tml_solid_point(o->S, part, towards));
    const TmlVec3 y = v3_add(o->pose->r, m3_mulv(&o->pose->A, own));
    const TmlVec3 seen = best->depth < 0.0 ? v3_axpy(best->depth, n, y) : y;
    const double rounding = 1e-12 * (P->radius + o->radius);
    for (int f = 0; f < P->n_faces; ++f) {
        const double below = P->offset[f] - v3_dot(P->normal[f], seen);
        if (below < fmax(best->depth, 0.0) - rounding) {
            return false;
        }
    }
    return true;
}

enum { SHOWN = 64 }; // corners of a polyhedron of which (S4) is looked at

/* The bounds of (S4) of the corners, and the distance of the middle of the polyhedron from the solid. */
typedef struct Bounds {
    bool known;
    double corner[SHOWN], middle;
} Bounds;

static void find_bounds(const TmlPolyhedron *P, const TmlPosedSolid *o, Bounds *b)
{
    TmlNear near;
    TmlPart part;
    bool cap;
    TmlVec3 sum = v3(0, 0, 0); // the mean of the corners is inside; P->centre need not be
    for (int k = 0; k < P->n_corners; ++k) {
        sum = v3_add(sum, P->corner[k]);
    }
    const DualVec middle = tml_dual_into(&o->still, d6v(v3_scale(1.0 / (double)P->n_corners, sum)));
    tml_solid_near(o->S, middle, &near, &part, &cap);
    b->middle = fmax(near.distance.x, 0.0);
    b->known = P->n_corners <= SHOWN;
    for (int k = 0; k < P->n_corners && b->known; ++k) {
        b->corner[k] = HUGE_VAL;
    }
    const TmlVec3 own = v3_axpy(-b->middle, d6v_value(near.n), d6v_value(middle));
    const TmlVec3 y = v3_add(o->pose->r, m3_mulv(&o->pose->A, own));
    for (int f = 0; f < P->n_faces && b->known; ++f) {
        const double delta = P->offset[f] - v3_dot(P->normal[f], y);
        for (int i = P->start[f]; i < P->start[f + 1]; ++i) {
            b->corner[P->loop[i]] = fmin(b->corner[P->loop[i]], delta);
        }
    }
}

/* Whether (S4) rules a corner out, or an edge, whose faces are among those around either end. */
static bool corner_is_no_way(const Bounds *b, int k, const Way *best)
{
    return b->known && b->corner[k] >= fmax(best->depth, 0.0);
}

static bool edge_is_no_way(const TmlPolyhedron *P, const Bounds *b, int k, const Way *best)
{
    return corner_is_no_way(b, P->edge[k][0], best) || corner_is_no_way(b, P->edge[k][1], best);
}

/* Returns what the polyhedron is away from the solid at most. */
static double look_at_corners(const TmlPolyhedron *P, const TmlPosedSolid *o, const Bounds *b,
                              Way *best)
{
    double least = b->middle;
    for (int k = 0; k < P->n_corners; ++k) {
        TmlWayOut way[TML_WAYS];
        if (v3_norm(v3_sub(P->corner[k], o->pose->r)) - o->radius > least ||
            corner_is_no_way(b, k, best)) {
            continue;
        }
        const int n = tml_corner_ways(o, P->corner[k], way);
        for (int i = 0; i < n; ++i) {
            const Way w = {.kind = AT_CORNER, .index = k, .out = way[i]};
            consider(P, o, w, way[i].n, way[i].depth, best);
        }
        least = fmin(least, fmax(-way[0].depth, 0.0));
    }
    return least;
}

static TmlEdge edge_of(const TmlPolyhedron *P, int k)
{
    return tml_edge(P->corner[P->edge[k][0]], P->corner[P->edge[k][1]]);
}

static void consider_edge(const TmlPolyhedron *P, const TmlPosedSolid *o, int k,
                          const TmlWayOut *way, int n, Way *best)
{
    for (int i = 0; i < n; ++i) {
        const Way w = {.kind = AT_EDGE, .index = k, .out = way[i]};
        consider(P, o, w, way[i].n, way[i].depth, best);
    }
}

/* The edges within a distance from the middle of the solid. what: TML_NEAREST, or a rim. */
static void look_at_edges(const TmlPolyhedron *P, const TmlPosedSolid *o, const Bounds *b,
                          double within, TmlAgainst what, Way *best)
{
    for (int k = 0; k < P->n_edges; ++k) {
        const TmlEdge g = edge_of(P, k);
        TmlWayOut way[TML_WAYS];
        if (!edge_is_no_way(P, b, k, best) && tml_edge_distance(&g, o->pose->r) <= within) {
            const int n = what == TML_NEAREST ? tml_edge_ways(o, &g, way)
                                              : tml_edge_rim_ways(o, &g, what, way);
            consider_edge(P, o, k, way, n, best);
        }
    }
}

/* Whether the point of the polyhedron that the best way moves out shows that a rim is none: by (S4), or because it is as far
 * from the solid as the two are apart along that way. */
static bool rim_is_no_way(const TmlPolyhedron *P, const TmlPosedSolid *o, TmlAgainst rim,
                          const Way *best)
{
    const double rounding = 1e-12 * (P->radius + o->radius);
    if (best->kind == ON_FACE) {
        return false;
    }
    if (best->kind != ON_CAP && best->out.what == TML_NEAREST && best->depth < 0.0) {
        return true;
    }
    const TmlEdge g = best->kind == AT_EDGE ? edge_of(P, best->index) : (TmlEdge){0};
    const TmlVec3 x =
        best->kind == AT_EDGE ? v3_axpy(best->out.s, g.e, g.a) : P->corner[best->index];
    return tml_within_rim(o, rim, x) >= fmax(best->depth, 0.0) - rounding;
}

static void cap_touch(const TmlPolyhedron *P, const TmlPosedSolid *o, const Way *w,
                      TmlDualTouch *out)
{
    const DualVec n = d6v_times(-w->sign, o->at.axis[2]), x = d6v(P->corner[w->index]);
    const Dual z = d6v_dot(d6v_sub(x, o->at.r), o->at.axis[2]);
    tml_at_point(x, n, d6_linear(-o->S->cone.half, w->sign, z), out);
}

static void touch_of(const TmlPolyhedron *P, const TmlPosedSolid *o, const Way *w,
                     TmlDualTouch *out)
{
    if (w->kind == ON_FACE) {
        tml_face_touch(o, P->normal[w->index], P->offset[w->index], out);
    } else if (w->kind == ON_CAP) {
        cap_touch(P, o, w, out);
    } else if (w->kind == AT_CORNER) {
        tml_corner_touch(o, P->corner[w->index], w->out.what, out);
    } else {
        const TmlEdge g = edge_of(P, w->index);
        tml_edge_touch(o, &g, &w->out, out);
    }
}

void tml_least_way(const TmlPolyhedron *P, const TmlPosedSolid *o, TmlDualTouch *out)
{
    Way best = {.depth = HUGE_VAL};
    look_at_faces(P, o, &best);
    if (face_is_least(P, o, &best)) {
        touch_of(P, o, &best, out);
        return;
    }
    Bounds bounds;
    find_bounds(P, o, &bounds);
    look_at_caps(P, o, &best);
    const double within = look_at_corners(P, o, &bounds, &best) + o->radius;
    look_at_edges(P, o, &bounds, within, TML_NEAREST, &best);
    for (TmlAgainst rim = TML_LOW_RIM; tml_is_frustum(o->S) && rim <= TML_HIGH_RIM; ++rim) {
        if (!rim_is_no_way(P, o, rim, &best)) {
            look_at_edges(P, o, &bounds, within, rim, &best);
        }
    }
    touch_of(P, o, &best, out);
}
