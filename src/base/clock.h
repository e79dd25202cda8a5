/* base/clock.h - time for statistics and progress. */
#pragma once

/* Seconds of a monotonic clock. */
double tml_clock(void);

/* Seconds of processor time of this process; a system call, so not for the inside of a step. */
double tml_clock_cpu(void);
