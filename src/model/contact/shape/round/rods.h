/* model/contact/shape/round/rods.h - two round rods, and a rod in a bore. */
#pragma once

#include "model/contact/shape/round/closest.h"

/* All points within `radius` of a segment along z of length 2 half. */
typedef struct TmlRod {
    double radius, half;
} TmlRod;

TmlRod tml_capsule_rod(const void *data);
TmlRod tml_cylinder_rod(const void *data);
TmlRod tml_bore_rod(const void *data); /* the hole */

/* 3 x^2 - 2 x^3 within 0 and 1. */
Dual tml_dual_smooth(Dual x);
/* Share of the point of crossed axes against those of parallel ones (L1). */
Dual tml_crossed_share(Dual cosine);

int tml_rods_touch(const TmlRod *a, const TmlRod *b, const TmlPose *pose, double reach,
                   TmlTouch *touch, TmlTouchRate *rate);
/* Of cylinders: the share of points side by side, which ends with the common length; and those points. */
Dual tml_rods_beside_share(const TmlRod *a, const TmlRod *b, const TmlPose *pose);
int tml_rods_beside(const TmlRod *a, const TmlRod *b, const TmlPose *pose, Dual share, double reach,
                    TmlTouch *touch, TmlTouchRate *rate);
/* The bore is the first: its radius and half its length. */
int tml_rod_in_bore(const TmlRod *bore, const TmlRod *rod, const TmlPose *pose, double reach,
                    TmlTouch *touch, TmlTouchRate *rate);
