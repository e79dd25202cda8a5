/* model/flexible/mechanics/surface.h - membrane strains and curvatures of a middle surface.
 *
 * With a_1 = r_x, a_2 = r_y, n = a_1 x a_2 / |a_1 x a_2| and b = r_xx, r_yy, 2 r_xy:
 *
 *   (F1)  E_ij = a_i . a_j / 2 (2 E_12),   kappa = n . b;   each to be taken less its value at rest
 *
 * With the dual vectors a^i (a^i . a_j = delta, in the tangent plane), beta^i = b . a^i and any
 * change ' :
 *
 *   (F2)  n' = -(n . a_i') a^i,   kappa' = n . b' - beta^i n . a_i'
 *   (F3)  beta^i' = a^i . b' - beta^j a^i . a_j' + a^i . a^j kappa n . a_j'
 *
 * (F2) gives the gradient of kappa, once more its Hessian.
 */
#pragma once

#include "model/flexible/mechanics/patch.h"

/* Slots and strains. */
enum {
    TML_SURFACE_RX,
    TML_SURFACE_RY,
    TML_SURFACE_RXX,
    TML_SURFACE_RYY,
    TML_SURFACE_RXY,
    TML_SURFACE_SLOTS,
    TML_SURFACE_M = 3 * TML_SURFACE_SLOTS
};
enum {
    TML_SURFACE_E11,
    TML_SURFACE_E22,
    TML_SURFACE_E12,
    TML_SURFACE_K11,
    TML_SURFACE_K22,
    TML_SURFACE_K12,
    TML_SURFACE_STRAINS
};

/* Strains and what their derivatives need. */
typedef struct TmlSurface {
    double e[TML_SURFACE_STRAINS];
    TmlVec3 n, dual[2];
    double dual2[2][2], beta[3][2], kappa[3];
    double B[TML_SURFACE_STRAINS][TML_SURFACE_M]; /* gradients of e by the slots */
    double R[TML_SURFACE_STRAINS][TML_SURFACE_M]; /* their rates */
} TmlSurface;

/* Weights of the slots for three or four vectors a node. */
void tml_surface_station(int vectors, const double size[2], const double xi[2], TmlPatchStation *s);

/* Everything but R. */
void tml_surface_eval(TmlPatchSlots g, TmlSurface *s);
/* R for the rates v of the slots. */
void tml_surface_rates(TmlPatchSlots v, TmlSurface *s);
/* A gradient times rates of the slots. */
double tml_surface_dot(const double *row, TmlPatchSlots v);
/* H += c_q times the sum of stresses and Hessians of the strains. */
void tml_surface_hessians(const TmlSurface *s, const double *S, double c_q, TmlPatchBlock H);
/* T of tml_flex_axes with the normal as third gradient; returns |a_1 x a_2|. */
double tml_surface_axes(TmlPatchSlots g, double *T);
