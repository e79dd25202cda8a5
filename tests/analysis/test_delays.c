/* tests/analysis/test_delays.c - runs whose motion depends on its past.
 *
 * References: the method of steps in closed form, solutions that were put in, roots of
 * characteristic equations, and runs without delays.
 */
#include "test.h"

#include "analysis/sim_internal.h"
#include "trammel/io.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

/* x' = -x(t - 1), x = 1 up to the start. */
static const char steps_text[] = "states: {x: {rate: -delay(past), initial: 1, scale: 1}}\n"
                                 "delays: {past: {value: x, time: 1}}\n"
                                 "outputs: {x: x, d: delay(past)}\n";

/* x = sin(t) of a delay that depends on x. */
static const char moving_text[] =
    "states:\n"
    "  x: {rate: \"cos(time) - 0.5*(delay(past) - sin(time - 0.5 - 0.3*x^2))\", scale: 1}\n"
    "delays: {past: {value: x, time: 0.5 + 0.3*x^2, history: sin(time)}}\n"
    "outputs: {x: x, d: delay(past)}\n";

static double by_steps(double t)
{
    double sum = 0.0, factorial = 1.0;
    for (int k = 0; k == 0 || t > k - 1; ++k) {
        factorial *= k > 0 ? k : 1;
        sum += (k % 2 == 0 ? 1.0 : -1.0) * pow(t - (k - 1), k) / factorial;
    }
    return sum;
}

typedef struct Run {
    TmlModel *m;
    TmlSim *sim;
} Run;

static Run make(TestCtx *t, const char *text, const TmlSimOptions *o)
{
    char whole[2048];
    Run r = {0};
    TmlError err = {0};
    snprintf(whole, sizeof whole, "trammel: 1\n%s", text);
    CHECK_OK(t, tml_load_text(whole, "text", 0, NULL, NULL, &r.m, &err), &err);
    if (r.m != NULL) {
        CHECK_OK(t, tml_sim_create(r.m, o, &r.sim, &err), &err);
    }
    return r;
}

static Run run(TestCtx *t, const char *text, const TmlSimOptions *o)
{
    TmlError err = {0};
    const Run r = make(t, text, o);
    if (r.sim != NULL) {
        CHECK_OK(t, tml_sim_run(r.sim, NULL, NULL, &err), &err);
    }
    return r;
}

static void release(Run *r)
{
    tml_sim_free(r->sim);
    tml_model_free(r->m);
    *r = (Run){0};
}

static double channel(const Run *r, const char *name)
{
    const int k = r->sim != NULL ? tml_sim_channel_find(r->sim, name) : -1;
    return k >= 0 ? tml_row_channel(r->sim, k) : (double)NAN;
}

static TmlSimOptions options(const char *integrator, double end, double tolerance)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = integrator;
    o.end_time = end;
    o.output_step = end;
    o.tolerance = tolerance;
    return o;
}

/* --- exact solutions -------------------------------------------------------------------------- */

/* Local errors of 1e-6 a step: the methods of order two take some 200 steps, so that 2e-4 is what
 * they may add up to; the delayed value is that of an earlier time. A tolerance 30 times as small
 * must give less. */
TEST(every_method_follows_the_method_of_steps)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        double error[2];
        t->name = tml_integrator_name(k);
        for (int i = 0; i < 2; ++i) {
            const TmlSimOptions o = options(t->name, 4.7, i == 0 ? 1e-6 : 3e-8);
            Run r = run(t, steps_text, &o);
            error[i] = fabs(channel(&r, "x") - by_steps(4.7));
            CHECK_NEAR(t, channel(&r, "x"), by_steps(4.7), 2e-4);
            CHECK_NEAR(t, channel(&r, "d"), by_steps(3.7), 2e-4);
            release(&r);
        }
        CHECK(t, error[1] < 0.5 * error[0] || error[0] < 1e-9);
    }
}

/* Global errors at half the step, thrice: the order of the method survives the interpolation. */
TEST(orders_are_those_of_the_methods)
{
    static const struct {
        const char *name, *key, *value;
        double order, step;
    } method[] = {
        {"hht", NULL, NULL, 2.0, 0.05},          {"generalized-alpha", NULL, NULL, 2.0, 0.05},
        {"tlismni-bdf2", NULL, NULL, 2.0, 0.05}, {"tlismni-trapezoidal", NULL, NULL, 2.0, 0.05},
        {"rosenbrock-w", NULL, NULL, 2.0, 0.05}, {"rosenbrock", NULL, NULL, 4.0, 0.1},
        {"bdf-i3", "order", "3", 3.0, 0.05},     {"adams", "order", "4", 5.0, 0.1},
        {"radau", NULL, NULL, 5.0, 0.25}};
    for (size_t k = 0; k < sizeof method / sizeof method[0]; ++k) {
        double error[3];
        t->name = method[k].name;
        for (int i = 0; i < 3; ++i) {
            TmlSimOptions o = options(t->name, 3.0, 1e-10);
            o.step = ldexp(method[k].step, -i);
            o.n_options = method[k].key != NULL;
            o.option_key = &method[k].key;
            o.option_value = &method[k].value;
            Run r = run(t, moving_text, &o);
            error[i] = fabs(channel(&r, "x") - sin(3.0));
            release(&r);
        }
        const double order = log2(error[1] / error[2]);
        if (getenv("TRAMMEL_TABLES") != NULL) {
            printf("%-22s %9.2e %9.2e %9.2e  %5.2f\n", t->name, error[0], error[1], error[2],
                   order);
        }
        // half the error of a step more would be a slope off by log2(1.5)
        CHECK(t, order > method[k].order - 0.4);
    }
}
TEST_SUITE(delays) = {
    CASE(every_method_follows_the_method_of_steps), CASE(orders_are_those_of_the_methods), {0}};
