/* analysis/integrator/abm/abm.h - what the files of the explicit Adams methods share: the work of a
 * run, the equations (A1) to (A15) in the files that hold them.
 *
 *   abm.c         (A1) to (A8)     one step, and the table of the method
 *   abm_order.c   (A9) to (A11)    order, step and stiffness
 *   abm_space.c   (A12), (A13)     the mechanism as an ordinary differential equation, norms
 *   abm_start.c   (A14)            history for a fixed order
 *   abm_close.c   (A15)            onto the constraints, and evaluated
 */
#pragma once

#include "analysis/integrator/abm/abm_formula.h"
#include "analysis/integrator/integrator.h"
#include "system/coordinates/partition.h"

enum { ADAMS_COLUMNS = 8 }; /* of the extrapolation (A14) */

typedef struct AdamsOptions {
    int order;
    double aim;
} AdamsOptions;

typedef struct AdamsWork {
    TmlPartition *partition;
    bool chosen;
    double answer, best; /* of dependent coordinates when they were chosen; least so far */
    bool *dependent[2];  /* nu: positions, velocities */
    int n;               /* 2 nq + nx */

    // history
    int k;                  /* order of the next step */
    int top;                /* differences that are there */
    int equal;              /* steps of the last size in a row */
    int points;             /* accepted steps since the start */
    double past[ADAMS_PHI]; /* step sizes, newest first */
    double *phi[ADAMS_PHI]; /* n each */

    // of the last try
    AdamsStep c;
    double *S[ADAMS_PHI];         /* n each */
    double *p, *d, *f;            /* n: prediction; differences (A4), (A6) */
    double *raw, *du;             /* nu */
    double *mixed;                /* n */
    double e[4];                  /* e_{k-2}, e_{k-1}, e_k, e_{k+1} */
    double size, plain;           /* h |d|, and of independent coordinates only */
    int lower, next;              /* order after a failure, after success */
    double *table[ADAMS_COLUMNS]; /* n each, for a fixed order */
    bool complete;                /* corrected and evaluated */
    bool weak;                    /* a singular position was near at the last evaluation */
    double *before, *change;      /* 2 nq: what closing began with, and has changed */

    bool rising;  /* start-up phase: order and step grow at every step */
    int failures; /* in a row */
    int stiff;
    bool told;
    char message[320];
} AdamsWork;

/* --- abm_space.c --- */

/* y = (q, q', X) and f = (q', q'', X') of a state, and back. store_f sets q'' and X' only: unknowns
 * that are solved for start from the extrapolated ones. */
void tml_adams_load_y(const TmlSystem *sys, const TmlState *s, double *y);
void tml_adams_store_y(const TmlSystem *sys, const double *y, TmlState *s);
void tml_adams_load_f(const TmlSystem *sys, const TmlState *s, double *f);
void tml_adams_store_f(const TmlSystem *sys, const double *f, TmlState *s);

/* Returns h |dy| by (A12), of all coordinates or of the independent ones only. *at is the unknown
 * where it is largest; it may be NULL. */
double tml_adams_norm(const TmlIntegrator *it, const double *dy, bool all, double h, int *at);

/* Returns h |dy| to compare orders by: it counts independent coordinates, and for the others as
 * much as d has, which saves solving for them. */
double tml_adams_norm_like(TmlIntegrator *it, const double *dy);

/* Chooses independent coordinates at s when there are none yet, or (A13) says so. */
TML_NODISCARD TmlStatus tml_adams_choose_coordinates(TmlIntegrator *it, const TmlState *s,
                                                     TmlError *err);

/* --- abm_close.c --- */

/* Evaluates f at q, v, X of s, which are put onto the constraints first by (A15); `least` says that
 * the least move is wanted anyway. An unusable state is an outcome, told in `out`. */
TML_NODISCARD TmlStatus tml_adams_evaluate(TmlIntegrator *it, TmlState *s, bool least,
                                           TmlAttempt *out, TmlError *err);

/* Returns h |dy| of what the least move leaves of dy. */
double tml_adams_norm_along(TmlIntegrator *it, const double *dy, int *at);

/* True when the least move leaves less of w->d than independent coordinates that stay; after the
 * evaluation of the prediction. */
bool tml_adams_least_is_better(TmlIntegrator *it);

/* --- abm.c --- */

/* Computes S and the prediction p by (A1) and (A2), with it->next there. */
void tml_adams_predict(TmlIntegrator *it, double h);

/* --- abm_order.c --- */

/* Does the second half of (A9), and leaves the error of the chosen order in *e. */
int tml_adams_choose_order(TmlIntegrator *it, double *e);

/* Return the step of (A10) after success, and after an error. */
double tml_adams_choose_step(const TmlIntegrator *it, double e);
double tml_adams_shorter_step(const AdamsWork *w);

/* Returns how many steps in a row had the size of the last try, that one counted. */
int tml_adams_equal_steps(const AdamsWork *w);

/* Returns the message of (A11) once, else NULL. */
const char *tml_adams_stiffness(TmlIntegrator *it);

/* --- abm_start.c --- */

/* Makes a step without history for the fixed order by (A14). */
TML_NODISCARD TmlStatus tml_adams_lead_in(TmlIntegrator *it, double h, TmlAttempt *out,
                                          TmlError *err);
