/* io/file/held.c - files that a running process is writing. */
#include "io/file/held.h"

#include "trammel/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The signature of 8 bytes is followed by the version (3), by the sizes of addresses and lengths,
 * then by the flags. */
bool tml_file_is_marked(int fd, const TmlJournal *cut)
{
    static const unsigned char signature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    enum { VERSION = 8, FLAGS = 11, SWMR_VERSION = 3, WRITING = 0x05 };
    unsigned char head[FLAGS + 1] = {0};
    if (!tml_read_at(fd, 0, sizeof head, head)) {
        return false;
    }
    if (cut != NULL) {
        tml_journal_overlay(cut, 0, sizeof head, head);
    }
    return memcmp(head, signature, sizeof signature) == 0 && head[VERSION] >= SWMR_VERSION &&
           (head[FLAGS] & WRITING) != 0;
}

bool tml_file_is_locked(int fd)
{
    const bool busy = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!busy) {
        (void)flock(fd, LOCK_UN);
    }
    return busy;
}

/* The process that holds a lock on the file, as the kernel lists it; 0: not known. A line is
 *   1: FLOCK  ADVISORY  READ 1234 fd:01:5678 0 EOF */
static long holder(int fd)
{
    char line[256], device[32];
    struct stat own;
    long found = 0;
    FILE *locks = fstat(fd, &own) == 0 ? fopen("/proc/locks", "r") : NULL;
    if (locks == NULL) {
        return 0;
    }
    snprintf(device, sizeof device, "%02x:%02x:%lu", major(own.st_dev), minor(own.st_dev),
             (unsigned long)own.st_ino);
    while (found == 0 && fgets(line, sizeof line, locks) != NULL) {
        char where[64] = "";
        long pid = 0;
        if (sscanf(line, "%*s FLOCK %*s %*s %ld %63s", &pid, where) == 2 &&
            strcmp(where, device) == 0) {
            found = pid;
        }
    }
    fclose(locks);
    return found;
}

/* Readers of HDF5 files lock them, too, and need not be cared for: they keep the old file. A file
 * that is being written has a mark; of tables only writers hold a lock. */
static bool is_written(int fd, const char *path)
{
    const char *dot = strrchr(path, '.');
    const bool table = dot != NULL && strcasecmp(dot, ".csv") == 0;
    return table || tml_file_is_marked(fd, NULL);
}

TmlStatus tml_file_refuse_held(const char *path, TmlError *err)
{
    struct stat info;
    const int fd =
        stat(path, &info) == 0 && S_ISREG(info.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) {
        return TML_OK; // there is none, or whoever creates it will say what is wrong
    }
    const bool held = tml_file_is_locked(fd) && is_written(fd, path);
    const long pid = held ? holder(fd) : 0;
    close(fd);
    if (!held) {
        return TML_OK;
    }
    char who[64] = "a running process";
    if (pid > 0) {
        snprintf(who, sizeof who, "process %ld", pid);
    }
    return tml_fail(err, TML_E_IO,
                    "'%s' is being written by %s; choose another name, or add --force to give "
                    "that file another one",
                    path, who);
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
