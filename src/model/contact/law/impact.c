/* model/contact/law/impact.c - the function IMPACT of Adams: a damper that grows with the depth.
 *
 *   (I1)  N = max(0, K d^n + c S(d / d_max) d'),  S(w) = w^2 (3 - 2 w) for w < 1, else 1
 *
 * The middle of a patch is half as deep as its faces. While the shapes part, the derivative by the depth may be negative. With d_max far below the deepest
 * penetration the damper comes as a jump for the control of steps.
 */
#include "model/contact/law/press.h"

#include "base/fail.h"

#include <math.h>

typedef struct ImpactData {
    double stiffness, exponent, foundation, damping, foundation_damping, damping_depth;
    TmlAdhesion adhesion;
} ImpactData;

static TmlStatus impact_check(const void *data, TmlError *err)
{
    const ImpactData *p = data;
    TML_TRY(tml_press_check(p->stiffness, p->foundation, p->exponent, &p->adhesion, err));
    if ((p->damping > 0.0 || p->foundation_damping > 0.0) && !(p->damping_depth > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "damping needs damping_depth > 0, the depth at which it is full");
    }
    return TML_OK;
}

static TmlStatus impact_suits(const void *data, unsigned touches, TmlError *err)
{
    const ImpactData *p = data;
    return tml_press_suits(p->stiffness, p->foundation, &p->adhesion, touches, err);
}

static bool impact_pulls(const void *data)
{
    return ((const ImpactData *)data)->adhesion.force > 0.0;
}

static void impact_press(const TmlPressIn *in, TmlPress *out)
{
    const ImpactData *p = in->data;
    const TmlPressSpring E = tml_press_spring(in, p->stiffness, p->exponent, p->foundation);
    TmlPressDamper D = tml_press_damper(in, p->damping, p->foundation_damping);
    if (D.c > 0.0) { // (I1)
        const double full = in->size > 0.0 ? 0.5 * p->damping_depth : p->damping_depth;
        const double w = fmin(in->depth / full, 1.0), S = w * w * (3.0 - 2.0 * w);
        D.by_depth = S * D.by_depth + 6.0 * w * (1.0 - w) / full * D.c;
        D.by_size *= S;
        D.c *= S;
    }
    tml_press_add_damper(in, &E, &D, false, out);
    tml_press_add_adhesion(in, &p->adhesion, out);
}

static const TmlParam impact_params[] = {
    TML_POWER_PARAMS(ImpactData),
    TML_DAMPER_PARAMS(ImpactData),
    {"damping_depth", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(ImpactData, damping_depth),
     "0", "depth at which the damping is full", NULL},
    TML_ADHESION_PARAMS(ImpactData, adhesion),
    {0},
};

TML_PRESS_TYPE(impact) = {
    .info = {.name = "impact",
             .text = "The function IMPACT of Adams: a power of the depth, and damping that grows "
                     "with the depth.",
             .data_size = sizeof(ImpactData),
             .params = impact_params,
             .example = "stiffness: 1e6, damping: 50 N s/m, damping_depth: 1 mm"},
    .check = impact_check,
    .suits = impact_suits,
    .pulls = impact_pulls,
    .press = impact_press,
};
