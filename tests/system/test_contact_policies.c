/* tests/system/test_contact_policies.c - thresholds of contact as formulas: how long lists are good for, whom matrices couple, how deep a
 * step ends behind an onset, how long the first one behind it is.
 */
#include "../analysis/study.h"

#include "math/vec3.h"
#include "system/contact/touching.h"

/* Three pairs of balls of 1 cm that come together head on with 1 m/s; they meet after 10, 30 and 60 ms. */
#define PAIRS                                                                                      \
    "trammel: 1\n"                                                                                 \
    "bodies:\n"                                                                                    \
    "  a: {type: point, mass: 1, velocity: [1, 0, 0], shape: {sphere: {radius: 0.01}}}\n"          \
    "  b: {type: point, mass: 1, position: [0.03, 0, 0], shape: {sphere: {radius: 0.01}}}\n"       \
    "  c: {type: point, mass: 1, position: [0, 1, 0], velocity: [1, 0, 0], shape: {sphere: "       \
    "{radius: 0.01}}}\n"                                                                           \
    "  d: {type: point, mass: 1, position: [0.05, 1, 0], shape: {sphere: {radius: 0.01}}}\n"       \
    "  e: {type: point, mass: 1, position: [0, 2, 0], velocity: [1, 0, 0], shape: {sphere: "       \
    "{radius: 0.01}}}\n"                                                                           \
    "  f: {type: point, mass: 1, position: [0.08, 2, 0], shape: {sphere: {radius: 0.01}}}\n"       \
    "contacts: {all: {between: all, law: linear, stiffness: 1e6}}\n"

static TmlSim *pairs(TestCtx *t, TmlModel **model)
{
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    *model = study_model(t, PAIRS);
    return study_sim(t, *model, &o);
}

static bool renewed(TestCtx *t, TmlSim *sim, double h)
{
    TmlError err;
    bool patterns = false;
    tml_system_kinematics(sim->sys, &sim->it.now, false);
    CHECK_OK(t, tml_system_touching_renew(sim->sys, h, 0.0, &patterns, &err), &err);
    return patterns;
}

/* A list is good for four steps of its size: a body may move by 4 h v. */
TEST(lists_look_four_steps_ahead)
{
    TmlModel *model;
    TmlSim *sim = pairs(t, &model);
    const double h = 1e-3;
    renewed(t, sim, h);
    const TmlCarrier *fast = tml_carrier_of(sim->sys, 0);
    CHECK_NEAR(t, fast->margin, 4.0 * h * 1.0, 1e-15); // rounding of a product
    CHECK(t, tml_system_touching_holds(sim->sys, 3.9 * h));
    CHECK(t, !tml_system_touching_holds(sim->sys, 4.1 * h));
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A pair without blocks must not be about to touch within one and a half steps: the first two meet after 10 ms. */
TEST(pairs_are_free_for_one_and_a_half_steps)
{
    static const double steps[] = {1.4, 1.6};
    for (int k = 0; k < 2; ++k) {
        TmlModel *model;
        TmlSim *sim = pairs(t, &model);
        CHECK(t, renewed(t, sim, 0.01 / steps[k]) == (k == 0));
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

static bool is_coupled(const TmlSystem *sys, int first)
{
    const struct TmlTouching *t = sys->touching;
    for (int k = 0; k < t->n; ++k) {
        if (t->near[k].shape[0] == first && t->near[k].shape[1] == first + 1) {
            return t->near[k].coupling >= 0;
        }
    }
    return false;
}

/* Where matrices are made anew, those that meet within four steps get their blocks, and no others: with steps of 9 ms the
 * second pair, after 30 ms, and not the third, after 60 ms. */
TEST(couplings_look_four_steps_ahead)
{
    TmlModel *model;
    TmlSim *sim = pairs(t, &model);
    CHECK(t, renewed(t, sim, 9e-3));
    CHECK(t, is_coupled(sim->sys, 0) && is_coupled(sim->sys, 2) && !is_coupled(sim->sys, 4));
    tml_sim_free(sim);
    sim = pairs(t, &model);
    CHECK(t, renewed(t, sim, 7e-3)); // 28 ms are less than 30
    CHECK(t, is_coupled(sim->sys, 0) && !is_coupled(sim->sys, 2));
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A ball of 1 kg comes down with 3 m/s, 1 mm above 1e6 N/m: the step that ends on the onset is to be a hundredth of the allowed
 * error deep, where a jump of the force would show. In the first one behind it the force that sets in may displace the ball by up to
 * a sixth of the allowed error, (O1) of system/contact/onset.c, found by halves. */
TEST(steps_end_behind_an_onset_and_begin_small)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies: {ball: {type: point, mass: 1, position: [0, 0, 0.101], velocity: [0, 0, -3],\n"
        "                shape: {sphere: {radius: 0.1}}}}\n"
        "contacts: {floor: {between: [ball, ground], law: linear, stiffness: 1e6}}\n";
    const double g = 9.81, k = 1e6;
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlError err = {0};
    bool anew;
    double h = 1e-2;
    o.tolerance = 1e-4;
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_contacts_fit(sim, &h, &anew, &err), &err);
    const double allowed = sim->it.norm.translation;
    const double depth = 3.0 * h + 0.5 * g * h * h - 1e-3;
    CHECK_NEAR(t, depth, 0.01 * allowed, 1e-4 * allowed); // rounding is far below
    CHECK(t, sim->contacts.landing);
    // at the surface, with the same speed
    sim->it.now.q[2] = 0.1;
    sim->contacts.landed = true;
    const double first = tml_sim_contacts_first(sim, 1e-2);
    const double unseen = k * 3.0 * first * first * first / 9.0;
    // sizes are halved until it is small enough: one of half that size would have an eighth
    CHECK(t, unseen < 1.001 * allowed / 6.0 && 8.0 * unseen > 0.999 * allowed / 6.0);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Two balls that close within 30 ns of each other take one landing, behind the later one: (O4). A force of 3e-2 N for so long displaces
 * nothing. */
TEST(onsets_that_are_close_take_one_landing)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies:\n"
        "  a: {type: point, mass: 1, position: [0, 0, 0.101], velocity: [0, 0, -3], shape: "
        "{sphere: {radius: 0.1}}}\n"
        "  b: {type: point, mass: 1, position: [1, 0, 0.1010001], velocity: [0, 0, -3], shape: "
        "{sphere: {radius: 0.1}}}\n"
        "contacts: {floor: {between: [[a, b], ground], law: linear, stiffness: 1e6}}\n";
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlError err = {0};
    bool anew;
    double h = 1e-2;
    o.tolerance = 1e-4;
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_contacts_fit(sim, &h, &anew, &err), &err);
        const double allowed = sim->it.norm.translation,
                     depth = 3.0 * h + 0.5 * 9.81 * h * h - 1.0001e-3;
        CHECK_NEAR(t, depth, 0.01 * allowed, 1e-4 * allowed); // rounding is far below
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A ball on a spring of 1e6 N/m parts with it after the time T. The acceleration of now alone, whose part F / m fades, gives
 * T - w^2 T^3 / 6, before the end of the force; with (O6) for any power up to four a step ends as much behind it. */
TEST(steps_end_behind_a_release)
{
    static const char *const text =
        "trammel: 1\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies: {ball: {type: point, mass: 1, position: [0, 0, 0.2], shape: {sphere: {radius: "
        "0.1}}}}\n"
        "contacts: {floor: {between: [ball, ground], law: linear, stiffness: 1e6}}\n";
    const double w = 1e3, T = 2e-4, v = 3.0, depth = v / w * sin(w * T);
    TmlModel *model = study_model(t, text);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlState *s = &sim->it.now;
    s->q[2] = 0.1 - depth;
    s->v[2] = v * cos(w * T);
    s->a[2] = w * w * depth;
    bool patterns;
    TmlError err;
    tml_system_kinematics(sim->sys, s, true);
    CHECK_OK(t, tml_system_touching_renew(sim->sys, T, 0.0, &patterns, &err), &err);
    double release;
    tml_system_next_onset(
        sim->sys,
        &(TmlOnsetBounds){.allowed = 1e-12, .swift = HUGE_VAL, .part = 1.0, .horizon = 2.0 * T},
        &release);
    const double late = w * w * T * T * T / 6.0;
    // terms of the next order are (w T)^2 = 4 % of it, with factors of some units
    CHECK_NEAR(t, release - T, late, 0.2 * late);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(contact_policies) = {CASE(lists_look_four_steps_ahead),
                                CASE(pairs_are_free_for_one_and_a_half_steps),
                                CASE(couplings_look_four_steps_ahead),
                                CASE(steps_end_behind_an_onset_and_begin_small),
                                CASE(onsets_that_are_close_take_one_landing),
                                CASE(steps_end_behind_a_release),
                                {0}};
