/* io/results/hdf5_layout.h - which datasets a result file has, and where a value of a row lies.
 *
 * Things of one kind (bodies, joints, channels) form a set: a value belongs to an item and a field,
 * and lies in a dataset of its own or, with more than TML_H5_PACKED_ABOVE items, in one dataset per
 * field for all items.
 */
#pragma once

#include "base/arena.h"
#include "io/results/hdf5_file.h"
#include "io/results/hdf5_flexible.h"
#include "io/results/hdf5_modal.h"
#include "trammel/sim.h"

enum {
    TML_H5_PACKED_ABOVE = 500, /* a dataset of its own costs about 1 kB, and time at every flush */
    TML_H5_COLUMNS_MAX = 12,   /* names of the columns of one field */
};

typedef struct TmlH5Field {
    const char *name, *unit;
    int n; /* values of one item */
    const char *column[TML_H5_COLUMNS_MAX];
} TmlH5Field;

typedef struct TmlH5Set {
    const char *path; /* group; NULL: the root */
    int n_items, n_fields;
    const TmlH5Field *field;
    bool flat;           /* one item, whose datasets stand in the group itself */
    bool packed;         /* one dataset per field for all items */
    TmlH5Column *column; /* n_fields, times n_items unless packed */
    double **buffer;     /* rows of each column */
} TmlH5Set;

enum {
    TML_H5_TIME,
    TML_H5_CHANNELS,
    TML_H5_BODIES,
    TML_H5_JOINTS,
    TML_H5_CERTIFICATE,
    TML_H5_CONTACTS,
    TML_H5_SETS
};

typedef struct TmlH5Layout {
    TmlArena *arena; /* owner of everything below */
    TmlH5Set set[TML_H5_SETS];
    TmlH5FlexibleList flexible;
    TmlH5ModalList modal;
    int capacity; /* rows that the buffers hold */
    int points;   /* of contact that a row has room for; 0: nothing can touch */
    int *joint;   /* in the model of the rows that come, of each joint; -1: it is not there */
} TmlH5Layout;

/* Choose the sets for a sim. */
TML_NODISCARD TmlStatus tml_h5_layout_init(TmlH5Layout *l, TmlArena *arena, const TmlSim *sim,
                                           TmlError *err);

/* Create groups, datasets and buffers; rows: how many are expected, 0: unknown. */
TML_NODISCARD TmlStatus tml_h5_layout_create(TmlH5Layout *l, hid_t file, const TmlSim *sim,
                                             hsize_t rows, TmlError *err);

void tml_h5_layout_close(TmlH5Layout *l);

/* Is there a place for all of a sim: the same bodies and channels, and no other joints than those
 * of names[]? */
bool tml_h5_layout_fits(const TmlH5Layout *l, const char *const *names, const TmlSim *sim);
/* Rows that follow come from another sim, which fits. */
void tml_h5_layout_next(TmlH5Layout *l, const char *const *names, const TmlSim *sim);

/* Copy the sim's output row into a row of the buffers. */
void tml_h5_layout_fill(const TmlH5Layout *l, int row, const TmlSim *sim);

/* Number of datasets of a set. */
int tml_h5_set_columns(const TmlH5Set *s);
