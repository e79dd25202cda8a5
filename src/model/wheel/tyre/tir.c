/* model/wheel/tyre/tir.c - tyre property files; see tir.h. */
#include "model/wheel/tyre/tir.h"

#include "base/input.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 2000, MOST_ROWS = 200 };

typedef struct Reader {
    TmlTir *tir;
    TmlArena *arena;
    TmlTirKey *key;
    double *curve;
    const char *section;
    int line;
    TmlError *err;
} Reader;

static char *capitals(Reader *r, const char *s)
{
    char *copy = tml_arena_strndup(r->arena, s, strlen(s));
    for (char *c = copy; c != NULL && *c != '\0'; ++c) {
        *c = (char)toupper((unsigned char)*c);
    }
    return copy;
}

static TmlStatus wrong(Reader *r, const char *what, const char *word)
{
    return tml_fail(r->err, TML_E_MODEL, "%s:%d: %s '%.60s'", r->tir->path, r->line, what, word);
}

/* The end of what counts: comments begin with $ or !, but not within quotes. */
static void cut_comment(char *line)
{
    bool quoted = false;
    for (char *c = line; *c != '\0'; ++c) {
        quoted = *c == '\'' ? !quoted : quoted;
        if (!quoted && (*c == '$' || *c == '!')) {
            *c = '\0';
            return;
        }
    }
}

static TmlStatus read_word(Reader *r, char *text, TmlTirKey *key)
{
    char *end = strchr(text + 1, '\'');
    if (end == NULL) {
        return wrong(r, "a quote that does not end:", text);
    }
    *end = '\0';
    key->text = capitals(r, text + 1);
    return key->text != NULL ? TML_OK : tml_fail(r->err, TML_E_NOMEM, "out of memory");
}

static TmlStatus read_key(Reader *r, char *line, char *equals)
{
    *equals = '\0';
    char *value = tml_input_trim(equals + 1), *end;
    TmlTirKey key = {
        .section = r->section, .name = capitals(r, tml_input_trim(line)), .line = r->line};
    if (key.name == NULL) {
        return tml_fail(r->err, TML_E_NOMEM, "out of memory");
    }
    const TmlTirKey *before = tml_tir_find(r->tir, key.name);
    if (before != NULL) {
        return tml_fail(r->err, TML_E_MODEL, "%s:%d: '%.60s' stands twice, first in line %d",
                        r->tir->path, r->line, key.name, before->line);
    }
    if (value[0] == '\'') {
        TML_TRY(read_word(r, value, &key));
    } else {
        key.value = strtod(value, &end);
        if (end == value || *tml_input_trim(end) != '\0' || !isfinite(key.value)) {
            return wrong(r, "expected a number or a 'word', got", value);
        }
    }
    if (r->tir->n == MOST_KEYS) {
        return tml_fail(r->err, TML_E_MODEL, "%s: more than %d keys", r->tir->path, MOST_KEYS);
    }
    r->key[r->tir->n++] = key;
    return TML_OK;
}

static TmlStatus read_row(Reader *r, char *line)
{
    char *end;
    const double x = strtod(line, &end), y = strtod(end, &end);
    if (*tml_input_trim(end) != '\0' || !isfinite(x) || !isfinite(y)) {
        return wrong(r, "expected two numbers, got", line);
    }
    if (r->tir->n_curve == MOST_ROWS) {
        return tml_fail(r->err, TML_E_MODEL, "%s: more than %d rows", r->tir->path, MOST_ROWS);
    }
    r->curve[2 * r->tir->n_curve] = x;
    r->curve[2 * r->tir->n_curve++ + 1] = y;
    return TML_OK;
}

static TmlStatus read_line(void *user, int number, char *line)
{
    Reader *r = user;
    r->line = number;
    cut_comment(line);
    line = tml_input_trim(line);
    char *equals = strchr(line, '=');
    if (line[0] == '\0' || line[0] == '{') {
        return TML_OK;
    }
    if (line[0] == '[') {
        char *end = strchr(line, ']');
        if (end == NULL) {
            return wrong(r, "a section without ]:", line);
        }
        *end = '\0';
        r->section = capitals(r, tml_input_trim(line + 1));
        return r->section != NULL ? TML_OK : tml_fail(r->err, TML_E_NOMEM, "out of memory");
    }
    if (equals != NULL) {
        return read_key(r, line, equals);
    }
    if (strcmp(r->section, "DEFLECTION_LOAD_CURVE") == 0) {
        return read_row(r, line);
    }
    return strcmp(r->section, "SHAPE") == 0 ? TML_OK : wrong(r, "expected KEY = value, got", line);
}

/* --- units ----------------------------------------------------------------------------------- */

typedef struct Unit {
    const char *word;
    double si;
} Unit;

static const Unit lengths[] = {{"METER", 1.0},   {"METRE", 1.0},   {"M", 1.0},
                               {"MM", 1e-3},     {"CM", 1e-2},     {"KM", 1e3},
                               {"INCH", 0.0254}, {"FOOT", 0.3048}, {"MILLIMETER", 1e-3},
                               {NULL, 0}},
                  forces[] = {{"NEWTON", 1.0},
                              {"N", 1.0},
                              {"KN", 1e3},
                              {"KILONEWTON", 1e3},
                              {"KILOGRAM_FORCE", 9.80665},
                              {"KG_FORCE", 9.80665},
                              {"POUND_FORCE", 4.4482216152605},
                              {NULL, 0}},
                  angles[] = {{"RADIAN", 1.0},
                              {"RADIANS", 1.0},
                              {"RAD", 1.0},
                              {"DEGREE", M_PI / 180.0},
                              {"DEGREES", M_PI / 180.0},
                              {"DEG", M_PI / 180.0},
                              {NULL, 0}},
                  masses[] = {{"KG", 1.0},
                              {"KILOGRAM", 1.0},
                              {"GRAM", 1e-3},
                              {"POUND_MASS", 0.45359237},
                              {"SLUG", 14.59390293720636},
                              {"MEGAGRAM", 1e3},
                              {"TONNE", 1e3},
                              {NULL, 0}},
                  times[] = {{"SECOND", 1.0},  {"SEC", 1.0},     {"S", 1.0}, {"MILLISECOND", 1e-3},
                             {"MINUTE", 60.0}, {"HOUR", 3600.0}, {NULL, 0}},
                  pressures[] = {{"PASCAL", 1.0}, {"PA", 1.0},  {"KPASCAL", 1e3},
                                 {"KPA", 1e3},    {"BAR", 1e5}, {"PSI", 6894.757293168361},
                                 {NULL, 0}};

static TmlStatus read_unit(const TmlTir *tir, const char *name, const Unit *units, bool required,
                           double *si, TmlError *err)
{
    const TmlTirKey *key = tml_tir_find(tir, name);
    *si = 1.0;
    if (key == NULL || strcmp(key->section, "UNITS") != 0) {
        return required ? tml_fail(err, TML_E_MODEL,
                                   "%s: [UNITS] has no %s; a file without units could be off by a "
                                   "factor of a thousand",
                                   tir->path, name)
                        : TML_OK;
    }
    for (const Unit *u = units; key->text != NULL && u->word != NULL; ++u) {
        if (strcmp(u->word, key->text) == 0) {
            *si = u->si;
            return TML_OK;
        }
    }
    return tml_fail(err, TML_E_MODEL, "%s:%d: %s: unknown unit '%.40s'", tir->path, key->line, name,
                    key->text != NULL ? key->text : "(a number)");
}

static TmlStatus read_units(TmlTir *tir, TmlError *err)
{
    TML_TRY(read_unit(tir, "LENGTH", lengths, true, &tir->length, err));
    TML_TRY(read_unit(tir, "FORCE", forces, true, &tir->force, err));
    TML_TRY(read_unit(tir, "ANGLE", angles, true, &tir->angle, err));
    TML_TRY(read_unit(tir, "MASS", masses, false, &tir->mass, err));
    TML_TRY(read_unit(tir, "TIME", times, true, &tir->time, err));
    return read_unit(tir, "PRESSURE", pressures, false, &tir->pressure, err);
}

/* The rows as a spline; the force grows from (0, 0) on. */
static TmlStatus make_curve(TmlTir *tir, TmlArena *arena, TmlError *err)
{
    const int n = tir->n_curve;
    if (n == 0) {
        return TML_OK;
    }
    double *x = tml_arena_alloc(arena, (size_t)n, 2 * sizeof *x);
    if (x == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < n; ++k) {
        x[k] = tir->length * tir->curve[2 * k];
        x[n + k] = tir->force * tir->curve[2 * k + 1];
    }
    TmlSpline *spline = NULL;
    TmlError why = {0};
    const TmlSplineKind kind = n >= 4 ? TML_SPLINE_CUBIC : TML_SPLINE_LINEAR;
    const TmlStatus status = tml_spline_create(kind, n, x, x + n, arena, &spline, &why);
    if (status == TML_E_MODEL || status == TML_E_ARGUMENT) {
        return tml_fail(err, TML_E_MODEL, "%s: [DEFLECTION_LOAD_CURVE]: %s", tir->path,
                        why.message);
    }
    tir->load = spline;
    return status;
}

const TmlTirKey *tml_tir_find(const TmlTir *tir, const char *name)
{
    for (int k = 0; k < tir->n; ++k) {
        if (strcmp(tir->key[k].name, name) == 0) {
            return &tir->key[k];
        }
    }
    return NULL;
}

TmlStatus tml_tir_read(const char *path, TmlArena *arena, const TmlTir **out, TmlError *err)
{
    TmlTir *tir = tml_arena_alloc(arena, 1, sizeof *tir);
    Reader r = {.tir = tir, .arena = arena, .section = "", .err = err};
    r.key = tml_arena_alloc(arena, MOST_KEYS, sizeof *r.key);
    r.curve = tml_arena_alloc(arena, 2 * MOST_ROWS, sizeof *r.curve);
    if (tir == NULL || r.key == NULL || r.curve == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    *tir = (TmlTir){.path = path, .key = r.key, .curve = r.curve};
    TML_TRY(tml_input_lines(path, read_line, &r, err));
    TML_TRY(read_units(tir, err));
    TML_TRY(make_curve(tir, arena, err));
    *out = tir;
    return TML_OK;
}
