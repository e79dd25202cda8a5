/* tests/analysis/test_violations.c - constraints hold at all three levels, at every accepted step
 * of runs over many periods, for the methods that promise it (`trammel-bench violations` takes
 * longer ones).
 */
#include "study.h"

/* All of the registry but those that hold constraints at some of the levels only. */
static bool promises(const char *method)
{
    static const char *const others[] = {"hht", "generalized-alpha", "bdf-i3", "bdf-si2"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k) {
        if (strcmp(method, others[k]) == 0) {
            return false;
        }
    }
    return true;
}

/* Twenty periods each: of a swing, of 2 pi sqrt(L/g), of a turn, of a circle. */
static const struct {
    const char *file;
    double end;
} models[] = {
    {"models/closed_forms/pendulum.yaml", 58.0},     {"models/studies/four_bar.yaml", 32.0},
    {"models/cases/iftomm_a04_bricard.yaml", 40.0},  {"models/cases/heavy_top.yaml", 0.84},
    {"models/closed_forms/rolling_disc.yaml", 74.0},
};

enum { N_MODELS = sizeof models / sizeof models[0] };

static void check_run(TestCtx *t, const TmlModel *model, const char *method, double end)
{
    TmlSimOptions o = study_options(end, end, NULL);
    TmlError err = {0};
    double worst[3] = {0}, v[3];
    o.integrator = method;
    // loose: long steps leave the constraints farther before they are put back
    o.tolerance = 1e-4;
    TmlSim *sim = study_sim(t, model, &o);
    TmlStatus status = sim != NULL ? TML_OK : TML_E_ARGUMENT;
    while (status == TML_OK && tml_sim_time(sim) < end * (1.0 - 1e-12)) {
        status = tml_sim_step(sim, &err);
        CHECK_OK(t, status, &err);
        tml_system_violation(sim->sys, &sim->it.now, v);
        for (int k = 0; k < 3; ++k) {
            worst[k] = fmax(worst[k], v[k]);
        }
    }
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(t, worst[k], 0.0, 1e-10); // the promise; rounding is far below
    }
    if (study_verbose()) {
        printf("%-60s %.1e %.1e %.1e\n", t->name, worst[0], worst[1], worst[2]);
    }
    tml_sim_free(sim);
}

TEST(constraints_hold_at_every_step_of_long_runs)
{
    for (int n = 0; n < N_MODELS; ++n) {
        TmlModel *model = study_model(t, models[n].file);
        for (int k = 0; tml_integrator_name(k) != NULL && model != NULL; ++k) {
            char name[96];
            snprintf(name, sizeof name, "%s, %s", models[n].file, tml_integrator_name(k));
            t->name = name;
            if (promises(tml_integrator_name(k))) {
                check_run(t, model, tml_integrator_name(k), models[n].end);
            }
        }
        tml_model_free(model);
    }
    t->name = NULL;
}

/* What a run reports is what its steps have: here every step has a row beside it. */
TEST(runs_report_their_violations)
{
    TmlModel *model = study_model(t, "models/studies/four_bar.yaml");
    TmlSimOptions o = study_options(0.1, 1e-4, NULL);
    TmlError err = {0};
    double worst[3] = {0}, v[3];
    o.integrator = "bdf-i3"; // does not hold velocities and accelerations
    o.tolerance = 1e-4;
    TmlSim *sim = study_sim(t, model, &o);
    while (sim != NULL && tml_sim_time(sim) < 0.1 - 1e-12) {
        const TmlStatus status = tml_sim_step(sim, &err);
        CHECK_OK(t, status, &err);
        if (status != TML_OK) {
            break;
        }
        tml_system_violation(sim->sys, &sim->it.now, v);
        for (int k = 0; k < 3; ++k) {
            worst[k] = fmax(worst[k], v[k]);
        }
    }
    tml_sim_free(sim);
    Trace run;
    study_run(t, model, &o, &run);
    CHECK(t, worst[1] > 1e-8 && worst[2] > 1e-8); // there is something to report
    // the start is counted too; it is on the constraints
    CHECK_NEAR(t, run.stats.max_phi, worst[0], 0.0);
    CHECK_NEAR(t, run.stats.max_phi_dot, worst[1], 0.0);
    CHECK_NEAR(t, run.stats.max_phi_ddot, worst[2], 0.0);
    trace_free(&run);
    tml_model_free(model);
}

TEST_SUITE(violations) = {
    CASE(constraints_hold_at_every_step_of_long_runs), CASE(runs_report_their_violations), {0}};
