/* analysis/integrator/dop853/dop853.h - what the files of the explicit Runge-Kutta method of order 8 share.
 *
 *   dop853.c         (K1) to (K3)    one step, and the table of the method
 *   dop853_error.c   (K4) to (K6)    error, and a word on stability
 *   dop853_dense.c   (K7)            the motion inside the last step
 */
#pragma once

#include "analysis/integrator/dop853/dop853_tables.h"
#include "analysis/integrator/explicit/explicit_problem.h"

typedef struct TmlDop853 {
    TmlExplicit problem;
    int n;
    double h;              /* s: of the last try */
    bool taken;            /* the next try begins where the last one ended */
    double *y0, *y1;       /* n: at the start of the last try, and at its end on the constraints */
    double *last;          /* n: the argument of the last stage */
    double *k[DOP853_ALL]; /* n each: f of the stages */
    double *y, *d;         /* n: scratch */
    double move;           /* of the end onto the constraints, in tolerances */
    bool dense;            /* the stages of the continuous extension are there */
    double *continuous[DOP853_D];
    TmlState other; /* scratch */

    bool accounts;      /* there is work to account for */
    bool power_unknown; /* that of the start */
    TmlPower power[DOP853_ALL];

    int near;            /* steps at the limit of stability, of late */
    int counted, damped; /* since it was last zero: such steps, and those of them that are damped */
    bool told;
    char message[400];
} TmlDop853;

/* --- dop853.c --- */

/* w->y = y0 + h sum of a[j] k[j], j < n */
void tml_dop853_combine(TmlDop853 *w, double h, const double *a, int n);

/* Notes the powers of stage i, which was just evaluated. */
void tml_dop853_note(TmlDop853 *w, int i);

/* --- dop853_error.c --- */

double tml_dop853_error(TmlIntegrator *it, int *at);

/* Returns a message once when stability has bounded the steps for a while, else NULL. *waves: by undamped
 * oscillations, for which an implicit method would take hardly longer steps. */
const char *tml_dop853_stability(TmlIntegrator *it, bool *waves);

/* Returns (K4) of the three sums. */
double tml_dop853_combined(double e5, double e3);
/* Returns the weights of order 8 less those of order 3. */
double tml_dop853_third(int i);

/* --- dop853_dense.c --- */

bool tml_dop853_work_done(TmlIntegrator *it, const TmlState *end, double x, TmlPower *out,
                          double *doubt);

void tml_dop853_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);
bool tml_dop853_row(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);
