/* analysis/integrator/rosenbrock/rosenbrock.h - the parts of the linearly implicit methods: stages and errors. The
 * methods themselves and their equations: analysis/integrator/rosenbrock/rosenbrock.c.
 */
#pragma once

#include "analysis/integrator/integrator.h"
#include "system/coordinates/partition.h"
#include "system/matrix/stages.h"

enum { TML_ROSENBROCK_STAGES = 6 };

typedef struct TmlRosenbrockMethod {
    int stages;
    int order;          /* of the method */
    int embedded_order; /* of the one that it is compared with */
    bool any_jacobian;  /* its order does not depend on the matrices */
    double gamma;
    double alpha[TML_ROSENBROCK_STAGES], gamma_i[TML_ROSENBROCK_STAGES];
    double a[TML_ROSENBROCK_STAGES][TML_ROSENBROCK_STAGES],
        c[TML_ROSENBROCK_STAGES][TML_ROSENBROCK_STAGES],
        theta[TML_ROSENBROCK_STAGES][TML_ROSENBROCK_STAGES],
        delta[TML_ROSENBROCK_STAGES][TML_ROSENBROCK_STAGES];
    double m[TML_ROSENBROCK_STAGES], m_hat[TML_ROSENBROCK_STAGES], mu[TML_ROSENBROCK_STAGES],
        mu_hat[TML_ROSENBROCK_STAGES];
    bool same_point[TML_ROSENBROCK_STAGES]; /* the stage's position is that of the stage before */
} TmlRosenbrockMethod;

typedef struct TmlRosenbrockOptions {
    int norm, age, coordinates, coefficients;
    bool filter;
} TmlRosenbrockOptions;

enum { TML_ROSENBROCK_BODY, TML_ROSENBROCK_PAPER };
enum { TML_ROSENBROCK_NYSTROM, TML_ROSENBROCK_RODAS };

/* How the end of a step was put onto the constraints: (RN8). */
typedef enum TmlRosenbrockClosure {
    TML_ROSENBROCK_LEAST,       /* by the least move */
    TML_ROSENBROCK_INDEPENDENT, /* independent coordinates stay */
    TML_ROSENBROCK_WEAK         /* by the least move, near a singular position */
} TmlRosenbrockClosure;

typedef struct TmlRosenbrockJoints TmlRosenbrockJoints;

typedef struct TmlRosenbrock {
    TmlRosenbrockJoints *joints; /* NULL: in coordinates of bodies, and all below is used */
    const TmlRosenbrockMethod *method;
    TmlPartition *partition;
    bool chosen; /* the partition has been chosen */
    int ny;      /* nu + nx: x and X together, in this order */
    TmlStages matrix;
    double factor_g;               /* h gamma of the factors; 0: none */
    double *r, *vector, *residual; /* n */
    int *diagonal;   /* m: places of the multipliers' diagonal among the values of the matrix */
    double *w;       /* nu: rates at the start */
    double *f1, *ft; /* ny: right side at the start, its partial derivative by time */
    double *l[TML_ROSENBROCK_STAGES]; /* ny: stages, l and u */
    double *f;                        /* ny: right side of the present stage */
    double *x, *x1;    /* ny: coordinates and rates of a stage; of the end of the step */
    double *z;         /* nu */
    double *e_x, *e_w; /* nu, ny: error estimates */
    TmlState stage;    /* where f is evaluated */
    bool fresh;        /* the step begins at the start or at a kink */
    bool rheonomic;    /* time appears in the equations */
    bool ready;        /* f1, ft and w belong to it->now */
    bool stale;        /* the parts must be renewed before use */
    int age;           /* steps since the parts were renewed */
    double *before;    /* ny: u-accelerations and X' at the start of the last accepted step */
    double h_before;   /* its size; 0: none since the start or a kink */
    double move;       /* how far the last closure has moved the state, in tolerances */
    TmlRosenbrockClosure closure; /* and how */
} TmlRosenbrock;

/* --- rosenbrock_stages.c -------------------------------------------------------------------- */

/* Accelerations at s. A failure is an outcome of the try: false, and out says why. */
bool tml_rosenbrock_solve(TmlIntegrator *it, TmlState *s, TmlAttempt *out, TmlStatus *status,
                          TmlError *err);
/* f1 and ft at the start of a step, where time appears in the equations: (RN6), (RN7). */
bool tml_rosenbrock_time(TmlIntegrator *it, double h, TmlAttempt *out, TmlStatus *status,
                         TmlError *err);
/* The time at which f of a stage at t is evaluated instead of t, (RN7); t itself where no kink is
 * in the way. */
double tml_rosenbrock_before_kink(const TmlIntegrator *it, double h, double t);
/* out[ny] = g y of (RN4) for the right side r[ny] and hz[nu]. */
void tml_rosenbrock_linear(TmlIntegrator *it, double g, const double *r, const double *hz,
                           double *out);
/* y[length] += scale sum_{j<n} coefficient[j] l_j */
void tml_rosenbrock_add(const TmlRosenbrock *w, int n, int length, double scale,
                        const double *coefficient, double *y);
/* x = h alpha w + h sum theta l, x1 = (w, X_n) + sum a l over n stages. */
void tml_rosenbrock_combine(const TmlIntegrator *it, double h, double alpha, const double *theta,
                            const double *a, int n);
/* f of stage i: (RN1). */
bool tml_rosenbrock_evaluate(TmlIntegrator *it, double h, int i, TmlAttempt *out, TmlStatus *status,
                             TmlError *err);
/* l of stage i: (RN2). */
void tml_rosenbrock_stage(TmlIntegrator *it, double h, int i);

/* --- rosenbrock_joints.c: the same methods in joint coordinates ------------------------------- */

/* Makes w->joints where the option and the model ask for it, else leaves it NULL. */
TML_NODISCARD TmlStatus tml_rosenbrock_joints_setup(TmlIntegrator *it,
                                                    const TmlRosenbrockMethod *method,
                                                    TmlError *err);
void tml_rosenbrock_joints_free(TmlRosenbrockJoints *w);
void tml_rosenbrock_joints_restart(TmlIntegrator *it);
/* Sets order and error of *out and it->next. False: *out says why. */
bool tml_rosenbrock_joints_attempt(TmlIntegrator *it, double h, TmlAttempt *out);
void tml_rosenbrock_joints_accept(TmlIntegrator *it, double h);
void tml_rosenbrock_joints_reject(TmlIntegrator *it);

/* --- rosenbrock_error.c --------------------------------------------------------------------- */

/* e_x, e_w: (RN5). */
void tml_rosenbrock_estimate(TmlIntegrator *it, double h);
/* For the W-method, after the accelerations at it->next: (RN9) in place of (RN5). False: there is
 * no step before to compare with, or the step ends on a kink. */
bool tml_rosenbrock_compare(TmlIntegrator *it, double h);
/* (RN9) for n rates, which are in e: takes from them those at the start y0 and h times the slopes at the start of the step before, h1 ago, and at
 * both ends. */
void tml_rosenbrock_compare_rates(int n, double h, double h1, const double *y0,
                                  const double *slope[3], double *e);
/* Keep what (RN9) needs of an accepted step, before now and next are swapped. */
void tml_rosenbrock_remember(TmlIntegrator *it, double h);
/* Their norm, by the option. Changes them; for use after the accelerations at it->next. */
double tml_rosenbrock_error(TmlIntegrator *it, int *at);
/* Whether the least move would leave much less of the estimated error than independent coordinates
 * that stay; after (RN5) and the kinematics of it->next. */
bool tml_rosenbrock_least_is_better(TmlIntegrator *it);
/* How far the closure has moved the end of the step and its rates, in units of the tolerance. */
double tml_rosenbrock_move(const TmlIntegrator *it);
/* Returns the largest rotation of a body over the step, in rad. */
double tml_rosenbrock_turn(const TmlIntegrator *it);
