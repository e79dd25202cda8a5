/* model/wheel/rail/rail_wheel.h - a wheel on a rail as a force of a model. */
#pragma once

#include "model/measure/law.h"
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
    int joint;  /* of rail_creep: the contact by constraint */
    bool bound; /* the load is the reaction of that */
    /* by prepare */
    TmlRailPair pair;
    TmlRailLaw law;
    double rail_y, rail_z; /* the rail's origin from the middle of the track, outward, and up */
    TmlMat33 R;            /* axes of the track in those of the first end */
    TmlVec3 o;             /* its origin from that of the first end, in axes of the track */
} TmlRailWheel;

/* Where a wheel and its rail are, in a table of parameters. */
#define RAIL_SEAT_PARAMS                                                                           \
    {"track", TML_PARAM_TRACK,   TML_ANY, "", offsetof(TmlRailWheel, track),                       \
     NULL,    "one of `tracks`", NULL},                                                            \
        {"side", TML_PARAM_CHOICE,         TML_ANY,     "", offsetof(TmlRailWheel, side),          \
         NULL,   "which rail it rolls on", "left|right"},                                          \
        {"profile",                                                                                \
         TML_PARAM_PROFILE,                                                                        \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         offsetof(TmlRailWheel, profile),                                                          \
         NULL,                                                                                     \
         "profile of the wheel, one of `profiles`",                                                \
         NULL},                                                                                    \
        {"rail",                                                                                   \
         TML_PARAM_PROFILE,                                                                        \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         offsetof(TmlRailWheel, rail),                                                             \
         "",                                                                                       \
         "profile of the rail, if not the one of the track",                                       \
         NULL},                                                                                    \
    {                                                                                              \
        "radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(TmlRailWheel, radius), NULL,         \
            "radius of the tape circle, which is where the profile has its origin", NULL           \
    }

#define RAIL_PARAM(member) offsetof(TmlRailWheel, member)

/* What creep forces are made of. */
#define RAIL_CREEP_PARAMS                                                                          \
    {"young",                                                                                      \
     TML_PARAM_REAL,                                                                               \
     TML_POSITIVE,                                                                                 \
     "Pa",                                                                                         \
     RAIL_PARAM(young),                                                                            \
     "2.1e11",                                                                                     \
     "modulus of elasticity of the wheel",                                                         \
     NULL},                                                                                        \
        {"poisson",                                                                                \
         TML_PARAM_REAL,                                                                           \
         TML_NONNEGATIVE,                                                                          \
         "",                                                                                       \
         RAIL_PARAM(poisson),                                                                      \
         "0.28",                                                                                   \
         "Poisson's ratio of the wheel",                                                           \
         NULL},                                                                                    \
        {"rail_young",                                                                             \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "Pa",                                                                                     \
         RAIL_PARAM(rail_young),                                                                   \
         "",                                                                                       \
         "that of the rail, if another",                                                           \
         NULL},                                                                                    \
        {"rail_poisson",                                                                           \
         TML_PARAM_REAL,                                                                           \
         TML_NONNEGATIVE,                                                                          \
         "",                                                                                       \
         RAIL_PARAM(rail_poisson),                                                                 \
         "",                                                                                       \
         "that of the rail, if another",                                                           \
         NULL},                                                                                    \
        {"creep",                                                                                  \
         TML_PARAM_CHOICE,                                                                         \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         RAIL_PARAM(creep),                                                                        \
         "polach",                                                                                 \
         "law of the creep forces",                                                                \
         "polach|fastsim|saturated|linear|table|coefficients"},                                    \
        {"friction",                                                                               \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         RAIL_PARAM(friction),                                                                     \
         "0.4",                                                                                    \
         "coefficient of friction",                                                                \
         NULL},                                                                                    \
        {"adhesion_factor",                                                                        \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         RAIL_PARAM(adhesion_factor),                                                              \
         "1",                                                                                      \
         "polach: factor of the slope in adhesion; below 1 for wet rails",                         \
         NULL},                                                                                    \
        {"slip_factor",                                                                            \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         RAIL_PARAM(slip_factor),                                                                  \
         "1",                                                                                      \
         "polach: factor of the slope in slip",                                                    \
         NULL},                                                                                    \
        {"cells",                                                                                  \
         TML_PARAM_INT,                                                                            \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         RAIL_PARAM(cells),                                                                        \
         "20",                                                                                     \
         "fastsim: cells along and across",                                                        \
         NULL},                                                                                    \
    {                                                                                              \
        "coefficients", TML_PARAM_REALS, TML_ANY, "", RAIL_PARAM(coefficients), "",                \
            "creep: coefficients: [f11, f22, f23, f33] in N, N, N m, N m^2, of a wheel", NULL      \
    }

#define RAIL_SLOW_PARAMS                                                                           \
    {"flattest",                                                                                   \
     TML_PARAM_REAL,                                                                               \
     TML_POSITIVE,                                                                                 \
     "m",                                                                                          \
     RAIL_PARAM(flattest),                                                                         \
     "10",                                                                                         \
     "contacts are not flatter across than this radius",                                           \
     NULL},                                                                                        \
    {                                                                                              \
        "slow", TML_PARAM_REAL, TML_POSITIVE, "m/s", RAIL_PARAM(slow), "0.1",                      \
            "creepages fade below this speed, which keeps them finite at standstill", NULL         \
    }

/* That there is a profile of the rail; what follows of profiles, track and the initial place, with all checks. */
TML_NODISCARD TmlStatus tml_rail_has_profile(const TmlRailWheel *p, TmlError *err);
TML_NODISCARD TmlStatus tml_rail_seat(TmlRailWheel *p, const TmlFrameKin *e, TmlError *err);

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

/* Functions and facts that the forces rail_wheel and rail_creep share. */
TML_NODISCARD TmlStatus tml_rail_wheel_check(const void *data, TmlError *err);
TML_NODISCARD TmlStatus tml_rail_wheel_prepare(void *data, const TmlFrameKin *e, int n_ends,
                                               TmlError *err);
void tml_rail_wheel_wrench(const TmlElementIn *in, TmlRow *w);
void tml_rail_wheel_tangent(const TmlElementIn *in, double *Kq, double *Kv);
void tml_rail_wheel_f_map(const TmlElementIn *in, TmlRow *P);
void tml_rail_wheel_output(const TmlElementIn *in, double *value);
void tml_rail_wheel_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of);
extern const TmlOutput tml_rail_wheel_outputs[];
extern const TmlForceStop tml_rail_wheel_stops[];

/* Contacts by constraint remember where on the wheel they are, in one number. Its place on the profile, below 0: not known. */
double tml_rail_memory(const double *memory);
void tml_rail_commit(const TmlElementIn *in, double *memory);
