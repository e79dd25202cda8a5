/* system/contact/touching.h - pairs of shapes that may touch, as forces of the system; internal to system/.
 *
 * Three lists, each a part of the one before:
 *
 *   shapes    all of the model; a body with shapes is one carrier with one end for all of them, a station of a
 *             flexible body is a carrier of its own
 *   near      pairs whose bounds, swollen by what their bodies may move, overlap; made anew between
 *             steps when a body may leave its margin (near.c)
 *   coupled   pairs of moving bodies that touch or are about to: their blocks are in the pattern of
 *             the matrices. A pair of bodies that is not coupled yet means new matrices, and every
 *             pair that is coupled for nothing means fill
 *
 * Contacts with ground or another body without coordinates need no blocks beside the diagonal ones.
 */
#pragma once

#include "model/contact/contact.h"
#include "system/contact/bounds_tree.h"
#include "system/system_internal.h"

enum { TML_HULL = 16 };          /* most points of the hull around a segment's path */
enum { TML_SLIP_STAGES = 3 };    /* states that an iteration may correct together */
enum { TML_MEMORY_VALUES = 12 }; /* numbers kept for each point: touching_memory.c */

/* One pair of shapes. */
typedef struct TmlNear {
    int shape[2], carrier[2], contact;
    double clear; /* m: the sum of moves of both bodies before they can touch: tml_near_look */
    int coupling; /* -1: one of the bodies does not move, or they are not coupled */
    int bristle;  /* its index in model->bristles; -1: none */
    TmlBristles bristles;  /* its bristles at the last kinematics */
    double onset;          /* s: time to the onset from the state last looked at; HUGE_VAL: none */
    bool close;            /* it is worth its blocks: scratch of near.c */
    bool wanted;           /* it touched without being coupled */
    bool travels;          /* one of the shapes is a segment */
    int memory0, n_memory; /* the memory of its points in TmlTouching.memory */
    TmlStiffSlips stiff;
    bool pressed;     /* one of its points is pressed at the last accepted state */
    bool faces;       /* all points there were pieces of a patch, which have no sides */
    double parts_at;  /* m: below this depth the pair has opened, and a step is to end there */
    bool was_pressed; /* scratch of touching_memory.c */
    TmlSlipWatch watch[TML_SLIP_STAGES]; /* the slips of each stage while a method iterates */
    bool passed;                         /* the last step has passed some turn */
    double turn
        [TML_TURNS]; /* those that a step has passed, at its end: sides.c; HUGE_VAL: not passed */
} TmlNear;

/* Two bodies that are coupled, the smaller number first, with their blocks (0, 1) and (1, 0) beside the diagonal. */
typedef struct TmlCoupling {
    int body[2];
    double block[2][TML_BODY_MAX_NU * TML_BODY_MAX_NU];
} TmlCoupling;

/* Blocks of one bristle: rows of its three states by the bodies of its pair, columns in these, and with itself. */
typedef struct TmlBristleBlock {
    double *row[2], *column[2], own[9]; /* 3 TmlSystem.stride */
} TmlBristleBlock;

/* What shapes are fixed to, and the end at which forces on them act. */
typedef struct TmlCarrier {
    int body;    /* the body that has the shapes, or that stands for a flexible body */
    int element; /* the flexible element that the carrier lies in; -1: none */
    int point; /* one more than the number of the point in that, or of the frame of a modal body; 0: a body that moves by itself */
    int end;
    double radius;      /* m: distance of its farthest point from its origin; 0: it has no bounds */
    double margin;      /* m: how far its points may move while the list of near pairs holds */
    double used;        /* the part of the margin that is used up: tml_near_look */
    bool stale;         /* its boxes were made anew with the last list */
    bool segment;       /* its point travels over the element */
    TmlSheetKind sheet; /* the surface that a segment travels over; none: it follows the axis */
    double reach;       /* m: half the width of the surface of a flat beam */
    bool open[4];  /* of a segment: nothing goes on behind this end of it; as in TmlBodyShape */
    int corner[2]; /* as in TmlBodyShape */
    bool fixed[2]; /* the point of the segment was at such an end when it was last found */
    int n_hull;
    double ball;            /* m: the radius of a sphere around the hull */
    TmlVec3 hull[TML_HULL]; /* n_hull points around the segment when the list was made */
    TmlFrameKin at;         /* the motion of the carrier when the list was made */
} TmlCarrier;

/* Where a shape was when its box was made. */
typedef struct TmlShapePlace {
    TmlVec3 origin, middle,
        half; /* of its axes; of its box in these axes, the middle in global ones */
    TmlMat33 R;
    bool bounded;
    double round; /* m: the radius of a sphere around a segment; 0: it is no segment */
    double top;   /* an unbounded shape lies at z <= top of its axes; infinite: anywhere */
} TmlShapePlace;

struct TmlTouching {
    TmlCarrier *carrier; /* n_carriers */
    int n_carriers;
    int *carried_by;      /* the carrier of each shape */
    double h, part;       /* s: the last step that was asked about; `part` of the last list */
    TmlShapePlace *place; /* the place of each shape */
    TmlBox *box;          /* the box of each bounded shape, swollen by the margin of its carrier */
    int *bounded, n_bounded, *unbounded, n_unbounded; /* numbers of shapes */
    TmlBoundsTree tree;                               /* the tree of the boxes */
    bool listed;                                      /* a list has been made */
    int n, cap;
    TmlNear *near; /* n */
    int n_wanted, cap_wanted;
    TmlNear *wanted; /* n_wanted: pairs that the new list will have, while it is made */
    int n_couplings, cap_couplings;
    TmlCoupling *coupling;
    const double *X;          /* states at the last kinematics */
    bool still;               /* the state is one of statics */
    int n_bristles, bristle0; /* number of bristles; where their identities begin in sys->memory */
    bool bristles_changed;    /* bristles have other points since tml_system_free_bristles */
    double *bristle_rate;     /* 3 n_bristles */
    TmlBristleTangent *tangent; /* TML_BRISTLES_A_PAIR: scratch */
    TmlBristleBlock *block;     /* n_bristles */
    int memory0, slots;     /* in sys->memory: a count, then slots of TML_MEMORY_VALUES numbers */
    TmlPointMemory *memory; /* the slots in the order of the near pairs */
    bool probing;           /* a pattern is made at random states, which say nothing of contacts */
    bool uncoupled;         /* bodies that are not coupled have touched since the list was made */
    double *value_row;      /* TmlSystem.stride for each carrier: scratch of value_rates.c */
    bool iterating, straight; /* slips are watched; some law was replaced at the last residual */
    int stage;                /* the next residual notes the slips of this stage */
    bool asked, held; /* slips are noted at the next residual, and not at those that follow */
    int n_own,
        *own; /* flexible elements with stations, and behind these modal bodies with shapes; n_own */
    int *own_of;       /* the place of each element and modal body in `own`; NULL: there are none */
    double *own_block; /* n_own times TmlSystem.stride squared */
    bool keeps;        /* a run has begun: points of located contacts keep their sides */
    bool sided;        /* they do at the last state, which is not alone */
    bool jumps;        /* points whose law jumps keep their sides as well */
    bool released;     /* a pair has opened since tml_system_released was asked */
    bool crowded;      /* there are more points than are remembered */
    TmlTouchingStats stats;
};

/* touching.c: what the model asks for, before the other parts of the system are laid out; the ends. */
TML_NODISCARD TmlStatus tml_touching_setup(TmlSystem *sys, TmlError *err);
/* Makes room for the columns of the ends once their number is known. */
TML_NODISCARD TmlStatus tml_touching_room(TmlSystem *sys, TmlError *err);
void tml_touching_free(TmlSystem *sys);
void tml_touching_fill_ends(TmlSystem *sys);
/* stations.c: whether an end is that of a carrier. */
bool tml_touching_has_end(const TmlSystem *sys, int end);

/* At the last kinematics: wrenches on the ends, forces on segments in r[nu], and powers; blocks of the target matrix. */
void tml_touching_residual(TmlSystem *sys, double *r);
void tml_touching_blocks(TmlSystem *sys, TmlCoeffs c, double c_x, bool plain);
/* bristles.c: memory of bristles; what one pair adds to its blocks; all of them to the target matrix. */
TML_NODISCARD TmlStatus tml_bristles_setup(TmlSystem *sys, TmlError *err);
TML_NODISCARD TmlStatus tml_bristles_room(TmlSystem *sys, TmlError *err);
void tml_bristles_clear(TmlSystem *sys);
void tml_bristles_take(TmlSystem *sys, const TmlNear *near, const int *end, TmlCoeffs c);
void tml_bristles_emit(TmlSystem *sys, double c_x, bool plain);
/* Fixes at an accepted state which point has which bristle from now on. */
void tml_bristles_commit(TmlSystem *sys);
double tml_touching_stored(const TmlSystem *sys); /* J */

/* stations.c: blocks of flexible elements with themselves: pairs add to them, then all are handed over, with what turning
 * axes do to the wrenches on stations. */
TML_NODISCARD TmlStatus tml_own_setup(TmlSystem *sys, TmlError *err);
TML_NODISCARD TmlStatus tml_own_room(TmlSystem *sys, TmlError *err);
void tml_own_clear(TmlSystem *sys);
double *tml_own_block(const TmlSystem *sys, const TmlCarrier *c);
void tml_own_emit(TmlSystem *sys, TmlCoeffs c);

/* travel.c: moves the segment of a pair to where it is closest to the other shape; false: that is in no place of its
 * element. What it adds to the blocks of a pair beside those of a point that is fixed. */
bool tml_travel(const TmlSystem *sys, const TmlNear *near, double reach);
void tml_travel_blocks(TmlSystem *sys, TmlNear *near, const TmlPairIn *in, const double *Kq,
                       const double *Kv, TmlCoeffs c);

/* One way along which a point of a pair travels, at the last tml_travel: how it moves the frame, and what moves it. */
enum { TML_WAYS = 2 };
typedef struct TmlWay {
    int side, way;                 /* end of the pair; 0: along x of its element, 1: along y */
    TmlVec3 a, v_x, omega_x;       /* r_x, and changes of velocity and angular velocity with x */
    double row[2][TML_END_MAX_NU]; /* dx, by the columns of both ends, times a coefficient */
} TmlWay;
int tml_travel_ways(const TmlSystem *sys, const TmlNear *near, double c_q, TmlWay out[TML_WAYS]);
/* Points whose hull has all that a segment travels over, or rates of them. Returns how many; a sphere about them. */
int tml_segment_hull(const TmlSystem *sys, const TmlCarrier *c, int level, TmlVec3 out[TML_HULL]);
void tml_segment_ball(const TmlVec3 *hull, int n, TmlVec3 *middle, double *radius);

/* touching.c: adds the block of end i by end j of a pair. */
void tml_near_add(TmlSystem *sys, const TmlNear *near, int i, int j, const double *block);

/* near.c: the coupling of two bodies; -1: there is none. */
int tml_coupling_find(const TmlSystem *sys, int a, int b);

/* touching_memory.c: what is remembered of the points, at an accepted state whose kinematics are the
 * last; the near pairs find theirs again after the list or the memory has changed. */
void tml_touching_commit(TmlSystem *sys);
void tml_touching_remember(TmlSystem *sys);
/* Notes whether some points of a pair are pressed, as their memory tells. */
void tml_near_note_pressed(const struct TmlTouching *t, TmlNear *near);
/* Keeps what has changed in t->memory for the points of a pair. */
void tml_touching_keep(TmlSystem *sys, const TmlNear *near);
/* Takes over the memory of another system whose shapes are the same. */
void tml_touching_take(TmlSystem *sys, const TmlSystem *from);

/* near_pairs.c: room; near pairs in the order of their shapes, after the margins of `stale` bodies have changed. */
TML_NODISCARD TmlStatus tml_near_pairs_setup(TmlSystem *sys, TmlError *err);
TML_NODISCARD TmlStatus tml_near_pairs_find(TmlSystem *sys, TmlError *err);
/* sides.c: tells which sides the points of a pair keep. */
TmlSided tml_near_sides(const TmlSystem *sys, const TmlNear *near);

/* near.c: the first list, at the start s, whose kinematics are the last afterwards. */
TML_NODISCARD TmlStatus tml_touching_start(TmlSystem *sys, const TmlState *s, TmlError *err);

/* How far bodies have moved since their boxes were made, and may within a time h from the last kinematics. Until they
 * have used up what is clear between them, the pairs that sleep have nothing to say. */
void tml_near_look(TmlSystem *sys, double h);
static inline bool tml_near_sleeps(const struct TmlTouching *t, const TmlNear *near)
{
    // a point that is pressed may have a force beyond its gap, by the law continued
    return !(near->pressed && t->sided) &&
           t->carrier[near->carrier[0]].used + t->carrier[near->carrier[1]].used < near->clear;
}

/* The carrier of a shape; the end of shape k of a pair. */
static inline TmlCarrier *tml_carrier_of(const TmlSystem *sys, int shape)
{
    return &sys->touching->carrier[sys->touching->carried_by[shape]];
}
static inline int tml_near_end(const TmlSystem *sys, const TmlNear *near, int k)
{
    return tml_carrier_of(sys, near->shape[k])->end;
}

/* Whether some unknown moves it. */
static inline bool tml_carrier_moves(const TmlSystem *sys, const TmlCarrier *c)
{
    return tml_end_parts(sys, c->end)->cols > 0;
}

/* Whether both bodies move. */
bool tml_near_is_mutual(const TmlSystem *sys, const TmlNear *near);
/* How far a pair is looked at: as far as its bodies may move, m. */
double tml_near_reach(const TmlSystem *sys, const TmlNear *near);

/* What a near pair is given at the last kinematics. */
TmlPairIn tml_near_in(const TmlSystem *sys, TmlNear *near, double reach);

/* touching_values.c: which end of a pair of bodies is the one whose forces are meant, 0 or 1; -1: the pair is none that
 * was asked for. The same of a near pair. The pair that is deepest in each other; false: there is none. */
int tml_value_end(const TmlContactValue *value, int a, int b);
int tml_value_asks(const TmlSystem *sys, const TmlContactValue *value, const TmlNear *near);
bool tml_value_deepest(const TmlSystem *sys, const TmlContactValue *value, TmlNear *near,
                       double *reach);
/* value_rates.c: room; derivatives of an equation through the values of contacts that it reads, gu by its unknowns. */
TML_NODISCARD TmlStatus tml_contact_rates_room(TmlSystem *sys, TmlError *err);
void tml_contact_rates_emit(TmlSystem *sys, const TmlEquation *eq, int row, const double *gu,
                            double sign, TmlCoeffs c, double c_x);
