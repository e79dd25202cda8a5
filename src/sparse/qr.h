/* sparse/qr.h - the rank of the rows of a sparse matrix, by a rank-revealing sparse QR. */
#pragma once

#include "sparse/csc.h"

/* Finds a largest set of independent rows of A (m x n), whose rows should have comparable sizes. A column of A^T whose remainder is below `tol`
 * counts as dependent; tol <= 0 chooses the limit automatically. `independent` gets m truth values, of which *rank are true. */
TML_NODISCARD TmlStatus tml_qr_row_rank(const TmlCsc *A, double tol, bool *independent, int *rank,
                                        TmlError *err);

/* Expresses n rows as combinations of the independent ones. `coefficient` gets n * m numbers, which are zero for all other rows. */
TML_NODISCARD TmlStatus tml_qr_combinations(const TmlCsc *A, const bool *independent, int n,
                                            const int *dependent, double *coefficient,
                                            TmlError *err);
/* Expresses the row `dependent` as a combination of the independent ones. `coefficient` gets m numbers. */
TML_NODISCARD TmlStatus tml_qr_combination(const TmlCsc *A, const bool *independent, int dependent,
                                           double *coefficient, TmlError *err);
