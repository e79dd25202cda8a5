/* reduce/basis/basis.c - the displacements that a reduced part is capable of, see the header. */
#include "reduce/basis/basis.h"

#include "math/array.h"
#include "math/dense.h"
#include "reduce/basis/held_modes.h"

#include <math.h>
#include <string.h>

/* A vector of which less than this part is left when others are taken out adds nothing. */
static const double remainder_least = 1e-8;

/* Forces by stresses that are less than this part of those of the load are roundings of a solution. */
static const double strain_least = 1e-9;

/* Modes that are asked for first when only a frequency is given; doubled until it is passed. */
enum { MODES_FIRST = 16 };

typedef struct Work {
    const TmlTied *t;
    const TmlReduction *how;
    TmlBasis *b;
    TmlHeld held;
    double *rows;       /* t->n x: rows of `held` that are not those of t */
    double *modes, *w2; /* all that were found */
    int found;
    double *extra; /* t->n x n_extra */
} Work;

/* --- holding ------------------------------------------------------------------------------------ */

/* Whether the freedoms of interfaces, held, leave no rigid motion: R at these freedoms has rank 6. */
static bool freedoms_hold(const TmlTied *t)
{
    double G[36] = {0}, unit[36] = {0}, w[6];
    const size_t n = (size_t)t->n;
    for (int f = 0; f < t->n_frames; ++f) {
        for (int c = 0; t->frame[f].at >= 0 && c < t->frame[f].count; ++c) {
            const size_t i = (size_t)t->frame[f].at + (size_t)c;
            const double s = c < 3 ? 1.0 : t->length;
            for (size_t a = 0; a < 36; ++a) {
                G[a] += s * s * t->R[a / 6 * n + i] * t->R[a % 6 * n + i] /
                        ((a / 6 < 3 ? 1.0 : t->length) * (a % 6 < 3 ? 1.0 : t->length));
            }
        }
    }
    for (size_t a = 0; a < 6; ++a) {
        unit[7 * a] = 1.0;
    }
    return tml_eigen_symmetric(6, G, unit, w, NULL, NULL) == TML_OK && w[0] > 1e-10 * w[5];
}

static TmlStatus hold_interfaces(Work *w, TmlError *err)
{
    const TmlTied *t = w->t;
    bool *held = tml_mem_zalloc((size_t)t->n, sizeof *held);
    if (held == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int f = 0; f < t->n_frames; ++f) {
        for (int c = 0; t->frame[f].at >= 0 && c < t->frame[f].count; ++c) {
            held[t->frame[f].at + c] = true;
        }
    }
    const TmlStatus status = tml_held_create(t, held, t->n_rows, t->D, &w->held, err);
    tml_mem_free(held);
    return status;
}

/* All interfaces as rows: the part floats. */
static TmlStatus hold_rows(Work *w, TmlError *err)
{
    const TmlTied *t = w->t;
    const size_t n = (size_t)t->n;
    TML_NEW(&w->b->arena, w->rows, n * (size_t)t->n_motions);
    for (int f = 0; f < t->n_frames; ++f) {
        const TmlTiedFrame *frame = &t->frame[f];
        for (int c = 0; c < frame->count; ++c) {
            double *row = w->rows + (size_t)(frame->first + c) * n;
            if (frame->at >= 0) {
                row[frame->at + c] = 1.0;
            } else {
                memcpy(row, t->D + (size_t)(frame->row + c) * n, n * sizeof *row);
            }
        }
    }
    return tml_held_create(t, NULL, t->n_motions, w->rows, &w->held, err);
}

/* --- modes -------------------------------------------------------------------------------------- */

/* The first k modes; a limit by frequency asks for more until it is passed. */
static TmlStatus find_modes(Work *w, TmlError *err)
{
    const size_t n = (size_t)w->t->n;
    const double limit = 2.0 * acos(-1.0) * w->how->hertz;
    int k = w->how->count >= 0 ? w->how->count : MODES_FIRST;
    for (;;) {
        const TmlArenaMark mark = tml_arena_mark(&w->b->arena);
        TML_NEW(&w->b->arena, w->w2, k + 1);
        TML_NEW(&w->b->arena, w->modes, n * (size_t)k + 1);
        TML_TRY(tml_held_modes(&w->held, k, w->w2, w->modes, &w->found, err));
        const bool passed = w->found < k || w->found == 0 || w->w2[w->found - 1] > limit * limit;
        if (w->how->count >= 0 || passed) {
            break;
        }
        tml_arena_release(&w->b->arena, mark);
        k *= 2;
    }
    while (w->found > 0 && w->w2[w->found - 1] > limit * limit) {
        w->found--;
    }
    return TML_OK;
}

/* Shares of the part's mass and moments of inertia that go with each mode. */
static void effective_masses(const Work *w, double *share)
{
    const size_t n = (size_t)w->t->n;
    for (int j = 0; j < w->found; ++j) {
        for (size_t c = 0; c < 6; ++c) {
            const double l = vec_dot((int)n, w->t->MR + c * n, w->modes + (size_t)j * n);
            share[6 * (size_t)j + c] = l * l / w->t->inertia[7 * c];
        }
    }
}

/* Keeps the modes that carry enough mass, in their order. */
static TmlStatus select_modes(Work *w, TmlError *err)
{
    const size_t n = (size_t)w->t->n;
    int kept = 0;
    TML_NEW(&w->b->arena, w->b->effective, 6 * (size_t)w->found + 1);
    double *share = w->b->effective;
    effective_masses(w, share);
    for (int j = 0; j < w->found; ++j) {
        double most = 0.0;
        for (int c = 0; c < 6; ++c) {
            most = fmax(most, share[6 * j + c]);
        }
        if (most < w->how->effective) {
            continue;
        }
        memmove(share + 6 * (size_t)kept, share + 6 * (size_t)j, 6 * sizeof *share);
        memmove(w->modes + (size_t)kept * n, w->modes + (size_t)j * n, n * sizeof *w->modes);
        w->w2[kept++] = w->w2[j];
    }
    w->b->n_modes = kept;
    return TML_OK;
}

/* --- static answers to loads -------------------------------------------------------------------- */

/* The load columns: Herting's unit loads at interfaces, then unit forces on nodes, then loads on many nodes. */
static void fill_loads(const Work *w, double *F)
{
    const TmlTied *t = w->t;
    const size_t n = (size_t)t->n;
    int column = 0;
    for (int f = 0; f < t->n_frames && w->how->method == TML_HERTING; ++f) {
        for (int c = 0; c < t->frame[f].count; ++c, ++column) {
            double *load = F + (size_t)column * n;
            if (t->frame[f].at >= 0) {
                load[t->frame[f].at + c] = 1.0;
            } else {
                memcpy(load, t->D + (size_t)(t->frame[f].row + c) * n, n * sizeof *load);
            }
        }
    }
    for (int k = 0; k < w->how->n_loads; ++k, ++column) {
        const int i = t->fe->first[w->how->load[k].node] + w->how->load[k].direction;
        for (int p = t->Tt.start[i]; p < t->Tt.start[i + 1]; ++p) {
            F[(size_t)column * n + (size_t)t->Tt.row[p]] += t->Tt.x[p];
        }
    }
    for (int k = 0; k < w->how->n_forces; ++k, ++column) {
        tml_csc_mul(&t->Tt, w->how->force + (size_t)k * (size_t)t->fe->n, F + (size_t)column * n);
    }
}

/* What inertia bears without a stress, as weight of a part that floats, leaves roundings instead of a shape. */
static bool is_strained(const Work *w, const double *f, const double *v, double *Kv)
{
    double of_load = 0.0, of_stress = 0.0;
    memset(Kv, 0, (size_t)w->t->n * sizeof *Kv);
    tml_csc_lower_mul(&w->t->K, 1, v, Kv);
    for (int i = 0; i < w->t->n; ++i) {
        of_load = fmax(of_load, fabs(f[i]));
        of_stress = fmax(of_stress, fabs(Kv[i]));
    }
    return of_stress > strain_least * of_load;
}

/* Takes the modes and the vectors before out of vector v, twice, as once leaves rounding of what was
 * taken. Returns the part that is left, by M. */
static double take_out(const Work *w, int before, double *v, double *Mv)
{
    const size_t n = (size_t)w->t->n;
    double first = 0.0, left = 0.0;
    for (int pass = 0; pass < 3; ++pass) {
        memset(Mv, 0, n * sizeof *Mv);
        tml_csc_lower_mul(&w->t->M, 1, v, Mv);
        left = sqrt(fmax(vec_dot((int)n, v, Mv), 0.0));
        first = pass == 0 ? left : first;
        if (pass == 2) {
            break;
        }
        for (int j = 0; j < w->b->n_modes; ++j) {
            const double *m = w->modes + (size_t)j * n;
            vec_axpy((int)n, -vec_dot((int)n, m, Mv), m, v);
        }
        for (int j = 0; j < before; ++j) {
            const double *m = w->extra + (size_t)j * n;
            vec_axpy((int)n, -vec_dot((int)n, m, Mv), m, v);
        }
    }
    for (size_t i = 0; i < n && left > 0.0; ++i) {
        v[i] /= left;
    }
    return first > 0.0 ? left / first : 0.0;
}

static TmlStatus attach(Work *w, TmlError *err)
{
    const TmlTied *t = w->t;
    const size_t n = (size_t)t->n;
    const int most =
        (w->how->method == TML_HERTING ? t->n_motions : 0) + w->how->n_loads + w->how->n_forces;
    double *F, *Mv;
    TML_NEW(&w->b->arena, w->extra, n * (size_t)most + 1);
    TML_NEW(&w->b->arena, F, n * (size_t)most + 1);
    TML_NEW(&w->b->arena, Mv, n);
    if (most == 0) {
        return TML_OK;
    }
    fill_loads(w, F);
    TML_TRY(tml_held_solve(&w->held, most, F, NULL, w->extra, err));
    for (int j = 0; j < most; ++j) {
        double *v = w->extra + (size_t)w->b->n_extra * n;
        if (j != w->b->n_extra) {
            memcpy(v, w->extra + (size_t)j * n, n * sizeof *v);
        }
        w->b->n_extra += is_strained(w, F + (size_t)j * n, v, Mv) &&
                         take_out(w, w->b->n_extra, v, Mv) > remainder_least;
    }
    return TML_OK;
}

/* Turns the extra vectors, which are orthonormal in M, so that K is diagonal among them. */
static TmlStatus turn_extra(Work *w, TmlError *err)
{
    const int e = w->b->n_extra, n = w->t->n;
    const size_t square = (size_t)e * (size_t)e;
    double *KE, *A, *B, *mu;
    TmlArena *arena = &w->b->arena;
    TML_NEW(arena, KE, (size_t)n * (size_t)e + 1);
    TML_NEW(arena, A, square + 1);
    TML_NEW(arena, B, square + 1);
    TML_NEW(arena, mu, e + 1);
    tml_csc_lower_mul(&w->t->K, e, w->extra, KE);
    tml_dense_mul(true, false, e, e, n, 1.0, w->extra, KE, 0.0, B);
    for (int j = 0; j < e; ++j) {
        A[(size_t)j * (size_t)(e + 1)] = 1.0;
    }
    TML_TRY(tml_eigen_symmetric(e, A, B, mu, NULL, err)); // 1 z = mu K z
    for (int j = 0; j < e; ++j) { // the lowest, which has the largest mu, first
        const int from = e - 1 - j;
        tml_dense_mul(false, false, n, 1, e, 1.0 / sqrt(mu[from]), w->extra,
                      A + (size_t)from * (size_t)e, 0.0, KE + (size_t)j * (size_t)n);
        w->b->w2[w->b->n_modes + j] = 1.0 / mu[from];
    }
    memcpy(w->extra, KE, (size_t)n * (size_t)e * sizeof *KE);
    return TML_OK;
}

/* --- all ---------------------------------------------------------------------------------------- */

/* One static shape for each unit motion of an interface. */
static TmlStatus constraint_modes(Work *w, double *V, TmlError *err)
{
    const TmlTied *t = w->t;
    const size_t n = (size_t)t->n, rows = (size_t)w->held.n_rows;
    double *d;
    TML_NEW(&w->b->arena, d, rows * (size_t)t->n_motions + 1);
    for (int f = 0; f < t->n_frames; ++f) {
        const TmlTiedFrame *frame = &t->frame[f];
        for (int c = 0; c < frame->count; ++c) {
            const size_t column = (size_t)frame->first + (size_t)c;
            if (w->held.floats) {
                d[column * rows + column] = 1.0;
            } else if (frame->at >= 0) {
                V[column * n + (size_t)(frame->at + c)] = 1.0;
            } else {
                d[column * rows + (size_t)(frame->row + c)] = 1.0;
            }
        }
    }
    return tml_held_solve(&w->held, t->n_motions, NULL, d, V, err);
}

/* (CB1) */
static TmlStatus reduced_matrices(Work *w, TmlError *err)
{
    TmlBasis *b = w->b;
    const int n = w->t->n, p = b->n, nb = b->n_motions;
    double *AV;
    TML_NEW(&b->arena, b->K, (size_t)p * (size_t)p + 1);
    TML_NEW(&b->arena, b->M, (size_t)p * (size_t)p + 1);
    TML_NEW(&b->arena, AV, (size_t)n * (size_t)p + 1);
    tml_csc_lower_mul(&w->t->M, p, b->V, AV);
    tml_dense_mul(true, false, p, p, n, 1.0, b->V, AV, 0.0, b->M);
    memset(AV, 0, (size_t)n * (size_t)p * sizeof *AV);
    tml_csc_lower_mul(&w->t->K, nb, b->V, AV);
    double *Kbb;
    TML_NEW(&b->arena, Kbb, (size_t)nb * (size_t)nb + 1);
    tml_dense_mul(true, false, nb, nb, n, 1.0, b->V, AV, 0.0, Kbb);
    for (int j = 0; j < p; ++j) {
        for (int i = 0; i < p; ++i) {
            const size_t at = (size_t)j * (size_t)p + (size_t)i;
            const size_t mirror = (size_t)i * (size_t)p + (size_t)j;
            if (i < nb && j < nb) {
                b->K[at] = 0.5 * (Kbb[j * nb + i] + Kbb[i * nb + j]);
            } else if (i == j) {
                b->K[at] = b->w2[i - nb];
            }
            if (i >= nb && j >= nb) {
                b->M[at] = i == j;
            } else if (i > j) {
                b->M[at] = b->M[mirror] = 0.5 * (b->M[at] + b->M[mirror]);
            }
        }
    }
    return TML_OK;
}

static TmlStatus gather_vectors(Work *w, TmlError *err)
{
    TmlBasis *b = w->b;
    const size_t n = (size_t)w->t->n;
    b->n = b->n_motions + b->n_modes + b->n_extra;
    TML_NEW(&b->arena, b->V, n * (size_t)b->n + 1);
    if (b->n_motions > 0) {
        TML_TRY(constraint_modes(w, b->V, err));
    }
    double *to = b->V + n * (size_t)b->n_motions;
    memcpy(to, w->modes, n * (size_t)b->n_modes * sizeof *to);
    memcpy(to + n * (size_t)b->n_modes, w->extra, n * (size_t)b->n_extra * sizeof *to);
    return reduced_matrices(w, err);
}

static TmlStatus build(Work *w, TmlError *err)
{
    const TmlTied *t = w->t;
    TmlBasis *b = w->b;
    const bool herting = w->how->method == TML_HERTING;
    if (herting || t->n_frames == 0) {
        TML_TRY(tml_held_create(t, NULL, 6, t->MR, &w->held, err)); // (HE1): inertia relief
    } else {
        TML_TRY(freedoms_hold(t) ? hold_interfaces(w, err) : hold_rows(w, err));
        b->n_motions = t->n_motions;
    }
    if (w->held.factors != NULL) {
        const TmlCholeskyInfo info = tml_cholesky_info(w->held.factors);
        b->factor_bytes = info.bytes;
        b->factor_flops = info.flops;
    }
    TML_TRY(find_modes(w, err));
    TML_TRY(select_modes(w, err));
    TML_TRY(attach(w, err));
    TML_NEW(&b->arena, b->w2, (size_t)(b->n_modes + b->n_extra) + 1);
    memcpy(b->w2, w->w2, (size_t)b->n_modes * sizeof *b->w2);
    TML_TRY(turn_extra(w, err));
    return gather_vectors(w, err);
}

TmlStatus tml_basis_create(const TmlTied *t, const TmlReduction *how, TmlBasis *out, TmlError *err)
{
    *out = (TmlBasis){.t = t, .method = how->method};
    Work w = {.t = t, .how = how, .b = out};
    const TmlStatus status = build(&w, err);
    tml_held_free(&w.held);
    if (status != TML_OK) {
        tml_basis_free(out);
    }
    return status;
}

void tml_basis_free(TmlBasis *b)
{
    tml_arena_free(&b->arena);
    *b = (TmlBasis){0};
}
