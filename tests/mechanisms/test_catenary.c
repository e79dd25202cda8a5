/* tests/mechanisms/test_catenary.c - ropes, constants that statics adjusts, starts in equilibrium, overhead lines. */
#include "analysis/study.h"

#include "trammel/analysis.h"
#include "trammel/channels.h"
#include "trammel/flexible.h"

#include <math.h>

static double value(const TmlSim *sim, const char *channel)
{
    return tml_row_channel(sim, tml_sim_channel_find(sim, channel));
}

static TmlSim *at_rest(TestCtx *t, const TmlModel *model)
{
    const TmlSimOptions o = study_options(1.0, 0.1, NULL);
    TmlError err = {0};
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, NULL, &err), &err);
    }
    return sim;
}

static void refused(TestCtx *t, const char *text, const char *part)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    CHECK(t, tml_load_text(text, "test", 0, NULL, NULL, &model, &err) != TML_OK);
    CHECK_HAS(t, err.message, part);
    tml_model_free(model);
}

/* --- adjust ----------------------------------------------------------------------------------- */

static const char hanging[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [0, 0, -1], velocity: [0.3, 0, 0]}}\n"
    "joints: {g: {type: planar, bodies: [ground, b], at: [0, 0, -1], axis: y}}\n"
    "forces:\n"
    "  r: {type: rope, bodies: [ground, b], points: [[0, 0, 0], [0, 0, -1]], stiffness: 1e4,\n"
    "      free_length: 0.99, longer: a, damping: 20}\n"
    "  h: {type: rotational_spring, bodies: [ground, b], at: [0, 0, -1], axis: y, stiffness: 10}\n"
    "variables: {a: {adjust: DZ(b) + 1.2}}\n"
    "outputs: {a: a, z: DZ(b), x: DX(b), tension: output(r).tension}\n"
    "simulate: {start: equilibrium}\n";

/* The rope is as long as its load at the prescribed height asks for, 1.2 - 0.99 - m g / k, in every method: the start is at rest
 * with the velocity that was given, and the constant stays to the last bit. */
TEST(statics_finds_a_length)
{
    static const char *const method[] = {"hht",    "radau",  "rosenbrock",        "adams",
                                         "dop853", "bdf-i3", "generalized-alpha", "tlismni-hht"};
    const double a = 1.2 - 0.99 - 2.0 * 9.81 / 1e4;
    TmlModel *model = study_model(t, hanging);
    double last[8] = {0};
    for (int k = 0; k < 8 && model != NULL; ++k) {
        Trace run;
        TmlSimOptions o = study_options(0.5, 0.1, NULL);
        o.integrator = method[k];
        o.tolerance = 1e-8;
        t->name = method[k];
        if (study_run(t, model, &o, &run)) {
            // statics ends at 1e-10 of the model's size, 1 m
            CHECK_NEAR(t, trace_value(&run, 0, 0), a, 1e-10);
            CHECK_NEAR(t, trace_value(&run, 0, 1), -1.2, 1e-10);
            CHECK_NEAR(t, trace_value(&run, 5, 0), trace_value(&run, 0, 0), 0.0);
            last[k] = trace_value(&run, 5, 2);
            // the error of 1e-8 a step adds up over some hundred steps
            CHECK_NEAR(t, last[k], last[0], 2e-6);
            CHECK(t, fabs(last[k]) > 0.1); // it swings
            // violations at rest are none of the run
            CHECK(t, run.stats.max_phi_dot < 1e-6);
        }
        trace_free(&run);
    }
    tml_model_free(model);
}

TEST(adjust_is_a_constant)
{
    refused(t, "trammel: 1\nvariables: {a: {adjust: time, value: 1}}\n",
            "give either 'value' or 'adjust'");
    refused(t, "trammel: 1\nvariables: {a: {adjust: a - 1}, b: rate(a)}\nsimulate: {end: 1}\n",
            "constant that statics finds");
    refused(t, "trammel: 1\nvariables: {a: {initial: 1}}\n", "missing key 'value' (or 'adjust')");
    refused(t, "trammel: 1\nsimulate: {start: static}\n", "start");
}

/* --- rope ------------------------------------------------------------------------------------- */

/* A mass that is thrown up from where its rope comes taut: free flight, then half a swing on the rope. Both are closed forms. */
TEST(rope_goes_slack)
{
    static const char text[] =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {b: {type: point, mass: 2, position: [0, 0, -1], velocity: [0, 0, 1]}}\n"
        "forces: {r: {type: rope, frames: [ground, b], stiffness: 5000, free_length: 1}}\n"
        "outputs: {z: DZ(b), v: VZ(b), tension: output(r).tension}\n";
    const double g = 9.81, w = sqrt(2500.0), fall = 2.0 / g;
    // from z = 0 down with the speed 1: z = -(g / w^2)(1 - cos) - sin / w; back at 0 after
    const double swing = (2.0 * 3.14159265358979323846 - 2.0 * atan2(w, g)) / w;
    const double end = fall + swing;
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(end, end / 4.0, NULL);
    Trace run;
    o.integrator = "radau";
    o.tolerance = 1e-9;
    if (model != NULL && study_run(t, model, &o, &run)) {
        // the corner of the force costs one step of reduced order: 1e-7 of the way of some cm
        CHECK_NEAR(t, trace_value(&run, 4, 0), -1.0, 1e-7);
        CHECK_NEAR(t, trace_value(&run, 4, 1), 1.0, 1e-5);
        CHECK_NEAR(t, trace_value(&run, 1, 2), 0.0, 0.0);
        trace_free(&run);
    }
    tml_model_free(model);
}

/* --- wires ------------------------------------------------------------------------------------ */

/* A taut string whose slope is damped: the first mode decays with the rate c w^2 / (2 T), as by a time c / T of its stiffness. */
TEST(slope_damping)
{
    static const char text[] = "trammel: 1\n"
                               "flexible:\n"
                               "  s: {type: cable, line: [[0, 0, 0], [10, 0, 0]], elements: 16, "
                               "plane: zx, stretch: 1.0000999850,\n"
                               "      displacement: [0, 0, 1e-4*sin(pi*s)], material: {E: 1e11, "
                               "density: 1e4, slope_damping: 20},\n"
                               "      section: {area: 1e-4, Iy: 1e-15, Iz: 1e-15}, start: {pin: "
                               "ground}, end: {pin: ground},\n"
                               "      frames: {m: {at: 0.5}}}\n"
                               "outputs: {z: DZ(s.m)}\n";
    // T = 1000 N, 1 kg/m: w = pi / 10 * sqrt(1000), decay rate 20 (pi / 10)^2 / 2
    const double pi = 3.14159265358979323846, w = pi / 10.0 * sqrt(1000.0),
                 d = 10.0 * pi * pi / 100.0;
    const double wd = sqrt(w * w - d * d), end = 2.0 * pi / wd;
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(end, end, NULL);
    Trace run;
    o.integrator = "radau";
    o.tolerance = 1e-7;
    if (model != NULL && study_run(t, model, &o, &run)) {
        // 16 cubic elements have the frequency to 1e-6; strain 1e-4 changes mass and tension by that
        CHECK_NEAR(t, trace_value(&run, 1, 0) / trace_value(&run, 0, 0), exp(-d * end), 1e-3);
        trace_free(&run);
    }
    tml_model_free(model);
    refused(t,
            "trammel: 1\nflexible: {b: {type: beam, line: [[0, 0, 0], [1, 0, 0]], elements: 1,\n"
            "  material: {E: 1e9, density: 1, slope_damping: 1}, section: {radius: 0.01}}}\n",
            "goes with type cable");
}

static TmlModel *overhead(TestCtx *t, const char *more, const char *rest)
{
    char text[2048];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, 0, -9.81]\n"
             "catenaries:\n"
             "  l: {spans: [50, 40], element: 2.5, contact_wire: {tension: 2e4, mass: 1.35, EA: "
             "1.8e7, EI: 195},\n"
             "      messenger: {tension: 16e3, mass: 1.07, EA: 1.3e7, EI: 130, height: 1.2}, arms: "
             "{stiffness: 300, mass: 0.5},\n"
             "      droppers: {at: [[5, 15, 25, 35, 45], [5, 20, 35]], stiffness: 1e5, clamp: "
             "0.2}, damping: 1e-4%s}\n"
             "outputs:\n"
             "  z1: DZ(l_contact.d1_1)\n  z3: DZ(l_contact.d1_3)\n  s: \"DZ(l_contact.s1, l_s1)\"\n"
             "  sum: \"force(l_support1).fz + force(l_arm1).fz\"\n"
             "  tension: \"output(l_d1_1).tension + output(l_d1_2).tension + "
             "output(l_d1_3).tension + output(l_d1_4).tension"
             " + output(l_d1_5).tension\"\n"
             "%s",
             more, rest);
    return study_model(t, text);
}

/* Feet hang where they should, the wires have their tension and length, droppers carry the weight, and nothing moves when the
 * run starts where the file says. */
TEST(line_hangs_as_prescribed)
{
    TmlModel *model = overhead(t, ", sag: 0.02", "simulate: {end: 0.1, output_step: 0.05}\n");
    if (model == NULL) {
        return;
    }
    TmlSimOptions o = study_options(0.1, 0.05, NULL);
    Trace run;
    if (study_run(t, model, &o, &run)) {
        for (int k = 0; k < 3; ++k) {
            // rest to the tolerance of statics, 1e-10 of a size of 90 m
            CHECK_NEAR(t, trace_value(&run, k, 0), -0.02 * 4.0 * 0.1 * 0.9, 1e-7);
            CHECK_NEAR(t, trace_value(&run, k, 1), -0.02, 1e-7);
            CHECK_NEAR(t, trace_value(&run, k, 2), 0.0, 1e-7);
        }
        // weight of the contact wire between the middles of the outer bays, and clamps; the parabola of 20 mm turns
        // the tension by 8 f T / L^2 * length, its outer bays by the rest
        const double wire = 1.35 * 9.81, lift = 2e4 * 8.0 * 0.02 / 2500.0;
        CHECK(t, fabs(trace_value(&run, 0, 4) - (wire * 45.0 + 5.0 * 0.2 * 9.81 - lift * 40.0)) <
                     0.2 * wire * 45.0);
        trace_free(&run);
    }
    TmlSim *sim = at_rest(t, model);
    if (sim != NULL) {
        const double middle[3] = {0.5, 0.0, 0.0};
        const int contact = tml_model_flexible_find(model, "l_contact"),
                  messenger = tml_model_flexible_find(model, "l_messenger");
        // along the line; slopes of 2e-3 and 0.04 make the force along the wire longer by their squares, sums of
        // shears between nodes count as well
        CHECK_NEAR(t, tml_row_strain(sim, contact, middle, 2), 2e4, 2e-3 * 2e4);
        CHECK_NEAR(t, tml_row_strain(sim, messenger, middle, 2), 16e3, 5e-3 * 16e3);
        // the ends come to lie where the line ends: droppers and weights are guessed to a per cent of the sag's 0.1 m
        const int last = tml_model_flexible(model, messenger).nodes - 1;
        CHECK_NEAR(t, tml_row_node(sim, messenger, last, 0).x, 90.0, 5e-3);
        CHECK_NEAR(t, tml_row_node(sim, contact, tml_model_flexible(model, contact).nodes - 1, 0).x,
                   90.0, 1e-3);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* The same line along y, moved, and with stagger in the plane of its neighbour. */
TEST(line_in_other_directions)
{
    double tension[3] = {0};
    static const char *const more[] = {"", ", direction: y, start: [3, -7, 5]", ", stagger: 1e-6"};
    for (int k = 0; k < 3; ++k) {
        TmlModel *model = overhead(t, more[k], "simulate: {end: 0.1}\n");
        TmlSim *sim = model != NULL ? at_rest(t, model) : NULL;
        if (sim != NULL) {
            tension[k] = value(sim, "tension");
            // rest to the tolerance of statics, 1e-10 of a size of 90 m
            CHECK_NEAR(t, value(sim, "z1"), k == 1 ? 5.0 : 0.0, 1e-7);
            // equilibria to 1e-10 of 90 m on ropes of 1e5 N/m
            CHECK_NEAR(t, tension[k], tension[0], 1e-2);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* Wires of 5 % stretch: mass and bending are those of a stretched metre. The wire swings in two half waves about its dropper, which stays:
 * w^2 = (T k^2 + EI k^4) / m with k = 2 pi / L. Both terms count, T : EI k^2 = 2 : 1. */
TEST(mass_and_bending_of_a_stretched_metre)
{
    static const double T = 2e4, EI = 1e5, m = 1.35, L = 20.0;
    TmlModel *model = study_model(
        t, "trammel: 1\n"
           "gravity: [0, 0, -9.81]\n"
           "catenaries:\n"
           "  l: {spans: [20], element: 0.5, contact_wire: {tension: 2e4, mass: 1.35, EA: 4e5, EI: "
           "1e5},\n"
           "      messenger: {tension: 1e4, mass: 1, EA: 2e5, height: 1.5}, droppers: {at: [10], "
           "stiffness: 1e5, clamp: 0.2}}\n"
           "outputs: {z: DZ(l_contact.d1_1)}\n"
           "simulate: {end: 0.1}\n");
    TmlSim *sim = model != NULL ? at_rest(t, model) : NULL;
    TmlLinear *lin = NULL;
    TmlError err = {0};
    if (sim != NULL) {
        const double arc = pow(m * 9.81 * 0.5 * L / T, 2.0) / 24.0; // of two parabolas, in parts
        const int contact = tml_model_flexible_find(model, "l_contact");
        // the arc is guessed by the same parabolas
        CHECK_NEAR(t, tml_model_flexible(model, contact).mass / (m * L), 1.0, 2.0 * arc + 1e-9);
        CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
    }
    if (lin != NULL) {
        const double k = 2.0 * 3.14159265358979323846 / L;
        const double want = sqrt((T * k * k + EI * k * k * k * k) / m);
        double nearest = 0.0;
        for (int i = 0; i < tml_linear_info(lin).modes; ++i) {
            const double w = tml_linear_mode(lin, i).imag;
            nearest = fabs(w - want) < fabs(nearest - want) ? w : nearest;
        }
        // sags of 8 mm in half a span of 10 m and 20 elements a half wave count by 1e-5; the cable's tension by its strain to 1e-3
        CHECK_NEAR(t, nearest / want, 1.0, 1e-3);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Three spans with heavy clamps and stagger. The messenger carries the wire and the clamps at both ends of the droppers, and is as much
 * longer as it hangs deeper, so that its end comes to lie where the line ends; without the clamps of the contact wire it would miss
 * that by some cm. The wire lies to the left at the first support, and to the right at the second. */
TEST(heavy_clamps_and_three_spans)
{
    TmlModel *model = study_model(
        t, "trammel: 1\n"
           "gravity: [0, 0, -9.81]\n"
           "catenaries:\n"
           "  l: {spans: 3, span: 40, element: 2.5, contact_wire: {tension: 2e4, mass: 1.35, EA: "
           "1.8e7, EI: 195},\n"
           "      messenger: {tension: 16e3, mass: 1.07, EA: 1.3e7, EI: 130, height: 1.8}, ends: "
           "weights, stagger: 0.2,\n"
           "      droppers: {at: [5, 15, 25, 35], stiffness: 1e5, clamp: 4}}\n"
           "outputs: {y1: DY(l_contact.s1), y2: DY(l_contact.s2)}\n"
           "simulate: {end: 0.1}\n");
    TmlSim *sim = model != NULL ? at_rest(t, model) : NULL;
    if (sim != NULL) {
        const int messenger = tml_model_flexible_find(model, "l_messenger");
        const int last = tml_model_flexible(model, messenger).nodes - 1;
        // guessed with an error of a few per cent of the 0.2 m by which it is longer than its chords
        CHECK_NEAR(t, tml_row_node(sim, messenger, last, 0).x, 120.0, 5e-3);
        // error of rigid arms: those of 1e6 N/m give way to 2e4 N (0.2/40 + 0.4/40), 3e-4 m, and to droppers that lean
        CHECK_NEAR(t, value(sim, "y1"), 0.2, 1e-3);
        CHECK_NEAR(t, value(sim, "y2"), -0.2, 1e-3);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(line_says_what_is_wrong)
{
    static const char head[] = "trammel: 1\ngravity: -z\ncatenaries:\n  l: {%s}\n";
    static const char wires[] = "contact_wire: {tension: 2e4, mass: 1.35, EA: 1.8e7}, messenger: "
                                "{tension: 16e3, mass: 1, EA: 1e7, height: 1.2}";
    const struct {
        const char *more, *part;
    } wrong[] = {
        {"spans: 2, droppers: {at: [5], stiffness: 1e5}", "with 'span', the length of each"},
        {"spans: 0, span: 60, droppers: {at: [5], stiffness: 1e5}", "expected 1 to"},
        {"spans: 1, span: 60, droppers: {at: [5, 4], stiffness: 1e5}", "rising places"},
        {"spans: 1, span: 60, droppers: {at: [5, 65], stiffness: 1e5}", "rising places"},
        {"spans: 1, span: 60, droppers: {at: [[5], [7]], stiffness: 1e5}", "2 lists for 1 spans"},
        {"spans: 1, span: 60, sag: [0.1, 0.2], droppers: {at: [30], stiffness: 1e5}",
         "2 depths for 1 droppers"},
        {"spans: 1, span: 60, droppers: {at: [30]}", "missing key 'stiffness'"},
        {"spans: 1, span: 60", "missing key 'droppers'"},
        {"spans: 1, span: 60, element: 1e-9, droppers: {at: [30], stiffness: 1e5}", "more than"},
        {"spans: 1, span: 60, sag: 3, droppers: {at: [20, 40], stiffness: 1e5}", "shape at rest"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char inner[1024], text[2048];
        snprintf(inner, sizeof inner, "%s, %s", wires, wrong[k].more);
        snprintf(text, sizeof text, head, inner);
        t->name = wrong[k].more;
        refused(t, text, wrong[k].part);
    }
}

/* A line that zigzags lies where its arms hold it, its droppers lean, and still nothing moves at the start. */
TEST(line_with_stagger)
{
    TmlModel *model = overhead(t, ", stagger: 0.2, sag: 0.01, ends: weights",
                               "  y: DY(l_contact.s1)\n  y2: DY(l_contact.d1_3)\nsimulate: {end: "
                               "0.1, output_step: 0.1}\n");
    TmlSimOptions o = study_options(0.1, 0.1, NULL);
    Trace run;
    if (model != NULL && study_run(t, model, &o, &run)) {
        for (int k = 0; k < 2; ++k) {
            // the arm of 1e6 N/m gives way: 2e4 N (0.2/50 + 0.2/40) of the wire, and 70 N of droppers that lean by
            // 0.1 m of 1.2 m under 45 m of wire, known to an accuracy of a third
            CHECK_NEAR(t, trace_value(&run, k, 5), 0.2 - 2.5e-4, 3e-5);
            // half way between end and support; droppers pull it back by some mm, 20 % are allowed
            CHECK_NEAR(t, trace_value(&run, k, 6), 0.1, 0.02);
            // rest to the tolerance of statics, 1e-10 of a size of 90 m
            CHECK_NEAR(t, trace_value(&run, k, 1), -0.01, 1e-7);
        }
        CHECK_NEAR(t, trace_value(&run, 1, 5), trace_value(&run, 0, 5), 1e-7);
        trace_free(&run);
    }
    tml_model_free(model);
}

/* A ball that is driven along under a wire passes 20 elements. The matrix knows those ahead: patterns change with the horizon of 12
 * elements, not with each one. In a plane the wire moves as in space, about all axes: forces, matrices and rows of both agree. */
TEST(head_passes_elements)
{
    static const struct {
        const char *plane, *x, *z;
    } way[] = {{"", "1, 0, 0", "z"},
               {"plane: zx,", "1, 0, 0", "z"},
               {"plane: yz,", "0, 1, 0", "z"},
               {"plane: xy,", "1, 0, 0", "y"}};
    double force[4][2] = {{0}};
    for (int k = 0; k < 4; ++k) {
        char text[2048];
        const bool y = way[k].z[0] == 'y', along_y = way[k].x[0] == '0';
        snprintf(
            text, sizeof text,
            "trammel: 1\n"
            "flexible:\n"
            "  w: {type: cable, line: [[0, 0, 0], [%s]], elements: 40, %s stretch: 1.001,\n"
            "      material: {E: 1e9, density: 1e3, damping: 1e-4}, section: {area: 1e-5, Iy: "
            "1e-12, Iz: 1e-12},\n"
            "      contact: {radius: 1e-3}, start: {pin: ground}, end: {pin: ground}}\n"
            "bodies:\n"
            "  slide: {mass: 1, inertia: [1, 1, 1], position: [%s], velocity: [%s]}\n"
            "  b: {mass: 0.01, inertia: [1, 1, 1], position: [%s], velocity: [%s], shape: "
            "{sphere: {radius: 0.004}}}\n"
            "joints:\n"
            "  t: {type: translational, bodies: [ground, slide], at: [0, 0, 0], axis: %c}\n"
            "  d: {type: motion, joint: t, function: 10*time}\n"
            "  u: {type: translational, bodies: [slide, b], at: [0, 0, 0], axis: %s}\n"
            "forces: {p: {type: force, frame: b, f%s: 0.2 - 0.1*V%s(b)}}\n"
            "contacts: {c: {between: [b, w], flexible: closest, law: linear, stiffness: 1e4}}\n"
            "outputs: {force: contact_force(c), r: reaction(u).fm}\n",
            along_y ? "0, 1, 0" : "1, 0, 0", way[k].plane, along_y ? "0, 0.2, 0" : "0.2, 0, 0",
            along_y ? "0, 10, 0" : "10, 0, 0",
            along_y ? "0, 0.2, -0.005"
            : y     ? "0.2, -0.005, 0"
                    : "0.2, 0, -0.005",
            along_y ? "0, 10, 0" : "10, 0, 0", along_y ? 'y' : 'x', way[k].z, way[k].z,
            y ? "Y" : "Z");
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(0.05, 0.025, NULL);
        Trace run;
        t->name = way[k].plane;
        o.integrator = "radau";
        o.tolerance = 1e-7;
        if (model != NULL && study_run(t, model, &o, &run)) {
            force[k][0] = trace_value(&run, 1, 0);
            force[k][1] = trace_value(&run, 2, 0);
            CHECK(t, force[k][1] > 0.05); // it touches
            // 0.5 m are 20 elements, coupled by 12 to both sides
            CHECK(t, run.stats.contact_patterns >= 1 && run.stats.contact_patterns <= 4);
            // rows are put onto the constraints to rounding: a few ulp of 1 m, and of its rate, which has factors of some hundred 1/s
            CHECK(t, run.stats.max_row_phi < 1e-14 && run.stats.max_row_phi_dot < 1e-12);
            // a hundred steps of 1e-7 and forces of 1 kN by 1e4 N/m
            CHECK_NEAR(t, force[k][0], force[0][0], 1e-4);
            CHECK_NEAR(t, force[k][1], force[0][1], 1e-4);
            trace_free(&run);
        }
        tml_model_free(model);
    }
}

/* A string that runs between two eyes comes back after 2 L c / (c^2 - v^2): waves take L / (c + v) with the motion, L / (c - v)
 * against it. What mass_damping takes off its velocity along the way it does not give back: modes decay with d/2. */
TEST(string_that_runs)
{
    static const char *const method[] = {"radau", "rosenbrock", "hht", "generalized-alpha",
                                         "adams"};
    static const char text[] =
        "trammel: 1\n"
        "parameters: {c: 20, v: 8, L: 2, T: 100, e: 1e-3, l: 1 + e - 1.5*e^2, d: %d}\n"
        "flexible:\n"
        "  s: {type: cable, line: [[0, 0, 0], [%s]], elements: 16, plane: %s, stretch: l, "
        "transport: v/l,\n"
        "      displacement: [%s],\n"
        "      material: {E: 1e9, density: T/c^2/1e-4*l, mass_damping: d}, section: {area: 1e-4, "
        "Iy: "
        "1e-16, Iz: 1e-16},\n"
        "      start: {pin: ground}, end: {pin: ground}, frames: {m: {at: 0.5}}}\n"
        "outputs: {w: D%c(s.m)}\n";
    const double period = 2.0 * 2.0 * 20.0 / (400.0 - 64.0), pi = 3.14159265358979323846;
    for (int k = 0; k < 5; ++k) {
        char model_text[1024];
        const bool other = k == 4;
        snprintf(model_text, sizeof model_text, text, 0, other ? "0, 0, 2" : "2, 0, 0",
                 other ? "zx" : "xy", other ? "1e-4*sin(pi*s), 0, 0" : "0, 1e-4*sin(pi*s), 0",
                 other ? 'X' : 'Y');
        TmlModel *model = study_model(t, model_text);
        TmlSimOptions o = study_options(period, 0.5 * period, NULL);
        Trace run;
        o.integrator = method[other ? 0 : k];
        o.tolerance = other || k < 2 ? 1e-9 : 1e-8;
        t->name = o.integrator;
        if (model != NULL && study_run(t, model, &o, &run)) {
            const double w = trace_value(&run, 0, 0);
            // the start is the given shape, interpolated by elements of a sixteenth: their error is below 1e-3 of it
            CHECK_NEAR(t, w, 1e-4, 1e-7);
            // stretch and 16 elements: 2e-3 of the period at most, hardly felt at an extreme; order two adds a hundred steps of 1e-8 m
            CHECK_NEAR(t, trace_value(&run, 2, 0) / w, 1.0, 0.02);
            // the strain energy of the stretch is 1e5 times that of the swing
            CHECK(t, run.stats.max_energy_error < 1e-6);
            trace_free(&run);
        }
        tml_model_free(model);
    }
    char model_text[1024];
    snprintf(model_text, sizeof model_text, text, 3, "2, 0, 0", "xy", "0, 0, 0", 'Y');
    TmlModel *model = study_model(t, model_text);
    TmlSim *sim = model != NULL ? at_rest(t, model) : NULL;
    TmlLinear *lin = NULL;
    TmlError err = {0};
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
    }
    if (lin != NULL) {
        const TmlMode mode = tml_linear_mode(lin, 0);
        // (pi n (c^2 - v^2)/(L c))^2 - d^2/4 (1 - v^2/c^2); the stretch of 1e-3 and 16 elements, as above
        CHECK_NEAR(t, mode.real, -1.5, 1e-6);
        CHECK_NEAR(t, mode.imag, sqrt(pow(2.0 * pi / period, 2.0) - 2.25 * (1.0 - 0.16)), 0.05);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
    static const char bad[] = "trammel: 1\nflexible: {b: {type: %s, line: [[0, 0, 0], [1, 0, 0]], "
                              "elements: 1, transport: 1,\n"
                              "  material: {E: 1e9, density: 1%s}, section: {radius: 0.01}%s}}\n";
    static const char *const wrong[][4] = {
        {"beam", "", "", "goes with type cable"},
        {"cable", ", damping: 1e-3", "", "take 'mass_damping'"},
        {"cable", "", ", contact: {}", "contact is not for wires"},
    };
    for (int k = 0; k < 3; ++k) {
        snprintf(model_text, sizeof model_text, bad, wrong[k][0], wrong[k][1], wrong[k][2]);
        refused(t, model_text, wrong[k][3]);
    }
}

/* --- filter ----------------------------------------------------------------------------------- */

/* Steady tones pass with the square of the gain of the filter, 1 / (1 + (tan(pi f h) / tan(pi f0 h))^8), and are not late. */
TEST(low_pass_of_tones)
{
    enum { N = 4001 };
    static double time[N], x[N], y[N];
    const double h = 1e-3, pi = 3.14159265358979323846;
    TmlError err = {0};
    for (int f = 5; f <= 45; f += 10) {
        for (int k = 0; k < N; ++k) {
            time[k] = 2.0 + k * h;
            x[k] = 100.0 + 30.0 * sin(2.0 * pi * f * time[k]);
        }
        CHECK_OK(t, tml_low_pass(N, time, x, 20.0, 4, y, &err), &err);
        const double ratio = tan(pi * f * h) / tan(pi * 20.0 * h),
                     gain = 1.0 / (1.0 + pow(ratio, 8.0));
        for (int k = 1500; k < 2500; k += 97) {
            // the ends, 1.5 s or 30 periods of the corner away, have died out to rounding
            CHECK_NEAR(t, y[k], 100.0 + gain * 30.0 * sin(2.0 * pi * f * time[k]), 1e-9);
        }
    }
    const TmlStatistics s = tml_statistics(N, time, x, 3.0, 4.0 - 1e-9, 100.0);
    CHECK_INT(t, s.rows, 1000);
    CHECK_NEAR(t, s.mean, 100.0, 1e-9);
    CHECK_NEAR(t, s.deviation, 30.0 / sqrt(2.0), 1e-9); // whole periods
    CHECK_NEAR(t, s.loss, 0.5, 0.05);
    CHECK(t, tml_low_pass(N, time, x, 600.0, 4, y, &err) == TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "two rows a period");
    CHECK(t, tml_low_pass(N, time, x, 20.0, 3, y, &err) == TML_E_ARGUMENT);
    time[N - 1] -= 0.3 * h; // the end of a run
    CHECK_OK(t, tml_low_pass(N, time, x, 20.0, 4, y, &err), &err);
    time[7] += 1e-5;
    CHECK(t, tml_low_pass(N, time, x, 20.0, 4, y, &err) == TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "equal distances");
    CHECK(t, isnan(tml_statistics(N, time, x, 100.0, 200.0, 0.0).mean));
}

TEST_SUITE(catenary) = {
    CASE(statics_finds_a_length),
    CASE(adjust_is_a_constant),
    CASE(rope_goes_slack),
    CASE(slope_damping),
    CASE(line_hangs_as_prescribed),
    CASE(line_in_other_directions),
    CASE(line_with_stagger),
    CASE(mass_and_bending_of_a_stretched_metre),
    CASE(heavy_clamps_and_three_spans),
    CASE(line_says_what_is_wrong),
    CASE(head_passes_elements),
    CASE(string_that_runs),
    CASE(low_pass_of_tones),
    {0},
};
