/* io/report/report_rows.h - rows of a result file for a report: values of several kinds side by side.
 *
 * Rows are read in portions, so that memory does not grow with the length of a run.
 */
#pragma once

#include "io/read/results_flexible.h"

/* Values of one kind in a row. */
typedef struct TmlRowPart {
    TmlResultKind kind;
    int item, field;         /* of the set; item -1: all */
    const TmlH5Array *array; /* instead: a dataset of rows that is open */
    bool time;               /* instead: the output time */
    size_t stored, take;     /* values of an item in the file, and those that are wanted */
    size_t at, n;            /* place in the row, and number of values */
} TmlRowPart;

typedef struct TmlRowSet {
    int n, cap;
    TmlRowPart *part;
    size_t width;    /* values of a row */
    double *scratch; /* rows as they are in the file */
    size_t n_scratch;
} TmlRowSet;

/* Each call adds to the row. The first `take` values of a field of one item, or of all (-1). */
TML_NODISCARD TmlStatus tml_rows_field(TmlRowSet *s, TmlResultFile *f, TmlResultKind kind, int item,
                                       const char *field, int take, TmlError *err);
TML_NODISCARD TmlStatus tml_rows_array(TmlRowSet *s, const TmlH5Array *array, TmlError *err);
TML_NODISCARD TmlStatus tml_rows_time(TmlRowSet *s, TmlError *err);
void tml_rows_free(TmlRowSet *s);

/* How many rows make a portion; rows: how many there are. */
int tml_rows_portion(const TmlRowSet *s, int64_t rows);

/* Rows first to first + n - 1, each s->width values. */
TML_NODISCARD TmlStatus tml_rows_read(TmlRowSet *s, TmlResultFile *f, int64_t first, int n,
                                      double *out, TmlError *err);
