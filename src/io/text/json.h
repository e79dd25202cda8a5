/* io/text/json.h - write JSON into a growing text.
 *
 *     TmlJson j = {.text = &text};
 *     tml_json_open(&j, NULL, '{');
 *     tml_json_number(&j, "steps", 12);
 *     tml_json_close(&j);
 *
 * key is NULL inside a list and for the outermost value. With `compact` there are no line breaks.
 */
#pragma once

#include "io/text/textbuf.h"

enum { TML_JSON_DEPTH = 16 };

typedef struct TmlJson {
    TmlTextBuf *text;
    bool compact;
    int depth;
    char closing[TML_JSON_DEPTH]; /* of the open lists and objects */
    bool filled[TML_JSON_DEPTH];  /* something stands there already */
} TmlJson;

void tml_json_open(TmlJson *j, const char *key, char bracket); /* '{' or '[' */
void tml_json_close(TmlJson *j);
void tml_json_string(TmlJson *j, const char *key, const char *value); /* NULL: null */
void tml_json_number(TmlJson *j, const char *key, double value);      /* not finite: null */
void tml_json_int(TmlJson *j, const char *key, int64_t value);
/* A list of n numbers on one line, rounded to nine digits. */
void tml_json_reals(TmlJson *j, const char *key, int n, const double *value);
void tml_json_bool(TmlJson *j, const char *key, bool value);
/* A value that is JSON already; NULL: null. */
void tml_json_raw(TmlJson *j, const char *key, const char *json);
