/* reduce/element/tet10.c - tetrahedron of ten nodes: quadratic displacements.
 *
 * With barycentric coordinates L_1..4:
 *
 *   (T2)  corners N_i = L_i (2 L_i - 1), edges N_ij = 4 L_i L_j
 *
 * Stiffness by four points, mass by fifteen, which is exact where edges are straight: the matrices
 * of C3D10 in Abaqus.
 */
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"

static const double node_at[10][3] = {{0, 0, 0},     {1, 0, 0},     {0, 1, 0},   {0, 0, 1},
                                      {0.5, 0, 0},   {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5},
                                      {0.5, 0, 0.5}, {0, 0.5, 0.5}};
static const int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
static const int faces[4][6] = {
    {0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}};
static const int from_msh[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const char *const inp[] = {"C3D10", "C3D10M", "C3D10I", NULL};

static void tet10_shape(const double at[3], double *N, double (*dN)[3])
{
    static const double slope[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double L[4] = {1.0 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int a = 0; a < 4; ++a) { // (T2)
        N[a] = L[a] * (2.0 * L[a] - 1.0);
        for (int i = 0; i < 3; ++i) {
            dN[a][i] = (4.0 * L[a] - 1.0) * slope[a][i];
        }
    }
    for (int k = 0; k < 6; ++k) {
        const int a = edges[k][0], b = edges[k][1];
        N[4 + k] = 4.0 * L[a] * L[b];
        for (int i = 0; i < 3; ++i) {
            dN[4 + k][i] = 4.0 * (L[a] * slope[b][i] + L[b] * slope[a][i]);
        }
    }
}

TML_FE_TYPE(tet10) = {
    .name = "tet10",
    .text = "Tetrahedron of ten nodes, quadratic.",
    .inp = inp,
    .msh = 11,
    .msh_order = from_msh,
    .n_nodes = 10,
    .n_corners = 4,
    .n_freedoms = 3,
    .edge = edges,
    .n_faces = 4,
    .n_around = 6,
    .face = &faces[0][0],
    .node_at = node_at,
    .shape = tet10_shape,
    .stiffness_points = tml_tet_points_4,
    .mass_points = tml_tet_points_15,
    .check = tml_iso_check,
    .stiffness = tml_iso_stiffness,
    .mass = tml_iso_mass,
    .scalar_mass = tml_iso_scalar_mass,
    .n_stress = 4,
    .stress = tml_iso_stress,
    .to_nodes = tml_tet_to_nodes,
    .geometric = tml_iso_geometric,
};
