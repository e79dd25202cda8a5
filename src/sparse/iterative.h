/* sparse/iterative.h - linear systems by a Krylov method with a block-diagonal preconditioner.
 *
 * It serves matrices without constraints whose diagonal blocks weigh most, such as M + beta h^2 K of bodies that touch. There are no factors that
 * fill in; the cost is the number of products that an accuracy takes.
 */
#pragma once

#include "sparse/csc.h"

typedef struct TmlIterative TmlIterative;

enum { TML_BLOCK_MAX = 6 };

/* Prepares for matrices with the pattern of A, which must outlive it. Block k of n_blocks has the unknowns block[k] to block[k + 1] - 1, at most
 * TML_BLOCK_MAX of them. The accuracy of a solution is that of x_i / unit[i]. Both arrays are copied. */
TML_NODISCARD TmlStatus tml_iterative_create(const TmlCsc *A, int n_blocks, const int *block,
                                             const double *unit, TmlIterative **out, TmlError *err);
void tml_iterative_free(TmlIterative *it);

/* Takes the values of A and inverts its blocks. Returns -1, or an unknown of a block that is singular. */
int tml_iterative_take(TmlIterative *it, const TmlCsc *A);

/* Replaces the right side x by the solution, with an error of at most `accuracy` times the size of what the preconditioner makes of the
 * right side. Returns the number of products, or -1 where it did not get there; x is unchanged then. */
int tml_iterative_solve(TmlIterative *it, double accuracy, double *x);

/* Returns the values that were taken last, for a factorisation instead. */
TmlCsc tml_iterative_matrix(const TmlIterative *it);
/* Return the multiplications of one product with all that it needs, and those of inverting the blocks. */
double tml_iterative_product_work(const TmlIterative *it);
double tml_iterative_take_work(const TmlIterative *it);
