/* io/read/results_modal.h - modal bodies of a result file: their coordinates, and which part they are. */
#pragma once

#include "io/read/results_read.h"

enum { TML_RESULT_COORDINATES, TML_RESULT_RATES, TML_RESULT_MODAL_SETS };

/* One modal body. Datasets stay open. */
typedef struct TmlResultModal {
    const char *name, *part; /* part: path of its file when the run began */
    int m;                   /* modes; 0: none, and nothing below */
    double *hertz, *mark; /* m: frequencies, and what tells other shapes and signs (part_mark.h) */
    TmlH5Array value[TML_RESULT_MODAL_SETS]; /* rows x m */
} TmlResultModal;

/* The modal bodies; `out` has *n of them, in the arena of the file. To be closed in any case. */
TML_NODISCARD TmlStatus tml_result_modal(TmlResultFile *f, int *n, TmlResultModal **out,
                                         TmlError *err);
void tml_result_modal_close(int n, TmlResultModal *bodies);

/* Coordinates or rates of n rows: out holds n x m values. */
TML_NODISCARD TmlStatus tml_result_modal_rows(const TmlResultModal *b, int set, int64_t first,
                                              int64_t n, double *out, TmlError *err);
