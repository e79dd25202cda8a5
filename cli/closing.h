/* cli/closing.h - what `trammel run` prints at the end. */
#pragma once

#include "trammel/trammel.h"

typedef struct CliClosing {
    double seconds;      /* wall time of the run */
    double energy_error; /* J, largest over the rows */
    double kinetic;      /* J, largest over the rows */
    int64_t rows;
    const char *const *files; /* written ones; ends with NULL */
    bool all;                 /* --stats */
} CliClosing;

void cli_closing_print(const CliClosing *c, const TmlModel *model, const TmlSim *sim);

/* A line about one more file, if it is there. */
void cli_closing_file(const char *path);
