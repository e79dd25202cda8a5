/* analysis/integrator/index3/implicit.h - one implicit step in the unknown accelerations, shared by the methods on
 * index 3.
 *
 * Unknowns a = q''_{n+1}, lambda, X', V, F. A formula says how the rest follows from them,
 *
 *   (I1)  q = base_q + c_q a,  v = base_v + c_v a,  X = base_X + c_x X'
 *
 * and this file does the rest: it predicts, and solves
 *
 *   (I2)  M(q) a + Phi_q^T lambda - Q = 0,  d = 0,  V - v = 0,  F - f = 0    at t_{n+1}  [003] (10)
 *   (I3)  Phi(q, t) / c_q = 0,  (A q' + b) / c_v = 0                                     [003] (13)
 *
 * by Newton's method with kept factors.
 */
#pragma once

#include "analysis/integrator/integrator.h"
#include "analysis/integrator/step_factors.h"
#include "analysis/integrator/step_history.h"

#include <stddef.h>

/* Options of a method; its table has their rows from TML_NEWTON_PARAMS and TML_IMPLICIT_PARAMS, its
 * structure of options T has them as `implicit`. */
typedef struct TmlImplicitOptions {
    double newton; /* share of the tolerance that the iteration may leave */
    int max_iterations;
    int degree; /* highest degree of the predictor, 0 to 3 */
    bool filter;
    int solver; /* TmlSolver */
} TmlImplicitOptions;

#define TML_NEWTON_PARAMS(T)                                                                       \
    TML_PARAM_ROW("newton", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(T, implicit.newton),        \
                  "1e-4", "share of the tolerance that the Newton iteration may leave", NULL),     \
        TML_PARAM_ROW("iterations", TML_PARAM_INT, TML_POSITIVE, "",                               \
                      offsetof(T, implicit.max_iterations), "10",                                  \
                      "Newton iterations before a step is cut", NULL),                             \
        TML_PARAM_ROW("solver", TML_PARAM_CHOICE, TML_ANY, "", offsetof(T, implicit.solver),       \
                      "auto",                                                                      \
                      "linear systems of models without joints: by factors, by iterations where "  \
                      "shapes touch, or by what takes less",                                       \
                      TML_SOLVER_CHOICES)

#define TML_IMPLICIT_PARAMS(T)                                                                     \
    TML_NEWTON_PARAMS(T),                                                                          \
        TML_PARAM_ROW("degree", TML_PARAM_INT, TML_NONNEGATIVE, "", offsetof(T, implicit.degree),  \
                      "3", "highest degree of the predictor, 0 to 3", NULL),                       \
        TML_PARAM_ROW(                                                                             \
            "filter", TML_PARAM_BOOL, TML_ANY, "", offsetof(T, implicit.filter), "true",           \
            "judge the error along the constraints only, without modes stiffer than the step",     \
            NULL)

TML_NODISCARD TmlStatus tml_implicit_check(const TmlImplicitOptions *o, TmlError *err);

typedef struct TmlImplicit {
    TmlImplicitOptions o;

    // the formula of this step, by the method
    double h, cq, cv, cx;
    double share; /* error of the method per unit of correction c_q da, for the stop rule */
    double *base_q, *base_v, *base_X; /* nq, nq, nx */
    bool control_velocity;            /* corrections of velocities count for the stop rule too */
    bool along; /* where corrections do not converge, those along the constraints decide: the method
                 * projects what is left across */
    bool sharp; /* new factors in every step where the tolerance is at rounding: (I6) */
    bool velocity_rows; /* (I3) with velocities: (Phi_q q' + Phi_t) / c_v = 0 in place of Phi / c_q
                         */

    TmlHistory history; /* of a, lambda, X, X', V, F as in TmlState: `length` numbers a point */
    int length;

    // scratch for the method too
    double *r, *dq, *du, *dx; /* n, nq, nu, nx */

    bool weak; /* out: that has been the case */

    // own
    double *start; /* nq: accelerations at the restart */
    double rate;   /* last measured convergence rate */
    bool stale;    /* the factors should be renewed before use */
    bool brief;    /* (I7): this step is so short that positions say nothing about its reactions */
    TmlStepFactors factors;
} TmlImplicit;

TML_NODISCARD TmlStatus tml_implicit_setup(TmlIntegrator *it, TmlImplicit *w,
                                           const TmlImplicitOptions *o, TmlError *err);
void tml_implicit_restart(const TmlIntegrator *it, TmlImplicit *w);

/* As other_matrices of a method. */
void tml_implicit_other_matrices(TmlIntegrator *it);

/* Before the base of an attempt is formed from it->now.a: in the first step after a restart the
 * accelerations of flexible bodies without what the step cannot resolve (analysis/integrator/soft_start.h). */
void tml_implicit_soften(TmlIntegrator *it, TmlImplicit *w);

/* Predict and iterate; fills it->next and all of `out` but the error. Kept factors are renewed
 * before the step is given up. */
void tml_implicit_solve(TmlIntegrator *it, TmlImplicit *w, TmlAttempt *out);

/* Iterate again from it->next, after the method has changed the base of a step that had converged.
 */
void tml_implicit_resolve(TmlIntegrator *it, TmlImplicit *w, TmlAttempt *out);

/* The part of w->du along the constraints, without modes stiffer than the step: K [e; mu] = [M e;
 * 0] with the present factors. docs/decisions/0007-error-filter.md */
void tml_implicit_filter(const TmlIntegrator *it, TmlImplicit *w);

/* Norm of w->du, filtered (with a share of the raw value) when the option says so. */
double tml_implicit_error(const TmlIntegrator *it, TmlImplicit *w, int *at);

/* Words of the option `projection`, in the order of TmlProjection. */
#define TML_PROJECTION_CHOICES "auto|none|velocity|full"
typedef enum TmlProjection {
    TML_PROJECT_AUTO, /* full when the method has no damping of its own, else none */
    TML_PROJECT_NONE,
    TML_PROJECT_VELOCITY,
    TML_PROJECT_FULL
} TmlProjection;

/* Put the velocities of it->next, or velocities and accelerations, onto their constraints. damping:
 * of the method, -d with A_n at t_n + d h. Without any the multipliers of index 3 ring and the run
 * ends. */
TML_NODISCARD TmlStatus tml_implicit_project(TmlIntegrator *it, TmlProjection projection,
                                             double damping, TmlError *err);

/* Keep the accepted step in the history (before now and next are swapped); after a rejection. */
void tml_implicit_accept(const TmlIntegrator *it, TmlImplicit *w);
void tml_implicit_reject(TmlImplicit *w);
