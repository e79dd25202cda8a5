/* system/consistent/continue.c - a motion under way, taken over by a system whose elements differ.
 *
 * Simulations of one model that follow each other, with joints taken away or added between them,
 * are systems of their own. The next one begins where the last one ended: with its coordinates,
 * rates, states, time, and the memory of its elements, such as the turns of angles, and what
 * delayed values were.
 */
#include "model/measure/binding.h"
#include "system/contact/touching.h"
#include "system/system_internal.h"

#include <string.h>

static void copy(double *to, const double *from, int n)
{
    for (int k = 0; k < n; ++k) {
        to[k] = from[k];
    }
}

void tml_system_take_state(const TmlSystem *sys, const TmlStart *from, TmlState *s)
{
    const TmlModel *m = sys->model, *old = from->sys->model;
    const TmlState *was = from->s;
    s->t = from->t;
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBody *body = &m->bodies.at[b];
        const int o = tml_model_find_body(old, body->name);
        if (o > 0 && old->bodies.at[o].type == body->type) {
            copy(s->q + sys->dim.span[b].q0, was->q + from->sys->dim.span[o].q0, body->type->nq);
            copy(s->v + sys->dim.span[b].q0, was->v + from->sys->dim.span[o].q0, body->type->nq);
        }
    }
    for (int k = 0; k < sys->dim.nx; ++k) {
        const int o = tml_model_find_state(old, m->states.at[k].name);
        if (o >= 0) {
            s->X[k] = was->X[o];
            s->Xd[k] = was->Xd[o];
        }
    }
    for (int k = 0; k < sys->dim.nv; ++k) {
        const int o = tml_model_find_variable(old, m->variables.at[k].name);
        s->V[k] = o >= 0 ? was->V[o] : s->V[k];
    }
}

static void take_constraints(TmlSystem *sys, const TmlStart *from, const TmlState *s)
{
    const TmlModel *m = sys->model, *old = from->sys->model;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraintType *type = m->constraints.at[c].type;
        const int o = tml_model_find_constraint(old, m->constraints.at[c].name);
        double *memory = sys->memory + sys->constraint[c].memory0;
        if (o >= 0 && old->constraints.at[o].type == type) {
            copy(memory, from->sys->memory + from->sys->constraint[o].memory0, type->n_memory);
        } else if (type->begin != NULL) {
            const TmlElementIn in = tml_constraint_in(sys, c, s->t);
            type->begin(&in, memory);
        }
    }
}

static void take_forces(TmlSystem *sys, const TmlStart *from)
{
    const TmlModel *m = sys->model, *old = from->sys->model;
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForceType *type = m->forces.at[f].type;
        const int o = tml_model_find_force(old, m->forces.at[f].name);
        if (o >= 0 && old->forces.at[o].type == type) {
            copy(sys->memory + sys->force[f].memory0,
                 from->sys->memory + from->sys->force[o].memory0, type->n_memory);
        }
    }
}

/* Takes over the angles of an expression when it is written in the same way. */
static void take_equation(TmlSystem *sys, const TmlEquation *eq, const TmlStart *from,
                          const TmlEquation *was)
{
    const TmlBinding *a = eq->binding, *b = was->binding;
    if (a->n_memory == b->n_memory && strcmp(a->text, b->text) == 0) {
        copy(sys->memory + eq->memory0, from->sys->memory + was->memory0, a->n_memory);
    }
}

static void take_equations(TmlSystem *sys, const TmlStart *from)
{
    const TmlModel *m = sys->model, *old = from->sys->model;
    const TmlSystem *was = from->sys;
    for (int k = 0; k < sys->dim.nx; ++k) {
        const int o = tml_model_find_state(old, m->states.at[k].name);
        if (o >= 0) {
            take_equation(sys, &sys->equation[k], from, &was->equation[o]);
        }
    }
    for (int k = 0; k < sys->dim.nv; ++k) {
        const int o = tml_model_find_variable(old, m->variables.at[k].name);
        if (o >= 0) {
            take_equation(sys, &sys->equation[sys->dim.nx + k], from,
                          &was->equation[was->dim.nx + o]);
        }
    }
    for (int f = 0; f < m->forces.n; ++f) {
        const int o = tml_model_find_force(old, m->forces.at[f].name);
        for (int k = 0; o >= 0 && k < m->forces.at[f].n_f && k < old->forces.at[o].n_f; ++k) {
            take_equation(sys, &sys->equation[sys->dim.nx + sys->dim.nv + sys->force[f].row0 + k],
                          from, &was->equation[was->dim.nx + was->dim.nv + was->force[o].row0 + k]);
        }
    }
    for (int k = 0; k < m->channels.n; ++k) {
        for (int o = 0; o < old->channels.n; ++o) {
            // most often in the same place
            const int tried = (k + o) % old->channels.n;
            if (strcmp(old->channels.at[tried].name, m->channels.at[k].name) == 0) {
                take_equation(sys, &sys->channel[k], from, &was->channel[tried]);
                break;
            }
        }
    }
}

void tml_system_take_memory(TmlSystem *sys, const TmlStart *from, const TmlState *s)
{
    tml_system_kinematics(sys, s, true);
    take_constraints(sys, from, s);
    take_forces(sys, from);
    take_equations(sys, from);
    tml_touching_take(sys, from->sys);
}
