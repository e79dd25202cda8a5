/* cli/bench.h - experiments of the papers, one file each; bench.c lists them. */
#pragma once

#include "trammel/trammel.h"

#include <stdio.h>

typedef struct CliBench {
    const char *name, *text;
    /* Prints its tables; json: file for the numbers, open for writing, or NULL; plot: where to
     * draw, or NULL. Exit status. */
    int (*run)(const struct CliBench *self, FILE *json, const char *plot);
    bool plots; /* has something to draw */
} CliBench;

extern const CliBench cli_bench_double_pendulum, cli_bench_flexible_pendulum;

/* Texts of models/double_pendulum.yaml and models/flexible/pendulum.yaml, put into the program by
 * the build. */
extern const char cli_model_double_pendulum[], cli_model_flexible_pendulum[];

/* Where the bench is, for people who wait; NULL clears the line. */
void cli_bench_progress(const char *method, double tolerance);
bool cli_bench_has(const char *integrator); /* registered */
void cli_bench_json(FILE *json, const char *key, double value, const char *after);
