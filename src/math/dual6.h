/* math/dual6.h - numbers with their exact first derivatives by six variables, by value.
 *
 * Formulas of geometry are written once, in these numbers, and have their derivatives with them. For
 * second derivatives see math/jet6.h.
 */
#pragma once

#include "math/vec3.h"

enum { DUAL_VARIABLES = 6 };

typedef struct Dual {
    double x, g[DUAL_VARIABLES];
} Dual;

typedef struct DualVec {
    Dual x, y, z;
} DualVec;

static inline Dual d6(double x)
{
    return (Dual){.x = x};
}

/* f(a) from f and f' at a. */
static inline Dual d6_function(Dual a, double f, double df)
{
    Dual o = {.x = f};
    for (int k = 0; k < DUAL_VARIABLES; ++k) {
        o.g[k] = df * a.g[k];
    }
    return o;
}

/* f(a, b) from f and its two derivatives. */
static inline Dual d6_function2(Dual a, Dual b, double f, double fa, double fb)
{
    Dual o = {.x = f};
    for (int k = 0; k < DUAL_VARIABLES; ++k) {
        o.g[k] = fa * a.g[k] + fb * b.g[k];
    }
    return o;
}

static inline Dual d6_add(Dual a, Dual b)
{
    return d6_function2(a, b, a.x + b.x, 1.0, 1.0);
}

static inline Dual d6_sub(Dual a, Dual b)
{
    return d6_function2(a, b, a.x - b.x, 1.0, -1.0);
}

static inline Dual d6_mul(Dual a, Dual b)
{
    return d6_function2(a, b, a.x * b.x, b.x, a.x);
}

static inline Dual d6_div(Dual a, Dual b)
{
    const double q = a.x / b.x;
    return d6_function2(a, b, q, 1.0 / b.x, -q / b.x);
}

/* c + s a */
static inline Dual d6_linear(double c, double s, Dual a)
{
    return d6_function(a, c + s * a.x, s);
}

static inline Dual d6_scale(double s, Dual a)
{
    return d6_function(a, s * a.x, s);
}

static inline Dual d6_neg(Dual a)
{
    return d6_function(a, -a.x, -1.0);
}

/* The root of zero is taken as constant. */
static inline Dual d6_sqrt(Dual a)
{
    const double s = sqrt(fmax(a.x, 0.0));
    return d6_function(a, s, s > 0.0 ? 0.5 / s : 0.0);
}

/* --- vectors ------------------------------------------------------------------------------- */

static inline DualVec d6v(TmlVec3 v)
{
    return (DualVec){d6(v.x), d6(v.y), d6(v.z)};
}

static inline TmlVec3 d6v_value(DualVec a)
{
    return v3(a.x.x, a.y.x, a.z.x);
}

static inline TmlVec3 d6v_rate(const DualVec *a, int k)
{
    return v3(a->x.g[k], a->y.g[k], a->z.g[k]);
}

static inline DualVec d6v_add(DualVec a, DualVec b)
{
    return (DualVec){d6_add(a.x, b.x), d6_add(a.y, b.y), d6_add(a.z, b.z)};
}

static inline DualVec d6v_sub(DualVec a, DualVec b)
{
    return (DualVec){d6_sub(a.x, b.x), d6_sub(a.y, b.y), d6_sub(a.z, b.z)};
}

static inline DualVec d6v_scale(Dual s, DualVec a)
{
    return (DualVec){d6_mul(s, a.x), d6_mul(s, a.y), d6_mul(s, a.z)};
}

static inline DualVec d6v_times(double s, DualVec a)
{
    return (DualVec){d6_scale(s, a.x), d6_scale(s, a.y), d6_scale(s, a.z)};
}

/* a + s b */
static inline DualVec d6v_axpy(Dual s, DualVec b, DualVec a)
{
    return d6v_add(a, d6v_scale(s, b));
}

static inline Dual d6v_dot(DualVec a, DualVec b)
{
    return d6_add(d6_add(d6_mul(a.x, b.x), d6_mul(a.y, b.y)), d6_mul(a.z, b.z));
}

static inline DualVec d6v_cross(DualVec a, DualVec b)
{
    return (DualVec){d6_sub(d6_mul(a.y, b.z), d6_mul(a.z, b.y)),
                     d6_sub(d6_mul(a.z, b.x), d6_mul(a.x, b.z)),
                     d6_sub(d6_mul(a.x, b.y), d6_mul(a.y, b.x))};
}

static inline Dual d6v_norm(DualVec a)
{
    return d6_sqrt(d6v_dot(a, a));
}

/* a / |a|; `other`, as a constant, when a is shorter than `least`. */
static inline DualVec d6v_unit(DualVec a, double least, TmlVec3 other)
{
    const Dual n = d6v_norm(a);
    return n.x > least ? d6v_scale(d6_div(d6(1.0), n), a) : d6v(other);
}

/* a x + b y + c z */
static inline DualVec d6v_sum(const DualVec axes[3], DualVec v)
{
    return d6v_axpy(v.z, axes[2], d6v_axpy(v.y, axes[1], d6v_scale(v.x, axes[0])));
}

/* The components of v along three axes. */
static inline DualVec d6v_along(const DualVec axes[3], DualVec v)
{
    return (DualVec){d6v_dot(axes[0], v), d6v_dot(axes[1], v), d6v_dot(axes[2], v)};
}
