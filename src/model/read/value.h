/* model/read/value.h - a parsed model text as a tree that remembers where everything stands. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "base/nearest.h"

typedef enum TmlValueKind {
    TML_VALUE_NULL,
    TML_VALUE_SCALAR,
    TML_VALUE_LIST,
    TML_VALUE_MAP
} TmlValueKind;

typedef struct TmlValue TmlValue;
struct TmlValue {
    TmlValueKind kind;
    bool quoted;      /* a scalar written in quotes */
    bool made;        /* a translation: columns inside of the text mean nothing */
    const char *file; /* name for messages */
    int line, column; /* 1-based; 0: made by a program */
    const char *text; /* scalar */
    int n;            /* list, map: entries */
    TmlValue **item;  /* n: values */
    TmlValue **key;   /* n: keys of a map, scalars */
};

/* Trees made by programs (C interface, converters). All copy their texts into the arena. */
TmlValue *tml_value_scalar(TmlArena *arena, const char *text);
TmlValue *tml_value_real(TmlArena *arena, double value);
TmlValue *tml_value_list(TmlArena *arena, int n, TmlValue *const *items);
TmlValue *tml_value_map(TmlArena *arena); /* empty */
bool tml_value_set(TmlArena *arena, TmlValue *map, const char *key, TmlValue *item);

const TmlValue *tml_value_find(const TmlValue *map, const char *key); /* NULL: absent */

/* Collects the errors of one file: "file:line:column: message" lines, sorted by place. */
typedef struct TmlReport {
    TmlArena *arena;
    int n_hidden; /* files whose texts are not shown, by their names */
    const char **hidden;
    int n, cap, limit; /* stops collecting texts after `limit` (50) and counts on */
    struct TmlReportLine {
        const char *file, *text;
        int line, column;
    } * line;
} TmlReport;

/* A file of a stranger may name any file of the reader's: texts of `name` are not shown in messages
 * when it lies outside the folder of `root`. name: lives as long as the report. False: no memory.
 */
bool tml_report_hide(TmlReport *report, const char *root, const char *name);
void tml_report_add(TmlReport *report, const TmlValue *at, const char *fmt, ...) TML_PRINTF(3, 4);
/* Sorts by place; how many texts there are, and one of them with its place (NULL: no memory). */
int tml_report_sort(TmlReport *report);
const char *tml_report_text(const TmlReport *report, int k);
/* TML_OK when empty, else TML_E_MODEL with all lines in err->message. */
TmlStatus tml_report_status(TmlReport *report, TmlError *err);
