/* math/jet6.h - numbers with their exact first and second derivatives by six variables.
 *
 * Second derivatives may be left out: those of a result are there when the first operand has them.
 * The lower triangle of the second derivatives is stored by rows: entry (r, c), c <= r, is
 * h[r (r + 1) / 2 + c].
 */
#pragma once

#include "trammel/types.h"

#include <stdbool.h>

enum { JET_VARIABLES = 6, JET_SECOND = 21 };

typedef struct Jet6 {
    double x, g[JET_VARIABLES];
    bool second; /* whether h is there */
    double h[JET_SECOND];
} Jet6;

typedef struct Jet6Vec {
    Jet6 x, y, z;
} Jet6Vec;

static inline Jet6 jet_constant(double x, bool second)
{
    return (Jet6){.x = x, .second = second};
}

static inline Jet6 jet_variable(double x, int k, bool second)
{
    Jet6 j = {.x = x, .second = second};
    j.g[k] = 1.0;
    return j;
}

/* a + s b */
static inline Jet6 jet_axpy(double s, const Jet6 *b, const Jet6 *a)
{
    Jet6 o;
    o.x = a->x + s * b->x;
    o.second = a->second;
    for (int k = 0; k < JET_VARIABLES; ++k) {
        o.g[k] = a->g[k] + s * b->g[k];
    }
    for (int k = 0; k < JET_SECOND && o.second; ++k) {
        o.h[k] = a->h[k] + s * b->h[k];
    }
    return o;
}

static inline Jet6 jet_mul(const Jet6 *a, const Jet6 *b)
{
    Jet6 o;
    o.x = a->x * b->x;
    o.second = a->second;
    for (int r = 0; r < JET_VARIABLES; ++r) {
        o.g[r] = a->x * b->g[r] + a->g[r] * b->x;
    }
    for (int r = 0, k = 0; r < JET_VARIABLES && o.second; ++r) {
        for (int c = 0; c <= r; ++c, ++k) {
            o.h[k] = a->x * b->h[k] + a->h[k] * b->x + a->g[r] * b->g[c] + a->g[c] * b->g[r];
        }
    }
    return o;
}

/* f(a) from f, f' and f'' at a. */
static inline Jet6 jet_function(const Jet6 *a, double f, double df, double ddf)
{
    Jet6 o;
    o.x = f;
    o.second = a->second;
    for (int r = 0; r < JET_VARIABLES; ++r) {
        o.g[r] = df * a->g[r];
    }
    for (int r = 0, k = 0; r < JET_VARIABLES && o.second; ++r) {
        for (int c = 0; c <= r; ++c, ++k) {
            o.h[k] = df * a->h[k] + ddf * a->g[r] * a->g[c];
        }
    }
    return o;
}

static inline Jet6Vec jet_vec_axpy(double s, const Jet6Vec *b, const Jet6Vec *a)
{
    return (Jet6Vec){jet_axpy(s, &b->x, &a->x), jet_axpy(s, &b->y, &a->y),
                     jet_axpy(s, &b->z, &a->z)};
}

static inline Jet6Vec jet_vec_scale(const Jet6 *s, const Jet6Vec *a)
{
    return (Jet6Vec){jet_mul(s, &a->x), jet_mul(s, &a->y), jet_mul(s, &a->z)};
}

static inline Jet6 jet_dot(const Jet6Vec *a, const Jet6Vec *b)
{
    const Jet6 x = jet_mul(&a->x, &b->x), y = jet_mul(&a->y, &b->y), z = jet_mul(&a->z, &b->z);
    const Jet6 xy = jet_axpy(1.0, &y, &x);
    return jet_axpy(1.0, &z, &xy);
}

/* a b - c d */
static inline Jet6 jet_minor(const Jet6 *a, const Jet6 *b, const Jet6 *c, const Jet6 *d)
{
    const Jet6 ab = jet_mul(a, b), cd = jet_mul(c, d);
    return jet_axpy(-1.0, &cd, &ab);
}

static inline Jet6Vec jet_cross(const Jet6Vec *a, const Jet6Vec *b)
{
    return (Jet6Vec){jet_minor(&a->y, &b->z, &a->z, &b->y), jet_minor(&a->z, &b->x, &a->x, &b->z),
                     jet_minor(&a->x, &b->y, &a->y, &b->x)};
}

static inline Jet6Vec jet_vec_constant(TmlVec3 v, bool second)
{
    return (Jet6Vec){jet_constant(v.x, second), jet_constant(v.y, second),
                     jet_constant(v.z, second)};
}
