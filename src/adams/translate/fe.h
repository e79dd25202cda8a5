/* adams/translate/fe.h - FE_PART: beams of nodes with axes and sections.
 *
 * With Iyy, Izz and Iyz (a positive integral, as Adams has products) of the section at a node, the
 * axes that the beam is written in are turned about x by phi: to the principal axes of a beam in
 * space, and into the plane of one that stays there:
 *
 *   (B1)  tan 2 phi = 2 Iyz / (Izz - Iyy),   |phi| <= 45 degrees
 *   (B2)  Izz' = c^2 Izz + 2 s c Iyz + s^2 Iyy,   Iyy' = s^2 Izz - 2 s c Iyz + c^2 Iyy
 */
#pragma once

#include "adams/dataset/dataset.h"

/* SI, global axes at the start. */
typedef struct TmlAdmFeNode {
    double label;
    TmlVec3 r;
    TmlMat33 A;               /* as written, turned by phi */
    double phi;               /* rad */
    double area, Iyy, Izz, J; /* in the turned axes; J 0: not given */
} TmlAdmFeNode;

typedef struct TmlAdmFe {
    int n;
    TmlAdmFeNode *node;
    int plane;      /* it stays in: 1 xy, 2 yz, 3 zx; 0: in space */
    double *length; /* n - 1: from node to node along the axis */
    double total;
} TmlAdmFe;

/* What a FE_PART is made of; NULL: reported. */
const TmlAdmFe *tml_adm_fe(TmlAdm *adm, TmlAdmItem *part);
bool tml_adm_is_fe(const TmlAdmItem *part);

/* Axes as {x, y}; NULL: those of what they are seen from. */
TmlValue *tml_adm_fe_axes(TmlAdm *adm, TmlAdmSlice at, const TmlMat33 *A);

/* A marker of one as a frame of the flexible body; axes: instead of its own, seen from the part.
 * NULL: reported. */
TmlValue *tml_adm_fe_frame(TmlAdm *adm, TmlAdmItem *marker, const TmlMat33 *axes);
