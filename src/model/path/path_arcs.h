/* model/path/path_arcs.h - a path in a plane z = const as lines and arcs that go over into each other smoothly. */
#pragma once

#include "model/path/path.h"

/* A curve of lines and arcs: x, y of n points, and the bulge of the way from each to the next, the tangent of a quarter of
 * its angle, positive to the left. Open ones end at the last point, whose bulge is 0. */
typedef struct TmlArcs {
    int n;
    double *points; /* 2 n */
    double *bulges; /* n */
} TmlArcs;

/* Two arcs for each part of a piece, which is halved until they are within `tolerance`. A path of functions has none. */
TML_NODISCARD TmlStatus tml_path_arcs(const TmlPath *path, double tolerance, TmlArena *arena,
                                      TmlArcs *out, TmlError *err);
