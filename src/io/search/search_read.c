/* io/search/search_read.c - what descriptions of fits and optimisations have in common. */
#include "io/search/search.h"

#include "base/fail.h"
#include "base/input.h"
#include "io/load/yaml.h"
#include "model/model.h"
#include "trammel/gradient.h"

#include <math.h>
#include <string.h>

static void read_free(TmlEntry *x, TmlSearch *s)
{
    TmlFree *f = &s->free[s->n];
    int word = 0;
    *f = (TmlFree){.name = tml_arena_strdup(&s->arena, x->name),
                   .low = -HUGE_VAL,
                   .high = HUGE_VAL,
                   .start = (double)NAN,
                   .line = x->key->line};
    s->n++;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_of_free, NULL, NULL);
    const TmlValue *from = tml_value_find(x->value, "from"), *to = tml_value_find(x->value, "to");
    const TmlValue *start = tml_value_find(x->value, "start");
    const TmlValue *scale = tml_value_find(x->value, "scale");
    if ((from != NULL && !tml_read_number(x, from, "from", &f->low)) ||
        (to != NULL && !tml_read_number(x, to, "to", &f->high)) ||
        (start != NULL && !tml_read_number(x, start, "start", &f->start)) ||
        (scale != NULL && !tml_read_choice(x, scale, "scale", "linear|log", &word))) {
        return;
    }
    f->log = word == 1;
    if (!(f->low < f->high)) {
        tml_entry_error(x, NULL, "'from' must be below 'to', got %g and %g", f->low, f->high);
    } else if (f->log && !(f->low > 0.0 && isfinite(f->high))) {
        tml_entry_error(x, scale, "scale: log needs 'from' above zero, and 'to'");
    }
}

static TmlStatus read_parameters(TmlSearch *s, const TmlDescription *d, TmlError *err)
{
    const TmlValue *all = tml_value_find(d->root, "parameters");
    TmlEntry x = {.r = d->r, .kind = "parameters", .value = all != NULL ? all : d->root};
    const int n = all != NULL && all->kind == TML_VALUE_MAP ? all->n : 0;
    TML_NEW(&s->arena, s->free, (size_t)n + 1);
    if (all == NULL) {
        tml_entry_error(&x, NULL, "missing key 'parameters': what is free, with bounds");
    } else if (tml_read_is_map(&x, all, NULL) && n == 0) {
        tml_entry_error(&x, all, "parameters: name one at least");
    }
    for (int k = 0; k < n; ++k) {
        TmlEntry one = {.r = d->r,
                        .kind = "parameter",
                        .name = all->key[k]->text,
                        .value = all->item[k],
                        .key = all->key[k]};
        read_free(&one, s);
    }
    return TML_OK;
}

TmlStatus tml_search_open(TmlSearch *s, TmlSearchReading *r, const char *file, const char *text,
                          size_t length, const TmlKey *keys, TmlError *err)
{
    TmlValue *root = NULL;
    s->journal.fd = -1;
    r->d = (TmlDescription){.arena = &s->arena, .file = tml_arena_strdup(&s->arena, file)};
    s->file = r->d.file;
    if (s->file == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(tml_model_create(&r->m, err));
    r->d.r = r->m->reader;
    TML_TRY(tml_yaml_parse(text, length, s->file, &r->m->arena, &r->d.r->report, &root, err));
    TML_TRY(tml_report_status(&r->d.r->report, err));
    if (root == NULL || root->kind != TML_VALUE_MAP) {
        return tml_fail(err, TML_E_MODEL, "%s: expected a map (%s, model, parameters, ...)",
                        s->file, s->kind);
    }
    r->d.root = root;
    TmlEntry x = {.r = r->d.r, .value = root};
    tml_read_keys(&x, root, keys, NULL, NULL);
    const TmlValue *title = tml_value_find(root, s->kind);
    const char *words = title != NULL ? tml_read_text(&x, title, s->kind) : NULL;
    s->title = tml_arena_strdup(&s->arena, words != NULL ? words : "");
    s->run = tml_run_settings_read(&r->d);
    TML_TRY(read_parameters(s, &r->d, err));
    return r->d.r->nomem ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
}

static TmlStatus settle_start(TmlSearch *s, TmlFree *f, bool bounded, TmlError *err)
{
    double own;
    const TmlStatus status = tml_model_parameter(s->model, f->name, &own, err);
    if (status != TML_OK) {
        return tml_fail_ctx(err, TML_E_MODEL, "%s:%d", s->file, f->line);
    }
    const bool given = !isnan(f->start);
    f->start = given ? f->start : own;
    if (bounded && !(isfinite(f->low) && isfinite(f->high))) {
        return tml_fail(err, TML_E_MODEL,
                        "%s:%d: parameter '%s' needs 'from' and 'to', between which the best is "
                        "looked for",
                        s->file, f->line, f->name);
    }
    if (f->start < f->low || f->start > f->high) {
        return tml_fail(err, TML_E_MODEL,
                        "%s:%d: parameter '%s' starts at %g%s, which is not between %g and %g%s",
                        s->file, f->line, f->name, f->start, given ? "" : ", as in the model",
                        f->low, f->high, given ? "" : "; give a 'start'");
    }
    return TML_OK;
}

TmlStatus tml_search_settle(TmlSearch *s, TmlSearchReading *r, bool bounded, TmlError *err)
{
    TML_TRY(tml_report_status(&r->d.r->report, err));
    if (s->model == NULL) {
        TML_TRY(tml_description_model(&r->d, r->load, &s->own, err));
        s->model = s->own;
    }
    for (int k = 0; k < s->n; ++k) {
        TML_TRY(settle_start(s, &s->free[k], bounded, err));
        for (int i = 0; i < k; ++i) {
            if (strcmp(s->free[i].name, s->free[k].name) == 0) {
                return tml_fail(err, TML_E_MODEL, "%s:%d: parameter '%s' is there twice", s->file,
                                s->free[k].line, s->free[k].name);
            }
        }
    }
    uint64_t h = tml_mark_settings(tml_mark_begin(s->model), &s->run);
    for (int k = 0; k < s->n; ++k) {
        const TmlFree *f = &s->free[k];
        const double span[4] = {f->low, f->high, f->start, f->log};
        h = tml_stir(h, f->name, strlen(f->name) + 1);
        h = tml_stir(h, span, sizeof span);
    }
    s->mark = h;
    return TML_OK;
}

void tml_search_reading_end(TmlSearchReading *r)
{
    tml_model_free(r->m);
}

void tml_search_free(TmlSearch *s)
{
    tml_search_journal_close(&s->journal, false);
    tml_model_free(s->own);
    tml_mem_free(s->done);
    tml_arena_free(&s->arena);
}

bool tml_is_description(const char *path, const char *key)
{
    char *text = NULL;
    size_t length = 0;
    const size_t n = strlen(key);
    bool found = false;
    if (tml_input_read(path, &text, &length, NULL) != TML_OK) {
        return false;
    }
    for (const char *line = text; line != NULL && !found; line = strchr(line, '\n')) {
        line += *line == '\n';
        found = strncmp(line, key, n) == 0 && line[n] == ':';
    }
    tml_mem_free(text);
    return found;
}
