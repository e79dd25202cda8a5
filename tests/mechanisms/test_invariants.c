/* tests/mechanisms/test_invariants.c - energy and momentum over long runs, and numerical damping.
 *
 * hht damps what its steps do not resolve and little else. How much follows from the method applied
 * to q'' = -w^2 q: `linear_step` is (H1) to (H3) for that equation.
 *
 *   (L1)  the energy falls by the share -alpha (1 + alpha)^2 / 4 (w h)^4 a step, w h << 1 own
 */
#include "analysis/study.h"

typedef struct Linear {
    double q, v, a, before; /* before: acceleration one step earlier */
    bool started;
} Linear;

/* One step h of hht on q'' = -w2 q. The first one is taken without damping. */
static void linear_step(Linear *s, double w2, double h, double damping)
{
    const double alpha = s->started ? damping : 0.0;
    const double gamma = 0.5 - alpha, beta = 0.25 * (1.0 - alpha) * (1.0 - alpha);
    const double A = s->a + alpha * (s->a - s->before);
    const double q = s->q + h * s->v + h * h * ((0.5 - beta) * A - beta * alpha * s->a);
    const double v = s->v + h * ((1.0 - gamma) * A - gamma * alpha * s->a);
    const double cq = (1.0 + alpha) * beta * h * h, cv = (1.0 + alpha) * gamma * h;
    s->before = s->a;
    s->q = q / (1.0 + cq * w2);
    s->a = -w2 * s->q;
    s->v = v + cv * s->a;
    s->started = true;
}

/* Part of the energy that is left after n steps of size h. */
static double linear_energy(double w, double h, double alpha, int64_t n)
{
    Linear s = {.q = 1.0, .a = -w * w};
    for (int64_t k = 0; k < n; ++k) {
        linear_step(&s, w * w, h, alpha);
    }
    return s.q * s.q + s.v * s.v / (w * w);
}

TEST(linear_theory)
{
    static const double alphas[] = {-0.05, -0.1, -0.2, -0.3, -1.0 / 3.0};
    const double wh = 0.05;
    for (int k = 0; k < 5; ++k) {
        const double a = alphas[k], share = -0.25 * a * (1.0 + a) * (1.0 + a) * pow(wh, 4); // (L1)
        const int64_t n = (int64_t)(1.0 / share);
        // terms of order (w h)^2, in the share and as a ripple of the energy
        CHECK_NEAR(t, -log(linear_energy(1.0, wh, a, n)), 1.0, 2.0 * wh * wh);
    }
}

/* --- long runs -------------------------------------------------------------------------------- */

typedef struct Energy {
    double first, last, low, high; /* J */
    double early, late;            /* largest |E - E0| in the first and in the second half */
    double end;
} Energy;

static TmlStatus watch_energy(void *user, const TmlSim *sim, TmlError *err)
{
    Energy *e = user;
    const TmlCertificate c = tml_row_certificate(sim);
    const double now = c.kinetic + c.potential, time = tml_row_time(sim);
    (void)err;
    e->first = time > 0.0 ? e->first : now;
    e->low = time > 0.0 ? fmin(e->low, now) : now;
    e->high = time > 0.0 ? fmax(e->high, now) : now;
    e->last = now;
    double *part = time < 0.5 * e->end ? &e->early : &e->late;
    *part = fmax(*part, fabs(now - e->first));
    return TML_OK;
}

static Energy long_run(TestCtx *t, const char *text, const TmlSimOptions *o, TmlSimStats *stats)
{
    TmlError err;
    Energy e = {.end = o->end_time};
    TmlModel *model = study_model(t, text);
    TmlSim *sim = study_sim(t, model, o);
    CHECK_OK(t, tml_sim_run(sim, watch_energy, &e, &err), &err);
    *stats = tml_sim_stats(sim);
    tml_sim_free(sim);
    tml_model_free(model);
    return e;
}

/* A bar of 1 m that swings by 30 degrees; its frequency is sqrt(3 g / 2 L) but for 2 percent. */
static const char pendulum[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies: {bar: {mass: 1, inertia: [0.0833333333, 0.001, 0.0833333333], cm: [0, -0.5, 0],\n"
    "               rotation: {axis: z, angle: 30 deg}}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n";

/* Energy above the lowest position, J. */
static const double swing = 9.81 * 0.5 * 0.1339745962155614;

/* Loss of energy of the linear pendulum in 100 s by n equal steps. */
static double linear_loss(int64_t n)
{
    return 1.0 - linear_energy(sqrt(1.5 * 9.81), 100.0 / (double)n, -0.2, n);
}

TEST(pendulum_loses_what_the_damping_takes)
{
    TmlSimStats stats;
    TmlSimOptions o = study_options(100.0, 0.5, NULL);
    o.step = 0.005;
    const Energy e = long_run(t, pendulum, &o, &stats);
    const double loss = (e.first - e.last) / swing, want = linear_loss(stats.steps);
    if (study_verbose()) {
        printf("pendulum, 100 s, step 0.005 s: energy lost %.3e, linear theory %.3e\n", loss, want);
    }
    // coordinates of a swing contain twice its frequency, which loses eight times as much
    CHECK(t, loss > want && loss < 3.0 * want);
    CHECK(t, e.high - e.first < 1e-3 * swing); // a ripple, to second order (w h)^2 / 12 at most
}

TEST(pendulum_under_error_control_keeps_its_energy)
{
    static const double tolerance[] = {1e-6, 1e-9};
    for (int k = 0; k < 2; ++k) {
        TmlSimStats stats;
        TmlSimOptions o = study_options(100.0, 0.5, NULL);
        o.tolerance = tolerance[k];
        const Energy e = long_run(t, pendulum, &o, &stats);
        const double mean = 100.0 / (double)stats.steps;
        if (study_verbose()) {
            printf("pendulum, 100 s, tolerance %.0e: %lld steps, energy lost %.3e, linear %.3e\n",
                   tolerance[k], (long long)stats.steps, (e.first - e.last) / swing,
                   linear_loss(stats.steps));
        }
        // steps vary by four along the swing and the loss goes like their cube; the ripple is that
        // of the global error
        const double ripple = 1.5 * 9.81 * mean * mean;
        CHECK_NEAR(t, e.last, e.first, (16.0 * linear_loss(stats.steps) + ripple) * swing);
    }
}

/* Without damping little energy is lost. Accelerations across the constraints must
 * then be projected: nothing else damps them (docs/theory/hht.md). */
TEST(pendulum_without_damping_loses_less)
{
    static const char *const key[] = {"alpha", "projection"}, *const value[] = {"0", "full"};
    TmlSimStats stats;
    TmlSimOptions o = study_options(100.0, 0.1, NULL);
    o.n_options = 2;
    o.option_key = key;
    o.option_value = value;
    o.step = 0.005;
    o.tolerance = 1e-11;
    const Energy e = long_run(t, pendulum, &o, &stats);
    if (study_verbose()) {
        printf("pendulum, alpha 0, projected, step 0.005 s: first half %.2e, second half %.2e\n",
               e.early / swing, e.late / swing);
    }
    // what is left is the loss by projection, a fortieth of (w h)^4 a step: to this order half of
    // the damped one
    CHECK(t, e.late < 1e-4 * swing);
}

/* --- free body and top ------------------------------------------------------------------------ */

/* Largest deviation of a channel from its first value. */
static double deviation(const Trace *run, int channel)
{
    const double first = trace_value(run, 0, channel);
    double off = 0.0;
    for (int n = 1; n < run->rows; ++n) {
        off = fmax(off, fabs(trace_value(run, n, channel) - first));
    }
    return off;
}

/* Nothing acts on the body: its moment of momentum stays, all three components, while it tumbles.
 */
TEST(free_body_keeps_momentum_and_energy)
{
    TmlModel *model = study_model(t, "models/closed_forms/free_rotation.yaml");
    const TmlSimOptions o = study_options(10.0, 0.1, NULL);
    TmlSimStats stats;
    Trace run;
    study_run(t, model, &o, &run);
    const double L = 10.0; // I2 w2
    for (int k = 3; k < 6; ++k) {
        if (study_verbose()) {
            printf("free body, 10 s: momentum %d off by %.2e\n", k - 3, deviation(&run, k) / L);
        }
        CHECK_NEAR(t, deviation(&run, k), 0.0, 1e-5 * L); // global error of a default run
    }
    const Energy e = long_run(t, "models/closed_forms/free_rotation.yaml", &o, &stats);
    CHECK_NEAR(t, e.last, e.first, 1e-5 * e.first);
    trace_free(&run);
    tml_model_free(model);
}

/* A symmetric top keeps its spin, its momentum about the vertical and its energy. */
TEST(top_keeps_spin_momentum_and_energy)
{
    static const char top[] =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  top: {mass: 2, inertia: [0.02, 0.02, 0.03], cm: [0, 0, 0.3],\n"
        "        rotation: {axis: x, angle: 0.7}, angular_velocity: [0.5, -15, 20]}\n"
        "joints: {tip: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}}\n"
        "parameters: {A: 0.02 + 2*0.09}\n"
        "outputs:\n"
        "  spin: \"WZ(top, ground, top)\"\n"
        // the body's z axis is the line from the tip to the centre of mass
        "  Lz: \"A*WZ(top) + (0.03 - A)*WZ(top, ground, top)*DZ(top.cm)/0.3\"\n";
    TmlModel *model = study_model(t, top);
    const TmlSimOptions o = study_options(10.0, 0.05, NULL);
    TmlSimStats stats;
    Trace run;
    study_run(t, model, &o, &run);
    const Energy e = long_run(t, top, &o, &stats);
    if (study_verbose()) {
        printf("top, 10 s: spin off by %.2e, momentum %.2e, energy %.2e\n",
               deviation(&run, 0) / trace_value(&run, 0, 0),
               deviation(&run, 1) / trace_value(&run, 0, 1), (e.last - e.first) / e.first);
    }
    // global error of a default run
    CHECK_NEAR(t, deviation(&run, 0), 0.0, 1e-5 * fabs(trace_value(&run, 0, 0)));
    CHECK_NEAR(t, deviation(&run, 1), 0.0, 1e-5 * fabs(trace_value(&run, 0, 1)));
    CHECK_NEAR(t, e.last, e.first, 1e-5 * fabs(e.first));
    trace_free(&run);
    tml_model_free(model);
}

/* --- numerical damping ------------------------------------------------------------------------ */

static const char oscillator[] = "trammel: 1\n"
                                 "bodies: {p: {type: point, mass: 2, position: [0.01, 0, 0]}}\n"
                                 "forces: {spring: {type: force, body: p, fx: -2e8*DX(p)}}\n";

/* The engine and the scalar recurrence, step by step, at 100 rad a step. */
static Linear stiff_run(TestCtx *t, const OneOption *option)
{
    enum { STEPS = 100 };
    TmlModel *model = study_model(t, oscillator);
    TmlSimOptions o = study_options(1.0, 1.0, option);
    o.step = 0.01;
    TmlSim *sim = study_sim(t, model, &o);
    const double alpha = strtod(option->value, NULL);
    Linear s = {.q = 0.01, .a = -1e8 * 0.01};
    TmlAttempt a;
    sim->type->restart(&sim->it);
    for (int k = 0; k < STEPS; ++k) {
        study_step(t, sim, 0.01, &a);
        linear_step(&s, 1e8, 0.01, alpha);
        // rounding of a step relative to the start, 1e-16 times w h, and of those before it
        CHECK_NEAR(t, sim->it.now.q[0], s.q, 1e-11 * 0.01);
        CHECK_NEAR(t, sim->it.now.v[0], s.v, 1e-11 * 0.01 * 1e4);
    }
    s.q = sim->it.now.q[0];
    s.v = sim->it.now.v[0];
    tml_sim_free(sim);
    tml_model_free(model);
    return s;
}

TEST(stiff_mode_is_damped_by_alpha)
{
    const OneOption none = {"alpha", "0"}, strong = {"alpha", "-0.3"};
    const Linear kept = stiff_run(t, &none), gone = stiff_run(t, &strong);
    // the trapezoidal rule keeps q^2 + v^2 / w^2 but for rounding
    CHECK_NEAR(t, hypot(kept.q, kept.v / 1e4), 0.01, 1e-10);
    // ((1 + alpha) / (1 - alpha))^100 = 1e-27, times powers of the number of steps; what is left
    // is where Newton stops, 1e-13 of a metre
    CHECK_NEAR(t, gone.q, 0.0, 1e-13);
}

/* A stiff spring rings on top of a slow swing; only the ringing goes. */
TEST(slow_mode_is_kept)
{
    static const char text[] = "trammel: 1\n"
                               "bodies:\n"
                               "  m1: {type: point, mass: 1, position: [0.1, 0, 0]}\n"
                               "  m2: {type: point, mass: 1, position: [0.101, 0, 0]}\n"
                               "forces:\n"
                               "  soft: {type: force, body: m1, fx: -80*DX(m1)}\n"
                               "  stiff1: {type: force, body: m1, fx: 1e8*(DX(m2) - DX(m1))}\n"
                               "  stiff2: {type: force, body: m2, fx: 1e8*(DX(m1) - DX(m2))}\n"
                               "outputs: {stretch: DX(m2) - DX(m1), x: DX(m1)}\n";
    const OneOption strong = {"alpha", "-0.3"};
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(2.0, 2.0, &strong);
    o.step = 0.005;
    Trace run;
    study_run(t, model, &o, &run);
    const double w = sqrt(40.0), x0 = 0.1005; // both masses on the soft spring
    // the stretch is what the slow motion asks for, m a / k; 1e-14 m was measured
    CHECK_NEAR(t, run.x[CHANNEL][2], w * w * run.x[CHANNEL][3] / 1e8, 1e-12);
    // period error (w h)^2 / 12 and damping (w h)^3 over 2 s of the swing, 13 rad
    CHECK_NEAR(t, run.x[CHANNEL][3], x0 * cos(2.0 * w), 13.0 * x0 * 3e-4);
    trace_free(&run);
    tml_model_free(model);
}

TEST_SUITE(invariants) = {CASE(linear_theory),
                          CASE(pendulum_loses_what_the_damping_takes),
                          CASE(pendulum_under_error_control_keeps_its_energy),
                          CASE(pendulum_without_damping_loses_less),
                          CASE(free_body_keeps_momentum_and_energy),
                          CASE(top_keeps_spin_momentum_and_energy),
                          CASE(stiff_mode_is_damped_by_alpha),
                          CASE(slow_mode_is_kept),
                          {0}};
