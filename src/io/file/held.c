/* io/file/held.c - files that a running process is writing. */
#include "io/file/held.h"

#include "base/file.h"
#include "trammel/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The signature of 8 bytes is followed by the version (3), by the sizes of addresses and lengths,
 * then by the flags. */
enum { VERSION = 8, FLAGS = 11, HEAD = FLAGS + 1, SWMR_VERSION = 3, WRITING = 0x05 };

static TmlStatus read_head(int fd, const TmlJournal *cut, unsigned char head[HEAD], TmlError *err)
{
    if (!tml_read_at(fd, 0, HEAD, head)) {
        return tml_fail(err, TML_E_IO, "cannot read: %s", strerror(errno));
    }
    if (cut != NULL) {
        tml_journal_overlay(cut, 0, HEAD, head);
    }
    return TML_OK;
}

TmlStatus tml_file_is_hdf5(int fd, const TmlJournal *cut, bool *out, TmlError *err)
{
    static const unsigned char signature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char head[HEAD] = {0};
    *out = false;
    struct stat info;
    if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode)) {
        return TML_OK; // a folder, say
    }
    TML_TRY(read_head(fd, cut, head, err));
    *out = memcmp(head, signature, sizeof signature) == 0;
    return TML_OK;
}

TmlStatus tml_file_is_marked(int fd, const TmlJournal *cut, bool *out, TmlError *err)
{
    unsigned char head[HEAD] = {0};
    TML_TRY(tml_file_is_hdf5(fd, cut, out, err));
    if (!*out) {
        return TML_OK;
    }
    TML_TRY(read_head(fd, cut, head, err));
    *out = head[VERSION] >= SWMR_VERSION && (head[FLAGS] & WRITING) != 0;
    return TML_OK;
}

/* Bytes far behind the end of any file stand for processes: a writer locks the one of its own
 * number. Locks of an open file description (OFD) can be asked for without taking one, and are none
 * of those by which HDF5 readers lock files (flock). */
static const off_t first_process = (off_t)1 << 62;
static const off_t n_processes = (off_t)1 << 32;

void tml_file_hold(int fd)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
    lock.l_start = first_process + (off_t)getpid();
    while (fcntl(fd, F_OFD_SETLK, &lock) != 0 && errno == EINTR) {
    }
}

long tml_file_holder(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    lock.l_start = first_process;
    lock.l_len = n_processes;
    int asked;
    do {
        asked = fcntl(fd, F_OFD_GETLK, &lock);
    } while (asked != 0 && errno == EINTR);
    return asked == 0 && lock.l_type != F_UNLCK ? (long)(lock.l_start - first_process) : 0;
}

TmlStatus tml_file_refuse_held(const char *path, TmlError *err)
{
    struct stat info;
    const int fd = stat(path, &info) == 0 && S_ISREG(info.st_mode)
                       ? tml_file_open(path, O_RDONLY | O_CLOEXEC, 0)
                       : -1;
    if (fd < 0) {
        return TML_OK; // there is none, or whoever creates it will say what is wrong
    }
    const long pid = tml_file_holder(fd);
    (void)tml_file_close(fd);
    if (pid == 0) {
        return TML_OK;
    }
    return tml_fail(err, TML_E_IO,
                    "'%s' is being written by process %ld; choose another name, or add --force to "
                    "give that file another one",
                    path, pid);
}

void tml_file_path(int fd, char *out, size_t size)
{
    struct stat own, named;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, out, size - 1);
    out[n > 0 ? n : 0] = '\0';
    if (fstat(fd, &own) != 0 || stat(out, &named) != 0 || own.st_dev != named.st_dev ||
        own.st_ino != named.st_ino) {
        out[0] = '\0';
    }
}

/* "out.h5", 2 -> "out-2.h5" */
static bool other_name(const char *path, int k, char *out, size_t size)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const int stem =
        (int)(dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - path) : strlen(path));
    return (size_t)snprintf(out, size, "%.*s-%d%s", stem, path, k, path + stem) < size;
}

TmlStatus tml_writer_set_aside(const char *path, char *kept, size_t size, TmlError *err)
{
    enum { NAMES = 10000 };
    kept[0] = '\0';
    if (tml_file_refuse_held(path, NULL) == TML_OK) {
        return TML_OK;
    }
    for (int k = 1; k < NAMES && other_name(path, k, kept, size); ++k) {
        if (renameat2(AT_FDCWD, path, AT_FDCWD, kept, RENAME_NOREPLACE) == 0) {
            return TML_OK;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    kept[0] = '\0';
    return tml_fail(err, TML_E_IO, "cannot give '%s' another name: %s", path, strerror(errno));
}
