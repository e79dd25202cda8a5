/* model/flexible/mechanics/solid_beam.c - (C1) of solid_beam.h: forces and tangents by slots.
 *
 *   (C2)  columns Q = P T^T of the force of a point go to r_x, r_y, r_z, and y, z times the first
 *         to r_yx, r_zx; tangents the same way on both sides
 *   (C3)  formulation `enhanced`: S = D_0 E at (y, z), D_0 = diag(E, E, E, k_y G, k_z G, G),
 *         and (D - D_0) E on the axis: Poisson's effect without the bending that it would resist
 */
#include "model/flexible/mechanics/solid_beam.h"

#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flexible/mechanics/section.h"

#include <math.h>
#include <string.h>

/* Columns of J at (y, z). */
static void gradient(double g[TML_SLOTS][3], double y, double z, double *J)
{
    for (int d = 0; d < 3; ++d) {
        J[d] = g[TML_SLOT_RX][d] + y * g[TML_SLOT_RYX][d] + z * g[TML_SLOT_RZX][d];
        J[3 + d] = g[TML_SLOT_RY][d];
        J[6 + d] = g[TML_SLOT_RZ][d];
    }
}

static TmlVec3 column(const double *J, int k)
{
    return v3(J[3 * k], J[3 * k + 1], J[3 * k + 2]);
}

double tml_beam_reference(const TmlStationMap *map, const TmlStation *s, const double *x0, double y,
                          double z, double *T)
{
    double g[TML_SLOTS][3], J[9], J_axis[9];
    tml_station_gather(map, s, x0, g);
    gradient(g, y, z, J);
    gradient(g, 0.0, 0.0, J_axis);
    return tml_flex_axes(J, J_axis, T);
}

static TmlStatus add_point(TmlBeamSolid *b, int k, const TmlFlexReference *ref, double length,
                           TmlSectionPoint at, TmlError *err)
{
    TmlBeamPoint *p = &b->point[k][b->n_points];
    *p = (TmlBeamPoint){.y = at.y, .z = at.z};
    const double det = tml_beam_reference(&b->map, &b->station[k], ref->x, at.y, at.z, p->T);
    if (!(det > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "is inverted or has no size (volume ratio %.3g)", det);
    }
    p->volume = at.area * length * det;
    for (int i = 0; i < 9; ++i) {
        // gradients of a straight axis are unit vectors up to rounding
        b->straight = b->straight && fabs(p->T[i] - (i % 4 == 0 ? 1.0 : 0.0)) < 1e-13;
    }
    return TML_OK;
}

void tml_beam_split_law(const TmlFlexData *data, TmlSolid *law, TmlSolid *axis_law)
{
    *law = tml_solid_isotropic(&data->material);
    *axis_law = (TmlSolid){.tau = law->tau};
    if (data->formulation == TML_FORM_CONTINUUM) {
        return;
    }
    for (int k = 0; k < 9; ++k) {
        const double E = k % 4 == 0 ? data->material.E : 0.0;
        if (data->formulation == TML_FORM_ENHANCED) {
            axis_law->N[k / 3][k % 3] = law->N[k / 3][k % 3] - E;
        }
        law->N[k / 3][k % 3] = E;
    }
    law->G[0] *= data->section.shear_y;
    law->G[1] *= data->section.shear_z;
}

TmlStatus tml_beam_solid_init(TmlBeamSolid *b, const TmlFlexData *data, const TmlFlexReference *ref,
                              TmlBeamShape *shape, int stations, TmlError *err)
{
    TmlSectionPoint section[TML_SECTION_POINTS + 1];
    double xi[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
    const int n = tml_section_rule(&data->section, section);
    tml_beam_split_law(data, &b->law, &b->axis_law);
    b->n_axis = data->formulation == TML_FORM_ENHANCED ? 1 : 0;
    section[n] = (TmlSectionPoint){0.0, 0.0, data->section.area};
    b->n_stations = stations;
    b->straight = true;
    tml_gauss(stations, xi, w);
    for (int k = 0; k < stations; ++k) {
        shape(ref->size[0], xi[k], &b->station[k]);
        for (b->n_points = 0; b->n_points < n + b->n_axis; ++b->n_points) {
            TML_TRY(add_point(b, k, ref, w[k] * ref->size[0], section[b->n_points], err));
        }
    }
    return TML_OK;
}

void tml_beam_mass(const TmlStationMap *map, const TmlFlexData *data, const TmlFlexReference *ref,
                   TmlBeamShape *shape, double *M, double *w)
{
    TmlSectionPoint section[TML_SECTION_POINTS];
    double xi[TML_GAUSS_MAX], weight[TML_GAUSS_MAX];
    const int points = tml_section_mass_rule(&data->section, section), n = map->n;
    tml_gauss(TML_GAUSS_MAX, xi, weight);
    for (int k = 0; k < TML_GAUSS_MAX * points; ++k) {
        const TmlSectionPoint *at = &section[k % points];
        TmlStation s;
        double T[9], value[TML_FLEX_MAX_VECTORS];
        shape(ref->size[0], xi[k / points], &s);
        const double m = data->material.density * at->area * weight[k / points] * ref->size[0] *
                         tml_beam_reference(map, &s, ref->x, at->y, at->z, T);
        for (int i = 0; i < n; ++i) {
            const double across[3] = {1.0, at->y, at->z};
            value[i] = s.s[i] * across[map->p[i]];
            w[i] += m * value[i];
        }
        for (int i = 0; i < n * n; ++i) {
            M[i] += m * value[i / n] * value[i % n];
        }
    }
}

/* F = J T at a point. */
static void deformation(const TmlBeamSolid *b, const TmlBeamPoint *p, double g[TML_SLOTS][3],
                        double *F)
{
    if (b->straight) {
        gradient(g, p->y, p->z, F);
        return;
    }
    double J[9];
    gradient(g, p->y, p->z, J);
    for (int a = 0; a < 3; ++a) {
        const double *T = p->T + 3 * a;
        for (int d = 0; d < 3; ++d) {
            F[3 * a + d] = J[d] * T[0] + J[3 + d] * T[1] + J[6 + d] * T[2];
        }
    }
}

/* strain[6] and S[6] of a law at (y, z) of a station. */
static void point_stress(const TmlStationMap *map, const TmlStation *s, const double *x0,
                         const double *x, double y, double z, const TmlSolid *law, double *strain,
                         double *S)
{
    const TmlBeamSolid curved = {.straight = false};
    TmlBeamPoint p = {.y = y, .z = z};
    double g[TML_SLOTS][3], F[9];
    tml_beam_reference(map, s, x0, y, z, p.T);
    tml_station_gather(map, s, x, g);
    deformation(&curved, &p, g, F);
    tml_solid_stress(law, F, NULL, strain, S);
}

void tml_beam_values(const TmlStationMap *map, const TmlStation *at, const double *x0,
                     const double *x, const double xi[3], const TmlSolid *law,
                     const TmlSolid *axis_law, double *value)
{
    double S[6], S_axis[6];
    point_stress(map, at, x0, x, 0.0, 0.0, axis_law, value, S_axis);
    point_stress(map, at, x0, x, xi[1], xi[2], law, value, S);
    for (int k = 0; k < 6; ++k) {
        value[k] *= k < 3 ? 1.0 : 0.5;
        value[6 + k] = S[k] + S_axis[k];
    }
}

const TmlOutput tml_beam_outputs[] = {
    {"strain_xx", "", "Green-Lagrange strain along the axis"},
    {"strain_yy", "", "Green-Lagrange strain along y of the section"},
    {"strain_zz", "", "Green-Lagrange strain along z of the section"},
    {"strain_xy", "", "Green-Lagrange shear strain"},
    {"strain_xz", "", "Green-Lagrange shear strain"},
    {"strain_yz", "", "Green-Lagrange shear strain"},
    {"stress_xx", "Pa", "second Piola-Kirchhoff stress along the axis"},
    {"stress_yy", "Pa", "second Piola-Kirchhoff stress along y of the section"},
    {"stress_zz", "Pa", "second Piola-Kirchhoff stress along z of the section"},
    {"stress_xy", "Pa", "second Piola-Kirchhoff shear stress"},
    {"stress_xz", "Pa", "second Piola-Kirchhoff shear stress"},
    {"stress_yz", "Pa", "second Piola-Kirchhoff shear stress"},
    {0},
};

void tml_beam_weights(const TmlStationMap *map, const TmlStation *at, const double xi[3],
                      TmlFlexKind what, double *s)
{
    for (int i = 0; i < map->n; ++i) {
        const bool y = map->p[i] == TML_SLOT_RY, z = map->p[i] == TML_SLOT_RZ;
        const double across = y ? xi[1] : z ? xi[2] : 1.0;
        switch (what) {
        case TML_FLEX_R:
            s[i] = across * at->s[i];
            break;
        case TML_FLEX_RX:
            s[i] = y || z ? across * at->q[i] : at->p[i];
            break;
        case TML_FLEX_RY:
            s[i] = y ? at->s[i] : 0.0;
            break;
        case TML_FLEX_RZ:
        case TML_FLEX_KINDS:
        default:
            s[i] = z ? at->s[i] : 0.0;
            break;
        }
    }
}

static const TmlSolid *law_of(const TmlBeamSolid *b, int point)
{
    return point < b->n_points - b->n_axis ? &b->law : &b->axis_law;
}

/* (C2) for a force P on the columns of F. */
static void add_force(const TmlBeamSolid *b, const TmlBeamPoint *p, const double *P,
                      double h[TML_SLOTS][3])
{
    double Q[9];
    const double *at = P;
    if (!b->straight) {
        for (int k = 0; k < 9; ++k) {
            const int c = k / 3, d = k % 3;
            Q[k] = p->T[c] * P[d] + p->T[3 + c] * P[3 + d] + p->T[6 + c] * P[6 + d];
        }
        at = Q;
    }
    for (int d = 0; d < 3; ++d) {
        const double x = p->volume * at[d];
        h[TML_SLOT_RX][d] += x;
        h[TML_SLOT_RYX][d] += p->y * x;
        h[TML_SLOT_RZX][d] += p->z * x;
        h[TML_SLOT_RY][d] += p->volume * at[3 + d];
        h[TML_SLOT_RZ][d] += p->volume * at[6 + d];
    }
}

void tml_beam_solid_force(const TmlBeamSolid *b, const double *x, const double *v, double *f)
{
    const bool moving = b->law.tau > 0.0;
    memset(f, 0, 3 * (size_t)b->map.n * sizeof *f);
    for (int k = 0; k < b->n_stations; ++k) {
        double g[TML_SLOTS][3], rate[TML_SLOTS][3], h[TML_SLOTS][3] = {{0}};
        tml_station_gather(&b->map, &b->station[k], x, g);
        if (moving) {
            tml_station_gather(&b->map, &b->station[k], v, rate);
        }
        for (int i = 0; i < b->n_points; ++i) {
            const TmlBeamPoint *p = &b->point[k][i];
            double F[9], V[9], S[6], P[9];
            deformation(b, p, g, F);
            if (moving) {
                deformation(b, p, rate, V);
            }
            tml_solid_stress(law_of(b, i), F, moving ? V : NULL, NULL, S);
            tml_solid_piola(F, S, P);
            add_force(b, p, P, h);
        }
        tml_station_scatter(&b->map, &b->station[k], h, f);
    }
}

static void add_block(double s, const double *A, double *H)
{
    for (int i = 0; i < 9; ++i) {
        H[i] += s * A[i];
    }
}

static const TmlSlot to[3] = {TML_SLOT_RX, TML_SLOT_RYX, TML_SLOT_RZX};

/* (C2) for a tangent: column 0 goes to three slots, the others to one. Blocks between the three are
 * the same on both sides of the diagonal: complete() fills the other side. */
static void add_tangent(const TmlBeamPoint *p, double A[3][3][9], double H[TML_SLOTS][TML_SLOTS][9])
{
    static const TmlSlot own[3] = {TML_SLOT_RX, TML_SLOT_RY, TML_SLOT_RZ};
    const double w[3] = {p->volume, p->volume * p->y, p->volume * p->z};
    const double c[3] = {1.0, p->y, p->z};
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            add_block(w[i] * c[j], A[0][0], H[to[i]][to[j]]);
        }
        for (int j = 1; j < 3; ++j) {
            add_block(w[i], A[0][j], H[to[i]][own[j]]);
            add_block(w[i], A[j][0], H[own[j]][to[i]]);
        }
    }
    for (int i = 1; i < 3; ++i) {
        for (int j = 1; j < 3; ++j) {
            add_block(w[0], A[i][j], H[own[i]][own[j]]);
        }
    }
}

static void complete(double H[TML_SLOTS][TML_SLOTS][9])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < i; ++j) {
            memcpy(H[to[i]][to[j]], H[to[j]][to[i]], sizeof H[0][0]);
        }
    }
}

void tml_beam_solid_tangent(const TmlBeamSolid *b, const TmlFlexIn *in, double c_q, double c_v,
                            double *K)
{
    const bool moving = b->law.tau > 0.0;
    memset(K, 0, 9 * (size_t)(b->map.n * b->map.n) * sizeof *K);
    for (int k = 0; k < b->n_stations; ++k) {
        double g[TML_SLOTS][3], rate[TML_SLOTS][3], moved[TML_SLOTS][3], H[TML_SLOTS][TML_SLOTS][9];
        memset(H, 0, sizeof H);
        tml_station_gather(&b->map, &b->station[k], in->x, g);
        if (moving) {
            tml_station_gather(&b->map, &b->station[k], in->v, rate);
        }
        if (in->moved != NULL) {
            tml_station_gather(&b->map, &b->station[k], in->moved, moved);
        }
        for (int i = 0; i < b->n_points; ++i) {
            const TmlBeamPoint *p = &b->point[k][i];
            double F[9], V[9], A[3][3][9];
            deformation(b, p, g, F);
            if (moving) {
                deformation(b, p, rate, V);
            }
            tml_solid_tangent(law_of(b, i), F, moving ? V : NULL, c_q, c_v, A);
            if (in->moved != NULL) {
                deformation(b, p, moved, V);
                tml_solid_linear(law_of(b, i), V, c_q, A);
            }
            if (!b->straight) {
                tml_solid_pull_back(p->T, A);
            }
            add_tangent(p, A, H);
        }
        complete(H);
        tml_station_expand(&b->map, &b->station[k], H, K);
    }
}

double tml_beam_solid_energy(const TmlBeamSolid *b, const double *x)
{
    double energy = 0.0;
    for (int k = 0; k < b->n_stations; ++k) {
        double g[TML_SLOTS][3];
        tml_station_gather(&b->map, &b->station[k], x, g);
        for (int i = 0; i < b->n_points; ++i) {
            double F[9];
            deformation(b, &b->point[k][i], g, F);
            energy += b->point[k][i].volume * tml_solid_energy(law_of(b, i), F);
        }
    }
    return energy;
}

double tml_beam_solid_volume(const TmlBeamSolid *b, const double *x)
{
    double smallest = HUGE_VAL;
    for (int k = 0; k < b->n_stations; ++k) {
        double g[TML_SLOTS][3];
        tml_station_gather(&b->map, &b->station[k], x, g);
        for (int i = 0; i < b->n_points; ++i) {
            double F[9];
            deformation(b, &b->point[k][i], g, F);
            const double det = v3_dot(column(F, 0), v3_cross(column(F, 1), column(F, 2)));
            smallest = det >= smallest ? smallest : det; // lets NaN through
        }
    }
    return smallest;
}
