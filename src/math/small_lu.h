/* math/small_lu.h - factors of small dense matrices by rows, real and complex, with the largest entry of a column as pivot. A call of
 * LAPACK costs more than all of it below a dozen unknowns. Complex numbers are pairs. */
#pragma once

#include <stdbool.h>

/* A[n * n] becomes its factors, pivot[n] the row of each pivot. False: a pivot is zero or not finite. */
bool tml_small_factor(int n, double *A, int *pivot);
/* b[n] becomes A^-1 b. */
void tml_small_solve(int n, const double *A, const int *pivot, double *b);

/* The same of complex A[2 * n * n] and b[2 * n]. */
bool tml_small_factor_complex(int n, double *A, int *pivot);
void tml_small_solve_complex(int n, const double *A, const int *pivot, double *b);
