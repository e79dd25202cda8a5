/* trammel/element.h - the tables that describe a type of joint or force.
 *
 * A built-in type is one file with one const table. A user-defined type is such a table, too, and is
 * registered at run time with tml_model_register_*. A table holds facts (name, parameters, outputs) and
 * functions.
 *
 * Elements see frames, never bodies. An end of an element is a frame with its motion in global axes. The
 * owner of the frame (rigid body, point, ground, node of a flexible body, modal body) maps derivatives by
 * (dr, dtheta), which the element gives, to its own coordinates.
 *
 * Signs: M a + Phi_q^T lambda = Q. The force of a constraint on the system is -Phi_q^T lambda.
 * Variations: dr moves the origin of the frame, dtheta turns the frame from the left, dA = dtheta~ A.
 * Both are in global axes. A relative quantity is that of the second end minus that of the first.
 */
#pragma once

#include "trammel/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TML_MAX_ROWS = 12, /* most scalar equations of one constraint */
    TML_MAX_ENDS = 12, /* most frames that one element or expression sees */
    TML_MAX_OWN = 12   /* most algebraic unknowns (F) of one force element */
};

/* Motion of a frame. All vectors are in global axes. */
typedef struct TmlFrameKin {
    TmlVec3 r;     /* origin */
    TmlMat33 A;    /* the frame's axes as columns */
    TmlVec3 v;     /* velocity of the origin */
    TmlVec3 omega; /* angular velocity */
    TmlVec3 a;     /* acceleration of the origin */
    TmlVec3 alpha; /* angular acceleration */
} TmlFrameKin;

/* A pair of vectors that belongs to one end: a row of a Jacobian (derivatives by dr and dtheta), a twist
 * (velocity, angular velocity) or a wrench (force, torque about the frame's origin), in global axes. */
typedef struct TmlRow {
    TmlVec3 r, theta;
} TmlRow;

/* Arguments of the functions of an element. They write through no pointer but `work`. */
typedef struct TmlElementIn {
    const void *data;     /* the element's parameters, laid out by info.params */
    const TmlFrameKin *e; /* n_ends frames, contiguous */
    int n_ends;
    double t;             /* s */
    const double *f;      /* n_f values of the element's own algebraic unknowns */
    const double *memory; /* n_memory values, which only `commit` changes */
    double *work;         /* scratch of as many doubles as the type's work() says */
} TmlElementIn;

/* --- parameters: the loader, range checks, help, schema and reference read this table ------- */

typedef enum TmlParamKind {
    TML_PARAM_NONE = 0, /* ends a table */
    TML_PARAM_REAL,     /* double; any number or expression of parameters */
    TML_PARAM_INT,      /* int */
    TML_PARAM_BOOL,     /* bool */
    TML_PARAM_VEC3,     /* TmlVec3; list of three, or x, y, z, -x, -y, -z */
    TML_PARAM_CHOICE,   /* int, index into `choices` */
    TML_PARAM_REALS,    /* TmlReals */
    TML_PARAM_MAT66,    /* double[36], row major; 6 numbers (diagonal) or 36 (list or rows) */
    TML_PARAM_EXPR,     /* TmlBinding *: an expression of the state; NULL when absent */
    TML_PARAM_EXPRS3,   /* TmlBinding *[3]: list of up to three expressions */
    TML_PARAM_SPLINE,   /* const TmlSpline *: name of an entry of `splines`, or a table in place */
    TML_PARAM_JOINT,    /* int: index of a joint, by name; -1 when absent */
    TML_PARAM_TERMS,    /* TmlTerms: list of {joint, coordinate, coefficient} (gears, couplers) */
    TML_PARAM_STRING,   /* const char * */
    TML_PARAM_PATH,     /* const TmlPath *: name of an entry of `paths`, or {points, closed} */
    TML_PARAM_POINTS,  /* TmlReals: coordinates of points, one after the other; written as a list of
                           * points or of numbers */
    TML_PARAM_ROAD,    /* const TmlRoad *: name of an entry of `roads`; NULL when absent */
    TML_PARAM_TIR,     /* const TmlTir *: name of a tyre property file */
    TML_PARAM_PROFILE, /* const TmlRailProfile *: name of an entry of `profiles`; NULL when absent */
    TML_PARAM_TRACK,   /* const TmlTrack *: name of an entry of `tracks` */
    TML_PARAM_COORDINATE, /* int, TmlCoordinate: a coordinate of the joint that the parameter `joint`
                           * names. Default: the only one that the joint has; the angle without a joint */
} TmlParamKind;

typedef enum TmlRange {
    TML_ANY = 0,
    TML_POSITIVE,
    TML_NONNEGATIVE,
    TML_FRACTION,            /* 0 <= x <= 1 */
    TML_USUALLY_NONNEGATIVE, /* a negative value is accepted with a warning */
} TmlRange;

typedef struct TmlReals {
    int n;
    const double *value;
} TmlReals;

typedef enum TmlCoordinate { TML_COORD_ANGLE, TML_COORD_DISPLACEMENT } TmlCoordinate;

/* One term of a linear relation between joint coordinates. */
typedef struct TmlTerm {
    int joint;
    TmlCoordinate coordinate;
    double coefficient;
} TmlTerm;

typedef struct TmlTerms {
    int n;
    const TmlTerm *term;
} TmlTerms;

typedef struct TmlParam {
    const char *name;
    TmlParamKind kind;
    TmlRange range;
    const char *unit;     /* SI; "" when dimensionless */
    size_t offset;        /* into the element's data */
    const char *standard; /* default, as written in a model file; NULL: required; "": no value */
    const char *text;     /* one sentence */
    const char *choices;  /* TML_PARAM_CHOICE: words separated by | */
} TmlParam;

typedef struct TmlOutput {
    const char *name, *unit, *text;
} TmlOutput;

typedef struct TmlTypeInfo {
    const char *name;         /* key in models, messages and results: "revolute" */
    const char *text;         /* one sentence for help and reference */
    size_t data_size;         /* bytes of data per element */
    const TmlParam *params;   /* ends with an empty entry; NULL: none */
    const TmlOutput *outputs; /* ends with an empty entry; NULL: none */
    const char *example; /* what help shows behind `type`: "joint: pin, radius: 1 cm"; NULL: the
                               * ends, and parameters without a default */
} TmlTypeInfo;

/* How the frames of an element are written in a model. */
typedef enum TmlEndsKind {
    TML_ENDS_FRAMES, /* two frames: `bodies` with `at` and `axis`, or `frames` */
    TML_ENDS_POINTS, /* two points: `bodies` with `points`, or `frames` */
    TML_ENDS_ONE,    /* one body: `body` with `at`, or `frame`; end 0 is ground, end 1 the body */
    TML_ENDS_JOINT,  /* those of the joint named by the parameter `joint`, or as FRAMES */
    TML_ENDS_TERMS,  /* those of all joints named by the parameter `terms`, two each, in order */
    TML_ENDS_EXPR,   /* those that the parameter `expression` refers to */
    TML_ENDS_MODAL,  /* those of the modal body named by the parameter `body`, of built-in types */
} TmlEndsKind;

/* --- constraints ------------------------------------------------------------------------- */

/* Rotation of the second frame relative to the first that a joint leaves free. */
typedef enum TmlFreeRotation {
    TML_FREE_UNKNOWN = 0, /* not stated: the joint has equations but no coordinates of its own */
    TML_FREE_NONE,        /* the second frame does not turn relative to the first */
    TML_FREE_ABOUT_Z,     /* about z of the first */
    TML_FREE_CROSS,       /* about x of the first, then y of the second, which stay perpendicular */
    TML_FREE_ALL,
} TmlFreeRotation;

enum { TML_ALONG_X = 1, TML_ALONG_Y = 2, TML_ALONG_Z = 4, TML_ALONG_ALL = 7 };

/* K is a (6 n_ends) x (6 n_ends) matrix, row major, rows and columns ordered r_0, theta_0, r_1,
 * theta_1, ...; it arrives zeroed. J is rows x n_ends: J[row * n_ends + end]. */
typedef struct TmlConstraintType {
    TmlTypeInfo info;
    TmlEndsKind ends;
    int rows;
    uint32_t pfaffian; /* bit k: row k is nonholonomic, A(q,t) q' + b(q,t) = 0 */
    int n_memory;      /* number of values kept from one accepted step to the next (turn counts) */
    const char *const *row_names;     /* a text for each row, for messages: "translation along x" */
    bool has_angle, has_displacement; /* joint coordinates: about and along z of the first frame */
    bool turns_only; /* `curvature` has entries in rows and columns of rotations only; saves time */
    /* The type is for many ends and may have more than TML_MAX_ENDS. `curvature` then couples the first end
     * with itself and with each other end only, symmetrically, and gives the six rows of the first end. */
    bool arrow;
    int reaction_ends; /* the rows of the second end depend on the first so many ends only, and `jacobian`
                        * and `curvature` may be called with only these; 0: on all ends */

    /* The motion of the second frame relative to the first that the rows leave free, if it is just this:
     * displacements along axes of the first frame (TML_ALONG_ bits) and a rotation. */
    TmlFreeRotation free_rotation;
    unsigned free_along;

    /* Number of doubles that the functions below need in TmlElementIn.work. NULL: none. */
    size_t (*work)(const void *data);

    /* The mask `pfaffian` of one element, for types where it depends on the data. NULL: it does not. */
    uint32_t (*pfaffian_rows)(const void *data);

    /* Whether the element makes something follow a function of time. Rows of such an element are
     * never left out as redundant: that is an error. NULL: no. */
    bool (*drives)(const void *data);

    /* Reject data that single-value ranges cannot exclude. NULL: accept. */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* For built-in types that need more than their parameters and ends read from the model. NULL: they do
     * not. */
    const struct TmlJointReading *reading;

    /* Finish `data` when all names are known; may read the initial motion of the ends (free
     * lengths, initial offsets). NULL: nothing to do. */
    TmlStatus (*prepare)(void *data, const TmlFrameKin *e, int n_ends, TmlError *err);

    /* phi[rows]: violation at position level; for Pfaffian rows A v + b. */
    void (*residual)(const TmlElementIn *in, double *phi);

    /* J: derivative of phi by the motion of each end; for Pfaffian rows A. */
    void (*jacobian)(const TmlElementIn *in, TmlRow *J);

    /* phi_t[rows]: partial derivative by time; for Pfaffian rows b. NULL: zero. */
    void (*rate)(const TmlElementIn *in, double *phi_t);

    /* gamma[rows]: right side of J (a, alpha) = gamma where a and alpha are the ends'
     * accelerations: minus all terms of phi'' (or of (A v + b)') without accelerations. */
    void (*gamma)(const TmlElementIn *in, double *gamma);

    /* K += derivative of sum_k lambda_k J_k by the motions of the ends. NULL: J is constant. */
    void (*curvature)(const TmlElementIn *in, const double *lambda, double *K);

    /* Derivative of A v + b by the motions at fixed twists, laid out as J. Pfaffian rows only. */
    void (*velocity_tangent)(const TmlElementIn *in, TmlRow *D);

    /* For state-space methods. Gm, Gv laid out as J: derivatives of gamma by the motions and by
     * the twists; Jt: partial derivative of J by time (NULL: zero). */
    void (*gamma_tangent)(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv);
    void (*jacobian_t)(const TmlElementIn *in, TmlRow *Jt);

    /* gamma_t[rows]: partial derivative of gamma by time. NULL: zero. */
    void (*gamma_t)(const TmlElementIn *in, double *gamma_t);

    /* Update memory[n_memory] after an accepted step. It is also called once at the start. */
    void (*commit)(const TmlElementIn *in, double *memory);

    /* Set memory[n_memory] of an element that is added during a motion, before its first commit. It arrives
     * zeroed. NULL: zeros are right. */
    void (*begin)(const TmlElementIn *in, double *memory);

    /* For types with one row that make one coordinate s follow g(t): g and its first two derivatives; returns the
     * derivative of phi by g. NULL: there is no such coordinate. */
    double (*drive)(const TmlElementIn *in, double g[3]);
} TmlConstraintType;

/* --- forces ------------------------------------------------------------------------------ */

typedef struct TmlForceType {
    TmlTypeInfo info;
    TmlEndsKind ends;
    int n_memory;
    bool on_angle; /* it acts on the joint's angle only: no effect where that is fixed */

    TmlStatus (*check)(const void *data, TmlError *err);
    TmlStatus (*prepare)(void *data, const TmlFrameKin *e, int n_ends, TmlError *err);

    /* Algebraic unknowns F of this element: their number (NULL: 0), and the expression f_k that defines
     * the k-th one by F_k = f_k(...). The wrench is then a function of the motion and of in->f. */
    int (*n_f)(const void *data);
    const struct TmlBinding *(*f_binding)(const void *data, int k);

    /* For built-in types that build these expressions, or those for which f_binding gives NULL, when the model
     * is finished, as joint friction does. NULL: f_binding is used. */
    const struct TmlForceLaw *law;

    /* For built-in types that need more than their parameters and ends read from the model. NULL: they do
     * not. */
    const struct TmlForceReading *reading;

    /* w[n_ends]: force and torque on the owner of each end, about the end's origin. */
    void (*wrench)(const TmlElementIn *in, TmlRow *w);

    /* Kq, Kv, as K above: derivatives of w by the motions (at fixed twists) and by the twists.
     * NULL: both zero. */
    void (*tangent)(const TmlElementIn *in, double *Kq, double *Kv);

    /* P[n_f * n_ends]: derivative of w by F. Required when n_f is not NULL. */
    void (*f_map)(const TmlElementIn *in, TmlRow *P);

    /* Stored energy, J. NULL: it stores none, and all power of the wrench counts as work done. */
    double (*energy)(const TmlElementIn *in);

    /* value[outputs]. NULL exactly when info.outputs is NULL. */
    void (*output)(const TmlElementIn *in, double *value);

    void (*commit)(const TmlElementIn *in, double *memory);

    /* Derivatives of the outputs: Oq and Ov [outputs * n_ends] by the motions and the twists, Of
     * [outputs * n_f] by F. All arrive zeroed. NULL: expressions cannot read output(name). */
    void (*output_tangent)(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of);

    /* Both or none, for types with on_angle whose torque about a common z axis is a law of the angle and its rate.
     * axis_angle: the angle, with its turns. axis_law: law[3], the torque on the second end and its derivatives by
     * angle and rate; false: it depends on something else. In joint coordinates such an element needs no frames. */
    double (*axis_angle)(const TmlElementIn *in);
    bool (*axis_law)(const void *data, double angle, double rate, double law[3]);
} TmlForceType;

#ifdef __cplusplus
}
#endif
