/* analysis/rows/between.h - the motion between the ends of an accepted step, in all its quantities. */
#pragma once

#include "analysis/integrator/integrator.h"
#include "analysis/rows/row_joints.h"

enum { TML_BETWEEN_POINTS = 3 };

/* Where an interpolation takes its values from: the ends of the step, then an earlier end of the
 * same smooth piece of motion when `n` is 3. Accelerations are
 * those of the method. */
typedef struct TmlBetween {
    int n; /* 2 or 3 */
    bool
        path; /* velocities are the rates of the interpolated positions, for integrals along them */
    const TmlState
        *at[TML_BETWEEN_POINTS]; /* the start and the end of the step, and the end before it */
    /* The start and the end with accelerations and multipliers that were solved for. NULL: they were not; models with
     * user states need them. */
    const TmlState *solved[2];
} TmlBetween;

/* Interpolates q, v and X of `out` at t by polynomials on the chart of the step's start, with their rates a and X', and the other values
 * linearly. The result is not moved onto the constraints. */
void tml_between_interpolate(const TmlSystem *sys, const TmlBetween *b, double t, TmlState *out);

/* How the accelerations and multipliers of a state were found. */
typedef enum TmlBetweenWay {
    TML_BETWEEN_SOLVED,      /* from the equations of motion */
    TML_BETWEEN_CORRECTED,   /* the same, with positions that stiff forces allow */
    TML_BETWEEN_WANTS_ENDS,  /* not at all: give the ends of the step solved for, and ask again */
    TML_BETWEEN_INTERPOLATED /* linearly between the step's ends, because there is no solution */
} TmlBetweenWay;

/* Scratch of tml_between_complete. */
typedef struct TmlBetweenWork {
    TmlState guess, other;    /* the interpolated state on the constraints; scratch */
    double *du, *dq, *dx, *r; /* nu, nq, nx, n: scratch */
    TmlRowJoints *joints;     /* NULL: the model has no joint coordinates */
    uint64_t
        placed; /* the kinematics of the last solved state, as tml_system_motion counts; 0: none */
    const double *allowed; /* nx: the error of a state that the tolerance allows */
    bool
        keep; /* for powers at many states close to each other: factors of an earlier state are used as long as they serve, and reactions
                * that do no work are left out. Without it the result depends on the step alone, so that a row is the same whichever
                * other rows there are */
} TmlBetweenWork;

TML_NODISCARD TmlStatus tml_between_setup(TmlSystem *sys, TmlBetweenWork *w, TmlError *err);

/* Puts the end of a step onto the constraints and solves for its accelerations, multipliers, X', V and F. After a failure s is
 * unchanged. */
TML_NODISCARD TmlStatus tml_between_settle(TmlSystem *sys, TmlBetweenWork *w, TmlState *s,
                                           TmlError *err);

/* Puts an interpolated state onto the constraints and finds its accelerations, multipliers, X', V and F. b has the ends of the
 * step. */
TmlBetweenWay tml_between_complete(TmlSystem *sys, TmlBetweenWork *w, const TmlBetween *b,
                                   TmlState *s);
