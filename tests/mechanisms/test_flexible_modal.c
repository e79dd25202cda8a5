/* tests/mechanisms/test_flexible_modal.c - natural frequencies of flexible bodies.
 *
 * Euler-Bernoulli cantilever with EI = rho A = L = 1: omega = b^2 with cos b cosh b = -1.
 */
#include "flexible_util.h"

/* A cable has no rotary inertia: exactly that beam, bending in y and in z alike; EA = 1e6. */
static const char cable_text[] =
    "trammel: 1\n"
    "parameters: {n: 20}\n"
    "flexible:\n"
    "  beam: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: n, start: {clamp: ground},\n"
    "         material: {E: 1, density: 1e-6}, section: {area: 1e6, Iy: 1, Iz: 1}}\n";

static const char plane_text[] =
    "trammel: 1\n"
    "parameters: {n: 20, h: 0.01}\n"
    "flexible:\n"
    "  beam: {type: beam2d, line: [[0, 0, 0], [1, 0, 0]], elements: n, start: {clamp: ground},\n"
    "         material: {E: 12/h^2, nu: 0, density: 1}, section: {height: h, width: 1/h}}\n";

/* Mode k from 0 of the beam above. */
static double exact(int k)
{
    const double pi = 3.14159265358979323846;
    double low = k * pi, high = (k + 1) * pi;
    const double sign = cos(low) * cosh(low) + 1.0 > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 100; ++i) {
        const double b = 0.5 * (low + high);
        *(sign * (cos(b) + 1.0 / cosh(b)) > 0.0 ? &low : &high) = b;
    }
    return low * low;
}

/* omega of n modes near zero. */
static void modes(TestCtx *t, const char *text, const char *name, double value, bool sparse, int n,
                  double *omega)
{
    TmlError err = {0};
    TmlLinear *lin = NULL;
    TmlLinearOptions o = tml_linear_options_default();
    o.modes = n;
    o.sparse = sparse;
    FlexCase c = flex_case(t, text, 1, &name, &value);
    if (c.sim != NULL) {
        CHECK_OK(t, tml_sim_linearize(c.sim, &o, &lin, &err), &err);
    }
    for (int k = 0; k < n; ++k) {
        omega[k] = lin != NULL ? tml_linear_mode(lin, k).imag : (double)NAN;
        if (lin != NULL) {
            // one flexible body has all of the energy; rounding of the sum
            CHECK_NEAR(t, tml_linear_flexible(lin, k, 0), 1.0, 1e-9);
        }
    }
    tml_linear_free(lin);
    flex_close(&c);
}

TEST(exact_values)
{
    CHECK_NEAR(t, exact(0), 3.516015269, 1e-8); // printed in every table
    CHECK_NEAR(t, exact(5), 298.555531, 1e-5);
}

TEST(cable_vibrates_as_euler_and_bernoulli_say)
{
    double omega[2][12];
    modes(t, cable_text, "n", 20, true, 12, omega[0]);
    modes(t, cable_text, "n", 40, true, 12, omega[1]);
    for (int k = 0; k < 12; ++k) {
        const double want = exact(k / 2), e0 = omega[0][k] / want - 1.0;
        // 0.1 % of the first three and 0.5 % of six with 20 elements
        CHECK_NEAR(t, e0, 0.0, k < 6 ? 1e-3 : 5e-3);
        if (k >= 4) { // lower ones reach the rounding of stiffnesses 1e10 times larger
            const double e1 = omega[1][k] / want - 1.0;
            CHECK(t, e0 / e1 > 10.0); // cubic elements: of fourth order
        }
    }
}

TEST(sparse_and_dense_agree)
{
    double omega[2][8];
    modes(t, cable_text, "n", 10, false, 8, omega[0]);
    modes(t, cable_text, "n", 10, true, 8, omega[1]);
    for (int k = 0; k < 8; ++k) {
        // the ratio of the largest to the smallest eigenvalue is about 1e5 in omega; its square
        // times rounding
        CHECK_NEAR(t, omega[0][k] / omega[1][k], 1.0, 1e-5);
    }
}

TEST(plane_beam_converges_from_above)
{
    double omega[3][2];
    for (int k = 0; k < 3; ++k) {
        modes(t, plane_text, "n", 16 << k, true, 2, omega[k]);
    }
    for (int m = 0; m < 2; ++m) {
        const double want = exact(m);
        // too stiff by the square of the element's length; shear and rotary inertia of h = 0.01
        // lower omega by about (b h)^2, below 2.2e-3
        CHECK(t, omega[0][m] > omega[1][m] && omega[1][m] > omega[2][m]);
        const double order = (omega[0][m] - omega[1][m]) / (omega[1][m] - omega[2][m]);
        CHECK(t, order > 3.0 && order < 20.0);
        CHECK_NEAR(t, omega[2][m] / want, 1.0, 5e-3);
    }
}

/* The first mode's shape: one at the tip, nothing at the clamp. */
TEST(shape_of_a_mode)
{
    TmlError err = {0};
    TmlLinear *lin = NULL;
    TmlLinearOptions o = tml_linear_options_default();
    const char *name = "n";
    const double n = 20;
    o.modes = 1;
    o.sparse = true;
    FlexCase c = flex_case(t, plane_text, 1, &name, &n);
    CHECK_OK(t, tml_sim_linearize(c.sim, &o, &lin, &err), &err);
    if (lin != NULL) {
        TmlVec3 re, im, middle;
        tml_linear_node(lin, 0, 0, 0, &re, &im);
        CHECK(t, re.x == 0.0 && re.y == 0.0 && im.y == 0.0);
        tml_linear_node(lin, 0, 0, 20, &re, &im);
        tml_linear_node(lin, 0, 0, 10, &middle, &im);
        // clamped-free shape at the middle over that at the tip: 0.33952; the element's error
        CHECK_NEAR(t, middle.y / re.y, 0.33952, 1e-3);
        tml_linear_node(lin, 0, 0, 21, &re, &im);
        CHECK(t, re.y == 0.0); // there is no such node
    }
    tml_linear_free(lin);
    flex_close(&c);
}

TEST_SUITE(flexible_modal) = {
    CASE(exact_values),           CASE(cable_vibrates_as_euler_and_bernoulli_say),
    CASE(sparse_and_dense_agree), CASE(plane_beam_converges_from_above),
    CASE(shape_of_a_mode),        {0},
};
