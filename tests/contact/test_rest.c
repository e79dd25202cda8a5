/* tests/contact/test_rest.c - things at rest on each other: statics, linearisation, friction that holds by creeping.
 *
 * Two balls of 1 kg on a floor, one on the other, K = 1e6 N/m^1.5: the lower depth is (2 g / K)^(2/3), the upper one
 * (g / K)^(2/3).
 */
#include "../analysis/study.h"

#include "trammel/analysis.h"

#define PILE(low, high)                                                                            \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies:\n"                                                                                    \
    "  low: {type: point, mass: 1, position: [0, 0, " low "], shape: {sphere: {radius: 0.1}}}\n"   \
    "  high: {type: point, mass: 1, position: [0, 0, " high "], shape: {sphere: {radius: 0.1}}}\n" \
    "contacts: {all: {between: all, law: hunt_crossley, stiffness: 1e6, exponent: 1.5,\n"          \
    "                 damping: 0.3}}\n"                                                            \
    "outputs: {low: DZ(low), high: DZ(high)}\n"                                                    \
    "simulate: {end: 1}\n"

/* From touching, and from far above: pairs that are not near at the start are found on the way. */
TEST(balls_come_to_rest_on_each_other)
{
    static const char *const start[] = {PILE("0.0995", "0.299"), PILE("0.11", "0.32"),
                                        PILE("0.5", "1.5")};
    const double low = 0.1 - pow(2.0 * 9.81 / 1e6, 2.0 / 3.0);
    const double high = low + 0.2 - pow(9.81 / 1e6, 2.0 / 3.0);
    for (int k = 0; k < 3; ++k) {
        TmlModel *model = study_model(t, start[k]);
        TmlSimOptions o = study_options(1.0, 1.0, NULL);
        TmlSim *sim = study_sim(t, model, &o);
        TmlError err;
        TmlStaticsInfo info;
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        // forces balance to 1e-13 of the weight, or 1e-12 N over a stiffness of 3e4 N/m: rounding
        CHECK_NEAR(t, sim->it.now.q[2], low, 1e-15);
        CHECK_NEAR(t, sim->it.now.q[5], high, 1e-15);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* A block of 1 kg that brakes on a slope of 10 degrees with mu = 0.4, then creeps with v = w atanh(tan A / mu). */
#define SLOPE                                                                                      \
    "trammel: 1\n"                                                                                 \
    "parameters: {A: 10 deg, w: %s, k: 1e6}\n"                                                     \
    "gravity: [\"9.81*sin(A)\", 0, \"-9.81*cos(A)\"]\n"                                            \
    "ground: {shape: {half_space: {normal: z}}}\n"                                                 \
    "bodies: {block: {type: point, mass: 1, position: [0, 0, \"0.1-9.81*cos(A)/k\"],\n"            \
    "                 velocity: [2, 0, 0], shape: {sphere: {radius: 0.1}}}}\n"                     \
    "contacts: {floor: {between: [block, ground], law: linear, stiffness: k, damping: 1000,\n"     \
    "                   friction: {dynamic: 0.4, static_velocity: w}}}\n"                          \
    "outputs: {v: VX(block)}\n"

/* However narrow the law is, and by every method that iterates on accelerations or stages: the iteration does not
 * jump to and fro across v = 0, where it used to take 69,155 steps at 1e-6 m/s and crept eighty times too fast. */
TEST(a_block_brakes_and_creeps)
{
    static const char *const methods[] = {"hht",   "generalized-alpha", "bdf-i3", "bdf-si2",
                                          "radau", "rosenbrock"};
    static const char *const width[] = {"1e-3", "1e-5", "1e-6"};
    const double slope = acos(-1.0) / 18.0;
    for (int k = 0; k < 3; ++k) {
        char text[2048];
        snprintf(text, sizeof text, SLOPE, width[k]);
        TmlModel *model = study_model(t, text);
        const double creep = atof(width[k]) * atanh(tan(slope) / 0.4);
        for (int i = 0; i < 6; ++i) {
            Trace run = {0};
            TmlSimOptions o = study_options(2.0, 2.0, NULL);
            o.integrator = t->name = methods[i];
            if (study_run(t, model, &o, &run)) {
                // the law is met at rest as well as iterations converge: 1e-5 of it was measured, 1e-4 is allowed
                CHECK_NEAR(t, trace_value(&run, 1, 0), creep, 1e-4 * creep);
                CHECK(t, run.stats.steps + run.stats.rejected < 2000);
            }
            trace_free(&run);
        }
        t->name = NULL;
        tml_model_free(model);
    }
}

/* A law without its states would be wrong without a word. */
TEST(bristles_are_refused)
{
    char text[2048];
    TmlModel *model = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text, SLOPE, "1e-3");
    const char *law = strstr(text, "dynamic: 0.4, static_velocity: w");
    char bristle[2048];
    snprintf(bristle, sizeof bristle,
             "%.*slaw: lugre, dynamic: 0.4, static: 0.5, stiffness: 1e5}}}\n", (int)(law - text),
             text);
    CHECK(t, tml_load_text(bristle, "test", 0, NULL, NULL, &model, &err) != TML_OK);
    CHECK(t, strstr(err.message, "bristles") != NULL && strstr(err.message, "floor") != NULL);
    tml_model_free(model);
}

TEST_SUITE(contact_rest) = {CASE(balls_come_to_rest_on_each_other),
                            CASE(a_block_brakes_and_creeps),
                            CASE(bristles_are_refused),
                            {0}};
