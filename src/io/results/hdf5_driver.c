/* io/results/hdf5_driver.c - a driver of HDF5 for files that a kill at any instant leaves readable. */
#include "io/results/hdf5_driver.h"

#include "base/arena.h"
#include "base/file.h"
#include "io/results/hdf5_file.h"
#include "io/results/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 14, 0) // drivers moved to a header of their own, and have a number
#include <H5FDdevelop.h>
enum { DRIVER_NUMBER = 7465 }; // above those that HDF5 keeps for itself, and any other
#endif

/* What access properties carry. */
typedef struct Access {
    TmlH5Mode mode;
    int fd; // of a file that is open already; -1: open it by its name
} Access;

typedef enum Journaled { NOTHING, STRUCTURE, EVERYTHING } Journaled;

typedef struct Driver {
    H5FD_t shared; // HDF5's part, which comes first
    hid_t type;    // holds the table of functions below while the file is open
    int fd;
    TmlH5Mode mode;
    Journaled what;
    haddr_t eoa, eof; // what HDF5 has allocated; what has been written, or waits
    TmlJournal journal;
    int lost;    // errno of what kept writes from being collected or finished; 0: nothing
    int *report; // where closing tells its errno; NULL: nowhere
} Driver;

static _Thread_local int read_error; // errno of a read that failed, since it was asked for

static bool only_reads(const Driver *d)
{
    return d->mode == TML_H5_READ || d->mode == TML_H5_KILLED;
}

/* Tells HDF5, and tml_h5_fail with it, why a call failed. Returns -1. */
static herr_t failed(const char *call, int number)
{
    H5Epush2(H5E_DEFAULT, __FILE__, call, __LINE__, H5E_ERR_CLS, H5E_VFL, H5E_SYSERRSTR,
             "errno = %d", number);
    return -1;
}

/* --- opening and closing -------------------------------------------------------------------- */

static int open_flags(unsigned flags)
{
    return ((flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY) |
           ((flags & H5F_ACC_TRUNC) != 0 ? O_TRUNC : 0) |
           ((flags & H5F_ACC_CREAT) != 0 ? O_CREAT : 0) |
           ((flags & H5F_ACC_EXCL) != 0 ? O_EXCL : 0) | O_CLOEXEC;
}

static bool driver_start(Driver *d)
{
    struct stat info;
    off_t end = 0;
    if (fstat(d->fd, &info) != 0) {
        return false;
    }
    d->eof = (haddr_t)info.st_size;
    if (d->mode == TML_H5_KILLED) {
        const TmlStatus status = tml_journal_load(d->fd, &d->journal, &end, NULL);
        if (status != TML_OK) {
            errno = status == TML_E_NOMEM ? ENOMEM : errno;
            return false;
        }
        d->eof = (haddr_t)end;
    }
    return true;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t maxaddr)
{
    (void)maxaddr;
    const Access *how = H5Pget_driver_info(access);
    Driver *d = how != NULL ? tml_mem_zalloc(1, sizeof *d) : NULL;
    if (d == NULL) {
        failed("open", ENOMEM);
        return NULL;
    }
    d->mode = how->mode;
    d->type = H5Pget_driver(access);
    d->what = d->mode == TML_H5_WHOLE ? EVERYTHING : NOTHING;
    d->fd = how->fd >= 0 ? tml_file_dup(how->fd) : tml_file_open(name, open_flags(flags), 0666);
    if (d->fd < 0 || !driver_start(d) || H5Iinc_ref(d->type) < 0) {
        read_error = only_reads(d) ? errno : read_error;
        failed("open", errno);
        if (d->fd >= 0) {
            (void)tml_file_close(d->fd);
        }
        tml_journal_free(&d->journal);
        tml_mem_free(d);
        return NULL;
    }
    return &d->shared;
}

/* False: errno tells. Writes that the file has no room for stay collected, and can be tried again;
 * those that have reached it in part are left to tml_journal_replay. */
static bool commit(Driver *d)
{
    if (d->lost != 0) {
        errno = d->lost;
        return false;
    }
    if (only_reads(d) || d->journal.used == 0) {
        return true;
    }
    d->eof = d->eof > d->eoa ? d->eof : d->eoa;
    const bool done = tml_journal_commit(&d->journal, d->fd, (off_t)d->eof);
    d->lost = d->journal.broken ? errno : 0;
    return done;
}

/* HDF5 keeps the identifier of a file that could not be closed, and calls through freed memory when
 * the process ends. So closing succeeds for it, and tml_h5_close tells the failure. */
static herr_t driver_close(H5FD_t *file)
{
    Driver *d = (Driver *)file;
    const hid_t type = d->type;
    const bool abandoned = d->mode == TML_H5_WHOLE && d->report == NULL;
    bool done = abandoned || commit(d);
    if (done && !abandoned && !only_reads(d) && d->eof != d->eoa) {
        done = tml_file_cut(d->fd, (off_t)d->eoa);
    }
    int why = done ? 0 : errno;
    if (!tml_file_close(d->fd) && done && !only_reads(d)) {
        why = errno;
    }
    if (d->report != NULL) {
        *d->report = why;
    }
    tml_journal_free(&d->journal);
    tml_mem_free(d);
    // HDF5 gives up its own reference before it calls this function through the table: without
    // the reference of the open file the table would be freed memory by now.
    H5Idec_ref(type);
    return 0;
}

static int driver_cmp(const H5FD_t *a, const H5FD_t *b)
{
    struct stat sa, sb;
    if (fstat(((const Driver *)a)->fd, &sa) != 0 || fstat(((const Driver *)b)->fd, &sb) != 0) {
        return -1;
    }
    if (sa.st_dev != sb.st_dev) {
        return sa.st_dev < sb.st_dev ? -1 : 1;
    }
    return (sa.st_ino > sb.st_ino) - (sa.st_ino < sb.st_ino);
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

/* --- reading and writing -------------------------------------------------------------------- */

static haddr_t driver_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const Driver *)file)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((Driver *)file)->eoa = address;
    return 0;
}

static haddr_t driver_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const Driver *)file)->eof;
}

static herr_t driver_handle(H5FD_t *file, hid_t access, void **handle)
{
    (void)access;
    *handle = file;
    return 0;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, void *bytes)
{
    (void)type, (void)transfer;
    Driver *d = (Driver *)file;
    if (!tml_read_at(d->fd, (off_t)address, size, bytes)) {
        read_error = errno;
        return failed("read", errno);
    }
    tml_journal_overlay(&d->journal, (off_t)address, size, bytes);
    return 0;
}

/* A write never fails for HDF5, which does not come out of that well: what the file does not take
 * is collected with the structure, and the next commit tells. */
static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void *bytes)
{
    (void)transfer;
    Driver *d = (Driver *)file;
    const bool waits =
        d->what == EVERYTHING || d->lost != 0 || (d->what == STRUCTURE && type != H5FD_MEM_DRAW);
    if ((waits || !tml_write_at(d->fd, (off_t)address, size, bytes)) &&
        !tml_journal_add(&d->journal, (off_t)address, size, bytes)) {
        d->lost = d->lost != 0 ? d->lost : ENOMEM;
    }
    d->eof = address + size > d->eof ? address + size : d->eof;
    return 0;
}

/* Some file systems cannot lock: go on without. Others that look whether a file is locked hold it
 * for a moment: a reader tries again for a second. */
static herr_t driver_lock(H5FD_t *file, hbool_t rw)
{
    enum { TRIES = 200, PAUSE = 5000000 }; // ns
    const int how = (rw ? LOCK_EX : LOCK_SH) | LOCK_NB;
    for (int k = 0; k < TRIES; ++k) {
        if (flock(((Driver *)file)->fd, how) == 0 || (errno != EINTR && errno != EWOULDBLOCK)) {
            return 0;
        }
        if (errno == EWOULDBLOCK) {
            (void)nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
        }
    }
    return failed("lock", errno);
}

static herr_t driver_unlock(H5FD_t *file)
{
    (void)!flock(((Driver *)file)->fd, LOCK_UN); // closing does it too
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 14, 0)
    .version = H5FD_CLASS_VERSION,
    .value = DRIVER_NUMBER,
#endif
    .name = "trammel",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(Access),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_cmp,
    .query = driver_query,
    .get_eoa = driver_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_eof,
    .get_handle = driver_handle,
    .read = driver_read,
    .write = driver_write,
    .lock = driver_lock,
    .unlock = driver_unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* --- from outside ---------------------------------------------------------------------------- */

static TmlStatus driver_set(hid_t access, Access how, TmlError *err)
{
    const hid_t id = H5FDregister(&driver);
    const bool bad = id < 0 || H5Pset_driver(access, id, &how) < 0;
    const TmlStatus status = bad ? tml_h5_fail(err, "cannot use the driver of files") : TML_OK;
    if (id >= 0) {
        H5FDunregister(id); // the properties, and a file opened with them, keep it
    }
    return status;
}

TmlStatus tml_h5_driver_adopt(hid_t access, TmlH5Mode mode, int fd, TmlError *err)
{
    return driver_set(access, (Access){mode, fd}, err);
}

TmlStatus tml_h5_open_whole(const char *path, int fd, bool abandoned, hid_t *file, TmlError *err)
{
    // properties of HDF5's own that h5clear sets; those of an older library are left alone
    const hbool_t yes = true;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    if (abandoned) {
        H5Pset(access, "clear_status_flags", &yes);
        H5Pset(access, "skip_eof_check", &yes);
    }
    *file = -1;
    TmlStatus status = driver_set(access, (Access){TML_H5_WHOLE, fd}, err);
    if (status == TML_OK) {
        *file = H5Fopen(path, H5F_ACC_RDWR, access);
        // the stored size becomes the true one
        const bool bad = *file < 0 || (abandoned && H5Fincrement_filesize(*file, 0) < 0);
        status = bad ? tml_h5_fail(err, "cannot open") : TML_OK;
    }
    H5Pclose(access);
    return status;
}

static TmlStatus driver_of(hid_t file, Driver **out, TmlError *err)
{
    void *handle = NULL;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) {
        return tml_h5_fail(err, "cannot reach the driver of a file");
    }
    *out = handle;
    return TML_OK;
}

static TmlStatus cannot(const char *what, int why, TmlError *err)
{
    return tml_fail(err, why == ENOMEM ? TML_E_NOMEM : TML_E_IO, "cannot %s: %s", what,
                    strerror(why));
}

static TmlStatus journal_set(hid_t file, Journaled what, TmlError *err)
{
    Driver *d = NULL;
    TML_TRY(driver_of(file, &d, err));
    d->what = what;
    return TML_OK;
}

TmlStatus tml_h5_journal_begin(hid_t file, TmlError *err)
{
    return journal_set(file, STRUCTURE, err);
}

TmlStatus tml_h5_journal_whole(hid_t file, TmlError *err)
{
    return journal_set(file, EVERYTHING, err);
}

TmlStatus tml_h5_commit(hid_t file, TmlError *err)
{
    Driver *d = NULL;
    TML_TRY(driver_of(file, &d, err));
    return commit(d) ? TML_OK : cannot("flush", errno, err);
}

TmlStatus tml_h5_close(hid_t file, TmlError *err)
{
    Driver *d = NULL;
    int why = 0;
    const TmlStatus found = driver_of(file, &d, err);
    if (found == TML_OK) {
        d->report = &why;
    }
    const herr_t closed = H5Fclose(file);
    return found != TML_OK ? found
           : why != 0      ? cannot("close", why, err)
           : closed < 0    ? tml_h5_fail(err, "cannot close")
                           : TML_OK;
}

void tml_h5_reads_begin(void)
{
    read_error = 0;
}

int tml_h5_read_error(void)
{
    return read_error;
}

TmlStatus tml_h5_reads_check(TmlStatus status, TmlError *err)
{
    return read_error != 0 ? cannot("read", read_error, err) : status;
}
