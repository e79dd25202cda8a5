/* trammel/function.h - functions of the caller's own that expressions may call.
 *
 * A function registered under a name is called as name(a, b, ...) in every expression of a model:
 * rates of states, variables, forces, outputs, and, when its derivatives reach far enough,
 * constraints and motions. Its arguments are expressions themselves.
 */
#pragma once

#include "trammel/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arguments of one function, and of one that gives first derivatives only. */
enum { TML_MAX_ARGS = 8, TML_MAX_ARGS_FIRST = 64 };

/* Value and derivatives of a function of n variables. */
typedef struct TmlJet {
    double value;
    double *g; /* n: first derivatives */
    double *H; /* n * n, symmetric */
    double *T; /* n * n * n, symmetric */
} TmlJet;

typedef struct TmlUserFunction {
    const char *name; /* letters, digits and _; upper and lower case are equal */
    const char *text; /* one sentence */
    int n_args;       /* 1 to TML_MAX_ARGS; to TML_MAX_ARGS_FIRST with order 1 */
    int order;        /* derivatives that eval gives: 1, 2 or 3; constraints and motions need 3 */
    void *user;

    /* Value of the function at arg[n_args], and its partial derivatives up to `order` (0 to the one
     * above), exact and continuous: they decide whether steps converge. Arrays of derivatives
     * arrive zeroed; those above `order` are NULL. Called many times a step, by all threads that
     * run the model, so it depends on nothing but its arguments and what `user` holds unchanged. */
    void (*eval)(void *user, const double *arg, int order, TmlJet *out);
} TmlUserFunction;

#ifdef __cplusplus
}
#endif
