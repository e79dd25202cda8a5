/* io/load/yaml.c - builds values from the events of libfyaml.
 *
 * Events instead of libfyaml's documents: the tree is ours, depth and alias expansion are bounded
 * as it grows, and every node has its place. The open containers form a stack; the children of
 * all of them lie on one second stack and move to the arena when their container ends.
 */
#include "io/load/yaml.h"

#include <libfyaml.h>
#include <string.h>

#include "base/names.h"

enum {
    MAX_DEPTH = 64,
    MAX_ALIASED = 1000000, /* nodes that all aliases together stand for */
    POOL_VALUES = 64,
    POOL_TEXT = 1 << 14,
    SMALL_MAP = 8, /* duplicate keys of smaller maps are found by comparing all */
};

typedef struct Open {
    TmlValue *value;
    const char *anchor; /* NULL: none */
    int base;           /* its children begin here on the stack */
    int64_t size;       /* nodes below, aliases expanded */
} Open;

typedef struct Anchor {
    const char *name;
    TmlValue *value;
    int64_t size;
} Anchor;

typedef struct Builder {
    const char *file;
    TmlArena *arena;
    TmlReport *report;
    TmlValue *root;
    Open open[MAX_DEPTH];
    int depth;
    TmlValue **stack; /* n_stack children of the open containers; keys and items alternate */
    int n_stack, cap_stack;
    Anchor *anchor;
    int n_anchors, cap_anchors;
    int64_t aliased;
    TmlValue *pool; /* POOL_VALUES, pool_used of them taken */
    int pool_used;
    char *text; /* POOL_TEXT bytes, text_used of them taken */
    size_t text_used;
    bool failed, nomem;
} Builder;

static void fail_at(Builder *b, const struct fy_mark *mark, const char *text)
{
    const TmlValue at = {.file = b->file,
                         .line = mark != NULL ? mark->line + 1 : 1,
                         .column = mark != NULL ? mark->column + 1 : 1};
    tml_report_add(b->report, &at, "%s", text);
    b->failed = true;
}

static const char *text_copy(Builder *b, const char *text, size_t length)
{
    if (length >= POOL_TEXT / 4) {
        char *alone = tml_arena_strndup(b->arena, text, length);
        b->nomem |= alone == NULL;
        return alone;
    }
    if (b->text == NULL || b->text_used + length + 1 > POOL_TEXT) {
        b->text = tml_arena_alloc(b->arena, POOL_TEXT, 1);
        b->text_used = 0;
        if (b->text == NULL) {
            b->nomem = true;
            return NULL;
        }
    }
    char *copy = b->text + b->text_used;
    memcpy(copy, text, length);
    b->text_used += length + 1; // the arena's zero ends the text
    return copy;
}

static TmlValue *value_new(Builder *b, TmlValueKind kind, const struct fy_mark *mark)
{
    if (b->pool == NULL || b->pool_used == POOL_VALUES) {
        b->pool = tml_arena_alloc(b->arena, POOL_VALUES, sizeof *b->pool);
        b->pool_used = 0;
        if (b->pool == NULL) {
            b->nomem = true;
            return NULL;
        }
    }
    TmlValue *v = &b->pool[b->pool_used++];
    *v = (TmlValue){.kind = kind,
                    .file = b->file,
                    .line = mark != NULL ? mark->line + 1 : 1,
                    .column = mark != NULL ? mark->column + 1 : 1};
    return v;
}

static bool anchor_add(Builder *b, const char *name, TmlValue *v, int64_t size)
{
    void *at = b->anchor;
    if (!tml_mem_grow(&at, &b->cap_anchors, b->n_anchors + 1, sizeof *b->anchor)) {
        b->nomem = true;
        return false;
    }
    b->anchor = at;
    b->anchor[b->n_anchors++] = (Anchor){name, v, size};
    return true;
}

/* A finished node goes to the innermost open container. size: nodes it stands for. */
static void value_place(Builder *b, TmlValue *v, int64_t size, const struct fy_mark *mark)
{
    if (b->depth == 0) {
        b->root = v;
        return;
    }
    Open *o = &b->open[b->depth - 1];
    const bool is_key = o->value->kind == TML_VALUE_MAP && (b->n_stack - o->base) % 2 == 0;
    if (is_key && v->kind != TML_VALUE_SCALAR) {
        fail_at(b, mark, "a key must be a text");
        return;
    }
    void *at = b->stack;
    if (!tml_mem_grow(&at, &b->cap_stack, b->n_stack + 1, sizeof *b->stack)) {
        b->nomem = true;
        return;
    }
    b->stack = at;
    b->stack[b->n_stack++] = v;
    o->size += size;
}

static bool is_null_word(const char *text)
{
    return text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0 ||
           strcmp(text, "Null") == 0 || strcmp(text, "NULL") == 0;
}

static const char *token_text(Builder *b, struct fy_token *token)
{
    size_t length = 0;
    const char *text = token != NULL ? fy_token_get_text(token, &length) : NULL;
    return text_copy(b, text != NULL ? text : "", text != NULL ? length : 0);
}

static void on_scalar(Builder *b, struct fy_event *event)
{
    struct fy_token *token = event->scalar.value;
    const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
    TmlValue *v = value_new(b, TML_VALUE_SCALAR, mark);
    const char *text = token_text(b, token);
    if (v == NULL || text == NULL) {
        return;
    }
    size_t length = 0;
    if (token != NULL && fy_token_get_text(token, &length) != NULL && strlen(text) != length) {
        fail_at(b, mark, "a text holds a NUL character");
        return;
    }
    const enum fy_scalar_style style = token != NULL ? fy_token_scalar_style(token) : FYSS_PLAIN;
    v->quoted = style != FYSS_PLAIN;
    v->text = text;
    // libfyaml's mark is behind the quote, and an empty value has none: it stands with its key
    v->column -= style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED ? 1 : 0;
    if (mark == NULL && b->n_stack > 0) {
        v->line = b->stack[b->n_stack - 1]->line;
        v->column = b->stack[b->n_stack - 1]->column;
    }
    if (!v->quoted && is_null_word(text)) {
        v->kind = TML_VALUE_NULL;
    }
    if (event->scalar.anchor != NULL) {
        const char *name = token_text(b, event->scalar.anchor);
        if (name == NULL || !anchor_add(b, name, v, 1)) {
            return;
        }
    }
    value_place(b, v, 1, mark);
}

static void on_start(Builder *b, TmlValueKind kind, struct fy_token *anchor, struct fy_token *token)
{
    const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
    if (b->depth == MAX_DEPTH) {
        fail_at(b, mark, "lists and maps are nested too deeply (more than 64 levels)");
        return;
    }
    Open *outer = b->depth > 0 ? &b->open[b->depth - 1] : NULL;
    if (outer != NULL && outer->value->kind == TML_VALUE_MAP &&
        (b->n_stack - outer->base) % 2 == 0) {
        fail_at(b, mark, "a key must be a text");
        return;
    }
    TmlValue *v = value_new(b, kind, mark);
    const char *name = anchor != NULL ? token_text(b, anchor) : NULL;
    if (v == NULL || (anchor != NULL && name == NULL)) {
        return;
    }
    b->open[b->depth++] = (Open){.value = v, .anchor = name, .base = b->n_stack, .size = 1};
}

/* An expression with commas in braces and without quotes falls to pieces: what stands before its
 * first comma is a value with an open parenthesis, and the rest are keys without values. */
static const TmlValue *torn_value(const TmlValue *map, int k)
{
    const TmlValue *v = map->item[k];
    int open = 0;
    if (v->kind != TML_VALUE_SCALAR || v->quoted || k + 1 == map->n ||
        map->item[k + 1]->kind != TML_VALUE_NULL) {
        return NULL;
    }
    for (const char *c = v->text; *c != '\0'; ++c) {
        open += (*c == '(') - (*c == ')');
    }
    return open > 0 ? v : NULL;
}

static bool tell_torn(Builder *b, const TmlValue *map)
{
    bool torn = false;
    for (int k = 0; k < map->n; ++k) {
        const TmlValue *v = torn_value(map, k);
        if (v != NULL) {
            tml_report_add(b->report, v,
                           "'%s' is cut off at a comma: inside { } an expression with commas must "
                           "be quoted, %s: \"%s, ...\"",
                           v->text, map->key[k]->text, v->text);
            b->failed = torn = true;
        }
    }
    return torn;
}

static void duplicate_key(Builder *b, const TmlValue *first, const TmlValue *again)
{
    tml_report_add(b->report, again, "duplicate key '%s' (first on line %d)", again->text,
                   first->line);
    b->failed = true;
}

static void check_duplicates(Builder *b, const TmlValue *map)
{
    if (map->n <= SMALL_MAP) {
        for (int k = 1; k < map->n; ++k) {
            for (int i = 0; i < k; ++i) {
                if (strcmp(map->key[i]->text, map->key[k]->text) == 0) {
                    duplicate_key(b, map->key[i], map->key[k]);
                    break;
                }
            }
        }
        return;
    }
    TmlNames names = {0};
    for (int k = 0; k < map->n && !b->nomem; ++k) {
        const int first = tml_names_find(&names, map->key[k]->text);
        if (first >= 0) {
            duplicate_key(b, map->key[first], map->key[k]);
        } else {
            b->nomem |= !tml_names_add(&names, map->key[k]->text, k);
        }
    }
    tml_names_free(&names);
}

static void on_end(Builder *b)
{
    const Open o = b->open[--b->depth];
    TmlValue *v = o.value;
    const int count = b->n_stack - o.base;
    const bool map = v->kind == TML_VALUE_MAP;
    v->n = map ? count / 2 : count;
    v->item = tml_arena_alloc(b->arena, (size_t)v->n, sizeof *v->item);
    v->key = map ? tml_arena_alloc(b->arena, (size_t)v->n, sizeof *v->key) : NULL;
    if (v->item == NULL || (map && v->key == NULL)) {
        b->nomem = true;
        return;
    }
    for (int k = 0; k < v->n; ++k) {
        v->item[k] = b->stack[o.base + (map ? 2 * k + 1 : k)];
        if (map) {
            v->key[k] = b->stack[o.base + 2 * k];
        }
    }
    b->n_stack = o.base;
    // a block map or list has no bracket: it stands where its first entry stands
    if (v->n > 0 && (map ? v->key[0] : v->item[0])->line < v->line) {
        v->line = map ? v->key[0]->line : v->item[0]->line;
        v->column = map ? v->key[0]->column : v->item[0]->column;
    }
    if (map && !tell_torn(b, v)) {
        check_duplicates(b, v);
    }
    if (o.anchor == NULL || anchor_add(b, o.anchor, v, o.size)) {
        value_place(b, v, o.size, NULL);
    }
}

static void on_alias(Builder *b, struct fy_event *event)
{
    const struct fy_mark *mark =
        event->alias.anchor != NULL ? fy_token_start_mark(event->alias.anchor) : NULL;
    const char *name = token_text(b, event->alias.anchor);
    if (name == NULL) {
        return;
    }
    // an anchor may be set again: the latest counts
    int k = b->n_anchors - 1;
    while (k >= 0 && strcmp(b->anchor[k].name, name) != 0) {
        k--;
    }
    if (k < 0) {
        fail_at(b, mark,
                "an alias (*name) without an anchor (&name) before it; put expressions "
                "that begin with * in quotes");
        return;
    }
    b->aliased += b->anchor[k].size;
    if (b->aliased > MAX_ALIASED) {
        fail_at(b, mark, "aliases stand for more than 1000000 values");
        return;
    }
    value_place(b, b->anchor[k].value, b->anchor[k].size, mark);
}

static bool has_tag(Builder *b, struct fy_token *tag)
{
    if (tag != NULL) {
        fail_at(b, fy_token_start_mark(tag), "tags (!name) have no meaning in a model");
    }
    return tag != NULL;
}

static void on_event(Builder *b, struct fy_event *event, int *documents)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++*documents > 1) {
            fail_at(b,
                    event->document_start.document_start != NULL
                        ? fy_token_start_mark(event->document_start.document_start)
                        : NULL,
                    "a second document (---); a model is one document");
        }
        break;
    case FYET_SCALAR:
        if (!has_tag(b, event->scalar.tag)) {
            on_scalar(b, event);
        }
        break;
    case FYET_SEQUENCE_START:
        if (!has_tag(b, event->sequence_start.tag)) {
            on_start(b, TML_VALUE_LIST, event->sequence_start.anchor,
                     event->sequence_start.sequence_start);
        }
        break;
    case FYET_MAPPING_START:
        if (!has_tag(b, event->mapping_start.tag)) {
            on_start(b, TML_VALUE_MAP, event->mapping_start.anchor,
                     event->mapping_start.mapping_start);
        }
        break;
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        on_end(b);
        break;
    case FYET_ALIAS:
        on_alias(b, event);
        break;
    default:
        break;
    }
}

/* Length of the UTF-8 character at s, 0 when it is not one (overlong and surrogates included). */
static size_t utf8_length(const unsigned char *s, size_t left)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } form[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t n = 1; n <= 4; ++n) {
        if ((s[0] & form[n - 1].mask) != form[n - 1].lead) {
            continue;
        }
        if (n > left) {
            return 0;
        }
        uint32_t code = s[0] & (unsigned char)~form[n - 1].mask;
        for (size_t k = 1; k < n; ++k) {
            if ((s[k] & 0xc0) != 0x80) {
                return 0;
            }
            code = code << 6 | (s[k] & 0x3f);
        }
        const bool surrogate = code >= 0xd800 && code <= 0xdfff;
        return code < form[n - 1].least || code > 0x10ffff || surrogate ? 0 : n;
    }
    return 0;
}

/* Control characters and broken UTF-8 are found here, with a message that says so. */
static bool characters_good(Builder *b, const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    struct fy_mark mark = {0};
    for (size_t k = 0; k < length;) {
        const size_t n = utf8_length(s + k, length - k);
        const bool control = s[k] < 0x20 && s[k] != '\n' && s[k] != '\r' && s[k] != '\t';
        if (n == 0) {
            fail_at(b, &mark, "a byte that is not UTF-8");
            return false;
        }
        if (control || s[k] == 0x7f) {
            fail_at(b, &mark,
                    s[k] == 0 ? "a NUL character; this is not a text file"
                              : "a control character; this is not a text file");
            return false;
        }
        mark.column++;
        if (s[k] == '\n') {
            mark = (struct fy_mark){.line = mark.line + 1};
        }
        k += n;
    }
    return true;
}

/* First line whose indentation holds a tab, 0: none. libfyaml's own words seldom say so. */
static int tab_line(const char *text, size_t length)
{
    int line = 1;
    bool indent = true;
    for (size_t k = 0; k < length; ++k) {
        if (indent && text[k] == '\t') {
            return line;
        }
        line += text[k] == '\n';
        indent = text[k] == '\n' || (indent && text[k] == ' ');
    }
    return 0;
}

/* Only what libfyaml calls an error; further ones follow from the first. */
static void report_syntax(Builder *b, struct fy_diag *diag, int tab)
{
    void *iterator = NULL;
    for (const struct fy_diag_error *e = fy_diag_errors_iterate(diag, &iterator); e != NULL;
         e = fy_diag_errors_iterate(diag, &iterator)) {
        if (e->type == FYET_ERROR && e->msg != NULL) {
            const TmlValue at = {.file = b->file,
                                 .line = e->line > 0 ? e->line : 1,
                                 .column = e->column > 0 ? e->column : 1};
            const TmlValue *open = b->depth > 0 ? b->open[b->depth - 1].value : NULL;
            const bool colon = strstr(e->msg, "mapping on the same line") != NULL;
            const bool flow = strstr(e->msg, "missing comma in flow") != NULL ||
                              strstr(e->msg, "wrongly indented flow") != NULL;
            if (open != NULL && flow) {
                tml_report_add(b->report, &at, "%s, or its end is missing; it was opened at %d:%d",
                               e->msg, open->line, open->column);
            } else if (open != NULL && strstr(e->msg, "closing brac") != NULL) {
                tml_report_add(b->report, &at, "%s; it was opened at %d:%d", e->msg, open->line,
                               open->column);
            } else if (tab > 0 && tab <= at.line + 1) {
                tml_report_add(b->report, &at, "%s; line %d is indented with a tab, use spaces",
                               e->msg, tab);
            } else {
                tml_report_add(b->report, &at, "%s%s", e->msg,
                               colon ? "; a text with ': ' in it needs quotes" : "");
            }
            b->failed = true;
            return;
        }
    }
    fail_at(b, NULL, "the text is not YAML");
}

/* Feeds all events to the builder; false: libfyaml found an error. */
static bool run_parser(Builder *b, struct fy_parser *parser)
{
    int documents = 0;
    while (!b->failed && !b->nomem) {
        struct fy_event *event = fy_parser_parse(parser);
        if (event == NULL) {
            return false;
        }
        const bool end = event->type == FYET_STREAM_END;
        on_event(b, event, &documents);
        fy_parser_event_free(parser, event);
        if (end) {
            break;
        }
    }
    return true;
}

static void parse(Builder *b, const char *text, size_t length)
{
    const struct fy_diag_cfg diag_cfg = {
        .level = FYET_ERROR, .module_mask = ~0u, .output_fn = NULL, .fp = NULL};
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    if (diag == NULL) {
        b->nomem = true;
        return;
    }
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg cfg = {.search_path = "",
                                     .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                              FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE,
                                     .diag = diag};
    struct fy_parser *parser = fy_parser_create(&cfg);
    if (parser == NULL || fy_parser_set_string(parser, text, length) != 0) {
        b->nomem = true;
    } else if (!run_parser(b, parser)) {
        report_syntax(b, diag, tab_line(text, length));
    }
    if (parser != NULL) {
        fy_parser_destroy(parser);
    }
    fy_diag_destroy(diag);
}

TmlStatus tml_yaml_parse(const char *text, size_t length, const char *file, TmlArena *arena,
                         TmlReport *report, TmlValue **out, TmlError *err)
{
    *out = NULL;
    Builder b = {.file = file, .arena = arena, .report = report};
    // a byte order mark is no part of the text
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (characters_good(&b, text, length)) {
        parse(&b, text, length);
    }
    tml_mem_free(b.stack);
    tml_mem_free(b.anchor);
    if (b.nomem) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (!b.failed && (b.root == NULL || b.root->kind == TML_VALUE_NULL)) {
        b.root = value_new(&b, TML_VALUE_MAP, NULL);
        if (b.root == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    *out = b.failed ? NULL : b.root;
    return TML_OK;
}
