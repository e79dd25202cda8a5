/* tests/contact/test_rest.c - things at rest on each other: statics, linearisation, friction that holds by creeping.
 *
 * Two balls of 1 kg on a floor, one on the other, K = 1e6 N/m^1.5: the lower depth is (2 g / K)^(2/3), the upper one
 * (g / K)^(2/3).
 */
#include "../analysis/study.h"

#include "trammel/analysis.h"

#define PILE(low, high)                                                                            \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies:\n"                                                                                    \
    "  low: {type: point, mass: 1, position: [0, 0, " low "], shape: {sphere: {radius: 0.1}}}\n"   \
    "  high: {type: point, mass: 1, position: [0, 0, " high "], shape: {sphere: {radius: 0.1}}}\n" \
    "contacts: {all: {between: all, law: hunt_crossley, stiffness: 1e6, exponent: 1.5,\n"          \
    "                 damping: 0.3}}\n"                                                            \
    "outputs: {low: DZ(low), high: DZ(high)}\n"                                                    \
    "simulate: {end: 1}\n"

/* From touching, and from far above: pairs that are not near at the start are found on the way. */
TEST(balls_come_to_rest_on_each_other)
{
    static const char *const start[] = {PILE("0.0995", "0.299"), PILE("0.11", "0.32"),
                                        PILE("0.5", "1.5")};
    const double low = 0.1 - pow(2.0 * 9.81 / 1e6, 2.0 / 3.0);
    const double high = low + 0.2 - pow(9.81 / 1e6, 2.0 / 3.0);
    for (int k = 0; k < 3; ++k) {
        TmlModel *model = study_model(t, start[k]);
        TmlSimOptions o = study_options(1.0, 1.0, NULL);
        TmlSim *sim = study_sim(t, model, &o);
        TmlError err;
        TmlStaticsInfo info;
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        // forces balance to 1e-13 of the weight, or 1e-12 N over a stiffness of 3e4 N/m: rounding
        CHECK_NEAR(t, sim->it.now.q[2], low, 1e-15);
        CHECK_NEAR(t, sim->it.now.q[5], high, 1e-15);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* A block of 1 kg that brakes on a slope of 10 degrees with mu = 0.4, then creeps with v = w atanh(tan A / mu). */
#define SLOPE                                                                                      \
    "trammel: 1\n"                                                                                 \
    "parameters: {A: 10 deg, w: %s, k: 1e6}\n"                                                     \
    "gravity: [\"9.81*sin(A)\", 0, \"-9.81*cos(A)\"]\n"                                            \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies: {block: {type: point, mass: 1, position: [0, 0, \"0.1-9.81*cos(A)/k\"],\n"            \
    "                 velocity: [2, 0, 0], shape: {sphere: {radius: 0.1}}}}\n"                     \
    "contacts: {floor: {between: [block, ground], law: linear, stiffness: k, damping: 1000,\n"     \
    "                   friction: {dynamic: 0.4, static_velocity: w}}}\n"                          \
    "outputs: {v: VX(block)}\n"

/* However narrow the law is, and by every method that iterates on accelerations or stages: the iteration does not
 * jump to and fro across v = 0, where `hht` used to take 69,155 steps at 1e-6 m/s and crept eighty times too fast, and `tlismni-*` 170,000.
 * Left out: explicit ones, and the trapezoidal rule, which damps nothing: the creep rings about its speed. */
TEST(a_block_brakes_and_creeps)
{
    static const char *const methods[] = {
        "hht",        "generalized-alpha", "bdf-i3",       "bdf-si2",    "radau",
        "rosenbrock", "tlismni-park",      "tlismni-bdf2", "tlismni-hht"};
    static const char *const width[] = {"1e-3", "1e-5", "1e-6"};
    const double slope = acos(-1.0) / 18.0;
    for (int k = 0; k < 3; ++k) {
        char text[2048];
        snprintf(text, sizeof text, SLOPE, width[k]);
        TmlModel *model = study_model(t, text);
        const double creep = atof(width[k]) * atanh(tan(slope) / 0.4);
        for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
            Trace run = {0};
            TmlSimOptions o = study_options(2.0, 2.0, NULL);
            o.integrator = t->name = methods[i];
            if (study_run(t, model, &o, &run)) {
                // the law is met at rest as well as iterations converge: 1e-5 of it was measured, 1e-4 is allowed
                CHECK_NEAR(t, trace_value(&run, 1, 0), creep, 1e-4 * creep);
                CHECK(t, run.stats.steps + run.stats.rejected < 2000);
            }
            trace_free(&run);
        }
        t->name = NULL;
        tml_model_free(model);
    }
}

/* A solid block that does not turn, stiffer and just as narrow: accelerations that are solved for have the error of the iteration
 * times 4e6 N s/m, and methods that keep those in their history took 5,000 to 13,000 steps. */
TEST(a_solid_block_brakes)
{
    static const char *const text =
        "trammel: 1\n"
        "parameters: {A: 10 deg, k: 1e7}\n"
        "gravity: [9.81*sin(A), 0, -9.81*cos(A)]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies: {block: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, "
        "0.1-9.81*cos(A)/k],\n"
        "                 velocity: [2, 0, 0], shape: {sphere: {radius: 0.1}}}}\n"
        "joints: {upright: {type: orientation, bodies: [ground, block], at: [0, 0, 0]}}\n"
        "contacts: {floor: {between: [block, ground], neighbours: true, law: linear, stiffness: "
        "k,\n"
        "                   damping: 2*sqrt(k), friction: {dynamic: 0.4, static_velocity: 1e-6}}}\n"
        "outputs: {v: VX(block)}\n";
    static const char *const methods[] = {"hht", "tlismni-park", "tlismni-bdf2", "tlismni-hht"};
    const double creep = 1e-6 * atanh(tan(acos(-1.0) / 18.0) / 0.4);
    TmlModel *model = study_model(t, text);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(2.0, 2.0, NULL);
        o.integrator = t->name = methods[i];
        if (study_run(t, model, &o, &run)) {
            CHECK_NEAR(t, trace_value(&run, 1, 0), creep, 1e-4 * creep); // as above
            CHECK(t, run.stats.steps + run.stats.rejected < 500);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* --- bristles ----------------------------------------------------------------------------------- */

#define HELD                                                                                       \
    "trammel: 1\n"                                                                                 \
    "parameters: {A: 10 deg, k: 1e6}\n"                                                            \
    "gravity: [\"9.81*sin(A)\", 0, \"-9.81*cos(A)\"]\n"                                            \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies: {block: {type: point, mass: 1, position: [0, 0, \"0.1-9.81*cos(A)/k\"],\n"            \
    "                 shape: {sphere: {radius: 0.1}}}}\n"                                          \
    "contacts: {floor: {between: [block, ground], law: linear, stiffness: k, damping: 1000,\n"     \
    "                   friction: {law: %s, stiffness: 1e5, damping: 600, dynamic: 0.4}}}\n"       \
    "outputs: {x: DX(block)}\n"

/* A thing at rest stays at rest: the bristle bears the weight along the slope, m g sin A / s_0, and does not creep. */
TEST(bristles_hold)
{
    static const char *const laws[] = {"lugre", "elastic"};
    static const char *const methods[] = {"radau", "hht", "bdf-i3", "rosenbrock", "adams"};
    for (int k = 0; k < 2; ++k) {
        char text[2048];
        snprintf(text, sizeof text, HELD, laws[k]);
        TmlModel *model = study_model(t, text);
        for (int i = 0; i < 5; ++i) {
            const double end = i == 4 ? 2.0 : 60.0; // stiff for an explicit method
            Trace run = {0};
            TmlSimOptions o = study_options(end, 0.5 * end, NULL);
            o.integrator = t->name = methods[i];
            if (study_run(t, model, &o, &run)) {
                const double half = trace_value(&run, 1, 0), whole = trace_value(&run, 2, 0);
                CHECK_NEAR(t, whole, half,
                           1e-9); // asked are 1e-8 m; 1.2e-10 was measured (`lugre`)
                // `lugre` slips a part of its deflection while it is laid down, `elastic` none: tolerance 1e-7 m
                CHECK(t, k == 0 || fabs(whole - 9.81 * sin(acos(-1.0) / 18.0) / 1e5) < 1e-7);
            }
            trace_free(&run);
        }
        t->name = NULL;
        tml_model_free(model);
    }
}

/* Statics: a block on a slope is held from the place where it lies, by bristles and by `coulomb` with `hold`, and slides
 * away without. The force m g sin A is borne by s_0 u, by mu N tanh(u / hold); a run that starts there stays there. */
TEST(statics_hold_what_friction_bears)
{
    static const struct {
        const char *friction;
        double stiffness; // N/m at the place of rest; 0: by the closed form below
    } laws[] = {{"law: lugre, stiffness: 1e5, damping: 600, dynamic: 0.4", 1e5},
                {"law: elastic, stiffness: 1e5, damping: 600, dynamic: 0.4", 1e5},
                {"law: coulomb, dynamic: 0.4, hold: 1e-5", 0.0}};
    static const char *const slope =
        "trammel: 1\n"
        "parameters: {A: 10 deg, k: 1e6}\n"
        "gravity: [\"9.81*sin(A)\", 0, \"-9.81*cos(A)\"]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies: {block: {type: point, mass: 1, position: [0.3, 0, \"0.1-9.81*cos(A)/k\"],\n"
        "                 shape: {sphere: {radius: 0.1}}}}\n"
        "contacts: {floor: {between: [block, ground], law: linear, stiffness: k, damping: 1000,\n"
        "                   friction: {%s}}}\n"
        "outputs: {x: DX(block)}\n";
    const double A = acos(-1.0) / 18.0, load = 9.81 * sin(A), most = 0.4 * 9.81 * cos(A);
    for (int k = 0; k < 3; ++k) {
        char text[2048];
        snprintf(text, sizeof text, slope, laws[k].friction);
        t->name = laws[k].friction;
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(5.0, 5.0, NULL);
        TmlSim *sim = study_sim(t, model, &o);
        TmlError err = {0};
        TmlStaticsInfo info;
        const double want =
            0.3 + (laws[k].stiffness > 0.0 ? load / laws[k].stiffness : 1e-5 * atanh(load / most));
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        // forces balance to 1e-13 of the weight over a stiffness of 1e5 N/m; rounding of 0.3 m
        CHECK_NEAR(t, sim->it.now.q[0], want, 1e-15);
        if (laws[k].stiffness > 0.0) { // the bristle bears the load from the start
            // as the place
            CHECK_NEAR(t, fabs(sim->it.now.X[0]), load / 1e5, 1e-15);
            CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
            CHECK_NEAR(t, sim->it.now.q[0], want, 1e-9); // asked are 1e-8 m in a minute
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
    t->name = NULL;
}

/* In a frame that turns: two weights on a spoke are thrown outwards until the inner one leans on the outer one, which it did not
 * touch at the start. m w^2 x_a = k_a (x_a - l_a) + N, m w^2 x_b = k_b (x_b - l_b) - N, N = K (2 R - x_b + x_a). */
TEST(weights_meet_in_a_turning_frame)
{
    TmlModel *model = study_model(
        t,
        "trammel: 1\n"
        "rotating_frame: {speed: 8}\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 8]}\n"
        "  a: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0, 0], velocity: [0, 0.8, 0],\n"
        "      angular_velocity: [0, 0, 8], shape: {sphere: {radius: 0.05}}}\n"
        "  b: {mass: 1, inertia: [1, 1, 1], position: [0.3, 0, 0], velocity: [0, 2.4, 0],\n"
        "      angular_velocity: [0, 0, 8], shape: {sphere: {radius: 0.05}}}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: pin, function: 8*time}\n"
        "  spoke_a: {type: translational, bodies: [hub, a], at: [0, 0, 0], axis: x}\n"
        "  spoke_b: {type: translational, bodies: [hub, b], at: [0, 0, 0], axis: x}\n"
        "forces:\n"
        "  a: {type: spring, bodies: [hub, a], points: [[0, 0, 0], [0.1, 0, 0]], stiffness: 100,\n"
        "      free_length: 0.1}\n"
        "  b: {type: spring, bodies: [hub, b], points: [[0, 0, 0], [0.3, 0, 0]], stiffness: 1000,\n"
        "      free_length: 0.3}\n"
        "contacts: {pair: {between: [a, b], law: linear, stiffness: 1e5}}\n");
    TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    TmlStaticsInfo info;
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        // of the three equations, x_a = (10 - N) / 36, x_b = (300 + N) / 936
        const double N = (0.1 - 300.0 / 936.0 + 10.0 / 36.0) / (1e-5 + 1.0 / 936.0 + 1.0 / 36.0);
        // forces balance to 1e-13 of 20 N over a stiffness of 36 N/m
        CHECK_NEAR(t, sim->it.now.q[7], (10.0 - N) / 36.0, 1e-13);
        CHECK_NEAR(t, sim->it.now.q[14], (300.0 + N) / 936.0, 1e-13);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

#define BELT                                                                                       \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -10]\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  belt: {mass: 1, inertia: [1, 1, 1], velocity: [0.1, 0, 0],\n"                               \
    "         shape: {half_space: {normal: z}}}\n"                                                 \
    "  block: {type: point, mass: 1, position: [0, 0, 0.099999], velocity: [0.1, 0, 0],\n"         \
    "          shape: {sphere: {radius: 0.1}}}\n"                                                  \
    "joints:\n"                                                                                    \
    "  rail: {type: translational, bodies: [ground, belt], at: [0, 0, 0], axis: x}\n"              \
    "  drive: {type: motion, joint: rail, function: 0.1*time}\n"                                   \
    "forces: {spring: {type: force, body: block, fx: -100*DX(block)}}\n"                           \
    "contacts: {floor: {between: [block, belt], law: linear, stiffness: 1e7, damping: 5000,\n"     \
    "                   friction: {law: lugre, stiffness: 1e5, damping: 316.2277660168380,\n"      \
    "                              viscous: 0.04, dynamic: 0.25, static: 0.4}}}\n"                 \
    "outputs: {x: DX(block)}\n"

/* A block on a moving belt sticks and slips. Every method converges to what `radau` gives at 1e-10, which an
 * independent integration of these equations with rtol 1e-11 confirms to 8e-10 m. */
TEST(a_block_sticks_and_slips)
{
    TmlModel *model = study_model(t, BELT);
    Trace exact = {0};
    TmlSimOptions o = study_options(2.0, 0.05, NULL);
    o.integrator = "radau";
    o.tolerance = 1e-10;
    const bool there = study_run(t, model, &o, &exact);
    static const char *const methods[] = {"radau", "rosenbrock", "hht", "bdf-i3"};
    for (int i = 0; i < 4 && there; ++i) {
        Trace run = {0};
        o.integrator = t->name = methods[i];
        o.tolerance = (double)NAN;
        if (study_run(t, model, &o, &run)) {
            // 5e-5 of the range was measured with default tolerances over 5 s; 3e-4 allows for other roundings
            CHECK(t, trace_error(&run, &exact, CHANNEL) < 3e-4);
        }
        trace_free(&run);
    }
    t->name = NULL;
    trace_free(&exact);
    tml_model_free(model);
}

/* A ball that hops over the floor: each landing begins with a bristle at rest, and energy is accounted for. */
TEST(bristles_are_let_go)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.2],\n"
        "                velocity: [1, 0.5, 0], shape: {sphere: {radius: 0.1}}}}\n"
        "contacts: {floor: {between: [ball, ground], law: hunt_crossley, stiffness: 1e6,\n"
        "                   damping: 0.2, friction: {law: lugre, stiffness: 1e5, damping: 100,\n"
        "                                            dynamic: 0.3}}}\n";
    static const char *const methods[] = {"radau", "hht", "rosenbrock", "bdf-si2"};
    TmlModel *model = study_model(t, text);
    for (int i = 0; i < 4; ++i) {
        TmlSimOptions o = study_options(1.0, 0.05, NULL);
        TmlError err;
        o.integrator = t->name = methods[i];
        o.tolerance = 1e-8;
        TmlSim *sim = study_sim(t, model, &o);
        bool flew = false;
        while (sim->it.now.t < 1.0 && tml_sim_step(sim, &err) == TML_OK) {
            const bool open = sim->it.now.q[2] > 0.1;
            const double *X = sim->it.now.X;
            flew = flew || (open && sim->it.now.t > 0.3);
            CHECK(t, !open || (X[0] == 0.0 && X[1] == 0.0 && X[2] == 0.0));
        }
        CHECK(t, flew && sim->it.now.t >= 1.0);
        CHECK_INT(t, tml_sim_stats(sim).unbalanced_rows, 0);
        tml_sim_free(sim);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* Without weight nothing tells how far the bristles will bend before the shapes touch, and the iteration was asked for
 * digits of a zero: `hht` stopped where the pin meets the wall. */
TEST(bristles_without_weight)
{
    static const char text[] =
        "trammel: 1\n"
        "ground:\n"
        "  shape: {half_space: {normal: [0.06889111405913241, 0.015032231054909641, "
        "0.9975109254705953],\n"
        "                       position: [0.006607092525534512, 0.6331934306383015, "
        "-0.5231070997101538]}}\n"
        "bodies:\n"
        "  pin: {mass: 0.36, inertia: [0.0044, 0.0068, 0.0073],\n"
        "        position: [-0.10566234170732687, 0.8304105859172152, -0.43503301982901454],\n"
        "        rotation: {euler_parameters: [0.6492342105712473, 0.16016987127892596,\n"
        "                                      0.7136729595137759, 0.20859400522850632]},\n"
        "        velocity: [-0.0269, -0.0059, -0.39],\n"
        "        shape: {capsule: {radius: 0.04995327977454892, length: 0.05945235105470174}}}\n"
        "  arm: {mass: 3.26, inertia: [0.0567, 0.0651, 0.0656], position: [0.0666, 0.8078, "
        "-0.8764],\n"
        "        velocity: [-0.0135, -0.0029, -0.195], angular_velocity: [-0.666, -0.06, 0.047]}\n"
        "joints:\n"
        "  j: {type: revolute, bodies: [pin, arm], at: [0.0402, 1.0981, -0.879],\n"
        "      axis: [0.9935, 0.08976, -0.06997]}\n"
        "contacts:\n"
        "  wall: {between: [pin, ground], law: hunt_crossley, stiffness: 8.7e4, damping: 0.3,\n"
        "         friction: {law: lugre, static: 0.4, dynamic: 0.3, stiffness: 7800, damping: "
        "14}}\n"
        "outputs: {x: DX(pin), y: DY(pin)}\n";
    static const char *const method[] = {"hht", "radau"};
    double y[2][2] = {0};
    TmlModel *model = study_model(t, text);
    for (int k = 0; k < 2; ++k) {
        TmlSimOptions o = study_options(0.04, 0.04, NULL);
        Trace run;
        t->name = o.integrator = method[k];
        if (study_run(t, model, &o, &run)) {
            y[k][0] = trace_value(&run, 1, 0);
            y[k][1] = trace_value(&run, 1, 1);
            trace_free(&run);
        }
    }
    t->name = NULL;
    for (int c = 0; c < 2; ++c) {
        // both at their default tolerances, of which that of `radau` is the larger: 1e-7 of 0.5 m and tens of steps
        CHECK_NEAR(t, y[0][c], y[1][c], 1e-5);
    }
    tml_model_free(model);
}

/* Where a contact begins a bristle is at its end at once: its rate is a relay there, and Newton's method jumped to and fro between
 * its two sides, in some six tries a landing, until steps were 1e-11 s. */
TEST(bristles_begin_at_their_end)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.2],\n"
        "                velocity: [1, 0.5, 0], shape: {sphere: {radius: 0.1}}}}\n"
        "contacts: {floor: {between: [ball, ground], law: hunt_crossley, stiffness: 1e5, damping: "
        "0.2,\n"
        "                   friction: {law: lugre, stiffness: 1500, damping: 8, static: 0.4, "
        "dynamic: 0.3,\n"
        "                              stribeck_velocity: 0.01}}}\n";
    static const char *const methods[] = {"hht", "bdf-i3", "bdf-si2"};
    enum { LANDINGS = 5 }; // of a second
    TmlModel *model = study_model(t, text);
    for (int k = 0; k < 3; ++k) {
        TmlSimOptions o = study_options(1.0, 1.0, NULL);
        Trace run;
        o.integrator = t->name = methods[k];
        o.tolerance = 1e-8;
        if (study_run(t, model, &o, &run)) {
            CHECK(t, run.stats.rejected_newton <=
                         LANDINGS); // 29, 13 and 12 before; none is due to a landing
            trace_free(&run);
        }
    }
    t->name = NULL;
    tml_model_free(model);
}

TEST_SUITE(contact_rest) = {CASE(bristles_begin_at_their_end),
                            CASE(balls_come_to_rest_on_each_other),
                            CASE(a_block_brakes_and_creeps),
                            CASE(a_solid_block_brakes),
                            CASE(bristles_hold),
                            CASE(statics_hold_what_friction_bears),
                            CASE(weights_meet_in_a_turning_frame),
                            CASE(a_block_sticks_and_slips),
                            CASE(bristles_are_let_go),
                            CASE(bristles_without_weight),
                            {0}};
