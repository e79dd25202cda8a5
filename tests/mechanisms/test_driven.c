/* tests/mechanisms/test_driven.c - what drives a mechanism, and mechanisms that nothing can move.
 *
 * A motion drives the coordinate that its joint has, and is never left out as redundant. A group of
 * bodies without freedom is told, unless it is meant.
 */
#include "analysis/study.h"

#include "analysis/integrator/integrator.h"

/* --- what a motion drives --------------------------------------------------------------------- */

/* One body on a joint to ground along x, driven by 0.3 t + 0.1 t^2. */
static TmlModel *driven(TestCtx *t, const char *joint, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
             "joints:\n"
             "  j: {%s, bodies: [ground, b], at: [0, 0, 0], axis: x}\n"
             "  drive: {type: motion, joint: j, function: 0.3*time + 0.1*time^2%s}\n"
             "outputs: {x: DX(b), turn: 'AX(b)'}\n",
             joint, more);
    return study_model(t, text);
}

/* x or the turn at t = 2 is 1, the other one is zero. Quadratic functions are exact in every
 * method; 1e-9 is above what Newton leaves. */
static void check_driven(TestCtx *t, const char *integrator, const char *joint, const char *more,
                         double x, double turn)
{
    TmlModel *model = driven(t, joint, more);
    TmlSimOptions o = study_options(2.0, 1.0, NULL);
    o.integrator = integrator;
    Trace run;
    t->name = integrator;
    if (study_run(t, model, &o, &run)) {
        CHECK_NEAR(t, trace_value(&run, 2, 0), x, 1e-9);
        CHECK_NEAR(t, trace_value(&run, 2, 1), turn, 1e-9);
    }
    trace_free(&run);
    tml_model_free(model);
}

TEST(motion_drives_the_coordinate_of_its_joint)
{
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        const char *method = tml_integrator_types[k]->info.name;
        check_driven(t, method, "type: translational", "", 1.0, 0.0);
        check_driven(t, method, "type: revolute", "", 0.0, 1.0);
    }
}

TEST(motion_of_a_joint_with_both_is_told_which)
{
    check_driven(t, "hht", "type: screw, pitch: 0", ", coordinate: angle", 0.0, 1.0);
    check_driven(t, "hht", "type: planar", "", 0.0, 1.0);
}

/* --- drives are not left out ------------------------------------------------------------------ */

static void check_refused(TestCtx *t, const char *text, const char *const *parts)
{
    TmlModel *model = study_model(t, text);
    TmlSim *sim = NULL;
    TmlError err = {0};
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    CHECK_INT(t, tml_sim_create(model, &o, &sim, &err), TML_E_ASSEMBLY);
    for (; *parts != NULL; ++parts) {
        CHECK_HAS(t, err.message, *parts);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

#define FOUR_BAR(tilt, drive)                                                                      \
    "trammel: 1\n"                                                                                 \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 1, inertia: [1, 1, 1], position: [0, 0.5, 0]}\n"                              \
    "  rod: {mass: 1, inertia: [1, 1, 1], position: [1, 1.2, 0]}\n"                                \
    "  rocker: {mass: 1, inertia: [1, 1, 1], position: [2, 0.7, 0]}\n"                             \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"                     \
    "  B: {type: revolute, bodies: [crank, rod], at: [0, 1, 0], axis: z}\n"                        \
    "  C: {type: revolute, bodies: [rod, rocker], at: [2, 1.4, 0], axis: " tilt "}\n"              \
    "  D: {type: revolute, bodies: [ground, rocker], at: [2, 0, 0], axis: z}\n" drive

/* Of these rows the sparse QR may leave out any: the drive is found all the same. */
TEST(a_drive_without_freedom_is_refused_by_name)
{
    static const char *const twice[] = {"'second' (motion)", "'first' (motion)", "keep one", NULL};
    check_refused(t,
                  FOUR_BAR("z", "  first: {type: motion, joint: A, function: time}\n"
                                "  second: {type: motion, joint: A, function: time}\n"),
                  twice);
    // both ends of the linkage: the second follows from the loop
    static const char *const loop[] = {"'second' (motion)", "'first' (motion)", "joint 'B'", NULL};
    check_refused(t,
                  FOUR_BAR("z", "  first: {type: motion, joint: A, function: 0}\n"
                                "  second: {type: motion, joint: D, function: 0}\n"),
                  loop);
    static const char *const weld[] = {"'drive' (motion)", "'weld' (fixed): rotation about z",
                                       "leave free", NULL};
    check_refused(t,
                  "trammel: 1\n"
                  "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "joints:\n"
                  "  drive: {type: motion, joint: pin, function: 0}\n"
                  "  pin: {type: revolute, frames: [ground, b]}\n"
                  "  weld: {type: fixed, frames: [ground, b]}\n",
                  weld);
    // an expression of time drives, too
    static const char *const expression[] = {"'law' (expression)", "'weld' (fixed)", NULL};
    check_refused(t,
                  "trammel: 1\n"
                  "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "joints:\n"
                  "  weld: {type: fixed, frames: [ground, b]}\n"
                  "  law: {type: expression, expression: DX(b) - sin(time)^2}\n",
                  expression);
}

TEST(redundant_joints_of_a_driven_mechanism_are_left_out)
{
    TmlModel *model =
        study_model(t, FOUR_BAR("z", "  drive: {type: motion, joint: A, function: 0.1*time}\n"));
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_INT(t, tml_sim_stats(sim).n_redundant, 3);
    CHECK_INT(t, tml_sim_stats(sim).degrees_of_freedom, 0);
    for (int k = 0; k < tml_sim_note_count(sim); ++k) {
        CHECK(t, strstr(tml_sim_note(sim, k), "cannot move") == NULL);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- nothing can move ------------------------------------------------------------------------- */

/* How many notes say so; the last of them. */
static int stuck(TestCtx *t, const char *text, char *note, size_t size)
{
    TmlModel *model = study_model(t, text);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    int n = 0;
    for (int k = 0; sim != NULL && k < tml_sim_note_count(sim); ++k) {
        if (strstr(tml_sim_note(sim, k), "cannot move") != NULL) {
            snprintf(note, size, "%s", tml_sim_note(sim, k));
            n++;
        }
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return n;
}

TEST(a_misaligned_pin_is_told)
{
    char note[1024] = "";
    CHECK_INT(t, stuck(t, FOUR_BAR("[0, 0.02, 1]", ""), note, sizeof note), 1);
    CHECK_HAS(t, note, "body 'crank' and 2 more cannot move");
    CHECK_HAS(t, note, "'A', 'B', 'C', 'D'");
    CHECK_INT(t, stuck(t, FOUR_BAR("z", ""), note, sizeof note), 0);

    // beside something that moves it is told as well
    CHECK_INT(t,
              stuck(t,
                    "trammel: 1\n"
                    "bodies:\n"
                    "  free: {mass: 1, inertia: [1, 1, 1]}\n"
                    "  held: {mass: 1, inertia: [1, 1, 1]}\n"
                    "joints:\n"
                    "  pin: {type: revolute, bodies: [ground, held], at: [0, 0, 0], axis: z}\n"
                    "  other: {type: revolute, bodies: [ground, held], at: [0, 0, 1],\n"
                    "          axis: [0.01, 0, 1]}\n"
                    "  slide: {type: translational, bodies: [ground, free], at: [0, 0, 0]}\n",
                    note, sizeof note),
              1);
    CHECK_HAS(t, note, "body 'held' cannot move: the joints 'pin', 'other' leave");
}

TEST(bodies_that_are_meant_to_stand_are_not)
{
    char note[1024] = "";
    CHECK_INT(t,
              stuck(t,
                    "trammel: 1\n"
                    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
                    "joints:\n"
                    "  first: {type: fixed, frames: [ground, a]}\n"
                    "  second: {type: fixed, frames: [a, b]}\n",
                    note, sizeof note),
              0);
    // a plate edge that is held, as far as its nodes go
    CHECK_INT(t,
              stuck(t,
                    "trammel: 1\n"
                    "flexible:\n"
                    "  rod: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 2,\n"
                    "        material: {E: 1e6, density: 1000}, section: {radius: 0.01}}\n"
                    "joints: {hold: {type: spherical, frames: [ground, rod.start]}}\n",
                    note, sizeof note),
              0);
}

TEST(strict_makes_it_an_error)
{
    TmlModel *model = study_model(t, FOUR_BAR("[0, 0.02, 1]", ""));
    TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = NULL;
    TmlError err = {0};
    o.strict = true;
    CHECK_INT(t, tml_sim_create(model, &o, &sim, &err), TML_E_ASSEMBLY);
    CHECK_HAS(t, err.message, "cannot move");
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Two welded bodies that pull at each other do not move: rounding of the work, force times rounding
 * of positions, is no motion that is wrong. Every method was called wrong here. */
TEST(forces_within_what_stands_still_are_no_wrong_motion)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies:\n"
        "  a: {mass: 0.7, inertia: [3e-3, 4e-3, 5e-3], position: [0.325, -0.282, 0.131]}\n"
        "  b: {mass: 0.7, inertia: [3e-3, 4e-3, 5e-3], position: [0.542, -0.47, 0.218],\n"
        "      rotation: {axis: [1, 2, 3], angle: 0.7}}\n"
        "joints: {weld: {type: fixed, bodies: [a, b], at: [0.434, -0.376, 0.174]}}\n"
        "forces:\n"
        "  pull: {type: force, frames: [{body: b, position: [-0.217, 0.188, -0.087]}, a],\n"
        "         fx: 1.7, fz: 1.5*sin(4*time)}\n"
        "outputs: {x: DX(a)}\n";
    TmlModel *model = study_model(t, text);
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        TmlSimOptions o = study_options(0.3, 0.0075, NULL);
        o.integrator = t->name;
        Trace run;
        study_run(t, model, &o, &run);
        CHECK_INT(t, run.stats.unbalanced_rows, 0);
        trace_free(&run);
    }
    tml_model_free(model);
}

TEST_SUITE(driven) = {CASE(forces_within_what_stands_still_are_no_wrong_motion),
                      CASE(motion_drives_the_coordinate_of_its_joint),
                      CASE(motion_of_a_joint_with_both_is_told_which),
                      CASE(a_drive_without_freedom_is_refused_by_name),
                      CASE(redundant_joints_of_a_driven_mechanism_are_left_out),
                      CASE(a_misaligned_pin_is_told),
                      CASE(bodies_that_are_meant_to_stand_are_not),
                      CASE(strict_makes_it_an_error),
                      {0}};
