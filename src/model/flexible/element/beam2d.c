/* model/flexible/element/beam2d.c - plane shear-deformable beam, two nodes with r, r_x, r_y.
 *
 * x from 0 to l along the axis, y across from -H/2 to H/2, xi = x/l, eta = y/l, r = sum S_i x_i:
 *
 *   (B1)  S = 1 - 3 xi^2 + 2 xi^3,  l (xi - 2 xi^2 + xi^3),  l (eta - xi eta),
 *             3 xi^2 - 2 xi^3,      l (xi^3 - xi^2),         l xi eta
 *   (B2)  F = J J_0^-1 with J = (r_x, r_y), J_0 that of the stress-free shape
 *   (B3)  E = (F^T F - 1)/2,  S = (lambda tr E + 2 mu E) of E + tau E'      St Venant-Kirchhoff
 *   (B4)  f_i = integral of F S grad S_i,  grad S_i = J_0^-T (S_i,x, S_i,y)
 *   (B5)  F = (a + y b) ga + c gc,  a = r_x of the axis, b = sum S_i,xy x_i, c = r_y,
 *         ga and gc the rows of J_0^-1
 *
 * (B5): at a station xi the six vectors act through three only, a, b and c. Forces and tangents are
 * summed over y in these and brought to the nodes once a station.
 *
 * With 5 x 3 Gauss points: exact for straight elements. [000] and [002] use this element for their
 * pendulum. In bending it is too stiff, which belongs to the element: r_y is linear, so that a
 * section cannot widen on one side and narrow on the other (1.35 for nu = 0.3, whatever the
 * length), nor follow the slope of a cubic axis (falls with the square of the length). Measured:
 * docs/theory/ancf.md
 */
#include "model/flexible/flexible.h"

#include "base/fail.h"
#include "model/flexible/mechanics/section.h"
#include "model/registry.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { VECTORS = 6, DIM = 2, SIZE = 12, NX = 5, NY = 3, POINTS = NX * NY };

/* Weights of the nodes in a (r, r_x of both) and in b and c (r_y of both). */
typedef struct Station {
    double a[4], b[2], c[2];
} Station;

static const int axis[4] = {0, 1, 3, 4}, across[2] = {2, 5};

typedef struct Table {
    double length, lambda, mu, tau;
    double M[VECTORS * VECTORS], w[VECTORS];
    double volume[POINTS];        /* weight of each point, m^3 */
    double y[NY];                 /* m */
    double inverse[POINTS][2][2]; /* ga, gc of (B5) */
    Station station[NX];
    double reference[SIZE];
} Table;

static const double gauss5_x[NX] = {-0.90617984593866399, -0.53846931010568309, 0.0,
                                    0.53846931010568309, 0.90617984593866399};
static const double gauss5_w[NX] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                    0.47862867049936647, 0.23692688505618909};
static const double gauss3_x[NY] = {-0.77459666924148338, 0.0, 0.77459666924148338};
static const double gauss3_w[NY] = {0.55555555555555556, 0.88888888888888889, 0.55555555555555556};

/* (B1) and its derivatives by x and y. */
static void shape_values(double l, double xi, double y, TmlFlexKind what, double *s)
{
    const double eta = y / l;
    switch (what) {
    case TML_FLEX_R:
        s[0] = 1.0 - 3.0 * xi * xi + 2.0 * xi * xi * xi;
        s[1] = l * (xi - 2.0 * xi * xi + xi * xi * xi);
        s[2] = l * (eta - xi * eta);
        s[3] = 3.0 * xi * xi - 2.0 * xi * xi * xi;
        s[4] = l * (xi * xi * xi - xi * xi);
        s[5] = l * xi * eta;
        break;
    case TML_FLEX_RX:
        s[0] = (6.0 * xi * xi - 6.0 * xi) / l;
        s[1] = 1.0 - 4.0 * xi + 3.0 * xi * xi;
        s[2] = -eta;
        s[3] = (6.0 * xi - 6.0 * xi * xi) / l;
        s[4] = 3.0 * xi * xi - 2.0 * xi;
        s[5] = eta;
        break;
    case TML_FLEX_RY:
        s[0] = s[1] = s[3] = s[4] = 0.0;
        s[2] = 1.0 - xi;
        s[5] = xi;
        break;
    case TML_FLEX_RZ:
    default:
        memset(s, 0, VECTORS * sizeof *s);
        break;
    }
}

static TmlStatus beam_check(const TmlFlexData *data, TmlError *err)
{
    if (data->material.model != TML_MATERIAL_ELASTIC) {
        return tml_fail(err, TML_E_MODEL, "a plane beam needs an elastic material (E, nu)");
    }
    if (data->section.kind != TML_CROSS_RECTANGLE) {
        return tml_fail(err, TML_E_MODEL, "a plane beam needs a rectangular section");
    }
    if (data->formulation != TML_FORM_CONTINUUM) {
        return tml_fail(err, TML_E_MODEL, "a plane beam knows the formulation 'continuum' only");
    }
    return TML_OK;
}

static void constants(const TmlMaterial *m, Table *t)
{
    t->mu = m->E / (2.0 * (1.0 + m->nu));
    t->lambda = m->plane_stress ? m->E * m->nu / (1.0 - m->nu * m->nu)
                                : m->E * m->nu / ((1.0 + m->nu) * (1.0 - 2.0 * m->nu));
    t->tau = m->damping;
}

/* J_0 = (r_x, r_y) of the stress-free shape; its inverse and determinant. */
static double inverse_reference(const double *x, const double *sx, const double *sy, double inv[4])
{
    double J[4] = {0}; /* row major: d r_i / d x_j */
    for (int i = 0; i < VECTORS; ++i) {
        for (int d = 0; d < DIM; ++d) {
            J[2 * d] += sx[i] * x[2 * i + d];
            J[2 * d + 1] += sy[i] * x[2 * i + d];
        }
    }
    const double det = J[0] * J[3] - J[1] * J[2];
    inv[0] = J[3] / det;
    inv[1] = -J[1] / det;
    inv[2] = -J[2] / det;
    inv[3] = J[0] / det;
    return det;
}

/* Mass at quadrature point p: a rectangle with the moments of the mass. */
static void add_mass(Table *t, const TmlFlexData *data, const double *x0, int p)
{
    const TmlCrossSection mass = tml_section_of_mass(&data->section);
    const double xi = 0.5 * (1.0 + gauss5_x[p / NY]);
    const double y = sqrt(3.0 * mass.Iz / mass.area) * gauss3_x[p % NY];
    double s[VECTORS], sx[VECTORS], sy[VECTORS], inv[4];
    shape_values(t->length, xi, y, TML_FLEX_R, s);
    shape_values(t->length, xi, y, TML_FLEX_RX, sx);
    shape_values(t->length, xi, y, TML_FLEX_RY, sy);
    const double m = 0.25 * gauss5_w[p / NY] * gauss3_w[p % NY] * t->length * mass.area *
                     data->material.density * inverse_reference(x0, sx, sy, inv);
    for (int i = 0; i < VECTORS; ++i) {
        t->w[i] += m * s[i];
        for (int j = 0; j < VECTORS; ++j) {
            t->M[i * VECTORS + j] += m * s[i] * s[j];
        }
    }
}

static void station_fill(double l, double xi, Station *out)
{
    double sx[VECTORS], sy[VECTORS];
    shape_values(l, xi, 0.0, TML_FLEX_RX, sx);
    shape_values(l, xi, 0.0, TML_FLEX_RY, sy);
    for (int k = 0; k < 4; ++k) {
        out->a[k] = sx[axis[k]];
    }
    for (int k = 0; k < 2; ++k) {
        out->b[k] = (k == 0 ? -1.0 : 1.0) / l;
        out->c[k] = sy[across[k]];
    }
}

static TmlStatus beam_prepare(const TmlFlexData *data, const TmlFlexReference *ref, TmlArena *arena,
                              const void *last, const void **table, TmlError *err)
{
    const TmlCrossSection *section = &data->section;
    const double l = ref->size[0];
    Table *t;
    (void)last;
    TML_NEW(arena, t, 1);
    t->length = l;
    memcpy(t->reference, ref->x, sizeof t->reference);
    constants(&data->material, t);
    for (int p = 0; p < POINTS; ++p) {
        const double xi = 0.5 * (1.0 + gauss5_x[p / NY]);
        const double y = 0.5 * section->height * gauss3_x[p % NY];
        double sx[VECTORS], sy[VECTORS], inv[4];
        shape_values(l, xi, y, TML_FLEX_RX, sx);
        shape_values(l, xi, y, TML_FLEX_RY, sy);
        const double det = inverse_reference(ref->x, sx, sy, inv);
        if (!(det > 0.0)) {
            return tml_fail(err, TML_E_MODEL, "is inverted or has no size (volume ratio %.3g)",
                            det);
        }
        t->volume[p] =
            0.25 * gauss5_w[p / NY] * gauss3_w[p % NY] * l * section->height * section->width * det;
        t->y[p % NY] = y;
        memcpy(t->inverse[p], inv, sizeof inv);
        station_fill(l, xi, &t->station[p / NY]);
        add_mass(t, data, ref->x, p);
    }
    *table = t;
    return TML_OK;
}

/* a, b, c of (B5) at a station. */
typedef struct Slots {
    double a[2], b[2], c[2];
} Slots;

static inline Slots slots_of(const Station *st, const double *x)
{
    Slots s;
    for (int d = 0; d < DIM; ++d) {
        s.a[d] = st->a[0] * x[d] + st->a[1] * x[2 + d] + st->a[2] * x[6 + d] + st->a[3] * x[8 + d];
        s.b[d] = st->b[0] * x[4 + d] + st->b[1] * x[10 + d];
        s.c[d] = st->c[0] * x[4 + d] + st->c[1] * x[10 + d];
    }
    return s;
}

/* F[4] of (B5) at point p, row major. */
static inline void deformation(const Table *t, int p, const Slots *s, double F[4])
{
    const double *ga = t->inverse[p][0], *gc = t->inverse[p][1], y = t->y[p % NY];
    for (int d = 0; d < DIM; ++d) {
        const double w = s->a[d] + y * s->b[d];
        F[2 * d] = w * ga[0] + s->c[d] * gc[0];
        F[2 * d + 1] = w * ga[1] + s->c[d] * gc[1];
    }
}

/* E as E11, E22, 2 E12. */
static void strain_of(const double F[4], double E[3])
{
    E[0] = 0.5 * (F[0] * F[0] + F[2] * F[2] - 1.0);
    E[1] = 0.5 * (F[1] * F[1] + F[3] * F[3] - 1.0);
    E[2] = F[0] * F[1] + F[2] * F[3];
}

static void strain_rate(const double F[4], const double G[4], double E[3])
{
    E[0] = F[0] * G[0] + F[2] * G[2];
    E[1] = F[1] * G[1] + F[3] * G[3];
    E[2] = F[0] * G[1] + F[1] * G[0] + F[2] * G[3] + F[3] * G[2];
}

static void stress_of(const Table *t, const double E[3], double S[3])
{
    S[0] = (t->lambda + 2.0 * t->mu) * E[0] + t->lambda * E[1];
    S[1] = (t->lambda + 2.0 * t->mu) * E[1] + t->lambda * E[0];
    S[2] = t->mu * E[2];
}

/* Deformation, its rate, and the stress with its viscous part at point p; x, v: slots there. */
static inline void point_state(const Table *t, int p, const Slots *x, const Slots *v, double F[4],
                               double G[4], double S[3])
{
    double E[3], dE[3];
    deformation(t, p, x, F);
    strain_of(F, E);
    if (t->tau > 0.0) {
        deformation(t, p, v, G);
        strain_rate(F, G, dE);
        for (int k = 0; k < 3; ++k) {
            E[k] += t->tau * dE[k];
        }
    }
    stress_of(t, E, S);
}

/* Forces on the slots to the nodes. */
static void add_station(const Station *st, const Slots *h, double *f)
{
    for (int d = 0; d < DIM; ++d) {
        for (int k = 0; k < 4; ++k) {
            f[2 * axis[k] + d] += st->a[k] * h->a[d];
        }
        for (int k = 0; k < 2; ++k) {
            f[2 * across[k] + d] += st->b[k] * h->b[d] + st->c[k] * h->c[d];
        }
    }
}

static void beam_force(const TmlFlexIn *in, double *f)
{
    const Table *t = in->table;
    memset(f, 0, SIZE * sizeof *f);
    for (int i = 0; i < NX; ++i) {
        const Slots x = slots_of(&t->station[i], in->x);
        const Slots v = t->tau > 0.0 ? slots_of(&t->station[i], in->v) : x;
        Slots h = {{0}, {0}, {0}};
        for (int p = i * NY; p < (i + 1) * NY; ++p) {
            double F[4], G[4], S[3];
            point_state(t, p, &x, &v, F, G, S);
            const double *ga = t->inverse[p][0], *gc = t->inverse[p][1];
            for (int d = 0; d < DIM; ++d) {
                const double P0 = t->volume[p] * (F[2 * d] * S[0] + F[2 * d + 1] * S[2]);
                const double P1 = t->volume[p] * (F[2 * d] * S[2] + F[2 * d + 1] * S[1]);
                const double w = P0 * ga[0] + P1 * ga[1];
                h.a[d] += w;
                h.b[d] += t->y[p % NY] * w;
                h.c[d] += P0 * gc[0] + P1 * gc[1];
            }
        }
        add_station(&t->station[i], &h, f);
    }
}

/* --- tangent --------------------------------------------------------------------------------- */

enum { LOCAL = 4 }; /* a + y b and c */

/* B[3][4]: derivative of (E11, E22, 2 E12) by a + y b and c for the deformation F. */
static void strain_rows(const Table *t, int p, const double F[4], double B[3][LOCAL])
{
    for (int i = 0; i < 2; ++i) {
        const double gx = t->inverse[p][i][0], gy = t->inverse[p][i][1];
        for (int d = 0; d < DIM; ++d) {
            const double a = F[2 * d], b = F[2 * d + 1];
            B[0][2 * i + d] = a * gx;
            B[1][2 * i + d] = b * gy;
            B[2][2 * i + d] = a * gy + b * gx;
        }
    }
}

/* T = volume B^T C L: f = B^T S, dS = C L dx. */
static void material_part(const Table *t, double volume, double B[3][LOCAL], double L[3][LOCAL],
                          double T[LOCAL][LOCAL])
{
    for (int j = 0; j < LOCAL; ++j) {
        const double e[3] = {volume * L[0][j], volume * L[1][j], volume * L[2][j]};
        double s[3];
        stress_of(t, e, s);
        for (int i = 0; i < LOCAL; ++i) {
            T[i][j] = B[0][i] * s[0] + B[1][i] * s[1] + B[2][i] * s[2];
        }
    }
}

/* T += c (g_i . S g_j) times the unit matrix. */
static void stress_part(const Table *t, int p, double c, const double S[3], double T[LOCAL][LOCAL])
{
    for (int i = 0; i < 2; ++i) {
        const double *gi = t->inverse[p][i];
        const double hx = c * (S[0] * gi[0] + S[2] * gi[1]);
        const double hy = c * (S[2] * gi[0] + S[1] * gi[1]);
        for (int j = 0; j < 2; ++j) {
            const double k = hx * t->inverse[p][j][0] + hy * t->inverse[p][j][1];
            T[2 * i][2 * j] += k;
            T[2 * i + 1][2 * j + 1] += k;
        }
    }
}

/* Derivatives of the forces on slots by slots; that of b by a is that of a by b. */
typedef struct SlotTangent {
    double aa[4], ab[4], bb[4], ac[4], bc[4], ca[4], cb[4], cc[4];
} SlotTangent;

static void add_point_tangent(double y, double T[LOCAL][LOCAL], SlotTangent *s)
{
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            const int k = 2 * i + j;
            s->aa[k] += T[i][j];
            s->ab[k] += y * T[i][j];
            s->bb[k] += y * y * T[i][j];
            s->ac[k] += T[i][2 + j];
            s->bc[k] += y * T[i][2 + j];
            s->ca[k] += T[2 + i][j];
            s->cb[k] += y * T[2 + i][j];
            s->cc[k] += T[2 + i][2 + j];
        }
    }
}

/* K at vectors i and j += c X. */
static void add_block(int i, int j, double c, const double X[4], double *K)
{
    double *to = K + 2 * i * SIZE + 2 * j;
    to[0] += c * X[0];
    to[1] += c * X[1];
    to[SIZE] += c * X[2];
    to[SIZE + 1] += c * X[3];
}

static void add_station_tangent(const Station *st, const SlotTangent *s, double *K)
{
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            add_block(axis[i], axis[j], st->a[i] * st->a[j], s->aa, K);
        }
    }
    for (int i = 0; i < 2; ++i) {
        const double b = st->b[i], c = st->c[i];
        double right[4], left[4], middle[4];
        for (int k = 0; k < 4; ++k) {
            right[k] = b * s->ab[k] + c * s->ac[k];
            left[k] = b * s->ab[k] + c * s->ca[k];
        }
        for (int j = 0; j < 4; ++j) {
            add_block(axis[j], across[i], st->a[j], right, K);
            add_block(across[i], axis[j], st->a[j], left, K);
        }
        for (int j = 0; j < 2; ++j) {
            for (int k = 0; k < 4; ++k) {
                middle[k] = st->b[j] * (b * s->bb[k] + c * s->cb[k]) +
                            st->c[j] * (b * s->bc[k] + c * s->cc[k]);
            }
            add_block(across[i], across[j], 1.0, middle, K);
        }
    }
}

static void beam_tangent(const TmlFlexIn *in, double c_q, double c_v, double *K)
{
    const Table *t = in->table;
    memset(K, 0, SIZE * SIZE * sizeof *K);
    for (int i = 0; i < NX; ++i) {
        const Slots x = slots_of(&t->station[i], in->x);
        const Slots v = t->tau > 0.0 ? slots_of(&t->station[i], in->v) : x;
        SlotTangent sum = {0};
        for (int p = i * NY; p < (i + 1) * NY; ++p) {
            double F[4], G[4] = {0}, S[3], B[3][LOCAL], L[3][LOCAL], R[3][LOCAL], T[LOCAL][LOCAL];
            point_state(t, p, &x, &v, F, G, S);
            strain_rows(t, p, F, B);
            strain_rows(t, p, G, R);
            // E + tau E' changes by (c_q + tau c_v) B + c_q tau R
            for (int k = 0; k < 3; ++k) {
                for (int j = 0; j < LOCAL; ++j) {
                    L[k][j] = (c_q + t->tau * c_v) * B[k][j] + c_q * t->tau * R[k][j];
                }
            }
            material_part(t, t->volume[p], B, L, T);
            stress_part(t, p, c_q * t->volume[p], S, T);
            add_point_tangent(t->y[p % NY], T, &sum);
        }
        add_station_tangent(&t->station[i], &sum, K);
    }
}

static double beam_energy(const TmlFlexIn *in)
{
    const Table *t = in->table;
    double energy = 0.0;
    for (int p = 0; p < POINTS; ++p) {
        const Slots x = slots_of(&t->station[p / NY], in->x);
        double F[4], E[3], S[3];
        deformation(t, p, &x, F);
        strain_of(F, E);
        stress_of(t, E, S);
        energy += 0.5 * t->volume[p] * (E[0] * S[0] + E[1] * S[1] + E[2] * S[2]);
    }
    return energy;
}

static void beam_shape(const TmlFlexData *data, const void *table, const double xi[3],
                       TmlFlexKind what, double *s)
{
    (void)data;
    shape_values(((const Table *)table)->length, xi[0], xi[1], what, s);
}

static double beam_volume(const TmlFlexIn *in)
{
    const Table *t = in->table;
    double smallest = HUGE_VAL;
    Slots x;
    for (int p = 0; p < POINTS; ++p) {
        double F[4];
        x = p % NY == 0 ? slots_of(&t->station[p / NY], in->x) : x;
        deformation(t, p, &x, F);
        const double det = F[0] * F[3] - F[1] * F[2];
        smallest = det >= smallest ? smallest : det; // lets NaN through
    }
    return smallest;
}

static void beam_strain(const TmlFlexIn *in, const double xi[3], double *value)
{
    const Table *t = in->table;
    double sx[VECTORS], sy[VECTORS], inv[4], J[4] = {0}, E[3], S[3];
    shape_values(t->length, xi[0], xi[1], TML_FLEX_RX, sx);
    shape_values(t->length, xi[0], xi[1], TML_FLEX_RY, sy);
    inverse_reference(t->reference, sx, sy, inv);
    for (int i = 0; i < VECTORS; ++i) {
        for (int d = 0; d < DIM; ++d) {
            J[2 * d] += sx[i] * in->x[2 * i + d];
            J[2 * d + 1] += sy[i] * in->x[2 * i + d];
        }
    }
    // F times the direction of the stress-free axis, which J_0 has as its first column
    double R[2] = {0};
    shape_values(t->length, xi[0], 0.0, TML_FLEX_RX, sx);
    for (int i = 0; i < VECTORS; ++i) {
        R[0] += sx[i] * t->reference[2 * i];
        R[1] += sx[i] * t->reference[2 * i + 1];
    }
    const double n = hypot(R[0], R[1]), c = R[0] / n, s = R[1] / n;
    const double T[4] = {inv[0] * c + inv[1] * s, inv[1] * c - inv[0] * s, inv[2] * c + inv[3] * s,
                         inv[3] * c - inv[2] * s};
    const double F[4] = {J[0] * T[0] + J[1] * T[2], J[0] * T[1] + J[1] * T[3],
                         J[2] * T[0] + J[3] * T[2], J[2] * T[1] + J[3] * T[3]};
    strain_of(F, E);
    stress_of(t, E, S);
    value[0] = E[0];
    value[1] = E[1];
    value[2] = 0.5 * E[2];
    memcpy(value + 3, S, sizeof S);
}

static const TmlOutput beam_outputs[] = {
    {"strain_xx", "", "Green-Lagrange strain along the axis"},
    {"strain_yy", "", "Green-Lagrange strain across"},
    {"strain_xy", "", "Green-Lagrange shear strain"},
    {"stress_xx", "Pa", "second Piola-Kirchhoff stress along the axis"},
    {"stress_yy", "Pa", "second Piola-Kirchhoff stress across"},
    {"stress_xy", "Pa", "second Piola-Kirchhoff shear stress"},
    {0},
};

TML_FLEX_TYPE(beam2d) = {
    .info = {.name = "beam2d",
             .text = "Plane shear-deformable beam of two-node elements in the plane z = 0.",
             .outputs = beam_outputs},
    .topology = TML_FLEX_LINE,
    .dim = DIM,
    .nodes = 2,
    .vectors = 3,
    .kind = {TML_FLEX_R, TML_FLEX_RX, TML_FLEX_RY},
    .check = beam_check,
    .prepare = beam_prepare,
    .mass = offsetof(Table, M),
    .weight = offsetof(Table, w),
    .force = beam_force,
    .tangent = beam_tangent,
    .energy = beam_energy,
    .shape = beam_shape,
    .volume = beam_volume,
    .strain = beam_strain,
};
