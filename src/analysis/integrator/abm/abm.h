/* analysis/integrator/abm/abm.h - what the files of the explicit Adams methods share: the work of a
 * run, the equations (A1) to (A15) in the files that hold them.
 *
 *   abm.c         (A1) to (A8)     one step, and the table of the method
 *   abm_order.c   (A9) to (A11)    order, step and stiffness
 *   abm_start.c   (A14)            history for a fixed order
 *   explicit/     (A12), (A13), (A15)  the mechanism as an ordinary differential equation, norms, constraints
 */
#pragma once

#include "analysis/integrator/abm/abm_formula.h"
#include "analysis/integrator/explicit/explicit_problem.h"

enum { ADAMS_COLUMNS = 8 }; /* of the extrapolation (A14) */

typedef struct AdamsOptions {
    int order;
    double aim;
    int coordinates;
} AdamsOptions;

typedef struct AdamsWork {
    TmlExplicit problem;
    int n; /* of the problem */

    // history
    int k;                  /* order of the next step */
    int top;                /* differences that are there */
    int equal;              /* steps of the last size in a row */
    int points;             /* accepted steps since the start */
    double past[ADAMS_PHI]; /* step sizes, newest first */
    double *phi[ADAMS_PHI]; /* n each */
    double *y;              /* n: at the end of the last step */

    // of the last try
    AdamsStep c;
    double *S[ADAMS_PHI];         /* n each */
    double *p, *d, *f;            /* n: prediction; differences (A4), (A6) */
    double t;                     /* s: its end */
    double *end, *rate;           /* n: y and f there, as last evaluated */
    double *mixed;                /* n */
    double e[4];                  /* e_{k-2}, e_{k-1}, e_k, e_{k+1} */
    double size, plain;           /* h |d|, and of independent coordinates only */
    int lower, next;              /* order after a failure, after success */
    double *table[ADAMS_COLUMNS]; /* n each, for a fixed order */
    bool complete;                /* corrected and evaluated */

    bool rising;  /* start-up phase: order and step grow at every step */
    int failures; /* in a row */
    int stiff;
    bool told;
    char message[320];
} AdamsWork;

/* --- abm.c --- */

/* Computes S and the prediction p by (A1) and (A2), and begins an evaluation there. */
void tml_adams_predict(TmlIntegrator *it, double h);

/* Returns h |dy| to compare orders by: it looks at a part of dy, and counts as much for the rest as d has. */
double tml_adams_norm_like(AdamsWork *w, const double *dy);

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
