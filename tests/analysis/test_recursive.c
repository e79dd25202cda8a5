/* tests/analysis/test_recursive.c - tlismni-* on joint coordinates.
 *
 * Orders as in test_tlismni.c, against the partitioned trapezoidal method at a step sixteen times
 * smaller than the smallest: both formulations converge to the same motion.
 */
#include "mechanisms.h"
#include "study.h"

#include "analysis/integrator/tlismni.h"

static const char *const methods[] = {"tlismni-trapezoidal", "tlismni-bdf2", "tlismni-park",
                                      "tlismni-hht"};

static const OneOption recursive = {"coordinates", "recursive"};

enum { STEPS = 5, N_METHODS = 4 };

typedef struct Mechanism {
    const char *name, *text;
    double end, step;
} Mechanism;

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

static const Mechanism mechanisms[] = {
    {"revolute pendulum", pendulum, 1.0, 1.0 / 128},
    {"spherical pendulum", ball_pendulum, 1.0, 1.0 / 128},
    {"four-bar in space", four_bar, 1.0, 1.0 / 512},
    {"double pendulum", double_pendulum, 1.0, 1.0 / 128},
    {"chain on balls", ball_chain, 0.5, 1.0 / 256},
};

enum { N_MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

static TmlSimOptions fixed_step(const Mechanism *m, const char *method, double step,
                                const OneOption *option)
{
    TmlSimOptions o = study_options(m->end, m->end / 8, option);
    o.integrator = method;
    o.step = step;
    o.tolerance = 1e-11; // the outer loop stops far below the errors measured here
    return o;
}

static void check_order(TestCtx *t, const Mechanism *m, const TmlModel *model, const Trace *exact,
                        const char *method)
{
    double h[STEPS], error[2][STEPS];
    char name[128];
    snprintf(name, sizeof name, "%s, %s", m->name, method);
    t->name = name;
    for (int i = 0; i < STEPS; ++i) {
        Trace run;
        h[i] = m->step / (1 << i);
        const TmlSimOptions o = fixed_step(m, method, h[i], &recursive);
        study_run(t, model, &o, &run);
        for (Kind k = POSITION; k <= VELOCITY; ++k) {
            error[k][i] = trace_error(&run, exact, k);
        }
        trace_free(&run);
    }
    for (Kind k = POSITION; k <= VELOCITY; ++k) {
        const double order = study_slope(STEPS, h, error[k]);
        if (study_verbose()) {
            printf("%-40s %s  order %.3f  error %.2e .. %.2e\n", name, k == POSITION ? "q" : "v",
                   order, error[k][0], error[k][STEPS - 1]);
        }
        CHECK_NEAR(t, order, 2.0, 0.1); // the promise of the methods
    }
    t->name = NULL;
}

TEST(order_is_two)
{
    for (int n = 0; n < N_MECHANISMS; ++n) {
        const Mechanism *m = &mechanisms[n];
        TmlModel *model = study_model(t, m->text);
        const TmlSimOptions o = fixed_step(m, methods[0], m->step / (1 << (STEPS + 3)), NULL);
        Trace exact;
        study_run(t, model, &o, &exact);
        for (int i = 0; i < N_METHODS; ++i) {
            check_order(t, m, model, &exact, methods[i]);
        }
        trace_free(&exact);
        tml_model_free(model);
    }
}

static void run_by_tolerance(TestCtx *t, const TmlModel *model, const OneOption *option, double end,
                             double tolerance, Trace *out)
{
    TmlSimOptions o = study_options(end, end, option);
    o.integrator = "tlismni-hht";
    o.tolerance = tolerance;
    study_run(t, model, &o, out);
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
        Trace exact, coarse, fine;
        t->name = strncmp(cases[n].text, "models/", 7) == 0 ? cases[n].text : "built in";
        run_by_tolerance(t, model, NULL, cases[n].end, 1e-10, &exact);
        run_by_tolerance(t, model, &recursive, cases[n].end, 1e-6, &coarse);
        run_by_tolerance(t, model, &recursive, cases[n].end, 1e-9, &fine);
        const double e1 = trace_error(&coarse, &exact, POSITION);
        const double e2 = trace_error(&fine, &exact, POSITION);
        const TmlSimStats *s = &fine.stats;
        if (study_verbose()) {
            printf("%-40s error %.1e %.1e  steps %5lld %6lld (partitioned, 1e-10: %lld)  "
                   "violation %.0e %.0e %.0e\n",
                   t->name, e1, e2, (long long)coarse.stats.steps, (long long)s->steps,
                   (long long)exact.stats.steps, s->max_phi, s->max_phi_dot, s->max_phi_ddot);
        }
        // global error goes like tolerance^(2/3): a hundredth; the reference has its own error, up
        // to 1e-6 where bodies move on circles and joints uniformly
        CHECK(t, e2 <= 0.05 * e1 + 1e-6);
        CHECK(t, e2 <= 1e-4);
        CHECK_NEAR(t, s->max_phi, 0.0, 1e-10);
        CHECK_NEAR(t, s->max_phi_dot, 0.0, 1e-10);
        CHECK_NEAR(t, s->max_phi_ddot, 0.0, 1e-10);
        trace_free(&coarse);
        trace_free(&fine);
        trace_free(&exact);
        tml_model_free(model);
    }
    t->name = NULL;
}

/* At all three levels, after each of 2000 accepted steps. */
TEST(constraints_hold_at_every_step)
{
    static const char *const models[] = {four_bar,
                                         ball_chain,
                                         "models/cases/andrews.yaml",
                                         "models/cases/iftomm_a04_bricard.yaml",
                                         "models/cases/universal_1.yaml",
                                         "models/double_pendulum.yaml"};
    double worst[3] = {0}, v[3];
    for (size_t n = 0; n < sizeof models / sizeof models[0]; ++n) {
        TmlModel *model = study_model(t, models[n]);
        for (int i = 0; i < N_METHODS; ++i) {
            TmlSimOptions o = study_options(1e3, 1e3, &recursive);
            TmlError err = {0};
            o.integrator = methods[i];
            o.tolerance = 1e-6;
            TmlSim *sim = study_sim(t, model, &o);
            for (int k = 0; k < 2000; ++k) {
                const TmlStatus status = tml_sim_step(sim, &err);
                CHECK_OK(t, status, &err);
                if (status != TML_OK) {
                    break;
                }
                tml_system_violation(sim->sys, &sim->it.now, v);
                for (int level = 0; level < 3; ++level) {
                    CHECK_NEAR(t, v[level], 0.0, 1e-10); // the promise; rounding is far below
                    worst[level] = fmax(worst[level], v[level]);
                }
            }
            tml_sim_free(sim);
        }
        tml_model_free(model);
    }
    if (study_verbose()) {
        printf("largest violations %.1e %.1e %.1e\n", worst[0], worst[1], worst[2]);
    }
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
