/* system/matrix/stages.h - the stage matrix as a polynomial of the step, real and complex.
 *
 *   (G1)  K(g) = K_0 + g K_1 + g^2 K_2     c_a = 1, c_v = c_x = g, c_q = g^2
 *
 * since tml_system_stage_jacobian is linear in its coefficients. Three real assemblies give the
 * matrix for every step size and for complex g, as implicit Runge-Kutta methods need it whose
 * coefficient matrix has complex eigenvalues. Flexible bodies whose free vectors alone have inertia have a constant K_0, and without damping
 * K_1 = 0: these parts are made once.
 */
#pragma once

#include "sparse/zlu.h"
#include "system/system.h"

typedef struct TmlStages {
    double *K[3]; /* values of K_0, K_1, K_2 on the pattern of the stage matrix */
    double *z;    /* values at a complex g, pairs */
    TmlZlu *lu;   /* factors at a complex g; the real ones belong to the system */
    bool made;    /* the parts are there: those that nothing changes are kept */
} TmlStages;

/* Build the stage matrix of sys and room for its parts and factors. */
TML_NODISCARD TmlStatus tml_stages_create(TmlSystem *sys, TmlArena *arena, TmlStages *out,
                                          TmlError *err);

void tml_stages_free(TmlStages *st); /* what is not in the arena; also when creation failed */

/* Assemble the parts of (G1) at s, whose residual was the last one. */
void tml_stages_assemble(TmlSystem *sys, TmlStages *st, const TmlState *s);

/* Factor K at real, at complex g. Return -1, or the number of the unknown without a pivot. */
int tml_stages_factor(TmlSystem *sys, TmlStages *st, double g);
int tml_stages_factor_complex(TmlSystem *sys, TmlStages *st, double re, double im);

/* r[n], z[2 n] (pairs): right side in, solution out. */
void tml_stages_solve(TmlSystem *sys, double *r);
void tml_stages_solve_complex(TmlSystem *sys, TmlStages *st, double *z);

/* y[n] += s K_p x[n] */
void tml_stages_mul(const TmlSystem *sys, const TmlStages *st, int p, double s, const double *x,
                    double *y);
