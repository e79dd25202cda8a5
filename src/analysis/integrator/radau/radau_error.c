/* analysis/integrator/radau/radau_error.c - the local error of radau: (R6) and (R7) of analysis/integrator/radau/radau.c.
 *
 *   (R13) with waves of flexible bodies that are damped, an error of velocities counts by the way that it makes in the step:
 *         |e_w| min(1, 10 rate h) / rate                                                                          own
 *
 * Axial waves of a slender body have displacements far below the tolerance at rates far above those of the motion. Their
 * velocities would hold the steps at their periods all the same. hht controls positions only, for the same reason. The factor of ten
 * is for what steps leave behind over many periods of a vibration that they do resolve. Where shapes touch the waves count: long
 * steps would pass an onset together with the release after it.
 */
#include "analysis/integrator/radau/radau.h"

#include "analysis/integrator/chart.h"
#include "analysis/integrator/radau/radau_tables.h"

#include <math.h>
#include <string.h>

/* (R6): c_x in du, (c_w, 0, c_X, 0, 0) in y; e_x, e_w, e_X out in du, y, dx. */
static void filter(const TmlIntegrator *it)
{
    const TmlRadau *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const double g = w->h / radau_g;
    double *s = w->r[0], *x = w->r[1];
    memset(s, 0, (size_t)dim->n * sizeof *s);
    memset(x, 0, (size_t)dim->n * sizeof *x);
    memcpy(x, w->du, (size_t)dim->nu * sizeof *x);
    tml_stages_mul(sys, &w->matrix, 0, 1.0, w->y, s);
    tml_stages_mul(sys, &w->matrix, 2, -g, x, s);
    tml_stages_solve(sys, s);
    for (int k = 0; k < dim->nu; ++k) {
        w->y[k] = g * s[k];
        w->du[k] = g * (w->y[k] + w->du[k]);
    }
    for (int k = 0; k < dim->nx; ++k) {
        w->dx[k] = g * s[dim->nu + dim->m + k];
    }
}

/* Computes the bracket of (R6). */
static void defect(const TmlIntegrator *it)
{
    const TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const double *e = radau_e, *f = radau_f;
    memset(w->y, 0, (size_t)dim->n * sizeof *w->y);
    for (int k = 0; k < dim->nu; ++k) {
        const double a = w->z[0][k], b = w->z[1][k], c = w->z[2][k];
        w->du[k] = w->h * (f[0] * a + f[1] * b + f[2] * c);
        w->y[k] = w->start[k] + e[0] * a + e[1] * b + e[2] * c;
    }
    for (int k = dim->nu + dim->m; k < dim->nu + dim->m + dim->nx; ++k) {
        w->y[k] = w->start[k] + e[0] * w->z[0][k] + e[1] * w->z[1][k] + e[2] * w->z[2][k];
    }
}

/* Filters once more: a start may have fast transients that the step has damped. */
static void filter_again(const TmlIntegrator *it)
{
    const TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const double g = w->h / radau_g;
    memset(w->y + dim->nu, 0, (size_t)(dim->n - dim->nu) * sizeof *w->y);
    for (int k = 0; k < dim->nu; ++k) {
        w->du[k] /= g;
        w->y[k] /= g;
    }
    for (int k = 0; k < dim->nx; ++k) {
        w->y[dim->nu + dim->m + k] = w->dx[k] / g;
    }
    filter(it);
}

/* Returns the largest rotation of a body over the step, in rad. */
double tml_radau_rotation(const TmlIntegrator *it)
{
    const TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    for (int b = 1; b < dim->nb; ++b) {
        double sum = 0.0;
        const TmlTriple t = tml_triple(sys, b, true);
        for (int k = t.first; k < t.first + t.n; ++k) {
            sum += w->x[TML_RADAU_STAGES - 1][k] * w->x[TML_RADAU_STAGES - 1][k];
        }
        big = fmax(big, sum);
    }
    return sqrt(big);
}

/* Two bodies that turn against each other by this much keep their count of turns. */
static const double largest_rotation = 1.5;

double tml_radau_turned(double rotation)
{
    const double turn = rotation / largest_rotation;
    return turn * turn * turn * turn;
}

/* Returns the norm of (R6) along the constraints, (R9). */
static double tangent_error(TmlIntegrator *it, int *at)
{
    TmlRadau *w = it->work;
    const int last = TML_RADAU_STAGES - 1;
    double *x = w->r[0], *x1 = w->r[1];
    for (int k = 0; k < tml_dims(it->sys)->nu; ++k) {
        x[k] = w->x[last][k] - w->du[k];
        x1[k] = w->w[last][k] - w->y[k];
    }
    tml_chart_state(it->sys, w->q_n, x, x1, &w->s);
    return tml_radau_tangent(it, &w->s, at);
}

/* From this tolerance up fast waves of flexible bodies are damped rather than resolved, unless the option says otherwise. */
static const double loose_tolerance = 1e-8;

/* Ten times the way in a step: a cantilever of a metre under a sine, 20 periods, then ends within 3 tolerances of the truth instead
 * of 10; 100 takes 3 times as many steps for as much again (docs/theory/radau.md). */
static const double way_margin = 10.0;

/* Returns the share with which errors of velocities count, (R13). */
static double velocity_share(const TmlIntegrator *it)
{
    const TmlRadau *w = it->work;
    const TmlRadauOptions *o = it->opts;
    const bool damps = o->waves == TML_RADAU_WAVES_AUTO
                           ? tml_system_has_meshes(it->sys) && !tml_system_touches(it->sys) &&
                                 it->norm.rotation >= loose_tolerance
                           : o->waves == TML_RADAU_WAVES_DAMPED;
    return damps ? fmin(1.0, way_margin * it->norm.rate * w->h) : 1.0;
}

/* Returns the norm of what `filter` has left. */
static double size(const TmlIntegrator *it, int *at)
{
    const TmlRadau *w = it->work;
    const double share = velocity_share(it);
    double *y = w->r[0];
    for (int k = 0; k < tml_dims(it->sys)->nu; ++k) {
        y[k] = share * w->y[k];
    }
    return tml_radau_norm(it, w->du, y, w->dx, at);
}

/* (R6), (R7) */
double tml_radau_error(TmlIntegrator *it, int *at)
{
    const TmlRadau *w = it->work;
    const TmlRadauOptions *o = it->opts;
    const double scale = o->error == 0 ? 10.0 * cbrt(it->norm.rotation) : 1.0;
    defect(it);
    filter(it);
    double e = scale * size(it, at);
    if (e >= 1.0 && w->rejected) {
        filter_again(it);
        e = scale * size(it, at);
    }
    if (e >= 1.0 && w->weak) {
        e = scale * tangent_error(it, at);
    }
    return fmax(e, tml_radau_turned(tml_radau_rotation(it)));
}
