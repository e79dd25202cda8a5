/* model/contact/law/restitution.h - damping factors eta of (P4) by a coefficient of restitution.
 *
 * A mass that meets N = K d^n (1 + eta d') with the speed v leaves with e v. With h = eta v, for every
 * n, K and mass:
 *
 *   (R1)  h (1 + e) = ln[(1 + h) / (1 - h e)]             exact
 *   (R2)  h = 3/2 (1 - e)                                 Hunt and Crossley
 *   (R3)  h = 3/4 (1 - e^2)                               Lankarani and Nikravesh
 *   (R4)  h = 8/5 (1 - e) / e                             Flores and others
 *   (R5)  eta = h / max(v, slowest)
 *
 * (R1): with s = d', dE/dd = K d^n, s ds = -(K d^n / m) (1 + eta s) dd on the way in and out; the
 * integral of s / (1 + eta s) from v to 0 and from 0 to -e v must both be the same.
 */
#pragma once

#include "model/contact/law/press.h"

/* h of (R1) for 0 < e <= 1, to rounding; at 0 that of the least restitution, 1e-4. */
double tml_restitution_exact(double e);

/* Parameters of laws by restitution; data that begin with stiffness as in TML_POWER_PARAMS. */
typedef struct TmlBounceData {
    double stiffness, exponent, foundation, restitution, slowest;
    TmlAdhesion adhesion;
    double h; /* (R1), of the law `restitution` */
} TmlBounceData;

#define TML_SLOWEST_PARAM(Data)                                                                    \
    {                                                                                              \
        "slowest", TML_PARAM_REAL, TML_POSITIVE, "m/s", offsetof(Data, slowest), "0.01",           \
            "closing speed below which the damping does not increase any more", NULL               \
    }

/* The table of parameters, and the entries of such a law. */
extern const TmlParam tml_bounce_params[];
TmlStatus tml_bounce_check(const void *data, TmlError *err);
TmlStatus tml_bounce_suits(const void *data, unsigned touches, TmlError *err);
bool tml_bounce_pulls(const void *data);
void tml_bounce_press(const TmlPressIn *in, double h, TmlPress *out);

/* Fails where (R4) has no h: at restitution 0. */
TmlStatus tml_restitution_positive(double e, TmlError *err);
