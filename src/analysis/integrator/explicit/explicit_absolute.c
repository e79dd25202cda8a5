/* analysis/integrator/explicit/explicit_absolute.c - y = (q, q', X) of all bodies, f = (q', q'', X'), independent
 * coordinates among them.
 *
 *   (A12) |.|: the largest of the norms of positions, velocities and states
 *         dependent coordinates count with what closing makes of the independent ones, at most
 *         `follow` times as much as in the best position so far: where a mechanism is singular
 *         that has no bound, and steps would creep into the point
 *         their own formula need only lead the closure: it may be off by `lead` of the size
 *   (A13) other independent coordinates are chosen when dependent ones answer them `worn` times
 *         as strongly as at the choice: an error e of x = cos(a) is one of e / sin(a) in the
 *         angle and of e / sin^2(a) in its rate
 *   (A15) independent coordinates stay, the others are closed on them; but the state is moved least
 *         in the sense of M
 *         - where closing moves it by more than 20 times what it is off the constraints: a singular
 *           position is near, and the move is rounding, M-orthogonal to the motion; errors count
 *           there with what the least move leaves of them
 *         - at the end of a step, when that leaves less of d, the local error, along the
 *           constraints: independent coordinates that lean on them take errors across as their own
 */
#include "analysis/integrator/explicit/explicit_bodies.h"

#include "analysis/integrator/chart.h"
#include "base/fail.h"
#include "system/coordinates/partition.h"

#include <math.h>
#include <string.h>

static const double lead = 1e-4;  // (A12)
static const double follow = 4.0; // (A12)
static const double worn = 1.5;   // (A13)

typedef struct Absolute {
    TmlPartition *partition;
    bool chosen;
    double answer, best;     /* of dependent coordinates when they were chosen; least so far */
    bool *dependent[2];      /* nu: positions, velocities */
    TmlState s;              /* of the last evaluation */
    double *raw, *du;        /* nu */
    double *before, *change; /* 2 nq: what closing began with, and has changed */
} Absolute;

/* --- norms ----------------------------------------------------------------------------------- */

/* Returns the norm of du, a change of positions or of velocities. */
static double norm_of(const TmlIntegrator *it, const double *du, bool rates, int *at)
{
    return rates ? tml_norm_w(it->sys, &it->norm, du, at) : tml_norm_u(it->sys, &it->norm, du, at);
}

/* Returns (A12) for one half of a change, positions or velocities, or for independent coordinates
 * only. */
static double norm_half(const TmlExplicit *p, const double *dq, bool rates, bool all, double h,
                        int *at)
{
    const Absolute *w = p->work;
    const TmlIntegrator *it = p->it;
    const TmlSystem *sys = it->sys;
    const bool *dependent = w->dependent[rates];
    const double share = fmin(1.0, it->norm.rotation / lead);
    int where = -1;
    tml_system_reduce(sys, w->s.q, dq, w->du);
    for (int k = 0; k < tml_dims(sys)->nu; ++k) {
        w->du[k] *= h;
        w->raw[k] = dependent[k] ? share * w->du[k] : 0.0;
        w->du[k] = dependent[k] ? 0.0 : w->du[k];
    }
    const double independent = norm_of(it, w->du, rates, at);
    if (!all) {
        return independent;
    }
    const double astray = norm_of(it, w->raw, rates, &where);
    const double limit = follow * fmax(w->best, 1.0) * independent;
    tml_partition_tangent(w->partition, w->du);
    const double size = fmin(limit, norm_of(it, w->du, rates, at));
    if (astray > size) {
        *at = where;
    }
    return fmax(astray, size);
}

/* Returns (A12), of all coordinates or of the independent ones only. */
static double norm_closed(TmlExplicit *p, const double *dy, bool all, double h, int *at)
{
    const TmlIntegrator *it = p->it;
    const TmlDims *dim = tml_dims(it->sys);
    int where[3] = {-1, -1, -1};
    double part[3];
    part[0] = norm_half(p, dy, false, all, h, &where[0]);
    part[1] = norm_half(p, dy + dim->nq, true, all, h, &where[1]);
    part[2] = h * tml_norm_x(it->sys, &it->norm, dy + 2 * dim->nq, &where[2]);
    return tml_explicit_worst(part, where, at);
}

/* Returns the norm of what the least move leaves of the change. */
static double norm_along(TmlExplicit *p, const double *dy, double h, int *at)
{
    const Absolute *w = p->work;
    const TmlIntegrator *it = p->it;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double *const d[2] = {w->du, w->raw};
    int where[3] = {-1, -1, -1};
    for (int rates = 0; rates < 2; ++rates) {
        tml_system_reduce(sys, w->s.q, dy + (rates ? dim->nq : 0), d[rates]);
    }
    if (!tml_system_tangent(sys, &w->s, false, 2, d)) {
        return (double)NAN;
    }
    const double part[3] = {tml_norm_u(sys, &it->norm, d[0], &where[0]),
                            tml_norm_w(sys, &it->norm, d[1], &where[1]),
                            tml_norm_x(sys, &it->norm, dy + 2 * dim->nq, &where[2])};
    return h * tml_explicit_worst(part, where, at);
}

static double absolute_norm(TmlExplicit *p, const double *dy, double h, int *at)
{
    return p->weak ? norm_along(p, dy, h, at) : norm_closed(p, dy, true, h, at);
}

static double absolute_norm_part(TmlExplicit *p, const double *dy, double h)
{
    return norm_closed(p, dy, false, h, NULL);
}

/* --- coordinates ------------------------------------------------------------------------------ */

/* Returns how strongly dependent coordinates answer a change of the independent ones, all of size
 * one with alternating signs. */
static double answer(const TmlExplicit *p)
{
    const Absolute *w = p->work;
    const TmlIntegrator *it = p->it;
    const TmlDims *dim = tml_dims(it->sys);
    for (int k = 0; k < dim->nu; ++k) {
        const double one = it->norm.rotation * dim->unit[k];
        w->du[k] = (k * 5 / 3) % 2 == 0 ? one : -one;
    }
    tml_partition_tangent(w->partition, w->du);
    return tml_norm_u(it->sys, &it->norm, w->du, NULL);
}

static void mark_dependent(TmlExplicit *p)
{
    Absolute *w = p->work;
    for (int rates = 0; rates < 2; ++rates) {
        const int n =
            rates ? tml_partition_rate_count(w->partition) : tml_partition_count(w->partition);
        const int *index =
            rates ? tml_partition_rate_index(w->partition) : tml_partition_index(w->partition);
        for (int k = 0; k < tml_dims(p->it->sys)->nu; ++k) {
            w->dependent[rates][k] = true;
        }
        for (int k = 0; k < n; ++k) {
            w->dependent[rates][index[k]] = false;
        }
    }
}

static TmlStatus absolute_prepare(TmlExplicit *p, const double *y, TmlError *err)
{
    Absolute *w = p->work;
    const TmlState *now = &p->it->now;
    (void)y; // that of now
    if (!w->chosen || tml_partition_worn(w->partition) || answer(p) > worn * fmax(w->answer, 1.0)) {
        TML_TRY(tml_partition_choose(w->partition, now, err));
        w->answer = answer(p);
        w->best = w->best > 0.0 ? fmin(w->best, w->answer) : w->answer;
        w->chosen = true;
        mark_dependent(p);
    }
    tml_state_copy(p->it->sys, now, &w->s);
    return TML_OK;
}

static void absolute_begin(TmlExplicit *p, double *y, double *f)
{
    tml_explicit_load_y(p->it->sys, &p->it->now, y);
    tml_explicit_load_f(p->it->sys, &p->it->now, f);
}

/* --- onto the constraints --------------------------------------------------------------------- */

/* Returns the larger of the norms of a change of positions and of velocities. */
static double larger(const TmlIntegrator *it, const double *du, const double *dw)
{
    return fmax(tml_norm_u(it->sys, &it->norm, du, NULL), tml_norm_w(it->sys, &it->norm, dw, NULL));
}

/* Tells whether the least move leaves less of the error e than independent coordinates that stay; after an evaluation. */
static bool least_is_better(TmlExplicit *p, const double *e)
{
    const Absolute *w = p->work;
    TmlSystem *sys = p->it->sys;
    const TmlDims *dim = tml_dims(sys);
    double *const d[2] = {w->du, w->raw};
    if (dim->m == 0) {
        return false;
    }
    for (int rates = 0; rates < 2; ++rates) {
        tml_system_reduce(sys, w->s.q, e + (rates ? dim->nq : 0), d[rates]);
        tml_partition_tangent(w->partition, d[rates]);
    }
    const double closed = larger(p->it, d[0], d[1]);
    for (int rates = 0; rates < 2; ++rates) {
        tml_system_reduce(sys, w->s.q, e + (rates ? dim->nq : 0), d[rates]);
    }
    return tml_system_tangent(sys, &w->s, false, 2, d) && larger(p->it, d[0], d[1]) < closed;
}

/* Returns how far s is from q and v in w->before, in tolerances. */
static double moved(const TmlExplicit *p)
{
    const Absolute *w = p->work;
    const TmlSystem *sys = p->it->sys;
    const TmlDims *dim = tml_dims(sys);
    for (int k = 0; k < dim->nq; ++k) {
        w->change[k] = w->s.q[k] - w->before[k];
        w->change[dim->nq + k] = w->s.v[k] - w->before[dim->nq + k];
    }
    tml_system_reduce(sys, w->s.q, w->change, w->du);
    tml_system_reduce(sys, w->s.q, w->change + dim->nq, w->raw);
    return larger(p->it, w->du, w->raw);
}

/* Puts the state onto the constraints by (A15). It returns false when none was found. */
static bool close_state(TmlExplicit *p, bool least)
{
    static const double weak_share = 0.05, least_move = 1e-3;
    Absolute *w = p->work;
    TmlIntegrator *it = p->it;
    TmlState *s = &w->s;
    const TmlDims *dim = tml_dims(it->sys);
    const size_t size = (size_t)dim->nq * sizeof(double);
    p->weak = false;
    if (least) {
        return tml_system_project(it->sys, s);
    }
    const double off = tml_chart_drift(it->sys, &it->norm, s);
    memcpy(w->before, s->q, size);
    memcpy(w->before + dim->nq, s->v, size);
    if (tml_partition_close_positions(w->partition, s) &&
        tml_partition_close_velocities(w->partition, s)) {
        const double move = moved(p);
        p->weak = move > least_move && weak_share * move > off;
        if (!p->weak) {
            return true;
        }
    }
    memcpy(s->q, w->before, size);
    memcpy(s->v, w->before + dim->nq, size);
    return tml_system_project(it->sys, s);
}

/* --- evaluation ------------------------------------------------------------------------------- */

static bool close_quickly(TmlExplicit *p)
{
    return close_state(p, false);
}

static bool close_least(TmlExplicit *p)
{
    return close_state(p, true);
}

/* Evaluates f at y, which is put onto the constraints first. The accelerations begin from the guess in f. */
static TmlStatus evaluate(TmlExplicit *p, double t, double *y, double *f, TmlExplicitClose *close,
                          TmlAttempt *out, TmlError *err)
{
    Absolute *w = p->work;
    tml_explicit_store_f(p->it->sys, f, &w->s);
    return tml_explicit_evaluate(p, &w->s, t, y, f, close, out, err);
}

static TmlStatus absolute_rates(TmlExplicit *p, double t, double *y, double *f, TmlAttempt *out,
                                TmlError *err)
{
    return evaluate(p, t, y, f, close_quickly, out, err);
}

static TmlStatus absolute_finish(TmlExplicit *p, double t, double *y, double *f, const double *e,
                                 TmlAttempt *out, TmlError *err)
{
    const bool least = e == NULL || least_is_better(p, e);
    return evaluate(p, t, y, f, least ? close_least : close_quickly, out, err);
}

static void absolute_state(TmlExplicit *p, double t, const double *y, const double *f, bool solved,
                           TmlState *s)
{
    const Absolute *w = p->work;
    tml_explicit_state(p, &w->s, t, y, f, solved, s);
}

/* --- set-up ----------------------------------------------------------------------------------- */

static TmlStatus absolute_setup(TmlExplicit *p, TmlError *err)
{
    TmlIntegrator *it = p->it;
    const TmlDims *dim = tml_dims(it->sys);
    Absolute *w;
    TML_NEW(it->arena, w, 1);
    p->work = w;
    p->n = 2 * dim->nq + dim->nx;
    TML_NEW(it->arena, w->before, 2 * dim->nq);
    TML_NEW(it->arena, w->change, 2 * dim->nq);
    TML_NEW(it->arena, w->raw, dim->nu);
    TML_NEW(it->arena, w->du, dim->nu);
    TML_NEW(it->arena, w->dependent[0], dim->nu);
    TML_NEW(it->arena, w->dependent[1], dim->nu);
    TML_TRY(tml_state_create_in(it->sys, it->arena, &w->s, err));
    return tml_partition_create(it->sys, &w->partition, err);
}

static void absolute_teardown(TmlExplicit *p)
{
    Absolute *w = p->work;
    if (w != NULL) {
        tml_partition_free(w->partition);
    }
}

const TmlExplicitType tml_explicit_absolute = {
    .name = "absolute",
    .guesses = true,
    .setup = absolute_setup,
    .teardown = absolute_teardown,
    .begin = absolute_begin,
    .prepare = absolute_prepare,
    .rates = absolute_rates,
    .finish = absolute_finish,
    .norm = absolute_norm,
    .norm_part = absolute_norm_part,
    .state = absolute_state,
};
