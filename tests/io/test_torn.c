/* tests/io/test_torn.c - result files of processes that were killed in the midst of a write.
 *
 * The writes of a run are recorded once: this program has a pwrite and an ftruncate of its own,
 * which HDF5 calls instead of those of the C library. A kill at any instant leaves the file that
 * all calls before make, and any first part of the bytes of the next. Each such file is made and
 * read: by the reader as it is, and after repair by HDF5 as every program has it.
 */
#include "test.h"

#include "base/file.h"
#include "io/file/held.h"
#include "io/read/results_read.h"
#include "io/results/journal.h"
#include "trammel/trammel.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 512, PAGE = 4096, CUTS_MAX = 24 };

// taken by HDF5 instead of the C library's
#define SEEN __attribute__((visibility("default")))

/* --- recording ----------------------------------------------------------------------------- */

typedef struct Call {
    off_t at;      // of a pwrite; the new length of an ftruncate
    size_t size;   // bytes written
    size_t source; // where they begin in `bytes`
    bool truncate;
} Call;

typedef struct Record {
    Call *call;
    int n, cap;
    unsigned char *bytes;
    size_t used, room;
} Record;

static Record *recording;    // NULL: calls pass through unseen
static int writes_left = -1; // before the disk is full; negative: it never is
static bool refused;         // a write since this was set to false
static bool once;            // there is no room for one write only

static void record(off_t at, const void *bytes, size_t size, bool truncate)
{
    Record *r = recording;
    if (r == NULL) {
        return;
    }
    if (r->n == r->cap) {
        r->cap = 2 * r->cap + 256;
        r->call = realloc(r->call, (size_t)r->cap * sizeof *r->call);
    }
    while (r->used + size > r->room) {
        r->room = 2 * r->room + (1 << 20);
        r->bytes = realloc(r->bytes, r->room);
    }
    r->call[r->n++] = (Call){at, size, r->used, truncate};
    if (size > 0) {
        memcpy(r->bytes + r->used, bytes, size);
    }
    r->used += size;
}

SEEN ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    ssize_t (*own)(int, const void *, size_t, off_t);
    *(void **)&own = dlsym(RTLD_NEXT, "pwrite"); // the C library's
    if (writes_left == 0) {
        refused = true;
        writes_left = once ? -1 : 0;
        errno = ENOSPC;
        return -1;
    }
    writes_left -= writes_left > 0;
    record(at, bytes, size, false);
    return own(fd, bytes, size, at);
}

SEEN ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    return pwrite(fd, bytes, size, at);
}

SEEN int ftruncate(int fd, off_t length)
{
    int (*own)(int, off_t);
    *(void **)&own = dlsym(RTLD_NEXT, "ftruncate");
    record(length, NULL, 0, true);
    return own(fd, length);
}

SEEN int ftruncate64(int fd, off64_t length)
{
    return ftruncate(fd, length);
}

/* A reader locks the file after it has looked at it: an instant for a writer to end. */
static void (*on_lock)(void);

SEEN int flock(int fd, int how)
{
    int (*own)(int, int);
    *(void **)&own = dlsym(RTLD_NEXT, "flock");
    void (*now)(void) = (how & LOCK_SH) != 0 ? on_lock : NULL;
    if (now != NULL) {
        on_lock = NULL;
        now();
    }
    return own(fd, how);
}

/* --- the file at an instant ---------------------------------------------------------------- */

typedef struct Image {
    unsigned char *bytes;
    size_t size, room;
} Image;

static void image_resize(Image *m, size_t size)
{
    if (size > m->room) {
        m->room = 2 * size;
        m->bytes = realloc(m->bytes, m->room);
    }
    if (size > m->size) {
        memset(m->bytes + m->size, 0, size - m->size);
    }
    m->size = size;
}

static void image_copy(const Image *m, Image *to)
{
    image_resize(to, m->size);
    if (m->size > 0) {
        memcpy(to->bytes, m->bytes, m->size);
    }
}

/* The first `part` bytes of a call. */
static void image_apply(Image *m, const Record *r, const Call *c, size_t part)
{
    if (c->truncate) {
        image_resize(m, (size_t)c->at);
    } else if (part > 0) {
        if ((size_t)c->at + part > m->size) {
            image_resize(m, (size_t)c->at + part);
        }
        memcpy(m->bytes + c->at, r->bytes + c->source, part);
    }
}

static void image_write(const Image *m, const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    size_t done = 0;
    while (fd >= 0 && done < m->size) {
        const ssize_t n = write(fd, m->bytes + done, m->size - done);
        if (n <= 0) {
            break;
        }
        done += (size_t)n;
    }
    close(fd);
}

/* --- reading ------------------------------------------------------------------------------- */

/* Rows when all sets can be read whole by our reader; -1: not. */
static int64_t read_ours(const char *path)
{
    TmlError err = {0};
    TmlResultFile f;
    TmlStatus status = tml_result_open(path, &f, &err);
    const int64_t rows = f.rows;
    for (int kind = 0; kind < TML_RESULT_KINDS && status == TML_OK; ++kind) {
        const TmlResultSet *s = &f.set[kind];
        for (int k = 0; k < s->n_items * s->n_fields && status == TML_OK; ++k) {
            const int field = k % s->n_fields;
            double *v = calloc((size_t)(s->rows + 1) * (size_t)s->field[field].width, sizeof *v);
            status = tml_result_read(&f, (TmlResultKind)kind, k / s->n_fields, field, 0, s->rows, v,
                                     &err);
            free(v);
        }
    }
    tml_result_close(&f);
    return status == TML_OK ? rows : -1;
}

static herr_t visit(hid_t file, const char *name, const H5O_info_t *info, void *bad)
{
    if (info->type == H5O_TYPE_DATASET) {
        const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set),
                    space = H5Dget_space(set);
        const hssize_t n = H5Sget_simple_extent_npoints(space);
        void *v = calloc((size_t)(n + 1), H5Tget_size(type));
        *(bool *)bad |= H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) < 0;
        free(v);
        H5Sclose(space);
        H5Tclose(type);
        H5Dclose(set);
    }
    return 0;
}

/* Rows of /time when HDF5 with its own driver can read all that is there; -1: it cannot. */
static int64_t read_plain(const char *path)
{
    bool bad = false;
    hsize_t rows = 0;
    if (tml_h5_ready(NULL) != TML_OK) {
        return -1;
    }
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0 ||
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &bad, H5O_INFO_BASIC) < 0) {
        bad = true;
    }
    TmlH5Array time = {0};
    if (file >= 0 && tml_h5_array_open(file, "time", &time)) {
        rows = time.dim[0];
    }
    tml_h5_array_close(&time);
    if (file >= 0) {
        H5Fclose(file);
    }
    tml_h5_quiet_end(&quiet);
    return bad ? -1 : (int64_t)rows;
}

typedef struct Counts {
    int unread, unrepaired, lost; // files
    int64_t rows;                 // that the file had at an instant before
} Counts;

/* Rows must never become fewer, and all that could be read must be there after repair. */
static void check_file(const Image *m, const char *path, Counts *c)
{
    TmlError err = {0};
    char *report = NULL;
    image_write(m, path);
    const int other = open(path, O_RDONLY | O_CLOEXEC); // another reader, who locks as HDF5 does
    const bool locked = other >= 0 && flock(other, LOCK_SH | LOCK_NB) == 0;
    const int64_t rows = read_ours(path);
    c->unread += !locked;
    close(other);
    const bool repaired = tml_repair(path, &report, &err) == TML_OK;
    const int64_t after = repaired ? read_plain(path) : -1;
    tml_text_free(report);
    c->unread += rows < 0;
    c->unrepaired += after < 0;
    c->lost += after < c->rows || after < rows;
    c->rows = after > c->rows ? after : c->rows;
}

/* Where a call is cut: at each page, where the kernel does it, and anywhere or, each second time to
 * save some, before it. */
static int cuts_of(TestCtx *t, const Call *c, bool before, size_t *cut)
{
    int n = 0;
    if (before || c->size <= 1) {
        cut[n++] = 0;
    }
    if (c->size > 1) {
        for (size_t p = PAGE - (size_t)c->at % PAGE; p < c->size && n < CUTS_MAX - 1; p += PAGE) {
            cut[n++] = p;
        }
    }
    if (!before && c->size > 1) {
        cut[n++] = 1 + (size_t)test_random(t, 0.0, (double)(c->size - 1));
    }
    return n;
}

/* All files that kills between and within the calls from `first` on leave; m: the file before any
 * of them. */
static void check_kills(TestCtx *t, Image *m, const Record *r, int first, const char *path)
{
    Image torn = {0};
    Counts c = {0};
    size_t cut[CUTS_MAX];
    for (int k = 0; k < r->n; ++k) {
        const int n = k < first ? 0 : cuts_of(t, &r->call[k], k % 2 == 0, cut);
        for (int i = 0; i < n; ++i) {
            image_copy(m, &torn);
            image_apply(&torn, r, &r->call[k], cut[i]);
            check_file(&torn, path, &c);
        }
        image_apply(m, r, &r->call[k], r->call[k].size);
    }
    check_file(m, path, &c);
    CHECK_INT(t, c.unread, 0);
    CHECK_INT(t, c.unrepaired, 0);
    CHECK_INT(t, c.lost, 0);
    free(torn.bytes);
}

/* --- runs ---------------------------------------------------------------------------------- */

static const char model_text[] =
    "trammel: 1\n"
    "title: Pendulum\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}\n"
    "simulate: {end: 0.02, output_step: 0.01}\n"
    "outputs: {theta: angle(pin)}\n";

static TmlStatus write_row(void *user, const TmlSim *sim, TmlError *err)
{
    return tml_writer_row(user, sim, err);
}

/* A file of three expected rows has chunks of few rows, so that the index of its chunks grows
 * soon. Returns the number of calls up to the moment when the file has its name. */
static int run_recorded(TestCtx *t, const char *path, Record *r)
{
    enum { FLUSHES = 1, ROWS = 44 };
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlWriter *w = NULL;
    TmlSimOptions options = tml_sim_options_default();
    options.record_solver = true;
    CHECK_OK(t, tml_load_text(model_text, "torn.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_OK(t, tml_sim_create(model, &options, &sim, &err), &err);
    recording = r;
    CHECK_OK(t, tml_writer_open(path, sim, &w, &err), &err);
    const int named = r->n;
    CHECK_OK(t, tml_sim_run(sim, write_row, w, &err), &err);
    for (int k = 0; k < FLUSHES * ROWS; ++k) {
        CHECK_OK(t, tml_writer_row(w, sim, &err), &err);
        if (k % ROWS == ROWS - 1) {
            CHECK_OK(t, tml_writer_flush(w, &err), &err);
        }
    }
    CHECK_OK(t, tml_writer_next(w, sim, sim, &err), &err); // attributes change at the end
    CHECK_OK(t, tml_writer_close(w, sim, &err), &err);
    recording = NULL;
    tml_sim_free(sim);
    tml_model_free(model);
    return named;
}

typedef struct Folder {
    char name[PATH_SIZE - 16], file[PATH_SIZE];
} Folder;

static void folder_make(TestCtx *t, Folder *f)
{
    snprintf(f->name, sizeof f->name, "%s/torn-XXXXXX", TRAMMEL_BINARY_DIR);
    CHECK(t, mkdtemp(f->name) != NULL);
    snprintf(f->file, sizeof f->file, "%s/a.h5", f->name);
}

static void folder_remove(const Folder *f)
{
    unlink(f->file);
    rmdir(f->name);
}

static void record_free(Record *r)
{
    free(r->call);
    free(r->bytes);
}

TEST(a_kill_at_any_instant_leaves_a_readable_file)
{
    Folder f;
    folder_make(t, &f);
    Record r = {0};
    Image m = {0};
    const int named = run_recorded(t, f.file, &r);
    CHECK(t, r.n - named > 100); // each flush writes a header of each of some 20 datasets
    check_kills(t, &m, &r, named, f.file);
    free(m.bytes);
    record_free(&r);
    folder_remove(&f);
}

/* The file as a kill within the writes in place leaves it, and without the journal, as writers
 * before it left their files: more than ten datasets are longer than /time. */
static void make_uneven(TestCtx *t, const char *path, const Record *r, int named, Image *m)
{
    char *report = NULL;
    bool uneven = false;
    for (int k = 0; k < r->n && !uneven; ++k) {
        image_apply(m, r, &r->call[k], r->call[k].size);
        if (k < (named + r->n) / 3) {
            continue;
        }
        TmlError err = {0};
        TmlJournal journal;
        off_t end = 0;
        image_write(m, path);
        const int fd = open(path, O_RDWR);
        CHECK_OK(t, tml_journal_load(fd, &journal, &end, &err), &err);
        CHECK(t, ftruncate(fd, end) == 0);
        close(fd);
        if (journal.used > 0 && tml_repair(path, &report, &err) == TML_OK) {
            const char *told = strstr(report, "cut to whole rows: ");
            int n = 0;
            uneven = told != NULL && sscanf(told, "cut to whole rows: %d", &n) == 1 && n > 10;
        }
        if (uneven) {
            image_resize(m, (size_t)end);
        }
        tml_text_free(report);
        report = NULL;
        tml_journal_free(&journal);
    }
    CHECK(t, uneven);
}

TEST(a_repair_may_be_killed_too)
{
    Folder f;
    folder_make(t, &f);
    Record r = {0}, repair = {0};
    Image m = {0};
    char *report = NULL;
    TmlError err = {0};
    const int named = run_recorded(t, f.file, &r);
    make_uneven(t, f.file, &r, named, &m);
    image_write(&m, f.file);
    recording = &repair;
    CHECK_OK(t, tml_repair(f.file, &report, &err), &err);
    recording = NULL;
    CHECK_HAS(t, report, "cut to whole rows");
    CHECK(t, repair.n > 10); // a header each
    tml_text_free(report);
    check_kills(t, &m, &repair, 0, f.file);
    free(m.bytes);
    record_free(&repair);
    record_free(&r);
    folder_remove(&f);
}

/* The disk becomes full before any of the writes of a run, or has no room for that one: what was
 * flushed stays, the failure is told once the file is closed at the latest, and HDF5 keeps nothing
 * open. */
static void check_full(TestCtx *t, int64_t *flushed)
{
    Folder f;
    Record r = {0};
    TmlError err = {0};
    folder_make(t, &f);
    const int named = run_recorded(t, f.file, &r);
    enum { MORE = 44 };
    int untold = 0, unread = 0, fewer = 0;
    int64_t seen = 0;
    for (int k = named; k < r.n; k += 1 + (k > named + 40)) { // the first ones each
        TmlModel *model = NULL;
        TmlSim *sim = NULL;
        TmlWriter *w = NULL;
        CHECK_OK(t, tml_load_text(model_text, "torn.yaml", 0, NULL, NULL, &model, &err), &err);
        CHECK_OK(t, tml_sim_create(model, NULL, &sim, &err), &err);
        CHECK_OK(t, tml_writer_open(f.file, sim, &w, &err), &err);
        writes_left = k - named;
        refused = false;
        bool ran = tml_sim_run(sim, write_row, w, &err) == TML_OK;
        for (int i = 0; i < MORE; ++i) { // as a program does that does not look
            ran = tml_writer_row(w, sim, &err) == TML_OK && ran;
        }
        ran = tml_writer_flush(w, &err) == TML_OK && ran;
        const bool closed = tml_writer_close(w, sim, &err) == TML_OK;
        writes_left = -1;
        const int64_t rows = read_ours(f.file);
        untold += refused && ran && closed && (!once || rows < 3 + MORE);
        unread += rows < 0;
        fewer += rows < (once ? flushed[k] : seen); // a later write may bring the rest
        flushed[k] = rows;
        seen = rows > seen ? rows : seen;
        tml_sim_free(sim);
        tml_model_free(model);
        if (!refused) {
            break;
        }
    }
    CHECK_INT(t, untold, 0);
    CHECK_INT(t, unread, 0);
    CHECK_INT(t, fewer, 0);
    CHECK_INT(t, seen, 3 + MORE);
    record_free(&r);
    folder_remove(&f);
}

TEST(a_full_disk_takes_no_flushed_row)
{
    enum { CALLS_MAX = 20000 };
    int64_t *flushed = calloc(CALLS_MAX, sizeof *flushed);
    once = false;
    check_full(t, flushed);
    once = true;
    check_full(t, flushed);
    free(flushed);
}

static struct {
    const Image *image;
    const char *path;
    int holder;
} ending;

/* The writer has done its last, and is gone. */
static void end_writer(void)
{
    const int fd = open(ending.path, O_WRONLY | O_CLOEXEC);
    (void)!tml_write_at(fd, 0, ending.image->size, ending.image->bytes);
    (void)!tml_file_cut(fd, (off_t)ending.image->size);
    close(fd);
    close(ending.holder);
}

/* Between the look at a file that is being written and its opening the writer ends, or is killed in
 * the midst of a commit. */
TEST(a_writer_may_go_while_a_reader_comes)
{
    Folder f;
    Record r = {0};
    Image m = {0}, before = {0};
    folder_make(t, &f);
    const int named = run_recorded(t, f.file, &r);
    for (int k = 0; k < named + 60; ++k) { // its first rows are there
        image_apply(&m, &r, &r.call[k], r.call[k].size);
    }
    image_copy(&m, &before);
    int unread = 0, held = 0;
    for (int k = named + 60; k < r.n; ++k) {
        image_apply(&m, &r, &r.call[k], r.call[k].size);
        if (k % 5 != 0 && k < r.n - 1) {
            continue;
        }
        image_write(&before, f.file);
        ending.holder = open(f.file, O_RDONLY | O_CLOEXEC);
        tml_file_hold(ending.holder);
        ending.image = &m;
        ending.path = f.file;
        on_lock = end_writer;
        unread += read_ours(f.file) < 0;
        held += on_lock != NULL;
        on_lock = NULL;
    }
    CHECK_INT(t, unread, 0);
    CHECK_INT(t, held, 0);
    free(m.bytes);
    free(before.bytes);
    record_free(&r);
    folder_remove(&f);
}

/* Writes that the journal of the file at `path` holds, in bytes. */
static size_t journal_size(TestCtx *t, const char *path)
{
    TmlJournal j;
    TmlError err;
    off_t end;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK_OK(t, tml_journal_load(fd, &j, &end, &err), &err);
    const size_t used = j.used;
    tml_journal_free(&j);
    close(fd);
    return used;
}

/* A piece whose bytes are not those that its foot sums up is none: disks may write out of order. */
TEST(a_damaged_journal_is_not_replayed)
{
    Folder f;
    Record r = {0};
    Image m = {0};
    int whole = 0;
    folder_make(t, &f);
    const int named = run_recorded(t, f.file, &r);
    for (int k = 0; k < r.n && whole < 3; ++k) {
        image_apply(&m, &r, &r.call[k], r.call[k].size);
        if (k < named || m.size < 64 || memcmp(m.bytes + m.size - 24, "TmlJrnl", 7) != 0) {
            continue;
        }
        whole++;
        image_write(&m, f.file);
        CHECK(t, journal_size(t, f.file) > 0);
        m.bytes[m.size - 30] ^= 1;
        image_write(&m, f.file);
        CHECK_INT(t, journal_size(t, f.file), 0);
        m.bytes[m.size - 30] ^= 1;
    }
    CHECK_INT(t, whole, 3);
    free(m.bytes);
    record_free(&r);
    folder_remove(&f);
}

TEST_SUITE(io_torn) = {
    CASE(a_damaged_journal_is_not_replayed),    CASE(a_kill_at_any_instant_leaves_a_readable_file),
    CASE(a_repair_may_be_killed_too),           CASE(a_full_disk_takes_no_flushed_row),
    CASE(a_writer_may_go_while_a_reader_comes), {0}};
