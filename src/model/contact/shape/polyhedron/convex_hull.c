/* model/contact/shape/polyhedron/convex_hull.c - the convex hull of points as a polyhedron.
 *
 * Points are added one by one to a hull of triangles; triangles of one plane become one face, and
 * corners between less than three faces are dropped.
 */
#include "model/contact/shape/polyhedron/convex_hull.h"
#include "base/arena.h"
#include "base/fail.h"
#include "math/vec3.h"

#include <string.h>

typedef struct Triangle {
    int v[3];
    TmlVec3 n;
    double offset;
    bool alive, seen;
    int face; // -1: not yet
} Triangle;

typedef struct Hull {
    const TmlVec3 *x;
    int n, n_triangles, cap;
    Triangle *t;
    int (*rim)[2];
    double slack;
    bool nomem;
} Hull;

static void add(Hull *h, int a, int b, int c)
{
    int k = 0;
    while (k < h->n_triangles && h->t[k].alive) {
        ++k;
    }
    if (k == h->n_triangles) {
        if (!tml_mem_grow((void **)&h->t, &h->cap, h->n_triangles + 1, sizeof *h->t)) {
            h->nomem = true;
            return;
        }
        h->n_triangles++;
    }
    const TmlVec3 n = v3_unit(v3_cross(v3_sub(h->x[b], h->x[a]), v3_sub(h->x[c], h->x[a])));
    h->t[k] = (Triangle){{a, b, c}, n, v3_dot(n, h->x[a]), true, false, -1};
}

/* Which point is farthest by a measure: from a point, from a line, from a plane. */
static int farthest(const Hull *h, int a, int b, int c, double *distance)
{
    int best = -1;
    *distance = 0.0;
    for (int k = 0; k < h->n; ++k) {
        const TmlVec3 d = v3_sub(h->x[k], h->x[a]);
        double far = v3_norm(d);
        if (c >= 0) {
            const TmlVec3 n = v3_cross(v3_sub(h->x[b], h->x[a]), v3_sub(h->x[c], h->x[a]));
            far = fabs(v3_dot(v3_unit(n), d));
        } else if (b >= 0) {
            far = v3_norm(v3_cross(v3_unit(v3_sub(h->x[b], h->x[a])), d));
        }
        if (far > *distance) {
            *distance = far;
            best = k;
        }
    }
    return best;
}

static TmlStatus begin(Hull *h, TmlError *err)
{
    double length, width, height;
    const int a = 0, b = farthest(h, a, -1, -1, &length);
    const int c = b >= 0 ? farthest(h, a, b, -1, &width) : -1;
    const int d = c >= 0 ? farthest(h, a, b, c, &height) : -1;
    if (d < 0 || height < 1e-9 * length) {
        return tml_fail(err, TML_E_MODEL,
                        "%d points have no volume: at least four, not all in one plane, are wanted",
                        h->n);
    }
    h->slack = 1e-12 * length;
    const TmlVec3 n = v3_cross(v3_sub(h->x[b], h->x[a]), v3_sub(h->x[c], h->x[a]));
    const bool above = v3_dot(n, v3_sub(h->x[d], h->x[a])) > 0.0;
    const int p = above ? c : b, q = above ? b : c;
    add(h, a, p, q);
    add(h, a, d, p);
    add(h, p, d, q);
    add(h, q, d, a);
    return TML_OK;
}

static bool has_side(const Triangle *t, int a, int b)
{
    return (t->v[0] == a && t->v[1] == b) || (t->v[1] == a && t->v[2] == b) ||
           (t->v[2] == a && t->v[0] == b);
}

/* The triangle on the other side of the side a to b; NULL: none. */
static Triangle *beyond(const Hull *h, int a, int b)
{
    for (int k = 0; k < h->n_triangles; ++k) {
        if (h->t[k].alive && has_side(&h->t[k], b, a)) {
            return &h->t[k];
        }
    }
    return NULL;
}

static void take_in(Hull *h, int p)
{
    int rim = 0;
    bool outside = false;
    for (int k = 0; k < h->n_triangles; ++k) {
        Triangle *t = &h->t[k];
        t->seen = t->alive && v3_dot(t->n, h->x[p]) - t->offset > h->slack;
        outside |= t->seen;
    }
    if (!outside) {
        return;
    }
    for (int k = 0; k < h->n_triangles; ++k) {
        const Triangle *t = &h->t[k];
        for (int i = 0; i < 3 && t->seen && t->alive; ++i) {
            const int a = t->v[i], b = t->v[(i + 1) % 3];
            const Triangle *other = beyond(h, a, b);
            if (other != NULL && !other->seen && rim < 3 * h->n) {
                h->rim[rim][0] = a;
                h->rim[rim++][1] = b;
            }
        }
    }
    for (int k = 0; k < h->n_triangles; ++k) {
        h->t[k].alive &= !h->t[k].seen;
    }
    for (int k = 0; k < rim; ++k) {
        add(h, h->rim[k][0], h->rim[k][1], p);
    }
}

/* --- faces ---------------------------------------------------------------------------------- */

static double area(const Hull *h, const Triangle *t)
{
    const TmlVec3 a = h->x[t->v[0]];
    return v3_norm(v3_cross(v3_sub(h->x[t->v[1]], a), v3_sub(h->x[t->v[2]], a)));
}

static bool in_plane(const Hull *h, const Triangle *plane, const Triangle *t, double slack)
{
    for (int i = 0; i < 3; ++i) {
        if (fabs(v3_dot(plane->n, h->x[t->v[i]]) - plane->offset) > slack) {
            return false;
        }
    }
    return v3_dot(plane->n, t->n) > 0.0;
}

/* Number the faces, from the largest triangles on: their planes are the best known. */
static int number_faces(Hull *h, double slack)
{
    for (int face = 0;; ++face) {
        Triangle *largest = NULL;
        for (int k = 0; k < h->n_triangles; ++k) {
            Triangle *t = &h->t[k];
            if (t->alive && t->face < 0 && (largest == NULL || area(h, t) > area(h, largest))) {
                largest = t;
            }
        }
        if (largest == NULL) {
            return face;
        }
        largest->face = face;
        for (bool grew = true; grew;) {
            grew = false;
            for (int k = 0; k < h->n_triangles; ++k) {
                Triangle *t = &h->t[k];
                for (int i = 0; i < 3 && t->alive && t->face == face; ++i) {
                    Triangle *o = beyond(h, t->v[i], t->v[(i + 1) % 3]);
                    if (o != NULL && o->face < 0 && in_plane(h, largest, o, slack)) {
                        o->face = face;
                        grew = true;
                    }
                }
            }
        }
    }
}

/* Whether the faces around a point are at least three. */
static bool is_corner(const Hull *h, int p)
{
    int face[2] = {-1, -1};
    for (int k = 0; k < h->n_triangles; ++k) {
        const Triangle *t = &h->t[k];
        if (t->alive && (t->v[0] == p || t->v[1] == p || t->v[2] == p)) {
            if (t->face != face[0] && t->face != face[1]) {
                if (face[1] >= 0) {
                    return true;
                }
                face[face[0] >= 0] = t->face;
            }
        }
    }
    return false;
}

/* The point after a on the border of a face; -1: a is not on it. */
static int next_on_border(const Hull *h, int face, int a)
{
    for (int k = 0; k < h->n_triangles; ++k) {
        const Triangle *t = &h->t[k];
        for (int i = 0; i < 3 && t->alive && t->face == face; ++i) {
            if (t->v[i] == a) {
                const Triangle *o = beyond(h, a, t->v[(i + 1) % 3]);
                if (o != NULL && o->face != face) {
                    return t->v[(i + 1) % 3];
                }
            }
        }
    }
    return -1;
}

typedef struct Faces {
    TmlVec3 *corner, *normal;
    double *offset;
    int *start, *loop, (*edge)[2];
    int *number; // of a point among the corners; -1: none
    int n_corners, n_faces, n_edges;
} Faces;

static TmlStatus make_room(const Hull *h, int n_faces, const TmlShapeSetup *setup, Faces *f,
                           TmlError *err)
{
    f->n_faces = n_faces;
    TML_TAKE(setup, f->normal, n_faces);
    TML_TAKE(setup, f->offset, n_faces);
    TML_TAKE(setup, f->start, n_faces + 1);
    TML_TAKE(setup, f->number, h->n);
    for (int p = 0; p < h->n; ++p) {
        f->number[p] = is_corner(h, p) ? f->n_corners++ : -1;
    }
    TML_TAKE(setup, f->corner, f->n_corners);
    TML_TAKE(setup, f->loop, 6 * f->n_corners);
    TML_TAKE(setup, f->edge, 3 * f->n_corners);
    for (int p = 0; p < h->n; ++p) {
        if (f->number[p] >= 0) {
            f->corner[f->number[p]] = h->x[p];
        }
    }
    return TML_OK;
}

/* The loop of a face, its plane by Newell's sum over all corners, and its edges. */
static void add_face(const Hull *h, int face, Faces *f)
{
    int first = -1;
    for (int k = 0; k < h->n && first < 0; ++k) {
        first = f->number[k] >= 0 && next_on_border(h, face, k) >= 0 ? k : -1;
    }
    int n = f->start[face];
    for (int p = first, steps = 0; first >= 0 && steps <= h->n; ++steps) {
        if (f->number[p] >= 0) {
            f->loop[n++] = f->number[p];
        }
        p = next_on_border(h, face, p);
        if (p == first || p < 0) {
            break;
        }
    }
    f->start[face + 1] = n;
    const int begin = f->start[face], count = n - begin;
    TmlVec3 sum = v3(0, 0, 0), middle = v3(0, 0, 0);
    for (int k = 0; k < count; ++k) {
        const int a = f->loop[begin + k], b = f->loop[begin + (k + 1) % count];
        const TmlVec3 o = f->corner[f->loop[begin]];
        sum = v3_add(sum, v3_cross(v3_sub(f->corner[a], o), v3_sub(f->corner[b], o)));
        middle = v3_axpy(1.0 / count, f->corner[a], middle);
        if (a < b) {
            f->edge[f->n_edges][0] = a;
            f->edge[f->n_edges++][1] = b;
        }
    }
    f->normal[face] = v3_unit(sum);
    f->offset[face] = v3_dot(f->normal[face], middle);
}

static TmlStatus finish(Hull *h, const TmlShapeSetup *setup, TmlPolyhedron *out, TmlError *err)
{
    Faces f = {0};
    const int n_faces = number_faces(h, 1e3 * h->slack);
    if (n_faces > TML_POLYHEDRON_FACES) {
        return tml_fail(err, TML_E_MODEL,
                        "the hull has %d faces, more than %d: give fewer points, or the shape mesh",
                        n_faces, TML_POLYHEDRON_FACES);
    }
    TML_TRY(make_room(h, n_faces, setup, &f, err));
    for (int k = 0; k < n_faces; ++k) {
        add_face(h, k, &f);
    }
    *out = (TmlPolyhedron){.n_corners = f.n_corners,
                           .n_faces = f.n_faces,
                           .n_edges = f.n_edges,
                           .corner = f.corner,
                           .normal = f.normal,
                           .offset = f.offset,
                           .start = f.start,
                           .loop = f.loop,
                           .edge = (const int(*)[2])f.edge};
    TmlVec3 low = f.corner[0], high = low;
    for (int k = 1; k < f.n_corners; ++k) {
        const TmlVec3 x = f.corner[k];
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    out->centre = v3_scale(0.5, v3_add(low, high));
    for (int k = 0; k < f.n_corners; ++k) {
        out->radius = fmax(out->radius, v3_norm(v3_sub(f.corner[k], out->centre)));
    }
    return TML_OK;
}

TmlStatus tml_convex_hull(const TmlVec3 *x, int n, const TmlShapeSetup *setup, TmlPolyhedron *out,
                          TmlError *err)
{
    Hull h = {.x = x, .n = n};
    TmlStatus status = n >= 4 ? TML_OK : tml_fail(err, TML_E_MODEL, "%d points are no solid", n);
    if (status == TML_OK) {
        h.rim = tml_mem_zalloc((size_t)n, 3 * sizeof *h.rim);
        h.nomem = h.rim == NULL;
        status = h.nomem ? TML_OK : begin(&h, err);
    }
    for (int k = 0; k < n && status == TML_OK && !h.nomem; ++k) {
        take_in(&h, k);
    }
    if (h.nomem) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for the hull of %d points", n);
    }
    if (status == TML_OK) {
        status = finish(&h, setup, out, err);
    }
    tml_mem_free(h.t);
    tml_mem_free(h.rim);
    return status;
}
