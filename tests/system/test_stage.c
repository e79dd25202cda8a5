/* tests/system/test_stage.c - the stage matrix of whole models against differences. */
#include "every_model.h"
#include "stage_probe.h"
#include "system/system_internal.h"

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
    memcpy(p->want, p->got, (size_t)sys->dim.n * sizeof *p->want);
    memset(p->e, 0, (size_t)sys->dim.n * sizeof *p->e);
    for (int i = 0; i < 5; ++i) {
        p->c = part[i].c;
        p->c_x = part[i].c_x;
        probe_product(p);
        for (int k = 0; k < sys->dim.n; ++k) {
            p->e[k] += part[i].weight * p->got[k];
            size = fmax(size, fabs(p->got[k]));
        }
    }
    for (int k = 0; k < sys->dim.n; ++k) {
        CHECK_NEAR(t, p->e[k], p->want[k], 1e-14 * size); // rounding of sums of some tens of terms
    }
    p->c = c;
    p->c_x = c_x;
}

TEST(stage_matrix_of_every_model_matches_differences)
{
    ProbeKind stage = stage_kind;
    stage.extra = check_linear;
    // third derivatives of profiles are a difference in `rail_contact`, within a hundredth (tests/wheel/test_rail_contact.c)
    stage.without = "hunting_constraint.yaml";
    probe_every_model(t, &stage);
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/models/algebraic.yaml", test_source_dir());
    probe_model(t, path, &stage);
}

TEST_SUITE(stage) = {CASE(stage_matrix_of_every_model_matches_differences), {0}};
