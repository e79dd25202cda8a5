/* tests/mechanisms/test_shared_reactions.c - friction and forces that read reactions which
 * redundant joints leave open: one motion, whatever the order of joints, the method or the units.
 */
#include "analysis/study.h"

#include "mechanisms/bennett.h"
#include "system/system.h"

#include "trammel/analysis.h"

static const double g = 9.81;

/* A shaft of 4 kg in two bearings 1 m apart, its centre 0.3 m from the left one. */
#define SHAFT(first, second, spin, slip)                                                           \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "bodies:\n"                                                                                    \
    "  shaft: {mass: 4, inertia: [0.02, 0.05, 0.05], position: [0.3, 0, 0],\n"                     \
    "          angular_velocity: [" spin ", 0, 0]}\n"                                              \
    "joints:\n" first second "forces:\n"                                                           \
    "  rub_left: {type: friction, joint: left, static: 0.3, dynamic: 0.3, radius: 0.05,\n"         \
    "             static_velocity: " slip ", dynamic_velocity: 2*" slip ", smoothing: 1e-6}\n"     \
    "  rub_right: {type: friction, joint: right, static: 0.1, dynamic: 0.1, radius: 0.05,\n"       \
    "              static_velocity: " slip ", dynamic_velocity: 2*" slip ", smoothing: 1e-6}\n"    \
    "outputs: {spin: WX(shaft), load: reaction(left).fm}\n"
#define LEFT "  left: {type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: x}\n"
#define RIGHT "  right: {type: revolute, bodies: [ground, shaft], at: [1, 0, 0], axis: x}\n"

/* With b = L = 0.5 m half the distance of the bearings and the weight W at 0.2 m from the middle
 * towards the left one: F = W / 2 +- f, equal torques T, 2 b f + 2 T = 0.2 W, and 2 f^2 + 2 T^2 /
 * L^2 is least for f = 0.2 W b / (2 (b^2 + L^2)) = 0.1 W. */
static const double left_share = 0.6, right_share = 0.4;

TEST(shaft_in_two_bearings)
{
    TmlModel *models[] = {study_model(t, SHAFT(LEFT, RIGHT, "30", "0.001")),
                          study_model(t, SHAFT(RIGHT, LEFT, "30", "0.001"))};
    const double W = 4.0 * g, end = 0.2;
    const double slowing = (0.3 * left_share + 0.1 * right_share) * W * 0.05 / 0.02;
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        TmlSimOptions o = study_options(end, end, NULL);
        o.integrator = tml_integrator_types[k]->info.name;
        o.tolerance = 1e-7;
        double spin[2];
        for (int i = 0; i < 2; ++i) {
            Trace run;
            study_run(t, models[i], &o, &run);
            spin[i] = trace_value(&run, 1, 0);
            // order 2: 100 tol^(2/3) = 2e-3; the order of joints used to make 2.5 rad/s
            CHECK_NEAR(t, spin[i], 30.0 - slowing * end, 2e-4);
            CHECK_NEAR(t, trace_value(&run, 1, 1), left_share * W, 1e-6 * W);
            CHECK(t, run.stats.max_energy_error < 2e-4 * 9.0); // as much, of the 9 J at the start
            trace_free(&run);
        }
        CHECK_NEAR(t, spin[0], spin[1], 1e-9); // rounding
    }
    tml_model_free(models[0]);
    tml_model_free(models[1]);
}

TEST(runs_tell_what_depends_on_the_rule)
{
    TmlModel *model = study_model(t, SHAFT(LEFT, RIGHT, "30", "0.001"));
    const TmlSimOptions o = study_options(0.1, 0.1, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    const int n = tml_sim_note_count(sim);
    CHECK_INT(t, n, 2);
    const char *note = tml_sim_note(sim, n - 1);
    CHECK_HAS(t, note, "'rub_left', 'rub_right' depend on reactions of 'left', 'right', which");
    CHECK_HAS(t, note, "torques over 0.5 m");
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Loads in the plane of a four-bar are unique, and a force that reads them needs no word. */
TEST(what_is_determined_is_not_told)
{
    TmlModel *model = study_model(
        t, "trammel: 1\n"
           "gravity: [0, -9.81, 0]\n"
           "bodies: {door: {mass: 2, inertia: [1, 1, 1], position: [0.5, 0, 0]}}\n"
           "joints:\n"
           "  upper: {type: revolute, bodies: [ground, door], at: [0, 0, 1], axis: z}\n"
           "  lower: {type: point_on_line, bodies: [ground, door], at: [0, 0, -1], axis: z}\n"
           "  stop: {type: revolute, bodies: [ground, door], at: [0, 0, 0], axis: z}\n"
           "variables: {unread: reaction(upper).fz}\n"
           "forces: {push: {type: force, body: door, fy: 0.1*(reaction(upper).fx +\n"
           "                reaction(lower).fx + reaction(stop).fx)}}\n");
    const TmlSimOptions o = study_options(0.1, 0.1, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    for (int k = 0; k < tml_sim_note_count(sim); ++k) {
        CHECK(t, strstr(tml_sim_note(sim, k), "leave open") == NULL);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Near rest (F1) is a damper of 1.875 mu / v_s times the load at the radius of the pin. */
TEST(eigenvalue_of_friction)
{
    const char *const texts[] = {SHAFT(LEFT, RIGHT, "0", "0.01"), SHAFT(RIGHT, LEFT, "0", "0.01")};
    const double load = (0.3 * left_share + 0.1 * right_share) * 4.0 * g;
    const double want = -1.875 / 0.01 * load * 0.05 * 0.05 / 0.02;
    for (int i = 0; i < 2; ++i) {
        TmlModel *model = study_model(t, texts[i]);
        const TmlSimOptions o = study_options(0.1, 0.1, NULL);
        TmlSim *sim = study_sim(t, model, &o);
        TmlLinear *lin = NULL;
        TmlError err;
        CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
        double least = 0.0;
        for (int k = 0; lin != NULL && k < tml_linear_info(lin).modes; ++k) {
            least = fmin(least, tml_linear_mode(lin, k).real);
        }
        CHECK_NEAR(t, least, want, 1e-6 * fabs(want)); // (F2) rounds off: 5e-8 was measured
        tml_linear_free(lin);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* A block on two slides that is drawn by as much as one of them carries, against a spring. */
#define BLOCK(first, second)                                                                       \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "bodies: {block: {mass: 3, inertia: [0.1, 0.1, 0.1]}}\n"                                       \
    "joints:\n" first second "forces:\n"                                                           \
    "  spring: {type: force, body: block, fx: -200*DX(block) - 20*VX(block)}\n"                    \
    "  draw: {type: force, body: block, fx: reaction(one).fy}\n"                                   \
    "outputs: {x: DX(block)}\n"
#define ONE "  one: {type: translational, bodies: [ground, block], at: [0, 0, 0.2], axis: x}\n"
#define TWO "  two: {type: translational, bodies: [ground, block], at: [0, 0, -0.2], axis: x}\n"

TEST(equilibrium_under_a_shared_load)
{
    const char *const texts[] = {BLOCK(ONE, TWO), BLOCK(TWO, ONE)};
    for (int i = 0; i < 2; ++i) {
        TmlModel *model = study_model(t, texts[i]);
        const TmlSimOptions o = study_options(0.1, 0.1, NULL);
        TmlSim *sim = study_sim(t, model, &o);
        TmlStaticsInfo info;
        TmlError err;
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        CHECK_NEAR(t, tml_row_channel(sim, 0), 0.5 * 3.0 * g / 200.0,
                   1e-9); // half of it; tolerance of statics
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* --- a plane four-bar ------------------------------------------------------------------------ */

#define J_A "  A: {type: revolute, frames: [ground, crank]}\n"
#define J_B                                                                                        \
    "  B: {type: revolute, frames: [{body: crank, position: [0.3*u, 0, 0]},\n"                     \
    "                               {body: rod, position: [-0.45*u, 0, 0]}]}\n"
#define J_C                                                                                        \
    "  C: {type: revolute, frames: [{body: rod, position: [0.45*u, 0, 0]},\n"                      \
    "                               {body: rocker, position: [0.6*u, 0, 0]}]}\n"
#define J_D "  D: {type: revolute, frames: [{body: ground, position: [0.9*u, 0, 0]}, rocker]}\n"
#define RUB(name, joint)                                                                           \
    "  " name ": {type: friction, joint: " joint ", static: 0.3, dynamic: 0.2,\n"                  \
    "    static_velocity: 0.05*u, dynamic_velocity: 0.2*u, radius: 0.05*u, reach: 0.1*u,\n"        \
    "    arm: 0.05*u, smoothing: 1e-3*u}\n"

/* All lengths are times u: the same mechanism in other units. Gravity has a part across the plane,
 * which the pins share. */
#define FOUR_BAR(u, joints)                                                                        \
    "trammel: 1\n"                                                                                 \
    "parameters: {u: " u "}\n"                                                                     \
    "gravity: [0.5*u, -9.81*u, 3*u]\n"                                                             \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 0.5, inertia: [0.001*u^2, 0.01*u^2, 0.01*u^2], cm: [0.15*u, 0, 0.1*u],\n"     \
    "          rotation: {axis: z, angle: 1.2}, angular_velocity: [0, 0, 12]}\n"                   \
    "  rod: {mass: 1, inertia: [0.001*u^2, 0.1*u^2, 0.1*u^2],\n"                                   \
    "        position: [0.35*u, 0.5*u, 0], rotation: {axis: z, angle: 0.5}}\n"                     \
    "  rocker: {mass: 0.8, inertia: [0.001*u^2, 0.05*u^2, 0.05*u^2], cm: [0.3*u, 0, 0],\n"         \
    "           position: [0.9*u, 0, 0], rotation: {axis: z, angle: 1.7}}\n"                       \
    "joints:\n" joints "forces:\n" RUB("rub_a", "A")                                               \
        RUB("rub_c", "C") "outputs: {angle: angle(A), load: reaction(D).fm/u}\n"

static double last_angle(TestCtx *t, const char *text, const char *method, double tolerance,
                         Trace *run)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.3, 0.1, NULL);
    o.integrator = method;
    o.tolerance = tolerance;
    study_run(t, model, &o, run);
    tml_model_free(model);
    return trace_value(run, 3, 0);
}

TEST(four_bar_by_all_methods)
{
    Trace best, run;
    const double want = last_angle(t, FOUR_BAR("1", J_A J_B J_C J_D), "radau", 1e-10, &best);
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        const char *name = tml_integrator_types[k]->info.name;
        // order 2 at 1e-6: 100 tol^(2/3); swapped, so that other rows are kept
        const double got = last_angle(t, FOUR_BAR("1", J_C J_A J_D J_B), name, 1e-6, &run);
        CHECK_NEAR(t, got, want, 1e-3);
        CHECK(t, run.stats.max_energy_error < 1e-2); // of 7 J
        trace_free(&run);
    }
    // 1e-10 of the method over a run of 0.3 s; loads lose as much again
    const double swapped = last_angle(t, FOUR_BAR("1", J_D J_C J_B J_A), "radau", 1e-10, &run);
    CHECK_NEAR(t, swapped, want, 1e-8);
    CHECK_NEAR(t, trace_value(&run, 3, 1), trace_value(&best, 3, 1), 1e-6);
    CHECK(t, run.stats.max_energy_error < 1e-7);
    trace_free(&run);
    const double millimetres =
        last_angle(t, FOUR_BAR("1000", J_A J_B J_C J_D), "radau", 1e-10, &run);
    CHECK_NEAR(t, millimetres, want, 1e-8);
    CHECK_NEAR(t, trace_value(&run, 3, 1), trace_value(&best, 3, 1), 1e-6);
    trace_free(&run);
    trace_free(&best);
}

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

/* The rule does not know where a run began. */
TEST(two_pieces_are_as_one)
{
    TmlModel *model = study_model(t, FOUR_BAR("1", J_A J_B J_C J_D));
    TmlSimOptions o = study_options(0.3, 0.3, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-9;
    TmlError err;
    TmlSim *whole = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(whole, no_row, NULL, &err), &err);
    o.end_time = 0.17;
    TmlSim *first = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(first, no_row, NULL, &err), &err);
    o.from = first;
    o.start_time = 0.17;
    o.end_time = 0.3;
    TmlSim *second = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(second, no_row, NULL, &err), &err);
    // the tolerance of both
    CHECK_NEAR(t, tml_row_channel(second, 0), tml_row_channel(whole, 0), 1e-7);
    CHECK_NEAR(t, tml_row_channel(second, 1), tml_row_channel(whole, 1), 1e-5);
    tml_sim_free(second);
    tml_sim_free(first);
    tml_sim_free(whole);
    tml_model_free(model);
}

/* --- rows that wear -------------------------------------------------------------------------- */

static void check_bennett(TestCtx *t, const char *forces)
{
    char text[3000];
    bennett("", forces, "", text, sizeof text);
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(3.0, 0.5, NULL);
    Trace best, run;
    o.integrator = "adams";
    o.tolerance = 1e-10;
    study_run(t, model, &o, &best);
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        o.integrator = tml_integrator_types[k]->info.name;
        o.tolerance = 1e-6;
        study_run(t, model, &o, &run);
        // order 2 at 1e-6: 100 tol^(2/3) = 1e-2; most are far better
        CHECK_NEAR(t, trace_value(&run, 6, 0), trace_value(&best, 6, 0), 2e-3);
        CHECK_NEAR(t, trace_value(&run, 6, 1), trace_value(&best, 6, 1), 2e-2);
        trace_free(&run);
    }
    // where rows are kept that serve, the methods by stages follow the tolerance
    static const char *const stages[] = {"radau", "rosenbrock", "bdf-si2"};
    for (int k = 0; k < 3; ++k) {
        o.integrator = stages[k];
        o.tolerance = 1e-9;
        study_run(t, model, &o, &run);
        CHECK_NEAR(t, trace_value(&run, 6, 0), trace_value(&best, 6, 0), 1e-6);
        CHECK(t, run.stats.max_energy_error < 1e-5);
        CHECK(t, run.stats.rejected < 30);
        trace_free(&run);
    }
    trace_free(&best);
    tml_model_free(model);
}

TEST(bennett_linkage)
{
    check_bennett(t, "");
}

#define SLOW(k)                                                                                    \
    "  r" k ": {type: friction, joint: p" k ", static: 0.02, dynamic: 0.02, radius: 0.03,\n"       \
    "       static_velocity: 0.05, dynamic_velocity: 0.2}\n"

TEST(bennett_linkage_with_friction)
{
    check_bennett(t, "forces:\n" SLOW("0") SLOW("1") SLOW("2") SLOW("3"));
}

/* The choice itself: worn rows are found, replaced by as many, and the forces stay. */
TEST(rows_are_chosen_anew)
{
    char text[3000];
    bennett("", "", "", text, sizeof text);
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(3.0, 0.5, NULL);
    o.tolerance = 1e-6;
    TmlError err;
    TmlSim *sim = study_sim(t, model, &o); // by hht, which keeps its rows unless it fails
    TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    int found = 0;
    CHECK(t, !tml_system_rows_worn(sys, &sim->it.now));
    while (sim->it.now.t < 1.0 && found == 0) {
        CHECK_OK(t, tml_sim_step(sim, &err), &err);
        found = tml_system_rows_worn(sys, &sim->it.now);
    }
    CHECK(t, found);
    const int m = dim->m;
    double before[32], after[32];
    bool changed;
    CHECK_OK(t, tml_system_accelerations(sys, &sim->it.now, &err), &err);
    memcpy(before, sim->it.now.a, (size_t)dim->nq * sizeof *before);
    CHECK_OK(t, tml_system_choose_rows(sys, &sim->it.now, &changed, &err), &err);
    CHECK(t, changed);
    CHECK_INT(t, dim->m, m);
    CHECK(t, !tml_system_rows_worn(sys, &sim->it.now));
    CHECK_OK(t, tml_system_accelerations(sys, &sim->it.now, &err), &err);
    memcpy(after, sim->it.now.a, (size_t)dim->nq * sizeof *after);
    for (int k = 0; k < dim->nq; ++k) {
        CHECK_NEAR(t, after[k], before[k], 1e-4); // velocities are off the rows by 1e-6 or so
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(shared_reactions) = {CASE(shaft_in_two_bearings),
                                CASE(runs_tell_what_depends_on_the_rule),
                                CASE(what_is_determined_is_not_told),
                                CASE(eigenvalue_of_friction),
                                CASE(equilibrium_under_a_shared_load),
                                CASE(four_bar_by_all_methods),
                                CASE(two_pieces_are_as_one),
                                CASE(bennett_linkage),
                                CASE(bennett_linkage_with_friction),
                                CASE(rows_are_chosen_anew),
                                {0}};
