/* io/sweep/sweep.h - eigenvalues over a parameter: what its files share. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/sweep.h"

typedef struct TmlSweepPoint {
    double value;
    double noise; /* 1/s: rates below it are rounding */
    int n, depth; /* depth: how often the interval before it was halved */
    TmlMode *mode;
    int *branch;
} TmlSweepPoint;

struct TmlSweep {
    const TmlModel *model;
    TmlSweepOptions options;
    TmlArena arena;
    TmlSweepPoint *point;
    int n, cap, branches;
    TmlCrossing *crossing;
    int n_crossings, cap_crossings;
};

/* Eigenvalues at one value. */
TML_NODISCARD TmlStatus tml_sweep_evaluate(TmlSweep *w, double value, TmlSweepPoint *out,
                                           TmlError *err);

/* What the modes of a point go on as: match[i] is the mode of `to`, -1: none. before: the point before `from`, with
 * the modes `back` there of those of `from`; NULL: none. */
TML_NODISCARD TmlStatus tml_sweep_match(TmlArena *scratch, const TmlSweepPoint *before,
                                        const int *back, const TmlSweepPoint *from,
                                        const TmlSweepPoint *to, int *match, TmlError *err);

/* Give every mode its branch; more values where the number of unstable motions changes without a crossing. */
TML_NODISCARD TmlStatus tml_sweep_join(TmlSweep *w, TmlError *err);

TML_NODISCARD TmlStatus tml_sweep_cross(TmlSweep *w, TmlError *err);

int tml_sweep_count_unstable(const TmlSweepPoint *p);
