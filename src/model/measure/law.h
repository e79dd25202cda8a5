/* model/measure/law.h - expressions that a type of force builds value by value, in code.
 *
 * Functions return the number of a value for expr/builder.h. What goes wrong first is remembered
 * and told when the law is bound; until then value 0 stands in.
 */
#pragma once

#include "expr/builder.h"
#include "model/measure/binding.h"

typedef struct TmlLaw {
    TmlBuilder build;
    const char *self, *joint; /* names of the element, and of the joint that it acts in or NULL */
    const TmlExprResolver *resolver;
    TmlArena scratch; /* names that are put together */
    TmlStatus status; /* of all that was built so far */
    TmlError *err;
} TmlLaw;

/* An output at whose zero the run ends: below it the force means nothing. */
typedef struct TmlForceStop {
    const char *output, *text; /* "hold", "has lost its rail" */
} TmlForceStop;

/* Expressions of a type of force. */
typedef struct TmlForceLaw {
    const TmlForceStop *stops; /* ends with an empty entry; NULL: none */
    /* Whether the k-th of them can happen to this element. NULL: all can. */
    bool (*can_stop)(const void *data, int k);

    /* Whether the force has kinks where something sets in or lets go. NULL: it has none. */
    bool (*kinks)(const void *data);

    /* The element is a wheel on a rail: its data are a TmlRailWheel (model/wheel/rail/rail_wheel.h). */
    bool on_rail;

    /* For types that take what they are from the joint in which they act. NULL: they do not. */
    TmlStatus (*from_joint)(void *data, const TmlConstraint *joint, TmlError *err);

    /* Nothing in them sets in unseen: they act wherever there is a load. */
    bool steady;

    /* The k-th of the unknowns F. */
    int (*f)(TmlLaw *law, const void *data, int k);

    /* Own states X, named "SELF.x1", "SELF.x2" and so on, which start at zero: how many this
     * element has, their size for error control, and the rate of the k-th. */
    int (*n_x)(const void *data);
    double (*x_scale)(const void *data);
    int (*x)(TmlLaw *law, const void *data, int k);
} TmlForceLaw;

/* A function of the model: tml_law_call(law, "reaction", "fx", 2, "pin", "pin.first"). member:
 * NULL when there is none; n names follow. */
int tml_law_call(TmlLaw *law, const char *function, const char *member, int n, ...);
/* The k-th state of the element itself, from 0 on. */
int tml_law_state(TmlLaw *law, int k);
/* The name of a frame of its joint: "first" or "second". */
const char *tml_law_frame(TmlLaw *law, const char *which);
void tml_law_fail(TmlLaw *law, const char *message);

static inline int law_num(TmlLaw *law, double value)
{
    return tml_build_const(&law->build, value);
}

static inline int law_add(TmlLaw *law, int u, int v)
{
    return tml_build_op2(&law->build, TML_OP_ADD, u, v);
}

static inline int law_sub(TmlLaw *law, int u, int v)
{
    return tml_build_op2(&law->build, TML_OP_SUB, u, v);
}

static inline int law_mul(TmlLaw *law, int u, int v)
{
    return tml_build_op2(&law->build, TML_OP_MUL, u, v);
}

static inline int law_div(TmlLaw *law, int u, int v)
{
    return tml_build_op2(&law->build, TML_OP_DIV, u, v);
}

static inline int law_square(TmlLaw *law, int u)
{
    return tml_build_power(&law->build, u, law_num(law, 2.0));
}

static inline int law_sqrt(TmlLaw *law, int u)
{
    return tml_build_function(&law->build, "sqrt", &u, 1);
}

/* From h0 at x0 to h1 at x1 by a quintic in x. */
static inline int law_step5(TmlLaw *law, int x, double x0, double h0, double x1, double h1)
{
    const int arg[] = {x, law_num(law, x0), law_num(law, h0), law_num(law, x1), law_num(law, h1)};
    return tml_build_function(&law->build, "step5", arg, 5);
}

/* The k-th expression of a type, bound to the model. joint: NULL, there is none. */
TML_NODISCARD TmlStatus tml_law_bind(TmlModel *model, const TmlForceLaw *type, bool rate,
                                     const void *data, int k, const char *self, const char *joint,
                                     TmlBinding **out, TmlError *err);
