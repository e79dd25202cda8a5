/* model/read/value.c - trees of values, and the list of errors found in them. */
#include "model/read/value.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_LIMIT = 50, NUMBER_MAX = 40 };

TmlValue *tml_value_scalar(TmlArena *arena, const char *text)
{
    TmlValue *v = tml_arena_alloc(arena, 1, sizeof *v);
    char *copy = tml_arena_strdup(arena, text);
    if (v == NULL || copy == NULL) {
        return NULL;
    }
    *v = (TmlValue){.kind = TML_VALUE_SCALAR, .text = copy};
    return v;
}

TmlValue *tml_value_real(TmlArena *arena, double value)
{
    char text[NUMBER_MAX];
    // the shortest of the two that reads back as the same number
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) {
        snprintf(text, sizeof text, "%.17g", value);
    }
    // the locale of the host program may write a decimal comma
    char *comma = strchr(text, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    return tml_value_scalar(arena, text);
}

TmlValue *tml_value_list(TmlArena *arena, int n, TmlValue *const *items)
{
    TmlValue *v = tml_arena_alloc(arena, 1, sizeof *v);
    TmlValue **copy = tml_arena_alloc(arena, (size_t)n, sizeof *copy);
    if (v == NULL || copy == NULL) {
        return NULL;
    }
    for (int k = 0; k < n; ++k) {
        if (items[k] == NULL) {
            return NULL;
        }
        copy[k] = items[k];
    }
    *v = (TmlValue){.kind = TML_VALUE_LIST, .n = n, .item = copy};
    return v;
}

TmlValue *tml_value_map(TmlArena *arena)
{
    TmlValue *v = tml_arena_alloc(arena, 1, sizeof *v);
    if (v != NULL) {
        v->kind = TML_VALUE_MAP;
    }
    return v;
}

bool tml_value_set(TmlArena *arena, TmlValue *map, const char *key, TmlValue *item)
{
    TmlValue *name = tml_value_scalar(arena, key);
    if (map == NULL || name == NULL || item == NULL) {
        return false;
    }
    // room is doubled whenever n is a power of two
    if ((map->n & (map->n - 1)) == 0) {
        const size_t room = map->n > 0 ? 2 * (size_t)map->n : 1;
        TmlValue **items = tml_arena_alloc(arena, room, sizeof *items);
        TmlValue **keys = tml_arena_alloc(arena, room, sizeof *keys);
        if (items == NULL || keys == NULL) {
            return false;
        }
        for (int k = 0; k < map->n; ++k) {
            items[k] = map->item[k];
            keys[k] = map->key[k];
        }
        map->item = items;
        map->key = keys;
    }
    map->item[map->n] = item;
    map->key[map->n] = name;
    map->n++;
    return true;
}

const TmlValue *tml_value_find(const TmlValue *map, const char *key)
{
    if (map == NULL || map->kind != TML_VALUE_MAP) {
        return NULL;
    }
    for (int k = 0; k < map->n; ++k) {
        if (strcmp(map->key[k]->text, key) == 0) {
            return map->item[k];
        }
    }
    return NULL;
}

/* --- report ---------------------------------------------------------------------------------- */

static bool report_grow(TmlReport *report, int stored)
{
    if (stored < report->cap) {
        return true;
    }
    const int cap = report->cap > 0 ? 2 * report->cap : 8;
    struct TmlReportLine *line = tml_arena_alloc(report->arena, (size_t)cap, sizeof *line);
    if (line == NULL) {
        return false;
    }
    if (stored > 0) {
        memcpy(line, report->line, (size_t)stored * sizeof *line);
    }
    report->line = line;
    report->cap = cap;
    return true;
}

static int report_stored(const TmlReport *report)
{
    return report->n < report->limit ? report->n : report->limit;
}

/* Where the lines begin that show an expression and point into it; the end when there are none. */
static size_t pointer_lines(const char *text)
{
    const size_t n = strlen(text);
    const char *last = strrchr(text, '\n');
    if (last == NULL || last == text || last[1 + strspn(last + 1, " ")] != '^') {
        return n;
    }
    const char *before = last - 1;
    while (before > text && *before != '\n') {
        before--;
    }
    return *before == '\n' ? (size_t)(before - text) : n;
}

/* Texts of the file stand in messages. A line end in one of them could begin a line that looks like
 * a message of ours, so that they are shown as \n. */
static void show_controls(const char *text, char *out, size_t size)
{
    const size_t pointer = pointer_lines(text);
    size_t n = 0;
    for (size_t k = 0; text[k] != '\0' && n + 5 < size; ++k) {
        const unsigned char c = (unsigned char)text[k];
        if (k >= pointer || (c >= 0x20 && c != 0x7f)) {
            out[n++] = text[k];
        } else if (c == '\n') {
            n += (size_t)snprintf(out + n, size - n, "\\n");
        } else {
            n += (size_t)snprintf(out + n, size - n, "\\x%02x", c);
        }
    }
    out[n] = '\0';
}

bool tml_report_hide(TmlReport *report, const char *root, const char *name)
{
    char real[PATH_MAX], whole[PATH_MAX];
    const char *top = realpath(root, whole) != NULL ? whole : root; // a pipe, or gone since a dump
    const char *slash = strrchr(top, '/');
    if (realpath(name, real) == NULL || slash == NULL ||
        strncmp(real, top, (size_t)(slash - top) + 1) == 0) {
        return true;
    }
    const char **hidden =
        tml_arena_alloc(report->arena, (size_t)report->n_hidden + 1, sizeof *hidden);
    if (hidden == NULL) {
        return false;
    }
    if (report->n_hidden > 0) {
        memcpy(hidden, report->hidden, (size_t)report->n_hidden * sizeof *hidden);
    }
    hidden[report->n_hidden++] = name;
    report->hidden = hidden;
    return true;
}

static bool is_hidden(const TmlReport *report, const char *file)
{
    for (int k = 0; k < report->n_hidden && file != NULL; ++k) {
        if (strcmp(report->hidden[k], file) == 0) {
            return true;
        }
    }
    return false;
}

void tml_report_add(TmlReport *report, const TmlValue *at, const char *fmt, ...)
{
    if (report->limit == 0) {
        report->limit = REPORT_LIMIT;
    }
    const int stored = report_stored(report);
    report->n++;
    if (stored == report->limit) {
        return;
    }
    if (!report_grow(report, stored)) {
        report->limit = stored; // out of memory: go on counting
        return;
    }
    char text[TML_ERROR_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    char shown[TML_ERROR_MAX];
    if (at != NULL && is_hidden(report, at->file)) {
        snprintf(shown, sizeof shown,
                 "something is wrong here; texts of a file outside the model's folder are not "
                 "shown, 'trammel check' of that file shows them");
    } else {
        show_controls(text, shown, sizeof shown);
    }
    const char *copy = tml_arena_strdup(report->arena, shown);
    report->line[stored] = (struct TmlReportLine){
        .file = at != NULL ? at->file : NULL,
        .text = copy != NULL ? copy : "out of memory",
        .line = at != NULL ? at->line : 0,
        .column = at != NULL ? at->column : 0,
    };
}

static int line_before(const struct TmlReportLine *a, const struct TmlReportLine *b)
{
    const char *fa = a->file != NULL ? a->file : "", *fb = b->file != NULL ? b->file : "";
    const int order = strcmp(fa, fb);
    if (order != 0) {
        return order < 0;
    }
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Insertion sort: stable, and there are few lines. */
static void report_sort(TmlReport *report)
{
    for (int i = 1; i < report_stored(report); ++i) {
        const struct TmlReportLine moved = report->line[i];
        int k = i;
        while (k > 0 && line_before(&moved, &report->line[k - 1])) {
            report->line[k] = report->line[k - 1];
            k--;
        }
        report->line[k] = moved;
    }
}

static size_t line_print(const struct TmlReportLine *l, char *out, size_t size)
{
    int length;
    if (l->line > 0) {
        length = snprintf(out, size, "%s:%d:%d: %s", l->file != NULL ? l->file : "model", l->line,
                          l->column, l->text);
    } else if (l->file != NULL) {
        length = snprintf(out, size, "%s: %s", l->file, l->text);
    } else {
        length = snprintf(out, size, "%s", l->text);
    }
    return length > 0 ? (size_t)length : 0;
}

int tml_report_sort(TmlReport *report)
{
    report_sort(report);
    return report_stored(report);
}

const char *tml_report_text(const TmlReport *report, int k)
{
    char line[TML_ERROR_MAX];
    line_print(&report->line[k], line, sizeof line);
    return tml_arena_strdup(report->arena, line);
}

TmlStatus tml_report_status(TmlReport *report, TmlError *err)
{
    enum { TAIL = 40 }; /* room for the count of errors left out */
    if (report->n == 0) {
        return TML_OK;
    }
    report_sort(report);
    char message[TML_ERROR_MAX] = "";
    size_t fill = 0;
    int shown = 0;
    for (; shown < report_stored(report); ++shown) {
        char line[TML_ERROR_MAX];
        const size_t length = line_print(&report->line[shown], line, sizeof line);
        // a first line that is too long alone is cut; others are counted instead
        const size_t room = sizeof message - TAIL - fill;
        if (length + 1 >= room && shown > 0) {
            break;
        }
        const size_t used = length + 1 < room ? length : room - 1;
        fill += (size_t)snprintf(message + fill, room, "%s%.*s", shown > 0 ? "\n" : "", (int)used,
                                 line);
        fill = fill < sizeof message - TAIL ? fill : sizeof message - TAIL - 1;
    }
    if (shown < report->n) {
        snprintf(message + fill, sizeof message - fill, "\n(and %d more error%s)",
                 report->n - shown, report->n - shown == 1 ? "" : "s");
    }
    return tml_fail(err, TML_E_MODEL, "%s", message);
}
