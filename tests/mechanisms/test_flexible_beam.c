/* tests/mechanisms/test_flexible_beam.c - the elastic line of `beam` against rods in closed form.
 *
 *   (R1)  Timoshenko's cantilever: w = P L^3 / (3 E I) + P L / (k G A)
 *   (R2)  roll-up: a moment pi E I / L bends a cantilever to half a circle, tip at (0, 2 L / pi)
 */
#include "flexible_util.h"

static const char text[] =
    "trammel: 1\n"
    "parameters: {L: 1, h: 0.2, E: 1e9, n: 1, force: 0, moment: 0}\n"
    "flexible:\n"
    "  b: {type: beam, formulation: elastic_line, line: [[0, 0, 0], [L, 0, 0]], elements: n,\n"
    "      material: {E: E, nu: 0.25, density: 1000}, section: {height: h, width: h},\n"
    "      start: {clamp: ground}}\n"
    "forces:\n"
    "  push: {type: force, frame: b.end, fz: force}\n"
    "  turn: {type: torque, frame: b.end, tz: moment}\n";

/* Any number of elements, thick and thin: what is exact for one stays so. */
TEST(cantilever_of_timoshenko)
{
    static const char *const names[] = {"n", "h", "force"};
    static const double ns[] = {1, 3, 8}, hs[] = {0.02, 0.2};
    for (int k = 0; k < 6; ++k) {
        const double h = hs[k % 2], E = 1e9, EI = E * pow(h, 4) / 12, GA = E / 2.5 * h * h;
        const double force = 1e-6 * EI; // squares of the slope are 1e-12
        const double values[] = {ns[k / 2], h, force};
        FlexCase c = flex_case(t, text, 3, names, values);
        if (flex_settle(t, &c)) {
            const double want = force / (3 * EI) + force / (5.0 / 6.0 * GA); // (R1)
            // statics stops when forces balance to 1e-7 of the largest
            CHECK_NEAR(t, flex_tip(&c).z / want, 1.0, 1e-6);
        }
        flex_close(&c);
    }
}

TEST(half_circle_converges_with_the_fourth_power)
{
    static const char *const names[] = {"n", "h", "moment"};
    const double pi = 3.14159265358979323846, h = 0.05, EI = 1e9 * pow(h, 4) / 12;
    double off[2];
    for (int k = 0; k < 2; ++k) {
        const double values[] = {k == 0 ? 4 : 8, h, pi * EI};
        FlexCase c = flex_case(t, text, 3, names, values);
        off[k] = (double)NAN;
        if (flex_settle(t, &c)) {
            const TmlVec3 tip = flex_tip(&c);
            off[k] = hypot(tip.x, tip.y - 2 / pi); // (R2)
        }
        flex_close(&c);
    }
    // 2^4 = 16, less what the next order has at a turn of 45 degrees in an element
    CHECK(t, off[0] / off[1] > 12.0 && off[0] / off[1] < 20.0);
    CHECK_NEAR(t, off[1], 0.0, 5e-4); // an element turns by 22 degrees: its fourth power over 50
}

TEST_SUITE(flexible_beam) = {
    CASE(cantilever_of_timoshenko),
    CASE(half_circle_converges_with_the_fourth_power),
    {0},
};
