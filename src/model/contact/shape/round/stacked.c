/* model/contact/shape/round/stacked.c - capsules, cylinders and cones on each other's ends.
 *
 * The point of least depth (solids.c) jumps where a cap lies on a cap, or a side on a cap. There feet take its place
 * (flats.c). Two caps are equals: their feet are along the mean n of both normals, and the root of (D1) is
 * turned to the axes of either of them, half of the feet each, so that a pair and its swap are the same. Seen
 * along n both caps lean by the same angle, and lengths in them are the same.
 */
#include "model/contact/shape/round/flats.h"
#include "model/contact/shape/round/rods.h"

typedef struct Stack {
    const TmlSolid *solid[2];
    TmlDualPose at[2];
    Dual least;
    double size;
    TmlFlatSink sink;
} Stack;

enum { SIDE_ID = 1, CAPS_ID = 2 };

static uint64_t id_of(int kind, int a, int b)
{
    return ((uint64_t)kind << 40) | ((uint64_t)a << 8) | ((uint64_t)b << 4);
}

static bool has_caps(const TmlSolid *s)
{
    return s->swell == 0.0;
}

static double lesser_size(const TmlSolid *s)
{
    return fmin(fmax(fmax(s->cone.low, s->cone.high), s->swell), s->cone.half);
}

/* The side of one solid on an end of the other, `owner`. */
static void side_on_cap(Stack *k, int owner, double sign)
{
    TmlFace face;
    const TmlSolid *other = k->solid[1 - owner];
    tml_cap_face(k->solid[owner], &k->at[owner], sign, &face);
    const Dual depth = tml_lying_depth(&face, other, &k->at[1 - owner]);
    if (depth.x > k->least.x + 0.2 * k->size) {
        return;
    }
    const TmlLying lying = {&face, other,    &k->at[1 - owner], owner == 1,
                            depth, k->least, k->size,           id_of(SIDE_ID, owner, sign > 0.0)};
    tml_side_lies(&k->sink, &lying);
}

/* The coordinates in the disc of a direction of another plane, seen along n. */
static void seen_along(const TmlDisc *disc, DualVec normal, DualVec n, DualVec e, Dual out[2])
{
    const Dual s = d6_div(d6v_dot(normal, e), d6v_dot(normal, n));
    const DualVec x = d6v_axpy(d6_neg(s), n, e);
    out[0] = d6v_dot(x, disc->across[0]);
    out[1] = d6v_dot(x, disc->across[1]);
}

/* An end of the first on an end of the second. */
static void cap_on_cap(Stack *k, double sign, double other)
{
    TmlFace face;
    tml_cap_face(k->solid[0], &k->at[0], sign, &face);
    const TmlDisc disc = tml_cap_disc(k->solid[1], &k->at[1], other);
    const DualVec up = face.normal, down = d6v_times(other, k->at[1].axis[2]);
    const Dual along = tml_along_share(d6v_norm(d6v_cross(up, down)));
    if (!(along.x > 0.0) || d6v_dot(up, down).x > 0.0 || !(disc.radius > 0.0) ||
        !((sign > 0.0 ? k->solid[0]->cone.high : k->solid[0]->cone.low) > 0.0)) {
        return;
    }
    const DualVec n = d6v_unit(d6v_sub(up, down), 0.0, v3(0, 0, 1));
    TmlFace theirs;
    tml_cap_face(k->solid[1], &k->at[1], other, &theirs);
    const Dual one = tml_lying_depth(&face, k->solid[1], &k->at[1]);
    const Dual two = tml_lying_depth(&theirs, k->solid[0], &k->at[0]);
    const Dual depth = one.x < two.x ? one : two;
    TmlArea area = {0};
    TmlFeet feet;
    if (depth.x > k->least.x + 0.2 * k->size) {
        return;
    }
    tml_disc_over(&face, n, &disc, &area);
    if (!tml_area_feet(&area, disc.radius, &feet)) {
        return;
    }
    const Dual part = d6_mul(along, tml_lying_relevance(depth, k->least, k->size));
    const Dual wide = tml_flat_share(feet.width, depth, k->size);
    const Dual share = d6_scale(0.125, tml_flat_take(&k->sink, d6_mul(part, wide)));
    const Dual flat[2] = {d6(0.0), d6(0.0)};
    Dual direction[2][2] = {{d6(1.0), d6(0.0)}};
    seen_along(&disc, down, n, k->at[0].axis[0], direction[1]);
    for (int i = 0; i < 8 && share.x > 0.0; ++i) {
        const DualVec x = tml_foot(&disc, &feet, direction[i / 4], i % 4);
        const Dual below = d6_sub(face.offset, d6v_dot(up, x));
        tml_flat_foot(&k->sink, x, n, d6_div(below, d6v_dot(up, n)), share, flat,
                      id_of(CAPS_ID, sign > 0.0, other > 0.0) + (uint64_t)i);
    }
}

int tml_stacked_touch(const TmlSolid *a, const TmlSolid *b, const TmlPose *pose, const Dual *taken,
                      double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    TmlDualTouch point;
    if (!tml_solids_least(a, b, pose, reach, &point)) {
        return 0;
    }
    Stack k = {.solid = {a, b}, .least = point.depth};
    k.at[0] =
        (TmlDualPose){d6v(v3(0, 0, 0)), {d6v(v3(1, 0, 0)), d6v(v3(0, 1, 0)), d6v(v3(0, 0, 1))}};
    k.at[1] = tml_dual_pose(pose);
    k.size = fmin(lesser_size(a), lesser_size(b));
    k.sink = (TmlFlatSink){reach, touch, rate, 0, d6(1.0)};
    if (taken != NULL) {
        k.sink.rest = d6_sub(k.sink.rest, *taken);
    }
    for (int i = 0; i < 4 && point.depth.x > 0.0 && has_caps(a) && has_caps(b); ++i) {
        cap_on_cap(&k, i % 2 == 0 ? -1.0 : 1.0, i < 2 ? -1.0 : 1.0);
    }
    for (int i = 0; i < 4 && point.depth.x > 0.0; ++i) {
        if (has_caps(k.solid[i % 2])) {
            side_on_cap(&k, i % 2, i < 2 ? -1.0 : 1.0);
        }
    }
    if (k.sink.rest.x > 0.0) {
        point.fade = d6_linear(1.0, -1.0, k.sink.rest);
        tml_touch_write(&point, k.sink.n++, touch, rate);
    }
    return k.sink.n;
}
