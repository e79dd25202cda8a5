/* io/read/results_flexible.h - flexible bodies of a result file: positions and values at their points.
 */
#pragma once

#include "io/read/results_read.h"

enum { TML_RESULT_STRAIN, TML_RESULT_STRESS, TML_RESULT_VALUES };

/* One flexible body. Datasets stay open. */
typedef struct TmlResultFlexible {
    const char *name;
    bool patch, plane;
    int elements, points, element_nodes, vectors; /* points, nodes and vectors of an element */
    int32_t *node;                                /* elements * element_nodes */
    double *weight;                               /* elements * points * vectors */
    TmlH5Array nodes, value[TML_RESULT_VALUES];
    int columns[TML_RESULT_VALUES];
    const char *const *column[TML_RESULT_VALUES]; /* names of the columns, and their units */
    const char *const *unit[TML_RESULT_VALUES];
    double *x, *row[TML_RESULT_VALUES]; /* of the last row read: nodes, values */
    double *r, *start;                  /* elements * points * 3: positions, and those of row 0 */
} TmlResultFlexible;

/* The flexible bodies; `out` has *n of them, in the arena of the file. */
TML_NODISCARD TmlStatus tml_result_flexible(TmlResultFile *f, int *n, TmlResultFlexible **out,
                                            TmlError *err);
void tml_result_flexible_close(int n, TmlResultFlexible *bodies);

/* Read row k: x, row, r, and for k = 0 start. */
TML_NODISCARD TmlStatus tml_result_flexible_row(TmlResultFlexible *b, int64_t k, TmlError *err);
