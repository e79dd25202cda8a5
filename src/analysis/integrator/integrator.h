/* analysis/integrator/integrator.h - what a method is: it tries one step of the size it is told.
 *
 * The driver (analysis/driver/dynamics.c) owns time, step size, retries, output and statistics. Not
 * converging is an outcome of a try, not an error; an error means that no smaller step would help.
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

/* Why a try failed for which the system returned `status`. */
TmlCause tml_cause_of(TmlStatus status);

/* Result of a try. */
typedef struct TmlAttempt {
    bool converged;
    double error;    /* weighted local error; <= 1 passes */
    double rounding; /* errors up to this are rounding of the estimate itself; 0: not known */
    int order;       /* of the method, for the step-size law */
    double proposal; /* next step, s; after an error above 1 when below h; 0: the driver's law */
    double limit;    /* the iteration will not bear a longer step, s; 0: not known */
    const char *message; /* that the model is stiff, for the log hook; NULL: nothing to say */
    bool waves; /* what the message tells of is undamped: an implicit method would gain nothing */
    int iterations;
    TmlCause cause; /* when not converged */
    int worst;      /* unknown with the largest error or correction, or -1 */
} TmlAttempt;

/* What the loops of tlismni-* did. */
typedef struct TmlTwoLoopStats {
    int64_t evaluations; /* accelerations at a closed state: each closes, factors and solves */
    int64_t corrections; /* of the outer loop */
    int64_t krylov;      /* products of the inner loop; each is an evaluation too */
    int64_t preconditioners, partitions;
} TmlTwoLoopStats;

typedef struct TmlIntegrator {
    TmlSystem *sys;
    TmlArena *arena;
    TmlNorm norm;
    TmlState now, next; /* the driver swaps them when it accepts a step */
    void *opts;         /* parsed options, laid out by info.params */
    void *work;         /* the method's own, allocated in setup */
    int64_t iterations; /* counted by the method */
    TmlTwoLoopStats loop;
    double kink; /* s: the next time at which a delayed value is not smooth; set by the driver */
    bool
        own_rows; /* it chooses rows of redundant joints itself: those of the system serve rows of results only */
    char coordinates
        [160]; /* what the unknowns of an explicit method are, and why; "": one kind alone */
} TmlIntegrator;

typedef struct TmlIntegratorType {
    TmlTypeInfo info;
    double tolerance; /* default */
    int order;
    bool
        remembers; /* accepted steps enter its formulas: it starts afresh where values have kinks */
    bool keeps_rows_fresh; /* it loses accuracy before rows of redundant joints become dependent:
                            * others are kept in time, not after a failure (other_rows.c) */
    bool smooth_law;       /* (D9) of step_control.c: a change of the step costs nothing */
    double reach; /* steps that the stages of a linearly implicit method look ahead: they must not
                   * reach what a delay makes of the step itself; 0: they may */

    double matrices; /* memory that it takes beyond the system, in matrices with their factors
                      * (memory.c), as measured on long chains */

    TmlStatus (*check)(const void *opts, TmlError *err);

    /* Size and allocate the workspace. The only entry that may allocate. */
    TmlStatus (*setup)(TmlIntegrator *it, TmlError *err);

    /* The matrices of the system are others for the same equations: bodies have met. What was made of the old ones is
     * gone. NULL: the method is set up anew and starts afresh. */
    void (*other_matrices)(TmlIntegrator *it);

    /* Start afresh at it->now: start of a run and after every breakpoint. */
    void (*restart)(TmlIntegrator *it);

    /* Try it->now -> it->next with step h. */
    TmlStatus (*attempt)(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err);

    /* Keep the last try; called before now and next are swapped. NULL: nothing to keep. */
    TmlStatus (*accept)(TmlIntegrator *it, double h, TmlError *err);
    void (*reject)(TmlIntegrator *it);

    /* Positions, velocities, states and their rates at t inside the last accepted step, which ends
     * at *end, by the method's own polynomial; multipliers as good as it has them. The driver puts
     * the state onto the constraints and solves for accelerations and multipliers. NULL: the driver
     * interpolates (analysis/rows/between.h), which is too coarse for orders above five. */
    void (*dense)(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);

    /* The same on the constraints, with accelerations, multipliers, variables and forces that solve the equations of motion there, where
     * the method has a cheaper way to them than the sparse system. The
     * kinematics are those of *out then, channels included. False: not at this time. NULL: never. */
    bool (*row)(TmlIntegrator *it, const TmlState *end, double t, TmlState *out);

    /* The integrals of the powers over the last accepted step, which ends at *end, up to its part x in [0, 1], J, from powers
     * at its stages; *doubt: what they may be off by. False: not known. NULL: the driver integrates
     * (analysis/rows/account.h). */
    bool (*work_done)(TmlIntegrator *it, const TmlState *end, double x, TmlPower *out,
                      double *doubt);

    /* Give back what setup did not take from the arena; also after a failed setup, work may be
     * NULL. NULL: nothing. */
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

/* Fill opts from texts by the table; unknown keys and bad values are TML_E_ARGUMENT. */
TML_NODISCARD TmlStatus tml_options_parse(const TmlTypeInfo *info, int n, const char *const *key,
                                          const char *const *value, void *opts, TmlError *err);

/* A TmlParam inside a macro that gives several tables the same rows. */
#define TML_PARAM_ROW(...)                                                                         \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* For checks: fail unless an option is within bounds. */
TML_NODISCARD TmlStatus tml_option_between(const char *name, int value, int low, int high,
                                           TmlError *err);
TML_NODISCARD TmlStatus tml_option_at_least(const char *name, int value, int low, TmlError *err);
