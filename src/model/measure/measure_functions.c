/* model/measure/measure_functions.c - the functions of a model that expressions may call. */
#include "model/measure/measure_names.h"

#include <strings.h>

#define FRAMES3 "(to, from = ground, along = ground)"
#define FRAMES4 "(to, from = ground, along = ground, observer = ground)"
#define PAIR2 "(to, from = ground)"
#define PAIR3 "(to, from = ground, observer = ground)"
#define XYZ(f, form, n, kind, needs, signature, text)                                              \
    {f "X", form, n, kind, kind, 0, needs, f "X" signature, text " along x"},                      \
        {f "Y", form, n, kind, kind, 1, needs, f "Y" signature, text " along y"},                  \
    {                                                                                              \
        f "Z", form, n, kind, kind, 2, needs, f "Z" signature, text " along z"                     \
    }
#define MAGNITUDE(f, n, kind, needs, signature, text)                                              \
    {                                                                                              \
        f, TML_ARG_PAIR, n, kind, kind, TML_AXIS_MAGNITUDE, needs, f signature, text               \
    }
#define EULER(f, angle, text)                                                                      \
    {                                                                                              \
        f, TML_ARG_PAIR, 2, TML_LEAF_EULER, TML_LEAF_EULER, angle, TML_ALLOW_MOTION, f PAIR2, text \
    }

#define CONTACT(f, asked, text)                                                                    \
    {                                                                                              \
        "contact_" f, TML_ARG_CONTACT, 2, TML_LEAF_UNKNOWN, TML_LEAF_UNKNOWN, asked,               \
            TML_ALLOW_UNKNOWNS, "contact_" f "(contact or body, body)", text                       \
    }

#define COSINE(a, b, index)                                                                        \
    {                                                                                              \
        "C" #a #b, TML_ARG_PAIR, 2, TML_LEAF_EULER, TML_LEAF_EULER, TML_EULER_COSINE + (index),    \
            TML_ALLOW_MOTION, "C" #a #b PAIR2,                                                     \
            "cosine of the angle between axis " #a " of `from` and axis " #b " of `to`"            \
    }

static const TmlModelFunction functions[] = {
    XYZ("D", TML_ARG_FRAMES, 3, TML_LEAF_ALONG, TML_ALLOW_MOTION, FRAMES3, "displacement"),
    MAGNITUDE("DM", 2, TML_LEAF_DISTANCE, TML_ALLOW_MOTION, PAIR2, "distance of two frames"),
    MAGNITUDE("distance", 2, TML_LEAF_DISTANCE, TML_ALLOW_MOTION, PAIR2, "the same as DM"),
    XYZ("V", TML_ARG_FRAMES, 4, TML_LEAF_VELOCITY, TML_ALLOW_TWIST, FRAMES4, "velocity"),
    MAGNITUDE("VM", 3, TML_LEAF_VELOCITY, TML_ALLOW_TWIST, PAIR3, "magnitude of the velocity"),
    {"VR", TML_ARG_PAIR, 2, TML_LEAF_RATE, TML_LEAF_DISTANCE, 0, TML_ALLOW_TWIST, "VR" PAIR2,
     "rate of the distance of two frames"},
    XYZ("W", TML_ARG_FRAMES, 3, TML_LEAF_SPIN, TML_ALLOW_TWIST, FRAMES3, "angular velocity"),
    MAGNITUDE("WM", 2, TML_LEAF_SPIN, TML_ALLOW_TWIST, PAIR2, "magnitude of the angular velocity"),
    XYZ("ACC", TML_ARG_FRAMES, 4, TML_LEAF_ACCELERATION, TML_ALLOW_ACCELERATION, FRAMES4,
        "acceleration"),
    MAGNITUDE("ACCM", 3, TML_LEAF_ACCELERATION, TML_ALLOW_ACCELERATION, PAIR3,
              "magnitude of the acceleration"),
    XYZ("WDT", TML_ARG_FRAMES, 4, TML_LEAF_SPIN_RATE, TML_ALLOW_ACCELERATION, FRAMES4,
        "angular acceleration"),
    MAGNITUDE("WDTM", 3, TML_LEAF_SPIN_RATE, TML_ALLOW_ACCELERATION, PAIR3,
              "magnitude of the angular acceleration"),
    {"AX", TML_ARG_PAIR, 2, TML_LEAF_ANGLE, TML_LEAF_ANGLE, 0, TML_ALLOW_MOTION, "AX" PAIR2,
     "rotation about x of the second frame; counts turns"},
    {"AY", TML_ARG_PAIR, 2, TML_LEAF_ANGLE, TML_LEAF_ANGLE, 1, TML_ALLOW_MOTION, "AY" PAIR2,
     "rotation about y of the second frame; counts turns"},
    {"AZ", TML_ARG_PAIR, 2, TML_LEAF_ANGLE, TML_LEAF_ANGLE, 2, TML_ALLOW_MOTION, "AZ" PAIR2,
     "rotation about z of the second frame; counts turns"},
    EULER("PSI", TML_EULER_PSI, "first angle of the body-fixed sequence 3-1-3"),
    EULER("THETA", TML_EULER_THETA, "second angle of the body-fixed sequence 3-1-3"),
    EULER("PHI", TML_EULER_PHI, "third angle of the body-fixed sequence 3-1-3"),
    EULER("YAW", TML_EULER_YAW, "first angle of the body-fixed sequence 3-2-1"),
    EULER("PITCH", TML_EULER_PITCH, "second angle of the body-fixed sequence 3-2-1"),
    EULER("ROLL", TML_EULER_ROLL, "third angle of the body-fixed sequence 3-2-1"),
    EULER("PROJX", TML_EULER_PROJECTED, "angle of z about x of the second frame; counts turns"),
    EULER("PROJY", TML_EULER_PROJECTED + 1, "angle of z about y of the second frame; counts turns"),
    EULER("PROJZ", TML_EULER_PROJECTED + 2, "angle of x about z of the second frame; counts turns"),
    COSINE(X, X, 0),
    COSINE(X, Y, 1),
    COSINE(X, Z, 2),
    COSINE(Y, X, 3),
    COSINE(Y, Y, 4),
    COSINE(Y, Z, 5),
    COSINE(Z, X, 6),
    COSINE(Z, Y, 7),
    COSINE(Z, Z, 8),
    {"angle", TML_ARG_JOINT, 1, TML_LEAF_ANGLE, TML_LEAF_ANGLE, 2, TML_ALLOW_MOTION, "angle(joint)",
     "rotation of the second body about z of the joint; counts turns"},
    {"displacement", TML_ARG_JOINT, 1, TML_LEAF_ALONG, TML_LEAF_ALONG, 2, TML_ALLOW_MOTION,
     "displacement(joint)", "displacement of the second body along z of the joint"},
    {"angular_velocity", TML_ARG_JOINT, 1, TML_LEAF_RATE, TML_LEAF_ANGLE, 2, TML_ALLOW_TWIST,
     "angular_velocity(joint)", "rate of the joint's angle"},
    {"velocity", TML_ARG_JOINT, 1, TML_LEAF_RATE, TML_LEAF_ALONG, 2, TML_ALLOW_TWIST,
     "velocity(joint)", "rate of the joint's displacement"},
    {"reaction", TML_ARG_REACTION, 2, TML_LEAF_REACTION, TML_LEAF_REACTION, 0, TML_ALLOW_UNKNOWNS,
     "reaction(joint, axes = ground).fx",
     "force (fx, fy, fz, fm) or torque (tx, ty, tz, tm) of the first body on the second"},
    {"force", TML_ARG_FORCE, 2, TML_LEAF_FORCE, TML_LEAF_FORCE, 0, TML_ALLOW_UNKNOWNS,
     "force(element, axes = ground).fx",
     "force (fx, fy, fz, fm) or torque (tx, ty, tz, tm) of a force element on its last end"},
    {"output", TML_ARG_OUTPUT, 4, TML_LEAF_OUTPUT, TML_LEAF_OUTPUT, 0, TML_ALLOW_UNKNOWNS,
     "output(element).name",
     "an output of a force element; output(body, s, y = 0, z = 0).name: strain, stress or other "
     "output "
     "of a flexible body at a place, under 'outputs' only; output(body, 3).mode, .rate, "
     ".acceleration: a coordinate of a modal body"},
    {"rate", TML_ARG_STATE, 1, TML_LEAF_UNKNOWN, TML_LEAF_UNKNOWN, 0, TML_ALLOW_UNKNOWNS,
     "rate(name)", "time derivative of a user state or variable"},
    {"delay", TML_ARG_DELAY, 1, TML_LEAF_DELAYED, TML_LEAF_DELAYED, 0, TML_ALLOW_UNKNOWNS,
     "delay(name)", "delayed value of an entry of 'delays'"},
    CONTACT("force", TML_CONTACT_FORCE,
            "sum of the normal forces of an entry of 'contacts', or of a body; of those with a "
            "second body"),
    CONTACT("fx", TML_CONTACT_FX,
            "x of the forces of contact with friction: on the body, or on the first of an entry"),
    CONTACT("fy", TML_CONTACT_FY, "the same along y"),
    CONTACT("fz", TML_CONTACT_FZ, "the same along z"),
    CONTACT("tx", TML_CONTACT_TX,
            "x of the torque of these forces about the centre of mass of the body"),
    CONTACT("ty", TML_CONTACT_TY, "the same along y"),
    CONTACT("tz", TML_CONTACT_TZ, "the same along z"),
    CONTACT("count", TML_CONTACT_COUNT, "number of points that touch"),
    CONTACT("depth", TML_CONTACT_DEPTH, "largest depth; negative: minus the smallest gap"),
    CONTACT("power", TML_CONTACT_POWER,
            "power of the forces of contact with friction, on the body or on all of an entry"),
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

const TmlModelFunction *tml_model_function_at(int k)
{
    return k < N_FUNCTIONS ? &functions[k] : NULL;
}

const TmlModelFunction *tml_model_function(const char *name)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        if (strcasecmp(functions[k].name, name) == 0) {
            return &functions[k];
        }
    }
    return NULL;
}

void tml_binding_functions(void (*visit)(void *arg, const char *name, const char *signature,
                                         const char *text),
                           void *arg)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        visit(arg, functions[k].name, functions[k].signature, functions[k].text);
    }
}
