/* trammel/contact.h - the tables that describe a type of shape and laws of contact, friction and rolling.
 *
 * Geometry is seen from the first of two shapes: the second has a pose in the axes of the first. Its
 * relative motion has six variables: the shift of the second's origin (0 to 2), and a rotation of the
 * second about that origin from the left, dA = dphi~ A (3 to 5), all in the axes of the first.
 *
 * Signs: the normal n points out of the first shape into the second. The depth is positive where the
 * shapes overlap; a negative depth is minus the gap. A force N n pushes the second away from the
 * first, which gets the opposite.
 *
 * Text: docs/theory/contact.md
 */
#pragma once

#include "trammel/element.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TML_TOUCH_VARIABLES = 6,
    TML_TOUCH_MAX = 64 /* points of one pair of shapes */
};

/* Where a shape is in the axes of another frame. */
typedef struct TmlPose {
    TmlVec3 r;
    TmlMat33 A;
} TmlPose;

/* One point at which two shapes touch or are about to. A piece of a patch has a size: the law then
 * takes the force from stiffness a area times size, and depth is that of the middle of the overlap, half
 * of how deep two faces are in each other: foundation times size times depth is the energy. */
typedef struct TmlTouch {
    TmlVec3 p;    /* where the force acts: midway between the two surfaces */
    TmlVec3 n;    /* unit */
    double depth; /* m */
    double size;  /* m^3: overlap that the piece stands for; 0: a single point */
    double
        curvature[2]; /* 1/m: principal ones of the gap, the smaller first; HUGE_VAL at corners */
    uint64_t id;      /* of the two features: the same as long as these touch; no two are equal */
    double
        fade; /* 0 to 1: this part of the force is left out, while the point gives way to others */
} TmlTouch;

/* Derivatives of a touch by the six variables. */
typedef struct TmlTouchRate {
    TmlVec3 p[TML_TOUCH_VARIABLES], n[TML_TOUCH_VARIABLES];
    double depth[TML_TOUCH_VARIABLES], size[TML_TOUCH_VARIABLES];
    double curvature[2][TML_TOUCH_VARIABLES], fade[TML_TOUCH_VARIABLES];
} TmlTouchRate;

/* --- shapes ---------------------------------------------------------------------------------- */

/* What a shape is given to be finished with. */
typedef struct TmlShapeSetup {
    void *(*take)(void *owner,
                  size_t bytes); /* zeroed, as long as the model; NULL: out of memory */
    void *owner;
    const char
        *from; /* the model file, beside which others are looked for; NULL: as they are named */
} TmlShapeSetup;

/* Which key of a model turns z of the shape's own axes, and where z points without it. */
typedef enum TmlShapeAxis {
    TML_SHAPE_NO_AXIS, /* none: `rotation` does */
    TML_SHAPE_AXIS_X,  /* `axis`, along x of the body: bars */
    TML_SHAPE_AXIS_Z,  /* `axis`, along z: wheels, profiles */
    TML_SHAPE_NORMAL,  /* `normal`, along z: planes */
} TmlShapeAxis;

/* What the surface of a shape is made of; what two of them give to a law follows from it. */
enum {
    TML_SURFACE_ROUND = 1,    /* curved in both directions */
    TML_SURFACE_STRAIGHT = 2, /* curved in one: cylinders, cones */
    TML_SURFACE_FLAT = 4,
    TML_SURFACE_EDGES = 8 /* edges and corners */
};

typedef struct TmlShapeType {
    TmlTypeInfo info;
    TmlShapeAxis axis;
    unsigned surface; /* TML_SURFACE_ bits; 0: not known, laws are not asked whether they suit */

    /* Reject data that single-value ranges cannot exclude. NULL: accept. */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Finish data that `check` has accepted, once, before anything below is called: read files, build
     * what points say. NULL: nothing to do. */
    TmlStatus (*prepare)(void *data, const TmlShapeSetup *setup, TmlError *err);

    /* Bounds in the shape's own axes; infinite ones for planes. */
    void (*bounds)(const void *data, TmlVec3 *low, TmlVec3 *high);

    /* Convex shapes: the point farthest along the unit direction, and its feature (a face, an edge, a
     * corner, a smooth part). NULL: not convex, or without a support. */
    TmlVec3 (*support)(const void *data, TmlVec3 direction, int *feature);

    /* Convex shapes with smooth parts: the shape operator W at the point whose outward normal is n, by
     * dn = W dp in the tangent plane, as a symmetric matrix with W n = 0. False: an edge or a corner,
     * where the point does not move when the normal turns across it. NULL: flat faces and edges only. */
    bool (*curvature)(const void *data, TmlVec3 n, TmlMat33 *W);

    /* How far a point is outside of the surface, negative within; its gradient n, the unit normal out of the
     * nearest point of the surface; H: the derivatives of n by the point, symmetric, with H n = 0. With it the shape
     * touches spheres, and the corners of boxes, hulls and meshes. NULL: not known. */
    double (*distance)(const void *data, TmlVec3 point, TmlVec3 *n, TmlMat33 *H);

    /* For pictures of solids with flat faces: how many; face k has the corners loop[start[k]] to
     * loop[start[k + 1] - 1], counterclockwise from outside. NULL: pictures know the type, or
     * show what the support covers. */
    int (*faces)(const void *data, const int **start, const int **loop, const TmlVec3 **corner);
} TmlShapeType;

/* --- laws of contact -------------------------------------------------------------------------- */

/* What a pair of shapes gives to the law. */
enum {
    TML_TOUCH_POINTS =
        1, /* single points (size 0) with curvatures that are neither 0 nor infinite */
    TML_TOUCH_PATCHES = 2, /* pieces of a patch (size > 0) */
    TML_TOUCH_LINES = 4,   /* single points where a curvature is 0: lines and faces */
    TML_TOUCH_CORNERS = 8  /* single points where a curvature is infinite: edges and corners */
};

/* One point. rate > 0: it closes. */
typedef struct TmlPressIn {
    const void *data;
    double depth, size;  /* m, m^3, as in TmlTouch; without a depth > 0 there is no force */
    double rate;         /* m/s: closing speed of the two surfaces, along the normal */
    double curvature[2]; /* 1/m, the smaller first */
    double entry;        /* m/s: the rate with which this point closed; laws have a floor for it */
    bool
        continued; /* the force of a point as its formula goes on beyond depth 0 and beyond where it
                     * would be cut to zero; a law may leave that be, and gives no force there then */
} TmlPressIn;

/* What a law gives. The force of a piece of a patch is proportional to its size. The stored energy comes
 * back, the rest of the work is lost: its power is (force - elastic) rate >= 0. The rate of `stored` is
 * elastic times rate, for a piece of a patch where its area, size / (2 depth), stays. */
typedef struct TmlPress {
    double force; /* N, of the second shape along the normal */
    double by_depth, by_size, by_rate, by_curvature[2];
    double stored;  /* J */
    double elastic; /* N: the part of the force that stores it */
} TmlPress;

typedef struct TmlPressType {
    TmlTypeInfo info;
    bool remembers_entry; /* it reads `entry` */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Called once when the parameters have been read and checked: fills fields of the data that follow from them and are
     * not in the table, so that the force need not solve for them every time. NULL: there are none. */
    void (*prepare)(void *data);

    /* Whether the data suffice for TML_TOUCH_ bits that the shapes may give; the message says which
     * parameter is missing. NULL: they do. */
    TmlStatus (*suits)(const void *data, unsigned touches, TmlError *err);

    /* Whether the force may be negative; whether it does not grow from zero at depth 0. NULL: no. */
    bool (*pulls)(const void *data);
    bool (*jumps)(const void *data);

    void (*press)(const TmlPressIn *in, TmlPress *out);
} TmlPressType;

/* --- laws of friction -------------------------------------------------------------------------- */

/* One point. Vectors are in the tangent plane, in global axes. */
typedef struct TmlSlipIn {
    const void *data;
    double force; /* N: the normal force */
    TmlVec3 v;    /* m/s: of the second shape relative to the first */
    TmlVec3 z;    /* m: deflection of the bristle; zero for laws without */
} TmlSlipIn;

/* Matrices act on vectors of the tangent plane. */
typedef struct TmlSlip {
    TmlVec3 force; /* N, on the second shape */
    TmlMat33 by_v, by_z;
    TmlVec3 by_force;
    TmlVec3 rate; /* m/s: of the bristle */
    TmlMat33 rate_by_v, rate_by_z;
    TmlVec3 rate_by_force;
    double stored; /* J, in the bristle */
} TmlSlip;

typedef struct TmlSlipType {
    TmlTypeInfo info;
    bool bristles; /* it has a state z */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Without a normal force > 0 there is no friction. */
    void (*slip)(const TmlSlipIn *in, TmlSlip *out);

    /* m/s: the speed across which the force turns round; iterations do not step over it. NULL: 0. */
    double (*width)(const void *data);

    /* Friction of things at rest, for statics, where `slip` says nothing: a spring with yield from the
     * anchor. in->z: how far the second shape has moved along the first since it was laid down; v is
     * not read. Fills force, by_z, by_force and stored. NULL: nothing is held; the same when by_z is
     * zero at z = 0 (a parameter may say so). */
    void (*hold)(const TmlSlipIn *in, TmlSlip *out);

    /* Bristles: the z with which the law bears the force T on the second shape at rest, as found by
     * statics; within what the normal force allows. */
    TmlVec3 (*bear)(const void *data, double normal_force, TmlVec3 T);

    /* Bristles, m: the largest |z| in sliding under a normal force: the size of z for error control. */
    double (*reach)(const void *data, double normal_force);
} TmlSlipType;

/* --- laws of rolling and spinning resistance ---------------------------------------------------- */

/* One point, in global axes. */
typedef struct TmlRollIn {
    const void *data;
    double force;  /* N: the normal force */
    TmlVec3 n;     /* unit normal */
    TmlVec3 omega; /* rad/s: of the second shape relative to the first */
} TmlRollIn;

typedef struct TmlRoll {
    TmlVec3 torque; /* N m, on the second shape; the first gets the opposite */
    TmlMat33 by_omega, by_n;
    TmlVec3 by_force;
} TmlRoll;

typedef struct TmlRollType {
    TmlTypeInfo info;
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Without a normal force > 0 there is no torque. */
    void (*roll)(const TmlRollIn *in, TmlRoll *out);

    /* rad/s: the rate across which the torque turns round. NULL: 0. */
    double (*width)(const void *data);
} TmlRollType;

#ifdef __cplusplus
}
#endif
