/* tests/analysis/test_contact.c - balls on stiff floors: onsets and releases of contact under the
 * step control of every method.
 *
 * What a ball does is known in closed form: without damping it keeps its energy; with the law of
 * Hunt and Crossley, N = K d^n (1 + eta d'), it leaves with the speed e v_in, where
 *
 *   (C1)  h (1 + e) = ln[(1 + h) / (1 - h e)],   h = eta v_in
 *
 * for every K, n and mass when its weight is small against N.
 */
#include "study.h"

#define BALL                                                                                       \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "parameters: {k: 1e9}\n"                                                                       \
    "bodies: {ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1]}}\n"                   \
    "forces: {floor: {type: force, body: ball, at: [0, 0, 1], fz: \"impact(DZ(ball), VZ(ball), "   \
    "0, "                                                                                          \
    "k, 1.5, 0, 1e-4)\"}}\n"                                                                       \
    "outputs: {e: \"VM(ball)^2/2 + 9.81*DZ(ball) + impact(DZ(ball), 0, 0, k, 2.5, 0, "             \
    "1e-4)/2.5\"}\n"

static const char *const balls[] = {
    BALL,
    // held by a joint: rules that ask for constraints must not take these for a singular position
    BALL "joints: {guide: {type: translational, bodies: [ground, ball], at: [0, 0, 1], axis: z}}\n",
};

static double run_ball(TestCtx *t, const TmlModel *model, const char *method, Trace *run)
{
    TmlSimOptions o = study_options(4.5, 4.5 / 7.0, NULL);
    o.integrator = method;
    double worst = (double)NAN;
    if (study_run(t, model, &o, run)) {
        worst = 0.0;
        for (int k = 0; k < run->rows; ++k) {
            worst = fmax(worst, fabs(trace_value(run, k, 0) - 9.81) / 9.81);
        }
    }
    return worst;
}

/* Five contacts. At the default tolerance a step in contact may be off by 1e-9 m, which at a
 * contact of 0.6 ms (1e9 N/m^1.5, 4.4 m/s) resolved by a hundred steps is 1e-4 of the speed in
 * each. A run that takes a step above the tolerance loses or gains all of it. */
TEST(elastic_balls_keep_their_energy)
{
    static const char *const stiffness[] = {"1e5", "1e9"};
    for (int b = 0; b < 2; ++b) {
        for (int k = 0; k < 2; ++k) {
            char text[1024];
            const char *at = strstr(balls[b], "1e9");
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - balls[b]), balls[b], stiffness[k],
                     at + 3);
            TmlModel *model = study_model(t, text);
            for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
                char name[96];
                Trace run = {0};
                snprintf(name, sizeof name, "%s, k %s, ball %d", tml_integrator_types[i]->info.name,
                         stiffness[k], b);
                t->name = name;
                const double worst = run_ball(t, model, tml_integrator_types[i]->info.name, &run);
                CHECK_NEAR(t, worst, 0.0, 1e-3);
                CHECK_INT(t, run.stats.rounding, 0);
                CHECK_INT(t, run.stats.unbalanced_rows, 0);
                // tries are lost at onsets and releases only: half a dozen of each, and a tenth
                CHECK(t, run.stats.rejected <= 60 + run.stats.steps / 10);
                trace_free(&run);
            }
            t->name = NULL;
            tml_model_free(model);
        }
    }
}

/* (C1) by bisection. */
static double restitution(double h)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 60; ++k) {
        const double e = 0.5 * (low + high), f = h * (1.0 + e) - log((1.0 + h) / (1.0 - h * e));
        *(f > 0.0 ? &low : &high) = e;
    }
    return 0.5 * (low + high);
}

/* Height after one impact with weight left out: v = e v_in. eta = 0.3 s/m; the ball hits with
 * sqrt(2 g) m/s and is looked at 0.1 s later. K = 1e8 makes the weight 1e-4 of the force and the
 * contact 1.5 ms long, which is in the time of flight: 1e-3 of the speed in all. */
TEST(damped_balls_leave_with_the_right_speed)
{
    static const char text[] =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {ball: {type: point, mass: 1, position: [0, 0, 1]}}\n"
        "variables: {d: {value: \"max(0, -DZ(ball))\"}}\n"
        "forces: {floor: {type: force, body: ball, fz: \"max(0, 1e8*d^1.5*(1 - 0.3*VZ(ball)))\"}}\n"
        "outputs: {v: VZ(ball)}\n";
    const double in = sqrt(2.0 * 9.81), land = sqrt(2.0 / 9.81), out = restitution(0.3 * in) * in;
    TmlModel *model = study_model(t, text);
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(land + 0.1, land + 0.1, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        if (study_run(t, model, &o, &run)) {
            // 1.5 ms of weight, measured 0.012
            CHECK_NEAR(t, trace_value(&run, run.rows - 1, 0), out - 0.981, 0.02);
            CHECK_INT(t, run.stats.rounding, 0);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* Away from singular positions no step is above the tolerance, however loose that is. The tries of
 * `tlismni-park` and others at 1e-4 on this four-bar have errors that do not fall. */
TEST(no_step_is_above_the_tolerance_without_need)
{
    TmlModel *model = study_model(t, "models/studies/four_bar.yaml");
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(16.0, 16.0, NULL);
        o.tolerance = 1e-4;
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        if (study_run(t, model, &o, &run)) {
            CHECK_INT(t, run.stats.rounding, 0);
            CHECK_NEAR(t, run.stats.rounding_error, 0.0, 0.0);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* Steps that are above it are counted, told from others in the record, and below the bound. */
TEST(steps_of_rounding_are_counted)
{
    TmlModel *model = study_model(t, "models/cases/iftomm_a02_four_bar.yaml");
    TmlSimOptions o = study_options(3.5, 3.5, NULL);
    TmlError err;
    o.integrator = "rosenbrock";
    o.tolerance = 1e-11;
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    const TmlAttemptRow *row;
    const int64_t n = tml_sim_attempts(sim, &row);
    int64_t above = 0;
    double largest = 0.0;
    for (int64_t k = 0; k < n; ++k) {
        const bool rounded = row[k].cause == TML_CAUSE_ROUNDING;
        CHECK_INT(t, rounded, row[k].accepted && row[k].error > 1.0);
        above += rounded;
        largest = rounded ? fmax(largest, row[k].error) : largest;
    }
    CHECK(t, above > 0);
    CHECK_INT(t, above, tml_sim_stats(sim).rounding);
    CHECK_NEAR(t, largest, tml_sim_stats(sim).rounding_error, 0.0);
    tml_sim_free(sim);
    tml_model_free(model);
}

static void count_warnings(void *user, TmlLogLevel level, const char *text)
{
    // steps are fixed here, so that a tolerance would not help
    *(int *)user += level == TML_LOG_WARNING && strstr(text, "energy balance is off") != NULL &&
                    strstr(text, "try a shorter --step ") != NULL;
}

/* Fixed steps of 0.01 s through a contact of 0.6 ms gain or lose all energy: one warning, a note
 * and a count say so. With small ones there is none. */
TEST(lost_energy_is_told)
{
    TmlModel *model = study_model(t, balls[0]);
    for (int fine = 0; fine < 2; ++fine) {
        TmlSimOptions o = study_options(0.9, 0.05, NULL);
        TmlError err;
        int warnings = 0, notes = 0;
        o.integrator = "rosenbrock";
        o.step = fine ? 1e-5 : 0.01;
        o.hooks.log = count_warnings;
        o.hooks.user = &warnings;
        TmlSim *sim = study_sim(t, model, &o);
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        for (int k = 0; k < tml_sim_note_count(sim); ++k) {
            notes += strstr(tml_sim_note(sim, k), "energy balance is off") != NULL;
        }
        CHECK_INT(t, warnings, fine ? 0 : 1);
        CHECK_INT(t, notes, warnings);
        CHECK_INT(t, tml_sim_stats(sim).unbalanced_rows > 1, !fine);
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

TEST_SUITE(contact) = {CASE(lost_energy_is_told),
                       CASE(elastic_balls_keep_their_energy),
                       CASE(damped_balls_leave_with_the_right_speed),
                       CASE(no_step_is_above_the_tolerance_without_need),
                       CASE(steps_of_rounding_are_counted),
                       {0}};
