/* sparse/lu.h - sparse LU factors of matrices with one pattern, which is analysed once. */
#pragma once

#include "sparse/csc.h"

typedef struct TmlLu TmlLu;

typedef struct TmlLuInfo {
    int64_t factors, refactors,
        solves;         /* counts of factorisations with pivoting, of fast ones, of solutions */
    int64_t analyses;   /* the count of symbolic factorisations */
    int lnz, unz;       /* entries of L and U after the last full factorisation */
    double rcond;       /* an estimate of the inverse condition after the last factorisation */
    bool out_of_memory; /* memory did not suffice for the last full factorisation */
} TmlLuInfo;

/* Analyses the pattern of A: of several orderings the one with least fill is kept. */
TML_NODISCARD TmlStatus tml_lu_create(const TmlCsc *A, TmlLu **out, TmlError *err);
void tml_lu_free(TmlLu *lu);

/* The ordering that was chosen for one pattern serves another one that is nearly the same. The other orderings are not tried then, unless
 * it loses digits, or the number of entries differs by a factor of 1.5 or more. */
typedef struct TmlLuPlan {
    int ordering;  /* the number of the ordering; -1: none */
    int entries;   /* how many entries the matrix had for which it was chosen */
    double growth; /* the growth of the factors when it was chosen */
} TmlLuPlan;
static const TmlLuPlan tml_lu_no_plan = {-1, 0, 0.0};
TmlLuPlan tml_lu_plan(const TmlLu *lu);
void tml_lu_prefer(TmlLu *lu, TmlLuPlan plan);

/* Predicts what a factorisation of a matrix with symmetric pattern takes, by symbolic analysis alone: multiplications, and entries
 * of the factors. */
void tml_lu_predict(TmlLu *lu, const TmlCsc *A, double *multiplications, double *entries);

/* Each unknown from number `first` on has an equation, in the row of that number, that gives it by others. Its scale follows
 * from that equation. */
void tml_lu_set_equations(TmlLu *lu, int first);

/* Factors with pivoting. Returns -1, or a column of A that has no pivot: what is left of it is zero, rounding or not finite. Where memory does
 * not suffice it returns 0, and the info tells. Solve only after a success. */
int tml_lu_factor(TmlLu *lu, const TmlCsc *A);

/* Factors with the pivots of the last full factorisation, as long as the growth shows that these serve, and with new pivots otherwise. Returns
 * what tml_lu_factor returns. Nothing is allocated unless new pivots are needed. */
int tml_lu_refactor(TmlLu *lu, const TmlCsc *A);

/* Gives back the memory of the factors. The next factorisation takes it again, and keeps to the ordering of the last
 * one; solve only after that. */
void tml_lu_drop(TmlLu *lu);

/* Puts the solution in the place of the right side x. */
void tml_lu_solve(TmlLu *lu, double *x);

/* Returns the sign of the determinant of the matrix that was factored last: 1 or -1. */
int tml_lu_sign(const TmlLu *lu);

const TmlLuInfo *tml_lu_info(const TmlLu *lu);
