/* expr/spline.h - interpolation of tables: natural cubic, Akima, linear. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"

typedef enum TmlSplineKind { TML_SPLINE_CUBIC, TML_SPLINE_AKIMA, TML_SPLINE_LINEAR } TmlSplineKind;

/* How a table goes on beyond its ends: along the tangent, along the parabola through the last three
 * points (a straight line when there are two), with the last value. */
typedef enum TmlSplineEnds {
    TML_SPLINE_TANGENT,
    TML_SPLINE_PARABOLA,
    TML_SPLINE_CONSTANT
} TmlSplineEnds;

/* Three that an expression may show, and three more that constraints need of them. */
enum { TML_SPLINE_HIGHEST = 6 };

typedef struct TmlSpline TmlSpline;

/* Through n points with x strictly increasing (n >= 4 for cubic and Akima, 2 for linear). Beyond
 * its ends it follows the tangent. */
TML_NODISCARD TmlStatus tml_spline_create(TmlSplineKind kind, int n, const double *x,
                                          const double *y, TmlArena *arena, TmlSpline **out,
                                          TmlError *err);

/* Something else than a table: a function with derivatives up to TML_SPLINE_HIGHEST. */
typedef struct TmlSplineSource {
    /* d[0..order]: value and derivatives at any x. */
    void (*eval)(const void *user, double x, int order, double *d);
    const void *user; /* outlives the spline */
    int n;            /* places where derivatives may jump */
    const double *x;  /* n, increasing; outlive the spline */
    int smooth;       /* continuous derivatives, 3: three and more */
    double from, per; /* x is per * (alpha - from) of the argument alpha of curve(); per 0: none */
} TmlSplineSource;

/* All rules of such a spline are this one; it has no integral. */
TML_NODISCARD TmlStatus tml_spline_from_source(const TmlSplineSource *source, TmlArena *arena,
                                               TmlSpline **out, TmlError *err);

/* Change what is beyond the ends, by all rules of the table. */
void tml_spline_set_ends(TmlSpline *spline, TmlSplineEnds ends);

/* d[0..order]: value and derivatives up to TML_SPLINE_HIGHEST. */
void tml_spline_eval(const TmlSpline *spline, double x, int order, double *d);

/* NULL: a table. */
const TmlSplineSource *tml_spline_source(const TmlSpline *spline);
int tml_spline_knots(const TmlSpline *spline, const double **x);
int tml_spline_smoothness(const TmlSpline *spline); /* continuous derivatives, 3: three and more */
/* The same table by another rule; NULL when it has too few points for that. */
const TmlSpline *tml_spline_as(const TmlSpline *spline, TmlSplineKind kind);
double tml_spline_integral(const TmlSpline *spline, double from, double to);
