/* io/file/draft.h - a file that takes its name only when it is whole.
 *
 * The file has no name at first, so that a kill leaves nothing behind. Where the file system cannot
 * do that it has the final name with ".new" behind it.
 */
#pragma once

#include "base/fail.h"

typedef struct TmlDraft {
    const char *path; /* the final name; the caller's */
    char *temporary;  /* the name until then */
    int fd;           /* open to read and write; the caller may take it and set it to -1 */
    bool named;       /* it has the temporary name */
} TmlDraft;

TML_NODISCARD TmlStatus tml_draft_open(TmlDraft *d, const char *path, TmlError *err);

/* The file takes its name, and the place of the one that had it. */
TML_NODISCARD TmlStatus tml_draft_publish(TmlDraft *d, int fd, TmlError *err);

/* Closes fd unless it was taken, and removes what has not been published. */
void tml_draft_end(TmlDraft *d);
