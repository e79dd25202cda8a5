/* analysis/driver/sim_internal.h - the state of a run, shared by the files of the driver. */
#pragma once

#include "analysis/driver/error_check.h"
#include "analysis/driver/runaway.h"
#include "analysis/driver/state_scales.h"
#include "analysis/driver/step_control.h"
#include "analysis/integrator/integrator.h"
#include "analysis/rows/account.h"
#include "analysis/rows/between.h"
#include "model/measure/past.h"
#include "trammel/analysis.h"

enum { TML_STEP_ENDS = 3 };

/* An accepted step end, and the row there when it is ready: put onto the constraints, accelerations
 * and multipliers solved for. What lies between is interpolated through the accepted states, whose
 * accelerations are those that the method has made smooth; solved for, they have the error of q
 * times the stiffness. */
typedef struct TmlStepEnd {
    TmlState s, row;
    bool ready;
    bool solved;               /* false: singular, those of the method are all there is */
    double violation[3];       /* of s, by level; when it is ready */
    double work[TML_ACCOUNTS]; /* J: integrals of the powers up to s.t */
} TmlStepEnd;

/* Energies of the rows so far, J. */
typedef struct TmlEnergyWatch {
    bool begun;
    double first_potential;
    double error, kinetic, turnover; /* largest */
} TmlEnergyWatch;

struct TmlSim {
    const TmlModel *model;
    TmlSimOptions options;
    const TmlIntegratorType *type;
    bool automatic;                     // the type was chosen (choose.c), and another may take over
    char choice[512];                   // what was chosen and why
    const TmlIntegratorType *successor; // takes over before the next step; NULL: none
    const char *successor_why;
    double struggle;    // failed iterations of late
    bool explicit_fits; // explicit steps are not bound by stability
    int n_methods;      // that have had their turn: the chosen one, adams, radau, hht
    const TmlIntegratorType *methods[5];
    TmlSystem *sys;
    TmlIntegrator it;
    double tolerance, start, end, output_step;
    TmlStepControl control; // sizes of steps
    int n_options;
    const char **option_key, **option_value;

    // time
    double next_break;    // s: of a kink or jump that expressions of time have; infinite: none
    bool breaks_known;    // the first has been looked for
    bool break_here;      // the last accepted state is at one
    bool rounding_told;   /* a note says that rounding of positions is above the tolerance */
    bool restart_pending; // the next step starts the method afresh

    // drives
    TmlDriveJump drive_jump; // the next jump of velocity, when
    bool drive_ahead;        // the step under way ends before it
    int impacts;             // such jumps so far

    // events
    struct TmlEventState {
        double d;                         // expression minus value at the last accepted state
        bool holds;                       // it has happened and is still so
        bool landed;                      // the step being tried ends at it
    } * event;                            // model->events.n
    double *event_values;                 // the most that one sets
    double event_step, event_output_step; // that an event asks for; 0: none
    bool event_row;                       // an event asks for a row at the end of the step
    bool halted;                          // an event ended this run and others behind it

    // delays
    int n_kinks, kink_cap;
    struct TmlKink {
        double t;
        int generation; // delays that it has come through
    } * kink;           // n_kinks: times to come at which a delayed value is not smooth, ascending
    bool kinks_lost;    // for want of memory
    double landed;      // the last of them
    bool *follows;      // model->delays.n: tml_system_delay_follows
    double *delay_end;  // model->delays.n
    double (*delay_sample)[TML_PAST_DEGREE + 1]; // model->delays.n

    // output
    double row_base; // time of a row and its number, from which others are counted
    int64_t row_first;
    TmlStepEnd ends[TML_STEP_ENDS]; // of the last accepted steps, in a ring
    int last_end;                   // index of the last
    int smooth_ends;                // how many of them there are since the last restart
    int64_t next_row;
    TmlState row;
    bool has_row;        // `row` and `certificate` are filled and belong to the last kinematics
    bool had_row;        // there has been one: time and certificate of it
    const char **misuse; // the function that was called without a row; NULL: none
    TmlState trial;      // scratch
    TmlBetweenWork between;
    TmlCertificate certificate;
    TmlEnergyWatch energy_watch;
    double forces_in_play; /* J: the largest force of the last row times the length of the model */
    int n_checked;
    struct TmlCheckedChannel {
        int64_t rows;     // in which it was not finite
        double first;     // s
    } * checked;          // n_checked
    TmlErrorCheck *error; // NULL: rows are not kept for a comparison
    bool goes_on;         // from another sim
    double first_energy;  // kinetic + gravity + stored at the start
    double first_stored;
    TmlAccount account;
    int n_default; // default channels when the model has none
    struct TmlDefaultChannel {
        char name[TML_NAME_MAX];
        int component;
        int body;    // -1: a flexible body
        int mesh;    // which one
        double u, v; // the place there, from 0 to 1
    } * default_channel;

    // paths
    bool on_path;
    TmlPathPoint path;
    double path_from, path_to, path_step; // as asked for

    // accounts
    TmlSimStats stats;
    double started;
    double cpu_output; // processor time of output rows, s
    int attempts_cap;
    TmlRunaway runaway;
    TmlStateScales scales;
    int64_t n_attempts;
    TmlAttemptRow *attempts;
    TmlArena note_arena; // apart from the system's, which is wound back while it is built
    TmlNotes notes;
    TmlArena method_arena; // of the integrator: it may be set up more than once
    bool contradicted;     // the last try breaks a row that is left out
};

/* other_rows.c: whether other rows of redundant joints should be kept, since those that are become
 * dependent near the present state; keep others then. The method is set up anew and must start
 * afresh. */
bool tml_sim_rows_worn(TmlSim *sim);
TML_NODISCARD TmlStatus tml_sim_other_rows(TmlSim *sim, TmlError *err);

/* state_scales.c: memory; at the start and where the method starts afresh; after an accepted step;
 * after a try that converged, with its weighted error: whether a state came to life in it, so that
 * it must be made once more;
 * after one of size h that was too inaccurate; what the allowed error of a state is relative to. */
TML_NODISCARD TmlStatus tml_sim_scales_setup(TmlSim *sim, TmlError *err);
void tml_sim_scales_start(TmlSim *sim);
void tml_sim_scales_accept(TmlSim *sim);
bool tml_sim_scales_judge(TmlSim *sim, double error);
void tml_sim_scales_reject(TmlSim *sim, double h);
double tml_sim_scales_size(const TmlSim *sim, int k);

/* drives.c: a step no longer than to the next jump of a drive's velocity (0: it is here), an error
 * for one of position; whether the accepted state is there; the impact, when it is. */
TML_NODISCARD TmlStatus tml_sim_drives_fit(TmlSim *sim, double *h, TmlError *err);
bool tml_sim_drives_reached(const TmlSim *sim);
TML_NODISCARD TmlStatus tml_sim_drives_cross(TmlSim *sim, TmlError *err);

/* runaway.c: after an accepted step h. TML_E_STEP or TML_E_NONFINITE names what grows without end.
 */
TML_NODISCARD TmlStatus tml_sim_runaway(TmlSim *sim, double h, TmlError *err);

/* breaks.c: times closer to t than this are t; the first break, at the start of a run; whether the
 * accepted state is at one, to the bit then; the span behind it, for the next step. */
double tml_sim_slack(const TmlSim *sim, double t);
void tml_sim_breaks_start(TmlSim *sim);
bool tml_sim_breaks_reached(TmlSim *sim);
void tml_sim_breaks_cross(TmlSim *sim);
/* dynamics.c: TML_E_CANCELLED when the progress hook says so; between the tries of a step. */
TML_NODISCARD TmlStatus tml_sim_cancelled(TmlSim *sim, TmlError *err);
/* step_failure.c: TML_E_STEP with time, reason, culprit and advice, after the last try, of size h.
 */
TML_NODISCARD TmlStatus tml_sim_step_failure(TmlSim *sim, double h, const TmlAttempt *a,
                                             TmlError *err);
/* energy_watch.c: account for a row; passed: what forces and drives have done so far, each step
 * without its sign, J. True: the balance is off by as much as the motion has. */
bool tml_energy_watch_add(TmlEnergyWatch *b, const TmlCertificate *c, double passed);
/* The same for the row of the run, into statistics, with a warning and a note the first time. */
void tml_sim_energy_watch(TmlSim *sim);
/* dynamics.c: (D7), of a TmlSim, for its step control. */
double tml_sim_rounding(void *sim);

/* rows.c: output rows of the last accepted step with times up to its end. */
TML_NODISCARD TmlStatus tml_sim_emit_rows(TmlSim *sim, TmlRowFn row, void *user, bool start,
                                          TmlError *err);
/* After a failure: the row of the last accepted state, or that state as the method has left it
 * where no accelerations belong to it. */
void tml_sim_row_last(TmlSim *sim);
/* The ends of the last accepted step. */
TmlStepEnd *tml_sim_step_start(TmlSim *sim);
TmlStepEnd *tml_sim_step_end(TmlSim *sim);
/* it.now has become the end of a step, whose work is accounted for. */
void tml_sim_step_ended(TmlSim *sim);
/* The next step starts at it.now, whose accelerations and states may differ from those at the end
 * of the last: rows behind a jump are those of its other side. */
void tml_sim_step_restarts(TmlSim *sim);
/* row_read.c: whether there is a row to read; told by the log hook when not, and kept for
 * tml_sim_row_misuse, which fails once for it. */
bool tml_row_exists(const TmlSim *sim, const char *function);
TML_NODISCARD TmlStatus tml_sim_row_misuse(TmlSim *sim, TmlError *err);
TML_NODISCARD TmlStatus tml_sim_default_channels(TmlSim *sim, TmlError *err);
/* choose.c: set sim->type by the model's structure, time scales and options, and say why. */
TML_NODISCARD TmlStatus tml_sim_choose(TmlSim *sim, TmlError *err);
/* After an accepted step with so many failed iterations before it; stiff: what the method says of
 * the model's stiffness, NULL: nothing. May name a successor. */
void tml_sim_watch(TmlSim *sim, int failures, const char *stiff);
/* Whether another method can be tried after a failure; names it. */
bool tml_sim_has_successor(TmlSim *sim, TmlStatus failure);
/* The successor starts at the last accepted state. */
TML_NODISCARD TmlStatus tml_sim_hand_over(TmlSim *sim, TmlError *err);
/* sim.c: options, allowed errors and memory of sim->type. */
TML_NODISCARD TmlStatus tml_sim_setup_method(TmlSim *sim, TmlError *err);
void tml_sim_drop_method(TmlSim *sim);             /* and all its memory; twice is no harm */
double tml_sim_tolerance_asked(const TmlSim *sim); /* by caller or model; NAN: by nobody */
TML_NODISCARD TmlStatus tml_sim_rows_setup(TmlSim *sim, TmlError *err);
void tml_sim_rows_begin(TmlSim *sim); /* rows and accounts begin at the present state */
/* events.c: distances at the start; a step of size *h that has converged is taken anew, shorter,
 * when an event lies inside (good: the last try converged); what happens at the accepted state;
 * rows after it. */
TML_NODISCARD TmlStatus tml_sim_events_setup(TmlSim *sim, TmlError *err);
TML_NODISCARD TmlStatus tml_sim_events_land(TmlSim *sim, double *h, TmlAttempt *a, bool *good,
                                            TmlError *err);
TML_NODISCARD TmlStatus tml_sim_events_happen(TmlSim *sim, TmlError *err);
void tml_sim_events_rows(TmlSim *sim);
/* delays.c: the past at the start; before a step; after a restart. */
TML_NODISCARD TmlStatus tml_sim_delays_setup(TmlSim *sim, TmlError *err);
void tml_sim_delays_rest(TmlSim *sim); /* at an equilibrium */
void tml_sim_delays_ready(TmlSim *sim);
void tml_sim_delays_restart(TmlSim *sim);
/* Fails for a model whose motion depends on its past, which has no modes. */
TML_NODISCARD TmlStatus tml_sim_delays_none(const TmlSim *sim, TmlError *err);
/* A step no longer than the delays allow; the next kink. */
double tml_sim_delays_fit(TmlSim *sim, double h);
double tml_sim_delays_kink(const TmlSim *sim);
/* What delays leave open of a step that converged, as a part of its error; what it leaves for later
 * steps, when it is accepted and now and next are swapped. */
void tml_sim_delays_judge(const TmlSim *sim, double h, TmlAttempt *a);
TML_NODISCARD TmlStatus tml_sim_delays_record(TmlSim *sim, TmlError *err);
/* rows.c: a state inside the last step, from s0 to s1. */
typedef enum TmlInside {
    TML_INSIDE_MOTION,  /* positions, velocities and states with their rates */
    TML_INSIDE_PATH,    /* the same, velocities as the rates of the positions as they are */
    TML_INSIDE_COMPLETE /* on the constraints, with all else solved for */
} TmlInside;
void tml_sim_inside(TmlSim *sim, const TmlState *s0, const TmlState *s1, double t, TmlInside what,
                    TmlState *out);
/* row_path.c: channels that rows of a path have besides those of the model, by their number. */
int tml_path_channels(const TmlSim *sim);
const char *tml_path_channel_name(const TmlSim *sim, int k);
double tml_path_channel(const TmlSim *sim, int k);
/* row_check.c: channels of the row that are not finite. */
TML_NODISCARD TmlStatus tml_sim_row_check_setup(TmlSim *sim, TmlError *err);
void tml_sim_row_check(TmlSim *sim);
/* error_check.c: rows are kept when options ask for it. */
TML_NODISCARD TmlStatus tml_sim_error_setup(TmlSim *sim, TmlError *err);
TML_NODISCARD TmlStatus tml_sim_error_row(TmlSim *sim, TmlError *err);
void tml_sim_error_free(TmlSim *sim);
double tml_sim_row_time(const TmlSim *sim, int64_t k);
