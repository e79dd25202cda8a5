/* tests/system/matrix_probe.h - matrices of whole models against differences of residuals.
 *
 * A model is taken at random states. The product of its matrix with a random direction must equal
 * the difference of the residual along that direction. What differs between the matrices is in a
 * ProbeKind.
 */
#pragma once

#include "test.h"

#include "base/arena.h"
#include "system/system_internal.h"
#include "trammel/io.h"

#include <stdlib.h>

typedef struct Probe Probe;

typedef struct ProbeKind {
    TmlCoeffs c;
    double c_x;
    TmlStatus (*build)(TmlSystem *sys, TmlError *err); /* NULL: nothing beyond the pattern */
    void (*random_rates)(TestCtx *t, Probe *p);        /* of p->s, whose positions are set */
    void (*move)(Probe *p, double eps);                /* q, v, a of p->moved along p->z */
    void (*residual)(Probe *p);                        /* p->e at p->moved */
    const TmlCsc *(*matrix)(Probe *p);   /* at p->s, where the residual was evaluated last */
    void (*extra)(TestCtx *t, Probe *p); /* a check of its own; NULL: none */
    const char *without;                 /* a model whose matrix is an approximation; NULL: none */
} ProbeKind;

struct Probe {
    const ProbeKind *kind;
    TmlSystem *sys;
    TmlState s, moved;
    TmlCoeffs c;
    double c_x;
    double *z, *e, *want, *got; /* n each; z: direction */
    double *first, *second;     /* nq each: workspace of the kind */
};

/* Distance of nodes: states must not turn elements inside out. */
static inline double probe_element(const TmlSystem *sys)
{
    double size = sys->dim.length;
    for (int k = 0; k < sys->model->meshes.n; ++k) {
        size = fmin(size, sys->dim.length / sys->model->meshes.at[k].n_x);
    }
    return size;
}

static inline void probe_random_state(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    tml_system_initial(sys, &p->s);
    for (int b = 0; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const double near = type->lengths == 0 ? 0.05 : 0.1 * probe_element(sys);
        for (int k = sys->dim.span[b].q0; k < sys->dim.span[b + 1].q0; ++k) {
            const double far = 0.3 * (k % 7 < 3 ? sys->dim.length : 1.0);
            p->s.q[k] += test_random(t, -1, 1) * (type->hidden ? near : far);
        }
    }
    p->kind->random_rates(t, p);
    tml_system_retract(sys, p->s.q);
    for (int k = 3 * sys->dim.nq; k < sys->dim.size; ++k) {
        p->s.data[k] += test_random(t, -1, 1);
    }
    p->s.t = test_random(t, 0.01, 0.02);
    for (int row = 0; row < sys->dim.m_all; ++row) {
        p->s.lambda[row] = sys->row_unknown[row] >= 0 ? p->s.lambda[row] : 0.0;
    }
    for (int k = 0; k < sys->dim.n; ++k) {
        p->z[k] = test_random(t, -1, 1);
    }
}

/* p->e = residual at p->s moved by eps along p->z. */
static inline void probe_residual(Probe *p, double eps)
{
    const TmlSystem *sys = p->sys;
    const double *z = p->z;
    tml_state_copy(sys, &p->s, &p->moved);
    p->kind->move(p, eps);
    for (int row = 0; row < sys->dim.m_all; ++row) {
        if (sys->row_unknown[row] >= 0) {
            p->moved.lambda[row] += eps * z[sys->dim.nu + sys->row_unknown[row]];
        }
    }
    z += sys->dim.nu + sys->dim.m;
    for (int k = 0; k < sys->dim.nx; ++k) {
        p->moved.Xd[k] += eps * z[k];
        p->moved.X[k] += eps * p->c_x * z[k];
    }
    z += sys->dim.nx;
    for (int k = 0; k < sys->dim.nv + sys->dim.nf; ++k) {
        p->moved.V[k] += eps * z[k];
    }
    p->kind->residual(p);
}

/* p->want = derivative of the residual by differences of fourth order; returns its scale. Leaves
 * the kinematics of the state itself. */
static inline double probe_differences(Probe *p)
{
    // truncation h^4 times fifth derivatives, rounding 1e-16 / h
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    static const double place[4] = {-2, -1, 1, 2};
    const double h = 5e-5;
    double size = 1.0;
    memset(p->want, 0, (size_t)p->sys->dim.n * sizeof *p->want);
    for (int i = 0; i < 4; ++i) {
        probe_residual(p, place[i] * h);
        for (int k = 0; k < p->sys->dim.n; ++k) {
            p->want[k] += weight[i] * p->e[k] / h;
        }
    }
    probe_residual(p, 0.0);
    for (int k = 0; k < p->sys->dim.n; ++k) {
        size = fmax(size, fabs(p->e[k]));
    }
    return size;
}

/* p->got = K z without the small diagonal of the multipliers, (J5), which is not part of the
 * derivative. */
static inline void probe_product(Probe *p)
{
    const TmlSystem *sys = p->sys;
    const TmlCsc *K = p->kind->matrix(p);
    memset(p->got, 0, (size_t)sys->dim.n * sizeof *p->got);
    tml_csc_mul(K, p->z, p->got);
    for (int k = sys->dim.nu; k < sys->dim.nu + sys->dim.m; ++k) {
        p->got[k] -= K->x[tml_csc_find(K, k, k)] * p->z[k];
    }
}

static inline void probe_check(TestCtx *t, Probe *p)
{
    const double size = probe_differences(p);
    probe_product(p);
    for (int k = 0; k < p->sys->dim.n; ++k) {
        char name[200];
        // differences of fourth order at h = 5e-5: rounding of 1e-16 / h = 2e-12 of the terms of a
        // residual, which cancel, and truncation; in the models a seventh of this was measured
        const double tol = 1e-7 * fabs(p->want[k]) + 1e-9 * size;
        if (!(fabs(p->got[k] - p->want[k]) <= tol)) {
            tml_system_unknown_name(p->sys, k, name, sizeof name);
            printf("row %d, %s\n", k, name);
        }
        CHECK_NEAR(t, p->got[k], p->want[k], tol);
    }
}

static inline double *probe_vector(TmlSystem *sys, int n)
{
    return tml_arena_alloc(&sys->arena, (size_t)n, sizeof(double));
}

/* A system of the model with its matrices, and room for the probe; probe_close frees it. */
static inline Probe probe_open(TestCtx *t, TmlModel *model, const ProbeKind *kind)
{
    TmlError err;
    Probe p = {.kind = kind, .c = kind->c, .c_x = kind->c_x};
    CHECK_OK(t, tml_system_create(model, 1, &p.sys, &err), &err);
    TmlSystem *sys = p.sys;
    CHECK_OK(t, tml_closure_create(sys, &err), &err);
    CHECK_OK(t, tml_system_build_pattern(sys, &err), &err);
    CHECK_OK(t, kind->build != NULL ? kind->build(sys, &err) : TML_OK, &err);
    CHECK_OK(t, tml_state_create(sys, &p.s, &err), &err);
    CHECK_OK(t, tml_state_create(sys, &p.moved, &err), &err);
    p.z = probe_vector(sys, sys->dim.n);
    p.e = probe_vector(sys, sys->dim.n);
    p.want = probe_vector(sys, sys->dim.n);
    p.got = probe_vector(sys, sys->dim.n);
    p.first = probe_vector(sys, sys->dim.nq);
    p.second = probe_vector(sys, sys->dim.nq);
    return p;
}

static inline void probe_close(Probe *p)
{
    tml_system_free(p->sys);
}

static inline void probe_model(TestCtx *t, const char *path, const ProbeKind *kind)
{
    TmlError err;
    TmlModel *model;
    if (tml_load(path, 0, NULL, NULL, &model, &err) != TML_OK) {
        // a model may need a table that is made when it is run
        if (err.status != TML_E_IO) {
            test_fail(t, __FILE__, __LINE__, "%s", err.message);
        }
        return;
    }
    Probe p = probe_open(t, model, kind);
    // of an overhead line with a thousand elements; its kinds of elements and forces are in smaller models, too
    const int rounds = p.sys->dim.n <= 4000 ? 3 : 0;
    for (int n = 0; n < rounds; ++n) {
        probe_random_state(t, &p);
        probe_check(t, &p);
        if (kind->extra != NULL) {
            kind->extra(t, &p);
        }
    }
    probe_close(&p);
    tml_model_free(model);
}
