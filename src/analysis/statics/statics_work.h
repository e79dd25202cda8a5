/* analysis/statics/statics_work.h - what the files of statics share.
 *
 *   statics.c         the iterations, and which equilibrium is taken
 *   statics_judge.c   stability
 *   statics_none.c    motions without resistance
 *   statics_path.c    paths
 */
#pragma once

#include "analysis/driver/sim_internal.h"
#include "analysis/linear/spin.h"
#include "trammel/analysis.h"

typedef struct TmlStaticsWork TmlStaticsWork;

/* How an equilibrium answers when it is disturbed. */
typedef struct TmlStability {
    bool known;
    int unstable;  /* number of motions that grow */
    int negative;  /* number of motions along which the stiffness is negative */
    bool diverges; /* some motion grows without oscillation */
    double growth; /* 1/s: rate of the motion that grows fastest */
} TmlStability;

struct TmlStaticsWork {
    TmlSim *sim;
    TmlSystem *sys;
    TmlArena arena;
    TmlStaticsOptions o;
    TmlStaticsInfo info;
    TmlState s, trial, start;
    TmlState kept, lost;        /* the last balanced one of (T2); where (T1) was given up */
    TmlState near;              /* the equilibrium near the start that (T4) found */
    TmlStability stability;     /* of the equilibrium that was judged last */
    double first_step;          /* size of the linear answer to the loads at the start */
    double *r, *dx, *dq, *load; /* n, n, nq, n: residual, step; scratch; R(x_0) of (T2) */
    double *x_rate;             /* entries of the matrix: columns of X' at c_x = 0 */
    double ramp;                /* s of (T2) */
    bool ramped;                /* (T2) follows the loads, uphill too */
    double tau, tau_first;      /* s^2: tau of (T1), now and at the start */
    double next_tau;            /* tau to try after a step that went too far */
    double *inertia;            /* nu: scratch */
    double shortest;            /* length of the shortest step so far */
    double refused;             /* length of the last step if it was uphill; 0: it was not */
    int stalls;                 /* number of steps since their length last halved */
    double force;               /* N: largest force at the last residual */
    bool spins;                 /* the reference frame turns */
    TmlSpinMatrix spin;         /* the matrix of (T1) in a frame that turns */
    double *u;                  /* nu: scratch */
    double *resistance;         /* nu: scratch of regularise */
    bool settled;               /* the sim is at an equilibrium */
};

/* Moves the sim to an equilibrium at its time, and keeps what is needed to go on from there. The
 * caller closes *out after a failure too; it may be NULL then. */
TML_NODISCARD TmlStatus tml_statics_open(TmlSim *sim, const TmlStaticsOptions *options,
                                         TmlStaticsWork **out, TmlError *err);
void tml_statics_close(TmlStaticsWork *w); /* NULL is fine */

/* Sets r[n] to R at s and its time. It returns false when a number is not finite. */
bool tml_statics_residual(TmlStaticsWork *w, TmlState *s, double *r);

/* Factor R' + c_a M at the last residual, -1 or the unknown without a pivot; solve; sign of its
 * determinant. */
int tml_statics_factor(TmlStaticsWork *w, const TmlState *s, double c_a);
void tml_statics_solve(TmlStaticsWork *w, double *x);
int tml_statics_sign(const TmlStaticsWork *w);

/* Sets `to` to s moved by -dx[n]. */
void tml_statics_move(TmlStaticsWork *w, const TmlState *s, const double *dx, TmlState *to);

/* Returns the largest component of a motion du[nu], with lengths by the size of the model. */
double tml_statics_size(const TmlStaticsWork *w, const double *du);

/* Returns the forces without balance of the last residual, over the largest force. */
double tml_statics_balance(const TmlStaticsWork *w);

/* Motions that meet negative stiffness at the equilibrium that was found; 0: also not known. */
int tml_statics_negative(const TmlStaticsWork *w);

/* Makes the equilibrium s the state and row of the sim. */
TML_NODISCARD TmlStatus tml_statics_settle(TmlStaticsWork *w, const TmlState *s, TmlError *err);

/* Finds the stability of the equilibrium s, the present state of the sim. neutral, in 1/s^2, is the
 * stiffness over inertia below which a motion meets no resistance. */
TML_NODISCARD TmlStatus tml_statics_judge(TmlStaticsWork *w, TmlSim *sim, TmlState *s,
                                          const TmlSpin *spin, double neutral, TmlStability *out,
                                          TmlError *err);

/* 1/s^2: stiffness over inertia that is rounding beside the forces at the start and weight. */
double tml_statics_no_stiffness(const TmlStaticsWork *w);

/* Finds the motion of least resistance at w->s by inverse iteration; driven says that it is one of
 * those that the forces without balance act along. Its resistance x . R' x / x . M x in 1/s^2 goes
 * to *stiffness, the force along it over its inertia to *pull. */
bool tml_statics_weakest(TmlStaticsWork *w, bool driven, double *x, double *stiffness,
                         double *pull);

/* Sets u[nu] to the acceleration of s less that of the frame, at the last kinematics. */
void tml_statics_acceleration(TmlStaticsWork *w, const TmlState *s, double *u);

/* Writes the error that names what runs away from where (T1) was given up. x[n] is scratch. */
TML_NODISCARD TmlStatus tml_statics_none(TmlStaticsWork *w, double *x, TmlError *err);
