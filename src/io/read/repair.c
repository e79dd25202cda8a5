/* io/read/repair.c - make the result file of a killed run an ordinary HDF5 file.
 *
 * A killed writer leaves two things behind: marks in the superblock that say the file is being
 * written, which make every reader but a SWMR one refuse it, and a stored file size that lags.
 * HDF5 can be told to overlook and reset both (as its h5clear does). A commit of the writer that
 * was cut off is finished first (io/results/journal.h). /time is flushed last, so its length is the number
 * of whole rows: longer datasets, as older versions left them, are cut to it. The repair itself is
 * one commit: a kill in its midst leaves the file as it was, or repaired.
 */
#include "base/arena.h"
#include "base/file.h"
#include "io/file/held.h"
#include "io/read/hdf5_read.h"
#include "io/read/hdf5_trust.h"
#include "io/results/hdf5_driver.h"
#include "io/results/journal.h"
#include "io/text/textbuf.h"
#include "trammel/io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BEYOND_MAX = 1 << 22 }; // rows beyond /time that a kill may leave; more are damage

typedef struct Repair {
    hid_t file;
    hsize_t rows;   // of /time
    int cut;        // datasets that were longer
    hsize_t beyond; // rows of one that cannot be
} Repair;

static const char *const row_groups[] = {
    "channels",      "bodies",          "joints",   "certificate", "bodies_packed",
    "joints_packed", "channels_packed", "flexible", "modal",       NULL};

/* Takes a file that nobody is writing, and finishes what a kill cut off. */
static TmlStatus take(const char *path, TmlError *err)
{
    const int fd = tml_file_open(path, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0) {
        return tml_fail(err, TML_E_IO, "cannot open '%s': %s", path, strerror(errno));
    }
    const long writer = tml_file_holder(fd);
    bool hdf5 = false;
    TmlStatus status = TML_OK;
    if (writer > 0) {
        status = tml_fail(err, TML_E_IO,
                          "is being written by process %ld; readers with SWMR can "
                          "open it",
                          writer);
    } else {
        status = tml_journal_replay(fd, err);
    }
    status = status == TML_OK ? tml_file_is_hdf5(fd, NULL, &hdf5, err) : status;
    (void)tml_file_close(fd);
    if (status == TML_OK && !hdf5) {
        status = tml_fail(err, TML_E_IO, "is not an HDF5 file");
    }
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", path);
}

/* Cuts one dataset to the rows of /time; fixed ones (names) stay. HDF5 looks for each chunk that
 * goes, which takes for ever where a size is a lie: false. */
static bool cut_dataset(Repair *r, hid_t set)
{
    hsize_t dim[TML_H5_RANK_MAX] = {0}, limit[TML_H5_RANK_MAX] = {0};
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 1 && rank <= TML_H5_RANK_MAX) {
        H5Sget_simple_extent_dims(space, dim, limit);
    }
    H5Sclose(space);
    if (limit[0] != H5S_UNLIMITED || dim[0] <= r->rows) {
        return true;
    }
    if (dim[0] - r->rows > BEYOND_MAX) {
        r->beyond = dim[0];
        return false;
    }
    dim[0] = r->rows;
    r->cut += H5Dset_extent(set, dim) >= 0;
    return true;
}

static herr_t visit(hid_t group, const char *name, const H5O_info_t *info, void *user)
{
    if (info->type == H5O_TYPE_DATASET) {
        const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
        if (set < 0) {
            return -1;
        }
        const bool fits = cut_dataset(user, set);
        H5Dclose(set);
        return fits ? 0 : -1;
    }
    return 0;
}

/* Last value of /time. */
static bool last_time(const Repair *r, hid_t set, double *t)
{
    const hsize_t start = r->rows - 1, one = 1;
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &one, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &one, NULL);
    const bool ok = H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, t) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return ok;
}

static TmlStatus repair_rows(Repair *r, TmlTextBuf *text, TmlError *err)
{
    TmlH5Array time;
    double t = 0.0;
    if (!tml_h5_array_open(r->file, "time", &time) || time.rank != 1) {
        tml_h5_array_close(&time);
        return tml_fail(err, TML_E_IO, "no dataset /time: not a result file of Trammel");
    }
    r->rows = time.dim[0];
    const bool readable = r->rows == 0 || last_time(r, time.id, &t);
    tml_h5_array_close(&time);
    if (!readable) {
        return tml_h5_fail(err, "cannot read /time");
    }
    for (const char *const *g = row_groups; *g != NULL; ++g) {
        if (H5Lexists(r->file, *g, H5P_DEFAULT) > 0 &&
            H5Ovisit_by_name2(r->file, *g, H5_INDEX_NAME, H5_ITER_NATIVE, visit, r, H5O_INFO_BASIC,
                              H5P_DEFAULT) < 0) {
            return r->beyond > 0
                       ? tml_fail(err, TML_E_IO, "damaged: %llu rows in '%s', %llu in /time",
                                  (unsigned long long)r->beyond, *g, (unsigned long long)r->rows)
                       : tml_h5_fail(err, "cannot read group '%s'", *g);
        }
    }
    tml_textbuf_add(text, "rows: %llu", (unsigned long long)r->rows);
    if (r->rows > 0) {
        tml_textbuf_add(text, ", up to t = %.9g s", t);
    }
    tml_textbuf_put(text, "\n");
    if (r->cut > 0) {
        tml_textbuf_add(text, "cut to whole rows: %d dataset%s\n", r->cut, r->cut > 1 ? "s" : "");
    }
    return TML_OK;
}

static TmlStatus repair_status(Repair *r, TmlTextBuf *text, TmlError *err)
{
    char *old = NULL;
    TML_TRY(tml_h5_cell_read(r->file, "status", &old, err));
    const bool killed = strcmp(old, "running") == 0;
    if (killed) {
        tml_textbuf_put(text, "the run was killed; the file now opens everywhere\n");
    } else {
        tml_textbuf_add(text, "the run had ended: %s\n", old);
    }
    tml_mem_free(old);
    return killed ? tml_h5_cell_write(r->file, "status", "killed, then repaired", err) : TML_OK;
}

static TmlStatus repair(const char *path, TmlTextBuf *text, TmlError *err)
{
    TML_TRY(take(path, err));
    Repair r = {.file = -1};
    hsize_t bytes = 0;
    tml_h5_reads_begin();
    TmlStatus status = tml_h5_open_whole(path, -1, true, &r.file, err);
    if (status == TML_OK) {
        status = H5Fget_filesize(r.file, &bytes) < 0 ? tml_h5_fail(err, "cannot read its size")
                                                     : tml_h5_trust(r.file, (int64_t)bytes, err);
    }
    if (status == TML_OK) {
        status = repair_rows(&r, text, err);
    }
    if (status == TML_OK) {
        status = repair_status(&r, text, err);
    }
    status = tml_h5_reads_check(status, err);
    if (status == TML_OK) {
        status = tml_h5_close(r.file, err);
    } else if (r.file >= 0) {
        H5Fclose(r.file); // leaves the file as it was
    }
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", path);
}

TmlStatus tml_repair(const char *path, char **out, TmlError *err)
{
    *out = NULL;
    TML_TRY(tml_h5_ready(err));
    TmlTextBuf text = {0};
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    const TmlStatus status = repair(path, &text, err);
    tml_h5_quiet_end(&quiet);
    if (status != TML_OK) {
        tml_textbuf_free(&text);
        return status;
    }
    return tml_textbuf_take(&text, out, err);
}
