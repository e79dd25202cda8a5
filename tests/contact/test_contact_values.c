/* tests/contact/test_contact_values.c - what expressions, rows and the certificate tell of contacts.
 *
 * On a floor with a linear spring of stiffness k and without damping all that is asked of a ball follows
 * from its height: depth r - z, force k (r - z), power of the force F v. Rows stand between the steps.
 */
#include "../analysis/study.h"

#include "trammel/analysis.h"

#define HEAD                                                                                       \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "ground: {shape: {half_space: {normal: z}}}\n"

#define BALL(law, friction)                                                                        \
    HEAD "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.3],\n"       \
         "                velocity: [0.5, 0, 0], shape: {sphere: {radius: 0.1}}}}\n"               \
         "contacts: {floor: {between: [ball, ground], " law friction "}}\n"

#define FRICTION ", friction: {law: coulomb, dynamic: 0.3}"

static const char *const asked = BALL(
    "law: linear, stiffness: 1e5",
    "") "outputs: {z: DZ(ball), v: VZ(ball), force: contact_force(floor), fz: contact_fz(floor),\n"
        "  on_ground: 'contact_fz(floor, ground)', of_ball: contact_fz(ball), n: "
        "contact_count(floor),\n"
        "  depth: contact_depth(floor), of_both: 'contact_depth(ground, ball)', power: "
        "contact_power(floor),\n"
        "  twice: contact_force(floor) + contact_force(ball)}\n";

enum { Z, V, FORCE, FZ, ON_GROUND, OF_BALL, COUNT, DEPTH, OF_BOTH, POWER, TWICE };

/* The functions are formulas of the height in the same row: they differ from these by rounding, of forces up
 * to 700 N and powers up to 1000 W. */
TEST(functions_follow_the_motion_in_every_row)
{
    TmlModel *model = study_model(t, asked);
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        int touching = 0;
        TmlSimOptions o = study_options(0.6, 0.0007, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        (void)study_run(t, model, &o, &run);
        for (int k = 0; k < run.rows; ++k) {
            const double *x = run.x[CHANNEL] + (size_t)k * (TWICE + 1);
            const double depth = 0.1 - x[Z], force = 1e5 * fmax(depth, 0.0);
            const double rounding = 1e-9; // 1e5 N/m times the rounding of a height, tenfold
            touching += depth > 0.0;
            CHECK_NEAR(t, x[DEPTH], depth, 1e-15);   // rounding of the height
            CHECK_NEAR(t, x[OF_BOTH], depth, 1e-15); // the same
            CHECK_NEAR(t, x[FORCE], force, rounding);
            CHECK_NEAR(t, x[FZ], force, rounding);
            CHECK_NEAR(t, x[OF_BALL], force, rounding);
            CHECK_NEAR(t, x[ON_GROUND], -force, rounding);
            CHECK_NEAR(t, x[TWICE], 2.0 * force, rounding);
            CHECK_NEAR(t, x[COUNT], depth > 0.0, 0.0);
            CHECK_NEAR(t, x[POWER], force * x[V], 10.0 * rounding); // at up to 2 m/s
        }
        CHECK(t, touching > 10);
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

static void check_refused(TestCtx *t, const char *tail, const char *says)
{
    char text[2048];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, "%s%s", BALL("law: linear, stiffness: 1e5", ""), tail);
    CHECK(t, tml_load_text(text, "test", 0, NULL, NULL, &model, &err) != TML_OK);
    CHECK_HAS(t, err.message, says);
    tml_model_free(model);
}

/* Where derivatives are needed the message says what to use. */
TEST(functions_are_refused_where_they_cannot_stand)
{
    check_refused(t, "joints: {j: {type: expression, expression: contact_force(floor)}}\n",
                  "may read only time, displacements and angles, velocities");
    check_refused(t, "outputs: {x: contact_force(flor)}\n", "did you mean 'floor'");
    check_refused(t, "outputs: {x: contact_force(3)}\n", "expected a name");
    check_refused(t, "outputs: {x: contact_force(floor).fx}\n", "has no .fx");
    check_refused(t, "outputs: {x: 'contact_force(floor, bal)'}\n", "did you mean 'ball'");
}

/* --- energy -------------------------------------------------------------------------------------- */

typedef struct Energy {
    double last, most_growth, friction, contact, off, dissipated;
    int rows;
} Energy;

static TmlStatus energy_row(void *user, const TmlSim *sim, TmlError *err)
{
    Energy *e = user;
    const TmlCertificate c = tml_row_certificate(sim);
    const double energy = c.kinetic + c.potential;
    (void)err;
    e->most_growth = e->rows > 0 ? fmax(e->most_growth, energy - e->last) : 0.0;
    e->last = energy;
    e->friction = c.lost_friction;
    e->contact = c.lost_contact;
    e->dissipated = c.dissipated;
    e->off = fmax(e->off, fabs(c.energy_error));
    e->rows++;
    return TML_OK;
}

static Energy energies(TestCtx *t, const TmlModel *model, const char *method, double tolerance)
{
    Energy e = {0};
    TmlError err = {0};
    TmlSimOptions o = study_options(1.0, 0.003, NULL);
    o.integrator = t->name = method;
    o.tolerance = tolerance;
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, energy_row, &e, &err), &err);
        const TmlSimStats s = tml_sim_stats(sim);
        CHECK(t, s.contact_lists > 0 && s.contact_onsets > 0);
        CHECK(t, s.contact_candidates >= s.contact_touching && s.contact_touching > 0);
    }
    tml_sim_free(sim);
    return e;
}

/* The ball has 2.0 J above its rest and 0.125 J in its motion along the floor. What the methods that control
 * positions alone leave of the balance at 1e-7 is 1e-3 of that (docs/develop/open.md); energy does not grow from row
 * to row by more. */
TEST(losses_are_kept_apart_and_energy_never_grows)
{
    TmlModel *model =
        study_model(t, BALL("law: hunt_crossley, stiffness: 1e6, damping: 0.2", FRICTION));
    TmlModel *smooth = study_model(t, BALL("law: hunt_crossley, stiffness: 1e6, damping: 0.2", ""));
    TmlModel *elastic = study_model(t, BALL("law: linear, stiffness: 1e5", FRICTION));
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        const char *method = tml_integrator_types[i]->info.name;
        const Energy e = energies(t, model, method, 1e-7);
        const double allowed = 2e-3;
        CHECK(t, e.contact > 1.0 && e.friction > 0.01);
        CHECK(t, e.most_growth < allowed && e.off < allowed);
        CHECK_NEAR(t, e.dissipated, e.contact + e.friction, allowed);
    }
    const Energy none = energies(t, smooth, "radau", 1e-8),
                 kept = energies(t, elastic, "radau", 1e-8);
    CHECK(t, none.friction == 0.0 && none.contact > 1.0);
    CHECK(t, kept.contact == 0.0 && kept.friction > 0.01);
    t->name = NULL;
    tml_model_free(model);
    tml_model_free(smooth);
    tml_model_free(elastic);
}

/* --- rows ---------------------------------------------------------------------------------------- */

/* Two balls on the floor that lean on each other: three points, with the same forces as the functions tell. */
TEST(rows_tell_the_points)
{
    static const char *const text = HEAD
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.0999],\n"
        "      shape: {sphere: {radius: 0.1, name: shell}}}\n"
        "  b: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.1998, 0, 0.0999],\n"
        "      velocity: [-0.1, 0.2, 0], shape: {sphere: {radius: 0.1}}}\n"
        "contacts:\n"
        "  floor: {between: [all, ground], law: linear, stiffness: 1e5" FRICTION "}\n"
        "  sides: {between: [a, b], law: linear, stiffness: 1e5" FRICTION "}\n"
        "outputs: {sides: contact_force(sides), fx: contact_fx(sides), n: contact_count(floor),\n"
        "          on_b: contact_fx(b), gap: contact_depth(sides)}\n";
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.001, 0.001, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlRowContact point[4];
    TmlError err = {0};
    CHECK(t, tml_sim_contact_count(sim) == 2);
    CHECK_STR(t, tml_sim_contact_name(sim, 1), "sides");
    CHECK(t, tml_sim_contact_name(sim, 2) == NULL);
    CHECK_OK(t, tml_sim_row_at(sim, 0.0, &err), &err);
    CHECK(t, tml_row_contacts(sim, NULL, 0) == 3);
    const int n = tml_row_contacts(sim, point, 4);
    int sides = -1;
    for (int k = 0; k < n; ++k) {
        sides = strcmp(point[k].contact, "sides") == 0 ? k : sides;
    }
    CHECK(t, n == 3 && sides >= 0);
    if (sides >= 0) {
        const TmlRowContact *p = &point[sides];
        CHECK_STR(t, p->shape[0], "a.shell");
        CHECK_STR(t, p->shape[1], "b");
        CHECK_NEAR(t, p->depth, 2e-4, 1e-15);               // rounding of positions of 0.2 m
        CHECK_NEAR(t, p->force, 20.0, 1e-9);                // 1e5 N/m times that
        CHECK_NEAR(t, p->normal.x, 1.0, 1e-15);             // rounding
        CHECK_NEAR(t, p->point.x, 0.0999, 1e-15);           // midway; rounding
        CHECK_NEAR(t, p->rate, 0.1, 1e-15);                 // rounding
        CHECK(t, p->friction.y < 0.0);                      // on b, which moves along y
        CHECK_NEAR(t, tml_row_channel(sim, 0), 20.0, 1e-9); // as above
        CHECK_NEAR(t, tml_row_channel(sim, 1), -20.0 - p->friction.x, 1e-9);
        CHECK_NEAR(t, tml_row_channel(sim, 2), 2.0, 0.0);
        CHECK_NEAR(t, tml_row_channel(sim, 4), 2e-4, 1e-15); // as above
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* The law of Flores with a restitution of 0.5 pushes as long as there is a depth: (1 - 1.6 |rate| / entry) > 0, as the
 * ball leaves with half of its entry. Rows within the step that ends behind the release know that entry, though
 * the state at its end has forgotten it. */
TEST(rows_before_a_release_know_the_entry)
{
    TmlModel *model =
        study_model(t, BALL("law: flores, stiffness: 1e6, restitution: 0.5",
                            "") "outputs: {f: contact_force(floor), d: contact_depth(floor)}\n");
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        int pressed = 0;
        TmlSimOptions o = study_options(0.25, 1e-5, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        (void)study_run(t, model, &o, &run);
        for (int k = 0; k < run.rows; ++k) {
            const double force = trace_value(&run, k, 0), depth = trace_value(&run, k, 1);
            pressed += depth > 0.0;
            CHECK(t, (force > 0.0) == (depth > 0.0));
        }
        CHECK(t, pressed > 100);
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* --- where features meet --------------------------------------------------------------------------- */

/* A run that stops when the ball touches, and one that stops at a force: the times have closed forms. Free fall
 * over 0.2 m ends after sqrt(2 h / g); events say how near. */
TEST(events_stop_at_contacts)
{
    static const char *const head = BALL("law: linear, stiffness: 1e5", "");
    char text[2048];
    const double fall = sqrt(2.0 * 0.2 / 9.81), w = sqrt(1e5), v = 9.81 * fall;
    snprintf(text, sizeof text,
             "%sevents: {touch: {when: contact_depth(floor), condition: above, error: 1e-9, stop: "
             "true}}\n",
             head);
    for (int k = 0; k < 2; ++k) {
        TmlModel *model = study_model(t, text);
        TmlError err = {0};
        TmlSimOptions o = study_options(1.0, 0.1, NULL);
        o.integrator = "radau";
        o.tolerance = 1e-9;
        TmlSim *sim = study_sim(t, model, &o);
        if (sim != NULL) {
            CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
            // 400 N are reached at a depth of 4 mm
            double at = fall, depth = 0.0;
            for (int i = 0; k == 1 && i < 50; ++i) { // Newton's method on (B1) of test_bounce.c
                const double s = at - fall,
                             off = 9.81 / w / w * (1.0 - cos(w * s)) + v / w * sin(w * s) - 4e-3;
                depth = 9.81 / w * sin(w * s) + v * cos(w * s);
                at -= off / depth;
            }
            CHECK_NEAR(t, tml_sim_time(sim), at, 1e-7); // a hundred times the tolerance
        }
        tml_sim_free(sim);
        tml_model_free(model);
        snprintf(text, sizeof text,
                 "%sevents: {touch: {when: contact_force(floor), condition: above, value: 400, "
                 "error: 1e-6, stop: true}}\n",
                 head);
    }
}

TEST_SUITE(contact_values) = {CASE(functions_follow_the_motion_in_every_row),
                              CASE(functions_are_refused_where_they_cannot_stand),
                              CASE(losses_are_kept_apart_and_energy_never_grows),
                              CASE(rows_tell_the_points),
                              CASE(rows_before_a_release_know_the_entry),
                              CASE(events_stop_at_contacts),
                              {0}};
