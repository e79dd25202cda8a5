/* io/part/part_layout.h - the arrays of a part file, one table for writing and reading. */
#pragma once

#include "io/results/hdf5_file.h"
#include "model/modal/part.h"

/* 2: numbers of the nodes of frames. 3: materials of nodes. 4: places of stress. 5: loads. Files of all versions are read. */
enum { TML_PART_VERSION = 5 };
#define TML_PART_FORMAT "trammel part"

typedef enum TmlPartType { TML_PART_REAL, TML_PART_FLOAT, TML_PART_INT, TML_PART_LONG } TmlPartType;

/* An array of a TmlPart. dims: one letter a dimension: m modes, M modes + 1, f fixed modes, n nodes,
 * t triangles, or a digit. */
typedef struct TmlPartArray {
    const char *name, *dims;
    TmlPartType type;
    size_t offset; /* of the pointer */
    bool needed;
} TmlPartArray;

extern const TmlPartArray tml_part_arrays[]; /* ends with name NULL */

hid_t tml_part_h5_type(TmlPartType type);
size_t tml_part_type_size(TmlPartType type);

/* Sizes of an array of this part: rank, dim[4], and values in all. */
int tml_part_dims(const TmlPart *part, const char *dims, hsize_t dim[TML_H5_RANK_MAX],
                  size_t *values);

/* The frames' and the load cases' numbers as arrays, for file and checksum alike. */
typedef struct TmlPartFlat {
    double *frame_x;    /* n_frames x 3 */
    int32_t *turns;     /* n_frames */
    int64_t *node;      /* n_frames; NULL: a file of version 1 */
    double *phi, *psi;  /* n_frames x m x 3 */
    double *stiffening; /* n_stiffening x m x m */
    double *load;       /* n_stiffening x m; NULL: not told */
    double *applied; /* n_loads x (6 + m + 3 m): force, torque, on the modes, torque by the modes */
} TmlPartFlat;

/* Over everything that is a number. */
uint32_t tml_part_checksum(const TmlPart *part, const TmlPartFlat *flat);
