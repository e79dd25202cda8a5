/* io/report/report_parts.h - what the files that make a report share. */
#pragma once

#include "io/read/results_modal.h"
#include "io/report/container.h"
#include "io/report/report_rows.h"
#include "model/modal/part.h"
#include "trammel/report.h"

/* A modal body whose part was read. */
typedef struct TmlReportModal {
    TmlResultModal *result;
    TmlPart part;
    int body; /* of the scene: the ground is 0 */
} TmlReportModal;

/* A report in the making. */
typedef struct TmlReportJob {
    TmlResultFile file;
    char *scene, *statistics; /* texts of the file; NULL: it has none */
    int n_flexible;
    TmlResultFlexible *flexible;
    int n_modal, n_results;
    TmlReportModal *modal;         /* n_modal: those that can be drawn */
    TmlResultModal *results_modal; /* n_results: all */
    TmlContainer c;
    int64_t first;       /* row */
    bool whole;          /* small enough to keep every row */
    double size;         /* m, of the scene */
    double bound;        /* allowed error, relative to the size and to the range of a channel */
    const char *status;  /* running, done, or the message */
    const char *results; /* name of the file, without its folder */
    bool modes;          /* the file has some, about its only row */
} TmlReportJob;

/* "frames": {...}: positions and orientations thinned by an error bound. */
TML_NODISCARD TmlStatus tml_report_frames(TmlReportJob *job, TmlError *err);
/* "channels": {...} */
TML_NODISCARD TmlStatus tml_report_channels(TmlReportJob *job, TmlError *err);
/* "solver": {...} */
TML_NODISCARD TmlStatus tml_report_solver(TmlReportJob *job, TmlError *err);
/* "counts", "scene" and what the run was. */
TML_NODISCARD TmlStatus tml_report_head(TmlReportJob *job, TmlError *err);
/* "modes": {...} of the file, io/results/modes_h5.c. */
TML_NODISCARD TmlStatus tml_report_modes_part(TmlReportJob *job, TmlError *err);

/* report_modal.c: modal bodies of the file with their parts; "modal": [...] of the scene. */
TML_NODISCARD TmlStatus tml_report_modal_open(TmlReportJob *job, TmlError *err);
TML_NODISCARD TmlStatus tml_report_modal_scene(TmlReportJob *job, TmlError *err);
/* One entry of that list. A body without `result` is a part alone. */
TML_NODISCARD TmlStatus tml_report_modal_body(TmlReportJob *job, const TmlReportModal *b,
                                              const char *name, TmlError *err);
