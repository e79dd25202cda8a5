/* io/read/hdf5_read.c - the few HDF5 calls that reading a result file needs, with our errors. */
#include "io/read/hdf5_read.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { LINKS_MAX = 1 << 24, TEXTS_MAX = 256 << 20 }; // more are damage; of texts, bytes
enum { CHUNKS_MAX = 4096 };                          // that are met in one call

/* --- arrays and links ---------------------------------------------------------------------- */

/* A size that no int holds is damage; the product of all is kept far from overflow. */
static bool array_size(TmlH5Array *a)
{
    const hid_t space = H5Dget_space(a->id);
    hsize_t left = (hsize_t)1 << 48;
    a->rank = H5Sget_simple_extent_ndims(space);
    bool fits = a->rank >= 1 && a->rank <= TML_H5_RANK_MAX &&
                H5Sget_simple_extent_dims(space, a->dim, NULL) == a->rank;
    for (int k = 0; k < a->rank && fits; ++k) {
        fits = a->dim[k] <= INT_MAX && a->dim[k] <= left;
        left /= a->dim[k] > 0 ? a->dim[k] : 1;
    }
    H5Sclose(space);
    return fits;
}

void tml_h5_array_refresh(TmlH5Array *a)
{
    const TmlH5Array old = *a;
    H5Drefresh(a->id);
    if (!array_size(a)) {
        *a = old;
    }
}

bool tml_h5_array_open(hid_t parent, const char *name, TmlH5Array *a)
{
    *a = (TmlH5Array){0};
    if (H5Lexists(parent, name, H5P_DEFAULT) <= 0) {
        return false;
    }
    a->id = H5Dopen2(parent, name, H5P_DEFAULT);
    if (a->id < 0 || !array_size(a)) {
        tml_h5_array_close(a);
        return false;
    }
    return true;
}

void tml_h5_array_close(TmlH5Array *a)
{
    if (a->id > 0) {
        H5Dclose(a->id);
    }
    a->id = 0;
}

size_t tml_h5_array_row(const TmlH5Array *a)
{
    size_t n = 1;
    for (int k = 1; k < a->rank; ++k) {
        n *= (size_t)a->dim[k];
    }
    return n;
}

/* Rows that one call may read: HDF5 keeps some kB for each chunk that it meets. 0: a row of the box
 * alone meets too many, which is damage. */
static hsize_t rows_at_once(const TmlH5Array *a, const hsize_t *count)
{
    hsize_t chunk[TML_H5_RANK_MAX], across = 1;
    const hid_t how = H5Dget_create_plist(a->id);
    const bool chunked =
        H5Pget_layout(how) == H5D_CHUNKED && H5Pget_chunk(how, TML_H5_RANK_MAX, chunk) == a->rank;
    H5Pclose(how);
    if (!chunked) {
        return count[0];
    }
    for (int k = 1; k < a->rank && across <= CHUNKS_MAX; ++k) {
        across *= count[k] / chunk[k] + 1;
    }
    return across <= CHUNKS_MAX ? chunk[0] * (CHUNKS_MAX / across) : 0;
}

static bool box_part(const TmlH5Array *a, hid_t type, const hsize_t *start, const hsize_t *count,
                     void *out)
{
    const hid_t space = H5Dget_space(a->id), memory = H5Screate_simple(a->rank, count, NULL);
    const bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                      H5Dread(a->id, type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return done;
}

/* A box of a dataset; start and count have a number per dimension. */
TmlStatus tml_h5_box_read(const TmlH5Array *a, hid_t type, const hsize_t *start,
                          const hsize_t *count, void *out, TmlError *err)
{
    const hsize_t portion = rows_at_once(a, count);
    hsize_t from[TML_H5_RANK_MAX], n[TML_H5_RANK_MAX];
    size_t row = H5Tget_size(type);
    if (portion == 0 && count[0] > 0) {
        return tml_fail(err, TML_E_IO, "damaged: a row of more than %d pieces", CHUNKS_MAX);
    }
    for (int k = 0; k < a->rank; ++k) {
        from[k] = start[k];
        n[k] = count[k];
        row *= k > 0 ? (size_t)count[k] : 1;
    }
    for (hsize_t done = 0; done < count[0]; done += n[0]) {
        from[0] = start[0] + done;
        n[0] = count[0] - done < portion ? count[0] - done : portion;
        if (!box_part(a, type, from, n, (char *)out + (size_t)done * row)) {
            return tml_h5_fail(err, "cannot read rows from %llu on", (unsigned long long)from[0]);
        }
    }
    return TML_OK;
}

TmlStatus tml_h5_array_read(const TmlH5Array *a, hid_t memory, int64_t first, int64_t n, void *out,
                            TmlError *err)
{
    hsize_t start[TML_H5_RANK_MAX] = {(hsize_t)first}, count[TML_H5_RANK_MAX];
    if (n <= 0) {
        return TML_OK;
    }
    memcpy(count, a->dim, sizeof count);
    count[0] = (hsize_t)n;
    return tml_h5_box_read(a, memory, start, count, out, err);
}

int tml_h5_links(hid_t parent, const char *group)
{
    H5G_info_t info = {0};
    const htri_t there = H5Lexists(parent, group, H5P_DEFAULT);
    if (there < 0 || (there > 0 && (H5Gget_info_by_name(parent, group, &info, H5P_DEFAULT) < 0 ||
                                    info.nlinks > LINKS_MAX))) {
        return -1;
    }
    return (int)info.nlinks;
}

/* Groups that keep the order of creation are asked by it alone: HDF5 1.10 crashes when it lists a
 * damaged one by names. */
static H5_index_t index_of(hid_t parent, const char *group)
{
    unsigned order = 0;
    const hid_t id = H5Gopen2(parent, group, H5P_DEFAULT);
    const hid_t how = id >= 0 ? H5Gget_create_plist(id) : -1;
    if (how >= 0) {
        H5Pget_link_creation_order(how, &order);
        H5Pclose(how);
    }
    if (id >= 0) {
        H5Gclose(id);
    }
    return (order & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

hid_t tml_h5_link_open(hid_t parent, const char *group, int k)
{
    return H5Oopen_by_idx(parent, group, index_of(parent, group), H5_ITER_INC, (hsize_t)k,
                          H5P_DEFAULT);
}

const char *tml_h5_link_name(TmlArena *arena, hid_t parent, const char *group, int k)
{
    const H5_index_t index = index_of(parent, group);
    const ssize_t n =
        H5Lget_name_by_idx(parent, group, index, H5_ITER_INC, (hsize_t)k, NULL, 0, H5P_DEFAULT);
    char *name = n >= 0 ? tml_arena_alloc(arena, (size_t)n + 1, 1) : NULL;
    if (name != NULL) {
        H5Lget_name_by_idx(parent, group, index, H5_ITER_INC, (hsize_t)k, name, (size_t)n + 1,
                           H5P_DEFAULT);
    }
    return name;
}

/* --- texts --------------------------------------------------------------------------------- */

/* A dataset whole. */
static TmlStatus read_set(hid_t set, hid_t type, void *out, TmlError *err)
{
    TmlH5Array a = {.id = set};
    return array_size(&a) ? tml_h5_array_read(&a, type, 0, (int64_t)a.dim[0], out, err)
                          : tml_fail(err, TML_E_IO, "a list of texts was expected");
}

/* Texts of fixed length, from an attribute or a dataset, as a list of C strings. */
TmlStatus tml_h5_read_texts(TmlArena *arena, hid_t id, bool attribute, int *n,
                            const char *const **out, TmlError *err)
{
    const hid_t space = attribute ? H5Aget_space(id) : H5Dget_space(id);
    const hid_t type = attribute ? H5Aget_type(id) : H5Dget_type(id);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t length = H5Tget_size(type);
    TmlStatus status = TML_OK;
    char *cells = NULL;
    const char **list = NULL;
    if (count < 0 || length == 0 || (size_t)count > TEXTS_MAX / length || count > LINKS_MAX ||
        H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) {
        status = tml_fail(err, TML_E_IO, "a list of texts was expected");
    } else {
        cells = tml_arena_alloc(arena, (size_t)count + 1, length);
        list = tml_arena_alloc(arena, (size_t)count + 1, sizeof *list);
        status =
            cells == NULL || list == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
    }
    if (status == TML_OK && count > 0) {
        status = attribute ? (H5Aread(id, type, cells) >= 0 ? TML_OK
                                                            : tml_h5_fail(err, "cannot read texts"))
                           : read_set(id, type, cells, err);
    }
    for (hssize_t k = 0; k < count && status == TML_OK; ++k) {
        list[k] = tml_arena_strndup(arena, cells + (size_t)k * length,
                                    strnlen(cells + (size_t)k * length, length));
        status = list[k] == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
    }
    H5Tclose(type);
    H5Sclose(space);
    *n = status == TML_OK ? (int)count : 0;
    *out = list;
    return status;
}

/* The one text of an attribute of an open object; NULL: none. */
TmlStatus tml_h5_attr_list(TmlArena *arena, hid_t object, const char *name, int *n,
                           const char *const **out, TmlError *err)
{
    *n = 0;
    *out = NULL;
    const htri_t there = H5Aexists(object, name);
    if (there == 0) {
        return TML_OK;
    }
    const hid_t attr = there > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    if (attr < 0) {
        return tml_h5_fail(err, "damaged: cannot read attribute '%s'", name);
    }
    const TmlStatus status = tml_h5_read_texts(arena, attr, true, n, out, err);
    H5Aclose(attr);
    return status;
}

double tml_h5_attr_value(hid_t object, const char *name)
{
    double x = (double)NAN;
    const hid_t attr = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : -1;
    if (attr < 0) {
        return x;
    }
    // one number: more of them would be written behind x
    const hid_t space = H5Aget_space(attr);
    if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attr, H5T_NATIVE_DOUBLE, &x) < 0) {
        x = (double)NAN;
    }
    H5Sclose(space);
    H5Aclose(attr);
    return x;
}

TmlStatus tml_h5_attr_one(TmlArena *arena, hid_t object, const char *name, const char **out,
                          TmlError *err)
{
    const char *const *list = NULL;
    int n = 0;
    TML_TRY(tml_h5_attr_list(arena, object, name, &n, &list, err));
    *out = n > 0 ? list[0] : NULL;
    return TML_OK;
}
