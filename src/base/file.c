/* base/file.c - system calls on files that a signal, or a part of the bytes, does not stop. */
#include "base/file.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int tml_file_open(const char *path, int flags, mode_t mode)
{
    int fd;
    do {
        fd = open(path, flags, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

bool tml_file_close(int fd)
{
    return close(fd) == 0 || errno == EINTR;
}

int tml_file_dup(int fd)
{
    int copy;
    do {
        copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    } while (copy < 0 && errno == EINTR);
    return copy;
}

bool tml_file_cut(int fd, off_t size)
{
    int result;
    do {
        result = ftruncate(fd, size);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

bool tml_write_at(int fd, off_t at, size_t size, const void *bytes)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        const ssize_t n = pwrite(fd, from, size, at);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        const size_t done = n > 0 ? (size_t)n : 0;
        from += done;
        at += (off_t)done;
        size -= done;
    }
    return true;
}

bool tml_read_at(int fd, off_t at, size_t size, void *bytes)
{
    unsigned char *to = bytes;
    while (size > 0) {
        const ssize_t n = pread(fd, to, size, at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return false;
        }
        if (n == 0) {
            memset(to, 0, size);
            return true;
        }
        to += n;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

ssize_t tml_read_some(int fd, size_t size, void *bytes)
{
    size_t n = 0;
    while (n < size) {
        const ssize_t got = read(fd, (char *)bytes + n, size - n);
        if (got < 0 && errno != EINTR) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        n += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)n;
}

/* --- streams ---------------------------------------------------------------------------------- */

typedef struct Stream {
    int fd;
} Stream;

static ssize_t stream_read(void *cookie, char *bytes, size_t n)
{
    ssize_t got;
    do {
        got = read(((const Stream *)cookie)->fd, bytes, n);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* Bytes written; 0, not -1, is what the C library takes for a failure here. */
static ssize_t stream_write(void *cookie, const char *bytes, size_t n)
{
    const Stream *s = cookie;
    for (size_t done = 0; done < n;) {
        const ssize_t got = write(s->fd, bytes + done, n - done);
        if (got < 0 && errno != EINTR) {
            return 0;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)n;
}

static int stream_seek(void *cookie, off64_t *at, int whence)
{
    const off_t now = lseek(((const Stream *)cookie)->fd, (off_t)*at, whence);
    *at = now;
    return now < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    Stream *s = cookie;
    const bool closed = tml_file_close(s->fd);
    const int why = errno;
    tml_mem_free(s);
    errno = why;
    return closed ? 0 : EOF;
}

FILE *tml_file_stream(int fd, const char *mode)
{
    static const cookie_io_functions_t functions = {
        .read = stream_read, .write = stream_write, .seek = stream_seek, .close = stream_close};
    Stream *s = tml_mem_zalloc(1, sizeof *s);
    if (s == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    s->fd = fd;
    FILE *file = fopencookie(s, mode, functions);
    if (file == NULL) {
        tml_mem_free(s);
        errno = ENOMEM;
    }
    return file;
}

typedef struct Memory {
    char *bytes;
    size_t n, at;
} Memory;

static ssize_t memory_read(void *cookie, char *out, size_t n)
{
    Memory *m = cookie;
    const size_t left = m->n - m->at, some = n < left ? n : left;
    memcpy(out, m->bytes + m->at, some);
    m->at += some;
    return (ssize_t)some;
}

static int memory_close(void *cookie)
{
    Memory *m = cookie;
    tml_mem_free(m->bytes);
    tml_mem_free(m);
    return 0;
}

FILE *tml_memory_stream(char *bytes, size_t n)
{
    static const cookie_io_functions_t functions = {.read = memory_read, .close = memory_close};
    Memory *m = tml_mem_zalloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    *m = (Memory){bytes, n, 0};
    FILE *file = fopencookie(m, "r", functions);
    if (file == NULL) {
        tml_mem_free(m);
    }
    return file;
}
