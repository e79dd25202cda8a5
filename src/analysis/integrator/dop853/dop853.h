/* analysis/integrator/dop853/dop853.h - what the files of the explicit Runge-Kutta method of order 8 share.
 *
 *   dop853.c         (K1) to (K3)    one step, and the table of the method
 *   dop853_space.c   (K4), (K5)      the mechanism as an ordinary differential equation, norms
 *   dop853_error.c   (K6) to (K8)    error, and a word on stability
 *   dop853_dense.c   (K9)            the motion inside the last step
 */
#pragma once

#include "analysis/integrator/dop853/dop853_tables.h"
#include "analysis/integrator/integrator.h"

typedef struct TmlDop853 {
    int n;                 /* 2 nq + nx */
    double h;              /* s: of the last try */
    double *y0, *y1;       /* n: at the start of the last try, and at its end on the constraints */
    double *last;          /* n: the argument of the last stage */
    double *k[DOP853_ALL]; /* n each: f of the stages */
    double *y;             /* n: scratch */
    double *du;            /* nu: scratch */
    TmlState stage;
    TmlKept kept;
    double move; /* of the end onto the constraints, in tolerances */
    bool dense;  /* the stages of the continuous extension are there */
    double *continuous[DOP853_D];

    int stiff, waves; /* steps at the limit of stability, of late */
    bool told;
    char message[320];
} TmlDop853;

/* --- dop853_space.c --- */

/* y = (q, q', X) and f = (q', q'', X') of a state. */
void tml_dop853_load_y(const TmlSystem *sys, const TmlState *s, double *y);
void tml_dop853_load_f(const TmlSystem *sys, const TmlState *s, double *f);
void tml_dop853_store_y(const TmlSystem *sys, const double *y, TmlState *s);

/* Evaluates f[n] at t and w->y. False: the state is unusable, out says why. */
bool tml_dop853_rhs(TmlIntegrator *it, double t, double *f, TmlAttempt *out, TmlStatus *status,
                    TmlError *err);

/* Makes w->y the end of the step: onto the constraints, evaluated, into w->y1 and w->k[DOP853_END]. */
bool tml_dop853_end(TmlIntegrator *it, double t, TmlAttempt *out, TmlStatus *status, TmlError *err);

/* Returns |dy|: the largest of the norms of positions, velocities and states. *at is the unknown where it
 * is largest; it may be NULL. */
double tml_dop853_norm(const TmlIntegrator *it, const double *dy, int *at);

/* Returns the largest angle by which a body turns within h at the speeds of the start and of the end. */
double tml_dop853_turn(const TmlIntegrator *it, double h);

/* --- dop853.c --- */

/* w->y = y0 + h sum of a[j] k[j], j < n */
void tml_dop853_combine(TmlDop853 *w, double h, const double *a, int n);

/* --- dop853_error.c --- */

double tml_dop853_error(TmlIntegrator *it, int *at);

/* Returns a message once when stability has bounded the steps for a while, else NULL. *waves: by undamped
 * oscillations, for which an implicit method would take hardly longer steps. */
const char *tml_dop853_stability(TmlIntegrator *it, double error, bool *waves);

/* --- dop853_dense.c --- */

void tml_dop853_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);
