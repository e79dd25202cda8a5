/* analysis/integrator/abm/abm_space.c - the mechanism as the Adams formulas see it: y' = f(t, y) with
 * y = (q, q', X) of all coordinates, independent ones among them, and norms of changes of y.
 *
 *   (A12) |.|: the largest of the norms of positions, velocities and states
 *         dependent coordinates count with what closing makes of the independent ones, at most
 *         `follow` times as much as in the best position so far: where a mechanism is singular
 *         that has no bound, and steps would creep into the point
 *         their own formula need only lead the closure: it may be off by `lead` of the size
 *   (A13) other independent coordinates are chosen when dependent ones answer them `worn` times
 *         as strongly as at the choice: an error e of x = cos(a) is one of e / sin(a) in the
 *         angle and of e / sin^2(a) in its rate
 */
#include "analysis/integrator/abm/abm.h"

#include <math.h>
#include <string.h>

static const double lead = 1e-4;  // (A12)
static const double follow = 4.0; // (A12)
static const double worn = 1.5;   // (A13)

void tml_adams_load_y(const TmlSystem *sys, const TmlState *s, double *y)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(y, s->q, nq * sizeof *y);
    memcpy(y + nq, s->v, nq * sizeof *y);
    memcpy(y + 2 * nq, s->X, (size_t)dim->nx * sizeof *y);
}

void tml_adams_store_y(const TmlSystem *sys, const double *y, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(s->q, y, nq * sizeof *y);
    memcpy(s->v, y + nq, nq * sizeof *y);
    memcpy(s->X, y + 2 * nq, (size_t)dim->nx * sizeof *y);
}

void tml_adams_load_f(const TmlSystem *sys, const TmlState *s, double *f)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(f, s->v, nq * sizeof *f);
    memcpy(f + nq, s->a, nq * sizeof *f);
    memcpy(f + 2 * nq, s->Xd, (size_t)dim->nx * sizeof *f);
}

void tml_adams_store_f(const TmlSystem *sys, const double *f, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(s->a, f + nq, nq * sizeof *f);
    memcpy(s->Xd, f + 2 * nq, (size_t)dim->nx * sizeof *f);
}

/* Returns the norm of du, a change of positions or of velocities. */
static double norm_of(const TmlIntegrator *it, const double *du, bool rates, int *at)
{
    return rates ? tml_norm_w(it->sys, &it->norm, du, at) : tml_norm_u(it->sys, &it->norm, du, at);
}

/* Returns (A12) for one half of a change, positions or velocities, or for independent coordinates
 * only. */
static double norm_half(const TmlIntegrator *it, const double *dq, bool rates, bool all, double h,
                        int *at)
{
    const AdamsWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const bool *dependent = w->dependent[rates];
    const double share = fmin(1.0, it->norm.rotation / lead);
    int where = -1;
    tml_system_reduce(sys, it->next.q, dq, w->du);
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

double tml_adams_norm(const TmlIntegrator *it, const double *dy, bool all, double h, int *at)
{
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    int where[3] = {-1, -1, -1};
    double part[3];
    part[0] = norm_half(it, dy, false, all, h, &where[0]);
    part[1] = norm_half(it, dy + dim->nq, true, all, h, &where[1]);
    part[2] = h * tml_norm_x(sys, &it->norm, dy + 2 * dim->nq, &where[2]);
    int worst = 0;
    for (int k = 1; k < 3; ++k) {
        worst = !(part[k] <= part[worst]) ? k : worst; // NaN counts as worse
    }
    if (at != NULL) {
        *at = where[worst];
    }
    return part[worst];
}

/* Returns how strongly dependent coordinates answer a change of the independent ones, all of size
 * one with alternating signs. */
static double answer(const TmlIntegrator *it)
{
    const AdamsWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    for (int k = 0; k < dim->nu; ++k) {
        const double one = it->norm.rotation * dim->unit[k];
        w->du[k] = (k * 5 / 3) % 2 == 0 ? one : -one;
    }
    tml_partition_tangent(w->partition, w->du);
    return tml_norm_u(sys, &it->norm, w->du, NULL);
}

TmlStatus tml_adams_choose_coordinates(TmlIntegrator *it, const TmlState *s, TmlError *err)
{
    AdamsWork *w = it->work;
    if (w->chosen && !tml_partition_worn(w->partition) &&
        answer(it) <= worn * fmax(w->answer, 1.0)) {
        return TML_OK;
    }
    TML_TRY(tml_partition_choose(w->partition, s, err));
    w->answer = answer(it);
    w->best = w->best > 0.0 ? fmin(w->best, w->answer) : w->answer;
    w->chosen = true;
    for (int rates = 0; rates < 2; ++rates) {
        const int n =
            rates ? tml_partition_rate_count(w->partition) : tml_partition_count(w->partition);
        const int *index =
            rates ? tml_partition_rate_index(w->partition) : tml_partition_index(w->partition);
        for (int k = 0; k < tml_dims(it->sys)->nu; ++k) {
            w->dependent[rates][k] = true;
        }
        for (int k = 0; k < n; ++k) {
            w->dependent[rates][index[k]] = false;
        }
    }
    return TML_OK;
}

double tml_adams_norm_like(TmlIntegrator *it, const double *dy)
{
    const AdamsWork *w = it->work;
    if (w->weak) {
        return tml_adams_norm_along(it, dy, NULL);
    }
    return w->plain > 0.0 ? w->size / w->plain * tml_adams_norm(it, dy, false, w->c.h, NULL)
                          : tml_adams_norm(it, dy, true, w->c.h, NULL);
}
