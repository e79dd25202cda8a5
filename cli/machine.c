/* cli/machine.c - runs of a machine of the papers, kept row by row. */
#include "machine.h"

#include "cli.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void machine_begin(Machine *m, const CliBench *bench, const CliBenchOrder *order)
{
    memset(m, 0, sizeof *m);
    m->bench = bench;
    m->order = order;
    cli_cancel_init();
    m->change = "";
}

TmlStatus machine_open(Machine *m, const CliBench *bench, const CliBenchOrder *order,
                       const char *text, TmlError *err)
{
    machine_begin(m, bench, order);
    return machine_change(m, text, "", 0, NULL, NULL, err);
}

TmlStatus machine_change(Machine *m, const char *text, const char *change, int n,
                         const char *const *names, const double *values, TmlError *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s.yaml", m->bench->name);
    tml_model_free(m->model);
    m->model = NULL;
    m->change = change;
    return tml_load_text(text, name, n, names, values, &m->model, err);
}

/* --- one run ------------------------------------------------------------------------------------ */

typedef struct Keeper {
    MachineResult *result;
    int room;
    TmlWriter *writer; /* NULL: rows are kept here only */
} Keeper;

static TmlStatus keep_row(void *user, const TmlSim *sim, TmlError *err)
{
    Keeper *k = user;
    MachineResult *r = k->result;
    const TmlStatus status = k->writer != NULL ? tml_writer_row(k->writer, sim, err) : TML_OK;
    if (r->rows >= k->room || status != TML_OK) {
        return status;
    }
    r->time[r->rows] = tml_row_time(sim);
    for (int c = 0; c < r->channels; ++c) {
        r->value[r->rows * r->channels + c] = tml_row_channel(sim, c);
    }
    r->rows++;
    return TML_OK;
}

typedef struct Watch {
    double until; /* CPU time at which the run is stopped; 0: never */
    double time;  /* s, that the run has come to */
    bool stopped;
} Watch;

static bool on_progress(void *user, const TmlProgress *p)
{
    Watch *w = user;
    w->time = p->time;
    w->stopped = w->until > 0.0 && cpu_time() > w->until;
    return !w->stopped && !cli_cancelled();
}

enum { MAX_OPTIONS = 4 };

typedef struct Method {
    char text[96];
    const char *name, *key[MAX_OPTIONS], *value[MAX_OPTIONS];
    int n;
} Method;

/* "rosenbrock:norm=paper" into its name and options. */
static void split(Method *method, const char *text)
{
    snprintf(method->text, sizeof method->text, "%s", text);
    method->name = method->text;
    method->n = 0;
    char *rest = strchr(method->text, ':');
    while (rest != NULL && method->n < MAX_OPTIONS) {
        *rest++ = '\0';
        char *equals = strchr(rest, '=');
        if (equals == NULL) {
            return;
        }
        *equals = '\0';
        method->key[method->n] = rest;
        method->value[method->n++] = equals + 1;
        rest = strchr(equals + 1, ',');
    }
}

static TmlStatus make_room(Machine *m, MachineResult *r, const TmlSim *sim, Keeper *keeper)
{
    m->n_channels = (int)fmin(MACHINE_CHANNELS, tml_row_channel_count(sim));
    for (int k = 0; k < m->n_channels; ++k) {
        snprintf(m->channel[k], sizeof m->channel[k], "%s", tml_row_channel_name(sim, k));
    }
    keeper->result = r;
    keeper->room = 2 + (int)ceil(tml_sim_end_time(sim) / tml_sim_output_step(sim));
    r->channels = tml_row_channel_count(sim);
    r->time = calloc((size_t)keeper->room, sizeof(double));
    r->value = calloc((size_t)keeper->room * (size_t)(r->channels + 1), sizeof(double));
    return r->time != NULL && r->value != NULL ? TML_OK : TML_E_NOMEM;
}

static TmlStatus open_file(Machine *m, MachineResult *r, const TmlSim *sim, Keeper *keeper,
                           TmlError *err)
{
    char name[32];
    if (!m->keeps) {
        return TML_OK;
    }
    snprintf(name, sizeof name, "/run%d.h5", m->n_results);
    r->file = machine_path(m, name);
    return r->file != NULL ? tml_writer_open(r->file, sim, &keeper->writer, err) : TML_E_NOMEM;
}

/* The run without rows is what is timed, that with them is kept: rows are no part of a method's cost. */
static TmlStatus integrate(Machine *m, MachineResult *r, const Method *method, bool keep,
                           double end, TmlError *err)
{
    TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = NULL;
    Keeper keeper = {0};
    o.integrator = method->name;
    o.tolerance = r->run.tolerance;
    o.max_step = r->run.max_step;
    o.end_time = end;
    o.n_options = method->n;
    o.option_key = method->key;
    o.option_value = method->value;
    Watch watch = {0};
    o.hooks.progress = on_progress;
    o.hooks.user = &watch;
    TmlStatus status = tml_sim_create(m->model, &o, &sim, err);
    if (status == TML_OK && keep) {
        status = make_room(m, r, sim, &keeper);
        status = status == TML_OK ? open_file(m, r, sim, &keeper, err) : status;
    }
    if (status == TML_OK) {
        const double start = cpu_time();
        watch.until = m->order->limit > 0.0 ? start + m->order->limit : 0.0;
        const TmlStatus ran = tml_sim_run(sim, keep ? keep_row : NULL, &keeper, err);
        r->stopped = ran == TML_E_CANCELLED && watch.stopped && watch.time > 0.0;
        r->done = ran == TML_OK || r->stopped;
        r->reached = r->stopped ? watch.time : end;
        status = !r->stopped && (ran == TML_E_CANCELLED || ran == TML_E_NOMEM) ? ran : TML_OK;
        if (!keep || r->seconds == 0.0) {
            r->seconds = cpu_time() - start;
            r->stats = tml_sim_stats(sim);
        }
        if (!r->done) {
            cli_bench_progress(NULL, 0.0);
            fprintf(stderr, "note: %s at %g: %s\n", r->run.method, r->run.tolerance, err->message);
        }
    }
    const TmlStatus closed = tml_writer_close(keeper.writer, sim, err);
    tml_sim_free(sim);
    return status != TML_OK ? status : closed;
}

TmlStatus machine_run(Machine *m, const MachineRun *run, int *index, TmlError *err)
{
    static const double long_run =
        20.0; /* s: what takes longer is run once, with its rows, unless these go to a file */
    const double end = m->order->brief ? run->brief : run->whole;
    if (index != NULL) {
        *index = -1;
    }
    if (!(end > 0.0) || m->n_results == MACHINE_RUNS) {
        return TML_OK;
    }
    MachineResult *r = &m->result[m->n_results];
    Method method;
    r->run = *run;
    r->change = m->change;
    split(&method, run->method);
    cli_bench_progress(run->method, run->tolerance);
    TmlStatus status = integrate(m, r, &method, true, end, err);
    if (status == TML_OK && r->done && !r->stopped && (r->seconds < long_run || m->keeps)) {
        status = integrate(m, r, &method, false, end, err);
    }
    cli_bench_progress(NULL, 0.0);
    r->projected = r->reached < run->end;
    r->cost = r->seconds * fmax(1.0, run->end / r->reached);
    if (index != NULL) {
        *index = m->n_results;
    }
    m->n_results++;
    return status;
}

/* --- what came out ------------------------------------------------------------------------------ */

/* NULL where there is none, or it did not reach its end. */
static const MachineResult *find(const Machine *m, int index)
{
    return index >= 0 && index < m->n_results && m->result[index].done ? &m->result[index] : NULL;
}

static int channel_of(const Machine *m, const char *name)
{
    for (int k = 0; k < m->n_channels; ++k) {
        if (strcmp(m->channel[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

double machine_value(const Machine *m, int result, const char *channel, int row)
{
    const MachineResult *r = find(m, result);
    const int c = channel_of(m, channel);
    if (r == NULL || c < 0 || row >= r->rows) {
        return (double)NAN;
    }
    return r->value[(row < 0 ? r->rows - 1 : row) * r->channels + c];
}

double machine_difference(const Machine *m, int a, int b, const char *channel, double t)
{
    const MachineResult *p = find(m, a), *q = find(m, b);
    const int c = channel_of(m, channel);
    double low = HUGE_VAL, high = -HUGE_VAL, worst = 0.0;
    if (p == NULL || q == NULL || c < 0) {
        return (double)NAN;
    }
    for (int k = 0; k < p->rows && k < q->rows && q->time[k] <= t; ++k) {
        const double x = p->value[k * p->channels + c], y = q->value[k * q->channels + c];
        low = fmin(low, y);
        high = fmax(high, y);
        worst = fmax(worst, fabs(x - y));
    }
    return high > low ? worst / (high - low) : (double)NAN;
}

double machine_mean(const Machine *m, int result, const char *channel, double t0, double t1)
{
    const MachineResult *r = find(m, result);
    const int c = channel_of(m, channel);
    double sum = 0.0;
    int n = 0;
    for (int k = 0; r != NULL && c >= 0 && k < r->rows; ++k) {
        if (r->time[k] >= t0 && r->time[k] <= t1) {
            sum += r->value[k * r->channels + c];
            n++;
        }
    }
    return n > 0 ? sum / n : (double)NAN;
}

double machine_ratio(const Machine *m, int slow, int fast)
{
    const MachineResult *s = find(m, slow), *f = find(m, fast);
    return s != NULL && f != NULL ? s->cost / f->cost : (double)NAN;
}
