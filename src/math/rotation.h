/* math/rotation.h - rotation vectors: exponential map, its derivative and their inverses.
 *
 * exp(theta) turns about theta by |theta|. With f = |theta|, for a motion theta(t) of a frame
 * A = exp(theta) A_0 (axes of the surroundings, from the left):
 *
 *   (R1)  omega = D(theta) theta',  D = 1 + a theta~ + b theta~ theta~,
 *         a = (1 - cos f) / f^2,  b = (f - sin f) / f^3
 *   (R2)  alpha = D theta'' + D' theta',
 *         D' theta' = a' theta x theta' + b' theta x (theta x theta') + b theta' x (theta x theta')
 *   (R3)  D^-1 = 1 - theta~/2 + c theta~ theta~,  c = (1 - (f/2) cot(f/2)) / f^2
 */
#pragma once

#include "math/vec3.h"

/* a, b of (R1) and their derivatives by f divided by f; series below 0.1 rad (error 1e-16). */
typedef struct TmlRotationCoeffs {
    double a, b, a1, b1;
} TmlRotationCoeffs;

static inline TmlRotationCoeffs rotation_coeffs(TmlVec3 theta)
{
    const double x = v3_dot(theta, theta), f = sqrt(x);
    TmlRotationCoeffs c;
    if (f < 0.1) {
        c.a = 0.5 - x / 24.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0)));
        c.b = 1.0 / 6.0 - x / 120.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0)));
        c.a1 = -1.0 / 12.0 + x / 180.0 * (1.0 - x / 37.33333333333333 * (1.0 - x / 60.0));
        c.b1 = -1.0 / 60.0 + x / 1260.0 * (1.0 - x / 48.0 * (1.0 - x / 73.33333333333333));
    } else {
        const double s = sin(f), co = cos(f);
        c.a = (1.0 - co) / x;
        c.b = (f - s) / (x * f);
        c.a1 = (s / f - 2.0 * c.a) / x;
        c.b1 = (c.a - 3.0 * c.b) / x;
    }
    return c;
}

/* D(theta) v */
static inline TmlVec3 rotation_rate(TmlVec3 theta, TmlVec3 v)
{
    const TmlRotationCoeffs c = rotation_coeffs(theta);
    const TmlVec3 tv = v3_cross(theta, v);
    return v3_axpy(c.b, v3_cross(theta, tv), v3_axpy(c.a, tv, v)); // (R1)
}

/* D' theta' */
static inline TmlVec3 rotation_bias(TmlVec3 theta, TmlVec3 theta1)
{
    const TmlRotationCoeffs c = rotation_coeffs(theta);
    const double f1 = v3_dot(theta, theta1);
    const TmlVec3 t1 = v3_cross(theta, theta1);
    TmlVec3 x = v3_scale(c.a1 * f1, t1); // (R2)
    x = v3_axpy(c.b1 * f1, v3_cross(theta, t1), x);
    return v3_axpy(c.b, v3_cross(theta1, t1), x);
}

/* D(theta)^-1 v, |theta| < 2 pi */
static inline TmlVec3 rotation_rate_inverse(TmlVec3 theta, TmlVec3 v)
{
    const double x = v3_dot(theta, theta), f = sqrt(x);
    const double c = f < 0.1 ? 1.0 / 12.0 + x / 720.0 * (1.0 + x / 42.0 * (1.0 + x / 40.0))
                             : (1.0 - 0.5 * f / tan(0.5 * f)) / x;
    const TmlVec3 tv = v3_cross(theta, v);
    return v3_axpy(c, v3_cross(theta, tv), v3_axpy(-0.5, tv, v)); // (R3)
}

/* Rotation vector of a unit quaternion, |theta| <= pi. */
static inline TmlVec3 rotation_log(TmlQuat p)
{
    const double sign = p.w < 0.0 ? -1.0 : 1.0;
    const TmlVec3 v = v3_scale(sign, v3(p.x, p.y, p.z));
    const double s = v3_norm(v), w = sign * p.w;
    const double half = atan2(s, w);
    return v3_scale(s > 1e-8 ? 2.0 * half / s : 2.0 / w, v);
}
