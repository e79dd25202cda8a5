/* io/file/draft.h - a file that takes its name only when it is whole.
 *
 * The file has no name at first, so that a kill leaves nothing behind. Where the file system cannot
 * do that it has the final name with ".new" behind it. What had the name before stays as it was
 * until then. What is no plain file, a pipe or a device, is written to as it comes, and a file that
 * has no name (io/file/unnamed.h) in its place.
 */
#pragma once

#include "base/fail.h"

#include <stdio.h>

typedef struct TmlDraft {
    const char *path; /* the final name; the caller's */
    char *place;      /* what gets the name; NULL: no plain file */
    char *temporary;  /* the name until then */
    int fd;           /* open to read and write; the caller may take it and set it to -1 */
    bool named;       /* it has the temporary name */
} TmlDraft;

/* What becomes of a symbolic link at the path: the file takes its place, or the place of the one
 * that it leads to. */
typedef enum TmlDraftLink { TML_LINK_REPLACE, TML_LINK_FOLLOW } TmlDraftLink;

TML_NODISCARD TmlStatus tml_draft_open(TmlDraft *d, const char *path, TmlDraftLink link,
                                       TmlError *err);

/* A stream that writes the file and takes fd over. NULL: out of memory. */
FILE *tml_draft_stream(TmlDraft *d);

/* The file takes its name, and the place of the one that had it. */
TML_NODISCARD TmlStatus tml_draft_publish(TmlDraft *d, int fd, TmlError *err);

/* Closes fd unless it was taken, and removes what has not been published. */
void tml_draft_end(TmlDraft *d);

/* Fills the file through a stream; failures of the stream itself are looked for afterwards. */
typedef TmlStatus (*TmlDraftFill)(void *user, FILE *file, TmlError *err);

/* A file from what fill writes: all of it, or the file as it was before. */
TML_NODISCARD TmlStatus tml_draft_write(const char *path, TmlDraftLink link, TmlDraftFill fill,
                                        void *user, TmlError *err);
