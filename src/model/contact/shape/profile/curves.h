/* model/contact/shape/profile/curves.h - plane curves that touch in their plane. */
#pragma once

#include "model/contact/shape/pairs.h"
#include "model/contact/shape/profile/profile.h"

/* One point for each region in which two profiles overlap; the second's plane is parallel to the first's. As tml_touch. */
int tml_curves_touch(const TmlProfile *first, const TmlProfile *second, const TmlPose *pose,
                     double reach, TmlTouch *touch, TmlTouchRate *rate);
/* A half-space z < 0, first, and a profile: a point for each place of the curve that is lowest there. */
int tml_curve_floor(const TmlProfile *second, const TmlPose *pose, double reach, TmlTouch *touch,
                    TmlTouchRate *rate);
