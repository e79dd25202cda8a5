/* io/file/held.h - files that a running process is writing.
 *
 * A writer holds a lock on its file as long as it lives. Where the file system cannot lock, no file
 * counts as held.
 */
#pragma once

#include "io/results/journal.h"

/* Does the superblock of an HDF5 file say that it is being written? cut: writes that a kill kept
 * from their places; NULL: none. */
bool tml_file_is_marked(int fd, const TmlJournal *cut);

/* Does another open file hold a lock on this one? Leaves fd without a lock. */
bool tml_file_is_locked(int fd);

/* Fails when the result file at this path, if there is one, is being written by a process. The
 * message names it. */
TML_NODISCARD TmlStatus tml_file_refuse_held(const char *path, TmlError *err);

/* The path of an open file now, which may have been renamed; empty when it has been removed or
 * cannot be told. */
void tml_file_path(int fd, char *out, size_t size);
