/* tests/contact/test_contact_classics.c - problems of textbooks, each with its solution among the channels.
 *
 * The first channel of a model is the distance from the closed form of rigid bodies. Contacts are stiff, so that what is left is
 * the depth of the contact (weight over stiffness, 1e-7 m) against the size of things, the amplitude squared where a closed
 * form is one of small swings, and the tolerance.
 */
#include "../analysis/study.h"

#include <math.h>

#define HEAD "trammel: 1\n"
#define DOWN "gravity: [0, 0, -9.81]\n"
#define SOLID "inertia: [0.4*m*R^2, 0.4*m*R^2, 0.4*m*R^2]"
#define CRITICAL "law: linear, stiffness: 1e8, damping: 2e4*sqrt(m)"
#define STICKS "friction: {law: elastic, stiffness: 1e8, damping: 2e4, dynamic: 0.6}"

typedef struct Classic {
    const char *name, *text;
    double end, step, from; /* s; rows before `from` do not count */
    double limit;
} Classic;

static const Classic classics[] = {
    // A sphere that rolls on a turntable goes in a circle with 2/7 of the table's speed. Bristles let it slip by 1e-6 m.
    {"turntable",
     HEAD DOWN "parameters: {R: 0.05, m: 1, W: 3, w: 2/7*W}\n"
               "bodies:\n"
               "  table: {mass: 5, inertia: [1, 1, 1], shape: {half_space: {normal: z}}}\n"
               "  ball: {mass: m, " SOLID
               ", position: [0.2, 0, R - m*9.81e-8], velocity: [0.1, 0, 0],\n"
               "         angular_velocity: [0.2*W/R, 0.1/R, 0], shape: {sphere: {radius: R}}}\n"
               "joints:\n"
               "  axle: {type: revolute, bodies: [ground, table], at: [0, 0, 0], axis: z}\n"
               "  drive: {type: motion, joint: axle, function: W*time}\n"
               "contacts: {floor: {between: [ball, table], " CRITICAL ", " STICKS "}}\n"
               "outputs: {error: \"abs(DX(ball) - 0.2 - 0.1/w*sin(w*time)) + abs(DY(ball) - "
               "0.1/w*(1 - cos(w*time)))\"}\n",
     3.0, 0.05, 0.0, 5e-6},
    // Billiards: friction keeps its direction while the ball slides, so that it rolls with 5/7 of its velocity and 2/7 of
    // what its spin asks for; the side spin stays. The width of the law, 1e-4 m/s, and the depth, 1e-7 of 0.03 m.
    {"billiard ball with side spin",
     HEAD DOWN
     "parameters: {R: 0.03, m: 0.17}\n"
     "ground: {shape: {half_space: {normal: z}}}\n"
     "bodies: {ball: {mass: m, " SOLID ", position: [0, 0, R - m*9.81e-8], velocity: [2, 0, 0],\n"
     "         angular_velocity: [-40, -30, 50], shape: {sphere: {radius: R}}}}\n"
     "contacts: {floor: {between: [ball, ground], " CRITICAL
     ", friction: {dynamic: 0.2, static_velocity: 1e-4}}}\n"
     "outputs: {error: \"abs(VX(ball) - 5/7*2 - 2/7*R*(-30)) + abs(VY(ball) - 2/7*R*40) + "
     "R*abs(WZ(ball) - 50)\"}\n",
     1.5, 0.1, 1.2, 5e-6},
    // A sphere that rolls down a groove of 90 degrees has the arm R sin 45: a = g sin / (1 + 0.4 / sin^2 45). It sinks at first.
    {"ball in a groove",
     HEAD "parameters: {R: 0.05, m: 1}\n"
          "gravity: [9.81/2, 0, -9.81*sqrt(3)/2]\n"
          "ground: {shape: [{half_space: {normal: [0, 1, 1], name: left}}, {half_space: {normal: "
          "[0, -1, 1], name: right}}]}\n"
          "bodies: {ball: {mass: m, " SOLID
          ", position: [0, 0, R*sqrt(2)], shape: {sphere: {radius: R}}}}\n"
          "contacts: {groove: {between: [ball, ground], " CRITICAL ", " STICKS "}}\n"
          "outputs: {error: \"abs(DX(ball) - 9.81/4*time^2/1.8)\"}\n",
     1.0, 0.05, 0.0, 2e-6},
    // A sphere in a pipe swings with w^2 = 5 g / (7 (B - R)), here with 1 mrad; and a plank on a log with
    // w^2 = g (B - h/2) / (k^2 + h^2 / 4). Amplitudes squared: 1e-6 of the way.
    {"ball in a pipe",
     HEAD DOWN "parameters: {B: 0.5, R: 0.05, m: 1, a: 1e-3, w: sqrt(5*9.81/7/(B - R))}\n"
               "ground: {shape: {bore: {radius: B, length: 2, axis: y}}}\n"
               "bodies: {ball: {mass: m, " SOLID
               ", position: [(B - R)*sin(a), 0, -(B - R)*cos(a) - m*9.81e-8],\n"
               "         shape: {sphere: {radius: R}}}}\n"
               "contacts: {pipe: {between: [ball, ground], " CRITICAL ", " STICKS "}}\n"
               "outputs: {error: \"abs(DX(ball)/(B - R) - a*cos(w*time))/a\"}\n",
     3.0, 0.05, 0.0, 3e-4},
    {"lentil on a table",
     HEAD DOWN
     "parameters: {a: 0.2, c: 0.1, m: 1, I: m*(a^2 + c^2)/5, p: 2e-3, w: sqrt(m*9.81*(a^2/c - "
     "c)/(I + m*c^2))}\n"
     "ground: {shape: {half_space: {normal: z}}}\n"
     "bodies: {egg: {mass: m, inertia: [I, I, 0.4*m*a^2], rotation: {axis: y, angle: p},\n"
     "         position: [0, 0, sqrt(a^2*sin(p)^2 + c^2*cos(p)^2) - m*9.81e-8], shape: {ellipsoid: "
     "{semi_axes: [a, a, c]}}}}\n"
     "contacts: {floor: {between: [egg, ground], " CRITICAL ", " STICKS "}}\n"
     "outputs: {error: \"abs(atan2(CZX(egg), CXX(egg)) + p*cos(w*time))/p\"}\n",
     2.0, 0.05, 0.0, 1e-3},
    // A ball of restitution 0.9 between walls: after bounce n it has 5 * 0.9^n m/s. Four bounces lie within 2 s.
    {"ball between walls",
     HEAD "parameters: {R: 0.05, m: 0.2}\n"
          "ground: {shape: [{half_space: {normal: x, position: [-1.05, 0, 0]}},\n"
          "                 {half_space: {normal: -x, position: [1.05, 0, 0]}}]}\n"
          "bodies: {ball: {mass: m, " SOLID
          ", velocity: [5, 0, 0], shape: {sphere: {radius: R}}}}\n"
          "contacts: {walls: {between: [ball, ground], law: restitution, restitution: 0.9, "
          "stiffness: 1e8}}\n"
          "outputs: {error: \"abs(VX(ball) - 5*0.9^4)\"}\n",
     1.95, 0.05, 1.9, 1e-5},
    // A rod that falls on its end: the impulse (1 + e) v / (1/m + s^2 / I), s the arm, 30 degrees from upright. The rod turns while it
    // touches, by 1e-3 of the arm.
    {"rod that falls on its end",
     HEAD
     "parameters: {m: 1, L: 1, r: 1 mm, q: 30 deg, s: L/2*sin(q), P: 1.6*2/(1/m + s^2*12/L^2)}\n"
     "ground: {shape: {half_space: {normal: z}}}\n"
     "bodies: {rod: {mass: m, inertia: [m*L^2/12, m*L^2/12, 1e-3], position: [0, 0, L/2*cos(q) + r "
     "+ 0.1],\n"
     "         velocity: [0, 0, -2], rotation: {axis: y, angle: q}, shape: {capsule: {radius: r, "
     "length: L, axis: z}}}}\n"
     "contacts: {floor: {between: [rod, ground], law: restitution, restitution: 0.6, stiffness: "
     "1e10}}\n"
     "outputs: {error: \"abs(VZ(rod) + 2 - P) + abs(WY(rod) - 12*P*s)\"}\n",
     0.1, 0.01, 0.06, 2e-3},
    // A flat follower on a cam, a disc that turns about a point 1 cm beside its centre, feels m (g - e W^2 sin W t).
    {"follower on a cam",
     HEAD DOWN "parameters: {m: 0.5, R: 0.05, e: 0.01, W: 30}\n"
               "bodies:\n"
               "  cam: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], shape: {sphere: {radius: R, "
               "position: [e, 0, 0]}}}\n"
               "  flat: {mass: m, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, R - m*9.81e-8], "
               "velocity: [0, 0, e*W],\n"
               "         shape: {half_space: {normal: -z}}}\n"
               "joints:\n"
               "  axle: {type: revolute, bodies: [ground, cam], at: [0, 0, 0], axis: -y}\n"
               "  drive: {type: motion, joint: axle, function: W*time}\n"
               "  slide: {type: translational, bodies: [ground, flat], at: [0, 0, 0], axis: z}\n"
               "contacts: {lift: {between: [cam, flat], " CRITICAL "}}\n"
               "outputs: {error: \"abs(contact_force(lift) - m*(9.81 - e*W^2*sin(W*time)))\"}\n",
     0.3, 0.01, 0.005, 5e-3},
};

static double largest_error(const Trace *run, const Classic *c)
{
    double most = 0.0;
    for (int k = 0; k < run->rows; ++k) {
        if (k * c->step >= c->from - 1e-9) {
            most = fmax(most, trace_value(run, k, 0));
        }
    }
    return most;
}

/* By default, and by a method whose formulas have nothing in common with that of the default. */
TEST(textbooks_agree)
{
    static const struct {
        const char *method;
        double tolerance;
    } ways[] = {{"auto", (double)NAN}, {"rosenbrock", 1e-7}};
    for (size_t i = 0; i < sizeof classics / sizeof classics[0]; ++i) {
        const Classic *c = &classics[i];
        TmlModel *model = study_model(t, c->text);
        t->name = c->name;
        for (size_t k = 0; k < sizeof ways / sizeof ways[0] && model != NULL; ++k) {
            Trace run = {0};
            TmlSimOptions o = study_options(c->end, c->step, NULL);
            o.integrator = ways[k].method;
            o.tolerance = ways[k].tolerance;
            if (study_run(t, model, &o, &run)) {
                CHECK(t, largest_error(&run, c) < c->limit);
            }
            trace_free(&run);
        }
        tml_model_free(model);
    }
    t->name = NULL;
}

/* A ladder slides down a wall. What rests on a damper that sets in by a jump is less deep in it, by 5e-9 m, than steps may miss the jump by, 1e-7 m:
 * methods of order two, which do not resolve the rest, made an onset of every step and steps of 1e-14 s. Now each onset is one
 * of a hop that is larger: 3300 to 6500 steps. The energy that is lost in hops makes the ladder late, by 2e-5 m at 0.4 s. */
TEST(what_rests_on_a_jump_does_not_stop_the_run)
{
    static const char *const methods[] = {"hht", "tlismni-hht"};
    TmlModel *model =
        study_model(t, HEAD DOWN "parameters: {m: 2, L: 1, r: 1 mm, q: 15 deg}\n"
                                 "ground: {shape: [{half_space: {normal: z, name: floor}}, "
                                 "{half_space: {normal: x, name: wall}}]}\n"
                                 "bodies: {rod: {mass: m, inertia: [m*L^2/12, m*L^2/12, 1e-4], "
                                 "position: [L/2*sin(q) + r, 0, L/2*cos(q) + r],\n"
                                 "         rotation: {axis: y, angle: -q}, shape: {capsule: "
                                 "{radius: r, length: L, axis: z}}}}\n"
                                 "contacts: {both: {between: [rod, ground], law: linear, "
                                 "stiffness: 1e9, damping: 2*sqrt(1e9*m)}}\n"
                                 "outputs: {z: DZ(rod)}\n");
    double height = (double)NAN;
    for (int k = -1; k < 2 && model != NULL; ++k) {
        Trace run = {0};
        TmlSimOptions o = study_options(0.4, 0.1, NULL);
        o.integrator = t->name = k < 0 ? "radau" : methods[k];
        o.tolerance = k < 0 ? 1e-8 : 1e-5;
        if (study_run(t, model, &o, &run)) {
            height = k < 0 ? trace_value(&run, run.rows - 1, 0) : height;
            CHECK_NEAR(t, trace_value(&run, run.rows - 1, 0), height, 1e-4);
            CHECK(t, run.stats.steps < 8000);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

TEST_SUITE(contact_classics) = {
    CASE(textbooks_agree), CASE(what_rests_on_a_jump_does_not_stop_the_run), {0}};
