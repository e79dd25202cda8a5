/* tests/contact/test_contact_control.c - forces, variables, states and delays that read contacts.
 *
 * A force that is read acts on a second mass as it does on the first: both have the same motion. Matrices of all
 * functions are compared with differences where shapes touch.
 */
#include "../analysis/study.h"
#include "../system/step_probe.h"

#include "system/contact/touching.h"
#include "trammel/analysis.h"

/* Two balls of different size, one on top of the other, and a box on its corners. */
#define MOVING(friction)                                                                           \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies:\n"                                                                                    \
    "  low: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [0, 0, 0.195], cm: [0.01, 0, 0],\n"   \
    "        shape: {sphere: {radius: 0.2}}}\n"                                                    \
    "  top: {mass: 2, inertia: [0.01, 0.02, 0.03], position: [0.1, 0, 0.47],\n"                    \
    "        shape: {ellipsoid: {semi_axes: [0.1, 0.12, 0.1]}}}\n"                                 \
    "  case: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [1, 0, 0.09], \n"                    \
    "        shape: {box: {size: [0.2, 0.2, 0.2], points: corners}}}\n"                            \
    "  far: {mass: 1, inertia: [1, 1, 1], position: [0, 3, 0]}\n"                                  \
    "contacts: {all: {between: all, law: hunt_crossley, stiffness: 1e4, damping: 0.3, "            \
    "friction: {" friction "}}, apart: {between: [case, top], law: none}}\n"                       \
    "variables: {\n"                                                                               \
    "  a: contact_force(all) + 2*contact_force(low), b: 'contact_fx(low)*contact_fz(low, top)',\n" \
    "  c: 'contact_fy(all, top)', d: contact_tx(low), e: 'contact_ty(low, ground)',\n"             \
    "  f: contact_tz(case), g: contact_power(all), h: contact_power(low),\n"                       \
    "  i: 10*contact_depth(all), j: 'contact_depth(case, ground)', k: "                            \
    "contact_count(case)*time}\n"                                                                  \
    "states: {s: {rate: 0.1*contact_force(all) - s, initial: 0}}\n"                                \
    "forces: {push: {type: force, body: far, fx: contact_fx(low), fy: contact_ty(top)*AZ(far)}}\n"

/* A state near the start, at which the same shapes touch. */
static void touching_state(TestCtx *t, Probe *p)
{
    TmlSystem *sys = p->sys;
    const int x0 = 3 * sys->dim.nq + sys->dim.m_all;
    tml_system_initial(sys, &p->s);
    for (int k = 0; k < sys->dim.nq; ++k) {
        p->s.q[k] += test_random(t, -1, 1) * 5e-4;
        p->s.v[k] = test_random(t, -0.3, 0.3);
        p->s.a[k] = test_random(t, -1, 1);
    }
    tml_system_retract(sys, p->s.q);
    for (int k = x0; k < sys->dim.size; ++k) {
        p->s.data[k] = test_random(t, -1, 1) * (k < x0 + sys->dim.nx ? 1e-4 : 1.0);
    }
    for (int k = 0; k < sys->dim.n; ++k) {
        p->z[k] = test_random(t, -1, 1) * (k < sys->dim.nu + sys->dim.m ? 1.0 : 1e-3);
    }
    p->s.t = 0.5;
}

/* Rows of variables, states and forces: products of the matrix with a direction against differences of second order.
 * The force of a sphere goes with depth^1.5: truncation h^2 times third derivatives, 1e-10 * 1e4 / depth^1.5 (1e-3 m)
 * = 0.03 of 1e5 N/m; rounding 1e-16 * 1e5 / h. */
static void check_rows(TestCtx *t, Probe *p)
{
    const double h = 2e-7;
    const int first = p->sys->dim.nu + p->sys->dim.m;
    double size = 1.0;
    probe_residual(p, h);
    memcpy(p->want, p->e, (size_t)p->sys->dim.n * sizeof *p->e);
    probe_residual(p, -h);
    for (int k = first; k < p->sys->dim.n; ++k) {
        p->want[k] = (p->want[k] - p->e[k]) / (2.0 * h);
        size = fmax(size, fabs(p->want[k]));
    }
    probe_residual(p, 0.0);
    probe_product(p);
    for (int k = first; k < p->sys->dim.n; ++k) {
        char name[200];
        const double tol = 2e-7 * size + 1e-5 * fabs(p->want[k]); // as above; a tenth was measured
        if (!(fabs(p->got[k] - p->want[k]) <= tol)) {
            tml_system_unknown_name(p->sys, k, name, sizeof name);
            printf("row %d, %s\n", k, name);
        }
        CHECK_NEAR(t, p->got[k], p->want[k], tol);
    }
}

static void check_matrix(TestCtx *t, const char *text)
{
    TmlError err = {0};
    TmlModel *model = study_model(t, text);
    if (model == NULL) {
        return;
    }
    Probe p = probe_open(t, model, &step_kind);
    tml_system_initial(p.sys, &p.s);
    CHECK_OK(t, tml_touching_start(p.sys, &p.s, &err), &err);
    tml_touching_commit(p.sys);
    CHECK_OK(t, tml_system_build_pattern(p.sys, &err), &err);
    for (int n = 0; n < 10; ++n) {
        touching_state(t, &p);
        check_rows(t, &p);
    }
    CHECK(t, p.sys->stats.contacts > 0);
    probe_close(&p);
    tml_model_free(model);
}

TEST(rows_of_expressions_match_differences)
{
    check_matrix(t, MOVING("law: coulomb, dynamic: 0.3, static_velocity: 0.1"));
}

TEST(rows_of_expressions_match_differences_with_bristles)
{
    check_matrix(t, MOVING("law: elastic, dynamic: 0.3, stiffness: 1e4, damping: 10"));
}

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
        o.tolerance = 1e-7;
        if (study_run(t, model, &o, &run) && run.rows > 0) {
            const int last = run.rows - 1;
            const double v = trace_value(&run, last, 0);
            CHECK(t, v > 1.5); // it has come back
            // errors of velocities: some tens of the tolerance over the hundred steps of an impact of 10 ms
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

TEST_SUITE(contact_control) = {CASE(rows_of_expressions_match_differences),
                               CASE(rows_of_expressions_match_differences_with_bristles),
                               CASE(a_force_that_is_read_moves_others_alike_in_every_method),
                               CASE(a_gripper_closes_until_it_feels_the_force),
                               CASE(constraints_cannot_read_contacts),
                               {0}};
