/* io/results/journal.h - writes to a file that all come to be, or none, wherever a kill falls.
 *
 * Writes are collected in memory. To commit them they are first put behind the end of the file in
 * one piece with a foot as its last bytes, then to their places, then the piece is cut off again:
 *
 *   (J1)  no foot at the end of the file: no write has reached its place
 *   (J2)  a foot at the end: all writes are there, and can be done once more
 *
 * The piece is written with rising addresses, so its foot is there only when all of it is; a kill
 * in the midst of the writes in place leaves (J2), and doing all of them again gives the bytes that
 * the commit would have. Between two commits the file is as the last one left it, but for bytes
 * that were written around the journal.
 */
#pragma once

#include "base/fail.h"
#include "base/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct TmlJournal {
    unsigned char *bytes; /* writes one after another: place, size, then their bytes */
    size_t used, room;
    bool broken; /* a commit could not be finished, and is left to tml_journal_replay */
} TmlJournal;

void tml_journal_free(TmlJournal *j);

/* Collect a write. False: out of memory. */
TML_NODISCARD bool tml_journal_add(TmlJournal *j, off_t at, size_t size, const void *bytes);

/* Bytes read from the file at `at`, brought up to the collected writes. */
void tml_journal_overlay(const TmlJournal *j, off_t at, size_t size, void *bytes);

/* Commit the collected writes; `end`: where the file ends, which it will again. False: errno tells;
 * when the file has no room for them, they stay collected. */
TML_NODISCARD bool tml_journal_commit(TmlJournal *j, int fd, off_t end);

/* Take the writes of a commit that was cut off from the end of a file, if there are any. `end` is
 * where they begin. */
TML_NODISCARD TmlStatus tml_journal_load(int fd, TmlJournal *out, off_t *end, TmlError *err);

/* Finish a commit that was cut off, if there is one. */
TML_NODISCARD TmlStatus tml_journal_replay(int fd, TmlError *err);
