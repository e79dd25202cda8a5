/* expr/call.c - function calls: mathematics, IF, splines, functions of the model. */
#include "expr/parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODEL_ARGS = 16, SPLINE_ARGS = 4 };

/* After an argument: true when another follows, with the comma read; at the end the ) is read. */
static TmlStatus parse_separator(TmlParser *p, int open, bool *more)
{
    *more = p->tok.kind == TML_TOK_COMMA;
    if (p->tok.kind == TML_TOK_END) {
        return tml_expr_fail(p->err, p->text, open, "the parenthesis is not closed");
    }
    if (!*more && p->tok.kind != TML_TOK_CLOSE) {
        return tml_parse_unexpected(p);
    }
    return tml_parse_advance(p);
}

static TmlStatus fail_count(TmlParser *p, const TmlFunction *f, int column, int n)
{
    char count[64];
    if (f->min_args == f->max_args) {
        snprintf(count, sizeof count, "%d argument%s", f->min_args, f->min_args == 1 ? "" : "s");
    } else {
        snprintf(count, sizeof count, "%d to %d arguments", f->min_args, f->max_args);
    }
    char got[32] = "more";
    if (n <= f->max_args) {
        snprintf(got, sizeof got, "%d", n);
    }
    return tml_expr_fail(p->err, p->text, column, "%s takes %s, got %s: %s", f->name, count, got,
                         f->signature);
}

/* What a function makes of the dimension of its arguments. */
typedef enum Rule {
    RULE_NONE,  // nothing is known
    RULE_SAME,  // arguments and value are alike
    RULE_ANGLE, // of an angle or a number
    RULE_ROOT
} Rule;

static Rule rule_of(const char *name)
{
    static const struct {
        const char *name;
        Rule rule;
    } rules[] = {
        {"abs", RULE_SAME},   {"min", RULE_SAME},    {"max", RULE_SAME},   {"hypot", RULE_SAME},
        {"sqrt", RULE_ROOT},  {"sin", RULE_ANGLE},   {"cos", RULE_ANGLE},  {"tan", RULE_ANGLE},
        {"asin", RULE_ANGLE}, {"acos", RULE_ANGLE},  {"exp", RULE_ANGLE},  {"log", RULE_ANGLE},
        {"ln", RULE_ANGLE},   {"log10", RULE_ANGLE}, {"sinh", RULE_ANGLE}, {"cosh", RULE_ANGLE},
        {"tanh", RULE_ANGLE},
    };
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k) {
        if (strcmp(rules[k].name, name) == 0) {
            return rules[k].rule;
        }
    }
    return RULE_NONE;
}

/* p->dim of one argument into that of the call so far. */
static TmlStatus take_dimension(TmlParser *p, const TmlFunction *f, Rule rule, int k, int column,
                                TmlDimension *call)
{
    const TmlDimension arg = p->dim, none = tml_dimension(0, 0, 0);
    char text[TML_DIMENSION_TEXT], what[64];
    if (rule == RULE_ANGLE && arg.kind == TML_DIM_KNOWN && !tml_dimension_same(arg, none)) {
        tml_dimension_text(arg, text);
        return tml_expr_fail(p->err, p->text, column,
                             "%s takes an angle or a number without a unit, got %s", f->name, text);
    }
    if (rule == RULE_ROOT) {
        *call = tml_dimension_power(arg, 0.5);
    } else if (rule == RULE_SAME && k == 0) {
        *call = arg;
    } else if (rule == RULE_SAME) {
        snprintf(what, sizeof what, "%s cannot compare", f->name);
        return tml_parse_alike(p, *call, arg, column, what, call);
    }
    return TML_OK;
}

/* Reads ( arguments ) as values; p->dim becomes the dimension of the call. */
static TmlStatus parse_values(TmlParser *p, const TmlFunction *f, int column, int *arg, int *n)
{
    const Rule rule = rule_of(f->name);
    TmlDimension call = {0};
    const int open = p->tok.start;
    bool more = true;
    *n = 0;
    TML_TRY(tml_parse_advance(p));
    if (p->tok.kind == TML_TOK_CLOSE) {
        return fail_count(p, f, column, 0);
    }
    while (more) {
        if (*n == f->max_args) {
            return fail_count(p, f, column, *n + 1);
        }
        const int start = p->tok.start;
        TML_TRY(tml_parse_expr(p, &arg[*n]));
        TML_TRY(take_dimension(p, f, rule, *n, start, &call));
        (*n)++;
        TML_TRY(parse_separator(p, open, &more));
    }
    p->dim = call;
    return *n < f->min_args ? fail_count(p, f, column, *n) : TML_OK;
}

/* "step(1, 0, 2)" with constant arguments; others are shown as a dot. */
static void print_call(const TmlParser *p, const TmlFunction *f, const int *arg, int n, char *out,
                       size_t size)
{
    int used = snprintf(out, size, "%s(", f->name);
    for (int k = 0; k < n && used < (int)size; ++k) {
        double value;
        const char *comma = k > 0 ? ", " : "";
        if (tml_build_known(&p->build, arg[k], &value)) {
            used += snprintf(out + used, size - (size_t)used, "%s%.6g", comma, value);
        } else {
            used += snprintf(out + used, size - (size_t)used, "%s.", comma);
        }
    }
    if (used < (int)size) {
        snprintf(out + used, size - (size_t)used, ")");
    }
}

static TmlStatus parse_plain(TmlParser *p, const TmlFunction *f, int column, int *out)
{
    int arg[TML_FUNCTION_ARGS], n;
    double value[TML_FUNCTION_ARGS];
    char text[160];
    TML_TRY(parse_values(p, f, column, arg, &n));
    for (int k = 0; k < n; ++k) {
        double known;
        value[k] = tml_build_known(&p->build, arg[k], &known) ? known : (double)NAN;
    }
    const char *wrong = f->check != NULL ? f->check(value, n) : NULL;
    if (wrong != NULL) {
        return tml_expr_fail(p->err, p->text, column, "%s: %s", f->name, wrong);
    }
    *out = tml_function_build(&p->build, f, arg, n);
    double result;
    if (tml_build_known(&p->build, *out, &result) && !isfinite(result)) {
        print_call(p, f, arg, n, text, sizeof text);
        tml_parse_blame(p, *out, column, "%s is not finite", text);
    }
    return TML_OK;
}

/* if(x: a, b, c) by the sign of x, or if(cond, a, b). */
static TmlStatus parse_if(TmlParser *p, int column, int *out)
{
    const int open = p->tok.start;
    int cond, branch[3], n = 0;
    bool more = true;
    TML_TRY(tml_parse_advance(p));
    TML_TRY(tml_parse_expr(p, &cond));
    const bool by_sign = p->tok.kind == TML_TOK_COLON;
    const int wanted = by_sign ? 3 : 2;
    if (by_sign) {
        TML_TRY(tml_parse_advance(p));
    } else {
        TML_TRY(parse_separator(p, open, &more));
    }
    while (more) {
        if (n == wanted) {
            n++;
            break;
        }
        TML_TRY(tml_parse_expr(p, &branch[n++]));
        TML_TRY(parse_separator(p, open, &more));
    }
    if (n != wanted) {
        return tml_expr_fail(p->err, p->text, column,
                             by_sign ? "if with a colon takes three values: if(x: a, b, c)"
                                     : "if takes a condition and two values: if(cond, a, b)");
    }
    TmlBuilder *b = &p->build;
    if (by_sign) {
        const int zero = tml_build_const(b, 0.0);
        const int at_zero = tml_build_op2(b, TML_OP_EQ, cond, zero);
        const int rest = tml_build_select(b, at_zero, branch[1], branch[2]);
        *out = tml_build_select(b, tml_build_op2(b, TML_OP_LT, cond, zero), branch[0], rest);
    } else {
        *out = tml_build_select(b, cond, branch[0], branch[1]);
    }
    p->dim = (TmlDimension){0};
    return TML_OK;
}

/* One argument that may be a name: name is NULL for a value. */
typedef struct MixedArg {
    const char *name;
    int node, column;
} MixedArg;

static TmlStatus parse_mixed(TmlParser *p, MixedArg *out)
{
    *out = (MixedArg){.column = p->tok.start};
    if (p->tok.kind == TML_TOK_NAME || p->tok.kind == TML_TOK_QUOTED) {
        TmlToken next;
        TML_TRY(tml_lex(p->text, p->tok.end, &next, p->err));
        const bool last = next.kind == TML_TOK_CLOSE || next.kind == TML_TOK_END; // END: not closed
        if (last || next.kind == TML_TOK_COMMA) {
            out->name = tml_parse_word(p, p->tok);
            if (out->name == NULL) {
                return tml_fail(p->err, TML_E_NOMEM, "out of memory");
            }
            return tml_parse_advance(p);
        }
    }
    return tml_parse_expr(p, &out->node);
}

static TmlStatus find_spline(TmlParser *p, const TmlFunction *f, const MixedArg *arg,
                             const TmlSpline **out)
{
    const TmlExprResolver *r = p->resolver;
    if (r == NULL || r->spline == NULL) {
        return tml_expr_fail(p->err, p->text, arg->column, "there are no splines here");
    }
    const TmlStatus status = r->spline(r->user, arg->name, out, p->err);
    if (status != TML_OK) {
        return tml_expr_point(p->err, status, p->text, arg->column);
    }
    if (f->spline_kind >= 0) {
        *out = tml_spline_as(*out, (TmlSplineKind)f->spline_kind);
    }
    if (*out == NULL) {
        return tml_expr_fail(p->err, p->text, arg->column,
                             "%s needs a spline of at least 4 points; '%.200s' has fewer", f->name,
                             arg->name);
    }
    return TML_OK;
}

/* A coordinate of a path over its own parameter, which begins at `from`:
 *   d^n r / d alpha^n = per^n d^n r / d s^n,  s = per (alpha - from) */
static TmlStatus build_curve(TmlParser *p, const MixedArg *which, const TmlSpline *spline,
                             int derivative, int alpha, int *out)
{
    const TmlSplineSource *source = tml_spline_source(spline);
    TmlBuilder *b = &p->build;
    if (source == NULL || source->per == 0.0) {
        return tml_expr_fail(p->err, p->text, which->column,
                             "'%.200s' is no coordinate of a path, as path.x is", which->name);
    }
    const int from = tml_build_const(b, source->from), per = tml_build_const(b, source->per);
    const int s = tml_build_op2(b, TML_OP_MUL, tml_build_op2(b, TML_OP_SUB, alpha, from), per);
    const int factor = tml_build_const(b, pow(source->per, derivative));
    *out = tml_build_op2(b, TML_OP_MUL, tml_build_spline(b, spline, derivative, s), factor);
    return TML_OK;
}

/* (x, spline), (x, spline, order), (x, z, spline) or (x, z, spline, order). z selects a curve of a
 * family in other programs; a table here is one curve, and z has no effect. */
static TmlStatus parse_spline(TmlParser *p, const TmlFunction *f, int column, int *out)
{
    const int open = p->tok.start;
    MixedArg arg[SPLINE_ARGS - 1] = {{0}};
    int x, n = 1;
    bool more;
    TML_TRY(tml_parse_advance(p));
    if (p->tok.kind == TML_TOK_CLOSE) {
        return fail_count(p, f, column, 0);
    }
    TML_TRY(tml_parse_expr(p, &x));
    TML_TRY(parse_separator(p, open, &more));
    while (more) {
        if (n == f->max_args) {
            return fail_count(p, f, column, n + 1);
        }
        TML_TRY(parse_mixed(p, &arg[n++ - 1]));
        TML_TRY(parse_separator(p, open, &more));
    }
    if (n < f->min_args) {
        return fail_count(p, f, column, n);
    }
    const bool with_z = n == 4 || (n == 3 && arg[1].name != NULL);
    const MixedArg *which = &arg[with_z ? 1 : 0];
    const MixedArg *order = n == 4 ? &arg[2] : n == 3 && !with_z ? &arg[1] : NULL;
    if (which->name == NULL) {
        return tml_expr_fail(p->err, p->text, which->column,
                             "the name of a spline is expected here");
    }
    double derivative = 0.0;
    if (order != NULL &&
        (order->name != NULL || !tml_build_known(&p->build, order->node, &derivative) ||
         !(derivative >= 0.0 && derivative <= 3.0) || derivative != floor(derivative))) {
        return tml_expr_fail(p->err, p->text, order->column,
                             "the order of the derivative must be 0, 1, 2 or 3");
    }
    const TmlSpline *spline;
    p->dim = (TmlDimension){0};
    TML_TRY(find_spline(p, f, which, &spline));
    if (f->form == TML_FORM_CURVE) {
        return build_curve(p, which, spline, (int)derivative, x, out);
    }
    *out = tml_build_spline(&p->build, spline, (int)derivative, x);
    return TML_OK;
}

/* A function of the caller's own. */
static TmlStatus parse_user(TmlParser *p, const TmlUserFunction *user, int column, int *out)
{
    char signature[160];
    int arg[TML_MAX_ARGS_FIRST], n;
    const int used = snprintf(signature, sizeof signature, "%.100s(", user->name);
    const bool few = user->n_args <= TML_MAX_ARGS;
    for (int k = 0; few && k < user->n_args; ++k) {
        snprintf(signature + used + 3 * k, sizeof signature - (size_t)(used + 3 * k), "%c%s",
                 'a' + k, k + 1 < user->n_args ? ", " : ")");
    }
    if (!few) {
        snprintf(signature + used, sizeof signature - (size_t)used, "a, ... %d of them)",
                 user->n_args);
    }
    const TmlFunction f = {.name = user->name,
                           .min_args = user->n_args,
                           .max_args = user->n_args,
                           .signature = signature};
    TML_TRY(parse_values(p, &f, column, arg, &n));
    *out = tml_build_call(&p->build, user, arg);
    double result;
    if (tml_build_known(&p->build, *out, &result) && !isfinite(result)) {
        char text[160];
        print_call(p, &f, arg, n, text, sizeof text);
        tml_parse_blame(p, *out, column, "%s is not finite", text);
    }
    return TML_OK;
}

static TmlStatus find_user(TmlParser *p, const char *name, int column, const TmlUserFunction **out)
{
    const TmlExprResolver *r = p->resolver;
    *out = NULL;
    if (r == NULL || r->function == NULL) {
        return TML_OK;
    }
    const TmlStatus status = r->function(r->user, name, out, p->err);
    return status == TML_E_MODEL ? tml_expr_point(p->err, status, p->text, column) : status;
}

/* Arguments of a function of the model: names and constants. */
static TmlStatus parse_model_args(TmlParser *p, const char *function, TmlExprArg *arg, int *n)
{
    const int open = p->tok.start;
    bool more;
    *n = 0;
    TML_TRY(tml_parse_advance(p));
    more = p->tok.kind != TML_TOK_CLOSE;
    if (!more) {
        return tml_parse_advance(p);
    }
    while (more) {
        MixedArg mixed;
        if (*n == MODEL_ARGS) {
            return tml_expr_fail(p->err, p->text, p->tok.start,
                                 "'%.200s' has more than %d arguments", function, (int)MODEL_ARGS);
        }
        TML_TRY(parse_mixed(p, &mixed));
        TmlExprArg *a = &arg[*n];
        (*n)++;
        *a = (TmlExprArg){.name = mixed.name, .column = mixed.column};
        if (mixed.name == NULL && !tml_build_known(&p->build, mixed.node, &a->value)) {
            return tml_expr_fail(p->err, p->text, mixed.column,
                                 "argument %d of '%.200s' must be a name or a constant", *n,
                                 function);
        }
        TML_TRY(parse_separator(p, open, &more));
    }
    return TML_OK;
}

/* .fx after a call, or NULL. */
static TmlStatus parse_member(TmlParser *p, const char **member)
{
    *member = NULL;
    if (p->tok.kind != TML_TOK_DOT) {
        return TML_OK;
    }
    TML_TRY(tml_parse_advance(p));
    if (p->tok.kind != TML_TOK_NAME) {
        return tml_expr_fail(p->err, p->text, p->tok.start, "a name is expected after the dot");
    }
    *member = tml_parse_word(p, p->tok);
    if (*member == NULL) {
        return tml_fail(p->err, TML_E_NOMEM, "out of memory");
    }
    return tml_parse_advance(p);
}

static TmlStatus ask_model(TmlParser *p, TmlToken tok, const char *name, TmlExprSymbol *symbol)
{
    const TmlExprResolver *r = p->resolver;
    TmlExprArg arg[MODEL_ARGS];
    const char *member;
    int n;
    TML_TRY(parse_model_args(p, name, arg, &n));
    TML_TRY(parse_member(p, &member));
    const TmlStatus status = r->call(r->user, name, arg, n, member, symbol, p->err);
    return status == TML_E_MODEL ? tml_expr_point(p->err, status, p->text, tok.start) : status;
}

static TmlStatus parse_model(TmlParser *p, TmlToken tok, const char *name, int *out)
{
    const TmlExprResolver *r = p->resolver;
    TmlExprSymbol symbol = {0};
    const bool asked = r != NULL && r->call != NULL;
    const TmlStatus status = asked ? ask_model(p, tok, name, &symbol) : TML_E_MODEL;
    // a misspelt function first: what is wrong with its arguments matters less
    if (status == TML_E_MODEL && (!asked || !tml_parse_listed(p, name))) {
        return tml_parse_unknown(p, true, name, tok.start);
    }
    TML_TRY(status);
    return tml_parse_symbol(p, name, tok.start, &symbol, out);
}

TmlStatus tml_parse_call(TmlParser *p, TmlToken tok, int *out)
{
    const char *name = tml_parse_word(p, tok);
    if (name == NULL) {
        return tml_fail(p->err, TML_E_NOMEM, "out of memory");
    }
    const TmlFunction *f = tml_function_find(name);
    const TmlUserFunction *user = NULL;
    if (f == NULL) {
        TML_TRY(find_user(p, name, tok.start, &user));
        return user != NULL ? parse_user(p, user, tok.start, out) : parse_model(p, tok, name, out);
    }
    switch (f->form) {
    case TML_FORM_IF:
        TML_TRY(parse_if(p, tok.start, out));
        break;
    case TML_FORM_SPLINE:
    case TML_FORM_CURVE:
        TML_TRY(parse_spline(p, f, tok.start, out));
        break;
    default:
        TML_TRY(parse_plain(p, f, tok.start, out));
        break;
    }
    if (p->tok.kind == TML_TOK_DOT) {
        return tml_expr_fail(p->err, p->text, p->tok.start, "%s has no members", f->name);
    }
    return TML_OK;
}
