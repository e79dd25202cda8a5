/* io/text/textbuf.h - text that grows.
 *
 * Running out of memory is remembered and reported once, by tml_textbuf_take, so that the code that
 * builds a text is a plain list of lines.
 */
#pragma once

#include "trammel/base.h"

typedef struct TmlTextBuf {
    char *at;   /* NULL: still empty */
    int n, cap; /* bytes in use without the closing zero, and held */
    bool failed;
} TmlTextBuf;

enum { TML_NUMBER_MAX = 32 };

void tml_textbuf_put(TmlTextBuf *b, const char *text);
void tml_textbuf_add(TmlTextBuf *b, const char *fmt, ...) TML_PRINTF(2, 3);
void tml_textbuf_free(TmlTextBuf *b);

/* Hand the text to the caller, who frees it with tml_text_free; the buffer is empty afterwards. */
TML_NODISCARD TmlStatus tml_textbuf_take(TmlTextBuf *b, char **out, TmlError *err);

/* x with 17 digits, which read back to the same bits; a decimal point in every locale;
 * nan, inf and -inf. Returns out. */
char *tml_number_text(double x, char out[TML_NUMBER_MAX]);

/* The same with as few digits as do it, 15 at least: 0.1 and not 0.10000000000000001. Slower. */
char *tml_number_short(double x, char out[TML_NUMBER_MAX]);

/* x rounded to nine digits, which is more than a picture shows. */
char *tml_number_nine(double x, char out[TML_NUMBER_MAX]);
