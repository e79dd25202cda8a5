/* tests/reduce/fe_util.h - small problems of finite elements for tests: equations and frequencies. */
#pragma once

#include "reduce/mesh/assemble.h"
#include "reduce/mesh/mass_points.h"
#include "sparse/arpack.h"
#include "sparse/lu.h"
#include "test.h"

#include <stdlib.h>

/* Both triangles of K + s M in the freedoms that are not held; number[k]: of freedom k, -1: held. */
typedef struct FeSmall {
    TmlArena arena;
    int n, *number;
    TmlCsc A, M;
    TmlLu *lu;
    double *work;
} FeSmall;

static inline bool fe_pattern(FeSmall *p, const TmlCsc *from, TmlPattern *to)
{
    bool ok = true;
    for (int j = 0; j < from->cols; ++j) {
        for (int k = from->start[j]; k < from->start[j + 1]; ++k) {
            const int r = p->number[from->row[k]], c = p->number[j];
            if (r >= 0 && c >= 0) {
                ok = ok && tml_pattern_add(to, r, c) && tml_pattern_add(to, c, r);
            }
        }
    }
    return ok;
}

static inline void fe_add(FeSmall *p, const TmlCsc *from, double s, TmlCsc *to)
{
    for (int j = 0; j < from->cols; ++j) {
        for (int k = from->start[j]; k < from->start[j + 1]; ++k) {
            const int r = p->number[from->row[k]], c = p->number[j];
            if (r >= 0 && c >= 0) {
                to->x[tml_csc_find(to, r, c)] += s * from->x[k];
                if (r != c) {
                    to->x[tml_csc_find(to, c, r)] += s * from->x[k];
                }
            }
        }
    }
}

/* held[freedoms of a]; s: shift. */
static inline void fe_small(TestCtx *t, const TmlFeMatrices *a, const bool *held, double s,
                            FeSmall *p)
{
    TmlError err = {0};
    TmlPattern pattern, mass;
    *p = (FeSmall){0};
    p->number = tml_arena_alloc(&p->arena, (size_t)a->n, sizeof *p->number);
    for (int k = 0; k < a->n; ++k) {
        p->number[k] = held != NULL && held[k] ? -1 : p->n++;
    }
    tml_pattern_init(&pattern, p->n, p->n);
    tml_pattern_init(&mass, p->n, p->n);
    CHECK(t, fe_pattern(p, &a->K, &pattern) && fe_pattern(p, &a->M, &pattern) &&
                 fe_pattern(p, &a->M, &mass));
    CHECK_OK(t, tml_pattern_csc(&pattern, &p->arena, &p->A, &err), &err);
    CHECK_OK(t, tml_pattern_csc(&mass, &p->arena, &p->M, &err), &err);
    tml_pattern_free(&pattern);
    tml_pattern_free(&mass);
    fe_add(p, &a->K, 1.0, &p->A);
    fe_add(p, &a->M, s, &p->A);
    fe_add(p, &a->M, 1.0, &p->M);
    p->work = tml_arena_alloc(&p->arena, (size_t)p->n, sizeof *p->work);
    CHECK_OK(t, tml_lu_create(&p->A, &p->lu, &err), &err);
    CHECK_INT(t, tml_lu_factor(p->lu, &p->A), -1);
}

static inline void fe_small_free(FeSmall *p)
{
    tml_lu_free(p->lu);
    tml_arena_free(&p->arena);
}

static inline void fe_inverse(void *user, const double *x, double *y)
{
    FeSmall *p = user;
    memset(y, 0, (size_t)p->n * sizeof *y);
    tml_csc_mul(&p->M, x, y);
    tml_lu_solve(p->lu, y);
}

static inline int fe_descending(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p < q) - (p > q);
}

/* The k lowest frequencies in Hz, rigid ones (free parts: shift > 0) included as about zero. */
static inline void fe_frequencies(TestCtx *t, const TmlFeMatrices *a, const bool *held,
                                  double shift, int k, double *hertz)
{
    FeSmall p;
    TmlError err = {0};
    int found = 0;
    fe_small(t, a, held, shift, &p);
    double *start = tml_arena_alloc(&p.arena, (size_t)p.n, sizeof *start);
    double *re = tml_arena_alloc(&p.arena, (size_t)k + 1, sizeof *re);
    double *im = tml_arena_alloc(&p.arena, (size_t)k + 1, sizeof *im);
    double *vectors = tml_arena_alloc(&p.arena, (size_t)p.n * ((size_t)k + 1), sizeof *vectors);
    for (int i = 0; i < p.n; ++i) {
        start[i] = test_random(t, -1, 1);
    }
    const TmlOperator op = {.n = p.n, .user = &p, .apply = fe_inverse};
    CHECK_OK(t, tml_arpack_largest(&op, p.n, k, start, re, im, vectors, &found, &err), &err);
    qsort(re, (size_t)found, sizeof *re, fe_descending);
    for (int i = 0; i < k; ++i) {
        const double w2 = 1.0 / re[i] - shift;
        hertz[i] = sqrt(w2 > 0 ? w2 : 0) / (2 * 3.14159265358979323846);
    }
    fe_small_free(&p);
}

/* One material for all elements. */
static inline void fe_material(TmlFeMesh *mesh, double young, double poisson, double density)
{
    mesh->material = tml_arena_alloc(&mesh->arena, 1, sizeof *mesh->material);
    mesh->material[0] = (TmlFeMaterial){"steel", young, poisson, density};
    mesh->n_materials = 1;
    for (int k = 0; k < mesh->n_elements; ++k) {
        mesh->element[k].material = 0;
    }
}

/* How much the square of the angular frequency of the two lowest modes rises with that of the spin
 * about z at (0, y), whose forces stretch the part. soft: it also draws outwards what has moved, in
 * meshes of solids. */
static inline void fe_spin(TestCtx *t, const TmlFeMatrices *a, const bool *held, double y,
                           double spin, bool soft, double rise[2])
{
    TmlArena arena = {0};
    TmlError err = {0};
    TmlFeMatrices with = *a;
    FeSmall p;
    double still[2], spun[2];
    const TmlMat33 B = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}; // (tr W) x - W x, W = zz
    double *f = tml_arena_alloc(&arena, (size_t)a->n, sizeof *f);
    TmlCsc Kg;
    tml_fe_load(a, &B, (TmlVec3){0, -y, 0}, f);
    fe_small(t, a, held, 0.0, &p);
    double *x = tml_arena_alloc(&arena, (size_t)p.n, sizeof *x);
    for (int k = 0; k < a->n; ++k) {
        if (p.number[k] >= 0) {
            x[p.number[k]] = f[k];
        }
    }
    tml_lu_solve(p.lu, x);
    for (int k = 0; k < a->n; ++k) {
        f[k] = p.number[k] >= 0 ? x[p.number[k]] : 0.0;
    }
    fe_small_free(&p);
    CHECK_OK(t, tml_fe_geometric(a, f, &arena, &Kg, &err), &err);
    fe_frequencies(t, a, held, 0.0, 2, still);
    const double spin2 = spin * spin; // K + spin^2 (Kg - M of x and y) in the pattern of K
    with.K.x = tml_arena_alloc(&arena, (size_t)a->K.start[a->n], sizeof(double));
    memcpy(with.K.x, a->K.x, (size_t)a->K.start[a->n] * sizeof(double));
    for (int j = 0; j < a->n; ++j) {
        for (int k = Kg.start[j]; k < Kg.start[j + 1]; ++k) {
            with.K.x[tml_csc_find(&with.K, Kg.row[k], j)] += spin2 * Kg.x[k];
        }
        for (int k = a->M.start[j]; soft && j % 3 < 2 && k < a->M.start[j + 1]; ++k) {
            with.K.x[tml_csc_find(&with.K, a->M.row[k], j)] -= spin2 * a->M.x[k];
        }
    }
    fe_frequencies(t, &with, held, 0.0, 2, spun);
    for (int k = 0; k < 2; ++k) {
        const double pi = 3.14159265358979323846;
        rise[k] = 4 * pi * pi * (spun[k] * spun[k] - still[k] * still[k]) / spin2;
    }
    tml_arena_free(&arena);
}
