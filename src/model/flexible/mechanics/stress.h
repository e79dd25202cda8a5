/* model/flexible/mechanics/stress.h - stress and its exact tangent from the gradient of a deformation.
 *
 * F by columns f_1, f_2, f_3, V its rate. Strains (E11, E22, E33, 2 E12, 2 E13, 2 E23) with
 * E = (F^T F - 1)/2; S second Piola-Kirchhoff in the same order; columns of F S act on those of F.
 *
 *   (L1)  elastic: S_aa = sum_b N_ab (E_bb + tau E_bb'),  S_ab = G_ab (2 E_ab + tau 2 E_ab')
 *   (L2)  Mooney-Rivlin: W = c10 (J^-2/3 I1 - 3) + c01 (J^-4/3 I2 - 3) + bulk/2 (J - 1)^2,
 *         S = dW/dE plus the viscous part tau N E', tau G 2 E' of (L1) with N, G those of small
 *         strains
 */
#pragma once

#include "model/flexible/flexible.h"

typedef struct TmlSolid {
    double N[3][3], G[3]; /* Pa; G of 12, 13, 23 */
    double tau;           /* s */
    bool rubber;          /* (L2) */
    double c10, c01, bulk;
} TmlSolid;

/* Isotropic law of a material, full coupling across. */
TmlSolid tml_solid_isotropic(const TmlMaterial *m);

/* S[6], strain[6] (NULL: not asked for) from F[9], V[9] (NULL: at rest). */
void tml_solid_stress(const TmlSolid *law, const double *F, const double *V, double *strain,
                      double *S);

/* P[9] = F S by columns. */
void tml_solid_piola(const double *F, const double *S, double *P);

/* A[a][b][3 i + j] = derivative of component i of column a of F S by component j of column b of F,
 * times c_q, plus that by V times c_v. */
void tml_solid_tangent(const TmlSolid *law, const double *F, const double *V, double c_q,
                       double c_v, double A[3][3][9]);

/* Takes from A the part c_q of the stress of D^T D / 2, D a change of F: the geometric part is then
 * that of strains linear in D (TmlFlexIn.moved). Elastic laws only; others stay. */
void tml_solid_linear(const TmlSolid *law, const double *D, double c_q, double A[3][3][9]);

/* A in the columns of J, F = J T: T A T^T of blocks. */
void tml_solid_pull_back(const double *T, double A[3][3][9]);

double tml_solid_energy(const TmlSolid *law, const double *F); /* J/m^3, elastic */
