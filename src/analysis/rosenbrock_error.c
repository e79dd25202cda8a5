/* analysis/rosenbrock_error.c - the error of a step of the linearly implicit methods, and its
 * norms: (RN5) of analysis/integrator/rosenbrock.c.
 */
#include "analysis/rosenbrock.h"

#include "analysis/chart.h"

#include <math.h>
#include <string.h>

/* (RN5) into e_x, e_w. */
void tml_rosenbrock_estimate(TmlIntegrator *it, double h)
{
    TmlRosenbrock *w = it->work;
    const TmlRosenbrockMethod *me = w->method;
    const TmlRosenbrockOptions *o = it->opts;
    const int nu = it->sys->nu;
    double dmu[TML_ROSENBROCK_STAGES], dm[TML_ROSENBROCK_STAGES];
    for (int i = 0; i < me->stages; ++i) {
        dmu[i] = me->mu[i] - me->mu_hat[i];
        dm[i] = me->m[i] - me->m_hat[i];
    }
    memset(w->e_x, 0, (size_t)nu * sizeof *w->e_x);
    memset(w->e_w, 0, (size_t)w->ny * sizeof *w->e_w);
    tml_rosenbrock_add(w, me->stages, nu, h, dmu, w->e_x);
    tml_rosenbrock_add(w, me->stages, w->ny, 1.0, dm, w->e_w);
    if (o->filter) {
        const double g = h * me->gamma;
        for (int k = 0; k < w->ny; ++k) {
            w->f[k] = w->e_w[k] / g;
        }
        tml_rosenbrock_linear(it, g, w->f, w->e_x, w->e_w);
        for (int k = 0; k < nu; ++k) {
            w->e_x[k] += g * w->e_w[k];
        }
    }
}

/* Position along component k of the unknowns of body b, for scaling. */
static double coordinate(const TmlSystem *sys, const TmlState *s, int b, int k)
{
    double origin[TML_BODY_MAX_NQ] = {0, 0, 0, 1}, x[TML_BODY_MAX_NU], x1[TML_BODY_MAX_NU];
    const int q0 = sys->q0[b];
    sys->model->bodies.at[b].type->chart_coordinates(origin, s->q + q0, s->v + q0, x, x1);
    return x[k];
}

/* [001] (5): root mean square over independent coordinates and rates, each over
 * tolerance (1 + largest magnitude at the ends of the step). */
static double paper_norm(const TmlIntegrator *it)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    const int n = tml_partition_count(w->partition), *index = tml_partition_index(w->partition);
    double sum = 0.0;
    int b = 1;
    for (int k = 0; k < n; ++k) {
        while (index[k] >= sys->u0[b + 1]) {
            ++b;
        }
        const int c = index[k] - sys->u0[b];
        const double x =
            fmax(fabs(coordinate(sys, &it->now, b, c)), fabs(coordinate(sys, &it->next, b, c)));
        const double v = fmax(fabs(w->w[index[k]]), fabs(w->x1[index[k]]));
        const double ex = w->e_x[index[k]] / (1.0 + x), ew = w->e_w[index[k]] / (1.0 + v);
        sum += ex * ex + ew * ew;
    }
    for (int k = 0; k < sys->nx; ++k) {
        const double x = fmax(fabs(it->now.X[k]), fabs(it->next.X[k]));
        const double e = w->e_w[sys->nu + k] / (1.0 + x);
        sum += e * e;
    }
    return sqrt(sum / fmax(2 * n + sys->nx, 1)) / it->norm.rotation;
}

/* The largest of the errors of positions, rates and states, by the driver's norm. */
static double body_norm(const TmlIntegrator *it, int *at)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    int at_w = -1, at_x = -1;
    double e = tml_norm_u(sys, &it->norm, w->e_x, at);
    const double e_w = tml_norm_w(sys, &it->norm, w->e_w, &at_w);
    const double e_x = tml_norm_x(sys, &it->norm, w->e_w + sys->nu, &at_x);
    if (e_w > e) {
        e = e_w;
        *at = at_w;
    }
    if (e_x > e) {
        e = e_x;
        *at = at_x;
    }
    return e;
}

/* How far the closure has moved the end of the step and its rates, in units of the tolerance. */
double tml_rosenbrock_move(const TmlIntegrator *it)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    double *dx = w->z, *dw = w->f;
    for (int b = 1; b < sys->nb; ++b) {
        const int q0 = sys->q0[b], u0 = sys->u0[b];
        sys->model->bodies.at[b].type->chart_coordinates(it->now.q + q0, it->next.q + q0,
                                                         it->next.v + q0, dx + u0, dw + u0);
    }
    for (int k = 0; k < sys->nu; ++k) {
        dx[k] -= w->x[k];
        dw[k] -= w->x1[k];
    }
    return fmax(tml_norm_u(sys, &it->norm, dx, NULL), tml_norm_w(sys, &it->norm, dw, NULL));
}

double tml_rosenbrock_drift(const TmlIntegrator *it)
{
    double off[3];
    tml_system_violation(it->sys, &it->next, off);
    return fmax(off[0], off[1]) / it->norm.rotation;
}

/* e_x and e_w as the closure has left them. */
static void along_constraints(TmlIntegrator *it)
{
    TmlRosenbrock *w = it->work;
    if (w->closure == TML_ROSENBROCK_INDEPENDENT) {
        tml_partition_tangent(w->partition, w->e_x);
        tml_partition_tangent(w->partition, w->e_w);
        return;
    }
    for (int k = 0; k < it->sys->nu; ++k) {
        w->z[k] = w->x[k] - w->e_x[k];
        w->f[k] = w->x1[k] - w->e_w[k];
    }
    tml_chart_state(it->sys, it->now.q, w->z, w->f, &w->stage);
    tml_chart_tangent(it->sys, &w->stage, &it->next, false, w->e_x, w->e_w);
}

/* Errors count as the closure leaves them. A mechanism that is driven altogether has none then, yet
 * its motion must be resolved: the errors before the closure count with a share, but for rounding
 * near singular positions. */
double tml_rosenbrock_error(TmlIntegrator *it, int *at)
{
    static const double raw_share = 0.1;
    const TmlRosenbrock *w = it->work;
    const TmlRosenbrockOptions *o = it->opts;
    if (o->norm == TML_ROSENBROCK_PAPER) {
        return paper_norm(it);
    }
    int at_raw = -1;
    const double whole = raw_share * fmax(body_norm(it, &at_raw), w->move);
    const double raw = w->closure == TML_ROSENBROCK_WEAK ? 0.0 : whole;
    along_constraints(it);
    const double e = body_norm(it, at);
    *at = raw > e ? at_raw : *at;
    return raw > e ? raw : e;
}

/* Largest rotation of a body over the step, rad. */
double tml_rosenbrock_turn(const TmlIntegrator *it)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    double big = 0.0;
    for (int b = 1; b < sys->nb; ++b) {
        if (sys->u0[b + 1] - sys->u0[b] == 6) {
            const double *x = w->x + sys->u0[b] + 3;
            big = fmax(big, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        }
    }
    return big;
}
