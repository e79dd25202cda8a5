/* model/wheel/wheel_pair.h - forces between a wheel and what carries it, by few numbers.
 *
 * A wheel on a surface is described in axes that move with the first end, those of the surface: the place of its
 * centre c, the direction of its axle s, the velocity v of the centre and the spin w, both seen from there. How far the wheel
 * has turned about its axle does not matter. What a wheel does is a function of these and of its own unknowns u, and is
 * written once in dual numbers; here its derivatives by the motions of both ends are made of those by the six numbers of each group.
 *
 *   (W1)  c = A^T d - o,  d = r_1 - r_0;   s = A^T z_1;   v = A^T (v_1 - v_0 - omega_0 x d);   w = A^T (omega_1 - omega_0)
 *   (W2)  dc = A^T (dr_1 - dr_0 - dtheta_0 x d),   ds = A^T ((dtheta_1 - dtheta_0) x z_1)
 *   (W3)  dv = A^T (dv_1 - dv_0 - domega_0 x d - omega_0 x (dr_1 - dr_0) - dtheta_0 x v),  v in global axes
 *         dw = A^T (domega_1 - domega_0 - dtheta_0 x w)
 *   (W4)  force F = A f and torque T = A m on the wheel about its centre; on the other end -F and -(T + d x F)
 */
#pragma once

#include "math/dual6.h"
#include "trammel/element.h"

enum { WHEEL_OWN = 6, WHEEL_OUT = 68 };

typedef struct TmlWheelIn {
    DualVec c, s, v, w;
    Dual u[WHEEL_OWN];
    const double *memory; /* of the element */
} TmlWheelIn;

/* What is asked of a wheel: out[0..2] the force on it, out[3..5] its moment about the centre, in axes of the surface, and
 * n_out - 6 further values. */
typedef struct TmlWheelModel {
    int n_out, n_own;
    void (*eval)(const void *data, const TmlWheelIn *in, bool derivatives, Dual out[WHEEL_OUT]);
    /* Axes and origin of the surface in those of the first end. */
    void (*place)(const void *data, TmlMat33 *R, TmlVec3 *o);
} TmlWheelModel;

void tml_wheel_wrench(const TmlWheelModel *model, const TmlElementIn *in, TmlRow *w);
void tml_wheel_tangent(const TmlWheelModel *model, const TmlElementIn *in, double *Kq, double *Kv);
void tml_wheel_f_map(const TmlWheelModel *model, const TmlElementIn *in, TmlRow *P);
/* Values behind the wrench. */
void tml_wheel_output(const TmlWheelModel *model, const TmlElementIn *in, double *value);
void tml_wheel_output_tangent(const TmlWheelModel *model, const TmlElementIn *in, TmlRow *Oq,
                              TmlRow *Ov, double *Of);
