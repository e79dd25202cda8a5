/* bench/projection.c - what it costs to put velocities and accelerations back onto their
 * constraints after each step of hht, and what it buys.
 *
 * Errors are the largest differences, over all bodies and output rows, to a run with a tolerance
 * far below; rows are moved onto the constraints by the output itself, so violations are those of
 * the steps.
 */
#include "base/clock.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>

typedef struct Task {
    const char *name, *file;
    int bodies; /* parameter N; 0: the model has none */
    double end;
} Task;

static const char *const columns[] = {
    "tolerance", "steps",   "iterations",   "refactors", "seconds", "step_us",  "error_r",
    "error_v",   "error_a", "energy_error", "phi",       "phi_dot", "phi_ddot",
};
enum { COLUMNS = sizeof columns / sizeof columns[0], ROWS = 50 };

/* Body states of all rows of a run. */
typedef struct Trace {
    int bodies, n, cap;
    TmlBodyState *state;
    double energy_error;
} Trace;

static TmlStatus keep_row(void *user, const TmlSim *sim, TmlError *err)
{
    Trace *t = user;
    (void)err;
    for (int b = 1; b <= t->bodies && t->n < t->cap; ++b) {
        t->state[t->n++] = tml_row_body(sim, b);
    }
    t->energy_error = fmax(t->energy_error, fabs(tml_row_certificate(sim).energy_error));
    return TML_OK;
}

static double distance(TmlVec3 a, TmlVec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* One run; errors of positions, velocities and accelerations of the centres against `exact`. */
static bool run(const TmlModel *model, const Task *task, const char *projection, double tolerance,
                Trace *trace, TmlSimStats *stats)
{
    static const char *const key = "projection";
    TmlError err;
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "hht";
    o.end_time = task->end;
    o.output_step = task->end / ROWS;
    o.tolerance = tolerance;
    o.n_options = 1;
    o.option_key = &key;
    o.option_value = &projection;
    trace->bodies = tml_model_body_count(model) - 1;
    trace->cap = (ROWS + 2) * trace->bodies;
    trace->n = 0;
    trace->energy_error = 0.0;
    trace->state =
        trace->state != NULL ? trace->state : calloc((size_t)trace->cap, sizeof *trace->state);
    bool done = trace->state != NULL && bench_done(tml_sim_create(model, &o, &sim, &err), &err);
    done = done && bench_done(tml_sim_run(sim, keep_row, trace, &err), &err);
    if (done) {
        *stats = tml_sim_stats(sim);
    }
    tml_sim_free(sim);
    return done;
}

static void errors(const Trace *a, const Trace *exact, double *out)
{
    out[0] = out[1] = out[2] = a->n == exact->n ? 0.0 : (double)NAN;
    for (int k = 0; k < a->n && k < exact->n; ++k) {
        const TmlBodyState *x = &a->state[k], *y = &exact->state[k];
        out[0] = fmax(out[0], distance(x->position, y->position));
        out[1] = fmax(out[1], distance(x->velocity, y->velocity));
        out[2] = fmax(out[2], distance(x->acceleration, y->acceleration));
    }
}

static bool measure(BenchReport *r, const TmlModel *model, const Task *task, const char *projection,
                    double tolerance, const Trace *exact)
{
    Trace trace = {0};
    TmlSimStats s = {0};
    double best = (double)INFINITY, e[3];
    bool done = true;
    for (int k = 0; k < r->repeats && done; ++k) {
        done = run(model, task, projection, tolerance, &trace, &s);
        best = fmin(best, s.seconds_total - s.seconds_output);
    }
    errors(&trace, exact, e);
    const double row[COLUMNS] = {tolerance,
                                 (double)s.steps,
                                 (double)s.iterations,
                                 (double)s.refactorizations,
                                 best,
                                 1e6 * best / (double)s.steps,
                                 e[0],
                                 e[1],
                                 e[2],
                                 trace.energy_error,
                                 s.max_phi,
                                 s.max_phi_dot,
                                 s.max_phi_ddot};
    if (done) {
        bench_row(r, task->name, projection, row);
    }
    free(trace.state);
    return done;
}

static bool measure_task(BenchReport *r, const Task *task)
{
    static const char *const projection[] = {"none", "velocity", "full"};
    static const double tolerance[] = {1e-5, 1e-7};
    TmlModel *model = bench_load(task->file, task->bodies);
    Trace exact = {0};
    TmlSimStats s;
    bool done = model != NULL && run(model, task, "none", 1e-10, &exact, &s);
    for (int k = 0; k < 6 && done; ++k) {
        done = measure(r, model, task, projection[k % 3], tolerance[k / 3], &exact);
    }
    free(exact.state);
    tml_model_free(model);
    return done;
}

static bool projection_run(BenchReport *r)
{
    static const Task task[] = {{"chain of 10", "closed_forms/chain_spherical.yaml", 10, 0.5},
                                {"Bricard loop", "cases/iftomm_a04_bricard.yaml", 0, 1.0},
                                {"seven bodies", "cases/andrews.yaml", 0, 0.03}};
    bench_columns(r, columns, COLUMNS);
    return measure_task(r, &task[0]) && measure_task(r, &task[1]) && measure_task(r, &task[2]);
}

const Bench bench_projection = {"projection",
                                "cost and accuracy of projection=none|velocity|full of hht",
                                projection_run, false};
