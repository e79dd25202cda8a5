/* reduce/basis/modes.h - the modes of a reduced part: its basis without rigid motion, made orthogonal.
 *
 * Mean axes: rigid motion is known by the motion c of the interfaces that goes with it, exactly; with
 * Z a basis of what is orthogonal to M c,
 *
 *     Z^T K Z y = w^2 Z^T M Z y,   modes V Z y                                                (MD1)
 *
 * A frame at an interface: rigid motion is added to each mode so that the interface stands still, and
 * the modes are made orthogonal again. Both have unit modal mass and the same number of modes.
 */
#pragma once

#include "reduce/basis/basis.h"

typedef struct TmlModes {
    TmlArena arena;
    const TmlTied *t;
    int m;
    double *V;      /* t->n x m */
    double *w2;     /* m: squares of circular frequencies, ascending */
    bool *physical; /* m: with half the modes it changes by less than 1 % */
} TmlModes;

/* frame: an interface that the part's frame is fixed to; -1: mean axes. */
TML_NODISCARD TmlStatus tml_modes_create(const TmlBasis *b, int frame, TmlModes *out,
                                         TmlError *err);
void tml_modes_free(TmlModes *m);
