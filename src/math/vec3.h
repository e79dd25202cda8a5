/* math/vec3.h - vectors, 3x3 matrices and quaternions, by value.
 *
 * Conventions: right-handed axes; radians; matrices by columns (cx, cy, cz); quaternions scalar
 * first, unit unless said otherwise, rotating as x_g = A(p) x_b; a~ is the skew matrix with
 * a~ b = a x b. All functions are inline and have no linkage, so formulas stay legible.
 */
#pragma once

#include "trammel/types.h"

#include <math.h>

static inline TmlVec3 v3(double x, double y, double z)
{
    return (TmlVec3){x, y, z};
}

static inline TmlVec3 v3_add(TmlVec3 a, TmlVec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline TmlVec3 v3_sub(TmlVec3 a, TmlVec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline TmlVec3 v3_neg(TmlVec3 a)
{
    return v3(-a.x, -a.y, -a.z);
}

static inline TmlVec3 v3_scale(double s, TmlVec3 a)
{
    return v3(s * a.x, s * a.y, s * a.z);
}

/* a + s b */
static inline TmlVec3 v3_axpy(double s, TmlVec3 b, TmlVec3 a)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double v3_dot(TmlVec3 a, TmlVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline TmlVec3 v3_cross(TmlVec3 a, TmlVec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_norm(TmlVec3 a)
{
    return sqrt(v3_dot(a, a));
}

/* a / |a|; a zero vector stays zero. */
static inline TmlVec3 v3_unit(TmlVec3 a)
{
    const double n = v3_norm(a);
    return n > 0.0 ? v3_scale(1.0 / n, a) : a;
}

static inline bool v3_finite(TmlVec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* --- matrices ------------------------------------------------------------------------------ */

static inline TmlMat33 m3_identity(void)
{
    return (TmlMat33){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

static inline TmlMat33 m3_diag(double x, double y, double z)
{
    return (TmlMat33){{x, 0, 0}, {0, y, 0}, {0, 0, z}};
}

/* A x */
static inline TmlVec3 m3_mulv(const TmlMat33 *A, TmlVec3 x)
{
    return v3(A->cx.x * x.x + A->cy.x * x.y + A->cz.x * x.z,
              A->cx.y * x.x + A->cy.y * x.y + A->cz.y * x.z,
              A->cx.z * x.x + A->cy.z * x.y + A->cz.z * x.z);
}

/* A^T x */
static inline TmlVec3 m3_tmulv(const TmlMat33 *A, TmlVec3 x)
{
    return v3(v3_dot(A->cx, x), v3_dot(A->cy, x), v3_dot(A->cz, x));
}

static inline TmlMat33 m3_mul(const TmlMat33 *A, const TmlMat33 *B)
{
    return (TmlMat33){m3_mulv(A, B->cx), m3_mulv(A, B->cy), m3_mulv(A, B->cz)};
}

/* A^T B */
static inline TmlMat33 m3_tmul(const TmlMat33 *A, const TmlMat33 *B)
{
    return (TmlMat33){m3_tmulv(A, B->cx), m3_tmulv(A, B->cy), m3_tmulv(A, B->cz)};
}

static inline TmlMat33 m3_transpose(const TmlMat33 *A)
{
    return (TmlMat33){
        {A->cx.x, A->cy.x, A->cz.x}, {A->cx.y, A->cy.y, A->cz.y}, {A->cx.z, A->cy.z, A->cz.z}};
}

static inline TmlMat33 m3_add(const TmlMat33 *A, const TmlMat33 *B)
{
    return (TmlMat33){v3_add(A->cx, B->cx), v3_add(A->cy, B->cy), v3_add(A->cz, B->cz)};
}

/* A + s B */
static inline TmlMat33 m3_axpy(double s, const TmlMat33 *B, const TmlMat33 *A)
{
    return (TmlMat33){v3_axpy(s, B->cx, A->cx), v3_axpy(s, B->cy, A->cy), v3_axpy(s, B->cz, A->cz)};
}

static inline TmlMat33 m3_scale(double s, const TmlMat33 *A)
{
    return (TmlMat33){v3_scale(s, A->cx), v3_scale(s, A->cy), v3_scale(s, A->cz)};
}

static inline TmlMat33 m3_skew(TmlVec3 a)
{
    return (TmlMat33){{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}

/* a b^T */
static inline TmlMat33 m3_outer(TmlVec3 a, TmlVec3 b)
{
    return (TmlMat33){v3_scale(b.x, a), v3_scale(b.y, a), v3_scale(b.z, a)};
}

/* a~ b~ = b a^T - (a . b) I */
static inline TmlMat33 m3_skew_skew(TmlVec3 a, TmlVec3 b)
{
    const double d = v3_dot(a, b);
    return (TmlMat33){{b.x * a.x - d, b.y * a.x, b.z * a.x},
                      {b.x * a.y, b.y * a.y - d, b.z * a.y},
                      {b.x * a.z, b.y * a.z, b.z * a.z - d}};
}

static inline double m3_det(const TmlMat33 *A)
{
    return v3_dot(A->cx, v3_cross(A->cy, A->cz));
}

/* --- quaternions --------------------------------------------------------------------------- */

static inline TmlQuat q4_identity(void)
{
    return (TmlQuat){1, 0, 0, 0};
}

static inline double q4_dot(TmlQuat a, TmlQuat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline TmlQuat q4_unit(TmlQuat a)
{
    const double s = 1.0 / sqrt(q4_dot(a, a));
    return (TmlQuat){s * a.w, s * a.x, s * a.y, s * a.z};
}

static inline TmlQuat q4_conj(TmlQuat a)
{
    return (TmlQuat){a.w, -a.x, -a.y, -a.z};
}

static inline TmlQuat q4_mul(TmlQuat a, TmlQuat b)
{
    return (TmlQuat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                     a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* Rotation matrix of p / |p|. */
static inline TmlMat33 q4_matrix(TmlQuat p)
{
    const double s = 2.0 / q4_dot(p, p);
    const double wx = s * p.w * p.x, wy = s * p.w * p.y, wz = s * p.w * p.z;
    const double xx = s * p.x * p.x, xy = s * p.x * p.y, xz = s * p.x * p.z;
    const double yy = s * p.y * p.y, yz = s * p.y * p.z, zz = s * p.z * p.z;
    return (TmlMat33){{1.0 - yy - zz, xy + wz, xz - wy},
                      {xy - wz, 1.0 - xx - zz, yz + wx},
                      {xz + wy, yz - wx, 1.0 - xx - yy}};
}

/* Unit quaternion of a rotation vector (axis times angle). */
static inline TmlQuat q4_exp(TmlVec3 theta)
{
    const double angle = v3_norm(theta), half = 0.5 * angle;
    const double s = angle > 1e-8 ? sin(half) / angle : 0.5 - angle * angle / 48.0;
    return (TmlQuat){cos(half), s * theta.x, s * theta.y, s * theta.z};
}

/* Unit quaternion of a rotation matrix, scalar part not negative. */
static inline TmlQuat q4_from_matrix(const TmlMat33 *A)
{
    const double xx = A->cx.x, yy = A->cy.y, zz = A->cz.z, tr = xx + yy + zz;
    TmlQuat p;
    if (tr >= xx && tr >= yy && tr >= zz) {
        p = (TmlQuat){1.0 + tr, A->cy.z - A->cz.y, A->cz.x - A->cx.z, A->cx.y - A->cy.x};
    } else if (xx >= yy && xx >= zz) {
        p = (TmlQuat){A->cy.z - A->cz.y, 1.0 + xx - yy - zz, A->cx.y + A->cy.x, A->cx.z + A->cz.x};
    } else if (yy >= zz) {
        p = (TmlQuat){A->cz.x - A->cx.z, A->cx.y + A->cy.x, 1.0 + yy - xx - zz, A->cy.z + A->cz.y};
    } else {
        p = (TmlQuat){A->cx.y - A->cy.x, A->cx.z + A->cz.x, A->cy.z + A->cz.y, 1.0 + zz - xx - yy};
    }
    p = q4_unit(p);
    return p.w < 0.0 ? (TmlQuat){-p.w, -p.x, -p.y, -p.z} : p;
}

/* Frame whose z axis is along z (need not be unit); x is as close to `x_hint` as possible, or any
 * normal direction when the hint is zero or parallel. */
static inline TmlMat33 m3_from_z(TmlVec3 z, TmlVec3 x_hint)
{
    TmlMat33 A;
    A.cz = v3_unit(z);
    TmlVec3 x = v3_axpy(-v3_dot(x_hint, A.cz), A.cz, x_hint);
    if (v3_norm(x) <= 1e-9 * v3_norm(x_hint) || v3_norm(x_hint) == 0.0) {
        const double ax = fabs(A.cz.x), ay = fabs(A.cz.y), az = fabs(A.cz.z);
        const TmlVec3 e = ax <= ay && ax <= az ? v3(1, 0, 0) : ay <= az ? v3(0, 1, 0) : v3(0, 0, 1);
        x = v3_axpy(-v3_dot(e, A.cz), A.cz, e);
    }
    A.cx = v3_unit(x);
    A.cy = v3_cross(A.cz, A.cx);
    return A;
}
