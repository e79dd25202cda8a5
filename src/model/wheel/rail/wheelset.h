/* model/wheel/rail/wheelset.h - a rigid wheelset on rigid rails: contact points, rolling radii and conicity. */
#pragma once

#include "model/wheel/rail/rail_touch.h"

/* One wheel: 0 left, 1 right. */
typedef struct TmlWheelSide {
    const TmlRailPair *pair;
    double wheel_y;        /* of the tape circle from the middle of the axle, outward */
    double rail_y, rail_z; /* of the rail's origin from the middle of the track, outward, and up */
} TmlWheelSide;

typedef struct TmlWheelset {
    TmlWheelSide side[2];
    double below; /* y of a place is that of the point so far below the axle */
} TmlWheelset;

/* Middle of the axle in the axes of the track: x forward, y left, z up. yaw turns about z, then roll about
 * the x axis that it has left. */
typedef struct TmlWheelsetPlace {
    double y, z, yaw, roll;
} TmlWheelsetPlace;

/* What tml_rail_touches wants. */
void tml_wheelset_place(const TmlWheelset *w, int side, const TmlWheelsetPlace *at,
                        double place[RAIL_PLACE]);

/* Height and roll, for a given y and yaw, with which both wheels touch and none enters its rail. z and roll are where
 * the search starts. False: one of them is off its rail. */
bool tml_wheelset_settle(const TmlWheelset *w, TmlWheelsetPlace *at, TmlRailTouch touch[2]);

/* A function of the lateral shift by a table with increasing y. */
typedef struct TmlRadiusTable {
    int n;
    const double *y, *delta; /* shift; radius of the left wheel less that of the right one */
} TmlRadiusTable;

/* tan(gamma_e) at the amplitude, by EN 15302: the wave that y'' = -delta / (base radius) makes. NaN: the
 * motion would leave the table. */
double tml_equivalent_conicity(const TmlRadiusTable *t, double base, double radius,
                               double amplitude);
