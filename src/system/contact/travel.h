/* system/contact/travel.h - what points that travel along flexible lines share; internal to system/contact. */
#pragma once

#include "system/contact/touching.h"
#include "system/flexible/flex.h"

/* The axis of an element at one place. */
typedef struct TmlCurveSpot {
    TmlVec3 r, a, bend;                 /* r, r_x, r_xx */
    double slope[TML_FLEX_MAX_VECTORS]; /* weights of r_x */
} TmlCurveSpot;

TmlCurveSpot tml_curve_spot(const TmlSystem *sys, int element, double xi);

/* Moves the point of a segment. */
void tml_travel_place(const TmlSystem *sys, const TmlCarrier *c, double xi);

/* How the wrenches on both frames change with the place of that of `side` at fixed vectors, (V5) of travel.c. */
void tml_travel_wrench(const double *Kq, const double *Kv, int side, TmlVec3 a, TmlVec3 v_x,
                       TmlVec3 omega_x, TmlRow dw[2]);

/* cross.c: two segments. */
bool tml_travel_both(const TmlSystem *sys, const TmlNear *near);
void tml_travel_both_blocks(TmlSystem *sys, TmlNear *near, const TmlPairForce *force,
                            const double *Kq, const double *Kv, TmlCoeffs co);
