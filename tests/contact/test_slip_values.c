/* tests/contact/test_slip_values.c - laws of friction against closed forms and reference data.
 *
 * Motions of one mass are integrated here by the classical method of fourth order with fixed steps, so
 * that they say something of the law alone.
 */
#include "law_util.h"

static TmlSlip slip_at(const TmlSlipType *type, const void *data, double N, TmlVec3 v, TmlVec3 z)
{
    const TmlSlipIn in = {.data = data, .force = N, .v = v, .z = z};
    TmlSlip out;
    type->slip(&in, &out);
    return out;
}

/* Friction over the normal force, at a speed. */
static double mu_at(const TmlSlipType *type, const void *data, double v)
{
    return -slip_at(type, data, 1.0, v3(v, 0, 0), v3(0, 0, 0)).force.x;
}

/* Creep speeds at tan(10 deg) / 0.4 of the full friction, in static velocities. */
TEST(coulomb_creeps_as_its_smoothing_says)
{
    static const double creep[] = {0.47324496, 0.303, 0.491}; // tanh; cubic and sqrt to 3 digits
    const TmlSlipType *type = tml_find_slip_type("coulomb");
    TmlArena arena = {0};
    for (int k = 0; k < 3; ++k) {
        const void *data = law_given(t, &arena, &type->info, "dynamic", 0.4, "static_velocity",
                                     1e-3, "smoothing", (double)k, (char *)NULL);
        CHECK_NEAR(t, mu_at(type, data, 1e-3 * creep[k]), tan(M_PI / 18.0),
                   k == 0 ? 1e-8 : 0.4 * 2e-3);
        CHECK_NEAR(t, mu_at(type, data, 10.0), 0.4, 1e-8);
        CHECK_NEAR(t, type->width(data), 1e-3, 0.0);
    }
    tml_arena_free(&arena);
}

/* The function of Adams: mu_s at v_s, mu_d from v_d on, cubics between, slope 3/2 mu_s / v_s at 0. */
TEST(cubic_smoothing_is_that_of_adams)
{
    const TmlSlipType *type = tml_find_slip_type("coulomb");
    TmlArena arena = {0};
    const void *data =
        law_given(t, &arena, &type->info, "static", 0.3, "dynamic", 0.2, "static_velocity", 0.1,
                  "dynamic_velocity", 1.0, "smoothing", 1.0, (char *)NULL);
    // rounding of cubics
    CHECK_NEAR(t, mu_at(type, data, 0.05), 0.3 * (0.5 * (3.0 - 0.25) / 2.0), 1e-15);
    CHECK_NEAR(t, mu_at(type, data, 0.1), 0.3, 1e-15);
    CHECK_NEAR(t, mu_at(type, data, 0.55), 0.25, 1e-15);
    CHECK_NEAR(t, mu_at(type, data, 1.0), 0.2, 1e-15);
    CHECK_NEAR(t, mu_at(type, data, 7.0), 0.2, 1e-15);
    const TmlSlip rest = slip_at(type, data, 1.0, v3(0, 0, 0), v3(0, 0, 0));
    CHECK_NEAR(t, rest.by_v.cx.x, -1.5 * 0.3 / 0.1, 1e-14);
    // smooth shapes rise towards static friction and fall to the dynamic one: exp(-0.08^2) of the
    // difference of 0.1 is 6.4e-4 below it, exp(-25) is 1.4e-12 above
    const void *smooth = law_given(t, &arena, &type->info, "static", 0.3, "dynamic", 0.2,
                                   "static_velocity", 1e-3, "dynamic_velocity", 0.1, (char *)NULL);
    CHECK_NEAR(t, mu_at(type, smooth, 0.008), 0.3, 1e-3);
    CHECK_NEAR(t, mu_at(type, smooth, 0.5), 0.2, 1e-10);
    tml_arena_free(&arena);
}

/* The largest friction of all speeds is the static one, however near the two speeds are; beyond it is the dynamic one. */
TEST(things_break_away_at_static_friction)
{
    static const double set[][2] = {
        {0.25, 10.0}, {0.25, 1.5}, {0.25, 1e4}, {0.399, 10.0}, {0.0, 3.0}};
    const TmlSlipType *type = tml_find_slip_type("coulomb");
    for (size_t k = 0; k < sizeof set / sizeof *set; ++k) {
        for (int shape = 0; shape < 3; ++shape) {
            TmlArena arena = {0};
            const double v_s = 1e-3, mu_d = set[k][0], v_d = set[k][1] * v_s;
            const void *data =
                law_given(t, &arena, &type->info, "static", 0.4, "dynamic", mu_d, "static_velocity",
                          v_s, "dynamic_velocity", v_d, "smoothing", (double)shape, (char *)NULL);
            double most = 0.0;
            for (int i = 0; i <= 100000;
                 ++i) { // from 0.1 v_s to 1e3 v_d, by factors of 1 + 1e-4 about
                const double v = 0.1 * v_s * pow(1e4 * v_d / v_s, i / 1e5);
                most = fmax(most, mu_at(type, data, v));
            }
            // the top is flat: the next sample is 1e-4 off it in speed, 1e-8 in friction
            CHECK_NEAR(t, most, 0.4, 1e-8);
            // tanh is 1 there, sqrt off by 0.5e-6 v_s^2 / v_d^2 of it, exp(-1e6) is zero
            CHECK_NEAR(t, mu_at(type, data, 1e3 * v_d), mu_d, 1e-6);
            tml_arena_free(&arena);
        }
    }
}

/* Never by component: sliding along the diagonal has no more friction than along an axis. */
TEST(friction_has_no_preferred_direction)
{
    for (const TmlSlipType *const *p = tml_slip_types; *p != NULL; ++p) {
        TmlArena arena = {0};
        t->name = (*p)->info.name;
        const void *data =
            (*p)->bristles
                ? law_given(t, &arena, &(*p)->info, "dynamic", 0.4, "stiffness", 1e4, (char *)NULL)
                : law_given(t, &arena, &(*p)->info, "dynamic", 0.4, (char *)NULL);
        const double c = sqrt(0.5), z_max = (*p)->bristles ? (*p)->reach(data, 10.0) : 0.0;
        const TmlSlip out = slip_at(*p, data, 10.0, v3(c, c, 0), v3(c * z_max, c * z_max, 0));
        CHECK_NEAR(t, v3_norm(out.force), 4.0, 1e-14); // rounding
        tml_arena_free(&arena);
    }
}

/* --- one mass ------------------------------------------------------------------------------------ */

/* m x'' = -k x + load(t) + T(x' - belt, z, N) */
typedef struct Mass {
    const TmlSlipType *type;
    const void *data;
    double m, k, N, belt, load, swing, rate;
} Mass;

static void mass_rate(const Mass *b, double time, const double *y, double *dy)
{
    const TmlSlip s = slip_at(b->type, b->data, b->N, v3(y[1] - b->belt, 0, 0), v3(y[2], 0, 0));
    dy[0] = y[1];
    dy[1] = (-b->k * y[0] + b->load + b->swing * sin(b->rate * time) + s.force.x) / b->m;
    dy[2] = s.rate.x;
}

static void mass_step(const Mass *b, double time, double h, double *y)
{
    double k[4][3], x[3];
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; ++s) {
        for (int i = 0; i < 3; ++i) {
            x[i] = y[i] + (s > 0 ? h * at[s] * k[s - 1][i] : 0.0);
        }
        mass_rate(b, time + at[s] * h, x, k[s]);
    }
    for (int i = 0; i < 3; ++i) {
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

static Mass mass_bristle(TestCtx *t, TmlArena *arena, const char *law)
{
    Mass b = {.type = tml_find_slip_type(law), .m = 1.0, .N = 10.0};
    b.data =
        law_given(t, arena, &b.type->info, "stiffness", 1e5, "damping", sqrt(1e5), "viscous", 0.04,
                  "dynamic", 0.25, "static", 0.4, "stribeck_velocity", 0.01, (char *)NULL);
    return b;
}

/* The reference has the published law without limits: the cone and the rule against gain do not
 * act there. Its states are good to 1e-6 (README); steps of 1e-5 s cross v = 0 some ten times. */
TEST(lugre_sticks_and_slips_as_the_reference)
{
    char path[1024], line[256];
    snprintf(path, sizeof path, "%s/contact/stick_slip/lugre.csv",
             test_cases_dir() != NULL ? test_cases_dir() : "(none)");
    FILE *f = fopen(path, "r");
    if (f == NULL || fgets(line, sizeof line, f) == NULL) {
        test_skip(t, "no reference data");
        return;
    }
    TmlArena arena = {0};
    Mass b = mass_bristle(t, &arena, "lugre");
    b.k = 100.0;
    b.belt = 0.1;
    double y[3] = {0.0, 0.1, 0.0}, want[4];
    int rows = 0, at = 0;
    while (fscanf(f, "%lf,%lf,%lf,%lf", &want[0], &want[1], &want[2], &want[3]) == 4) {
        for (; at < (int)lround(want[0] * 1e5); ++at) {
            mass_step(&b, at * 1e-5, 1e-5, y);
        }
        CHECK_NEAR(t, y[0], want[1], 1e-6);
        CHECK_NEAR(t, y[1], want[2], 1e-5);
        CHECK_NEAR(t, y[2], -want[3], 1e-8); // there it is that of the belt
        ++rows;
    }
    CHECK(t, rows > 400);
    fclose(f);
    tml_arena_free(&arena);
}

/* The slip of a mass under a load that swings below break-away, in m/s over the last second. */
static double creep(const Mass *b)
{
    const TmlVec3 z = b->type->bear(b->data, b->N, v3(-b->load, 0, 0));
    double y[3] = {0.0, 0.0, z.x}, begin = 0.0;
    for (int k = 0; k < 200000; ++k) {
        mass_step(b, k * 1e-5, 1e-5, y);
        begin = k == 100000 ? y[0] - y[2] : begin; // whole periods of 5 Hz
    }
    return fabs(y[0] - y[2] - begin);
}

TEST(elastic_law_does_not_creep_under_a_load_that_swings)
{
    TmlArena arena = {0};
    Mass lugre = mass_bristle(t, &arena, "lugre"), elastic = mass_bristle(t, &arena, "elastic");
    lugre.load = elastic.load = 1.2;
    // at most 1.7 N: below 0.7 of the dynamic friction, 1.75 N
    lugre.swing = elastic.swing = 0.5;
    lugre.rate = elastic.rate = 2.0 * M_PI * 5.0;
    CHECK(t, creep(&lugre) > 1e-5);             // what is known of the law
    CHECK_NEAR(t, creep(&elastic), 0.0, 1e-15); // rounding of 2e5 steps of 2e-5 m at most
    tml_arena_free(&arena);
}

/* Under a constant load things stay: below 1e-8 m in 60 s is asked; the law itself gives less. */
TEST(bristles_hold_under_a_constant_load)
{
    static const char *const laws[] = {"lugre", "elastic"};
    for (int k = 0; k < 2; ++k) {
        TmlArena arena = {0};
        Mass b = mass_bristle(t, &arena, laws[k]);
        t->name = laws[k];
        b.load = 1.5;
        CHECK_NEAR(t, creep(&b), 0.0, 1e-15); // rounding of 2e5 steps at rest
        tml_arena_free(&arena);
    }
}

/* Bent under a small load, let go under a large one: what comes back is at most what went in. And a
 * bristle whose load falls is cut back: raised again, it does not bear what it bore. */
TEST(normal_force_makes_no_energy)
{
    static const char *const laws[] = {"lugre", "elastic"};
    for (int k = 0; k < 2; ++k) {
        TmlArena arena = {0};
        const Mass b = mass_bristle(t, &arena, laws[k]);
        const double reach = b.type->reach(b.data, 1.0), h = 1e-6;
        double z = 0.0, work = 0.0, N = 1.0;
        t->name = laws[k];
        for (int i = 0; i < 20000; ++i) { // out, and back when the load has doubled
            const double v = (i < 10000 ? 0.5 : -0.5) * reach / (10000 * h);
            N = i < 10000 ? 1.0 : 2.0;
            const TmlSlip s = slip_at(b.type, b.data, N, v3(v, 0, 0), v3(z, 0, 0));
            work -= s.force.x * v * h;
            z += h * s.rate.x;
        }
        CHECK(t, work >= 0.0);
        z = 0.9 * reach;
        for (int i = 0; i < 100000; ++i) { // at rest under a quarter of the load
            z += h * slip_at(b.type, b.data, 0.25, v3(0, 0, 0), v3(z, 0, 0)).rate.x;
        }
        // s_0 / s_1 = 316 1/s for 0.1 s: exp(-31.6) = 2e-14 is left, and the rounding of 1e5 steps
        CHECK_NEAR(t, z, 0.25 * reach, 1e-10 * reach);
        const double T = slip_at(b.type, b.data, 1.0, v3(0, 0, 0), v3(z, 0, 0)).force.x;
        CHECK_NEAR(t, T, -0.25 * 0.4, 1e-10);
        tml_arena_free(&arena);
    }
}

TEST_SUITE(slip_values) = {
    CASE(coulomb_creeps_as_its_smoothing_says),
    CASE(cubic_smoothing_is_that_of_adams),
    CASE(things_break_away_at_static_friction),
    CASE(friction_has_no_preferred_direction),
    CASE(lugre_sticks_and_slips_as_the_reference),
    CASE(elastic_law_does_not_creep_under_a_load_that_swings),
    CASE(bristles_hold_under_a_constant_load),
    CASE(normal_force_makes_no_energy),
    {0},
};
