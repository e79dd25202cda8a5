/* analysis/integrator/two_loop/two_loop.h - one implicit step on independent coordinates: the constraints closed in an
 * inner loop, the accelerations found in an outer one.
 *
 *   (T1)  q = base_q + c_q a_f,  v = base_v + c_v a_f,  X = base_X + c_x X'_f       low_order.h
 *   (T2)  inner loop: q closed on Phi = 0 by its dependent part, then v; accelerations a_g,
 *         multipliers and X'_g at (q, v, X)                                   [000] (2) to (5)
 *   (T3)  outer loop: F(z) = a_f - a_g on the independent coordinates and X'_f - X'_g,
 *         z = a_f there and X'_f                                                     [000] (7)
 */
#pragma once

#include "analysis/integrator/step_factors.h"
#include "analysis/integrator/two_loop/coordinates.h"
#include "analysis/integrator/two_loop/low_order.h"
#include "sparse/krylov.h"

/* a_f and X'_f: carried along and not taken from positions, whose rounding over c_q would be noise
 * in the velocities. */
typedef struct TmlTwoLoopRates {
    double *a, *xd; /* nq, nx */
} TmlTwoLoopRates;

typedef struct TmlTwoLoop {
    // settings
    double newton; /* share of the tolerance that the iteration may leave */
    int max_iterations;

    TmlLowOrder formula;
    TmlCoordinates coordinates;

    // of the last pass
    bool preconditioned;
    bool least;           /* the least move has put the state onto the constraints */
    double rate;          /* largest ratio of successive corrections */
    int calm;             /* steps in a row for which the simple iteration would have done */
    double *du, *dq, *dX; /* components, coordinates, nx: scratch for the method too */
    double *raw;          /* nu */

    // own
    TmlKrylov krylov;
    TmlState trial;
    int n_u, n;                /* independent coordinates; and user states */
    TmlTwoLoopRates rates, at; /* of the iterate; of the trial under way */
    double *F, *b;             /* n, scaled: F at the iterate, right side */
    double *dz, *scale;        /* n: correction; D */
    double *r, *x;             /* n of the system */
    bool guess;                /* accelerations of the formula are a good start for those of s */
    TmlKept kept;              /* acceleration-level factors */
    double *k0;                /* values of the K_0 that they belong to */
    double increment;          /* s of (T6) */
    bool stale;                /* factors of the preconditioner should be renewed */
    TmlStepFactors factors;
} TmlTwoLoop;

/* How a pass of the outer loop works. */
typedef struct TmlPass {
    bool precondition, fresh, krylov; /* (T7), with new factors; (T6) */
    bool last;                        /* nothing else is left to try */
} TmlPass;

/* krylov: largest dimension; depth: of the incomplete form, 0: Arnoldi. */
TML_NODISCARD TmlStatus tml_two_loop_setup(TmlIntegrator *it, TmlTwoLoop *w,
                                           const TmlCoordinatesType *type, int krylov, int depth,
                                           TmlError *err);
void tml_two_loop_free(TmlTwoLoop *w);

/* Start the history at it->now; append it->next to it. */
void tml_two_loop_restart(TmlIntegrator *it, TmlTwoLoop *w);
void tml_two_loop_accept(TmlIntegrator *it, TmlTwoLoop *w);

/* Choose independent coordinates at it->now. */
TML_NODISCARD TmlStatus tml_two_loop_choose(TmlIntegrator *it, TmlTwoLoop *w, TmlError *err);

/* Coefficients and scales of a step h; then passes from the prediction, until one converges. */
void tml_two_loop_begin(TmlIntegrator *it, TmlTwoLoop *w, double h);
bool tml_two_loop_pass(TmlIntegrator *it, TmlTwoLoop *w, const TmlPass *pass, TmlAttempt *out);

/* Accelerations of s with kept factors. False: none, *cause says why. */
bool tml_two_loop_accelerations(TmlIntegrator *it, TmlTwoLoop *w, TmlState *s, TmlCause *cause);

/* The point that the history takes: it->next, with its accelerations or those of (T13). */
TmlPoint tml_two_loop_accepted(TmlIntegrator *it, TmlTwoLoop *w);

/* --- two_loop_least.c --- */

/* (T15), when no pass has converged. True when it has. */
bool tml_two_loop_least(TmlIntegrator *it, TmlTwoLoop *w, TmlAttempt *out);

/* (T12), (T14), after a pass that converged. False: no state there. */
bool tml_two_loop_settle(TmlIntegrator *it, TmlTwoLoop *w, TmlAttempt *out);

/* Local error of the step: w->raw of the positions of the bodies as the formula has it, w->du what
 * remains of it on the constraints, w->dX of the states. */
void tml_two_loop_error(TmlIntegrator *it, TmlTwoLoop *w);

/* w->du, a change of positions, without modes that are stiffer than the step; after a pass with
 * preconditioner. */
void tml_two_loop_filter(TmlIntegrator *it, TmlTwoLoop *w);
