/* model/flexible/curve.h - curves that the axes of flexible bodies follow, by arc length. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/types.h"

typedef enum TmlCurveKind { TML_CURVE_LINE, TML_CURVE_ARC, TML_CURVE_SPLINE } TmlCurveKind;

typedef struct TmlCurve {
    TmlCurveKind kind;
    double length;
    TmlVec3 start, along; /* first point, unit tangent there */
    TmlVec3 centre, axis; /* arc: positive about the axis */
    double radius;
    int n;                /* spline: points */
    const TmlVec3 *point; /* n */
    const TmlVec3 *bend;  /* n: second derivatives by the chord */
    const double *knot;   /* n: chord from the first point */
    const double *arc;    /* n: arc length from the first point */
} TmlCurve;

/* Curves without length keep length zero. */
TmlCurve tml_curve_line(TmlVec3 from, TmlVec3 to);
TmlCurve tml_curve_arc(TmlVec3 centre, TmlVec3 start, TmlVec3 axis, double angle);

/* Natural cubic spline through n >= 2 points, no two neighbours equal. */
TML_NODISCARD TmlStatus tml_curve_spline(int n, const TmlVec3 *point, TmlArena *arena,
                                         TmlCurve *out, TmlError *err);

/* Point and unit tangent at arc length s from 0 to length. */
void tml_curve_at(const TmlCurve *c, double s, TmlVec3 *r, TmlVec3 *tangent);

/* A direction y across the unit vector a, turned by the least rotation that brings a to b. */
TmlVec3 tml_curve_carry(TmlVec3 y, TmlVec3 a, TmlVec3 b);
