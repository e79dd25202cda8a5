/* analysis/linear_sparse.c - eigenvalues of a large linear system near a shift.
 *
 * ARPACK on the inverse of the matrix less the shift, one sparse solve (L7) for each product.
 */
#include "analysis/linear_work.h"

#include "base/fail.h"
#include "sparse/arpack.h"

#include <math.h>
#include <string.h>

/* (e, h, X) <- (A - shift)^-1 (e, h, X): (L7) */
static void shift_invert(void *user, const double *b, double *y)
{
    LinearWork *w = user;
    const TmlSystem *sys = w->sys;
    const int nu = sys->nu, x0 = nu + sys->m;
    double *rhs = w->rhs, *z = w->p.z;
    memset(rhs, 0, (size_t)w->shifted.cols * sizeof *rhs);
    for (int k = 0; k < nu; ++k) {
        w->h[k] = w->shift * b[k] + b[nu + k];
    }
    tml_pencil_apply(&w->p, NULL, b, w->h, rhs);
    memset(z, 0, (size_t)sys->n * sizeof *z);
    memcpy(z + x0, b + 2 * nu, (size_t)sys->nx * sizeof *z);
    tml_csc_mul(&w->p.rest, z, rhs);
    for (int k = 0; k < sys->n; ++k) {
        rhs[k] = -rhs[k];
    }
    tml_lu_solve(w->lu, rhs);
    for (int k = 0; k < nu; ++k) {
        y[nu + k] = w->shift * rhs[k] + b[k];
        y[k] = rhs[k];
    }
    memcpy(y + 2 * nu, rhs + x0, (size_t)sys->nx * sizeof *y);
}

/* Factor at the shift; on an eigenvalue (free motions, shift 0) a little beside it. */
static TmlStatus shift_factor(LinearWork *w, TmlError *err)
{
    double stiffness = 0.0, mass = 0.0;
    for (int k = 0; k < w->p.q.start[w->sys->nu]; ++k) {
        const bool motion = w->p.q.row[k] < w->sys->nu;
        stiffness = motion ? fmax(stiffness, fabs(w->p.q.x[k])) : stiffness;
        mass = motion ? fmax(mass, fabs(w->p.a.x[k])) : mass;
    }
    const double unit = mass > 0.0 && stiffness > 0.0 ? sqrt(stiffness / mass) : 1.0;
    static const double aside[] = {0.0, 1e-5, 1e-4, 1e-3, 1e-2};
    for (size_t k = 0; k < sizeof aside / sizeof aside[0]; ++k) {
        w->shift = w->lin->info.shift + aside[k] * unit;
        TML_TRY(tml_pencil_shifted(&w->p, w->shift, &w->shifted, err));
        TML_TRY(tml_lu_create(&w->shifted, &w->lu, err));
        if (tml_lu_factor(w->lu, &w->shifted) < 0) {
            w->lin->info.shift = w->shift;
            return TML_OK;
        }
        tml_lu_free(w->lu);
        w->lu = NULL;
    }
    return tml_fail(err, TML_E_SINGULAR, "the equations are singular at the shift %g; try another",
                    w->lin->info.shift);
}

static TmlStatus sparse_eigen(LinearWork *w, double **re, double **im, double **vectors, int *found,
                              TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const int n = 2 * sys->nu + sys->nx;
    // of complex pairs both count; some more make sure of the nearest
    const int k = 2 * w->wanted + 2 < w->order - 2 ? 2 * w->wanted + 2 : w->order - 2;
    const TmlOperator op = {n, w, shift_invert};
    double *start, *random;
    uint64_t seed = 11;
    TML_TRY(shift_factor(w, err));
    TML_NEW(&w->arena, w->rhs, w->shifted.cols);
    TML_NEW(&w->arena, w->h, sys->nu);
    TML_NEW(&w->arena, start, n);
    TML_NEW(&w->arena, random, n);
    TML_NEW(&w->arena, *re, k + 1);
    TML_NEW(&w->arena, *im, k + 1);
    TML_NEW(&w->arena, *vectors, (size_t)n * (size_t)(k + 1));
    for (int i = 0; i < n; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        random[i] = (double)(int64_t)seed * 0x1.0p-63;
    }
    // twice: onto the constraints
    shift_invert(w, random, start);
    shift_invert(w, start, random);
    TML_TRY(tml_arpack_largest(&op, w->order, k, random, *re, *im, *vectors, found, err));
    for (int i = 0; i < *found; ++i) { // shift + 1 / theta
        const double size2 = (*re)[i] * (*re)[i] + (*im)[i] * (*im)[i];
        (*re)[i] = w->shift + (*re)[i] / size2;
        (*im)[i] = -(*im)[i] / size2;
    }
    return TML_OK;
}

TmlStatus tml_linear_sparse(LinearWork *w, TmlError *err)
{
    double *re = NULL, *im = NULL, *vectors = NULL;
    int found = 0;
    if (w->p.n_pfaffian > 0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "%d states and rolling constraints: modes near a shift are not available "
                        "for rolling constraints",
                        w->order);
    }
    TML_TRY(sparse_eigen(w, &re, &im, &vectors, &found, err));
    const size_t size = 2 * (size_t)w->sys->nu + (size_t)w->sys->nx;
    return tml_linear_modes(w, found, re, im, vectors, size, err);
}
