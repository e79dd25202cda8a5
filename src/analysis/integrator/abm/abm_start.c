/* analysis/integrator/abm/abm_start.c - steps without history.
 *
 *   (A14) a fixed order k (convergence studies) has no history at first: k steps are made by
 *         extrapolation of the midpoint rule (Gragg; 2, 4, ... 16 parts), exact to rounding
 */
#include "analysis/integrator/abm/abm.h"

#include "base/fail.h"

#include <string.h>

/* Computes y[n] at the end of h by Gragg's midpoint rule with m parts, whose error has even powers
 * of h/m. */
static TmlStatus midpoint(TmlIntegrator *it, double h, int m, double *y, TmlAttempt *out,
                          TmlError *err)
{
    AdamsWork *w = it->work;
    const double part = h / m, t = it->now.t;
    double *before = w->d, *f = w->f;
    TmlExplicit *p = &w->problem;
    memcpy(before, w->y, (size_t)w->n * sizeof *before);
    for (int j = 0; j < w->n; ++j) {
        y[j] = before[j] + part * w->phi[1][j];
    }
    for (int i = 1; i <= m; ++i) {
        memcpy(w->end, y, (size_t)w->n * sizeof *y); // what closing changes is not in the formula
        TML_TRY(p->type->rates(p, t + i * part, w->end, f, out, err));
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

TmlStatus tml_adams_lead_in(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    AdamsWork *w = it->work;
    w->complete = false;
    tml_adams_predict(it, h);
    for (int i = 0; i < ADAMS_COLUMNS; ++i) {
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
    TmlExplicit *p = &w->problem;
    memcpy(w->end, w->table[0], (size_t)w->n * sizeof *w->end);
    TML_TRY(p->type->rates(p, w->t, w->end, w->rate, out, err));
    for (int j = 0; j < w->n; ++j) {
        w->f[j] = w->rate[j] - w->S[1][j];
    }
    memcpy(w->d, w->f, (size_t)w->n * sizeof *w->d);
    w->size = w->plain = 0.0; // no error was estimated
    w->complete = out->converged;
    return TML_OK;
}
