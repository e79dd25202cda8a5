/* analysis/integrator/radau/radau_joints.h - what the files of radau in joint coordinates share: steps in radau_joints.c, states between
 * their ends and the account of work in radau_joints_rows.c.
 */
#pragma once

#include "analysis/integrator/radau/radau.h"
#include "system/recursion/recursion.h"

struct TmlRadauJoints {
    TmlRecursion *recursion;
    TmlTangent *tangent;
    int positions;                    /* numbers of positions: four of a ball */
    int n, all, size;                 /* coordinates; and states; and multipliers */
    double *base, *x_n, *w_n, *start; /* start of the step, with its accelerations */
    double *X, *Y, *Y1, *X1;          /* of a stage, from its chart; scratch */
    double *end_x, *end_w, *end_a;    /* the end of the step */
    double *z[TML_RADAU_STAGES], *x[TML_RADAU_STAGES], *w[TML_RADAU_STAGES]; /* (R1) */
    double *r[TML_RADAU_STAGES];                          /* residuals, then corrections */
    double *dw[TML_RADAU_STAGES], *way[TML_RADAU_STAGES]; /* changes of w and x by them */
    double *node[TML_RADAU_NODES];        /* y', X', multipliers of the last accepted step */
    double *K[3], *real, *complex, *both; /* matrices; factors; two right sides */
    int *pivot, *pivot_complex;
    double *along; /* factors of K_0 */
    int *pivot_along;
    double *ex, *ew, *dx; /* (R6); scratch */
    double *du;           /* of bodies */
    TmlState s;           /* time of a stage */
    double h, h_last, h_factor, h_matrix, rate, spin;
    bool assembled, present, rejected, measured, taken;
    bool split, weak; /* K_0 is factored; the iteration has converged along the loops only */
    bool accounts;
    TmlPower power[TML_RADAU_NODES]; /* at the start and the stages */
};

/* Sets w->X, w->Y and w->Y1 from coordinates of the charts, their rates and second rates with what stands behind them. */
void tml_radau_joints_move(TmlRadauJoints *w, const double *x, const double *v, const double *a);
/* Sets the motion and the states of s. `place`: bodies of the system are there then. */
void tml_radau_joints_put(const TmlRadauJoints *w, double t, const double *x, const double *v,
                          const double *a, bool place, TmlState *s);
/* Sets variables and forces, as w->s has them. */
void tml_radau_joints_put_values(const TmlIntegrator *it, const TmlRadauJoints *w, TmlState *s);
