/* tests/mechanisms/test_closed_forms.c - models with known motions, at default settings.
 *
 * A default run (tolerance 1e-9) of a smooth mechanism has a global error of about 1e-6 of its size
 * after a few seconds (tests/analysis/test_tolerance.c); each bound below is that with a margin of
 * three to ten, unless its comment says more.
 */
#include "analysis/study.h"

static const double pi = 3.14159265358979323846, g = 9.81;

/* --- elliptic integrals and functions, by the arithmetic-geometric mean ---------------------- */

/* Complete integral of the first kind for modulus k. */
static double elliptic_K(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int n = 0; n < 40 && fabs(a - b) > 1e-16 * a; ++n) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return pi / (2.0 * a);
}

/* Incomplete integral of the first kind for amplitude phi. */
static double elliptic_F(double phi, double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k), scale = 1.0;
    for (int n = 0; n < 40 && fabs(a - b) > 1e-16 * a; ++n) {
        const double mean = 0.5 * (a + b);
        phi += atan(b / a * tan(phi)) + pi * floor(phi / pi + 0.5);
        b = sqrt(a * b);
        a = mean;
        scale *= 2.0;
    }
    return phi / (scale * a);
}

/* Jacobi's amplitude am(u, k): sn = sin, cn = cos of it. */
static double elliptic_am(double u, double k)
{
    enum { MAX = 40 };
    double a[MAX], c[MAX], b = sqrt(1.0 - k * k);
    int n = 0;
    a[0] = 1.0;
    c[0] = k;
    while (n + 1 < MAX && fabs(c[n]) > 1e-16 * a[n]) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n);
    for (; n > 0; --n) {
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    }
    return phi;
}

TEST(elliptic_functions)
{
    // Abramowitz and Stegun, table 17.1: K(m = 0.5); then am inverts F, and F(pi/2) is K, up to
    // rounding
    CHECK_NEAR(t, elliptic_K(sqrt(0.5)), 1.854074677301372, 1e-14);
    for (int n = 1; n < 10; ++n) {
        const double k = 0.1 * n, phi = 0.15 * n;
        CHECK_NEAR(t, elliptic_am(elliptic_F(phi, k), k), phi, 1e-13);
        CHECK_NEAR(t, elliptic_F(0.5 * pi - 1e-12, k), elliptic_K(k), 1e-11); // 1e-12 of phi
    }
}

/* --- runs ------------------------------------------------------------------------------------ */

static bool run_model(TestCtx *t, const char *text, double end, double output_step, Trace *out)
{
    TmlModel *model = study_model(t, text);
    const TmlSimOptions o = study_options(end, output_step, NULL);
    const bool ok = study_run(t, model, &o, out);
    tml_model_free(model);
    return ok;
}

/* A bar of 1 m released at 150 degrees: angle 2 asin(k sn(K + w t)), w^2 = 3 g / (2 L). */
TEST(pendulum)
{
    const double k = sin(75.0 * pi / 180.0), w = sqrt(1.5 * g), K = elliptic_K(k);
    const double period = 4.0 * K / w, dt = period / 64.0;
    Trace run;
    run_model(t, "models/closed_forms/pendulum.yaml", period, dt, &run);
    for (int n = 0; n < run.rows; ++n) {
        const double angle = 2.0 * asin(k * sin(elliptic_am(K + w * n * dt, k)));
        CHECK_NEAR(t, trace_value(&run, n, 0), angle, 3e-5);
    }
    CHECK_INT(t, run.rows, 65);
    // the angle is stationary at the end of the period: off by rate' dt^2 / 2 only; the rate is not
    const double rate_dot = 1.5 * g * sin(150.0 * pi / 180.0), late = 1e-6 * period;
    CHECK_NEAR(t, trace_value(&run, 64, 0), 150.0 * pi / 180.0, 3e-6);
    CHECK_NEAR(t, trace_value(&run, 64, 1), 0.0, 5.0 * rate_dot * late);
    trace_free(&run);
}

/* Parabola of the centre of mass and steady rotation about a principal axis. */
TEST(projectile)
{
    Trace run;
    run_model(t, "models/closed_forms/projectile.yaml", 2.0, 0.1, &run);
    for (int n = 0; n < run.rows; ++n) {
        const double time = 0.1 * n;
        // constant acceleration is exact for the method: rounding over the steps
        CHECK_NEAR(t, trace_value(&run, n, 0), 3.0 * time, 1e-10);
        CHECK_NEAR(t, trace_value(&run, n, 1), 10.0 * time - 0.5 * g * time * time, 1e-10);
        CHECK_NEAR(t, trace_value(&run, n, 2), 4.0 * time, 1e-6);
    }
    trace_free(&run);
}

/* Intermediate axis: with I1 < I2 < I3 and L^2 > 2 T I2, Landau and Lifshitz, Mechanics, (37.10).
 */
TEST(torque_free_rotation)
{
    const double I1 = 1, I2 = 2, I3 = 3, w1 = 0.02, w2 = 5, w3 = 0.03;
    const double E2 = I1 * w1 * w1 + I2 * w2 * w2 + I3 * w3 * w3;
    const double L2 = I1 * I1 * w1 * w1 + I2 * I2 * w2 * w2 + I3 * I3 * w3 * w3;
    const double top1 = sqrt((E2 * I3 - L2) / (I1 * (I3 - I1)));
    const double top2 = sqrt((E2 * I3 - L2) / (I2 * (I3 - I2)));
    const double top3 = sqrt((L2 - E2 * I1) / (I3 * (I3 - I1)));
    const double k = sqrt((I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1)));
    const double rate = sqrt((I3 - I2) * (L2 - E2 * I1) / (I1 * I2 * I3));
    // w1, w2 > 0 at the start: the amplitude lies in the first quarter
    const double tau0 = elliptic_F(atan2(w2 / top2, w1 / top1), k);
    Trace run;
    run_model(t, "models/closed_forms/free_rotation.yaml", 4.0, 0.05, &run);
    for (int n = 0; n < run.rows; ++n) {
        const double phi = elliptic_am(tau0 + rate * 0.05 * n, k);
        const double dn = sqrt(1.0 - k * k * sin(phi) * sin(phi));
        // close to the saddle an error grows by exp(2.9 t) for the 2 s of a half turn
        const double tol = 3e-5;
        CHECK_NEAR(t, trace_value(&run, n, 0), top1 * cos(phi), tol);
        CHECK_NEAR(t, trace_value(&run, n, 1), top2 * sin(phi), tol);
        CHECK_NEAR(t, trace_value(&run, n, 2), top3 * dn, tol);
    }
    trace_free(&run);
}

/* C w3 = (m g l + A p^2 cos tilt) / p keeps the tilt; the reaction is m a + m g. */
TEST(steady_precession_of_a_top)
{
    const double m = 2, l = 0.3, tilt = 40.0 * pi / 180.0, p = 3.0, J = 0.02, C = 0.03;
    const double A = J + m * l * l, w3 = (m * g * l + A * p * p * cos(tilt)) / (C * p);
    Trace run;
    run_model(t, "models/closed_forms/steady_top.yaml", 2.0, 0.1, &run);
    for (int n = 0; n < run.rows; ++n) {
        const double turn = 0.1 * n * p, radius = l * sin(tilt);
        CHECK_NEAR(t, trace_value(&run, n, 0), radius * cos(turn), 1e-5 * l);
        CHECK_NEAR(t, trace_value(&run, n, 1), radius * sin(turn), 1e-5 * l);
        CHECK_NEAR(t, trace_value(&run, n, 2), l * cos(tilt), 1e-5 * l);
        CHECK_NEAR(t, trace_value(&run, n, 3), w3, 1e-5 * w3);
        CHECK_NEAR(t, trace_value(&run, n, 4), -m * p * p * radius * cos(turn), 1e-4 * m * g);
        CHECK_NEAR(t, trace_value(&run, n, 6), m * g, 1e-4 * m * g);
    }
    trace_free(&run);
}

/* The balance of moments of a disc that leans inwards in a circle. */
TEST(rolling_disc)
{
    const double m = 1, r = 0.3, rho = 0.8, lean = 70.0 * pi / 180.0;
    const double Ia = 0.5 * m * r * r, It = 0.25 * m * r * r;
    const double turn =
        sqrt(m * g * r * cos(lean) / (sin(lean) * (rho * (m * r + Ia / r) + It * cos(lean))));
    Trace run;
    run_model(t, "models/closed_forms/rolling_disc.yaml", 4.0, 0.1, &run);
    for (int n = 0; n < run.rows; ++n) {
        const double angle = 0.1 * n * turn;
        CHECK_NEAR(t, trace_value(&run, n, 0), rho * cos(angle), 1e-6);
        CHECK_NEAR(t, trace_value(&run, n, 1), rho * sin(angle), 1e-6);
        CHECK_NEAR(t, trace_value(&run, n, 2), r * sin(lean), 1e-6);
    }
    trace_free(&run);
}

static const char slider_crank[] =
    "trammel: 1\n"
    "parameters: {r: 0.1, l: 0.35, w: 20, p: 0.4, b: asin(r*sin(p)/l), s: r*cos(p) + l*cos(b)}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], rotation: {axis: z, angle: p}}\n"
    "  rod: {mass: 1, inertia: [0.001, 0.01, 0.01], position: [r*cos(p), r*sin(p), 0],\n"
    "        cm: [l/2, 0, 0], rotation: {axis: z, angle: -b}}\n"
    "  slider: {mass: 2, inertia: [0.01, 0.01, 0.01], position: [s, 0, 0]}\n"
    "joints:\n"
    "  axle: {type: revolute, frames: [ground, crank]}\n"
    "  pin: {type: revolute, frames: [{body: crank, position: [r, 0, 0]}, rod]}\n"
    "  wrist: {type: revolute, frames: [{body: rod, position: [l, 0, 0]}, slider]}\n"
    "  guide: {type: translational, bodies: [ground, slider], at: [0, 0, 0], axis: x}\n"
    "  drive: {type: motion, joint: axle, function: p + w*time}\n"
    "outputs: {x: DX(slider), v: VX(slider), a: ACCX(slider)}\n";

/* x = r cos q + sqrt(l^2 - r^2 sin^2 q) and its derivatives at q = p + w t. */
TEST(slider_crank_kinematics)
{
    const double r = 0.1, l = 0.35, w = 20.0, p = 0.4;
    Trace run;
    run_model(t, slider_crank, 0.4, 0.01, &run);
    for (int n = 0; n < run.rows; ++n) {
        const double q = p + w * 0.01 * n, S = r * sin(q), C = r * cos(q), D = sqrt(l * l - S * S);
        const double v = -S - S * C / D;
        const double a = -C - (C * C - S * S) / D - S * S * C * C / (D * D * D);
        // rows are closed on the constraints at positions and velocities, so these are exact;
        // accelerations are interpolated between step ends, which are closer than 1e-3 s
        CHECK_NEAR(t, trace_value(&run, n, 0), C + D, 1e-12);
        CHECK_NEAR(t, trace_value(&run, n, 1), w * v, 1e-11);
        CHECK_NEAR(t, trace_value(&run, n, 2), w * w * a, 1e-9 * w * w);
    }
    CHECK_INT(t, run.stats.n_redundant, 3); // a plane loop in space
    CHECK_INT(t, run.stats.degrees_of_freedom, 0);
    trace_free(&run);
}

TEST_SUITE(closed_forms) = {CASE(elliptic_functions),
                            CASE(pendulum),
                            CASE(projectile),
                            CASE(torque_free_rotation),
                            CASE(steady_precession_of_a_top),
                            CASE(rolling_disc),
                            CASE(slider_crank_kinematics),
                            {0}};
