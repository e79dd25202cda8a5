/* tests/analysis/test_drives.c - drives that jump in time.
 *
 * A jump of position is an error. A jump of velocity is an impact: positions stay, velocities jump
 * by the impulses of the joints, and the work of the impulse is the change of kinetic energy.
 */
#include "study.h"

/* A rod on a pin, driven; a second one hangs on it by another pin. F: the function. */
#define ROD(of, function)                                                                          \
    "trammel: 1\n"                                                                                 \
    "bodies:\n"                                                                                    \
    "  a: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}\n"                                    \
    "  b: {mass: 3, inertia: [1, 1, 0.5], position: [2, -0.5, 0]}\n"                               \
    "joints:\n"                                                                                    \
    "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: z}\n"                         \
    "  q: {type: revolute, bodies: [a, b], at: [2, 0, 0], axis: z}\n"                              \
    "  m: {type: motion, joint: p, of: " of ", function: \"" function "\"}\n"                      \
    "outputs: {a: angle(p), wa: WZ(a), wb: WZ(b)}\n"                                               \
    "simulate: {end: 1, output_step: 0.1}\n"

typedef struct Last {
    double angle, wa, wb, energy_error;
} Last;

static TmlStatus keep_row(void *user, const TmlSim *sim, TmlError *err)
{
    Last *last = user;
    (void)err;
    *last = (Last){tml_row_channel(sim, 0), tml_row_channel(sim, 1), tml_row_channel(sim, 2),
                   tml_row_certificate(sim).energy_error};
    return TML_OK;
}

static TmlSim *rod_sim(TestCtx *t, const TmlModel *model, const char *method, double end)
{
    TmlSimOptions o = study_options(end, 0.1, NULL);
    o.integrator = t->name = method;
    return study_sim(t, model, &o);
}

static bool has_note(const TmlSim *sim, const char *words)
{
    for (int k = 0; k < tml_sim_note_count(sim); ++k) {
        if (strstr(tml_sim_note(sim, k), words) != NULL) {
            return true;
        }
    }
    return false;
}

/* The time of a jump is known from the text, or found; on either side of it, and at the start. */
TEST(jump_of_position_is_an_error)
{
    static const struct {
        const char *text, *at;
    } c[] = {
        {ROD("displacement", "if(time - 0.5 > 0, 1, 0)"), "at t = 0.5 s joint 'm'"},
        {ROD("displacement", "if(time - 0.5: 0, 1, 1)"), "at t = 0.5 s joint 'm'"},
        {ROD("displacement", "if(time: 0, 0, 1)"), "at t = 0 s joint 'm'"},
        // the value at 0.5 s itself goes on from before, its rate does not
        {ROD("displacement", "if(time - 0.5: 2*time, 1, 0)"), "at t = 0.5 s joint 'm'"},
        {ROD("displacement", "1 - mod(time, 0.7)/0.7"), "at t = 0.7 s joint 'm'"},
        {ROD("displacement", "if(sin(5*time) + 0.5: 1, 0, 0) + time^2"), "at t = 0.733038286 s"},
    };
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        for (size_t i = 0; i < sizeof c / sizeof c[0]; ++i) {
            TmlError err = {0};
            Last last = {0};
            TmlModel *model = study_model(t, c[i].text);
            TmlSim *sim = rod_sim(t, model, tml_integrator_name(k), 1.0);
            if (sim != NULL) {
                CHECK(t, tml_sim_run(sim, keep_row, &last, &err) == TML_E_ASSEMBLY);
                CHECK(t, strstr(err.message, c[i].at) != NULL);
                CHECK(t, strstr(err.message, "jumps by 1 rad") != NULL);
            }
            tml_sim_free(sim);
            tml_model_free(model);
        }
    }
}

/* Full turns are no jump of a pin; a jump behind the end of the run is none of it. */
TEST(jumps_that_are_none)
{
    static const char *const text[] = {
        ROD("displacement", "mod(9*time, 2*pi)"),
        ROD("displacement", "if(time - 1: 0, 0, 1)"),
        ROD("displacement", "step(time, 0.2, 0, 0.21, 0.5)"),
    };
    for (int i = 0; i < 3; ++i) {
        TmlError err = {0};
        Last last = {0};
        TmlModel *model = study_model(t, text[i]);
        TmlSim *sim = rod_sim(t, model, "radau", 1.0);
        if (sim != NULL) {
            CHECK_OK(t, tml_sim_run(sim, keep_row, &last, &err), &err);
            CHECK(t, !has_note(sim, "impact"));
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* The motion goes on from rest at 0.45 s by 2 rad/s, or stops there. The pin at the end of `a` then
 * gets the velocity u = 2 * 2 = 4 m/s downwards or up at once; `b`, with its centre r = (0, -0.5)
 * from the pin, feels an impulse at the pin that is vertical there: its centre moves by u
 * vertically, and it does not turn, as the impulse goes through the centre. It turns later, by the
 * centripetal acceleration of the pin. */
static void check_impact(TestCtx *t, const char *text, const char *method, double jump)
{
    TmlError err = {0};
    TmlModel *model = study_model(t, text);
    TmlSim *sim = rod_sim(t, model, method, 1.0);
    double before = (double)NAN, after = (double)NAN, spin = (double)NAN;
    bool crossed = false;
    while (sim != NULL && tml_sim_time(sim) < 0.5) {
        if (tml_sim_time(sim) >= 0.45 * (1.0 - 1e-12) && !crossed) {
            before = tml_system_energy(sim->sys, &sim->it.now).kinetic;
            CHECK_OK(t, tml_sim_drives_cross(sim, &err), &err);
            after = tml_system_energy(sim->sys, &sim->it.now).kinetic;
            spin = tml_body_motion(sim->sys, 2)->omega.z;
            crossed = true;
        }
        const TmlStatus status = tml_sim_step(sim, &err);
        CHECK_OK(t, status, &err);
        if (status != TML_OK) {
            break;
        }
    }
    CHECK(t, crossed);
    if (crossed) {
        // (1 + 2) w^2 / 2 of the rod and 3 u^2 / 2 of the other: 6 + 24 J; the index 3 methods
        // leave velocities that are off by their tolerance, which enters as its square root here at
        // most
        CHECK_NEAR(t, after - before, jump, 1e-3 * fabs(jump));
        CHECK(t, jump < 0.0 || fabs(spin) < 1e-9);
        CHECK(t,
              has_note(sim, "at t = 0.45 s joint 'm' (motion): motion changes its velocity by 2"));
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(jump_of_velocity_is_an_impact)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        const char *method = tml_integrator_name(k);
        check_impact(t, ROD("displacement", "2*max(0, time - 0.45)"), method, 30.0);
        check_impact(t, ROD("displacement", "if(time - 0.45: 0, 0, 2*time - 0.9)"), method, 30.0);
        check_impact(t, ROD("velocity", "if(time - 0.45: 0, 2, 2)"), method, 30.0);
        check_impact(t, ROD("velocity", "2*floor(time/0.45)"), method, 30.0);
    }
}

/* The account of energy and the motion behind the impact: against a tight run of a high order, at
 * 0.9 s, and the work of the drive in the balance. Limits: the default tolerances of the methods
 * (1e-5 or less), ten times. */
TEST(motion_behind_an_impact)
{
    static const char text[] = ROD("displacement", "2*max(0, time - 0.45)");
    Last want = {0};
    for (int k = -1; k < 0 || tml_integrator_name(k) != NULL; ++k) {
        TmlError err = {0};
        Last last = {0};
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(0.9, 0.1, NULL);
        o.integrator = t->name = k < 0 ? "radau" : tml_integrator_name(k);
        o.tolerance = k < 0 ? 1e-12 : (double)NAN;
        TmlSim *sim = study_sim(t, model, &o);
        if (sim != NULL) {
            CHECK_OK(t, tml_sim_run(sim, keep_row, &last, &err), &err);
            want = k < 0 ? last : want;
            CHECK_NEAR(t, last.angle, 0.9, 1e-9);
            CHECK_NEAR(t, last.wa, 2.0, 1e-6);
            CHECK_NEAR(t, last.wb, want.wb, 1e-4 * fmax(1.0, fabs(want.wb)));
            CHECK_NEAR(t, last.energy_error, 0.0, 0.02 * 30.0);
            CHECK_INT(t, sim->drives.impacts, 1);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* Tables with straight pieces jump at every knot: told three times, and once that there are more.
 */
TEST(many_impacts_are_told_once)
{
    TmlError err = {0};
    Last last = {0};
    TmlModel *model = study_model(t, ROD("displacement", "abs(sin(20*time))"));
    TmlSim *sim = rod_sim(t, model, "radau", 1.0);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, keep_row, &last, &err), &err);
        CHECK_INT(t, sim->drives.impacts, 6);
        // the drive holds to rounding in a row
        CHECK_NEAR(t, last.angle, fabs(sin(20.0)), 1e-12);
        int told = 0;
        for (int k = 0; k < tml_sim_note_count(sim); ++k) {
            told += strstr(tml_sim_note(sim, k), "velocity") != NULL;
        }
        CHECK_INT(t, told, 4);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(drives) = {
    CASE(jump_of_position_is_an_error),  CASE(jumps_that_are_none),
    CASE(jump_of_velocity_is_an_impact), CASE(motion_behind_an_impact),
    CASE(many_impacts_are_told_once),    {0},
};
