/* model/contact/shape/profile/pins.h - round pins along the axis of an extruded profile. */
#pragma once

#include "model/contact/shape/profile/profile.h"
#include "model/contact/shape/round/rods.h"

enum { TML_PIN_TOUCHES = 32 };

/* Touches of the two ends of the length that pin and profile have in common, with the true lines and arcs. share: what they
 * have of the force; the rest is for others. rate: of TML_PIN_TOUCHES, always. Returns how many. */
int tml_pin_touch(const TmlProfile *profile, double thickness, const TmlRod *rod,
                  const TmlPose *pose, double reach, TmlTouch *touch, TmlTouchRate *rate,
                  Dual *share);
/* Leaves `rest` of n touches. */
void tml_fade_touches(TmlTouch *touch, TmlTouchRate *rate, int n, Dual rest);
