/* model/flexible/element/cable.c - cable: two nodes with r and r_x, axial strain and bending, no twist.
 *
 * Cubic axis, S = 1 - 3 xi^2 + 2 xi^3, l (xi - 2 xi^2 + xi^3), 3 xi^2 - 2 xi^3, l (xi^3 - xi^2);
 * with ' the derivative by the arc length s of the stress-free axis, a = r', b = r'':
 *
 *   (K1)  eps = (a.a - 1)/2,   kappa = a x b / a.a
 *   (K2)  U = 1/2 int E A eps^2 + E I (k - k_0)^2 ds,   k = sqrt(kappa.kappa + d_0^2)
 *   (K3)  viscous moment tau E I (c (kappa.kappa') kappa + e kappa'),  with u = kappa.kappa / d^2
 *         c = (3 - 3 u + u^2) / d^2, e = (1 - u)^3 for u < 1;  c = 1 / kappa.kappa, e = 0 above
 *
 * |kappa| is the rotation of the tangent per stress-free length, what the moment of a rod works on; so a
 * straight cable is the rod of Euler, Bernoulli and Kirchhoff without twist. A cable does not know
 * in which direction it was bent at first, only how much: k_0. d_0 = 1e-3 k_0 takes the corner off
 * (K2) where a bent cable is straightened; it is zero for straight ones.
 *
 * (K3): the rate of |kappa| is what a rigid motion does not change, but it has no direction where
 * kappa = 0. There, below d = 1e-3 / l, it is blended with the rate of the vector kappa, so that a
 * straight cable is damped as a rod in any direction.                                       own
 *
 *   (K4)  viscous force on the slope, slope_damping a': what the tension of a wire does for its
 *         stiffness, N |a|^2 / 2, a time does for its damping. It resists rotation in space, as
 *         mass_damping resists translation; so it is for wires that stay where they are.
 *
 * A wire that runs through its shape has material of the velocity c r' at a fixed s (c: stress-free length by time). Its velocity and
 * acceleration are those of the material at s:
 *
 *   (K5)  v = r_t + c a,   f = int rho A S (2 c a_t + c^2 b + d c a) ds    beside the mass; d: mass_damping
 *
 * 5 Gauss points for the axial strain, 3 for bending.
 */
#include "model/flexible/flexible.h"

#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flexible/mechanics/section.h"
#include "model/registry.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { VECTORS = 4, SIZE = 12, AXIAL = 5, BENDING = 3 };

typedef struct Place {
    double a[VECTORS], b[VECTORS]; /* weights of r' and r'' */
    double length;
    double rest; /* k_0 */
} Place;

typedef struct Table {
    double length, EA, EI, tau;
    double slope; /* of (K4), N s */
    double d0, d; /* of (K2) and (K3), 1/m */
    double M[VECTORS * VECTORS], w[VECTORS];
    bool runs; /* (K5) */
    double flow_q[VECTORS * VECTORS],
        flow_v[VECTORS * VECTORS]; /* by the vectors, by their rates */
    double reference[SIZE];
    Place axial[AXIAL], bending[BENDING];
} Table;

static void shape_values(double l, double xi, int derivative, double *s)
{
    const double x2 = xi * xi, x3 = x2 * xi;
    if (derivative == 0) {
        s[0] = 1.0 - 3.0 * x2 + 2.0 * x3;
        s[1] = l * (xi - 2.0 * x2 + x3);
        s[2] = 3.0 * x2 - 2.0 * x3;
        s[3] = l * (x3 - x2);
    } else if (derivative == 1) {
        s[0] = (6.0 * x2 - 6.0 * xi) / l;
        s[1] = 1.0 - 4.0 * xi + 3.0 * x2;
        s[2] = -s[0];
        s[3] = 3.0 * x2 - 2.0 * xi;
    } else {
        s[0] = (12.0 * xi - 6.0) / (l * l);
        s[1] = (6.0 * xi - 4.0) / l;
        s[2] = -s[0];
        s[3] = (6.0 * xi - 2.0) / l;
    }
}

static TmlVec3 sum_of(const double *s, const double *x)
{
    TmlVec3 r = {0};
    for (int i = 0; i < VECTORS; ++i) {
        r = v3_axpy(s[i], v3(x[3 * i], x[3 * i + 1], x[3 * i + 2]), r);
    }
    return r;
}

/* (K1) */
static double stretch(TmlVec3 a)
{
    return 0.5 * (v3_dot(a, a) - 1.0);
}

static TmlVec3 curvature(TmlVec3 a, TmlVec3 b)
{
    return v3_scale(1.0 / v3_dot(a, a), v3_cross(a, b));
}

/* Weights by arc length at xi; returns |r_x| of the stress-free shape. */
static double place_fill(double l, const double *x0, double xi, Place *p)
{
    shape_values(l, xi, 1, p->a);
    shape_values(l, xi, 2, p->b);
    const TmlVec3 a = sum_of(p->a, x0), b = sum_of(p->b, x0);
    const double j = v3_norm(a), dj = v3_dot(a, b) / j;
    for (int i = 0; i < VECTORS; ++i) {
        p->b[i] = (p->b[i] - p->a[i] * dj / j) / (j * j);
        p->a[i] /= j;
    }
    return j;
}

static TmlStatus cable_check(const TmlFlexData *data, TmlError *err)
{
    const TmlCrossSection *s = &data->section;
    if (data->material.model != TML_MATERIAL_ELASTIC) {
        return tml_fail(err, TML_E_MODEL, "a cable needs an elastic material (E)");
    }
    if (s->kind == TML_CROSS_PLATE) {
        return tml_fail(err, TML_E_MODEL,
                        "a cable needs a section with radius, or area, Iy and Iz");
    }
    if (fabs(s->Iy - s->Iz) > 1e-9 * (s->Iy + s->Iz)) {
        return tml_fail(err, TML_E_MODEL,
                        "a cable bends alike in all directions, Iy = Iz; a beam may have others");
    }
    if (data->formulation == TML_FORM_ENHANCED) {
        return tml_fail(err, TML_E_MODEL, "a cable has no formulation 'enhanced'");
    }
    return TML_OK;
}

/* (K1) of the stress-free shape at n points, and their weights. */
static TmlStatus add_places(const Table *t, int n, Place *place, TmlError *err)
{
    double xi[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
    tml_gauss(n, xi, w);
    for (int k = 0; k < n; ++k) {
        const double j = place_fill(t->length, t->reference, xi[k], &place[k]);
        if (!(j > 0.0)) {
            return tml_fail(err, TML_E_MODEL, "has no length (|r_x| = %.3g)", j);
        }
        place[k].length = w[k] * t->length * j;
    }
    return TML_OK;
}

static void add_mass(Table *t, const TmlFlexData *data, double per_length)
{
    const double c = data->transport, d = data->material.mass_damping;
    double xi[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
    tml_gauss(TML_GAUSS_MAX, xi, w);
    for (int k = 0; k < TML_GAUSS_MAX; ++k) {
        Place p;
        double s[VECTORS];
        const double j = place_fill(t->length, t->reference, xi[k], &p);
        const double m = per_length * w[k] * t->length * j;
        shape_values(t->length, xi[k], 0, s);
        for (int i = 0; i < VECTORS; ++i) {
            t->w[i] += m * s[i];
            for (int l = 0; l < VECTORS; ++l) {
                t->M[i * VECTORS + l] += m * s[i] * s[l];
                t->flow_q[i * VECTORS + l] += m * s[i] * (c * c * p.b[l] + d * c * p.a[l]);
                t->flow_v[i * VECTORS + l] += 2.0 * c * m * s[i] * p.a[l];
            }
        }
    }
}

static TmlStatus cable_prepare(const TmlFlexData *data, const TmlFlexReference *ref,
                               TmlArena *arena, const void *last, const void **table, TmlError *err)
{
    Table *t;
    double bent = 0.0;
    (void)last;
    TML_NEW(arena, t, 1);
    t->length = ref->size[0];
    t->EA = data->material.E * data->section.area;
    t->EI = data->material.E * data->section.Iz;
    t->tau = data->material.damping;
    t->slope = data->material.slope_damping;
    t->d = 1e-3 / t->length;
    memcpy(t->reference, ref->x, sizeof t->reference);
    TML_TRY(add_places(t, AXIAL, t->axial, err));
    TML_TRY(add_places(t, BENDING, t->bending, err));
    for (int k = 0; k < BENDING; ++k) {
        Place *p = &t->bending[k];
        p->rest = v3_norm(curvature(sum_of(p->a, ref->x), sum_of(p->b, ref->x)));
        bent = fmax(bent, p->rest);
    }
    t->d0 = bent * t->length > 1e-12 ? 1e-3 * bent : 0.0; // else straight up to rounding
    for (int k = 0; k < BENDING; ++k) {
        t->bending[k].rest = t->d0 > 0.0 ? hypot(t->bending[k].rest, t->d0) : 0.0;
    }
    t->runs = data->transport != 0.0;
    if (t->runs && t->d0 > 0.0) {
        return tml_fail(err, TML_E_MODEL,
                        "has a bent stress-free shape, but what runs through it (transport) is "
                        "straight: say rest: straight");
    }
    add_mass(t, data, data->material.density * tml_section_of_mass(&data->section).area);
    *table = t;
    return TML_OK;
}

static void add_share(const double *s, TmlVec3 h, double *f)
{
    for (int i = 0; i < VECTORS; ++i) {
        f[3 * i] += s[i] * h.x;
        f[3 * i + 1] += s[i] * h.y;
        f[3 * i + 2] += s[i] * h.z;
    }
}

/* c and e of (K3) with their derivatives by kappa.kappa. */
typedef struct Blend {
    double c, e, dc, de;
} Blend;

static Blend blend(double k2, double d2)
{
    const double u = k2 / d2;
    if (u >= 1.0) {
        return (Blend){.c = 1.0 / k2, .dc = -1.0 / (k2 * k2)};
    }
    return (Blend){(3.0 - 3.0 * u + u * u) / d2, (1.0 - u) * (1.0 - u) * (1.0 - u),
                   (2.0 * u - 3.0) / (d2 * d2), -3.0 * (1.0 - u) * (1.0 - u) / d2};
}

/* --- bending at one point -------------------------------------------------------------------- */

/* kappa with its derivative Ka da + Kb db, the rates of these, and the moment of (K2) and (K3). */
typedef struct Bend {
    TmlVec3 a, b, da, db;
    TmlVec3 kappa, rate, m;
    double q; /* a.a */
} Bend;

/* Derivative of kappa along (x, y). */
static TmlVec3 bend_along(const Bend *s, TmlVec3 x, TmlVec3 y)
{
    const TmlVec3 c = v3_add(v3_cross(x, s->b), v3_cross(s->a, y));
    return v3_scale(1.0 / s->q, v3_axpy(-2.0 * v3_dot(s->a, x), s->kappa, c));
}

static void bend_state(const Table *t, const Place *p, const TmlFlexIn *in, Bend *s)
{
    *s = (Bend){.a = sum_of(p->a, in->x), .b = sum_of(p->b, in->x)};
    s->q = v3_dot(s->a, s->a);
    s->kappa = curvature(s->a, s->b);
    const double k2 = v3_dot(s->kappa, s->kappa);
    const double share = p->rest > 0.0 ? p->rest / sqrt(k2 + t->d0 * t->d0) : 0.0;
    s->m = v3_scale(t->EI * (1.0 - share), s->kappa);
    if (t->tau > 0.0) {
        s->da = sum_of(p->a, in->v);
        s->db = sum_of(p->b, in->v);
        s->rate = bend_along(s, s->da, s->db);
        const Blend f = blend(k2, t->d * t->d);
        const double c = t->tau * t->EI;
        s->m = v3_axpy(c * f.c * v3_dot(s->kappa, s->rate), s->kappa, s->m);
        s->m = v3_axpy(c * f.e, s->rate, s->m);
    }
}

/* (h_a, h_b): derivative of m . kappa by a and b. */
static void bend_forces(const Bend *s, TmlVec3 h[2])
{
    const TmlVec3 c = v3_cross(s->b, s->m);
    h[0] = v3_scale(1.0 / s->q, v3_axpy(-2.0 * v3_dot(s->m, s->kappa), s->a, c));
    h[1] = v3_scale(1.0 / s->q, v3_cross(s->m, s->a));
}

/* (K5) */
static void flow_force(const Table *t, const TmlFlexIn *in, double *f)
{
    for (int i = 0; i < SIZE; ++i) {
        const double *q = t->flow_q + i / 3 * VECTORS, *v = t->flow_v + i / 3 * VECTORS;
        for (int j = 0; j < VECTORS; ++j) {
            f[i] += q[j] * in->x[3 * j + i % 3] + v[j] * in->v[3 * j + i % 3];
        }
    }
}

static void flow_tangent(const Table *t, double c_q, double c_v, double *K)
{
    for (int i = 0; i < SIZE; ++i) {
        for (int j = 0; j < VECTORS; ++j) {
            const int k = i / 3 * VECTORS + j;
            K[i * SIZE + 3 * j + i % 3] += c_q * t->flow_q[k] + c_v * t->flow_v[k];
        }
    }
}

static void cable_force(const TmlFlexIn *in, double *f)
{
    const Table *t = in->table;
    memset(f, 0, SIZE * sizeof *f);
    for (int k = 0; k < AXIAL; ++k) {
        const Place *p = &t->axial[k];
        const TmlVec3 a = sum_of(p->a, in->x);
        const double rate = t->tau > 0.0 ? v3_dot(a, sum_of(p->a, in->v)) : 0.0;
        add_share(p->a, v3_scale(p->length * t->EA * (stretch(a) + t->tau * rate), a), f);
        if (t->slope > 0.0) {
            add_share(p->a, v3_scale(p->length * t->slope, sum_of(p->a, in->v)), f); // (K4)
        }
    }
    for (int k = 0; k < BENDING; ++k) {
        const Place *p = &t->bending[k];
        Bend s;
        TmlVec3 h[2];
        bend_state(t, p, in, &s);
        bend_forces(&s, h);
        add_share(p->a, v3_scale(p->length, h[0]), f);
        add_share(p->b, v3_scale(p->length, h[1]), f);
    }
    if (t->runs) {
        flow_force(t, in, f);
    }
}

/* --- tangent --------------------------------------------------------------------------------- */

static TmlVec3 unit(int k)
{
    return v3(k == 0, k == 1, k == 2);
}

/* K_ij += s_i u_j X for all vectors; X by columns. */
static void add_block(const double *s, const double *u, const TmlVec3 X[3], double *K)
{
    for (int i = 0; i < VECTORS; ++i) {
        double *to = K + (size_t)(3 * i * SIZE);
        for (int j = 0; j < VECTORS; ++j) {
            const double c = s[i] * u[j];
            for (int d = 0; d < 3; ++d) {
                to[3 * j + d] += c * X[d].x;
                to[SIZE + 3 * j + d] += c * X[d].y;
                to[2 * SIZE + 3 * j + d] += c * X[d].z;
            }
        }
    }
}

static void axial_tangent(const Table *t, const Place *p, const TmlFlexIn *in, double c_q,
                          double c_v, double *K)
{
    const TmlVec3 a = sum_of(p->a, in->x), da = t->tau > 0.0 ? sum_of(p->a, in->v) : v3(0, 0, 0);
    const double w = p->length * t->EA;
    double force = stretch(a) + t->tau * v3_dot(a, da);
    TmlVec3 X[3];
    if (in->moved != NULL) {
        const TmlVec3 d = sum_of(p->a, in->moved);
        force -= 0.5 * v3_dot(d, d); // Green's strain without the square of the move
    }
    for (int d = 0; d < 3; ++d) {
        const TmlVec3 x = unit(d);
        const double change = (c_q + t->tau * c_v) * v3_dot(a, x) + c_q * t->tau * v3_dot(da, x);
        X[d] = v3_scale(w, v3_axpy(c_q * force, x, v3_scale(change, a)));
        X[d] = v3_axpy(c_v * p->length * t->slope, x, X[d]);
    }
    add_block(p->a, p->a, X, K);
}

/* Change of the moment for changes of kappa and of its rate. */
static TmlVec3 moment_change(const Table *t, const Place *p, const Bend *s, TmlVec3 dk, TmlVec3 dr)
{
    const double k2 = v3_dot(s->kappa, s->kappa), along = v3_dot(s->kappa, dk);
    const double root = sqrt(k2 + t->d0 * t->d0);
    const double share = p->rest > 0.0 ? p->rest / root : 0.0;
    TmlVec3 dm = v3_scale(t->EI * (1.0 - share), dk);
    if (p->rest > 0.0) {
        dm = v3_axpy(t->EI * share * along / (root * root), s->kappa, dm);
    }
    if (t->tau > 0.0) {
        const Blend f = blend(k2, t->d * t->d);
        const double c = t->tau * t->EI, n = v3_dot(s->kappa, s->rate);
        const double dn = v3_dot(dk, s->rate) + v3_dot(s->kappa, dr);
        dm = v3_axpy(c * (f.c * dn + 2.0 * f.dc * along * n), s->kappa, dm);
        dm = v3_axpy(c * f.c * n, dk, dm);
        dm = v3_axpy(c * f.e, dr, dm);
        dm = v3_axpy(2.0 * c * f.de * along, s->rate, dm);
    }
    return dm;
}

/* Rate of the derivative of kappa along (x, y). */
static TmlVec3 bend_along_rate(const Bend *s, TmlVec3 x, TmlVec3 y)
{
    const double ax = v3_dot(s->a, x), dq = 2.0 * v3_dot(s->a, s->da);
    TmlVec3 c = v3_add(v3_cross(x, s->db), v3_cross(s->da, y));
    c = v3_axpy(-2.0 * ax, s->rate, c);
    c = v3_axpy(-2.0 * v3_dot(s->da, x), s->kappa, c);
    return v3_scale(1.0 / s->q, v3_axpy(-dq, bend_along(s, x, y), c));
}

static void bend_tangent(const Table *t, const Place *p, const TmlFlexIn *in, double c_q,
                         double c_v, double *K)
{
    Bend s;
    TmlVec3 h[2], X[2][2][3]; /* [row a, b][column a, b] */
    bend_state(t, p, in, &s);
    bend_forces(&s, h);
    for (int k = 0; k < 6; ++k) {
        const TmlVec3 x = k < 3 ? unit(k) : v3(0, 0, 0), y = k < 3 ? v3(0, 0, 0) : unit(k - 3);
        const TmlVec3 dk = bend_along(&s, x, y);
        TmlVec3 dr = {0};
        if (t->tau > 0.0) {
            dr = v3_axpy(c_q, bend_along_rate(&s, x, y), v3_scale(c_v, dk));
        }
        // derivative of (h_a, h_b) by the moment, then by a and b at fixed moment
        Bend change = s;
        TmlVec3 dh[2];
        change.m = moment_change(t, p, &s, v3_scale(c_q, dk), dr);
        bend_forces(&change, dh);
        const double ax = v3_dot(s.a, x), m_dk = v3_dot(s.m, dk);
        TmlVec3 fixed = v3_axpy(-2.0 * m_dk, s.a, v3_cross(y, s.m));
        fixed = v3_axpy(-2.0 * v3_dot(s.m, s.kappa), x, fixed);
        fixed = v3_axpy(-2.0 * ax, h[0], fixed);
        X[0][k / 3][k % 3] = v3_scale(p->length, v3_axpy(c_q / s.q, fixed, dh[0]));
        fixed = v3_axpy(-2.0 * ax, h[1], v3_cross(s.m, x));
        X[1][k / 3][k % 3] = v3_scale(p->length, v3_axpy(c_q / s.q, fixed, dh[1]));
    }
    add_block(p->a, p->a, X[0][0], K);
    add_block(p->a, p->b, X[0][1], K);
    add_block(p->b, p->a, X[1][0], K);
    add_block(p->b, p->b, X[1][1], K);
}

static void cable_tangent(const TmlFlexIn *in, double c_q, double c_v, double *K)
{
    const Table *t = in->table;
    memset(K, 0, SIZE * SIZE * sizeof *K);
    for (int k = 0; k < AXIAL; ++k) {
        axial_tangent(t, &t->axial[k], in, c_q, c_v, K);
    }
    for (int k = 0; k < BENDING; ++k) {
        bend_tangent(t, &t->bending[k], in, c_q, c_v, K);
    }
    if (t->runs) {
        flow_tangent(t, c_q, c_v, K);
    }
}

static double cable_energy(const TmlFlexIn *in)
{
    const Table *t = in->table;
    double energy = 0.0;
    for (int k = 0; k < AXIAL; ++k) {
        const double e = stretch(sum_of(t->axial[k].a, in->x));
        energy += 0.5 * t->axial[k].length * t->EA * e * e;
    }
    for (int k = 0; k < BENDING; ++k) {
        const Place *p = &t->bending[k];
        const TmlVec3 kappa = curvature(sum_of(p->a, in->x), sum_of(p->b, in->x));
        const double e = sqrt(v3_dot(kappa, kappa) + t->d0 * t->d0) - p->rest;
        energy += 0.5 * p->length * t->EI * e * e;
    }
    return energy;
}

static void cable_shape(const TmlFlexData *data, const void *table, const double xi[3],
                        TmlFlexKind what, double *s)
{
    const double l = ((const Table *)table)->length;
    (void)data;
    if (what == TML_FLEX_R || what == TML_FLEX_RX) {
        shape_values(l, xi[0], what == TML_FLEX_R ? 0 : 1, s);
    } else {
        memset(s, 0, VECTORS * sizeof *s);
    }
}

/* The axis alone: length over stress-free length. */
static double cable_volume(const TmlFlexIn *in)
{
    const Table *t = in->table;
    double smallest = HUGE_VAL;
    for (int k = 0; k < AXIAL; ++k) {
        const double n = v3_norm(sum_of(t->axial[k].a, in->x));
        smallest = n >= smallest ? smallest : n; // lets NaN through
    }
    return smallest;
}

static void cable_strain(const TmlFlexIn *in, const double xi[3], double *value)
{
    const Table *t = in->table;
    Place p;
    place_fill(t->length, t->reference, xi[0], &p);
    const double rest = v3_norm(curvature(sum_of(p.a, t->reference), sum_of(p.b, t->reference)));
    value[0] = stretch(sum_of(p.a, in->x));
    value[1] = v3_norm(curvature(sum_of(p.a, in->x), sum_of(p.b, in->x)));
    value[2] = t->EA * value[0] * v3_norm(sum_of(p.a, in->x));
    value[3] = t->EI * (value[1] - rest);
}

static const TmlOutput cable_outputs[] = {
    {"strain", "", "Green-Lagrange strain of the axis"},
    {"curvature", "1/m", "rotation of the tangent per stress-free length"},
    {"force", "N", "axial force, elastic part"},
    {"moment", "N m", "bending moment, elastic part"},
    {0},
};

TML_FLEX_TYPE(cable) = {
    .info = {.name = "cable",
             .text = "Cable of two-node elements, with position and tangent per node: stretches "
                     "and bends, without torsion.",
             .outputs = cable_outputs},
    .topology = TML_FLEX_LINE,
    .dim = 3,
    .nodes = 2,
    .vectors = 2,
    .kind = {TML_FLEX_R, TML_FLEX_RX},
    .slope_damping = true,
    .transports = true,
    .check = cable_check,
    .prepare = cable_prepare,
    .mass = offsetof(Table, M),
    .weight = offsetof(Table, w),
    .force = cable_force,
    .tangent = cable_tangent,
    .energy = cable_energy,
    .shape = cable_shape,
    .volume = cable_volume,
    .strain = cable_strain,
};
