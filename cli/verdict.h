/* cli/verdict.h - what is said of a run when it is over, and kept of one that failed. */
#pragma once

#include "progress.h"

#include "trammel/trammel.h"

/* TML_E_NONFINITE with a message when an output was not finite in some row. */
TmlStatus cli_check_finite(const TmlSim *sim, int64_t rows, TmlError *err);

/* Compare with a run of higher order; a warning where the results are off by more than they should.
 * The progress of that run is cleared. */
void cli_check_error(TmlSim *sim, CliProgress *progress, bool quiet);

/* Is it a failure of the run itself, from whose last state it could be tried again? */
bool cli_can_repeat(TmlStatus status);

/* False, with a warning: it could not be written. */
bool cli_write_dump(const char *path, const TmlSim *sim, const TmlLoadOptions *load,
                    const char *message);
