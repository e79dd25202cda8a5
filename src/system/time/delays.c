/* system/time/delays.c - the pasts of a system's delayed values, and values that follow from a motion.
 */
#include "base/fail.h"
#include "model/measure/measure.h"
#include "model/measure/past.h"
#include "system/system_internal.h"

#include <math.h>
#include <string.h>

TmlStatus tml_system_past_create(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    TmlPast *past = NULL;
    if (m->delays.n == 0) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, past, m->delays.n);
    for (int k = 0; k < m->delays.n; ++k) {
        TmlBinding *const *history = m->delays.at[k].history;
        past[k].delay = &m->delays.at[k];
        TML_NEW(&sys->arena, past[k].work,
                history != NULL && *history != NULL ? (*history)->work : 0);
    }
    sys->past = past;
    return TML_OK;
}

void tml_system_past_free(TmlSystem *sys)
{
    for (int k = 0; sys->past != NULL && k < sys->model->delays.n; ++k) {
        tml_past_free(&sys->past[k]);
    }
    sys->past = NULL;
}

TmlStatus tml_system_take_past(TmlSystem *sys, const TmlSystem *from, TmlError *err)
{
    const TmlModel *m = sys->model;
    for (int k = 0; sys->past != NULL && from->past != NULL && k < m->delays.n; ++k) {
        const int o = tml_model_find_delay(from->model, m->delays.at[k].name);
        if (o >= 0 && !tml_past_take(&sys->past[k], &from->past[o])) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for the past of delay '%s'",
                            m->delays.at[k].name);
        }
    }
    return TML_OK;
}

double tml_system_delay_time(const TmlSystem *sys, const TmlState *s, int k)
{
    const TmlDelay *d = &sys->model->delays.at[k];
    return d->time >= 0 ? s->V[d->time] : d->fixed;
}

/* --- what a value depends on ----------------------------------------------------------------- */

static bool is_delayed(const TmlModel *m, int variable)
{
    for (int k = 0; k < m->delays.n; ++k) {
        if (m->delays.at[k].value == variable) {
            return true;
        }
    }
    return false;
}

/* depth: expressions on the way here; a chain as long as all of them is a circle. What is read
 * with a delay is known, whatever it depends on. */
static bool binding_follows(const TmlSystem *sys, const TmlBinding *b, int depth)
{
    const TmlModel *m = sys->model;
    bool follows =
        !b->uses_acceleration && depth <= sys->dim.nx + sys->dim.nv + sys->dim.nf && depth < 64;
    for (int k = 0; k < b->n_unknowns && follows; ++k) {
        const TmlUnknown *u = &b->unknown[k];
        switch (u->kind) {
        case TML_UNKNOWN_X:
            break;
        case TML_UNKNOWN_XDOT:
            follows = !m->states.at[u->index].implicit &&
                      binding_follows(sys, m->states.at[u->index].binding, depth + 1);
            break;
        case TML_UNKNOWN_V:
            follows = is_delayed(m, u->index) || m->variables.at[u->index].adjusted ||
                      binding_follows(sys, m->variables.at[u->index].binding, depth + 1);
            break;
        case TML_UNKNOWN_F:
            follows = binding_follows(sys, m->forces.at[u->index].f[u->row], depth + 1);
            break;
        default:
            follows = false;
        }
    }
    return follows;
}

bool tml_system_delay_follows(const TmlSystem *sys, int k)
{
    const TmlModel *m = sys->model;
    return binding_follows(sys, m->variables.at[m->delays.at[k].value].binding, 0);
}

void tml_system_follow(TmlSystem *sys, TmlState *s)
{
    enum { SWEEPS = 40 };
    const TmlModel *m = sys->model;
    double u[TML_BIND_MAX_UNKNOWNS];
    bool changed = true;
    tml_system_kinematics(sys, s, false);
    for (int sweep = 0; sweep < SWEEPS && changed; ++sweep) {
        changed = false;
        for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
            if (k < sys->dim.nx && m->states.at[k].implicit) {
                continue;
            }
            double *x = k < sys->dim.nx ? &s->Xd[k] : &s->V[k - sys->dim.nx]; // F follows V
            if (tml_equation_is_held(sys, s, k)) {
                *x = sys->held[k - sys->dim.nx];
                continue;
            }
            const TmlBindIn in = tml_equation_in(sys, s, &sys->equation[k], u);
            const double value = tml_binding_value(sys->equation[k].binding, &in);
            changed = changed || fabs(value - *x) > 1e-14 * fabs(value);
            *x = value;
        }
    }
}
