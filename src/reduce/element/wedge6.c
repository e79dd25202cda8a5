/* reduce/element/wedge6.c - wedge of six nodes: bilinear displacements; two points for the stiffness, as in Abaqus and CalculiX.
 *
 * With barycentric coordinates L_1..3 of the triangle and z from -1 to 1 along the axis:
 *
 *   (W1)  N_i = L_i (1 - z) / 2 at the bottom, L_i (1 + z) / 2 at the top
 */
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"
#include "reduce/element/wedge.h"

/* -1: a face of three nodes. */
static const int faces[5][4] = {
    {0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
static const char *const inp[] = {"C3D6", NULL};

const double tml_wedge_node_at[15][3] = {{0, 0, -1},   {1, 0, -1},  {0, 1, -1},    {0, 0, 1},
                                         {1, 0, 1},    {0, 1, 1},   {0.5, 0, -1},  {0.5, 0.5, -1},
                                         {0, 0.5, -1}, {0.5, 0, 1}, {0.5, 0.5, 1}, {0, 0.5, 1},
                                         {0, 0, 0},    {1, 0, 0},   {0, 1, 0}};

static void wedge6_shape(const double at[3], double *N, double (*dN)[3])
{
    static const double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    const double L[3] = {1.0 - at[0] - at[1], at[0], at[1]};
    for (int a = 0; a < 6; ++a) { // (W1)
        const int i = a % 3;
        const double s = a < 3 ? -0.5 : 0.5, f = 0.5 + s * at[2];
        N[a] = L[i] * f;
        dN[a][0] = slope[i][0] * f;
        dN[a][1] = slope[i][1] * f;
        dN[a][2] = L[i] * s;
    }
}

void tml_wedge_to_nodes(const TmlFeOne *e, const double *stress, double *out)
{
    TmlFePoint point[TML_FE_POINTS];
    double weight[TML_FE_POINTS];
    const int count = e->type->stiffness_points(point);
    for (int a = 0; a < e->type->n_nodes; ++a) {
        tml_wedge_continue(count, point, e->type->node_at[a], weight);
        for (int i = 0; i < 6; ++i) {
            out[6 * a + i] = 0.0;
            for (int k = 0; k < count; ++k) {
                out[6 * a + i] += weight[k] * stress[6 * k + i];
            }
        }
    }
}

TML_FE_TYPE(wedge6) = {
    .name = "wedge6",
    .text = "Wedge of six nodes; too stiff in bending: for gaps between hexahedra.",
    .inp = inp,
    .msh = 6,
    .n_nodes = 6,
    .n_corners = 6,
    .n_freedoms = 3,
    .n_faces = 5,
    .n_around = 4,
    .face = &faces[0][0],
    .node_at = tml_wedge_node_at,
    .shape = wedge6_shape,
    .stiffness_points = tml_wedge_points_2,
    .mass_points = tml_wedge_points_18,
    .check = tml_iso_check,
    .stiffness = tml_iso_stiffness,
    .mass = tml_iso_mass,
    .scalar_mass = tml_iso_scalar_mass,
    .n_stress = 2,
    .stress = tml_iso_stress,
    .to_nodes = tml_wedge_to_nodes,
    .geometric = tml_iso_geometric,
};
