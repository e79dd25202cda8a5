/* model/wheel/tyre/magic.c - the magic formula and its secant; see magic.h. */
#include "model/wheel/tyre/magic.h"

static Dual arctan(Dual a)
{
    return d6_function(a, atan(a.x), 1.0 / (1.0 + a.x * a.x));
}

static Dual sine(Dual a)
{
    return d6_function(a, sin(a.x), cos(a.x));
}

Dual tml_magic(const TmlMagic *m, Dual slip)
{
    const Dual x = d6_mul(m->B, d6_add(slip, m->shift_h));
    const Dual inner = d6_sub(x, d6_mul(m->E, d6_sub(x, arctan(x))));
    return d6_add(d6_mul(m->D, sine(d6_mul(m->C, arctan(inner)))), m->shift_v); // (G1)
}

Dual tml_secant(TmlSlipCurve f, const void *data, Dual slip, Dual zero, Dual K)
{
    static const double near = 1e-5;
    if (slip.x >= near || slip.x <= -near) {
        return d6_div(d6_sub(f(data, slip), zero), d6_mul(K, slip)); // (G2)
    }
    const Dual right = d6_div(d6_sub(f(data, d6(near)), zero), d6_scale(near, K));
    const Dual left = d6_div(d6_sub(f(data, d6(-near)), zero), d6_scale(-near, K));
    const Dual part = d6_linear(0.5, 0.5 / near, slip);
    return d6_add(d6_mul(part, right), d6_mul(d6_linear(1.0, -1.0, part), left));
}

Dual tml_amount(Dual x, double width)
{
    const double u = fabs(x.x) / width, sign = x.x < 0.0 ? -1.0 : 1.0;
    if (u >= 1.0) {
        return d6_scale(sign, x);
    }
    return d6_function(x, width * u * u * (3.0 - 3.0 * u + u * u),
                       sign * u * (6.0 - 9.0 * u + 4.0 * u * u)); // (G3)
}
