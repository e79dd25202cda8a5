/* model/contact/law/press.h - parts that laws of contact share.
 *
 * With the depth d, the closing speed d', the elastic force E and the energy U that it stores:
 *
 *   (P1)  E = K d^n,  U = K d^(n+1) / (n+1)            a point
 *   (P2)  E = k_f V,  U = E d                          a piece of a patch: an overlap of volume V whose
 *                                                      middle is d deep, of the area V / (2 d)
 *   (P3)  N = max(0, E + c d')                         added damping, c by depth and size; no max
 *                                                      where the law may pull
 *   (P4)  N = E max(0, 1 + eta d')                     damping as a factor
 *   (P5)  N := N - F_a s(d / d_a),  s(w) = w^2 (3 - 2 w) for w < 1, else 1
 *
 *   (P6)  a step that ends where a contact does must not see its end (events: locate). `continued` asks for the same
 *         formulas without the max, at depths below zero too: K d^n for whole n, -K |d|^n for others, whose second
 *         derivative at zero is infinite from either side
 *
 * The elastic part of the force is E in all cases, less the adhesion. What is lost has the power
 * (N - E) d' >= 0, also where the force is cut at zero.
 *
 * Text: docs/theory/contact_laws.md
 */
#pragma once

#include "model/contact/contacts.h"

/* The elastic part of a law, with its derivatives. */
typedef struct TmlPressSpring {
    double force, by_depth, by_size, by_curvature[2], stored;
} TmlPressSpring;

/* A coefficient of added damping, N s/m. */
typedef struct TmlPressDamper {
    double c, by_depth, by_size;
} TmlPressDamper;

/* A pull that is there as long as the shapes touch; both 0: none. */
typedef struct TmlAdhesion {
    double force, depth; /* N, m: F_a and d_a */
} TmlAdhesion;

/* (P1) for a point, (P2) for a piece of a patch. Zero without a depth, unless it is continued, (P6). */
TmlPressSpring tml_press_spring(const TmlPressIn *in, double K, double n, double foundation);

/* The damper c of a point, or c_f area of a piece of a patch. */
TmlPressDamper tml_press_damper(const TmlPressIn *in, double c, double c_f);

void tml_press_add_damper(const TmlPressIn *in, const TmlPressSpring *E, const TmlPressDamper *D,
                          bool pulls, TmlPress *out); // (P3)
void tml_press_add_factor(const TmlPressIn *in, const TmlPressSpring *E, double eta,
                          TmlPress *out);                                               // (P4)
void tml_press_add_adhesion(const TmlPressIn *in, const TmlAdhesion *a, TmlPress *out); // (P5)

/* Lines of parameter tables. A stiffness in N/m^n has the dimension that the exponent gives it. */
#define TML_POWER_PARAMS(Data)                                                                     \
    {"stiffness",                                                                                  \
     TML_PARAM_REAL,                                                                               \
     TML_NONNEGATIVE,                                                                              \
     "N/m^n",                                                                                      \
     offsetof(Data, stiffness),                                                                    \
     "0",                                                                                          \
     "force of a single point at a depth of 1 m; n: the exponent",                                 \
     NULL},                                                                                        \
        {"exponent",                                                                               \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         offsetof(Data, exponent),                                                                 \
         "1.5",                                                                                    \
         "power of the depth, at least 1",                                                         \
         NULL},                                                                                    \
    {                                                                                              \
        "foundation", TML_PARAM_REAL, TML_NONNEGATIVE, "N/m^3", offsetof(Data, foundation), "0",   \
            "pressure per depth, for faces", NULL                                                  \
    }
#define TML_DAMPER_PARAMS(Data)                                                                    \
    {"damping",                                                                                    \
     TML_PARAM_REAL,                                                                               \
     TML_NONNEGATIVE,                                                                              \
     "N s/m",                                                                                      \
     offsetof(Data, damping),                                                                      \
     "0",                                                                                          \
     "force per closing speed of a single point",                                                  \
     NULL},                                                                                        \
    {                                                                                              \
        "foundation_damping", TML_PARAM_REAL, TML_NONNEGATIVE, "N s/m^3",                          \
            offsetof(Data, foundation_damping), "0", "pressure per closing speed, for faces", NULL \
    }
#define TML_ADHESION_PARAMS(Data, member)                                                          \
    {"adhesion",                                                                                   \
     TML_PARAM_REAL,                                                                               \
     TML_NONNEGATIVE,                                                                              \
     "N",                                                                                          \
     offsetof(Data, member.force),                                                                 \
     "0",                                                                                          \
     "adhesive force of a single point as long as the shapes overlap",                             \
     NULL},                                                                                        \
    {                                                                                              \
        "adhesion_depth", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(Data, member.depth), "0", \
            "depth at which the adhesion is full", NULL                                            \
    }

/* Checks of parameters that several laws have. */
TmlStatus tml_press_check(double stiffness, double foundation, double exponent,
                          const TmlAdhesion *a, TmlError *err);
TmlStatus tml_press_suits(double stiffness, double foundation, const TmlAdhesion *a,
                          unsigned touches, TmlError *err);

/* The coefficients of a law of friction; mu_s 0: the same as mu_d. */
TmlStatus tml_slip_check(double mu_s, double mu_d, TmlError *err);
