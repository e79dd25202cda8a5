/* io/report_read.c - a result file as a report reads it. */
#include "io/report_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS_MAX = 1 << 24 };

static TmlStatus no_memory(TmlError *err)
{
    return tml_fail(err, TML_E_NOMEM, "out of memory for the results");
}

/* --- datasets of rows ------------------------------------------------------------------------ */

TmlStatus tml_rows_add(TmlResults *r, const char *path, size_t n, int take, TmlRowSet *out,
                       TmlError *err)
{
    TmlRowPart p = {.id = -1};
    // no cache: rows are read once, in portions, and there may be thousands of datasets
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 1, 0, 1.0);
    p.id = H5Dopen2(r->file, path, access);
    H5Pclose(access);
    if (p.id < 0) {
        return tml_h5_fail(err, "cannot open '%s'", path);
    }
    const hid_t space = H5Dget_space(p.id);
    p.rank = H5Sget_simple_extent_ndims(space);
    if (p.rank >= 1 && p.rank <= TML_H5_RANK_MAX) {
        H5Sget_simple_extent_dims(space, p.dim, NULL);
    }
    H5Sclose(space);
    size_t width = 1;
    for (int k = 1; k < p.rank && k < TML_H5_RANK_MAX; ++k) {
        width *= (size_t)p.dim[k];
    }
    if (p.rank < 1 || p.rank > TML_H5_RANK_MAX || width != n || p.dim[0] < (hsize_t)r->rows) {
        H5Dclose(p.id);
        return tml_fail(err, TML_E_IO, "'%s' has no %lld rows of %zu values", path,
                        (long long)r->rows, n);
    }
    p.take = p.rank > 1 ? p.dim[p.rank - 1] : 1;
    if (take > 0 && (hsize_t)take < p.take) {
        width = width / (size_t)p.take * (size_t)take;
        p.take = (hsize_t)take;
    }
    p.at = out->width;
    p.n = width;
    if ((out->n & (out->n - 1)) == 0) { // room is doubled whenever n is a power of two
        TmlRowPart *part =
            tml_arena_alloc(&r->arena, out->n > 0 ? 2 * (size_t)out->n : 1, sizeof *part);
        if (part == NULL) {
            H5Dclose(p.id);
            return no_memory(err);
        }
        if (out->n > 0) {
            memcpy(part, out->part, (size_t)out->n * sizeof *part);
        }
        out->part = part;
    }
    out->part[out->n++] = p;
    out->width += p.n;
    return TML_OK;
}

static TmlStatus rows_items(TmlResults *r, const char *group, bool packed, int items,
                            const char *const *link, const char *field, int n, TmlRowSet *out,
                            TmlError *err)
{
    char path[2 * TML_H5_NAME_MAX];
    const int stored = strcmp(field, "reaction") == 0 ? 12 : n;
    if (items == 0) {
        return TML_OK;
    }
    if (packed) {
        snprintf(path, sizeof path, "%s_packed/%s", group, field);
        return tml_rows_add(r, path, (size_t)items * (size_t)stored, n, out, err);
    }
    for (int k = 0; k < items; ++k) {
        snprintf(path, sizeof path, "%s/%s/%s", group, link[k], field);
        TML_TRY(tml_rows_add(r, path, (size_t)stored, n, out, err));
    }
    return TML_OK;
}

TmlStatus tml_rows_bodies(TmlResults *r, const char *field, int n, TmlRowSet *out, TmlError *err)
{
    return rows_items(r, "bodies", r->bodies_packed, r->n_bodies, r->body_link, field, n, out, err);
}

TmlStatus tml_rows_joints(TmlResults *r, const char *field, int n, TmlRowSet *out, TmlError *err)
{
    return rows_items(r, "joints", r->joints_packed, r->n_joints, r->joint_link, field, n, out,
                      err);
}

void tml_rows_close(TmlRowSet *s)
{
    for (int k = 0; k < s->n; ++k) {
        H5Dclose(s->part[k].id);
    }
    *s = (TmlRowSet){0};
}

static TmlStatus part_read(const TmlRowPart *p, size_t width, hsize_t first, hsize_t n, double *out,
                           TmlError *err)
{
    hsize_t start[TML_H5_RANK_MAX] = {first}, count[TML_H5_RANK_MAX];
    memcpy(count, p->dim, sizeof count);
    count[0] = n;
    if (p->rank > 1) {
        count[p->rank - 1] = p->take;
    }
    const hsize_t m_dim[2] = {n, width}, m_start[2] = {0, p->at}, m_count[2] = {n, p->n};
    const hid_t space = H5Dget_space(p->id), memory = H5Screate_simple(2, m_dim, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Sselect_hyperslab(memory, H5S_SELECT_SET, m_start, NULL, m_count, NULL);
    const herr_t result = H5Dread(p->id, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out);
    H5Sclose(memory);
    H5Sclose(space);
    return result < 0 ? tml_h5_fail(err, "cannot read rows from %llu on", (unsigned long long)first)
                      : TML_OK;
}

TmlStatus tml_rows_read(const TmlRowSet *s, int64_t first, int n, double *out, TmlError *err)
{
    for (int k = 0; k < s->n && n > 0; ++k) {
        TML_TRY(part_read(&s->part[k], s->width, (hsize_t)first, (hsize_t)n, out, err));
    }
    return TML_OK;
}

/* --- attributes ------------------------------------------------------------------------------ */

/* Texts of fixed length from an attribute or a dataset, each with a zero behind it. */
static TmlStatus texts_read(TmlResults *r, hid_t type, hid_t space, hid_t attr, hid_t set, int *n,
                            const char ***out, TmlError *err)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || count < 0 ||
        count > ITEMS_MAX) {
        return tml_fail(err, TML_E_IO, "a list of texts is no such list");
    }
    const size_t size = H5Tget_size(type);
    char *cells;
    const char **list;
    TML_NEW(&r->arena, cells, size * (size_t)count + 1);
    TML_NEW(&r->arena, list, count + 1);
    const herr_t result = attr >= 0 ? H5Aread(attr, type, cells)
                                    : H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    if (count > 0 && result < 0) {
        return tml_h5_fail(err, "cannot read a list of texts");
    }
    for (hssize_t k = 0; k < count; ++k) {
        list[k] = tml_arena_strndup(&r->arena, cells + (size_t)k * size,
                                    strnlen(cells + (size_t)k * size, size));
        if (list[k] == NULL) {
            return no_memory(err);
        }
    }
    *n = (int)count;
    *out = list;
    return TML_OK;
}

TmlStatus tml_results_texts(TmlResults *r, hid_t object, const char *name, int *n,
                            const char ***out, TmlError *err)
{
    *n = 0;
    if (H5Aexists(object, name) <= 0) {
        return TML_OK;
    }
    const hid_t attr = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attr), space = H5Aget_space(attr);
    const TmlStatus status = texts_read(r, type, space, attr, -1, n, out, err);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attr);
    return status;
}

static TmlStatus text_of(TmlResults *r, hid_t object, const char *name, const char **out,
                         TmlError *err)
{
    const char **list = NULL;
    int n = 0;
    TML_TRY(tml_results_texts(r, object, name, &n, &list, err));
    *out = n > 0 ? list[0] : "";
    return TML_OK;
}

TmlStatus tml_results_text(TmlResults *r, const char *name, const char **out, TmlError *err)
{
    return text_of(r, r->file, name, out, err);
}

double tml_results_number(const TmlResults *r, const char *name)
{
    double value = (double)NAN;
    if (H5Aexists(r->file, name) > 0) {
        const hid_t attr = H5Aopen(r->file, name, H5P_DEFAULT);
        const hid_t space = H5Aget_space(attr);
        if (H5Sget_simple_extent_npoints(space) != 1 ||
            H5Aread(attr, H5T_NATIVE_DOUBLE, &value) < 0) {
            value = (double)NAN;
        }
        H5Sclose(space);
        H5Aclose(attr);
    }
    return value;
}

/* --- names ----------------------------------------------------------------------------------- */

/* Entries of a group in their order: links, names and, if wanted, units. */
static TmlStatus group_names(TmlResults *r, const char *group, int *n, const char ***link,
                             const char ***name, const char ***unit, TmlError *err)
{
    H5G_info_t info = {0};
    *n = 0;
    if (H5Lexists(r->file, group, H5P_DEFAULT) <= 0) {
        return TML_OK;
    }
    if (H5Gget_info_by_name(r->file, group, &info, H5P_DEFAULT) < 0 || info.nlinks > ITEMS_MAX) {
        return tml_h5_fail(err, "cannot read group '%s'", group);
    }
    TML_NEW(&r->arena, *link, info.nlinks + 1);
    TML_NEW(&r->arena, *name, info.nlinks + 1);
    if (unit != NULL) {
        TML_NEW(&r->arena, *unit, info.nlinks + 1);
    }
    for (hsize_t k = 0; k < info.nlinks; ++k) {
        char text[TML_H5_NAME_MAX];
        const ssize_t length = H5Lget_name_by_idx(r->file, group, H5_INDEX_CRT_ORDER, H5_ITER_INC,
                                                  k, text, sizeof text, H5P_DEFAULT);
        const hid_t own =
            H5Oopen_by_idx(r->file, group, H5_INDEX_CRT_ORDER, H5_ITER_INC, k, H5P_DEFAULT);
        if (length < 0 || length >= (ssize_t)sizeof text || own < 0) {
            return tml_h5_fail(err, "cannot read group '%s'", group);
        }
        (*link)[k] = tml_arena_strdup(&r->arena, text);
        TmlStatus status = (*link)[k] == NULL ? no_memory(err) : TML_OK;
        status = status == TML_OK ? text_of(r, own, "name", &(*name)[k], err) : status;
        if (status == TML_OK && unit != NULL) {
            status = text_of(r, own, "unit", &(*unit)[k], err);
        }
        H5Oclose(own);
        TML_TRY(status);
    }
    *n = (int)info.nlinks;
    return TML_OK;
}

static TmlStatus packed_names(TmlResults *r, const char *group, int *n, bool *packed,
                              const char ***name, TmlError *err)
{
    char path[TML_NAME_MAX];
    snprintf(path, sizeof path, "%s_packed", group);
    if (H5Lexists(r->file, path, H5P_DEFAULT) <= 0) {
        return TML_OK;
    }
    snprintf(path, sizeof path, "%s_packed/names", group);
    const hid_t set = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (set < 0) {
        return tml_h5_fail(err, "cannot open '%s'", path);
    }
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const TmlStatus status = texts_read(r, type, space, -1, set, n, name, err);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    *packed = true;
    return status;
}

static TmlStatus read_names(TmlResults *r, TmlError *err)
{
    TML_TRY(group_names(r, "bodies", &r->n_bodies, &r->body_link, &r->body, NULL, err));
    TML_TRY(group_names(r, "joints", &r->n_joints, &r->joint_link, &r->joint, NULL, err));
    TML_TRY(
        group_names(r, "channels", &r->n_channels, &r->channel_link, &r->channel, &r->unit, err));
    TML_TRY(packed_names(r, "bodies", &r->n_bodies, &r->bodies_packed, &r->body, err));
    TML_TRY(packed_names(r, "joints", &r->n_joints, &r->joints_packed, &r->joint, err));
    return packed_names(r, "channels", &r->n_channels, &r->channels_packed, &r->channel, err);
}

/* --- flexible bodies -------------------------------------------------------------------------- */

static TmlStatus fixed_array(TmlResults *r, hid_t group, const char *name, hid_t type, int rank,
                             hsize_t *dim, void **out, TmlError *err)
{
    const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) {
        return tml_h5_fail(err, "cannot open '%s'", name);
    }
    const hid_t space = H5Dget_space(set);
    TmlStatus status = TML_OK;
    size_t n = 1;
    if (H5Sget_simple_extent_ndims(space) != rank) {
        status = tml_fail(err, TML_E_IO, "'%s' has not %d axes", name, rank);
    } else {
        H5Sget_simple_extent_dims(space, dim, NULL);
        for (int k = 0; k < rank; ++k) {
            n *= (size_t)dim[k];
        }
        *out = n < ((size_t)1 << 32) ? tml_arena_alloc(&r->arena, n, H5Tget_size(type)) : NULL;
        status = *out == NULL ? no_memory(err) : TML_OK;
    }
    if (status == TML_OK && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0) {
        status = tml_h5_fail(err, "cannot read '%s'", name);
    }
    H5Sclose(space);
    H5Dclose(set);
    return status;
}

/* Names and units of the columns of strain or stress. */
static TmlStatus flexible_columns(TmlResults *r, hid_t group, TmlReportFlexible *f, TmlError *err)
{
    static const char *const sets[2] = {"strain", "stress"};
    for (int s = 0; s < 2; ++s) {
        if (H5Lexists(group, sets[s], H5P_DEFAULT) <= 0) {
            continue;
        }
        const hid_t set = H5Dopen2(group, sets[s], H5P_DEFAULT);
        int n = 0;
        TmlStatus status = set < 0 ? tml_h5_fail(err, "cannot open '%s'", sets[s]) : TML_OK;
        if (status == TML_OK) {
            status = tml_results_texts(r, set, "columns", &f->columns[s], &f->column[s], err);
        }
        if (status == TML_OK) {
            status = tml_results_texts(r, set, "units", &n, &f->unit[s], err);
        }
        if (status == TML_OK && n != f->columns[s]) {
            status = tml_fail(err, TML_E_IO, "'%s' has %d columns and %d units", sets[s],
                              f->columns[s], n);
        }
        if (set >= 0) {
            H5Dclose(set);
        }
        TML_TRY(status);
    }
    return TML_OK;
}

static TmlStatus flexible_fill(TmlResults *r, hid_t group, TmlReportFlexible *f, TmlError *err)
{
    hsize_t d_node[2], d_point[2], d_weight[3], d_nodes[4] = {0};
    const char *shape;
    const hid_t nodes = H5Dopen2(group, "nodes", H5P_DEFAULT);
    if (nodes < 0) {
        return tml_h5_fail(err, "cannot open 'nodes'");
    }
    const hid_t space = H5Dget_space(nodes);
    const bool fits = H5Sget_simple_extent_ndims(space) == 4;
    if (fits) {
        H5Sget_simple_extent_dims(space, d_nodes, NULL);
    }
    H5Sclose(space);
    H5Dclose(nodes);
    TML_TRY(text_of(r, group, "shape", &shape, err));
    TML_TRY(
        fixed_array(r, group, "elements", H5T_NATIVE_INT32, 2, d_node, (void **)&f->element, err));
    TML_TRY(
        fixed_array(r, group, "points", H5T_NATIVE_DOUBLE, 2, d_point, (void **)&f->point, err));
    TML_TRY(
        fixed_array(r, group, "weights", H5T_NATIVE_DOUBLE, 3, d_weight, (void **)&f->weight, err));
    if (!fits || d_nodes[3] != 3 || d_point[1] != 3 || d_weight[0] != d_node[0] ||
        d_weight[1] != d_point[0] || d_weight[2] != d_node[1] * d_nodes[2]) {
        return tml_fail(err, TML_E_IO, "its arrays do not fit each other");
    }
    f->patch = strcmp(shape, "patch") == 0;
    f->nodes = (int)d_nodes[1];
    f->vectors = (int)d_nodes[2];
    f->elements = (int)d_node[0];
    f->element_nodes = (int)d_node[1];
    f->points = (int)d_point[0];
    f->fibres = f->patch ? 9 : f->points / 3;
    for (int k = 0; k < f->elements * f->element_nodes; ++k) {
        if (f->element[k] < 0 || f->element[k] >= f->nodes) {
            return tml_fail(err, TML_E_IO, "an element has node %d of %d", (int)f->element[k],
                            f->nodes);
        }
    }
    return flexible_columns(r, group, f, err);
}

static TmlStatus read_flexible(TmlResults *r, TmlError *err)
{
    const char **link, **name;
    TML_TRY(group_names(r, "flexible", &r->n_flexible, &link, &name, NULL, err));
    TML_NEW(&r->arena, r->flexible, r->n_flexible);
    for (int k = 0; k < r->n_flexible; ++k) {
        TmlReportFlexible *f = &r->flexible[k];
        f->name = name[k];
        f->group = tml_arena_printf(&r->arena, "flexible/%s", link[k]);
        const hid_t group = f->group != NULL ? H5Gopen2(r->file, f->group, H5P_DEFAULT) : (hid_t)-1;
        if (group < 0) {
            return tml_h5_fail(err, "cannot open flexible body '%s'", name[k]);
        }
        const TmlStatus status = flexible_fill(r, group, f, err);
        H5Gclose(group);
        if (status != TML_OK) {
            return tml_fail_ctx(err, status, "flexible body '%s'", name[k]);
        }
    }
    return TML_OK;
}

/* --- the file --------------------------------------------------------------------------------- */

static TmlStatus file_open(const char *path, hid_t *file, TmlError *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return tml_fail(err, TML_E_IO, "cannot open: %s", strerror(errno));
    }
    close(fd);
    if (H5Fis_hdf5(path) <= 0) {
        return tml_fail(err, TML_E_IO, "not an HDF5 file");
    }
    // the plain way refuses files that are being written or were left so; those open as SWMR
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, true, true);
    *file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (*file < 0) {
        *file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    }
    const TmlStatus status = *file < 0 ? tml_h5_fail(err, "cannot open") : TML_OK;
    H5Pclose(access);
    return status;
}

static TmlStatus time_rows(TmlResults *r, TmlError *err)
{
    const hid_t set = H5Lexists(r->file, "time", H5P_DEFAULT) > 0
                          ? H5Dopen2(r->file, "time", H5P_DEFAULT)
                          : (hid_t)-1;
    if (set < 0) {
        return tml_fail(err, TML_E_IO, "no dataset /time: not a result file of Trammel");
    }
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    hsize_t dim[TML_H5_RANK_MAX] = {0};
    const bool fits = H5Sget_simple_extent_ndims(space) == 1 && H5Tget_class(type) == H5T_FLOAT;
    if (fits) {
        H5Sget_simple_extent_dims(space, dim, NULL);
    }
    r->rows = (int64_t)dim[0];
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    return fits ? TML_OK
                : tml_fail(err, TML_E_IO, "/time is no list: not a result file of Trammel");
}

/* A text dataset that files of older versions do not have. */
static TmlStatus optional_cell(const TmlResults *r, const char *name, char **out, TmlError *err)
{
    return H5Lexists(r->file, name, H5P_DEFAULT) > 0 ? tml_h5_cell_read(r->file, name, out, err)
                                                     : TML_OK;
}

static TmlStatus contents(TmlResults *r, TmlError *err)
{
    TML_TRY(time_rows(r, err));
    if (H5Lexists(r->file, "status", H5P_DEFAULT) <= 0) {
        return tml_fail(err, TML_E_IO, "no dataset /status: not a result file of Trammel");
    }
    TML_TRY(tml_h5_cell_read(r->file, "status", &r->status, err));
    TML_TRY(optional_cell(r, "statistics", &r->statistics, err));
    TML_TRY(optional_cell(r, "scene", &r->scene, err));
    TML_TRY(read_names(r, err));
    return read_flexible(r, err);
}

TmlStatus tml_results_open(const char *path, TmlResults *out, TmlError *err)
{
    *out = (TmlResults){.file = -1};
    TmlStatus status = file_open(path, &out->file, err);
    if (status == TML_OK) {
        status = contents(out, err);
    }
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", path);
}

void tml_results_close(TmlResults *r)
{
    tml_mem_free(r->status);
    tml_mem_free(r->statistics);
    tml_mem_free(r->scene);
    if (r->file >= 0) {
        H5Fclose(r->file);
    }
    tml_arena_free(&r->arena);
    r->file = -1;
}
