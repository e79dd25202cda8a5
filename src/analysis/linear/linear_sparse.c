/* analysis/linear/linear_sparse.c - eigenvalues of a large linear system near a shift.
 *
 * ARPACK on the inverse of the matrix less the shift, one sparse solve (L7) for each product.
 */
#include "analysis/linear/linear_work.h"

#include "base/fail.h"
#include "sparse/arpack.h"

#include <math.h>
#include <string.h>

static const double pair_accuracy = 1e-7; /* of eigenpairs of the inverse, relative */

/* (e, h, X) <- (A - shift)^-1 (e, h, X): (L7) */
static void shift_invert(void *user, const double *b, double *y)
{
    LinearWork *w = user;
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const int nu = dim->nu, x0 = nu + dim->m;
    double *rhs = w->rhs, *z = w->p.z;
    memset(rhs, 0, (size_t)w->shifted.cols * sizeof *rhs);
    for (int k = 0; k < nu; ++k) {
        w->h[k] = w->shift * b[k] + b[nu + k];
    }
    tml_pencil_apply(&w->p, NULL, b, w->h, rhs);
    memset(z, 0, (size_t)dim->n * sizeof *z);
    memcpy(z + x0, b + 2 * nu, (size_t)dim->nx * sizeof *z);
    tml_csc_mul(&w->p.rest, z, rhs);
    for (int k = 0; k < dim->n; ++k) {
        rhs[k] = -rhs[k];
    }
    tml_lu_solve(w->lu, rhs);
    for (int k = 0; k < nu; ++k) {
        y[nu + k] = w->shift * rhs[k] + b[k];
        y[k] = rhs[k];
    }
    memcpy(y + 2 * nu, rhs + x0, (size_t)dim->nx * sizeof *y);
}

/* The shift is moved off an eigenvalue (free motions, shift 0) in these ways, in units of the
 * fastest motion. */
static const double aside[] = {0.0, 1e-5, 1e-4, 1e-3, 1e-2};
enum { N_ASIDE = sizeof aside / sizeof aside[0] };

/* Factors at the shift, or at the next place beside it from *way on where there are pivots. */
static TmlStatus shift_factor(LinearWork *w, double from, int *way, TmlError *err)
{
    const TmlDims *dim = tml_dims(w->sys);
    double stiffness = 0.0, mass = 0.0;
    for (int k = 0; k < w->p.q.start[dim->nu]; ++k) {
        const bool motion = w->p.q.row[k] < dim->nu;
        stiffness = motion ? fmax(stiffness, fabs(w->p.q.x[k])) : stiffness;
        mass = motion ? fmax(mass, fabs(w->p.a.x[k])) : mass;
    }
    const double unit = mass > 0.0 && stiffness > 0.0 ? sqrt(stiffness / mass) : 1.0;
    for (; *way < N_ASIDE; ++*way) {
        w->shift = from + aside[*way] * unit;
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
                    from);
}

typedef struct Found {
    double *re, *im, *vectors; /* k + 1 each, vectors of n */
    int n;
} Found;

/* Returns the largest |B v - theta v| / |theta v| of the displacements of all pairs, where B is the
 * inverse as it is computed: beside a double zero rounding of B may be larger than other
 * eigenvalues. y has 2 n numbers. */
static double worst_pair(LinearWork *w, int n, const Found *f, double *y)
{
    const TmlDims *dim = tml_dims(w->sys);
    const int nu = dim->nu;
    double worst = 0.0;
    for (int k = 0; k < f->n; ++k) {
        const double *v = f->vectors + (size_t)k * (size_t)n, *u = v + n, *unit = dim->unit;
        const bool pair = f->im[k] != 0.0;
        double off = 0.0, size = 0.0;
        shift_invert(w, v, y);
        if (pair) {
            shift_invert(w, u, y + n);
        }
        for (int i = 0; i < nu; ++i) {
            const double x = v[i], z = pair ? u[i] : 0.0, re = f->re[k], im = f->im[k];
            const double a = y[i] - (re * x - im * z);
            const double b = pair ? y[n + i] - (re * z + im * x) : 0.0;
            off += (a * a + b * b) / (unit[i] * unit[i]);
            size += (re * re + im * im) * (x * x + z * z) / (unit[i] * unit[i]);
        }
        worst = size > 0.0 ? fmax(worst, sqrt(off / size)) : worst;
        k += pair;
    }
    return worst;
}

/* Computes the eigenvalues of the inverse at the present shift. */
static TmlStatus eigen_here(LinearWork *w, int k, double *work, Found *f, TmlError *err)
{
    const TmlDims *dim = tml_dims(w->sys);
    const int n = 2 * dim->nu + dim->nx;
    const TmlOperator op = {n, w, shift_invert};
    double *start = work, *random = work + n;
    uint64_t seed = 11;
    for (int i = 0; i < n; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        random[i] = (double)(int64_t)seed * 0x1.0p-63;
    }
    // twice: onto the constraints
    shift_invert(w, random, start);
    shift_invert(w, start, random);
    return tml_arpack_largest(&op, w->order, k, random, f->re, f->im, f->vectors, &f->n, err);
}

static TmlStatus sparse_eigen(LinearWork *w, Found *f, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const double from = w->lin->info.shift;
    const int n = 2 * dim->nu + dim->nx;
    // of complex pairs both count; some more make sure of the nearest
    const int k = 2 * w->wanted + 2 < w->order - 2 ? 2 * w->wanted + 2 : w->order - 2;
    double *work;
    int way = 0;
    TML_NEW(&w->arena, w->h, dim->nu);
    TML_NEW(&w->arena, work, 2 * (size_t)n);
    TML_NEW(&w->arena, f->re, k + 1);
    TML_NEW(&w->arena, f->im, k + 1);
    TML_NEW(&w->arena, f->vectors, (size_t)n * (size_t)(k + 1));
    for (;; ++way) {
        TML_TRY(shift_factor(w, from, &way, err));
        TML_NEW(&w->arena, w->rhs, w->shifted.cols);
        TML_TRY(eigen_here(w, k, work, f, err));
        const double worst = worst_pair(w, n, f, work);
        if (worst <= pair_accuracy) {
            break;
        }
        if (way == N_ASIDE - 1) {
            return tml_fail(err, TML_E_STEP,
                            "eigenvalues near the shift %g are lost in rounding (%.2g): try "
                            "another shift, or fewer modes",
                            from, worst);
        }
        tml_lu_free(w->lu);
        w->lu = NULL;
    }
    for (int i = 0; i < f->n; ++i) { // shift + 1 / theta
        const double size2 = f->re[i] * f->re[i] + f->im[i] * f->im[i];
        f->re[i] = w->shift + f->re[i] / size2;
        f->im[i] = -f->im[i] / size2;
    }
    return TML_OK;
}

TmlStatus tml_linear_sparse(LinearWork *w, TmlError *err)
{
    const TmlDims *dim = tml_dims(w->sys);
    Found f = {0};
    if (w->p.n_pfaffian > 0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "%d states and rolling constraints: modes near a shift are not available "
                        "for rolling constraints",
                        w->order);
    }
    TML_TRY(sparse_eigen(w, &f, err));
    const size_t size = 2 * (size_t)dim->nu + (size_t)dim->nx;
    return tml_linear_modes(w, f.n, f.re, f.im, f.vectors, size, err);
}
