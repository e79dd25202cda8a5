/* tests/io/test_draft.c - files that are whole or as before, and files that a process holds. */
#include "test.h"

#include "base/file.h"
#include "io/file/draft.h"
#include "io/file/held.h"
#include "io/file/unnamed.h"
#include "trammel/trammel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

typedef struct Folder {
    char name[PATH_SIZE - 16], file[PATH_SIZE];
} Folder;

static void folder_make(TestCtx *t, Folder *f)
{
    snprintf(f->name, sizeof f->name, "%s/draft-XXXXXX", TRAMMEL_BINARY_DIR);
    CHECK(t, mkdtemp(f->name) != NULL);
    snprintf(f->file, sizeof f->file, "%s/a.txt", f->name);
}

/* Removes all of it; returns how many files there were. */
static int folder_remove(const Folder *f)
{
    int n = 0;
    char path[PATH_SIZE + 256];
    DIR *folder = opendir(f->name);
    for (const struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
        if (e->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", f->name, e->d_name);
            unlink(path);
            n++;
        }
    }
    closedir(folder);
    rmdir(f->name);
    return n;
}

static bool holds(const char *path, const char *text)
{
    char got[64] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? tml_read_some(fd, sizeof got - 1, got) : -1;
    close(fd);
    return n == (ssize_t)strlen(text) && strcmp(got, text) == 0;
}

static TmlStatus give_up(void *user, FILE *file, TmlError *err)
{
    (void)user;
    fputs("half of it", file);
    return tml_fail(err, TML_E_IO, "no more");
}

/* The stream itself goes wrong: its descriptor is closed under it. */
static TmlStatus lose(void *user, FILE *file, TmlError *err)
{
    (void)err;
    fputs("half of it", file);
    for (int fd = *(const int *)user; fd < 64; ++fd) {
        close(fd);
    }
    return TML_OK;
}

TEST(a_file_is_whole_or_as_before)
{
    Folder f;
    TmlError err = {0};
    folder_make(t, &f);
    CHECK_INT(t, tml_draft_write(f.file, TML_LINK_FOLLOW, give_up, NULL, &err), TML_E_IO);
    CHECK(t, access(f.file, F_OK) != 0);
    CHECK_OK(t, tml_file_write(f.file, "one", 3, &err), &err);
    CHECK_INT(t, tml_draft_write(f.file, TML_LINK_FOLLOW, give_up, NULL, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "no more");
    CHECK(t, holds(f.file, "one"));
    int next = dup(STDERR_FILENO); // descriptors from here on are those of the draft
    close(next);
    CHECK_INT(t, tml_draft_write(f.file, TML_LINK_FOLLOW, lose, &next, &err), TML_E_IO);
    CHECK_HAS(t, err.message, f.file);
    CHECK_HAS(t, err.message, strerror(EBADF));
    CHECK(t, holds(f.file, "one"));
    CHECK_OK(t, tml_file_write(f.file, "two", 3, &err), &err);
    CHECK(t, holds(f.file, "two"));
    CHECK_INT(t, folder_remove(&f), 1);
}

TEST(a_check_creates_nothing)
{
    Folder f;
    TmlError err = {0};
    char inside[PATH_SIZE + 16];
    folder_make(t, &f);
    CHECK_OK(t, tml_file_check(f.file, &err), &err);
    snprintf(inside, sizeof inside, "%s/no/a.txt", f.name);
    CHECK_INT(t, tml_file_check(inside, &err), TML_E_IO);
    CHECK_HAS(t, err.message, inside);
    CHECK_INT(t, tml_file_check(f.name, &err), TML_E_IO); // a folder
    CHECK_INT(t, folder_remove(&f), 0);
}

TEST(links_and_modes_stay)
{
    Folder f;
    TmlError err = {0};
    struct stat info;
    char link[PATH_SIZE + 16];
    folder_make(t, &f);
    CHECK_OK(t, tml_file_write(f.file, "one", 3, &err), &err);
    CHECK_INT(t, chmod(f.file, 0600), 0);
    snprintf(link, sizeof link, "%s/link", f.name);
    CHECK_INT(t, symlink("a.txt", link), 0);
    CHECK_OK(t, tml_file_write(link, "two", 3, &err), &err);
    CHECK(t, holds(f.file, "two"));
    CHECK(t, lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    TmlDraft d;
    CHECK_OK(t, tml_draft_open(&d, link, TML_LINK_REPLACE, &err), &err);
    CHECK_OK(t, tml_draft_publish(&d, d.fd, &err), &err);
    tml_draft_end(&d);
    CHECK(t, holds(f.file, "two") && holds(link, ""));
    CHECK(t, lstat(link, &info) == 0 && S_ISREG(info.st_mode));
    CHECK(t, stat(f.file, &info) == 0 && (info.st_mode & 0777) == 0600);
    CHECK_INT(t, folder_remove(&f), 2);
}

TEST(pipes_and_devices_are_written_to)
{
    TmlError err = {0};
    struct stat info;
    int pipes[2];
    char path[64], got[8] = "";
    CHECK_OK(t, tml_file_write("/dev/null", "one", 3, &err), &err);
    CHECK(t, stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
    CHECK_INT(t, tml_file_write("/dev/full", "one", 3, &err), TML_E_IO);
    CHECK_HAS(t, err.message, strerror(ENOSPC));
    CHECK_INT(t, pipe(pipes), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", pipes[1]);
    CHECK_OK(t, tml_file_write(path, "one", 3, &err), &err);
    CHECK_INT(t, read(pipes[0], got, sizeof got), 3);
    CHECK(t, strcmp(got, "one") == 0);
    close(pipes[0]);
    close(pipes[1]);
}

/* A file without a name is written in its place, is gone with its descriptor, and no message tells
 * where it was. */
TEST(unnamed_files_leave_nothing)
{
    Folder f;
    char path[32], text[16] = "";
    int fd = -1;
    struct stat info;
    TmlError err = {0};
    folder_make(t, &f);
    CHECK_OK(t, tml_results_unnamed(f.file, &fd, path, sizeof path, &err), &err);
    CHECK(t, tml_is_unnamed(path) && fstat(fd, &info) == 0 && (info.st_mode & 0777) == 0600);
    CHECK_OK(t, tml_file_write(path, "longer", 6, &err), &err);
    CHECK_OK(t, tml_file_write(path, "abc", 3, &err), &err);
    CHECK_INT(t, (int)pread(fd, text, sizeof text - 1, 0), 3);
    CHECK_STR(t, text, "abc");
    CHECK(t, fstat(fd, &info) == 0 && info.st_nlink == 0);
    char message[128];
    snprintf(message, sizeof message, "'%s': full; remove '%s'", path, path);
    snprintf(err.message, sizeof err.message, "%s", message);
    CHECK(t, tml_unnamed_told(path, TML_E_IO, &err) == TML_E_IO);
    CHECK_STR(t, err.message, "a temporary file: full; remove a temporary file");
    CHECK(t, tml_unnamed_told(f.file, TML_E_IO, &err) == TML_E_IO);
    close(fd);
    CHECK(t,
          !tml_is_unnamed(path) && !tml_is_unnamed(f.file) && !tml_is_unnamed("/proc/self/fd/0"));
    CHECK_INT(t, folder_remove(&f), 0);
    CHECK(t, tml_results_unnamed(f.file, &fd, path, sizeof path, &err) == TML_E_IO);
    CHECK_HAS(t, err.message, "cannot create a temporary file in '");
}

TEST(streams_read_and_write)
{
    char line[16] = "";
    Folder f;
    folder_make(t, &f);
    const int fd = tml_file_open(f.file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    FILE *file = tml_file_stream(fd, "w+");
    CHECK(t, file != NULL && fputs("one\ntwo\n", file) >= 0);
    CHECK(t, fseeko(file, 4, SEEK_SET) == 0 && fgets(line, sizeof line, file) != NULL);
    CHECK(t, strcmp(line, "two\n") == 0);
    CHECK_INT(t, fclose(file), 0);
    CHECK(t, fcntl(fd, F_GETFD) < 0); // it is closed
    TmlError err = {0};
    CHECK_OK(t, tml_file_write(f.file, "", 0, &err), &err);
    CHECK(t, holds(f.file, ""));
    folder_remove(&f);
}

TEST(writers_hold_files_and_readers_do_not)
{
    Folder f;
    TmlError err = {0};
    folder_make(t, &f);
    CHECK_OK(t, tml_file_write(f.file, "one", 3, &err), &err);
    const int asks = open(f.file, O_RDONLY | O_CLOEXEC), reads = open(f.file, O_RDONLY | O_CLOEXEC);
    CHECK_INT(t, tml_file_holder(asks), 0);
    CHECK_INT(t, flock(reads, LOCK_SH | LOCK_NB), 0); // as HDF5 does
    CHECK_INT(t, tml_file_holder(asks), 0);
    CHECK_INT(t, flock(asks, LOCK_SH | LOCK_NB), 0); // to ask has taken no lock
    const int writes = open(f.file, O_RDONLY | O_CLOEXEC);
    tml_file_hold(writes);
    CHECK_INT(t, tml_file_holder(asks), getpid());
    CHECK_INT(t, tml_file_refuse_held(f.file, &err), TML_E_IO);
    close(open(f.file, O_RDONLY | O_CLOEXEC)); // locks of processes would be lost by this
    CHECK_INT(t, tml_file_holder(asks), getpid());
    close(writes);
    CHECK_INT(t, tml_file_holder(asks), 0);
    close(asks);
    close(reads);
    folder_remove(&f);
}

TEST_SUITE(io_draft) = {CASE(a_file_is_whole_or_as_before),
                        CASE(a_check_creates_nothing),
                        CASE(links_and_modes_stay),
                        CASE(pipes_and_devices_are_written_to),
                        CASE(unnamed_files_leave_nothing),
                        CASE(streams_read_and_write),
                        CASE(writers_hold_files_and_readers_do_not),
                        {0}};
