/* tests/analysis/test_dynamics.c - the driver: failures that say why, accounts, breakpoints,
 * output. */
#include "analysis/driver/sim_internal.h"
#include "study.h"

/* Runs until it fails, which it must; the trace keeps the rows before. */
static TmlSim *failing_run(TestCtx *t, TmlModel **model, const char *text, double end, double dt,
                           Trace *rows, TmlError *err)
{
    *model = study_model(t, text);
    const TmlSimOptions o = study_options(end, dt, NULL);
    TmlSim *sim = study_sim(t, *model, &o);
    *rows = (Trace){0};
    CHECK_INT(t, tml_sim_run(sim, trace_row, rows, err), TML_E_STEP);
    CHECK_INT(t, err->status, TML_E_STEP);
    // every row up to the failure was given out, and the state is still there to be read
    CHECK_INT(t, rows->rows, (int)floor(tml_sim_time(sim) / dt) + 1);
    CHECK(t, isfinite(tml_row_body(sim, 1).position.x));
    CHECK(t, tml_sim_time(sim) < end);
    return sim;
}

static void finish(TmlSim *sim, TmlModel *model, Trace *rows)
{
    trace_free(rows);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- failures -------------------------------------------------------------------------------- */

/* x'' = (1 - x)^-3, x(0) = 0, x'(0) = 1: 1 - x = sqrt(1 - 2 t), which ends at t = 1/2. */
TEST(singular_force_is_reported)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {bead: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
        "forces: {pole: {type: force, body: bead, fx: 1/(1 - DX(bead))^3}}\n";
    TmlModel *model;
    TmlError err;
    Trace rows;
    TmlSim *sim = failing_run(t, &model, text, 2.0, 0.02, &rows, &err);
    // the step falls where 1 - x is so small that the error of a step moves the end
    CHECK_NEAR(t, tml_sim_time(sim), 0.5, 1e-5);
    CHECK_HAS(t, err.message, "at t = 0.49999");
    CHECK_HAS(t, err.message, "body 'bead'");
    CHECK_HAS(t, err.message, "try ");
    CHECK_NEAR(t, rows.x[CHANNEL][3 * 20], 1.0 - sqrt(1.0 - 0.8), 1e-6); // row at 0.4 s
    finish(sim, model, &rows);
}

TEST(expression_out_of_its_domain_is_named)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {bead: {type: point, mass: 1, velocity: [0.5, 0, 0]}}\n"
        "forces: {pole: {type: force, body: bead, fx: sqrt(1 - DX(bead))}}\n";
    TmlModel *model;
    TmlError err;
    Trace rows;
    TmlSim *sim = failing_run(t, &model, text, 5.0, 0.05, &rows, &err);
    // the step shrinks until rounding: 5e-14 was measured
    CHECK_NEAR(t, sim->it.now.q[0], 1.0, 1e-11);
    CHECK_HAS(t, err.message, "not finite");
    CHECK_HAS(t, err.message, "force 'pole'");
    CHECK_HAS(t, err.message, "guard it");
    const TmlSimStats st = tml_sim_stats(sim);
    CHECK(t, st.rejected_newton > 0);
    finish(sim, model, &rows);
}

/* A motion that leaves the domain of its function: steps shrink because its rates grow, and the
 * joint is named all the same. By every method. */
TEST(motions_that_are_not_finite_are_named)
{
    static const char *const text[] = {"sqrt(0.25 - time^2)", "0.1*sqrt(0.5 - time)*(0.5 - time)^2",
                                       "log(0.5 - time)"};
    for (int i = 0; i < 3; ++i) {
        char whole[512];
        snprintf(whole, sizeof whole,
                 "trammel: 1\n"
                 "bodies: {p: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "joints:\n"
                 "  s: {type: translational, bodies: [ground, p], at: [0, 0, 0], axis: x}\n"
                 "  m: {type: motion, joint: s, function: \"%s\"}\n",
                 text[i]);
        TmlModel *model = study_model(t, whole);
        for (int k = 0; tml_integrator_name(k) != NULL && model != NULL; ++k) {
            TmlError err = {0};
            TmlSimOptions o = study_options(1.0, 1.0, NULL);
            o.integrator = t->name = tml_integrator_name(k);
            TmlSim *sim = study_sim(t, model, &o);
            CHECK(t, tml_sim_run(sim, NULL, NULL, &err) != TML_OK);
            CHECK_HAS(t, err.message, "not finite");
            CHECK_HAS(t, err.message, "joint 'm'");
            tml_sim_free(sim);
        }
        t->name = NULL;
        tml_model_free(model);
    }
}

/* Two links of 1 m whose end is pulled beyond 2 m: they lock when stretched, at t = 1 s. */
static const char lock_up[] =
    "trammel: 1\n"
    "bodies:\n"
    "  upper: {mass: 1, inertia: [0.01, 0.1, 0.1], cm: [0.5, 0, 0],\n"
    "          rotation: {axis: z, angle: 60 deg}}\n"
    "  lower: {mass: 1, inertia: [0.01, 0.1, 0.1], cm: [0.5, 0, 0],\n"
    "          position: [0.5, sin(60 deg), 0], rotation: {axis: z, angle: -60 deg},\n"
    "          frames: {foot: {position: [1, 0, 0]}}}\n"
    "joints:\n"
    "  hip: {type: revolute, bodies: [ground, upper], at: [0, 0, 0], axis: z}\n"
    "  knee: {type: revolute, bodies: [upper, lower], at: [0.5, sin(60 deg), 0], axis: z}\n"
    "  rail: {type: expression, expression: DY(lower.foot)}\n"
    "  pull: {type: expression, expression: DX(lower.foot) - 1 - time}\n";

TEST(lock_up_is_reported)
{
    TmlModel *model;
    TmlError err;
    Trace rows;
    TmlSim *sim = failing_run(t, &model, lock_up, 3.0, 0.03, &rows, &err);
    // the step shrinks towards the dead point: 8e-11 s before it was measured
    CHECK_NEAR(t, tml_sim_time(sim), 1.0, 1e-9);
    CHECK_HAS(t, err.message, "at t = ");
    CHECK_HAS(t, err.message,
              "'hip', 'knee', 'pull'"); // joints whose equations are hardly independent there
    CHECK_HAS(t, err.message, "cannot pass");
    // powers are rounding at the dead point, and the account does not chase them: a step has two
    // halvings of 2 x 7 points beside its own 7, a row 64; the store of 256 is used up once
    const TmlSimStats stats = tml_sim_stats(sim);
    CHECK(t, sim->account.asked <= 35 * stats.steps + 14 * (256 + 64 * 35));
    finish(sim, model, &rows);
}

/* A step that may not shrink gives up at once, with the same words. */
TEST(fixed_step_fails_without_retries)
{
    TmlModel *model = study_model(t, lock_up);
    TmlSimOptions o = study_options(3.0, 0.1, NULL);
    o.step = 0.03; // not a divisor of 1 s: the dead point itself could be met exactly
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err;
    CHECK_INT(t, tml_sim_run(sim, NULL, NULL, &err), TML_E_STEP);
    CHECK_INT(t, tml_sim_stats(sim).rejected, 1);
    CHECK(t, tml_sim_time(sim) < 1.0 + 0.03);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- accounts -------------------------------------------------------------------------------- */

/* A damped beam that hangs on a ball joint and rests: all powers are rounding of its stresses. */
static const char resting[] =
    "trammel: 1\n"
    "flexible:\n"
    "  beam: {type: beam3, line: [[0.7, -0.4, -0.3], [1.19, -0.5, -0.32]], elements: 3,\n"
    "    material: {E: 1.3e7, nu: 0.3, density: 1200, damping: 0.003},\n"
    "    section: {radius: 0.01}, start: {pin: ground}}\n"
    "forces: {drag: {type: spring, frames: [beam.start, beam.end], damping: 0.1}}\n";

TEST(account_leaves_rounding_alone)
{
    static const char *const method[] = {"hht", "radau"};
    for (int k = 0; k < 2; ++k) {
        TmlModel *model = study_model(t, resting);
        TmlSimOptions o = study_options(0.02, 0.01, NULL);
        o.integrator = method[k];
        TmlSim *sim = study_sim(t, model, &o);
        TmlError err;
        CHECK_INT(t, tml_sim_run(sim, NULL, NULL, &err), TML_OK);
        // `radau` looks at the three Gauss points of each step, a row at three more; halvings,
        // of which there would be two a step and 256 to begin with, are not wanted (W6)
        const TmlSimStats stats = tml_sim_stats(sim);
        CHECK(t, sim->account.asked <= 3 * stats.steps + 3 * 3);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

static void check_attempts(TestCtx *t, const TmlSim *sim)
{
    const TmlSimStats st = tml_sim_stats(sim);
    const TmlAttemptRow *row;
    const int64_t n = tml_sim_attempts(sim, &row);
    int64_t accepted = 0, error = 0, other = 0;
    double time = 0.0;
    CHECK_INT(t, n, st.steps + st.rejected);
    for (int64_t k = 0; k < n; ++k) {
        // a break or the end is set to the bit; elsewhere times add up, with rounding
        CHECK_NEAR(t, row[k].t, time, 1e-12);
        CHECK(t, row[k].h > 0.0 && row[k].iterations > 0);
        const char *cause = tml_attempt_cause(row[k].cause);
        if (row[k].accepted) {
            accepted++;
            time = row[k].t + row[k].h;
            CHECK_STR(t, cause, "");
            CHECK(t, row[k].error <= 1.0 || st.rounding > 0);
        } else if (strcmp(cause, "local error above the tolerance") == 0) {
            error++;
            CHECK(t, row[k].error > 1.0);
        } else {
            other++;
            CHECK(t, isnan(row[k].error) && cause[0] != '\0');
        }
    }
    CHECK_INT(t, accepted, st.steps);
    CHECK_INT(t, error, st.rejected_error);
    CHECK_INT(t, other, st.rejected_newton + st.rejected_singular);
    CHECK_INT(t, st.rejected, st.rejected_error + st.rejected_newton + st.rejected_singular);
    CHECK_NEAR(t, time, tml_sim_time(sim), 1e-12); // rounding
}

TEST(attempts_and_statistics_agree)
{
    // a press that hits a die: rejections for accuracy
    TmlModel *model = study_model(t, "models/demo.yaml");
    const TmlSimOptions o = study_options(0.7, 0.01, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err;
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    check_attempts(t, sim);
    const TmlSimStats st = tml_sim_stats(sim);
    CHECK(t, st.rejected_error > 0);
    CHECK(t, st.iterations >= st.steps && st.residuals >= st.iterations);
    CHECK(t, st.solves >= st.iterations && st.jacobians > 0 && st.jacobians < st.iterations);
    CHECK(t, st.h_min <= st.h_first && st.h_first <= st.h_max);
    CHECK_INT(t, st.degrees_of_freedom, 2);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(attempts_are_kept_when_a_run_fails)
{
    TmlModel *model;
    TmlError err;
    Trace rows;
    TmlSim *sim = failing_run(t, &model, lock_up, 3.0, 0.03, &rows, &err);
    check_attempts(t, sim);
    CHECK(t, tml_sim_stats(sim).rejected_newton + tml_sim_stats(sim).rejected_singular > 0);
    finish(sim, model, &rows);
}

TEST(attempts_are_not_kept_unless_wanted)
{
    const TmlAttemptRow *row;
    TmlError err;
    TmlModel *model = study_model(t, "models/closed_forms/pendulum.yaml");
    TmlSimOptions o = study_options(0.5, 0.1, NULL);
    o.record_solver = false;
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    CHECK_INT(t, tml_sim_attempts(sim, &row), 0);
    CHECK(t, tml_sim_stats(sim).steps > 10);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- time ------------------------------------------------------------------------------------ */

/* A push that rises from 0.2 s to 0.35 s: x'' = s(t), a cubic ramp s. */
static const char pushed[] =
    "trammel: 1\n"
    "bodies: {cart: {type: point, mass: 1}}\n"
    "forces: {push: {type: force, body: cart, fx: \"step(time, 0.2, 0, 0.35, 7)\"}}\n";

TEST(kinks_in_time_are_stepped_on)
{
    TmlModel *model = study_model(t, pushed);
    const TmlSimOptions o = study_options(0.7, 0.1, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    const TmlAttemptRow *row;
    TmlError err;
    Trace run = {0};
    CHECK_OK(t, tml_sim_run(sim, trace_row, &run, &err), &err);
    const int64_t n = tml_sim_attempts(sim, &row);
    int met[2] = {0};
    // found by solving time - 0.2 = 0
    const double first = tml_system_next_break(sim->sys, 0.0, 0.0);
    const double at[2] = {first, tml_system_next_break(sim->sys, first, 0.0)};
    for (int64_t k = 1; k < n; ++k) {
        for (int i = 0; i < 2; ++i) {
            // to the bit: the attempt before ended there
            met[i] += row[k].t == at[i];
            CHECK(t, !(row[k].t < at[i] && row[k].t + row[k].h > at[i] + 1e-15));
        }
    }
    CHECK(t, tml_system_next_break(sim->sys, at[1], 0.0) == HUGE_VAL);
    // roots of straight lines: rounding
    CHECK_NEAR(t, at[0], 0.2, 1e-15);
    CHECK_NEAR(t, at[1], 0.35, 1e-15);
    CHECK(t, met[0] >= 1 && met[1] >= 1);
    // before the push nothing moves; after it v = 7 (0.15 / 2 + time since), with the error of a
    // default run: 8e-7 was measured
    CHECK_NEAR(t, run.x[POSITION][3 * 2], 0.0, 0.0);
    CHECK_NEAR(t, run.x[VELOCITY][3 * 7], 7.0 * (0.075 + 0.35), 1e-6);
    trace_free(&run);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(output_does_not_change_the_run)
{
    TmlModel *model = study_model(t, "models/cases/slider_crank_spring.yaml");
    TmlSimOptions fine = study_options(2.0, 1e-3, NULL), coarse = study_options(2.0, 2.0, NULL);
    TmlSim *a = study_sim(t, model, &fine), *b = study_sim(t, model, &coarse);
    const TmlDims *dim = tml_dims(a->sys);
    TmlError err;
    Trace rows = {0};
    CHECK_OK(t, tml_sim_run(a, trace_row, &rows, &err), &err);
    CHECK_OK(t, tml_sim_run(b, NULL, NULL, &err), &err);
    CHECK_INT(t, rows.rows, 2001);
    CHECK_INT(t, tml_sim_stats(a).steps, tml_sim_stats(b).steps);
    CHECK(t, memcmp(a->it.now.q, b->it.now.q, (size_t)dim->nq * sizeof(double)) == 0);
    CHECK(t, memcmp(a->it.now.v, b->it.now.v, (size_t)dim->nq * sizeof(double)) == 0);
    CHECK(t, tml_sim_time(a) == 2.0 && tml_row_time(a) == 2.0); // the end is met to the bit
    CHECK_INT(t, tml_sim_step(a, &err), TML_E_ARGUMENT);
    trace_free(&rows);
    tml_sim_free(a);
    tml_sim_free(b);
    tml_model_free(model);
}

TEST(runs_repeat_to_the_bit)
{
    TmlModel *model = study_model(t, "models/demo.yaml");
    const TmlSimOptions o = study_options(0.5, 0.01, NULL);
    Trace a, b;
    study_run(t, model, &o, &a);
    study_run(t, model, &o, &b);
    CHECK_INT(t, a.n[CHANNEL], b.n[CHANNEL]);
    CHECK(t, memcmp(a.x[CHANNEL], b.x[CHANNEL], (size_t)a.n[CHANNEL] * sizeof(double)) == 0);
    CHECK(t, memcmp(a.x[REACTION], b.x[REACTION], (size_t)a.n[REACTION] * sizeof(double)) == 0);
    trace_free(&a);
    trace_free(&b);
    tml_model_free(model);
}

static bool stop_after_ten(void *user, const TmlProgress *p)
{
    (void)user;
    return p->steps < 10;
}

TEST(a_run_can_be_cancelled_and_taken_up_again)
{
    TmlModel *model = study_model(t, "models/closed_forms/pendulum.yaml");
    TmlSimOptions o = study_options(0.5, 0.1, NULL);
    TmlError err;
    Trace rows = {0};
    o.hooks.progress = stop_after_ten;
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_INT(t, tml_sim_run(sim, trace_row, &rows, &err), TML_E_CANCELLED);
    CHECK_INT(t, tml_sim_stats(sim).steps, 10);
    while (tml_sim_time(sim) < 0.5) {
        if (tml_sim_step(sim, &err) != TML_OK) {
            break;
        }
    }
    CHECK(t, tml_sim_time(sim) == 0.5);
    trace_free(&rows);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(step_limits_hold)
{
    TmlModel *model = study_model(t, "models/closed_forms/pendulum.yaml");
    TmlSimOptions o = study_options(0.5, 0.1, NULL);
    Trace run;
    o.tolerance = 1e-3;
    o.first_step = 1e-5;
    o.max_step = 0.004;
    study_run(t, model, &o, &run);
    CHECK_NEAR(t, run.stats.h_first, 1e-5, 0.0);
    CHECK(t, run.stats.h_max <= 0.004);
    CHECK(t, run.stats.steps >= 125);
    trace_free(&run);
    tml_model_free(model);
}

TEST_SUITE(dynamics) = {CASE(singular_force_is_reported),
                        CASE(expression_out_of_its_domain_is_named),
                        CASE(lock_up_is_reported),
                        CASE(motions_that_are_not_finite_are_named),
                        CASE(fixed_step_fails_without_retries),
                        CASE(account_leaves_rounding_alone),
                        CASE(attempts_and_statistics_agree),
                        CASE(attempts_are_kept_when_a_run_fails),
                        CASE(attempts_are_not_kept_unless_wanted),
                        CASE(kinks_in_time_are_stepped_on),
                        CASE(output_does_not_change_the_run),
                        CASE(runs_repeat_to_the_bit),
                        CASE(a_run_can_be_cancelled_and_taken_up_again),
                        CASE(step_limits_hold),
                        {0}};
