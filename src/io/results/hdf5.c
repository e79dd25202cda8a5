/* io/results/hdf5.c - results as HDF5, readable while the run goes on and after it was killed.
 *
 * All groups, datasets and attributes are made first, under another name; then SWMR (single writer,
 * multiple readers) writing starts and the file takes its name, so that at every moment there is
 * either no file of that name or one that a SWMR reader opens. Rows wait in memory until there are
 * enough of them or TML_FLUSH_SECONDS have passed. /time grows last: whatever row it holds is in
 * all other datasets too. A flush changes the structure of the file in one commit (io/results/journal.h),
 * so that a kill at any instant leaves it as before the flush or, with repair, as after it.
 *
 *   /time  /status  /statistics  /scene  /meshes/...  /channels/<name>  /bodies/<name>/...
 *   /joints/<name>/reaction  /flexible/<name>/...  /modal/<name>/...  /certificate/...  /solver/...
 * docs/guide/results.md describes them.
 */
#include "base/clock.h"
#include "base/file.h"
#include "io/file/draft.h"
#include "io/file/held.h"
#include "io/file/unnamed.h"
#include "io/results/hdf5_driver.h"
#include "io/results/hdf5_keep.h"
#include "io/results/hdf5_layout.h"
#include "io/results/hdf5_scene.h"
#include "io/results/writer.h"
#include "model/model.h"
#include "trammel/trammel.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SOLVER_ROWS = 4096, // attempts converted at a time
    CAUSES_MAX = 64,
};

enum {
    SOLVER_T,
    SOLVER_H,
    SOLVER_ERROR,
    SOLVER_REALS,
    SOLVER_INTS = 4,
    SOLVER_COLUMNS = SOLVER_REALS + SOLVER_INTS
};

typedef struct H5Results {
    TmlArena arena;
    char *path;
    bool unnamed; // the file has no name, io/file/unnamed.h
    hid_t file;
    int fd;   // of the file, whatever its name becomes
    int name; // descriptor by which the system tells that name
    int lock; // descriptor that holds the file: repair and other runs leave it alone
    TmlH5Layout layout;
    int buffered; // rows waiting
    hsize_t rows; // in the file
    TmlH5Column solver[SOLVER_COLUMNS];
    int64_t attempts;       // in the file
    int64_t earlier;        // of them, of sims before this one
    const char **joint;     // names
    double end;             // s, that the file tells
    bool several;           // sims, one after another
    double flushed;         // s, clock of the last flush
    double wait;            // s, until the next one by the clock
    const char *integrator; // at the start
} H5Results;

static const char *const solver_names[SOLVER_COLUMNS] = {"t",          "h",     "error", "accepted",
                                                         "iterations", "order", "cause"};
static const char *const solver_units[SOLVER_COLUMNS] = {"s", "s", "", "", "", "", ""};

static const char units_text[] =
    "SI: m, kg, s, N, N m, J, rad. Global axes unless a column ends in _local (axes of the "
    "joint's second frame). Positions are those of the centre of mass; orientation is the unit "
    "quaternion w, x, y, z that turns body axes into global ones; a reaction is that of the "
    "joint's first body on the second, about the second's frame.";

/* --- creation ------------------------------------------------------------------------------ */

static TmlStatus solver_columns(H5Results *h, hid_t group, TmlError *err)
{
    for (int k = 0; k < SOLVER_COLUMNS; ++k) {
        TmlH5Column *c = &h->solver[k];
        *c = (TmlH5Column){.rank = 1};
        c->memory = k < SOLVER_REALS ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32;
        TML_TRY(tml_h5_column_create(group, solver_names[k], 0, c, err));
        TML_TRY(tml_h5_attr_text(c->id, "unit", solver_units[k], err));
    }
    const char *causes[CAUSES_MAX] = {"accepted"};
    int n = 1;
    for (; n < CAUSES_MAX; ++n) {
        causes[n] = tml_attempt_cause(n);
        if (causes[n] == NULL || causes[n][0] == '\0') {
            break;
        }
    }
    return tml_h5_attr_texts(h->solver[SOLVER_COLUMNS - 1].id, "causes", n, causes, err);
}

static TmlStatus solver_create(H5Results *h, TmlError *err)
{
    hid_t group;
    TML_TRY(tml_h5_group(h->file, "solver", &group, err));
    const TmlStatus status = solver_columns(h, group, err);
    H5Gclose(group);
    return status;
}

/* What the run was: one root attribute each. */
static TmlStatus root_attributes(H5Results *h, const TmlSim *sim, TmlError *err)
{
    const TmlModel *model = tml_sim_model(sim);
    h->integrator = tml_arena_strdup(&h->arena, tml_sim_integrator(sim)); // the sim may go first
    h->end = tml_sim_end_time(sim);
    if (h->integrator == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", h->path);
    }
    const char *const texts[][2] = {
        {"trammel", TML_VERSION},
        {"title", tml_model_title(model)},
        {"model_file", model->file},
        {"model", model->text},
        {"integrator", tml_sim_integrator(sim)},
        {"choice", tml_sim_choice(sim)},
        {"units", units_text},
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k) {
        const char *text = texts[k][1] != NULL ? texts[k][1] : "";
        TML_TRY(tml_h5_attr_text(h->file, texts[k][0], text, err));
    }
    TML_TRY(tml_h5_attr_number(h->file, "format", 1, err));
    TML_TRY(tml_h5_attr_number(h->file, "tolerance", tml_sim_tolerance(sim), err));
    TML_TRY(tml_h5_attr_number(h->file, "end_time", tml_sim_end_time(sim), err));
    return tml_h5_attr_number(h->file, "output_step", tml_sim_output_step(sim), err);
}

/* Lists: the method's options as key=value, and what assembly has to say. */
static TmlStatus root_lists(H5Results *h, const TmlSim *sim, TmlError *err)
{
    const int n_notes = tml_sim_note_count(sim);
    const char **notes, **options, *key, *value;
    int n_options = 0;
    while (tml_sim_option(sim, n_options, &key, &value)) {
        n_options++;
    }
    TML_NEW(&h->arena, notes, n_notes);
    TML_NEW(&h->arena, options, n_options);
    for (int k = 0; k < n_notes; ++k) {
        notes[k] = tml_sim_note(sim, k);
    }
    for (int k = 0; k < n_options && tml_sim_option(sim, k, &key, &value); ++k) {
        options[k] = tml_arena_printf(&h->arena, "%s=%s", key, value);
        if (options[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for the options");
        }
    }
    TML_TRY(tml_h5_attr_texts(h->file, "options", n_options, options, err));
    return tml_h5_attr_texts(h->file, "notes", n_notes, notes, err);
}

static TmlStatus contents_create(H5Results *h, const TmlSim *sim, TmlError *err)
{
    const double rows = tml_sim_end_time(sim) / tml_sim_output_step(sim) + 2.0;
    const hsize_t expected = rows >= 1.0 && rows < 1e6 ? (hsize_t)rows : 0;
    TML_TRY(root_attributes(h, sim, err));
    TML_TRY(root_lists(h, sim, err));
    TML_TRY(tml_h5_cell_create(h->file, "status", TML_H5_STATUS, "running", err));
    TML_TRY(tml_h5_scene_create(h->file, sim, err));
    TML_TRY(tml_h5_layout_create(&h->layout, h->file, sim, expected, err));
    return solver_create(h, err);
}

/* The file itself; the newest format is what SWMR needs. */
static TmlStatus file_create(H5Results *h, TmlError *err)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_file_locking(access, true, true); // some file systems cannot lock: go on without
    H5Pset_attr_phase_change(create, 0, 0);  // the model text may exceed 64 kB
    H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    TmlStatus status = tml_h5_driver_adopt(access, TML_H5_DRAFT, h->fd, err);
    h->file = status == TML_OK ? H5Fcreate(h->path, H5F_ACC_TRUNC, create, access) : -1;
    if (status == TML_OK && h->file < 0) {
        status = tml_h5_fail(err, "cannot create '%s'", h->path);
    }
    H5Pclose(create);
    H5Pclose(access);
    return status;
}

/* --- rows ---------------------------------------------------------------------------------- */

/* New attempts of the solver, in portions. */
static TmlStatus solver_append(H5Results *h, const TmlSim *sim, TmlError *err)
{
    const TmlAttemptRow *rows = NULL;
    const int64_t total = h->earlier + tml_sim_attempts(sim, &rows);
    while (h->attempts < total) {
        double real[SOLVER_REALS][SOLVER_ROWS];
        int32_t whole[SOLVER_INTS][SOLVER_ROWS];
        const int64_t left = total - h->attempts;
        const int n = left < SOLVER_ROWS ? (int)left : SOLVER_ROWS;
        for (int k = 0; k < n; ++k) {
            const TmlAttemptRow *a = &rows[h->attempts - h->earlier + k];
            real[SOLVER_T][k] = a->t;
            real[SOLVER_H][k] = a->h;
            real[SOLVER_ERROR][k] = a->error;
            whole[0][k] = a->accepted;
            whole[1][k] = a->iterations;
            whole[2][k] = a->order;
            whole[3][k] = a->cause;
        }
        for (int c = 0; c < SOLVER_COLUMNS; ++c) {
            const void *from = c < SOLVER_REALS ? (void *)real[c] : (void *)whole[c - SOLVER_REALS];
            TML_TRY(
                tml_h5_column_write(&h->solver[c], (hsize_t)h->attempts, (hsize_t)n, from, err));
        }
        h->attempts += n;
    }
    return TML_OK;
}

/* A flush by the clock writes the last chunk of each of many datasets whole. Flushes take one part in so many of the time, but readers of a
 * running file do not wait longer than this, in s. */
static const double flush_share = 20.0, longest_wait = 5.0;

/* Writes the waiting rows. /time comes last and alone: see the head of the file. */
static TmlStatus rows_write(H5Results *h, TmlError *err)
{
    const hsize_t n = (hsize_t)h->buffered;
    const double began = tml_clock();
    for (int k = TML_H5_TIME + 1; k < TML_H5_SETS; ++k) {
        TmlH5Set *s = &h->layout.set[k];
        const int columns = tml_h5_set_columns(s);
        for (int c = 0; n > 0 && c < columns; ++c) {
            TML_TRY(tml_h5_column_write(&s->column[c], h->rows, n, s->buffer[c], err));
        }
    }
    if (n > 0) {
        TML_TRY(tml_h5_flexible_write(&h->layout.flexible, h->rows, n, err));
        TML_TRY(tml_h5_modal_write(&h->layout.modal, h->rows, n, err));
    }
    if (H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0) {
        return tml_h5_fail(err, "cannot flush");
    }
    if (n > 0) {
        TmlH5Set *time = &h->layout.set[TML_H5_TIME];
        TML_TRY(tml_h5_column_write(time->column, h->rows, n, time->buffer[0], err));
        if (H5Dflush(time->column->id) < 0) {
            return tml_h5_fail(err, "cannot flush");
        }
    }
    TML_TRY(tml_h5_commit(h->file, err));
    h->rows += n;
    h->buffered = 0;
    h->flushed = tml_clock();
    h->wait = fmin(longest_wait, fmax(TML_FLUSH_SECONDS, flush_share * (h->flushed - began)));
    return TML_OK;
}

static TmlStatus h5_flush(void *data, TmlError *err)
{
    H5Results *h = data;
    if (h->buffered == 0) {
        return TML_OK;
    }
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    TmlStatus status = rows_write(h, err);
    if (status != TML_OK) {
        status = tml_fail_ctx(err, status, "'%s'", h->path);
    }
    tml_h5_quiet_end(&quiet);
    return status;
}

static TmlStatus h5_row(void *data, const TmlSim *sim, TmlError *err)
{
    H5Results *h = data;
    if (h->buffered >=
        h->layout.capacity) { // a flush has failed before: there is no room until one succeeds
        TML_TRY(h5_flush(h, err));
    }
    tml_h5_layout_fill(&h->layout, h->buffered++, sim);
    // chunks begin at multiples of the capacity: after a flush by the clock the next one fills the last of them
    const hsize_t total = h->rows + (hsize_t)h->buffered;
    if (total % (hsize_t)h->layout.capacity != 0 && tml_clock() - h->flushed < h->wait) {
        return TML_OK;
    }
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    TmlStatus status = solver_append(h, sim, err);
    if (status != TML_OK) {
        status = tml_fail_ctx(err, status, "'%s'", h->path);
    }
    tml_h5_quiet_end(&quiet);
    return status == TML_OK ? h5_flush(h, err) : status;
}

/* --- sims one after another ----------------------------------------------------------------- */

static TmlStatus joint_names(H5Results *h, const TmlSim *sim, TmlError *err)
{
    const TmlModel *model = tml_sim_model(sim);
    const int n = tml_model_joint_count(model);
    TML_NEW(&h->arena, h->joint, n);
    for (int k = 0; k < n; ++k) {
        h->joint[k] = tml_arena_strdup(&h->arena, tml_model_joint_name(model, k));
        if (h->joint[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", h->path);
        }
    }
    return TML_OK;
}

static bool h5_fits(const void *data, const TmlSim *next)
{
    const H5Results *h = data;
    return tml_h5_layout_fits(&h->layout, h->joint, next);
}

static TmlStatus h5_next(void *data, const TmlSim *former, const TmlSim *next, TmlError *err)
{
    H5Results *h = data;
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    TmlStatus status = solver_append(h, former, err);
    if (status != TML_OK) {
        status = tml_fail_ctx(err, status, "'%s'", h->path);
    }
    tml_h5_quiet_end(&quiet);
    h->earlier = h->attempts;
    h->several = true;
    tml_h5_layout_next(&h->layout, h->joint, next);
    return status;
}

/* --- begin and end ------------------------------------------------------------------------- */

/* Closes whatever is open and frees everything. */
static TmlStatus results_free(H5Results *h, TmlError *err)
{
    tml_h5_layout_close(&h->layout);
    for (int k = 0; k < SOLVER_COLUMNS; ++k) {
        H5Dclose(h->solver[k].id);
    }
    const TmlStatus result = h->file >= 0 ? tml_h5_close(h->file, err) : TML_OK;
    if (h->lock >= 0) {
        close(h->lock);
    }
    if (h->name >= 0) {
        close(h->name);
    }
    if (h->fd >= 0) {
        close(h->fd);
    }
    TmlArena arena = h->arena; // h itself lies in it
    tml_arena_free(&arena);
    return result;
}

/* Another method took over, or another sim: only now, with the readers gone, can attributes
 * change. */
static TmlStatus amend(const char *path, int fd, const TmlSim *sim, double end, TmlError *err)
{
    const char *choice = tml_sim_choice(sim);
    const char *const texts[][2] = {{"integrator", tml_sim_integrator(sim)},
                                    {"choice", choice != NULL ? choice : ""}};
    hid_t file;
    TmlStatus status = tml_h5_open_whole(path, fd, false, &file, err);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && status == TML_OK; ++k) {
        H5Adelete(file, texts[k][0]);
        status = tml_h5_attr_text(file, texts[k][0], texts[k][1], err);
    }
    if (status == TML_OK) {
        H5Adelete(file, "end_time");
        status = tml_h5_attr_number(file, "end_time", end, err);
    }
    if (status == TML_OK) {
        status = tml_h5_close(file, err);
    } else if (file >= 0) {
        H5Fclose(file); // leaves the file as it was
    }
    return status;
}

static TmlStatus h5_close(void *data, const TmlSim *sim, const char *ending, TmlError *err)
{
    H5Results *h = data;
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    tml_h5_reads_begin();
    TmlStatus status = sim != NULL ? solver_append(h, sim, err) : TML_OK;
    if (status == TML_OK) {
        status = rows_write(h, err);
    }
    if (status == TML_OK) {
        status = tml_h5_journal_whole(h->file, err); // texts are written over
    }
    if (status == TML_OK && sim != NULL) {
        status = tml_h5_statistics_write(h->file, sim, err);
    }
    if (status == TML_OK) {
        status = tml_h5_cell_write(h->file, "status", ending, err);
    }
    char path[512];
    snprintf(path, sizeof path, "%s", h->path);
    const double end = sim != NULL && h->several ? tml_sim_time(sim) : h->end;
    const bool other =
        sim != NULL && (strcmp(tml_sim_integrator(sim), h->integrator) != 0 || end != h->end);
    const bool unnamed = h->unnamed;
    const int fd = h->fd;
    h->fd = -1;
    const TmlStatus closed = results_free(h, status == TML_OK ? err : NULL);
    status = status == TML_OK ? closed : status;
    if (other && status == TML_OK) {
        status = amend(path, fd, sim, end, err);
    }
    struct stat info;
    if (status == TML_OK && !unnamed && fstat(fd, &info) == 0 && info.st_nlink == 0) {
        status = tml_fail(err, TML_E_IO, "was removed while the run wrote it; its rows are lost");
    }
    close(fd);
    if (status != TML_OK) {
        status = tml_fail_ctx(err, status, "'%s'", path);
    }
    tml_h5_quiet_end(&quiet);
    return status;
}

/* Everything up to the moment when readers may come. */
static TmlStatus results_begin(H5Results *h, const TmlSim *sim, int64_t rows, TmlError *err)
{
    TML_TRY(joint_names(h, sim, err));
    TML_TRY(tml_h5_layout_init(&h->layout, &h->arena, sim, err));
    TML_TRY(file_create(h, err));
    TmlStatus status = contents_create(h, sim, err);
    if (status == TML_OK && rows > 0) {
        status = tml_h5_keep_rows(h->path, &h->layout, (hsize_t)rows, err);
        h->rows = (hsize_t)rows;
    }
    if (status == TML_OK && H5Fstart_swmr_write(h->file) < 0) {
        status = tml_h5_fail(err, "cannot start writing '%s'", h->path);
    }
    h->flushed = -TML_FLUSH_SECONDS; // the first row goes out at once
    if (status == TML_OK) {          // writes that failed so far
        status = tml_h5_commit(h->file, err);
        status =
            status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "cannot create '%s'", h->path);
    }
    return status == TML_OK ? tml_h5_journal_begin(h->file, err) : status;
}

/* A lock of its own: that of HDF5 is given up when SWMR writing starts. */
static void hold(H5Results *h)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", h->fd);
    h->lock = tml_file_open(self, O_RDONLY | O_CLOEXEC, 0);
    if (h->lock >= 0) {
        tml_file_hold(h->lock);
    }
}

static TmlStatus results_open(H5Results *h, const TmlSim *sim, int64_t rows, TmlError *err)
{
    TmlDraft draft;
    TML_TRY(tml_file_refuse_held(h->path, err));
    TML_TRY(tml_draft_open(&draft, h->path, TML_LINK_REPLACE, err));
    h->unnamed = tml_is_unnamed(h->path);
    h->fd = draft.fd;
    draft.fd = -1;
    TmlStatus status = results_begin(h, sim, rows, err);
    if (status == TML_OK) {
        hold(h);
        status = tml_draft_publish(&draft, h->fd, err);
        h->name = tml_file_open(h->path, O_RDONLY | O_CLOEXEC, 0);
    }
    tml_draft_end(&draft);
    return status;
}

static TmlStatus h5_open(const char *path, const TmlSim *sim, int64_t rows, void **data,
                         TmlError *err)
{
    *data = NULL;
    TML_TRY(tml_h5_ready(err));
    TmlArena arena = {0};
    H5Results *h;
    TML_NEW(&arena, h, 1);
    h->path = tml_arena_strdup(&arena, path);
    h->arena = arena;
    h->file = h->lock = h->fd = h->name = -1;
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    const TmlStatus status = h->path != NULL
                                 ? results_open(h, sim, rows, err)
                                 : tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    if (status == TML_OK) {
        *data = h;
    } else {
        (void)results_free(h, NULL);
    }
    tml_h5_quiet_end(&quiet);
    return status;
}

static int h5_descriptor(const void *data)
{
    return ((const H5Results *)data)->name;
}

const TmlWriterKind tml_writer_hdf5 = {
    .suffixes = ".h5 .hdf5",
    .open = h5_open,
    .row = h5_row,
    .flush = h5_flush,
    .descriptor = h5_descriptor,
    .fits = h5_fits,
    .next = h5_next,
    .close = h5_close,
};
