/* io/results/hdf5_driver.c - a driver of HDF5 for files that a kill at any instant leaves readable. */
#include "io/results/hdf5_driver.h"

#include "base/arena.h"
#include "io/results/hdf5_file.h"
#include "io/results/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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
} Driver;

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
    d->fd = how->fd >= 0 ? fcntl(how->fd, F_DUPFD_CLOEXEC, 0) : open(name, open_flags(flags), 0666);
    if (d->fd < 0 || !driver_start(d) || H5Iinc_ref(d->type) < 0) {
        failed("open", errno);
        if (d->fd >= 0) {
            close(d->fd);
        }
        tml_journal_free(&d->journal);
        tml_mem_free(d);
        return NULL;
    }
    return &d->shared;
}

static bool commit(Driver *d)
{
    if (d->mode == TML_H5_KILLED || d->journal.used == 0) {
        return true;
    }
    d->eof = d->eof > d->eoa ? d->eof : d->eoa;
    return tml_journal_commit(&d->journal, d->fd, (off_t)d->eof);
}

static herr_t driver_close(H5FD_t *file)
{
    Driver *d = (Driver *)file;
    const hid_t type = d->type;
    bool done = commit(d);
    if (done && d->mode != TML_H5_KILLED && d->eof != d->eoa) {
        done = ftruncate(d->fd, (off_t)d->eoa) == 0;
    }
    const int why = errno;
    (void)close(d->fd);
    tml_journal_free(&d->journal);
    tml_mem_free(d);
    // HDF5 gives up its own reference before it calls this function through the table: without
    // the reference of the open file the table would be freed memory by now.
    H5Idec_ref(type);
    return done ? 0 : failed("close", why);
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
        return failed("read", errno);
    }
    tml_journal_overlay(&d->journal, (off_t)address, size, bytes);
    return 0;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void *bytes)
{
    (void)transfer;
    Driver *d = (Driver *)file;
    const bool waits = d->what == EVERYTHING || (d->what == STRUCTURE && type != H5FD_MEM_DRAW);
    if (waits && !tml_journal_add(&d->journal, (off_t)address, size, bytes)) {
        return failed("write", ENOMEM);
    }
    if (!waits && !tml_write_at(d->fd, (off_t)address, size, bytes)) {
        return failed("write", errno);
    }
    d->eof = address + size > d->eof ? address + size : d->eof;
    return 0;
}

/* Some file systems cannot lock: go on without. */
static herr_t driver_lock(H5FD_t *file, hbool_t rw)
{
    const int how = (rw ? LOCK_EX : LOCK_SH) | LOCK_NB;
    return flock(((Driver *)file)->fd, how) == 0 || errno == ENOSYS ? 0 : -1;
}

static herr_t driver_unlock(H5FD_t *file)
{
    return flock(((Driver *)file)->fd, LOCK_UN) == 0 || errno == ENOSYS ? 0 : -1;
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

TmlStatus tml_h5_driver_set(hid_t access, TmlH5Mode mode, TmlError *err)
{
    return driver_set(access, (Access){mode, -1}, err);
}

TmlStatus tml_h5_driver_adopt(hid_t access, int fd, TmlError *err)
{
    return driver_set(access, (Access){TML_H5_DRAFT, fd}, err);
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
    return commit(d) ? TML_OK : tml_fail(err, TML_E_IO, "cannot flush: %s", strerror(errno));
}
