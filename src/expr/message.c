/* expr/message.c - error messages that point into the expression. */
#include "expr/lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the text shown, and before the caret at most; long expressions are cut. */
enum { WIDTH = 76, BEFORE = 48, SLACK = 24 };
enum { MOST_BYTES = 4 }; // of one character; a longer run of continuations is no text

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* A copy fit for one line of a terminal: control characters are blanks, bytes that cannot be text
 * are question marks. */
static void copy_line(const char *text, int from, int to, char *out)
{
    for (int k = from; k < to; ++k) {
        const unsigned char c = (unsigned char)text[k];
        const bool lost = continues(text[k]) && (k == from || (unsigned char)text[k - 1] < 0x80);
        *out++ = c < 0x20 || c == 0x7f ? ' ' : lost || c >= 0xf8 ? '?' : text[k];
    }
    *out = '\0';
}

TmlStatus tml_expr_point(TmlError *err, TmlStatus status, const char *text, int column)
{
    if (err == NULL) {
        return status;
    }
    // window around the caret, not cutting characters of several bytes
    const int length = (int)strlen(text);
    column = column < length ? column : length;
    int from = column - BEFORE < 4 ? 0 : column - BEFORE;
    int to = from + WIDTH > length - 4 ? length : from + WIDTH;
    for (int k = 0; k < MOST_BYTES - 1 && from > 0 && continues(text[from]); ++k) {
        from--;
    }
    for (int k = 0; k < MOST_BYTES - 1 && to < length && continues(text[to]); ++k) {
        to++;
    }

    char line[WIDTH + SLACK], blank[BEFORE + SLACK];
    copy_line(text, from, to, line);
    int n_blank = from > 0 ? 3 : 0;
    for (int k = from; k < column; ++k) {
        n_blank += !continues(text[k]);
    }
    memset(blank, ' ', sizeof blank);
    blank[n_blank] = '\0';

    char tail[WIDTH + BEFORE + 4 * SLACK];
    snprintf(tail, sizeof tail, "\n  %s%s%s\n  %s^", from > 0 ? "..." : "", line,
             to < length ? "..." : "", blank);
    const size_t used = strlen(err->message);
    const size_t room = sizeof err->message - used;
    snprintf(err->message + used, room, "%s", tail);
    err->status = status;
    return status;
}

TmlStatus tml_expr_fail(TmlError *err, const char *text, int column, const char *fmt, ...)
{
    if (err == NULL) {
        return TML_E_MODEL;
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->message, sizeof err->message / 2, fmt, args);
    va_end(args);
    return tml_expr_point(err, TML_E_MODEL, text, column);
}
