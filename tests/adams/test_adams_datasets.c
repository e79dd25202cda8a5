/* tests/adams/test_adams_datasets.c - small datasets whose answers are known by hand, or from an
 * independent integration where the file says so.
 *
 * Every file of tests/data/adams ends with `!end T` and lines `!check COLUMN VALUE [TOLERANCE]` of
 * the last row. They run at a tolerance of 1e-10 for at most a second of slow motion, about a
 * thousand steps: 1e-6 of the size of a value (at least of 1) is far above what the steps add up
 * to, and far below any mistake of units, signs or axes.
 */
#include "test.h"

#include "adams/adams.h"
#include "adams/dataset/syntax.h"
#include "trammel/io.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>

static const char path_yaml[] = "converted.yaml";

/* yaml: by way of a converted model. */
static TmlModel *load(TestCtx *t, const char *path, bool yaml)
{
    TmlModel *m = NULL, *notes = NULL;
    TmlError err = {0};
    char *text = NULL;
    TmlStatus status = TML_OK;
    if (yaml) {
        status = tml_convert(path, &notes, &text, &err);
        status =
            status == TML_OK ? tml_load_text(text, path_yaml, 0, NULL, NULL, &m, &err) : status;
        tml_text_free(text);
        tml_model_free(notes);
    } else {
        status = tml_load(path, 0, NULL, NULL, &m, &err);
    }
    if (status != TML_OK) {
        test_fail(t, __FILE__, __LINE__, "%s: %s", path, err.message);
    }
    return m;
}

static void check_line(TestCtx *t, const char *path, const TmlSim *sim, const char *line)
{
    char name[80];
    double want, tolerance = 1e-6;
    if (sscanf(line, "!check %79s %lf %lf", name, &want, &tolerance) < 2) {
        return;
    }
    const int channel = tml_sim_channel_find(sim, name);
    const double got = channel >= 0 ? tml_row_channel(sim, channel) : (double)NAN;
    t->checks++;
    if (!(fabs(got - want) <= tolerance * fmax(1.0, fabs(want)))) {
        test_fail(t, __FILE__, __LINE__, "%s: %s = %.12g, expected %.12g", path, name, got, want);
    }
}

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err; // only rows that are wanted are made
    return TML_OK;
}

static void run_file(TestCtx *t, const char *path, bool yaml)
{
    char line[256];
    double end = 0.0;
    FILE *file = fopen(path, "r");
    TmlModel *m = load(t, path, yaml);
    TmlError err = {0};
    TmlSim *sim = NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "!end %lf", &end) == 1) {
            break;
        }
    }
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = end;
    o.output_step = end;
    o.tolerance = 1e-10;
    TmlStatus status = m != NULL && end > 0.0 ? tml_sim_create(m, &o, &sim, &err) : TML_E_MODEL;
    status = status == TML_OK ? tml_sim_run(sim, on_row, NULL, &err) : status;
    if (status != TML_OK) {
        test_fail(t, __FILE__, __LINE__, "%s: %s", path, err.message);
    }
    while (status == TML_OK && fgets(line, sizeof line, file) != NULL) {
        check_line(t, path, sim, line);
    }
    if (file != NULL) {
        fclose(file);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

static void run_all(TestCtx *t, bool yaml)
{
    glob_t found;
    test_source_glob(t, "tests/data/adams/*.adm", &found);
    CHECK(t, found.gl_pathc >= 20);
    for (size_t k = 0; k < found.gl_pathc; ++k) {
        run_file(t, found.gl_pathv[k], yaml);
    }
    globfree(&found);
}

TEST(answers_known_by_hand)
{
    run_all(t, false);
}

TEST(converted_models_answer_the_same)
{
    run_all(t, true);
}

/* Variables behind switches follow the motion at once, whatever the method: a variable that lags by
 * a step throws the mass 6 cm too high. */
TEST(variables_follow_the_motion_in_every_method)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/data/adams/variables_switch.adm", test_source_dir());
    TmlModel *m = load(t, path, false);
    for (int k = 0; m != NULL && tml_integrator_name(k) != NULL; ++k) {
        t->name = tml_integrator_name(k);
        TmlSimOptions o = tml_sim_options_default();
        TmlSim *sim = NULL;
        TmlError err = {0};
        o.integrator = t->name;
        o.end_time = o.output_step = 0.35;
        CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
        CHECK_OK(t, sim != NULL ? tml_sim_run(sim, on_row, NULL, &err) : TML_E_MODEL, &err);
        if (sim != NULL && err.status == TML_OK) {
            // two jumps, each passed at some 1e-7 of the velocity or better
            const int channel = tml_sim_channel_find(sim, "1.F2");
            CHECK_NEAR(t, tml_row_channel(sim, channel), 0.3375, 1e-5);
        }
        tml_sim_free(sim);
    }
    tml_model_free(m);
}

/* --- the guide -------------------------------------------------------------------------------- */

/* `trammel help datasets` writes this part of it. */
TEST(the_guide_holds_the_tables)
{
    static char text[1 << 17];
    char path[1024], *tables = NULL;
    TmlError err = {0};
    snprintf(path, sizeof path, "%s/docs/guide/adams.md", test_source_dir());
    FILE *file = fopen(path, "r");
    CHECK(t, file != NULL);
    if (file != NULL) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    CHECK_OK(t, tml_help("datasets", &tables, &err), &err);
    CHECK(t, tables != NULL && strlen(tables) > 4000);
    t->checks++;
    if (tables == NULL || strstr(text, tables) == NULL) {
        test_fail(t, __FILE__, __LINE__,
                  "docs/guide/adams.md is not what 'trammel help datasets' prints");
    }
    tml_text_free(tables);
}

/* Every dataset is read: it becomes a model, or errors with places say why not. */
TEST(real_datasets_are_read)
{
    glob_t found;
    if (!test_cases_glob(t, "adm-files/*.adm", &found)) {
        return;
    }
    for (size_t k = 0; k < found.gl_pathc; ++k) {
        TmlModel *m = NULL;
        TmlError err = {0};
        const TmlStatus status = tml_load(found.gl_pathv[k], 0, NULL, NULL, &m, &err);
        CHECK(t,
              status == TML_OK || (status == TML_E_MODEL && strstr(err.message, ".adm:") != NULL));
        tml_model_free(m);
    }
    globfree(&found);
}

/* --- what is shown ---------------------------------------------------------------------------- */

typedef struct Shown {
    TestCtx *t;
    char *text; // statements of all datasets with answers, in capitals and without comments
    size_t n, size;
    int asked;
} Shown;

/* A dataset whose answers are checked: here, or by the suites of user-written routines and of FLEX_BODY. */
static void add_dataset(Shown *s, const char *path, bool answers)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    int checks = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        checks += strncmp(line, "!check", 6) == 0;
        line[strcspn(line, "!\r\n")] = '\0';
        const size_t n = strlen(line);
        for (size_t k = 0; k <= n && s->n + 2 < s->size; ++k) {
            s->text[s->n++] = k < n ? (char)toupper((unsigned char)line[k]) : '\n';
        }
    }
    s->text[s->n] = '\0';
    CHECK(s->t, file != NULL && (!answers || checks > 0));
    if (file != NULL) {
        fclose(file);
    }
}

/* Does a word occur that one of these characters follows? */
static bool is_shown(const Shown *s, const char *word, const char *behind)
{
    const size_t n = strlen(word);
    for (const char *c = s->text; (c = strstr(c, word)) != NULL; c += n) {
        const char before = c > s->text ? c[-1] : '\n';
        const char next = c[n + strspn(c + n, " \t")];
        if (!isalnum((unsigned char)before) && before != '_' && strchr(behind, next) != NULL) {
            return true;
        }
    }
    return false;
}

static void ask_statement(void *arg, const char *name, const char *use, const char *text)
{
    Shown *s = arg;
    (void)text;
    s->asked++;
    if (strcmp(use, "read") == 0 && !is_shown(s, name, "/")) {
        test_fail(s->t, __FILE__, __LINE__, "no dataset with an answer has the statement %s", name);
    }
}

static void ask_function(void *arg, const char *group, const char *name)
{
    Shown *s = arg;
    s->asked++;
    const char *behind = strstr(group, "without arguments") != NULL ? ",*-:)" : "(";
    if (strcmp(group, "not supported yet") != 0 && !is_shown(s, name, behind)) {
        test_fail(s->t, __FILE__, __LINE__, "no dataset with an answer has the function %s", name);
    }
}

/* Every statement, function, type of joint and direction of a motion of the guide occurs in a
 * dataset whose answer is known. */
TEST(everything_has_a_dataset)
{
    static char text[1 << 19];
    Shown s = {.t = t, .text = text, .size = sizeof text};
    char path[1024];
    glob_t found;
    snprintf(path, sizeof path, "%s/tests/data/adams/*.adm", test_source_dir());
    CHECK_INT(t, glob(path, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; ++k) {
        add_dataset(&s, found.gl_pathv[k], true);
    }
    globfree(&found);
    snprintf(path, sizeof path, "%s/examples/adams/user.adm", test_source_dir());
    add_dataset(&s, path, false);
    // datasets with a part from finite elements stand in the suite that compares them with our own models
    snprintf(path, sizeof path, "%s/tests/adams/test_adams_flex.c", test_source_dir());
    add_dataset(&s, path, false);
    CHECK(t, s.n + 4096 < s.size);
    tml_adams_statements(ask_statement, &s);
    tml_adams_functions(ask_function, &s);
    static const char *const kinds[] = {"JOINT", "JPRIM", "MOTION"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        const TmlAdmSyntax *syntax = tml_adm_syntax(kinds[k], (int)strlen(kinds[k]));
        for (const TmlAdmKey *key = syntax->keys; key->name != NULL; ++key) {
            s.asked++;
            if (key->kind == TML_ADM_FLAG && !is_shown(&s, key->name, ",\n")) {
                test_fail(t, __FILE__, __LINE__, "no dataset with an answer has a %s with %s",
                          kinds[k], key->name);
            }
        }
    }
    CHECK(t, s.asked > 150);
}

TEST_SUITE(adams_datasets) = {CASE(answers_known_by_hand),
                              CASE(converted_models_answer_the_same),
                              CASE(variables_follow_the_motion_in_every_method),
                              CASE(the_guide_holds_the_tables),
                              CASE(everything_has_a_dataset),
                              CASE(real_datasets_are_read),
                              {0}};
