/* model/flexible/read/read_line.c - nodes along lines, arcs and polylines, as they start and without stress.
 *
 * Elements have equal lengths within a piece of the curve. With the arc length s of the start and
 * the material coordinate x = s (rest length)/(start length):
 *
 *   (L1)  r_x = t (start length)/(rest length),  r_y, r_z across t, carried along the curve by the
 *         least rotation; at rest r_x = t
 *   (L2)  rest of constant curvature k:  (r_x, r_y, r_z) = exp(k~ x),  r = integral of r_x
 *
 * Where two pieces of a polyline meet there are two nodes, the second tied to the first.
 */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/flexible/curve.h"
#include "model/flexible/read/read_mesh.h"

enum { MAX_ELEMENTS = 1000000 };

/* The curve of the axis. */
typedef struct Path {
    int n; /* pieces */
    TmlCurve *piece;
    double length;
} Path;

static bool path_alloc(TmlEntry *x, int n, Path *p)
{
    p->n = n;
    p->piece = tml_reader_alloc(x->r, (size_t)n, sizeof *p->piece);
    return p->piece != NULL;
}

static bool read_point_list(TmlEntry *x, const TmlValue *v, const char *what, int n_least,
                            TmlVec3 **out)
{
    if (v->kind != TML_VALUE_LIST || v->n < n_least) {
        tml_entry_expected(x, v, what, "a list of two or more points");
        return false;
    }
    *out = tml_reader_alloc(x->r, (size_t)v->n, sizeof **out);
    bool ok = *out != NULL;
    for (int k = 0; k < v->n && *out != NULL; ++k) {
        ok &= tml_read_vec3(x, v->item[k], what, &(*out)[k]);
    }
    return ok;
}

static bool read_line(TmlEntry *x, const TmlValue *v, Path *p)
{
    TmlVec3 r[2];
    if (v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_expected(x, v, "line", "a list of two points");
        return false;
    }
    bool ok = tml_read_vec3(x, v->item[0], "line", &r[0]);
    ok &= tml_read_vec3(x, v->item[1], "line", &r[1]);
    if (!ok || !path_alloc(x, 1, p)) {
        return false;
    }
    p->piece[0] = tml_curve_line(r[0], r[1]);
    if (!(p->piece[0].length > 0.0)) {
        tml_entry_error(x, v, "line: the two ends are the same point");
        return false;
    }
    return true;
}

static bool read_polyline(TmlEntry *x, const TmlValue *v, const TmlValue *smooth, Path *p)
{
    TmlVec3 *r = NULL;
    bool round = false;
    if (!read_point_list(x, v, "polyline", 2, &r) ||
        (smooth != NULL && !tml_read_bool(x, smooth, "smooth", &round))) {
        return false;
    }
    for (int k = 1; k < v->n; ++k) {
        if (!(v3_norm(v3_sub(r[k], r[k - 1])) > 0.0)) {
            tml_entry_error(x, v->item[k], "polyline: points %d and %d are the same", k, k + 1);
            return false;
        }
    }
    if (!path_alloc(x, round ? 1 : v->n - 1, p)) {
        return false;
    }
    if (round) {
        TmlError err = {0};
        x->r->nomem |= tml_curve_spline(v->n, r, &x->r->m->arena, &p->piece[0], &err) != TML_OK;
        return !x->r->nomem;
    }
    for (int k = 1; k < v->n; ++k) {
        p->piece[k - 1] = tml_curve_line(r[k - 1], r[k]);
    }
    return true;
}

/* Centre, axis and angle of the circle through three points. */
static bool circle_through(const TmlVec3 r[3], TmlVec3 *centre, TmlVec3 *axis, double *angle)
{
    const TmlVec3 a = v3_sub(r[1], r[0]), b = v3_sub(r[2], r[0]), n = v3_cross(a, b);
    const double n2 = v3_dot(n, n), size = v3_norm(a) * v3_norm(b);
    if (!(sqrt(n2) > 1e-9 * size)) { // sine of the angle between them
        return false;
    }
    const TmlVec3 c = v3_axpy(-v3_dot(b, b), a, v3_scale(v3_dot(a, a), b));
    *centre = v3_axpy(1.0 / (2.0 * n2), v3_cross(c, n), r[0]);
    *axis = v3_unit(n);
    const TmlVec3 u = v3_sub(r[0], *centre), w = v3_sub(r[2], *centre);
    *angle = atan2(v3_dot(v3_cross(u, w), *axis), v3_dot(u, w));
    *angle += *angle <= 0.0 ? 2.0 * 3.14159265358979323846 : 0.0;
    return true;
}

static bool read_arc(TmlEntry *x, const TmlValue *v, Path *p)
{
    static const char *const by_points[] = {"start", "through", "end"};
    TmlVec3 r[3], centre = {0}, axis = v3(0, 0, 1);
    double angle = 0.0;
    if (!tml_read_is_map(x, v, "arc")) {
        return false;
    }
    tml_read_keys(x, v, tml_keys_arc, NULL, NULL);
    const bool points = tml_value_find(v, "through") != NULL;
    static const char *const by_centre[] = {"start", "centre", "angle"};
    for (int k = 0; k < 3; ++k) {
        const char *key = points ? by_points[k] : by_centre[k];
        if (tml_value_find(v, key) == NULL) {
            tml_entry_error(x, v,
                            "arc: missing key '%s'; write centre, start, axis and angle, or "
                            "start, through and end",
                            key);
            return false;
        }
    }
    bool ok = tml_read_vec3(x, tml_value_find(v, "start"), "start", &r[0]);
    if (points) {
        ok &= tml_read_vec3(x, tml_value_find(v, "through"), "through", &r[1]);
        ok &= tml_read_vec3(x, tml_value_find(v, "end"), "end", &r[2]);
        if (ok && !circle_through(r, &centre, &axis, &angle)) {
            tml_entry_error(x, v, "arc: start, through and end lie on a line; write a line");
            return false;
        }
    } else {
        const TmlValue *a = tml_value_find(v, "axis");
        ok &= tml_read_vec3(x, tml_value_find(v, "centre"), "centre", &centre);
        ok &= tml_read_number(x, tml_value_find(v, "angle"), "angle", &angle);
        ok &= a == NULL || tml_read_direction(x, a, "axis", &axis);
    }
    if (!ok || !path_alloc(x, 1, p)) {
        return false;
    }
    p->piece[0] = tml_curve_arc(centre, r[0], axis, angle);
    if (!(p->piece[0].length > 0.0)) {
        tml_entry_error(x, v, "arc: it has no length; start lies on the axis, or angle is zero");
        return false;
    }
    return true;
}

/* The one curve of a map. */
static bool read_path(TmlEntry *x, const TmlValue *map, const TmlValue *at, Path *p)
{
    const TmlValue *line = tml_value_find(map, "line"), *arc = tml_value_find(map, "arc");
    const TmlValue *poly = tml_value_find(map, "polyline");
    const TmlValue *smooth = tml_value_find(map, "smooth");
    if ((line != NULL) + (arc != NULL) + (poly != NULL) != 1) {
        tml_entry_error(x, at,
                        "write one of 'line', 'arc', 'polyline' and 'nodes': where the axis lies");
        return false;
    }
    if (smooth != NULL && poly == NULL) {
        tml_entry_error(x, smooth, "'smooth' goes with 'polyline' only");
        return false;
    }
    const bool ok = line != NULL  ? read_line(x, line, p)
                    : arc != NULL ? read_arc(x, arc, p)
                                  : read_polyline(x, poly, smooth, p);
    p->length = 0.0;
    for (int k = 0; k < p->n && ok; ++k) {
        p->length += p->piece[k].length;
    }
    return ok;
}

/* --- elements -------------------------------------------------------------------------------- */

bool tml_read_count(TmlEntry *x, const TmlValue *v, const char *what, int *out)
{
    if (!tml_read_int(x, v, what, out)) {
        return false;
    }
    if (*out < 1 || *out > MAX_ELEMENTS) {
        tml_entry_error(x, v, "%s: expected 1 to %d, got %d", what, (int)MAX_ELEMENTS, *out);
        return false;
    }
    return true;
}

/* Share of each piece in `total` elements: by length, at least one. */
static void share(const Path *p, int total, int *count)
{
    int sum = 0;
    for (int k = 0; k < p->n; ++k) {
        count[k] = (int)fmax(1.0, floor(total * p->piece[k].length / p->length + 1e-9));
        sum += count[k];
    }
    for (; sum != total; sum += sum < total ? 1 : -1) {
        int best = -1;
        for (int k = 0; k < p->n; ++k) {
            const bool may = sum < total || count[k] > 1;
            const double size = p->piece[k].length / count[k];
            const double other = best >= 0 ? p->piece[best].length / count[best] : 0.0;
            if (may && (best < 0 || (sum < total ? size > other : size < other))) {
                best = k;
            }
        }
        count[best] += sum < total ? 1 : -1;
    }
}

/* elements: in all, or a list for the pieces. */
static bool read_counts(TmlEntry *x, const Path *p, int *count)
{
    const TmlValue *v = tml_value_find(x->value, "elements");
    int total = 0;
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'elements'");
        return false;
    }
    if (v->kind == TML_VALUE_LIST) {
        bool ok = v->n == p->n;
        if (!ok) {
            tml_entry_error(x, v, "elements: %d numbers for %d pieces of the axis", v->n, p->n);
        }
        for (int k = 0; k < p->n && ok; ++k) {
            ok = tml_read_count(x, v->item[k], "elements", &count[k]);
        }
        return ok;
    }
    if (!tml_read_count(x, v, "elements", &total)) {
        return false;
    }
    if (total < p->n) {
        tml_entry_error(x, v, "elements: a polyline of %d pieces needs as many, got %d", p->n,
                        total);
        return false;
    }
    share(p, total, count);
    return true;
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* y across the tangent a where the curve begins. */
static bool first_y(TmlMeshDraft *d, TmlVec3 a, TmlVec3 *y)
{
    TmlEntry *x = &d->x;
    const TmlValue *across = tml_value_find(x->value, "y_axis");
    *y = fabs(a.z) < 0.9 ? v3_cross(v3(0, 0, 1), a) : v3(0, 1, 0);
    if (across != NULL && !tml_read_direction(x, across, "y_axis", y)) {
        return false;
    }
    *y = d->mesh.type->dim == 2 ? v3_cross(v3(0, 0, 1), a) : *y;
    *y = v3_axpy(-v3_dot(*y, a), a, *y);
    if (!(v3_norm(*y) > 1e-9)) { // sine of the angle between them
        tml_entry_error(x, across, "y_axis is parallel to the axis of the body");
        return false;
    }
    *y = v3_unit(*y);
    return true;
}

void tml_mesh_put_node(TmlMeshNode *node, TmlVec3 r, TmlVec3 t, TmlVec3 y)
{
    node->x[TML_FLEX_R] = r;
    node->x[TML_FLEX_RX] = t;
    node->x[TML_FLEX_RY] = y;
    node->x[TML_FLEX_RZ] = v3_cross(t, y);
}

/* Carry y along a curve from s0 to s1; t is the tangent at s0, then at s1. */
static void carry(const TmlCurve *c, double s0, double s1, TmlVec3 *r, TmlVec3 *t, TmlVec3 *y)
{
    enum { STEPS = 8 };
    for (int i = 1; i <= STEPS; ++i) {
        TmlVec3 next;
        tml_curve_at(c, s0 + (s1 - s0) * i / STEPS, r, &next);
        *y = tml_curve_carry(*y, *t, next);
        *t = next;
    }
}

/* Unit triads along the whole path. count: elements of each piece. */
static void path_nodes(const Path *p, const int *count, int per_element, TmlVec3 y,
                       TmlMeshNode *node)
{
    TmlVec3 t = p->piece[0].along;
    for (int k = 0, at = 0; k < p->n; ++k) {
        const TmlCurve *c = &p->piece[k];
        const int n = count[k] * (per_element - 1);
        TmlVec3 r = c->start;
        y = tml_curve_carry(y, t, c->along);
        t = c->along;
        tml_mesh_put_node(&node[at++], r, t, y);
        for (int i = 1; i <= n; ++i) {
            carry(c, c->length * (i - 1) / n, c->length * i / n, &r, &t, &y);
            tml_mesh_put_node(&node[at++], r, t, y);
        }
    }
}

/* (L2) */
static void curved_nodes(const TmlMeshDraft *d, double length, TmlVec3 k, TmlMeshNode *node)
{
    const double w = v3_norm(k);
    const TmlVec3 u = w > 0.0 ? v3_scale(1.0 / w, k) : v3(1, 0, 0), e1 = v3(1, 0, 0);
    const TmlVec3 side = v3_cross(u, e1), in = v3_cross(u, side);
    for (int i = 0; i < d->mesh.n_nodes; ++i) {
        const double s = d->mesh.xi[i] * length, a = w * s;
        const TmlMat33 A = q4_matrix(q4_exp(v3_scale(s, k)));
        // sums of sin and 1 - cos over the curvature, that vanish with it
        const double c1 = w > 0.0 ? (1.0 - cos(a)) / w : 0.0, c2 = w > 0.0 ? s - sin(a) / w : 0.0;
        const TmlVec3 r = v3_axpy(c2, in, v3_axpy(c1, side, v3_scale(s, e1)));
        tml_mesh_put_node(&node[i], r, A.cx, A.cy);
    }
}

static void scale_positions(TmlMeshNode *node, int n, double f)
{
    for (int k = 0; k < n; ++k) {
        node[k].x[TML_FLEX_R] = v3_scale(f, node[k].x[TML_FLEX_R]);
    }
}

/* Elements, their first nodes, places of nodes, and ties at corners. */
static void layout(TmlMeshDraft *d, const Path *p, const int *count)
{
    const int step = d->mesh.type->nodes - 1;
    double before = 0.0;
    for (int k = 0, at = 0, e = 0; k < p->n; ++k) {
        const double length = p->piece[k].length;
        if (k > 0) {
            d->tie[at] = (TmlTie){.kind = TML_TIE_CLAMP,
                                  .body = -1,
                                  .mesh = d,
                                  .node = at - 1,
                                  .corner = true,
                                  .at = d->x.key,
                                  .where = "polyline",
                                  .name = tml_reader_printf(d->x.r, "corner%d", k)};
        }
        for (int i = 0; i < count[k]; ++i) {
            d->size[2 * e] = length / count[k];
            d->first[e++] = at + i * step;
        }
        for (int i = 0; i <= count[k] * step; ++i) {
            d->mesh.xi[at + i] = (before + length * i / (count[k] * step)) / p->length;
        }
        at += count[k] * step + 1;
        before += length;
        d->mesh.xi[at - 1] = k + 1 < p->n ? before / p->length : 1.0;
    }
}

/* rest: lengths of elements become those without stress; gradients at the start follow (L1). */
static void set_lengths(TmlMeshDraft *d, const Path *p, const Path *rest, double whole,
                        double stretch, const int *count)
{
    const int step = d->mesh.type->nodes - 1;
    for (int k = 0, at = 0, e = 0; k < p->n; ++k) {
        const double ratio = rest != NULL && rest->n == p->n
                                 ? rest->piece[k].length / p->piece[k].length
                                 : whole / p->length;
        const double f = ratio / stretch;
        for (int i = 0; i < count[k]; ++i) {
            d->size[2 * e++] *= f;
        }
        for (int i = 0; i <= count[k] * step; ++i, ++at) {
            d->start[at].x[TML_FLEX_RX] = v3_scale(1.0 / f, d->start[at].x[TML_FLEX_RX]);
        }
    }
}

/* Nodes on another curve. */
static bool rest_on_path(TmlMeshDraft *d, const TmlValue *v, const int *count, int pieces,
                         Path *rest)
{
    TmlEntry *x = &d->x;
    if (!read_path(x, v, v, rest)) {
        return false;
    }
    if (rest->n != pieces && rest->n != 1) {
        tml_entry_error(x, v, "rest: it has %d pieces, the body %d", rest->n, pieces);
        return false;
    }
    TmlVec3 y = rest->piece[0].along;
    y = fabs(y.z) < 0.9 ? v3_cross(v3(0, 0, 1), y) : v3_cross(y, v3(1, 0, 0));
    if (rest->n == pieces) {
        path_nodes(rest, count, d->mesh.type->nodes, v3_unit(y), d->rest);
        return true;
    }
    TmlVec3 r, t = rest->piece[0].along;
    y = v3_unit(y);
    for (int k = 0; k < d->mesh.n_nodes; ++k) {
        const double s0 = k > 0 ? d->mesh.xi[k - 1] * rest->length : 0.0;
        carry(&rest->piece[0], s0, d->mesh.xi[k] * rest->length, &r, &t, &y);
        tml_mesh_put_node(&d->rest[k], r, t, y);
    }
    return true;
}

static bool read_curvature(TmlEntry *x, const TmlValue *v, TmlVec3 *k)
{
    *k = v3(0, 0, 0);
    return v->kind == TML_VALUE_LIST ? tml_read_vec3(x, v, "curvature", k)
                                     : tml_read_number(x, v, "curvature", &k->z);
}

/* rest and stretch: the shape without stress. */
static bool read_rest(TmlMeshDraft *d, const Path *p, const int *count)
{
    TmlEntry *x = &d->x;
    const TmlValue *v = tml_value_find(x->value, "rest");
    const TmlValue *s = tml_value_find(x->value, "stretch");
    double stretch = 1.0, whole = p->length;
    Path rest = {0};
    if (s != NULL && !tml_read_ranged(x, s, "stretch", TML_POSITIVE, "", &stretch)) {
        return false;
    }
    const bool straight = v != NULL && v->kind == TML_VALUE_SCALAR;
    int word = 0;
    if (v == NULL) {
        memcpy(d->rest, d->start, (size_t)d->mesh.n_nodes * sizeof *d->rest);
    } else if (straight) {
        if (!tml_read_choice(x, v, "rest", "straight", &word)) {
            return false;
        }
        curved_nodes(d, whole, v3(0, 0, 0), d->rest);
    } else {
        if (!tml_read_is_map(x, v, "rest")) {
            return false;
        }
        tml_read_keys(x, v, tml_keys_rest, NULL, NULL);
        const TmlValue *bend = tml_value_find(v, "curvature");
        TmlVec3 k;
        if (bend != NULL && !read_curvature(x, bend, &k)) {
            return false;
        }
        if (bend != NULL && d->mesh.type->dim == 2 && (k.x != 0.0 || k.y != 0.0)) {
            tml_entry_error(x, bend, "curvature: a plane body bends about z only");
            return false;
        }
        if (bend != NULL) {
            curved_nodes(d, whole, k, d->rest);
        } else if (!rest_on_path(d, v, count, p->n, &rest)) {
            return false;
        } else {
            whole = rest.length;
        }
    }
    scale_positions(d->rest, d->mesh.n_nodes, 1.0 / stretch);
    set_lengths(d, p, rest.n > 0 ? &rest : NULL, whole, stretch, count);
    return true;
}

static bool check_plane(TmlMeshDraft *d, const TmlMeshNode *node)
{
    for (int k = 0; k < d->mesh.n_nodes && d->mesh.type->dim == 2; ++k) {
        const TmlVec3 r = node[k].x[TML_FLEX_R], t = node[k].x[TML_FLEX_RX];
        if (fabs(r.z) > 1e-12 * d->length || fabs(t.z) > 1e-12 * v3_norm(t)) {
            tml_entry_error(&d->x, d->x.key,
                            "type '%s' moves in the plane z = 0; its axis leaves it",
                            d->mesh.type->info.name);
            return false;
        }
    }
    return true;
}

bool tml_read_line_nodes(TmlMeshDraft *d)
{
    TmlEntry *x = &d->x;
    TmlMesh *mesh = &d->mesh;
    Path p = {0};
    TmlVec3 y;
    if (tml_value_find(x->value, "nodes") != NULL) {
        return tml_read_listed_nodes(d) && check_plane(d, d->start) && tml_read_plane(d);
    }
    if (!read_path(x, x->value, x->key, &p)) {
        return false;
    }
    int *count = tml_reader_alloc(x->r, (size_t)p.n, sizeof *count);
    if (count == NULL || !read_counts(x, &p, count)) {
        return false;
    }
    mesh->n_y = 1;
    for (int k = 0; k < p.n; ++k) {
        mesh->n_x += count[k];
        mesh->n_nodes += count[k] * (mesh->type->nodes - 1) + 1;
    }
    d->length = p.length;
    if (!tml_mesh_draft_alloc(d) || !first_y(d, p.piece[0].along, &y)) {
        return false;
    }
    layout(d, &p, count);
    path_nodes(&p, count, mesh->type->nodes, y, d->start);
    return tml_read_twist(d) && read_rest(d, &p, count) && tml_read_displacement(d) &&
           check_plane(d, d->start) && check_plane(d, d->rest) && tml_read_plane(d);
}
