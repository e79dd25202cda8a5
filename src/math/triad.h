/* math/triad.h - axes e1, e2, e3 from vectors that move: e1 along a and e3 along a x b; or e3 along
 * a x b and e1, e2 as near to a, b as can be; or from a alone.
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

/* Axes that a and b turn evenly about e3 = a x b / N, N = |a x b|: with c = a - e3 x b, m = |c|,
 *
 *   (T5)  e1 = c / m,   R_a = e3 e2^T / m - b e3^T / N,   R_b = a e3^T / N - e3 e1^T / m
 *
 * A torque about e3 then turns both and neither strains the angle between them nor their lengths,
 * where that on the axes of tml_triad turns a alone. c is the rotation part of (a, b) in their
 * plane (polar decomposition). */
void tml_triad_even(const TmlVec3 a[3], const TmlVec3 b[3], TmlTriad *out);

/* Axes from a alone: those of `start` after the smallest turn of start.cx into e1 = a / |a|.
 *
 *   (T4)  w = start.cx x e1,  k = 1 / (1 + start.cx . e1),  A = (1 + w~ + k w~ w~) start
 *         R_a = (e1~ - k e1 w^T) / |a|,  R_b = 0
 *
 * Where a has reversed there is no such turn: the axes jump, R is large but finite. */
void tml_triad_least(const TmlVec3 a[3], const TmlMat33 *start, TmlTriad *out);

/* As tml_triad_least, but without any spin about e1, and so without a place where it fails:
 *
 *   (T6)  omega = a x a' / |a|^2,  R_a = e1~ / |a|,  R_b = 0
 *         d omega = (da x a' - 2 (a.da) omega) / |a|^2 + R_a da'
 *
 * These rates belong to no axes: (T2) and (T3) do not hold, and A has e1 and any two across. For things that are round
 * about e1. */
void tml_triad_spinless(const TmlVec3 a[3], const TmlMat33 *start, TmlTriad *out);

typedef enum TmlTriadKind {
    TML_TRIAD_ALONG,
    TML_TRIAD_EVEN,
    TML_TRIAD_LEAST,
    TML_TRIAD_SPINLESS
} TmlTriadKind;

/* The one of that kind; tml_triad_least and tml_triad_spinless alone look at start. */
void tml_triad_of(TmlTriadKind kind, const TmlVec3 a[3], const TmlVec3 b[3], const TmlMat33 *start,
                  TmlTriad *out);

/* H[36] = derivative of R^T t by (a, b) at fixed t. */
void tml_triad_dual_derivative(TmlTriadKind kind, TmlVec3 a, TmlVec3 b, const TmlMat33 *start,
                               TmlVec3 t, double *H);
