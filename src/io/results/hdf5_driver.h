/* io/results/hdf5_driver.h - a driver of HDF5 for files that a kill at any instant leaves readable.
 *
 * What HDF5 writes of its own structure passes through a journal (io/results/journal.h); rows do not, since
 * nothing leads to them before a commit. The file is one like any other: without a commit cut off
 * there is nothing of the journal in it.
 */
#pragma once

#include "base/fail.h"

#include "io/lazy/hdf5_calls.h"

typedef enum TmlH5Mode {
    TML_H5_DRAFT, /* writes go to the file, until tml_h5_journal_begin */
    TML_H5_WHOLE, /* all writes are one commit, when the file is closed */
    TML_H5_READ,  /* read only */
    TML_H5_KILLED /* read only; as if the commit that was cut off had been finished */
} TmlH5Mode;

/* A file opened or created with these access properties uses the driver. It is open already as fd,
 * which stays the caller's. */
TML_NODISCARD TmlStatus tml_h5_driver_adopt(hid_t access, TmlH5Mode mode, int fd, TmlError *err);

/* Close a file of the driver; tells what it could not write. Changes of a file that
 * tml_h5_open_whole has opened come to be by this only: H5Fclose leaves it as it was. */
TML_NODISCARD TmlStatus tml_h5_close(hid_t file, TmlError *err);

/* Readers take what HDF5 does not find for absent. Between these two no read has failed, or the
 * second does with its reason, else it returns `status`. */
void tml_h5_reads_begin(void);
int tml_h5_read_error(void); /* errno of the last that failed since the first; 0: none */
TML_NODISCARD TmlStatus tml_h5_reads_check(TmlStatus status, TmlError *err);

/* Open a file to change it; fd: it is open already as this, -1: by its path. All changes come to be
 * when tml_h5_close closes it, or none. *file < 0: it is not open. abandoned: marks of a writer
 * that is no more are cleared. */
TML_NODISCARD TmlStatus tml_h5_open_whole(const char *path, int fd, bool abandoned, hid_t *file,
                                          TmlError *err);

/* From now on the structure is journaled. */
TML_NODISCARD TmlStatus tml_h5_journal_begin(hid_t file, TmlError *err);

/* From now on data is, too: for data that is written over. */
TML_NODISCARD TmlStatus tml_h5_journal_whole(hid_t file, TmlError *err);

/* Bring what HDF5 has flushed since the last commit to the file. */
TML_NODISCARD TmlStatus tml_h5_commit(hid_t file, TmlError *err);
