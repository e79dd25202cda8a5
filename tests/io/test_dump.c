/* tests/io/test_dump.c - a dump holds all that a run needs: one that goes on from it is the run
 * that was not interrupted, in every method, and a failure comes back.
 */
#include "test.h"

#include "trammel/trammel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that remembers: turns of an angle, a state, a delay, an event that has happened, friction. */
static const char remembers[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {torque: 1}\n"
    "bodies:\n"
    "  rotor: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 9]}\n"
    "  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, -0.1, 0]}\n"
    "joints:\n"
    "  axle: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}\n"
    "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}\n"
    "states:\n"
    "  lag: {rate: '4*(angle(axle) - lag)', initial: 0}\n"
    "  count: {rate: 0, initial: 1}\n"
    "delays: {late: {value: lag, time: 0.15}}\n"
    "events: {once: {when: time, value: 0.3, error: 1e-9, set: {count: 5}}}\n"
    "forces:\n"
    "  drive: {type: rotational_spring, joint: axle, expression: 'torque - 0.1*delay(late)'}\n"
    "  damper: {type: rotational_spring, joint: pin, damping: 0.3}\n"
    "outputs: {axle: angle(axle), pin: angle(pin), lag: lag, late: delay(late), count: count,\n"
    "          torque: torque}\n";

static const char flexible[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "flexible: {rod: {type: beam2d, line: [[0, 0, 0], [0.4, 0, 0]], elements: 2,\n"
    "                 material: {E: 1e7, nu: 0.3, density: 1000},\n"
    "                 section: {height: 0.04, width: 0.04}, start: {pin: ground}}}\n"
    "outputs: {x: DX(rod.end), y: DY(rod.end)}\n";

static char *temporary(char *path, size_t size)
{
    snprintf(path, size, "/tmp/trammel-dump-%ld.json", (long)getpid());
    return path;
}

static TmlModel *model_of(TestCtx *t, const char *text)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    if (text[0] == '/') {
        CHECK_OK(t, tml_load(text, 0, NULL, NULL, &model, &err), &err);
    } else {
        CHECK_OK(t, tml_load_text(text, "dumped.yaml", 0, NULL, NULL, &model, &err), &err);
    }
    return model;
}

enum { MAX_CHANNELS = 8, STATE_MAX = 1 << 20 };

static TmlStatus last_row(void *user, const TmlSim *sim, TmlError *err)
{
    double *x = user;
    (void)err;
    for (int k = 0; k < tml_row_channel_count(sim) && k < MAX_CHANNELS; ++k) {
        x[k] = tml_row_channel(sim, k);
    }
    return TML_OK;
}

/* The last row of a run in one piece, and of one that a dump interrupts after the middle. */
static void check_goes_on(TestCtx *t, const char *text, const char *method, double tol, double end,
                          double near)
{
    char path[128];
    double whole[MAX_CHANNELS] = {0}, parts[MAX_CHANNELS] = {0};
    TmlError err = {0};
    TmlModel *model = model_of(t, text), *again = NULL;
    TmlSim *sim = NULL, *first = NULL, *second = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = method;
    o.tolerance = tol;
    o.end_time = o.output_step = end;
    CHECK_OK(t, tml_sim_create(model, &o, &sim, &err), &err);
    CHECK_OK(t, tml_sim_create(model, &o, &first, &err), &err);
    CHECK_OK(t, tml_sim_run(sim, last_row, whole, &err), &err);
    while (err.status == TML_OK && tml_sim_time(first) < 0.55 * end) {
        CHECK_OK(t, tml_sim_step(first, &err), &err);
    }
    CHECK_OK(t, tml_dump_write(temporary(path, sizeof path), first, NULL, "why", &err), &err);
    CHECK(t, tml_is_dump(path));
    CHECK_OK(t, tml_dump_open(path, NULL, &again, &second, &err), &err);
    if (second != NULL) {
        CHECK_NEAR(t, tml_sim_time(second), tml_sim_time(first), 0.0);
        CHECK_STR(t, tml_sim_integrator(second), tml_sim_integrator(first));
        CHECK_NEAR(t, tml_sim_tolerance(second), tml_sim_tolerance(first), 0.0);
        CHECK_OK(t, tml_sim_run(second, last_row, parts, &err), &err);
        for (int k = 0; k < MAX_CHANNELS; ++k) {
            CHECK_NEAR(t, parts[k], whole[k], near);
        }
    }
    tml_sim_free(second);
    tml_model_free(again);
    tml_sim_free(first);
    tml_sim_free(sim);
    tml_model_free(model);
    unlink(path);
}

/* Methods that start afresh take other steps: the two runs differ by their errors, at most some
 * hundred times the tolerance of values up to 10. */
TEST(a_run_goes_on_from_a_dump)
{
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        check_goes_on(t, remembers, t->name, 1e-7, 1.0, 1e-4);
    }
    t->name = "flexible";
    check_goes_on(t, flexible, "radau", 1e-6, 0.3, 1e-3);
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/data/adams/variables_switch.adm", test_source_dir());
    t->name = "dataset";
    check_goes_on(t, path, "radau", 1e-8, 0.35, 1e-5);
}

/* The text of a dump from its state on; the caller frees it. */
static char *state_of(TestCtx *t, const TmlSim *sim)
{
    char path[128];
    char *text = calloc(1, STATE_MAX);
    TmlError err = {0};
    CHECK_OK(t, tml_dump_write(temporary(path, sizeof path), sim, NULL, "why", &err), &err);
    FILE *file = fopen(path, "r");
    const size_t n = file != NULL && text != NULL ? fread(text, 1, STATE_MAX - 1, file) : 0;
    const char *state = n > 0 ? strstr(text, "\"state\"") : NULL;
    CHECK(t, state != NULL);
    if (file != NULL) {
        fclose(file);
    }
    if (state != NULL) {
        memmove(text, state, strlen(state) + 1);
    }
    return text;
}

/* Nothing of the state is lost: a run that was put there would write the same dump, with the past
 * of delays whose early steps are forgotten, and of those whose length changes, and the sizes of
 * states, of which one is rounding. */
TEST(a_dump_of_a_restored_run_is_the_same)
{
    static const char model_text[] =
        "trammel: 1\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 9]}}\n"
        "joints: {axle: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
        "states:\n"
        "  lag: {rate: '4*(angle(axle) - lag)', initial: 0}\n"
        "  nought: {rate: '30*(AZ(rotor, rotor) - nought)', initial: 0}\n" // follows rounding
        "delays:\n"
        "  late: {value: lag, time: 0.15}\n"
        "  varying: {value: lag, time: '0.1 + 0.05*sin(7*time)'}\n"
        "forces: {drive: {type: rotational_spring, joint: axle,\n"
        "                 expression: '1 - delay(late) + delay(varying)'}}\n"
        "outputs: {lag: lag}\n";
    char path[128];
    TmlError err = {0};
    TmlModel *model = model_of(t, model_text), *again = NULL;
    TmlSim *first = NULL, *second = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "hht";
    o.tolerance = 1e-6;
    o.end_time = o.output_step = 1.0;
    CHECK_OK(t, tml_sim_create(model, &o, &first, &err), &err);
    while (err.status == TML_OK && tml_sim_time(first) < 0.6) {
        CHECK_OK(t, tml_sim_step(first, &err), &err);
    }
    char *before = state_of(t, first);
    CHECK_OK(t, tml_dump_write(temporary(path, sizeof path), first, NULL, "why", &err), &err);
    CHECK_OK(t, tml_dump_open(path, NULL, &again, &second, &err), &err);
    if (second != NULL) {
        char *after = state_of(t, second);
        CHECK_STR(t, after, before);
        free(after);
    }
    free(before);
    tml_sim_free(second);
    tml_model_free(again);
    tml_sim_free(first);
    tml_model_free(model);
    unlink(path);
}

/* Parameters and options come with it; what the caller gives counts. */
TEST(options_come_with_a_dump)
{
    char path[128];
    static const char *const name[] = {"torque"};
    static const double value[] = {2.5};
    TmlError err = {0};
    TmlModel *model = NULL, *again = NULL;
    TmlSim *sim = NULL, *next = NULL;
    TmlSimOptions o = tml_sim_options_default();
    const char *key = "alpha", *alpha = "-0.2";
    TmlLoadOptions load = tml_load_options_default();
    load.n = 1;
    load.names = name;
    load.values = value;
    CHECK_OK(t, tml_load_text(remembers, "dumped.yaml", 1, name, value, &model, &err), &err);
    o.integrator = "hht";
    o.n_options = 1;
    o.option_key = &key;
    o.option_value = &alpha;
    o.end_time = 1.0;
    o.output_step = 0.1;
    CHECK_OK(t, tml_sim_create(model, &o, &sim, &err), &err);
    CHECK_OK(t, tml_sim_step(sim, &err), &err);
    CHECK_OK(t, tml_dump_write(temporary(path, sizeof path), sim, &load, NULL, &err), &err);
    CHECK_OK(t, tml_dump_open(path, NULL, &again, &next, &err), &err);
    const char *k = "", *v = "";
    CHECK(t, next != NULL && tml_sim_option(next, 0, &k, &v));
    CHECK_STR(t, k, "alpha");
    CHECK_STR(t, v, "-0.2");
    CHECK_NEAR(t, tml_sim_end_time(next), 1.0, 0.0);
    CHECK_NEAR(t, tml_sim_output_step(next), 0.1, 0.0);
    double row[MAX_CHANNELS] = {0};
    CHECK_OK(t, tml_sim_run(next, last_row, row, &err), &err);
    CHECK_NEAR(t, row[5], 2.5, 0.0);
    tml_sim_free(next);
    tml_model_free(again);
    TmlSimOptions other = tml_sim_options_default();
    other.integrator = "radau";
    other.end_time = 2.0;
    CHECK_OK(t, tml_dump_open(path, &other, &again, &next, &err), &err);
    CHECK_STR(t, next != NULL ? tml_sim_integrator(next) : "", "radau");
    CHECK_NEAR(t, next != NULL ? tml_sim_end_time(next) : 0.0, 2.0, 0.0);
    tml_sim_free(next);
    tml_model_free(again);
    tml_sim_free(sim);
    tml_model_free(model);
    unlink(path);
}

/* Texts of a dump, changed: what is told. */
static void check_damaged(TestCtx *t, const char *path, const char *text, const char *old,
                          const char *new, const char *told)
{
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    const char *at = strstr(text, old);
    FILE *file = fopen(path, "w");
    CHECK(t, at != NULL && file != NULL);
    if (at != NULL && file != NULL) {
        fprintf(file, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
        fclose(file);
        CHECK(t, tml_dump_open(path, NULL, &model, &sim, &err) != TML_OK);
        CHECK_HAS(t, err.message, told);
        CHECK(t, model == NULL && sim == NULL);
    }
}

TEST(a_damaged_dump_is_refused)
{
    static char text[65536];
    char path[128];
    TmlError err = {0};
    TmlModel *model = model_of(t, remembers);
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1.0;
    CHECK_OK(t, tml_sim_create(model, &o, &sim, &err), &err);
    CHECK_OK(t, tml_sim_step(sim, &err), &err);
    CHECK_OK(t, tml_dump_write(temporary(path, sizeof path), sim, NULL, NULL, &err), &err);
    FILE *file = fopen(path, "r");
    CHECK(t, file != NULL);
    text[file != NULL ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    check_damaged(t, path, text, "\"trammel_dump\": 1", "\"trammel_dump\": 7", "version 7");
    check_damaged(t, path, text, "\"q\": [", "\"q\": [1, ", "damaged: state");
    check_damaged(t, path, text, "\"X\": [", "\"X\": [null, ", "damaged: X");
    check_damaged(t, path, text, "\"memory\": [", "\"memory\": [1, ", "values of memory");
    check_damaged(t, path, text, "\"pieces\": [", "\"pieces\": [[1, 2, 3, 4],", "damaged: pieces");
    check_damaged(t, path, text, "count: {rate: 0, initial: 1}\\n", "", "count");
    CHECK(t, !tml_is_dump("/nowhere/dump.json"));
    tml_sim_free(sim);
    tml_model_free(model);
    unlink(path);
}

TEST_SUITE(io_dump) = {CASE(a_run_goes_on_from_a_dump),
                       CASE(a_dump_of_a_restored_run_is_the_same),
                       CASE(options_come_with_a_dump),
                       CASE(a_damaged_dump_is_refused),
                       {0}};
