/* system/contact/travel.h - points that travel over flexible elements; internal to system/contact. */
#pragma once

#include "system/contact/touching.h"
#include "system/flexible/flex.h"

/* The axis of an element at a place, 0 to 1. */
typedef struct TmlCurveSpot {
    TmlVec3 r, a, bend;                 /* r, r_x, r_xx */
    double slope[TML_FLEX_MAX_VECTORS]; /* weights of r_x */
} TmlCurveSpot;

TmlCurveSpot tml_curve_spot(const TmlSystem *sys, int element, double xi);

/* Moves the point of a segment. */
void tml_travel_place(const TmlSystem *sys, const TmlCarrier *c, const double xi[3]);

/* Whether a point that is held at an end of a segment counts there, N: out of the other shape. At a corner of a polyline two
 * segments end: the one that begins there has the point, if neither has a closer one within. */
bool tml_travel_end_counts(const TmlSystem *sys, const TmlCarrier *c, int end, TmlVec3 N);

/* The other shape of a pair, and a sphere at some place of the segment of `side` against it. */
typedef struct TmlOther {
    TmlShape shape, sphere;
    TmlVec3 origin;
    TmlMat33 R;
    double reach;
} TmlOther;

typedef struct TmlLook {
    double depth;
    TmlVec3 N;  /* out of the other shape */
    TmlMat33 G; /* its derivative by the centre */
} TmlLook;

TmlOther tml_other_of(const TmlSystem *sys, const TmlNear *near, int side, double reach);
/* False: the shapes are too far apart. */
bool tml_other_look(const TmlOther *o, TmlVec3 centre, TmlLook *out);

/* Row of dphi = d(N . a) at a fixed place, (V4), for both ends of a pair, times `by`: weights of r and of a. */
void tml_travel_row(const TmlSystem *sys, const TmlNear *near, int side, const TmlLook *at,
                    TmlVec3 c, TmlVec3 a, const double *slope, double by,
                    double row[2][TML_END_MAX_NU]);

/* cross.c: two segments. */
bool tml_travel_both(const TmlSystem *sys, const TmlNear *near);
int tml_travel_both_ways(const TmlSystem *sys, const TmlNear *near, double c_q,
                         TmlWay out[TML_WAYS]);

/* sheet_travel.c: a segment that travels over a sheet. */
bool tml_travel_sheet(const TmlSystem *sys, const TmlNear *near, int side, double reach);
int tml_travel_sheet_ways(const TmlSystem *sys, const TmlNear *near, int side, double c_q,
                          TmlWay out[TML_WAYS]);
/* Points about a sheet. */
int tml_sheet_hull(const TmlSystem *sys, const TmlCarrier *c, int level, TmlVec3 out[TML_HULL]);
