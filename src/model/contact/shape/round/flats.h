/* model/contact/shape/round/flats.h - lines and discs that lie over flat faces. */
#pragma once

#include "model/contact/shape/round/solid.h"

enum {
    TML_DISC_CORNERS = 16, /* a disc is a polygon with so many corners */
    TML_FACE_CORNERS = 64  /* of faces that others lie on */
};

/* A convex face, counterclockwise from outside: n . x <= offset is the solid. */
typedef struct TmlFace {
    int count;
    DualVec corner[TML_FACE_CORNERS];
    DualVec normal;
    Dual offset;
} TmlFace;
/* An end of a solid, 1 or -1, as a face. */
void tml_cap_face(const TmlSolid *solid, const TmlDualPose *at, double sign, TmlFace *face);

/* The part of a line from a to b that lies over a face and below its plane. */
typedef struct TmlLine {
    DualVec a, b;   /* the line */
    Dual low, high; /* 0 to 1 */
} TmlLine;
bool tml_line_over(const TmlFace *face, DualVec n, TmlLine *line);

/* A disc: centre, two directions across its axis, radius. */
typedef struct TmlDisc {
    DualVec centre, across[2];
    double radius;
} TmlDisc;
/* An end of a solid, 1 or -1, as a disc. */
TmlDisc tml_cap_disc(const TmlSolid *solid, const TmlDualPose *at, double sign);

/* Moments of the parts of a disc that lie over faces and below their planes, in its two coordinates. */
typedef struct TmlArea {
    Dual area, first[2], second[3]; /* second: uu, uv, vv */
} TmlArea;
void tml_disc_over(const TmlFace *face, DualVec n, const TmlDisc *disc, TmlArea *area);

/* Centroid of an area, the root of its second moments, and the width of its narrower direction. False: the
 * area is nothing. */
typedef struct TmlFeet {
    Dual centre[2], root[3]; /* root: uu, uv, vv of S in (D1) */
    Dual width;              /* m */
} TmlFeet;
bool tml_area_feet(const TmlArea *area, double radius, TmlFeet *feet);
/* Foot k of four, by two unit directions across each other that have the coordinates x and y in the first's and second's
 * place: (D1) with S turned to them. */
DualVec tml_foot(const TmlDisc *disc, const TmlFeet *feet, const Dual direction[2], int k);

/* Where touches go, and the share of the force that is still to be given away. */
typedef struct TmlFlatSink {
    double reach;
    TmlTouch *touch;
    TmlTouchRate *rate;
    int n;
    Dual rest;
} TmlFlatSink;

/* Takes a part of the rest. */
Dual tml_flat_take(TmlFlatSink *sink, Dual part);
/* A foot whose two surfaces are at x, of the second shape, and at x + depth n. */
void tml_flat_foot(TmlFlatSink *sink, DualVec x, DualVec n, Dual depth, Dual share,
                   const Dual curvature[2], uint64_t id);
/* (L3): what is left of a share when the common length is not well above twice the depth. */
Dual tml_flat_share(Dual length, Dual depth, double radius);
/* The share of lines and faces of which sine is that of the angle between them: one minus (L1). */
Dual tml_along_share(Dual sine);

/* A solid over a face. */
typedef struct TmlLying {
    const TmlFace *face;
    const TmlSolid *solid;
    const TmlDualPose *at; /* of the solid */
    bool first;            /* the solid is the first shape */
    Dual depth, least;     /* along the normal of the face, and the least in any direction */
    double size;           /* R of (D4) */
    uint64_t id;           /* of the first foot */
} TmlLying;
/* The depth of the solid below the plane of the face. */
Dual tml_lying_depth(const TmlFace *face, const TmlSolid *solid, const TmlDualPose *at);
/* How much of the share feet on the face may have, by the last factor of (D4). */
Dual tml_lying_relevance(Dual depth, Dual least, double size);
/* Its side as a line over the face; false: it leans too much. */
bool tml_lying_line(const TmlFace *face, const TmlSolid *solid, const TmlDualPose *at,
                    TmlLine *line);
/* Feet of its side: two, at the ends of a line with a common length. Of its end, 1 or -1: four, of an area. Only the
 * plane of the face is read. */
void tml_line_stands(TmlFlatSink *sink, const TmlLying *o, const TmlLine *line, Dual common);
void tml_area_stands(TmlFlatSink *sink, const TmlLying *o, const TmlArea *area, double sign);
/* The same of one face. */
void tml_side_lies(TmlFlatSink *sink, const TmlLying *o);
void tml_cap_lies(TmlFlatSink *sink, const TmlLying *o, double sign);

/* Two solids that are no ellipsoids. taken: the share that others have, NULL: none. */
int tml_stacked_touch(const TmlSolid *a, const TmlSolid *b, const TmlPose *pose, const Dual *taken,
                      double reach, TmlTouch *touch, TmlTouchRate *rate);
