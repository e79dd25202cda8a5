/* analysis/integrator/convergence.h - whether an iteration has converged, and whether it will.
 *
 * Corrections of sizes s_1, s_2, ... in units of the allowed error are judged one by one:
 *
 *   (C1)  rate xi: s_2 / s_1 at first, then its geometric mean with s_k / s_(k-1); before any is
 *         measured, the one that is remembered, at least 0.3
 *   (C2)  left = share s xi / (1 - xi) of a correction that has been made,
 *         share s / (1 - xi) of one that has not, share s where s estimates the error itself
 *   (C3)  converged: left <= target; or s <= floor, which is rounding; or s > 0.9 of the one before
 *         and share s <= noise, which is rounding larger than usual
 *   (C4)  stalled: s > 0.9 of the one before, from correction `stall_after` on; growth above 2
 *         before that
 *   (C5)  slow: left xi^more > target, from correction `slow_after` on, `more` corrections being
 *         allowed; not while share s <= noise; or a ratio above `slowest`
 *
 * The second correction often takes away what a straight first one left of a curved prediction, and
 * the third may be a thousand times smaller: hence the two numbers of corrections.
 */
#pragma once

typedef enum TmlConvergenceVerdict {
    TML_GO_ON,
    TML_CONVERGED, /* (C3) */
    TML_STALLED,   /* (C4) */
    TML_SLOW       /* (C5) */
} TmlConvergenceVerdict;

typedef enum TmlMeasure { TML_MADE, TML_NOT_MADE, TML_ERROR_ITSELF } TmlMeasure; /* (C2) */

enum { TML_NEVER = 1 << 20 }; /* for stall_after, slow_after */

typedef struct TmlConvergence {
    // set before the first correction
    TmlMeasure measure;
    double share, target, floor, noise;
    double slowest;              /* 0: none */
    int stall_after, slow_after; /* 0: from the second correction on */
    double rate;                 /* remembered; then measured */

    // memory; zero before the first correction
    double last, worst; /* size before; largest ratio of sizes above the floor */
    int n;              /* corrections seen */
} TmlConvergence;

/* Judges another correction; `more` are allowed after it. */
TmlConvergenceVerdict tml_convergence_judge(TmlConvergence *c, double size, int more);

/* A rate as (C2) uses it: neither luck nor despair. */
double tml_convergence_trusted(double rate);

/* The iteration goes on with other factors: sizes before do not tell their rate. */
void tml_convergence_again(TmlConvergence *c, double rate);
