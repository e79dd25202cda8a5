/* analysis/integrator/abm/abm.c - explicit Adams methods, variable order and step, after Shampine and
 * Gordon, on independent coordinates.
 *
 * y and f are those of explicit_problem.h; of all coordinates of the bodies, so that a new choice of independent ones
 * has its history. One step h of order k, coefficients and differences phi_i as in abm_formula.h:
 *
 *   (A1)  phi*_i = beta_i phi_i,  S_i = phi*_i + ... + phi*_k
 *   (A2)  p = y_n + h sum_{i<=k} g_i phi*_i                       predict
 *   (A3)  f_p = f(t_{n+1}, p), put onto the constraints (A15)     evaluate
 *   (A4)  y = p + h g_{k+1} d,  d = f_p - S_1                     correct: order k+1
 *   (A5)  f = f(t_{n+1}, y), put onto the constraints (A15)       evaluate
 *   (A6)  phi_{k+1}(n+1) = f - S_1,  phi_i(n+1) = S_i + phi_{k+1}(n+1)
 *   (A7)  e = h (g_k - g_{k+1}) |d|                               error of order k, passes at 1
 *   (A8)  e_k = h sigma_{k+1} gamma_k |d|,  e_{k-1} = h sigma_k gamma_{k-1} |d + S_k|,
 *         e_{k-2} = h sigma_{k-1} gamma_{k-2} |d + S_{k-1}|,  e_{k+1} = h gamma_{k+1} |phi_{k+2}|
 *
 * The first half of (A9), and the rest: order and step in abm_order.c; the start of a fixed order in abm_start.c; norms,
 * coordinates and (A15) in explicit_absolute.c.
 */
#include "analysis/integrator/abm/abm.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

/* --- one step ------------------------------------------------------------------------------- */

void tml_adams_predict(TmlIntegrator *it, double h)
{
    AdamsWork *w = it->work;
    const int k = w->k;
    w->c = adams_step(w->past, h, k);
    memcpy(w->p, w->y, (size_t)w->n * sizeof(double));
    w->t = it->now.t + h;
    memset(w->S[k + 1], 0, (size_t)w->n * sizeof(double));
    memset(w->mixed, 0, (size_t)w->n * sizeof(double));
    for (int i = k; i >= 1; --i) {
        const double *phi = w->phi[i], *S1 = w->S[i + 1], beta = w->c.beta[i], g = w->c.g[i];
        double *S = w->S[i];
        for (int j = 0; j < w->n; ++j) {
            const double star = beta * phi[j];
            S[j] = S1[j] + star;
            w->mixed[j] += g * star;
        }
    }
    for (int j = 0; j < w->n; ++j) {
        w->p[j] += h * w->mixed[j];
    }
    memcpy(w->end, w->p, (size_t)w->n * sizeof(double));
    memcpy(w->rate, w->S[1], (size_t)w->n * sizeof(double));
}

double tml_adams_norm_like(AdamsWork *w, const double *dy)
{
    TmlExplicit *p = &w->problem;
    if (p->weak || !(w->plain > 0.0)) {
        return p->type->norm(p, dy, w->c.h, NULL);
    }
    return w->size / w->plain * p->type->norm_part(p, dy, w->c.h);
}

/* h |d + S_i| */
static double norm_sum(TmlIntegrator *it, int i)
{
    AdamsWork *w = it->work;
    for (int j = 0; j < w->n; ++j) {
        w->mixed[j] = w->d[j] + w->S[i][j];
    }
    return tml_adams_norm_like(w, w->mixed);
}

/* (A7), (A8), the first half of (A9). Returns e. */
static double estimate(TmlIntegrator *it, int *at)
{
    AdamsWork *w = it->work;
    const AdamsStep *c = &w->c;
    const int k = c->k;
    TmlExplicit *p = &w->problem;
    for (int j = 0; j < w->n; ++j) {
        w->d[j] = w->rate[j] - w->S[1][j];
    }
    w->plain = p->type->norm_part(p, w->d, c->h);
    w->size = p->type->norm(p, w->d, c->h, at);
    w->e[2] = c->sigma[k + 1] * adams_gamma[k] * w->size;
    w->e[1] = k >= 2 ? c->sigma[k] * adams_gamma[k - 1] * norm_sum(it, k) : HUGE_VAL;
    w->e[0] = k >= 3 ? c->sigma[k - 1] * adams_gamma[k - 2] * norm_sum(it, k - 1) : 0.0;
    const bool fall =
        k == 2 ? w->e[1] <= 0.5 * w->e[2] : k > 2 && fmax(w->e[0], w->e[1]) <= w->e[2];
    w->lower = fall ? k - 1 : k;
    return fabs(c->g[k] - c->g[k + 1]) * w->size;
}

/* (A4), (A5), (A6): w->f = phi_{k+1}(n+1). */
static TmlStatus correct(TmlIntegrator *it, TmlAttempt *out, TmlError *err)
{
    AdamsWork *w = it->work;
    const double hg = w->c.h * w->c.g[w->c.k + 1];
    const AdamsOptions *o = it->opts;
    // a fixed order is for slopes: what changes from step to step would show in them
    const double *e = o->order > 0 ? NULL : w->d;
    TmlExplicit *p = &w->problem;
    for (int j = 0; j < w->n; ++j) {
        w->end[j] = w->p[j] + hg * w->d[j];
    }
    TML_TRY(p->type->finish(p, w->t, w->end, w->rate, e, out, err));
    if (out->converged) {
        for (int j = 0; j < w->n; ++j) {
            w->f[j] = w->rate[j] - w->S[1][j];
        }
        w->complete = true;
    }
    return TML_OK;
}

/* --- entries -------------------------------------------------------------------------------- */

static void adams_restart(TmlIntegrator *it)
{
    AdamsWork *w = it->work;
    w->k = 1;
    w->top = 1;
    w->equal = w->points = w->failures = 0;
    w->rising = true;
    w->problem.type->begin(&w->problem, w->y, w->phi[1]);
}

/* Makes the step that `correct` has completed history, by (A6). */
static void keep(AdamsWork *w)
{
    const int k = w->c.k;
    w->equal = tml_adams_equal_steps(w);
    const bool known = w->top >= k + 1;
    for (int j = 0; j < w->n; ++j) {
        w->phi[k + 2][j] = known ? w->f[j] - w->phi[k + 1][j] : 0.0;
        w->phi[k + 1][j] = w->f[j];
    }
    for (int i = 1; i <= k; ++i) {
        for (int j = 0; j < w->n; ++j) {
            w->phi[i][j] = w->S[i][j] + w->f[j];
        }
    }
    memmove(w->past + 1, w->past, (ADAMS_PHI - 1) * sizeof *w->past);
    w->past[0] = w->c.h;
    memcpy(w->y, w->end, (size_t)w->n * sizeof(double));
    w->top = k + 1;
    w->points++;
    w->failures = 0;
}

/* Predicts, evaluates and estimates; corrects and evaluates once more when the step passes or the
 * order is fixed. */
static TmlStatus pece(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    AdamsWork *w = it->work;
    TmlExplicit *p = &w->problem;
    const AdamsOptions *o = it->opts;
    w->complete = false;
    tml_adams_predict(it, h);
    TML_TRY(p->type->rates(p, w->t, w->end, w->rate, out, err));
    if (!out->converged) {
        return TML_OK;
    }
    out->error = estimate(it, &out->worst);
    return out->error <= 1.0 || o->order > 0 ? correct(it, out, err) : TML_OK;
}

/* Makes the state that the driver sees. */
static void hand_over(TmlIntegrator *it)
{
    AdamsWork *w = it->work;
    w->problem.type->state(&w->problem, w->t, w->end, w->rate, true, &it->next);
}

static TmlStatus adams_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    AdamsWork *w = it->work;
    const AdamsOptions *o = it->opts;
    *out = (TmlAttempt){.worst = -1, .order = w->k};
    TML_TRY(w->problem.type->prepare(&w->problem, w->y, err));
    if (w->points < o->order) {
        TML_TRY(tml_adams_lead_in(it, h, out, err));
    } else {
        TML_TRY(pece(it, h, out, err));
    }
    hand_over(it);
    if (!out->converged) {
        return TML_OK;
    }
    if (w->complete) {
        double e;
        w->next = tml_adams_choose_order(it, &e);
        out->proposal = tml_adams_choose_step(it, e);
        out->message = tml_adams_stiffness(it);
    } else {
        w->failures++;
        out->proposal = tml_adams_shorter_step(w);
    }
    return TML_OK;
}

/* Corrects a step that the driver keeps although its error is too large. Where the corrected state
 * does not close (at singular positions) the predicted one stays. */
static TmlStatus complete(TmlIntegrator *it, TmlError *err)
{
    AdamsWork *w = it->work;
    TmlExplicit *p = &w->problem;
    TmlAttempt out = {0};
    TML_TRY(correct(it, &out, err));
    if (!out.converged) {
        memcpy(w->end, w->p, (size_t)w->n * sizeof *w->end);
        TML_TRY(p->type->rates(p, w->t, w->end, w->rate, &out, err));
        memcpy(w->f, w->d, (size_t)w->n * sizeof *w->f);
    }
    hand_over(it);
    return out.converged
               ? TML_OK
               : tml_fail(err, TML_E_STEP, "the step to t = %.9g s does not close", it->next.t);
}

static TmlStatus adams_accept(TmlIntegrator *it, double h, TmlError *err)
{
    AdamsWork *w = it->work;
    (void)h;            // of the last piece: w->c.h
    if (!w->complete) { // kept although its error is too large
        double e;
        TML_TRY(complete(it, err));
        w->next = tml_adams_choose_order(it, &e);
    }
    keep(w);
    w->k = w->next;
    return TML_OK;
}

static void adams_reject(TmlIntegrator *it)
{
    AdamsWork *w = it->work;
    const AdamsOptions *o = it->opts;
    w->rising = w->rising && w->points == 0;
    if (o->order == 0) {
        w->k = w->failures >= 3 ? 1 : w->failures > 0 ? w->lower : w->k;
    }
}

/* Sets w->p and w->d to y and y' at t by (F6). */
static void interpolate(TmlIntegrator *it, const TmlState *end, double t)
{
    AdamsWork *w = it->work;
    double G[ADAMS_PHI], R[ADAMS_PHI];
    const double s = t - end->t;
    const int n = w->c.k + 1;
    adams_interpolation(w->past, n, s, G, R);
    memcpy(w->p, w->y, (size_t)w->n * sizeof *w->p);
    memset(w->mixed, 0, (size_t)w->n * sizeof(double));
    memset(w->d, 0, (size_t)w->n * sizeof(double));
    for (int i = n; i >= 1; --i) {
        for (int j = 0; j < w->n; ++j) {
            w->mixed[j] += G[i] * w->phi[i][j];
            w->d[j] += R[i] * w->phi[i][j];
        }
    }
    for (int j = 0; j < w->n; ++j) {
        w->p[j] += s * w->mixed[j];
    }
}

static void adams_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    AdamsWork *w = it->work;
    interpolate(it, end, t);
    tml_state_copy(it->sys, end, out);
    w->problem.type->state(&w->problem, t, w->p, w->d, false, out);
}

static bool adams_row(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    AdamsWork *w = it->work;
    if (w->problem.type->row == NULL || w->points == 0) {
        return false;
    }
    interpolate(it, end, t);
    tml_state_copy(it->sys, end, out);
    return w->problem.type->row(&w->problem, t, w->p, w->d, out);
}

static TmlStatus adams_setup(TmlIntegrator *it, TmlError *err)
{
    AdamsWork *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    const AdamsOptions *o = it->opts;
    TML_TRY(tml_explicit_setup_by(&w->problem, (TmlCoordinatesChoice)o->coordinates,
                                  &tml_explicit_absolute, it, err));
    w->n = w->problem.n;
    for (int k = 1; k < ADAMS_PHI; ++k) {
        TML_NEW(it->arena, w->phi[k], w->n);
        TML_NEW(it->arena, w->S[k], w->n);
    }
    double **const each[] = {&w->y, &w->p, &w->d, &w->f, &w->end, &w->rate, &w->mixed};
    for (size_t k = 0; k < sizeof each / sizeof *each; ++k) {
        TML_NEW(it->arena, *each[k], w->n);
    }
    for (int k = 0; k < ADAMS_COLUMNS && o->order > 0; ++k) {
        TML_NEW(it->arena, w->table[k], w->n);
    }
    return TML_OK;
}

static void adams_teardown(TmlIntegrator *it)
{
    AdamsWork *w = it->work;
    if (w != NULL) {
        tml_explicit_teardown(&w->problem);
    }
}

static TmlStatus adams_check(const void *opts, TmlError *err)
{
    const AdamsOptions *o = opts;
    if (o->order < 0 || o->order > ADAMS_MAX) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "option 'order' is %d; it must be from 1 to %d, or 0 for a variable order",
                        o->order, ADAMS_MAX);
    }
    if (!(o->aim <= 1.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'aim' is %g; it must be at most 1", o->aim);
    }
    return TML_OK;
}

static const TmlParam adams_params[] = {
    {"order", TML_PARAM_INT, TML_NONNEGATIVE, "", offsetof(AdamsOptions, order), "0",
     "order of the predictor, 1 to 12, for convergence studies; 0: variable", NULL},
    {"aim", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(AdamsOptions, aim), "0.05",
     "target error of a step as a share of the tolerance; 0.5 in the codes of Shampine and Gordon",
     NULL},
    TML_COORDINATES_PARAM(AdamsOptions),
    {0},
};

TML_INTEGRATOR_TYPE(adams) = {
    .info = {.name = "adams",
             .text = "Adams: explicit, order 1 to 12, not for stiff "
                     "models.",
             .data_size = sizeof(AdamsOptions),
             .params = adams_params},
    .tolerance = 3e-9,
    .matrices = 2.8,
    .order = 12,
    .remembers = true,
    .check = adams_check,
    .setup = adams_setup,
    .restart = adams_restart,
    .attempt = adams_attempt,
    .accept = adams_accept,
    .reject = adams_reject,
    .dense = adams_dense,
    .row = adams_row,
    .teardown = adams_teardown,
};
