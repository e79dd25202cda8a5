/* io/report_parts.h - what the files that make a report share. */
#pragma once

#include "io/container.h"
#include "io/report_read.h"

/* A report in the making. */
typedef struct TmlReportJob {
    TmlResults results;
    TmlContainer c;
    int64_t first;    /* row */
    bool whole;       /* small enough to keep every row */
    double size;      /* m, of the scene */
    double bound;     /* allowed error, relative to the size and to the range of a channel */
    const char *kind; /* running, done, or the message */
} TmlReportJob;

/* How many rows of so many values fit a portion. */
int tml_report_portion(size_t width);

/* "frames": {...}: positions and orientations thinned by an error bound. */
TML_NODISCARD TmlStatus tml_report_frames(TmlReportJob *job, TmlError *err);
/* "channels": {...} */
TML_NODISCARD TmlStatus tml_report_channels(TmlReportJob *job, TmlError *err);
/* "solver": {...} */
TML_NODISCARD TmlStatus tml_report_solver(TmlReportJob *job, TmlError *err);
/* "counts", "scene" and what the run was. */
TML_NODISCARD TmlStatus tml_report_head(TmlReportJob *job, TmlError *err);
