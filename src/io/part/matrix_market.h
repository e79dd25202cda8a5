/* io/part/matrix_market.h - symmetric matrices and tables of nodes from text files.
 *
 * Matrix Market coordinate files, `symmetric` (one triangle) or `general` (both), and files without
 * a header as Abaqus exports them: lines "row column value" of one triangle or of both. Both
 * triangles must agree. Rows count from 1.
 */
#pragma once

#include "sparse/csc.h"
#include "trammel/types.h"

/* The lower triangle. order: rows that are expected; -1: those of the file. Errors name file and
 * line: not a number, not square, not symmetric, another size, cut short. */
TML_NODISCARD TmlStatus tml_matrix_read(const char *path, int order, TmlArena *arena, TmlCsc *out,
                                        TmlError *err);

/* A table of nodes: lines "x y z", or "number x y z", separated by blanks, commas or semicolons, with
 * or without a line of names. The order is that of the freedoms. */
typedef struct TmlNodeTable {
    int n;
    int64_t *id; /* n; 1, 2, ... where the file has none */
    TmlVec3 *x;  /* n */
} TmlNodeTable;
TML_NODISCARD TmlStatus tml_node_table_read(const char *path, TmlArena *arena, TmlNodeTable *out,
                                            TmlError *err);
