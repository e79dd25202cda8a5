/* model/contact/shape/triangle_mesh.c - a closed mesh of triangles, with a sphere and on a half-space.
 *
 * A sphere touches where the distance of its centre to the surface has a local minimum: at a point inside a
 * triangle, or on a side or corner that is nearest for all triangles around it. On inner sides of a plane
 * that is never so, and on hollow ones neither (no ghost contacts).
 *
 * Below z = 0 the wet part of the solid has the volume V and the centroid c, from pyramids over the wet
 * parts of all triangles with the apex in the plane z = 0, whose cap then counts nothing:
 *
 *   (P11)  V = sum A_t n_t . (c_t - a) / 3,   V c = sum V_t (3 c_t + a) / 4
 *
 * One piece at c has force, moment and energy of (P4), with the depth of (P7).
 */
#include "math/vec3.h"
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/pairs.h"
#include "model/contact/shape/polyhedron/near_features.h"

enum { N = TML_TOUCH_VARIABLES, RING = 1000 };

typedef struct MeshData {
    const char *file;
    double scale;
    const TmlMeshSolid *solid; // made by prepare
} MeshData;

const TmlMeshSolid *tml_triangle_mesh_triangles(const void *data)
{
    return ((const MeshData *)data)->solid;
}

static void mesh_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const TmlMeshSolid *m = ((const MeshData *)data)->solid;
    *low = m->low;
    *high = m->high;
}

static TmlStatus mesh_prepare(void *data, const TmlShapeSetup *setup, TmlError *err)
{
    MeshData *d = data;
    TmlMeshSolid *solid;
    TmlMeshTriangles t;
    TML_TAKE(setup, solid, 1);
    TML_TRY(tml_mesh_triangles(d->file, d->scale, setup, &t, err));
    const TmlStatus status = tml_mesh_solid(&t, setup, solid, err);
    d->solid = solid;
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "%s", d->file);
}

static const TmlParam mesh_params[] = {
    {"file", TML_PARAM_STRING, TML_ANY, "", offsetof(MeshData, file), NULL,
     "STL (text or binary) or OBJ file of a closed surface", NULL},
    {"scale", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(MeshData, scale), "1",
     "lengths of the file are multiplied by this", NULL},
    {0},
};

TML_SHAPE_TYPE(triangle_mesh) = {
    .info = {.name = "mesh",
             .text = "A closed mesh of triangles from a file. Holes, triangles without area and "
                     "inverted normals are errors.",
             .data_size = sizeof(MeshData),
             .params = mesh_params,
             .example = "file: part.stl, scale: 0.001"},
    .surface = TML_SURFACE_FLAT | TML_SURFACE_EDGES,
    .prepare = mesh_prepare,
    .bounds = mesh_bounds,
};

/* --- with a sphere ---------------------------------------------------------------------------- */

typedef struct Search {
    TmlVec3 x; // centre of the sphere
    double radius, reach;
    TmlTouch *touch;
    TmlTouchRate *rate;
    int n;
    TmlNearPair behind; // the nearest face that has the centre behind it
} Search;

static TmlVec3 nearest_of(const TmlMeshSolid *m, int k, TmlVec3 x, int *where)
{
    const int *t = m->t.triangle[k];
    return tml_triangle_nearest(m->t.corner[t[0]], m->t.corner[t[1]], m->t.corner[t[2]], x, where);
}

/* Whether the side i of triangle k is nearest for its neighbour, too. */
static bool side_is_nearest(const TmlMeshSolid *m, int k, int i, TmlVec3 x)
{
    const int other = m->across[k][i], a = m->t.triangle[k][i];
    int where;
    (void)nearest_of(m, other, x, &where);
    return where >= 1 && where <= 3 && m->t.triangle[other][where % 3] == a;
}

/* Whether corner i of triangle k is nearest for all around it, of which k has the lowest number. */
static bool corner_is_nearest(const TmlMeshSolid *m, int k, int i, TmlVec3 x)
{
    const int corner = m->t.triangle[k][i];
    int now = k, at = i;
    for (int steps = 0; steps < RING; ++steps) {
        now = m->across[now][at];
        if (now == k) {
            return true;
        }
        int where;
        (void)nearest_of(m, now, x, &where);
        if (now < k || where < 4 || m->t.triangle[now][where - 4] != corner) {
            return false;
        }
        at = where - 4;
    }
    return false;
}

static TmlFeature face_of(const TmlMeshSolid *m, int k)
{
    const TmlVec3 n = m->normal[k];
    const TmlVec3 s = v3_unit(v3_cross(n, fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0)));
    return (TmlFeature){2, m->patch[k], {s, v3_cross(n, s)}};
}

/* The feature of triangle k that is nearest; false: it belongs to another, or is no minimum. */
static bool feature_at(const TmlMeshSolid *m, int k, int where, TmlVec3 x, TmlFeature *f)
{
    if (where == 0) {
        *f = face_of(m, k);
        return true;
    }
    if (where >= 4) {
        *f = (TmlFeature){.dim = 0, .index = m->t.triangle[k][where - 4]};
        return corner_is_nearest(m, k, where - 4, x);
    }
    const int i = where - 1, other = m->across[k][i];
    if (other < k || !side_is_nearest(m, k, i, x)) {
        return false;
    }
    if (m->patch[other] == m->patch[k]) { // the centre is above an inner side of a plane
        *f = face_of(m, k);
        return true;
    }
    const TmlVec3 a = m->t.corner[m->t.triangle[k][i]];
    const TmlVec3 b = m->t.corner[m->t.triangle[k][(i + 1) % 3]];
    *f = (TmlFeature){1, 3 * k + i, {v3_unit(v3_sub(b, a))}};
    return true;
}

/* Keeps the deepest when there are too many; those of one patch are one. */
static void keep(Search *s, const TmlNearPair *near)
{
    TmlTouch t;
    TmlTouchRate rate;
    int to = s->n;
    tml_near_touch(near, s->radius, s->x, &t, s->rate != NULL ? &rate : NULL);
    for (int k = 0; k < s->n; ++k) {
        if (s->touch[k].id == t.id) {
            return;
        }
    }
    if (s->n == TML_TOUCH_MAX) {
        to = 0;
        for (int k = 1; k < s->n; ++k) {
            to = s->touch[k].depth < s->touch[to].depth ? k : to;
        }
        if (s->touch[to].depth >= t.depth) {
            return;
        }
    } else {
        s->n++;
    }
    s->touch[to] = t;
    if (s->rate != NULL) {
        s->rate[to] = rate;
    }
}

static bool meet(const TmlMeshSolid *m, int k, void *user)
{
    Search *s = user;
    TmlNearPair near = {.b = {.dim = 0}};
    int where;
    near.pa = nearest_of(m, k, s->x, &where);
    near.pb = s->x;
    const TmlVec3 d = v3_sub(near.pb, near.pa);
    const double distance = v3_norm(d), above = v3_dot(m->normal[k], d);
    if (distance > s->radius + s->reach) {
        return true;
    }
    if (where == 0 && above <= 0.0) { // remembered, in case that the centre is inside the solid
        if (distance < fabs(s->behind.distance)) {
            s->behind = near;
            s->behind.a = face_of(m, k);
            s->behind.n = m->normal[k];
            s->behind.distance = above;
        }
        return true;
    }
    if (above > 0.0 && feature_at(m, k, where, s->x, &near.a)) {
        near.n = near.a.dim == 2 ? m->normal[k] : v3_scale(1.0 / distance, d);
        near.distance = near.a.dim == 2 ? above : distance;
        keep(s, &near);
    }
    return true;
}

TML_PAIR_FUNCTION(triangle_mesh, sphere)
{
    const TmlMeshSolid *m = ((const MeshData *)first)->solid;
    const double R = *(const double *)second, far = R + reach;
    Search s = {.x = pose->r, .radius = R, .reach = reach, .touch = touch, .rate = rate};
    s.behind.distance = HUGE_VAL;
    const TmlVec3 d = v3(far, far, far);
    tml_mesh_visit(m, v3_sub(pose->r, d), v3_add(pose->r, d), meet, &s);
    if (s.n == 0 && s.behind.distance < HUGE_VAL) {
        keep(&s, &s.behind);
    }
    return s.n;
}

/* --- on the half-space ------------------------------------------------------------------------ */

typedef struct Wet {
    const TmlPose *pose;
    bool rates;
    double V, V_rate[N];
    TmlVec3 apex, moment, moment_rate[N];
    TmlVec3 lowest;
} Wet;

typedef struct Point {
    TmlVec3 x, d[N];
} Point;

static Point posed(const Wet *w, TmlVec3 corner)
{
    Point p = {0};
    p.x = v3_add(w->pose->r, m3_mulv(&w->pose->A, corner));
    if (w->rates) {
        tml_carried(p.x, w->pose->r, p.d);
    }
    return p;
}

/* Where the side from a to b passes z = 0. */
static Point crossing(const Wet *w, const Point *a, const Point *b)
{
    Point p = {0};
    const TmlVec3 u = v3_sub(b->x, a->x);
    const double s = -a->x.z / u.z;
    p.x = v3_axpy(s, u, a->x);
    p.x.z = 0.0;
    for (int i = 0; i < N && w->rates; ++i) {
        const TmlVec3 du = v3_sub(b->d[i], a->d[i]);
        const TmlVec3 fixed = v3_axpy(s, du, a->d[i]);
        p.d[i] = v3_axpy(-fixed.z / u.z, u, fixed); // it stays in the plane
    }
    return p;
}

/* The pyramid over a triangle: a determinant of three arms. */
static void add_pyramid(Wet *w, const Point *a, const Point *b, const Point *c)
{
    const TmlVec3 p = v3_sub(a->x, w->apex), q = v3_sub(b->x, w->apex), r = v3_sub(c->x, w->apex);
    const TmlVec3 qr = v3_cross(q, r), rp = v3_cross(r, p), pq = v3_cross(p, q);
    const double V = v3_dot(p, qr) / 6.0;
    const TmlVec3 m = v3_scale(0.25, v3_add(p, v3_add(q, r)));
    w->V += V;
    w->moment = v3_axpy(V, m, w->moment);
    for (int i = 0; i < N && w->rates; ++i) {
        const double dV = (v3_dot(a->d[i], qr) + v3_dot(b->d[i], rp) + v3_dot(c->d[i], pq)) / 6.0;
        const TmlVec3 dm = v3_scale(0.25, v3_add(a->d[i], v3_add(b->d[i], c->d[i])));
        w->V_rate[i] += dV;
        w->moment_rate[i] = v3_axpy(dV, m, v3_axpy(V, dm, w->moment_rate[i]));
    }
}

static void add_wet_part(Wet *w, const TmlMeshSolid *m, int k)
{
    Point p[3], poly[4];
    int n = 0;
    for (int i = 0; i < 3; ++i) {
        p[i] = posed(w, m->t.corner[m->t.triangle[k][i]]);
        w->lowest = p[i].x.z < w->lowest.z ? p[i].x : w->lowest;
    }
    for (int i = 0; i < 3; ++i) {
        const Point *a = &p[i], *b = &p[(i + 1) % 3];
        if (a->x.z <= 0.0) {
            poly[n++] = *a;
        }
        if ((a->x.z <= 0.0) != (b->x.z <= 0.0)) {
            poly[n++] = crossing(w, a, b);
        }
    }
    for (int i = 2; i < n; ++i) {
        add_pyramid(w, &poly[0], &poly[i - 1], &poly[i]);
    }
}

static bool add_wet(const TmlMeshSolid *m, int k, void *user)
{
    add_wet_part(user, m, k);
    return true;
}

/* A box around what lies below z = 0, in the axes of the mesh: the side that faces down most is cut. */
static void wet_box(const TmlMeshSolid *m, const TmlPose *pose, double above, TmlVec3 *low,
                    TmlVec3 *high)
{
    *low = m->low;
    *high = m->high;
    const TmlVec3 z = v3(pose->A.cx.z, pose->A.cy.z, pose->A.cz.z); // global z in its axes
    for (int i = 0; i < 3; ++i) {
        const double zi = (&z.x)[i];
        double rest = pose->r.z - above; // least height of the other two coordinates
        for (int j = 0; j < 3; ++j) {
            if (j != i) {
                rest += fmin((&z.x)[j] * (&m->low.x)[j], (&z.x)[j] * (&m->high.x)[j]);
            }
        }
        // z_i x_i + rest <= 0
        if (zi > 1e-6) {
            (&high->x)[i] = fmin((&high->x)[i], -rest / zi);
        } else if (zi < -1e-6) {
            (&low->x)[i] = fmax((&low->x)[i], -rest / zi);
        }
    }
}

static void write_dry(const Wet *w, TmlTouch *touch, TmlTouchRate *rate)
{
    const TmlVec3 x = w->lowest;
    *touch = (TmlTouch){.p = v3(x.x, x.y, 0.5 * x.z),
                        .n = v3(0, 0, 1),
                        .depth = -x.z,
                        .curvature = {HUGE_VAL, HUGE_VAL},
                        .id = 1};
    if (rate != NULL) {
        TmlVec3 u[N];
        tml_carried(x, w->pose->r, u);
        *rate = (TmlTouchRate){0};
        for (int i = 0; i < N; ++i) {
            rate->depth[i] = -u[i].z;
            rate->p[i] = v3(u[i].x, u[i].y, 0.5 * u[i].z);
        }
    }
}

int tml_mesh_floor_touch(const TmlMeshSolid *m, const TmlPose *pose, double reach, TmlTouch *touch,
                         TmlTouchRate *rate)
{
    Wet w = {.pose = pose, .rates = rate != NULL, .lowest = {0, 0, HUGE_VAL}};
    TmlVec3 low, high;
    w.apex = v3(pose->r.x, pose->r.y, 0.0);
    wet_box(m, pose, fmax(reach, 0.0), &low, &high);
    tml_mesh_visit(m, low, high, add_wet, &w);
    if (!(w.V > 0.0)) {
        if (!(w.lowest.z <= reach)) {
            return 0;
        }
        write_dry(&w, touch, rate);
        return 1;
    }
    const TmlVec3 c = v3_scale(1.0 / w.V, w.moment);
    *touch =
        (TmlTouch){.p = v3_add(w.apex, c), .n = v3(0, 0, 1), .depth = -c.z, .size = w.V, .id = 2};
    if (rate != NULL) {
        *rate = (TmlTouchRate){0};
        for (int i = 0; i < N; ++i) {
            rate->p[i] = v3_scale(1.0 / w.V, v3_axpy(-w.V_rate[i], c, w.moment_rate[i]));
            rate->depth[i] = -rate->p[i].z;
            rate->size[i] = w.V_rate[i];
        }
    }
    return 1;
}
