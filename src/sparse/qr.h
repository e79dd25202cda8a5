/* sparse/qr.h - rank of the rows of a sparse matrix, by rank-revealing sparse QR. */
#pragma once

#include "sparse/csc.h"

/* Finds a largest set of independent rows of A (m x n). Rows should be scaled to comparable size.
 * tol: columns of A^T whose remainder is below tol count as dependent (<= 0: automatic).
 * independent[m] is set; *rank is the number of true entries. */
TML_NODISCARD TmlStatus tml_qr_row_rank(const TmlCsc *A, double tol, bool *independent, int *rank,
                                        TmlError *err);

/* Expresses n rows as combinations of the independent ones: coefficient[n * m], zero elsewhere. */
TML_NODISCARD TmlStatus tml_qr_combinations(const TmlCsc *A, const bool *independent, int n,
                                            const int *dependent, double *coefficient,
                                            TmlError *err);
/* Expresses the row `dependent` as a combination of the independent ones: coefficient[m], zero
 * elsewhere. */
TML_NODISCARD TmlStatus tml_qr_combination(const TmlCsc *A, const bool *independent, int dependent,
                                           double *coefficient, TmlError *err);
