/* io/report_read.h - a result file as a report reads it: whole, running, or left by a killed run.
 *
 * Rows are read in portions, so that memory does not grow with the length of a run. /time is looked
 * at first: the rows it has are whole everywhere.
 */
#pragma once

#include "base/arena.h"
#include "io/hdf5_file.h"

/* Values of one dataset in a row. */
typedef struct TmlRowPart {
    hid_t id;
    int rank;
    hsize_t dim[TML_H5_RANK_MAX];
    hsize_t take; /* how many of the last axis are wanted */
    size_t at, n; /* place in the row, and number of values */
} TmlRowPart;

/* A row of values, gathered from one or more datasets. */
typedef struct TmlRowSet {
    int n;
    TmlRowPart *part;
    size_t width;
} TmlRowSet;

/* One flexible body. */
typedef struct TmlReportFlexible {
    const char *name, *group; /* group: path in the file */
    bool patch;
    int nodes, vectors, elements, points, element_nodes, fibres;
    int columns[2];                    /* of strain and stress; 0: none */
    const char **column[2], **unit[2]; /* their names and units */
    int32_t *element;                  /* elements * element_nodes */
    double *weight;                    /* elements * points * element_nodes * vectors */
    double *point;                     /* points * 3 */
} TmlReportFlexible;

typedef struct TmlResults {
    TmlArena arena;
    hid_t file;
    int64_t rows;
    char *status, *statistics, *scene; /* statistics, scene: NULL when the file has none */
    int n_bodies, n_joints, n_channels, n_flexible;
    bool bodies_packed, joints_packed, channels_packed;
    const char **body, **joint, **channel, **unit; /* names, and units of the channels */
    const char **body_link, **joint_link, **channel_link;
    TmlReportFlexible *flexible;
} TmlResults;

/* Open and read what does not change. Close it in any case.
 *   TML_E_IO  no such file, no HDF5 file, no result file, cut off */
TML_NODISCARD TmlStatus tml_results_open(const char *path, TmlResults *out, TmlError *err);
void tml_results_close(TmlResults *r);

/* Attributes of the root. Texts live in the arena; an absent one is "", an absent number NAN. */
TML_NODISCARD TmlStatus tml_results_text(TmlResults *r, const char *name, const char **out,
                                         TmlError *err);
TML_NODISCARD TmlStatus tml_results_texts(TmlResults *r, hid_t object, const char *name, int *n,
                                          const char ***out, TmlError *err);
double tml_results_number(const TmlResults *r, const char *name);

/* Sets of rows, each call adding to the row. Fields of all bodies ("position", 3) or joints
 * ("reaction", 6), item by item. */
TML_NODISCARD TmlStatus tml_rows_bodies(TmlResults *r, const char *field, int n, TmlRowSet *out,
                                        TmlError *err);
TML_NODISCARD TmlStatus tml_rows_joints(TmlResults *r, const char *field, int n, TmlRowSet *out,
                                        TmlError *err);
/* One dataset by its path with n values a row, of the last axis the first `take` (0: all). */
TML_NODISCARD TmlStatus tml_rows_add(TmlResults *r, const char *path, size_t n, int take,
                                     TmlRowSet *out, TmlError *err);
void tml_rows_close(TmlRowSet *s);

/* Rows first to first + n - 1, each s->width values. */
TML_NODISCARD TmlStatus tml_rows_read(const TmlRowSet *s, int64_t first, int n, double *out,
                                      TmlError *err);
