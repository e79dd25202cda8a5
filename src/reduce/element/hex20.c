/* reduce/element/hex20.c - hexahedron of twenty nodes, 3 x 3 x 3 points. */
#include "reduce/element/hex.h"
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"

static const char *const inp[] = {"C3D20", NULL};

TML_FE_TYPE(hex20) = {
    .name = "hex20",
    .text = "Hexahedron of twenty nodes, quadratic, with full integration.",
    .inp = inp,
    .msh = 17,
    .msh_order = tml_hex20_msh,
    .n_nodes = 20,
    .n_corners = 8,
    .n_freedoms = 3,
    .edge = tml_hex_edge,
    .n_faces = 6,
    .n_around = 8,
    .face = &tml_hex20_face[0][0],
    .node_at = tml_hex_node_at,
    .shape = tml_hex20_shape,
    .stiffness_points = tml_hex_points_27,
    .mass_points = tml_hex_points_27,
    .check = tml_iso_check,
    .stiffness = tml_iso_stiffness,
    .mass = tml_iso_mass,
    .scalar_mass = tml_iso_scalar_mass,
    .n_stress = 27,
    .stress = tml_iso_stress,
    .to_nodes = tml_hex_to_nodes,
    .geometric = tml_iso_geometric,
};
