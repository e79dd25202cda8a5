/* model/wheel/road/road.h - surfaces that tyres roll on.
 *
 * A road is a height over a plane: z = h(x, y) in the axes of the road, x along it and z up. It stands where
 * `position` and `rotation` put it at the start, and moves with the body that carries it: the first body of
 * the tyre.
 */
#pragma once

#include "base/arena.h"
#include "math/vec3.h"
#include "trammel/element.h"

/* Height, slopes and second derivatives at (x, y); factor of the coefficients of friction there. */
typedef struct TmlRoadPoint {
    double h, x, y, xx, xy, yy, friction;
} TmlRoadPoint;

/* A line where the height or its slope jumps. */
typedef struct TmlRoadEdge {
    TmlVec3 at, along; /* the place on it, and its direction, of length 1 */
} TmlRoadEdge;

/* How far a place is from the border in the plane, above 0 inside, and its derivatives. */
typedef struct TmlRoadBorder {
    double inside, x, y;
} TmlRoadBorder;

/* A type of road: one file, and one line in roads.def. */
typedef struct TmlRoadType {
    TmlTypeInfo info;

    /* Reject data that single-value ranges cannot exclude. NULL: accept. */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Completes the data, with memory of the arena. NULL: nothing to do. */
    TmlStatus (*prepare)(void *data, TmlArena *arena, TmlError *err);

    void (*at)(const void *data, double x, double y, TmlRoadPoint *out);

    /* Edges that the straight way between two places crosses. Returns how many were written, at most n. NULL: there are
     * none. */
    int (*edges)(const void *data, const double from[2], const double to[2], int n,
                 TmlRoadEdge *out);

    /* Where the road ends. NULL: it goes on for ever. */
    TmlRoadBorder (*border)(const void *data, double x, double y);

    /* Reads what the key `file` names; before check and prepare. NULL: there is no such key. */
    TmlStatus (*read_file)(void *data, const char *path, TmlArena *arena, TmlError *err);
} TmlRoadType;

typedef struct TmlRoad {
    const char *name; /* first, as in all lists of names */
    const TmlRoadType *type;
    const void *data;
    TmlVec3 position; /* global, at the start */
    TmlMat33 rotation;
    double friction;               /* factor of the tyre's coefficients */
    int ends;                      /* TmlRoadEnds */
    double x_range[2], y_range[2]; /* narrower than the road itself; infinite: not */
} TmlRoad;

typedef enum TmlRoadEnds { ROAD_STOPS, ROAD_GOES_ON } TmlRoadEnds;

/* Beside roads without a border, TmlRoadBorder.inside. */
#define ROAD_NO_BORDER 1e6

/* The types by name; NULL: there is none. */
const TmlRoadType *tml_road_type(const char *name);
/* All types; n may be NULL. */
const TmlRoadType *const *tml_road_types(int *n);

static inline void tml_road_at(const TmlRoad *road, double x, double y, TmlRoadPoint *out)
{
    *out = (TmlRoadPoint){.friction = 1.0};
    if (road != NULL) {
        road->type->at(road->data, x, y, out);
    }
}

/* Whether a run ends where the road does. */
bool tml_road_stops(const TmlRoad *road);
/* The nearest border, of the road or of its ranges. */
TmlRoadBorder tml_road_border(const TmlRoad *road, double x, double y);
/* The nearest side of a rectangle; sides may be infinite. */
TmlRoadBorder tml_road_rectangle(const double x[2], const double y[2], double at_x, double at_y);

typedef void (*TmlRoadHeight)(const void *data, double x, double y, TmlRoadPoint *out);
/* The edge across the road at x, with the higher of its two sides; false: the way does not cross it. */
bool tml_road_edge_across(TmlRoadHeight height, const void *data, const double from[2],
                          const double to[2], double x, TmlRoadEdge *out);
