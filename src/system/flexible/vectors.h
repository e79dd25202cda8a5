/* system/flexible/vectors.h - vectors x = sum c (vector of a body) of flexible bodies; internal to system/.
 *
 * In the local columns of `parts`, which hold all bodies of the terms:
 *
 *   (V1)  dx = D du,  D = sum c D_t;   D_t is the unit matrix for a free vector, the map of a point
 *         fixed to a rigid body, or the difference of two such maps for a direction
 */
#pragma once

#include "model/flexible/flexible.h"
#include "system/system_internal.h"

/* x, x', x'' at the last motion of the bodies. */
void tml_vector_kin(const TmlSystem *sys, const TmlVector *v, TmlVec3 out[3]);

/* Derivatives of x, x', x'' by y: 3 x cols matrices, overwritten; those not in `what` stay. */
typedef struct TmlVectorMap {
    double P[3 * TML_END_MAX_NU], W[3 * TML_END_MAX_NU], B[3 * TML_END_MAX_NU];
} TmlVectorMap;
void tml_vector_map(const TmlSystem *sys, const TmlVector *v, const TmlParts *parts, TmlCoeffs c,
                    unsigned what, TmlVectorMap *out);

/* D du for du[nu]. */
TmlVec3 tml_vector_change(const TmlSystem *sys, const TmlVector *v, const double *du);

/* r[nu] += D^T f */
void tml_vector_force(const TmlSystem *sys, const TmlVector *v, TmlVec3 f, double *r);

/* Y[cols * n] += D^T F for the n columns of F[3 * n]. */
void tml_vector_dual(const TmlSystem *sys, const TmlVector *v, const TmlParts *parts,
                     const double *F, int n, double *Y);

/* K[cols * cols] += c_q * derivative of D^T f by u at fixed f. */
void tml_vector_geometric(const TmlSystem *sys, const TmlVector *v, const TmlParts *parts,
                          TmlVec3 f, double c_q, double *K);

/* First local column of a body, which must be one of the parts. */
int tml_parts_column(const TmlParts *parts, int body);

/* The bodies of n vectors as parts, from the arena. */
TML_NODISCARD TmlStatus tml_vector_parts(const TmlSystem *sys, int n, const TmlVector *const *v,
                                         TmlArena *arena, TmlParts *out, TmlError *err);
