/* system/settle.c - variables and forces that are functions of the motion, one after the other.
 *
 * V and F are unknowns with equations of their own (S3). Those that do not depend on themselves
 * have an order in which each follows from the ones before, so that an iteration need not wait for
 * them:
 *
 *   (T1)  V_k = v_k(t, q, v, a, lambda, X, X', V_1 .. V_{k-1}),  F likewise
 *
 * Newton's method with r = 0 in these rows is that of the equations without V and F. An iteration
 * on all unknowns may stop where the motion has come to rest and V has not: behind a switch in an
 * expression (IF, MAX) nothing in the matrix tells that a variable is about to change.      own
 */
#include "system/system_internal.h"

#include "base/fail.h"

#include <math.h>

/* Tells whether an equation reads variables or forces that have no place in the order yet. */
static bool waits(const TmlSystem *sys, const TmlEquation *eq, const bool *placed)
{
    const int first = sys->dim.size - sys->dim.nv - sys->dim.nf; // V and F end the state
    for (int k = 0; k < eq->binding->n_unknowns; ++k) {
        const int at = eq->offset[k] - first;
        if (at >= 0 && !placed[at]) {
            return true;
        }
    }
    return false;
}

/* A constant that statics finds. */
static bool is_constant(const TmlSystem *sys, int k)
{
    return k < sys->dim.nv && sys->model->variables.at[k].adjusted;
}

TmlStatus tml_system_settle_setup(TmlSystem *sys, TmlError *err)
{
    const int n = sys->dim.nv + sys->dim.nf;
    bool more = true;
    TML_NEW(&sys->arena, sys->settled, n);
    TML_NEW(&sys->arena, sys->settles, n);
    while (more) {
        more = false;
        for (int k = 0; k < n; ++k) {
            const bool held = is_constant(sys, k);
            if (!sys->settled[k] &&
                (held || (!tml_equation_is_implicit(sys, sys->dim.nx + k) &&
                          !waits(sys, &sys->equation[sys->dim.nx + k], sys->settled)))) {
                sys->settles[sys->n_settles++] = k;
                sys->settled[k] = more = true;
            }
        }
    }
    return TML_OK;
}

void tml_system_settle(TmlSystem *sys, TmlState *s, double *r)
{
    double u[TML_BIND_MAX_UNKNOWNS];
    for (int i = 0; i < sys->n_settles; ++i) {
        const int k = sys->settles[i];
        const TmlEquation *eq = &sys->equation[sys->dim.nx + k];
        const bool held = tml_equation_is_held(sys, s, sys->dim.nx + k);
        const TmlBindIn in = tml_equation_in(sys, s, eq, u);
        const double value = held ? sys->held[k] : tml_binding_value(eq->binding, &in);
        if (!held && is_constant(sys, k)) {
            if (r != NULL) {
                r[k] = value; // an unknown, as in statics
            }
            continue;
        }
        if (isfinite(value)) {
            s->V[k] = value; // (T1); F follows V in the state
        }
        if (r != NULL) {
            r[k] = isfinite(value) ? 0.0 : value;
        }
    }
}
