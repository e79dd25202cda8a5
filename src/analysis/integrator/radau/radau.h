/* analysis/integrator/radau/radau.h - the parts of radau: stages, Newton iteration, local error. The method itself
 * and its equations: analysis/integrator/radau/radau.c.
 */
#pragma once

#include "analysis/integrator/integrator.h"
#include "system/matrix/stages.h"

enum { TML_RADAU_STAGES = 3, TML_RADAU_NODES = 4 }; /* nodes: the start and the stages */

enum { TML_RADAU_WAVES_AUTO, TML_RADAU_WAVES_DAMPED, TML_RADAU_WAVES_RESOLVED };

typedef struct TmlRadauOptions {
    double newton, reuse;
    int max_iterations, error, waves, coordinates;
} TmlRadauOptions;

typedef struct TmlRadauJoints TmlRadauJoints;

typedef struct TmlRadau {
    TmlRadauJoints *joints; /* NULL: in coordinates of bodies, and all below is used */
    TmlStages matrix;
    double *z[TML_RADAU_STAGES];                       /* n: unknowns of the stages */
    double *x[TML_RADAU_STAGES], *w[TML_RADAU_STAGES]; /* nu: (R1) */
    double *X[TML_RADAU_STAGES];                       /* nx */
    double *r[TML_RADAU_STAGES];                       /* n: residuals, then corrections */
    double *dw[TML_RADAU_STAGES];                      /* nu: changes of w by the corrections */
    double *complex;                                   /* 2 n */
    double *q_n, *w_n, *X_n;                           /* start of the step: nq, nu, nx */
    double *start; /* n: u-acceleration, lambda, X', V, F at the start of the step */
    double
        *node[TML_RADAU_NODES]; /* n: the same at the start and stages of the last accepted step */
    double *y, *du, *dx;        /* n, nu, nx: scratch */
    TmlState s;                 /* of a stage */
    double h, h_last;           /* of the stages; of the last accepted step, 0: none */
    double h_factor;            /* of the factors, 0: none */
    double h_matrix;            /* step in whose middle the matrix was taken */
    double rate;                /* last measured convergence rate xi */
    bool measured;              /* in this attempt */
    bool assembled, present;    /* the matrix is there; it belongs to this step */
    bool rejected;              /* the step is tried again, or is the first */
    bool weak;                  /* the iteration has converged along the constraints only */
} TmlRadau;

/* --- radau_stages.c ------------------------------------------------------------------------ */

/* out = (base) + h sum_j A_ij y_j over n numbers; base NULL: none. */
void tml_radau_integrate(int i, int n, double h, const double *base,
                         double *const y[TML_RADAU_STAGES], ptrdiff_t from, double *out);
/* w->w, w->x, w->X from the unknowns w->z: (R1). */
void tml_radau_stage_values(const TmlIntegrator *it);
/* The whole state of stage i. */
void tml_radau_stage_state(const TmlIntegrator *it, int i, TmlState *s);
/* Weights at s of the polynomial through 0 and the stages (R8): of its value, of its integral from 0 and of its double integral
 * from 0. */
void tml_radau_weights(double s, double l[3][TML_RADAU_NODES]);
/* z = (u-acceleration, lambda, X', V, F) of s. */
void tml_radau_pack(const TmlSystem *sys, const TmlState *s, double *z);
/* Predicts the unknowns by extrapolation of the last step. */
void tml_radau_predict(const TmlIntegrator *it);
/* Keep the stages of an accepted step for the next prediction and for output. */
void tml_radau_remember(TmlIntegrator *it);
/* The state at t inside the last accepted step, which ended at `end`, not on the constraints:
 * (R8). */
void tml_radau_interpolate(const TmlIntegrator *it, double end, double t, TmlState *out);

/* --- radau_newton.c ------------------------------------------------------------------------ */

/* Matrix at the predicted middle stage when it is asked for, factors for the step size. False: out
 * says why. */
bool tml_radau_factor(TmlIntegrator *it, bool renew, TmlAttempt *out);
/* Iterates from the prediction and returns whether it converged. */
bool tml_radau_iterate(TmlIntegrator *it, TmlAttempt *out);
/* Norm of the change from *from to it->next along the constraints: (R9). Destroys *from. */
double tml_radau_tangent(TmlIntegrator *it, TmlState *from, int *at);
/* Largest of changes x, w, X of positions, velocities and states in units of their allowed errors.
 */
double tml_radau_norm(const TmlIntegrator *it, const double *x, const double *w, const double *X,
                      int *at);

/* --- radau_error.c ------------------------------------------------------------------------- */

/* Returns the weighted local error of the step, after the iteration: (R6), (R7). */
double tml_radau_error(TmlIntegrator *it, int *at);
/* Returns the largest rotation of a body over the step, in rad. */
double tml_radau_rotation(const TmlIntegrator *it);
/* What a rotation counts as an error: joints count turns by the angle that a step adds. */
double tml_radau_turned(double rotation);

/* --- radau_joints.c: the same method in joint coordinates ---------------------------------- */

/* Makes w->joints where the option and the model ask for it, else leaves it NULL; notes in it->coordinates which. */
TML_NODISCARD TmlStatus tml_radau_joints_setup(TmlIntegrator *it, TmlError *err);
void tml_radau_joints_free(TmlRadauJoints *w);
void tml_radau_joints_restart(TmlIntegrator *it);
void tml_radau_joints_attempt(TmlIntegrator *it, double h, TmlAttempt *out);
void tml_radau_joints_accept(TmlIntegrator *it);
void tml_radau_joints_reject(TmlIntegrator *it);
void tml_radau_joints_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);
bool tml_radau_joints_row(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);
bool tml_radau_joints_work(TmlIntegrator *it, double x, TmlPower *out, double *doubt);

extern const TmlIntegratorType tml_integrator_radau;
