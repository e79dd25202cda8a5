/* io/text/textbuf.c - text that grows. */
#include "io/text/textbuf.h"

#include "base/arena.h"
#include "base/fail.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for n more bytes and the closing zero. */
static bool textbuf_reserve(TmlTextBuf *b, size_t n)
{
    if (b->failed || n > (size_t)(INT_MAX - b->n - 1) ||
        !tml_mem_grow((void **)&b->at, &b->cap, b->n + (int)n + 1, 1)) {
        b->failed = true;
        return false;
    }
    return true;
}

void tml_textbuf_put(TmlTextBuf *b, const char *text)
{
    const size_t n = strlen(text);
    if (textbuf_reserve(b, n)) {
        memcpy(b->at + b->n, text, n + 1);
        b->n += (int)n;
    }
}

void tml_textbuf_add(TmlTextBuf *b, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, fmt, args);
    if (n >= 0 && textbuf_reserve(b, (size_t)n)) {
        vsnprintf(b->at + b->n, (size_t)n + 1, fmt, again);
        b->n += n;
    }
    va_end(again);
    va_end(args);
}

void tml_textbuf_free(TmlTextBuf *b)
{
    tml_mem_free(b->at);
    *b = (TmlTextBuf){0};
}

TmlStatus tml_textbuf_take(TmlTextBuf *b, char **out, TmlError *err)
{
    *out = NULL;
    tml_textbuf_put(b, ""); // an empty text is a text too
    if (b->failed) {
        tml_textbuf_free(b);
        return tml_fail(err, TML_E_NOMEM, "out of memory for a text");
    }
    *out = b->at;
    *b = (TmlTextBuf){0};
    return TML_OK;
}

static char *number_point(char *out)
{
    char *comma = strchr(out, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    return out;
}

char *tml_number_text(double x, char out[TML_NUMBER_MAX])
{
    if (!isfinite(x)) { // printf may write -nan
        snprintf(out, TML_NUMBER_MAX, "%s", isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf");
        return out;
    }
    snprintf(out, TML_NUMBER_MAX, "%.17g", x);
    return number_point(out);
}

char *tml_number_short(double x, char out[TML_NUMBER_MAX])
{
    for (int digits = 15; digits < 17; ++digits) {
        snprintf(out, TML_NUMBER_MAX, "%.*g", digits, x);
        if (strtod(out, NULL) == x) {
            return number_point(out);
        }
    }
    return tml_number_text(x, out);
}

char *tml_number_nine(double x, char out[TML_NUMBER_MAX])
{
    snprintf(out, TML_NUMBER_MAX, "%.9g", x);
    return number_point(out);
}
