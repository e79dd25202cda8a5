/* base/clock.h - time for statistics and progress. */
#pragma once

/* Seconds of a monotonic clock. */
double tml_clock(void);
