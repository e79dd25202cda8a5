/* model/contact/shape/polyhedron/least_way.h - the point of least depth of a convex polyhedron and a round solid. */
#pragma once

#include "model/contact/shape/polyhedron/polyhedron.h"
#include "model/contact/shape/polyhedron/sharp.h"

/* (S1): how far the two overlap along a unit direction out of the polyhedron. */
double tml_depth_along(const TmlPolyhedron *P, const TmlPosedSolid *o, TmlVec3 n);

/* One touch, of the direction in which the depth is least. */
void tml_least_way(const TmlPolyhedron *P, const TmlPosedSolid *o, TmlDualTouch *out);
