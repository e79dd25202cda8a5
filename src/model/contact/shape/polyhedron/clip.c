/* model/contact/shape/polyhedron/clip.c - regions between planes: their faces, with derivatives.
 *
 * A face is a large square in its plane, cut by all other planes. Each side of a polygon knows the plane
 * in which it lies, so that a corner x lies in three: its face's and those of two sides, a, b, c. When
 * planes move with the second shape, whose points have the velocity u(x),
 *
 *   (P1)  u(x) = dr + dphi x (x - r)
 *   (P2)  n_k . dx = n_k . u(x) or 0 for k = a, b, c;   dx = sum g_k n_k . u(x),
 *         g_a = (n_b x n_c) / (n_a . n_b x n_c) and so on
 *
 * Planes that coincide would give a region one face twice. A point is therefore outside a plane of
 * lower number when it is on it, and inside one of higher number.
 */
#include "model/contact/shape/polyhedron/clip.h"
#include "math/vec3.h"

void tml_carried(TmlVec3 x, TmlVec3 r, TmlVec3 d[TML_TOUCH_VARIABLES])
{
    const TmlVec3 s = v3_sub(x, r);
    d[0] = v3(1, 0, 0);
    d[1] = v3(0, 1, 0);
    d[2] = v3(0, 0, 1);
    d[3] = v3(0, -s.z, s.y);
    d[4] = v3(s.z, 0, -s.x);
    d[5] = v3(-s.y, s.x, 0);
}

static void square(const TmlPlane *p, TmlVec3 middle, double radius, TmlPolygon *out)
{
    const TmlVec3 n = p->n;
    const TmlVec3 foot = v3_axpy(p->offset - v3_dot(n, middle), n, middle);
    const TmlVec3 across = fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    const TmlVec3 a = v3_scale(2.0 * radius, v3_unit(v3_cross(n, across)));
    const TmlVec3 b = v3_cross(n, a);
    const double s[4] = {1, -1, -1, 1}, t[4] = {1, 1, -1, -1};
    out->n = 4;
    for (int k = 0; k < 4; ++k) {
        out->x[k] = v3_axpy(s[k], a, v3_axpy(t[k], b, foot));
        out->edge[k] = -1;
    }
}

static void push(TmlPolygon *p, TmlVec3 x, int edge)
{
    if (p->n < TML_POLYGON_CORNERS) {
        p->x[p->n] = x;
        p->edge[p->n++] = edge;
    }
}

/* Cut off what lies beyond plane q by more than `bias`. Returns whether something was. Most of the time of two boxes goes here:
 * each distance is computed once. */
static bool cut(const TmlPolygon *in, const TmlPlane *q, int index, double bias, TmlPolygon *out)
{
    double beyond[TML_POLYGON_CORNERS];
    bool some = false;
    for (int k = 0; k < in->n; ++k) {
        beyond[k] = v3_dot(q->n, in->x[k]) - q->offset - bias;
        some |= beyond[k] > 0.0;
    }
    if (!some) {
        return false;
    }
    out->n = 0;
    for (int k = 0; k < in->n; ++k) {
        const int next = k + 1 < in->n ? k + 1 : 0;
        const double here = beyond[k], there = beyond[next];
        if (here <= 0.0) {
            push(out, in->x[k], in->edge[k]);
        }
        if ((here <= 0.0) != (there <= 0.0)) {
            const double s = here / (here - there);
            push(out, v3_axpy(s, v3_sub(in->x[next], in->x[k]), in->x[k]),
                 here <= 0.0 ? index : in->edge[k]);
        }
    }
    return true;
}

bool tml_region_face(const TmlRegion *R, int h, TmlPolygon *out)
{
    TmlPolygon other, *now = out, *next = &other;
    square(&R->plane[h], R->middle, R->radius, now);
    for (int q = 0; q < R->n && now->n >= 3; ++q) {
        const double bias = R->plane[q].id < R->plane[h].id ? -R->slack : R->slack;
        if (q != h && cut(now, &R->plane[q], q, bias, next)) {
            TmlPolygon *swap = now;
            now = next;
            next = swap;
        }
    }
    if (now != out) {
        out->n = now->n;
        for (int k = 0; k < now->n; ++k) {
            out->x[k] = now->x[k];
            out->edge[k] = now->edge[k];
        }
    }
    return out->n >= 3;
}

/* (P2) */
static void corner_rate(const TmlRegion *R, const int plane[3], TmlVec3 x,
                        TmlVec3 d[TML_TOUCH_VARIABLES])
{
    for (int i = 0; i < TML_TOUCH_VARIABLES; ++i) {
        d[i] = v3(0, 0, 0);
    }
    if (plane[1] < 0 || plane[2] < 0) {
        return;
    }
    const TmlVec3 n[3] = {R->plane[plane[0]].n, R->plane[plane[1]].n, R->plane[plane[2]].n};
    const double det = v3_dot(n[0], v3_cross(n[1], n[2]));
    if (fabs(det) < 1e-12) {
        return; // two planes in one: the corner is one in name only, and has no area beside it
    }
    TmlVec3 u[TML_TOUCH_VARIABLES];
    tml_carried(x, R->r, u);
    for (int k = 0; k < 3; ++k) {
        if (R->plane[plane[k]].moves) {
            const TmlVec3 g = v3_scale(1.0 / det, v3_cross(n[(k + 1) % 3], n[(k + 2) % 3]));
            for (int i = 0; i < TML_TOUCH_VARIABLES; ++i) {
                d[i] = v3_axpy(v3_dot(n[k], u[i]), g, d[i]);
            }
        }
    }
}

/* A corner with its derivatives. */
typedef struct Corner {
    TmlVec3 x, d[TML_TOUCH_VARIABLES];
} Corner;

static void face_corner(const TmlRegion *R, int h, const TmlPolygon *f, int k, bool rates,
                        Corner *out)
{
    out->x = f->x[k];
    if (rates) {
        const int planes[3] = {h, f->edge[k > 0 ? k - 1 : f->n - 1], f->edge[k]};
        corner_rate(R, planes, f->x[k], out->d);
    }
}

/* Add the triangle a, b, c of a face with normal n: area, and area times centroid seen from a. */
static void add_triangle(TmlVec3 n, const Corner *a, const Corner *b, const Corner *c, bool rates,
                         TmlFacet *sum)
{
    const TmlVec3 ab = v3_sub(b->x, a->x), ac = v3_sub(c->x, a->x);
    const double area = 0.5 * v3_dot(n, v3_cross(ab, ac));
    const TmlVec3 m = v3_scale(1.0 / 3.0, v3_add(ab, ac));
    sum->area += area;
    sum->c = v3_axpy(area, m, sum->c);
    for (int i = 0; i < TML_TOUCH_VARIABLES && rates; ++i) {
        // n turns across the area vector, which does not change their product to first order
        const TmlVec3 dab = v3_sub(b->d[i], a->d[i]), dac = v3_sub(c->d[i], a->d[i]);
        const double d = 0.5 * v3_dot(n, v3_add(v3_cross(dab, ac), v3_cross(ab, dac)));
        sum->area_rate[i] += d;
        sum->c_rate[i] = v3_axpy(d, m, v3_axpy(area / 3.0, v3_add(dab, dac), sum->c_rate[i]));
    }
}

bool tml_region_facet(const TmlRegion *R, int h, const TmlPolygon *face, bool rates, TmlFacet *out)
{
    Corner first, b, c;
    *out = (TmlFacet){.plane = h};
    face_corner(R, h, face, 0, rates, &first);
    face_corner(R, h, face, 1, rates, &b);
    for (int k = 2; k < face->n; ++k) {
        face_corner(R, h, face, k, rates, &c);
        add_triangle(R->plane[h].n, &first, &b, &c, rates, out);
        b = c;
    }
    if (!(out->area > 0.0)) {
        return false;
    }
    const TmlVec3 m = v3_scale(1.0 / out->area, out->c);
    for (int i = 0; i < TML_TOUCH_VARIABLES && rates; ++i) {
        const TmlVec3 dm =
            v3_scale(1.0 / out->area, v3_axpy(-out->area_rate[i], m, out->c_rate[i]));
        out->c_rate[i] = v3_add(first.d[i], dm);
    }
    out->c = v3_add(first.x, m);
    return true;
}
