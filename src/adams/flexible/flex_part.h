/* adams/flexible/flex_part.h - FLEX_BODY: which part from finite elements it is, and the nodes that carry its markers. */
#pragma once

#include "adams/dataset/dataset.h"
#include "model/modal/part.h"

typedef struct TmlAdmFlex {
    const char *path; /* of the file of the part */
    const TmlPart *part;
} TmlAdmFlex;

/* A mode that CRATIO is written for. */
typedef struct TmlAdmMode {
    double frequency; /* in cycles by the dataset's unit of time: FXFREQ */
    int number;       /* from 1, as the part counts: FXMODE */
} TmlAdmMode;

bool tml_adm_is_flex(const TmlAdmItem *body);

/* The frame of the part that carries a marker, from 0; -1: the marker names no node, and moves with the
 * floating frame. False: reported. */
bool tml_adm_flex_node(TmlAdm *adm, TmlAdmItem *marker, int *frame);

/* Where a marker stands that gives no place: at its node, seen from the mesh, m. Others are left as they are. */
void tml_adm_flex_place(TmlAdm *adm, TmlAdmItem *marker, TmlVec3 *r);

/* A marker as a frame of the modal body; axes: instead of its own, seen from the body. NULL: reported. */
TmlValue *tml_adm_flex_frame(TmlAdm *adm, TmlAdmItem *marker, const TmlMat33 *axes);
