/* system/coordinates/renewal.h - when the kept factors of a closure are renewed.
 *
 * Coordinates are closed by a simplified Newton iteration down to rounding. Its factors are kept
 * from closure to closure, as they serve while the mechanism has moved little:
 *
 *   (N1)  closed when a correction is below rounding, or the next one will be: the gain, its size
 *         over that of the one before, times the size
 *   (N2)  new factors at once when a correction gained less than a factor of 3, four times at most
 *   (N3)  closed, too, when corrections stop shrinking at what is rounding in a bad position
 *   (N4)  new factors before anything else when a coordinate has changed by 0.02: they might still
 *         close, but their tangent and what they say about wear would be of the past
 *
 * Factors that close slowly, but close, are kept: new ones from a gain of 0.003 on save a tenth to a
 * quarter of the corrections of tlismni-hht (four-bar, Andrews, Bricard) and cost as much: 1 to 3 %
 * fewer instructions, and 0 to 2 % more of adams.
 */
#pragma once

#include <stdbool.h>

typedef enum TmlRenewalVerdict {
    TML_CLOSURE_GOES_ON,
    TML_CLOSURE_RENEWS, /* (N2) */
    TML_CLOSURE_FAILED,
    TML_CLOSURE_DONE /* (N1) or (N3): the factors are kept */
} TmlRenewalVerdict;

/* One closure. */
typedef struct TmlRenewal {
    double floor; /* rounding of what is closed */
    int renewals; /* of its factors so far: 1 where it begins with new ones */
    int n;        /* corrections so far */
    double last;  /* size of the last one */
} TmlRenewal;

/* After a correction of this size, which is finite. */
TmlRenewalVerdict tml_renewal_judge(TmlRenewal *r, double size);

/* (N4) of one coordinate that changed by this much; unit: the length of the model, one for angles
 * and Euler parameters. */
bool tml_renewal_is_far(double change, double unit);
