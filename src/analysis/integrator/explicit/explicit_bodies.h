/* analysis/integrator/explicit/explicit_bodies.h - y = (q, q', X) of all bodies and f = (q', q'', X'): what types share that
 * have these.
 */
#pragma once

#include "analysis/integrator/explicit/explicit_problem.h"

/* y and f of a state, and back. store_f sets q'' and X' only. */
void tml_explicit_load_y(const TmlSystem *sys, const TmlState *s, double *y);
void tml_explicit_store_y(const TmlSystem *sys, const double *y, TmlState *s);
void tml_explicit_load_f(const TmlSystem *sys, const TmlState *s, double *f);
void tml_explicit_store_f(const TmlSystem *sys, const double *f, TmlState *s);

/* Tells whether all of y[n] are finite. */
bool tml_explicit_finite(int n, const double *y);

/* Returns the largest of the three, NaN above all, and the place that belongs to it. */
double tml_explicit_worst(const double part[3], const int where[3], int *at);
