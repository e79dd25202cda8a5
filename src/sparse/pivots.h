/* sparse/pivots.h - chooses a largest, well-conditioned set of rows of a tall sparse matrix. */
#pragma once

#include "sparse/csc.h"

/* Finds the pivot rows of A (n x m, n >= m) by a sparse LU with row exchanges. Every pivot is at least half as large as anything that is left
 * in its column, so that the scales of the rows say which are preferred. Columns are eliminated in their order. The first n_first
 * (a tree of joints from its tips to its root, where nothing fills in) are eliminated before the rest is looked at. `pivot` gets n
 * truth values, m of them true. *missing is -1, or a column that has no pivot; then fewer rows are marked. */
TML_NODISCARD TmlStatus tml_pivot_rows(const TmlCsc *A, int n_first, bool *pivot, int *missing,
                                       TmlError *err);
