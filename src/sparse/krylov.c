/* sparse/krylov.c - Arnoldi's method and its incomplete form.
 *
 *   (K1)  w = A v_k;  h_ik = (w, v_i), w -= h_ik v_i, i = i0..k;  h_{k+1,k} = |w|       [000] (11)
 *         i0 = max(1, k - depth + 1)
 *   (K2)  H = L U without exchanges: u_ik = h_ik - l_{i,i-1} u_{i-1,k}
 *   (K3)  p_k = (v_k - sum_i u_ik p_i) / u_kk,  x_k = x_{k-1} + xi_k p_k                [000] (13)
 *   (K4)  xi_1 = |b|,  xi_k = -l_{k,k-1} xi_{k-1}                          [000] (14), corrected
 *   (K5)  |b - A x_k| = h_{k+1,k} |xi_k / u_kk|                                         [000] (16)
 *
 * (K5) holds for the incomplete form too and needs no iterate; with it the recurrences keep the
 * last depth + 1 vectors v and p only. A pivot u_kk of nothing ends the iteration with x_{k-1}.
 */
#include "sparse/krylov.h"

#include "math/array.h"

#include <math.h>
#include <string.h>

TmlStatus tml_krylov_setup(TmlKrylov *k, TmlArena *arena, int n, int max, int depth, TmlError *err)
{
    *k = (TmlKrylov){.n = n, .max = max < n ? max : n};
    k->depth = depth > 0 && depth < k->max ? depth : k->max;
    const size_t room = (size_t)n * ((size_t)k->depth + 1) + 1;
    TML_NEW(arena, k->v, room);
    TML_NEW(arena, k->p, room);
    TML_NEW(arena, k->u, k->depth + 1);
    TML_NEW(arena, k->l, k->depth + 1);
    return TML_OK;
}

static double *place(const TmlKrylov *k, double *ring, int i)
{
    return ring + (size_t)(i % (k->depth + 1)) * (size_t)k->n;
}

/* Returns the first row of the band of column j, counted from 0. */
static int band(const TmlKrylov *k, int j)
{
    return j + 1 > k->depth ? j + 1 - k->depth : 0;
}

/* Does (K1) and (K2) for column j: makes w orthogonal and fills k->u from the first row of the band
 * on. */
static void column(const TmlKrylov *k, int j, double *w)
{
    const int i0 = band(k, j);
    double above = 0.0;
    for (int i = i0; i <= j; ++i) {
        const double *v = place(k, k->v, i);
        const double h = vec_dot(k->n, w, v);
        vec_axpy(k->n, -h, v, w);
        above = i > i0 ? h - k->l[i % (k->depth + 1)] * above : h;
        k->u[i - i0] = above;
    }
}

/* Computes the direction of column j by (K3). */
static void direction(const TmlKrylov *k, int j)
{
    const int i0 = band(k, j);
    double *p = place(k, k->p, j);
    memcpy(p, place(k, k->v, j), (size_t)k->n * sizeof *p);
    for (int i = i0; i < j; ++i) {
        vec_axpy(k->n, -k->u[i - i0], place(k, k->p, i), p);
    }
    const double pivot = 1.0 / k->u[j - i0];
    for (int i = 0; i < k->n; ++i) {
        p[i] *= pivot;
    }
}

static double scale_to_one(int n, double *v)
{
    const double size = sqrt(vec_dot(n, v, v));
    for (int i = 0; i < n && size > 0.0; ++i) {
        v[i] /= size;
    }
    return size;
}

TmlKrylovOut tml_krylov_solve(const TmlKrylov *k, TmlProductFn product, void *user, const double *b,
                              double delta, double *x)
{
    TmlKrylovOut out = {0};
    memset(x, 0, (size_t)k->n * sizeof *x);
    memcpy(k->v, b, (size_t)k->n * sizeof *x);
    double xi = out.residual = scale_to_one(k->n, k->v);
    out.converged = out.residual <= delta;
    for (int j = 0; j < k->max && !out.converged; ++j) {
        double *w = place(k, k->v, j + 1);
        out.failed = !product(user, place(k, k->v, j), w);
        if (out.failed) {
            return out;
        }
        out.iterations++;
        const double before = sqrt(vec_dot(k->n, w, w));
        column(k, j, w);
        const double pivot = k->u[j - band(k, j)], next = scale_to_one(k->n, w);
        out.failed = !isfinite(next) || !isfinite(pivot);
        if (out.failed || fabs(pivot) <= 1e-12 * before) {
            return out; // the pivot is rounding: the last iterate is the best there is
        }
        direction(k, j);
        vec_axpy(k->n, xi, place(k, k->p, j), x);
        out.residual = next * fabs(xi / pivot); // (K5)
        // beyond rounding the new vector has no direction
        out.converged = out.residual <= delta || next <= 1e-14 * before;
        k->l[(j + 1) % (k->depth + 1)] = next / pivot;
        xi *= -next / pivot; // (K4)
    }
    return out;
}
