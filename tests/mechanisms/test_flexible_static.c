/* tests/mechanisms/test_flexible_static.c - large static deflections of flexible bodies.
 *
 * Elastica: an inextensible cantilever under a dead load P across, a = P L^2 / EI, angle t at the
 * tip. With 2 k^2 = 1 + sin t and sin f = 1 / (k sqrt 2),
 *
 *   (A1)  sqrt a = K(k) - F(f, k)        w / L = 1 - 2 (E(k) - E(f, k)) / sqrt a
 *   (A2)  shortening u / L = 1 - sqrt(2 sin t / a)
 *
 * Roll-up: a moment 2 pi EI / L closes a cantilever to a circle.
 */
#include "flexible_util.h"

#include "trammel/flexible.h"

/* Stretch of (A1) by a / (EA L^2 / EI): with `slender` h / L = 1e-4 it is below 1e-8. */
static const char cable_text[] =
    "trammel: 1\n"
    "parameters: {L: 1, h: 1e-4, EI: 1, n: 16, force: 0, moment: 0, follower: 0}\n"
    "flexible:\n"
    "  beam: {type: cable, line: [[0, 0, 0], [L, 0, 0]], elements: n, start: {clamp: ground},\n"
    "         material: {E: 1, density: 1}, section: {area: 12*EI/h^2, Iy: EI, Iz: EI}}\n"
    "forces:\n"
    "  dead: {type: force, frame: beam.end, fy: force*EI/L^2}\n"
    "  turning: {type: force, frame: beam.end, fy: follower*EI/L^2, axes: second}\n"
    "  end: {type: torque, frame: beam.end, tz: moment*EI/L}\n";

static const char plane_text[] =
    "trammel: 1\n"
    "parameters: {L: 1, h: 0.01, E: 1e9, n: 16, force: 0, moment: 0, EI: E*h^4/12}\n"
    "flexible:\n"
    "  beam: {type: beam2d, line: [[0, 0, 0], [L, 0, 0]], elements: n, start: {clamp: ground},\n"
    "         material: {E: E, nu: 0, density: 1000}, section: {height: h, width: h}}\n"
    "forces:\n"
    "  dead: {type: force, frame: beam.end, fy: force*EI/L^2}\n"
    "  end: {type: torque, frame: beam.end, tz: moment*EI/L}\n";

static double pi(void)
{
    return 3.14159265358979323846;
}

/* Integral of (1 - k^2 sin^2)^power from f to pi/2 by Simpson's rule. */
static double elliptic(double f, double k, double power)
{
    enum { N = 4000 };
    const double h = (0.5 * pi() - f) / N;
    double sum = 0.0;
    for (int i = 0; i <= N; ++i) {
        const double s = k * sin(f + i * h), y = pow(1.0 - s * s, power);
        sum += (i == 0 || i == N ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * y;
    }
    return sum * h / 3.0;
}

/* (A1) and (A2) for the load a. */
static void elastica(double a, double *w, double *u)
{
    double low = 1e-9, high = 0.5 * pi() - 1e-9; // angle of the tip
    for (int i = 0; i < 100; ++i) {
        const double t = 0.5 * (low + high), k = sqrt(0.5 * (1.0 + sin(t)));
        const double f = asin(1.0 / (k * sqrt(2.0)));
        *(elliptic(f, k, -0.5) < sqrt(a) ? &low : &high) = t;
    }
    const double k = sqrt(0.5 * (1.0 + sin(low))), f = asin(1.0 / (k * sqrt(2.0)));
    *w = 1.0 - 2.0 * elliptic(f, k, 0.5) / sqrt(a);
    *u = 1.0 - sqrt(2.0 * sin(low) / a);
}

/* Largest difference from the elastica of a = 4 with n elements. */
static double elastica_error(TestCtx *t, const char *text, double n, double h)
{
    const char *const names[] = {"force", "n", "h"};
    const double values[] = {4.0, n, h};
    double w, u, error = (double)NAN;
    elastica(4.0, &w, &u);
    FlexCase c = flex_case(t, text, 3, names, values);
    if (flex_settle(t, &c)) {
        const TmlVec3 tip = flex_tip(&c);
        error = fmax(fabs(tip.y - w), fabs(1.0 - tip.x - u));
    }
    flex_close(&c);
    return error;
}

TEST(elastica_itself)
{
    double w, u;
    elastica(1.0, &w, &u);
    // tables of the elastica: w = 0.30172077, u = 0.05643324; eight digits are printed
    CHECK_NEAR(t, w, 0.3017207738, 1e-8);
    CHECK_NEAR(t, u, 0.0564332363, 1e-8);
}

TEST(cable_bends_to_the_elastica)
{
    const double e16 = elastica_error(t, cable_text, 16, 1e-4);
    const double e32 = elastica_error(t, cable_text, 32, 1e-4);
    const double e64 = elastica_error(t, cable_text, 64, 1e-4);
    // The curvature of a cubic is off by the square of the element's length between two nodes: of
    // second order at least, a factor 4; and 0.1 % is asked of 32 elements
    CHECK(t, e16 / e32 > 3.5);
    CHECK(t, e32 / e64 > 3.5);
    CHECK_NEAR(t, e32, 0.0, 1e-3);
}

TEST(plane_beam_bends_to_the_elastica)
{
    // linear gradients r_y: strains of bending are off by the square of the element's length; the
    // error of a locked element (16 is far from the limit) falls faster. h / L = 0.01: shear and
    // stretch are of the order (h / L)^2 = 1e-4
    const double e16 = elastica_error(t, plane_text, 16, 0.01);
    const double e32 = elastica_error(t, plane_text, 32, 0.01);
    const double e64 = elastica_error(t, plane_text, 64, 0.01);
    CHECK(t, e16 / e32 > 3.5);
    CHECK_NEAR(t, e64, 0.0, 3e-4);
}

/* Distance of the tip from the clamp, and of the angle from a whole turn, by a moment 2 pi. */
static double roll_up(TestCtx *t, double n, int *iterations)
{
    const char *const names[] = {"moment", "n", "h"};
    const double values[] = {2.0 * pi(), n, 0.1};
    FlexCase c = flex_case(t, cable_text, 3, names, values);
    double off = (double)NAN;
    if (flex_settle(t, &c)) {
        const TmlVec3 tip = flex_tip(&c);
        off = hypot(tip.x, tip.y);
    }
    *iterations = c.info.iterations;
    flex_close(&c);
    return off;
}

TEST(moment_closes_a_circle)
{
    int it[2];
    const double o16 = roll_up(t, 16, &it[0]), o32 = roll_up(t, 32, &it[1]);
    // a cubic differs from a circle of the same curvature in the fourth order: a factor 16
    CHECK(t, o16 / o32 > 12.0);
    CHECK_NEAR(t, o16, 0.0, 1e-3);
    CHECK(t, it[0] < 150 && it[1] < 150); // steps of 0.3 rad at most: 2 pi takes 21 at least
}

/* The number of iterations does not grow with EA L^2 / EI = 12 L^2 / h^2. */
TEST(slender_bodies_take_no_longer)
{
    const char *const names[] = {"force", "h"};
    int it[3];
    for (int k = 0; k < 3; ++k) {
        const double values[] = {10.0, k == 0 ? 1e-2 : k == 1 ? 1e-3 : 1e-4};
        FlexCase c = flex_case(t, cable_text, 2, names, values);
        flex_settle(t, &c);
        it[k] = c.info.iterations;
        CHECK_INT(t, c.info.load_steps, 0);
        flex_close(&c);
    }
    CHECK(t, it[0] < 60);
    CHECK(t, it[1] <= it[0] + 10 && it[2] <= it[0] + 10); // a few for the first, strained steps
}

/* Follower force: the same force in the axes of the tip. */
TEST(follower_force)
{
    const char *const names[] = {"follower", "n", "h", "L", "EI"};
    // published case: L = 100, EI = 3.5e7, EA = 4.2e8 (h = 1), P = 130e3: exact -75.857054 along
    // and -47.845391 across by shooting
    const double L = 100.0, EI = 3.5e7, values[] = {130e3 * L * L / EI, 32, 1.0, L, EI};
    FlexCase c = flex_case(t, cable_text, 5, names, values);
    if (flex_settle(t, &c)) {
        const TmlVec3 tip = flex_tip(&c);
        // 0.1 % of the largest displacement of the path, 107, is asked of a converged mesh
        CHECK_NEAR(t, tip.x - L, -75.857054, 0.107);
        CHECK_NEAR(t, tip.y, -47.845391, 0.107);
    }
    flex_close(&c);
}

/* A force that a free body cannot bear is reported with the name of the flexible body. */
TEST(nothing_holds_it)
{
    static const char text[] =
        "trammel: 1\n"
        "flexible:\n"
        "  float: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 2,\n"
        "          material: {E: 1e6, density: 1000}, section: {radius: 0.01}}\n"
        "forces:\n"
        "  pull: {type: force, frame: float.end, fx: 1}\n";
    TmlError err = {0};
    FlexCase c = flex_case(t, text, 0, NULL, NULL);
    if (c.sim != NULL) {
        CHECK(t, tml_sim_statics(c.sim, NULL, &c.info, &err) != TML_OK);
        CHECK(t, strstr(err.message, "node") == NULL);
        CHECK(t, strstr(err.message, "flexible body 'float'") != NULL);
    }
    flex_close(&c);
}

/* --- stresses in outputs --------------------------------------------------------------------- */

static const char stress_text[] =
    "trammel: 1\n"
    "parameters: {h: 0.02, n: 8, EI: 2e9*h^4/12}\n"
    "flexible:\n"
    "  beam: {type: beam3, line: [[0, 0, 0], [1, 0, 0]], elements: n, start: {clamp: ground},\n"
    "         material: {E: 2e9, nu: 0.3, density: 1000}, section: {height: h, width: h}}\n"
    "forces: {end: {type: torque, frame: beam.end, tz: 0.01*EI}}\n"
    "outputs:\n"
    "  above: output(beam, 0.3, h/2).stress_xx\n"
    "  below: output(beam, 0.3, -h/2).stress_xx\n"
    "  range: output(beam, 0.3, h/2).stress_xx - output(beam, 0.3, -h/2).stress_xx\n"
    "  shear: 1e-6*output(beam, 0.5, 0, h/2).stress_xz + 2\n";

TEST(outputs_read_stresses_at_a_place)
{
    FlexCase c = flex_case(t, stress_text, 0, NULL, NULL);
    if (flex_settle(t, &c)) {
        const double above = tml_row_channel(c.sim, 0), below = tml_row_channel(c.sim, 1);
        const double place[3] = {0.3, 0.01, 0.0}, moment = 2e9 * 0.01 * 0.01; // E kappa h/2
        CHECK_NEAR(t, above, tml_row_strain(c.sim, 0, place, 6), 0.0);        // the same operations
        // pure bending; Green's strain adds (kappa h)^2 / 8 = 5e-9 to 1e-4
        CHECK_NEAR(t, above, -moment, 1e-3 * moment);
        CHECK_NEAR(t, below, moment, 1e-3 * moment);
        CHECK_NEAR(t, tml_row_channel(c.sim, 2), above - below, 1e-9 * moment);
        CHECK_NEAR(t, tml_row_channel(c.sim, 3), 2.0,
                   1e-3); // no shear: 1e-3 of the moment's stress
    }
    flex_close(&c);
}

/* What stands under `forces` needs derivatives; places and names are checked. */
TEST(wrong_places_are_told)
{
    static const struct {
        const char *force, *output, *message;
    } wrong[] = {
        {"output(b, 0.5).stress_xx", "1", "under 'outputs' only"},
        {"1", "output(b, 1.5).stress_xx", "goes from 0 to 1, not to 1.5"},
        {"1", "output(b).stress_xx", "needs a place"},
        {"1", "output(b, 0.5)", "followed by a dot and a name: .strain_xx"},
        {"1", "output(b, 0.5).stress_xs", "did you mean 'stress_xx'?"},
        {"1", "output(b, nowhere).stress_xx", "expected a number for the place, found 'nowhere'"},
        {"1", "output(f, 0.5).x", "places belong to flexible and modal bodies"},
    };
    for (int k = 0; k < (int)(sizeof wrong / sizeof wrong[0]); ++k) {
        char text[1024];
        TmlModel *model = NULL;
        TmlError err = {0};
        snprintf(
            text, sizeof text,
            "trammel: 1\n"
            "flexible:\n"
            "  b: {type: beam, line: [[0, 0, 0], [1, 0, 0]], elements: 2, start: {clamp: ground},\n"
            "      material: {E: 2e9, nu: 0.3, density: 1000}, section: {height: 0.1, width: "
            "0.1}}\n"
            "forces: {f: {type: force, frame: b.end, fy: \"%s\"}}\n"
            "outputs: {o: \"%s\"}\n",
            wrong[k].force, wrong[k].output);
        t->name = wrong[k].message;
        CHECK(t, tml_load_text(text, "wrong.yaml", 0, NULL, NULL, &model, &err) != TML_OK);
        CHECK(t, strstr(err.message, wrong[k].message) != NULL);
        tml_model_free(model);
    }
}

TEST_SUITE(flexible_static) = {
    CASE(elastica_itself),
    CASE(cable_bends_to_the_elastica),
    CASE(plane_beam_bends_to_the_elastica),
    CASE(moment_closes_a_circle),
    CASE(slender_bodies_take_no_longer),
    CASE(follower_force),
    CASE(nothing_holds_it),
    CASE(outputs_read_stresses_at_a_place),
    CASE(wrong_places_are_told),
    {0},
};
