/* tests/mechanisms/test_flexible_within.c - springs, joints and expressions between two places of
 * one flexible body: equilibrium, motion by every method, modes, events, delays.
 */
#include "flexible_util.h"

#include "trammel/flexible.h"

/* A band from frame a to the end, as a spring or as a pair of forces by expressions, and a force
 * that reads three frames. */
static const char head[] =
    "trammel: 1\n"
    "parameters: {k: 50, L: 0.3}\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  weight: {mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [1, 0, 0]}\n"
    "flexible:\n"
    "  bow: {type: beam3, line: [[0, 0, 0], [1, 0, 0]], elements: 2, start: {clamp: ground},\n"
    "        end: {clamp: weight}, section: {height: 0.04, width: 0.04},\n"
    "        material: {E: 1e7, density: 1000, damping: 1e-4},\n"
    "        frames: {a: {at: 0.3}, b: {at: 0.45}}}\n"
    "variables: {d: \"DM(bow.end, bow.a)\", rate: \"VR(bow.end, bow.a)\",\n"
    "            tension: k*(d - L) + 0.2*rate}\n"
    "outputs: {x: DX(bow.end), y: DY(bow.end), gap: \"DX(bow.end) - DX(bow.a)\",\n"
    "          same: \"DX(bow.end, bow.a)\", turned: \"DX(bow.a) - DX(bow.end)\",\n"
    "          down: \"DY(bow.end, bow.a)\"}\n"
    "forces:\n"
    "  three: {type: force, frame: bow.b, fy: \"30*(DY(bow.end) - 2*DY(bow.b) + DY(bow.a))\"}\n";

static const char spring[] = "  band: {type: spring, frames: [bow.a, bow.end], stiffness: k, "
                             "damping: 0.2, free_length: L}\n";

static const char expressions[] =
    "  band: {type: force, frame: bow.end, fx: \"-tension*DX(bow.end, bow.a)/d\",\n"
    "         fy: \"-tension*DY(bow.end, bow.a)/d\", fz: \"-tension*DZ(bow.end, bow.a)/d\"}\n"
    "  back: {type: force, frame: bow.a, fx: \"tension*DX(bow.end, bow.a)/d\",\n"
    "         fy: \"tension*DY(bow.end, bow.a)/d\", fz: \"tension*DZ(bow.end, bow.a)/d\"}\n";

static void text_of(char *text, size_t size, const char *force, const char *more)
{
    snprintf(text, size, "%s%s%s", head, force, more);
}

static double channel(const TmlSim *sim, const char *name)
{
    const int k = sim != NULL ? tml_sim_channel_find(sim, name) : -1;
    return k >= 0 ? tml_row_channel(sim, k) : (double)NAN;
}

/* --- equilibrium -------------------------------------------------------------------------------
 */

/* A force by two frames: x_end - x_mid = 0.5 (1 - F/EA) of a bar without gravity, F = k times it.
 */
TEST(a_bar_is_pulled_by_its_own_stretch)
{
    static const char bar[] =
        "trammel: 1\n"
        "parameters: {k: 1000, EA: 25000}\n"
        "flexible:\n"
        "  rod: {type: %s, line: [[0, 0, 0], [1, 0, 0]], elements: 4, start: {clamp: ground},\n"
        "        section: {height: 0.05, width: 0.05}, material: {E: 1e7, nu: 0, density: 1000},\n"
        "        frames: {mid: {at: 0.5}}}\n"
        "forces: {pull: {type: force, frame: rod.end, fx: \"-k*(DX(rod.end) - DX(rod.mid))\"}}\n"
        "outputs: {f: force(pull).fx}\n";
    // stretch of cables and elastic lines is linear in F; half a bar under k d: d = 0.5 (1 - k
    // d/EA)
    static const char *const type[] = {"cable", "beam3", "beam3, formulation: elastic_line",
                                       "beam, formulation: elastic_line"};
    for (size_t i = 0; i < sizeof type / sizeof *type; ++i) {
        char text[1024];
        snprintf(text, sizeof text, bar, type[i]);
        FlexCase c = flex_case(t, text, 0, NULL, NULL);
        const double linear = -1000.0 * 0.5 / (1.0 + 1000.0 * 0.5 / 25000.0);
        t->name = type[i];
        if (flex_settle(t, &c)) {
            // strains of a solid are quadratic: 2 % of strain change its stiffness by 1.5 times
            // that
            CHECK_NEAR(t, channel(c.sim, "f"), linear, i == 1 || i == 0 ? 0.4 : 1e-6);
        }
        flex_close(&c);
    }
    t->name = NULL;
}

TEST(a_spring_within_a_body_is_a_pair_of_forces)
{
    char text[2][4096];
    FlexCase c[2];
    text_of(text[0], sizeof text[0], spring, "");
    text_of(text[1], sizeof text[1], expressions, "");
    for (int k = 0; k < 2; ++k) {
        c[k] = flex_case(t, text[k], 0, NULL, NULL);
        (void)flex_settle(t, &c[k]);
    }
    static const char *const names[] = {"x", "y", "gap", "same", "turned"};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        // both are solved to 1e-10 of the forces that hold the weight
        CHECK_NEAR(t, channel(c[0].sim, names[k]), channel(c[1].sim, names[k]), 1e-9);
    }
    CHECK(t, fabs(channel(c[0].sim, "y")) > 0.01);
    CHECK_NEAR(t, channel(c[0].sim, "gap"), channel(c[0].sim, "same"), 1e-15);
    CHECK_NEAR(t, channel(c[0].sim, "gap"), -channel(c[0].sim, "turned"), 1e-15);
    flex_close(&c[0]);
    flex_close(&c[1]);
}

/* A ring of 32 elements, closed by a joint of its two ends and squeezed: the diameter changes by
 * (pi/4 - 2/pi) P R^3 / EI, the joint carries P/2 and the moment (1/2 - 1/pi) P R. */
TEST(a_ring_is_closed_by_a_joint)
{
    static const char text[] =
        "trammel: 1\n"
        "parameters: {h: 0.01, P: 1e-3}\n"
        "flexible:\n"
        "  ring: {type: beam3, arc: {start: [0, -1, 0], centre: [0, 0, 0], axis: z,\n"
        "                            angle: 360 deg}, y_axis: y, elements: 32,\n"
        "         material: {E: 12/h^4, nu: 0, density: 1e5}, section: {height: h, width: h},\n"
        "         attach: [{at: 0.5, clamp: ground}],\n"
        "         frames: {right: {at: 0.25}, left: {at: 0.75}}}\n"
        "joints: {weld: {type: fixed, frames: [ring.start, ring.end]}}\n"
        "forces: {squeeze: {type: force, frames: [ring.right, ring.left], fx: P}}\n"
        "outputs: {wide: \"(DX(ring.right, ring.left) - 2)/P\", tz: reaction(weld).tz/P,\n"
        "          fx: reaction(weld).fx/P, gap: \"DM(ring.end, ring.start)\"}\n";
    const double pi = 3.14159265358979323846;
    FlexCase c = flex_case(t, text, 0, NULL, NULL);
    if (flex_settle(t, &c)) {
        // stretch and shear add (h/R)^2 of some tenths, the mesh 1e-4 of the diameter's change
        CHECK_NEAR(t, channel(c.sim, "wide"), -(0.25 * pi - 2.0 / pi), 5e-5);
        CHECK_NEAR(t, channel(c.sim, "tz"), 0.5 - 1.0 / pi, 2e-4);
        CHECK_NEAR(t, channel(c.sim, "fx"), -0.5, 2e-4);
        CHECK_NEAR(t, channel(c.sim, "gap"), 0.0, 1e-12);
    }
    flex_close(&c);
}

/* --- motion ------------------------------------------------------------------------------------
 */

/* The sim at the end; NULL: a failed check. */
static TmlSim *run(TestCtx *t, const char *text, const char *method, double tolerance, TmlModel **m)
{
    TmlSimOptions o = tml_sim_options_default();
    TmlError err = {0};
    TmlSim *sim = NULL;
    o.end_time = 0.02;
    o.output_step = 0.02;
    o.integrator = method;
    o.tolerance = tolerance;
    *m = NULL;
    CHECK_OK(t, tml_load_text(text, "within.yaml", 0, NULL, NULL, m, &err), &err);
    if (*m != NULL) {
        CHECK_OK(t, tml_sim_create(*m, &o, &sim, &err), &err);
    }
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    }
    return sim;
}

TEST(every_method_moves_it_alike)
{
    // the position after 0.02 s, from radau at 1e-10
    static const char *const names[] = {"x", "y", "gap"};
    char text[2][4096];
    double want[3];
    TmlModel *m;
    text_of(text[0], sizeof text[0], spring, "");
    text_of(text[1], sizeof text[1], expressions, "");
    TmlSim *sim = run(t, text[0], "radau", 1e-10, &m);
    for (int k = 0; k < 3; ++k) {
        want[k] = channel(sim, names[k]);
    }
    CHECK(t, fabs(want[1]) > 1e-3); // it moves
    tml_sim_free(sim);
    tml_model_free(m);
    for (int i = 0; tml_integrator_name(i) != NULL; ++i) {
        for (int kind = 0; kind < 2; ++kind) {
            t->name = tml_integrator_name(i);
            sim = run(t, text[kind], t->name, 1e-6, &m);
            for (int k = 0; k < 3; ++k) {
                // steps of the local error 1e-6, which add up along stiff modes
                CHECK_NEAR(t, channel(sim, names[k]), want[k], 3e-5);
            }
            tml_sim_free(sim);
            tml_model_free(m);
        }
    }
    t->name = NULL;
}

TEST(modes_are_those_of_the_spring)
{
    char text[2][4096];
    double first[2][3][2];
    text_of(text[0], sizeof text[0], spring, "");
    text_of(text[1], sizeof text[1], expressions, "");
    for (int kind = 0; kind < 2; ++kind) {
        TmlError err = {0};
        TmlLinear *lin = NULL;
        FlexCase c = flex_case(t, text[kind], 0, NULL, NULL);
        if (flex_settle(t, &c)) {
            CHECK_OK(t, tml_sim_linearize(c.sim, NULL, &lin, &err), &err);
        }
        for (int k = 0; k < 3; ++k) {
            const TmlMode mode = lin != NULL ? tml_linear_mode(lin, 2 * k) : (TmlMode){0};
            first[kind][k][0] = mode.real;
            first[kind][k][1] = fabs(mode.imag);
        }
        tml_linear_free(lin);
        flex_close(&c);
    }
    for (int k = 0; k < 3; ++k) {
        // the equilibria agree to 1e-9 m, modes by their size
        CHECK_NEAR(t, first[0][k][0], first[1][k][0], 1e-6 * (1.0 + fabs(first[1][k][0])));
        CHECK_NEAR(t, first[0][k][1], first[1][k][1], 1e-6 * (1.0 + fabs(first[1][k][1])));
        CHECK(t, hypot(first[0][k][0], first[0][k][1]) > 0.1);
    }
}

/* The event stops the run where the difference has its value; the delay is that of the difference.
 */
TEST(events_and_delays_see_both_frames)
{
    static const char more[] =
        "  late: {type: force, frame: bow.end, fz: \"2e4*delay(before)\"}\n"
        "events: {reached: {when: \"DY(bow.end) - DY(bow.a)\", condition: below, value: -2e-4,\n"
        "                   error: 1e-9, stop: true}}\n"
        "delays: {before: {value: \"DY(bow.end) - DY(bow.a)\", time: 0.002}}\n";
    char text[4096];
    TmlModel *m;
    text_of(text, sizeof text, spring, more);
    TmlSim *sim = run(t, text, "radau", 1e-8, &m);
    const TmlVec3 end = sim != NULL ? tml_row_node(sim, 0, 4, 0) : (TmlVec3){0};
    CHECK(t, sim != NULL && tml_row_time(sim) < 0.0199 && tml_row_time(sim) > 0.001);
    CHECK_NEAR(t, channel(sim, "down"), -2e-4, 2e-9); // the event's own error
    CHECK(t, fabs(end.z) > 1e-6); // pushed by what was: the difference is not zero
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST_SUITE(flexible_within) = {CASE(a_bar_is_pulled_by_its_own_stretch),
                               CASE(a_spring_within_a_body_is_a_pair_of_forces),
                               CASE(a_ring_is_closed_by_a_joint),
                               CASE(every_method_moves_it_alike),
                               CASE(modes_are_those_of_the_spring),
                               CASE(events_and_delays_see_both_frames),
                               {0}};
