/* io/compare/compare.c - work against precision.
 *
 *   (W1)  e_c   = y_c - y_c,ref                   at every output row, c: channel
 *   (W2)  scale = max(range_c, 1e-6 R)            R: largest range of the channels of that unit
 *         A channel that hardly moves (the height of a planar mechanism) is rounding; its own range
 *         would make a hundred percent error of it.
 *   (W3)  max error = max |e_c| / scale_c,  RMS error = sqrt(mean (e_c / scale_c)^2)
 */
#include "io/compare/compare.h"

#include "analysis/driver/sim_facts.h"
#include "base/clock.h"
#include "base/fail.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double long_run = 1.0; // s; what lasts longer need not be repeated to be timed well

TmlCompareOptions tml_compare_options_default(void)
{
    return (TmlCompareOptions){
        .size = sizeof(TmlCompareOptions),
        .reference_tolerance = (double)NAN,
        .end_time = (double)NAN,
        .output_step = (double)NAN,
        .repeat = 3,
        .limit = 300.0,
    };
}

void tml_compare_note(const TmlCompare *c, const char *fmt, ...)
{
    char text[TML_ERROR_MAX];
    va_list args;
    if (c->options.note == NULL) {
        return;
    }
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    c->options.note(c->options.user, text);
}

/* --- runs ---------------------------------------------------------------------------------- */

static bool on_progress(void *user, const TmlProgress *now)
{
    TmlCompareRun *run = user;
    const TmlCompareOptions *o = &run->compare->options;
    (void)now;
    run->late = tml_clock() - run->began > o->limit;
    return !run->late && (o->go_on == NULL || o->go_on(o->user));
}

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    TmlCompareRun *run = user;
    const TmlCompare *c = run->compare;
    if (!tml_mem_grow((void **)&run->value, &run->cap, (run->rows + 1) * c->n_channels,
                      sizeof *run->value)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the rows of a run");
    }
    double *at = run->value + run->rows * c->n_channels;
    for (int k = 0; k < c->n_channels; ++k) {
        at[k] = tml_row_channel(sim, c->channel_index[k]);
    }
    run->rows++;
    return TML_OK;
}

static TmlStatus simulate(TmlCompareRun *run, bool rows, TmlSim **sim)
{
    const TmlCompareOptions *o = &run->compare->options;
    TmlSimOptions so = tml_sim_options_default();
    so.integrator = run->method->name;
    so.tolerance = run->tolerance;
    so.end_time = o->end_time;
    so.output_step = rows ? o->output_step : run->compare->end_time;
    so.n_options = run->method->n;
    so.option_key = run->method->key;
    so.option_value = run->method->value;
    so.record_solver = false;
    so.hooks.user = run;
    so.hooks.progress = on_progress;
    run->began = tml_clock();
    run->late = false;
    TmlStatus status = tml_sim_create(run->compare->model, &so, sim, &run->err);
    if (status == TML_OK) {
        const double start = tml_clock_cpu();
        status = tml_sim_run(*sim, rows ? on_row : NULL, run, &run->err);
        run->seconds = tml_clock_cpu() - start - tml_sim_cpu_output(*sim);
        if (run->late) {
            status =
                tml_fail(&run->err, TML_E_STEP, "not finished in %g s: it came to t = %.6g of %g s",
                         o->limit, tml_sim_time(*sim), tml_sim_end_time(*sim));
        }
    }
    return status;
}

void tml_compare_run(TmlCompareRun *run)
{
    TmlSim *sim = NULL;
    run->rows = 0;
    run->status = simulate(run, true, &sim);
    if (sim != NULL) {
        run->stats = tml_sim_stats(sim);
        snprintf(run->used, sizeof run->used, "%s", tml_sim_integrator(sim));
    }
    tml_sim_free(sim);
}

void tml_compare_run_free(TmlCompareRun *run)
{
    tml_mem_free(run->value);
    run->value = NULL;
    run->cap = run->rows = 0;
}

/* Run again without output and keep the shortest time. */
static void measure_time(TmlCompareRun *run)
{
    const int repeat = run->compare->options.repeat;
    if (run->status != TML_OK || run->seconds > long_run) {
        return;
    }
    double best = HUGE_VAL;
    for (int k = 0; k < repeat && run->status == TML_OK; ++k) {
        TmlSim *sim = NULL;
        run->status = simulate(run, false, &sim);
        best = fmin(best, run->seconds);
        tml_sim_free(sim);
    }
    run->seconds = best;
}

/* --- errors -------------------------------------------------------------------------------- */

static void channel_scales(TmlCompare *c)
{
    const TmlCompareRun *ref = &c->reference[0].run;
    for (int k = 0; k < c->n_channels; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int r = 0; r < ref->rows; ++r) {
            low = fmin(low, ref->value[r * c->n_channels + k]);
            high = fmax(high, ref->value[r * c->n_channels + k]);
        }
        c->range[k] = high - low;
    }
    for (int k = 0; k < c->n_channels; ++k) {
        double all = 0.0;
        for (int j = 0; j < c->n_channels; ++j) {
            all =
                strcmp(c->channel_unit[j], c->channel_unit[k]) == 0 ? fmax(all, c->range[j]) : all;
        }
        c->scale[k] = c->options.absolute ? 1.0 : fmax(c->range[k], 1e-6 * all); // (W2)
        c->scale[k] = c->scale[k] > 0.0 ? c->scale[k] : 1.0; // nothing of the kind moves
    }
}

/* (W1), (W3) */
static void measure_error(const TmlCompare *c, const TmlCompareRun *run, const TmlCompareRun *ref,
                          TmlChannelError *channel, double *max_error, double *rms_error)
{
    const int rows = run->rows < ref->rows ? run->rows : ref->rows;
    double sum_all = 0.0;
    *max_error = 0.0;
    for (int k = 0; k < c->n_channels; ++k) {
        double max = 0.0, sum = 0.0, square = 0.0;
        for (int r = 0; r < rows; ++r) {
            const double e =
                fabs(run->value[r * c->n_channels + k] - ref->value[r * c->n_channels + k]); // (W1)
            max = fmax(max, e);
            sum += e;
            square += e * e;
        }
        channel[k] = (TmlChannelError){max, sum / rows, sqrt(square / rows), c->scale[k]};
        *max_error = fmax(*max_error, max / c->scale[k]);
        sum_all += square / (c->scale[k] * c->scale[k]);
    }
    *rms_error = sqrt(sum_all / ((double)rows * c->n_channels)); // (W3)
}

static TmlStatus measure_doubt(TmlCompare *c, TmlError *err)
{
    TmlChannelError *channel;
    double rms;
    c->doubt = (double)NAN;
    TML_NEW(&c->arena, channel, c->n_channels);
    if (c->n_references == 2) {
        measure_error(c, &c->reference[0].run, &c->reference[1].run, channel, &c->doubt, &rms);
    }
    return TML_OK;
}

/* The first reference that was not made by the method itself. */
static int choose_reference(const TmlCompare *c, const char *used)
{
    for (int k = 0; k < c->n_references; ++k) {
        if (strcmp(c->reference[k].run.used, used) != 0) {
            return k;
        }
    }
    return 0;
}

static TmlStatus make_row(TmlCompare *c, const TmlCompareMethod *m, double tolerance, TmlError *err)
{
    TmlCompareRun run = {.compare = c, .method = m, .tolerance = tolerance};
    TmlCompareRow *row = &c->rows[c->n_rows];
    TmlChannelError *channel;
    TML_NEW(&c->arena, channel, c->n_channels);
    tml_compare_run(&run);
    measure_time(&run);
    *row = (TmlCompareRow){
        .method = m->text,
        .tolerance = tolerance,
        .reference = choose_reference(c, run.used),
        .status = run.status,
        .message = run.status == TML_OK ? "" : tml_arena_strdup(&c->arena, run.err.message),
        .max_error = (double)NAN,
        .rms_error = (double)NAN,
        .channel = channel,
        .stats = run.stats,
        .seconds = run.seconds,
    };
    if (run.status == TML_OK) {
        measure_error(c, &run, &c->reference[row->reference].run, channel, &row->max_error,
                      &row->rms_error);
    }
    tml_compare_run_free(&run);
    if (row->message == NULL || run.status == TML_E_NOMEM) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (run.status == TML_E_CANCELLED) {
        return tml_fail(err, TML_E_CANCELLED, "cancelled while %s ran at %g", m->text, tolerance);
    }
    c->n_rows++;
    return TML_OK;
}

static TmlStatus make_rows(TmlCompare *c, TmlError *err)
{
    const TmlCompareOptions *o = &c->options;
    TML_NEW(&c->arena, c->rows, o->n_methods * o->n_tolerances);
    for (int m = 0; m < o->n_methods; ++m) {
        for (int k = 0; k < o->n_tolerances; ++k) {
            TML_TRY(make_row(c, &c->method[m], o->tolerance[k], err));
            if (o->row != NULL && !o->row(o->user, &c->rows[c->n_rows - 1])) {
                return tml_fail(err, TML_E_CANCELLED, "cancelled after %d runs", c->n_rows);
            }
        }
    }
    return TML_OK;
}

static TmlStatus compare_all(TmlCompare *c, TmlError *err)
{
    TML_TRY(tml_compare_prepare(c, err));
    TML_TRY(tml_compare_make_references(c, err));
    TML_NEW(&c->arena, c->range, c->n_channels);
    TML_NEW(&c->arena, c->scale, c->n_channels);
    channel_scales(c);
    TML_TRY(measure_doubt(c, err));
    if (c->options.begin != NULL && !c->options.begin(c->options.user, c)) {
        return tml_fail(err, TML_E_CANCELLED, "cancelled after the reference runs");
    }
    return make_rows(c, err);
}

TmlStatus tml_compare(const TmlModel *model, const TmlCompareOptions *options, TmlCompare **out,
                      TmlError *err)
{
    *out = NULL;
    if (options == NULL || options->size != sizeof *options) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "options of another version: start from tml_compare_options_default");
    }
    TmlCompare *c = tml_mem_zalloc(1, sizeof *c);
    if (c == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    c->model = model;
    c->options = *options;
    *out = c;
    return compare_all(c, err);
}

void tml_compare_free(TmlCompare *compare)
{
    if (compare != NULL) {
        for (int k = 0; k < TML_REFERENCES; ++k) {
            tml_compare_run_free(&compare->reference[k].run);
        }
        tml_arena_free(&compare->arena);
        tml_mem_free(compare);
    }
}

const TmlCompareRow *tml_compare_row(const TmlCompare *compare, int index)
{
    return index >= 0 && index < compare->n_rows ? &compare->rows[index] : NULL;
}

const TmlReferenceRun *tml_compare_reference(const TmlCompare *compare, int index)
{
    return index >= 0 && index < compare->n_references ? &compare->reference[index].shown : NULL;
}

const char *tml_compare_channel(const TmlCompare *compare, int index)
{
    return index >= 0 && index < compare->n_channels ? compare->channel_name[index] : NULL;
}

int tml_compare_output_rows(const TmlCompare *compare)
{
    return compare->reference[0].run.rows;
}

double tml_compare_doubt(const TmlCompare *compare)
{
    return compare->doubt;
}
