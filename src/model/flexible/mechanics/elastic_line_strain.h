/* model/flexible/mechanics/elastic_line_strain.h - strains of elastic_line.h as functions of the slots of a station, with
 * their gradients, the rates of these along a motion, and their Hessians.
 */
#pragma once

#include "model/flexible/mechanics/elastic_line.h"

/* One strain: up to four slots take part. */
typedef struct TmlLineValue {
    double e;
    int n;
    TmlSlot slot[4];
    TmlVec3 g[4], rate[4];
} TmlLineValue;

typedef double TmlSlots[TML_SLOTS][3];
typedef double TmlSlotBlocks[TML_SLOTS][TML_SLOTS][9];

/* Strain k of slots x that move with v. */
void tml_line_strain(int k, TmlSlots x, TmlSlots v, TmlLineValue *s);

/* H += c times the Hessian of strain k, which s holds. */
void tml_line_hessian(int k, const TmlLineValue *s, TmlSlots x, double c, TmlSlotBlocks H);
