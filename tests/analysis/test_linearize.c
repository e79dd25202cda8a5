/* tests/analysis/test_linearize.c - eigenvalues of mechanisms against closed forms.
 *
 * Eigenvalues of a matrix of order n are exact for a matrix that is off by rounding, so a frequency
 * is good to about n * 1e-16 times the largest eigenvalue over it: 1e-12 here unless said
 * otherwise.
 */
#include "linear_models.h"

/* --- closed forms ----------------------------------------------------------------------------- */

/* A bar on a pin, at an angle from hanging: I phi'' = -m g l sin phi. */
static void check_pendulum(TestCtx *t, double angle)
{
    char text[512];
    const double inertia = 0.21 + 2.0 * 0.25, stiffness = 2.0 * 9.81 * 0.5 * cos(angle);
    Case c;
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, -9.81, 0]\n"
             "bodies:\n"
             "  bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0],\n"
             "        rotation: {axis: z, angle: %.17g}}\n"
             "joints:\n"
             "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}\n",
             angle - pi / 2);
    if (case_make(t, text, false, NULL, &c)) {
        CHECK_INT(t, c.info.order, 2);
        CHECK_INT(t, c.info.degrees_of_freedom, 1);
        check_mode(t, &c, 0.0, sqrt(stiffness / inertia), 0.1 * EIGENVALUE);
        const TmlMode m = tml_linear_mode(c.lin, 0);
        // an eigenvalue of a matrix of order two: a hundred roundings
        CHECK_NEAR(t, m.frequency, sqrt(stiffness / inertia) / (2 * pi), 1e-13);
        CHECK_NEAR(t, m.damping_ratio, 0.0, 1e-12);
        const TmlModeBody b = tml_linear_body(c.lin, 0, 1);
        CHECK_NEAR(t, b.energy, 1.0, 1e-14); // rounding
        // the centre of mass moves across the bar, half its turn: rounding
        CHECK_NEAR(t, hypot(b.translation.x, b.translation.y), 0.5 * fabs(b.rotation.z), 1e-14);
    }
    case_free(&c);
}

TEST(pendulum)
{
    check_pendulum(t, 0.0);
    check_pendulum(t, 0.6);
}

/* [001], section 3.1: uniform rods of lengths 2 and 3. */
static const char double_pendulum[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod1: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "  rod2: {mass: 0.3, inertia: [0.01, 0.225, 0.225],\n"
    "         position: [\"2 + 1.5*cos(pi/12)\", \"-1.5*sin(pi/12)\", 0],\n"
    "         rotation: {axis: z, angle: -pi/12}}\n"
    "joints:\n"
    "  pin1: {type: revolute, bodies: [ground, rod1], at: [0, 0, 0], axis: z}\n"
    "  pin2: {type: revolute, bodies: [rod1, rod2], at: [2, 0, 0], axis: z}\n"
    "forces:\n"
    "  spring1: {type: rotational_spring, joint: pin1, stiffness: 400, damping: 15,\n"
    "            free_angle: -pi/2}\n"
    "  spring2: {type: rotational_spring, joint: pin2, stiffness: 3e5, damping: 5e4,\n"
    "            free_angle: pi/12}\n";

/* |det(s^2 M + s C + K)| of the double pendulum hanging at rest, over the size of its terms. */
static double hanging_determinant(TmlMode mode)
{
    const double M[3] = {1 + 3 + 4 * 0.3, 2 * 0.3 * 1.5, 0.225 + 0.3 * 2.25};
    const double C[3] = {15 + 5e4, -5e4, 5e4};
    const double K[3] = {400 + 3e5 + 3.6 * 9.81, -3e5, 3e5 + 0.3 * 1.5 * 9.81};
    double re[3], im[3];
    for (int k = 0; k < 3; ++k) {
        const double s2_re = mode.real * mode.real - mode.imag * mode.imag;
        const double s2_im = 2 * mode.real * mode.imag;
        re[k] = s2_re * M[k] + mode.real * C[k] + K[k];
        im[k] = s2_im * M[k] + mode.imag * C[k];
    }
    const double d_re = re[0] * re[2] - im[0] * im[2] - re[1] * re[1] + im[1] * im[1];
    const double d_im = re[0] * im[2] + im[0] * re[2] - 2 * re[1] * im[1];
    const double s = hypot(mode.real, mode.imag), size = s * s + 1e4 * s + 6e4;
    return hypot(d_re, d_im) / (size * size);
}

TEST(double_pendulum_of_the_paper)
{
    Case c;
    if (case_make(t, double_pendulum, false, NULL, &c)) {
        // printed with four digits in the analysis of the paper's figures
        CHECK_NEAR(t, mode_near(&c, -1e5, 0).real, -9.987e4, 5.0);
        if (study_verbose()) {
            printf("start: dominant eigenvalue %.10g\n", mode_near(&c, -1e5, 0).real);
        }
    }
    case_free(&c);
    if (case_make(t, double_pendulum, true, NULL, &c)) {
        for (int k = 0; k < c.info.modes; ++k) {
            CHECK_NEAR(t, hanging_determinant(tml_linear_mode(c.lin, k)), 0.0, 1e-11);
        }
        CHECK_INT(t, c.info.modes, 3);
    }
    case_free(&c);
}

/* Angular accelerations of the double pendulum in its two angles, x = (th1, th2, w1, w2). */
static void angle_accelerations(const double *x, double *a)
{
    const double L1 = 1, L2 = 1.5, m1 = 3, m2 = 0.3, g = 9.81, k = 2 * m2 * L1 * L2;
    const double M11 = 1 + m1 * L1 * L1 + 4 * m2 * L1 * L1, M22 = 0.225 + m2 * L2 * L2;
    const double M12 = k * cos(x[1] - x[0]);
    const double T1 = -400 * (x[0] - 1.5 * pi) - 15 * x[2];
    const double T2 = -3e5 * (x[1] - x[0]) - 5e4 * (x[3] - x[2]);
    const double r1 =
        T1 - T2 + k * sin(x[1] - x[0]) * x[3] * x[3] - (m1 + 2 * m2) * L1 * g * cos(x[0]);
    const double r2 = T2 - k * sin(x[1] - x[0]) * x[2] * x[2] - m2 * L2 * g * cos(x[1]);
    const double det = M11 * M22 - M12 * M12;
    a[0] = (M22 * r1 - M12 * r2) / det;
    a[1] = (M11 * r2 - M12 * r1) / det;
}

/* In independent coordinates, which are the angles, the matrix is that of the two angles' equations
 * wherever it is taken, here far from rest. */
TEST(independent_coordinates)
{
    const double x0[4] = {2 * pi, 23 * pi / 12, 0, 0}, h = 1e-5;
    TmlLinearOptions o = tml_linear_options_default();
    Case c;
    o.partition = true;
    if (case_make(t, double_pendulum, false, &o, &c)) {
        const double *A = tml_linear_matrix(c.lin);
        CHECK_INT(t, c.info.order, 4);
        for (int j = 0; j < 4; ++j) {
            double plus[4], minus[4], a[2], b[2];
            memcpy(plus, x0, sizeof plus);
            memcpy(minus, x0, sizeof minus);
            plus[j] += h;
            minus[j] -= h;
            angle_accelerations(plus, a);
            angle_accelerations(minus, b);
            for (int i = 0; i < 2; ++i) {
                // differences: truncation 1e-10 of 1e6, rounding 1e-16 * 1e6 / 1e-5
                CHECK_NEAR(t, A[4 * j + 2 + i], (a[i] - b[i]) / (2 * h), 1e-3);
                CHECK_NEAR(t, A[4 * j + i], j == 2 + i ? 1.0 : 0.0, 1e-12);
            }
        }
        CHECK_NEAR(t, mode_near(&c, -1e5, 0).real, -9.987e4, 5.0);
        if (study_verbose()) {
            for (int k = 0; k < c.info.modes; ++k) {
                const TmlMode m = tml_linear_mode(c.lin, k);
                printf("start, in angles: %.8g %+.8g i\n", m.real, m.imag);
            }
        }
    }
    case_free(&c);
}

/* Eigenvalues of mode k of the chain: s^2 + (c / k) w^2 s + w^2 = 0. */
static double chain_frequency(int n, int k)
{
    return 2.0 * sqrt(800.0 / 2.0) * sin(k * pi / (2.0 * (n + 1)));
}

TEST(chain_of_ten)
{
    char *text = chain_text(10, 4.0);
    Case c;
    if (case_make(t, text, false, NULL, &c)) {
        CHECK_INT(t, c.info.modes, 10);
        for (int k = 1; k <= 10; ++k) {
            const double w = chain_frequency(10, k), d = 0.5 * 4.0 / 800.0 * w * w;
            check_mode(t, &c, -d, sqrt(w * w - d * d), EIGENVALUE);
        }
        // mode 1 is half a sine: its energy goes with the square; rounding of 20 unknowns
        double sum = 0.0;
        for (int i = 1; i <= 10; ++i) {
            const double x = sin(i * pi / 11), want = x * x / 5.5;
            CHECK_NEAR(t, tml_linear_body(c.lin, 0, i).energy, want, 1e-12);
            sum += tml_linear_body(c.lin, 0, i).energy;
        }
        CHECK_NEAR(t, sum, 1.0, 1e-13); // as above
    }
    case_free(&c);
    free(text);
}

TEST(chain_of_thousand)
{
    enum { N = 1000, MODES = 12 };
    char *text = chain_text(N, 0.0);
    Case c;
    TmlLinearOptions o = tml_linear_options_default();
    o.modes = MODES;
    if (case_make(t, text, false, &o, &c)) {
        double worst = 0.0;
        CHECK(t, c.info.sparse);
        CHECK_INT(t, c.info.order, 2 * N);
        CHECK_INT(t, c.info.modes, MODES);
        for (int k = 1; k <= MODES; ++k) {
            const double w = chain_frequency(N, k);
            const TmlMode m = tml_linear_mode(c.lin, k - 1); // in order of distance from 0
            worst = fmax(worst, fabs(m.imag - w) / w);
            CHECK_NEAR(t, m.real / w, 0.0, 1e-11); // rounding: 2e-13 was measured
        }
        // the factors of the stiffness have a condition of (2 N / pi)^2 = 4e5
        CHECK_NEAR(t, worst, 0.0, 1e-9);
        if (study_verbose()) {
            printf("chain of %d: largest relative error of a frequency %.2e\n", N, worst);
        }
        CHECK_NEAR(t, tml_linear_body(c.lin, 0, N / 2).energy, 2.0 / (N + 1), 1e-8);
    }
    case_free(&c);
    free(text);
}

/* Without walls the chain is free: the shift 0 is an eigenvalue and is moved off it. */
TEST(free_chain_of_thousand)
{
    enum { N = 1000 };
    TmlLinearOptions o = tml_linear_options_default();
    Case c;
    o.modes = 4;
    if (case_make(t,
                  "trammel: 1\n"
                  "parameters: {N: 1000}\n"
                  "bodies:\n"
                  "  for i in 1..N:\n"
                  "    \"m{i}\": {type: point, mass: 2, position: [\"i\", 0, 0]}\n"
                  "joints:\n"
                  "  for i in 1..N:\n"
                  "    \"line{i}\": {type: point_on_line, frames: [{body: ground,\n"
                  "      rotation: {axis: y, angle: pi/2}}, \"m{i}\"]}\n"
                  "forces:\n"
                  "  for i in 2..N:\n"
                  "    \"s{i}\": {type: spring, frames: [\"m{i-1}\", \"m{i}\"], stiffness: 800}\n",
                  false, &o, &c)) {
        CHECK(t, c.info.sparse && c.info.shift > 0.0);
        // a double zero, which rounding splits by its root
        check_mode(t, &c, 0.0, 0.0, 1e-5);
        for (int k = 1; k <= 2; ++k) {
            check_mode(t, &c, 0.0, 40.0 * sin(k * pi / (2.0 * N)), 1e-9);
        }
    }
    case_free(&c);
}

/* With strong dampers high modes are real: two each, one fast. Those nearest a shift are found. */
TEST(damped_chain_near_a_shift)
{
    enum { N = 400, MODES = 6 };
    const double c_k = 400.0 / 800.0, shift = -300.0;
    char *text = chain_text(N, 400.0);
    TmlLinearOptions o = tml_linear_options_default();
    Case c;
    o.modes = MODES;
    o.shift = shift;
    if (case_make(t, text, false, &o, &c)) {
        double off[2 * N];
        CHECK(t, c.info.sparse);
        for (int k = 1; k <= N; ++k) {
            const double w = chain_frequency(N, k), b = 0.5 * c_k * w * w, d = b * b - w * w;
            const double root = d > 0.0 ? sqrt(d) : 0.0;
            off[2 * k - 2] = d > 0.0 ? fabs(-b - root - shift) : HUGE_VAL;
            off[2 * k - 1] = d > 0.0 ? fabs(-b + root - shift) : HUGE_VAL;
        }
        for (int k = 0; k < MODES; ++k) {
            int at = 0;
            for (int i = 1; i < 2 * N; ++i) {
                at = off[i] < off[at] ? i : at;
            }
            const TmlMode m = tml_linear_mode(c.lin, k);
            // the iteration goes on to rounding: 1e-13 was measured
            CHECK_NEAR(t, fabs(m.real - shift), off[at], 1e-11);
            CHECK_NEAR(t, m.imag, 0.0, 1e-11);
            off[at] = HUGE_VAL;
        }
    }
    case_free(&c);
    free(text);
}

/* --- moving states ---------------------------------------------------------------------------- */

static void check_top(TestCtx *t, const TmlLinearOptions *o)
{
    const double it = 0.02 + 2 * 0.09, h = 0.03 * 120.0, mgl = 2 * 9.81 * 0.3;
    const double root = sqrt(h * h - 4 * it * mgl);
    Case c;
    if (case_make(t, sleeping_top, false, o, &c)) {
        // rounding of the small precession is that of the nutation
        check_mode(t, &c, 0.0, (h + root) / (2 * it), 1e-11);
        check_mode(t, &c, 0.0, (h - root) / (2 * it), 1e-11);
        if (study_verbose()) {
            printf("top: nutation %.12g (exact %.12g), precession %.12g (%.12g)\n",
                   mode_near(&c, 0, 18).imag, (h + root) / (2 * it), mode_near(&c, 0, 3).imag,
                   (h - root) / (2 * it));
        }
    }
    case_free(&c);
}

TEST(spinning_top)
{
    check_top(t, NULL);
}

/* A free symmetric body spins about its axis: nutation at I_s / I_t times the spin. */
TEST(free_nutation)
{
    Case c;
    if (case_make(t,
                  "trammel: 1\n"
                  "bodies: {body: {mass: 1, inertia: [0.02, 0.02, 0.03], angular_velocity: [0, 0, "
                  "10]}}\n",
                  false, NULL, &c)) {
        check_mode(t, &c, 0.0, 15.0, 0.1 * EIGENVALUE);
    }
    case_free(&c);
}

TEST(bead_on_a_turning_arm)
{
    Case c;
    if (case_make(t, bead_on_arm, false, NULL, &c)) {
        CHECK_INT(t, c.info.order, 2);
        check_mode(t, &c, 0.0, sqrt(250.0 - 36.0), EIGENVALUE);
    }
    case_free(&c);
}

TEST(blade_on_a_turning_hub)
{
    const double m = 2, l = 0.6, R = 0.3, W = 7;
    const double lag = W * sqrt(m * l * R / (0.33 + m * l * l));
    const double flap = W * sqrt((m * l * (R + l) + 0.33 - 0.05) / (0.3 + m * l * l));
    for (int k = 0; k < 2; ++k) {
        Case c;
        if (case_make(t, blade(k), false, NULL, &c)) {
            CHECK_INT(t, c.info.order, 2);
            check_mode(t, &c, 0.0, k == 0 ? lag : flap, EIGENVALUE);
        }
        case_free(&c);
    }
}

/* --- a mechanism by hand ---------------------------------------------------------------------- */

/* Slider-crank without weight, a spring on the slider at rest: one degree of freedom with
 * w^2 = k x'^2 / (sum of m v'^2 + J w'^2), ' = d / d phi. */
TEST(slider_crank)
{
    const double a = 0.2, b = 0.5, phi = 0.9, psi = -asin(a * sin(phi) / b);
    const double psi1 = -a * cos(phi) / (b * cos(psi)); // a sin phi + b sin psi = 0
    const double x = a * cos(phi) + b * cos(psi), x1 = -a * sin(phi) - b * sin(psi) * psi1;
    const double vx = -a * sin(phi) - 0.5 * b * sin(psi) * psi1;
    const double vy = a * cos(phi) + 0.5 * b * cos(psi) * psi1;
    const double inertia = 0.004 + 0.5 * 0.25 * a * a + 0.8 * (vx * vx + vy * vy) +
                           0.015 * psi1 * psi1 + 1.2 * x1 * x1;
    char text[2048];
    Case c;
    snprintf(
        text, sizeof text,
        "trammel: 1\n"
        "parameters: {a: %.17g, b: %.17g, phi: %.17g, psi: %.17g, x: %.17g}\n"
        "bodies:\n"
        "  crank: {mass: 0.5, inertia: [0.001, 0.004, 0.004], cm: [a/2, 0, 0],\n"
        "          rotation: {axis: z, angle: phi}}\n"
        "  rod: {mass: 0.8, inertia: [0.001, 0.015, 0.015], cm: [b/2, 0, 0],\n"
        "        position: [a*cos(phi), a*sin(phi), 0], rotation: {axis: z, angle: psi}}\n"
        "  slider: {mass: 1.2, inertia: [0.01, 0.01, 0.01], position: [x, 0, 0]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
        "  B: {type: revolute, bodies: [crank, rod], at: [a*cos(phi), a*sin(phi), 0], axis: z}\n"
        "  C: {type: revolute, bodies: [rod, slider], at: [x, 0, 0], axis: z}\n"
        "  D: {type: translational, bodies: [ground, slider], at: [x, 0, 0], axis: x}\n"
        "forces:\n"
        "  spring: {type: spring, frames: [{body: ground, position: [2, 0, 0]}, slider],\n"
        "           stiffness: 900}\n",
        a, b, phi, psi, x);
    if (case_make(t, text, false, NULL, &c)) {
        CHECK_INT(t, c.info.degrees_of_freedom, 1);
        check_mode(t, &c, 0.0, sqrt(900.0 * x1 * x1 / inertia), EIGENVALUE);
        // rounding
        CHECK_NEAR(t, tml_linear_body(c.lin, 0, 3).energy, 1.2 * x1 * x1 / inertia, 1e-12);
    }
    case_free(&c);
}

TEST_SUITE(linearize) = {
    CASE(pendulum),
    CASE(double_pendulum_of_the_paper),
    CASE(independent_coordinates),
    CASE(chain_of_ten),
    CASE(chain_of_thousand),
    CASE(free_chain_of_thousand),
    CASE(damped_chain_near_a_shift),
    CASE(spinning_top),
    CASE(free_nutation),
    CASE(bead_on_a_turning_arm),
    CASE(blade_on_a_turning_hub),
    CASE(slider_crank),
    {0},
};
