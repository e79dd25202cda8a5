/* tests/system/test_long_chains.c - what (J5) does to chains of many bodies, (P5) of project.c. */
#include "test.h"

#include "analysis/driver/sim_internal.h"
#include "system/system_internal.h"
#include "trammel/io.h"

/* N shoes on pins, straight along x: they cannot bend sideways. */
static const char chain[] =
    "trammel: 1\n"
    "parameters: {N: %d}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  for n in 1..N:\n"
    "    \"s{n}\": {mass: 4, inertia: [0.01, 0.01, 0.02], position: [0.2*n, 0, 0]}\n"
    "joints:\n"
    "  for n in 2..N:\n"
    "    \"p{n}\": {type: revolute, bodies: [\"s{n - 1}\", \"s{n}\"], at: [0.2*n - 0.1, 0, 0], "
    "axis: y}\n"
    "outputs:\n"
    "  z: DZ(s1)\n";

/* N four-bars side by side whose links all lie in line: each has a motion that its pins do not hold there. */
static const char folded[] =
    "trammel: 1\n"
    "parameters: {N: %d}\n"
    "bodies:\n"
    "  for n in 1..N:\n"
    "    \"a{n}\": {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, n, 0]}\n"
    "    \"b{n}\": {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, n, 0]}\n"
    "    \"c{n}\": {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2.5, n, 0]}\n"
    "joints:\n"
    "  for n in 1..N:\n"
    "    \"A{n}\": {type: revolute, bodies: [ground, \"a{n}\"], at: [0, n, 0], axis: y}\n"
    "    \"B{n}\": {type: revolute, bodies: [\"a{n}\", \"b{n}\"], at: [1, n, 0], axis: y}\n"
    "    \"C{n}\": {type: revolute, bodies: [\"b{n}\", \"c{n}\"], at: [3, n, 0], axis: y}\n"
    "    \"D{n}\": {type: revolute, bodies: [\"c{n}\", ground], at: [2, n, 0], axis: y}\n";

static TmlSim *begin(const char *format, int n, const char *method, TmlModel **model)
{
    char text[2048];
    TmlError err = {0};
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = method;
    o.end_time = 1e-3;
    snprintf(text, sizeof text, format, n);
    if (tml_load_text(text, "chain", 0, NULL, NULL, model, &err) != TML_OK ||
        tml_sim_create(*model, &o, &sim, &err) != TML_OK) {
        printf("%s\n", err.message);
    }
    return sim;
}

static void end(TmlSim *sim, TmlModel *model)
{
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(e_is_lower_only_where_it_slows_down)
{
    static const struct {
        const char *text;
        int n;
        bool lower;
    } cases[] = {{chain, 100, false}, {chain, 1000, true}, {folded, 30, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        TmlModel *model = NULL;
        TmlSim *sim = begin(cases[k].text, cases[k].n, "hht", &model);
        CHECK(t, sim != NULL);
        if (sim != NULL) {
            const double e = sim->sys->regularisation;
            CHECK(t, sim->sys->dim.m >= 300);
            CHECK(t, cases[k].lower ? e < 1e-3 * TML_REGULARISATION : e == TML_REGULARISATION);
        }
        end(sim, model);
    }
}

/* Positions off by a bow sideways come back onto the constraints: with e = 1e-10 a correction leaves 0.83 of the bow. */
TEST(a_long_chain_is_put_onto_its_constraints)
{
    TmlModel *model = NULL;
    TmlSim *sim = begin(chain, 1000, "hht", &model);
    CHECK(t, sim != NULL);
    if (sim != NULL) {
        TmlSystem *sys = sim->sys;
        const TmlDims *dim = tml_dims(sys);
        TmlState *s = &sim->it.next;
        tml_state_copy(sys, &sim->it.now, s);
        for (int b = 1; b < dim->nb; ++b) {
            s->q[dim->span[b].q0 + 1] += 1e-6 * sin(3.14159 * b / dim->nb);
        }
        CHECK(t, tml_system_project(sys, s));
        double level[3];
        tml_system_violation(sys, s, level);
        // rounding of coordinates of 200 m, 2.8e-14; measured 1.2e-13
        CHECK(t, level[0] < 1e-12);
    }
    end(sim, model);
}

/* A bow that steps have left, as rounding does, is gone after two corrections in every method. */
TEST(steps_of_a_long_chain_converge)
{
    static const char *const methods[] = {"hht", "generalized-alpha", "bdf-i3", "bdf-si2", "radau"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
        TmlModel *model = NULL;
        TmlError err = {0};
        TmlSim *sim = begin(chain, 1000, methods[k], &model);
        CHECK(t, sim != NULL);
        if (sim != NULL) {
            const TmlDims *dim = tml_dims(sim->sys);
            for (int b = 1; b < dim->nb; ++b) {
                sim->it.now.q[dim->span[b].q0 + 1] += 1e-10 * sin(3.14159 * b / dim->nb);
            }
            for (int step = 0; step < 3; ++step) {
                CHECK(t, tml_sim_step(sim, &err) == TML_OK);
            }
            const TmlSimStats st = tml_sim_stats(sim);
            CHECK(t, st.rejected_newton == 0);
            CHECK(t, st.iterations <= 3 * st.steps);
        }
        end(sim, model);
    }
}

TEST_SUITE(long_chains) = {
    CASE(e_is_lower_only_where_it_slows_down),
    CASE(a_long_chain_is_put_onto_its_constraints),
    CASE(steps_of_a_long_chain_converge),
    {0},
};
