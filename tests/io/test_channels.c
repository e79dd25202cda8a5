/* tests/io/test_channels.c - channels by name, of HDF5 and of CSV files. */
#include "trammel/trammel.h"

#include "base/arena.h"
#include "io/read/results_read.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

static const char model_text[] =
    "trammel: 1\n"
    "title: Pendulum\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}\n"
    "flexible:\n"
    "  strip: {type: beam2d, line: [[0, 5, 0], [1, 5, 0]], elements: 2, start: {clamp: ground},\n"
    "          material: {E: 1e7, nu: 0.3, density: 1000}, section: {height: 0.1, width: 0.1}}\n"
    "simulate: {end: 0.2, output_step: 0.05}\n"
    "outputs: {theta: {value: angle(pin), unit: rad}, x: DX(rod)}\n";

static TmlStatus write_row(void *user, const TmlSim *sim, TmlError *err)
{
    return tml_writer_row(user, sim, err);
}

/* The results of the model above in a file of its own. */
static void write_results(TestCtx *t, char path[PATH_SIZE])
{
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlWriter *writer = NULL;
    TmlSimOptions options = tml_sim_options_default();
    options.record_solver = true;
    snprintf(path, PATH_SIZE, "%s/channels-%d.h5", TRAMMEL_BINARY_DIR, (int)getpid());
    CHECK_OK(t, tml_load_text(model_text, "model.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_OK(t, tml_sim_create(model, &options, &sim, &err), &err);
    CHECK_OK(t, tml_writer_open(path, sim, &writer, &err), &err);
    CHECK_OK(t, tml_sim_run(sim, write_row, writer, &err), &err);
    CHECK_OK(t, tml_writer_close(writer, sim, &err), &err);
    tml_sim_free(sim);
    tml_model_free(model);
}

static void expect_channel(TestCtx *t, const TmlChannels *c, const char *name, const char *unit)
{
    t->name = name;
    const int k = tml_channels_match(c, name, 0);
    CHECK(t, k >= 0);
    if (k >= 0) {
        CHECK_STR(t, tml_channels_info(c, k).unit, unit);
    }
    t->name = NULL;
}

TEST(results_have_names_and_units)
{
    static const char *const rows[][2] = {
        {"theta", "rad"},
        {"x", ""},
        {"rod.position.x", "m"},
        {"rod.orientation.w", ""},
        {"rod.angular_acceleration.z", "rad/s^2"},
        {"pin.reaction.fx", "N"},
        {"pin.reaction.tz", "N m"},
        {"pin.reaction.tz_local", "N m"},
        {"strip.node2.y", "m"},
        {"strip.stress.1.0.stress_xx", "Pa"},
        {"certificate.phi_ddot", ""},
        {"energy.kinetic", "J"},
        {"energy.balance", "J"},
        {"certificate.kinetic", "J"}, // as the file calls it
        {"solver.h", "s"},
        {"solver.iterations", ""},
    };
    char path[PATH_SIZE];
    TmlChannels *c = NULL;
    TmlError err = {0};
    write_results(t, path);
    CHECK_OK(t, tml_channels_open(path, &c, &err), &err);
    for (size_t k = 0; c != NULL && k < sizeof rows / sizeof rows[0]; ++k) {
        expect_channel(t, c, rows[k][0], rows[k][1]);
    }
    CHECK_STR(t, tml_channels_title(c), "Pendulum");
    CHECK_STR(t, tml_channels_time(c), "time, s");
    CHECK(t, tml_channels_note(c) == NULL);
    CHECK_INT(t, tml_channels_info(c, 0).rows, 5);
    CHECK(t, tml_channels_info(c, tml_channels_match(c, "solver.h", 0)).attempts);
    tml_channels_free(c);
    unlink(path);
}

/* Every channel can be read, and has the numbers of the file. */
TEST(results_are_read_by_name)
{
    char path[PATH_SIZE];
    TmlChannels *c = NULL;
    TmlResultFile f;
    TmlError err = {0};
    double time[5], value[5], position[5 * 3], reaction[5 * 12], kinetic[5];
    write_results(t, path);
    CHECK_OK(t, tml_channels_open(path, &c, &err), &err);
    for (int k = 0; k < tml_channels_count(c); ++k) {
        const TmlChannelInfo info = tml_channels_info(c, k);
        double *own = calloc((size_t)info.rows + 1, sizeof *own);
        t->name = info.name;
        CHECK_OK(t, tml_channels_read(c, k, NULL, own, &err), &err);
        free(own);
    }
    t->name = NULL;
    CHECK_OK(t, tml_result_open(path, &f, &err), &err);
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_BODIES, 0, 0, 0, 5, position, &err), &err);
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_JOINTS, 0, 0, 0, 5, reaction, &err), &err);
    CHECK_OK(t,
             tml_result_read(&f, TML_RESULT_CERTIFICATE, 0,
                             tml_result_field(&f.set[TML_RESULT_CERTIFICATE], "kinetic"), 0, 5,
                             kinetic, &err),
             &err);
    const int y = tml_channels_match(c, "rod.position.y", 0);
    CHECK_OK(t, tml_channels_read(c, y, time, value, &err), &err);
    for (int k = 0; k < 5; ++k) {
        CHECK(t, time[k] == f.time[k] && value[k] == position[3 * k + 1]);
    }
    CHECK_OK(t,
             tml_channels_read(c, tml_channels_match(c, "pin.reaction.fy", 0), NULL, value, &err),
             &err);
    CHECK(t, value[3] == reaction[12 * 3 + 1]);
    CHECK_OK(t, tml_channels_read(c, tml_channels_match(c, "energy.kinetic", 0), NULL, value, &err),
             &err);
    for (int k = 0; k < 5; ++k) {
        CHECK(t, value[k] == kinetic[k]);
    }
    CHECK_INT(t, tml_channels_read(c, -1, NULL, value, &err), TML_E_ARGUMENT);
    tml_result_close(&f);
    tml_channels_free(c);
    unlink(path);
}

static int matches(const TmlChannels *c, const char *pattern)
{
    int n = 0;
    for (int k = tml_channels_match(c, pattern, 0); k >= 0;
         k = tml_channels_match(c, pattern, k + 1)) {
        n++;
    }
    return n;
}

TEST(patterns_and_misspellings)
{
    char path[PATH_SIZE];
    TmlChannels *c = NULL;
    TmlError err = {0};
    write_results(t, path);
    CHECK_OK(t, tml_channels_open(path, &c, &err), &err);
    CHECK_INT(t, matches(c, "rod.position.*"), 3);
    CHECK_INT(t, matches(c, "pin*.reaction.f?"), 3);
    CHECK_INT(t, matches(c, "rod.[pv]*.x"), 2);
    CHECK_INT(t, matches(c, "energy.*"), 5);
    CHECK_INT(t, matches(c, "theta"), 1);
    CHECK_INT(t, matches(c, "THETA"), 0);
    CHECK_INT(t, matches(c, "*"), tml_channels_count(c));
    CHECK_INT(t, tml_channels_unknown(c, "rod.postion.x", &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "'rod.position.x'");
    CHECK_INT(t, tml_channels_unknown(c, "velocity", &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "'rod.velocity.x'");
    CHECK_INT(t, tml_channels_unknown(c, "quite another thing", &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "--list");
    CHECK_INT(t, tml_channels_unknown(c, "q*", &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "no channel matches");
    tml_channels_free(c);
    unlink(path);
}

/* --- CSV ----------------------------------------------------------------------------------- */

static TmlStatus open_csv(const char *text, size_t n, TmlChannels **c, TmlError *err)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/channels-%d.csv", TRAMMEL_BINARY_DIR, (int)getpid());
    FILE *file = fopen(path, "wb");
    fwrite(text, 1, n, file);
    fclose(file);
    const TmlStatus status = tml_channels_open(path, c, err);
    unlink(path);
    return status;
}

TEST(csv_is_read)
{
    static const char text[] = "\xef\xbb\xbftime,\"a, \"\"b\"\"\",force [N]\r\n"
                               "0,1,-2.5e3\r\n"
                               "\r\n"
                               " 0.5 , , nan\r\n"
                               "1,inf,4\n"
                               "1.5,2"; // still being written
    TmlChannels *c = NULL;
    TmlError err = {0};
    double time[3], a[3], force[3];
    CHECK_OK(t, open_csv(text, strlen(text), &c, &err), &err);
    if (c == NULL) {
        return;
    }
    CHECK_INT(t, tml_channels_count(c), 2);
    CHECK_STR(t, tml_channels_info(c, 0).name, "a, \"b\"");
    CHECK_STR(t, tml_channels_info(c, 1).name, "force");
    CHECK_STR(t, tml_channels_info(c, 1).unit, "N");
    CHECK_STR(t, tml_channels_time(c), "time, s");
    CHECK_INT(t, tml_channels_info(c, 0).rows, 3);
    CHECK_OK(t, tml_channels_read(c, 0, time, a, &err), &err);
    CHECK_OK(t, tml_channels_read(c, 1, NULL, force, &err), &err);
    CHECK(t, time[0] == 0.0 && time[1] == 0.5 && time[2] == 1.0);
    CHECK(t, a[0] == 1.0 && isnan(a[1]) && isinf(a[2]));
    CHECK(t, force[0] == -2500.0 && isnan(force[1]) && force[2] == 4.0);
    tml_channels_free(c);
}

TEST(other_first_columns_keep_their_name)
{
    static const char text[] = "angle [deg],f\n0,1\n";
    TmlChannels *c = NULL;
    TmlError err = {0};
    CHECK_OK(t, open_csv(text, strlen(text), &c, &err), &err);
    CHECK_STR(t, tml_channels_time(c), "angle, deg");
    tml_channels_free(c);
}

/* All rows of a channel of both files, bit by bit. */
static void expect_same(TestCtx *t, TmlChannels *a, TmlChannels *b, const char *name)
{
    enum { MOST = 64 };
    double time[2][MOST] = {{0}}, value[2][MOST] = {{0}};
    TmlError err = {0};
    const int i = tml_channels_match(a, name, 0), k = tml_channels_match(b, name, 0);
    t->name = name;
    CHECK(t, i >= 0 && k >= 0);
    if (i >= 0 && k >= 0 && tml_channels_info(a, i).rows <= MOST) {
        CHECK_INT(t, tml_channels_info(a, i).rows, tml_channels_info(b, k).rows);
        CHECK_STR(t, tml_channels_info(a, i).unit, tml_channels_info(b, k).unit);
        CHECK_OK(t, tml_channels_read(a, i, time[0], value[0], &err), &err);
        CHECK_OK(t, tml_channels_read(b, k, time[1], value[1], &err), &err);
        CHECK(t, memcmp(time[0], time[1], sizeof time[0]) == 0);
        CHECK(t, memcmp(value[0], value[1], sizeof value[0]) == 0);
    }
    t->name = NULL;
}

/* Whatever is exported reads back to the same bits, with its unit. */
TEST(channels_are_exported)
{
    static const char *const wanted[] = {"pin.reaction.f[xy]", "theta", "theta", "strip.node2.y"};
    static const char *const names[] = {"pin.reaction.fx", "pin.reaction.fy", "theta",
                                        "strip.node2.y"};
    static const char *const mixed[] = {"theta", "solver.h"}, *const wrong[] = {"thata"};
    char path[PATH_SIZE], csv[PATH_SIZE + 8];
    TmlChannels *from = NULL, *to = NULL;
    TmlError err = {0};
    int64_t rows = 0;
    int columns = 0;
    write_results(t, path);
    snprintf(csv, sizeof csv, "%s.csv", path);
    CHECK_OK(t, tml_export_csv(path, 4, wanted, true, csv, &rows, &columns, &err), &err);
    CHECK_INT(t, columns, 4); // once each
    CHECK_INT(t, rows, 5);
    CHECK_OK(t, tml_channels_open(path, &from, &err), &err);
    CHECK_OK(t, tml_channels_open(csv, &to, &err), &err);
    if (from != NULL && to != NULL) {
        CHECK_STR(t, tml_channels_info(to, 0).name, "pin.reaction.fx"); // in the order asked for
        CHECK_INT(t, tml_channels_count(to), 4);
        for (int k = 0; k < 4; ++k) {
            expect_same(t, from, to, names[k]);
        }
    }
    tml_channels_free(to);
    CHECK_OK(t, tml_export_csv(path, 1, &mixed[1], false, csv, &rows, NULL, &err), &err);
    CHECK(t, rows > 1); // a row per attempt
    CHECK_OK(t, tml_export_csv(path, 0, NULL, false, csv, NULL, &columns, &err), &err);
    CHECK(t, columns > 60);
    CHECK_INT(t, tml_export_csv(path, 2, mixed, false, csv, NULL, NULL, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "two files");
    CHECK_INT(t, tml_export_csv(path, 1, wrong, false, csv, NULL, NULL, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "theta");
    CHECK_INT(t, tml_export_csv(path, 0, NULL, false, "/no/such/x.csv", NULL, NULL, &err),
              TML_E_IO);
    tml_channels_free(from);
    remove(csv);
    remove(path);
}

TEST(bad_csv_is_an_error_with_its_line)
{
    static const struct {
        const char *text, *message;
        size_t n;
    } row[] = {
        {"time,a\n0,1\n1,two\n2,3\n", ".csv:3: not a number: 'two'", 0},
        {"time,a\n0,1\n1,2,3\n", ".csv:3: 3 cells where the first row has 2", 0},
        {"time,a\n0,1\n1\n2,2\n", ".csv:3: 1 cells", 0},
        {"time\n0\n", "the first row must name", 0},
        {"", "the first row must name", 0},
        {"time,a\n0,\0001\n", "not a text file", 12},
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) {
        TmlChannels *c = NULL;
        TmlError err = {0};
        const size_t n = row[k].n > 0 ? row[k].n : strlen(row[k].text);
        t->name = row[k].message;
        CHECK_INT(t, open_csv(row[k].text, n, &c, &err), TML_E_IO);
        CHECK_HAS(t, err.message, row[k].message);
        CHECK(t, c == NULL);
    }
    t->name = NULL;
}

TEST(missing_files_are_errors)
{
    TmlChannels *c = NULL;
    TmlError err = {0};
    CHECK_INT(t, tml_channels_open("no/such/file.csv", &c, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "no/such/file.csv");
    CHECK_INT(t, tml_channels_open("no/such/file.h5", &c, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "no/such/file.h5");
    CHECK(t, c == NULL);
}

TEST_SUITE(io_channels) = {CASE(results_have_names_and_units),
                           CASE(results_are_read_by_name),
                           CASE(patterns_and_misspellings),
                           CASE(csv_is_read),
                           CASE(channels_are_exported),
                           CASE(other_first_columns_keep_their_name),
                           CASE(bad_csv_is_an_error_with_its_line),
                           CASE(missing_files_are_errors),
                           {0}};
