/* model/contact/shape/polyhedron/near_features.c - nearest features of a polyhedron and another, a point or a line.
 *
 * pa and pb are nearest on two features with directions t_a, t_b (none, one or two), x = pb - pa. When the
 * second shape moves, u(pb) as in (P1), they slide, dpa = t_a alpha, dpb = u + t_b beta, so that x stays
 * perpendicular to all directions:
 *
 *   (P24)  t_a . (u + t_b beta - t_a alpha) = 0
 *   (P25)  t_b . (u + t_b beta - t_a alpha) + x . (dphi x t_b) = 0
 *   (P26)  depth = R - |x|, d depth = -n . u;   p = pa - n depth / 2
 *   (P27) dn = (1 - n n^T) dx / |x|;  beside a face n goes with the face, between edges n ~ t_a x t_b
 *
 * Two features have at most two directions together: what is parallel to a face or an edge has ends.
 */
#include "model/contact/shape/polyhedron/near_features.h"
#include "math/vec3.h"

enum { N = TML_TOUCH_VARIABLES };

/* --- finding -------------------------------------------------------------------------------- */

static void keep(TmlNearPair *best, TmlFeature a, TmlFeature b, TmlVec3 pa, TmlVec3 pb)
{
    const TmlVec3 x = v3_sub(pb, pa);
    const double distance = v3_norm(x);
    if (distance < best->distance && distance > 0.0) {
        *best = (TmlNearPair){a, b, pa, pb, v3_scale(1.0 / distance, x), distance};
    }
}

static TmlFeature corner_feature(int index)
{
    return (TmlFeature){.dim = 0, .index = index};
}

static TmlFeature edge_feature(const TmlPolyhedron *P, int index)
{
    const TmlVec3 *c = P->corner;
    const TmlVec3 t = v3_unit(v3_sub(c[P->edge[index][1]], c[P->edge[index][0]]));
    return (TmlFeature){.dim = 1, .index = index, .along = {t}};
}

static TmlFeature face_feature(const TmlPolyhedron *P, int index)
{
    const TmlVec3 n = P->normal[index];
    const TmlVec3 s = v3_unit(v3_cross(n, fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0)));
    return (TmlFeature){.dim = 2, .index = index, .along = {s, v3_cross(n, s)}};
}

/* Whether a point of the plane of a face lies within its loop. */
static bool in_face(const TmlPolyhedron *P, int face, TmlVec3 x)
{
    const int first = P->start[face], end = P->start[face + 1];
    for (int k = first; k < end; ++k) {
        const TmlVec3 a = P->corner[P->loop[k]],
                      b = P->corner[P->loop[k + 1 < end ? k + 1 : first]];
        if (v3_dot(v3_cross(P->normal[face], v3_sub(b, a)), v3_sub(x, a)) < 0.0) {
            return false;
        }
    }
    return true;
}

/* Corners of Q above faces of P. flip: P is the second shape. */
static void corners_above_faces(const TmlPolyhedron *P, const TmlPolyhedron *Q, bool flip,
                                TmlNearPair *best)
{
    for (int f = 0; f < P->n_faces; ++f) {
        for (int k = 0; k < Q->n_corners; ++k) {
            const TmlVec3 q = Q->corner[k];
            const double height = v3_dot(P->normal[f], q) - P->offset[f];
            if (height <= 0.0 || height >= best->distance) {
                continue;
            }
            const TmlVec3 foot = v3_axpy(-height, P->normal[f], q);
            if (in_face(P, f, foot)) {
                const TmlFeature face = face_feature(P, f), corner = corner_feature(k);
                keep(best, flip ? corner : face, flip ? face : corner, flip ? q : foot,
                     flip ? foot : q);
            }
        }
    }
}

/* Nearest points of two segments; which of the ends they are: -1 inside. */
static void segments(TmlVec3 a0, TmlVec3 a1, TmlVec3 b0, TmlVec3 b1, double *s, double *t)
{
    const TmlVec3 u = v3_sub(a1, a0), v = v3_sub(b1, b0), w = v3_sub(b0, a0);
    const double uu = v3_dot(u, u), vv = v3_dot(v, v), uv = v3_dot(u, v);
    const double uw = v3_dot(u, w), vw = v3_dot(v, w), det = uu * vv - uv * uv;
    *s = det > 1e-12 * uu * vv ? (uw * vv - vw * uv) / det : 0.0;
    *s = fmin(fmax(*s, 0.0), 1.0);
    *t = vv > 0.0 ? (uv * *s - vw) / vv : 0.0;
    if (*t < 0.0 || *t > 1.0) {
        *t = fmin(fmax(*t, 0.0), 1.0);
        *s = fmin(fmax((uw + uv * *t) / uu, 0.0), 1.0);
    }
}

static TmlFeature edge_or_end(const TmlPolyhedron *P, int edge, double s)
{
    return s <= 0.0   ? corner_feature(P->edge[edge][0])
           : s >= 1.0 ? corner_feature(P->edge[edge][1])
                      : edge_feature(P, edge);
}

static void edges_near_edges(const TmlPolyhedron *A, const TmlPolyhedron *B, TmlVec3 n, double low,
                             double high, TmlNearPair *best)
{
    for (int i = 0; i < A->n_edges; ++i) {
        const TmlVec3 a0 = A->corner[A->edge[i][0]], a1 = A->corner[A->edge[i][1]];
        if (fmax(v3_dot(n, a0), v3_dot(n, a1)) < high - best->distance) {
            continue; // nothing of B is so near to it
        }
        for (int j = 0; j < B->n_edges; ++j) {
            const TmlVec3 b0 = B->corner[B->edge[j][0]], b1 = B->corner[B->edge[j][1]];
            if (fmin(v3_dot(n, b0), v3_dot(n, b1)) > low + best->distance) {
                continue;
            }
            double s, t;
            segments(a0, a1, b0, b1, &s, &t);
            keep(best, edge_or_end(A, i, s), edge_or_end(B, j, t), v3_axpy(s, v3_sub(a1, a0), a0),
                 v3_axpy(t, v3_sub(b1, b0), b0));
        }
    }
}

/* The face normal, of A or turned round of B, along which the two are farthest apart. */
static TmlVec3 widest(const TmlPolyhedron *A, const TmlPolyhedron *B, double *gap)
{
    TmlVec3 n = v3_unit(v3_sub(B->centre, A->centre));
    *gap = -HUGE_VAL;
    for (int k = 0; k < A->n_faces + B->n_faces; ++k) {
        const TmlVec3 d = k < A->n_faces ? A->normal[k] : v3_neg(B->normal[k - A->n_faces]);
        const TmlVec3 a = A->corner[tml_polyhedron_support(A, d)];
        const TmlVec3 b = B->corner[tml_polyhedron_support(B, v3_neg(d))];
        const double g = v3_dot(d, v3_sub(b, a));
        if (g > *gap) {
            *gap = g;
            n = d;
        }
    }
    return n;
}

bool tml_near_features(const TmlPolyhedron *A, const TmlPolyhedron *B, double most,
                       TmlNearPair *out)
{
    double gap;
    const TmlVec3 n = widest(A, B, &gap);
    if (gap > most) {
        return false;
    }
    const double high = v3_dot(n, B->corner[tml_polyhedron_support(B, v3_neg(n))]);
    const double low = v3_dot(n, A->corner[tml_polyhedron_support(A, n)]);
    // slightly more than `most`: what is exactly as far counts
    *out = (TmlNearPair){.distance = most + 1e-12 * (fabs(most) + A->radius + B->radius)};
    const double start = out->distance;
    corners_above_faces(A, B, false, out);
    corners_above_faces(B, A, true, out);
    edges_near_edges(A, B, n, low, high, out);
    return out->distance < start;
}

void tml_near_point(const TmlPolyhedron *A, TmlVec3 x, TmlNearPair *out)
{
    *out = (TmlNearPair){.distance = HUGE_VAL};
    int face = 0;
    double height = -HUGE_VAL;
    for (int f = 0; f < A->n_faces; ++f) {
        const double h = v3_dot(A->normal[f], x) - A->offset[f];
        if (h > height) {
            height = h;
            face = f;
        }
    }
    const TmlVec3 foot = v3_axpy(-height, A->normal[face], x);
    if (height <= 0.0 || in_face(A, face, foot)) {
        *out = (TmlNearPair){
            face_feature(A, face), corner_feature(0), foot, x, A->normal[face], height};
        return;
    }
    const TmlPolyhedron point = {.n_corners = 1, .corner = &x};
    corners_above_faces(A, &point, false, out);
    for (int i = 0; i < A->n_edges; ++i) {
        const TmlVec3 a0 = A->corner[A->edge[i][0]], a1 = A->corner[A->edge[i][1]];
        const TmlVec3 u = v3_sub(a1, a0);
        const double s = fmin(fmax(v3_dot(u, v3_sub(x, a0)) / v3_dot(u, u), 0.0), 1.0);
        keep(out, edge_or_end(A, i, s), corner_feature(0), v3_axpy(s, u, a0), x);
    }
}

/* --- rates ---------------------------------------------------------------------------------- */

/* The motion of the nearest points for one variable: (P24), (P25). */
static void slide(const TmlNearPair *near, TmlVec3 u, TmlVec3 turn, TmlVec3 *dpa, TmlVec3 *dpb)
{
    const TmlVec3 x = v3_scale(near->distance, near->n);
    const int na = near->a.dim, n = na + near->b.dim;
    TmlVec3 t[2];
    double sign[2], rhs[2], c[2] = {0, 0};
    for (int k = 0; k < n && k < 2; ++k) {
        t[k] = k < na ? near->a.along[k] : near->b.along[k - na];
        sign[k] = k < na ? -1.0 : 1.0; // how it enters pb - pa
        rhs[k] = -v3_dot(t[k], u) - (k < na ? 0.0 : v3_dot(x, v3_cross(turn, t[k])));
    }
    if (n == 1) {
        c[0] = sign[0] * rhs[0];
    } else if (n >= 2) {
        const double m = v3_dot(t[0], t[1]), det = 1.0 - m * m;
        // parallel edges: the point between stays where it is
        c[0] = det > 1e-12 ? sign[0] * (rhs[0] - m * rhs[1]) / det : 0.0;
        c[1] = det > 1e-12 ? sign[1] * (rhs[1] - m * rhs[0]) / det : 0.0;
    }
    *dpa = v3(0, 0, 0);
    *dpb = u;
    for (int k = 0; k < n && k < 2; ++k) {
        if (k < na) {
            *dpa = v3_axpy(c[k], t[k], *dpa);
        } else {
            *dpb = v3_axpy(c[k], t[k], *dpb);
        }
    }
}

/* (P27) */
static TmlVec3 turn_of_normal(const TmlNearPair *near, TmlVec3 dx, TmlVec3 turn)
{
    const TmlVec3 n = near->n;
    if (near->a.dim == 2) {
        return v3(0, 0, 0);
    }
    if (near->b.dim == 2) {
        return v3_cross(turn, n);
    }
    if (near->a.dim == 1 && near->b.dim == 1) {
        const TmlVec3 ta = near->a.along[0], tb = near->b.along[0], c = v3_cross(ta, tb);
        const double size = v3_norm(c), s = v3_dot(c, n) > 0.0 ? 1.0 / size : -1.0 / size;
        const TmlVec3 d = v3_scale(s, v3_cross(ta, v3_cross(turn, tb)));
        return v3_axpy(-v3_dot(n, d), n, d);
    }
    return v3_scale(1.0 / near->distance, v3_axpy(-v3_dot(n, dx), n, dx));
}

/* Of the gap: the curvature of the second along the feature of the first, infinite across it. */
static void gap_curvature(const TmlNearPair *near, double radius, TmlTouch *t, TmlTouchRate *rate)
{
    const double k = radius > 0.0 ? 1.0 / radius : HUGE_VAL;
    t->curvature[0] = t->curvature[1] = HUGE_VAL;
    if (!(radius > 0.0) || near->a.dim == 0) {
        return;
    }
    t->curvature[0] = k;
    t->curvature[1] = near->a.dim == 2 ? k : HUGE_VAL;
    if (near->b.dim == 1) { // a cylinder, whose axis may lie across the edge
        const TmlVec3 ta = near->a.along[0], tb = near->b.along[0];
        const double c = near->a.dim == 1 ? v3_dot(ta, tb) : 1.0;
        t->curvature[0] = k * (1.0 - c * c);
        for (int i = 3; i < N && rate != NULL && near->a.dim == 1; ++i) {
            const TmlVec3 e = v3(i == 3, i == 4, i == 5);
            rate->curvature[0][i] = -2.0 * k * c * v3_dot(ta, v3_cross(e, tb));
        }
    }
}

void tml_near_touch(const TmlNearPair *near, double radius, TmlVec3 r, TmlTouch *touch,
                    TmlTouchRate *rate)
{
    const double depth = radius - near->distance;
    *touch = (TmlTouch){.p = v3_axpy(-0.5 * depth, near->n, near->pa), // (P26)
                        .n = near->n,
                        .depth = depth};
    touch->id = ((uint64_t)3 << 48) | ((uint64_t)near->a.dim << 46) |
                ((uint64_t)near->b.dim << 44) | ((uint64_t)near->a.index << 20) |
                (uint64_t)near->b.index;
    if (rate != NULL) {
        *rate = (TmlTouchRate){0};
        TmlVec3 u[N];
        tml_carried(near->pb, r, u);
        for (int i = 0; i < N; ++i) {
            const TmlVec3 turn = i < 3 ? v3(0, 0, 0) : v3(i == 3, i == 4, i == 5);
            TmlVec3 dpa, dpb;
            slide(near, u[i], turn, &dpa, &dpb);
            rate->n[i] = turn_of_normal(near, v3_sub(dpb, dpa), turn);
            rate->depth[i] = -v3_dot(near->n, u[i]);
            rate->p[i] =
                v3_axpy(-0.5 * rate->depth[i], near->n, v3_axpy(-0.5 * depth, rate->n[i], dpa));
        }
    }
    gap_curvature(near, radius, touch, rate);
}
