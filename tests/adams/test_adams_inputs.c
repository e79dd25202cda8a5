/* tests/adams/test_adams_inputs.c - inputs from outside, settings of integrators, functions. */
#include "test.h"

#include "adams/adams.h"
#include "trammel/trammel.h"

#include <ctype.h>
#include <glob.h>

static const char head[] = "title\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=2, CM=20, "
                           "IP=1,1,1\nMARKER/20, PART=2\nMARKER/9, PART=1, FLOATING\n";

static const char *write_dataset(TestCtx *t, const char *rest)
{
    static const char path[] = TRAMMEL_BINARY_DIR "/test_inputs.adm";
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL && fprintf(file, "%s%s\nEND\n", head, rest) > 0);
    if (file != NULL) {
        fclose(file);
    }
    return path;
}

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

/* --- inputs ----------------------------------------------------------------------------------- */

static const char pushed[] = "! adams_view_name='Push Force'\nVARIABLE/1, FUNCTION=TIME\n"
                             "VARIABLE/2, FUNCTION=3\nPINPUT/1, VARIABLES=1,2\n"
                             "PINPUT/2, VARIABLES=1\nPOUTPUT/1, VARIABLES=1\n"
                             "VFORCE/1, I=20, JFLOAT=9, RM=1, FX=VARVAL(1)\\FY=VARVAL(2)\\FZ=0\n"
                             "REQUEST/1, F2=DX(20)\\F3=DY(20)";

/* x and y after 2 s; the message of an error. */
static void run_inputs(TestCtx *t, int n, const char *const *name, const char *const *value,
                       double x, double y, const char *message)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    TmlLoadOptions o = tml_load_options_default();
    o.n_inputs = n;
    o.input_name = name;
    o.input_value = value;
    TmlStatus status = tml_load_with(write_dataset(t, pushed), &o, &m, &err);
    TmlSimOptions so = tml_sim_options_default();
    so.end_time = so.output_step = 2.0;
    status = status == TML_OK ? tml_sim_create(m, &so, &sim, &err) : status;
    status = status == TML_OK ? tml_sim_run(sim, no_row, NULL, &err) : status;
    if (message != NULL) {
        CHECK_INT(t, status, TML_E_MODEL);
        CHECK(t, strstr(err.message, message) != NULL);
    } else {
        // exact but for steps at 3e-9 of a motion of metres
        CHECK_OK(t, status, &err);
        CHECK_NEAR(t, tml_row_channel(sim, tml_sim_channel_find(sim, "1.F2")), x, 1e-7);
        CHECK_NEAR(t, tml_row_channel(sim, tml_sim_channel_find(sim, "1.F3")), y, 1e-7);
        CHECK(t, tml_sim_channel_find(sim, "Push_Force") >= 0);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

/* A table whose times go back. */
static const char *write_back(void)
{
    const char *path = TRAMMEL_BINARY_DIR "/test_back.csv";
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fputs("0,0\n1,1\n0.5,2\n", file);
        fclose(file);
    }
    return path;
}

TEST(inputs_are_driven)
{
    const char *table = TRAMMEL_BINARY_DIR "/test_inputs.csv";
    FILE *file = fopen(table, "w");
    CHECK(t, file != NULL && fputs("time,value\n0,4\n1,4\n1.0000001,0\n3,0\n", file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
    const char *const one[] = {"Push_Force"}, *const both[] = {"push force", "2"};
    const char *const zero[] = {"zero", "0"}, *const numbers[] = {"1e1", "-2"};
    const char *const tables[] = {table, "zero"}, *const none[] = {"no_such.csv", "0"};
    run_inputs(t, 0, NULL, NULL, 8.0 / 12.0, 3.0, NULL); // force t: x = t^3 / 12; 3: 3/4 t^2
    run_inputs(t, 1, one, zero, 0.0, 3.0, NULL);
    run_inputs(t, 2, both, numbers, 10.0, -2.0, NULL);    // a t^2 / 2
    run_inputs(t, 2, both, tables, 1.0 + 2.0, 0.0, NULL); // 2 m/s^2 for 1 s, then 2 m/s
    run_inputs(t, 1, one, none, 0.0, 0.0, "--input Push_Force: cannot open no_such.csv");
    const char *const back[] = {write_back()};
    run_inputs(t, 1, one, back, 0.0, 0.0, "--input Push_Force: times must be finite and increase");
    remove(back[0]);
    const char *const other[] = {"pull"};
    run_inputs(t, 1, other, zero, 0.0, 0.0,
               "--input pull: no such input; there are Push_Force, variable2");
    remove(table);
    remove(TRAMMEL_BINARY_DIR "/test_inputs.adm");
}

/* --- integrators ------------------------------------------------------------------------------ */

static void check_settings(TestCtx *t, const char *statement, const char *integrator,
                           const char *option, const char *value, const char *note)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    const TmlLoadOptions o = tml_load_options_default();
    t->name = statement;
    CHECK_OK(t, tml_load_with(write_dataset(t, statement), &o, &m, &err), &err);
    TmlSimOptions so = tml_sim_options_default();
    so.end_time = 1.0;
    CHECK_OK(t, tml_sim_create(m, &so, &sim, &err), &err);
    CHECK(t,
          sim != NULL && (integrator == NULL ? tml_sim_choice(sim) != NULL
                                             : strcmp(tml_sim_integrator(sim), integrator) == 0));
    const char *key, *got;
    bool found = option == NULL, noted = note == NULL;
    for (int k = 0; sim != NULL && tml_sim_option(sim, k, &key, &got); ++k) {
        found |= option != NULL && strcmp(key, option) == 0 && strcmp(got, value) == 0;
    }
    for (int k = 0; m != NULL && tml_model_note(m, k) != NULL; ++k) {
        noted |= note != NULL && strstr(tml_model_note(m, k), note) != NULL;
    }
    CHECK(t, found);
    CHECK(t, noted);
    tml_sim_free(sim);
    tml_model_free(m);
    remove(TRAMMEL_BINARY_DIR "/test_inputs.adm");
}

TEST(integrators_become_ours)
{
    check_settings(t, "INTEGRATOR/HHT, ALPHA=-0.25, MAXIT=20", "hht", "alpha", "-0.25", NULL);
    check_settings(t, "INTEGRATOR/HHT, ALPHA=-0.25, MAXIT=20", "hht", "iterations", "20", NULL);
    check_settings(t, "INTEGRATOR/HHT, ALPHA=-0.9", "hht", NULL, NULL, "ALPHA = -0.9 is not from");
    check_settings(t, "INTEGRATOR/GSTIFF, ERROR=1E-3", NULL, NULL, NULL, "auto chooses");
    check_settings(t, "INTEGRATOR/GSTIFF, ERROR=1E-3", NULL, NULL, NULL, "ERROR is not taken over");
    check_settings(t, "INTEGRATOR/GSTIFF, SI2, KMAX=3", "bdf-si2", "max_order", "3", NULL);
    check_settings(t, "INTEGRATOR/WSTIFF, SI1, KMAX=9", "bdf-si2", NULL, NULL, "KMAX = 9 is not");
    check_settings(t, "INTEGRATOR/CONSTANT_BDF", "bdf-i3", NULL, NULL, NULL);
    check_settings(t, "INTEGRATOR/ABAM, KMAX=4", "adams", NULL, NULL, "KMAX is not taken over");
    check_settings(t, "INTEGRATOR/RKF45", "adams", NULL, NULL, NULL);
    check_settings(t, "INTEGRATOR/NEWMARK, BETA=0.36, GAMMA=0.7", "generalized-alpha", NULL, NULL,
                   "BETA is not taken over");
    check_settings(t, "INTEGRATOR/HASTIFF, PATTERN=T:F:T, INTERPOLATE=ON", NULL, NULL, NULL,
                   "PATTERN is not taken over");
    check_settings(t, "INTEGRATOR/GSTIFF, CORRECTOR=MODIFIED, ADAPTIVITY=1E-5, SCALE=1,1,1", NULL,
                   NULL, NULL, "CORRECTOR is not taken over");
}

/* --- functions -------------------------------------------------------------------------------- */

typedef struct Coverage {
    TestCtx *t;
    char *text; /* all datasets of tests/data/adams, in capitals */
    int n;
} Coverage;

static void check_function(void *arg, const char *group, const char *name)
{
    Coverage *c = arg;
    char call[64];
    snprintf(call, sizeof call, "%s(", name);
    // routines, and functions of a FLEX_BODY, which needs a part, have suites of their own
    if (strstr(group, "modal") != NULL || strstr(group, "of a mode") != NULL ||
        strcmp(name, "USER") == 0) {
        return;
    }
    bool found = false;
    for (const char *at = strstr(c->text, call); at != NULL && !found; at = strstr(at + 1, call)) {
        found = at == c->text || !isalnum((unsigned char)at[-1]);
    }
    c->n++;
    c->t->checks++;
    if (!found) {
        test_fail(c->t, __FILE__, __LINE__, "no dataset of tests/data/adams calls %s", name);
    }
}

TEST(every_function_has_a_dataset)
{
    enum { ROOM = 1 << 20 };
    static char text[ROOM];
    size_t fill = 0;
    char pattern[1024];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/tests/data/adams/*.adm", test_source_dir());
    CHECK_INT(t, glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; ++k) {
        FILE *file = fopen(found.gl_pathv[k], "r");
        fill += file != NULL ? fread(text + fill, 1, ROOM - 1 - fill, file) : 0;
        if (file != NULL) {
            fclose(file);
        }
    }
    globfree(&found);
    CHECK(t, fill > 0 && fill < ROOM - 1);
    for (size_t k = 0; k < fill; ++k) {
        text[k] = (char)toupper((unsigned char)text[k]);
    }
    Coverage c = {t, text, 0};
    tml_adams_functions(check_function, &c);
    CHECK(t, c.n > 90);
}

TEST_SUITE(adams_inputs) = {CASE(inputs_are_driven),
                            CASE(integrators_become_ours),
                            CASE(every_function_has_a_dataset),
                            {0}};
