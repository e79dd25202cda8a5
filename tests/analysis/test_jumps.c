/* tests/analysis/test_jumps.c - forces that jump in time: steps end and begin on their own side.
 *
 * A mass of 1 kg on a rail, force 0 up to 0.5 s and 1000 N from there on:
 *
 *   (J1)  x = 500 (t - 0.5)^2,   x' = 1000 (t - 0.5)        from 0.5 s on
 *
 * Accelerations are constant on both sides, which every method follows without error but for its
 * iteration and, where it damps or starts with small steps, a part of the tolerance.
 */
#include "study.h"

#define RAIL                                                                                       \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, 0]\n"                                                                         \
    "bodies: {p: {mass: 1, inertia: [1, 1, 1]}}\n"                                                 \
    "joints: {s: {type: translational, bodies: [ground, p], at: [0, 0, 0], axis: x}}\n"            \
    "outputs: {x: DX(p), v: VX(p), f: ACCX(p)}\n"

static const char *const forces[] = {
    "forces: {f: {type: force, body: p, fx: \"if(time - 0.5: 0, 0, 1000)\"}}\n",
    "forces: {f: {type: force, body: p, fx: \"if(time - 0.5: 0, 77, 1000)\"}}\n",
    "forces: {f: {type: force, body: p, fx: \"if((10*time - 5)/3: 0, 0, 1000)\"}}\n",
    "forces: {f: {type: force, body: p, fx: \"500 + 500*sign(time - 0.5)\"}}\n",
    "forces: {f: {type: force, body: p, fx: \"1000*floor(time + 0.5)\"}}\n",
    "forces: {f: {type: force, body: p, fx: \"if(mod(time, 0.8) - 0.5: 0, 0, 1000)\"}}\n",
    "forces: {f: {type: force, body: p, fx: \"if(time - 0.2: 0, 0, if(time - 0.5: 0, 9, "
    "1000))\"}}\n",
    // through a variable, and through two of them
    "variables: {u: {value: \"if(time < 0.5, 0, 1)\"}, w: {value: 10*u}}\n"
    "forces: {f: {type: force, body: p, fx: 100*w}}\n",
    // a delayed variable: what jumps at 0.3 s comes back at 0.5 s
    "variables: {u: {value: \"if(time < 0.3, 0, 1000)\"}}\n"
    "delays: {d: {value: u, time: 0.2}}\n"
    "forces: {f: {type: force, body: p, fx: delay(d)}}\n",
};

enum { N_FORCES = sizeof forces / sizeof forces[0] };

static double exact_x(double t)
{
    return t > 0.5 ? 500.0 * (t - 0.5) * (t - 0.5) : 0.0;
}

/* At the default tolerance of each method, and at 1e-5. The bound is ten steps' worth of the
 * tolerance: as many are taken while the step grows behind the jump. */
TEST(all_methods_pass_jumps)
{
    for (int k = 0; k < N_FORCES; ++k) {
        char text[1024];
        snprintf(text, sizeof text, RAIL "%s", forces[k]);
        TmlModel *model = study_model(t, text);
        for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
            for (int loose = 0; loose < 2; ++loose) {
                char name[160];
                Trace run = {0};
                TmlSimOptions o = study_options(0.6, 0.05, NULL);
                o.integrator = tml_integrator_types[i]->info.name;
                const double tolerance = loose ? 1e-5 : tml_integrator_types[i]->tolerance;
                o.tolerance = loose ? 1e-5 : (double)NAN;
                snprintf(name, sizeof name, "%s, %g, %.90s", o.integrator, tolerance, forces[k]);
                t->name = name;
                if (study_run(t, model, &o, &run)) {
                    for (int r = 0; r < run.rows; ++r) {
                        const double at = 0.05 * r;
                        CHECK_NEAR(t, trace_value(&run, r, 0), exact_x(at), 10.0 * tolerance);
                    }
                }
                trace_free(&run);
            }
        }
        t->name = NULL;
        tml_model_free(model);
    }
}

/* A row at a jump is the end of the step before it; rows behind have the new side. */
TEST(rows_at_a_jump_are_of_the_step_that_ends_there)
{
    char text[1024];
    snprintf(text, sizeof text, RAIL "%s", forces[1]);
    TmlModel *model = study_model(t, text);
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(0.6, 0.01, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        if (study_run(t, model, &o, &run)) {
            for (int r = 0; r < run.rows; ++r) {
                // sums of forces over the mass: rounding; some methods solve to their tolerance
                CHECK_NEAR(t, trace_value(&run, r, 2), r <= 50 ? 0.0 : 1000.0, 1e-4);
            }
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* A jump at the very start is over. */
TEST(a_run_may_start_at_a_jump)
{
    TmlModel *model =
        study_model(t, RAIL "forces: {f: {type: force, body: p, fx: \"if(time: 0, 0, 1000)\"}}\n");
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(0.1, 0.1, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        if (study_run(t, model, &o, &run)) {
            CHECK_NEAR(t, trace_value(&run, 0, 2), 1000.0,
                       1e-9); // one force over one mass: rounding
            CHECK_NEAR(t, trace_value(&run, 1, 0), 5.0, 10.0 * tml_integrator_types[i]->tolerance);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* A run that goes on from another's end at the jump. */
TEST(a_run_may_go_on_at_a_jump)
{
    char text[1024];
    snprintf(text, sizeof text, RAIL "%s", forces[0]);
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.5, 0.5, NULL);
    TmlError err;
    TmlSim *first = study_sim(t, model, &o), *second = NULL;
    CHECK_OK(t, tml_sim_run(first, NULL, NULL, &err), &err);
    o.end_time = 0.6;
    o.from = first;
    CHECK_OK(t, tml_sim_create(model, &o, &second, &err), &err);
    CHECK_OK(t, tml_sim_run(second, NULL, NULL, &err), &err);
    // a constant force: every method follows a parabola to rounding
    CHECK_NEAR(t, second->it.now.q[0], 5.0, 1e-12);
    tml_sim_free(second);
    tml_sim_free(first);
    tml_model_free(model);
}

/* Late jumps: 2e-14 of the time is a few of its units, and 1e-15 s is none. */
TEST(jumps_are_met_late_in_a_run)
{
    TmlModel *model = study_model(
        t, RAIL "forces: {f: {type: force, body: p, fx: \"if(time - 4000.3: 0, 0, 1000)\"}}\n");
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(4000.4, 4000.4, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        if (study_run(t, model, &o, &run)) {
            // the time has units of 4.5e-13 s, at 100 m/s
            CHECK_NEAR(t, trace_value(&run, 1, 0), 5.0,
                       1e-9 + 10.0 * tml_integrator_types[i]->tolerance);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* A square wave of 1 ms: 5000 jumps in 2.5 s. In each period the mass goes to -5e-4 m/s and back,
 * 2.5e-7 m. No step but those at jumps is needed; none may be left out. */
TEST(square_waves_have_all_their_jumps)
{
    TmlModel *model = study_model(
        t,
        RAIL "forces: {f: {type: force, body: p, fx: \"if(mod(time, 1e-3) - 5e-4: -1, 0, 1)\"}}\n");
    for (int i = 0; tml_integrator_name(i) != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(2.5, 2.5, NULL);
        o.integrator = t->name = tml_integrator_name(i);
        if (study_run(t, model, &o, &run)) {
            // pieces are parabolas, which leave the rounding of 5000 jumps: 2e-13 was measured
            CHECK_NEAR(t, trace_value(&run, 1, 0), -2500 * 2.5e-7, 1e-11);
            CHECK_NEAR(t, trace_value(&run, 1, 1), 0.0, 1e-11);
            CHECK(t, run.stats.steps >= 5000);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* The same wave, delayed by 0.3 s, has 600 jumps on their way at a time. At rest before 0.3 s. */
TEST(waves_come_back_after_a_delay)
{
    TmlModel *model =
        study_model(t, RAIL "variables: {u: {value: \"if(mod(time, 1e-3) - 5e-4: -1, 0, 1)\"}}\n"
                            "delays: {d: {value: u, time: 0.3, history: 0}}\n"
                            "forces: {f: {type: force, body: p, fx: delay(d)}}\n");
    Trace run = {0};
    const TmlSimOptions o = study_options(0.6, 0.6, NULL);
    if (model != NULL && study_run(t, model, &o, &run)) {
        CHECK_NEAR(t, trace_value(&run, 1, 0), -300 * 2.5e-7, 1e-11); // rounding, as above
        CHECK(t, run.stats.steps >= 1200);
        CHECK(t, run.stats.rejected < 10); // none is left to the control of the error
    }
    trace_free(&run);
    tml_model_free(model);
}

/* States whose rates jump, and one that an event sets: rows between steps belong to one side. */
TEST(states_jump_with_their_rates)
{
    TmlModel *model = study_model(t, "trammel: 1\n"
                                     "bodies: {p: {type: point, mass: 1}}\n"
                                     "states:\n"
                                     "  r: {rate: \"if(time - 0.5: 1, 1, -1)\", initial: 0}\n"
                                     "  s: {rate: 0*s, initial: 1}\n"
                                     "events: {set: {when: time, value: 0.33, set: {s: 5}}}\n"
                                     "outputs: {r: r, s: s}\n");
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        const double bound = 10.0 * tml_integrator_types[i]->tolerance; // as above
        Trace run = {0};
        TmlSimOptions o = study_options(0.8, 0.01, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        if (study_run(t, model, &o, &run)) {
            for (int k = 0; k < run.rows; ++k) {
                const double at = 0.01 * k;
                CHECK_NEAR(t, trace_value(&run, k, 0), at <= 0.5 ? at : 1.0 - at, bound);
                CHECK_NEAR(t, trace_value(&run, k, 1), k <= 33 ? 1.0 : 5.0, bound);
            }
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

TEST_SUITE(jumps) = {CASE(all_methods_pass_jumps),
                     CASE(rows_at_a_jump_are_of_the_step_that_ends_there),
                     CASE(a_run_may_start_at_a_jump),
                     CASE(a_run_may_go_on_at_a_jump),
                     CASE(jumps_are_met_late_in_a_run),
                     CASE(square_waves_have_all_their_jumps),
                     CASE(waves_come_back_after_a_delay),
                     CASE(states_jump_with_their_rates),
                     {0}};
