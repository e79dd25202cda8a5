/* model/contact/shape/polyhedron/convex_hull.h - the convex hull of points. */
#pragma once

#include "base/fail.h"
#include "model/contact/shape/polyhedron/polyhedron.h"

/* Arrays of the polyhedron come from the setup. Fails: no volume, too many faces. */
TML_NODISCARD TmlStatus tml_convex_hull(const TmlVec3 *x, int n, const TmlShapeSetup *setup,
                                        TmlPolyhedron *out, TmlError *err);
