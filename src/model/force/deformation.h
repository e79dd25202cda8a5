/* model/force/deformation.h - what the stiffness of a bushing multiplies.
 *
 * A bushing sees the place x of its second frame in the first and the rotation vector phi. Its
 * deformation e(x, phi) has six components; the energy is e . K e / 2.
 */
#pragma once

#include "trammel/types.h"

typedef enum TmlMeasureOf {
    TML_OF_PLACE,    /* what x and phi are off */
    TML_OF_DISTANCE, /* along the axis: what the distance is off */
    TML_OF_LINE      /* seen from the line between the frames */
} TmlMeasureOf;

typedef struct TmlDeformation {
    double e[6];
    double E[36];    /* derivatives of e by x and phi, row major */
    double H[6][36]; /* second derivatives of each component, when they are asked for */
} TmlDeformation;

/* x0, phi0: without deformation, x0 not zero unless LINEAR. shortest: below it the direction of
 * STRING counts as if the distance were that long; 0: none. */
void tml_deformation(TmlMeasureOf formulation, TmlVec3 x0, TmlVec3 phi0, double shortest, TmlVec3 x,
                     TmlVec3 phi, bool second, TmlDeformation *out);
