/* model/contact/shape/round/flats.c - lines and discs that lie over flat faces.
 *
 * Where two shapes lie on each other along a line or over a face, the point of least depth jumps with the
 * least tilt. There several feet take its place. Of a line these are the two ends of the part that is over the
 * face and below its plane, each with half of the share. Of a disc, cut by the sides of the face and by its
 * plane, with the area A, the centroid c and the second moments M about it, in two coordinates of the disc:
 *
 *   (D1)  feet at c + s_k, c - s_k,  S = (s_1 s_2) = sqrt(2) M^(1/2),  a quarter of the share each
 *   (D2)  M^(1/2) = (M + D I) / sqrt(tr M + 2 D),  D = sqrt(det M)
 *
 * Four springs there have the resultant and the stiffness against tilt of an even pressure over the area. The
 * root is a smooth function of the moments, and goes over into that of a line. Feet are thus continuous when
 * the disc slides over an edge or tilts out of the face. The mean of their depths is the depth at c.
 *
 *   (D3)  width = A / sqrt(12 tr M)        of a strip its width
 *
 * takes the place of the length in (L3): narrow strips leave the force to the point of least depth. Of the share
 * that is left, feet take
 *
 *   (D4)  (1 - (L1)) (L3) g(1 - (depth_f - D) / (R/5)),  g = 3 x^2 - 2 x^3 within 0 and 1
 *
 * with D the least depth in any direction and depth_f that along the normal of the face: faces on the far side of a
 * body take no part. R is the lesser of radius and half length. The point of least depth has the rest, so
 * that shares sum to one.
 */
#include "model/contact/shape/round/flats.h"
#include "model/contact/shape/round/cut_polygon.h"
#include "model/contact/shape/round/rods.h"

/* The inward side plane number k: g = q . (x - a), q across n. */
static DualVec side_plane(const TmlFace *face, DualVec n, int k)
{
    return d6v_cross(n, d6v_sub(face->corner[(k + 1) % face->count], face->corner[k]));
}

TmlDisc tml_cap_disc(const TmlSolid *solid, const TmlDualPose *at, double sign)
{
    return (TmlDisc){.centre = d6v_axpy(d6(sign * solid->cone.half), at->axis[2], at->r),
                     .across = {at->axis[0], at->axis[1]},
                     .radius = sign > 0.0 ? solid->cone.high : solid->cone.low};
}

static DualVec on_disc(const TmlDisc *disc, Dual u, Dual v)
{
    return d6v_axpy(u, disc->across[0], d6v_axpy(v, disc->across[1], disc->centre));
}

/* Places of the corners of a disc as a polygon. */
static double corner_u(const TmlDisc *disc, int k)
{
    return disc->radius * cos(6.283185307179586 * k / TML_DISC_CORNERS);
}

static double corner_v(const TmlDisc *disc, int k)
{
    return disc->radius * sin(6.283185307179586 * k / TML_DISC_CORNERS);
}

void tml_cap_face(const TmlSolid *solid, const TmlDualPose *at, double sign, TmlFace *face)
{
    const TmlDisc disc = tml_cap_disc(solid, at, sign);
    face->count = TML_DISC_CORNERS;
    face->normal = d6v_times(sign, at->axis[2]);
    face->offset = d6v_dot(face->normal, disc.centre);
    for (int k = 0; k < TML_DISC_CORNERS; ++k) {
        const int from =
            sign > 0.0 ? k : TML_DISC_CORNERS - k; // the same corners, seen from outside
        face->corner[k] = on_disc(&disc, d6(corner_u(&disc, from)), d6(corner_v(&disc, from)));
    }
}

Dual tml_along_share(Dual sine)
{
    const Dual w = tml_dual_smooth(d6_linear(-1.0 / 3.0, 1.0 / 0.09, d6_mul(sine, sine)));
    return d6_linear(1.0, -1.0, w); // (L1)
}

Dual tml_flat_share(Dual length, Dual depth, double radius)
{
    return tml_dual_smooth(d6_scale(5.0 / radius, d6_sub(length, d6_scale(2.0, depth)))); // (L3)
}

/* --- lines ----------------------------------------------------------------------------------- */

/* Keeps what of the line has g > 0, g being linear with the values at both ends. False: nothing. */
static bool cut_line(Dual g0, Dual g1, TmlLine *line)
{
    if (g0.x <= 0.0 && g1.x <= 0.0) {
        return false;
    }
    if (g0.x < 0.0 || g1.x < 0.0) {
        const Dual at = d6_div(g0, d6_sub(g0, g1));
        if (g0.x < 0.0 && at.x > line->low.x) {
            line->low = at;
        } else if (g1.x < 0.0 && at.x < line->high.x) {
            line->high = at;
        }
    }
    return line->low.x < line->high.x;
}

bool tml_line_over(const TmlFace *face, DualVec n, TmlLine *line)
{
    line->low = d6(0.0);
    line->high = d6(1.0);
    if (!cut_line(d6_sub(face->offset, d6v_dot(face->normal, line->a)),
                  d6_sub(face->offset, d6v_dot(face->normal, line->b)), line)) {
        return false;
    }
    for (int k = 0; k < face->count; ++k) {
        const DualVec q = side_plane(face, n, k), corner = face->corner[k];
        if (!cut_line(d6v_dot(q, d6v_sub(line->a, corner)), d6v_dot(q, d6v_sub(line->b, corner)),
                      line)) {
            return false;
        }
    }
    return true;
}

/* --- discs ----------------------------------------------------------------------------------- */

/* Adds the triangle from the origin to two corners. */
static void add_triangle(const TmlCutPoint *a, const TmlCutPoint *b, TmlArea *sum)
{
    const Dual twice = d6_sub(d6_mul(a->u, b->v), d6_mul(a->v, b->u));
    const Dual su = d6_add(a->u, b->u), sv = d6_add(a->v, b->v);
    const Dual uu = d6_add(d6_mul(su, su), d6_add(d6_mul(a->u, a->u), d6_mul(b->u, b->u)));
    const Dual uv = d6_add(d6_mul(su, sv), d6_add(d6_mul(a->u, a->v), d6_mul(b->u, b->v)));
    const Dual vv = d6_add(d6_mul(sv, sv), d6_add(d6_mul(a->v, a->v), d6_mul(b->v, b->v)));
    sum->area = d6_add(sum->area, d6_scale(0.5, twice));
    sum->first[0] = d6_add(sum->first[0], d6_scale(1.0 / 6.0, d6_mul(twice, su)));
    sum->first[1] = d6_add(sum->first[1], d6_scale(1.0 / 6.0, d6_mul(twice, sv)));
    sum->second[0] = d6_add(sum->second[0], d6_scale(1.0 / 24.0, d6_mul(twice, uu)));
    sum->second[1] = d6_add(sum->second[1], d6_scale(1.0 / 24.0, d6_mul(twice, uv)));
    sum->second[2] = d6_add(sum->second[2], d6_scale(1.0 / 24.0, d6_mul(twice, vv)));
}

/* g of a plane q . x >= c in the coordinates of the disc. */
static void in_disc(const TmlDisc *disc, DualVec q, Dual c, Dual g[3])
{
    g[0] = d6_sub(d6v_dot(q, disc->centre), c);
    g[1] = d6v_dot(q, disc->across[0]);
    g[2] = d6v_dot(q, disc->across[1]);
}

void tml_disc_over(const TmlFace *face, DualVec n, const TmlDisc *disc, TmlArea *area)
{
    TmlCutPolygon p = {.n = TML_DISC_CORNERS};
    Dual g[3];
    for (int k = 0; k < TML_DISC_CORNERS; ++k) {
        p.x[k] = (TmlCutPoint){d6(corner_u(disc, k)), d6(corner_v(disc, k))};
    }
    in_disc(disc, d6v_times(-1.0, face->normal), d6_neg(face->offset), g);
    tml_cut(g, &p);
    for (int k = 0; k < face->count && p.n > 2; ++k) {
        const DualVec q = side_plane(face, n, k);
        in_disc(disc, q, d6v_dot(q, face->corner[k]), g);
        tml_cut(g, &p);
    }
    for (int k = 0; k < p.n && p.n > 2; ++k) {
        add_triangle(&p.x[k], &p.x[(k + 1) % p.n], area);
    }
}

bool tml_area_feet(const TmlArea *area, double radius, TmlFeet *feet)
{
    if (!(area->area.x > 1e-12 * radius * radius)) { // less has no direction left in its rounding
        return false;
    }
    const Dual u = d6_div(area->first[0], area->area), v = d6_div(area->first[1], area->area);
    const Dual xx = d6_sub(d6_div(area->second[0], area->area), d6_mul(u, u));
    const Dual xy = d6_sub(d6_div(area->second[1], area->area), d6_mul(u, v));
    const Dual yy = d6_sub(d6_div(area->second[2], area->area), d6_mul(v, v));
    const Dual D = d6_sqrt(d6_sub(d6_mul(xx, yy), d6_mul(xy, xy)));
    const Dual trace = d6_add(xx, yy), size = d6_sqrt(d6_add(trace, d6_scale(2.0, D)));
    if (!(trace.x > 0.0)) {
        return false;
    }
    const Dual f = d6_div(d6(sqrt(2.0)), size); // (D2)
    feet->centre[0] = u;
    feet->centre[1] = v;
    feet->root[0] = d6_mul(f, d6_add(xx, D));
    feet->root[1] = d6_mul(f, xy);
    feet->root[2] = d6_mul(f, d6_add(yy, D));
    feet->width = d6_div(area->area, d6_sqrt(d6_scale(12.0, trace))); // (D3)
    return true;
}

DualVec tml_foot(const TmlDisc *disc, const TmlFeet *feet, const Dual direction[2], int k)
{
    const Dual x = k < 2 ? direction[0] : d6_neg(direction[1]);
    const Dual y = k < 2 ? direction[1] : direction[0];
    const Dual u = d6_add(d6_mul(feet->root[0], x), d6_mul(feet->root[1], y));
    const Dual v = d6_add(d6_mul(feet->root[1], x), d6_mul(feet->root[2], y));
    const double sign = k % 2 == 0 ? 1.0 : -1.0; // (D1)
    return on_disc(disc, d6_add(feet->centre[0], d6_scale(sign, u)),
                   d6_add(feet->centre[1], d6_scale(sign, v)));
}

Dual tml_flat_take(TmlFlatSink *sink, Dual part)
{
    const Dual share = d6_mul(sink->rest, part);
    sink->rest = d6_sub(sink->rest, share);
    return share;
}

void tml_flat_foot(TmlFlatSink *sink, DualVec x, DualVec n, Dual depth, Dual share,
                   const Dual curvature[2], uint64_t id)
{
    TmlDualTouch o = {.p = d6v_axpy(d6_scale(0.5, depth), n, x),
                      .n = n,
                      .depth = depth,
                      .fade = d6_linear(1.0, -1.0, share),
                      .curvature = {curvature[0], curvature[1]},
                      .id = id};
    if (depth.x >= -sink->reach && share.x > 0.0 && sink->n < TML_TOUCH_MAX) {
        tml_touch_write(&o, sink->n++, sink->touch, sink->rate);
    }
}

/* --- solids ---------------------------------------------------------------------------------- */

Dual tml_lying_depth(const TmlFace *face, const TmlSolid *solid, const TmlDualPose *at)
{
    TmlPart part;
    const DualVec down = d6v_times(-1.0, d6v_along(at->axis, face->normal));
    tml_solid_reach(solid, d6v_value(down), &part);
    const DualVec x = tml_dual_out(at, tml_solid_point(solid, part, down));
    return d6_sub(face->offset, d6v_dot(face->normal, x));
}

Dual tml_lying_relevance(Dual depth, Dual least, double size)
{
    return tml_dual_smooth(d6_linear(1.0, -5.0 / size, d6_sub(depth, least)));
}

/* A foot at x of the solid. */
static void put(TmlFlatSink *sink, const TmlLying *o, DualVec x, Dual share,
                const Dual curvature[2], int k)
{
    const DualVec n = o->face->normal;
    const Dual depth = d6_sub(o->face->offset, d6v_dot(n, x));
    if (o->first) {
        x = d6v_axpy(depth, n, x); // the point of the face
    }
    tml_flat_foot(sink, x, o->first ? d6v_times(-1.0, n) : n, depth, share, curvature,
                  o->id + (uint64_t)k);
}

bool tml_lying_line(const TmlFace *face, const TmlSolid *solid, const TmlDualPose *at,
                    TmlLine *line)
{
    const DualVec down = d6v_times(-1.0, d6v_along(at->axis, face->normal));
    line->a = tml_dual_out(at, tml_solid_point(solid, TML_PART_LOW, down));
    line->b = tml_dual_out(at, tml_solid_point(solid, TML_PART_HIGH, down));
    const TmlVec3 d = v3_sub(d6v_value(line->b), d6v_value(line->a));
    const double up = v3_dot(d, d6v_value(face->normal));
    return up * up < 0.12 * v3_dot(d, d); // (L1) has something left
}

void tml_line_stands(TmlFlatSink *sink, const TmlLying *o, const TmlLine *line, Dual common)
{
    const DualVec d = d6v_sub(line->b, line->a);
    const Dual along = tml_along_share(d6_div(d6v_dot(d, o->face->normal), d6v_norm(d)));
    const Dual part = d6_mul(along, tml_lying_relevance(o->depth, o->least, o->size)); // (D4)
    const Dual long_enough = tml_flat_share(common, o->depth, o->size);
    const Dual share = d6_scale(0.5, tml_flat_take(sink, d6_mul(part, long_enough)));
    const double sa = tml_solid_slope(o->solid), ca = sqrt(1.0 - sa * sa);
    for (int k = 0; k < 2 && share.x > 0.0; ++k) {
        const DualVec x = d6v_axpy(k == 0 ? line->low : line->high, d, line->a);
        const Dual rho = tml_meridian(tml_dual_into(o->at, x)).rho;
        const Dual curvature[2] = {d6(0.0), rho.x > 0.0 ? d6_div(d6(ca), rho) : d6(HUGE_VAL)};
        put(sink, o, x, share, curvature, k);
    }
}

void tml_side_lies(TmlFlatSink *sink, const TmlLying *o)
{
    TmlLine line;
    if (!tml_lying_line(o->face, o->solid, o->at, &line) ||
        !tml_line_over(o->face, o->face->normal, &line)) {
        return;
    }
    const Dual length = d6v_norm(d6v_sub(line.b, line.a));
    tml_line_stands(sink, o, &line, d6_mul(length, d6_sub(line.high, line.low)));
}

void tml_area_stands(TmlFlatSink *sink, const TmlLying *o, const TmlArea *area, double sign)
{
    const TmlDisc disc = tml_cap_disc(o->solid, o->at, sign);
    const Dual along = tml_along_share(d6v_norm(d6v_cross(o->face->normal, o->at->axis[2])));
    TmlFeet feet;
    if (!tml_area_feet(area, disc.radius, &feet)) {
        return;
    }
    const Dual part = d6_mul(along, tml_lying_relevance(o->depth, o->least, o->size)); // (D4)
    const Dual wide = tml_flat_share(feet.width, o->depth, o->size);
    const Dual share = d6_scale(0.25, tml_flat_take(sink, d6_mul(part, wide)));
    const Dual flat[2] = {d6(0.0), d6(0.0)}, first[2] = {d6(1.0), d6(0.0)};
    for (int k = 0; k < 4 && share.x > 0.0; ++k) {
        put(sink, o, tml_foot(&disc, &feet, first, k), share, flat, (sign > 0.0 ? 4 : 0) + k);
    }
}

void tml_cap_lies(TmlFlatSink *sink, const TmlLying *o, double sign)
{
    const TmlVec3 n = d6v_value(o->face->normal);
    const double cosine = sign * v3_dot(n, d6v_value(o->at->axis[2]));
    const TmlDisc disc = tml_cap_disc(o->solid, o->at, sign);
    TmlArea area = {0};
    if (cosine > -0.9 || !(disc.radius > 0.0)) { // (L1) has nothing left at 0.938
        return;
    }
    tml_disc_over(o->face, o->face->normal, &disc, &area);
    tml_area_stands(sink, o, &area, sign);
}
