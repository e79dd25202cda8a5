/* adams/dataset/dataset.c - statements by keyword and id, their numbers, messages and places. */
#include "adams/dataset/dataset.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/real.h"

enum { KEY_MAX = 160, NAME_LONGEST = 60 };

/* --- texts ------------------------------------------------------------------------------------ */

void tml_adm_write(TmlAdmText *text, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n >= 0 && tml_mem_grow(&text->at, &text->cap, text->n + n + 1, 1)) {
        vsnprintf((char *)text->at + text->n, (size_t)n + 1, fmt, again);
        text->n += n;
    } else {
        text->nomem = true;
    }
    va_end(again);
}

/* The number of fifteen digits nearby that rounding of a unit has left: 0.15 for
 * 0.15000000000000002. Anything else stays as it is. */
static double tidy(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    const double shorter = strtod(text, NULL);
    return fabs(shorter - value) <= 2.0 * DBL_EPSILON * fabs(value) ? shorter : value;
}

const char *tml_adm_digits(TmlAdm *adm, double value)
{
    const TmlValue *v = tml_value_real(adm->arena, tidy(value));
    adm->nomem |= v == NULL;
    return v != NULL ? v->text : "0";
}

const char *tml_adm_take(TmlAdm *adm, TmlAdmText *text)
{
    char *copy = tml_arena_strndup(adm->arena, text->at != NULL ? text->at : "", (size_t)text->n);
    adm->nomem |= copy == NULL || text->nomem;
    tml_mem_free(text->at);
    *text = (TmlAdmText){0};
    return copy != NULL ? copy : "";
}

const char *tml_adm_whole_path(TmlAdm *adm, const char *path)
{
    char *real = realpath(path, NULL);
    const char *kept = tml_arena_strdup(adm->arena, real != NULL ? real : path);
    adm->nomem |= kept == NULL;
    free(real);
    return kept;
}

/* --- messages --------------------------------------------------------------------------------- */

TmlAdmSlice tml_adm_whole(const TmlAdmItem *item)
{
    return (TmlAdmSlice){item->s, 0, item->s->length};
}

/* Several statements may ask for the same argument: what is wrong with it is said once. */
static bool was_said(const TmlReport *report, const TmlValue *at, const char *text)
{
    const int n = report->n < report->limit ? report->n : report->limit;
    for (int k = 0; k < n; ++k) {
        const struct TmlReportLine *line = &report->line[k];
        if (line->line == at->line && line->column == at->column && strcmp(line->text, text) == 0) {
            return true;
        }
    }
    return false;
}

static void say(TmlReport *report, const TmlAdmItem *item, TmlAdmSlice at, const char *fmt,
                va_list args)
{
    char text[TML_ERROR_MAX], all[TML_ERROR_MAX];
    vsnprintf(text, sizeof text, fmt, args); // more than a message can hold is cut at its end
    const TmlValue place = tml_adm_place(at.of != NULL ? at.of : item->s, at.start);
    snprintf(all, sizeof all, "%s%s%.80s: %.*s", item->syntax->name, item->id[0] != '\0' ? "/" : "",
             item->id, (int)sizeof all - 200, text);
    if (!was_said(report, &place, all)) {
        tml_report_add(report, &place, "%s", all);
    }
}

void tml_adm_error(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(adm->report, item, at, fmt, args);
    va_end(args);
    item->failed = true;
}

void tml_adm_note(TmlAdm *adm, const TmlAdmItem *item, TmlAdmSlice at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(adm->notes, item, at, fmt, args);
    va_end(args);
}

void tml_adm_warn(TmlAdm *adm, const TmlAdmItem *item, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const bool strict = adm->model != NULL && adm->model->strict;
    say(strict ? adm->report : &adm->warnings, item, tml_adm_whole(item), fmt, args);
    va_end(args);
}

/* --- values ----------------------------------------------------------------------------------- */

static TmlValue *placed(TmlAdm *adm, TmlAdmSlice at, TmlValue *v)
{
    adm->nomem |= v == NULL;
    if (v != NULL && at.of != NULL) {
        const TmlValue place = tml_adm_place(at.of, at.start);
        v->file = place.file;
        v->line = place.line;
        v->column = place.column;
        v->made = true;
    }
    return v;
}

TmlValue *tml_adm_scalar(TmlAdm *adm, TmlAdmSlice at, const char *text)
{
    return placed(adm, at, tml_value_scalar(adm->arena, text));
}

TmlValue *tml_adm_number(TmlAdm *adm, TmlAdmSlice at, double value)
{
    return placed(adm, at, tml_value_real(adm->arena, value == 0.0 ? 0.0 : tidy(value)));
}

/* An angle in degrees where few digits say it, else in radians. */
static TmlValue *angle(TmlAdm *adm, TmlAdmSlice at, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.9g deg", value * 180.0 / M_PI);
    char *comma = strchr(text, ',');
    if (comma != NULL) {
        *comma = '.'; // of the locale
    }
    const double degrees = tml_real_read(text, NULL);
    const bool same = fabs(degrees * M_PI / 180.0 - value) <= 4.0 * DBL_EPSILON * fabs(value);
    return same && value != 0.0 ? tml_adm_scalar(adm, at, text) : tml_adm_number(adm, at, value);
}

TmlValue *tml_adm_angles(TmlAdm *adm, TmlAdmSlice at, const double value[3])
{
    TmlValue *items[3];
    for (int k = 0; k < 3; ++k) {
        items[k] = angle(adm, at, value[k]);
    }
    return tml_adm_list(adm, at, 3, items);
}

TmlValue *tml_adm_numbers(TmlAdm *adm, TmlAdmSlice at, int n, const double *value)
{
    TmlValue **items = tml_arena_alloc(adm->arena, (size_t)n, sizeof *items);
    for (int k = 0; items != NULL && k < n; ++k) {
        items[k] = tml_adm_number(adm, at, value[k]);
    }
    return placed(adm, at, items != NULL ? tml_value_list(adm->arena, n, items) : NULL);
}

TmlValue *tml_adm_vec3(TmlAdm *adm, TmlAdmSlice at, TmlVec3 v)
{
    return tml_adm_numbers(adm, at, 3, (const double[3]){v.x, v.y, v.z});
}

TmlValue *tml_adm_turned(TmlAdm *adm, TmlAdmSlice at, TmlVec3 v)
{
    double x[3] = {v.x, v.y, v.z};
    const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int k = 0; k < 3; ++k) { // 1e-13: roundings of products that nearly cancel
        char text[40];
        snprintf(text, sizeof text, "%.12g", x[k]);
        const double shorter = strtod(text, NULL);
        x[k] = fabs(x[k]) <= 1e-13 * size             ? 0.0
               : fabs(shorter - x[k]) <= 1e-13 * size ? shorter
                                                      : x[k];
    }
    return tml_adm_numbers(adm, at, 3, x);
}

TmlValue *tml_adm_pair(TmlAdm *adm, TmlAdmSlice at, const char *first, const char *second)
{
    TmlValue *items[2] = {tml_adm_scalar(adm, at, first), tml_adm_scalar(adm, at, second)};
    return placed(adm, at, tml_value_list(adm->arena, 2, items));
}

TmlValue *tml_adm_list(TmlAdm *adm, TmlAdmSlice at, int n, TmlValue *const *items)
{
    return adm->nomem ? NULL : placed(adm, at, tml_value_list(adm->arena, n, items));
}

TmlValue *tml_adm_map(TmlAdm *adm, TmlAdmSlice at)
{
    return placed(adm, at, tml_value_map(adm->arena));
}

void tml_adm_set(TmlAdm *adm, TmlValue *map, const char *key, TmlValue *value)
{
    adm->nomem |= !tml_value_set(adm->arena, map, key, value);
    if (!adm->nomem) { // the key stands where its value does
        TmlValue *k = map->key[map->n - 1];
        k->file = value->file;
        k->line = value->line;
        k->column = value->column;
    }
}

void tml_adm_enter(TmlAdm *adm, TmlValue *section, TmlAdmItem *item, TmlValue *value)
{
    tml_adm_set(adm, section, item->name, value);
    item->value = value;
    item->written = true;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Letters, digits and _ of a name, which must not begin with a digit. */
static void clean_name(const char *from, char *to)
{
    size_t n = 0;
    if (isdigit((unsigned char)from[0])) {
        to[n++] = '_';
    }
    for (; *from != '\0' && n < NAME_LONGEST; ++from) {
        to[n++] = (char)(isalnum((unsigned char)*from) && (unsigned char)*from < 128 ? *from : '_');
    }
    to[n] = '\0';
}

static bool is_reserved(const char *name)
{
    static const char *const words[] = {"ground", "cm", "time", "pi",   "dtor",  "rtod",
                                        "and",    "or", "not",  "true", "false", "null"};
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
        if (strcasecmp(words[k], name) == 0) {
            return true;
        }
    }
    return name[0] == '\0';
}

/* Things of one space have different names. */
static bool take_name(TmlAdm *adm, TmlAdmItem *item, const char *space, const char *name)
{
    char key[KEY_MAX + NAME_LONGEST + 20];
    snprintf(key, sizeof key, "%.*s %s", KEY_MAX, space, name);
    if (is_reserved(name) || tml_names_find(&adm->names, key) >= 0) {
        return false;
    }
    const char *kept = tml_arena_strdup(adm->arena, key);
    item->name = tml_arena_strdup(adm->arena, name);
    adm->nomem |= kept == NULL || item->name == NULL || !tml_names_add(&adm->names, kept, 0);
    return true;
}

static void give_name(TmlAdm *adm, TmlAdmItem *item, const char *space)
{
    char name[NAME_LONGEST + 1], own[KEY_MAX], clean[NAME_LONGEST + 1];
    clean_name(item->s->view_name != NULL ? item->s->view_name : "", name);
    if (item->s->view_name != NULL && take_name(adm, item, space, name)) {
        return;
    }
    const TmlAdmSlice id = item->s->id;
    if (id.length > 0 && isalpha((unsigned char)id.of->text[id.start]) && id.length < KEY_MAX) {
        snprintf(own, sizeof own, "%.*s", id.length, id.of->text + id.start); // a label
    } else {
        snprintf(own, sizeof own, "%s%.40s", item->syntax->name, item->id);
        for (char *c = own; *c != '\0'; ++c) {
            *c = (char)tolower((unsigned char)*c);
        }
    }
    clean_name(own, clean);
    for (int k = 1; item->name == NULL && !adm->nomem; ++k) {
        char tried[NAME_LONGEST + 16];
        snprintf(tried, sizeof tried, k > 1 ? "%s_%d" : "%s", clean, k);
        take_name(adm, item, space, tried);
    }
}

/* Markers of ground stand among the bodies, others in their part. */
static void name_marker(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmItem *owner = tml_adm_owner(adm, item);
    if (owner == NULL || tml_adm_is_ground(owner)) {
        give_name(adm, item, "bodies");
        item->path = item->name;
        return;
    }
    char space[KEY_MAX];
    snprintf(space, sizeof space, "in %s", owner->name);
    give_name(adm, item, space);
    item->path = tml_arena_printf(adm->arena, "%s.%s", owner->name, item->name);
    adm->nomem |= item->path == NULL;
}

static void give_names(TmlAdm *adm)
{
    for (int k = 0; k < adm->n && !adm->nomem; ++k) {
        const TmlAdmSyntax *syntax = adm->item[k].syntax;
        if (!syntax->carried) {
            give_name(adm, &adm->item[k], syntax->space != NULL ? syntax->space : "forces");
        }
    }
    for (int k = 0; k < adm->n && !adm->nomem; ++k) {
        if (adm->item[k].syntax->carried) {
            name_marker(adm, &adm->item[k]);
        }
    }
}

/* --- reading ---------------------------------------------------------------------------------- */

static void enter_id(TmlAdm *adm, int index)
{
    TmlAdmItem *item = &adm->item[index];
    char key[KEY_MAX];
    snprintf(key, sizeof key, "%s/%.80s", item->syntax->name, item->id);
    if (item->syntax->use != TML_ADM_USED || item->syntax->unnumbered) {
        return;
    }
    if (item->id[0] == '\0') {
        tml_adm_error(adm, item, item->s->id, "expected an identifier behind the slash");
    } else if (tml_names_find(&adm->ids, key) >= 0) {
        tml_adm_error(adm, item, item->s->id, "there is already a %s", key);
    }
    const char *kept = tml_arena_strdup(adm->arena, key);
    adm->nomem |= kept == NULL || !tml_names_add(&adm->ids, kept, index);
}

/* What the table says about an argument that is not used. */
static void tell_argument(TmlAdm *adm, TmlAdmItem *item, const TmlAdmArg *arg)
{
    if (arg->key->use == TML_ADM_REFUSED) {
        tml_adm_error(adm, item, arg->name, "%s is not supported yet: %s", arg->key->name,
                      arg->key->text);
    } else if (arg->key->use == TML_ADM_IGNORED && arg->key->text != NULL) {
        tml_adm_note(adm, item, arg->name, "%s is ignored: %s", arg->key->name, arg->key->text);
    }
}

TmlStatus tml_adm_read_item(TmlAdm *adm, const TmlAdmStatement *s, TmlAdmItem *out, TmlError *err)
{
    *out = (TmlAdmItem){.s = s, .id = ""};
    out->syntax = tml_adm_syntax(s->text, s->keyword.length);
    if (out->syntax == NULL) {
        const TmlValue at = tml_adm_place(s, 0);
        const char *near = tml_adm_syntax_near(s->text, s->keyword.length);
        tml_report_add(adm->report, &at,
                       near != NULL ? "unknown statement '%.*s'; did you mean %s?"
                                    : "unknown statement '%.*s'%.0s",
                       s->keyword.length, s->text, near != NULL ? near : "");
        return TML_OK;
    }
    out->id = out->syntax->unnumbered ? "" : tml_adm_id(adm, s->id);
    out->failed = out->syntax->use == TML_ADM_REFUSED; // told once for all of its kind
    const int behind = s->arguments + (int)strspn(s->text + s->arguments, " \t");
    if (!out->syntax->unnumbered && s->id.length > 0 &&
        strchr(",\\\001", s->text[behind]) == NULL) {
        tml_adm_error(adm, out, (TmlAdmSlice){s, behind, 1}, "expected ',' behind the identifier");
    }
    if (out->syntax->keys != NULL) {
        TML_TRY(tml_adm_arguments(s, out->syntax, adm->arena,
                                  out->syntax->lenient ? adm->notes : adm->report, &out->args,
                                  &out->n_args, err));
    }
    for (int k = 0; k < out->n_args; ++k) {
        tell_argument(adm, out, &out->args[k]);
    }
    return TML_OK;
}

/* The body that markers without PART belong to from here on. */
static void keep_body(TmlAdm *adm, TmlAdmItem *item)
{
    if (item->syntax->carries) {
        adm->last_body = item->syntax->use == TML_ADM_USED ? item : NULL;
    }
}

void tml_adm_add_item(TmlAdm *adm, const TmlAdmItem *item)
{
    TmlAdmItem *added = &adm->item[adm->n++];
    *added = *item;
    keep_body(adm, added);
    added->behind = adm->last_body;
    enter_id(adm, adm->n - 1);
}

TmlStatus tml_adm_read(TmlAdm *adm, const char *text, size_t length, TmlError *err)
{
    TML_TRY(tml_adm_source(text, length, adm->file, adm->arena, adm->report, &adm->source, err));
    if (adm->source.n == 0 && adm->report->n == 0) {
        const TmlValue at = {.file = adm->file, .line = 1, .column = 1};
        tml_report_add(adm->report, &at, "there is no statement in this file");
    }
    TML_NEW(adm->arena, adm->item, adm->source.n + adm->n_commands);
    for (int k = 0; k < adm->source.n; ++k) {
        TmlAdmItem item;
        TML_TRY(tml_adm_read_item(adm, &adm->source.statement[k], &item, err));
        if (item.syntax != NULL) {
            tml_adm_add_item(adm, &item);
        }
    }
    TML_TRY(tml_adm_amend(adm, err));
    give_names(adm);
    return adm->nomem ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
}

void tml_adm_free(TmlAdm *adm)
{
    tml_mem_free(adm->missing.at);
    tml_mem_free(adm->source.statement);
    tml_names_free(&adm->ids);
    tml_names_free(&adm->names);
}
