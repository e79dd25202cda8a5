/* cli/run_files.h - what `trammel run` has in hand, and the result files that it writes. */
#pragma once

#include "checkpoint.h"
#include "closing.h"
#include "drives.h"
#include "progress.h"
#include "run_settings.h"

enum { RESULTS, CSV, N_WRITERS }; // kinds of files that rows go to
/* The end of a simulation of a command file. */
typedef struct Kept {
    TmlSim *sim;
    TmlModel *model;
} Kept;

typedef struct Run {
    const RunSettings *settings;
    const char *replay; // dump that is repeated; NULL: none
    int *spare;         // parts: descriptors of results without a name, for the report; NULL: none
    TmlModel *model;
    TmlSim *sim;
    const TmlSim *from; // the one to go on from; NULL: the start
    bool back;          // it is not the last one: time goes back
    Kept *kept;         // of simulations that others may go back to; NULL: none do
    int n_kept;
    double end, output_step;      // s, of the simulation under way; NAN: the model's
    double begun;                 // s, rows up to here are written already; negative: none
    int parts;                    // files of results: one, or more where joints come
    TmlWriter *writer[N_WRITERS]; // NULL: not wanted
    CliProgress progress;
    CliCheckpoint checkpoint;
    double flushed, wait;      // s: clock of the last flush, and how long the next one waits
    int logs;                  // warnings and notes heard
    const char *dumped;        // file that a failure was written to; NULL: none
    bool summarised, reported; // those files are written
    CliClosing closing;
    CliDrives drives;
    TmlStatus status; // first failure, and its message
    TmlError err;
} Run;

bool cli_run_writes_results(const RunSettings *s);
/* The name of a part: out.h5, out-2.h5, ... */
void cli_run_part_name(const char *path, int part, char *out, size_t size);
/* The file of results of a part that has been written. */
void cli_run_results_of(const Run *run, int part, char *path, size_t size);
/* Rows of the next sim follow in the same files, or in new ones. */
TmlStatus cli_run_join_writers(Run *run, const TmlSim *next);
/* All files that are wanted, behind the rows that are out. */
TmlStatus cli_run_open_writers(Run *run);
void cli_run_close_writers(Run *run);
