/* system/accelerations.c - q'', lambda, X', V, F at given t, q, q', X.
 *
 *   (A1)  [M Phi_q^T; Phi_q 0] with the derivatives by X', V, F: the Newton matrix at c_q = c_v = 0
 *
 * One iteration solves the linear case; forces that depend on q'' or lambda need more.
 */
#include "system/system.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

/* Subtract the correction dz (n) from the unknowns of s. */
void tml_system_correct(const TmlSystem *sys, TmlState *s, const double *dz, double *dq)
{
    tml_system_expand(sys, s->q, dz, dq);
    for (int k = 0; k < sys->nq; ++k) {
        s->a[k] -= dq[k];
    }
    dz += sys->nu;
    for (int row = 0; row < sys->m_all; ++row) {
        if (sys->row_unknown[row] >= 0) {
            s->lambda[row] -= dz[sys->row_unknown[row]];
        }
    }
    dz += sys->m;
    for (int k = 0; k < sys->nx; ++k) {
        s->Xd[k] -= dz[k];
    }
    dz += sys->nx;
    for (int k = 0; k < sys->nv + sys->nf; ++k) {
        s->V[k] -= dz[k]; // F follows V in the state
    }
}

/* Normal part of p'' from the velocities. */
static void settle_norms(const TmlSystem *sys, TmlState *s)
{
    for (int b = 1; b < sys->nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const int q0 = sys->q0[b];
        const TmlFrameKin *k = &sys->body[b].k;
        const double udot[6] = {k->a.x, k->a.y, k->a.z, k->alpha.x, k->alpha.y, k->alpha.z};
        type->acceleration(s->q + q0, s->v + q0, udot, s->a + q0);
    }
}

static double largest(int n, const double *x)
{
    double big = 0.0;
    for (int k = 0; k < n; ++k) {
        if (!isfinite(x[k])) {
            return HUGE_VAL;
        }
        big = fmax(big, fabs(x[k]));
    }
    return big;
}

/* Size of what is solved for. */
static double unknowns_size(const TmlSystem *sys, const TmlState *s)
{
    return largest(sys->nq, s->a) + largest(sys->m_all, s->lambda) + largest(sys->nx, s->Xd) +
           largest(sys->nv + sys->nf, s->V); // F follows V in the state
}

static TmlStatus solve_accelerations(TmlSystem *sys, TmlState *s, TmlError *err)
{
    enum { MAX_ITERATIONS = 25 };
    const TmlCoeffs c = {.a = 1.0};
    double *r = sys->scratch, *dq = sys->scratch + sys->n;
    tml_system_kinematics(sys, s, false);
    settle_norms(sys, s);
    for (int it = 0; it < MAX_ITERATIONS; ++it) {
        tml_system_residual(sys, s, TML_LEVEL_ACCELERATION, r);
        const double size = largest(sys->n, r);
        if (!isfinite(size)) {
            return tml_fail(err, TML_E_NONFINITE,
                            "a force or constraint is not finite at t = %.9g s", s->t);
        }
        // in the linear case the second pass only refines the first
        const bool renew = it == 0 || !sys->linear_unknowns;
        if (renew) {
            tml_system_jacobian(sys, s, c, 0.0);
        }
        const int column = renew ? tml_system_factor(sys) : -1;
        if (column >= 0) {
            char who[256];
            tml_system_unknown_name(sys, column, who, sizeof who);
            return tml_fail(err, TML_E_SINGULAR,
                            "%s has no inertia, or the mechanism is at a singular position "
                            "(t = %.9g s); give the body mass and inertia, or fix that motion",
                            who, s->t);
        }
        tml_system_solve(sys, r);
        const double step = largest(sys->n, r);
        double scale = unknowns_size(sys, s);
        tml_system_correct(sys, s, r, dq);
        scale = fmax(scale, unknowns_size(sys, s));
        if (it > 0 && step <= 1e-10 * fmax(scale, 1e-6)) {
            return TML_OK;
        }
        if (sys->linear_unknowns && it >= 1) {
            return TML_OK; // one refinement has been made
        }
    }
    return tml_fail(
        err, TML_E_STEP,
        "accelerations and reactions do not converge at t = %.9g s: a force depends too "
        "strongly on accelerations or reactions (friction?)",
        s->t);
}

TmlStatus tml_system_accelerations(TmlSystem *sys, TmlState *s, TmlError *err)
{
    const TmlFactors before = sys->use;
    sys->use = TML_FACTORS_ACCELERATION;
    const TmlStatus status = solve_accelerations(sys, s, err);
    sys->use = before;
    return status;
}
