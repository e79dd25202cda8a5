/* model/modal/modal_loads.c - stiffness of a modal body by stresses of its load cases.
 *
 * The stresses of a deformation eta are taken for a sum of those of the load cases, sigma = sum s_l sigma_l, as near as the energy
 * tells. With the load F_l of a case on the modes (GS2), its geometric stiffness K_l (GS1), and what bending shortens, b,
 *
 *   (MO10)  s = A^-1 F^T eta,   A = F^T K^-1 F,   b_l = eta . K_l eta
 *   (MO11)  U = 1/2 eta . K eta + 1/2 s . b + 1/8 b . A^-1 b
 *   (MO12)  dU/deta = K eta + sum_l N_l K_l eta + 1/2 sum_l c_l b_l,   N = s + 1/2 A^-1 b,   c = F A^-1
 *   (MO13)  d2U/deta2 = K + sum_l (N_l K_l + K_l eta c_l^T + c_l (K_l eta)^T) + sum_lk A^-1_lk (K_l eta) (K_k eta)^T
 *
 * The last term of (MO11) makes U the energy of strains that are of second order in eta; without it a bar that is free to shorten
 * would soften as it bends. Stresses that spin causes are in eta too, so that the centrifugal stiffness is the rest,
 *
 *   (MO14)  K_ab - sum_l alpha_l K_l,   alpha = A^-1 F^T K^-1 p_ab,   p_ab the load on the modes by w_a w_b
 */
#include "math/array.h"
#include "model/modal/modal.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

static const double *stiffness_at(const TmlModal *b, int l)
{
    return b->loads.K + (size_t)l * (size_t)b->m * (size_t)b->m;
}

/* --- setup ------------------------------------------------------------------------------------------------ */

/* X[m * columns] = K^-1 F, columns of the body's coordinates. */
static TmlStatus compliance(const TmlModal *b, int columns, const double *F, TmlArena *scratch,
                            double **X, TmlError *err)
{
    const size_t m = (size_t)b->m;
    double *K;
    int *pivot;
    TML_NEW(scratch, K, m * m);
    TML_NEW(scratch, pivot, m);
    TML_NEW(scratch, *X, m * (size_t)columns);
    memcpy(K, b->K, m * m * sizeof *K);
    memcpy(*X, F, m * (size_t)columns * sizeof **X);
    TML_TRY(tml_dense_factor(b->m, K, pivot, err));
    tml_dense_solve(b->m, K, pivot, columns, *X);
    return TML_OK;
}

/* Inverts A[n * n], which is symmetric, by Gauss and Jordan on A with a unit diagonal: a pivot is then the share of a case that those
 * before it do not have. */
static TmlStatus invert(const TmlModal *b, int n, double *A, TmlArena *scratch, TmlError *err)
{
    double *unit, *X;
    TML_NEW(scratch, unit, n);
    TML_NEW(scratch, X, (size_t)n * (size_t)n);
    for (int l = 0; l < n; ++l) {
        unit[l] = sqrt(fmax(A[l * n + l], 0.0));
        X[l * n + l] = 1.0;
    }
    for (int k = 0; k < n * n; ++k) {
        A[k] /= unit[k / n] * unit[k % n];
    }
    for (int l = 0; l < n; ++l) {
        const double pivot = A[l * n + l];
        if (!(pivot > 1e-8)) { // the square of a part of 1e-4 of the strains
            return tml_fail(err, TML_E_MODEL,
                            "load case '%s' of part '%s' strains its modes as others do, or not at "
                            "all; leave it out, or say 'stiffening: centrifugal' or 'none'",
                            b->part->stiffening[l].name, b->part->name);
        }
        for (int k = 0; k < n; ++k) {
            A[l * n + k] /= pivot;
            X[l * n + k] /= pivot;
        }
        for (int r = 0; r < n; ++r) {
            const double by = r == l ? 0.0 : A[r * n + l];
            for (int k = 0; k < n; ++k) {
                A[r * n + k] -= by * A[l * n + k];
                X[r * n + k] -= by * X[l * n + k];
            }
        }
    }
    for (int k = 0; k < n * n; ++k) {
        A[k] = X[k] / (unit[k / n] * unit[k % n]);
    }
    return TML_OK;
}

static TmlStatus take_loads(TmlModal *b, TmlArena *arena, double **F, TmlError *err)
{
    const size_t m = (size_t)b->m, n = (size_t)b->part->n_stiffening;
    TML_NEW(arena, b->loads.K, n * m * m);
    TML_NEW(arena, b->loads.c, n * m);
    TML_NEW(arena, b->loads.A, n * n);
    TML_NEW(arena, *F, n * m);
    for (size_t l = 0; l < n; ++l) {
        const TmlPartStiffening *of = &b->part->stiffening[l];
        for (size_t k = 0; k < m * m; ++k) {
            b->loads.K[l * m * m + k] = of->K[k] / (b->scale[k / m] * b->scale[k % m]);
        }
        for (size_t j = 0; j < m; ++j) {
            (*F)[l * m + j] = of->load[j] / b->scale[j];
        }
    }
    b->loads.n = (int)n;
    return TML_OK;
}

/* (MO10) from F and X = K^-1 F. */
static TmlStatus factors_of_loads(TmlModal *b, const double *F, const double *X, TmlArena *scratch,
                                  TmlError *err)
{
    const int n = b->loads.n, m = b->m;
    double *A = b->loads.A;
    for (int k = 0; k < n * n; ++k) {
        A[k] = vec_dot(m, F + (size_t)(k / n) * (size_t)m, X + (size_t)(k % n) * (size_t)m);
    }
    TML_TRY(invert(b, n, A, scratch, err));
    for (int l = 0; l < n; ++l) {
        for (int j = 0; j < m; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += A[l * n + k] * F[(size_t)k * (size_t)m + (size_t)j];
            }
            b->loads.c[(size_t)l * (size_t)m + (size_t)j] = sum;
        }
    }
    return TML_OK;
}

/* p[m]: the load on the modes by w_a w_b, the case c of TmlPart.centrifugal: of -(MO8) without deformation. */
static void spin_load(const TmlModal *b, int c, double *p)
{
    for (int j = 0; j < b->m; ++j) {
        const double *G = b->G + 9 * (size_t)(j + 1) * (size_t)(b->m + 1); // G_j0
        const int a = c % 3, d = (c + 1) % 3;
        p[j] = c < 3 ? G[0] + G[4] + G[8] - G[4 * c] : -(G[3 * a + d] + G[3 * d + a]);
    }
}

/* (MO14) */
static TmlStatus rest_of_spin(TmlModal *b, TmlArena *arena, TmlArena *scratch, TmlError *err)
{
    const size_t m = (size_t)b->m, square = m * m;
    double *K, *p, *x;
    TML_NEW(arena, K, 6 * square);
    TML_NEW(scratch, p, 6 * m);
    memcpy(K, b->part->centrifugal, 6 * square * sizeof *K);
    for (int c = 0; c < 6; ++c) {
        spin_load(b, c, p + (size_t)c * m);
    }
    TML_TRY(compliance(b, 6, p, scratch, &x, err));
    for (size_t c = 0; c < 6; ++c) {
        for (int l = 0; l < b->loads.n; ++l) {
            const double alpha = vec_dot(b->m, b->loads.c + (size_t)l * m, x + c * m);
            for (size_t k = 0; k < square; ++k) {
                K[c * square + k] -= alpha * b->part->stiffening[l].K[k];
            }
        }
    }
    b->centrifugal = K;
    return TML_OK;
}

TmlStatus tml_modal_take_loads(TmlModal *b, TmlArena *arena, TmlError *err)
{
    TmlArena scratch = {0};
    double *F = NULL, *X = NULL;
    TmlStatus status = take_loads(b, arena, &F, err);
    status = status == TML_OK ? compliance(b, b->loads.n, F, &scratch, &X, err) : status;
    status = status == TML_OK ? factors_of_loads(b, F, X, &scratch, err) : status;
    if (status == TML_OK && b->options.stiffened) {
        status = rest_of_spin(b, arena, &scratch, err);
    }
    tml_arena_free(&scratch);
    return status;
}

/* --- forces ----------------------------------------------------------------------------------------------- */

/* K_l eta, b and N of all cases. */
static void evaluate(const TmlModalIn *in, TmlModalSums *s)
{
    const TmlModal *b = in->body;
    const int n = b->loads.n, m = b->m;
    for (int l = 0; l < n; ++l) {
        double *g = s->load_g + (size_t)l * (size_t)m;
        for (int i = 0; i < m; ++i) {
            g[i] = vec_dot(m, stiffness_at(b, l) + (size_t)i * (size_t)m, in->eta);
        }
        s->load_b[l] = vec_dot(m, g, in->eta);
    }
    for (int l = 0; l < n; ++l) {
        s->load_N[l] = vec_dot(m, b->loads.c + (size_t)l * (size_t)m, in->eta) +
                       0.5 * vec_dot(n, b->loads.A + (size_t)l * (size_t)n, s->load_b);
    }
}

void tml_modal_load_forces(const TmlModalIn *in, TmlModalSums *s, double *f)
{
    const TmlModal *b = in->body;
    evaluate(in, s);
    for (int l = 0; l < b->loads.n; ++l) { // (MO12)
        const double *g = s->load_g + (size_t)l * (size_t)b->m;
        const double *c = b->loads.c + (size_t)l * (size_t)b->m;
        for (int j = 0; j < b->m; ++j) {
            f[j] += s->load_N[l] * g[j] + 0.5 * s->load_b[l] * c[j];
        }
    }
}

double tml_modal_load_energy(const TmlModalIn *in, TmlModalSums *s)
{
    const TmlModal *b = in->body;
    const int n = b->loads.n;
    double sum = 0.0;
    evaluate(in, s);
    for (int l = 0; l < n; ++l) { // (MO11), N without half of its second part
        const double half = 0.25 * vec_dot(n, b->loads.A + (size_t)l * (size_t)n, s->load_b);
        sum += 0.5 * s->load_b[l] * (s->load_N[l] - half);
    }
    return sum;
}

double tml_modal_load_power(const TmlModalIn *in, const TmlModalSums *s)
{
    const TmlModal *b = in->body;
    double sum = 0.0;
    for (int l = 0; l < b->loads.n; ++l) {
        const size_t at = (size_t)l * (size_t)b->m;
        sum -= s->load_N[l] * vec_dot(b->m, s->load_g + at, in->eta1) +
               0.5 * s->load_b[l] * vec_dot(b->m, b->loads.c + at, in->eta1);
    }
    return sum;
}

void tml_modal_load_tangent(const TmlModalIn *in, TmlModalSums *s, double c_q, double *K)
{
    const TmlModal *b = in->body;
    const int n = b->loads.n, m = b->m;
    evaluate(in, s);
    for (int l = 0; l < n; ++l) { // (MO13)
        const double *g = s->load_g + (size_t)l * (size_t)m;
        const double *c = b->loads.c + (size_t)l * (size_t)m, *of = stiffness_at(b, l);
        for (int j = 0; j < m; ++j) {
            double *row = K + (size_t)(6 + j) * (size_t)(6 + m) + 6;
            double across = 0.0;
            for (int k = 0; k < n; ++k) {
                across += b->loads.A[l * n + k] * s->load_g[(size_t)k * (size_t)m + (size_t)j];
            }
            for (int i = 0; i < m; ++i) {
                row[i] += c_q * (s->load_N[l] * of[(size_t)j * (size_t)m + (size_t)i] +
                                 g[j] * c[i] + (c[j] + across) * g[i]);
            }
        }
    }
}
