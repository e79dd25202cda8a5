/* bench/violations.c - how well the constraints hold over long runs, at every accepted step.
 *
 * The methods that promise it, at their default tolerances, over 100 characteristic periods. The
 * figures of a run's own report are those of steps beside output rows; here every step counts.
 */
#include "analysis/driver/sim_internal.h"
#include "bench.h"

#include <math.h>

enum { PERIODS = 100 };
static const double LIMIT = 1e-10;

static const char *const columns[] = {"tolerance", "periods",  "steps",
                                      "position",  "velocity", "acceleration"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *const methods[] = {"adams",        "radau",        "rosenbrock",
                                      "tlismni-park", "tlismni-bdf2", "tlismni-trapezoidal",
                                      "tlismni-hht",  "rosenbrock-w"};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct Task {
    const char *name, *file;
    double period; /* s */
} Task;

static const Task tasks[] = {
    {"pendulum", "closed_forms/pendulum.yaml", 2.9},         /* a swing of 150 degrees */
    {"four-bar", "studies/four_bar.yaml", 1.6},              /* 2 pi sqrt(L/g), L = 0.6 m */
    {"Bricard loop", "cases/iftomm_a04_bricard.yaml", 2},    /* the same, L = 1 m */
    {"heavy top", "cases/heavy_top.yaml", 0.042},            /* a turn at 150 rad/s */
    {"rolling disc", "closed_forms/rolling_disc.yaml", 3.7}, /* a circle */
};
enum { TASKS = sizeof tasks / sizeof tasks[0] };

/* Steps to the end; the largest violations so far in row[3..5]. */
static bool run(TmlSim *sim, double *row)
{
    TmlError err;
    double v[3];
    row[3] = row[4] = row[5] = 0.0;
    while (sim->it.now.t < sim->end * (1.0 - 1e-12)) {
        if (!bench_done(tml_sim_step(sim, &err), &err)) {
            return false;
        }
        tml_system_violation(sim->sys, &sim->it.now, v);
        for (int k = 0; k < 3; ++k) {
            row[3 + k] = fmax(row[3 + k], v[k]);
        }
    }
    row[2] = (double)tml_sim_stats(sim).steps;
    return true;
}

static bool measure(BenchReport *r, const TmlModel *model, const Task *task, const char *method,
                    double worst[3])
{
    double row[COLUMNS];
    TmlError err;
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = method;
    o.end_time = o.output_step = PERIODS * task->period;
    if (!bench_done(tml_sim_create(model, &o, &sim, &err), &err)) {
        return false;
    }
    row[0] = tml_sim_tolerance(sim);
    row[1] = PERIODS;
    const bool done = run(sim, row);
    if (done) {
        bench_row(r, task->name, method, row);
        for (int k = 0; k < 3; ++k) {
            worst[k] = fmax(worst[k], row[3 + k]);
        }
    }
    tml_sim_free(sim);
    return done;
}

static bool violations_run(BenchReport *r)
{
    double worst[3] = {0};
    bool done = true;
    bench_columns(r, columns, COLUMNS);
    for (int k = 0; k < TASKS * METHODS && done; ++k) {
        const Task *task = &tasks[k % TASKS];
        TmlModel *model = bench_load(task->file, 0);
        done = model != NULL && measure(r, model, task, methods[k / TASKS], worst);
        tml_model_free(model);
    }
    bench_fact(r, "largest violation of positions, relative to the size", worst[0], LIMIT);
    bench_fact(r, "of velocities, relative to max(1, |v|)", worst[1], LIMIT);
    bench_fact(r, "of accelerations, relative to max(1, |a|)", worst[2], LIMIT);
    return done;
}

const Bench bench_violations = {"violations", "constraint violations at every step of long runs",
                                violations_run, true};
