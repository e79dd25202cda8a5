/* tests/adams/test_adams_commands.c - command files: simulations that follow each other. */
#include "test.h"

#include "trammel/trammel.h"

#include <stdlib.h>

enum { MOST = 32, COLUMNS = 8 };

typedef struct Rows {
    int n, columns;
    double time[MOST], value[MOST][COLUMNS];
} Rows;

static TmlStatus keep_row(void *user, const TmlSim *sim, TmlError *err)
{
    Rows *rows = user;
    (void)err;
    rows->columns = tml_row_channel_count(sim);
    if (rows->n < MOST) {
        rows->time[rows->n] = tml_row_time(sim);
        for (int k = 0; k < COLUMNS && k < tml_row_channel_count(sim); ++k) {
            rows->value[rows->n][k] = tml_row_channel(sim, k);
        }
        rows->n++;
    }
    return TML_OK;
}

/* Run the simulations of a file of tests/data/commands, each from the end of the one before. */
static void run_commands(TestCtx *t, const char *name, Rows *rows)
{
    char path[1024];
    TmlError err = {0};
    TmlCommands *commands = NULL;
    TmlModel *model[MOST] = {NULL};
    TmlSim *all[MOST] = {NULL};
    TmlLoadOptions o = tml_load_options_default();
    o.user_library = TRAMMEL_BINARY_DIR "/examples/adams_user.so"; // of CONTROL
    snprintf(path, sizeof path, "%s/tests/data/commands/%s", test_source_dir(), name);
    CHECK_OK(t, tml_commands_open(path, NULL, &o, &commands, &err), &err);
    const int n = commands != NULL ? tml_commands_count(commands) : 0;
    for (int k = 0; k < n && k < MOST && err.status == TML_OK; ++k) {
        const TmlSimulation s = tml_commands_simulation(commands, k);
        const TmlSim *from = s.from >= 0 ? all[s.from] : NULL;
        const double now = from != NULL ? tml_sim_time(from) : 0.0;
        TmlSimOptions so = tml_sim_options_default();
        TmlStaticsInfo info;
        CHECK_OK(t, tml_commands_model(commands, k, &model[k], &err), &err);
        so.from = from;
        so.tolerance = 1e-9;
        so.end_time = s.kind == TML_SIMULATION_STATICS ? now + 1.0
                      : isnan(s.end)                   ? now + s.duration
                                                       : s.end;
        so.output_step = s.steps > 0 ? (so.end_time - now) / s.steps : s.output_step;
        if (model[k] == NULL || tml_sim_create(model[k], &so, &all[k], &err) != TML_OK) {
            test_fail(t, __FILE__, __LINE__, "simulation %d: %s", k, err.message);
            break;
        }
        if (s.kind == TML_SIMULATION_STATICS) {
            CHECK_OK(t, tml_sim_statics(all[k], NULL, &info, &err), &err);
            keep_row(rows, all[k], &err);
        } else {
            CHECK_OK(t, tml_sim_run(all[k], keep_row, rows, &err), &err);
        }
    }
    for (int k = 0; k < n && k < MOST; ++k) {
        tml_sim_free(all[k]);
    }
    for (int k = 0; k < n && k < MOST; ++k) {
        tml_model_free(model[k]);
    }
    tml_commands_free(commands);
}

/* 1.5 turns, then as fast without a motion and without weight, then hanging down. */
static void check_drive(TestCtx *t, const char *file)
{
    Rows rows = {0};
    static const double time[] = {0, 0.5, 1, 1.5, 1.5, 1.75, 2, 2, 2.25, 2.5, 2.5};
    run_commands(t, file, &rows);
    CHECK_INT(t, rows.n, 11);
    for (int k = 0; k < rows.n && k < 11; ++k) {
        CHECK_NEAR(t, rows.time[k], time[k], 0.0);
        // steps at 1e-9 for a second, and turns must not be lost; at rest it hangs down
        const double angle = k < 10 ? 2.0 * M_PI * time[k] : 5.5 * M_PI;
        CHECK_NEAR(t, rows.value[k][0], angle, 1e-7);
        CHECK_NEAR(t, rows.value[k][3], angle, 1e-7); // of a variable
        // m g r while the motion holds it; a motion that is not there does nothing
        const double torque = k < 4 ? 2.0 * 9.80665 * cos(angle) : 0.0;
        CHECK_NEAR(t, rows.value[k][2], torque, 1e-6);
    }
}

TEST(a_driven_pendulum_is_let_go)
{
    check_drive(t, "drive.acf");
}

/* The same commands in files that read each other. */
TEST(commands_in_other_files)
{
    check_drive(t, "parts.acf");
}

/* The second simulation goes on with the past of the first, and so does the third, which goes back
 * to where the second began: 1 - t + (t - 1)^2/2 - (t - 2)^3/6 + (t - 3)^4/24 at 3.5 s, to what
 * steps at 1e-9 add up to. */
TEST(delays_go_on_through_simulations)
{
    Rows rows = {0};
    run_commands(t, "delay.acf", &rows);
    CHECK_INT(t, rows.n, 6);
    for (int k = 0; k < 2 && rows.n == 6; ++k) {
        CHECK_NEAR(t, rows.time[2 * k + 3], 3.5, 1e-14);
        CHECK_NEAR(t, rows.value[2 * k + 2][0], -0.4 + 0.08, 1e-6);
        CHECK_NEAR(t, rows.value[2 * k + 3][0], 0.065104166666666667, 1e-6);
        CHECK_NEAR(t, rows.value[2 * k + 3][1], -0.39583333333333333, 1e-6);
    }
}

TEST(states_are_held_in_statics)
{
    // x' = 2 - x from 5 at rest is 2; held it goes on from 5. The last: x' = -x
    const double at_rest[] = {2.0, 5.0, 2.0, 5.0, 5.0};
    const double later[] = {2.0, 2.0 + 3.0 * exp(-0.5), 2.0, 2.0 + 3.0 * exp(-0.5),
                            5.0 * exp(-0.5)};
    Rows rows = {0};
    run_commands(t, "hold.acf", &rows);
    CHECK(t, rows.n >= 2);
    for (int k = 0; k < 5; ++k) {
        CHECK_NEAR(t, rows.value[0][k], at_rest[k], 1e-14);       // a linear equation: rounding
        CHECK_NEAR(t, rows.value[rows.n - 1][k], later[k], 1e-7); // 1e-9 a step of a hundred
    }
}

/* x = 2 t until the motion joins at 1 s, then with 3 m/s from there. */
static void check_slide(TestCtx *t, const char *file)
{
    Rows rows = {0};
    static const double time[] = {0, 0.5, 1, 1, 1.5, 2}, x[] = {0, 1, 2, 2, 3.5, 5};
    run_commands(t, file, &rows);
    CHECK_INT(t, rows.n, 6);
    CHECK_INT(t, rows.columns, 3 + 16); // of the inactive joint too
    for (int k = 0; k < rows.n && k < 6; ++k) {
        CHECK_NEAR(t, rows.time[k], time[k], 0.0);
        CHECK_NEAR(t, rows.value[k][0], x[k], 1e-12); // straight lines: rounding only
        CHECK_NEAR(t, rows.value[k][1], k < 3 ? 2e-3 : 3e-3, 1e-15); // m/ms
        CHECK_NEAR(t, rows.value[k][2], 0.0, 0.0);                   // of an inactive joint
    }
}

TEST(a_motion_joins_from_where_the_joint_is)
{
    check_slide(t, "slide.acf");
}

/* The dataset's name in quotes, with the separators of another system. */
TEST(names_of_files_as_people_write_them)
{
    check_slide(t, "quoted.acf");
}

/* A note tells by how much the assembly turns a body, also when that is half a turn. */
TEST(the_assembly_tells_half_a_turn)
{
    static const char text[] = "half a turn\n"
                               "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                               "PART/1, GROUND\nMARKER/1, PART=1\n"
                               "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\n"
                               "JOINT/1, REVOLUTE, I=20, J=1\nMOTION/1, JOINT=1, FUNCTION=PI\n"
                               "END\n";
    const char *path = TRAMMEL_BINARY_DIR "/test_half_turn.adm";
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL && fputs(text, file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
    TmlError err = {0};
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = o.output_step = 1.0;
    CHECK_OK(t, tml_load(path, 0, NULL, NULL, &m, &err), &err);
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &o, &sim, &err) : TML_E_MODEL, &err);
    CHECK(t, sim != NULL && tml_sim_note_count(sim) == 1 &&
                 strstr(tml_sim_note(sim, 0), "by 180 deg") != NULL);
    tml_sim_free(sim);
    tml_model_free(m);
    remove(path);
}

/* A motion by velocity becomes one by displacement, a force by a vector one by components, and axes
 * by angles, z to -y, axes by a point, z to x. */
TEST(other_kinds_take_the_place_of_old_ones)
{
    static const double z[] = {1, 4, 4, 10}, x[] = {0, 1, 1, 2}, y[] = {0, 0, 0, 0.5};
    Rows rows = {0};
    run_commands(t, "choices.acf", &rows);
    CHECK_INT(t, rows.n, 4);
    for (int k = 0; k < rows.n && k < 4; ++k) { // 1e-9 a step of ten
        CHECK_NEAR(t, rows.value[k][0], z[k], 1e-7);
        CHECK_NEAR(t, rows.value[k][1], x[k], 1e-7);
        CHECK_NEAR(t, rows.value[k][2], y[k], 1e-7);
        CHECK_NEAR(t, rows.value[k][3], k < 2 ? -y[k] : x[k], 1e-7);
    }
}

/* x = 500 a t^2 from the state at 1 s: with 3 N, back with 3 N, back to 1 N. */
TEST(states_are_saved_and_reloaded)
{
    static const double time[] = {0, 1, 1, 2, 1, 1.5, 1, 1.5};
    static const double x[] = {0, 500, 500, 3000, 500, 1375, 500, 1125};
    static const double v[] = {0, 1000, 1000, 4000, 1000, 2500, 1000, 1500};
    Rows rows = {0};
    run_commands(t, "reload.acf", &rows);
    CHECK_INT(t, rows.n, 8);
    for (int k = 0; k < rows.n && k < 8; ++k) {
        CHECK_NEAR(t, rows.time[k], time[k], 0.0);
        CHECK_NEAR(t, rows.value[k][0], x[k], 1e-4); // 1e-9 m a step of ten, in mm
        CHECK_NEAR(t, rows.value[k][1], v[k], 1e-4);
    }
}

/* Two simulations and a change between them, by a routine. */
TEST(a_routine_runs_simulations)
{
    static const double time[] = {0, 1, 1, 2}, x[] = {0, 500, 500, 3000};
    Rows rows = {0};
    run_commands(t, "control.acf", &rows);
    CHECK_INT(t, rows.n, 4);
    for (int k = 0; k < rows.n && k < 4; ++k) {
        CHECK_NEAR(t, rows.time[k], time[k], 0.0);
        CHECK_NEAR(t, rows.value[k][0], x[k], 1e-4); // 1e-9 m a step of ten, in mm
    }
}

/* library: NULL, none. */
static void check_error_with(TestCtx *t, const char *library, const char *text, const char *want)
{
    char path[1024];
    TmlError err = {0};
    TmlCommands *commands = NULL;
    TmlModel *m = NULL;
    TmlLoadOptions o = tml_load_options_default();
    o.user_library = library;
    snprintf(path, sizeof path, "%s/test_commands.acf", TRAMMEL_BINARY_DIR);
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL && fputs(text, file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
    char dataset[1024];
    snprintf(dataset, sizeof dataset, "%s/tests/data/commands/slide.adm", test_source_dir());
    TmlStatus status = tml_commands_open(path, dataset, &o, &commands, &err);
    status = status == TML_OK ? tml_commands_model(commands, 0, &m, &err) : status;
    CHECK_INT(t, status, TML_E_MODEL);
    t->checks++;
    if (strstr(err.message, want) == NULL) {
        test_fail(t, __FILE__, __LINE__, "'%s' is not in '%s'", want, err.message);
    }
    tml_model_free(m);
    tml_commands_free(commands);
    remove(path);
}

static void check_error(TestCtx *t, const char *text, const char *want)
{
    check_error_with(t, NULL, text, want);
}

TEST(what_a_routine_cannot_do)
{
    static const char bad[] = TRAMMEL_BINARY_DIR "/tests/adams_bad_routines.so";
    check_error(t, "\nCONTROL/FUNCTION=USER(1)\n",
                ".acf:2:1: CONTROL: needs the user-written routine CONSUB: name its library");
    check_error_with(t, bad, "\nCONTROL/FUNCTION=1\n",
                     "CONTROL: expected FUNCTION = USER(numbers)");
    check_error_with(
        t, bad, "\nCONTROL/FUNCTION=USER(1,2)\n",
        "CONTROL: CONSUB ends the run: Consub asks for DX: values of the model are not "
        "known to it yet");
    check_error_with(t, bad, "\nCONTROL/FUNCTION=USER()\\ROUTINE=b::Loads\n",
                     "CONTROL: Loads ends the run: ANALYS: 'MODAL' is not supported yet");
    check_error_with(t, bad, "\nCONTROL/FUNCTION=USER()\\ROUTINE=b::None\n",
                     "CONTROL: the routine None is not in '");
}

TEST(mistakes_have_places)
{
    const char *other = TRAMMEL_BINARY_DIR "/test_title.acf"; // no commands in its first line
    FILE *file = fopen(other, "w");
    CHECK(t, file != NULL && fputs("a title\nSTOP\n", file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
    static const char *const cases[][2] = {
        {"\nSIM/DYN, END=1\nFROBNICATE/3\n", ".acf:3:1: unknown command 'FROBNICATE'"},
        {"\nSIM/DYN\n", ".acf:2:1: SIMULATE: END or DURATION is missing"},
        {"\nSIM/DYN, END=1, DUR=2\n", ".acf:2:1: SIMULATE: END and DURATION exclude each other"},
        {"\nSIM/DYN, END=1, STEPS=2, DTOUT=1\n", "STEPS and DTOUT exclude each other"},
        {"\nSIM/DYN, END=-1\n", ".acf:2:14: SIMULATE: END must be a positive number, not '-1'"},
        {"\nSIM/DYN, END=1, BLAH=3\n", ".acf:2:17: "},
        {"\nSTOP\n", "no SIMULATE"},
        {"\nRELOAD/FILE=a\nSIM/DYN, END=1\n",
         ".acf:2:1: RELOAD: expected STATES with BUFFER, or SYSTEM with FILE"},
        {"\nSAVE/STATES, BUFFER=b\nRELOAD/SYSTEM, FILE=b\nSIM/DYN, END=1\n",
         ".acf:3:1: RELOAD: there is no SAVE of 'b' before it"},
        {"\nDEACTIVATE/JOINT, ID=99\nSIM/DYN, END=1\n",
         ".acf:2:22: DEACTIVATE: there is no JOINT/99"},
        {"\nDEACTIVATE/JOINT, RANGE=5\nSIM/DYN, END=1\n", "RANGE needs two numbers"},
        {"\nDEACTIVATE/PART, ID=2\nSIM/DYN, END=1\n", "needs the kind of an element"},
        {"\nDEACTIVATE/JOINT\nSIM/DYN, END=1\n", "needs ID or RANGE"},
        {"\nVARIABLE/77, FUNCTION=1\nSIM/DYN, END=1\n",
         ".acf:2:1: VARIABLE/77: the dataset has no"},
        {"\nMOTION/1, FUNCTION=BLAH(1)\nSIM/DYN, END=1\n", ".acf:2:20: MOTION/1: function BLAH"},
        {"\nTIRE/1, K=3\nSIM/DYN, END=1\n", ".acf:2:1: TIRE: not supported yet"},
        {"\nSIM/DYN, END=1\nVARIABLE/77, FUNCTION=1\nSIM/DYN, END=2\n", // before anything is run
         ".acf:3:1: VARIABLE/77: the dataset has no"},
        {"\nREAD/FILE=nowhere\nSIM/DYN, END=1\n", "test_commands.acf:2:11: cannot read '"},
        {"\nREAD/FILE=test_commands\nSIM/DYN, END=1\n", ".acf:2:11: files of commands read each"},
        {"\nREAD/FILE=test_title\nSIM/DYN, END=1\n",
         "test_title.acf:1:1: expected a command, got '"},
        {"\nSIMULTE/DYN, END=1\n", ".acf:2:1: unknown command 'SIMULTE'"},
        {"!\nthere is nothing here\nSIM/DYN, END=1\n", ".acf:2:1: expected a statement"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        check_error(t, cases[k][0], cases[k][1]);
    }
    remove(other);
}

TEST_SUITE(adams_commands) = {CASE(a_driven_pendulum_is_let_go),
                              CASE(commands_in_other_files),
                              CASE(delays_go_on_through_simulations),
                              CASE(states_are_held_in_statics),
                              CASE(a_motion_joins_from_where_the_joint_is),
                              CASE(names_of_files_as_people_write_them),
                              CASE(other_kinds_take_the_place_of_old_ones),
                              CASE(states_are_saved_and_reloaded),
                              CASE(the_assembly_tells_half_a_turn),
                              CASE(a_routine_runs_simulations),
                              CASE(what_a_routine_cannot_do),
                              CASE(mistakes_have_places),
                              {0}};
