/* analysis/integrator/explicit/explicit_projected.c - y = (q, q', X) of all bodies, f = (q', q'', X') at y as it is.
 *
 *   (X2)  q'' and X' solve M q'' + Phi_q^T lambda = Q, Phi_q q'' = gamma at y, Euler parameters on their sphere. The constraints
 *         are an invariant of this field: stages of a Runge-Kutta method need not be on them, and what a step is off
 *         them by is of its own order
 *   (X3)  the end of a step is moved onto the constraints, orthogonally in the sense of M
 *
 * There is no choice of independent coordinates, and a stage is one solution of the equations of motion, with factors of its
 * own: stages of a long step are so far apart that those of another serve one time in six (a chain of 100 pins), and
 * trying them took a fifth more time.
 */
#include "analysis/integrator/explicit/explicit_bodies.h"

#include "base/fail.h"

#include <math.h>

typedef struct Projected {
    TmlState s; /* of the last evaluation */
    double *du; /* nu */
} Projected;

static double projected_norm(TmlExplicit *p, const double *dy, double h, int *at)
{
    const Projected *w = p->work;
    const TmlIntegrator *it = p->it;
    const TmlDims *dim = tml_dims(it->sys);
    int where[3] = {-1, -1, -1};
    double part[3];
    tml_system_reduce(it->sys, w->s.q, dy, w->du);
    part[0] = tml_norm_u(it->sys, &it->norm, w->du, &where[0]);
    tml_system_reduce(it->sys, w->s.q, dy + dim->nq, w->du);
    part[1] = tml_norm_w(it->sys, &it->norm, w->du, &where[1]);
    part[2] = tml_norm_x(it->sys, &it->norm, dy + 2 * dim->nq, &where[2]);
    return h * tml_explicit_worst(part, where, at);
}

static double projected_norm_part(TmlExplicit *p, const double *dy, double h)
{
    return projected_norm(p, dy, h, NULL);
}

static void projected_begin(TmlExplicit *p, double *y, double *f)
{
    tml_explicit_load_y(p->it->sys, &p->it->now, y);
    tml_explicit_load_f(p->it->sys, &p->it->now, f);
}

static TmlStatus projected_prepare(TmlExplicit *p, const double *y, TmlError *err)
{
    Projected *w = p->work;
    (void)y; // that of now
    (void)err;
    tml_state_copy(p->it->sys, &p->it->now, &w->s);
    return TML_OK;
}

static bool move_least(TmlExplicit *p) // (X3)
{
    Projected *w = p->work;
    return tml_system_project(p->it->sys, &w->s);
}

static TmlStatus projected_rates(TmlExplicit *p, double t, double *y, double *f, TmlAttempt *out,
                                 TmlError *err)
{
    Projected *w = p->work;
    return tml_explicit_evaluate(p, &w->s, t, y, f, NULL, out, err); // (X2)
}

static TmlStatus projected_finish(TmlExplicit *p, double t, double *y, double *f, const double *e,
                                  TmlAttempt *out, TmlError *err)
{
    Projected *w = p->work;
    (void)e;
    return tml_explicit_evaluate(p, &w->s, t, y, f, move_least, out, err);
}

static void projected_state(TmlExplicit *p, double t, const double *y, const double *f, bool solved,
                            TmlState *s)
{
    const Projected *w = p->work;
    tml_explicit_state(p, &w->s, t, y, f, solved, s);
}

static void projected_power(TmlExplicit *p, TmlPower *out)
{
    *out = tml_system_power(p->it->sys);
}

static TmlStatus projected_setup(TmlExplicit *p, TmlError *err)
{
    TmlIntegrator *it = p->it;
    const TmlDims *dim = tml_dims(it->sys);
    Projected *w;
    TML_NEW(it->arena, w, 1);
    p->work = w;
    p->n = 2 * dim->nq + dim->nx;
    TML_NEW(it->arena, w->du, dim->nu);
    return tml_state_create_in(it->sys, it->arena, &w->s, err);
}

static void projected_teardown(TmlExplicit *p)
{
    (void)p; // all of it is the arena's
}

const TmlExplicitType tml_explicit_projected = {
    .name = "projected",
    .guesses = true,
    .setup = projected_setup,
    .teardown = projected_teardown,
    .begin = projected_begin,
    .prepare = projected_prepare,
    .rates = projected_rates,
    .finish = projected_finish,
    .norm = projected_norm,
    .norm_part = projected_norm_part,
    .state = projected_state,
    .power = projected_power,
};
