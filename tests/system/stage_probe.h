/* tests/system/stage_probe.h - the stage matrix.
 *
 * The states of tests/system/matrix_probe.h get p . p' = 0 and second rates that keep the norms.
 * All bodies are moved on their charts (translations and rotation vectors x from the present
 * position, with rates x' and x''), so that dx = c_q z, dx' = c_v z, dx'' = c_a z; the residual is
 * that at acceleration level.
 */
#pragma once

#include "matrix_probe.h"

#include "math/rotation.h"
#include "system/system_internal.h"

/* Rates and second rates on the charts: p->first, p->second. */
static inline void chart_rates(TestCtx *t, Probe *p)
{
    for (int k = 0; k < p->sys->dim.nu; ++k) {
        p->first[k] = test_random(t, -2, 2);
        p->second[k] = test_random(t, -2, 2);
    }
}

/* q, q', q'' of the moved state at x, x1, x2 on the chart of one body. */
static inline void body_state(Probe *p, int b, const double *x, const double *x1, const double *x2)
{
    const TmlBodyType *type = p->sys->model->bodies.at[b].type;
    const int q0 = p->sys->dim.span[b].q0;
    double udot[TML_BODY_MAX_NU];
    memcpy(udot, x2, (size_t)type->nu * sizeof *udot);
    if (type->nu == 6) { // alpha = D theta'' + D' theta'
        const TmlVec3 theta = v3(x[3], x[4], x[5]), theta1 = v3(x1[3], x1[4], x1[5]);
        const TmlVec3 alpha =
            v3_add(rotation_rate(theta, v3(x2[3], x2[4], x2[5])), rotation_bias(theta, theta1));
        udot[3] = alpha.x;
        udot[4] = alpha.y;
        udot[5] = alpha.z;
    }
    type->chart_state(p->s.q + q0, x, x1, p->moved.q + q0, p->moved.v + q0);
    type->acceleration(p->moved.q + q0, p->moved.v + q0, udot, p->moved.a + q0);
}

static inline void chart_move(Probe *p, double eps)
{
    const TmlSystem *sys = p->sys;
    for (int b = 1; b < sys->dim.nb; ++b) {
        double x[TML_BODY_MAX_NU], x1[TML_BODY_MAX_NU], x2[TML_BODY_MAX_NU];
        const int u0 = sys->dim.span[b].u0, nu = sys->dim.span[b + 1].u0 - u0;
        for (int k = 0; k < nu; ++k) {
            const double z = p->z[u0 + k];
            x[k] = eps * p->c.q * z;
            x1[k] = p->first[u0 + k] + eps * p->c.v * z;
            x2[k] = p->second[u0 + k] + eps * p->c.a * z;
        }
        body_state(p, b, x, x1, x2);
    }
}

static inline void stage_residual(Probe *p)
{
    tml_system_residual(p->sys, &p->moved, TML_LEVEL_ACCELERATION, p->e);
}

static inline const TmlCsc *stage_matrix(Probe *p)
{
    tml_system_stage_jacobian(p->sys, &p->moved, p->c, p->c_x);
    return &p->sys->matrix[TML_MATRIX_STAGE].K;
}

static const ProbeKind stage_kind = {
    .c = {.a = 1.0, .v = 0.3, .q = 0.2},
    .c_x = 0.25,
    .build = tml_system_build_stage,
    .random_rates = chart_rates,
    .move = chart_move,
    .residual = stage_residual,
    .matrix = stage_matrix,
};
