/* model/flexible/on_curve.h - the axis of a flexible body as a curve of its own coordinate s.
 *
 *   (O1)  r(s) = sum_e W_e(s) r_e        e: ends of the constraint, from the third on
 *
 * An end is a vector of a node, or a point of a rigid body that a node is tied to. W_e is a
 * polynomial in each element; r is smooth in the first derivative at nodes.
 */
#pragma once

#include "model/read/read.h"

enum { TML_CURVE_TERMS = 6 }; /* of a polynomial: shape functions are of degree five at most */

typedef struct TmlCurvePiece {
    double from, length; /* m: s at its start; without stress */
    int n;
    int *end;                          /* n */
    double (*weight)[TML_CURVE_TERMS]; /* n: coefficients by (s - from)/length */
} TmlCurvePiece;

typedef struct TmlOnCurve {
    int n; /* elements */
    TmlCurvePiece *piece;
} TmlOnCurve;

/* Replace the two ends of the joint, a point of a flexible body and a frame, by s, the frame and
 * the ends of (O1). */
void tml_read_on_curve(TmlEntry *x, TmlConstraint *c);
