/* analysis/integrator/radau/radau_joints.h - what the files of radau in joint coordinates share: steps in radau_joints.c, states between
 * their ends and the account of work in radau_joints_rows.c.
 */
#pragma once

#include "analysis/integrator/joint_steps.h"
#include "analysis/integrator/radau/radau.h"

struct TmlRadauJoints {
    TmlJointSteps j;
    double *z[TML_RADAU_STAGES], *x[TML_RADAU_STAGES], *w[TML_RADAU_STAGES]; /* (R1) */
    double *r[TML_RADAU_STAGES];                          /* residuals, then corrections */
    double *dw[TML_RADAU_STAGES], *way[TML_RADAU_STAGES]; /* changes of w and x by them */
    double *node[TML_RADAU_NODES]; /* y', X', multipliers of the last accepted step */
    double *real, *complex, *both; /* factors; two right sides */
    int *pivot, *pivot_complex;
    double *ex, *ew, *dx; /* (R6); scratch */
    double h, h_last, h_factor, h_matrix, rate, spin;
    bool assembled, present, rejected, measured, taken;
    bool weak; /* the iteration has converged along the loops only */
    bool accounts;
    TmlPower power[TML_RADAU_NODES]; /* at the start and the stages */
};
