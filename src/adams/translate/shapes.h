/* adams/translate/shapes.h - a GRAPHICS while it becomes a shape of its part. */
#pragma once

#include "adams/dataset/dataset.h"

typedef struct TmlAdmShape {
    TmlAdm *adm;
    TmlAdmItem *item;
    const char *marker; /* the argument that names it */
    TmlVec3 r;          /* of the marker, on its part */
    TmlMat33 A;
    TmlValue *keys;
} TmlAdmShape;

/* Where an argument stands; the whole statement when it is not given. */
TmlAdmSlice tml_adm_shape_place(const TmlAdmShape *s, const char *name);
/* A length, which must be there and must not be zero; signed: it may be negative. SI */
double tml_adm_shape_length(const TmlAdmShape *s, const char *name, bool is_signed);
void tml_adm_shape_number(const TmlAdmShape *s, const char *key, const char *argument,
                          double value);
/* Where the shape's own origin is, in the axes of the marker; its axes are those of the marker. */
void tml_adm_shape_position(const TmlAdmShape *s, TmlVec3 offset);
void tml_adm_shape_rotation(const TmlAdmShape *s);

/* The marker of a GRAPHICS of any kind in global axes at the start; false: it has none. */
bool tml_adm_shape_global(TmlAdm *adm, TmlAdmItem *graphics, TmlVec3 *r, TmlMat33 *A);

/* translate_profiles.c: the type of our shape, NULL: reported. */
const char *tml_adm_make_arc(const TmlAdmShape *s);
const char *tml_adm_make_curve(const TmlAdmShape *s);
const char *tml_adm_make_extrusion(const TmlAdmShape *s);
const char *tml_adm_make_revolution(const TmlAdmShape *s);
