/* system/coordinates/renewal.c - see renewal.h. */
#include "system/coordinates/renewal.h"

#include <float.h>
#include <math.h>

enum { RENEWALS = 4 }; /* (N2) */

static const double failing_rate = 0.3;  // (N2): renew at once
static const double stalled_rate = 0.5;  // (N3)
static const double noise = 1e-11;       // (N3): corrections below may be rounding
static const double far_distance = 0.02; // (N4): lengths of the model, rad, Euler parameters

TmlRenewalVerdict tml_renewal_judge(TmlRenewal *r, double size)
{
    const double gain = r->n > 0 ? size / r->last : 1.0;
    const bool first = r->n == 0;
    r->n++;
    r->last = size;
    if (size <= r->floor || gain * size <= r->floor) {
        return TML_CLOSURE_DONE; // (N1)
    }
    if (first || gain <= failing_rate) {
        return TML_CLOSURE_GOES_ON;
    }
    if (gain > stalled_rate && size <= noise * fmax(r->floor / DBL_EPSILON, 1.0)) {
        return TML_CLOSURE_DONE; // (N3)
    }
    if (r->renewals >= RENEWALS) {
        return TML_CLOSURE_FAILED;
    }
    r->renewals++;
    return TML_CLOSURE_RENEWS; // (N2)
}

bool tml_renewal_is_far(double change, double unit)
{
    return fabs(change) > far_distance * unit;
}
