/* io/locus/locus.h - eigenvalues over a parameter: what its files share. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/locus.h"

typedef struct TmlLocusPoint {
    double value;
    double noise; /* 1/s: rates below it are rounding */
    int n, depth; /* depth: how often the interval before it was halved */
    TmlMode *mode;
    int *branch;
} TmlLocusPoint;

struct TmlLocus {
    const TmlModel *model;
    TmlLocusOptions options;
    TmlArena arena;
    TmlLocusPoint *point;
    int n, cap, branches;
    TmlCrossing *crossing;
    int n_crossings, cap_crossings;
};

/* Eigenvalues at one value. */
TML_NODISCARD TmlStatus tml_locus_evaluate(TmlLocus *w, double value, TmlLocusPoint *out,
                                           TmlError *err);

/* What the modes of a point go on as: match[i] is the mode of `to`, -1: none. before: the point before `from`, with
 * the modes `back` there of those of `from`; NULL: none. */
TML_NODISCARD TmlStatus tml_locus_match(TmlArena *scratch, const TmlLocusPoint *before,
                                        const int *back, const TmlLocusPoint *from,
                                        const TmlLocusPoint *to, int *match, TmlError *err);

/* Give every mode its branch; more values where the number of unstable motions changes without a crossing. */
TML_NODISCARD TmlStatus tml_locus_join(TmlLocus *w, TmlError *err);

TML_NODISCARD TmlStatus tml_locus_cross(TmlLocus *w, TmlError *err);

int tml_locus_count_unstable(const TmlLocusPoint *p);
