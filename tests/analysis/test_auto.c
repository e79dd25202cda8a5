/* tests/analysis/test_auto.c - what `auto` chooses, that it says why, and how others take over. */
#include "mechanisms.h"
#include "study.h"

/* Of a body whose damper grows with time: stiff from about 0.2 s on. */
static const char stiffens[] =
    "trammel: 1\n"
    "bodies: {mass: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
    "joints: {slide: {type: translational, bodies: [ground, mass], at: [0, 0, 0], axis: x}}\n"
    "forces: {s: {type: force, body: mass,\n"
    "             fx: '-10*DX(mass) - (0.1 + 1e6*time^4)*VX(mass)'}}\n"
    "outputs: {x: DX(mass)}\n";

/* Two rods with springs and dampers at their pins. The second spring starts 6 rad from its balance, so that the acceleration alone
 * makes it a motion that is hardly slower than the model; the damper lets it go on at 280 1/s. */
static const char far_from_balance[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod1: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "  rod2: {mass: 0.3, inertia: [0.01, 0.225, 0.225], position: [3.5, 0, 0]}\n"
    "joints:\n"
    "  pin1: {type: revolute, bodies: [ground, rod1], at: [0, 0, 0], axis: z}\n"
    "  pin2: {type: revolute, bodies: [rod1, rod2], at: [2, 0, 0], axis: z}\n"
    "forces:\n"
    "  s1: {type: rotational_spring, joint: pin1, stiffness: 400, damping: 15}\n"
    "  s2: {type: rotational_spring, joint: pin2, stiffness: 3e6, damping: 5e4, free_angle: -6}\n";

static TmlSimOptions auto_options(double end)
{
    TmlSimOptions o = study_options(end, 0.1 * end, NULL);
    o.integrator = NULL; // the default
    return o;
}

static void check_choice(TestCtx *t, const char *text, const TmlSimOptions *o, const char *method,
                         const char *reason)
{
    TmlModel *model = study_model(t, text);
    TmlSim *sim = study_sim(t, model, o);
    if (sim != NULL) {
        CHECK_STR(t, tml_sim_integrator(sim), method);
        CHECK_HAS(t, tml_sim_choice(sim), method);
        CHECK_HAS(t, tml_sim_choice(sim), reason);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Forces that read accelerations: such models have no joint coordinates. */
static const char coupled[] = "trammel: 1\n"
                              "bodies:\n"
                              "  for i in 1..4:\n"
                              "    'b{i}': {type: point, mass: 1, position: [i, 0, 0],\n"
                              "             velocity: [0, i, 0]}\n"
                              "forces: {f: {type: force, body: b1, fx: '-0.1*ACCX(b2)'}}\n";
static const char shaken[] = "trammel: 1\n"
                             "bodies: {bead: {type: point, mass: 1}}\n"
                             "forces: {f: {type: force, body: bead,\n"
                             "             fx: '-0.1*ACCX(bead) + sin(time)'}}\n";
static const char lone[] = "trammel: 1\n"
                           "bodies: {bead: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
                           "forces: {f: {type: force, body: bead, fx: '-0.1*ACCX(bead)'}}\n";

TEST(choices_follow_the_model)
{
    TmlSimOptions o = auto_options(1.0);
    t->name = "smooth";
    check_choice(t, pendulum, &o, "dop853", "smooth and not stiff");
    t->name = "stiff";
    check_choice(t, "models/double_pendulum.yaml", &o, "radau", "smooth and stiff");
    t->name = "stiff, and far from its balance"; // whose acceleration at the start is gone at once
    check_choice(t, far_from_balance, &o, "radau", "smooth and stiff");
    t->name = "flexible";
    static const char rod[] =
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "flexible: {rod: {type: beam2d, line: [[0, 0, 0], [0.4, 0, 0]], elements: 2,\n"
        "                 material: {E: 2e11, nu: 0.3, density: 7800},\n"
        "                 section: {height: 0.04, width: 0.04}, start: {pin: ground}}}\n";
    check_choice(t, rod, &o, "radau", "their fast waves are damped");
    o.tolerance = 1e-9; // the oscillations themselves
    check_choice(t, rod, &o, "radau", "flexible bodies are stiff (");
    o.tolerance = (double)NAN;
    t->name = "stiff state";
    check_choice(t,
                 "trammel: 1\n"
                 "bodies: {bead: {type: point, mass: 1}}\n"
                 "states: {lag: {rate: '1e5*(sin(time) - lag)', initial: 0}}\n"
                 "forces: {push: {type: force, body: bead, fx: lag}}\n",
                 &o, "radau", "fastest rate 1e+05 1/s");
    static const char floor[] =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {ball: {type: point, mass: 1, position: [0, 0, 1]}}\n"
        "forces:\n"
        "  floor: {type: force, body: ball,\n"
        "          fz: 'impact(DZ(ball), VZ(ball), 0.1, 1e5, 1.5, 10, 0.01)'}\n";
    t->name = "contact";
    check_choice(t, floor, &o, "hht", "not smooth");
    static const char struck[] =
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [0.2, 0.2, 0],\n"
        "                shape: {sphere: {radius: 0.1}}}}\n"
        "flexible: {rod: {type: cable, line: [[0, 0, 0], [0.4, 0, 0]], elements: 2,\n"
        "                 material: {E: 2e9, density: 7800}, section: {radius: 0.01},\n"
        "                 start: {pin: ground}, end: {pin: ground}}}\n"
        "contacts: {c: {between: [ball, rod], law: linear, stiffness: 1e6}}\n";
    t->name = "contact of flexible bodies";
    check_choice(t, struck, &o, "hht", "ring");
    o.tolerance = 1e-9;
    check_choice(t, struck, &o, "radau", "shapes touch");
    o.tolerance = (double)NAN;
    t->name = "friction";
    check_choice(t, "models/elements/friction.yaml", &o, "hht", "not smooth");
    t->name = "shapes that touch";
    check_choice(t, "models/contact/bouncing_ball.yaml", &o, "radau", "shapes touch: stiff");
    check_choice(t,
                 "trammel: 1\n"
                 "ground: {shape: {half_space: {normal: z}}}\n"
                 "bodies: {ball: {type: point, mass: 1, position: [0, 0, 1], shape: {sphere: "
                 "{radius: 0.1}}}}\n"
                 "contacts: {floor: {between: all, law: linear, stiffness: 1e5, events: locate}}\n",
                 &o, "radau", "located");
    t->name = "many shapes that touch";
    check_choice(t,
                 "trammel: 1\n"
                 "ground: {shape: {half_space: {normal: z}}}\n"
                 "bodies:\n"
                 "  'for i in 1..400':\n"
                 "    'b{i}': {type: point, mass: 1, position: [i, 0, 1], shape: {sphere: {radius: "
                 "0.1}}}\n"
                 "contacts: {floor: {between: all, law: linear, stiffness: 1e5}}\n",
                 &o, "hht", "shapes touch and the model is large");
    static const char timed[] =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {ball: {type: point, mass: 1, position: [0, 0, 1]}}\n"
        "splines: {table: {x: [0, 1, 2, 3], y: [0, 1, 0, 2]}}\n"
        "forces:\n"
        "  f: {type: force, body: ball, fx: 'step(time, 0.1, 0, 0.2, 1) - DX(ball)',\n"
        "      fy: 'if(time - 0.5: 0, 0, VY(ball))', fz: '(1 - DZ(ball))*akispl(time, table)'}\n";
    t->name = "functions of time alone"; // whose kinks are stepped on
    check_choice(t, timed, &o, "dop853", "smooth and not stiff");
    o.tolerance = 1e-3;
    check_choice(t, timed, &o, "dop853", "smooth and not stiff");
    check_choice(t, shaken, &o, "radau", "moved by functions of time");
    o.tolerance = (double)NAN;
    static const char square[] = "trammel: 1\n"
                                 "bodies: {bead: {type: point, mass: 1}}\n"
                                 "forces: {drag: {type: force, body: bead,\n"
                                 "                fx: '1 - VX(bead)*abs(VX(bead))'}}\n";
    t->name = "kinks";
    check_choice(t, square, &o, "radau", "kinks");
    o.tolerance = 1e-3;
    check_choice(t, square, &o, "radau", "kinks");
    t->name = "a limit of a controller";
    check_choice(t, "models/pid.yaml", &o, "radau", "kinks");
    t->name = "friction, loose";
    check_choice(t, "models/elements/friction.yaml", &o, "hht", "not smooth");
    o.tolerance = 1e-11; // which order two reaches by very many steps
    t->name = "friction, tight";
    check_choice(t, "models/elements/friction.yaml", &o, "radau", "kinks");
    t->name = "contact, tight"; // it may set in inside of a step
    check_choice(t, floor, &o, "hht", "not smooth");
    o.tolerance = (double)NAN;
    static const char large[] = "trammel: 1\n"
                                "bodies:\n"
                                "  'for i in 1..400':\n"
                                "    'b{i}': {type: point, mass: 1, position: [i, 0, 0]}\n";
    t->name = "large";
    check_choice(t, large, &o, "dop853", "smooth");
    t->name = "large and loose";
    o.tolerance = 1e-4;
    check_choice(t, large, &o, "dop853", "smooth");
    t->name = "several bodies, loose, not in joint coordinates";
    check_choice(t, coupled, &o, "bdf-i3", "cheapest");
    static const char springs[] =
        "trammel: 1\n"
        "bodies:\n"
        "  'for i in 1..400':\n"
        "    'b{i}': {type: point, mass: 1, position: [i, 0, 0]}\n"
        "forces:\n"
        "  'for i in 1..400':\n"
        "    's{i}': {type: spring, frames: [ground, 'b{i}'], stiffness: 1e6, damping: 1e5}\n";
    t->name = "large, stiff and loose";
    check_choice(t, springs, &o, "hht", "large and stiff");
}

/* A point mass on a spring and a damper along x, k / m = rate^2, beside a motion of 10 1/s (a run of one second). */
static void check_oscillator(TestCtx *t, double rate, double damping, double tolerance,
                             const char *method)
{
    char text[512], name[64];
    snprintf(name, sizeof name, "rate %g, damping %g, tolerance %g", rate, damping, tolerance);
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies: {bead: {type: point, mass: 1, position: [1, 0, 0]}}\n"
             "forces: {s: {type: force, body: bead, fx: '-%g*(DX(bead) - 1) - %g*VX(bead)'}}\n",
             rate * rate, damping);
    TmlSimOptions o = auto_options(1.0);
    o.tolerance = tolerance;
    t->name = name;
    check_choice(t, text, &o, method, "smooth");
    t->name = NULL;
}

TEST(what_is_faster_than_its_motion_is_left_to_implicit_methods)
{
    // the last numbers are tolerances of runs, no limits
    check_oscillator(t, 20.0, 0.0, 1e-5, "dop853");   // twice the motion: a tolerance to run with
    check_oscillator(t, 100.0, 0.0, 1e-5, "radau");   // ten times: the same tolerance
    check_oscillator(t, 100.0, 0.0, 1e-7, "dop853");  // undamped: to be followed at this tolerance
    check_oscillator(t, 100.0, 50.0, 1e-7, "dop853"); // damped: steps are short for the tolerance
    check_oscillator(t, 100.0, 50.0, 1e-5, "radau");  // and not here
    check_oscillator(t, 300.0, 150.0, 1e-7, "radau"); // thirty times
    check_oscillator(t, 1000.0, 0.0, 1e-7, "radau");  // a hundred times
}

/* The limit of dop853 on undamped waves is ten times that of adams, which is taken here for its option. */
TEST(waves_at_the_limit_of_adams_are_left_to_dop853)
{
    static const char *const drag[] = {"0.1", "3000"}, *const next[] = {"dop853", "radau"};
    const OneOption aim = {"aim", "0.5"};
    for (int k = 0; k < 2; ++k) {
        char text[256];
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "bodies: {bead: {type: point, mass: 1, position: [1, 0, 0]}}\n"
                 "forces: {s: {type: force, body: bead, fx: '-1e4*DX(bead) - %s*VX(bead)'}}\n",
                 drag[k]);
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(1.0, 0.1, &aim);
        o.integrator = NULL;
        TmlSim *sim = study_sim(t, model, &o);
        TmlError err = {0};
        CHECK_STR(t, tml_sim_integrator(sim), "adams");
        CHECK_OK(t, tml_sim_step(sim, &err), &err);
        tml_sim_watch(sim, 0, "stability bounds the steps");
        CHECK_OK(t, tml_sim_step(sim, &err), &err);
        CHECK_STR(t, tml_sim_integrator(sim), next[k]);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* bdf-i3 controls positions only, so that its errors are larger at the same tolerance: it gets a hundredth, and gives it back
 * when another method takes over. */
TEST(cheap_iterations_get_a_share_of_the_tolerance)
{
    TmlModel *model = study_model(t, coupled);
    TmlSimOptions o = auto_options(0.2);
    o.tolerance = 1e-5;
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    CHECK_STR(t, tml_sim_integrator(sim), "bdf-i3");
    CHECK_HAS(t, tml_sim_choice(sim), "a hundredth of the tolerance");
    CHECK_NEAR(t, tml_sim_tolerance(sim), 1e-7, 1e-20); // rounding of the product
    CHECK_OK(t, tml_sim_step(sim, &err), &err);
    tml_sim_watch(sim, 1000, NULL);
    CHECK_OK(t, tml_sim_step(sim, &err), &err);
    CHECK_STR(t, tml_sim_integrator(sim), "dop853");
    CHECK_NEAR(t, tml_sim_tolerance(sim), 1e-5, 0.0);
    tml_sim_free(sim);
    o.tolerance = (double)NAN; // by its default explicit steps of high order
    check_choice(t, coupled, &o, "dop853", "not stiff");
    o.tolerance = 1e-5; // few bodies
    check_choice(t, lone, &o, "dop853", "not stiff");
    o.tolerance = 1e-4;
    check_choice(t, lone, &o, "bdf-i3", "a hundredth");
    check_choice(t, pendulum, &o, "dop853", "not stiff"); // in joint coordinates
    tml_model_free(model);
}

/* Two four-bars in a row pass a singular position at 0.714 s. Explicit steps may stop there at 1e-10, and nothing can start from where they
 * stop. */
TEST(tight_loops_are_left_to_radau)
{
    const char *path = "models/cases/iftomm_a02_four_bar.yaml";
    TmlModel *model = study_model(t, path);
    TmlSimOptions o = auto_options(0.75);
    o.tolerance = 1e-10;
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    CHECK_STR(t, tml_sim_integrator(sim), "radau");
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    CHECK_STR(t, tml_sim_integrator(sim), "radau"); // nothing took over
    tml_sim_free(sim);
    tml_model_free(model);
    o.tolerance = 1e-7; // a tolerance to run with, as is the next
    check_choice(t, path, &o, "dop853", "not stiff");
    o.tolerance = 1e-10;
    check_choice(t, pendulum, &o, "dop853", "not stiff"); // a tree
}

/* A straight chain that a rod to ground locks in its singular position, beside a flexible rod: by
 * hht it drifts along what the position does not hold, until the iteration fails at 0.003 s. */
TEST(a_singular_start_is_left_to_radau)
{
    static const char locked[] =
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  for i in 1..4:\n"
        "    'c{i}': {mass: 0.7, inertia: [0.003, 0.004, 0.005],\n"
        "             position: ['0.28*(i - 0.5)', '-0.08*(i - 0.5)', '-0.06*(i - 0.5)']}\n"
        "joints:\n"
        "  k1: {type: revolute, bodies: [ground, c1], at: [0, 0, 0], axis: y}\n"
        "  for i in 2..4:\n"
        "    'k{i}': {type: revolute, bodies: ['c{i-1}', 'c{i}'], axis: y,\n"
        "             at: ['0.28*(i - 1)', '-0.08*(i - 1)', '-0.06*(i - 1)']}\n"
        "  rod: {type: revolute_spherical, bodies: [ground, c3], axis: z,\n"
        "        points: [[0.45, -0.3, -0.15], [0.7, -0.2, -0.15]]}\n"
        "flexible: {rod: {type: beam2d, line: [[0, 0, 0], [0.4, 0, 0]], elements: 2,\n"
        "                 material: {E: 2e8, nu: 0.3, density: 7800},\n"
        "                 section: {height: 0.04, width: 0.04}, start: {pin: ground}}}\n";
    TmlSimOptions o = auto_options(0.02);
    TmlModel *model = study_model(t, locked);
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    // the run is short beside the periods: an explicit method would fit, and refuses the start
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    CHECK_STR(t, tml_sim_integrator(sim), "radau");
    tml_sim_free(sim);
    tml_model_free(model);
    o = auto_options(0.2);
    check_choice(t, locked, &o, "radau", "the model is stiff and starts at a singular");
}

/* Options belong to a method, and that one is taken; those of none are refused. */
/* N balls on a floor, with a law of friction. */
static void balls_text(int n, const char *friction, char text[1024])
{
    snprintf(
        text, 1024,
        "trammel: 1\n"
        "gravity: -z\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies:\n"
        "  for i in 1..%d:\n"
        "    'b{i}': {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0.11*i, 0, 0.06],\n"
        "             shape: {sphere: {radius: 0.05}}}\n"
        "contacts: {all: {between: all, law: hertz, young: 1e7, poisson: 0.3, restitution: 0.5,\n"
        "                 friction: %s}}\n",
        n, friction);
}

TEST(heaps_have_the_cheapest_steps)
{
    const char *coulomb = "{dynamic: 0.3}";
    const char *elastic = "{law: elastic, dynamic: 0.3, stiffness: 1e4, damping: 10}";
    char text[1024];
    TmlSimOptions o = auto_options(0.1);
    balls_text(39, coulomb, text);
    check_choice(t, text, &o, "radau", "steps end where they do");
    balls_text(40, coulomb, text);
    check_choice(t, text, &o, "hht", "many bodies touch");
    balls_text(40, elastic, text); // rates of bristles are far above what order two follows
    check_choice(t, text, &o, "radau", "steps end where they do");
    o.tolerance = 1e-9;
    balls_text(40, coulomb, text);
    check_choice(t, text, &o, "radau", "steps end where they do");
}

TEST(choice_follows_the_options)
{
    const OneOption alpha = {"alpha", "-0.1"}, radius = {"radius", "0.8"}, none = {"alpah", "0"};
    TmlSimOptions o = study_options(1.0, 0.1, &alpha);
    o.integrator = "auto";
    check_choice(t, pendulum, &o, "hht", "options");
    o = study_options(1.0, 0.1, &radius);
    o.integrator = NULL;
    check_choice(t, pendulum, &o, "generalized-alpha", "options");
    o = study_options(1.0, 0.1, &none);
    o.integrator = NULL;
    TmlModel *model = study_model(t, pendulum);
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_INT(t, tml_sim_create(model, &o, &sim, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "did you mean 'alpha'?");
    tml_model_free(model);
}

/* A method that is named is no choice. */
TEST(named_methods_stay)
{
    TmlModel *model = study_model(t, stiffens);
    TmlSimOptions o = auto_options(0.4);
    o.integrator = "adams";
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    CHECK(t, tml_sim_choice(sim) == NULL);
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    CHECK_STR(t, tml_sim_integrator(sim), "adams");
    tml_sim_free(sim);
    tml_model_free(model);
}

/* The stiff rate that is reported is that of the linearised model: the double pendulum of [001] has
 * its dominant eigenvalue at -9.987e4 1/s. */
TEST(the_fast_rate_is_the_dominant_eigenvalue)
{
    TmlModel *model = study_model(t, "models/double_pendulum.yaml");
    const TmlSimOptions o = auto_options(1.0);
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        const char *at = strstr(tml_sim_choice(sim), "fastest rate ");
        CHECK(t, at != NULL);
        // power iterations with a gap of 1e3: three digits, and as many are printed
        CHECK_NEAR(t, at != NULL ? atof(at + strlen("fastest rate ")) : 0.0, 9.987e4, 2e2);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Position x at the end, and what was said of the methods. */
static double end_of(TestCtx *t, const char *text, const TmlSimOptions *o, const char *handed)
{
    TmlModel *model = study_model(t, text);
    TmlSim *sim = study_sim(t, model, o);
    TmlError err = {0};
    Trace rows = {0};
    CHECK_OK(t, tml_sim_run(sim, trace_row, &rows, &err), &err);
    const int notes = tml_sim_note_count(sim);
    if (handed != NULL) {
        CHECK_HAS(t, notes > 0 ? tml_sim_note(sim, notes - 1) : "", handed);
        CHECK_HAS(t, tml_sim_choice(sim), "; from t = ");
    }
    const double x = trace_value(&rows, rows.rows - 1, 0);
    CHECK_INT(t, rows.rows, 11); // none lost, none twice
    trace_free(&rows);
    tml_sim_free(sim);
    tml_model_free(model);
    return x;
}

TEST(an_implicit_method_takes_over_when_the_model_becomes_stiff)
{
    TmlSimOptions o = auto_options(2.0);
    const double x = end_of(t, stiffens, &o, "'radau' takes over from 'dop853'");
    o.integrator = "radau";
    o.tolerance = 1e-11;
    // both methods keep local errors of 1e-7 of a length of 1 m, and the motion is damped
    CHECK_NEAR(t, x, end_of(t, stiffens, &o, NULL), 1e-6);
}

/* A rod with next to no inertia about its axis: simplified Newton iterations of radau converge for
 * tiny steps only, while explicit steps have no iterations that could fail. */
TEST(another_method_takes_over_when_iterations_fail)
{
    TmlModel *model = study_model(t, "models/elements/spherical.yaml");
    const TmlSimOptions o = auto_options(1.0);
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    for (int k = 0; k < 5; ++k) {
        CHECK_OK(t, tml_sim_step(sim, &err), &err);
    }
    tml_sim_watch(sim, 1000, NULL); // dop853 itself has none: next is hht
    CHECK_STR(t, tml_sim_integrator(sim), "dop853");
    CHECK_OK(t, tml_sim_step(sim, &err), &err);
    CHECK_STR(t, tml_sim_integrator(sim), "hht");
    CHECK_NEAR(t, tml_sim_tolerance(sim), 1e-9, 0.0); // its own, as none was asked for
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    CHECK_HAS(t, tml_sim_choice(sim), "most iterations failed");
    tml_sim_watch(sim, 1000, NULL);
    CHECK(t, sim->chooser.successor == NULL); // hht is the last
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Steps that fail as soon as they grow: after 500 of them within a part of 1e-5 of the run another method takes over, and before
 * that, or where hardly any fail, it does not. */
TEST(another_method_takes_over_from_one_that_creeps)
{
    TmlModel *model = study_model(t, stiffens);
    const TmlSimOptions o = auto_options(1.0);
    for (int failures = 0; failures < 2; ++failures) {
        TmlSim *sim = study_sim(t, model, &o);
        TmlError err = {0};
        while (sim->it.now.t < 0.5 && tml_sim_step(sim, &err) == TML_OK) {
        }
        CHECK_STR(t, tml_sim_integrator(sim), "radau"); // took over where the model became stiff
        for (int k = 0; k < 1001; ++k) {
            sim->stats.steps++;
            sim->it.now.t += 1e-9;
            tml_sim_watch(sim, k % 4 == 0 ? failures : 0, NULL);
        }
        CHECK(t, tml_sim_is_succeeded(sim) == (failures > 0));
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

/* x'' = (1 - x)^-3 has no solution after 1/2 s: all methods have their turn, then the run fails. */
TEST(a_run_fails_when_no_method_is_left)
{
    TmlModel *model =
        study_model(t, "trammel: 1\n"
                       "bodies: {bead: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
                       "forces: {pole: {type: force, body: bead, fx: 1/(1 - DX(bead))^3}}\n");
    const TmlSimOptions o = auto_options(2.0);
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    CHECK_INT(t, tml_sim_run(sim, NULL, NULL, &err), TML_E_STEP);
    CHECK_NEAR(t, tml_sim_time(sim), 0.5, 1e-5); // the error of a step: test_dynamics.c
    CHECK_STR(t, tml_sim_integrator(sim), "hht");
    CHECK_HAS(t, tml_sim_choice(sim), "it could not go on");
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(automatic) = {CASE(a_singular_start_is_left_to_radau),
                         CASE(tight_loops_are_left_to_radau),
                         CASE(choices_follow_the_model),
                         CASE(what_is_faster_than_its_motion_is_left_to_implicit_methods),
                         CASE(waves_at_the_limit_of_adams_are_left_to_dop853),
                         CASE(cheap_iterations_get_a_share_of_the_tolerance),
                         CASE(heaps_have_the_cheapest_steps),
                         CASE(choice_follows_the_options),
                         CASE(named_methods_stay),
                         CASE(the_fast_rate_is_the_dominant_eigenvalue),
                         CASE(an_implicit_method_takes_over_when_the_model_becomes_stiff),
                         CASE(another_method_takes_over_when_iterations_fail),
                         CASE(another_method_takes_over_from_one_that_creeps),
                         CASE(a_run_fails_when_no_method_is_left),
                         {0}};
