/* system/flexible/flex_tangent.c - tangents of flexible elements: (F2) of flex.h.
 *
 * They are computed in groups, on several threads where that pays, and added to the matrix one
 * after the other, so that the matrix does not depend on the number of threads.
 */
#include "base/fail.h"
#include "base/pool.h"
#include "math/vec3.h"
#include "system/flexible/flex.h"
#include "system/flexible/flex_load.h"
#include "system/matrix/blocks.h"

#include <string.h>

enum { N = TML_FLEX_MAX_N, CHUNK = 512 };

/* The matrices of (F2), kept apart for elements with attached vectors. */
struct TmlFlexTangents {
    double M[N * N], Kq[N * N], Kv[N * N];
};

static const TmlMesh *mesh_of(const TmlSystem *sys, int e)
{
    return &sys->model->meshes.at[sys->model->flexes.at[e].mesh];
}

/* Elements whose tangents are computed before they are added. */
static int group_size(const TmlSystem *sys)
{
    return sys->flex->pool != NULL ? CHUNK : 1;
}

TmlStatus tml_flex_tangent_setup(TmlSystem *sys, TmlError *err)
{
    const size_t size = (size_t)sys->flex->width * (size_t)sys->flex->width;
    TML_NEW(&sys->arena, sys->flex->tangents, 1);
    TML_NEW(&sys->arena, sys->flex->local, TML_END_MAX_NU * TML_END_MAX_NU);
    TML_NEW(&sys->arena, sys->flex->chunk, (size_t)group_size(sys) * size);
    TML_NEW(&sys->arena, sys->flex->before, (size_t)sys->model->flexes.n * N);
    TML_NEW(&sys->arena, sys->flex->noted, (size_t)sys->model->flexes.n * N);
    return TML_OK;
}

/* Adds the numbers M_ij times the unit matrix to K[size * size]. */
static void add_mass(const TmlFlexType *type, int size, const double *M, double c, double *K)
{
    const int dim = type->dim, n = size / dim;
    for (int i = 0; i < n; ++i) {
        for (int d = 0; d < dim; ++d) {
            double *to = K + (i * dim + d) * size + d;
            for (int j = 0; j < n; ++j) {
                to[j * dim] += c * M[i * n + j];
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

/* Collects what the tangent of element e is given; change[N] holds TmlFlexIn.moved. */
static TmlFlexIn tangent_in(const TmlSystem *sys, int e, double *change)
{
    TmlFlexIn in = tml_flex_in(sys, e);
    const double *from = sys->flex->before + (size_t)e * N;
    for (int k = 0; k < N && sys->flex->moved; ++k) {
        change[k] = in.x[k] - from[k];
    }
    in.moved = sys->flex->moved ? change : NULL;
    return in;
}

/* Computes the matrices of (F2) of an element. Kq and Kv are left out where only accelerations
 * change. */
static void separate_tangents(TmlSystem *sys, int e, TmlCoeffs c, struct TmlFlexTangents *t)
{
    const TmlFlexType *type = mesh_of(sys, e)->type;
    double change[N];
    const TmlFlexIn in = tangent_in(sys, e, change);
    const int size = sys->flex->element[e].n * type->dim;
    memset(t, 0, sizeof *t);
    add_mass(type, size, tml_flex_mass(type, in.table), 1.0, t->M);
    if (c.q != 0.0 || c.v != 0.0) {
        type->tangent(&in, 1.0, 0.0, t->Kq);
        tml_flex_load_tangent(sys, e, 1.0, t->Kq);
        type->tangent(&in, 0.0, 1.0, t->Kv);
        add_mass(type, size, tml_flex_mass(type, in.table), in.data->material.mass_damping, t->Kv);
    }
}

/* Hands over block (i, j) between two free vectors. */
static void free_block(const TmlFlexOwner *o, const struct TmlFlexTangents *t, int dim, int i,
                       int j, TmlCoeffs c, double *K)
{
    const int size = o->n * dim, cols = o->parts.cols;
    for (int r = 0; r < o->axes[i]; ++r) {
        double *to = K + (size_t)(o->col[i] + r) * (size_t)cols + o->col[j];
        const int row = i * dim + (o->first[i] + r) % 3;
        for (int p = 0; p < o->axes[j]; ++p) {
            const int k = row * size + j * dim + (o->first[j] + p) % 3;
            to[p] += c.a * t->M[k] + c.v * t->Kv[k] + c.q * t->Kq[k];
        }
    }
}

static void attached_blocks(TmlSystem *sys, int e, TmlCoeffs c)
{
    const TmlFlexOwner *o = &sys->flex->element[e];
    const int dim = mesh_of(sys, e)->type->dim, size = o->n * dim, cols = o->parts.cols;
    const double *f = sys->flex->f + (size_t)e * N;
    struct TmlFlexTangents *t = sys->flex->tangents;
    double *K = sys->flex->local;
    separate_tangents(sys, e, c, t);
    memset(K, 0, (size_t)(cols * cols) * sizeof *K);
    for (int j = 0; j < o->n; ++j) {
        TmlVectorMap D;
        tml_vector_map(sys, o->vector[j], &o->parts, c, TML_MAP_ALL, &D);
        for (int i = 0; i < o->n; ++i) {
            double X[3 * TML_END_MAX_NU];
            if (o->free[i] >= 0 && o->free[j] >= 0) {
                free_block(o, t, dim, i, j, c, K);
                continue;
            }
            memset(X, 0, 3 * (size_t)cols * sizeof *X);
            block_times(t->M, size, dim, i, j, D.B, cols, X);
            block_times(t->Kv, size, dim, i, j, D.W, cols, X);
            block_times(t->Kq, size, dim, i, j, D.P, cols, X);
            tml_vector_dual(sys, o->vector[i], &o->parts, X, cols, K);
        }
    }
    for (int i = 0; i < o->n; ++i) {
        tml_vector_geometric(sys, o->vector[i], &o->parts,
                             v3(f[i * dim], f[i * dim + 1], dim > 2 ? f[i * dim + 2] : 0.0), c.q,
                             K);
    }
}

/* Leaves out the rows and columns of what is fixed, and puts the others in the order of the columns. */
static void drop_fixed(const TmlFlexOwner *o, int dim, double *K)
{
    const int size = o->n * dim, cols = o->parts.cols;
    double all[N * N];
    if (o->shown != NULL) {
        memcpy(all, K, (size_t)(size * size) * sizeof *K);
        for (int r = 0; r < cols; ++r) {
            for (int c = 0; c < cols; ++c) {
                K[r * cols + c] = all[o->shown[r] * size + o->shown[c]];
            }
        }
    }
}

/* Hands over (F2) of an element whose vectors are free or fixed. */
static void plain_tangent(const TmlSystem *sys, int e, TmlCoeffs c, double *K)
{
    const TmlFlexOwner *o = &sys->flex->element[e];
    const TmlFlexType *type = mesh_of(sys, e)->type;
    double change[N];
    const TmlFlexIn in = tangent_in(sys, e, change);
    const int size = o->n * type->dim;
    if (c.q != 0.0 || c.v != 0.0) {
        type->tangent(&in, c.q, c.v, K);
        tml_flex_load_tangent(sys, e, c.q, K);
    } else {
        memset(K, 0, (size_t)(size * size) * sizeof *K);
    }
    add_mass(type, size, tml_flex_mass(type, in.table), c.a + c.v * in.data->material.mass_damping,
             K);
    drop_fixed(o, type->dim, K);
}

/* A group of tangents, from element `first` on. */
typedef struct Group {
    const TmlSystem *sys;
    TmlCoeffs c;
    int first;
    size_t size; /* of one */
} Group;

static void tangents_of(void *user, int from, int to)
{
    const Group *g = user;
    for (int e = from; e < to; ++e) {
        if (g->sys->flex->element[e].plain) {
            plain_tangent(g->sys, e, g->c, g->sys->flex->chunk + (size_t)(e - g->first) * g->size);
        }
    }
}

void tml_flex_blocks(TmlSystem *sys, TmlCoeffs c)
{
    const int n = sys->model->flexes.n;
    const size_t size = (size_t)sys->flex->width * (size_t)sys->flex->width;
    const TmlFlexOwner *o = sys->flex->element;
    const int group = group_size(sys);
    for (int first = 0; first < n; first += group) {
        const int end = first + group < n ? first + group : n;
        Group g = {.sys = sys, .c = c, .first = first, .size = size};
        tml_pool_for(sys->flex->pool, first, end, tangents_of, &g);
        for (int e = first; e < end; ++e) {
            const double *K = sys->flex->chunk + (size_t)(e - first) * size;
            if (!o[e].plain) {
                attached_blocks(sys, e, c);
                K = sys->flex->local;
            }
            tml_parts_block(sys, &o[e].parts, &o[e].parts, K, true);
        }
    }
}
