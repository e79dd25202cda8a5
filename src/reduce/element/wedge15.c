/* reduce/element/wedge15.c - wedge of fifteen nodes: quadratic displacements; nine points for the stiffness.
 *
 * With barycentric coordinates L_1..3 of the triangle, z along the axis and s = -1 at the bottom, 1 at the top:
 *
 *   (W2)  corners N = L_i ((2 L_i - 1) (1 + s z) - (1 - z^2)) / 2
 *         edges of the triangles N = 2 L_i L_j (1 + s z), edges along the axis N = L_i (1 - z^2)
 */
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"
#include "reduce/element/wedge.h"

static const int edges[9][2] = {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5},
                                {3, 5}, {0, 3}, {1, 4}, {2, 5}};
/* -1: faces of six nodes. */
static const int faces[5][8] = {{0, 2, 1, 8, 7, 6, -1, -1},
                                {3, 4, 5, 9, 10, 11, -1, -1},
                                {0, 1, 4, 3, 6, 13, 9, 12},
                                {1, 2, 5, 4, 7, 14, 10, 13},
                                {2, 0, 3, 5, 8, 12, 11, 14}};
static const int from_msh[15] = {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11};
static const char *const inp[] = {"C3D15", NULL};

static const double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};

static void corner_shape(int a, const double L[3], double z, double *N, double *dN)
{
    const int i = a % 3;
    const double s = a < 3 ? -1.0 : 1.0, up = 1.0 + s * z, low = 1.0 - z * z;
    const double by_L = 0.5 * ((4.0 * L[i] - 1.0) * up - low);
    *N = 0.5 * L[i] * ((2.0 * L[i] - 1.0) * up - low); // (W2)
    dN[0] = by_L * slope[i][0];
    dN[1] = by_L * slope[i][1];
    dN[2] = 0.5 * L[i] * ((2.0 * L[i] - 1.0) * s + 2.0 * z);
}

static void edge_shape(int k, const double L[3], double z, double *N, double *dN)
{
    const int i = edges[k][0] % 3, j = edges[k][1] % 3;
    if (k >= 6) { // along the axis
        const double low = 1.0 - z * z;
        *N = L[i] * low;
        dN[0] = slope[i][0] * low;
        dN[1] = slope[i][1] * low;
        dN[2] = -2.0 * z * L[i];
        return;
    }
    const double s = k < 3 ? -1.0 : 1.0, up = 2.0 * (1.0 + s * z);
    *N = L[i] * L[j] * up;
    dN[0] = (slope[i][0] * L[j] + L[i] * slope[j][0]) * up;
    dN[1] = (slope[i][1] * L[j] + L[i] * slope[j][1]) * up;
    dN[2] = 2.0 * s * L[i] * L[j];
}

static void wedge15_shape(const double at[3], double *N, double (*dN)[3])
{
    const double L[3] = {1.0 - at[0] - at[1], at[0], at[1]};
    for (int a = 0; a < 6; ++a) {
        corner_shape(a, L, at[2], &N[a], dN[a]);
    }
    for (int k = 0; k < 9; ++k) {
        edge_shape(k, L, at[2], &N[6 + k], dN[6 + k]);
    }
}

TML_FE_TYPE(wedge15) = {
    .name = "wedge15",
    .text = "Wedge of fifteen nodes, quadratic.",
    .inp = inp,
    .msh = 18,
    .msh_order = from_msh,
    .n_nodes = 15,
    .n_corners = 6,
    .n_freedoms = 3,
    .edge = edges,
    .n_faces = 5,
    .n_around = 8,
    .face = &faces[0][0],
    .node_at = tml_wedge_node_at,
    .shape = wedge15_shape,
    .stiffness_points = tml_wedge_points_9,
    .mass_points = tml_wedge_points_18,
    .check = tml_iso_check,
    .stiffness = tml_iso_stiffness,
    .mass = tml_iso_mass,
    .scalar_mass = tml_iso_scalar_mass,
    .n_stress = 9,
    .stress = tml_iso_stress,
    .to_nodes = tml_wedge_to_nodes,
    .geometric = tml_iso_geometric,
};
