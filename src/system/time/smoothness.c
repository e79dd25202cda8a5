/* system/time/smoothness.c - whether the equations are smooth, and whether time appears in them. */
#include "model/measure/law.h"
#include "model/registry.h"
#include "system/system_internal.h"

#include <string.h>

/* --- smoothness ------------------------------------------------------------------------------- */

/* Tells whether an expression of the state has a bounded number of derivatives, by such kinks. */
static bool rough_binding(const TmlBinding *b, TmlKinks kinks)
{
    const bool state = b->uses_motion || b->uses_twist || b->n_unknowns > 0;
    return state && tml_expr_smoothness_between(b->expr) <= 2 &&
           (kinks == TML_KINKS_ALL || (kinks == TML_KINKS_OF_FRICTION && b->steady) ||
            (tml_expr_switches(b->expr) && !b->steady));
}

/* How long a delay is: max(0, ...) stands there to be on the safe side. */
static bool is_delay_time(const TmlSystem *sys, int equation)
{
    const TmlModel *m = sys->model;
    for (int k = 0; k < m->delays.n; ++k) {
        if (m->delays.at[k].time >= 0 && equation == sys->dim.nx + m->delays.at[k].time) {
            return true;
        }
    }
    return false;
}

bool tml_system_is_rough(const TmlSystem *sys, TmlKinks kinks)
{
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        if (rough_binding(sys->equation[k].binding, kinks) && !is_delay_time(sys, k)) {
            return true;
        }
    }
    return false;
}

bool tml_system_has_tyres(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForceLaw *law = m->forces.at[f].type->law;
        if (law != NULL && law->kinks != NULL && law->kinks(m->forces.at[f].data)) {
            return true;
        }
    }
    return false;
}

/* --- time ----------------------------------------------------------------------------------- */

/* Tells whether an expression among the parameters reads the time; *any tells whether there is an
 * expression. */
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
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        if (tml_expr_uses(sys->equation[k].binding->expr, 0)) {
            return true;
        }
    }
    return tml_system_is_delayed(sys) || elements_use_time(sys->model);
}
