/* tests/contact/test_contact_flexible.c - flexible bodies that touch: at rest, round a drum, under a ball, across each
 * other; where elements meet; by every method; what is refused.
 */
#include "../analysis/study.h"

#include "model/flexible/flexible.h"
#include "model/registry.h"
#include "trammel/analysis.h"
#include "trammel/io.h"

#include <stdio.h>

enum { TEXT = 2400 };

/* The value of a channel at the start. */
static double value_of(TestCtx *t, const char *text)
{
    Trace run = {0};
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(1e-9, 1e-9, NULL);
    const bool ok = model != NULL && study_run(t, model, &o, &run);
    const double value = ok ? trace_value(&run, 0, 0) : (double)NAN;
    trace_free(&run);
    tml_model_free(model);
    return value;
}

/* The same of a model that is written with one number. */
static double at_start(TestCtx *t, const char *format, double number)
{
    char text[TEXT];
    snprintf(text, sizeof text, format, number);
    return value_of(t, text);
}

/* --- at rest ------------------------------------------------------------------------------------------- */

/* Every element on a floor, as deep as its weight asks for: stiffness k = 1e5 N/m^2 a metre of line, or a square metre of
 * patch, against 1000 kg/m^3 of a section 0.02 m high. */
static void say_resting(const TmlFlexType *type, double z, char *text)
{
    const bool patch = type->topology == TML_FLEX_PATCH, plane = type->dim == 2;
    char where[160];
    snprintf(where, sizeof where,
             patch   ? "patch: {origin: [0, 0, %.17g], x: [1, 0, 0], y: [0, 0.5, 0]}"
             : plane ? "line: [[0, %.17g, 0], [1, %.17g, 0]]"
                     : "line: [[0, 0, %.17g], [1, 0, %.17g]], y_axis: z",
             z, z);
    snprintf(text, TEXT,
             "trammel: 1\n"
             "gravity: %s\n"
             "ground: {shape: {half_space: {normal: %s}}}\n"
             "flexible:\n"
             "  mesh: {type: %s, %s, elements: %s,\n"
             "         material: {E: 1e6, nu: 0, density: 1000, damping: 1e-3}, section: {%s}}\n"
             "contacts: {floor: {between: [mesh, ground], law: linear, stiffness: 1e5,\n"
             "                   friction: {dynamic: 0.3}}}\n"
             "outputs: {force: contact_force(floor), z: D%c(mesh)}\n",
             plane ? "[0, -10, 0]" : "[0, 0, -10]", plane ? "y" : "z", type->info.name, where,
             patch ? "[2, 2]" : "3",
             patch                ? "thickness: 0.02"
             : plane              ? "height: 0.02, width: 0.02"
             : type->vectors == 2 ? "radius: 0.01"
                                  : "height: 0.02, width: 0.04",
             plane ? 'Y' : 'Z');
}

TEST(every_element_rests_as_deep_as_it_weighs)
{
    for (int k = 0; tml_flex_types[k] != NULL; ++k) {
        const TmlFlexType *type = tml_flex_types[k];
        const bool patch = type->topology == TML_FLEX_PATCH;
        const double area = patch                ? 0.5 * 0.02
                            : type->vectors == 2 ? acos(-1.0) * 1e-4
                            : type->dim == 2     ? 0.02 * 0.02
                                                 : 0.02 * 0.04;
        const double weight = 1000.0 * 10.0 * area, spread = patch ? 0.5 : 1.0;
        const double depth = weight / spread / 1e5;
        char text[TEXT];
        Trace run = {0};
        t->name = type->info.name;
        say_resting(type, 0.01 - depth, text);
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(0.02, 0.02, NULL);
        if (model != NULL && study_run(t, model, &o, &run)) {
            // a patch test: evenly spread weight against evenly spread pressure, both by exact integrals; what is
            // left is rounding, and what the solver allows (1e-12 of the forces, over 1e5 N/m)
            CHECK_NEAR(t, trace_value(&run, 0, 0), weight, 1e-9 * weight);
            CHECK_NEAR(t, trace_value(&run, 1, 0), weight, 1e-6 * weight);
            CHECK_NEAR(t, trace_value(&run, 1, 1), 0.01 - depth, 1e-9);
        }
        trace_free(&run);
        tml_model_free(model);
    }
    t->name = NULL;
}

/* Statics finds the same from above. */
TEST(statics_lays_a_cable_down)
{
    char text[TEXT];
    say_resting(tml_find_flex_type("cable"), 0.0098, text);
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
    TmlError err = {0};
    TmlStaticsInfo info;
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        // forces balance to 1e-12 of the weight, over a stiffness of 1e5 N/m
        CHECK_NEAR(t, sim->it.now.q[2], 0.01 - acos(-1.0) * 1e-4 * 1e4 / 1e5, 1e-11);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- where elements meet ------------------------------------------------------------------------------- */

/* A ball upon a cable that is bent differently on both sides of its middle node, x = 0. */
#define BENT                                                                                       \
    "trammel: 1\n"                                                                                 \
    "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [%.17g, 0.002, 0.0299],\n"             \
    "                velocity: [0.3, 0.1, -0.2], shape: {sphere: {radius: 0.02}}}}\n"              \
    "flexible: {rope: {type: cable, elements: 2, smooth: true, section: {radius: 0.01},\n"         \
    "                  material: {E: 1e6, density: 1000},\n"                                       \
    "                  polyline: [[-0.1, 0, -0.02], [0, 0, 0], [0.1, 0, 0.001]]}}\n"               \
    "contacts: {on: {between: [ball, rope], flexible: closest, law: hunt_crossley,\n"              \
    "                stiffness: 1e5, exponent: 1.5, damping: 0.3, friction: {dynamic: 0.3}}}\n"    \
    "outputs: {f: contact_%s}\n"

TEST(no_force_jumps_where_elements_meet)
{
    static const char *const what[] = {"force(on)", "fx(on)", "fy(on)", "fz(on)", "depth(on)"};
    for (size_t k = 0; k < sizeof what / sizeof *what; ++k) {
        char format[TEXT];
        t->name = what[k];
        snprintf(format, sizeof format, BENT, 0.0, what[k]);
        char *number = strstr(format, "[0, 0.002");
        CHECK(t, number != NULL);
        char text[TEXT];
        snprintf(text, sizeof text, "%.*s%s%s", (int)(number - format), format, "[%.17g",
                 number + 2);
        // halves with the larger change lead to a jump, if there is one: the closest point passes the node in here
        double low = -2e-3, high = 2e-3;
        double at_low = at_start(t, text, low), at_high = at_start(t, text, high);
        const double size = fmax(fabs(at_low), fabs(at_high));
        CHECK(t, size > 0.0 && at_low != at_high);
        for (int i = 0; i < 24; ++i) {
            const double middle = 0.5 * (low + high), f = at_start(t, text, middle);
            if (fabs(f - at_low) > fabs(at_high - f)) {
                high = middle;
                at_high = f;
            } else {
                low = middle;
                at_low = f;
            }
        }
        // 2.4e-10 m are left, of 4e-3 m in which it changes by less than ten times its size: 6e-7 of it at most
        CHECK_NEAR(t, at_high, at_low, 1e-6 * size);
    }
    t->name = NULL;
}

/* At a corner of a polyline two elements end, and a ball touches it once; in the hollow of it, once each. */
#define CORNER(above)                                                                              \
    "trammel: 1\n"                                                                                 \
    "parameters: {s: %.17g}\n"                                                                     \
    "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: " above ",\n"                          \
    "                shape: {sphere: {radius: 0.02}}}}\n"                                          \
    "flexible: {rope: {type: cable, elements: 4, section: {radius: 0.01},\n"                       \
    "                  material: {E: 1e6, density: 1000},\n"                                       \
    "                  polyline: [[-0.1, 0, 0], [0, 0, 0], [0.06, 0, -0.08]]}}\n"                  \
    "contacts: {on: {between: [ball, rope], flexible: closest, law: linear, stiffness: 1e5}}\n"    \
    "outputs: {f: contact_%s(on)}\n"

TEST(a_corner_counts_once)
{
    // round the corner at 29.9 mm, from a place above the first piece to one beside the second
    static const char *const round = CORNER("[0.0299*sin(s), 0, 0.0299*cos(s)]");
    static const char *const hollow = CORNER("[-0.014 - s, 0, -0.029]");
    char text[TEXT];
    for (int k = 0; k <= 20; ++k) {
        const double s = -0.2 + 1.4 * k / 20.0;
        snprintf(text, sizeof text, round, s, "count");
        CHECK_NEAR(t, value_of(t, text), 1.0, 0.0); // a count
        if (s > 0.0 && s < 0.927) { // between the normals of both pieces, atan2(0.08, 0.06)
            snprintf(text, sizeof text, round, s, "force");
            CHECK_NEAR(t, value_of(t, text), 10.0, 1e-8); // N: 1e5 N/m times 0.1 mm, rounding
        }
    }
    snprintf(text, sizeof text, hollow, 0.0, "count");
    CHECK_NEAR(t, value_of(t, text), 2.0, 0.0); // a count
}

/* The gap of a ball that is far from a cable is known too, and is that to the closest point. */
TEST(a_gap_is_that_of_the_closest_point)
{
    static const char *const text =
        "trammel: 1\n"
        "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [%.17g, 0, 0.53],\n"
        "                shape: {sphere: {radius: 0.02}}}}\n"
        "flexible: {rope: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 4,\n"
        "                  section: {radius: 0.01}, material: {E: 1e6, density: 1000}}}\n"
        "contacts: {on: {between: [ball, rope], flexible: closest, law: linear,\n"
        "                stiffness: 1e5}}\n"
        "outputs: {d: contact_depth(on)}\n";
    // 0.53 m less both radii; beside the end the distance is that from the end
    CHECK_NEAR(t, at_start(t, text, 0.3), -0.5, 1e-12);                    // rounding
    CHECK_NEAR(t, at_start(t, text, 0.5), -0.5, 1e-12);                    // rounding; at a node
    CHECK_NEAR(t, at_start(t, text, 1.4), 0.03 - hypot(0.53, 0.4), 1e-12); // rounding
}

/* --- a plate ------------------------------------------------------------------------------------------- */

/* A ball falls on a plate that is clamped all round: what it had comes back, or is lost in the contact. */
TEST(a_ball_lands_on_a_plate)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {ball: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], position: [0.11, 0.1, 0.107],\n"
        "                velocity: [0.1, 0, -0.3], shape: {sphere: {radius: 0.1}}}}\n"
        "flexible: {sheet: {type: shell, patch: {origin: [0, 0, 0], x: [0.2, 0, 0],\n"
        "           y: [0, 0.2, 0]}, elements: [2, 2], section: {thickness: 0.01},\n"
        "           material: {E: 1e8, nu: 0.3, density: 1000, damping: 1e-4},\n"
        "           edges: {left: {clamp: ground}, right: {clamp: ground}}}}\n"
        "contacts: {on: {between: [ball, sheet], law: hunt_crossley, stiffness: 1e8,\n"
        "                exponent: 1, damping: 0.5, friction: {dynamic: 0.2}}}\n"
        "outputs: {z: DZ(ball), f: contact_force(on), v: VZ(ball)}\n";
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.04, 2e-3, NULL);
    TmlError err = {0};
    Trace run = {0};
    o.tolerance = 1e-7;
    o.integrator = "radau";
    TmlSim *sim = model != NULL ? study_sim(t, model, &o) : NULL;
    if (sim != NULL) {
        double most = 0.0;
        CHECK_OK(t, tml_sim_run(sim, trace_row, &run, &err), &err);
        for (int k = 0; k < run.rows; ++k) {
            most = fmax(most, trace_value(&run, k, 1));
        }
        CHECK(t, most > 10.0);                              // it has touched
        CHECK(t, trace_value(&run, run.rows - 1, 2) > 0.1); // and is on its way back
        CHECK_NEAR(t, tml_sim_stats(sim).max_energy_error, 0.0,
                   1e-7); // J, of 0.03: 1.3e-9 was measured
    }
    trace_free(&run);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- round a drum --------------------------------------------------------------------------------------- */

/* A rope over a drum that turns under it, mu = 0.3 over half a turn, 10 N at the loose end. Friction acts at the surface
 * of the drum (R = 0.1 m), the tension at the axis of the rope (rho = R + r): with T rho' = mu n R and n = T + Q',
 * Q = -mu n r / rho, all grow by exp(b angle), mu R = b rho + mu b^2 r. For r = 0 that is Euler and Eytelwein's. */
static const char *const capstan =
    "trammel: 1\n"
    "parameters: {R: 0.1, r: 1 mm, mu: 0.3, load: 10, rho: R + r - 2e-5}\n"
    "bodies: {drum: {mass: 1, inertia: [0.01, 0.01, 0.01],\n"
    "                shape: {cylinder: {radius: R, length: 0.1, axis: y}}}}\n"
    "joints:\n"
    "  pin: {type: spherical, bodies: [ground, rope], at: [-rho, 0, 0]}\n"
    "  axle: {type: revolute, bodies: [ground, drum], at: [0, 0, 0], axis: y}\n"
    "  turn: {type: motion, joint: axle, function: 5*time}\n"
    "flexible:\n"
    "  rope: {type: cable, plane: zx, elements: 16, section: {radius: r},\n"
    "         arc: {start: [-rho, 0, 0], centre: [0, 0, 0], axis: y, angle: pi},\n"
    "         material: {E: 2e8, density: 1000, damping: 1e-3, mass_damping: 100}}\n"
    "contacts:\n"
    "  wrap: {between: [rope, drum], law: hunt_crossley, exponent: 1, stiffness: 1e7,\n"
    "         damping: 1, friction: {dynamic: mu, static_velocity: 0.01}}\n"
    "forces: {pull: {type: force, frame: rope.end, fz: -load}}\n"
    "outputs: {tight: reaction(pin).fm, press: contact_force(wrap)}\n";

TEST(a_rope_over_a_drum_holds_as_euler_says)
{
    const double mu = 0.3, R = 0.1, r = 1e-3, pi = acos(-1.0);
    double b = mu;
    for (int k = 0; k < 50; ++k) {
        b = mu * R / (R + r + mu * b * r);
    }
    TmlModel *model = study_model(t, capstan);
    TmlSimOptions o = study_options(0.1, 0.1, NULL);
    Trace run = {0};
    o.tolerance = 1e-5;
    if (model != NULL && study_run(t, model, &o, &run)) {
        const double tight = trace_value(&run, 1, 0);
        // a thick rope: what is left is that of its bending, E I / (T rho^2) = 1.6e-3
        CHECK_NEAR(t, tight, 10.0 * exp(b * pi), 5e-3 * tight);
        // Euler's thin one: r / R = 1e-2 of the exponent beside it
        CHECK_NEAR(t, tight, 10.0 * exp(mu * pi), 1.5e-2 * tight);
        // the sum of what presses is that of the tensions' change over mu: friction alone holds
        CHECK_NEAR(t, mu * R * trace_value(&run, 1, 1), (tight - 10.0) * (R + r), 5e-3 * tight * R);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* --- a ball on a beam -------------------------------------------------------------------------------------- */

/* A ball falls onto a cable that is clamped at both ends, before a node, and goes on along it over that. */
#define DROP(x, y, z, more)                                                                        \
    "trammel: 1\n"                                                                                 \
    "gravity: " z "\n"                                                                             \
    "bodies: {ball: {mass: 0.2, inertia: [3.2e-5, 3.2e-5, 3.2e-5], shape: {sphere: {radius: "      \
    "0.02}},\n"                                                                                    \
    "                " x "}}\n"                                                                    \
    "flexible: {beam: {type: cable, elements: 4,                          \n"                      \
    "                  section: {radius: 0.01}, start: {clamp: ground}, end: {clamp: ground},\n"   \
    "                  material: {E: 1e7, density: 1000, damping: 1e-3}, " y "}}\n"                \
    "contacts: {on: {between: [ball, beam], flexible: closest, law: hunt_crossley,\n"              \
    "                stiffness: 1e5, exponent: 1.5, damping: 0.3, friction: {dynamic: 0.2}}}\n"    \
    "outputs: {" more "}\n"

static const char *const drop =
    DROP("position: [0.23, 0, 0.0305], velocity: [1, 0, -0.2]", "line: [[0, 0, 0], [1, 0, 0]]",
         "[0, 0, -9.81]", "z: DZ(ball), x: DX(ball), w: WY(ball), f: contact_force(on)");

static double run_to(TestCtx *t, const TmlModel *model, const char *method, double tolerance,
                     double out[4])
{
    TmlSimOptions o = study_options(0.06, 0.06, NULL);
    TmlError err = {0};
    Trace run = {0};
    o.integrator = t->name = method;
    o.tolerance = tolerance;
    double balance = 0.0;
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, trace_row, &run, &err), &err);
        const TmlSimStats stats = tml_sim_stats(sim);
        balance = stats.max_energy_error;
    }
    for (int k = 0; k < 4; ++k) {
        out[k] = trace_value(&run, 1, k);
    }
    trace_free(&run);
    tml_sim_free(sim);
    return balance;
}

TEST(every_method_agrees_as_the_tolerance_falls)
{
    TmlModel *model = study_model(t, drop);
    double exact[4], x[4];
    if (model == NULL) {
        return;
    }
    run_to(t, model, "radau", 1e-10, exact);
    for (int i = 0; tml_integrator_types[i] != NULL; ++i) {
        const char *method = tml_integrator_types[i]->info.name;
        double off[2];
        for (int k = 0; k < 2; ++k) {
            const double balance = run_to(t, model, method, k == 0 ? 1e-5 : 1e-7, x);
            off[k] = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
            CHECK_NEAR(t, balance, 0.0, 1e-3); // J, of 0.125: what methods of order two damp
        }
        if (study_verbose()) {
            printf("%-20s %.2e %.2e\n", method, off[0], off[1]);
        }
        // m: bdf-i3, the least accurate one, was off by 1.9e-7, the others by 3.5e-8 at most
        CHECK_NEAR(t, off[1], 0.0, 1e-6);
        CHECK(t, off[1] < fmax(off[0], 1e-7));
    }
    t->name = NULL;
    tml_model_free(model);
}

/* The same turned by a quarter about x and moved: heights are the same numbers elsewhere. */
TEST(a_turned_model_moves_as_before)
{
    static const char *const turned = DROP(
        "position: [3.23, -1.0305, 2], velocity: [1, 0.2, 0]", "line: [[3, -1, 2], [4, -1, 2]]",
        "[0, 9.81, 0]", "z: -1 - DY(ball), x: DX(ball) - 3, w: WZ(ball), f: contact_force(on)");
    TmlModel *one = study_model(t, drop), *two = study_model(t, turned);
    double a[4], b[4];
    if (one != NULL && two != NULL) {
        run_to(t, one, "radau", 1e-8, a);
        run_to(t, two, "radau", 1e-8, b);
        // both are right to the tolerance; steps differ in the last digits and so do the errors
        CHECK_NEAR(t, b[0], a[0], 1e-7);
        CHECK_NEAR(t, b[1], a[1], 1e-7);
        CHECK_NEAR(t, b[2], a[2], 1e-4);
    }
    t->name = NULL;
    tml_model_free(one);
    tml_model_free(two);
}

/* --- two flexible bodies ------------------------------------------------------------------------------------ */

/* A cable lies along another one that is held in the air: its weight is what presses, from whichever side it is seen. */
TEST(a_cable_lies_on_another)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -10]\n"
        "flexible:\n"
        "  low: {type: beam, formulation: elastic_line, line: [[0, 0, 0], [1, 0, 0]], elements: "
        "4,\n"
        "        section: {radius: 0.05}, start: {clamp: ground}, end: {clamp: ground},\n"
        "        material: {E: 1e12, density: 1e-3}}\n"
        "  high: {type: cable, plane: zx, line: [[0.2, 0, 0.05985], [0.8, 0, 0.05985]],\n"
        "         elements: 3, section: {radius: 0.01},\n"
        "         material: {E: 1e7, density: 1000, damping: 1e-2, mass_damping: 50}}\n"
        "contacts: {on: {between: [%s], law: hunt_crossley, exponent: 1, stiffness: 2e4,\n"
        "                damping: 5}}\n"
        "outputs: {f: contact_force(on), fz: \"contact_fz(high, low)\"}\n";
    static const char *const names[] = {"low, high", "high, low"};
    const double weight = acos(-1.0) * 1e-4 * 0.6 * 1e4;
    for (int k = 0; k < 2; ++k) {
        char model_text[TEXT];
        Trace run = {0};
        snprintf(model_text, sizeof model_text, text, names[k]);
        TmlModel *model = study_model(t, model_text);
        TmlSimOptions o = study_options(0.5, 0.5, NULL);
        o.tolerance = 1e-6;
        if (model != NULL && study_run(t, model, &o, &run)) {
            // the error is what is left of the first swing: it dies out by exp(-25 * 0.5) = 4e-6, and 2e-6 was measured
            CHECK_NEAR(t, trace_value(&run, 1, 1), weight, 1e-3 * weight);
            CHECK_NEAR(t, trace_value(&run, 1, 0), weight, 1e-3 * weight);
        }
        trace_free(&run);
        tml_model_free(model);
    }
}

/* A cable falls across another that is clamped, node upon node: the weight that is held, and the middle of both. */
TEST(a_cable_hangs_across_another)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -10]\n"
        "flexible:\n"
        "  low: {type: cable, line: [[-0.2, 0, 0], [0.2, 0, 0]], elements: 2, stretch: 1.05,\n"
        "        section: {radius: 0.01}, start: {clamp: ground}, end: {clamp: ground},\n"
        "        material: {E: 1e8, density: 1000, damping: 1e-3, mass_damping: 100}}\n"
        "  high: {type: cable, line: [[0, -0.1, 0.0199], [0, 0.1, 0.0199]], elements: 2,\n"
        "         section: {radius: 0.01},\n"
        "         material: {E: 1e8, density: 1000, damping: 1e-3, mass_damping: 100}}\n"
        "contacts: {on: {between: [low, high], flexible: closest, law: hunt_crossley, exponent: "
        "1,\n"
        "                stiffness: 1e4, damping: 1}}\n"
        "outputs: {f: contact_force(on), n: contact_count(on), y: DY(high)}\n";
    const double weight = acos(-1.0) * 1e-4 * 0.2 * 1e4;
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.3, 0.3, NULL);
    Trace run = {0};
    o.tolerance = 1e-6;
    if (model != NULL && study_run(t, model, &o, &run)) {
        // the error is what is left of the first swing, which dies out by exp(-50 * 0.3) = 3e-7
        CHECK_NEAR(t, trace_value(&run, 1, 0), weight, 1e-3 * weight);
        CHECK_NEAR(t, trace_value(&run, 1, 1), 1.0, 0.0); // a count: at a node, and once
        // it bends, and the ends come in: an estimate, a tenth of a radius
        CHECK_NEAR(t, trace_value(&run, 1, 2), -0.1, 1e-3);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* --- what is refused ------------------------------------------------------------------------------------------ */

#define FLAT(mesh, contact)                                                                        \
    "trammel: 1\n"                                                                                 \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1],\n"                          \
    "                shape: {sphere: {radius: 0.1}}}}\n"                                           \
    "flexible:\n"                                                                                  \
    "  mesh: {material: {E: 1e6, density: 1000}, " mesh "}\n"                                      \
    "  other: {type: plate, material: {E: 1e6, density: 1000}, section: {thickness: 0.01},\n"      \
    "          patch: {origin: [0, 0, 2], x: [1, 0, 0], y: [0, 1, 0]}, elements: [1, 1]}\n"        \
    "contacts: {c: {" contact "}}\n"
#define CABLE "type: cable, line: [[0, 0, 3], [1, 0, 3]], elements: 2, "
#define PLATE                                                                                      \
    "type: plate, section: {thickness: 0.01}, patch: {origin: [0, 0, 3], x: [1, 0, 0], "           \
    "y: [0, 1, 0]}, elements: [1, 1]"
#define SOFT "law: linear, stiffness: 1e5"

static void refuse(TestCtx *t, const char *text, const char *message)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    t->name = message;
    CHECK_INT(t, tml_load_text(text, "model", 0, NULL, NULL, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, message);
    tml_model_free(m);
    t->name = NULL;
}

TEST(what_cannot_touch_is_refused)
{
    refuse(t,
           FLAT(CABLE "section: {area: 1e-4, Iy: 1e-8, Iz: 1e-8}", "between: [mesh, ball], " SOFT),
           "body 'mesh' has no shape that can touch; give it one with 'contact: {radius: ...}'");
    refuse(t,
           FLAT(CABLE "section: {radius: 0.01}, contact: {stations: 2.5}",
                "between: [mesh, ball], " SOFT),
           "stations: expected a whole number from 1 to 8, got 2.5");
    refuse(t,
           FLAT(CABLE "section: {radius: 0.01}, contact: {material: steel}",
                "between: [mesh, ball], " SOFT),
           "unknown material 'steel'");
    refuse(t, FLAT(CABLE "section: {radius: 0.01}, contact: yes", "between: [mesh, ball], " SOFT),
           "contact: expected none, or a map such as {stations: 4}");
    refuse(t, FLAT(CABLE "section: {radius: 0.01}, contact: none", "between: [mesh, ball], " SOFT),
           "body 'mesh' has no shape that can touch");
    refuse(t,
           FLAT(CABLE "section: {radius: 0.01}", "between: [mesh, ball], law: hertz, modulus: 1e9"),
           "the law 'hertz' wants curvatures");
    refuse(t,
           FLAT(CABLE "section: {radius: 0.01}",
                "between: [mesh, ball], flexible: closest, law: restitution, stiffness: 1e5, "
                "restitution: 0.5"),
           "remembers the speed with which a point closed");
    refuse(t,
           FLAT(CABLE "section: {radius: 0.01}",
                "between: [mesh, ball], flexible: closest, " SOFT
                ", friction: {law: elastic, dynamic: 0.3, stiffness: 1e5}"),
           "have no bristles");
    refuse(t, FLAT(CABLE "section: {radius: 0.01}", "between: [mesh, ball], flexible: near, " SOFT),
           "spread");
    refuse(t, FLAT(PLATE, "between: [mesh, ground], flexible: closest, " SOFT),
           "only a round shape, a sphere or an ellipsoid, has a single closest point to a "
           "face; use flexible: spread");
    refuse(t, FLAT(PLATE, "between: [mesh, other], flexible: closest, " SOFT),
           "two flexible bodies touch at their closest points where both are lines");
    refuse(t,
           FLAT("type: beam3, line: [[0, 0, 3], [1, 0, 3]], elements: 2, section: {radius: 0.01}",
                "between: [mesh, ball], flexible: closest, " SOFT),
           "the closest point is one of elements with slopes at their nodes");
    refuse(t,
           FLAT(PLATE, "between: [mesh, other], " SOFT
                       ", friction: {law: elastic, dynamic: 0.3, stiffness: 1e5}"),
           "its points travel over the other flexible body and have no bristles");
    refuse(t,
           FLAT(PLATE, "between: [mesh, other], law: restitution, stiffness: 1e5, restitution: "
                       "0.5"),
           "remembers the speed with which a point closed; take hunt_crossley with damping");
    refuse(
        t,
        "trammel: 1\n"
        "flexible:\n"
        "  a: {type: beam3, line: [[0, 0, 3], [1, 0, 3]], elements: 2, section: {radius: 0.01},\n"
        "      material: {E: 1e6, density: 1000}}\n"
        "  b: {type: beam3, line: [[0, 0, 2], [1, 0, 2]], elements: 2, section: {radius: 0.01},\n"
        "      material: {E: 1e6, density: 1000}}\n"
        "contacts: {c: {between: [a, b], " SOFT "}}\n",
        "of two flexible bodies one has to have slopes at its nodes");
}

/* A flexible body belongs to `all` when it says how it touches. */
TEST(all_means_those_that_say_how)
{
    static const char *const text[] = {
        FLAT(CABLE "section: {radius: 0.01}", "between: all, " SOFT),
        FLAT(CABLE "section: {radius: 0.01}, contact: {stations: 2}", "between: all, " SOFT)};
    for (int k = 0; k < 2; ++k) {
        TmlModel *model = study_model(t, text[k]);
        int stations = 0;
        for (int s = 0; model != NULL && s < model->shapes.n; ++s) {
            stations += model->shapes.at[s].element > 0 && !model->shapes.at[s].segment;
        }
        CHECK_INT(t, stations, k == 0 ? 0 : 4);
        tml_model_free(model);
    }
}

TEST_SUITE(contact_flexible) = {CASE(every_element_rests_as_deep_as_it_weighs),
                                CASE(statics_lays_a_cable_down),
                                CASE(no_force_jumps_where_elements_meet),
                                CASE(a_corner_counts_once),
                                CASE(a_gap_is_that_of_the_closest_point),
                                CASE(a_ball_lands_on_a_plate),
                                CASE(a_rope_over_a_drum_holds_as_euler_says),
                                CASE(every_method_agrees_as_the_tolerance_falls),
                                CASE(a_turned_model_moves_as_before),
                                CASE(a_cable_lies_on_another),
                                CASE(a_cable_hangs_across_another),
                                CASE(what_cannot_touch_is_refused),
                                CASE(all_means_those_that_say_how),
                                {0}};
