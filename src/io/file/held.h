/* io/file/held.h - files that a running process is writing.
 *
 * A writer holds a lock on its file as long as it lives. Where the file system cannot lock, no file
 * counts as held.
 */
#pragma once

#include "io/results/journal.h"

/* Is it an HDF5 file, and does its superblock say that it is being written? cut: writes that a kill
 * kept from their places; NULL: none. */
TML_NODISCARD TmlStatus tml_file_is_hdf5(int fd, const TmlJournal *cut, bool *out, TmlError *err);
TML_NODISCARD TmlStatus tml_file_is_marked(int fd, const TmlJournal *cut, bool *out, TmlError *err);

/* This process writes the file for as long as fd, which must be open to read, stays open. */
void tml_file_hold(int fd);

/* The process that writes the file; 0: none. */
long tml_file_holder(int fd);

/* Fails when the result file at this path, if there is one, is being written by a process. The
 * message names it. */
TML_NODISCARD TmlStatus tml_file_refuse_held(const char *path, TmlError *err);

/* The path of an open file now, which may have been renamed; empty when it has been removed or
 * cannot be told. */
void tml_file_path(int fd, char *out, size_t size);
