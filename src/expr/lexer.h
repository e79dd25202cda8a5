/* expr/lexer.h - words of the expression language. */
#pragma once

#include "base/fail.h"

typedef enum TmlTokenKind {
    TML_TOK_END,
    TML_TOK_NUMBER,
    TML_TOK_NAME,   /* letters, digits, _ and dots between them: body.frame */
    TML_TOK_QUOTED, /* "..." or '...' */
    TML_TOK_PLUS,
    TML_TOK_MINUS,
    TML_TOK_TIMES,
    TML_TOK_DIVIDE,
    TML_TOK_POWER, /* ^ or ** */
    TML_TOK_OPEN,
    TML_TOK_CLOSE,
    TML_TOK_COMMA,
    TML_TOK_COLON,
    TML_TOK_DOT,
    TML_TOK_LT,
    TML_TOK_LE,
    TML_TOK_GT,
    TML_TOK_GE,
    TML_TOK_EQ,
    TML_TOK_NE
} TmlTokenKind;

typedef struct TmlToken {
    TmlTokenKind kind;
    int start, end;   /* bytes of the text, quotes included */
    int name, length; /* NAME, QUOTED: where the name itself stands */
    double value;     /* NUMBER */
} TmlToken;

/* Reads the token at or after byte `at`. */
TML_NODISCARD TmlStatus tml_lex(const char *text, int at, TmlToken *out, TmlError *err);

/* Fails with TML_E_MODEL: the message, then the text and a caret below byte `column`. */
TmlStatus tml_expr_fail(TmlError *err, const char *text, int column, const char *fmt, ...)
    TML_PRINTF(4, 5);

/* Adds text and caret to the message that is in err already; returns status. */
TmlStatus tml_expr_point(TmlError *err, TmlStatus status, const char *text, int column);
