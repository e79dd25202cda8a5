/* tests/analysis/test_error_check.c - what is wrong with results and shows in no local error: the
 * global error by a second run, and outputs that are not finite.
 *
 * Motions in closed form tell the true error, which a loose tolerance plants.
 */
#include "study.h"

#include "trammel/analysis.h"

/* x = cos(6 t) of a mass on a spring, and the error of each row as a channel. */
static const char oscillator[] = "trammel: 1\n"
                                 "bodies: {bead: {type: point, mass: 1, position: [1, 0, 0]}}\n"
                                 "forces: {spring: {type: force, body: bead, fx: -36*DX(bead)}}\n"
                                 "outputs: {x: DX(bead), off: DX(bead) - cos(6*time)}\n"
                                 "simulate: {length_scale: 1}\n";

/* A rotor without torque, at 60 rad/s: a place on its rim goes round as cos(60 t). */
static const char rotor[] =
    "trammel: 1\n"
    "bodies: {rotor: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 60],\n"
    "                 frames: {rim: {position: [1, 0, 0]}}}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
    "outputs: {x: DX(rotor.rim), off: DX(rotor.rim) - cos(60*time)}\n"
    "simulate: {length_scale: 1}\n";

/* The error that is told of x, over the largest of `off`, which it should be. */
static double told_over_true(TestCtx *t, const char *text, const char *method, double tol,
                             double end, TmlErrorInfo *info)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(end, end / 200.0, NULL);
    TmlError err = {0};
    Trace rows = {0};
    o.integrator = method;
    o.tolerance = tol;
    o.check_error = true;
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, trace_row, &rows, &err), &err);
    CHECK_OK(t, tml_sim_check_error(sim, &err), &err);
    CHECK(t, tml_sim_error_info(sim, info));
    double off = 0.0;
    for (int k = 0; k < rows.rows; ++k) {
        off = fmax(off, fabs(trace_value(&rows, k, 1)));
    }
    const TmlErrorItem x = tml_sim_error_item(sim, 0);
    CHECK_STR(t, x.name, "x");
    CHECK(t, !x.body && tml_sim_error_item(sim, 2).body && info->items == 3);
    CHECK_INT(t, info->rows, 201);
    // from -1 to 1, up to the error of a loose run and what lies between rows: 7e-3 was measured
    CHECK_NEAR(t, x.scale, 2.0, 0.02);
    CHECK_NEAR(t, x.relative, x.difference / x.scale, 0.0);
    trace_free(&rows);
    tml_sim_free(sim);
    tml_model_free(model);
    return x.difference / off;
}

/* A planted error is told with its size by every method: the other run has a thousandth of the
 * tolerance and a higher order, so that a tenth is much. */
TEST(a_planted_error_is_told)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlErrorInfo info;
        t->name = tml_integrator_name(k);
        CHECK_NEAR(t, told_over_true(t, oscillator, t->name, 1e-4, 5.0, &info), 1.0, 0.1);
        CHECK_NEAR(t, info.tolerance, 1e-7, 1e-20); // rounding of the product
        CHECK_STR(t, info.integrator, "radau");
    }
}

/* Local errors of 1e-8 in 60 rad/s for 10 s are a phase that is off by more than anybody expects of
 * that tolerance; the energy does not show it. */
TEST(a_phase_that_runs_away_is_told)
{
    TmlErrorInfo info;
    CHECK_NEAR(t, told_over_true(t, rotor, "hht", 1e-6, 5.0, &info), 1.0, 0.1);
    CHECK(t, info.relative > info.suggested);
    CHECK_NEAR(t, info.suggested, 1e-2, 1e-15); // 100 (1e-6)^(2/3)
    CHECK_INT(t, info.worst >= 0, 1);
    told_over_true(t, rotor, "radau", 1e-8, 5.0, &info);
    CHECK(t, info.relative < info.suggested);
}

/* Fixed steps have no tolerance. */
TEST(fixed_steps_are_judged_too)
{
    TmlModel *model = study_model(t, oscillator);
    TmlSimOptions o = study_options(2.0, 0.02, NULL);
    TmlError err = {0};
    TmlErrorInfo info;
    o.step = 0.02;
    o.check_error = true;
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    CHECK_OK(t, tml_sim_check_error(sim, &err), &err);
    CHECK(t, tml_sim_error_info(sim, &info));
    // the trapezoidal rule is late by (w h)^2 / 12 of its phase and hht by somewhat more: 12
    // * 1.2e-3
    CHECK(t, tml_sim_error_item(sim, 0).difference > 0.01);
    CHECK(t, tml_sim_error_item(sim, 0).difference < 0.1);
    const double *part;
    CHECK_INT(t, tml_sim_error_parts(sim, &part), 100);
    CHECK(t, part != NULL && part[99] > part[10] && part[10] > 0.0); // it grows
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(what_cannot_be_compared_is_said)
{
    TmlModel *model = study_model(t, oscillator);
    TmlSimOptions o = study_options(0.5, 0.1, NULL);
    TmlError err = {0};
    TmlErrorInfo info;
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    CHECK_INT(t, tml_sim_check_error(sim, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "check_error");
    CHECK(t, !tml_sim_error_info(sim, &info) && info.worst == -1);
    o.from = sim;
    o.end_time = 1.0;
    o.check_error = true;
    TmlSim *next = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(next, NULL, NULL, &err), &err);
    CHECK_INT(t, tml_sim_check_error(next, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "continues another one");
    tml_sim_free(next);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- outputs that are not finite -------------------------------------------------------------- */

static void count_log(void *user, TmlLogLevel level, const char *text)
{
    char *all = user;
    if (level == TML_LOG_WARNING) {
        snprintf(all + strlen(all), 1024 - strlen(all), "%s\n", text);
    }
}

/* 0/0 at the start, and 1/0 whenever x is 0.25 at a row; the run goes on, in every method. */
TEST(outputs_that_are_not_finite_are_told)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {bead: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
        "outputs: {fine: DX(bead), ratio: DX(bead)/DX(bead), log: 'log(0.45 - time)',\n"
        "          pole: '1/(time - 0.5)'}\n";
    TmlModel *model = study_model(t, text);
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        char log[1024] = "";
        double first = -1.0;
        TmlError err = {0};
        t->name = tml_integrator_name(k);
        TmlSimOptions o = study_options(1.0, 0.125, NULL);
        o.integrator = t->name;
        o.hooks = (TmlHooks){.user = log, .log = count_log};
        TmlSim *sim = study_sim(t, model, &o);
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        CHECK_INT(t, tml_sim_channel_nonfinite(sim, 0, &first), 0);
        CHECK_INT(t, tml_sim_channel_nonfinite(sim, 1, &first), 1);
        CHECK_NEAR(t, first, 0.0, 0.0);
        CHECK_INT(t, tml_sim_channel_nonfinite(sim, 2, &first), 5); // from 0.5 on
        CHECK_NEAR(t, first, 0.5, 0.0);
        CHECK_INT(t, tml_sim_channel_nonfinite(sim, 3, NULL), 1);
        CHECK_INT(t, tml_sim_channel_nonfinite(sim, 4, NULL), 0); // there is none
        CHECK_STR(t, log,
                  "output 'ratio' is not finite (not a number) at t = 0 s\n"
                  "output 'log' is not finite (not a number) at t = 0.5 s\n"
                  "output 'pole' is not finite (infinite) at t = 0.5 s\n");
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

TEST_SUITE(error_check) = {CASE(a_planted_error_is_told),
                           CASE(a_phase_that_runs_away_is_told),
                           CASE(fixed_steps_are_judged_too),
                           CASE(what_cannot_be_compared_is_said),
                           CASE(outputs_that_are_not_finite_are_told),
                           {0}};
