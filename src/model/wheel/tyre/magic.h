/* model/wheel/tyre/magic.h - the magic formula and its secant.
 *
 *   (G1)  y(x) = D sin(C atan(B x - E (B x - atan(B x)))) + S_v at x = slip + S_h
 *   (G2)  psi = (y(slip) - y(0)) / (K slip)
 *
 * Near zero slip the quotient loses its digits; between -1e-5 and 1e-5 psi is a straight line between its values there. It is
 * wrong by 1e-10 of its curvature, and its slope by 1e-5 of that.
 *
 *   (G3)  |x| for |x| >= w, else w u^2 (3 - 3 u + u^2), u = |x| / w: the amount of a camber
 *
 * The value, slope and second derivative of (G3) are those of |x| at w, and it is zero at zero.
 */
#pragma once

#include "math/dual6.h"

typedef struct TmlMagic {
    Dual B, C, D, E, shift_h, shift_v;
} TmlMagic;

/* f: y by slip; data: what f is given. Both secants by the initial slope K. */
typedef Dual (*TmlSlipCurve)(const void *data, Dual slip);

Dual tml_magic(const TmlMagic *m, Dual slip);
/* (G3) */
Dual tml_amount(Dual x, double width);
Dual tml_secant(TmlSlipCurve f, const void *data, Dual slip, Dual zero, Dual K);
