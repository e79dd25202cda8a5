/* model/contact/law/bounce.c - what the laws by a coefficient of restitution share: restitution.h. */
#include "model/contact/law/restitution.h"

#include "base/fail.h"

#include <math.h>

/* Near e = 1 both sides of (R1) are small: the sum of h^(k-2) ((-1)^k - e^k) / k, k = 2 to 9, is
 * their difference over h^2; what is left out is below 1e-14 for h < 0.016. */
static double by_series(double e)
{
    double h = 1.5 * (1.0 - e);
    for (int iteration = 0; iteration < 4; ++iteration) {
        double f = 0.0, slope = 0.0, power = 1.0, sign = 1.0, e_k = e * e;
        for (int k = 2; k <= 9; ++k) {
            const double c = (sign - e_k) / k;
            f += c * power;
            slope += k > 2 ? (k - 2) * c * power / h : 0.0;
            power *= h;
            e_k *= e;
            sign = -sign;
        }
        h -= f / slope;
    }
    return h;
}

/* For a small e, h is next to 1 / e: the unknown is ln y, y = 1 - h e. */
static double by_logarithm(double e)
{
    double y = (1.0 + 1.0 / e) * exp(-(1.0 + e) / e), h = (1.0 - y) / e;
    for (int iteration = 0; iteration < 6 && y > 1e-17; ++iteration) {
        const double f = h * (1.0 + e) - log1p(h) + log(y);
        const double slope = 1.0 - y / e * (1.0 + e - 1.0 / (1.0 + h));
        y *= exp(-f / slope);
        h = (1.0 - y) / e;
    }
    return h;
}

/* What a collision of restitution 0 leaves of the speed: the damping of (R1) grows as 1 / e, and so does the time in
 * which a thing that was stopped sinks to its place of rest, e^-1 depths over the speed. */
static const double least_restitution = 1e-4;

double tml_restitution_exact(double e)
{
    e = e > 0.0 ? e : least_restitution;
    if (!(e < 1.0)) {
        return 0.0;
    }
    if (e > 0.99) {
        return by_series(e);
    }
    if (e < 0.25) {
        return by_logarithm(e);
    }
    // the guess is off by less than 1 %: four corrections of Newton reach rounding
    double h = (1.0 - e) / e * (1.5 - 0.5 * pow(1.0 - e, 3.0));
    for (int iteration = 0; iteration < 4; ++iteration) {
        const double f = h * (1.0 + e) - log1p(h) + log1p(-h * e);
        h -= f / (1.0 + e - 1.0 / (1.0 + h) - e / (1.0 - h * e));
    }
    return h;
}

TmlStatus tml_restitution_positive(double e, TmlError *err)
{
    if (!(e > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "restitution must be above 0: the damping of this law grows without bounds "
                        "there; the law 'restitution' takes 0");
    }
    return TML_OK;
}

const TmlParam tml_bounce_params[] = {
    TML_POWER_PARAMS(TmlBounceData),
    {"restitution", TML_PARAM_REAL, TML_FRACTION, "", offsetof(TmlBounceData, restitution), NULL,
     "speed after a collision over the speed before it", NULL},
    TML_SLOWEST_PARAM(TmlBounceData),
    TML_ADHESION_PARAMS(TmlBounceData, adhesion),
    {0},
};

TmlStatus tml_bounce_check(const void *data, TmlError *err)
{
    const TmlBounceData *p = data;
    return tml_press_check(p->stiffness, p->foundation, p->exponent, &p->adhesion, err);
}

TmlStatus tml_bounce_suits(const void *data, unsigned touches, TmlError *err)
{
    const TmlBounceData *p = data;
    return tml_press_suits(p->stiffness, p->foundation, &p->adhesion, touches, err);
}

bool tml_bounce_pulls(const void *data)
{
    return ((const TmlBounceData *)data)->adhesion.force > 0.0;
}

void tml_bounce_press(const TmlPressIn *in, double h, TmlPress *out)
{
    const TmlBounceData *p = in->data;
    const TmlPressSpring E = tml_press_spring(in, p->stiffness, p->exponent, p->foundation);
    tml_press_add_factor(in, &E, h / fmax(in->entry, p->slowest), out); // (R5)
    tml_press_add_adhesion(in, &p->adhesion, out);
}
