/* model/contact/shape/polyhedron/clip.h - regions between planes: their faces, with derivatives. */
#pragma once

#include "model/contact/shape/polyhedron/polyhedron.h"

/* n . x <= offset, n unit. Planes that move go with the second shape. */
typedef struct TmlPlane {
    TmlVec3 n;
    double offset;
    int id; /* no two of a region are equal; of coincident planes the lower one has the face */
    bool moves;
} TmlPlane;

typedef struct TmlPolygon {
    int n;
    TmlVec3 x[TML_POLYGON_CORNERS];
    int edge[TML_POLYGON_CORNERS]; /* the plane in which the side from x[k] to the next lies; -1 */
} TmlPolygon;

/* A face: area, centroid, and what they do when the second shape moves. */
typedef struct TmlFacet {
    int plane; /* index */
    double area, area_rate[TML_TOUCH_VARIABLES];
    TmlVec3 c, c_rate[TML_TOUCH_VARIABLES];
} TmlFacet;

typedef struct TmlRegion {
    int n;
    const TmlPlane *plane;
    TmlVec3 middle, r; /* a point near the region; origin of the second shape */
    double radius;     /* the region lies within this of `middle` */
    double slack;      /* m: rounding of a distance */
} TmlRegion;

/* The face of the region in its plane h. False: it has none. */
bool tml_region_face(const TmlRegion *R, int h, TmlPolygon *out);
/* Area and centroid, with derivatives when rates. False: the area is zero. */
bool tml_region_facet(const TmlRegion *R, int h, const TmlPolygon *face, bool rates, TmlFacet *out);
