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

/* Height, slopes and second derivatives at (x, y). */
typedef struct TmlRoadPoint {
    double h, x, y, xx, xy, yy;
} TmlRoadPoint;

/* A type of road: one file, and one line in roads.def. */
typedef struct TmlRoadType {
    TmlTypeInfo info;

    /* Reject data that single-value ranges cannot exclude. NULL: accept. */
    TmlStatus (*check)(const void *data, TmlError *err);

    /* Completes the data, with memory of the arena. NULL: nothing to do. */
    TmlStatus (*prepare)(void *data, TmlArena *arena, TmlError *err);

    void (*at)(const void *data, double x, double y, TmlRoadPoint *out);

    /* Lines x = constant between two values of x where the height or its slope jumps. Returns how many were written,
     * at most n. NULL: there are none. */
    int (*edges)(const void *data, double from, double to, int n, double *x);
} TmlRoadType;

typedef struct TmlRoad {
    const char *name; /* first, as in all lists of names */
    const TmlRoadType *type;
    const void *data;
    TmlVec3 position; /* global, at the start */
    TmlMat33 rotation;
    double friction; /* factor of the tyre's coefficients */
} TmlRoad;

/* The types by name; NULL: there is none. */
const TmlRoadType *tml_road_type(const char *name);
/* All types; n may be NULL. */
const TmlRoadType *const *tml_road_types(int *n);

static inline void tml_road_at(const TmlRoad *road, double x, double y, TmlRoadPoint *out)
{
    *out = (TmlRoadPoint){0};
    if (road != NULL) {
        road->type->at(road->data, x, y, out);
    }
}
