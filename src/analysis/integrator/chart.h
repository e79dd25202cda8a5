/* analysis/integrator/chart.h - changes of states, seen along the constraints.
 */
#pragma once

#include "analysis/integrator/integrator.h"
#include "system/coordinates/charts.h"

/* Computes what a projection would leave of the small change from *from to *to, of positions du[nu]
 * and of velocities dw[nu], along the constraints at *to; `renew` is as for tml_system_tangent. It
 * destroys from->q, and returns false where the matrix is singular. */
bool tml_chart_tangent(TmlSystem *sys, TmlState *from, const TmlState *to, bool renew, double *du,
                       double *dw);

/* Tells how far s is off its constraints, in tolerances of positions and of velocities. */
double tml_chart_drift(TmlSystem *sys, const TmlNorm *norm, const TmlState *s);
