/* model/force/pair.h - blocks of the matrices of an element with two ends. */
#pragma once

#include "math/vec3.h"
#include "trammel/element.h"

/* First row or column of a block: order r_0, theta_0, r_1, theta_1. */
enum { PAIR_R0 = 0, PAIR_T0 = 3, PAIR_R1 = 6, PAIR_T1 = 9, PAIR_SIZE = 12 };

/* K += s B at a block. */
static inline void pair_add(double *K, int row, int col, double s, const TmlMat33 *B)
{
    const TmlVec3 cols[3] = {B->cx, B->cy, B->cz};
    for (int c = 0; c < 3; ++c) {
        double *at = K + row * PAIR_SIZE + col + c;
        at[0] += s * cols[c].x;
        at[PAIR_SIZE] += s * cols[c].y;
        at[2 * PAIR_SIZE] += s * cols[c].z;
    }
}

static inline TmlRow row_scaled(double s, TmlRow x)
{
    return (TmlRow){v3_scale(s, x.r), v3_scale(s, x.theta)};
}

/* x + s y */
static inline TmlRow row_axpy(double s, TmlRow y, TmlRow x)
{
    return (TmlRow){v3_axpy(s, y.r, x.r), v3_axpy(s, y.theta, x.theta)};
}
