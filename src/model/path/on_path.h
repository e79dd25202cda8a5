/* model/path/on_path.h - joints along paths: their data, and the coordinates of their places. */
#pragma once

#include "model/path/path.h"
#include "model/read/read.h"

typedef struct TmlOnPath {
    const TmlPath *path, *other; /* other: of the second frame; NULL: a point */
    TmlReals near_by;            /* three numbers, or none */
    TmlReals second_near;        /* the same on the other path */
    double rate, second_rate;    /* speed along the paths at the start; NAN: open */
    bool keep;                   /* assembly leaves the places and speeds that are given */
    TmlVec3 normal;              /* of the common plane, in the first frame */
} TmlOnPath;

/* Replace the two ends of the joint by the places along its paths and the frames. */
void tml_read_on_path(TmlEntry *x, TmlConstraint *c);
