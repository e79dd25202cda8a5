/* model/wheel/rail/rail_touch.h - where a wheel touches a rail.
 *
 * Axes of a rail: x along it, forward, y outward, z up; its profile stands in y and z. For a rail on
 * the other side the picture is mirrored.
 */
#pragma once

#include "model/wheel/rail/rail_profile.h"

enum { RAIL_SAMPLES = 320, RAIL_TOUCHES = 6 };

/* A wheel and a rail, with points along both for the search. */
typedef struct TmlRailPair {
    const TmlRailProfile *wheel, *rail;
    double radius;                                                  /* of the wheel at z = 0 */
    double ws[RAIL_SAMPLES], wp[RAIL_SAMPLES][4];                   /* s; y, z and their slopes */
    double rs[RAIL_SAMPLES], rp[RAIL_SAMPLES][4], rk[RAIL_SAMPLES]; /* the same; curvature */
    double wheel_y[2], rail_y[2]; /* how far they reach, from and to */
    double flange, top;           /* height of the flange, of the rail's top */
} TmlRailPair;

void tml_rail_pair_prepare(const TmlRailProfile *wheel, const TmlRailProfile *rail, double radius,
                           TmlRailPair *pair);

/* Of the wheel against the rail: centre of the tape circle from the origin of the rail's profile, y
 * and z, and the unit vector along the axle, outward. */
enum { RAIL_CY, RAIL_CZ, RAIL_EX, RAIL_EY, RAIL_EZ, RAIL_PLACE };

/* All derivatives are by the five numbers of the place. */
typedef struct TmlRailTouch {
    Dual depth;       /* how far the undeformed surfaces overlap along the normal; below 0: a gap */
    Dual weight;      /* 1; less where the contact merges with another */
    Dual x, y, z;     /* point of the wheel, from the origin of the rail's profile */
    Dual ny, nz;      /* normal of the rail, up */
    Dual kx, ky;      /* curvatures of the gap along and across */
    Dual wheel, rail; /* s of both profiles */
    Dual radius;      /* from the axle to the point */
} TmlRailTouch;

/* All places where the wheel is deeper in the rail than its neighbourhood, and not farther from it
 * than `gap`, from the inside to the outside. Returns how many, -1: the wheel is not above the rail. */
int tml_rail_touches(const TmlRailPair *pair, const double place[RAIL_PLACE], double gap,
                     TmlRailTouch out[RAIL_TOUCHES]);

/* The one that is deepest; false: the wheel is not above the rail. */
bool tml_rail_deepest(const TmlRailPair *pair, const double place[RAIL_PLACE], TmlRailTouch *out);

/* The one that is reached from the place s of the wheel's profile by going where the gap gets smaller; s below 0: the deepest. */
bool tml_rail_near(const TmlRailPair *pair, const double place[RAIL_PLACE], double s,
                   TmlRailTouch *out);

/* How far the wheel is from losing its rail, m: from leaving it to either side, or from being lifted above the height
 * of its flange. Below 0: off the rail. */
Dual tml_rail_hold(const TmlRailPair *pair, const Dual place[RAIL_PLACE]);
