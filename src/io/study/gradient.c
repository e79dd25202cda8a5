/* io/study/gradient.c - a run with its derivatives by parameters: the models that they need, and the check. */
#include "trammel/gradient.h"

#include "analysis/sensitivity/sensitivity.h"
#include "base/arena.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "model/model.h"
#include "trammel/io.h"

#include <math.h>
#include <string.h>

enum { NAMES_MAX = 1000 };

static const double part = 1e-5;        // of a parameter's size, by which it is shifted
static const double standard = 1e-7;    // tolerance of the derivatives
static const double check_part = 1e-3;  // of the sizes, by which runs of the check differ
static const double check_tight = 1e-9; // tolerance of these runs
static const double check_limit = 1e-2;

typedef struct Shifted {
    TmlModel *model;
    TmlSim *sim;
} Shifted;

struct TmlGradient {
    TmlArena arena;
    const TmlModel *model;
    TmlSimOptions options;
    int n;
    const char **name;
    double *value, *scale, *shift;
    double tolerance;
    bool unchecked;
    TmlSim *sim, *same;
    Shifted *plus, *minus;
    TmlSensitivity *sensitivity;
    int n_times;
    double *times;    /* of rows; NULL: output times */
    double *compared; /* channels: of the last row, along the direction of the check */
};

TmlGradientOptions tml_gradient_options_default(void)
{
    return (TmlGradientOptions){.size = sizeof(TmlGradientOptions), .tolerance = (double)NAN};
}

/* --- models --------------------------------------------------------------------------------------------------- */

TmlStatus tml_model_parameter(const TmlModel *m, const char *name, double *out, TmlError *err)
{
    const char *names[NAMES_MAX];
    int n = 0;
    for (int k = 0; k < m->parameters.n; ++k) {
        if (strcmp(m->parameters.at[k].name, name) == 0) {
            *out = m->parameters.at[k].value;
            return TML_OK;
        }
        if (n < NAMES_MAX) {
            names[n++] = m->parameters.at[k].name;
        }
    }
    const char *near = tml_nearest(name, names, n);
    return tml_fail(err, TML_E_ARGUMENT, "the model has no parameter '%s'%s%s%s", name,
                    near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
}

static TmlSimOptions quiet(const TmlGradient *g)
{
    TmlSimOptions o = g->options;
    o.hooks = (TmlHooks){0};
    o.check_error = false;
    o.record_solver = false;
    return o;
}

static TmlStatus shifted(const TmlGradient *g, int k, double value, Shifted *out, TmlError *err)
{
    const TmlSimOptions o = quiet(g);
    TML_TRY(tml_model_with(g->model, 1, &g->name[k], &value, &out->model, err));
    return tml_sim_create(out->model, &o, &out->sim, err);
}

static TmlStatus read_parameters(TmlGradient *g, const TmlGradientOptions *o, TmlError *err)
{
    if (o->n < 1) {
        return tml_fail(err, TML_E_ARGUMENT, "derivatives by %d parameters: name one at least",
                        o->n);
    }
    g->n = o->n;
    TML_NEW(&g->arena, g->name, g->n);
    TML_NEW(&g->arena, g->value, g->n);
    TML_NEW(&g->arena, g->scale, g->n);
    TML_NEW(&g->arena, g->shift, g->n);
    TML_NEW(&g->arena, g->plus, g->n);
    TML_NEW(&g->arena, g->minus, g->n);
    for (int k = 0; k < g->n; ++k) {
        g->name[k] = tml_arena_strdup(&g->arena, o->names[k]);
        if (g->name[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        TML_TRY(tml_model_parameter(g->model, g->name[k], &g->value[k], err));
        const double size = o->scales != NULL ? fabs(o->scales[k]) : 0.0, own = fabs(g->value[k]);
        g->scale[k] = size > 0.0 ? size : own > 0.0 ? own : 1.0;
        const volatile double moved = g->value[k] + part * g->scale[k]; // exact in binary
        g->shift[k] = moved - g->value[k];
    }
    return TML_OK;
}

static TmlStatus make_sims(TmlGradient *g, TmlError *err)
{
    const TmlSimOptions o = quiet(g);
    TML_TRY(tml_sim_create(g->model, &g->options, &g->sim, err));
    TML_TRY(tml_sim_create(g->model, &o, &g->same, err));
    for (int k = 0; k < g->n; ++k) {
        TML_TRY(shifted(g, k, g->value[k] + g->shift[k], &g->plus[k], err));
        if (tml_sim_end_time(g->plus[k].sim) != tml_sim_end_time(g->sim) ||
            tml_sim_output_step(g->plus[k].sim) != tml_sim_output_step(g->sim)) {
            return tml_fail(err, TML_E_ARGUMENT,
                            "parameter '%s' changes the end of the run or its output step, so that "
                            "rows would have other times: give both as numbers",
                            g->name[k]);
        }
        TML_TRY(shifted(g, k, g->value[k] - g->shift[k], &g->minus[k], err));
    }
    return TML_OK;
}

static TmlStatus make_sensitivity(TmlGradient *g, TmlError *err)
{
    TmlSim **plus, **minus;
    TML_NEW(&g->arena, plus, g->n);
    TML_NEW(&g->arena, minus, g->n);
    TML_NEW(&g->arena, g->compared, tml_row_channel_count(g->sim));
    for (int k = 0; k < g->n; ++k) {
        plus[k] = g->plus[k].sim;
        minus[k] = g->minus[k].sim;
    }
    return tml_sensitivity_create(g->sim, g->same, g->n, plus, minus, g->shift, g->tolerance,
                                  &g->sensitivity, err);
}

static TmlStatus create(TmlGradient *g, const TmlGradientOptions *o, TmlError *err)
{
    if (o->size != sizeof *o) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "options of another version: start from tml_gradient_options_default");
    }
    if (g->options.from != NULL) {
        return tml_fail(err, TML_E_ARGUMENT, "a run with derivatives cannot continue another run");
    }
    TML_TRY(read_parameters(g, o, err));
    TML_TRY(make_sims(g, err));
    const double asked = tml_sim_tolerance(g->sim);
    g->tolerance = !isnan(o->tolerance) ? o->tolerance
                   : asked > 0.0        ? fmin(standard, asked)
                                        : standard;
    g->tolerance = fmax(g->tolerance, 1e-10); // what differences of residuals can tell
    g->unchecked = o->unchecked;
    if (o->times != NULL) {
        g->n_times = o->n_times;
        TML_NEW(&g->arena, g->times, g->n_times);
        memcpy(g->times, o->times, (size_t)g->n_times * sizeof *g->times);
    }
    return make_sensitivity(g, err);
}

TmlStatus tml_gradient_create(const TmlModel *model, const TmlSimOptions *sim,
                              const TmlGradientOptions *options, TmlGradient **out, TmlError *err)
{
    *out = NULL;
    TmlGradient *g = tml_mem_zalloc(1, sizeof *g);
    if (g == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    g->model = model;
    g->options = sim != NULL ? *sim : tml_sim_options_default();
    const TmlStatus status = create(g, options, err);
    if (status != TML_OK) {
        tml_gradient_free(g);
        return status;
    }
    *out = g;
    return TML_OK;
}

static void shifted_free(Shifted *s)
{
    tml_sim_free(s->sim);
    tml_model_free(s->model);
    *s = (Shifted){0};
}

void tml_gradient_free(TmlGradient *g)
{
    if (g == NULL) {
        return;
    }
    tml_sensitivity_free(g->sensitivity);
    for (int k = 0; k < g->n && g->plus != NULL && g->minus != NULL; ++k) {
        shifted_free(&g->plus[k]);
        shifted_free(&g->minus[k]);
    }
    tml_sim_free(g->same);
    tml_sim_free(g->sim);
    tml_arena_free(&g->arena);
    tml_mem_free(g);
}

/* --- check ------------------------------------------------------------------------------------------------------ */

/* Signs of the direction, which are the same in every run. */
static double direction(const TmlGradient *g, int k)
{
    return (k * 7 + 3) % 4 < 2 ? g->scale[k] : -g->scale[k];
}

/* Channels at the end of a run along the direction. */
static TmlStatus run_beside(const TmlGradient *g, double sign, double *out, TmlError *err)
{
    TmlArena arena = {0};
    TmlSimOptions o = quiet(g);
    Shifted run = {0};
    double *value = tml_arena_alloc(&arena, (size_t)g->n, sizeof *value);
    TmlStatus status = value != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    for (int k = 0; k < g->n && status == TML_OK; ++k) {
        value[k] = g->value[k] + sign * check_part * direction(g, k);
    }
    o.tolerance = fmin(isnan(o.tolerance) ? check_tight : o.tolerance, check_tight);
    status =
        status == TML_OK ? tml_model_with(g->model, g->n, g->name, value, &run.model, err) : status;
    status = status == TML_OK ? tml_sim_create(run.model, &o, &run.sim, err) : status;
    status = status == TML_OK ? tml_sim_run(run.sim, NULL, NULL, err) : status;
    for (int c = 0; status == TML_OK && c < tml_row_channel_count(run.sim); ++c) {
        out[c] = tml_row_channel(run.sim, c);
    }
    shifted_free(&run);
    tml_arena_free(&arena);
    return status;
}

/* Compares the derivatives at the end with the difference of two runs. */
static TmlStatus compare(const TmlGradient *g, TmlError *err)
{
    TmlArena arena = {0};
    const int n = tml_row_channel_count(g->sim);
    double *a = tml_arena_alloc(&arena, (size_t)n + 1, sizeof *a),
           *b = tml_arena_alloc(&arena, (size_t)n + 1, sizeof *b);
    TmlStatus status =
        a != NULL && b != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    status = status == TML_OK ? run_beside(g, 1.0, a, err) : status;
    status = status == TML_OK ? run_beside(g, -1.0, b, err) : status;
    for (int c = 0; c < n && status == TML_OK; ++c) {
        const double difference = (a[c] - b[c]) / (2.0 * check_part), along = g->compared[c];
        // runs at a tolerance of 1e-9 leave 1e-6 of a value and more in such a difference
        const double size = fmax(fmax(fabs(difference), fabs(along)), 1e-2 * fabs(a[c] + b[c]));
        if (fabs(difference - along) > check_limit * size) {
            status = tml_fail(err, TML_E_ARGUMENT,
                              "derivatives by parameters are not those of the model: of '%s' at "
                              "the end %.6g was computed where two runs "
                              "differ by %.6g; the equations jump with the state (if, sign, "
                              "tyres), and derivatives jump there. Make "
                              "them smooth, by step() for one",
                              tml_row_channel_name(g->sim, c), along, difference);
        }
    }
    tml_arena_free(&arena);
    return status;
}

/* --- run -------------------------------------------------------------------------------------------------------- */

typedef struct Caller {
    TmlGradient *g;
    TmlRowFn row;
    void *user;
} Caller;

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    const Caller *c = user;
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        c->g->compared[k] = 0.0;
        for (int p = 0; p < c->g->n; ++p) {
            c->g->compared[k] += direction(c->g, p) * tml_gradient_channel(c->g, k, p);
        }
    }
    return c->row != NULL ? c->row(c->user, sim, err) : TML_OK;
}

TmlStatus tml_gradient_run(TmlGradient *g, TmlRowFn row, void *user, TmlError *err)
{
    Caller caller = {g, row, user};
    TML_TRY(tml_sensitivity_run(g->sensitivity, g->n_times, g->times, on_row, &caller, err));
    return tml_sensitivity_is_rough(g->sensitivity) && !g->unchecked ? compare(g, err) : TML_OK;
}

const TmlSim *tml_gradient_sim(const TmlGradient *g)
{
    return g->sim;
}

double tml_gradient_channel(const TmlGradient *g, int channel, int k)
{
    return tml_sensitivity_channel(g->sensitivity, channel, k);
}

double tml_gradient_value(const TmlGradient *g, int k)
{
    return k >= 0 && k < g->n ? g->value[k] : (double)NAN;
}

int64_t tml_gradient_steps(const TmlGradient *g)
{
    return tml_sensitivity_steps(g->sensitivity);
}
