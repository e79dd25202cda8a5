/* analysis/integrator/step_factors.c - see step_factors.h. */
#include "analysis/integrator/step_factors.h"

#include <math.h>

/* An iteration that converges at this rate or faster seldom takes a correction too many. */
static const double quick_rate = 0.05;

/* Above this rate new factors and two corrections cost less than the corrections that are left. */
static const double slow_rate = 0.2;

/* New factors pay after so many steps that took an extra correction each. */
static const int extra_corrections = 3;

/* Slow steps between two trials, at first; the number doubles after each trial that was in vain. */
static const int patience = 10;

TmlStatus tml_step_factors_setup(TmlStepFactors *f, TmlSystem *sys, TmlArena *arena, TmlError *err)
{
    *f = (TmlStepFactors){.patience = patience, .since = patience};
    return tml_turn_create(sys, arena, &f->turn, err);
}

void tml_step_factors_renewed(TmlStepFactors *f, const TmlSystem *sys, double cq)
{
    f->cq = cq;
    f->extra = 0;
    if (f->turn != NULL) {
        tml_turn_mark(f->turn, sys);
    }
}

static double by_step(const TmlStepFactors *f, double cq)
{
    return fabs(cq / f->cq - 1.0);
}

bool tml_step_factors_far(const TmlStepFactors *f, double cq)
{
    if (f->cq <= 0.0 || cq > 4.0 * f->cq || cq < 0.25 * f->cq) {
        return true;
    }
    return f->stiff * by_step(f, cq) > (f->extra < extra_corrections ? slow_rate : quick_rate);
}

void tml_step_factors_begin(TmlStepFactors *f, const TmlSystem *sys)
{
    f->on = f->wanted;
    if (f->on) {
        tml_turn_update(f->turn, sys);
    }
}

void tml_step_factors_solve(const TmlStepFactors *f, TmlSystem *sys, double *r)
{
    if (f->on) {
        tml_turn_solve(f->turn, sys, r);
    } else {
        tml_system_solve(sys, TML_FACTORS_STEP, r);
    }
}

/* rate: as far as turning may be to blame. */
static void judge_turn(TmlStepFactors *f, double rate)
{
    f->since++;
    const bool try_other = !f->trial && rate > quick_rate && f->since > f->patience;
    const bool go_back = f->trial && rate > f->other;
    if (f->trial) {
        f->patience = go_back ? 2 * f->patience : patience;
    }
    f->trial = try_other;
    if (try_other || go_back) {
        f->wanted = !f->on;
        f->other = rate;
        f->since = 0;
    }
}

void tml_step_factors_judge(TmlStepFactors *f, double cq, double rate)
{
    const double step = by_step(f, cq);
    if (step > quick_rate) {
        f->stiff = fmin(rate / step, 1.0);
        f->extra += rate > quick_rate;
    }
    if (f->turn != NULL) {
        judge_turn(f, rate - step);
    }
}
