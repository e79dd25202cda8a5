/* reduce/mesh/face.h - a face of an element and the point of it that is nearest to another point. */
#pragma once

#include "reduce/finite.h"

enum { TML_FACE_NODES = 8 };

/* With N the shape functions at the foot, n the normal and g the gradients of N along the face, a point p at d from the foot that
 * goes with the face has the displacement
 *
 *     u_p = sum_i N_i u_i + t x d,   t = sum_i (g_i x n)(n . u_i) + n (n . (g_i x u_i)) / 2      (FA1)
 *
 * where t is the rotation of the face at the foot. Rigid motion of the nodes of the face is rigid motion of p. */
typedef struct TmlFaceFoot {
    double N[TML_FACE_NODES];
    TmlVec3 g[TML_FACE_NODES], foot, normal;
    double distance, size; /* from the point; length of the face, the root of its area */
} TmlFaceFoot;

/* x: 3 or 4 corners, or these and the middles of the edges behind them (6, 8), going around. */
void tml_face_foot(int n, const TmlVec3 *x, TmlVec3 p, TmlFaceFoot *out);

/* f[n] += the forces that a pressure p on the face is on its nodes, against the normal by the order of the nodes:
 *
 *     f_i = -p int N_i (t_0 x t_1)                                                            (FA2)
 *
 * with t the tangents by the natural coordinates; exact for straight and curved faces. */
void tml_face_pressure(int n, const TmlVec3 *x, double p, TmlVec3 *f);

/* (FA1): how component b of u_i moves component a of the point at d from the foot, out[a][b]. */
void tml_face_row(const TmlFaceFoot *f, int i, TmlVec3 d, double out[3][3]);
