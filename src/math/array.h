/* math/array.h - plain arrays of numbers: products, sums, and vectors of three within them. */
#pragma once

#include "math/vec3.h"

/* Reads and writes three numbers in a row. */
static inline TmlVec3 v3_at(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static inline void v3_put(double *x, TmlVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

static inline double vec_dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += x[k] * y[k];
    }
    return sum;
}

/* y[n] += s x[n]. */
static inline void vec_axpy(int n, double s, const double *x, double *y)
{
    for (int k = 0; k < n; ++k) {
        y[k] += s * x[k];
    }
}
