/* io/report/thinning.h - which rows of a table may be left out when lines are drawn between the others.
 *
 * From the last row that is kept, every row in between narrows the slopes that pass it within its
 * bound; a row can end the line as long as its own slope is among them. One pass, memory of a few
 * rows:
 *     tml_cone_start(c, t, x);                         the first row is kept
 *     for each row: if (!tml_cone_fits(c, t, x)) { keep the row before; start there }
 *                   tml_cone_take(c, t, x);
 *     keep the last row
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"

typedef struct TmlCone {
    size_t n;
    double t;           /* of the row that is kept */
    double *x;          /* its values */
    double *low, *high; /* slopes that pass all rows since */
    double *bound;      /* n: set by the caller; how far a value may be off */
} TmlCone;

TML_NODISCARD TmlStatus tml_cone_init(TmlCone *c, TmlArena *arena, size_t n, TmlError *err);
void tml_cone_start(TmlCone *c, double t, const double *x); /* x NULL: zeros */
bool tml_cone_fits(const TmlCone *c, double t, const double *x);
void tml_cone_take(TmlCone *c, double t, const double *x);
