/* system/residual.c - motion of bodies and ends, residual of (S1) to (S3). */
#include "system/contact/touching.h"
#include "system/flexible/flex.h"
#include "system/modal/modal_bodies.h"

#include "base/clock.h"
#include "math/vec3.h"
#include "system/redundancy/share.h"

#include <math.h>
#include <string.h>

/* Constant, or of the parameter that stands where time does. */
TmlVec3 tml_system_gravity_at(const TmlSystem *sys, double t)
{
    const TmlModel *m = sys->model;
    double d[3][4];
    if (m->gravity_at[0] == NULL) {
        return m->gravity;
    }
    for (int k = 0; k < 3; ++k) {
        tml_binding_time(m->gravity_at[k], t, sys->work, d[k]);
    }
    return v3(d[0][0], d[1][0], d[2][0]);
}

void tml_body_kinematics(TmlSystem *sys, const TmlState *s, int b)
{
    const TmlBody *body = &sys->model->bodies.at[b];
    const int q0 = sys->dim.span[b].q0;
    const TmlBodyIn in = {body->data, s->q + q0, s->v + q0, s->a + q0};
    body->type->kin(&in, &sys->body[b]);
}

void tml_system_kinematics(TmlSystem *sys, const TmlState *s, bool channels)
{
    sys->gravity = tml_system_gravity_at(sys, tml_system_time(sys, s->t));
    sys->motion++;
    if (sys->touching != NULL) {
        sys->touching->X = s->X;
        sys->touching->still = s->still;
        sys->touching->sided = sys->touching->keeps && !s->alone;
    }
    for (int b = 0; b < sys->dim.nb; ++b) {
        tml_body_kinematics(sys, s, b);
    }
    if (sys->flex != NULL) {
        tml_flex_kinematics(sys, s, channels);
    }
    if (sys->modal != NULL) {
        tml_modal_kinematics(sys, s, channels);
    }
    const int n = channels ? sys->n_ends : sys->n_ends_loop;
    for (int k = 0; k < n; ++k) {
        tml_end_frame(sys, k);
    }
}

TmlElementIn tml_constraint_in(const TmlSystem *sys, int c, double t)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    return (TmlElementIn){
        .data = con->data,
        .e = sys->kin + sys->constraint[c].end0,
        .n_ends = con->n_ends,
        .t = tml_system_time(sys, t),
        .memory = sys->memory + sys->constraint[c].memory0,
        .work = sys->work,
    };
}

TmlElementIn tml_force_in(const TmlSystem *sys, const TmlState *s, int f)
{
    const TmlForce *force = &sys->model->forces.at[f];
    return (TmlElementIn){
        .data = force->data,
        .e = sys->kin + sys->force[f].end0,
        .n_ends = force->n_ends,
        .t = tml_system_time(sys, s->t),
        .f = s->F + sys->force[f].row0,
        .memory = sys->memory + sys->force[f].memory0,
        .work = sys->work,
    };
}

/* Returns the k-th value that is read like an unknown. */
static double place_or_contact(const TmlSystem *sys, int k)
{
    const int places = sys->model->places.n, values = places + sys->model->contact_values.n;
    return k < places   ? tml_flex_place_value(sys, k)
           : k < values ? tml_system_contact_value(sys, k - places)
                        : sys->touching->bristle_rate[k - values];
}

TmlBindIn tml_equation_in(const TmlSystem *sys, const TmlState *s, const TmlEquation *eq,
                          double *unknowns)
{
    const double t = tml_system_time(sys, s->t);
    for (int k = 0; k < eq->binding->n_unknowns; ++k) {
        const int at = eq->offset[k];
        unknowns[k] = at >= 0 ? s->data[at] : place_or_contact(sys, -1 - at);
    }
    if (eq->shared) {
        tml_share_read(sys, s, eq, unknowns);
    }
    return (TmlBindIn){
        .e = sys->kin + eq->end0,
        .t = t,
        .shift = s->t - t,
        .u = unknowns,
        .memory = sys->memory + eq->memory0,
        .work = sys->work,
        .past = s->still ? NULL : sys->past,
        .rest = s->still,
    };
}

/* w += s * x */
static void row_axpy(double s, const TmlRow *x, TmlRow *w)
{
    w->r = v3_axpy(s, x->r, w->r);
    w->theta = v3_axpy(s, x->theta, w->theta);
}

/* Sets phi at the wanted level, for all rows of one constraint. */
static void constraint_level(const TmlConstraint *con, const TmlElementIn *in, TmlLevel level,
                             const TmlRow *J, double *phi)
{
    const int rows = con->type->rows, n = con->n_ends;
    double extra[TML_MAX_ROWS] = {0};
    if (level == TML_LEVEL_POSITION) {
        con->type->residual(in, phi);
        return;
    }
    if (level == TML_LEVEL_VELOCITY) {
        if (con->type->rate != NULL) {
            con->type->rate(in, extra);
        }
    } else if (con->type->gamma != NULL) {
        con->type->gamma(in, extra);
    }
    const double sign = level == TML_LEVEL_VELOCITY ? 1.0 : -1.0;
    for (int k = 0; k < rows; ++k) {
        phi[k] = sign * extra[k];
        for (int e = 0; e < n; ++e) {
            const TmlRow *row = &J[k * n + e];
            const TmlFrameKin *f = &in->e[e];
            phi[k] += level == TML_LEVEL_VELOCITY
                          ? v3_dot(row->r, f->v) + v3_dot(row->theta, f->omega)
                          : v3_dot(row->r, f->a) + v3_dot(row->theta, f->alpha);
        }
    }
}

void tml_constraint_level(TmlSystem *sys, int c, double t, TmlLevel level, double *phi)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, t);
    if (level != TML_LEVEL_POSITION) {
        con->type->jacobian(&in, sys->room.J);
    }
    constraint_level(con, &in, level, sys->room.J, phi);
}

void tml_constraint_levels(TmlSystem *sys, int c, double t, double phi[3][TML_MAX_ROWS])
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, t);
    con->type->jacobian(&in, sys->room.J);
    for (int level = 0; level < 3; ++level) {
        constraint_level(con, &in, (TmlLevel)level, sys->room.J, phi[level]);
    }
}

/* Returns the power that a moving constraint puts in: its force -lambda J works on velocities J v =
 * -phi_t. */
double tml_drive_power(const TmlConstraint *con, const TmlElementIn *in, const double *lambda)
{
    double rate[TML_MAX_ROWS], power = 0.0;
    con->type->rate(in, rate);
    for (int k = 0; k < con->type->rows; ++k) {
        power += lambda[k] * rate[k];
    }
    return power;
}

/* Raises the violations to those of constraint c, whose rows at acceleration level are phi. */
static void see_violation(TmlSystem *sys, int c, const TmlElementIn *in, const TmlRow *J,
                          const double *phi)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    double *out = sys->violation, position[TML_MAX_ROWS], velocity[TML_MAX_ROWS];
    constraint_level(con, in, TML_LEVEL_POSITION, J, position);
    constraint_level(con, in, TML_LEVEL_VELOCITY, J, velocity);
    for (int k = 0; k < con->type->rows; ++k) {
        const bool pfaffian = (sys->pfaffian[c] >> k & 1u) != 0;
        out[0] = pfaffian ? out[0] : fmax(out[0], fabs(position[k]));
        out[1] = fmax(out[1], fabs(velocity[k]));
        out[2] = fmax(out[2], fabs(phi[k]));
    }
}

/* Adds the forces lambda J of multipliers on the ends, and sets the residual of the rows
 * themselves. */
static void constraints_residual(TmlSystem *sys, const TmlState *s, TmlLevel level, double *r)
{
    const TmlModel *m = sys->model;
    TmlRow *J = sys->room.J;
    double phi[TML_MAX_ROWS];
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        const TmlElementIn in = tml_constraint_in(sys, c, s->t);
        const int row0 = sys->constraint[c].row0, n = con->n_ends;
        TmlRow *w = sys->wrench + sys->constraint[c].end0;
        con->type->jacobian(&in, J);
        constraint_level(con, &in, level, J, phi);
        if (sys->violation != NULL) {
            see_violation(sys, c, &in, J, phi);
        }
        for (int k = 0; k < con->type->rows; ++k) {
            const int active = sys->row_unknown[row0 + k];
            if (active < 0) {
                continue;
            }
            r[sys->dim.nu + active] = phi[k];
            for (int e = 0; e < n; ++e) {
                row_axpy(s->lambda[row0 + k], &J[k * n + e], &w[e]);
            }
        }
        if (con->type->rate != NULL) {
            sys->power.other += tml_drive_power(con, &in, s->lambda + row0);
        }
    }
}

void tml_system_forces(TmlSystem *sys, const TmlState *s, const bool *but)
{
    const TmlModel *m = sys->model;
    TmlRow w[TML_MAX_ENDS];
    for (int f = 0; f < m->forces.n; ++f) {
        if (but != NULL && but[f]) {
            continue;
        }
        const TmlForce *force = &m->forces.at[f];
        const TmlElementIn in = tml_force_in(sys, s, f);
        double power = 0.0;
        force->type->wrench(&in, w);
        for (int e = 0; e < force->n_ends; ++e) {
            row_axpy(-1.0, &w[e], &sys->wrench[sys->force[f].end0 + e]);
            power += v3_dot(w[e].r, in.e[e].v) + v3_dot(w[e].theta, in.e[e].omega);
        }
        *(force->type->energy != NULL ? &sys->power.stored : &sys->power.other) += power;
    }
}

/* Sets the rows (S3): states, then variables, then forces. Those that are settled have their rows
 * already. */
static void equations_residual(TmlSystem *sys, const TmlState *s, bool settled, double *r)
{
    const TmlModel *m = sys->model;
    double u[TML_BIND_MAX_UNKNOWNS];
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        const TmlEquation *eq = &sys->equation[k];
        if (settled && k >= sys->dim.nx && sys->settled[k - sys->dim.nx]) {
            continue;
        }
        if (tml_equation_is_held(sys, s, k)) {
            r[k] = s->V[k - sys->dim.nx] - sys->held[k - sys->dim.nx];
            continue;
        }
        const TmlBindIn in = tml_equation_in(sys, s, eq, u);
        const double value = tml_binding_value(eq->binding, &in);
        if (k < sys->dim.nx) {
            r[k] = m->states.at[k].implicit ? value : s->Xd[k] - value;
        } else if (k < sys->dim.nx + sys->dim.nv) {
            r[k] =
                m->variables.at[k - sys->dim.nx].implicit ? value : s->V[k - sys->dim.nx] - value;
        } else {
            r[k] = s->F[k - sys->dim.nx - sys->dim.nv] - value;
        }
    }
}

/* Computes the residual at the last kinematics, with wrenches and powers from zero. */
static void residual_here(TmlSystem *sys, const TmlState *s, TmlLevel level, bool settled,
                          double *r)
{
    const TmlModel *m = sys->model;
    sys->power = (TmlPower){0};
    memset(sys->wrench, 0, (size_t)sys->n_ends_loop * sizeof *sys->wrench);
    constraints_residual(sys, s, level, r);
    tml_system_forces(sys, s, NULL);
    if (sys->touching != NULL) {
        tml_touching_residual(sys, r);
    }

    // inertia and weight, then the wrenches on the ends
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int q0 = sys->dim.span[b].q0;
        const TmlBodyIn in = {m->bodies.at[b].data, s->q + q0, s->v + q0, s->a + q0};
        m->bodies.at[b].type->residual(&in, &sys->body[b], sys->gravity, r + sys->dim.span[b].u0);
    }
    if (sys->flex != NULL) {
        tml_flex_residual(sys, s->t, r);
    }
    if (sys->modal != NULL) {
        tml_modal_forces(sys, r);
    }
    for (int k = 0; k < sys->n_ends_loop; ++k) {
        tml_end_wrench(sys, k, &sys->wrench[k], r);
    }
    equations_residual(sys, s, settled, r + sys->dim.nu + sys->dim.m);
    sys->stats.residuals++;
}

void tml_system_residual(TmlSystem *sys, const TmlState *s, TmlLevel level, double *r)
{
    const double start = tml_clock();
    memset(r, 0, (size_t)sys->dim.n * sizeof *r);
    tml_system_kinematics(sys, s, false);
    residual_here(sys, s, level, false, r);
    sys->stats.seconds_residual += tml_clock() - start;
}

void tml_system_residual_settled(TmlSystem *sys, TmlState *s, TmlLevel level, double *r)
{
    const double start = tml_clock();
    memset(r, 0, (size_t)sys->dim.n * sizeof *r);
    tml_system_kinematics(sys, s, false);
    tml_system_settle(sys, s, r + sys->dim.nu + sys->dim.m + sys->dim.nx);
    residual_here(sys, s, level, true, r);
    sys->stats.seconds_residual += tml_clock() - start;
}

void tml_system_residual_judged(TmlSystem *sys, TmlState *s, double *r, double violation[3])
{
    memset(r, 0, (size_t)sys->dim.n * sizeof *r);
    violation[0] = violation[1] = violation[2] = 0.0;
    tml_system_settle(sys, s, r + sys->dim.nu + sys->dim.m + sys->dim.nx);
    sys->violation = violation;
    residual_here(sys, s, TML_LEVEL_ACCELERATION, true, r);
    sys->violation = NULL;
    tml_system_scale_violation(sys, violation);
}

void tml_system_commit(TmlSystem *sys, const TmlState *s)
{
    const TmlModel *m = sys->model;
    double u[TML_BIND_MAX_UNKNOWNS];
    if (sys->n_memory == 0) {
        return;
    }
    tml_system_kinematics(sys, s, true);
    for (int c = 0; c < m->constraints.n; ++c) {
        if (m->constraints.at[c].type->commit != NULL) {
            const TmlElementIn in = tml_constraint_in(sys, c, s->t);
            m->constraints.at[c].type->commit(&in, sys->memory + sys->constraint[c].memory0);
        }
    }
    for (int f = 0; f < m->forces.n; ++f) {
        if (m->forces.at[f].type->commit != NULL) {
            const TmlElementIn in = tml_force_in(sys, s, f);
            m->forces.at[f].type->commit(&in, sys->memory + sys->force[f].memory0);
        }
    }
    if (sys->touching != NULL) {
        tml_touching_commit(sys);
    }
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf + m->channels.n + m->probes.n;
         ++k) {
        const int n = sys->dim.nx + sys->dim.nv + sys->dim.nf;
        const TmlEquation *eq = k < n ? &sys->equation[k] : &sys->channel[k - n];
        if (eq->binding->n_memory > 0) {
            const TmlBindIn in = tml_equation_in(sys, s, eq, u);
            tml_binding_commit(eq->binding, &in, sys->memory + eq->memory0);
        }
    }
}

/* --- bodies -------------------------------------------------------------------------------- */

void tml_system_mass_mul(const TmlSystem *sys, const TmlState *s, const double *x, double *y)
{
    const TmlModel *m = sys->model;
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int q0 = sys->dim.span[b].q0, u0 = sys->dim.span[b].u0,
                  nu = sys->dim.span[b + 1].u0 - u0;
        const TmlBodyIn in = {m->bodies.at[b].data, s->q + q0, s->v + q0, s->a + q0};
        double M[TML_BODY_MAX_NU * TML_BODY_MAX_NU];
        m->bodies.at[b].type->mass(&in, &sys->body[b], M);
        for (int r = 0; r < nu; ++r) {
            y[u0 + r] = 0.0;
            for (int k = 0; k < nu; ++k) {
                y[u0 + r] += M[r * nu + k] * x[u0 + k];
            }
        }
    }
    if (sys->flex != NULL) {
        tml_flex_mass_mul(sys, x, y);
    }
    if (sys->modal != NULL) {
        tml_modal_mass_mul(sys, x, y);
    }
}

void tml_system_expand(const TmlSystem *sys, const double *q, const double *du, double *dq)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        type->expand(q + sys->dim.span[b].q0, du + sys->dim.span[b].u0, dq + sys->dim.span[b].q0);
    }
}

void tml_system_reduce(const TmlSystem *sys, const double *q, const double *dq, double *du)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        type->reduce(q + sys->dim.span[b].q0, dq + sys->dim.span[b].q0, du + sys->dim.span[b].u0);
    }
}

void tml_system_retract(const TmlSystem *sys, double *q)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        sys->model->bodies.at[b].type->retract(q + sys->dim.span[b].q0);
    }
}

void tml_system_retract_velocity(const TmlSystem *sys, const double *q, double *v)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        sys->model->bodies.at[b].type->retract_velocity(q + sys->dim.span[b].q0,
                                                        v + sys->dim.span[b].q0);
    }
}
