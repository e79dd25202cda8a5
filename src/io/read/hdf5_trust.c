/* io/read/hdf5_trust.c - what a result file may consist of before anything in it is read, see the
 * header. */
#include "io/read/hdf5_trust.h"

#include <string.h>

/* deflate, the densest of the filters, makes 1032 bytes of one; the rest is for zeros of chunks
 * that were never written, and the room for files that have just begun. */
enum { DENSEST = 4096, ROOM = 64 << 20 };

/* A group may lie in itself, and the library follows it for ever. No file of ours is deeper than four; the least that a link
 * takes is an address of eight bytes. */
enum { DEEPEST = 16, LINK_BYTES = 8 };

typedef struct Trust {
    double claimed, most; // bytes that all datasets would take, and how many are believed
    int64_t links, most_links;
    const char *why; // NULL: nothing is wrong
    char where[128];
} Trust;

/* The filters of HDF5 itself; for any other it would load a library from a folder of plugins. */
static bool built_in(hid_t create)
{
    const int n = H5Pget_nfilters(create);
    for (int k = 0; k < n; ++k) {
        size_t none = 0;
        unsigned flags;
        const H5Z_filter_t id =
            H5Pget_filter2(create, (unsigned)k, &flags, &none, NULL, 0, NULL, NULL);
        if (id < H5Z_FILTER_DEFLATE || id > H5Z_FILTER_SCALEOFFSET) {
            return false;
        }
    }
    return n >= 0;
}

/* Bytes of a chunk, which is read as a whole. */
static double chunk_bytes(hid_t create, double value)
{
    hsize_t dim[H5S_MAX_RANK];
    const int rank = H5Pget_chunk(create, H5S_MAX_RANK, dim);
    for (int k = 0; k < rank; ++k) {
        value *= (double)dim[k];
    }
    return value;
}

/* How many values a dataset has. One without rows is taken to have one: its other dimensions are numbers of names. */
static double value_count(hid_t space)
{
    hsize_t dim[H5S_MAX_RANK];
    double n = 1.0;
    const int rank = H5Sget_simple_extent_dims(space, dim, NULL);
    for (int k = 0; k < rank; ++k) {
        n *= dim[k] > 0 ? (double)dim[k] : 1.0;
    }
    return n;
}

/* Bytes that the values of a dataset would take in memory. */
static double set_bytes(hid_t set, hid_t create, H5D_layout_t layout)
{
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const double value = (double)H5Tget_size(type);
    const double all = value * value_count(space);
    const double chunk = layout == H5D_CHUNKED ? chunk_bytes(create, value) : 0.0;
    H5Tclose(type);
    H5Sclose(space);
    return all > chunk ? all : chunk;
}

static const char *check_set(hid_t set, Trust *t)
{
    const hid_t create = H5Dget_create_plist(set);
    const H5D_layout_t layout = H5Pget_layout(create);
    const char *why = NULL;
    if (layout == H5D_VIRTUAL || (layout == H5D_CONTIGUOUS && H5Pget_external_count(create) != 0)) {
        why = "has its values in another file"; // which the call for its size would open
    } else if (layout == H5D_CHUNKED && !built_in(create)) {
        why = "needs a filter that is not part of HDF5";
    } else if ((t->claimed += set_bytes(set, create, layout)) > t->most) {
        why = "claims more values than a file of this size can hold";
    }
    H5Pclose(create);
    return why;
}

static bool too_deep(const char *name)
{
    int depth = 0;
    for (; *name != '\0'; ++name) {
        depth += *name == '/';
    }
    return depth > DEEPEST;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    Trust *t = user;
    if (info->type != H5L_TYPE_HARD) {
        t->why = "is a link to somewhere else";
    } else if (too_deep(name) || ++t->links > t->most_links) {
        t->why = "lies in a group that lies in itself";
    } else {
        const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        if (object >= 0 && H5Iget_type(object) == H5I_DATASET) {
            t->why = check_set(object, t);
        }
        if (object >= 0) {
            H5Oclose(object); // one that does not open is damage, and told by whoever needs it
        }
    }
    if (t->why != NULL) {
        strncat(t->where, name, sizeof t->where - 1);
    }
    return t->why != NULL;
}

TmlStatus tml_h5_trust(hid_t file, int64_t bytes, TmlError *err)
{
    Trust t = {.most = (double)DENSEST * (double)bytes + ROOM, .most_links = bytes / LINK_BYTES};
    if (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &t) < 0) {
        // what lies behind the damage has not been looked at
        return tml_h5_fail(err, "damaged: its groups cannot be read");
    }
    return t.why == NULL
               ? TML_OK
               : tml_fail(err, TML_E_IO, "not a result file of Trammel: '/%s' %s", t.where, t.why);
}
