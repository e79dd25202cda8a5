/* model/contact/shape/pairs.h - what finds the points of one pair of types, and the list of them. */
#pragma once

#include "model/contact/contacts.h"

/* As tml_touch, with the data of two shapes. */
typedef int TmlPairFunction(const void *first, const void *second, const TmlPose *pose,
                            double reach, TmlTouch *touch, TmlTouchRate *rate);

/* own_pairs.c: pairs without a function of their own, in this order of the two: whether there is one; as tml_touch. */
bool tml_own_can_touch(const TmlShapeType *first, const TmlShapeType *second);
int tml_own_touch(const TmlShape *first, const TmlShape *second, const TmlPose *pose, double reach,
                  TmlTouch *touch, TmlTouchRate *rate);

#define TML_SHAPE(name)
#define TML_PRESS(name)
#define TML_SLIP(name)
#define TML_PAIR(first, second) TmlPairFunction tml_pair_##first##_##second;
#include "model/contact/contacts.def"
#undef TML_SHAPE
#undef TML_PRESS
#undef TML_SLIP
#undef TML_PAIR
