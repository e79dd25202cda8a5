/* analysis/driver/sim_internal.h - the state of a run, shared by the files of the driver. */
#pragma once

#include "analysis/contact/step_contacts.h"
#include "analysis/driver/choose.h"
#include "analysis/driver/error_check.h"
#include "analysis/driver/events.h"
#include "analysis/driver/runaway.h"
#include "analysis/driver/sim_facts.h"
#include "analysis/driver/state_scales.h"
#include "analysis/driver/step_breaks.h"
#include "analysis/driver/step_control.h"
#include "analysis/driver/step_delays.h"
#include "analysis/driver/step_drives.h"
#include "analysis/integrator/integrator.h"
#include "analysis/rows/rows.h"
#include "trammel/analysis.h"

#include <stdatomic.h>

struct TmlSim {
    const TmlModel *model;
    TmlSimOptions options;
    const TmlIntegratorType *type;
    TmlChooser chooser;
    TmlSystem *sys;
    TmlIntegrator it;
    double tolerance, start, end, output_step;
    double limit;           /* s: a step ends at this time as it would at the end of the run */
    atomic_bool stop;       /* another thread asks for the end */
    TmlStepControl control; // it chooses the sizes of steps
    int n_options;
    const char **option_key, **option_value;

    // time
    TmlBreaks breaks;
    TmlStepDrives drives;
    TmlEvents events;
    TmlStepDelays delays;
    TmlStepContacts contacts;
    bool rounding_told;   /* the note about rounding above the tolerance has been written */
    bool restart_pending; // the next step starts the method afresh

    // output
    TmlRows rows;
    TmlState row; // the state of the present row; its certificate is in `rows`
    TmlPathRow path;
    int n_drive_channels;
    TmlDriveChannel *drive_channel; // n_drive_channels
    TmlState trial;                 // scratch for states that are tried and thrown away
    TmlErrorCheck *error;           // NULL: rows are not kept for a comparison
    bool goes_on;                   // the run continues one of another sim
    TmlAccount account;

    // accounts
    TmlSimStats stats;
    double started;
    double cpu_output; // processor time of output rows, s
    TmlRunaway runaway;
    TmlStateScales scales;
    struct {
        int64_t n;
        int cap;
        TmlAttemptRow *at; // n
    } tries;
    TmlArena note_arena; // apart from the system's, which is wound back while it is built
    TmlNotes notes;
    TmlArena method_arena; // of the integrator: it may be set up more than once
    bool contradicted;     // the last try violates a redundant row that was left out
    uint64_t group;        // the group of its blocks when it was made from a saved state; else 0
    uint64_t owner, born;  // owner and birth of its blocks; those of the model are older
};

/* other_rows.c: the first call tells whether the kept rows of redundant joints become dependent near the present state.
 * The second keeps other rows. The method is set up anew then and must start
 * afresh. */
bool tml_sim_rows_worn(TmlSim *sim);
TML_NODISCARD TmlStatus tml_sim_other_rows(TmlSim *sim, TmlError *err);

/* state_scales.c: memory; at the start and where the method starts afresh; after an accepted step;
 * after a try that converged, with its weighted error: whether a state came to life in it, so that
 * it must be made once more;
 * after one of size h that was too inaccurate; what the allowed error of a state is relative to;
 * 1/s^2: (X1). */
TML_NODISCARD TmlStatus tml_sim_scales_setup(TmlSim *sim, TmlError *err);
void tml_sim_scales_start(TmlSim *sim);
void tml_sim_scales_accept(TmlSim *sim);
bool tml_sim_scales_judge(TmlSim *sim, double error);
void tml_sim_scales_reject(TmlSim *sim, double h);
double tml_sim_scales_size(const TmlSim *sim, int k);
double tml_sim_scales_acceleration(const TmlSim *sim);
/* What a run goes on with in another process: n numbers, and A of (X1). */
const double *tml_sim_scales_kept(const TmlSim *sim, int *n);
void tml_sim_scales_restore(TmlSim *sim, const double *kept, double acceleration);

/* tries.c: the first call adds a try to the record, the second frees the record. */
void tml_sim_tries_add(TmlSim *sim, const TmlAttemptRow *row);
void tml_sim_tries_free(TmlSim *sim);

/* runaway.c: memory; what counts as one of each state, when their scales are known; whether it has
 * happened; after an accepted step h. TML_E_STEP or TML_E_NONFINITE names what grows without end.
 */
TML_NODISCARD TmlStatus tml_sim_runaway_setup(TmlSim *sim, TmlError *err);
void tml_sim_runaway_start(TmlSim *sim);
bool tml_sim_ran_away(const TmlSim *sim);
TML_NODISCARD TmlStatus tml_sim_runaway(TmlSim *sim, double h, TmlError *err);

/* dynamics.c: TML_E_CANCELLED when the progress hook says so; between the tries of a step. */
TML_NODISCARD TmlStatus tml_sim_cancelled(TmlSim *sim, TmlError *err);
/* step_failure.c: TML_E_STEP with time, reason, culprit and advice, after the last try, of size h.
 */
TML_NODISCARD TmlStatus tml_sim_step_failure(TmlSim *sim, double h, const TmlAttempt *a,
                                             TmlError *err);
/* dynamics.c has (D7) of a TmlSim, for its step control. */
double tml_sim_rounding(void *sim);
double tml_sim_weakness(void *sim); /* its part by constraints that lose their hold */

/* keep/set_inputs.c: whether a state is an input, which nothing but the caller changes. */
bool tml_sim_is_input_state(const TmlSim *sim, int state);

/* sim.c: give all memory back but that of the struct. */
void tml_sim_clear(TmlSim *sim);

/* sim.c sets options, allowed errors and memory of sim->type. */
TML_NODISCARD TmlStatus tml_sim_setup_method(TmlSim *sim, TmlError *err);
void tml_sim_drop_method(TmlSim *sim);             /* and all its memory; twice is no harm */
double tml_sim_tolerance_asked(const TmlSim *sim); /* by caller or model; NAN: by nobody */
/* error_check.c: rows are kept when options ask for it. */
TML_NODISCARD TmlStatus tml_sim_error_setup(TmlSim *sim, TmlError *err);
TML_NODISCARD TmlStatus tml_sim_error_row(TmlSim *sim, TmlError *err);
void tml_sim_error_free(TmlSim *sim);
