/* tests/contact/test_piles.c - balls in a box: every method, both solvers, other orders, other axes, restarts, rest. */
#include "../analysis/study.h"

enum { OUTPUTS = 18 }; /* x, z of nine balls */

/* End of the runs, s: balls are in each other by then and on their way up again. Tolerance of all runs but the tightest. */
#define END 0.04
static const double tolerance = 1e-6;

static TmlModel *pile(TestCtx *t, double turned, double order)
{
    static const char *const name[] = {"A", "S"};
    const double value[] = {turned, order};
    char path[4096];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(path, sizeof path, "%s/tests/data/models/pile.yaml", test_source_dir());
    CHECK_OK(t, tml_load(path, 2, name, value, &model, &err), &err);
    return model;
}

static TmlSimOptions pile_options(const OneOption *option)
{
    TmlSimOptions o = study_options(END, 0.5 * END, option);
    o.tolerance = tolerance;
    return o;
}

/* m: largest difference of the places of two runs at their end; the second may have its rows in the other order. */
static double apart(const Trace *a, const Trace *b, bool other_order)
{
    double most = a->rows > 0 && a->rows == b->rows ? 0.0 : (double)NAN;
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 2; ++k) {
                const int other = other_order ? 2 - i : i;
                most = fmax(most, fabs(trace_value(a, a->rows - 1, 2 * (3 * j + i) + k) -
                                       trace_value(b, b->rows - 1, 2 * (3 * j + other) + k)));
            }
        }
    }
    return most;
}

/* Each method comes to where radau comes at a tolerance that is a thousand times smaller. */
TEST(every_method_settles_it)
{
    TmlModel *model = pile(t, 0.0, 1.0);
    Trace exact;
    TmlSimOptions o = pile_options(NULL);
    o.integrator = "radau";
    o.tolerance = 1e-3 * tolerance;
    study_run(t, model, &o, &exact);
    CHECK_INT(t, exact.n[CHANNEL], OUTPUTS * exact.rows);
    for (int i = 0; tml_integrator_types[i] != NULL; ++i) {
        Trace run;
        o = pile_options(NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        if (study_run(t, model, &o, &run)) {
            // errors of some hundred steps, each up to the tolerance times the length of the model, a third of a metre; those of
            // velocities grow with the time that is left
            CHECK_NEAR(t, apart(&run, &exact, false), 0.0, 1e-5);
            CHECK(t, run.stats.max_energy_error < 1e-3 * run.stats.max_kinetic);
        }
        trace_free(&run);
    }
    t->name = NULL;
    trace_free(&exact);
    tml_model_free(model);
}

/* Both solvers give the same within what the iteration of Newton leaves, for every method that has both. */
TEST(solvers_agree)
{
    TmlModel *model = pile(t, 0.0, 1.0);
    int methods = 0;
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        if (!tml_option_known(&tml_integrator_types[k]->info, "solver")) {
            continue;
        }
        methods++;
        const OneOption direct = {"solver", "direct"}, iterative = {"solver", "iterative"};
        TmlSimOptions o[2] = {pile_options(&direct), pile_options(&iterative)};
        Trace run[2] = {0};
        o[0].integrator = o[1].integrator = t->name = tml_integrator_types[k]->info.name;
        if (study_run(t, model, &o[0], &run[0]) && study_run(t, model, &o[1], &run[1])) {
            // a step leaves 1e-4 of the tolerance and may be longer or shorter by that; what runs of other steps differ
            // by is their error, a few thousandths of which were measured
            CHECK_NEAR(t, apart(&run[0], &run[1], false), 0.0, 1e-7);
            CHECK_INT(t, run[0].stats.solves_iterated, 0);
            CHECK(t, run[0].stats.factorizations > 0 && run[0].stats.analyses > 0);
            CHECK(t, run[1].stats.solves_iterated > run[1].stats.steps);
            CHECK(t, run[1].stats.products > 0);
            CHECK_INT(t, run[1].stats.factorizations + run[1].stats.refactorizations, 0);
            // iterations of Newton are not spent on what the linear solver leaves
            CHECK(t, (double)run[1].stats.iterations < 1.05 * (double)run[0].stats.iterations);
        }
        trace_free(&run[0]);
        trace_free(&run[1]);
    }
    CHECK(t, methods >= 4);
    t->name = NULL;
    tml_model_free(model);
}

/* Attempted steps of a run that keeps them, from its start on; how many. */
static int64_t attempts_of(TestCtx *t, TmlModel *model, const char *method, const char *solver,
                           TmlSim **sim, const TmlAttemptRow **row)
{
    const OneOption option = {"solver", solver};
    TmlSimOptions o = pile_options(&option);
    TmlError err;
    o.integrator = method;
    o.record_solver = true;
    *sim = study_sim(t, model, &o);
    while (*sim != NULL && (*sim)->it.now.t < 0.5 * END) {
        CHECK_OK(t, tml_sim_step(*sim, &err), &err);
    }
    return tml_sim_attempts(*sim, row);
}

/* Error estimates are filtered by the same linear solver. Both solvers estimate the same errors of the same steps. */
TEST(solvers_estimate_the_same_errors)
{
    TmlModel *model = pile(t, 0.0, 1.0);
    int compared = 0;
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        if (!tml_option_known(&tml_integrator_types[k]->info, "solver")) {
            continue;
        }
        TmlSim *sim[2];
        const TmlAttemptRow *row[2];
        t->name = tml_integrator_types[k]->info.name;
        const int64_t direct = attempts_of(t, model, t->name, "direct", &sim[0], &row[0]);
        const int64_t iterative = attempts_of(t, model, t->name, "iterative", &sim[1], &row[1]);
        for (int64_t i = 0; i < direct && i < iterative; ++i) {
            const TmlAttemptRow *a = &row[0][i], *b = &row[1][i];
            if (fabs(b->h / a->h - 1.0) > 1e-3 || a->order != b->order) {
                break; // runs go their own ways once a decision falls differently
            }
            if (a->error > 0.01 &&
                a->error < 10.0) { // smaller ones are what Newton's iteration leaves
                ++compared;
                CHECK_NEAR(t, b->error / a->error, 1.0, 0.02);
            }
        }
        CHECK(t, compared >= 10);
        tml_sim_free(sim[0]);
        tml_sim_free(sim[1]);
    }
    t->name = NULL;
    CHECK(t, compared >= 20);
    tml_model_free(model);
}

/* The order of bodies, and the axes in which they are described, make no difference beyond the error of a run. */
TEST(order_and_axes_do_not_matter)
{
    static const struct {
        double turned, order;
    } other[] = {{0.0, -1.0}, {0.7, 1.0}, {2.0, -1.0}};
    const OneOption solver[] = {{"solver", "direct"}, {"solver", "iterative"}};
    for (int s = 0; s < 2; ++s) {
        TmlSimOptions o = pile_options(&solver[s]);
        Trace first, run;
        TmlModel *model = pile(t, 0.0, 1.0);
        study_run(t, model, &o, &first);
        tml_model_free(model);
        for (int k = 0; k < 3; ++k) {
            model = pile(t, other[k].turned, other[k].order);
            study_run(t, model, &o, &run);
            // steps are the same but for rounding, of which 3e-16 was measured; lists differ by what boxes along other axes
            // hold, which makes no difference
            CHECK_NEAR(t, apart(&first, &run, other[k].order < 0.0), 0.0, 1e-10);
            trace_free(&run);
            tml_model_free(model);
        }
        trace_free(&first);
    }
}

/* A run that goes on from the middle of another comes to the same end. */
TEST(runs_go_on_in_a_pile)
{
    TmlModel *model = pile(t, 0.0, 1.0);
    const OneOption solver = {"solver", "iterative"};
    TmlSimOptions o = pile_options(&solver);
    TmlError err;
    Trace whole, rest = {0};
    study_run(t, model, &o, &whole);
    TmlSim *first = study_sim(t, model, &o);
    while (first->it.now.t < 0.5 * END) {
        CHECK_OK(t, tml_sim_step(first, &err), &err);
    }
    o.from = first;
    TmlSim *second = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(second, trace_row, &rest, &err), &err);
    rest.rows = rest.rows > 0 ? rest.rows : 1;
    double most = 0.0;
    for (int k = 0; k < OUTPUTS; ++k) {
        most = fmax(most, fabs(trace_value(&rest, rest.rows - 1, k) -
                               trace_value(&whole, whole.rows - 1, k)));
    }
    CHECK_NEAR(t, most, 0.0, 1e-6); // as above: other steps behind the middle
    tml_sim_free(second);
    tml_sim_free(first);
    trace_free(&rest);
    trace_free(&whole);
    tml_model_free(model);
}

/* Two balls on three between walls, which swing for some tenths of a second at some 5 ms a period. */
#define STACK                                                                                      \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "ground:\n"                                                                                    \
    "  shape:\n"                                                                                   \
    "    - {half_space: {normal: z, name: floor}}\n"                                               \
    "    - {half_space: {normal: x, position: [-0.05, 0, 0], name: left}}\n"                       \
    "    - {half_space: {normal: -x, position: [0.25, 0, 0], name: right}}\n"                      \
    "bodies:\n"                                                                                    \
    "  for i in 0..2:\n"                                                                           \
    "    \"low{i}\": {mass: 1, inertia: [0.001, 0.001, 0.001], position: [0.1*i, 0, 0.05], "       \
    "shape: "                                                                                      \
    "{sphere: {radius: 0.05}}}\n"                                                                  \
    "  for j in 0..1:\n"                                                                           \
    "    \"high{j}\": {mass: 1, inertia: [0.001, 0.001, 0.001], position: [0.05 + 0.1*j, 0, "      \
    "0.1366], shape: {sphere: {radius: 0.05}}}\n"                                                  \
    "contacts: {all: {between: all, law: hertz, young: 1e7, poisson: 0.3, damping: 5, friction: "  \
    "{law: coulomb, dynamic: 0.5, static_velocity: 1e-3}}}\n"

/* What is at rest takes steps that are longer than any period of its contacts, by both solvers. */
TEST(piles_at_rest_take_long_steps)
{
    TmlModel *model = study_model(t, STACK);
    const OneOption solver[] = {{"solver", "direct"}, {"solver", "iterative"}};
    for (int k = 0; k < 2; ++k) {
        TmlSimOptions o = study_options(3.0, 3.0, &solver[k]);
        TmlError err;
        int64_t before = 0;
        o.tolerance = 1e-8;
        TmlSim *sim = study_sim(t, model, &o);
        while (sim->it.now.t < 3.0) {
            const bool early = sim->it.now.t < 2.0;
            CHECK_OK(t, tml_sim_step(sim, &err), &err);
            before = early ? tml_sim_stats(sim).steps : before;
        }
        const TmlSimStats stats = tml_sim_stats(sim);
        CHECK(t, stats.h_max > 0.02);         // four periods
        CHECK(t, stats.steps - before < 100); // of 10 ms in the mean, in the last second
        tml_sim_free(sim);
    }
    tml_model_free(model);
}

/* Seven balls over a floor, at heights that differ by `spread`, that come down with 2 m/s. */
#define SEVEN                                                                                      \
    "trammel: 1\n"                                                                                 \
    "parameters: {spread: 0, v: 2, E: 0}\n"                                                        \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies:\n"                                                                                    \
    "  for i in 1..7:\n"                                                                           \
    "    \"b{i}\": {mass: 1, inertia: [0.001, 0.001, 0.001], position: [0.2*i, 0, 0.07 + "         \
    "spread*i], velocity: [0, 0, -v], shape: {sphere: {radius: 0.05}}}\n"                          \
    "contacts: {all: {between: all, law: hertz, young: E, poisson: 0.3, damping: 2}}\n"            \
    "outputs: {z1: DZ(b1), z7: DZ(b7)}\n"

static int64_t seven(TestCtx *t, double spread, double young, double tol, double *z)
{
    static const char *const name[] = {"spread", "E"};
    const double value[] = {spread, young};
    TmlModel *model = NULL;
    TmlError err = {0};
    Trace run = {0};
    CHECK_OK(t, tml_load_text(SEVEN, "test", 2, name, value, &model, &err), &err);
    TmlSimOptions o = study_options(0.011, 0.011, NULL);
    o.tolerance = tol;
    study_run(t, model, &o, &run);
    z[0] = trace_value(&run, run.rows - 1, 0);
    z[1] = trace_value(&run, run.rows - 1, 1);
    const int64_t onsets = run.stats.contact_onsets;
    trace_free(&run);
    tml_model_free(model);
    return onsets;
}

/* Onsets that are close together take one landing; those whose force a step may miss take none. What comes out is the
 * same. */
TEST(onsets_are_landed_on_where_they_matter)
{
    static const struct {
        double spread, young, tolerance;
        int least, most; // landings
    } run[] = {
        {0.0, 1e8, 1e-9, 1, 1},  {1e-12, 1e8, 1e-9, 1, 1}, // within 3e-12 s
        {5e-5, 1e8, 1e-9, 1, 7}, // within 0.15 ms: some fall into steps that are short enough by then
        {0.0, 1e3, 1e-3, 0, 0}, // three millimetres give 0.1 N
        {0.0, 1e3, 1e-9, 1, 1},
    };
    for (int k = 0; k < (int)(sizeof run / sizeof run[0]); ++k) {
        double z[2], exact[2];
        seven(t, run[k].spread, run[k].young, 1e-12, exact);
        const int64_t onsets = seven(t, run[k].spread, run[k].young, run[k].tolerance, z);
        CHECK(t, onsets >= run[k].least && onsets <= run[k].most);
        // errors of up to a hundred steps of the tolerance times 1.2 m each
        CHECK_NEAR(t, z[0], exact[0], 100.0 * run[k].tolerance);
        CHECK_NEAR(t, z[1], exact[1], 100.0 * run[k].tolerance); // the same
    }
}

/* 27 balls that are 10 micrometres in each other and fly apart or together with some cm/s: damping is cut off where they
 * part fast, and the force that comes back as they do is nothing to steps of microseconds. */
#define APART                                                                                      \
    "trammel: 1\n"                                                                                 \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies:\n"                                                                                    \
    "  for n in 0..26:\n"                                                                          \
    "    \"s{n}\": {mass: 1, inertia: [0.001, 0.001, 0.001], position: [\"0.09999*mod(n, 3)\", "   \
    "\"0.09999*mod(aint(n/3), 3)\", \"0.09999*(aint(n/9) + 0.5)\"], velocity: "                    \
    "[\"0.02*sin(3*n)\", \"0.02*sin(11*n)\", -0.1], shape: {sphere: {radius: 0.05}}}\n"            \
    "contacts: {all: {between: all, law: hertz, young: 1e7, poisson: 0.3, restitution: 0.5}}\n"

TEST(forces_that_come_back_are_passed)
{
    TmlModel *model = study_model(t, APART);
    TmlSimOptions o = study_options(2e-3, 2e-3, NULL);
    Trace run;
    if (study_run(t, model, &o, &run)) {
        // there were as many landings as points that part before, and eight times as many steps
        CHECK(t, run.stats.contact_onsets < 10);
        CHECK(t, run.stats.steps < 300);
        // as was measured for 1000 of them: 1e-6, and 2.5e-3 with all these landings
        CHECK(t, run.stats.max_energy_error < 1e-5 * run.stats.max_kinetic);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* A head runs along a wire with 20 m/s, pressed against it; the damper's force would jump where it left. It stays, and no step ends on
 * an end of the contact that never comes. With the motion along the wire taken as that of a ball that rolls off a pin each step did. */
#define HEAD                                                                                       \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "bodies:\n"                                                                                    \
    "  head: {mass: 2, inertia: [1, 1, 1], position: [1, 0, -0.0108], velocity: [20, 0, 0], "      \
    "shape: {sphere: {radius: 0.01}}}\n"                                                           \
    "flexible:\n"                                                                                  \
    "  wire: {type: cable, line: [[0, 0, 0], [4, 0, 0]], elements: 4, material: {E: 1e9, "         \
    "density: 8000, damping: 1e-3}, section: {radius: 0.002}, stretch: 1.5, start: {pin: "         \
    "ground}, end: {pin: ground}}\n"                                                               \
    "joints: {lead: {type: orientation, bodies: [ground, head], at: [1, 0, 0]}}\n"                 \
    "forces: {lift: {type: force, body: head, fz: 60+19.62}}\n"                                    \
    "contacts: {pan: {between: [head, wire], flexible: closest, law: linear, stiffness: 5e4, "     \
    "damping: 20}}\n"                                                                              \
    "outputs: {press: contact_force(pan), x: DX(head)}\n"

TEST(a_head_that_runs_along_a_wire_stays_on_it)
{
    TmlModel *model = study_model(t, HEAD);
    TmlSimOptions o = study_options(0.05, 0.05, NULL);
    Trace run;
    o.integrator = "hht";
    o.tolerance = 1e-4; // steps long enough to foresee that end
    if (study_run(t, model, &o, &run)) {
        CHECK(t, trace_value(&run, run.rows - 1, 0) > 50.0); // N, from 60 on
        // m: only the slope of the wire acts along it; its square, some 1e-3, is the part of the metre on the way that is lost
        CHECK_NEAR(t, trace_value(&run, run.rows - 1, 1), 2.0, 1e-3);
        CHECK_INT(t, run.stats.contact_onsets + run.stats.contact_releases, 0);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* 64 balls fall from a loose grid into each other: friction turns round and contacts close all over within steps, so that the tangent of a prediction is soon
 * that of somewhere else. Iterations that kept it lost 19 of 617 tries; those that take another one where they slow down lose 2 of 592. */
TEST(iterations_survive_a_fall)
{
    TmlModel *model = study_model(
        t,
        "trammel: 1\n"
        "parameters: {E: 4, R: 0.05, d: 0.105}\n"
        "gravity: [0, 0, -9.81]\n"
        "ground:\n"
        "  shape:\n"
        "    - {half_space: {normal: z, name: floor}}\n"
        "    - {half_space: {normal: x, name: left}}\n"
        "    - {half_space: {normal: -x, position: [E*d, 0, 0], name: right}}\n"
        "    - {half_space: {normal: y, name: front}}\n"
        "    - {half_space: {normal: -y, position: [0, E*d, 0], name: back}}\n"
        "bodies:\n"
        "  for n in 0..63:\n"
        "    \"s{n}\":\n"
        "      mass: 1\n"
        "      inertia: [0.001, 0.001, 0.001]\n"
        "      position: [\"d*(mod(n, E) + 0.5) + 2e-3*sin(7*n)\", \"d*(mod(aint(n/E), E) + 0.5) + "
        "2e-3*sin(5*n)\", \"d*(aint(n/E/E) + 0.5)\"]\n"
        "      velocity: [\"0.2*sin(3*n)\", \"0.2*sin(11*n)\", 0]\n"
        "      shape: {sphere: {radius: R}}\n"
        "contacts:\n"
        "  all: {between: all, law: hertz, young: 1e6, poisson: 0.3, restitution: 0.1, friction: "
        "{dynamic: 0.3}}\n"
        "outputs: {z: DZ(s63)}\n");
    Trace run = {0};
    TmlSimOptions o = study_options(0.3, 0.3, NULL);
    o.integrator = "hht";
    o.tolerance = 1e-5;
    if (model != NULL && study_run(t, model, &o, &run)) {
        CHECK(t, run.stats.steps > 300);
        CHECK(t, 80 * run.stats.rejected_newton < run.stats.steps);
    }
    trace_free(&run);
    tml_model_free(model);
}

TEST_SUITE(piles) = {CASE(every_method_settles_it),
                     CASE(iterations_survive_a_fall),
                     CASE(solvers_agree),
                     CASE(solvers_estimate_the_same_errors),
                     CASE(order_and_axes_do_not_matter),
                     CASE(runs_go_on_in_a_pile),
                     CASE(piles_at_rest_take_long_steps),
                     CASE(onsets_are_landed_on_where_they_matter),
                     CASE(forces_that_come_back_are_passed),
                     CASE(a_head_that_runs_along_a_wire_stays_on_it),
                     {0}};
