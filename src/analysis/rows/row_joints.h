/* analysis/rows/row_joints.h - a state of any method completed in joint coordinates, without a matrix. */
#pragma once

#include "system/system.h"

typedef struct TmlRowJoints TmlRowJoints;

/* *out: NULL where the model does not allow it (system/recursion/recursion.h). s: the assembled start. */
TML_NODISCARD TmlStatus tml_row_joints_create(TmlSystem *sys, const TmlState *s, double tolerance,
                                              TmlRowJoints **out, TmlError *err);
/* How many states were solved. */
int64_t tml_row_joints_count(const TmlRowJoints *j);
void tml_row_joints_free(TmlRowJoints *j); /* NULL is fine */

/* Puts s onto the constraints and solves for accelerations, multipliers, X', V and F there. False: not here, next to a singular position or
 * too far from the constraints; s is as it was. Without `reactions` the multipliers of the tree, which do no work, stay as they are, and so do
 * the kinematics. */
bool tml_row_joints_solve(TmlRowJoints *j, bool reactions, TmlState *s);

/* At the state of the last solution: how much u' and X' change when these change by du[nu] and dX[nx] over c_v, (B4) of
 * analysis/rows/between.h; into du and dX. False: there is no answer. */
bool tml_row_joints_probe(TmlRowJoints *j, const TmlState *s, double c_v, double *du, double *dX);
