/* cli/over.h - trammel linearize --over: eigenvalues over a parameter. */
#pragma once

#include "cli.h"

typedef struct CliOver {
    char *what; /* NAME=FROM:TO:N as written; NULL: one value only */
    bool critical;
    const char *picture;
    TmlLocusOptions options; /* set by cli_over_check */
} CliOver;

// clang-format off
#define CLI_OVER_OPTIONS(at)                                                                      \
    {"over", 0, CLI_TEXT, "NAME=FROM:TO:N",                                                        \
     "eigenvalues at N values of a parameter, joined to branches",                                 \
     (at) + offsetof(CliOver, what)},                                                             \
    {"critical", 0, CLI_FLAG, NULL,                                                                \
     "with --over: find the values where a motion becomes unstable or stable",                     \
     (at) + offsetof(CliOver, critical)},                                                         \
    {"svg", 0, CLI_TEXT, "OUT.svg", "with --over: draw real parts, frequencies and the root locus",\
     (at) + offsetof(CliOver, picture)}
// clang-format on

/* Read NAME=FROM:TO:N. Returns CLI_GO_ON, or the exit status. */
int cli_over_check(CliOver *over);

/* Returns the exit status. Files may be NULL. */
int cli_over_run(const TmlModel *model, const CliOver *over, const char *csv, const char *json,
                 bool quiet);
