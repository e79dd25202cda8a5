/* expr/parser.c - recursive descent over the grammar of parser.h, and the entry points. */
#include "expr/parser.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Bounds on input that nobody writes by hand: recursion must fit any stack. */
enum { MAX_DEPTH = 200, MAX_LENGTH = 1 << 16 };

TmlStatus tml_parse_advance(TmlParser *p)
{
    return tml_lex(p->text, p->tok.end, &p->tok, p->err);
}

TmlStatus tml_parse_enter(TmlParser *p)
{
    if (++p->depth > MAX_DEPTH) {
        return tml_expr_fail(p->err, p->text, p->tok.start,
                             "the expression is nested too deeply (more than %d levels)",
                             (int)MAX_DEPTH);
    }
    return TML_OK;
}

const char *tml_parse_word(TmlParser *p, TmlToken tok)
{
    return tml_arena_strndup(&p->scratch, p->text + tok.name, (size_t)tok.length);
}

bool tml_parse_is(const TmlParser *p, TmlToken tok, const char *word)
{
    return tok.kind == TML_TOK_NAME && (size_t)tok.length == strlen(word) &&
           strncasecmp(p->text + tok.name, word, (size_t)tok.length) == 0;
}

static bool is_keyword(const TmlParser *p, TmlToken tok)
{
    return tml_parse_is(p, tok, "and") || tml_parse_is(p, tok, "or") || tml_parse_is(p, tok, "not");
}

TmlStatus tml_parse_unexpected(TmlParser *p)
{
    const int length = p->tok.end - p->tok.start < 60 ? p->tok.end - p->tok.start : 60;
    const char *word = p->text + p->tok.start;
    switch (p->tok.kind) {
    case TML_TOK_END:
        return tml_expr_fail(p->err, p->text, p->tok.start, "the expression ends too early");
    case TML_TOK_NUMBER:
    case TML_TOK_NAME:
    case TML_TOK_QUOTED:
    case TML_TOK_OPEN:
        return tml_expr_fail(p->err, p->text, p->tok.start, "an operator is missing before %.*s",
                             length, word);
    default:
        return tml_expr_fail(p->err, p->text, p->tok.start, "unexpected '%.*s'", length, word);
    }
}

static TmlStatus parse_parenthesis(TmlParser *p, int *out)
{
    const int open = p->tok.start;
    TML_TRY(tml_parse_advance(p));
    TML_TRY(tml_parse_expr(p, out));
    if (p->tok.kind == TML_TOK_END) {
        return tml_expr_fail(p->err, p->text, open, "the parenthesis is not closed");
    }
    if (p->tok.kind != TML_TOK_CLOSE) {
        return tml_parse_unexpected(p);
    }
    return tml_parse_advance(p);
}

static TmlStatus parse_primary(TmlParser *p, int *out)
{
    const TmlToken tok = p->tok;
    switch (tok.kind) {
    case TML_TOK_NUMBER:
        return tml_parse_number(p, out);
    case TML_TOK_NAME:
        if (is_keyword(p, tok)) {
            return tml_expr_fail(p->err, p->text, tok.start, "a value is missing before %.*s",
                                 tok.length, p->text + tok.name);
        }
        TML_TRY(tml_parse_advance(p));
        return p->tok.kind == TML_TOK_OPEN ? tml_parse_call(p, tok, out)
                                           : tml_parse_name(p, tok, out);
    case TML_TOK_QUOTED:
        TML_TRY(tml_parse_advance(p));
        return tml_parse_name(p, tok, out);
    case TML_TOK_OPEN:
        return parse_parenthesis(p, out);
    case TML_TOK_END:
        return tml_parse_unexpected(p);
    default:
        return tml_expr_fail(p->err, p->text, tok.start, "a value is missing before '%.*s'",
                             tok.end - tok.start, p->text + tok.start);
    }
}

/* Blame for an operation on two values. */
static void blame_infix(TmlParser *p, int node, int column, int u, int v, const char *sign)
{
    double a, b;
    if (tml_build_known(&p->build, u, &a) && tml_build_known(&p->build, v, &b)) {
        tml_parse_blame(p, node, column, "%.6g %s %.6g is not finite", a, sign, b);
    }
}

TmlStatus tml_parse_alike(TmlParser *p, TmlDimension a, TmlDimension b, int column,
                          const char *what, TmlDimension *out)
{
    if (tml_dimension_sum(a, b, out)) {
        return TML_OK;
    }
    char left[TML_DIMENSION_TEXT], right[TML_DIMENSION_TEXT];
    tml_dimension_text(a, left);
    tml_dimension_text(b, right);
    return tml_expr_fail(p->err, p->text, column, "%s %s and %s", what, left, right);
}

/* The dimension of a power whose exponent is a constant. */
static void raise_dimension(TmlParser *p, TmlDimension base, int power)
{
    double value;
    p->dim = tml_build_known(&p->build, power, &value) ? tml_dimension_power(base, value)
                                                       : (TmlDimension){0};
}

/* An exponent has no unit. In x^2 m the unit stands behind the 2 and belongs to it. */
static TmlStatus check_exponent(const TmlParser *p, bool number, int column)
{
    char text[TML_DIMENSION_TEXT];
    const bool none = tml_dimension_same(p->dim, tml_dimension(0, 0, 0));
    if (p->dim.kind != TML_DIM_KNOWN || (none && !number)) {
        return TML_OK;
    }
    tml_dimension_text(p->dim, text);
    return tml_expr_fail(
        p->err, p->text, column,
        "an exponent has no unit, got %s; for a power times a unit write x^2*(1 m)", text);
}

static TmlStatus parse_unary(TmlParser *p, int *out)
{
    const TmlToken sign = p->tok;
    if (sign.kind == TML_TOK_MINUS || sign.kind == TML_TOK_PLUS) {
        TML_TRY(tml_parse_enter(p));
        TML_TRY(tml_parse_advance(p));
        TML_TRY(parse_unary(p, out));
        p->depth--;
        if (sign.kind == TML_TOK_MINUS) {
            *out = tml_build_op1(&p->build, TML_OP_NEG, *out);
        }
        return TML_OK;
    }
    TML_TRY(parse_primary(p, out));
    if (p->tok.kind == TML_TOK_POWER) {
        const int base = *out, column = p->tok.start;
        const TmlDimension dim = p->dim;
        int power;
        TML_TRY(tml_parse_enter(p));
        TML_TRY(tml_parse_advance(p));
        const bool number = p->tok.kind == TML_TOK_NUMBER;
        const int start = p->tok.start;
        TML_TRY(parse_unary(p, &power));
        TML_TRY(check_exponent(p, number, start));
        p->depth--;
        *out = tml_build_power(&p->build, base, power);
        blame_infix(p, *out, column, base, power, "^");
        raise_dimension(p, dim, power);
    }
    return TML_OK;
}

static TmlStatus parse_product(TmlParser *p, int *out)
{
    TML_TRY(parse_unary(p, out));
    while (p->tok.kind == TML_TOK_TIMES || p->tok.kind == TML_TOK_DIVIDE) {
        const bool times = p->tok.kind == TML_TOK_TIMES;
        const int left = *out, column = p->tok.start;
        const TmlDimension dim = p->dim;
        int right;
        double divisor;
        TML_TRY(tml_parse_advance(p));
        TML_TRY(parse_unary(p, &right));
        *out = tml_build_op2(&p->build, times ? TML_OP_MUL : TML_OP_DIV, left, right);
        blame_infix(p, *out, column, left, right, times ? "*" : "/");
        if (!times && tml_build_known(&p->build, right, &divisor) && divisor == 0.0) {
            tml_parse_blame(p, *out, column, "division by zero");
        }
        p->dim = tml_dimension_product(dim, p->dim, times ? 1 : -1);
    }
    return TML_OK;
}

static TmlStatus parse_sum(TmlParser *p, int *out)
{
    TML_TRY(parse_product(p, out));
    while (p->tok.kind == TML_TOK_PLUS || p->tok.kind == TML_TOK_MINUS) {
        const bool plus = p->tok.kind == TML_TOK_PLUS;
        const int left = *out, column = p->tok.start;
        const TmlDimension dim = p->dim;
        int right;
        TML_TRY(tml_parse_advance(p));
        TML_TRY(parse_product(p, &right));
        TML_TRY(tml_parse_alike(p, dim, p->dim, column, plus ? "cannot add" : "cannot subtract",
                                &p->dim));
        *out = tml_build_op2(&p->build, plus ? TML_OP_ADD : TML_OP_SUB, left, right);
        blame_infix(p, *out, column, left, right, plus ? "+" : "-");
    }
    return TML_OK;
}

static bool is_comparison(TmlTokenKind kind)
{
    return kind >= TML_TOK_LT && kind <= TML_TOK_NE;
}

static int build_comparison(TmlBuilder *b, TmlTokenKind kind, int u, int v)
{
    switch (kind) {
    case TML_TOK_LT:
        return tml_build_op2(b, TML_OP_LT, u, v);
    case TML_TOK_LE:
        return tml_build_op2(b, TML_OP_LE, u, v);
    case TML_TOK_GT:
        return tml_build_op2(b, TML_OP_LT, v, u);
    case TML_TOK_GE:
        return tml_build_op2(b, TML_OP_LE, v, u);
    case TML_TOK_EQ:
        return tml_build_op2(b, TML_OP_EQ, u, v);
    default:
        return tml_build_op1(b, TML_OP_NOT, tml_build_op2(b, TML_OP_EQ, u, v));
    }
}

static TmlStatus parse_compare(TmlParser *p, int *out)
{
    TML_TRY(parse_sum(p, out));
    if (!is_comparison(p->tok.kind)) {
        return TML_OK;
    }
    const TmlTokenKind kind = p->tok.kind;
    const TmlDimension dim = p->dim;
    const int column = p->tok.start;
    int right;
    TML_TRY(tml_parse_advance(p));
    TML_TRY(parse_sum(p, &right));
    TML_TRY(tml_parse_alike(p, dim, p->dim, column, "cannot compare", &p->dim));
    p->dim = (TmlDimension){0};
    *out = build_comparison(&p->build, kind, *out, right);
    if (is_comparison(p->tok.kind)) {
        return tml_expr_fail(p->err, p->text, p->tok.start,
                             "comparisons do not chain; write a < b and b < c");
    }
    return TML_OK;
}

static TmlStatus parse_not(TmlParser *p, int *out)
{
    if (!tml_parse_is(p, p->tok, "not")) {
        return parse_compare(p, out);
    }
    TML_TRY(tml_parse_enter(p));
    TML_TRY(tml_parse_advance(p));
    TML_TRY(parse_not(p, out));
    p->depth--;
    *out = tml_build_op1(&p->build, TML_OP_NOT, *out);
    p->dim = (TmlDimension){0};
    return TML_OK;
}

static TmlStatus parse_and(TmlParser *p, int *out)
{
    TML_TRY(parse_not(p, out));
    while (tml_parse_is(p, p->tok, "and")) {
        int right;
        TML_TRY(tml_parse_advance(p));
        TML_TRY(parse_not(p, &right));
        *out = tml_build_op2(&p->build, TML_OP_AND, *out, right);
        p->dim = (TmlDimension){0};
    }
    return TML_OK;
}

TmlStatus tml_parse_expr(TmlParser *p, int *out)
{
    TML_TRY(tml_parse_enter(p));
    TML_TRY(parse_and(p, out));
    while (tml_parse_is(p, p->tok, "or")) {
        int right;
        TML_TRY(tml_parse_advance(p));
        TML_TRY(parse_and(p, &right));
        *out = tml_build_op2(&p->build, TML_OP_OR, *out, right);
        p->dim = (TmlDimension){0};
    }
    p->depth--;
    return TML_OK;
}

static TmlStatus parse_all(TmlParser *p, TmlArena *arena, TmlExpr **out)
{
    const size_t length = strlen(p->text);
    if (length > MAX_LENGTH) {
        return tml_expr_fail(p->err, p->text, MAX_LENGTH,
                             "the expression is too long: %zu characters, at most %d are read",
                             length, (int)MAX_LENGTH);
    }
    TML_TRY(tml_build_init(&p->build, p->err));
    TML_TRY(tml_parse_advance(p));
    if (p->tok.kind == TML_TOK_END) {
        return tml_fail(p->err, TML_E_MODEL, "the expression is empty");
    }
    int root, trouble;
    TML_TRY(tml_parse_expr(p, &root));
    if (p->tok.kind != TML_TOK_END) {
        return tml_parse_unexpected(p);
    }
    TML_TRY(tml_build_finish(&p->build, root, p->text, arena, out, &trouble, p->err));
    if (trouble > 0) {
        const TmlBlame *blame = &p->blame[trouble - 1];
        return tml_expr_fail(p->err, p->text, blame->column, "%s", blame->text);
    }
    if (trouble < 0) {
        return tml_expr_fail(p->err, p->text, 0, "a constant part of the expression is not finite");
    }
    return TML_OK;
}

static TmlStatus compile(const char *text, const TmlExprResolver *resolver, bool constant,
                         TmlArena *arena, TmlExpr **out, TmlError *err)
{
    *out = NULL;
    TmlParser p = {.text = text, .resolver = resolver, .constant = constant, .err = err};
    const TmlStatus status = parse_all(&p, arena, out);
    if (status == TML_OK) {
        (*out)->dim = p.dim;
    }
    tml_build_free(&p.build);
    tml_mem_free(p.blame);
    tml_arena_free(&p.scratch);
    return status;
}

TmlStatus tml_expr_compile(const char *text, const TmlExprResolver *resolver, TmlArena *arena,
                           TmlExpr **out, TmlError *err)
{
    return compile(text, resolver, false, arena, out, err);
}

TmlStatus tml_expr_quantity(const char *text, const TmlExprResolver *resolver, double *out,
                            TmlDimension *dim, TmlError *err)
{
    TmlArena arena = {0};
    TmlExpr *expr;
    const TmlStatus status = compile(text, resolver, true, &arena, &expr, err);
    if (status == TML_OK) {
        *out = expr->constant[expr->root];
        *dim = expr->dim;
    }
    tml_arena_free(&arena);
    return status;
}

TmlStatus tml_expr_constant(const char *text, const TmlExprResolver *resolver, double *out,
                            TmlError *err)
{
    TmlDimension dim;
    return tml_expr_quantity(text, resolver, out, &dim, err);
}

TmlDimension tml_expr_dimension(const TmlExpr *expr)
{
    return expr->dim;
}
