/* model/wheel/road/rdf.h - road data files (.rdf): triangles of METHOD '3D'.
 *
 *   [UNITS]      LENGTH = 'mm' ...
 *   [MODEL]      METHOD = '3D'
 *   [OFFSET], [REFSYS] OFFSET = x y z     moves all nodes
 *   [NODES]      rows: number x y z
 *   [ELEMENTS]   rows: node node node friction
 *
 * Comments begin with ! or $; { begins a heading of columns; (NODES) is written for [NODES], too.
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "math/vec3.h"

typedef struct TmlRdf {
    int n_nodes, n_elements;
    const TmlVec3 *node;    /* m */
    const int *element;     /* 3 each, from 0 on */
    const double *friction; /* of each element */
} TmlRdf;

TML_NODISCARD TmlStatus tml_rdf_read(const char *path, TmlArena *arena, TmlRdf *out, TmlError *err);
