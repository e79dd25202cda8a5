/* system/recursion/links_loads.c - forces, variables and rates of states at the motion of the links, by the force evaluation of
 * the system; and what of a model the recursion cannot do.
 *
 * Only frames that forces and expressions see are moved; a model that has none costs nothing here.
 */
#include "system/recursion/links.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* --- what is refused -------------------------------------------------------------------------- */

/* Tells whether an equation reads multipliers or rates of states, which are not known when it is evaluated. */
static bool reads_solution(const TmlSystem *sys, const TmlEquation *eq)
{
    const int lambda = 3 * sys->dim.nq, X = lambda + sys->dim.m_all;
    for (int i = 0; i < eq->binding->n_unknowns; ++i) {
        const int at = eq->offset[i];
        if (at < 0 || (at >= lambda && at < X) ||
            (at >= X + sys->dim.nx && at < X + 2 * sys->dim.nx)) {
            return true;
        }
    }
    return eq->shared;
}

static const char *refuse_equations(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    for (int k = 0; k < sys->dim.nx; ++k) {
        if (m->states.at[k].implicit || reads_solution(sys, &sys->equation[k])) {
            return "the rate of a state needs accelerations, reactions or an implicit equation";
        }
    }
    if (tml_system_needs_solution(sys)) {
        return "a force or variable reads accelerations or reactions";
    }
    for (int k = m->channels.n; k < m->channels.n + m->probes.n; ++k) {
        if (reads_solution(sys, &sys->channel[k])) {
            return "an event reads reactions";
        }
    }
    return NULL;
}

static const char *refuse_bodies(const TmlSystem *sys)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBodySpan *span = &sys->dim.span[b];
        const bool turns = span->nu == 6 && span->nq == 7, point = span->nu == 3 && span->nq == 3;
        if ((!turns && !point) || sys->model->bodies.at[b].type->inertia == NULL) {
            return "a body is of a type that has no joint coordinates";
        }
    }
    return NULL;
}

const char *tml_links_refuse(const TmlSystem *sys)
{
    if (sys->flex != NULL || sys->modal != NULL) {
        return "bodies deform";
    }
    if (sys->touching != NULL) {
        return "shapes touch";
    }
    if (sys->singular_start != NULL) {
        return "it starts at a singular position";
    }
    const char *why = refuse_bodies(sys);
    return why != NULL ? why : refuse_equations(sys);
}

/* --- set-up ----------------------------------------------------------------------------------- */

static void see(TmlRecursion *r, int end0, int n)
{
    for (int e = end0; e < end0 + n; ++e) {
        if (!r->seen[e]) {
            r->seen[e] = true;
            r->end[r->n_ends++] = e;
        }
    }
}

TmlStatus tml_links_loads_setup(TmlRecursion *r, TmlError *err)
{
    const TmlSystem *sys = r->sys;
    TML_NEW(&r->arena, r->seen, sys->n_ends + 1);
    TML_NEW(&r->arena, r->end, sys->n_ends + 1);
    r->equations = sys->dim.nx + sys->dim.nv + sys->dim.nf > 0;
    return tml_links_axes_setup(r, err);
}

void tml_links_loads_sort(TmlRecursion *r)
{
    const TmlSystem *sys = r->sys;
    const TmlModel *m = sys->model;
    for (int f = 0; f < m->forces.n; ++f) {
        if (!r->on_axis[f]) {
            see(r, sys->force[f].end0, m->forces.at[f].n_ends);
        }
    }
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        see(r, sys->equation[k].end0, sys->equation[k].binding->n_ends);
    }
    r->loaded = m->forces.n > r->n_axes;
}

/* --- evaluation ------------------------------------------------------------------------------- */

void tml_links_move_ends(TmlRecursion *r, int n, const int *end)
{
    TmlSystem *sys = r->sys;
    for (int b = 1; b < sys->dim.nb; ++b) {
        tml_links_body(r, b, &sys->body[b].k);
    }
    sys->motion++;
    for (int k = 0; k < n; ++k) {
        tml_end_frame(sys, end[k]);
    }
}

static void rates_of_states(TmlSystem *sys, TmlState *s)
{
    double u[TML_BIND_MAX_UNKNOWNS];
    for (int k = 0; k < sys->dim.nx; ++k) {
        const TmlEquation *eq = &sys->equation[k];
        const TmlBindIn in = tml_equation_in(sys, s, eq, u);
        s->Xd[k] = tml_binding_value(eq->binding, &in);
    }
}

bool tml_links_loads(TmlRecursion *r, TmlState *s)
{
    TmlSystem *sys = r->sys;
    sys->gravity = tml_system_gravity_at(sys, tml_system_time(sys, s->t));
    r->motion[-1].a = v3_neg(sys->gravity);
    sys->power = (TmlPower){0};
    tml_links_axes(r);
    if (!r->loaded && !r->equations) {
        return true;
    }
    tml_links_move_ends(r, r->n_ends, r->end);
    double *off = sys->scratch, sum = 0.0;
    memset(off, 0, (size_t)(sys->dim.nv + sys->dim.nf) * sizeof *off);
    tml_system_settle(sys, s, off);
    rates_of_states(sys, s);
    for (int k = 0; k < sys->dim.nv + sys->dim.nf; ++k) {
        sum += off[k]; // zero, or what is not finite
    }
    for (int k = 0; k < sys->dim.nx; ++k) {
        sum += s->Xd[k];
    }
    if (!r->loaded) {
        return isfinite(sum);
    }
    memset(sys->wrench, 0, (size_t)sys->n_ends_loop * sizeof *sys->wrench);
    memset(r->Q, 0, (size_t)sys->dim.nu * sizeof *r->Q);
    tml_system_forces(sys, s, r->on_axis);
    for (int k = 0; k < r->n_ends; ++k) {
        tml_end_wrench(sys, r->end[k], &sys->wrench[r->end[k]], r->Q);
    }
    for (int k = 0; k < sys->dim.nu; ++k) {
        r->Q[k] = -r->Q[k];
    }
    return isfinite(sum);
}
