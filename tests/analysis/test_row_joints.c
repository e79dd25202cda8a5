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

static void compare(TestCtx *t, const char *text, const char *method, double end)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(end, end / 37.0, NULL);
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
            CHECK(t, tml_row_joints_solve(sim->rows.between.joints, a));
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
                          CASE(the_nearest_coordinates_are_those_of_the_projection),
                          {0}};
