/* analysis/driver/error_check.h - rows that a run keeps for a comparison, and what that one found. */
#pragma once

#include "base/arena.h"
#include "trammel/analysis.h"

enum { TML_ERROR_PARTS = 100 }; /* of the time, each with its largest difference */

typedef struct TmlErrorCheck {
    int n_items, n_channels; /* columns: channels, then x, y, z of each body */
    int64_t rows;
    double *data; /* rows * (1 + n_items): time, values */
    int cap;
    TmlErrorItem *item; /* channels, then bodies */
    TmlErrorInfo info;
    bool done;
    double output_step;           /* s, before events changed it */
    double part[TML_ERROR_PARTS]; /* largest relative difference in each part of the time */
    TmlArena arena;

    // while the other run goes on
    int64_t next;             /* row to compare */
    double *lowest, *highest; /* n_items, of the run's rows */
} TmlErrorCheck;
