/* tests/mechanisms/test_flexible_sections.c - what may change along a beam, stiffness matrices,
 * and corners of elements without r_x.
 */
#include "flexible_util.h"

#include <string.h>

static double channel(const FlexCase *c, const char *name)
{
    const int k = c->sim != NULL ? tml_sim_channel_find(c->sim, name) : -1;
    return k >= 0 ? tml_row_channel(c->sim, k) : (double)NAN;
}

/* Channels a and b (NULL: none) of the equilibrium. */
static void equilibrium(TestCtx *t, const char *text, const char *a, double *out_a, const char *b,
                        double *out_b)
{
    FlexCase c = flex_case(t, text, 0, NULL, NULL);
    const bool ok = flex_settle(t, &c);
    *out_a = ok ? channel(&c, a) : (double)NAN;
    if (b != NULL) {
        *out_b = ok ? channel(&c, b) : (double)NAN;
    }
    flex_close(&c);
}

/* --- along the body -------------------------------------------------------------------------- */

/* Clamped at s = 1, on a roller at s = 0, load q s: w(1/2) = 9 q L^4 / (3840 EI) and a tenth of
 * q L on the roller. Stretch counts with (w/L)^2 = 5e-8, shear with q L^2 / (16 k G A w) = 5e-5. */
TEST(load_that_grows)
{
    static const char *const types[] = {"beam", "beam3"};
    for (int k = 0; k < 2; ++k) {
        char text[1024];
        double w = 0.0, F = 0.0;
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "flexible:\n"
                 "  b: {type: %s, formulation: elastic_line, line: [[0, 0, 0], [1, 0, 0]],\n"
                 "      elements: 8, start: {slide: ground, axis: x}, end: {clamp: ground},\n"
                 "      frames: {p: {at: 0.5}}, material: {E: 1e10, nu: 0, density: 1},\n"
                 "      section: {area: 1, Iy: 1e-3, Iz: 1e-3, shear_y: 1000, shear_z: 1000},\n"
                 "      load: {force: [0, 0, 1e6*s]}}\n"
                 "outputs: {w: DZ(b.p), F: reaction(b.start).fz}\n",
                 types[k]);
        t->name = types[k];
        equilibrium(t, text, "w", &w, "F", &F);
        // eight quadratic elements: (1/8)^4 of the third and fourth derivatives, some 1e-4
        CHECK_NEAR(t, w / (9e6 / 3840e7), 1.0, k == 0 ? 1e-4 : 1e-3);
        CHECK_NEAR(t, F / -1e5, 1.0, k == 0 ? 1e-4 : 1e-3);
    }
}

static double first_frequency(TestCtx *t, int n)
{
    static const char text[] =
        "trammel: 1\n"
        "parameters: {n: 10}\n"
        "flexible:\n"
        "  b: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: n, start: {clamp: ground},\n"
        "      material: {E: 1, density: 1e-6},\n"
        "      section: {area: 1e6*(1 - s/2), Iy: 1 - s/2, Iz: 1 - s/2}}\n";
    const char *name = "n";
    const double value = n;
    TmlError err = {0};
    TmlLinear *lin = NULL;
    TmlLinearOptions o = tml_linear_options_default();
    o.modes = 1;
    o.sparse = true;
    FlexCase c = flex_case(t, text, 1, &name, &value);
    if (c.sim != NULL) {
        CHECK_OK(t, tml_sim_linearize(c.sim, &o, &lin, &err), &err);
    }
    const double omega = lin != NULL ? tml_linear_mode(lin, 0).imag : (double)NAN;
    tml_linear_free(lin);
    flex_close(&c);
    return omega;
}

/* Mass and stiffness that fall to a half at the tip: 4.31517 (Hodges and Pierce, Introduction to
 * Structural Dynamics and Aeroelasticity, table 3.14). A section an element is of second order. */
TEST(taper)
{
    const double coarse = first_frequency(t, 10) - 4.31517, fine = first_frequency(t, 20) - 4.31517;
    // next powers of the mesh: 1e-2 was measured
    CHECK_NEAR(t, coarse / fine, 4.0, 0.05);
    // (1/20)^2 of 4.3 is left: 2.5e-3 was measured
    CHECK_NEAR(t, fine, 0.0, 3e-3);
}

/* Turned by 90 degrees over its length: u = integral of (L - x)^2 (cos^2/EIy + sin^2/EIz), and
 * shear. MacNeal and Harder's beam, 0.1 % of published 5.424e-3 with solids. */
TEST(twisted_beam)
{
    static const char text[] =
        "trammel: 1\n"
        "flexible:\n"
        "  b: {type: beam3, formulation: elastic_line, line: [[0, 0, 0], [12, 0, 0]], y_axis: y,\n"
        "      twist: 90 deg, elements: 12, start: {clamp: ground},\n"
        "      material: {E: 29e6, nu: 0.22, density: 1}, section: {height: 1.1, width: 0.32}}\n"
        "forces: {tip: {type: force, frame: b.end, fz: 1}}\n"
        "outputs: {uy: DY(b.end), uz: DZ(b.end)}\n";
    const double pi = 3.14159265358979323846, L = 12.0, E = 29e6, G = E / 2.44, A = 1.1 * 0.32;
    const double Iz = A * 1.1 * 1.1 / 12, Iy = A * 0.32 * 0.32 / 12;
    double along = 0.0, across = 0.0, uy = 0.0, uz = 0.0;
    enum { N = 2000 };
    for (int k = 0; k < N; ++k) {
        const double x = (k + 0.5) * L / N, a = 0.5 * pi * x / L, m = (L - x) * (L - x) * L / N;
        along += m * (cos(a) * cos(a) / (E * Iy) + sin(a) * sin(a) / (E * Iz));
        across += m * sin(a) * cos(a) * (1.0 / (E * Iz) - 1.0 / (E * Iy));
    }
    equilibrium(t, text, "uy", &uy, "uz", &uz);
    // twelve elements of fourth order, each turned by 7.5 degrees: (0.13)^4 = 3e-4 of an element's
    CHECK_NEAR(t, uz / (along + L / (5.0 / 6.0 * G * A)), 1.0, 1e-4);
    CHECK_NEAR(t, uy / across, 1.0, 1e-4);
}

/* Standing wave of a beam on two supports, EI = rho A = L = 1: d (cos w t + sin w t) sin(pi s) with
 * w = pi^2. Stretch counts with EA (d pi)^2 / EI = 10 where it cannot slide, here with 1e-5. */
TEST(starts_deflected_and_moving)
{
    static const char *const types[] = {"cable", "beam", "beam3"};
    for (int k = 0; k < 3; ++k) {
        char text[1024];
        TmlError err = {0};
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "parameters: {d: 1e-3}\n"
                 "flexible:\n"
                 "  b: {type: %s, %s line: [[0, 0, 0], [1, 0, 0]], elements: 8,\n"
                 "      start: {pin: ground}, end: {slide: ground, axis: x},\n"
                 "      displacement: [0, 0, d*sin(pi*s)], velocity: [0, 0, pi^2*d*sin(pi*s)],\n"
                 "      frames: {m: {at: 0.5}}, material: {E: 1e6, nu: 0, density: 1},\n"
                 "      section: {area: 1, Iy: 1e-6, Iz: 1e-6, J: 2e-6, shear_y: 1000,\n"
                 "                shear_z: 1000}}\n"
                 "outputs: {z: DZ(b.m)}\n",
                 types[k], k > 0 ? "formulation: elastic_line," : "");
        t->name = types[k];
        FlexCase c = {0};
        TmlSimOptions o = tml_sim_options_default();
        o.end_time = 0.2;
        o.integrator = "hht";
        o.tolerance = 1e-6;
        CHECK_OK(t, tml_load_text(text, "b.yaml", 0, NULL, NULL, &c.model, &err), &err);
        if (c.model != NULL) {
            CHECK_OK(t, tml_sim_create(c.model, &o, &c.sim, &err), &err);
        }
        if (c.sim != NULL) {
            CHECK_OK(t, tml_sim_run(c.sim, NULL, NULL, &err), &err);
            const double a = 0.2 * 9.8696044010893586, want = 1e-3 * (cos(a) + sin(a));
            CHECK_NEAR(t, channel(&c, "z"), want, 1e-2 * 1e-3);
        }
        flex_close(&c);
    }
}

/* --- stiffness matrices ---------------------------------------------------------------------- */

static void matrix_text(char *out, size_t size, const char *matrix, const char *forces)
{
    snprintf(out, size,
             "trammel: 1\n"
             "flexible:\n"
             "  b: {type: beam3, line: [[0, 0, 0], [2, 0, 0]], elements: 4, y_axis: y,\n"
             "      start: {clamp: ground}, material: {density: 1}, section: {stiffness: %s}}\n"
             "forces: {tip: {type: force, frame: b.end, %s}}\n"
             "outputs: {ux: DX(b.end) - 2, uz: DZ(b.end), a: AX(b.end)}\n",
             matrix, forces);
}

/* Small loads: strains are the inverse of the matrix times the resultants. */
TEST(couplings)
{
    char text[1024];
    double u = 0.0, a = 0.0;
    // extension and twist under a pull of 1: [1e4 50; 50 2]
    const double det = 1e4 * 2.0 - 50.0 * 50.0;
    matrix_text(text, sizeof text,
                "[[1e4, 0, 0, 50, 0, 0], [0, 1e4, 0, 0, 0, 0], [0, 0, 1e4, 0, 0, 0], "
                "[50, 0, 0, 2, 0, 0], [0, 0, 0, 0, 3, 0], [0, 0, 0, 0, 0, 4]]",
                "fx: 1e-3");
    equilibrium(t, text, "ux", &u, "a", &a);
    // strains 1e-7, constant: exact but for squares of the angle 5e-6 and rounding of 2 in 2e-7
    CHECK_NEAR(t, u / (2.0 * 1e-3 * 2.0 / det), 1.0, 1e-5);
    CHECK_NEAR(t, a / (-2.0 * 1e-3 * 50.0 / det), 1.0, 1e-5);
    // bending about y and twist under a force along z: M_y = -F (L - x); [2 1; 1 3]
    matrix_text(text, sizeof text,
                "[[1e6, 0, 0, 0, 0, 0], [0, 1e6, 0, 0, 0, 0], [0, 0, 1e6, 0, 0, 0], "
                "[0, 0, 0, 2, 1, 0], [0, 0, 0, 1, 3, 0], [0, 0, 0, 0, 0, 4]]",
                "fz: 1e-5");
    equilibrium(t, text, "uz", &u, "a", &a);
    // shear of 1e-6 of bending
    CHECK_NEAR(t, u / (1e-5 * 8.0 / 3.0 * 2.0 / 5.0), 1.0, 1e-4);
    CHECK_NEAR(t, a / (1e-5 * 2.0 * 1.0 / 5.0), 1.0, 1e-4);
}

/* A diagonal matrix says what E and a section do. */
TEST(diagonal_matrix)
{
    static const char *const types[] = {"beam", "beam3"};
    static const char *const data[] = {
        "material: {E: 2e6, nu: 0.25, density: 1}, section: {area: 0.1, Iy: 1e-4, Iz: 2e-4, "
        "J: 2.5e-4, shear_y: 0.5, shear_z: 0.25}",
        "material: {nu: 0.25, density: 1}, section: {stiffness: [[2e5, 0, 0, 0, 0, 0], "
        "[0, 4e4, 0, 0, 0, 0], [0, 0, 2e4, 0, 0, 0], [0, 0, 0, 200, 0, 0], "
        "[0, 0, 0, 0, 200, 0], [0, 0, 0, 0, 0, 400]]}"};
    for (int k = 0; k < 2; ++k) {
        double y[2] = {0}, z[2] = {0};
        for (int i = 0; i < 2; ++i) {
            char text[1024];
            snprintf(text, sizeof text,
                     "trammel: 1\n"
                     "flexible:\n"
                     "  b: {type: %s, formulation: elastic_line, line: [[0, 0, 0], [1, 0, 0]],\n"
                     "      elements: 4, start: {clamp: ground}, %s}\n"
                     "forces: {tip: {type: force, frame: b.end, fy: 200, fz: 300}}\n"
                     "outputs: {y: DY(b.end), z: DZ(b.end)}\n",
                     types[k], data[i]);
            t->name = types[k];
            equilibrium(t, text, "y", &y[i], "z", &z[i]);
        }
        // the same stiffness in other words: rounding
        CHECK_NEAR(t, y[1] / y[0], 1.0, 1e-12);
        CHECK_NEAR(t, z[1] / z[0], 1.0, 1e-12);
    }
}

/* Weight beside the axis turns a beam: m g y per length, angle m g y L^2 / (2 G J). */
TEST(centre_of_mass)
{
    static const char text[] =
        "trammel: 1\n"
        "gravity: [0, 0, -10]\n"
        "flexible:\n"
        "  b: {type: beam3, line: [[0, 0, 0], [2, 0, 0]], elements: 4, y_axis: y,\n"
        "      start: {clamp: ground}, material: {density: 1},\n"
        "      section: {mass_area: 0.01, mass_Iy: 1e-6, mass_Iz: 1e-6, mass_centre: [0.02, 0],\n"
        "                stiffness: [[1e6, 0, 0, 0, 0, 0], [0, 1e6, 0, 0, 0, 0],\n"
        "                            [0, 0, 1e6, 0, 0, 0], [0, 0, 0, 50, 0, 0],\n"
        "                            [0, 0, 0, 0, 1e4, 0], [0, 0, 0, 0, 0, 1e4]]}}\n"
        "outputs: {a: AX(b.end), z: DZ(b.end)}\n";
    double a = 0.0, z = 0.0;
    equilibrium(t, text, "a", &a, "z", &z);
    // a = 8e-5, w = 2e-5: linear but for their products
    CHECK_NEAR(t, a / (-0.1 * 0.02 * 4.0 / 100.0), 1.0, 1e-3);
    CHECK_NEAR(t, z / (-0.1 * 16.0 / 8e4), 1.0, 1e-2); // shear: 8 EI / (2 GA L^2) = 1e-2
}

/* --- resultants ------------------------------------------------------------------------------ */

/* At a clamp, which does not turn, they balance what acts at the end. */
TEST(resultants_of_the_root)
{
    static const char *const types[] = {"beam", "beam3"};
    for (int k = 0; k < 2; ++k) {
        char text[1536];
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "flexible:\n"
                 "  b: {type: %s, formulation: elastic_line, line: [[0, 0, 0], [2, 0, 0]],\n"
                 "      y_axis: y, elements: 16, start: {clamp: ground},\n"
                 "      material: {E: 1e9, nu: 0.25, density: 1000},\n"
                 "      section: {height: 0.05, width: 0.05}}\n"
                 "forces: {f: {type: force, frame: b.end, fx: 30, fy: 20, fz: 10},\n"
                 "         t: {type: torque, frame: b.end, tx: 5}}\n"
                 "outputs: {x: DX(b.end), y: DY(b.end), z: DZ(b.end),\n"
                 "          N: 'output(b, 0).force_x', Vy: 'output(b, 0).force_y',\n"
                 "          Vz: 'output(b, 0).force_z', Mx: 'output(b, 0).moment_x',\n"
                 "          My: 'output(b, 0).moment_y', Mz: 'output(b, 0).moment_z'}\n",
                 types[k]);
        t->name = types[k];
        FlexCase c = flex_case(t, text, 0, NULL, NULL);
        if (flex_settle(t, &c)) {
            const double x = channel(&c, "x"), y = channel(&c, "y"), z = channel(&c, "z");
            // an element of 16 bends by 0.02: errors of squares of that, and of its line (O1)
            const double tol = 1e-2;
            CHECK_NEAR(t, channel(&c, "N") / 30.0, 1.0, tol);
            CHECK_NEAR(t, channel(&c, "Vy") / 20.0, 1.0, tol);
            CHECK_NEAR(t, channel(&c, "Vz") / 10.0, 1.0, tol);
            CHECK_NEAR(t, channel(&c, "Mx") / (5.0 + y * 10.0 - z * 20.0), 1.0, tol);
            CHECK_NEAR(t, channel(&c, "My") / (z * 30.0 - x * 10.0), 1.0, tol);
            CHECK_NEAR(t, channel(&c, "Mz") / (x * 20.0 - y * 30.0), 1.0, tol);
        }
        flex_close(&c);
    }
}

/* --- corners --------------------------------------------------------------------------------- */

/* Right-angled frame with a follower force (Argyris and Symeonidis 1981): elements without r_x
 * keep the corner by a joint, others by their gradients. */
TEST(corner_without_gradient)
{
    double x[2] = {0}, z[2] = {0};
    for (int k = 0; k < 2; ++k) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "trammel: 1\n"
            "flexible:\n"
            "  b: {type: %s, formulation: elastic_line, elements: [%d, %d], y_axis: [0, 0, 1],\n"
            "      polyline: [[0, 0, 0], [0.24, 0, 0], [0.24, 0, -0.24]],\n"
            "      start: {clamp: ground}, material: {E: 7.124e10, density: 2700},\n"
            "      section: {area: 0.18e-4, Iy: 0.135e-8, Iz: 0.135e-8, shear_y: 1000,\n"
            "                shear_z: 1000}}\n"
            "forces: {tip: {type: force, frame: b.end, axes: second, fy: -3000}}\n"
            "outputs: {x: DX(b.end), z: DZ(b.end)}\n",
            k == 0 ? "beam" : "beam3", 8 * (2 - k), 8 * (2 - k));
        equilibrium(t, text, "x", &x[k], "z", &z[k]);
    }
    // both of fourth order; a leg of eight turns by about 20 degrees an element: 1e-3 of 0.24 m
    CHECK_NEAR(t, x[1], x[0], 2.4e-4);
    CHECK_NEAR(t, z[1], z[0], 2.4e-4);
}

/* --- errors ---------------------------------------------------------------------------------- */

static void check_refused(TestCtx *t, const char *type, const char *keys, const char *message)
{
    char text[1024];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "trammel: 1\nflexible:\n  b: {type: %s, line: [[0, 0, 0], [1, 0, 0]], elements: 2,\n"
             "      %s}\n",
             type, keys);
    CHECK_INT(t, tml_load_text(text, "b.yaml", 0, NULL, NULL, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, message);
    tml_model_free(m);
}

TEST(refused)
{
#define ROWS(first, last)                                                                          \
    "stiffness: [[" first "], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], "        \
    "[0, 0, 0, 0, 1, 0], [" last "]]"
    check_refused(
        t, "beam3",
        "material: {density: 1}, section: {" ROWS("1, 0, 0, 0, 0, 3", "0, 0, 0, 0, 0, 1") "}",
        "not symmetric");
    check_refused(
        t, "beam3",
        "material: {density: 1}, section: {" ROWS("1, 0, 0, 0, 0, 3", "3, 0, 0, 0, 0, 1") "}",
        "not positive definite");
    check_refused(
        t, "beam",
        "material: {density: 1}, section: {" ROWS("2, 0, 0, 0, 0, 1", "1, 0, 0, 0, 0, 2") "}",
        "take beam3");
    check_refused(t, "beam3",
                  "material: {E: 1, density: 1}, "
                  "section: {" ROWS("1, 0, 0, 0, 0, 0", "0, 0, 0, 0, 0, 1") "}",
                  "E: the section has a stiffness matrix");
    check_refused(t, "cable", "twist: 1, material: {E: 1, density: 1}, section: {radius: 0.1}",
                  "twist");
    check_refused(t, "beam", "material: {E: 1, density: 1}, section: {radius: 0.1 - s}", "radius");
#undef ROWS
}

TEST_SUITE(flexible_sections) = {
    CASE(load_that_grows),
    CASE(taper),
    CASE(twisted_beam),
    CASE(starts_deflected_and_moving),
    CASE(couplings),
    CASE(diagonal_matrix),
    CASE(centre_of_mass),
    CASE(resultants_of_the_root),
    CASE(corner_without_gradient),
    CASE(refused),
    {0},
};
