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

/* One point at which two shapes touch or may touch soon, or one piece of a patch. A piece has a size, which is
 * the volume of overlap that it stands for. The law then computes the force as stiffness per area times size.
 * The depth of a piece is that at the middle of the overlap, half the distance that one face lies within the
 * other, so that the stored energy is stiffness per area times size times depth. */
typedef struct TmlTouch {
    TmlVec3 p;           /* where the force acts: midway between the two surfaces */
    TmlVec3 n;           /* unit */
    double depth;        /* m */
    double size;         /* m^3: overlap that the piece stands for; 0: a single point */
    double curvature[2]; /* 1/m: principal ones of the gap, smaller first; HUGE_VAL at corners */
    uint64_t id; /* of the features: the same while these touch; unique; below 2^52, for a double */
    double fade; /* 0 to 1: the part of the force that is left out while other points replace it */
} TmlTouch;

/* Derivatives of a touch by the six variables. */
typedef struct TmlTouchRate {
    TmlVec3 p[TML_TOUCH_VARIABLES], n[TML_TOUCH_VARIABLES];
    double depth[TML_TOUCH_VARIABLES], size[TML_TOUCH_VARIABLES];
    double curvature[2][TML_TOUCH_VARIABLES], fade[TML_TOUCH_VARIABLES];
} TmlTouchRate;

/* --- shapes ---------------------------------------------------------------------------------- */

/* What `prepare` of a shape may use. */
typedef struct TmlShapeSetup {
    /* Allocates zeroed memory that lives as long as the model; NULL: out of memory. */
    void *(*take)(void *owner, size_t bytes);
    void *owner;
    const char *from; /* path of the model file, to which file names are relative; NULL: none */
} TmlShapeSetup;

/* Which key of the model gives the direction of the shape's z axis, and the direction without the key. */
typedef enum TmlShapeAxis {
    TML_SHAPE_NO_AXIS, /* no key: use `rotation` */
    TML_SHAPE_AXIS_X,  /* `axis`; default: x of the body (bars) */
    TML_SHAPE_AXIS_Z,  /* `axis`; default: z of the body (wheels, profiles) */
    TML_SHAPE_NORMAL,  /* `normal`; default: z of the body (planes) */
} TmlShapeAxis;

/* What the surface of a shape consists of. From the surfaces of two shapes follows what a law of contact has to
 * handle (TML_TOUCH_ bits). */
enum {
    TML_SURFACE_ROUND = 1,    /* curved in both directions */
    TML_SURFACE_STRAIGHT = 2, /* curved in one: cylinders, cones */
    TML_SURFACE_FLAT = 4,
    TML_SURFACE_EDGES = 8 /* edges and corners */
};

typedef struct TmlShapeType {
    TmlTypeInfo info;
    TmlShapeAxis axis;
    unsigned surface; /* TML_SURFACE_ bits; 0: not known, so that laws cannot be checked for it */

    /* Reject data that single-value ranges cannot exclude. NULL: accept. */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Complete data that `check` has accepted, for example by reading files. Called once, before any function
     * below. NULL: nothing to do. */
    TmlStatus (*prepare)(void *data, const TmlShapeSetup *setup, TmlError *err);

    /* The box around the shape, in the shape's own axes; infinite for planes. */
    void (*bounds)(const void *data, TmlVec3 *low, TmlVec3 *high);

    /* For convex shapes: the point farthest in the unit direction, and the feature that it belongs to (a face, an
     * edge, a corner, a smooth part). NULL: the shape is not convex, or has no such function. */
    TmlVec3 (*support)(const void *data, TmlVec3 direction, int *feature);

    /* For convex shapes with smooth parts: the shape operator W at the point whose outward normal is n. It gives
     * dn = W dp in the tangent plane, and is a symmetric matrix with W n = 0. Returns false at an edge or a corner,
     * where the point stays the same for a range of normals. NULL: the shape has only flat faces and edges. */
    bool (*curvature)(const void *data, TmlVec3 n, TmlMat33 *W);

    /* Distance of a point from the surface, negative inside; its gradient n, which is the outward unit normal at the
     * nearest point of the surface; and H, the derivatives of n by the point, symmetric with H n = 0. With this
     * function the shape can touch spheres, and corners of boxes, hulls and meshes. NULL: it has none. */
    double (*distance)(const void *data, TmlVec3 point, TmlVec3 *n, TmlMat33 *H);

    /* For pictures of solids with flat faces: the number of faces. Face k has the corners loop[start[k]] to
     * loop[start[k + 1] - 1], counterclockwise as seen from outside. NULL: pictures know built-in types, and draw
     * others by their `support`. */
    int (*faces)(const void *data, const int **start, const int **loop, const TmlVec3 **corner);
} TmlShapeType;

/* --- laws of contact -------------------------------------------------------------------------- */

/* What a pair of shapes passes to the law. */
enum {
    TML_TOUCH_POINTS = 1,  /* single points (size 0) whose curvatures are positive and finite */
    TML_TOUCH_PATCHES = 2, /* pieces of a patch (size > 0) */
    TML_TOUCH_LINES = 4,   /* single points where a curvature is 0: lines and faces */
    TML_TOUCH_CORNERS = 8  /* single points where a curvature is infinite: edges and corners */
};

/* One point, or one piece of a patch. */
typedef struct TmlPressIn {
    const void *data;
    double depth, size;  /* m, m^3, as in TmlTouch; there is no force unless depth > 0 */
    double rate;         /* m/s: speed at which the surfaces approach, along the normal */
    double curvature[2]; /* 1/m, the smaller first */
    double entry;        /* m/s: `rate` when this contact began; laws bound it from below */
    /* Evaluate the formula of the force also below depth 0, and without the limit that cuts negative forces to
     * zero. A law need not support this; it then gives no force there. */
    bool continued;
} TmlPressIn;

/* What a law returns. The force of a piece of a patch is proportional to its size. The stored energy is given
 * back; the rest of the work is lost, with the power (force - elastic) rate >= 0. The rate of `stored` is elastic
 * times rate; for a piece of a patch as long as its area, size / (2 depth), is constant. */
typedef struct TmlPress {
    double force; /* N, along the normal, on the second shape */
    double by_depth, by_size, by_rate, by_curvature[2];
    double stored;  /* J */
    double elastic; /* N: the part of the force that stores it */
} TmlPress;

typedef struct TmlPressType {
    TmlTypeInfo info;
    bool remembers_entry; /* `press` reads `entry` */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Compute fields of the data that follow from the parameters, so that `press` need not compute them in every call.
     * Called once, after the parameters were read and checked. NULL: there are none. */
    void (*prepare)(void *data);

    /* Check that the data suffice for what the shapes may pass (TML_TOUCH_ bits). The error message says which
     * parameter is missing. NULL: they always suffice. */
    TmlStatus (*suits)(const void *data, unsigned touches, TmlError *err);

    /* Whether the force can be negative; whether it jumps at depth 0. NULL: no. */
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
    TmlVec3 z;    /* m: deflection of the bristle; zero for laws without bristles */
    bool
        uncut; /* laws with bristles, while a method iterates: continue the law inside of the bristle's end beyond it */
    double least; /* m: lengths below it are rounding: the end of a bristle is no nearer */
} TmlSlipIn;

/* Matrices act on vectors of the tangent plane. */
typedef struct TmlSlip {
    TmlVec3 force; /* N, on the second shape */
    TmlMat33 by_v, by_z;
    TmlVec3 by_force;
    TmlVec3 rate; /* m/s: rate of z */
    TmlMat33 rate_by_v, rate_by_z;
    TmlVec3 rate_by_force;
    double stored; /* J, in the bristle */
} TmlSlip;

typedef struct TmlSlipType {
    TmlTypeInfo info;
    bool bristles; /* the law has a state z */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Complete data that `check` has accepted. Called once, before any function below. NULL: nothing to do. */
    void (*prepare)(void *data);

    /* Without a normal force > 0 there is no friction. */
    void (*slip)(const TmlSlipIn *in, TmlSlip *out);

    /* m/s: the slip speed over which the force changes its direction; iterations take care not to jump across
     * it. NULL: 0. */
    double (*width)(const void *data);

    /* Friction at rest, for statics, where the speed is zero: a spring with a limit on its force. in->z is the
     * tangential displacement of the second shape relative to the first since the start; in->v is not read. Sets
     * force, by_z, by_force and stored. NULL: there is no friction in statics. The same holds when by_z is zero at
     * z = 0, which may depend on a parameter. */
    void (*hold)(const TmlSlipIn *in, TmlSlip *out);

    /* With bristles: the z at which the law has the friction force T on the second shape at rest, as statics found
     * it, limited by what the normal force allows. */
    TmlVec3 (*bear)(const void *data, double normal_force, TmlVec3 T);

    /* With bristles: the largest |z| during sliding under a normal force, m. Error control scales z by it. */
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

    /* rad/s: the rate over which the torque changes its direction. NULL: 0. */
    double (*width)(const void *data);
} TmlRollType;

#ifdef __cplusplus
}
#endif
