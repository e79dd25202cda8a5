/* tests/adams/test_adams_datasets.c - small datasets whose answers are known by hand.
 *
 * Every file of tests/data/adams ends with `!end T` and lines `!check COLUMN VALUE [TOLERANCE]` of
 * the last row. They run at a tolerance of 1e-10 for at most a second of slow motion, about a
 * thousand steps: 1e-6 of the size of a value (at least of 1) is far above what the steps add up
 * to, and far below any mistake of units, signs or axes.
 */
#include "test.h"

#include "trammel/io.h"

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

/* --- results of Adams
 * ----------------------------------------------------------------------------- */

enum { ROWS = 501, COLUMNS = 25 };

typedef struct Table {
    int n; // rows so far
    double value[ROWS][COLUMNS];
} Table;

static bool read_table(const char *path, Table *table)
{
    char line[1024];
    FILE *file = fopen(path, "r");
    table->n = 0;
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        return false;
    }
    while (table->n < ROWS && fgets(line, sizeof line, file) != NULL) {
        char *c = line;
        for (int k = -1; k < COLUMNS; ++k) { // time comes first
            const double x = strtod(c, &c);
            if (k >= 0) {
                table->value[table->n][k] = x;
            }
            c += *c == ',' ? 1 : 0;
        }
        table->n++;
    }
    fclose(file);
    return table->n == ROWS;
}

/* The requests of these datasets in the order of the columns of the tables. */
static TmlStatus add_row(void *user, const TmlSim *sim, TmlError *err)
{
    static const char *const names[COLUMNS] = {
        "1.F2", "1.F3", "1.F4", "2.F2", "2.F3", "2.F4", "3.F2", "3.F3", "3.F4",
        "4.F2", "4.F3", "4.F4", "4.F6", "2.F6", "2.F7", "2.F8", "3.F6", "3.F7",
        "3.F8", "5.F2", "5.F3", "5.F4", "5.F6", "5.F7", "5.F8"};
    Table *table = user;
    (void)err;
    for (int k = 0; k < COLUMNS && table->n < ROWS; ++k) {
        const int channel = tml_sim_channel_find(sim, names[k]);
        table->value[table->n][k] = channel >= 0 ? tml_row_channel(sim, channel) : (double)NAN;
    }
    table->n++;
    return TML_OK;
}

/* Euler parameters of both signs mean the same. */
static void match_signs(Table *got, const Table *want)
{
    for (int r = 0; r < ROWS; ++r) {
        double dot = 0.0;
        for (int k = 9; k < 13; ++k) {
            dot += got->value[r][k] * want->value[r][k];
        }
        for (int k = 9; k < 13 && dot < 0.0; ++k) {
            got->value[r][k] *= -1.0;
        }
    }
}

static void compare_tables(TestCtx *t, const char *name, const Table *got, const Table *want)
{
    // Root mean squares that Project Chrono passes with against the same tables: position,
    // velocity, acceleration, Euler parameters, angular velocity and acceleration, force, torque.
    static const struct {
        int from, to;
        double tolerance;
    } groups[] = {{0, 3, 1e-3},   {3, 6, 1e-3},   {6, 9, 0.02},   {9, 13, 1e-3},
                  {13, 16, 0.01}, {16, 19, 0.01}, {19, 22, 0.02}, {22, 25, 1e-6}};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; ++g) {
        for (int k = groups[g].from; k < groups[g].to; ++k) {
            double sum = 0.0;
            for (int r = 0; r < ROWS; ++r) {
                const double d = got->value[r][k] - want->value[r][k];
                sum += d * d;
            }
            const double rms = sqrt(sum / ROWS);
            t->checks++;
            if (!(rms <= groups[g].tolerance)) {
                test_fail(t, __FILE__, __LINE__, "%s: column %d differs by %.3g, allowed %.3g",
                          name, k, rms, groups[g].tolerance);
            }
        }
    }
}

static void run_case(TestCtx *t, const char *dir, const char *name)
{
    static Table got, want;
    char path[1024];
    TmlError err = {0};
    TmlSim *sim = NULL;
    snprintf(path, sizeof path, "%s/adams-joints/%s.csv", dir, name);
    CHECK(t, read_table(path, &want));
    snprintf(path, sizeof path, "%s/adams-joints/test_%s.adm", dir, name);
    TmlModel *m = load(t, path, false);
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 5.0;
    o.output_step = 0.01;
    TmlStatus status = m != NULL ? tml_sim_create(m, &o, &sim, &err) : TML_E_MODEL;
    got.n = 0;
    status = status == TML_OK ? tml_sim_run(sim, add_row, &got, &err) : status;
    CHECK_INT(t, status, TML_OK);
    CHECK_INT(t, got.n, ROWS);
    if (status == TML_OK) {
        match_signs(&got, &want);
        compare_tables(t, name, &got, &want);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST(results_of_adams)
{
    static const char *const names[] = {
        "Revolute_Case01",  "Spherical_Case01", "Cylindrical_Case01", "Cylindrical_Case02",
        "Prismatic_Case01", "Prismatic_Case03", "Universal_Case01",   "Universal_Case02",
        "Distance_Case01",  "Distance_Case03"};
    const char *dir = test_cases_dir();
    if (dir == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        run_case(t, dir, names[k]);
    }
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
    CASE(the_guide_holds_the_tables), CASE(results_of_adams),
    CASE(real_datasets_are_read),     {0}};
