/* io/load/convert.c - the tree of a model, of whatever language, as a YAML model file.
 *
 * Sections and entries stand on lines of their own, what an entry holds in braces where it fits.
 * Texts are put in quotes wherever YAML might read something else; what they mean to the model
 * reader is the same.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "io/load/load.h"
#include "io/text/textbuf.h"
#include "trammel/io.h"

/* Letters, digits and what numbers hold: read back as they are. */
static bool is_plain(const char *text)
{
    if (text[0] == '\0' || (!isalnum((unsigned char)text[0]) && strchr("-._", text[0]) == NULL)) {
        return false;
    }
    for (const char *c = text; *c != '\0'; ++c) {
        if (strcmp(c, " deg") == 0) {
            break;
        }
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

/* --- lines ------------------------------------------------------------------------------------ */

enum { WIDTH = 100 };

static void write_block(TmlTextBuf *out, const TmlValue *map, int depth, int levels);

/* The same as write_flow, in a text of its own; at NULL: out of memory. */
static TmlTextBuf flow_of(const TmlValue *v)
{
    TmlTextBuf flow = {0};
    write_flow(&flow, v);
    return flow;
}

/* A long list, broken between items. */
static void write_list(TmlTextBuf *out, const TmlValue *list, int indent, int column)
{
    for (int k = 0; k < list->n; ++k) {
        TmlTextBuf item = flow_of(list->item[k]);
        tml_textbuf_put(out, k == 0 ? "[" : ",");
        column += 1;
        if (k > 0 && column + 1 + item.n + 2 > WIDTH) {
            tml_textbuf_add(out, "\n%*s", indent, "");
            column = indent;
        } else if (k > 0) {
            tml_textbuf_put(out, " ");
            column += 1;
        }
        tml_textbuf_put(out, item.at != NULL ? item.at : "");
        column += item.n;
        out->failed |= item.failed;
        tml_textbuf_free(&item);
    }
    tml_textbuf_put(out, "]\n");
}

/* A long list of maps, one or more lines an item: the dash stands in the indent of the first. */
static void write_items(TmlTextBuf *out, const TmlValue *list, int depth)
{
    tml_textbuf_put(out, "\n");
    for (int k = 0; k < list->n; ++k) {
        const int begin = out->n, indent = 2 * depth + 2;
        TmlTextBuf item = flow_of(list->item[k]);
        if (indent + 2 + item.n <= WIDTH) {
            tml_textbuf_add(out, "%*s- %s\n", indent, "", item.at != NULL ? item.at : "");
        } else {
            write_block(out, list->item[k], depth + 2, 0);
            if (!out->failed) {
                out->at[begin + indent] = '-';
            }
        }
        out->failed |= item.failed;
        tml_textbuf_free(&item);
    }
}

static bool holds_maps(const TmlValue *list)
{
    return list->n > 0 && list->item[0]->kind == TML_VALUE_MAP && list->item[0]->n > 0;
}

/* What stands behind a key: on its line where there is room. */
static void write_value(TmlTextBuf *out, const TmlValue *v, int depth, int column)
{
    TmlTextBuf flow = flow_of(v);
    const bool fits = column + 1 + flow.n <= WIDTH;
    out->failed |= flow.failed;
    if (!fits && v->kind == TML_VALUE_MAP) {
        tml_textbuf_put(out, "\n");
        write_block(out, v, depth + 1, 0);
    } else if (!fits && v->kind == TML_VALUE_LIST && holds_maps(v)) {
        write_items(out, v, depth);
    } else if (!fits && v->kind == TML_VALUE_LIST) {
        tml_textbuf_put(out, " ");
        write_list(out, v, 2 * depth + 4, column + 1);
    } else {
        tml_textbuf_add(out, " %s\n", flow.at != NULL ? flow.at : "");
    }
    tml_textbuf_free(&flow);
}

/* Maps down to a depth on lines of their own. */
static void write_block(TmlTextBuf *out, const TmlValue *map, int depth, int levels)
{
    for (int k = 0; k < map->n; ++k) {
        const TmlValue *v = map->item[k];
        const int begin = out->n;
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
            write_value(out, v, depth, out->n - begin);
        }
    }
}

/* --- head ------------------------------------------------------------------------------------- */

/* Where the file comes from, and what its numbers mean. */
static TmlStatus write_head(TmlTextBuf *out, const char *path, TmlArena *arena, TmlError *err)
{
    const char *slash = strrchr(path, '/');
    char *text = NULL, number[4][TML_NUMBER_MAX];
    size_t length = 0;
    TmlAdamsUnits u = {1.0, 1.0, 1.0, 1.0};
    if (!tml_adams_is_dataset(path)) {
        return TML_OK;
    }
    TML_TRY(tml_input_read_any(path, &text, &length, err));
    const TmlStatus status = tml_adams_units(text, length, arena, &u, err);
    tml_mem_free(text);
    tml_textbuf_add(out,
                    "# converted from the Adams dataset %s\n# numbers without a unit are in SI "
                    "units, angles in rad\n",
                    slash != NULL ? slash + 1 : path);
    if (u.mass != 1.0 || u.length != 1.0 || u.force != 1.0 || u.time != 1.0) {
        tml_textbuf_add(out,
                        "# variables and outputs: length %s m, mass %s kg, force %s N, time %s s\n",
                        tml_number_short(u.length, number[0]), tml_number_short(u.mass, number[1]),
                        tml_number_short(u.force, number[2]), tml_number_short(u.time, number[3]));
    }
    return status;
}

/* --- files ------------------------------------------------------------------------------------ */

/* The real path of the folder that a file lies or will lie in, with a slash at its end. */
static bool folder_of(const char *path, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const int n = slash != NULL ? (int)(slash - path) + 1 : 0;
    snprintf(folder, sizeof folder, "%.*s", n > 0 ? n : 1, n > 0 ? path : ".");
    if (realpath(folder, out) == NULL || strlen(out) + 2 > PATH_MAX) {
        return false;
    }
    if (strcmp(out, "/") != 0) {
        strcat(out, "/");
    }
    return true;
}

/* The path of `file` as seen from a folder; both are real paths. */
static char *path_from(TmlArena *arena, const char *folder, const char *file)
{
    size_t common = 0; // up to a slash
    for (size_t k = 0; folder[k] != '\0' && folder[k] == file[k]; ++k) {
        common = folder[k] == '/' ? k + 1 : common;
    }
    TmlTextBuf text = {0};
    for (const char *c = folder + common; (c = strchr(c, '/')) != NULL; ++c) {
        tml_textbuf_put(&text, "../");
    }
    tml_textbuf_put(&text, file + common);
    char *out = text.failed || text.at == NULL ? NULL : tml_arena_strdup(arena, text.at);
    tml_textbuf_free(&text);
    return out;
}

/* Keys whose value is the name of a file. */
static bool names_file(const char *key)
{
    return strcmp(key, "file") == 0 || strcmp(key, "part") == 0;
}

/* Tables, meshes and parts are named relative to the file that names them. In a file of another folder
 * they get another name. whole: so do those with a whole path, which is one that options gave. False: out of memory. */
static bool move_files(TmlArena *arena, TmlValue *v, const char *folder, bool whole)
{
    bool ok = true;
    for (int k = 0; k < v->n; ++k) {
        TmlValue *item = v->item[k];
        char here[PATH_MAX], real[PATH_MAX];
        const bool named = v->kind == TML_VALUE_MAP && names_file(v->key[k]->text) &&
                           item->kind == TML_VALUE_SCALAR && item->file != NULL;
        const bool given = named && whole && item->text[0] == '/';
        if (given || (named && item->text[0] != '/' && folder_of(item->file, here) &&
                      strcmp(here, folder) != 0)) {
            const char *path = tml_input_beside(arena, item->file, item->text);
            if (path != NULL && realpath(path, real) != NULL) {
                item->text = path_from(arena, folder, real);
            }
            ok &= path != NULL && item->text != NULL;
        }
        ok &= move_files(arena, item, folder, whole);
    }
    return ok;
}

/* What was included is part of the tree now. */
static void drop_include(TmlValue *root)
{
    int n = 0;
    for (int k = 0; k < root->n; ++k) {
        if (strcmp(root->key[k]->text, "include") != 0) {
            root->key[n] = root->key[k];
            root->item[n++] = root->item[k];
        }
    }
    root->n = n;
}

TmlStatus tml_convert_to(const char *path, const TmlLoadOptions *options, const char *target,
                         TmlModel **model, char **out, TmlError *err)
{
    char folder[PATH_MAX];
    TmlModel *m = NULL;
    TmlValue *root = NULL;
    TmlTextBuf text = {0};
    const TmlLoadOptions standard = tml_load_options_default();
    TmlAdamsOptions adams = tml_adams_options(options != NULL ? options : &standard);
    adams.for_file = true;
    *out = NULL;
    *model = NULL;
    TML_TRY(tml_model_create(&m, err));
    TmlStatus status = tml_load_root(m, path, &adams, &root, err);
    if (status == TML_OK && folder_of(target != NULL ? target : path, folder) &&
        !move_files(&m->arena, root, folder, tml_adams_is_dataset(path))) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (status == TML_OK) {
        drop_include(root);
        status = write_head(&text, path, &m->arena, err);
    }
    if (status == TML_OK) {
        write_block(&text, root, 0, 1);
        status = tml_textbuf_take(&text, out, err);
    }
    tml_textbuf_free(&text);
    if (status == TML_OK) {
        *model = m;
    } else {
        tml_model_free(m);
    }
    return status;
}

TmlStatus tml_convert_with(const char *path, const TmlLoadOptions *options, TmlModel **model,
                           char **out, TmlError *err)
{
    return tml_convert_to(path, options, NULL, model, out, err);
}

TmlStatus tml_convert(const char *path, TmlModel **model, char **out, TmlError *err)
{
    const TmlLoadOptions options = tml_load_options_default();
    return tml_convert_with(path, &options, model, out, err);
}
