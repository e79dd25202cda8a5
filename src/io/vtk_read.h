/* io/vtk_read.h - what an export needs of a result file. */
#pragma once

#include "base/arena.h"
#include "io/hdf5_file.h"

/* A dataset of rows, or a fixed array. */
typedef struct TmlH5Array {
    hid_t id; /* 0: not there */
    int rank;
    hsize_t dim[TML_H5_RANK_MAX];
} TmlH5Array;

/* One flexible body. */
typedef struct TmlVtkBody {
    const char *name;
    bool patch, plane;
    int elements, points, element_nodes, vectors; /* points, nodes and vectors of an element */
    int32_t *node;                                /* elements * element_nodes */
    double *weight;                               /* elements * points * vectors */
    TmlH5Array nodes, value[2];                   /* strain, stress */
    char (*column[2])[TML_NAME_MAX];              /* names of their columns */
    double *x, *row[2];                           /* of the last row read */
    double *r, *start; /* elements * points * 3: positions, and those of row 0 */
} TmlVtkBody;

/* A rigid body or point. */
typedef struct TmlVtkRigid {
    const char *name;
    TmlH5Array position, orientation;
} TmlVtkRigid;

typedef struct TmlVtkFile {
    TmlArena arena;
    hid_t file;
    int rows, n_flexible, n_rigid;
    double *time;
    TmlVtkBody *flexible;
    TmlVtkRigid *rigid;
} TmlVtkFile;

TML_NODISCARD TmlStatus tml_vtk_open(const char *path, TmlVtkFile *out, TmlError *err);
void tml_vtk_close(TmlVtkFile *f);

/* Row k of a dataset of rows. */
TML_NODISCARD TmlStatus tml_vtk_row(const TmlH5Array *a, int k, double *out, TmlError *err);

/* Positions and values of a flexible body at row k. */
TML_NODISCARD TmlStatus tml_vtk_body_row(TmlVtkBody *b, int k, TmlError *err);
