/* tests/contact/test_press_laws.c - what every registered law of contact must satisfy.
 *
 * A new law is covered by these checks as soon as its registry line exists.
 */
#include "law_util.h"

enum { SAMPLES = 400 };

typedef struct Sample {
    const TmlPressType *type;
    TmlArena *arena;
    TmlPressIn in;
} Sample;

static TmlPress press(const TmlPressType *type, TmlPressIn in)
{
    TmlPress out = {0};
    type->press(&in, &out);
    return out;
}

static bool takes(const TmlPressType *type, const void *data, unsigned touches)
{
    TmlError err;
    return type->suits == NULL || type->suits(data, touches, &err) == TML_OK;
}

static bool pulls(const Sample *s)
{
    return s->type->pulls != NULL && s->type->pulls(s->in.data);
}

/* A point, or a piece of a patch, that the law accepts with its data. */
static Sample sample_make(TestCtx *t, TmlArena *arena, const TmlPressType *type)
{
    t->name = type->info.name;
    Sample s = {.type = type, .arena = arena};
    s.in = (TmlPressIn){.data = law_data(t, arena, &type->info, type->check),
                        .depth = test_random(t, 0.05, 1.0),
                        .rate = test_random(t, -2.0, 2.0),
                        .entry = test_random(t, 0.1, 2.0)};
    const double k = test_random(t, 0.2, 3.0);
    s.in.curvature[0] = k;
    s.in.curvature[1] = test_random(t, 0, 1) < 0.2 ? k : k * test_random(t, 1.0, 30.0);
    const bool patch = takes(type, s.in.data, TML_TOUCH_PATCHES);
    if (patch && (test_random(t, 0, 1) < 0.5 || !takes(type, s.in.data, TML_TOUCH_POINTS))) {
        s.in.size = s.in.depth * test_random(t, 0.1, 1.0);
    }
    CHECK(t, s.in.size > 0.0 || takes(type, s.in.data, TML_TOUCH_POINTS));
    return s;
}

static void for_all(TestCtx *t, void (*run)(TestCtx *t, const Sample *s))
{
    for (const TmlPressType *const *p = tml_press_types; *p != NULL; ++p) {
        for (int k = 0; k < SAMPLES; ++k) {
            TmlArena arena = {0};
            const Sample s = sample_make(t, &arena, *p);
            run(t, &s);
            tml_arena_free(&arena);
        }
    }
}

/* --- continued ------------------------------------------------------------------------------------ */

/* Where a law has a force, continuing it changes nothing; where its formula would pull it does, down to the surface and beyond,
 * without a jump. */
static void check_continued(TestCtx *t, const Sample *s)
{
    TmlPressIn in = s->in;
    if (in.size > 0.0) {
        return; // pieces of patches are never continued
    }
    const TmlPress plain = press(s->type, in);
    in.continued = true;
    const TmlPress whole = press(s->type, in);
    if (plain.force > 0.0) {
        CHECK(t, whole.force == plain.force && whole.by_depth == plain.by_depth);
        CHECK(t, whole.by_rate == plain.by_rate && whole.stored == plain.stored);
    } else {
        CHECK(t, whole.force <= 0.0);
    }
    double side[2];
    for (int k = 0; k < 2; ++k) {
        in.depth = k == 0 ? 1e-9 : -1e-9;
        side[k] = press(s->type, in).force;
    }
    // both are the force of the damper at depth 0; 2e-9 m times slopes that stay below 1e3 N/m because
    // parameters are below 1 and curvatures above 0.2
    CHECK_NEAR(t, side[0], side[1], 2e-6);
}

TEST(laws_go_on_below_zero)
{
    for_all(t, check_continued);
    t->name = NULL;
}

/* --- derivatives ------------------------------------------------------------------------------- */

typedef struct Along {
    const Sample *s;
    int variable; // 0: depth, 1: size, 2: rate, 3, 4: curvatures
} Along;

static double force_along(void *user, double x)
{
    const Along *a = user;
    TmlPressIn in = a->s->in;
    double *const at[] = {&in.depth, &in.size, &in.rate, &in.curvature[0], &in.curvature[1]};
    *at[a->variable] += x;
    return press(a->s->type, in).force;
}

static int doubtful, compared; // of derivatives: samples with a kink within their stencil

static void check_derivatives(TestCtx *t, const Sample *s)
{
    const TmlPress out = press(s->type, s->in);
    const double got[] = {out.by_depth, out.by_size, out.by_rate, out.by_curvature[0],
                          out.by_curvature[1]};
    for (int k = 0; k < 5; ++k) {
        Along a = {s, k};
        if (k == 1 && s->in.size == 0.0) {
            continue; // there is none
        }
        // inputs are of size 0.05 to 90: (h / 0.05)^6 is 6e-11 of the derivative, rounding 1e-12
        const Difference d = difference(force_along, &a, 1e-3);
        const double size = fabs(out.force) + fabs(d.value);
        ++compared;
        if (d.doubt > 1e-7 * size) {
            ++doubtful;
            continue;
        }
        CHECK_NEAR(t, got[k], d.value, 1e-8 * size + 1e-12);
    }
}

TEST(derivatives_are_exact)
{
    doubtful = compared = 0;
    for_all(t, check_derivatives);
    CHECK(t, doubtful < compared / 50); // kinks are lines in the plane of depth and rate
}

/* --- signs and energy --------------------------------------------------------------------------- */

static void check_pull(TestCtx *t, const Sample *s)
{
    const TmlPress out = press(s->type, s->in);
    CHECK(t, isfinite(out.force));
    CHECK(t, pulls(s) || out.force >= 0.0);
    CHECK(t, (out.force - out.elastic) * s->in.rate >= 0.0);
    TmlPressIn apart = s->in;
    apart.depth = -apart.depth;
    apart.size = 0.0;
    CHECK_NEAR(t, press(s->type, apart).force, 0.0, 0.0);
}

TEST(laws_never_pull_unless_they_say_so)
{
    for_all(t, check_pull);
}

/* What says that it pulls does so somewhere. */
TEST(laws_that_may_pull_do)
{
    for (const TmlPressType *const *p = tml_press_types; *p != NULL; ++p) {
        bool said = false, done = false;
        for (int k = 0; k < SAMPLES; ++k) {
            TmlArena arena = {0};
            const Sample s = sample_make(t, &arena, *p);
            said |= pulls(&s);
            done |= press(*p, s.in).force < 0.0;
            tml_arena_free(&arena);
        }
        CHECK(t, said == done);
    }
}

static void check_onset(TestCtx *t, const Sample *s)
{
    TmlPressIn in = s->in;
    const double area = in.size / in.depth;
    in.depth = 1e-14;
    in.size = area * in.depth;
    in.rate = 0.5; // opening, a law may be cut
    const double N = press(s->type, in).force;
    // stiffnesses are up to some hundred: n is at least 1
    const bool jump = fabs(N) > 1e-9;
    if (s->type->jumps == NULL || !s->type->jumps(s->in.data)) {
        CHECK(t, !jump);
    }
    if (jump) {
        CHECK(t, s->type->jumps != NULL && s->type->jumps(s->in.data));
    }
}

TEST(forces_grow_from_zero_unless_laws_say_that_they_jump)
{
    for_all(t, check_onset);
}

static double stored_along(void *user, double x)
{
    const Along *a = user;
    TmlPressIn in = a->s->in;
    in.size *= (in.depth + x) / in.depth; // constant area
    in.depth += x;
    return press(a->s->type, in).stored;
}

static void check_stored(TestCtx *t, const Sample *s)
{
    const TmlPress out = press(s->type, s->in);
    Along a = {s, 0};
    const Difference d = difference(stored_along, &a, 1e-3);
    const double closing = s->in.size > 0.0 ? 2.0 : 1.0; // the middle of a patch moves half as fast
    // the stencil as above; the energy is smooth but for adhesion's second derivative
    CHECK_NEAR(t, closing * out.elastic, d.value,
               1e-7 * (fabs(out.elastic) + fabs(out.stored)) + d.doubt);
}

TEST(stored_energy_changes_by_the_elastic_force)
{
    for_all(t, check_stored);
}

/* A closed cycle d(t) that opens and closes: the work done on the law is not negative. */
static void check_cycle(TestCtx *t, const Sample *s)
{
    enum { STEPS = 2000 };
    const double a0 = test_random(t, -0.3, 0.5),
                 a[4] = {test_random(t, -1, 1), test_random(t, -1, 1), test_random(t, -1, 1),
                         test_random(t, -1, 1)};
    const double area = s->in.size / s->in.depth, dt = 2.0 * M_PI / STEPS;
    double work = 0.0, moved = 0.0, entry = 0.0;
    bool closed = true;
    for (int k = 0; k < 2 * STEPS; ++k) { // the first turn finds with which rate it closes
        const double p = (k + 0.5) * dt;
        TmlPressIn in = s->in;
        in.depth = a0 + a[0] * sin(p) + a[1] * cos(p) + a[2] * sin(2 * p) + a[3] * cos(2 * p);
        in.rate = a[0] * cos(p) - a[1] * sin(p) + 2 * a[2] * cos(2 * p) - 2 * a[3] * sin(2 * p);
        in.depth *= s->in.size > 0.0 ? 0.5 : 1.0; // the middle of a patch
        in.size = fmax(0.0, area * in.depth);
        entry = !closed && in.depth > 0.0 ? in.rate : entry;
        in.entry = entry;
        closed = in.depth > 0.0;
        if (k >= STEPS && closed) {
            const double power = press(s->type, in).force * in.rate;
            work += power * dt;
            moved += fabs(power) * dt;
        }
    }
    // the sum is off by the steps that cross depth 0, where laws may jump: two of 2000 each
    CHECK(t, work >= -2e-3 * moved);
}

TEST(closed_cycles_take_work)
{
    for_all(t, check_cycle);
}

/* --- units -------------------------------------------------------------------------------------- */

static void check_units(TestCtx *t, const Sample *s)
{
    const Units u = {test_random(t, 1e-3, 1e3), test_random(t, 1e-3, 1e3),
                     test_random(t, 0.01, 100)};
    TmlPressIn in = s->in;
    in.data = law_rescaled(t, s->arena, &s->type->info, s->in.data, &u);
    in.depth *= u.m;
    in.size *= pow(u.m, 3);
    in.rate *= u.m / u.s;
    in.entry *= u.m / u.s;
    in.curvature[0] /= u.m;
    in.curvature[1] /= u.m;
    const TmlPress a = press(s->type, s->in), b = press(s->type, in);
    const double N = units_factor(&u, 1, 1, -2);
    // rounding of powers, and of iterations inside of a law; cuts make a force zero exactly
    CHECK_NEAR(t, b.force / N, a.force, 1e-9 * (fabs(a.force) + fabs(a.elastic)));
    CHECK_NEAR(t, b.stored / (N * u.m), a.stored, 1e-9 * fabs(a.stored));
}

TEST(units_do_not_matter)
{
    for_all(t, check_units);
}

TEST_SUITE(press_laws) = {
    CASE(laws_go_on_below_zero),
    CASE(derivatives_are_exact),
    CASE(laws_never_pull_unless_they_say_so),
    CASE(laws_that_may_pull_do),
    CASE(forces_grow_from_zero_unless_laws_say_that_they_jump),
    CASE(stored_energy_changes_by_the_elastic_force),
    CASE(closed_cycles_take_work),
    CASE(units_do_not_matter),
    {0},
};
