/* cli/bench.h - experiments of the papers, one file each; bench.c lists them. */
#pragma once

#include "trammel/trammel.h"

#include <stdio.h>

typedef struct CliBench {
    const char *name, *text;
    /* Prints its tables; json: file for the numbers, open for writing, or NULL. Exit status. */
    int (*run)(const struct CliBench *self, FILE *json);
} CliBench;

extern const CliBench cli_bench_double_pendulum;

/* Text of models/double_pendulum.yaml, put into the program by the build. */
extern const char cli_model_double_pendulum[];

/* Where the bench is, for people who wait; NULL clears the line. */
void cli_bench_progress(const char *method, double tolerance);
bool cli_bench_has(const char *integrator); /* registered */
void cli_bench_json(FILE *json, const char *key, double value, const char *after);
