/* tests/analysis/test_multistep.c - generalised alpha and BDF: order, agreement, constraint levels.
 */
#include "study.h"

static const char pendulum[] = "models/closed_forms/pendulum.yaml";
static const char four_bar[] = "models/cases/slider_crank_spring.yaml";

static TmlSimOptions options_for(const char *integrator, const OneOption *option, double end)
{
    TmlSimOptions o = study_options(end, end / 20.0, option);
    o.integrator = integrator;
    return o;
}

/* Error of the channels against a run of another method at a tight tolerance. */
static double error_against(TestCtx *t, const TmlModel *model, const TmlSimOptions *o,
                            const Trace *reference, double *steps)
{
    Trace run;
    double e = (double)NAN;
    if (study_run(t, model, o, &run)) {
        e = trace_error(&run, reference, CHANNEL);
        *steps = (double)run.stats.steps;
    }
    trace_free(&run);
    return e;
}

/* Constant steps, second order whatever the spectral radius. The error of the reference (bdf-si2 at
 * 1e-11: below 1e-7) is a thousandth of the smallest measured one. */
TEST(generalized_alpha_is_second_order)
{
    static const OneOption radius[] = {{"radius", "0.2"}, {"radius", "0.6"}, {"radius", "0.9"}};
    TmlModel *model = study_model(t, pendulum);
    Trace reference;
    TmlSimOptions tight = options_for("bdf-si2", NULL, 1.0);
    tight.tolerance = 1e-11;
    study_run(t, model, &tight, &reference);
    for (int r = 0; r < 3; ++r) {
        double e[3] = {0}, steps;
        t->name = radius[r].value;
        for (int k = 0; k < 3; ++k) {
            TmlSimOptions o = options_for("generalized-alpha", &radius[r], 1.0);
            o.step = 2e-3 / (1 << k);
            e[k] = error_against(t, model, &o, &reference, &steps);
        }
        CHECK_NEAR(t, log2(e[0] / e[2]) / 2.0, 2.0, 0.1);
    }
    trace_free(&reference);
    tml_model_free(model);
}

/* Constant steps; the start is exact to order 5. Steps that are short enough for the next terms (2
 * to 6 percent of the error at the longest) and long enough for the rounding of positions over h:
 * the smallest error, of order 5, is 3e-12. */
TEST(bdf_is_of_its_order)
{
    static const char *const order[] = {"1", "2", "3", "4", "5"};
    static const double longest[] = {5e-3, 5e-3, 5e-3, 5e-3, 2.5e-3};
    static const char *const names[] = {"bdf-i3", "bdf-si2"};
    TmlModel *model = study_model(t, pendulum);
    Trace reference;
    // in joint coordinates its rounding is larger, 1e-12, and near the smallest error
    const OneOption absolute = {"coordinates", "absolute"};
    TmlSimOptions tight = options_for("adams", &absolute, 0.5);
    tight.tolerance = 1e-13;
    study_run(t, model, &tight, &reference);
    for (int k = 0; k < 10; ++k) {
        const OneOption option = {"order", order[k % 5]};
        double e[3], h[3], steps;
        t->name = order[k % 5];
        for (int i = 0; i < 3; ++i) {
            TmlSimOptions o = options_for(names[k / 5], &option, 0.5);
            o.step = h[i] = longest[k % 5] / (1 << i);
            o.tolerance = 1e-12;
            e[i] = error_against(t, model, &o, &reference, &steps);
        }
        if (study_verbose()) {
            printf("%s %s: %.3f, %.1e to %.1e\n", names[k / 5], order[k % 5], study_slope(3, h, e),
                   e[0], e[2]);
        }
        CHECK_NEAR(t, study_slope(3, h, e), k % 5 + 1.0, 0.1);
    }
    trace_free(&reference);
    tml_model_free(model);
}

/* Orders 4 and 5 show in the work: at a tight tolerance each order above the third saves a good
 * part of the steps, at no loss of accuracy. */
TEST(high_orders_of_bdf_save_steps)
{
    static const OneOption highest[] = {{"max_order", "3"}, {"max_order", "4"}, {"max_order", "5"}};
    TmlModel *model = study_model(t, pendulum);
    double steps[3], e[3];
    Trace reference;
    TmlSimOptions tight = options_for("hht", NULL, 2.0);
    tight.tolerance = 1e-12;
    study_run(t, model, &tight, &reference);
    for (int k = 0; k < 3; ++k) {
        TmlSimOptions o = options_for("bdf-si2", &highest[k], 2.0);
        o.tolerance = 1e-10;
        e[k] = error_against(t, model, &o, &reference, &steps[k]);
    }
    CHECK(t, steps[1] < 0.7 * steps[0] && steps[2] < 0.8 * steps[1]);
    CHECK(t, e[2] < 10.0 * e[0]);
    trace_free(&reference);
    tml_model_free(model);
}

/* All of them approach the same motion as the tolerance falls, on a closed loop with a damper. */
TEST(methods_agree)
{
    static const char *const names[] = {"generalized-alpha", "bdf-i3", "bdf-si2"};
    // the error of an order-2 method is about tolerance^(2/3) times a few; BDF of higher order less
    static const double limit[] = {1e-4, 1e-4, 1e-5};
    TmlModel *model = study_model(t, four_bar);
    Trace reference;
    TmlSimOptions tight = options_for("hht", NULL, 5.0);
    tight.tolerance = 1e-11;
    study_run(t, model, &tight, &reference);
    for (int k = 0; k < 3; ++k) {
        double steps;
        t->name = names[k];
        TmlSimOptions o = options_for(names[k], NULL, 5.0);
        o.tolerance = 1e-9;
        CHECK(t, error_against(t, model, &o, &reference, &steps) < limit[k]);
    }
    trace_free(&reference);
    tml_model_free(model);
}

/* Stabilised index 2 holds positions and velocities on the constraints; what is left is a part of
 * the Newton tolerance, 1e-4 of 1e-8. */
TEST(stabilised_bdf_holds_both_levels)
{
    TmlModel *model = study_model(t, four_bar);
    TmlSimOptions o = options_for("bdf-si2", NULL, 5.0);
    o.tolerance = 1e-8;
    Trace run;
    if (study_run(t, model, &o, &run)) {
        CHECK(t, run.stats.max_phi < 1e-10);
        CHECK(t, run.stats.max_phi_dot < 1e-8);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* A start from rest with steps of 1e-7 s: a unit in the last place of positions over h^2 must not
 * reach accelerations, or corrections never end. A start that works has no failed iteration. */
TEST(short_first_steps_converge)
{
    TmlModel *model = study_model(t, "models/cases/andrews.yaml");
    TmlSimOptions o = options_for("bdf-si2", NULL, 1e-4);
    o.tolerance = 1e-11;
    Trace run;
    if (study_run(t, model, &o, &run)) {
        CHECK_INT(t, run.stats.rejected_newton, 0);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* User states: X' = -50 (X - cos t), X(0) = 0; exact solution by hand. */
TEST(user_states_follow)
{
    static const char text[] = "trammel: 1\n"
                               "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                               "states: {X: {rate: '-50*(X - cos(time))', initial: 0}}\n"
                               "outputs: {X: X}\n"
                               "simulate: {end: 1, output_step: 0.1}\n";
    static const char *const names[] = {"generalized-alpha", "bdf-i3", "bdf-si2"};
    TmlModel *model = study_model(t, text);
    for (int k = 0; k < 3; ++k) {
        Trace run;
        t->name = names[k];
        TmlSimOptions o = options_for(names[k], NULL, 1.0);
        o.output_step = 0.1;
        o.tolerance = 1e-8;
        if (study_run(t, model, &o, &run)) {
            const double a = 50.0, x = (a * a * cos(1.0) + a * sin(1.0)) / (a * a + 1.0) -
                                       a * a / (a * a + 1.0) * exp(-a);
            // local errors of 1e-8 of the state's size, damped by the equation itself
            CHECK_NEAR(t, trace_value(&run, run.rows - 1, 0), x, 1e-6);
        }
        trace_free(&run);
    }
    tml_model_free(model);
}

/* Without numerical damping the multipliers of index 3 ring until the step collapses; the default
 * puts the state back onto the constraints then. Error control on the pendulum, 2 s: order 2 at
 * tolerance 1e-8 leaves about 1e-8^(2/3) = 5e-6 times a few. */
TEST(undamped_methods_run)
{
    static const struct {
        const char *method;
        OneOption option;
    } undamped[] = {{"hht", {"alpha", "0"}}, {"generalized-alpha", {"radius", "1"}}};
    TmlModel *model = study_model(t, pendulum);
    Trace reference;
    TmlSimOptions tight = options_for("radau", NULL, 2.0);
    tight.tolerance = 1e-10;
    study_run(t, model, &tight, &reference);
    for (int k = 0; k < 2; ++k) {
        double steps = 0.0;
        t->name = undamped[k].method;
        TmlSimOptions o = options_for(undamped[k].method, &undamped[k].option, 2.0);
        o.tolerance = 1e-8;
        CHECK(t, error_against(t, model, &o, &reference, &steps) < 1e-4);
        CHECK(t, steps < 2e4);
    }
    trace_free(&reference);
    tml_model_free(model);
}

TEST_SUITE(multistep) = {CASE(generalized_alpha_is_second_order),
                         CASE(bdf_is_of_its_order),
                         CASE(high_orders_of_bdf_save_steps),
                         CASE(methods_agree),
                         CASE(stabilised_bdf_holds_both_levels),
                         CASE(short_first_steps_converge),
                         CASE(user_states_follow),
                         CASE(undamped_methods_run),
                         {0}};
