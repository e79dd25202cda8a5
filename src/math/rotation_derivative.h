/* math/rotation_derivative.h - derivatives of the maps of math/rotation.h by the rotation vector.
 *
 *   (R4)  d(D v) = a1 (theta . d) theta x v + a d x v + b1 (theta . d) theta x (theta x v)
 *                  + b (d x (theta x v) + theta x (d x v))                          d = dtheta
 *   (R5)  the same of D' theta', which needs a2 = a1' / f, b2 = b1' / f
 */
#pragma once

#include "math/rotation.h"

/* a2, b2; series below 0.3 rad, whose first term left out is 4e-15 of the sum. */
typedef struct TmlRotationSecond {
    double a, b;
} TmlRotationSecond;

static inline TmlRotationSecond rotation_second(TmlVec3 theta, const TmlRotationCoeffs *c)
{
    const double x = v3_dot(theta, theta), f = sqrt(x);
    if (f < 0.3) {
        return (TmlRotationSecond){
            1.0 / 90.0 -
                x / 1680.0 * (1.0 - x / 45.0 * (1.0 - x / 79.2 * (1.0 - x / 121.3333333333333))),
            1.0 / 630.0 - x / 15120.0 * (1.0 - x / 55.0 * (1.0 - x / 93.6 * (1.0 - x / 140.0)))};
    }
    return (TmlRotationSecond){((cos(f) - sin(f) / f) / x - 4.0 * c->a1) / x,
                               (c->a1 - 5.0 * c->b1) / x};
}

/* Derivative of D(theta) v by theta along d. (R4) */
static inline TmlVec3 rotation_rate_change(TmlVec3 theta, const TmlRotationCoeffs *c, TmlVec3 v,
                                           TmlVec3 d)
{
    const double td = v3_dot(theta, d);
    const TmlVec3 tv = v3_cross(theta, v), dv = v3_cross(d, v);
    TmlVec3 x = v3_axpy(c->a1 * td, tv, v3_scale(c->a, dv));
    x = v3_axpy(c->b1 * td, v3_cross(theta, tv), x);
    return v3_axpy(c->b, v3_add(v3_cross(d, tv), v3_cross(theta, dv)), x);
}

/* Derivative of D' theta' by theta along d. (R5) */
static inline TmlVec3 rotation_bias_change(TmlVec3 theta, const TmlRotationCoeffs *c,
                                           TmlVec3 theta1, TmlVec3 d)
{
    const TmlRotationSecond s = rotation_second(theta, c);
    const double f1 = v3_dot(theta, theta1), td = v3_dot(theta, d), t1d = v3_dot(theta1, d);
    const TmlVec3 t1 = v3_cross(theta, theta1), d1 = v3_cross(d, theta1);
    TmlVec3 x = v3_scale(s.a * td * f1 + c->a1 * t1d, t1);
    x = v3_axpy(c->a1 * f1, d1, x);
    x = v3_axpy(s.b * td * f1 + c->b1 * t1d, v3_cross(theta, t1), x);
    x = v3_axpy(c->b1 * f1, v3_add(v3_cross(d, t1), v3_cross(theta, d1)), x);
    x = v3_axpy(c->b1 * td, v3_cross(theta1, t1), x);
    return v3_axpy(c->b, v3_cross(theta1, d1), x);
}

/* Derivative of D' theta' by theta' along d. (R5) */
static inline TmlVec3 rotation_bias_rate_change(TmlVec3 theta, const TmlRotationCoeffs *c,
                                                TmlVec3 theta1, TmlVec3 d)
{
    const double f1 = v3_dot(theta, theta1), td = v3_dot(theta, d);
    const TmlVec3 t1 = v3_cross(theta, theta1), dt = v3_cross(theta, d);
    TmlVec3 x = v3_axpy(c->a1 * td, t1, v3_scale(c->a1 * f1, dt));
    x = v3_axpy(c->b1 * td, v3_cross(theta, t1), x);
    x = v3_axpy(c->b1 * f1, v3_cross(theta, dt), x);
    return v3_axpy(c->b, v3_add(v3_cross(d, t1), v3_cross(theta1, dt)), x);
}
