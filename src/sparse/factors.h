/* sparse/factors.h - what the factorisations of real and of complex matrices share: orderings,
 * pivots, the choice between the full and the fast way. Used by sparse/lu.c and sparse/zlu.c only.
 */
#pragma once

#include "base/block.h"
#include "sparse/lu.h"
#include "sparse/scales.h"

#include <klu.h>

enum { TML_FACTOR_PLANS = 4 };

/* KLU for one kind of numbers. */
typedef struct TmlKlu {
    int width; /* doubles of a number: 1, or 2 for complex ones */
    int plans; /* how many orderings are tried */
    klu_numeric *(*factor)(int *, int *, double *, klu_symbolic *, klu_common *);
    int (*refactor)(int *, int *, double *, klu_symbolic *, klu_numeric *, klu_common *);
    int (*rgrowth)(int *, int *, double *, klu_symbolic *, klu_numeric *, klu_common *);
    int (*solve)(klu_symbolic *, klu_numeric *, int, int, double *, klu_common *);
    int (*free_numeric)(klu_numeric **, klu_common *);
} TmlKlu;

typedef struct TmlFactorPlan {
    klu_common common;
    klu_symbolic *symbolic; /* NULL: not usable for this pattern */
} TmlFactorPlan;

typedef struct TmlLuFactors {
    const TmlKlu *klu;
    int n, nnz;
    TmlFactorPlan plan[TML_FACTOR_PLANS];
    int chosen;           /* plan in use, -1: none yet */
    klu_numeric *numeric; /* factors by the chosen plan; NULL: none */
    double growth; /* min over columns of max |a| / max |u|, of the last full factorisation */
    double growth_chosen; /* the growth when the plan was chosen */
    int entries_chosen;   /* entries of the matrix for which the plan was chosen */
    TmlLuPlan preferred;
    TmlScales scales;
    double *x;     /* width * nnz: the scaled matrix */
    double *size;  /* n: s_k */
    double *ratio; /* n: SHRINK |u_kk| / s_k of the last full factorisation, by pivots */
    int *position; /* n: workspace */
    TmlLuInfo info;
} TmlLuFactors;

/* For matrices with the pattern of A. After a failure too, tml_lu_factors_clear gives all back. */
TML_NODISCARD TmlStatus tml_lu_factors_init(TmlLuFactors *f, const TmlKlu *klu, const TmlCsc *A,
                                            TmlError *err);
/* The memory is given back; a later factorisation takes it again. */
void tml_lu_factors_clear(TmlLuFactors *f);

/* Factor the matrix with the pattern of A and the values z, with pivoting or with the pivots of the
 * last time when they still serve. Both return -1, or a column without a pivot. */
int tml_lu_factors_full(TmlLuFactors *f, const TmlCsc *A, const double *z);
int tml_lu_factors_fast(TmlLuFactors *f, const TmlCsc *A, const double *z);

void tml_lu_factors_predict(TmlLuFactors *f, const TmlCsc *A, double *multiplications,
                            double *entries);

void tml_lu_factors_solve(TmlLuFactors *f, double *x);

/* frozen.c: of blocks that begin with a TmlLuFactors, whose memory KLU has. */
extern const TmlBlockKind tml_lu_factors_kind;
