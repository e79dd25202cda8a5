/* model/contact/shape/round/flats.h - lines and discs of the second shape that lie over a flat face of the first. */
#pragma once

#include "model/contact/shape/round/solid.h"

enum {
    TML_DISC_CORNERS = 16, /* a disc is a polygon with so many corners */
    TML_DISC_CUT = 96      /* corners of what faces leave of it */
};

/* A convex face of the first shape, fixed in its axes, counterclockwise from outside. */
typedef struct TmlFace {
    int count;
    const TmlVec3 *corner;
    const int *loop; /* which corners; NULL: the first `count` */
    TmlVec3 normal;
    double offset;
} TmlFace;

/* The part of a line from a to b that lies over a face and below its plane. */
typedef struct TmlLine {
    DualVec a, b;   /* the line */
    Dual low, high; /* 0 to 1 */
} TmlLine;
bool tml_line_over(const TmlFace *face, DualVec n, TmlLine *line);

/* A disc, or a cap of the second shape: centre, two directions across its axis, radius. */
typedef struct TmlDisc {
    DualVec centre, across[2];
    double radius;
} TmlDisc;

/* Moments of the parts of a disc that lie over faces and below their planes, in its two coordinates. */
typedef struct TmlArea {
    Dual area, first[2], second[3]; /* second: uu, uv, vv */
} TmlArea;
void tml_disc_over(const TmlFace *face, DualVec n, const TmlDisc *disc, TmlArea *area);

/* Four places of equal shares that have the moments of an area. False: the area is nothing. */
typedef struct TmlFeet {
    Dual u[4], v[4];
    Dual width; /* m: of the narrower direction */
} TmlFeet;
bool tml_area_feet(const TmlArea *area, double radius, TmlFeet *feet);

/* Where touches go, and the share of the force that is still to be given away. */
typedef struct TmlFlatSink {
    double reach;
    TmlTouch *touch;
    TmlTouchRate *rate;
    int n;
    Dual rest;
} TmlFlatSink;

/* A foot at x, on the second shape, with the depth below the face along n. */
void tml_flat_foot(TmlFlatSink *sink, DualVec x, DualVec n, Dual depth, Dual share,
                   const Dual curvature[2], uint64_t id);
/* (L3): what is left of a share when the common length is not well above twice the depth. */
Dual tml_flat_share(Dual length, Dual depth, double radius);
/* The share of lines and faces of which sine is that of the angle between them: one minus (L1). */
Dual tml_along_share(Dual sine);
