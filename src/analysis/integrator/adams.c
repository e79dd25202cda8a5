/* analysis/integrator/adams.c - explicit Adams methods, variable order and step, after Shampine and
 * Gordon, on independent coordinates.
 *
 * y = (q, q', X) of all coordinates, f = (q', q'', X'): a new choice of independent coordinates has
 * its history. One step h of order k, coefficients and differences phi_i as in adams_formula.h:
 *
 *   (A1)  phi*_i = beta_i phi_i,  S_i = phi*_i + ... + phi*_k
 *   (A2)  p = y_n + h sum_{i<=k} g_i phi*_i                       predict
 *   (A3)  f_p = f(t_{n+1}, p), dependent coordinates closed       evaluate
 *   (A4)  y = p + h g_{k+1} d,  d = f_p - S_1                     correct: order k+1
 *   (A5)  f = f(t_{n+1}, y), closed                               evaluate
 *   (A6)  phi_{k+1}(n+1) = f - S_1,  phi_i(n+1) = S_i + phi_{k+1}(n+1)
 *   (A7)  e = h (g_k - g_{k+1}) |d|                               error of order k, passes at 1
 *   (A8)  e_k = h sigma_{k+1} gamma_k |d|,  e_{k-1} = h sigma_k gamma_{k-1} |d + S_k|,
 *         e_{k-2} = h sigma_{k-1} gamma_{k-2} |d + S_{k-1}|,  e_{k+1} = h gamma_{k+1} |phi_{k+2}|
 *   (A9)  lower the order when max(e_{k-1}, e_{k-2}) <= e_k, or e_{k-1} <= min(e_k, e_{k+1});
 *         raise it when e_{k+1} < e_k after k+1 equal steps; at the start at every step
 *   (A10) h_new = 2h when 2^{k+1} e_k <= aim, h when e_k <= aim, else h min(0.9, max(0.5, r)),
 *         r = (aim / e_k)^{1/(k+1)}; after an error h/2, the third time with order 1
 *   (A11) stiff when for STIFF_STEPS steps of order <= STIFF_ORDER h L >= 0.3 although the motion
 *         is slow; L = |f - f_p| / |y - p|
 *         slow: |f - f_n| / |y - y_n| <= L / 5, or a step of less than ten tolerances where the
 *         fastest motion so far is ten times slower than L
 *   (A12) |.|: the largest of the norms of positions, velocities and states
 *         dependent coordinates count with what closing makes of the independent ones, at most
 *         `follow` times as much as in the best position so far: where a mechanism is singular
 *         that has no bound, and steps would creep into the point
 *         their own formula need only lead the closure: it may be off by `lead` of the size
 *   (A13) other independent coordinates are chosen when dependent ones answer them `worn` times
 *         as strongly as at the choice: an error e of x = cos(a) is one of e / sin(a) in the
 *         angle and of e / sin^2(a) in its rate
 *   (A14) a fixed order k (convergence studies) has no history at first: k steps are made by
 *         extrapolation of the midpoint rule (Gragg; 2, 4, ... 16 parts), exact to rounding
 */
#include "analysis/integrator.h"

#include "analysis/integrator/adams_formula.h"
#include "base/fail.h"
#include "system/partition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STIFF_STEPS = 50, STIFF_ORDER = 6, COLUMNS = 8 };

static const double lead = 1e-4;  // (A12)
static const double worn = 1.5;   // (A13)
static const double follow = 4.0; // (A12)

typedef struct AdamsOptions {
    int order;
    double aim;
} AdamsOptions;

typedef struct AdamsWork {
    TmlPartition *partition;
    bool chosen;
    double answer, best; /* of dependent coordinates when they were chosen; least so far */
    bool *dependent[2];  /* nu: positions, velocities */
    int n;               /* 2 nq + nx */

    // history
    int k;                  /* order of the next step */
    int top;                /* differences that are there */
    int equal;              /* steps of the last size in a row */
    int points;             /* accepted steps since the start */
    double past[ADAMS_PHI]; /* step sizes, newest first */
    double *phi[ADAMS_PHI]; /* n each */

    // of the last try
    AdamsStep c;
    double *S[ADAMS_PHI];   /* n each */
    double *p, *d, *f;      /* n: prediction; differences (A4), (A6) */
    double *raw, *du;       /* nu */
    double *mixed;          /* n */
    double e[4];            /* e_{k-2}, e_{k-1}, e_k, e_{k+1} */
    double size, plain;     /* h |d|, and of independent coordinates only */
    int lower, next;        /* order after a failure, after success */
    double *table[COLUMNS]; /* n each, for a fixed order */
    bool complete;          /* corrected and evaluated */

    bool rising;  /* start-up phase: order and step grow at every step */
    int failures; /* in a row */
    int stiff;
    bool told;
    char message[320];
} AdamsWork;

/* --- vectors -------------------------------------------------------------------------------- */

static void load_y(const TmlSystem *sys, const TmlState *s, double *y)
{
    const size_t nq = (size_t)sys->nq;
    memcpy(y, s->q, nq * sizeof *y);
    memcpy(y + nq, s->v, nq * sizeof *y);
    memcpy(y + 2 * nq, s->X, (size_t)sys->nx * sizeof *y);
}

static void store_y(const TmlSystem *sys, const double *y, TmlState *s)
{
    const size_t nq = (size_t)sys->nq;
    memcpy(s->q, y, nq * sizeof *y);
    memcpy(s->v, y + nq, nq * sizeof *y);
    memcpy(s->X, y + 2 * nq, (size_t)sys->nx * sizeof *y);
}

static void load_f(const TmlSystem *sys, const TmlState *s, double *f)
{
    const size_t nq = (size_t)sys->nq;
    memcpy(f, s->v, nq * sizeof *f);
    memcpy(f + nq, s->a, nq * sizeof *f);
    memcpy(f + 2 * nq, s->Xd, (size_t)sys->nx * sizeof *f);
}

/* Unknowns that are solved for start from the extrapolated ones. */
static void store_f(const TmlSystem *sys, const double *f, TmlState *s)
{
    const size_t nq = (size_t)sys->nq;
    memcpy(s->a, f + nq, nq * sizeof *f);
    memcpy(s->Xd, f + 2 * nq, (size_t)sys->nx * sizeof *f);
}

/* Norm of du, positions or velocities. */
static double norm_of(const TmlIntegrator *it, const double *du, bool rates, int *at)
{
    return rates ? tml_norm_w(it->sys, &it->norm, du, at) : tml_norm_u(it->sys, &it->norm, du, at);
}

/* (A12) for one half of a change, positions or velocities; or of independent coordinates only. */
static double norm_half(const TmlIntegrator *it, const double *dq, bool rates, bool all, double h,
                        int *at)
{
    const AdamsWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const bool *dependent = w->dependent[rates];
    const double share = fmin(1.0, it->norm.rotation / lead);
    int where = -1;
    tml_system_reduce(sys, it->next.q, dq, w->du);
    for (int k = 0; k < sys->nu; ++k) {
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

/* h |dy| for a vector of the size of y. *at: the unknown where it is largest; may be NULL. */
static double norm_y(const TmlIntegrator *it, const double *dy, bool all, double h, int *at)
{
    const TmlSystem *sys = it->sys;
    int where[3] = {-1, -1, -1};
    double part[3];
    part[0] = norm_half(it, dy, false, all, h, &where[0]);
    part[1] = norm_half(it, dy + sys->nq, true, all, h, &where[1]);
    part[2] = h * tml_norm_x(sys, &it->norm, dy + 2 * sys->nq, &where[2]);
    int worst = 0;
    for (int k = 1; k < 3; ++k) {
        worst = !(part[k] <= part[worst]) ? k : worst; // lets NaN through
    }
    if (at != NULL) {
        *at = where[worst];
    }
    return part[worst];
}

/* --- one step ------------------------------------------------------------------------------- */

/* How strongly dependent coordinates answer a change of the independent ones, all of size one with
 * alternating signs. */
static double answer(const TmlIntegrator *it)
{
    const AdamsWork *w = it->work;
    const TmlSystem *sys = it->sys;
    for (int k = 0; k < sys->nu; ++k) {
        const double one = it->norm.rotation * sys->unit[k];
        w->du[k] = (k * 5 / 3) % 2 == 0 ? one : -one;
    }
    tml_partition_tangent(w->partition, w->du);
    return tml_norm_u(sys, &it->norm, w->du, NULL);
}

static TmlStatus choose_partition(TmlIntegrator *it, const TmlState *s, TmlError *err)
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
        for (int k = 0; k < it->sys->nu; ++k) {
            w->dependent[rates][k] = true;
        }
        for (int k = 0; k < n; ++k) {
            w->dependent[rates][index[k]] = false;
        }
    }
    return TML_OK;
}

/* f at q, v, X of it->next, closed first. An unusable state is an outcome, told in `out`. */
static TmlStatus evaluate(TmlIntegrator *it, TmlState *s, TmlAttempt *out, TmlError *err)
{
    AdamsWork *w = it->work;
    TmlError why = {0};
    bool closed = true;
    it->iterations++;
    out->iterations++;
    out->converged = false;
    out->cause = TML_CAUSE_NONFINITE;
    double sum = 0.0;
    for (int k = 0; k < w->n; ++k) {
        sum += fabs(k < 2 * it->sys->nq ? s->data[k] : s->X[k - 2 * it->sys->nq]);
    }
    if (!isfinite(sum)) {
        return TML_OK;
    }
    tml_system_retract(it->sys, s->q);
    tml_system_retract_velocity(it->sys, s->q, s->v);
    const TmlStatus status = tml_partition_eval(w->partition, s, &closed, &why);
    out->converged = status == TML_OK && closed;
    out->cause = out->converged              ? TML_CAUSE_NONE
                 : status == TML_E_SINGULAR  ? TML_CAUSE_SINGULAR
                 : status == TML_E_NONFINITE ? TML_CAUSE_NONFINITE
                                             : TML_CAUSE_NEWTON;
    if (status == TML_E_NOMEM) {
        return tml_fail(err, status, "%s", why.message);
    }
    return TML_OK;
}

/* (A1), (A2) */
static void predict(TmlIntegrator *it, double h)
{
    AdamsWork *w = it->work;
    const int k = w->k;
    w->c = adams_step(w->past, h, k);
    tml_state_copy(it->sys, &it->now, &it->next);
    load_y(it->sys, &it->now, w->p);
    it->next.t = it->now.t + h;
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
    store_y(it->sys, w->p, &it->next);
    store_f(it->sys, w->S[1], &it->next);
}

/* h |dy| to compare orders by: independent coordinates, and as much for the others as d has, which
 * saves solving for them. */
static double norm_like(const TmlIntegrator *it, const double *dy)
{
    const AdamsWork *w = it->work;
    return w->plain > 0.0 ? w->size / w->plain * norm_y(it, dy, false, w->c.h, NULL)
                          : norm_y(it, dy, true, w->c.h, NULL);
}

/* h |d + S_i| */
static double norm_sum(const TmlIntegrator *it, int i)
{
    const AdamsWork *w = it->work;
    for (int j = 0; j < w->n; ++j) {
        w->mixed[j] = w->d[j] + w->S[i][j];
    }
    return norm_like(it, w->mixed);
}

/* (A7), (A8), the first half of (A9). Returns e. */
static double estimate(TmlIntegrator *it, int *at)
{
    AdamsWork *w = it->work;
    const AdamsStep *c = &w->c;
    const int k = c->k;
    load_f(it->sys, &it->next, w->d);
    for (int j = 0; j < w->n; ++j) {
        w->d[j] -= w->S[1][j];
    }
    w->plain = norm_y(it, w->d, false, c->h, NULL);
    w->size = norm_y(it, w->d, true, c->h, at);
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
    for (int j = 0; j < w->n; ++j) {
        w->mixed[j] = w->p[j] + hg * w->d[j];
    }
    store_y(it->sys, w->mixed, &it->next);
    TML_TRY(evaluate(it, &it->next, out, err));
    if (out->converged) {
        load_f(it->sys, &it->next, w->f);
        for (int j = 0; j < w->n; ++j) {
            w->f[j] -= w->S[1][j];
        }
        w->complete = true;
    }
    return TML_OK;
}

/* --- order and step ------------------------------------------------------------------------- */

static bool is_equal(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* The second half of (A9); leaves the error of the chosen order in *e. */
static int choose_order(TmlIntegrator *it, double *e)
{
    AdamsWork *w = it->work;
    const AdamsOptions *o = it->opts;
    const int k = w->c.k;
    *e = w->e[2];
    w->rising = w->rising && w->lower == k && k < ADAMS_MAX;
    if (o->order > 0) {
        return k < o->order ? k + 1 : k;
    }
    if (w->lower < k) {
        *e = w->e[1];
        return k - 1;
    }
    if (w->rising) {
        return k + 1;
    }
    const int equal = w->points > 0 && is_equal(w->c.h, w->past[0]) ? w->equal + 1 : 1;
    if (k == ADAMS_MAX || equal < k + 1 || w->top < k + 1) {
        return k;
    }
    for (int j = 0; j < w->n; ++j) {
        w->mixed[j] = w->f[j] - w->phi[k + 1][j];
    }
    w->e[3] = adams_gamma[k + 1] * norm_like(it, w->mixed);
    if (k > 1 && w->e[1] <= fmin(w->e[2], w->e[3])) {
        *e = w->e[1];
        return k - 1;
    }
    if (k == 1 ? w->e[3] < 0.5 * w->e[2] : w->e[3] < w->e[2]) {
        *e = w->e[3];
        return k + 1;
    }
    return k;
}

/* (A10) after success. */
static double choose_step(const TmlIntegrator *it, double e)
{
    const AdamsWork *w = it->work;
    const double h = w->c.h, aim = ((const AdamsOptions *)it->opts)->aim;
    const int k = w->next;
    if (w->rising || ldexp(e, k + 1) <= aim) {
        return 2.0 * h;
    }
    if (e <= aim) {
        return h;
    }
    return h * fmax(0.5, fmin(0.9, pow(aim / e, 1.0 / (k + 1))));
}

/* (A10) after an error: h/2, but the best step where the order is one anyway. */
static double shorter_step(const AdamsWork *w)
{
    const bool best = w->c.k == 1 || w->failures >= 3;
    return w->c.h * (best ? fmax(0.01, fmin(0.5, sqrt(0.5 / w->e[2]))) : 0.5);
}

/* (A11). The message, once. */
static const char *stiffness(TmlIntegrator *it)
{
    AdamsWork *w = it->work;
    const double h = w->c.h, moved = w->c.g[w->c.k + 1] * w->plain;
    for (int j = 0; j < w->n; ++j) {
        w->mixed[j] = w->f[j] - w->d[j];
    }
    const double hL = norm_y(it, w->mixed, false, h, NULL) / fmax(moved, 1e-300);
    bool stiff = w->c.k <= STIFF_ORDER && hL >= 0.3 && moved * it->norm.rotation > 1e-13;
    if (stiff) {
        load_f(it->sys, &it->next, w->mixed);
        for (int j = 0; j < w->n; ++j) {
            w->mixed[j] -= w->phi[1][j];
        }
        const double df = norm_y(it, w->mixed, false, h, NULL);
        load_y(it->sys, &it->next, w->mixed);
        load_y(it->sys, &it->now, w->p);
        for (int j = 0; j < w->n; ++j) {
            w->mixed[j] -= w->p[j];
        }
        const double dy = norm_y(it, w->mixed, false, 1.0, NULL);
        stiff = df <= 0.2 * hL * dy || (dy <= 10.0 && hL >= 10.0 * h * it->norm.rate);
    }
    w->stiff = stiff ? w->stiff + 1 : w->stiff > 2 ? w->stiff - 3 : 0;
    if (w->stiff < STIFF_STEPS || w->told) {
        return NULL;
    }
    w->told = true;
    snprintf(w->message, sizeof w->message,
             "adams: at t = %.4g s steps of %.2g s are limited by stability, not by accuracy: the "
             "model is stiff (rates up to about %.2g /s). An implicit method takes longer steps: "
             "try --integrator hht",
             it->next.t, h, hL / h);
    return w->message;
}

/* --- entries -------------------------------------------------------------------------------- */

static void adams_restart(TmlIntegrator *it)
{
    AdamsWork *w = it->work;
    w->k = 1;
    w->top = 1;
    w->equal = w->points = w->failures = 0;
    w->rising = true;
    load_f(it->sys, &it->now, w->phi[1]);
}

/* (A6): the step that `correct` has completed becomes history. */
static void keep(AdamsWork *w)
{
    const int k = w->c.k;
    w->equal = w->points > 0 && is_equal(w->c.h, w->past[0]) ? w->equal + 1 : 1;
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
    w->top = k + 1;
    w->points++;
    w->failures = 0;
}

/* Predict, evaluate, estimate; correct and evaluate when the step passes or the order is fixed. */
static TmlStatus pece(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    AdamsWork *w = it->work;
    const AdamsOptions *o = it->opts;
    w->complete = false;
    predict(it, h);
    TML_TRY(evaluate(it, &it->next, out, err));
    if (!out->converged) {
        return TML_OK;
    }
    out->error = estimate(it, &out->worst);
    return out->error <= 1.0 || o->order > 0 ? correct(it, out, err) : TML_OK;
}

/* f[n] at y[n] and t. */
static TmlStatus rate_at(TmlIntegrator *it, double t, const double *y, double *f, TmlAttempt *out,
                         TmlError *err)
{
    it->next.t = t;
    store_y(it->sys, y, &it->next);
    TML_TRY(evaluate(it, &it->next, out, err));
    load_f(it->sys, &it->next, f);
    return TML_OK;
}

/* y[n] at the end of h by Gragg's midpoint rule with m parts: its error has even powers of h/m. */
static TmlStatus midpoint(TmlIntegrator *it, double h, int m, double *y, TmlAttempt *out,
                          TmlError *err)
{
    AdamsWork *w = it->work;
    const double part = h / m, t = it->now.t;
    double *before = w->d, *f = w->f;
    load_y(it->sys, &it->now, before);
    for (int j = 0; j < w->n; ++j) {
        y[j] = before[j] + part * w->phi[1][j];
    }
    for (int i = 1; i <= m; ++i) {
        TML_TRY(rate_at(it, t + i * part, y, f, out, err));
        if (!out->converged) {
            return TML_OK;
        }
        for (int j = 0; j < w->n; ++j) {
            // the last time Gragg's mean, (z_m + z_{m-1} + h/m f_m) / 2
            const double old = before[j], mean = 0.5 * (y[j] + old + part * f[j]);
            before[j] = y[j];
            y[j] = i < m ? old + 2.0 * part * f[j] : mean;
        }
    }
    return TML_OK;
}

/* A step without history for the fixed order: (A14). */
static TmlStatus lead_in(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    AdamsWork *w = it->work;
    w->complete = false;
    predict(it, h);
    for (int i = 0; i < COLUMNS; ++i) {
        TML_TRY(midpoint(it, h, 2 * (i + 1), w->table[i], out, err));
        if (!out->converged) {
            return TML_OK;
        }
        for (int c = i - 1; c >= 0; --c) {
            const double ratio = (i + 1.0) / (c + 1.0), factor = 1.0 / (ratio * ratio - 1.0);
            for (int j = 0; j < w->n; ++j) {
                // table[c] becomes the next column of the same row
                w->table[c][j] =
                    w->table[c + 1][j] + factor * (w->table[c + 1][j] - w->table[c][j]);
            }
        }
    }
    TML_TRY(rate_at(it, it->now.t + h, w->table[0], w->f, out, err));
    for (int j = 0; j < w->n; ++j) {
        w->f[j] -= w->S[1][j];
    }
    memcpy(w->d, w->f, (size_t)w->n * sizeof *w->d);
    w->size = w->plain = 0.0; // nothing was estimated
    w->complete = out->converged;
    return TML_OK;
}

static TmlStatus adams_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    AdamsWork *w = it->work;
    const AdamsOptions *o = it->opts;
    *out = (TmlAttempt){.worst = -1, .order = w->k};
    TML_TRY(choose_partition(it, &it->now, err));
    if (w->points < o->order) {
        TML_TRY(lead_in(it, h, out, err));
    } else {
        TML_TRY(pece(it, h, out, err));
    }
    if (!out->converged) {
        return TML_OK;
    }
    if (w->complete) {
        double e;
        w->next = choose_order(it, &e);
        out->proposal = choose_step(it, e);
        out->message = stiffness(it);
    } else {
        w->failures++;
        out->proposal = shorter_step(w);
    }
    return TML_OK;
}

/* Correct a step that the driver keeps although its error is too large; where the corrected state
 * does not close (at singular positions) the predicted one stays. */
static TmlStatus complete(TmlIntegrator *it, TmlError *err)
{
    AdamsWork *w = it->work;
    TmlAttempt out = {0};
    TML_TRY(correct(it, &out, err));
    if (!out.converged) {
        store_y(it->sys, w->p, &it->next);
        TML_TRY(evaluate(it, &it->next, &out, err));
        memcpy(w->f, w->d, (size_t)w->n * sizeof *w->f);
    }
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
        w->next = choose_order(it, &e);
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

/* (F6), then closed and evaluated. */
static TmlStatus adams_dense(TmlIntegrator *it, double t, TmlState *out, TmlError *err)
{
    AdamsWork *w = it->work;
    TmlAttempt a = {0};
    double G[ADAMS_PHI], R[ADAMS_PHI];
    const int64_t evaluations = it->iterations;
    const double s = t - it->now.t;
    const int n = w->c.k + 1;
    adams_interpolation(w->past, n, s, G, R);
    tml_state_copy(it->sys, &it->now, out);
    load_y(it->sys, &it->now, w->p);
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
    store_y(it->sys, w->p, out);
    store_f(it->sys, w->d, out);
    out->t = t;
    TML_TRY(evaluate(it, out, &a, err));
    it->iterations = evaluations; // the accounts are those of the steps
    if (!a.converged) {
        return tml_fail(err, TML_E_STEP, "the state between two steps does not close at t = %.9g s",
                        t);
    }
    return tml_system_min_norm_lambda(it->sys, out, err);
}

static TmlStatus adams_setup(TmlIntegrator *it, TmlError *err)
{
    TmlSystem *sys = it->sys;
    AdamsWork *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    w->n = 2 * sys->nq + sys->nx;
    for (int k = 1; k < ADAMS_PHI; ++k) {
        TML_NEW(it->arena, w->phi[k], w->n);
        TML_NEW(it->arena, w->S[k], w->n);
    }
    TML_NEW(it->arena, w->p, w->n);
    TML_NEW(it->arena, w->d, w->n);
    TML_NEW(it->arena, w->f, w->n);
    TML_NEW(it->arena, w->mixed, w->n);
    TML_NEW(it->arena, w->raw, sys->nu);
    TML_NEW(it->arena, w->du, sys->nu);
    TML_NEW(it->arena, w->dependent[0], sys->nu);
    TML_NEW(it->arena, w->dependent[1], sys->nu);
    const AdamsOptions *o = it->opts;
    for (int k = 0; k < COLUMNS && o->order > 0; ++k) {
        TML_NEW(it->arena, w->table[k], w->n);
    }
    return tml_partition_create(sys, &w->partition, err);
}

static void adams_teardown(TmlIntegrator *it)
{
    AdamsWork *w = it->work;
    if (w != NULL) {
        tml_partition_free(w->partition);
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
     "share of the tolerance that step sizes aim at; 0.5 in the codes of Shampine and Gordon",
     NULL},
    {0},
};

const TmlIntegratorType tml_integrator_adams = {
    .info = {.name = "adams",
             .text = "Adams: explicit, order 1 to 12, on independent coordinates; not for stiff "
                     "models.",
             .data_size = sizeof(AdamsOptions),
             .params = adams_params},
    .tolerance = 3e-9,
    .order = 12,
    .check = adams_check,
    .setup = adams_setup,
    .restart = adams_restart,
    .attempt = adams_attempt,
    .accept = adams_accept,
    .reject = adams_reject,
    .dense = adams_dense,
    .teardown = adams_teardown,
};
