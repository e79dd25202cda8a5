/* analysis/integrator/step_factors.h - factors of an implicit step that are kept for later steps.
 *
 * Two things wear them out. A change of c_q slows directions that are stiff for the step down to
 * the rate |c_q / c_q0 - 1|, and others not at all; how stiff the model is in this sense is
 * measured. And flexible bodies turn: factors as they are (plain) suit steps that resolve the stiff
 * directions, where the mass decides; turned ones (system/flexible/turn.h) suit steps much longer than that.
 * When the way in use is slow, the next step tries the other, and the faster stays.
 */
#pragma once

#include "system/flexible/turn.h"

typedef struct TmlStepFactors {
    double cq;     /* c_q that the factors are made for; 0: there are none */
    double stiff;  /* 0 to 1: how much a change of c_q slows the iteration down */
    int extra;     /* steps that another c_q has cost a correction */
    TmlTurn *turn; /* NULL: no flexible bodies, factors are always plain */
    bool on;       /* turned factors are in use */
    bool wanted;   /* turned factors will be in use from the next step on */
    bool trial;    /* the way in use is being tried */
    double other;  /* rate of the way not in use when it was left */
    int since;     /* slow steps since the last trial */
    int patience;  /* slow steps before the next trial */
} TmlStepFactors;

TML_NODISCARD TmlStatus tml_step_factors_setup(TmlStepFactors *f, TmlSystem *sys, TmlArena *arena,
                                               TmlError *err);

/* Says that new factors were made at the last kinematics, for this c_q. */
void tml_step_factors_renewed(TmlStepFactors *f, const TmlSystem *sys, double cq);

/* Whether new factors for this c_q cost less than the corrections that kept factors ask for. */
bool tml_step_factors_far(const TmlStepFactors *f, double cq);

/* Prepares the kept factors for a step around the last kinematics. */
void tml_step_factors_begin(TmlStepFactors *f, const TmlSystem *sys);

/* Solves with the kept factors, in place of tml_system_solve. */
void tml_step_factors_solve(const TmlStepFactors *f, TmlSystem *sys, double *r);

/* Takes note of the rate at which an iteration with kept factors converged. */
void tml_step_factors_judge(TmlStepFactors *f, double cq, double rate);
