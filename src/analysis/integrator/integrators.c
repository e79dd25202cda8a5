/* analysis/integrator/integrators.c - the list of methods, and their options. */
#include "analysis/integrator/integrator.h"

#include "base/fail.h"
#include "base/find.h"
#include "base/nearest.h"
#include "base/real.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TML_INTEGRATOR(file, name) extern const TmlIntegratorType tml_integrator_##name;
#include "analysis/integrator/integrators.def"
#undef TML_INTEGRATOR

#define TML_INTEGRATOR(file, name) &tml_integrator_##name,
const TmlIntegratorType *const tml_integrator_types[] = {
#include "analysis/integrator/integrators.def"
    NULL};
#undef TML_INTEGRATOR

TML_FIND_TYPE(tml_find_integrator, TmlIntegratorType, tml_integrator_types)

TmlCause tml_cause_of(TmlStatus status)
{
    return status == TML_OK            ? TML_CAUSE_NONE
           : status == TML_E_SINGULAR  ? TML_CAUSE_SINGULAR
           : status == TML_E_NONFINITE ? TML_CAUSE_NONFINITE
                                       : TML_CAUSE_NEWTON;
}

/* --- options ------------------------------------------------------------------------------- */

static bool in_range(TmlRange range, double x)
{
    if (!isfinite(x)) {
        return false;
    }
    switch (range) {
    case TML_POSITIVE:
        return x > 0.0;
    case TML_NONNEGATIVE:
        return x >= 0.0;
    case TML_FRACTION:
        return x >= 0.0 && x <= 1.0;
    case TML_ANY:
    default:
        return true;
    }
}

static TmlStatus parse_choice(const TmlParam *p, const char *value, int *out, TmlError *err)
{
    const size_t length = strlen(value);
    int index = 0;
    for (const char *c = p->choices; *c != '\0'; ++index) {
        const char *bar = strchr(c, '|');
        const size_t n = bar != NULL ? (size_t)(bar - c) : strlen(c);
        if (n == length && strncmp(c, value, n) == 0) {
            *out = index;
            return TML_OK;
        }
        c += n + (bar != NULL);
    }
    return tml_fail(err, TML_E_ARGUMENT, "option '%s' is '%s'; expected one of %s", p->name, value,
                    p->choices);
}

static TmlStatus parse_value(const TmlParam *p, const char *value, void *opts, TmlError *err)
{
    char *at = (char *)opts + p->offset, *end;
    if (p->kind == TML_PARAM_CHOICE) {
        int index = 0;
        TML_TRY(parse_choice(p, value, &index, err));
        memcpy(at, &index, sizeof index);
        return TML_OK;
    }
    if (p->kind == TML_PARAM_BOOL) {
        const bool yes = strcmp(value, "true") == 0, no = strcmp(value, "false") == 0;
        if (!yes && !no) {
            return tml_fail(err, TML_E_ARGUMENT, "option '%s' is '%s'; expected true or false",
                            p->name, value);
        }
        memcpy(at, &yes, sizeof yes);
        return TML_OK;
    }
    const double x = tml_real_read(value, &end);
    if (end == value || *end != '\0' || !in_range(p->range, x)) {
        return tml_fail(err, TML_E_ARGUMENT, "option '%s' is '%s'; expected a %snumber: %s",
                        p->name, value,
                        p->range == TML_POSITIVE      ? "positive "
                        : p->range == TML_NONNEGATIVE ? "non-negative "
                                                      : "",
                        p->text);
    }
    if (p->kind == TML_PARAM_INT) {
        if (x != floor(x) || fabs(x) > 1e9) {
            return tml_fail(err, TML_E_ARGUMENT, "option '%s' is '%s'; expected a whole number",
                            p->name, value);
        }
        const int i = (int)x;
        memcpy(at, &i, sizeof i);
    } else {
        memcpy(at, &x, sizeof x);
    }
    return TML_OK;
}

static const TmlParam *find_param(const TmlTypeInfo *info, const char *key)
{
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        if (strcmp(p->name, key) == 0) {
            return p;
        }
    }
    return NULL;
}

bool tml_option_known(const TmlTypeInfo *info, const char *key)
{
    return find_param(info, key) != NULL;
}

static TmlStatus unknown_option(const TmlTypeInfo *info, const char *key, TmlError *err)
{
    enum { MAX = 32 };
    const char *names[MAX];
    int n = 0;
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL && n < MAX; ++p) {
        names[n++] = p->name;
    }
    const char *near = tml_nearest(key, names, n);
    return tml_fail(err, TML_E_ARGUMENT, "integrator '%s' has no option '%s'%s%s%s", info->name,
                    key, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
}

TmlStatus tml_options_parse(const TmlTypeInfo *info, int n, const char *const *key,
                            const char *const *value, void *opts, TmlError *err)
{
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        if (p->standard != NULL && p->standard[0] != '\0') {
            TML_TRY(parse_value(p, p->standard, opts, err));
        }
    }
    for (int k = 0; k < n; ++k) {
        const TmlParam *p = find_param(info, key[k]);
        if (p == NULL) {
            return unknown_option(info, key[k], err);
        }
        TML_TRY(parse_value(p, value[k], opts, err));
    }
    return TML_OK;
}

TmlStatus tml_option_between(const char *name, int value, int low, int high, TmlError *err)
{
    return value >= low && value <= high
               ? TML_OK
               : tml_fail(err, TML_E_ARGUMENT, "option '%s' is %d; it must be from %d to %d", name,
                          value, low, high);
}

TmlStatus tml_option_at_least(const char *name, int value, int low, TmlError *err)
{
    return value >= low ? TML_OK
                        : tml_fail(err, TML_E_ARGUMENT, "option '%s' is %d; it must be at least %d",
                                   name, value, low);
}
