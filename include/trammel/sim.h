/* trammel/sim.h - run a model in time.
 *
 * A sim takes a finished model, allocates its memory once, and advances the model step by step. The model
 * must outlive the sim. Only one thread at a time may use a sim; several sims may share one model.
 */
#pragma once

#include "trammel/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlSim TmlSim;

typedef enum TmlLogLevel { TML_LOG_INFO, TML_LOG_WARNING } TmlLogLevel;

/* Passed to TmlHooks.progress after every accepted step, and between the attempts of a step that needs
 * many. Times are in s. */
typedef struct TmlProgress {
    double time, end_time, step;
    int64_t steps, rejected;
} TmlProgress;

/* Functions of the caller that receive messages and progress. All may be NULL: the library itself never
 * prints. */
typedef struct TmlHooks {
    void *user;
    void (*log)(void *user, TmlLogLevel level, const char *text);
    bool (*progress)(void *user, const TmlProgress *p); /* return false to cancel */
    /* Called by tml_sim_run after every accepted step, when its rows are out. It may set inputs and save the
     * state; a status other than TML_OK ends the run. */
    TmlStatus (*between)(void *user, TmlSim *sim, TmlError *err);
} TmlHooks;

typedef struct TmlSimOptions {
    uint32_t size; /* set by tml_sim_options_default; do not change */
    /* A name in the registry; NULL: the model's, else "auto". "kinematics": nothing is integrated, as the drives
     * of the model leave no degree of freedom. */
    const char *integrator;
    double end_time;    /* s; NAN: the model's */
    double output_step; /* s; NAN: the model's, else end_time / 100 */
    double tolerance;   /* relative local error of a step; NAN: the model's, else the method's */
    double step;        /* s; > 0: fixed steps without error control (convergence studies) */
    double first_step;  /* s; 0: the sim chooses it */
    double min_step, max_step; /* s; 0: the sim chooses them */
    double length_scale;       /* m; 0: computed from the model */
    int n_options;             /* number of options of the integrator, whose table checks them */
    const char *const *option_key, *const *option_value;
    bool record_solver; /* keep one row per attempted step for tml_sim_attempts */
    bool every_row;     /* notes list redundant constraint equations one by one, not by loops */
    TmlHooks hooks;
    /* Continue from the last accepted state of another sim, whose model has the same bodies. Bodies keep
     * their motion; states, variables and elements keep their values, and joints their counts of turns;
     * all are found by their names. `from` may be freed after tml_sim_create. NULL: start from the model's
     * initial state. */
    const TmlSim *from;
    double start_time; /* s, of the first row; NAN: that of `from`; 0 without `from` */
    bool check_error;  /* keep the output rows for tml_sim_check_error */
    bool strict;       /* error instead of warning when the start position can never be left */
    int threads; /* that share the forces and tangents of 128 flexible elements and more, 1 to 256; results do
                  * not depend on it. 0: what the environment variable OMP_NUM_THREADS says, else 1 */
    /* Start from the static equilibrium beside the model's positions, with the model's velocities; the model may ask for
     * it as well (simulate: {start: equilibrium}). Not used with `from`. */
    bool equilibrium;
    /* Rows have channels of all drives behind the others: NAME.coordinate, .rate, .force (N or Nm, along the
     * coordinate, on what moves with it) and .power. */
    bool drive_channels;
} TmlSimOptions;

TML_API TmlSimOptions tml_sim_options_default(void);

/* Create a sim at the model's initial state, which is projected onto the constraints if necessary.
 * Allocates all memory of the run. On failure *out is NULL; err may be NULL.
 *   TML_E_ARGUMENT  an option is out of range; the message gives its name and range
 *   TML_E_ASSEMBLY  no state satisfies the constraints; the message names the joints
 *   TML_E_SINGULAR  a motion has no inertia */
TML_API TML_NODISCARD TmlStatus tml_sim_create(const TmlModel *model, const TmlSimOptions *options,
                                               TmlSim **out, TmlError *err);

/* Advance by one accepted step, which does not go beyond end_time.
 * After a failure the sim keeps the last accepted state and can still be read. */
TML_API TML_NODISCARD TmlStatus tml_sim_step(TmlSim *sim, TmlError *err);

/* Advance to end_time. `row` is called at every output time (and at the start) with the sim set to
 * that output row; it returns a status other than TML_OK to stop. NULL: no output. */
typedef TmlStatus (*TmlRowFn)(void *user, const TmlSim *sim, TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_sim_run(TmlSim *sim, TmlRowFn row, void *user, TmlError *err);

/* The same up to the time t, at which a step ends, or to end_time if that comes first. */
TML_API TML_NODISCARD TmlStatus tml_sim_advance(TmlSim *sim, double t, TmlRowFn row, void *user,
                                                TmlError *err);

/* For another thread than the one that uses the sim: end its run after the present step, with TML_E_CANCELLED; and how
 * far it is. */
TML_API void tml_sim_stop(TmlSim *sim);
TML_API TmlProgress tml_sim_progress(const TmlSim *sim);

TML_API void tml_sim_free(TmlSim *sim); /* NULL is fine */

/* --- states that are kept ------------------------------------------------------------------- */

/* The whole state of a sim between two steps: motion, histories of the method, of delays and of contacts, step
 * control, statistics. A sim that goes on from it takes the same steps to the last bit. Its model must outlive it;
 * the sim need not. */
typedef struct TmlSaved TmlSaved;

TML_API TML_NODISCARD TmlStatus tml_sim_save(const TmlSim *sim, TmlSaved **out, TmlError *err);
TML_API void tml_saved_free(TmlSaved *saved); /* NULL is fine */
/* Put a sim of the same model back to a saved state. The sim keeps its hooks. On failure it stays as it is.
 *   TML_E_ARGUMENT  the state is of a sim of another model */
TML_API TML_NODISCARD TmlStatus tml_sim_restore_saved(TmlSim *sim, const TmlSaved *saved,
                                                      TmlError *err);
/* Make another sim at a saved state, or at that of a sim. hooks NULL: it has none. */
TML_API TML_NODISCARD TmlStatus tml_sim_create_saved(const TmlSaved *saved, const TmlHooks *hooks,
                                                     TmlSim **out, TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_sim_copy(const TmlSim *sim, const TmlHooks *hooks, TmlSim **out,
                                             TmlError *err);

TML_API double tml_sim_time(const TmlSim *sim); /* at the end of the last accepted step, s */
TML_API double tml_sim_end_time(const TmlSim *sim);
/* Whether the run ended because of an event with `halt`, which ends all analyses. */
TML_API bool tml_sim_halted(const TmlSim *sim);
TML_API double tml_sim_output_step(const TmlSim *sim);
TML_API const TmlModel *tml_sim_model(const TmlSim *sim);
TML_API const char *tml_sim_integrator(const TmlSim *sim); /* name of the method in use */
/* Which method "auto" chose, why, and which methods took over later; NULL: the method was named. */
TML_API const char *tml_sim_choice(const TmlSim *sim);
/* Which coordinates the method integrates and why, for example "of joints: 10, a tree"; NULL: the method
 * has no choice. */
TML_API const char *tml_sim_coordinates(const TmlSim *sim);
TML_API double tml_sim_tolerance(const TmlSim *sim); /* the one in use; NAN with fixed steps */
/* The index-th option of the integrator that the model or the caller gave; false past the end. */
TML_API bool tml_sim_option(const TmlSim *sim, int index, const char **key, const char **value);

/* --- output rows: all values at one time, positions and velocities on the constraints -------- */

/* Compute the output row at time t, which must lie within the last accepted step. All tml_row_* functions
 * read this row until the next step. At any t, positions, velocities, accelerations, reactions and channels
 * are as accurate as the order of the method says. Before the first step only the start time is possible.
 *   TML_E_ARGUMENT  t lies outside of the last step; the message gives its start and end
 *
 * There is a row in the callback of tml_sim_run and after that call, after this call, and after
 * tml_sim_statics and tml_sim_path. There is none after tml_sim_create and tml_sim_step. Without a row all
 * tml_row_* give NAN, so that no number can be taken for a result. The log hook then gets the name of the
 * function that was called, and the next tml_sim_step, tml_sim_run, tml_sim_row_at or tml_sim_row_status
 * fails with TML_E_ARGUMENT and a message about it. */
TML_API TML_NODISCARD TmlStatus tml_sim_row_at(TmlSim *sim, double t, TmlError *err);
/* TML_OK: there is a row, and no tml_row_* was called without one since the last failure that reported it. */
TML_API TML_NODISCARD TmlStatus tml_sim_row_status(TmlSim *sim, TmlError *err);

typedef struct TmlBodyState {
    TmlVec3 position; /* of the centre of mass */
    TmlQuat orientation;
    TmlVec3 velocity, omega; /* in global axes, as all vectors here */
    TmlVec3 acceleration, alpha;
} TmlBodyState;

/* Force of the first body on the second, and its torque about the origin of the second end's frame. The
 * `_local` vectors are in the axes of that frame. `unique` is false when redundant constraints leave open how
 * joints share the load; the smallest forces are then given. */
typedef struct TmlReaction {
    TmlVec3 force, torque; /* global axes */
    TmlVec3 force_local, torque_local;
    bool unique;
} TmlReaction;

/* How well the row satisfies the equations. */
typedef struct TmlCertificate {
    /* Largest constraint violation of the row at the levels of position, velocity and acceleration. The row
     * was projected onto the constraints. */
    double phi, phi_dot, phi_ddot;
    /* The same of the integrated solution, before projection: the larger one of those at the two ends of the
     * step that contains the row. */
    double integrated_phi, integrated_phi_dot, integrated_phi_ddot;
    double kinetic, potential, dissipated, work; /* J; work: done by motions and applied forces */
    double energy_error; /* kinetic + potential - initial - work + dissipated */
    double lost_contact,
        lost_friction; /* J: the parts of `dissipated` that contacts lose along their
                                         * normals, and that their friction loses */
    /* Largest residual force of M q'' + Phi_q^T lambda = Q, which shows whether accelerations and reactions
     * fit the motion. It is relative to the largest force of the row, which counts as not less than 1e-6 of
     * the largest force of earlier rows and of the force that would stop the motion. */
    double forces;
} TmlCertificate;

TML_API double tml_row_time(const TmlSim *sim);
TML_API const char *tml_row_time_name(const TmlSim *sim); /* "time"; "length" of a path */
TML_API TmlBodyState tml_row_body(const TmlSim *sim, int body);
TML_API TmlReaction tml_row_reaction(const TmlSim *sim, int joint);
TML_API double tml_row_state(const TmlSim *sim, int state); /* entry of `states`; NAN: none such */
TML_API TmlCertificate tml_row_certificate(const TmlSim *sim);
TML_API int tml_row_channel_count(const TmlSim *sim);
TML_API const char *tml_row_channel_name(const TmlSim *sim, int channel);
TML_API const char *tml_row_channel_unit(const TmlSim *sim, int channel);
TML_API double tml_row_channel(const TmlSim *sim, int channel);
/* Number of output rows so far in which the channel was not finite. *first is the time of the first of them,
 * s; first may be NULL. The log hook gets a message at the first. */
TML_API int64_t tml_sim_channel_nonfinite(const TmlSim *sim, int channel, double *first);
TML_API int tml_sim_channel_find(const TmlSim *sim, const char *name); /* -1: unknown */

/* --- drives: joints that make a coordinate follow a function of time -------------------------------- */

/* What a drive does at the row. All are NAN for a joint that is no drive, or without a row. */
typedef struct TmlDrive {
    double coordinate, rate, acceleration; /* of what it prescribes: m or rad, and by s */
    double force; /* N or N m, along the coordinate, on what moves with it */
    double power; /* W */
    bool length;  /* the coordinate is a length, the force no torque */
} TmlDrive;
TML_API bool tml_sim_is_drive(const TmlSim *sim, int joint);
TML_API TmlDrive tml_row_drive(const TmlSim *sim, int joint);
/* How firmly joints and drives determine the position of the row: 0 at a singular position, at most 1. NAN: no row. */
TML_API double tml_row_hold(TmlSim *sim);

/* --- inputs: values from outside, section `inputs` of the model ---------------------------------- */

/* The model owns names and units; an index out of range gives NULL. */
TML_API int tml_sim_input_count(const TmlSim *sim);
TML_API const char *tml_sim_input_name(const TmlSim *sim, int input);
TML_API const char *tml_sim_input_unit(const TmlSim *sim, int input);
TML_API int tml_sim_input_find(const TmlSim *sim, const char *name); /* -1: unknown */
/* The value at the end of the last step; that of a table at that time. NAN: no such input. */
TML_API double tml_sim_input(const TmlSim *sim, int input);
/* Set an input between two steps. Another value than before is a jump: the method starts afresh, and rows up to now
 * keep the former one.
 *   TML_E_ARGUMENT  no such input, a value that is not finite, or an input that follows a table */
TML_API TML_NODISCARD TmlStatus tml_sim_set_input(TmlSim *sim, int input, double value,
                                                  TmlError *err);

/* --- statistics ---------------------------------------------------------------------------- */

typedef struct TmlSimStats {
    int64_t steps, rejected;                                    /* accepted and rejected attempts */
    int64_t rejected_error, rejected_newton, rejected_singular; /* rejected attempts by reason */
    /* Attempts that were repeated with a shorter step to end at an event, an onset or a release. They count
     * neither as accepted nor as rejected. */
    int64_t landings;
    /* Steps that were accepted above the tolerance because their error is rounding, near a singular position
     * or at a tolerance close to the precision of the numbers; and the largest of their errors, divided by
     * the tolerance. */
    int64_t rounding;
    double rounding_error;
    /* Work of the steps, without that of output rows. `factorizations` are those with new pivots. */
    int64_t iterations, residuals, jacobians, factorizations, refactorizations, solves;
    /* Symbolic analyses; solves by iterations instead of factors, which `solves` contains; and the products
     * of the matrix with a vector that these took. */
    int64_t analyses, solves_iterated, products;
    /* Of tlismni-*: evaluations of accelerations with closed loops, corrections of the outer loop, Krylov
     * products of the inner loop, preconditioners computed, choices of independent coordinates. */
    int64_t loop_evaluations, loop_corrections, loop_krylov, loop_preconditioners, loop_partitions;
    double h_min, h_max, h_first; /* s: smallest, largest and first accepted step */
    /* Rows whose accelerations and reactions could not be solved for, at or near singular positions or where forces are very stiff,
     * and were interpolated linearly. */
    int64_t rows_interpolated;
    /* Wall time, s. */
    double seconds_total, seconds_residual, seconds_jacobian, seconds_factor, seconds_solve,
        seconds_output, seconds_setup;
    /* Largest constraint violations of the integrated solution at the ends of those steps that contain
     * rows, and of the rows themselves, which are projected onto the constraints. max_row_forces is the
     * largest `forces` of TmlCertificate. */
    double max_phi, max_phi_dot, max_phi_ddot;
    double max_row_phi, max_row_phi_dot, max_row_phi_ddot, max_row_forces;
    double max_energy_error, max_kinetic; /* J, over output rows */
    /* Contact: how often the list of near pairs was built, and the pattern of the matrix because bodies met;
     * near pairs, and pairs that touched, both summed over all residuals; steps that ended at an onset, and
     * at a release. */
    int64_t contact_lists, contact_patterns, contact_candidates, contact_touching, contact_onsets,
        contact_releases;
    /* Rows whose energy balance is off by more than half of max_kinetic. The motion is wrong there, and a
     * warning says so. */
    int64_t unbalanced_rows;
    int n_bodies, n_joints, n_forces, n_coordinates, n_constraints, n_redundant, n_unknowns,
        matrix_entries, factor_entries;
    int degrees_of_freedom;
    size_t memory; /* bytes held by the sim */
} TmlSimStats;

TML_API TmlSimStats tml_sim_stats(const TmlSim *sim);

/* One row per attempted step, accepted or rejected; kept with the option record_solver. */
typedef struct TmlAttemptRow {
    double t, h, error;
    int32_t accepted, iterations, order, cause; /* cause: index for tml_attempt_cause */
} TmlAttemptRow;

TML_API int64_t tml_sim_attempts(const TmlSim *sim, const TmlAttemptRow **rows);
/* Why the attempt was rejected. For accepted attempts it is "", or tells of rounding when the error was above
 * the tolerance. */
TML_API const char *tml_attempt_cause(int32_t cause);

/* Notes as lines of text: what assembly moved, which constraints are redundant, which method was chosen, which
 * method took over. */
TML_API int tml_sim_note_count(const TmlSim *sim);
TML_API const char *tml_sim_note(const TmlSim *sim, int index);

/* Names of the integrators, "auto" first; NULL past the end. */
TML_API const char *tml_integrator_name(int index);

#ifdef __cplusplus
}
#endif
