/* sparse/iterative.h - linear systems by Krylov's method with a block-diagonal preconditioner.
 *
 * For matrices without constraints whose blocks on the diagonal weigh most: bodies that touch, M + beta h^2 K. Fill of
 * factors is no matter here; what counts is how many products an accuracy takes.
 */
#pragma once

#include "sparse/csc.h"

typedef struct TmlIterative TmlIterative;

enum { TML_BLOCK_MAX = 6 };

/* For matrices with the pattern of A, which must last. Block k has the unknowns block[k] to block[k + 1] - 1, at most
 * TML_BLOCK_MAX, n_blocks of them; accuracy is that of x_i / unit[i]. Both arrays are copied. */
TML_NODISCARD TmlStatus tml_iterative_create(const TmlCsc *A, int n_blocks, const int *block,
                                             const double *unit, TmlIterative **out, TmlError *err);
void tml_iterative_free(TmlIterative *it);

/* Take the values of A and invert its blocks. Returns -1, or an unknown of a block that is singular. */
int tml_iterative_take(TmlIterative *it, const TmlCsc *A);

/* x: right side in, solution out, to `accuracy` of the size of what the preconditioner makes of the right side. Returns
 * the number of products, or -1: it did not get there, and x is what it was. */
int tml_iterative_solve(TmlIterative *it, double accuracy, double *x);

/* The values that were taken last, for a factorisation instead. */
TmlCsc tml_iterative_matrix(const TmlIterative *it);
/* Multiplications of one product and of what goes with it, and of the blocks that are inverted. */
double tml_iterative_product_work(const TmlIterative *it);
double tml_iterative_take_work(const TmlIterative *it);
