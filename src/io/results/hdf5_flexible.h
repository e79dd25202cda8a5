/* io/results/hdf5_flexible.h - flexible bodies in a result file.
 *
 *   /flexible/<name>/nodes     time x nodes x vectors x 3
 *   /flexible/<name>/strain    time x elements x points x columns; stress likewise
 *   /flexible/<name>/elements  elements x nodes of an element
 *   /flexible/<name>/points    points x 3: places in an element
 *   /flexible/<name>/weights   elements x points x vectors of an element: positions of the points
 */
#pragma once

#include "base/arena.h"
#include "io/results/flex_samples.h"
#include "io/results/hdf5_file.h"

enum { TML_H5_NODES, TML_H5_STRAIN, TML_H5_STRESS, TML_H5_FLEX_SETS };

typedef struct TmlH5Flexible {
    TmlFlexibleInfo info;
    TmlFlexSamples samples;
    int columns[TML_H5_FLEX_SETS];        /* outputs in each; of nodes 0 */
    size_t size[TML_H5_FLEX_SETS];        /* values of a row; 0: no such dataset */
    TmlH5Column column[TML_H5_FLEX_SETS]; /* id 0: not made */
    double *buffer[TML_H5_FLEX_SETS];
} TmlH5Flexible;

typedef struct TmlH5FlexibleList {
    int n;
    TmlH5Flexible *at;
    double *value; /* outputs of one element */
} TmlH5FlexibleList;

/* Sizes only; bytes of a row in *row_bytes. */
TML_NODISCARD TmlStatus tml_h5_flexible_init(TmlH5FlexibleList *l, TmlArena *arena,
                                             const TmlSim *sim, size_t *row_bytes, TmlError *err);

/* Groups, datasets, and buffers for `capacity` rows; rows: how many are expected. */
TML_NODISCARD TmlStatus tml_h5_flexible_create(TmlH5FlexibleList *l, TmlArena *arena, hid_t file,
                                               const TmlSim *sim, int capacity, hsize_t rows,
                                               TmlError *err);
void tml_h5_flexible_fill(const TmlH5FlexibleList *l, int row, const TmlSim *sim);
TML_NODISCARD TmlStatus tml_h5_flexible_write(TmlH5FlexibleList *l, hsize_t first, hsize_t n,
                                              TmlError *err);
void tml_h5_flexible_close(TmlH5FlexibleList *l);
