/* tests/reduce/fe_util.h - small problems of finite elements for tests: equations and frequencies. */
#pragma once

#include "reduce/assemble.h"
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
