/* analysis/rows/rows.h - output rows: what is made of accepted steps and read by callers. */
#pragma once

#include "analysis/driver/sim_facts.h"
#include "analysis/rows/account.h"
#include "analysis/rows/between.h"
#include "trammel/analysis.h"

enum { TML_STEP_ENDS = 3 };

/* An accepted step end, and the row there when it is ready: put onto the constraints, accelerations
 * and multipliers solved for. What lies between is interpolated through the accepted states, whose
 * accelerations are those that the method has made smooth; solved for, they have the error of q
 * times the stiffness. */
typedef struct TmlStepEnd {
    TmlState s, row;
    bool ready;
    bool restarted; /* a new piece of motion begins here: s is its start, not the end of a step */
    bool noted;     /* violation is set */
    bool solved;    /* false: singular, those of the method are all there is */
    double violation[3];       /* violation of s at each level; set when `noted` is */
    double work[TML_ACCOUNTS]; /* J: integrals of the powers up to s.t */
} TmlStepEnd;

/* Energies of the rows so far, J. */
typedef struct TmlEnergyWatch {
    bool begun;
    double first_potential;
    double error, kinetic, turnover; /* the largest values so far */
} TmlEnergyWatch;

/* What belongs to output rows. The present row itself is `row` of the sim. */
typedef struct TmlRows {
    double base; /* time of the row with the number `first`; others count from it */
    int64_t first;
    TmlStepEnd ends[TML_STEP_ENDS]; /* the ends of the last accepted steps, in a ring */
    int last_end;                   /* index of the latest end */
    int smooth_ends;                /* number of ends since the last restart */
    int64_t next;                   /* number of the next row */
    bool is_there;       /* row and certificate are filled and belong to the last kinematics */
    bool was_there;      /* a row was made before: its time and certificate are kept */
    const char **misuse; /* name of a function that was called while there was no row; NULL: none */
    TmlBetweenWork between;
    TmlCertificate certificate;
    TmlEnergyWatch energy_watch;
    double largest_force;  /* J: the largest of forces_in_play so far */
    double forces_in_play; /* J: the largest force of the last row times the length of the model */
    double first_energy;   /* kinetic + gravity + stored at the start */
    double first_stored;
    int n_checked;
    struct TmlCheckedChannel {
        int64_t rows; /* number of rows in which the channel was not finite */
        double first; /* s: time of the first of them */
    } * checked;      /* n_checked */
    int n_default;    /* default channels when the model has none */
    struct TmlDefaultChannel {
        char name[TML_NAME_MAX];
        int component;
        int body;    /* -1: a flexible body */
        int mesh;    /* number of the flexible body */
        double u, v; /* the place on it, each from 0 to 1 */
    } * default_channel;
} TmlRows;

/* The point of a path of equilibria that the present row shows. */
typedef struct TmlPathRow {
    bool on;
    TmlPathPoint point;
    TmlPathAsked asked;
} TmlPathRow;

/* energy_watch.c: account for a row; passed: what forces and drives have done so far, each step
 * without its sign, J. True: the balance is off by as much as the motion has. */
bool tml_energy_watch_add(TmlEnergyWatch *b, const TmlCertificate *c, double passed);
/* The same for the row of the run, into statistics, with a warning and a note the first time. */
void tml_sim_energy_watch(TmlSim *sim);

/* rows.c: output rows of the last accepted step with times up to its end. */
TML_NODISCARD TmlStatus tml_sim_emit_rows(TmlSim *sim, TmlRowFn row, void *user, bool start,
                                          TmlError *err);
/* After a failure: the row of the last accepted state, or that state as the method has left it
 * where no accelerations belong to it. */
void tml_sim_row_last(TmlSim *sim);
/* `row` has been filled by others than a run: its certificate and its kinematics. */
void tml_sim_row_given(TmlSim *sim);
/* Is called when the kinematics no longer belong to the row. */
void tml_sim_row_gone(TmlSim *sim);
/* Is called when it.now was set to another state, to which no step leads. */
void tml_sim_rows_start_over(TmlSim *sim);
/* Rows are counted from it.now on, the next being one output step behind it. */
void tml_sim_rows_count_from_here(TmlSim *sim);
/* Return the start and the end of the last accepted step. */
TmlStepEnd *tml_sim_step_start(TmlSim *sim);
TmlStepEnd *tml_sim_step_end(TmlSim *sim);
/* Is called when it.now has become the end of a step. It accounts for the work of the step. */
void tml_sim_step_ended(TmlSim *sim);
/* The next step starts at it.now, whose accelerations and states may differ from those at the end
 * of the last: rows behind a jump are those of its other side. */
void tml_sim_step_restarts(TmlSim *sim);
/* row_read.c: whether there is a row to read; told by the log hook when not, and kept for
 * tml_sim_row_misuse, which fails once for it. */
bool tml_row_exists(const TmlSim *sim, const char *function);
TML_NODISCARD TmlStatus tml_sim_row_misuse(TmlSim *sim, TmlError *err);
TML_NODISCARD TmlStatus tml_sim_default_channels(TmlSim *sim, TmlError *err);

TML_NODISCARD TmlStatus tml_sim_rows_setup(TmlSim *sim, TmlError *err);
void tml_sim_rows_free(TmlSim *sim);
void tml_sim_rows_begin(TmlSim *sim); /* rows and accounts begin at the present state */

/* rows.c: a state inside the last step, from s0 to s1. */
typedef enum TmlInside {
    TML_INSIDE_MOTION,  /* positions, velocities and states with their rates */
    TML_INSIDE_PATH,    /* the same, velocities as the rates of the positions as they are */
    TML_INSIDE_COMPLETE /* on the constraints, with all else solved for */
} TmlInside;
void tml_sim_inside(TmlSim *sim, const TmlState *s0, const TmlState *s1, double t, TmlInside what,
                    TmlState *out);
/* row_path.c: rows are those of a path from here on; of one of its points; of a run again. */
void tml_sim_path_begin(TmlSim *sim, TmlPathAsked asked);
void tml_sim_path_point(TmlSim *sim, const TmlPathPoint *point);
void tml_sim_path_end(TmlSim *sim);
/* Channels that rows of a path have besides those of the model, by their number. */
int tml_path_channels(const TmlSim *sim);
const char *tml_path_channel_name(const TmlSim *sim, int k);
double tml_path_channel(const TmlSim *sim, int k);
/* row_drive.c: channels of drives, behind all others, where options ask for them. */
typedef struct TmlDriveChannel {
    int constraint, what;
    char name[TML_NAME_MAX];
    const char *unit;
} TmlDriveChannel;
TML_NODISCARD TmlStatus tml_sim_drive_channels(TmlSim *sim, TmlError *err);
int tml_drive_channels(const TmlSim *sim);
double tml_drive_channel(const TmlSim *sim, int k);
/* row_check.c: channels of the row that are not finite. */
TML_NODISCARD TmlStatus tml_sim_row_check_setup(TmlSim *sim, TmlError *err);
void tml_sim_row_check(TmlSim *sim);

double tml_sim_row_time(const TmlSim *sim, int64_t k);
