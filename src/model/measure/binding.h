/* model/measure/binding.h - an expression tied to the things of a model.
 *
 * A binding knows the compiled expression, the frames its measures look at (its own ends, laid out
 * as the ends of an element), and the unknowns it reads: multipliers, states, their rates,
 * variables, force unknowns. It gives its value and exact derivatives by all of them.
 */
#pragma once

#include "expr/expr.h"
#include "model/model.h"
#include "trammel/element.h"

/* Unknowns of equation (8) of [003] that an expression may read besides motion. */
typedef enum TmlUnknownKind {
    TML_UNKNOWN_LAMBDA,  /* index: constraint, row: its row */
    TML_UNKNOWN_X,       /* index: state */
    TML_UNKNOWN_XDOT,    /* index: state */
    TML_UNKNOWN_V,       /* index: variable */
    TML_UNKNOWN_VDOT,    /* index: variable whose rate it is; none in a finished model */
    TML_UNKNOWN_F,       /* index: force element, row: which of its F */
    TML_UNKNOWN_PLACE,   /* index: of model->places; no unknown, but a value like one */
    TML_UNKNOWN_CONTACT, /* index: of model->contact_values; likewise */
    TML_UNKNOWN_BRISTLE, /* index: component of a bristle, whose rate it is; likewise */
} TmlUnknownKind;

typedef struct TmlUnknown {
    TmlUnknownKind kind;
    int index, row;
} TmlUnknown;

enum { TML_BIND_MAX_UNKNOWNS = 64 }; /* read by one expression; more is an error of the model */

typedef struct TmlLeaf TmlLeaf; /* one measure; see binding.c */
typedef struct TmlPast TmlPast; /* of a delayed value; see past.h */

typedef struct TmlBinding {
    const char *text, *where; /* as written; "variable 'speed'" for messages */
    TmlExpr *expr;
    bool rate;     /* its value is the derivative of expr by time: leaves, then their rates */
    int n_leaves;  /* including time */
    TmlLeaf *leaf; /* n_leaves; entry 0 is time */
    int n_ends;
    TmlEnd *end; /* n_ends <= TML_MAX_ENDS */
    int n_unknowns;
    TmlUnknown *unknown; /* n_unknowns */
    bool uses_motion, uses_twist, uses_acceleration;
    bool steady;  /* nothing in it sets in unseen, as its type of force says (TmlForceLaw) */
    int n_memory; /* turn counts of its angles */
    size_t work;  /* doubles that any evaluation below needs */
} TmlBinding;

/* What a binding is evaluated with; read only but for work. */
typedef struct TmlBindIn {
    const TmlFrameKin *e; /* n_ends */
    double t;             /* that expressions see: on one side of a jump */
    const double *u;      /* n_unknowns: values of the unknowns */
    const double *memory; /* n_memory */
    double *work;
    const TmlPast *past; /* one for each delay of the model; NULL: nothing is delayed, as at rest */
    bool rest;           /* time stands still: statics */
    double shift; /* s: the time itself less t; delays count from that and know their own sides */
} TmlBindIn;

/* Derivatives; every array has the length of its counterpart and is overwritten. */
typedef struct TmlBindGrad {
    double value;
    TmlRow *q; /* n_ends: by the motions, at fixed twists and accelerations */
    TmlRow *v; /* n_ends: by the twists */
    TmlRow *a; /* n_ends: by the accelerations */
    double *u; /* n_unknowns */
} TmlBindGrad;

/* Compile `text` for the finished names of the model. where: what it belongs to, for messages.
 * allowed: which classes of leaf may occur (bits below); others are errors that say so. */
enum {
    TML_ALLOW_MOTION = 1,       /* displacements and angles */
    TML_ALLOW_TWIST = 2,        /* velocities */
    TML_ALLOW_ACCELERATION = 4, /* accelerations */
    TML_ALLOW_UNKNOWNS = 8,     /* reactions, states, variables, forces, contacts */
    TML_ALLOW_ALL = 15,
    TML_ALLOW_PLACES = 16, /* outputs of flexible bodies, which have no derivatives */
    TML_ALLOW_TIME_ONLY = 0,
};
TML_NODISCARD TmlStatus tml_binding_create(TmlModel *model, const char *text, const char *where,
                                           unsigned allowed, TmlBinding **out, TmlError *err);

/* The derivative of another binding by time, as a binding of its own that reads rates of what that
 * one reads; rates of variables as TML_UNKNOWN_VDOT. TML_E_MODEL: the message says what has no
 * rate.
 */
TML_NODISCARD TmlStatus tml_binding_rate_create(TmlModel *model, const TmlBinding *of,
                                                const char *where, TmlBinding **out, TmlError *err);

/* Does the value depend on unknown k at all? Expressions are looked at, functions of the caller's
 * own are tried. */
bool tml_binding_reads(const TmlBinding *b, int k);

double tml_binding_value(const TmlBinding *b, const TmlBindIn *in);
void tml_binding_gradient(const TmlBinding *b, const TmlBindIn *in, TmlBindGrad *out);

/* For bindings of motion and time only (constraints and drivers), rates along the twists of in->e:
 *   partial derivative by time;  rows by motion differentiated by time;
 *   value'' at zero accelerations, i.e. minus gamma;
 *   K += scale * derivative of the rows by the motions. */
double tml_binding_dt(const TmlBinding *b, const TmlBindIn *in);
void tml_binding_rows_dt(const TmlBinding *b, const TmlBindIn *in, TmlRow *Jt);
double tml_binding_second_rate(const TmlBinding *b, const TmlBindIn *in);
void tml_binding_curvature(const TmlBinding *b, const TmlBindIn *in, double scale, double *K);
/* Derivatives of the second rate by the motions and by the twists (state-space methods). */
void tml_binding_second_rate_tangent(const TmlBinding *b, const TmlBindIn *in, TmlRow *Gm,
                                     TmlRow *Gv);
/* Partial derivative of the second rate by time. */
double tml_binding_second_rate_dt(const TmlBinding *b, const TmlBindIn *in);

/* Value and first three derivatives by time of a binding that reads time only. */
void tml_binding_time(const TmlBinding *b, double t, double *work, double d[4]);

void tml_binding_commit(const TmlBinding *b, const TmlBindIn *in, double *memory);

/* Every function of a model (DX, angle, reaction, ...) for help and reference. */
void tml_binding_functions(void (*visit)(void *arg, const char *name, const char *signature,
                                         const char *text),
                           void *arg);
