/* tests/contact/test_touch.c - what every pair of shapes of the registry must satisfy.
 *
 * Differences are central, of sixth order, with steps of 1e-4: rounding 1e-12 of the value, truncation
 * 1e-24 times the seventh derivative, which features of 0.3 m keep below 1e-10. A pair may have a kink or a new
 * feature within a stencil: then the stencil of half the step differs, and the derivative is not
 * compared. That must be rare.
 */
#include "touch_util.h"

enum { VARIABLES = TML_TOUCH_VARIABLES, VALUES = 11 };

/* Of triangles there are many: fewer poses, that the suite may end in seconds. */
static int poses_of(const TmlShapeType *a, const TmlShapeType *b)
{
    const int meshes = (strcmp(a->info.name, "mesh") == 0) + (strcmp(b->info.name, "mesh") == 0);
    return meshes == 2 ? 5 : meshes == 1 ? 20 : 30;
}

static const double at[6] = {-3, -2, -1, 1, 2, 3};
static const double weight[6] = {-1.0 / 60, 9.0 / 60, -45.0 / 60, 45.0 / 60, -9.0 / 60, 1.0 / 60};
static const double step = 1e-4, reach = 10.0;

static void values(const TmlTouch *o, double *v)
{
    const double all[VALUES] = {o->p.x,   o->p.y,  o->p.z,          o->n.x,          o->n.y, o->n.z,
                                o->depth, o->size, o->curvature[0], o->curvature[1], o->fade};
    for (int k = 0; k < VALUES; ++k) {
        v[k] = isfinite(all[k]) ? all[k] : 0.0;
    }
}

static void rates(const TmlTouchRate *r, int k, double *v)
{
    const TmlTouch as_touch = {.p = r->p[k],
                               .n = r->n[k],
                               .depth = r->depth[k],
                               .size = r->size[k],
                               .curvature = {r->curvature[0][k], r->curvature[1][k]},
                               .fade = r->fade[k]};
    values(&as_touch, v);
}

/* The touches of a stencil by one variable. */
typedef struct Stencil {
    TmlTouch touch[6][TML_TOUCH_MAX];
    int n[6];
    double h;
} Stencil;

static void fill(const TmlShape *a, const TmlShape *b, const TmlPose *pose, int k, double h,
                 Stencil *s)
{
    s->h = h;
    for (int i = 0; i < 6; ++i) {
        const TmlPose moved = pose_moved(pose, k, at[i] * h);
        s->n[i] = tml_touch(a, b, &moved, reach, s->touch[i], NULL);
    }
}

/* Differences of the touch with the id; false: it is not there all over the stencil. */
static bool differences(const Stencil *s, uint64_t id, double *d)
{
    memset(d, 0, VALUES * sizeof *d);
    for (int i = 0; i < 6; ++i) {
        double v[VALUES];
        const TmlTouch *found = touch_by_id(s->touch[i], s->n[i], id);
        if (found == NULL) {
            return false;
        }
        values(found, v);
        for (int j = 0; j < VALUES; ++j) {
            d[j] += weight[i] * v[j] / s->h;
        }
    }
    return true;
}

typedef struct Count {
    int compared, left_out;
} Count;

static void check_rate(TestCtx *t, const Stencil whole_half[2], int k, const TmlTouch *touch,
                       const TmlTouchRate *rate, Count *count)
{
    double d[VALUES], half[VALUES], exact[VALUES];
    rates(rate, k, exact);
    const bool there =
        differences(&whole_half[0], touch->id, d) && differences(&whole_half[1], touch->id, half);
    for (int j = 0; j < VALUES; ++j) {
        const double size = 1.0 + fabs(exact[j]);
        if (!there || fabs(d[j] - half[j]) > 1e-8 * size) {
            count->left_out++;
            continue;
        }
        count->compared++;
        if (!(fabs(exact[j] - half[j]) <= 1e-7 * size)) { // ten times what the halves differ
            test_fail(t, __FILE__, __LINE__,
                      "id %d, value %d by variable %d: %.12g, differences %.12g", (int)touch->id, j,
                      k, exact[j], half[j]);
        }
    }
}

static void check_rates(TestCtx *t, const TmlShape *a, const TmlShape *b, const TmlPose *pose,
                        Count *count)
{
    static Stencil stencil[2];
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const int n = tml_touch(a, b, pose, reach, touch, rate);
    for (int k = 0; k < VARIABLES; ++k) {
        fill(a, b, pose, k, step, &stencil[0]);
        fill(a, b, pose, k, 0.5 * step, &stencil[1]);
        for (int i = 0; i < n; ++i) {
            check_rate(t, stencil, k, &touch[i], &rate[i], count);
        }
    }
}

static void pair_rates(TestCtx *t, const TmlShapeType *ta, const TmlShapeType *tb)
{
    Count count = {0};
    const int poses = poses_of(ta, tb);
    for (int i = 0, found = 0; i < 20 * poses && found < poses && t->failures < 20; ++i) {
        ShapeData da, db;
        shape_random(t, ta, 1.0, &da);
        shape_random(t, tb, 1.0, &db);
        const TmlShape a = {ta, &da}, b = {tb, &db};
        TmlPose pose = pose_random(t);
        if (pose_to_depth(&a, &b, &pose, test_random(t, -0.1, 0.1), reach)) {
            ++found;
            check_rates(t, &a, &b, &pose, &count);
        }
    }
    CHECK(t, count.compared > poses * VARIABLES);
    CHECK(t, count.left_out < count.compared / 10);
    if (count.left_out >= count.compared / 10) {
        test_fail(t, __FILE__, __LINE__, "%d compared, %d left out", count.compared,
                  count.left_out);
    }
}

TEST(rates_are_those_of_differences)
{
    CHECK(t, for_each_pair(t, pair_rates) > 0);
}

/* Of a point alone the depth changes by the motion of the material there: an envelope. Pieces of an
 * overlap, points of a pattern that follows the tilt of a ring, and feet that share a line or a face with others
 * are no extremes. */
static void check_envelope(TestCtx *t, const TmlPose *pose, const TmlTouch *touch,
                           const TmlTouchRate *rate)
{
    const TmlVec3 turn = v3_cross(v3_sub(touch->p, pose->r), touch->n);
    const double shift[3] = {touch->n.x, touch->n.y, touch->n.z},
                 spin[3] = {turn.x, turn.y, turn.z};
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(t, rate->depth[k], -shift[k], 1e-9); // rounding where surfaces are nearly flat
        CHECK_NEAR(t, rate->depth[3 + k], -spin[k], 1e-9);
    }
}

static bool same_touch(const TmlTouch *x, const TmlTouch *y, double tol)
{
    double a[VALUES], b[VALUES];
    values(x, a);
    values(y, b);
    for (int k = 0; k < VALUES; ++k) {
        if (!(fabs(a[k] - b[k]) <= tol * (1.0 + fabs(a[k])))) {
            return false;
        }
    }
    return true;
}

static int count_same(const TmlTouch *x, int n, const TmlTouch *y, int m, double tol)
{
    int same = 0;
    for (int k = 0; k < n; ++k) {
        bool found = false;
        for (int j = 0; j < m && !found; ++j) {
            found = same_touch(&x[k], &y[j], tol);
        }
        same += found;
    }
    return same;
}

/* Pieces of patches may be cut in other ways when there are many: their sums are the same. */
static bool same_sums(const TmlTouch *x, int n, const TmlTouch *y, int m)
{
    TmlVec3 f = v3(0, 0, 0), g = v3(0, 0, 0);
    double all = 0.0, energy = 0.0;
    for (int k = 0; k < n + m; ++k) {
        const TmlTouch *o = k < n ? &x[k] : &y[k - n];
        const double size = k < n ? o->size : -o->size;
        f = v3_axpy(size, o->n, f);
        g = v3_axpy(size, v3_cross(o->p, o->n), g);
        energy += size * o->depth;
        all += o->size;
    }
    // rounding of volumes, which are differences of pyramids
    return v3_norm(f) < 1e-7 * all && v3_norm(g) < 1e-7 * all && fabs(energy) < 1e-7 * all;
}

/* tol: rounding, where surfaces are nearly flat. */
static void check_same(TestCtx *t, const TmlTouch *x, int n, const TmlTouch *y, int m, double tol)
{
    if (n > 4 && x[0].size > 0.0) {
        CHECK(t, same_sums(x, n, y, m));
        return;
    }
    CHECK_INT(t, m, n);
    CHECK_INT(t, count_same(x, n, y, m, tol), n);
}

static void check_swap(TestCtx *t, const TmlShape *a, const TmlShape *b, const TmlPose *pose,
                       const TmlTouch *touch, int n)
{
    TmlTouch other[TML_TOUCH_MAX];
    const TmlPose back = pose_back(pose);
    const int m = tml_touch(b, a, &back, reach, other, NULL);
    for (int k = 0; k < m; ++k) {
        other[k].p = v3_add(pose->r, m3_mulv(&pose->A, other[k].p));
        other[k].n = v3_neg(m3_mulv(&pose->A, other[k].n));
    }
    check_same(t, touch, n, other, m, 1e-9); // rounding
}

static void check_far(TestCtx *t, const TmlShape *a, const TmlShape *b, const TmlPose *pose,
                      const TmlTouch *touch, int n)
{
    TmlTouch other[TML_TOUCH_MAX];
    const double depth = touch[deepest(touch, n)].depth;
    if (depth < 0.0) {
        CHECK_INT(t, tml_touch(a, b, pose, -0.99 * depth, other, NULL), 0);
        const int m = tml_touch(a, b, pose, -1.01 * depth, other, NULL);
        CHECK(t, m >= 1);
        for (int k = 0; k < m; ++k) {
            CHECK(t, other[k].depth >= 1.01 * depth);
        }
    }
}

static void check_sound(TestCtx *t, const TmlTouch *touch, int n)
{
    for (int k = 0; k < n; ++k) {
        CHECK(t, v3_finite(touch[k].p) && v3_finite(touch[k].n) && isfinite(touch[k].depth));
        CHECK_NEAR(t, v3_norm(touch[k].n), 1.0, 1e-14); // rounding
        CHECK(t, touch[k].size >= 0.0 && touch[k].curvature[0] <= touch[k].curvature[1]);
        CHECK(t, touch[k].id < (uint64_t)1 << 52); // memory keeps it as a double
        for (int j = 0; j < k; ++j) {
            CHECK(t, touch[j].id != touch[k].id);
        }
    }
}

static void pair_contract(TestCtx *t, const TmlShapeType *ta, const TmlShapeType *tb)
{
    const int poses = poses_of(ta, tb);
    int found = 0;
    for (int i = 0; i < 20 * poses && found < poses && t->failures < 20; ++i) {
        ShapeData da, db;
        shape_random(t, ta, 1.0, &da);
        shape_random(t, tb, 1.0, &db);
        const TmlShape a = {ta, &da}, b = {tb, &db};
        TmlPose pose = pose_random(t);
        TmlTouch touch[TML_TOUCH_MAX], bare[TML_TOUCH_MAX];
        TmlTouchRate rate[TML_TOUCH_MAX];
        if (!pose_to_depth(&a, &b, &pose, test_random(t, -0.1, 0.1), reach)) {
            continue;
        }
        ++found;
        const int n = tml_touch(&a, &b, &pose, reach, touch, rate);
        CHECK_INT(t, tml_touch(&a, &b, &pose, reach, bare, NULL), n);
        CHECK(t, memcmp(touch, bare, (size_t)n * sizeof *touch) == 0);
        check_sound(t, touch, n);
        const TmlTouch *deep = &touch[deepest(touch, n)];
        if (deep->size == 0.0 && deep->fade == 0.0) {
            check_envelope(t, &pose, deep, &rate[deep - touch]);
        }
        check_swap(t, &a, &b, &pose, touch, n);
        check_far(t, &a, &b, &pose, touch, n);
    }
    CHECK_INT(t, found, poses);
}

TEST(contract_of_pairs)
{
    CHECK(t, for_each_pair(t, pair_contract) > 0);
}

/* Lengths times 1000: depths times 1000, volumes times 1e9, curvatures over 1000. */
static void pair_rescaled(TestCtx *t, const TmlShapeType *ta, const TmlShapeType *tb)
{
    const double scale = 1000.0;
    for (int i = 0; i < poses_of(ta, tb) && t->failures < 20; ++i) {
        ShapeData small[2], large[2];
        const uint64_t seed = t->seed;
        shape_random(t, ta, 1.0, &small[0]);
        shape_random(t, tb, 1.0, &small[1]);
        t->seed = seed;
        shape_random(t, ta, scale, &large[0]);
        shape_random(t, tb, scale, &large[1]);
        const TmlShape a = {ta, &small[0]}, b = {tb, &small[1]};
        const TmlShape A = {ta, &large[0]}, B = {tb, &large[1]};
        TmlPose pose = pose_random(t);
        TmlTouch touch[TML_TOUCH_MAX], other[TML_TOUCH_MAX];
        if (!pose_to_depth(&a, &b, &pose, test_random(t, -0.1, 0.1), reach)) {
            continue;
        }
        const int n = tml_touch(&a, &b, &pose, reach, touch, NULL);
        pose.r = v3_scale(scale, pose.r);
        const int m = tml_touch(&A, &B, &pose, scale * reach, other, NULL);
        for (int k = 0; k < m; ++k) {
            other[k].p = v3_scale(1.0 / scale, other[k].p);
            other[k].depth /= scale;
            other[k].size /= scale * scale * scale;
            other[k].curvature[0] *= scale;
            other[k].curvature[1] *= scale;
        }
        check_same(t, touch, n, other, m, 1e-9); // rounding
    }
}

TEST(lengths_rescaled)
{
    CHECK(t, for_each_pair(t, pair_rescaled) > 0);
}

TEST_SUITE(touch) = {
    CASE(rates_are_those_of_differences), CASE(contract_of_pairs), CASE(lengths_rescaled), {0}};
