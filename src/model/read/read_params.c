/* model/read/read_params.c - parameters, and expressions of them.
 *
 * Parameters may use each other in any order. One that is asked for before it has a value stops the
 * evaluation of the asking one, goes on the stack and is evaluated first; one that is on the stack
 * already closes a circle. (Not by recursion: chains of thousands are fine.)
 *
 * One parameter may be followed (TmlModel.followed): in expressions it stands where time stands
 * otherwise, and time is 0. Parameters that follow from it become variables. As numbers both are
 * errors.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/expr.h"
#include "model/measure/binding.h"
#include "model/read/read.h"

bool tml_reader_has_parameter(const TmlReader *r, const char *name)
{
    return tml_names_find(&r->param_names, name) >= 0;
}

/* "a -> b -> a", for parameters that are being evaluated. */
static void cycle_text(const TmlReader *r, int k, char *text, size_t size)
{
    int first = 0;
    while (first < r->busy.n && r->busy.at[first] != k) {
        first++;
    }
    size_t fill = 0;
    for (int i = first; i < r->busy.n && fill < size; ++i) {
        fill +=
            (size_t)snprintf(text + fill, size - fill, "%s -> ", r->params.at[r->busy.at[i]].name);
    }
    if (fill < size) {
        snprintf(text + fill, size - fill, "%s", r->params.at[k].name);
    }
}

/* Value of parameter k for an expression that needs it. An empty message: no error of its own. */
static TmlStatus parameter_value(TmlReader *r, int k, TmlExprSymbol *out, TmlError *err)
{
    char text[TML_NAME_MAX * 4];
    switch (r->params.at[k].state) {
    case TML_PARAM_DONE:
        out->value = r->params.at[k].result;
        out->dim = r->params.at[k].dim;
        if (r->params.at[k].moves && r->busy.n == 0) {
            return tml_fail(err, TML_E_MODEL,
                            "'%s' moves along the path and is no number here; it may stand in "
                            "expressions of forces, loads, motions, variables and outputs",
                            r->params.at[k].name);
        }
        if (r->params.at[k].moves) {
            r->params.at[r->busy.at[r->busy.n - 1]].moves = true;
        }
        return TML_OK;
    case TML_PARAM_BUSY:
        cycle_text(r, k, text, sizeof text);
        return tml_fail(err, TML_E_MODEL, "parameters depend on each other in a circle: %s", text);
    case TML_PARAM_NEW:
        r->wanted = k;
        break;
    case TML_PARAM_FAILED:
        break;
    }
    return tml_fail(err, TML_E_MODEL, "%s", "");
}

static TmlStatus resolve_name(void *user, const char *name, TmlExprSymbol *out, TmlError *err)
{
    const TmlEntry *x = user;
    TmlReader *r = x->r;
    for (const TmlScope *s = x->scope; s != NULL; s = s->outer) {
        if (strcmp(s->name, name) == 0) {
            if (s->word != NULL) {
                return tml_fail(err, TML_E_MODEL, "'%s' stands for the word '%s', not a number",
                                name, s->word);
            }
            *out = (TmlExprSymbol){.constant = true, .value = s->value};
            return TML_OK;
        }
    }
    const int k = tml_names_find(&r->param_names, name);
    if (k >= 0) {
        *out = (TmlExprSymbol){.constant = true};
        return parameter_value(r, k, out, err);
    }
    const char **names = tml_mem_zalloc((size_t)r->params.n, sizeof *names);
    for (int i = 0; names != NULL && i < r->params.n; ++i) {
        names[i] = r->params.at[i].name;
    }
    const char *near = names != NULL ? tml_nearest(name, names, r->params.n) : NULL;
    tml_mem_free(names);
    return near != NULL ? tml_fail(err, TML_E_MODEL, "unknown parameter '%s'; did you mean '%s'?",
                                   name, near)
                        : tml_fail(err, TML_E_MODEL, "unknown parameter '%s'", name);
}

static TmlStatus resolve_function(void *user, const char *name, const TmlUserFunction **out,
                                  TmlError *err)
{
    const TmlEntry *x = user;
    (void)err;
    *out = tml_model_find_function(x->r->m, name);
    return TML_OK;
}

bool tml_read_is_constant(TmlEntry *x, const char *text, double *out)
{
    const TmlExprResolver resolver = {
        .user = x, .name = resolve_name, .function = resolve_function};
    return tml_expr_constant(text, &resolver, out, NULL) == TML_OK;
}

bool tml_read_dimension(TmlEntry *x, const char *text, TmlDimension *out)
{
    const TmlExprResolver resolver = {
        .user = x, .name = resolve_name, .function = resolve_function};
    double value;
    return tml_expr_quantity(text, &resolver, &value, out, NULL) == TML_OK;
}

bool tml_read_constant(TmlEntry *x, const TmlValue *at, const char *what, const char *text,
                       double *out)
{
    // a name alone is the common case and needs no compiler
    if (x->scope != NULL && x->scope->word == NULL && strcmp(x->scope->name, text) == 0) {
        *out = x->scope->value;
        return true;
    }
    const int k = tml_names_find(&x->r->param_names, text);
    if (k >= 0 && x->scope == NULL && x->r->params.at[k].state == TML_PARAM_DONE &&
        !x->r->params.at[k].moves) {
        *out = x->r->params.at[k].result;
        return true;
    }
    const TmlExprResolver resolver = {
        .user = x, .name = resolve_name, .function = resolve_function};
    TmlError err = {0};
    if (tml_expr_constant(text, &resolver, out, &err) != TML_OK) {
        tml_entry_expr_error(x, at, what, text, &err);
        return false;
    }
    if (!isfinite(*out)) {
        tml_entry_error(x, at, "%s%sa number must be finite, got %g", what != NULL ? what : "",
                        what != NULL ? ": " : "", *out);
        return false;
    }
    return true;
}

static void busy_push(TmlReader *r, int k)
{
    bool ok = true;
    TML_LIST_ADD(r->busy, k, &ok);
    r->nomem |= !ok;
    r->params.at[k].state = TML_PARAM_BUSY;
}

static void evaluate(TmlReader *r, int first)
{
    if (r->params.at[first].state != TML_PARAM_NEW) {
        return;
    }
    busy_push(r, first);
    while (r->busy.n > 0 && !r->nomem) {
        TmlParamDef *p = &r->params.at[r->busy.at[r->busy.n - 1]];
        TmlEntry x = {.r = r, .kind = "parameter", .name = p->name, .value = p->value};
        const bool ok = tml_read_number(&x, p->value, NULL, &p->result);
        if (ok && p->value->kind == TML_VALUE_SCALAR) {
            tml_read_dimension(&x, p->value->text, &p->dim);
            r->has_units |= tml_dimension_has(p->dim);
        }
        if (r->wanted >= 0) {
            busy_push(r, r->wanted);
            r->wanted = -1;
        } else {
            p->state = ok ? TML_PARAM_DONE : TML_PARAM_FAILED;
            r->busy.n--;
        }
    }
}

static void declare(TmlReader *r, const TmlValue *key, const TmlValue *value)
{
    TmlEntry x = {.r = r, .kind = "parameter", .name = key->text, .value = key};
    if (!tml_read_bare_name(&x, key, key->text)) {
        return;
    }
    bool ok = true;
    const char *followed = r->m->followed;
    const TmlParamDef p = {.name = key->text,
                           .value = value,
                           .moves = followed != NULL && strcmp(key->text, followed) == 0};
    TML_LIST_ADD(r->params, p, &ok);
    r->nomem |= !ok || !tml_names_add(&r->param_names, key->text, r->params.n - 1);
}

/* The nearest of the names, as the end of a message. */
static const char *suggestion(TmlReader *r, const char *name)
{
    const char **names = tml_mem_zalloc((size_t)r->params.n, sizeof *names);
    for (int i = 0; names != NULL && i < r->params.n; ++i) {
        names[i] = r->params.at[i].name;
    }
    const char *near = names != NULL ? tml_nearest(name, names, r->params.n) : NULL;
    tml_mem_free(names);
    const char *text = near != NULL ? tml_reader_printf(r, "; did you mean '%s'?", near) : NULL;
    return text != NULL ? text : "";
}

/* A value from outside takes the place of what the model says; it is evaluated like that. */
static void override(TmlReader *r, int first, const char *name, double value, const char *text)
{
    TmlEntry x = {.r = r};
    const int k = tml_names_find(&r->param_names, name);
    if (k < first) {
        tml_entry_error(&x, NULL, "the model has no parameter '%s' to set%s", name,
                        suggestion(r, name));
        return;
    }
    if (text == NULL && !isfinite(value)) {
        tml_entry_error(&x, NULL, "parameter '%s' is set to %g; a number must be finite", name,
                        value);
        return;
    }
    TmlParamDef *p = &r->params.at[k];
    TmlArena *arena = &r->m->arena;
    p->value = text != NULL ? tml_value_scalar(arena, text) : tml_value_real(arena, value);
    p->given = true;
    r->nomem |= p->value == NULL;
}

/* A parameter that follows from the one that moves is a variable with its expression. */
static void add_variable(TmlReader *r, int k)
{
    TmlParamDef *p = &r->params.at[k];
    TmlEntry x = {.r = r, .kind = "parameter", .name = p->name, .value = p->value};
    const TmlVariable variable = {.name = p->name, .initial = p->result, .source = p->value};
    bool ok = true;
    TML_LIST_ADD(r->m->variables, variable, &ok);
    r->nomem |= !ok;
    if (ok) {
        tml_read_expression(&x, p->value, NULL,
                            (TmlPending){.target = TML_TARGET_VARIABLE,
                                         .index = r->m->variables.n - 1,
                                         .allowed = TML_ALLOW_ALL});
    }
}

static void keep_parameter(TmlReader *r, int k)
{
    const TmlParamDef *p = &r->params.at[k];
    const bool followed = r->m->followed != NULL && strcmp(p->name, r->m->followed) == 0;
    if (p->moves && !followed) {
        add_variable(r, k);
        return;
    }
    bool ok = true;
    const TmlParameter kept = {p->name, p->result, p->dim};
    TML_LIST_ADD(r->m->parameters, kept, &ok);
    if (p->given) {
        TML_LIST_ADD(r->m->overrides, kept, &ok);
    }
    r->nomem |= !ok;
}

void tml_read_parameters(TmlReader *r, const TmlValue *section, const TmlOverrides *given)
{
    TmlEntry x = {.r = r, .kind = "parameters", .value = section};
    const int first = r->params.n;
    if (section != NULL && section->kind != TML_VALUE_NULL && tml_read_is_map(&x, section, NULL)) {
        for (int k = 0; k < section->n && !r->nomem; ++k) {
            declare(r, section->key[k], section->item[k]);
        }
    }
    for (int k = 0; given != NULL && k < given->n; ++k) {
        const char *text = given->texts != NULL ? given->texts[k] : NULL;
        override(r, first, given->names[k], text == NULL ? given->values[k] : 0.0, text);
    }
    for (int k = first; k < r->params.n && !r->nomem; ++k) {
        evaluate(r, k);
    }
    for (int k = first; k < r->params.n && !r->nomem; ++k) {
        keep_parameter(r, k);
    }
}

void tml_check_followed(TmlReader *r)
{
    const char *name = r->m->followed;
    TmlEntry x = {.r = r};
    if (name != NULL && tml_names_find(&r->param_names, name) < 0) {
        tml_entry_error(&x, NULL, "the model has no parameter '%s' to follow%s", name,
                        suggestion(r, name));
    }
}
