/* io/vtk_read.c - what an export needs of a result file. */
#include "io/vtk_read.h"

#include <string.h>

static bool array_open(hid_t group, const char *name, TmlH5Array *a)
{
    *a = (TmlH5Array){0};
    if (H5Lexists(group, name, H5P_DEFAULT) <= 0) {
        return false;
    }
    a->id = H5Dopen2(group, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(a->id);
    a->rank = H5Sget_simple_extent_ndims(space);
    const bool fits = a->rank >= 1 && a->rank <= TML_H5_RANK_MAX;
    if (fits) {
        H5Sget_simple_extent_dims(space, a->dim, NULL);
    }
    H5Sclose(space);
    return fits;
}

static void array_close(TmlH5Array *a)
{
    if (a->id > 0) {
        H5Dclose(a->id);
    }
    a->id = 0;
}

static size_t row_size(const TmlH5Array *a)
{
    size_t n = 1;
    for (int k = 1; k < a->rank; ++k) {
        n *= (size_t)a->dim[k];
    }
    return n;
}

TmlStatus tml_vtk_row(const TmlH5Array *a, int k, double *out, TmlError *err)
{
    hsize_t start[TML_H5_RANK_MAX] = {(hsize_t)k}, count[TML_H5_RANK_MAX];
    memcpy(count, a->dim, sizeof count);
    count[0] = 1;
    const hid_t space = H5Dget_space(a->id), memory = H5Screate_simple(a->rank, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    const herr_t result = H5Dread(a->id, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out);
    H5Sclose(memory);
    H5Sclose(space);
    return result < 0 ? tml_h5_fail(err, "cannot read row %d", k) : TML_OK;
}

/* A fixed array whole. */
static TmlStatus read_all(hid_t group, const char *name, hid_t type, TmlH5Array *a, void *to,
                          TmlError *err)
{
    const herr_t result = H5Dread(a->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
    (void)group;
    array_close(a);
    return result < 0 ? tml_h5_fail(err, "cannot read '%s'", name) : TML_OK;
}

/* An attribute of texts of fixed length: n of them in cells of TML_NAME_MAX. */
static TmlStatus read_texts(TmlVtkFile *f, hid_t object, const char *name, int *n,
                            char (**out)[TML_NAME_MAX], TmlError *err)
{
    const hid_t attr = H5Aopen(object, name, H5P_DEFAULT);
    if (attr < 0) {
        return tml_h5_fail(err, "no attribute '%s'", name);
    }
    const hid_t space = H5Aget_space(attr), type = H5Tcopy(H5T_C_S1);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    H5Tset_size(type, TML_NAME_MAX);
    H5Tset_cset(type, H5T_CSET_UTF8);
    *n = (int)count;
    *out = tml_arena_alloc(&f->arena, (size_t)count + 1, sizeof **out);
    const herr_t result = *out != NULL ? H5Aread(attr, type, *out) : -1;
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attr);
    return result < 0 ? tml_h5_fail(err, "cannot read attribute '%s'", name) : TML_OK;
}

static TmlStatus number(hid_t object, const char *name, double *out, TmlError *err)
{
    const hid_t attr = H5Aopen(object, name, H5P_DEFAULT);
    const bool failed = attr < 0 || H5Aread(attr, H5T_NATIVE_DOUBLE, out) < 0;
    if (attr >= 0) {
        H5Aclose(attr);
    }
    return failed ? tml_h5_fail(err, "no attribute '%s'", name) : TML_OK;
}

static TmlStatus body_values(TmlVtkFile *f, hid_t group, TmlVtkBody *b, TmlError *err)
{
    static const char *const names[2] = {"strain", "stress"};
    for (int s = 0; s < 2; ++s) {
        int n = 0;
        if (array_open(group, names[s], &b->value[s])) {
            TML_TRY(read_texts(f, b->value[s].id, "columns", &n, &b->column[s], err));
            TML_NEW(&f->arena, b->row[s], row_size(&b->value[s]));
        }
    }
    return TML_OK;
}

static TmlStatus body_fill(TmlVtkFile *f, hid_t group, TmlVtkBody *b, TmlError *err)
{
    TmlH5Array elements, weights;
    char(*text)[TML_NAME_MAX];
    int n;
    double dim = 3.0;
    TML_TRY(read_texts(f, group, "name", &n, &text, err));
    b->name = text[0];
    TML_TRY(read_texts(f, group, "shape", &n, &text, err));
    b->patch = strcmp(text[0], "patch") == 0;
    TML_TRY(number(group, "dim", &dim, err));
    b->plane = dim < 3.0;
    if (!array_open(group, "nodes", &b->nodes) || b->nodes.rank != 4) {
        return tml_h5_fail(err, "flexible body '%s' has no nodes", b->name);
    }
    TML_NEW(&f->arena, b->x, row_size(&b->nodes));
    if (!array_open(group, "weights", &weights) || weights.rank != 3) {
        array_close(&weights);
        return tml_h5_fail(err, "flexible body '%s' has no weights", b->name);
    }
    b->elements = (int)weights.dim[0];
    b->points = (int)weights.dim[1];
    b->vectors = (int)weights.dim[2];
    const size_t points = (size_t)b->elements * (size_t)b->points;
    b->weight = tml_arena_alloc(&f->arena, points * (size_t)b->vectors, sizeof *b->weight);
    b->element_nodes = (int)((hsize_t)b->vectors / b->nodes.dim[2]);
    b->node =
        tml_arena_alloc(&f->arena, (size_t)b->elements * (size_t)b->element_nodes, sizeof *b->node);
    if (b->weight == NULL || b->node == NULL) {
        array_close(&weights);
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(read_all(group, "weights", H5T_NATIVE_DOUBLE, &weights, b->weight, err));
    if (!array_open(group, "elements", &elements)) {
        return tml_h5_fail(err, "flexible body '%s' has no elements", b->name);
    }
    TML_TRY(read_all(group, "elements", H5T_NATIVE_INT32, &elements, b->node, err));
    TML_NEW(&f->arena, b->r, 3 * points);
    TML_NEW(&f->arena, b->start, 3 * points);
    return body_values(f, group, b, err);
}

static int group_size(hid_t file, const char *name)
{
    H5G_info_t info = {0};
    const bool there = H5Lexists(file, name, H5P_DEFAULT) > 0 &&
                       H5Gget_info_by_name(file, name, &info, H5P_DEFAULT) >= 0;
    return there ? (int)info.nlinks : 0;
}

/* Entry k of a group in the order of creation; negative: cannot. */
static hid_t entry(hid_t file, const char *group, int k)
{
    return H5Oopen_by_idx(file, group, H5_INDEX_CRT_ORDER, H5_ITER_INC, (hsize_t)k, H5P_DEFAULT);
}

static TmlStatus read_flexible(TmlVtkFile *f, TmlError *err)
{
    const int n = group_size(f->file, "flexible");
    TML_NEW(&f->arena, f->flexible, n);
    for (int k = 0; k < n; ++k) {
        const hid_t group = entry(f->file, "flexible", k);
        if (group < 0) {
            return tml_h5_fail(err, "cannot read group 'flexible'");
        }
        const TmlStatus status = body_fill(f, group, &f->flexible[f->n_flexible++], err);
        H5Oclose(group);
        TML_TRY(status);
    }
    return TML_OK;
}

static TmlStatus read_rigid(TmlVtkFile *f, TmlError *err)
{
    const int n = group_size(f->file, "bodies");
    TML_NEW(&f->arena, f->rigid, n);
    for (int k = 0; k < n; ++k) {
        const hid_t group = entry(f->file, "bodies", k);
        TmlVtkRigid *b = &f->rigid[f->n_rigid++];
        char(*text)[TML_NAME_MAX] = NULL;
        int one;
        const bool ok = group >= 0 && array_open(group, "position", &b->position) &&
                        array_open(group, "orientation", &b->orientation) &&
                        read_texts(f, group, "name", &one, &text, err) == TML_OK;
        if (group >= 0) {
            H5Oclose(group);
        }
        if (!ok) {
            return tml_h5_fail(err, "cannot read body %d", k + 1);
        }
        b->name = text[0];
    }
    return TML_OK;
}

static TmlStatus read_contents(TmlVtkFile *f, TmlError *err)
{
    TmlH5Array time;
    if (!array_open(f->file, "time", &time)) {
        array_close(&time);
        return tml_fail(err, TML_E_IO, "no dataset /time: not a result file of Trammel");
    }
    f->rows = (int)time.dim[0];
    f->time = tml_arena_alloc(&f->arena, (size_t)f->rows + 1, sizeof *f->time);
    if (f->time == NULL) {
        array_close(&time);
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TML_TRY(read_all(f->file, "time", H5T_NATIVE_DOUBLE, &time, f->time, err));
    TML_TRY(read_flexible(f, err));
    return read_rigid(f, err);
}

TmlStatus tml_vtk_open(const char *path, TmlVtkFile *out, TmlError *err)
{
    *out = (TmlVtkFile){.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)};
    if (out->file < 0) {
        return tml_h5_fail(err, "cannot open; 'trammel repair' opens the file of a killed run");
    }
    return read_contents(out, err);
}

void tml_vtk_close(TmlVtkFile *f)
{
    for (int k = 0; k < f->n_flexible; ++k) {
        array_close(&f->flexible[k].nodes);
        array_close(&f->flexible[k].value[0]);
        array_close(&f->flexible[k].value[1]);
    }
    for (int k = 0; k < f->n_rigid; ++k) {
        array_close(&f->rigid[k].position);
        array_close(&f->rigid[k].orientation);
    }
    if (f->file >= 0) {
        H5Fclose(f->file);
    }
    tml_arena_free(&f->arena);
}

TmlStatus tml_vtk_body_row(TmlVtkBody *b, int k, TmlError *err)
{
    const int per_node = (int)b->nodes.dim[2];
    TML_TRY(tml_vtk_row(&b->nodes, k, b->x, err));
    for (int s = 0; s < 2; ++s) {
        if (b->value[s].id > 0) {
            TML_TRY(tml_vtk_row(&b->value[s], k, b->row[s], err));
        }
    }
    double *r = b->r;
    for (int p = 0; p < b->elements * b->points; ++p, r += 3) {
        const double *w = b->weight + (size_t)p * (size_t)b->vectors;
        const int32_t *node = b->node + (size_t)(p / b->points) * (size_t)b->element_nodes;
        r[0] = r[1] = r[2] = 0.0;
        for (int v = 0; v < b->vectors; ++v) {
            const double *x = b->x + 3 * (node[v / per_node] * per_node + v % per_node);
            for (int c = 0; c < 3; ++c) {
                r[c] += w[v] * x[c];
            }
        }
    }
    if (k == 0) {
        memcpy(b->start, b->r, 3 * (size_t)(b->elements * b->points) * sizeof *b->r);
    }
    return TML_OK;
}
