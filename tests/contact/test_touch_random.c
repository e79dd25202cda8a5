/* tests/contact/test_touch_random.c - depths of random pairs by a second algorithm.
 *
 * The depth of two convex shapes is the least of h_A(n) + h_B(-n) - n . r over all directions n, with the
 * reach h of the table's `support`. The second algorithm knows nothing else: it samples directions and
 * walks down by turns of a compass with random bearings. 10,000 pairs are a test; TRAMMEL_PAIRS=1000000 has a million:
 *
 *   TRAMMEL_PAIRS=1000000 build/tests/trammel-tests touch_random
 *
 * TRAMMEL_SEED=1, 2, ... has other ones, for runs in pieces.
 */
#include "touch_util.h"

#include "model/contact/shape/polyhedron/polyhedron.h"

#include <stdlib.h>

enum { SAMPLES = 300, BEARINGS = 9, PATIENCE = 8 };

typedef struct Pair {
    TmlShape a, b;
    TmlPose pose;
} Pair;

static double reach_of(const TmlShape *shape, TmlVec3 n)
{
    int feature;
    return v3_dot(n, shape->type->support(shape->data, n, &feature));
}

static double depth_along(const Pair *o, TmlVec3 n)
{
    const TmlVec3 back = v3_neg(m3_tmulv(&o->pose.A, n));
    return reach_of(&o->a, n) + reach_of(&o->b, back) - v3_dot(n, o->pose.r);
}

/* Walks down; it may stop early in a valley with a sharp bottom. */
static double walk(TestCtx *t, const Pair *o, TmlVec3 n)
{
    double least = depth_along(o, n);
    int failed = 0; // rounds: in a valley with a sharp bottom few bearings lead down
    for (double step = 0.2; step > 1e-7;) {
        const TmlMat33 frame = m3_from_z(n, v3(0, 0, 0));
        const double bearing = test_random(t, 0.0, 6.283185307179586);
        TmlVec3 best = n;
        for (int k = 0; k < BEARINGS; ++k) {
            const double angle = bearing + 6.283185307179586 * k / BEARINGS;
            const TmlVec3 side = v3_axpy(sin(angle), frame.cy, v3_scale(cos(angle), frame.cx));
            const TmlVec3 to = v3_unit(v3_axpy(step, side, n));
            const double depth = depth_along(o, to);
            if (depth < least) {
                least = depth;
                best = to;
            }
        }
        failed = v3_norm(v3_sub(best, n)) > 0.0 ? 0 : failed + 1;
        step *= failed >= PATIENCE ? 0.5 : 1.0;
        failed = failed >= PATIENCE ? 0 : failed;
        n = best;
    }
    return least;
}

/* The least of walks from the best samples that are apart from each other. */
static double searched_depth(TestCtx *t, const Pair *o)
{
    TmlVec3 start[3];
    double least = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        double best = HUGE_VAL;
        start[i] = v3(0, 0, 1);
        for (int k = 0; k < SAMPLES; ++k) {
            const double z = 1.0 - (2.0 * k + 1.0) / SAMPLES, rho = sqrt(1.0 - z * z);
            const TmlVec3 n = v3(rho * cos(2.4 * k), rho * sin(2.4 * k), z);
            bool apart = true;
            for (int j = 0; j < i; ++j) {
                apart = apart && v3_dot(n, start[j]) < 0.8;
            }
            const double depth = apart ? depth_along(o, n) : HUGE_VAL;
            if (depth < best) {
                best = depth;
                start[i] = n;
            }
        }
        least = fmin(least, walk(t, o, start[i]));
        if (least < 0.0) {
            break; // separate shapes have one least depth
        }
    }
    return least;
}

typedef struct Tally {
    long pairs, lines, worse, better;
    double largest;
} Tally;

/* A single point: its depth is the least, and its two surfaces touch the planes across the normal. */
static void check_pair(TestCtx *t, const Pair *o, const TmlTouch *touch, Tally *tally)
{
    const TmlVec3 n = touch->n, first = v3_axpy(0.5 * touch->depth, n, touch->p);
    const TmlVec3 second = v3_sub(v3_axpy(-0.5 * touch->depth, n, touch->p), o->pose.r);
    const TmlVec3 back = v3_neg(m3_tmulv(&o->pose.A, n));
    // surfaces of some metres to rounding, of which hulls with nearly parallel edges lose a digit
    CHECK_NEAR(t, v3_dot(n, first), reach_of(&o->a, n), 1e-11);
    CHECK_NEAR(t, -v3_dot(n, second), reach_of(&o->b, back), 1e-11);
    const double searched = searched_depth(t, o), off = touch->depth - searched;
    tally->largest = fmax(tally->largest, fabs(off));
    tally->worse += off > 1e-9;   // a lesser depth was missed, beyond rounding
    tally->better += off < -1e-5; // the search stopped early
    if (off > 1e-9) {
        test_fail(t, __FILE__, __LINE__, "%s: depth %.12g, searched %.12g", t->name, touch->depth,
                  searched);
    }
}

static const TmlShapeType *random_convex(TestCtx *t)
{
    const TmlShapeType *found[64];
    int n = 0;
    for (const TmlShapeType *const *a = tml_shape_types; *a != NULL && n < 64; ++a) {
        if ((*a)->support != NULL && shape_is_plain(*a)) {
            found[n++] = *a;
        }
    }
    return found[(int)test_random(t, 0.0, n - 1e-9)];
}

TEST(depth_by_two_algorithms)
{
    const char *asked = getenv("TRAMMEL_PAIRS");
    const char *seed = getenv("TRAMMEL_SEED");
    const long pairs = asked != NULL ? atol(asked) : 10000;
    t->seed += seed != NULL ? (uint64_t)atol(seed) << 32 : 0;
    Tally tally = {0};
    while (tally.pairs < pairs && t->failures < 20) {
        ShapeData da, db;
        TmlTouch touch[TML_TOUCH_MAX];
        Pair o = {{random_convex(t), &da}, {random_convex(t), &db}, pose_random(t)};
        char name[80];
        snprintf(name, sizeof name, "%s-%s", o.a.type->info.name, o.b.type->info.name);
        t->name = name;
        shape_random(t, o.a.type, 1.0, &da);
        shape_random(t, o.b.type, 1.0, &db);
        const double depth = test_random(t, -0.5, 0.1);
        if (!tml_can_touch(o.a.type, o.b.type) ||
            !pose_to_depth(&o.a, &o.b, &o.pose, depth, 10.0)) {
            continue;
        }
        tally.pairs++;
        const int n = tml_touch(&o.a, &o.b, &o.pose, 10.0, touch, NULL);
        if (n == 1 && touch[0].fade == 0.0 && touch[0].size == 0.0) {
            check_pair(t, &o, &touch[0], &tally);
        } else {
            tally.lines++; // contact along a line has two points, none of them the deepest
        }
    }
    t->name = NULL;
    CHECK(t, tally.lines < tally.pairs / 4);
    CHECK(t, tally.better <= tally.pairs / 20);
    if (asked != NULL) {
        printf(
            "%ld pairs: %ld along lines, %ld missed a lesser depth, %ld where the search stopped "
            "early; at most %g apart\n",
            tally.pairs, tally.lines, tally.worse, tally.better, tally.largest);
    }
}

/* The middle of the box around a hull may lie outside of the hull, and nearer to the other shape than that is. Where it was taken for a
 * point of the hull, edges and corners were left out. */
TEST(middles_outside_of_hulls)
{
    const TmlShapeType *hull = tml_find_shape_type("hull"), *rod = tml_find_shape_type("capsule");
    Tally tally = {0};
    for (int tries = 0; tries < 20000; ++tries) {
        ShapeData da, db;
        TmlTouch touch[TML_TOUCH_MAX];
        shape_random(t, hull, 1.0, &da);
        shape_random(t, rod, 0.3, &db);
        const TmlPolyhedron *P = ((const HullFixture *)(const void *)&da)->solid;
        Pair o = {{hull, &da}, {rod, &db}, pose_random(t)};
        if (!pose_to_depth(&o.a, &o.b, &o.pose, test_random(t, -0.3, -0.02), 10.0) ||
            tml_touch(&o.a, &o.b, &o.pose, 10.0, touch, NULL) != 1) {
            continue;
        }
        ShapeData dot = {.number = {1e-3}}; // a radius
        const TmlShape at = {tml_find_shape_type("sphere"), &dot};
        const TmlPose seen = {v3_sub(o.pose.r, P->centre), o.pose.A};
        TmlTouch middle[TML_TOUCH_MAX];
        if (tml_touch(&at, &o.b, &seen, 10.0, middle, NULL) == 1 &&
            middle[0].depth > touch[0].depth) {
            tally.pairs++;
            check_pair(t, &o, &touch[0], &tally);
        }
    }
    CHECK(t, tally.pairs >= 5);
}

TEST_SUITE(touch_random) = {CASE(depth_by_two_algorithms), CASE(middles_outside_of_hulls), {0}};
