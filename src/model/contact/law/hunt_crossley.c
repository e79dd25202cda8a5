/* model/contact/law/hunt_crossley.c - a power of the depth with damping as a factor (Hunt, Crossley).
 *
 *   (HC1)  N = K d^n max(0, 1 + eta d')
 *
 * eta is given, or follows from a restitution as published, (R2): met above 0.9 only. The law that meets
 * every restitution is restitution.c.
 */
#include "base/fail.h"
#include "model/contact/law/restitution.h"

#include <math.h>

typedef struct HuntCrossleyData {
    double stiffness, exponent, foundation, damping, restitution, slowest;
    TmlAdhesion adhesion;
} HuntCrossleyData;

static TmlStatus hunt_crossley_check(const void *data, TmlError *err)
{
    const HuntCrossleyData *p = data;
    if (p->damping > 0.0 && p->restitution < 1.0) {
        return tml_fail(err, TML_E_MODEL, "damping and restitution exclude each other");
    }
    return tml_press_check(p->stiffness, p->foundation, p->exponent, &p->adhesion, err);
}

static TmlStatus hunt_crossley_suits(const void *data, unsigned touches, TmlError *err)
{
    const HuntCrossleyData *p = data;
    return tml_press_suits(p->stiffness, p->foundation, &p->adhesion, touches, err);
}

static bool hunt_crossley_pulls(const void *data)
{
    return ((const HuntCrossleyData *)data)->adhesion.force > 0.0;
}

static void hunt_crossley_press(const TmlPressIn *in, TmlPress *out)
{
    const HuntCrossleyData *p = in->data;
    const TmlPressSpring E = tml_press_spring(in, p->stiffness, p->exponent, p->foundation);
    const double h = 1.5 * (1.0 - p->restitution);                                   // (R2)
    tml_press_add_factor(in, &E, p->damping + h / fmax(in->entry, p->slowest), out); // (HC1)
    tml_press_add_adhesion(in, &p->adhesion, out);
}

static const TmlParam hunt_crossley_params[] = {
    TML_POWER_PARAMS(HuntCrossleyData),
    {"damping", TML_PARAM_REAL, TML_NONNEGATIVE, "s/m", offsetof(HuntCrossleyData, damping), "0",
     "eta: relative growth of the force per m/s of closing speed", NULL},
    {"restitution", TML_PARAM_REAL, TML_FRACTION, "", offsetof(HuntCrossleyData, restitution), "1",
     "instead of damping, as published: coefficient of restitution, reproduced only above 0.9",
     NULL},
    TML_SLOWEST_PARAM(HuntCrossleyData),
    TML_ADHESION_PARAMS(HuntCrossleyData, adhesion),
    {0},
};

TML_PRESS_TYPE(hunt_crossley) = {
    .info = {.name = "hunt_crossley",
             .text = "Stiffness times a power of the depth, times 1 + damping times closing speed.",
             .data_size = sizeof(HuntCrossleyData),
             .params = hunt_crossley_params,
             .example = "stiffness: 1e6, damping: 0.3 s/m"},
    .remembers_entry = true,
    .check = hunt_crossley_check,
    .suits = hunt_crossley_suits,
    .pulls = hunt_crossley_pulls,
    .press = hunt_crossley_press,
};
