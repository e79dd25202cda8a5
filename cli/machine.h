/* cli/machine.h - a machine of the papers: runs by several methods, and the figures that come of them.
 *
 * An experiment opens the machine, makes its runs, adds figures and closes. What is wanted of a figure stands beside the
 * paper's: an experiment that misses one says so and ends with exit status 1.
 */
#pragma once

#include "bench.h"

enum { MACHINE_RUNS = 24, MACHINE_FIGURES = 64, MACHINE_CHANNELS = 32, MACHINE_MADE = 64 };

typedef struct MachineRun {
    const char
        *method; /* as after `trammel run -i` of `trammel compare`: NAME or NAME:KEY=VALUE,... */
    double tolerance;
    double max_step; /* s; 0: chosen */
    double end;      /* s, that the figures are of */
    double whole;    /* s, how far it is run; less than `end`: its cost is projected */
    double brief;    /* s, the same in the brief form; 0: left out */
} MachineRun;

typedef struct MachineResult {
    MachineRun run;
    const char *change; /* of parameters; "": none */
    bool done;          /* it ran, as far as it was to, or until the limit of time of the order */
    bool projected;     /* and that was less than `end` */
    bool stopped;       /* by that limit */
    double reached;     /* s */
    double seconds;     /* CPU time of the integration */
    double cost;        /* CPU time over `end`, projected or not */
    TmlSimStats stats;
    int rows, channels;
    double *time, *value; /* of rows; value[row*channels + channel] */
    const char *file;     /* its result file; NULL: none was asked for */
} MachineResult;

typedef enum MachineLimit {
    MACHINE_SHOWN,
    MACHINE_AT_LEAST,
    MACHINE_AT_MOST,
    MACHINE_WITHIN
} MachineLimit;

typedef struct MachineFigure {
    char what[96];
    const char *unit;
    double paper, ours;
    MachineLimit limit;
    double bound, other; /* MACHINE_WITHIN: from bound to other */
    bool projected;
} MachineFigure;

typedef struct Machine {
    const CliBench *bench;
    const CliBenchOrder *order;
    TmlModel *model;
    const char *change; /* of its parameters; "": none */
    int n_channels, n_results, n_figures;
    char channel[MACHINE_CHANNELS][48];
    MachineResult result[MACHINE_RUNS];
    MachineFigure figure[MACHINE_FIGURES];
    /* of machine_open_files */
    char folder[256];
    bool keeps; /* runs write result files into the folder */
    int n_made;
    char *made[MACHINE_MADE]; /* what is to be removed at the end */
} Machine;

/* A file of a machine: its path below the folder, at most one folder deep, and its text. */
typedef struct MachineFile {
    const char *name, *text;
} MachineFile;

void machine_begin(Machine *m, const CliBench *bench, const CliBenchOrder *order);
TmlStatus machine_open(Machine *m, const CliBench *bench, const CliBenchOrder *order,
                       const char *text, TmlError *err);
/* A model that reads other files: n files, the model first, lie in a temporary folder until the machine is closed. */
TmlStatus machine_open_files(Machine *m, const CliBench *bench, const CliBenchOrder *order, int n,
                             const MachineFile *file, TmlError *err);
/* Path of a new file "/name" in that folder; NULL: out of memory. */
const char *machine_path(Machine *m, const char *name);
void machine_remove_files(Machine *m);
/* Gives parameters of the model other values; runs that follow have them, and MachineResult.change names them. */
TmlStatus machine_change(Machine *m, const char *text, const char *change, int n,
                         const char *const *names, const double *values, TmlError *err);
/* One run; its place among the results is *index, -1 where the brief form leaves it out (index may be NULL). A run that
 * fails by itself is a result that is not done; the status is that of a run that was cancelled or could not be set up. */
TmlStatus machine_run(Machine *m, const MachineRun *run, int *index, TmlError *err);
/* Largest difference of a channel between two results at their common rows up to t, over its range in the second; NAN
 * where one of them is not there. */
double machine_difference(const Machine *m, int a, int b, const char *channel, double t);
/* Mean of a channel over the rows of a result from t0 to t1. */
double machine_mean(const Machine *m, int result, const char *channel, double t0, double t1);
/* Of a channel in a row of a result; row -1: the last. */
double machine_value(const Machine *m, int result, const char *channel, int row);
/* Cost of one result over that of another. */
double machine_ratio(const Machine *m, int slow, int fast);

/* Add a figure; paper NAN: it has none. ours NAN: it is not there, as in a brief form. */
MachineFigure *machine_figure(Machine *m, const char *unit, double paper, double ours,
                              const char *what, ...) __attribute__((format(printf, 5, 6)));
void machine_at_least(MachineFigure *f, double bound);
void machine_at_most(MachineFigure *f, double bound);
void machine_within(MachineFigure *f, double low, double high);

/* Prints runs and figures, writes them as JSON where asked, and frees the machine. Exit status. */
int machine_close(Machine *m, TmlStatus status, const TmlError *err);

/* The page of all experiments whose results lie in a folder as NAME.json, as Markdown on standard output. */
int machine_table(const CliBench *const *benches, int n, const char *folder);
