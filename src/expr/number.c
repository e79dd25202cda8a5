/* expr/number.c - numbers with units.
 *
 * A unit binds to its number more tightly than any operator: 5 mm^2 is an area, 400 N/mm a
 * stiffness. Where a word after / or * is a unit and a name of the model at once, 400 N/m could
 * mean two things: an error.
 */
#include "expr/parser.h"
#include "expr/unit.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { MAX_POWER = 9, MAX_FACTOR = 12 }; // the second: see expr/dimension.h

static TmlStatus peek(const TmlParser *p, TmlToken *out)
{
    return tml_lex(p->text, p->tok.end, out, p->err);
}

/* True when the model knows the word too. */
static bool is_model_name(TmlParser *p, const char *name)
{
    const TmlExprResolver *r = p->resolver;
    TmlExprSymbol symbol = {0};
    return r != NULL && r->name != NULL && r->name(r->user, name, &symbol, NULL) == TML_OK;
}

/* The word at p->tok and its power; *mul and *div take the factor and its parts, p->dim its
 * dimension, over the line or under it (sign -1). */
static TmlStatus parse_unit(TmlParser *p, int sign, double *mul, double *div)
{
    double factor, parts;
    TmlDimension unit;
    if (!tml_unit_find(p->text + p->tok.name, p->tok.length, &factor, &parts, &unit)) {
        return tml_fail(p->err, TML_E_INTERNAL, "no such unit");
    }
    TML_TRY(tml_parse_advance(p));
    int power = 1;
    if (p->tok.kind == TML_TOK_POWER) {
        TmlToken next;
        TML_TRY(peek(p, &next));
        if (next.kind != TML_TOK_NUMBER || next.value != floor(next.value) || next.value < 1.0 ||
            next.value > (double)MAX_POWER) {
            return tml_expr_fail(p->err, p->text, p->tok.start,
                                 "the power of a unit is a whole number from 1 to %d; put the "
                                 "number and its unit in parentheses",
                                 (int)MAX_POWER);
        }
        power = (int)next.value;
        TML_TRY(tml_parse_advance(p));
        TML_TRY(tml_parse_advance(p));
    }
    for (int k = 0; k < power; ++k) {
        *mul *= factor;
        *div *= parts;
        p->dim = tml_dimension_product(p->dim, unit, sign);
    }
    return TML_OK;
}

/* Units joined by * and / after the first. */
static TmlStatus parse_more_units(TmlParser *p, double *mul, double *div)
{
    while (p->tok.kind == TML_TOK_TIMES || p->tok.kind == TML_TOK_DIVIDE) {
        TmlToken word, after;
        double factor, parts;
        TmlDimension unit;
        TML_TRY(peek(p, &word));
        if (word.kind != TML_TOK_NAME ||
            !tml_unit_find(p->text + word.name, word.length, &factor, &parts, &unit)) {
            return TML_OK;
        }
        TML_TRY(tml_lex(p->text, word.end, &after, p->err));
        if (after.kind == TML_TOK_OPEN) {
            return TML_OK; // a function, min(a, b)
        }
        const char *name = tml_parse_word(p, word);
        if (name == NULL) {
            return tml_fail(p->err, TML_E_NOMEM, "out of memory");
        }
        if (is_model_name(p, name)) {
            return tml_expr_fail(p->err, p->text, word.start,
                                 "'%s' is a unit and a name of the model; for the unit write "
                                 "(1 %s), for the name put what stands before it in parentheses",
                                 name, name);
        }
        const bool times = p->tok.kind == TML_TOK_TIMES;
        TML_TRY(tml_parse_advance(p));
        TML_TRY(parse_unit(p, times ? 1 : -1, times ? mul : div, times ? div : mul));
    }
    return TML_OK;
}

static TmlStatus fail_unit(TmlParser *p)
{
    TmlToken next;
    TML_TRY(peek(p, &next));
    const char *word = tml_parse_word(p, p->tok);
    if (word == NULL) {
        return tml_fail(p->err, TML_E_NOMEM, "out of memory");
    }
    if (next.kind == TML_TOK_OPEN || is_model_name(p, word)) {
        return tml_parse_unexpected(p);
    }
    // most words of two letters are near some unit: suggest only another case of them
    const char *near = tml_unit_nearest(word);
    if (near != NULL && (strlen(word) > 2 || strcasecmp(word, near) == 0)) {
        return tml_expr_fail(p->err, p->text, p->tok.start,
                             "unknown unit '%.200s'; did you mean '%s'?", word, near);
    }
    return tml_expr_fail(p->err, p->text, p->tok.start,
                         "unknown unit '%.200s' (a product is written with *)", word);
}

TmlStatus tml_parse_number(TmlParser *p, int *out)
{
    double value = p->tok.value;
    const int column = p->tok.start;
    const bool factor_like = value == floor(value) && value >= 1.0 && value <= MAX_FACTOR;
    p->dim = (TmlDimension){.kind = factor_like ? TML_DIM_FACTOR : TML_DIM_ANY};
    TML_TRY(tml_parse_advance(p));
    const bool word = p->tok.kind == TML_TOK_NAME && !tml_parse_is(p, p->tok, "and") &&
                      !tml_parse_is(p, p->tok, "or") && !tml_parse_is(p, p->tok, "not");
    if (word) {
        TmlToken next;
        double mul = 1.0, div = 1.0, factor, parts;
        TmlDimension unit;
        TML_TRY(peek(p, &next));
        if (next.kind == TML_TOK_OPEN ||
            !tml_unit_find(p->text + p->tok.name, p->tok.length, &factor, &parts, &unit)) {
            return fail_unit(p);
        }
        p->dim = tml_dimension(0, 0, 0);
        TML_TRY(parse_unit(p, 1, &mul, &div));
        TML_TRY(parse_more_units(p, &mul, &div));
        value = value * mul / div;
    }
    *out = tml_build_const(&p->build, value);
    tml_parse_blame(p, *out, column, "the number is not finite in SI units");
    return TML_OK;
}
