/* adams/dataset.c - statements by keyword and id, their numbers, messages and places. */
#include "adams/dataset.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

const char *tml_adm_digits(TmlAdm *adm, double value)
{
    const TmlValue *v = tml_value_real(adm->arena, value);
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

/* --- arguments -------------------------------------------------------------------------------- */

const TmlAdmArg *tml_adm_arg(const TmlAdmItem *item, const char *name)
{
    for (int k = 0; k < item->n_args; ++k) {
        if (strcmp(item->args[k].key->name, name) == 0) {
            return &item->args[k];
        }
    }
    return NULL;
}

bool tml_adm_has(const TmlAdmItem *item, const char *name)
{
    return tml_adm_arg(item, name) != NULL;
}

const char *tml_adm_id(TmlAdm *adm, TmlAdmSlice slice)
{
    slice = tml_adm_trim(slice);
    bool digits = slice.length > 0;
    for (int k = 0; k < slice.length; ++k) {
        digits &= isdigit((unsigned char)slice.of->text[slice.start + k]) != 0;
    }
    while (digits && slice.length > 1 && slice.of->text[slice.start] == '0') {
        slice.start++;
        slice.length--;
    }
    char *id = tml_arena_strndup(adm->arena, slice.of->text + slice.start, (size_t)slice.length);
    adm->nomem |= id == NULL;
    for (char *c = id; c != NULL && *c != '\0'; ++c) {
        *c = (char)toupper((unsigned char)*c);
    }
    return id != NULL ? id : "";
}

TmlAdmItem *tml_adm_find(const TmlAdm *adm, const char *keyword, const char *id)
{
    char key[KEY_MAX];
    snprintf(key, sizeof key, "%s/%.80s", keyword, id);
    const int k = tml_names_find(&adm->ids, key);
    return k >= 0 ? &adm->item[k] : NULL;
}

TmlAdmItem *tml_adm_ref(TmlAdm *adm, TmlAdmItem *item, const char *name, const char *keyword)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    if (arg == NULL) {
        return NULL;
    }
    const char *id = tml_adm_id(adm, arg->value);
    TmlAdmItem *found = tml_adm_find(adm, keyword, id);
    if (found == NULL) {
        tml_adm_error(adm, item, arg->value, "%s: there is no %s/%s", name, keyword, id);
    }
    return found;
}

TmlAdmItem *tml_adm_need(TmlAdm *adm, TmlAdmItem *item, const char *name, const char *keyword)
{
    if (!tml_adm_has(item, name)) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument %s is missing", name);
        return NULL;
    }
    return tml_adm_ref(adm, item, name, keyword);
}

/* Does a power of ten follow: E+3, or D+3 as Fortran writes it? D alone means degrees. */
static bool is_power(const char *c)
{
    if (*c == '\0' || strchr("eEdD", *c) == NULL) {
        return false;
    }
    c += c[1] == '+' || c[1] == '-' ? 2 : 1;
    return isdigit((unsigned char)*c);
}

/* One number with an optional D for degrees; the rest of the text behind it, NULL: none. */
static const char *read_real(const char *text, double *out, bool *degrees)
{
    char word[64];
    size_t n = 0;
    bool power = false;
    const char *c = text + strspn(text, " \t");
    for (; n + 2 < sizeof word && *c != '\0'; ++c) {
        if (!power && is_power(c)) {
            power = true;
            word[n++] = 'e';
            if (!isdigit((unsigned char)c[1])) {
                word[n++] = *++c;
            }
        } else if (isdigit((unsigned char)*c) || *c == '.' ||
                   (n == 0 && (*c == '+' || *c == '-'))) {
            word[n++] = *c;
        } else {
            break;
        }
    }
    word[n] = '\0';
    char *end, *point = strchr(word, '.');
    if (point != NULL && strlen(localeconv()->decimal_point) == 1) {
        *point = localeconv()->decimal_point[0]; // what strtod wants
    }
    *out = strtod(word, &end);
    if (n == 0 || *end != '\0' || !isfinite(*out)) {
        return NULL;
    }
    *degrees = *c == 'D' || *c == 'd';
    if (*degrees) {
        *out *= M_PI / 180.0;
        ++c;
    }
    return c;
}

/* Lengths and masses are no angles. */
static bool takes_degrees(const char *name)
{
    static const char *const plain[] = {"QP", "QG", "ZP", "XP", "ZG", "XG", "MASS", "IP"};
    for (size_t k = 0; k < sizeof plain / sizeof *plain; ++k) {
        if (strcmp(name, plain[k]) == 0) {
            return false;
        }
    }
    return true;
}

int tml_adm_arg_reals(TmlAdm *adm, TmlAdmItem *item, const TmlAdmArg *arg, int min, int max,
                      double *out)
{
    char *text = tml_adm_copy(adm->arena, arg->value);
    if (text == NULL) {
        adm->nomem = true;
        return 0;
    }
    int n = 0;
    bool degrees = false;
    const char *c = text;
    while (c != NULL && *c != '\0' && n < max) {
        bool angle = false;
        c = read_real(c, &out[n], &angle);
        degrees |= angle;
        n += c != NULL ? 1 : 0;
        if (c != NULL) {
            const char *next = c + strspn(c, " \t");
            c = *next != '\0' && *next != ',' && next == c ? NULL : next + strspn(next, " \t,");
        }
    }
    if (c == NULL || *c != '\0' || n < min) {
        tml_adm_error(adm, item, arg->value, "%s: expected %d%s%.0d number%s, got '%.60s'%s",
                      arg->key->name, min, max > min ? " or more of " : "", max > min ? max : 0,
                      max > 1 ? "s" : "", text,
                      strchr(text, '=') != NULL ? "; is a comma missing?" : "");
        return 0;
    }
    if (degrees && !takes_degrees(arg->key->name)) {
        tml_adm_error(adm, item, arg->value, "%s: D is for angles, got '%.60s'", arg->key->name,
                      text);
        return 0;
    }
    return n;
}

int tml_adm_reals(TmlAdm *adm, TmlAdmItem *item, const char *name, int min, int max, double *out)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    return arg != NULL ? tml_adm_arg_reals(adm, item, arg, min, max, out) : 0;
}

double tml_adm_real(TmlAdm *adm, TmlAdmItem *item, const char *name, double standard)
{
    double value;
    return tml_adm_reals(adm, item, name, 1, 1, &value) == 1 ? value : standard;
}

/* --- values ------------------------------------------------------------------------------------
 */

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
    return placed(adm, at, tml_value_real(adm->arena, value == 0.0 ? 0.0 : value));
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
    item->written = true;
}

/* --- names -------------------------------------------------------------------------------------
 */

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
    char key[KEY_MAX + NAME_LONGEST];
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
    snprintf(own, sizeof own, "%s%.40s", item->syntax->name, item->id);
    for (char *c = own; *c != '\0'; ++c) {
        *c = (char)tolower((unsigned char)*c);
    }
    clean_name(own, clean);
    for (int k = 1; k < 1000 && item->name == NULL && !adm->nomem; ++k) {
        char tried[NAME_LONGEST + 8];
        snprintf(tried, sizeof tried, k > 1 ? "%s_%d" : "%s", clean, k);
        take_name(adm, item, space, tried);
    }
}

static const char *space_of(const TmlAdmItem *item)
{
    static const struct {
        const char *keyword, *space;
    } spaces[] = {{"PART", "bodies"},       {"POINT_MASS", "bodies"}, {"JOINT", "joints"},
                  {"JPRIM", "joints"},      {"MOTION", "joints"},     {"COUPLER", "joints"},
                  {"GEAR", "joints"},       {"GCON", "joints"},       {"UCON", "joints"},
                  {"MREQUEST", "requests"}, {"VARIABLE", "signals"},  {"DIFF", "signals"},
                  {"CURVE", "paths"},       {"PTCV", "joints"},       {"CVCV", "joints"},
                  {"LSE", "signals"},       {"TFSISO", "signals"},    {"MATRIX", "matrices"},
                  {"SPLINE", "splines"},    {"ARRAY", "arrays"},      {"REQUEST", "requests"},
                  {"GSE", "signals"},       {"SENSOR", "events"},     {"MARKER", NULL}};
    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; ++k) {
        if (strcmp(spaces[k].keyword, item->syntax->name) == 0) {
            return spaces[k].space;
        }
    }
    return "forces";
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
        const char *space = space_of(&adm->item[k]);
        if (space != NULL) {
            give_name(adm, &adm->item[k], space);
        }
    }
    for (int k = 0; k < adm->n && !adm->nomem; ++k) {
        if (space_of(&adm->item[k]) == NULL) {
            name_marker(adm, &adm->item[k]);
        }
    }
}

/* --- reading -----------------------------------------------------------------------------------
 */

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
        TML_TRY(tml_adm_arguments(s, out->syntax, adm->arena, adm->report, &out->args, &out->n_args,
                                  err));
    }
    for (int k = 0; k < out->n_args; ++k) {
        tell_argument(adm, out, &out->args[k]);
    }
    return TML_OK;
}

void tml_adm_add_item(TmlAdm *adm, const TmlAdmItem *item)
{
    adm->item[adm->n++] = *item;
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
    tml_mem_free(adm->source.statement);
    tml_names_free(&adm->ids);
    tml_names_free(&adm->names);
}
