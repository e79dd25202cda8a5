/* sparse/factors.h - what the factorisations of real and of complex matrices share: orderings, pivots, and the choice between the full and
 * the fast way. Only sparse/lu.c and sparse/zlu.c use it.
 */
#pragma once

#include "base/block.h"
#include "sparse/lu.h"
#include "sparse/scales.h"

#include <klu.h>

enum { TML_FACTOR_PLANS = 4 };

/* KLU for one kind of numbers. */
typedef struct TmlKlu {
    int width; /* how many doubles a number has: 1, or 2 if it is complex */
    int plans; /* how many orderings are tried */
    klu_numeric *(*factor)(int *, int *, double *, klu_symbolic *, klu_common *);
    int (*refactor)(int *, int *, double *, klu_symbolic *, klu_numeric *, klu_common *);
    int (*rgrowth)(int *, int *, double *, klu_symbolic *, klu_numeric *, klu_common *);
    int (*solve)(klu_symbolic *, klu_numeric *, int, int, double *, klu_common *);
    int (*free_numeric)(klu_numeric **, klu_common *);
} TmlKlu;

typedef struct TmlFactorPlan {
    klu_common common;
    klu_symbolic *symbolic; /* NULL: the ordering cannot be used for this pattern */
} TmlFactorPlan;

typedef struct TmlLuFactors {
    const TmlKlu *klu;
    int n, nnz;
    TmlFactorPlan plan[TML_FACTOR_PLANS];
    int chosen;           /* the plan that is in use; -1: none was chosen yet */
    klu_numeric *numeric; /* the factors by the chosen plan; NULL: there are none */
    double
        growth; /* the least of max |a| / max |u| over the columns, in the last full factorisation */
    double growth_chosen; /* the growth when the plan was chosen */
    int entries_chosen;   /* how many entries the matrix had for which the plan was chosen */
    TmlLuPlan preferred;  /* the plan of a pattern that is nearly the same, which is tried first */
    TmlScales scales;
    double *x;    /* width * nnz: the scaled matrix */
    double *size; /* n: the size s_k of what a pivot is made of */
    double
        *ratio; /* n: SHRINK |u_kk| / s_k of the last full factorisation, in the order of pivots */
    int *position; /* n: workspace */
    TmlLuInfo info;
} TmlLuFactors;

/* Prepares factorisations of matrices with the pattern of A. tml_lu_factors_clear gives all memory back, also after a failure. */
TML_NODISCARD TmlStatus tml_lu_factors_init(TmlLuFactors *f, const TmlKlu *klu, const TmlCsc *A,
                                            TmlError *err);
/* Gives the memory back. A later factorisation takes it again. */
void tml_lu_factors_clear(TmlLuFactors *f);

/* Factors the matrix with the pattern of A and the values z: `full` with new pivots, `fast` with the last pivots as long as these serve. Both
 * return -1, or a column that has no pivot. */
int tml_lu_factors_full(TmlLuFactors *f, const TmlCsc *A, const double *z);
int tml_lu_factors_fast(TmlLuFactors *f, const TmlCsc *A, const double *z);

void tml_lu_factors_predict(TmlLuFactors *f, const TmlCsc *A, double *multiplications,
                            double *entries);

void tml_lu_factors_solve(TmlLuFactors *f, double *x);

/* frozen.c: the kind of blocks that begin with a TmlLuFactors, whose memory belongs to KLU. */
extern const TmlBlockKind tml_lu_factors_kind;
