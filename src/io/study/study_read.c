/* io/study/study_read.c - a description of a study becomes a study.
 *
 * The description is read like a model file: all errors at once, with their places. What names the model's parameters
 * and channels is checked against the model of the first run.
 */
#include "io/study/study_keys.h"

#include "base/file.h"
#include "base/input.h"
#include "base/real.h"
#include "io/load/yaml.h"
#include "model/read/read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_DEFAULT = 64, LEVELS_DEFAULT = 4, TABLE_COLUMNS = 256 };

typedef struct Reading {
    TmlStudy *s;
    TmlModel *m; /* holds the reader, its arena and its report; no mechanism */
    TmlReader *r;
    const TmlValue *root;
    const char *file;
    const TmlLoadOptions *load;
} Reading;

/* --- parameters ---------------------------------------------------------------------------------------- */

static void read_values(TmlEntry *x, Reading *d, TmlSpread *p, const TmlValue *v)
{
    if (v->kind != TML_VALUE_LIST || v->n < 1) {
        tml_entry_expected(x, v, "values", "a list of numbers");
        return;
    }
    p->kind = TML_SPREAD_VALUES;
    p->n = v->n;
    p->value = tml_arena_alloc(&d->s->arena, (size_t)v->n, sizeof *p->value);
    for (int k = 0; k < v->n && p->value != NULL; ++k) {
        if (!tml_read_number(x, v->item[k], "values", &p->value[k])) {
            return;
        }
    }
}

static void read_range(TmlEntry *x, TmlSpread *p)
{
    const TmlValue *from = tml_value_find(x->value, "from"), *to = tml_value_find(x->value, "to");
    const TmlValue *count = tml_value_find(x->value, "count");
    const TmlValue *scale = tml_value_find(x->value, "scale");
    int word = 0;
    p->kind = TML_SPREAD_RANGE;
    if (from == NULL || to == NULL) {
        tml_entry_error(x, NULL,
                        "expected 'from' and 'to', or 'values', or 'mean' and 'deviation'");
        return;
    }
    if (!tml_read_number(x, from, "from", &p->from) || !tml_read_number(x, to, "to", &p->to)) {
        return;
    }
    if (count != NULL && tml_read_int(x, count, "count", &p->count) && p->count < 1) {
        tml_entry_error(x, count, "count: expected 1 or more, got %d", p->count);
    }
    if (scale != NULL && tml_read_choice(x, scale, "scale", "linear|log", &word)) {
        p->log = word == 1;
    }
    if (p->log && !(p->from * p->to > 0.0)) {
        tml_entry_error(x, scale, "scale: log needs two numbers of the same sign, got %g and %g",
                        p->from, p->to);
    }
}

static void read_spread(TmlEntry *x, void *arg)
{
    Reading *d = arg;
    TmlSpread *p = &d->s->spread[d->s->n_spreads];
    *p = (TmlSpread){.name = tml_arena_strdup(&d->s->arena, x->name)};
    d->s->n_spreads++;
    if (x->value->kind == TML_VALUE_LIST) { // the values alone
        read_values(x, d, p, x->value);
        return;
    }
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_of_spread, NULL, NULL);
    const TmlValue *values = tml_value_find(x->value, "values");
    const TmlValue *mean = tml_value_find(x->value, "mean");
    const TmlValue *deviation = tml_value_find(x->value, "deviation");
    if (values != NULL) {
        read_values(x, d, p, values);
    } else if (mean != NULL || deviation != NULL) {
        p->kind = TML_SPREAD_NORMAL;
        if (mean == NULL || deviation == NULL) {
            tml_entry_error(x, NULL, "a normal distribution needs 'mean' and 'deviation'");
        } else if (tml_read_number(x, mean, "mean", &p->mean)) {
            (void)tml_read_ranged(x, deviation, "deviation", TML_POSITIVE, "", &p->deviation);
        }
    } else {
        read_range(x, p);
    }
}

static TmlStatus read_spreads(Reading *d, TmlError *err)
{
    const TmlValue *all = tml_value_find(d->root, "parameters");
    TmlEntry x = {.r = d->r, .kind = "parameters", .value = all != NULL ? all : d->root};
    const int n = all != NULL && all->kind == TML_VALUE_MAP ? all->n : 0;
    TML_NEW(&d->s->arena, d->s->spread, (size_t)n + TABLE_COLUMNS);
    if (all == NULL && tml_value_find(d->root, "table") == NULL) {
        tml_entry_error(&x, NULL, "missing key 'parameters': what changes from run to run");
    } else if (all != NULL && tml_read_is_map(&x, all, NULL)) {
        for (int k = 0; k < n; ++k) {
            TmlEntry one = {.r = d->r,
                            .kind = "parameter",
                            .name = all->key[k]->text,
                            .value = all->item[k],
                            .key = all->key[k]};
            read_spread(&one, d);
        }
    }
    return TML_OK;
}

/* --- a table of values -------------------------------------------------------------------------------- */

/* One cell of a line, without blanks about it; *at is behind the separator. */
static char *cell(char **at, bool *last)
{
    char *begin = *at + strspn(*at, " \t"), *end = begin + strcspn(begin, ",;\r\n");
    *last = *end != ',' && *end != ';';
    *at = end + (*end != '\0' && !*last);
    if (*last) {
        *at = end + strspn(end, "\r");
        *at += **at == '\n';
    }
    *end = '\0';
    while (end > begin && (isspace((unsigned char)end[-1]) || end[-1] == '"')) {
        *--end = '\0';
    }
    return begin + (*begin == '"');
}

/* A column for each heading; runs are counted, so are the columns that are parameters: `run` is none. */
static TmlStatus read_columns(Reading *d, char *text, const char *path, TmlError *err)
{
    TmlStudy *s = d->s;
    int lines = 1, columns = 0, line = 1, place[TABLE_COLUMNS];
    bool last = false;
    char *at = text;
    for (const char *c = text; *c != '\0'; ++c) {
        lines += *c == '\n';
    }
    for (; !last; ++columns) {
        const char *name = cell(&at, &last);
        if (columns == TABLE_COLUMNS) {
            return tml_fail(err, TML_E_MODEL, "%s:1: more than %d columns", path, TABLE_COLUMNS);
        }
        place[columns] = strcmp(name, "run") == 0 ? -1 : s->n_spreads;
        if (place[columns] >= 0) {
            TmlSpread *p = &s->spread[s->n_spreads++];
            *p = (TmlSpread){.name = tml_arena_strdup(&s->arena, name), .kind = TML_SPREAD_VALUES};
            TML_NEW(&s->arena, p->value, lines);
            if (p->name == NULL || name[0] == '\0') {
                return tml_fail(err, TML_E_MODEL, "%s:1: column %d has no name", path, columns + 1);
            }
        }
    }
    for (; *at != '\0'; ++line) {
        last = false;
        if (at[strspn(at, " \t\r")] == '\n' || at[strspn(at, " \t\r")] == '\0') {
            at += strcspn(at, "\n");
            at += *at == '\n';
            continue;
        }
        for (int c = 0; c < columns; ++c) {
            char *end;
            if (last) {
                return tml_fail(err, TML_E_MODEL, "%s:%d: %d cells, where the heading has %d", path,
                                line + 1, c, columns);
            }
            const char *word = cell(&at, &last);
            const double value = tml_real_read(word, &end);
            if (end == word || *end != '\0' || !isfinite(value)) {
                return tml_fail(err, TML_E_MODEL, "%s:%d: expected a number, got '%.40s'", path,
                                line + 1, word);
            }
            if (place[c] >= 0) {
                TmlSpread *p = &s->spread[place[c]];
                p->value[p->n++] = value;
            }
        }
        if (!last) {
            return tml_fail(err, TML_E_MODEL, "%s:%d: more cells than the heading has", path,
                            line + 1);
        }
    }
    return TML_OK;
}

static TmlStatus read_table(Reading *d, TmlError *err)
{
    const TmlValue *v = tml_value_find(d->root, "table");
    TmlEntry x = {.r = d->r, .value = d->root};
    const char *name = v != NULL ? tml_read_text(&x, v, "table") : NULL;
    char *text = NULL;
    size_t length = 0;
    if (name == NULL) {
        return TML_OK;
    }
    if (d->s->n_spreads > 0) {
        tml_entry_error(&x, v, "table: its columns are the parameters; leave out 'parameters'");
        return TML_OK;
    }
    const char *path = tml_input_beside(&d->s->arena, d->file, name);
    if (path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(tml_input_read(path, &text, &length, err));
    const TmlStatus status = memchr(text, '\0', length) != NULL
                                 ? tml_fail(err, TML_E_MODEL, "'%s': not a text file", path)
                                 : read_columns(d, text, path, err);
    tml_mem_free(text);
    return status;
}

/* --- settings ------------------------------------------------------------------------------------------ */

static void read_design(Reading *d)
{
    TmlStudy *s = d->s;
    TmlEntry x = {.r = d->r, .value = d->root};
    const TmlValue *design = tml_value_find(d->root, "design");
    const TmlValue *samples = tml_value_find(d->root, "samples");
    const TmlValue *levels = tml_value_find(d->root, "levels");
    const TmlValue *seed = tml_value_find(d->root, "seed");
    int word = 0, number = 0;
    s->design = tml_value_find(d->root, "table") != NULL ? TML_DESIGN_LIST : TML_DESIGN_GRID;
    s->samples = SAMPLES_DEFAULT;
    s->levels = LEVELS_DEFAULT;
    if (design != NULL && tml_read_choice(&x, design, "design", TML_DESIGN_NAMES, &word)) {
        s->design = (TmlDesign)word;
    }
    if (samples != NULL && tml_read_int(&x, samples, "samples", &s->samples) && s->samples < 1) {
        tml_entry_error(&x, samples, "samples: expected 1 or more, got %d", s->samples);
    }
    if (samples != NULL && (s->design == TML_DESIGN_GRID || s->design == TML_DESIGN_LIST)) {
        tml_entry_error(&x, samples, "samples: a %s has as many runs as its values make",
                        s->design == TML_DESIGN_GRID ? "grid" : "list");
    }
    if (levels != NULL) {
        (void)tml_read_int(&x, levels, "levels", &s->levels);
    }
    if (seed != NULL && tml_read_int(&x, seed, "seed", &number)) {
        s->seed = (uint64_t)(int64_t)number;
    }
}

/* --- the model ----------------------------------------------------------------------------------------- */

/* All outputs: the value at the end, the largest and the smallest. */
static TmlStatus default_responses(TmlStudy *s, TmlError *err)
{
    static const struct {
        const char *word;
        TmlTake take;
    } kinds[] = {{"min", TML_TAKE_MIN}, {"max", TML_TAKE_MAX}, {"end", TML_TAKE_END}};
    const int n = s->model->channels.n;
    TML_NEW(&s->arena, s->response, 3 * (size_t)n + 1);
    for (int k = 0; k < 3 * n; ++k) {
        const TmlChannel *c = &s->model->channels.at[k / 3];
        s->response[k] =
            (TmlResponse){.name = tml_arena_printf(&s->arena, "%s.%s", c->name, kinds[k % 3].word),
                          .channel = c->name,
                          .take = kinds[k % 3].take,
                          .from = -HUGE_VAL,
                          .to = HUGE_VAL};
        if (s->response[k].name == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    s->n_responses = 3 * n;
    return TML_OK;
}

/* Histories that are kept: those of `keep`, or of all outputs. */
static TmlStatus bind_kept(Reading *d, TmlError *err)
{
    TmlStudy *s = d->s;
    const TmlValue *v = tml_value_find(d->root, "keep");
    TmlEntry x = {.r = d->r, .value = d->root};
    const int n = s->model->channels.n;
    s->n_channels = n;
    TML_NEW(&s->arena, s->kept, n + 1);
    TML_NEW(&s->arena, s->kept_name, n + 1);
    TML_NEW(&s->arena, s->kept_unit, n + 1);
    if (v != NULL && v->kind != TML_VALUE_LIST) {
        tml_entry_expected(&x, v, "keep", "a list of outputs; [] keeps none");
        return tml_report_status(&d->r->report, err);
    }
    for (int k = 0; k < (v != NULL ? v->n : n) && s->n_kept < n; ++k) {
        const char *name = v != NULL ? tml_read_text(&x, v->item[k], "keep") : NULL;
        const int at = v == NULL ? k : name != NULL ? tml_channel_of(s->model, name) : -1;
        if (at < 0) {
            return name != NULL
                       ? tml_channel_unknown(d->file, s->model, v->item[k]->line, name, err)
                       : tml_report_status(&d->r->report, err);
        }
        const char *unit = s->model->channels.at[at].unit;
        s->kept[s->n_kept] = at;
        s->kept_name[s->n_kept] = s->model->channels.at[at].name;
        s->kept_unit[s->n_kept++] = unit != NULL ? unit : "";
    }
    return TML_OK;
}

/* Makes the model of the first run, which tells whether the names are right. Values that a model refuses are the failure of
 * a run, not of the study. */
static TmlStatus check_model(TmlStudy *s, TmlError *err)
{
    const char **names = tml_mem_zalloc((size_t)s->n_spreads + 1, sizeof *names);
    TmlModel *first = NULL;
    if (names == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int p = 0; p < s->n_spreads; ++p) {
        names[p] = s->spread[p].name;
    }
    TmlError *why = tml_mem_zalloc(1, sizeof *why);
    TmlStatus status = tml_fail(why, TML_E_NOMEM, "out of memory");
    if (why != NULL) {
        status = tml_model_with(s->model, s->n_spreads, names, s->value, &first, why);
        status = status == TML_E_MODEL && strstr(why->message, "has no parameter") == NULL ? TML_OK
                                                                                           : status;
    }
    status = status != TML_OK
                 ? tml_fail(err, status, "%s", why != NULL ? why->message : "out of memory")
                 : status;
    tml_mem_free(why);
    tml_mem_free(names);
    tml_model_free(first);
    return status;
}

/* --- the document --------------------------------------------------------------------------------------- */

/* Of the model, the values, the settings and what is kept. */
static uint64_t mark_of(const TmlStudy *s)
{
    uint64_t h = tml_mark_begin(s->model);
    for (int p = 0; p < s->n_spreads; ++p) {
        h = tml_stir(h, s->spread[p].name, strlen(s->spread[p].name) + 1);
    }
    h = tml_stir(h, s->value, (size_t)s->runs * (size_t)s->n_spreads * sizeof *s->value);
    h = tml_mark_responses(h, s->n_responses, s->response);
    h = tml_stir(h, s->kept, (size_t)s->n_kept * sizeof *s->kept);
    return tml_mark_settings(h, &s->run);
}

static TmlStatus read_document(Reading *d, TmlError *err)
{
    TmlEntry x = {.r = d->r, .value = d->root};
    TmlStudy *s = d->s;
    tml_read_keys(&x, d->root, tml_keys_of_study, NULL, NULL);
    const TmlValue *title = tml_value_find(d->root, "study");
    const char *text = title != NULL ? tml_read_text(&x, title, "study") : NULL;
    s->title = tml_arena_strdup(&s->arena, text != NULL ? text : "");
    read_design(d);
    TML_TRY(read_spreads(d, err));
    TML_TRY(read_table(d, err));
    const TmlDescription own = {&s->arena, d->r, d->root, d->file};
    TML_TRY(tml_responses_read(&own, &s->response, &s->n_responses, err));
    s->run = tml_run_settings_read(&own);
    if (d->r->nomem) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(tml_report_status(&d->r->report, err));
    TML_TRY(tml_description_model(&own, d->load, &s->model, err));
    TmlStatus status = tml_study_design_make(s, err);
    if (status != TML_OK) {
        return tml_fail_ctx(err, status, "%s", d->file);
    }
    TML_TRY(s->n_responses == 0 ? default_responses(s, err) : TML_OK);
    TML_TRY(tml_responses_bind(&s->arena, d->file, s->model, s->n_responses, s->response, err));
    TML_TRY(bind_kept(d, err));
    TML_TRY(check_model(s, err));
    s->mark = mark_of(s);
    return TML_OK;
}

static TmlStatus parse(Reading *d, const char *text, size_t length, TmlError *err)
{
    TmlValue *root = NULL;
    TML_TRY(tml_yaml_parse(text, length, d->file, &d->m->arena, &d->r->report, &root, err));
    TML_TRY(tml_report_status(&d->r->report, err));
    if (root == NULL || root->kind != TML_VALUE_MAP) {
        return tml_fail(err, TML_E_MODEL, "%s: expected a map (study, model, parameters, ...)",
                        d->file);
    }
    d->root = root;
    return TML_OK;
}

static TmlStatus study_of_text(const char *file, const char *text, size_t length,
                               const TmlLoadOptions *load, TmlStudy **out, TmlError *err)
{
    Reading d = {.load = load};
    d.s = tml_mem_zalloc(1, sizeof *d.s);
    if (d.s == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    d.file = tml_arena_strdup(&d.s->arena, file);
    TmlStatus status =
        d.file != NULL ? tml_model_create(&d.m, err) : tml_fail(err, TML_E_NOMEM, "out of memory");
    if (status == TML_OK) {
        d.r = d.m->reader;
        status = parse(&d, text, length, err);
    }
    status = status == TML_OK ? read_document(&d, err) : status;
    tml_model_free(d.m);
    if (status != TML_OK) {
        tml_study_free(d.s);
        return status;
    }
    *out = d.s;
    return TML_OK;
}

TmlStatus tml_study_load(const char *path, const TmlLoadOptions *load, TmlStudy **out,
                         TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    TML_TRY(tml_input_read(path, &text, &length, err));
    const TmlStatus status = study_of_text(path, text, length, load, out, err);
    tml_mem_free(text);
    return status;
}

bool tml_is_study(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    bool found = false;
    if (tml_input_read(path, &text, &length, NULL) != TML_OK) {
        return false;
    }
    for (const char *line = text; line != NULL && !found; line = strchr(line, '\n')) {
        line += *line == '\n';
        found = strncmp(line, "study:", 6) == 0;
    }
    tml_mem_free(text);
    return found;
}

/* --- a grid from texts ----------------------------------------------------------------------------------- */

/* A text in quotes. */
static void put_quoted(FILE *to, const char *text, size_t n)
{
    fputc('"', to);
    for (size_t k = 0; k < n; ++k) {
        if (text[k] == '"' || text[k] == '\\') {
            fputc('\\', to);
        }
        fputc(text[k], to);
    }
    fputc('"', to);
}

/* from:to:count, with :log behind it, or values; false: neither. */
static bool put_range(FILE *to, const char *text)
{
    const char *part[4] = {text};
    int n = 1;
    for (const char *c = strchr(text, ':'); c != NULL && n < 4; c = strchr(c + 1, ':')) {
        part[n++] = c + 1;
    }
    if (n == 1) {
        fputs("[", to);
        for (const char *c = text; c != NULL;) {
            const size_t length = strcspn(c, ",");
            put_quoted(to, c, length);
            c = c[length] == ',' ? c + length + 1 : NULL;
            fputs(c != NULL ? ", " : "]", to);
        }
        return true;
    }
    if (n < 3 || (n == 4 && strcmp(part[3], "log") != 0)) {
        return false;
    }
    fputs("{from: ", to);
    put_quoted(to, part[0], (size_t)(part[1] - part[0]) - 1);
    fputs(", to: ", to);
    put_quoted(to, part[1], (size_t)(part[2] - part[1]) - 1);
    fputs(", count: ", to);
    put_quoted(to, part[2], n == 4 ? (size_t)(part[3] - part[2]) - 1 : strlen(part[2]));
    fputs(n == 4 ? ", scale: log}" : "}", to);
    return true;
}

TmlStatus tml_study_grid(const char *model, int n, const char *const *names,
                         const char *const *ranges, const TmlLoadOptions *load, TmlStudy **out,
                         TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    FILE *to = open_memstream(&text, &length);
    if (to == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TmlStatus status = TML_OK;
    fputs("study: ''\nmodel: ", to);
    put_quoted(to, model, strlen(model));
    fputs("\nparameters:\n", to);
    for (int k = 0; k < n && status == TML_OK; ++k) {
        fputs("  ", to);
        put_quoted(to, names[k], strlen(names[k]));
        fputs(": ", to);
        if (!put_range(to, ranges[k])) {
            status = tml_fail(err, TML_E_ARGUMENT,
                              "%s=%s: expected FROM:TO:COUNT, FROM:TO:COUNT:log or values "
                              "separated by commas",
                              names[k], ranges[k]);
        }
        fputs("\n", to);
    }
    const bool whole = fclose(to) == 0;
    if (status == TML_OK && !whole) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    status =
        status == TML_OK ? study_of_text("command line", text, length, load, out, err) : status;
    free(text); // of the C library
    return status;
}

/* --- facts ------------------------------------------------------------------------------------------------ */

void tml_study_free(TmlStudy *s)
{
    if (s != NULL) {
        tml_model_free(s->model);
        tml_arena_free(&s->arena);
        tml_mem_free(s);
    }
}

TmlStatus tml_study_settings(TmlStudy *s, const char *integrator, double end_time,
                             double output_step, double tolerance, TmlError *err)
{
    if (integrator != NULL) {
        s->run.integrator = tml_arena_strdup(&s->arena, integrator);
        if (s->run.integrator == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    s->run.end_time = isnan(end_time) ? s->run.end_time : end_time;
    s->run.output_step = isnan(output_step) ? s->run.output_step : output_step;
    s->run.tolerance = isnan(tolerance) ? s->run.tolerance : tolerance;
    s->mark = mark_of(s);
    return TML_OK;
}

const char *tml_study_title(const TmlStudy *s)
{
    const char *title = s->title[0] != '\0' ? s->title : tml_model_title(s->model);
    return title != NULL ? title : "";
}

const char *tml_study_design(const TmlStudy *s)
{
    static const char *const names[] = {"grid",  "list",   "random", "latin_hypercube",
                                        "sobol", "morris", "indices"};
    return names[s->design];
}

const TmlModel *tml_study_model(const TmlStudy *s)
{
    return s->model;
}

int tml_study_runs(const TmlStudy *s)
{
    return s->runs;
}

int tml_study_parameters(const TmlStudy *s)
{
    return s->n_spreads;
}

const char *tml_study_parameter(const TmlStudy *s, int index)
{
    return index >= 0 && index < s->n_spreads ? s->spread[index].name : NULL;
}

double tml_study_value(const TmlStudy *s, int run, int parameter)
{
    const bool there = run >= 0 && run < s->runs && parameter >= 0 && parameter < s->n_spreads;
    return there ? s->value[run * s->n_spreads + parameter] : (double)NAN;
}

int tml_study_responses(const TmlStudy *s)
{
    return s->n_responses;
}

const char *tml_study_response(const TmlStudy *s, int index)
{
    return index >= 0 && index < s->n_responses ? s->response[index].name : NULL;
}

const char *tml_study_response_unit(const TmlStudy *s, int index)
{
    return index >= 0 && index < s->n_responses ? s->response[index].unit : NULL;
}

double tml_study_bytes(const TmlStudy *s)
{
    const double end = isnan(s->run.end_time) ? tml_model_end_time(s->model) : s->run.end_time;
    const double step = isnan(s->run.output_step) ? s->model->run.output_step : s->run.output_step;
    const double rows = step > 0.0 && end > 0.0 ? end / step + 1.0 : 101.0;
    const double values = s->n_responses + s->n_spreads + rows * (s->n_kept + 1);
    return 8.0 * s->runs * values;
}
