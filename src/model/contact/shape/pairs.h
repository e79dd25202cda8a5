/* model/contact/shape/pairs.h - what finds the points of one pair of types. */
#pragma once

#include "model/contact/contacts.h"

/* As tml_touch, with the data of two shapes. */
typedef int TmlPairFunction(const void *first, const void *second, const TmlPose *pose,
                            double reach, TmlTouch *touch, TmlTouchRate *rate);

/* own_pairs.c: pairs without a function of their own, in this order of the two: whether there is one; as tml_touch. */
bool tml_own_can_touch(const TmlShapeType *first, const TmlShapeType *second);
int tml_own_touch(const TmlShape *first, const TmlShape *second, const TmlPose *pose, double reach,
                  TmlTouch *touch, TmlTouchRate *rate);

/* How the file of a pair defines its function, with the arguments of TmlPairFunction by these names; contacts.def, which lists
 * all pairs, is read by touch.c alone. */
#define TML_PAIR_FUNCTION(first_type, second_type)                                                 \
    extern TmlPairFunction tml_pair_##first_type##_##second_type;                                  \
    int tml_pair_##first_type##_##second_type(const void *first, const void *second,               \
                                              const TmlPose *pose, double reach, TmlTouch *touch,  \
                                              TmlTouchRate *rate)
