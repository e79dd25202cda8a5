/* tests/contact/test_contact_models.c - the models of models/contact do what they show; --set, notes and `check`. */
#include "../analysis/study.h"

#include "trammel/io.h"

static double channel(const Trace *run, int row, int k)
{
    return trace_value(run, row, k);
}

static bool run_model(TestCtx *t, const char *path, double end, double step, Trace *run)
{
    TmlModel *model = study_model(t, path);
    const TmlSimOptions o = study_options(end, step, NULL);
    const bool ok = model != NULL && study_run(t, model, &o, run);
    tml_model_free(model);
    return ok;
}

/* The ball falls from 0.95 m for sqrt(2 h / g) = 0.44 s, and rises by the square of the restitution, 0.64 of it: the law
 * meets the coefficient to 1e-3 of the height; rows stand 1 ms apart, in which it falls by g t^2 / 2 = 5e-6 m. */
TEST(a_ball_bounces_by_its_material)
{
    Trace run = {0};
    double apex = 0.0;
    if (run_model(t, "models/contact/bouncing_ball.yaml", 1.2, 1e-3, &run)) {
        for (int k = 600; k < 1200; ++k) {
            apex = fmax(apex, channel(&run, k, 0));
        }
        CHECK_NEAR(t, apex, 0.64 * 0.95, 2e-3);
    }
    trace_free(&run);
}

/* The slope of 20 degrees: friction of 0.5 holds but for the creep of the law, 1e-3 m/s at full friction; with 0.2 the
 * box slides by g (sin - 0.2 cos) t^2 / 2 = 0.756 m in 1 s. It sinks at first, which costs less than 1e-3 m. */
TEST(friction_holds_or_does_not)
{
    Trace run = {0};
    if (run_model(t, "models/contact/incline.yaml", 1.0, 1.0, &run)) {
        const double start = 0.05 * tan(acos(-1.0) / 9.0), slope = acos(-1.0) / 9.0;
        CHECK_NEAR(t, channel(&run, 1, 0), start, 1.5e-3); // creep and sinking
        CHECK_NEAR(t, channel(&run, 1, 1) - start, 0.5 * 9.80665 * (sin(slope) - 0.2 * cos(slope)),
                   1.5e-3); // creep and sinking
    }
    trace_free(&run);
}

/* What the first ball brings, the last one takes: without losses nearly all of the 40 degrees; the others keep a little of
 * it, as the balls touch one after the other but not quite. */
TEST(the_last_ball_of_the_cradle_swings)
{
    Trace run = {0};
    double most = 0.0;
    if (run_model(t, "models/contact/cradle.yaml", 0.45, 0.005, &run)) {
        for (int k = 0; k <= 90; ++k) {
            most = fmax(most, fabs(channel(&run, k, 1)));
        }
        CHECK_NEAR(t, most, 40.0, 0.5);                  // measured: 39.80
        CHECK_NEAR(t, channel(&run, 90, 0), -40.0, 2.0); // it hangs; measured: -39.14
    }
    trace_free(&run);
}

/* A turn of the crank is a quarter of the wheel, but for the play of the locking ring, 0.15 mm at 60 mm. */
TEST(the_geneva_wheel_turns_by_quarters)
{
    Trace run = {0};
    if (run_model(t, "models/contact/geneva.yaml", 1.0, 0.5, &run)) {
        const double turned = channel(&run, 2, 1) - channel(&run, 0, 1);
        CHECK_NEAR(t, fabs(turned), 90.0, 0.6); // play; measured: 90.12
    }
    trace_free(&run);
}

#define TWO_BALLS                                                                                  \
    "trammel: 1\n"                                                                                 \
    "parameters: {gap: 1 cm}\n"                                                                    \
    "materials: {a: {young: 1e7}, b: {young: 1e8}}\n"                                              \
    "bodies:\n"                                                                                    \
    "  one: {mass: 1, inertia: [1, 1, 1], shape: {sphere: {radius: 1, material: a}}}\n"            \
    "  two: {mass: 1, inertia: [1, 1, 1], position: [2 + gap, 0, 0],\n"                            \
    "        shape: {sphere: {radius: 1, material: b}}}\n"                                         \
    "  three: {mass: 1, inertia: [1, 1, 1], position: [0, 2 + gap, 0],\n"                          \
    "        shape: {sphere: {radius: 1, material: a}}}\n"                                         \
    "contacts: {touch: {between: all, law: hertz}}\n"                                              \
    "outputs: {force: contact_force(touch), count: contact_count(touch)}\n"                        \
    "simulate: {end: 1}\n"

/* The note names the deepest pair; functions of an entry add up the pairs of all materials. */
TEST(an_overlap_at_the_start_is_told)
{
    static const char *const name = "gap";
    static const double gaps[] = {-1e-3, 1e-2};
    for (int k = 0; k < 2; ++k) {
        TmlModel *model = NULL;
        TmlSim *sim = NULL;
        TmlError err = {0};
        CHECK_OK(t, tml_load_text(TWO_BALLS, "model", 1, &name, &gaps[k], &model, &err), &err);
        const TmlSimOptions o = study_options(0.1, 0.1, NULL);
        CHECK_OK(t, model != NULL ? tml_sim_create(model, &o, &sim, &err) : TML_E_MODEL, &err);
        if (sim != NULL) {
            CHECK_INT(t, tml_sim_note_count(sim), k == 0 ? 1 : 0);
        }
        if (sim != NULL && k == 0 && tml_sim_note_count(sim) == 1) {
            CHECK_HAS(t, tml_sim_note(sim, 0), "shapes overlap at the start, at 2 points");
            CHECK_HAS(t, tml_sim_note(sim, 0), "by 0.001 m (contact 'touch'");
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

TEST(check_lists_the_pairs)
{
    TmlModel *model = study_model(t, TWO_BALLS);
    TmlError err = {0};
    char *text = NULL;
    if (model != NULL) {
        CHECK_OK(t, tml_describe(model, NULL, &text, &err), &err);
        CHECK_HAS(t, text, "contacts: 1\n  touch  hertz  3 pairs\n");
        CHECK(t, strstr(text, "no joint and no force") == NULL);
    }
    tml_text_free(text);
    tml_model_free(model);
}

TEST_SUITE(contact_models) = {CASE(a_ball_bounces_by_its_material),
                              CASE(friction_holds_or_does_not),
                              CASE(the_last_ball_of_the_cradle_swings),
                              CASE(the_geneva_wheel_turns_by_quarters),
                              CASE(an_overlap_at_the_start_is_told),
                              CASE(check_lists_the_pairs),
                              {0}};
