/* sparse/pivots.h - a largest well-conditioned set of rows of a tall sparse matrix. */
#pragma once

#include "sparse/csc.h"

/* Finds the pivot rows of A (n x m, n >= m) by a sparse LU with row exchanges: every pivot is at
 * least half as large as anything left in its column, so the scales of the rows say which are
 * preferred. Columns are eliminated as they come; the first n_first (a tree of joints, from its
 * tips to its root, where nothing fills in) before the rest are looked at. pivot[n] is set;
 * *missing: a column without a pivot, -1 when there is none (then m rows are marked). */
TML_NODISCARD TmlStatus tml_pivot_rows(const TmlCsc *A, int n_first, bool *pivot, int *missing,
                                       TmlError *err);
