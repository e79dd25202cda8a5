/* sparse/csc.h - square or rectangular sparse matrix by columns, pattern fixed once built. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"

typedef struct TmlCsc {
    int rows, cols;
    int *start; /* cols + 1 */
    int *row;   /* start[cols], ascending within a column */
    double *x;  /* start[cols] */
} TmlCsc;

/* Builds a pattern from entries added in any order, duplicates allowed. */
typedef struct TmlPattern {
    int rows, cols, n, cap;
    int *row, *col; /* n */
} TmlPattern;

void tml_pattern_init(TmlPattern *p, int rows, int cols);
bool tml_pattern_add(TmlPattern *p, int row, int col); /* false: out of memory */
TML_NODISCARD TmlStatus tml_pattern_csc(const TmlPattern *p, TmlArena *arena, TmlCsc *out,
                                        TmlError *err); /* values zero */
void tml_pattern_free(TmlPattern *p);

int tml_csc_find(const TmlCsc *A, int row, int col);            /* position in x, or -1 */
void tml_csc_mul(const TmlCsc *A, const double *x, double *y);  /* y += A x */
void tml_csc_tmul(const TmlCsc *A, const double *x, double *y); /* y += A^T x */
/* Y += A X, Y and X of so many columns, where A is symmetric and its lower triangle is given. */
void tml_csc_lower_mul(const TmlCsc *A, int columns, const double *X, double *Y);

/* A from n entries (row, col, x) in any order; those of one place are added. */
TML_NODISCARD TmlStatus tml_csc_triplets(int rows, int cols, int n, const int *row, const int *col,
                                         const double *x, TmlArena *arena, TmlCsc *out,
                                         TmlError *err);
