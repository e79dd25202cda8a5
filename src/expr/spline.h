/* expr/spline.h - interpolation of tables: natural cubic, Akima, linear. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"

typedef enum TmlSplineKind { TML_SPLINE_CUBIC, TML_SPLINE_AKIMA, TML_SPLINE_LINEAR } TmlSplineKind;

typedef struct TmlSpline TmlSpline;

/* Through n points with x strictly increasing (n >= 4 for cubic and Akima, 2 for linear). Outside
 * the table the end polynomial's tangent is followed (linear extrapolation). */
TML_NODISCARD TmlStatus tml_spline_create(TmlSplineKind kind, int n, const double *x,
                                          const double *y, TmlArena *arena, TmlSpline **out,
                                          TmlError *err);

/* d[0..order]: value and derivatives up to order 3. */
void tml_spline_eval(const TmlSpline *spline, double x, int order, double *d);

int tml_spline_knots(const TmlSpline *spline, const double **x);
TmlSplineKind tml_spline_kind(const TmlSpline *spline);
/* The same table by another rule; NULL when it has too few points for that. */
const TmlSpline *tml_spline_as(const TmlSpline *spline, TmlSplineKind kind);
double tml_spline_integral(const TmlSpline *spline, double from, double to);
