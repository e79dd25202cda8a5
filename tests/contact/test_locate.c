/* tests/contact/test_locate.c - steps that end exactly on onsets and releases (events: locate).
 *
 * A ball of 1 kg falls 0.5 m onto a law of contact, whose kinks and jumps lower the order of every method unless steps end
 * on them. The reference is the same motion by steps of Runge and Kutta of 1 us that end on onset and release.
 */
#include "../analysis/study.h"

#include "trammel/analysis.h"

#include <unistd.h>

static const double g = 9.81, fall = 0.5, radius = 0.1;

/* The laws: N(d, d'), as the model says and as the reference does. */
typedef struct Law {
    const char *text;
    double k, n, c, eta;
} Law;

static const Law spring = {"law: linear, stiffness: 1e4", 1e4, 1.0, 0.0, 0.0};
static const Law damper = {"law: linear, stiffness: 1e4, damping: 40", 1e4, 1.0, 40.0, 0.0};
static const Law factor = {"law: hunt_crossley, stiffness: 1e4, exponent: 1, damping: 0.3", 1e4,
                           1.0, 0.0, 0.3};
static const Law power = {"law: hunt_crossley, stiffness: 1e5, damping: 0.3", 1e5, 1.5, 0.0, 0.3};

static double force_of(const Law *l, double d, double rate)
{
    const double E = l->k * copysign(pow(fabs(d), l->n), d);
    return E * (1.0 + l->eta * rate) + l->c * rate;
}

/* One step of Runge and Kutta of the depth and its rate. */
static void rk_step(const Law *l, double h, double *d, double *v)
{
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double kd = 0.0, kv = 0.0, sum_d = 0.0, sum_v = 0.0;
    for (int i = 0; i < 4; ++i) {
        const double di = *d + part[i] * h * kd, vi = *v + part[i] * h * kv;
        kd = vi;
        kv = g - force_of(l, di, vi);
        sum_d += weight[i] * kd;
        sum_v += weight[i] * kv;
    }
    *d += h / 6.0 * sum_d;
    *v += h / 6.0 * sum_v;
}

/* What ends the contact: the force, which is zero before the gap opens where there is a damper. */
static double ends_at(const Law *l, double d, double v)
{
    return l->c > 0.0 ? force_of(l, d, v) : d;
}

/* Height and velocity at the time `end`, after one bounce; *release: when it ended. */
static void reference(const Law *l, double end, double *z, double *vz, double *release)
{
    const double h = 1e-6;
    double t = sqrt(2.0 * fall / g), d = 0.0, v = g * t, d0, v0, step = h;
    do {
        d0 = d;
        v0 = v;
        rk_step(l, h, &d, &v);
        t += h;
    } while (ends_at(l, d, v) > 0.0);
    t -= h;
    // the last step again, by secants: its end is where the force or the depth is zero
    double a = 0.0, fa = ends_at(l, d0, v0), fb = ends_at(l, d, v);
    for (int k = 0; k < 60 && fa != fb; ++k) {
        const double next = step - fb * (step - a) / (fb - fa);
        a = step;
        fa = fb;
        step = next;
        d = d0;
        v = v0;
        rk_step(l, step, &d, &v);
        fb = ends_at(l, d, v);
    }
    t += step;
    *release = t;
    const double s = end - t;
    *z = radius - (d + v * s + 0.5 * g * s * s);
    *vz = -(v + g * s);
}

static TmlModel *ball(TestCtx *t, const char *law, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, 0, -9.81]\n"
             "ground: {shape: {half_space: {normal: z}}}\n"
             "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.6],\n"
             "                shape: {sphere: {radius: 0.1}}}}\n"
             "contacts: {floor: {between: [ball, ground], %s%s}}\n"
             "outputs: {z: DZ(ball), v: VZ(ball), a: ACCZ(ball), now: time,\n"
             "          force: contact_force(floor), n: contact_count(floor)}\n",
             law, more);
    return study_model(t, text);
}

/* Error of the end of a run against the reference: height and velocity. */
static double run_error(TestCtx *t, const TmlModel *model, const Law *law, const char *method,
                        double step, double tolerance, TmlSimStats *stats)
{
    const double end = 0.55;
    double z, v, release, error = (double)NAN;
    Trace run = {0};
    TmlSimOptions o = study_options(end, end, NULL);
    o.integrator = method;
    o.step = step;
    o.tolerance = tolerance;
    reference(law, end, &z, &v, &release);
    if (study_run(t, model, &o, &run)) {
        error = fmax(fabs(trace_value(&run, run.rows - 1, 0) - z),
                     fabs(trace_value(&run, run.rows - 1, 1) - v));
        *stats = run.stats;
    }
    trace_free(&run);
    return error;
}

/* Order by two fixed steps, and the error of the second; both are well above the rounding of a metre and below what a
 * contact of 20 ms bears. */
static double fixed_order(TestCtx *t, const Law *law, const char *method, const char *events,
                          double *error)
{
    TmlModel *model = ball(t, law->text, events);
    TmlSimStats stats;
    const double coarse = run_error(t, model, law, method, 4e-3, 1e-6, &stats);
    *error = run_error(t, model, law, method, 2e-3, 1e-6, &stats);
    tml_model_free(model);
    return log2(coarse / *error);
}

TEST(orders_survive_an_impact)
{
    const Law *laws[] = {&spring, &damper, &factor};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; ++k) {
        double error, plain;
        t->name = laws[k]->text;
        // the orders of the methods, 5 and 4, as far as two sizes of steps tell them
        CHECK(t, fixed_order(t, laws[k], "rosenbrock", ", events: locate", &error) > 3.6);
        CHECK(t, fixed_order(t, laws[k], "radau", ", events: locate", &error) > 4.5);
        // what a step loses that does not know where the law sets in: ten times of it and more
        fixed_order(t, laws[k], "radau", "", &plain);
        CHECK(t, plain > 10.0 * error);
    }
    t->name = NULL;
}

/* A force d^1.5 has infinite second derivatives where it ends, so that equal steps would give order 2.5. Those that the
 * error chooses become shorter towards it, and their number gives the order of the method again. */
TEST(orders_survive_where_a_power_sets_in)
{
    TmlModel *model = ball(t, power.text, ", events: locate");
    static const struct {
        const char *method;
        double order;
    } known[] = {{"radau", 4.0}, {"rosenbrock", 3.5}};
    for (int k = 0; k < 2; ++k) {
        TmlSimStats few, many;
        t->name = known[k].method;
        const double coarse = run_error(t, model, &power, t->name, 0.0, 1e-6, &few);
        const double fine = run_error(t, model, &power, t->name, 0.0, 1e-10, &many);
        const double order = log(coarse / fine) / log((double)many.steps / (double)few.steps);
        CHECK(t, order > known[k].order);
        CHECK(t, fine < 2e-8); // two hundred times the tolerance: the speed over the length
        CHECK(t, many.contact_onsets == 1 && many.contact_releases == 1);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* Rows on each side of onset and release, by every method, fixed steps and chosen ones: the gap is zero to its rounding, the force
 * of the damper is there behind the onset and not before it, and the contact ends where the force is zero, before the gap opens. */
static void check_sides(TestCtx *t, const Trace *run, double tolerance)
{
    const double v = sqrt(2.0 * g * fall);
    int onset = -1, release = -1;
    for (int k = 1; k < run->rows; ++k) {
        const bool pair = trace_value(run, k, 3) - trace_value(run, k - 1, 3) < 1e-12;
        CHECK(t, trace_value(run, k, 3) >= trace_value(run, k - 1, 3));
        onset = pair && onset < 0 ? k : onset;
        release = pair && k > onset ? k : release;
    }
    CHECK(t, onset > 0 && release > onset);
    if (onset > 0 && release > onset) {
        // a millionth of the allowed error, or the rounding of 0.1 m
        CHECK_NEAR(t, trace_value(run, onset, 0), radius, fmax(1e-6 * tolerance, 1e-15));
        CHECK_NEAR(t, trace_value(run, onset - 1, 2), -g, 1e-9); // rounding of a solution
        CHECK_NEAR(t, trace_value(run, onset, 2), damper.c * v - g, 1e3 * tolerance + 1e-8);
        CHECK(t, trace_value(run, onset - 1, 4) == 0.0 && trace_value(run, onset, 4) > 0.0);
        CHECK(t, trace_value(run, onset - 1, 5) == 0.0 && trace_value(run, onset, 5) == 1.0);
        CHECK(t, trace_value(run, release, 0) < radius - 1e-3); // the shapes still overlap
        // 1e4 N/m times what a step may miss the release by, and its rounding
        CHECK_NEAR(t, trace_value(run, release - 1, 4), 0.0, 0.01 * tolerance + 1e-9);
        CHECK(t, trace_value(run, release, 4) == 0.0);
    }
}

TEST(rows_hold_the_values_of_each_side)
{
    TmlModel *model = ball(t, damper.text, ", events: locate");
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        for (int fixed = 0; fixed < 2; ++fixed) {
            Trace run = {0};
            TmlSimOptions o = study_options(0.4, 0.05, NULL);
            o.integrator = t->name = tml_integrator_types[i]->info.name;
            o.tolerance = 1e-7;
            o.step = fixed ? 2e-4 : 0.0;
            if (study_run(t, model, &o, &run)) {
                check_sides(t, &run, o.tolerance);
                CHECK(t, run.stats.contact_onsets == 1 && run.stats.contact_releases == 1);
                // steps before and behind are smooth: only those that grow too fast are lost
                CHECK(t, run.stats.rejected <= 6 + run.stats.steps / 20);
                CHECK(t, run.rows == 9 + 4);
            }
            trace_free(&run);
        }
    }
    t->name = NULL;
    tml_model_free(model);
}

/* --- with other features --------------------------------------------------------------------------- */

/* Two balls that land at once are one landing; a third that lands within the same step has its own. An event at the onset and
 * a row there do not disturb it. */
TEST(several_onsets_at_once)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.6], shape: {sphere: "
        "{radius: 0.1}}}\n"
        "  b: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [1, 0, 0.6], shape: {sphere: "
        "{radius: 0.1}}}\n"
        "  c: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [2, 0, 0.6001], shape: {sphere: "
        "{radius: 0.1}}}\n"
        "contacts: {floor: {between: [all, ground], law: linear, stiffness: 1e4, damping: 40, "
        "events: locate}}\n"
        "events: {low: {when: DZ(a), value: 0.1, error: 1e-9, restart: true, silent: true}}\n"
        "outputs: {a: DZ(a), b: DZ(b), c: DZ(c)}\n";
    TmlModel *model = study_model(t, text);
    double z, v, release;
    const double end = 0.4;
    reference(&damper, end, &z, &v, &release);
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(end, end, NULL);
        o.integrator = t->name = tml_integrator_types[i]->info.name;
        o.tolerance = 1e-7;
        if (study_run(t, model, &o, &run)) {
            const int last = run.rows - 1;
            // methods of order two are off by a few thousand tolerances in the speed over 0.1 s
            CHECK_NEAR(t, trace_value(&run, last, 0), z, 2e-4);
            CHECK_NEAR(t, trace_value(&run, last, 1), trace_value(&run, last, 0), 1e-10);
            CHECK(t, run.stats.contact_onsets == 2 && run.stats.contact_releases == 2);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

/* A force that the law cuts to zero within the overlap and gives back before the gap opens: four turns a bounce. */
TEST(a_force_that_comes_back_is_met)
{
    static const char *const law = "law: impact, stiffness: 1e5, damping: 300, damping_depth: 1e-3";
    TmlModel *model = ball(t, law, ", events: locate"), *plain = ball(t, law, "");
    static const char *const methods[] = {"radau", "rosenbrock", "adams"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        Trace a = {0}, b = {0};
        TmlSimOptions o = study_options(0.4, 0.4, NULL);
        o.integrator = t->name = methods[i];
        o.tolerance = 1e-9;
        if (study_run(t, model, &o, &a) && study_run(t, plain, &o, &b)) {
            // what is left of the errors of both at this tolerance, of the creeping part of the motion
            CHECK_NEAR(t, trace_value(&a, a.rows - 1, 0), trace_value(&b, b.rows - 1, 0), 1e-7);
        }
        trace_free(&a);
        trace_free(&b);
    }
    t->name = NULL;
    tml_model_free(model);
    tml_model_free(plain);
}

/* Steps up to the one that ends on the onset, or into the contact. */
static bool step_until(TestCtx *t, TmlSim *sim, double time)
{
    TmlError err = {0};
    while (err.status == TML_OK && tml_sim_time(sim) < time) {
        CHECK_OK(t, tml_sim_step(sim, &err), &err);
    }
    return err.status == TML_OK;
}

typedef struct Last {
    double z, v;
} Last;

static TmlStatus last_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)err;
    *(Last *)user = (Last){tml_row_channel(sim, 0), tml_row_channel(sim, 1)};
    return TML_OK;
}

/* A dump at the onset itself, before the sides have turned, and one within the contact, and runs that go on from there: all
 * end where the whole run does. */
TEST(runs_go_on_from_an_onset_and_from_within)
{
    TmlModel *model = ball(t, damper.text, ", events: locate");
    const double end = 0.4, onset = sqrt(2.0 * fall / g), when[] = {onset - 1e-12, onset + 5e-3};
    double z, v, release;
    reference(&damper, end, &z, &v, &release);
    for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
        for (int k = 0; k < 4; ++k) {
            char path[128];
            TmlError err = {0};
            TmlModel *again = NULL;
            TmlSim *second = NULL;
            Last last = {0};
            TmlSimOptions o = study_options(end, end, NULL);
            o.integrator = t->name = tml_integrator_types[i]->info.name;
            o.tolerance = 1e-8;
            TmlSim *first = study_sim(t, model, &o);
            snprintf(path, sizeof path, "/tmp/trammel-locate-%ld.json", (long)getpid());
            CHECK(t, first != NULL && step_until(t, first, when[k % 2]));
            if (k < 2) {
                CHECK_OK(t, tml_dump_write(path, first, NULL, "why", &err), &err);
                CHECK_OK(t, tml_dump_open(path, NULL, &again, &second, &err), &err);
            } else {
                o.from = first;
                CHECK_OK(t, tml_sim_create(model, &o, &second, &err), &err);
            }
            if (second != NULL) {
                CHECK_OK(t, tml_sim_run(second, last_row, &last, &err), &err);
                CHECK_NEAR(t, last.z, z, 5e-5); // order two: a few thousand tolerances
                CHECK_NEAR(t, last.v, v, 5e-4); // the same over 0.1 s
            }
            tml_sim_free(second);
            tml_model_free(again);
            tml_sim_free(first);
            unlink(path);
        }
    }
    t->name = NULL;
    tml_model_free(model);
}

/* Statics and modes are those of the law as it is, before a run and after it. */
TEST(statics_and_modes_do_not_know_of_it)
{
    double height[2][2] = {{0}}, frequency[2] = {0};
    for (int k = 0; k < 2; ++k) {
        TmlModel *model = ball(t, damper.text, k == 0 ? "" : ", events: locate");
        TmlSimOptions o = study_options(0.4, 0.4, NULL);
        TmlError err = {0};
        TmlStaticsInfo info;
        TmlLinear *lin = NULL;
        o.integrator = "radau";
        TmlSim *sim = study_sim(t, model, &o);
        if (sim != NULL) {
            CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
            height[k][0] = tml_row_channel(sim, 0);
            CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
            if (lin != NULL) {
                frequency[k] = tml_linear_mode(lin, 0).frequency;
            }
            tml_linear_free(lin);
        }
        tml_sim_free(sim);
        sim = study_sim(t, model, &o);
        if (sim != NULL) { // from the air, after a run that has bounced
            CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
            CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
            height[k][1] = tml_row_channel(sim, 0);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
    // 9.81 N on 1e4 N/m, to the residual that statics ask for
    CHECK_NEAR(t, height[0][0], radius - 9.81e-4, 1e-9);
    CHECK_NEAR(t, height[1][0], height[0][0], 1e-12);
    CHECK_NEAR(t, height[1][1], height[0][0], 1e-9);
    CHECK_NEAR(t, frequency[1], frequency[0], 1e-12 * frequency[0]);
}

/* A ball that starts in the floor has its law at once; one that starts at the surface closes there. */
TEST(closed_at_the_start)
{
    static const double heights[] = {0.0995, 0.1};
    for (int k = 0; k < 2; ++k) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "trammel: 1\n"
            "gravity: [0, 0, -9.81]\n"
            "ground: {shape: {half_space: {normal: z}}}\n"
            "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, %.17g],\n"
            "                velocity: [0, 0, -1], shape: {sphere: {radius: 0.1}}}}\n"
            "contacts: {floor: {between: [ball, ground], law: linear, stiffness: 1e4, damping: "
            "40, events: locate}}\n"
            "outputs: {z: DZ(ball), v: VZ(ball)}\n",
            heights[k]);
        TmlModel *model = study_model(t, text);
        double d = radius - heights[k], v = 1.0;
        for (int i = 0; i < 10000; ++i) {
            rk_step(&damper, 1e-6, &d, &v);
        }
        for (int i = 0; tml_integrator_types[i] != NULL && model != NULL; ++i) {
            Trace run = {0};
            TmlSimOptions o = study_options(0.01, 0.01, NULL);
            o.integrator = t->name = tml_integrator_types[i]->info.name;
            o.tolerance = 1e-8;
            if (study_run(t, model, &o, &run)) {
                CHECK_NEAR(t, trace_value(&run, run.rows - 1, 0), radius - d, 2e-6); // as above
            }
            trace_free(&run);
        }
        tml_model_free(model);
    }
    t->name = NULL;
}

/* Stations of a cable that falls onto the floor land one by one, and some bounce: what has landed and was not released is what
 * touches in the end, whatever the method. */
TEST(stations_of_flexible_bodies_are_located)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "flexible: {rope: {type: cable, material: {E: 1e5, nu: 0.3, density: 300}, elements: 3,\n"
        "                  line: [[0, 0, 0.2], [1, 0, 0.3]], section: {radius: 0.05},\n"
        "                  start: {pin: ground}}}\n"
        "contacts: {floor: {between: [rope, ground], neighbours: true, law: hunt_crossley,\n"
        "                   stiffness: 1e4, exponent: 1.5, damping: 0.5, events: locate}}\n"
        "outputs: {n: contact_count(floor)}\n";
    static const char *const methods[] = {"radau", "hht", "bdf-si2"};
    TmlModel *model = study_model(t, text);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        Trace run = {0};
        TmlSimOptions o = study_options(0.4, 0.4, NULL);
        o.integrator = t->name = methods[i];
        o.tolerance = 1e-5;
        if (study_run(t, model, &o, &run)) {
            const int64_t left = run.stats.contact_onsets - run.stats.contact_releases;
            CHECK(t, run.stats.contact_onsets > 5 && run.stats.contact_releases > 0);
            CHECK(t, trace_value(&run, run.rows - 1, 0) == (double)left);
        }
        trace_free(&run);
    }
    t->name = NULL;
    tml_model_free(model);
}

TEST_SUITE(locate) = {CASE(orders_survive_an_impact),
                      CASE(orders_survive_where_a_power_sets_in),
                      CASE(rows_hold_the_values_of_each_side),
                      CASE(several_onsets_at_once),
                      CASE(a_force_that_comes_back_is_met),
                      CASE(runs_go_on_from_an_onset_and_from_within),
                      CASE(statics_and_modes_do_not_know_of_it),
                      CASE(closed_at_the_start),
                      CASE(stations_of_flexible_bodies_are_located),
                      {0}};
