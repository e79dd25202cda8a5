/* model/contact/shape/box.h - the data of a box. */
#pragma once

#include "base/fail.h"
#include "model/contact/shape/polyhedron/polyhedron.h"

typedef struct TmlBoxData {
    TmlPolyhedronData head;
    TmlVec3 size;
} TmlBoxData;
