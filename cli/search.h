/* cli/search.h - what trammel fit and trammel optimize share. */
#pragma once

#include "cli.h"

typedef struct CliSearch {
    CliLoad load;
    const char *out, *csv, *page, *integrator, *method;
    double tol, evaluations;
    bool resume, restart, quiet;
} CliSearch;

/* Where results and evaluations go, and what is shown while it goes on. */
typedef struct CliSearchRun {
    const CliSearch *s;
    const char *value; /* what is to be small, in a word */
    char out[4096], journal[4200];
    bool shown;
    double begun, drawn;
    int told; /* failures that were told */
} CliSearchRun;

/* Checks the names of outputs, and whether an unfinished search of this name is there. path: the description; what: "-fit" or
 * "-optimum", behind its name. Returns CLI_GO_ON, or the exit status. */
int cli_search_begin(CliSearchRun *run, const CliSearch *s, const TmlModel *model, const char *path,
                     const char *what, TmlSearchOptions *out);
/* A failure that ended the search; evaluations are kept. Returns the exit status. */
int cli_search_failed(const CliSearchRun *run, TmlStatus status, const TmlError *err);
/* The last lines. Returns the exit status. */
int cli_search_end(const CliSearchRun *run, bool stopped, bool good, int failed, int evaluations,
                   int replayed);
