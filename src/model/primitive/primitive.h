/* model/primitive/primitive.h - the scalar functions of two frames that joints are made of.
 *
 * Joints are lists of primitives; each primitive has its value, rows, quadratic velocity term and
 * all further derivatives written once, here. a is an axis of end i, c an axis of end j,
 * d = r_j - r_i, all in global axes:
 *
 *   (P1) TML_PRIM_COORD  d . e_k             a component in global axes
 *   (P2) TML_PRIM_DOT    a . c               angle between two body-fixed axes
 *   (P3) TML_PRIM_ALONG  a . d               distance along an axis of end i
 *   (P4) TML_PRIM_DIST   |d|
 *   (P5) TML_PRIM_ANGLE  atan2(x_j.y_i - y_j.x_i, x_j.x_i + y_j.y_i) + 2 pi turns
 *                                            rotation of j relative to i about z
 */
#pragma once

#include "trammel/element.h"

typedef enum TmlPrimKind {
    TML_PRIM_COORD,
    TML_PRIM_DOT,
    TML_PRIM_ALONG,
    TML_PRIM_DIST,
    TML_PRIM_ANGLE,
} TmlPrimKind;

typedef struct TmlPrim {
    TmlPrimKind kind;
    int axis_i, axis_j; /* 0, 1, 2: x, y, z; which axes a and c are (COORD: axis_i is k) */
} TmlPrim;

/* For all functions: i, j are the two ends; Ji, Jj rows for them. turns: reference angle for
 * TML_PRIM_ANGLE (the value returned is the branch nearest to it), ignored by the others. */
double tml_prim_value(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j, double turns);
void tml_prim_rows(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j, TmlRow *Ji,
                   TmlRow *Jj);
/* Second derivative by time at zero accelerations (gamma is its negative). */
double tml_prim_second_rate(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j);
/* K[12][12] row major, ordered r_i, theta_i, r_j, theta_j: += scale * derivative of the rows. */
void tml_prim_curvature(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j, double scale,
                        double *K);
/* Derivatives of tml_prim_second_rate by the motions (m) and the twists (v). */
void tml_prim_second_rate_tangent(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j,
                                  TmlRow *mi, TmlRow *mj, TmlRow *vi, TmlRow *vj);

/* Functions for the tables of joints that are nothing but a list of primitives between end 0 and
 * end 1, row k = list[k]: each joint file defines its list and uses TML_PRIM_JOINT. See
 * model/constraint/revolute.c. */
void tml_prims_residual(const TmlPrim *list, int rows, const TmlElementIn *in, double *phi);
void tml_prims_jacobian(const TmlPrim *list, int rows, const TmlElementIn *in, TmlRow *J);
void tml_prims_gamma(const TmlPrim *list, int rows, const TmlElementIn *in, double *gamma);
void tml_prims_curvature(const TmlPrim *list, int rows, const TmlElementIn *in,
                         const double *lambda, double *K);
void tml_prims_gamma_tangent(const TmlPrim *list, int rows, const TmlElementIn *in, TmlRow *Gm,
                             TmlRow *Gv);

/* The static functions of a table, <name>_residual and so on, for an array of primitives. */
#define TML_PRIM_JOINT(name, list)                                                                 \
    static void name##_residual(const TmlElementIn *in, double *phi)                               \
    {                                                                                              \
        tml_prims_residual(list, TML_PRIM_COUNT(list), in, phi);                                   \
    }                                                                                              \
    TML_PRIM_DERIVATIVES(name, list)

/* The same without the residual, for joints that add a constant to a row. */
#define TML_PRIM_DERIVATIVES(name, list)                                                           \
    static void name##_jacobian(const TmlElementIn *in, TmlRow *J)                                 \
    {                                                                                              \
        tml_prims_jacobian(list, TML_PRIM_COUNT(list), in, J);                                     \
    }                                                                                              \
    static void name##_gamma(const TmlElementIn *in, double *gamma)                                \
    {                                                                                              \
        tml_prims_gamma(list, TML_PRIM_COUNT(list), in, gamma);                                    \
    }                                                                                              \
    static void name##_curvature(const TmlElementIn *in, const double *lambda, double *K)          \
    {                                                                                              \
        tml_prims_curvature(list, TML_PRIM_COUNT(list), in, lambda, K);                            \
    }                                                                                              \
    static void name##_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)               \
    {                                                                                              \
        tml_prims_gamma_tangent(list, TML_PRIM_COUNT(list), in, Gm, Gv);                           \
    }

#define TML_PRIM_COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

/* The entries of a table for the functions that TML_PRIM_JOINT made. */
#define TML_PRIM_TABLE(name)                                                                       \
    .residual = name##_residual, .jacobian = name##_jacobian, .gamma = name##_gamma,               \
    .curvature = name##_curvature, .gamma_tangent = name##_gamma_tangent
