/* model/contact/shape/round/solid.h - convex shapes of smooth parts, edges and flats, for pairs without a closed form. */
#pragma once

#include "model/contact/shape/round/closest.h"

/* An ellipsoid, or a frustum with all points within `swell` of it (a capsule: no radius, only swell). */
typedef struct TmlSolid {
    const void *ellipsoid; /* its data; NULL: a frustum */
    TmlFrustum cone;
    double swell;
} TmlSolid;

TmlSolid tml_capsule_solid(const void *data);
TmlSolid tml_cylinder_solid(const void *data);
TmlSolid tml_cone_solid(const void *data);
TmlSolid tml_ellipsoid_solid(const void *data);

/* Parts of the surface, by the normals that they have. */
typedef enum TmlPart {
    TML_PART_LOW,  /* a rim, round end or tip below, with an area of normals */
    TML_PART_HIGH, /* that above */
    TML_PART_SIDE, /* normals on a circle about the axis */
    TML_PART_ROUND /* an ellipsoid */
} TmlPart;

/* h(n): how far the solid reaches along a unit direction. part: where it does. */
double tml_solid_reach(const TmlSolid *solid, TmlVec3 n, TmlPart *part);
/* The point of a part with the outward normal n; of a side, the middle of the line of such points. */
DualVec tml_solid_point(const TmlSolid *solid, TmlPart part, DualVec n);
/* Sine of the angle between normals of the side and the plane across the axis. */
double tml_solid_slope(const TmlSolid *solid);
/* The direction of the line of points of the side with the normal n. */
DualVec tml_solid_line(const TmlSolid *solid, DualVec n);

/* The nearest point of the surface, in the solid's axes, and its part; cap: of a flat end. */
void tml_solid_near(const TmlSolid *solid, DualVec point, TmlNear *near, TmlPart *part, bool *cap);

/* Curvature of a part at a point: m = (u W u, u W v, v W v); sharp: edge along `edge` with the curvature
 * `along`, infinite when it is a tip. flat: normals of a cap. */
typedef struct TmlBend {
    bool sharp;
    DualVec edge;
    Dual along, m[3];
} TmlBend;
void tml_solid_bend(const TmlSolid *solid, TmlPart part, bool cap, DualVec p, DualVec n,
                    const DualVec tangent[2], TmlBend *bend);

/* The point of least depth. False: it is farther than `reach`. */
bool tml_solids_least(const TmlSolid *a, const TmlSolid *b, const TmlPose *pose, double reach,
                      TmlDualTouch *out);
/* That point alone. */
int tml_solids_touch(const TmlSolid *a, const TmlSolid *b, const TmlPose *pose, double reach,
                     TmlTouch *touch, TmlTouchRate *rate);
