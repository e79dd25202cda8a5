/* expr/parser.h - state of one parse (private to the layer). The grammar, lowest binding first:
 *
 *   expr     or
 *   or       and { "or" and }
 *   and      not { "and" not }
 *   not      "not" not | compare
 *   compare  sum [ ( < <= > >= == != ) sum ]
 *   sum      product { ( + - ) product }
 *   product  unary { ( * / ) unary }
 *   unary    ( + - ) unary | primary [ ( ^ ** ) unary ]
 *   primary  number [ unit ] | name | "name" | call | ( expr )
 *   unit     word [ ^ integer ] { ( * / ) word [ ^ integer ] }
 *   call     name ( [ arguments ] ) [ . member ]
 */
#pragma once

#include "expr/builder.h"
#include "expr/functions.h"
#include "expr/lexer.h"

/* What is to blame for a non-finite value. */
typedef struct TmlBlame {
    int column;
    const char *text; /* "log(-1) is not finite" */
} TmlBlame;

typedef struct TmlParser {
    const char *text;
    const TmlExprResolver *resolver;
    TmlToken tok; /* next to be read */
    TmlBuilder build;
    TmlArena scratch; /* names and messages */
    TmlBlame *blame;
    int n_blame, cap_blame;
    bool constant;    /* leaves are errors */
    TmlDimension dim; /* of the value that was read last */
    int depth;
    TmlError *err;
} TmlParser;

/* Grammar; *out is the number of a value. */
TML_NODISCARD TmlStatus tml_parse_expr(TmlParser *p, int *out);
TML_NODISCARD TmlStatus tml_parse_call(TmlParser *p, TmlToken name, int *out);
TML_NODISCARD TmlStatus tml_parse_number(TmlParser *p, int *out);
TML_NODISCARD TmlStatus tml_parse_name(TmlParser *p, TmlToken name, int *out);

/* Reading and failing. */
TML_NODISCARD TmlStatus tml_parse_advance(TmlParser *p);
TML_NODISCARD TmlStatus tml_parse_enter(TmlParser *p); /* one level deeper; p->depth-- leaves */
TmlStatus tml_parse_unexpected(TmlParser *p);          /* the next token does not fit here */
/* The name of a token as a text of its own; NULL: out of memory. */
const char *tml_parse_word(TmlParser *p, TmlToken tok);
/* True for the word, upper and lower case being equal. */
bool tml_parse_is(const TmlParser *p, TmlToken tok, const char *word);

/* The dimension of a sum or comparison of two values; an error when they have different ones. */
TML_NODISCARD TmlStatus tml_parse_alike(TmlParser *p, TmlDimension a, TmlDimension b, int column,
                                        const char *what, TmlDimension *out);

/* Value of what a name or model function turned out to be. */
TML_NODISCARD TmlStatus tml_parse_symbol(TmlParser *p, const char *name, int column,
                                         const TmlExprSymbol *symbol, int *out);
/* Message for the case that this value, which is not finite or no constant, is used. */
void tml_parse_blame(TmlParser *p, int node, int column, const char *fmt, ...) TML_PRINTF(4, 5);

/* Fails: no such name (functions: false) or function, with the nearest one. */
TmlStatus tml_parse_unknown(TmlParser *p, bool function, const char *name, int column);
/* True when the resolver lists the name; also true when it lists nothing at all. */
bool tml_parse_listed(const TmlParser *p, const char *name);
