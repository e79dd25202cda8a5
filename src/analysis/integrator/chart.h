/* analysis/integrator/chart.h - states on charts: translations and rotation vectors x[nu] from a position.
 *
 * One-step methods on accelerations as functions of the state take their steps in these coordinates
 * from the start of each step.
 */
#pragma once

#include "analysis/integrator/integrator.h"

/* q, q' of s at the coordinates x with rates x1 from the position q_ref. */
void tml_chart_state(const TmlSystem *sys, const double *q_ref, const double *x, const double *x1,
                     TmlState *s);

/* f[nu + nx]: x'' that belongs to the accelerations of s, which lies at x, x1; then X'. */
void tml_chart_second(const TmlSystem *sys, const TmlState *s, const double *x, const double *x1,
                      double *f);

/* What a projection would leave of the change from *from to *to, which is small: of positions
 * du[nu] and of velocities dw[nu], along the constraints at *to; `renew` as for tml_system_tangent.
 * Destroys from->q. False: singular. */
bool tml_chart_tangent(TmlSystem *sys, TmlState *from, const TmlState *to, bool renew, double *du,
                       double *dw);

/* How far s is off its constraints, in tolerances of positions and of velocities. */
double tml_chart_drift(TmlSystem *sys, const TmlNorm *norm, const TmlState *s);

/* Whether time appears in the equations other than through the state. Types of a user's own may
 * read it without an expression, so they count as if they did. */
bool tml_system_is_rheonomic(const TmlSystem *sys);
