/* io/search/optimum.h - an optimisation: what is asked for, and what came out. */
#pragma once

#include "io/search/search.h"
#include "trammel/optimize.h"

/* Limits of a response; infinite: none. Equal: a value to keep. */
typedef struct TmlLimit {
    double min, max;
} TmlLimit;

struct TmlOptimum {
    TmlSearch s; /* y: responses */
    int n_responses;
    TmlResponse *response;
    TmlLimit *limit;
    double *factor; /* of responses in the objective */
    bool maximise;
    const char *method;
    int evaluations; /* 0: as the method has it */
    double accuracy;
    int seed;
    int n_used;        /* channels of responses */
    int *used, *place; /* place: of the channel of a response among them */
    /* what came out */
    double *x, *y, *first; /* the best: n, responses; responses of the start */
    TmlOptimumResult result;
};

/* optimum_read.c: limits of both kinds, and why the method cannot do with them (TML_E_ARGUMENT). */
void tml_optimum_limits(const TmlOptimum *o, int *n_below, int *n_equal);
TML_NODISCARD TmlStatus tml_optimum_check(const TmlOptimum *o, TmlError *err);
uint64_t tml_optimum_mark(const TmlOptimum *o);

/* optimum.c */
TmlStatus tml_optimum_values(TmlSearch *s, const double *x, bool tight, double *y, TmlError *err);
TmlStatus tml_optimum_slopes(TmlSearch *s, const double *x, double *y, double *d, TmlError *err);
