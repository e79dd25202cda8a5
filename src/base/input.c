/* base/input.c - files that are read: plain files of a bounded size. */
#include "base/input.h"

#include "base/fail.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *tml_input_beside(TmlArena *arena, const char *from, const char *name)
{
    const char *slash = from != NULL && name[0] != '/' ? strrchr(from, '/') : NULL;
    return slash != NULL ? tml_arena_printf(arena, "%.*s/%s", (int)(slash - from), from, name)
                         : tml_arena_strdup(arena, name);
}

static TmlStatus too_large(const char *path, TmlError *err)
{
    return tml_fail(err, TML_E_IO, "%s: is larger than %d MB", path, TML_INPUT_MAX >> 20);
}

TmlStatus tml_input_plain(const char *path, int fd, TmlError *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return tml_fail(err, TML_E_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) {
        return tml_fail(err, TML_E_IO, "%s: is a folder, not a file", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return tml_fail(err, TML_E_IO, "%s: is a pipe or a device, not a plain file", path);
    }
    return TML_OK;
}

static TmlStatus check_plain(const char *path, int fd, size_t *size, TmlError *err)
{
    struct stat info;
    TML_TRY(tml_input_plain(path, fd, err));
    if (fstat(fd, &info) != 0) {
        return tml_fail(err, TML_E_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    if (info.st_size > TML_INPUT_MAX) {
        return too_large(path, err);
    }
    *size = (size_t)info.st_size;
    return TML_OK;
}

/* Opens a plain file; a pipe does not wait. */
static TmlStatus open_plain(const char *path, int *fd, size_t *size, TmlError *err)
{
    *fd = tml_file_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (*fd < 0) {
        return tml_fail(err, TML_E_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    const TmlStatus status = check_plain(path, *fd, size, err);
    if (status != TML_OK) {
        (void)tml_file_close(*fd);
    }
    return status;
}

TmlStatus tml_input_check(const char *path, TmlError *err)
{
    int fd;
    size_t size;
    TML_TRY(open_plain(path, &fd, &size, err));
    (void)tml_file_close(fd);
    return TML_OK;
}

/* What comes from a file, to its end or the bound, whatever its size was said to be. */
static TmlStatus read_all(const char *path, int fd, size_t expected, char **out, size_t *length,
                          TmlError *err)
{
    size_t n = 0;
    int cap = 0;
    void *text = NULL;
    ssize_t got = 1;
    bool grown = tml_mem_grow(&text, &cap, (int)expected + 2, 1);
    while (grown && got > 0 && n <= TML_INPUT_MAX) {
        grown = tml_mem_grow(&text, &cap, (int)n + 4096, 1);
        got = grown ? tml_read_some(fd, (size_t)cap - n - 1, (char *)text + n) : 0;
        n += got > 0 ? (size_t)got : 0;
    }
    if (got < 0 || !grown || n > TML_INPUT_MAX) {
        const int why = errno;
        tml_mem_free(text);
        return !grown    ? tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path)
               : got < 0 ? tml_fail(err, TML_E_IO, "%s: cannot read: %s", path, strerror(why))
                         : too_large(path, err);
    }
    ((char *)text)[n] = '\0';
    *out = text;
    *length = n;
    return TML_OK;
}

TmlStatus tml_input_read(const char *path, char **out, size_t *length, TmlError *err)
{
    int fd;
    size_t size = 0;
    *out = NULL;
    TML_TRY(open_plain(path, &fd, &size, err));
    const TmlStatus status = read_all(path, fd, size, out, length, err);
    (void)tml_file_close(fd);
    return status;
}

TmlStatus tml_input_read_any(const char *path, char **out, size_t *length, TmlError *err)
{
    struct stat info;
    *out = NULL;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) {
        return tml_input_read(path, out, length, err);
    }
    const int fd = tml_file_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) {
        return tml_fail(err, TML_E_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    const TmlStatus status = read_all(path, fd, 0, out, length, err);
    (void)tml_file_close(fd);
    return status;
}

TmlStatus tml_input_open(const char *path, FILE **out, TmlError *err)
{
    char *text;
    size_t n = 0;
    *out = NULL;
    TML_TRY(tml_input_read(path, &text, &n, err));
    *out = tml_memory_stream(text, n);
    if (*out == NULL) {
        tml_mem_free(text);
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    }
    return TML_OK;
}

TmlStatus tml_input_lines(const char *path, TmlInputLine *take, void *user, TmlError *err)
{
    char *text = NULL;
    size_t length;
    TML_TRY(tml_input_read(path, &text, &length, err));
    TmlStatus status = TML_OK;
    int number = 0;
    for (char *line = text; line != NULL && status == TML_OK;) {
        char *next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        status = take(user, ++number, line);
        line = next;
    }
    tml_mem_free(text);
    return status;
}

char *tml_input_trim(char *text)
{
    static const char blank[] = " \t\r";
    text += strspn(text, blank);
    size_t n = strlen(text);
    while (n > 0 && strchr(blank, text[n - 1]) != NULL) {
        text[--n] = '\0';
    }
    return text;
}
