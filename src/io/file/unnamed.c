/* io/file/unnamed.c - files without a name: a kill leaves nothing of them.
 *
 * They are opened by /proc/self/fd, as long as a descriptor holds them. A plain file that is found by
 * a path and has no links can be nothing else.
 */
#include "io/file/unnamed.h"

#include "base/arena.h"
#include "base/file.h"
#include "trammel/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char descriptors[] = "/proc/self/fd/";

bool tml_is_unnamed(const char *path)
{
    struct stat info;
    if (strncmp(path, descriptors, sizeof descriptors - 1) != 0) {
        return false;
    }
    // one that cannot be looked at just now is told of, if need be, when it is opened
    return stat(path, &info) == 0 ? S_ISREG(info.st_mode) && info.st_nlink == 0 : errno != ENOENT;
}

TmlStatus tml_unnamed_told(const char *path, TmlStatus status, TmlError *err)
{
    char quoted[64], rest[TML_ERROR_MAX];
    if (status == TML_OK || err == NULL || !tml_is_unnamed(path)) {
        return status;
    }
    snprintf(quoted, sizeof quoted, "'%s'", path);
    for (char *at = NULL; (at = strstr(err->message, quoted)) != NULL;) {
        const size_t room = sizeof err->message - (size_t)(at - err->message);
        snprintf(rest, sizeof rest, "%s", at + strlen(quoted));
        snprintf(at, room, "a temporary file%s", rest);
    }
    return status;
}

/* Where the file system has no files without a name it loses it at once. */
static int open_and_unlink(const char *folder)
{
    static const char name[] = "/trammel-XXXXXX";
    char *path = tml_mem_zalloc(strlen(folder) + sizeof name, 1);
    if (path == NULL) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(path, folder, strlen(folder));
    memcpy(path + strlen(folder), name, sizeof name);
    const int fd = mkostemp(path, O_CLOEXEC);
    const int why = errno;
    if (fd >= 0) {
        (void)unlink(path);
    }
    tml_mem_free(path);
    errno = why;
    return fd;
}

static int open_in(const char *folder)
{
    int fd = -1;
#ifdef O_TMPFILE
    fd = tml_file_open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    return fd >= 0 ? fd : open_and_unlink(folder);
}

TmlStatus tml_results_unnamed(const char *beside, int *fd, char *path, size_t size, TmlError *err)
{
    const char *slash = beside != NULL ? strrchr(beside, '/') : NULL, *own = getenv("TMPDIR");
    char *folder = NULL;
    if (slash != NULL) {
        const size_t n = slash > beside ? (size_t)(slash - beside) : 1;
        folder = tml_mem_zalloc(n + 1, 1);
        if (folder == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        memcpy(folder, beside, n);
    }
    const char *const place = folder != NULL                  ? folder
                              : beside != NULL                ? "."
                              : own != NULL && own[0] != '\0' ? own
                                                              : "/var/tmp";
    *fd = open_in(place);
    TmlStatus status = TML_OK;
    if (*fd < 0) {
        status = tml_fail(err, TML_E_IO, "cannot create a temporary file in '%s': %s", place,
                          strerror(errno));
    } else {
        snprintf(path, size, "%s%d", descriptors, *fd);
    }
    tml_mem_free(folder);
    return status;
}
