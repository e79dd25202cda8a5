/* model/on_path.h - joints along paths: their data, and the coordinates of their places. */
#pragma once

#include "model/path.h"
#include "model/read.h"

typedef struct TmlOnPath {
    const TmlPath *path, *other; /* other: of the second frame; NULL: a point */
    TmlReals near_by;            /* three numbers, or none */
    TmlVec3 normal;              /* of the common plane, in the first frame */
} TmlOnPath;

/* Replace the two ends of the joint by the places along its paths and the frames. */
void tml_read_on_path(TmlEntry *x, TmlConstraint *c);
