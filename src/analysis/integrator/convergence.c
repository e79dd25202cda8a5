/* analysis/integrator/convergence.c - see convergence.h. */
#include "analysis/integrator/convergence.h"

#include <math.h>
#include <stdbool.h>

static const double stall_ratio = 0.9;    // corrections that shrink by less count as not shrinking
static const double divergence = 2.0;     // no later correction makes such growth good
static const double least_rate = 1e-3;    // a better rate is luck
static const double careful_rate = 0.3;   // of an iteration whose rate is not measured yet
static const double largest_rate = 0.999; // keeps 1 - xi away from zero

double tml_convergence_trusted(double rate)
{
    return fmin(fmax(rate, least_rate), careful_rate);
}

/* (C1) */
static void measure_rate(TmlConvergence *c, double size)
{
    if (c->n == 0) {
        return;
    }
    const double ratio = size / c->last;
    c->rate = c->n == 1 ? ratio : sqrt(ratio * c->rate);
    if (size > c->floor) {
        c->worst = fmax(c->worst, ratio);
    }
}

/* Returns (C2) without the share. */
static double left_of(const TmlConvergence *c, double size, double xi)
{
    switch (c->measure) {
    case TML_NOT_MADE:
        return size / (1.0 - xi);
    case TML_ERROR_ITSELF:
        return size;
    case TML_MADE:
    default:
        return size * xi / (1.0 - xi);
    }
}

TmlConvergenceVerdict tml_convergence_judge(TmlConvergence *c, double size, int more)
{
    const double last = c->last;
    measure_rate(c, size);
    const double xi = fmin(fmax(c->rate, c->n > 0 ? least_rate : careful_rate), largest_rate);
    const double left = c->share * left_of(c, size, xi);
    const bool stalled = c->n > 0 && size > stall_ratio * last;
    const bool noisy = c->share * size <= c->noise;
    c->n++;
    c->last = size;
    if (left <= c->target || size <= c->floor || (stalled && noisy)) {
        return TML_CONVERGED;
    }
    if (c->n > 1 && (c->n >= c->stall_after ? stalled : c->rate > divergence)) {
        return TML_STALLED;
    }
    if (c->n > 1 && c->slowest > 0.0 && size > c->slowest * last) {
        return TML_SLOW;
    }
    return c->n > 1 && c->n >= c->slow_after && !noisy && left * pow(xi, more) > c->target
               ? TML_SLOW
               : TML_GO_ON;
}

void tml_convergence_again(TmlConvergence *c, double rate)
{
    c->n = 0;
    c->last = 0.0;
    c->rate = rate;
}
