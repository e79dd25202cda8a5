/* sparse/krylov.h - linear systems known by products only: Arnoldi, and Arnoldi with incomplete
 * orthogonalisation.
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"

/* w[n] = A v[n]; false: there is no product. */
typedef bool (*TmlProductFn)(void *user, const double *v, double *w);

/* Room for one system of up to n unknowns. */
typedef struct TmlKrylov {
    int n;
    int max;       /* largest dimension of the subspace */
    int depth;     /* vectors that a new one is made orthogonal to; max: all of them (Arnoldi) */
    double *v, *p; /* n * (depth + 1) each, used in turn */
    double *u, *l; /* depth + 1: column of U; subdiagonal of L, used in turn */
} TmlKrylov;

typedef struct TmlKrylovOut {
    int iterations;  /* products taken */
    double residual; /* |b - A x| by (K5) */
    bool converged;
    bool failed; /* no product, or something not finite: x is the last good iterate */
} TmlKrylovOut;

TML_NODISCARD TmlStatus tml_krylov_setup(TmlKrylov *k, TmlArena *arena, int n, int max, int depth,
                                         TmlError *err);

/* Finds x[n] with |b - A x| <= delta, from x = 0. */
TmlKrylovOut tml_krylov_solve(const TmlKrylov *k, TmlProductFn product, void *user, const double *b,
                              double delta, double *x);
