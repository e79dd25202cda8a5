/* tests/analysis/test_watch.c - rows that are left out as redundant are watched.
 *
 * The drive comes before what contradicts it, so that a row of a joint is left out and not the
 * drive: nothing is wrong at the start. A motion would be refused there (test_drives.c): these are
 * of a type of the caller's own, which does not say that it drives.
 */
#include "study.h"

#include "model/elements.h"
#include "model/registry.h"

#include <limits.h>

/* Such a model, as far as the type goes; the caller frees it. */
static TmlModel *watch_model(TestCtx *t, const char *text)
{
    static TmlConstraintType follow;
    TmlModel *model = NULL;
    TmlError err = {0};
    follow = tml_constraint_motion;
    follow.info.name = "follow";
    follow.drives = NULL;
    CHECK_OK(t, tml_model_create(&model, &err), &err);
    CHECK_OK(t, tml_model_register_constraint(model, &follow, &err), &err);
    CHECK_OK(t, tml_model_add(model, text, &err), &err);
    CHECK_OK(t, tml_model_finish(model, &err), &err);
    return model;
}

#define SHAFT(inertia, joints)                                                                     \
    "trammel: 1\n"                                                                                 \
    "bodies: {b: {mass: 1, inertia: " inertia ", position: [0.3, 0, 0]}}\n"                        \
    "joints:\n"                                                                                    \
    "  pin: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: z}\n" joints                \
    "simulate: {end: 2, output_step: 0.1}\n"

static const char locked_shaft[] =
    SHAFT("[1, 1, 1]", "  drive: {type: follow, joint: pin, function: time^3}\n"
                       "  lock: {type: fixed, bodies: [ground, b], at: [0, 0, 0]}\n");

/* Two bearings of one shaft: five redundant rows that hold. */
static const char two_bearings[] =
    SHAFT("[1, 1, 1]", "  drive: {type: follow, joint: pin, function: time^3}\n"
                       "  other: {type: revolute, bodies: [ground, b], at: [0, 0, 1], axis: z}\n");

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

static TmlStatus run(TestCtx *t, const char *text, const TmlSimOptions *o, double *reached,
                     TmlError *err)
{
    TmlModel *model = watch_model(t, text);
    TmlSim *sim = study_sim(t, model, o);
    TmlStatus status = TML_E_MODEL;
    if (sim != NULL) {
        status = tml_sim_run(sim, no_row, NULL, err);
        *reached = tml_sim_time(sim);
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return status;
}

/* (W1), (W2) in every method: t^3 has gone 1e-6 rad by 0.01 s, and its rate 1e-6 rad/s by 6e-4 s;
 * long steps find out at their end, and the first accepted ones are a thousandth of the run or
 * twice that. */
TEST(contradicted_joints_end_the_run)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlError err = {0};
        TmlSimOptions o = study_options(2.0, 0.1, NULL);
        double reached = -1.0;
        o.integrator = t->name = tml_integrator_name(k);
        CHECK(t, run(t, locked_shaft, &o, &reached, &err) == TML_E_ASSEMBLY);
        CHECK(t, reached < 0.1);
        CHECK(t, strstr(err.message, "'lock'") != NULL);
        CHECK(t, strstr(err.message, "contradicts 'drive'") != NULL ||
                     strstr(err.message, "'pin', 'drive'") != NULL);
    }
}

/* Force of both bearings on the shaft of `two_bearings`, which turns by the angle t^3: m a, and no
 * weight. Rows fall between steps. */
static TmlStatus bearing_row(void *user, const TmlSim *sim, TmlError *err)
{
    TestCtx *t = user;
    (void)err;
    const double T = tml_row_time(sim), w = 3.0 * T * T, alpha = 6.0 * T;
    const double c = 0.3 * cos(T * T * T), s = 0.3 * sin(T * T * T);
    const TmlReaction pin = tml_row_reaction(sim, 0), other = tml_row_reaction(sim, 2);
    // up to 2.7 N in the end, of which methods of order 2 at 1e-9 are off by 100 tol^(2/3) at most
    const double tol = 1e-4;
    CHECK_NEAR(t, pin.force.x + other.force.x, -w * w * c - alpha * s, tol);
    CHECK_NEAR(t, pin.force.y + other.force.y, -w * w * s + alpha * c, tol);
    return TML_OK;
}

/* The reactions of redundant joints together are what the motion needs, in every row. */
TEST(redundant_reactions_balance_the_motion)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlError err = {0};
        TmlModel *model = watch_model(t, two_bearings);
        TmlSimOptions o = study_options(1.0, 0.0217, NULL);
        o.integrator = t->name = tml_integrator_name(k);
        o.tolerance = 1e-9;
        TmlSim *sim = study_sim(t, model, &o);
        if (sim != NULL) {
            CHECK_OK(t, tml_sim_run(sim, bearing_row, t, &err), &err);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* Redundant rows that agree reach the end by every method, at a loose tolerance, too: violations of
 * theirs are those of the active rows. */
TEST(redundant_rows_that_agree_go_on)
{
    static const double tolerance[] = {1e-3, 1e-7};
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        for (int j = 0; j < 2; ++j) {
            TmlError err = {0};
            TmlSimOptions o = study_options(1.0, 0.1, NULL);
            double reached = -1.0;
            o.integrator = t->name = tml_integrator_name(k);
            o.tolerance = tolerance[j];
            CHECK_OK(t, run(t, two_bearings, &o, &reached, &err), &err);
            CHECK_NEAR(t, reached, 1.0, 0.0);
        }
    }
}

/* A spatial four-bar, three rows redundant, whose coupler pin is askew by an angle; lengths times
 * `L`. Driven: the drive comes before the pin. */
static const char four_bar[] =
    "trammel: 1\n"
    "parameters: {L: %.17g, ASKEW: %.17g}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1*L^2, 0.1*L^2, 0.1*L^2], position: [0, 0.5*L, 0]}\n"
    "  beam: {mass: 1, inertia: [0.1*L^2, 0.1*L^2, 0.1*L^2], position: [1*L, 1*L, 0]}\n"
    "  rocker: {mass: 1, inertia: [0.1*L^2, 0.1*L^2, 0.1*L^2], position: [2*L, 0.6*L, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
    "  drive: {type: follow, joint: A, function: \"step5(time, 0, 0, 1, 1)\"}\n"
    "  B: {type: revolute, bodies: [crank, beam], at: [0, 1*L, 0], axis: z}\n"
    "  D: {type: revolute, bodies: [ground, rocker], at: [2*L, 0, 0], axis: z}\n"
    "  C: {type: revolute, bodies: [beam, rocker], at: [2*L, 1.2*L, 0], axis: [0, ASKEW, 1]}\n"
    "simulate: {end: 1, output_step: 0.1}\n";

static TmlStatus run_four_bar(TestCtx *t, double length, double askew, const char *method,
                              TmlError *err)
{
    char text[2048];
    snprintf(text, sizeof text, four_bar, length, askew);
    TmlModel *model = watch_model(t, text);
    TmlSim *sim = NULL;
    TmlSimOptions o = study_options(1.0, 0.1, NULL);
    o.integrator = method;
    TmlStatus status = tml_sim_create(model, &o, &sim, err);
    status = status == TML_OK ? tml_sim_run(sim, no_row, NULL, err) : status;
    tml_sim_free(sim);
    tml_model_free(model);
    return status;
}

/* An axis askew by 0.17 locks the loop: a row is left out that the drive contradicts. One of few
 * digits, 2e-7, counts as redundant, and its misfit is no contradiction. Both whatever the unit of
 * length. */
TEST(askew_pins_are_told_from_pins_of_few_digits)
{
    static const double length[] = {1e-3, 1.0, 1e3};
    for (int k = 0; k < 3; ++k) {
        const int methods = length[k] == 1.0 ? INT_MAX : 1; // the unit is no matter of the method
        for (int j = 0; j < methods && tml_integrator_name(j) != NULL; ++j) {
            TmlError err = {0};
            t->name = tml_integrator_name(j);
            CHECK(t, run_four_bar(t, length[k], 0.17, t->name, &err) == TML_E_ASSEMBLY);
            CHECK(t, strstr(err.message, "contradicts") != NULL);
            CHECK(t, strstr(err.message, "'drive'") != NULL);
            CHECK_OK(t, run_four_bar(t, length[k], 2e-7, t->name, &err), &err);
            CHECK_OK(t, run_four_bar(t, length[k], 0.0, t->name, &err), &err);
        }
    }
}

/* The bound itself, on a row that is off by an angle of the test's own: the lock of a shaft that
 * is turned by hand. */
TEST(bound_of_a_watched_row)
{
    static const double angle[] = {0.9e-6, 1.2e-6}; // rows of the lock have the size sqrt(2), or 1
    TmlError err = {0};
    TmlModel *model = watch_model(t, locked_shaft);
    TmlSimOptions o = study_options(2.0, 0.1, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    for (int k = 0; sim != NULL && k < 2; ++k) {
        TmlState *s = &sim->it.now;
        double du[6] = {0};
        tml_system_initial(sim->sys, s);
        du[5] = angle[k];
        du[1] = 0.3 * angle[k];
        tml_system_expand(sim->sys, s->q, du, tml_system_scratch(sim->sys));
        for (int i = 0; i < tml_dims(sim->sys)->nq; ++i) {
            s->q[i] += tml_system_scratch(sim->sys)[i];
            s->v[i] = 0.0;
        }
        tml_system_retract(sim->sys, s->q);
        s->t = cbrt(angle[k]); // the drive holds
        const bool refused = tml_system_watch(sim->sys, s, &err) != TML_OK;
        CHECK(t, refused == (k == 1));
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(watch) = {
    CASE(contradicted_joints_end_the_run),
    CASE(redundant_rows_that_agree_go_on),
    CASE(redundant_reactions_balance_the_motion),
    CASE(askew_pins_are_told_from_pins_of_few_digits),
    CASE(bound_of_a_watched_row),
    {0},
};
