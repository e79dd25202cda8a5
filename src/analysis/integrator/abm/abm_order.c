/* analysis/integrator/abm/abm_order.c - order and length of the next step, and a word on stiffness.
 *
 *   (A9)  lower the order when max(e_{k-1}, e_{k-2}) <= e_k, or e_{k-1} <= min(e_k, e_{k+1});
 *         raise it when e_{k+1} < e_k after k+1 equal steps; at the start at every step
 *   (A10) h_new = 2h when 2^{k+1} e_k <= aim, h when e_k <= aim, else h min(0.9, max(0.5, r)),
 *         r = (aim / e_k)^{1/(k+1)}; after an error h/2, the third time with order 1
 *   (A11) stiff when for STIFF_STEPS steps of order <= STIFF_ORDER h L >= 0.3 although the motion
 *         is slow; L = |f - f_p| / |y - p|
 *         slow: |f - f_n| / |y - y_n| <= L / 5, or a step of less than ten tolerances where the
 *         fastest motion so far is ten times slower than L
 */
#include "analysis/integrator/abm/abm.h"

#include <math.h>
#include <stdio.h>

enum { STIFF_STEPS = 50, STIFF_ORDER = 6 };

int tml_adams_equal_steps(const AdamsWork *w)
{
    const double h = w->c.h;
    return w->points > 0 && fabs(h - w->past[0]) <= 1e-12 * w->past[0] ? w->equal + 1 : 1;
}

int tml_adams_choose_order(TmlIntegrator *it, double *e)
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
    const int equal = tml_adams_equal_steps(w);
    if (k == ADAMS_MAX || equal < k + 1 || w->top < k + 1) {
        return k;
    }
    for (int j = 0; j < w->n; ++j) {
        w->mixed[j] = w->f[j] - w->phi[k + 1][j];
    }
    w->e[3] = adams_gamma[k + 1] * tml_adams_norm_like(w, w->mixed);
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

double tml_adams_choose_step(const TmlIntegrator *it, double e)
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

/* Returns h/2, but the best step where the order is one anyway. */
double tml_adams_shorter_step(const AdamsWork *w)
{
    const bool best = w->c.k == 1 || w->failures >= 3;
    return w->c.h * (best ? fmax(0.01, fmin(0.5, sqrt(0.5 / w->e[2]))) : 0.5);
}

const char *tml_adams_stiffness(TmlIntegrator *it)
{
    AdamsWork *w = it->work;
    TmlExplicit *p = &w->problem;
    const double h = w->c.h, moved = w->c.g[w->c.k + 1] * w->plain;
    for (int j = 0; j < w->n; ++j) {
        w->mixed[j] = w->f[j] - w->d[j];
    }
    const double hL = p->type->norm_part(p, w->mixed, h) / fmax(moved, 1e-300);
    bool stiff = w->c.k <= STIFF_ORDER && hL >= 0.3 && moved * it->norm.rotation > 1e-13;
    if (stiff) {
        for (int j = 0; j < w->n; ++j) {
            w->mixed[j] = w->rate[j] - w->phi[1][j];
        }
        const double df = p->type->norm_part(p, w->mixed, h);
        for (int j = 0; j < w->n; ++j) {
            w->mixed[j] = w->end[j] - w->y[j];
        }
        const double dy = p->type->norm_part(p, w->mixed, 1.0);
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
