/* io/study/response_read.c - settings of runs and responses from a description. */
#include "io/study/response.h"

#include "io/study/study_keys.h"

#include "base/fail.h"
#include "base/input.h"
#include "base/nearest.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* False: the entry is wrong, and the report says so. */
static bool read_response(TmlEntry *x, TmlArena *arena, TmlResponse *p)
{
    int take = TML_TAKE_MAX;
    *p = (TmlResponse){.name = tml_arena_strdup(arena, x->name), .from = -HUGE_VAL, .to = HUGE_VAL};
    if (!tml_read_is_map(x, x->value, NULL)) {
        return false;
    }
    tml_read_keys(x, x->value, tml_keys_of_response, NULL, NULL);
    const TmlValue *of = tml_value_find(x->value, "of");
    const TmlValue *from = tml_value_find(x->value, "from"), *to = tml_value_find(x->value, "to");
    const TmlValue *what = tml_value_find(x->value, "take");
    const char *channel = of != NULL ? tml_read_text(x, of, "of") : x->name;
    if (channel == NULL || (what != NULL && !tml_read_choice(x, what, "take", TML_TAKES, &take)) ||
        (from != NULL && !tml_read_number(x, from, "from", &p->from)) ||
        (to != NULL && !tml_read_number(x, to, "to", &p->to))) {
        return false;
    }
    p->channel = tml_arena_strdup(arena, channel);
    p->take = (TmlTake)take;
    p->index = x->key->line; // for messages, until the channel is known
    return true;
}

TmlStatus tml_responses_read(const TmlDescription *d, TmlResponse **out, int *n, TmlError *err)
{
    const TmlValue *all = tml_value_find(d->root, "responses");
    TmlEntry x = {.r = d->r, .kind = "responses", .value = all};
    *n = 0;
    if (all != NULL && tml_read_is_map(&x, all, NULL)) {
        TML_NEW(d->arena, *out, all->n + 1);
        for (int k = 0; k < all->n; ++k) {
            TmlEntry one = {.r = d->r,
                            .kind = "response",
                            .name = all->key[k]->text,
                            .value = all->item[k],
                            .key = all->key[k]};
            *n += read_response(&one, d->arena, &(*out)[*n]);
        }
    }
    return TML_OK;
}

TmlStudyRun tml_run_settings_read(const TmlDescription *d)
{
    const TmlValue *v = tml_value_find(d->root, "run");
    TmlEntry x = {.r = d->r, .kind = "run", .value = v};
    TmlStudyRun s = {(double)NAN, (double)NAN, (double)NAN, NULL};
    if (v == NULL || !tml_read_is_map(&x, v, NULL)) {
        return s;
    }
    tml_read_keys(&x, v, tml_keys_of_study_run, NULL, NULL);
    const TmlValue *end = tml_value_find(v, "end"), *step = tml_value_find(v, "output_step");
    const TmlValue *tolerance = tml_value_find(v, "tolerance");
    const TmlValue *integrator = tml_value_find(v, "integrator");
    if (end != NULL) {
        (void)tml_read_number(&x, end, "end", &s.end_time);
    }
    if (step != NULL) {
        (void)tml_read_ranged(&x, step, "output_step", TML_POSITIVE, "s", &s.output_step);
    }
    if (tolerance != NULL) {
        (void)tml_read_ranged(&x, tolerance, "tolerance", TML_POSITIVE, "", &s.tolerance);
    }
    if (integrator != NULL) {
        const char *name = tml_read_text(&x, integrator, "integrator");
        s.integrator = name != NULL ? tml_arena_strdup(d->arena, name) : NULL;
    }
    return s;
}

int tml_channel_of(const TmlModel *m, const char *name)
{
    for (int k = 0; k < m->channels.n; ++k) {
        if (strcmp(m->channels.at[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

TmlStatus tml_channel_unknown(const char *file, const TmlModel *m, int line, const char *name,
                              TmlError *err)
{
    const char **names = tml_mem_zalloc((size_t)m->channels.n + 1, sizeof *names);
    for (int k = 0; k < m->channels.n && names != NULL; ++k) {
        names[k] = m->channels.at[k].name;
    }
    const char *near = names != NULL ? tml_nearest(name, names, m->channels.n) : NULL;
    const TmlStatus status = tml_fail(err, TML_E_MODEL, "%s:%d: the model has no output '%s'%s%s%s",
                                      file, line, name, near != NULL ? "; did you mean '" : "",
                                      near != NULL ? near : "", near != NULL ? "'?" : "");
    tml_mem_free(names);
    return status;
}

TmlStatus tml_responses_bind(TmlArena *arena, const char *file, const TmlModel *model, int n,
                             TmlResponse *response, TmlError *err)
{
    for (int k = 0; k < n; ++k) {
        TmlResponse *p = &response[k];
        const int line = p->index;
        p->index = tml_channel_of(model, p->channel);
        if (p->index < 0) {
            return tml_channel_unknown(file, model, line, p->channel, err);
        }
        const bool time = p->take == TML_TAKE_TIME_OF_MAX || p->take == TML_TAKE_TIME_OF_MIN;
        const char *unit = model->channels.at[p->index].unit;
        p->unit = time ? "s" : unit != NULL ? unit : "";
        if (p->take == TML_TAKE_INTEGRAL && p->unit[0] != '\0') {
            p->unit = tml_arena_printf(arena, "(%s)*s", p->unit);
            if (p->unit == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory");
            }
        }
    }
    return TML_OK;
}

/* FNV-1a of 64 bits, which goes on from h. */
uint64_t tml_stir(uint64_t h, const void *bytes, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        h = (h ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3u;
    }
    return h;
}

uint64_t tml_mark_begin(const TmlModel *m)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (int k = 0; k < m->sources.n; ++k) {
        h = tml_stir(h, m->sources.at[k].text, strlen(m->sources.at[k].text) + 1);
    }
    for (int k = 0; k < m->parameters.n;
         ++k) { // which may have got other values than the texts say
        h = tml_stir(h, &m->parameters.at[k].value, sizeof m->parameters.at[k].value);
    }
    return h;
}

uint64_t tml_mark_settings(uint64_t h, const TmlStudyRun *s)
{
    const double settings[3] = {s->end_time, s->output_step, s->tolerance};
    h = tml_stir(h, settings, sizeof settings);
    return s->integrator != NULL ? tml_stir(h, s->integrator, strlen(s->integrator)) : h;
}

uint64_t tml_mark_responses(uint64_t h, int n, const TmlResponse *response)
{
    for (int k = 0; k < n; ++k) {
        const TmlResponse *r = &response[k];
        const double span[3] = {r->from, r->to, r->take};
        h = tml_stir(h, r->name, strlen(r->name) + 1);
        h = tml_stir(h, r->channel, strlen(r->channel) + 1);
        h = tml_stir(h, span, sizeof span);
    }
    return h;
}

TmlStatus tml_description_model(const TmlDescription *d, const TmlLoadOptions *load, TmlModel **out,
                                TmlError *err)
{
    TmlEntry x = {.r = d->r, .value = d->root};
    const TmlValue *v = tml_value_find(d->root, "model");
    const char *name = v != NULL ? tml_read_text(&x, v, "model") : NULL;
    if (name == NULL) {
        tml_entry_error(&x, v, "missing key 'model': the file of the model");
        return tml_report_status(&d->r->report, err);
    }
    const char *path = tml_input_beside(d->arena, d->file, name);
    if (path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    // a pipe would be waited for: only the command line may name one
    TML_TRY(tml_input_check(path, err));
    return tml_load_with(path, load, out, err);
}
