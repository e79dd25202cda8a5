/* expr/name_lookup.c - what a name stands for, and suggestions for names that nothing stands for. */
#include "base/nearest.h"
#include "expr/parser.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct Builtin {
    const char *name;
    double value;
} Builtin;

/* Known everywhere; case does not matter. */
static const Builtin builtins[] = {
    {"pi", M_PI}, {"dtor", M_PI / 180.0}, {"rtod", 180.0 / M_PI}, {"true", 1.0}, {"false", 0.0},
};

enum { N_BUILTINS = sizeof builtins / sizeof builtins[0] };

/* Collects the candidates of a suggestion. */
typedef struct NameList {
    TmlArena *arena;
    const char **name;
    int n, cap;
} NameList;

static void list_add(void *arg, const char *name)
{
    NameList *list = arg;
    void *p = list->name;
    char *copy = tml_arena_strdup(list->arena, name);
    if (copy != NULL && tml_mem_grow(&p, &list->cap, list->n + 1, sizeof *list->name)) {
        list->name = p;
        list->name[list->n++] = copy;
    }
}

static void list_function(void *arg, const char *name, const char *signature, const char *text)
{
    (void)signature, (void)text;
    list_add(arg, name);
}

TmlStatus tml_parse_unknown(TmlParser *p, bool function, const char *name, int column)
{
    NameList list = {.arena = &p->scratch};
    if (p->resolver != NULL && p->resolver->names != NULL) {
        p->resolver->names(p->resolver->user, list_add, &list);
    }
    if (function) {
        tml_expr_functions(list_function, &list);
    } else {
        list_add(&list, "time");
        for (int k = 0; k < N_BUILTINS; ++k) {
            list_add(&list, builtins[k].name);
        }
    }
    const char *near = tml_nearest(name, list.name, list.n);
    tml_mem_free(list.name);

    const char *kind = function ? "function" : "name";
    if (near != NULL) {
        return tml_expr_fail(p->err, p->text, column, "unknown %s '%.200s'; did you mean '%.200s'?",
                             kind, name, near);
    }
    return tml_expr_fail(p->err, p->text, column, "unknown %s '%.200s'", kind, name);
}

typedef struct Search {
    const char *name;
    bool found;
} Search;

static void search_visit(void *arg, const char *name)
{
    Search *s = arg;
    s->found = s->found || strcasecmp(s->name, name) == 0;
}

bool tml_parse_listed(const TmlParser *p, const char *name)
{
    if (p->resolver == NULL) {
        return false;
    }
    if (p->resolver->names == NULL) {
        return true;
    }
    Search s = {.name = name};
    p->resolver->names(p->resolver->user, search_visit, &s);
    return s.found;
}

TmlStatus tml_parse_symbol(TmlParser *p, const char *name, int column, const TmlExprSymbol *symbol,
                           int *out)
{
    p->dim = symbol->constant ? symbol->dim : (TmlDimension){0};
    if (symbol->constant) {
        *out = tml_build_const(&p->build, symbol->value);
        tml_parse_blame(p, *out, column, "'%.200s' is not finite", name);
        return TML_OK;
    }
    if (p->constant) {
        return tml_expr_fail(p->err, p->text, column, "must be a constant, but '%.200s' varies",
                             name);
    }
    *out = tml_build_leaf(&p->build, symbol->leaf);
    return TML_OK;
}

void tml_parse_blame(TmlParser *p, int node, int column, const char *fmt, ...)
{
    double value;
    const bool known = tml_build_known(&p->build, node, &value);
    if (known && isfinite(value)) {
        return;
    }
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    void *items = p->blame;
    const char *copy = tml_arena_strdup(&p->scratch, text);
    if (copy == NULL || !tml_mem_grow(&items, &p->cap_blame, p->n_blame + 1, sizeof *p->blame)) {
        p->build.oom = true;
        return;
    }
    p->blame = items;
    p->blame[p->n_blame++] = (TmlBlame){.column = column, .text = copy};
    tml_build_blame(&p->build, node, p->n_blame);
}

static TmlStatus ask_resolver(TmlParser *p, const char *name, int column, int *out)
{
    const TmlExprResolver *r = p->resolver;
    TmlExprSymbol symbol = {0};
    TmlStatus status = TML_E_MODEL;
    bool listed = false;
    if (r != NULL && r->name != NULL) {
        status = r->name(r->user, name, &symbol, p->err);
        listed = status == TML_OK || tml_parse_listed(p, name);
    }
    if (status == TML_OK) {
        return tml_parse_symbol(p, name, column, &symbol, out);
    }
    if (status != TML_E_MODEL) {
        return status; // out of memory and the like
    }
    const TmlFunction *f = tml_function_find(name);
    if (f != NULL) {
        return tml_expr_fail(p->err, p->text, column, "'%s' is a function; write %s", f->name,
                             f->signature);
    }
    // the resolver's own words about a name it lists, else ours with a suggestion from both sides
    return listed ? tml_expr_point(p->err, status, p->text, column)
                  : tml_parse_unknown(p, false, name, column);
}

TmlStatus tml_parse_name(TmlParser *p, TmlToken tok, int *out)
{
    const char *name = tml_parse_word(p, tok);
    if (name == NULL) {
        return tml_fail(p->err, TML_E_NOMEM, "out of memory");
    }
    if (tok.kind == TML_TOK_NAME) {
        if (tml_parse_is(p, tok, "time")) {
            if (p->resolver != NULL && p->resolver->time != NULL) {
                *out = tml_build_const(&p->build, *p->resolver->time);
                p->dim = (TmlDimension){0};
                return TML_OK;
            }
            return tml_parse_symbol(p, name, tok.start, &(TmlExprSymbol){.leaf = 0}, out);
        }
        for (int k = 0; k < N_BUILTINS; ++k) {
            if (tml_parse_is(p, tok, builtins[k].name)) {
                *out = tml_build_const(&p->build, builtins[k].value);
                p->dim = (TmlDimension){.kind = TML_DIM_FACTOR};
                return TML_OK;
            }
        }
    }
    return ask_resolver(p, name, tok.start, out);
}
