/* model/contact/law/linear.c - a spring with a damper beside it (Kelvin, Voigt).
 *
 *   (L1)  N = max(0, k d + c d')        without the max where it may pull
 *   (L2)  N = max(0, k_f V + c_f V / (2 d) d')     a piece of a patch
 *
 * The damper sets in with the full closing speed, so that the force jumps where contact begins; `impact`
 * with exponent 1 lets it grow.
 */
#include "model/contact/law/press.h"

typedef struct LinearData {
    double stiffness, damping, foundation, foundation_damping;
    TmlAdhesion adhesion;
    bool pull;
} LinearData;

static TmlStatus linear_check(const void *data, TmlError *err)
{
    const LinearData *p = data;
    return tml_press_check(p->stiffness, p->foundation, 1.0, &p->adhesion, err);
}

static TmlStatus linear_suits(const void *data, unsigned touches, TmlError *err)
{
    const LinearData *p = data;
    return tml_press_suits(p->stiffness, p->foundation, &p->adhesion, touches, err);
}

static bool linear_pulls(const void *data)
{
    const LinearData *p = data;
    return p->pull || p->adhesion.force > 0.0;
}

static bool linear_jumps(const void *data)
{
    const LinearData *p = data;
    return p->damping > 0.0 || p->foundation_damping > 0.0;
}

static void linear_press(const TmlPressIn *in, TmlPress *out)
{
    const LinearData *p = in->data;
    const TmlPressSpring E = tml_press_spring(in, p->stiffness, 1.0, p->foundation);
    const TmlPressDamper D = tml_press_damper(in, p->damping, p->foundation_damping);
    tml_press_add_damper(in, &E, &D, p->pull, out); // (L1), (L2)
    tml_press_add_adhesion(in, &p->adhesion, out);
}

static const TmlParam linear_params[] = {
    {"stiffness", TML_PARAM_REAL, TML_NONNEGATIVE, "N/m", offsetof(LinearData, stiffness), "0",
     "force per depth of a single point", NULL},
    {"foundation", TML_PARAM_REAL, TML_NONNEGATIVE, "N/m^3", offsetof(LinearData, foundation), "0",
     "pressure per depth, for faces", NULL},
    TML_DAMPER_PARAMS(LinearData),
    {"pull", TML_PARAM_BOOL, TML_ANY, "", offsetof(LinearData, pull), "false",
     "whether the damper may pull when the shapes separate", NULL},
    TML_ADHESION_PARAMS(LinearData, adhesion),
    {0},
};

TML_PRESS_TYPE(linear) = {
    .info = {.name = "linear",
             .text = "Spring and damper: stiffness times depth plus damping times closing speed.",
             .data_size = sizeof(LinearData),
             .params = linear_params,
             .example = "stiffness: 1e6 N/m, damping: 200 N s/m"},
    .check = linear_check,
    .suits = linear_suits,
    .pulls = linear_pulls,
    .jumps = linear_jumps,
    .press = linear_press,
};
