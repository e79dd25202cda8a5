/* io/file/draft.c - a file that takes its name only when it is whole. */
#include "io/file/draft.h"

#include "base/arena.h"
#include "base/file.h"
#include "io/file/unnamed.h"
#include "trammel/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static TmlStatus draft_fail(const TmlDraft *d, TmlError *err)
{
    return tml_fail(err, TML_E_IO, "cannot create '%s': %s", d->path, strerror(errno));
}

/* --- beginning -------------------------------------------------------------------------------- */

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
    const int fd = tml_file_open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    tml_mem_free(folder);
    return fd;
#else
    (void)path;
    return -1;
#endif
}

/* A copy of the path, with links followed: a rename would replace the link. */
static char *place_of(const char *path, TmlDraftLink link)
{
    struct stat info;
    const bool follow = link == TML_LINK_FOLLOW && lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    char *real = follow ? realpath(path, NULL) : NULL;
    const char *text = real != NULL ? real : path;
    char *copy = tml_mem_zalloc(strlen(text) + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, strlen(text));
    }
    free(real);
    return copy;
}

static TmlStatus open_plain(TmlDraft *d, TmlDraftLink link, TmlError *err)
{
    static const char suffix[] = ".new";
    d->place = place_of(d->path, link);
    d->temporary = d->place != NULL ? tml_mem_zalloc(strlen(d->place) + sizeof suffix, 1) : NULL;
    if (d->temporary == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", d->path);
    }
    memcpy(d->temporary, d->place, strlen(d->place));
    memcpy(d->temporary + strlen(d->place), suffix, sizeof suffix);
    d->fd = open_unnamed(d->place);
    if (d->fd < 0) {
        // others who may write to this folder know the name: what they have put there, a link
        // to a file of ours for example, is not opened
        (void)unlink(d->temporary);
        d->fd =
            tml_file_open(d->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        d->named = d->fd >= 0;
    }
    return d->fd >= 0 ? TML_OK : draft_fail(d, err);
}

TmlStatus tml_draft_open(TmlDraft *d, const char *path, TmlDraftLink link, TmlError *err)
{
    struct stat earlier;
    const bool exists = stat(path, &earlier) == 0;
    *d = (TmlDraft){.path = path, .fd = -1};
    TmlStatus status = TML_OK;
    if (exists && tml_is_unnamed(path)) {
        d->fd = tml_file_open(path, O_RDWR | O_TRUNC | O_CLOEXEC, 0);
        status = d->fd >= 0 ? TML_OK : draft_fail(d, err);
    } else if (exists && !S_ISREG(earlier.st_mode)) {
        d->fd = tml_file_open(path, O_WRONLY | O_CLOEXEC, 0);
        status = d->fd >= 0 ? TML_OK : draft_fail(d, err);
    } else {
        status = open_plain(d, link, err);
    }
    if (status == TML_OK && exists && link == TML_LINK_FOLLOW && d->place != NULL) {
        (void)!fchmod(d->fd, earlier.st_mode & 0777); // who could read it still can
    }
    if (status != TML_OK) {
        tml_draft_end(d);
    }
    return status;
}

FILE *tml_draft_stream(TmlDraft *d)
{
    FILE *file = tml_file_stream(d->fd, "w");
    d->fd = file != NULL ? -1 : d->fd;
    return file;
}

/* --- the end ---------------------------------------------------------------------------------- */

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
    if (d->place == NULL) {
        return TML_OK;
    }
    if ((!d->named && !give_name(d, fd)) || rename(d->temporary, d->place) != 0) {
        return draft_fail(d, err);
    }
    d->named = false;
    return TML_OK;
}

void tml_draft_end(TmlDraft *d)
{
    if (d->fd >= 0) {
        (void)tml_file_close(d->fd);
    }
    if (d->named) {
        (void)unlink(d->temporary);
    }
    tml_mem_free(d->temporary);
    tml_mem_free(d->place);
    *d = (TmlDraft){.fd = -1};
}

/* --- whole files ------------------------------------------------------------------------------ */

/* The stream is closed before the file takes its name: close tells of some failures first. */
static TmlStatus fill_and_close(TmlDraft *d, int fd, TmlDraftFill fill, void *user, TmlError *err)
{
    FILE *file = tml_file_stream(fd, "w");
    if (file == NULL) {
        (void)tml_file_close(fd);
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", d->path);
    }
    errno = 0;
    TmlStatus status = fill(user, file, err);
    const bool flushed = fflush(file) == 0 && !ferror(file);
    const int why = errno;
    const bool closed = fclose(file) == 0;
    if (status == TML_OK && !(flushed && closed)) {
        status = tml_fail(err, TML_E_IO, "cannot write '%s': %s", d->path,
                          strerror(flushed ? errno : why));
    }
    return status;
}

TmlStatus tml_draft_write(const char *path, TmlDraftLink link, TmlDraftFill fill, void *user,
                          TmlError *err)
{
    TmlDraft d;
    TML_TRY(tml_draft_open(&d, path, link, err));
    const int fd = tml_file_dup(d.fd);
    TmlStatus status = fd < 0 ? draft_fail(&d, err) : fill_and_close(&d, fd, fill, user, err);
    if (status == TML_OK) {
        status = tml_draft_publish(&d, d.fd, err);
    }
    tml_draft_end(&d);
    return status;
}

typedef struct Bytes {
    const void *at;
    size_t n;
} Bytes;

static TmlStatus fill_bytes(void *user, FILE *file, TmlError *err)
{
    const Bytes *b = user;
    (void)err;
    (void)fwrite(b->at, 1, b->n, file); // the stream keeps its failure
    return TML_OK;
}

TmlStatus tml_file_write(const char *path, const void *bytes, size_t n, TmlError *err)
{
    Bytes b = {bytes, n};
    return tml_draft_write(path, TML_LINK_FOLLOW, fill_bytes, &b, err);
}

TmlStatus tml_file_check(const char *path, TmlError *err)
{
    TmlDraft d;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISFIFO(info.st_mode)) {
        return TML_OK; // opening it would wait for a reader
    }
    TML_TRY(tml_draft_open(&d, path, TML_LINK_FOLLOW, err));
    tml_draft_end(&d);
    return TML_OK;
}
