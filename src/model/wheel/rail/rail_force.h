/* model/wheel/rail/rail_force.h - the force of a rail on a wheel, over all contacts. */
#pragma once

#include "model/wheel/rail/creep.h"
#include "model/wheel/rail/rail_touch.h"

typedef struct TmlRailLaw {
    TmlCreepLaw creep;
    double modulus;        /* E* of both, N/m^2 */
    double damping;        /* s/m: the normal force grows by this part for each m/s of approach */
    double flattest;       /* m: contacts are not flatter than a radius of this */
    double slow;           /* m/s: below it creepages are those of this speed */
    double coefficient[4]; /* f11, f22, f23, f33 in place of a theory */
    bool given;            /* whether they are */
} TmlRailLaw;

/* In the axes of the rail, see rail_touch.h, with derivatives by any six numbers. Rotations are counted as if the
 * axes were right-handed. */
typedef struct TmlRailMotion {
    Dual place[RAIL_PLACE];
    DualVec velocity, omega; /* of the wheel, at the middle of its tape circle, against the rail */
    Dual slope[2];           /* of the rail's origin over the way, in y and z */
} TmlRailMotion;

/* One contact, for results. */
typedef struct TmlRailContact {
    TmlRailTouch touch;
    Dual normal, fx, fy, mz; /* forces on the wheel along the normal, forward, along the profile */
    Dual xi, eta, phi;       /* creepages */
    Dual a, b;               /* half axes */
} TmlRailContact;

/* sum: force and moment about the middle of the tape circle, of all contacts; contact may be NULL. derivatives:
 * false, for values alone. Returns how many contacts there are, -1: off the rail. */
int tml_rail_force(const TmlRailPair *pair, const TmlRailLaw *law, const TmlRailMotion *m,
                   bool derivatives, Dual sum[6], TmlRailContact contact[RAIL_TOUCHES]);

/* Rigid surfaces with one contact, held by a constraint whose force on the wheel is `load`, in the axes of the rail. */
typedef struct TmlRailBound {
    DualVec load;
    double from; /* where on the wheel's profile the contact was, below 0: not known */
    /* out */
    Dual bearing, apart; /* the load; how much farther away the second place is, 1 m without one */
} TmlRailBound;

/* As above; sum has the creep forces alone. */
int tml_rail_force_bound(const TmlRailPair *pair, const TmlRailLaw *law, const TmlRailMotion *m,
                         bool derivatives, TmlRailBound *bound, Dual sum[6],
                         TmlRailContact contact[RAIL_TOUCHES]);
