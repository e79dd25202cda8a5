/* model/flexible/catenary/catenary.h - an entry of `catenaries` as numbers, and the bodies and forces that it stands for. */
#pragma once

#include "model/read/read.h"

typedef struct TmlWirePlan {
    double tension, mass, EA, EI, radius; /* N, kg/m, N, N m^2, m */
} TmlWirePlan;

typedef struct TmlSpanPlan {
    double from, length; /* m: of its first support from the start; of the span */
    TmlReals at;         /* droppers, m from the first support */
    const double
        *below; /* m: how far their lower ends hang below the supports of the contact wire */
} TmlSpanPlan;

typedef struct TmlCatenaryPlan {
    TmlVec3 start;
    int along; /* 0: x, 1: y */
    int n;
    TmlSpanPlan *span;
    double length, element, gravity; /* m, m, m/s^2 */
    TmlWirePlan contact, messenger;
    double height; /* of the messenger over the contact wire at supports */
    double support, support_damping;
    double arm, arm_damping, arm_mass, arm_load;
    double stagger, lateral;
    double dropper, dropper_damping, blend, clamp;
    double mass_damping, damping;
    bool weights; /* wires end on weights, else they are held */
} TmlCatenaryPlan;

/* catenary_plan.c: false after reporting. */
bool tml_catenary_plan(TmlEntry *x, TmlCatenaryPlan *out);

/* catenary_tree.c: sections of a model file. rest NULL: lengths are variables that statics adjusts, and wires end on
 * weights. NULL: out of memory. */
TmlValue *tml_catenary_tree(TmlEntry *x, const TmlCatenaryPlan *plan, const TmlRestShape *rest);

/* Names of the two wires among flexible bodies, in the order of rest->vector. */
const char *tml_catenary_wire(TmlEntry *x, int wire);
