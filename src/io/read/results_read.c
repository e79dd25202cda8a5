/* io/read/results_read.c - reads result files: what they hold, and rows in ranges.
 *
 * The mark of a file in writing is looked up in its first bytes: such a file opens for SWMR
 * readers only, any other for ordinary ones, which check that it is whole. A commit that a kill cut
 * off (io/results/journal.h) is read as if it had been finished; the file is not changed. Datasets are
 * opened for each read: a thousand open ones would hold a thousand caches.
 */
#include "io/read/results_read.h"

#include "base/file.h"
#include "io/file/held.h"
#include "io/read/hdf5_trust.h"
#include "io/results/hdf5_driver.h"
#include "io/results/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- opening ------------------------------------------------------------------------------- */

/* How to open the file, from what its bytes and its lock tell. */
static TmlStatus file_state(int fd, TmlResultFile *f, hid_t access, bool *marked, int64_t *bytes,
                            TmlError *err)
{
    TmlJournal cut = {0}; // a running writer needs no help
    off_t end;
    bool hdf5 = false;
    const bool running = tml_file_holder(fd) > 0;
    *bytes = (int64_t)lseek(fd, 0, SEEK_END);
    if (*bytes < 0) {
        return tml_fail(err, TML_E_IO, "cannot read: %s", strerror(errno));
    }
    TmlStatus status = running ? TML_OK : tml_journal_load(fd, &cut, &end, err);
    status = status == TML_OK ? tml_file_is_hdf5(fd, &cut, &hdf5, err) : status;
    status = status == TML_OK ? tml_file_is_marked(fd, &cut, marked, err) : status;
    if (status == TML_OK && !hdf5) {
        status = tml_fail(err, TML_E_IO, "not an HDF5 file");
    }
    if (*marked) {
        f->state = running ? TML_RESULT_RUNNING : TML_RESULT_KILLED;
    }
    if (f->state == TML_RESULT_KILLED) {
        H5Pset_metadata_read_attempts(access, 1); // nobody will mend what is damaged
    }
    if (status == TML_OK) {
        status = tml_h5_driver_adopt(access, cut.used > 0 ? TML_H5_KILLED : TML_H5_READ, fd, err);
    }
    tml_journal_free(&cut);
    return status;
}

static TmlStatus file_open(const char *path, TmlResultFile *f, TmlError *err)
{
    bool marked = false;
    int64_t bytes = 0;
    struct stat info;
    const int fd =
        tml_file_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0); // a pipe does not wait
    if (fd < 0) {
        return tml_fail(err, TML_E_IO, "cannot open: %s", strerror(errno));
    }
    if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode)) {
        (void)tml_file_close(fd);
        return tml_fail(err, TML_E_IO, "not an HDF5 file, but a pipe, a device or a folder");
    }
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    TmlStatus status = file_state(fd, f, access, &marked, &bytes, err);
    if (status == TML_OK) {
        f->file = H5Fopen(path, H5F_ACC_RDONLY | (marked ? H5F_ACC_SWMR_READ : 0), access);
        status = f->file < 0 ? tml_h5_fail(err, "cannot open; the file is damaged") : TML_OK;
    }
    if (status == TML_OK) {
        status = tml_h5_trust(f->file, bytes, err);
    }
    H5Pclose(access);
    (void)tml_file_close(fd);
    return status;
}

/* --- attributes ------------------------------------------------------------------------------ */

TmlStatus tml_result_texts(TmlResultFile *f, const char *path, const char *name, int *n,
                           const char *const **out, TmlError *err)
{
    *n = 0;
    *out = NULL;
    const hid_t object = H5Oopen(f->file, path, H5P_DEFAULT);
    if (object < 0) {
        return TML_OK;
    }
    const TmlStatus status = tml_h5_attr_list(&f->arena, object, name, n, out, err);
    H5Oclose(object);
    return status;
}

const char *tml_result_text(TmlResultFile *f, const char *path, const char *name)
{
    const char *const *list = NULL;
    int n = 0;
    const TmlStatus status = tml_result_texts(f, path, name, &n, &list, NULL);
    return status == TML_OK && n > 0 ? list[0] : NULL;
}

double tml_result_number(TmlResultFile *f, const char *path, const char *name)
{
    const hid_t object = H5Oopen(f->file, path, H5P_DEFAULT);
    const double x = object >= 0 ? tml_h5_attr_value(object, name) : (double)NAN;
    if (object >= 0) {
        H5Oclose(object);
    }
    return x;
}

/* --- sets ---------------------------------------------------------------------------------- */

static const struct {
    const char *group, *packed; // groups of a dataset per item, and of all items together
    bool items;                 // an item has a group of its own
} kinds[TML_RESULT_KINDS] = {
    {"channels", "channels_packed", false},
    {"bodies", "bodies_packed", true},
    {"joints", "joints_packed", true},
    {"certificate", NULL, false},
    {"solver", NULL, false},
};

/* What a dataset says about itself. */
static TmlStatus field_describe(TmlResultFile *f, hid_t set, const char *name, TmlResultField *out,
                                TmlError *err)
{
    const char *unit;
    TML_TRY(tml_h5_attr_one(&f->arena, set, "unit", &unit, err));
    *out = (TmlResultField){.name = name, .unit = unit != NULL ? unit : ""};
    TML_TRY(tml_h5_attr_list(&f->arena, set, "columns", &out->width, &out->column, err));
    if (out->width == 0) {
        out->width = 1;
        out->column = NULL;
    }
    return TML_OK;
}

/* The datasets of rows in a group are fields; `names` and `units` are not. */
static TmlStatus scan_fields(TmlResultFile *f, TmlResultSet *s, const char *group, TmlError *err)
{
    const int n = tml_h5_links(f->file, group);
    if (n < 0) {
        return tml_h5_fail(err, "damaged: cannot read group '%s'", group);
    }
    TML_NEW(&f->arena, s->field, n + 1);
    TML_NEW(&f->arena, s->field_link, n + 1);
    for (int k = 0; k < n; ++k) {
        const char *link = tml_h5_link_name(&f->arena, f->file, group, k);
        const hid_t id = link != NULL ? tml_h5_link_open(f->file, group, k) : -1;
        if (id < 0) {
            return tml_h5_fail(err, "damaged: cannot read group '%s'", group);
        }
        TmlStatus status = TML_OK;
        const bool extra = strcmp(link, "names") == 0 || strcmp(link, "units") == 0;
        if (H5Iget_type(id) == H5I_DATASET && !(s->packed && extra)) {
            s->field_link[s->n_fields] = link;
            status = field_describe(f, id, link, &s->field[s->n_fields++], err);
        }
        H5Oclose(id);
        TML_TRY(status);
    }
    return TML_OK;
}

static TmlStatus texts_of(TmlResultFile *f, const char *group, const char *name, int *n,
                          const char ***out, TmlError *err)
{
    char path[TML_NAME_MAX];
    const char *const *list = NULL;
    snprintf(path, sizeof path, "%s/%s", group, name);
    *n = 0;
    *out = NULL;
    if (H5Lexists(f->file, path, H5P_DEFAULT) <= 0) {
        return TML_OK;
    }
    TmlH5Array a;
    if (!tml_h5_array_open(f->file, path, &a)) {
        return tml_h5_fail(err, "cannot read '/%s'", path);
    }
    const TmlStatus status = tml_h5_read_texts(&f->arena, a.id, false, n, &list, err);
    tml_h5_array_close(&a);
    TML_TRY(status);
    TML_NEW(&f->arena, *out, *n + 1);
    memcpy(*out, list, (size_t)*n * sizeof **out);
    return TML_OK;
}

static TmlStatus scan_packed(TmlResultFile *f, TmlResultSet *s, TmlError *err)
{
    int n_units = 0;
    s->packed = true;
    TML_TRY(texts_of(f, s->group, "names", &s->n_items, &s->item, err));
    TML_TRY(texts_of(f, s->group, "units", &n_units, &s->item_unit, err));
    if (n_units != s->n_items) {
        s->item_unit = NULL;
    }
    return scan_fields(f, s, s->group, err);
}

/* Links of a group as items, with the names and units that their attributes tell. */
static TmlStatus scan_items(TmlResultFile *f, TmlResultSet *s, bool with_units, TmlError *err)
{
    s->n_items = tml_h5_links(f->file, s->group);
    if (s->n_items < 0) {
        return tml_h5_fail(err, "damaged: cannot read group '%s'", s->group);
    }
    TML_NEW(&f->arena, s->item, s->n_items + 1);
    TML_NEW(&f->arena, s->item_link, s->n_items + 1);
    if (with_units) {
        TML_NEW(&f->arena, s->item_unit, s->n_items + 1);
    }
    for (int k = 0; k < s->n_items; ++k) {
        s->item_link[k] = tml_h5_link_name(&f->arena, f->file, s->group, k);
        const hid_t id = s->item_link[k] != NULL ? tml_h5_link_open(f->file, s->group, k) : -1;
        if (id < 0) {
            return tml_h5_fail(err, "damaged: cannot read group '%s'", s->group);
        }
        const char *name = NULL, *unit = NULL;
        TmlStatus status = tml_h5_attr_one(&f->arena, id, "name", &name, err);
        if (status == TML_OK && with_units) {
            status = tml_h5_attr_one(&f->arena, id, "unit", &unit, err);
            s->item_unit[k] = unit != NULL ? unit : "";
        }
        H5Oclose(id);
        TML_TRY(status);
        s->item[k] = name != NULL ? name : s->item_link[k];
    }
    return TML_OK;
}

/* Channels are items with one field; bodies and joints have the fields of the first of them. */
static TmlStatus scan_set(TmlResultFile *f, int kind, TmlError *err)
{
    TmlResultSet *s = &f->set[kind];
    s->rows = f->rows;
    const bool packed =
        kinds[kind].packed != NULL && H5Lexists(f->file, kinds[kind].packed, H5P_DEFAULT) > 0;
    s->group = packed ? kinds[kind].packed : kinds[kind].group;
    if (packed) {
        TML_TRY(scan_packed(f, s, err));
    } else if (kinds[kind].items) {
        TML_TRY(scan_items(f, s, false, err));
        char path[TML_NAME_MAX + TML_H5_NAME_MAX];
        snprintf(path, sizeof path, "%s/%s", s->group, s->n_items > 0 ? s->item_link[0] : "");
        return s->n_items > 0 ? scan_fields(f, s, path, err) : TML_OK;
    } else if (kind != TML_RESULT_CHANNELS) {
        s->n_items = 1;
        TML_NEW(&f->arena, s->item, 1);
        s->item[0] = s->group;
        return scan_fields(f, s, s->group, err);
    } else {
        TML_TRY(scan_items(f, s, true, err));
    }
    if (kind == TML_RESULT_CHANNELS) {
        s->n_fields = 1;
        TML_NEW(&f->arena, s->field, 1);
        s->field[0] = (TmlResultField){.name = "", .unit = "", .width = 1};
    }
    return TML_OK;
}

/* --- rows ---------------------------------------------------------------------------------- */

static void set_path(const TmlResultSet *s, int item, int field, char *out, size_t size)
{
    const char *own = s->item_link != NULL ? s->item_link[item] : NULL;
    const char *part = s->field_link != NULL ? s->field_link[field] : NULL;
    snprintf(out, size, "/%s%s%s%s%s", s->group, own != NULL ? "/" : "", own != NULL ? own : "",
             part != NULL ? "/" : "", part != NULL ? part : "");
}

/* Has the dataset the shape of its field, and the rows asked for? A reader sees what was there when
 * it first looked, unless it looks again. */
static TmlStatus check_shape(const TmlResultSet *s, const TmlResultField *field, TmlH5Array *a,
                             int64_t needed, const char *path, TmlError *err)
{
    const int rank = 1 + s->packed + (field->width > 1);
    if (a->rank != rank || (s->packed && a->dim[1] != (hsize_t)s->n_items) ||
        (field->width > 1 && a->dim[rank - 1] != (hsize_t)field->width)) {
        return tml_fail(err, TML_E_IO, "damaged: '%s' has an unexpected shape", path);
    }
    if ((int64_t)a->dim[0] < needed) {
        tml_h5_array_refresh(a);
    }
    if ((int64_t)a->dim[0] < needed) {
        return tml_fail(err, TML_E_IO, "damaged: '%s' has %llu rows, not %lld", path,
                        (unsigned long long)a->dim[0], (long long)needed);
    }
    return TML_OK;
}

/* item -1: all of a packed set. */
static TmlStatus read_one(TmlResultFile *f, const TmlResultSet *s, int item, int field,
                          int64_t first, int64_t n, double *out, TmlError *err)
{
    char path[3 * TML_H5_NAME_MAX];
    TmlH5Array a;
    set_path(s, item, field, path, sizeof path);
    if (!tml_h5_array_open(f->file, path, &a)) {
        return tml_h5_fail(err, "cannot read '%s'", path);
    }
    hsize_t start[TML_H5_RANK_MAX] = {(hsize_t)first}, count[TML_H5_RANK_MAX] = {(hsize_t)n};
    TmlStatus status = check_shape(s, &s->field[field], &a, first + n, path, err);
    for (int k = 1; k < a.rank; ++k) {
        count[k] = a.dim[k];
    }
    if (s->packed && item >= 0) {
        start[1] = (hsize_t)item;
        count[1] = 1;
    }
    if (status == TML_OK && n > 0) {
        status = tml_h5_box_read(&a, H5T_NATIVE_DOUBLE, start, count, out, err);
        status = status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", path);
    }
    tml_h5_array_close(&a);
    return status;
}

/* Datasets of single items, brought together row by row. */
static TmlStatus read_items(TmlResultFile *f, const TmlResultSet *s, int field, int64_t first,
                            int64_t n, double *out, TmlError *err)
{
    const size_t width = (size_t)s->field[field].width;
    const TmlArenaMark mark = tml_arena_mark(&f->arena);
    double *own;
    TML_NEW(&f->arena, own, (size_t)n * width);
    TmlStatus status = TML_OK;
    for (int k = 0; k < s->n_items && status == TML_OK; ++k) {
        status = read_one(f, s, k, field, first, n, own, err);
        double *to = out + (size_t)k * width;
        for (int64_t row = 0; row < n && status == TML_OK; ++row) {
            memcpy(to, own + (size_t)row * width, width * sizeof *to);
            to += (size_t)s->n_items * width;
        }
    }
    tml_arena_release(&f->arena, mark);
    return status;
}

TmlStatus tml_result_read(TmlResultFile *f, TmlResultKind kind, int item, int field, int64_t first,
                          int64_t n, double *out, TmlError *err)
{
    const TmlResultSet *s = &f->set[kind];
    if (item < -1 || item >= s->n_items || field < 0 || field >= s->n_fields || first < 0 ||
        n < 0 || first + n > s->rows) {
        return tml_fail(err, TML_E_ARGUMENT, "no such item, field or rows in '/%s'", s->group);
    }
    if (item < 0 && !s->packed) {
        return read_items(f, s, field, first, n, out, err);
    }
    return read_one(f, s, item, field, first, n, out, err);
}

int tml_result_item(const TmlResultSet *s, const char *name)
{
    for (int k = 0; k < s->n_items; ++k) {
        if (strcmp(s->item[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

int tml_result_field(const TmlResultSet *s, const char *name)
{
    for (int k = 0; k < s->n_fields; ++k) {
        if (strcmp(s->field[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* --- the whole file ------------------------------------------------------------------------ */

/* /time, which must not go back: past the end of a file that was cut short zeros are read. */
static TmlStatus read_time(TmlResultFile *f, TmlError *err)
{
    TmlH5Array a;
    if (!tml_h5_array_open(f->file, "time", &a) || a.rank != 1) {
        tml_h5_array_close(&a);
        return tml_fail(err, TML_E_IO, "no dataset /time: not a result file of Trammel");
    }
    if (f->state == TML_RESULT_RUNNING) {
        tml_h5_array_refresh(&a);
    }
    const int64_t old = f->rows, n = (int64_t)a.dim[0];
    TmlStatus status =
        n < old || n >= INT_MAX ||
                !tml_mem_grow((void **)&f->time, &f->time_cap, (int)n + 1, sizeof *f->time)
            ? tml_fail(err, TML_E_NOMEM, "out of memory for %lld rows", (long long)n)
            : tml_h5_array_read(&a, H5T_NATIVE_DOUBLE, old, n - old, f->time + old, err);
    tml_h5_array_close(&a);
    for (int64_t k = old > 0 ? old : 1; k < n && status == TML_OK; ++k) {
        if (!(f->time[k] >= f->time[k - 1])) {
            status = tml_fail(err, TML_E_IO, "damaged: /time goes back at row %lld", (long long)k);
        }
    }
    f->rows = status == TML_OK ? n : f->rows;
    return status;
}

/* The solver writes in portions of its own: its shortest column counts. */
static void count_attempts(TmlResultFile *f)
{
    TmlResultSet *s = &f->set[TML_RESULT_SOLVER];
    s->rows = s->n_fields > 0 ? INT64_MAX : 0;
    for (int k = 0; k < s->n_fields; ++k) {
        char path[3 * TML_H5_NAME_MAX];
        TmlH5Array a;
        set_path(s, 0, k, path, sizeof path);
        if (!tml_h5_array_open(f->file, path, &a)) {
            s->rows = 0;
            return;
        }
        if (f->state == TML_RESULT_RUNNING) {
            tml_h5_array_refresh(&a);
        }
        s->rows = (int64_t)a.dim[0] < s->rows ? (int64_t)a.dim[0] : s->rows;
        tml_h5_array_close(&a);
    }
}

static TmlStatus read_contents(TmlResultFile *f, TmlError *err)
{
    char *text = NULL;
    TML_TRY(read_time(f, err));
    TML_TRY(tml_h5_cell_read(f->file, "status", &text, err));
    f->status = tml_arena_strdup(&f->arena, text);
    tml_mem_free(text);
    if (f->status == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int k = 0; k < TML_RESULT_KINDS; ++k) {
        TML_TRY(scan_set(f, k, err));
    }
    count_attempts(f);
    return TML_OK;
}

static TmlStatus open_once(const char *path, TmlResultFile *out, TmlError *err)
{
    *out = (TmlResultFile){.file = -1, .status = ""};
    TML_TRY(tml_h5_ready(err));
    out->quiet = tml_h5_quiet_begin();
    tml_h5_reads_begin();
    out->path = tml_arena_strdup(&out->arena, path);
    TmlStatus status =
        out->path != NULL ? file_open(path, out, err) : tml_fail(err, TML_E_NOMEM, "out of memory");
    if (status == TML_OK) {
        status = read_contents(out, err);
    }
    status = tml_h5_reads_check(status, err);
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", path);
}

/* A writer may end, be killed or write on between the look at the file and the end of its opening:
 * a file that was being written is looked at again for half a second before it counts as damaged. */
TmlStatus tml_result_open(const char *path, TmlResultFile *out, TmlError *err)
{
    enum { TRIES = 6, PAUSE = 8000000 }; // ns, twice as long each time
    TmlStatus status = open_once(path, out, err);
    for (int k = 0; k < TRIES && status == TML_E_IO && out->state == TML_RESULT_RUNNING; ++k) {
        tml_result_close(out);
        (void)nanosleep(&(struct timespec){.tv_nsec = (long)PAUSE << k}, NULL);
        status = open_once(path, out, err);
    }
    return status;
}

TmlStatus tml_result_refresh(TmlResultFile *f, TmlError *err)
{
    char *text = NULL;
    TML_TRY(read_time(f, err));
    for (int k = 0; k < TML_RESULT_KINDS; ++k) {
        f->set[k].rows = f->rows;
    }
    count_attempts(f);
    TML_TRY(tml_h5_cell_read(f->file, "status", &text, err));
    if (strcmp(text, f->status) != 0) {
        f->status = tml_arena_strdup(&f->arena, text);
        f->state = TML_RESULT_ENDED;
    }
    tml_mem_free(text);
    TML_TRY(tml_h5_reads_check(TML_OK, err));
    return f->status != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

void tml_result_close(TmlResultFile *f)
{
    if (f->file >= 0) {
        H5Fclose(f->file);
    }
    tml_mem_free(f->time);
    tml_arena_free(&f->arena);
    tml_h5_quiet_end(&f->quiet);
    f->file = -1;
}
