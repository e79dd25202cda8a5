/* model/modal/sections_modal.c - keys of the section `modal`. */
#include "model/read/sections.h"

#include <stddef.h>

const TmlKey tml_keys_modal_frame[] = {
    {"at", TML_KEY_TEXT, "", "",
     "frame of the part that carries it; default: the floating frame, relative to the mesh's "
     "origin",
     NULL},
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]", "from there, in the axes of that frame", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "of the frame's axes, seen from those", NULL},
    {0},
};

const TmlKey tml_keys_modal[] = {
    {"part", TML_KEY_TEXT, "", NULL,
     "file made by trammel reduce, or a description (.yaml), reduced when the model is read", NULL},
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]", "of the mesh's origin, global", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "orientation of the mesh's axes", NULL},
    {"velocity", TML_KEY_VEC3, "m/s", "[0, 0, 0]", "of the mesh's origin, global", NULL},
    {"angular_velocity", TML_KEY_VEC3, "rad/s", "[0, 0, 0]", "initial angular velocity", NULL},
    {"angular_velocity_axes", TML_KEY_CHOICE, "", "global", "axes of the angular velocity",
     "global|body"},
    {"locked", TML_KEY_LOCKED, "", "",
     "initial values that assembly must not change, as for bodies", NULL},
    {"modes", TML_KEY_NUMBERS, "", "", "numbers of the part's modes that are kept; absent: all",
     NULL},
    {"amplitudes", TML_KEY_NUMBERS, "", "", "initial coordinates of the first modes", NULL},
    {"amplitude_rates", TML_KEY_NUMBERS, "", "", "their initial rates", NULL},
    {"damping", TML_KEY_ELEMENTS, "", "",
     "damping ratio of all modes instead of the part's, or a list with one for each mode", NULL},
    {"static_above", TML_KEY_NUMBER, "Hz", "",
     "modes above this frequency are treated as static: they follow their loads without vibrating "
     "faster than this",
     NULL},
    {"stiffening", TML_KEY_CHOICE, "", "auto",
     "by rotation, by the load cases of the part, or by both (all); auto: all that the part has",
     "auto|none|centrifugal|loads|all"},
    {"terms", TML_KEY_CHOICE, "", "second_order",
     "whether inertia terms quadratic in the deformation are kept or left out",
     "second_order|first_order"},
    {"frames", TML_KEY_MODAL_FRAMES, "", "", "named frames carried by those of the part", NULL},
    {"shapes", TML_KEY_MODAL_SHAPES, "", "",
     "names of frames of the part with shapes that they carry, for contacts and pictures", NULL},
    {0},
};
