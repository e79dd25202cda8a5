/* analysis/integrator/radau/radau_newton.c - the simplified Newton iteration of radau: (R2) to (R5) of
 * analysis/integrator/radau/radau.c.
 */
#include "analysis/integrator/radau/radau.h"

#include "analysis/integrator/chart.h"
#include "analysis/integrator/convergence.h"
#include "analysis/integrator/radau/radau_tables.h"

#include <math.h>
#include <string.h>

/* Evaluates (R2) of all stages. It returns false when something is not finite. note: slips of contacts are noted. */
static bool residuals(TmlIntegrator *it, bool note, TmlAttempt *out)
{
    const TmlDims *dim = tml_dims(it->sys);
    TmlRadau *w = it->work;
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        tml_radau_stage_state(it, i, &w->s);
        tml_system_watch_stage(it->sys, i);
        if (note) {
            tml_system_note_slips(it->sys);
        }
        tml_system_residual_settled(it->sys, &w->s, TML_LEVEL_ACCELERATION, w->r[i]);
        memcpy(w->z[i] + dim->nu + dim->m + dim->nx, w->s.V, // F follows V
               (size_t)(dim->nv + dim->nf) * sizeof *w->s.V);
        for (int k = dim->n - 1; k >= 0; --k) { // expressions come last and name it best
            if (!isfinite(w->r[i][k])) {
                out->cause = TML_CAUSE_NONFINITE;
                out->worst = k;
                return false;
            }
        }
    }
    return true;
}

/* Solves (R4): residuals go in, corrections come out. */
static void solve(TmlIntegrator *it)
{
    TmlRadau *w = it->work;
    double *const *r = w->r, *z = w->complex;
    const double(*T)[3] = radau_T_inverse;
    const int n = tml_dims(it->sys)->n;
    for (int k = 0; k < n; ++k) {
        const double a = r[0][k], b = r[1][k], c = r[2][k];
        r[0][k] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
        z[2 * (ptrdiff_t)k] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
        z[2 * (ptrdiff_t)k + 1] = T[2][0] * a + T[2][1] * b + T[2][2] * c;
    }
    tml_stages_solve(it->sys, r[0]);
    tml_stages_solve_complex(it->sys, &w->matrix, z);
    T = radau_T;
    for (int k = 0; k < n; ++k) {
        const double a = r[0][k], b = z[2 * (ptrdiff_t)k], c = z[2 * (ptrdiff_t)k + 1];
        r[0][k] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
        r[1][k] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
        r[2][k] = T[2][0] * a + T[2][1] * b + T[2][2] * c;
    }
}

/* Returns the largest change of positions, velocities and states in units of their allowed
 * errors. */
double tml_radau_norm(const TmlIntegrator *it, const double *x, const double *w, const double *X,
                      int *at)
{
    int at_w = -1, at_x = -1;
    double size = tml_norm_u(it->sys, &it->norm, x, at);
    const double rates = tml_norm_w(it->sys, &it->norm, w, &at_w);
    const double states = tml_norm_x(it->sys, &it->norm, X, &at_x);
    if (!(rates <= size)) {
        size = rates;
        *at = at_w;
    }
    if (!(states <= size)) {
        size = states;
        *at = at_x;
    }
    return size;
}

/* Returns what the corrections change, the largest over the stages. */
static double correction_size(const TmlIntegrator *it, int *at)
{
    const TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        tml_radau_integrate(i, dim->nu, w->h, NULL, w->r, 0, w->dw[i]);
    }
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        int where = -1;
        tml_radau_integrate(i, dim->nu, w->h, NULL, w->dw, 0, w->du);
        tml_radau_integrate(i, dim->nx, w->h, NULL, w->r, dim->nu + dim->m, w->dx);
        for (int k = 0; k < dim->nx; ++k) { // its allowed error may be below its rounding
            const double dx = w->dx[k];
            w->dx[k] = tml_norm_state_rounded(&it->norm, k, w->X[i][k], dx) ? 0.0 : dx;
        }
        const double size = tml_radau_norm(it, w->du, w->dw[i], w->dx, &where);
        if (!(size <= big)) {
            big = size;
            *at = where;
        }
    }
    return big;
}

static void correct(const TmlIntegrator *it)
{
    const TmlRadau *w = it->work;
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        for (int k = 0; k < tml_dims(it->sys)->n; ++k) {
            w->z[i][k] -= w->r[i][k];
        }
    }
    tml_radau_stage_values(it);
}

/* (R9): from the state *from to it->next; w->dx as it stands. Destroys *from. */
double tml_radau_tangent(TmlIntegrator *it, TmlState *from, int *at)
{
    const TmlRadau *w = it->work;
    return tml_chart_tangent(it->sys, from, &it->next, true, w->du, w->dw[0])
               ? tml_radau_norm(it, w->du, w->dw[0], w->dx, at)
               : (double)NAN;
}

/* Corrections that no longer shrink but are this small a part of the tolerance are rounding. */
static const double noise = 0.3;

/* Makes one correction of all stages and returns its size, which is not finite when it cannot be
 * made. *turned: friction was replaced in the last one, or is in this one, (R11). */
static double correction(TmlIntegrator *it, bool *turned, TmlAttempt *out)
{
    const bool renew = *turned;
    if (!residuals(it, true, out)) {
        return (double)NAN;
    }
    *turned = tml_system_share_turns(it->sys);
    if (*turned && !residuals(it, false, out)) {
        return (double)NAN;
    }
    if ((renew || *turned) && !tml_radau_factor(it, true, out)) {
        return (double)NAN;
    }
    solve(it);
    const double size = correction_size(it, &out->worst);
    if (isfinite(size)) {
        correct(it);
        out->iterations++;
        it->iterations++;
    }
    return size;
}

typedef struct Newton {
    TmlIntegrator *it;
    TmlAttempt *out;
} Newton;

/* Iterates from the prediction and returns true when converged. Where the whole corrections would
 * not get there, those along the constraints decide, (R9), as long as the square of the rest is
 * small. */
static bool newton(void *arg)
{
    const Newton *n = arg;
    TmlIntegrator *it = n->it;
    TmlAttempt *out = n->out;
    TmlRadau *w = it->work;
    const TmlRadauOptions *o = it->opts;
    // delays that move are unknowns whose errors the sizes do not show before the next correction
    const int after = tml_system_is_flexible(it->sys) || tml_system_is_delayed(it->sys) ? 3 : 2;
    const double floor = tml_norm_rounding_floor(it->sys, &it->norm, it->now.q);
    TmlConvergence whole = {.share = 1.0, .target = o->newton, .floor = floor, .noise = noise};
    TmlConvergence along = whole;
    whole.rate = w->rate;
    whole.stall_after = whole.slow_after = after;
    along.rate = 0.5;
    TmlConvergenceVerdict verdict = TML_GO_ON;
    out->cause = TML_CAUSE_NEWTON;
    w->weak = w->measured = false;
    bool turned = false;
    for (int more = o->max_iterations - 1; more >= 0 && verdict == TML_GO_ON; --more) {
        const bool again = turned;
        const double size = correction(it, &turned, out);
        if (!isfinite(size)) {
            return false;
        }
        if (turned || again) {
            tml_convergence_again(&whole, w->rate);
        }
        if (turned) {
            continue;
        }
        if (!w->weak) {
            verdict = tml_convergence_judge(&whole, size, more);
            if (verdict == TML_CONVERGED && tml_system_slips_hidden(it->sys)) { // (R12)
                turned = true;
                verdict = TML_GO_ON;
                continue;
            }
            w->rate = whole.rate;
            w->measured = whole.n > 1;
            w->weak = (verdict == TML_STALLED || verdict == TML_SLOW) && w->present &&
                      tml_dims(it->sys)->m > 0 && !tml_system_is_flexible(it->sys);
        }
        if (w->weak) {
            if (size * size * it->norm.rotation > o->newton) {
                return false;
            }
            tml_radau_stage_state(it, TML_RADAU_STAGES - 1, &it->next);
            const double part = tml_radau_tangent(it, &w->s, &out->worst);
            if (!isfinite(part)) {
                return false;
            }
            verdict = tml_convergence_judge(&along, part, more);
        }
    }
    out->converged = verdict == TML_CONVERGED;
    out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NEWTON;
    return out->converged;
}

bool tml_radau_iterate(TmlIntegrator *it, TmlAttempt *out)
{
    Newton n = {it, out};
    return tml_system_iterate(it->sys, newton, &n);
}

/* Makes the matrix at the middle stage when it is asked for, and its factors for the step
 * size. */
bool tml_radau_factor(TmlIntegrator *it, bool renew, TmlAttempt *out)
{
    TmlRadau *w = it->work;
    TmlSystem *sys = it->sys;
    if (renew) {
        tml_radau_stage_state(it, TML_RADAU_STAGES - 2, &w->s);
        tml_system_watch_stage(sys, TML_RADAU_STAGES - 2);
        tml_system_residual(sys, &w->s, TML_LEVEL_ACCELERATION, w->y);
        tml_stages_assemble(sys, &w->matrix, &w->s);
        w->assembled = w->present = true;
        w->h_matrix = w->h;
        w->h_factor = 0.0;
    }
    if (w->h_factor == w->h) {
        return true;
    }
    const double square = radau_a * radau_a + radau_b * radau_b;
    int column = tml_stages_factor(sys, &w->matrix, w->h / radau_g);
    if (column < 0) {
        column = tml_stages_factor_complex(sys, &w->matrix, w->h * radau_a / square,
                                           -w->h * radau_b / square);
    }
    w->h_factor = column < 0 ? w->h : 0.0;
    if (column >= 0) {
        out->cause = TML_CAUSE_SINGULAR;
        out->worst = column;
    }
    return column < 0;
}
