/* cli/checkpoint.h - runs that are written down now and then, and go on from there. */
#pragma once

#include "run_settings.h"

typedef struct CliCheckpoint {
    const char *path; /* NULL: none is asked for */
    char *identity;   /* what the run is, line by line */
    double every;     /* s */
    double written;   /* s, clock */
    int64_t rows;     /* that were out when the run stopped */
    double energy_error, kinetic;
} CliCheckpoint;

/* What the run of this model is. */
TmlStatus cli_checkpoint_begin(CliCheckpoint *c, const RunSettings *s, const TmlModel *model,
                               TmlError *err);
void cli_checkpoint_free(CliCheckpoint *c);

bool cli_checkpoint_due(const CliCheckpoint *c);
/* Rows, and what the account of the run needs, are those of the struct. */
TmlStatus cli_checkpoint_write(CliCheckpoint *c, const TmlSim *sim, TmlError *err);
/* The run from the file, if there is one; *sim stays NULL if not. */
TmlStatus cli_checkpoint_resume(CliCheckpoint *c, const TmlHooks *hooks, TmlModel **model,
                                TmlSim **sim, TmlError *err);
