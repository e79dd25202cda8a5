/* analysis/integrator/soft_start.c - starting accelerations of flexible bodies for a first step.
 *
 * A cable that hangs from a pin and is let go has accelerations that jump from zero at the pin to g
 * within one element, so that those of its slope there are g over the length of the element. They
 * are right, and belong to waves that the first step is too long for; h^2 times them is a strain
 * that grows with the fineness of the mesh and never comes to be. A formula that holds a_n predicts
 * it, and without damping (the first step has none) rings with it.
 *
 *   (O1)  K [e; mu] = [(K - M) a; 0],  a <- a - e     K: the matrix of the step at its start    own
 *
 * Without constraints that is (M + c_v C + c_q K_q) a' = M a: modes that the step resolves keep
 * their acceleration up to c_q omega^2, which is of the second order, the others lose it. Since
 * Phi_q e = 0, the accelerations still fit the constraints.
 */
#include "analysis/integrator/soft_start.h"

#include "sparse/csc.h"

#include <string.h>

bool tml_soft_start(TmlSystem *sys, TmlState *s, TmlSoftStep step, double *r, double *du,
                    double *dq)
{
    const TmlDims *dim = tml_dims(sys);
    if (!tml_system_is_flexible(sys)) {
        return false;
    }
    tml_system_residual(sys, s, TML_LEVEL_POSITION, r);
    tml_system_jacobian(sys, s, (TmlCoeffs){.a = 1.0, .v = step.cv, .q = step.cq}, step.cx);
    if (tml_system_factor(sys, TML_FACTORS_STEP) >= 0) {
        return false;
    }
    double *x = tml_system_scratch(sys);
    memset(x, 0, (size_t)dim->n * sizeof *x);
    memset(r, 0, (size_t)dim->n * sizeof *r);
    tml_system_reduce(sys, s->q, s->a, x);
    tml_csc_mul(tml_system_matrix(sys, TML_MATRIX_STEP), x, r);
    tml_system_mass_mul(sys, s, x, du);
    for (int k = 0; k < dim->nu; ++k) {
        r[k] -= du[k];
    }
    memset(r + dim->nu, 0, (size_t)(dim->n - dim->nu) * sizeof *r);
    tml_system_solve(sys, TML_FACTORS_STEP, r);
    tml_system_expand(sys, s->q, r, dq);
    for (int k = 0; k < dim->nq; ++k) {
        s->a[k] -= dq[k];
    }
    return true;
}
