/* analysis/integrator/joint_steps.h - joint coordinates as implicit methods see them: second-order equations on a chart from the start
 * of a step, whose matrices are dense.
 *
 *   coordinates   c of the chart, of which there are as many as speeds; states stand behind their rates
 *   unknowns      c'', rates of the states, multipliers of the rows that close loops
 *
 * The equations and their derivatives are those of system/recursion: (N10) to (N16).
 */
#pragma once

#include "analysis/integrator/integrator.h"
#include "system/recursion/recursion.h"

typedef struct TmlJointSteps {
    TmlRecursion *recursion; /* NULL: coordinates of bodies */
    TmlTangent *tangent;
    int positions;                 /* numbers of positions: four of a ball */
    int n, all, size;              /* coordinates; and states; and multipliers */
    double *base, *x_n, *w_n;      /* start of the step: positions, coordinates, rates */
    double *start;                 /* its unknowns */
    double *X, *Y, *Y1, *X1;       /* motion of a stage, from its chart; scratch */
    double *end_x, *end_w, *end_a; /* the end of the step: positions, speeds, accelerations */
    double *K[3];                  /* matrices on the chart */
    double *along;                 /* factors of K_0 */
    int *pivot_along;
    double *room; /* size: scratch */
    double *du;   /* of bodies */
    bool split;   /* K_0 is factored */
    TmlState s;   /* time, states, variables and forces of the last evaluation */
} TmlJointSteps;

/* Makes j where the choice (TmlCoordinatesChoice) and the model allow it, else leaves j->recursion NULL, and notes in it->coordinates which;
 * `also`: another reason against it, or NULL. */
TML_NODISCARD TmlStatus tml_joint_steps_setup(TmlIntegrator *it, int choice, const char *also,
                                              TmlJointSteps *j, TmlError *err);
void tml_joint_steps_free(TmlJointSteps *j);
/* Whether the choice `auto` makes them at s. */
bool tml_joint_steps_fit(TmlSystem *sys, const TmlState *s);

/* Sets the start to it->now and solves for its accelerations, which are NaN where there are none. */
void tml_joint_steps_restart(const TmlIntegrator *it, TmlJointSteps *j);
/* Makes the end of the step the start of the next. */
void tml_joint_steps_advance(TmlJointSteps *j);
/* Chooses rows of loops anew where they have worn, and solves for the start. Whether it did. */
bool tml_joint_steps_choose(const TmlIntegrator *it, TmlJointSteps *j);

/* Sets X, Y and Y1 from c, c', c'' with what stands behind them. */
void tml_joint_steps_move(TmlJointSteps *j, const double *x, const double *v, const double *a);
/* Computes accelerations, rates of states and multipliers at positions X and speeds Y. Loops may be off by `gap` lengths. */
bool tml_joint_steps_solve(TmlJointSteps *j, double t, double gap, const double *X, const double *Y,
                           double *Y1);
/* Computes what is left of the equations at c, c', c'' and the time t. */
bool tml_joint_steps_residual(TmlJointSteps *j, double t, const double *x, const double *v,
                              const double *a, double *out);
/* K of the last residual, at the same c, c', c''. */
void tml_joint_steps_matrices(TmlJointSteps *j, const double *x, const double *v, const double *a);
/* Sets the end of the step from X, Y and Y1 of its time, moved onto the loops. */
bool tml_joint_steps_end(TmlJointSteps *j, double t);

/* (R9): takes from d[n] what is across the loops, by K_0 [d; mu] = [K_0 d; 0] where the matrices were made. Behind d stands what does
 * not change. */
bool tml_joint_steps_along(TmlJointSteps *j, double *d);
/* Norm of changes of coordinates and of rates with states, for the bodies, at c; in tolerances. */
double tml_joint_steps_norm(const TmlIntegrator *it, TmlJointSteps *j, const double *c,
                            const double *x, const double *v, int *at);

/* Sets motion and states of s. `place`: bodies of the system are there then. */
void tml_joint_steps_put(const TmlJointSteps *j, double t, const double *x, const double *v,
                         const double *a, bool place, TmlState *s);
/* Sets variables and forces, as j->s has them. */
void tml_joint_steps_put_values(const TmlIntegrator *it, const TmlJointSteps *j, TmlState *s);
