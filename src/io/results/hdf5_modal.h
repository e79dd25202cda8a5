/* io/results/hdf5_modal.h - modal bodies in a result file.
 *
 *   /modal/<name>/coordinates  time x modes, as the part normalises its modes; rates likewise
 *   /modal/<name>/hertz, mark  modes: frequencies; what tells shapes and signs apart (part_mark.h)
 *   attributes of /modal/<name>: name, part (path of its file), mass, size
 *
 * The motion of the floating frame is that of the body of this name.
 */
#pragma once

#include "base/arena.h"
#include "io/results/hdf5_file.h"
#include "trammel/modal.h"

enum { TML_H5_COORDINATES, TML_H5_RATES, TML_H5_MODAL_SETS };

typedef struct TmlH5Modal {
    TmlModalInfo info;
    TmlH5Column column[TML_H5_MODAL_SETS]; /* id 0: not made */
    double *buffer[TML_H5_MODAL_SETS];
} TmlH5Modal;

typedef struct TmlH5ModalList {
    int n;
    TmlH5Modal *at;
} TmlH5ModalList;

/* Sizes only; bytes of a row are added to *row_bytes. */
TML_NODISCARD TmlStatus tml_h5_modal_init(TmlH5ModalList *l, TmlArena *arena, const TmlSim *sim,
                                          size_t *row_bytes, TmlError *err);

/* Groups, datasets, and buffers for `capacity` rows; rows: how many are expected. */
TML_NODISCARD TmlStatus tml_h5_modal_create(TmlH5ModalList *l, TmlArena *arena, hid_t file,
                                            const TmlSim *sim, int capacity, hsize_t rows,
                                            TmlError *err);
void tml_h5_modal_fill(const TmlH5ModalList *l, int row, const TmlSim *sim);
TML_NODISCARD TmlStatus tml_h5_modal_write(TmlH5ModalList *l, hsize_t first, hsize_t n,
                                           TmlError *err);
void tml_h5_modal_close(TmlH5ModalList *l);
