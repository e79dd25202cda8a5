/* tests/mechanisms/test_assembly.c - a consistent start: closest positions, locked ones untouched,
 * impossible ones refused by name, velocities and accelerations of moving drivers.
 */
#include "analysis/study.h"

static const double pi = 3.14159265358979323846;

static TmlSim *assembled(TestCtx *t, const char *text, TmlModel **model)
{
    *model = study_model(t, text);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    return study_sim(t, *model, &o);
}

/* What the model file says, with normalised rotations. */
static void given(TestCtx *t, TmlSim *sim, TmlState *s)
{
    TmlError err;
    CHECK_OK(t, tml_state_create(sim->sys, s, &err), &err);
    tml_system_initial(sim->sys, s);
    tml_system_retract(sim->sys, s->q);
}

/* --- positions ------------------------------------------------------------------------------- */

/* The closest point of a sphere lies on the ray through its centre. */
TEST(point_moves_onto_a_sphere_along_the_radius)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {p: {type: point, mass: 3, position: [1, 2, -2]}}\n"
        "joints: {rope: {type: distance, frames: [ground, p], length: 3.3}}\n";
    TmlModel *model;
    TmlSim *sim = assembled(t, text, &model);
    const double scale = 3.3 / 3.0;
    // where the iteration stops: rounding of the positions
    CHECK_NEAR(t, sim->it.now.q[0], scale, 1e-13);
    CHECK_NEAR(t, sim->it.now.q[1], 2.0 * scale, 1e-13);
    CHECK_NEAR(t, sim->it.now.q[2], -2.0 * scale, 1e-13);
    CHECK_INT(t, tml_sim_note_count(sim), 1);
    CHECK_HAS(t, tml_sim_note(sim, 0), "assembly moved body 'p' by 0.3 m");
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Assembly goes on until rows are rounding. */
static const double ROUNDING = 1e-13;

/* Two masses share a gap in the inverse ratio of their masses. */
TEST(light_body_moves_more)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies:\n"
        "  light: {type: point, mass: 1}\n"
        "  heavy: {type: point, mass: 3, position: [1.2, 0, 0]}\n"
        "joints: {rod: {type: distance, frames: [light, heavy], length: 1}}\n";
    TmlModel *model;
    TmlSim *sim = assembled(t, text, &model);
    CHECK_NEAR(t, sim->it.now.q[0], 0.15, ROUNDING);
    CHECK_NEAR(t, sim->it.now.q[3], 1.15, ROUNDING);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A four-bar of 0.3, 0.9, 0.6 and 0.9 m whose parts are given by eye; `crank` ends that entry. */
#define FOUR_BAR(crank, drive)                                                                     \
    "trammel: 1\n"                                                                                 \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 0.5, inertia: [0.004, 0.01, 0.01], cm: [0.15, 0, 0],\n"                       \
    "          rotation: {axis: z, angle: 1.2}" crank "}\n"                                        \
    "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0.45, 0.02],\n"                   \
    "        rotation: {axis: z, angle: 0.4}}\n"                                                   \
    "  rocker: {mass: 0.8, inertia: [0.01, 0.05, 0.05], cm: [0.3, 0, 0], position: [0.9, 0, 0],\n" \
    "           rotation: {axis: z, angle: 1.8}}\n"                                                \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, frames: [ground, crank]}\n"                                             \
    "  B: {type: revolute, frames: [{body: crank, position: [0.3, 0, 0]},\n"                       \
    "                               {body: rod, position: [-0.45, 0, 0]}]}\n"                      \
    "  C: {type: revolute, frames: [{body: rod, position: [0.45, 0, 0]},\n"                        \
    "                               {body: rocker, position: [0.6, 0, 0]}]}\n"                     \
    "  D: {type: revolute, frames: [{body: ground, position: [0.9, 0, 0]}, rocker]}\n" drive

/* The change is least where it is orthogonal to the one motion that the mechanism has; that motion
 * is the assembled velocity, since the crank is given one. */
TEST(four_bar_closes_with_the_least_change)
{
    TmlModel *model;
    TmlSim *sim = assembled(t, FOUR_BAR(", angular_velocity: [0, 0, 3]", ""), &model);
    TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlState s0;
    double du[18], n[18], dq[21], level[3], along = 0.0, change2 = 0.0, way2 = 0.0;
    given(t, sim, &s0);
    for (int k = 0; k < dim->nq; ++k) {
        dq[k] = sim->it.now.q[k] - s0.q[k];
    }
    tml_system_reduce(sys, sim->it.now.q, dq, du);
    tml_system_reduce(sys, sim->it.now.q, sim->it.now.v, n);
    for (int k = 0; k < dim->nu; ++k) {
        const double W = 1.0 / tml_system_inverse_mass(sys)[k];
        along += W * du[k] * n[k];
        change2 += W * du[k] * du[k];
        way2 += W * n[k] * n[k];
    }
    tml_system_violation(sys, &sim->it.now, level);
    CHECK_NEAR(t, level[0], 0.0, 1e-12); // rounding
    CHECK(t, change2 > 1e-6);            // there was something to close
    // the iteration is linear where redundant rows meet: it stops when moves are rounding
    CHECK_NEAR(t, along / sqrt(change2 * way2), 0.0, 1e-6);
    tml_sim_free(sim);
    tml_model_free(model);
}

static bool same(const double *a, const double *b, int n)
{
    for (int k = 0; k < n; ++k) {
        if (a[k] != b[k]) {
            return false;
        }
    }
    return true;
}

TEST(locked_coordinates_stay_to_the_bit)
{
    TmlModel *model;
    TmlSim *sim = assembled(t, FOUR_BAR(", locked: [position, rotation]", ""), &model);
    TmlState s0;
    double level[3];
    given(t, sim, &s0);
    CHECK(t, same(sim->it.now.q, s0.q, 7));          // crank
    CHECK(t, !same(sim->it.now.q + 7, s0.q + 7, 7)); // the next body
    tml_system_violation(sim->sys, &sim->it.now, level);
    CHECK_NEAR(t, level[0], 0.0, ROUNDING);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* What is on the constraints already is not touched at all. */
TEST(consistent_positions_stay_to_the_bit)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {bar: {mass: 1, inertia: [1, 1, 1], position: [0.3, -0.1, 0.7],\n"
        "               rotation: {euler: xyz, angles: [0.3, 0.4, 0.5]}}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, bar], at: [1, 2, 3], axis: [1, 1, 0]}}\n";
    TmlModel *model;
    TmlSim *sim = assembled(t, text, &model);
    TmlState s0;
    given(t, sim, &s0);
    CHECK(t, same(sim->it.now.q, s0.q, 7));
    CHECK_INT(t, tml_sim_note_count(sim), 0);
    tml_sim_free(sim);
    tml_model_free(model);
}

static void check_refused(TestCtx *t, const char *text, const char *const *parts)
{
    TmlModel *model = study_model(t, text);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_INT(t, tml_sim_create(model, &o, &sim, &err), TML_E_ASSEMBLY);
    CHECK(t, sim == NULL);
    for (; *parts != NULL; ++parts) {
        CHECK_HAS(t, err.message, *parts);
    }
    tml_model_free(model);
}

TEST(impossible_positions_name_the_joints)
{
    // two links of 1 m between points 3 m apart, on flat ground: none of the three can close
    static const char apart[] =
        "trammel: 1\n"
        "bodies:\n"
        "  left: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
        "  right: {mass: 1, inertia: [1, 1, 1], position: [2.5, 0, 0]}\n"
        "joints:\n"
        "  first: {type: revolute, frames: [ground, {body: left, position: [-0.5, 0, 0]}]}\n"
        "  middle: {type: revolute, frames: [{body: left, position: [0.5, 0, 0]},\n"
        "                                    {body: right, position: [-0.5, 0, 0]}]}\n"
        "  last: {type: revolute, frames: [{body: ground, position: [3, 0, 0]},\n"
        "                                  {body: right, position: [0.5, 0, 0]}]}\n"
        "  free: {type: distance, frames: [ground, left], length: 0.5}\n";
    static const char *const parts[] = {"cannot be assembled", "'middle'", "off by", NULL};
    check_refused(t, apart, parts);
}

TEST(locked_positions_that_do_not_close_are_refused)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {p: {type: point, mass: 1, position: [2, 0, 0], locked: true}}\n"
        "joints: {rope: {type: distance, frames: [ground, p], length: 1}}\n";
    static const char *const parts[] = {"no positions satisfy", "'rope' (off by", "unlock", NULL};
    check_refused(t, text, parts);
}

TEST(locked_velocities_that_do_not_fit_are_refused)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {p: {type: point, mass: 1, position: [2, 0, 0], velocity: [1, 0, 0],\n"
        "             locked: [velocity]}}\n"
        "joints: {rope: {type: distance, frames: [ground, p], length: 2}}\n";
    static const char *const parts[] = {"no velocities satisfy", "'rope'", NULL};
    check_refused(t, text, parts);
}

/* --- velocities and accelerations ------------------------------------------------------------ */

/* Closest velocities: the part along the rope goes, the rest stays. */
TEST(velocity_loses_what_the_constraint_forbids)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {p: {type: point, mass: 2, position: [3, 4, 0], velocity: [1, 1, 1]}}\n"
        "joints: {rope: {type: distance, frames: [ground, p], length: 5}}\n";
    TmlModel *model;
    TmlSim *sim = assembled(t, text, &model);
    const double radial = (3.0 + 4.0) / 5.0;
    CHECK_NEAR(t, sim->it.now.v[0], 1.0 - 0.6 * radial, ROUNDING);
    CHECK_NEAR(t, sim->it.now.v[1], 1.0 - 0.8 * radial, ROUNDING);
    CHECK_NEAR(t, sim->it.now.v[2], 1.0, ROUNDING);
    // and the tension is the centripetal force m v^2 / r at once
    const double v2 = 2.0 * (1.0 - 0.5 * radial * radial) + 1.0;
    CHECK_NEAR(t, hypot(sim->it.now.a[0], sim->it.now.a[1]), v2 / 5.0, ROUNDING);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* The driven crank turns with w = 4 + 6 t rad/s; the others are given at rest. With the angles p2,
 * p3, p4 of crank, rod and rocker, w4 = w a sin(p2 - p3) / (c sin(p4 - p3)). */
TEST(driven_mechanism_starts_with_its_velocities_and_accelerations)
{
    TmlModel *model;
    TmlSim *sim = assembled(
        t, FOUR_BAR("", "  drive: {type: motion, joint: A, function: 1.25 + 4*time + 3*time^2}\n"),
        &model);
    double level[3], angle[3], omega[3];
    tml_system_violation(sim->sys, &sim->it.now, level);
    // rounding, relative to max(1, |v|) and max(1, |a|)
    CHECK_NEAR(t, level[0], 0.0, 1e-12);
    CHECK_NEAR(t, level[1], 0.0, 1e-12);
    CHECK_NEAR(t, level[2], 0.0, 1e-11);
    for (int b = 0; b < 3; ++b) {
        const double *q = sim->it.now.q + 7 * b, *v = sim->it.now.v + 7 * b;
        angle[b] = 2.0 * atan2(q[6], q[3]);
        omega[b] = 2.0 * (q[3] * v[6] - q[6] * v[3]); // plane rotation: 2 (e0 e3' - e3 e0')
    }
    const double w4 = 4.0 * 0.3 * sin(angle[0] - angle[1]) / (0.6 * sin(angle[2] - angle[1]));
    CHECK_NEAR(t, remainder(angle[0] - 1.25, 2.0 * pi), 0.0, 1e-12);
    CHECK_NEAR(t, omega[0], 4.0, 1e-12);
    CHECK_NEAR(t, omega[2], w4, 1e-11);
    tml_system_kinematics(sim->sys, &sim->it.now, false);
    CHECK_NEAR(t, tml_body_motion(sim->sys, 1)->alpha.z, 6.0, 1e-10);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A stretched four-bar: at this position the rows are more dependent than a moment later. */
TEST(singular_start_keeps_the_rows_that_are_needed_later)
{
    static const char text[] =
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0],\n"
        "          velocity: [0, 0.5, 0], angular_velocity: [0, 0, 1]}\n"
        "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], velocity: [0, 1, 0]}\n"
        "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0],\n"
        "           velocity: [0, 0.5, 0], angular_velocity: [0, 0, 1]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
        "  B: {type: revolute, bodies: [crank, rod], at: [1, 0, 0], axis: z}\n"
        "  C: {type: revolute, bodies: [rod, rocker], at: [2, 0, 0], axis: z}\n"
        "  D: {type: revolute, bodies: [ground, rocker], at: [1, 0, 0], axis: z}\n"
        "outputs: {crank: angle(A), rocker: angle(D)}\n";
    TmlModel *model;
    TmlSim *sim = assembled(t, text, &model);
    const TmlSimStats stats = tml_sim_stats(sim);
    CHECK_INT(t, stats.n_redundant, 3); // at this very position it would be four
    CHECK_INT(t, stats.degrees_of_freedom, 1);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Four cranks on one coupler, turned in space: eight rows are redundant, and with the least damping a pivot of one of them cannot
 * be told from rounding. */
TEST(redundant_cranks_take_the_rate_of_their_drive)
{
    char path[4096];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(path, sizeof path, "%s/tests/data/models/four_cranks.yaml", test_source_dir());
    CHECK_OK(t, tml_load(path, 0, NULL, NULL, &model, &err), &err);
    const TmlSimOptions o = study_options(0.4, 0.1, NULL);
    TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
    if (sim != NULL) {
        tml_system_kinematics(sim->sys, &sim->it.now, false);
        const TmlVec3 axis = v3(-0.8911194078862185, 0.09961535317253672, 0.4426996524742547);
        const double rate = 0.46629964303098237 * 2.1359774676124204; // of the drive at the start
        // what three corrections leave, each a millionth of what there was at most
        CHECK_NEAR(t, v3_dot(tml_body_motion(sim->sys, 2)->omega, axis), rate, 1e-12);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(assembly) = {CASE(redundant_cranks_take_the_rate_of_their_drive),
                        CASE(point_moves_onto_a_sphere_along_the_radius),
                        CASE(light_body_moves_more),
                        CASE(four_bar_closes_with_the_least_change),
                        CASE(locked_coordinates_stay_to_the_bit),
                        CASE(consistent_positions_stay_to_the_bit),
                        CASE(impossible_positions_name_the_joints),
                        CASE(locked_positions_that_do_not_close_are_refused),
                        CASE(locked_velocities_that_do_not_fit_are_refused),
                        CASE(velocity_loses_what_the_constraint_forbids),
                        CASE(driven_mechanism_starts_with_its_velocities_and_accelerations),
                        CASE(singular_start_keeps_the_rows_that_are_needed_later),
                        {0}};
