/* tests/wheel/csv_util.h - tables of the reference cases. */
#pragma once

#include "test.h"

#include <stdlib.h>

enum { CSV_COLUMNS = 32, CSV_ROWS = 1100 };

typedef struct Csv {
    int rows, columns;
    double *value; /* CSV_COLUMNS a row, in memory that the next read takes */
} Csv;

/* Numbers below a head of names. Without the reference cases the table has no rows, and the test
 * says that it was skipped. Up to four tables at a time. */
static inline Csv csv_read(TestCtx *t, const char *name)
{
    static double memory[4][CSV_ROWS * CSV_COLUMNS];
    static int turn;
    Csv o = {.value = memory[turn++ % 4]};
    char path[1024], line[2048];
    if (test_cases_dir() == NULL) {
        test_skip(t, "the reference cases are not there");
        return o;
    }
    snprintf(path, sizeof path, "%s/%s", test_cases_dir(), name);
    FILE *f = fopen(path, "r");
    CHECK(t, f != NULL);
    if (f == NULL) {
        return o;
    }
    const char *head = fgets(line, sizeof line, f);
    while (head != NULL && o.rows < CSV_ROWS && fgets(line, sizeof line, f) != NULL) {
        char *at = line;
        for (int c = 0; c < CSV_COLUMNS && *at != '\0'; ++c) {
            o.value[o.rows * CSV_COLUMNS + c] = strtod(at, &at);
            at += *at == ',';
            at = *at == '\n' ? at + 1 : at;
        }
        ++o.rows;
    }
    fclose(f);
    return o;
}

static inline double csv_at(const Csv *t, int row, int column)
{
    return t->value[row * CSV_COLUMNS + column];
}
