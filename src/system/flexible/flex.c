/* system/flexible/flex.c - flexible elements: (F1) of flex.h, energy. (F2) is in flex_tangent.c. */
#include "system/flexible/flex.h"

#include "base/fail.h"
#include "base/pool.h"
#include "math/vec3.h"
#include "system/flexible/flex_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = TML_FLEX_MAX_N };

static const TmlMesh *mesh_of(const TmlSystem *sys, int e)
{
    return &sys->model->meshes.at[sys->model->flexes.at[e].mesh];
}

int tml_flex_free_body(const TmlSystem *sys, const TmlVector *v, int dim)
{
    const TmlVectorTerm *t = v->term;
    const TmlBodyType *type = sys->model->bodies.at[t->body].type;
    const bool own = v->n == 1 && t->c == 1.0 && type->hidden && type->nu == dim;
    return own ? t->body : -1;
}

/* The same of a vector that lies in a plane: its body has what lies along that, ground what stands across. */
static int plane_body(const TmlSystem *sys, const TmlVector *v)
{
    const TmlVectorTerm *t = v->term;
    const TmlBodyType *type = sys->model->bodies.at[t->body].type;
    const bool own = v->n == 2 && t->c == 1.0 && type->hidden && type->nu == 2 &&
                     t[1].body == TML_GROUND && t[1].direction;
    return own ? t->body : -1;
}

/* Finds the body of vector i, and along which axes its numbers lie. */
static void own_body(const TmlSystem *sys, TmlFlexOwner *o, int i, int dim)
{
    o->free[i] = tml_flex_free_body(sys, o->vector[i], dim);
    o->first[i] = 0;
    o->axes[i] = dim;
    if (o->free[i] < 0 && dim == 3) {
        o->free[i] = plane_body(sys, o->vector[i]);
        o->axes[i] = 2;
        if (o->free[i] >= 0) {
            const TmlVec3 across = o->vector[i]->term[1].s_b;
            o->first[i] = sys->model->bodies.at[o->free[i]].type->first;
            o->across[i] = v3_scale(o->vector[i]->term[1].c, across);
        }
    }
}

static int axis_of(const TmlFlexOwner *o, int i, int k)
{
    return (o->first[i] + k) % 3;
}

/* Which numbers of a plain element its local columns are. */
static TmlStatus shown_fill(TmlSystem *sys, int dim, TmlFlexOwner *o, TmlError *err)
{
    int *shown;
    if (!o->plain || o->parts.cols == o->n * dim) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, shown, o->parts.cols);
    for (int i = 0; i < o->n; ++i) {
        for (int k = 0; k < o->axes[i] && o->free[i] >= 0; ++k) {
            shown[o->col[i] + k] = i * dim + axis_of(o, i, k);
        }
    }
    o->shown = shown;
    return TML_OK;
}

/* No unknown moves it. */
static bool is_fixed(const TmlSystem *sys, const TmlVector *v)
{
    for (int k = 0; k < v->n; ++k) {
        if (sys->dim.span[v->term[k].body + 1].u0 > sys->dim.span[v->term[k].body].u0) {
            return false;
        }
    }
    return true;
}

static TmlStatus owner_fill(TmlSystem *sys, int e, TmlFlexOwner *o, TmlError *err)
{
    const TmlMesh *mesh = mesh_of(sys, e);
    const int per_node = mesh->type->vectors;
    int n_free = 0;
    o->n = mesh->type->nodes * per_node;
    o->plain = true;
    for (int i = 0; i < o->n; ++i) {
        const int node = sys->model->flexes.at[e].node[i / per_node];
        o->vector[i] = &mesh->vector[node * per_node + i % per_node];
        own_body(sys, o, i, mesh->type->dim);
        o->plain = o->plain && (o->free[i] >= 0 || is_fixed(sys, o->vector[i]));
        n_free += o->free[i] >= 0;
    }
    TML_TRY(tml_vector_parts(sys, o->n, o->vector, &sys->arena, &o->parts, err));
    for (int i = 0; i < o->n; ++i) {
        o->col[i] = o->free[i] >= 0 ? tml_parts_column(&o->parts, o->free[i]) : -1;
    }
    o->plain = o->plain && o->parts.n == n_free;
    if (o->parts.cols > TML_END_MAX_NU) {
        return tml_fail(
            err, TML_E_MODEL,
            "element %d of flexible body '%s' is tied to too much (%d unknowns, at most "
            "%d are possible)",
            e - mesh->flex0 + 1, mesh->name, o->parts.cols, (int)TML_END_MAX_NU);
    }
    return shown_fill(sys, mesh->type->dim, o, err);
}

/* Lists the points of the ends from `from` to `to` that are not in the order yet. */
static void order_points(TmlSystem *sys, int from, int to, bool *known)
{
    for (int k = from; k < to; ++k) {
        const int p = sys->end[k].point - 1;
        if (p >= 0 && sys->model->points.at[p].flex >= 0 && !known[p]) {
            known[p] = true;
            sys->flex->point_order[sys->flex->n_points++] = p;
        }
    }
}

static TmlStatus points_setup(TmlSystem *sys, TmlError *err)
{
    bool *known;
    TML_NEW(&sys->arena, known, sys->model->points.n);
    TML_NEW(&sys->arena, sys->flex->point, sys->model->points.n);
    TML_NEW(&sys->arena, sys->flex->at, sys->model->points.n);
    for (int k = 0; k < sys->model->points.n; ++k) {
        sys->flex->at[k] = sys->model->points.at[k];
    }
    TML_NEW(&sys->arena, sys->flex->point_order, sys->model->points.n);
    order_points(sys, 0, sys->n_ends_loop, known);
    sys->flex->n_points_loop = sys->flex->n_points;
    order_points(sys, sys->n_ends_loop, sys->n_ends, known);
    return TML_OK;
}

/* Tells whether free vectors alone have inertia, so that the mass matrix is constant. */
static bool mass_is_constant(const TmlSystem *sys)
{
    for (int e = 0; e < sys->model->flexes.n; ++e) {
        if (!sys->flex->element[e].plain) {
            return false;
        }
    }
    for (int b = 0; b < sys->dim.nb; ++b) {
        if (sys->dim.span[b + 1].u0 > sys->dim.span[b].u0 &&
            !sys->model->bodies.at[b].type->hidden) {
            return false;
        }
    }
    return true;
}

void tml_flex_free(TmlSystem *sys)
{
    if (sys->flex != NULL) {
        tml_pool_free(sys->flex->pool);
    }
}

TmlStatus tml_flex_setup(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    if (m->flexes.n == 0) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, sys->flex, 1);
    TML_NEW(&sys->arena, sys->flex->element, m->flexes.n);
    TML_NEW(&sys->arena, sys->flex->x, (size_t)m->flexes.n * 3 * N);
    TML_NEW(&sys->arena, sys->flex->f, (size_t)m->flexes.n * N);
    TML_NEW(&sys->arena, sys->flex->power, m->flexes.n);
    for (int e = 0; e < m->flexes.n; ++e) {
        TmlFlexOwner *o = &sys->flex->element[e];
        TML_TRY(owner_fill(sys, e, o, err));
        const int width = o->n * mesh_of(sys, e)->type->dim;
        sys->flex->width = width > sys->flex->width ? width : sys->flex->width;
    }
    sys->flex->pool = m->flexes.n >= TML_FLEX_MANY ? tml_pool_create(sys->threads) : NULL;
    TML_TRY(tml_flex_tangent_setup(sys, err));
    sys->constant_mass = mass_is_constant(sys);
    TML_TRY(points_setup(sys, err));
    return tml_flex_load_setup(sys, err);
}

const TmlParts *tml_element_parts(const TmlSystem *sys, int element)
{
    return &sys->flex->element[element].parts;
}

static void put(double *x, int dim, TmlVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    if (dim > 2) {
        x[2] = v.z;
    }
}

static TmlVec3 get(const double *x, int dim)
{
    return v3(x[0], x[1], dim > 2 ? x[2] : 0.0);
}

void tml_flex_element_motion(TmlSystem *sys, const TmlState *s, int e)
{
    const TmlFlexOwner *o = &sys->flex->element[e];
    const int dim = mesh_of(sys, e)->type->dim;
    double *x = sys->flex->x + (size_t)e * 3 * N;
    for (int i = 0; i < o->n; ++i) {
        if (o->free[i] >= 0) {
            const int q0 = sys->dim.span[o->free[i]].q0;
            if (o->axes[i] < dim) {
                put(x + i * dim, dim, o->across[i]);
                put(x + N + i * dim, dim, v3(0, 0, 0));
                put(x + 2 * N + i * dim, dim, v3(0, 0, 0));
            }
            for (int k = 0; k < o->axes[i]; ++k) {
                const int d = axis_of(o, i, k);
                x[i * dim + d] = s->q[q0 + k];
                x[N + i * dim + d] = s->v[q0 + k];
                x[2 * N + i * dim + d] = s->a[q0 + k];
            }
            continue;
        }
        TmlVec3 k[3];
        tml_vector_kin(sys, o->vector[i], k);
        put(x + i * dim, dim, k[0]);
        put(x + N + i * dim, dim, k[1]);
        put(x + 2 * N + i * dim, dim, k[2]);
    }
}

void tml_flex_kinematics(TmlSystem *sys, const TmlState *s, bool channels)
{
    const int n = sys->model->flexes.n;
    for (int e = 0; e < n; ++e) {
        tml_flex_element_motion(sys, s, e);
    }
    const int n_points = channels ? sys->flex->n_points : sys->flex->n_points_loop;
    for (int k = 0; k < n_points; ++k) {
        tml_flex_point_kin(sys, sys->flex->point_order[k]);
    }
}

TmlFlexIn tml_flex_in(const TmlSystem *sys, int e)
{
    const double *x = sys->flex->x + (size_t)e * 3 * N;
    return (TmlFlexIn){.data = sys->model->flexes.at[e].data,
                       .table = sys->model->flexes.at[e].table,
                       .x = x,
                       .v = x + N};
}

/* Adds d M x' of (F1) and returns its power. */
static double add_drag(const TmlFlexIn *in, const double *M, int n, int dim, double *f)
{
    const double damping = in->data->material.mass_damping;
    double power = 0.0;
    for (int k = 0; k < n * dim; ++k) {
        double drag = 0.0;
        for (int j = 0; j < n; ++j) {
            drag += damping * M[k / dim * n + j] * in->v[j * dim + k % dim];
        }
        f[k] += drag;
        power -= drag * in->v[k];
    }
    return power;
}

/* Sets the forces of (F1) on the vectors of one element and returns the power of stresses and
 * damping. */
static double element_force(const TmlSystem *sys, int e, double *f)
{
    const TmlFlexType *type = mesh_of(sys, e)->type;
    const TmlFlexIn in = tml_flex_in(sys, e);
    const int n = type->nodes * type->vectors, dim = type->dim;
    const double *M = tml_flex_mass(type, in.table), *w = tml_flex_weight(type, in.table);
    const double *a = in.x + 2 * N;
    const double g[3] = {sys->gravity.x, sys->gravity.y, sys->gravity.z};
    double power = 0.0;
    type->force(&in, f);
    for (int k = 0; k < n * dim; ++k) {
        power -= f[k] * in.v[k];
    }
    if (in.data->material.mass_damping > 0.0) {
        power += add_drag(&in, M, n, dim, f);
    }
    for (int i = 0; i < n; ++i) {
        for (int d = 0; d < dim; ++d) {
            double inertia = 0.0;
            for (int j = 0; j < n; ++j) {
                inertia += M[i * n + j] * a[j * dim + d];
            }
            f[i * dim + d] += inertia - w[i] * g[d];
        }
    }
    return power;
}

/* Adds D^T f of all vectors of an element. */
static void scatter(const TmlSystem *sys, const TmlFlexOwner *o, int dim, const double *f,
                    double *r)
{
    for (int i = 0; i < o->n; ++i) {
        if (o->free[i] >= 0) {
            double *to = r + sys->dim.span[o->free[i]].u0;
            for (int k = 0; k < o->axes[i]; ++k) {
                to[k] += f[i * dim + axis_of(o, i, k)];
            }
        } else {
            tml_vector_force(sys, o->vector[i], get(f + i * dim, dim), r);
        }
    }
}

static void forces_of(void *user, int from, int to)
{
    const TmlSystem *sys = user;
    for (int e = from; e < to; ++e) {
        sys->flex->power[e] = element_force(sys, e, sys->flex->f + (size_t)e * N);
    }
}

void tml_flex_residual(TmlSystem *sys, double t, double *r)
{
    const int n = sys->model->flexes.n;
    tml_pool_for(sys->flex->pool, 0, n, forces_of, sys);
    for (int e = 0; e < n; ++e) {
        sys->power.stored += sys->flex->power[e];
    }
    tml_flex_load_forces(sys, t);
    for (int e = 0; e < n; ++e) {
        scatter(sys, &sys->flex->element[e], mesh_of(sys, e)->type->dim,
                sys->flex->f + (size_t)e * N, r);
    }
}

/* Returns D du of vector i of an element for du[nu]. */
static TmlVec3 vector_change(const TmlSystem *sys, const TmlFlexOwner *o, int dim, int i,
                             const double *du)
{
    double dx[3] = {0};
    if (o->free[i] < 0) {
        return tml_vector_change(sys, o->vector[i], du);
    }
    for (int k = 0; k < o->axes[i]; ++k) {
        dx[axis_of(o, i, k)] = du[sys->dim.span[o->free[i]].u0 + k];
    }
    return get(dx, dim);
}

void tml_flex_mass_mul(const TmlSystem *sys, const double *x, double *y)
{
    for (int e = 0; e < sys->model->flexes.n; ++e) {
        const TmlFlexOwner *o = &sys->flex->element[e];
        const TmlFlexIn in = tml_flex_in(sys, e);
        const TmlFlexType *type = mesh_of(sys, e)->type;
        const double *M = tml_flex_mass(type, in.table);
        TmlVec3 dx[TML_FLEX_MAX_VECTORS];
        double f[N];
        for (int i = 0; i < o->n; ++i) {
            dx[i] = vector_change(sys, o, type->dim, i, x);
        }
        for (int i = 0; i < o->n; ++i) {
            TmlVec3 sum = {0};
            for (int j = 0; j < o->n; ++j) {
                sum = v3_axpy(M[i * o->n + j], dx[j], sum);
            }
            put(f + i * type->dim, type->dim, sum);
        }
        scatter(sys, o, type->dim, f, y);
    }
}

void tml_flex_mass_diagonal(TmlSystem *sys, double *d, double *total)
{
    const TmlModel *m = sys->model;
    for (int e = 0; e < m->flexes.n; ++e) {
        const TmlFlexOwner *o = &sys->flex->element[e];
        const TmlMesh *mesh = mesh_of(sys, e);
        const double *M = tml_flex_mass(mesh->type, m->flexes.at[e].table);
        const double *w = tml_flex_weight(mesh->type, m->flexes.at[e].table);
        for (int i = 0; i < o->n; ++i) {
            *total += mesh->type->kind[i % mesh->type->vectors] == TML_FLEX_R ? w[i] : 0.0;
            for (int k = 0; k < o->vector[i]->n; ++k) {
                const TmlVectorTerm *t = &o->vector[i]->term[k];
                for (int u = sys->dim.span[t->body].u0; u < sys->dim.span[t->body + 1].u0; ++u) {
                    const bool free = m->bodies.at[t->body].type->hidden;
                    d[u] += free ? t->c * t->c * M[i * o->n + i] : 0.0;
                }
            }
        }
    }
}

void tml_flex_energy(const TmlSystem *sys, TmlEnergy *e)
{
    const TmlModel *m = sys->model;
    for (int k = 0; k < m->flexes.n; ++k) {
        const TmlFlexType *type = mesh_of(sys, k)->type;
        const TmlFlexIn in = tml_flex_in(sys, k);
        const int n = type->nodes * type->vectors, dim = type->dim;
        const double *M = tml_flex_mass(type, in.table), *w = tml_flex_weight(type, in.table);
        const double g[3] = {sys->gravity.x, sys->gravity.y, sys->gravity.z};
        for (int i = 0; i < n; ++i) {
            for (int d = 0; d < dim; ++d) {
                e->gravity -= w[i] * g[d] * in.x[i * dim + d];
                for (int j = 0; j < n; ++j) {
                    e->kinetic += 0.5 * M[i * n + j] * in.v[i * dim + d] * in.v[j * dim + d];
                }
            }
        }
        e->stored += type->energy(&in);
    }
}

TmlStatus tml_flex_check(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    const TmlModel *m = sys->model;
    if (m->flexes.n == 0) {
        return TML_OK;
    }
    tml_system_kinematics(sys, s, false);
    for (int e = 0; e < m->flexes.n; ++e) {
        const TmlMesh *mesh = mesh_of(sys, e);
        const TmlFlexIn in = tml_flex_in(sys, e);
        const double ratio = mesh->type->volume != NULL ? mesh->type->volume(&in) : 1.0;
        if (!(ratio > 0.0)) {
            return tml_fail(err, TML_E_STEP,
                            "element %d of flexible body '%s' has turned inside out at t = %.9g s "
                            "(volume ratio %.3g); use more elements, less load, or damping",
                            e - mesh->flex0 + 1, mesh->name, s->t, ratio);
        }
    }
    return TML_OK;
}
