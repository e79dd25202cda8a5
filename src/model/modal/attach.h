/* model/modal/attach.h - a frame that moves relative to another one by a place c and a rotation vector psi.
 *
 * A node of a modal body: z = (c, psi) is linear in the modal coordinates. The carrier, here "the body", moves as k does.
 *
 *   (AT1)  r_n = r + A c,   A_n = A exp(psi~),   w = D(psi) psi' the relative angular velocity in the body's axes
 *   (AT2)  v_n = v + omega x s + A c',                              s = A c
 *          a_n = a + alpha x s + omega x (omega x s) + 2 omega x A c' + A c''
 *   (AT3)  omega_n = omega + A w,   alpha_n = alpha + omega x A w + A w'
 *   (AT4)  T^T (f, t): force f and torque t + s x f on the body, A^T f on c, D^T A^T t on psi
 */
#pragma once

#include "model/body/body.h"

/* Value, rate and second rate of c and psi, in the body's axes. */
typedef struct TmlAttach {
    TmlVec3 c[3], psi[3];
} TmlAttach;

enum { TML_ATTACH_COLUMNS = 12 }; /* six of the body, then c and psi */

/* (AT1) to (AT3) */
void tml_attach_frame(const TmlFrameKin *k, const TmlAttach *z, TmlFrameKin *out);

/* Derivatives of that motion, 6 x 12 matrices. body: those of the body's own frame by its six unknowns; c and psi change by
 * c.q, their rates by c.v, second rates by c.a. */
void tml_attach_map(const TmlFrameKin *k, const TmlAttach *z, const TmlBodyMap *body, TmlCoeffs c,
                    unsigned what, TmlFrameMap *out);

/* g[12] = T^T w for a wrench about the node. (AT4) */
void tml_attach_dual(const TmlFrameKin *k, const TmlAttach *z, const TmlRow *w, double g[12]);

/* K[12 * 12] += c_q derivative of T^T w by the twelve at fixed force and torque on a frame that the node carries at the offset o
 * (global axes); w is about the origin of that frame. */
void tml_attach_geometric(const TmlFrameKin *k, const TmlAttach *z, TmlVec3 o, const TmlRow *w,
                          double c_q, double *K);
