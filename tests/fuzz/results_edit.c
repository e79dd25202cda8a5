/* tests/fuzz/results_edit.c - edits of a result file: hostile content in sound files by calls of
 * HDF5, then damage by bytes.
 *
 * HDF5 1.10 guards its structures by sums, so that damage to them is refused. Whoever writes a file
 * to do harm writes the sums, too: with TRAMMEL_FUZZ_FORGE set in the environment they are not
 * checked here, and one meets the defects of HDF5 itself.
 */
#include "results.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST_EDITS = 12, RANK = 6, MOST_POINTS = 512, LARGEST = 1 << 20 };

typedef struct Edit {
    const Base *base;
    const char *path;
    hid_t file; // open from the first call of HDF5 to the last
} Edit;

static const char *any_object(const Edit *e, Bytes *b)
{
    return e->base->object[next_below(b, e->base->n_objects)];
}

static hsize_t any_size(Bytes *b)
{
    static const hsize_t sizes[] = {
        0, 1, 2, 3, 4, 5, 7, 16, 64, 1000, 1 << 17, 1u << 31, 3u << 30, 1ull << 40, 1ull << 62, 3};
    return sizes[next_byte(b) % 16];
}

/* Makes a type, which the caller closes. */
static hid_t any_type(Bytes *b)
{
    const unsigned kind = next_byte(b), size = next_byte(b);
    const hsize_t three = 3;
    hid_t type = -1;
    switch (kind % 10) {
    case 0:
    case 1:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 2:
        return H5Tcopy(H5T_NATIVE_SCHAR);
    case 3:
        return H5Tcopy(H5T_IEEE_F32BE);
    case 4:
    case 5:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, size == 255 ? 70000 : size + 1);
        return type;
    case 6:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    case 7:
        return H5Tcopy(H5T_STD_REF_OBJ);
    case 8:
        return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
    default:
        type = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(type, "b", 8, H5T_NATIVE_INT);
        return type;
    }
}

static hid_t any_space(Bytes *b, hsize_t dim[RANK], int *rank, bool *grows)
{
    hsize_t most[RANK];
    const unsigned shape = next_byte(b);
    *rank = (int)(shape % (RANK + 1));
    *grows = (shape & 0x40) != 0;
    for (int k = 0; k < *rank; ++k) {
        dim[k] = any_size(b);
        most[k] = k == 0 && *grows ? H5S_UNLIMITED : dim[k];
    }
    return *rank == 0 ? H5Screate(shape & 0x80 ? H5S_NULL : H5S_SCALAR)
                      : H5Screate_simple(*rank, dim, most);
}

/* Takes bytes of the input as values, for sets that are small and hold no addresses. */
static void *any_values(Bytes *b, hid_t type, hid_t space)
{
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const H5T_class_t class = H5Tget_class(type);
    if (n < 1 || n > MOST_POINTS || H5Tis_variable_str(type) > 0 || class == H5T_REFERENCE) {
        return NULL;
    }
    const size_t size = (size_t)n * H5Tget_size(type);
    uint8_t *values = calloc(size, 1);
    for (size_t k = 0; k < size && b->at < b->end && k < 64; ++k) {
        values[k] = (uint8_t)next_byte(b);
    }
    return values;
}

/* --- calls of HDF5 --------------------------------------------------------------------------- */

static void replace_set(Edit *e, Bytes *b)
{
    hsize_t dim[RANK];
    int rank = 0;
    bool grows = false;
    const char *name = any_object(e, b);
    const hid_t type = any_type(b), space = any_space(b, dim, &rank, &grows);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (grows && rank > 0) {
        for (int k = 0; k < rank; ++k) {
            dim[k] = dim[k] < 1 ? 1 : dim[k] > 16 ? 16 : dim[k];
        }
        H5Pset_chunk(how, rank, dim);
    }
    H5Ldelete(e->file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(e->file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    void *values = set >= 0 ? any_values(b, type, space) : NULL;
    if (values != NULL) {
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    free(values);
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
}

static void replace_attribute(Edit *e, Bytes *b)
{
    hsize_t dim[RANK];
    int rank = 0;
    bool grows = false;
    const int k = next_below(b, e->base->n_attributes);
    const char *object = e->base->object[e->base->attribute[k].object];
    const char *name = e->base->attribute[k].name;
    const hid_t type = any_type(b), space = any_space(b, dim, &rank, &grows);
    H5Adelete_by_name(e->file, object, name, H5P_DEFAULT);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const hid_t attribute = points > 4 * MOST_POINTS
                                ? -1
                                : H5Acreate_by_name(e->file, object, name, type, space, H5P_DEFAULT,
                                                    H5P_DEFAULT, H5P_DEFAULT);
    void *values = attribute >= 0 ? any_values(b, type, space) : NULL;
    if (values != NULL) {
        H5Awrite(attribute, type, values);
    }
    free(values);
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void drop_attribute(Edit *e, Bytes *b)
{
    const int k = next_below(b, e->base->n_attributes);
    H5Adelete_by_name(e->file, e->base->object[e->base->attribute[k].object],
                      e->base->attribute[k].name, H5P_DEFAULT);
}

static void replace_link(Edit *e, Bytes *b)
{
    const char *name = any_object(e, b), *to = any_object(e, b);
    H5Ldelete(e->file, name, H5P_DEFAULT);
    switch (next_byte(b) % 5) {
    case 0:
        H5Lcreate_soft(to, e->file, name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 1:
        H5Lcreate_external("base.h5", to, e->file, name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 2:
        H5Lcreate_hard(e->file, to, e->file, name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 3:
        H5Gclose(H5Gcreate2(e->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
    default:
        break;
    }
}

static void change_set(Edit *e, Bytes *b)
{
    const hid_t set = H5Dopen2(e->file, any_object(e, b), H5P_DEFAULT);
    if (set < 0) {
        return;
    }
    hsize_t dim[H5S_MAX_RANK] = {0};
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_dims(space, dim, NULL);
    const bool extent = (next_byte(b) & 1u) != 0;
    const hid_t type = H5Dget_type(set);
    void *values = extent ? NULL : any_values(b, type, space);
    if (values != NULL) {
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    } else if (extent && rank > 0 && dim[0] <= LARGEST) { // HDF5 cuts larger ones for ever
        dim[0] = any_size(b);
        H5Dset_extent(set, dim);
    }
    free(values);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
}

static void (*const calls[])(Edit *e, Bytes *b) = {replace_set, replace_attribute, drop_attribute,
                                                   replace_link, change_set};

/* --- bytes ----------------------------------------------------------------------------------- */

static off_t any_place(const Edit *e, Bytes *b)
{
    return (off_t)e->base->used[next_below(b, e->base->n_used)];
}

static void patch(const Edit *e, Bytes *b, int fd)
{
    uint8_t bytes[8];
    const off_t at = any_place(e, b);
    const size_t n = 1 + next_byte(b) % sizeof bytes;
    for (size_t k = 0; k < n; ++k) {
        bytes[k] = (uint8_t)next_byte(b);
    }
    (void)!pwrite(fd, bytes, n, at);
}

static void patch_number(const Edit *e, Bytes *b, int fd)
{
    const off_t at = any_place(e, b);
    const uint64_t value = any_size(b) - (next_byte(b) & 1u);
    (void)!pwrite(fd, &value, next_byte(b) % 2 != 0 ? 8 : 4, at);
}

static void cut(const Edit *e, Bytes *b, int fd)
{
    const off_t size = (off_t)(e->base->size * next_byte(b) / 256);
    (void)!ftruncate(fd, next_byte(b) % 4 == 0 ? LARGEST : size);
}

/* Appends a commit that was cut off, as io/results/journal.c writes it. */
static void add_journal(const Edit *e, Bytes *b, int fd)
{
    uint8_t bytes[256] = {0};
    uint64_t used = 0;
    for (unsigned k = next_byte(b) % 4; k > 0; --k) {
        const int64_t at = next_byte(b) % 8 == 0 ? (int64_t)any_size(b) : any_place(e, b);
        const uint64_t size = next_byte(b) % 16, told = next_byte(b) % 8 == 0 ? any_size(b) : size;
        memcpy(bytes + used, &at, 8);
        memcpy(bytes + used + 8, &told, 8);
        for (uint64_t i = 0; i < size; ++i) {
            bytes[used + 16 + i] = (uint8_t)next_byte(b);
        }
        used += 16 + size;
    }
    const uint64_t sum = crc32(crc32(0, NULL, 0), bytes, (uInt)used);
    const uint64_t told = next_byte(b) % 8 == 0 ? any_size(b) : used;
    memcpy(bytes + used, "TmlJrnl", 8);
    memcpy(bytes + used + 8, &told, 8);
    memcpy(bytes + used + 16, &sum, 8);
    (void)!pwrite(fd, bytes, used + 24, lseek(fd, 0, SEEK_END));
}

static void (*const damages[])(const Edit *e, Bytes *b, int fd) = {patch, patch_number, cut,
                                                                   add_journal};

/* --- all ------------------------------------------------------------------------------------- */

enum { CALLS = sizeof calls / sizeof calls[0], DAMAGES = sizeof damages / sizeof damages[0] };

static void call(Edit *e, Bytes *b, unsigned kind)
{
    if (e->file < 0) {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        const hbool_t yes = true;
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        H5Pset(access, "clear_status_flags", &yes);
        e->file = H5Fopen(e->path, H5F_ACC_RDWR, access);
        H5Pclose(access);
    }
    if (e->file >= 0) {
        calls[kind](e, b);
    }
}

static void close_file(Edit *e)
{
    if (e->file >= 0) {
        H5Fclose(e->file);
    }
    e->file = -1;
}

static void edit(Edit *e, Bytes *b)
{
    bool damaged = false;
    for (int k = 0; k < MOST_EDITS && b->at < b->end; ++k) {
        const unsigned kind = next_byte(b) % (CALLS + DAMAGES);
        if (kind < CALLS && !damaged) {
            call(e, b, kind);
            continue;
        }
        damaged = true; // calls on a damaged file would meet defects of HDF5, not of ours
        close_file(e);
        const int fd = open(e->path, O_RDWR | O_CLOEXEC);
        damages[kind % DAMAGES](e, b, fd);
        close(fd);
    }
    close_file(e);
}

/* Takes the place of the function of libhdf5 that reads the sum of a block and computes it. */
__attribute__((visibility("default"))) herr_t
H5F_get_checksums(const uint8_t *block, size_t size, uint32_t *stored, uint32_t *computed);
uint32_t H5_checksum_metadata(const void *data, size_t n, uint32_t start); // of libhdf5

herr_t H5F_get_checksums(const uint8_t *block, size_t size, uint32_t *stored, uint32_t *computed)
{
    const bool short_block = size < sizeof *stored;
    const size_t n = short_block ? 0 : size - sizeof *stored;
    if (stored != NULL) {
        memcpy(stored, block + n, short_block ? 0 : sizeof *stored);
    }
    if (computed != NULL) {
        *computed = H5_checksum_metadata(block, n, 0);
    }
    if (stored != NULL && computed != NULL && getenv("TRAMMEL_FUZZ_FORGE") != NULL) {
        *stored = *computed;
    }
    return 0;
}

const char *fuzz_results(const uint8_t *data, size_t size)
{
    static const char signature[] = {'\x89', 'H', 'D', 'F'};
    Bytes b = {data, data + size};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (size >= sizeof signature && memcmp(data, signature, sizeof signature) == 0) {
        fuzz_limit_memory();
        return fuzz_write("results.h5", data, size);
    }
    Edit e = {.base = fuzz_base(next_below(&b, BASES)), .file = -1};
    e.path = fuzz_write("results.h5", e.base->bytes, e.base->size);
    edit(&e, &b);
    fuzz_limit_memory();
    return e.path;
}
