/* system/flex.c - flexible elements: (F1) and (F2) of flex.h. */
#include "system/flex.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "system/blocks.h"
#include "system/flex_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = TML_FLEX_MAX_N };

/* The matrices of (F2) apart, for elements with attached vectors. */
struct TmlFlexTangents {
    double M[N * N], Kq[N * N], Kv[N * N];
};

static const TmlMesh *mesh_of(const TmlSystem *sys, int e)
{
    return &sys->model->meshes.at[sys->model->flexes.at[e].mesh];
}

static TmlStatus owner_fill(TmlSystem *sys, int e, TmlFlexOwner *o, TmlError *err)
{
    const TmlMesh *mesh = mesh_of(sys, e);
    const int per_node = mesh->type->vectors;
    o->n = mesh->type->nodes * per_node;
    o->plain = true;
    for (int i = 0; i < o->n; ++i) {
        const int node = sys->model->flexes.at[e].node[i / per_node];
        o->vector[i] = &mesh->vector[node * per_node + i % per_node];
        const TmlVectorTerm *t = o->vector[i]->term;
        o->plain = o->plain && o->vector[i]->n == 1 && t->c == 1.0 &&
                   sys->model->bodies.at[t->body].type->hidden;
    }
    TML_TRY(tml_vector_parts(sys, o->n, o->vector, &sys->arena, &o->parts, err));
    o->plain = o->plain && o->parts.n == o->n;
    if (o->parts.cols > TML_END_MAX_NU) {
        return tml_fail(
            err, TML_E_MODEL,
            "element %d of flexible body '%s' is tied to too much (%d unknowns, at most "
            "%d are possible)",
            e - mesh->flex0 + 1, mesh->name, o->parts.cols, (int)TML_END_MAX_NU);
    }
    return TML_OK;
}

TmlStatus tml_flex_setup(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    if (m->flexes.n == 0) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, sys->flex, 1);
    TML_NEW(&sys->arena, sys->flex->element, m->flexes.n);
    TML_NEW(&sys->arena, sys->flex->point, m->points.n);
    TML_NEW(&sys->arena, sys->flex->x, (size_t)m->flexes.n * 3 * N);
    TML_NEW(&sys->arena, sys->flex->f, (size_t)m->flexes.n * N);
    TML_NEW(&sys->arena, sys->flex->before, (size_t)m->flexes.n * N);
    TML_NEW(&sys->arena, sys->flex->noted, (size_t)m->flexes.n * N);
    TML_NEW(&sys->arena, sys->flex->tangents, 1);
    TML_NEW(&sys->arena, sys->flex->local, TML_END_MAX_NU * TML_END_MAX_NU);
    for (int e = 0; e < m->flexes.n; ++e) {
        TML_TRY(owner_fill(sys, e, &sys->flex->element[e], err));
    }
    TML_TRY(tml_flex_load_setup(sys, err));
    for (int k = 0; k < sys->n_ends; ++k) {
        const int cols = tml_end_parts(sys, k)->cols;
        sys->stride = cols > sys->stride ? cols : sys->stride;
    }
    return TML_OK;
}

const TmlParts *tml_point_parts(const TmlSystem *sys, int point)
{
    return &sys->flex->element[sys->model->points.at[point].flex].parts;
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

void tml_flex_kinematics(TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    for (int e = 0; e < m->flexes.n; ++e) {
        const TmlFlexOwner *o = &sys->flex->element[e];
        const int dim = mesh_of(sys, e)->type->dim;
        double *x = sys->flex->x + (size_t)e * 3 * N;
        for (int i = 0; i < o->n; ++i) {
            TmlVec3 k[3];
            tml_vector_kin(sys, o->vector[i], k);
            put(x + i * dim, dim, k[0]);
            put(x + N + i * dim, dim, k[1]);
            put(x + 2 * N + i * dim, dim, k[2]);
        }
    }
    for (int p = 0; p < m->points.n; ++p) {
        tml_flex_point_kin(sys, p);
    }
}

TmlFlexIn tml_flex_in(const TmlSystem *sys, int e)
{
    const double *x = sys->flex->x + (size_t)e * 3 * N;
    return (TmlFlexIn){
        .data = mesh_of(sys, e)->data, .table = sys->model->flexes.at[e].table, .x = x, .v = x + N};
}

/* Forces of (F1) on the vectors of one element; returns the power of its stresses. */
static double element_force(const TmlSystem *sys, int e, double *f)
{
    const TmlFlexType *type = mesh_of(sys, e)->type;
    const TmlFlexIn in = tml_flex_in(sys, e);
    const int n = type->nodes * type->vectors, dim = type->dim;
    const double *M = type->mass(in.data, in.table), *w = type->weight(in.data, in.table);
    const double *a = in.x + 2 * N;
    const double g[3] = {sys->model->gravity.x, sys->model->gravity.y, sys->model->gravity.z};
    double power = 0.0;
    type->force(&in, f);
    for (int k = 0; k < n * dim; ++k) {
        power -= f[k] * in.v[k];
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

/* D^T f of all vectors of an element. */
static void scatter(const TmlSystem *sys, const TmlFlexOwner *o, int dim, const double *f,
                    double *r)
{
    for (int i = 0; i < o->n; ++i) {
        if (o->plain) {
            double *to = r + sys->u0[o->parts.body[i]];
            for (int d = 0; d < dim; ++d) {
                to[d] += f[i * dim + d];
            }
        } else {
            tml_vector_force(sys, o->vector[i], get(f + i * dim, dim), r);
        }
    }
}

void tml_flex_residual(TmlSystem *sys, double t, double *r)
{
    const int n = sys->model->flexes.n;
    for (int e = 0; e < n; ++e) {
        sys->power_stored += element_force(sys, e, sys->flex->f + (size_t)e * N);
    }
    tml_flex_load_forces(sys, t);
    for (int e = 0; e < n; ++e) {
        scatter(sys, &sys->flex->element[e], mesh_of(sys, e)->type->dim,
                sys->flex->f + (size_t)e * N, r);
    }
}

/* Numbers M_ij times the unit matrix, added to K. */
static void add_mass(const TmlFlexType *type, const double *M, double c, double *K)
{
    const int n = type->nodes * type->vectors, dim = type->dim, size = n * dim;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int d = 0; d < dim; ++d) {
                K[(i * dim + d) * size + j * dim + d] += c * M[i * n + j];
            }
        }
    }
}

/* X[3 * n_cols] += s * (block (i, j) of K) * D[3 * n_cols], both of dim rows. */
static void block_times(const double *K, int size, int dim, int i, int j, const double *D, int cols,
                        double *X)
{
    for (int r = 0; r < dim; ++r) {
        for (int p = 0; p < dim; ++p) {
            const double k = K[(i * dim + r) * size + j * dim + p];
            for (int c = 0; c < cols && k != 0.0; ++c) {
                X[r * cols + c] += k * D[p * cols + c];
            }
        }
    }
}

void tml_flex_note(TmlSystem *sys)
{
    for (int e = 0; sys->flex != NULL && e < sys->model->flexes.n; ++e) {
        const size_t at = (size_t)e * N;
        memcpy(sys->flex->noted + at, sys->flex->x + 3 * at, N * sizeof(double));
    }
}

void tml_flex_take_noted(TmlSystem *sys)
{
    if (sys->flex != NULL) {
        double *noted = sys->flex->noted;
        sys->flex->noted = sys->flex->before;
        sys->flex->before = noted;
        sys->flex->moved = true;
    }
}

void tml_flex_forget(TmlSystem *sys)
{
    if (sys->flex != NULL) {
        sys->flex->moved = false;
    }
}

/* TmlFlexIn.moved of element e in change[N]. */
static const double *moved_by(const TmlSystem *sys, int e, double *change)
{
    const double *x = sys->flex->x + (size_t)e * 3 * N, *from = sys->flex->before + (size_t)e * N;
    for (int k = 0; k < N && sys->flex->moved; ++k) {
        change[k] = x[k] - from[k];
    }
    return sys->flex->moved ? change : NULL;
}

static void attached_blocks(TmlSystem *sys, int e, TmlCoeffs c)
{
    const TmlFlexOwner *o = &sys->flex->element[e];
    const TmlFlexType *type = mesh_of(sys, e)->type;
    TmlFlexIn in = tml_flex_in(sys, e);
    double change[N];
    in.moved = moved_by(sys, e, change);
    const int dim = type->dim, size = o->n * dim, cols = o->parts.cols;
    const double *f = sys->flex->f + (size_t)e * N;
    struct TmlFlexTangents *t = sys->flex->tangents;
    double *K = sys->flex->local;
    memset(t->M, 0, (size_t)(size * size) * sizeof(double));
    add_mass(type, type->mass(in.data, in.table), 1.0, t->M);
    type->tangent(&in, 1.0, 0.0, t->Kq);
    tml_flex_load_tangent(sys, e, 1.0, t->Kq);
    type->tangent(&in, 0.0, 1.0, t->Kv);
    memset(K, 0, (size_t)(cols * cols) * sizeof *K);
    for (int j = 0; j < o->n; ++j) {
        TmlVectorMap D;
        tml_vector_map(sys, o->vector[j], &o->parts, c, TML_MAP_ALL, &D);
        for (int i = 0; i < o->n; ++i) {
            double X[3 * TML_END_MAX_NU];
            memset(X, 0, 3 * (size_t)cols * sizeof *X);
            block_times(t->M, size, dim, i, j, D.B, cols, X);
            block_times(t->Kv, size, dim, i, j, D.W, cols, X);
            block_times(t->Kq, size, dim, i, j, D.P, cols, X);
            tml_vector_dual(sys, o->vector[i], &o->parts, X, cols, K);
        }
    }
    for (int i = 0; i < o->n; ++i) {
        tml_vector_geometric(sys, o->vector[i], &o->parts, get(f + i * dim, dim), c.q, K);
    }
    tml_parts_block(sys, &o->parts, &o->parts, K, true);
}

static void plain_blocks(TmlSystem *sys, int e, TmlCoeffs c)
{
    const TmlFlexOwner *o = &sys->flex->element[e];
    const TmlFlexType *type = mesh_of(sys, e)->type;
    TmlFlexIn in = tml_flex_in(sys, e);
    double change[N], *K = sys->flex->local;
    in.moved = moved_by(sys, e, change);
    type->tangent(&in, c.q, c.v, K);
    tml_flex_load_tangent(sys, e, c.q, K);
    add_mass(type, type->mass(in.data, in.table), c.a, K);
    tml_parts_block(sys, &o->parts, &o->parts, K, true);
}

void tml_flex_blocks(TmlSystem *sys, TmlCoeffs c)
{
    for (int e = 0; e < sys->model->flexes.n; ++e) {
        if (sys->flex->element[e].plain) {
            plain_blocks(sys, e, c);
        } else {
            attached_blocks(sys, e, c);
        }
    }
}

void tml_flex_mass_mul(const TmlSystem *sys, const double *x, double *y)
{
    const TmlCoeffs one = {.q = 1.0};
    for (int e = 0; e < sys->model->flexes.n; ++e) {
        const TmlFlexOwner *o = &sys->flex->element[e];
        const TmlFlexIn in = tml_flex_in(sys, e);
        const double *M = mesh_of(sys, e)->type->mass(in.data, in.table);
        TmlVec3 dx[TML_FLEX_MAX_VECTORS];
        for (int i = 0; i < o->n; ++i) {
            TmlVectorMap D;
            double v[3] = {0};
            tml_vector_map(sys, o->vector[i], &o->parts, one, TML_MAP_MOTION, &D);
            for (int c = 0; c < o->parts.cols; ++c) {
                const double u = x[tml_parts_unknown(sys, &o->parts, c)];
                for (int d = 0; d < 3; ++d) {
                    v[d] += D.P[d * o->parts.cols + c] * u;
                }
            }
            dx[i] = v3(v[0], v[1], v[2]);
        }
        for (int i = 0; i < o->n; ++i) {
            TmlVec3 f = {0};
            for (int j = 0; j < o->n; ++j) {
                f = v3_axpy(M[i * o->n + j], dx[j], f);
            }
            tml_vector_force(sys, o->vector[i], f, y);
        }
    }
}

void tml_flex_mass_diagonal(TmlSystem *sys, double *d, double *total)
{
    const TmlModel *m = sys->model;
    for (int e = 0; e < m->flexes.n; ++e) {
        const TmlFlexOwner *o = &sys->flex->element[e];
        const TmlMesh *mesh = mesh_of(sys, e);
        const double *M = mesh->type->mass(mesh->data, m->flexes.at[e].table);
        const double *w = mesh->type->weight(mesh->data, m->flexes.at[e].table);
        for (int i = 0; i < o->n; ++i) {
            *total += mesh->type->kind[i % mesh->type->vectors] == TML_FLEX_R ? w[i] : 0.0;
            for (int k = 0; k < o->vector[i]->n; ++k) {
                const TmlVectorTerm *t = &o->vector[i]->term[k];
                for (int u = sys->u0[t->body]; u < sys->u0[t->body + 1]; ++u) {
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
        const double *M = type->mass(in.data, in.table), *w = type->weight(in.data, in.table);
        const double g[3] = {m->gravity.x, m->gravity.y, m->gravity.z};
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
