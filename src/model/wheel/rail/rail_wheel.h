/* model/wheel/rail/rail_wheel.h - a wheel on a rail as a force of a model. */
#pragma once

#include "model/wheel/rail/rail_force.h"
#include "model/wheel/rail/track.h"
#include "model/wheel/wheel_pair.h"

typedef struct TmlRailWheel {
    const TmlTrack *track;
    const TmlRailProfile *profile, *rail; /* rail: NULL, the track's */
    int side;                             /* 0 left, 1 right */
    double radius, young, poisson, rail_young, rail_poisson;
    int creep;
    double friction, adhesion_factor, slip_factor;
    int cells;
    TmlReals coefficients;
    double damping, flattest, slow;
    /* by prepare */
    TmlRailPair pair;
    TmlRailLaw law;
    double rail_y, rail_z; /* the rail's origin from the middle of the track, outward, and up */
    TmlMat33 R;            /* axes of the track in those of the first end */
    TmlVec3 o;             /* its origin from that of the first end, in axes of the track */
} TmlRailWheel;

/* The wheel on a rail that a force is; NULL: it is something else. */
struct TmlForce;
const TmlRailWheel *tml_rail_wheel_of(const struct TmlForce *force);

/* Where the wheel is on its rail, with all derivatives that its place c, axle s, velocity v and spin w have. */
typedef struct TmlRailView {
    Dual station;
    DualVec axes[3], origin; /* of the rail: x along, y outward, z up; in axes of the track */
    TmlRailMotion motion;
    double out; /* 1 left, -1 right: y outward is so many times y to the left */
} TmlRailView;

void tml_rail_view(const TmlRailWheel *p, const TmlWheelIn *in, TmlRailView *out);

/* Half of the distance of the rails' origins, and how high above the top of the rail an origin is. */
TML_NODISCARD TmlStatus tml_rail_place(const TmlTrack *track, const TmlRailProfile *rail, double *y,
                                       double *z, TmlError *err);
