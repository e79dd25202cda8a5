/* tests/fuzz/sandbox.c - the folder of a target, and calls of the library that may not leave it.
 *
 * The linker sends open, fopen and dlopen here (--wrap, see CMakeLists.txt). While a target runs
 * they fail outside of its folder; TRAMMEL_FUZZ_OUT is where libFuzzer itself may write then: it
 * keeps the input of a crash. TRAMMEL_FUZZ_FOLDER is where the folder is made, for libFuzzer ends
 * without a chance to remove it.
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { FOLDER_SIZE = 64, PATH_SIZE = 256 };

static char folder[FOLDER_SIZE];
static char written[4][PATH_SIZE];

static void remove_folder(void)
{
    char command[FOLDER_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    (void)!system(command);
}

const char *fuzz_folder(void)
{
    if (folder[0] == '\0') {
        const char *given = getenv("TRAMMEL_FUZZ_FOLDER");
        const char *shared = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(folder, sizeof folder, "%.40s/trammel-fuzz-XXXXXX",
                 given != NULL ? given : shared);
        if (mkdtemp(folder) == NULL) {
            fuzz_wrong("cannot make a folder", strerror(errno));
        }
        setenv("TMPDIR", folder, 1); // of temporary files of reports
        atexit(remove_folder);
    }
    return folder;
}

const char *fuzz_beside(const char *name)
{
    static int next;
    char *path = written[next++ % 4];
    snprintf(path, PATH_SIZE, "%.63s/%.150s", fuzz_folder(), name);
    return path;
}

/* --- calls of the library -------------------------------------------------------------------- */

int __real_open(const char *path, int flags, ...);
FILE *__real_fopen(const char *path, const char *mode);
int __wrap_open(const char *path, int flags, ...);
FILE *__wrap_fopen(const char *path, const char *mode);
void *__wrap_dlopen(const char *path, int flags);
void *__real_dlopen(const char *path, int flags);

static bool running;

void fuzz_one(FuzzTarget target, const uint8_t *data, size_t size)
{
    running = true;
    target(data, size);
    running = false;
}

static bool is_in(const char *path, const char *place)
{
    const size_t n = strlen(place);
    return strncmp(path, place, n) == 0 && (path[n] == '/' || path[n] == '\0') &&
           strstr(path, "..") == NULL;
}

static bool is_inside(const char *path)
{
    const char *out = getenv("TRAMMEL_FUZZ_OUT");
    const bool inside = !running || is_in(path, fuzz_folder()) ||
                        (out != NULL && out[0] != '\0' && is_in(path, out));
    errno = inside ? errno : EACCES;
    return inside;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    return is_inside(path) ? __real_open(path, flags, mode) : -1;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return is_inside(path) ? __real_fopen(path, mode) : NULL;
}

void *__wrap_dlopen(const char *path, int flags)
{
    static const char *const own[] = {"libhdf5", "libcairo"}; // src/io/lazy
    for (size_t k = 0; path != NULL && k < sizeof own / sizeof own[0]; ++k) {
        if (strncmp(path, own[k], strlen(own[k])) == 0) {
            return __real_dlopen(path, flags);
        }
    }
    fuzz_wrong("an input loads a library", path);
}

const char *fuzz_write(const char *name, const void *data, size_t size)
{
    const char *path = fuzz_beside(name);
    const int fd = __real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        fuzz_wrong("cannot write", path);
    }
    close(fd);
    return path;
}

/* HDF5 loses memory of its own when it refuses a file, libfyaml some of a scalar with many quotes.
 * What we leave open of HDF5 is looked for by check_closed (target_results.c), what we leave of
 * libfyaml by the other tests under sanitizers. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\nleak:libfyaml\n";
}

/* --- odds ------------------------------------------------------------------------------------ */

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL) {
        abort();
    }
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

void fuzz_wrong(const char *what, const char *detail)
{
    fprintf(stderr, "fuzz: %s: %s\n", what, detail);
    abort();
}

void fuzz_check(TmlStatus status, const TmlError *err)
{
    if (status != TML_OK && err->message[0] == '\0') {
        fuzz_wrong("a failure without a message", tml_status_name(status));
    }
    if (status != TML_OK && err->status != status) {
        fuzz_wrong("status and message differ", err->message);
    }
    if (status == TML_E_INTERNAL) {
        fuzz_wrong("a defect", err->message);
    }
}
