/* model/flexible/catenary/sections_catenary.c - keys of the section `catenaries`. */
#include "model/read/sections.h"

const TmlKey tml_keys_catenary[] = {
    {"start", TML_KEY_VEC3, "m", "[0, 0, 0]", "first end of the contact wire, global", NULL},
    {"direction", TML_KEY_CHOICE, "", "x", "axis that the line runs along", "x|y"},
    {"spans", TML_KEY_ELEMENTS, "m", NULL,
     "number of spans, with `span`; or a list with the length of each", NULL},
    {"span", TML_KEY_NUMBER, "m", "", "length of a span", NULL},
    {"element", TML_KEY_NUMBER, "m", "0.5", "largest length of an element of the wires", NULL},
    {"contact_wire", TML_KEY_WIRE, "", NULL, "the wire that a pantograph touches", NULL},
    {"messenger", TML_KEY_MESSENGER, "", NULL, "the wire above, which carries it", NULL},
    {"droppers", TML_KEY_DROPPERS, "", NULL, "ropes between the two", NULL},
    {"sag", TML_KEY_LISTS, "m", "0",
     "how far the contact wire hangs below its supports: in the middle of each span, as a "
     "parabola; or a list with a "
     "number for each dropper, or one such list for each span",
     NULL},
    {"arms", TML_KEY_ARMS, "", "", "steady arms, which guide the contact wire at supports", NULL},
    {"stagger", TML_KEY_NUMBER, "m", "0",
     "the contact wire zigzags: to the left by this at the first support after the end, then to "
     "the right",
     NULL},
    {"mass_damping", TML_KEY_NUMBER, "1/s", "0", "damping of the wires: share of their mass", NULL},
    {"damping", TML_KEY_NUMBER, "s", "0",
     "damping of the wires: share of their stiffness, tension included", NULL},
    {"ends", TML_KEY_CHOICE, "", "held",
     "whether the last ends of the wires are held where their tension has pulled them, or hang on "
     "weights that keep "
     "the tension",
     "held|weights"},
    {0},
};

const TmlKey tml_keys_contact_wire[] = {
    {"tension", TML_KEY_NUMBER, "N", NULL, "along the line, at rest", NULL},
    {"mass", TML_KEY_NUMBER, "kg/m", NULL, "per length", NULL},
    {"EA", TML_KEY_NUMBER, "N", NULL, "stiffness against stretch", NULL},
    {"EI", TML_KEY_NUMBER, "N m^2", "0", "stiffness against bending", NULL},
    {"radius", TML_KEY_NUMBER, "m", "6 mm", "of its surface, for contacts", NULL},
    {0},
};

const TmlKey tml_keys_messenger[] = {
    {"tension", TML_KEY_NUMBER, "N", NULL, "along the line, at rest", NULL},
    {"mass", TML_KEY_NUMBER, "kg/m", NULL, "per length", NULL},
    {"EA", TML_KEY_NUMBER, "N", NULL, "stiffness against stretch", NULL},
    {"EI", TML_KEY_NUMBER, "N m^2", "0", "stiffness against bending", NULL},
    {"radius", TML_KEY_NUMBER, "m", "6 mm", "of its surface, for contacts", NULL},
    {"height", TML_KEY_NUMBER, "m", NULL, "over the contact wire at supports, at rest", NULL},
    {"support", TML_KEY_NUMBER, "N/m", "5e4", "vertical stiffness of a support", NULL},
    {"support_damping", TML_KEY_NUMBER, "N s/m", "0", "vertical damper of a support", NULL},
    {0},
};

const TmlKey tml_keys_droppers[] = {
    {"at", TML_KEY_LISTS, "m", NULL,
     "places from the first support of a span; or a list of places for each span", NULL},
    {"stiffness", TML_KEY_NUMBER, "N/m", NULL, "while taut; slack droppers have no force", NULL},
    {"damping", TML_KEY_NUMBER, "N s/m", "0", "while taut", NULL},
    {"blend", TML_KEY_NUMBER, "N", "0",
     "the corner between slack and taut is rounded between minus and plus this tension", NULL},
    {"clamp", TML_KEY_NUMBER, "kg", "0", "mass on the wire at each end of a dropper", NULL},
    {0},
};

const TmlKey tml_keys_arms[] = {
    {"stiffness", TML_KEY_NUMBER, "N/m", "0", "vertical, from the position at rest", NULL},
    {"damping", TML_KEY_NUMBER, "N s/m", "0", "vertical", NULL},
    {"mass", TML_KEY_NUMBER, "kg", "0",
     "that moves with the wire; its weight is carried by the arm", NULL},
    {"load", TML_KEY_NUMBER, "N", "0", "vertical force on the wire at rest, up", NULL},
    {"lateral", TML_KEY_NUMBER, "N/m", "1e6", "stiffness across, with stagger", NULL},
    {0},
};
