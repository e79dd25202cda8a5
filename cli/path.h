/* cli/path.h - trammel statics --path: equilibria along a path. */
#pragma once

#include "cli.h"

typedef struct CliPath {
    char *what; /* NAME=FROM:TO as written; NULL: no path */
    const char *csv, *results;
    double step, points; /* 0: not given */
    double from, to;     /* set by cli_path_check */
} CliPath;

// clang-format off
#define CLI_PATH_OPTIONS(at)                                                                       \
    {"path", 0, CLI_TEXT, "NAME=FROM:TO",                                                          \
     "follow equilibria through limit points; NAME: a parameter, or time",                         \
     (at) + offsetof(CliPath, what)},                                                              \
    {"path-step", 0, CLI_POSITIVE, "H", "largest step along the path, 0.05",                       \
     (at) + offsetof(CliPath, step)},                                                              \
    {"path-points", 0, CLI_POSITIVE, "N", "largest number of points, 1000",                        \
     (at) + offsetof(CliPath, points)},                                                            \
    {"csv", 0, CLI_TEXT, "OUT.csv", "write the equilibrium, or the points of the path, as comma-separated values",      \
     (at) + offsetof(CliPath, csv)},                                                               \
    {"output", 'o', CLI_TEXT, "OUT.h5", "write the equilibrium, or the points of the path, as HDF5: for recover, report, export",                    \
     (at) + offsetof(CliPath, results)}
// clang-format on

/* Read NAME=FROM:TO and let the model be loaded for it. Returns CLI_GO_ON, or the exit status. */
int cli_path_check(CliPath *path, CliLoad *load);

/* Follow the path, write its points and print what was met; frees the sim. json: the last point,
 * NULL: not wanted. Returns the exit status. */
int cli_path_run(TmlSim *sim, const CliPath *path, const TmlStaticsOptions *statics,
                 const char *json, bool quiet);
