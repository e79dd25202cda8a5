/* model/read/signals/read_signals.c - splines, variables, states, outputs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "base/real.h"
#include "expr/spline.h"
#include "model/measure/binding.h"
#include "model/read/read.h"

void tml_read_expression(TmlEntry *x, const TmlValue *v, const char *what, TmlPending pending)
{
    if (v == NULL || v->kind != TML_VALUE_SCALAR) {
        tml_entry_expected(x, v, what, "an expression");
        return;
    }
    const char *text = tml_read_substitute(x, v, v->text);
    if (text == NULL) {
        return;
    }
    pending.at = v;
    pending.owner = x->name;
    pending.scope = x->scope;
    pending.text = tml_read_bind_scope(x, text);
    pending.where = tml_reader_printf(x->r, "%s '%s'", x->kind, x->name);
    bool ok = true;
    TML_LIST_ADD(x->r->pending, pending, &ok);
    x->r->nomem |= !ok;
}

void tml_read_made(TmlEntry *x, TmlTarget target, int index, const char *text)
{
    const TmlPending pending = {.target = target,
                                .index = index,
                                .at = x->key,
                                .text = text,
                                .where = tml_reader_printf(x->r, "%s '%s'", x->kind, x->name),
                                .scope = x->scope,
                                .allowed = TML_ALLOW_ALL};
    bool ok = text != NULL && pending.where != NULL;
    if (ok) {
        TML_LIST_ADD(x->r->pending, pending, &ok);
    }
    x->r->nomem |= !ok;
}

/* --- splines ---------------------------------------------------------------------------------- */

typedef struct Points {
    int n, cap;
    double *x, *y;
} Points;

static void points_free(Points *p)
{
    tml_mem_free(p->x);
    tml_mem_free(p->y);
    *p = (Points){0};
}

static bool points_add(TmlEntry *e, Points *p, double x, double y)
{
    void *px = p->x, *py = p->y;
    int cap = p->cap;
    const bool ok = tml_mem_grow(&px, &cap, p->n + 1, sizeof *p->x);
    p->x = px;
    cap = p->cap;
    const bool also = ok && tml_mem_grow(&py, &cap, p->n + 1, sizeof *p->y);
    p->y = py;
    e->r->nomem |= !also;
    if (!also) {
        return false;
    }
    p->cap = cap;
    p->x[p->n] = x;
    p->y[p->n] = y;
    p->n++;
    return true;
}

static bool read_columns(TmlEntry *x, const TmlValue *vx, const TmlValue *vy, Points *p)
{
    TmlReals a, b;
    const bool ok = tml_read_reals(x, vx, "x", &a);
    if (!tml_read_reals(x, vy, "y", &b) || !ok) {
        return false;
    }
    if (a.n != b.n) {
        tml_entry_error(x, vy, "x has %d numbers, y has %d", a.n, b.n);
        return false;
    }
    for (int k = 0; k < a.n; ++k) {
        if (!points_add(x, p, a.value[k], b.value[k])) {
            return false;
        }
    }
    return true;
}

static bool read_pairs(TmlEntry *x, const TmlValue *v, Points *p)
{
    if (v->kind != TML_VALUE_LIST) {
        tml_entry_expected(x, v, "points", "a list of [x, y]");
        return false;
    }
    for (int k = 0; k < v->n; ++k) {
        double a[2];
        if (!tml_read_numbers(x, v->item[k], "points", 2, "[x, y]", a) ||
            !points_add(x, p, a[0], a[1])) {
            return false;
        }
    }
    return true;
}

/* One line of a table: two numbers, separated by spaces, a comma, a semicolon or a tab. */
static int parse_row(const char *line, double out[2])
{
    const char *c = line + strspn(line, " \t\r\n");
    if (*c == '\0' || *c == '#') {
        return 0;
    }
    for (int k = 0; k < 2; ++k) {
        char *end;
        out[k] = tml_real_read(c, &end);
        if (end == c || !isfinite(out[k])) {
            return -1;
        }
        c = end + strspn(end, " \t,;\r\n");
    }
    return *c == '\0' || *c == '#' ? 1 : -1;
}

static bool read_rows(TmlEntry *x, const TmlValue *v, FILE *file, const char *path, Points *p)
{
    char line[1024];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; ++number) {
        double a[2];
        const int got = parse_row(line, a);
        if (got < 0 && p->n == 0 && number == 1) {
            continue; // a line of titles
        }
        if (got < 0) {
            tml_entry_error(x, v, "file: %s:%d: expected two numbers", path, number);
            return false;
        }
        if (got > 0 && !points_add(x, p, a[0], a[1])) {
            return false;
        }
    }
    return true;
}

/* The file stands beside the model. */
static bool read_file(TmlEntry *x, const TmlValue *v, Points *p)
{
    const char *name = tml_read_text(x, v, "file");
    if (name == NULL) {
        return false;
    }
    const char *path = tml_input_beside(&x->r->m->arena, v->file, name);
    FILE *file;
    TmlError err = {0};
    if (path == NULL || !tml_model_input_add(x->r->m, path)) {
        x->r->nomem = true;
        return false;
    }
    if (tml_input_open(path, &file, &err) != TML_OK) {
        tml_entry_error(x, v, "file: %s", err.message);
        return false;
    }
    const bool ok = read_rows(x, v, file, path, p);
    fclose(file);
    return ok;
}

static TmlSpline *make_spline(TmlEntry *x, const TmlValue *map, int kind, Points *p)
{
    static const TmlSplineKind kinds[] = {TML_SPLINE_CUBIC, TML_SPLINE_AKIMA, TML_SPLINE_LINEAR};
    TmlSpline *spline = NULL;
    TmlError err = {0};
    const TmlStatus status =
        tml_spline_create(kinds[kind], p->n, p->x, p->y, &x->r->m->arena, &spline, &err);
    if (status == TML_E_NOMEM) {
        x->r->nomem = true;
    } else if (status != TML_OK) {
        tml_entry_error(x, map, "%s", err.message);
        return NULL;
    }
    return spline;
}

enum { CUBIC, AKIMA, LINEAR }; // in the order of the words of `type`

static TmlSpline *read_spline_keys(TmlEntry *x, const TmlValue *map, const TmlKey *keys, int kind)
{
    if (!tml_read_is_map(x, map, NULL)) {
        return NULL;
    }
    const TmlValue *type = tml_value_find(map, "type"), *points = tml_value_find(map, "points");
    const TmlValue *vx = tml_value_find(map, "x"), *vy = tml_value_find(map, "y");
    const TmlValue *file = tml_value_find(map, "file"), *ends = tml_value_find(map, "extrapolate");
    int beyond = TML_SPLINE_TANGENT;
    tml_read_keys(x, map, keys, NULL, NULL);
    if ((type != NULL && !tml_read_choice(x, type, "type", "cubic|akima|linear", &kind)) ||
        (ends != NULL &&
         !tml_read_choice(x, ends, "extrapolate", "tangent|parabola|constant", &beyond))) {
        return NULL;
    }
    if ((vx != NULL) != (vy != NULL) || (vx != NULL) + (points != NULL) + (file != NULL) != 1) {
        tml_entry_error(x, map, "give either x and y, or points, or file");
        return NULL;
    }
    Points p = {0};
    const bool ok = points != NULL ? read_pairs(x, points, &p)
                    : file != NULL ? read_file(x, file, &p)
                                   : read_columns(x, vx, vy, &p);
    TmlSpline *spline = ok ? make_spline(x, map, kind, &p) : NULL;
    points_free(&p);
    if (spline != NULL) {
        tml_spline_set_ends(spline, (TmlSplineEnds)beyond);
    }
    return spline;
}

static TmlSpline *read_spline_map(TmlEntry *x, const TmlValue *map)
{
    return read_spline_keys(x, map, tml_keys_spline, CUBIC);
}

TmlSpline *tml_read_input_table(TmlEntry *x, const TmlValue *map)
{
    return read_spline_keys(x, map, tml_keys_input, LINEAR);
}

TmlSpline *tml_read_table_file(TmlEntry *x, const char *path)
{
    Points p = {0};
    TmlError err = {0};
    FILE *file;
    TmlSpline *spline = NULL;
    const char *kept = tml_reader_printf(x->r, "%s", path);
    if (kept == NULL || !tml_model_input_add(x->r->m, kept)) {
        x->r->nomem = true;
        return NULL;
    }
    if (tml_input_open(path, &file, &err) != TML_OK) {
        tml_entry_error(x, x->key, "'%s' is no number, and no file of a table: %s", path,
                        err.message);
        return NULL;
    }
    if (read_rows(x, x->key, file, path, &p)) {
        spline = make_spline(x, x->key, LINEAR, &p);
    }
    fclose(file);
    points_free(&p);
    return spline;
}

static void read_spline(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    (void)arg;
    if (tml_model_find_spline(m, x->name) >= 0) {
        tml_entry_error(x, x->key, "there is already a spline of this name");
        return;
    }
    // the name stays known when the table is wrong: a line stands in
    static const double zero_one[] = {0.0, 1.0};
    TmlNamedSpline named = {x->name, read_spline_map(x, x->value)};
    if (named.spline == NULL) {
        Points p = {2, 2, (double *)(uintptr_t)zero_one, (double *)(uintptr_t)zero_one};
        named.spline = make_spline(x, x->value, 2, &p);
    }
    bool ok = named.spline != NULL;
    TML_LIST_ADD(m->splines, named, &ok);
    x->r->nomem |= !ok;
}

void tml_read_splines(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "spline", NULL, read_spline, NULL);
}

bool tml_read_spline_ref(TmlEntry *x, const TmlValue *v, const char *what, const TmlSpline **out)
{
    const TmlModel *m = x->r->m;
    if (v->kind == TML_VALUE_MAP) {
        *out = read_spline_map(x, v);
        return *out != NULL;
    }
    const char *name = tml_read_text(x, v, what);
    const int k = name != NULL ? tml_model_find_spline(m, name) : -1;
    if (k >= 0) {
        *out = m->splines.at[k].spline;
    } else if (name != NULL) {
        tml_entry_unknown_name(x, v, "spline", name, m->splines.at, m->splines.n,
                               sizeof *m->splines.at);
    }
    return k >= 0;
}

/* --- variables, states, outputs --------------------------------------------------------------- */

static void read_optional(TmlEntry *x, const char *key, TmlRange range, double *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v != NULL) {
        tml_read_ranged(x, v, key, range, "", out);
    }
}

/* The expression itself, or `value` of a map with further keys. */
static const TmlValue *value_of(TmlEntry *x, const TmlKey *keys)
{
    if (x->value->kind != TML_VALUE_MAP) {
        return x->value;
    }
    tml_read_keys(x, x->value, keys, NULL, NULL);
    const TmlValue *v = tml_value_find(x->value, "value");
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'value'%s",
                        keys == tml_keys_variable ? " (or 'adjust')" : "");
    }
    return v;
}

/* The expression of a constant that statics finds. */
static const TmlValue *adjust_of(TmlEntry *x, const TmlValue *adjust)
{
    tml_read_keys(x, x->value, tml_keys_variable, NULL, NULL);
    if (tml_value_find(x->value, "value") != NULL) {
        tml_entry_error(x, x->key, "give either 'value' or 'adjust'");
    }
    return adjust;
}

static void read_variable(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    (void)arg;
    if (!tml_read_bare_name(x, x->key, x->name)) {
        return;
    }
    TmlVariable variable = {.name = x->name, .source = x->key};
    const TmlValue *adjust = tml_value_find(x->value, "adjust");
    const TmlValue *v = adjust != NULL ? adjust_of(x, adjust) : value_of(x, tml_keys_variable);
    variable.adjusted = variable.implicit = adjust != NULL;
    read_optional(x, "initial", TML_ANY, &variable.initial);
    bool ok = true;
    TML_LIST_ADD(m->variables, variable, &ok);
    x->r->nomem |= !ok;
    if (v != NULL && ok) {
        tml_read_expression(x, v, adjust != NULL ? "adjust" : NULL,
                            (TmlPending){.target = TML_TARGET_VARIABLE,
                                         .index = m->variables.n - 1,
                                         .allowed = TML_ALLOW_ALL});
    }
}

static void read_state(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    (void)arg;
    if (!tml_read_bare_name(x, x->key, x->name)) {
        return;
    }
    TmlUserState state = {.name = x->name, .source = x->key};
    const TmlValue *rate = tml_value_find(x->value, "rate");
    const TmlValue *implicit = tml_value_find(x->value, "implicit");
    if (tml_read_is_map(x, x->value, NULL)) {
        tml_read_keys(x, x->value, tml_keys_state, NULL, NULL);
        if ((rate != NULL) == (implicit != NULL)) {
            tml_entry_error(x, x->key, "give either 'rate' or 'implicit'");
        }
    }
    state.implicit = implicit != NULL;
    read_optional(x, "initial", TML_ANY, &state.initial);
    read_optional(x, "initial_rate", TML_ANY, &state.initial_rate);
    read_optional(x, "scale", TML_NONNEGATIVE, &state.scale);
    bool ok = true;
    TML_LIST_ADD(m->states, state, &ok);
    x->r->nomem |= !ok;
    if (ok && !x->bad) {
        tml_read_expression(x, rate != NULL ? rate : implicit, rate != NULL ? "rate" : "implicit",
                            (TmlPending){.target = TML_TARGET_STATE,
                                         .index = m->states.n - 1,
                                         .allowed = TML_ALLOW_ALL});
    }
}

static void read_output(TmlEntry *x, void *arg)
{
    TmlReader *r = x->r;
    (void)arg;
    if (tml_names_find(&r->channel_names, x->name) >= 0 || strcmp(x->name, "time") == 0) {
        tml_entry_error(x, x->key, "there is already an output of this name");
        return;
    }
    const TmlValue *v = value_of(x, tml_keys_output);
    const TmlValue *unit = tml_value_find(x->value, "unit");
    const char *text = unit != NULL ? tml_read_text(x, unit, "unit") : "";
    const TmlChannel channel = {.name = x->name, .unit = text != NULL ? text : ""};
    bool ok = tml_names_add(&r->channel_names, x->name, r->m->channels.n);
    TML_LIST_ADD(r->m->channels, channel, &ok);
    r->nomem |= !ok;
    if (v != NULL && ok) {
        tml_read_expression(x, v, NULL,
                            (TmlPending){.target = TML_TARGET_CHANNEL,
                                         .index = r->m->channels.n - 1,
                                         .allowed = TML_ALLOW_ALL | TML_ALLOW_PLACES});
    }
}

void tml_read_signals(TmlReader *r, const TmlValue *root)
{
    tml_read_entries(r, tml_value_find(root, "variables"), "variable", NULL, read_variable, NULL);
    tml_read_entries(r, tml_value_find(root, "states"), "state", NULL, read_state, NULL);
    tml_read_entries(r, tml_value_find(root, "outputs"), "output", NULL, read_output, NULL);
}
