/* model/contact/shape/polyhedron/least_way.h - the point of least depth of a convex polyhedron and a round solid. */
#pragma once

#include "model/contact/shape/polyhedron/polyhedron.h"
#include "model/contact/shape/round/solid.h"

/* The polyhedron, first, and the solid with its pose. */
typedef struct TmlSolidPair {
    const TmlPolyhedron *P;
    const TmlSolid *S;
    const TmlPose *pose;
    TmlDualPose at;    /* with the six variables */
    TmlDualPose still; /* without */
    double radius;     /* of a sphere about the origin of the solid that holds it */
} TmlSolidPair;
TmlSolidPair tml_solid_pair(const TmlPolyhedron *P, const TmlSolid *S, const TmlPose *pose);

/* (S1): how far the two overlap along a unit direction out of the polyhedron. */
double tml_depth_along(const TmlSolidPair *o, TmlVec3 n);

/* One touch, of the direction in which the depth is least. */
void tml_least_way(const TmlSolidPair *o, TmlDualTouch *out);

/* The touch of a point x of an edge with the side of a solid that is no ellipsoid. */
void tml_edge_touch(const TmlSolidPair *o, DualVec x, const TmlVec3 *edge, TmlDualTouch *out);
