/* io/read/channels_h5.c - channels of an HDF5 result file. */
#include "io/read/channels.h"
#include "io/results/hdf5_driver.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 16, NAME_SIZE = 4 * TML_NAME_MAX };

/* --- names --------------------------------------------------------------------------------- */

/* The unit of one column: that of a reaction is "N, N m" for forces and torques. */
static const char *column_unit(const TmlResultField *f, int column)
{
    if (strcmp(f->unit, "N, N m") != 0) {
        return f->unit;
    }
    return f->column[column][0] == 'f' ? "N" : "N m";
}

/* All columns of all fields of one item. */
static TmlStatus add_item(TmlChannels *c, int kind, int item, TmlError *err)
{
    const TmlResultSet *s = &c->file.set[kind];
    char name[NAME_SIZE];
    for (int f = 0; f < s->n_fields; ++f) {
        const TmlResultField *field = &s->field[f];
        const char *unit = s->item_unit != NULL ? s->item_unit[item] : field->unit;
        TmlChannel at = {.source = kind, .item = item, .field = f};
        for (at.column = 0; at.column < field->width; ++at.column) {
            const char *column = field->column != NULL ? field->column[at.column] : "";
            snprintf(name, sizeof name, "%s%s%s%s%s", s->item[item], field->name[0] ? "." : "",
                     field->name, column[0] != '\0' ? "." : "", column);
            TML_TRY(tml_channels_add(
                c, at, name, field->column != NULL ? column_unit(field, at.column) : unit, err));
        }
    }
    return TML_OK;
}

/* Energies are in joule, what is not energy stays with the certificate. */
static TmlStatus add_certificate(TmlChannels *c, TmlError *err)
{
    const TmlResultSet *s = &c->file.set[TML_RESULT_CERTIFICATE];
    char name[NAME_SIZE];
    for (int f = 0; f < s->n_fields; ++f) {
        const TmlResultField *field = &s->field[f];
        const bool energy = strcmp(field->unit, "J") == 0;
        const TmlChannel at = {.source = TML_RESULT_CERTIFICATE, .field = f};
        const bool balance = strcmp(field->name, "energy") == 0;
        snprintf(name, sizeof name, "%s.%s", energy ? "energy" : "certificate",
                 balance ? "balance" : field->name);
        TML_TRY(tml_channels_add(c, at, name, field->unit, err));
    }
    return TML_OK;
}

/* Strain or stress of a flexible body: a channel per element, point and column. */
static TmlStatus add_values(TmlChannels *c, int item, int field, const char *body, const char *what,
                            const TmlH5Array *a, TmlError *err)
{
    const char *const *columns = NULL, *const *units = NULL;
    char path[3 * TML_H5_NAME_MAX], name[NAME_SIZE];
    int n = 0, n_units = 0;
    snprintf(path, sizeof path, "flexible/%s/%s",
             tml_h5_link_name(&c->file.arena, c->file.file, "flexible", item), what);
    TML_TRY(tml_result_texts(&c->file, path, "columns", &n, &columns, err));
    TML_TRY(tml_result_texts(&c->file, path, "units", &n_units, &units, err));
    if (a->rank != 4 || n < 1 || (hsize_t)n != a->dim[3] || n_units != n) {
        return tml_fail(err, TML_E_IO, "damaged: '/%s' has an unexpected shape", path);
    }
    TmlChannel at = {.source = TML_CHANNEL_FLEXIBLE, .item = item, .field = field};
    for (at.part[0] = 0; at.part[0] < (int)a->dim[1]; ++at.part[0]) {
        for (at.part[1] = 0; at.part[1] < (int)a->dim[2]; ++at.part[1]) {
            for (at.column = 0; at.column < n; ++at.column) {
                snprintf(name, sizeof name, "%s.%s.%d.%d.%s", body, what, at.part[0], at.part[1],
                         columns[at.column]);
                TML_TRY(tml_channels_add(c, at, name, units[at.column], err));
            }
        }
    }
    return TML_OK;
}

static const char *const flexible_sets[] = {"nodes", "strain", "stress"};

static TmlStatus add_nodes(TmlChannels *c, int item, const char *body, const TmlH5Array *a,
                           TmlError *err)
{
    char name[NAME_SIZE];
    if (a->rank != 4 || a->dim[3] != 3) {
        return tml_fail(err, TML_E_IO, "damaged: nodes of '%s' have an unexpected shape", body);
    }
    TmlChannel at = {.source = TML_CHANNEL_FLEXIBLE, .item = item};
    for (at.part[0] = 0; at.part[0] < (int)a->dim[1]; ++at.part[0]) {
        for (at.column = 0; at.column < 3; ++at.column) {
            snprintf(name, sizeof name, "%s.node%d.%c", body, at.part[0], "xyz"[at.column]);
            TML_TRY(tml_channels_add(c, at, name, "m", err));
        }
    }
    return TML_OK;
}

static TmlStatus add_flexible(TmlChannels *c, int item, TmlError *err)
{
    const hid_t group = tml_h5_link_open(c->file.file, "flexible", item);
    const char *body = NULL;
    TmlStatus status = group >= 0 ? tml_h5_attr_one(&c->file.arena, group, "name", &body, err)
                                  : tml_h5_fail(err, "damaged: cannot read group 'flexible'");
    if (status == TML_OK && body == NULL) {
        status = tml_fail(err, TML_E_IO, "damaged: a flexible body has no name");
    }
    for (int s = 0; s < 3 && status == TML_OK; ++s) {
        TmlH5Array a;
        if (tml_h5_array_open(group, flexible_sets[s], &a)) {
            status = s == 0 ? add_nodes(c, item, body, &a, err)
                            : add_values(c, item, s, body, flexible_sets[s], &a, err);
            tml_h5_array_close(&a);
        }
    }
    if (group >= 0) {
        H5Oclose(group);
    }
    return status;
}

/* arm.mode1, arm.mode1.rate: modes are counted from 1, as they are in messages. */
static TmlStatus add_modal(TmlChannels *c, int item, TmlError *err)
{
    const TmlResultModal *b = &c->modal[item];
    char name[NAME_SIZE];
    TmlChannel at = {.source = TML_CHANNEL_MODAL, .item = item};
    for (at.column = 0; at.column < b->m; ++at.column) {
        for (at.field = 0; at.field < TML_RESULT_MODAL_SETS; ++at.field) {
            snprintf(name, sizeof name, "%s.mode%d%s", b->name, at.column + 1,
                     at.field == TML_RESULT_RATES ? ".rate" : "");
            TML_TRY(tml_channels_add(c, at, name, "", err));
        }
    }
    return TML_OK;
}

static TmlStatus add_all(TmlChannels *c, TmlError *err)
{
    for (int kind = TML_RESULT_CHANNELS; kind <= TML_RESULT_JOINTS; ++kind) {
        for (int k = 0; k < c->file.set[kind].n_items; ++k) {
            TML_TRY(add_item(c, kind, k, err));
        }
    }
    const int flexible = tml_h5_links(c->file.file, "flexible");
    if (flexible < 0) {
        return tml_h5_fail(err, "damaged: cannot read group 'flexible'");
    }
    for (int k = 0; k < flexible; ++k) {
        TML_TRY(add_flexible(c, k, err));
    }
    TML_TRY(tml_result_modal(&c->file, &c->n_modal, &c->modal, err));
    for (int k = 0; k < c->n_modal; ++k) {
        TML_TRY(add_modal(c, k, err));
    }
    TML_TRY(add_certificate(c, err));
    return add_item(c, TML_RESULT_SOLVER, 0, err);
}

TmlStatus tml_channels_open_h5(TmlChannels *c, const char *path, TmlError *err)
{
    TML_TRY(tml_result_open(path, &c->file, err));
    const TmlResultFile *f = &c->file;
    TmlStatus status = add_all(c, err);
    c->title = tml_result_text(&c->file, "/", "title");
    status = tml_h5_reads_check(status, err);
    if (status != TML_OK) {
        return tml_fail_ctx(err, status, "'%s'", path);
    }
    if (f->state == TML_RESULT_RUNNING) {
        snprintf(c->note, sizeof c->note, "the run is not finished: rows up to now");
    } else if (f->state == TML_RESULT_KILLED) {
        snprintf(c->note, sizeof c->note, "the run was killed: rows up to then");
    } else if (strcmp(f->status, "done") != 0) {
        snprintf(c->note, sizeof c->note, "the run ended early: %.200s", f->status);
    }
    return TML_OK;
}

/* --- values -------------------------------------------------------------------------------- */

/* One number of each row of a dataset of a flexible body. */
static TmlStatus read_flexible(TmlChannels *c, const TmlChannel *ch, double *value, TmlError *err)
{
    const hid_t group = tml_h5_link_open(c->file.file, "flexible", ch->item);
    TmlH5Array a;
    if (group < 0 || !tml_h5_array_open(group, flexible_sets[ch->field], &a)) {
        if (group >= 0) {
            H5Oclose(group);
        }
        return tml_h5_fail(err, "cannot read a flexible body");
    }
    if ((int64_t)a.dim[0] < c->file.rows) {
        tml_h5_array_refresh(&a); // it was looked at before /time was
    }
    const hsize_t start[TML_H5_RANK_MAX] = {0, (hsize_t)ch->part[0], (hsize_t)ch->part[1],
                                            (hsize_t)ch->column};
    const hsize_t count[TML_H5_RANK_MAX] = {(hsize_t)c->file.rows, 1, 1, 1};
    const TmlStatus status = tml_h5_box_read(&a, H5T_NATIVE_DOUBLE, start, count, value, err);
    tml_h5_array_close(&a);
    H5Oclose(group);
    return status;
}

/* One column of a field, in blocks of rows. */
static TmlStatus read_column(TmlResultFile *f, const TmlChannel *ch, int64_t rows, double *value,
                             TmlError *err)
{
    const int width = f->set[ch->source].field[ch->field].width;
    const int64_t most = BLOCK / width + 1, block = rows < most ? rows + 1 : most;
    double *part = tml_mem_zalloc((size_t)(block * width), sizeof *part);
    TmlStatus status = part != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    for (int64_t first = 0; first < rows && status == TML_OK; first += block) {
        const int64_t n = rows - first < block ? rows - first : block;
        status =
            tml_result_read(f, (TmlResultKind)ch->source, ch->item, ch->field, first, n, part, err);
        for (int64_t k = 0; k < n && status == TML_OK; ++k) {
            value[first + k] = part[k * width + ch->column];
        }
    }
    tml_mem_free(part);
    return status;
}

static TmlStatus read_rows(TmlChannels *c, const TmlChannel *ch, double *time, double *value,
                           TmlError *err)
{
    TmlResultFile *f = &c->file;
    const bool solver = ch->source == TML_RESULT_SOLVER;
    const int64_t rows = solver ? f->set[TML_RESULT_SOLVER].rows : f->rows;
    if (time != NULL && solver) {
        const TmlChannel t = {.source = TML_RESULT_SOLVER,
                              .field = tml_result_field(&f->set[TML_RESULT_SOLVER], "t")};
        if (t.field < 0) {
            return tml_fail(err, TML_E_IO, "damaged: no dataset /solver/t");
        }
        TML_TRY(read_column(f, &t, rows, time, err));
    } else if (time != NULL) {
        memcpy(time, f->time, (size_t)rows * sizeof *time);
    }
    if (value == NULL) {
        return TML_OK;
    }
    if (ch->source == TML_CHANNEL_MODAL) {
        const hsize_t start[2] = {0, (hsize_t)ch->column}, count[2] = {(hsize_t)rows, 1};
        return tml_h5_box_read(&c->modal[ch->item].value[ch->field], H5T_NATIVE_DOUBLE, start,
                               count, value, err);
    }
    return ch->source == TML_CHANNEL_FLEXIBLE ? read_flexible(c, ch, value, err)
                                              : read_column(f, ch, rows, value, err);
}

TmlStatus tml_channels_read_h5(TmlChannels *c, const TmlChannel *ch, double *time, double *value,
                               TmlError *err)
{
    const TmlStatus status = tml_h5_reads_check(read_rows(c, ch, time, value, err), err);
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", c->file.path);
}
