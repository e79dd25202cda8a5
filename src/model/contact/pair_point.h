/* model/contact/pair_point.h - one point of a pair of shapes in global axes; internal to model/contact.
 *
 * The first frame has its origin at r_0 and the axes A, its shape the origin x_0 and the axes R; a touch
 * (p, n) is given in the latter. P = x_0 + R p and N = R n in global axes.
 *
 *   (C0)  p := p + a h n, h half of what the shapes overlap (the depth of a piece of a patch, half of a point's), a = 1
 *         on the surface of the first, -1 on that of the second
 *   (C1)  u = v_1 + omega_1 x (P - r_1) - v_0 - omega_0 x (P - r_0)      material of 1 against 0 at P
 *   (C2)  rate of the depth -u.N, slip v = u - (u.N) N
 *   (C3)  f = F N + T(F, v, z_t) on frame 1 at P, -f on frame 0
 *   (C4)  variables of the relative motion: R^T (dx_1 - dx_0 - dtheta_0 x (x_1 - x_0)), R^T (dtheta_1 - dtheta_0)
 *   (C5)  dP = dr_0 + dtheta_0 x (P - r_0) + R dp,  dN = dtheta_0 x N + R dn
 *   (C6)  du at fixed twists = omega_1 x (dP - dr_1) - omega_0 x (dP - dr_0)
 *   (C7)  df = dF N + F dN + T_F dF + T_v dv + T_z dz - N (T.dN), dv and dz within the tangent plane
 *   (C8)  dF = F_d dd + F_s ds + F_c dc + F_r (-du.N - u.dN) + F_fade dfade
 *   (C9)  gap g = -d: g' = u.N, g'' = u'.N + u.N' along the motion; onset: first root of g + g' t + g'' t^2 / 2
 *         with g counted from the depth that is aimed at
 *   (C10) couple m(F, N, omega_1 - omega_0) of rolling and spinning on frame 1, -m on frame 0
 *   (C11) a touch that fades has 1 - fade of the law's force
 *   (C12) a bristle has the state y in the axes of one of the frames: z = A y, z_t = z - N (N.z),
 *         y' = A^T Z; what comes to lie along N is not felt
 *   (C15) Z = z'(F, v, z_t) + s N x z_t, s = N.(omega_0 + omega_1) / 2 - N.omega of that frame: bristles turn about the
 *         normal with the mean of both spins, whichever frame has their axes
 *   (C13) dz_t within the tangent plane = dtheta x z - dN (N.z) + A dy, projected;
 *         d(z') = Z_F dF + Z_v dv + Z_z dz - N (z'.dN);  dy' = A^T (dZ - dtheta x Z), dtheta of that frame;
 *         dZ = d(z') + ds N x z_t + s (dN x z_t + N x dz_t)
 *   (C14) a station of a flexible body stands for a length or an area w: w times what the laws say of one metre; the
 *         rate of a bristle does not depend on w
 *
 *   (C17) a piece of a patch, of the size s_i, has the share a = s_i / sum of s of the bristle of its pair:
 *         T(F, v, y) = a T'(F / a, v, z), z = y / sqrt(a), y' = sqrt(a) Z'(F / a, v, z), so that all pieces slip together where
 *         the pressure is even; the energy of a bristle is s_0 y.y / 2, whatever its share becomes;
 *         da = (ds_i - a sum of ds) / sum of s,  T_a = T' - (F / a) T'_F - T'_z z / 2,
 *         (y')_a = (Z' - Z'_z z) / (2 sqrt(a)) - F Z'_F / a^(3/2).  At rest (C16) z is the way itself
 *
 *   (C16) at rest, in statics: z = r_1 + A_1 a_1 - r_0 - A_0 a_0 from the anchors a, the friction is `hold` of the law;
 *         dz = dr_1 + dtheta_1 x A_1 a_1 - dr_0 - dtheta_0 x A_0 a_0
 *
 * In (C7) and (C13) what lies in the tangent plane turns with it: T.N = 0 holds always, so dT.N = -T.dN.
 * Text: docs/theory/contact.md
 */
#pragma once

#include "model/contact/pair_force.h"

/* The relative pose and what turns it into global axes. */
typedef struct TmlPairFrames {
    TmlVec3 x0, x1; /* origins of the shapes */
    TmlMat33 R;     /* axes of the first shape */
    TmlPose pose;
} TmlPairFrames;

/* The sum of (C17), by the variables of (C4) where these are wanted. */
typedef struct TmlPatchSize {
    double size; /* m^3; 0: there are no pieces */
    double by[TML_TOUCH_VARIABLES];
} TmlPatchSize;

/* rate: NULL, or that of each touch. */
TmlPatchSize tml_patch_size(const TmlTouch *touch, const TmlTouchRate *rate, int n);

/* One touch in global axes, with what the laws say of it. */
typedef struct TmlPoint {
    TmlVec3 P, N, arm0, arm1, u, slip_v;
    double un, by_fade;
    TmlPress press;
    TmlSlip slip;
    TmlRoll roll;
    TmlVec3 f;
    TmlVec3 z;    /* m: y of the bristle, whole, in global axes */
    int slot;     /* of the bristle; -1: none */
    double spin;  /* rad/s: s of (C15) */
    double share; /* (C17); 1: a point, or a law without bristles */
    TmlVec3 by_share, rate_by_share;
    const TmlPatchSize *patch; /* that it has a share of; NULL: none */
    bool held;                 /* (C16) gives z */
    TmlVec3 reach[2];          /* m: A a of its anchors */
} TmlPoint;

TmlPairFrames tml_pair_frames(const TmlPairIn *in);

/* The touches of the pair, with the points where forces act, (C0). rate: NULL, or as many. */
int tml_pair_touches(const TmlPairIn *in, const TmlPairFrames *g, double reach, TmlTouch *touch,
                     TmlTouchRate *rate);

/* (C1), (C2); (C1) to (C3) with laws. patch: NULL where friction is of no account. straight: friction by its tangent at v = 0; slot: of its bristle, -1: none. */
TmlPoint tml_pair_motion(const TmlPairIn *in, const TmlPairFrames *g, const TmlTouch *t);
TmlPoint tml_pair_point(const TmlPairIn *in, const TmlPairFrames *g, const TmlTouch *t,
                        const TmlPatchSize *patch, bool straight, int slot);

/* (C9): g''. */
double tml_pair_gap_second(const TmlPairIn *in, const TmlPairFrames *g, const TmlPoint *x,
                           const TmlTouchRate *rate);

/* Whether a point of this depth has a force that goes on beyond its end: none is foreseen then. */
bool tml_pair_continues(const TmlPairIn *in, TmlSide side, double depth);
/* The law of a pressed point below its end: whether its force is cut there all the same. */
bool tml_pair_cuts(const TmlPairIn *in, TmlSide side);

/* Whether a point on this side touches. */
bool tml_pair_closed(TmlSide side, double depth);

/* The part of a deflection in the tangent plane, and Z of (C15). */
TmlVec3 tml_point_deflection(const TmlPoint *x);
TmlVec3 tml_point_bristle_rate(const TmlPoint *x);

/* Whether the tangent at v = 0 stands for the law of a point. */
bool tml_pair_straight(const TmlPairIn *in, uint64_t id);

/* The bristle of a point: its own, else, if it may be new, the first that is free; -1: there is none. A point that
 * closes within a step has none until the step is accepted: its rate would jump there. *taken: bits of those that
 * points before have, zero to begin. */
int tml_pair_slot(const TmlPairIn *in, uint64_t id, bool new, uint64_t *taken);
