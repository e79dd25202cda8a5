/* model/flexible/hermite.h - the axis between two nodes of a flexible body that have tangents.
 *
 *   (H1)  r(xi) = H_0 r_0 + l H_1 t_0 + H_2 r_1 + l H_3 t_1        Hermite's cubics, |t| = 1
 *
 * with l the length of the curve itself, as that of an element with r and r_x a node.
 */
#pragma once

#include "trammel/types.h"

typedef struct TmlHermite {
    TmlVec3 r[2], t[2];
    double length;
} TmlHermite;

/* Through two different points, unit tangents. */
TmlHermite tml_hermite(TmlVec3 r0, TmlVec3 t0, TmlVec3 r1, TmlVec3 t1);

/* Position and derivative by xi from 0 to 1. */
void tml_hermite_at(const TmlHermite *c, double xi, TmlVec3 *r, TmlVec3 *d);

/* xi where a fraction of the length is reached. */
double tml_hermite_place(const TmlHermite *c, double fraction);
