/* io/results/writer.h - what a kind of result file provides.
 *
 * A kind is one file with one table; writer.c chooses it by the suffix of the path.
 */
#pragma once

#include "trammel/io.h"

typedef struct TmlWriterKind {
    const char *suffixes; /* separated by blanks: ".h5 .hdf5" */

    /* Makes the kind's own data. On failure *data is NULL and nothing is left open. rows: how many of the file that has
     * the name already stay; 0: none. */
    TmlStatus (*open)(const char *path, const TmlSim *sim, int64_t rows, void **data,
                      TmlError *err);
    TmlStatus (*row)(void *data, const TmlSim *sim, TmlError *err);
    TmlStatus (*flush)(void *data, TmlError *err);

    /* Of the open file. */
    int (*descriptor)(const void *data);

    /* Can the rows of another sim follow, and let them. NULL: always, and nothing is to be done. */
    bool (*fits)(const void *data, const TmlSim *next);
    TmlStatus (*next)(void *data, const TmlSim *former, const TmlSim *next, TmlError *err);

    /* Writes what is left and frees data, also on failure. ending: "done" or the message. */
    TmlStatus (*close)(void *data, const TmlSim *sim, const char *ending, TmlError *err);
} TmlWriterKind;

extern const TmlWriterKind tml_writer_hdf5;
extern const TmlWriterKind tml_writer_csv;

/* Rows wait in memory at most this long, in s, while the run goes on. */
#define TML_FLUSH_SECONDS 0.5
