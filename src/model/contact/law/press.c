/* model/contact/law/press.c - parts that laws of contact share: press.h. */
#include "model/contact/law/press.h"

#include "base/fail.h"

#include <math.h>

TmlPressSpring tml_press_spring(const TmlPressIn *in, double K, double n, double foundation)
{
    const double d = in->depth;
    if (!(d > 0.0 || in->continued)) {
        return (TmlPressSpring){0};
    }
    if (in->size > 0.0) { // (P2)
        const double E = foundation * in->size;
        return (TmlPressSpring){.force = E, .by_size = foundation, .stored = E * d};
    }
    const double base = d >= 0.0 || n == floor(n) ? d : -d;                    // (P6)
    const double slope = n == 1.0 ? K : K * pow(base, n - 1.0), E = slope * d; // (P1)
    return (TmlPressSpring){.force = E, .by_depth = n * slope, .stored = E * d / (n + 1.0)};
}

TmlPressDamper tml_press_damper(const TmlPressIn *in, double c, double c_f)
{
    if (!(in->depth > 0.0 || in->continued)) {
        return (TmlPressDamper){0};
    }
    if (in->size > 0.0) {
        const double by_size = 0.5 * c_f / in->depth, all = by_size * in->size;
        return (TmlPressDamper){.c = all, .by_depth = -all / in->depth, .by_size = by_size};
    }
    return (TmlPressDamper){.c = c};
}

void tml_press_add_damper(const TmlPressIn *in, const TmlPressSpring *E, const TmlPressDamper *D,
                          bool pulls, TmlPress *out)
{
    const double N = E->force + D->c * in->rate;
    *out = (TmlPress){.stored = E->stored, .elastic = E->force};
    if (N > 0.0 || pulls || in->continued) {
        out->force = N;
        out->by_depth = E->by_depth + D->by_depth * in->rate;
        out->by_size = E->by_size + D->by_size * in->rate;
        out->by_rate = D->c;
        out->by_curvature[0] = E->by_curvature[0];
        out->by_curvature[1] = E->by_curvature[1];
    }
}

void tml_press_add_factor(const TmlPressIn *in, const TmlPressSpring *E, double eta, TmlPress *out)
{
    const double factor = 1.0 + eta * in->rate;
    *out = (TmlPress){.stored = E->stored, .elastic = E->force};
    if (factor > 0.0 || in->continued) {
        out->force = factor * E->force;
        out->by_depth = factor * E->by_depth;
        out->by_size = factor * E->by_size;
        out->by_rate = eta * E->force;
        out->by_curvature[0] = factor * E->by_curvature[0];
        out->by_curvature[1] = factor * E->by_curvature[1];
    }
}

void tml_press_add_adhesion(const TmlPressIn *in, const TmlAdhesion *a, TmlPress *out)
{
    if (!(a->force > 0.0 && (in->depth > 0.0 || in->continued))) {
        return;
    }
    const double w = fmin(in->depth / a->depth, 1.0), s = w * w * (3.0 - 2.0 * w);
    // the integral of s over the depth, to w = 1 and beyond
    const double sum = a->depth * w * w * w * (1.0 - 0.5 * w) + fmax(0.0, in->depth - a->depth);
    out->force -= a->force * s;
    out->elastic -= a->force * s;
    out->by_depth -= a->force * 6.0 * w * (1.0 - w) / a->depth;
    out->stored -= a->force * sum;
}

TmlStatus tml_press_check(double stiffness, double foundation, double exponent,
                          const TmlAdhesion *a, TmlError *err)
{
    if (!(stiffness > 0.0 || foundation > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "a law of contact needs stiffness > 0 (for points) or foundation > 0 (for "
                        "faces)");
    }
    if (!(exponent >= 1.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "exponent must be at least 1, got %.9g: below it the stiffness is infinite "
                        "where contact begins",
                        exponent);
    }
    if (a->force > 0.0 && !(stiffness > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "adhesion is a force of single points: it needs stiffness > 0");
    }
    if (a->force > 0.0 && !(a->depth > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "adhesion (%.9g N) needs adhesion_depth > 0, the depth at which it is full",
                        a->force);
    }
    return TML_OK;
}

TmlStatus tml_press_suits(double stiffness, double foundation, const TmlAdhesion *a,
                          unsigned touches, TmlError *err)
{
    if ((touches & TML_TOUCH_PATCHES) != 0 && !(foundation > 0.0)) {
        return tml_fail(
            err, TML_E_MODEL,
            "faces touch in patches: foundation (N/m^3, pressure a depth) must be given");
    }
    if ((touches & TML_TOUCH_PATCHES) != 0 && a->force > 0.0) {
        return tml_fail(err, TML_E_MODEL,
                        "faces touch in patches: adhesion is a force of single points only");
    }
    if ((touches & ~(unsigned)TML_TOUCH_PATCHES) != 0 && !(stiffness > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "the shapes touch in single points: stiffness must be given");
    }
    return TML_OK;
}

TmlStatus tml_slip_check(double mu_s, double mu_d, TmlError *err)
{
    if (mu_s > 0.0 && mu_s < mu_d) {
        return tml_fail(
            err, TML_E_MODEL,
            "static (%.9g) must not be smaller than dynamic (%.9g); without it they are "
            "the same",
            mu_s, mu_d);
    }
    return TML_OK;
}
