/* io/convert.c - the tree of a model, of whatever language, as a YAML model file.
 *
 * Sections and entries stand on lines of their own, what an entry holds in braces. Texts are put in
 * quotes wherever YAML might read something else; what they mean to the model reader is the same.
 */
#include <ctype.h>
#include <string.h>

#include "io/load.h"
#include "io/textbuf.h"
#include "trammel/io.h"

/* Letters, digits and what numbers hold: read back as they are. */
static bool is_plain(const char *text)
{
    if (text[0] == '\0' || (!isalnum((unsigned char)text[0]) && strchr("-._", text[0]) == NULL)) {
        return false;
    }
    for (const char *c = text; *c != '\0'; ++c) {
        if (!isalnum((unsigned char)*c) && strchr("_.+-", *c) == NULL) {
            return false;
        }
    }
    return text[1] != '\0' || isalnum((unsigned char)text[0]);
}

static void write_scalar(TmlTextBuf *out, const char *text)
{
    if (is_plain(text)) {
        tml_textbuf_add(out, "%s", text);
        return;
    }
    tml_textbuf_put(out, "\"");
    for (const char *c = text; *c != '\0'; ++c) {
        if (*c == '"' || *c == '\\') {
            tml_textbuf_add(out, "\\%c", *c);
        } else if ((unsigned char)*c < ' ') {
            tml_textbuf_put(out, " ");
        } else {
            tml_textbuf_add(out, "%c", *c);
        }
    }
    tml_textbuf_put(out, "\"");
}

/* In braces and brackets, on one line. */
static void write_flow(TmlTextBuf *out, const TmlValue *v)
{
    switch (v->kind) {
    case TML_VALUE_NULL:
        tml_textbuf_add(out, "null");
        break;
    case TML_VALUE_SCALAR:
        write_scalar(out, v->text);
        break;
    case TML_VALUE_LIST:
        for (int k = 0; k < v->n; ++k) {
            tml_textbuf_add(out, k == 0 ? "[" : ", ");
            write_flow(out, v->item[k]);
        }
        tml_textbuf_add(out, v->n == 0 ? "[]" : "]");
        break;
    case TML_VALUE_MAP:
        for (int k = 0; k < v->n; ++k) {
            tml_textbuf_add(out, k == 0 ? "{" : ", ");
            write_scalar(out, v->key[k]->text);
            tml_textbuf_put(out, ": ");
            write_flow(out, v->item[k]);
        }
        tml_textbuf_add(out, v->n == 0 ? "{}" : "}");
        break;
    }
}

/* Maps down to a depth on lines of their own. */
static void write_block(TmlTextBuf *out, const TmlValue *map, int depth, int levels)
{
    for (int k = 0; k < map->n; ++k) {
        const TmlValue *v = map->item[k];
        tml_textbuf_add(out, "%*s", 2 * depth, "");
        write_scalar(out, map->key[k]->text);
        tml_textbuf_put(out, ":");
        if (v->kind == TML_VALUE_MAP && v->n > 0 && levels > 0) {
            tml_textbuf_put(out, "\n");
            // a body's own frames stand below it, one a line
            const bool frames = strcmp(map->key[k]->text, "frames") == 0;
            const bool bodies = strcmp(map->key[k]->text, "bodies") == 0;
            write_block(out, v, depth + 1, bodies ? 2 : depth > 0 && !frames ? levels - 1 : 0);
        } else {
            tml_textbuf_put(out, " ");
            write_flow(out, v);
            tml_textbuf_put(out, "\n");
        }
    }
}

TmlStatus tml_convert(const char *path, TmlModel **model, char **out, TmlError *err)
{
    TmlModel *m = NULL;
    TmlValue *root = NULL;
    TmlTextBuf text = {0};
    *out = NULL;
    *model = NULL;
    TML_TRY(tml_model_create(&m, err));
    TmlStatus status = tml_load_root(m, path, &root, err);
    if (status == TML_OK) {
        write_block(&text, root, 0, 1);
        status = tml_textbuf_take(&text, out, err);
    }
    if (status == TML_OK) {
        *model = m;
    } else {
        tml_model_free(m);
    }
    return status;
}
