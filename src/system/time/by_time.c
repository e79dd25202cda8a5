/* system/time/by_time.c - partial derivative of the residual by time.
 *
 *   (P1)  Phi_t by the constraints themselves; expressions of X, V and F by their compiled
 *         derivatives; exact
 *   (P2)  (R(t + h) - R(t - h)) / 2 h for the forces on the coordinates, which time enters through
 *         loads spread over flexible bodies and through constraints with moving directions. Where
 *         it enters linearly no more than rounding is lost.
 */
#include "system/system_internal.h"

#include <string.h>

/* (P1) */
static void constraints_by_time(TmlSystem *sys, const TmlState *s, double *r)
{
    const TmlModel *m = sys->model;
    double rate[TML_MAX_ROWS];
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraintType *type = m->constraints.at[c].type;
        memset(rate, 0, sizeof rate);
        if (type->rate != NULL) {
            const TmlElementIn in = tml_constraint_in(sys, c, s->t);
            type->rate(&in, rate);
        }
        for (int k = 0; k < type->rows; ++k) {
            const int row = sys->row_unknown[sys->constraint[c].row0 + k];
            if (row >= 0) {
                r[sys->dim.nu + row] = (sys->pfaffian[c] >> k & 1u) != 0 ? 0.0 : rate[k];
            }
        }
    }
}

/* (P1) */
static void equations_by_time(TmlSystem *sys, const TmlState *s, double *r)
{
    double u[TML_BIND_MAX_UNKNOWNS];
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        const TmlEquation *eq = &sys->equation[k];
        const TmlBindIn in = tml_equation_in(sys, s, eq, u);
        const bool implicit = tml_equation_is_implicit(sys, k);
        if (tml_equation_is_held(sys, s, k)) {
            r[k] = 0.0;
            continue;
        }
        r[k] = (implicit ? 1.0 : -1.0) * tml_binding_dt(eq->binding, &in);
    }
}

void tml_system_by_time(TmlSystem *sys, TmlState *s, double h, double *r, double *other)
{
    const double t = s->t;
    s->t = t + h;
    tml_system_residual(sys, s, TML_LEVEL_POSITION, r);
    s->t = t - h;
    tml_system_residual(sys, s, TML_LEVEL_POSITION, other);
    s->t = t;
    for (int k = 0; k < sys->dim.nu; ++k) {
        r[k] = (r[k] - other[k]) / (2.0 * h);
    }
    constraints_by_time(sys, s, r);
    equations_by_time(sys, s, r + sys->dim.nu + sys->dim.m);
}
