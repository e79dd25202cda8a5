/* tests/contact/test_slip_laws.c - what every registered law of friction must satisfy.
 *
 * A new law is covered by these checks as soon as its registry line exists. Each limit is rounding
 * (1e-15 was measured) with a margin for laws with more operations, unless its comment says more.
 */
#include "law_util.h"
#include "model/contact/law/bristle.h"

enum { SAMPLES = 400 };

typedef struct Sample {
    const TmlSlipType *type;
    TmlArena *arena;
    TmlMat33 plane; // its third axis is the normal
    TmlSlipIn in;
} Sample;

static TmlSlip slip(const TmlSlipType *type, TmlSlipIn in)
{
    TmlSlip out;
    memset(&out, 0xff, sizeof out); // a law fills all
    type->slip(&in, &out);
    return out;
}

static double param(const Sample *s, const char *name)
{
    for (const TmlParam *p = s->type->info.params; p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            return *(const double *)((const char *)s->in.data + p->offset);
        }
    }
    return 0.0;
}

/* The larger of the two coefficients: all laws name them alike. */
static double largest_mu(const Sample *s)
{
    return fmax(param(s, "static"), param(s, "dynamic"));
}

static TmlVec3 in_plane(const Sample *s, double a, double b)
{
    return v3_add(v3_scale(a, s->plane.cx), v3_scale(b, s->plane.cy));
}

static Sample sample_make(TestCtx *t, TmlArena *arena, const TmlSlipType *type)
{
    t->name = type->info.name;
    Sample s = {.type = type, .arena = arena, .plane = q4_matrix(test_quat(t))};
    s.in = (TmlSlipIn){.data = law_data(t, arena, &type->info, type->check),
                       .force = test_random(t, 0.1, 2.0)};
    s.in.v = in_plane(&s, test_random(t, -2, 2), test_random(t, -2, 2));
    if (type->bristles) { // within what sliding gives, and somewhat beyond; half of them along v
        const double reach = type->reach(s.in.data, s.in.force);
        s.in.z = in_plane(&s, reach * test_random(t, -1, 1), reach * test_random(t, -1, 1));
        if (test_random(t, 0, 1) < 0.5) {
            const TmlVec3 along = v3_scale(reach * test_random(t, 0, 1.2), v3_unit(s.in.v));
            s.in.z = v3_axpy(0.2, s.in.z, along);
        }
    }
    return s;
}

static void for_all(TestCtx *t, void (*run)(TestCtx *t, const Sample *s))
{
    for (const TmlSlipType *const *p = tml_slip_types; *p != NULL; ++p) {
        for (int k = 0; k < SAMPLES; ++k) {
            TmlArena arena = {0};
            const Sample s = sample_make(t, &arena, *p);
            run(t, &s);
            tml_arena_free(&arena);
        }
    }
}

/* --- derivatives -------------------------------------------------------------------------------- */

typedef struct Along {
    const Sample *s;
    bool hold;    // friction at rest
    int variable; // 0, 1: v; 2, 3: z; 4: normal force
    int entry;    // 0 to 2: force; 3 to 5: rate
} Along;

static double value_along(void *user, double x)
{
    const Along *a = user;
    TmlSlipIn in = a->s->in;
    const TmlVec3 d =
        in_plane(a->s, a->variable % 2 == 0 ? x : 0.0, a->variable % 2 == 1 ? x : 0.0);
    in.v = a->variable / 2 == 0 ? v3_add(in.v, d) : in.v;
    in.z = a->variable / 2 == 1 ? v3_add(in.z, d) : in.z;
    in.force += a->variable == 4 ? x : 0.0;
    TmlSlip out = {0};
    (a->hold ? a->s->type->hold : a->s->type->slip)(&in, &out);
    const double all[] = {out.force.x, out.force.y, out.force.z,
                          out.rate.x,  out.rate.y,  out.rate.z};
    return all[a->entry];
}

static int doubtful, compared;

static void check_variable(TestCtx *t, const Sample *s, bool hold, int variable, TmlVec3 by_force,
                           TmlVec3 by_rate)
{
    const double got[] = {by_force.x, by_force.y, by_force.z, by_rate.x, by_rate.y, by_rate.z};
    const double h = variable / 2 == 1 ? 1e-4 * fmax(v3_norm(s->in.z), 1e-2) : 1e-4;
    for (int entry = 0; entry < (s->type->bristles && !hold ? 6 : 3); ++entry) {
        Along a = {s, hold, variable, entry};
        // inputs are of size 0.1 and more, velocities of smoothing too: (h / 0.1)^6 is 1e-18;
        // rounding 1e-12 of the value
        const Difference d = difference(value_along, &a, h);
        const double size = fabs(value_along(&a, 0.0)) * 1e-4 / h + fabs(d.value) + 1.0;
        ++compared;
        if (d.doubt > 1e-7 * size) {
            ++doubtful;
            continue;
        }
        CHECK_NEAR(t, got[entry], d.value, 1e-8 * size);
    }
}

static void check_derivatives(TestCtx *t, const Sample *s)
{
    const TmlSlip out = slip(s->type, s->in);
    const TmlVec3 axis[] = {s->plane.cx, s->plane.cy};
    for (int k = 0; k < 2; ++k) {
        check_variable(t, s, false, k, m3_mulv(&out.by_v, axis[k]),
                       m3_mulv(&out.rate_by_v, axis[k]));
        if (s->type->bristles) {
            check_variable(t, s, false, 2 + k, m3_mulv(&out.by_z, axis[k]),
                           m3_mulv(&out.rate_by_z, axis[k]));
        }
    }
    check_variable(t, s, false, 4, out.by_force, out.rate_by_force);
}

TEST(derivatives_are_exact)
{
    doubtful = compared = 0;
    for_all(t, check_derivatives);
    CHECK(t, doubtful < compared / 50); // kinks are surfaces
}

static void check_hold(TestCtx *t, const Sample *s)
{
    Sample at = *s;
    TmlSlip out = {0};
    const double r = s->type->bristles ? s->type->reach(s->in.data, s->in.force) : 1.0;
    if (s->type->hold == NULL) {
        return;
    }
    at.in.z = in_plane(s, r * test_random(t, -2, 2), r * test_random(t, -2, 2));
    s->type->hold(&at.in, &out);
    CHECK(t, v3_dot(out.force, at.in.z) <= 0.0);
    CHECK(t, v3_norm(out.force) <= largest_mu(s) * s->in.force * (1.0 + 1e-12));
    check_variable(t, &at, true, 2, m3_mulv(&out.by_z, s->plane.cx), v3(0, 0, 0));
    check_variable(t, &at, true, 3, m3_mulv(&out.by_z, s->plane.cy), v3(0, 0, 0));
    check_variable(t, &at, true, 4, out.by_force, v3(0, 0, 0));
    // stored energy is the work done against it
    const double h = 1e-4 * r;
    TmlSlip side[2];
    for (int k = 0; k < 2; ++k) {
        TmlSlipIn in = at.in;
        in.z = v3_scale(1.0 + (k == 0 ? -h : h), in.z);
        s->type->hold(&in, &side[k]);
    }
    CHECK_NEAR(t, (side[1].stored - side[0].stored) / (2.0 * h), -v3_dot(out.force, at.in.z),
               1e-5 * (out.stored + v3_norm(out.force) * v3_norm(at.in.z))); // h^2, and kinks h
}

TEST(friction_at_rest_holds_by_a_spring_with_yield)
{
    doubtful = compared = 0;
    for_all(t, check_hold);
    CHECK(t, doubtful < compared / 50);
}

/* --- what friction does -------------------------------------------------------------------------- */

/* Slides along with constant velocity until bristles have settled, over twenty times their reach. */
static Sample slid(const Sample *s)
{
    Sample at = *s;
    const double v = v3_norm(s->in.v);
    const double reach = s->type->bristles ? s->type->reach(s->in.data, s->in.force) : 0.0;
    const double dt = reach / v / 50.0;
    for (int k = 0; s->type->bristles && k < 1000; ++k) {
        TmlSlipIn half = at.in;
        half.z = v3_axpy(0.5 * dt, slip(s->type, at.in).rate, at.in.z);
        at.in.z = v3_axpy(dt, slip(s->type, half).rate, at.in.z);
    }
    return at;
}

static void check_sliding(TestCtx *t, const Sample *s)
{
    const Sample at = slid(s);
    const TmlSlip out = slip(at.type, at.in);
    const double v = v3_norm(at.in.v), T = v3_norm(out.force);
    const double limit = (largest_mu(s) + param(s, "viscous") * v) * s->in.force;
    CHECK(t, T <= limit * (1.0 + 1e-9));
    CHECK_NEAR(t, v3_dot(out.force, at.in.v), -T * v, 1e-6 * limit * v); // opposite to v
    CHECK_NEAR(t, v3_dot(out.force, s->plane.cz), 0.0, 1e-12 * limit);
}

TEST(friction_is_opposite_to_sliding_and_bounded)
{
    for_all(t, check_sliding);
}

static void check_without_load(TestCtx *t, const Sample *s)
{
    TmlSlipIn in = s->in;
    for (in.force = -1.0; in.force <= 0.0; in.force += 1.0) {
        const TmlSlip out = slip(s->type, in);
        CHECK_NEAR(t, v3_norm(out.force), 0.0, 0.0);
        CHECK(t, v3_finite(out.rate));
    }
    in.force = 1e-9; // and next to it there is next to none
    const TmlSlip out = slip(s->type, in);
    CHECK(t, v3_norm(out.force) <=
                 (largest_mu(s) + param(s, "viscous") * v3_norm(in.v)) * 1e-9 * (1.0 + 1e-9));
}

TEST(without_a_normal_force_there_is_no_friction)
{
    for_all(t, check_without_load);
}

static void check_turned(TestCtx *t, const Sample *s)
{
    const TmlMat33 R = q4_matrix(test_quat(t));
    TmlSlipIn in = s->in;
    in.v = m3_mulv(&R, in.v);
    in.z = m3_mulv(&R, in.z);
    const TmlSlip a = slip(s->type, s->in), b = slip(s->type, in);
    const TmlVec3 T = m3_mulv(&R, a.force), rate = m3_mulv(&R, a.rate);
    CHECK_NEAR(t, v3_norm(v3_sub(b.force, T)), 0.0, 1e-12 * v3_norm(T));
    CHECK_NEAR(t, v3_norm(v3_sub(b.rate, rate)), 0.0, 1e-12 * (v3_norm(rate) + v3_norm(s->in.v)));
}

TEST(turned_inputs_give_turned_forces)
{
    for_all(t, check_turned);
}

static void check_rest(TestCtx *t, const Sample *s)
{
    TmlSlipIn in = s->in;
    in.v = v3(0, 0, 0);
    if (!s->type->bristles) {
        CHECK_NEAR(t, v3_norm(slip(s->type, in).force), 0.0, 0.0);
        return;
    }
    const double mu = largest_mu(s) * s->in.force, a = test_random(t, 0.0, 6.28);
    const TmlVec3 T = in_plane(s, 0.99 * mu * cos(a), 0.99 * mu * sin(a));
    in.z = s->type->bear(s->in.data, s->in.force, T);
    const TmlSlip out = slip(s->type, in);
    CHECK_NEAR(t, v3_norm(v3_sub(out.force, T)), 0.0, 1e-12 * mu);
    CHECK_NEAR(t, v3_norm(out.rate), 0.0, 0.0);
    // what statics found is held
    TmlSlip held;
    s->type->hold(&in, &held);
    CHECK_NEAR(t, v3_norm(v3_sub(held.force, T)), 0.0, 1e-12 * mu);
    // more than there is is not borne
    in.z = s->type->bear(s->in.data, s->in.force, v3_scale(3.0, T));
    CHECK(t, v3_norm(slip(s->type, in).force) <= mu * (1.0 + 1e-12));
}

TEST(what_rests_stays_at_rest)
{
    for_all(t, check_rest);
}

/* --- energy -------------------------------------------------------------------------------------- */

/* At each state: the work done is at least what the bristle takes up. Bristles beyond what the normal
 * force allows, too: it may have fallen. */
static void check_power(TestCtx *t, const Sample *s)
{
    TmlSlipIn in = s->in;
    in.z = v3_scale(test_random(t, 0, 1) < 0.5 ? 1.0 : test_random(t, 0, 4), in.z);
    in.v = v3_scale(pow(10.0, test_random(t, -3, 3)), in.v);
    const TmlSlip out = slip(s->type, in);
    const double h = 1e-4 * v3_norm(in.z) / fmax(v3_norm(out.rate), 1e-300);
    double stored = 0.0;
    for (int k = -1; k <= 1 && s->type->bristles; k += 2) { // quadratic: the difference is exact
        TmlSlipIn side = in;
        side.z = v3_axpy(k * h, out.rate, in.z);
        stored += k * slip(s->type, side).stored / (2.0 * h);
    }
    const double power = -v3_dot(out.force, in.v);
    CHECK(t, power - stored >= -1e-9 * (fabs(power) + fabs(stored)));
}

TEST(power_is_never_negative)
{
    for_all(t, check_power);
}

/* As the normal force ends, the rate of a bristle goes over into the one without a force: a jump would hold up any step. */
static void check_end_of_force(TestCtx *t, const Sample *s)
{
    TmlSlipIn in = s->in;
    if (!s->type->bristles || v3_norm(in.z) == 0.0) {
        return;
    }
    in.force = 0.0;
    const TmlSlip none = slip(s->type, in);
    for (int k = 1; k <= 3; ++k) {
        in.force = s->in.force * pow(10.0, -4.0 * k);
        const TmlSlip some = slip(s->type, in);
        // (B5): psi is below 4 L / (s_0 |z|) and w below 8 |v|, as mu_s is below 7 mu_d here; the spring lacks L / s_1
        const double part = s->type->reach(s->in.data, in.force) / v3_norm(in.z);
        const double most = part * (8.0 * 4.0 * v3_norm(in.v) + v3_norm(none.rate));
        CHECK(t, v3_norm(v3_sub(some.rate, none.rate)) <= most);
    }
}

TEST(rates_go_on_where_the_force_ends)
{
    for_all(t, check_end_of_force);
}

/* A history of sliding and of normal force, both of sines, integrated finely. */
static void check_history(TestCtx *t, const Sample *s)
{
    enum { STEPS = 4000 };
    double a[8], work = 0.0, moved = 0.0;
    const double reach = s->type->bristles ? s->type->reach(s->in.data, 1.0) : 1.0;
    for (int k = 0; k < 8; ++k) {
        a[k] = test_random(t, -1, 1);
    }
    TmlSlipIn in = s->in;
    in.z = v3(0, 0, 0);
    const double dt = 20.0 / STEPS; // displacements of some times the reach
    for (int k = 0; k < STEPS; ++k) {
        const double p = (k + 0.5) * dt;
        in.v = in_plane(s, reach * (3 * a[0] * sin(3 * a[1] * p) + a[2] * cos(5 * p)),
                        reach * (3 * a[3] * cos(3 * a[4] * p) + a[5] * sin(7 * p)));
        in.force = 1.0 + 0.9 * sin(2.0 * a[6] * p + a[7]);
        TmlSlipIn half = in;
        half.z = v3_axpy(0.5 * dt, slip(s->type, in).rate, in.z);
        const TmlSlip out = slip(s->type, half);
        const double power = -v3_dot(out.force, in.v);
        work += power * dt;
        moved += fabs(power) * dt;
        in.z = v3_axpy(dt, out.rate, in.z);
    }
    // midpoints are off by dt^2 = 2.5e-5 of it
    CHECK(t, work >= slip(s->type, in).stored - 1e-3 * moved);
}

TEST(histories_take_work)
{
    for_all(t, check_history);
}

/* --- units --------------------------------------------------------------------------------------- */

static void check_units(TestCtx *t, const Sample *s)
{
    const Units u = {test_random(t, 1e-3, 1e3), test_random(t, 1e-3, 1e3),
                     test_random(t, 0.01, 100)};
    const double N = units_factor(&u, 1, 1, -2);
    TmlSlipIn in = s->in;
    in.data = law_rescaled(t, s->arena, &s->type->info, s->in.data, &u);
    in.force *= N;
    in.v = v3_scale(u.m / u.s, in.v);
    in.z = v3_scale(u.m, in.z);
    const TmlSlip a = slip(s->type, s->in), b = slip(s->type, in);
    CHECK_NEAR(t, v3_norm(v3_sub(v3_scale(1.0 / N, b.force), a.force)), 0.0, 1e-9 * s->in.force);
    CHECK_NEAR(t, v3_norm(v3_sub(v3_scale(u.s / u.m, b.rate), a.rate)), 0.0,
               1e-9 * (v3_norm(a.rate) + v3_norm(s->in.v)));
    CHECK_NEAR(t, b.stored / (N * u.m), a.stored, 1e-9 * a.stored);
}

TEST(units_do_not_matter)
{
    for_all(t, check_units);
}

/* (B6): where a contact ends the bristle springs back, and its rate has a bound whatever is left of the normal force. */
static void check_bound(TestCtx *t, const Sample *s)
{
    static const double force[] = {1e-3, 1e-9, 1e-15, 0.0};
    const TmlBristleData *p = s->in.data;
    if (!s->type->bristles || !(p->damping > 0.0)) {
        return;
    }
    const double most = fmax(p->mu_s, p->mu_d) / p->mu_d * v3_norm(s->in.v) + v3_norm(s->in.v) +
                        p->stiffness / p->damping * v3_norm(s->in.z);
    for (int k = 0; k < 4; ++k) {
        TmlSlipIn in = s->in;
        in.force = force[k];
        CHECK(t, v3_norm(slip(s->type, in).rate) <= most);
    }
}

TEST(bristles_of_ending_contacts_have_bounded_rates)
{
    for_all(t, check_bound);
}

TEST_SUITE(slip_laws) = {
    CASE(bristles_of_ending_contacts_have_bounded_rates),
    CASE(derivatives_are_exact),
    CASE(friction_at_rest_holds_by_a_spring_with_yield),
    CASE(friction_is_opposite_to_sliding_and_bounded),
    CASE(without_a_normal_force_there_is_no_friction),
    CASE(turned_inputs_give_turned_forces),
    CASE(what_rests_stays_at_rest),
    CASE(power_is_never_negative),
    CASE(rates_go_on_where_the_force_ends),
    CASE(histories_take_work),
    CASE(units_do_not_matter),
    {0},
};
