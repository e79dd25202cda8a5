/* tests/analysis/test_events.c - runs that end, and states that change, at an event. */
#include "study.h"

#include "trammel/io.h"

#include <stdio.h>

static const char head[] =
    "trammel: 1\n"
    "gravity: [0, 0, -10]\n"
    "bodies:\n"
    "  ball: {type: point, mass: 1, position: [0, 0, 5], velocity: [2, 0, 0]}\n"
    "  wheel: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 2]}\n"
    "joints: {axle: {type: revolute, frames: [ground, wheel]}}\n";

typedef struct Rows {
    int n;
    double last, between; // the last one that is no whole quarter of a second
} Rows;

static TmlStatus count_row(void *user, const TmlSim *sim, TmlError *err)
{
    Rows *rows = user;
    (void)err;
    rows->n++;
    rows->last = tml_row_time(sim);
    rows->between = fabs(remainder(rows->last, 0.25)) > 1e-6 ? rows->last : rows->between;
    return TML_OK;
}

/* Run a text to its end; the sim at its last row. */
static TmlSim *run(TestCtx *t, const char *text, const char *integrator, TmlModel **m, Rows *rows)
{
    char whole[2048];
    TmlSim *sim = NULL;
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    snprintf(whole, sizeof whole, "%s%s", head, text);
    *rows = (Rows){0};
    CHECK_OK(t, tml_load_text(whole, "text", 0, NULL, NULL, m, &err), &err);
    o.end_time = 3.0;
    o.output_step = 0.25;
    o.integrator = integrator;
    if (*m != NULL) {
        CHECK_OK(t, tml_sim_create(*m, &o, &sim, &err), &err);
    }
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, count_row, rows, &err), &err);
    }
    return sim;
}

static double channel(const TmlSim *sim, const char *name)
{
    const int k = sim != NULL ? tml_sim_channel_find(sim, name) : -1;
    return k >= 0 ? tml_row_channel(sim, k) : (double)NAN;
}

/* The ball is at the ground after a second, and at 3.75 m after half of one. */
TEST(every_method_ends_at_the_event)
{
    static const char text[] =
        "states: {high: {rate: 0}}\n"
        "events:\n"
        "  ground: {when: DZ(ball), value: 0, error: 1e-8, stop: true}\n"
        "  half: {when: DZ(ball), condition: below, value: 3.75, error: 1e-8, set: {high: time}}\n"
        "outputs: {x: DX(ball), z: DZ(ball), high: high}\n";
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlModel *m = NULL;
        Rows rows;
        t->name = tml_integrator_name(k);
        TmlSim *sim = run(t, text, t->name, &m, &rows);
        // 1e-8 m at 10 m/s, and the error of the method at its default tolerance
        CHECK_NEAR(t, channel(sim, "z"), 0.0, 2e-8);
        CHECK_NEAR(t, channel(sim, "x"), 2.0, 1e-4);
        CHECK_NEAR(t, channel(sim, "high"), 0.5, 1e-4);
        CHECK_NEAR(t, rows.last, 1.0, 1e-4);
        CHECK(t, sim != NULL && tml_sim_end_time(sim) == rows.last);
        tml_sim_free(sim);
        tml_model_free(m);
    }
}

/* Two rows of a quarter second, then four of an eighth until the ball is down. */
TEST(rows_change_their_distance)
{
    TmlModel *m = NULL;
    Rows rows;
    TmlSim *sim = run(t,
                      "events:\n"
                      "  more: {when: time, condition: above, value: 0.5, error: 1e-9,"
                      " output_step: 0.125, step: 1e-4}\n"
                      "  ground: {when: DZ(ball), error: 1e-9, stop: true}\n",
                      "radau", &m, &rows);
    CHECK(t, rows.n >= 7 && rows.n <= 8); // the last two may be one
    // the error of the event, 1e-9 m at 10 m/s; radau follows a parabola to rounding
    CHECK_NEAR(t, rows.last, 1.0, 2e-10);
    tml_sim_free(sim);
    tml_model_free(m);
}

/* Rows at 0, 0.25, .., 3, one where the ball is at 4.8 m, and none twice. */
TEST(an_event_may_write_a_row)
{
    TmlModel *m = NULL;
    Rows rows;
    TmlSim *sim =
        run(t,
            "events:\n"
            "  there: {when: DZ(ball), value: 4.8, error: 1e-9, row: true}\n"
            "  again: {when: time, condition: above, value: 1, error: 1e-13, row: true}\n",
            "radau", &m, &rows);
    CHECK_INT(t, rows.n, 14);
    CHECK_NEAR(t, rows.between, 0.2, 1e-9); // error of the event: 1e-9 m at 2 m/s
    CHECK_NEAR(t, rows.last, 3.0, 0.0);
    tml_sim_free(sim);
    tml_model_free(m);
}

/* An angle passes its value once a turn: the first time after 90 degrees at 2 rad/s. */
TEST(angles_and_states)
{
    TmlModel *m = NULL;
    Rows rows;
    TmlSim *sim =
        run(t,
            "states: {turns: {rate: 0}}\n"
            "events:\n"
            "  quarter: {when: angle(axle), value: 90 deg, angle: true, set: {turns: turns + 1}}\n"
            "  start: {when: DX(ball), value: 0, stop: true}\n" // true at the start: does not count
            "outputs: {turns: turns}\n",
            "hht", &m, &rows);
    CHECK_NEAR(t, channel(sim, "turns"), 1.0, 0.0); // 6 rad in 3 s: the second quarter is at 7.9
    CHECK_NEAR(t, rows.last, 3.0, 0.0);
    tml_sim_free(sim);
    tml_model_free(m);
}

/* A clock of 0.28 s from the start on adds two numbers: 11 times up to 3 s. All values that it sets
 * are those before; what hangs on a state has its new value for an event behind it. */
TEST(clocks_tick_silently)
{
    TmlModel *m = NULL;
    Rows rows;
    TmlSim *sim = run(t,
                      "states: {a: {rate: 0}, b: {rate: 0, initial: 1}, next: {rate: 0}, "
                      "seen: {rate: 0}}\n"
                      "variables: {twice: 2*a}\n"
                      "events:\n"
                      "  tick: {when: time - next, condition: above, error: 1e-9, at_start: true, "
                      "silent: true, set: {a: b, b: a + b, next: next + 0.28}}\n"
                      "  see: {when: a - 20, condition: above, set: {seen: twice}}\n"
                      "outputs: {a: a, b: b, seen: seen}\n",
                      "hht", &m, &rows);
    CHECK_NEAR(t, channel(sim, "a"), 89.0, 0.0);
    CHECK_NEAR(t, channel(sim, "b"), 144.0, 0.0);
    CHECK_NEAR(t, channel(sim, "seen"), 42.0, 0.0); // 13 before, 21 at the tick
    int told = 0;
    for (int k = 0; sim != NULL && tml_sim_note(sim, k) != NULL; ++k) {
        CHECK(t, strstr(tml_sim_note(sim, k), "tick") == NULL);
        told += strstr(tml_sim_note(sim, k), "event 'see'") != NULL;
    }
    CHECK_INT(t, told, 1);
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST(values_that_are_none_end_the_run)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    char text[1024];
    TmlSimOptions o = tml_sim_options_default();
    snprintf(text, sizeof text,
             "%sstates: {a: {rate: 0}}\n"
             "events: {e: {when: time, value: 1, set: {a: log(a)}}}\n",
             head);
    CHECK_OK(t, tml_load_text(text, "text", 0, NULL, NULL, &m, &err), &err);
    o.end_time = o.output_step = 3.0;
    CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
    if (sim != NULL) {
        Rows rows = {0};
        CHECK_INT(t, tml_sim_run(sim, count_row, &rows, &err), TML_E_NONFINITE);
        CHECK_HAS(t, err.message, "the new value of state 'a' is not finite");
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST(errors_of_events_are_told)
{
    static const struct {
        const char *entry, *message;
    } wrong[] = {{"{stop: true}", "missing key 'when'"},
                 {"{when: time, set: {nobody: 1}}", "unknown state 'nobody'"},
                 {"{when: time, condition: over}", "condition"},
                 {"{when: time, error: 0}", "error"},
                 {"{when: DX(nobody)}", "nobody"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char text[1024];
        TmlModel *m = NULL;
        TmlError err = {0};
        t->name = wrong[k].entry;
        snprintf(text, sizeof text, "%sevents: {e: %s}\n", head, wrong[k].entry);
        CHECK_INT(t, tml_load_text(text, "text", 0, NULL, NULL, &m, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, wrong[k].message);
        tml_model_free(m);
    }
}

/* Errors below the rounding of the value: the landing ends there, once at each onset, with a
 * bounded number of tries. The ball bounces on a floor at 1 m: in 3 s some ten times. Every landing
 * is a try of its own that is in no count but that of residuals. */
TEST(errors_below_rounding_are_bounded)
{
    static const char text[] =
        "variables: {d: {value: \"max(0, 1 - DZ(ball))\"}}\n"
        "forces: {floor: {type: force, body: ball, fz: \"max(0, 1e6*d^1.5*(1 - 0.3*VZ(ball)))\"}}\n"
        "states: {n: {rate: 0}}\n"
        "events: {onset: {when: DZ(ball), value: 1, error: 1e-18, restart: true, set: {n: n + "
        "1}}}\n"
        "outputs: {n: n, z: DZ(ball)}\n";
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlModel *m = NULL;
        Rows rows;
        t->name = tml_integrator_name(k);
        TmlSim *sim = run(t, text, t->name, &m, &rows);
        // from 4 m: down at 0.89 s with 8.9 m/s, up again with 0.36 of that: the next at 1.5 s
        CHECK(t, channel(sim, "n") >= 6.0 && channel(sim, "n") <= 40.0);
        CHECK(t, channel(sim, "n") == floor(channel(sim, "n")));
        tml_sim_free(sim);
        tml_model_free(m);
    }
    t->name = NULL;
}

/* An expression that jumps over the value has no place where it is near: the step ends behind. */
TEST(a_jump_over_the_value_is_an_event)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlModel *m = NULL;
        Rows rows;
        t->name = tml_integrator_name(k);
        TmlSim *sim = run(t,
                          "events: {low: {when: \"if(DZ(ball) - 3.75: -1, 0, 1)\", error: 1e-6, "
                          "stop: true}}\n"
                          "outputs: {z: DZ(ball)}\n",
                          t->name, &m, &rows);
        CHECK_NEAR(t, rows.last, 0.5, 1e-4); // the error of the method
        CHECK_NEAR(t, channel(sim, "z"), 3.75, 1e-8);
        CHECK(t, channel(sim, "z") <= 3.75);
        tml_sim_free(sim);
        tml_model_free(m);
    }
    t->name = NULL;
}

/* Two events within one step: the earlier first, which the later one sees. Two at one time: one
 * landing, both happen. Long steps: the ball falls freely, which radau follows in a few. */
TEST(events_of_one_step_happen_in_order)
{
    TmlModel *m = NULL;
    Rows rows;
    TmlSim *sim = run(t,
                      "states: {a: {rate: 0}, b: {rate: 0}, c: {rate: 0}, d: {rate: 0}}\n"
                      "events:\n"
                      "  late: {when: time, value: 0.5001, error: 1e-9, set: {b: a + 1}}\n"
                      "  early: {when: time, value: 0.5, error: 1e-9, set: {a: 10}}\n"
                      "  one: {when: time, value: 0.7, error: 1e-14, set: {c: 1}}\n"
                      "  other: {when: 10*time - 7, error: 1e-14, set: {d: 1}}\n"
                      "outputs: {b: b, c: c, d: d}\n",
                      "radau", &m, &rows);
    CHECK_NEAR(t, channel(sim, "b"), 11.0, 0.0);
    CHECK_NEAR(t, channel(sim, "c") + channel(sim, "d"), 2.0, 0.0);
    CHECK(t, sim != NULL && tml_sim_stats(sim).steps < 100);
    tml_sim_free(sim);
    tml_model_free(m);
}

static bool stop_at_once(void *user, const TmlProgress *p)
{
    (void)p;
    return ++*(int *)user < 5;
}

/* Between the tries of a step a cancellation is heard: a landing on a
 * jump needs many tries. The run would hear of it after its first step at the earliest. */
TEST(cancelling_is_heard_within_a_step)
{
    static const char *const text[] = {
        "trammel: 1\nbodies: {p: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
        "events: {e: {when: \"if(DX(p) - 0.0003: -1, 0, 1)\", error: 1e-6}}\n",
    };
    for (int k = 0; k < 1; ++k) {
        TmlModel *m = NULL;
        TmlSim *sim = NULL;
        TmlError err = {0};
        TmlSimOptions o = tml_sim_options_default();
        int asked = 0;
        CHECK_OK(t, tml_load_text(text[k], "text", 0, NULL, NULL, &m, &err), &err);
        o.end_time = 1.0;
        o.integrator = "radau";
        o.hooks.progress = stop_at_once;
        o.hooks.user = &asked;
        CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
        CHECK_INT(t, tml_sim_run(sim, NULL, NULL, &err), TML_E_CANCELLED);
        CHECK(t, tml_sim_time(sim) < 0.0003); // the step with the landing was not taken
        tml_sim_free(sim);
        tml_model_free(m);
    }
}

/* A run in two pieces is as one: what has happened in the first does not happen again in the second, be it an event of
 * the start, of a time or of a place. */
TEST(a_run_that_goes_on_has_its_events_behind_it)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {b: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
        "states: {x: {rate: '-x', initial: 1}, y: {rate: 1, initial: 0}}\n"
        "events:\n"
        "  late: {when: time, condition: above, value: 0.2, error: 1e-6, set: {x: 0.5*x}}\n"
        "  far: {when: DX(b), condition: above, value: 0.1, error: 1e-9, set: {y: y + 1}}\n"
        "  next: {when: DX(b), condition: above, value: 0.35, error: 1e-9, set: {y: y + 2}}\n"
        "outputs: {x: x, y: y}\n";
    TmlModel *model = study_model(t, text);
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        TmlSimOptions o = study_options(0.25, 0.25, NULL);
        TmlError err = {0};
        t->name = o.integrator = tml_integrator_name(k);
        o.tolerance = 1e-6;
        TmlSim *first = study_sim(t, model, &o);
        CHECK_OK(t, tml_sim_run(first, NULL, NULL, &err), &err);
        o.from = first;
        o.end_time = 0.4;
        TmlSim *second = study_sim(t, model, &o);
        CHECK_OK(t, tml_sim_run(second, NULL, NULL, &err), &err);
        // errors of 1e-6 a step in some hundred steps; halved twice x would be half of it
        CHECK_NEAR(t, second->it.now.X[0], 0.5 * exp(-0.4), 1e-4);
        CHECK_NEAR(t, second->it.now.X[1], 0.4 + 1.0 + 2.0, 1e-4);
        tml_sim_free(second);
        tml_sim_free(first);
    }
    t->name = NULL;
    tml_model_free(model);
}

TEST_SUITE(events) = {CASE(a_run_that_goes_on_has_its_events_behind_it),
                      CASE(every_method_ends_at_the_event),
                      CASE(rows_change_their_distance),
                      CASE(an_event_may_write_a_row),
                      CASE(angles_and_states),
                      CASE(clocks_tick_silently),
                      CASE(values_that_are_none_end_the_run),
                      CASE(errors_of_events_are_told),
                      CASE(errors_below_rounding_are_bounded),
                      CASE(a_jump_over_the_value_is_an_event),
                      CASE(events_of_one_step_happen_in_order),
                      CASE(cancelling_is_heard_within_a_step),
                      {0}};
