/* sparse/lu.h - sparse LU of a fixed pattern: analyse once, then factor and refactor. */
#pragma once

#include "sparse/csc.h"

typedef struct TmlLu TmlLu;

typedef struct TmlLuInfo {
    int64_t factors, refactors, solves; /* factorisations with pivoting; fast ones */
    int64_t analyses;                   /* symbolic factorisations */
    int lnz, unz;                       /* entries of L and U after the last full factorisation */
    double rcond;                       /* estimate after the last factorisation */
    bool out_of_memory;                 /* the last full factorisation failed for want of memory */
} TmlLuInfo;

/* Analyse the pattern of A (tries several orderings, keeps the one with least fill). */
TML_NODISCARD TmlStatus tml_lu_create(const TmlCsc *A, TmlLu **out, TmlError *err);
void tml_lu_free(TmlLu *lu);

/* The ordering that was chosen for one pattern, for another that is nearly the same: the others are not tried unless
 * it loses digits, or the matrix has half as many entries again, or fewer by as much. */
typedef struct TmlLuPlan {
    int ordering;  /* number of the ordering; -1: none */
    int entries;   /* entries of the matrix for which it was chosen */
    double growth; /* growth of the factors when it was chosen */
} TmlLuPlan;
static const TmlLuPlan tml_lu_no_plan = {-1, 0, 0.0};
TmlLuPlan tml_lu_plan(const TmlLu *lu);
void tml_lu_prefer(TmlLu *lu, TmlLuPlan plan);

/* What a factorisation of a matrix with symmetric pattern would take, by symbolic analysis alone: multiplications, and
 * entries of the factors. */
void tml_lu_predict(TmlLu *lu, const TmlCsc *A, double *multiplications, double *entries);

/* Unknowns from number `first` on have an equation each, in the row of that number, that gives them
 * by others: their scales follow from it. */
void tml_lu_set_equations(TmlLu *lu, int first);

/* Factor with pivoting. Returns -1, or the column of A for which there is no pivot: zero, only
 * rounding left, or not finite (0 when out of memory, which the info tells). Solve only after a
 * success. */
int tml_lu_factor(TmlLu *lu, const TmlCsc *A);

/* Factor with the pivots of the last full factorisation when they still serve (growth is watched;
 * falls back to a full one). Returns as tml_lu_factor. Allocates nothing on the fast path. */
int tml_lu_refactor(TmlLu *lu, const TmlCsc *A);

/* Gives back the memory of the factors. The next factorisation takes it again, and keeps to the ordering of the last
 * one; solve only after that. */
void tml_lu_drop(TmlLu *lu);

/* Puts the solution in the place of the right side x. */
void tml_lu_solve(TmlLu *lu, double *x);

/* Returns the sign of the determinant of the matrix that was factored last: 1 or -1. */
int tml_lu_sign(const TmlLu *lu);

const TmlLuInfo *tml_lu_info(const TmlLu *lu);
