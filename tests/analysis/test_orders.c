/* tests/analysis/test_orders.c - every registered method has the order that its table claims, on a
 * mechanism with a user state, in one piece and across a jump where it starts afresh.
 *
 * Methods of variable order, which have an option `order`, are held at each of a few orders. A new
 * method is covered as soon as its registry line exists.
 */
#include "study.h"

#include <math.h>

/* jump: "0" or "1". The torque jumps at 0.43 s, which is no multiple of any step. */
#define DOUBLE_PENDULUM(jump)                                                                      \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, -2, 0]\n"                                                                        \
    "bodies:\n"                                                                                    \
    "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}\n"                            \
    "  b: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [1.5, 0, 0]}\n"                            \
    "joints:\n"                                                                                    \
    "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: z}\n"                         \
    "  q: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: z}\n"                              \
    "states: {x: {rate: angle(p) - x, initial: 0}}\n"                                              \
    "forces: {m: {type: torque, body: a, tz: 'x + " jump "*if(time < 0.43, 0, 1)'}}\n"             \
    "outputs: {p: angle(p), q: angle(q), w: angular_velocity(q), x: \"x\"}\n"

enum { CHANNELS = 4, HALVINGS = 3 };

static const double end_time = 0.8;

static bool last_row(TestCtx *t, const TmlModel *model, const TmlSimOptions *o, double *out)
{
    Trace run;
    const bool ok = study_run(t, model, o, &run);
    for (int k = 0; ok && k < CHANNELS; ++k) {
        out[k] = trace_value(&run, run.rows - 1, k);
    }
    trace_free(&run);
    return ok;
}

/* The slope of the error at the end over the step, at the two shortest. */
static void check_order(TestCtx *t, const TmlModel *model, const TmlIntegratorType *type,
                        const OneOption *option, double order, const double *exact)
{
    double error[HALVINGS] = {0};
    for (int i = 0; i < HALVINGS; ++i) {
        double x[CHANNELS] = {0};
        TmlSimOptions o = study_options(end_time, end_time, option);
        o.integrator = type->info.name;
        o.tolerance = order > 2.5 ? 1e-10 : 1e-8; // iterations leave a small part of it
        // order 8 is at rounding with shorter ones
        o.step = ldexp(order > 6.5 ? 0.4 : order > 4.5 ? 0.1 : order > 2.5 ? 0.05 : 0.02, -i);
        if (!last_row(t, model, &o, x)) {
            return;
        }
        for (int k = 0; k < CHANNELS; ++k) {
            error[i] = fmax(error[i], fabs(x[k] - exact[k]));
        }
    }
    const double slope = log2(error[HALVINGS - 2] / error[HALVINGS - 1]);
    if (study_verbose()) {
        printf("%-22s %s %9.2e %9.2e %9.2e  %5.2f\n", t->name, option != NULL ? option->value : "-",
               error[0], error[1], error[2], slope);
    }
    // half the error of a step more would be a slope off by log2(1.5); an order less, by one
    CHECK(t, slope > order - 0.4);
}

static void check_all(TestCtx *t, const char *text)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(end_time, end_time, NULL);
    double exact[CHANNELS] = {0};
    o.integrator = "radau";
    o.tolerance = 1e-13;
    if (model == NULL || !last_row(t, model, &o, exact)) {
        return;
    }
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        const TmlIntegratorType *type = tml_integrator_types[k];
        t->name = type->info.name;
        if (!tml_option_known(&type->info, "order")) {
            check_order(t, model, type, NULL, type->order, exact);
            continue;
        }
        static const OneOption orders[] = {{"order", "2"}, {"order", "3"}, {"order", "4"}};
        for (int i = 0; i < 3; ++i) {
            check_order(t, model, type, &orders[i], 2.0 + i, exact);
        }
    }
    tml_model_free(model);
}

TEST(every_method_has_its_order)
{
    check_all(t, DOUBLE_PENDULUM("0"));
}

TEST(every_method_keeps_its_order_across_a_restart)
{
    check_all(t, DOUBLE_PENDULUM("1"));
}

TEST_SUITE(orders) = {
    CASE(every_method_has_its_order), CASE(every_method_keeps_its_order_across_a_restart), {0}};
