/* tests/analysis/test_recursive.c - tlismni-* on joint coordinates.
 *
 * Measured against partitioned coordinates: both formulations converge to the same motion.
 */
#include "mechanisms.h"
#include "two_loop_study.h"

static const OneOption recursive = {"coordinates", "recursive"};

/* Three rods on balls in space; the third with its ball written from the other side. */
static const char ball_chain[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.02, 0.09, 0.1], position: [0.5, 0, 0],\n"
    "      angular_velocity: [3, 0, 1]}\n"
    "  b: {mass: 0.8, inertia: [0.02, 0.08, 0.09], position: [1.5, 0, 0]}\n"
    "  c: {mass: 0.6, inertia: [0.01, 0.06, 0.07], position: [2.5, 0, 0],\n"
    "      angular_velocity: [0, 2, 0]}\n"
    "joints:\n"
    "  top: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
    "  middle: {type: spherical, bodies: [a, b], at: [1, 0, 0]}\n"
    "  low: {type: spherical, bodies: [c, b], at: [2, 0, 0]}\n";

/* A closed loop of six parallel pins in space hangs on one of its links and folds as it falls: of the five rows of the pin that the
 * tree leaves out three say nothing, and are rounding. */
static const char pin_ring[] =
    "trammel: 1\n"
    "parameters: {r: 0.2*cos(30 deg)}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  for k in 0..5:\n"
    "    \"link{k}\":\n"
    "      mass: 1 + k/10\n"
    "      inertia: [0.002, 0.004, 0.005]\n"
    "      position: [r*sin((k + 0.2)*pi/3), 0, r*cos((k + 0.2)*pi/3)]\n"
    "      rotation: {axis: y, angle: (k + 0.2)*pi/3}\n"
    "      frames:\n"
    "        head: {position: [0.1, 0, 0], rotation: {z: y, x: x}}\n"
    "        tail: {position: [-0.1, 0, 0], rotation: {z: y, x: x}}\n"
    "joints:\n"
    "  hook: {type: revolute, bodies: [ground, link0], at: [0, 0, 0.2], axis: y}\n"
    "  for k in 1..5: {\"pin{k}\": {type: revolute, frames: [\"link{k-1}.head\", "
    "\"link{k}.tail\"]}}\n"
    "  pin0: {type: revolute, frames: [link5.head, link0.tail]}\n";

static const Mechanism mechanisms[] = {
    {"revolute pendulum", pendulum, 1.0, 1.0 / 128},
    {"spherical pendulum", ball_pendulum, 1.0, 1.0 / 128},
    {"four-bar in space", four_bar, 1.0, 1.0 / 512},
    {"double pendulum", double_pendulum, 1.0, 1.0 / 128},
    {"chain on balls", ball_chain, 0.5, 1.0 / 256},
};

enum { N_MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

TEST(order_is_two)
{
    check_orders(t, mechanisms, N_MECHANISMS, &recursive);
}

/* Trees and loops, free bodies, couplers, motions, user states: both formulations converge to the
 * same, and constraints hold at all levels all the time. */
TEST(agree_with_partitioned)
{
    static const struct {
        const char *text;
        double end;
    } cases[] = {{four_bar, 1},
                 {ball_chain, 0.5},
                 {pin_ring, 0.3},
                 {"models/closed_forms/free_rotation.yaml", 1},
                 {"models/closed_forms/steady_top.yaml", 0.5},
                 {"models/closed_forms/n_four_bar.yaml", 0.5},
                 {"models/cases/andrews.yaml", 0.01},
                 {"models/cases/slider_crank_spring.yaml", 0.5},
                 {"models/cases/iftomm_a04_bricard.yaml", 1},
                 {"models/cases/revolute_spherical_1.yaml", 1},
                 {"models/cases/universal_1.yaml", 1},
                 {"models/elements/gear.yaml", 0.3},
                 {"models/elements/screw.yaml", 0.3},
                 {"models/elements/planar.yaml", 0.3},
                 {"models/demo.yaml", 0.1},
                 {"models/pid.yaml", 0.3}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        TmlModel *model = study_model(t, cases[n].text);
        Trace exact;
        t->name = strncmp(cases[n].text, "models/", 7) == 0 ? cases[n].text : "built in";
        run_by_tolerance(t, model, "tlismni-hht", NULL, cases[n].end, 1e-10, &exact);
        // the reference errs by up to 1e-6 where bodies move on circles and joints uniformly
        check_agreement(t, model, "tlismni-hht", &recursive, cases[n].end, &exact, 0.05, 1e-6);
        trace_free(&exact);
        tml_model_free(model);
    }
    t->name = NULL;
}

TEST(constraints_hold_at_every_step)
{
    static const char *const models[] = {four_bar,
                                         ball_chain,
                                         "models/cases/andrews.yaml",
                                         "models/cases/iftomm_a04_bricard.yaml",
                                         "models/cases/universal_1.yaml",
                                         "models/double_pendulum.yaml"};
    check_all_steps(t, models, sizeof models / sizeof models[0], &recursive);
}

/* What joint coordinates cannot do is said by name. */
TEST(velocity_constraints_are_refused)
{
    TmlModel *model = study_model(t, "models/closed_forms/rolling_disc.yaml");
    TmlSimOptions o = study_options(1, 1, &recursive);
    TmlSim *sim;
    TmlError err = {0};
    o.integrator = "tlismni-hht";
    CHECK(t, tml_sim_create(model, &o, &sim, &err) == TML_E_MODEL);
    CHECK_HAS(t, err.message, "coordinates=partitioned");
    tml_model_free(model);
}

TEST_SUITE(recursive) = {CASE(order_is_two),
                         CASE(agree_with_partitioned),
                         CASE(constraints_hold_at_every_step),
                         CASE(velocity_constraints_are_refused),
                         {0}};
