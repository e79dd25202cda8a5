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

typedef struct Seen {
    bool patches, points;
} Seen;

/* Whether shapes that overlap have pieces of a patch, and points beside them: seen in some poses. */
static Seen look(const TmlShape *first, const TmlShape *second)
{
    static const TmlVec3 axis[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {1, 2, 3}, {-2, 1, 1}};
    TmlTouch touch[TML_TOUCH_MAX];
    Seen seen = {false, false};
    for (size_t i = 0; i < 2 * sizeof axis / sizeof *axis; ++i) {
        const TmlMat33 A = m3_from_z(axis[i / 2], v3(0, 1, 0));
        const TmlVec3 r = v3_sub(middle_of(first), m3_mulv(&A, middle_of(second)));
        const TmlPose pose = {i % 2 == 0 ? r : v3_scale(0.9, r), A};
        const int n = tml_touch(first, second, &pose, 0.0, touch, NULL);
        for (int k = 0; k < n; ++k) {
            seen.patches |= touch[k].size > 0.0;
            seen.points |= touch[k].size == 0.0 && touch[k].depth > 0.0;
        }
    }
    return seen;
}

unsigned tml_touch_kinds(const TmlShape *first, const TmlShape *second)
{
    const unsigned a = first->type->surface, b = second->type->surface, all = a | b;
    const unsigned uncurved = TML_SURFACE_FLAT | TML_SURFACE_STRAIGHT;
    if (a == 0 || b == 0) {
        return 0;
    }
    const Seen seen = look(first, second);
    if (seen.patches && !seen.points) {
        return TML_TOUCH_PATCHES;
    }
    const unsigned patches = seen.patches ? TML_TOUCH_PATCHES : 0;
    const unsigned corners =
        patches | ((all & TML_SURFACE_EDGES) != 0 ? (unsigned)TML_TOUCH_CORNERS : 0);
    if ((all & (TML_SURFACE_ROUND | TML_SURFACE_STRAIGHT)) == 0) {
        return corners; // flat on flat: what touches are corners and edges
    }
    const bool lines = (a & uncurved) != 0 && (b & uncurved) != 0;
    const bool points = (all & TML_SURFACE_ROUND) != 0 || (a & b & TML_SURFACE_STRAIGHT) != 0;
    return corners | (lines ? TML_TOUCH_LINES : 0) | (points ? TML_TOUCH_POINTS : 0);
}
