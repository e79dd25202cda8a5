/* cli/run_settings.h - what `trammel run` is asked for. */
#pragma once

#include "cli.h"

typedef struct RunSettings {
    const char *integrator, *out, *csv, *summary, *report, *commands, *dump, *checkpoint;
    double tol, end, output_step, step, every, threads; // threads: 0: not given
    CliPairs option;
    CliLoad load;
    bool quiet, stats, check_error, force, resume;
    bool drives; /* rows have channels of drives, and the end tells of them */
} RunSettings;

extern const CliOption cli_run_options[];

/* Simulate and write what is asked for; the exit status. */
int cli_run_model(const RunSettings *s, const char *path);

/* Mistakes that would be found too late: after the run, or after the model is overwritten. The exit
 * status, or CLI_GO_ON. */
int cli_run_check(const RunSettings *s, const char *model);
