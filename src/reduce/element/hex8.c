/* reduce/element/hex8.c - hexahedron of eight nodes, 2 x 2 x 2 points: too stiff in bending. */
#include "reduce/element/hex.h"
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"

static const char *const inp[] = {"C3D8", NULL};

TML_FE_TYPE(hex8) = {
    .name = "hex8",
    .text = "Hexahedron of eight nodes with full integration; too stiff in bending.",
    .inp = inp,
    .n_nodes = 8,
    .n_corners = 8,
    .n_freedoms = 3,
    .n_faces = 6,
    .n_around = 4,
    .face = &tml_hex8_face[0][0],
    .node_at = tml_hex_node_at,
    .shape = tml_hex8_shape,
    .stiffness_points = tml_hex_points_8,
    .mass_points = tml_hex_points_8,
    .check = tml_iso_check,
    .stiffness = tml_iso_stiffness,
    .mass = tml_iso_mass,
    .scalar_mass = tml_iso_scalar_mass,
    .n_stress = 8,
    .stress = tml_iso_stress,
    .to_nodes = tml_hex_to_nodes,
    .geometric = tml_iso_geometric,
};
