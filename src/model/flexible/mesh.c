/* model/flexible/mesh.c - coordinates, elements and places of flexible bodies. */
#include "model/flexible/mesh.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/body/body.h"

#include <math.h>
#include <stdio.h>

TmlStatus tml_mesh_attach(TmlModel *m, int body, TmlVec3 x, bool direction, TmlVector *out,
                          TmlError *err)
{
    const TmlBody *b = &m->bodies.at[body];
    const TmlMat33 A = q4_matrix(b->p0);
    TmlVectorTerm *t;
    TML_NEW(&m->arena, t, 1);
    *t = (TmlVectorTerm){body, 1.0, m3_tmulv(&A, direction ? x : v3_sub(x, b->r0)), direction};
    *out = (TmlVector){1, t};
    return TML_OK;
}

TmlVec3 tml_mesh_normal(const TmlMesh *mesh)
{
    return v3(mesh->plane == 2, mesh->plane == 3, mesh->plane == 1);
}

/* A constant vector as a term of ground. */
static TmlVectorTerm constant_term(TmlVec3 x)
{
    return (TmlVectorTerm){TML_GROUND, 1.0, x, true};
}

/* The kind of body that holds a vector of a mesh. */
static const TmlBodyType *vector_type(const TmlMesh *mesh, TmlFlexKind kind)
{
    static const TmlBodyType *const types[2][4] = {
        {&tml_body_position3, &tml_body_position2, &tml_body_position_yz, &tml_body_position_zx},
        {&tml_body_gradient3, &tml_body_gradient2, &tml_body_gradient_yz, &tml_body_gradient_zx}};
    return types[kind != TML_FLEX_R][mesh->type->dim == 2 ? 1 : mesh->plane];
}

/* A body of its own for one vector. In a plane it holds what lies along that; what stands across
 * does not move. */
static TmlStatus free_vector(TmlModel *m, const TmlMesh *mesh, int node, TmlFlexKind kind,
                             const TmlMeshNode *start, TmlVector *out, TmlError *err)
{
    static const char *const names[] = {"r", "rx", "ry", "rz"};
    const TmlVec3 normal = tml_mesh_normal(mesh), x = start->x[kind], v = start->v[kind];
    const TmlVec3 across = v3_scale(v3_dot(normal, x), normal), along = v3_sub(x, across);
    const bool plane = mesh->plane != 0;
    char name[256];
    bool ok = true;
    TmlVectorTerm *t;
    snprintf(name, sizeof name, "%.200s.node%d.%s", mesh->name, node, names[kind]);
    const TmlBody body = {
        .name = tml_arena_strdup(&m->arena, name),
        .type = vector_type(mesh, kind),
        .r0 = along,
        .v0 = v3_axpy(-v3_dot(normal, v), normal, v),
        .p0 = {1, 0, 0, 0},
        .source = mesh->source,
        .owner = mesh->body,
    };
    TML_NEW(&m->arena, t, 2);
    if (plane && kind != TML_FLEX_R && v3_norm(along) == 0.0) {
        *t = constant_term(across);
        *out = (TmlVector){1, t};
        return TML_OK;
    }
    TML_LIST_ADD(m->bodies, body, &ok);
    if (!ok || body.name == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    t[0] = (TmlVectorTerm){m->bodies.n - 1, 1.0, {0, 0, 0}, false};
    t[1] = constant_term(across);
    *out = (TmlVector){plane ? 2 : 1, t};
    return TML_OK;
}

static void element_nodes(const TmlMesh *mesh, const TmlMeshPlan *plan, int e, int node[4])
{
    if (mesh->type->topology == TML_FLEX_LINE) {
        for (int k = 0; k < mesh->type->nodes; ++k) {
            node[k] = plan->first[e] + k;
        }
        return;
    }
    const int row = mesh->n_x + 1, first = e / mesh->n_x * row + e % mesh->n_x;
    node[0] = first;
    node[1] = first + 1;
    node[2] = first + row + 1;
    node[3] = first + row;
}

static TmlStatus add_element(TmlModel *m, TmlMesh *mesh, int e, const TmlMeshPlan *plan,
                             const void **table, TmlError *err)
{
    const TmlFlexType *type = mesh->type;
    TmlFlex flex = {.mesh = m->meshes.n,
                    .data = plan->data != NULL ? &plan->data[e] : mesh->data,
                    .size = {plan->size[2 * e], plan->size[2 * e + 1]}};
    double x[TML_FLEX_MAX_N];
    TmlError inner = {0};
    bool ok = true;
    element_nodes(mesh, plan, e, flex.node);
    for (int i = 0; i < type->nodes * type->vectors; ++i) {
        const TmlMeshNode *node = &plan->rest[flex.node[i / type->vectors]];
        const TmlVec3 v = node->x[type->kind[i % type->vectors]];
        const double c[3] = {v.x, v.y, v.z};
        for (int d = 0; d < type->dim; ++d) {
            x[i * type->dim + d] = c[d];
        }
    }
    const TmlFlexReference ref = {x, {plan->size[2 * e], plan->size[2 * e + 1]}};
    const TmlStatus status = type->prepare(flex.data, &ref, &m->arena,
                                           plan->data != NULL ? NULL : *table, &flex.table, &inner);
    if (status != TML_OK) {
        return tml_fail(err, status,
                        "element %d %s; check the shape: its curvature against the section, its "
                        "order of points",
                        e + 1, inner.message);
    }
    *table = flex.table;
    TML_LIST_ADD(m->flexes, flex, &ok);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

TmlStatus tml_mesh_free_node(TmlModel *m, TmlMesh *mesh, int node, const TmlMeshNode *start,
                             TmlError *err)
{
    for (int k = 0; k < mesh->type->vectors; ++k) {
        TmlVector *v = &mesh->vector[node * mesh->type->vectors + k];
        if (v->n == 0) {
            TML_TRY(free_vector(m, mesh, node, mesh->type->kind[k], start, v, err));
        }
    }
    return TML_OK;
}

TmlStatus tml_mesh_build(TmlModel *m, TmlMesh *mesh, const TmlMeshPlan *plan, TmlError *err)
{
    const void *table = NULL;
    bool ok = true;
    for (int k = 0; k < mesh->n_nodes; ++k) {
        TML_TRY(tml_mesh_free_node(m, mesh, k, &plan->start[k], err));
    }
    mesh->flex0 = m->flexes.n;
    for (int e = 0; e < mesh->n_x * mesh->n_y; ++e) {
        TML_TRY(add_element(m, mesh, e, plan, &table, err));
    }
    TML_LIST_ADD(m->meshes, *mesh, &ok);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

int tml_mesh_node_at(const TmlMesh *mesh, double u, double v)
{
    const double near = 1e-9; // of the whole mesh: what a fraction written with ten digits leaves
    if (mesh->type->topology == TML_FLEX_PATCH) {
        const double i = round(u * mesh->n_x), j = round(v * mesh->n_y);
        const bool hit = fabs(u * mesh->n_x - i) <= near * mesh->n_x &&
                         fabs(v * mesh->n_y - j) <= near * mesh->n_y;
        return hit ? (int)j * (mesh->n_x + 1) + (int)i : -1;
    }
    for (int k = 0; k < mesh->n_nodes; ++k) {
        if (fabs(mesh->xi[k] - u) <= near) {
            return k;
        }
    }
    return -1;
}

/* u over n cells: the cell, and where in it. */
static int cell_of(double u, int n, double *inside)
{
    const int k = (int)fmin(fmax(floor(u * n), 0.0), n - 1.0);
    *inside = u * n - k;
    return k;
}

/* Where element e of a line begins or ends, from 0 to 1. */
static double line_bound(const TmlModel *m, const TmlMesh *s, int e, bool end)
{
    return s->xi[m->flexes.at[s->flex0 + e].node[end ? s->type->nodes - 1 : 0]];
}

/* The element of a line at u: the last one that does not begin after it. */
static int line_element(const TmlModel *m, const TmlMesh *s, double u, double *inside)
{
    int low = 0, high = s->n_x - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (line_bound(m, s, middle, false) <= u) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    const double from = line_bound(m, s, low, false), to = line_bound(m, s, low, true);
    *inside = (u - from) / (to - from);
    return low;
}

int tml_mesh_place(const TmlModel *m, int mesh, double u, double v, double xi[3])
{
    const TmlMesh *s = &m->meshes.at[mesh];
    xi[1] = xi[2] = 0.0;
    if (s->type->topology == TML_FLEX_LINE) {
        return s->flex0 + line_element(m, s, u, &xi[0]);
    }
    const int i = cell_of(u, s->n_x, &xi[0]);
    const int j = cell_of(v, s->n_y, &xi[1]);
    return s->flex0 + j * s->n_x + i;
}

int tml_mesh_node_place(const TmlModel *m, int mesh, int node, double xi[3])
{
    const TmlMesh *s = &m->meshes.at[mesh];
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    for (int e = s->flex0; e < s->flex0 + s->n_x * s->n_y; ++e) {
        for (int k = 0; k < s->type->nodes; ++k) {
            if (m->flexes.at[e].node[k] == node) {
                xi[0] = patch ? (k == 1 || k == 2) : k / (s->type->nodes - 1.0);
                xi[1] = patch && k >= 2;
                xi[2] = 0.0;
                return e;
            }
        }
    }
    return -1;
}

/* Position at (u, v) at the start. */
static TmlVec3 place_position(const TmlModel *m, int mesh, double u, double v)
{
    const TmlMesh *s = &m->meshes.at[mesh];
    double xi[3], w[TML_FLEX_MAX_VECTORS];
    const int e = tml_mesh_place(m, mesh, u, v, xi), per_node = s->type->vectors;
    TmlVec3 r = {0};
    s->type->shape(s->data, m->flexes.at[e].table, xi, TML_FLEX_R, w);
    for (int i = 0; i < s->type->nodes * per_node; ++i) {
        TmlVec3 x, rate;
        const int node = m->flexes.at[e].node[i / per_node];
        tml_flex_initial_vector(m, &s->vector[node * per_node + i % per_node], &x, &rate);
        r = v3_axpy(w[i], x, r);
    }
    return r;
}

static double distance_at(const TmlModel *m, int mesh, TmlVec3 r, double u, double v)
{
    const TmlVec3 d = v3_sub(place_position(m, mesh, u, v), r);
    return v3_dot(d, d);
}

/* u of grid line i, four an element. */
static double grid_u(const TmlModel *m, const TmlMesh *s, int i)
{
    enum { PARTS = 4 };
    if (s->type->topology == TML_FLEX_PATCH) {
        return (double)i / (PARTS * s->n_x);
    }
    const int e = i / PARTS < s->n_x ? i / PARTS : s->n_x - 1;
    const double from = line_bound(m, s, e, false), to = line_bound(m, s, e, true);
    return from + (to - from) * (i - PARTS * e) / PARTS;
}

int tml_mesh_closest(const TmlModel *m, int mesh, TmlVec3 r, double xi[3])
{
    const TmlMesh *s = &m->meshes.at[mesh];
    const bool patch = s->type->topology == TML_FLEX_PATCH;
    const int nu = 4 * s->n_x, nv = patch ? 4 * s->n_y : 0;
    double best = HUGE_VAL, u = 0.0, v = 0.0;
    for (int j = 0; j <= nv; ++j) {
        for (int i = 0; i <= nu; ++i) {
            const double at = grid_u(m, s, i);
            const double d = distance_at(m, mesh, r, at, patch ? (double)j / nv : 0.0);
            if (d < best) {
                best = d;
                u = at;
                v = patch ? (double)j / nv : 0.0;
            }
        }
    }
    // halve the steps around the best of the grid; a place on the grid stays what it is
    double du = 1.0 / nu, dv = patch ? 1.0 / nv : 0.0;
    for (int k = 0; k < 200 && best > 0.0 && du > 1e-15; ++k) {
        const double move[4][2] = {{du, 0}, {-du, 0}, {0, dv}, {0, -dv}};
        bool moved = false;
        for (int j = 0; j < (patch ? 4 : 2); ++j) {
            const double a = fmin(fmax(u + move[j][0], 0.0), 1.0);
            const double b = fmin(fmax(v + move[j][1], 0.0), 1.0);
            const double d = distance_at(m, mesh, r, a, b);
            if (d < best) {
                best = d;
                u = a;
                v = b;
                moved = true;
            }
        }
        du *= moved ? 1.0 : 0.5;
        dv *= moved ? 1.0 : 0.5;
    }
    return tml_mesh_place(m, mesh, u, v, xi);
}

int tml_mesh_of_body(const TmlModel *m, int body)
{
    for (int k = 0; k < m->meshes.n; ++k) {
        if (m->meshes.at[k].body == body) {
            return k;
        }
    }
    return -1;
}

bool tml_mesh_has_section(const TmlFlexType *type)
{
    bool found = false;
    for (int k = 0; k < type->vectors; ++k) {
        found = found || type->kind[k] == TML_FLEX_RY;
    }
    return found;
}
