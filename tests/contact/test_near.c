/* tests/contact/test_near.c - which pairs are looked at, which are coupled in the matrices, and that none is missed.
 *
 * Two equal balls exchange their speeds in a central elastic impact, whatever the law.
 */
#include "../analysis/study.h"

#define BALLS                                                                                      \
    "trammel: 1\n"                                                                                 \
    "parameters: {v: 300}\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  a: {type: point, mass: 1, velocity: [v, 0, 0], shape: {sphere: {radius: 0.01}}}\n"          \
    "  b: {type: point, mass: 1, position: [10, 0, 0], shape: {sphere: {radius: 0.01}}}\n"         \
    "  c: {type: point, mass: 1, position: [10, 0, 2], shape: {sphere: {radius: 0.01}}}\n"         \
    "contacts: {all: {between: all, law: hunt_crossley, stiffness: 1e11, exponent: 1.5}}\n"        \
    "outputs: {a: VX(a), b: VX(b), c: VZ(c)}\n"

/* Without forces a step may be as long as the run: the balls meet in the midst of it, after 33 ms, for 30 microseconds.
 * Nothing passes through anything. */
TEST(a_fast_ball_does_not_pass)
{
    TmlModel *model = study_model(t, BALLS);
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(0.1, 0.1, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        o.tolerance = 1e-8;
        if (study_run(t, model, &o, &run)) {
            // methods of order two that damp lose some 1e-3 of the speed in an impact of thirty steps, as was measured
            CHECK_NEAR(t, trace_value(&run, 1, 0), 0.0, 3.0);
            CHECK_NEAR(t, trace_value(&run, 1, 1), 300.0, 3.0);
            CHECK_NEAR(t, trace_value(&run, 1, 2), 0.0, 0.0); // exact: it is touched by none
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* The matrices are made anew when the two meet, and not for the third. Far from each other nothing is near. */
TEST(matrices_know_those_that_meet)
{
    TmlModel *model = study_model(t, BALLS);
    TmlSimOptions o = study_options(0.1, 0.1, NULL);
    TmlError err;
    TmlSim *sim = study_sim(t, model, &o);
    while (sim->it.now.t < 0.02) {
        CHECK_OK(t, tml_sim_step(sim, &err), &err);
    }
    CHECK_INT(t, tml_system_touching_stats(sim->sys).contacts, 0);
    while (sim->it.now.t < 0.1) {
        CHECK_OK(t, tml_sim_step(sim, &err), &err);
    }
    const TmlTouchingStats stats = tml_system_touching_stats(sim->sys);
    CHECK_INT(t, stats.patterns, 1);
    CHECK(t, stats.contacts > 0 && stats.contacts <= stats.candidates);
    // the blocks of two of three bodies: three of three unknowns each, beside the diagonal ones of all
    const TmlCsc *K = tml_system_matrix(sim->sys, TML_MATRIX_STEP);
    CHECK_INT(t, K->start[K->cols], 3 * 9 + 2 * 9);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(contact_near) = {
    CASE(a_fast_ball_does_not_pass), CASE(matrices_know_those_that_meet), {0}};
