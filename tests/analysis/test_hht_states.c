/* tests/analysis/test_hht_states.c - user states: rules, orders, error control.
 *
 * X' = -50 (X - cos t), X(0) = 0 has the solution
 *     X = (2500 cos t + 50 sin t) / 2501 - (2500 / 2501) exp(-50 t):
 * stiff, with a transient that a controlled run must resolve and then forget.
 */
#include "study.h"

/* A state in its explicit and its implicit form; the point is there because a mechanism needs one,
 * and rests. */
#define POINT "bodies: {p: {type: point, mass: 1}}\n"

static const char explicit_form[] =
    "trammel: 1\n" POINT "states: {x: {rate: -50*(x - cos(time)), initial: 0}}\n"
    "outputs: {x: x}\n";

static const char implicit_form[] =
    "trammel: 1\n" POINT
    "states: {x: {implicit: rate(x)/50 + x - cos(time), initial: 0, initial_rate: 50}}\n"
    "outputs: {x: x}\n";

/* A swing that is fed by a filtered angle: states and motion depend on each other. */
static const char coupled[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies: {bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n"
    "states:\n"
    "  slow: {rate: (angle(pin) - slow)/0.2, initial: 0}\n"
    "  fast: {implicit: 0.05*rate(fast) + fast - slow*slow, initial: 0}\n"
    "forces: {drive: {type: rotational_spring, joint: pin, expression: 3*fast - 2*slow}}\n"
    "outputs: {slow: slow, fast: fast}\n";

static double exact(double time)
{
    return (2500.0 * cos(time) + 50.0 * sin(time) - 2500.0 * exp(-50.0 * time)) / 2501.0;
}

/* Largest error of x over the rows of a run. */
static double worst(const Trace *run, double output_step)
{
    double off = 0.0;
    for (int k = 0; k < run->n[CHANNEL]; ++k) {
        off = fmax(off, fabs(run->x[CHANNEL][k] - exact(k * output_step)));
    }
    return off;
}

static double measured_order(TestCtx *t, const char *text, const OneOption *option)
{
    enum { STEPS = 5 };
    double h[STEPS], error[STEPS];
    TmlModel *model = study_model(t, text);
    for (int i = 0; i < STEPS; ++i) {
        Trace run;
        TmlSimOptions o = study_options(0.5, 0.0625, option);
        o.step = h[i] = 0.0625 / (32 << i); // h times the rate 50 is at most 0.1
        o.tolerance = 1e-11;
        study_run(t, model, &o, &run);
        error[i] = worst(&run, 0.0625);
        trace_free(&run);
    }
    tml_model_free(model);
    return study_slope(STEPS, h, error);
}

TEST(rules_have_their_orders)
{
    static const struct {
        OneOption option;
        double order;
    } rule[] = {
        {{"alpha", "0"}, 2},     {{"alpha", "-0.05"}, 2}, {{"alpha", "-0.2"}, 2},
        {{"alpha", "-0.33"}, 2}, {{"rho", "0.5"}, 2},     {{"rho", "1"}, 1},
    };
    static const char *const form[] = {explicit_form, implicit_form};
    for (int f = 0; f < 2; ++f) {
        for (size_t i = 0; i < sizeof rule / sizeof rule[0]; ++i) {
            char name[64];
            const OneOption *option = &rule[i].option;
            const double order = measured_order(t, form[f], option);
            snprintf(name, sizeof name, "form %d, %s %s", f, option->key, option->value);
            t->name = name;
            if (study_verbose()) {
                printf("%-24s order %.3f\n", name, order);
            }
            // the next term of the error: 3e-3 was measured
            CHECK_NEAR(t, order, rule[i].order, 0.02);
        }
    }
    t->name = NULL;
}

/* States that drive a mechanism and are driven by it: order 2 of both. */
TEST(order_is_two_with_a_mechanism)
{
    enum { STEPS = 5 };
    double h[STEPS], error[3][STEPS];
    static const Kind kind[] = {POSITION, VELOCITY, CHANNEL};
    TmlModel *model = study_model(t, coupled);
    Trace reference, run;
    for (int i = STEPS; i >= 0; --i) {
        TmlSimOptions o = study_options(1.0, 0.125, NULL);
        o.step = i == STEPS ? 1.0 / 32768 : 1.0 / (64 << i);
        o.tolerance = 1e-11;
        study_run(t, model, &o, i == STEPS ? &reference : &run);
        for (int k = 0; k < 3 && i < STEPS; ++k) {
            h[i] = o.step;
            error[k][i] = trace_error(&run, &reference, kind[k]);
        }
        if (i < STEPS) {
            trace_free(&run);
        }
    }
    for (int k = 0; k < 3; ++k) {
        // the next term of the error: 0.03 was measured
        CHECK_NEAR(t, study_slope(STEPS, h, error[k]), 2.0, 0.1);
    }
    trace_free(&reference);
    tml_model_free(model);
}

/* |X| is at most 1 and the problem forgets what was done wrong: the global error is below the sum
 * of the local ones, each at most the tolerance. It falls like tolerance^(p/(p+1)). */
static void check_control(TestCtx *t, const char *text, const OneOption *option, double slope)
{
    enum { TOLERANCES = 5 };
    double tol[TOLERANCES], error[TOLERANCES];
    TmlModel *model = study_model(t, text);
    for (int i = 0; i < TOLERANCES; ++i) {
        Trace run;
        TmlSimOptions o = study_options(1.0, 0.01, option);
        o.tolerance = tol[i] = pow(10.0, -4 - i);
        study_run(t, model, &o, &run);
        error[i] = worst(&run, 0.01);
        if (study_verbose()) {
            printf("tolerance %.0e: error %.2e, %lld steps, %lld rejected, largest step %.3g s\n",
                   tol[i], error[i], (long long)run.stats.steps, (long long)run.stats.rejected,
                   run.stats.h_max);
        }
        CHECK(t, error[i] < tol[i] * (double)run.stats.steps);
        CHECK(t, run.stats.h_max > 3.0 * run.stats.h_min); // the transient needs the short ones
        trace_free(&run);
    }
    CHECK(t, study_slope(TOLERANCES, tol, error) > slope);
    tml_model_free(model);
}

TEST(error_of_states_is_controlled)
{
    check_control(t, explicit_form, NULL, 0.6);
    check_control(t, implicit_form, NULL, 0.6);
}

TEST(error_of_states_is_controlled_by_the_first_order_rule)
{
    const OneOption rho = {"rho", "1"};
    check_control(t, explicit_form, &rho, 0.45);
}

TEST_SUITE(hht_states) = {CASE(rules_have_their_orders),
                          CASE(order_is_two_with_a_mechanism),
                          CASE(error_of_states_is_controlled),
                          CASE(error_of_states_is_controlled_by_the_first_order_rule),
                          {0}};
