/* tests/robust/test_run.c - runs that are repeated, shared, cancelled, stopped or fail. */
#include "robust_util.h"

#include "base/fail.h"

#include <pthread.h>

static TmlModel *load(TestCtx *t)
{
    char *text = everything_text();
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "everything", 0, NULL, NULL, &m, &err), &err);
    free(text);
    return m;
}

/* --- repetition ------------------------------------------------------------------------------- */

typedef struct Job {
    const TmlModel *model;
    TmlStatus status;
    TmlError err;
    Record record;
    int64_t steps, iterations;
} Job;

static void *job_run(void *arg)
{
    Job *job = arg;
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 0.05;
    job->status = tml_sim_create(job->model, &o, &sim, &job->err);
    if (job->status == TML_OK) {
        job->status = tml_sim_run(sim, record_row, &job->record, &job->err);
        const TmlSimStats st = tml_sim_stats(sim);
        job->steps = st.steps;
        job->iterations = st.iterations;
    }
    tml_sim_free(sim);
    return NULL;
}

static void check_same(TestCtx *t, const Job *a, const Job *b)
{
    CHECK_OK(t, b->status, &b->err);
    CHECK_INT(t, b->steps, a->steps);
    CHECK_INT(t, b->iterations, a->iterations);
    CHECK_INT(t, b->record.n, a->record.n);
    CHECK(t, a->record.rows > 5 && b->record.n == a->record.n &&
                 memcmp(a->record.x, b->record.x, a->record.n * sizeof(double)) == 0);
}

TEST(two_runs_give_equal_bits)
{
    TmlModel *m = load(t), *again = load(t);
    Job a = {.model = m}, b = {.model = m}, c = {.model = again};
    if (m != NULL && again != NULL) {
        job_run(&a);
        job_run(&b); // the first run left no trace in the model
        job_run(&c); // nor does it matter where things lie in memory
        CHECK_OK(t, a.status, &a.err);
        check_same(t, &a, &b);
        check_same(t, &a, &c);
    }
    record_free(&a.record);
    record_free(&b.record);
    record_free(&c.record);
    tml_model_free(m);
    tml_model_free(again);
}

TEST(threads_share_a_model)
{
    enum { THREADS = 4 };
    TmlModel *m = load(t);
    Job alone = {.model = m}, job[THREADS] = {{0}};
    pthread_t thread[THREADS];
    bool started[THREADS] = {false};
    // the threads first: nobody has warmed up the model for them
    for (int k = 0; m != NULL && k < THREADS; ++k) {
        job[k].model = m;
        started[k] = pthread_create(&thread[k], NULL, job_run, &job[k]) == 0;
        CHECK(t, started[k]);
    }
    for (int k = 0; k < THREADS; ++k) {
        if (started[k]) {
            pthread_join(thread[k], NULL);
        }
    }
    if (m != NULL) {
        job_run(&alone);
        CHECK_OK(t, alone.status, &alone.err);
    }
    for (int k = 0; k < THREADS; ++k) {
        if (started[k]) {
            check_same(t, &alone, &job[k]);
        }
        record_free(&job[k].record);
    }
    record_free(&alone.record);
    tml_model_free(m);
}

TEST(steps_and_run_agree)
{
    // stepping by hand, then running on, is the same run with fewer rows
    Record all = {0}, rest = {0};
    TmlModel *m = load(t);
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 0.02;
    o.output_step = 0.001;
    o.max_step = 5e-4; // the step that passes 0.0101 leaves the row at 0.011 to those after it
    TmlSim *a = NULL, *b = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_sim_create(m, &o, &a, &err), &err);
    CHECK_OK(t, tml_sim_create(m, &o, &b, &err), &err);
    if (a != NULL && b != NULL) {
        CHECK_OK(t, tml_sim_run(a, record_row, &all, &err), &err);
        while (tml_sim_time(b) < 0.0101) {
            CHECK_OK(t, tml_sim_step(b, &err), &err);
        }
        CHECK_OK(t, tml_sim_run(b, record_row, &rest, &err), &err);
        CHECK_NEAR(t, tml_sim_time(b), tml_sim_time(a), 0);
        CHECK_NEAR(t, tml_sim_time(b), 0.02, 0);
        CHECK_INT(t, tml_sim_stats(b).steps, tml_sim_stats(a).steps);
        CHECK_INT(t, all.rows, 21);
        CHECK_INT(t, rest.rows, 10); // from 0.011 on
        CHECK(t, rest.n < all.n &&
                     memcmp(all.x + all.n - rest.n, rest.x, rest.n * sizeof(double)) == 0);
    }
    record_free(&all);
    record_free(&rest);
    tml_sim_free(a);
    tml_sim_free(b);
    tml_model_free(m);
}

/* --- cancelled and stopped -------------------------------------------------------------------- */

typedef struct Patience {
    int64_t steps; // patience is lost after so many
    double time;
    int calls;
} Patience;

static bool patience_progress(void *user, const TmlProgress *p)
{
    Patience *x = user;
    x->calls++;
    x->time = p->time;
    return p->steps < x->steps;
}

/* Checks that all that can be read of a sim is finite. */
static void check_readable(TestCtx *t, const TmlSim *sim)
{
    const TmlModel *m = tml_sim_model(sim);
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        t->name = tml_row_channel_name(sim, k);
        CHECK(t, isfinite(tml_row_channel(sim, k)));
        CHECK(t, tml_row_channel_unit(sim, k) != NULL);
    }
    for (int k = 0; k < tml_model_body_count(m); ++k) {
        t->name = tml_model_body_name(m, k);
        CHECK(t, isfinite(tml_row_body(sim, k).position.x));
    }
    for (int k = 0; k < tml_model_joint_count(m); ++k) {
        t->name = tml_model_joint_name(m, k);
        CHECK(t, isfinite(tml_row_reaction(sim, k).force.x));
    }
    const TmlAttemptRow *rows;
    const TmlSimStats st = tml_sim_stats(sim);
    t->name = NULL;
    CHECK_INT(t, tml_sim_attempts(sim, &rows), st.steps + st.rejected);
    CHECK(t, isfinite(tml_row_certificate(sim).kinetic));
}

TEST(progress_cancels)
{
    TmlModel *m = load(t);
    Patience patience = {.steps = 50};
    Record record = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.output_step = 1e-5; // there are several rows before the cancelled step
    o.hooks = (TmlHooks){.user = &patience, .progress = patience_progress};
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
    if (sim != NULL) {
        CHECK_INT(t, tml_sim_run(sim, record_row, &record, &err), TML_E_CANCELLED);
        CHECK_HAS(t, err.message, "cancelled at t = ");
        CHECK_INT(t, patience.calls, 50);
        CHECK_NEAR(t, tml_sim_time(sim), patience.time, 0);
        CHECK_INT(t, tml_sim_stats(sim).steps, 50);
        // all rows up to the last accepted step are there
        CHECK_INT(t, record.rows, (int)(patience.time / o.output_step * (1.0 + 1e-12)) + 1);
        check_readable(t, sim);

        // a cancelled run can go on, and ends as if nothing had been
        patience.steps = INT64_MAX;
        CHECK_OK(t, tml_sim_run(sim, record_row, &record, &err), &err);
        CHECK_INT(t, record.rows, 10001);
    }
    record_free(&record);
    tml_sim_free(sim);
    tml_model_free(m);
}

static TmlStatus stop_at_third(void *user, const TmlSim *sim, TmlError *err)
{
    int *rows = user;
    (void)sim;
    return ++*rows < 3 ? TML_OK : tml_fail(err, TML_E_IO, "the disk is full");
}

TEST(row_function_stops)
{
    TmlModel *m = load(t);
    TmlSim *sim = NULL;
    TmlError err = {0};
    int rows = 0;
    CHECK_OK(t, tml_sim_create(m, NULL, &sim, &err), &err);
    if (sim != NULL) {
        CHECK_INT(t, tml_sim_run(sim, stop_at_third, &rows, &err), TML_E_IO);
        CHECK_STR(t, err.message, "the disk is full");
        CHECK_INT(t, rows, 3);
        check_readable(t, sim);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

/* --- failure ---------------------------------------------------------------------------------- */

static void check_failure(TestCtx *t, const char *force, TmlStatus status, const char *message)
{
    char text[1024];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies: {block: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
             "joints: {slide: {type: translational, bodies: [ground, block], at: [0, 0, 0], "
             "axis: x}}\n"
             "forces: {f: {type: force, body: block, fx: \"%s\"}}\n"
             "outputs: {x: DX(block)}\n"
             "simulate: {end: 2, output_step: 0.1, tolerance: 1e-6}\n",
             force);
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    Record record = {0};
    CHECK_OK(t, tml_load_text(text, "block", 0, NULL, NULL, &m, &err), &err);
    CHECK_OK(t, tml_sim_create(m, NULL, &sim, &err), &err);
    if (sim != NULL) {
        CHECK_INT(t, tml_sim_run(sim, record_row, &record, &err), status);
        CHECK_INT(t, err.status, status);
        CHECK_HAS(t, err.message, message);
        // where it meets the trouble, up to the last steps before it: 4e-4 s was measured
        CHECK_NEAR(t, tml_sim_time(sim), 1.0, 5e-3);
        CHECK(t, record.rows >= 10); // the rows before the failure are there
        check_readable(t, sim);
        // trying once more does no harm
        (void)!tml_sim_step(sim, &err);
        CHECK_NEAR(t, tml_sim_time(sim), 1.0, 5e-3);
        CHECK_OK(t, tml_sim_row_at(sim, tml_sim_time(sim), &err), &err); // if it was taken
        check_readable(t, sim);
    }
    record_free(&record);
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST(failed_runs_can_be_read)
{
    // the force leaves its domain, or is infinite, when the block is past x = 1
    check_failure(t, "1e-3*sqrt(1 - DX(block))", TML_E_STEP, "at t = ");
    check_failure(t, "if(DX(block) < 1, 0, 1/(DX(block) - DX(block)))", TML_E_STEP, "at t = 1");
}

TEST_SUITE(robust_run) = {CASE(two_runs_give_equal_bits),
                          CASE(threads_share_a_model),
                          CASE(steps_and_run_agree),
                          CASE(progress_cancels),
                          CASE(row_function_stops),
                          CASE(failed_runs_can_be_read),
                          {0}};
