/* analysis/integrator/step_history.c - see step_history.h. */
#include "analysis/integrator/step_history.h"

#include "base/fail.h"
#include "math/lagrange.h"

#include <math.h>

TmlStatus tml_history_setup(TmlHistory *h, TmlArena *arena, int length, int from, int n, int top,
                            TmlError *err)
{
    for (int k = 0; k < TML_HISTORY; ++k) {
        TML_NEW(arena, h->past[k], length + 1);
    }
    h->from = from;
    h->n = n;
    h->top = top;
    return TML_OK;
}

void tml_history_restart(TmlHistory *h, double t)
{
    h->points = 1;
    h->time[0] = t;
    h->degree_limit = 0;
    for (int d = 0; d < TML_HISTORY; ++d) {
        h->judged[d] = d == 0 ? 1.0 : HUGE_VAL;
    }
}

int tml_history_predict(const TmlHistory *h, double t, double weight[TML_HISTORY])
{
    int top = h->points - 1 < h->top ? h->points - 1 : h->top, best = 0;
    top = top < h->degree_limit ? top : h->degree_limit;
    for (int d = 1; d <= top; ++d) {
        best = h->judged[d] < h->judged[best] ? d : best;
    }
    lagrange_weights(h->time, best, t, weight);
    return best;
}

/* Judges what each degree would have given for x at t. */
static void judge(TmlHistory *h, double t, const double *x)
{
    double weight[TML_HISTORY];
    for (int d = 0; d < TML_HISTORY; ++d) {
        if (d >= h->points) {
            h->judged[d] = HUGE_VAL;
            continue;
        }
        lagrange_weights(h->time, d, t, weight);
        double sum = 0.0;
        for (int k = 0; k < h->n; ++k) {
            double e = x[k];
            for (int i = 0; i <= d; ++i) {
                e -= weight[i] * h->past[i][h->from + k];
            }
            sum += e * e;
        }
        const double old = isfinite(h->judged[d]) ? h->judged[d] : sum;
        h->judged[d] = 0.5 * (old + sum);
    }
}

double *tml_history_accept(TmlHistory *h, double t, const double *x)
{
    judge(h, t, x);
    double *oldest = h->past[TML_HISTORY - 1];
    for (int k = TML_HISTORY - 1; k > 0; --k) {
        h->past[k] = h->past[k - 1];
        h->time[k] = h->time[k - 1];
    }
    h->past[0] = oldest;
    h->time[0] = t;
    h->points = h->points < TML_HISTORY ? h->points + 1 : TML_HISTORY;
    h->degree_limit = h->degree_limit < TML_HISTORY - 1 ? h->degree_limit + 1 : TML_HISTORY - 1;
    return oldest;
}

void tml_history_reject(TmlHistory *h)
{
    h->degree_limit = h->degree_limit > 0 ? h->degree_limit - 1 : 0;
}
