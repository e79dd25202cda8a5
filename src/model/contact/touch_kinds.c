/* model/contact/touch_kinds.c - what two shapes give to a law, by what their surfaces are made of.
 *
 * The curvatures of a gap are sums of those of the surfaces: one is zero where neither surface is curved
 * along some direction, one is infinite at an edge.
 */
#include "model/contact/touch_kinds.h"

#include "math/vec3.h"

#include <math.h>

/* The middle of what the shape covers; of planes the point of them that is nearest to the origin. */
static TmlVec3 middle_of(const TmlShape *s)
{
    TmlVec3 low, high;
    s->type->bounds(s->data, &low, &high);
    const TmlVec3 c = v3_scale(0.5, v3_add(low, high));
    return isfinite(c.x) && isfinite(c.y) && isfinite(c.z) ? c : v3(0, 0, 0);
}

/* Whether shapes that overlap have pieces of a patch. */
static bool have_patches(const TmlShape *first, const TmlShape *second)
{
    TmlTouch touch[TML_TOUCH_MAX];
    const TmlPose pose = {v3_sub(middle_of(first), middle_of(second)), m3_identity()};
    const int n = tml_touch(first, second, &pose, 0.0, touch, NULL);
    for (int k = 0; k < n; ++k) {
        if (touch[k].size > 0.0) {
            return true;
        }
    }
    return false;
}

unsigned tml_touch_kinds(const TmlShape *first, const TmlShape *second)
{
    const unsigned a = first->type->surface, b = second->type->surface, all = a | b;
    const unsigned uncurved = TML_SURFACE_FLAT | TML_SURFACE_STRAIGHT;
    if (a == 0 || b == 0) {
        return 0;
    }
    if (have_patches(first, second)) {
        return TML_TOUCH_PATCHES;
    }
    const unsigned corners = (all & TML_SURFACE_EDGES) != 0 ? TML_TOUCH_CORNERS : 0;
    if ((all & (TML_SURFACE_ROUND | TML_SURFACE_STRAIGHT)) == 0) {
        return corners; // flat on flat: what touches are corners and edges
    }
    const bool lines = (a & uncurved) != 0 && (b & uncurved) != 0;
    const bool points = (all & TML_SURFACE_ROUND) != 0 || (a & b & TML_SURFACE_STRAIGHT) != 0;
    return corners | (lines ? TML_TOUCH_LINES : 0) | (points ? TML_TOUCH_POINTS : 0);
}
