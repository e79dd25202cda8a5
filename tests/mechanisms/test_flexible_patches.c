/* tests/mechanisms/test_flexible_patches.c - three-node beams, shells and plates against closed
 * forms of beams and plates.
 *
 * Deflections are small unless said: loads are chosen for about 1e-5 of the length.
 */
#include "flexible_util.h"

static double pi(void)
{
    return 3.14159265358979323846;
}

/* Value of channel `name` after the statics of a text; NAN where there is none. */
static double settle(TestCtx *t, const char *text, int n, const char *const *names,
                     const double *values, int channel)
{
    double value = (double)NAN;
    FlexCase c = flex_case(t, text, n, names, values);
    if (flex_settle(t, &c)) {
        value = tml_row_channel(c.sim, channel);
    }
    flex_close(&c);
    return value;
}

/* --- three-node beam -------------------------------------------------------------------------- */

static const char beam_text[] =
    "trammel: 1\n"
    "parameters: {n: 4, h: 0.01, w: h, nu: 0.3, E: 1e9, fy: 0, tx: 0, Iz: w*h^3/12}\n"
    "flexible:\n"
    "  b: {type: beam3, line: [[0, 0, 0], [1, 0, 0]], elements: n, start: {clamp: ground},\n"
    "      material: {E: E, nu: nu, density: 1000}, section: {height: h, width: w}}\n"
    "forces:\n"
    "  f: {type: force, frame: b.end, fy: fy*E*Iz}\n"
    "  m: {type: torque, frame: b.end, tx: tx*E*Iz}\n"
    "outputs: {x: DX(b.end), y: DY(b.end), turn: AX(b.end)}\n";

/* Tip deflection over that of Timoshenko. */
static double beam_ratio(TestCtx *t, double n, double h)
{
    const char *const names[] = {"n", "h", "fy"};
    const double values[] = {n, h, 3e-5};
    // P L^3 / 3 E I + P L / (5/6 G A), P = 3e-5 E I, G = E / 2.6
    const double exact = 1e-5 + 3e-5 * (h * h / 12.0) * 2.6 * 1.2;
    return settle(t, beam_text, 3, names, values, 1) / exact;
}

TEST(beam3_does_not_lock)
{
    // one element is exact in linear theory; 1e-5 of deflection: terms of its square over h / L of
    // axial stiffness, (1e-5)^2 / 1e-6; statics ends at 1e-8 of the largest force
    CHECK_NEAR(t, beam_ratio(t, 1, 0.2), 1.0, 1e-4);
    CHECK_NEAR(t, beam_ratio(t, 1, 0.01), 1.0, 1e-4);
    CHECK_NEAR(t, beam_ratio(t, 4, 0.01), 1.0, 1e-4);
    CHECK_NEAR(t, beam_ratio(t, 4, 0.001), 1.0, 1e-3);
}

TEST(beam3_twists_as_its_section_says)
{
    // flat section, 5 : 1: J = 0.2913 h w^3 (tables of Saint-Venant, four digits)
    const char *const names[] = {"h", "w", "tx"};
    const double h = 0.05, w = 0.01, values[] = {h, w, 1e-4};
    const double Iz = w * h * h * h / 12, J = 0.2913 * h * w * w * w;
    const double turn = settle(t, beam_text, 3, names, values, 2);
    // ends are free to warp: Saint-Venant's torsion everywhere
    CHECK_NEAR(t, turn, 1e-4 * Iz * 2.6 / J, 1e-3 * turn);
}

TEST(beam3_converges_with_the_fourth_power)
{
    const char *const names[] = {"n", "fy"};
    double y[4];
    for (int k = 0; k < 4; ++k) {
        const double values[] = {4 << k, 4.0};
        y[k] = settle(t, beam_text, 2, names, values, 1);
    }
    // Quadratic with two Gauss points: tip deflections with the fourth power of the length, a
    // factor 16; half of it must be seen between 8, 16 and 32
    CHECK(t, fabs(y[1] - y[2]) > 8.0 * fabs(y[2] - y[3]));
    // elastica of P L^2 / E I = 4: w = 0.66996; shear and stretch are of the order h^2 = 1e-4
    CHECK_NEAR(t, y[2], 0.66996, 2e-4);
    CHECK_NEAR(t, y[0], 0.66996, 0.01 * 0.66996); // four elements within 1 %
}

/* Much shorter than high: another equilibrium would lie 0.7 % away. */
TEST(beam3_of_short_elements_stays_on_its_branch)
{
    const char *const names[] = {"n", "h", "fy"};
    const double few[] = {16, 0.1, 4.0}, many[] = {64, 0.1, 4.0};
    const double y16 = settle(t, beam_text, 3, names, few, 1);
    const double y64 = settle(t, beam_text, 3, names, many, 1);
    CHECK_NEAR(t, y16, y64, 1e-4); // what is left of 16 elements, fourth order: 4e-5
}

/* Quarter circle of radius 1, forces fx in its plane and fz across at the end (0, 1). */
static const char ring_text[] =
    "trammel: 1\n"
    "parameters: {n: 4, h: 0.02, w: 0.02, E: 1e9, Iz: w*h^3/12}\n"
    "flexible:\n"
    "  b: {type: beam3, arc: {centre: [0, 0, 0], start: [1, 0, 0], axis: z, angle: PI/2},\n"
    "      elements: n, start: {clamp: ground},\n"
    "      material: {E: E, nu: 0.3, density: 1000}, section: {height: h, width: w}}\n"
    "forces:\n"
    "  f: {type: force, frame: b.end, fx: 1e-5*E*Iz, fz: 1e-5*E*Iz}\n"
    "outputs: {x: DX(b.end), z: DZ(b.end)}\n";

TEST(beam3_along_an_arc)
{
    const char *const names[] = {"n"};
    const double n = 8;
    // Castigliano: in the plane int (1 - sin f)^2 df = 3 pi/4 - 2 over E I; across
    // pi/4 over E I and 3 pi/4 - 2 over G J with J = 0.14058 h^4 = 1.68694 I of a square
    const double in_plane = 1e-5 * (0.75 * pi() - 2.0);
    const double across = 1e-5 * (0.25 * pi() + (0.75 * pi() - 2.0) * 2.6 / 1.68694);
    // shear and stretch add (h/R)^2 / 12 times a few: 1e-4 to 5e-4
    CHECK_NEAR(t, settle(t, ring_text, 1, names, &n, 0), in_plane, 1e-3 * in_plane);
    CHECK_NEAR(t, settle(t, ring_text, 1, names, &n, 1), across, 1e-3 * across);
}

/* Bend of 45 degrees, radius 100, square section of 1, dead load 600 across its plane. */
static const char rod_text[] =
    "trammel: 1\n"
    "parameters: {n: 8}\n"
    "flexible:\n"
    "  b: {type: beam3, formulation: elastic_line, elements: n, start: {clamp: ground},\n"
    "      arc: {start: [0, 0, 0], centre: [0, 100, 0], axis: z, angle: pi/4},\n"
    "      material: {E: 1e7, nu: 0, density: 1},\n"
    "      section: {area: 1, Iy: 1/12, Iz: 1/12, J: 1/6, shear_y: 1, shear_z: 1}}\n"
    "forces: {f: {type: force, frame: b.end, fz: 600}}\n"
    "outputs: {x: DX(b.end), y: DY(b.end), z: DZ(b.end)}\n";

/* Largest error of the tip against the rod of Simo and Reissner (shooting to 1e-15). */
static double rod_error(TestCtx *t, double n)
{
    static const double want[3] = {47.150439, 15.684801, 53.474859};
    const char *const names[] = {"n"};
    double worst = 0.0;
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, fabs(settle(t, rod_text, 1, names, &n, k) - want[k]));
    }
    return worst;
}

TEST(beam3_as_an_elastic_line_is_a_rod)
{
    const double e4 = rod_error(t, 4), e8 = rod_error(t, 8);
    // fourth power of the length, a factor of 16, half of which must be seen; 1e-3 of the
    // displacement of 53 is what is asked of 32 elements of any kind
    CHECK(t, 8.0 * e8 <= e4);
    CHECK_NEAR(t, e8, 0.0, 1e-3 * 53.0);
}

/* --- strips of shells and plates -------------------------------------------------------------- */

#define STRIP(type)                                                                                \
    "trammel: 1\n"                                                                                 \
    "parameters: {n: 4, h: 0.01, b: 0.1, E: 1e9, fz: 0, my: 0, EI: E*b*h^3/12}\n"                  \
    "flexible:\n"                                                                                  \
    "  s: {type: " type ", patch: {origin: [0, 0, 0], x: [1, 0, 0], y: [0, b, 0]},\n"              \
    "      elements: [n, 1], edges: {left: {clamp: ground}},\n"                                    \
    "      material: {E: E, nu: 0, density: 1000}, section: {thickness: h}}\n"                     \
    "forces:\n"                                                                                    \
    "  f: {type: force, frame: s.corner2, fz: fz*EI/2}\n"                                          \
    "  g: {type: force, frame: s.corner3, fz: fz*EI/2}\n"                                          \
    "  m: {type: torque, frame: s.corner2, ty: -my*EI/2}\n"                                        \
    "  k: {type: torque, frame: s.corner3, ty: -my*EI/2}\n"                                        \
    "outputs: {x: DX(s.corner2), z: DZ(s.corner2)}\n"

static const char *const strips[2] = {STRIP("shell"), STRIP("plate")};

TEST(strips_deflect_as_beams)
{
    const char *const names[] = {"n", "h", "fz"};
    static const double thickness[3] = {0.1, 0.01, 0.001};
    for (int k = 0; k < 6; ++k) {
        const double h = thickness[k / 2], values[] = {2, h, 3e-5};
        const double shear = k % 2 == 1 ? 3e-5 * (h * h / 12.0) * 2.0 * 1.2 : 0.0; // plates only
        const double z = settle(t, strips[k % 2], 3, names, values, 1);
        CHECK_NEAR(t, z, 1e-5 + shear, 1e-4 * 1e-5); // as for the beam: exact in linear theory
    }
}

TEST(strips_bend_to_the_elastica)
{
    const char *const names[] = {"n", "fz"};
    for (int k = 0; k < 2; ++k) {
        double z[3];
        for (int i = 0; i < 3; ++i) {
            const double values[] = {4 << i, 4.0};
            z[i] = settle(t, strips[k], 2, names, values, 1);
        }
        // cubic: curvature of second order and the energy of fourth; at least a factor 8 is seen
        CHECK(t, fabs(z[0] - z[1]) > 8.0 * fabs(z[1] - z[2]));
        CHECK_NEAR(t, z[2], 0.66996, 2e-4); // h^2 = 1e-4 of shear and stretch
    }
}

TEST(strips_roll_up)
{
    const char *const names[] = {"n", "h", "my"};
    for (int k = 0; k < 2; ++k) {
        const double values[] = {12, 0.001, 2.0 * pi()};
        // a full circle: the end meets the clamp. 12 elements turn by 30 degrees each, whose
        // fourth power over the factor 384 of a cubic's deviation is 2e-4, times six radii
        CHECK_NEAR(t, settle(t, strips[k], 3, names, values, 1), 0.0, 5e-3);
        CHECK_NEAR(t, settle(t, strips[k], 3, names, values, 0), 0.0, 5e-3);
    }
}

/* A strip of corners, whose width falls from 0.2 to 0.1: elements are trapezia. */
#define TAPERED(type)                                                                              \
    "trammel: 1\n"                                                                                 \
    "parameters: {h: 0.005, E: 1e9}\n"                                                             \
    "flexible:\n"                                                                                  \
    "  s: {type: " type ", patch: {corners: [[0, -0.1, 0], [1, -0.05, 0], [1, 0.05, 0],\n"         \
    "      [0, 0.1, 0]]}, elements: [4, 2], edges: {left: {clamp: ground}},\n"                     \
    "      material: {E: E, nu: 0, density: 1000}, section: {thickness: h},\n"                     \
    "      frames: {tip: {at: [1, 0.5]}}}\n"                                                       \
    "forces: {f: {type: force, frame: s.tip, fz: 1e-5*E*h^3/12}}\n"                                \
    "outputs: {z: DZ(s.tip)}\n"

TEST(tapered_strips)
{
    // int (1 - x)^2 / (0.2 - 0.1 x) dx = 10 (ln 2 - 1/2); a beam, where the load at the middle of
    // the end bends the end across as well, by (width)^2 of it times 1/100 or so: an error of 4e-4
    // at most
    const double exact = 1e-5 * 10.0 * (log(2.0) - 0.5);
    CHECK_NEAR(t, settle(t, TAPERED("shell"), 0, NULL, NULL, 0), exact, 1e-3 * exact);
    CHECK_NEAR(t, settle(t, TAPERED("plate"), 0, NULL, NULL, 0), exact, 1e-3 * exact);
}

/* --- square plates ---------------------------------------------------------------------------- */

#define SQUARE(type)                                                                               \
    "trammel: 1\n"                                                                                 \
    "parameters: {n: 4, h: 0.01, E: 1e9, nu: 0.3, p: 0, D: E*h^3/(12*(1 - nu^2))}\n"               \
    "flexible:\n"                                                                                  \
    "  s: {type: " type ", patch: {origin: [0, 0, 0], x: [1, 0, 0], y: [0, 1, 0]},\n"              \
    "      elements: [n, n], load: {force: [0, 0, p*D]},\n"                                        \
    "      edges: {left: {pin: ground}, right: {pin: ground}, bottom: {pin: ground},\n"            \
    "              top: {pin: ground}},\n"                                                         \
    "      material: {E: E, nu: nu, density: 1000}, section: {thickness: h}}\n"                    \
    "outputs: {z: DZ(s.centre)}\n"

static const char *const squares[2] = {SQUARE("shell"), SQUARE("plate")};

TEST(square_plates_under_pressure)
{
    const char *const names[] = {"n", "p"};
    for (int k = 0; k < 2; ++k) {
        double error[2];
        for (int i = 0; i < 2; ++i) {
            const double values[] = {4 << i, 1e-3};
            // 0.00406235 p L^4 / D (Navier's series); 4e-6 m is small against the thickness
            error[i] = settle(t, squares[k], 2, names, values, 0) / 0.00406235e-3 - 1.0;
        }
        // slopes across edges are not continuous: second order, from above; shear of the plate
        // adds 4.4 (h/L)^2 = 4e-4 or so
        CHECK(t, error[0] > 0.0 && error[0] < 0.08);
        CHECK(t, error[0] / error[1] > 3.4 && error[0] / error[1] < 4.6);
    }
}

/* Frequencies of modes 0 to 3 over those of Kirchhoff's plate. */
static void plate_modes(TestCtx *t, const char *text, double n, double ratio[4])
{
    const char *const names[] = {"n"};
    static const double sum[4] = {2, 5, 5, 8}; // squares of the numbers of half waves
    const double D = 1e9 * 1e-6 / (12 * 0.91);
    TmlError err = {0};
    TmlLinear *lin = NULL;
    TmlLinearOptions o = tml_linear_options_default();
    o.modes = 4;
    FlexCase c = flex_case(t, text, 1, names, &n);
    if (c.sim != NULL) {
        CHECK_OK(t, tml_sim_linearize(c.sim, &o, &lin, &err), &err);
    }
    for (int k = 0; k < 4; ++k) {
        const double omega = pi() * pi() * sum[k] * sqrt(D / 10.0);
        ratio[k] = lin != NULL ? tml_linear_mode(lin, k).imag / omega : (double)NAN;
    }
    tml_linear_free(lin);
    flex_close(&c);
}

TEST(frequencies_of_square_plates)
{
    for (int k = 0; k < 2; ++k) {
        double coarse[4], fine[4];
        plate_modes(t, squares[k], 4, coarse);
        plate_modes(t, squares[k], 8, fine);
        for (int i = 0; i < 4; ++i) {
            // second order from below; a quarter remains, and 2 % of it where the plate has shear
            CHECK(t, coarse[i] < fine[i] && fine[i] < 1.0);
            CHECK_NEAR(t, 1.0 - fine[i], 0.0, 0.36 * (1.0 - coarse[i]));
        }
        CHECK_NEAR(t, fine[0], 1.0, 0.01);
        CHECK_NEAR(t, fine[1], fine[2], 1e-9); // two modes of one frequency: symmetry
    }
}

TEST_SUITE(flexible_patches) = {
    CASE(beam3_does_not_lock),
    CASE(beam3_twists_as_its_section_says),
    CASE(beam3_converges_with_the_fourth_power),
    CASE(beam3_of_short_elements_stays_on_its_branch),
    CASE(beam3_along_an_arc),
    CASE(beam3_as_an_elastic_line_is_a_rod),
    CASE(strips_deflect_as_beams),
    CASE(strips_bend_to_the_elastica),
    CASE(strips_roll_up),
    CASE(tapered_strips),
    CASE(square_plates_under_pressure),
    CASE(frequencies_of_square_plates),
    {0},
};
