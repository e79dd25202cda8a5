/* model/contact/shape/round/flats.c - lines and discs of the second shape that lie over a flat face of the first.
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
 * takes the place of the length in (L3): narrow strips leave the force to the point of least depth.
 */
#include "model/contact/shape/round/flats.h"
#include "model/contact/shape/round/rods.h"

static TmlVec3 corner_of(const TmlFace *face, int k)
{
    return face->corner[face->loop != NULL ? face->loop[k] : k];
}

/* The inward side plane number k: g = q . (x - a), q across n. */
static DualVec side_plane(const TmlFace *face, DualVec n, int k, TmlVec3 *a)
{
    const TmlVec3 b = corner_of(face, (k + 1) % face->count);
    *a = corner_of(face, k);
    return d6v_cross(n, d6v(v3_sub(b, *a)));
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
    const DualVec up = d6v(face->normal);
    line->low = d6(0.0);
    line->high = d6(1.0);
    if (!cut_line(d6_linear(face->offset, -1.0, d6v_dot(up, line->a)),
                  d6_linear(face->offset, -1.0, d6v_dot(up, line->b)), line)) {
        return false;
    }
    for (int k = 0; k < face->count; ++k) {
        TmlVec3 a;
        const DualVec q = side_plane(face, n, k, &a), corner = d6v(a);
        if (!cut_line(d6v_dot(q, d6v_sub(line->a, corner)), d6v_dot(q, d6v_sub(line->b, corner)),
                      line)) {
            return false;
        }
    }
    return true;
}

/* --- discs ----------------------------------------------------------------------------------- */

typedef struct Point {
    Dual u, v;
} Point;

typedef struct Polygon {
    int n;
    Point x[TML_DISC_CUT + 1];
} Polygon;

static Dual linear(const Dual g[3], const Point *x)
{
    return d6_add(g[0], d6_add(d6_mul(g[1], x->u), d6_mul(g[2], x->v)));
}

/* Cuts off where g[0] + g[1] u + g[2] v is negative. */
static void cut_polygon(const Dual g[3], Polygon *p)
{
    double value[TML_DISC_CUT + 1];
    bool cut = false;
    for (int k = 0; k < p->n; ++k) {
        value[k] = g[0].x + g[1].x * p->x[k].u.x + g[2].x * p->x[k].v.x;
        cut = cut || value[k] < 0.0;
    }
    if (!cut) {
        return;
    }
    Polygon out;
    out.n = 0;
    for (int k = 0; k < p->n && out.n < TML_DISC_CUT; ++k) {
        const Point *a = &p->x[k], *b = &p->x[(k + 1) % p->n];
        const double va = value[k], vb = value[(k + 1) % p->n];
        if (va >= 0.0) {
            out.x[out.n++] = *a;
        }
        if ((va >= 0.0) != (vb >= 0.0)) {
            const Dual ga = linear(g, a), s = d6_div(ga, d6_sub(ga, linear(g, b)));
            out.x[out.n].u = d6_add(a->u, d6_mul(s, d6_sub(b->u, a->u)));
            out.x[out.n++].v = d6_add(a->v, d6_mul(s, d6_sub(b->v, a->v)));
        }
    }
    p->n = out.n;
    for (int k = 0; k < out.n; ++k) {
        p->x[k] = out.x[k];
    }
}

/* Adds the triangle from the origin to two corners. */
static void add_triangle(const Point *a, const Point *b, TmlArea *sum)
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
    Polygon p = {.n = TML_DISC_CORNERS};
    Dual g[3];
    if (face->count + TML_DISC_CORNERS > TML_DISC_CUT) {
        return; // such a face is as good as round: the point of least depth has the force
    }
    for (int k = 0; k < TML_DISC_CORNERS; ++k) {
        const double angle = 6.283185307179586 * k / TML_DISC_CORNERS;
        p.x[k] = (Point){d6(disc->radius * cos(angle)), d6(disc->radius * sin(angle))};
    }
    in_disc(disc, d6v(v3_neg(face->normal)), d6(-face->offset), g);
    cut_polygon(g, &p);
    for (int k = 0; k < face->count && p.n > 2; ++k) {
        TmlVec3 a;
        const DualVec q = side_plane(face, n, k, &a);
        in_disc(disc, q, d6v_dot(q, d6v(a)), g);
        cut_polygon(g, &p);
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
    const Dual a = d6_mul(f, d6_add(xx, D)), b = d6_mul(f, xy), c = d6_mul(f, d6_add(yy, D));
    const Dual su[2] = {a, b}, sv[2] = {b, c};
    for (int k = 0; k < 4; ++k) { // (D1)
        const Dual du = su[k / 2], dv = sv[k / 2];
        feet->u[k] = k % 2 == 0 ? d6_add(u, du) : d6_sub(u, du);
        feet->v[k] = k % 2 == 0 ? d6_add(v, dv) : d6_sub(v, dv);
    }
    feet->width = d6_div(area->area, d6_sqrt(d6_scale(12.0, trace))); // (D3)
    return true;
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
