/* trammel/element.h - the tables that describe a type of joint or force.
 *
 * Built-in types are one file with one const table; user types are the same tables, registered at
 * run time with tml_model_register_*. A table holds facts (name, parameters, outputs) and code.
 *
 * Elements see frames, never bodies: an end of an element is a frame with its motion in global
 * axes, and the owner of the frame (rigid body, point, ground, later ANCF node or modal body) maps
 * what the element says in (dr, dtheta) to its own coordinates.
 *
 * Signs: M a + Phi_q^T lambda = Q. The force of a constraint on the system is -Phi_q^T lambda.
 * Variations: dr is that of the frame's origin, dtheta turns the frame from the left:
 * dA = dtheta~ A. Both in global axes. Relative quantities are second end minus first.
 */
#pragma once

#include "trammel/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TML_MAX_ROWS = 12, /* scalar equations of one constraint */
    TML_MAX_ENDS = 12, /* frames seen by one element or expression */
    TML_MAX_OWN = 12   /* algebraic force unknowns (F) of one force element */
};

/* Motion of a frame, all in global axes. */
typedef struct TmlFrameKin {
    TmlVec3 r;     /* origin */
    TmlMat33 A;    /* the frame's axes as columns */
    TmlVec3 v;     /* velocity of the origin */
    TmlVec3 omega; /* angular velocity */
    TmlVec3 a;     /* acceleration of the origin */
    TmlVec3 alpha; /* angular acceleration */
} TmlFrameKin;

/* A pair that belongs to one end: a row of a Jacobian (by dr, by dtheta), a twist (velocity,
 * angular velocity) or a wrench (force, torque about the frame's origin). Global axes. */
typedef struct TmlRow {
    TmlVec3 r, theta;
} TmlRow;

/* What an element is given. All pointers but work are read only. */
typedef struct TmlElementIn {
    const void *data;     /* the element's parameters, laid out by info.params */
    const TmlFrameKin *e; /* n_ends frames, contiguous */
    int n_ends;
    double t;             /* s */
    const double *f;      /* n_f values of the element's own algebraic unknowns */
    const double *memory; /* n_memory values, changed only by commit */
    double *work;         /* scratch of as many doubles as the type's work() says */
} TmlElementIn;

/* --- parameters: loader, range check, help, schema and reference read this table ----------- */

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
    TML_PARAM_COORDINATE, /* int, TmlCoordinate: of the joint that the parameter `joint` names; when
                           * absent the only one that the joint has, without a joint the angle */
} TmlParamKind;

typedef enum TmlRange {
    TML_ANY = 0,
    TML_POSITIVE,
    TML_NONNEGATIVE,
    TML_FRACTION,            /* 0 <= x <= 1 */
    TML_USUALLY_NONNEGATIVE, /* less is taken, with a warning */
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
    const char *standard; /* default, as written in a model file; NULL: required; "": absent */
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
} TmlEndsKind;

/* --- constraints ------------------------------------------------------------------------- */

/* Rotation of the second frame relative to the first that a joint leaves free. */
typedef enum TmlFreeRotation {
    TML_FREE_UNKNOWN = 0, /* not said: the joint has no coordinates of its own, only equations */
    TML_FREE_NONE,        /* the axes stay as they are */
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
    uint32_t pfaffian;            /* bit k: row k is nonholonomic, A(q,t) q' + b(q,t) = 0 */
    int n_memory;                 /* values kept from one accepted step to the next (turn counts) */
    const char *const *row_names; /* rows texts: "translation along x", for messages */
    bool has_angle, has_displacement; /* joint coordinates: about and along z of the first frame */
    bool turns_only; /* `curvature` has rotations in its rows and columns only; saves time */
    bool
        arrow; /* it may have more than TML_MAX_ENDS ends. `curvature` couples the first end with the others and itself only, in a
                        * symmetric way, and gives the six rows of the first end: for many ends */
    int reaction_ends; /* the rows of the second end depend on so many ends only, and `jacobian` and
                        * `curvature` may be asked with these; 0: on all */

    /* Free motion of the second frame relative to the first, when that is all the rows say:
     * displacements along axes of the first (TML_ALONG_ bits) and a rotation. */
    TmlFreeRotation free_rotation;
    unsigned free_along;

    /* Doubles of TmlElementIn.work that the functions below need. NULL: none. */
    size_t (*work)(const void *data);

    /* The mask above for one element, where it depends on the data. NULL: `pfaffian`. */
    uint32_t (*pfaffian_rows)(const void *data);

    /* Whether the element makes something follow a function of time. Rows of such an element are
     * never left out as redundant: that is an error. NULL: no. */
    bool (*drives)(const void *data);

    /* Reject data that single-value ranges cannot exclude. NULL: accept. */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* How types of the library itself are read beyond their parameters and ends. NULL: not. */
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

    /* K += derivative of sum_k lambda_k J_k by the motions. NULL: J is constant. */
    void (*curvature)(const TmlElementIn *in, const double *lambda, double *K);

    /* Pfaffian rows only, laid out as J: derivative of A v + b by the motions at fixed twists. */
    void (*velocity_tangent)(const TmlElementIn *in, TmlRow *D);

    /* For state-space methods. Gm, Gv laid out as J: derivatives of gamma by the motions and by
     * the twists; Jt: partial derivative of J by time (NULL: zero). */
    void (*gamma_tangent)(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv);
    void (*jacobian_t)(const TmlElementIn *in, TmlRow *Jt);

    /* gamma_t[rows]: partial derivative of gamma by time. NULL: zero. */
    void (*gamma_t)(const TmlElementIn *in, double *gamma_t);

    /* memory[n_memory] after an accepted state; also called once at the start. */
    void (*commit)(const TmlElementIn *in, double *memory);

    /* memory[n_memory], zero, of an element that joins a motion under way, before the first commit.
     * NULL: zeros are right. */
    void (*begin)(const TmlElementIn *in, double *memory);
} TmlConstraintType;

/* --- forces ------------------------------------------------------------------------------ */

typedef struct TmlForceType {
    TmlTypeInfo info;
    TmlEndsKind ends;
    int n_memory;
    bool on_angle; /* it acts on the angle of its joint alone: without effect where that is fixed */

    TmlStatus (*check)(const void *data, TmlError *err);
    TmlStatus (*prepare)(void *data, const TmlFrameKin *e, int n_ends, TmlError *err);

    /* Own algebraic unknowns F: how many this element has (0 when NULL), and the k-th defining
     * expression F_k = f_k(...). The wrench is then a function of the motion and of in->f. */
    int (*n_f)(const void *data);
    const struct TmlBinding *(*f_binding)(const void *data, int k);

    /* Alternative to f_binding for types of the library itself, which build these expressions when
     * the model is finished (joint friction does so). NULL: not. */
    const struct TmlForceLaw *law;

    /* w[n_ends]: force and torque on the owner of each end, about the end's origin. */
    void (*wrench)(const TmlElementIn *in, TmlRow *w);

    /* Kq, Kv, as K above: derivatives of w by the motions (at fixed twists) and by the twists.
     * NULL: both zero. */
    void (*tangent)(const TmlElementIn *in, double *Kq, double *Kv);

    /* P[n_f * n_ends]: derivative of w by F. Required when n_f is not NULL. */
    void (*f_map)(const TmlElementIn *in, TmlRow *P);

    /* Stored energy in J. NULL: none; all power of the wrench then counts as work done. */
    double (*energy)(const TmlElementIn *in);

    /* value[outputs]. NULL exactly when info.outputs is NULL. */
    void (*output)(const TmlElementIn *in, double *value);

    void (*commit)(const TmlElementIn *in, double *memory);

    /* Derivatives of the outputs, all arriving zeroed: Oq, Ov [outputs * n_ends] by the motions and
     * the twists, Of [outputs * n_f] by F. NULL: expressions cannot read output(name). */
    void (*output_tangent)(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of);
} TmlForceType;

#ifdef __cplusplus
}
#endif
