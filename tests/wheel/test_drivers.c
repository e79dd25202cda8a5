/* tests/wheel/test_drivers.c - drivers: the circle of pure pursuit, the exponential of a speed, whole cars. */
#include "test.h"

#include "model/model.h"
#include "trammel/io.h"
#include "trammel/sim.h"

#include <math.h>
#include <string.h>

enum { MOST = 32 };

/* Channels of a run at its end by a method. */
static bool end_of(TestCtx *t, const TmlModel *m, const char *method, double tol, double end,
                   double value[MOST])
{
    TmlSimOptions options = tml_sim_options_default();
    TmlSim *sim = NULL;
    TmlError err = {0};
    options.integrator = method;
    options.tolerance = tol;
    options.end_time = end;
    options.output_step = end;
    TmlStatus status = m != NULL ? tml_sim_create(m, &options, &sim, &err) : TML_E_MODEL;
    status = status == TML_OK ? tml_sim_run(sim, NULL, NULL, &err) : status;
    for (int k = 0; status == TML_OK && k < tml_row_channel_count(sim) && k < MOST; ++k) {
        value[k] = tml_row_channel(sim, k);
    }
    CHECK_OK(t, status, &err);
    tml_sim_free(sim);
    return status == TML_OK;
}

/* Returns the model of a text; outside: a value for its parameter D, if it has one. */
static TmlModel *text_model_at(TestCtx *t, const char *text, int n, double outside)
{
    static const char *const name[] = {"D"};
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "driver", n, name, &outside, &m, &err), &err);
    return m;
}

static TmlModel *text_model(TestCtx *t, const char *text)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "driver", 0, NULL, NULL, &m, &err), &err);
    return m;
}

/* On a circle the circle that leaves the car along its heading and meets the circle is the circle itself: the angle is
 * atan(wheelbase / radius), wherever the target is. The spline through 120 points is off the circle by 1e-7 of the radius. */
TEST(a_circle_is_driven_by_one_angle)
{
    static char text[16000];
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "trammel: 1\nparameters: {V: 8, rho: 20, D: 0}\npaths: {ring: {closed: true, points: [");
    for (int k = 0; k < 120; ++k) {
        const double a = 2.0 * M_PI * k / 120.0;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s[%.15f, %.15f, 0]", k > 0 ? ", " : "",
                              20.0 * sin(a), 20.0 - 20.0 * cos(a));
    }
    snprintf(text + n, sizeof text - n,
             "]}}\nbodies: {car: {mass: 1, inertia: [1, 1, 1], position: [0, -D, 0.3], velocity: "
             "[V, 0, 0], "
             "angular_velocity: [0, 0, V/(rho+D)]}}\n"
             "joints: {pole: {type: revolute, bodies: [ground, car], at: [0, rho, 0], axis: z}}\n"
             "forces: {driver: {type: path_driver, bodies: [ground, car], at: [0, -D, 0.3], axis: "
             "y, path: ring, "
             "wheelbase: 2.5, delay: 0}}\n"
             "outputs: {steer: output(driver).steer, off: output(driver).deviation, heading: "
             "output(driver).heading, "
             "station: output(driver).station}\n");
    TmlModel *m = text_model(t, text);
    double value[MOST];
    if (m != NULL && end_of(t, m, "radau", 1e-8, 20.0, value)) { // once round and a quarter
        CHECK_NEAR(t, value[0], atan(2.5 / 20.0), 2e-6);
        CHECK_NEAR(t, value[1], 0.0, 5e-6);
        CHECK_NEAR(t, value[2], 0.0, 5e-6);
        CHECK_NEAR(t, value[3], 160.0, 0.1); // chords are shorter than arcs by 1e-4
    }
    tml_model_free(m);
    m = text_model_at(t, text, 1,
                      2.0); // on a circle 2 m outside: the path is passed by more slowly
    if (m != NULL && end_of(t, m, "radau", 1e-8, 20.0, value)) {
        CHECK_NEAR(t, value[1], -2.0, 5e-6);               // error of the spline, as above
        CHECK_NEAR(t, value[3], 160.0 * 20.0 / 22.0, 0.1); // chords, as above
    }
    tml_model_free(m);
}

/* Beside a straight path at the distance D the driver wants the angle of (V3) to (V5), atan(2 wheelbase D / (D^2 + way^2)) to the right with
 * way^2 = least^2 + (preview V)^2, all the time; the arms follow it from zero by (V6). */
TEST(a_straight_path_from_beside)
{
    static const char head[] =
        "trammel: 1\nparameters: {V: 12, D: 1.5}\n"
        "bodies: {car: {mass: 1, inertia: [1, 1, 1], position: [0, D, 0.3], velocity: [V, 0, 0]}}\n"
        "joints: {way: {type: translational, bodies: [ground, car], at: [0, D, 0.3], axis: x}}\n"
        "forces: {driver: {type: path_driver, bodies: [ground, car], at: [0, D, 0.3], axis: y, "
        "path: {points: [[-10, 0, 0], [20, 0, 0], [50, 0, 0], [80, 0, 0]]}, wheelbase: 2.5, "
        "preview: 0.8, least: 3, delay: 0.25}}\n"
        "outputs: {steer: output(driver).steer, ahead: output(driver).ahead, off: "
        "output(driver).deviation, station: output(driver).station}\n";
    const double way2 = 3.0 * 3.0 + pow(0.8 * 12.0, 2.0), D = 1.5;
    TmlModel *m = text_model(t, head);
    for (int k = 1; k <= 4 && m != NULL; ++k) {
        double value[MOST];
        const double end = 0.15 * k, angle = -atan(2.0 * 2.5 * D / (D * D + way2 + 9e-6));
        if (end_of(t, m, "radau", 1e-9, end, value)) {
            // the tolerance of 1e-9 over some ten steps, of a way of 10 m
            CHECK_NEAR(t, value[1], angle, 1e-8);
            CHECK_NEAR(t, value[0], angle * (1.0 - exp(-end / 0.25)), 1e-7);
            CHECK_NEAR(t, value[2], D, 1e-8);
            CHECK_NEAR(t, value[3], 10.0 + 12.0 * end, 1e-7);
        }
    }
    tml_model_free(m);
}

#define SPEED(more)                                                                                \
    "trammel: 1\n"                                                                                 \
    "bodies: {car: {mass: 1000, inertia: [1, 1, 1], velocity: [10, 0, 0]}}\n"                      \
    "joints: {way: {type: translational, bodies: [ground, car], at: [0, 0, 0], axis: x}}\n"        \
    "forces:\n"                                                                                    \
    "  cruise: {type: speed_driver, bodies: [ground, car], at: [0, 0, 0], axis: y, mass: "         \
    "1000, " more "}\n"                                                                            \
    "  drive: {type: force, body: car, fx: output(cruise).force - 300}\n"                          \
    "outputs: {speed: VX(car), a: output(cruise).acceleration}\n"

/* Without the integral the speed goes to what balances the drag of 0.3 m/s^2, by the exponential of the gain. */
TEST(a_speed_by_its_gain)
{
    TmlModel *m = text_model(t, SPEED("speed: 12, gain: 0.8, integral: 0, drive: 4"));
    double value[MOST];
    if (m != NULL && end_of(t, m, "dop853", 1e-10, 3.0, value)) {
        const double last = 12.0 - 0.3 / 0.8;
        // closed form; the error grows with the tolerance of 1e-10 over 10 m/s
        CHECK_NEAR(t, value[0], last + (10.0 - last) * exp(-0.8 * 3.0), 1e-8);
    }
    tml_model_free(m);
}

/* Far from the speed that is wanted the acceleration is within a tenth below its bound: `brake` above the speed, `drive` below it. After
 * 0.05 s the term of (V9) against winding up has taken back a fourth of the demand of 30 m/s^2. */
TEST(brakes_and_drive_have_their_bounds)
{
    TmlModel *slower = text_model(t, SPEED("speed: 0, gain: 3, integral: 0, drive: 2, brake: 6"));
    TmlModel *faster = text_model(t, SPEED("speed: 60, gain: 3, integral: 0, drive: 2, brake: 6"));
    double value[MOST];
    if (slower != NULL && end_of(t, slower, "radau", 1e-6, 0.05, value)) {
        CHECK(t, value[1] > -6.0 && value[1] < -5.4);
    }
    if (faster != NULL && end_of(t, faster, "radau", 1e-6, 0.05, value)) {
        CHECK(t, value[1] < 2.0 && value[1] > 1.8);
    }
    tml_model_free(slower);
    tml_model_free(faster);
}

/* With it nothing is left, and after a long time at the bound it does not overshoot by more than a tenth of m/s: the speed of 30 m/s is
 * 7 s away at 3 m/s^2. */
TEST(a_speed_without_error_and_windup)
{
    TmlModel *m = text_model(t, SPEED("speed: 30, gain: 1.5, integral: 0.4"));
    double value[MOST];
    if (m != NULL && end_of(t, m, "radau", 1e-8, 60.0, value)) {
        // what is left of 3 m/s falls with 0.4 1/s for 40 s, to 3e-7 of it: tolerance of both
        CHECK_NEAR(t, value[0], 30.0, 1e-6);
        CHECK_NEAR(t, value[1], 0.3, 1e-6); // tolerance, as above
    }
    for (double end = 7.0; m != NULL && end < 14.0; end += 1.0) {
        if (end_of(t, m, "radau", 1e-6, end, value)) {
            CHECK(t, value[0] < 30.1 && value[1] <= 3.0);
        }
    }
    tml_model_free(m);
}

/* The double lane change: within 0.6 m of the path, back on it at the end, by two methods alike. */
TEST(a_car_changes_lanes)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    double a[MOST], b[MOST];
    CHECK_OK(
        t,
        tml_load(TRAMMEL_SOURCE_DIR "/models/vehicles/lane_change.yaml", 0, NULL, NULL, &m, &err),
        &err);
    if (m != NULL && end_of(t, m, "radau", 1e-6, 6.0, a) &&
        end_of(t, m, "rosenbrock", 1e-6, 6.0, b)) {
        CHECK(t, fabs(a[2]) < 0.6 && a[1] > 2.0);
        for (int k = 0; k < 5; ++k) {
            CHECK_NEAR(t, a[k], b[k], 3e-3); // 30 times the tolerance of 1e-6 over 100 m
        }
    }
    tml_model_free(m);
}

static void refused(TestCtx *t, const char *driver, const char *part)
{
    char text[2048];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "trammel: 1\nbodies: {car: {mass: 1, inertia: [1, 1, 1]}}\nforces: {driver: {bodies: "
             "[ground, car], at: [0, 0, 0], "
             "axis: y, %s}}\n",
             driver);
    CHECK(t, tml_load_text(text, "bad", 0, NULL, NULL, &m, &err) != TML_OK);
    if (strstr(err.message, part) == NULL) {
        test_fail(t, __FILE__, __LINE__, "expected '%s' in: %s", part, err.message);
    }
    tml_model_free(m);
}

TEST(bad_drivers_are_told)
{
    refused(t, "type: path_driver, wheelbase: 2.5", "missing key 'path'");
    refused(t, "type: path_driver, wheelbase: 2.5, path: nowhere", "nowhere");
    refused(t,
            "type: path_driver, wheelbase: -2, path: {points: [[0, 0, 0], [1, 0, 0], [2, 0, 0], "
            "[3, 0, 0]]}",
            "wheelbase");
    refused(t, "type: speed_driver, speed: 10", "missing key 'mass'");
    refused(t, "type: speed_driver, speed: 10 m, mass: 1", "m/s");
}

TEST_SUITE(drivers) = {
    CASE(a_circle_is_driven_by_one_angle),
    CASE(a_straight_path_from_beside),
    CASE(a_speed_by_its_gain),
    CASE(brakes_and_drive_have_their_bounds),
    CASE(a_speed_without_error_and_windup),
    CASE(a_car_changes_lanes),
    CASE(bad_drivers_are_told),
    {0},
};
