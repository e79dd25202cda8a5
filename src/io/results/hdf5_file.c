/* io/results/hdf5_file.c - the few HDF5 calls that result files need, with our errors. */
#include "io/results/hdf5_file.h"

#include "base/arena.h"
#include "io/results/hdf5_driver.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, CHUNK_ROWS_MAX = 1024 };

TmlH5Quiet tml_h5_quiet_begin(void)
{
    TmlH5Quiet quiet = {.begun = true};
    H5Eget_auto2(H5E_DEFAULT, &quiet.report, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void tml_h5_quiet_end(const TmlH5Quiet *quiet)
{
    if (quiet->begun) {
        H5Eset_auto2(H5E_DEFAULT, quiet->report, quiet->data);
    }
}

typedef struct Reason {
    char text[256];
    int number; // of the system; 0: none
} Reason;

/* Keeps the innermost entry of the error stack, or the one of a system error by its own text. */
static herr_t innermost(unsigned n, const H5E_error2_t *entry, void *user)
{
    static const char mark[] = "errno = ";
    Reason *reason = user;
    const char *number = entry->desc != NULL ? strstr(entry->desc, mark) : NULL;
    if (entry->desc != NULL && (n == 0 || number != NULL)) {
        reason->number = number != NULL ? (int)strtol(number + strlen(mark), NULL, 10) : 0;
        snprintf(reason->text, sizeof reason->text, "%s",
                 number != NULL ? strerror(reason->number) : entry->desc);
    }
    return 0;
}

TmlStatus tml_h5_fail(TmlError *err, const char *fmt, ...)
{
    char what[512];
    Reason reason = {.text = "unknown reason"};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &reason);
    if (reason.number == 0 && tml_h5_read_error() != 0) { // the stack may have been cleared since
        snprintf(reason.text, sizeof reason.text, "%s", strerror(tml_h5_read_error()));
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    return tml_fail(err, reason.number == ENOMEM ? TML_E_NOMEM : TML_E_IO, "%s: %s", what,
                    reason.text);
}

char *tml_h5_safe_name(const char *name, char out[TML_H5_NAME_MAX])
{
    char *to = out;
    const bool dots = name[strspn(name, ".")] == '\0';
    for (const char *c = name; *c != '\0' && to < out + TML_H5_NAME_MAX - 4; ++c) {
        const unsigned byte = (unsigned char)*c;
        if (*c == '/' || *c == '%' || byte < 0x20 || byte == 0x7f || (dots && c == name)) {
            to += snprintf(to, 4, "%%%02X", byte);
        } else {
            *to++ = *c;
        }
    }
    *to = '\0';
    return out;
}

static hid_t text_type(size_t length)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
}

static TmlStatus attr_write(hid_t object, const char *name, hid_t type, hid_t space,
                            const void *value, TmlError *err)
{
    const hid_t attr = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool failed = attr < 0 || H5Awrite(attr, type, value) < 0;
    const TmlStatus status =
        failed ? tml_h5_fail(err, "cannot write attribute '%s'", name) : TML_OK;
    if (attr >= 0) {
        H5Aclose(attr);
    }
    H5Sclose(space);
    return status;
}

TmlStatus tml_h5_attr_text(hid_t object, const char *name, const char *text, TmlError *err)
{
    const hid_t type = text_type(strlen(text));
    const TmlStatus status = attr_write(object, name, type, H5Screate(H5S_SCALAR), text, err);
    H5Tclose(type);
    return status;
}

TmlStatus tml_h5_attr_number(hid_t object, const char *name, double value, TmlError *err)
{
    return attr_write(object, name, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &value, err);
}

/* n texts side by side in cells of *length bytes; the caller frees it. NULL: out of memory. */
static char *texts_pack(int n, const char *const *texts, size_t *length)
{
    *length = 1;
    for (int k = 0; k < n; ++k) {
        const size_t size = strlen(texts[k]);
        *length = size > *length ? size : *length;
    }
    char *cells = tml_mem_zalloc((size_t)n + 1, *length);
    for (int k = 0; cells != NULL && k < n; ++k) {
        memcpy(cells + (size_t)k * *length, texts[k], strlen(texts[k]));
    }
    return cells;
}

TmlStatus tml_h5_attr_texts(hid_t object, const char *name, int n, const char *const *texts,
                            TmlError *err)
{
    size_t length = 0;
    char *cells = texts_pack(n, texts, &length);
    if (cells == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for attribute '%s'", name);
    }
    const hsize_t dim = (hsize_t)n;
    const hid_t type = text_type(length);
    const TmlStatus status =
        attr_write(object, name, type, H5Screate_simple(1, &dim, NULL), cells, err);
    H5Tclose(type);
    tml_mem_free(cells);
    return status;
}

TmlStatus tml_h5_group(hid_t parent, const char *name, hid_t *out, TmlError *err)
{
    const hid_t plist = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(plist, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(plist, false); // equal runs give equal files
    *out = H5Gcreate2(parent, name, H5P_DEFAULT, plist, H5P_DEFAULT);
    const TmlStatus status = *out < 0 ? tml_h5_fail(err, "cannot create group '%s'", name) : TML_OK;
    H5Pclose(plist);
    return status;
}

TmlStatus tml_h5_texts(hid_t parent, const char *name, int n, const char *const *texts,
                       TmlError *err)
{
    size_t length = 0;
    char *cells = texts_pack(n, texts, &length);
    if (cells == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", name);
    }
    const hsize_t dim = (hsize_t)n;
    const hid_t type = text_type(length), space = H5Screate_simple(1, &dim, NULL);
    const hid_t set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool failed = set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) < 0;
    const TmlStatus status = failed ? tml_h5_fail(err, "cannot write '%s'", name) : TML_OK;
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Sclose(space);
    H5Tclose(type);
    tml_mem_free(cells);
    return status;
}

TmlStatus tml_h5_array(hid_t parent, const char *name, hid_t type, int rank, const hsize_t *dim,
                       const void *values, TmlError *err)
{
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(create, false);
    const hid_t space = H5Screate_simple(rank, dim, NULL);
    const hid_t set = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    const bool failed = set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    const TmlStatus status = failed ? tml_h5_fail(err, "cannot write '%s'", name) : TML_OK;
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Sclose(space);
    H5Pclose(create);
    return status;
}

/* Rows of a chunk: the whole of a short run, else a power of two of about CHUNK_BYTES. */
static hsize_t chunk_rows_for(hsize_t row_bytes, hsize_t rows)
{
    hsize_t n = 1;
    while (2 * n <= CHUNK_ROWS_MAX && 2 * n * row_bytes <= CHUNK_BYTES) {
        n *= 2;
    }
    return rows > 0 && rows < n ? rows : n;
}

TmlStatus tml_h5_column_create(hid_t parent, const char *name, hsize_t chunk_rows,
                               TmlH5Column *column, TmlError *err)
{
    hsize_t limit[TML_H5_RANK_MAX] = {H5S_UNLIMITED}, chunk[TML_H5_RANK_MAX] = {0};
    hsize_t row_bytes = H5Tget_size(column->memory);
    for (int k = 1; k < column->rank; ++k) {
        limit[k] = chunk[k] = column->dim[k];
        row_bytes *= column->dim[k];
    }
    column->dim[0] = 0;
    chunk[0] = column->chunk = chunk_rows_for(row_bytes, chunk_rows);
    column->row_bytes = (size_t)row_bytes;

    // a cache of two chunks is enough: rows only come at the end
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk(create, column->rank, chunk);
    H5Pset_obj_track_times(create, false);
    H5Pset_chunk_cache(access, 11, (size_t)(2 * chunk[0] * row_bytes), 1.0);
    const hid_t space = H5Screate_simple(column->rank, column->dim, limit);
    column->id = H5Dcreate2(parent, name, column->memory, space, H5P_DEFAULT, create, access);
    const TmlStatus status = column->id < 0 ? tml_h5_fail(err, "cannot create '%s'", name) : TML_OK;
    H5Sclose(space);
    H5Pclose(access);
    H5Pclose(create);
    return status;
}

/* Writes rows that begin or end inside of a chunk, which HDF5 keeps in memory. */
static TmlStatus write_part(const TmlH5Column *column, hsize_t first, hsize_t n, const void *values,
                            TmlError *err)
{
    hsize_t start[TML_H5_RANK_MAX] = {first}, count[TML_H5_RANK_MAX] = {n};
    for (int k = 1; k < column->rank; ++k) {
        count[k] = column->dim[k];
    }
    const hid_t file = H5Dget_space(column->id);
    const hid_t memory = H5Screate_simple(column->rank, count, NULL);
    H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL);
    const herr_t result = H5Dwrite(column->id, column->memory, memory, file, H5P_DEFAULT, values);
    const TmlStatus status = result < 0 ? tml_h5_fail(err, "cannot write rows") : TML_OK;
    H5Sclose(memory);
    H5Sclose(file);
    return status;
}

TmlStatus tml_h5_column_write(TmlH5Column *column, hsize_t first, hsize_t n, const void *values,
                              TmlError *err)
{
    const char *from = values;
    const hsize_t end = first + n;
    column->dim[0] = end;
    if (H5Dset_extent(column->id, column->dim) < 0) {
        return tml_h5_fail(err, "cannot add rows");
    }
    while (first < end) { // whole chunks need no copy of HDF5's
        const hsize_t start[TML_H5_RANK_MAX] = {first},
                      room = column->chunk - first % column->chunk;
        const hsize_t rows = room < end - first ? room : end - first;
        const size_t bytes = (size_t)rows * column->row_bytes;
        if (rows < column->chunk) {
            TML_TRY(write_part(column, first, rows, from, err));
        } else if (H5Dwrite_chunk(column->id, H5P_DEFAULT, 0, start, bytes, from) < 0) {
            return tml_h5_fail(err, "cannot write rows");
        }
        first += rows;
        from += bytes;
    }
    return TML_OK;
}

TmlStatus tml_h5_cell_create(hid_t file, const char *name, size_t size, const char *text,
                             TmlError *err)
{
    // space is taken at once, so that later only bytes in place change
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
    H5Pset_obj_track_times(create, false);
    const hid_t type = text_type(size), space = H5Screate(H5S_SCALAR);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    const TmlStatus status = set < 0 ? tml_h5_fail(err, "cannot create '%s'", name) : TML_OK;
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(create);
    return status == TML_OK ? tml_h5_cell_write(file, name, text, err) : status;
}

/* Bytes of a dataset of one text; 0: there is none. Several would be read behind the end. */
static size_t cell_size(hid_t set)
{
    const hid_t type = set >= 0 ? H5Dget_type(set) : -1;
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    const bool text = type >= 0 && H5Tget_class(type) == H5T_STRING &&
                      H5Tis_variable_str(type) == 0 && H5Sget_simple_extent_npoints(space) == 1;
    const size_t size = text ? H5Tget_size(type) : 0;
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    return size;
}

TmlStatus tml_h5_cell_write(hid_t file, const char *name, const char *text, TmlError *err)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const size_t size = cell_size(set), length = strlen(text);
    char *cell = tml_mem_zalloc(size + 1, 1);
    TmlStatus status = TML_OK;
    if (cell == NULL) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", name);
    } else {
        memcpy(cell, text, length < size ? length : size);
        const hid_t type = text_type(size);
        if (size == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cell) < 0) {
            status = tml_h5_fail(err, "cannot write '%s'", name);
        }
        H5Tclose(type);
    }
    tml_mem_free(cell);
    if (set >= 0) {
        H5Dclose(set);
    }
    return status;
}

TmlStatus tml_h5_cell_read(hid_t file, const char *name, char **out, TmlError *err)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const size_t size = cell_size(set);
    TmlStatus status = TML_OK;
    *out = tml_mem_zalloc(size + 1, 1);
    if (*out == NULL) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", name);
    } else {
        const hid_t type = text_type(size);
        if (size == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0) {
            status = tml_h5_fail(err, "cannot read '%s'", name);
            tml_mem_free(*out);
            *out = NULL;
        }
        H5Tclose(type);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return status;
}
