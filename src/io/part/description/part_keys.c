/* io/part/description/part_keys.c - the keys of a part's description (PART.yaml). */
#include "io/part/description/part_read.h"

const TmlKey tml_keys_of_part[] = {
    {"part", TML_KEY_TEXT, "", NULL, "name of the part", NULL},
    {"parameters", TML_KEY_OPTIONS, "", "", "numbers with names, for expressions", NULL},
    {"mesh", TML_KEY_TEXT, "", "", "a mesh: .msh of Gmsh, .inp of Abaqus and CalculiX", NULL},
    {"matrices", TML_KEY_OPTIONS, "", "", "stiffness, mass and nodes from files", NULL},
    {"beams", TML_KEY_OPTIONS, "", "", "a space frame: nodes, sections, members", NULL},
    {"scale", TML_KEY_NUMBER, "m", "1",
     "length of the file's unit; its sections and materials are of N, s and that unit", NULL},
    {"elements", TML_KEY_OPTIONS, "", "", "element types to replace: {hex8: hex8i}", NULL},
    {"mass_rule", TML_KEY_CHOICE, "", "exact",
     "integration rule of the mass; ccx: that of CalculiX, for comparison", "exact|ccx"},
    {"material", TML_KEY_OPTIONS, "", "", "of all elements that have none: young, poisson, density",
     NULL},
    {"materials", TML_KEY_OPTIONS, "", "", "by name, each with `set`: elements that it is for",
     NULL},
    {"thickness", TML_KEY_NUMBER, "m", "",
     "of the shells that have none; triangles and quadrangles of Gmsh are shells where a mesh has "
     "no solids",
     NULL},
    {"interfaces", TML_KEY_OPTIONS, "", "",
     "frames for joints and forces, by name, with their nodes", NULL},
    {"modes", TML_KEY_OPTIONS, "", "", "number of modes, and the method", NULL},
    {"damping", TML_KEY_OPTIONS, "", "0.01", "a ratio, a table over frequency, or Rayleigh", NULL},
    {"frame", TML_KEY_TEXT, "", "mean", "mean axes, or the name of an interface", NULL},
    {"stiffening", TML_KEY_OPTIONS, "", "", "centrifugal, and load cases by name", NULL},
    {"loads", TML_KEY_OPTIONS, "", "", "load cases by name, which forces modal_force scale", NULL},
    {"stresses", TML_KEY_BOOL, "", "true", "keep stresses of the modes at the nodes of the surface",
     NULL},
    {"nodes", TML_KEY_CHOICE, "", "surface", "which nodes are kept for pictures and recovery",
     "surface|all"},
    {"keep", TML_KEY_OPTIONS, "", "", "nodes that models can name, and loads on them", NULL},
    {0},
};

const TmlKey tml_keys_of_part_matrices[] = {
    {"stiffness", TML_KEY_TEXT, "", NULL, "Matrix Market file, or lines 'row column value'", NULL},
    {"mass", TML_KEY_TEXT, "", NULL, "the same of the mass", NULL},
    {"nodes", TML_KEY_TEXT, "", NULL, "table of nodes, or a mesh that has them", NULL},
    {"stiffness_factor", TML_KEY_NUMBER, "", "1", "the file's numbers times this are N/m", NULL},
    {"mass_factor", TML_KEY_NUMBER, "", "1", "the file's numbers times this are kg", NULL},
    {0},
};

const TmlKey tml_keys_of_part_material[] = {
    {"young", TML_KEY_NUMBER, "Pa", NULL, "modulus of elasticity", NULL},
    {"poisson", TML_KEY_NUMBER, "", NULL, "Poisson's ratio", NULL},
    {"density", TML_KEY_NUMBER, "kg/m^3", NULL, "density", NULL},
    {"set", TML_KEY_TEXT, "", "", "elements that it is for; absent: those without a material",
     NULL},
    {"thickness", TML_KEY_NUMBER, "m", "", "of the shells among them", NULL},
    {0},
};

const TmlKey tml_keys_of_part_interface[] = {
    {"set", TML_KEY_TEXT, "", "", "nodes of a set, or of a physical group", NULL},
    {"nodes", TML_KEY_NUMBERS, "", "", "numbers of nodes", NULL},
    {"node", TML_KEY_INT, "", "", "number of one node", NULL},
    {"box", TML_KEY_POINTS, "m", "", "nodes in a box: two opposite corners", NULL},
    {"near", TML_KEY_VEC3, "m", "", "with `distance`: nodes about a point", NULL},
    {"axis", TML_KEY_VEC3, "", "", "with `near`: nodes about an axis through it", NULL},
    {"distance", TML_KEY_NUMBERS, "m", "", "at most, or a list: at least and at most", NULL},
    {"length", TML_KEY_NUMBERS, "m", "", "with `axis`: from and to along it, counted from `near`",
     NULL},
    {"tie", TML_KEY_CHOICE, "", "rigid", "rigid (RBE2), average (RBE3), or node",
     "rigid|average|node"},
    {"at", TML_KEY_VEC3, "m", "", "place of the frame; absent: the centre of its nodes", NULL},
    {"id", TML_KEY_INT, "", "",
     "number by which NODE_ID of an Adams dataset names the frame; of `tie: node` that of the node",
     NULL},
    {0},
};

const TmlKey tml_keys_of_part_modes[] = {
    {"method", TML_KEY_CHOICE, "", "craig_bampton",
     "constraint and fixed modes, or free ones and attachments", "craig_bampton|herting"},
    {"count", TML_KEY_INT, "", "20", "largest number of modes; with up_to alone: all of those",
     NULL},
    {"up_to", TML_KEY_NUMBER, "1/s", "", "highest frequency, Hz", NULL},
    {"effective_mass", TML_KEY_NUMBER, "", "0", "least share of mass or inertia in one direction",
     NULL},
    {0},
};

const TmlKey tml_keys_of_part_damping[] = {
    {"ratio", TML_KEY_NUMBER, "", "", "of critical damping, all modes", NULL},
    {"table", TML_KEY_POINTS, "", "", "pairs of frequency (Hz) and ratio", NULL},
    {"mass", TML_KEY_NUMBER, "1/s", "", "Rayleigh: part of the mass, on modes only", NULL},
    {"stiffness", TML_KEY_NUMBER, "s", "", "Rayleigh: part of the stiffness", NULL},
    {0},
};

const TmlKey tml_keys_of_part_stiffening[] = {
    {"centrifugal", TML_KEY_BOOL, "", "true", "six unit load cases of rotation", NULL},
    {"shapes", TML_KEY_BOOL, "", "false",
     "add the static shapes of centrifugal loads to the modes: stresses by rotation are those of "
     "the mesh",
     NULL},
    {"loads", TML_KEY_OPTIONS, "", "", "load cases by name", NULL},
    {0},
};

const TmlKey tml_keys_of_part_load[] = {
    {"acceleration", TML_KEY_VEC3, "m/s^2", "", "of the whole mass, such as gravity", NULL},
    {"interface", TML_KEY_TEXT, "", "", "where force and torque act", NULL},
    {"force", TML_KEY_VEC3, "N", "", "on the interface", NULL},
    {"torque", TML_KEY_VEC3, "N m", "", "on the interface", NULL},
    {"held", TML_KEY_TEXT, "", "", "interface that supports the part; default: inertia", NULL},
    {0},
};

const TmlKey tml_keys_of_part_kept[] = {
    {"node", TML_KEY_INT, "", NULL, "number of the node", NULL},
    {"load", TML_KEY_BOOL, "", "false", "forces act there: their static shapes are added", NULL},
    {0},
};

const TmlKey tml_keys_of_part_applied[] = {
    {"acceleration", TML_KEY_VEC3, "m/s^2", "", "of the whole mass, such as gravity", NULL},
    {"interface", TML_KEY_TEXT, "", "", "where a force and a torque act", NULL},
    {"force", TML_KEY_VEC3, "N", "", "on the interface, or shared by the nodes in equal parts",
     NULL},
    {"torque", TML_KEY_VEC3, "N m", "", "on the interface", NULL},
    {"pressure", TML_KEY_NUMBER, "Pa", "",
     "on the outer faces all of whose nodes are chosen; on shells against their normal", NULL},
    {"set", TML_KEY_TEXT, "", "", "nodes of a set, or of a physical group", NULL},
    {"nodes", TML_KEY_NUMBERS, "", "", "numbers of nodes", NULL},
    {"node", TML_KEY_INT, "", "", "number of one node", NULL},
    {"box", TML_KEY_POINTS, "m", "", "nodes in a box: two opposite corners", NULL},
    {"near", TML_KEY_VEC3, "m", "", "with `distance`: nodes about a point", NULL},
    {"axis", TML_KEY_VEC3, "", "", "with `near`: nodes about an axis through it", NULL},
    {"distance", TML_KEY_NUMBERS, "m", "", "at most, or a list: at least and at most", NULL},
    {"length", TML_KEY_NUMBERS, "m", "", "with `axis`: from and to along it, counted from `near`",
     NULL},
    {0},
};
