/* tests/analysis/test_row_joints.c - rows of methods in coordinates of bodies, completed in joint coordinates, against those of the
 * sparse system.
 */
#include "mechanisms.h"
#include "study.h"

#include "system/recursion/recursion.h"

static const struct {
    const char *text;
    double end;
} cases[] = {
    {four_bar, 1},
    {"models/closed_forms/chain_revolute.yaml", 0.3},
    {"models/closed_forms/chain_spherical.yaml", 0.3},
    {"models/closed_forms/four_bar.yaml", 0.5},
    {"models/closed_forms/free_rotation.yaml", 1},
    {"models/closed_forms/rolling_disc.yaml", 0.5},
    {"models/cases/andrews.yaml", 0.01},
    {"models/cases/iftomm_a04_bricard.yaml", 1},
    {"models/cases/slider_crank_spring.yaml", 0.5},
    {"models/cases/universal_1.yaml", 0.5},
    {"models/elements/cylindrical.yaml", 0.3},
    {"models/elements/distance.yaml", 0.3},
    {"models/elements/gear.yaml", 0.3},
    {"models/elements/motion.yaml", 0.3},
    {"models/elements/planar.yaml", 0.3},
    {"models/elements/rotational_spring.yaml", 1},
    {"models/elements/screw.yaml", 0.3},
    {"models/elements/universal.yaml", 0.3},
};

/* Four turns of a pin with a spring about it: the angle of a state counts turns, that of a pose does not. */
static const char winding[] =
    "trammel: 1\n"
    "bodies: {wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 30]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}}\n"
    "forces: {spring: {type: rotational_spring, joint: pin, stiffness: 0.1, damping: 0.01}}\n"
    "states: {x: {rate: angle(pin) - x}}\n"
    "outputs: {turn: angle(pin)}\n"
    "simulate: {end: 1, output_step: 0.01}\n";

static TmlStatus keep_row(void *user, const TmlSim *sim, TmlError *err)
{
    Trace *trace = user;
    const int nq = tml_dims(sim->sys)->nq;
    (void)err;
    trace_add(trace, POSITION, nq, sim->row.q);
    trace_add(trace, VELOCITY, nq, sim->row.v);
    trace_add(trace, CHANNEL, nq, sim->row.a);
    for (int k = 0; k < sim->model->constraints.n; ++k) {
        const TmlReaction r = tml_row_reaction(sim, k);
        const double x[6] = {r.force.x, r.force.y, r.force.z, r.torque.x, r.torque.y, r.torque.z};
        trace_add(trace, REACTION, 6, x);
    }
    trace->rows++;
    return TML_OK;
}

/* Runs a model; `sparse`: without joint coordinates. *count: states that these solved. */
static bool rows_of(TestCtx *t, const TmlModel *model, const TmlSimOptions *o, bool sparse,
                    int64_t *count, Trace *out)
{
    TmlError err = {0};
    TmlSim *sim = study_sim(t, model, o);
    *out = (Trace){0};
    *count = 0;
    if (sim == NULL) {
        return false;
    }
    if (sparse) {
        tml_row_joints_free(sim->rows.between.joints);
        sim->rows.between.joints = NULL;
    }
    const TmlStatus status = tml_sim_run(sim, keep_row, out, &err);
    CHECK_OK(t, status, &err);
    *count = sim->rows.between.joints != NULL ? tml_row_joints_count(sim->rows.between.joints) : 0;
    CHECK_INT(t, tml_sim_stats(sim).rows_interpolated, 0);
    // forces are in balance to rounding, of multipliers that may be a thousand times what they hold
    CHECK(t, tml_sim_stats(sim).max_row_forces < 1e-11);
    tml_sim_free(sim);
    return status == TML_OK;
}

/* Of methods that would integrate joint coordinates themselves. */
static const OneOption absolute = {"coordinates", "absolute"};

static const OneOption *bodies_of(const char *method)
{
    const bool own = strcmp(method, "rosenbrock") == 0 || strcmp(method, "radau") == 0;
    return own ? &absolute : NULL;
}

static void compare(TestCtx *t, const char *text, const char *method, double end)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(end, end / 37.0, bodies_of(method));
    o.integrator = method;
    o.tolerance = 1e-7;
    Trace joints, bodies;
    int64_t by_joints, none;
    if (rows_of(t, model, &o, false, &by_joints, &joints) &&
        rows_of(t, model, &o, true, &none, &bodies)) {
        CHECK(t, by_joints >= 30); // of 38 rows; stiff ones are left to the sparse system
        // both are on the constraints, and as near to the interpolated motion as its error e: they differ by its square; steps at 1e-7 leave e
        // below 1e-5 of the size
        const double off = 1e-9;
        CHECK_NEAR(t, trace_error(&joints, &bodies, POSITION), 0.0, off);
        // where only one of the two takes forces for stiff (B4), velocities differ by an error of the interpolation, ten tolerances
        CHECK_NEAR(t, trace_error(&joints, &bodies, VELOCITY), 0.0, 1e-6);
        // accelerations and reactions follow the motion with the slope of forces by positions
        CHECK_NEAR(t, trace_error(&joints, &bodies, CHANNEL), 0.0, 1000.0 * off);
        if (model->constraints.n > 0) {
            CHECK_NEAR(t, trace_error(&joints, &bodies, REACTION), 0.0, 1000.0 * off);
        }
    }
    trace_free(&joints);
    trace_free(&bodies);
    tml_model_free(model);
}

TEST(rows_are_those_of_the_sparse_system)
{
    static const char *const methods[] = {"hht", "bdf-i3", "rosenbrock"};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
            t->name =
                strncmp(cases[k].text, "models/", 7) == 0 ? cases[k].text : "four-bar in space";
            compare(t, cases[k].text, methods[i], cases[k].end);
        }
    }
    t->name = NULL;
}

TEST(angles_of_springs_count_turns)
{
    compare(t, winding, "hht", 1.0);
    compare(t, winding, "bdf-si2", 1.0);
}

static TmlStatus keep_work(void *user, const TmlSim *sim, TmlError *err)
{
    const TmlCertificate c = tml_row_certificate(sim);
    const double x[2] = {c.work, c.energy_error};
    (void)err;
    trace_add(user, CHANNEL, 2, x);
    return TML_OK;
}

/* The work of drives is an integral of their powers, which need multipliers at times inside of steps. */
TEST(the_work_of_drives_is_that_of_the_sparse_system)
{
    static const char *const methods[] = {"hht", "radau", "adams"};
    static const char *const texts[] = {"models/studies/driven_crank.yaml",
                                        "models/elements/motion.yaml"};
    for (int k = 0; k < 6; ++k) {
        TmlModel *model = study_model(t, texts[k / 3]);
        TmlSimOptions o = study_options(0.3, 0.03, bodies_of(methods[k % 3]));
        o.integrator = methods[k % 3];
        o.tolerance = 1e-7;
        Trace run[2] = {0};
        for (int sparse = 0; sparse < 2; ++sparse) {
            TmlError err = {0};
            TmlSim *sim = study_sim(t, model, &o);
            TmlRowJoints *joints = sim->rows.between.joints;
            CHECK(t, joints != NULL); // of adams as well, which makes its rows itself
            if (sparse != 0) {
                tml_row_joints_free(joints);
                sim->rows.between.joints = NULL;
            }
            CHECK_OK(t, tml_sim_run(sim, keep_work, &run[sparse], &err), &err);
            CHECK(t, sparse != 0 || tml_row_joints_count(joints) > 0);
            tml_sim_free(sim);
        }
        double size = 0.0, off = 0.0;
        for (int i = 0; i < run[0].n[CHANNEL]; ++i) {
            size = fmax(size, fabs(run[1].x[CHANNEL][i]));
            off = fmax(off, fabs(run[0].x[CHANNEL][i] - run[1].x[CHANNEL][i]));
        }
        // each has the error that the account allows, the tolerance of the energy in every step
        CHECK_NEAR(t, off / size, 0.0, 1e-6);
        trace_free(&run[0]);
        trace_free(&run[1]);
        tml_model_free(model);
    }
}

/* (Q3) moves a state that is off by e to where the projection of the sparse system moves it, but for e^2. */
TEST(the_nearest_coordinates_are_those_of_the_projection)
{
    static const char *const texts[] = {"models/closed_forms/chain_revolute.yaml",
                                        "models/closed_forms/chain_spherical.yaml",
                                        "models/elements/planar.yaml"};
    const double e[2] = {1e-4, 1e-6};
    for (int k = 0; k < 3; ++k) {
        TmlModel *model = study_model(t, texts[k]);
        const TmlSimOptions o = study_options(1.0, 1.0, NULL);
        TmlSim *sim = study_sim(t, model, &o);
        TmlSystem *sys = sim->sys;
        const TmlDims *dim = tml_dims(sys);
        for (int i = 0; i < 2; ++i) {
            TmlState *a = &sim->row, *b = &sim->trial;
            unsigned seed = 7;
            tml_state_copy(sys, &sim->it.now, a);
            for (int j = 0; j < dim->nq; ++j) {
                seed = seed * 1664525u + 1013904223u;
                a->q[j] += e[i] * dim->unit_q[j] * ((double)(seed >> 8) / 8388608.0 - 1.0);
            }
            tml_system_retract(sys, a->q);
            tml_state_copy(sys, a, b);
            CHECK(t, tml_row_joints_solve(sim->rows.between.joints, true, a));
            CHECK(t, tml_system_project(sys, b));
            double off = 0.0;
            for (int j = 0; j < dim->nq; ++j) {
                off = fmax(off, fabs(a->q[j] - b->q[j]) / dim->unit_q[j]);
            }
            // the error of second order: directions of constraints change by e, times a move of e; 100 links add up
            CHECK_NEAR(t, off, 0.0, 100.0 * e[i] * e[i]);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

TEST_SUITE(row_joints) = {CASE(rows_are_those_of_the_sparse_system),
                          CASE(angles_of_springs_count_turns),
                          CASE(the_work_of_drives_is_that_of_the_sparse_system),
                          CASE(the_nearest_coordinates_are_those_of_the_projection),
                          {0}};
