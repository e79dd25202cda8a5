/* cli/progress.h - the progress line, and Ctrl-C. */
#pragma once

#include "trammel/trammel.h"

typedef struct CliProgress {
    bool shown;   /* a line is wanted: standard error is a terminal */
    bool drawn;   /* a line stands there */
    double start; /* s, clock */
    double last;  /* s, clock of the last line */
    double from;  /* s, simulated, at `last` */
    double speed; /* simulated s per s of late, smoothed; 0: not known yet */
} CliProgress;

void cli_progress_init(CliProgress *p, bool quiet);
void cli_progress_update(CliProgress *p, const TmlProgress *now); /* at most ten lines a second */
void cli_progress_clear(CliProgress *p);

double cli_clock(void); /* s, steady */

/* From now on the first Ctrl-C (or SIGTERM) only sets a flag; a second one ends the process. */
void cli_cancel_init(void);
bool cli_cancelled(void);
