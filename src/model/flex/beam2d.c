/* model/flex/beam2d.c - plane shear-deformable beam, two nodes with r, r_x, r_y.
 *
 * x from 0 to l along the axis, y across from -H/2 to H/2, xi = x/l, eta = y/l, r = sum S_i x_i:
 *
 *   (B1)  S = 1 - 3 xi^2 + 2 xi^3,  l (xi - 2 xi^2 + xi^3),  l (eta - xi eta),
 *             3 xi^2 - 2 xi^3,      l (xi^3 - xi^2),         l xi eta
 *   (B2)  F = J J_0^-1 with J = (r_x, r_y), J_0 that of the stress-free shape
 *   (B3)  E = (F^T F - 1)/2,  S = (lambda tr E + 2 mu E) of E + tau E'      St Venant-Kirchhoff
 *   (B4)  f_i = integral of F S grad S_i,  grad S_i = J_0^-T (S_i,x, S_i,y)
 *
 * with 5 x 3 Gauss points: exact for straight elements. [000] and [002] use this element for their
 * pendulum; in bending it is too stiff (shear and Poisson locking), which belongs to the element.
 */
#include "model/flex.h"

#include "base/fail.h"
#include "model/registry.h"

#include <math.h>
#include <string.h>

enum { VECTORS = 6, DIM = 2, SIZE = 12, NX = 5, NY = 3, POINTS = NX * NY };

typedef struct Table {
    double length, lambda, mu, tau;
    double M[VECTORS * VECTORS], w[VECTORS];
    double volume[POINTS];           /* weight of each point, m^3 */
    double grad[POINTS][VECTORS][2]; /* (B4) */
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

static void add_point(Table *t, int p, double rho, const double *s)
{
    for (int i = 0; i < VECTORS; ++i) {
        t->w[i] += rho * t->volume[p] * s[i];
        for (int j = 0; j < VECTORS; ++j) {
            t->M[i * VECTORS + j] += rho * t->volume[p] * s[i] * s[j];
        }
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
        double s[VECTORS], sx[VECTORS], sy[VECTORS], inv[4];
        shape_values(l, xi, y, TML_FLEX_R, s);
        shape_values(l, xi, y, TML_FLEX_RX, sx);
        shape_values(l, xi, y, TML_FLEX_RY, sy);
        const double det = inverse_reference(ref->x, sx, sy, inv);
        if (!(det > 0.0)) {
            return tml_fail(err, TML_E_MODEL, "is inverted or has no size (volume ratio %.3g)",
                            det);
        }
        t->volume[p] =
            0.25 * gauss5_w[p / NY] * gauss3_w[p % NY] * l * section->height * section->width * det;
        for (int i = 0; i < VECTORS; ++i) {
            t->grad[p][i][0] = inv[0] * sx[i] + inv[2] * sy[i];
            t->grad[p][i][1] = inv[1] * sx[i] + inv[3] * sy[i];
        }
        add_point(t, p, data->material.density, s);
    }
    *table = t;
    return TML_OK;
}

static const double *beam_mass(const TmlFlexData *data, const void *table)
{
    (void)data;
    return ((const Table *)table)->M;
}

static const double *beam_weight(const TmlFlexData *data, const void *table)
{
    (void)data;
    return ((const Table *)table)->w;
}

/* F[4] = sum x_i grad S_i, row major. */
static void deformation(const Table *t, int p, const double *x, double F[4])
{
    F[0] = F[1] = F[2] = F[3] = 0.0;
    for (int i = 0; i < VECTORS; ++i) {
        const double gx = t->grad[p][i][0], gy = t->grad[p][i][1];
        F[0] += x[2 * i] * gx;
        F[1] += x[2 * i] * gy;
        F[2] += x[2 * i + 1] * gx;
        F[3] += x[2 * i + 1] * gy;
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

/* Deformation, its rate, and the stress with its viscous part at point p. */
static void point_state(const TmlFlexIn *in, int p, double F[4], double G[4], double S[3])
{
    const Table *t = in->table;
    double E[3], dE[3];
    deformation(t, p, in->x, F);
    strain_of(F, E);
    if (t->tau > 0.0) {
        deformation(t, p, in->v, G);
        strain_rate(F, G, dE);
        for (int k = 0; k < 3; ++k) {
            E[k] += t->tau * dE[k];
        }
    }
    stress_of(t, E, S);
}

static void beam_force(const TmlFlexIn *in, double *f)
{
    const Table *t = in->table;
    memset(f, 0, SIZE * sizeof *f);
    for (int p = 0; p < POINTS; ++p) {
        double F[4], G[4], S[3];
        point_state(in, p, F, G, S);
        const double P[4] = {F[0] * S[0] + F[1] * S[2], F[0] * S[2] + F[1] * S[1],
                             F[2] * S[0] + F[3] * S[2], F[2] * S[2] + F[3] * S[1]};
        for (int i = 0; i < VECTORS; ++i) {
            const double gx = t->volume[p] * t->grad[p][i][0];
            const double gy = t->volume[p] * t->grad[p][i][1];
            f[2 * i] += P[0] * gx + P[1] * gy;
            f[2 * i + 1] += P[2] * gx + P[3] * gy;
        }
    }
}

/* B[3][12]: derivative of (E11, E22, 2 E12) by x for the deformation F. */
static void strain_rows(const Table *t, int p, const double F[4], double B[3][SIZE])
{
    for (int i = 0; i < VECTORS; ++i) {
        const double gx = t->grad[p][i][0], gy = t->grad[p][i][1];
        for (int d = 0; d < DIM; ++d) {
            const double a = F[2 * d], b = F[2 * d + 1];
            B[0][2 * i + d] = a * gx;
            B[1][2 * i + d] = b * gy;
            B[2][2 * i + d] = a * gy + b * gx;
        }
    }
}

/* K += volume B^T C L: f = B^T S, dS = C L dx. */
static void add_material(const Table *t, double volume, double B[3][SIZE], double L[3][SIZE],
                         double *K)
{
    double CL[3][SIZE];
    for (int j = 0; j < SIZE; ++j) {
        const double e[3] = {L[0][j], L[1][j], L[2][j]};
        double s[3];
        stress_of(t, e, s);
        for (int k = 0; k < 3; ++k) {
            CL[k][j] = volume * s[k];
        }
    }
    for (int i = 0; i < SIZE; ++i) {
        for (int j = 0; j < SIZE; ++j) {
            K[i * SIZE + j] += B[0][i] * CL[0][j] + B[1][i] * CL[1][j] + B[2][i] * CL[2][j];
        }
    }
}

/* K += c * volume (grad S_i . S grad S_j) times the unit matrix. */
static void add_stress(const Table *t, int p, double c, const double S[3], double *K)
{
    for (int i = 0; i < VECTORS; ++i) {
        const double *gi = t->grad[p][i];
        const double hx = c * t->volume[p] * (S[0] * gi[0] + S[2] * gi[1]);
        const double hy = c * t->volume[p] * (S[2] * gi[0] + S[1] * gi[1]);
        for (int j = 0; j < VECTORS; ++j) {
            const double k = hx * t->grad[p][j][0] + hy * t->grad[p][j][1];
            K[2 * i * SIZE + 2 * j] += k;
            K[(2 * i + 1) * SIZE + 2 * j + 1] += k;
        }
    }
}

/* The stress of E without the square of the move: E is quadratic in x. */
static void linear_stress(const Table *t, int p, const double *moved, double S[3])
{
    double D[4], E[3], less[3];
    deformation(t, p, moved, D);
    strain_of(D, E);
    E[0] += 0.5; // strain_of subtracts the unit matrix
    E[1] += 0.5;
    stress_of(t, E, less);
    for (int k = 0; k < 3; ++k) {
        S[k] -= less[k];
    }
}

static void beam_tangent(const TmlFlexIn *in, double c_q, double c_v, double *K)
{
    const Table *t = in->table;
    memset(K, 0, SIZE * SIZE * sizeof *K);
    for (int p = 0; p < POINTS; ++p) {
        double F[4], G[4] = {0}, S[3], B[3][SIZE], L[3][SIZE], R[3][SIZE];
        point_state(in, p, F, G, S);
        strain_rows(t, p, F, B);
        strain_rows(t, p, G, R);
        // E + tau E' changes by (c_q + tau c_v) B + c_q tau R
        for (int k = 0; k < 3; ++k) {
            for (int j = 0; j < SIZE; ++j) {
                L[k][j] = (c_q + t->tau * c_v) * B[k][j] + c_q * t->tau * R[k][j];
            }
        }
        add_material(t, t->volume[p], B, L, K);
        if (in->moved != NULL) {
            linear_stress(t, p, in->moved, S);
        }
        add_stress(t, p, c_q, S, K);
    }
}

static double beam_energy(const TmlFlexIn *in)
{
    const Table *t = in->table;
    double energy = 0.0;
    for (int p = 0; p < POINTS; ++p) {
        double F[4], E[3], S[3];
        deformation(t, p, in->x, F);
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
    double smallest = HUGE_VAL;
    for (int p = 0; p < POINTS; ++p) {
        double F[4];
        deformation(in->table, p, in->x, F);
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

const TmlFlexType tml_flex_beam2d = {
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
    .mass = beam_mass,
    .weight = beam_weight,
    .force = beam_force,
    .tangent = beam_tangent,
    .energy = beam_energy,
    .shape = beam_shape,
    .volume = beam_volume,
    .strain = beam_strain,
};
