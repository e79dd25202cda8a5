/* io/json.h - write JSON into a growing text.
 *
 *     TmlJson j = {.text = &text};
 *     tml_json_open(&j, NULL, '{');
 *     tml_json_number(&j, "steps", 12);
 *     tml_json_close(&j);
 *
 * key is NULL inside a list and for the outermost value.
 */
#pragma once

#include "io/textbuf.h"

enum { TML_JSON_DEPTH = 16 };

typedef struct TmlJson {
    TmlTextBuf *text;
    int depth;
    char closing[TML_JSON_DEPTH]; /* of the open lists and objects */
    bool filled[TML_JSON_DEPTH];  /* something stands there already */
} TmlJson;

void tml_json_open(TmlJson *j, const char *key, char bracket); /* '{' or '[' */
void tml_json_close(TmlJson *j);
void tml_json_string(TmlJson *j, const char *key, const char *value); /* NULL: null */
void tml_json_number(TmlJson *j, const char *key, double value);      /* not finite: null */
void tml_json_int(TmlJson *j, const char *key, int64_t value);
void tml_json_bool(TmlJson *j, const char *key, bool value);
