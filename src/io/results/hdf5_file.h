/* io/results/hdf5_file.h - the few HDF5 calls that result files need, with our errors.
 *
 * HDF5 prints its error stack by default; a library that never prints wraps its calls in
 * tml_h5_quiet_begin and tml_h5_quiet_end. Before the first of them tml_h5_ready has loaded the library.
 */
#pragma once

#include "base/fail.h"
#include "trammel/types.h"

#include "io/lazy/hdf5_calls.h"

enum { TML_H5_NAME_MAX = 3 * TML_NAME_MAX + 1, TML_H5_RANK_MAX = 4 };

/* Bytes of the texts that are written at the end of a run: /status and /statistics. */
enum { TML_H5_STATUS = 4096, TML_H5_STATISTICS = 8192 };

typedef struct TmlH5Quiet {
    bool begun;
    H5E_auto2_t report;
    void *data;
} TmlH5Quiet;

TmlH5Quiet tml_h5_quiet_begin(void);
void tml_h5_quiet_end(const TmlH5Quiet *quiet);

/* Record a failed HDF5 call: "what: reason", the reason from HDF5's error stack, which the next
 * HDF5 call clears. */
TmlStatus tml_h5_fail(TmlError *err, const char *fmt, ...) TML_PRINTF(2, 3);

/* A name as a link: '/', '%' and control characters become %XX, and so does a leading '.' of a name
 * of dots only, which HDF5 takes for a folder. Returns out. */
char *tml_h5_safe_name(const char *name, char out[TML_H5_NAME_MAX]);

/* Attributes. Texts are UTF-8 of fixed length: SWMR forbids those of variable length. */
TML_NODISCARD TmlStatus tml_h5_attr_text(hid_t object, const char *name, const char *text,
                                         TmlError *err);
TML_NODISCARD TmlStatus tml_h5_attr_texts(hid_t object, const char *name, int n,
                                          const char *const *texts, TmlError *err);
TML_NODISCARD TmlStatus tml_h5_attr_number(hid_t object, const char *name, double value,
                                           TmlError *err);

/* A group that remembers the order of its entries. */
TML_NODISCARD TmlStatus tml_h5_group(hid_t parent, const char *name, hid_t *out, TmlError *err);

/* A list of n texts as a dataset. */
TML_NODISCARD TmlStatus tml_h5_texts(hid_t parent, const char *name, int n,
                                     const char *const *texts, TmlError *err);

/* An array of fixed size as a dataset. */
TML_NODISCARD TmlStatus tml_h5_array(hid_t parent, const char *name, hid_t type, int rank,
                                     const hsize_t *dim, const void *values, TmlError *err);

/* A dataset that grows by rows. A row is a value (rank 1) or an array of dim[1..rank-1] values. */
typedef struct TmlH5Column {
    hid_t id;
    hid_t memory; /* type of a value in memory */
    int rank;
    hsize_t dim[TML_H5_RANK_MAX];
    hsize_t chunk;    /* rows of a chunk */
    size_t row_bytes; /* in memory and in the file */
} TmlH5Column;

/* column->memory, rank and dim[1..] are set by the caller; chunk_rows: about how many rows the file
 * will have. */
TML_NODISCARD TmlStatus tml_h5_column_create(hid_t parent, const char *name, hsize_t chunk_rows,
                                             TmlH5Column *column, TmlError *err);

/* Write n rows so that they start at row `first`; the dataset grows to first + n rows. */
TML_NODISCARD TmlStatus tml_h5_column_write(TmlH5Column *column, hsize_t first, hsize_t n,
                                            const void *values, TmlError *err);

/* A text dataset of fixed length: created, and written over (attributes cannot change while a file
 * is being read). A longer text is cut. The text that was read is freed with tml_mem_free. */
TML_NODISCARD TmlStatus tml_h5_cell_create(hid_t file, const char *name, size_t size,
                                           const char *text, TmlError *err);
TML_NODISCARD TmlStatus tml_h5_cell_write(hid_t file, const char *name, const char *text,
                                          TmlError *err);
TML_NODISCARD TmlStatus tml_h5_cell_read(hid_t file, const char *name, char **out, TmlError *err);
