/* model/contact/pair_force.h - the force that two shapes on two moving frames exert on each other. */
#pragma once

#include "model/contact/contacts.h"

/* What holds between two shapes. */
typedef struct TmlContactLaw {
    const TmlPressType *press;
    const void *press_data;
    const TmlSlipType *slip; /* NULL: no friction */
    const void *slip_data;
    const TmlRollType *roll; /* NULL: nothing resists rolling and spinning */
    const void *roll_data;
} TmlContactLaw;

/* On which side of onset and release a point is, where steps end on them (events: locate). */
typedef enum TmlSide {
    TML_SIDE_OPEN,    /* no force, however the step goes on */
    TML_SIDE_PRESSED, /* the law, continued beyond where its force or the depth becomes zero */
    TML_SIDE_SLACK,   /* they overlap, and the law has cut its force to zero */
    TML_SIDE_NONE     /* the law as it is */
} TmlSide;

/* Which sides points keep within a step. */
typedef enum TmlSided {
    TML_SIDED_NONE, /* none: laws as they are */
    TML_SIDED_JUMPS, /* those of jumps: where a gap closes, and where it opens if the law pulls; N >= 0 is cut as ever */
    TML_SIDED_ALL /* all (events: locate) */
} TmlSided;

/* What is remembered of a point of a pair from one accepted state to the next. */
typedef struct TmlPointMemory {
    uint64_t id;
    double
        entry; /* m/s: rate of the depth when the gap closed; negative while it is open: minus the rate */
    double
        before; /* m/s: the entry at the state before, 0: it was open; rows within the step in which
                    * a gap opens read it */
    TmlSide side;
    bool held; /* the two below are set */
    TmlVec3 anchor
        [2]; /* m: of each frame, in its axes: the material that lay on that of the other when the point was
                        * laid down, or does at no deflection of its bristle */
} TmlPointMemory;

/* The slip of points in the course of an iteration. A law of friction that saturates makes Newton's method jump
 * to and fro across v = 0; where a correction has turned a slip round, from beyond the width of the law to beyond
 * it on the other side, the law is replaced once by its tangent at v = 0. */
enum { TML_SLIPS = 8 };
typedef struct TmlSlipWatch {
    int n;
    uint64_t id[TML_SLIPS];
    TmlVec3 v[TML_SLIPS];     /* at the last residual; zero: where the tangent was taken */
    bool straight[TML_SLIPS]; /* the tangent at v = 0 stands for the law */
} TmlSlipWatch;

/* Points whose friction is within its width, as stiff as it gets, in the matrix that was made last. */
typedef struct TmlStiffSlips {
    int n;
    uint64_t id[TML_SLIPS];
} TmlStiffSlips;

/* Bristles of a pair: states that points have. */
typedef struct TmlBristles {
    int n;            /* at most 64 */
    int home;         /* 0, 1: the frame that they turn with */
    const double *id; /* n: one more than the identity of the point that has it; 0: free */
    const double *y;  /* 3 n: deflections in the axes of that frame, m */
    double *rate;     /* 3 n: tml_pair_force sets their rates, m/s */
} TmlBristles;

/* Derivatives of and by one bristle, row major. */
typedef struct TmlBristleTangent {
    bool used;                         /* a point has it; if not, nothing else is set */
    double wrench[12 * 3];             /* of the wrenches by y */
    double by_q[3 * 12], by_v[3 * 12]; /* of its rate by the motions and the twists */
    double by_y[3 * 3];
} TmlBristleTangent;

/* A pair at one moment. Frame k carries shape k at place k. */
typedef struct TmlPairIn {
    bool absent; /* there is nothing to see: no points */
    TmlShape shape[2];
    const TmlPose *place[2];
    const TmlFrameKin *e[2];
    const TmlContactLaw *law;
    double
        acts; /* where forces act: 0 midway, 1 on the surface of the first, -1 on that of the second */
    double reach; /* m: gaps below it are looked at */
    double least; /* m: lengths below it are rounding of positions */
    double
        weight; /* 0: single points; of a station of a flexible body the length or area that it stands for: laws
                      speak of one metre then */
    const TmlPointMemory *memory;
    int n_memory;
    TmlSided sided;              /* points keep the sides that are remembered */
    bool crowded;                /* not all points are remembered */
    bool still;                  /* statics: friction holds by the way from the anchors */
    const TmlBristles *bristles; /* NULL: none */
    TmlSlipWatch
        *watch; /* NULL: nothing iterates; tml_pair_force writes it, tml_pair_tangent reads it */
    bool held;  /* tml_pair_force reads it as well */
    bool
        single; /* the iteration corrects one state by each residual: bristles that turn round are noted as well */
    TmlStiffSlips
        *stiff; /* NULL, or tml_pair_tangent adds points that slip within the width of their law */
} TmlPairIn;

/* One point of the pair, in global axes. */
typedef struct TmlPairPoint {
    uint64_t id;
    TmlVec3 p, n, friction;
    TmlVec3
        z; /* m: deflection of its bristle, or the way from its anchors, within the tangent plane */
    double depth, rate, size; /* m, m/s, m^3 */
    double share;             /* of the bristle of its pair: (C17) */
    double force;             /* N, along n on the second */
    double curvature[2];      /* 1/m */
    bool closed;              /* it touches: by its depth, or by its side */
    TmlSide side;
} TmlPairPoint;

typedef struct TmlPairForce {
    TmlRow w[2];          /* on each frame, about its origin */
    int touching;         /* points that touch */
    double depth;         /* m: the largest; negative: minus the gap; -HUGE_VAL: out of reach */
    double force;         /* N: sum of the normal forces */
    double stored;        /* J */
    double power_elastic; /* W: of the part that is stored, into the frames */
    double power_press;   /* W: of the rest of the normal forces, negative: lost */
    double power_slip;    /* W: of friction, of rolling and spinning too */
    bool straight;        /* somewhere the tangent at v = 0 stands for a law of friction */
} TmlPairForce;

/* point: TML_TOUCH_MAX places, or NULL. Returns the number of points within reach. */
int tml_pair_force(const TmlPairIn *in, TmlPairForce *out, TmlPairPoint *point);

/* Kq, Kv += derivatives of w by the motions at fixed twists and by the twists: 12 x 12, row major, in
 * the order of TmlForceType.tangent. bristle: one for each of in->bristles, zeroed, or NULL. False: nothing
 * touches. */
bool tml_pair_tangent(const TmlPairIn *in, double *Kq, double *Kv, TmlBristleTangent *bristle);

/* Derivatives of the sum of normal forces by the motions and the twists, and of the largest depth by the motions,
 * in the order of the columns of Kq and Kv. */
typedef struct TmlPairRates {
    double force_q[12], force_v[12], depth_q[12];
} TmlPairRates;
void tml_pair_rates(const TmlPairIn *in, TmlPairRates *out);

/* s: when the next gap of the pair closes to the depth `to`, m, or, where the force of the law jumps, opens;
 * from gaps, their rates and second rates at the motion of the frames, accelerations included. HUGE_VAL: not
 * before `horizon`. release, NULL: not wanted: the same of the first single point that touches and opens, with a force that
 * ends there and does not jump. */
double tml_pair_onset(const TmlPairIn *in, double to, double horizon, double *release);

/* --- sides (pair_sides.c) ------------------------------------------------------------------------ */

/* The side of a point: its own; for one that is not remembered, the law as it is where others of the pair are pressed,
 * and open where none is. Pieces of a patch have none. */
TmlSide tml_pair_side(const TmlPairIn *in, const TmlTouch *t);

/* What may end a side: value > 0 before, < 0 behind. */
typedef enum TmlSideEnd {
    TML_TURN_CLOSES,   /* m: the least gap of open points */
    TML_TURN_OPENS,    /* m: the least depth of pressed ones */
    TML_TURN_RELEASES, /* N: their least force, of laws that do not pull */
    TML_TURN_RETURNS,  /* N: minus the largest force of slack ones */
    TML_TURNS
} TmlSideEnd;

/* slack: values this small are zero, for gaps that may be off by `to`, m. */
void tml_pair_turns(const TmlPairIn *in, double to, double value[TML_TURNS],
                    double slack[TML_TURNS]);

/* The sides from which a step starts that the last one has ended where it did: side[k] of in->memory[k], by gaps and forces
 * that are zero and how they change, accelerations included. rate[k], m/s: with which it closes. Whether any is another. */
bool tml_pair_cross(const TmlPairIn *in, double to, TmlSide *side, double *rate);
/* The same at any accepted state, of points that have opened and that nothing has looked for, as their force was cut. */
bool tml_pair_opened(const TmlPairIn *in, double to, TmlSide *side, double *rate);
