/* base/input.c - files that are read: plain files of a bounded size. */
#include "base/input.h"

#include "base/fail.h"

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

static TmlStatus check_plain(const char *path, int fd, size_t *size, TmlError *err)
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
    if (info.st_size > TML_INPUT_MAX) {
        return too_large(path, err);
    }
    *size = (size_t)info.st_size;
    return TML_OK;
}

TmlStatus tml_input_open(const char *path, FILE **out, size_t *size, TmlError *err)
{
    *out = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe does not wait
    if (fd < 0) {
        return tml_fail(err, TML_E_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    const TmlStatus status = check_plain(path, fd, size, err);
    *out = status == TML_OK ? fdopen(fd, "rb") : NULL;
    if (*out == NULL) {
        close(fd);
        return status != TML_OK ? status : tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    return TML_OK;
}

/* What comes from a file, to its end or the bound, whatever its size was said to be. */
static TmlStatus read_all(const char *path, FILE *file, size_t expected, char **out, size_t *length,
                          TmlError *err)
{
    size_t n = 0;
    int cap = 0;
    void *text = NULL;
    bool grown = tml_mem_grow(&text, &cap, (int)expected + 2, 1);
    while (grown && !ferror(file) && !feof(file) && n <= TML_INPUT_MAX) {
        grown = tml_mem_grow(&text, &cap, (int)n + 4096, 1);
        n += grown ? fread((char *)text + n, 1, (size_t)cap - n - 1, file) : 0;
    }
    if (ferror(file) || !grown || n > TML_INPUT_MAX) {
        tml_mem_free(text);
        return !grown ? tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path)
               : ferror(file)
                   ? tml_fail(err, TML_E_IO, "%s: cannot read: %s", path, strerror(errno))
                   : too_large(path, err);
    }
    ((char *)text)[n] = '\0';
    *out = text;
    *length = n;
    return TML_OK;
}

TmlStatus tml_input_read(const char *path, char **out, size_t *length, TmlError *err)
{
    FILE *file;
    size_t size = 0;
    *out = NULL;
    TML_TRY(tml_input_open(path, &file, &size, err));
    const TmlStatus status = read_all(path, file, size, out, length, err);
    fclose(file);
    return status;
}

TmlStatus tml_input_read_any(const char *path, char **out, size_t *length, TmlError *err)
{
    struct stat info;
    *out = NULL;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) {
        return tml_input_read(path, out, length, err);
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return tml_fail(err, TML_E_IO, "%s: cannot open: %s", path, strerror(errno));
    }
    const TmlStatus status = read_all(path, file, 0, out, length, err);
    fclose(file);
    return status;
}
