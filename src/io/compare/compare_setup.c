/* io/compare/compare_setup.c - what a comparison is asked for: methods, tolerances, channels. */
#include "analysis/integrator/integrator.h"
#include "io/compare/compare.h"

#include "base/fail.h"
#include "base/nearest.h"

#include <math.h>
#include <string.h>

enum { NAMES_MAX = 64 };

static TmlStatus unknown_method(const char *name, TmlError *err)
{
    const char *names[NAMES_MAX];
    int n = 0;
    for (; tml_integrator_name(n) != NULL && n < NAMES_MAX; ++n) {
        names[n] = tml_integrator_name(n);
    }
    const char *near = tml_nearest(name, names, n);
    return near != NULL
               ? tml_fail(err, TML_E_ARGUMENT, "there is no integrator '%s'; did you mean '%s'?",
                          name, near)
               : tml_fail(err, TML_E_ARGUMENT,
                          "there is no integrator '%s'; 'trammel integrators' lists them", name);
}

static TmlStatus check_options(TmlCompare *c, const TmlCompareMethod *m, TmlError *err)
{
    const TmlIntegratorType *type = tml_find_integrator(m->name);
    if (strcmp(m->name, tml_auto_info.name) == 0 && m->n == 0) {
        return TML_OK;
    }
    if (type == NULL) {
        return unknown_method(m->name, err);
    }
    void *opts = tml_arena_alloc(&c->arena, 1, type->info.data_size);
    if (opts == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(tml_options_parse(&type->info, m->n, m->key, m->value, opts, err));
    return type->check != NULL ? type->check(opts, err) : TML_OK;
}

TmlStatus tml_compare_parse(TmlCompare *c, const char *text, TmlCompareMethod *out, TmlError *err)
{
    *out = (TmlCompareMethod){0};
    out->text = tml_arena_strdup(&c->arena, text);
    char *part = tml_arena_strdup(&c->arena, text);
    if (out->text == NULL || part == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    out->name = part;
    for (char *colon = strchr(part, ':'); colon != NULL; colon = strchr(part, ':')) {
        *colon = '\0';
        part = colon + 1;
        char *equals = strchr(part, '=');
        const char *end = strchr(part, ':');
        if (equals == NULL || equals == part || (end != NULL && equals > end)) {
            return tml_fail(err, TML_E_ARGUMENT,
                            "method '%s': after ':' an option is written KEY=VALUE", text);
        }
        if (out->n == TML_METHOD_OPTIONS) {
            return tml_fail(err, TML_E_ARGUMENT, "method '%s' has more than %d options", text,
                            TML_METHOD_OPTIONS);
        }
        *equals = '\0';
        out->key[out->n] = part;
        out->value[out->n++] = part = equals + 1;
    }
    return check_options(c, out, err);
}

static TmlStatus check_numbers(const TmlCompareOptions *o, TmlError *err)
{
    if (o->n_methods < 1 || o->n_tolerances < 1) {
        return tml_fail(err, TML_E_ARGUMENT, "a comparison needs a method and a tolerance");
    }
    if (!(o->limit > 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "the limit of time must be positive, not %g s",
                        o->limit);
    }
    if (o->repeat < 1) {
        return tml_fail(err, TML_E_ARGUMENT, "%d timed runs; at least one is needed", o->repeat);
    }
    for (int k = 0; k < o->n_tolerances; ++k) {
        if (!(o->tolerance[k] > 0.0) || !isfinite(o->tolerance[k])) {
            return tml_fail(err, TML_E_ARGUMENT, "tolerance is %g; it must be positive and finite",
                            o->tolerance[k]);
        }
    }
    return TML_OK;
}

static TmlStatus unknown_channel(const TmlSim *sim, const char *name, TmlError *err)
{
    const char *names[NAMES_MAX];
    const int all = tml_row_channel_count(sim), n = all < NAMES_MAX ? all : NAMES_MAX;
    for (int k = 0; k < n; ++k) {
        names[k] = tml_row_channel_name(sim, k);
    }
    const char *near = tml_nearest(name, names, n);
    return near != NULL ? tml_fail(err, TML_E_ARGUMENT,
                                   "there is no channel '%s'; did you mean '%s'?", name, near)
                        : tml_fail(err, TML_E_ARGUMENT, "there is no channel '%s'", name);
}

static TmlStatus choose_channels(TmlCompare *c, const TmlSim *sim, TmlError *err)
{
    const TmlCompareOptions *o = &c->options;
    c->end_time = tml_sim_end_time(sim);
    c->n_channels = o->n_channels > 0 ? o->n_channels : tml_row_channel_count(sim);
    if (c->n_channels == 0) {
        return tml_fail(err, TML_E_ARGUMENT, "the model has no channels to compare");
    }
    TML_NEW(&c->arena, c->channel_index, c->n_channels);
    TML_NEW(&c->arena, c->channel_name, c->n_channels);
    TML_NEW(&c->arena, c->channel_unit, c->n_channels);
    for (int k = 0; k < c->n_channels; ++k) {
        const int index = o->n_channels > 0 ? tml_sim_channel_find(sim, o->channel[k]) : k;
        if (index < 0) {
            return unknown_channel(sim, o->channel[k], err);
        }
        const char *unit = tml_row_channel_unit(sim, index);
        c->channel_index[k] = index;
        c->channel_name[k] = tml_arena_strdup(&c->arena, tml_row_channel_name(sim, index));
        c->channel_unit[k] = tml_arena_strdup(&c->arena, unit != NULL ? unit : "");
        if (c->channel_name[k] == NULL || c->channel_unit[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    return TML_OK;
}

TmlStatus tml_compare_prepare(TmlCompare *c, TmlError *err)
{
    const TmlCompareOptions *o = &c->options;
    TML_TRY(check_numbers(o, err));
    TML_NEW(&c->arena, c->method, o->n_methods);
    for (int k = 0; k < o->n_methods; ++k) {
        TML_TRY(tml_compare_parse(c, o->method[k], &c->method[k], err));
    }
    // a sim that is never run knows the channels, and whether the model can be run at all
    TmlSim *sim = NULL;
    TmlSimOptions so = tml_sim_options_default();
    so.end_time = o->end_time;
    so.output_step = o->output_step;
    TmlStatus status = tml_sim_create(c->model, &so, &sim, err);
    if (status == TML_OK) {
        status = choose_channels(c, sim, err);
    }
    tml_sim_free(sim);
    return status;
}
