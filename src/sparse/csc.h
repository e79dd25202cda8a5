/* sparse/csc.h - sparse matrices by columns, square or rectangular, whose pattern stays once it is built. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"

typedef struct TmlCsc {
    int rows, cols;
    int *start; /* cols + 1 */
    int *row;   /* start[cols], ascending within a column */
    double *x;  /* start[cols] */
} TmlCsc;

/* Builds a pattern from entries that are added in any order, and may be added twice. */
typedef struct TmlPattern {
    int rows, cols, n, cap;
    int *row, *col; /* n */
} TmlPattern;

void tml_pattern_init(TmlPattern *p, int rows, int cols);
bool tml_pattern_add(TmlPattern *p, int row, int col); /* false: out of memory */
TML_NODISCARD TmlStatus tml_pattern_csc(const TmlPattern *p, TmlArena *arena, TmlCsc *out,
                                        TmlError *err); /* values zero */
void tml_pattern_free(TmlPattern *p);

/* Returns the position of an entry in x, or -1 where the pattern does not have it. */
int tml_csc_find(const TmlCsc *A, int row, int col);
/* Adds A x, and A^T x, to y. */
void tml_csc_mul(const TmlCsc *A, const double *x, double *y);
void tml_csc_tmul(const TmlCsc *A, const double *x, double *y);
/* Adds A X to Y, which both have so many columns. A is symmetric, and its lower triangle is given. */
void tml_csc_lower_mul(const TmlCsc *A, int columns, const double *X, double *Y);

/* Makes A from n entries (row, col, x) in any order. Entries of one place are added. */
TML_NODISCARD TmlStatus tml_csc_triplets(int rows, int cols, int n, const int *row, const int *col,
                                         const double *x, TmlArena *arena, TmlCsc *out,
                                         TmlError *err);
