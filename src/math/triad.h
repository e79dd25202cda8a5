/* math/triad.h - axes from two vectors a, b that move: x along a, z along a x b.
 *
 *   (T1)  dtheta = R_a da + R_b db
 *         R_a = (e3 e2^T - e2 e3^T) / |a| - (b.e1 / (b.e2 |a|)) e1 e3^T,  R_b = e1 e3^T / b.e2
 *
 * so the angular velocity is omega = R (a', b'). What motion does to R comes from its time
 * derivatives, no derivatives of higher order by a and b are needed:
 *
 *   (T2)  d omega = R' dg + R dg' + dtheta x omega                          g = (a, b)
 *   (T3)  d alpha = R'' dg + 2 R' dg' + R dg'' + (R' dg + R dg') x omega + dtheta x alpha
 */
#pragma once

#include "trammel/types.h"

typedef struct TmlTriad {
    TmlMat33 A;
    double R[3][18]; /* R, R', R'': 3 x 6, row major */
} TmlTriad;

/* a, b: value, rate, second rate. They must not be parallel. */
void tml_triad(const TmlVec3 a[3], const TmlVec3 b[3], TmlTriad *out);

/* Axes from a alone: those of `start` after the smallest turn of start.cx into e1 = a / |a|.
 *
 *   (T4)  w = start.cx x e1,  k = 1 / (1 + start.cx . e1),  A = (1 + w~ + k w~ w~) start
 *         R_a = (e1~ - k e1 w^T) / |a|,  R_b = 0
 *
 * Where a has reversed there is no such turn: the axes jump, R is large but finite. */
void tml_triad_least(const TmlVec3 a[3], const TmlMat33 *start, TmlTriad *out);

/* H[36] = derivative of R^T t by (a, b) at fixed t; start: of tml_triad_least, NULL: tml_triad. */
void tml_triad_dual_derivative(TmlVec3 a, TmlVec3 b, const TmlMat33 *start, TmlVec3 t, double *H);
