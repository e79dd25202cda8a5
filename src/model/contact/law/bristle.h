/* model/contact/law/bristle.h - what laws of friction with a bristle share.
 *
 * The bristle of deflection z is a spring that ends at the surface; the law says how fast its end slips,
 * z' = w(v, z, N). With L = mu_s N, the largest friction there is:
 *
 *   (B1)  g(v) = mu_d + (mu_s - mu_d) exp(-(|v| / v_s)^2)
 *   (B2)  e = s_0 z, cut to |e| <= L                         the spring
 *   (B3)  T = -(e + s w + s_2 N v)
 *   (B4)  s = the largest value up to s_1 with
 *           |e + s w| <= L                                    the cone of friction
 *           s w.v + [e.v + s_2 N v.v - psi s_0 z.w] >= 0      no energy is made
 *   (B5)  z' = psi w - (s_0 / s_1) max(0, |z| - L / s_0) z / |z|   when the normal force has fallen
 *         psi = 1 - (1 - phi)^4,  phi = min(1, L / (s_0 |z|))
 *   (B6)  w is that of the law at z cut to |z| <= L / s_0: laws divide by N, and without the cut w of a
 *         bristle that is bent has no bound where a contact ends. No motion under a constant N gets there
 *   (B7)  N of w is at least s_0 d / mu_s, where d is the rounding of positions: a bristle whose end is nearer would
 *         turn round within the last digits. The force itself has the cone of the true N
 *
 * Where a contact begins N rises from nothing, and a bristle is at its end at once: w is a relay there, from v to v - |v| z mu_s / (|z| g).
 * Newton's method jumps from one side of it to the other; while a method iterates (`uncut`) the law is continued beyond the end once.
 *
 * psi takes the slip away as the normal force ends, so that z' goes over into the one without a force, -(s_0 / s_1) z,
 * without a jump. It is 1 in every motion under a constant N.
 *
 * The stiffness does not follow the normal force: a bristle that is bent under a small load and let go
 * under a large one would make energy. The bracket in (B4) is never negative for the laws of this
 * folder. Where s = s_1 and e is not cut this is the published form of LuGre, z' = w, with the force
 * s_0 z + s_1 z' + s_2 v; (B4) takes effect in shocks, and where s_1 would make energy, which the
 * literature excludes by a condition on s_2 or by letting s_1 fall with the speed.
 */
#pragma once

#include "model/contact/contacts.h"

typedef struct TmlBristleData {
    double stiffness, damping, viscous; /* s_0 N/m, s_1 N s/m, s_2 s/m */
    double mu_d, mu_s, v_s;             /* mu_s 0: as mu_d */
    double break_away;                  /* of the law `elastic` */
} TmlBristleData;

/* How fast the end slips: w and its derivatives. */
typedef struct TmlBristleSlip {
    TmlVec3 w, by_force;
    TmlMat33 by_v, by_z;
} TmlBristleSlip;

/* g of (B1), and g' / |v|. */
typedef struct TmlStribeck {
    double g, slope;
} TmlStribeck;

TmlStribeck tml_bristle_stribeck(const TmlBristleData *p, double speed);

/* (B6), (B7): what the law sees, with z cut; and its w, whose derivatives become those by z itself. */
TmlSlipIn tml_bristle_cut(const TmlSlipIn *in);
void tml_bristle_uncut(const TmlSlipIn *in, TmlBristleSlip *slip);

/* (B2) to (B5) from w; all of `out`. */
void tml_bristle_force(const TmlSlipIn *in, const TmlBristleSlip *slip, TmlSlip *out);

/* What there is without a normal force: the bristle springs back. */
void tml_bristle_unloaded(const TmlSlipIn *in, TmlSlip *out);

/* Entries of the tables. */
TmlStatus tml_bristle_check(const void *data, TmlError *err);
void tml_bristle_hold(const TmlSlipIn *in, TmlSlip *out);
TmlVec3 tml_bristle_bear(const void *data, double normal_force, TmlVec3 T);
double tml_bristle_reach(const void *data, double normal_force);

#define TML_BRISTLE_PARAMS                                                                         \
    {"stiffness",                                                                                  \
     TML_PARAM_REAL,                                                                               \
     TML_POSITIVE,                                                                                 \
     "N/m",                                                                                        \
     offsetof(TmlBristleData, stiffness),                                                          \
     NULL,                                                                                         \
     "of the bristle of one point, or of a face",                                                  \
     NULL},                                                                                        \
        {"damping",                                                                                \
         TML_PARAM_REAL,                                                                           \
         TML_NONNEGATIVE,                                                                          \
         "N s/m",                                                                                  \
         offsetof(TmlBristleData, damping),                                                        \
         "0",                                                                                      \
         "of the bristle of one point, or of a face, while it sticks",                             \
         NULL},                                                                                    \
        {"dynamic",                                                                                \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         offsetof(TmlBristleData, mu_d),                                                           \
         NULL,                                                                                     \
         "coefficient of friction in sliding",                                                     \
         NULL},                                                                                    \
        {"static",                                                                                 \
         TML_PARAM_REAL,                                                                           \
         TML_NONNEGATIVE,                                                                          \
         "",                                                                                       \
         offsetof(TmlBristleData, mu_s),                                                           \
         "0",                                                                                      \
         "coefficient at which sliding begins; 0: the same as dynamic",                            \
         NULL},                                                                                    \
        {"stribeck_velocity",                                                                      \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "m/s",                                                                                    \
         offsetof(TmlBristleData, v_s),                                                            \
         "0.01",                                                                                   \
         "speed over which static friction falls to dynamic friction",                             \
         NULL},                                                                                    \
    {                                                                                              \
        "viscous", TML_PARAM_REAL, TML_NONNEGATIVE, "s/m", offsetof(TmlBristleData, viscous), "0", \
            "growth of the coefficient with the sliding speed", NULL                               \
    }
