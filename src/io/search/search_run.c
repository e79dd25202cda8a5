/* io/search/search_run.c - a run of the model with given parameters. */
#include "io/search/search.h"

#include "base/fail.h"
#include "trammel/gradient.h"

#include <math.h>
#include <string.h>

static const double tight_tolerance = 1e-9; // of runs that are compared: leaves 1e-5 in slopes

static bool on_progress(void *user, const TmlProgress *p)
{
    TmlSearch *s = user;
    (void)p;
    if (s->hooks.go_on != NULL && !s->hooks.go_on(s->hooks.user)) {
        s->stopped = true;
    }
    return !s->stopped;
}

static TmlSimOptions options_of(TmlSearch *s, const TmlSearchTask *task, bool tight)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = s->run.integrator;
    o.end_time = isnan(task->end) ? s->run.end_time : task->end;
    o.output_step = s->run.output_step;
    o.tolerance = s->run.tolerance;
    if (tight) {
        o.tolerance = isnan(o.tolerance) ? tight_tolerance : fmin(o.tolerance, tight_tolerance);
    }
    o.hooks = (TmlHooks){.user = s, .progress = on_progress};
    return o;
}

static TmlStatus model_at(const TmlSearch *s, const TmlSearchTask *task, const double *x,
                          TmlModel **out, TmlError *err)
{
    const int n = s->n + task->n_given;
    const char **name = tml_mem_zalloc((size_t)n + 1, sizeof *name);
    double *value = tml_mem_zalloc((size_t)n + 1, sizeof *value);
    TmlStatus status = tml_fail(err, TML_E_NOMEM, "out of memory");
    if (name != NULL && value != NULL) {
        for (int k = 0; k < n; ++k) {
            name[k] = k < s->n ? s->free[k].name : task->given[k - s->n];
            value[k] = k < s->n ? x[k] : task->value[k - s->n];
        }
        status = s->hooks.model != NULL ? s->hooks.model(s->hooks.user, n, name, value, out, err)
                                        : tml_model_with(s->model, n, name, value, out, err);
    }
    tml_mem_free(name);
    tml_mem_free(value);
    return status;
}

/* --- rows ----------------------------------------------------------------------------------------------------------- */

typedef struct Taken {
    const TmlSearchTask *task;
    TmlRows *rows;
    TmlGradient *g; /* NULL: no slopes */
    int n;          /* parameters */
    double *slope;
    int cap;
} Taken;

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    Taken *t = user;
    const size_t size = (size_t)t->task->n_used * (size_t)t->n;
    TML_TRY(tml_rows_add(t->rows, sim, err));
    if (t->g == NULL) {
        return TML_OK;
    }
    if (!tml_mem_grow((void **)&t->slope, &t->cap, t->rows->n, size * sizeof *t->slope)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d rows", t->rows->n);
    }
    double *to = t->slope + size * (size_t)(t->rows->n - 1);
    for (int c = 0; c < t->task->n_used; ++c) {
        for (int k = 0; k < t->n; ++k) {
            *to++ = tml_gradient_channel(t->g, t->task->used[c], k);
        }
    }
    return TML_OK;
}

/* Steps to the times of the rows, which lie inside of steps. */
static TmlStatus run_at_times(TmlSim *sim, Taken *taken, TmlError *err)
{
    const TmlSearchTask *task = taken->task;
    for (int k = 0; k < task->n_times; ++k) {
        while (tml_sim_time(sim) < task->times[k]) {
            TML_TRY(tml_sim_step(sim, err));
            if (tml_sim_halted(sim) && tml_sim_time(sim) < task->times[k]) {
                return tml_fail(err, TML_E_STEP,
                                "an event ends the run at t = %.9g s, before the last measured "
                                "time, %.9g s",
                                tml_sim_time(sim), task->times[task->n_times - 1]);
            }
        }
        TML_TRY(tml_sim_row_at(sim, task->times[k], err));
        TML_TRY(on_row(taken, sim, err));
    }
    return TML_OK;
}

static TmlStatus run_plain(const TmlModel *model, const TmlSimOptions *o, Taken *taken,
                           TmlError *err)
{
    TmlSim *sim = NULL;
    TML_TRY(tml_sim_create(model, o, &sim, err));
    const TmlStatus status = taken->task->times != NULL ? run_at_times(sim, taken, err)
                                                        : tml_sim_run(sim, on_row, taken, err);
    tml_sim_free(sim);
    return status;
}

static TmlStatus run_with_slopes(const TmlSearch *s, const TmlModel *model, const TmlSimOptions *o,
                                 Taken *taken, TmlError *err)
{
    TmlGradientOptions go = tml_gradient_options_default();
    const char **name = tml_mem_zalloc((size_t)s->n, sizeof *name);
    double *scale = tml_mem_zalloc((size_t)s->n, sizeof *scale);
    TmlStatus status = tml_fail(err, TML_E_NOMEM, "out of memory");
    if (name != NULL && scale != NULL) {
        for (int k = 0; k < s->n; ++k) {
            const TmlFree *f = &s->free[k];
            const double range = f->high - f->low, size = fabs(f->start);
            name[k] = f->name;
            scale[k] = size > 0.0 ? size : isfinite(range) ? range : 1.0;
        }
        go.n = s->n;
        go.names = name;
        go.scales = scale;
        go.n_times = taken->task->n_times;
        go.times = taken->task->times;
        status = tml_gradient_create(model, o, &go, &taken->g, err);
        status = status == TML_OK ? tml_gradient_run(taken->g, on_row, taken, err) : status;
    }
    tml_gradient_free(taken->g);
    tml_mem_free(name);
    tml_mem_free(scale);
    return status;
}

TmlStatus tml_search_rows(TmlSearch *s, const TmlSearchTask *task, const double *x, bool tight,
                          TmlRows *rows, double **slope, TmlError *err)
{
    const TmlSimOptions o = options_of(s, task, tight);
    Taken taken = {.task = task, .rows = rows, .n = s->n};
    TmlModel *model = NULL;
    TML_TRY(model_at(s, task, x, &model, err));
    const TmlStatus status = slope != NULL ? run_with_slopes(s, model, &o, &taken, err)
                                           : run_plain(model, &o, &taken, err);
    tml_model_free(model);
    if (slope != NULL && status == TML_OK) {
        *slope = taken.slope;
    } else {
        tml_mem_free(taken.slope);
    }
    return status;
}
