/* tests/analysis/test_auto.c - what `auto` chooses, and that it says why. */
#include "mechanisms.h"
#include "study.h"

/* The method chosen for a model, and the note about it. */
static void check_choice(TestCtx *t, const char *text, const char *method, const char *reason)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(1.0, 0.1, NULL);
    o.integrator = "auto";
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        const int notes = tml_sim_note_count(sim);
        CHECK_STR(t, tml_sim_integrator(sim), method);
        CHECK(t, notes > 0);
        CHECK_HAS(t, notes > 0 ? tml_sim_note(sim, notes - 1) : "", reason);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(choices_follow_the_model)
{
    t->name = "smooth";
    check_choice(t, pendulum, "radau", "'radau' chosen: the model is smooth");
    t->name = "stiff";
    check_choice(t, "models/double_pendulum.yaml", "radau", "stiff and smooth");
    t->name = "contact";
    check_choice(t,
                 "trammel: 1\n"
                 "gravity: [0, 0, -9.81]\n"
                 "bodies: {ball: {type: point, mass: 1, position: [0, 0, 1]}}\n"
                 "forces:\n"
                 "  floor: {type: force, body: ball,\n"
                 "          fz: 'impact(DZ(ball), VZ(ball), 0.1, 1e5, 1.5, 10, 0.01)'}\n",
                 "hht", "not smooth");
    t->name = "large";
    check_choice(t,
                 "trammel: 1\n"
                 "bodies:\n"
                 "  'for i in 1..400':\n"
                 "    'b{i}': {type: point, mass: 1, position: [i, 0, 0]}\n",
                 "hht", "large");
}

/* The stiff rate that is reported is that of the linearised model: the double pendulum of [001] has
 * its dominant eigenvalue at -9.987e4 1/s. */
TEST(the_fast_rate_is_the_dominant_eigenvalue)
{
    TmlModel *model = study_model(t, "models/double_pendulum.yaml");
    TmlSimOptions o = study_options(1.0, 0.1, NULL);
    o.integrator = "auto";
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        const char *note = tml_sim_note(sim, tml_sim_note_count(sim) - 1);
        const char *at = strstr(note, "fastest rate ");
        CHECK(t, at != NULL);
        // eight power iterations with a gap of 1e3: three digits, and as many are printed
        CHECK_NEAR(t, at != NULL ? atof(at + strlen("fastest rate ")) : 0.0, 9.987e4, 2e2);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(automatic) = {
    CASE(choices_follow_the_model), CASE(the_fast_rate_is_the_dominant_eigenvalue), {0}};
