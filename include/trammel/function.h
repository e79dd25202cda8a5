/* trammel/function.h - user-defined functions that expressions may call.
 *
 * A function registered under a name is called as name(a, b, ...) in every expression of a model:
 * rates of states, variables, forces and outputs. If it gives third derivatives, constraints and motions may
 * call it, too. Its arguments are themselves expressions.
 */
#pragma once

#include "trammel/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most arguments of a function, and of a function that gives first derivatives only. */
enum { TML_MAX_ARGS = 8, TML_MAX_ARGS_FIRST = 64 };

/* Value and derivatives of a function of n variables. */
typedef struct TmlJet {
    double value;
    double *g; /* n: first derivatives */
    double *H; /* n * n, symmetric */
    double *T; /* n * n * n, symmetric */
} TmlJet;

typedef struct TmlUserFunction {
    const char *name; /* letters, digits and _; case does not matter */
    const char *text; /* one sentence */
    int n_args;       /* 1 to TML_MAX_ARGS; to TML_MAX_ARGS_FIRST with order 1 */
    int order;        /* derivatives that eval gives: 1, 2 or 3; constraints and motions need 3 */
    void *user;

    /* Compute the function at arg[n_args] and its partial derivatives up to `order`, which is at most the
     * `order` of the table. Derivatives must be exact and continuous: the iterations of a step converge with
     * them. Arrays of derivatives arrive zeroed; those above `order` are NULL. All threads that run the model
     * call this many times a step, so the result may depend only on the arguments and on constant data
     * behind `user`. */
    void (*eval)(void *user, const double *arg, int order, TmlJet *out);
} TmlUserFunction;

#ifdef __cplusplus
}
#endif
