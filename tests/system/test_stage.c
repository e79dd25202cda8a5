/* tests/system/test_stage.c - the stage matrix of whole models against differences.
 *
 * The states of tests/system/matrix_probe.h get p . p' = 0 and second rates that keep the norms.
 * All bodies are moved on their charts (translations and rotation vectors x from the present
 * position, with rates x' and x''), so that dx = c_q z, dx' = c_v z, dx'' = c_a z; the residual is
 * that at acceleration level.
 */
#include "matrix_probe.h"

#include "math/rotation.h"

/* Rates and second rates on the charts: p->first, p->second. */
static void chart_rates(TestCtx *t, Probe *p)
{
    for (int k = 0; k < p->sys->nu; ++k) {
        p->first[k] = test_random(t, -2, 2);
        p->second[k] = test_random(t, -2, 2);
    }
}

/* q, q', q'' of the moved state at x, x1, x2 on the chart of one body. */
static void body_state(Probe *p, int b, const double *x, const double *x1, const double *x2)
{
    const TmlBodyType *type = p->sys->model->bodies.at[b].type;
    const int q0 = p->sys->q0[b];
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

static void chart_move(Probe *p, double eps)
{
    const TmlSystem *sys = p->sys;
    for (int b = 1; b < sys->nb; ++b) {
        double x[TML_BODY_MAX_NU], x1[TML_BODY_MAX_NU], x2[TML_BODY_MAX_NU];
        const int u0 = sys->u0[b], nu = sys->u0[b + 1] - u0;
        for (int k = 0; k < nu; ++k) {
            const double z = p->z[u0 + k];
            x[k] = eps * p->c.q * z;
            x1[k] = p->first[u0 + k] + eps * p->c.v * z;
            x2[k] = p->second[u0 + k] + eps * p->c.a * z;
        }
        body_state(p, b, x, x1, x2);
    }
}

static void stage_residual(Probe *p)
{
    tml_system_residual(p->sys, &p->moved, TML_LEVEL_ACCELERATION, p->e);
}

static const TmlCsc *stage_matrix(Probe *p)
{
    tml_system_stage_jacobian(p->sys, &p->moved, p->c, p->c_x);
    return &p->sys->matrix[TML_MATRIX_STAGE].K;
}

/* K is linear in its four coefficients: methods combine kept values. */
static void check_linear(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    const TmlCoeffs c = p->c;
    const double c_x = p->c_x;
    const struct {
        TmlCoeffs c;
        double c_x, weight;
    } part[5] = {{{.a = 1}, 0, c.a},
                 {{.v = 1}, 0, c.v},
                 {{.q = 1}, 0, c.q},
                 {{.a = 0}, 1, c_x},
                 {{.a = 0}, 0, 1 - c.a - c.v - c.q - c_x}}; // what depends on none counts once
    double size = 1.0;
    probe_product(p);
    memcpy(p->want, p->got, (size_t)sys->n * sizeof *p->want);
    memset(p->e, 0, (size_t)sys->n * sizeof *p->e);
    for (int i = 0; i < 5; ++i) {
        p->c = part[i].c;
        p->c_x = part[i].c_x;
        probe_product(p);
        for (int k = 0; k < sys->n; ++k) {
            p->e[k] += part[i].weight * p->got[k];
            size = fmax(size, fabs(p->got[k]));
        }
    }
    for (int k = 0; k < sys->n; ++k) {
        CHECK_NEAR(t, p->e[k], p->want[k], 1e-14 * size); // rounding of sums of some tens of terms
    }
    p->c = c;
    p->c_x = c_x;
}

TEST(stage_matrix_of_every_model_matches_differences)
{
    static const ProbeKind stage = {
        .c = {.a = 1.0, .v = 0.3, .q = 0.2},
        .c_x = 0.25,
        .build = tml_system_build_stage,
        .random_rates = chart_rates,
        .move = chart_move,
        .residual = stage_residual,
        .matrix = stage_matrix,
        .extra = check_linear,
    };
    probe_every_model(t, &stage);
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/models/algebraic.yaml", test_source_dir());
    probe_model(t, path, &stage);
}

TEST_SUITE(stage) = {CASE(stage_matrix_of_every_model_matches_differences), {0}};
