/* trammel/sim.h - run a model in time.
 *
 * A sim takes a finished model, sizes its memory once, and advances it step by step. The model
 * must outlive the sim. A sim belongs to one thread at a time; several may share one model.
 */
#pragma once

#include "trammel/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlSim TmlSim;

typedef enum TmlLogLevel { TML_LOG_INFO, TML_LOG_WARNING } TmlLogLevel;

/* Sent to TmlHooks.progress after every accepted step, and between the tries of one that needs
 * many. Times in s. */
typedef struct TmlProgress {
    double time, end_time, step;
    int64_t steps, rejected;
} TmlProgress;

/* What the caller wants to hear. All zero means silence: the library itself never prints. */
typedef struct TmlHooks {
    void *user;
    void (*log)(void *user, TmlLogLevel level, const char *text);
    bool (*progress)(void *user, const TmlProgress *p); /* return false to cancel */
} TmlHooks;

typedef struct TmlSimOptions {
    uint32_t size;          /* set by tml_sim_options_default; do not change */
    const char *integrator; /* a name in the registry; NULL: the model's, else "auto" */
    double end_time;        /* s; NAN: the model's */
    double output_step;     /* s; NAN: the model's, else end_time / 100 */
    double tolerance;       /* local error allowed per step, relative to size; NAN: model, method */
    double step;            /* s; > 0: fixed step, no error control (convergence studies) */
    double first_step;      /* s; 0: chosen */
    double min_step, max_step; /* s; 0: chosen */
    double length_scale;       /* m; 0: from the model */
    int n_options; /* integrator options as key, value texts; checked against its table */
    const char *const *option_key, *const *option_value;
    bool record_solver; /* keep one row per attempt for tml_sim_attempts */
    bool every_row;     /* notes tell redundant constraint rows one by one, not by loops */
    TmlHooks hooks;
    /* Go on from the last accepted state of another sim, whose model has the same bodies: those of
     * the same name keep their motion, states, variables and elements their values and turns. It
     * may be freed after tml_sim_create. NULL: the model's initial state. */
    const TmlSim *from;
    double start_time; /* s; NAN: the time of `from`, without which it must be 0; the first row */
    bool check_error;  /* keep the output rows for tml_sim_check_error */
    bool strict;       /* a start from which bodies can never move is an error, else a warning */
} TmlSimOptions;

TML_API TmlSimOptions tml_sim_options_default(void);

/* Create a sim at the model's initial state, moved onto the constraints if necessary.
 * Allocates all memory of the run. On failure *out is NULL; err may be NULL.
 *   TML_E_ARGUMENT  an option is out of range; the message gives its name and range
 *   TML_E_ASSEMBLY  no state satisfies the constraints; the message names the joints
 *   TML_E_SINGULAR  a motion has no inertia */
TML_API TML_NODISCARD TmlStatus tml_sim_create(const TmlModel *model, const TmlSimOptions *options,
                                               TmlSim **out, TmlError *err);

/* Advance by one accepted step, shortened to end at end_time.
 * After a failure the sim keeps the last accepted state and can still be read. */
TML_API TML_NODISCARD TmlStatus tml_sim_step(TmlSim *sim, TmlError *err);

/* Advance to end_time. `row` is called at every output time (and at the start) with the sim set to
 * that output row; it returns a status other than TML_OK to stop. NULL: no output. */
typedef TmlStatus (*TmlRowFn)(void *user, const TmlSim *sim, TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_sim_run(TmlSim *sim, TmlRowFn row, void *user, TmlError *err);

TML_API void tml_sim_free(TmlSim *sim); /* NULL is fine */

TML_API double tml_sim_time(const TmlSim *sim); /* of the last accepted step */
TML_API double tml_sim_end_time(const TmlSim *sim);
/* Did an event end the run that is to end all (`halt`)? */
TML_API bool tml_sim_halted(const TmlSim *sim);
TML_API double tml_sim_output_step(const TmlSim *sim);
TML_API const TmlModel *tml_sim_model(const TmlSim *sim);
TML_API const char *tml_sim_integrator(const TmlSim *sim); /* name of the method in use */
/* What "auto" chose and why, with the methods that took over; NULL: the method was named. */
TML_API const char *tml_sim_choice(const TmlSim *sim);
/* What the method integrates where it has a choice, and why: "of joints: 10, a tree"; NULL: it has none. */
TML_API const char *tml_sim_coordinates(const TmlSim *sim);
TML_API double tml_sim_tolerance(const TmlSim *sim); /* in use; NAN with a fixed step */
/* The index-th integrator option that was given (model or caller); false past the end. */
TML_API bool tml_sim_option(const TmlSim *sim, int index, const char **key, const char **value);

/* --- output rows: all values at one time, positions and velocities on the constraints -------- */

/* Fill the row at t, from the start to the end of the last accepted step: all tml_row_* read it
 * until the next step. Positions, velocities, accelerations, reactions and channels have the order
 * of the method at any t. Before the first step t is the start time.
 *   TML_E_ARGUMENT  t lies outside of the last step; the message says where that is
 *
 * There is a row in the callback of tml_sim_run and after it, after this call, and after
 * tml_sim_statics and tml_sim_path. tml_sim_create and tml_sim_step leave none. Without a row all
 * tml_row_* give NAN and not numbers that could be taken for results; the log hook is told which
 * function was called, and the next tml_sim_step, tml_sim_run, tml_sim_row_at or tml_sim_row_status
 * fails with TML_E_ARGUMENT and says so. */
TML_API TML_NODISCARD TmlStatus tml_sim_row_at(TmlSim *sim, double t, TmlError *err);
/* TML_OK: there is a row, and nothing was read without one since the last failure that said so. */
TML_API TML_NODISCARD TmlStatus tml_sim_row_status(TmlSim *sim, TmlError *err);

typedef struct TmlBodyState {
    TmlVec3 position; /* centre of mass */
    TmlQuat orientation;
    TmlVec3 velocity, omega; /* global axes */
    TmlVec3 acceleration, alpha;
} TmlBodyState;

/* Force and torque of the first body on the second, about the origin of the second's frame.
 * _local: in the axes of the second's frame. unique: false when redundant constraints leave the
 * split between joints open (the smallest forces are then given). */
typedef struct TmlReaction {
    TmlVec3 force, torque; /* global axes */
    TmlVec3 force_local, torque_local;
    bool unique;
} TmlReaction;

/* How well the row satisfies the equations. */
typedef struct TmlCertificate {
    /* largest violation of the constraints at position, velocity and acceleration: of the row,
     * which was moved onto them */
    double phi, phi_dot, phi_ddot;
    /* and of the solution as it was integrated, before that: the larger at the two ends of the step
     * that the row lies in */
    double integrated_phi, integrated_phi_dot, integrated_phi_ddot;
    double kinetic, potential, dissipated, work; /* J; work: done by motions and applied forces */
    double energy_error;                /* kinetic + potential - initial - work + dissipated */
    double lost_contact, lost_friction; /* J: the parts of `dissipated` that contacts do not give
                                         * back along their normals, and that their friction takes */
    double forces; /* largest force without balance in M q'' + Phi_q^T lambda = Q, relative to the
                    * largest force, or to 1e-6 of the largest of rows before or of what would stop
                    * the motion: accelerations and reactions belong to the motion */
} TmlCertificate;

TML_API double tml_row_time(const TmlSim *sim);
TML_API const char *tml_row_time_name(const TmlSim *sim); /* "time"; "length" of a path */
TML_API TmlBodyState tml_row_body(const TmlSim *sim, int body);
TML_API TmlReaction tml_row_reaction(const TmlSim *sim, int joint);
TML_API double tml_row_state(const TmlSim *sim, int state); /* user state; NAN: no such state */
TML_API TmlCertificate tml_row_certificate(const TmlSim *sim);
TML_API int tml_row_channel_count(const TmlSim *sim);
TML_API const char *tml_row_channel_name(const TmlSim *sim, int channel);
TML_API const char *tml_row_channel_unit(const TmlSim *sim, int channel);
TML_API double tml_row_channel(const TmlSim *sim, int channel);
/* In how many output rows so far the channel was not finite; *first (may be NULL): when, s. The log
 * hook is told at the first. */
TML_API int64_t tml_sim_channel_nonfinite(const TmlSim *sim, int channel, double *first);
TML_API int tml_sim_channel_find(const TmlSim *sim, const char *name); /* -1: unknown */

/* --- statistics ---------------------------------------------------------------------------- */

typedef struct TmlSimStats {
    int64_t steps, rejected;                                    /* accepted and rejected attempts */
    int64_t rejected_error, rejected_newton, rejected_singular; /* by reason */
    int64_t landings; /* attempts made again, shorter, to end on an event, an onset or a release;
                       * neither accepted nor rejected */
    /* steps accepted above the tolerance because the error is rounding, near a singular position or
     * at a tolerance close to the precision of the numbers; the largest of them over the tolerance
     */
    int64_t rounding;
    double rounding_error;
    /* work of the steps, without that of output rows; factorizations: with pivoting */
    int64_t iterations, residuals, jacobians, factorizations, refactorizations, solves;
    /* symbolic analyses; of the solves those by iterations instead of factors, and their products of
     * the matrix with a vector */
    int64_t analyses, solves_iterated, products;
    /* of tlismni-*: accelerations at closed states, corrections of the outer loop, Krylov products
     * of the inner one, matrices that precondition them, choices of independent coordinates */
    int64_t loop_evaluations, loop_corrections, loop_krylov, loop_preconditioners, loop_partitions;
    double h_min, h_max, h_first; /* s, of accepted steps */
    int64_t rows_interpolated;    /* rows at or near singular positions, whose accelerations and
                                   * reactions could not be solved for: they are interpolated linearly
                                   */
    /* wall time, s */
    double seconds_total, seconds_residual, seconds_jacobian, seconds_factor, seconds_solve,
        seconds_output, seconds_setup;
    /* Largest violations of the solution as it was integrated, at the ends of steps that rows lie
     * in; and of the rows, which are moved onto the constraints. max_row_forces: as in
     * TmlCertificate */
    double max_phi, max_phi_dot, max_phi_ddot;
    double max_row_phi, max_row_phi_dot, max_row_phi_ddot, max_row_forces;
    double max_energy_error, max_kinetic; /* J, over output rows */
    /* contact: lists of near pairs made, patterns of matrices made as bodies met, near pairs and those
     * of them that touched summed over all residuals, steps that ended on an onset, on a release */
    int64_t contact_lists, contact_patterns, contact_candidates, contact_touching, contact_onsets,
        contact_releases;
    int64_t unbalanced_rows; /* whose energy balance is off by more than half of max_kinetic: the
                              * motion is wrong there, and a warning has said so */
    int n_bodies, n_joints, n_forces, n_coordinates, n_constraints, n_redundant, n_unknowns,
        matrix_entries, factor_entries;
    int degrees_of_freedom;
    size_t memory; /* bytes held by the sim */
} TmlSimStats;

TML_API TmlSimStats tml_sim_stats(const TmlSim *sim);

/* One row per attempt, rejected ones included (record_solver). */
typedef struct TmlAttemptRow {
    double t, h, error;
    int32_t accepted, iterations, order, cause; /* cause: index for tml_attempt_cause */
} TmlAttemptRow;

TML_API int64_t tml_sim_attempts(const TmlSim *sim, const TmlAttemptRow **rows);
/* "" for accepted; of accepted ones only those above the tolerance have a cause, rounding. */
TML_API const char *tml_attempt_cause(int32_t cause);

/* What assembly moved, which constraints are redundant, which method was chosen and which took
 * over, as text lines; count, then text. */
TML_API int tml_sim_note_count(const TmlSim *sim);
TML_API const char *tml_sim_note(const TmlSim *sim, int index);

/* Names of the integrators, "auto" first; NULL past the end. */
TML_API const char *tml_integrator_name(int index);

#ifdef __cplusplus
}
#endif
