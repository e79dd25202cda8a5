/* reduce/element/tet4.c - tetrahedron of four nodes: constant strain.
 *
 *   (T1)  N = (1 - r - s - t, r, s, t)
 *
 * It is far too stiff in bending; that of ten nodes is the one to use.
 */
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"

#include <string.h>

static const double node_at[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
static const char *const inp[] = {"C3D4", NULL};

static void tet4_shape(const double at[3], double *N, double (*dN)[3])
{
    static const double slope[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    N[0] = 1.0 - at[0] - at[1] - at[2]; // (T1)
    memcpy(N + 1, at, 3 * sizeof *N);
    memcpy(dN, slope, sizeof slope);
}

TML_FE_TYPE(tet4) = {
    .name = "tet4",
    .text = "Tetrahedron of four nodes; far too stiff in bending.",
    .inp = inp,
    .msh = 4,
    .n_nodes = 4,
    .n_corners = 4,
    .n_freedoms = 3,
    .n_faces = 4,
    .n_around = 3,
    .face = &faces[0][0],
    .node_at = node_at,
    .shape = tet4_shape,
    .stiffness_points = tml_tet_points_1,
    .mass_points = tml_tet_points_4,
    .check = tml_iso_check,
    .stiffness = tml_iso_stiffness,
    .mass = tml_iso_mass,
    .scalar_mass = tml_iso_scalar_mass,
    .n_stress = 1,
    .stress = tml_iso_stress,
    .to_nodes = tml_tet_to_nodes,
    .geometric = tml_iso_geometric,
};
