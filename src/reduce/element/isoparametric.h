/* reduce/element/isoparametric.h - functions that all isoparametric solids share: entries of their tables. */
#pragma once

#include "reduce/element/element.h"

/* Derivatives of the shape functions by x, y, z at natural coordinates, and the determinant of the
 * Jacobian, which the caller looks at. */
double tml_iso_gradient(const TmlFeOne *e, const double at[3], TmlVec3 *gradient);

/* Lame's constants of the material. */
void tml_iso_lame(const TmlFeMaterial *m, double *lambda, double *mu);

/* out[6] of a displacement gradient g[3][3], g[a][b] = du_a / dx_b. */
void tml_iso_hooke(double lambda, double mu, double g[3][3], double *out);

TmlStatus tml_iso_check(const TmlFeOne *e, TmlError *err);
void tml_iso_stiffness(const TmlFeOne *e, double *K);
void tml_iso_mass(const TmlFeOne *e, double *M);
void tml_iso_scalar_mass(const TmlFeOne *e, double *S);
void tml_iso_stress(const TmlFeOne *e, const double *u, double *out);
void tml_iso_geometric(const TmlFeOne *e, const double *stress, double *K);

/* Continued to the nodes by the weights of quadrature.h; nodes on edges have the mean of the ends
 * of their edge where the continuation is linear. */
void tml_tet_to_nodes(const TmlFeOne *e, const double *stress, double *out);
void tml_hex_to_nodes(const TmlFeOne *e, const double *stress, double *out);
