/* model/contact/shape/polyhedron/near_features.h - nearest features of a polyhedron and another, a point or a line.
 *
 * Spheres and capsules are a point and a line with a radius around.
 */
#pragma once

#include "model/contact/shape/polyhedron/polyhedron.h"

/* A corner, an edge or a face: the directions in which its nearest point can slide. */
typedef struct TmlFeature {
    int dim, index;
    TmlVec3 along[2]; /* dim directions, perpendicular ones, unit */
} TmlFeature;

typedef struct TmlNearPair {
    TmlFeature a, b; /* of the first, of the second */
    TmlVec3 pa, pb;  /* nearest points */
    TmlVec3 n;       /* from the first to the second, unit */
    double distance; /* negative inside */
} TmlNearPair;

/* The nearest features of A and B (in the axes of A) that do not overlap. False: farther than `most`,
 * or there is no such pair because they overlap. */
bool tml_near_features(const TmlPolyhedron *A, const TmlPolyhedron *B, double most,
                       TmlNearPair *out);

/* The nearest feature of A to a point, inside or outside. */
void tml_near_point(const TmlPolyhedron *A, TmlVec3 x, TmlNearPair *out);

/* The touch of nearest features whose second has a radius around; r: origin of the second shape. */
void tml_near_touch(const TmlNearPair *near, double radius, TmlVec3 r, TmlTouch *touch,
                    TmlTouchRate *rate);
