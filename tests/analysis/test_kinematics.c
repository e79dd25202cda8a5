/* tests/analysis/test_kinematics.c - given motions without integration, and the forces that they take. */
#include "test.h"

#include "trammel/trammel.h"

#include <stdlib.h>
#include <unistd.h>

#define HEAD "trammel: 1\n"

/* Two links of lengths a = 0.5, b = 0.4 under gravity; their joints are driven by `tail`, or not. */
#define ARM                                                                                        \
    HEAD                                                                                           \
        "gravity: [0, -9.81, 0]\n"                                                                 \
        "bodies:\n"                                                                                \
        "  upper: {mass: 2, inertia: [0.01, 0.05, 0.05], position: [0, 0, 0], cm: [0.25, 0, 0]}\n" \
        "  fore: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.5, 0, 0], cm: [0.2, 0, 0]}\n" \
        "joints:\n"                                                                                \
        "  shoulder: {type: revolute, bodies: [ground, upper], at: [0, 0, 0], axis: z}\n"          \
        "  elbow: {type: revolute, bodies: [upper, fore], at: [0.5, 0, 0], axis: z}\n"             \
        "frames: {tip: {body: fore, position: [0.4, 0, 0]}}\n"                                     \
        "outputs: {x: DX(tip), y: DY(tip)}\n"                                                      \
        "simulate: {end: 1, output_step: 0.05}\n"

static TmlModel *make(TestCtx *t, const char *document)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    if (tml_load_text(document, "text", 0, NULL, NULL, &model, &err) != TML_OK) {
        test_fail(t, __FILE__, __LINE__, "%s", err.message);
    }
    return model;
}

static TmlStatus start(const TmlModel *model, TmlSim **sim, TmlError *err)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "kinematics";
    o.drive_channels = true;
    return tml_sim_create(model, &o, sim, err);
}

static double channel(const TmlSim *sim, const char *name)
{
    return tml_row_channel(sim, tml_sim_channel_find(sim, name));
}

static void write_file(TestCtx *t, const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void in_binary_dir(char *out, size_t size, const char *name)
{
    snprintf(out, size, "%s/%s", test_binary_dir(), name);
}

/* Torques of the arm by Lagrange's equations, in angles p and q (relative). */
static void torques(const double p[3], const double q[3], double out[2])
{
    const double a = 0.5, m1 = 2.0, m2 = 1.0, c1 = 0.25, c2 = 0.2, I1 = 0.05, I2 = 0.02, g = 9.81;
    const double C = cos(q[0]), S = sin(q[0]);
    const double M11 = I1 + I2 + m1 * c1 * c1 + m2 * (a * a + c2 * c2 + 2.0 * a * c2 * C);
    const double M12 = I2 + m2 * (c2 * c2 + a * c2 * C), M22 = I2 + m2 * c2 * c2;
    const double k = m2 * a * c2 * S;
    out[0] = M11 * p[2] + M12 * q[2] - k * (2.0 * p[1] * q[1] + q[1] * q[1]) +
             g * ((m1 * c1 + m2 * a) * cos(p[0]) + m2 * c2 * cos(p[0] + q[0]));
    out[1] = M12 * p[2] + M22 * q[2] + k * p[1] * p[1] + g * m2 * c2 * cos(p[0] + q[0]);
}

static TmlStatus compare_torques(void *user, const TmlSim *sim, TmlError *err)
{
    TestCtx *t = user;
    const double x = tml_row_time(sim);
    const double p[3] = {0.5 * sin(2.0 * x), cos(2.0 * x), -2.0 * sin(2.0 * x)};
    const double q[3] = {1.0 - cos(3.0 * x), 3.0 * sin(3.0 * x), 9.0 * cos(3.0 * x)};
    double want[2];
    (void)err;
    torques(p, q, want);
    // rounding of torques of 15 Nm, which follow from accelerations by the squares of distances
    CHECK_NEAR(t, channel(sim, "s.force"), want[0], 1e-12);
    CHECK_NEAR(t, channel(sim, "e.force"), want[1], 1e-12);
    CHECK_NEAR(t, channel(sim, "e.power"), want[1] * q[1], 1e-12); // the same
    CHECK_NEAR(t, channel(sim, "s.coordinate"), p[0], 1e-15);      // the function itself
    CHECK_NEAR(t, channel(sim, "s.rate"), p[1], 1e-15);
    CHECK_NEAR(t, tml_row_drive(sim, 3).acceleration, q[2], 1e-14);
    CHECK_NEAR(t, channel(sim, "x"), 0.5 * cos(p[0]) + 0.4 * cos(p[0] + q[0]), 1e-14); // rounding
    CHECK_NEAR(t, channel(sim, "y"), 0.5 * sin(p[0]) + 0.4 * sin(p[0] + q[0]), 1e-14);
    return TML_OK;
}

TEST(arm)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    TmlModel *model = NULL;
    char path[1024];
    in_binary_dir(path, sizeof path, "kinematics_given.yaml");
    write_file(t, path, ARM);
    TmlLoadOptions o = tml_load_options_default();
    o.more = "joints:\n"
             "  s: {type: motion, joint: shoulder, function: 0.5*sin(2*time)}\n"
             "  e: {type: motion, joint: elbow, function: 1 - cos(3*time)}\n";
    CHECK(t, tml_load_with(path, &o, &model, &err) == TML_OK);
    CHECK(t, start(model, &sim, &err) == TML_OK);
    CHECK(t, tml_sim_is_drive(sim, 2) && !tml_sim_is_drive(sim, 0) && !tml_sim_is_drive(sim, 9));
    CHECK(t, tml_sim_run(sim, compare_torques, t, &err) == TML_OK);
    CHECK(t, isnan(tml_row_drive(sim, 0).force));
    // the work of the drives is that of three points of Gauss a step, to 1e-6 of the energy
    CHECK_NEAR(t, tml_row_certificate(sim).energy_error, 0.0, 1e-6);
    tml_sim_free(sim);
    tml_model_free(model);
    unlink(path);
}

/* Two angles of a frame that turns about x, y and z: what drives them does the work of the motion. */
TEST(angle_motions)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    TmlModel *model =
        make(t, HEAD
             "bodies: {top: {mass: 1, inertia: [1, 2, 3]}}\n"
             "joints:\n"
             "  pin: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}\n"
             "  a: {type: angle_motion, frames: [ground, top], angle: first, function: sin(time)}\n"
             "  b: {type: angle_motion, frames: [ground, top], angle: second, function: 0.3*time}\n"
             "  c: {type: angle_motion, frames: [ground, top], angle: third, function: time^2}\n"
             "simulate: {end: 2, output_step: 0.5}\n");
    CHECK(t, start(model, &sim, &err) == TML_OK);
    CHECK(t, tml_sim_run(sim, NULL, NULL, &err) == TML_OK);
    const TmlBodyState s = tml_row_body(sim, 1);
    // dT/dt of the body, in its own axes: I w . w'
    double power = 0.0, rate = 0.0;
    for (int k = 1; k <= 3; ++k) {
        power += tml_row_drive(sim, k).power;
    }
    const TmlQuat q = s.orientation;
    const double R[3][3] = {
        {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
        {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
        {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
         1 - 2 * (q.x * q.x + q.y * q.y)}};
    const double w[3] = {s.omega.x, s.omega.y, s.omega.z},
                 al[3] = {s.alpha.x, s.alpha.y, s.alpha.z};
    for (int i = 0; i < 3; ++i) {
        double wi = 0.0, ai = 0.0;
        for (int j = 0; j < 3; ++j) {
            wi += R[j][i] * w[j];
            ai += R[j][i] * al[j];
        }
        rate += (i + 1) * wi * ai;
    }
    CHECK_NEAR(t, power, rate, 1e-11); // rounding of powers of some 100 W
    CHECK_NEAR(t, tml_row_drive(sim, 2).coordinate, 0.6, 1e-14);
    tml_sim_free(sim);
    tml_model_free(model);
}

static TmlStatus angles_are_equal(void *user, const TmlSim *sim, TmlError *err)
{
    TestCtx *t = user;
    (void)err;
    // rounding is multiplied where the links are nearly in line, by 1e3 at the closest row
    CHECK_NEAR(t, channel(sim, "psi"), 1.0 + 6.0 * tml_row_time(sim), 1e-11);
    return TML_OK;
}

/* A parallelogram whose links come in line twice a turn, where it could become crossed. */
TEST(crossing_branches)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    TmlModel *model = make(
        t, HEAD
        "parameters: {a: 0.1, d: 0.3, w: 6}\n"
        "bodies:\n"
        "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], cm: [a/2, 0, 0], rotation: {axis: z, "
        "angle: 1}}\n"
        "  rod: {mass: 1, inertia: [0.01, 0.01, 0.01], cm: [d/2, 0, 0], position: [a*cos(1), "
        "a*sin(1), 0]}\n"
        "  rocker: {mass: 1, inertia: [0.01, 0.01, 0.01], cm: [a/2, 0, 0], position: [d, 0, 0], "
        "rotation: {axis: z, angle: 1}}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
        "  B: {type: revolute, bodies: [crank, rod], at: [a*cos(1), a*sin(1), 0], axis: z}\n"
        "  C: {type: revolute, bodies: [rod, rocker], at: [d + a*cos(1), a*sin(1), 0], axis: z}\n"
        "  D: {type: revolute, bodies: [ground, rocker], at: [d, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: A, function: w*time}\n"
        "outputs: {psi: 1 + angle(D)}\n"
        "simulate: {end: 3, output_step: 0.01}\n");
    CHECK(t, start(model, &sim, &err) == TML_OK);
    CHECK(t, tml_sim_run(sim, angles_are_equal, t, &err) == TML_OK);
    tml_sim_free(sim);
    tml_model_free(model);
}

#define SLIDER(rate)                                                                               \
    HEAD "parameters: {a: 0.1, b: 0.3, x: 0.35, c: (a^2 + x^2 - b^2)/(2*a*x), s: sqrt(1 - c^2)}\n" \
         "bodies:\n"                                                                               \
         "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], rotation: {axis: z, angle: acos(c)}}\n"  \
         "  rod: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [a*c, a*s, 0], rotation: "       \
         "{axis: z, angle: -asin(a*s/b)}}\n"                                                       \
         "  block: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [x, 0, 0]}\n"                  \
         "joints:\n"                                                                               \
         "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"                \
         "  B: {type: revolute, bodies: [crank, rod], at: [a*c, a*s, 0], axis: z}\n"               \
         "  C: {type: revolute, bodies: [rod, block], at: [x, 0, 0], axis: z}\n"                   \
         "  D: {type: translational, bodies: [ground, block], at: [x, 0, 0], axis: x}\n"           \
         "  drive: {type: motion, joint: D, function: " rate "*time}\n"                            \
         "simulate: {end: 1, output_step: 0.01}\n"

/* The block is pulled to where crank and rod are in line, x = 0.4 m, and would go farther. */
TEST(locks)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    TmlModel *model = make(t, SLIDER("0.1"));
    CHECK(t, start(model, &sim, &err) == TML_OK);
    CHECK(t, tml_sim_run(sim, NULL, NULL, &err) == TML_E_STEP);
    CHECK(t, strstr(err.message, "the drives cannot move the model beyond t = 0.5 s") != NULL);
    CHECK_NEAR(t, tml_sim_time(sim), 0.5, 1e-9); // the smallest step is 1e-13 of the end
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(what_is_not_driven)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {ARM, "2 degrees of freedom are not driven"},
        {ARM, "in joint 'elbow'"},
        {HEAD
         "states: {z: {rate: -z, initial: 1}}\n"
         "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
         "joints: {f: {type: fixed, bodies: [ground, b], at: [0, 0, 0]}}\nsimulate: {end: 1}\n",
         "state 'z' has to be integrated"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        TmlError err = {0};
        TmlSim *sim = NULL;
        TmlModel *model = make(t, bad[k].text);
        CHECK(t, start(model, &sim, &err) == TML_E_MODEL);
        CHECK(t, strstr(err.message, bad[k].message) != NULL);
        CHECK(t, sim == NULL);
        tml_model_free(model);
    }
}

/* --- texts of motions, workspaces ---------------------------------------------------------------------------- */

TEST(tables)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    char path[1024], table[1024], source[1200], *more = NULL;
    in_binary_dir(path, sizeof path, "kinematics_arm.yaml");
    in_binary_dir(table, sizeof table, "kinematics_angle.csv");
    write_file(t, path, ARM);
    FILE *file = fopen(table, "w");
    CHECK(t, file != NULL);
    fputs("time,other,angle [rad]\n", file);
    for (int k = 0; k <= 200; ++k) {
        fprintf(file, "%.17g,0,%.17g\n", 0.01 * k, 0.5 * sin(2.0 * 0.01 * k));
    }
    fclose(file);
    snprintf(source, sizeof source, "%s:angle", table);
    const char *joint[] = {"shoulder", "elbow.angle"},
               *function[] = {source, "velocity 3*sin(3*time)"};
    CHECK(t, tml_motions_text(2, joint, function, &more, &err) == TML_OK);
    TmlLoadOptions o = tml_load_options_default();
    o.more = more;
    CHECK(t, tml_load_with(path, &o, &model, &err) == TML_OK);
    CHECK(t, start(model, &sim, &err) == TML_OK);
    CHECK(t, tml_sim_run(sim, NULL, NULL, &err) == TML_OK);
    const double p[3] = {0.5 * sin(2.0), cos(2.0), -2.0 * sin(2.0)},
                 q[3] = {1.0 - cos(3.0), 3.0 * sin(3.0), 9.0 * cos(3.0)};
    double want[2];
    torques(p, q, want);
    // second derivatives of a cubic spline through sin are off by h^2 / 12 of its fourth, 7e-5 rad/s^2, on 1 kg m^2
    CHECK_NEAR(t, channel(sim, "shoulder_motion.force"), want[0], 2e-4);
    CHECK_NEAR(t, channel(sim, "elbow_motion.force"), want[1], 2e-4);
    tml_sim_free(sim);
    tml_model_free(model);
    tml_text_free(more);
    static const char *const wrong[][2] = {{"pin", "no_such.csv"}, {"", "time"}, {"pin", ""}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        CHECK(t, tml_motions_text(1, &wrong[k][0], &wrong[k][1], &more, &err) != TML_OK);
        CHECK(t, more == NULL && err.message[0] != '\0');
    }
    snprintf(source, sizeof source, "%s", table); // two columns and no name
    const char *name = "pin", *from = source;
    CHECK(t, tml_motions_text(1, &name, &from, &more, &err) == TML_E_ARGUMENT);
    snprintf(source, sizeof source, "%s:angle:-3", table);
    CHECK(t, tml_motions_text(1, &name, &from, &more, &err) == TML_E_ARGUMENT);
    snprintf(source, sizeof source, "%s:angel", table);
    CHECK(t, tml_motions_text(1, &name, &from, &more, &err) != TML_OK);
    CHECK(t, strstr(err.message, "angle") != NULL); // the nearest name
    unlink(path);
    unlink(table);
}

TEST(workspaces)
{
    TmlError err = {0};
    TmlWorkspace *w = NULL;
    char path[1024];
    in_binary_dir(path, sizeof path, "kinematics_space.yaml");
    write_file(t, path, ARM);
    const TmlWorkspaceAxis axis[] = {{"shoulder", -1.0, 1.0, 5}, {"elbow", 0.2, 2.0, 4}};
    CHECK(t, tml_workspace_create(path, NULL, 2, axis, NULL, NULL, &w, &err) == TML_OK);
    CHECK_INT(t, tml_workspace_points(w), 20);
    CHECK_INT(t, tml_workspace_reached(w), 20);
    CHECK(t, strcmp(tml_workspace_column(w, 1), "x") == 0);
    for (int k = 0; k < 20; ++k) {
        const double p[3] = {tml_workspace_at(w, k, 0)}, q[3] = {tml_workspace_at(w, k, 1)};
        double want[2];
        torques(p, q, want);
        CHECK_NEAR(t, tml_workspace_value(w, k, 1), 0.5 * cos(p[0]) + 0.4 * cos(p[0] + q[0]),
                   1e-14); // rounding
        CHECK_NEAR(t, tml_workspace_value(w, k, 5), want[0],
                   1e-11); // rounding over velocities of the way
        CHECK_NEAR(t, tml_workspace_value(w, k, 9), want[1], 1e-11);
        CHECK(t, tml_workspace_why(w, k) == NULL);
    }
    CHECK_NEAR(t, tml_workspace_at(w, 5, 0), -0.5, 1e-15); // the last axis is the fast one
    tml_workspace_free(w);
    const TmlWorkspaceAxis half[] = {{"shoulder", 0.0, 1.0, 3}},
                           none[] = {{"sholder", 0.0, 1.0, 3}};
    CHECK(t, tml_workspace_create(path, NULL, 1, half, NULL, NULL, &w, &err) == TML_E_MODEL);
    CHECK(t, strstr(err.message, "1 degree of freedom is not driven") != NULL && w == NULL);
    CHECK(t, tml_workspace_create(path, NULL, 1, none, NULL, NULL, &w, &err) == TML_E_ARGUMENT);
    unlink(path);
}

/* The block of the slider cannot be farther than a + b = 0.4 m; its crank stays on the side where it was. */
TEST(ends_of_a_workspace)
{
    TmlError err = {0};
    TmlWorkspace *w = NULL;
    char path[1024];
    in_binary_dir(path, sizeof path, "kinematics_reach.yaml");
    char *text = strdup(SLIDER("0"));
    char *drive = strstr(text, "  drive:"), *rest = strstr(text, "simulate:");
    memmove(drive, rest, strlen(rest) + 1);
    strcat(text, "\n");
    write_file(t, path, text);
    free(text);
    const TmlWorkspaceAxis axis[] = {{"D", 0.08, -0.06, 8}};
    CHECK(t,
          tml_workspace_create(path, NULL, 1, axis, NULL, NULL, &w, &err) != TML_OK || w != NULL);
    if (w != NULL) {
        for (int k = 0; k < 8; ++k) {
            const bool there = 0.35 + tml_workspace_at(w, k, 0) <= 0.4;
            CHECK(t, (tml_workspace_why(w, k) == NULL) == there);
        }
    }
    tml_workspace_free(w);
    unlink(path);
}

TEST_SUITE(kinematics) = {CASE(arm),        CASE(angle_motions),       CASE(crossing_branches),
                          CASE(locks),      CASE(what_is_not_driven),  CASE(tables),
                          CASE(workspaces), CASE(ends_of_a_workspace), {0}};
