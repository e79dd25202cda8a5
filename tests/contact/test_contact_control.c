/* tests/contact/test_contact_control.c - forces, variables, states and delays that read contacts.
 *
 * A force that is read acts on a second mass as it does on the first: both have the same motion. Matrices are those of
 * tests/system/test_contact_rows.c.
 */
#include "../analysis/study.h"

#include "trammel/analysis.h"

/* --- the same motion ---------------------------------------------------------------------------- */

/* Without gravity a ball meets the floor at 1 m/s. Three others of its mass get what the floor does to it: by the law of
 * the contact, by a variable, and 20 ms later. */
static const char *const copies =
    "trammel: 1\n"
    "ground: {shape: {half_space: {normal: z}}}\n"
    "bodies:\n"
    "  ball: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.15], velocity: [0, 0, -1], shape: "
    "{sphere: {radius: 0.1}}}\n"
    "  one: {mass: 1, inertia: [1, 1, 1]}\n"
    "  two: {mass: 1, inertia: [1, 1, 1]}\n"
    "  late: {mass: 1, inertia: [1, 1, 1]}\n"
    "contacts: {floor: {between: [ball, ground], law: hunt_crossley, stiffness: 1e5, damping: "
    "0.3}}\n"
    "variables: {f: 'contact_force(floor)/2 + contact_fz(ball, ground)/2'}\n"
    "delays: {was: {value: contact_force(floor), time: 20 ms, history: 0}}\n"
    "forces:\n"
    "  one: {type: force, body: one, fz: contact_force(floor)}\n"
    "  two: {type: force, body: two, fz: f}\n"
    "  late: {type: force, body: late, fz: delay(was)}\n"
    "outputs: {v: VZ(ball) + 1, one: VZ(one), two: VZ(two), late: VZ(late), z: DZ(ball) + time - "
    "0.15, z1: DZ(one)}\n";

TEST(a_force_that_is_read_moves_others_alike_in_every_method)
{
    TmlModel *model = study_model(t, copies);
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(0.2, 0.01, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        o.tolerance = 1e-8;
        if (study_run(t, model, &o, &run) && run.rows > 0) {
            const int last = run.rows - 1;
            const double v = trace_value(&run, last, 0);
            CHECK(t, v > 1.5); // it has come back
            // errors of velocities: those of `bdf-i3` are the largest, 1e-5 to 1e-4 where orders grow from one behind
            // onsets and releases that come back after the delay
            const double tol = 2e-4;
            CHECK_NEAR(t, trace_value(&run, last, 1), v, tol);
            CHECK_NEAR(t, trace_value(&run, last, 2), v, tol);
            CHECK_NEAR(t, trace_value(&run, last, 3), v, tol);
            CHECK_NEAR(t, trace_value(&run, last, 5), trace_value(&run, last, 4), 1e-5); // the same
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* --- a loop ------------------------------------------------------------------------------------- */

/* Jaws close on a part with a motor whose force follows what they feel, until that is 20 N. */
static const char *const gripper =
    "trammel: 1\n"
    "parameters: {wanted: 20}\n"
    "bodies:\n"
    "  jaw: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], position: [0.1, 0, 0], shape: {sphere: "
    "{radius: "
    "0.01}}}\n"
    "  part: {mass: 0.2, inertia: [1e-3, 1e-3, 1e-3], shape: {box: {size: [0.1, 0.1, 0.1]}}}\n"
    "joints:\n"
    "  slide: {type: translational, bodies: [ground, jaw], at: [0.1, 0, 0], axis: x}\n"
    "  hold: {type: fixed, bodies: [ground, part], at: [0, 0, 0]}\n"
    "contacts: {grip: {between: [jaw, part], law: hunt_crossley, stiffness: 1e6, damping: 1}}\n"
    "states: {drive: {rate: 20*(wanted - contact_force(grip)), initial: 5}}\n"
    "forces:\n"
    "  motor: {type: force, body: jaw, fx: -drive - 40*VX(jaw)}\n"
    "outputs: {felt: contact_force(grip), drive: drive}\n";

TEST(a_gripper_closes_until_it_feels_the_force)
{
    TmlModel *model = study_model(t, gripper);
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(2.0, 0.1, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        if (study_run(t, model, &o, &run) && run.rows > 0) {
            // the loop has a rate of 20 1/s: exp(-30) after the touch; the rest is the tolerance of a method
            CHECK_NEAR(t, trace_value(&run, run.rows - 1, 0), 20.0, 2e-3);
            CHECK_NEAR(t, trace_value(&run, run.rows - 1, 1), 20.0, 2e-3); // the same
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

TEST(constraints_cannot_read_contacts)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    char text[4096];
    snprintf(text, sizeof text,
             "%sjoints: {j: {type: expression, expression: contact_force(floor)}}\n", copies);
    CHECK(t, tml_load_text(text, "test", 0, NULL, NULL, &model, &err) != TML_OK);
    CHECK_HAS(t, err.message, "may read only time, displacements and angles, velocities");
    tml_model_free(model);
}

TEST_SUITE(contact_control) = {CASE(a_force_that_is_read_moves_others_alike_in_every_method),
                               CASE(a_gripper_closes_until_it_feels_the_force),
                               CASE(constraints_cannot_read_contacts),
                               {0}};
