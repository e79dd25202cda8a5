/* tests/analysis/test_inputs.c - values from outside: set between steps, from tables, in linearised models. */
#include "test.h"

#include "trammel/analysis.h"
#include "trammel/io.h"

/* A point on a line, pushed by an input: x'' = u, and by a table: y'' = w. */
static const char text[] = "trammel: 1\n"
                           "inputs:\n"
                           "  u: {value: 2, unit: N}\n"
                           "  w: {points: [[0, 0], [1, 1], [2, 0]]}\n"
                           "bodies: {ball: {type: point, mass: 1}}\n"
                           "forces: {push: {type: force, body: ball, fx: u, fy: w}}\n"
                           "outputs: {x: DX(ball), y: DY(ball), u: u, w: w}\n"
                           "simulate: {end: 2, output_step: 0.25, tolerance: 1e-7}\n";

static TmlModel *make(TestCtx *t, const char *document)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    const TmlStatus status = tml_load_text(document, "text", 0, NULL, NULL, &model, &err);
    if (status != TML_OK) {
        test_fail(t, __FILE__, __LINE__, "%s", err.message);
    }
    return model;
}

/* A run by steps of this size; 0: by error control. */
static TmlSim *start_by_steps(TestCtx *t, const TmlModel *model, const char *integrator,
                              double step)
{
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = NULL;
    o.integrator = integrator;
    o.step = step;
    CHECK(t, model != NULL && tml_sim_create(model, &o, &sim, &err) == TML_OK);
    return sim;
}

static TmlSim *start(TestCtx *t, const TmlModel *model, const char *integrator)
{
    return start_by_steps(t, model, integrator, 0.0);
}

static double channel(TestCtx *t, TmlSim *sim, const char *name)
{
    TmlError err = {0};
    CHECK(t, tml_sim_row_at(sim, tml_sim_time(sim), &err) == TML_OK);
    return tml_row_channel(sim, tml_sim_channel_find(sim, name));
}

/* x = t^2 up to 1 s, then with u = -2: x = 1 + 2 s - s^2, which is 2 at s = 1; y = t^3 / 6 up to 1 s. */
TEST(set_between_steps)
{
    TmlError err = {0};
    TmlModel *model = make(t, text);
    for (int k = 0; model != NULL && tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        TmlSim *sim = start(t, model, t->name);
        const int u = tml_sim_input_find(sim, "u");
        CHECK(t, tml_sim_advance(sim, 1.0, NULL, NULL, &err) == TML_OK);
        CHECK(t, tml_sim_time(sim) == 1.0);
        // methods of order two are off by some thousand times the tolerance after the steps of a second
        CHECK_NEAR(t, channel(t, sim, "y"), 1.0 / 6.0, 1e-3);
        CHECK(t, tml_sim_set_input(sim, u, -2.0, &err) == TML_OK);
        CHECK(t, tml_sim_input(sim, u) == -2.0);
        CHECK(t, tml_sim_run(sim, NULL, NULL, &err) == TML_OK);
        CHECK_NEAR(t, channel(t, sim, "x"), 2.0, 1e-3); // as above
        CHECK_NEAR(t, channel(t, sim, "w"), 0.0, 1e-9); // rounding
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

static TmlStatus first_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)err;
    double *a = user;
    a[tml_row_time(sim) > 0.0] = tml_row_body(sim, 1).acceleration.x;
    return TML_OK;
}

TEST(set_before_the_first_step)
{
    TmlError err = {0};
    TmlModel *model = make(t, text);
    TmlSim *sim = start(t, model, "hht");
    double a[2] = {0};
    CHECK(t, tml_sim_set_input(sim, 0, 5.0, &err) == TML_OK);
    CHECK(t, tml_sim_run(sim, first_row, a, &err) == TML_OK);
    CHECK_NEAR(t, a[0], 5.0, 1e-12); // u over a mass of 1, rounding
    CHECK_NEAR(t, a[1], 5.0, 1e-12);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* The force jumps where the input is set, so that the method starts afresh there: by fixed steps of a constant acceleration hht is exact on both
 * sides, x(2) = 1 + 2 - 1. A step that went on from the old acceleration would be off by its formula's weight of that, some h^2. */
TEST(the_method_starts_afresh)
{
    static const char constant[] = "trammel: 1\n"
                                   "inputs: {u: {value: 2, unit: N}}\n"
                                   "bodies: {ball: {type: point, mass: 1}}\n"
                                   "forces: {push: {type: force, body: ball, fx: u}}\n"
                                   "outputs: {x: DX(ball), v: VX(ball)}\n"
                                   "simulate: {end: 2, output_step: 1}\n";
    TmlError err = {0};
    TmlModel *model = make(t, constant);
    TmlSim *sim = start_by_steps(t, model, "hht", 0.125);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_advance(sim, 1.0, NULL, NULL, &err), &err);
        CHECK_OK(t, tml_sim_set_input(sim, 0, -2.0, &err), &err);
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        CHECK_NEAR(t, channel(t, sim, "x"), 2.0, 1e-12); // rounding of sixteen steps
        CHECK_NEAR(t, channel(t, sim, "v"), 0.0, 1e-12);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* An event that an input has left happens again, also where the next step comes back to it: a ball with 1 m/s passes the mark at 0.5 m,
 * then at 1.2 m, where it was put meanwhile. */
TEST(events_look_again)
{
    static const char marks[] =
        "trammel: 1\n"
        "inputs: {mark: 0.5}\n"
        "states: {passed: {rate: 0}}\n"
        "bodies: {ball: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
        "events: {there: {when: DX(ball) - mark, set: {passed: passed + 1}}}\n"
        "outputs: {x: DX(ball), passed: passed}\n"
        "simulate: {end: 2, output_step: 1}\n";
    TmlError err = {0};
    TmlModel *model = make(t, marks);
    TmlSim *sim = start_by_steps(t, model, "hht", 0.5);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_advance(sim, 1.0, NULL, NULL, &err), &err);
        CHECK_NEAR(t, channel(t, sim, "passed"), 1.0, 0.0); // a count: exact
        CHECK_OK(t, tml_sim_set_input(sim, 0, 1.2, &err), &err);
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        CHECK_NEAR(t, channel(t, sim, "passed"), 2.0, 0.0); // a count: exact
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* The input is a column of the matrix, and no mode. */
TEST(linearised)
{
    TmlError err = {0};
    TmlModel *model = make(t, text);
    TmlSim *sim = start(t, model, "hht");
    TmlLinear *lin = NULL;
    CHECK(t, tml_sim_linearize(sim, NULL, &lin, &err) == TML_OK);
    const TmlLinearInfo info = tml_linear_info(lin);
    const double *A = tml_linear_matrix(lin);
    CHECK(t, info.order == 7); // three positions and velocities, one input
    CHECK(t, info.idle_states == 1);
    double largest = 0.0;
    for (int k = 0; k < info.order; ++k) {
        largest = fmax(largest, fabs(A[(ptrdiff_t)(info.order - 1) * info.order + k]));
    }
    CHECK_NEAR(t, largest, 1.0, 1e-14); // x'' by u over a mass of 1, rounding
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(equilibria)
{
    TmlError err = {0};
    TmlModel *model = make(
        t, "trammel: 1\n"
           "inputs: {u: 3}\n"
           "bodies: {ball: {type: point, mass: 1}}\n"
           "forces: {push: {type: force, body: ball, fx: u - 100*DX(ball), fy: -100*DY(ball), fz: "
           "-100*DZ(ball)}}\n"
           "outputs: {x: DX(ball)}\n"
           "simulate: {end: 1}\n");
    TmlSim *sim = start(t, model, NULL);
    CHECK(t, tml_sim_statics(sim, NULL, NULL, &err) == TML_OK);
    CHECK_NEAR(t, tml_row_channel(sim, 0), 0.03, 1e-9); // the search ends at 1e-10 of the size
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(mistakes)
{
    TmlError err = {0};
    TmlModel *model = make(t, text);
    TmlSim *sim = start(t, model, "hht");
    CHECK(t, tml_sim_set_input(sim, 7, 1.0, &err) == TML_E_ARGUMENT);
    CHECK(t, tml_sim_set_input(sim, 0, (double)NAN, &err) == TML_E_ARGUMENT);
    CHECK(t, tml_sim_set_input(sim, 0, (double)INFINITY, &err) == TML_E_ARGUMENT);
    CHECK(t, tml_sim_set_input(sim, 1, 1.0, &err) == TML_E_ARGUMENT); // a table
    CHECK(t, strstr(err.message, "input 'w' follows a table") != NULL);
    CHECK(t, tml_sim_input_find(sim, "v") == -1);
    CHECK(t, tml_sim_input_name(sim, 2) == NULL);
    CHECK(t, isnan(tml_sim_input(sim, 2)));
    CHECK(t, tml_sim_advance(sim, -1.0, NULL, NULL, &err) == TML_E_ARGUMENT);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(inputs) = {
    CASE(set_between_steps),
    CASE(set_before_the_first_step),
    CASE(the_method_starts_afresh),
    CASE(events_look_again),
    CASE(linearised),
    CASE(equilibria),
    CASE(mistakes),
    {0},
};
