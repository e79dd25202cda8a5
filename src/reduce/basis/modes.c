/* reduce/basis/modes.c - the modes of a reduced part: its basis without rigid motion, made orthogonal. */
#include "reduce/basis/modes.h"

#include "math/dense.h"
#include "math/eigen.h"

#include <math.h>
#include <string.h>

/* A mode is physical when half the modes of the basis give its frequency to this part. */
static const double physical_change = 0.01;

/* Mass over stiffness below which, as part of the largest, a mode has no mass: frequencies 10^7.5 times the
 * lowest. */
static const double massless_mode = 1e-15;

/* Components of a mode within this part of the largest count as equal to it; the first is made
 * positive, so that rounding does not choose the sign. */
static const double equal_components = 1e-6;

/* --- mean axes ---------------------------------------------------------------------------------- */

/* The motion of all interfaces in rigid motion, scaled as `scale` says: c[n * 6] of a basis whose
 * other vectors do not move interfaces. */
static void rigid_coefficients(const TmlBasis *b, int n, const double *scale, double *c)
{
    const TmlTied *t = b->t;
    for (int f = 0; f < t->n_frames; ++f) {
        for (int a = 0; a < 6; ++a) {
            double u[6];
            tml_tied_motion(t, f, t->R + (size_t)a * (size_t)t->n, u);
            for (int i = 0; i < t->frame[f].count; ++i) {
                const int at = t->frame[f].first + i;
                c[(size_t)a * (size_t)n + (size_t)at] =
                    u[i] / scale[at] / (a < 3 ? 1.0 : t->length);
            }
        }
    }
}

/* Rotations of interfaces measured by the part's length, so that K and M have entries of one kind. */
static void motion_scales(const TmlBasis *b, int n, double *scale)
{
    for (int j = 0; j < n; ++j) {
        scale[j] = 1.0;
    }
    for (int f = 0; f < b->t->n_frames && b->n_motions > 0; ++f) {
        for (int i = 3; i < b->t->frame[f].count; ++i) {
            scale[b->t->frame[f].first + i] = 1.0 / b->t->length;
        }
    }
}

/* The matrices of the first n vectors of the basis, less the skipped ones, scaled. */
static void scaled_matrices(const TmlBasis *b, const int *use, int n, const double *scale,
                            double *K, double *M)
{
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const size_t at = (size_t)j * (size_t)n + (size_t)i;
            const size_t from = (size_t)use[j] * (size_t)b->n + (size_t)use[i];
            K[at] = scale[i] * scale[j] * b->K[from];
            M[at] = scale[i] * scale[j] * b->M[from];
        }
    }
}

/* Orthonormal in M to rounding, low modes first: Y R^-1 with R^T R = Y^T M Y, R upper. */
static TmlStatus orthonormal(int n, int m, const double *M, double *Y, TmlArena *arena,
                             TmlError *err)
{
    double *MY;
    TML_NEW(arena, MY, (size_t)n * (size_t)m + 1);
    tml_dense_mul(false, false, n, m, n, 1.0, M, Y, 0.0, MY);
    return tml_basis_orthonormal(n, m, Y, MY, err);
}

/* M y = mu K y in a space where K is definite: the low modes keep their digits. Y[n * m], w2[m]
 * ascending, Y^T M Y = 1. K and M stay as they are. */
static TmlStatus solve_pair(int n, const double *K, const double *M, double *Y, double *w2,
                            TmlArena *arena, TmlError *err)
{
    const size_t square = (size_t)n * (size_t)n;
    double *A, *B, *mu;
    TML_NEW(arena, A, square + 1);
    TML_NEW(arena, B, square + 1);
    TML_NEW(arena, mu, n + 1);
    memcpy(A, M, square * sizeof *A);
    memcpy(B, K, square * sizeof *B);
    const TmlStatus status = tml_eigen_symmetric(n, A, B, mu, NULL, err);
    if (status == TML_E_SINGULAR) {
        return tml_fail(err, TML_E_MODEL,
                        "the part can move without strain in more ways than as a rigid body; the "
                        "stiffness is not that of a free part");
    }
    TML_TRY(status);
    for (int j = 0; j < n; ++j) {
        const int from = n - 1 - j;
        if (!(mu[from] > massless_mode * mu[n - 1])) {
            return tml_fail(err, TML_E_MODEL,
                            "a displacement of the reduced part has no mass: is a density missing, "
                            "or is an interface a single node of shells, whose rotation about the "
                            "normal has none?");
        }
        for (int i = 0; i < n; ++i) {
            Y[(size_t)j * (size_t)n + (size_t)i] =
                A[(size_t)from * (size_t)n + (size_t)i] / sqrt(mu[from]);
        }
    }
    TML_TRY(orthonormal(n, n, M, Y, arena, err));
    for (int j = 0; j < n; ++j) { // y^T K y
        const double *y = Y + (size_t)j * (size_t)n;
        w2[j] = 0.0;
        for (int k = 0; k < n; ++k) {
            for (int i = 0; i < n; ++i) {
                w2[j] += y[k] * K[(size_t)k * (size_t)n + (size_t)i] * y[i];
            }
        }
    }
    return TML_OK;
}

/* (MD1) with so many modes of the basis; C[b->n * m]. */
static TmlStatus mean_axes(const TmlBasis *b, int n_modes, int n_extra, double *C, double *w2,
                           int *m, TmlError *err)
{
    TmlArena scratch = {0}, *s = &scratch;
    TmlStatus status = TML_OK;
    const int nb = b->n_motions, n = nb + n_modes + n_extra, rigid = nb > 0 ? 6 : 0;
    const size_t square = (size_t)n * (size_t)n;
    double *K = tml_arena_alloc(s, square + 1, sizeof *K), *M = tml_arena_alloc(s, square + 1, 8);
    double *Z = tml_arena_alloc(s, square + 1, 8), *c = tml_arena_alloc(s, 12 * (size_t)n + 1, 8);
    double *T = tml_arena_alloc(s, square + 1, 8), *kz = tml_arena_alloc(s, square + 1, 8);
    double *mz = tml_arena_alloc(s, square + 1, 8), *Y = tml_arena_alloc(s, square + 1, 8);
    double *scale = tml_arena_alloc(s, (size_t)n + 1, 8);
    int *use = tml_arena_alloc(s, (size_t)n + 1, sizeof *use);
    *m = n - rigid;
    if (K == NULL || M == NULL || Z == NULL || c == NULL || T == NULL || kz == NULL || mz == NULL ||
        Y == NULL || scale == NULL || use == NULL) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for a basis of %d vectors", n);
    } else {
        for (int j = 0; j < n; ++j) {
            use[j] = j < nb + n_modes ? j : nb + b->n_modes + (j - nb - n_modes);
        }
        motion_scales(b, n, scale);
        scaled_matrices(b, use, n, scale, K, M);
        if (rigid > 0) {
            rigid_coefficients(b, n, scale, c);
        }
        tml_dense_mul(false, false, n, rigid, n, 1.0, M, c, 0.0, c + 6 * (size_t)n);
        status = tml_null_basis(n, rigid, c + 6 * (size_t)n, Z, err);
    }
    if (status == TML_OK && *m > 0) {
        tml_dense_mul(false, false, n, *m, n, 1.0, K, Z, 0.0, T);
        tml_dense_mul(true, false, *m, *m, n, 1.0, Z, T, 0.0, kz);
        tml_dense_mul(false, false, n, *m, n, 1.0, M, Z, 0.0, T);
        tml_dense_mul(true, false, *m, *m, n, 1.0, Z, T, 0.0, mz);
        status = solve_pair(*m, kz, mz, Y, w2, s, err);
    }
    if (status == TML_OK && *m > 0) {
        tml_dense_mul(false, false, n, *m, *m, 1.0, Z, Y, 0.0, T);
        for (int j = 0; j < *m; ++j) {
            for (int i = 0; i < n; ++i) {
                C[(size_t)j * (size_t)b->n + (size_t)use[i]] =
                    scale[i] * T[(size_t)j * (size_t)n + (size_t)i];
            }
        }
    }
    tml_arena_free(s);
    return status;
}

/* --- a frame at an interface -------------------------------------------------------------------- */

/* Adds rigid motion to every mode so that the interface stands still. */
static TmlStatus stand_still(const TmlTied *t, int frame, TmlModes *out, TmlError *err)
{
    const size_t n = (size_t)t->n;
    double A[36];
    int pivot[6];
    if (t->frame[frame].count != 6) {
        return tml_fail(err, TML_E_MODEL,
                        "the frame of the part cannot be at interface '%s', which has no rotation",
                        t->frame[frame].of->name);
    }
    for (int a = 0; a < 6; ++a) {
        tml_tied_motion(t, frame, t->R + (size_t)a * n, A + 6 * a);
    }
    TML_TRY(tml_dense_factor(6, A, pivot, err));
    for (int j = 0; j < out->m; ++j) {
        double *v = out->V + (size_t)j * n, c[6];
        tml_tied_motion(t, frame, v, c);
        tml_dense_solve(6, A, pivot, 1, c);
        for (size_t i = 0; i < n; ++i) {
            for (size_t a = 0; a < 6; ++a) {
                v[i] -= c[a] * t->R[a * n + i];
            }
        }
        for (int i = 0; i < 6 && t->frame[frame].at >= 0; ++i) {
            v[t->frame[frame].at + i] = 0.0; // it is, but for rounding
        }
    }
    return TML_OK;
}

static TmlStatus orthogonal_again(const TmlTied *t, TmlModes *out, TmlError *err)
{
    const int n = t->n, m = out->m;
    const size_t square = (size_t)m * (size_t)m;
    double *MV, *K, *M, *Y, *w2;
    TML_NEW(&out->arena, MV, (size_t)n * (size_t)m + 1);
    TML_NEW(&out->arena, K, square + 1);
    TML_NEW(&out->arena, M, square + 1);
    TML_NEW(&out->arena, Y, square + 1);
    TML_NEW(&out->arena, w2, m + 1);
    tml_csc_lower_mul(&t->M, m, out->V, MV);
    tml_dense_mul(true, false, m, m, n, 1.0, out->V, MV, 0.0, M);
    for (int j = 0; j < m; ++j) {
        K[(size_t)j * (size_t)(m + 1)] = out->w2[j]; // rigid motion has no strain
    }
    TML_TRY(solve_pair(m, K, M, Y, w2, &out->arena, err));
    tml_dense_mul(false, false, n, m, m, 1.0, out->V, Y, 0.0, MV);
    out->V = MV;
    out->w2 = w2;
    return TML_OK;
}

/* --- all ---------------------------------------------------------------------------------------- */

static void make_signs_unique(TmlModes *out)
{
    const size_t n = (size_t)out->t->n;
    for (int j = 0; j < out->m; ++j) {
        double *v = out->V + (size_t)j * n, most = 0.0;
        size_t at = 0;
        for (size_t i = 0; i < n; ++i) {
            most = fmax(most, fabs(v[i]));
        }
        while (at < n && fabs(v[at]) < (1.0 - equal_components) * most) {
            at++;
        }
        const bool turn = at < n && v[at] < 0.0;
        for (size_t i = 0; i < n && turn; ++i) {
            v[i] = -v[i];
        }
    }
}

/* The modes of a basis of which only so many modes are taken. */
static TmlStatus build_modes(const TmlBasis *b, int n_modes, int frame, TmlModes *out,
                             TmlError *err)
{
    const int n = b->t->n;
    double *C;
    *out = (TmlModes){.t = b->t};
    TML_NEW(&out->arena, C, (size_t)b->n * (size_t)b->n + 1);
    TML_NEW(&out->arena, out->w2, b->n + 1);
    TML_NEW(&out->arena, out->physical, b->n + 1);
    TML_TRY(mean_axes(b, n_modes, b->n_extra, C, out->w2, &out->m, err));
    TML_NEW(&out->arena, out->V, (size_t)n * (size_t)out->m + 1);
    tml_dense_mul(false, false, n, out->m, b->n, 1.0, b->V, C, 0.0, out->V);
    if (frame >= 0) {
        TML_TRY(stand_still(b->t, frame, out, err));
        TML_TRY(orthogonal_again(b->t, out, err));
    }
    return TML_OK;
}

/* Frequencies with half the modes, beside those with all. */
static TmlStatus mark_physical(const TmlBasis *b, int frame, TmlModes *out, TmlError *err)
{
    TmlModes half;
    const TmlStatus status = build_modes(b, b->n_modes / 2, frame, &half, err);
    for (int j = 0; j < out->m && status == TML_OK; ++j) {
        out->physical[j] = j < half.m && j < b->n_modes &&
                           fabs(sqrt(half.w2[j] / out->w2[j]) - 1.0) < physical_change;
    }
    tml_modes_free(&half);
    return status;
}

TmlStatus tml_modes_create(const TmlBasis *b, int frame, TmlModes *out, TmlError *err)
{
    TmlStatus status = build_modes(b, b->n_modes, frame, out, err);
    status = status == TML_OK ? mark_physical(b, frame, out, err) : status;
    if (status != TML_OK) {
        tml_modes_free(out);
        return status;
    }
    make_signs_unique(out);
    return TML_OK;
}

void tml_modes_free(TmlModes *m)
{
    tml_arena_free(&m->arena);
    *m = (TmlModes){0};
}
