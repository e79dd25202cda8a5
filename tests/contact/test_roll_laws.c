/* tests/contact/test_roll_laws.c - what every registered law of rolling resistance must satisfy. */
#include "law_util.h"

enum { SAMPLES = 400 };

typedef struct Sample {
    const TmlRollType *type;
    TmlArena *arena;
    TmlRollIn in;
} Sample;

static TmlRoll roll(const TmlRollType *type, TmlRollIn in)
{
    TmlRoll out;
    memset(&out, 0xff, sizeof out); // a law fills all
    type->roll(&in, &out);
    return out;
}

static void for_all(TestCtx *t, void (*run)(TestCtx *t, const Sample *s))
{
    for (const TmlRollType *const *p = tml_roll_types; *p != NULL; ++p) {
        for (int k = 0; k < SAMPLES; ++k) {
            TmlArena arena = {0};
            const TmlMat33 A = q4_matrix(test_quat(t));
            Sample s = {.type = *p, .arena = &arena};
            t->name = (*p)->info.name;
            s.in = (TmlRollIn){.data = law_data(t, &arena, &(*p)->info, (*p)->check),
                               .force = test_random(t, 0.1, 2.0),
                               .n = A.cz,
                               .omega = v3_scale(pow(10.0, test_random(t, -3, 0.5)), test_vec3(t))};
            run(t, &s);
            tml_arena_free(&arena);
        }
    }
}

typedef struct Along {
    const Sample *s;
    int variable; // 0 to 2: omega; 3, 4: turns of n about two axes normal to it; 5: force
    int entry;
} Along;

static TmlVec3 turn_axis(const Sample *s, int variable)
{
    const TmlMat33 A = m3_from_z(s->in.n, v3(0, 0, 0));
    return variable == 3 ? A.cx : A.cy;
}

static double torque_along(void *user, double x)
{
    const Along *a = user;
    TmlRollIn in = a->s->in;
    const int k = a->variable;
    if (k < 3) {
        in.omega = v3_add(in.omega, v3(k == 0 ? x : 0, k == 1 ? x : 0, k == 2 ? x : 0));
    } else if (k < 5) {
        const TmlMat33 R = q4_matrix(q4_exp(v3_scale(x, turn_axis(a->s, k))));
        in.n = m3_mulv(&R, in.n);
    } else {
        in.force += x;
    }
    const TmlVec3 M = roll(a->s->type, in).torque;
    return a->entry == 0 ? M.x : a->entry == 1 ? M.y : M.z;
}

static void check_derivatives(TestCtx *t, const Sample *s)
{
    const TmlRoll out = roll(s->type, s->in);
    for (int k = 0; k < 6; ++k) {
        const TmlVec3 e = v3(k == 0, k == 1, k == 2);
        const TmlVec3 got = k < 3   ? m3_mulv(&out.by_omega, e)
                            : k < 5 ? m3_mulv(&out.by_n, v3_cross(turn_axis(s, k), s->in.n))
                                    : out.by_force;
        const double x[3] = {got.x, got.y, got.z};
        for (int i = 0; i < 3; ++i) {
            Along a = {s, k, i};
            // the law turns round over 0.1 to 1 rad/s: (h / 0.1)^6 is 1e-12, rounding 1e-13
            const Difference d = difference(torque_along, &a, 1e-3);
            CHECK_NEAR(t, x[i], d.value, 1e-8 * (1.0 + v3_norm(got)));
        }
    }
}

TEST(derivatives_are_exact)
{
    for_all(t, check_derivatives);
}

static void check_signs(TestCtx *t, const Sample *s)
{
    const TmlRoll out = roll(s->type, s->in);
    CHECK(t, v3_dot(out.torque, s->in.omega) <= 0.0);
    // all that is about the normal opposes spin, all across it opposes rolling
    const double spin = v3_dot(s->in.omega, s->in.n), M = v3_dot(out.torque, s->in.n);
    CHECK(t, spin * M <= 1e-15 * fabs(spin) * s->in.force); // rounding of the part across it
    TmlRollIn in = s->in;
    in.force = -1.0;
    CHECK_NEAR(t, v3_norm(roll(s->type, in).torque), 0.0, 0.0);
    in.force = 1.0;
    in.omega = v3(0, 0, 0);
    CHECK_NEAR(t, v3_norm(roll(s->type, in).torque), 0.0, 0.0);
    // turned inputs give turned torques
    const TmlMat33 R = q4_matrix(test_quat(t));
    in = s->in;
    in.n = m3_mulv(&R, in.n);
    in.omega = m3_mulv(&R, in.omega);
    const TmlVec3 turned = m3_mulv(&R, out.torque); // rounding; torques are up to 4 N m
    CHECK_NEAR(t, v3_norm(v3_sub(roll(s->type, in).torque, turned)), 0.0, 1e-13);
}

TEST(torques_oppose_motion_whatever_the_axes)
{
    for_all(t, check_signs);
}

static void check_units(TestCtx *t, const Sample *s)
{
    const Units u = {test_random(t, 1e-3, 1e3), test_random(t, 1e-3, 1e3),
                     test_random(t, 0.01, 100)};
    const double N = units_factor(&u, 1, 1, -2);
    TmlRollIn in = s->in;
    in.data = law_rescaled(t, s->arena, &s->type->info, s->in.data, &u);
    in.force *= N;
    in.omega = v3_scale(1.0 / u.s, in.omega);
    const TmlRoll a = roll(s->type, s->in), b = roll(s->type, in);
    // rounding
    CHECK_NEAR(t, v3_norm(v3_sub(v3_scale(1.0 / (N * u.m), b.torque), a.torque)), 0.0,
               1e-12 * v3_norm(a.torque));
}

TEST(units_do_not_matter)
{
    for_all(t, check_units);
}

/* Fast rolling and spinning meet the full lever arms. */
TEST(resistance_has_the_arms_that_are_given)
{
    const TmlRollType *type = tml_find_roll_type("resistance");
    TmlArena arena = {0};
    const void *data = law_given(t, &arena, &type->info, "rolling", 2e-3, "spinning", 5e-4,
                                 "velocity", 0.01, (char *)NULL);
    const TmlRollIn in = {.data = data, .force = 30.0, .n = v3(0, 0, 1), .omega = v3(3, 4, -2)};
    const TmlVec3 M = roll(type, in).torque;
    // rounding; tanh(200) is 1
    CHECK_NEAR(t, M.x, -30.0 * 2e-3 * 0.6, 1e-14);
    CHECK_NEAR(t, M.y, -30.0 * 2e-3 * 0.8, 1e-14);
    CHECK_NEAR(t, M.z, 30.0 * 5e-4, 1e-14);
    tml_arena_free(&arena);
}

TEST_SUITE(roll_laws) = {
    CASE(derivatives_are_exact),
    CASE(torques_oppose_motion_whatever_the_axes),
    CASE(units_do_not_matter),
    CASE(resistance_has_the_arms_that_are_given),
    {0},
};
