/* reduce/basis/held_modes.c - the lowest modes of a part that is held: dense for few unknowns, else by
 * ARPACK with the static solution as the inverse. */
#include "reduce/basis/held_modes.h"

#include "math/dense.h"
#include "math/eigen.h"
#include "sparse/arpack.h"

#include <math.h>
#include <string.h>

/* Up to so many unknowns all modes are found at once: a second on one core. More than this share of
 * the modes of a larger problem are more than a Lanczos basis pays for. */
enum { DENSE_MAX = 400 };

/* --- dense -------------------------------------------------------------------------------------- */

/* Eigenvalue of mass over stiffness below which a motion has no mass, as part of the largest. */
static const double massless = 1e-14;

/* A basis Z of what the rows allow among the free freedoms; all of them when it floats. */
static TmlStatus allowed(const TmlHeld *h, TmlArena *arena, double **Z, int *size, TmlError *err)
{
    const int n = h->t->n, r = h->n_rows;
    int free = 0;
    int *at;
    TML_NEW(arena, at, n);
    for (int i = 0; i < n; ++i) {
        if (h->floats || h->index[i] >= 0) {
            at[free++] = i;
        }
    }
    double *Dt, *N;
    *size = free > r ? free - r : 0;
    TML_NEW(arena, Dt, (size_t)free * (size_t)r + 1);
    TML_NEW(arena, N, (size_t)free * (size_t)*size + 1);
    TML_NEW(arena, *Z, (size_t)n * (size_t)*size + 1);
    for (int j = 0; j < r; ++j) {
        for (int i = 0; i < free; ++i) {
            Dt[(size_t)j * (size_t)free + (size_t)i] = h->D[(size_t)j * (size_t)n + (size_t)at[i]];
        }
    }
    if (*size > 0) {
        TML_TRY(tml_null_basis(free, r, Dt, N, err));
    }
    for (int j = 0; j < *size; ++j) {
        for (int i = 0; i < free; ++i) {
            (*Z)[(size_t)j * (size_t)n + (size_t)at[i]] = N[(size_t)j * (size_t)free + (size_t)i];
        }
    }
    return TML_OK;
}

/* Z^T A Z; work: t->n x size. */
static void project(const TmlCsc *A, int n, int size, const double *Z, double *work, double *out)
{
    memset(work, 0, (size_t)n * (size_t)size * sizeof *work);
    tml_csc_lower_mul(A, size, Z, work);
    tml_dense_mul(true, false, size, size, n, 1.0, Z, work, 0.0, out);
}

/* M z = mu K z, as K is definite and M need not be; the largest mu are the lowest modes. */
static TmlStatus dense_modes(const TmlHeld *h, TmlArena *arena, int k, double *w, double *V,
                             int *found, TmlError *err)
{
    const int n = h->t->n;
    double *Z, *work, *M, *K, *mu;
    int size = 0;
    TML_TRY(allowed(h, arena, &Z, &size, err));
    const size_t square = (size_t)size * (size_t)size;
    TML_NEW(arena, work, (size_t)n * (size_t)size + 1);
    TML_NEW(arena, M, square + 1);
    TML_NEW(arena, K, square + 1);
    TML_NEW(arena, mu, size + 1);
    project(&h->t->M, n, size, Z, work, M);
    project(&h->t->K, n, size, Z, work, K);
    TML_TRY(tml_eigen_symmetric(size, M, K, mu, NULL, err));
    *found = 0;
    for (int j = size - 1; j >= 0 && *found < k && mu[j] > massless * mu[size - 1]; --j) {
        double *v = V + (size_t)*found * (size_t)n;
        tml_dense_mul(false, false, n, 1, size, 1.0 / sqrt(mu[j]), Z, M + (size_t)j * (size_t)size,
                      0.0, v);
        w[(*found)++] = 1.0 / mu[j];
    }
    return TML_OK;
}

/* --- sparse ------------------------------------------------------------------------------------- */

typedef struct Lanczos {
    TmlHeld *h;
    TmlStatus status;
    TmlError *err;
} Lanczos;

static void apply_inverse(void *user, const double *f, double *u)
{
    Lanczos *l = user;
    memset(u, 0, (size_t)l->h->t->n * sizeof *u);
    if (l->status == TML_OK) {
        l->status = tml_held_solve(l->h, 1, f, NULL, u, l->err);
    }
}

static void apply_mass(void *user, const double *x, double *y)
{
    const TmlHeld *h = ((const Lanczos *)user)->h;
    memset(y, 0, (size_t)h->t->n * sizeof *y);
    tml_csc_lower_mul(&h->t->M, 1, x, y);
    for (int i = 0; i < h->t->n && !h->floats; ++i) {
        y[i] = h->index[i] < 0 ? 0.0 : y[i];
    }
}

static TmlStatus sparse_modes(TmlHeld *h, TmlArena *arena, int k, double *w, double *V, int *found,
                              TmlError *err)
{
    const int n = h->t->n;
    double *start, *load;
    TML_NEW(arena, start, n);
    TML_NEW(arena, load, n);
    Lanczos l = {.h = h, .err = err};
    const TmlOperator inverse = {n, &l, apply_inverse}, mass = {n, &l, apply_mass};
    // any load that no symmetry of a part shares, the same in every run
    for (int i = 0; i < n; ++i) {
        load[i] = 1.0 + sin(1.0 + 0.7 * i * (1.0 + 1e-3 * i));
    }
    apply_mass(&l, load, start);
    apply_inverse(&l, start, load);
    memcpy(start, load, (size_t)n * sizeof *start);
    const int dimension = h->n_free - h->n_rows + (h->floats ? 6 : 0);
    const TmlStatus status = tml_arpack_smallest(&inverse, &mass, dimension, k, start, w, V, err);
    *found = k;
    return l.status != TML_OK ? l.status : status;
}

TmlStatus tml_held_modes(TmlHeld *h, int k, double *w, double *V, int *found, TmlError *err)
{
    const int most = h->n_free - h->n_rows + (h->floats ? 6 : 0);
    TmlArena scratch = {0};
    k = k < most ? k : most;
    *found = 0;
    if (k <= 0) {
        return TML_OK;
    }
    const bool dense = most <= DENSE_MAX || 2 * k >= most;
    const TmlStatus status = dense ? dense_modes(h, &scratch, k, w, V, found, err)
                                   : sparse_modes(h, &scratch, k, w, V, found, err);
    tml_arena_free(&scratch);
    return status;
}
