/* io/results/hdf5_keep.h - rows of an earlier file at the beginning of a new one. */
#pragma once

#include "io/results/hdf5_layout.h"

/* Copies the first n rows of the file at `path` into the datasets of the layout, which are empty.
 *   TML_E_IO  it has fewer rows, or a dataset is not there */
TML_NODISCARD TmlStatus tml_h5_keep_rows(const char *path, TmlH5Layout *l, hsize_t n,
                                         TmlError *err);
