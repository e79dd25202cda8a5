/* expr/spline.h - interpolation of tables: natural cubic, Akima, linear. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"

typedef enum TmlSplineKind { TML_SPLINE_CUBIC, TML_SPLINE_AKIMA, TML_SPLINE_LINEAR } TmlSplineKind;

/* How a table goes on beyond its ends: along the tangent, along the parabola through the last three
 * points (a straight line when there are two), with the last value, from the beginning again. */
typedef enum TmlSplineEnds {
    TML_SPLINE_TANGENT,
    TML_SPLINE_PARABOLA,
    TML_SPLINE_CONSTANT,
    TML_SPLINE_REPEAT
} TmlSplineEnds;

typedef struct TmlSpline TmlSpline;

/* Through n points with x strictly increasing (n >= 4 for cubic and Akima, 2 for linear). Beyond
 * its ends it follows the tangent. */
TML_NODISCARD TmlStatus tml_spline_create(TmlSplineKind kind, int n, const double *x,
                                          const double *y, TmlArena *arena, TmlSpline **out,
                                          TmlError *err);

/* From n polynomials of degree 3 at most, sum_j c[4 k + j] (x - knot[k])^j between knot[k] and
 * knot[k + 1]; kind says how smooth they are. All rules of this table are this one. */
TML_NODISCARD TmlStatus tml_spline_from_pieces(TmlSplineKind kind, int n, const double *knot,
                                               const double *c, TmlSplineEnds ends, TmlArena *arena,
                                               TmlSpline **out, TmlError *err);

/* Change what is beyond the ends, by all rules of the table. Not TML_SPLINE_REPEAT. */
void tml_spline_set_ends(TmlSpline *spline, TmlSplineEnds ends);

/* d[0..order]: value and derivatives up to order 3. */
void tml_spline_eval(const TmlSpline *spline, double x, int order, double *d);

int tml_spline_knots(const TmlSpline *spline, const double **x);
TmlSplineKind tml_spline_kind(const TmlSpline *spline);
/* The same table by another rule; NULL when it has too few points for that. */
const TmlSpline *tml_spline_as(const TmlSpline *spline, TmlSplineKind kind);
double tml_spline_integral(const TmlSpline *spline, double from, double to);
