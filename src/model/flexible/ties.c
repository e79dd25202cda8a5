/* model/flexible/ties.c - turns the ties of nodes into vectors.
 *
 * A tie replaces the vectors of a node by terms of what it is tied to, so that no multiplier is
 * needed ([000], joints by linear connectivity):
 *
 *   (A1)  body:  r = its point there,  gradients = directions fixed to it (clamp)
 *   (A2)  node of a mesh:  r = r',  g_i = sum_k T_ki g'_k,  T constant, from g = g' T at the start
 *   (A4)  hinge:  r = r',  g = (|g|/|g'|) g' for the gradients along its axis; others are free
 *
 * Lines that meet at an angle keep r = r' alone, and a joint keeps the orientation of their
 * sections:
 *
 *   (A3)  R(r_y, r_z)^T R(r'_y, r'_z) = const
 *
 * With (A2) r_y would follow r'_x. A moment that bends one line would then be held by the shear
 * between r'_x and r'_y of one element of the other, the less the smaller that is: corners would
 * soften as the mesh is refined (docs/decisions/0013-corners.md). A slide is a joint between the
 * body's line and the node.
 */
#include <math.h>

#include "math/vec3.h"
#include "model/body/body.h"
#include "model/flexible/read/read_mesh.h"
#include "model/registry.h"

/* Adds f times a vector to a sum; terms of one body become one. */
static void add_terms(TmlModel *m, const TmlVector *v, double f, TmlVectorTerm *sum, int *n)
{
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        const bool own = m->bodies.at[t->body].type->hidden;
        int i = 0;
        while (i < *n && (sum[i].body != t->body || sum[i].direction != t->direction)) {
            ++i;
        }
        if (i == *n) {
            sum[(*n)++] = (TmlVectorTerm){t->body, own ? 0.0 : 1.0, {0, 0, 0}, t->direction};
        }
        if (own) {
            sum[i].c += f * t->c;
        } else {
            sum[i].s_b = v3_axpy(f * t->c, t->s_b, sum[i].s_b);
        }
    }
}

/* Coefficients c of g = sum c_k h_k, n <= 3 independent vectors; false: g is not among them. */
static bool decompose(TmlVec3 g, const TmlVec3 *h, int n, double *c)
{
    TmlVec3 e[3], rest = g;
    double R[3][3] = {{0}}, y[3];
    for (int k = 0; k < n; ++k) {
        e[k] = h[k];
        for (int i = 0; i < k; ++i) {
            R[i][k] = v3_dot(e[i], h[k]);
            e[k] = v3_axpy(-R[i][k], e[i], e[k]);
        }
        R[k][k] = v3_norm(e[k]);
        e[k] = v3_scale(1.0 / R[k][k], e[k]);
        y[k] = v3_dot(e[k], rest);
        rest = v3_axpy(-y[k], e[k], rest);
    }
    for (int k = n - 1; k >= 0; --k) {
        c[k] = y[k];
        for (int i = k + 1; i < n; ++i) {
            c[k] -= R[k][i] * c[i];
        }
        c[k] /= R[k][k];
    }
    // 1e-9: what angles written with ten digits leave
    return v3_norm(rest) <= 1e-9 * v3_norm(g);
}

/* Sums are clean where rounding only is between them and a plain vector. */
static double clean(double c)
{
    return fabs(c) < 1e-14 ? 0.0 : fabs(c - 1.0) < 1e-14 ? 1.0 : c;
}

static bool combine(TmlMeshDraft *d, const TmlVector *const *from, const double *c, int n,
                    TmlVector *out)
{
    TmlReader *r = d->x.r;
    int room = 0, used = 0;
    for (int k = 0; k < n; ++k) {
        room += from[k]->n;
    }
    TmlVectorTerm *term = tml_reader_alloc(r, (size_t)room, sizeof *term);
    for (int k = 0; k < n && term != NULL; ++k) {
        if (clean(c[k]) != 0.0) {
            add_terms(r->m, from[k], clean(c[k]), term, &used);
        }
    }
    *out = (TmlVector){used, term};
    return term != NULL;
}

/* Vector of a kind at a node, NULL: the type has none. */
static const TmlVector *vector_of(const TmlMesh *mesh, int node, TmlFlexKind kind)
{
    for (int k = 0; k < mesh->type->vectors; ++k) {
        if (mesh->type->kind[k] == kind) {
            return &mesh->vector[node * mesh->type->vectors + k];
        }
    }
    return NULL;
}

static bool same_place(TmlMeshDraft *d, int node, const TmlTie *tie)
{
    TmlVec3 r, rate;
    tml_flex_initial_vector(d->x.r->m, vector_of(&tie->mesh->mesh, tie->node, TML_FLEX_R), &r,
                            &rate);
    const double apart = v3_norm(v3_sub(d->start[node].x[TML_FLEX_R], r));
    if (apart > 1e-9 * fmax(d->length, tie->mesh->length)) {
        tml_entry_error(&d->x, tie->at,
                        "%s: node %d of '%s' is %.6g m away from node %d of '%s'; joined nodes "
                        "must lie in the same place",
                        tie->where, node, d->mesh.name, apart, tie->node, tie->mesh->mesh.name);
        return false;
    }
    return true;
}

unsigned tml_clamp_free(const TmlFlexType *type, bool along_x)
{
    // what holds the section's angle: r_y and r_z of beams, r_z of plates
    const TmlFlexKind section = type->topology == TML_FLEX_LINE ? TML_FLEX_RY : TML_FLEX_RZ;
    for (int k = 0; k < type->vectors; ++k) {
        if (type->kind[k] == section) {
            return 1u << (along_x ? TML_FLEX_RY : TML_FLEX_RX);
        }
    }
    return 0;
}

/* Gradients that are no sums of those of the other node: false after reporting. */
static bool join_turned(TmlMeshDraft *d, TmlTie *tie)
{
    const TmlMesh *other = &tie->mesh->mesh;
    const bool axes = tml_mesh_has_section(d->mesh.type);
    if (tie->corner && !axes) {
        return true; // a cable has a hinge in a corner
    }
    tie->turned = axes && tml_mesh_has_section(other->type);
    if (!tie->turned) {
        tml_entry_error(&d->x, tie->at,
                        "%s: the directions of '%s' do not follow from the gradients of '%s' "
                        "there; write pin",
                        tie->where, d->mesh.name, other->name);
    }
    return tie->turned;
}

/* Gradients that turn with the section, or with the surface of a shell: what bending works on
 * (TmlFlexPoint). */
static bool turns(const TmlFlexType *type, TmlFlexKind kind)
{
    const bool shell = type->topology == TML_FLEX_PATCH && type->vectors < TML_FLEX_KINDS;
    const bool line = type->topology == TML_FLEX_LINE;
    return shell ? kind == TML_FLEX_RX || kind == TML_FLEX_RY
                 : kind == TML_FLEX_RZ || (line && kind == TML_FLEX_RY);
}

/* Do the gradients that turn follow from those of the other node that do? c: of each vector, by the
 * n gradients `of` the other. */
static bool turns_with(const TmlFlexType *type, const TmlFlexType *other, double c[][3],
                       const TmlFlexKind *of, int n)
{
    if (!tml_mesh_has_section(type)) {
        return true; // a cable, which no moment turns
    }
    bool same = type->topology == other->topology;
    for (int k = 0; k < type->vectors; ++k) {
        for (int i = 0; i < n && turns(type, type->kind[k]); ++i) {
            // 1e-9: what angles written with ten digits leave
            same = same && (turns(other, of[i]) || fabs(c[k][i]) <= 1e-9);
        }
    }
    return same;
}

/* (A2) for the gradients, or (A3). */
static bool join_gradients(TmlMeshDraft *d, int node, TmlTie *tie)
{
    const TmlMesh *other = &tie->mesh->mesh;
    const TmlVector *from[3];
    TmlFlexKind of[3];
    TmlVec3 h[3], rate;
    double c[TML_FLEX_KINDS][3];
    int n = 0;
    for (int kind = TML_FLEX_RX; kind < TML_FLEX_KINDS; ++kind) {
        const TmlVector *v = vector_of(other, tie->node, (TmlFlexKind)kind);
        if (v != NULL) {
            from[n] = v;
            of[n] = (TmlFlexKind)kind;
            tml_flex_initial_vector(d->x.r->m, v, &h[n++], &rate);
        }
    }
    for (int k = 0; k < d->mesh.type->vectors; ++k) {
        const TmlFlexKind kind = d->mesh.type->kind[k];
        if (kind != TML_FLEX_R && !decompose(d->start[node].x[kind], h, n, c[k])) {
            return join_turned(d, tie);
        }
    }
    if (!turns_with(d->mesh.type, other->type, c, of, n)) {
        return join_turned(d, tie);
    }
    for (int k = 0; k < d->mesh.type->vectors; ++k) {
        TmlVector *out = &d->mesh.vector[node * d->mesh.type->vectors + k];
        if (d->mesh.type->kind[k] != TML_FLEX_R && !combine(d, from, c[k], n, out)) {
            return false;
        }
    }
    return true;
}

/* The gradient of a node that lies along the axis at the start; TML_FLEX_KINDS: none. */
static TmlFlexKind along_axis(const TmlMeshDraft *d, int node, TmlVec3 axis)
{
    for (int k = 0; k < d->mesh.type->vectors; ++k) {
        const TmlFlexKind kind = d->mesh.type->kind[k];
        const TmlVec3 g = d->start[node].x[kind];
        // 1e-9: what angles written with ten digits leave
        if (kind != TML_FLEX_R && v3_norm(v3_cross(g, axis)) <= 1e-9 * v3_norm(g) * v3_norm(axis)) {
            return kind;
        }
    }
    return TML_FLEX_KINDS;
}

static void no_hinge(TmlMeshDraft *d, const TmlTie *tie, const TmlMesh *mesh)
{
    tml_entry_error(&d->x, tie->at,
                    "%s: no axis of the section of '%s' lies along the axis of the hinge; choose "
                    "`y_axis` so that "
                    "one does, or use a revolute joint",
                    tie->where, mesh->name);
}

/* (A4) */
static bool hinge_gradient(TmlMeshDraft *d, int node, const TmlTie *tie)
{
    const TmlMeshDraft *o = tie->mesh;
    const TmlFlexKind mine = along_axis(d, node, tie->axis),
                      theirs = along_axis(o, tie->node, tie->axis);
    if (mine == TML_FLEX_KINDS || theirs == TML_FLEX_KINDS) {
        no_hinge(d, tie, mine == TML_FLEX_KINDS ? &d->mesh : &o->mesh);
        return false;
    }
    const TmlVec3 g = d->start[node].x[mine], h = o->start[tie->node].x[theirs];
    const double c = v3_dot(g, h) / v3_dot(h, h);
    const TmlVector *from = vector_of(&o->mesh, tie->node, theirs);
    for (int k = 0; k < d->mesh.type->vectors; ++k) {
        if (d->mesh.type->kind[k] == mine) {
            return combine(d, &from, &c, 1, &d->mesh.vector[node * d->mesh.type->vectors + k]);
        }
    }
    return false;
}

static bool tie_to_body(TmlMeshDraft *d, int node, TmlTie *tie)
{
    if (tie->kind == TML_TIE_HINGE) {
        const TmlFlexKind kind = along_axis(d, node, tie->axis);
        if (kind == TML_FLEX_KINDS) {
            no_hinge(d, tie, &d->mesh);
            return false;
        }
        tie->along |= 1u << kind;
    }
    for (int k = 0; k < d->mesh.type->vectors; ++k) {
        const TmlFlexKind kind = d->mesh.type->kind[k];
        TmlError err = {0};
        const bool clamped = tie->kind == TML_TIE_CLAMP && (tie->free >> kind & 1u) == 0;
        if ((clamped || kind == TML_FLEX_R || (tie->along >> kind & 1u) != 0) &&
            tml_mesh_attach(d->x.r->m, tie->body, d->start[node].x[kind], kind != TML_FLEX_R,
                            &d->mesh.vector[node * d->mesh.type->vectors + k], &err) != TML_OK) {
            d->x.r->nomem = true;
            return false;
        }
    }
    return true;
}

static bool resolve(TmlMeshDraft *d, int node);

static bool tie_to_node(TmlMeshDraft *d, int node, TmlTie *tie)
{
    TmlMeshDraft *o = tie->mesh;
    const double one = 1.0;
    TmlError err = {0};
    if (!o->ok) {
        return false; // reported there
    }
    if (o->mesh.type->dim != d->mesh.type->dim) {
        tml_entry_error(&d->x, tie->at, "%s: a plane body and one in space cannot be joined",
                        tie->where);
        return false;
    }
    if (!resolve(o, tie->node)) {
        return false;
    }
    if (tml_mesh_free_node(d->x.r->m, &o->mesh, tie->node, &o->start[tie->node], &err) != TML_OK) {
        d->x.r->nomem = true;
        return false;
    }
    const TmlVector *r = vector_of(&o->mesh, tie->node, TML_FLEX_R);
    return same_place(d, node, tie) &&
           combine(d, &r, &one, 1, &d->mesh.vector[node * d->mesh.type->vectors]) &&
           (tie->kind != TML_TIE_CLAMP || join_gradients(d, node, tie)) &&
           (tie->kind != TML_TIE_HINGE || hinge_gradient(d, node, tie));
}

/* Vectors of one node; first those of the node it is tied to. */
static bool resolve(TmlMeshDraft *d, int node)
{
    TmlTie *tie = &d->tie[node];
    if (tie->done || tie->kind == TML_TIE_NONE || tie->kind == TML_TIE_SLIDE) {
        return d->ok;
    }
    if (tie->busy) {
        tml_entry_error(&d->x, tie->at, "%s: joins go round in a circle; leave one node free",
                        tie->where);
        return d->ok = false;
    }
    tie->busy = true;
    const bool ok = tie->body >= 0 ? tie_to_body(d, node, tie) : tie_to_node(d, node, tie);
    tie->busy = false;
    tie->done = true;
    d->ok = d->ok && ok;
    return d->ok;
}

void tml_resolve_ties(TmlMeshDraft *d)
{
    for (int k = 0; k < d->mesh.n_nodes && d->ok; ++k) {
        resolve(d, k);
    }
}

/* --- joints ---------------------------------------------------------------------------------- */

static void add_slide(TmlMeshDraft *d, int index, int node)
{
    TmlReader *r = d->x.r;
    TmlModel *m = r->m;
    const TmlTie *tie = &d->tie[node];
    const TmlFlexType *type = d->mesh.type;
    const bool patch = type->topology == TML_FLEX_PATCH;
    const int row = d->mesh.n_x + 1, i = node % row, j = node / row;
    const double u = patch ? (double)i / d->mesh.n_x : d->mesh.xi[node];
    const double v = patch ? (double)j / d->mesh.n_y : 0.0;
    double xi[3];
    const int e = tml_mesh_place(m, index, u, v, xi);
    const int point = tml_flex_add_point(m, e, xi);
    TmlEnd *end = tml_reader_alloc(r, 2, sizeof *end);
    const char *name = tml_reader_printf(r, "%s.%s", d->mesh.name, tie->name);
    if (point < 0 || end == NULL || name == NULL) {
        r->nomem = true;
        return;
    }
    // in the plane one row holds the node on the line
    const bool plane = type->dim == 2;
    const TmlVec3 z = plane ? v3_cross(v3(0, 0, 1), tie->axis) : tie->axis;
    const TmlMat33 A = m3_from_z(z, fabs(z.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0));
    const TmlConstraint c = {
        .name = name,
        .type = tml_find_constraint_type(m, plane ? "point_in_plane" : "point_on_line"),
        .data = NULL,
        .n_ends = 2,
        .end = end,
        .source = d->x.key};
    bool ok = true;
    end[0] = tml_end_at(m, tie->body, d->start[node].x[TML_FLEX_R], &A);
    end[1] = (TmlEnd){d->mesh.body, {0, 0, 0}, m3_identity(), point + 1};
    TML_LIST_ADD(m->constraints, c, &ok);
    r->nomem |= !ok;
}

void tml_add_slides(TmlMeshDraft *d, int index)
{
    for (int k = 0; k < d->mesh.n_nodes; ++k) {
        if (d->tie[k].kind == TML_TIE_SLIDE) {
            add_slide(d, index, k);
        }
    }
}

/* Across the plane that a mesh moves in; zero: in space. */
static TmlVec3 plane_normal(const TmlMesh *mesh)
{
    return mesh->type->dim == 2 ? v3(0, 0, 1) : tml_mesh_normal(mesh);
}

/* (A3): the orientation of a node against that of the node it is tied to. In a plane one row tells
 * it: a direction of one section stays across one of the other. */
static void add_turned(TmlMeshDraft *d, int node)
{
    TmlReader *r = d->x.r;
    TmlModel *m = r->m;
    const TmlTie *tie = &d->tie[node];
    const int body[2] = {tie->mesh->mesh.body, d->mesh.body}, at[2] = {tie->node, node};
    const TmlVec3 normal = plane_normal(&d->mesh), other = plane_normal(&tie->mesh->mesh);
    const bool plane = v3_dot(normal, other) > 0.5;
    TmlEnd *end = tml_reader_alloc(r, 2, sizeof *end);
    const char *name = tml_reader_printf(r, "%s.%s", d->mesh.name, tie->name);
    TmlMat33 A[2];
    bool ok = end != NULL && name != NULL;
    for (int k = 0; k < 2 && ok; ++k) {
        double xi[3];
        const int e = tml_mesh_node_place(m, tml_mesh_of_body(m, body[k]), at[k], xi);
        const int point = tml_flex_add_point(m, e, xi);
        ok = point >= 0;
        if (ok) {
            const TmlFrameKin kin = tml_flex_initial_point(m, point);
            if (k == 0) {
                const TmlVec3 x = kin.A.cx; // along the axis, which lies in the plane
                A[0] = plane ? m3_from_z(x, normal) : kin.A;
                A[1] = plane ? m3_from_z(v3_cross(normal, x), normal) : kin.A;
            }
            const TmlMat33 inner = m3_tmul(&kin.A, &A[k]);
            end[k] = (TmlEnd){body[k], {0, 0, 0}, inner, point + 1};
        }
    }
    const TmlConstraint c = {
        .name = name,
        .type = tml_find_constraint_type(m, plane ? "perpendicular_axes" : "orientation"),
        .n_ends = 2,
        .end = end,
        .source = d->x.key};
    if (ok) {
        TML_LIST_ADD(m->constraints, c, &ok);
    }
    r->nomem |= !ok;
}

void tml_add_turned(TmlMeshDraft *d)
{
    for (int k = 0; k < d->mesh.n_nodes && !d->x.r->nomem; ++k) {
        if (d->tie[k].turned) {
            add_turned(d, k);
        }
    }
}
