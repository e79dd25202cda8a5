/* io/study/store_write.c - the results of a study as HDF5 and CSV.
 *
 *   /parameters   runs x parameters, attribute names
 *   /responses    runs x responses, attributes names, units
 *   /status       runs: 0 done, 1 failed, -1 not made
 *   /steps, /seconds   runs
 *   /messages     runs: why it failed
 *   /time         runs x rows, NAN behind the last row of a run
 *   /histories/<output>   runs x rows
 *
 * Histories are written a run at a time, so that memory holds one run however many there are.
 */
#include "io/study/study.h"

#include "base/fail.h"
#include "io/export/csv.h"
#include "io/file/draft.h"
#include "io/results/hdf5_driver.h"
#include "io/results/hdf5_file.h"
#include "trammel/trammel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Book {
    TmlStore *store;
    const TmlStudy *s;
    hid_t file, histories;
    TmlArena arena;
    double *y; /* responses of all runs */
    int rows;  /* of the longest run */
    double *line;
} Book;

static const char *message_line(char *text)
{
    char *end = strchr(text, '\n');
    if (end != NULL) {
        *end = '\0';
    }
    return text;
}

/* --- HDF5 --------------------------------------------------------------------------------------------------- */

static TmlStatus put_matrix(Book *b, const char *name, int columns, const double *values,
                            const char *const *names, const char *const *units, TmlError *err)
{
    const hsize_t dim[2] = {(hsize_t)b->s->runs, (hsize_t)columns};
    if (columns == 0) {
        return TML_OK;
    }
    TML_TRY(tml_h5_array(b->file, name, H5T_NATIVE_DOUBLE, 2, dim, values, err));
    const hid_t set = H5Dopen2(b->file, name, H5P_DEFAULT);
    TmlStatus status = set < 0 ? tml_h5_fail(err, "cannot open /%s", name)
                               : tml_h5_attr_texts(set, "names", columns, names, err);
    if (status == TML_OK && units != NULL) {
        status = tml_h5_attr_texts(set, "units", columns, units, err);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return status;
}

static TmlStatus put_numbers(Book *b, TmlError *err)
{
    const TmlStudy *s = b->s;
    const char **names, **units;
    TML_NEW(&b->arena, names, s->n_spreads + s->n_responses + 1);
    TML_NEW(&b->arena, units, s->n_responses + 1);
    for (int p = 0; p < s->n_spreads; ++p) {
        names[p] = s->spread[p].name;
    }
    TML_TRY(put_matrix(b, "parameters", s->n_spreads, s->value, names, NULL, err));
    for (int k = 0; k < s->n_responses; ++k) {
        names[k] = s->response[k].name;
        units[k] = s->response[k].unit;
    }
    return put_matrix(b, "responses", s->n_responses, b->y, names, units, err);
}

/* What is known of each run, and how many rows the longest has. */
static TmlStatus put_heads(Book *b, TmlError *err)
{
    const hsize_t n = (hsize_t)b->s->runs;
    int32_t *state;
    double *steps, *seconds;
    const char **message;
    TML_NEW(&b->arena, state, n);
    TML_NEW(&b->arena, steps, n);
    TML_NEW(&b->arena, seconds, n);
    TML_NEW(&b->arena, message, n);
    for (int run = 0; run < b->s->runs; ++run) {
        TmlRecordParts r = {0};
        state[run] = -1;
        message[run] = "";
        if (!tml_store_has(b->store, run)) {
            continue;
        }
        TML_TRY(tml_store_read(b->store, run, false, &r, err));
        state[run] = r.head.status != TML_OK;
        steps[run] = (double)r.head.steps;
        seconds[run] = r.head.seconds;
        b->rows = r.head.rows > b->rows ? r.head.rows : b->rows;
        if (r.head.message > 0) {
            char *text = tml_arena_strdup(&b->arena, r.message);
            message[run] = text != NULL ? message_line(text) : "";
        }
        tml_mem_free(r.block);
    }
    TML_TRY(tml_h5_array(b->file, "status", H5T_NATIVE_INT32, 1, &n, state, err));
    TML_TRY(tml_h5_array(b->file, "steps", H5T_NATIVE_DOUBLE, 1, &n, steps, err));
    TML_TRY(tml_h5_array(b->file, "seconds", H5T_NATIVE_DOUBLE, 1, &n, seconds, err));
    return tml_h5_texts(b->file, "messages", b->s->runs, message, err);
}

/* One column of all runs: 0 the time, then the kept channels. */
static TmlStatus put_history(Book *b, TmlH5Column *set, int columns, TmlError *err)
{
    const size_t width = (size_t)b->s->n_kept + 1;
    for (int run = 0; run < b->s->runs; ++run) {
        TmlRecordParts r = {0};
        if (tml_store_has(b->store, run)) {
            TML_TRY(tml_store_read(b->store, run, true, &r, err));
        }
        TmlStatus status = TML_OK;
        for (int c = 0; c < columns && status == TML_OK; ++c) {
            for (int k = 0; k < b->rows; ++k) {
                b->line[k] = k < r.head.rows && r.rows != NULL
                                 ? r.rows[(size_t)k * width + (size_t)c]
                                 : (double)NAN;
            }
            status = tml_h5_column_write(&set[c], (hsize_t)run, 1, b->line, err);
        }
        tml_mem_free(r.block);
        TML_TRY(status);
    }
    return TML_OK;
}

static TmlStatus put_histories(Book *b, TmlError *err)
{
    const TmlStudy *s = b->s;
    TmlH5Column *set;
    int made = 0;
    if (b->rows == 0 || s->n_kept == 0) {
        return TML_OK;
    }
    TML_NEW(&b->arena, set, s->n_kept + 1);
    TML_NEW(&b->arena, b->line, b->rows);
    TML_TRY(tml_h5_group(b->file, "histories", &b->histories, err));
    TmlStatus status = TML_OK;
    for (; made <= s->n_kept && status == TML_OK; ++made) {
        char name[TML_H5_NAME_MAX];
        set[made] =
            (TmlH5Column){.memory = H5T_NATIVE_DOUBLE, .rank = 2, .dim = {0, (hsize_t)b->rows}};
        status = tml_h5_column_create(made == 0 ? b->file : b->histories,
                                      made == 0 ? "time"
                                                : tml_h5_safe_name(s->kept_name[made - 1], name),
                                      (hsize_t)s->runs, &set[made], err);
        if (status == TML_OK) {
            status = tml_h5_attr_text(set[made].id, "unit",
                                      made == 0 ? "s" : s->kept_unit[made - 1], err);
        }
    }
    status = status == TML_OK ? put_history(b, set, made, err) : status;
    for (int k = 0; k < made; ++k) {
        H5Dclose(set[k].id);
    }
    H5Gclose(b->histories);
    return status;
}

static TmlStatus fill(Book *b, TmlError *err)
{
    TML_TRY(tml_h5_attr_text(b->file, "format", "trammel study", err));
    TML_TRY(tml_h5_attr_number(b->file, "version", 1.0, err));
    TML_TRY(tml_h5_attr_text(b->file, "trammel", tml_version(), err));
    TML_TRY(tml_h5_attr_text(b->file, "title", tml_study_title(b->s), err));
    TML_TRY(tml_h5_attr_text(b->file, "design", tml_study_design(b->s), err));
    TML_TRY(put_numbers(b, err));
    TML_TRY(put_heads(b, err));
    return put_histories(b, err);
}

static TmlStatus write_to(Book *b, int fd, TmlError *err)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_file_locking(access, true, true); // some file systems cannot lock: go on without
    H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    TmlStatus status = tml_h5_driver_adopt(access, TML_H5_DRAFT, fd, err);
    b->file = status == TML_OK ? H5Fcreate(b->store->path, H5F_ACC_TRUNC, create, access) : -1;
    if (status == TML_OK && b->file < 0) {
        status = tml_h5_fail(err, "cannot create");
    }
    status = status == TML_OK ? fill(b, err) : status;
    if (status == TML_OK) {
        status = tml_h5_close(b->file, err);
    } else if (b->file >= 0) {
        H5Fclose(b->file);
    }
    H5Pclose(create);
    H5Pclose(access);
    return status;
}

TmlStatus tml_store_write_h5(TmlStore *store, TmlError *err)
{
    Book b = {.store = store, .s = store->study};
    TmlDraft draft;
    TML_TRY(tml_h5_ready(err));
    TML_TRY(tml_store_responses(store, &b.y, err));
    TmlStatus status = tml_draft_open(&draft, store->path, TML_LINK_REPLACE, err);
    if (status == TML_OK) {
        const TmlH5Quiet quiet = tml_h5_quiet_begin();
        status = write_to(&b, draft.fd, err);
        tml_h5_quiet_end(&quiet);
        status = status == TML_OK ? tml_draft_publish(&draft, draft.fd, err) : status;
        tml_draft_end(&draft);
    }
    tml_mem_free(b.y);
    tml_arena_free(&b.arena);
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", store->path);
}

/* --- CSV ---------------------------------------------------------------------------------------------------- */

/* The number as short as it can be read back; empty: none. */
static void put_number(FILE *file, double value)
{
    if (isfinite(value)) {
        fprintf(file, ",%.17g", value);
    } else {
        fputs(",", file);
    }
}

static TmlStatus fill_csv(void *user, FILE *file, TmlError *err)
{
    TmlStore *store = user;
    const TmlStudy *s = store->study;
    fputs("run", file);
    for (int p = 0; p < s->n_spreads; ++p) {
        fputc(',', file);
        tml_csv_name(file, s->spread[p].name);
    }
    fputs(",status", file);
    for (int k = 0; k < s->n_responses; ++k) {
        fputc(',', file);
        tml_csv_name(file, s->response[k].name);
    }
    fputs(",steps,message\n", file);
    for (int run = 0; run < s->runs; ++run) {
        TmlRecordParts r = {0};
        const bool there = tml_store_has(store, run);
        if (there) {
            TML_TRY(tml_store_read(store, run, false, &r, err));
        }
        fprintf(file, "%d", run + 1);
        for (int p = 0; p < s->n_spreads; ++p) {
            put_number(file, tml_study_value(s, run, p));
        }
        fputs(!there ? ",missing" : r.head.status == TML_OK ? ",done" : ",failed", file);
        for (int k = 0; k < s->n_responses; ++k) {
            put_number(file, there ? r.response[k] : (double)NAN);
        }
        fprintf(file, ",%lld,", (long long)r.head.steps);
        if (there && r.head.message > 0) {
            char *text = (char *)r.block + ((const char *)r.message - (const char *)r.block);
            tml_csv_name(file, message_line(text));
        }
        fputc('\n', file);
        tml_mem_free(r.block);
    }
    return TML_OK;
}

TmlStatus tml_store_write_csv(TmlStore *store, const char *path, TmlError *err)
{
    return tml_draft_write(path, TML_LINK_REPLACE, fill_csv, store, err);
}
