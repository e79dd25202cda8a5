/* expr/lexer.c - cuts an expression into tokens. Works on bytes; letters outside ASCII are accepted
 * in names when they are valid UTF-8. Independent of the locale. */
#include "expr/lexer.h"

#include "base/real.h"

#include <math.h>
#include <string.h>

/* Digits of one number. Doubles need 17; this leaves room for programs that write more. */
enum { NUMBER_MAX = 320 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Bytes of the valid UTF-8 character at s beyond ASCII; 0: not one. */
static int utf8_length(const char *s)
{
    const unsigned char c = (unsigned char)s[0];
    const int n = c >= 0xc2 && c < 0xe0   ? 2
                  : c >= 0xe0 && c < 0xf0 ? 3
                  : c >= 0xf0 && c < 0xf5 ? 4
                                          : 0;
    for (int k = 1; k < n; ++k) {
        if (((unsigned char)s[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return n;
}

/* Bytes of the letter, digit or _ at s; 0: none. */
static int word_length(const char *s)
{
    const char c = *s;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c)) {
        return 1;
    }
    return utf8_length(s);
}

static TmlStatus lex_name(const char *text, TmlToken *out)
{
    int k = out->start;
    for (;;) {
        const int n = word_length(text + k);
        if (n > 0) {
            k += n;
        } else if (text[k] == '.' && word_length(text + k + 1) > 0) {
            k++;
        } else {
            break;
        }
    }
    out->kind = TML_TOK_NAME;
    out->end = k;
    out->name = out->start;
    out->length = k - out->start;
    return TML_OK;
}

static TmlStatus lex_quoted(const char *text, TmlToken *out, TmlError *err)
{
    const char quote = text[out->start];
    int k = out->start + 1;
    while (text[k] != '\0' && text[k] != quote) {
        k++;
    }
    if (text[k] == '\0') {
        return tml_expr_fail(err, text, out->start, "the quote %c is not closed", quote);
    }
    if (k == out->start + 1) {
        return tml_expr_fail(err, text, out->start, "the name between the quotes is empty");
    }
    out->kind = TML_TOK_QUOTED;
    out->end = k + 1;
    out->name = out->start + 1;
    out->length = k - out->name;
    return TML_OK;
}

/* End of the number at k. An exponent needs a digit: 5e is 5 and then a name. */
static int number_end(const char *text, int k)
{
    while (is_digit(text[k])) {
        k++;
    }
    if (text[k] == '.') {
        k++;
    }
    while (is_digit(text[k])) {
        k++;
    }
    if (text[k] != '\0' && strchr("eEdD", text[k]) != NULL) {
        const int sign = text[k + 1] == '+' || text[k + 1] == '-';
        if (is_digit(text[k + 1 + sign])) {
            k += 1 + sign;
            while (is_digit(text[k])) {
                k++;
            }
        }
    }
    return k;
}

static TmlStatus lex_number(const char *text, TmlToken *out, TmlError *err)
{
    out->kind = TML_TOK_NUMBER;
    out->end = number_end(text, out->start);
    const int length = out->end - out->start;
    if (length > NUMBER_MAX) {
        return tml_expr_fail(err, text, out->start,
                             "a number of %d characters; at most %d are read", length,
                             (int)NUMBER_MAX);
    }
    char copy[NUMBER_MAX + 1];
    for (int k = 0; k < length; ++k) { // e where Fortran writes d
        const char c = text[out->start + k];
        copy[k] = (char)(c == 'd' || c == 'D' ? 'e' : c);
    }
    copy[length] = '\0';
    out->value = tml_real_read(copy, NULL);
    if (!isfinite(out->value)) {
        return tml_expr_fail(err, text, out->start, "the number %.*s is too large", length,
                             text + out->start);
    }
    return TML_OK;
}

typedef struct Sign {
    const char *text;
    TmlTokenKind kind;
} Sign;

/* Longer ones first. */
static const Sign signs[] = {
    {"**", TML_TOK_POWER}, {"<=", TML_TOK_LE},   {">=", TML_TOK_GE},   {"==", TML_TOK_EQ},
    {"!=", TML_TOK_NE},    {"+", TML_TOK_PLUS},  {"-", TML_TOK_MINUS}, {"*", TML_TOK_TIMES},
    {"/", TML_TOK_DIVIDE}, {"^", TML_TOK_POWER}, {"(", TML_TOK_OPEN},  {")", TML_TOK_CLOSE},
    {",", TML_TOK_COMMA},  {":", TML_TOK_COLON}, {".", TML_TOK_DOT},   {"<", TML_TOK_LT},
    {">", TML_TOK_GT},
};

static TmlStatus fail_character(const char *text, int at, TmlError *err)
{
    const unsigned char c = (unsigned char)text[at];
    switch (c) {
    case '=':
        return tml_expr_fail(err, text, at, "unexpected '='; equality is written ==");
    case '&':
        return tml_expr_fail(err, text, at, "unexpected '&'; write and");
    case '|':
        return tml_expr_fail(err, text, at, "unexpected '|'; write or");
    case '!':
        return tml_expr_fail(err, text, at, "unexpected '!'; write not");
    default:
        break;
    }
    if (c < 0x20 || c >= 0x7f) {
        return tml_expr_fail(err, text, at, "unexpected byte 0x%02x", c);
    }
    return tml_expr_fail(err, text, at, "unexpected '%c'", c);
}

TmlStatus tml_lex(const char *text, int at, TmlToken *out, TmlError *err)
{
    while (is_blank(text[at])) {
        at++;
    }
    *out = (TmlToken){.kind = TML_TOK_END, .start = at, .end = at};
    const char c = text[at];
    if (c == '\0') {
        return TML_OK;
    }
    if (is_digit(c) || (c == '.' && is_digit(text[at + 1]))) {
        return lex_number(text, out, err);
    }
    if (c == '"' || c == '\'') {
        return lex_quoted(text, out, err);
    }
    if (word_length(text + at) > 0) {
        return lex_name(text, out);
    }
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; ++k) {
        const size_t n = strlen(signs[k].text);
        if (strncmp(text + at, signs[k].text, n) == 0) {
            out->kind = signs[k].kind;
            out->end = at + (int)n;
            return TML_OK;
        }
    }
    return fail_character(text, at, err);
}
