/* analysis/integrator/integrator.h - what a method is: it attempts one step of the size that the driver gives.
 *
 * The driver (analysis/driver/dynamics.c) owns time, step size, retries, output and statistics. An attempt that does not converge is no
 * error. An error means that no smaller step would help.
 */
#pragma once

#include "analysis/integrator/error_norm.h"

#define TML_CAUSE_LIST(X)                                                                          \
    X(TML_CAUSE_NONE, "")                                                                          \
    X(TML_CAUSE_ERROR, "local error above the tolerance")                                          \
    X(TML_CAUSE_NEWTON, "the Newton iteration did not converge")                                   \
    X(TML_CAUSE_SINGULAR, "the matrix is singular")                                                \
    X(TML_CAUSE_NONFINITE, "a force or constraint is not finite")                                  \
    X(TML_CAUSE_ROUNDING, "accepted above the tolerance: the error is rounding")

#define TML_CAUSE_ENUM(code, text) code,
typedef enum TmlCause { TML_CAUSE_LIST(TML_CAUSE_ENUM) TML_CAUSE_COUNT } TmlCause;
#undef TML_CAUSE_ENUM

/* Returns the cause of a failed attempt in which the system returned `status`. */
TmlCause tml_cause_of(TmlStatus status);

/* The result of an attempt. */
typedef struct TmlAttempt {
    bool converged;
    double error;    /* the weighted local error; the step passes up to 1 */
    double rounding; /* errors up to this are rounding of the estimate itself; 0: not known */
    int order;       /* the order of the method, for the law of step sizes */
    double
        proposal; /* s: the next step, or after an error above 1 a shorter one; 0: the driver's law decides */
    double limit; /* s: the iteration would not converge with a longer step; 0: not known */
    const char *
        message; /* says that the model is stiff, for the log hook; NULL: there is nothing to say */
    bool waves;  /* the stiff motion is undamped, so that an implicit method would gain nothing */
    int iterations;
    TmlCause cause; /* why the attempt has not converged */
    int worst;      /* the unknown with the largest error or correction, or -1 */
} TmlAttempt;

/* What the loops of tlismni-* did. */
typedef struct TmlTwoLoopStats {
    int64_t
        evaluations; /* accelerations at a state on the constraints: each closes, factors and solves */
    int64_t corrections; /* corrections of the outer loop */
    int64_t krylov;      /* products of the inner loop, each of which is an evaluation too */
    int64_t preconditioners, partitions;
} TmlTwoLoopStats;

typedef struct TmlIntegrator {
    TmlSystem *sys;
    TmlArena *arena;
    TmlNorm norm;
    TmlState now, next; /* the driver swaps them when it accepts a step */
    void *opts;         /* the options, parsed by the table info.params */
    void *work;         /* memory of the method, which its setup allocates */
    int64_t iterations; /* the method counts them */
    TmlTwoLoopStats loop;
    double kink; /* s: the next time at which a delayed value is not smooth; the driver sets it */
    bool
        own_rows; /* it chooses rows of redundant joints itself: those of the system serve rows of results only */
    char coordinates
        [160]; /* what the unknowns of an explicit method are, and why; "": one kind alone */
} TmlIntegrator;

typedef struct TmlIntegratorType {
    TmlTypeInfo info;
    double tolerance; /* the default */
    int order;        /* the order for smooth motions, of methods with several orders the highest */
    bool
        remembers; /* its formulas use earlier steps, so that it starts afresh where values have kinks */
    bool
        keeps_rows_fresh; /* it loses accuracy before the rows of redundant joints that are kept become dependent, so that others are kept
                            * in time and not after a failure (other_rows.c) */
    bool smooth_law;      /* a change of the step size costs nothing: (D9) of step_control.c */
    double
        reach; /* how many steps the stages of a linearly implicit method look ahead. They must not reach delayed values that depend on
                   * the step itself. 0: they may */

    double
        matrices; /* the memory that it takes beyond the system, in matrices with their factors (memory.c), measured on long
                      * chains */

    TmlStatus (*check)(const void *opts, TmlError *err);

    /* Allocates the workspace. No other function of the table may allocate. */
    TmlStatus (*setup)(TmlIntegrator *it, TmlError *err);

    /* Is called when bodies have met, and the system has other matrices for the same equations: what was made of the old ones is
     * gone. NULL: the method is set up anew and starts afresh. */
    void (*other_matrices)(TmlIntegrator *it);

    /* Starts afresh at it->now: at the start of a run and behind every break. */
    void (*restart)(TmlIntegrator *it);

    /* Attempts the step h from it->now to it->next. */
    TmlStatus (*attempt)(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err);

    /* Keeps what later steps need of the last attempt, before now and next are swapped. NULL: there is nothing to keep. */
    TmlStatus (*accept)(TmlIntegrator *it, double h, TmlError *err);
    void (*reject)(TmlIntegrator *it);

    /* Sets positions, velocities, states and their rates at t inside of the last accepted step, which ends at *end, by the polynomial of the
     * method, and multipliers as good as it has them. The driver puts the state onto the constraints and solves for
     * accelerations and multipliers. NULL: the driver interpolates (analysis/rows/between.h), which is too coarse for orders
     * above five. */
    void (*dense)(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);

    /* Does the same on the constraints, with accelerations, multipliers, variables and forces that solve the equations of motion there, if
     * the method has a cheaper way to them than the sparse system. The kinematics are those of *out then, channels included. False:
     * not at this time. NULL: never. */
    bool (*row)(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);

    /* Integrates the powers over the last accepted step, which ends at *end, up to its part x in [0, 1], from powers at its stages, J. *doubt
     * bounds the error. False: not known. NULL: the driver integrates (analysis/rows/account.h). */
    bool (*work_done)(TmlIntegrator *it, const TmlState *end, double x, TmlPower *out,
                      double *doubt);

    /* Gives back what setup did not take from the arena, also after a failed setup, where work may be NULL. NULL: there is
     * nothing to give back. */
    void (*teardown)(TmlIntegrator *it);
} TmlIntegratorType;

/* How the file of a method defines its table; integrators.def is read by integrators.c alone. */
#define TML_INTEGRATOR_TYPE(name)                                                                  \
    extern const TmlIntegratorType tml_integrator_##name;                                          \
    const TmlIntegratorType tml_integrator_##name

extern const TmlIntegratorType *const tml_integrator_types[]; /* ends with NULL */
const TmlIntegratorType *tml_find_integrator(const char *name);

extern const TmlTypeInfo tml_auto_info; /* choose.c: not a method, but stands for one of them */

bool tml_option_known(const TmlTypeInfo *info, const char *key);

/* Fills the options from texts by the table. Unknown keys and bad values are TML_E_ARGUMENT. */
TML_NODISCARD TmlStatus tml_options_parse(const TmlTypeInfo *info, int n, const char *const *key,
                                          const char *const *value, void *opts, TmlError *err);

/* A TmlParam inside a macro that gives several tables the same rows. */
#define TML_PARAM_ROW(...)                                                                         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Fail unless an option is within bounds. They serve `check` of the tables. */
TML_NODISCARD TmlStatus tml_option_between(const char *name, int value, int low, int high,
                                           TmlError *err);
TML_NODISCARD TmlStatus tml_option_at_least(const char *name, int value, int low, TmlError *err);
