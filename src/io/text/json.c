/* io/text/json.c - write JSON into a growing text. */
#include "io/text/json.h"

#include "base/fail.h"

#include <inttypes.h>
#include <math.h>

/* Text in quotes. Bytes above 127 pass: names and messages are UTF-8. */
static void json_quote(TmlTextBuf *b, const char *value)
{
    tml_textbuf_put(b, "\"");
    for (const char *c = value; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\') {
            tml_textbuf_add(b, "\\%c", *c);
        } else if (*c == '\n') {
            tml_textbuf_put(b, "\\n");
        } else if ((unsigned char)*c < 0x20) {
            tml_textbuf_add(b, "\\u%04x", (unsigned)(unsigned char)*c);
        } else {
            tml_textbuf_put(b, (const char[]){*c, '\0'});
        }
    }
    tml_textbuf_put(b, "\"");
}

/* Comma, new line, indentation and key before a value. */
static void json_begin(TmlJson *j, const char *key)
{
    if (j->depth > 0) {
        tml_textbuf_put(j->text, j->filled[j->depth - 1] ? "," : "");
        j->filled[j->depth - 1] = true;
        if (!j->compact) {
            tml_textbuf_add(j->text, "\n%*s", 2 * j->depth, "");
        }
    }
    if (key != NULL) {
        json_quote(j->text, key);
        tml_textbuf_put(j->text, j->compact ? ":" : ": ");
    }
}

void tml_json_open(TmlJson *j, const char *key, char bracket)
{
    TML_ASSERT(j->depth < TML_JSON_DEPTH);
    json_begin(j, key);
    tml_textbuf_put(j->text, (const char[]){bracket, '\0'});
    j->closing[j->depth] = bracket == '{' ? '}' : ']';
    j->filled[j->depth] = false;
    j->depth++;
}

void tml_json_close(TmlJson *j)
{
    TML_ASSERT(j->depth > 0);
    j->depth--;
    if (j->filled[j->depth] && !j->compact) {
        tml_textbuf_add(j->text, "\n%*s", 2 * j->depth, "");
    }
    tml_textbuf_put(j->text, (const char[]){j->closing[j->depth], '\0'});
    if (j->depth == 0 && !j->compact) {
        tml_textbuf_put(j->text, "\n");
    }
}

void tml_json_string(TmlJson *j, const char *key, const char *value)
{
    json_begin(j, key);
    if (value != NULL) {
        json_quote(j->text, value);
    } else {
        tml_textbuf_put(j->text, "null");
    }
}

void tml_json_number(TmlJson *j, const char *key, double value)
{
    char number[TML_NUMBER_MAX];
    json_begin(j, key);
    // JSON has no word for values that are not finite
    tml_textbuf_put(j->text, isfinite(value) ? tml_number_short(value, number) : "null");
}

void tml_json_int(TmlJson *j, const char *key, int64_t value)
{
    json_begin(j, key);
    tml_textbuf_add(j->text, "%" PRId64, value);
}

void tml_json_bool(TmlJson *j, const char *key, bool value)
{
    json_begin(j, key);
    tml_textbuf_put(j->text, value ? "true" : "false");
}

void tml_json_reals(TmlJson *j, const char *key, int n, const double *value)
{
    char number[TML_NUMBER_MAX];
    json_begin(j, key);
    for (int k = 0; k < n; ++k) {
        tml_textbuf_put(j->text, k == 0 ? "[" : ",");
        tml_textbuf_put(j->text, isfinite(value[k]) ? tml_number_nine(value[k], number) : "null");
    }
    tml_textbuf_put(j->text, n > 0 ? "]" : "[]");
}

void tml_json_raw(TmlJson *j, const char *key, const char *json)
{
    json_begin(j, key);
    tml_textbuf_put(j->text, json != NULL ? json : "null");
}
