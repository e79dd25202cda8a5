/* tests/analysis/study.h - measured runs: traces of states and rows, errors, orders of convergence.
 */
#pragma once

#include "test.h"

#include "analysis/driver/sim_internal.h"
#include "trammel/io.h"

#include <stdlib.h>

/* What a trace holds: raw coordinates and rates of the accepted states, and what rows report. */
typedef enum Kind { POSITION, VELOCITY, REACTION, CHANNEL, KINDS } Kind;

typedef struct Trace {
    double *x[KINDS];
    int n[KINDS], cap[KINDS];
    int rows;
    TmlSimStats stats;
} Trace;

static inline void trace_add(Trace *trace, Kind kind, int n, const double *x)
{
    if (trace->n[kind] + n > trace->cap[kind]) {
        trace->cap[kind] = 2 * (trace->n[kind] + n) + 64;
        trace->x[kind] = realloc(trace->x[kind], (size_t)trace->cap[kind] * sizeof *x);
    }
    memcpy(trace->x[kind] + trace->n[kind], x, (size_t)n * sizeof *x);
    trace->n[kind] += n;
}

static inline void trace_free(Trace *trace)
{
    for (int k = 0; k < KINDS; ++k) {
        free(trace->x[k]);
    }
    *trace = (Trace){0};
}

static inline TmlStatus trace_row(void *user, const TmlSim *sim, TmlError *err)
{
    Trace *trace = user;
    const TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    (void)err;
    trace_add(trace, POSITION, dim->nq, sim->it.now.q);
    trace_add(trace, VELOCITY, dim->nq, sim->it.now.v);
    for (int k = 0; k < sim->model->constraints.n; ++k) {
        const TmlReaction r = tml_row_reaction(sim, k);
        const double x[6] = {r.force.x, r.force.y, r.force.z, r.torque.x, r.torque.y, r.torque.z};
        trace_add(trace, REACTION, 6, x);
    }
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        const double x = tml_row_channel(sim, k);
        trace_add(trace, CHANNEL, 1, &x);
    }
    trace->rows++;
    return TML_OK;
}

/* Largest difference of two traces relative to the largest value of the second. */
static inline double trace_error(const Trace *a, const Trace *b, Kind kind)
{
    double size = 0.0, off = 0.0;
    if (a->n[kind] != b->n[kind] || a->n[kind] == 0) {
        return (double)NAN;
    }
    for (int k = 0; k < a->n[kind]; ++k) {
        size = fmax(size, fabs(b->x[kind][k]));
        off = fmax(off, fabs(a->x[kind][k] - b->x[kind][k]));
    }
    return off / fmax(size, 1e-300);
}

/* Value of a channel in a row; not a number when the run did not get there. */
static inline double trace_value(const Trace *run, int row, int channel)
{
    if (row >= run->rows || run->rows == 0) {
        return (double)NAN;
    }
    return run->x[CHANNEL][row * (run->n[CHANNEL] / run->rows) + channel];
}

/* A model from text, or from a file below the source folder when `text` begins with "models/". */
static inline TmlModel *study_model(TestCtx *t, const char *text)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    if (strncmp(text, "models/", 7) == 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", test_source_dir(), text);
        CHECK_OK(t, tml_load(path, 0, NULL, NULL, &model, &err), &err);
    } else {
        CHECK_OK(t, tml_load_text(text, "test", 0, NULL, NULL, &model, &err), &err);
    }
    return model;
}

/* One integrator option, as text, in the options of a run. */
typedef struct OneOption {
    const char *key, *value;
} OneOption;

/* Runs by hht, whatever the default is; tests of other methods set their own. */
static inline TmlSimOptions study_options(double end, double output_step, const OneOption *option)
{
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = end;
    o.output_step = output_step;
    o.integrator = "hht";
    if (option != NULL) {
        o.n_options = 1;
        o.option_key = &option->key;
        o.option_value = &option->value;
    }
    return o;
}

static inline TmlSim *study_sim(TestCtx *t, const TmlModel *model, const TmlSimOptions *o)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    if (model != NULL) {
        CHECK_OK(t, tml_sim_create(model, o, &sim, &err), &err);
    }
    return sim;
}

/* A whole run; false when it fails, which is a failed check. */
static inline bool study_run(TestCtx *t, const TmlModel *model, const TmlSimOptions *o, Trace *out)
{
    TmlError err = {0};
    TmlSim *sim = study_sim(t, model, o);
    *out = (Trace){0};
    if (sim == NULL) {
        return false;
    }
    const TmlStatus status = tml_sim_run(sim, trace_row, out, &err);
    CHECK_OK(t, status, &err);
    out->stats = tml_sim_stats(sim);
    tml_sim_free(sim);
    return status == TML_OK;
}

/* Slope of log y over log x by regression. */
static inline double study_slope(int n, const double *x, const double *y)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int k = 0; k < n; ++k) {
        const double a = log(x[k]), b = log(y[k]);
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* Tables of the measured figures are printed on demand (docs/theory/hht.md quotes them). */
static inline bool study_verbose(void)
{
    return getenv("TRAMMEL_TABLES") != NULL;
}

/* --- single steps, past the driver ---------------------------------------------------------- */

/* Try a step and keep it, whatever its error. */
static inline bool study_step(TestCtx *t, TmlSim *sim, double h, TmlAttempt *a)
{
    TmlIntegrator *it = &sim->it;
    TmlError err = {0};
    CHECK_OK(t, sim->type->attempt(it, h, a, &err), &err);
    CHECK(t, a->converged);
    CHECK_OK(t, sim->type->accept(it, h, &err), &err);
    const TmlState old = it->now;
    it->now = it->next;
    it->next = old;
    tml_system_commit(sim->sys, &it->now);
    return a->converged;
}

/* Accelerations and multipliers at the present state, velocities on their constraints first. */
static inline void study_settle(TestCtx *t, TmlSim *sim)
{
    TmlError err = {0};
    CHECK(t, tml_system_project_velocity(sim->sys, &sim->it.now));
    CHECK_OK(t, tml_system_accelerations(sim->sys, &sim->it.now, &err), &err);
}
