/* io/read/hdf5_read.h - the few HDF5 calls that reading a result file needs, with our errors. */
#pragma once

#include "base/arena.h"
#include "io/results/hdf5_file.h"

typedef struct TmlH5Array {
    hid_t id; /* 0: not there */
    int rank;
    hsize_t dim[TML_H5_RANK_MAX];
} TmlH5Array;

/* false: no such dataset, or not of 1 to TML_H5_RANK_MAX dimensions, or of sizes that no int
 * holds. */
bool tml_h5_array_open(hid_t parent, const char *name, TmlH5Array *a);
void tml_h5_array_close(TmlH5Array *a);
size_t tml_h5_array_row(const TmlH5Array *a); /* values of a row */

void tml_h5_array_refresh(TmlH5Array *a); /* look for rows that came since */

/* A box of a dataset: start and count have a number per dimension. */
TML_NODISCARD TmlStatus tml_h5_box_read(const TmlH5Array *a, hid_t memory, const hsize_t *start,
                                        const hsize_t *count, void *out, TmlError *err);

/* Rows first, ..., first + n - 1 as values of `memory`, such as H5T_NATIVE_DOUBLE. */
TML_NODISCARD TmlStatus tml_h5_array_read(const TmlH5Array *a, hid_t memory, int64_t first,
                                          int64_t n, void *out, TmlError *err);

/* Texts of fixed length as a list of C strings in the arena: an attribute, or a dataset. */
TML_NODISCARD TmlStatus tml_h5_read_texts(TmlArena *arena, hid_t id, bool attribute, int *n,
                                          const char *const **out, TmlError *err);
/* An attribute as such a list, or its first text; 0 texts, NULL: it has none of that name. */
TML_NODISCARD TmlStatus tml_h5_attr_list(TmlArena *arena, hid_t object, const char *name, int *n,
                                         const char *const **out, TmlError *err);
TML_NODISCARD TmlStatus tml_h5_attr_one(TmlArena *arena, hid_t object, const char *name,
                                        const char **out, TmlError *err);

/* The one number of an attribute; NAN: there is none, or it is no single number. */
double tml_h5_attr_value(hid_t object, const char *name);

/* The links of a group in the order of creation where the file knows it, else by name. */
int tml_h5_links(hid_t parent, const char *group); /* how many; 0: no group; -1: damaged */
hid_t tml_h5_link_open(hid_t parent, const char *group, int k); /* negative: cannot */
const char *tml_h5_link_name(TmlArena *arena, hid_t parent, const char *group, int k);
