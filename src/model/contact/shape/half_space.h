/* model/contact/shape/half_space.h - what pairs with half-spaces share. */
#pragma once

#include "model/contact/shape/round/solid.h"

typedef enum TmlHalfSpacePoints { TML_HALF_SPACE_PATCH, TML_HALF_SPACE_FEET } TmlHalfSpacePoints;

/* Whether cylinders and cones stand on feet there; data NULL: they do not. */
bool tml_half_space_feet(const void *data);

/* polyhedron/solid_touch.c: a solid on the half-space z < 0, which is the first, with the feet of faces. */
int tml_solid_on_plane(const TmlSolid *solid, const TmlPose *pose, double reach, TmlTouch *touch,
                       TmlTouchRate *rate);
