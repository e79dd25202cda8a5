/* model/contact/shape/polyhedron/solid_touch.c - boxes and hulls with capsules, cylinders, cones and ellipsoids.
 *
 * One point, that of least depth (least_way.c), or the feet of what lies flat (flats.c): a side along a
 * line of a face, a cap on a face, a side along an edge. Half-spaces with feet are faces, too.
 */
#include "model/contact/shape/box.h"
#include "model/contact/shape/half_space.h"
#include "model/contact/shape/hull.h"
#include "model/contact/shape/polyhedron/least_way.h"
#include "model/contact/shape/round/flats.h"
#include "model/contact/shape/round/rods.h"

enum { POINT_ID = 0, LINE_ID = 1, CAP_ID = 2, EDGE_ID = 3 };

typedef struct Meeting {
    const TmlPolyhedron *P;
    TmlPosedSolid o;
    TmlFlatSink sink;
    Dual least;  // D of (D4)
    double size; // R of (D4)
} Meeting;

static uint64_t id_of(int kind, int feature, int foot)
{
    return ((uint64_t)kind << 40) | ((uint64_t)feature << 8) | (uint64_t)foot;
}

/* False: it has so many corners that it is as good as round; the point of least depth has the force. */
static bool face_of(const TmlPolyhedron *P, int k, TmlFace *f)
{
    f->count = P->start[k + 1] - P->start[k];
    f->normal = d6v(P->normal[k]);
    f->offset = d6(P->offset[k]);
    for (int i = 0; i < f->count && i < TML_FACE_CORNERS; ++i) {
        f->corner[i] = d6v(P->corner[P->loop[P->start[k] + i]]);
    }
    return f->count <= TML_FACE_CORNERS;
}

static void faces(Meeting *m)
{
    const TmlPosedSolid *o = &m->o;
    const TmlPolyhedron *P = m->P;
    TmlFace f;
    for (int k = 0; k < P->n_faces && m->sink.rest.x > 0.0; ++k) {
        TmlPart part;
        const TmlVec3 n = P->normal[k], down = m3_tmulv(&o->pose->A, v3_neg(n));
        const double reach = tml_solid_reach(o->S, down, &part);
        if (P->offset[k] - v3_dot(n, o->pose->r) + reach > m->least.x + 0.2 * m->size ||
            !face_of(P, k, &f)) {
            continue;
        }
        const Dual depth = tml_lying_depth(&f, o->S, &o->at);
        TmlLying lying = {&f, o->S, &o->at, false, depth, m->least, m->size, id_of(CAP_ID, k, 0)};
        if (o->S->swell == 0.0) {
            tml_cap_lies(&m->sink, &lying, -1.0);
            tml_cap_lies(&m->sink, &lying, 1.0);
        }
        lying.id = id_of(LINE_ID, k, 0);
        tml_side_lies(&m->sink, &lying);
    }
}

/* The part of an edge beside the solid's length: z from -half to half. */
static bool beside(const TmlPosedSolid *o, TmlVec3 a, TmlVec3 b, Dual s[2])
{
    const Dual za = d6v_dot(d6v_sub(d6v(a), o->at.r), o->at.axis[2]);
    const Dual zb = d6v_dot(d6v_sub(d6v(b), o->at.r), o->at.axis[2]), d = d6_sub(zb, za);
    const double half = o->S->cone.half, turn = d.x > 0.0 ? 1.0 : -1.0;
    s[0] = d6(0.0);
    s[1] = d6(1.0);
    if (turn * za.x < -half) {
        s[0] = d6_div(d6_linear(-turn * half, -1.0, za), d);
    }
    if (turn * zb.x > half) {
        s[1] = d6_div(d6_linear(turn * half, -1.0, za), d);
    }
    return s[0].x < s[1].x;
}

/* The side of the solid along an edge. */
static void side_on_edge(Meeting *m, int edge)
{
    const TmlPosedSolid *o = &m->o;
    const TmlVec3 a = m->P->corner[m->P->edge[edge][0]], b = m->P->corner[m->P->edge[edge][1]];
    const TmlVec3 e = v3_unit(v3_sub(b, a));
    const DualVec d = d6v(v3_sub(b, a));
    TmlDualTouch foot[2], middle;
    Dual s[2];
    if (fabs(v3_dot(e, o->pose->A.cz)) < 0.8 || !beside(o, a, b, s)) { // 0.8: a cone is steeper
        return;
    }
    const Dual half = d6_scale(0.5, d6_add(s[0], s[1]));
    tml_beside_touch(o, d6v_axpy(half, d, d6v(a)), e, &middle);
    // the angle between the edge and the side, of which the normal is that of the middle
    const DualVec line = tml_solid_line(o->S, d6v_times(-1.0, d6v_along(o->at.axis, middle.n)));
    const DualVec c = d6v_cross(d6v_along(o->at.axis, d6v(e)), line);
    Dual part = tml_along_share(d6v_norm(c));
    if (!(part.x > 0.0)) {
        return;
    }
    const TmlVec3 n = d6v_value(middle.n);
    const int far = tml_polyhedron_support(m->P, n);
    TmlPart side;
    const TmlVec3 down = m3_tmulv(&o->pose->A, v3_neg(n));
    tml_solid_reach(o->S, down, &side);
    const DualVec back = d6v_times(-1.0, middle.n);
    const DualVec x =
        tml_dual_out(&o->at, tml_solid_point(o->S, side, d6v_along(o->at.axis, back)));
    const Dual depth = d6v_dot(middle.n, d6v_sub(d6v(m->P->corner[far]), x));
    const Dual common = d6_mul(d6(v3_norm(v3_sub(b, a))), d6_sub(s[1], s[0]));
    // the edge has to be what the polyhedron reaches farthest with along the normal
    const Dual own = d6_add(m->least, d6_sub(depth, middle.depth));
    part = d6_mul(part, d6_mul(tml_lying_relevance(depth, m->least, m->size),
                               tml_lying_relevance(own, m->least, m->size)));
    const Dual share = d6_scale(
        0.5, tml_flat_take(&m->sink, d6_mul(part, tml_flat_share(common, depth, m->size))));
    for (int k = 0; k < 2 && share.x > 0.0; ++k) {
        tml_beside_touch(o, d6v_axpy(s[k], d, d6v(a)), e, &foot[k]);
        if (foot[k].depth.x >= -m->sink.reach && m->sink.n < TML_TOUCH_MAX) {
            foot[k].fade = d6_linear(1.0, -1.0, share);
            foot[k].id = id_of(EDGE_ID, edge, k);
            tml_touch_write(&foot[k], m->sink.n++, m->sink.touch, m->sink.rate);
        }
    }
}

/* Polyhedron first. */
static int solid_touch(const TmlPolyhedron *P, const TmlSolid *S, const TmlPose *pose, double reach,
                       TmlTouch *touch, TmlTouchRate *rate)
{
    Meeting m = {.P = P, .o = tml_posed_solid(S, pose)};
    TmlDualTouch point;
    if (v3_norm(v3_sub(P->centre, pose->r)) > P->radius + m.o.radius + reach) {
        return 0;
    }
    tml_least_way(P, &m.o, &point);
    if (!(point.depth.x >= -reach)) {
        return 0;
    }
    m.sink = (TmlFlatSink){.reach = reach, .touch = touch, .rate = rate, .rest = d6(1.0)};
    m.least = point.depth;
    if (S->ellipsoid == NULL && point.depth.x > 0.0) {
        const double radius = fmax(fmax(S->cone.low, S->cone.high), S->swell);
        m.size = fmin(radius, S->cone.half);
        faces(&m);
        for (int k = 0; k < P->n_edges && m.sink.rest.x > 0.0; ++k) {
            side_on_edge(&m, k);
        }
    }
    if (m.sink.rest.x > 0.0 && m.sink.n < TML_TOUCH_MAX) {
        point.fade = d6_linear(1.0, -1.0, m.sink.rest);
        point.id = id_of(POINT_ID, 0, 0);
        tml_touch_write(&point, m.sink.n++, touch, rate);
    }
    return m.sink.n;
}

/* Seen from near by, a half-space is a large box below the solid. Its edges are farther away than any way out but that
 * through the plane. */
int tml_solid_on_plane(const TmlSolid *S, const TmlPose *pose, double reach, TmlTouch *touch,
                       TmlTouchRate *rate)
{
    const double around = tml_posed_solid(S, pose).radius;
    const double half = 4.0 * (around + fabs(pose->r.z));
    const TmlVec3 middle = v3(pose->r.x, pose->r.y, -half);
    const TmlPose seen = {v3_sub(pose->r, middle), pose->A};
    TmlBoxRoom room;
    const TmlPolyhedron P = tml_box_polyhedron(v3(2.0 * half, 2.0 * half, 2.0 * half), &room);
    const int n = solid_touch(&P, S, &seen, reach, touch, rate);
    for (int k = 0; k < n; ++k) {
        touch[k].p = v3_add(touch[k].p, middle);
    }
    return n;
}

#define BOX_PAIR(round)                                                                            \
    TML_PAIR_FUNCTION(box, round)                                                                  \
    {                                                                                              \
        TmlBoxRoom room;                                                                           \
        const TmlPolyhedron P = tml_box_polyhedron(((const TmlBoxData *)first)->size, &room);      \
        const TmlSolid S = tml_##round##_solid(second);                                            \
        return solid_touch(&P, &S, pose, reach, touch, rate);                                      \
    }
BOX_PAIR(capsule)
BOX_PAIR(cylinder)
BOX_PAIR(cone)
BOX_PAIR(ellipsoid)

#define HULL_PAIR(round)                                                                           \
    TML_PAIR_FUNCTION(hull, round)                                                                 \
    {                                                                                              \
        const TmlSolid S = tml_##round##_solid(second);                                            \
        return solid_touch(((const TmlHullData *)first)->solid, &S, pose, reach, touch, rate);     \
    }
HULL_PAIR(capsule)
HULL_PAIR(cylinder)
HULL_PAIR(cone)
HULL_PAIR(ellipsoid)
