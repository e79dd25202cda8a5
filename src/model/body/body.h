/* model/body/body.h - what owns coordinates and frames: rigid body, point, ground.
 *
 * A body has nq coordinates q (with q' and q'' as plain vectors) and nu solver unknowns: a rigid
 * body has q = (r, p), nq = 7, and nu = 6, since variations of p are written as
 * dp = 1/2 dtheta p (quaternion product) and the norm of p is kept by `retract`. So p . p = 1 never
 * appears as a row of the linear system. Equations of motion of a body are nu rows, dual to
 * du = (dr, dtheta). With steps of an integrator q depends on the unknown acceleration as
 * dq = c_q da, dv = c_v da; `a` maps below are derivatives by the u-components y of da.
 */
#pragma once

#include "math/vec3.h"
#include "model/model.h"
#include "trammel/element.h"

enum { TML_BODY_MAX_NU = 6, TML_BODY_MAX_NQ = 7 };

/* A frame inside an element of nodes is moved by the unknowns of all these: at most four nodes
 * of four vectors, 15 unknowns each when positions are pinned to rigid bodies. Frames of modal
 * bodies have as many as there are modes: room for any frame is in TmlSystem.room. */
enum { TML_END_MAX_NU = 64 };

/* Values for one evaluation. Arrays are nq long. v, a may be NULL where a function does not say
 * that it reads them. */
typedef struct TmlBodyIn {
    const void *data;
    const double *q, *v, *a;
} TmlBodyIn;

/* Motion of the body's own frame, kept between calls of one evaluation. */
typedef struct TmlBodyKin {
    TmlFrameKin k;    /* at the coordinate origin (centre of mass) */
    double sigma, mu; /* 2 p' p^-1 = (2 sigma, omega); 2 p'' p^-1 = (mu, alpha_p) */
    TmlVec3 alpha_p;
} TmlBodyKin;

/* Derivatives of the motion of a frame by y, each 6 x nu row major: position (motion), twist,
 * acceleration. T = position / c_q. Only those asked for are filled. */
enum { TML_MAP_MOTION = 1, TML_MAP_TWIST = 2, TML_MAP_ACCELERATION = 4, TML_MAP_ALL = 7 };
typedef struct TmlFrameMap {
    double *P, *W, *B;
} TmlFrameMap;

/* Room for the maps of a frame that belongs to a body itself. */
typedef struct TmlBodyMap {
    double P[6 * TML_BODY_MAX_NU], W[6 * TML_BODY_MAX_NU], B[6 * TML_BODY_MAX_NU];
} TmlBodyMap;

static inline TmlFrameMap tml_body_map(TmlBodyMap *room)
{
    return (TmlFrameMap){room->P, room->W, room->B};
}

/* What is held when derivatives by y are taken: the coordinates q themselves, or rotation vectors
 * from the present position (which must satisfy p . p' = 0). */
typedef enum TmlChart { TML_CHART_COORDINATES, TML_CHART_ROTATION } TmlChart;

typedef struct TmlCoeffs {
    double a, v, q; /* c_a, c_v, c_q: derivatives of a, v, q by the unknown acceleration */
    TmlChart chart;
} TmlCoeffs;

/* Motion of the frame of an end on something that moves like k. */
static inline void tml_frame_offset(const TmlFrameKin *k, const TmlEnd *end, TmlFrameKin *out)
{
    const TmlVec3 s = m3_mulv(&k->A, end->s_b), ws = v3_cross(k->omega, s);
    out->r = v3_add(k->r, s);
    out->A = m3_mul(&k->A, &end->A_b);
    out->v = v3_add(k->v, ws);
    out->omega = k->omega;
    out->a = v3_add(k->a, v3_add(v3_cross(k->alpha, s), v3_cross(k->omega, ws)));
    out->alpha = k->alpha;
}

struct TmlEntry; /* model/read/read.h */

struct TmlBodyType {
    TmlTypeInfo info;
    int nq, nu;
    bool turns;  /* unknowns 3 to 5 are the rotation, and all frames have that rotation */
    int lengths; /* how many of the first unknowns are lengths; the others have no unit */
    bool hidden; /* coordinates of a flexible body: users see that body only */
    bool mesh;   /* a flexible body: its coordinates belong to its nodes, which are hidden bodies */
    int first; /* of a vector: the axis of its first number, 0 to 2 for x to z; the next ones follow, x after z */
    bool scalars; /* its numbers have no direction in space: no frame turns them */
    bool carried; /* not hidden, but its inertia belongs to an element over it and others */

    /* Reads what the parameters do not say. NULL: not written in a document as such. */
    void (*read)(struct TmlEntry *x, TmlBody *body);
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Mass, and inertia about the centre of mass in the axes of the body. NULL: none of its own. */
    void (*inertia)(const void *data, double *mass, TmlMat33 *J);

    /* Initial q, v from position, orientation, velocity, angular velocity (global). */
    void (*initial)(const TmlBody *body, double *q, double *v);

    /* Motion of the body frame; a NULL: accelerations are zero. */
    void (*kin)(const TmlBodyIn *in, TmlBodyKin *out);

    /* e[nu] += M a + velocity terms - weight, g: gravity (global). */
    void (*residual)(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g, double *e);

    /* K[nu * nu] += derivative of the above by y. */
    void (*tangent)(const TmlBodyIn *in, const TmlBodyKin *kin, TmlCoeffs c, double *K);

    /* M[nu * nu] = mass matrix in u. */
    void (*mass)(const TmlBodyIn *in, const TmlBodyKin *kin, double *M);

    /* Motion of a frame at s_b, A_b. */
    void (*frame)(const TmlBodyKin *kin, const TmlEnd *end, TmlFrameKin *out);

    /* Its derivatives by y. */
    void (*frame_map)(const TmlBodyKin *kin, const TmlEnd *end, TmlCoeffs c, unsigned what,
                      TmlFrameMap *out);

    /* e[nu] += T^T w for a wrench at the frame's origin. */
    void (*frame_wrench)(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w, double *e);

    /* Y[nu * n] = T^T X for n wrenches, the columns of X[6 * n]; both row major. */
    void (*frame_dual)(const TmlBodyKin *kin, const TmlEnd *end, const double *X, int n, double *Y);

    /* K[nu * nu] += c_q * derivative of T^T w by u at fixed w. */
    void (*frame_geometric)(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w, double c_q,
                            double *K);

    /* dq[nq] = N(q) du[nu]: coordinates moved by a variation. */
    void (*expand)(const double *q, const double *du, double *dq);

    /* du[nu] = T(q) dq: the inverse on variations that keep the norm. */
    void (*reduce)(const double *q, const double *dq, double *du);

    /* Change q least so that the body's own position constraints (norm of p) hold. */
    void (*retract)(double *q);

    /* Change v least so that they hold at velocity level (p . p' = 0). */
    void (*retract_velocity)(const double *q, double *v);

    /* a[nq] from the u-acceleration (a_cm, alpha): p'' = 1/2 alpha p - 1/4 |omega|^2 p. */
    void (*acceleration)(const double *q, const double *v, const double *udot, double *a);

    /* Coordinates x[nu] from the position q_ref (translation, rotation vector): the state at x with
     * rates x', the second rates x'' that belong to a u-acceleration there, and the way back. */
    void (*chart_state)(const double *q_ref, const double *x, const double *x1, double *q,
                        double *v);
    void (*chart_second)(const double *x, const double *x1, const double *udot, double *x2);
    /* The u-acceleration that belongs to second rates x'': the inverse of chart_second. */
    void (*chart_acceleration)(const double *x, const double *x1, const double *x2, double *udot);
    void (*chart_coordinates)(const double *q_ref, const double *q, const double *v, double *x,
                              double *x1);

    /* Energies in J; potential is that of gravity, zero at the origin. */
    double (*kinetic)(const TmlBodyIn *in, const TmlBodyKin *kin);
    double (*potential)(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g);
};

extern const TmlBodyType tml_body_ground;
