/* tests/analysis/test_statics.c - static equilibrium against closed forms and scalar equations.
 *
 * Iterations end when no body moves by more than 1e-10 of the model's size, and the last ones
 * converge quadratically: positions are good to 1e-10 and mostly to rounding.
 */
#include "study.h"

#include "math/vec3.h"
#include "trammel/analysis.h"

typedef struct Case {
    TmlModel *model;
    TmlSim *sim;
    TmlStaticsInfo info;
    TmlStatus status;
    TmlError err;
} Case;

static void case_make(TestCtx *t, const char *text, Case *c)
{
    const TmlSimOptions options = study_options(1.0, 0.1, NULL);
    *c = (Case){.model = study_model(t, text), .status = TML_E_INTERNAL};
    c->sim = study_sim(t, c->model, &options);
    if (c->sim != NULL) {
        c->status = tml_sim_statics(c->sim, NULL, &c->info, &c->err);
    }
    if (study_verbose()) {
        printf("%-28s %s, %d iterations, %d load steps, residual %.1e\n", t->test,
               tml_status_name(c->status), (int)c->info.iterations, (int)c->info.load_steps,
               c->info.residual);
    }
}

static void case_free(Case *c)
{
    tml_sim_free(c->sim);
    tml_model_free(c->model);
}

static double value(const Case *c, const char *channel)
{
    return tml_row_channel(c->sim, tml_sim_channel_find(c->sim, channel));
}

/* Newton's method squares its error with each step: where it reaches its tolerance, 1e-10 of the
 * largest force, what is left is rounding, of places of some metres and forces up to 500 N. */
static const double PLACE = 1e-12, FORCE = 1e-10;

TEST(spring_scale)
{
    Case c;
    case_make(t,
              "trammel: 1\n"
              "gravity: [0, 0, -9.81]\n"
              "bodies: {load: {type: point, mass: 3, position: [0, 0, -0.4]}}\n"
              "forces: {spring: {type: spring, frames: [ground, load], stiffness: 250,\n"
              "                  damping: 4, free_length: 0.4}}\n"
              "outputs: {z: DZ(load), tension: output(spring).tension}\n",
              &c);
    CHECK_OK(t, c.status, &c.err);
    if (c.status == TML_OK) {
        CHECK_NEAR(t, value(&c, "z"), -0.4 - 3 * 9.81 / 250, PLACE);
        CHECK_NEAR(t, value(&c, "tension"), 3 * 9.81, FORCE);
        CHECK_NEAR(t, tml_row_force(c.sim, 0).force.z, 3 * 9.81, FORCE);
        CHECK_NEAR(t, c.info.moved, 3 * 9.81 / 250, PLACE);
        CHECK(t, !c.info.neutral);
        CHECK_OK(t, tml_sim_statics(c.sim, NULL, NULL, &c.err),
                 &c.err); // nobody has to ask what it found
        CHECK_NEAR(t, value(&c, "z"), -0.4 - 3 * 9.81 / 250, PLACE);
    }
    case_free(&c);
}

/* A pendulum that starts anywhere comes to hang, not to stand, however near to standing. */
TEST(pendulum_hangs)
{
    static const double angles[] = {0.0, 1.5, 3.1, -2.0};
    for (int k = 0; k < 4; ++k) {
        char text[512];
        Case c;
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "gravity: [0, -9.81, 0]\n"
                 "bodies:\n"
                 "  bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0],\n"
                 "        rotation: {axis: z, angle: %.17g}}\n"
                 "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n"
                 "outputs: {x: DX(bar.cm), y: DY(bar.cm), force: reaction(pin).fy}\n",
                 angles[k] - 3.14159265358979323846 / 2);
        case_make(t, text, &c);
        CHECK_OK(t, c.status, &c.err);
        if (c.status == TML_OK) {
            CHECK_NEAR(t, value(&c, "x"), 0.0, PLACE);
            CHECK_NEAR(t, value(&c, "y"), -0.5, PLACE);
            CHECK_NEAR(t, value(&c, "force"), 2 * 9.81, FORCE);
        }
        case_free(&c);
    }
}

/* --- hanging chain ---------------------------------------------------------------------------- */

enum { LINKS = 10 };

/* Links of length l and weight w between two pins at the distance d: with the horizontal force H,
 * tan of link i is w (i - (n - 1) / 2) / H; H from sum l cos = d. */
static double chain_force(double l, double w, double d)
{
    double low = 1e-6, high = 1e6;
    for (int it = 0; it < 200; ++it) {
        const double H = 0.5 * (low + high);
        double span = 0.0;
        for (int i = 0; i < LINKS; ++i) {
            const double tangent = w * (i - 0.5 * (LINKS - 1)) / H;
            span += l / sqrt(1.0 + tangent * tangent);
        }
        *(span > d ? &high : &low) = H;
    }
    return 0.5 * (low + high);
}

TEST(hanging_chain)
{
    const double l = 0.2, w = 0.5 * 9.81, d = 1.4;
    const double H = chain_force(l, w, d), c0 = d / (LINKS * l), s0 = sqrt(1 - c0 * c0);
    char text[2048];
    Case c;
    // from a V; links may spin about themselves, which nothing resists
    snprintf(
        text, sizeof text,
        "trammel: 1\n"
        "parameters: {N: %d, l: %.17g, c: %.17g, s: %.17g}\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  for i in 1..N/2:\n"
        "    \"link{i}\": {mass: 0.5, inertia: [1e-4, 2e-3, 2e-3],\n"
        "      position: [\"(i - 0.5)*l*c\", 0, \"-(i - 0.5)*l*s\"],\n"
        "      rotation: {axis: y, angle: \"atan2(s, c)\"}}\n"
        "  for i in N/2+1..N:\n"
        "    \"link{i}\": {mass: 0.5, inertia: [1e-4, 2e-3, 2e-3],\n"
        "      position: [\"(i - 0.5)*l*c\", 0, \"-(N - i + 0.5)*l*s\"],\n"
        "      rotation: {axis: y, angle: \"-atan2(s, c)\"}}\n"
        "joints:\n"
        "  first: {type: spherical, frames: [ground, {body: link1, position: [-l/2, 0, 0]}]}\n"
        "  last: {type: spherical, frames: [{body: ground, position: [N*l*c, 0, 0]},\n"
        "                                   {body: \"link{N}\", position: [l/2, 0, 0]}]}\n"
        "  for i in 2..N:\n"
        "    \"j{i}\": {type: spherical, frames: [{body: \"link{i-1}\", position: [l/2, 0, 0]},\n"
        "                                       {body: \"link{i}\", position: [-l/2, 0, 0]}]}\n"
        "outputs: {H: reaction(first).fx, V: reaction(first).fz}\n",
        LINKS, l, c0, s0);
    case_make(t, text, &c);
    CHECK_OK(t, c.status, &c.err);
    if (c.status == TML_OK) {
        double x = 0.0, z = 0.0;
        CHECK_NEAR(t, value(&c, "H"), -H, FORCE);
        CHECK_NEAR(t, value(&c, "V"), 0.5 * LINKS * w, FORCE);
        for (int i = 0; i < LINKS; ++i) {
            const double tangent = w * (i - 0.5 * (LINKS - 1)) / H;
            const double co = 1.0 / sqrt(1.0 + tangent * tangent), si = tangent * co;
            const TmlVec3 r = tml_row_body(c.sim, i + 1).position;
            CHECK_NEAR(t, r.x, x + 0.5 * l * co, PLACE);
            CHECK_NEAR(t, r.z, z + 0.5 * l * si, PLACE);
            x += l * co;
            z += l * si;
        }
        CHECK(t, c.info.neutral);
    }
    case_free(&c);
}

/* --- four-bar with a spring ------------------------------------------------------------------- */

/* Potential energy over the crank angle: weight of three links and a spring from the ground to the
 * coupler's end. */
static double four_bar_energy(double phi, double *bx, double *by)
{
    const double a = 0.3, b = 0.9, c = 0.6, d = 0.9;
    const double px = a * cos(phi), py = a * sin(phi), ex = d - px, ey = -py, e = hypot(ex, ey);
    // the coupler's end from the triangle e, b, c, above the line
    const double along = (e * e + b * b - c * c) / (2 * e), across = sqrt(b * b - along * along);
    const double qx = px + (ex * along - ey * across) / e, qy = py + (ey * along + ex * across) / e;
    const double length = hypot(qx - 1.2, qy - 0.1);
    *bx = qx;
    *by = qy;
    return 9.81 * (0.5 * 0.5 * py + 1.0 * 0.5 * (py + qy) + 0.8 * 0.5 * qy) +
           0.5 * 120 * (length - 0.3) * (length - 0.3);
}

static double four_bar_slope(double phi)
{
    const double h = 1e-4;
    double x, y, u[4];
    for (int k = 0; k < 4; ++k) {
        u[k] = four_bar_energy(phi + h * (k < 2 ? k - 2 : k - 1), &x, &y);
    }
    return (u[0] - 8 * u[1] + 8 * u[2] - u[3]) / (12 * h); // error h^4
}

TEST(four_bar_with_spring)
{
    const double phi = 1.2;
    double x, y, low = phi, high = phi;
    char text[2048];
    Case c;
    (void)four_bar_energy(phi, &x, &y);
    // downhill from the start until the slope changes its sign
    const double side = four_bar_slope(phi) > 0.0 ? -1.0 : 1.0;
    while (four_bar_slope(high) * side < 0.0) {
        low = high;
        high += 0.01 * side;
    }
    for (int it = 0; it < 60; ++it) {
        const double mid = 0.5 * (low + high);
        *(four_bar_slope(mid) * side < 0.0 ? &low : &high) = mid;
    }
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, -9.81, 0]\n"
             "bodies:\n"
             "  crank: {mass: 0.5, inertia: [0.001, 0.01, 0.01], cm: [0.15, 0, 0],\n"
             "          rotation: {axis: z, angle: %.17g}}\n"
             "  rod: {mass: 1, inertia: [0.001, 0.1, 0.1], cm: [0.45, 0, 0],\n"
             "        position: [%.17g, %.17g, 0], rotation: {axis: z, angle: %.17g}}\n"
             "  rocker: {mass: 0.8, inertia: [0.001, 0.05, 0.05], cm: [0.3, 0, 0],\n"
             "           position: [0.9, 0, 0], rotation: {axis: z, angle: %.17g}}\n"
             "joints:\n"
             "  A: {type: revolute, frames: [ground, crank]}\n"
             "  B: {type: revolute, frames: [{body: crank, position: [0.3, 0, 0]}, rod]}\n"
             "  C: {type: revolute, frames: [{body: rod, position: [0.9, 0, 0]},\n"
             "                               {body: rocker, position: [0.6, 0, 0]}]}\n"
             "  D: {type: revolute, frames: [{body: ground, position: [0.9, 0, 0]}, rocker]}\n"
             "forces:\n"
             "  spring: {type: spring, frames: [{body: ground, position: [1.2, 0.1, 0]},\n"
             "           {body: rod, position: [0.9, 0, 0]}], stiffness: 120, free_length: 0.3}\n"
             "outputs: {phi: \"AZ(crank, ground)\"}\n",
             phi, 0.3 * cos(phi), 0.3 * sin(phi), atan2(y - 0.3 * sin(phi), x - 0.3 * cos(phi)),
             atan2(y, x - 0.9));
    case_make(t, text, &c);
    CHECK_OK(t, c.status, &c.err);
    if (c.status == TML_OK) {
        // rounding of the differenced energy: 1e-16 * 30 J / 1e-4 over a stiffness of some 10 J
        CHECK_NEAR(t, value(&c, "phi"), 0.5 * (low + high), 1e-9);
        if (study_verbose()) {
            printf("four-bar: crank %.12f, scalar equation %.12f\n", value(&c, "phi"),
                   0.5 * (low + high));
        }
    }
    case_free(&c);
}

/* --- what cannot stay ------------------------------------------------------------------------- */

TEST(free_body_is_named)
{
    Case c;
    case_make(t,
              "trammel: 1\n"
              "gravity: [0, -9.81, 0]\n"
              "bodies:\n"
              "  held: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0]}\n"
              "  brick: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [3, 0, 0]}\n"
              "joints: {pin: {type: revolute, bodies: [ground, held], at: [0, 0, 0], axis: z}}\n",
              &c);
    CHECK_INT(t, c.status, TML_E_SINGULAR);
    CHECK_HAS(t, c.err.message,
              "no static equilibrium: nothing holds body 'brick' along (0, -1, 0)");
    // the sim is as it was
    CHECK_NEAR(t, c.sim->it.now.q[7], 3.0, 0.0);
    case_free(&c);
}

/* A wheel with a torque on its axle turns faster and faster. */
TEST(driven_wheel_is_named)
{
    Case c;
    case_make(t,
              "trammel: 1\n"
              "bodies: {wheel: {mass: 2, inertia: [0.02, 0.02, 0.04]}}\n"
              "joints: {axle: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}}\n"
              "forces: {motor: {type: torque, body: wheel, tz: 3}}\n",
              &c);
    CHECK_INT(t, c.status, TML_E_SINGULAR);
    CHECK_HAS(t, c.err.message, "body 'wheel' turning about (0, 0, 1) (in joint 'axle')");
    case_free(&c);
}

/* A torque in the shoulder of a massless link swings the arm round and round; a disc falls until it
 * lies, where rolling has no meaning. No motion is free of resistance where the search ends, but
 * what moves is named. */
TEST(what_runs_away_is_named)
{
    static const struct {
        const char *model, *who;
    } cases[] = {{"models/cases/scara.yaml", "in joint 'JOINT_1'"},
                 {"models/closed_forms/rolling_disc.yaml", "drive body 'disc' turning about"}};
    for (int k = 0; k < 2; ++k) {
        Case c;
        case_make(t, cases[k].model, &c);
        CHECK_INT(t, c.status, TML_E_STEP);
        CHECK_HAS(t, c.err.message, cases[k].who);
        case_free(&c);
    }
}

/* A magnet: the force away grows with the distance. Downhill the load runs away; ramping its weight
 * up leads to the place where it balances, unstable. */
TEST(unstable_all_the_same)
{
    Case c;
    case_make(t,
              "trammel: 1\n"
              "gravity: [0, 0, -9.81]\n"
              "bodies: {load: {type: point, mass: 3}}\n"
              "joints: {rail: {type: point_on_line, frames: [ground, load]}}\n"
              "forces: {magnet: {type: force, body: load, fz: 250*DZ(load)}}\n"
              "outputs: {z: DZ(load)}\n",
              &c);
    CHECK_OK(t, c.status, &c.err);
    if (c.status == TML_OK) {
        CHECK(t, c.info.residual < 1e-12); // rounding of this place, not of the way downhill
        CHECK_INT(t, c.info.unstable, 1);
        CHECK_INT(t, c.info.negative, 1);
        CHECK_NEAR(t, c.info.growth, sqrt(250.0 / 3), PLACE);
        CHECK(t, !c.info.nearer); // it is the nearest one
        CHECK_NEAR(t, value(&c, "z"), 3 * 9.81 / 250, PLACE);
    }
    case_free(&c);
}

/* --- a mechanism on a bushing ----------------------------------------------------------------- */

TEST(pendulum_on_a_bushing)
{
    Case c;
    case_make(t,
              "trammel: 1\n"
              "gravity: [0, 0, -9.81]\n"
              "bodies:\n"
              "  block: {mass: 40, inertia: [1, 1, 1.5], cm: [0.05, 0, 0]}\n"
              "  bar: {mass: 5, inertia: [0.3, 0.3, 0.01], position: [0.3, 0, -0.3]}\n"
              "joints: {pin: {type: revolute, bodies: [block, bar], at: [0.3, 0.02, 0], axis: y}}\n"
              "forces:\n"
              "  mount: {type: bushing, bodies: [ground, block], at: [0, 0, 0],\n"
              "          stiffness: [2e4, 2e4, 2e5, 2000, 2000, 500]}\n"
              "outputs: {z: DZ(block), tilt: \"AY(block, ground)\", swing: \"AY(bar, ground)\"}\n",
              &c);
    CHECK_OK(t, c.status, &c.err);
    if (c.status == TML_OK) {
        const TmlReaction r = tml_row_force(c.sim, 0), pin = tml_row_reaction(c.sim, 0);
        const TmlVec3 cm = tml_row_body(c.sim, 1).position, bar = tml_row_body(c.sim, 2).position;
        const double z = value(&c, "z");
        // the mount carries both weights, at its origin, which has sunk
        CHECK_NEAR(t, r.force.z, 45 * 9.81, FORCE);
        CHECK_NEAR(t, hypot(r.force.x, r.force.y), 0.0, FORCE);
        CHECK(t, z < -45 * 9.81 / 2e5 * 0.99 && z > -45 * 9.81 / 2e5 * 1.1);
        CHECK_NEAR(t, r.torque.y, -9.81 * (40 * cm.x + 5 * bar.x), FORCE);
        CHECK_NEAR(t, pin.force.z, 5 * 9.81, FORCE);
        CHECK(t, value(&c, "tilt") > 0.01);
        // the bar hangs under its pin: its turn in the plane of the pin is none
        CHECK_NEAR(t, value(&c, "swing"), 0.0, PLACE);
    }
    case_free(&c);
}

/* --- states, and what follows ----------------------------------------------------------------- */

/* A controller that integrates the error brings the mass to its place: X' = 0 there. */
TEST(user_states_at_rest)
{
    Case c;
    case_make(t,
              "trammel: 1\n"
              "gravity: [0, 0, -9.81]\n"
              "bodies: {load: {type: point, mass: 3}}\n"
              "forces:\n"
              "  spring: {type: spring, frames: [{body: ground, position: [0, 0, 1]}, load],\n"
              "           stiffness: 250, free_length: 1}\n"
              "  lift: {type: force, body: load, fz: 50*sum}\n"
              "states: {sum: {rate: 0.2 - DZ(load) - 0.1*sum, initial: 0}}\n"
              "outputs: {z: DZ(load), sum: sum}\n",
              &c);
    CHECK_OK(t, c.status, &c.err);
    if (c.status == TML_OK) {
        // 50 s - m g - 250 z = 0, 0.2 - z - 0.1 s = 0
        const double s = (3 * 9.81 + 250 * 0.2) / (50 + 25);
        CHECK_NEAR(t, value(&c, "sum"), s, PLACE);
        CHECK_NEAR(t, value(&c, "z"), 0.2 - 0.1 * s, PLACE);
    }
    case_free(&c);
}

/* A run that starts from the equilibrium stays there. */
TEST(run_from_equilibrium)
{
    const double l = 0.5 + 3 * 9.81 / 250;
    Case c;
    case_make(
        t,
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {load: {type: point, mass: 3, position: [0, 0, -0.5], velocity: [0, 0, 2]}}\n"
        "forces: {spring: {type: spring, frames: [ground, load], stiffness: 250}}\n"
        "outputs: {z: DZ(load)}\n",
        &c);
    CHECK_OK(t, c.status, &c.err);
    if (c.status == TML_OK) {
        CHECK_OK(t, tml_sim_run(c.sim, NULL, NULL, &c.err), &c.err);
        CHECK_NEAR(t, tml_sim_time(c.sim), 1.0, 0.0);
        CHECK_NEAR(t, c.sim->it.now.q[2], -l, PLACE);
        CHECK_NEAR(t, tml_row_certificate(c.sim).energy_error, 0.0, PLACE);
    }
    case_free(&c);
}

/* Springs at their free lengths pull with what rounding makes of these: nothing acts, and the start is the equilibrium. A
 * motion that meets no resistance would otherwise follow the rounding. */
TEST(nothing_acts)
{
    for (int k = 0; k < 12; ++k) {
        char text[1024];
        Case c;
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "bodies:\n"
                 "  bar: {mass: 3, inertia: [0.02, 0.03, 0.035], position: [%.3f, 1.7, 0.3], "
                 "rotation: {axis: [1, 2, 3], "
                 "angle: %d}}\n"
                 "  rod: {mass: 0.7, inertia: [0.006, 0.003, 0.005], position: [%.3f, 2.0, 0.4], "
                 "rotation: {axis: [2, -1, "
                 "1], angle: %d}}\n"
                 "joints: {line: {type: point_on_line, bodies: [bar, rod], at: [%.3f, 1.9, 0.33], "
                 "axis: [1, 1, 0.3]}}\n"
                 "forces:\n"
                 "  one: {type: spring, frames: [{body: ground, position: [3, 1, 0]}, {body: bar, "
                 "position: [0.1, 0.07, "
                 "0.3]}], stiffness: 30}\n"
                 "  two: {type: spring, frames: [{body: bar, position: [0.13, 0.2, 0.1]}, {body: "
                 "rod, position: [0.07, "
                 "0.1, 0.2]}], stiffness: 41}\n"
                 "outputs: {x: DX(rod)}\n",
                 3.457 + 0.7 * k, k, 3.321 + 0.7 * k, 2 * k, 3.4 + 0.7 * k);
        case_make(t, text, &c);
        CHECK_OK(t, c.status, &c.err);
        if (c.status == TML_OK) {
            CHECK(t, c.info.moved < PLACE && c.info.turned < PLACE);
            CHECK(t, c.info.beyond <= 1.0); // nothing is told of other equilibria
        }
        case_free(&c);
    }
}

TEST_SUITE(statics) = {
    CASE(spring_scale),
    CASE(pendulum_hangs),
    CASE(hanging_chain),
    CASE(four_bar_with_spring),
    CASE(free_body_is_named),
    CASE(what_runs_away_is_named),
    CASE(driven_wheel_is_named),
    CASE(unstable_all_the_same),
    CASE(pendulum_on_a_bushing),
    CASE(user_states_at_rest),
    CASE(run_from_equilibrium),
    CASE(nothing_acts),
    {0},
};
