/* analysis/statics_work.h - what statics.c lends to statics_path.c and statics_judge.c. */
#pragma once

#include "analysis/sim_internal.h"
#include "trammel/analysis.h"

typedef struct TmlStaticsWork TmlStaticsWork;

/* Move the sim to an equilibrium at its time, and keep what is needed to go on from there. The
 * caller closes *out after a failure too; it may be NULL then. */
TML_NODISCARD TmlStatus tml_statics_open(TmlSim *sim, const TmlStaticsOptions *options,
                                         TmlStaticsWork **out, TmlError *err);
void tml_statics_close(TmlStaticsWork *w); /* NULL is fine */

/* r[n] = R at s and its time; false: not finite. */
bool tml_statics_residual(TmlStaticsWork *w, TmlState *s, double *r);

/* Factor R' + c_a M at the last residual, -1 or the unknown without a pivot; solve; sign of its
 * determinant. */
int tml_statics_factor(TmlStaticsWork *w, const TmlState *s, double c_a);
void tml_statics_solve(TmlStaticsWork *w, double *x);
int tml_statics_sign(const TmlStaticsWork *w);

/* to = s moved by -dx[n]. */
void tml_statics_move(TmlStaticsWork *w, const TmlState *s, const double *dx, TmlState *to);

/* Largest component of a motion du[nu], lengths by the size of the model. */
double tml_statics_size(const TmlStaticsWork *w, const double *du);

/* Forces without balance of the last residual, over the largest force. */
double tml_statics_balance(const TmlStaticsWork *w);

/* The equilibrium s becomes the sim's state and row. */
TML_NODISCARD TmlStatus tml_statics_settle(TmlStaticsWork *w, const TmlState *s, TmlError *err);

/* How an equilibrium answers when it is disturbed. */
typedef struct TmlStability {
    bool known;
    int unstable;  /* motions that grow */
    int negative;  /* motions along which stiffness is negative */
    bool diverges; /* one grows without oscillation */
    double growth; /* 1/s, of the fastest */
} TmlStability;

/* Stability of the equilibrium s, the present state of the sim. neutral: 1/s^2, stiffness over
 * inertia below which a motion meets no resistance. */
TML_NODISCARD TmlStatus tml_statics_judge(TmlStaticsWork *w, TmlSim *sim, TmlState *s,
                                          const TmlSpin *spin, double neutral, TmlStability *out,
                                          TmlError *err);
