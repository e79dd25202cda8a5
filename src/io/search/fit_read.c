/* io/search/fit_read.c - a fit from a description and measurements. */
#include "io/search/fit.h"

#include "base/fail.h"
#include "base/input.h"
#include "base/nearest.h"
#include "model/model.h"
#include "trammel/channels.h"
#include "trammel/gradient.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_DEFAULT = 50, OUTPUTS_MAX = 256 };

/* A file of the section `measurements`. */
typedef struct Source {
    const char *file;
    const TmlValue *columns, *given; /* NULL: none */
    double from, to, shift, weight;
    int line;
} Source;

typedef struct FitReading {
    TmlSearchReading r;
    TmlFit *f;
    int n_sources, n_more;
    Source *source;
    const TmlMeasurement *more; /* that are in memory */
    const TmlValue *outputs;
} FitReading;

/* --- the description ------------------------------------------------------------------------------------------------ */

static void read_source(TmlEntry *x, const TmlValue *v, Source *s)
{
    *s = (Source){.from = -HUGE_VAL, .to = HUGE_VAL, .weight = 1.0, .line = v->line};
    if (v->kind != TML_VALUE_MAP) {
        s->file = tml_read_text(x, v, "measurements");
        return;
    }
    tml_read_keys(x, v, tml_keys_of_measurement, NULL, NULL);
    const TmlValue *file = tml_value_find(v, "file"), *from = tml_value_find(v, "from");
    const TmlValue *to = tml_value_find(v, "to"), *shift = tml_value_find(v, "shift");
    const TmlValue *weight = tml_value_find(v, "weight");
    s->columns = tml_value_find(v, "columns");
    s->given = tml_value_find(v, "given");
    s->file = file != NULL ? tml_read_text(x, file, "file") : NULL;
    if (file == NULL) {
        tml_entry_error(x, v, "missing key 'file': a CSV file whose first column is the time in s");
    }
    if ((from != NULL && !tml_read_number(x, from, "from", &s->from)) ||
        (to != NULL && !tml_read_number(x, to, "to", &s->to)) ||
        (shift != NULL && !tml_read_number(x, shift, "shift", &s->shift)) ||
        (weight != NULL && !tml_read_ranged(x, weight, "weight", TML_POSITIVE, "", &s->weight)) ||
        (s->columns != NULL && !tml_read_is_map(x, s->columns, "columns")) ||
        (s->given != NULL && !tml_read_is_map(x, s->given, "given"))) {
        return;
    }
}

static TmlStatus read_sources(FitReading *d, TmlError *err)
{
    const TmlValue *all = tml_value_find(d->r.d.root, "measurements");
    TmlEntry x = {.r = d->r.d.r, .kind = "measurements", .value = d->r.d.root};
    if (all == NULL) {
        if (d->n_more == 0) {
            tml_entry_error(&x, NULL,
                            "missing key 'measurements': CSV files, whose first column "
                            "is the time in s");
        }
        return TML_OK;
    }
    const bool list = all->kind == TML_VALUE_LIST;
    d->n_sources = list ? all->n : 1;
    TML_NEW(&d->f->s.arena, d->source, (size_t)d->n_sources + 1);
    for (int k = 0; k < d->n_sources; ++k) {
        read_source(&x, list ? all->item[k] : all, &d->source[k]);
    }
    return TML_OK;
}

static void read_settings(FitReading *d)
{
    TmlFit *f = d->f;
    TmlEntry x = {.r = d->r.d.r, .value = d->r.d.root};
    const TmlValue *iterations = tml_value_find(d->r.d.root, "iterations");
    const TmlValue *confidence = tml_value_find(d->r.d.root, "confidence");
    f->iterations = ITERATIONS_DEFAULT;
    f->confidence = 0.95;
    if (iterations != NULL && tml_read_int(&x, iterations, "iterations", &f->iterations) &&
        f->iterations < 1) {
        tml_entry_error(&x, iterations, "iterations: expected 1 or more, got %d", f->iterations);
    }
    if (confidence != NULL && tml_read_number(&x, confidence, "confidence", &f->confidence) &&
        !(f->confidence > 0.0 && f->confidence < 1.0)) {
        tml_entry_error(&x, confidence, "confidence: expected a number between 0 and 1, got %g",
                        f->confidence);
    }
}

/* --- outputs -------------------------------------------------------------------------------------------------------- */

static TmlStatus add_output(FitReading *d, int channel, TmlError *err)
{
    TmlFit *f = d->f;
    const TmlChannel *c = &f->s.model->channels.at[channel];
    for (int k = 0; k < f->n_outputs; ++k) {
        if (f->output[k].channel == channel) {
            return TML_OK;
        }
    }
    TmlFitted *o = &f->output[f->n_outputs++];
    *o = (TmlFitted){.name = tml_arena_strdup(&f->s.arena, c->name),
                     .unit = tml_arena_strdup(&f->s.arena, c->unit != NULL ? c->unit : ""),
                     .channel = channel,
                     .noise = (double)NAN,
                     .weight = 1.0};
    return o->name != NULL && o->unit != NULL ? TML_OK
                                              : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* An entry of `outputs`: a list of names, or a map of names with what is known of each. */
static TmlStatus read_output(FitReading *d, const TmlValue *name, const TmlValue *facts,
                             TmlError *err)
{
    TmlFit *f = d->f;
    TmlEntry x = {.r = d->r.d.r, .kind = "output", .name = name->text, .value = facts, .key = name};
    const int channel = tml_channel_of(f->s.model, name->text != NULL ? name->text : "");
    if (channel < 0) {
        return tml_channel_unknown(f->s.file, f->s.model, name->line,
                                   name->text != NULL ? name->text : "", err);
    }
    TML_TRY(add_output(d, channel, err));
    TmlFitted *o = &f->output[f->n_outputs - 1];
    if (facts == NULL || !tml_read_is_map(&x, facts, NULL)) {
        return tml_report_status(&d->r.d.r->report, err);
    }
    tml_read_keys(&x, facts, tml_keys_of_fitted, NULL, NULL);
    const TmlValue *noise = tml_value_find(facts, "noise"), *w = tml_value_find(facts, "weight");
    if (noise != NULL) {
        (void)tml_read_ranged(&x, noise, "noise", TML_POSITIVE, "", &o->noise);
    }
    if (w != NULL) {
        (void)tml_read_ranged(&x, w, "weight", TML_POSITIVE, "", &o->weight);
    }
    return tml_report_status(&d->r.d.r->report, err);
}

static TmlStatus read_outputs(FitReading *d, TmlError *err)
{
    const TmlValue *all = tml_value_find(d->r.d.root, "outputs");
    const bool list = all != NULL && all->kind == TML_VALUE_LIST;
    TML_NEW(&d->f->s.arena, d->f->output, (size_t)d->f->s.model->channels.n + 1);
    d->outputs = all;
    if (all != NULL && !list && all->kind != TML_VALUE_MAP) {
        TmlEntry x = {.r = d->r.d.r, .kind = "outputs", .value = all};
        tml_entry_expected(&x, all, "outputs", "a list of outputs, or a map");
        return tml_report_status(&d->r.d.r->report, err);
    }
    for (int k = 0; all != NULL && k < all->n; ++k) {
        TML_TRY(read_output(d, list ? all->item[k] : all->key[k], list ? NULL : all->item[k], err));
    }
    return TML_OK;
}

/* Without `outputs` all columns count that have the name of one. */
static TmlStatus take_columns(FitReading *d, int n, const char *const *column, TmlError *err)
{
    for (int k = 0; k < n && d->outputs == NULL; ++k) {
        const int channel = tml_channel_of(d->f->s.model, column[k]);
        if (channel >= 0) {
            TML_TRY(add_output(d, channel, err));
        }
    }
    return TML_OK;
}

/* --- measurements --------------------------------------------------------------------------------------------------- */

/* A measurement with its columns, before the outputs are known. */
typedef struct Table {
    TmlMeasurement m;
    const Source *source;
} Table;

static TmlStatus check_table(const TmlMeasurement *m, TmlError *err)
{
    if (m->n_times < 1) {
        return tml_fail(err, TML_E_MODEL, "%s: no rows that count", m->name);
    }
    for (int k = 0; k < m->n_times; ++k) {
        const double t = m->times[k];
        if (!isfinite(t) || t < 0.0 || (k > 0 && t <= m->times[k - 1])) {
            return tml_fail(err, TML_E_MODEL,
                            "%s: times must increase from 0 on, in s; row %d has %g%s", m->name,
                            k + 1, t, t < 0.0 ? " ('shift' adds to all times)" : "");
        }
    }
    if (m->times[m->n_times - 1] <= 0.0) {
        return tml_fail(err, TML_E_MODEL, "%s: no row is later than the start, t = 0", m->name);
    }
    return TML_OK;
}

static TmlStatus read_columns(FitReading *d, TmlChannels *c, const Source *s, Table *out,
                              TmlError *err)
{
    TmlArena *arena = &d->f->s.arena;
    const int n = tml_channels_count(c);
    const int rows = n > 0 ? (int)tml_channels_info(c, 0).rows : 0;
    double *time, *value, *column;
    const char **name;
    TML_NEW(arena, time, (size_t)rows + 1);
    TML_NEW(arena, column, (size_t)rows + 1);
    TML_NEW(arena, value, (size_t)rows * (size_t)n + 1);
    TML_NEW(arena, name, (size_t)n + 1);
    for (int k = 0; k < n; ++k) {
        name[k] = tml_arena_strdup(arena, tml_channels_info(c, k).name);
        if (name[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        TML_TRY(tml_channels_read(c, k, time, column, err));
        for (int row = 0; row < rows; ++row) {
            value[(size_t)row * (size_t)n + (size_t)k] = column[row];
        }
    }
    int kept = 0;
    for (int row = 0; row < rows; ++row) {
        const double t = time[row] + s->shift;
        if (!(t < s->from) && !(t > s->to)) {
            time[kept] = t;
            memmove(value + (size_t)kept * (size_t)n, value + (size_t)row * (size_t)n,
                    (size_t)n * sizeof *value);
            kept++;
        }
    }
    out->m = (TmlMeasurement){.name = tml_arena_strdup(arena, s->file),
                              .n_times = kept,
                              .times = time,
                              .n_columns = n,
                              .columns = name,
                              .values = value,
                              .weight = s->weight};
    return TML_OK;
}

static TmlStatus read_given(FitReading *d, const Source *s, Table *out, TmlError *err)
{
    TmlArena *arena = &d->f->s.arena;
    TmlEntry x = {.r = d->r.d.r, .kind = "given", .value = s->given};
    const int n = s->given != NULL ? s->given->n : 0;
    const char **name;
    double *value;
    TML_NEW(arena, name, (size_t)n + 1);
    TML_NEW(arena, value, (size_t)n + 1);
    for (int k = 0; k < n; ++k) {
        name[k] = tml_arena_strdup(arena, s->given->key[k]->text);
        if (name[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        if (!tml_read_number(&x, s->given->item[k], name[k], &value[k])) {
            return tml_report_status(&d->r.d.r->report, err);
        }
    }
    out->m.n_given = n;
    out->m.given = name;
    out->m.given_values = value;
    return TML_OK;
}

static TmlStatus read_file(FitReading *d, const Source *s, Table *out, TmlError *err)
{
    TmlChannels *c = NULL;
    const char *path = tml_input_beside(&d->f->s.arena, d->f->s.file, s->file);
    if (path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TmlStatus status = tml_input_check(path, err);
    status = status == TML_OK ? tml_channels_open(path, &c, err) : status;
    status = status == TML_OK ? read_columns(d, c, s, out, err) : status;
    tml_channels_free(c);
    out->source = s;
    status = status == TML_OK ? read_given(d, s, out, err) : status;
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "%s:%d", d->f->s.file, s->line);
}

/* The column of an output in a table; -1: it has none. */
static int column_of(const Table *t, const char *output)
{
    const TmlValue *columns = t->source != NULL ? t->source->columns : NULL;
    const TmlValue *other = columns != NULL ? tml_value_find(columns, output) : NULL;
    const char *name = other != NULL && other->text != NULL ? other->text : output;
    for (int k = 0; k < t->m.n_columns; ++k) {
        if (strcmp(t->m.columns[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

/* Columns that the description renames must be there, under both names. */
static TmlStatus check_columns(FitReading *d, const Table *t, TmlError *err)
{
    const TmlValue *columns = t->source != NULL ? t->source->columns : NULL;
    for (int k = 0; columns != NULL && k < columns->n; ++k) {
        const char *output = columns->key[k]->text, *name = columns->item[k]->text;
        const int channel = tml_channel_of(d->f->s.model, output);
        if (channel < 0) {
            return tml_channel_unknown(d->f->s.file, d->f->s.model, columns->key[k]->line, output,
                                       err);
        }
        if (column_of(t, output) < 0) {
            const char *near = tml_nearest(name != NULL ? name : "", t->m.columns, t->m.n_columns);
            return tml_fail(err, TML_E_MODEL, "%s:%d: '%s' has no column '%s'%s%s%s", d->f->s.file,
                            columns->item[k]->line, t->m.name, name != NULL ? name : "",
                            near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                            near != NULL ? "'?" : "");
        }
        if (d->outputs == NULL) {
            TML_TRY(add_output(d, channel, err));
        }
    }
    return TML_OK;
}

static TmlStatus check_given(const TmlFit *f, const TmlMeasurement *m, TmlError *err)
{
    for (int k = 0; k < m->n_given; ++k) {
        double own;
        const TmlStatus status = tml_model_parameter(f->s.model, m->given[k], &own, err);
        if (status != TML_OK) {
            return tml_fail_ctx(err, TML_E_MODEL, "%s", m->name);
        }
        for (int i = 0; i < f->s.n; ++i) {
            if (strcmp(f->s.free[i].name, m->given[k]) == 0) {
                return tml_fail(err, TML_E_MODEL, "%s: parameter '%s' is given and free", m->name,
                                m->given[k]);
            }
        }
    }
    return TML_OK;
}

/* No column of a measurement is an output: both are listed. */
static TmlStatus no_output(const TmlFit *f, const TmlMeasurement *m, TmlError *err)
{
    char columns[300] = "", outputs[300] = "";
    for (int k = 0; k < m->n_columns && strlen(columns) < 200; ++k) {
        snprintf(columns + strlen(columns), sizeof columns - strlen(columns), "%s%s",
                 k > 0 ? ", " : "", m->columns[k]);
    }
    for (int k = 0; k < f->s.model->channels.n && strlen(outputs) < 200; ++k) {
        snprintf(outputs + strlen(outputs), sizeof outputs - strlen(outputs), "%s%s",
                 k > 0 ? ", " : "", f->s.model->channels.at[k].name);
    }
    return tml_fail(err, TML_E_MODEL,
                    "%s: no column has the name of an output that is compared: columns are %s; "
                    "outputs of the model are %s. 'columns: {OUTPUT: COLUMN}' relates them",
                    m->name, columns, outputs);
}

/* The numbers of a set in the order of the outputs. */
static TmlStatus make_set(FitReading *d, const Table *t, TmlMeasuredSet *out, TmlError *err)
{
    TmlFit *f = d->f;
    const TmlMeasurement *m = &t->m;
    int found = 0;
    *out = (TmlMeasuredSet){.name = m->name,
                            .n_times = m->n_times,
                            .n_given = m->n_given,
                            .weight = m->weight > 0.0 ? m->weight : 1.0,
                            .first = f->s.m};
    TML_NEW(&f->s.arena, out->time, m->n_times);
    TML_NEW(&f->s.arena, out->value, (size_t)m->n_times * (size_t)f->n_outputs + 1);
    TML_NEW(&f->s.arena, out->given, (size_t)m->n_given + 1);
    TML_NEW(&f->s.arena, out->given_value, (size_t)m->n_given + 1);
    memcpy(out->time, m->times, (size_t)m->n_times * sizeof *m->times);
    for (int k = 0; k < m->n_given; ++k) {
        out->given[k] = tml_arena_strdup(&f->s.arena, m->given[k]);
        out->given_value[k] = m->given_values[k];
    }
    for (int o = 0; o < f->n_outputs; ++o) {
        const int column = column_of(t, f->output[o].name);
        found += column >= 0;
        for (int row = 0; row < m->n_times; ++row) {
            out->value[(size_t)row * (size_t)f->n_outputs + (size_t)o] =
                column >= 0 ? m->values[(size_t)row * (size_t)m->n_columns + (size_t)column]
                            : (double)NAN;
        }
    }
    f->s.m += m->n_times * f->n_outputs;
    return found > 0 ? TML_OK : no_output(f, m, err);
}

static TmlStatus make_sets(FitReading *d, TmlError *err)
{
    TmlFit *f = d->f;
    Table *table;
    f->n_sets = d->n_sources + d->n_more;
    TML_NEW(&f->s.arena, table, (size_t)f->n_sets + 1);
    TML_NEW(&f->s.arena, f->set, (size_t)f->n_sets + 1);
    for (int k = 0; k < f->n_sets; ++k) {
        Table *t = &table[k];
        if (k < d->n_sources) {
            TML_TRY(read_file(d, &d->source[k], t, err));
        } else {
            t->m = d->more[k - d->n_sources];
        }
        t->m.name = t->m.name != NULL ? tml_arena_strdup(&f->s.arena, t->m.name)
                                      : tml_arena_printf(&f->s.arena, "measurement %d", k + 1);
        if (t->m.name == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        TML_TRY(check_table(&t->m, err));
        TML_TRY(check_given(f, &t->m, err));
        TML_TRY(take_columns(d, t->m.n_columns, t->m.columns, err));
        TML_TRY(check_columns(d, t, err));
    }
    for (int k = 0; k < f->n_sets; ++k) {
        TML_TRY(make_set(d, &table[k], &f->set[k], err));
    }
    return TML_OK;
}

/* --- the fit -------------------------------------------------------------------------------------------------------- */

static TmlStatus make_targets(TmlFit *f, TmlError *err)
{
    TML_NEW(&f->s.arena, f->target, (size_t)f->s.m + 1);
    TML_NEW(&f->s.arena, f->weight, (size_t)f->s.m + 1);
    for (int k = 0; k < f->n_sets; ++k) {
        const TmlMeasuredSet *set = &f->set[k];
        for (int i = 0; i < set->n_times * f->n_outputs; ++i) {
            f->target[set->first + i] = set->value[i];
            f->weight[set->first + i] = sqrt(set->weight * f->output[i % f->n_outputs].weight);
            f->points += isfinite(set->value[i]);
        }
    }
    for (int o = 0; o < f->n_outputs; ++o) {
        bool any = false;
        for (int i = o; i < f->s.m; i += f->n_outputs) {
            any = any || isfinite(f->target[i]);
        }
        if (!any) {
            return tml_fail(err, TML_E_MODEL, "%s: no measurement has values of '%s'", f->s.file,
                            f->output[o].name);
        }
    }
    if (f->n_outputs > OUTPUTS_MAX) {
        return tml_fail(err, TML_E_MODEL, "%s: %d outputs; at most %d are compared", f->s.file,
                        f->n_outputs, OUTPUTS_MAX);
    }
    if (f->points <= f->s.n) {
        return tml_fail(err, TML_E_MODEL,
                        "%s: %d measured values do not determine %d parameters with their "
                        "deviations",
                        f->s.file, f->points, f->s.n);
    }
    return TML_OK;
}

static TmlStatus make_results(TmlFit *f, TmlError *err)
{
    const size_t n = (size_t)f->s.n, m = (size_t)f->s.m;
    TML_NEW(&f->s.arena, f->scale, n);
    TML_NEW(&f->s.arena, f->x, n);
    TML_NEW(&f->s.arena, f->y, m + 1);
    TML_NEW(&f->s.arena, f->d, m * n + 1);
    TML_NEW(&f->s.arena, f->sigma, (size_t)f->n_outputs);
    TML_NEW(&f->s.arena, f->deviation, n);
    TML_NEW(&f->s.arena, f->low, n);
    TML_NEW(&f->s.arena, f->high, n);
    TML_NEW(&f->s.arena, f->correlation, n * n);
    for (int k = 0; k < f->s.n; ++k) {
        f->x[k] = f->s.free[k].start;
        f->deviation[k] = f->low[k] = f->high[k] = (double)NAN;
    }
    f->result.message = "not run";
    return TML_OK;
}

static void stir_measurements(TmlFit *f)
{
    uint64_t h = f->s.mark;
    const double settings[2] = {f->iterations, f->confidence};
    h = tml_stir(h, settings, sizeof settings);
    for (int o = 0; o < f->n_outputs; ++o) {
        const double facts[2] = {f->output[o].noise, f->output[o].weight};
        h = tml_stir(h, f->output[o].name, strlen(f->output[o].name) + 1);
        h = tml_stir(h, facts, sizeof facts);
    }
    for (int k = 0; k < f->n_sets; ++k) {
        const TmlMeasuredSet *set = &f->set[k];
        h = tml_stir(h, set->time, (size_t)set->n_times * sizeof *set->time);
        for (int i = 0; i < set->n_given; ++i) {
            h = tml_stir(h, set->given[i], strlen(set->given[i]) + 1);
        }
        h = tml_stir(h, set->given_value, (size_t)set->n_given * sizeof *set->given_value);
    }
    h = tml_stir(h, f->target, (size_t)f->s.m * sizeof *f->target);
    f->s.mark = tml_stir(h, f->weight, (size_t)f->s.m * sizeof *f->weight);
}

static TmlStatus values_of(TmlSearch *s, const double *x, bool tight, double *y, TmlError *err);
static TmlStatus slopes_of(TmlSearch *s, const double *x, double *y, double *d, TmlError *err);

static TmlStatus read_fit(FitReading *d, const char *file, const char *text, size_t length,
                          TmlError *err)
{
    TmlFit *f = d->f;
    f->s.kind = "fit";
    f->s.values = values_of;
    f->s.slopes = slopes_of;
    TML_TRY(tml_search_open(&f->s, &d->r, file, text, length, tml_keys_of_fit, err));
    read_settings(d);
    TML_TRY(read_sources(d, err));
    TML_TRY(tml_search_settle(&f->s, &d->r, false, err));
    TML_TRY(read_outputs(d, err));
    TML_TRY(make_sets(d, err));
    TML_TRY(make_targets(f, err));
    TML_TRY(make_results(f, err));
    f->s.run.tolerance = isnan(f->s.run.tolerance) ? 1e-8 : f->s.run.tolerance;
    stir_measurements(f);
    return TML_OK;
}

static TmlStatus create(const char *file, const char *text, size_t length, FitReading *d,
                        const TmlModel *model, TmlFit **out, TmlError *err)
{
    *out = NULL;
    d->f = tml_mem_zalloc(1, sizeof *d->f);
    if (d->f == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    d->f->s.model = model;
    const TmlStatus status = read_fit(d, file, text, length, err);
    tml_search_reading_end(&d->r);
    if (status != TML_OK) {
        tml_fit_free(d->f);
        return status;
    }
    *out = d->f;
    return TML_OK;
}

TmlStatus tml_fit_create(const TmlModel *model, const char *text, int n,
                         const TmlMeasurement *measurements, TmlFit **out, TmlError *err)
{
    FitReading d = {.n_more = n, .more = measurements};
    return create("fit", text, strlen(text), &d, model, out, err);
}

TmlStatus tml_fit_load(const char *path, const TmlLoadOptions *load, TmlFit **out, TmlError *err)
{
    FitReading d = {.r = {.load = load}};
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    TML_TRY(tml_input_read(path, &text, &length, err));
    const TmlStatus status = create(path, text, length, &d, NULL, out, err);
    tml_mem_free(text);
    return status;
}

void tml_fit_free(TmlFit *f)
{
    if (f != NULL) {
        tml_search_free(&f->s);
        tml_mem_free(f);
    }
}

/* --- values --------------------------------------------------------------------------------------------------------- */

static TmlStatus run_set(TmlFit *f, const TmlMeasuredSet *set, const double *x, bool tight,
                         double *y, double *d, TmlError *err)
{
    int used[OUTPUTS_MAX];
    TmlRows rows = {.width = f->s.model->channels.n + 1};
    double *slope = NULL;
    const int n_used = f->n_outputs;
    for (int o = 0; o < n_used; ++o) {
        used[o] = f->output[o].channel;
    }
    const TmlSearchTask task = {.n_given = set->n_given,
                                .given = set->given,
                                .value = set->given_value,
                                .end = set->time[set->n_times - 1],
                                .n_times = set->n_times,
                                .times = set->time,
                                .n_used = n_used,
                                .used = used};
    const TmlStatus status =
        tml_search_rows(&f->s, &task, x, tight, &rows, d != NULL ? &slope : NULL, err);
    for (int k = 0; k < rows.n && status == TML_OK; ++k) {
        const double *row = rows.at + (size_t)k * (size_t)rows.width;
        for (int o = 0; o < n_used; ++o) {
            y[set->first + k * f->n_outputs + o] = row[used[o] + 1];
        }
    }
    if (d != NULL && status == TML_OK) { // in the same order: rows, outputs, parameters
        const size_t n = (size_t)f->s.n, wide = (size_t)n_used * n;
        memcpy(d + (size_t)set->first * n, slope, (size_t)rows.n * wide * sizeof *d);
    }
    tml_mem_free(slope);
    tml_mem_free(rows.at);
    return status;
}

static TmlStatus values_of(TmlSearch *s, const double *x, bool tight, double *y, TmlError *err)
{
    TmlFit *f = (TmlFit *)s;
    for (int k = 0; k < f->n_sets; ++k) {
        TML_TRY(run_set(f, &f->set[k], x, tight, y, NULL, err));
    }
    return TML_OK;
}

static TmlStatus slopes_of(TmlSearch *s, const double *x, double *y, double *d, TmlError *err)
{
    TmlFit *f = (TmlFit *)s;
    for (int k = 0; k < f->n_sets; ++k) {
        TML_TRY(run_set(f, &f->set[k], x, false, y, d, err));
    }
    return TML_OK;
}
