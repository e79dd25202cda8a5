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
    char pattern[1024];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/tests/data/adams/*.adm", test_source_dir());
    CHECK_INT(t, glob(pattern, 0, NULL, &found), 0);
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

/* --- functions ----------------------------------------------------------------------------------
 */

typedef struct Asked {
    TestCtx *t;
    char *text; // of all datasets, in capitals
    int n;
} Asked;

static void append_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t n = strlen(text);
    if (file != NULL) {
        n += fread(text + n, 1, size - n - 1, file);
        text[n] = '\0';
        fclose(file);
    }
}

static void look_for(void *arg, const char *group, const char *name)
{
    Asked *a = arg;
    char call[40];
    snprintf(call, sizeof call, "%s(", name);
    a->n++;
    a->t->checks++;
    // a USER(...) needs a library, see test_adams_user.c
    if (strcmp(group, "not supported yet") == 0 || strcmp(name, "USER") == 0) {
        return;
    }
    for (const char *at = strstr(a->text, call); at != NULL; at = strstr(at + 1, call)) {
        if (at > a->text && !isalnum((unsigned char)at[-1])) {
            return;
        }
    }
    test_fail(a->t, __FILE__, __LINE__, "no dataset has %s...)", call);
}

/* Every function that is read stands in a dataset whose answers are known. */
TEST(every_function_is_answered)
{
    static char text[1 << 20];
    char pattern[1024];
    glob_t found;
    Asked asked = {t, text, 0};
    snprintf(pattern, sizeof pattern, "%s/tests/data/adams/*.adm", test_source_dir());
    text[0] = '\0';
    CHECK_INT(t, glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; ++k) {
        append_file(found.gl_pathv[k], text, sizeof text);
    }
    globfree(&found);
    CHECK(t, strlen(text) + 1 < sizeof text); // none was cut off
    for (char *c = text; *c != '\0'; ++c) {
        *c = (char)toupper((unsigned char)*c);
    }
    tml_adams_functions(look_for, &asked);
    CHECK(t, asked.n > 100);
}

/* --- the guide ----------------------------------------------------------------------------------
 */

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
    const char *dir = test_cases_dir();
    char pattern[1024];
    glob_t found;
    if (dir == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    snprintf(pattern, sizeof pattern, "%s/adm-files/*.adm", dir);
    CHECK_INT(t, glob(pattern, 0, NULL, &found), 0);
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

TEST_SUITE(adams_datasets) = {
    CASE(answers_known_by_hand),      CASE(converted_models_answer_the_same),
    CASE(every_function_is_answered), CASE(the_guide_holds_the_tables),
    CASE(real_datasets_are_read),     {0}};
