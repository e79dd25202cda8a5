/* trammel/types.h - plain structs shared by all headers; no functions.
 *
 * SI units and radians. Matrices are stored by columns. Quaternions are scalar first.
 */
#pragma once

#include "trammel/base.h"

typedef struct TmlVec3 {
    double x, y, z;
} TmlVec3;

/* The columns of a matrix. For a frame they are its x, y and z axes, in the axes of the parent. */
typedef struct TmlMat33 {
    TmlVec3 cx, cy, cz;
} TmlMat33;

typedef struct TmlQuat {
    double w, x, y, z;
} TmlQuat;

/* A frame that turns about a fixed axis with a constant rate. */
typedef struct TmlSpin {
    TmlVec3 rate; /* rad/s, along the axis; zero means that the frame does not turn */
    TmlVec3 at;   /* m, a point of the axis */
} TmlSpin;
