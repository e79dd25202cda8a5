/* tests/contact/test_press_values.c - laws of contact against closed forms and published tables.
 *
 * Collisions are integrated here, m d'' = m g - N with the classical method of fourth order and steps
 * of a few thousandths of the contact, so that they say something of the law alone.
 */
#include "law_util.h"

typedef struct Bounce {
    double out, deepest, duration; // m/s, m, s
} Bounce;

typedef struct Ball {
    const TmlPressType *type;
    const void *data;
    double mass, gravity, entry;
} Ball;

static double acceleration(const Ball *b, double d, double rate)
{
    TmlPress out = {0};
    const TmlPressIn in = {
        .data = b->data, .depth = d, .rate = rate, .entry = b->entry, .curvature = {1.0, 1.0}};
    b->type->press(&in, &out);
    return b->gravity - out.force / b->mass;
}

/* From depth 0 with the speed v back to depth 0. */
static Bounce bounce(const Ball *ball, double v, double dt)
{
    Ball b = *ball;
    Bounce r = {0};
    double d = 1e-300; // a force that jumps is there from the beginning
    double d_old = 0.0, v_old = v, time = 0.0;
    b.entry = v;
    for (int k = 0; k < 10000000 && d > 0.0; ++k) {
        d_old = d;
        v_old = v;
        const double k1 = acceleration(&b, d, v);
        const double v2 = v + 0.5 * dt * k1, k2 = acceleration(&b, d + 0.5 * dt * v, v2);
        const double v3 = v + 0.5 * dt * k2, k3 = acceleration(&b, d + 0.5 * dt * v2, v3);
        const double v4 = v + dt * k3, k4 = acceleration(&b, d + dt * v3, v4);
        d += dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        r.deepest = fmax(r.deepest, d);
        time += dt;
    }
    const double over = d / (d - d_old); // of the last step lies outside
    r.duration = time - over * dt;
    r.out = -(v + over * (v_old - v));
    return r;
}

static double kept(TestCtx *t, const char *name, double n, double e)
{
    const TmlPressType *type = tml_find_press_type(name);
    TmlArena arena = {0};
    Ball b = {.type = type, .mass = 2.0};
    b.data = law_given(t, &arena, &type->info, "stiffness", 1e5, "exponent", n, "restitution", e,
                       (char *)NULL);
    const double v = 1.7, period = pow(b.mass * pow(v, 1.0 - n) / 1e5, 1.0 / (n + 1.0));
    const Bounce r = bounce(&b, v, 2e-3 * period);
    tml_arena_free(&arena);
    return r.out / v;
}

/* The table of docs/theory/contact_laws.md: what published laws give for a wanted restitution. */
TEST(laws_by_restitution_give_what_the_table_says)
{
    static const double wanted[] = {0.1, 0.3, 0.5, 0.7, 0.9, 0.95}, power[] = {1.0, 1.5, 2.2};
    static const struct {
        const char *law;
        double kept[6];
    } rows[] = {
        {"restitution", {0.1, 0.3, 0.5, 0.7, 0.9, 0.95}},
        {"hunt_crossley", {0.516, 0.581, 0.663, 0.768, 0.909, 0.952}},
        {"lankarani_nikravesh", {0.665, 0.684, 0.725, 0.796, 0.913, 0.954}},
        {"flores", {0.069, 0.256, 0.470, 0.683, 0.894, 0.947}},
    };
    for (int r = 0; r < 4; ++r) {
        for (int n = 0; n < 3; ++n) {
            for (int k = 0; k < 6; ++k) {
                t->name = rows[r].law;
                // a table of three digits; the exact law to the error of the integration
                CHECK_NEAR(t, kept(t, rows[r].law, power[n], wanted[k]), rows[r].kept[k],
                           r == 0 ? 1e-6 : 5.1e-4);
            }
        }
    }
}

/* No restitution leaves a ten-thousandth of the speed. */
TEST(no_restitution_stops_a_ball)
{
    static const double power[] = {1.0, 1.5, 2.2};
    for (int n = 0; n < 3; ++n) {
        // the speed that is left; 1e-6 is the error of the integration, as above
        CHECK_NEAR(t, kept(t, "restitution", power[n], 0.0), 1e-4, 1e-6);
    }
}

/* Solves for its own h: the integrals of (R1) for many restitutions, near 0 and 1 too. */
TEST(exact_damping_solves_its_equation)
{
    const TmlPressType *type = tml_find_press_type("restitution");
    TmlArena arena = {0};
    for (int quarter = -36; quarter <= 12; ++quarter) {
        const double x = 0.25 * quarter;
        const double e = x < 0.0 ? 1.0 - pow(10.0, x) : pow(0.7, 1.0 + 2.0 * x);
        const void *data = law_given(t, &arena, &type->info, "stiffness", 1.0, "exponent", 1.0,
                                     "restitution", e, (char *)NULL);
        const TmlPressIn in = {.data = data, .depth = 1.0, .rate = 1.0, .entry = 1.0};
        TmlPress out = {0};
        type->press(&in, &out);
        const double h = out.by_rate;
        // (R1) solved for e by bisection: e falls while h grows
        double low = 0.0, high = fmin(1.0, 1.0 / h);
        for (int k = 0; k < 200; ++k) {
            const double mid = 0.5 * (low + high);
            // the difference of both sides over h^2; its series for a small h
            double f = h * (1.0 + mid) - log1p(h) + log1p(-h * mid);
            if (h < 0.02) {
                f = 0.0;
                for (int i = 2; i < 12; ++i) {
                    f += pow(h, i) * ((i % 2 == 0 ? 1.0 : -1.0) - pow(mid, i)) / i;
                }
            }
            *(f > 0.0 ? &low : &high) = mid;
        }
        CHECK_NEAR(t, low, e, 1e-9 * fmin(e, 1.0) * (1.0 - e) + 3e-16);
    }
    tml_arena_free(&arena);
}

/* exp(-pi zeta / q) where it may pull, exp(-zeta / q (pi - atan2(2 zeta q, 1 - 2 zeta^2))) where not. */
TEST(linear_law_keeps_what_the_closed_form_says)
{
    static const double zetas[] = {0.1414213562373095, 0.3};
    const TmlPressType *type = tml_find_press_type("linear");
    for (int k = 0; k < 4; ++k) {
        TmlArena arena = {0};
        const double z = zetas[k / 2], q = sqrt(1.0 - z * z), m = 0.25, stiffness = 2e6;
        const bool pull = k % 2 == 0;
        Ball b = {.type = type, .mass = m};
        b.data = law_given(t, &arena, &type->info, "stiffness", stiffness, "damping",
                           2.0 * z * sqrt(stiffness * m), "pull", pull ? 1.0 : 0.0, (char *)NULL);
        const Bounce r = bounce(&b, 1.0, 1e-4 * sqrt(m / stiffness));
        const double want =
            pull ? exp(-M_PI * z / q) : exp(-z / q * (M_PI - atan2(2 * z * q, 1 - 2 * z * z)));
        // one step of 1e-4 crosses the end of a force that jumps
        CHECK_NEAR(t, r.out, want, 1e-4);
        tml_arena_free(&arena);
    }
}

/* --- reference data ------------------------------------------------------------------------------ */

static FILE *case_open(TestCtx *t, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/contact/%s",
             test_cases_dir() != NULL ? test_cases_dir() : "(none)", name);
    FILE *f = fopen(path, "r");
    char line[512];
    if (f == NULL || fgets(line, sizeof line, f) == NULL) { // the header
        test_skip(t, "no reference data");
    }
    return f;
}

static void check_impacts(TestCtx *t, const char *file, const Ball *ball, double dt, double allowed)
{
    FILE *f = case_open(t, file);
    double in, v, deepest, end, out;
    int rows = 0;
    while (f != NULL && fscanf(f, "%lf,%lf,%lf,%lf,%lf", &in, &v, &deepest, &end, &out) == 5) {
        const Bounce r = bounce(ball, -v, dt);
        CHECK_NEAR(t, r.out, out, allowed * out);
        CHECK_NEAR(t, r.deepest, deepest, 1e-5 * deepest); // the largest of steps, of order dt^2
        CHECK_NEAR(t, r.duration, end - in, 1e-6);
        ++rows;
    }
    if (f != NULL) {
        CHECK(t, rows > 1);
        fclose(f);
    }
}

/* The README allows 1e-5 of the speed and 1e-6 s in a tight run. */
TEST(impacts_of_balls_are_those_of_the_reference)
{
    TmlArena arena = {0};
    Ball b = {.type = tml_find_press_type("hunt_crossley"), .mass = 1.0, .gravity = 9.81};
    b.data = law_given(t, &arena, &b.type->info, "stiffness", 1e6, "exponent", 1.5, "damping", 0.3,
                       (char *)NULL);
    check_impacts(t, "bouncing_ball/hunt_crossley_impacts.csv", &b, 2e-6, 1e-6);
    b.type = tml_find_press_type("impact");
    b.data = law_given(t, &arena, &b.type->info, "stiffness", 1e6, "exponent", 1.5, "damping", 50.0,
                       "damping_depth", 1e-3, (char *)NULL);
    check_impacts(t, "bouncing_ball/adams_impact_impacts.csv", &b, 2e-6, 1e-6);
    b.type = tml_find_press_type("linear");
    b.mass = 0.25;
    b.data = law_given(t, &arena, &b.type->info, "stiffness", 2e6, "damping", 200.0, "pull", 1.0,
                       (char *)NULL);
    // it ends with a pull of 126 N that a step of 1e-8 s may keep too long
    check_impacts(t, "bouncing_ball/kelvin_voigt_impacts.csv", &b, 1e-8, 1e-5);
    tml_arena_free(&arena);
}

TEST(hertz_agrees_with_the_reference)
{
    const TmlPressType *type = tml_find_press_type("hertz");
    FILE *f = case_open(t, "hertz/hertz.csv");
    double x[16];
    int rows = 0;
    while (f != NULL && fscanf(f, "%lf", &x[0]) == 1) {
        for (int k = 1; k < 16; ++k) {
            CHECK_INT(t, fscanf(f, ",%lf", &x[k]), 1);
        }
        TmlArena arena = {0};
        const void *data = law_given(t, &arena, &type->info, "young", x[4], "poisson", x[5],
                                     "second_young", x[6], "second_poisson", x[7], (char *)NULL);
        const double kx = 1.0 / x[0] + 1.0 / x[2], ky = 1.0 / x[1] + 1.0 / x[3], d = x[12];
        for (int turned = 0; turned < 2; ++turned) { // either order
            const TmlPressIn in = {
                .data = data, .depth = d, .curvature = {turned ? ky : kx, turned ? kx : ky}};
            TmlPress out = {0};
            type->press(&in, &out);
            CHECK_NEAR(t, out.force, x[8], 1e-10 * x[8]); // the table has 12 digits
            CHECK_NEAR(t, out.by_depth, x[14], 1e-10 * x[14]);
            CHECK_NEAR(t, out.force / pow(d, 1.5), x[15], 1e-10 * x[15]);
        }
        ++rows;
        tml_arena_free(&arena);
    }
    if (f != NULL) {
        CHECK_INT(t, rows, 10);
        fclose(f);
    }
}

/* Thin ellipses: K d^1.5 by the asymptotic forms of the integrals, q -> 0. */
TEST(hertz_holds_for_thin_ellipses)
{
    const TmlPressType *type = tml_find_press_type("hertz");
    TmlArena arena = {0};
    const void *data = law_given(t, &arena, &type->info, "modulus", 1.0, (char *)NULL);
    static const double thin[] = {1e-6, 1e-8, 1e-10, 1e-12};
    for (int k = 0; k < 4; ++k) {
        const double q = thin[k];
        const double L = log(4.0 / sqrt(q)); // K = L + q (L - 1) / 4, E = 1 + q (L - 1/2) / 2
        const double K = L + 0.25 * q * (L - 1.0), E = 1.0 + 0.5 * q * (L - 0.5), m = 1.0 - q;
        const double D = (K - E) / m, B = K - D, ratio = q * D / B;
        const TmlPressIn in = {.data = data, .depth = 1.0, .curvature = {ratio, 1.0}};
        TmlPress out = {0};
        type->press(&in, &out);
        const double want = 2.0 * M_PI / 3.0 * sqrt(2.0 * D / ratio) / pow(K, 1.5);
        CHECK_NEAR(t, out.force, want, 1e-10 * want); // the forms leave out q^2 L = 1e-11
    }
    tml_arena_free(&arena);
}

/* --- what laws refuse ---------------------------------------------------------------------------- */

static void check_refused(TestCtx *t, const char *law, const void *data, unsigned touches,
                          const char *part)
{
    const TmlPressType *type = tml_find_press_type(law);
    TmlError err = {0};
    TmlStatus status = type->check != NULL ? type->check(data, &err) : TML_OK;
    if (status == TML_OK && touches != 0) {
        status = type->suits(data, touches, &err);
    }
    t->name = law;
    CHECK(t, status != TML_OK);
    CHECK_HAS(t, err.message, part);
}

TEST(laws_refuse_what_they_cannot_do)
{
    TmlArena arena = {0};
#define GIVEN(law, ...)                                                                            \
    law_given(t, &arena, &tml_find_press_type(law)->info, __VA_ARGS__, (char *)NULL)
    check_refused(t, "linear", GIVEN("linear", "damping", 1.0), 0, "stiffness > 0");
    check_refused(t, "linear", GIVEN("linear", "stiffness", 1.0), TML_TOUCH_PATCHES, "foundation");
    check_refused(t, "linear", GIVEN("linear", "foundation", 1.0), TML_TOUCH_POINTS, "stiffness");
    check_refused(t, "linear", GIVEN("linear", "stiffness", 1.0, "adhesion", 1.0), 0,
                  "adhesion_depth");
    check_refused(t, "power", GIVEN("power", "stiffness", 1.0, "exponent", 0.9), 0, "at least 1");
    check_refused(t, "flores", GIVEN("flores", "stiffness", 1.0, "restitution", 0.0), 0, "above 0");
    check_refused(t, "impact", GIVEN("impact", "stiffness", 1.0, "damping", 1.0), 0,
                  "damping_depth");
    check_refused(t, "hunt_crossley",
                  GIVEN("hunt_crossley", "stiffness", 1.0, "damping", 1.0, "restitution", 0.5), 0,
                  "exclude");
    check_refused(t, "hertz", GIVEN("hertz", "poisson", 0.3), 0, "young");
    check_refused(t, "hertz", GIVEN("hertz", "young", 1.0, "modulus", 1.0), 0, "either");
    check_refused(t, "hertz", GIVEN("hertz", "young", 1.0, "poisson", 1.0), 0, "poisson");
    check_refused(t, "hertz", GIVEN("hertz", "young", 1.0), TML_TOUCH_LINES, "largest_radius");
    check_refused(t, "hertz", GIVEN("hertz", "young", 1.0), TML_TOUCH_CORNERS, "least_radius");
    check_refused(t, "hertz", GIVEN("hertz", "young", 1.0), TML_TOUCH_PATCHES, "foundation");
#undef GIVEN
    tml_arena_free(&arena);
}

TEST_SUITE(press_values) = {
    CASE(laws_by_restitution_give_what_the_table_says),
    CASE(no_restitution_stops_a_ball),
    CASE(exact_damping_solves_its_equation),
    CASE(linear_law_keeps_what_the_closed_form_says),
    CASE(impacts_of_balls_are_those_of_the_reference),
    CASE(hertz_agrees_with_the_reference),
    CASE(hertz_holds_for_thin_ellipses),
    CASE(laws_refuse_what_they_cannot_do),
    {0},
};
