/* io/file/draft.c - a file that takes its name only when it is whole. */
#include "io/file/draft.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static TmlStatus draft_fail(const TmlDraft *d, TmlError *err)
{
    return tml_fail(err, TML_E_IO, "cannot create '%s': %s", d->path, strerror(errno));
}

/* A file without a name in the folder of the final one; -1: not to be had here. */
static int open_unnamed(const char *path)
{
#ifdef O_TMPFILE
    const char *slash = strrchr(path, '/');
    const size_t n = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = tml_mem_zalloc(n + 1, 1);
    if (folder == NULL) {
        return -1;
    }
    memcpy(folder, slash == NULL ? "." : path, n);
    const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    tml_mem_free(folder);
    return fd;
#else
    (void)path;
    return -1;
#endif
}

TmlStatus tml_draft_open(TmlDraft *d, const char *path, TmlError *err)
{
    static const char suffix[] = ".new";
    *d = (TmlDraft){.path = path, .fd = -1};
    d->temporary = tml_mem_zalloc(strlen(path) + sizeof suffix, 1);
    if (d->temporary == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    }
    memcpy(d->temporary, path, strlen(path));
    memcpy(d->temporary + strlen(path), suffix, sizeof suffix);
    d->fd = open_unnamed(path);
    if (d->fd < 0) {
        // others who may write to this folder know the name: what they have put there, a link
        // to a file of ours for example, is not opened
        (void)unlink(d->temporary);
        d->fd = open(d->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        d->named = d->fd >= 0;
    }
    if (d->fd < 0) {
        const TmlStatus status = draft_fail(d, err);
        tml_draft_end(d);
        return status;
    }
    return TML_OK;
}

/* Give an unnamed file its temporary name: only a rename can take the place of another file. */
static bool give_name(TmlDraft *d, int fd)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    (void)unlink(d->temporary); // of a run that was killed at this very place
    d->named = linkat(AT_FDCWD, self, AT_FDCWD, d->temporary, AT_SYMLINK_FOLLOW) == 0;
    return d->named;
}

TmlStatus tml_draft_publish(TmlDraft *d, int fd, TmlError *err)
{
    if ((!d->named && !give_name(d, fd)) || rename(d->temporary, d->path) != 0) {
        return draft_fail(d, err);
    }
    d->named = false;
    return TML_OK;
}

void tml_draft_end(TmlDraft *d)
{
    if (d->fd >= 0) {
        close(d->fd);
    }
    if (d->named) {
        (void)unlink(d->temporary);
    }
    tml_mem_free(d->temporary);
    *d = (TmlDraft){.fd = -1};
}
