/* system/output.c - what is reported of a state: energies, violations, reactions, channels. */
#include "system/contact/touching.h"
#include "system/flexible/flex.h"
#include "system/modal/modal_bodies.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

TmlEnergy tml_system_energy(TmlSystem *sys, const TmlState *s)
{
    tml_system_kinematics(sys, s, false);
    return tml_system_energy_here(sys, s);
}

TmlEnergy tml_system_energy_here(TmlSystem *sys, const TmlState *s)
{
    const TmlModel *m = sys->model;
    TmlEnergy e = {0};
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int q0 = sys->dim.span[b].q0;
        const TmlBodyIn in = {m->bodies.at[b].data, s->q + q0, s->v + q0, s->a + q0};
        e.kinetic += m->bodies.at[b].type->kinetic(&in, &sys->body[b]);
        e.gravity += m->bodies.at[b].type->potential(&in, &sys->body[b], sys->gravity);
    }
    for (int f = 0; f < m->forces.n; ++f) {
        if (m->forces.at[f].type->energy != NULL) {
            const TmlElementIn in = tml_force_in(sys, s, f);
            e.stored += m->forces.at[f].type->energy(&in);
        }
    }
    if (sys->touching != NULL) {
        e.stored += tml_touching_stored(sys);
    }
    if (sys->flex != NULL) {
        tml_flex_energy(sys, &e);
    }
    if (sys->modal != NULL) {
        tml_modal_energy(sys, &e);
    }
    return e;
}

/* Sets the sizes that velocities and accelerations of the rows are relative to, at least one. */
static void rate_scales(const TmlSystem *sys, double *speed, double *acceleration)
{
    *speed = *acceleration = 1.0;
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlFrameKin *k = &sys->body[b].k;
        *speed = fmax(*speed, fmax(v3_norm(k->v), v3_norm(k->omega)));
        *acceleration = fmax(*acceleration, fmax(v3_norm(k->a), v3_norm(k->alpha)));
    }
}

void tml_system_scale_violation(const TmlSystem *sys, double violation[3])
{
    double speed, acceleration;
    rate_scales(sys, &speed, &acceleration);
    violation[0] /= sys->dim.length;
    violation[1] /= speed;
    violation[2] /= acceleration;
}

void tml_system_violation(TmlSystem *sys, const TmlState *s, double out[3])
{
    tml_system_kinematics(sys, s, false);
    tml_system_violation_here(sys, s, out);
}

void tml_system_violation_here(TmlSystem *sys, const TmlState *s, double out[3])
{
    const TmlModel *m = sys->model;
    double phi[3][TML_MAX_ROWS];
    out[0] = out[1] = out[2] = 0.0;
    for (int c = 0; c < m->constraints.n; ++c) {
        tml_constraint_levels(sys, c, s->t, phi);
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            const bool pfaffian = (sys->pfaffian[c] >> k & 1u) != 0;
            out[0] = pfaffian ? out[0] : fmax(out[0], fabs(phi[0][k]));
            out[1] = fmax(out[1], fabs(phi[1][k]));
            out[2] = fmax(out[2], fabs(phi[2][k]));
        }
    }
    tml_system_scale_violation(sys, out);
}

double tml_system_channel(TmlSystem *sys, const TmlState *s, int k)
{
    double u[TML_BIND_MAX_UNKNOWNS];
    const TmlBindIn in = tml_equation_in(sys, s, &sys->channel[k], u);
    return tml_binding_value(sys->channel[k].binding, &in);
}

double tml_system_probe(TmlSystem *sys, const TmlState *s, int k)
{
    return tml_system_channel(sys, s, sys->model->channels.n + k);
}

TmlRow tml_system_reaction(TmlSystem *sys, const TmlState *s, int c)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, s->t);
    TmlRow *J = sys->room.J, w = {{0, 0, 0}, {0, 0, 0}};
    con->type->jacobian(&in, J);
    if (con->n_ends < 2) {
        return w;
    }
    for (int k = 0; k < con->type->rows; ++k) {
        const double lambda = s->lambda[sys->constraint[c].row0 + k];
        const TmlRow *row = &J[k * con->n_ends + 1];
        w.r = v3_axpy(-lambda, row->r, w.r);
        w.theta = v3_axpy(-lambda, row->theta, w.theta);
    }
    return w;
}
