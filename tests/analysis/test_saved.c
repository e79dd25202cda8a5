/* tests/analysis/test_saved.c - runs that are put aside at random steps go on to the same bits. */
#include "analysis/driver/image.h"
#include "base/arena.h"
#include "base/block.h"
#include "model/model.h"
#include "test.h"

#include "trammel/io.h"
#include <stdio.h>
#include <string.h>

/* All that is compared of a run: the bits of its rows, and its steps. */
typedef struct Trace {
    uint64_t sum;
    int64_t rows, steps, rejected, iterations;
    double end;
} Trace;

static void add_double(Trace *trace, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    trace->sum = (trace->sum ^ bits) * 1099511628211u;
    trace->sum ^= trace->sum >> 29;
}

static TmlStatus trace_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)err;
    Trace *trace = user;
    const TmlModel *model = tml_sim_model(sim);
    trace->rows++;
    add_double(trace, tml_row_time(sim));
    for (int b = 1; b < tml_model_body_count(model); ++b) {
        const TmlBodyState s = tml_row_body(sim, b);
        const double x[] = {s.position.x,     s.position.y, s.position.z,
                            s.velocity.x,     s.omega.z,    s.acceleration.x,
                            s.acceleration.y, s.alpha.x,    s.orientation.w};
        for (size_t k = 0; k < sizeof x / sizeof *x; ++k) {
            add_double(trace, x[k]);
        }
    }
    for (int c = 0; c < tml_row_channel_count(sim); ++c) {
        add_double(trace, tml_row_channel(sim, c));
    }
    add_double(trace, tml_row_certificate(sim).energy_error);
    return TML_OK;
}

static void trace_end(Trace *trace, const TmlSim *sim)
{
    const TmlSimStats st = tml_sim_stats(sim);
    trace->steps = st.steps;
    trace->rejected = st.rejected;
    trace->iterations = st.iterations;
    trace->end = tml_sim_time(sim);
}

static void same_trace(TestCtx *t, const char *what, const Trace *want, const Trace *got)
{
    const bool same = want->sum == got->sum && want->rows == got->rows &&
                      want->steps == got->steps && want->rejected == got->rejected &&
                      want->iterations == got->iterations && want->end == got->end;
    if (!same) {
        printf("%s: rows %lld %lld, steps %lld %lld, rejected %lld %lld, iterations %lld %lld, end "
               "%.17g %.17g\n",
               what, (long long)want->rows, (long long)got->rows, (long long)want->steps,
               (long long)got->steps, (long long)want->rejected, (long long)got->rejected,
               (long long)want->iterations, (long long)got->iterations, want->end, got->end);
    }
    CHECK(t, same);
}

/* What a run that stops does at its step number `at`. */
typedef struct Stop {
    int64_t at;
    TmlSaved *saved;
    TmlBytes bytes;
    Trace *trace, then; // then: as it was when the state was saved
    bool portable;
    TmlStatus status;
} Stop;

typedef struct User {
    Trace *trace;
    Stop *stop;
} User;

static TmlStatus stopping_row(void *user, const TmlSim *sim, TmlError *err)
{
    return trace_row(((User *)user)->trace, sim, err);
}

static TmlStatus stop_between(void *user, TmlSim *sim, TmlError *err)
{
    Stop *stop = ((User *)user)->stop;
    if (stop == NULL || tml_sim_stats(sim).steps != stop->at) {
        return TML_OK;
    }
    stop->then = *stop->trace;
    stop->status = stop->portable ? tml_sim_freeze(sim, &stop->bytes, err)
                                  : tml_sim_save(sim, &stop->saved, err);
    return stop->status;
}

typedef struct Case {
    const char *model;
    double end;
} Case;

static TmlSimOptions options_of(const Case *c, const char *integrator)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = integrator;
    o.end_time = c->end;
    o.output_step = c->end / 23.0;
    return o;
}

/* A state for another process is brought back in this one, where everything stands at other addresses. */
static TmlSim *bring_back(TestCtx *t, Stop *stop, const TmlHooks *hooks, TmlModel **model)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    const TmlStatus status = stop->portable ? tml_sim_thaw(&stop->bytes, hooks, model, &sim, &err)
                                            : tml_sim_create_saved(stop->saved, hooks, &sim, &err);
    if (status != TML_OK) {
        printf("%s\n", err.message);
    }
    CHECK(t, status == TML_OK);
    return sim;
}

/* Runs from the state that was kept, in a new sim, while the first is gone. */
static void check_goes_on(TestCtx *t, const char *what, Stop *stop, const Trace *want)
{
    TmlError err = {0};
    Trace got = stop->then;
    User user = {&got, NULL};
    TmlModel *model = NULL;
    const TmlHooks hooks = {.user = &user, .between = stop_between};
    TmlSim *sim = bring_back(t, stop, &hooks, &model);
    if (sim == NULL) {
        return;
    }
    CHECK(t, tml_sim_run(sim, stopping_row, &user, &err) == TML_OK);
    trace_end(&got, sim);
    same_trace(t, what, want, &got);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A run from one end to the other; and with a stop at the same time. */
static bool trace_run(const TmlModel *model, const TmlSimOptions *o, Stop *stop, Trace *trace,
                      TmlSim **kept)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    static User user; // the hooks of a sim outlast this call
    user = (User){trace, stop};
    TmlSimOptions own = *o;
    own.hooks = (TmlHooks){.user = &user, .between = stop_between};
    TmlStatus status = tml_sim_create(model, &own, &sim, &err);
    if (status == TML_OK) {
        status = tml_sim_run(sim, stopping_row, &user, &err);
        trace_end(trace, sim);
    } else {
        printf("(%s)\n", err.message);
    }
    *kept = sim;
    return status == TML_OK;
}

static uint32_t lot = 20261;

static uint32_t next_lot(uint32_t n)
{
    lot = lot * 1664525u + 1013904223u;
    return (lot >> 8) % n;
}

static TmlModel *load(TestCtx *t, const char *name)
{
    char path[512];
    TmlError err = {0};
    TmlModel *model = NULL;
    snprintf(path, sizeof path, "%s/%s", test_source_dir(), name);
    if (tml_load(path, 0, NULL, NULL, &model, &err) != TML_OK) {
        printf("%s\n", err.message);
    }
    CHECK(t, model != NULL);
    return model;
}

static void check_case(TestCtx *t, const Case *c, const char *integrator, bool portable)
{
    char what[256];
    TmlSim *sim = NULL;
    Trace want = {0}, got = {0};
    TmlModel *model = load(t, c->model);
    const TmlSimOptions o = options_of(c, integrator);
    snprintf(what, sizeof what, "%s by %s%s", c->model, integrator, portable ? ", as bytes" : "");
    if (model != NULL && trace_run(model, &o, NULL, &want, &sim) && want.steps > 1) {
        tml_sim_free(sim);
        Stop stop = {
            .at = 1 + next_lot((uint32_t)want.steps - 1), .trace = &got, .portable = portable};
        CHECK(t, trace_run(model, &o, &stop, &got, &sim));
        same_trace(t, what, &want, &got);      // saving changes nothing
        if (!portable && stop.saved != NULL) { // the same sim goes back
            TmlError err = {0};
            got = stop.then;
            CHECK(t, tml_sim_restore_saved(sim, stop.saved, &err) == TML_OK);
            stop.at = 0;
            User user = {&got, NULL};
            CHECK(t, tml_sim_run(sim, stopping_row, &user, &err) == TML_OK);
            trace_end(&got, sim);
            same_trace(t, what, &want, &got);
        }
        tml_sim_free(sim);
        sim = NULL;
        if (portable) {
            tml_model_free(model);
            model = NULL;
        }
        check_goes_on(t, what, &stop, &want);
        tml_saved_free(stop.saved);
        tml_bytes_free(&stop.bytes);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

static const Case cases[] = {
    {"models/double_pendulum.yaml", 0.06},
    {"models/demo.yaml", 0.04},
    {"models/pid.yaml", 0.1},
    {"models/reaction_time.yaml", 0.5},
    {"models/contact/bouncing_ball.yaml", 0.6},
    {"models/elements/friction.yaml", 0.1},
    {"models/closed_forms/four_bar.yaml", 0.05},
    {"models/flexible/pendulum.yaml", 0.01},
};

static void check_all(TestCtx *t, bool portable)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        for (int i = 0; tml_integrator_name(i) != NULL; ++i) {
            check_case(t, &cases[k], tml_integrator_name(i), portable);
        }
    }
}

TEST(in_memory)
{
    check_all(t, false);
}

TEST(as_bytes)
{
    check_all(t, true);
}

/* --- refusals ----------------------------------------------------------------------------------- */

static TmlSim *sim_of(TestCtx *t, const TmlModel *model)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    const TmlSimOptions o = tml_sim_options_default();
    CHECK_OK(t, model != NULL ? tml_sim_create(model, &o, &sim, &err) : TML_E_MODEL, &err);
    return sim;
}

/* A state goes back into runs of its own model only, also where another model is read from the same file. */
TEST(states_of_another_model_are_refused)
{
    TmlModel *one = load(t, "models/double_pendulum.yaml"),
             *two = load(t, "models/double_pendulum.yaml");
    TmlSim *a = sim_of(t, one), *b = sim_of(t, two);
    TmlSaved *saved = NULL;
    TmlError err = {0};
    if (a != NULL && b != NULL) {
        CHECK_OK(t, tml_sim_save(a, &saved, &err), &err);
        CHECK_INT(t, tml_sim_restore_saved(b, saved, &err), TML_E_ARGUMENT);
        CHECK_HAS(t, err.message, "another model");
        CHECK_OK(t, tml_sim_restore_saved(a, saved, &err), &err);
    }
    tml_saved_free(saved);
    tml_sim_free(a);
    tml_sim_free(b);
    tml_model_free(one);
    tml_model_free(two);
}

/* Nobody knows the own variables of user-written routines: such a run cannot leave the process. */
TEST(user_routines_stay_in_the_process)
{
    TmlModel *model = load(t, "models/double_pendulum.yaml");
    TmlSim *sim = sim_of(t, model);
    TmlBytes bytes = {0};
    TmlError err = {0};
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_freeze(sim, &bytes, &err), &err);
        const size_t n = bytes.n;
        int routines = 0; // what a loaded library hands over
        model->attached.self = &routines;
        CHECK_INT(t, tml_sim_freeze(sim, &bytes, &err), TML_E_ARGUMENT);
        CHECK_HAS(t, err.message, "user-written routines");
        CHECK(t, n > 0 && bytes.n == n); // nothing was written
        model->attached.self = NULL;
    }
    tml_bytes_free(&bytes);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(saved) = {
    CASE(in_memory),
    CASE(as_bytes),
    CASE(states_of_another_model_are_refused),
    CASE(user_routines_stay_in_the_process),
    {0},
};
