/* analysis/integrator/rosenbrock/rosenbrock_error.c - the error of a step of the linearly implicit methods, and its
 * norms: (RN5) of analysis/integrator/rosenbrock/rosenbrock.c.
 */
#include "analysis/integrator/rosenbrock/rosenbrock.h"

#include "analysis/integrator/chart.h"

#include <math.h>
#include <string.h>

/* Multiplies e_x and e_w by (1 - h gamma J)^-1, by (RN4). */
static void filter(TmlIntegrator *it, double h)
{
    TmlRosenbrock *w = it->work;
    const double g = h * w->method->gamma;
    for (int k = 0; k < w->ny; ++k) {
        w->f[k] = w->e_w[k] / g;
    }
    tml_rosenbrock_linear(it, g, w->f, w->e_x, w->e_w);
    for (int k = 0; k < tml_dims(it->sys)->nu; ++k) {
        w->e_x[k] += g * w->e_w[k];
    }
}

/* Sets e_x and e_w by (RN5). */
void tml_rosenbrock_estimate(TmlIntegrator *it, double h)
{
    TmlRosenbrock *w = it->work;
    const TmlRosenbrockMethod *me = w->method;
    const TmlRosenbrockOptions *o = it->opts;
    const int nu = tml_dims(it->sys)->nu;
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
        filter(it, h);
    }
}

void tml_rosenbrock_compare_rates(int n, double h, double h1, const double *y0,
                                  const double *slope[3], double *e)
{
    const double r = h1 / h;
    const double b0 = -1.0 / (6.0 * r * (1.0 + r)), b1 = 0.5 + 1.0 / (6.0 * r);
    const double b2 = (1.0 / 3.0 + 0.5 * r) / (1.0 + r);
    for (int k = 0; k < n; ++k) {
        e[k] -= y0[k] + h * (b0 * slope[0][k] + b1 * slope[1][k] + b2 * slope[2][k]);
    }
}

bool tml_rosenbrock_compare(TmlIntegrator *it, double h)
{
    TmlRosenbrock *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlState *now = &it->now, *next = &it->next;
    double *x = w->vector, *x1 = w->residual, *end = w->f;
    if (!(w->h_before > 0.0) || tml_rosenbrock_before_kink(it, h, next->t) < next->t) {
        return false;
    }
    tml_chart_coordinates(sys, now->q, next, x, x1);
    tml_chart_second(sys, next, x, x1, end);
    for (int k = 0; k < dim->nu; ++k) {
        w->e_x[k] = x[k] - 0.5 * h * (w->w[k] + x1[k]) - h * h / 12.0 * (w->f1[k] - end[k]);
    }
    double *a0 = w->z, *a1 = w->r;
    tml_system_reduce(sys, now->q, now->a, a0);
    tml_system_reduce(sys, next->q, next->a, a1);
    tml_system_reduce(sys, next->q, next->v, w->e_w);
    memcpy(w->e_w + dim->nu, next->X, (size_t)dim->nx * sizeof *w->e_w);
    const double *rates[3] = {w->before, a0, a1};
    const double *states[3] = {w->before + dim->nu, now->Xd, next->Xd};
    tml_rosenbrock_compare_rates(dim->nu, h, w->h_before, w->w, rates, w->e_w);
    tml_rosenbrock_compare_rates(dim->nx, h, w->h_before, now->X, states, w->e_w + dim->nu);
    if (w->closure != TML_ROSENBROCK_WEAK) {
        filter(it, h);
    }
    return true;
}

void tml_rosenbrock_remember(TmlIntegrator *it, double h)
{
    TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    tml_system_reduce(sys, it->now.q, it->now.a, w->before);
    memcpy(w->before + dim->nu, it->now.Xd, (size_t)dim->nx * sizeof *w->before);
    w->h_before = h;
}

/* Returns the position along component k of the unknowns of body b, for scaling. */
static double coordinate(const TmlSystem *sys, const TmlState *s, int b, int k)
{
    TmlBodyChart at;
    tml_body_coordinates(sys, b, NULL, s, &at);
    return at.x[k];
}

/* [001] (5): root mean square over independent coordinates and rates, each over
 * tolerance (1 + largest magnitude at the ends of the step). */
static double paper_norm(const TmlIntegrator *it)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const int n = tml_partition_count(w->partition), *index = tml_partition_index(w->partition);
    double sum = 0.0;
    int b = 1;
    for (int k = 0; k < n; ++k) {
        while (index[k] >= dim->span[b + 1].u0) {
            ++b;
        }
        const int c = index[k] - dim->span[b].u0;
        const double x =
            fmax(fabs(coordinate(sys, &it->now, b, c)), fabs(coordinate(sys, &it->next, b, c)));
        const double v = fmax(fabs(w->w[index[k]]), fabs(w->x1[index[k]]));
        const double ex = w->e_x[index[k]] / (1.0 + x), ew = w->e_w[index[k]] / (1.0 + v);
        sum += ex * ex + ew * ew;
    }
    for (int k = 0; k < dim->nx; ++k) {
        const double x = fmax(fabs(it->now.X[k]), fabs(it->next.X[k]));
        const double e = w->e_w[dim->nu + k] / (1.0 + x);
        sum += e * e;
    }
    return sqrt(sum / fmax(2 * n + dim->nx, 1)) / it->norm.rotation;
}

/* Returns the largest of the errors of positions, rates and states, by the driver's norm. */
static double body_norm(const TmlIntegrator *it, int *at)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    int at_w = -1, at_x = -1;
    double e = tml_norm_u(sys, &it->norm, w->e_x, at);
    const double e_w = tml_norm_w(sys, &it->norm, w->e_w, &at_w);
    const double e_x = tml_norm_x(sys, &it->norm, w->e_w + tml_dims(sys)->nu, &at_x);
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

/* Returns how far the closure has moved the end of the step and its rates, in units of the
 * tolerance. */
double tml_rosenbrock_move(const TmlIntegrator *it)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double *dx = w->z, *dw = w->f;
    tml_chart_coordinates(sys, it->now.q, &it->next, dx, dw);
    for (int k = 0; k < dim->nu; ++k) {
        dx[k] -= w->x[k];
        dw[k] -= w->x1[k];
    }
    return fmax(tml_norm_u(sys, &it->norm, dx, NULL), tml_norm_w(sys, &it->norm, dw, NULL));
}

bool tml_rosenbrock_least_is_better(TmlIntegrator *it)
{
    static const double better_ratio = 0.3;
    const TmlRosenbrock *w = it->work;
    TmlSystem *sys = it->sys;
    double *const e[2] = {w->z, w->f};
    const size_t size = (size_t)tml_dims(sys)->nu * sizeof(double);
    memcpy(e[0], w->e_x, size);
    memcpy(e[1], w->e_w, size);
    tml_partition_tangent(w->partition, e[0]);
    tml_partition_tangent(w->partition, e[1]);
    const double closed =
        fmax(tml_norm_u(sys, &it->norm, e[0], NULL), tml_norm_w(sys, &it->norm, e[1], NULL));
    memcpy(e[0], w->e_x, size);
    memcpy(e[1], w->e_w, size);
    return tml_system_tangent(sys, &it->next, false, 2, e) &&
           fmax(tml_norm_u(sys, &it->norm, e[0], NULL), tml_norm_w(sys, &it->norm, e[1], NULL)) <
               better_ratio * closed;
}

/* Changes e_x and e_w to what the closure has left of them. */
static void along_constraints(TmlIntegrator *it)
{
    TmlRosenbrock *w = it->work;
    if (w->closure == TML_ROSENBROCK_INDEPENDENT) {
        tml_partition_tangent(w->partition, w->e_x);
        tml_partition_tangent(w->partition, w->e_w);
        return;
    }
    for (int k = 0; k < tml_dims(it->sys)->nu; ++k) {
        w->z[k] = w->x[k] - w->e_x[k];
        w->f[k] = w->x1[k] - w->e_w[k];
    }
    tml_chart_state(it->sys, it->now.q, w->z, w->f, &w->stage);
    tml_chart_tangent(it->sys, &w->stage, &it->next, false, w->e_x, w->e_w);
    // (RN9) has rounding of three accelerations across weak constraints, of which the small
    // diagonal of the matrix leaves a share each time
    double *const e[2] = {w->e_x, w->e_w};
    const bool again = w->closure == TML_ROSENBROCK_WEAK && w->method->any_jacobian;
    for (int k = 0; k < 8 && again; ++k) {
        tml_system_tangent(it->sys, &it->next, false, 2, e);
    }
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

/* Returns the largest rotation of a body over the step, in rad. */
double tml_rosenbrock_turn(const TmlIntegrator *it)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    for (int b = 1; b < dim->nb; ++b) {
        const TmlTriple t = tml_triple(sys, b, true);
        if (t.n == 3) {
            const double *x = w->x + t.first;
            big = fmax(big, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        }
    }
    return big;
}
