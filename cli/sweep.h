/* cli/sweep.h - trammel linearize --over: eigenvalues over a parameter. */
#pragma once

#include "cli.h"

typedef struct CliSweep {
    char *what; /* NAME=FROM:TO:N as written; NULL: no sweep */
    bool critical;
    const char *picture;
    TmlSweepOptions options; /* set by cli_sweep_check */
} CliSweep;

// clang-format off
#define CLI_SWEEP_OPTIONS(at)                                                                      \
    {"over", 0, CLI_TEXT, "NAME=FROM:TO:N",                                                        \
     "eigenvalues at N values of a parameter, joined to branches",                                 \
     (at) + offsetof(CliSweep, what)},                                                             \
    {"critical", 0, CLI_FLAG, NULL,                                                                \
     "with --over: find the values where a motion becomes unstable or stable",                     \
     (at) + offsetof(CliSweep, critical)},                                                         \
    {"svg", 0, CLI_TEXT, "OUT.svg", "with --over: draw real parts, frequencies and the root locus",\
     (at) + offsetof(CliSweep, picture)}
// clang-format on

/* Read NAME=FROM:TO:N. Returns CLI_GO_ON, or the exit status. */
int cli_sweep_check(CliSweep *sweep);

/* Returns the exit status. Files may be NULL. */
int cli_sweep_run(const TmlModel *model, const CliSweep *sweep, const char *csv, const char *json,
                  bool quiet);
