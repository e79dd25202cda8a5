/* reduce/moments.c - the moments of mass of a part and its modes, see the header. */
#include "reduce/moments.h"

#include "math/dense.h"
#include "math/vec3.h"

#include <string.h>

/* Blocks of a mass matrix that differ from a number times the unit matrix by less than this part of
 * the largest entry do so by rounding of the assembly. */
static const double scalar_within = 1e-13;

/* A rest below this part of the inertia is rounding of sums over the mesh. */
static const double rest_within = 1e-10;

typedef struct Moments {
    const TmlModes *modes;
    const TmlMassPoints *points;
    TmlArena scratch;
    TmlPart *part;
    int samples; /* nodes or points */
    double *F;   /* samples x 3 (m + 1) */
    double *SF;  /* the same: S F */
    double *G;   /* 3 (m + 1) square */
} Moments;

/* --- scalar mass of nodes ----------------------------------------------------------------------- */

/* Node and direction of each freedom. */
static TmlStatus owners(const TmlFeMatrices *fe, TmlArena *arena, int **node, TmlError *err)
{
    TML_NEW(arena, *node, fe->n + 1);
    for (int k = 0; k < fe->n_nodes; ++k) {
        for (int i = fe->first[k]; i < fe->first[k + 1]; ++i) {
            (*node)[i] = k;
        }
    }
    return TML_OK;
}

/* S F by the entries of M: a third of each diagonal entry of a block counts for all directions. */
static TmlStatus mul_scalar_mass(Moments *w, TmlError *err)
{
    const TmlFeMatrices *fe = w->modes->t->fe;
    const TmlCsc *M = &fe->M;
    const size_t n = (size_t)fe->n_nodes, columns = 3 * (size_t)(w->modes->m + 1);
    int *node;
    TML_TRY(owners(fe, &w->scratch, &node, err));
    for (int j = 0; j < M->cols; ++j) {
        const int l = node[j], b = j - fe->first[l];
        for (int p = M->start[j]; p < M->start[j + 1] && b < 3; ++p) {
            const int i = M->row[p], k = node[i];
            if (i - fe->first[k] != b) {
                continue;
            }
            const double s = M->x[p] / 3.0;
            for (size_t c = 0; c < columns; ++c) {
                w->SF[c * n + (size_t)k] += s * w->F[c * n + (size_t)l];
                if (i != j) {
                    w->SF[c * n + (size_t)l] += s * w->F[c * n + (size_t)k];
                }
            }
        }
    }
    return TML_OK;
}

/* Whether M is S times the unit matrix: no rotations, blocks that are a number times it. */
static TmlStatus is_scalar(Moments *w, bool *out, TmlError *err)
{
    const TmlFeMatrices *fe = w->modes->t->fe;
    const TmlCsc *M = &fe->M;
    double largest = 0.0, off = 0.0;
    int *node;
    TML_TRY(owners(fe, &w->scratch, &node, err));
    for (int j = 0; j < M->cols; ++j) {
        const int l = node[j], b = j - fe->first[l];
        for (int p = M->start[j]; p < M->start[j + 1]; ++p) {
            const int k = node[M->row[p]], a = M->row[p] - fe->first[k];
            const int same = tml_csc_find(M, fe->first[k], fe->first[l]);
            const double s = a == b && same >= 0 ? M->x[same] : 0.0;
            largest = fmax(largest, fabs(M->x[p]));
            off = fmax(off, a > 2 || b > 2 ? fabs(M->x[p]) : fabs(M->x[p] - s));
        }
    }
    *out = off <= scalar_within * largest;
    return TML_OK;
}

/* --- samples ------------------------------------------------------------------------------------ */

static void sample_nodes(Moments *w, const double *u, int field)
{
    const TmlFeMatrices *fe = w->modes->t->fe;
    for (int k = 0; k < fe->n_nodes; ++k) {
        const bool there = fe->first[k + 1] > fe->first[k];
        for (int a = 0; a < 3; ++a) {
            w->F[(size_t)(3 * field + a) * (size_t)fe->n_nodes + (size_t)k] =
                there ? u[fe->first[k] + a] : 0.0;
        }
    }
}

static void sample_points(Moments *w, const double *u, double *at, int field)
{
    const size_t n = (size_t)w->samples;
    memset(at, 0, 3 * n * sizeof *at);
    tml_csc_mul(&w->points->N, u, at);
    for (size_t k = 0; k < n; ++k) {
        for (size_t a = 0; a < 3; ++a) {
            w->F[(3 * (size_t)field + a) * n + k] = at[3 * k + a];
        }
    }
}

static TmlStatus sample(Moments *w, TmlError *err)
{
    const TmlTied *t = w->modes->t;
    const TmlVec3 *x = w->points != NULL ? w->points->x : t->fe->x;
    const size_t n = (size_t)w->samples;
    double *u, *at;
    TML_NEW(&w->scratch, u, t->fe->n);
    TML_NEW(&w->scratch, at, 3 * n);
    for (size_t k = 0; k < n; ++k) {
        const TmlVec3 r = v3_sub(x[k], w->part->origin);
        w->F[k] = r.x;
        w->F[n + k] = r.y;
        w->F[2 * n + k] = r.z;
    }
    for (int j = 0; j < w->modes->m; ++j) {
        tml_tied_expand(t, w->modes->V + (size_t)j * (size_t)t->n, u);
        if (w->points != NULL) {
            sample_points(w, u, at, j + 1);
        } else {
            sample_nodes(w, u, j + 1);
        }
    }
    return TML_OK;
}

/* (MM1) */
static TmlStatus second_moments(Moments *w, TmlError *err)
{
    const int m = w->modes->m, c = 3 * (m + 1);
    const size_t n = (size_t)w->samples;
    TML_NEW(&w->scratch, w->F, n * (size_t)c);
    TML_NEW(&w->scratch, w->SF, n * (size_t)c);
    TML_NEW(&w->scratch, w->G, (size_t)c * (size_t)c);
    TML_TRY(sample(w, err));
    if (w->points == NULL) {
        TML_TRY(mul_scalar_mass(w, err));
    }
    for (size_t i = 0; i < n * (size_t)c && w->points != NULL; ++i) {
        w->SF[i] = w->points->mass[i % n] * w->F[i];
    }
    tml_dense_mul(true, false, c, c, w->samples, 1.0, w->F, w->SF, 0.0, w->G);
    return TML_OK;
}

/* --- the part ----------------------------------------------------------------------------------- */

static double entry(const Moments *w, int i, int a, int j, int b)
{
    const size_t c = 3 * (size_t)(w->modes->m + 1);
    const size_t row = 3 * (size_t)i + (size_t)a, col = 3 * (size_t)j + (size_t)b;
    return 0.5 * (w->G[col * c + row] + w->G[row * c + col]);
}

static void put_second(const Moments *w, double *G)
{
    const int m1 = w->modes->m + 1;
    for (int i = 0; i < m1; ++i) {
        for (int j = 0; j < m1; ++j) {
            for (int a = 0; a < 9; ++a) {
                G[9 * ((size_t)i * (size_t)m1 + (size_t)j) + (size_t)a] =
                    entry(w, i, a / 3, j, a % 3);
            }
        }
    }
}

/* int rho f_0 x f_j from G_0j */
static TmlVec3 vee(const double *G)
{
    return v3(G[5] - G[7], G[6] - G[2], G[1] - G[3]);
}

static void put_vec(double *to, TmlVec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* Momenta of mode j by the matrix: P_j, and C_j about the part's origin. */
static void mode_momenta(const Moments *w, int j, TmlVec3 *P, TmlVec3 *C)
{
    const TmlTied *t = w->modes->t;
    const size_t n = (size_t)t->n;
    double s[6];
    tml_dense_mul(true, false, 6, 1, t->n, 1.0, t->MR, w->modes->V + (size_t)j * n, 0.0, s);
    *P = v3(s[0], s[1], s[2]);
    *C = v3_add(v3(s[3], s[4], s[5]), v3_cross(v3_sub(t->centre, w->part->origin), *P));
}

/* Points that make up the whole matrix leave a rest of rounding, which is none. */
static bool is_rounding(const Moments *w, const double *J, const double *C, const double *M)
{
    const TmlTied *t = w->modes->t;
    const size_t m = (size_t)w->modes->m;
    const double inertia = t->inertia[21] + t->inertia[28] + t->inertia[35];
    double off = 0.0;
    for (size_t k = 0; k < 9; ++k) {
        off = fmax(off, fabs(J[k]) / inertia);
    }
    for (size_t k = 0; k < 3 * m; ++k) {
        off = fmax(off, fabs(C[k]) / sqrt(inertia));
    }
    for (size_t k = 0; k < m * m; ++k) {
        off = fmax(off, fabs(M[k]));
    }
    return off < rest_within;
}

/* (MM2) */
static TmlStatus put_rest(const Moments *w, const double *G, TmlArena *arena, TmlError *err)
{
    const TmlTied *t = w->modes->t;
    const int m = w->modes->m;
    double *J, *C, *M;
    TML_NEW(arena, J, 9);
    TML_NEW(arena, C, 3 * (size_t)m + 1);
    TML_NEW(arena, M, (size_t)m * (size_t)m + 1);
    const TmlVec3 d = v3_sub(t->centre, w->part->origin);
    const TmlMat33 dd = m3_skew_skew(d, d);
    const double shift[9] = {dd.cx.x, dd.cx.y, dd.cx.z, dd.cy.x, dd.cy.y,
                             dd.cy.z, dd.cz.x, dd.cz.y, dd.cz.z};
    const double trace = G[0] + G[4] + G[8];
    for (int a = 0; a < 9; ++a) {
        J[a] = t->inertia[6 * (3 + a / 3) + 3 + a % 3] - t->mass * shift[a] -
               ((a % 4 == 0 ? trace : 0.0) - G[a]);
    }
    for (int j = 0; j < m; ++j) {
        TmlVec3 P, at;
        mode_momenta(w, j, &P, &at);
        put_vec(C + 3 * (size_t)j, v3_sub(at, vee(G + 9 * (size_t)(j + 1))));
        for (int i = 0; i < m; ++i) {
            const double *Gij = G + 9 * ((size_t)(i + 1) * (size_t)(m + 1) + (size_t)(j + 1));
            M[(size_t)i * (size_t)m + (size_t)j] = (i == j) - (Gij[0] + Gij[4] + Gij[8]);
        }
    }
    if (w->points == NULL || !is_rounding(w, J, C, M)) {
        w->part->rest_J = J;
        w->part->rest_C = C;
        w->part->rest_M = M;
    }
    return TML_OK;
}

static TmlStatus fill(Moments *w, TmlArena *arena, TmlError *err)
{
    const TmlTied *t = w->modes->t;
    const int m = w->modes->m;
    double *P, *G;
    bool scalar = false;
    TML_NEW(arena, P, 3 * (size_t)(m + 1));
    TML_NEW(arena, G, 9 * (size_t)(m + 1) * (size_t)(m + 1));
    TML_TRY(second_moments(w, err));
    put_second(w, G);
    w->part->mass = t->mass;
    put_vec(P, v3_scale(t->mass, v3_sub(t->centre, w->part->origin)));
    for (int j = 0; j < m; ++j) {
        TmlVec3 Pj, Cj;
        mode_momenta(w, j, &Pj, &Cj);
        put_vec(P + 3 * (size_t)(j + 1), Pj);
    }
    w->part->P = P;
    w->part->G = G;
    TML_TRY(is_scalar(w, &scalar, err));
    return scalar && w->points == NULL ? TML_OK : put_rest(w, G, arena, err);
}

TmlStatus tml_part_moments(const TmlModes *modes, const TmlMassPoints *points, TmlArena *arena,
                           TmlPart *part, TmlError *err)
{
    Moments w = {.modes = modes, .points = points, .part = part};
    w.samples = points != NULL ? points->n : modes->t->fe->n_nodes;
    const TmlStatus status = fill(&w, arena, err);
    tml_arena_free(&w.scratch);
    return status;
}
