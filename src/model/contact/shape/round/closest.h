/* model/contact/shape/round/closest.h - what pairs of shapes share: poses in dual numbers, the writing of a touch, and the
 * nearest point of a surface. */
#pragma once

#include "math/dual6.h"
#include "model/contact/shape/pairs.h"

/* The pose of the second shape with its six variables (contact.h). */
typedef struct TmlDualPose {
    DualVec r, axis[3];
} TmlDualPose;

/* A touch with its derivatives. */
typedef struct TmlDualTouch {
    DualVec p, n;
    Dual depth, size, fade, curvature[2]; /* curvatures in any order */
    uint64_t id;
} TmlDualTouch;

TmlDualPose tml_dual_pose(const TmlPose *pose);
/* A point or a direction of the first shape in the axes of the second. */
DualVec tml_dual_into(const TmlDualPose *pose, DualVec point);
/* A point of the second in the axes of the first. */
DualVec tml_dual_out(const TmlDualPose *pose, DualVec point);

/* z - (z . a) a, without cancellation where the unit vector a is upright. */
DualVec tml_dual_across(DualVec a);
/* The unit vector along `across`, which is perpendicular to the third axis; the first axis where it is
 * rounding. */
DualVec tml_dual_tilt(const TmlDualPose *pose, DualVec across);

/* Writes touch number k; rate may be NULL. */
void tml_touch_write(const TmlDualTouch *from, int k, TmlTouch *touch, TmlTouchRate *rate);

/* The point of a surface that is nearest to a point. */
typedef struct TmlNear {
    Dual distance; /* to the surface; negative within the shape */
    DualVec n;     /* outward normal there */
    Dual curvature
        [2]; /* principal ones of the surface, positive where it is convex; HUGE_VAL at edges */
} TmlNear;

typedef void TmlNearFunction(const void *data, DualVec point, TmlNear *near);
TmlNearFunction tml_capsule_near, tml_cylinder_near, tml_cone_near, tml_ellipsoid_near,
    tml_torus_near, tml_bore_near;

/* A point in the half-plane of a shape of revolution about z. */
typedef struct TmlMeridian {
    Dual rho, z;
    DualVec e; /* unit, from the axis to the point; x on the axis */
} TmlMeridian;
TmlMeridian tml_meridian(DualVec point);

/* Eigenvalues of a symmetric matrix [a b; b d]. */
void tml_dual_eigen(Dual a, Dual b, Dual d, Dual k[2]);
/* Two unit vectors u, v with u x v = n. */
void tml_dual_tangents(DualVec n, DualVec *u, DualVec *v);

double tml_sphere_radius(const void *data);
/* The point of an ellipsoid with the outward normal n, and u^T W v of its shape operator there. */
DualVec tml_ellipsoid_point(const void *data, DualVec n);
double tml_ellipsoid_reach(const void *data, TmlVec3 n);
Dual tml_ellipsoid_bend(const void *data, DualVec n, DualVec u, DualVec v);

/* A shape, first, and a sphere of the radius about a point: one touch of the nearest point. Returns
 * how many. */
int tml_near_sphere(TmlNearFunction *near, const void *data, const TmlPose *pose, double radius,
                    double reach, TmlTouch *touch, TmlTouchRate *rate);

/* Frustum of a cone along z: radius at the lower and the upper end, half the length. */
typedef struct TmlFrustum {
    double low, high, half;
} TmlFrustum;
void tml_frustum_near(const TmlFrustum *cone, DualVec point, TmlNear *near);
/* Of a half-space z < 0, first, and a frustum. */
int tml_frustum_floor(const TmlFrustum *cone, const TmlPose *pose, double reach, TmlTouch *touch,
                      TmlTouchRate *rate);
TmlVec3 tml_frustum_support(const TmlFrustum *cone, TmlVec3 direction, int *feature);
