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

TEST(routines_do_what_they_say)
{
    // closed forms at 1 s: see the comments of the dataset; the spring oscillates about its free
    // length and the weight over the stiffness
    const double rest = 500.0 - 98.0665;
    const struct {
        const char *name;
        double value;
    } want[] = {{"1.F2", rest + (450.0 - rest) * cos(10.0)},
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
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    const TmlLoadOptions o = with_library();
    char path[1024];
    snprintf(path, sizeof path, "%s/examples/adams/user.adm", test_source_dir());
    CHECK_OK(t, tml_load_with(path, &o, &m, &err), &err);
    TmlSimOptions so = tml_sim_options_default();
    so.end_time = so.output_step = 1.0;
    so.integrator = "adams";
    if (m != NULL && tml_sim_create(m, &so, &sim, &err) == TML_OK) {
        CHECK_OK(t, tml_sim_run(sim, no_row, NULL, &err), &err);
        for (size_t k = 0; k < sizeof want / sizeof *want; ++k) {
            // 3e-9 a step of about 3e-3 s, lengths of 1 m: 1e-6 m, or 1e-3 mm, is far above it
            t->name = want[k].name;
            CHECK_NEAR(t, channel(t, sim, want[k].name), want[k].value, 1e-3);
        }
    }
    CHECK(t, m != NULL && tml_model_message(m, 0) == NULL);
    tml_sim_free(sim);
    tml_model_free(m);
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
    check_error(t, "GCON/7, FUNCTION=USER(1)", true, "a user-written routine of this statement");
    check_error(t, "ARRAY/1, X, SIZE=2\nGSE/1, X=1, NS=2, ND=1, FUNCTION=USER(1)", true,
                "not supported yet: sampled (ND)");
}

TEST(a_library_that_is_none)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    TmlLoadOptions o = tml_load_options_default();
    char path[1024];
    o.user_library = "no_such_library.so";
    snprintf(path, sizeof path, "%s/examples/adams/user.adm", test_source_dir());
    CHECK_INT(t, tml_load_with(path, &o, &m, &err), TML_E_IO);
    CHECK(t, strstr(err.message, "cannot open the user library 'no_such_library.so'") != NULL);
    CHECK(t, m == NULL);
}

TEST_SUITE(adams_user) = {CASE(routines_do_what_they_say),
                          CASE(what_is_missing_is_named),
                          CASE(a_library_that_is_none),
                          {0}};
