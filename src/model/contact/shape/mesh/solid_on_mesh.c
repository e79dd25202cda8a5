/* model/contact/shape/mesh/solid_on_mesh.c - capsules, cylinders, cones and ellipsoids on triangle meshes.
 *
 * A solid touches where its distance from the surface has a local minimum: below its deepest point, when a triangle
 * is there; at an edge or corner that sticks out, when the direction in which it leaves the solid is one
 * of its own. With e along the edge and t_1, t_2 into the two triangles beside it, a direction n is the edge's when
 *
 *   (M1)  n . t_1 <= 0,  n . t_2 <= 0        and a corner's when n . e <= 0 for all edges from it
 *
 * Triangles of one plane are one face, a patch. Sides and caps that lie on it stand on the feet of flats.c,
 * of all its triangles together: the outermost ends of the line, the moments of the whole area. What the feet take of the
 * share is taken from all points on, at the edges and at the corners of the patch.
 */
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/polyhedron/sharp.h"
#include "model/contact/shape/round/flats.h"
#include "model/contact/shape/round/rods.h"

enum { PATCHES = 12, FOUND = 40, RING = 1000 };
enum { FACE_ID = 1, EDGE_ID = 2, CORNER_ID = 3, LINE_ID = 4, CAP_ID = 5 };

/* A flat patch on which the solid lies. */
typedef struct Patch {
    int number;
    TmlVec3 n;
    double offset;
    Dual depth, taken;
    bool line;
    TmlLine at; // the outermost ends
    Dual common;
    TmlArea area[2];
} Patch;

typedef struct Found {
    TmlDualTouch touch;
    int kind, triangle, i; // i: of the side or corner
} Found;

typedef struct Meeting {
    TmlPosedSolid o;
    double reach, size;
    Patch patch[PATCHES];
    Found found[FOUND];
    int n_patches, n_found;
    double behind; // depth of the face that is left when the solid is deep inside
    int behind_triangle;
} Meeting;

static TmlVec3 corner_at(const TmlMeshSolid *m, int k, int i)
{
    return m->t.corner[m->t.triangle[k][i % 3]];
}

/* --- faces ------------------------------------------------------------------------------------ */

static bool over_triangle(const TmlMeshSolid *m, int k, TmlVec3 x)
{
    for (int i = 0; i < 3; ++i) {
        const TmlVec3 a = corner_at(m, k, i), side = v3_sub(corner_at(m, k, i + 1), a);
        if (v3_dot(v3_cross(m->normal[k], side), v3_sub(x, a)) < 0.0) {
            return false;
        }
    }
    return true;
}

static void keep(Meeting *w, const TmlDualTouch *touch, int kind, int triangle, int i)
{
    int to = w->n_found;
    if (touch->depth.x < -w->reach) {
        return;
    }
    for (int k = 0; k < w->n_found; ++k) {
        if (w->found[k].touch.id == touch->id) {
            return;
        }
    }
    if (w->n_found == FOUND) { // the shallowest goes
        to = 0;
        for (int k = 1; k < FOUND; ++k) {
            to = w->found[k].touch.depth.x < w->found[to].touch.depth.x ? k : to;
        }
        if (w->found[to].touch.depth.x >= touch->depth.x) {
            return;
        }
    } else {
        w->n_found++;
    }
    w->found[to] = (Found){*touch, kind, triangle, i};
}

static uint64_t id_of(int kind, int index)
{
    return ((uint64_t)kind << 48) | ((uint64_t)index << 3);
}

static void on_face(Meeting *w, const TmlMeshSolid *m, int k, double offset, double depth)
{
    const TmlVec3 n = m->normal[k];
    TmlDualTouch touch;
    if (depth >= tml_reach_against(&w->o, n) + tml_reach_against(&w->o, v3_neg(n))) {
        return; // all of it is behind the plane
    }
    tml_face_touch(&w->o, n, offset, &touch);
    if (!over_triangle(m, k, d6v_value(touch.p))) {
        return;
    }
    if (depth > w->size) {
        if (depth < w->behind) {
            w->behind = depth;
            w->behind_triangle = k;
        }
        return;
    }
    touch.id = id_of(FACE_ID, m->patch[k]);
    keep(w, &touch, FACE_ID, k, 0);
}

/* --- edges and corners ------------------------------------------------------------------------ */

static bool within_reach(const Meeting *w, double depth)
{
    return depth >= -w->reach && depth <= w->size;
}

/* A way out through the side is one of points within the solid only. */
static bool is_there(const Meeting *w, const TmlWayOut *way, TmlVec3 x)
{
    TmlWayOut own[TML_WAYS];
    if (way->what != TML_ITS_SIDE) {
        return true;
    }
    tml_corner_ways(&w->o, x, own);
    return own[0].depth >= 0.0;
}

/* Of ways out the shortest, of distances the least. */
static bool nearer(double depth, double than)
{
    return depth > 0.0 && than > 0.0 ? depth < than : depth > than;
}

static void at_edge(Meeting *w, const TmlMeshSolid *m, int k, int i)
{
    const int other = m->across[k][i];
    const TmlEdge g = tml_edge(corner_at(m, k, i), corner_at(m, k, i + 1));
    const TmlVec3 in = v3_cross(m->normal[k], g.e), across = v3_cross(g.e, m->normal[other]);
    TmlWayOut way[TML_WAYS];
    int best = -1;
    if (other < k || m->patch[other] == m->patch[k] || v3_dot(m->normal[other], in) >= 0.0 ||
        tml_edge_distance(&g, w->o.pose->r) > w->o.radius + w->reach) {
        return; // seen from the other side, flat, hollow, far
    }
    int n = tml_edge_ways(&w->o, &g, way);
    for (TmlAgainst rim = TML_LOW_RIM; tml_is_frustum(w->o.S) && rim <= TML_HIGH_RIM; ++rim) {
        n += tml_edge_rim_ways(&w->o, &g, rim, way + n);
    }
    for (int j = 0; j < n; ++j) { // (M1)
        if (v3_dot(way[j].n, in) <= 0.0 && v3_dot(way[j].n, across) <= 0.0 &&
            within_reach(w, way[j].depth) && is_there(w, &way[j], v3_axpy(way[j].s, g.e, g.a)) &&
            (best < 0 || nearer(way[j].depth, way[best].depth))) {
            best = j;
        }
    }
    if (best >= 0) {
        TmlDualTouch touch;
        tml_edge_touch(&w->o, &g, &way[best], &touch);
        touch.id = id_of(EDGE_ID, 3 * k + i);
        keep(w, &touch, EDGE_ID, k, i);
    }
}

/* The next triangle about corner number `at` of triangle `now`; at becomes its number there. */
static int next_around(const TmlMeshSolid *m, int now, int *at)
{
    const int corner = m->t.triangle[now][*at], next = m->across[now][*at];
    for (int i = 0; i < 3; ++i) {
        if (m->t.triangle[next][i] == corner) {
            *at = i;
        }
    }
    return next;
}

/* Whether n is a direction of the corner (M1). */
static bool own_direction(const TmlMeshSolid *m, int k, int i, TmlVec3 n)
{
    int now = k, at = i;
    for (int steps = 0; steps < RING; ++steps) {
        if (v3_dot(n, v3_sub(corner_at(m, now, at + 1), corner_at(m, now, at))) > 0.0) {
            return false;
        }
        now = next_around(m, now, &at);
        if (now == k) {
            return true;
        }
    }
    return false;
}

static bool is_lowest(const TmlMeshSolid *m, int k, int i)
{
    int at = i;
    int now = next_around(m, k, &at);
    for (int steps = 0; now != k && steps < RING; ++steps) {
        if (now < k) {
            return false;
        }
        now = next_around(m, now, &at);
    }
    return true;
}

static void at_corner(Meeting *w, const TmlMeshSolid *m, int k, int i)
{
    const TmlVec3 x = corner_at(m, k, i);
    TmlWayOut way[TML_WAYS];
    if (v3_norm(v3_sub(x, w->o.pose->r)) > w->o.radius + w->reach || !is_lowest(m, k, i)) {
        return;
    }
    const int n = tml_corner_ways(&w->o, x, way);
    for (int j = 0; j < n; ++j) {
        if (within_reach(w, way[j].depth) && is_there(w, &way[j], x) &&
            own_direction(m, k, i, way[j].n)) {
            TmlDualTouch touch;
            tml_corner_touch(&w->o, x, way[j].what, &touch);
            touch.id = id_of(CORNER_ID, m->t.triangle[k][i]);
            keep(w, &touch, CORNER_ID, k, i);
            return;
        }
    }
}

/* --- what lies flat --------------------------------------------------------------------------- */

static Patch *patch_of(Meeting *w, const TmlMeshSolid *m, int k, const TmlFace *face)
{
    for (int i = 0; i < w->n_patches; ++i) {
        if (w->patch[i].number == m->patch[k]) {
            return &w->patch[i];
        }
    }
    if (w->n_patches == PATCHES) {
        return NULL;
    }
    Patch *p = &w->patch[w->n_patches++];
    *p = (Patch){.number = m->patch[k], .n = m->normal[k], .offset = face->offset.x};
    p->depth = tml_lying_depth(face, w->o.S, &w->o.at);
    return p;
}

static void add_line(Meeting *w, const TmlFace *face, Patch *p)
{
    TmlLine line;
    if (!tml_lying_line(face, w->o.S, &w->o.at, &line) ||
        !tml_line_over(face, face->normal, &line)) {
        return;
    }
    const Dual length = d6v_norm(d6v_sub(line.b, line.a));
    const Dual common = d6_mul(length, d6_sub(line.high, line.low));
    if (!p->line) {
        p->at = line;
        p->common = common;
        p->line = true;
        return;
    }
    p->common = d6_add(p->common, common);
    p->at.low = line.low.x < p->at.low.x ? line.low : p->at.low;
    p->at.high = line.high.x > p->at.high.x ? line.high : p->at.high;
}

static void lie(Meeting *w, const TmlMeshSolid *m, int k, double offset)
{
    TmlFace face = {.count = 3, .normal = d6v(m->normal[k]), .offset = d6(offset)};
    for (int i = 0; i < 3; ++i) {
        face.corner[i] = d6v(corner_at(m, k, i));
    }
    const double cosine = v3_dot(m->normal[k], w->o.pose->A.cz);
    Patch *p = patch_of(w, m, k, &face);
    if (p == NULL) {
        return;
    }
    add_line(w, &face, p);
    if (tml_is_frustum(w->o.S) && fabs(cosine) > 0.9) { // 20 degrees: sin^2 below 0.12
        const int end = cosine < 0.0 ? 1 : 0;
        const TmlDisc disc = tml_cap_disc(w->o.S, &w->o.at, end == 1 ? 1.0 : -1.0);
        tml_disc_over(&face, face.normal, &disc, &p->area[end]);
    }
}

/* Feet of a patch; notes what they take. */
static void stand(Meeting *w, Patch *p, TmlFlatSink *sink)
{
    const TmlFace face = {.normal = d6v(p->n), .offset = d6(p->offset)};
    // what is as deep as half the solid lies on no face
    const Dual least = d6(0.25 * w->size);
    TmlLying lying = {&face, w->o.S, &w->o.at, false, p->depth, least, w->size, 0};
    sink->rest = d6(1.0);
    for (int end = 0; end < 2; ++end) {
        lying.id = id_of(CAP_ID, p->number);
        tml_area_stands(sink, &lying, &p->area[end], end == 1 ? 1.0 : -1.0);
    }
    if (p->line) {
        lying.id = id_of(LINE_ID, p->number);
        tml_line_stands(sink, &lying, &p->at, p->common);
    }
    p->taken = d6_linear(1.0, -1.0, sink->rest);
}

/* --- all -------------------------------------------------------------------------------------- */

static bool meet(const TmlMeshSolid *m, int k, void *user)
{
    Meeting *w = user;
    const double offset = v3_dot(m->normal[k], corner_at(m, k, 0));
    const double depth =
        offset - v3_dot(m->normal[k], w->o.pose->r) + tml_reach_against(&w->o, m->normal[k]);
    if (depth < -w->reach) {
        return true;
    }
    on_face(w, m, k, offset, depth);
    if (w->o.S->ellipsoid == NULL && depth > 0.0 && depth < 0.5 * w->size) {
        lie(w, m, k, offset);
    }
    for (int i = 0; i < 3; ++i) {
        at_edge(w, m, k, i);
        at_corner(w, m, k, i);
    }
    return true;
}

/* What is left for a point after the feet of a patch. */
static Dual left_by(const Meeting *w, int patch, Dual rest)
{
    for (int k = 0; k < w->n_patches; ++k) {
        if (w->patch[k].number == patch) {
            return d6_mul(rest, d6_linear(1.0, -1.0, w->patch[k].taken));
        }
    }
    return rest;
}

static Dual left_over(const Meeting *w, const TmlMeshSolid *m, const Found *f)
{
    Dual rest = left_by(w, m->patch[f->triangle], d6(1.0));
    if (f->kind == EDGE_ID) {
        rest = left_by(w, m->patch[m->across[f->triangle][f->i]], rest);
    }
    int at = f->i, last = m->patch[f->triangle];
    for (int now = f->triangle, steps = 0; f->kind == CORNER_ID && steps < RING; ++steps) {
        now = next_around(m, now, &at);
        if (now == f->triangle) {
            break;
        }
        rest = m->patch[now] != last ? left_by(w, m->patch[now], rest) : rest;
        last = m->patch[now];
    }
    return rest;
}

/* Whether another way leads out of the same overlap, of edges that meet in a corner, and is shorter. */
static bool is_longer_way(const Meeting *w, const TmlDualTouch *a)
{
    for (int k = 0; k < w->n_found && a->depth.x > 0.0; ++k) {
        const TmlDualTouch *b = &w->found[k].touch;
        const double apart = v3_norm(v3_sub(d6v_value(a->p), d6v_value(b->p)));
        if (b->depth.x > 0.0 && b->depth.x < a->depth.x && apart < 5.0 * a->depth.x) {
            return true;
        }
    }
    return false;
}

static void write_found(const Meeting *w, const TmlMeshSolid *m, TmlFlatSink *sink)
{
    for (int k = 0; k < w->n_found && sink->n < TML_TOUCH_MAX; ++k) {
        TmlDualTouch touch = w->found[k].touch;
        touch.fade = d6_linear(1.0, -1.0, left_over(w, m, &w->found[k]));
        if (touch.fade.x < 1.0 && !is_longer_way(w, &touch)) {
            tml_touch_write(&touch, sink->n++, sink->touch, sink->rate);
        }
    }
}

typedef struct Ray {
    TmlVec3 from, along;
    int passed;
} Ray;

static bool pass(const TmlMeshSolid *m, int k, void *user)
{
    Ray *r = user;
    const TmlVec3 a = corner_at(m, k, 0), u = v3_sub(corner_at(m, k, 1), a);
    const TmlVec3 v = v3_sub(corner_at(m, k, 2), a), q = v3_cross(r->along, v);
    const double det = v3_dot(u, q);
    const TmlVec3 d = v3_sub(r->from, a), p = v3_cross(d, u);
    const double x = v3_dot(d, q) / det, y = v3_dot(r->along, p) / det, t = v3_dot(v, p) / det;
    r->passed += x >= 0.0 && y >= 0.0 && x + y <= 1.0 && t > 0.0;
    return true;
}

/* Whether a point is within the mesh: a ray from it passes an odd number of triangles. */
static bool is_inside(const TmlMeshSolid *m, TmlVec3 x)
{
    const double far = v3_norm(v3_sub(m->high, m->low)) + v3_norm(v3_sub(x, m->low));
    Ray r = {x, v3_scale(far, v3(0.36, 0.48, 0.8)), 0};
    tml_mesh_visit(m, x, v3_add(x, r.along), pass, &r);
    return r.passed % 2 == 1;
}

/* A box around the solid in the axes of the mesh. */
static void box_around(const TmlPosedSolid *o, double reach, TmlVec3 *low, TmlVec3 *high)
{
    for (int i = 0; i < 3; ++i) {
        const TmlVec3 e = v3(i == 0, i == 1, i == 2);
        const double r = v3_dot(e, o->pose->r);
        (&high->x)[i] = r + tml_reach_against(o, v3_neg(e)) + reach;
        (&low->x)[i] = r - tml_reach_against(o, e) - reach;
    }
}

static double lesser_size(const TmlPosedSolid *o)
{
    double least = HUGE_VAL;
    for (int i = 0; i < 3 && o->S->ellipsoid != NULL; ++i) {
        least = fmin(least, tml_ellipsoid_reach(o->S->ellipsoid, v3(i == 0, i == 1, i == 2)));
    }
    const TmlFrustum *c = &o->S->cone;
    return least < HUGE_VAL ? least : fmin(fmax(fmax(c->low, c->high), o->S->swell), c->half);
}

int tml_mesh_solid_touch(const TmlMeshSolid *m, const TmlSolid *S, const TmlPose *pose,
                         double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    Meeting w;
    TmlVec3 low, high;
    w.o = tml_posed_solid(S, pose);
    w.reach = reach;
    w.size = lesser_size(&w.o);
    w.n_patches = w.n_found = 0;
    w.behind = HUGE_VAL;
    box_around(&w.o, fmax(reach, 0.0), &low, &high);
    tml_mesh_visit(m, low, high, meet, &w);
    TmlFlatSink sink = {.reach = reach, .touch = touch, .rate = rate};
    for (int k = 0; k < w.n_patches; ++k) {
        stand(&w, &w.patch[k], &sink);
    }
    write_found(&w, m, &sink);
    if (sink.n == 0 && w.behind < HUGE_VAL) {
        const int k = w.behind_triangle;
        TmlDualTouch only;
        tml_face_touch(&w.o, m->normal[k], v3_dot(m->normal[k], corner_at(m, k, 0)), &only);
        const TmlVec3 x = d6v_value(d6v_axpy(d6_scale(-0.5, only.depth), only.n, only.p));
        if (!is_inside(m, x)) {
            return 0;
        }
        only.id = id_of(FACE_ID, m->patch[k]);
        tml_touch_write(&only, sink.n++, touch, rate);
    }
    return sink.n;
}
