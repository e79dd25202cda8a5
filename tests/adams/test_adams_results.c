/* tests/adams/test_adams_results.c - datasets of single joints and springs against what Adams made
 * of them: every column, at the default and at a tight tolerance. Skipped where the data are
 * absent.
 */
#include "test.h"

#include "trammel/io.h"

#include <stdlib.h>

enum { ROWS = 501, COLUMNS = 31, MOST = 1 << 14 };

/* Columns of the tables, the channels of the requests that make them, and the quantity by which
 * they are judged. */
static const struct {
    const char *column, *channel, *quantity;
} map[] = {{"X", "1.F2", "Pos"},
           {"Y", "1.F3", "Pos"},
           {"Z", "1.F4", "Pos"},
           {"VX", "2.F2", "Vel"},
           {"VY", "2.F3", "Vel"},
           {"VZ", "2.F4", "Vel"},
           {"AX", "3.F2", "Acc"},
           {"AY", "3.F3", "Acc"},
           {"AZ", "3.F4", "Acc"},
           {"e0", "4.F2", "Quat"},
           {"e1", "4.F3", "Quat"},
           {"e2", "4.F4", "Quat"},
           {"e3", "4.F6", "Quat"},
           {"WX", "2.F6", "Avel"},
           {"WY", "2.F7", "Avel"},
           {"WZ", "2.F8", "Avel"},
           {"WDX", "3.F6", "Aacc"},
           {"WDY", "3.F7", "Aacc"},
           {"WDZ", "3.F8", "Aacc"},
           {"FX_ground", "5.F2", "Rforce"},
           {"FY_ground", "5.F3", "Rforce"},
           {"FZ_ground", "5.F4", "Rforce"},
           {"TX_ground", "5.F6", "Rtorque"},
           {"TY_ground", "5.F7", "Rtorque"},
           {"TZ_ground", "5.F8", "Rtorque"},
           {"FX_P", "5.F2", "RforceP"},
           {"FY_P", "5.F3", "RforceP"},
           {"FZ_P", "5.F4", "RforceP"},
           {"TX_P", "5.F6", "RtorqueP"},
           {"TY_P", "5.F7", "RtorqueP"},
           {"TZ_P", "5.F8", "RtorqueP"},
           {"FX_A", "6.F2", "RforceA"},
           {"FY_A", "6.F3", "RforceA"},
           {"FZ_A", "6.F4", "RforceA"},
           {"TX_A", "6.F6", "RtorqueA"},
           {"TY_A", "6.F7", "RtorqueA"},
           {"TZ_A", "6.F8", "RtorqueA"},
           {"FX_Body1", "5.F2", "Rforce_Body1"},
           {"FY_Body1", "5.F3", "Rforce_Body1"},
           {"FZ_Body1", "5.F4", "Rforce_Body1"},
           {"TX_Body1", "5.F6", "Rtorque_Body1"},
           {"TY_Body1", "5.F7", "Rtorque_Body1"},
           {"TZ_Body1", "5.F8", "Rtorque_Body1"},
           {"FX_Body2", "6.F2", "Rforce_Body2"},
           {"FY_Body2", "6.F3", "Rforce_Body2"},
           {"FZ_Body2", "6.F4", "Rforce_Body2"},
           {"TX_Body2", "6.F6", "Rtorque_Body2"},
           {"TY_Body2", "6.F7", "Rtorque_Body2"},
           {"TZ_Body2", "6.F8", "Rtorque_Body2"},
           {"FX_on_ground", "5.F2", "Rforce"},
           {"FY_on_ground", "5.F3", "Rforce"},
           {"FZ_on_ground", "5.F4", "Rforce"},
           {"TX_spring_on_ground", "5.F6", "Rtorque"},
           {"TY_spring_on_ground", "5.F7", "Rtorque"},
           {"TZ_spring_on_ground", "5.F8", "Rtorque"}};

enum { N_MAP = sizeof map / sizeof *map };

typedef struct Table {
    int n, columns;      // rows so far
    int row_of[COLUMNS]; // of map
    double value[ROWS][COLUMNS];
} Table;

static int find_column(const char *name, size_t n)
{
    for (int k = 0; k < N_MAP; ++k) {
        if (strlen(map[k].column) == n && strncmp(map[k].column, name, n) == 0) {
            return k;
        }
    }
    return -1;
}

/* Time comes first and is left out; all others must be known. */
static bool read_header(const char *line, Table *table)
{
    table->columns = 0;
    for (const char *c = strchr(line, ','); c != NULL; c = strchr(c, ',')) {
        const size_t n = strcspn(++c, ",\r\n");
        const int row = find_column(c, n);
        if (row < 0 || table->columns == COLUMNS) {
            return false;
        }
        table->row_of[table->columns++] = row;
    }
    return table->columns > 0;
}

static bool read_table(const char *path, Table *table)
{
    char line[2048];
    FILE *file = fopen(path, "r");
    bool ok = file != NULL && fgets(line, sizeof line, file) != NULL && read_header(line, table);
    table->n = 0;
    while (ok && table->n < ROWS && fgets(line, sizeof line, file) != NULL) {
        char *c = strchr(line, ',');
        for (int k = 0; k < table->columns && c != NULL; ++k) {
            table->value[table->n][k] = strtod(c + 1, &c);
        }
        table->n++;
    }
    if (file != NULL) {
        fclose(file);
    }
    return ok && table->n == ROWS;
}

/* The columns of the table that is compared with. */
static TmlStatus add_row(void *user, const TmlSim *sim, TmlError *err)
{
    Table *table = user;
    (void)err;
    for (int k = 0; k < table->columns && table->n < ROWS; ++k) {
        const int channel = tml_sim_channel_find(sim, map[table->row_of[k]].channel);
        table->value[table->n][k] = channel >= 0 ? tml_row_channel(sim, channel) : (double)NAN;
    }
    table->n++;
    return TML_OK;
}

static bool is_quantity(const Table *table, int column, const char *quantity)
{
    return strcmp(map[table->row_of[column]].quantity, quantity) == 0;
}

/* Euler parameters of both signs mean the same. */
static void match_signs(Table *got, const Table *want)
{
    for (int r = 0; r < ROWS; ++r) {
        double dot = 0.0;
        for (int k = 0; k < want->columns; ++k) {
            dot += is_quantity(want, k, "Quat") ? got->value[r][k] * want->value[r][k] : 0.0;
        }
        for (int k = 0; k < want->columns && dot < 0.0; ++k) {
            got->value[r][k] *= is_quantity(want, k, "Quat") ? -1.0 : 1.0;
        }
    }
}

/* The number behind "name": or "name": [ in a part of a JSON file; NAN: there is none. */
static double json_number(const char *text, const char *part, const char *name)
{
    char key[40];
    const char *c = text != NULL ? strstr(text, part) : NULL;
    snprintf(key, sizeof key, "\"%s\":", name);
    c = c != NULL ? strstr(c, key) : NULL;
    return c != NULL ? strtod(c + strlen(key) + strspn(c + strlen(key), " [\n\r\t"), NULL)
                     : (double)NAN;
}

static const char *read_text(const char *path)
{
    static char text[MOST];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return NULL;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Half a unit of the last digit of the largest value of a quantity. */
static double rounding(const Table *want, const char *quantity, int digits)
{
    double top = 0.0;
    for (int k = 0; k < want->columns; ++k) {
        for (int r = 0; r < ROWS && is_quantity(want, k, quantity); ++r) {
            top = fmax(top, fabs(want->value[r][k]));
        }
    }
    return top > 0.0 ? 0.5 * pow(10.0, floor(log10(top)) + 1 - digits) : 0.0;
}

static void compare(TestCtx *t, const char *name, const Table *got, const Table *want, int column,
                    double limit)
{
    double sum = 0.0;
    for (int r = 0; r < ROWS; ++r) {
        const double d = got->value[r][column] - want->value[r][column];
        sum += d * d;
    }
    const double rms = sqrt(sum / ROWS);
    t->checks++;
    if (rms > limit || isnan(rms)) {
        test_fail(t, __FILE__, __LINE__, "%s: %s differs by %.3g, allowed %.3g", name,
                  map[want->row_of[column]].column, rms, limit);
    }
}

static bool run_dataset(TestCtx *t, const char *path, double tolerance, Table *got)
{
    TmlError err = {0};
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlStatus status = tml_load(path, 0, NULL, NULL, &m, &err);
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 5.0;
    o.output_step = 0.01;
    o.tolerance = tolerance;
    status = status == TML_OK ? tml_sim_create(m, &o, &sim, &err) : status;
    got->n = 0;
    status = status == TML_OK ? tml_sim_run(sim, add_row, got, &err) : status;
    CHECK_OK(t, status, &err);
    CHECK_INT(t, got->n, ROWS);
    tml_sim_free(sim);
    tml_model_free(m);
    return status == TML_OK;
}

/* A table and the rules of its comparison. digits: of the table. */
typedef struct Case {
    const char *dataset, *table, *rules;
    int digits;
} Case;

/* Default: what Project Chrono passes with; NAN: it does not look at this. Tight: three times the
 * difference of an independent integration to the table of Adams and its rounding, with 1e-9 for
 * what is zero there. A table of ten digits is a computation at 1e-11 itself, some thousand steps
 * away from ours. */
static double limit_of(const char *json, const Case *c, const Table *want, const char *quantity,
                       bool tight)
{
    const double chrono = json_number(json, "\"rms_tolerance\"", quantity);
    const double other = json_number(json, "\"rms_difference", quantity);
    const double last = rounding(want, quantity, c->digits) + 1e-9;
    if (!tight || isnan(chrono)) {
        return chrono;
    }
    return c->digits > 6 ? 10.0 * last : 3.0 * (isnan(other) ? 0.0 : other) + last;
}

static void run_case(TestCtx *t, const char *folder, const Case *c)
{
    static Table got, want;
    char path[1024];
    snprintf(path, sizeof path, "%s/adams-joints/%s.csv", test_cases_dir(), c->table);
    CHECK(t, read_table(path, &want));
    snprintf(path, sizeof path, "%s/adams-joints/%s.json", test_cases_dir(), c->rules);
    const char *json = read_text(path);
    CHECK(t, json != NULL);
    snprintf(path, sizeof path, "%s/%s.adm", folder, c->dataset);
    for (int tight = 0; tight < 2 && json != NULL; ++tight) {
        got = want;
        if (!run_dataset(t, path, tight ? 1e-11 : (double)NAN, &got)) {
            return;
        }
        match_signs(&got, &want);
        for (int k = 0; k < want.columns; ++k) {
            const char *quantity = map[want.row_of[k]].quantity;
            compare(t, c->table, &got, &want, k, limit_of(json, c, &want, quantity, tight));
        }
    }
}

static void run_cases(TestCtx *t, const char *folder, const Case *list, int n)
{
    for (int k = 0; k < n; ++k) {
        run_case(t, folder, &list[k]);
    }
}

TEST(datasets_of_joints)
{
    static const char *const names[] = {
        "Revolute_Case01",  "Spherical_Case01", "Cylindrical_Case01", "Cylindrical_Case02",
        "Prismatic_Case01", "Prismatic_Case03", "Universal_Case01",   "Universal_Case02",
        "Distance_Case01",  "Distance_Case03"};
    static const Case springs[] = {
        {"test_RotSpring_Case01", "RotSpring_adm_computed", "RotSpring_Case01", 10},
        {"test_TransSpring_Case01", "TransSpring_adm_computed", "TranSpringCB_Case03", 10}};
    char folder[1024], dataset[64];
    if (test_cases_dir() == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    snprintf(folder, sizeof folder, "%s/adams-joints", test_cases_dir());
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        snprintf(dataset, sizeof dataset, "test_%s", names[k]);
        run_cases(t, folder, &(Case){dataset, names[k], names[k], 6}, 1);
    }
    run_cases(t, folder, springs, 2);
}

/* Tables that come without a dataset: ours, from the description. */
TEST(tables_without_a_dataset)
{
    static const char *const names[] = {"TranSpring_Case01",   "TranSpringCB_Case01",
                                        "TranSpringCB_Case03", "RotSpring_Case01",
                                        "RevSpherical_Case01", "LinActuator_Case01"};
    char folder[1024];
    if (test_cases_dir() == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    snprintf(folder, sizeof folder, "%s/tests/data/adams_tables", test_source_dir());
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        run_cases(t, folder, &(Case){names[k], names[k], names[k], 6}, 1);
    }
}

TEST_SUITE(adams_results) = {CASE(datasets_of_joints), CASE(tables_without_a_dataset), {0}};
