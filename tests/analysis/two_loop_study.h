/* tests/analysis/two_loop_study.h - what is measured of tlismni-* on either kind of coordinates.
 *
 * Orders are slopes of log error over log step from five steps; the reference is the partitioned
 * trapezoidal method at a step sixteen times smaller than the smallest, whose own error is at most
 * 1/256 of what is measured and changes a slope by less than 0.002.
 */
#pragma once

#include "study.h"

enum { STEPS = 5, N_METHODS = 4 };

static const char *const methods[N_METHODS] = {"tlismni-trapezoidal", "tlismni-bdf2",
                                               "tlismni-park", "tlismni-hht"};

typedef struct Mechanism {
    const char *name, *text;
    double end, step;
} Mechanism;

/* The outer loop is stopped far below the errors measured here. */
static inline TmlSimOptions fixed_step(const Mechanism *m, const char *method, double step,
                                       const OneOption *option)
{
    TmlSimOptions o = study_options(m->end, m->end / 8, option);
    o.integrator = method;
    o.step = step;
    o.tolerance = 1e-11;
    return o;
}

static inline void check_order(TestCtx *t, const Mechanism *m, const TmlModel *model,
                               const Trace *exact, const char *method, const OneOption *option)
{
    double h[STEPS], error[2][STEPS];
    char name[128];
    snprintf(name, sizeof name, "%s, %s", m->name, method);
    t->name = name;
    for (int i = 0; i < STEPS; ++i) {
        Trace run;
        h[i] = m->step / (1 << i);
        const TmlSimOptions o = fixed_step(m, method, h[i], option);
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
        CHECK_NEAR(t, order, 2.0, 0.1); // the next term of the error: 0.04 was measured
    }
    t->name = NULL;
}

/* Order of all methods on n mechanisms; the option chooses the coordinates. */
static inline void check_orders(TestCtx *t, const Mechanism *mechanism, int n,
                                const OneOption *option)
{
    for (const Mechanism *m = mechanism; m < mechanism + n; ++m) {
        TmlModel *model = study_model(t, m->text);
        const TmlSimOptions o = fixed_step(m, methods[0], m->step / (1 << (STEPS + 3)), NULL);
        Trace exact;
        study_run(t, model, &o, &exact);
        for (int i = 0; i < N_METHODS; ++i) {
            check_order(t, m, model, &exact, methods[i], option);
        }
        trace_free(&exact);
        tml_model_free(model);
    }
}

static inline void run_by_tolerance(TestCtx *t, const TmlModel *model, const char *method,
                                    const OneOption *option, double end, double tolerance,
                                    Trace *out)
{
    TmlSimOptions o = study_options(end, end, option);
    o.integrator = method;
    o.tolerance = tolerance;
    study_run(t, model, &o, out);
}

/* A method by tolerances 1e-6 and 1e-9 comes ever nearer to `exact`, with constraints held at all
 * levels. Global error goes like tolerance^(2/3): a hundredth, with a margin for the start
 * (`part`), down to the error of the reference (`floor`). */
static inline void check_agreement(TestCtx *t, const TmlModel *model, const char *method,
                                   const OneOption *option, double end, const Trace *exact,
                                   double part, double floor)
{
    Trace coarse, fine;
    run_by_tolerance(t, model, method, option, end, 1e-6, &coarse);
    run_by_tolerance(t, model, method, option, end, 1e-9, &fine);
    const double e1 = trace_error(&coarse, exact, POSITION);
    const double e2 = trace_error(&fine, exact, POSITION);
    const TmlSimStats *s = &fine.stats;
    if (study_verbose()) {
        printf("%-40s %-20s error %.1e %.1e  steps %5lld %6lld (reference: %lld)  "
               "violation %.0e %.0e %.0e\n",
               t->name, method, e1, e2, (long long)coarse.stats.steps, (long long)s->steps,
               (long long)exact->stats.steps, s->max_phi, s->max_phi_dot, s->max_phi_ddot);
    }
    CHECK(t, e2 <= part * e1 + floor);
    CHECK(t, e2 <= 1e-4);
    CHECK_NEAR(t, s->max_phi, 0.0, 1e-10);
    CHECK_NEAR(t, s->max_phi_dot, 0.0, 1e-10);
    CHECK_NEAR(t, s->max_phi_ddot, 0.0, 1e-10);
    trace_free(&coarse);
    trace_free(&fine);
}

/* Constraints at all three levels after each of 2000 accepted steps; worst: largest so far. */
static inline void check_steps(TestCtx *t, const TmlModel *model, const char *method,
                               const OneOption *option, double worst[3])
{
    TmlSimOptions o = study_options(1e3, 1e3, option);
    TmlError err = {0};
    o.integrator = method;
    o.tolerance = 1e-6;
    TmlSim *sim = study_sim(t, model, &o);
    for (int k = 0; k < 2000; ++k) {
        double v[3];
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

/* The same for all methods on n models. */
static inline void check_all_steps(TestCtx *t, const char *const *models, size_t n,
                                   const OneOption *option)
{
    double worst[3] = {0};
    for (size_t k = 0; k < n; ++k) {
        TmlModel *model = study_model(t, models[k]);
        for (int i = 0; i < N_METHODS; ++i) {
            check_steps(t, model, methods[i], option, worst);
        }
        tml_model_free(model);
    }
    if (study_verbose()) {
        printf("largest violations %.1e %.1e %.1e\n", worst[0], worst[1], worst[2]);
    }
}
