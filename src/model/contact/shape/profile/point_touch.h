/* model/contact/shape/profile/point_touch.h - a round thing at a surface that is known by its distance. */
#pragma once

#include "model/contact/contacts.h"

/* The surface as seen from a point q: height above it, normal there, dn = H dq. */
typedef struct TmlSurfaceNear {
    double height;
    TmlVec3 n;
    TmlMat33 H;
    double curvature[2]; /* of the surface, positive where it bulges; HUGE_VAL at edges */
    double curvature_rate[2][TML_TOUCH_VARIABLES];
    uint64_t id;
} TmlSurfaceNear;

/* The touch of a thing of the radius about q, which moves by dq (NULL: with the second's origin).
 * along: the curvature of the thing in the direction of curvature[0] and [1]. */
void tml_point_touch(const TmlSurfaceNear *s, TmlVec3 q, const TmlVec3 *dq, double radius,
                     const double along[2], TmlTouch *touch, TmlTouchRate *rate);
