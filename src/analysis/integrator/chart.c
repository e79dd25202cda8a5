/* analysis/integrator/chart.c - states on charts, and whether time appears in the equations. */
#include "analysis/integrator/chart.h"

#include "model/registry.h"

#include <math.h>
#include <string.h>

enum { NU = TML_BODY_MAX_NU };

void tml_chart_state(const TmlSystem *sys, const double *q_ref, const double *x, const double *x1,
                     TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    for (int b = 1; b < dim->nb; ++b) {
        const int q0 = dim->span[b].q0, u0 = dim->span[b].u0;
        sys->model->bodies.at[b].type->chart_state(q_ref + q0, x + u0, x1 + u0, s->q + q0,
                                                   s->v + q0);
    }
}

void tml_chart_second(const TmlSystem *sys, const TmlState *s, const double *x, const double *x1,
                      double *f)
{
    const TmlDims *dim = tml_dims(sys);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const int q0 = dim->span[b].q0, u0 = dim->span[b].u0;
        double udot[NU];
        type->reduce(s->q + q0, s->a + q0, udot);
        type->chart_second(x + u0, x1 + u0, udot, f + u0);
    }
    memcpy(f + dim->nu, s->Xd, (size_t)dim->nx * sizeof *f);
}

bool tml_chart_tangent(TmlSystem *sys, TmlState *from, const TmlState *to, bool renew, double *du,
                       double *dw)
{
    const TmlDims *dim = tml_dims(sys);
    double *before = tml_system_scratch(sys);
    tml_system_reduce(sys, from->q, from->v, before);
    tml_system_reduce(sys, to->q, to->v, dw);
    for (int k = 0; k < dim->nu; ++k) {
        dw[k] -= before[k];
    }
    for (int k = 0; k < dim->nq; ++k) {
        from->q[k] = to->q[k] - from->q[k];
    }
    tml_system_reduce(sys, to->q, from->q, du);
    double *const change[2] = {du, dw};
    return tml_system_tangent(sys, to, renew, 2, change);
}

double tml_chart_drift(TmlSystem *sys, const TmlNorm *norm, const TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    double off[3], speed = 1.0;
    tml_system_violation(sys, s, off);
    for (int b = 1; b < dim->nb; ++b) { // off[1] is over this
        const TmlFrameKin *k = tml_body_motion(sys, b);
        speed = fmax(speed, fmax(v3_norm(k->v), v3_norm(k->omega)));
    }
    return fmax(off[0], off[1] * speed / (dim->length * norm->rate)) / norm->rotation;
}

/* --- time ----------------------------------------------------------------------------------- */

/* True when an expression among the parameters reads the time; *any: there is an expression. */
static bool params_use_time(const TmlParam *p, const void *data, bool *any)
{
    bool uses = false;
    *any = false;
    for (; p != NULL && p->name != NULL; ++p) {
        const int n = p->kind == TML_PARAM_EXPR ? 1 : p->kind == TML_PARAM_EXPRS3 ? 3 : 0;
        for (int k = 0; k < n; ++k) {
            const TmlBinding *b;
            memcpy(&b, (const char *)data + p->offset + (size_t)k * sizeof b, sizeof b);
            if (b != NULL) {
                *any = true;
                uses = uses || tml_expr_uses(b->expr, 0);
            }
        }
    }
    return uses;
}

static bool is_user_force(const TmlForceType *type)
{
    const TmlForceType *const *t = tml_force_types;
    while (*t != NULL && *t != type) {
        ++t;
    }
    return *t == NULL;
}

static bool elements_use_time(const TmlModel *m)
{
    bool any;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        // without a rate it does not move; with one and no expression it is a user's own
        if (con->type->rate != NULL &&
            (params_use_time(con->type->info.params, con->data, &any) || !any)) {
            return true;
        }
    }
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForce *force = &m->forces.at[f];
        if (params_use_time(force->type->info.params, force->data, &any) ||
            is_user_force(force->type)) {
            return true;
        }
    }
    return false;
}

bool tml_system_is_rheonomic(const TmlSystem *sys)
{
    const TmlDims *dim = tml_dims(sys);
    for (int k = 0; k < dim->nx + dim->nv + dim->nf; ++k) {
        if (tml_expr_uses(sys->equation[k].binding->expr, 0)) {
            return true;
        }
    }
    return tml_system_is_delayed(sys) || elements_use_time(sys->model);
}
