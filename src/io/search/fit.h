/* io/search/fit.h - a fit: what is compared with what, and what came out. */
#pragma once

#include "io/search/search.h"
#include "trammel/fit.h"

typedef struct TmlFitted {
    const char *name, *unit;
    int channel;
    double noise; /* NAN: estimated */
    double weight;
} TmlFitted;

typedef struct TmlMeasuredSet {
    const char *name;
    int n_times, n_given;
    double *time, *value; /* value: rows x outputs; NAN: a gap */
    const char **given;
    double *given_value;
    double weight;
    int first; /* of its numbers among all m: rows x outputs */
} TmlMeasuredSet;

struct TmlFit {
    TmlSearch s; /* y: for each set rows x outputs, gaps included */
    int n_outputs, n_sets;
    TmlFitted *output;
    TmlMeasuredSet *set;
    int iterations;
    double confidence;
    int points;     /* numbers that count */
    double *target; /* m; NAN: a gap */
    double *weight; /* m: root of the weights */
    double *scale;  /* n: sizes of parameters */
    /* what came out */
    double *x, *y, *d, *sigma; /* n, m, m x n, outputs */
    double *deviation, *low, *high, *correlation;
    TmlFitResult result;
};

/* --- fit_spread.c --- */

/* t with the probability p of a value below it; freedom: degrees of freedom. */
double tml_student_quantile(double p, int freedom);
/* C = J^T J of columns with length 1, J: residuals by parameters over their sizes; length[n]: of the columns; w, V: eigenvalues and
 * vectors of C. Buffers of n x n: C, V, unit. */
TML_NODISCARD TmlStatus tml_fit_normal(const TmlFit *f, const double *sigma, double *C, double *V,
                                       double *unit, double *w, double *length, TmlError *err);
/* Standard deviations, intervals and correlations of the result. */
TML_NODISCARD TmlStatus tml_fit_spread(TmlFit *f, TmlError *err);
/* Residual i over its deviation, and its derivative by parameter k over its size. */
double tml_fit_residual(const TmlFit *f, const double *y, const double *sigma, int i);
double tml_fit_slope(const TmlFit *f, const double *sigma, int i, int k);
