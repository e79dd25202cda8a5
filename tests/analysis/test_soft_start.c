/* tests/analysis/test_soft_start.c - first steps that are longer than the waves of a fine mesh. */
#include "analysis/study.h"

#include "analysis/integrator/soft_start.h"

/* A rope of 1 m hung from a pin and let go: the acceleration jumps at the pin. */
static TmlModel *rope(TestCtx *t, int elements)
{
    char text[512];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, -9.81, 0]\n"
             "flexible:\n"
             "  rope: {type: cable, line: [[0, 0, 0], [0, -1, 0]], elements: %d,\n"
             "         material: {E: 2e7, density: 1000}, section: {radius: 5e-3},\n"
             "         angular_velocity: [0, 0, 1], start: {pin: ground}}\n"
             "outputs: {x: DX(rope.end), y: DY(rope.end)}\n",
             elements);
    return study_model(t, text);
}

/* Iterations do not grow with the mesh. In 10 steps a wave (141 m/s) goes the length of the rope
 * once; it is a step in the strain at any number of elements, so that the same corrections are to
 * be made. One more in five steps is allowed for corrections that are close to the limit. */
TEST(fine_meshes_take_as_many_iterations_as_coarse_ones)
{
    static const char *const method[] = {"hht", "generalized-alpha", "tlismni-hht"};
    for (int k = 0; k < 3; ++k) {
        int64_t count[2] = {0};
        t->name = method[k];
        for (int fine = 0; fine < 2; ++fine) {
            Trace run;
            TmlModel *model = rope(t, fine ? 1024 : 8);
            TmlSimOptions o = study_options(0.01, 0.01, NULL);
            o.integrator = method[k];
            o.tolerance = 1e-4;
            o.step = 1e-3;
            study_run(t, model, &o, &run);
            count[fine] = run.stats.iterations;
            trace_free(&run);
            tml_model_free(model);
        }
        CHECK(t, count[1] <= count[0] + 2);
    }
}

/* The change is of the second order in the step: halved steps have a quarter of the error. The
 * slowest of what the steps resolve less well still counts, hence a third. */
TEST(the_start_keeps_the_order)
{
    static const char *const method[] = {"hht", "generalized-alpha", "tlismni-hht"};
    TmlModel *model = study_model(t, "models/flexible/pendulum.yaml");
    Trace want;
    TmlSimOptions o = study_options(0.1, 0.01, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-9;
    study_run(t, model, &o, &want);
    for (int k = 0; k < 3; ++k) {
        double error[2];
        t->name = method[k];
        for (int fine = 0; fine < 2; ++fine) {
            Trace run;
            o.integrator = method[k];
            o.tolerance = 1e-6;
            o.step = fine ? 1e-4 : 2e-4;
            study_run(t, model, &o, &run);
            error[fine] = trace_error(&run, &want, CHANNEL);
            trace_free(&run);
        }
        CHECK(t, 3.0 * error[1] <= error[0]);
    }
    trace_free(&want);
    tml_model_free(model);
}

static double size(int n, const double *x)
{
    double big = 0.0;
    for (int k = 0; k < n; ++k) {
        big = fmax(big, fabs(x[k]));
    }
    return big;
}

/* Accelerations fit the constraints after softening as before; and a long step has something to
 * soften, a short one has not. */
TEST(softened_accelerations_fit_the_constraints)
{
    TmlModel *model = study_model(t, "models/flexible/four_bar.yaml");
    const TmlSimOptions o = study_options(0.1, 0.01, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlState *s = &sim->it.now, *kept = &sim->it.next;
    TmlError err = {0};
    double *r = calloc((size_t)dim->n + 2 * (size_t)dim->nq, sizeof *r);
    double *du = r + dim->n, *dq = du + dim->nq, change[2];
    CHECK_OK(t, tml_system_accelerations(sys, s, &err), &err);
    tml_state_copy(sys, s, kept);
    for (int k = 0; k < 2; ++k) {
        const double h = k == 0 ? 1e-2 : 1e-8;
        tml_state_copy(sys, kept, s);
        CHECK(t, tml_soft_start(sys, s, (TmlSoftStep){0.25 * h * h, 0.5 * h, 0.5 * h}, r, du, dq));
        change[k] = size(dim->nq, dq) / size(dim->nq, kept->a);
        tml_system_residual(sys, s, TML_LEVEL_ACCELERATION, r);
        // rounding of a solution whose stiff forces are 1e8 times the rest
        CHECK_NEAR(t, size(dim->m, r + dim->nu) / size(dim->nq, s->a), 0.0, 1e-7);
    }
    CHECK(t, change[0] > 0.1);
    CHECK(t, change[1] < 1e-3);
    free(r);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(soft_start) = {CASE(fine_meshes_take_as_many_iterations_as_coarse_ones),
                          CASE(the_start_keeps_the_order),
                          CASE(softened_accelerations_fit_the_constraints),
                          {0}};
