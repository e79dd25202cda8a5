/* analysis/driver/error_check.h - the rows that a run keeps for a comparison with a more accurate run, and what the comparison found. */
#pragma once

#include "base/arena.h"
#include "trammel/analysis.h"

enum {
    TML_ERROR_PARTS = 100
}; /* the time is divided into so many parts, each with its largest difference */

typedef struct TmlErrorCheck {
    int n_items, n_channels; /* columns of a row: the channels, then x, y, z of each body */
    int64_t rows;
    double *data;       /* rows * (1 + n_items): the time and the values of each row */
    int cap;            /* rows for which there is room */
    TmlErrorItem *item; /* the channels, then the bodies */
    TmlErrorInfo info;
    bool done;                    /* the comparison was made */
    double output_step;           /* s: as it was before events changed it */
    double part[TML_ERROR_PARTS]; /* the largest relative difference in each part of the time */
    TmlArena arena;

    // while the other run goes on
    int64_t next;             /* the row that is compared next */
    double *lowest, *highest; /* n_items: the range of the rows of the run */
} TmlErrorCheck;
