/* tests/analysis/test_linearize.c - eigenvalues against closed forms, derivatives against
 * differences, the two methods against each other.
 *
 * Eigenvalues of a matrix of order n are exact for a matrix that is off by rounding, so a frequency
 * is good to about n * 1e-16 times the largest eigenvalue over it: 1e-12 here unless said
 * otherwise.
 */
#include "study.h"

#include "analysis/pencil.h"
#include "math/vec3.h"
#include "robust/robust_util.h"
#include "trammel/analysis.h"

static const double pi = 3.14159265358979323846;

typedef struct Case {
    TmlModel *model;
    TmlSim *sim;
    TmlLinear *lin;
    TmlLinearInfo info;
} Case;

static void case_free(Case *c)
{
    tml_linear_free(c->lin);
    tml_sim_free(c->sim);
    tml_model_free(c->model);
}

/* The model linearised; statics: about its equilibrium. False: a failed check. */
static bool case_make(TestCtx *t, const char *text, bool statics, const TmlLinearOptions *o,
                      Case *c)
{
    const TmlSimOptions options = study_options(1.0, 1.0, NULL);
    TmlError err = {0};
    *c = (Case){.model = study_model(t, text)};
    c->sim = study_sim(t, c->model, &options);
    if (c->sim == NULL) {
        return false;
    }
    if (statics) {
        TmlStaticsInfo info;
        CHECK_OK(t, tml_sim_statics(c->sim, NULL, &info, &err), &err);
    }
    CHECK_OK(t, tml_sim_linearize(c->sim, o, &c->lin, &err), &err);
    if (c->lin != NULL) {
        c->info = tml_linear_info(c->lin);
    }
    return c->lin != NULL;
}

/* The mode nearest re + i im. */
static TmlMode mode_near(const Case *c, double re, double im)
{
    TmlMode best = {0};
    double off = HUGE_VAL;
    for (int k = 0; k < c->info.modes; ++k) {
        const TmlMode m = tml_linear_mode(c->lin, k);
        if (hypot(m.real - re, m.imag - im) < off) {
            off = hypot(m.real - re, m.imag - im);
            best = m;
        }
    }
    return best;
}

static void check_mode(TestCtx *t, const Case *c, double re, double im, double tolerance)
{
    const TmlMode m = mode_near(c, re, im);
    CHECK_NEAR(t, m.real, re, tolerance);
    CHECK_NEAR(t, m.imag, im, tolerance);
}

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
        check_mode(t, &c, 0.0, sqrt(stiffness / inertia), 1e-12);
        const TmlMode m = tml_linear_mode(c.lin, 0);
        CHECK_NEAR(t, m.frequency, sqrt(stiffness / inertia) / (2 * pi), 1e-13);
        CHECK_NEAR(t, m.damping_ratio, 0.0, 1e-12);
        const TmlModeBody b = tml_linear_body(c.lin, 0, 1);
        CHECK_NEAR(t, b.energy, 1.0, 1e-14);
        // the centre of mass moves across the bar, half its turn
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

/* N masses on a line between two walls. */
static char *chain_text(int n, double damping)
{
    char *text = malloc(2048);
    snprintf(
        text, 2048,
        "trammel: 1\n"
        "parameters: {N: %d, k: 800, c: %.17g}\n"
        "bodies:\n"
        "  for i in 1..N:\n"
        "    \"m{i}\": {type: point, mass: 2, position: [\"i\", 0, 0]}\n"
        "joints:\n"
        "  for i in 1..N:\n"
        "    \"line{i}\": {type: point_on_line, frames: [{body: ground,\n"
        "      rotation: {axis: y, angle: pi/2}}, \"m{i}\"]}\n"
        "forces:\n"
        "  left: {type: spring, frames: [ground, m1], stiffness: k, damping: c}\n"
        "  right: {type: spring, frames: [\"m{N}\", {body: ground, position: [N + 1, 0, 0]}],\n"
        "          stiffness: k, damping: c}\n"
        "  for i in 2..N:\n"
        "    \"s{i}\": {type: spring, frames: [\"m{i-1}\", \"m{i}\"], stiffness: k, damping: c}\n",
        n, damping);
    return text;
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
            check_mode(t, &c, -d, sqrt(w * w - d * d), 1e-11);
        }
        // mode 1 is half a sine: its energy goes with the square
        double sum = 0.0;
        for (int i = 1; i <= 10; ++i) {
            const double x = sin(i * pi / 11), want = x * x / 5.5;
            CHECK_NEAR(t, tml_linear_body(c.lin, 0, i).energy, want, 1e-12);
            sum += tml_linear_body(c.lin, 0, i).energy;
        }
        CHECK_NEAR(t, sum, 1.0, 1e-13);
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
            CHECK_NEAR(t, m.real / w, 0.0, 1e-9);
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
            // shift and distance are both good to about 1e-11
            CHECK_NEAR(t, fabs(m.real - shift), off[at], 1e-8);
            CHECK_NEAR(t, m.imag, 0.0, 1e-8);
            off[at] = HUGE_VAL;
        }
    }
    case_free(&c);
    free(text);
}

/* --- moving states ---------------------------------------------------------------------------- */

/* A top that spins upright on its tip. In fixed axes the tilt z obeys
 * I_t z'' - i I_s W z' - m g l z = 0: nutation and precession. */
static const char sleeping_top[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  top: {mass: 2, inertia: [0.02, 0.02, 0.03], cm: [0, 0, 0.3], angular_velocity: [0, 0, "
    "120]}\n"
    "joints:\n"
    "  tip: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}\n";

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
        check_mode(t, &c, 0.0, 15.0, 1e-12);
    }
    case_free(&c);
}

/* A bead on an arm that turns at W: its spring is softened by the rotation, s^2 = W^2 - k / m. */
static const char bead_on_arm[] =
    "trammel: 1\n"
    "parameters: {W: 6, k: 500, m: 2, r: 0.8, l: r - m*W^2*r/k}\n"
    "bodies:\n"
    "  arm: {mass: 3, inertia: [0.1, 0.4, 0.4], angular_velocity: [0, 0, W]}\n"
    "  bead: {mass: m, inertia: [0.01, 0.02, 0.03], position: [r, 0, 0], velocity: [0, W*r, 0],\n"
    "         angular_velocity: [0, 0, W]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: z}\n"
    "  slide: {type: translational, bodies: [arm, bead], at: [0, 0, 0], axis: x}\n"
    "  drive: {type: motion, joint: pin, function: W*time}\n"
    "forces:\n"
    "  spring: {type: spring, frames: [arm, bead], stiffness: k, free_length: l}\n";

TEST(bead_on_a_turning_arm)
{
    Case c;
    if (case_make(t, bead_on_arm, false, NULL, &c)) {
        CHECK_INT(t, c.info.order, 2);
        check_mode(t, &c, 0.0, sqrt(250.0 - 36.0), 1e-11);
    }
    case_free(&c);
}

/* A blade hinged on a turning hub, the hinge along z (lag) or across the blade (flap):
 *   lag    w^2 = W^2 m l R / (Izz + m l^2)
 *   flap   w^2 = W^2 (m l (R + l) + Izz - Ixx) / (Iyy + m l^2)
 * The hinge axis turns with the hub, and so does the inertia. variant 2: both, by a universal
 * joint whose first axis is the flap axis. */
static const char *blade(int variant)
{
    static const char *const text[] = {
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}\n"
        "  blade: {mass: 2, inertia: [0.05, 0.3, 0.33], position: [0.9, 0, 0],\n"
        "          velocity: [0, 6.3, 0], angular_velocity: [0, 0, 7]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: pin, function: 7*time}\n"
        "  hinge: {type: revolute, bodies: [hub, blade], at: [0.3, 0, 0], axis: z}\n",
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}\n"
        "  blade: {mass: 2, inertia: [0.05, 0.3, 0.33], position: [0.9, 0, 0],\n"
        "          velocity: [0, 6.3, 0], angular_velocity: [0, 0, 7]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: pin, function: 7*time}\n"
        "  hinge: {type: revolute, bodies: [hub, blade], at: [0.3, 0, 0], axis: y}\n",
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}\n"
        "  blade: {mass: 2, inertia: [0.05, 0.3, 0.33], position: [0.9, 0, 0],\n"
        "          velocity: [0, 6.3, 0], angular_velocity: [0, 0, 7]}\n"
        "  tip: {type: point, mass: 0.5, position: [1.5, 0, 0.1], velocity: [0, 10.5, 0]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: pin, function: 7*time}\n"
        "  hinge: {type: universal, bodies: [hub, blade], at: [0.3, 0, 0], axes: [y, z]}\n"
        "forces:\n"
        "  hold: {type: spring, frames: [{body: blade, position: [0.6, 0, 0]}, tip],\n"
        "         stiffness: 400, damping: 3}\n",
    };
    return text[variant];
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
            check_mode(t, &c, 0.0, k == 0 ? lag : flap, 1e-11);
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
        check_mode(t, &c, 0.0, sqrt(900.0 * x1 * x1 / inertia), 1e-10);
        CHECK_NEAR(t, tml_linear_body(c.lin, 0, 3).energy, 1.2 * x1 * x1 / inertia, 1e-12);
    }
    case_free(&c);
}

/* Three blocks on a line, the last one held by a force with a lag: a user state, a variable. */
static const char servo[] =
    "trammel: 1\n"
    "bodies:\n"
    "  a: {type: point, mass: 1, position: [1, 0, 0]}\n"
    "  b: {type: point, mass: 2, position: [2, 0, 0]}\n"
    "  c: {type: point, mass: 1, position: [3, 0, 0]}\n"
    "joints:\n"
    "  for i in [a, b, c]:\n"
    "    \"line_{i}\": {type: point_on_line, frames: [{body: ground,\n"
    "      rotation: {axis: y, angle: pi/2}}, \"{i}\"]}\n"
    "forces:\n"
    "  ga: {type: spring, frames: [ground, a], stiffness: 100, damping: 1}\n"
    "  ab: {type: spring, frames: [a, b], stiffness: 80, damping: 2}\n"
    "  bc: {type: spring, frames: [b, c], stiffness: 50, damping: 1}\n"
    "  hold: {type: force, body: c, fx: lag}\n"
    "variables: {want: 30*(3 - DX(c)) - 2*VX(c)}\n"
    "states: {lag: {rate: (want - lag)/0.1, initial: 0}}\n";

/* --- derivatives ------------------------------------------------------------------------------ */

/* d(accelerations, X') along an allowed motion of the state, against differences of
 * tml_system_accelerations at states moved that way. */
typedef struct Probe {
    TmlSim *sim;
    TmlSystem *sys;
    TmlArena arena;
    TmlPencil p;
    TmlState s, moved;
    double *e, *rate, *x, *saddle, *want, *got[2], *exact; /* n + 1 each */
} Probe;

static void probe_directions(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    const int nu = sys->nu, m = sys->m;
    // e onto J e = 0; rows that move positions only through velocities do not bind it
    for (int k = 0; k < nu + m; ++k) {
        p->saddle[k] = k < nu ? test_random(t, -1, 1) : 0.0;
    }
    tml_lu_solve(p->p.saddle_lu, p->saddle);
    memcpy(p->e, p->saddle, (size_t)nu * sizeof *p->e);
    // rate: one that the constraints allow, and the normal part that goes with e
    for (int k = 0; k < nu; ++k) {
        p->saddle[k] = test_random(t, -1, 1);
    }
    tml_pencil_rate(&p->p, p->e, p->saddle + nu);
    for (int k = 0; k < m; ++k) {
        p->saddle[nu + k] *= -1.0;
    }
    tml_lu_solve(p->p.saddle_lu, p->saddle);
    memcpy(p->rate, p->saddle, (size_t)nu * sizeof *p->rate);
    for (int k = 0; k < sys->nx; ++k) {
        p->x[k] = test_random(t, -1, 1);
    }
}

static TmlVec3 vec_at(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

/* The state moved by eps: positions by e, angular velocities by d omega = e' - w x e. */
static void probe_state(Probe *p, const TmlVec3 *omega, double eps)
{
    TmlSystem *sys = p->sys;
    tml_state_copy(sys, &p->s, &p->moved);
    for (int b = 1; b < sys->nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const int q0 = sys->q0[b], u0 = sys->u0[b], nu = sys->u0[b + 1] - u0;
        double x[TML_BODY_MAX_NU] = {0}, zero[TML_BODY_MAX_NU] = {0}, u[TML_BODY_MAX_NU] = {0};
        type->reduce(p->s.q + q0, p->s.v + q0, u);
        for (int k = 0; k < nu; ++k) {
            x[k] = eps * p->e[u0 + k];
            u[k] += eps * p->rate[u0 + k];
        }
        if (nu == 6) {
            const TmlVec3 we = v3_cross(omega[b], vec_at(p->e + u0 + 3));
            u[3] -= eps * we.x;
            u[4] -= eps * we.y;
            u[5] -= eps * we.z;
        }
        type->chart_state(p->s.q + q0, x, zero, p->moved.q + q0, p->moved.v + q0);
        type->expand(p->moved.q + q0, u, p->moved.v + q0);
    }
    for (int k = 0; k < sys->nx; ++k) {
        p->moved.X[k] += eps * p->x[k];
    }
}

/* out: accelerations (u) and X' there. */
static void probe_accelerations(TestCtx *t, Probe *p, const TmlVec3 *omega, double eps, double *out)
{
    TmlSystem *sys = p->sys;
    TmlError err = {0};
    probe_state(p, omega, eps);
    CHECK_OK(t, tml_system_accelerations(sys, &p->moved, &err), &err);
    tml_system_kinematics(sys, &p->moved, false);
    for (int b = 1; b < sys->nb; ++b) {
        const TmlFrameKin *k = &sys->body[b].k;
        const double u[6] = {k->a.x, k->a.y, k->a.z, k->alpha.x, k->alpha.y, k->alpha.z};
        memcpy(out + sys->u0[b], u, (size_t)(sys->u0[b + 1] - sys->u0[b]) * sizeof *u);
    }
    memcpy(out + sys->nu, p->moved.Xd, (size_t)sys->nx * sizeof *out);
}

/* e'' from (L1) as d alpha = e'' - w x e' - alpha x e, and X'. */
static void probe_exact(Probe *p, const TmlVec3 *omega, const TmlVec3 *alpha, double *out)
{
    TmlSystem *sys = p->sys;
    double *r = p->want, *z = p->p.z;
    memset(r, 0, (size_t)sys->n * sizeof *r);
    tml_pencil_apply(&p->p, p->e, p->rate, NULL, r);
    memset(z, 0, (size_t)sys->n * sizeof *z);
    memcpy(z + sys->nu + sys->m, p->x, (size_t)sys->nx * sizeof *z);
    tml_csc_mul(&p->p.x, z, r);
    for (int k = 0; k < sys->n; ++k) {
        r[k] = -r[k];
    }
    tml_lu_solve(p->p.inertia_lu, r);
    memcpy(out, r, (size_t)sys->nu * sizeof *out);
    memcpy(out + sys->nu, r + sys->nu + sys->m, (size_t)sys->nx * sizeof *out);
    for (int b = 1; b < sys->nb; ++b) {
        const int k = sys->u0[b] + 3;
        if (sys->u0[b + 1] - sys->u0[b] == 6) {
            const TmlVec3 x = v3_add(v3_cross(omega[b], vec_at(p->rate + k)),
                                     v3_cross(alpha[b], vec_at(p->e + k)));
            out[k] -= x.x;
            out[k + 1] -= x.y;
            out[k + 2] -= x.z;
        }
    }
}

static void probe_check(TestCtx *t, Probe *p)
{
    enum { BODIES = 64 };
    TmlSystem *sys = p->sys;
    const int n = sys->nu + sys->nx;
    TmlVec3 omega[BODIES] = {{0, 0, 0}}, alpha[BODIES] = {{0, 0, 0}};
    double size = 0.0, off = 0.0, *exact = p->exact;
    const double h = 1e-5;
    CHECK(t, sys->nb <= BODIES);
    tml_system_kinematics(sys, &p->s, false);
    for (int b = 1; b < sys->nb && b < BODIES; ++b) {
        omega[b] = sys->body[b].k.omega;
        alpha[b] = sys->body[b].k.alpha;
    }
    probe_directions(t, p);
    probe_exact(p, omega, alpha, exact);
    probe_accelerations(t, p, omega, h, p->got[0]);
    probe_accelerations(t, p, omega, -h, p->got[1]);
    for (int k = 0; k < n; ++k) {
        const double difference = (p->got[0][k] - p->got[1][k]) / (2 * h);
        size = fmax(size, fabs(difference));
        off = fmax(off, fabs(difference - exact[k]));
    }
    // truncation h^2 = 1e-10 of third derivatives, which grow with the spin squared (120^2), and
    // rounding 1e-16 / h of accelerations of stiff models
    CHECK_NEAR(t, off / fmax(size, 1.0), 0.0, 2e-5);
}

static void probe_model(TestCtx *t, const char *name)
{
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlModel *model = study_model(t, name);
    Probe p = {.sim = study_sim(t, model, &o)};
    TmlError err = {0};
    t->name = name;
    if (p.sim != NULL) {
        TmlSystem *sys = p.sys = p.sim->sys;
        const size_t n = (size_t)sys->n + 1;
        CHECK_OK(t, tml_state_create_in(sys, &p.arena, &p.s, &err), &err);
        CHECK_OK(t, tml_state_create_in(sys, &p.arena, &p.moved, &err), &err);
        double *all = tml_arena_alloc(&p.arena, 9 * n, sizeof *all);
        p.e = all, p.rate = all + n, p.x = all + 2 * n, p.saddle = all + 3 * n;
        p.want = all + 4 * n, p.got[0] = all + 5 * n, p.got[1] = all + 6 * n, p.exact = all + 7 * n;
        tml_state_copy(sys, &p.sim->it.now, &p.s);
        const TmlStatus status = tml_pencil_create(sys, &p.s, &p.arena, &p.p, &err);
        CHECK_OK(t, status, &err);
        if (status == TML_OK) {
            probe_check(t, &p);
        }
        tml_pencil_free(&p.p);
    }
    tml_arena_free(&p.arena);
    tml_sim_free(p.sim);
    tml_model_free(model);
}

TEST(derivatives_match_differences)
{
    const char *const models[] = {
        "models/closed_forms/steady_top.yaml",
        "models/closed_forms/free_rotation.yaml",
        "models/closed_forms/four_bar.yaml",
        "models/closed_forms/pendulum.yaml",
        "models/closed_forms/rolling_disc.yaml",
        "models/cases/slider_crank_spring.yaml",
        "models/cases/iftomm_a04_bricard.yaml",
        "models/elements/universal.yaml",
        "models/elements/bushing.yaml",
        "models/elements/screw.yaml",
        "models/elements/gear.yaml",
        "models/elements/motion.yaml",
        "models/pid.yaml",
        "models/demo.yaml",
        servo,
        blade(2),
        sleeping_top,
        bead_on_arm,
    };
    for (size_t k = 0; k < sizeof models / sizeof models[0]; ++k) {
        probe_model(t, models[k]);
    }
}

/* --- two methods ------------------------------------------------------------------------------ */

/* Every mode of the sparse method is one of the dense method. */
static void check_agreement(TestCtx *t, const char *text, int modes, double shift)
{
    TmlLinearOptions o = tml_linear_options_default();
    Case dense, sparse;
    t->name = text;
    const bool first = case_make(t, text, false, NULL, &dense);
    o.modes = modes;
    o.shift = shift;
    o.sparse = true;
    if (case_make(t, text, false, &o, &sparse) && first) {
        CHECK(t, sparse.info.sparse && !dense.info.sparse);
        CHECK(t, tml_linear_matrix(sparse.lin) == NULL && tml_linear_matrix(dense.lin) != NULL);
        for (int k = 0; k < sparse.info.modes; ++k) {
            const TmlMode m = tml_linear_mode(sparse.lin, k);
            // both methods lose a few digits to the spread of the eigenvalues; a free motion has
            // the eigenvalue zero two or four times, which rounding splits by its root
            const double size = 2 * pi * m.natural_frequency;
            check_mode(t, &dense, m.real, m.imag, size < 1e-2 ? 1e-2 : 1e-8 * fmax(1.0, size));
        }
    }
    case_free(&sparse);
    case_free(&dense);
}

TEST(sparse_and_dense_agree)
{
    char *chain = chain_text(30, 4.0);
    check_agreement(t, chain, 5, -1.0);
    free(chain);
    check_agreement(t, servo, 1, -1.0);
    check_agreement(t, blade(2), 1, 1.0);
    check_agreement(t, "models/closed_forms/chain_spherical.yaml", 3, 0.5);
    check_agreement(t, "models/elements/bushing.yaml", 3, 1.0);
}

TEST(wrong_options)
{
    TmlLinearOptions o = tml_linear_options_default();
    const TmlSimOptions run = study_options(1.0, 1.0, NULL);
    TmlModel *model = study_model(t, sleeping_top);
    TmlSim *sim = study_sim(t, model, &run);
    TmlLinear *lin = NULL;
    TmlError err = {0};
    o.modes = -1;
    CHECK_INT(t, tml_sim_linearize(sim, &o, &lin, &err), TML_E_ARGUMENT);
    CHECK(t, lin == NULL);
    o.modes = 0;
    o.shift = (double)NAN;
    CHECK_INT(t, tml_sim_linearize(sim, &o, &lin, &err), TML_E_ARGUMENT);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Each allocation of ours fails in turn: the error says so, nothing leaks, the sim goes on. */
static void check_memory(TestCtx *t, TmlSim *sim, const TmlLinearOptions *o, Counter *memory)
{
    enum { MOST = 5000 };
    const long live = memory->live;
    TmlLinear *lin = NULL;
    int k = 1;
    for (; k < MOST && lin == NULL; ++k) {
        TmlError err = {0};
        memory->calls = 0;
        memory->fail_at = k;
        memory->failed = false;
        const TmlStatus status = tml_sim_linearize(sim, o, &lin, &err);
        CHECK(t, (status == TML_OK) == !memory->failed);
        CHECK(t, status == TML_OK || (status == TML_E_NOMEM && err.message[0] != '\0'));
        if (lin == NULL) {
            CHECK_INT(t, memory->live, live);
        }
    }
    CHECK(t, k > 10 && k < MOST);
    memory->fail_at = 0;
    tml_linear_free(lin);
    CHECK_INT(t, memory->live, live);
}

TEST(out_of_memory)
{
    const TmlSimOptions run = study_options(1.0, 1.0, NULL);
    TmlLinearOptions o = tml_linear_options_default();
    Counter memory = {0};
    counter_set(&memory);
    TmlModel *model = study_model(t, servo);
    TmlSim *sim = study_sim(t, model, &run);
    TmlLinear *lin = NULL;
    TmlError err = {0};
    // once without failures: the stage matrix stays with the sim
    CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
    tml_linear_free(lin);
    check_memory(t, sim, NULL, &memory);
    o.partition = true;
    check_memory(t, sim, &o, &memory);
    o.partition = false;
    o.sparse = true;
    o.modes = 1;
    check_memory(t, sim, &o, &memory);
    tml_sim_free(sim);
    tml_model_free(model);
    CHECK_INT(t, memory.live, 0);
    tml_set_allocator(NULL);
}

TEST_SUITE(linearize) = {
    CASE(pendulum),
    CASE(double_pendulum_of_the_paper),
    CASE(independent_coordinates),
    CASE(chain_of_ten),
    CASE(chain_of_thousand),
    CASE(damped_chain_near_a_shift),
    CASE(spinning_top),
    CASE(free_nutation),
    CASE(bead_on_a_turning_arm),
    CASE(blade_on_a_turning_hub),
    CASE(slider_crank),
    CASE(derivatives_match_differences),
    CASE(sparse_and_dense_agree),
    CASE(wrong_options),
    CASE(out_of_memory),
    {0},
};
