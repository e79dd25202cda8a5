/* tests/adams/test_adams_user.c - user-written routines: examples/adams, whose results are known.
 */
#include "test.h"

#include "trammel/trammel.h"

static TmlLoadOptions with_library(void)
{
    TmlLoadOptions o = tml_load_options_default();
    o.user_library = TRAMMEL_BINARY_DIR "/examples/adams_user.so";
    return o;
}

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

static double channel(TestCtx *t, const TmlSim *sim, const char *name)
{
    const int k = tml_sim_channel_find(sim, name);
    CHECK(t, k >= 0);
    return k >= 0 ? tml_row_channel(sim, k) : (double)NAN;
}

typedef struct Want {
    const char *name;
    double value;
} Want;

/* A dataset of examples/adams with its library; integrator NULL: the chosen one. */
static void check_columns(TestCtx *t, const char *dataset, const char *integrator, double end,
                          double tolerance, int n, const Want *want)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    const TmlLoadOptions o = with_library();
    char path[1024], name[128];
    snprintf(path, sizeof path, "%s/examples/adams/%s.adm", test_source_dir(), dataset);
    CHECK_OK(t, tml_load_with(path, &o, &m, &err), &err);
    TmlSimOptions so = tml_sim_options_default();
    so.end_time = so.output_step = end;
    so.integrator = integrator;
    so.tolerance = 1e-8;
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &so, &sim, &err) : TML_E_MODEL, &err);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, no_row, NULL, &err), &err);
        for (int k = 0; k < n; ++k) {
            snprintf(name, sizeof name, "%s %s %s", dataset, integrator, want[k].name);
            t->name = name;
            CHECK_NEAR(t, channel(t, sim, want[k].name), want[k].value, tolerance);
        }
    }
    CHECK(t, m != NULL && tml_model_message(m, 0) == NULL);
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST(routines_do_what_they_say)
{
    // closed forms at 1 s: see the comments of the dataset; the spring oscillates about its free
    // length and the weight over the stiffness
    const double rest = 500.0 - 98.0665;
    const Want want[] = {{"1.F2", rest + (450.0 - rest) * cos(10.0)},
                         {"1.F3", 100.0 * cos(10.0)},
                         {"1.F4", 0.0},
                         {"1.F6", 50.0 * cos(5.0)},
                         {"1.F7", 2.0 * 0.75},
                         {"1.F8", 100.0 * sin(3.0)},
                         {"2.F2", 1e-3 * (rest + (450.0 - rest) * cos(10.0))},
                         {"2.F3", 2e-3 * (rest + (450.0 - rest) * cos(10.0))},
                         {"2.F4", 3.0 * exp(-0.5)},
                         {"2.F6", 3.0 * exp(-1.0)},
                         {"2.F7", 0.25 + 0.75 * cos(2.0)},
                         {"2.F8", 2.25 + 0.75 * cos(2.0)},
                         {"3.F2", 12.0},
                         {"3.F3", 30.0 * 0.0625 * 0.5625},
                         {"3.F4", -5.0},
                         {"3.F6", 1.0},
                         {"4.F2", 0.0625},
                         {"4.F3", 0.2 * (500.0 - rest - (450.0 - rest) * cos(10.0))},
                         {"4.F4", -20.0 * cos(10.0)},
                         {"4.F6", 300.0 * cos(3.0)}};
    // 1e-8 a step of some hundred, lengths of 1 m: 1e-6 m, or 1e-3 mm, is above it
    check_columns(t, "user", "adams", 1.0, 1e-3, sizeof want / sizeof *want, want);
}

TEST(constraints_hold)
{
    // the bead: s = 4 r sin(a/2) is harmonic with g / (4 r), z = s^2 / (8 r), and begins at a = 1.5
    const double w = sqrt(9806.65 / 1000.0), s = 1000.0 * sin(0.75) * cos(w);
    const double v = -1000.0 * sin(0.75) * w * sin(w), a = 2.0 * asin(s / 1000.0);
    const Want want[] = {{"1.F2", 3.0 + 0.4 * sin(3.0)},
                         {"1.F3", 3.0 * (1.0 + 0.4 * cos(3.0))},
                         {"1.F4", -9.0 * 0.4 * sin(3.0)},
                         {"1.F6", 100.0 * (1.0 - cos(3.0))},
                         {"1.F7", 300.0 * sin(3.0)},
                         {"1.F8", 900.0 * cos(3.0)},
                         {"2.F2", 250.0 * (a + sin(a))},
                         {"2.F3", s * s / 2000.0},
                         {"2.F4", s * v / 1000.0},
                         {"2.F6", 300.0 * cos(2.0)},
                         {"2.F7", 300.0 * sin(2.0)},
                         {"2.F8", -0.5 * 9806.65},
                         {"3.F2", 250.0},
                         {"3.F3", 500.0},
                         {"3.F4", 500.0},
                         {"3.F6", 250.0 * (1.0 + sin(1.0))},
                         {"3.F7", 250.0 * sin(1.0)},
                         {"3.F8", 250.0 * cos(2.0)},
                         {"4.F2", 250.0 * cos(1.0)},
                         {"4.F3", -250.0 * sin(1.0)},
                         {"4.F4", -250.0 * cos(1.0)},
                         {"4.F6", 250.0 * (3.0 + sin(3.0) + 1.0 + cos(3.0))},
                         {"4.F7", 250.0 * (1.0 + cos(3.0))},
                         {"4.F8", 0.0}};
    // one that integrates accelerations alone, one that uses third derivatives, one that uses
    // positions: errors as above, and ten times in accelerations of the coarsest
    check_columns(t, "constraint", "adams", 1.0, 1e-3, sizeof want / sizeof *want, want);
    check_columns(t, "constraint", "rosenbrock", 1.0, 1e-2, sizeof want / sizeof *want, want);
    check_columns(t, "constraint", "radau", 1.0, 1e-2, sizeof want / sizeof *want, want);
}

TEST(states_and_sensors)
{
    // GSE/1: samples 0 .. 6 lie before 950 ms, of which 0 .. 5 count. GSE/2: 0.5 is missing at
    // first, half of it after each of 0 .. 4 (75 ms to 825 ms). GSE/3: at 0, 100, 300 and 600 ms
    // GSE/5: x + x^2 = 2 + sin t
    const double x = (sqrt(9.0 + 4.0 * sin(0.95)) - 1.0) / 2.0;
    const Want want[] = {{"3.F2", x},
                         {"3.F3", x * x},
                         {"1.F2", 0.15 * 0.15 * 15.0},
                         {"1.F3", 0.15 * 0.15 * 15.0},
                         {"1.F4", 1.0 - 0.5 / 32.0},
                         {"1.F6", 3.0},
                         {"1.F7", 1200.0},
                         {"2.F2", cos(1.9)},
                         {"2.F3", -2.0 * sin(1.9)},
                         {"2.F4", cos(1.9) * cos(1.9)}};
    // sampled values are sums of round numbers; the event lies within 1e-6 mm at 2 mm/ms. The
    // states: 1e-8 a step of a few hundred
    check_columns(t, "control", "radau", 0.95, 2e-6, sizeof want / sizeof *want, want);
    check_columns(t, "control", "bdf-si2", 0.95, 2e-5, sizeof want / sizeof *want, want);
}

static void check_error(TestCtx *t, const char *statement, bool library, const char *want)
{
    char text[2048];
    TmlModel *m = NULL;
    TmlError err = {0};
    const char *path = TRAMMEL_BINARY_DIR "/test_user.adm";
    const TmlLoadOptions o = library ? with_library() : tml_load_options_default();
    snprintf(text, sizeof text,
             "title\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=1,1,1\n"
             "MARKER/20, PART=2\n%s\nEND\n",
             statement);
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL && fputs(text, file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
    const TmlStatus status = tml_load_with(path, &o, &m, &err);
    t->checks++;
    if (status != TML_E_MODEL || strstr(err.message, want) == NULL) {
        test_fail(t, __FILE__, __LINE__, "'%s' is not in '%s'", want, err.message);
    }
    tml_model_free(m);
    remove(path);
}

TEST(what_is_missing_is_named)
{
    check_error(t, "SFORCE/7, I=20, J=1, FUNCTION=USER(1)", false,
                ":6:31: SFORCE/7: needs the user-written routine SFOSUB: name its library with "
                "--user-library");
    check_error(t, "VARIABLE/7, FUNCTION=USER(1), ROUTINE=lib::Mine", false,
                "needs the user-written routine Mine");
    check_error(t, "VARIABLE/7, FUNCTION=USER(1), ROUTINE=lib::Mine", true,
                ":6:22: VARIABLE/7: the routine Mine is not in ");
    check_error(t, "VARIABLE/7, FUNCTION=USER(20, x)", true, "USER takes numbers, not 'x'");
    // there is no SPLINE/9: the routine itself ends the run
    check_error(t, "VARIABLE/7, FUNCTION=USER(20, 9)", true,
                "VARIABLE/7: Varsub ends the run: error (7): no table");
    check_error(t, "VARIABLE/7, FUNCTION=USER(99, 9)", true, "VARIABLE/7: ");
    check_error(t, "GEAR/7, JOINTS=1,2, CV=USER(1)", true, "GEAR/7: ");
    check_error(t, "SPRINGDAMPER/7, I=20, J=1, K=USER(1)", true, "SPRINGDAMPER/7: ");
}

TEST(constraints_and_states_that_cannot_be)
{
    const char *parts = "ARRAY/1, X, SIZE=2\nARRAY/2, X, SIZE=1\n";
    char text[512];
    check_error(t, "COUPLER/1, JOINTS=1,2, FUNCTION=USER(1)", true,
                ":6:19: COUPLER/1: there is no JOINT/1");
    check_error(t, "COUPLER/1, FUNCTION=USER(1)", true, "argument JOINTS is missing");
    check_error(
        t, "UCON/1, FUNCTION=USER(9, 1)", true,
        "ucosub ends the run: error (1): UCOVAR: there is no PART with mass and the number 9");
    check_error(t, "GCON/1, FUNCTION=USER(99, 1)", true, "GCON/1: there is no MARKER/99");
    check_error(t, "CURVE/1, OPEN, MINPAR=1, MAXPAR=1, FUNCTION=USER(1)", true,
                "MINPAR must be below MAXPAR");
    check_error(t, "CURVE/1, CLOSED, MINPAR=-1, MAXPAR=1, FUNCTION=USER(1)", true,
                "it is closed, but its ends are");
    check_error(t, "CURVE/1, OPEN, FUNCTION=USER(0)", true, "the functions give no curve");
    snprintf(text, sizeof text, "%sGSE/1, X=1, NS=2, ND=1, FUNCTION=USER(1)", parts);
    check_error(t, text, true, "GSE/1: ND = 1 needs an ARRAY to hold them");
    snprintf(text, sizeof text, "%sGSE/1, XD=2, ND=1, FUNCTION=USER(1)", parts);
    check_error(t, text, true, ":8:29: GSE/1: the routine GSE_SAMP is not in ");
    snprintf(text, sizeof text, "%sGSE/1, X=1, NS=2, IMPLICIT, FUNCTION=USER(1)", parts);
    check_error(t, text, true, "GSE/1: the routine GSE_DERIV is not in ");
    snprintf(text, sizeof text, "%sGSE/1, XD=2, ND=1, SAMPLE_PERIOD=0, FUNCTION=USER(1)", parts);
    check_error(t, text, true, ":8:34: GSE/1: SAMPLE_PERIOD must be positive, not 0");
    snprintf(text, sizeof text, "%sGSE/1, FUNCTION=USER(1)", parts);
    check_error(t, text, true, "it has no states and no outputs");
}

static TmlStatus load_with_library(const char *library, const char *statement, TmlModel **out,
                                   TmlError *err)
{
    TmlLoadOptions o = tml_load_options_default();
    const char *path = TRAMMEL_BINARY_DIR "/test_user_bad.adm";
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fprintf(file,
                "title\nPART/1, GROUND\nMARKER/1, PART=1\n"
                "PART/2, MASS=1, CM=20, IP=1,1,1, QG=1,0,0\nMARKER/20, PART=2\n%s\nEND\n",
                statement);
        fclose(file);
    }
    o.user_library = library;
    const TmlStatus status = tml_load_with(path, &o, out, err);
    remove(path);
    return status;
}

static const char bad_library[] = TRAMMEL_BINARY_DIR "/tests/adams_bad_routines.so";

/* A run that ends at 0.5 s or before, as a routine says why in a message. */
static void check_end(TestCtx *t, const char *statement, const char *message)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_OK(t, load_with_library(bad_library, statement, &m, &err), &err);
    TmlSimOptions so = tml_sim_options_default();
    so.end_time = so.output_step = 1.0;
    if (m != NULL && tml_sim_create(m, &so, &sim, &err) == TML_OK) {
        CHECK(t, tml_sim_run(sim, no_row, NULL, &err) != TML_OK);
        CHECK(t, tml_sim_time(sim) <= 0.51);
        const char *told = tml_model_message(m, 0);
        CHECK(t, told != NULL && strcmp(told, message) == 0);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST(routines_that_go_wrong)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    check_end(t, "SFORCE/7, TRANSLATIONAL, I=20, J=1, FUNCTION=USER(1)",
              "SFORCE/7: result 1 of Sfosub is not a number (nan)");
    check_end(t, "VARIABLE/7, FUNCTION=USER(1)",
              "VARIABLE/7: Varsub asks for DX of 20, which it did not ask for while the model was "
              "loaded");
    check_end(t, "ARRAY/1, X, SIZE=1\nGSE/7, XD=1, ND=1, FUNCTION=USER(1)",
              "GSE/7: Gse_samp gives 0 as the time until the next sample");
    CHECK_INT(
        t, load_with_library(bad_library, "VARIABLE/7, FUNCTION=USER(1), ROUTINE=Greedy", &m, &err),
        TML_E_MODEL);
    CHECK(t,
          strstr(err.message, "Greedy asks for more values than the 63 that are possible") != NULL);
    CHECK_INT(t,
              load_with_library(bad_library,
                                "JOINT/1, TRANSLATIONAL, I=20, J=1\n"
                                "MOTION/7, JOINT=1, FUNCTION=USER(1)",
                                &m, &err),
              TML_E_MODEL);
    CHECK(t, strstr(err.message, "Motsub asks for DX; it may depend on time only") != NULL);
}

/* As many states as there may be arguments, and as many outputs as there may be at all. */
TEST(a_routine_of_many_results)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_OK(t,
             load_with_library(bad_library,
                               "ARRAY/1, X, SIZE=60\nARRAY/2, Y, SIZE=100\n"
                               "GSE/7, X=1, Y=2, NS=60, NO=100, FUNCTION=USER(1.0D0)\n"
                               "REQUEST/1, F2=ARYVAL(2,1)\\F3=ARYVAL(2,100)",
                               &m, &err),
             &err);
    TmlSimOptions so = tml_sim_options_default();
    so.end_time = so.output_step = 1.0;
    if (m != NULL && tml_sim_create(m, &so, &sim, &err) == TML_OK) {
        CHECK_OK(t, tml_sim_run(sim, no_row, NULL, &err), &err);
        CHECK_NEAR(t, channel(t, sim, "1.F2"), 1.0, 0.0); // numbers that routines are handed back
        CHECK_NEAR(t, channel(t, sim, "1.F3"), 100.0, 0.0);
    }
    CHECK(t, sim != NULL);
    tml_sim_free(sim);
    tml_model_free(m);
}

/* Second derivatives that do not fit the first are not used. */
TEST(wrong_second_derivatives_are_told)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    bool told = false;
    CHECK_OK(t,
             load_with_library(bad_library,
                               "MARKER/2, PART=1, QP=1,0,0\nMARKER/21, PART=2\n"
                               "PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\n"
                               "JOINT/1, REVOLUTE, I=21, J=2\nJOINT/2, REVOLUTE, I=30, J=1\n"
                               "COUPLER/1, JOINTS=1,2, TYPE=R:R, FUNCTION=USER(1)",
                               &m, &err),
             &err);
    for (int k = 0; m != NULL && tml_model_note(m, k) != NULL; ++k) {
        told |= strstr(tml_model_note(m, k), "COUPLER/1: Couxx2 is not called") != NULL;
    }
    CHECK(t, told);
    tml_model_free(m);
}

TEST(a_library_that_is_none)
{
    const char *variable = "VARIABLE/7, FUNCTION=USER(1)";
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_INT(t, load_with_library("no_such_library.so", variable, &m, &err), TML_E_IO);
    CHECK(t, strstr(err.message, "cannot open the user library 'no_such_library.so'") != NULL);
    CHECK_INT(t,
              load_with_library(TRAMMEL_SOURCE_DIR "/examples/adams/user.adm", variable, &m, &err),
              TML_E_IO);
    CHECK_INT(
        t,
        load_with_library(TRAMMEL_BINARY_DIR "/tests/adams_missing_symbol.so", variable, &m, &err),
        TML_E_IO);
    CHECK(t, strstr(err.message, "it calls 'c_no_such_utility', which neither Trammel") != NULL);
    CHECK(t, m == NULL);
}

TEST(a_file_holds_no_routines)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    char path[1024], *text = NULL;
    snprintf(path, sizeof path, "%s/examples/adams/control.adm", test_source_dir());
    CHECK_INT(t, tml_convert(path, &m, &text, &err), TML_E_MODEL);
    // one message for all of them
    CHECK(t,
          strstr(err.message, "GSE/1: is defined by the user-written routine GSE_OUTPUT, which a "
                              "model file cannot hold; in all: ") != NULL);
    CHECK(t, strstr(err.message, "GSE_OUTPUT (GSE/1 and 1 more)") != NULL);
    CHECK(t, strstr(err.message, "SENSUB (SENSOR/1)") != NULL && strchr(err.message, '\n') == NULL);
    CHECK(t, strstr(err.message, "Residual (GSE/4") != NULL);
    CHECK(t, m == NULL && text == NULL);
}

TEST_SUITE(adams_user) = {CASE(routines_do_what_they_say),
                          CASE(constraints_hold),
                          CASE(states_and_sensors),
                          CASE(what_is_missing_is_named),
                          CASE(constraints_and_states_that_cannot_be),
                          CASE(routines_that_go_wrong),
                          CASE(a_routine_of_many_results),
                          CASE(wrong_second_derivatives_are_told),
                          CASE(a_library_that_is_none),
                          CASE(a_file_holds_no_routines),
                          {0}};
