/* model/contact/shape/polyhedron/sharp.h - edges and corners against a round solid.
 *
 * What touches of the solid may be its nearest surface, its side or a rim: each is a way in which the edge or corner
 * can leave. Who knows the whole body with these edges says which of them holds.
 */
#pragma once

#include "model/contact/shape/round/solid.h"

/* A solid with its pose, second. */
typedef struct TmlPosedSolid {
    const TmlSolid *S;
    const TmlPose *pose;
    TmlDualPose at;    /* with the six variables */
    TmlDualPose still; /* without */
    double radius;     /* of a sphere about the origin of the solid that holds it */
} TmlPosedSolid;
TmlPosedSolid tml_posed_solid(const TmlSolid *S, const TmlPose *pose);
/* Cylinders and cones: with caps and rims. */
bool tml_is_frustum(const TmlSolid *S);

typedef struct TmlEdge {
    TmlVec3 a, e; /* start and unit direction */
    double length;
} TmlEdge;
TmlEdge tml_edge(TmlVec3 from, TmlVec3 to);
/* How far a point is from the edge. */
double tml_edge_distance(const TmlEdge *g, TmlVec3 x);

/* Which surface of the solid an edge or a corner is held against. */
typedef enum TmlAgainst { TML_NEAREST, TML_ITS_SIDE, TML_LOW_RIM, TML_HIGH_RIM } TmlAgainst;

/* A way out: the direction n from the edge or corner into the solid, and the depth along it. */
typedef struct TmlWayOut {
    TmlAgainst what;
    double s; /* along the edge */
    TmlVec3 n;
    double depth;
} TmlWayOut;

enum { TML_WAYS = 10 };
/* All that come into question, but those across rims for edges; returns how many, at most TML_WAYS. */
int tml_corner_ways(const TmlPosedSolid *o, TmlVec3 x, TmlWayOut *out);
int tml_edge_ways(const TmlPosedSolid *o, const TmlEdge *g, TmlWayOut *out);
/* The same of one rim of a frustum. */
int tml_edge_rim_ways(const TmlPosedSolid *o, const TmlEdge *g, TmlAgainst rim, TmlWayOut *out);

/* How deep a point is below the cap and the side of a frustum that meet at a rim, the less of both: along no normal of the rim
 * is what holds the point less deep in the solid. */
double tml_within_rim(const TmlPosedSolid *o, TmlAgainst rim, TmlVec3 x);

/* The touch of a way, with its derivatives. */
void tml_corner_touch(const TmlPosedSolid *o, TmlVec3 x, TmlAgainst what, TmlDualTouch *out);
void tml_edge_touch(const TmlPosedSolid *o, const TmlEdge *g, const TmlWayOut *way,
                    TmlDualTouch *out);
/* Of a place on an edge with the side of a solid that is no ellipsoid. */
void tml_beside_touch(const TmlPosedSolid *o, DualVec x, TmlVec3 e, TmlDualTouch *out);
/* Of a face n . x = offset with the point of the solid that is deepest below it. */
void tml_face_touch(const TmlPosedSolid *o, TmlVec3 n, double offset, TmlDualTouch *out);
/* How far the solid reaches against n, from its origin. */
double tml_reach_against(const TmlPosedSolid *o, TmlVec3 n);
/* p of a point x of the first shape with the normal n and its distance from the solid; curvatures are infinite. */
void tml_at_point(DualVec x, DualVec n, Dual distance, TmlDualTouch *out);
