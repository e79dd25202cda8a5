/* model/measure/measure.h - what a leaf of a bound expression measures.
 *
 * A leaf is a scalar of time, of an unknown, or of the motion of a few frames. Frames have slots:
 * from (0), to (1), the frame whose axes are used (2), the observer (3); a slot holds an index into
 * the ends of the binding, so one end may fill several slots.
 */
#pragma once

#include "model/measure/binding.h"

typedef enum TmlLeafKind {
    TML_LEAF_TIME,
    TML_LEAF_UNKNOWN,  /* a single unknown: state, rate of a state, variable */
    TML_LEAF_ALONG,    /* position level: distance along an axis */
    TML_LEAF_DISTANCE, /* position level: |d| */
    TML_LEAF_ANGLE,    /* position level: rotation about an axis, counts turns */
    TML_LEAF_EULER,    /* position level: one of three angles */
    TML_LEAF_RATE,     /* rate of the position-level measure `of` */
    TML_LEAF_VELOCITY,
    TML_LEAF_SPIN,   /* angular velocity */
    TML_LEAF_SECOND, /* second derivative by time of the position-level measure `of` */
    TML_LEAF_CHANGE, /* rate of a measure `of`: VELOCITY or SPIN */
    TML_LEAF_ACCELERATION,
    TML_LEAF_SPIN_RATE, /* angular acceleration */
    TML_LEAF_REACTION,
    TML_LEAF_FORCE,
    TML_LEAF_OUTPUT,  /* of a force element */
    TML_LEAF_DELAYED, /* a value some time ago: element is the delay, unknowns value and time */
} TmlLeafKind;

enum { TML_SLOT_FROM, TML_SLOT_TO, TML_SLOT_AXES, TML_SLOT_OBSERVER, TML_SLOTS };
enum { TML_AXIS_MAGNITUDE = 3 };

/* Which angle: rows of the table in measure.c. */
typedef enum TmlEulerAngle {
    TML_EULER_PSI,
    TML_EULER_THETA,
    TML_EULER_PHI,
    TML_EULER_YAW,
    TML_EULER_PITCH,
    TML_EULER_ROLL,
    TML_EULER_PROJECTED, /* three of them: about x, y and z of `from` */
    TML_EULER_COSINE =
        TML_EULER_PROJECTED + 3, /* nine of them: axis of `from`, axis of `to`, row major */
} TmlEulerAngle;

struct TmlLeaf {
    TmlLeafKind kind, of;
    int axis;            /* 0, 1, 2, or TML_AXIS_MAGNITUDE; EULER: TmlEulerAngle; OUTPUT: index */
    bool torque;         /* REACTION, FORCE: the torque, not the force */
    int slot[TML_SLOTS]; /* ends of the binding; -1: not used */
    double offset;       /* added to the value: whole turns, rad */
    int memory;          /* first of its values in the binding's memory; -1: none */
    int element;         /* REACTION: constraint; FORCE, OUTPUT: force; else -1 */
    const TmlConstraintType *constraint;
    const TmlForceType *force;
    const void *data; /* of the element */
    int n_ends;       /* of the element */
    int *end;         /* n_ends: ends of the binding */
    int n_unknowns;   /* lambdas or F of the element; 1 for UNKNOWN */
    int *unknown;     /* n_unknowns: unknowns of the binding */
};

/* A position-level measure at one state, in its slots FROM, TO, AXES. */
typedef struct TmlPosition {
    double value, rate, second; /* second: second derivative by time at zero accelerations */
    TmlRow J[3];                /* by the motions */
    TmlRow D[3];                /* of rate by the motions */
    TmlRow Sm[3], Sv[3];        /* of second by the motions and the twists */
    double K[18 * 18];          /* derivative of J by the motions, row major */
} TmlPosition;

static inline bool tml_leaf_is_position(const TmlLeaf *leaf)
{
    return leaf->kind >= TML_LEAF_ALONG && leaf->kind <= TML_LEAF_EULER;
}

/* Number of slots that a position-level measure uses. */
int tml_position_slots(TmlLeafKind kind);

/* level 0: value; 1: also J and rate; 2: also K, D and second; 3: also Sm and Sv. `kind` is that of
 * the leaf, or `of` for its rate. */
void tml_position_eval(const TmlLeaf *leaf, TmlLeafKind kind, const TmlBindIn *in, int level,
                       TmlPosition *out);

/* Does the angle count turns, i.e. need one value of memory? */
bool tml_position_turns(TmlLeafKind kind, int axis);

/* RATE, VELOCITY, SPIN, SECOND, CHANGE, ACCELERATION, SPIN_RATE. Gradients are added times `scale`.
 */
double tml_rate_value(const TmlLeaf *leaf, const TmlBindIn *in);
void tml_rate_gradient(const TmlLeaf *leaf, const TmlBindIn *in, double scale, TmlBindGrad *out);

/* REACTION, FORCE, OUTPUT. scratch: tml_element_scratch doubles. */
size_t tml_element_scratch(const TmlLeaf *leaf);
double tml_element_value(const TmlLeaf *leaf, const TmlBindIn *in, double *scratch);
void tml_element_gradient(const TmlLeaf *leaf, const TmlBindIn *in, double scale, double *scratch,
                          TmlBindGrad *out);
void tml_element_commit(const TmlLeaf *leaf, const TmlBindIn *in, double *memory);

/* row += s * (r, theta) */
static inline void tml_row_add(TmlRow *row, double s, const TmlRow *x)
{
    row->r = (TmlVec3){row->r.x + s * x->r.x, row->r.y + s * x->r.y, row->r.z + s * x->r.z};
    row->theta = (TmlVec3){row->theta.x + s * x->theta.x, row->theta.y + s * x->theta.y,
                           row->theta.z + s * x->theta.z};
}

/* --- rates of leaves (binding_rate.c) -------------------------------------------------------- */

/* What the rate of a leaf measures, at the same slots; false: it has none that could be measured.
 */
bool tml_leaf_rate(const TmlLeaf *leaf, TmlLeaf *out);

/* Value and gradient (order 0 or 1) of a binding that is a rate, at its leaves. */
size_t tml_rate_work(const TmlBinding *b);
void tml_rate_jet(const TmlBinding *b, const double *leaf, bool rest, int order, double *work,
                  TmlJet *out);

/* What follows from the leaves of a binding: what it uses, and its work memory (binding.c). */
void tml_binding_settle(TmlBinding *b);

/* --- names (measure_names.c) --------------------------------------------------------------- */

/* The leaves, ends and unknowns found while an expression is compiled. */
typedef struct TmlLeafList {
    TmlModel *model;
    const char *where;
    unsigned allowed;
    int n_leaves, cap_leaves;
    TmlLeaf *leaf; /* entry 0 is time */
    int n_ends;
    TmlEnd end[TML_MAX_ENDS];
    int n_unknowns, cap_unknowns;
    TmlUnknown *unknown;
    int n_memory;
    const char *misplaced; /* a name of the model that is no value, after it was met */
} TmlLeafList;

TML_NODISCARD TmlStatus tml_leaves_init(TmlLeafList *list, TmlModel *model, const char *where,
                                        unsigned allowed, TmlError *err);
void tml_leaves_free(TmlLeafList *list);

/* Resolver over the list; list must outlive it. */
TmlExprResolver tml_leaves_resolver(TmlLeafList *list);

/* A binding of a compiled expression and what was found for it. text, where: of the arena. */
TML_NODISCARD TmlStatus tml_binding_make(const TmlLeafList *list, TmlExpr *expr, const char *text,
                                         const char *where, TmlBinding **out, TmlError *err);
