/* analysis/driver/bracket.h - two sizes of a step with what is looked for between them: the next to try.
 *
 *   (K1)  h <- h_0 - d_0 (h_1 - h_0) / (d_1 - d_0)        secant; the kept end's d is halved when it
 *         is kept twice (Illinois)
 *
 * Where two tries have not halved the bracket the next one does, and where d_0 is not known (0).
 */
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct TmlBracket {
    double h0, d0, h1,
        d1;    /* a step that ends before and one that ends behind, with their distances */
    int kept;  /* the end that stayed at the last try: -1 the first, 1 the second */
    int slow;  /* how many tries there were since the bracket was halved */
    double of; /* the width of the bracket when it was halved */
} TmlBracket;

/* Returns the step by (K1), at least a hundredth of the bracket away from its ends. */
static inline double tml_bracket_next(TmlBracket *b)
{
    const double width = b->h1 - b->h0;
    if (width <= 0.5 * b->of) {
        b->of = width;
        b->slow = 0;
    }
    const bool secant = b->slow++ < 2 && b->d0 != 0.0;
    const double x = secant ? b->h0 - b->d0 * width / (b->d1 - b->d0) : b->h0 + 0.5 * width;
    return fmin(fmax(x, b->h0 + 0.01 * width), b->h1 - 0.01 * width);
}

/* Takes the distance d at the end of the step h; one that is not finite counts as before, unknown. */
static inline void tml_bracket_narrow(TmlBracket *b, double h, double d)
{
    const bool behind = b->d1 < 0.0 ? d < 0.0 : d > 0.0;
    if (behind) {
        b->h1 = h;
        b->d1 = d;
        b->d0 *= b->kept == -1 ? 0.5 : 1.0;
    } else {
        b->h0 = h;
        b->d0 = isfinite(d) ? d : 0.0;
        b->d1 *= b->kept == 1 ? 0.5 : 1.0;
    }
    b->kept = behind ? -1 : 1;
}
