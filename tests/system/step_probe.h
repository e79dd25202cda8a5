/* tests/system/step_probe.h - the Newton matrix: states are moved as a step of an integrator moves
 * them.
 */
#pragma once

#include "matrix_probe.h"
#include "system/system_internal.h"

static inline void step_rates(TestCtx *t, Probe *p)
{
    for (int k = 0; k < p->sys->dim.nq; ++k) {
        p->s.v[k] += test_random(t, -1, 1);
        p->s.a[k] = test_random(t, -1, 1);
    }
}

static inline void step_move(Probe *p, double eps)
{
    double *dq = p->first;
    tml_system_expand(p->sys, p->s.q, p->z, dq);
    for (int k = 0; k < p->sys->dim.nq; ++k) {
        p->moved.a[k] += eps * p->c.a * dq[k];
        p->moved.v[k] += eps * p->c.v * dq[k];
        p->moved.q[k] += eps * p->c.q * dq[k];
    }
}

/* The rows of constraints are scaled as the matrix has them. */
static inline void step_residual(Probe *p)
{
    TmlSystem *sys = p->sys;
    tml_system_residual(sys, &p->moved, TML_LEVEL_POSITION, p->e);
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
            const int row = sys->row_unknown[sys->constraint[c].row0 + k];
            if (row >= 0) {
                p->e[sys->dim.nu + row] /= (sys->pfaffian[c] >> k & 1u) != 0 ? p->c.v : p->c.q;
            }
        }
    }
}

static inline const TmlCsc *step_matrix(Probe *p)
{
    tml_system_jacobian(p->sys, &p->s, p->c, p->c_x);
    return &p->sys->matrix[TML_MATRIX_STEP].K;
}

static const ProbeKind step_kind = {
    .c = {.a = 1.0, .v = 0.3, .q = 0.2},
    .c_x = 0.25,
    .random_rates = step_rates,
    .move = step_move,
    .residual = step_residual,
    .matrix = step_matrix,
};
