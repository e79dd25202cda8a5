/* analysis/linear/linear_dense.c - the matrix of a small linear system and all its eigenvalues.
 *
 * State of the linear system: (y, z, X) with e = N y, p = N_v z + d, N and N_v bases of the motions
 * that the holonomic and all constraints allow, N^T M N = 1, d normal to the constraints:
 *
 *   (E1)  [M J^T; J 0] [d; mu] = [0; -J' e]                 d = (dq'/dv) of [001] in this basis
 *   (E2)  y' = N^T M p,   z' = N_v^T M r,   r and X' from (L1)
 *
 * With independent coordinates v instead (`partition`), N and N_v have unit rows there, and
 *
 *   (E3)  d has zeros there,   y' = p_v,   z' = r_v                            J1, J2 of [001]
 *
 * The matrix is made column by column; LAPACK does the rest.
 */
#include "analysis/linear/linear_work.h"

#include "base/fail.h"
#include "math/eigen.h"
#include "system/coordinates/partition.h"

#include <math.h>
#include <string.h>

/* Computes a basis of the motions that the rows allow; all says that Pfaffian rows count too. */
static TmlStatus basis(LinearWork *w, bool all, double **N, double **MN, int *k, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *step = &w->p.step;
    const size_t nu = (size_t)dim->nu;
    double *Jt;
    int *place, m = 0;
    TML_NEW(&w->arena, place, dim->m);
    for (int i = 0; i < dim->m; ++i) {
        place[i] = all || !w->p.row_pfaffian[i] ? m++ : -1;
    }
    TML_NEW(&w->arena, Jt, nu * (size_t)m);
    for (int j = 0; j < dim->nu; ++j) {
        for (int q = step->start[j]; q < step->start[j + 1]; ++q) {
            const int i = step->row[q] - dim->nu;
            if (i >= 0 && i < dim->m && place[i] >= 0) {
                Jt[(size_t)place[i] * nu + (size_t)j] = step->x[q];
            }
        }
    }
    *k = dim->nu - m;
    TML_NEW(&w->arena, *N, nu * (size_t)*k);
    TML_NEW(&w->arena, *MN, nu * (size_t)*k);
    TML_TRY(tml_null_basis(dim->nu, m, Jt, *N, err));
    for (int j = 0; j < *k; ++j) {
        tml_pencil_mass(&w->p, *N + (size_t)j * nu, *MN + (size_t)j * nu);
    }
    return tml_basis_orthonormal(dim->nu, *k, *N, *MN, err);
}

/* y[k] = B^T x */
static void project(int n, int k, const double *B, const double *x, double *y)
{
    for (int j = 0; j < k; ++j) {
        y[j] = 0.0;
        for (int i = 0; i < n; ++i) {
            y[j] += B[(size_t)j * (size_t)n + (size_t)i] * x[i];
        }
    }
}

/* Solves (E1) for the position e: saddle[nu + m] = (d, mu). */
static void normal_rate(LinearWork *w, const double *e, double *saddle)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t nu = (size_t)dim->nu;
    tml_pencil_rate(&w->p, e, saddle + nu);
    for (int k = 0; k < dim->m; ++k) {
        saddle[nu + (size_t)k] *= -1.0;
    }
    tml_lu_solve(w->p.saddle_lu, saddle);
    for (int j = 0; j < w->nv && w->at_v != NULL; ++j) { // (E3): columns have unit rows there
        const double x = saddle[w->at_v[j]];
        for (size_t i = 0; i < nu; ++i) {
            saddle[i] -= x * w->Nv[(size_t)j * nu + i];
        }
    }
}

/* Computes y' from p. */
static void position_rates(const LinearWork *w, const double *p, double *out)
{
    for (int k = 0; k < w->np && w->at != NULL; ++k) {
        out[k] = p[w->at[k]]; // (E3)
    }
    if (w->at == NULL) {
        project(tml_dims(w->sys)->nu, w->np, w->MN, p, out); // (E2)
    }
}

/* Computes z' from r, and from (d, mu) when positions change; turning[nu] is scratch. */
static void velocity_rates(LinearWork *w, const double *r, const double *saddle, double *turning,
                           double *out)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t nu = (size_t)dim->nu;
    for (int k = 0; k < w->nv && w->at_v != NULL; ++k) {
        out[k] = r[w->at_v[k]]; // (E3)
    }
    if (w->at_v != NULL) {
        return;
    }
    project(dim->nu, w->nv, w->MNv, r, out); // (E2)
    if (saddle != NULL) {
        tml_pencil_turning(&w->p, saddle, saddle + nu, turning);
        for (int k = 0; k < w->nv; ++k) {
            double more;
            project(dim->nu, 1, w->Nv + (size_t)k * nu, turning, &more);
            out[k] += more;
        }
    }
}

/* Makes column j of the matrix. saddle has nu + m numbers, r n, turning nu. */
static void column(LinearWork *w, int j, double *saddle, double *r, double *turning, double *out)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t nu = (size_t)dim->nu;
    const double *e = NULL, *p = NULL;
    memset(r, 0, (size_t)dim->n * sizeof *r);
    memset(saddle, 0, (nu + (size_t)dim->m) * sizeof *saddle);
    if (j < w->np) {
        e = w->N + (size_t)j * nu;
        normal_rate(w, e, saddle);
        p = saddle;
    } else if (j < w->np + w->nv) {
        p = w->Nv + (size_t)(j - w->np) * nu;
    } else {
        double *x = w->p.z;
        memset(x, 0, (size_t)dim->n * sizeof *x);
        x[dim->nu + dim->m + j - w->np - w->nv] = 1.0;
        tml_csc_mul(&w->p.x, x, r);
    }
    if (p != NULL) {
        tml_pencil_apply(&w->p, e, p, NULL, r);
        position_rates(w, p, out);
    }
    for (int k = 0; k < dim->n; ++k) {
        r[k] = -r[k];
    }
    tml_lu_solve(w->p.inertia_lu, r);
    velocity_rates(w, r, e != NULL ? saddle : NULL, turning, out + w->np);
    memcpy(out + w->np + w->nv, r + dim->nu + dim->m, (size_t)dim->nx * sizeof *out);
}

/* Takes independent coordinates in place of the basis. */
static TmlStatus coordinates(LinearWork *w, TmlError *err)
{
    const TmlDims *dim = tml_dims(w->sys);
    TmlPartition *part = NULL;
    int *at = NULL, *at_v = NULL;
    TML_TRY(tml_partition_create(w->sys, &part, err));
    TmlStatus status = tml_partition_choose(part, &w->s, err);
    if (status == TML_OK) {
        at = tml_arena_alloc(&w->arena, (size_t)w->np, sizeof *at);
        at_v = tml_arena_alloc(&w->arena, (size_t)w->nv, sizeof *at_v);
        status = at != NULL && at_v != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (status == TML_OK) {
        TML_ASSERT(tml_partition_count(part) == w->np && tml_partition_rate_count(part) == w->nv);
        memcpy(at, tml_partition_index(part), (size_t)w->np * sizeof *at);
        memcpy(at_v, tml_partition_rate_index(part), (size_t)w->nv * sizeof *at_v);
        w->at = at;
        w->at_v = at_v;
    }
    tml_partition_free(part);
    TML_TRY(status);
    TML_TRY(tml_basis_unit_rows(dim->nu, w->np, w->at, w->N, err));
    return tml_basis_unit_rows(dim->nu, w->nv, w->at_v, w->Nv, err);
}

static TmlStatus dense_matrix(LinearWork *w, TmlError *err)
{
    const TmlDims *dim = tml_dims(w->sys);
    const size_t n = (size_t)w->order;
    double *saddle, *r, *turning;
    TML_TRY(basis(w, false, &w->N, &w->MN, &w->np, err));
    TML_TRY(basis(w, true, &w->Nv, &w->MNv, &w->nv, err));
    if (w->partition) {
        TML_TRY(coordinates(w, err));
    }
    TML_NEW(&w->arena, saddle, dim->nu + dim->m);
    TML_NEW(&w->arena, turning, dim->nu);
    TML_NEW(&w->arena, r, dim->n);
    TML_NEW(&w->lin->arena, w->lin->matrix, n * n);
    for (int j = 0; j < w->order; ++j) {
        column(w, j, saddle, r, turning, w->lin->matrix + (size_t)j * n);
    }
    for (size_t k = 0; k < n * n; ++k) {
        if (!isfinite(w->lin->matrix[k])) {
            return tml_fail(err, TML_E_NONFINITE, "a derivative of the equations is not finite");
        }
    }
    return TML_OK;
}

/* States of the linear system that something moves, in at; how many. Rows and columns of the others are zero. */
static int moving_states(const LinearWork *w, int *at)
{
    const int first = w->order - tml_dims(w->sys)->nx;
    int n = 0;
    for (int k = 0; k < w->order; ++k) {
        if (k < first || !(tml_system_is_idle_bristle(w->sys, k - first) ||
                           tml_sim_is_input_state(w->sim, k - first))) {
            at[n++] = k;
        }
    }
    return n;
}

TmlStatus tml_linear_dense(LinearWork *w, TmlError *err)
{
    const size_t n = (size_t)w->order;
    double *A, *re, *im, *some, *vectors;
    int *at;
    TML_TRY(dense_matrix(w, err));
    TML_NEW(&w->arena, at, n);
    const int moving = moving_states(w, at);
    const size_t m = (size_t)moving;
    w->lin->info.idle_states = w->order - moving;
    TML_NEW(&w->arena, A, m * m);
    TML_NEW(&w->arena, re, m);
    TML_NEW(&w->arena, im, m);
    TML_NEW(&w->arena, some, m * m);
    TML_NEW(&w->arena, vectors, n * m);
    for (size_t j = 0; j < m; ++j) {
        for (size_t i = 0; i < m; ++i) {
            A[j * m + i] = w->lin->matrix[(size_t)at[j] * n + (size_t)at[i]];
        }
    }
    TML_TRY(tml_eigen_general(moving, A, re, im, some, err));
    for (size_t j = 0; j < m; ++j) {
        for (size_t i = 0; i < m; ++i) {
            vectors[j * n + (size_t)at[i]] = some[j * m + i];
        }
    }
    return tml_linear_modes(w, moving, re, im, vectors, n, err);
}
