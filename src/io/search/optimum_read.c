/* io/search/optimum_read.c - an optimisation from a description. */
#include "io/search/minimise.h"
#include "io/search/optimum.h"

#include "base/fail.h"
#include "base/input.h"
#include "base/nearest.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

typedef struct OptimumReading {
    TmlSearchReading r;
    TmlOptimum *o;
} OptimumReading;

static int response_of(const TmlOptimum *o, const char *name)
{
    for (int k = 0; k < o->n_responses; ++k) {
        if (strcmp(o->response[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* A response by its name in the description; -1 after a message. */
static int find_response(TmlEntry *x, const TmlOptimum *o, const TmlValue *at, const char *name)
{
    const int k = response_of(o, name);
    if (k < 0) {
        tml_entry_unknown_name(x, at, "response", name, o->response, o->n_responses,
                               sizeof *o->response);
    }
    return k;
}

/* --- objective -------------------------------------------------------------------------------------------------------- */

static void read_objective(OptimumReading *d)
{
    TmlOptimum *o = d->o;
    TmlEntry x = {.r = d->r.d.r, .value = d->r.d.root};
    const TmlValue *least = tml_value_find(d->r.d.root, "minimize");
    const TmlValue *most = tml_value_find(d->r.d.root, "maximize");
    const TmlValue *v = least != NULL ? least : most;
    const char *key = least != NULL ? "minimize" : "maximize";
    o->maximise = least == NULL;
    if (v == NULL || (least != NULL && most != NULL)) {
        tml_entry_error(&x, most,
                        "expected one of 'minimize' and 'maximize': a response, or a map "
                        "of responses with their factors");
        return;
    }
    if (v->kind == TML_VALUE_MAP) {
        for (int k = 0; k < v->n; ++k) {
            const int at = find_response(&x, o, v->key[k], v->key[k]->text);
            double factor;
            if (at >= 0 && tml_read_number(&x, v->item[k], key, &factor)) {
                o->factor[at] = factor;
            }
        }
        return;
    }
    const char *name = tml_read_text(&x, v, key);
    const int at = name != NULL ? find_response(&x, o, v, name) : -1;
    if (at >= 0) {
        o->factor[at] = 1.0;
    }
}

static void read_limit(TmlEntry *x, TmlOptimum *o)
{
    const int at = find_response(x, o, x->key, x->name);
    if (at < 0 || !tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    TmlLimit *limit = &o->limit[at];
    tml_read_keys(x, x->value, tml_keys_of_limit, NULL, NULL);
    const TmlValue *min = tml_value_find(x->value, "min"), *max = tml_value_find(x->value, "max");
    const TmlValue *equals = tml_value_find(x->value, "equals");
    if (equals != NULL && (min != NULL || max != NULL)) {
        tml_entry_error(x, equals, "'equals' stands alone, without 'min' and 'max'");
        return;
    }
    if (min == NULL && max == NULL && equals == NULL) {
        tml_entry_error(x, NULL, "expected 'min', 'max' or 'equals'");
        return;
    }
    if ((min != NULL && !tml_read_number(x, min, "min", &limit->min)) ||
        (max != NULL && !tml_read_number(x, max, "max", &limit->max)) ||
        (equals != NULL && !tml_read_number(x, equals, "equals", &limit->min))) {
        return;
    }
    limit->max = equals != NULL ? limit->min : limit->max;
    if (limit->min > limit->max) {
        tml_entry_error(x, NULL, "'min' is above 'max': %g and %g", limit->min, limit->max);
    }
}

static void read_limits(OptimumReading *d)
{
    const TmlValue *all = tml_value_find(d->r.d.root, "constraints");
    TmlEntry x = {.r = d->r.d.r, .kind = "constraints", .value = all};
    if (all == NULL || !tml_read_is_map(&x, all, NULL)) {
        return;
    }
    for (int k = 0; k < all->n; ++k) {
        TmlEntry one = {.r = d->r.d.r,
                        .kind = "constraint",
                        .name = all->key[k]->text,
                        .value = all->item[k],
                        .key = all->key[k]};
        read_limit(&one, d->o);
    }
}

static void read_settings(OptimumReading *d)
{
    static const char *const names[] = {"auto",   "slsqp",  "mma",  "bobyqa",
                                        "cobyla", "direct", "isres"};
    TmlOptimum *o = d->o;
    TmlEntry x = {.r = d->r.d.r, .value = d->r.d.root};
    const TmlValue *method = tml_value_find(d->r.d.root, "method");
    const TmlValue *evaluations = tml_value_find(d->r.d.root, "evaluations");
    const TmlValue *accuracy = tml_value_find(d->r.d.root, "accuracy");
    const TmlValue *seed = tml_value_find(d->r.d.root, "seed");
    int word = 0;
    o->accuracy = 1e-5;
    if (method != NULL) {
        (void)tml_read_choice(&x, method, "method", TML_SEARCH_METHODS, &word);
    }
    o->method = names[word];
    if (evaluations != NULL && tml_read_int(&x, evaluations, "evaluations", &o->evaluations) &&
        o->evaluations < 1) {
        tml_entry_error(&x, evaluations, "evaluations: expected 1 or more, got %d", o->evaluations);
    }
    if (accuracy != NULL) {
        (void)tml_read_ranged(&x, accuracy, "accuracy", TML_POSITIVE, "", &o->accuracy);
    }
    if (seed != NULL) {
        (void)tml_read_int(&x, seed, "seed", &o->seed);
    }
}

/* --- the whole -------------------------------------------------------------------------------------------------------- */

void tml_optimum_limits(const TmlOptimum *o, int *n_below, int *n_equal)
{
    *n_below = *n_equal = 0;
    for (int k = 0; k < o->n_responses; ++k) {
        const TmlLimit *limit = &o->limit[k];
        const bool same = limit->min == limit->max;
        *n_equal += same;
        *n_below += same ? 0 : isfinite(limit->min) + isfinite(limit->max);
    }
}

TmlStatus tml_optimum_check(const TmlOptimum *o, TmlError *err)
{
    int below, equal;
    tml_optimum_limits(o, &below, &equal);
    const char *why =
        strcmp(o->method, "auto") == 0 ? NULL : tml_method_lacks(o->method, below, equal);
    return why == NULL ? TML_OK : tml_fail(err, TML_E_ARGUMENT, "method '%s' %s", o->method, why);
}

uint64_t tml_optimum_mark(const TmlOptimum *o)
{
    uint64_t h = tml_mark_settings(o->s.mark, &o->s.run);
    const double settings[4] = {o->accuracy, o->evaluations, o->seed, o->maximise};
    h = tml_mark_responses(h, o->n_responses, o->response);
    h = tml_stir(h, o->limit, (size_t)o->n_responses * sizeof *o->limit);
    h = tml_stir(h, o->factor, (size_t)o->n_responses * sizeof *o->factor);
    h = tml_stir(h, settings, sizeof settings);
    return tml_stir(h, o->method, strlen(o->method));
}

static TmlStatus make_results(TmlOptimum *o, TmlError *err)
{
    TmlArena *arena = &o->s.arena;
    const size_t m = (size_t)o->n_responses;
    TML_NEW(arena, o->used, m);
    TML_NEW(arena, o->place, m);
    TML_NEW(arena, o->x, (size_t)o->s.n);
    TML_NEW(arena, o->y, m);
    TML_NEW(arena, o->first, m);
    for (int k = 0; k < o->s.n; ++k) {
        o->x[k] = o->s.free[k].start;
    }
    for (int r = 0; r < o->n_responses; ++r) {
        int at = 0;
        while (at < o->n_used && o->used[at] != o->response[r].index) {
            at++;
        }
        o->used[at] = o->response[r].index;
        o->place[r] = at;
        o->n_used += at == o->n_used;
        o->y[r] = o->first[r] = (double)NAN;
    }
    o->result = (TmlOptimumResult){.method = o->method, .message = "not run"};
    return TML_OK;
}

static TmlStatus read_optimum(OptimumReading *d, const char *file, const char *text, size_t length,
                              TmlError *err)
{
    TmlOptimum *o = d->o;
    o->s.kind = "optimize";
    o->s.values = tml_optimum_values;
    o->s.slopes = tml_optimum_slopes;
    o->s.keep_values = true;
    TML_TRY(tml_search_open(&o->s, &d->r, file, text, length, tml_keys_of_optimize, err));
    TML_TRY(tml_responses_read(&d->r.d, &o->response, &o->n_responses, err));
    if (o->n_responses == 0) {
        TmlEntry x = {.r = d->r.d.r, .value = d->r.d.root};
        tml_entry_error(&x, NULL,
                        "missing key 'responses': numbers of each run, by names of your choice");
        return tml_report_status(&d->r.d.r->report, err);
    }
    TML_NEW(&o->s.arena, o->limit, o->n_responses);
    TML_NEW(&o->s.arena, o->factor, o->n_responses);
    for (int k = 0; k < o->n_responses; ++k) {
        o->limit[k] = (TmlLimit){-HUGE_VAL, HUGE_VAL};
        o->factor[k] = 0.0;
    }
    read_objective(d);
    read_limits(d);
    read_settings(d);
    TML_TRY(tml_search_settle(&o->s, &d->r, true, err));
    TML_TRY(
        tml_responses_bind(&o->s.arena, o->s.file, o->s.model, o->n_responses, o->response, err));
    o->s.m = o->n_responses;
    const TmlStatus status = tml_optimum_check(o, err);
    return status == TML_OK ? make_results(o, err)
                            : tml_fail_ctx(err, TML_E_MODEL, "%s", o->s.file);
}

static TmlStatus create(const char *file, const char *text, size_t length, OptimumReading *d,
                        const TmlModel *model, TmlOptimum **out, TmlError *err)
{
    *out = NULL;
    d->o = tml_mem_zalloc(1, sizeof *d->o);
    if (d->o == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    d->o->s.model = model;
    const TmlStatus status = read_optimum(d, file, text, length, err);
    tml_search_reading_end(&d->r);
    if (status != TML_OK) {
        tml_optimum_free(d->o);
        return status;
    }
    *out = d->o;
    return TML_OK;
}

TmlStatus tml_optimum_create(const TmlModel *model, const char *text, TmlOptimum **out,
                             TmlError *err)
{
    OptimumReading d = {.o = NULL};
    return create("optimize", text, strlen(text), &d, model, out, err);
}

TmlStatus tml_optimum_load(const char *path, const TmlLoadOptions *load, TmlOptimum **out,
                           TmlError *err)
{
    OptimumReading d = {.r = {.load = load}};
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    TML_TRY(tml_input_read(path, &text, &length, err));
    const TmlStatus status = create(path, text, length, &d, NULL, out, err);
    tml_mem_free(text);
    return status;
}

void tml_optimum_free(TmlOptimum *o)
{
    if (o != NULL) {
        tml_search_free(&o->s);
        tml_mem_free(o);
    }
}

TmlStatus tml_optimum_settings(TmlOptimum *o, const char *method, const char *integrator,
                               double tolerance, int evaluations, TmlError *err)
{
    const char *const texts[] = {method, integrator};
    const char **const to[] = {&o->method, &o->s.run.integrator};
    for (int k = 0; k < 2; ++k) {
        if (texts[k] != NULL) {
            *to[k] = tml_arena_strdup(&o->s.arena, texts[k]);
            if (*to[k] == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory");
            }
        }
    }
    o->s.run.tolerance = isnan(tolerance) ? o->s.run.tolerance : tolerance;
    o->evaluations = evaluations > 0 ? evaluations : o->evaluations;
    return tml_optimum_check(o, err);
}
