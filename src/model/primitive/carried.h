/* model/primitive/carried.h - a vector w = A c(s) that a frame carries and a coordinate s moves along.
 *
 *   (C1)  dw = t ds + dtheta x w,                      t = A c', n = A c'', m = A c'''
 *   (C2)  w' = omega x w + t s'
 *   (C3)  g = w'' at zero accelerations = omega x (omega x w) + 2 s' omega x t + s'^2 n
 *
 * and the derivatives of (C2) and (C3) by s, theta, s', omega.
 */
#pragma once

#include "math/vec3.h"
#include "trammel/element.h"

typedef struct Carried {
    TmlVec3 w, t, n, m, omega;
    double rate; /* s' */
} Carried;

/* A derivative by s and by theta, or by s' and by omega. */
typedef struct CarriedBy {
    TmlVec3 s;
    TmlMat33 theta;
} CarriedBy;

/* c: the vector in the frame and its derivatives; place: the end whose x is s. */
static inline Carried carried_make(const TmlVec3 c[4], const TmlFrameKin *frame,
                                   const TmlFrameKin *place)
{
    return (Carried){m3_mulv(&frame->A, c[0]),
                     m3_mulv(&frame->A, c[1]),
                     m3_mulv(&frame->A, c[2]),
                     m3_mulv(&frame->A, c[3]),
                     frame->omega,
                     place->v.x};
}

static inline TmlVec3 carried_rate(const Carried *c)
{
    return v3_axpy(c->rate, c->t, v3_cross(c->omega, c->w)); // (C2)
}

static inline TmlVec3 carried_second(const Carried *c)
{
    const TmlVec3 turn = v3_cross(c->omega, v3_axpy(2.0 * c->rate, c->t, v3_cross(c->omega, c->w)));
    return v3_axpy(c->rate * c->rate, c->n, turn); // (C3)
}

static inline CarriedBy carried_by(const Carried *c)
{
    const TmlMat33 W = m3_skew(c->w);
    const TmlMat33 zero = {0};
    return (CarriedBy){c->t, m3_axpy(-1.0, &W, &zero)}; // (C1)
}

/* (C2) by s and theta; by s' and omega it is (C1). */
static inline CarriedBy carried_rate_by(const Carried *c)
{
    const TmlMat33 O = m3_skew(c->omega), W = m3_skew(c->w), T = m3_skew(c->t), zero = {0};
    const TmlMat33 OW = m3_mul(&O, &W), a = m3_axpy(-1.0, &OW, &zero);
    return (CarriedBy){v3_axpy(c->rate, c->n, v3_cross(c->omega, c->t)), m3_axpy(-c->rate, &T, &a)};
}

/* (C3) by s and theta */
static inline CarriedBy carried_second_by(const Carried *c)
{
    const TmlMat33 O = m3_skew(c->omega), W = m3_skew(c->w), T = m3_skew(c->t), N = m3_skew(c->n);
    const TmlMat33 OW = m3_mul(&O, &W), zero = {0}, inner = m3_axpy(2.0 * c->rate, &T, &OW);
    const TmlMat33 turned = m3_mul(&O, &inner), a = m3_axpy(-1.0, &turned, &zero);
    const TmlVec3 turn = v3_cross(c->omega, v3_axpy(2.0 * c->rate, c->n, v3_cross(c->omega, c->t)));
    return (CarriedBy){v3_axpy(c->rate * c->rate, c->m, turn), m3_axpy(-c->rate * c->rate, &N, &a)};
}

/* (C3) by s' and omega */
static inline CarriedBy carried_second_by_rate(const Carried *c)
{
    const TmlMat33 O = m3_skew(c->omega), W = m3_skew(c->w), T = m3_skew(c->t), zero = {0};
    const TmlMat33 V = m3_skew(v3_cross(c->omega, c->w)), OW = m3_mul(&O, &W);
    const TmlMat33 a = m3_axpy(-1.0, &V, &zero), b = m3_axpy(-1.0, &OW, &a);
    const TmlVec3 s = v3_axpy(2.0 * c->rate, c->n, v3_scale(2.0, v3_cross(c->omega, c->t)));
    return (CarriedBy){s, m3_axpy(-2.0 * c->rate, &T, &b)};
}

/* K += the derivative of (lambda . t, w x lambda), the rows of lambda . w, by s and theta: place
 * and frame are the first columns of s and theta, n the size of K. */
static inline void carried_curvature(const Carried *c, TmlVec3 lambda, int n, int place, int frame,
                                     double *K)
{
    const TmlVec3 cross = v3_cross(c->t, lambda);
    const double along = v3_dot(c->w, lambda), x[3] = {cross.x, cross.y, cross.z};
    const double w[3] = {c->w.x, c->w.y, c->w.z}, l[3] = {lambda.x, lambda.y, lambda.z};
    K[place * n + place] += v3_dot(lambda, c->n);
    for (int i = 0; i < 3; ++i) {
        K[place * n + frame + i] += x[i];
        K[(frame + i) * n + place] += x[i];
        for (int j = 0; j < 3; ++j) {
            K[(frame + i) * n + frame + j] += w[i] * l[j] - (i == j ? along : 0.0);
        }
    }
}
