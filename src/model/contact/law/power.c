/* model/contact/law/power.c - a power of the depth with a damper beside it.
 *
 *   (PW1)  N = max(0, K d^n + c d')
 *
 * As with `linear`, the damper sets in with the full closing speed; `impact` lets it grow.
 */
#include "model/contact/law/press.h"

typedef struct PowerData {
    double stiffness, exponent, foundation, damping, foundation_damping;
    TmlAdhesion adhesion;
} PowerData;

static TmlStatus power_check(const void *data, TmlError *err)
{
    const PowerData *p = data;
    return tml_press_check(p->stiffness, p->foundation, p->exponent, &p->adhesion, err);
}

static TmlStatus power_suits(const void *data, unsigned touches, TmlError *err)
{
    const PowerData *p = data;
    return tml_press_suits(p->stiffness, p->foundation, &p->adhesion, touches, err);
}

static bool power_pulls(const void *data)
{
    return ((const PowerData *)data)->adhesion.force > 0.0;
}

static bool power_jumps(const void *data)
{
    const PowerData *p = data;
    return p->damping > 0.0 || p->foundation_damping > 0.0;
}

static void power_press(const TmlPressIn *in, TmlPress *out)
{
    const PowerData *p = in->data;
    const TmlPressSpring E = tml_press_spring(in, p->stiffness, p->exponent, p->foundation);
    const TmlPressDamper D = tml_press_damper(in, p->damping, p->foundation_damping);
    tml_press_add_damper(in, &E, &D, false, out); // (PW1)
    tml_press_add_adhesion(in, &p->adhesion, out);
}

static const TmlParam power_params[] = {
    TML_POWER_PARAMS(PowerData),
    TML_DAMPER_PARAMS(PowerData),
    TML_ADHESION_PARAMS(PowerData, adhesion),
    {0},
};

TML_PRESS_TYPE(power) = {
    .info = {.name = "power",
             .text = "Stiffness times a power of the depth, plus damping times closing speed.",
             .data_size = sizeof(PowerData),
             .params = power_params,
             .example = "stiffness: 1e6, exponent: 2, damping: 10 N s/m"},
    .check = power_check,
    .suits = power_suits,
    .pulls = power_pulls,
    .jumps = power_jumps,
    .press = power_press,
};
