/* model/read/read.c - the reader's memory and its messages. */
#include "model/read/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

TmlReader *tml_reader_create(TmlModel *m)
{
    TmlReader *r = tml_mem_zalloc(1, sizeof *r);
    if (r != NULL) {
        r->m = m;
        r->report.arena = &m->arena;
        r->warnings.arena = &m->arena;
        r->wanted = -1;
    }
    return r;
}

void tml_reader_free(TmlReader *r)
{
    if (r == NULL) {
        return;
    }
    tml_mem_free(r->params.at);
    tml_mem_free(r->busy.at);
    tml_mem_free(r->pending.at);
    tml_mem_free(r->bound.at);
    tml_mem_free(r->found.at);
    tml_mem_free(r->joints.at);
    tml_mem_free(r->forces.at);
    tml_mem_free(r->contacts.at);
    tml_names_free(&r->param_names);
    tml_names_free(&r->channel_names);
    tml_names_free(&r->seen);
    tml_names_free(&r->broken);
    tml_mem_free(r);
}

void *tml_reader_alloc(TmlReader *r, size_t n, size_t size)
{
    void *p = tml_arena_alloc(&r->m->arena, n, size);
    r->nomem |= p == NULL;
    return p;
}

char *tml_reader_printf(TmlReader *r, const char *fmt, ...)
{
    char text[TML_ERROR_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    char *copy = tml_arena_strdup(&r->m->arena, text);
    r->nomem |= copy == NULL;
    return copy;
}

/* Names the message and its place; empty outside of loops. */
static void place_key(const TmlEntry *x, const TmlValue *at, const char *fmt, char *key,
                      size_t size)
{
    key[0] = '\0';
    if (x->scope != NULL && at != NULL) {
        snprintf(key, size, "%p %d:%d %p", (const void *)at->file, at->line, at->column,
                 (const void *)fmt);
    }
}

/* Whether this message at this place was given for an earlier turn of a loop. */
static bool said_before(TmlEntry *x, const TmlValue *at, const char *fmt)
{
    TmlReader *r = x->r;
    char key[TML_NAME_MAX];
    place_key(x, at, fmt, key, sizeof key);
    if (key[0] == '\0' || tml_names_find(&r->seen, key) >= 0) {
        return key[0] != '\0';
    }
    const char *kept = tml_reader_printf(r, "%s", key);
    r->nomem |= kept == NULL || !tml_names_add(&r->seen, kept, 0);
    return false;
}

static void mark_bad(TmlEntry *x)
{
    x->bad = true;
    if (x->name != NULL) {
        x->r->nomem |= !tml_names_add(&x->r->broken, x->name, 0);
    }
}

/* text is complete; fmt tells one message from another. */
static void add_line(TmlReport *report, TmlEntry *x, const TmlValue *at, const char *fmt,
                     const char *text)
{
    at = at != NULL ? at : x->value;
    if (said_before(x, at, fmt)) {
        return;
    }
    if (x->name != NULL) {
        tml_report_add(report, at, "%s '%s': %s", x->kind, x->name, text);
    } else if (x->kind != NULL) {
        tml_report_add(report, at, "%s: %s", x->kind, text);
    } else {
        tml_report_add(report, at, "%s", text);
    }
}

static void entry_report(TmlEntry *x, const TmlValue *at, const char *fmt, const char *text)
{
    mark_bad(x);
    add_line(&x->r->report, x, at, fmt, text);
}

void tml_entry_warning(TmlEntry *x, const TmlValue *at, const char *fmt, ...)
{
    char text[TML_ERROR_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (x->r->m->strict) {
        entry_report(x, at, fmt, text);
    } else {
        add_line(&x->r->warnings, x, at, fmt, text);
    }
}

void tml_entry_error(TmlEntry *x, const TmlValue *at, const char *fmt, ...)
{
    char text[TML_ERROR_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    entry_report(x, at, fmt, text);
}

void tml_entry_expected(TmlEntry *x, const TmlValue *at, const char *what, const char *expected)
{
    enum { SHOWN = 60 };
    char got[2 * SHOWN] = "nothing";
    const int n = at != NULL ? at->n : 0;
    if (at != NULL && at->kind == TML_VALUE_SCALAR) {
        snprintf(got, sizeof got, "'%.*s'%s", SHOWN, at->text,
                 strlen(at->text) > SHOWN ? "..." : "");
    } else if (at != NULL && at->kind == TML_VALUE_LIST) {
        snprintf(got, sizeof got, "a list of %d", n);
    } else if (at != NULL && at->kind == TML_VALUE_MAP) {
        snprintf(got, sizeof got, "a map%s%.*s%s", n > 0 ? " with '" : "", SHOWN,
                 n > 0 ? at->key[0]->text : "", n > 0 ? "'" : "");
    }
    if (what != NULL) {
        tml_entry_error(x, at, "%s: expected %s, got %s", what, expected, got);
    } else {
        tml_entry_error(x, at, "expected %s, got %s", expected, got);
    }
}

/* "; known: a, b, c" behind a message, when that is short enough to read. */
static void add_known(char *text, size_t size, const char *const *candidates, int n)
{
    enum { SHORT = 16 };
    size_t used = strlen(text);
    for (int k = 0; k < n && n <= SHORT && used < size; ++k) {
        snprintf(text + used, size - used, "%s%s", k == 0 ? "; known: " : ", ", candidates[k]);
        used += strlen(text + used);
    }
}

/* Whether a name, or the body of a frame's name, is that of an entry with errors: that it is not
 * there follows from these. */
static bool is_broken(const TmlReader *r, const char *word)
{
    char body[TML_NAME_MAX];
    const size_t length = strcspn(word, ".");
    snprintf(body, sizeof body, "%.*s", (int)(length < sizeof body ? length : sizeof body - 1),
             word);
    return tml_names_find(&r->broken, word) >= 0 || tml_names_find(&r->broken, body) >= 0;
}

void tml_entry_unknown(TmlEntry *x, const TmlValue *at, const char *kind, const char *word,
                       const char *const *candidates, int n)
{
    if (strcmp(kind, "key") != 0 && is_broken(x->r, word)) {
        mark_bad(x);
        return;
    }
    static const char *const fmt = "unknown %s '%s'%s%s%s";
    char key[TML_NAME_MAX];
    place_key(x, at, fmt, key, sizeof key);
    const bool said = key[0] != '\0' && tml_names_find(&x->r->seen, key) >= 0;
    const bool full = x->r->report.limit > 0 && x->r->report.n >= x->r->report.limit;
    // a search among thousands of names takes its time: only for messages that are shown
    const char *near = said || full ? NULL : tml_nearest(word, candidates, n);
    char text[TML_ERROR_MAX];
    snprintf(text, sizeof text, "unknown %s '%s'%s%s%s", kind, word,
             near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
             near != NULL ? "'?" : "");
    if (near == NULL && strcmp(kind, "key") == 0) {
        add_known(text, sizeof text, candidates, n);
    }
    entry_report(x, at, fmt, text);
}

void tml_entry_unknown_name(TmlEntry *x, const TmlValue *at, const char *kind, const char *word,
                            const void *list, int n, size_t stride)
{
    // scratch: dropped at the end, as messages are copied elsewhere
    const char **names = tml_mem_zalloc((size_t)n, sizeof *names);
    x->r->nomem |= names == NULL;
    for (int k = 0; names != NULL && k < n; ++k) {
        names[k] = *(const char *const *)((const char *)list + (size_t)k * stride);
    }
    tml_entry_unknown(x, at, kind, word, names, names != NULL ? n : 0);
    tml_mem_free(names);
}

/* Offset of the caret under the text that the compiler of expressions shows, or -1. */
static int caret_offset(const char *message)
{
    enum { INDENT = 2 };
    const char *last = strrchr(message, '\n');
    if (last == NULL || strchr(last, '^') == NULL) {
        return -1;
    }
    const size_t spaces = strspn(last + 1, " ");
    return last[1 + spaces] == '^' && spaces >= INDENT ? (int)spaces - INDENT : -1;
}

void tml_entry_expr_error(TmlEntry *x, const TmlValue *at, const char *what, const char *text,
                          const TmlError *err)
{
    if (err->status == TML_E_NOMEM) {
        x->r->nomem = true;
        return;
    }
    // no message of its own: a parameter must be evaluated first, or has failed and was reported
    if (err->message[0] == '\0' || err->message[0] == '\n') {
        if (x->r->wanted < 0) {
            mark_bad(x);
        }
        return;
    }
    at = at != NULL ? at : x->value;
    const int offset = caret_offset(err->message);
    const bool as_written = at != NULL && at->kind == TML_VALUE_SCALAR && !at->made &&
                            strcmp(at->text, text) == 0 && strchr(text, '\n') == NULL;
    TmlValue place = at != NULL ? *at : (TmlValue){0};
    if (offset >= 0 && as_written && at->line > 0) {
        place.column += offset + (at->quoted ? 1 : 0); // the column says what the caret says
    }
    // text and caret are left out; where the text is not what the file says it follows in quotes
    char line[TML_ERROR_MAX];
    snprintf(line, sizeof line, "%.*s%s%s%s", (int)strcspn(err->message, "\n"), err->message,
             as_written ? "" : " in '", as_written ? "" : text, as_written ? "" : "'");
    if (what != NULL) {
        tml_entry_error(x, &place, "%s: %s", what, line);
    } else {
        tml_entry_error(x, &place, "%s", line);
    }
}
