/* io/search/minimise.h - the least value of a function under constraints, by the methods of NLopt. */
#pragma once

#include "trammel/base.h"

/* f and c at u in the unit cube, with df[n] and dc[m x n] where these are not NULL. c[0 .. n_below): not above 0; the others: 0.
 * False: the search is to stop. */
typedef bool (*TmlProgramValue)(void *user, const double *u, double *f, double *c, double *df,
                                double *dc);

typedef struct TmlProgram {
    const char *method;
    int n, n_below, n_equal;
    int evaluations; /* at most */
    double accuracy; /* of u */
    double step;     /* first one, of methods without slopes */
    double feasible; /* of c */
    unsigned long seed;
    TmlProgramValue value;
    void *user;
} TmlProgram;

/* Whether a method takes derivatives; whether it looks everywhere. */
bool tml_method_has_slopes(const char *method);
bool tml_method_is_global(const char *method);
/* Why a method cannot do with such constraints; NULL: it can. */
const char *tml_method_lacks(const char *method, int n_below, int n_equal);

/* Begins at u, which gets what the method returns. *why: how it ended. */
TML_NODISCARD TmlStatus tml_minimise(const TmlProgram *p, double *u, bool *converged,
                                     const char **why, TmlError *err);
