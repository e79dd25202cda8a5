/* tests/mechanisms/test_flexible_nodes.c - lines through listed nodes, kept in a plane, damped by
 * mass; sections one an element; frames beside nodes.
 */
#include "flexible_util.h"

#include <math.h>

static double channel(const FlexCase *c, const char *name)
{
    const int k = c->sim != NULL ? tml_sim_channel_find(c->sim, name) : -1;
    return k >= 0 ? tml_row_channel(c->sim, k) : (double)NAN;
}

/* Channels of the equilibrium. */
static void settle(TestCtx *t, const char *text, int n, const char *const *names, double *out)
{
    FlexCase c = flex_case(t, text, 0, NULL, NULL);
    const bool ok = flex_settle(t, &c);
    for (int k = 0; k < n; ++k) {
        out[k] = ok ? channel(&c, names[k]) : (double)NAN;
    }
    flex_close(&c);
}

#define ROD                                                                                        \
    "material: {E: 2e9, nu: 0.3, density: 1000}, section: {height: 0.02, width: 0.03}, "           \
    "formulation: elastic_line"

/* A quarter of a circle by four nodes, and by `arc`. Hermite's cubic over an angle a is a^4/384
 * = 2e-4 from the circle at most and shorter by a^4/720 = 1e-4, the parabola of an element through
 * three of its points by as much again and a^4/2880: some 3e-4 of the weight on the wall. */
TEST(quarter_circle)
{
    static const char *const names[] = {"x", "z", "hold"};
    static const char frame[] =
        "gravity: -z\n"
        "joints: {wall: {type: fixed, bodies: [ground, b], at: [0, 0, 0]}}\n"
        "outputs: {x: DX(b.end), z: DZ(b.end), hold: reaction(wall).fz}\n";
    char text[2048];
    double listed[3], arc[3];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "flexible:\n"
             "  b: {type: beam3, nodes: [{position: [0, 0, 0]},\n"
             "      {position: [sin(pi/6), 1 - cos(pi/6), 0], rotation: {axis: z, angle: pi/6}},\n"
             "      {position: [sin(pi/3), 1 - cos(pi/3), 0], rotation: {axis: z, angle: pi/3}},\n"
             "      {position: [1, 1, 0], rotation: {axis: z, angle: pi/2}}], " ROD "}\n"
             "%s",
             frame);
    settle(t, text, 3, names, listed);
    snprintf(
        text, sizeof text,
        "trammel: 1\n"
        "flexible:\n"
        "  b: {type: beam3, arc: {start: [0, 0, 0], centre: [0, 1, 0], axis: z, angle: pi/2},\n"
        "      elements: 3, " ROD "}\n"
        "%s",
        frame);
    settle(t, text, 3, names, arc);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(t, listed[k], arc[k], 1e-3 * fabs(arc[k]));
    }
    const double weight = 1000 * 6e-4 * 9.80665 * 0.5 * 3.14159265358979;
    CHECK_NEAR(t, fabs(listed[2]), weight, 4e-4 * weight);
}

/* A straight rod twisted by a quarter turn from node to node is the one of `twist`. */
TEST(twist_between_nodes)
{
    static const char *const names[] = {"y", "z"};
    static const char *const axis[] = {
        "nodes: [{position: [0, 0, 0]}, {position: [0.5, 0, 0], rotation: {axis: x, angle: pi/4}}, "
        "{position: [1, 0, 0], rotation: {axis: x, angle: pi/2}}]",
        "line: [[0, 0, 0], [1, 0, 0]], elements: 2, y_axis: y, twist: pi/2"};
    double value[2][2];
    for (int k = 0; k < 2; ++k) {
        char text[1024];
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "flexible: {b: {type: beam3, start: {clamp: ground}, %s, " ROD "}}\n"
                 "forces: {tip: {type: force, frame: b.end, fy: 3, fz: 5}}\n"
                 "outputs: {y: DY(b.end), z: DZ(b.end)}\n",
                 axis[k]);
        settle(t, text, 2, names, value[k]);
    }
    // the same nodes but for rounding; the equilibrium is found to 1e-10
    CHECK_NEAR(t, value[0][0], value[1][0], 1e-9);
    CHECK_NEAR(t, value[0][1], value[1][1], 1e-9);
}

/* In a plane a load across moves nothing, and one along it as without the plane. */
TEST(kept_in_a_plane)
{
    static const struct {
        const char *word, *from, *to, *y;
        const char *in, *out; /* load along and across */
        const char *along, *across;
    } plane[] = {{"xy", "[0, 0, 0.3]", "[1, 0, 0.3]", "y", "fy: 40", "fz: 1e3", "DY", "DZ"},
                 {"yz", "[0.3, 0, 0]", "[0.3, 1, 0]", "z", "fz: 40", "fx: 1e3", "DZ", "DX"},
                 {"zx", "[0, 0.3, 0]", "[0, 0.3, 1]", "x", "fx: 40", "fy: 1e3", "DX", "DY"}};
    static const char *const names[] = {"along", "across"};
    for (int k = 0; k < 3; ++k) {
        double value[2][2];
        t->name = plane[k].word;
        for (int kept = 0; kept < 2; ++kept) {
            char text[1024];
            snprintf(text, sizeof text,
                     "trammel: 1\n"
                     "flexible: {b: {type: beam3, %s%s%s start: {clamp: ground}, elements: 4,\n"
                     "               line: [%s, %s], y_axis: %s, " ROD "}}\n"
                     "forces: {tip: {type: force, frame: b.end, %s%s%s}}\n"
                     "outputs: {along: %s(b.end), across: %s(b.end)}\n",
                     kept ? "plane: " : "", kept ? plane[k].word : "", kept ? "," : "",
                     plane[k].from, plane[k].to, plane[k].y, plane[k].in, kept ? ", " : "",
                     kept ? plane[k].out : "", plane[k].along, plane[k].across);
            settle(t, text, 2, names, value[kept]);
        }
        CHECK(t, value[0][0] > 0.1); // large: 40 N bend it by a third of its length
        CHECK_NEAR(t, value[1][0], value[0][0], 1e-9); // both equilibria are found to 1e-10
        CHECK_NEAR(t, value[1][1], 0.3, 0.0);
    }
}

/* A list of sections is what expressions of s give for the middles of the elements. */
TEST(sections_one_an_element)
{
    static const char *const names[] = {"z"};
    static const char *const section[] = {
        "{area: 1e-4*(3 - s), Iy: 1e-8*(2 - s), Iz: 1e-8}",
        "[{area: 2.75e-4, Iy: 1.75e-8, Iz: 1e-8}, {area: 2.25e-4, Iy: 1.25e-8, Iz: 1e-8}]"};
    double value[2];
    for (int k = 0; k < 2; ++k) {
        char text[1024];
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "gravity: -z\n"
                 "flexible: {b: {type: beam3, formulation: elastic_line, elements: 2,\n"
                 "               line: [[0, 0, 0], [1, 0, 0]], start: {clamp: ground},\n"
                 "               material: {E: 2e9, density: 1000}, section: %s}}\n"
                 "outputs: {z: DZ(b.end)}\n",
                 section[k]);
        settle(t, text, 1, names, &value[k]);
    }
    CHECK(t, value[0] < -1e-3);
    CHECK_NEAR(t, value[0], value[1], 1e-12); // the same numbers: rounding
}

/* Free and moving along, v = v_0 exp(-d t): after 0.5 s x = v_0 (1 - exp(-d t)) / d. A frame beside
 * a node, with axes of its own, moves along. */
TEST(damped_by_mass)
{
    static const char text[] =
        "trammel: 1\n"
        "flexible: {b: {type: beam3, nodes: [{position: [0, 0, 0]}, {position: [1, 0, 0]}],\n"
        "               formulation: elastic_line, section: {radius: 0.02}, velocity: [3, 2, 0],\n"
        "               material: {E: 2e7, density: 1000, mass_damping: 2},\n"
        "               frames: {f: {node: 1.5, position: [0, 0.1, 0.2]}}}}\n"
        "outputs: {x: DX(b.f), y: DY(b.f), z: DZ(b.f)}\n";
    TmlError err = {0};
    FlexCase c = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 0.5;
    o.integrator = "radau";
    o.tolerance = 1e-9;
    CHECK_OK(t, tml_load_text(text, "b.yaml", 0, NULL, NULL, &c.model, &err), &err);
    if (c.model != NULL) {
        CHECK_OK(t, tml_sim_create(c.model, &o, &c.sim, &err), &err);
    }
    if (c.sim != NULL) {
        CHECK_OK(t, tml_sim_run(c.sim, NULL, NULL, &err), &err);
        const double way = (1.0 - exp(-1.0)) / 2.0;
        // some tens of steps at 1e-9 each
        CHECK_NEAR(t, channel(&c, "x"), 0.5 + 3.0 * way, 1e-7);
        CHECK_NEAR(t, channel(&c, "y"), 0.1 + 2.0 * way, 1e-7);
        CHECK_NEAR(t, channel(&c, "z"), 0.2, 1e-12);
    }
    flex_close(&c);
}

TEST_SUITE(flexible_nodes) = {
    CASE(quarter_circle),          CASE(twist_between_nodes), CASE(kept_in_a_plane),
    CASE(sections_one_an_element), CASE(damped_by_mass),      {0},
};
