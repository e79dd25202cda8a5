/* tests/robust/test_memory.c - a run allocates nothing, and every allocation may fail.
 *
 * The model has one element of each registered type. The memory of libfyaml is not ours, and that
 * of SuiteSparse comes from its own hook, which is counted apart: a full factorisation chooses its
 * pivots anew and takes memory for them, a repeated one does not.
 */
#include "robust_util.h"

#include "analysis/driver/sim_internal.h"
#include "model/registry.h"
#include "sparse/klu_memory.h"

TEST(the_model_has_every_type)
{
    char *text = everything_text();
    TmlError err;
    TmlModel *m = NULL;
    CHECK_OK(t, tml_load_text(text, "everything", 0, NULL, NULL, &m, &err), &err);
    for (const TmlConstraintType *const *c = tml_constraint_types; m != NULL && *c != NULL; ++c) {
        bool found = false;
        for (int k = 0; k < m->constraints.n; ++k) {
            found = found || m->constraints.at[k].type == *c;
        }
        t->name = (*c)->info.name;
        CHECK(t, found);
    }
    for (const TmlForceType *const *f = tml_force_types; m != NULL && *f != NULL; ++f) {
        bool found = false;
        for (int k = 0; k < m->forces.n; ++k) {
            found = found || m->forces.at[k].type == *f;
        }
        const char *said = (*f)->info.example;
        found = found || (said != NULL && strstr(said, ".tir") != NULL); // a file of the user
        found = found || (*f)->ends == TML_ENDS_MODAL;                   // a part from a file
        t->name = (*f)->info.name;
        CHECK(t, found);
    }
    tml_model_free(m);
    free(text);
}

/* --- no allocation in the loop ---------------------------------------------------------------- */

typedef struct Watch {
    Counter *memory;
    long calls, klu;     // at the end of the last row or step
    int64_t factors;     // full factorisations so far
    long in_loop;        // allocations of ours
    long without_factor; // of KLU, in steps that only repeated factorisations
} Watch;

/* Full factorisations of all matrices, those of rows too, which the statistics of the run leave out. */
static int64_t full_factors(TmlSim *sim)
{
    int64_t n = 0;
    for (int k = 0; k < TML_FACTORS_COUNT; ++k) {
        const TmlLuInfo *info = tml_system_lu_info(sim->sys, (TmlFactors)k);
        n += info != NULL ? info->factors : 0;
    }
    return n;
}

static void watch_start(Watch *w, TmlSim *sim)
{
    w->calls = w->memory->calls;
    w->klu = klu_calls;
    w->factors = full_factors(sim);
}

static void watch_step(Watch *w, TmlSim *sim)
{
    const int64_t factors = full_factors(sim);
    w->in_loop += w->memory->calls - w->calls;
    if (factors == w->factors) {
        w->without_factor += klu_calls - w->klu;
    }
    watch_start(w, sim);
}

/* Runs as tml_sim_run does, with a look at the counters after every step. */
static void run_watched(TestCtx *t, TmlSim *sim, int steps, Watch *w)
{
    TmlError err;
    watch_start(w, sim);
    for (int k = 0; k < steps && tml_sim_time(sim) < tml_sim_end_time(sim); ++k) {
        CHECK_OK(t, tml_sim_step(sim, &err), &err);
        CHECK_OK(t, tml_sim_emit_rows(sim, NULL, NULL, false, &err), &err);
        watch_step(w, sim);
    }
}

TEST(thousand_steps_allocate_nothing)
{
    enum { STEPS = 1000 };
    Counter memory = {0};
    Watch watch = {.memory = &memory};
    char *text = everything_text();
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err;
    TmlSimOptions o = tml_sim_options_default();
    o.record_solver = false;
    o.end_time = 10.0;
    o.output_step = 1e-3;
    counter_set(&memory);
    klu_count(true);
    CHECK_OK(t, tml_load_text(text, "everything", 0, NULL, NULL, &m, &err), &err);
    CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
    if (sim != NULL) {
        run_watched(t, sim, STEPS, &watch);
        CHECK_INT(t, tml_sim_stats(sim).steps, STEPS);
        CHECK(t, tml_row_time(sim) > 10.0 * o.output_step); // rows were made on the way
        CHECK(t, tml_sim_stats(sim).refactorizations > 10); // the path was taken
    }
    CHECK_INT(t, watch.in_loop, 0);
    CHECK_INT(t, watch.without_factor, 0);
    tml_sim_free(sim);
    tml_model_free(m);
    CHECK_INT(t, memory.live, 0);
    klu_count(false);
    tml_set_allocator(NULL);
    free(text);
}

/* --- out of memory ---------------------------------------------------------------------------- */

/* Loads, creates, and runs to the end, which emits rows. */
static TmlStatus whole_run(const char *text, TmlError *err)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 2e-4;
    o.output_step = 1e-4;
    TmlStatus status = tml_load_text(text, "everything", 0, NULL, NULL, &m, err);
    if (status == TML_OK) {
        status = tml_sim_create(m, &o, &sim, err);
    }
    if (status == TML_OK) {
        status = tml_sim_run(sim, NULL, NULL, err);
        (void)tml_sim_stats(sim);
    }
    tml_sim_free(sim);
    tml_model_free(m);
    return status;
}

/* Asks for all that is told of models and formats, and writes results in both kinds of file. */
static TmlStatus texts(const char *text, TmlError *err)
{
    TmlModel *m = NULL;
    char *out = NULL;
    TmlStatus status = tml_load_text(text, "everything", 0, NULL, NULL, &m, err);
    status = status == TML_OK ? tml_describe(m, NULL, &out, err) : status;
    tml_text_free(out);
    out = NULL;
    status = status == TML_OK ? tml_help("revolute", &out, err) : status;
    tml_text_free(out);
    out = NULL;
    status = status == TML_OK ? tml_help(NULL, &out, err) : status;
    tml_text_free(out);
    out = NULL;
    status = status == TML_OK ? tml_schema(&out, err) : status;
    tml_text_free(out);
    tml_model_free(m);
    return status;
}

static TmlStatus write_row(void *user, const TmlSim *sim, TmlError *err)
{
    return tml_writer_row(user, sim, err);
}

static TmlStatus write_file(TmlSim *sim, const char *name, bool run, TmlError *err)
{
    char path[1024];
    TmlWriter *w = NULL;
    snprintf(path, sizeof path, "%s/%s", TRAMMEL_BINARY_DIR, name);
    TmlStatus status = tml_writer_open(path, sim, &w, err);
    if (status == TML_OK && run) {
        status = tml_sim_run(sim, write_row, w, err);
    }
    const TmlStatus closed = tml_writer_close(w, sim, status == TML_OK ? err : NULL);
    remove(path);
    return status == TML_OK ? closed : status;
}

/* Takes a small model, as files are slow. */
static TmlStatus files(const char *text, TmlError *err)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1e-3;
    (void)text;
    TmlStatus status = tml_load_text("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                                     "trammel: 1\n"
                                     "outputs: {x: DX(a)}\n",
                                     "small", 0, NULL, NULL, &m, err);
    status = status == TML_OK ? tml_sim_create(m, &o, &sim, err) : status;
    status = status == TML_OK ? write_file(sim, "robust.h5", true, err) : status;
    status = status == TML_OK ? write_file(sim, "robust.csv", false, err) : status;
    tml_sim_free(sim);
    tml_model_free(m);
    return status;
}

/* A failed allocation may be bridged (a log that does not grow, a table of names that is searched
 * instead), but must not be told as anything else than want of memory. */
static void sweep(TestCtx *t, TmlStatus (*task)(const char *text, TmlError *err), long least)
{
    char *text = everything_text();
    long k = 1, told = 0;
    for (bool failed = true; failed; ++k) {
        Counter memory = {.fail_at = k};
        TmlError err = {0};
        counter_set(&memory);
        const TmlStatus status = task(text, &err);
        tml_set_allocator(NULL);
        failed = memory.failed;
        if (memory.live != 0) {
            test_fail(t, __FILE__, __LINE__, "allocation %ld failed: %ld blocks leak", k,
                      memory.live);
        }
        if (status != TML_OK && status != TML_E_NOMEM) {
            test_fail(t, __FILE__, __LINE__, "allocation %ld failed: %s: %s", k,
                      tml_status_name(status), err.message);
        }
        told += status == TML_E_NOMEM;
        if (!failed) {
            CHECK_INT(t, status, TML_OK);
        }
    }
    CHECK(t, told >= least); // the sweep has reached what it should
    free(text);
}

TEST(every_allocation_of_a_run_may_fail)
{
    sweep(t, whole_run, 100);
}

TEST(every_allocation_of_texts_may_fail)
{
    sweep(t, texts, 100);
}

TEST(every_allocation_of_files_may_fail)
{
    sweep(t, files, 20);
}

TEST_SUITE(robust_memory) = {
    CASE(the_model_has_every_type),           CASE(thousand_steps_allocate_nothing),
    CASE(every_allocation_of_a_run_may_fail), CASE(every_allocation_of_texts_may_fail),
    CASE(every_allocation_of_files_may_fail), {0}};
