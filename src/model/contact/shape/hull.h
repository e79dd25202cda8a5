/* model/contact/shape/hull.h - the data of a convex hull. */
#pragma once

#include "base/fail.h"
#include "model/contact/shape/polyhedron/polyhedron.h"

typedef struct TmlHullData {
    TmlPolyhedronData head;
    TmlReals vertices;
    const char *file;
    double scale;
    const TmlPolyhedron *solid; /* made by prepare */
} TmlHullData;
