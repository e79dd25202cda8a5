/* model/contact/shape/polyhedron/solid_touch.c - boxes and hulls with capsules, cylinders, cones and ellipsoids.
 *
 * One point, that of least depth (least_way.c), or the feet of what lies flat (flats.c): a side along a
 * line of a face, a cap on a face, a side along an edge. Feet take of the share that is left
 *
 *   (D4)  (1 - (L1)) (L3) g(1 - (depth_f - D) / (R/5)),  g = 3 x^2 - 2 x^3 within 0 and 1
 *
 * with D the least depth and depth_f that along the normal of the face: faces on the far side of the body are none
 * of its business. R is the lesser of radius and half length. The point of least depth has the rest; shares sum to one.
 */
#include "model/contact/shape/box.h"
#include "model/contact/shape/hull.h"
#include "model/contact/shape/polyhedron/least_way.h"
#include "model/contact/shape/round/flats.h"
#include "model/contact/shape/round/rods.h"

enum { POINT_ID = 0, LINE_ID = 1, CAP_ID = 2, EDGE_ID = 3 };

typedef struct Meeting {
    TmlSolidPair o;
    TmlFlatSink sink;
    Dual least;  // D of (D4)
    double size; // R of (D4)
} Meeting;

static uint64_t id_of(int kind, int feature, int foot)
{
    return ((uint64_t)kind << 40) | ((uint64_t)feature << 8) | (uint64_t)foot;
}

static Dual relevance(const Meeting *m, Dual depth)
{
    return tml_dual_smooth(d6_linear(1.0, -5.0 / m->size, d6_sub(depth, m->least)));
}

static Dual below(const TmlFace *f, DualVec x)
{
    return d6_linear(f->offset, -1.0, d6v_dot(d6v(f->normal), x));
}

/* Takes the part of what is left of the share. */
static Dual take(Meeting *m, Dual part)
{
    const Dual share = d6_mul(m->sink.rest, part);
    m->sink.rest = d6_sub(m->sink.rest, share);
    return share;
}

/* The side of the solid along a line of the face. */
static void side_on_face(Meeting *m, const TmlFace *f, int face, Dual depth)
{
    const TmlSolidPair *o = &m->o;
    const DualVec n = d6v(f->normal), back = d6v_times(-1.0, n);
    const DualVec down = d6v_along(o->at.axis, back);
    TmlLine line = {.a = tml_dual_out(&o->at, tml_solid_point(o->S, TML_PART_LOW, down)),
                    .b = tml_dual_out(&o->at, tml_solid_point(o->S, TML_PART_HIGH, down))};
    const DualVec d = d6v_sub(line.b, line.a);
    const Dual length = d6v_norm(d);
    Dual part = tml_along_share(d6_div(d6v_dot(d, n), length));
    if (!(part.x > 0.0) || !tml_line_over(f, n, &line)) {
        return;
    }
    const Dual common = d6_mul(length, d6_sub(line.high, line.low));
    part = d6_mul(d6_mul(part, relevance(m, depth)), tml_flat_share(common, depth, m->size));
    const Dual share = d6_scale(0.5, take(m, part));
    for (int k = 0; k < 2 && share.x > 0.0; ++k) {
        const DualVec x = d6v_axpy(k == 0 ? line.low : line.high, d, line.a);
        Dual curvature[2];
        tml_solid_curvatures(o, TML_PART_SIDE, false, x, back, NULL, curvature);
        tml_flat_foot(&m->sink, x, n, below(f, x), share, curvature, id_of(LINE_ID, face, k));
    }
}

/* An end of the solid, 1 or -1, on the face. */
static void cap_on_face(Meeting *m, const TmlFace *f, int face, double sign, Dual depth)
{
    const TmlSolidPair *o = &m->o;
    const DualVec n = d6v(f->normal), axis = o->at.axis[2];
    const double radius = sign > 0.0 ? o->S->cone.high : o->S->cone.low;
    const Dual cosine = d6_scale(-sign, d6v_dot(n, axis));
    const DualVec cross = d6v_cross(n, axis);
    Dual part = tml_along_share(d6v_norm(cross));
    const TmlDisc disc = {.centre = d6v_axpy(d6(sign * o->S->cone.half), axis, o->at.r),
                          .across = {o->at.axis[0], o->at.axis[1]},
                          .radius = radius};
    TmlArea area = {0};
    TmlFeet feet;
    if (!(part.x > 0.0) || cosine.x < 0.0 || !(radius > 0.0)) {
        return;
    }
    tml_disc_over(f, n, &disc, &area);
    if (!tml_area_feet(&area, radius, &feet)) {
        return;
    }
    part = d6_mul(d6_mul(part, relevance(m, depth)), tml_flat_share(feet.width, depth, m->size));
    const Dual share = d6_scale(0.25, take(m, part)), none[2] = {d6(0.0), d6(0.0)};
    for (int k = 0; k < 4 && share.x > 0.0; ++k) {
        const DualVec x =
            d6v_axpy(feet.u[k], disc.across[0], d6v_axpy(feet.v[k], disc.across[1], disc.centre));
        tml_flat_foot(&m->sink, x, n, below(f, x), share, none,
                      id_of(CAP_ID, face, (sign > 0.0 ? 4 : 0) + k));
    }
}

static void faces(Meeting *m)
{
    const TmlSolidPair *o = &m->o;
    const TmlPolyhedron *P = o->P;
    for (int k = 0; k < P->n_faces && m->sink.rest.x > 0.0; ++k) {
        const TmlFace f = {.count = P->start[k + 1] - P->start[k],
                           .corner = P->corner,
                           .loop = P->loop + P->start[k],
                           .normal = P->normal[k],
                           .offset = P->offset[k]};
        TmlPart part;
        const DualVec back = d6v_times(-1.0, d6v(f.normal));
        const TmlVec3 down = m3_tmulv(&o->pose->A, v3_neg(f.normal));
        const double reach = tml_solid_reach(o->S, down, &part);
        if (f.offset - v3_dot(f.normal, o->pose->r) + reach > m->least.x + 0.2 * m->size) {
            continue;
        }
        const DualVec x =
            tml_dual_out(&o->at, tml_solid_point(o->S, part, d6v_along(o->at.axis, back)));
        const Dual depth = below(&f, x);
        if (o->S->swell == 0.0) {
            cap_on_face(m, &f, k, -1.0, depth);
            cap_on_face(m, &f, k, 1.0, depth);
        }
        side_on_face(m, &f, k, depth);
    }
}

/* The part of an edge beside the solid's length: z from -half to half. */
static bool beside(const TmlSolidPair *o, TmlVec3 a, TmlVec3 b, Dual s[2])
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
    const TmlSolidPair *o = &m->o;
    const TmlVec3 a = o->P->corner[o->P->edge[edge][0]], b = o->P->corner[o->P->edge[edge][1]];
    const TmlVec3 e = v3_unit(v3_sub(b, a));
    const DualVec d = d6v(v3_sub(b, a));
    TmlDualTouch foot[2], middle;
    Dual s[2];
    if (fabs(v3_dot(e, o->pose->A.cz)) < 0.8 || !beside(o, a, b, s)) { // 0.8: a cone is steeper
        return;
    }
    const Dual half = d6_scale(0.5, d6_add(s[0], s[1]));
    tml_sharp_touch(o, d6v_axpy(half, d, d6v(a)), &e, &middle);
    const double lean = -v3_dot(d6v_value(middle.n), o->pose->A.cz);
    if (fabs(lean - tml_solid_slope(o->S)) > 1e-9) { // the nearest surface is an end
        return;
    }
    // the angle between the edge and the side, of which the normal is that of the middle
    const DualVec line = tml_solid_line(o->S, d6v_times(-1.0, d6v_along(o->at.axis, middle.n)));
    const DualVec c = d6v_cross(d6v_along(o->at.axis, d6v(e)), line);
    Dual part = tml_along_share(d6v_norm(c));
    if (!(part.x > 0.0)) {
        return;
    }
    const TmlVec3 n = d6v_value(middle.n);
    const int far = tml_polyhedron_support(o->P, n);
    TmlPart side;
    const TmlVec3 down = m3_tmulv(&o->pose->A, v3_neg(n));
    tml_solid_reach(o->S, down, &side);
    const DualVec back = d6v_times(-1.0, middle.n);
    const DualVec x =
        tml_dual_out(&o->at, tml_solid_point(o->S, side, d6v_along(o->at.axis, back)));
    const Dual depth = d6v_dot(middle.n, d6v_sub(d6v(o->P->corner[far]), x));
    const Dual common = d6_mul(d6(v3_norm(v3_sub(b, a))), d6_sub(s[1], s[0]));
    // the edge has to be what the polyhedron reaches farthest with along the normal
    const Dual own = d6_add(m->least, d6_sub(depth, middle.depth));
    part = d6_mul(part, d6_mul(relevance(m, depth), relevance(m, own)));
    const Dual share = d6_scale(0.5, take(m, d6_mul(part, tml_flat_share(common, depth, m->size))));
    for (int k = 0; k < 2 && share.x > 0.0; ++k) {
        tml_sharp_touch(o, d6v_axpy(s[k], d, d6v(a)), &e, &foot[k]);
        if (foot[k].depth.x >= -m->sink.reach && m->sink.n < TML_TOUCH_MAX) {
            foot[k].fade = d6_linear(1.0, -1.0, share);
            foot[k].id = id_of(EDGE_ID, edge, k);
            // at the end of the side rounding decides whether the nearest surface is that of the end
            const DualVec on = d6v_axpy(d6_scale(-0.5, foot[k].depth), foot[k].n, foot[k].p);
            tml_solid_curvatures(o, TML_PART_SIDE, false, on, d6v_times(-1.0, foot[k].n), &e,
                                 foot[k].curvature);
            tml_touch_write(&foot[k], m->sink.n++, m->sink.touch, m->sink.rate);
        }
    }
}

/* Polyhedron first. */
static int solid_touch(const TmlPolyhedron *P, const TmlSolid *S, const TmlPose *pose, double reach,
                       TmlTouch *touch, TmlTouchRate *rate)
{
    Meeting m = {.o = tml_solid_pair(P, S, pose)};
    TmlDualTouch point;
    if (v3_norm(v3_sub(P->centre, pose->r)) > P->radius + m.o.radius + reach) {
        return 0;
    }
    tml_least_way(&m.o, &point);
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

#define BOX_PAIR(round)                                                                            \
    int tml_pair_box_##round(const void *first, const void *second, const TmlPose *pose,           \
                             double reach, TmlTouch *touch, TmlTouchRate *rate)                    \
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
    int tml_pair_hull_##round(const void *first, const void *second, const TmlPose *pose,          \
                              double reach, TmlTouch *touch, TmlTouchRate *rate)                   \
    {                                                                                              \
        const TmlSolid S = tml_##round##_solid(second);                                            \
        return solid_touch(((const TmlHullData *)first)->solid, &S, pose, reach, touch, rate);     \
    }
HULL_PAIR(capsule)
HULL_PAIR(cylinder)
HULL_PAIR(cone)
HULL_PAIR(ellipsoid)
