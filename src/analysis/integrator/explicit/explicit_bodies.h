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

/* Evaluates f at t and y through the state s, which gets accelerations and multipliers. `close` puts s onto the constraints first
 * and returns false when it cannot; NULL: s stays where it is. y and f are then those of s. */
typedef bool TmlExplicitClose(TmlExplicit *p);
TML_NODISCARD TmlStatus tml_explicit_evaluate(TmlExplicit *p, TmlState *s, double t, double *y,
                                              double *f, TmlExplicitClose *close, TmlAttempt *out,
                                              TmlError *err);

/* Fills s at t with the motion of y and f, and where these are `solved`, with all else of `last`. */
void tml_explicit_state(const TmlExplicit *p, const TmlState *last, double t, const double *y,
                        const double *f, bool solved, TmlState *s);

/* Returns the largest of the three, NaN above all, and the place that belongs to it. */
double tml_explicit_worst(const double part[3], const int where[3], int *at);
